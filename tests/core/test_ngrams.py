"""n-grams: counting and clipping."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu.core.clipping import count_ngrams, ngrams
from bleu.core.ngrams import match
from tests.support.strategies import references, tokens

orders = st.integers(1, 9)


def test_ngrams_run_from_left_to_right():
    assert list(ngrams(tuple("abcd"), 3)) == [("a", "b", "c"), ("b", "c", "d")]


@given(tokens, orders)
def test_there_are_as_many_ngrams_as_places(some, n):
    assert list(ngrams(tuple(some), n)) == [
        tuple(some[start : start + n]) for start in range(len(some) - n + 1)
    ]


def test_count_keeps_the_order_of_first_occurrence():
    assert list(count_ngrams(tuple("baabc"), 1).items()) == [(("b",), 2), (("a",), 2), (("c",), 1)]


def test_every_occurrence_is_credited_clipped_or_unmatched():
    order = match(tuple("the the cat the sat"), (tuple("the cat"), tuple("a the")), 1)
    kinds = list(order.occurrences())
    assert len(kinds) == order.total
    assert kinds.count("credited") == order.matched
    assert kinds.count("credited") + kinds.count("clipped") == order.vanilla


def test_clipping_is_by_the_reference_with_most_occurrences_not_by_their_sum():
    references = (("the", "cat", "the", "mat"), ("the", "dog"))
    order = match(("the",) * 7, references, 1)
    (row,) = order.matches()
    assert row.reference_counts == (2, 1)
    assert row.max_reference_count == 2
    assert row.clipped_count == 2
    assert (order.matched, order.total, order.vanilla) == (2, 7, 7)


def test_the_maximum_is_taken_for_each_ngram_on_its_own():
    order = match(tuple("aabb"), (tuple("aax"), tuple("bbx")), 1)
    assert [(row.ngram, row.clipped_count) for row in order.matches()] == [(("a",), 2), (("b",), 2)]


def test_an_ngram_of_no_reference_has_no_match():
    order = match(tuple("ab"), (tuple("ba"),), 2)
    assert (order.matched, order.vanilla, order.total) == (0, 0, 1)


@pytest.mark.parametrize("n", [3, 9])
def test_a_text_too_short_for_an_order_has_none_of_its_ngrams(n):
    order = match(tuple("ab"), (tuple("ab"),), n)
    assert (order.matched, order.vanilla, order.total) == (0, 0, 0)
    assert list(order.matches()) == []


@given(tokens, references, orders)
def test_matched_is_what_counters_say(hypothesis, others, n):
    def grams(some):
        return Counter(tuple(some[i : i + n]) for i in range(len(some) - n + 1))

    allowed = Counter()
    for other in others:
        allowed |= grams(other)
    order = match(tuple(hypothesis), tuple(map(tuple, others)), n)
    assert order.matched == (grams(hypothesis) & allowed).total()
    assert order.total == grams(hypothesis).total()


@given(tokens, references, orders)
def test_the_rows_of_an_order_sum_to_it(hypothesis, others, n):
    order = match(tuple(hypothesis), tuple(map(tuple, others)), n)
    rows = list(order.matches())
    assert sum(row.clipped_count for row in rows) == order.matched
    assert sum(row.count for row in rows) == order.total
    assert sum(row.count for row in rows if row.max_reference_count) == order.vanilla
    assert order.matched <= order.vanilla <= order.total


@given(tokens, references, tokens, orders)
def test_one_reference_more_never_lowers_matched(hypothesis, others, another, n):
    few = match(tuple(hypothesis), tuple(map(tuple, others)), n)
    more = match(tuple(hypothesis), tuple(map(tuple, [*others, another])), n)
    assert few.matched <= more.matched
    assert few.total == more.total


@given(tokens, orders)
def test_a_text_matches_itself_wholly(some, n):
    order = match(tuple(some), (tuple(some),), n)
    assert order.matched == order.vanilla == order.total
