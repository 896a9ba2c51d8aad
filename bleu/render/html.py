"""The document as HTML fragments: everything of the reader's is escaped, nothing interpreted."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from html import escape
from typing import Final, assert_never

from bleu.document.blocks import (
    Blank,
    Block,
    Cell,
    Choice,
    ChoiceList,
    Document,
    Figure,
    MarkableTokens,
    MarkedRun,
    MarkedText,
    MarkedToken,
    Meter,
    Paragraph,
    Quote,
    Row,
    Score100,
    SolutionBlock,
    Span,
    Step,
    Strong,
    Summary,
    Table,
    Term,
    TokenList,
)
from bleu.document.expressions import Equation, Num, Sym
from bleu.render import svg
from bleu.render import text as as_text
from bleu.render.mathml import equation, inline
from bleu.render.numbers import both_scales, fixed_text, number_text, score_text

MARKS = {"credited": "credited", "clipped": "clipped", "unmatched": "no match"}
"""What a row's kind is called beside its colour."""
ALSO = {"present": "matched, but another reference has it more often"}
"""What a run's kind is called that no row has."""
WHOLE: Final = re.compile(
    r"\b(?:(?:\d+|[nN])-grams?|BLEU-[\dN]|add-k|0–1(?:00)?|p[₀-₉]* = \d+(?:[./]\d+)?)\b"
)
"""What no line ends within: words, where a browser may end one after any hyphen, and short sums."""


def prose(words: str) -> str:
    """Our own words, escaped; what belongs together stays on one line.

    Markup says so, as a hyphen of another kind would not be found by who searches for the word.

    >>> prose("4-grams & so on")
    '<span class="whole">4-grams</span> &amp; so on'
    """
    return WHOLE.sub(r'<span class="whole">\g<0></span>', escape(words))


def render(document: Document) -> str:
    """The whole document: summary, figures and steps.

    >>> from bleu import derive
    >>> from bleu.explanation import explain
    >>> html = render(explain(derive("<b>", ["<b>"], max_order=1)))
    >>> "<li>&lt;b&gt;</li>" in html, "<li><b>" in html
    (True, False)
    """
    return summary(document.summary) + figures(document) + "".join(map(step, document.steps))


def step_id(anchor: str) -> str:
    """The id of a step's section: its anchor, but where a control or the result has that id.

    >>> step_id("tokens"), step_id("score")
    ('tokens', 'score-step')
    """
    return f"{anchor}-step" if anchor in {"score", "smoothing"} else anchor


def summary(result: Summary, prefix: str = "", remarks: str | None = None) -> str:
    """The result at a glance; a second one on a page has a prefix to its ids.

    `remarks` are markup in the place of those of the result.
    """
    if remarks is None:
        remarks = "".join(map(paragraph, result.remarks))
    hundred, (_, one) = score_text(result.value), both_scales(result.value)
    facts = "".join(
        f'<div><dt><a href="#{prefix}{step_id(fact.anchor)}">{escape(fact.label)}</a></dt>'
        f"<dd>{span(fact.value)}</dd></div>"
        for fact in result.facts
    )
    reading = result.interpretation
    last = f'<p class="interpretation">{spans(reading.spans)}</p>' if reading else ""
    return (
        f'<div class="headline"><h2 id="{prefix}result-title">{escape(result.name)}</h2>'
        f'<output id="{prefix}score" aria-live="off" data-value="{result.value!r}">'
        f'<span class="scale"><b>{hundred}</b> <small>on the 0–100 scale</small></span> '
        f'<span class="scale"><b>{one}</b> <small>on the 0–1 scale</small></span></output>'
        f'<p class="checked">{escape(result.check)}</p></div>'
        f"{remarks}"
        f'<dl class="facts">{facts}</dl>{table(result.table)}'
        f"{signature('Signature', result.signature)}"
        f"{last}"
    )


def signature(label: str, line: str) -> str:
    """A signature under its label; a line may end after each of its parts.

    >>> signature("Signature", "nrefs:1|case:lc")
    '<p class="signature"><span>Signature</span> <code>nrefs:1|<wbr/>case:lc</code></p>'
    """
    code = escape(line).replace("|", "|<wbr/>")
    return f'<p class="signature"><span>{label}</span> <code>{code}</code></p>'


def contents(document: Document) -> str:
    """The list of the steps, each a link to its place."""
    items = "".join(
        f'<li><a href="#{step_id(one.anchor)}">{prose(one.title)}</a></li>'
        for one in document.steps
    )
    return f'<nav class="steps" aria-label="Steps"><ol>{items}</ol></nav>'


def figures(document: Document) -> str:
    """The figures, side by side where there is room."""
    return f'<div class="figures">{"".join(map(figure, document.figures))}</div>'


def figure(content: Figure) -> str:
    """One figure with its caption."""
    return (
        f'<figure id="{content.name}"><figcaption>{prose(content.caption)}</figcaption>'
        f"{svg.figure(content)}</figure>"
    )


def marked_text(content: MarkedText) -> str:
    """A text whose tokens can be walked through, each with the runs that pass it below it."""
    title = escape(content.title)
    return f'<div class="marked"><h3>{title}</h3>{_running(content)}{_more_tokens(content)}</div>'


def _running(content: MarkedText) -> str:
    tokens = "".join(
        _marked_token(token, reached=not place) for place, token in enumerate(content.tokens)
    )
    name = f"{escape(content.title)}, {content.row_label or 'token by token'}"
    return (
        f'<div class="running" dir="auto" role="group" data-rove="" aria-label="{name}">{tokens}'
        "</div>"
    )


def _more_tokens(content: MarkedText) -> str:
    return f'<p class="more">and {content.hidden:,} more tokens</p>' if content.hidden else ""


def marked_rows(rows: Sequence[MarkedText]) -> str:
    """One text in several rows, each with its name and runs of its own."""
    last = rows[-1]
    rows = [_without_empty_lanes(one) for one in rows]
    lanes = [max((len(token.runs) for token in one.tokens), default=0) for one in rows]
    body = "".join(
        f'<div class="stacked lanes-{count}"><span class="order" aria-hidden="true">{one.row_label}'
        f"</span>{_running(one)}</div>"
        for one, count in zip(rows, lanes, strict=True)
    )
    return f'<div class="marked"><h3>{escape(last.title)}</h3>{body}{_more_tokens(last)}</div>'


def _without_empty_lanes(row: MarkedText) -> MarkedText:
    used = {lane for token in row.tokens for lane, run in enumerate(token.runs) if run.kind}
    return replace(
        row,
        tokens=tuple(
            replace(token, runs=tuple(run for lane, run in enumerate(token.runs) if lane in used))
            for token in row.tokens
        ),
    )


def _marked_token(token: MarkedToken, *, reached: bool) -> str:
    key = f' data-ngram="{token.key}"' if token.key else ""
    kind = f' class="{token.kind}"' if token.kind else ""
    label = (MARKS | ALSO).get(token.kind, "")
    spoken = f'<span class="spoken">, {label}</span>' if label else ""
    return (
        f'<button type="button"{kind}{key} tabindex="{0 if reached else -1}">'
        f'<span class="token">{escape(token.text)}</span>{spoken}'
        f"{''.join(map(_run, token.runs))}</button>"
    )


def _run(run: MarkedRun) -> str:
    if not run.kind:
        return "<i></i>"
    ends = f"{' first' if run.first else ''}{' last' if run.last else ''}"
    key = f' data-ngram="{run.key}"' if run.key else ""
    return f'<i class="{run.kind}{ends}"{key}></i>'


def step(one: Step, prefix: str = "", *, linked: bool = True) -> str:
    """One step, a section under its anchor; a second derivation has a prefix to its ids.

    Its title is a link to it, unless it is not there for long enough to be linked.
    """
    name = prefix + step_id(one.anchor)
    title = f"{name}-title"
    heading = escape(one.title)
    if linked:
        heading = f'<a href="#{name}">{heading}</a>'
    label = "" if prefix else f' aria-labelledby="{title}"'
    return (
        f'<section class="step" id="{name}" data-step="{prefix}{one.anchor}"{label}>'
        f'<h3 id="{title}">{heading}</h3>'
        f"{''.join(map(block, one.blocks))}{_source(one)}</section>"
    )


def _source(one: Step) -> str:
    if one.citation is None:
        return ""
    link = f'<a href="{one.citation.url}" rel="noreferrer">{escape(one.citation.label)}</a>'
    return f'<p class="source">In the literature: {link}</p>'


def block(content: Block) -> str:
    """One block."""
    match content:
        case Paragraph():
            return paragraph(content)
        case Equation():
            words = escape(as_text.equation(content))
            return (
                f'<div class="equation" tabindex="0" role="group" aria-label="{words}">'
                f"{equation(content)}</div>"
            )
        case TokenList():
            return token_list(content)
        case Table():
            return table(content)
        case SolutionBlock(question=question):
            return "".join(map(block, question))
        case MarkableTokens():
            return marking(content)
        case _:
            assert_never(content)


def paragraph(content: Paragraph) -> str:
    """Running text."""
    note = ' class="note"' if content.note else ""
    return f"<p{note}>{spans(content.spans)}</p>"


def token_list(content: TokenList) -> str:
    """The tokens of one text, each in its own box."""
    kinds = content.kinds or ("",) * len(content.tokens)
    items = "".join(
        f"<li{_kind(kind)}>{escape(token)}</li>"
        for token, kind in zip(content.tokens, kinds, strict=True)
    )
    more = f'<p class="more">and {content.hidden:,} more</p>' if content.hidden else ""
    tokens = f'<ol class="token-list" dir="auto">{items}</ol>' if items else ""
    return f'<div class="tokens"><h4>{escape(content.title)}</h4>{tokens}{more}</div>'


def _kind(kind: str) -> str:
    """A class, and for those who do not see it, its words."""
    if not kind:
        return ""
    return f' class="{kind}" title="{MARKS[kind]}"'


def blank(content: Blank) -> str:
    """A place to write in, or a button for each option; it says in full what is asked."""
    name, label = escape(content.name), escape(content.label)
    if not content.options:
        return (
            f'<input class="blank" name="{name}" aria-label="{label}" size="8" autocomplete="off" '
            'autocapitalize="off" spellcheck="false">'
        )
    options = "".join(
        f'<label><input type="radio" name="{name}" value="{escape(option)}"> '
        f"{escape(option)}</label>"
        for option in content.options
    )
    return f'<span class="options" role="radiogroup" aria-label="{label}">{options}</span>'


def marking(content: MarkableTokens) -> str:
    """Tokens to mark, each with a box to tick; its value is the token's place, from 1 on."""
    name = escape(content.name)
    items = "".join(
        f'<li><label><input type="checkbox" name="{name}" value="{place}"> '
        f"{escape(token)}</label></li>"
        for place, token in enumerate(content.tokens.tokens, 1)
    )
    title = f"{escape(content.tokens.title)} ({escape(content.label)})"
    return (
        f'<div class="tokens" role="group" aria-label="{escape(content.label)}"><h4>{title}</h4>'
        f'<ol class="token-list marking" dir="auto">{items}</ol></div>'
    )


def table(content: Table) -> str:
    """A table in a box of its own that scrolls where it must."""
    headers = "".join(f'<th scope="col">{span(header)}</th>' for header in content.headers)
    foot = f"<tfoot>{_row(content.foot)}</tfoot>" if content.foot else ""
    more = f'<p class="more">and {escape(content.hidden_rows_text)}</p>' if content.hidden else ""
    return (
        f'<div class="table" role="group" tabindex="0" aria-label="{escape(content.caption)}">'
        f'<table class="{content.name}{" stacks" * content.stackable}">'
        f"<caption>{escape(content.caption)}</caption>"
        f"<thead><tr>{headers}</tr></thead>{_body(content)}"
        f"{foot}</table></div>{more}"
    )


def span(content: Cell) -> str:
    """One span of text."""
    match content:
        case str():
            return prose(content)
        case Num(int() | float() as value):
            return number_text(value)
        case Quote(text):
            return f'<q class="ngram"><bdi>{escape(text)}</bdi></q>'
        case Term(text):
            return f"<dfn>{prose(text)}</dfn>"
        case Strong(text):
            return f"<strong>{prose(text)}</strong>"
        case Score100():
            return as_text.span(content)
        case Meter(value):
            text = fixed_text(value)
            shown = f'<span class="whole">{text}</span>' if " " in text else text
            return f'{shown} <meter min="0" max="1" value="{float(value):.4f}">{text}</meter>'
        case Blank():
            return blank(content)
        case Choice(label, name):
            return (
                f'<button type="button" class="choice" data-command="{escape(name)}">'
                f"{escape(label)}</button>"
            )
        case ChoiceList(choices):
            items = "".join(f"<li>{span(one)}</li>" for one in choices)
            return f'<ul class="choices">{items}</ul>'
        case _:
            return inline(content)


def spans(contents: Iterable[Span]) -> str:
    """Running text from its spans."""
    return "".join(map(span, contents))


def _heading(content: Cell) -> str:
    """A row's header; a symbol has a label for those who hear it."""
    if not isinstance(content, Sym):
        return span(content)
    word = escape(as_text.span(content).replace("_", " "))
    return span(content).replace("<math>", f'<math aria-label="{word}">')


def _body(content: Table) -> str:
    rows = content.rows
    rove = ' data-rove=""' if rows and rows[0].key else ""
    labels = [as_text.span(one) for one in content.headers[1:]] if content.stackable else ()
    markup = "".join(_row(row, labels, reached=not place) for place, row in enumerate(rows))
    return f"<tbody{rove}>{markup}</tbody>"


def _row(row: Row, labels: Sequence[str] = (), *, reached: bool = False) -> str:
    mark = MARKS.get(row.visible_kind, "")
    label = f' <span class="mark">{mark}</span>' if mark else ""
    first, *rest = row.cells
    head = _heading(first)
    if row.key:
        place = 0 if reached else -1
        head = f'<button type="button" class="gram" tabindex="{place}">{head}</button>'
    names = [f' data-label="{escape(label)}"' for label in labels] or [""] * len(rest)
    cells = "".join(f"<td{name}>{span(cell)}</td>" for name, cell in zip(names, rest, strict=True))
    kind = f' class="{row.visible_kind}"' if row.visible_kind else ""
    kind += f' data-ngram="{row.key}"' if row.key else ""
    return f'<tr{kind}><th scope="row">{head}{label}</th>{cells}</tr>'
