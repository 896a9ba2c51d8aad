"""Weights over a common denominator equal plain fractions."""

from hypothesis import given
from hypothesis import strategies as st

from bleu.metric.numerics import Weights
from tests.support.strategies import weights

any_weights = st.integers(1, 9).flatmap(weights)


@given(any_weights, st.lists(st.booleans(), min_size=9, max_size=9))
def test_masked_and_renormalized_weights_equal_plain_fractions(fractions, flags):
    shares, mask = Weights.from_fractions(fractions), flags[: len(fractions)]
    assert shares.weights == fractions
    masked = shares.masked(mask)
    expected = [weight if keep else 0 for weight, keep in zip(fractions, mask, strict=True)]
    assert list(masked.weights) == expected
    if total := sum(expected):
        assert list(masked.renormalized().weights) == [weight / total for weight in expected]


@given(any_weights)
def test_nonzero_weights_are_floats_and_equal_if_all_the_same(fractions):
    shares = Weights.from_fractions(fractions)
    nonzero = [weight for weight in fractions if weight]
    assert list(shares.nonzero) == [float(weight) for weight in nonzero]
    assert shares.equal == (len(set(nonzero)) == 1 and sum(nonzero) == 1)
