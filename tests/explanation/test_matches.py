"""Marked texts: the marks agree with the counts and the positions of the n-grams."""

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu import derive
from bleu.core.ngrams import ngrams
from bleu.explanation.matches import (
    MAX_TOKENS,
    _stretches,
    candidate_kinds,
    marked_texts,
    ngram_at,
    ngram_sentence,
    text_descriptions,
    text_lanes,
)
from bleu.render import html
from bleu.render.text import blocks
from tests.support.strategies import segments


def ngrams_by_key(derivation, n):
    """Return the n-grams of the candidate by the keys of their marks."""
    return {f"{n}-{i}": match.ngram for i, match in enumerate(derivation.orders[n - 1].matches())}


@given(segments, st.integers(1, 6))
def test_marked_texts_have_the_lanes_of_their_order_and_the_keys_of_their_ngrams(segment, n):
    derivation = derive(*segment, max_order=6)
    texts = marked_texts(derivation, n)
    assert [list(text.lanes) for text in texts] == text_lanes(derivation, n)
    found = ngrams_by_key(derivation, n)
    all_tokens = derivation.hypothesis, *derivation.references
    for text, tokens in zip(texts, all_tokens, strict=True):
        for start, ngram in enumerate(ngrams(tokens, n)):
            key = text.keys[start]
            assert found[key] == ngram if key else ngram not in found.values()


def marked_words(text):
    """Return the words of a text whose 1-gram is credited or present."""
    [(letters, _)] = text.lanes
    words = zip(text.tokens, letters, strict=True)
    return " ".join(word for word, letter in words if letter in "cp")


def test_occurrences_in_the_longest_common_stretch_are_credited():
    hypothesis, reference = "the man went to the park", "yesterday the old man walked to the park"
    candidate, shown = marked_texts(derive(hypothesis, [reference]), 1)
    assert marked_words(candidate) == "the man to the park"
    candidate, shown = marked_texts(derive(hypothesis, ["a man walked to the park"]), 1)
    assert candidate.lanes[0][0][::4] == "xc"
    candidate, shown = marked_texts(derive("to the park", [reference]), 1)
    assert marked_words(shown) == "to the park"


def test_first_occurrences_are_credited_if_contexts_are_alike():
    candidate, _ = marked_texts(derive("the x the y the", ["the cat on the mat"]), 1)
    assert candidate.lanes[0][0] == "cucux"


@given(segments, st.integers(1, 4))
def test_context_credits_as_many_occurrences_of_each_ngram_as_its_clipped_count(segment, n):
    order = derive(*segment).orders[n - 1]
    credits = Counter()
    for ngram, kind in zip(ngrams(order.hypothesis, n), candidate_kinds(order), strict=True):
        credits[ngram] += kind == "credited"
    assert credits == Counter({match.ngram: match.clipped_count for match in order.matches()})


@given(segments)
def test_stretches_are_the_longest_that_stand_in_another_text(segment):
    derivation = derive(*segment)
    text, others = derivation.hypothesis, derivation.references
    found = {
        (start, end)
        for start in range(len(text))
        for end in range(start + 1, len(text) + 1)
        if any(text[start:end] in set(ngrams(other, end - start)) for other in others)
    }
    maximal = {
        (start, end) for start, end in found if not {(start - 1, end), (start, end + 1)} & found
    }
    assert set(zip(*_stretches(text, others), strict=True)) == maximal


@given(segments, st.integers(1, 4))
def test_lanes_of_one_order_have_its_ngrams_one_by_one(segment, n):
    order = (derivation := derive(*segment)).orders[n - 1]
    candidate, *_ = text_lanes(derivation, n)
    for letter, count in (("c", order.matched), ("x", order.vanilla - order.matched)):
        assert sum(tokens.count(letter) for tokens, _ in candidate) == n * count
        assert sum(gaps.count(letter) for _, gaps in candidate) == (n - 1) * count
    if n == 1:
        assert candidate[0][0].count("u") == order.total - order.vanilla


@given(segments)
def test_lanes_of_all_orders_have_the_strongest_kind_of_each_token(segment):
    derivation = derive(*segment)
    for order in derivation.orders:
        texts = zip(marked_texts(derivation, order.n), text_lanes(derivation), strict=True)
        for text, lanes in texts:
            assert lanes[order.n - 1][0] == text.kinds
    for text, lanes in zip(marked_texts(derivation), text_lanes(derivation), strict=True):
        assert (list(text.lanes), text.kinds) == (lanes, lanes[0][0])


@given(segments, st.data())
def test_ngram_at_a_word_is_the_longest_that_counts(segment, data):
    derivation = derive(*segment)
    texts = [derivation.hypothesis, *derivation.references]
    index = data.draw(st.integers(0, len(texts) - 1))
    if not texts[index]:
        return
    position = data.draw(st.integers(0, len(texts[index]) - 1))
    key, starts = ngram_at(derivation, index, position)
    longest = [
        n
        for n, (tokens, _) in enumerate(text_lanes(derivation)[index], 1)
        if tokens[position] in "cp"
    ]
    if longest:
        assert key.startswith(f"{longest[-1]}-")
    if key:
        n = int(key.partition("-")[0])
        assert any(start <= position < start + n for start in starts[index])
        occurrences = {
            texts[i][start : start + n] for i, found in enumerate(starts) for start in found
        }
        assert len(occurrences) == 1
    else:
        assert texts[index][position] not in texts[0]


def test_descriptions_name_the_words_without_a_match():
    candidate, reference = text_descriptions(
        derive(" ".join(f"a{n}" for n in range(20)), ["a0 b"], tokenizer="13a")
    )
    names = ", ".join(f"“a{n}”" for n in range(1, 13))
    assert candidate == f"1 of 20 tokens count. No match: {names} and 7 more."
    assert reference == "1 of 2 tokens match. No match: “b”."


@given(segments)
def test_references_with_the_maximum_count_are_marked_credited(segment):
    derivation = derive(*segment, max_order=1)
    _, *references = marked_texts(derivation, 1)
    for match_index, match in enumerate(derivation.orders[0].matches()):
        for text, count in zip(references, match.reference_counts, strict=True):
            marks = zip(text.keys, text.lanes[0][0], strict=True)
            letters = [letter for key, letter in marks if key == f"1-{match_index}"]
            assert sum(letter != "." for letter in letters) == min(count, match.count)
            has_maximum = count == match.max_reference_count
            assert {*letters} <= {"c" if has_maximum else "p", "."}


def test_markup_has_the_marks_of_each_lane_that_has_one():
    candidate, _ = marked_texts(derive("a b x b", ["a b"]), 1)
    marks = re.findall(r'<i data-kind="(\w+)" class="last"></i>', html.marked_text(candidate))
    assert marks == ["credited", "credited", "unmatched", "clipped"]
    candidate, _ = marked_texts(derive("a b c x", ["a b c"]), 2)
    words = re.findall(r"</span>((?:<i[^>]*></i>)*)</button>", html.marked_text(candidate))
    part, end = '<i data-kind="credited"></i>', '<i data-kind="credited" class="last"></i>'
    assert words == [f"{part}<i></i>", f"{end}{part}", f"<i></i>{end}", "<i></i><i></i>"]
    candidate, _ = marked_texts(derive("a b x", ["a b"]), 2)
    assert html.marked_text(candidate).count("<i") == 3


def test_long_text_is_shortened():
    derivation = derive(["a", "b"] * 500, [["a", "b"] * 400])
    text, _ = marked_texts(derivation, 2)
    assert (len(text.tokens), text.hidden) == (MAX_TOKENS, 1000 - MAX_TOKENS)
    assert "and 700 more tokens" in html.marked_text(text)


@pytest.mark.parametrize("n", [-1, 5])
def test_unknown_order_raises_value_error(n):
    with pytest.raises(ValueError, match=f"order to mark is {n}; choose 1 to 4"):
        marked_texts(derive("a", ["a"]), n)


@pytest.mark.parametrize(
    ("hypothesis", "references", "key", "sentence"),
    [
        (
            "a b", ["a b"], "2-0",
            "“a b”: once in the candidate, once in the reference.",
        ),
        (
            "a", ["b"], "1-0",
            "“a”: once in the candidate, no match.",
        ),
        (
            "a a a", ["a a", "b", "a a"], "1-0",
            "“a”: 3 times in the candidate, at most 2 times in ref. 1 and ref. 3: 2 credited, "
            "1 cut off.",
        ),
        (
            "a", ["b", "a a"], "1-0",
            "“a”: once in the candidate, at most 2 times in ref. 2.",
        ),
        (
            "a", ["a", "a", "b", "a", "a"], "1-0",
            "“a”: once in the candidate, at most once in ref. 1, ref. 2 and ref. 4.",
        ),
    ],
)  # fmt: skip
def test_ngram_sentence(hypothesis, references, key, sentence):
    assert blocks([ngram_sentence(derive(hypothesis, references), key)]) == f"{sentence}\n"


def test_unknown_key_raises_value_error():
    with pytest.raises(ValueError, match="key is '7-7'"):
        ngram_sentence(derive("a", ["a"]), "7-7")
