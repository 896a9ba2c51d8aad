"""The weights of the orders, exact, in whole numbers."""

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Self

from bleu.record import record


@record
class Shares:
    """Weights over a common denominator: w_n is `parts[n - 1] / whole`."""

    parts: tuple[int, ...]
    whole: int

    @classmethod
    def of(cls, weights: tuple[Fraction, ...]) -> Self:
        """Weights as shares of their least common denominator.

        >>> Shares.of((Fraction(1, 4), Fraction(1, 3)))
        Shares(parts=(3, 4), whole=12)
        """
        whole = math.lcm(*(weight.denominator for weight in weights))
        return cls(tuple(int(weight * whole) for weight in weights), whole)

    @property
    def weights(self) -> tuple[Fraction, ...]:
        """w_1 to w_N as exact fractions.

        >>> Shares((3, 4), 12).weights
        (Fraction(1, 4), Fraction(1, 3))
        """
        return tuple(Fraction(part, self.whole) for part in self.parts)

    @property
    def used(self) -> tuple[tuple[float, ...], bool]:
        """The weights above 0, and whether they are the same and sum to exactly 1.

        >>> Shares((1, 1, 0), 2).used, Shares((1, 1, 0), 4).used
        (((0.5, 0.5), True), ((0.25, 0.25), False))
        """
        return _used(self.parts, self.whole)

    def only(self, kept: Sequence[object]) -> "Shares":
        """The same weights, and 0 for every order for which `kept` is false.

        >>> Shares((3, 1), 4).only([True, False])
        Shares(parts=(3, 0), whole=4)
        """
        if all(kept):
            return self
        parts = (part if keep else 0 for part, keep in zip(self.parts, kept, strict=True))
        return Shares(tuple(parts), self.whole)

    def scaled(self) -> "Shares":
        """The same proportions, summing to exactly 1; there must be a weight above 0.

        >>> Shares((3, 0), 4).scaled()
        Shares(parts=(3, 0), whole=3)
        """
        whole = sum(self.parts)
        return self if whole == self.whole else Shares(self.parts, whole)


@lru_cache(maxsize=256)
def _used(parts: tuple[int, ...], whole: int) -> tuple[tuple[float, ...], bool]:
    above = [part for part in parts if part]
    return tuple([part / whole for part in above]), len(set(above)) == 1 and sum(above) == whole
