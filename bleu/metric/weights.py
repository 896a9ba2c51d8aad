"""Exact weights of the orders, as integers over a common denominator.

A sentence is scored in about half the time that `Fraction` takes, because nothing is reduced to
lowest terms. Property tests compare the operations with those on plain fractions.
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

    `nonzero` are the weights above 0 as floats; `equal` is True if these are all the same and sum
    to exactly 1.
    """

    numerators: tuple[int, ...]
    denominator: int
    nonzero: tuple[float, ...]
    equal: bool

    @classmethod
    @lru_cache(maxsize=256)
    def from_numerators(cls, numerators: tuple[int, ...], denominator: int) -> Self:
        """Return weights from numerators over a denominator.

        >>> Weights.from_numerators((1, 1, 0), 2)
        Weights(numerators=(1, 1, 0), denominator=2, nonzero=(0.5, 0.5), equal=True)
        """
        nonzero = [numerator for numerator in numerators if numerator]
        equal = len(set(nonzero)) == 1 and sum(nonzero) == denominator
        return cls(numerators, denominator, tuple([n / denominator for n in nonzero]), equal)

    @classmethod
    def from_fractions(cls, weights: tuple[Fraction, ...]) -> Self:
        """Return weights over the least common denominator of the fractions.

        >>> Weights.from_fractions((Fraction(1, 4), Fraction(1, 3))).numerators
        (3, 4)
        """
        denominator = math.lcm(*(weight.denominator for weight in weights))
        numerators = tuple(int(weight * denominator) for weight in weights)
        return cls.from_numerators(numerators, denominator)

    @property
    def weights(self) -> tuple[Fraction, ...]:
        """The weights w_1 to w_N as exact fractions.

        >>> Weights.from_numerators((3, 4), 12).weights
        (Fraction(1, 4), Fraction(1, 3))
        """
        return tuple(Fraction(numerator, self.denominator) for numerator in self.numerators)

    def masked(self, mask: Sequence[object]) -> "Weights":
        """Return the weights with 0 for every order whose element of `mask` is false.

        >>> Weights.from_numerators((3, 1), 4).masked([True, False]).numerators
        (3, 0)
        """
        if all(mask):
            return self
        numerators = (n if keep else 0 for n, keep in zip(self.numerators, mask, strict=True))
        return Weights.from_numerators(tuple(numerators), self.denominator)

    def renormalized(self) -> "Weights":
        """Return the weights scaled to sum to exactly 1; one of them must be above 0.

        >>> Weights.from_numerators((3, 0), 4).renormalized().denominator
        3
        """
        total = sum(self.numerators)
        if total == self.denominator:
            return self
        return Weights.from_numerators(self.numerators, total)
