"""The scores of resampled corpora: segments drawn with replacement, or swapped between systems.

The generators yield (done, total) after every resample, and (0, total) during the preparation, so
that a caller can run them in slices or stop them; `run_to_end` returns their result.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, compress, islice
from numbers import Integral
from operator import itemgetter
from typing import Final, TypeVar

from bleu.core.display import short_repr
from bleu.core.progress import ProgressGenerator
from bleu.core.score import compute
from bleu.core.settings import Settings
from bleu.core.statistics import Statistics, check_counting
from bleu.corpus.numpy_random import random_bits, random_indices
from bleu.corpus.packing import Packing, Shape, shape_of
from bleu.metric.smoothings import SMOOTHINGS

T = TypeVar("T")

SegmentStatistics = Sequence[Statistics]
"""The statistics of one system's segments."""

SystemScores = tuple[float, ...]
"""The score of each system, in [0, 1]."""

MAX_TIMES: Final = 1_000_000
"""The largest number of resamples or trials, because their scores are held in memory."""
_CHUNK_SIZE: Final = 512
"""The number of segments prepared between two reports of progress."""


def bootstrap_scores(
    systems: Sequence[SegmentStatistics], settings: Settings, resamples: int, seed: int
) -> ProgressGenerator[tuple[SystemScores, list[SystemScores]]]:
    """Return the scores of the corpora, and those of each resample (Efron 1979).

    A resample draws segments with replacement. All systems are scored on the same draws, which are
    those of NumPy's `choice`.

    Raises ValueError if there are no segments or the systems have different numbers of them, if
    resamples are not from 1 to MAX_TIMES or the seed is below 0, or if the smoothing depends on the
    last segment of a corpus; TypeError unless the arguments are statistics and `Settings`.
    """
    _check_resampling(systems, settings, "resamples", resamples, seed)
    resamples, seed = int(resamples), int(seed)  # Integers of other libraries may overflow.
    packing, rows = yield from _packed(systems, resamples)
    totals = chain([sum(rows)], islice(_bootstrap_sums(rows, seed), resamples))
    return (yield from _score_totals(totals, packing, settings, resamples))


def randomization_scores(
    baseline: SegmentStatistics,
    system: SegmentStatistics,
    settings: Settings,
    trials: int,
    seed: int,
) -> ProgressGenerator[tuple[SystemScores, list[SystemScores]]]:
    """Return the scores of two corpora, and those of each trial that swaps segments at random.

    The bits of NumPy's `integers(2, dtype=bool)` choose the segments to swap.

    Raises the exceptions of `bootstrap_scores`.
    """
    _check_resampling((baseline, system), settings, "trials", trials, seed)
    trials, seed = int(trials), int(seed)
    packing, rows = yield from _packed((baseline, system), trials)
    swaps: list[int] = []
    for chunk in _chunks(rows):
        swaps += map(packing.swap_delta, chunk)
        yield 0, trials
    total = sum(rows)
    swapped_totals = (
        total + sum(compress(swaps, map(int, reversed(f"{bits:0{len(rows)}b}"))))
        for bits in islice(random_bits(seed, len(rows)), trials)
    )
    return (yield from _score_totals(chain([total], swapped_totals), packing, settings, trials))


def _check_resampling(
    systems: Sequence[SegmentStatistics], settings: Settings, name: str, times: int, seed: int
) -> None:
    """Raise TypeError or ValueError unless these systems can be resampled."""
    if not isinstance(settings, Settings):
        raise TypeError(
            f"settings is {short_repr(settings)}; give the bleu.Settings that the segments were "
            "counted with"
        )
    is_integer = isinstance(times, Integral) and not isinstance(times, bool)
    if not is_integer or not 1 <= times <= MAX_TIMES:
        raise ValueError(
            f"{name} is {short_repr(times)}; choose a whole number from 1 to {MAX_TIMES:,}"
        )
    if not isinstance(seed, Integral) or isinstance(seed, bool):
        raise TypeError(f"seed is {short_repr(seed)}; choose a whole number of 0 or more")
    if seed < 0:
        raise ValueError(f"seed is {short_repr(seed)}; choose a whole number of 0 or more")
    if SMOOTHINGS[settings.smoothing].by_last_segment:
        raise ValueError(
            f"smoothing is {settings.smoothing}, which depends on the last segment; choose one "
            "that depends on the sums alone, such as exp"
        )
    first, *others = map(len, systems)
    for size in others:
        if size != first:
            raise ValueError(
                f"the systems have {first} and {size} segments; give the same segments of both"
            )
    if not first:
        raise ValueError("there are no segments to resample; give one or more")
    for part in chain.from_iterable(systems):
        if isinstance(part, Statistics):
            check_counting(part.counting, settings.counting)


def _packed(
    systems: Sequence[SegmentStatistics], times: int
) -> ProgressGenerator[tuple[Packing, tuple[int, ...]]]:
    """Return a packing for all systems, and the packed integer of each segment."""
    chunks = list(_chunks(list(zip(*systems, strict=True))))
    shapes = set[Shape]()
    for chunk in chunks:
        shapes.update(map(shape_of, chain.from_iterable(chunk)))
        yield 0, times
    packing = Packing(shapes, len(systems))
    rows: list[int] = []
    for chunk in chunks:
        rows += map(packing.pack, chunk)
        yield 0, times
    return packing, tuple(rows)


def _chunks(rows: Sequence[T]) -> Iterator[Sequence[T]]:
    starts = range(0, len(rows), _CHUNK_SIZE)
    return (rows[start : start + _CHUNK_SIZE] for start in starts)


def _score_totals(
    totals: Iterable[int], packing: Packing, settings: Settings, times: int
) -> ProgressGenerator[tuple[SystemScores, list[SystemScores]]]:
    """Return the scores of the corpora, whose packed total is the first, and of the resamples."""
    scores, resample_settings = [], settings.for_parts
    for done, total in enumerate(totals):
        statistics = packing.unpack(total)
        scores.append(tuple(compute(part, resample_settings).value for part in statistics))
        yield done, times
    return scores[0], scores[1:]


def _bootstrap_sums(numbers: Sequence[int], seed: int) -> Iterator[int]:
    """Yield, without end, the sum of len(numbers) numbers drawn with replacement."""
    total, remaining = 0, len(numbers)
    for indices in random_indices(seed, len(numbers)):
        drawn = itemgetter(*indices)(numbers)
        start = 0
        while len(drawn) - start >= remaining:
            yield total + sum(drawn[start : start + remaining])
            start += remaining
            total, remaining = 0, len(numbers)
        total += sum(drawn[start:])
        remaining -= len(drawn) - start
