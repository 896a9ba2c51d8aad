"""Random numbers: known values, the plain definition, and uniformity."""

from collections import Counter
from itertools import chain, islice

from hypothesis import given, settings
from hypothesis import strategies as st

from bleu.corpus.resampling import _MULTIPLIER, _initial_state, random_bits, random_indices


def plain_words(seed):
    """Yield the words of PCG64: the halves of each state folded into one, and rotated."""
    state, increment = _initial_state(seed)
    while True:
        state = (state * _MULTIPLIER + increment) % 2**128
        folded, shift = (state >> 64 ^ state) % 2**64, state >> 122
        yield (folded >> shift | folded << 64 - shift) % 2**64


def plain_indices(seed, below):
    """Yield the indices of Lemire's method from single halves of words."""
    for word in plain_words(seed):
        for half in (word % 2**32, word >> 32):
            if half * below % 2**32 >= 2**32 % below:
                yield half * below >> 32


def indices(seed, below):
    """Return an iterator over single indices."""
    return chain.from_iterable(random_indices(seed, below))


def test_first_draws_match_default_rng_12345():
    assert list(islice(indices(12345, 2**31), 3)) == [1501552846, 488200390, 1693606511]
    assert list(islice(indices(12345, 10), 12)) == [6, 2, 7, 3, 2, 7, 6, 6, 9, 3, 8, 3]


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**200), st.integers(1, 2**32 - 1))
def test_lanes_match_single_steps(seed, below):
    assert list(islice(indices(seed, below), 3000)) == list(
        islice(plain_indices(seed, below), 3000)
    )
    expected = sum(word << 64 * index for index, word in enumerate(islice(plain_words(seed), 1100)))
    assert next(random_bits(seed, 64 * 1100)) == expected


def test_single_index_is_always_0():
    assert list(islice(indices(7, 1), 5)) == [0] * 5


def test_rejection_keeps_every_draw_in_range():
    """About half of the words are rejected if the size is just above 2**31."""
    below = 2**31 + 1
    drawn = list(islice(indices(3, below), 10_000))
    assert len(drawn) == 10_000
    assert 0 <= min(drawn) < max(drawn) < below


def test_indices_are_uniform():
    counts = Counter(islice(indices(1, 7), 70_000))
    assert sorted(counts) == list(range(7))
    assert all(9_600 < count < 10_400 for count in counts.values())


def test_bits_of_any_length_are_cut_from_one_stream():
    """Rows of 5 and of 70,000 bits, longer than a batch, are cut from the same stream."""
    stream = next(random_bits(42, 140_000))
    for length in (1, 5, 32, 70_000):
        rows = islice(random_bits(42, length), 140_000 // length)
        joined = sum(row << index * length for index, row in enumerate(rows))
        assert joined == stream
    assert 69_000 < stream.bit_count() < 71_000


def test_different_seeds_give_different_streams():
    seeds = (0, 1, 2**32, 2**64, 2**128, 2**160, 2**160 + 1)
    assert len({next(random_bits(seed, 64)) for seed in seeds}) == len(seeds)
