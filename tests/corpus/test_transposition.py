"""Detection of transposed references."""

from bleu import Settings
from bleu.corpus.corpus import transposed_note

REFERENCES = [("a b c d", "e f g h"), ("a b c x", "e f g x")]
SYSTEMS = [["z", "z"], ["a b c d", "e f g h"]]


def test_transposed_references_are_found_for_any_system():
    assert "the references of one segment" in transposed_note(SYSTEMS, REFERENCES, Settings())


def test_more_segments_than_references_cannot_be_transposed():
    systems = [[*texts, "i"] for texts in SYSTEMS]
    assert transposed_note(systems, [*REFERENCES, ("j", "k")], Settings()) == ""
