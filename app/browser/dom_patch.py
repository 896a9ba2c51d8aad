"""Patching of markup: unchanged table rows and list items are kept, not parsed again."""

import re
from posixpath import commonprefix
from typing import Any, Final

ITEM: Final = re.compile(r"(<tr\b.*?</tr>|<li\b.*?</li>)", re.DOTALL)
"""A table row or a list item; they are never nested."""
CONTAINERS: Final = ":is(thead, tbody, tfoot, ol, ul):not(:empty)"
"""The elements that contain items."""
MIN_BULK_ITEMS: Final = 8
"""If this many items or more are removed, replacing all items is faster."""


def patch(element: Any, before: str, after: str) -> None:
    """Turn an element with the markup `before` into one with the markup `after`.

    If they differ only in items, only the items that differ are replaced.
    """
    old_frame, old_runs = split_markup(before)
    new_frame, new_runs = split_markup(after)
    if old_frame != new_frame:
        element.outerHTML = after
        return
    containers = element.querySelectorAll(CONTAINERS)
    for index, (old, new) in enumerate(zip(old_runs, new_runs, strict=True)):
        if old != new:
            patch_items(containers.item(index), old, new)


def split_markup(markup: str) -> tuple[list[str], list[list[str]]]:
    """Return the parts of markup outside its items, and the runs of items between those parts.

    >>> split_markup("<ol><li>a</li><li>b</li></ol><p>c</p>")
    (['<ol>', '</ol><p>c</p>'], [['<li>a</li>', '<li>b</li>']])
    """
    frame: list[str] = []
    runs: list[list[str]] = []
    for index, part in enumerate(ITEM.split(markup)):
        if index % 2:
            runs[-1].append(part)
        elif part or not index:
            frame.append(part)
            runs.append([])
    return frame, runs[:-1]


def patch_items(container: Any, old: list[str], new: list[str]) -> None:
    """Replace the items of a container that differ between `old` and `new`."""
    start = len(commonprefix([old, new]))
    unchanged_end = len(commonprefix([old[start:][::-1], new[start:][::-1]]))
    removed = len(old) - start - unchanged_end
    markup = "".join(new[start : len(new) - unchanged_end])
    items = container.children
    if removed >= MIN_BULK_ITEMS:
        container.innerHTML = "".join(new)
    elif removed:
        for _ in range(removed - 1):
            items.item(start).remove()
        items.item(start).outerHTML = markup
    elif start:
        items.item(start - 1).insertAdjacentHTML("afterend", markup)
    else:
        container.insertAdjacentHTML("afterbegin", markup)
    if container.hasAttribute("data-rove"):
        # Exactly one button must be reachable by Tab: the first.
        for button in container.querySelectorAll('button[tabindex="0"]'):
            button.tabIndex = -1
        container.querySelector("button").tabIndex = 0
