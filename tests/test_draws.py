"""The random draws: known numbers, uniformity, and what is refused."""

from collections import Counter
from itertools import chain, islice

import pytest

from bleu.draws import bits, index_batches


def indices(seed, below):
    """All draws, one after the other."""
    return chain.from_iterable(index_batches(seed, below))


def test_the_first_draws_of_default_rng_12345():
    assert list(islice(indices(12345, 2**31), 3)) == [1501552846, 488200390, 1693606511]
    assert list(islice(indices(12345, 10), 12)) == [6, 2, 7, 3, 2, 7, 6, 6, 9, 3, 8, 3]


def test_one_index_is_0_for_ever():
    assert list(islice(indices(7, 1), 5)) == [0] * 5


def test_rejection_keeps_every_draw_in_range():
    """Just above 2**31 about half of the words are rejected."""
    below = 2**31 + 1
    drawn = list(islice(indices(3, below), 10_000))
    assert len(drawn) == 10_000
    assert 0 <= min(drawn) < max(drawn) < below


def test_indices_are_about_even():
    counts = Counter(islice(indices(1, 7), 70_000))
    assert sorted(counts) == list(range(7))
    assert all(9_600 < count < 10_400 for count in counts.values())


def test_bits_are_one_stream_cut_into_lengths():
    """Rows of 5 and of 70,000 bits, longer than a batch, are cut from the same stream."""
    stream = next(bits(42, 140_000))
    for length in (1, 5, 32, 70_000):
        rows = islice(bits(42, length), 140_000 // length)
        joined = sum(row << place * length for place, row in enumerate(rows))
        assert joined == stream
    assert 69_000 < stream.bit_count() < 71_000


def test_seeds_make_different_streams():
    seeds = (0, 1, 2**32, 2**64, 2**128, 2**160, 2**160 + 1)
    assert len({next(bits(seed, 64)) for seed in seeds}) == len(seeds)


@pytest.mark.parametrize("draw", [indices, bits])
@pytest.mark.parametrize(
    ("seed", "error"), [(-1, ValueError), (1.0, TypeError), (True, TypeError), (None, TypeError)]
)
def test_a_seed_is_a_whole_number(draw, seed, error):
    with pytest.raises(error, match=f"seed is {seed}; choose a whole number of 0 or more"):
        draw(seed, 5)


def test_sizes_out_of_range_are_refused():
    with pytest.raises(ValueError, match="below is 0; choose"):
        indices(1, 0)
    with pytest.raises(ValueError, match="below is 4294967296; choose"):
        indices(1, 2**32)
    with pytest.raises(ValueError, match="length is 0; choose"):
        bits(1, 0)
