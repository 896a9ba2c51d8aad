"""The scores of resampled corpora: segments drawn with repetition, or swapped between systems.

Each is a generator that yields (done, all) after every resample, for whoever works in slices or
stops halfway, and returns the scores; `finish` runs it to its end.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from itertools import islice
from operator import getitem, itemgetter
from typing import Final, TypeVar

from bleu.draws import bits, index_batches
from bleu.packing import Packing
from bleu.score import compute
from bleu.settings import Settings
from bleu.statistics import Statistics

T = TypeVar("T")
Steps = Generator[tuple[int, int], None, T]
"""A long computation: yields (done, all) after every part of it, and returns its result."""

System = Sequence[Statistics]
"""The statistics of one system's segments."""
_DIGITS: Final = "0123456789abcdef"


def finish(steps: Steps[T], tell: Callable[[int, int], object] | None = None) -> T:
    """The result of a computation, run to its end; `tell` hears (done, all) after every part."""
    while True:
        try:
            done, all_ = next(steps)
        except StopIteration as end:
            result: T = end.value
            return result
        if tell:
            tell(done, all_)


def corpus_score(system: System, settings: Settings) -> float:
    """The score of the corpus as it is, in [0, 1]."""
    return compute(Statistics.sum(system, settings.max_order), settings).value


def bootstrap_scores(
    systems: Sequence[System], settings: Settings, resamples: int, seed: int
) -> Steps[list[tuple[float, ...]]]:
    """The scores of every system on corpora of segments drawn with repetition (Efron 1979).

    All systems are scored on the same draws, those of NumPy's `choice`: one row for each resample.

    Raises ValueError for systems of different or no segments, for resamples below 1, a seed below
    0, and for a smoothing that depends on the last segment of a corpus.
    """
    count = check(systems, settings, "resamples", resamples)
    packing = Packing.of([part for system in systems for part in system], count)
    rows = tuple(packing.pack(row) for row in zip(*systems, strict=True))
    scores = []
    for done, total in enumerate(islice(_drawn_sums(rows, seed), resamples), 1):
        scores.append(_scores(packing.unpack(total, len(systems)), settings))
        yield done, resamples
    return scores


def swapped_scores(
    baseline: System, system: System, settings: Settings, trials: int, seed: int
) -> Steps[list[tuple[float, ...]]]:
    """The scores of two systems whose segments are swapped at random, one row for each trial.

    Which ones, the bits of NumPy's `integers(2, dtype=bool)` say.

    Raises what `bootstrap_scores` raises.
    """
    count = check((baseline, system), settings, "trials", trials)
    packing = Packing.of([*baseline, *system], count)
    pairs = list(zip(baseline, system, strict=True))
    rows = [packing.pack(pair) for pair in pairs]
    whole = sum(rows)
    changes = [packing.pack(pair[::-1]) - row for pair, row in zip(pairs, rows, strict=True)]
    subsets = _subset_sums(changes)
    scores = []
    for done, chosen in enumerate(islice(bits(seed, count), trials), 1):
        digits = f"{chosen:0{len(subsets)}x}"
        total = whole + sum(map(getitem, subsets, reversed(digits)))
        scores.append(_scores(packing.unpack(total, 2), settings))
        yield done, trials
    return scores


def check(systems: Sequence[System], settings: Settings, name: str, times: int) -> int:
    """The number of segments; refuses what cannot be resampled."""
    if not isinstance(times, int) or isinstance(times, bool) or times < 1:
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
    return first


def _scores(parts: Iterable[Statistics], settings: Settings) -> tuple[float, ...]:
    return tuple(compute(part, settings).value for part in parts)


def _drawn_sums(numbers: Sequence[int], seed: int) -> Iterator[int]:
    """Sums of as many numbers as there are, each drawn anew from all of them, without end."""
    total, missing = 0, len(numbers)
    for drawn in index_batches(seed, len(numbers)):
        values = itemgetter(*drawn)(numbers)
        start = 0
        while len(values) - start >= missing:
            yield total + sum(values[start : start + missing])
            start += missing
            total, missing = 0, len(numbers)
        total += sum(values[start:])
        missing -= len(values) - start


def _subset_sums(numbers: Sequence[int]) -> list[dict[str, int]]:
    """For every four numbers, the sum of each of their 16 subsets, by its bits as a digit."""
    tables = []
    for at in range(0, len(numbers), 4):
        sums = [0]
        for number in numbers[at : at + 4]:
            sums += [number + partial for partial in sums]
        tables.append(dict(zip(_DIGITS, sums, strict=False)))
    return tables
