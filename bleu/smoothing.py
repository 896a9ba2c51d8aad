"""What becomes of an order without a match: Chen and Cherry 2014, on counts alone.

A smoothing turns the counted (matched, total) of every order into the pair whose quotient is
p_n. It never changes what was counted, and it is not asked when nothing matched at all.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

Pair = tuple[Fraction, Fraction]
"""Smoothed (matched, total) of one order; a total of 0 is an order the text is too short for."""


def none(matched: Sequence[int], total: Sequence[int], value: Fraction) -> list[Pair]:  # noqa: ARG001
    """No smoothing: an order without a match has p_n = 0, and so the score is 0.

    >>> none([2, 0], [3, 2], Fraction(0))
    [(Fraction(2, 1), Fraction(3, 1)), (Fraction(0, 1), Fraction(2, 1))]
    """
    return [(Fraction(m), Fraction(t)) for m, t in zip(matched, total, strict=True)]


def floor(matched: Sequence[int], total: Sequence[int], value: Fraction) -> list[Pair]:
    """An order without a match counts as value matches: p_n = ε/total, and ε if total is 0.

    Chen and Cherry's smoothing 1, NLTK's method 1.

    >>> floor([2, 0], [3, 2], Fraction(1, 10))
    [(Fraction(2, 1), Fraction(3, 1)), (Fraction(1, 10), Fraction(2, 1))]
    """
    return [(Fraction(m) or value, Fraction(t)) for m, t in zip(matched, total, strict=True)]


def add_k(matched: Sequence[int], total: Sequence[int], value: Fraction) -> list[Pair]:
    """From the second order on, value is added to matches and total: (m + k)/(t + k).

    Chen and Cherry's smoothing 2 with k = 1 (Lin and Och 2004); sacreBLEU's `add-k`.

    >>> add_k([2, 0], [3, 2], Fraction(1))
    [(Fraction(2, 1), Fraction(3, 1)), (Fraction(1, 1), Fraction(3, 1))]
    """
    return [
        (m + (value if n else Fraction(0)), t + (value if n else Fraction(0)))
        for n, (m, t) in enumerate(zip(matched, total, strict=True))
    ]


def exp(matched: Sequence[int], total: Sequence[int], value: Fraction) -> list[Pair]:  # noqa: ARG001
    """The first order without a match counts as 1/2 match, the second as 1/4, and so on.

    Chen and Cherry's smoothing 3, from NIST's mteval; sacreBLEU's default `exp`. An order the
    text is too short for stays at 0.

    >>> exp([2, 0, 0], [3, 2, 1], Fraction(0))[1:]
    [(Fraction(1, 2), Fraction(2, 1)), (Fraction(1, 4), Fraction(1, 1))]
    """
    pairs, credit = [], Fraction(1)
    for m, t in zip(matched, total, strict=True):
        if m == 0 and t > 0:
            credit /= 2
            pairs.append((credit, Fraction(t)))
        else:
            pairs.append((Fraction(m), Fraction(t)))
    return pairs


@dataclass(frozen=True, slots=True)
class Smoothing:
    """A smoothing: its function, and the symbol, default and range of its value, if it has one."""

    apply: Callable[[Sequence[int], Sequence[int], Fraction], list[Pair]]
    symbol: str = ""
    default: Fraction = Fraction(0)
    maximum: int | None = None

    @property
    def takes_value(self) -> bool:
        """Whether the smoothing has a value to choose."""
        return bool(self.symbol)


SMOOTHINGS: Final[Mapping[str, Smoothing]] = {
    "none": Smoothing(none),
    "floor": Smoothing(floor, "ε", Fraction(1, 10), 1),
    "add-k": Smoothing(add_k, "k", Fraction(1)),
    "exp": Smoothing(exp),
}
"""Smoothings by name, in menu order."""
