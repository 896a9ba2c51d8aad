"""Documents as plain text, for a terminal."""

from collections.abc import Iterable
from typing import assert_never

from bleu.document import blocks as doc
from bleu.document.writing import without_isolates
from bleu.metric import expressions as ex
from bleu.render import numbers

_KIND_SIGNS = {"credited": " ✓", "clipped": " ✂", "unmatched": " ✗"}


def render(document: doc.Document) -> str:
    """Render the whole document as plain text.

    >>> from bleu import derive, explain
    >>> print(render(explain(derive("a b", ["a b"], max_order=1))).splitlines()[0])
    BLEU-1 = 100.00 on the 0–100 scale, 1.0000 on the 0–1 scale
    """
    figures = (
        f"{figure.caption}. {spans(figure.alternative.spans)}" for figure in document.figures
    )
    return "\n\n".join([_summary(document.summary), *figures, *map(_step, document.steps)]) + "\n"


def one_line(summary: doc.Summary) -> str:
    """Return the result on one line, for pasting.

    >>> from bleu import derive, explain
    >>> one_line(explain(derive("a b", ["a b c"], max_order=1)).summary).partition(" nrefs")[0]
    'BLEU-1 = 60.65 (0.6065) BP 0.6065 2/2'
    """
    score_100, score_1 = numbers.both_scales(summary.value)
    penalty = span(summary.facts[0].value)
    counts = " ".join(span(row.cells[1]) for row in summary.table.rows)
    return f"{summary.name} = {score_100} ({score_1}) BP {penalty} {counts} {summary.signature}"


def _summary(summary: doc.Summary) -> str:
    score_100, score_1 = numbers.both_scales(summary.value)
    facts = (f"{fact.label}: {span(fact.value)}" for fact in summary.facts)
    return "\n".join(
        [
            f"{summary.name} = {score_100} on the 0–100 scale, {score_1} on the 0–1 scale",
            summary.check,
            *(spans(remark.spans) for remark in summary.remarks),
            *facts,
            _table(summary.table),
            f"Signature: {summary.signature}",
            *([spans(summary.interpretation.spans)] if summary.interpretation else []),
        ]
    )


def worksheet(content: doc.Worksheet) -> str:
    """Render exercises or solutions as plain text, with blanks as ____ and choices as boxes."""
    underlined_title = f"{content.title}\n{'#' * len(content.title)}"
    parts = [underlined_title, *map(_block, content.intro), *map(_step, content.steps)]
    return "\n\n".join(parts) + "\n"


def blocks(content: Iterable[doc.Block]) -> str:
    """Render blocks outside a document as plain text."""
    return "\n\n".join(map(_block, content)) + "\n"


def _step(step: doc.Step) -> str:
    citation = [f"({step.citation.label}, {step.citation.url})"] if step.citation else []
    underlined_title = f"{step.title}\n{'=' * len(step.title)}"
    return "\n\n".join([underlined_title, *map(_block, step.blocks), *citation])


def _block(block: doc.Block) -> str:
    match block:
        case doc.Paragraph():
            return spans(block.spans)
        case ex.Equation():
            return "    " + equation(block)
        case doc.TokenList(title, _, hidden):
            more = f" … and {hidden:,} more" if hidden else ""
            return f"{title}\n    {' | '.join(marked_tokens(block))}{more}"
        case doc.Table():
            return _table(block)
        case doc.MarkableTokens():
            return _block(block.plain)
        case _:
            assert_never(block)


def marked_tokens(content: doc.TokenList) -> list[str]:
    """Return the tokens, each followed by the sign of its status, if it has one: ✓, ✂ or ✗."""
    return [f"{token}{_KIND_SIGNS.get(kind, '')}" for token, kind in content.tokens_with_kinds]


def _table(table: doc.Table) -> str:
    cells = [list(map(span, row)) for row in (table.headers, *table.cells)]
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


def spans(contents: Iterable[doc.Span]) -> str:
    """Render the spans of running text."""
    return "".join(map(span, contents))


def span(content: doc.Cell) -> str:
    """Render one span or cell."""
    match content:
        case str():
            return without_isolates(content)
        case doc.Quote(text):
            return f"“{text}”"
        case doc.Term(text) | doc.Strong(text):
            return without_isolates(text)
        case doc.Choice(label):
            return without_isolates(label)
        case doc.ChoiceList(choices):
            return "; ".join(map(span, choices))
        case doc.Blank(name=name, options=()):
            return "_" * (40 if name.endswith((".text", "name")) else 4)
        case doc.Blank(options=options):
            return "   ".join(f"☐ {option}" for option in options)
        case doc.Meter(value, scale_100):
            return numbers.score_text(float(value)) if scale_100 else numbers.fixed_text(value)
        case doc.Score100(value, difference):
            return numbers.score_text(value, difference=difference)
        case _:
            return formula(content)


def equation(content: ex.Equation) -> str:
    """Render an equation on one line: symbols, numbers, result."""
    right = (f" {sign} {side}" for sign, side in numbers.sides(content, formula))
    return formula(content.left) + "".join(right)


def formula(expr: ex.Expr) -> str:
    """Render a formula on one line.

    >>> formula(ex.Div(ex.Sym("matched", 3, "2"), ex.Add((ex.Sym("total", 4, "2"), ex.Num(1)))))
    'matched_2/(total_2 + 1)'
    """
    match expr:
        case ex.Num(value, decimal):
            if decimal:
                return numbers.decimal_text(value)
            return str(value) if numbers.is_shown_as_fraction(value) else numbers.number_text(value)
        case ex.Sym(name, _, index, is_primed):
            return name + ("′" if is_primed else "") + (f"_{index}" if index else "")
        case ex.Add(terms):
            return " + ".join(map(_grouped, terms))
        case ex.Sub(left, right):
            return f"{formula(left)} − {_grouped(right)}"
        case ex.Mul(factors):
            return "·".join(map(_grouped, factors))
        case ex.Div(numerator, denominator):
            return f"{_grouped(numerator)}/{_grouped(denominator, products=True)}"
        case ex.Pow((ex.Pow() | ex.Root()) as base, exponent):
            return f"({formula(base)})^{_grouped(exponent, products=True)}"
        case ex.Pow(base, exponent):
            return f"{_grouped(base, products=True)}^{_grouped(exponent, products=True)}"
        case ex.Root(radicand, degree):
            return f"({formula(radicand)})^(1/{degree})"
        case ex.Call(function, arguments):
            return f"{function}({', '.join(map(formula, arguments))})"
        case ex.Sum(body):
            return f"∑_(n=1…N) {formula(body)}"
        case ex.Product(body):
            return f"∏_(n=1…N) {formula(body)}"
        case _:
            assert_never(expr)


def _grouped(expr: ex.Expr, *, products: bool = False) -> str:
    """Render an operand in parentheses if it needs them or, with `products`, is a product."""
    text = formula(expr)
    is_product = isinstance(expr, ex.Mul | ex.Div) or (isinstance(expr, ex.Num) and "/" in text)
    grouped = numbers.needs_factor_parentheses(expr) or (products and is_product)
    return f"({text})" if grouped else text
