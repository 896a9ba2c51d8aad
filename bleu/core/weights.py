"""The weights of the orders, exact, in denominator numbers over a common denominator.

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
class Weights:
    """Weights over a common denominator: w_n is `numerators[n - 1] / denominator`.

    `nonzero` are those above 0 as floats; `equal` says that these are the same and sum to exactly
    1.
    """

    numerators: tuple[int, ...]
    denominator: int
    nonzero: tuple[float, ...]
    equal: bool

    @classmethod
    @lru_cache(maxsize=256)
    def from_numerators(cls, denominator: int, numerators: tuple[int, ...]) -> Self:
        """The weights that are so many numerators of a denominator.

        >>> Weights.from_numerators(2, (1, 1, 0))
        Weights(numerators=(1, 1, 0), denominator=2, nonzero=(0.5, 0.5), equal=True)
        """
        above = [part for part in numerators if part]
        equal = len(set(above)) == 1 and sum(above) == denominator
        return cls(numerators, denominator, tuple([part / denominator for part in above]), equal)

    @classmethod
    def from_fractions(cls, weights: tuple[Fraction, ...]) -> Self:
        """Weights as numerators over their least common denominator.

        >>> Weights.from_fractions((Fraction(1, 4), Fraction(1, 3))).numerators
        (3, 4)
        """
        denominator = math.lcm(*(weight.denominator for weight in weights))
        return cls.from_numerators(
            denominator, tuple(int(weight * denominator) for weight in weights)
        )

    @property
    def weights(self) -> tuple[Fraction, ...]:
        """w_1 to w_N as exact fractions.

        >>> Weights.from_numerators(12, (3, 4)).weights
        (Fraction(1, 4), Fraction(1, 3))
        """
        return tuple(Fraction(part, self.denominator) for part in self.numerators)

    def masked(self, kept: Sequence[object]) -> "Weights":
        """The same weights, and 0 for every order for which `kept` is false.

        >>> Weights.from_numerators(4, (3, 1)).masked([True, False]).numerators
        (3, 0)
        """
        if all(kept):
            return self
        numerators = (part if keep else 0 for part, keep in zip(self.numerators, kept, strict=True))
        return Weights.from_numerators(self.denominator, tuple(numerators))

    def renormalized(self) -> "Weights":
        """The same proportions, summing to exactly 1; there must be a weight above 0.

        >>> Weights.from_numerators(4, (3, 0)).renormalized().denominator
        3
        """
        denominator = sum(self.numerators)
        return (
            self
            if denominator == self.denominator
            else Weights.from_numerators(denominator, self.numerators)
        )
