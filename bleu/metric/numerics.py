"""Logarithms, powers and notation of exact numbers, without underflow, and exact weights.

The score and the displayed formulas share these functions, so every displayed formula evaluates to
the score bit for bit.
"""

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final, Self

_TINY: Final = 2.0**-1000
_ASCII: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {
    ord("٪"): "%", ord("٫"): ".", ord("٬"): ","
}  # fmt: skip
"""The ASCII characters that full-width and Arabic signs stand for."""


def ascii_number(text: str) -> str:
    """Return a number with the digits and signs of ASCII.

    >>> ascii_number("５７．８９"), ascii_number("٥٧٫٨٩ ٪"), ascii_number("½")
    ('57.89', '57.89 %', '½')
    """
    translated = text.translate(_ASCII)
    return "".join(str(unicodedata.decimal(sign, sign)) for sign in translated)


def ln(x: Fraction) -> float:
    """Return the natural logarithm of an exact number >= 0, in [-inf, inf); ln(0) is -inf.

    The logarithm is finite even if the number is too small for a float. Raises ValueError for a
    negative number.

    >>> ln(Fraction(3, 4)), ln(Fraction(0))
    (-0.2876820724517809, -inf)
    >>> round(ln(Fraction(1, 10**400)), 6)
    -921.034037
    """
    return ln_ratios([(x.numerator, x.denominator)])[0]


def ln_ratios(ratios: Sequence[tuple[int, int]]) -> list[float]:
    """Return `ln` of each numerator/denominator, which need not be in lowest terms.

    >>> ln_ratios([(6, 8), (0, 1)]) == [ln(Fraction(3, 4)), ln(Fraction(0))]
    True
    """
    return [
        math.log(value)
        if (value := numerator / denominator) > _TINY
        else _ln_tiny(numerator, denominator)
        for numerator, denominator in ratios
    ]


def _ln_tiny(numerator: int, denominator: int) -> float:
    if not numerator:
        return -math.inf
    # In lowest terms, equal fractions have equal logarithms to the last bit.
    divisor = math.gcd(numerator, denominator)
    return math.log(numerator // divisor) - math.log(denominator // divisor)


def power(base: Fraction, exponent: Fraction) -> float:
    """Return base ** exponent for a base >= 0 and an exponent in [0, 1]; 0 ** 0 is 1.

    A power of two is split off a tiny or huge base to keep it in the range of a float. No logarithm
    is used, so the result can verify `ln`. Raises ValueError for a negative base.

    >>> power(Fraction(1, 4), Fraction(1, 2)), power(Fraction(0), Fraction(1, 3))
    (0.5, 0.0)
    >>> power(Fraction(1, 10**1200), Fraction(1, 4))
    1e-300
    """
    return power_ratio(base.numerator, base.denominator, float(exponent))


def power_ratio(numerator: int, denominator: int, exponent: float) -> float:
    """Return `power` of numerator/denominator, which need not be in lowest terms.

    >>> power_ratio(2, 8, 0.5)
    0.5
    """
    magnitude = numerator.bit_length() - denominator.bit_length()
    if numerator > 0 and -1000 < magnitude < 1000:
        return math.pow(numerator / denominator, exponent)
    if numerator < 0:
        raise ValueError(f"the base is {Fraction(numerator, denominator)}; give a number >= 0")
    if not numerator:
        return math.pow(0, exponent)
    divisor = math.gcd(numerator, denominator)
    numerator, denominator = numerator // divisor, denominator // divisor
    shift = numerator.bit_length() - denominator.bit_length()
    scaled = (numerator << max(0, -shift)) / (denominator << max(0, shift))
    return math.pow(scaled, exponent) * math.pow(2, shift * exponent)


def decimal(value: Fraction) -> str:
    """Return a number as a decimal if one of at most 17 digits is exact, else as a fraction.

    >>> decimal(Fraction(1, 4)), decimal(Fraction(1, 3)), decimal(Fraction(2))
    ('0.25', '1/3', '2')
    """
    for text in (f"{float(value):.12g}", repr(float(value))):
        if Fraction(text) == value:
            return text
    return str(value)


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights over a common denominator: w_n is `numerators[n - 1] / denominator`.

    A sentence is scored in about half the time that `Fraction` takes, because nothing is reduced to
    lowest terms. Property tests compare the operations with those on plain fractions.

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
