"""A score of 0, and NLTK's almost 0, in words; what NLTK itself prints is in tests/peers."""

import pytest

from bleu import derive, explain
from bleu.analysis.edits import scored_edits
from bleu.analysis.zero import diagnose_zero
from bleu.document.blocks import Paragraph, Table
from bleu.explanation.edits import word_value_blocks
from bleu.explanation.summary import precisions
from bleu.explanation.symbols import Symbols
from bleu.explanation.zero import remedy_name
from bleu.render.text import span


def test_nothing_is_called_smoothed_where_the_menu_says_no_smoothing() -> None:
    theirs = derive("a b c", ["a b c"], convention="nltk-method0")
    shown = precisions(Symbols(theirs.score, theirs.settings, theirs.score.matched))
    assert [row.kind for row in shown.rows] == [""] * 4
    for figure in explain(theirs).figures:
        assert "smoothed" not in str(figure)


def test_a_value_of_ones_own_is_smoothing_and_no_zero() -> None:
    own = derive("a b c", ["a b c"], smoothing="nltk-min-float", smoothing_value="0.1")
    assert diagnose_zero(own) is None
    shown = precisions(Symbols(own.score, own.settings, own.score.matched))
    assert [row.kind for row in shown.rows] == ["", "", "", "smoothed"]
    short = {"smoothing": "nltk-min-float", "smoothing_value": "0.1"}
    assert diagnose_zero(derive("a", ["a " * 22], **short)) is None


@pytest.mark.parametrize(("hypothesis", "reference"), [("a x b", "a y b z"), ("a x", "a b")])
def test_what_would_be_almost_0_again_is_no_remedy(hypothesis: str, reference: str) -> None:
    found = diagnose_zero(derive(hypothesis, [reference], convention="nltk-method0"))
    assert found
    assert found.remedies
    assert all(one.value > 0.01 for one in found.remedies)


def test_removing_a_word_does_not_fall_from_almost_0_to_almost_0() -> None:
    text, reference = "the cat sat on mat", "the cat is on the mat"
    here = derive(text, [reference], convention="nltk-method0")
    first, *others = word_value_blocks(
        list(scored_edits(text, [reference], here.settings)), here, text
    )
    assert isinstance(first, Paragraph)
    told = "".join(map(span, first.spans))
    assert told == "Whichever single word is removed, BLEU stays ≈ 0."
    assert not any(isinstance(one, Table) and one.name == "losses" for one in others)


@pytest.mark.parametrize(
    ("convention", "theirs"),
    [("default", "which sacreBLEU’s sentence_bleu has"), ("nltk-method0", "NLTK’s auto_reweigh")],
)
def test_the_effective_order_has_the_name_that_a_library_knows(
    convention: str, theirs: str
) -> None:
    found = diagnose_zero(derive("a b c", ["a b c"], convention=convention))
    assert found
    names = [remedy_name(one, nltk=bool(found.value)) for one in found.remedies]
    assert f"effective order, {theirs}" in names
