"""Conventions as HTML: tables of their scores."""

from bleu.document.blocks import ChoiceList, Table
from bleu.render import html


def conventions_html(differing: Table, agreeing: Table, noun: str = "score") -> str:
    """Return a table of the conventions whose score differs, and a folded one of those that agree.

    A table without rows is left out. `noun` is “score” or “scores”.
    """
    cells = (cell for row in agreeing.rows for cell in row.cells if isinstance(cell, ChoiceList))
    count = sum(len(cell.choices) for cell in cells)
    ways = "1 way gives" if count == 1 else f"{count} ways give"
    folded = f"<summary>{ways} the same {noun} as this page</summary>{html.table(agreeing)}"
    return (html.table(differing) if differing.rows else "") + (
        f'<details class="agreeing">{folded}</details>' if agreeing.rows else ""
    )
