"""Conventions as HTML: tables of their scores."""

from bleu.document.blocks import ChoiceList, Table
from bleu.render import html


def conventions_html(differ: Table, agree: Table, scores: str = "score") -> str:
    """Return a table of the conventions that differ, and a folded table of those that agree.

    A table without rows is left out.
    """
    cells = (cell for row in agree.rows for cell in row.cells if isinstance(cell, ChoiceList))
    count = sum(len(cell.choices) for cell in cells)
    ways = "1 way gives" if count == 1 else f"{count} ways give"
    folded = f"<summary>{ways} the same {scores} as this page</summary>{html.table(agree)}"
    return (html.table(differ) if differ.rows else "") + (
        f'<details class="agreeing">{folded}</details>' if agree.rows else ""
    )
