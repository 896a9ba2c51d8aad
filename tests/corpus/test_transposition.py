"""Detection of transposed references."""

from bleu import Settings
from bleu.corpus.transposition import TRANSPOSED_NOTE, warn_if_transposed

TRANSPOSED = [("a b c d", "a b c d", "e f g h"), ("e f g h", "a b c x", "e f g x")]


def notes_on(rows, systems):
    """Return the notes on rows."""
    notes = []
    assert list(warn_if_transposed(rows, systems, Settings(), notes.append)) == rows
    return notes


def test_transposed_references_are_found_for_any_system():
    assert notes_on([("z", *row) for row in TRANSPOSED], 2) == [TRANSPOSED_NOTE]


def test_more_segments_than_references_cannot_be_transposed():
    assert notes_on([*TRANSPOSED, ("i", "j", "k")], 1) == []
