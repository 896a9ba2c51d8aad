"""Packing of statistics into integers."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu import Settings, Statistics
from bleu.core.api import segment_statistics
from bleu.corpus.corpus import Packing, shape_of
from tests.support.strategies import corpora, statistics


def packing_for(parts, systems=1):
    """Return a packing of these statistics."""
    return Packing(set(map(shape_of, parts)), systems)


@given(st.lists(statistics(3), min_size=1, max_size=6), st.data())
def test_sum_of_packed_integers_unpacks_to_sum_of_statistics(parts, data):
    drawn = data.draw(st.lists(st.sampled_from(parts), min_size=1, max_size=20))
    packing = packing_for(parts)
    total = sum(packing.pack([part]) for part in drawn)
    assert packing.unpack(total) == [Statistics.sum(drawn, 3)]


@given(st.lists(st.tuples(statistics(2), statistics(2)), min_size=1, max_size=6))
def test_several_systems_are_packed_side_by_side(rows):
    packing = packing_for([part for row in rows for part in row], systems=2)
    total = sum(map(packing.pack, rows))
    assert packing.unpack(total) == [
        Statistics.sum(system, 2) for system in zip(*rows, strict=True)
    ]


@given(st.tuples(statistics(2), statistics(2)))
def test_swap_delta_swaps_systems(pair):
    packing = packing_for(pair, systems=2)
    number = packing.pack(pair)
    assert packing.unpack(number + packing.swap_delta(number)) == [pair[1], pair[0]]


@given(corpora.filter(bool))
def test_averaged_lengths_and_details_survive_packing(corpus):
    settings = Settings(reference_length="average", smoothing="segment-floor")
    parts = [segment_statistics(*segment, settings) for segment in corpus]
    packing = packing_for(parts)
    (total,) = packing.unpack(sum(packing.pack([part]) for part in parts))
    expected = Statistics.sum(parts, 4)
    assert replace(total, details=None) == replace(expected, details=None)
    assert total.details.too_short == expected.details.too_short
    assert total.details.no_match == expected.details.no_match


def test_scale_is_the_common_denominator():
    lengths = (Fraction(5, 2), Fraction(7, 3), 4)
    parts = [Statistics((1,), (1,), 1, length) for length in lengths]
    packing = packing_for(parts)
    assert packing.scale == 6
    (total,) = packing.unpack(sum(packing.pack([part]) for part in parts))
    assert total.reference_length == Fraction(53, 6)
    assert packing.unpack(packing.pack([parts[2]]))[0].reference_length == 4


def test_statistics_that_do_not_add_up_raise():
    with pytest.raises(ValueError, match="differ in their orders or details"):
        packing_for([Statistics.zero(2), Statistics.zero(3)])
    detailed = segment_statistics("a b", ["a c"], smoothing="average-last")
    with pytest.raises(ValueError, match="differ in their orders or details"):
        packing_for([detailed, Statistics.zero(4)])
