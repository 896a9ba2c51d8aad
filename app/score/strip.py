"""The strip below the formula: one station of the score as HTML, and where the tour goes on."""

from collections.abc import Mapping
from typing import Final

from app.components import button, explain_button
from app.score.html import step_figure
from app.state.form import PageSnapshot
from bleu.document.blocks import Block, Row, Step, Table
from bleu.explanation.stations import station, station_names
from bleu.render import html, text
from bleu.render.html import KIND_LABELS, step_id

FIRST_TOKENS: Final = 16
"""The number of tokens in the chips of a kind that are shown at first; the others unfold."""


def strip_html(snapshot: PageSnapshot, anchor: str) -> tuple[str, str]:
    """Return a station of the score as HTML, and its sentence as an announcement.

    >>> from app.score.html import build_snapshot
    >>> from app.state.inputs import Inputs
    >>> strip_html(build_snapshot(Inputs("a b", ("a c",), max_order="1")), "precision-1")[1]
    '1 of 2 words is in the reference.'
    """
    step = station(snapshot.derivation, anchor)
    drawing = step_figure(snapshot.outline, anchor, "strip-")
    markup = _head(step, station_names(snapshot.derivation))
    markup += "".join(_block(block, drawing) for block in step.blocks)
    if anchor == "brevity-penalty":
        markup += drawing
    return html.with_language(markup, snapshot.inputs.lang), text.blocks(step.blocks[:1]).strip()


def _block(content: Block, drawing: str) -> str:
    if isinstance(content, Table) and content.name == "ngrams":
        return _chips(content)
    if isinstance(content, Table) and content.name == "cross-check":
        return _ways(content, drawing)
    if isinstance(content, Table) and content.name == "lengths":
        return f"<p>{' · '.join(map(_length, content.rows))}</p>"
    return html.block(content)


def _chips(table: Table) -> str:
    """Render the n-grams of an order as chips, in a line for each kind."""
    order, _, _ = table.rows[0].key.partition("-")
    first, lines = FIRST_TOKENS // int(order), ""
    for kind, label in KIND_LABELS.items():
        rows = [row for row in table.rows if row.kind == kind]
        chips = [_chip(row, focusable=row is table.rows[0]) for row in rows]
        if chips:
            line = "".join(chips[:first])
            if rest := chips[first:]:
                line += (
                    f'<details id="more-{kind}"><summary>{len(rest)} more</summary>'
                    f"{''.join(rest)}</details>"
                )
            lines += f'<div class="{kind}"><span>{label}</span> <div>{line}</div></div>'
    more = f'<p class="more">and {html.prose(table.hidden_rows_text)}</p>' if table.hidden else ""
    return f'<div class="chips" data-rove="">{lines}{more}</div>'


def _chip(row: Row, *, focusable: bool) -> str:
    """Render an n-gram, with its counts unless it occurs once; pointing at it lights its places."""
    count, credited = (html.span(cell) for cell in (row.cells[1], row.cells[-1]))
    counts = "" if count == "1" else f" <small>· {credited} of {count}</small>"
    return (
        f'<button type="button" class="gram" data-ngram="{row.key}" '
        f'tabindex="{0 if focusable else -1}">'
        f"{html.span(row.cells[0])}{counts}</button> "
    )


def _length(row: Row) -> str:
    """Render the length of a reference, which is strong if it counts."""
    length = f'<bdi class="whole">{": ".join(map(html.span, row.cells[:2]))}</bdi>'
    return f"<strong>{length}</strong>" if row.kind == "chosen" else length


def _ways(table: Table, drawing: str) -> str:
    """Render the ways to compute the mean side by side, the logarithms with their drawing."""
    attributes = ' id="play" class="action"'
    play, ways = button("learn:play-score", "Play with these numbers", attributes), ""
    for row, before, after in zip(table.rows, (drawing, ""), ("", play), strict=True):
        way, formula, digits = map(html.span, row.cells)
        ways += f"<div><h4>{way}</h4>{before}<p>{formula} = <bdi>{digits}</bdi></p>{after}</div>"
    return f'<div class="ways">{ways}</div>'


def _head(step: Step, names: Mapping[str, str]) -> str:
    """Return the name of a station, a link to its step, and a button to the next station."""
    anchors = list(names)
    following = anchors[anchors.index(step.anchor) + 1 :]
    target, label, attributes = step.anchor, "Done", ' class="next"'
    if following:
        target, label = following[0], f"Next: {names[following[0]]}"
    return (
        f'<div class="buttons"><h3>{html.prose(step.title)}</h3>'
        f'<a href="#{step_id(step.anchor)}">All details</a>'
        f"{explain_button(target, label, attributes)}</div>"
    )
