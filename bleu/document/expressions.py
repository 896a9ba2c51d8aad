"""Formulas as trees: one tree is the symbols, the numbers put in, and the result.

Every symbol carries its value, so `evaluate(formula)` is a check on every formula shown.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import assert_never

from bleu.core.numerics import ln, power

Value = Fraction | float


@dataclass(frozen=True, slots=True)
class Num:
    """A number; `decimal` shows an exact one as 0.1 rather than as 1/10."""

    value: Value | int
    decimal: bool = False


@dataclass(frozen=True, slots=True)
class Sym:
    """A symbol with its value: p with index 1, say; None is the value of a bound index.

    `unreduced` is the fraction that the value was counted as, 2/8 where the value is 1/4.
    """

    name: str
    value: Value | int | None = None
    index: str = ""
    prime: bool = False
    decimal: bool = False
    unreduced: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Add:
    """The sum of the terms."""

    terms: tuple["Expr", ...]


@dataclass(frozen=True, slots=True)
class Sub:
    """left - right."""

    left: "Expr"
    right: "Expr"


@dataclass(frozen=True, slots=True)
class Mul:
    """The product of the factors."""

    factors: tuple["Expr", ...]


@dataclass(frozen=True, slots=True)
class Div:
    """A fraction."""

    numerator: "Expr"
    denominator: "Expr"


@dataclass(frozen=True, slots=True)
class Pow:
    """base to the exponent."""

    base: "Expr"
    exponent: "Expr"


@dataclass(frozen=True, slots=True)
class Root:
    """The root of a degree, of an exact number."""

    radicand: "Expr"
    degree: int


@dataclass(frozen=True, slots=True)
class Call:
    """A function of the arguments: exp, ln, abs, max."""

    function: str
    arguments: tuple["Expr", ...]


@dataclass(frozen=True, slots=True)
class Sum:
    """The sum over n = 1 … upper: `body` is its general term, `terms` are the terms."""

    body: "Expr"
    upper: str
    terms: tuple["Expr", ...]


@dataclass(frozen=True, slots=True)
class Product:
    """The product over n = 1 … upper: `body` is its general factor, `factors` are the factors."""

    body: "Expr"
    upper: str
    factors: tuple["Expr", ...]


Expr = Num | Sym | Add | Sub | Mul | Div | Pow | Root | Call | Sum | Product


@dataclass(frozen=True, slots=True)
class Equation:
    """left = formula; it holds when the formula evaluates to the value of the left side."""

    left: Sym
    formula: Expr

    @property
    def holds(self) -> bool:
        """Whether the formula evaluates to exactly the value at its left."""
        return evaluate(self.formula) == evaluate(self.left)


def exp(x: Expr) -> Call:
    """The exponential of x."""
    return Call("exp", (x,))


def log(x: Expr) -> Call:
    """The natural logarithm of x."""
    return Call("ln", (x,))


def evaluate(expr: Expr) -> Value:
    """The value of a formula: exact where all its parts are, a float otherwise.

    Raises ValueError for a symbol without a value.

    >>> evaluate(Div(Sym("matched", 3, "2"), Sym("total", 4, "2")))
    Fraction(3, 4)
    >>> evaluate(exp(Num(0)))
    1.0
    """
    match expr:
        case Num(value) | Sym(value=(int() | float() | Fraction()) as value):
            return Fraction(value) if isinstance(value, int) else value
        case Sym():
            raise ValueError(f"the symbol {expr.name}{expr.index} has no value")
        case Add(terms) | Sum(terms=terms):
            return _sum(map(evaluate, terms))
        case Sub(left, right):
            return _sum((evaluate(left), -evaluate(right)))
        case Mul(factors) | Product(factors=factors):
            return math.prod(map(evaluate, factors), start=Fraction(1))
        case Div(numerator, denominator):
            return evaluate(numerator) / evaluate(denominator)
        case Pow(base, exponent):
            return _pow(evaluate(base), evaluate(exponent))
        case Root(radicand, degree):
            return power(Fraction(evaluate(radicand)), Fraction(1, degree))
        case Call(function, arguments):
            return _FUNCTIONS[function](*map(evaluate, arguments))
        case _:
            assert_never(expr)


def substitute(expr: Expr) -> Expr:
    """The same formula with every symbol replaced by its number, and sums and products written out.

    >>> substitute(Div(Sym("matched", 3, "2"), Sym("total", 4, "2")))
    Div(numerator=Num(value=3, decimal=False), denominator=Num(value=4, decimal=False))
    >>> substitute(Sym("p", Fraction(1, 4), unreduced=(2, 8)))
    Div(numerator=Num(value=2, decimal=False), denominator=Num(value=8, decimal=False))
    """
    match expr:
        case Sym(unreduced=(matched, total)):
            return Div(Num(matched), Num(total))
        case Sym(value=(int() | float() | Fraction()) as value, decimal=decimal):
            return Num(value, decimal)
        case Num() | Sym():
            return expr
        case Add(terms) | Sum(terms=terms):
            return Add(tuple(map(substitute, terms)))
        case Sub(left, right):
            return Sub(substitute(left), substitute(right))
        case Mul(factors) | Product(factors=factors):
            return Mul(tuple(map(substitute, factors)))
        case Div(numerator, denominator):
            return Div(substitute(numerator), substitute(denominator))
        case Pow(base, exponent):
            return Pow(substitute(base), substitute(exponent))
        case Root(radicand, degree):
            return Root(substitute(radicand), degree)
        case Call(function, arguments):
            return Call(function, tuple(map(substitute, arguments)))
        case _:
            assert_never(expr)


def is_number(expr: Expr) -> bool:
    """Whether a formula with its numbers put in is nothing but a decimal number already.

    >>> is_number(Num(0.5)), is_number(Num(Fraction(1, 2))), is_number(Num(Fraction(1, 2), True))
    (True, False, True)
    """
    return isinstance(expr, Num) and (expr.decimal or not isinstance(expr.value, Fraction))


def _sum(terms: Iterable[Value]) -> Value:
    values = list(terms)
    if all(isinstance(value, Fraction) for value in values):
        return sum(values, start=Fraction(0))
    return math.fsum(values)


def _pow(base: Value, exponent: Value) -> Value:
    exact = Fraction(exponent)
    if exact.denominator == 1:
        return base**exact.numerator
    return power(Fraction(base), exact)


_FUNCTIONS: dict[str, Callable[..., Value]] = {
    "exp": math.exp,
    "ln": lambda x: ln(Fraction(x)),
    "abs": abs,
    "max": max,
}
