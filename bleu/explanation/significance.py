"""The meaning of intervals and p-values, and cautions on them."""

from collections.abc import Sequence
from typing import Final

from bleu.core.statistics import Statistics

MIN_SEGMENTS: Final = 100
"""The number of segments below which resampling says little about other texts."""


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


def p_value_meaning(p_value: float) -> str:
    """Return the meaning of a p-value, and a common misreading."""
    percent = float(f"{p_value:.2g}") * 100
    return (
        f"If the systems differed by chance only, about {percent:.3g} % "
        "of test sets like this one would show a larger difference. It is not the probability "
        "that the systems are equally good, and it does not say that the difference matters."
    )


def multiple_tests_text(count: int) -> str:
    """Return the meaning of several p-values, which are not corrected for multiple testing."""
    return (
        f"Each of the {count} p-values compares one system with the baseline. If the two "
        "differed by chance only, a share of about p of test sets like this one would show a "
        "larger difference. The p-values are not corrected for multiple testing."
    )
