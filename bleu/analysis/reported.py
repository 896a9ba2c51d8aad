"""A reported score: its digits, and the values that agree with them."""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from bleu.core.display import short_repr
from bleu.metric.numerics import ascii_number, decimal

TOLERANCE: Final = 1e-9
"""The largest relative error of a computed value."""
SINGLE_PRECISION: Final = 1e-6
"""The largest relative error of a value computed in single precision, in which errors add up."""
MAX_EXPONENT: Final = 400
MAX_CHARACTERS: Final = 400
_NUMBER: Final = re.compile(r"(\d+(?:[.,]\d*)?|[.,]\d+)(?:e([+-]?\d{1,4}))?\s*(%|percent)?")


class NumberTooLargeError(ValueError):
    """A number that is larger than any BLEU."""


@dataclass(frozen=True, slots=True)
class ReportedScore:
    """A number as it was typed.

    - `text`: the input, trimmed.
    - `number`: its exact value, >= 0.
    - `unit`: one unit of its last digit, so 1/100 for 26.60.
    - `percent`: whether a percent sign follows.
    """

    text: str
    number: Fraction
    unit: Fraction
    percent: bool

    @property
    def scales(self) -> tuple[int, ...]:
        """The possible scales, 1 or 100, the more likely first.

        Some smoothings exceed 1, so a number up to 2 may be on either scale.

        >>> texts = "26.6", "0.266", "0.266 %"
        >>> [parse_reported_score(text).scales for text in texts]
        [(100,), (1, 100), (100,)]
        """
        return (100,) if self.percent or self.number > 2 else (1, 100)

    def agreement(self, value: float, scale: int, *, single: bool = False) -> str:
        """Return how a value in [0, 1] agrees with the digits: `rounded`, `cut` off, or "" if not.

        On the scale of 0 to 1, a whole number has no digits to round: 1 is exactly 1. `single`
        means that the value was computed in single precision.

        >>> score = parse_reported_score("26.60")
        >>> [score.agreement(value, 100) for value in (0.26604, 0.26607, 0.2661)]
        ['rounded', 'cut', '']
        """
        exact = Fraction(value) * scale
        tolerance = exact * Fraction(SINGLE_PRECISION if single else TOLERANCE)
        half_unit = 0 if scale == 1 and self.unit >= 1 else self.unit / 2
        if abs(exact - self.number) <= half_unit + tolerance:
            return "rounded"
        if not half_unit:
            return ""
        return "cut" if self.number <= exact < self.number + self.unit else ""

    def distance(self, value: float) -> float:
        """Return the distance of a value in [0, 1] from the number, both converted to 0–100.

        The number is taken on its likelier scale.

        >>> [parse_reported_score(text).distance(0.25) for text in ("26.60", "0.25")]
        [1.6, 0.0]
        """
        scale = self.scales[0]
        return abs(float((Fraction(value) * scale - self.number) * (100 // scale)))


def parse_reported_score(text: str) -> ReportedScore:
    """Parse a number with decimal point or comma, and optionally exponent and percent sign.

    Raises TypeError for anything but a string, ValueError for a string that is not such a number,
    and NumberTooLargeError for a number above 1000.

    >>> parse_reported_score(" 26,60 % ")
    ReportedScore(text='26,60 %', number=Fraction(133, 5), unit=Fraction(1, 100), percent=True)
    >>> parse_reported_score("1.2e-231").unit == Fraction(1, 10**232)
    True
    """
    if not isinstance(text, str):
        raise TypeError(
            f"the score is {short_repr(text)}; give it as text, with the digits reported"
        )
    trimmed = text.strip()
    normalized = ascii_number(trimmed[: MAX_CHARACTERS + 1]).lower()
    match = _NUMBER.fullmatch(normalized) if len(trimmed) <= MAX_CHARACTERS else None
    if not match:
        raise ValueError(
            f"{short_repr(trimmed)} is not a score; give one number, such as 26.60, 0.266 or 26,6 %"
        )
    digits, exponent_digits, percent = match.groups()
    exponent = int(exponent_digits or 0)
    if abs(exponent) > MAX_EXPONENT:
        raise ValueError(
            f"the exponent of {short_repr(trimmed)} is beyond ±{MAX_EXPONENT}; "
            "give a number up to 100"
        )
    integer, _, decimals = digits.replace(",", ".").partition(".")
    number = Fraction(int(integer + decimals), 10 ** len(decimals)) * Fraction(10) ** exponent
    unit = Fraction(10) ** (exponent - len(decimals))
    if number > 1000:
        raise NumberTooLargeError(f"{decimal(number)[:60]} is too large; BLEU is at most 100")
    return ReportedScore(trimmed, number, unit, bool(percent))
