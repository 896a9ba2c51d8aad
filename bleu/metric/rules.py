"""The rules in which implementations differ besides smoothing, and the error of a setting.

Each rule is a stage of `Method`, or what a stage is made of.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, Literal

from bleu.metric.algebra import Quantity
from bleu.metric.method import brevity_penalty, closest
from bleu.metric.numerics import Weights


class SettingError(ValueError):
    """A setting that cannot be used, or not with the other settings and these texts.

    - `setting`: the name of the setting to change.
    - `problem`: its value and what is wrong with it; `remedy`: what to do instead.

    >>> error = SettingError("max_order", "max_order is 0", "choose a whole number from 1 to 9")
    >>> error.setting, str(error)
    ('max_order', 'max_order is 0; choose a whole number from 1 to 9')
    """

    __module__ = "bleu"  # Its public name.

    def __init__(self, setting: str, problem: str, remedy: str) -> None:
        super().__init__(setting, problem, remedy)  # All of it, so that it can be pickled.
        self.setting, self.problem, self.remedy = setting, problem, remedy

    def __str__(self) -> str:
        """Return the problem and the remedy."""
        return f"{self.problem}; {self.remedy}"


def problem_of(error: ValueError) -> str:
    """Return what is wrong, without the remedy if the error is that of a setting.

    >>> problem_of(SettingError("max_order", "N is 0", "choose 1")), problem_of(ValueError("x"))
    ('N is 0', 'x')
    """
    return error.problem if isinstance(error, SettingError) else str(error)


Length = int | Fraction
"""A length in tokens; a fraction only if lengths are averaged."""


def average(c: int, lengths: Sequence[int]) -> Length:
    """Return the exact mean length of the references.

    >>> average(6, [5, 7, 12]), average(6, [5, 6])
    (8, Fraction(11, 2))
    """
    mean = Fraction(sum(lengths), len(lengths))
    return mean.numerator if mean.denominator == 1 else mean


ReferenceLengthName = Literal["closest", "shortest", "average", "closest-first"]


def single_length(c: int, lengths: Sequence[int]) -> Length:
    """Return the length of the only reference.

    Raises SettingError for several references, which some implementations do not take.
    """
    if len(lengths) > 1:
        raise SettingError(
            "several_references",
            "the implementation that these settings follow takes one reference, and there are "
            f"{len(lengths)}",
            "give one of them, or choose another convention",
        )
    return lengths[0]


REFERENCE_LENGTHS: Final[Mapping[ReferenceLengthName, Callable[[int, Sequence[int]], Length]]] = {
    "closest": closest,
    "shortest": lambda c, lengths: min(lengths),
    "average": average,
    "closest-first": lambda c, lengths: min(lengths, key=lambda r: abs(r - c)),
}
"""The effective reference length of a segment given c, in menu order.

Of two equally close lengths, `closest` takes the shorter, and `closest-first` the first listed: so
the order of the references matters, as in torchmetrics, torchtext and the R package.

>>> [rule(6, [7, 5, 12]) for rule in REFERENCE_LENGTHS.values()]
[5, 5, 8, 7]
"""


PENALTIES: Final[Mapping[str, Callable[[Quantity, Quantity], Quantity]]] = {
    "none": brevity_penalty,
    "coco": lambda c, r: brevity_penalty(c + Fraction(1, 10**15), r + Fraction(1, 10**9)),
    "one": lambda c, r: brevity_penalty(c + 1, r + 1),
}
"""The brevity penalty, by what coco-caption and CodeXGLUE add to the lengths c and r."""


@lru_cache(maxsize=1 << 14)
def penalty_of_lengths(c: int, r: Length, padding: str = "none") -> float:
    """Return BP in [0, 1]; memoized, because exact fractions are slow and few lengths occur.

    >>> penalty_of_lengths(7, 6), penalty_of_lengths(6, 6), penalty_of_lengths(0, 6)
    (1.0, 1.0, 0.0)
    >>> penalty_of_lengths(5, 6)
    0.8187307530779818
    """
    return float(PENALTIES[padding](c, r))


TOO_SHORT: Final[Mapping[str, Callable[[Quantity, Quantity], Quantity]]] = {
    "smoothed": lambda matched, c: matched,
    "zero": lambda matched, c: 0,
    "one": lambda matched, c: 1 if c else 0,  # mteval
    "zero-of-one": lambda matched, c: matched,
}
"""The precision of an order that the whole text is too short for, given its smoothed matches."""


def has_segments(counts: Any) -> bool:
    """Return whether counts are those of at least one segment."""
    return bool(counts.counting or counts.hypothesis_length or counts.reference_length)


def has_every_match(counts: Any) -> bool:
    """Return whether every order has a match."""
    return all(counts.matched) and has_segments(counts)


IS_SMOOTHED: Final[Mapping[str, Callable[[Any], bool]]] = {
    "zero": lambda counts: any(counts.matched),
    "smoothed": has_segments,
    "zero-if-any-order-empty": has_every_match,
}
"""Whether orders without a match are smoothed."""


def unless_every_match(counts: Any, precisions: Sequence[Quantity], weights: Weights) -> bool:
    """Return whether an order has no match that has no weight either: torchmetrics gives 0."""
    used = zip(precisions, weights.numerators, strict=True)
    return not has_every_match(counts) and all(p for p, weight in used if weight)


IS_ZERO: Final[Mapping[str, Callable[[Any, Sequence[Quantity], Weights], bool]]] = {
    "zero": lambda counts, precisions, weights: False,
    "smoothed": lambda counts, precisions, weights: False,
    "zero-if-any-order-empty": unless_every_match,
}
"""Whether the score is 0 although no precision that counts is 0."""


def empty_side(counts: Any) -> str:
    """Return which side is empty, reference or hypothesis, or "" if none is."""
    if not counts.reference_length:
        return "reference"
    return "" if counts.hypothesis_length else "hypothesis"


REFUSED_SIDE: Final[Mapping[str, Callable[[Any], str]]] = {
    "scored": lambda counts: "",
    "mteval-v13a": empty_side,
    "huggingface-evaluate": empty_side,
    "multi-bleu": lambda counts: empty_side(counts) if counts.reference_length else "",
}
"""The empty side on which an implementation fails, hypothesis or reference, or ""."""
