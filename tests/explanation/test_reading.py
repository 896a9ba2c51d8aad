"""The sentence that reads a score, and its parts, which name the factors of the score."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu import derive
from bleu.core.conventions import CONVENTIONS
from bleu.explanation.summary import reading
from bleu.render import text


def sentence(hypothesis, *references, **choices):
    """Return the sentence on a score as plain text."""
    parts = reading(derive(hypothesis, references, **choices))
    return "".join(text.spans(part.spans) for part in parts)


@pytest.mark.parametrize(
    ("texts", "choices", "expected"),
    [
        (
            ("the the the the the the the", "the cat is on the mat", "there is a cat on the mat"),
            {"max_order": 1},
            "All 7 words are in a reference, but only 2 count: no reference has “the” more than "
            "twice.",
        ),
        (
            ("the cat the x", "the cat sat"),
            {"max_order": 2},
            "3 of 4 words are in the reference, but only 2 count: the reference has “the” only "
            "once.",
        ),
        (
            ("x x x the the cat", "the cat"),
            {"max_order": 1},
            "3 of 6 words are in the reference, but only 2 count: the reference has “the” only "
            "once.",
        ),
        (("a b x", "a b c"), {"max_order": 1}, "2 of 3 words are in the reference."),
        (
            ("x a", "a b"),
            {"max_order": 1, "tokenizer": "13a"},
            "1 of 2 tokens is in the reference.",
        ),
        (
            ("a b x y", "a b c d"),
            {"convention": "nltk-method1"},
            "2 of 4 words and 1 of 3 pairs are in the reference; smoothing fills in for the "
            "triples and fours, without a match.",
        ),
        (
            ("a b", "a b"),
            {"effective_order": True},
            "2 of 2 words and 1 of 1 pair are in the reference; the triples and fours are "
            "left out.",
        ),
        (
            ("a b", "a b c", "a b c d"),
            {"max_order": 1, "reference_length": "average"},
            "2 of 2 words are in a reference; being 1.5 words shorter costs 53 %.",
        ),
        (
            ("a b c d", "a b c d"),
            {"weights": (0, 0, 0.5, 0.5)},
            "2 of 2 triples and 1 of 1 four are in the reference.",
        ),
        (
            ("a", "a " * 9),
            {"max_order": 1},
            "1 of 1 word is in the reference; being 8 words shorter costs almost 100 %.",
        ),
    ],
)
def test_sentence_reads_the_score(texts, choices, expected):
    assert sentence(*texts, **choices) == expected


WORDS = st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=9).map(" ".join)


@pytest.mark.parametrize(
    ("length", "cost"), [(100, "1 %"), (30, "almost 100 %"), (2, "63 %"), (4, "95 %")]
)
def test_cost_of_the_length_is_almost_100_percent_above_99_alone(length, cost):
    c = 99 if length == 100 else 1
    parts = reading(derive("a " * c, ["a " * length]))
    assert f"costs {cost}." in "".join(str(span) for part in parts for span in part.spans)


@given(WORDS, st.lists(WORDS, min_size=1, max_size=3), st.sampled_from(sorted(CONVENTIONS)))
def test_sentence_names_only_factors_for_every_convention(hypothesis, references, convention):
    try:
        derivation = derive(hypothesis, references, convention=convention)
    except ValueError:  # The implementation gives no score.
        return
    if not derivation.score.value:
        return
    parts = reading(derivation)
    anchors = [part.anchor for part in parts if part.anchor]
    factors = {f"precision-{order.n}" for order in derivation.orders}
    assert set(anchors) <= factors | {"brevity-penalty"}
    assert ("brevity-penalty" in anchors) == (derivation.score.brevity_penalty < 1)
    assert text.spans(parts[-1].spans) == "."
