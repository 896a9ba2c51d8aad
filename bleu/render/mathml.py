"""Formulas as native MathML, from the safe core that all browser engines draw."""

import re
from collections.abc import Iterable
from html import escape
from typing import assert_never

from bleu.document.expressions import (
    Add,
    Call,
    Div,
    Equation,
    Expr,
    Mul,
    Num,
    Pow,
    Product,
    Root,
    Sub,
    Sum,
    Sym,
    Value,
)
from bleu.render.equations import is_atom, is_negative, needs_factor_parentheses, sides
from bleu.render.numbers import decimal_text, is_fraction, number_text

_THIN_SPACE = '<mspace width="0.167em"></mspace>'
LINE = 60
"""Characters of a formula above which an equation is set in lines."""
PARTS = 4
"""Terms of a sum, or factors of a product, in one line: as many as a phone has room for."""


def inline(expr: Expr) -> str:
    """A formula within a line of text."""
    return f"<math>{mathml(expr)}</math>"


def equation(left: Equation) -> str:
    """An equation: symbols, the same with numbers, and the result, repeated sides left out."""
    written = sides(left, _lines)
    name = mathml(left.left)
    if sum(len(_text(line)) for _, lines in written for line in lines) <= LINE:
        body = name + "".join(f"<mo>{sign}</mo>{''.join(lines)}" for sign, lines in written)
        return f'<math display="block"><mrow>{body}</mrow></math>'
    rows: list[str] = []
    for sign, lines in written:
        first = f"<mtd>{'' if rows else name}</mtd><mtd><mo>{sign}</mo></mtd>"
        rows += [f"{first}<mtd>{lines[0]}</mtd>"]
        rows += [f"<mtd></mtd><mtd></mtd><mtd>{line}</mtd>" for line in lines[1:]]
    return f'<math display="block">{_table(rows)}</math>'


def mathml(expr: Expr) -> str:
    """The markup of a formula."""
    match expr:
        case Num(value, decimal):
            return _number(value, decimal=decimal)
        case Sym():
            return _symbol(expr)
        case Add() | Mul():
            lines = _lines(expr)
            return lines[0] if len(lines) == 1 else _table(f"<mtd>{line}</mtd>" for line in lines)
        case Sub(left, right):
            return _row(f"{mathml(left)}<mo>−</mo>{_grouped(right)}")
        case Div(numerator, denominator):
            return f"<mfrac>{mathml(numerator)}{mathml(denominator)}</mfrac>"
        case Pow(base, exponent):
            return f"<msup>{_power_base(base)}{mathml(exponent)}</msup>"
        case Root(radicand, 1):
            return mathml(radicand)
        case Root(radicand, 2):
            return f"<msqrt>{mathml(radicand)}</msqrt>"
        case Root(Product(body, upper), degree):
            # with its limits at its side, it stands under a root that is drawn in one piece
            inner = f'<mstyle displaystyle="false">{_over("∏", upper, body)}</mstyle>'
            return f"<mroot>{inner}<mn>{degree}</mn></mroot>"
        case Root(radicand, degree):
            return f"<mroot>{mathml(radicand)}<mn>{degree}</mn></mroot>"
        case Call("abs", (argument,)):
            return _row(f"<mo>|</mo>{mathml(argument)}<mo>|</mo>")
        case Call("ln", ((Num() | Sym() | Div(Num(), Num())) as argument,)):
            return _row(f"<mi>ln</mi><mo>&#8289;</mo>{_THIN_SPACE}{mathml(argument)}")
        case Call(function, arguments):
            inner = _join(map(mathml, arguments), ",")
            return _row(f"<mi>{function}</mi><mo>&#8289;</mo>{_parentheses(inner)}")
        case Sum(body, upper):
            return _over("∑", upper, body)
        case Product(body, upper):
            return _over("∏", upper, body)
        case _:
            assert_never(expr)


def _over(sign: str, upper: str, body: Expr) -> str:
    lower = "<mrow><mi>n</mi><mo>=</mo><mn>1</mn></mrow>"
    return _row(f"<munderover><mo>{sign}</mo>{lower}<mi>{upper}</mi></munderover>{mathml(body)}")


def _symbol(symbol: Sym) -> str:
    name = f"<mi>{escape(symbol.name)}</mi>"
    index = symbol.index
    below = f"<mn>{index}</mn>" if index.isdigit() else f"<mi>{escape(index)}</mi>"
    if symbol.prime and index:
        return f"<msubsup>{name}{below}<mo>′</mo></msubsup>"
    if symbol.prime:
        return f"<msup>{name}<mo>′</mo></msup>"
    return f"<msub>{name}{below}</msub>" if index else name


def _number(value: Value | int, *, decimal: bool) -> str:
    if is_fraction(value) and not decimal:
        return f"<mfrac><mn>{value.numerator}</mn><mn>{value.denominator}</mn></mfrac>"
    text = decimal_text(value) if decimal else number_text(value)
    sign = "<mo>−</mo>" if text.startswith("−") else ""
    mantissa, _, exponent = text.removeprefix("−").partition("e")
    if exponent:
        power = exponent.removeprefix("+")
        times = f"<mn>{mantissa}</mn><mo>·</mo><msup><mn>10</mn><mn>{power}</mn></msup>"
        return _row(sign + times)
    return _row(f"{sign}<mn>{mantissa}</mn>") if sign else f"<mn>{mantissa}</mn>"


def _grouped(expr: Expr) -> str:
    return _parentheses(mathml(expr)) if needs_factor_parentheses(expr) else mathml(expr)


def _grouped_negative(expr: Expr) -> str:
    return _parentheses(mathml(expr)) if is_negative(expr) else mathml(expr)


def _power_base(expr: Expr) -> str:
    return mathml(expr) if is_atom(expr) else _parentheses(mathml(expr))


def _parentheses(markup: str) -> str:
    flat = "" if "<mfrac>" in markup or "<munder" in markup else ' stretchy="false"'
    return _row(f"<mo{flat}>(</mo>{markup}<mo{flat}>)</mo>")


def _row(markup: str) -> str:
    return f"<mrow>{markup}</mrow>"


def _lines(expr: Expr) -> tuple[str, ...]:
    """The markup in lines, of which a long sum or product has several."""
    match expr:
        case Add(terms):
            parts, sign = [*map(_grouped_negative, terms)], "+"
        case Mul(factors):
            parts, sign = [*map(_grouped, factors)], "·"
        case _:
            return (mathml(expr),)
    lines = [_join(parts[start : start + PARTS], sign) for start in range(0, len(parts), PARTS)]
    begun = f'<mo form="infix">{sign}</mo>'
    return tuple(_row(f"{begun if place else ''}{line}") for place, line in enumerate(lines))


def _table(rows: Iterable[str]) -> str:
    return f"<mtable>{''.join(f'<mtr>{row}</mtr>' for row in rows)}</mtable>"


def _join(parts: Iterable[str], sign: str) -> str:
    return f"<mo>{sign}</mo>".join(parts)


def _text(markup: str) -> str:
    return re.sub("<[^>]*>", "", markup)
