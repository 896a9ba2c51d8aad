"""What is reported of one corpus under one or two systems, as data."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bleu.core.score import Score
from bleu.corpus.significance import Interval, PairedTest


@dataclass(frozen=True, slots=True)
class System:
    """A system's name, its corpus score, and what else was asked for.

    `segments` are the scores of its segments, each by itself, in [0, 1].
    """

    name: str
    score: Score
    interval: Interval | None = None
    segments: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True)
class Significance:
    """A paired test: what it is called, its seed, and its result."""

    name: str
    seed: int
    result: PairedTest


@dataclass(frozen=True, slots=True)
class Report:
    """One or two systems on one corpus; of two, the first is the baseline."""

    signature: str
    segments: int
    systems: Sequence[System]
    test: Significance | None = None
    caution: str | None = None


def as_json(report: Report) -> dict[str, Any]:
    """The report in what JSON has: scores in [0, 1], precisions and lengths as strings.

    What was not asked for is null.
    """
    test = report.test
    return {
        "version": 1,
        "signature": report.signature,
        "segments": report.segments,
        "systems": list(map(_system, report.systems)),
        "test": test
        and {
            "name": test.name,
            "p_value": test.result.p_value,
            "difference": test.result.difference,
            "trials": test.result.trials,
            "seed": test.seed,
        },
        "caution": report.caution,
    }


def _system(system: System) -> dict[str, Any]:
    score, interval = system.score, system.interval
    return {
        "name": system.name,
        "score": score.value,
        "brevity_penalty": score.brevity_penalty,
        "precisions": [
            f"{above}/{below}" if below > 1 else str(above) for above, below in score.fractions
        ],
        "matched": list(score.matched),
        "total": list(score.total),
        "hypothesis_length": score.hypothesis_length,
        "reference_length": str(score.reference_length),
        "interval": interval
        and {
            "low": interval.low,
            "high": interval.high,
            "mean": interval.mean,
            "half_width": interval.half_width,
        },
        "segments": system.segments and list(system.segments),
    }
