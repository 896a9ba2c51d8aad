"""Numbers formatted for people, and the rules that all renderers of formulas share."""

import math
from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import Final, TypeGuard, TypeVar

from bleu.metric import expressions as ex
from bleu.metric.expressions import Value
from bleu.metric.numerics import decimal

MAX_FRACTION_PART: Final = 10**12
"""The largest numerator or denominator shown: more than the tokens of any corpus."""
MAX_LINE_CHARACTERS: Final = 60
"""The length above which an equation is split into lines."""
OPERANDS_PER_LINE: Final = 4
"""The terms of a sum, or factors of a product, that fit into one line on a phone."""
Output = TypeVar("Output", bound=Hashable)


def number_text(value: Value | int) -> str:
    """Format an integer exactly, and other numbers with four decimals or significant digits.

    Significant digits are for numbers below 0.001 or from 10¹⁵ on, integers included. A number
    below 1 is never rounded up to 1, nor a positive number down to 0.

    >>> number_text(5), number_text(1.0), number_text(0.8187307), number_text(-math.inf)
    ('5', '1', '0.8187', '−∞')
    >>> number_text(0.99999999), number_text(1.1e-16), number_text(Fraction(3, 4))
    ('0.99999999', '1.1e−16', '0.7500')
    """
    if isinstance(value, int) and abs(value) < 10**15:
        return _minus(str(value))
    number = float(value)
    if math.isinf(number):
        return "−∞" if number < 0 else "∞"
    if number.is_integer() and abs(number) < 1e15:
        return _minus(str(int(number)))
    if 0.001 <= abs(number) < 1e15:
        return _minus(fixed_text(number))
    return _minus(f"{number:.4g}")


def fixed_text(value: Value | int) -> str:
    """Format a number in [0, 1] with four decimals, or more if four would round it to 1.

    >>> fixed_text(1), fixed_text(0.75), fixed_text(0.999999990123), fixed_text(2.2e-308)
    ('1.0000', '0.7500', '0.99999999', '≈ 0')
    """
    text = _round_below(1, float(value), decimals=4)
    return "≈ 0" if value and text == "0.0000" else text


def _round_below(limit: int, number: float, *, decimals: int) -> str:
    """Format with `decimals` decimals, or more if a number below `limit` would be rounded to it."""
    precise = (n for n in range(decimals, 18) if number >= limit or round(number, n) < limit)
    return f"{number:.{next(precise)}f}"


def decimal_text(value: Value | int) -> str:
    """Format an exact number as a decimal if that terminates, else as a fraction; a float in full.

    >>> decimal_text(Fraction(1, 10)), decimal_text(Fraction(1, 3)), decimal_text(2)
    ('0.1', '1/3', '2')
    """
    if isinstance(value, float):
        return _minus(repr(value))
    return _minus(decimal(Fraction(value)))


def is_shown_as_fraction(value: Value | int) -> TypeGuard[Fraction]:
    """Return whether a number is shown as a fraction: exact, not an integer, and not too long.

    NLTK's smallest positive number has a denominator of 324 digits; it is shown as 2.225e−308.

    >>> [is_shown_as_fraction(Fraction(1, denominator)) for denominator in (7177, 1, 10**13)]
    [True, False, False]
    """
    exact = isinstance(value, Fraction) and value.denominator != 1
    return exact and max(map(abs, value.as_integer_ratio())) <= MAX_FRACTION_PART


def is_rounded(value: Value | int) -> bool:
    """Return whether `number_text` rounds the number.

    >>> is_rounded(Fraction(3, 4)), is_rounded(Fraction(1, 3))
    (False, True)
    """
    text = number_text(value).replace("−", "-")
    return "∞" not in text and Fraction(text) != Fraction(value)


def both_scales(value: float) -> tuple[str, str]:
    """Format a score in [0, 1] on the 0–100 and on the 0–1 scale.

    >>> both_scales(0.5789300674674098), both_scales(0.0)
    (('57.89', '0.5789'), ('0.00', '0.0000'))
    """
    score_100 = value * 100
    if value and score_100 < 0.1:
        return number_text(score_100), number_text(value)
    return _round_below(100, score_100, decimals=2), fixed_text(value)


def score_text(value: float, *, difference: bool = False) -> str:
    """Format a score in [0, 1], or the difference of two, on the 0–100 scale.

    >>> score_text(0.5789)
    '57.89'
    >>> score_text(0.0125, difference=True), score_text(-0.0125, difference=True)
    ('+1.25', '−1.25')
    >>> score_text(0.0, difference=True), score_text(1e-9, difference=True)
    ('=', '≈ 0')
    >>> score_text(1e-231)
    '≈ 0'
    """
    if not difference:
        return both_scales(value)[0] if not value or abs(value) >= 5e-6 else "≈ 0"
    if not value:
        return "="
    return _minus(f"{value * 100:+.2f}") if abs(value) >= 5e-5 else "≈ 0"


def _minus(text: str) -> str:
    return text.replace("-", "−")


def sides(equation: ex.Equation, render: Callable[[ex.Expr], Output]) -> list[tuple[str, Output]]:
    """Return the right-hand sides, each with its sign: = or, if the result is rounded, ≈.

    The sides are the formula with symbols, the formula with numbers, and the result, each rendered
    by `render`. Repeated sides are omitted, and so is the result if the formula with numbers is
    already a decimal.

    >>> from fractions import Fraction
    >>> ratio = ex.Div(ex.Sym("matched", 1), ex.Sym("total", 2))
    >>> half = ex.Equation(ex.Sym("p", Fraction(1, 2), "1"), ratio)
    >>> from bleu.render.text import formula
    >>> sides(half, formula)
    [('=', 'matched/total'), ('=', '1/2'), ('=', '0.5000')]
    """
    value = ex.evaluate(equation.left)
    numbers = ex.substitute(equation.formula)
    sign_by_side = {render(equation.formula): "=", render(numbers): "="}
    if not ex.is_shown_as_decimal(numbers):
        sign_by_side.setdefault(render(ex.Num(float(value))), "≈" if is_rounded(value) else "=")
    return [(sign, side) for side, sign in sign_by_side.items()]


def is_negative(expr: ex.Expr) -> bool:
    """Return whether a formula is a negative number, which needs parentheses after a sign."""
    return isinstance(expr, ex.Num) and expr.value < 0


def needs_factor_parentheses(expr: ex.Expr) -> bool:
    """Return whether a formula needs parentheses as a factor of a product."""
    return isinstance(expr, ex.Add | ex.Sub) or is_negative(expr)


def is_atom(expr: ex.Expr) -> bool:
    """Return whether a formula needs no parentheses as the base of a power.

    >>> from fractions import Fraction
    >>> is_atom(ex.Num(2)), is_atom(ex.Num(Fraction(1, 2))), is_atom(ex.Num(2e-308))
    (True, False, False)
    """
    if isinstance(expr, ex.Num):
        return not is_shown_as_fraction(expr.value) and "e" not in number_text(expr.value)
    return isinstance(expr, ex.Sym)
