"""Significance of corpus scores and their differences: confidence interval and paired tests.

Draws and formulas are those of sacreBLEU 2.6.0, so the p-values agree, except that sacreBLEU rounds
the scores of resamples to single precision. Every function has a generator of the same name with
`iter_` before it, which yields (done, total) after each resample, and (0, total) before the first.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import sub
from typing import Final, Unpack, cast

from bleu.core.api import count_corpus
from bleu.core.choices import Choices, Real
from bleu.core.conventions import resolve_settings
from bleu.core.display import DisplayMixin, short_repr
from bleu.core.progress import ProgressGenerator, run_to_end
from bleu.core.settings import Settings, document_choices, exact_fraction
from bleu.core.statistics import Statistics
from bleu.core.tokenizers import Text
from bleu.corpus.resampling import SegmentStatistics, bootstrap_scores, randomization_scores

SEED: Final = 12345
RESAMPLES: Final = 1_000
TRIALS: Final = 10_000
LEVEL: Final = 0.95
MIN_SEGMENTS: Final = 100
"""The number of segments below which resampling says little about other texts."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval of a corpus score in [0, 1], or of a difference of two in [-1, 1].

    - `score`: the score of the corpus itself.
    - `mean`: the mean score of the resamples.
    - `low`, `high`: the ends of the interval; the score need not be in the middle.
    """

    score: float
    mean: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half the width of the interval, which sacreBLEU prints after ±."""
        return (self.high - self.low) / 2


@dataclass(frozen=True, slots=True, repr=False)
class PairedTest(DisplayMixin):
    """A paired test of two systems on the same segments.

    - `baseline`, `system`: the corpus scores, in [0, 1].
    - `p_value`: in (0, 1], from `trials` resamples.
    - `intervals`: those of baseline and system, if the test is a bootstrap.
    - `difference_interval`: that of system minus baseline, from the same resamples.
    """

    baseline: float
    system: float
    p_value: float
    trials: int
    intervals: tuple[Interval, Interval] | None = None
    difference_interval: Interval | None = None

    @property
    def difference(self) -> float:
        """The system's score minus the baseline's, in [-1, 1]."""
        return self.system - self.baseline

    def __str__(self) -> str:
        """Return both scores and their difference on the 0–100 scale, and p."""
        return (
            f"BLEU {100 * self.baseline:.2f} and {100 * self.system:.2f}, difference "
            f"{100 * self.difference:+.2f}, p = {self.p_value:.2g} from {self.trials:,} trials"
        )


@document_choices
def confidence_interval(
    segments: SegmentStatistics | Sequence[Text],
    settings: Settings | None = None,
    *,
    references: Sequence[Sequence[Text]] | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: Real = LEVEL,
    **choices: Unpack[Choices],
) -> Interval:
    """Return the bootstrap confidence interval of a corpus score (Koehn 2004, section 3).

    `segments` are the statistics of each segment, counted with these settings, or the hypotheses if
    `references` are given as in `corpus_bleu`. Every resample draws as many segments as there are,
    with replacement. Of the sorted scores, a share of (1 - level)/2 is left out at each end,
    rounded down to whole scores.

    Raises ValueError if there are no segments, if resamples are not from 1 to 1,000,000, the level
    not in (0, 1) or the seed below 0, or if the smoothing depends on the last segment of a corpus;
    TypeError if an argument has another type.

    >>> from bleu import segment_statistics
    >>> texts = [("a b c", "a b c"), ("a b d", "a b c"), ("b c", "a b c")]
    >>> segments = [segment_statistics(text, [ref], max_order=2) for text, ref in texts]
    >>> interval = confidence_interval(segments, Settings(max_order=2))
    >>> [round(value, 2) for value in (interval.low, interval.score, interval.high)]
    [0.58, 0.74, 1.0]
    """
    settings = resolve_settings(choices, settings)
    segments = _segment_statistics(segments, references, settings)
    return run_to_end(
        iter_confidence_interval(segments, settings, resamples=resamples, seed=seed, level=level)
    )


def iter_confidence_interval(
    segments: SegmentStatistics,
    settings: Settings,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: Real = LEVEL,
) -> ProgressGenerator[Interval]:
    """Return the result of `confidence_interval`, yielding (done, total)."""
    exact_level = exact_fraction("level", level)
    if not 0 < exact_level < 1:
        raise ValueError(f"level is {short_repr(level)}; choose a number above 0 and below 1")
    (score,), rows = yield from bootstrap_scores([segments], settings, resamples, seed)
    return _interval(score, [resampled for (resampled,) in rows], exact_level)


@document_choices
def paired_bootstrap(
    baseline: SegmentStatistics | Sequence[Text],
    system: SegmentStatistics | Sequence[Text],
    settings: Settings | None = None,
    *,
    references: Sequence[Sequence[Text]] | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    **choices: Unpack[Choices],
) -> PairedTest:
    """Return the paired bootstrap test of two systems, two-sided (Koehn 2004, section 4).

    `baseline[i]` and `system[i]` are the statistics of the same segment, or its hypotheses if
    `references` are given as in `corpus_bleu`. Both systems are scored on the same resamples.
    p = (1 + k)/(1 + resamples), with k resamples whose |difference| minus the mean |difference| of
    all resamples exceeds the |difference| of the corpora. The intervals of both scores and of their
    difference are 95 % intervals, as those of `confidence_interval`.

    If the systems never differ, k is 0 and p the smallest possible value, as in sacreBLEU.

    Raises ValueError if the systems have different numbers of segments, and the exceptions of
    `confidence_interval`.

    >>> from bleu import segment_statistics
    >>> baseline, system = (
    ...     [segment_statistics(text, ["a b c"], max_order=2) for text in texts]
    ...     for texts in (["a b c", "a b c", "b c a"], ["a b c", "a b d", "b c"])
    ... )
    >>> paired_bootstrap(baseline, system, Settings(max_order=2)).p_value
    0.04795204795204795
    """
    settings = resolve_settings(choices, settings)
    baseline = _segment_statistics(baseline, references, settings)
    system = _segment_statistics(system, references, settings)
    return run_to_end(
        iter_paired_bootstrap(baseline, system, settings, resamples=resamples, seed=seed)
    )


def iter_paired_bootstrap(
    baseline: SegmentStatistics,
    system: SegmentStatistics,
    settings: Settings,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> ProgressGenerator[PairedTest]:
    """Return the result of `paired_bootstrap`, yielding (done, total)."""
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
    """Return the paired bootstrap tests of systems against the first, yielding (done, total).

    All systems are scored on the same resamples, so each result is that of `paired_bootstrap` with
    the first system and another.

    Raises ValueError if there are fewer than two systems, and the exceptions of
    `paired_bootstrap`.
    """
    if len(systems) < 2:
        raise ValueError(f"the number of systems is {len(systems)}; give 2 or more")
    scores, rows = yield from bootstrap_scores(systems, settings, resamples, seed)
    level = exact_fraction("level", LEVEL)
    resampled = list(zip(*rows, strict=True))
    intervals = [_interval(*pair, level) for pair in zip(scores, resampled, strict=True)]
    tests = []
    for index in range(1, len(systems)):
        difference = scores[index] - scores[0]
        differences = list(map(sub, resampled[index], resampled[0]))
        sizes = list(map(abs, differences))
        mean = math.fsum(sizes) / resamples
        p_value = _p_value([size - mean for size in sizes], abs(difference))
        pair = intervals[0], intervals[index]
        difference_interval = _interval(difference, differences, level)
        tests.append(
            PairedTest(scores[0], scores[index], p_value, resamples, pair, difference_interval)
        )
    return tuple(tests)


@document_choices
def approximate_randomization(
    baseline: SegmentStatistics | Sequence[Text],
    system: SegmentStatistics | Sequence[Text],
    settings: Settings | None = None,
    *,
    references: Sequence[Sequence[Text]] | None = None,
    trials: int = TRIALS,
    seed: int = SEED,
    **choices: Unpack[Choices],
) -> PairedTest:
    """Return the paired approximate randomization test, two-sided (Riezler and Maxwell 2005).

    `baseline`, `system` and `references` are those of `paired_bootstrap`. Every trial swaps the
    systems in about half of the segments. p = (1 + k)/(1 + trials), with k trials whose
    |difference| exceeds that of the corpora. If the systems never differ, p is the smallest
    possible value, as in `paired_bootstrap`.

    Raises the exceptions of `paired_bootstrap`.

    >>> baseline, system = ["a b c", "a b c", "b c a"], ["a b c", "a b d", "b c"]
    >>> references = [["a b c"]] * 3
    >>> test = approximate_randomization(baseline, system, references=references, max_order=2)
    >>> test.p_value
    9.999000099990002e-05
    """
    settings = resolve_settings(choices, settings)
    baseline = _segment_statistics(baseline, references, settings)
    system = _segment_statistics(system, references, settings)
    return run_to_end(
        iter_approximate_randomization(baseline, system, settings, trials=trials, seed=seed)
    )


def iter_approximate_randomization(
    baseline: SegmentStatistics,
    system: SegmentStatistics,
    settings: Settings,
    *,
    trials: int = TRIALS,
    seed: int = SEED,
) -> ProgressGenerator[PairedTest]:
    """Return the result of `approximate_randomization`, yielding (done, total)."""
    scores, swapped_scores = yield from randomization_scores(
        baseline, system, settings, trials, seed
    )
    differences = [abs(second - first) for first, second in swapped_scores]
    p_value = _p_value(differences, abs(scores[1] - scores[0]))
    return PairedTest(scores[0], scores[1], p_value, len(swapped_scores))


def caution_text(*systems: Sequence[Statistics], tested: bool = True) -> str | None:
    """Return a caution on resampling these systems' segments, or None if none is needed.

    `tested` is False if the systems have intervals only, without a paired test.

    >>> caution_text([Statistics((1,), (1,), 1, 1)] * 3)
    'With only 3 segments the interval says little; 100 or more would be better.'
    """
    first, *others = map(list, systems)
    if others and all(other == first for other in others):
        finding = "The systems have the same counts in every segment"
        if not tested:
            return f"{finding}."
        return f"{finding}, so there is no difference to test: the p-value means nothing here."
    if len(first) < MIN_SEGMENTS:
        noun = "segment" if len(first) == 1 else "segments"
        subject = "interval says"
        if others:
            subject = "test says" if tested else "intervals say"
        return (
            f"With only {len(first)} {noun} the {subject} little; {MIN_SEGMENTS} or more would be "
            "better."
        )
    return None


def _segment_statistics(
    segments: SegmentStatistics | Sequence[Text],
    references: Sequence[Sequence[Text]] | None,
    settings: Settings,
) -> SegmentStatistics:
    """Return `segments`, or the statistics of these hypotheses if references are given."""
    if references is None:
        return cast(SegmentStatistics, segments)
    return list(count_corpus(cast(Sequence[Text], segments), references, settings))


def _p_value(resampled: Sequence[float], observed: float) -> float:
    """Return (1 + k)/(1 + n) if k of n values exceed the observed value (Noreen 1989)."""
    return (1 + sum(value > observed for value in resampled)) / (1 + len(resampled))


def _interval(score: float, scores: Iterable[float], level: Fraction) -> Interval:
    ordered = sorted(scores)
    left_out = int(len(ordered) * (1 - level) / 2)
    mean = math.fsum(ordered) / len(ordered)
    return Interval(score, mean, ordered[left_out], ordered[-1 - left_out])
