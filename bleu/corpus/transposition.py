"""Detection of transposed references: a file per segment instead of a line per segment."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from bleu.core.api import seems_transposed
from bleu.core.settings import Settings

TRANSPOSED_NOTE = (
    "each reference file seems to have the references of one segment; give files in which line i "
    "belongs to segment i"
)
"""The note on references that look transposed."""


def warn_if_transposed(
    rows: Iterable[Sequence[str]],
    systems: int,
    settings: Settings,
    on_note: Callable[[str], object],
) -> Iterator[Sequence[str]]:
    """Yield the rows unchanged; at the end call `on_note` if their references look transposed.

    The first `systems` lines of a row are hypotheses, the others its references. References can be
    transposed only if there are as many rows as references, so only that many rows are kept.
    """
    first_rows: list[Sequence[str]] = []
    for row in rows:
        if len(first_rows) <= len(row) - systems:
            first_rows.append(row)
        yield row
    references = [row[systems:] for row in first_rows]
    if any(
        seems_transposed([row[index] for row in first_rows], references, settings)
        for index in range(systems)
    ):
        on_note(TRANSPOSED_NOTE)
