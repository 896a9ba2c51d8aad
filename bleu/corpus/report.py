"""What is reported of one corpus under one system or several, as data."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from bleu.core.brevity_penalty import Length
from bleu.core.score import Score
from bleu.corpus.significance import Interval, PairedTest


@dataclass(frozen=True, slots=True)
class Comparison:
    """A system beside the baseline: what was asked for, or None.

    - `difference`: its score less the baseline's, in [-1, 1], and the `interval` of that.
    - `p_value`: in (0, 1], of a paired test.
    """

    difference: float
    interval: Interval | None = None
    p_value: float | None = None


@dataclass(frozen=True, slots=True)
class System:
    """A system's name, its corpus score, and what else was asked for.

    `segments` are the scores of its segments, each by itself, in [0, 1], or None where there is
    none; `comparison` is None for the baseline, and where there is no other system.
    """

    name: str
    score: Score
    interval: Interval | None = None
    segments: tuple[float | None, ...] | None = None
    comparison: Comparison | None = None


@dataclass(frozen=True, slots=True)
class TestReport:
    """A paired test: what it is called, its seed, and the result of each system but the first."""

    name: str
    seed: int
    results: tuple[PairedTest, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """One system or several on one corpus; of several, the first is the baseline."""

    signature: str
    segments: int
    systems: Sequence[System]
    test: TestReport | None = None
    caution: str | None = None


def compare_systems(
    names: Sequence[str],
    scores: Sequence[Score],
    *,
    interval: Interval | None = None,
    bootstraps: Sequence[PairedTest] = (),
    tests: Sequence[PairedTest] = (),
    segments: Sequence[tuple[float | None, ...] | None] = (),
) -> list[System]:
    """The systems with all that was computed of them; the first is the baseline.

    `interval` is that of a single system. `bootstraps` have the intervals of several, and `tests`
    their p-values, one for each system but the first. `segments` has the scores of each system's.

    >>> from bleu import corpus_bleu
    >>> scores = [corpus_bleu([text], [["a b c d"]]) for text in ("a b c e", "a b c d")]
    >>> [system.comparison for system in compare_systems(["A", "B"], scores)]
    [None, Comparison(difference=1.0, interval=None, p_value=None)]
    """
    first = scores[0].value
    systems = []
    for place, (name, score) in enumerate(zip(names, scores, strict=True)):
        own, comparison = interval, None
        if bootstraps:
            theirs, ours = bootstraps[max(place - 1, 0)].intervals or (None, None)
            own = ours if place else theirs
        if place:
            comparison = Comparison(
                score.value - first,
                bootstraps[place - 1].difference_interval if bootstraps else None,
                tests[place - 1].p_value if tests else None,
            )
        scored = segments[place] if segments else None
        systems.append(System(name, score, own, scored, comparison))
    return systems


SCHEMA: Final = 2
"""The version of the JSON: raised whenever a name or a meaning changes."""


def as_json(report: Report, convention: str) -> dict[str, Any]:
    """The report in what JSON has, with the name of the convention whose settings these are.

    Scores and `precisions` are in [0, 1]; `precision_fractions` are the same, exact, as strings.
    What was not asked for is null. The first system is the baseline of the others. A test of
    several systems has its p-values with them, and that of two has it in `test` as well.
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
    }


def _system(system: System) -> dict[str, Any]:
    score, comparison = system.score, system.comparison
    return {
        "name": system.name,
        "score": score.value,
        "brevity_penalty": score.brevity_penalty,
        "precisions": [float(p) for p in score.precisions],
        "precision_fractions": [
            f"{above}/{below}" if below > 1 else str(above) for above, below in score.fractions
        ],
        "matched": list(score.matched),
        "total": list(score.total),
        "hypothesis_length": score.hypothesis_length,
        "reference_length": _number(score.reference_length),
        "interval": _interval(system.interval),
        "comparison": comparison
        and {
            "difference": comparison.difference,
            "interval": _interval(comparison.interval),
            "p_value": comparison.p_value,
        },
        "segments": system.segments and list(system.segments),
    }


def _number(length: Length) -> int | float:
    return int(length) if length.denominator == 1 else float(length)


def _interval(interval: Interval | None) -> dict[str, float] | None:
    if interval is None:
        return None
    return {
        "low": interval.low,
        "high": interval.high,
        "mean": interval.mean,
        "half_width": interval.half_width,
    }
