"""One segment: its statistics, and refused texts and tokens."""

from fractions import Fraction

import pytest
from hypothesis import given

from bleu import Settings, Statistics, derive, segment_statistics
from tests.support.strategies import segments

NINE_ORDERS = Settings(max_order=9)


def test_segment_has_tokens_orders_and_statistics():
    segment = derive("the cat sat", ["the cat", "a cat sat down"], Settings(max_order=2))
    assert segment.hypothesis == ("the", "cat", "sat")
    assert segment.references == (("the", "cat"), ("a", "cat", "sat", "down"))
    assert [order.n for order in segment.orders] == [1, 2]
    assert segment.statistics == Statistics((3, 2), (3, 2), 3, 2)


def test_equally_close_lengths_resolve_to_the_shorter():
    assert segment_statistics("a b c", ["a b c d", "a b"], Settings()).reference_length == 2


@pytest.mark.parametrize(
    ("rule", "length"), [("closest", 4), ("shortest", 1), ("average", Fraction(11, 3))]
)
def test_reference_length_follows_the_rule(rule, length):
    settings = Settings(reference_length=rule)
    statistics = segment_statistics("a b c d", ["a", "a b c d", "a b c d e f"], settings)
    assert statistics.reference_length == length


def test_lowercase_applies_to_both_sides():
    settings = Settings(lowercase=True, max_order=1)
    assert segment_statistics("The CAT", ["the cat"], settings).matched == (2,)
    assert segment_statistics(["THE"], [["the"]], settings).matched == (1,)
    assert segment_statistics("The CAT", ["the cat"], Settings(max_order=1)).matched == (0,)


@pytest.mark.parametrize(
    ("hypothesis", "references", "statistics"),
    [
        ("", ["a b"], Statistics((0, 0), (0, 0), 0, 2)),
        ("a b", [""], Statistics((0, 0), (2, 1), 2, 0)),
        ("", [""], Statistics((0, 0), (0, 0), 0, 0)),
        ([], [[]], Statistics((0, 0), (0, 0), 0, 0)),
        ("a", ["", "a b c"], Statistics((1, 0), (1, 0), 1, 0)),
    ],
)
def test_empty_texts_are_counted(hypothesis, references, statistics):
    assert segment_statistics(hypothesis, references, Settings(max_order=2)) == statistics


@given(segments)
def test_matched_is_at_most_total_and_decreases_with_the_order(segment):
    statistics = segment_statistics(*segment, NINE_ORDERS)
    matched, total = statistics.matched, statistics.total
    assert all(m <= t for m, t in zip(matched, total, strict=True))
    assert list(matched) == sorted(matched, reverse=True)
    assert total == tuple(max(0, len(segment[0]) - n) for n in range(9))


@given(segments)
def test_duplicate_references_change_nothing(segment):
    hypothesis, references = segment
    assert segment_statistics(hypothesis, references, NINE_ORDERS) == segment_statistics(
        hypothesis, references * 2, NINE_ORDERS
    )


@given(segments)
def test_text_counts_as_its_tokens(segment):
    hypothesis, references = segment
    from_text = derive(" ".join(hypothesis), list(map(" ".join, references)), NINE_ORDERS)
    assert from_text == derive(hypothesis, references, NINE_ORDERS)


REFUSED = [
    ("a b", "a c", TypeError, "references is a single text, 'a c'; give a list of references"),
    ("a b", [], ValueError, "references is empty; give at least one"),
    (["a"], (), ValueError, "references is empty; give at least one"),
    ("a b", None, TypeError, "references has type NoneType; give a list"),
    ("a b", 7, TypeError, "references has type int; give a list"),
    ("a b", b"a b", TypeError, "references has type bytes; give a list"),
    ("a b", {"a b"}, TypeError, "references has type set; give a list"),
    ("a b", (text for text in ["a"]), TypeError, "references has type generator; give a list"),
    ("a b", ["a", None], TypeError, "reference 2 in references is None"),
    ("a b", ["a", 7], TypeError, "reference 2 in references is 7"),
    ("a b", [b"a b"], TypeError, "reference 1 in references is b'a b'"),
    (["a"], [["a"], (t for t in "a")], TypeError, "reference 2 in references is <generator "),
    ("a b", [["a", "b"]], TypeError, r"hypothesis is text and reference 1 .* list of tokens, \['a"),
    (["a"], [["a"], "a"], TypeError, "hypothesis is a list of tokens and reference 2 .* text, 'a'"),
    (["a", "b"], ["a", "b"], TypeError, "single reference, a list of tokens such as 'a'"),
    (None, [["a"]], TypeError, r"hypothesis is None \(type NoneType\); give '' for a missing text"),
    (7, [["a"]], TypeError, r"hypothesis is 7 \(type int\); give a text or a sequence of tokens"),
    (b"a b", [["a"]], TypeError, r"hypothesis is b'a b' \(type bytes\); decode it first"),
    (
        (token for token in "ab"),
        [["a"]],
        TypeError,
        r"hypothesis is <generator.* \(type generator\)",
    ),
    (["a", ["b"]], [["a"]], TypeError, r"token 2 is \['b'\], which is not hashable"),
    (["a"], [["a", {}]], TypeError, "token 2 is {}, which is not hashable"),
    ([["a"], ["b"]], [["a"]], TypeError, "hypothesis is a list of lists.*; give the hypothesis fi"),
    (["a b", "c d"], [["a b"]], TypeError, r"list of 2 texts, such as 'a b'; score a c"),
    (["a b", "c d", "e"], ["a b"], TypeError, "is a list of 3 texts"),
    ([["a"], "b"], [["a"]], TypeError, "hypothesis is a list of lists.*; give the hypothesis fi"),
    ([["a"], 7], [["a"]], TypeError, r"token 1 is \['a'\], which is not hashable"),
    ([("a", [])], [["a"]], TypeError, r"token 1 is \('a', \[\]\), which is not hashable"),
]


@pytest.mark.parametrize(("hypothesis", "references", "exception", "message"), REFUSED)
def test_invalid_segment_is_refused_with_the_reason(hypothesis, references, exception, message):
    with pytest.raises(exception, match=message):
        derive(hypothesis, references, Settings())


@pytest.mark.parametrize("hypothesis", [None, 7, b"a b"])
def test_other_hypothesis_with_text_references_is_refused(hypothesis):
    with pytest.raises(TypeError, match=repr(hypothesis)):
        derive(hypothesis, ["a b"], Settings())
