"""The comparison: one outcome for each convention, each as if computed alone."""

import pytest
from hypothesis import given, settings

from bleu import CONVENTIONS, derive, sentence_bleu
from bleu.analysis.comparison import agree, compare
from bleu.explanation.comparison import comparison_table, differences, spread
from bleu.render import html, text
from tests.support.strategies import segments

SHORT = "left out, as the text is too short"


@settings(max_examples=40)
@given(segments)
def test_each_outcome_is_what_the_convention_gives_alone(segment):
    outcomes = compare(*segment)
    assert [outcome.name for outcome in outcomes] == list(CONVENTIONS)
    for outcome in outcomes:
        if outcome.derivation is None:
            assert outcome.refusal.endswith(".")
            continue
        alone = derive(*segment, convention=outcome.name)
        assert outcome.derivation.score == alone.score
        assert outcome.derivation.statistics == alone.statistics


def outcome(name, hypothesis, references):
    """One outcome."""
    (found,) = compare(hypothesis, references, names=[name])
    return found


def test_what_a_peer_cannot_do_is_said():
    assert outcome("fairseq", "a", ["a", "b"]).refusal == "It takes one reference only."
    assert "fails on an empty hypothesis" in outcome("multi-bleu", "", ["a"]).refusal
    assert "fails on an empty reference" in outcome("huggingface-evaluate", "a", ["a", ""]).refusal
    assert "3-gram" in outcome("nltk-method6", "a b", ["a b"]).refusal
    assert outcome("sacrebleu", "", [""]).value == 0


@pytest.mark.parametrize(
    ("name", "texts", "words"),
    [
        ("nltk-method1", ("a b c", ["a b c"]), ["order 4: smoothed (floor)"]),
        ("sacrebleu-sentence", ("a b c", ["a b c"]), [f"order 4: {SHORT}"]),
        ("mteval-v13a", ("a b c", ["a b c"]), ["order 4: the text is too short, counts as 1"]),
        ("sacrebleu", ("a b c d.", ["a b c d."]), ["other tokens (13a)", "r = 5 (closest)"]),
        ("papineni", ("A b c d", ["a b c d"]), ["other tokens (whitespace, case folded)"]),
        ("huggingface-evaluate", ("a b c d", ["a b c d", "a"]), ["r = 1 (shortest)"]),
        ("torchmetrics", ("a b c d", ["a b c d"]), []),
    ],
)  # fmt: skip
def test_differences_are_those_of_these_texts(name, texts, words):
    found = differences(derive(*texts, convention=name), derive(*texts))
    assert found[: len(words)] == words
    assert bool(found) == bool(words)


def test_a_convention_of_four_orders_is_told_apart_from_a_result_of_fewer():
    texts = ("a b c x", ["a b c d"])
    found = differences(derive(*texts, convention="moses-sentence"), derive(*texts, max_order=2))
    assert found[0] == "N is 4"
    assert found[1].startswith("orders 1, 2, 3 and 4: smoothed")


def test_the_table_marks_who_agrees():
    texts = ("the cat is on mat", ["the cat is on the mat"])
    here = derive(*texts)
    outcomes = compare(*texts)
    table = comparison_table(outcomes, here)
    for row, found in zip(table.rows, outcomes, strict=True):
        same = found.value is not None and agree(found.value, here.score.value)
        assert (row.kind == "same") == same
    assert "from 0.5607 to 0.6511" in html.paragraph(spread(outcomes, here))
    assert "NLTK method 3" in text._table(table)
    assert sentence_bleu(*texts, convention="nltk-method2").value == pytest.approx(0.6511126026643)


def test_what_cannot_be_compared_is_named():
    with pytest.raises(ValueError, match=r"convention is 'nltk'; choose one of: default"):
        compare("a", ["a"], names=["nltk"])
    with pytest.raises(ValueError, match="references is empty; give at least one reference"):
        compare("a", [])
    with pytest.raises(TypeError, match="references is a single text, 'a'"):
        compare("a", "a")
