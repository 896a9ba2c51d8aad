"""One segment, from text to statistics, and what is refused on the way."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu import Settings, Statistics
from bleu.core.segment import analyse
from tests.support.strategies import references, segments, tokens

NINE = Settings(max_order=9)


def test_text_becomes_tokens_orders_and_statistics():
    segment = analyse("the cat sat", ["the cat", "a cat sat down"], Settings(max_order=2))
    assert segment.hypothesis == ("the", "cat", "sat")
    assert segment.references == (("the", "cat"), ("a", "cat", "sat", "down"))
    assert [order.n for order in segment.orders] == [1, 2]
    assert segment.statistics == Statistics((3, 2), (3, 2), 3, 2)


def test_a_tie_of_lengths_goes_to_the_shorter_reference():
    assert analyse("a b c", ["a b c d", "a b"], Settings()).statistics.reference_length == 2


@pytest.mark.parametrize(
    ("rule", "length"), [("closest", 4), ("shortest", 1), ("average", Fraction(11, 3))]
)
def test_the_reference_length_follows_the_rule(rule, length):
    settings = Settings(reference_length=rule)
    segment = analyse("a b c d", ["a", "a b c d", "a b c d e f"], settings)
    assert segment.statistics.reference_length == length


def test_lowercase_is_for_both_sides():
    settings = Settings(lowercase=True, max_order=1)
    assert analyse("The CAT", ["the cat"], settings).statistics.matched == (2,)
    assert analyse(["THE"], [["the"]], settings).statistics.matched == (1,)
    assert analyse("The CAT", ["the cat"], Settings(max_order=1)).statistics.matched == (0,)


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
def test_empty_texts_are_counted_like_any_other(hypothesis, references, statistics):
    assert analyse(hypothesis, references, Settings(max_order=2)).statistics == statistics


@given(segments)
def test_matched_is_at_most_total_and_both_fall_with_the_order(segment):
    statistics = analyse(*segment, NINE).statistics
    matched, total = statistics.matched, statistics.total
    assert all(m <= t for m, t in zip(matched, total, strict=True))
    assert list(matched) == sorted(matched, reverse=True)
    assert total == tuple(max(0, len(segment[0]) - n) for n in range(9))


@given(segments, st.randoms())
def test_the_order_of_references_changes_nothing(segment, random):
    hypothesis, references = segment
    shuffled = random.sample(references, len(references))
    assert (
        analyse(hypothesis, references, NINE).statistics
        == analyse(hypothesis, shuffled, NINE).statistics
    )


@given(tokens, references, tokens)
def test_one_reference_more_never_lowers_a_match(hypothesis, references, another):
    few = analyse(hypothesis, references, NINE).statistics.matched
    more = analyse(hypothesis, [*references, another], NINE).statistics.matched
    assert all(before <= after for before, after in zip(few, more, strict=True))


@given(segments)
def test_a_reference_given_twice_changes_nothing(segment):
    hypothesis, references = segment
    assert (
        analyse(hypothesis, references, NINE).statistics
        == analyse(hypothesis, references * 2, NINE).statistics
    )


@given(segments)
def test_text_and_its_tokens_count_alike(segment):
    hypothesis, references = segment
    texts = analyse(" ".join(hypothesis), [" ".join(other) for other in references], NINE)
    assert texts == analyse(hypothesis, references, NINE)


REFUSED = [
    ("a b", "a c", TypeError, "references is a single text, 'a c'; give a list of references"),
    ("a b", [], ValueError, "references is empty; give at least one"),
    (["a"], (), ValueError, "references is empty; give at least one"),
    ("a b", None, TypeError, "references is a NoneType; give a list"),
    ("a b", 7, TypeError, "references is a int; give a list"),
    ("a b", b"a b", TypeError, "references is a bytes; give a list"),
    ("a b", {"a b"}, TypeError, "references is a set; give a list"),
    ("a b", (text for text in ["a"]), TypeError, "references is a generator; give a list"),
    ("a b", ["a", None], TypeError, "reference 2 in references is None"),
    ("a b", ["a", 7], TypeError, "reference 2 in references is 7"),
    ("a b", [b"a b"], TypeError, "reference 1 in references is b'a b'"),
    (["a"], [["a"], (t for t in "a")], TypeError, "reference 2 in references is <generator "),
    ("a b", [["a", "b"]], TypeError, r"hypothesis is text and reference 1 .* list of tokens, \['a"),
    (["a"], [["a"], "a"], TypeError, "hypothesis is a list of tokens and reference 2 .* text, 'a'"),
    (["a", "b"], ["a", "b"], TypeError, "reference 1 .* is text, 'a'"),
    (None, [["a"]], TypeError, "hypothesis is a NoneType, None; give '' for a missing text"),
    (7, [["a"]], TypeError, "hypothesis is a int, 7; give a text or a sequence of tokens"),
    (b"a b", [["a"]], TypeError, "hypothesis is a bytes, b'a b'; decode it first"),
    ((token for token in "ab"), [["a"]], TypeError, "hypothesis is a generator, <generator"),
    (["a", ["b"]], [["a"]], TypeError, r"token 2 is \['b'\], which is not hashable"),
    (["a"], [["a", {}]], TypeError, "token 2 is {}, which is not hashable"),
]


@pytest.mark.parametrize(("hypothesis", "references", "error", "message"), REFUSED)
def test_refuses_what_is_no_segment_and_says_why(hypothesis, references, error, message):
    with pytest.raises(error, match=message):
        analyse(hypothesis, references, Settings())


@pytest.mark.parametrize("hypothesis", [None, 7, b"a b"])
def test_a_hypothesis_that_is_no_text_is_named_where_references_are_text(hypothesis):
    with pytest.raises(TypeError, match=repr(hypothesis)):
        analyse(hypothesis, ["a b"], Settings())
