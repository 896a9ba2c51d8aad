"""References the other way round: looked for in every system, and only where they can be."""

from bleu import Settings
from bleu.corpus.transposition import TRANSPOSED_NOTE, warn_if_transposed

CROSSED = [("a b c d", "a b c d", "e f g h"), ("e f g h", "a b c x", "e f g x")]


def told(rows, systems):
    """What is told of rows."""
    found = []
    assert list(warn_if_transposed(rows, systems, Settings(), found.append)) == rows
    return found


def test_transposed_references_are_found_for_any_system():
    assert told([("z", *row) for row in CROSSED], 2) == [TRANSPOSED_NOTE]


def test_more_segments_than_references_cannot_be_transposed():
    assert told([*CROSSED, ("i", "j", "k")], 1) == []
