"""Documents as HTML fragments, in which all input text is escaped.

Translators of browsers leave elements with `translate="no"` as they are. Only HTML elements may
have the attribute, so formulas and figures stand in one that has it.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from html import escape
from itertools import pairwise
from typing import Final, assert_never

from bleu.document import blocks as doc
from bleu.document.writing import (
    ISOLATE_END,
    ISOLATE_START,
    LEFT_TO_RIGHT,
    Writing,
    without_isolates,
    word_directions,
    writing_of,
)
from bleu.metric.expressions import Equation, Num
from bleu.render import svg
from bleu.render import text as as_text
from bleu.render.mathml import equation, inline, spoken
from bleu.render.numbers import both_scales, number_text, score_text

KIND_LABELS: Final = {"credited": "credited", "clipped": "cut off", "unmatched": "no match"}
"""The labels of the kinds of rows and tokens, so that colour is not the only cue."""
SPOKEN_LABELS: Final = KIND_LABELS | {"present": "matched, but another reference has it more often"}
"""The labels of marked tokens for screen readers."""
_KINDS: Final = {letter: kind for kind, letter in doc.KIND_LETTERS.items()}
UNBREAKABLE: Final = re.compile(
    r"\b(?:(?:\d+|[nN])-grams?|BLEU-[\dN]|N = \d+|add-k|0–1(?:00)?|p[₀-₉]* = \d+(?:[./]\d+)?)\b"
)
"""Expressions without line breaks: browsers may break after any hyphen, as in “n-gram”."""

_NUMBER: Final = r"\d+(?:[.,]\d+)*(?:e[−+]?\d+)?"
NUMERIC: Final = re.compile(
    rf"(?:(?:≈ ?)?[−+±] ?|≈ ?|(?<![\w.,;])){_NUMBER}"
    rf"(?:(?: ?[−+±→×·/–=] ?| to | of )[−+]?{_NUMBER})*(?: %)?|[−+]∞"
)
"""Numbers with their signs, and sums, ranges, shares and percentages of them."""
SIGN: Final = re.compile("[−+±≈→×·–=%∞]| to | of ")
"""A part that text from right to left would put on the other side of a number."""
_ISOLATE: Final = f"{ISOLATE_START}[^{ISOLATE_END}]*{ISOLATE_END}"
QUOTATION: Final = re.compile(f"((?<=“)[^”]+(?=”)|{_ISOLATE}(?: − {_ISOLATE})?)")
"""A quotation, a name, or a difference of names, which may be from the user's texts."""
_SYMBOL: Final = r'<span translate="no"><math>[^=]+?</math></span>'
INLINE_EQUATION: Final = re.compile(rf"{_SYMBOL} = (?:[\d.]*\d|{_SYMBOL})")
"""A symbol and its value within running text."""
STRING_LITERAL: Final = re.compile(r"""('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")""")
"""A string in Python code."""


def prose(text: str) -> str:
    """Escape explanatory text, and keep expressions such as “4-grams” on one line.

    A CSS class prevents the break, because searches do not find text with non-breaking hyphens.
    Quotations, names and numbers have their own direction; the first two are never translated.

    >>> prose("4-grams & so on")
    '<bdi class="whole">4-grams</bdi> &amp; so on'
    >>> prose("add “3 חתולים!”")
    'add “<bdi dir="rtl" lang="he" translate="no">3 חתולים!</bdi>”'
    >>> prose("−0.5 of 2")
    '<bdi>−0.5 of 2</bdi>'
    """
    return "".join(
        user_text(part) if index % 2 else _numbers(_prevent_breaks(part))
        for index, part in enumerate(QUOTATION.split(text))
    )


def user_text(text: str) -> str:
    """Render a text or name of the user within other text: isolated, and never translated.

    >>> user_text("a < b")
    '<bdi translate="no">a &lt; b</bdi>'
    """
    content, markup = writing_of(text), escape(without_isolates(text))
    attributes = ' translate="no"' if content == LEFT_TO_RIGHT else dir_lang(content)
    return f"<bdi{attributes}>{markup}</bdi>"


def untranslated(markup: str) -> str:
    """Wrap a formula so that it is never translated."""
    return f'<span translate="no">{markup}</span>'


def _prevent_breaks(text: str) -> str:
    return UNBREAKABLE.sub(r'<bdi class="whole">\g<0></bdi>', escape(text))


def _numbers(markup: str) -> str:
    """Isolate numbers with signs, so that the signs stay on their side in any direction."""
    if not SIGN.search(markup):
        return markup
    return NUMERIC.sub(
        lambda match: f"<bdi>{match[0]}</bdi>" if SIGN.search(match[0]) else match[0], markup
    )


def render(document: doc.Document) -> str:
    """Render the whole document: summary, figures and steps.

    >>> from bleu import derive
    >>> from bleu.explanation import explain
    >>> html = render(explain(derive("<b>", ["<b>"], max_order=1)))
    >>> "<span>&lt;b&gt;</span>" in html, "<li><b>" in html
    (True, False)
    """
    return summary(document.summary) + figures(document) + "".join(map(step, document.steps))


def dir_lang(content: Writing) -> str:
    """Return the HTML attributes of a text of the user, which include `lang` if that is known.

    >>> dir_lang(Writing("rtl", "he"))
    ' dir="rtl" lang="he" translate="no"'
    """
    language = f' lang="{content.language}"' if content.language else ""
    return f' dir="{content.direction}"{language} translate="no"'


def with_language(markup: str, language: str) -> str:
    """Set `lang` of all elements with the attributes of `dir_lang`, unless `language` is "".

    >>> with_language('<bdi dir="rtl" lang="he" translate="no">', "yi")
    '<bdi dir="rtl" lang="yi" translate="no">'
    """
    if not language:
        return markup
    attributes = r' dir="(...)"(?: lang="\w+")? translate="no"'
    return re.sub(attributes, rf' dir="\1" lang="{language}" translate="no"', markup)


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
    return (
        f'<div class="headline"><h2 id="{prefix}result-title">{prose(result.name)}</h2>'
        f'<output id="{prefix}score" aria-live="off" data-value="{result.value!r}">'
        f'<span class="scale"><a href="{target("score")}" aria-label="{score_100}, step by step">'
        f"<b>{_numbers(score_100)}</b></a> "
        f"<small>{prose('on the 0–100 scale')}</small></span> "
        f'<span class="scale"><b>{_numbers(score_1)}</b> '
        f"<small>{prose('on the 0–1 scale')}</small></span></output>"
        f'<p class="checked">{escape(result.check)}</p></div>'
        f"{remarks}"
        f'<dl class="facts">{facts}</dl>{table(result.table, target)}'
        f"{signature('Signature', result.signature) if result.signature else ''}"
        f"{interpretation}"
    )


def signature(label: str, text: str) -> str:
    """Render a labelled signature that may break after each of its parts.

    >>> signature("Signed", "nrefs:1|case:lc")
    '<p class="signature"><span>Signed</span> <code translate="no">nrefs:1|<wbr/>case:lc</code></p>'
    """
    code = escape(text).replace("|", "|<wbr/>")
    return f'<p class="signature"><span>{label}</span> <code translate="no">{code}</code></p>'


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
        f'<div translate="no">{svg.figure(content)}</div></figure>'
    )


def marked_text(content: doc.MarkedText, prefix: str = "") -> str:
    """Render a text as focusable tokens, with the lanes of their n-grams below them.

    Lanes without a mark take no room. `prefix` keeps the n-gram keys unique if a second derivation
    is on the same page.
    """
    lanes = [lane for lane in content.lanes if lane[0].strip(".")]
    directions, note = _directions(content.tokens, content.writing)
    is_crossed = any(
        gap != "." and here != there
        for _, gaps in lanes
        for gap, (here, there) in zip(gaps, pairwise(directions), strict=False)
    )
    if is_crossed:  # The mark would be torn apart in the order in which the text is read.
        directions, note = _directions(content.tokens, content.writing, is_crossed=True)
    tokens = "".join(
        _token_button(content, lanes, position, direction, prefix)
        for position, direction in enumerate(directions)
    )
    name = escape(f"{without_isolates(content.title)}, token by token")
    more = f'<p class="more">and {content.hidden:,} more tokens</p>' if content.hidden else ""
    return (
        f'<div class="marked"><h3>{prose(content.title)}</h3>'
        f'<div class="running"{dir_lang(content.writing)} role="group" data-rove="" '
        f'aria-label="{name}">{tokens}</div>{note}{more}</div>'
    )


def _directions(
    words: Sequence[str], writing: Writing, *, is_crossed: bool = False
) -> tuple[Sequence[str], str]:
    """Return the attribute `dir` of each word, or "" if the text has one direction, and a note.

    With these attributes, the style sheet orders the boxes of words as the browser orders the words
    of a plain text. If that is impossible, or if something crosses from one direction to the other,
    there is no attribute, and the note says in which order the words stand.
    """
    directions = None if is_crossed else word_directions(words, writing.direction)
    if directions is None:
        order = "right to left" if writing.direction == "rtl" else "left to right"
        reason = f"a {'mark' if is_crossed else 'word'} crosses from one direction to the other"
        return [""] * len(words), f'<p class="more">All words run {order}, because {reason}.</p>'
    if set(directions) <= {writing.direction}:
        return [""] * len(words), ""
    return [f' dir="{name}"' for name in directions], ""


def _token_button(
    content: doc.MarkedText, lanes: Sequence[doc.Lane], position: int, direction: str, prefix: str
) -> str:
    kind = _KINDS[content.kinds[position : position + 1] or "."]
    name = "".join(content.keys[position : position + 1])
    attributes = f' class="{kind}"' if kind else ""
    attributes += f' data-ngram="{prefix}{name}"' if name else ""
    label = SPOKEN_LABELS.get(kind, "")
    spoken = f'<span class="spoken">, {label}</span>' if label else ""
    button = (
        f'<button type="button"{attributes} tabindex="{-1 if position else 0}">'
        f'<span class="token">{escape(content.tokens[position])}</span>{spoken}'
        f"{''.join(_mark(lane, position) for lane in lanes)}</button>"
    )
    return f"<span{direction}>{button}</span>" if direction else button


def _mark(lane: doc.Lane, position: int) -> str:
    """Render the mark of a lane below one token; it joins that of a token beside it."""
    letters, gaps = lane
    kind, is_last = _KINDS[letters[position]], gaps[position] == "."
    last = ' class="last"' if is_last else ""
    return f'<i data-kind="{kind}"{last}></i>' if kind else "<i></i>"


def isolate_strings(code: str) -> str:
    """Escape code, in which right-to-left text in a string reorders only that string."""
    return "".join(
        f"<bdi>{escape(part)}</bdi>" if index % 2 and not part.isascii() else escape(part)
        for index, part in enumerate(STRING_LITERAL.split(code))
    )


def step(content: doc.Step, prefix: str = "", *, linked: bool = True, end: str = "") -> str:
    """Render one step as a section with its anchor as id.

    `prefix` keeps the ids of a second derivation on the same page unique. The title links to the
    step itself if `linked`. `end` is markup at the end of the section.
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
        f"{''.join(map(block, content.blocks))}{_citation(content)}{end}</section>"
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
                f"{untranslated(equation(content))}</div>"
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
    directions, note = _directions(content.tokens, content.writing)
    for direction, (token, kind) in zip(directions, content.tokens_with_kinds, strict=True):
        attributes = f' class="{kind}"' if kind else ""
        label = f'<bdi class="spoken"> ({KIND_LABELS[kind]})</bdi>' if kind in KIND_LABELS else ""
        items += f"<li{direction}{attributes}><span>{escape(token)}{label}</span></li>"
    more = f'<p class="more">and {content.hidden:,} more</p>' if content.hidden else ""
    attributes = dir_lang(content.writing)
    tokens = f'<ol class="token-list"{attributes}>{items}</ol>' if items else ""
    return f'<div class="tokens"><h4>{escape(content.title)}</h4>{tokens}{note}{more}</div>'


def blank(content: doc.Blank) -> str:
    """Render a text box, or a radio button for each option, labelled with the full question."""
    name, label = escape(content.name), escape(content.label)
    if not content.options:
        # The label is translated unless it quotes a text.
        quotation = ' translate="no"' if QUOTATION.search(content.label) else ""
        return (
            f'<input class="blank" name="{name}" aria-label="{label}"{quotation} size="8" '
            'dir="auto" autocomplete="off" autocapitalize="off" spellcheck="false">'
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
    directions, note = _directions(content.tokens.tokens, content.tokens.writing)
    items = "".join(
        f'<li{direction}><label><input type="checkbox" name="{name}" value="{position}"> '
        f"{escape(token)}</label></li>"
        for position, (direction, token) in enumerate(
            zip(directions, content.tokens.tokens, strict=True), 1
        )
    )
    return (
        f'<div class="tokens" role="group" aria-label="{escape(content.label)}">'
        f"<h4>{escape(content.plain.title)}</h4>"
        f'<ol class="token-list marking"{dir_lang(content.tokens.writing)}>{items}</ol>{note}</div>'
    )


def table(content: doc.Table, target: Callable[[str], str] | None = None) -> str:
    """Render a table in a box that scrolls if the table is too wide.

    The headers of rows with an anchor link to its `target`, which is a URL.
    """
    headers = "".join(f'<th scope="col">{span(header)}</th>' for header in content.headers)
    rove = ' data-rove=""' if content.rows and content.rows[0].key else ""
    labels = list(map(as_text.span, content.headers[1:])) if content.stackable else ()
    rows = (
        _row(row, labels, focusable=not index, href=target(row.anchor) if target else "")
        for index, row in enumerate(content.rows)
    )
    foot = f"<tfoot>{_row(content.foot, labels)}</tfoot>" if content.foot else ""
    more = f'<p class="more">and {escape(content.hidden_rows_text)}</p>' if content.hidden else ""
    label, caption_id = f'aria-label="{escape(content.caption)}"', ""
    if QUOTATION.search(content.caption):  # An attribute with a name in it would be translated.
        name = re.sub(r"\W+", "-", f"{content.name} {content.caption}")
        label, caption_id = f'aria-labelledby="{name}"', f' id="{name}"'
    return (
        f'<div class="table" role="group" tabindex="0" {label}>'
        f'<table class="{content.name}{" stacks" if content.stackable else ""}">'
        f"<caption{caption_id}>{prose(content.caption)}</caption>"
        f"<thead><tr>{headers}</tr></thead><tbody{rove}>{''.join(rows)}</tbody>{foot}</table>"
        f"</div>{more}"
    )


def span(content: doc.Cell) -> str:
    """Render one span or cell."""
    match content:
        case str():
            return prose(content)
        case Num(int() | float() as value):
            return _numbers(number_text(value))
        case doc.Quote(text):
            return f'<q class="ngram"><bdi{dir_lang(content.writing)}>{escape(text)}</bdi></q>'
        case doc.Term(text):
            return f"<dfn>{prose(text)}</dfn>"
        case doc.Strong(text):
            return f"<strong>{prose(text)}</strong>"
        case doc.Score100():
            return _numbers(as_text.span(content))
        case doc.Meter(value):
            text = as_text.span(content)
            label = f'<bdi class="whole">{text}</bdi>' if " " in text else text
            return (
                f'{label} <meter min="0" max="1" value="{float(value):.4f}" aria-hidden="true">'
                "</meter>"
            )
        case doc.Blank():
            return blank(content)
        case doc.Choice(label, name, writing, effect):
            attributes = dir_lang(writing) if writing else ""
            if effect:  # It quotes the user's texts.
                attributes = attributes or ' translate="no"'
                attributes += f' aria-label="{escape(f"{label}: {effect}")}"'
            return (
                f'<button type="button" class="choice" data-command="{escape(name)}"{attributes}>'
                f"{escape(label)}</button>"
            )
        case doc.ChoiceList(choices):
            items = "".join(f"<li>{span(choice)}</li>" for choice in choices)
            return f'<ul class="choices">{items}</ul>'
        case _:
            return untranslated(inline(content))


def spans(contents: Iterable[doc.Span]) -> str:
    """Render the spans of running text; an equation in it, such as “r = 18”, stays on one line."""
    return INLINE_EQUATION.sub(r'<bdi class="whole">\g<0></bdi>', "".join(map(span, contents)))


def _row(
    row: doc.Row, labels: Sequence[str] = (), *, focusable: bool = False, href: str = ""
) -> str:
    kind_label = KIND_LABELS.get(row.visible_kind, "")
    mark = f' <span class="mark">{kind_label}</span>' if kind_label else ""
    first, *rest = row.cells
    header = span(first)
    if row.key:
        tabindex = 0 if focusable else -1
        header = f'<button type="button" class="gram" tabindex="{tabindex}">{header}</button>'
    elif href:
        header = f'<a href="{href}">{header}</a>'
    attributes = [f' data-label="{escape(label)}"' for label in labels] or [""] * len(rest)
    pairs = zip(attributes, rest, strict=True)
    cells = "".join(f"<td{attribute}>{span(cell)}</td>" for attribute, cell in pairs)
    kind = f' class="{row.visible_kind}"' if row.visible_kind else ""
    kind += f' data-ngram="{row.key}"' if row.key else ""
    return f'<tr{kind}><th scope="row">{header}{mark}</th>{cells}</tr>'
