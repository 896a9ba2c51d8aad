"""A score as somebody states it: its digits, and which scores they may stand for."""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from bleu.core.numerics import NumberTooLargeError, decimal

TOLERANCE: Final = 1e-9
"""Scores no further apart than this, relatively, are not told apart, however many digits."""
SINGLE_PRECISION: Final = 1e-6
"""The same where single precision is computed in, whose rounding adds up."""
LARGEST_EXPONENT: Final = 400
LONGEST: Final = 400
"""Characters that a number may have."""
_NUMBER: Final = re.compile(r"(\d+(?:[.,]\d*)?|[.,]\d+)(?:e([+-]?\d{1,4}))?\s*(%|percent)?")


@dataclass(frozen=True, slots=True)
class ReportedScore:
    """A number as it was typed.

    - `text`: as typed, trimmed.
    - `number`: its exact value, >= 0; `unit`: one of its last digit, so 26.60 has 1/100.
    - `percent`: whether a percent sign follows.
    """

    text: str
    number: Fraction
    unit: Fraction
    percent: bool

    @property
    def scales(self) -> tuple[int, ...]:
        """The scales that it may be on, 1 or 100, the likelier first.

        Some smoothings exceed 1, so a number up to 2 may be on either.

        >>> parse_reported_score("26.6").scales, parse_reported_score("0.266").scales, parse_reported_score("0.266 %").scales
        ((100,), (1, 100), (100,))
        """
        return (100,) if self.percent or self.number > 2 else (1, 100)

    def agreement(self, value: float, scale: int, *, single: bool = False) -> str:
        """How a value in [0, 1] agrees with the digits: `rounded`, `cut` off, or not, which is "".

        A whole number on the scale of 0 to 1 has no digits that could be rounded: 1 is exactly 1.
        `single` says that the value was computed in single precision.

        >>> [parse_reported_score("26.60").agreement(value, 100) for value in (0.26604, 0.26607, 0.2661)]
        ['rounded', 'cut', '']
        """
        exact = Fraction(value) * scale
        slack = exact * Fraction(SINGLE_PRECISION if single else TOLERANCE)
        half = 0 if scale == 1 and self.unit >= 1 else self.unit / 2
        if abs(exact - self.number) <= half + slack:
            return "rounded"
        if not half:
            return ""
        return "cut" if self.number <= exact < self.number + self.unit else ""

    def distance(self, value: float) -> float:
        """How far a value in [0, 1] is from the number, on the scale of 0 to 100.

        >>> parse_reported_score("26.60").distance(0.25), parse_reported_score("0.25").distance(0.25)
        (1.6, 0.0)
        """
        scale = self.scales[0]
        return abs(float((Fraction(value) * scale - self.number) * (100 // scale)))


def parse_reported_score(text: str) -> ReportedScore:
    """The number in a text: decimal point or comma, an exponent, a percent sign.

    Raises TypeError unless it is a text, ValueError unless it is such a number, and
    NumberTooLargeError if it is above 1000.

    >>> parse_reported_score(" 26,60 % ")
    ReportedScore(text='26,60 %', number=Fraction(133, 5), unit=Fraction(1, 100), percent=True)
    >>> parse_reported_score("1.2e-231").unit == Fraction(1, 10**232)
    True
    """
    if not isinstance(text, str):
        raise TypeError(
            f"the number is {text!r}; give it as text, with the digits that were stated"
        )
    trimmed = text.strip()
    found = _NUMBER.fullmatch(trimmed.lower()) if len(trimmed) <= LONGEST else None
    if not found:
        raise ValueError(
            f"{trimmed[:60]!r} is not a score; give one number, such as 26.60, 0.266 or 26,6 %"
        )
    digits, exponent, percent = found.groups()
    power = int(exponent or 0)
    if abs(power) > LARGEST_EXPONENT:
        raise ValueError(f"{trimmed[:60]!r} has an exponent that no score has")
    whole, _, after = digits.replace(",", ".").partition(".")
    number = Fraction(int(whole + after), 10 ** len(after)) * Fraction(10) ** power
    unit = Fraction(10) ** (power - len(after))
    if number > 1000:
        raise NumberTooLargeError(f"{decimal(number)[:60]} is too large; BLEU is at most 100")
    return ReportedScore(trimmed, number, unit, bool(percent))
