"""Work in several processes: counting segments, and paired tests of several systems."""

import signal
import sys
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any, Final

from bleu.analysis.evaluation import StatisticsRow, iter_statistics
from bleu.cli.terminal import run_with_progress
from bleu.core.progress import Progress
from bleu.core.score import Score
from bleu.core.settings import Settings
from bleu.core.statistics import Statistics
from bleu.corpus.report import System, TestReport, iter_comparison
from bleu.files.parallel import TextRow

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

CHUNK_ROWS: Final = 2000
"""The number of segments that a process counts at once."""

_worker: dict[str, Any] = {}
"""The constants of a worker process, sent once because the model of a tokenizer is large."""


def count_rows(
    rows: Iterable[TextRow],
    systems: int,
    settings: Settings,
    jobs: int = 1,
    unsummed_rows: int = sys.maxsize,
) -> Iterator[StatisticsRow]:
    """Yield the statistics of each segment; the first `systems` texts of a row are hypotheses.

    With several jobs, that many processes count, and after the first `unsummed_rows` segments, the
    statistics are sums over many segments. Rows are read only when they are needed.
    """
    if jobs == 1:
        yield from iter_statistics(rows, systems, settings)
        return
    remaining = iter(rows)
    pending: deque[Future[list[StatisticsRow]]] = deque()
    submitted = 0
    with _pool(jobs, systems=systems, settings=settings) as pool:
        while chunk := list(islice(remaining, CHUNK_ROWS)):
            pending.append(pool.submit(_count_chunk, chunk, submitted >= unsummed_rows))
            submitted += len(chunk)
            if len(pending) > 2 * jobs:
                yield from pending.popleft().result()
        while pending:
            yield from pending.popleft().result()


def iter_comparison_in_processes(
    names: Sequence[str],
    scores: Sequence[Score],
    segments: Sequence[Sequence[Statistics]],
    *arguments: Any,
    jobs: int,
    **options: Any,
) -> Generator[Progress, None, tuple[list[System], TestReport | None]]:
    """Run `iter_comparison`, with the systems beside the baseline divided among processes."""
    others = len(names) - 1
    jobs = max(1, min(jobs, others))
    if jobs == 1:
        return (yield from iter_comparison(names, scores, segments, *arguments, **options))
    bounds = [1 + others * part // jobs for part in range(jobs + 1)]
    parts = [
        tuple([values[0], *values[low:high]] for values in (names, scores, segments))
        for low, high in pairwise(bounds)
    ]
    with _pool(jobs) as pool:
        compare = partial(_compare_part, arguments, options)
        (systems, test), *results = pool.map(compare, parts)
    for part_systems, part_test in results:
        systems += part_systems[1:]
        if test and part_test:
            test = replace(test, results=test.results + part_test.results)
    return systems, test


def _compare_part(
    arguments: Sequence[Any], options: dict[str, Any], part: Sequence[Any]
) -> tuple[list[System], TestReport | None]:
    return run_with_progress(iter_comparison(*part, *arguments, **options))


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


def _count_chunk(rows: Iterable[TextRow], sums: bool) -> list[StatisticsRow]:
    systems, settings = _worker["systems"], _worker["settings"]
    counted = list(iter_statistics(rows, systems, settings))
    if sums:
        columns = zip(*counted, strict=True)
        counted = [tuple(Statistics.sum(column, settings.max_order) for column in columns)]
    return counted
