"""Detection of transposed references: one file for each segment instead of one line."""

from collections.abc import Iterable, Sequence

from bleu.core.api import seems_transposed
from bleu.core.settings import Settings


def transposed_note(
    systems: Iterable[Sequence[str]], references: Sequence[Sequence[str]], settings: Settings
) -> str:
    """Return a note if the references look transposed for any of the systems, else ""."""
    if any(seems_transposed(texts, references, settings) for texts in systems):
        return (
            "each reference file seems to have the references of one segment; give files in which "
            "line i belongs to segment i"
        )
    return ""
