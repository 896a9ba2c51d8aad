"""Logarithm and power of exact numbers, safe from underflow, and their notation.

The score and the displayed formulas share these functions, so a formula that is shown
evaluates to the very number that was scored, bit for bit.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

_TINY: Final = 2.0**-1000


class NumberTooLargeError(ValueError):
    """A number above the accepted range."""


class NumberTooSmallError(ValueError):
    """A number other than 0 whose size is below the accepted range."""


def ln(x: Fraction) -> float:
    """Natural logarithm of an exact number >= 0, in [-inf, inf); ln(0) is -inf.

    A fraction too small for a float keeps its logarithm.

    Raises ValueError for a negative number.

    >>> ln(Fraction(3, 4)), ln(Fraction(0))
    (-0.2876820724517809, -inf)
    >>> round(ln(Fraction(1, 10**400)), 6)
    -921.034037
    """
    return ln_ratios([(x.numerator, x.denominator)])[0]


def ln_ratios(ratios: Sequence[tuple[int, int]]) -> list[float]:
    """`ln` of each of some fractions above/below that need not be in their lowest terms.

    >>> ln_ratios([(6, 8), (0, 1)]) == [ln(Fraction(3, 4)), ln(Fraction(0))]
    True
    """
    return [
        math.log(value) if (value := above / below) > _TINY else _ln_tiny(above, below)
        for above, below in ratios
    ]


def _ln_tiny(above: int, below: int) -> float:
    if not above:
        return -math.inf
    shared = math.gcd(above, below)
    return math.log(above // shared) - math.log(below // shared)


def power(base: Fraction, exponent: Fraction) -> float:
    """Base ** exponent for a base >= 0 and an exponent in [0, 1], a float >= 0; 0 ** 0 is 1.

    Of a tiny or a huge base, a power of two is taken out first, so that it does not leave the range
    of a float. No logarithm is involved: this is the other way to a mean.

    Raises ValueError for a negative base.

    >>> power(Fraction(1, 4), Fraction(1, 2)), power(Fraction(0), Fraction(1, 3))
    (0.5, 0.0)
    >>> power(Fraction(1, 10**1200), Fraction(1, 4))
    1e-300
    """
    return power_ratio(base.numerator, base.denominator, float(exponent))


def power_ratio(above: int, below: int, exponent: float) -> float:
    """`power` of a fraction above/below that need not be in its lowest terms.

    >>> power_ratio(2, 8, 0.5)
    0.5
    """
    size = above.bit_length() - below.bit_length()
    if above > 0 and -1000 < size < 1000:
        return math.pow(above / below, exponent)
    if above < 0:
        raise ValueError(f"the base is {Fraction(above, below)}; give a number >= 0")
    if not above:
        return math.pow(0, exponent)
    shared = math.gcd(above, below)
    above, below = above // shared, below // shared
    shift = above.bit_length() - below.bit_length()
    scaled = (above << max(0, -shift)) / (below << max(0, shift))
    return math.pow(scaled, exponent) * math.pow(2, shift * exponent)


def decimal(value: Fraction) -> str:
    """An exact number as people write it: a decimal where it ends, else a fraction.

    >>> decimal(Fraction(1, 4)), decimal(Fraction(1, 3)), decimal(Fraction(2))
    ('0.25', '1/3', '2')
    """
    for text in (f"{float(value):.12g}", repr(float(value))):
        if Fraction(text) == value:
            return text
    return str(value)
