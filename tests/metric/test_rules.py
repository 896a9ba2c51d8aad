"""The effective reference length and the brevity penalty."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu.metric.method import brevity_penalty, closest
from bleu.metric.rules import REFERENCE_LENGTHS, average, penalty_of_lengths

lengths = st.lists(st.integers(0, 60), min_size=1, max_size=5)


@pytest.mark.parametrize(
    ("hypothesis_length", "references", "expected"),
    [
        (6, [5, 7], 5),  # a tie
        (6, [7, 5], 5),  # a tie in the other order
        (6, [9, 3, 12], 3),
        (6, [8, 7, 2], 7),  # the closest is not the shortest
        (6, [6, 5], 6),
        (0, [3, 0, 5], 0),
        (2, [0, 5], 0),  # an empty reference is the closest
        (4, [9], 9),
    ],
)
def test_closest_resolves_ties_to_the_shorter(hypothesis_length, references, expected):
    assert closest(hypothesis_length, references) == expected


@given(st.integers(0, 60), lengths)
def test_no_reference_is_closer_than_the_closest(hypothesis_length, references):
    length = closest(hypothesis_length, references)
    distance = abs(length - hypothesis_length)
    assert length in references
    assert all(distance <= abs(r - hypothesis_length) for r in references)
    assert all(length <= r for r in references if abs(r - hypothesis_length) == distance)


def test_shortest_and_average():
    assert REFERENCE_LENGTHS["shortest"](6, [5, 7, 12]) == 5
    assert average(6, [5, 7, 12]) == 8
    assert average(6, [5, 6]) == Fraction(11, 2)
    assert isinstance(average(6, [5, 7]), int)


@given(st.integers(0, 60), lengths)
def test_rules_do_not_depend_on_the_order_of_references(hypothesis_length, references):
    for name, rule in REFERENCE_LENGTHS.items():
        forwards = rule(hypothesis_length, references)
        if name != "closest-first":
            assert forwards == rule(hypothesis_length, references[::-1])
        assert min(references) <= forwards <= max(references)


@given(st.integers(0, 60), st.integers(0, 60))
def test_rules_agree_on_a_single_reference(hypothesis_length, length):
    assert {rule(hypothesis_length, [length]) for rule in REFERENCE_LENGTHS.values()} == {length}


@pytest.mark.parametrize(
    ("c", "r", "penalty"),
    [
        (18, 16, 1.0),
        (16, 16, 1.0),  # equal lengths
        (5, 6, math.exp(-1 / 5)),
        (12, 13, math.exp(1 - 13 / 12)),
        (1, 2, math.exp(-1)),
        (4, Fraction(9, 2), math.exp(-1 / 8)),
        (0, 0, 1.0),
        (3, 0, 1.0),
        (0, 1, 0.0),  # the limit for c -> 0
        (0, Fraction(1, 2), 0.0),
    ],
)
def test_brevity_penalty_is_that_of_the_paper(c, r, penalty):
    assert brevity_penalty(c, r) == pytest.approx(penalty, rel=1e-14, abs=0)


@given(st.integers(0, 500), st.integers(0, 500))
def test_brevity_penalty_is_below_1_only_if_the_hypothesis_is_shorter(c, r):
    penalty = brevity_penalty(c, r)
    assert 0 <= penalty <= 1
    assert penalty == penalty_of_lengths(c, r)
    assert (penalty < 1) == (c < r)


@given(st.integers(0, 500), st.integers(0, 500))
def test_longer_hypothesis_is_never_penalized_more(c, r):
    assert brevity_penalty(c, r) <= brevity_penalty(c + 1, r)
