"""Documents as Markdown with tables, for a report or an issue."""

import re
from collections.abc import Iterable
from typing import Final, assert_never

from bleu.document import blocks as doc
from bleu.document.writing import without_isolates
from bleu.metric.expressions import Equation, Sym
from bleu.render import text
from bleu.render.latex import SIGNS, formula
from bleu.render.numbers import both_scales, sides

_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>#|~&^$])")
"""The characters that are markup anywhere in a line."""
_LIST_START: Final = re.compile(r"^\s*(?:\d*(?=[.)](?:\s|$))|(?=[-+=](?:[-+=\s]|$)))")
"""The start of a paragraph, up to a sign that would make it a list or a horizontal rule."""
_LINK: Final = re.compile(r"[@#]|!\d|://|www\.", re.IGNORECASE)
"""Parts of words that code hosts turn into links or mentions, even if escaped, unless in code."""


def render(document: doc.Document) -> str:
    """Render the whole document as Markdown in which all input text is escaped.

    >>> from bleu import derive, explain
    >>> print(render(explain(derive("a b", ["a b"], max_order=1))).splitlines()[0])
    # BLEU-1 = 100.00
    """
    summary = document.summary
    score_100, score_1 = both_scales(summary.value)
    facts = "\n".join(f"- {fact.label}: {text.span(fact.value)}" for fact in summary.facts)
    parts = [
        f"# {summary.name} = {score_100}",
        f"{score_1} on the 0–1 scale. {summary.check}",
        *(_paragraph(remark.spans) for remark in summary.remarks),
        facts,
        _table(summary.table),
        f"Signature: {_code(summary.signature)}",
        *([_paragraph(summary.interpretation.spans)] if summary.interpretation else []),
        *map(_step, document.steps),
    ]
    return "\n\n".join(parts) + "\n"


def escape(text: str) -> str:
    """Escape text for one line of Markdown.

    Words that would become a link or a mention are set as code.

    >>> escape("a*b <i>|"), escape("38.11 (+1.7)")
    ('a\\\\*b \\\\<i\\\\>\\\\|', '38.11 (+1.7)')
    >>> escape("see @name or www.example.org")
    'see `@name` or `www.example.org`'
    """
    return "".join(
        _literal(word) if _LINK.search(word) else _SPECIAL.sub(r"\\\1", word)
        for word in re.split(r"(\s+)", re.sub(r"\s*[\r\n]+\s*", " ", without_isolates(text)))
    )


def blocks(content: Iterable[doc.Block]) -> str:
    """Render blocks outside a document as Markdown."""
    return "\n\n".join(map(_block, content)) + "\n"


def worksheet(content: doc.Worksheet) -> str:
    """Render exercises or solutions as Markdown, with blanks as ____ and choices as boxes."""
    title = f"# {escape(content.title)}"
    return "\n\n".join([title, *map(_block, content.intro), *map(_step, content.steps)]) + "\n"


def _step(step: doc.Step) -> str:
    citation = [f"[{escape(step.citation.label)}]({step.citation.url})"] if step.citation else []
    return "\n\n".join([f"## {escape(step.title)}", *map(_block, step.blocks), *citation])


def _block(block: doc.Block) -> str:
    match block:
        case doc.Paragraph(spans, note):
            return ("> " if note else "") + _paragraph(spans)
        case Equation():
            parts = " ".join(f"{SIGNS[sign]} {side}" for sign, side in sides(block, formula))
            return f"${formula(block.left)} {parts}$"
        case doc.TokenList(title):
            tokens = " ".join(map(_code, text.marked_tokens(block)))
            more = f" … and {block.hidden:,} more" if block.hidden else ""
            return f"{escape(title)}: {tokens}{more}"
        case doc.Table():
            return _table(block)
        case doc.MarkableTokens():
            return _block(block.plain)
        case _:
            assert_never(block)


def _table(table: doc.Table) -> str:
    lines = [
        f"**{escape(table.caption)}**",
        "",
        _line(table.headers),
        "|---" + "|--:" * (len(table.headers) - 1) + "|",
        *map(_line, table.cells),
    ]
    if table.hidden:
        lines += ["", f"… and {table.hidden_rows_text}"]
    return "\n".join(lines)


def _line(cells: Iterable[doc.Cell]) -> str:
    return "| " + " | ".join(map(_span, cells)) + " |"


def _paragraph(spans: Iterable[doc.Span]) -> str:
    """Render spans at the start of a line so that they do not start a list.

    >>> _paragraph(["1. ", doc.Strong("b")]), _paragraph(["- b"]), _paragraph(["-1.5 of 2."])
    ('1\\\\. **b**', '\\\\- b', '-1.5 of 2.')
    """
    return _LIST_START.sub(r"\g<0>\\", "".join(map(_span, spans)), count=1)


def _span(span: doc.Cell) -> str:
    match span:
        case doc.Quote(content):
            return f"“{_literal(content)}”"
        case doc.Term(content):
            return f"*{escape(content)}*"
        case doc.Strong(content):
            return f"**{escape(content)}**"
        case doc.Blank(options=()):
            return text.span(span)
        case Sym():
            return f"${formula(span)}$"
        case _:
            return escape(text.span(span))


def _literal(content: str) -> str:
    """Render code with bars outside it, because a bar ends a table cell even in code."""
    return "\\|".join(_code(part) if part else "" for part in content.split("|"))


def _code(content: str) -> str:
    fence = "`" * (1 + max(map(len, re.findall(r"`+", content)), default=0))
    ends = {content[:1], content[-1:]}
    # Markdown strips one space from both ends of code, so add one for it to strip.
    space = " " if "`" in ends or (ends == {" "} and content.strip(" ")) else ""
    return f"{fence}{space}{content}{space}{fence}"
