"""A score as a product of factors, and the bars that show them."""

import math
import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.components import product_html
from bleu import derive, explain
from bleu.core.conventions import CONVENTIONS
from bleu.explanation.figures import MAX_RATIO_CHARACTERS

WORDS = st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=12).map(" ".join)
RECT = re.compile(r'<rect y="([\d.]+)%" width="100%" height="([\d.]+)%"')


def product_of(hypothesis, references, **choices):
    """Return the score and its product, or None if the implementation gives no score."""
    try:
        derivation = derive(hypothesis, references, **choices)
    except ValueError:
        return None
    return derivation.score, explain(derivation).product


def multiplied(product):
    """Return the product that is written: the penalty times the root or powers of the factors."""
    used = [factor for factor in product.precisions if factor.is_used]
    if any(not factor.value for factor in used):
        return 0.0
    values = [
        Fraction(factor.ratio[0]) / Fraction(factor.ratio[1]) if factor.ratio else factor.value
        for factor in used
    ]
    if all(factor.exponent is None for factor in used):
        logarithm = sum(map(math.log, values)) / product.degree
    else:
        logarithm = sum(
            float(factor.exponent) * math.log(value)
            for factor, value in zip(used, values, strict=True)
        )
    return product.penalty.value * math.exp(logarithm)


@given(
    WORDS,
    st.lists(WORDS, min_size=1, max_size=3),
    st.sampled_from(sorted(CONVENTIONS)),
    st.integers(1, 9),
)
def test_factors_multiply_to_the_score_for_every_convention(hypothesis, references, name, order):
    largest = CONVENTIONS[name].largest_order
    fixed = "max_order" in CONVENTIONS[name].settings
    choices = {} if fixed else {"max_order": min(order, largest)}
    if not (found := product_of(hypothesis, references, convention=name, **choices)):
        return
    score, product = found
    assert len(product.precisions) == len(score.precisions)
    assert math.isclose(multiplied(product), score.value, rel_tol=1e-9, abs_tol=1e-300)
    for factor in product.precisions:
        assert len("".join(factor.ratio)) <= MAX_RATIO_CHARACTERS
        assert factor.is_used or factor.remark


@given(WORDS, WORDS, st.sampled_from(["none", "floor", "add-k", "exp"]))
def test_bars_are_as_high_as_the_factors_and_stay_in_their_columns(text, reference, smoothing):
    score, product = product_of(text, [reference], smoothing=smoothing)
    for factor in product.precisions:
        column = factor.column
        assert column.value + column.added == factor.value
        if column.lost and not column.added:
            unclipped = column.value + column.lost
            assert unclipped.denominator <= score.total[factor.order - 1]
    for svg in re.findall("<svg class=.bar.*?</svg>", product_html(product)):
        edge = 100.0
        for top, height in RECT.findall(svg.partition("</defs>")[2] or svg):
            assert float(top) >= 0
            assert math.isclose(float(top) + float(height), edge, abs_tol=0.02)
            edge = float(top) if "alert-fill" not in svg else edge


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        ({}, [("3", "4"), ("1", "3"), ("0", "2"), ("0", "1")]),
        ({"smoothing": "floor"}, [("3", "4"), ("1", "3"), ("0.1", "2"), ("0.1", "1")]),
        ({"smoothing": "exp"}, [("3", "4"), ("1", "3"), ("0.5", "2"), ("0.25", "1")]),
        ({"smoothing": "add-k"}, [("3", "4"), ("2", "4"), ("1", "3"), ("1", "2")]),
    ],
)
def test_ratios_are_those_of_the_smoothed_counts(choices, expected):
    _, product = product_of("a b x c", ["a b c d"], **choices)
    assert [factor.ratio for factor in product.precisions] == expected


def test_remarks_say_what_the_colours_show():
    def remarks(*texts, **choices):
        return [
            factor.remark for factor in product_of(texts[0], texts[1:], **choices)[1].precisions
        ]

    assert remarks("the the the cat", "the cat", max_order=2) == ["2 cut off", ""]
    assert remarks("a b", "a b", effective_order=True) == ["", "", "left out", "left out"]
    assert remarks("a x", "a b", max_order=2, smoothing="floor") == ["", "smoothed"]
    assert remarks("a b", "a b", max_order=2, weights=(1, 0)) == ["", "weight 0"]


def test_root_is_that_of_the_orders_that_count():
    degrees = [
        product_of("a b", ["a b"], **choices)[1].degree
        for choices in (
            {"max_order": 1},
            {"max_order": 2},
            {"effective_order": True},
            {"max_order": 2, "weights": ("0.4", "0.6")},
        )
    ]
    assert degrees == [1, 2, 2, 1]
    _, product = product_of("a b", ["a b"], max_order=2, weights=("0.4", "0.6"))
    assert "<sup>0.4</sup>" in product_html(product)
