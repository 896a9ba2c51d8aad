"""Smoothing: what each kind makes of counted matches and totals."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu.core.smoothing import SMOOTHINGS, add_k, exp, floor, none
from bleu.core.statistics import Statistics
from tests.support.strategies import COMMON, statistics

TENTH = Fraction(1, 10)
counts = st.integers(1, 9).flatmap(statistics)


def quotients(pairs):
    """p_n of each order, as the score reads them."""
    return [matched / total if total else matched for matched, total in pairs]


def counted(matched, total):
    """Statistics with these counts."""
    return Statistics(tuple(matched), tuple(total), total[0], total[0])


def test_none_leaves_zeros():
    assert none(counted([3, 0, 0], [4, 3, 0]), Fraction(0)) == [(3, 4), (0, 3), (0, 0)]


def test_floor_counts_an_order_without_a_match_as_epsilon_matches():
    pairs = floor(counted([3, 0, 0, 0], [3, 2, 1, 0]), TENTH)
    assert pairs == [(3, 3), (TENTH, 2), (TENTH, 1), (TENTH, 0)]
    assert quotients(pairs) == [1, Fraction(1, 20), TENTH, TENTH]  # too short for 4: ε itself


def test_add_k_spares_unigrams():
    assert add_k(counted([3, 1, 0, 0], [4, 3, 2, 0]), Fraction(1)) == [
        (3, 4),
        (2, 4),
        (1, 3),
        (1, 1),
    ]
    assert add_k(counted([3, 1], [4, 3]), Fraction(1, 2)) == [
        (3, 4),
        (Fraction(3, 2), Fraction(7, 2)),
    ]


def test_exp_halves_the_credit_of_each_further_order_without_a_match():
    pairs = exp(counted([3, 0, 1, 0, 0], [5, 4, 3, 2, 1]), Fraction(0))
    assert pairs == [(3, 5), (Fraction(1, 2), 4), (1, 3), (Fraction(1, 4), 2), (Fraction(1, 8), 1)]


def test_exp_gives_nothing_for_an_order_that_the_text_is_too_short_for():
    assert exp(counted([2, 0, 0], [2, 1, 0]), Fraction(0)) == [(2, 2), (Fraction(1, 2), 1), (0, 0)]


def test_symbols_and_defaults():
    assert [
        (name, kind.symbol) for name, kind in SMOOTHINGS.items() if kind.common and kind.symbol
    ] == [
        ("floor", "ε"),
        ("add-k", "k"),
    ]
    assert SMOOTHINGS["floor"].default == TENTH
    assert SMOOTHINGS["add-k"].default == 1


@pytest.mark.parametrize("name", COMMON)
@given(facts=counts, value=st.fractions(Fraction(1, 10**6), 1))
def test_precisions_are_in_range_and_none_is_lowered(name, facts, value):
    plain = quotients(none(facts, value))
    smoothed = quotients(SMOOTHINGS[name].apply(facts, value))
    assert len(smoothed) == len(facts.matched)
    for before, after in zip(plain, smoothed, strict=True):
        assert 0 <= before <= after <= 1


@pytest.mark.parametrize("name", ["none", "floor", "exp"])
@given(facts=counts)
def test_only_orders_without_a_match_change(name, facts):
    pairs = SMOOTHINGS[name].apply(facts, TENTH)
    for matched, total, pair in zip(facts.matched, facts.total, pairs, strict=True):
        if matched:
            assert pair == (matched, total)
