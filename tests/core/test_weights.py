"""Weights in whole numbers are the plain fractions."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from bleu.core.weights import Weights
from tests.support.strategies import weights

some = st.integers(1, 9).flatmap(weights)


@given(some, st.lists(st.booleans(), min_size=9, max_size=9))
def test_left_out_and_scaled_as_fractions_are(given_weights, flags):
    shares, kept = Weights.from_fractions(given_weights), flags[: len(given_weights)]
    assert shares.weights == given_weights
    left = shares.masked(kept)
    plain = [w if keep else Fraction(0) for w, keep in zip(given_weights, kept, strict=True)]
    assert list(left.weights) == plain
    if whole := sum(plain):
        assert list(left.renormalized().weights) == [w / whole for w in plain]


@given(some)
def test_what_is_above_0_as_floats_and_whether_it_is_equal(given_weights):
    shares = Weights.from_fractions(given_weights)
    above = [w for w in given_weights if w]
    assert list(shares.nonzero) == [float(w) for w in above]
    assert shares.equal == (len(set(above)) == 1 and sum(above) == 1)
