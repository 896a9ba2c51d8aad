"""The fit of a step's slide to the window: letters as large as fit, then plain rows folded."""

from bisect import bisect_left
from collections.abc import Callable
from typing import Any

from pyscript import document, window

from app.browser.dom import element

MIN_ZOOM = {"calculator": 0.75, "why": 1.0}
"""The smallest size of each column's letters, relative to that of the window."""
MAX_ZOOM = 1.6
"""The largest size of a column's letters."""
ZOOM_STEPS = 40
"""The number of sizes between the smallest and the largest."""
PLAIN_ROWS = ("unmatched", "credited")
"""The kinds of rows that are folded, in this order, from the last to the first."""
STEP = "#derivation [data-step]:not([data-off-slide])"
WIDE_PARTS = f"{STEP} :is(.equation, .table), .product, .factor"
"""The parts that must not be wider than their column."""


def fit_columns() -> None:
    """Give each column of a slide the largest letters that fit, and fold rows that do not.

    A narrow window has one column, which scrolls.
    """
    unfold_rows()
    is_wide = window.matchMedia("(min-width: 60rem)").matches
    for name, min_zoom in MIN_ZOOM.items():
        column = element(name)

        def is_cut(size: int, column: Any = column, min_zoom: float = min_zoom) -> bool:
            zoom = MAX_ZOOM - (MAX_ZOOM - min_zoom) * size / ZOOM_STEPS
            column.style.setProperty("--zoom", str(zoom))
            return is_overflowing(column)

        column.style.removeProperty("--zoom")
        column.scrollTop = 0
        if is_wide and column.checkVisibility():
            is_cut(smallest_fitting(is_cut, ZOOM_STEPS))
            if name == "why":
                fold_rows(column)


def smallest_fitting(is_cut: Callable[[int], bool], last: int) -> int:
    """Return the smallest number from 0 at which nothing is cut, or else `last`."""
    return bisect_left(range(last), True, key=lambda number: not is_cut(number))


def is_overflowing(column: Any) -> bool:
    """Return whether something in a column is hidden by its edge, or by that of a part."""
    parts = column, *column.querySelectorAll(WIDE_PARTS)
    return is_too_low(column) or any(part.scrollWidth > part.clientWidth + 1 for part in parts)


def is_too_low(column: Any) -> bool:
    """Return whether a column is lower than its content."""
    return bool(column.scrollHeight > column.clientHeight + 1)


def fold_rows(column: Any) -> None:
    """Replace as many plain rows as need be by one row that counts them."""
    rows: list[Any] = []
    for kind in PLAIN_ROWS:
        rows += reversed(list(document.querySelectorAll(f"{STEP} .ngrams tr.{kind}")))

    def is_cut(count: int) -> bool:
        unfold_rows()
        if count:
            for row in rows[:count]:
                row.hidden = True
            folded = [row.className for row in rows[:count]]
            parts = (("credited", "credited"), ("unmatched", "without a match"))
            counts = [f"{folded.count(kind)} {label}" for kind, label in parts if kind in folded]
            body, width = rows[0].parentElement, rows[0].children.length
            text = f"and {', '.join(counts)}"
            markup = f'<tr class="folded"><th colspan="{width}" scope="row">{text}</th></tr>'
            body.insertAdjacentHTML("beforeend", markup)
        return is_too_low(column)

    if len(rows) > 2:
        is_cut(smallest_fitting(is_cut, len(rows) - 1))


def unfold_rows() -> None:
    """Show all rows of the steps again."""
    for row in document.querySelectorAll("#derivation tr[hidden]"):
        row.hidden = False
    for row in document.querySelectorAll("#derivation tr.folded"):
        row.remove()
