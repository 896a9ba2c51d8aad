"""Confidence and significance in words: when to doubt them, and what they say."""

from collections.abc import Sequence
from typing import Final

from bleu.core.statistics import Statistics

FEW: Final = 100
"""With fewer segments than this, a resampling says little about other texts."""


def caution_text(*systems: Sequence[Statistics], tested: bool = True) -> str | None:
    """What to beware of, given the segments of one system or several; None where all is well.

    `tested`: whether several were compared by a test, and not given intervals alone.

    >>> caution_text([Statistics((1,), (1,), 1, 1)] * 3)
    'With only 3 segments the interval says little; 100 or more would be better.'
    """
    first, *others = map(list, systems)
    if others and all(other == first for other in others):
        same = "The systems have the same counts in every segment"
        if not tested:
            return f"{same}."
        return f"{same}, so there is no difference to test: the p-value means nothing here."
    if len(first) < FEW:
        noun = "segment" if len(first) == 1 else "segments"
        what = "interval says"
        if others:
            what = "test says" if tested else "intervals say"
        return f"With only {len(first)} {noun} the {what} little; {FEW} or more would be better."
    return None


def p_value_meaning(p_value: float) -> str:
    """What a p-value says and what it does not.

    >>> p_value_meaning(0.011)[:60]
    'p = 0.011. If the systems differed by chance only, about 1.1'
    """
    percent = float(f"{p_value:.2g}") * 100
    return (
        f"p = {p_value:.2g}. If the systems differed by chance only, about {percent:.3g} % "
        "of test sets like this one would show a larger difference. It is not the probability "
        "that the systems are equally good, and it does not say that the difference matters."
    )


def multiple_tests_text(systems: int) -> str:
    """What the p-values of several systems say and do not, in one sentence or two.

    >>> multiple_tests_text(3)[:47]
    'each of the 3 p-values compares one system with'
    """
    return (
        f"each of the {systems} p-values compares one system with the baseline. If the two "
        "differed by chance only, a share of about p of test sets like this one would show a "
        "larger difference. The p-values are not corrected for multiple testing."
    )
