"""n-grams of one order: runs, counts, clipping and matches."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu.core.ngrams import count_ngrams, match, ngrams
from tests.support.strategies import references, tokens

orders = st.integers(1, 9)


def test_ngrams_run_from_left_to_right():
    assert list(ngrams(tuple("abcd"), 3)) == [("a", "b", "c"), ("b", "c", "d")]


@given(tokens, orders)
def test_ngrams_start_at_every_position(text, n):
    assert list(ngrams(tuple(text), n)) == [
        tuple(text[start : start + n]) for start in range(len(text) - n + 1)
    ]


def test_counts_are_in_order_of_first_occurrence():
    assert list(count_ngrams(tuple("baabc"), 1).items()) == [(("b",), 2), (("a",), 2), (("c",), 1)]


def test_every_occurrence_is_credited_clipped_or_unmatched():
    order = match(tuple("the the cat the sat"), (tuple("the cat"), tuple("a the")), 1)
    statuses = list(order.statuses())
    assert len(statuses) == order.total
    assert statuses.count("credited") == order.matched
    assert statuses.count("credited") + statuses.count("clipped") == order.vanilla


def test_counts_are_clipped_by_the_maximum_not_the_sum_over_references():
    order = match(("the",) * 7, (("the", "cat", "the", "mat"), ("the", "dog")), 1)
    [ngram_match] = order.matches()
    assert ngram_match.reference_counts == (2, 1)
    assert ngram_match.max_reference_count == 2
    assert ngram_match.clipped_count == 2
    assert (order.matched, order.total, order.vanilla) == (2, 7, 7)


def test_maximum_is_taken_for_each_ngram_separately():
    order = match(tuple("aabb"), (tuple("aax"), tuple("bbx")), 1)
    clipped_counts = {match.ngram: match.clipped_count for match in order.matches()}
    assert clipped_counts == {("a",): 2, ("b",): 2}


def test_ngram_in_no_reference_is_unmatched():
    order = match(tuple("ab"), (tuple("ba"),), 2)
    assert (order.matched, order.vanilla, order.total) == (0, 0, 1)


@pytest.mark.parametrize("n", [3, 9])
def test_text_too_short_for_an_order_has_no_ngrams(n):
    order = match(tuple("ab"), (tuple("ab"),), n)
    assert (order.matched, order.vanilla, order.total) == (0, 0, 0)
    assert list(order.matches()) == []


@given(tokens, references, orders)
def test_matched_and_total_equal_operations_on_counters(hypothesis, references, n):
    def counter(text):
        return Counter(tuple(text[start : start + n]) for start in range(len(text) - n + 1))

    max_counts = Counter()
    for reference in references:
        max_counts |= counter(reference)
    order = match(tuple(hypothesis), tuple(map(tuple, references)), n)
    assert order.matched == (counter(hypothesis) & max_counts).total()
    assert order.total == counter(hypothesis).total()


@given(tokens, references, orders)
def test_matches_sum_to_the_totals_of_the_order(hypothesis, references, n):
    order = match(tuple(hypothesis), tuple(map(tuple, references)), n)
    matches = list(order.matches())
    assert sum(match.clipped_count for match in matches) == order.matched
    assert sum(match.count for match in matches) == order.total
    unclipped_matches = sum(match.count for match in matches if match.max_reference_count)
    assert unclipped_matches == order.vanilla
    assert order.matched <= order.vanilla <= order.total


@given(tokens, references, tokens, orders)
def test_another_reference_never_lowers_matched(hypothesis, references, reference, n):
    fewer = match(tuple(hypothesis), tuple(map(tuple, references)), n)
    more = match(tuple(hypothesis), tuple(map(tuple, [*references, reference])), n)
    assert fewer.matched <= more.matched
    assert fewer.total == more.total


@given(tokens, orders)
def test_text_matches_itself_completely(text, n):
    order = match(tuple(text), (tuple(text),), n)
    assert order.matched == order.vanilla == order.total
