"""Logarithms and powers of exact numbers."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu.metric.numerics import ln, ln_ratios, power

positive = st.fractions(Fraction(1, 10**9), 10**9).filter(bool)
exponents = st.fractions(0, 1, max_denominator=100)


def exact_power(base: Fraction, exponent: Fraction) -> Decimal:
    """Return base ** exponent for a base > 0, to 60 digits."""
    with localcontext(prec=60):
        log = Decimal(base.numerator).ln() - Decimal(base.denominator).ln()
        return (log * exponent.numerator / exponent.denominator).exp()


def test_ln_of_0_and_of_1():
    assert ln(Fraction(0)) == -math.inf
    assert ln(Fraction(1)) == 0.0


def test_ln_of_a_negative_number_is_refused():
    with pytest.raises(ValueError, match=r"math domain error|expected a positive"):
        ln(Fraction(-1, 2))


@given(positive)
def test_ln_equals_the_logarithm(x):
    assert ln(x) == pytest.approx(math.log(x.numerator) - math.log(x.denominator), abs=1e-13)


@pytest.mark.parametrize("digits", [300, 301, 302, 320, 400, 5000])
def test_ln_of_numbers_too_small_for_a_float(digits):
    assert ln(Fraction(7, 10**digits)) == pytest.approx(
        math.log(7) - digits * math.log(10), rel=1e-14
    )


@given(st.integers(1, 10**6), st.integers(290, 400), st.integers(1, 10**30))
def test_ln_does_not_depend_on_lowest_terms(numerator, digits, factor):
    expected = ln(Fraction(numerator, 10**digits))
    assert ln_ratios([(numerator * factor, 10**digits * factor)]) == [expected]


@given(positive, exponents)
def test_power_equals_the_exact_power(base, exponent):
    expected = exact_power(base, exponent)
    assert abs(Decimal(power(base, exponent)) - expected) <= expected * Decimal("1e-14")


@pytest.mark.parametrize(
    ("base", "exponent"),
    [
        (Fraction(1, 10**1200), Fraction(1, 4)),
        (Fraction(3, 7 * 10**2000), Fraction(1, 9)),
        (Fraction(10**1200), Fraction(1, 4)),
        (Fraction(10**700 + 1, 10**700), Fraction(1, 2)),
    ],
)
def test_power_of_bases_out_of_the_range_of_a_float(base, exponent):
    expected = exact_power(base, exponent)
    assert abs(Decimal(power(base, exponent)) - expected) <= expected * Decimal("1e-12")


def test_power_of_0():
    assert power(Fraction(0), Fraction(1, 4)) == 0.0
    assert power(Fraction(0), Fraction(0)) == 1.0


@given(exponents)
def test_power_of_1_is_exactly_1(exponent):
    assert power(Fraction(1), exponent) == 1.0


@given(positive)
def test_root_of_a_square_is_the_base_up_to_rounding(base):
    assert power(base * base, Fraction(1, 2)) == pytest.approx(float(base), rel=1e-14)


def test_power_of_a_negative_base_is_refused():
    with pytest.raises(ValueError, match="the base is -1/2"):
        power(Fraction(-1, 2), Fraction(1, 2))
