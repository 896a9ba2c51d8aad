"""Documents as plain text, for a terminal."""

from collections.abc import Iterable
from typing import assert_never

from bleu.document.blocks import (
    Blank,
    Block,
    Cell,
    Choice,
    ChoiceList,
    Document,
    MarkableTokens,
    Meter,
    Paragraph,
    Quote,
    Score100,
    Span,
    Step,
    Strong,
    Summary,
    Table,
    Term,
    TokenList,
    VisibleBlock,
    Worksheet,
    visible_blocks,
)
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
from bleu.render.equations import sides
from bleu.render.numbers import (
    both_scales,
    decimal_text,
    fixed_text,
    is_fraction,
    number_text,
    score_text,
)

_KIND_SIGNS = {"credited": " ✓", "clipped": " ✂", "unmatched": " ✗"}


def render(document: Document) -> str:
    """Render the whole document as plain text.

    >>> from bleu import derive, explain
    >>> print(render(explain(derive("a b", ["a b"], max_order=1))).splitlines()[0])
    BLEU-1 = 100.00 on the 0–100 scale, 1.0000 on the 0–1 scale
    """
    figures = (
        f"{figure.caption}. {_spans(figure.alternative.spans)}" for figure in document.figures
    )
    return "\n\n".join([_summary(document.summary), *figures, *map(_step, document.steps)]) + "\n"


def one_line(summary: Summary) -> str:
    """Return the result on one line, for pasting.

    >>> from bleu import derive, explain
    >>> one_line(explain(derive("a b", ["a b c"], max_order=1)).summary)
    'BLEU-1 = 60.65 (0.6065) 2/2 nrefs:1|case:mixed|eff:no|tok:whitespace|smooth:none|order:1'
    """
    score_100, score_1 = both_scales(summary.value)
    counts = " ".join(span(row.cells[1]) for row in summary.table.rows)
    return f"{summary.name} = {score_100} ({score_1}) {counts} {summary.signature}"


def _summary(summary: Summary) -> str:
    score_100, score_1 = both_scales(summary.value)
    facts = (f"{fact.label}: {span(fact.value)}" for fact in summary.facts)
    return "\n".join(
        [
            f"{summary.name} = {score_100} on the 0–100 scale, {score_1} on the 0–1 scale",
            summary.check,
            *(_spans(remark.spans) for remark in summary.remarks),
            *facts,
            _table(summary.table),
            f"Signature: {summary.signature}",
            *([_spans(summary.interpretation.spans)] if summary.interpretation else []),
        ]
    )


def worksheet(content: Worksheet) -> str:
    """Render exercises or solutions as plain text, with blanks as ____ and choices as boxes."""
    title = f"{content.title}\n{'#' * len(content.title)}"
    return "\n\n".join([title, *_blocks(content.intro), *map(_step, content.steps)]) + "\n"


def blocks(content: Iterable[Block]) -> str:
    """Render blocks outside a document as plain text."""
    return "\n\n".join(_blocks(content)) + "\n"


def _blocks(content: Iterable[Block]) -> list[str]:
    return [_block(block) for block in visible_blocks(content)]


def _step(step: Step) -> str:
    citation = [f"({step.citation.label}, {step.citation.url})"] if step.citation else []
    title = f"{step.title}\n{'=' * len(step.title)}"
    return "\n\n".join([title, *_blocks(step.blocks), *citation])


def _block(block: VisibleBlock) -> str:
    match block:
        case Paragraph(spans):
            return _spans(spans)
        case Equation():
            return "    " + equation(block)
        case TokenList(title, _, hidden):
            more = f" … and {hidden:,} more" if hidden else ""
            return f"{title}\n    {' | '.join(marked_tokens(block))}{more}"
        case Table():
            return _table(block)
        case MarkableTokens(_, label, tokens):
            return f"{tokens.title} ({label})\n    {' | '.join(tokens.tokens)}"
        case _:
            assert_never(block)


def marked_tokens(content: TokenList) -> list[str]:
    """Return the tokens, each with the sign of its status."""
    kinds = content.kinds or ("",) * len(content.tokens)
    pairs = zip(content.tokens, kinds, strict=True)
    return [f"{token}{_KIND_SIGNS.get(kind, '')}" for token, kind in pairs]


def _table(table: Table) -> str:
    cells = [[span(header) for header in table.headers]]
    cells += [[span(cell) for cell in row.cells] for row in table.rows]
    if table.foot:
        cells.append([span(cell) for cell in table.foot.cells])
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [
        "  ".join(
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]
    if table.hidden:
        lines.append(f"… and {table.hidden_rows_text}")
    return "\n".join(f"    {line}" for line in lines)


def _spans(spans: Iterable[Span]) -> str:
    return "".join(map(span, spans))


def span(content: Cell) -> str:
    """Render one span or cell."""
    match content:
        case str():
            return content
        case Quote(text):
            return f"“{text}”"
        case Term(text) | Strong(text):
            return text
        case Choice(label):
            return label
        case ChoiceList(choices):
            return "; ".join(choice.label for choice in choices)
        case Blank(options=()):
            return "____"
        case Blank(options=options):
            return "   ".join(f"☐ {option}" for option in options)
        case Meter(value):
            return fixed_text(value)
        case Score100(value, difference):
            return score_text(value, difference=difference)
        case _:
            return formula(content)


def equation(content: Equation) -> str:
    """Render an equation on one line: symbols, numbers, result."""
    right = (f" {sign} {side}" for sign, side in sides(content, formula))
    return formula(content.left) + "".join(right)


def formula(expr: Expr) -> str:
    """Render a formula on one line.

    >>> formula(Div(Sym("matched", 3, "2"), Add((Sym("total", 4, "2"), Num(1)))))
    'matched_2/(total_2 + 1)'
    """
    match expr:
        case Num(value, decimal):
            return decimal_text(value) if decimal else _exact(value)
        case Sym(name, _, index, prime):
            return name + ("′" if prime else "") + (f"_{index}" if index else "")
        case Add(terms):
            return " + ".join(map(_grouped, terms))
        case Sub(left, right):
            return f"{formula(left)} − {_grouped(right)}"
        case Mul(factors):
            return "·".join(map(_grouped, factors))
        case Div(numerator, denominator):
            return f"{_grouped(numerator)}/{_grouped(denominator, in_product=True)}"
        case Pow((Pow() | Root()) as base, exponent):
            return f"({formula(base)})^{_grouped(exponent, in_product=True)}"
        case Pow(base, exponent):
            return f"{_grouped(base, in_product=True)}^{_grouped(exponent, in_product=True)}"
        case Root(radicand, degree):
            return f"({formula(radicand)})^(1/{degree})"
        case Call(function, arguments):
            return f"{function}({', '.join(map(formula, arguments))})"
        case Sum(body, upper):
            return f"∑_(n=1…{upper}) {formula(body)}"
        case Product(body, upper):
            return f"∏_(n=1…{upper}) {formula(body)}"
        case _:
            assert_never(expr)


def _exact(value: Value | int) -> str:
    return str(value) if is_fraction(value) else number_text(value)


def _grouped(expr: Expr, *, in_product: bool = False) -> str:
    """Render an operand in parentheses if it needs them; `in_product` also groups products."""
    text = formula(expr)
    operation = isinstance(expr, Add | Sub) or (in_product and isinstance(expr, Mul | Div))
    number = isinstance(expr, Num) and (expr.value < 0 or (in_product and "/" in text))
    return f"({text})" if operation or number else text
