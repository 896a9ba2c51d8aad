"""The document as Markdown, with tables, for a report or an issue."""

import re
from collections.abc import Iterable
from typing import assert_never

from bleu.document.blocks import (
    Blank,
    Block,
    Cell,
    Document,
    Figure,
    MarkableTokens,
    Paragraph,
    Quote,
    Span,
    Step,
    Strong,
    Table,
    Term,
    TokenList,
    VisibleBlock,
    Worksheet,
    visible_blocks,
)
from bleu.document.expressions import Equation
from bleu.render import text
from bleu.render.numbers import both_scales

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|~&^$])")
"""What is markup anywhere in a line."""
_BEFORE_A_LIST = re.compile(r"^\s*(?:\d*(?=[.)](?:\s|$))|(?=[-+=](?:[-+=\s]|$)))")
"""At the start of a paragraph, what stands before a sign that would make it a list or a rule."""
_LINKED = re.compile(r"[@#]|!\d|://|www\.", re.IGNORECASE)
"""In words that code hosts make links and mentions of, even if escaped, but not in code."""


def render(document: Document) -> str:
    """The whole document as Markdown; nothing of the reader's text is taken for markup.

    >>> from bleu import derive, explain
    >>> print(render(explain(derive("a b", ["a b"], max_order=1))).splitlines()[0])
    # BLEU-1 = 100.00
    """
    summary = document.summary
    hundred, one = both_scales(summary.value)
    facts = "\n".join(f"- {fact.label}: {text.span(fact.value)}" for fact in summary.facts)
    parts = [
        f"# {summary.name} = {hundred}",
        f"{one} on the 0–1 scale. {summary.check}",
        *(_paragraph(remark.spans) for remark in summary.remarks),
        facts,
        _table(summary.table),
        f"Signature: {_code(summary.signature)}",
        *([_paragraph(summary.interpretation.spans)] if summary.interpretation else []),
        *map(_figure, document.figures),
        *map(_step, document.steps),
    ]
    return "\n\n".join(parts) + "\n"


def escape(words: str) -> str:
    """Text in one line, in which what Markdown would interpret is escaped, and nothing else.

    Words that would become a link or a mention are code.

    >>> escape("a*b <i>|"), escape("38.11 (+1.7)")
    ('a\\\\*b \\\\<i\\\\>\\\\|', '38.11 (+1.7)')
    >>> escape("see @name or www.example.org")
    'see `@name` or `www.example.org`'
    """
    return "".join(
        _literal(word) if _LINKED.search(word) else _SPECIAL.sub(r"\\\1", word)
        for word in re.split(r"(\s+)", re.sub(r"\s*[\r\n]+\s*", " ", words))
    )


def blocks(content: Iterable[Block]) -> str:
    """Blocks that stand alone, outside a document, as Markdown."""
    return "\n\n".join(_blocks(content)) + "\n"


def worksheet(content: Worksheet) -> str:
    """Exercises or solutions as Markdown; blanks are ____, and choices have a box."""
    title = f"# {escape(content.title)}"
    return "\n\n".join([title, *_blocks(content.intro), *map(_step, content.steps)]) + "\n"


def _blocks(content: Iterable[Block]) -> list[str]:
    return [_block(block) for block in visible_blocks(content)]


def _figure(figure: Figure) -> str:
    return f"*{escape(figure.caption)}.* {_spans(figure.alternative.spans)}"


def _step(step: Step) -> str:
    source = [f"[{escape(step.citation.label)}]({step.citation.url})"] if step.citation else []
    return "\n\n".join([f"## {escape(step.title)}", *_blocks(step.blocks), *source])


def _block(block: VisibleBlock) -> str:
    match block:
        case Paragraph(spans, note):
            return ("> " if note else "") + _paragraph(spans)
        case Equation():
            return _code(text.equation(block))
        case TokenList(title):
            marked = text.marked_tokens(block)
            more = f" … and {block.hidden:,} more" if block.hidden else ""
            return f"{escape(title)}: {' '.join(map(_code, marked))}{more}"
        case Table():
            return _table(block)
        case MarkableTokens(_, label, tokens):
            words = " ".join(map(_code, tokens.tokens))
            return f"{escape(tokens.title)} ({escape(label)}): {words}"
        case _:
            assert_never(block)


def _table(table: Table) -> str:
    rows = [row.cells for row in (*table.rows, *((table.foot,) if table.foot else ()))]
    lines = [
        f"**{escape(table.caption)}**",
        "",
        _line(table.headers),
        "|---" + "|--:" * (len(table.headers) - 1) + "|",
        *map(_line, rows),
    ]
    if table.hidden:
        lines += ["", f"… and {table.hidden_rows_text}"]
    return "\n".join(lines)


def _line(cells: Iterable[Cell]) -> str:
    return "| " + " | ".join(map(_span, cells)) + " |"


def _paragraph(spans: Iterable[Span]) -> str:
    """Spans that begin a line, and make no list of it.

    >>> _paragraph(["1. ", Strong("b")]), _paragraph(["- b"]), _paragraph(["-1.5 of 2."])
    ('1\\\\. **b**', '\\\\- b', '-1.5 of 2.')
    """
    return _BEFORE_A_LIST.sub(r"\g<0>\\", _spans(spans), count=1)


def _spans(spans: Iterable[Span]) -> str:
    return "".join(map(_span, spans))


def _span(span: Cell) -> str:
    match span:
        case Quote(words):
            return f"“{_literal(words)}”"
        case Term(words):
            return f"*{escape(words)}*"
        case Strong(words):
            return f"**{escape(words)}**"
        case Blank(options=()):
            return text.span(span)
        case _:
            return escape(text.span(span))


def _literal(words: str) -> str:
    """Code, but for its bars, which would end a cell of a table in code as well."""
    return "\\|".join(_code(part) if part else "" for part in words.split("|"))


def _code(words: str) -> str:
    fence = "`" * (1 + max(map(len, re.findall(r"`+", words)), default=0))
    ends = {words[:1], words[-1:]}
    # a space at both ends is taken away again
    space = " " if "`" in ends or (ends == {" "} and words.strip(" ")) else ""
    return f"{fence}{space}{words}{space}{fence}"
