"""The effective reference length r, and the brevity penalty BP."""

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Final

Length = int | Fraction
"""A length in tokens; a fraction only if lengths are averaged."""


def closest(hypothesis_length: int, lengths: Sequence[int]) -> int:
    """Return the reference length closest to the hypothesis length; ties go to the shorter.

    The paper's "best match length" (2.2.2) with the tie rule of NLTK, sacreBLEU and mteval.

    >>> closest(6, [5, 7, 12])
    5
    """
    return min(lengths, key=lambda length: (abs(length - hypothesis_length), length))


def closest_first(hypothesis_length: int, lengths: Sequence[int]) -> int:
    """Return the reference length closest to the hypothesis length; ties go to the first listed.

    So the order of the references matters, as in torchmetrics, torchtext and the R package.

    >>> closest_first(6, [7, 5, 12])
    7
    """
    return min(lengths, key=lambda length: abs(length - hypothesis_length))


def shortest(hypothesis_length: int, lengths: Sequence[int]) -> int:  # noqa: ARG001
    """Return the length of the shortest reference.

    >>> shortest(6, [5, 7, 12])
    5
    """
    return min(lengths)


def average(hypothesis_length: int, lengths: Sequence[int]) -> Length:  # noqa: ARG001
    """Return the exact mean length of the references.

    >>> average(6, [5, 7, 12]), average(6, [5, 6])
    (8, Fraction(11, 2))
    """
    mean = Fraction(sum(lengths), len(lengths))
    return mean.numerator if mean.denominator == 1 else mean


REFERENCE_LENGTHS: Final[Mapping[str, Callable[[int, Sequence[int]], Length]]] = {
    "closest": closest,
    "shortest": shortest,
    "average": average,
    "closest-first": closest_first,
}
"""Rules for the effective reference length of a segment, in menu order."""

PADDINGS: Final[Mapping[str, tuple[Fraction, Fraction]]] = {
    "coco": (Fraction(1, 10**15), Fraction(1, 10**9)),
    "one": (Fraction(1), Fraction(1)),
}
"""The numbers that coco-caption and CodeXGLUE add to the lengths c and r against division by 0."""


def brevity_penalty(
    hypothesis_length: int, reference_length: Length, padding: str = "none"
) -> float:
    """Return BP in [0, 1]: 1 if c >= r, else exp(1 - r/c) (Papineni 2002, 2.3).

    `padding` is a choice of `Settings.length_padding`. Without it, an empty hypothesis has BP 0,
    the limit for c -> 0; if the reference is empty, too, c = r and BP is 1.

    >>> brevity_penalty(7, 6), brevity_penalty(6, 6), brevity_penalty(0, 6)
    (1.0, 1.0, 0.0)
    >>> brevity_penalty(5, 6)
    0.8187307530779818
    """
    if padding != "none":
        c, r = hypothesis_length + PADDINGS[padding][0], reference_length + PADDINGS[padding][1]
        return math.exp((c - r) / c) if c < r else 1.0
    if hypothesis_length >= reference_length:
        return 1.0
    if hypothesis_length == 0:
        return 0.0
    return math.exp((hypothesis_length - reference_length) / hypothesis_length)
