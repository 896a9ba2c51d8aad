"""Memoized functions: cached results, their size limit, and long texts that are not cached."""

import gc
import tracemalloc
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu import derive, explain
from bleu.core import clipping, ngrams
from bleu.core.clipping import MAX_CACHED_TOKENS, count_ngrams, max_reference_counts
from bleu.core.memoize import MAX_ENTRIES, clear_memoized, memoize
from bleu.explanation.matches import marked_texts, ngram_sentence

MAX_REMAINING_BYTES = 20 * 2**20
"""Memory that may still be used after texts of many megabytes were scored."""


def random_texts(seed, length):
    """Return two texts of `length` words that share few 3-grams."""
    random = Random(seed)
    words = [f"{a}{b}" for a in "abcdefghij" for b in "abcdefghij"]
    return [" ".join(random.choices(words, k=length)) for _ in range(2)]


@pytest.mark.host
@pytest.mark.slow
def test_long_texts_are_not_cached():
    clear_memoized()
    tracemalloc.start()
    try:
        for seed in range(2):
            hypothesis, reference = random_texts(seed, 500_000)
            explain(derive(hypothesis, [reference, reference[::-1]], max_order=2))
            del hypothesis, reference
            gc.collect()
            assert tracemalloc.get_traced_memory()[0] < MAX_REMAINING_BYTES
    finally:
        tracemalloc.stop()


def test_without_cache_each_view_counts_each_text_a_few_times_per_order(monkeypatch):
    calls = []
    function = count_ngrams.__wrapped__

    def count(*args):
        calls.append(args)
        return function(*args)

    monkeypatch.setattr(clipping, "count_ngrams", count)
    monkeypatch.setattr(ngrams, "count_ngrams", count)
    monkeypatch.setattr(clipping, "max_reference_counts", max_reference_counts.__wrapped__)
    derivation = derive("a b c d " * 100, ["a b c d " * 99, "d c b a " * 99])
    orders, texts = 4, 3
    assert len(calls) == orders * texts
    explain(derivation)
    assert len(calls) <= 5 * orders * texts
    calls.clear()
    marked_texts(derivation, 2)
    assert len(calls) <= 2 * texts
    calls.clear()
    ngram_sentence(derivation, "2-1")
    assert len(calls) == texts


@pytest.mark.parametrize("function", [count_ngrams, max_reference_counts])
def test_counts_are_cached_until_the_caches_are_cleared(function):
    def count(length):
        tokens = ("a",) * length
        return function(tokens if function is count_ngrams else (tokens,), 1)

    counts = count(300)
    assert count(300) is counts
    assert count(MAX_CACHED_TOKENS) is count(MAX_CACHED_TOKENS)
    assert count(MAX_CACHED_TOKENS + 1) is not count(MAX_CACHED_TOKENS + 1)
    clear_memoized()
    assert count(300) is not counts


@given(st.lists(st.integers(0, 12)))
def test_results_are_those_of_the_function_and_cached_up_to_the_size(numbers):
    calls = []
    function = memoize(max_size=8, size=lambda number: number)(
        lambda number: calls.append(number) or number
    )
    assert list(map(function, numbers)) == numbers
    assert all(calls.count(number) == 1 for number in numbers if number <= 8)
    assert all(calls.count(number) == numbers.count(number) for number in numbers if number > 8)


def test_the_latest_results_are_cached():
    calls = []
    function = memoize(max_size=1, size=lambda _: 1)(lambda number: calls.append(number) or number)
    for number in (*range(MAX_ENTRIES), 0, MAX_ENTRIES, 0, 1):
        assert function(number) == number
    assert calls == [*range(MAX_ENTRIES + 1), 1]
