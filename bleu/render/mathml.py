"""Formulas as MathML, and in words for screen readers."""

import re
from collections.abc import Callable, Iterable
from html import escape
from typing import Final, assert_never

from bleu.metric import expressions as ex
from bleu.render import numbers
from bleu.render import text as as_text

_WORDS: Final = {
    r"∑_\(n=1…N\) ": "the sum over n from 1 to N of ",
    r"∏_\(n=1…N\) ": "the product over n from 1 to N of ",
    r"(?<=\d)e−(\d+)": r" times 10 to the power of minus \1",
    r"(?<== )(\d+)/(\d+)(?= |$)": r"\1 of \2",
    r"\b(exp|ln|max)\(": r"\1 of (",
    r"\babs\(": "the absolute value of (",
    r"\^": " to the power of ",
    " = ": " equals ",
    " ≈ ": ", about ",
    r" \+ ": " plus ",
    " − ": " minus ",
    "−": "minus ",
    "∞": "infinity",
    "·": " times ",
    "/": " over ",
    "′": " prime",
    "_": " ",
}
"""The words for each pattern in a plain-text formula, in the order of replacement."""


def spoken(formula: str) -> str:
    """Return the words that a screen reader says for a formula or equation in plain text.

    >>> spoken("p_2 = matched_2/total_2 = 2/7 ≈ 0.2857")
    'p 2 equals matched 2 over total 2 equals 2 of 7, about 0.2857'
    >>> spoken("BP = exp(1 − r/c)"), spoken("2/7"), spoken("p′_3")
    ('BP equals exp of 1 minus r over c', '2 over 7', 'p prime 3')
    """
    for pattern, words in _WORDS.items():
        formula = re.sub(pattern, words, formula)
    return formula.replace("(", "").replace(")", ",").removesuffix(",").replace(",,", ",")


_THIN_SPACE: Final = '<mspace width="0.167em"></mspace>'


def inline(expr: ex.Expr) -> str:
    """Render a formula in running text, labelled with its spoken form if that differs."""
    formula = as_text.formula(expr)
    spoken_form = spoken(formula)
    label = f' aria-label="{escape(spoken_form)}"' if spoken_form != formula else ""
    return f"<math{label}>{mathml(expr)}</math>"


def equation(content: ex.Equation) -> str:
    """Render a displayed equation: symbols, numbers and result, in lines if it is long."""
    right = numbers.sides(content, _lines)
    left = mathml(content.left)
    plain = re.sub("<[^>]*>", "", "".join(line for _, lines in right for line in lines))
    if len(plain) <= numbers.MAX_LINE_CHARACTERS:
        body = left + "".join(f"<mo>{sign}</mo>{''.join(lines)}" for sign, lines in right)
        return f'<math display="block"><mrow>{body}</mrow></math>'
    rows: list[str] = []
    for sign, lines in right:
        start = f"<mtd>{'' if rows else left}</mtd><mtd><mo>{sign}</mo></mtd>"
        rows += [f"{start}<mtd>{lines[0]}</mtd>"]
        rows += [f"<mtd></mtd><mtd></mtd><mtd>{line}</mtd>" for line in lines[1:]]
    return f'<math display="block">{_table(rows)}</math>'


def mathml(expr: ex.Expr) -> str:
    """Render a formula as MathML without the enclosing `<math>` element."""
    match expr:
        case ex.Num(value, decimal):
            return _number(value, decimal=decimal)
        case ex.Sym():
            return _symbol(expr)
        case ex.Add() | ex.Mul():
            lines = _lines(expr)
            return lines[0] if len(lines) == 1 else _table(f"<mtd>{line}</mtd>" for line in lines)
        case ex.Sub(left, right):
            return _row(f"{mathml(left)}<mo>−</mo>{_grouped(right)}")
        case ex.Div(numerator, denominator):
            return f"<mfrac>{mathml(numerator)}{mathml(denominator)}</mfrac>"
        case ex.Pow(base, exponent):
            plain_base = mathml(base) if numbers.is_atom(base) else _parentheses(mathml(base))
            return f"<msup>{plain_base}{mathml(exponent)}</msup>"
        case ex.Root(radicand, 1):
            return mathml(radicand)
        case ex.Root(radicand, 2):
            return f"<msqrt>{mathml(radicand)}</msqrt>"
        case ex.Root(ex.Product(body), degree):
            # Limits beside the sign keep the product low enough for a root sign in one piece.
            inner = f'<mstyle displaystyle="false">{_big_operator("∏", body)}</mstyle>'
            return f"<mroot>{inner}<mn>{degree}</mn></mroot>"
        case ex.Root(radicand, degree):
            return f"<mroot>{mathml(radicand)}<mn>{degree}</mn></mroot>"
        case ex.Call("abs", (argument,)):
            return _row(f"<mo>|</mo>{mathml(argument)}<mo>|</mo>")
        case ex.Call("ln", ((ex.Num() | ex.Sym() | ex.Div(ex.Num(), ex.Num())) as argument,)):
            return _row(f"<mi>ln</mi><mo>&#8289;</mo>{_THIN_SPACE}{mathml(argument)}")
        case ex.Call(function, arguments):
            inner = _join(map(mathml, arguments), ",")
            return _row(f"<mi>{function}</mi><mo>&#8289;</mo>{_parentheses(inner)}")
        case ex.Sum(body):
            return _big_operator("∑", body)
        case ex.Product(body):
            return _big_operator("∏", body)
        case _:
            assert_never(expr)


def _big_operator(sign: str, body: ex.Expr) -> str:
    lower = "<mrow><mi>n</mi><mo>=</mo><mn>1</mn></mrow>"
    return _row(f"<munderover><mo>{sign}</mo>{lower}<mi>N</mi></munderover>{mathml(body)}")


def _symbol(symbol: ex.Sym) -> str:
    name = f"<mi>{escape(symbol.name)}</mi>"
    index = symbol.index
    subscript = f"<mn>{index}</mn>" if index.isdigit() else f"<mi>{escape(index)}</mi>"
    if symbol.is_primed and index:
        return f"<msubsup>{name}{subscript}<mo>′</mo></msubsup>"
    if symbol.is_primed:
        return f"<msup>{name}<mo>′</mo></msup>"
    return f"<msub>{name}{subscript}</msub>" if index else name


def _number(value: ex.Value | int, *, decimal: bool) -> str:
    if numbers.is_shown_as_fraction(value) and not decimal:
        return f"<mfrac><mn>{value.numerator}</mn><mn>{value.denominator}</mn></mfrac>"
    text = numbers.decimal_text(value) if decimal else numbers.number_text(value)
    sign = "<mo>−</mo>" if text.startswith("−") else ""
    mantissa, _, exponent = text.removeprefix("−").partition("e")
    markup = f"{sign}<mn>{mantissa}</mn>"
    if exponent:
        markup += f"<mo>·</mo><msup><mn>10</mn><mn>{exponent.removeprefix('+')}</mn></msup>"
    return _row(markup) if sign or exponent else markup


def _grouped(
    expr: ex.Expr, needs_parentheses: Callable[[ex.Expr], bool] = numbers.needs_factor_parentheses
) -> str:
    return _parentheses(mathml(expr)) if needs_parentheses(expr) else mathml(expr)


def _parentheses(markup: str) -> str:
    fixed_height = "" if "<mfrac>" in markup or "<munder" in markup else ' stretchy="false"'
    return _row(f"<mo{fixed_height}>(</mo>{markup}<mo{fixed_height}>)</mo>")


def _row(markup: str) -> str:
    return f"<mrow>{markup}</mrow>"


def _lines(expr: ex.Expr) -> tuple[str, ...]:
    """Render a formula in lines: one, or several for a long sum or product."""
    match expr:
        case ex.Add(terms):
            operands, sign = [_grouped(term, numbers.is_negative) for term in terms], "+"
        case ex.Mul(factors):
            operands, sign = [_grouped(factor) for factor in factors], "·"
        case _:
            return (mathml(expr),)
    starts = range(0, len(operands), numbers.OPERANDS_PER_LINE)
    lines = [_join(operands[start : start + numbers.OPERANDS_PER_LINE], sign) for start in starts]
    operator = f'<mo form="infix">{sign}</mo>'
    return tuple(_row(f"{operator if index else ''}{line}") for index, line in enumerate(lines))


def _table(rows: Iterable[str]) -> str:
    return f"<mtable>{''.join(f'<mtr>{row}</mtr>' for row in rows)}</mtable>"


def _join(operands: Iterable[str], sign: str) -> str:
    return f"<mo>{sign}</mo>".join(operands)
