"""Work in several processes: counting segments, and paired tests of several systems."""

import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from bleu.core.api import segment_statistics
from bleu.core.settings import Settings
from bleu.core.statistics import Statistics

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

CHUNK_ROWS: Final = 2000
"""The number of segments that a process counts at once."""

SegmentRow = tuple[Statistics, ...]
"""The statistics of one segment for each system."""

_worker: dict[str, Any] = {}
"""The constants of a worker process, sent once because the model of a tokenizer is large."""


def count_rows(
    rows: Iterable[Sequence[str]],
    systems: int,
    settings: Settings,
    jobs: int = 1,
    unsummed_rows: int = sys.maxsize,
) -> Iterator[SegmentRow]:
    """Yield the statistics of each segment; the first `systems` texts of a row are hypotheses.

    With several jobs, that many processes count, and after the first `unsummed_rows` segments, the
    statistics are sums over many segments. Rows are read only when they are needed.
    """
    if jobs == 1:
        for row in rows:
            yield _count_row(row, systems, settings)
        return
    remaining = iter(rows)
    pending: deque[Future[list[SegmentRow]]] = deque()
    submitted = 0
    with _pool(jobs, systems=systems, settings=settings) as pool:
        while chunk := list(islice(remaining, CHUNK_ROWS)):
            pending.append(pool.submit(_count_chunk, chunk, submitted >= unsummed_rows))
            submitted += len(chunk)
            if len(pending) > 2 * jobs:
                yield from pending.popleft().result()
        while pending:
            yield from pending.popleft().result()


def map_in_processes(function: Callable[[Any], Any], items: Sequence[Any], jobs: int) -> list[Any]:
    """Return the results of a function for each item, in order, computed in `jobs` processes."""
    if jobs == 1 or len(items) == 1:
        return list(map(function, items))
    with _pool(jobs) as pool:
        return list(pool.map(function, items))


@contextmanager
def _pool(jobs: int, **constants: object) -> "Iterator[ProcessPoolExecutor]":
    from concurrent.futures import ProcessPoolExecutor

    pool = ProcessPoolExecutor(jobs, initializer=_start_worker, initargs=(constants,))
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _start_worker(constants: dict[str, object]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # On Ctrl-C, the main process ends the workers.
    _worker.update(constants)


def _count_chunk(rows: Iterable[Sequence[str]], sums: bool) -> list[SegmentRow]:
    systems, settings = _worker["systems"], _worker["settings"]
    counted = [_count_row(row, systems, settings) for row in rows]
    if sums:
        columns = zip(*counted, strict=True)
        counted = [tuple(Statistics.sum(column, settings.max_order) for column in columns)]
    return counted


def _count_row(row: Sequence[str], systems: int, settings: Settings) -> SegmentRow:
    references = row[systems:]
    return tuple(segment_statistics(text, references, settings) for text in row[:systems])
