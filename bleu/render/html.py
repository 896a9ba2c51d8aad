"""Documents as HTML fragments, in which all input text is escaped."""

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Final, assert_never

from bleu.document import blocks as doc
from bleu.document.expressions import Equation, Num
from bleu.document.writing import LEFT_TO_RIGHT, Writing, writing_of
from bleu.render import svg
from bleu.render import text as as_text
from bleu.render.mathml import equation, inline
from bleu.render.numbers import both_scales, number_text, score_text
from bleu.render.spoken import spoken

KIND_LABELS: Final = {"credited": "credited", "clipped": "clipped", "unmatched": "no match"}
"""The labels of the kinds of rows and tokens, so that colour is not the only cue."""
SPOKEN_LABELS: Final = KIND_LABELS | {"present": "matched, but another reference has it more often"}
"""The labels of marked tokens for screen readers."""
UNBREAKABLE: Final = re.compile(
    r"\b(?:(?:\d+|[nN])-grams?|BLEU-[\dN]|add-k|0–1(?:00)?|p[₀-₉]* = \d+(?:[./]\d+)?)\b"
)
"""Expressions without line breaks: browsers may break after any hyphen, as in “n-gram”."""

QUOTATION: Final = re.compile("(?<=“)([^”]+)(?=”)")
"""A quotation in explanatory text, which may be from the user's texts."""
INLINE_EQUATION: Final = re.compile(r"<math>[^=]+?</math> = (?:[\d.]*\d|<math>[^=]+?</math>)")
"""A symbol and its value within running text."""


def prose(text: str) -> str:
    """Escape explanatory text, and keep expressions such as “4-grams” on one line.

    A CSS class prevents the break, because searches do not find text with non-breaking hyphens.
    A quotation has its own direction and language.

    >>> prose("4-grams & so on")
    '<span class="whole">4-grams</span> &amp; so on'
    >>> prose("add “3 חתולים!”")
    'add “<bdi dir="rtl" lang="he">3 חתולים!</bdi>”'
    """
    return "".join(
        _quotation(part) if index % 2 else _prevent_breaks(part)
        for index, part in enumerate(QUOTATION.split(text))
    )


def _quotation(text: str) -> str:
    content, markup = writing_of(text), _prevent_breaks(text)
    return markup if content == LEFT_TO_RIGHT else f"<bdi{dir_lang(content)}>{markup}</bdi>"


def _prevent_breaks(text: str) -> str:
    return UNBREAKABLE.sub(r'<span class="whole">\g<0></span>', escape(text))


def render(document: doc.Document) -> str:
    """Render the whole document: summary, figures and steps.

    >>> from bleu import derive
    >>> from bleu.explanation import explain
    >>> html = render(explain(derive("<b>", ["<b>"], max_order=1)))
    >>> "<li>&lt;b&gt;</li>" in html, "<li><b>" in html
    (True, False)
    """
    return summary(document.summary) + figures(document) + "".join(map(step, document.steps))


def dir_lang(content: Writing) -> str:
    """Return the HTML attribute `dir` of a text and, if its language is known, `lang`.

    >>> dir_lang(Writing("rtl", "he"))
    ' dir="rtl" lang="he"'
    """
    language = f' lang="{content.language}"' if content.language else ""
    return f' dir="{content.direction}"{language}'


def with_language(markup: str, language: str) -> str:
    """Set `lang` of all elements with `dir` (the user's texts), unless `language` is "".

    >>> with_language('<bdi dir="rtl" lang="he">', "yi"), with_language('<bdi dir="rtl">', "")
    ('<bdi dir="rtl" lang="yi">', '<bdi dir="rtl">')
    """
    if not language:
        return markup
    return re.sub(r' dir="(...)"( lang="\w+")?', rf' dir="\1" lang="{language}"', markup)


def step_id(anchor: str) -> str:
    """Return the id of a step's section: its anchor, unless a control or the result has that id.

    >>> step_id("tokens"), step_id("score")
    ('tokens', 'score-step')
    """
    return f"{anchor}-step" if anchor in {"score", "smoothing"} else anchor


def summary(
    result: doc.Summary, prefix: str = "", remarks: str | None = None, steps_id: str = ""
) -> str:
    """Render the result at a glance.

    `prefix` keeps the ids of a second summary on the same page unique. `remarks` is markup that
    replaces the remarks of the result. Numbers link to the steps that explain them or, if
    `steps_id` is not "", to the element with that id.
    """

    def target(anchor: str) -> str:
        return f"#{steps_id or prefix + step_id(anchor)}"

    if remarks is None:
        remarks = "".join(map(paragraph, result.remarks))
    score_100, (_, score_1) = score_text(result.value), both_scales(result.value)
    facts = "".join(
        f'<div><dt><a href="{target(fact.anchor)}">{escape(fact.label)}</a></dt>'
        f"<dd>{span(fact.value)}</dd></div>"
        for fact in result.facts
    )
    interpretation = ""
    if result.interpretation:
        interpretation = f'<p class="interpretation">{spans(result.interpretation.spans)}</p>'
    precisions = re.sub(
        r'(<th scope="row">)(<math aria-label="p (?:prime )?(\d+)">.*?</math>)',
        lambda match: f'{match[1]}<a href="{target(f"precision-{match[3]}")}">{match[2]}</a>',
        table(result.table),
    )
    return (
        f'<div class="headline"><h2 id="{prefix}result-title">{escape(result.name)}</h2>'
        f'<output id="{prefix}score" aria-live="off" data-value="{result.value!r}">'
        f'<span class="scale"><a href="{target("score")}"><b>{score_100}</b></a> '
        "<small>on the 0–100 scale</small></span> "
        f'<span class="scale"><b>{score_1}</b> <small>on the 0–1 scale</small></span></output>'
        f'<p class="checked">{escape(result.check)}</p></div>'
        f"{remarks}"
        f'<dl class="facts">{facts}</dl>{precisions}'
        f"{signature('Signature', result.signature)}"
        f"{interpretation}"
    )


def signature(label: str, text: str) -> str:
    """Render a labelled signature that may break after each of its parts.

    >>> signature("Signature", "nrefs:1|case:lc")
    '<p class="signature"><span>Signature</span> <code>nrefs:1|<wbr/>case:lc</code></p>'
    """
    code = escape(text).replace("|", "|<wbr/>")
    return f'<p class="signature"><span>{label}</span> <code>{code}</code></p>'


def contents(document: doc.Document) -> str:
    """Render the list of steps as links."""
    items = "".join(
        f'<li><a href="#{step_id(item.anchor)}">{prose(item.title)}</a></li>'
        for item in document.steps
    )
    return f'<nav class="steps" aria-label="Steps"><ol>{items}</ol></nav>'


def figures(document: doc.Document) -> str:
    """Render all figures, side by side if the page is wide enough."""
    return f'<div class="figures">{"".join(map(figure, document.figures))}</div>'


def figure(content: doc.Figure) -> str:
    """Render one figure with its caption."""
    return (
        f'<figure id="{content.name}"><figcaption>{prose(content.caption)}</figcaption>'
        f"{svg.figure(content)}</figure>"
    )


def marked_text(content: doc.MarkedText, prefix: str = "") -> str:
    """Render a text as focusable tokens, with the marks of their n-grams below them.

    `prefix` keeps the n-gram keys unique if a second derivation is on the same page.
    """
    return (
        f'<div class="marked"><h3>{escape(content.title)}</h3>'
        f"{_token_buttons(content, prefix)}{_more_tokens(content)}</div>"
    )


def _token_buttons(content: doc.MarkedText, prefix: str = "") -> str:
    tokens = (
        _token_button(token, prefix, focusable=not n) for n, token in enumerate(content.tokens)
    )
    name = f"{escape(content.title)}, {content.row_label or 'token by token'}"
    return (
        f'<div class="running"{dir_lang(content.writing)} role="group" data-rove="" '
        f'aria-label="{name}">'
        f"{''.join(tokens)}</div>"
    )


def _more_tokens(content: doc.MarkedText) -> str:
    return f'<p class="more">and {content.hidden:,} more tokens</p>' if content.hidden else ""


def marked_rows(rows: Sequence[doc.MarkedText]) -> str:
    """Render one text in several rows, each with a label and the marks of one order."""
    body = "".join(
        f'<div class="stacked lanes-{len(row.tokens[0].runs) if row.tokens else 0}">'
        f'<span class="order" aria-hidden="true">{row.row_label}</span>{_token_buttons(row)}</div>'
        for row in rows
    )
    text = rows[0]
    return f'<div class="marked"><h3>{escape(text.title)}</h3>{body}{_more_tokens(text)}</div>'


def _token_button(token: doc.MarkedToken, prefix: str, *, focusable: bool) -> str:
    key = f' data-ngram="{prefix}{token.key}"' if token.key else ""
    kind = f' class="{token.kind}"' if token.kind else ""
    label = SPOKEN_LABELS.get(token.kind, "")
    spoken = f'<span class="spoken">, {label}</span>' if label else ""
    return (
        f'<button type="button"{kind}{key} tabindex="{0 if focusable else -1}">'
        f'<span class="token">{escape(token.text)}</span>{spoken}'
        f"{''.join(_run(run, prefix) for run in token.runs)}</button>"
    )


def _run(run: doc.MarkedRun, prefix: str) -> str:
    if not run.kind:
        return "<i></i>"
    ends = f"{' first' if run.first else ''}{' last' if run.last else ''}"
    key = f' data-ngram="{prefix}{run.key}"' if run.key else ""
    return f'<i class="{run.kind}{ends}"{key}></i>'


def step(content: doc.Step, prefix: str = "", *, linked: bool = True) -> str:
    """Render one step as a section with its anchor as id.

    `prefix` keeps the ids of a second derivation on the same page unique. The title links to the
    step itself if `linked`.
    """
    name = prefix + step_id(content.anchor)
    title = f"{name}-title"
    heading = escape(content.title)
    if linked:
        heading = f'<a href="#{name}">{heading}</a>'
    label = "" if prefix else f' aria-labelledby="{title}"'
    return (
        f'<section class="step" id="{name}" data-step="{prefix}{content.anchor}"{label}>'
        f'<h3 id="{title}">{heading}</h3>'
        f"{''.join(map(block, content.blocks))}{_citation(content)}</section>"
    )


def _citation(content: doc.Step) -> str:
    if content.citation is None:
        return ""
    label, url = escape(content.citation.label), content.citation.url
    link = f'<a href="{url}" rel="noreferrer">{label}</a>'
    return f'<p class="source">In the literature: {link}</p>'


def block(content: doc.Block) -> str:
    """Render one block."""
    match content:
        case doc.Paragraph():
            return paragraph(content)
        case Equation():
            label = escape(spoken(as_text.equation(content)))
            return (
                f'<div class="equation" tabindex="0" role="img" aria-label="{label}">'
                f"{equation(content)}</div>"
            )
        case doc.TokenList():
            return token_list(content)
        case doc.Table():
            return table(content)
        case doc.MarkableTokens():
            return markable_tokens(content)
        case _:
            assert_never(content)


def paragraph(content: doc.Paragraph) -> str:
    """Render running text."""
    note = ' class="note"' if content.note else ""
    return f"<p{note}>{spans(content.spans)}</p>"


def token_list(content: doc.TokenList) -> str:
    """Render the tokens of one text, each in its own box."""
    items = ""
    for token, kind in content.tokens_with_kinds:
        attributes = f' class="{kind}"' if kind else ""
        attributes += f' title="{KIND_LABELS[kind]}"' if kind in KIND_LABELS else ""
        items += f"<li{attributes}>{escape(token)}</li>"
    more = f'<p class="more">and {content.hidden:,} more</p>' if content.hidden else ""
    attributes = dir_lang(content.writing)
    tokens = f'<ol class="token-list"{attributes}>{items}</ol>' if items else ""
    return f'<div class="tokens"><h4>{escape(content.title)}</h4>{tokens}{more}</div>'


def blank(content: doc.Blank) -> str:
    """Render a text box, or a radio button for each option, labelled with the full question."""
    name, label = escape(content.name), escape(content.label)
    if not content.options:
        return (
            f'<input class="blank" name="{name}" aria-label="{label}" size="8" dir="auto" '
            'autocomplete="off" autocapitalize="off" spellcheck="false">'
        )
    options = "".join(
        f'<label><input type="radio" name="{name}" value="{escape(option)}"> '
        f"{escape(option)}</label>"
        for option in content.options
    )
    return f'<span class="options" role="radiogroup" aria-label="{label}">{options}</span>'


def markable_tokens(content: doc.MarkableTokens) -> str:
    """Render tokens with check boxes, whose values are the token positions from 1."""
    name = escape(content.name)
    items = "".join(
        f'<li><label><input type="checkbox" name="{name}" value="{position}"> '
        f"{escape(token)}</label></li>"
        for position, token in enumerate(content.tokens.tokens, 1)
    )
    return (
        f'<div class="tokens" role="group" aria-label="{escape(content.label)}">'
        f"<h4>{escape(content.plain.title)}</h4>"
        f'<ol class="token-list marking"{dir_lang(content.tokens.writing)}>{items}</ol></div>'
    )


def table(content: doc.Table) -> str:
    """Render a table in a box that scrolls if the table is too wide."""
    headers = "".join(f'<th scope="col">{span(header)}</th>' for header in content.headers)
    rove = ' data-rove=""' if content.rows and content.rows[0].key else ""
    labels = list(map(as_text.span, content.headers[1:])) if content.stackable else ()
    rows = (_row(row, labels, focusable=not index) for index, row in enumerate(content.rows))
    foot = f"<tfoot>{_row(content.foot, labels)}</tfoot>" if content.foot else ""
    more = f'<p class="more">and {escape(content.hidden_rows_text)}</p>' if content.hidden else ""
    return (
        f'<div class="table" role="group" tabindex="0" aria-label="{escape(content.caption)}">'
        f'<table class="{content.name}{" stacks" if content.stackable else ""}">'
        f"<caption>{escape(content.caption)}</caption>"
        f"<thead><tr>{headers}</tr></thead><tbody{rove}>{''.join(rows)}</tbody>{foot}</table>"
        f"</div>{more}"
    )


def span(content: doc.Cell) -> str:
    """Render one span or cell."""
    match content:
        case str():
            return prose(content)
        case Num(int() | float() as value):
            return number_text(value)
        case doc.Quote(text):
            return f'<q class="ngram"><bdi{dir_lang(content.writing)}>{escape(text)}</bdi></q>'
        case doc.Term(text):
            return f"<dfn>{prose(text)}</dfn>"
        case doc.Strong(text):
            return f"<strong>{prose(text)}</strong>"
        case doc.Score100():
            return as_text.span(content)
        case doc.Meter(value):
            text = as_text.span(content)
            label = f'<span class="whole">{text}</span>' if " " in text else text
            return (
                f'{label} <meter min="0" max="1" value="{float(value):.4f}" aria-hidden="true">'
                "</meter>"
            )
        case doc.Blank():
            return blank(content)
        case doc.Choice(label, name, writing):
            attributes = "" if writing == LEFT_TO_RIGHT else dir_lang(writing)
            return (
                f'<button type="button" class="choice" data-command="{escape(name)}"{attributes}>'
                f"{escape(label)}</button>"
            )
        case doc.ChoiceList(choices):
            items = "".join(f"<li>{span(choice)}</li>" for choice in choices)
            return f'<ul class="choices">{items}</ul>'
        case _:
            return inline(content)


def spans(contents: Iterable[doc.Span]) -> str:
    """Render the spans of running text; an equation in it, such as “r = 18”, stays on one line."""
    return INLINE_EQUATION.sub(r'<span class="whole">\g<0></span>', "".join(map(span, contents)))


def _row(row: doc.Row, labels: Sequence[str] = (), *, focusable: bool = False) -> str:
    kind_label = KIND_LABELS.get(row.visible_kind, "")
    mark = f' <span class="mark">{kind_label}</span>' if kind_label else ""
    first, *rest = row.cells
    header = span(first)
    if row.key:
        tabindex = 0 if focusable else -1
        header = f'<button type="button" class="gram" tabindex="{tabindex}">{header}</button>'
    attributes = [f' data-label="{escape(label)}"' for label in labels] or [""] * len(rest)
    pairs = zip(attributes, rest, strict=True)
    cells = "".join(f"<td{attribute}>{span(cell)}</td>" for attribute, cell in pairs)
    kind = f' class="{row.visible_kind}"' if row.visible_kind else ""
    kind += f' data-ngram="{row.key}"' if row.key else ""
    return f'<tr{kind}><th scope="row">{header}{mark}</th>{cells}</tr>'
