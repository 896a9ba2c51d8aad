"""The marked texts: as many runs of a kind as were counted, each where its n-gram stands."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu import derive
from bleu.explanation.matches import MAX_TOKENS, marked_texts, ngram_sentence, stacked_texts
from bleu.render import html
from tests.support.strategies import segments


def starts(text, kind):
    """The runs of a kind that begin in a text."""
    return sum(run.kind == kind and run.first for token in text.tokens for run in token.runs)


@given(segments, st.integers(1, 6))
def test_the_marks_count_to_matched_and_total(segment, n):
    derivation = derive(*segment, max_order=6)
    order = derivation.orders[n - 1]
    candidate, *_ = marked_texts(derivation, n)
    assert starts(candidate, "credited") == order.matched
    assert starts(candidate, "clipped") == order.vanilla - order.matched
    assert starts(candidate, "unmatched") == order.total - order.vanilla


@given(segments, st.integers(1, 6))
def test_a_run_passes_exactly_the_tokens_of_its_ngram(segment, n):
    derivation = derive(*segment, max_order=6)
    for text, tokens in zip(
        marked_texts(derivation, n), (derivation.hypothesis, *derivation.references), strict=True
    ):
        grams = {
            f"{n}-{k}": match.ngram for k, match in enumerate(derivation.orders[n - 1].matches())
        }
        for lane in range(n):
            for place, token in enumerate(text.tokens):
                run = token.runs[lane]
                if run.first:
                    assert tuple(tokens[place : place + n]) == grams[run.key]
                    assert text.tokens[place + n - 1].runs[lane].last


@given(segments)
def test_a_reference_that_sets_the_maximum_is_marked_as_such(segment):
    derivation = derive(*segment, max_order=1)
    _, *references = marked_texts(derivation, 1)
    for match_place, match in enumerate(derivation.orders[0].matches()):
        for place, text in enumerate(references):
            kinds = [
                run.kind
                for token in text.tokens
                for run in token.runs
                if run.key == f"1-{match_place}" and run.kind
            ]
            its, most = match.reference_counts[place], match.max_reference_count
            assert len(kinds) == min(its, match.count)
            assert set(kinds) <= {"credited" if its == most else "present"}


@given(segments)
def test_stacked_each_order_has_a_row_with_its_name_in_which_ngrams_stay_apart(segment):
    derivation = derive(*segment, max_order=4)
    texts = stacked_texts(derivation)
    assert len(texts) == 1 + len(derivation.references)
    for n, order in enumerate(derivation.orders, 1):
        row = texts[0][n - 1]
        assert row.row_label == f"{n}-grams"
        assert starts(row, "credited") == order.matched
        assert f">{n}-grams</span>" in html.marked_rows(texts[0])


def test_a_row_has_room_for_the_ngrams_in_it_and_no_more():
    _, reference = stacked_texts(derive("a b c d", ["a b x y c d"]))
    assert re.findall(r"stacked lanes-(\d)", html.marked_rows(reference)) == ["1", "1", "0", "0"]


def test_a_long_text_is_cut_and_says_so():
    derivation = derive(["a", "b"] * 500, [["a", "b"] * 400])
    text, _ = marked_texts(derivation, 2)
    assert (len(text.tokens), text.hidden) == (MAX_TOKENS, 1000 - MAX_TOKENS)
    assert "and 700 more tokens" in html.marked_text(text)


@pytest.mark.parametrize("n", [0, 5])
def test_an_order_that_is_not_there_is_refused(n):
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
    ],
)  # fmt: skip
def test_an_ngram_in_a_sentence(hypothesis, references, key, sentence):
    assert ngram_sentence(derive(hypothesis, references), key) == sentence


def test_an_unknown_key_is_refused():
    with pytest.raises(ValueError, match="key is '7-7'"):
        ngram_sentence(derive("a", ["a"]), "7-7")
