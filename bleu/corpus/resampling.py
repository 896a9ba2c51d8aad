"""The scores of resampled corpora: segments drawn with repetition, or swapped between systems.

Each is a generator that yields (done, all) after every resample, and while there is none yet, for
whoever works in slices or stops halfway, and returns the scores; `run_to_end` runs it to its end.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import chain, compress, islice
from numbers import Integral
from operator import itemgetter, or_
from typing import Final, TypeVar

from bleu.core.progress import ProgressGenerator
from bleu.core.score import compute
from bleu.core.settings import Settings
from bleu.core.statistics import Statistics, check_counting
from bleu.corpus.numpy_random import random_bits, random_indices
from bleu.corpus.packing import Packing

T = TypeVar("T")

SegmentStatistics = Sequence[Statistics]
"""The statistics of one system's segments."""

SystemScores = tuple[float, ...]
"""The score of each system, in [0, 1]."""

_SLICE: Final = 512
"""Segments prepared in one step."""


def bootstrap_scores(
    systems: Sequence[SegmentStatistics], settings: Settings, resamples: int, seed: int
) -> ProgressGenerator[tuple[SystemScores, list[SystemScores]]]:
    """The scores of the corpora, and of segments drawn from them with repetition (Efron 1979).

    All systems are scored on the same draws, those of NumPy's `choice`: one row for each resample.

    Raises ValueError for systems of different or no segments, for resamples below 1, a seed below
    0, and for a smoothing that depends on the last segment of a corpus; TypeError unless they are
    statistics and `Settings`.
    """
    check_resampling(systems, settings, "resamples", resamples)
    resamples = int(resamples)  # whole numbers of other libraries overflow
    packing, rows = yield from _packed(systems, resamples)
    totals = chain([sum(rows)], islice(_bootstrap_sums(rows, seed), resamples))
    return (yield from _score_totals(totals, packing, len(systems), settings, resamples))


def randomization_scores(
    baseline: SegmentStatistics,
    system: SegmentStatistics,
    settings: Settings,
    trials: int,
    seed: int,
) -> ProgressGenerator[tuple[SystemScores, list[SystemScores]]]:
    """The scores of two corpora, and of the same with segments swapped at random.

    Which ones, the bits of NumPy's `integers(2, dtype=bool)` say: one row for each trial.

    Raises what `bootstrap_scores` raises.
    """
    check_resampling((baseline, system), settings, "trials", trials)
    trials = int(trials)
    packing, rows = yield from _packed((baseline, system), trials)
    swaps: list[int] = []
    for some in _chunks(rows):
        swaps += map(packing.swap_delta, some)
        yield 0, trials
    whole = sum(rows)
    changed = (
        whole + sum(compress(swaps, map(int, reversed(f"{chosen:0{len(rows)}b}"))))
        for chosen in islice(random_bits(seed, len(rows)), trials)
    )
    return (yield from _score_totals(chain([whole], changed), packing, 2, settings, trials))


def check_resampling(
    systems: Sequence[SegmentStatistics], settings: Settings, name: str, times: int
) -> None:
    """Refuse what cannot be resampled."""
    if not isinstance(settings, Settings):
        raise TypeError(
            f"settings is {settings!r}; give the bleu.Settings that the segments were counted with"
        )
    if not isinstance(times, Integral) or isinstance(times, bool) or times < 1:
        raise ValueError(f"{name} is {times!r}; choose a whole number of 1 or more")
    if settings.smoothing.endswith("-last"):
        raise ValueError(
            f"smoothing {settings.smoothing} takes numbers from a corpus's last segment, which "
            f"resampling makes meaningless; choose {settings.smoothing.removesuffix('-last')}, "
            "the same over the sums"
        )
    first, *others = map(len, systems)
    for other in others:
        if other != first:
            raise ValueError(
                f"the systems have {first} and {other} segments; give the same segments of both"
            )
    if not first:
        raise ValueError("there are no segments to resample; give one or more")
    for part in chain.from_iterable(systems):
        if isinstance(part, Statistics):
            check_counting(part.counting, settings.counting)


def _packed(
    systems: Sequence[SegmentStatistics], times: int
) -> ProgressGenerator[tuple[Packing, tuple[int, ...]]]:
    """A packing for all systems, and the number of each segment in it."""
    slices = list(_chunks(list(zip(*systems, strict=True))))
    packings = []
    for some in slices:
        packings.append(Packing.for_sums(list(chain.from_iterable(some)), len(systems[0])))
        yield 0, times
    packing = reduce(or_, packings)
    rows: list[int] = []
    for some in slices:
        rows += map(packing.pack, some)
        yield 0, times
    return packing, tuple(rows)


def _chunks(all_: Sequence[T]) -> Iterator[Sequence[T]]:
    """So few at a time that whoever shows progress need not wait for long."""
    return (all_[at : at + _SLICE] for at in range(0, len(all_), _SLICE))


def _score_totals(
    totals: Iterable[int], packing: Packing, systems: int, settings: Settings, times: int
) -> ProgressGenerator[tuple[SystemScores, list[SystemScores]]]:
    """The scores of the first total, and those of the others."""
    scores, alone = [], settings.of_parts
    for done, total in enumerate(totals):
        scores.append(tuple(compute(part, alone).value for part in packing.unpack(total, systems)))
        yield done, times
    return scores[0], scores[1:]


def _bootstrap_sums(numbers: Sequence[int], seed: int) -> Iterator[int]:
    """Sums of as many numbers as there are, each drawn anew from all of them, without end."""
    total, missing = 0, len(numbers)
    for drawn in random_indices(seed, len(numbers)):
        values = itemgetter(*drawn)(numbers)
        start = 0
        while len(values) - start >= missing:
            yield total + sum(values[start : start + missing])
            start += missing
            total, missing = 0, len(numbers)
        total += sum(values[start:])
        missing -= len(values) - start
