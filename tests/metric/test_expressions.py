"""Expressions: evaluation and substitution."""

import math
from fractions import Fraction

import pytest

from bleu.metric.algebra import exp, ln
from bleu.metric.expressions import (
    Add,
    Call,
    Div,
    Equation,
    Mul,
    Num,
    Pow,
    Product,
    Root,
    Sub,
    Sum,
    Sym,
    evaluate,
    substitute,
)

P = (Sym("p", Fraction(1, 2), "1"), Sym("p", Fraction(1, 8), "2"))


@pytest.mark.parametrize(
    ("expr", "value"),
    [
        (Num(3), Fraction(3)),
        (Add((Num(1), Num(Fraction(1, 2)))), Fraction(3, 2)),
        (Add((Num(0.1), Num(0.2), Num(0.3))), math.fsum((0.1, 0.2, 0.3))),
        (Sub(Num(1), Div(Num(6), Num(5))), Fraction(-1, 5)),
        (Mul((Num(Fraction(1, 4)), ln(Num(1)))), 0.0),
        (Pow(Num(2), Num(3)), Fraction(8)),
        (Pow(Num(Fraction(1, 4)), Num(Fraction(1, 2))), 0.5),
        (Root(Product(P[0], P), 2), 0.25),
        (Sum(P[0], P), Fraction(5, 8)),
        (exp(ln(Num(0))), 0.0),
        (Call("abs", (Num(-2),)), Fraction(2)),
        (Call("max", (Num(1), Num(2))), Fraction(2)),
    ],
)
def test_evaluate_returns_value_of_expected_type(expr, value):
    assert evaluate(expr) == value
    assert type(evaluate(expr)) is type(value)
    assert evaluate(substitute(expr)) == value


def test_substitute_expands_product():
    assert substitute(Product(P[0], P)) == Mul((Num(Fraction(1, 2)), Num(Fraction(1, 8))))


def test_equation_holds_only_if_both_sides_are_equal():
    half = Div(Num(1), Num(2))
    assert Equation(Sym("p", Fraction(1, 2)), half).holds
    assert not Equation(Sym("p", Fraction(1, 3)), half).holds


def test_evaluate_raises_for_symbol_without_value():
    with pytest.raises(ValueError, match="pn has no value"):
        evaluate(Sym("p", index="n"))
