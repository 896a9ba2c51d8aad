"""Formulas as expression trees: symbols, substituted numbers and results from the same tree.

Every symbol carries its value, so `evaluate(formula)` checks every formula that is shown.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import assert_never, cast

from bleu.metric.numerics import ln, power

Value = Fraction | float


class Formula:
    """The operators of all formulas: on a formula and a number they give a formula.

    Comparisons and truth go by the value, so that a rule written for numbers decides alike for
    symbols; `==` alone compares the trees.
    """

    __slots__ = ()

    def __add__(self, other: "Operand") -> "Add":
        return Add((*(self.terms if isinstance(self, Add) else (lift(self),)), lift(other)))

    def __radd__(self, other: "Operand") -> "Add":
        return Add((lift(other), lift(self)))

    def __sub__(self, other: "Operand") -> "Sub":
        return Sub(lift(self), lift(other))

    def __rsub__(self, other: "Operand") -> "Sub":
        return Sub(lift(other), lift(self))

    def __mul__(self, other: "Operand") -> "Mul":
        return Mul((*(self.factors if isinstance(self, Mul) else (lift(self),)), lift(other)))

    def __rmul__(self, other: "Operand") -> "Mul":
        return Mul((lift(other), lift(self)))

    def __truediv__(self, other: "Operand") -> "Div":
        if isinstance(self, Div):  # a/b/c is shown as a/(b·c)
            return Div(self.numerator, self.denominator * other)
        return Div(lift(self), lift(other))

    def __rtruediv__(self, other: "Operand") -> "Div":
        return Div(lift(other), lift(self))

    def __pow__(self, other: "Operand") -> "Pow":
        return Pow(lift(self), lift(other))

    def __rpow__(self, other: "Operand") -> "Pow":
        return Pow(lift(other), lift(self))

    def __bool__(self) -> bool:
        return bool(value_of(self))

    def __lt__(self, other: "Operand") -> bool:
        return value_of(self) < value_of(other)

    def __le__(self, other: "Operand") -> bool:
        return value_of(self) <= value_of(other)

    def __gt__(self, other: "Operand") -> bool:
        return value_of(self) > value_of(other)

    def __ge__(self, other: "Operand") -> bool:
        return value_of(self) >= value_of(other)


@dataclass(frozen=True, slots=True)
class Num(Formula):
    """A number; with `decimal`, an exact fraction is shown as 0.1 instead of 1/10."""

    value: Value | int
    decimal: bool = False


@dataclass(frozen=True, slots=True)
class Sym(Formula):
    """A symbol such as p with index 1; its value may be None, as in the general term of a sum.

    `unreduced` is the value as counted, as numerator and denominator: (2, 8) for 1/4.
    """

    name: str
    value: Value | int | None = None
    index: str = ""
    is_primed: bool = False
    decimal: bool = False
    unreduced: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Add(Formula):
    """The sum of the terms."""

    terms: tuple["Expr", ...]


@dataclass(frozen=True, slots=True)
class Sub(Formula):
    """The difference left − right."""

    left: "Expr"
    right: "Expr"


@dataclass(frozen=True, slots=True)
class Mul(Formula):
    """The product of the factors."""

    factors: tuple["Expr", ...]


@dataclass(frozen=True, slots=True)
class Div(Formula):
    """A fraction."""

    numerator: "Expr"
    denominator: "Expr"


@dataclass(frozen=True, slots=True)
class Pow(Formula):
    """A power."""

    base: "Expr"
    exponent: "Expr"


@dataclass(frozen=True, slots=True)
class Root(Formula):
    """A root of an exact number."""

    radicand: "Expr"
    degree: int


@dataclass(frozen=True, slots=True)
class Call(Formula):
    """A call of one of the functions exp, ln, abs and max."""

    function: str
    arguments: tuple["Expr", ...]


@dataclass(frozen=True, slots=True)
class Sum(Formula):
    """The sum over n = 1 … N, with its general term `body` and its `terms`."""

    body: "Expr"
    terms: tuple["Expr", ...]


@dataclass(frozen=True, slots=True)
class Product(Formula):
    """The product over n = 1 … N, with its general factor `body` and its `factors`."""

    body: "Expr"
    factors: tuple["Expr", ...]


Expr = Num | Sym | Add | Sub | Mul | Div | Pow | Root | Call | Sum | Product
Operand = Formula | Fraction | float | int


def lift(x: Operand) -> Expr:
    """Return a number as a formula, and a formula unchanged."""
    if isinstance(x, Formula):
        return cast(Expr, x)
    return Num(x.numerator if isinstance(x, Fraction) and x.denominator == 1 else x)


def value_of(x: Operand) -> Value | int:
    """Return a number, or the value of a formula."""
    return evaluate(cast(Expr, x)) if isinstance(x, Formula) else x


@dataclass(frozen=True, slots=True)
class Equation:
    """The equation left = formula."""

    left: Sym
    formula: Expr

    @property
    def holds(self) -> bool:
        """Whether the formula evaluates to exactly the value of the left side."""
        return evaluate(self.formula) == evaluate(self.left)


def evaluate(expr: Expr) -> Value:
    """Return the value of a formula, exact if possible: exp, ln and most powers give floats.

    Raises ValueError if a symbol has no value.

    >>> evaluate(Div(Sym("matched", 3, "2"), Sym("total", 4, "2")))
    Fraction(3, 4)
    >>> evaluate(Call("exp", (Num(0),)))
    1.0
    """
    match expr:
        case Num(value) | Sym(value=(int() | float() | Fraction()) as value):
            return Fraction(value) if isinstance(value, int) else value
        case Sym():
            raise ValueError(f"symbol {expr.name}{expr.index} has no value; set Sym.value")
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
    """Replace every symbol by its number, and expand sums and products.

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


def is_shown_as_decimal(expr: Expr) -> bool:
    """Return whether an expression is a number that is shown as a decimal.

    >>> is_shown_as_decimal(Num(Fraction(1, 2))), is_shown_as_decimal(Num(Fraction(1, 2), True))
    (False, True)
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
