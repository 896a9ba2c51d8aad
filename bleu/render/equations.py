"""What every form of a formula shares: the sides of an equation, and where parentheses are due."""

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


def sides(shown: Equation, write: Callable[[Expr], Output]) -> list[tuple[str, Output]]:
    """The right-hand sides as `write` writes them, each after its sign: = or, if rounded, ≈.

    They are the symbols, the same with numbers, and the result; one that reads like one before
    it is left out, and so is the result where the numbers are nothing but a decimal already.

    >>> from fractions import Fraction
    >>> from bleu.document.expressions import Div
    >>> half = Equation(Sym("p", Fraction(1, 2), "1"), Div(Sym("matched", 1), Sym("total", 2)))
    >>> from bleu.render.text import formula
    >>> sides(half, formula)
    [('=', 'matched/total'), ('=', '1/2'), ('=', '0.5000')]
    """
    value = evaluate(shown.left)
    numbers = substitute(shown.formula)
    signs = {write(shown.formula): "=", write(numbers): "="}
    if not is_number(numbers):
        signs.setdefault(write(Num(float(value))), "≈" if is_rounded(value) else "=")
    return [(sign, side) for side, sign in signs.items()]


def is_negative(expr: Expr) -> bool:
    """Whether a formula is a negative number, which stands in parentheses after a sign."""
    return isinstance(expr, Num) and expr.value < 0


def needs_factor_parentheses(expr: Expr) -> bool:
    """Whether a formula needs parentheses as a factor."""
    return isinstance(expr, Add | Sub) or is_negative(expr)


def is_atom(expr: Expr) -> bool:
    """Whether a formula needs no parentheses under an exponent.

    >>> from fractions import Fraction
    >>> is_atom(Num(2)), is_atom(Num(Fraction(1, 2))), is_atom(Num(2e-308))
    (True, False, False)
    """
    if isinstance(expr, Num):
        return not is_fraction(expr.value) and "e" not in number_text(expr.value)
    return isinstance(expr, Sym)
