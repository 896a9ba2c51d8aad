"""What is remembered: never more than it may be, and nothing of texts that are long."""

import gc
import random
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.browser.dom_patch import split_markup
from bleu import derive, explain
from bleu.core.clipping import CACHE_CAPACITY, count_ngrams, max_reference_counts
from bleu.core.memoize import clear_memoized, memoize
from bleu.core.tokenizers import international
from bleu.explanation.matches import marked_texts, ngram_sentence

KEPT = 20 * 2**20
"""Bytes that may be left of texts of many megabytes."""


def texts(number, length=CACHE_CAPACITY + 1):
    """Two texts of so many words, which hardly share a run of three."""
    draw = random.Random(number)
    words = [f"{a}{b}" for a in "abcdefghij" for b in "abcdefghij"]
    return [" ".join(draw.choices(words, k=length)) for _ in range(2)]


@pytest.mark.host
@pytest.mark.slow
def test_of_long_texts_nothing_is_kept():
    clear_memoized()
    tracemalloc.start()
    try:
        for number in range(2):
            hypothesis, reference = texts(number)
            explain(derive(hypothesis, [reference, reference[::-1]], max_order=2))
            del hypothesis, reference
            gc.collect()
            assert tracemalloc.get_traced_memory()[0] < KEPT
    finally:
        tracemalloc.stop()


def test_what_is_not_remembered_is_counted_no_oftener_than_needed(monkeypatch):
    made = []
    make = count_ngrams.function
    monkeypatch.setattr(count_ngrams, "function", lambda *given: made.append(given) or make(*given))
    monkeypatch.setattr(count_ngrams, "capacity", 0)
    monkeypatch.setattr(max_reference_counts, "capacity", 0)
    clear_memoized()
    derivation = derive("a b c d " * 100, ["a b c d " * 99, "d c b a " * 99])
    explain(derivation)
    once = 4 * 3
    assert len(made) == 2 * once
    marked_texts(derivation, 2)
    assert len(made) == 2 * once + 3
    ngram_sentence(derivation, "2-1")
    assert len(made) == 2 * once + 3


def held(function):
    """How much a function remembers, as it measures it."""
    return sum(function.size(*given) for given in (*function.recent, *function.previous))


@pytest.mark.host
def test_of_short_texts_the_last_are_kept():
    clear_memoized()
    for number in range(4 * CACHE_CAPACITY // 100_000):
        hypothesis, reference = texts(number, 25_000)
        derive(hypothesis, [reference], max_order=4)
        for function in (count_ngrams, max_reference_counts):
            assert held(function) <= 2 * CACHE_CAPACITY
    assert held(count_ngrams) > CACHE_CAPACITY / 2
    tokens = tuple(hypothesis.split())
    assert count_ngrams(tokens, 4) is count_ngrams(tuple(hypothesis.split()), 4)
    clear_memoized()
    assert held(count_ngrams) == held(max_reference_counts) == 0


@given(st.lists(st.integers(0, 12)))
def test_it_is_what_the_function_returns_and_never_too_much(calls):
    made = []
    same = memoize(capacity=20, size=lambda number: number)(
        lambda number: made.append(number) or []
    )
    known = {}
    for number in calls:
        before = len(made)
        result = same(number)
        assert len(made) > before or result is known[number]
        known[number] = result
        for shelf in (same.recent, same.previous):
            assert sum(one for (one,) in shelf) <= 20
        assert same(number) is result
    assert len(known) == len(set(calls))


def test_what_is_asked_for_again_and_again_stays():
    made = []
    same = memoize(capacity=20, size=lambda _: 5)(lambda number: made.append(number) or number)
    for number in range(1, 50):
        same(0)
        same(number)
    assert made.count(0) == 1


def test_what_is_too_big_is_made_anew_and_pushes_nothing_out():
    made = []
    same = memoize(capacity=20, size=lambda number: number)(lambda n: made.append(n) or n)
    for number in (5, 21, 21, 5):
        assert same(number) == number
    assert made == [5, 21, 21]


def test_all_is_forgotten_together():
    count_ngrams(("a",), 1)
    split_markup("<ol><li>a</li></ol>")
    international("a + b")
    clear_memoized()
    assert not count_ngrams.recent
    assert not split_markup.recent
    assert not split_markup.previous


def test_parts_of_long_markup_are_not_kept():
    split_markup("x" * 2_000_000)
    assert not any(
        len(markup) > 1_000_000 for (markup,) in (*split_markup.recent, *split_markup.previous)
    )


def test_however_small_they_are_no_more_than_128_are_kept_and_the_last_64_are():
    made = []
    same = memoize(capacity=1000, size=lambda _: 1)(lambda number: made.append(number) or number)
    for number in range(500):
        assert same(number) == number
        assert len(same.recent) + len(same.previous) <= 128
    for number in range(436, 500):
        same(number)
    assert made == list(range(500))
