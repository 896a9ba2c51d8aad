"""Formulas in LaTeX's mathematics, with amsmath."""

from collections.abc import Iterable
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
from bleu.render import text
from bleu.render.equations import is_atom, is_negative, needs_factor_parentheses, sides
from bleu.render.numbers import decimal_text, is_fraction, number_text

GREEK: Final = {"α": r"\alpha", "δ": r"\delta", "ε": r"\varepsilon", "π": r"\pi"}
"""The Greek letters that name a quantity."""

TIMES: Final = r" \cdot "
SIGNS: Final = {"=": "=", "≈": r"\approx"}
LINE: Final = 60
"""Characters of an equation, as text, above which it is set in lines."""
TERMS: Final = 4
"""Terms of a sum or factors of a product on one of these lines."""
WIDE: Final = 20
"""Terms above which a sum within a formula is set in lines."""


def equation(shown: Equation) -> str:
    """An equation in display: symbols, the same with numbers, and the result.

    >>> from bleu.document.expressions import exp
    >>> print(equation(Equation(Sym("BP", 1.0), exp(Sub(Num(1), Num(1))))))
    \\[ \\mathrm{BP} = \\exp\\left(1 - 1\\right) = 1 \\]
    """
    name = formula(shown.left)
    if len(text.equation(shown)) <= LINE:
        written = " ".join(f"{SIGNS[sign]} {side}" for sign, side in sides(shown, formula))
        return rf"\[ {name} {written} \]"
    lines = " \\\\\n".join(f"&{SIGNS[sign]} {side}" for sign, side in sides(shown, _in_lines))
    return f"\\begin{{align*}}\n{name} {lines}\n\\end{{align*}}"


def formula(expr: Expr) -> str:
    """A formula.

    >>> from fractions import Fraction
    >>> formula(Pow(Num(Fraction(3, 4)), Sym("w", index="2")))
    '\\\\left(\\\\frac{3}{4}\\\\right)^{w_{2}}'
    """
    match expr:
        case Num(value, decimal):
            return _number(value, decimal=decimal)
        case Sym():
            return _symbol(expr)
        case Add(terms) if len(terms) > WIDE:
            lines = " + \\\\ ".join(formula(Add(part)) for part in _parts(terms, WIDE))
            return rf"\begin{{gathered}} {lines} \end{{gathered}}"
        case Add(terms):
            return " + ".join(map(_term, terms))
        case Sub(left, right):
            return f"{formula(left)} - {_factor(right)}"
        case Mul(factors):
            return TIMES.join(map(_factor, factors))
        case Div(numerator, denominator):
            return rf"\frac{{{formula(numerator)}}}{{{formula(denominator)}}}"
        case Pow(base, exponent):
            below = formula(base)
            plain = is_atom(base) and TIMES not in below
            return f"{below if plain else _parentheses(below)}^{{{formula(exponent)}}}"
        case Root(radicand, 1):
            return formula(radicand)
        case Root(radicand, 2):
            return rf"\sqrt{{{formula(radicand)}}}"
        case Root(radicand, degree):
            return rf"\sqrt[{degree}]{{{formula(radicand)}}}"
        case Call("abs", (argument,)):
            return rf"\left|{formula(argument)}\right|"
        case Call("ln", ((Num() | Sym() | Div(Num(), Num())) as argument,)) if TIMES not in formula(
            argument
        ):
            return rf"\ln {formula(argument)}"
        case Call(function, arguments):
            inner = ", ".join(map(formula, arguments))
            return rf"\{function}" + _parentheses(inner)
        case Sum(body, upper):
            return rf"\sum_{{n=1}}^{{{upper}}} {formula(body)}"
        case Product(body, upper):
            return rf"\prod_{{n=1}}^{{{upper}}} {formula(body)}"
        case _:
            assert_never(expr)


def _symbol(symbol: Sym) -> str:
    name = GREEK.get(symbol.name, symbol.name)
    index = symbol.index if len(symbol.index) == 1 else _upright(symbol.index)
    return (
        (name if symbol.name in GREEK or len(name) == 1 else _upright(name))
        + (f"_{{{index}}}" if index else "")
        + ("'" if symbol.prime else "")
    )


def _upright(word: str) -> str:
    return rf"\mathrm{{{word}}}" if word else ""


def _number(value: Value | int, *, decimal: bool) -> str:
    if is_fraction(value) and not decimal:
        sign = "-" if value < 0 else ""
        return rf"{sign}\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"
    plain = (decimal_text(value) if decimal else number_text(value)).replace("−", "-")
    mantissa, _, exponent = plain.replace("∞", r"\infty").partition("e")
    return f"{mantissa}{TIMES}10^{{{int(exponent)}}}" if exponent else mantissa


def _in_lines(expr: Expr) -> str:
    match expr:
        case Add(terms):
            return _broken(" + ", [formula(Add(part)) for part in _parts(terms, TERMS)])
        case Mul(factors):
            return _broken(TIMES, [formula(Mul(part)) for part in _parts(factors, TERMS)])
        case _:
            return formula(expr)


def _parts(items: tuple[Expr, ...], size: int) -> Iterable[tuple[Expr, ...]]:
    return (items[start : start + size] for start in range(0, len(items), size))


def _broken(sign: str, lines: Iterable[str]) -> str:
    return f" \\\\\n&\\qquad{sign}".join(lines)


def _term(expr: Expr) -> str:
    return _parentheses(formula(expr)) if is_negative(expr) else formula(expr)


def _factor(expr: Expr) -> str:
    return _parentheses(formula(expr)) if needs_factor_parentheses(expr) else formula(expr)


def _parentheses(inner: str) -> str:
    return rf"\left({inner}\right)"
