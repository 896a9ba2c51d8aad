"""Clipped matches by position and by counting, which are always equal."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu.core import ngrams
from bleu.core.bitlanes import Lanes, clipped_by_position, lanes_for
from bleu.core.memoize import clear_memoized
from bleu.core.ngrams import (
    clipped_by_counting,
    clipped_matches,
    match,
    max_reference_counts,
    ngram_totals,
)
from tests.support.strategies import references, tokens


def matches_by_counting(hypothesis, references, max_order):
    return [clipped_by_counting(hypothesis, references, n) for n in range(1, max_order + 1)]


def test_counting_takes_from_the_cache_and_leaves_it_as_it_is():
    texts = tuple("abab"), (tuple("aba"), tuple("bb"))
    clear_memoized()
    expected = matches_by_counting(*texts, 3)
    assert [max_reference_counts.cached(texts[1], n) for n in (1, 2, 3)] == [None] * 3
    counts = [max_reference_counts(texts[1], n).copy() for n in (1, 2, 3)]
    assert matches_by_counting(*texts, 3) == expected == [4, 2, 1]
    assert [max_reference_counts.cached(texts[1], n) for n in (1, 2, 3)] == counts


@given(tokens, references, st.integers(1, 4))
def test_counting_gives_the_sum_of_the_clipped_counts(hypothesis, references, n):
    texts = tuple(hypothesis), tuple(map(tuple, references))
    assert clipped_by_counting(*texts, n) == sum(
        m.clipped_count for m in match(*texts, n).matches()
    )


def assert_both_equal(hypothesis, references, max_order):
    by_position = clipped_by_position(hypothesis, references, max_order)
    assert by_position == matches_by_counting(hypothesis, references, max_order)


@given(tokens, references, st.integers(1, 9))
def test_positions_and_counts_give_equal_matches(hypothesis, references, max_order):
    assert_both_equal(tuple(hypothesis), tuple(map(tuple, references)), max_order)


@pytest.mark.parametrize("length", [200, 3000])
def test_positions_and_counts_give_equal_matches_for_long_texts(length):
    random = Random(length)
    hypothesis, *references = (tuple(random.choices("abcdefghij", k=length)) for _ in range(3))
    assert_both_equal(hypothesis, tuple(references), 5)


def test_positions_and_counts_give_equal_matches_for_many_references():
    assert_both_equal(tuple("abac"), (tuple("aba"), tuple("bac")) * 40, 5)


@pytest.mark.parametrize("length", [1, 2, 30, 31, 32, 33, 62, 63, 64, 65, 127, 128, 129, 255])
@pytest.mark.parametrize("words", ["a", "abc", "abcdefghijklmnopqrstuvwxyz"])
@pytest.mark.parametrize("empty", [(), ((),)])
def test_positions_and_counts_give_equal_matches_at_lane_limits(length, words, empty):
    random = Random(length)
    text, *others = (tuple(random.choices(words, k=length)) for _ in range(3))
    for reference_texts in (
        (*empty, text),
        (text[1:], *empty),
        (*others, *empty),
        (*empty, *others, *empty),
    ):
        assert_both_equal(text, reference_texts, 5)


@pytest.mark.parametrize("size", [1, 4, 7, 8, 9, 40])
def test_lanes_split_what_they_join(size):
    random = Random(size)
    numbers = [random.getrandbits(8 * size) for _ in range(19)]
    lanes = Lanes(19, size)
    assert list(lanes.split(lanes.join(numbers))) == numbers
    assert lanes.join(numbers) == sum(n << 8 * size * index for index, n in enumerate(numbers))
    assert list(Lanes(0, size).split(Lanes(0, size).join([]))) == []


@pytest.mark.parametrize("size", [1, 4, 8, 16])
def test_lane_constants_are_equal_in_every_lane(size):
    lanes = Lanes(19, size)
    highest = 2 ** (8 * size - 1)
    for joined, value in ((lanes.ones, 1), (lanes.guards, highest), (lanes.below, highest - 1)):
        assert list(lanes.split(joined)) == [value] * 19


@pytest.mark.parametrize("bits", [1, 31, 32, 63, 64, 127, 128, 500])
def test_lanes_spare_at_least_one_bit(bits):
    assert bits < lanes_for(1, bits // 32).width


BORDERS = (
    (31, [1022, 1024]),  # 2,048 bits in a mask
    (31, [1023, 1024]),
    (1, [0] * 2048),
    (1, [0] * 2049),
    (80, [79] * 4),  # 64 bits for each bit and token, of many references and of one
    (80, [79] * 3 + [80]),
    (128, [127]),
    (128, [128]),
)
"""The lengths of the hypothesis and the references, within a limit and beyond it in turn."""


@pytest.mark.parametrize(("length", "reference_lengths"), BORDERS)
@pytest.mark.parametrize("words", ["abc", "abcdefghijklmnopqrstuvwxyz"])
def test_matches_are_equal_around_the_limits(length, reference_lengths, words):
    random = Random(length)
    hypothesis, *others = (tuple(random.choices(words, k=k)) for k in (length, *reference_lengths))
    expected = matches_by_counting(hypothesis, tuple(others), 4)
    assert clipped_matches(hypothesis, tuple(others), 4) == expected
    assert clipped_by_position(hypothesis, tuple(others), 4) == expected


@given(st.data())
def test_positions_and_counts_give_equal_matches_for_random_lengths_around_the_limits(data):
    random = Random(data.draw(st.integers(0, 1 << 32)))
    number = data.draw(st.integers(1, 60))
    lengths = data.draw(st.lists(st.integers(0, 4096 // number), min_size=number, max_size=number))
    words = "ab" if data.draw(st.booleans()) else [f"w{index}" for index in range(200)]
    hypothesis, *others = (
        tuple(random.choices(words, k=k)) for k in (data.draw(st.integers(0, 200)), *lengths)
    )
    assert_both_equal(hypothesis, tuple(others), 4)


@pytest.mark.parametrize("index", range(len(BORDERS)))
def test_texts_beyond_a_limit_are_matched_by_counting(monkeypatch, index):
    monkeypatch.setattr(ngrams, "clipped_by_position", lambda *_: "by position")
    length, reference_lengths = BORDERS[index]
    references = tuple(("a",) * reference for reference in reference_lengths)
    matched = clipped_matches(("a",) * length, references, 1)
    assert matched == ([min(length, max(reference_lengths))] if index % 2 else "by position")


def test_reference_with_most_occurrences_of_an_ngram_limits_its_matches():
    references = (tuple("aab"), tuple("abab"), tuple("b"))
    assert clipped_by_position(tuple("aaabab"), references, 3) == [4, 4, 3]
    assert matches_by_counting(tuple("aaabab"), references, 3) == [4, 4, 3]


def test_no_ngram_crosses_from_one_reference_to_the_next():
    assert clipped_by_position(tuple("ab"), (("a",), ("b",)), 2) == [2, 0]


@given(tokens)
def test_totals_are_the_numbers_of_positions(text):
    assert ngram_totals(len(text), 9) == tuple(len(text[n:]) for n in range(9))
