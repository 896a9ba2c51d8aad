"""Random numbers compared with those of NumPy."""

from itertools import chain, islice

import numpy
import pytest

from bleu.corpus.resampling import random_bits, random_indices

pytestmark = pytest.mark.host

SEEDS = (0, 1, 12345, 2**32 - 1, 2**32, 2**64 + 5, 2**128 - 1, 2**128, 2**200 + 77)


def indices(seed, below):
    """Return an iterator over single indices."""
    return chain.from_iterable(random_indices(seed, below))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("below", [1, 2, 3, 100, 1024, 3000, 2**31 + 11, 3 * 2**30, 2**32 - 1])
def test_indices_equal_numpy_choice(seed, below):
    """Large sizes reject up to half of the words; 5,000 draws need several batches."""
    drawn = numpy.random.default_rng(seed).choice(below, size=(5, 1000))
    assert list(islice(indices(seed, below), 5000)) == drawn.ravel().tolist()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("length", [1, 2, 31, 33, 64, 100, 3000])
def test_bits_equal_numpy_integers(seed, length):
    drawn = numpy.random.default_rng(seed).integers(2, size=(50, length), dtype=bool)
    rows = [sum(1 << index for index, bit in enumerate(row) if bit) for row in drawn.tolist()]
    assert list(islice(random_bits(seed, length), 50)) == rows
