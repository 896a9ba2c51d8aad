"""Arithmetic of quantities: numbers, or formulas, so that one rule scores and explains.

On numbers the results are exact if they can be; on formulas they are formulas.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from bleu.metric import numerics
from bleu.metric.expressions import Call, Formula, Num, Pow, Product, Root, Sum, Sym, lift, value_of

Quantity = Any
"""An int, a Fraction, a float or a `Formula`; no type says that the operands are of one kind."""


def as_it_is(name: str, n: int, value: Quantity) -> Quantity:
    """Return a quantity unchanged: the `let` of a run that only scores."""
    return value


def number_like(example: Quantity, number: int) -> Quantity:
    """Return a number, as a formula if the example is one, so that 2**k is shown as a power.

    >>> 2 ** number_like(5, 3), 2 ** number_like(Sym("m", 5), 3)
    (8, Pow(base=Num(value=2, decimal=False), exponent=Num(value=3, decimal=False)))
    """
    return Num(number) if isinstance(example, Formula) else number


def quotient(numerator: Quantity, denominator: Quantity) -> Quantity:
    """Return an exact quotient; the denominators 0 and 1 are left out.

    >>> quotient(3, 4), quotient(Sym("ε", 1), 1) == Sym("ε", 1)
    (Fraction(3, 4), True)
    """
    if type(numerator) is int and type(denominator) is int:
        return Fraction(numerator, denominator or 1)
    is_whole = not isinstance(denominator, Formula) and denominator == 1
    return numerator if is_whole or not denominator else numerator / denominator


@cache
def power_of_half(k: Quantity) -> Quantity:
    """Return 1/2^k."""
    return Fraction(1) / 2**k


def ln(x: Quantity) -> Quantity:
    """Return the natural logarithm; ln(0) is -inf."""
    if isinstance(x, Formula):
        return Call("ln", (lift(x),))
    return math.log(x) if isinstance(x, int) and x else numerics.ln(Fraction(x))


def exp(x: Quantity) -> Quantity:
    """Return the exponential."""
    return Call("exp", (lift(x),)) if isinstance(x, Formula) else math.exp(x)


def exact(x: Quantity, divisor: Quantity = None) -> Quantity:
    """Return a float, divided by an exact number if one is given, as the fraction that it is."""
    if isinstance(x, Formula):
        return x if divisor is None else x / divisor
    return Fraction(x if divisor is None else x / float(divisor))


def weighted_sum(
    weights: Sequence[Quantity],
    function: Callable[[Quantity], Quantity],
    values: Sequence[Quantity],
) -> Quantity:
    """Return Σ w_n · function(x_n) over the orders with a weight; floats are added exactly.

    >>> weighted_sum([Fraction(1, 2), 0], ln, [1, 0])
    0.0
    """
    terms = [w * function(x) for w, x in zip(weights, values, strict=True) if w]
    if isinstance(weights[0], Formula):
        return Sum(lift(_general(weights) * function(_general(values))), tuple(terms))
    return math.fsum(terms)


def mean_by_product(weights: Sequence[Quantity], values: Sequence[Quantity]) -> Formula:
    """Return Π x_n^w_n over the orders with a weight, as one root if the weights are equal."""
    used = [(w, x) for w, x in zip(weights, values, strict=True) if w]
    if used and {value_of(w) for w, _ in used} == {Fraction(1, len(used))}:
        return Root(Product(_general(values), tuple(x for _, x in used)), len(used))
    powers = tuple(Pow(x, w) for w, x in used)
    return Product(Pow(_general(values), _general(weights)), powers)


def _general(values: Sequence[Quantity]) -> Sym:
    """Return the symbol of the general term: p_n for p_1, p′_2, …."""
    return Sym(values[0].name, index="n")
