"""New markup in the place of old: rows and items that stay the same are not parsed again."""

import re
from typing import Any, Final

from bleu.core.memoize import memoize

ITEM: Final = re.compile(r"(<tr\b.*?</tr>|<li\b.*?</li>)", re.DOTALL)
"""A row of a table or an item of a list; none lies within another."""
HOLDERS: Final = ":is(thead, tbody, tfoot, ol, ul):not(:empty)"
BULK_REPLACE_ROWS: Final = 8
"""From how many rows on it is faster to replace them all at once."""
CACHE_CAPACITY: Final = 1 << 20
"""Characters of markup whose parts are remembered."""


def patch(element: Any, before: str, after: str) -> None:
    """Make an element, whose markup is `before`, the one whose markup is `after`.

    Where they differ in rows and items alone, only those that differ are replaced.
    """
    frame, was = split_markup(before)
    other, will = split_markup(after)
    if frame != other:
        element.outerHTML = after
        return
    holders = element.querySelectorAll(HOLDERS)
    for place, (old, new) in enumerate(zip(was, will, strict=True)):
        if old != new:
            patch_rows(holders.item(place), old, new)


@memoize(CACHE_CAPACITY, size=lambda markup: len(markup))
def split_markup(markup: str) -> tuple[list[str], list[list[str]]]:
    """What stands around rows and items, and the runs of them between: one run to a table's body.

    Remembered, as what comes after one keystroke comes before the next.

    >>> split_markup("<ol><li>a</li><li>b</li></ol><p>c</p>")
    (['<ol>', '</ol><p>c</p>'], [['<li>a</li>', '<li>b</li>']])
    """
    around: list[str] = []
    runs: list[list[str]] = []
    for place, part in enumerate(ITEM.split(markup)):
        if place % 2:
            runs[-1].append(part)
        elif part or not place:
            around.append(part)
            runs.append([])
    return around, runs[:-1]


def patch_rows(holder: Any, old: list[str], new: list[str]) -> None:
    """Replace what differs of a run within the element that holds it."""
    start = common_prefix_length(old, new)
    end = common_prefix_length(old[start:][::-1], new[start:][::-1])
    gone, markup = len(old) - start - end, "".join(new[start : len(new) - end])
    rows = holder.children
    if gone >= BULK_REPLACE_ROWS:
        holder.innerHTML = "".join(new)
    elif gone:
        for _ in range(gone - 1):
            rows.item(start).remove()
        rows.item(start).outerHTML = markup
    elif start:
        rows.item(start - 1).insertAdjacentHTML("afterend", markup)
    else:
        holder.insertAdjacentHTML("afterbegin", markup)
    if holder.hasAttribute("data-rove"):
        for place in holder.querySelectorAll('button[tabindex="0"]'):
            place.tabIndex = -1
        holder.querySelector("button").tabIndex = 0


def common_prefix_length(one: list[str], other: list[str]) -> int:
    """How many of two lists are the same from the start on.

    >>> common_prefix_length(["a", "b"], ["a", "c"]), common_prefix_length([], ["a"])
    (1, 0)
    """
    pairs = zip(one, other)  # noqa: B905 - as far as both go
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
