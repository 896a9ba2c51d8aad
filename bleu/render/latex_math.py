"""Formulas in LaTeX math mode, with amsmath."""

from collections.abc import Callable, Iterable
from typing import Final, assert_never

from bleu.metric import expressions as ex
from bleu.render import text
from bleu.render.equations import (
    MAX_LINE_CHARACTERS,
    OPERANDS_PER_LINE,
    is_atom,
    is_negative,
    needs_factor_parentheses,
    sides,
)
from bleu.render.numbers import decimal_text, is_shown_as_fraction, number_text

GREEK: Final = {"α": r"\alpha", "δ": r"\delta", "ε": r"\varepsilon", "π": r"\pi"}
"""The commands for the Greek letters used as symbols."""

TIMES: Final = r" \cdot "
SIGNS: Final = {"=": "=", "≈": r"\approx"}
MAX_INLINE_TERMS: Final = 20
"""The number of terms above which a sum within a formula is split into lines."""


def equation(content: ex.Equation) -> str:
    """Render a displayed equation: symbols, numbers and result, in lines if it is long.

    >>> print(equation(ex.Equation(ex.Sym("BP", 1.0), ex.Call("exp", (1 - ex.Num(1),)))))
    \\[ \\mathrm{BP} = \\exp\\left(1 - 1\\right) = 1 \\]
    """
    left = formula(content.left)
    if len(text.equation(content)) <= MAX_LINE_CHARACTERS:
        right = " ".join(f"{SIGNS[sign]} {side}" for sign, side in sides(content, formula))
        return rf"\[ {left} {right} \]"
    lines = " \\\\\n".join(f"&{SIGNS[sign]} {side}" for sign, side in sides(content, _in_lines))
    return f"\\begin{{align*}}\n{left} {lines}\n\\end{{align*}}"


def formula(expr: ex.Expr) -> str:
    """Render a formula for math mode.

    >>> from fractions import Fraction
    >>> formula(ex.Pow(ex.Num(Fraction(3, 4)), ex.Sym("w", index="2")))
    '\\\\left(\\\\frac{3}{4}\\\\right)^{w_{2}}'
    """
    match expr:
        case ex.Num(value, decimal):
            return _number(value, decimal=decimal)
        case ex.Sym():
            return _symbol(expr)
        case ex.Add(terms) if len(terms) > MAX_INLINE_TERMS:
            parts = _chunks(terms, MAX_INLINE_TERMS)
            lines = " + \\\\ ".join(formula(ex.Add(part)) for part in parts)
            return rf"\begin{{gathered}} {lines} \end{{gathered}}"
        case ex.Add(terms):
            return " + ".join(_grouped(term, is_negative) for term in terms)
        case ex.Sub(left, right):
            return f"{formula(left)} - {_grouped(right)}"
        case ex.Mul(factors):
            return TIMES.join(map(_grouped, factors))
        case ex.Div(numerator, denominator):
            return rf"\frac{{{formula(numerator)}}}{{{formula(denominator)}}}"
        case ex.Pow(base, exponent):
            plain_base = formula(base)
            grouped = not is_atom(base) or TIMES in plain_base
            return f"{_parentheses(plain_base) if grouped else plain_base}^{{{formula(exponent)}}}"
        case ex.Root(radicand, 1):
            return formula(radicand)
        case ex.Root(radicand, 2):
            return rf"\sqrt{{{formula(radicand)}}}"
        case ex.Root(radicand, degree):
            return rf"\sqrt[{degree}]{{{formula(radicand)}}}"
        case ex.Call("abs", (argument,)):
            return rf"\left|{formula(argument)}\right|"
        case ex.Call("ln", ((ex.Num() | ex.Sym() | ex.Div(ex.Num(), ex.Num())) as argument,)):
            inner = formula(argument)
            return rf"\ln{_parentheses(inner) if TIMES in inner else f' {inner}'}"
        case ex.Call(function, arguments):
            inner = ", ".join(map(formula, arguments))
            return rf"\{function}" + _parentheses(inner)
        case ex.Sum(body):
            return rf"\sum_{{n=1}}^{{N}} {formula(body)}"
        case ex.Product(body):
            return rf"\prod_{{n=1}}^{{N}} {formula(body)}"
        case _:
            assert_never(expr)


def _symbol(symbol: ex.Sym) -> str:
    name = GREEK.get(symbol.name, symbol.name)
    index = symbol.index if len(symbol.index) == 1 else _upright(symbol.index)
    return (
        (name if symbol.name in GREEK or len(name) == 1 else _upright(name))
        + (f"_{{{index}}}" if index else "")
        + ("'" if symbol.is_primed else "")
    )


def _upright(word: str) -> str:
    return rf"\mathrm{{{word}}}" if word else ""


def _number(value: ex.Value | int, *, decimal: bool) -> str:
    if is_shown_as_fraction(value) and not decimal:
        sign = "-" if value < 0 else ""
        return rf"{sign}\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"
    plain = (decimal_text(value) if decimal else number_text(value)).replace("−", "-")
    mantissa, _, exponent = plain.replace("∞", r"\infty").partition("e")
    return f"{mantissa}{TIMES}10^{{{int(exponent)}}}" if exponent else mantissa


def _in_lines(expr: ex.Expr) -> str:
    match expr:
        case ex.Add(terms):
            return _join_lines(" + ", [formula(ex.Add(part)) for part in _chunks(terms)])
        case ex.Mul(factors):
            return _join_lines(TIMES, [formula(ex.Mul(part)) for part in _chunks(factors)])
        case _:
            return formula(expr)


def _chunks(
    operands: tuple[ex.Expr, ...], size: int = OPERANDS_PER_LINE
) -> Iterable[tuple[ex.Expr, ...]]:
    return (operands[start : start + size] for start in range(0, len(operands), size))


def _join_lines(sign: str, lines: Iterable[str]) -> str:
    return f" \\\\\n&\\qquad{sign}".join(lines)


def _grouped(
    expr: ex.Expr, needs_parentheses: Callable[[ex.Expr], bool] = needs_factor_parentheses
) -> str:
    return _parentheses(formula(expr)) if needs_parentheses(expr) else formula(expr)


def _parentheses(inner: str) -> str:
    return rf"\left({inner}\right)"
