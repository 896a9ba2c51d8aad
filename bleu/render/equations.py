"""Rules shared by all formula renderers: the sides of an equation, and parentheses."""

from collections.abc import Callable, Hashable
from typing import TypeVar

from bleu.document.expressions import (
    Add,
    Equation,
    Expr,
    Num,
    Sub,
    Sym,
    evaluate,
    is_number,
    substitute,
)
from bleu.render.numbers import is_fraction, is_rounded, number_text

Output = TypeVar("Output", bound=Hashable)


def sides(equation: Equation, render: Callable[[Expr], Output]) -> list[tuple[str, Output]]:
    """Return the right-hand sides, each with its sign: = or, if the result is rounded, ≈.

    The sides are the formula with symbols, the formula with numbers, and the result, each rendered
    by `render`. Repeated sides are omitted, and so is the result if the formula with numbers is
    already a decimal.

    >>> from fractions import Fraction
    >>> from bleu.document.expressions import Div
    >>> half = Equation(Sym("p", Fraction(1, 2), "1"), Div(Sym("matched", 1), Sym("total", 2)))
    >>> from bleu.render.text import formula
    >>> sides(half, formula)
    [('=', 'matched/total'), ('=', '1/2'), ('=', '0.5000')]
    """
    value = evaluate(equation.left)
    numbers = substitute(equation.formula)
    signs = {render(equation.formula): "=", render(numbers): "="}
    if not is_number(numbers):
        signs.setdefault(render(Num(float(value))), "≈" if is_rounded(value) else "=")
    return [(sign, side) for side, sign in signs.items()]


def is_negative(expr: Expr) -> bool:
    """Return whether a formula is a negative number, which needs parentheses after a sign."""
    return isinstance(expr, Num) and expr.value < 0


def needs_factor_parentheses(expr: Expr) -> bool:
    """Return whether a formula needs parentheses as a factor."""
    return isinstance(expr, Add | Sub) or is_negative(expr)


def is_atom(expr: Expr) -> bool:
    """Return whether a formula needs no parentheses as the base of a power.

    >>> from fractions import Fraction
    >>> is_atom(Num(2)), is_atom(Num(Fraction(1, 2))), is_atom(Num(2e-308))
    (True, False, False)
    """
    if isinstance(expr, Num):
        return not is_fraction(expr.value) and "e" not in number_text(expr.value)
    return isinstance(expr, Sym)
