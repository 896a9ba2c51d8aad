"""Parsing and formatting of numbers that learners type: 3/4, 0,75, 75 %, √(3/8), exp(−1/5)."""

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from bleu.core.numerics import ascii_number
from bleu.learn.hand_calculation import Value

_MAX_CHARACTERS: Final = 80
_MAX_VALUE: Final = 10**6
_MAX_EXPONENT: Final = 100
_TOKEN: Final = re.compile(r"\s*(\d+(?:[.,]\d*)?|[.,]\d+|sqrt|exp|e|[-+*/^()%])")
_ASCII_OPERATORS: Final = str.maketrans(
    {"−": "-", "–": "-", "·": "*", "×": "*", "÷": "/", ":": "/"}
)


@dataclass(frozen=True, slots=True)
class ParsedNumber:
    """A number that a learner typed, and its rounding tolerance.

    `tolerance` is half a unit of the last digit of a decimal, and 0 for an exact number.
    """

    value: Value
    tolerance: float

    def is_near(self, value: Value) -> bool:
        """Return whether the number equals a value up to rounding.

        >>> parse_number("0.67").is_near(Fraction(2, 3)), parse_number("2/3").is_near(0.67)
        (True, False)
        """
        return abs(float(self.value) - float(value)) <= self.tolerance + 1e-9


def parse_number(text: str) -> ParsedNumber:
    """Parse an arithmetic expression.

    It may contain numbers, + − · / ^, brackets, %, √ or sqrt, e and exp; a comma is a decimal
    point.

    Raises ValueError if the text is not a number, or its absolute value exceeds a million.

    >>> [float(parse_number(text).value) for text in ("3/4", "0,75", "75 %", "√(9/16)")]
    [0.75, 0.75, 0.75, 0.75]
    >>> round(float(parse_number("e^(-1/5)").value), 4), parse_number("0.8").tolerance
    (0.8187, 0.05)
    """
    normalized = ascii_number(text).strip().lower().translate(_ASCII_OPERATORS).replace("√", "sqrt")
    error = ValueError(
        f"{text.strip()[:_MAX_CHARACTERS]!r} is not a number; write 3/4, 0.75 or 75 %"
    )
    if not normalized or len(normalized) > _MAX_CHARACTERS:
        raise error
    tokens, position = [], 0
    while position < len(normalized):
        match = _TOKEN.match(normalized, position)
        if not match:
            raise error
        tokens.append(match[1])
        position = match.end()
    try:
        parser = _Parser(tokens)
        value = parser.sum()
        valid = not parser.remaining and abs(float(value)) <= _MAX_VALUE
    except (IndexError, ValueError, ArithmeticError, RecursionError):
        raise error from None
    if not valid:
        raise error
    return ParsedNumber(value, _rounding_tolerance(tokens))


def format_number(value: Value) -> str:
    """Return a number as a fraction, square root or power of e, or else with four decimals.

    >>> format_number(Fraction(3, 4)), format_number(math.sqrt(3 / 8))
    ('3/4', '√(3/8)')
    >>> format_number(math.exp(-1 / 5)), format_number(0.123456)
    ('exp(−1/5)', '0.1235')
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
    """Return whether `format_number` rounds a number to decimals.

    >>> is_decimal(0.123456), is_decimal(math.exp(-1))
    (True, False)
    """
    return not isinstance(value, Fraction) and format_number(value)[0] not in "√e"


def _rounding_tolerance(tokens: list[str]) -> float:
    """Return half a unit of the last digit of a single decimal, such as 0.75 or 75.5 %.

    An exact number has no tolerance; an expression with decimals has a tiny one.
    """
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
    """A recursive-descent parser, which evaluates sums of products of powers.

    `remaining` holds the tokens still to be parsed, in reverse.
    """

    def __init__(self, tokens: list[str]) -> None:
        self.remaining = tokens[::-1]

    def sum(self) -> Value:
        value = self.product()
        while self.remaining and self.remaining[-1] in "+-":
            operator = self.remaining.pop()
            term = self.product()
            value = value + term if operator == "+" else value - term
        return value

    def product(self) -> Value:
        value = self.power()
        while self.remaining and self.remaining[-1] in ("*", "/", "(", "sqrt", "exp", "e"):
            operator = self.remaining.pop() if self.remaining[-1] in "*/" else "*"
            factor = self.power()
            value = value * factor if operator == "*" else value / factor
        return value

    def power(self) -> Value:
        if self.remaining[-1] in "+-":
            return self.power() if self.remaining.pop() == "+" else -self.power()
        value = self.primary()
        if self.remaining and self.remaining[-1] == "^":
            self.remaining.pop()
            exponent = self.power()
            if abs(float(exponent)) > _MAX_EXPONENT:
                raise ValueError
            value = _power(value, exponent)
        return value

    def primary(self) -> Value:
        token = self.remaining.pop()
        value: Value
        if token == "(":
            value = self.sum()
            if self.remaining.pop() != ")":
                raise ValueError
        elif token == "sqrt":
            value = math.sqrt(self.primary())
        elif token == "exp":
            value = math.exp(self.primary())
        elif token == "e":
            value = math.e
        else:
            value = Fraction(token.replace(",", "."))
        if self.remaining and self.remaining[-1] == "%":
            self.remaining.pop()
            value = value / 100
        return value
