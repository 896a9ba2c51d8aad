"""How sure a corpus score is, and a difference between two: confidence interval and paired tests.

Draws and formulas are those of sacreBLEU 2.6.0, so its p-values come out; it rounds the scores of
resamples to single precision, and here they are not. Every function has a twin that begins with
`iter_`, the same computation as a generator: it yields (done, all) after each resample, and with
0 done before the first.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Unpack

from bleu.core.choices import Choices, Real, SettingChoices, append_docstrings
from bleu.core.conventions import resolve_settings
from bleu.core.display import DisplayMixin
from bleu.core.progress import ProgressGenerator, run_to_end
from bleu.core.settings import Settings, exact_fraction
from bleu.corpus.resampling import SegmentStatistics, bootstrap_scores, randomization_scores

SEED: Final = 12345
RESAMPLES: Final = 1_000
TRIALS: Final = 10_000
LEVEL: Final = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """A corpus score, and where it lies when segments are drawn anew; all in [0, 1].

    It may also be the difference of two scores, in [-1, 1].

    - `score`: of the corpus as it is; `mean`: of the scores of the resamples.
    - `low`, `high`: the ends of the interval, which need not be as far from the score.
    """

    score: float
    mean: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half the width of the interval: what sacreBLEU prints after ±."""
        return (self.high - self.low) / 2


@dataclass(frozen=True, slots=True, repr=False)
class PairedTest(DisplayMixin):
    """Two systems on the same segments, and how often chance gives a larger difference.

    - `baseline`, `system`: the corpus scores, in [0, 1].
    - `p_value`: in (0, 1], from `trials` resamples.
    - `intervals`: of baseline and system, where the test draws segments anew.
    - `difference_interval`: of the difference, system less baseline, from the same resamples.
    """

    baseline: float
    system: float
    p_value: float
    trials: int
    intervals: tuple[Interval, Interval] | None = None
    difference_interval: Interval | None = None

    @property
    def difference(self) -> float:
        """The system's score less the baseline's, in [-1, 1]."""
        return self.system - self.baseline

    def __str__(self) -> str:
        """Both scores and their difference, on a scale of 0 to 100, and p."""
        return (
            f"BLEU {100 * self.baseline:.2f} and {100 * self.system:.2f}, difference "
            f"{100 * self.difference:+.2f}, p = {self.p_value:.2g} from {self.trials:,} trials"
        )


@append_docstrings(Choices, SettingChoices)
def confidence_interval(
    segments: SegmentStatistics,
    settings: Settings | None = None,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: Real = LEVEL,
    **choices: Unpack[Choices],
) -> Interval:
    """The bootstrap confidence interval of a corpus score (Koehn 2004, section 3).

    `segments` are the statistics of each segment. Every resample draws as many of them as there
    are, with repetition. Of the sorted scores, (1 - level)/2 are left out at either end, rounded
    down to whole ones.

    Raises ValueError for no segments, resamples below 1, a level outside (0, 1), a seed below 0,
    and a smoothing that depends on the last segment of a corpus; TypeError unless they are
    statistics and `Settings`. The settings are those with which the segments were counted.

    >>> from bleu import segment_statistics
    >>> texts = [("a b c", "a b c"), ("a b d", "a b c"), ("b c", "a b c")]
    >>> segments = [segment_statistics(text, [other], max_order=2) for text, other in texts]
    >>> interval = confidence_interval(segments, Settings(max_order=2))
    >>> [round(value, 2) for value in (interval.low, interval.score, interval.high)]
    [0.58, 0.74, 1.0]
    """
    chosen = resolve_settings(choices, settings)
    return run_to_end(
        iter_confidence_interval(segments, chosen, resamples=resamples, seed=seed, level=level)
    )


def iter_confidence_interval(
    segments: SegmentStatistics,
    settings: Settings,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: Real = LEVEL,
) -> ProgressGenerator[Interval]:
    """`confidence_interval`, step by step."""
    share = exact_fraction("level", level)
    if not 0 < share < 1:
        raise ValueError(f"level is {level!r}; choose a number above 0 and below 1")
    (whole,), rows = yield from bootstrap_scores([segments], settings, resamples, seed)
    return _interval(whole, [score for (score,) in rows], share)


@append_docstrings(Choices, SettingChoices)
def paired_bootstrap(
    baseline: SegmentStatistics,
    system: SegmentStatistics,
    settings: Settings | None = None,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    **choices: Unpack[Choices],
) -> PairedTest:
    """The paired bootstrap test of two systems, two-sided (Koehn 2004, section 4).

    `baseline[i]` and `system[i]` are the statistics of the same segment. Both are scored on the
    same resamples; p = (1 + k)/(1 + resamples), where k resamples have a |difference| which, less
    the mean of all of them, exceeds that of the corpora. The intervals, of both scores and of their
    difference, are of 95 %, and leave out as many resamples at either end as `confidence_interval`.

    Where the systems never differ, k is 0, and p the smallest possible, as in sacreBLEU.

    Raises ValueError for different numbers of segments, and as `confidence_interval`.

    >>> from bleu import segment_statistics
    >>> one, other = (
    ...     [segment_statistics(text, ["a b c"], max_order=2) for text in texts]
    ...     for texts in (["a b c", "a b c", "b c a"], ["a b c", "a b d", "b c"])
    ... )
    >>> paired_bootstrap(one, other, Settings(max_order=2)).p_value
    0.04795204795204795
    """
    chosen = resolve_settings(choices, settings)
    return run_to_end(
        iter_paired_bootstrap(baseline, system, chosen, resamples=resamples, seed=seed)
    )


def iter_paired_bootstrap(
    baseline: SegmentStatistics,
    system: SegmentStatistics,
    settings: Settings,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> ProgressGenerator[PairedTest]:
    """`paired_bootstrap`, step by step."""
    (test,) = yield from iter_paired_bootstraps(
        [baseline, system], settings, resamples=resamples, seed=seed
    )
    return test


def iter_paired_bootstraps(
    systems: Sequence[SegmentStatistics],
    settings: Settings,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> ProgressGenerator[tuple[PairedTest, ...]]:
    """The paired bootstrap tests of several systems against the first, step by step.

    All are scored on the same resamples, so each result is that of `paired_bootstrap` with the
    first system and that one.

    Raises ValueError for fewer than two systems, and as `paired_bootstrap`.

    >>> from bleu import segment_statistics
    >>> from bleu.core.progress import run_to_end
    >>> parts = [segment_statistics(text, ["a b c"], max_order=1) for text in ("a b c", "d", "a")]
    >>> systems = [parts, parts[::-1], parts]
    >>> tests = run_to_end(iter_paired_bootstraps(systems, Settings(max_order=1)))
    >>> [test.difference_interval.score for test in tests]
    [0.0, 0.0]
    """
    if len(systems) < 2:
        raise ValueError("a paired test compares two systems or more; give another one")
    scores, rows = yield from bootstrap_scores(systems, settings, resamples, seed)
    share = exact_fraction("level", LEVEL)
    resampled = list(zip(*rows, strict=True))
    intervals = [_interval(*pair, share) for pair in zip(scores, resampled, strict=True)]
    first, baseline = scores[0], resampled[0]
    tests = []
    for score, own, interval in zip(scores[1:], resampled[1:], intervals[1:], strict=True):
        differences = [ours - theirs for theirs, ours in zip(baseline, own, strict=True)]
        sizes = list(map(abs, differences))
        mean = math.fsum(sizes) / resamples
        p_value = _p_value([size - mean for size in sizes], abs(score - first))
        of_difference = _interval(score - first, differences, share)
        pair = intervals[0], interval
        tests.append(PairedTest(first, score, p_value, resamples, pair, of_difference))
    return tuple(tests)


@append_docstrings(Choices, SettingChoices)
def approximate_randomization(
    baseline: SegmentStatistics,
    system: SegmentStatistics,
    settings: Settings | None = None,
    *,
    trials: int = TRIALS,
    seed: int = SEED,
    **choices: Unpack[Choices],
) -> PairedTest:
    """The paired approximate randomization test, two-sided (Riezler and Maxwell 2005).

    `baseline[i]` and `system[i]` are the statistics of the same segment. Every trial swaps the
    systems in about half of the segments; p = (1 + k)/(1 + trials), where k trials have a
    |difference| that exceeds that of the corpora. Where the systems never differ, see
    `paired_bootstrap`.

    Raises what `paired_bootstrap` raises.

    >>> from bleu import segment_statistics
    >>> one, other = (
    ...     [segment_statistics(text, ["a b c"], max_order=2) for text in texts]
    ...     for texts in (["a b c", "a b c", "b c a"], ["a b c", "a b d", "b c"])
    ... )
    >>> approximate_randomization(one, other, Settings(max_order=2), trials=999).p_value
    0.001
    """
    chosen = resolve_settings(choices, settings)
    return run_to_end(
        iter_approximate_randomization(baseline, system, chosen, trials=trials, seed=seed)
    )


def iter_approximate_randomization(
    baseline: SegmentStatistics,
    system: SegmentStatistics,
    settings: Settings,
    *,
    trials: int = TRIALS,
    seed: int = SEED,
) -> ProgressGenerator[PairedTest]:
    """`approximate_randomization`, step by step."""
    (first, second), rows = yield from randomization_scores(
        baseline, system, settings, trials, seed
    )
    p_value = _p_value([abs(one - other) for one, other in rows], abs(second - first))
    return PairedTest(first, second, p_value, len(rows))


def _p_value(by_chance: Sequence[float], observed: float) -> float:
    """(1 + k)/(1 + n), where k of the n exceed what was observed (Noreen 1989)."""
    return (1 + sum(each > observed for each in by_chance)) / (1 + len(by_chance))


def _interval(score: float, scores: Iterable[float], level: Fraction) -> Interval:
    ordered = sorted(scores)
    left_out = int(len(ordered) * (1 - level) / 2)
    mean = math.fsum(ordered) / len(ordered)
    return Interval(score, mean, ordered[left_out], ordered[-1 - left_out])
