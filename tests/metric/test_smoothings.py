"""Smoothing of matches and totals by the common methods."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu import segment_statistics
from bleu.core.statistics import Statistics
from bleu.metric.smoothings import SMOOTHINGS, add_k, exp, floor, none
from tests.support.strategies import COMMON, statistics

TENTH = Fraction(1, 10)
any_statistics = st.integers(1, 9).flatmap(statistics)


def quotients(pairs):
    """Return p_n of each order, as the score computes it."""
    return [Fraction(matched) / Fraction(total) if total else matched for matched, total in pairs]


def with_counts(matched, total):
    """Return statistics with these counts."""
    return Statistics(tuple(matched), tuple(total), total[0], total[0])


def test_none_keeps_zeros():
    assert none(with_counts([3, 0, 0], [4, 3, 0]), Fraction(0)) == [(3, 4), (0, 3), (0, 0)]


def test_floor_counts_an_order_without_a_match_as_epsilon_matches():
    pairs = floor(with_counts([3, 0, 0, 0], [3, 2, 1, 0]), TENTH)
    assert pairs == [(3, 3), (TENTH, 2), (TENTH, 1), (TENTH, 0)]
    assert quotients(pairs) == [1, Fraction(1, 20), TENTH, TENTH]


def test_add_k_does_not_change_unigrams():
    assert add_k(with_counts([3, 1, 0, 0], [4, 3, 2, 0]), Fraction(1)) == [
        (3, 4),
        (2, 4),
        (1, 3),
        (1, 1),
    ]
    assert add_k(with_counts([3, 1], [4, 3]), Fraction(1, 2)) == [
        (3, 4),
        (Fraction(3, 2), Fraction(7, 2)),
    ]


def test_exp_halves_the_matches_of_each_further_order_without_a_match():
    pairs = exp(with_counts([3, 0, 1, 0, 0], [5, 4, 3, 2, 1]), Fraction(0))
    assert pairs == [(3, 5), (Fraction(1, 2), 4), (1, 3), (Fraction(1, 4), 2), (Fraction(1, 8), 1)]


def test_exp_skips_orders_that_the_text_is_too_short_for():
    assert exp(with_counts([2, 0, 0], [2, 1, 0]), Fraction(0)) == [
        (2, 2),
        (Fraction(1, 2), 1),
        (0, 0),
    ]


def test_symbols_and_defaults():
    symbols = {name: SMOOTHINGS[name].symbol for name in ("none", "floor", "add-k", "exp")}
    assert symbols == {"none": "", "floor": "ε", "add-k": "k", "exp": ""}
    assert SMOOTHINGS["floor"].default == TENTH
    assert SMOOTHINGS["add-k"].default == 1


@pytest.mark.parametrize("name", SMOOTHINGS)
def test_smoothing_gives_the_precisions_of_its_example(name):
    statistics = segment_statistics("a b c d x y", ["a b c e x y"], smoothing=name)
    pairs = SMOOTHINGS[name].apply(statistics, SMOOTHINGS[name].default)
    precisions = list(map(float, quotients(pairs)))
    assert precisions == pytest.approx(SMOOTHINGS[name].example, rel=1e-5, abs=0)


@pytest.mark.parametrize("name", COMMON)
@given(statistics=any_statistics, value=st.fractions(Fraction(1, 10**6), 1))
def test_smoothed_precisions_are_in_range_and_never_lower(name, statistics, value):
    plain = quotients(none(statistics, value))
    smoothed = quotients(SMOOTHINGS[name].apply(statistics, value))
    assert len(smoothed) == len(statistics.matched)
    for before, after in zip(plain, smoothed, strict=True):
        assert 0 <= before <= after <= 1


@pytest.mark.parametrize("name", ["none", "floor", "exp"])
@given(statistics=any_statistics)
def test_only_orders_without_a_match_change(name, statistics):
    pairs = SMOOTHINGS[name].apply(statistics, TENTH)
    for matched, total, pair in zip(statistics.matched, statistics.total, pairs, strict=True):
        if matched:
            assert pair == (matched, total)
