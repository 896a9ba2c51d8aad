"""Conventions as HTML: tables of their scores."""

from bleu.document.blocks import Table
from bleu.render import html


def conventions_html(differ: Table, agree: Table, count: int, scores: str = "score") -> str:
    """Return a table of the conventions that differ, and a folded table of those that agree.

    `count` is the number of conventions that agree; if it is 0, their table is left out.
    """
    ways = "1 way gives" if count == 1 else f"{count} ways give"
    folded = f"<summary>{ways} the same {scores} as this page</summary>{html.table(agree)}"
    return (html.table(differ) if differ.rows else "") + (
        f'<details class="agreeing">{folded}</details>' if count else ""
    )
