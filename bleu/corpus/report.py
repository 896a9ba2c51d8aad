"""The report on a corpus under one or more systems, and the scores of its groups, as data."""

import math
from collections.abc import Generator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from bleu.core.progress import Progress, ProgressGenerator, track
from bleu.core.score import Score
from bleu.core.settings import Settings
from bleu.core.statistics import Statistics
from bleu.corpus.corpus import score_segment
from bleu.corpus.resampling import SegmentStatistics
from bleu.corpus.significance import (
    RESAMPLES,
    SEED,
    TRIALS,
    Interval,
    PairedTest,
    iter_approximate_randomization,
    iter_confidence_interval,
    iter_paired_bootstraps,
)

INTERVAL: Final = "confidence interval"
"""The name of the resampling of a single system."""
BOOTSTRAP: Final = "paired bootstrap"
"""The name of the test that draws segments with replacement."""
RANDOMIZATION: Final = "paired approximate randomization"
"""The name of the test that swaps segments between systems."""
SCHEMA: Final = 3
"""The version of the JSON format, raised whenever a name or a meaning changes."""


@dataclass(frozen=True, slots=True)
class Group:
    """A group of segments: its name, their number, and its score under each system.

    The scores are in [0, 1], or None if the settings give the group no score.
    """

    name: str
    segments: int
    scores: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Grouping:
    """The groups of a corpus in order of first occurrence, from a `column` such as `domain`."""

    column: str
    groups: tuple[Group, ...]

    @property
    def macro_averages(self) -> tuple[float | None, ...]:
        """The mean score of the groups under each system, or None if a group has no score.

        It is not BLEU of the corpus: each group counts as a unit, whatever its size.
        """
        return tuple(
            None if None in scores else math.fsum(filter(None, scores)) / len(scores)
            for scores in zip(*(group.scores for group in self.groups), strict=True)
        )


def iter_grouping(
    column: str, names: Sequence[str], segments: Sequence[SegmentStatistics], settings: Settings
) -> ProgressGenerator[Grouping]:
    """Return the groups of a corpus, each scored by the sum of its segments.

    `names[i]` is the group of segment i, and `segments` has the statistics of each system's
    segments. Yields (segments done, all segments) after each.
    """
    members: dict[str, list[tuple[Statistics, ...]]] = {}
    rows = zip(*segments, strict=True)
    for number, (name, row) in enumerate(zip(names, rows, strict=True), 1):
        members.setdefault(name, []).append(row)
        yield number, len(names)
    groups = []
    for name, group_rows in members.items():
        totals = (
            Statistics.sum(parts, settings.max_order) for parts in zip(*group_rows, strict=True)
        )
        scores = tuple(score_segment(total, settings)[0] for total in totals)
        groups.append(Group(name, len(group_rows), scores))
    return Grouping(column, tuple(groups))


@dataclass(frozen=True, slots=True)
class Comparison:
    """A system compared with the baseline; fields that were not computed are None.

    - `difference`: its score minus the baseline's, in [-1, 1].
    - `interval`: the interval of the difference.
    - `p_value`: that of a paired test, in (0, 1].
    """

    difference: float
    interval: Interval | None = None
    p_value: float | None = None


@dataclass(frozen=True, slots=True)
class System:
    """A system on a corpus: its name, its score, and optional results.

    - `segments`: the score of each segment alone, in [0, 1], or None if it has no score.
    - `comparison`: None for the baseline, and for a single system.
    """

    name: str
    score: Score
    interval: Interval | None = None
    segments: tuple[float | None, ...] | None = None
    comparison: Comparison | None = None


@dataclass(frozen=True, slots=True)
class TestReport:
    """A paired test: its name, its seed, and its result for each system but the first."""

    name: str
    seed: int
    results: tuple[PairedTest, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """The scores of one or more systems on a corpus; the first of several is the baseline.

    `agreement_metric` is the metric of `human_agreement` for these scores, or "".
    `groupings` are the scores by document, domain or language. `repairs` are the faults that were
    undone before scoring, by name. `caution` is a warning about the test and intervals.
    """

    signature: str
    segments: int
    systems: Sequence[System]
    test: TestReport | None = None
    caution: str | None = None
    agreement_metric: str = ""
    groupings: tuple[Grouping, ...] = ()
    repairs: tuple[str, ...] = ()


def iter_comparison(
    names: Sequence[str],
    scores: Sequence[Score],
    segments: Sequence[SegmentStatistics],
    settings: Settings,
    *,
    test: str = "",
    intervals: bool = True,
    resamples: int | None = None,
    seed: int = SEED,
) -> Generator[Progress, None, tuple[list[System], TestReport | None]]:
    """Return systems compared with the first, which is the baseline, and their paired test.

    `segments` are the statistics of each system's segments, which only intervals and tests need.
    `test` is BOOTSTRAP, RANDOMIZATION or "". If `intervals` is False, only a bootstrap test has
    intervals. If `resamples` is None, there are RESAMPLES, or TRIALS of a randomization. Yields
    the progress after each resample; its task names the resampling.

    Raises the exceptions of `confidence_interval` and `paired_bootstrap`.
    """
    system_intervals: list[Interval | None] = [None] * len(names)
    bootstraps: tuple[PairedTest, ...] = ()
    tests: tuple[PairedTest, ...] = ()
    if intervals or test == BOOTSTRAP:
        count = resamples or RESAMPLES
        if len(names) == 1:
            single = iter_confidence_interval(segments[0], settings, resamples=count, seed=seed)
            system_intervals = [(yield from track(INTERVAL, single))]
        else:
            paired = iter_paired_bootstraps(segments, settings, resamples=count, seed=seed)
            bootstraps = yield from track(BOOTSTRAP, paired)
            pairs = [result.intervals for result in bootstraps if result.intervals]
            system_intervals = [pairs[0][0], *(interval for _, interval in pairs)]
    if test == BOOTSTRAP:
        tests = bootstraps
    elif test == RANDOMIZATION:
        for name, system_segments in zip(names[1:], segments[1:], strict=True):
            task, name = (test, "") if len(names) == 2 else (f"{test} of", name)
            trials = iter_approximate_randomization(
                segments[0], system_segments, settings, trials=resamples or TRIALS, seed=seed
            )
            tests += ((yield from track(task, trials, name)),)
    comparisons: list[Comparison | None] = [None]
    for index, score in enumerate(scores[1:]):
        interval = bootstraps[index].difference_interval if bootstraps else None
        p_value = tests[index].p_value if tests else None
        comparisons.append(Comparison(score.value - scores[0].value, interval, p_value))
    systems = [
        System(name, score, interval, comparison=comparison)
        for name, score, interval, comparison in zip(
            names, scores, system_intervals, comparisons, strict=True
        )
    ]
    return systems, TestReport(test, seed, tests) if tests else None


def as_json(report: Report, convention: str) -> dict[str, Any]:
    """Return the report as JSON data, with the name of the convention of its settings.

    Scores and `precisions` are in [0, 1]; `precision_fractions` are the exact precisions as
    strings. Values that were not computed are null. The first system is the baseline. The p-value
    of each system is in its `comparison`, and that of a single test also in `test`. Each of
    `groupings` has a column, its groups with a score for each system, and the macro averages.
    """
    test = report.test
    single = test.results[0] if test and len(test.results) == 1 else None
    return {
        "version": SCHEMA,
        "convention": convention,
        "scale": 1,
        "signature": report.signature,
        "segments": report.segments,
        "systems": list(map(_system, report.systems)),
        "test": test
        and {
            "name": test.name,
            "p_value": single and single.p_value,
            "difference": single and single.difference,
            "trials": test.results[0].trials,
            "seed": test.seed,
        },
        "caution": report.caution,
        "groupings": [
            {
                "column": grouping.column,
                "groups": [asdict(group) for group in grouping.groups],
                "macro_averages": list(grouping.macro_averages),
            }
            for grouping in report.groupings
        ],
        "repairs": list(report.repairs),
    }


def _system(system: System) -> dict[str, Any]:
    score, comparison = system.score, system.comparison
    numbers = score.to_dict()
    names = ("matched", "total", "hypothesis_length", "reference_length")
    return {
        "name": system.name,
        "score": score.value,
        "brevity_penalty": score.brevity_penalty,
        "precisions": numbers["precisions"],
        "precision_fractions": [
            f"{numerator}/{denominator}" if denominator > 1 else str(numerator)
            for numerator, denominator in score.fractions
        ],
        **{name: numbers[name] for name in names},
        "interval": _interval(system.interval),
        "comparison": comparison
        and {
            "difference": comparison.difference,
            "interval": _interval(comparison.interval),
            "p_value": comparison.p_value,
        },
        "segments": system.segments and list(system.segments),
    }


def _interval(interval: Interval | None) -> dict[str, float] | None:
    if interval is None:
        return None
    return {name: getattr(interval, name) for name in ("low", "high", "mean", "half_width")}
