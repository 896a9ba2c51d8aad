"""The weights of the orders, exact, in whole numbers over a common denominator.

This buys a score of a sentence in about half the time that `Fraction` takes, which brings every
number to its lowest terms. The definition is `weights`, the same as fractions: property tests hold
what is left out and scaled here to the plain sums of fractions.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Self


@dataclass(frozen=True, slots=True)
class Shares:
    """Weights over a common denominator: w_n is `parts[n - 1] / whole`.

    `used` are those above 0 as floats; `equal` says that these are the same and sum to exactly 1.
    """

    parts: tuple[int, ...]
    whole: int
    used: tuple[float, ...]
    equal: bool

    @classmethod
    @lru_cache(maxsize=256)
    def over(cls, whole: int, parts: tuple[int, ...]) -> Self:
        """The weights that are so many parts of a whole.

        >>> Shares.over(2, (1, 1, 0))
        Shares(parts=(1, 1, 0), whole=2, used=(0.5, 0.5), equal=True)
        """
        above = [part for part in parts if part]
        equal = len(set(above)) == 1 and sum(above) == whole
        return cls(parts, whole, tuple([part / whole for part in above]), equal)

    @classmethod
    def of(cls, weights: tuple[Fraction, ...]) -> Self:
        """Weights as shares of their least common denominator.

        >>> Shares.of((Fraction(1, 4), Fraction(1, 3))).parts
        (3, 4)
        """
        whole = math.lcm(*(weight.denominator for weight in weights))
        return cls.over(whole, tuple(int(weight * whole) for weight in weights))

    @property
    def weights(self) -> tuple[Fraction, ...]:
        """w_1 to w_N as exact fractions.

        >>> Shares.over(12, (3, 4)).weights
        (Fraction(1, 4), Fraction(1, 3))
        """
        return tuple(Fraction(part, self.whole) for part in self.parts)

    def only(self, kept: Sequence[object]) -> "Shares":
        """The same weights, and 0 for every order for which `kept` is false.

        >>> Shares.over(4, (3, 1)).only([True, False]).parts
        (3, 0)
        """
        if all(kept):
            return self
        parts = (part if keep else 0 for part, keep in zip(self.parts, kept, strict=True))
        return Shares.over(self.whole, tuple(parts))

    def scaled(self) -> "Shares":
        """The same proportions, summing to exactly 1; there must be a weight above 0.

        >>> Shares.over(4, (3, 0)).scaled().whole
        3
        """
        whole = sum(self.parts)
        return self if whole == self.whole else Shares.over(whole, self.parts)
