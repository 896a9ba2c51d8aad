"""Whether the references of a few segments are given the other way round."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from bleu.core.api import seems_transposed
from bleu.core.settings import Settings

TRANSPOSED_NOTE = (
    "each reference file seems to have the references of one segment; give files in which line i "
    "belongs to segment i"
)
"""What a person should know of references that look transposed."""


def warn_if_transposed(
    rows: Iterable[Sequence[str]],
    systems: int,
    settings: Settings,
    on_note: Callable[[str], object],
) -> Iterator[Sequence[str]]:
    """The rows as they come; `tell` hears at the end where their references look transposed.

    The first lines of a row are those of the systems, the others its references. That can be only
    where there are as many rows as references, so no more rows than these are kept.

    >>> rows = [("a b c d", "a b c d", "a b c x"), ("e f g h", "e f g h", "e f g x")]
    >>> list(warn_if_transposed(rows, 1, Settings(), print)) == rows
    True
    >>> crossed = [("a b c d", "a b c d", "e f g h"), ("e f g h", "a b c x", "e f g x")]
    >>> _ = list(warn_if_transposed(crossed, 1, Settings(), print))
    each reference file seems to have the references of one segment; give files in which line i \
belongs to segment i
    """
    first: list[Sequence[str]] = []
    for row in rows:
        if len(first) <= len(row) - systems:
            first.append(row)
        yield row
    references = [row[systems:] for row in first]
    if any(
        seems_transposed([row[place] for row in first], references, settings)
        for place in range(systems)
    ):
        on_note(TRANSPOSED_NOTE)
