"""Rules shared by all formula renderers: the sides of an equation, and parentheses."""

from collections.abc import Callable, Hashable
from typing import Final, TypeVar

from bleu.metric import expressions as ex
from bleu.render.numbers import is_rounded, is_shown_as_fraction, number_text

MAX_LINE_CHARACTERS: Final = 60
"""The length above which an equation is split into lines."""
OPERANDS_PER_LINE: Final = 4
"""The terms of a sum, or factors of a product, that fit into one line on a phone."""

Output = TypeVar("Output", bound=Hashable)


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
