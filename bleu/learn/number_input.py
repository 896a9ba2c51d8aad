"""Numbers as learners write them: 3/4, 0.75, 0,75, 75 %, √(3/8) and exp(−1/5) are all read."""

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from bleu.learn.hand_calculation import Value

_LONGEST: Final = 80
_LARGEST: Final = 10**6
_TOKEN: Final = re.compile(r"\s*(\d+(?:[.,]\d*)?|[.,]\d+|sqrt|exp|e|[-+*/^()%])")
_SPELLED: Final = str.maketrans({"−": "-", "–": "-", "·": "*", "×": "*", "÷": "/", ":": "/"})


@dataclass(frozen=True, slots=True)
class ParsedNumber:
    """A number that was written, and how far from it what is meant may be.

    `tolerance` is half a unit of the last digit of a decimal, and 0 for what is exact.
    """

    value: Value
    tolerance: float

    def is_near(self, value: Value) -> bool:
        """Whether the number meant may be this one, up to rounding.

        >>> parse_number("0.67").is_near(Fraction(2, 3)), parse_number("2/3").is_near(0.67)
        (True, False)
        """
        return abs(float(self.value) - float(value)) <= self.tolerance + 1e-9


def parse_number(text: str) -> ParsedNumber:
    """The number that a learner wrote.

    Numbers, + − · / ^, brackets, %, √ or sqrt, e and exp are known; the comma is a decimal sign.

    Raises ValueError that names the text unless it is a number, of a million at most.

    >>> [float(parse_number(text).value) for text in ("3/4", "0,75", "75 %", "√(9/16)")]
    [0.75, 0.75, 0.75, 0.75]
    >>> round(float(parse_number("e^(-1/5)").value), 4), parse_number("0.8").tolerance
    (0.8187, 0.05)
    """
    spelled = text.strip().lower().translate(_SPELLED).replace("√", "sqrt")
    refused = ValueError(f"{text.strip()[:_LONGEST]!r} is not a number; write 3/4, 0.75 or 75 %")
    if not spelled or len(spelled) > _LONGEST:
        raise refused
    tokens, at = [], 0
    while at < len(spelled):
        found = _TOKEN.match(spelled, at)
        if not found:
            raise refused
        tokens.append(found[1])
        at = found.end()
    try:
        reader = _Parser(tokens)
        value = reader.sum()
        fits = not reader.left and abs(float(value)) <= _LARGEST
    except (IndexError, ValueError, ArithmeticError, RecursionError):
        raise refused from None
    if not fits:
        raise refused
    return ParsedNumber(value, _rounding_tolerance(tokens))


def format_number(value: Value) -> str:
    """A number as a key gives it: exact where it is a fraction, a square root or a power of e.

    >>> format_number(Fraction(3, 4)), format_number(math.sqrt(3 / 8)), format_number(math.exp(-1 / 5)), format_number(0.123456)
    ('3/4', '√(3/8)', 'exp(−1/5)', '0.1235')
    """
    if isinstance(value, Fraction) or value.is_integer():
        return str(Fraction(value)).replace("-", "−")
    square = Fraction(value * value).limit_denominator(5000)
    if abs(math.sqrt(abs(square)) - value) < 1e-12:
        return f"√({square})" if square.denominator > 1 else f"√{square}"
    if value > 0:
        exponent = Fraction(math.log(value)).limit_denominator(60)
        if abs(math.exp(exponent) - value) < 1e-12:
            return f"exp({exponent})".replace("-", "−")
    return f"{value:.4f}"


def is_decimal(value: Value) -> bool:
    """Whether `format_number` has nothing better for a number than rounded decimals.

    >>> is_decimal(0.123456), is_decimal(math.exp(-1))
    (True, False)
    """
    return not isinstance(value, Fraction) and format_number(value)[0] not in "√e"


def _rounding_tolerance(tokens: list[str]) -> float:
    """Half a unit of the last digit of a decimal that stands by itself, as in 0.75 or 75.5 %."""
    percent = tokens[-1] == "%"
    numbers = tokens[:-1] if percent else tokens
    if len(numbers) != 1 or numbers[0] == "e":
        return 1e-6 if any(set(token) & {".", ","} for token in tokens) else 0.0
    digits = len(re.split("[.,]", numbers[0])[1]) if set(numbers[0]) & {".", ","} else 0
    if not digits and not percent:
        return 0.0
    return float(0.5 * 10.0**-digits / (100 if percent else 1))


def _power(base: Value, exponent: Value) -> Value:
    exact = Fraction(exponent)
    if exact.denominator == 1 and isinstance(base, Fraction):
        return Fraction(base**exact.numerator)
    return math.pow(base, exponent)


class _Parser:
    """A reader of sums of products of powers, by recursive descent."""

    def __init__(self, tokens: list[str]) -> None:
        self.left = tokens[::-1]

    def sum(self) -> Value:
        value = self.product()
        while self.left and self.left[-1] in "+-":
            plus = self.left.pop() == "+"
            other = self.product()
            value = value + other if plus else value - other
        return value

    def product(self) -> Value:
        value = self.power()
        while self.left and self.left[-1] in ("*", "/", "(", "sqrt", "exp", "e"):
            sign = self.left.pop() if self.left[-1] in "*/" else "*"
            other = self.power()
            value = value * other if sign == "*" else value / other
        return value

    def power(self) -> Value:
        if self.left[-1] in "+-":
            return self.power() if self.left.pop() == "+" else -self.power()
        value = self.single()
        if self.left and self.left[-1] == "^":
            self.left.pop()
            exponent = self.power()
            if abs(float(exponent)) > 100:
                raise ValueError
            value = _power(value, exponent)
        return value

    def single(self) -> Value:
        token = self.left.pop()
        value: Value
        if token == "(":
            value = self.sum()
            if self.left.pop() != ")":
                raise ValueError
        elif token == "sqrt":
            value = math.sqrt(self.single())
        elif token == "exp":
            value = math.exp(self.single())
        elif token == "e":
            value = math.e
        else:
            value = Fraction(token.replace(",", "."))
        if self.left and self.left[-1] == "%":
            self.left.pop()
            value = value / 100
        return value
