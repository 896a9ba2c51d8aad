"""Marked texts: the marks agree with the counts and the positions of the n-grams."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu import derive
from bleu.explanation.matches import MAX_TOKENS, marked_texts, ngram_sentence, stacked_texts
from bleu.render import html
from bleu.render.text import blocks
from tests.support.strategies import segments


def count_runs(text, kind):
    """Return the number of marks of a kind in a text."""
    return sum(run.kind == kind and run.first for token in text.tokens for run in token.runs)


@given(segments, st.integers(1, 6))
def test_numbers_of_marks_equal_matched_and_total(segment, n):
    derivation = derive(*segment, max_order=6)
    order = derivation.orders[n - 1]
    candidate, *_ = marked_texts(derivation, n)
    assert count_runs(candidate, "credited") == order.matched
    assert count_runs(candidate, "clipped") == order.vanilla - order.matched
    assert count_runs(candidate, "unmatched") == order.total - order.vanilla


@given(segments, st.integers(1, 6))
def test_runs_cover_exactly_the_tokens_of_their_ngrams(segment, n):
    derivation = derive(*segment, max_order=6)
    for text, tokens in zip(
        marked_texts(derivation, n), (derivation.hypothesis, *derivation.references), strict=True
    ):
        matches = derivation.orders[n - 1].matches()
        ngrams = {f"{n}-{index}": match.ngram for index, match in enumerate(matches)}
        for lane in range(n):
            for start, token in enumerate(text.tokens):
                run = token.runs[lane]
                if run.first:
                    assert tuple(tokens[start : start + n]) == ngrams[run.key]
                    assert text.tokens[start + n - 1].runs[lane].last


@given(segments)
def test_references_with_the_maximum_count_are_marked_credited(segment):
    derivation = derive(*segment, max_order=1)
    _, *references = marked_texts(derivation, 1)
    for match_index, match in enumerate(derivation.orders[0].matches()):
        for text, count in zip(references, match.reference_counts, strict=True):
            kinds = [
                run.kind
                for token in text.tokens
                for run in token.runs
                if run.key == f"1-{match_index}" and run.kind
            ]
            assert len(kinds) == min(count, match.count)
            has_maximum = count == match.max_reference_count
            assert set(kinds) <= {"credited" if has_maximum else "present"}


@given(segments)
def test_stacked_texts_have_one_labelled_row_per_order(segment):
    derivation = derive(*segment, max_order=4)
    texts = stacked_texts(derivation)
    assert len(texts) == 1 + len(derivation.references)
    for n, order in enumerate(derivation.orders, 1):
        row = texts[0][n - 1]
        assert row.row_label == f"{n}-grams"
        assert count_runs(row, "credited") == order.matched
        assert f">{n}-grams</span>" in html.marked_rows(texts[0])


def test_stacked_rows_have_no_empty_lanes():
    _, reference = stacked_texts(derive("a b c d", ["a b x y c d"]))
    assert re.findall(r"stacked lanes-(\d)", html.marked_rows(reference)) == ["1", "1", "0", "0"]


def test_long_text_is_shortened():
    derivation = derive(["a", "b"] * 500, [["a", "b"] * 400])
    text, _ = marked_texts(derivation, 2)
    assert (len(text.tokens), text.hidden) == (MAX_TOKENS, 1000 - MAX_TOKENS)
    assert "and 700 more tokens" in html.marked_text(text)


@pytest.mark.parametrize("n", [0, 5])
def test_unknown_order_raises_value_error(n):
    with pytest.raises(ValueError, match=f"order to mark is {n}; choose 1 to 4"):
        marked_texts(derive("a", ["a"]), n)


@pytest.mark.parametrize(
    ("hypothesis", "references", "key", "sentence"),
    [
        (
            "a b", ["a b"], "2-0",
            "“a b”: once in the candidate, and once in the reference. 1 credited.",
        ),
        (
            "a", ["b"], "1-0",
            "“a”: once in the candidate, and in no reference. Nothing is credited.",
        ),
        (
            "a a a", ["a a", "b", "a a"], "1-0",
            "“a”: 3 times in the candidate, but at most 2 times in any one reference "
            "(in ref. 1 and ref. 3). 2 credited, 1 clipped away.",
        ),
        (
            "a", ["b", "a a"], "1-0",
            "“a”: once in the candidate, and at most 2 times in any one reference (in ref. 2). "
            "1 credited.",
        ),
        (
            "a", ["a", "a", "b", "a", "a"], "1-0",
            "“a”: once in the candidate, and at most once in any one reference "
            "(in ref. 1, ref. 2 and ref. 4). 1 credited.",
        ),
    ],
)  # fmt: skip
def test_ngram_sentence(hypothesis, references, key, sentence):
    assert blocks([ngram_sentence(derive(hypothesis, references), key)]) == f"{sentence}\n"


def test_unknown_key_raises_value_error():
    with pytest.raises(ValueError, match="key is '7-7'"):
        ngram_sentence(derive("a", ["a"]), "7-7")
