"""Parsing and formatting of numbers that learners type: 3/4, 0,75, 75 %, √(3/8), exp(−1/5)."""

import math
import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from bleu.learn.hand_calculation import Value
from bleu.metric.numerics import ascii_number

_MAX_CHARACTERS: Final = 80
_MAX_VALUE: Final = 10**6
_MAX_EXPONENT: Final = 100
_NUMBER: Final = r"\d+[.,]?\d*e[-+]?\d{1,3}|\d*[.,]\d*\(\d+\)|\d+(?:[.,]\d*)?|[.,]\d+"
"""A number: 7.5e-1, a repeating decimal as 0.(3), a decimal or an integer."""
_TOKEN: Final = re.compile(rf"{_NUMBER}|sqrt|cbrt|exp|e|[-+*/^()%]")
_ASCII_OPERATORS: Final = str.maketrans(
    {"−": "-", "–": "-", "·": "*", "×": "*", "÷": "/", ":": "/", "⁄": "/", "≈": "=", "~": "="}
    | {"{": "(", "}": ")", "[": "(", "]": ")", "\\": "", "√": "sqrt", "∛": "cbrt"}
)
_UNCLEAR: Final = re.compile(r"(sqrt\s*[\d.,]+|e\^-?[\d.,]+|exp\s*-?[\d.,]+)\s*/\s*\d")
"""A root or power before a division sign, such as √3/8, which can be read in two ways."""


class UnclearNumberError(ValueError):
    """A number that can be read in two ways."""


@dataclass(frozen=True, slots=True)
class ParsedNumber:
    """A number that a learner typed, and its rounding tolerance.

    `tolerance` is half a unit of the last digit of a decimal or percentage such as 75.5 %, 1e-6 for
    an expression with decimals, and 0 for an exact number.
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
    """Parse an arithmetic expression, or several that are equal, such as 3/4 = 0.75.

    The text may contain numbers, + − · / ^, brackets, %, √ or sqrt, e and exp; a comma is a decimal
    point.

    Raises ValueError if the text is not a number, has over 80 characters or an absolute value above
    a million, and UnclearNumberError if it can be read in two ways.

    >>> [float(parse_number(text).value) for text in ("3/4", "= 0,75", "75 %", "√(9/16)", "¾")]
    [0.75, 0.75, 0.75, 0.75, 0.75]
    >>> round(float(parse_number("e^(-1/5)").value), 4), parse_number("0.8").tolerance
    (0.8187, 0.05)
    >>> parse_number("√3/8")
    Traceback (most recent call last):
    bleu.learn.number_input.UnclearNumberError: “√3/8” can be read in two ways; add brackets, as \
in √(3/8) or exp(−1/4)
    """
    excerpt = text.strip()[:_MAX_CHARACTERS]
    error = ValueError(
        f"{excerpt!r} is not a number up to a million; write 3/4, 0.75, 75 %, √(3/8) or exp(−1/4)"
    )
    # NFKC would turn “1½” into 11/2, so reject it.
    if len(text.strip()) > _MAX_CHARACTERS or re.search(r"\d\s*[¼-¾⅐-⅞]", text):
        raise error
    normalized = ascii_number(unicodedata.normalize("NFKC", text.strip())).lower()
    normalized = normalized.translate(_ASCII_OPERATORS).replace("**", "^")
    if _UNCLEAR.search(normalized):
        raise UnclearNumberError(
            f"“{excerpt}” can be read in two ways; add brackets, as in √(3/8) or exp(−1/4)"
        )
    try:
        numbers = [_parse_expression(part) for part in normalized.split("=") if part.strip()]
    except (IndexError, ValueError, ArithmeticError, RecursionError):
        raise error from None
    if not numbers or not all(number.is_near(numbers[0].value) for number in numbers):
        raise error
    return numbers[0]


def _parse_expression(text: str) -> ParsedNumber:
    tokens = _TOKEN.findall(text)
    if "".join(tokens) != "".join(text.split()):
        raise ValueError
    parser = _Parser(tokens)
    value = parser.sum()
    if parser.remaining or abs(float(value)) > _MAX_VALUE:
        raise ValueError
    return ParsedNumber(value, _rounding_tolerance(tokens))


def format_number(value: Value) -> str:
    """Return a number as a fraction, root or power of e, or else with four decimals.

    >>> format_number(Fraction(3, 4)), format_number(math.sqrt(3 / 8))
    ('3/4', '√(3/8)')
    >>> format_number(math.exp(-1 / 5)), format_number(0.123456)
    ('exp(−1/5)', '0.1235')
    """
    if isinstance(value, Fraction) or value.is_integer():
        return str(Fraction(value)).replace("-", "−")
    for degree in (2, 3, 4) if value > 0 else ():
        radicand = Fraction(value**degree).limit_denominator(5000)
        if abs(float(radicand) ** (1 / degree) - value) < 1e-12:
            if degree > 2:
                return f"({radicand})^(1/{degree})"
            return f"√({radicand})" if radicand.denominator > 1 else f"√{radicand}"
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
    return not isinstance(value, Fraction) and format_number(value)[0] not in "√e("


def _rounding_tolerance(tokens: list[str]) -> float:
    """Return the `tolerance` of a `ParsedNumber` from its tokens."""
    percent = tokens[-1] == "%"
    numbers = tokens[:-1] if percent else tokens
    if len(numbers) != 1 or numbers[0] == "e" or "(" in numbers[0]:
        return 1e-6 if any(set(token) & {".", ","} for token in tokens) else 0.0
    decimal, _, exponent = numbers[0].partition("e")
    digits = len(re.split("[.,]", decimal)[1]) if set(decimal) & {".", ","} else 0
    if not digits and not percent:
        return 0.0
    return float(0.5 * 10.0 ** (int(exponent or 0) - digits) / (100 if percent else 1))


def _power(base: Value, exponent: Value) -> Value:
    exact = Fraction(exponent)
    if exact.denominator == 1 and isinstance(base, Fraction):
        return Fraction(base**exact.numerator)
    return math.pow(base, exponent)


_FUNCTIONS: Final = {"sqrt": math.sqrt, "cbrt": math.cbrt, "exp": math.exp}


def _parse_decimal(text: str) -> Fraction:
    """Return the value of a number such as 3, 0.75, 7.5e-1 or 0.(3).

    >>> _parse_decimal("0.1(6)"), _parse_decimal("7.5e-1")
    (Fraction(1, 6), Fraction(3, 4))
    """
    start, _, repeated = text.removesuffix(")").partition("(")
    if not repeated:
        return Fraction(text)
    digits = len(start.partition(".")[2])
    return Fraction(start + "0") + Fraction(int(repeated), 10**digits * (10 ** len(repeated) - 1))


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
        while self.remaining and self.remaining[-1] in ("*", "/", "(", *_FUNCTIONS, "e"):
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
        elif token in _FUNCTIONS:
            value = _FUNCTIONS[token](self.primary())
        elif token == "e":
            value = math.e
        else:
            value = _parse_decimal(token.replace(",", "."))
        if self.remaining and self.remaining[-1] == "%":
            self.remaining.pop()
            value = value / 100
        return value
