"""Scores of 0 and NLTK's almost 0 in words; tests/peers checks the numbers that NLTK prints."""

import pytest

from bleu import derive, explain
from bleu.analysis.edits import scored_edits
from bleu.analysis.zero import diagnose_zero
from bleu.document.blocks import Paragraph, Table
from bleu.explanation.edits import word_value_blocks
from bleu.explanation.summary import precisions_table, remedy_name
from bleu.explanation.symbols import Symbols
from bleu.render.text import span


def test_nltk_without_smoothing_is_not_called_smoothed() -> None:
    derivation = derive("a b c", ["a b c"], convention="nltk-method0")
    table = precisions_table(Symbols(derivation.score))
    assert [row.kind for row in table.rows] == [""] * 4
    for figure in explain(derivation).figures:
        assert "smoothed" not in str(figure)


def test_min_float_with_another_value_is_smoothing() -> None:
    choices = {"smoothing": "nltk-min-float", "smoothing_value": "0.1"}
    derivation = derive("a b c", ["a b c"], **choices)
    assert diagnose_zero(derivation) is None
    table = precisions_table(Symbols(derivation.score))
    assert [row.kind for row in table.rows] == ["", "", "", "smoothed"]
    assert diagnose_zero(derive("a", ["a " * 22], **choices)) is None


@pytest.mark.parametrize(("hypothesis", "reference"), [("a x b", "a y b z"), ("a x", "a b")])
def test_remedies_give_more_than_almost_0(hypothesis: str, reference: str) -> None:
    diagnosis = diagnose_zero(derive(hypothesis, [reference], convention="nltk-method0"))
    assert diagnosis
    assert diagnosis.remedies
    assert all(remedy.value > 0.01 for remedy in diagnosis.remedies)


def test_score_that_stays_almost_0_does_not_fall_with_a_removed_word() -> None:
    text, reference = "the cat sat on mat", "the cat is on the mat"
    current = derive(text, [reference], convention="nltk-method0")
    edits = list(scored_edits(text, [reference], current.settings))
    first, *others = word_value_blocks(edits, current, text)
    assert isinstance(first, Paragraph)
    sentence = "".join(map(span, first.spans))
    assert sentence == "Whichever single word is removed, BLEU stays ≈ 0."
    assert not any(isinstance(block, Table) and block.name == "losses" for block in others)


def test_no_smoothing_is_offered_for_empty_texts() -> None:
    diagnosis = diagnose_zero(derive("", [""], convention="mteval-v14"))
    assert diagnosis
    assert diagnosis.cause == "empty"
    assert "smoothing" not in [remedy.setting for remedy in diagnosis.remedies]


@pytest.mark.parametrize(
    ("convention", "library"),
    [("default", "which sacreBLEU’s sentence_bleu has"), ("nltk-method0", "NLTK’s auto_reweigh")],
)
def test_effective_order_is_named_as_in_the_library(convention: str, library: str) -> None:
    diagnosis = diagnose_zero(derive("a b c", ["a b c"], convention=convention))
    assert diagnosis
    names = [remedy_name(remedy, nltk=bool(diagnosis.value)) for remedy in diagnosis.remedies]
    assert f"effective order, {library}" in names
