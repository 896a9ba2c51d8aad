"""The derivation, which holds every quantity of a score."""

from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given

from bleu import Settings, derive, sentence_bleu
from bleu.core.score import compute
from tests.support.strategies import segments
from tests.support.strategies import settings as any_settings


def test_derivation_holds_every_quantity():
    derivation = derive("the cat is on mat", ["the cat is on the mat", "a cat"], max_order=2)
    assert derivation.settings == Settings(max_order=2)
    assert derivation.hypothesis == ("the", "cat", "is", "on", "mat")
    assert derivation.references == (("the", "cat", "is", "on", "the", "mat"), ("a", "cat"))
    assert derivation.reference_lengths == (6, 2)
    assert [(order.matched, order.total) for order in derivation.orders] == [(5, 5), (3, 4)]
    assert derivation.statistics.reference_length == 6
    assert derivation.score.matched == (5, 3)
    assert derivation.signature == "nrefs:2|case:mixed|eff:no|tok:whitespace|smooth:none|order:2"


@given(segments, any_settings())
def test_parts_of_a_derivation_are_consistent(segment, choices):
    derivation = derive(*segment, **choices)
    assert derivation.statistics.matched == tuple(order.matched for order in derivation.orders)
    assert derivation.statistics.total == tuple(order.total for order in derivation.orders)
    assert derivation.statistics.hypothesis_length == len(derivation.hypothesis)
    assert derivation.score == compute(derivation.statistics, derivation.settings)
    assert derivation.score == sentence_bleu(*segment, **choices)
    assert derivation == derive(*segment, Settings(**choices))


def test_derivation_is_immutable():
    derivation = derive("a", ["a"])
    for instance, field in ((derivation, "score"), (derivation.score, "value")):
        with pytest.raises(FrozenInstanceError):
            setattr(instance, field, 1)


def test_derivation_does_not_change_with_its_input():
    hypothesis, references = ["a", "b"], [["a", "b"]]
    derivation = derive(hypothesis, references, max_order=1)
    hypothesis.append("c")
    references[0].clear()
    references.clear()
    assert derivation == derive("a b", ["a b"], max_order=1)


def test_invalid_texts_and_settings_are_refused():
    with pytest.raises(TypeError, match="single text"):
        derive("a", "a")
    with pytest.raises(TypeError, match="'order' is not an argument"):
        derive("a", ["a"], order=2)
    with pytest.raises(ValueError, match="max_order is 0"):
        derive("a", ["a"], max_order=0)
