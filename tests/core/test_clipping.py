"""Clipped matches: by places and by counts, and that both are the formula."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu.core import clipping
from bleu.core.bitlanes import Lanes, clipped_by_position, lanes_for
from bleu.core.clipping import clipped_by_counting, clipped_matches, ngram_totals
from tests.support.strategies import references, tokens


def counted(hypothesis, others, max_order):
    return [clipped_by_counting(hypothesis, others, n) for n in range(1, max_order + 1)]


@given(tokens, references, st.integers(1, 9))
def test_places_and_counts_are_the_same(hypothesis, others, max_order):
    texts = tuple(hypothesis), tuple(map(tuple, others))
    assert clipped_by_position(*texts, max_order) == counted(*texts, max_order)


@pytest.mark.parametrize("length", [200, 3000])
def test_places_and_counts_are_the_same_for_long_texts(length):
    draw = random.Random(length)
    texts = [tuple(draw.choices("abcdefghij", k=length)) for _ in range(3)]
    others = tuple(texts[1:])
    assert clipped_by_position(texts[0], others, 5) == counted(texts[0], others, 5)


@pytest.mark.parametrize("length", [1, 2, 30, 31, 32, 33, 62, 63, 64, 65, 127, 128, 129, 255])
@pytest.mark.parametrize("words", ["a", "abc", "abcdefghijklmnopqrstuvwxyz"])
@pytest.mark.parametrize("empty", [(), ((),)])
def test_rows_of_every_size_and_references_without_a_token(length, words, empty):
    draw = random.Random(length)
    text, *others = (tuple(draw.choices(words, k=length)) for _ in range(3))
    for own in ((*empty, text), (text[1:], *empty), (*others, *empty), (*empty, *others, *empty)):
        assert clipped_by_position(text, own, 5) == counted(text, own, 5)


@pytest.mark.parametrize("size", [1, 4, 7, 8, 9, 40])
def test_what_is_joined_is_split_again(size):
    draw = random.Random(size)
    numbers = [draw.getrandbits(8 * size) for _ in range(19)]
    lanes = Lanes(19, size)
    assert list(lanes.split(lanes.join(numbers))) == numbers
    assert lanes.join(numbers) == sum(one << 8 * size * at for at, one in enumerate(numbers))
    assert list(Lanes(0, size).split(Lanes(0, size).join([]))) == []


@pytest.mark.parametrize("size", [1, 4, 8, 16])
def test_what_is_the_same_in_every_lane(size):
    lanes = Lanes(19, size)
    highest = 2 ** (8 * size - 1)
    for joined, each in ((lanes.ones, 1), (lanes.guards, highest), (lanes.below, highest - 1)):
        assert list(lanes.split(joined)) == [each] * 19


@pytest.mark.parametrize("bits", [1, 31, 32, 63, 64, 127, 128, 500])
def test_a_bit_of_a_lane_is_spare(bits):
    assert bits < lanes_for(1, bits // 32).width


@pytest.mark.parametrize(
    "length",
    [clipping.LONG_TEXT_TOKENS - 1, clipping.LONG_TEXT_TOKENS, clipping.LONG_TEXT_TOKENS + 1],
)
def test_the_way_changes_nothing_where_it_changes(length):
    draw = random.Random(length)
    hypothesis, reference = (tuple(draw.choices("abc", k=length)) for _ in range(2))
    assert clipped_matches(hypothesis, (reference,), 4) == counted(hypothesis, (reference,), 4)


def test_long_texts_are_not_placed(monkeypatch):
    monkeypatch.setattr(clipping, "clipped_by_position", lambda *_: pytest.fail("placed"))
    assert clipped_matches(("a",), (("a",) * clipping.LONG_TEXT_TOKENS,), 2) == [1, 0]
    assert clipped_matches(("a",) * clipping.LONG_TEXT_TOKENS, (("a",),), 2) == [1, 0]


def test_the_reference_with_most_of_an_ngram_decides():
    others = (tuple("aab"), tuple("abab"), tuple("b"))
    assert clipped_by_position(tuple("aaabab"), others, 3) == [4, 4, 3]
    assert counted(tuple("aaabab"), others, 3) == [4, 4, 3]


def test_no_ngram_crosses_from_one_reference_to_the_next():
    assert clipped_by_position(tuple("ab"), (("a",), ("b",)), 2) == [2, 0]


@given(tokens)
def test_totals_are_the_numbers_of_places(some):
    assert ngram_totals(len(some), 9) == tuple(len(some[n:]) for n in range(9))
