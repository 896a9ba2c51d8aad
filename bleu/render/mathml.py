"""Formulas as MathML Core, which all browser engines support."""

import re
from collections.abc import Iterable
from html import escape
from typing import Final, assert_never

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

_THIN_SPACE: Final = '<mspace width="0.167em"></mspace>'
MAX_LINE_CHARACTERS: Final = 60
"""The length above which an equation is split into lines."""
OPERANDS_PER_LINE: Final = 4
"""The terms of a sum, or factors of a product, that fit into one line on a phone."""


def inline(expr: Expr) -> str:
    """Render a formula within running text."""
    return f"<math>{mathml(expr)}</math>"


def equation(content: Equation) -> str:
    """Render a displayed equation: symbols, numbers and result, in lines if it is long."""
    right = sides(content, _lines)
    left = mathml(content.left)
    if sum(len(_text(line)) for _, lines in right for line in lines) <= MAX_LINE_CHARACTERS:
        body = left + "".join(f"<mo>{sign}</mo>{''.join(lines)}" for sign, lines in right)
        return f'<math display="block"><mrow>{body}</mrow></math>'
    rows: list[str] = []
    for sign, lines in right:
        start = f"<mtd>{'' if rows else left}</mtd><mtd><mo>{sign}</mo></mtd>"
        rows += [f"{start}<mtd>{lines[0]}</mtd>"]
        rows += [f"<mtd></mtd><mtd></mtd><mtd>{line}</mtd>" for line in lines[1:]]
    return f'<math display="block">{_table(rows)}</math>'


def mathml(expr: Expr) -> str:
    """Render the markup of a formula, without the enclosing `<math>` element."""
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
            # Limits beside the sign keep the product low enough for a root sign in one piece.
            inner = f'<mstyle displaystyle="false">{_big_operator("∏", upper, body)}</mstyle>'
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
            return _big_operator("∑", upper, body)
        case Product(body, upper):
            return _big_operator("∏", upper, body)
        case _:
            assert_never(expr)


def _big_operator(sign: str, upper: str, body: Expr) -> str:
    lower = "<mrow><mi>n</mi><mo>=</mo><mn>1</mn></mrow>"
    return _row(f"<munderover><mo>{sign}</mo>{lower}<mi>{upper}</mi></munderover>{mathml(body)}")


def _symbol(symbol: Sym) -> str:
    name = f"<mi>{escape(symbol.name)}</mi>"
    index = symbol.index
    subscript = f"<mn>{index}</mn>" if index.isdigit() else f"<mi>{escape(index)}</mi>"
    if symbol.prime and index:
        return f"<msubsup>{name}{subscript}<mo>′</mo></msubsup>"
    if symbol.prime:
        return f"<msup>{name}<mo>′</mo></msup>"
    return f"<msub>{name}{subscript}</msub>" if index else name


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
    fixed_height = "" if "<mfrac>" in markup or "<munder" in markup else ' stretchy="false"'
    return _row(f"<mo{fixed_height}>(</mo>{markup}<mo{fixed_height}>)</mo>")


def _row(markup: str) -> str:
    return f"<mrow>{markup}</mrow>"


def _lines(expr: Expr) -> tuple[str, ...]:
    """Render a formula in lines: one, or several for a long sum or product."""
    match expr:
        case Add(terms):
            operands, sign = [*map(_grouped_negative, terms)], "+"
        case Mul(factors):
            operands, sign = [*map(_grouped, factors)], "·"
        case _:
            return (mathml(expr),)
    starts = range(0, len(operands), OPERANDS_PER_LINE)
    lines = [_join(operands[start : start + OPERANDS_PER_LINE], sign) for start in starts]
    operator = f'<mo form="infix">{sign}</mo>'
    return tuple(_row(f"{operator if index else ''}{line}") for index, line in enumerate(lines))


def _table(rows: Iterable[str]) -> str:
    return f"<mtable>{''.join(f'<mtr>{row}</mtr>' for row in rows)}</mtable>"


def _join(operands: Iterable[str], sign: str) -> str:
    return f"<mo>{sign}</mo>".join(operands)


def _text(markup: str) -> str:
    return re.sub("<[^>]*>", "", markup)
