"""Memoized functions: cached results, their size limit, and long texts that are not cached."""

import gc
import tracemalloc
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu import derive, explain
from bleu.core.memoize import clear_memoized, memoize
from bleu.core.ngrams import CACHE_CAPACITY, count_ngrams, max_reference_counts
from bleu.explanation.matches import marked_texts, ngram_sentence

MAX_REMAINING_BYTES = 2 * 2**20
"""Memory that may still be used after long texts were scored: less than the counts of one."""


def random_texts(seed, length):
    """Return two texts of `length` words that share few 3-grams."""
    random = Random(seed)
    words = [f"{a}{b}" for a in "abcdefghij" for b in "abcdefghij"]
    return [" ".join(random.choices(words, k=length)) for _ in range(2)]


@pytest.mark.host
@pytest.mark.slow
def test_long_texts_are_not_cached(monkeypatch):
    capacity = 50_000
    monkeypatch.setattr(count_ngrams, "capacity", capacity)
    monkeypatch.setattr(max_reference_counts, "capacity", capacity)
    clear_memoized()
    tracemalloc.start()
    try:
        for seed in range(2):
            hypothesis, reference = random_texts(seed, capacity + 1)
            explain(derive(hypothesis, [reference, reference[::-1]], max_order=2))
            del hypothesis, reference
            gc.collect()
            assert tracemalloc.get_traced_memory()[0] < MAX_REMAINING_BYTES
    finally:
        tracemalloc.stop()


def test_without_cache_each_view_counts_each_text_a_few_times_per_order(monkeypatch):
    calls = []
    function = count_ngrams.function
    monkeypatch.setattr(
        count_ngrams, "function", lambda *args: calls.append(args) or function(*args)
    )
    monkeypatch.setattr(count_ngrams, "capacity", 0)
    monkeypatch.setattr(max_reference_counts, "capacity", 0)
    clear_memoized()
    derivation = derive("a b c d " * 100, ["a b c d " * 99, "d c b a " * 99])
    orders, texts = 4, 3
    assert not calls  # Scores of long texts are counted without the cache.
    explain(derivation)
    assert len(calls) <= 4 * orders * texts
    calls.clear()
    marked_texts(derivation, 2)
    assert len(calls) <= 2 * texts
    calls.clear()
    ngram_sentence(derivation, "2-1")
    assert len(calls) == texts


def cached_size(function):
    """Return the total size of a function's cached results."""
    return sum(function.size(*args) for args in (*function.recent, *function.previous))


@pytest.mark.host
def test_most_recent_short_texts_are_cached():
    clear_memoized()
    for seed in range(4 * CACHE_CAPACITY // 100_000):
        hypothesis, reference = random_texts(seed, 25_000)
        explain(derive(hypothesis, [reference], max_order=4))
        for function in (count_ngrams, max_reference_counts):
            assert cached_size(function) <= 2 * CACHE_CAPACITY
    assert cached_size(count_ngrams) > CACHE_CAPACITY / 2
    tokens = tuple(hypothesis.split())
    assert count_ngrams(tokens, 4) is count_ngrams(tuple(hypothesis.split()), 4)
    clear_memoized()
    assert cached_size(count_ngrams) == cached_size(max_reference_counts) == 0


@given(st.lists(st.integers(0, 12)))
def test_results_are_those_of_the_function_within_the_capacity(numbers):
    calls = []
    function = memoize(capacity=20, size=lambda number: number)(
        lambda number: calls.append(number) or []
    )
    last_results = {}
    for number in numbers:
        call_count = len(calls)
        result = function(number)
        assert len(calls) > call_count or result is last_results[number]
        last_results[number] = result
        for cache in (function.recent, function.previous):
            assert sum(size for (size,) in cache) <= 20
        assert function(number) is result
    assert len(last_results) == len(set(numbers))


def test_frequently_used_result_stays_cached():
    calls = []
    function = memoize(capacity=20, size=lambda _: 5)(lambda number: calls.append(number) or number)
    for number in range(1, 50):
        function(0)
        function(number)
    assert calls.count(0) == 1


def test_result_above_the_capacity_is_not_cached_and_evicts_nothing():
    calls = []
    function = memoize(capacity=20, size=lambda number: number)(lambda n: calls.append(n) or n)
    for number in (5, 21, 21, 5):
        assert function(number) == number
    assert calls == [5, 21, 21]


def test_at_most_128_small_results_are_cached_and_the_last_64_always_are():
    calls = []
    function = memoize(capacity=1000, size=lambda _: 1)(
        lambda number: calls.append(number) or number
    )
    for number in range(500):
        assert function(number) == number
        assert len(function.recent) + len(function.previous) <= 128
    for number in range(436, 500):
        function(number)
    assert calls == list(range(500))


def test_clear_memoized_clears_every_function():
    count_ngrams(("a",), 1)
    max_reference_counts((("a",),), 1)
    clear_memoized()
    for function in (count_ngrams, max_reference_counts):
        assert [*function.recent, *function.previous] == []
