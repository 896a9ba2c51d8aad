"""Settings: what is accepted, what is refused and in which words, and the signature."""

import math
import sys
from dataclasses import FrozenInstanceError, replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu import REFERENCE_LENGTHS, SMOOTHINGS, TOKENIZERS, Settings
from bleu.core.conventions import convention_settings, resolve_settings
from bleu.core.numerics import decimal
from bleu.core.settings import SETTING_NAMES, exact_fraction
from tests.support.strategies import COMMON
from tests.support.strategies import settings as any_settings
from tests.support.strategies import weights as any_weights


def test_defaults_are_the_papers():
    settings = Settings()
    assert settings.tokenizer == "whitespace"
    assert settings.lowercase is False
    assert settings.max_order == 4
    assert settings.order_weights == (Fraction(1, 4),) * 4
    assert (settings.smoothing, settings.smoothing_value) == ("none", None)
    assert settings.effective_order is False
    assert settings.reference_length == "closest"


def test_registries_are_in_menu_order():
    assert list(SMOOTHINGS)[:4] == ["none", "floor", "add-k", "exp"] == list(COMMON)
    assert list(REFERENCE_LENGTHS)[:3] == ["closest", "shortest", "average"]
    assert next(iter(TOKENIZERS)) == "whitespace"


@pytest.mark.parametrize(
    ("smoothing", "default"),
    [("none", None), ("floor", Fraction(1, 10)), ("add-k", Fraction(1)), ("exp", None)],
)
def test_each_smoothing_has_its_default_value(smoothing, default):
    assert Settings(smoothing=smoothing).smoothing_value == default


REFUSED: list[tuple[dict[str, Any], type[Exception], list[str]]] = [
    ({"max_order": 0}, ValueError, ["max_order is 0", "1 to 9"]),
    ({"max_order": 10}, ValueError, ["max_order is 10", "1 to 9"]),
    ({"max_order": -1}, ValueError, ["max_order is -1", "1 to 9"]),
    ({"max_order": True}, ValueError, ["max_order is True", "1 to 9"]),
    ({"max_order": 2.0}, ValueError, ["max_order is 2.0", "1 to 9"]),
    ({"max_order": "4"}, ValueError, ["max_order is '4'", "1 to 9"]),
    ({"max_order": None}, ValueError, ["max_order is None", "1 to 9"]),
    ({"smoothing": "florr"}, ValueError, ["'florr'", *SMOOTHINGS]),
    ({"smoothing": None}, ValueError, ["None", *SMOOTHINGS]),
    ({"smoothing": ["floor"]}, ValueError, ["['floor']", *SMOOTHINGS]),
    ({"tokenizer": "13z"}, ValueError, ["'13z'", *TOKENIZERS]),
    ({"reference_length": "longest"}, ValueError, ["'longest'", *REFERENCE_LENGTHS]),
    ({"lowercase": 1}, TypeError, ["lowercase is 1", "True or False"]),
    ({"effective_order": "yes"}, TypeError, ["effective_order is 'yes'", "True or False"]),
    ({"weights": (0.5, 0.4), "max_order": 2}, ValueError, ["0.5, 0.4", "0.9", "sum to 1"]),
    ({"weights": (0.0, 0.0), "max_order": 2}, ValueError, ["0, 0", "sum to 1"]),
    ({"weights": (0.5, 0.5)}, ValueError, ["weights has 2 numbers", "max_order is 4"]),
    ({"weights": ()}, ValueError, ["weights has 0 numbers", "max_order is 4"]),
    ({"weights": (1.5, -0.5), "max_order": 2}, ValueError, ["-0.5", "0 to 1"]),
    ({"weights": (float("nan"), 1), "max_order": 2}, ValueError, ["nan", "finite"]),
    ({"weights": ("x", 1), "max_order": 2}, ValueError, ["'x'", "number"]),
    ({"weights": "1"}, TypeError, ["weights is '1'", "each order"]),
    ({"weights": 1}, TypeError, ["weights is 1", "each order"]),
    ({"smoothing": "none", "smoothing_value": 0.1}, ValueError, ["0.1", "floor, add-k"]),
    ({"smoothing": "exp", "smoothing_value": 0.1}, ValueError, ["0.1", "floor, add-k"]),
    ({"smoothing_value": 0}, ValueError, ["smoothing_value is 0", "floor, add-k"]),
]
"""Settings, the error, and what its message must name: the value and the choices."""


@pytest.mark.parametrize("value", [0, -1, 1.5, 50, Fraction(3, 2)])
def test_floor_refuses_an_epsilon_outside_its_range(value):
    with pytest.raises(ValueError, match=r"ε of .*; choose .* above 0 and at most 1") as caught:
        Settings(smoothing="floor", smoothing_value=value)
    assert decimal(Fraction(value)) in str(caught.value)


@pytest.mark.parametrize("value", [0, -1, -0.5])
def test_add_k_refuses_a_k_that_is_not_positive(value):
    with pytest.raises(
        ValueError, match=rf"k of smoothing add-k is {value}; .*above 0(; 0 is smoothing none)?$"
    ):
        Settings(smoothing="add-k", smoothing_value=value)


@pytest.mark.parametrize("smoothing", ["floor", "add-k"])
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, "abc", "", "1/0", [1]])
def test_smoothing_values_are_finite_numbers(smoothing, value):
    with pytest.raises(ValueError, match=r"not a finite number") as caught:
        Settings(smoothing=smoothing, smoothing_value=value)
    assert repr(value) in str(caught.value)


@pytest.mark.parametrize(("choices", "error", "named"), REFUSED, ids=lambda value: repr(value)[:60])
def test_refuses_naming_the_value_and_the_choices(choices, error, named):
    with pytest.raises(error) as caught:
        Settings(**choices)
    for part in named:
        assert part in str(caught.value)


def test_refuses_an_unknown_keyword_naming_the_known_ones():
    with pytest.raises(TypeError, match="'smooth' is not a setting") as caught:
        resolve_settings({"smooth": "floor"})
    for name in SETTING_NAMES:
        assert name in str(caught.value)


@pytest.mark.parametrize("value", [1, 1.0, Fraction(1), "1", 0.5, 1e-9])
def test_floor_accepts_every_epsilon_in_its_range(value):
    assert 0 < Settings(smoothing="floor", smoothing_value=value).smoothing_value <= 1


@pytest.mark.parametrize("value", [0.5, 1, 50, Fraction(1, 3), 1e9])
def test_add_k_accepts_every_positive_k(value):
    assert Settings(smoothing="add-k", smoothing_value=value).smoothing_value == value


@pytest.mark.parametrize("value", ["1e400", 10**400], ids=["text", "whole number"])
def test_a_k_that_no_float_can_hold_is_refused(value):
    with pytest.raises(ValueError, match=r"k of smoothing add-k is .*, which is too large"):
        Settings(smoothing="add-k", smoothing_value=value)


SMALLEST = "2.2250738585072014e-308"


@pytest.mark.parametrize("value", [sys.float_info.min, SMALLEST, 1e300])
def test_the_smallest_and_the_largest_numbers_are_taken(value):
    assert Settings(smoothing="add-k", smoothing_value=value).smoothing_value == Fraction(
        str(value)
    )


@pytest.mark.parametrize("value", [5e-324, "2.2e-308", 1.1e300, "1e301"])
def test_numbers_beyond_them_are_refused(value):
    with pytest.raises(ValueError, match=r"which is too (large|small)"):
        Settings(smoothing="add-k", smoothing_value=value)


def test_the_default_of_nltk_method_0_may_be_said():
    settings = convention_settings("nltk-method0")
    assert replace(settings, max_order=3).smoothing_value == Fraction(SMALLEST)


@pytest.mark.parametrize("value", [True, "1e-400"])
def test_what_is_no_number_or_too_small_a_one_is_refused(value):
    with pytest.raises(ValueError, match=r"not a finite number|too small"):
        Settings(smoothing="floor", smoothing_value=value)
    with pytest.raises(ValueError, match=r"not a finite number|too small"):
        Settings(max_order=2, weights=(value, 1))


def test_a_huge_epsilon_is_refused_like_any_other_above_1():
    with pytest.raises(ValueError, match="ε of smoothing floor"):
        Settings(smoothing="floor", smoothing_value=10**400)


def test_decimal_numbers_are_read_as_written():
    assert Settings(smoothing="floor", smoothing_value=0.1).smoothing_value == Fraction(1, 10)
    assert Settings(max_order=2, weights=(0.7, 0.3)).weights == (Fraction(7, 10), Fraction(3, 10))


def test_weights_that_sum_to_1_up_to_rounding_are_accepted():
    third = 0.3333333333
    assert len(Settings(max_order=3, weights=(third,) * 3).order_weights) == 3
    with pytest.raises(ValueError, match="sum to 1"):
        Settings(max_order=3, weights=(0.33333333,) * 3)


def test_weights_may_be_any_iterable_of_numbers():
    expected = (Fraction(1, 2),) * 2
    assert Settings(max_order=2, weights=[0.5, "1/2"]).weights == expected
    assert Settings(max_order=2, weights=(w for w in (0.5, 0.5))).weights == expected


@pytest.mark.host
def test_numbers_of_numpy_are_numbers():
    np = pytest.importorskip("numpy")
    halves = Settings(max_order=np.int64(2), weights=np.array([0.5, 0.5]))
    assert halves == Settings(max_order=2, weights=(0.5, 0.5))
    assert type(halves.max_order) is int
    assert Settings(max_order=2, weights=np.array([1, 0])) == Settings(max_order=2, weights=(1, 0))
    for one in (np.int64(1), np.uint8(1), np.float32(1)):
        assert Settings(smoothing="add-k", smoothing_value=one).smoothing_value == 1
    with pytest.raises(ValueError, match="the weights 1, 2 sum to 3; choose weights that sum to 1"):
        Settings(max_order=2, weights=np.array([1, 2]))
    with pytest.raises(ValueError, match=r"k of smoothing add-k is -1; choose a number above 0"):
        Settings(smoothing="add-k", smoothing_value=np.int64(-1))
    with pytest.raises(ValueError, match=r"max_order is np\.int64\(10\); choose a whole number"):
        Settings(max_order=np.int64(10))
    with pytest.raises(ValueError, match=r"tokenizer is array\(.*choose one of: whitespace"):
        Settings(tokenizer=np.array(["13a", "intl"]))


def test_settings_are_values():
    settings = Settings(max_order=2, weights=[0.5, 0.5])
    assert settings == Settings(max_order=2, weights=(Fraction(1, 2), 0.5))
    assert len({settings, Settings(max_order=2, weights=(0.5, 0.5)), Settings()}) == 2
    with pytest.raises(FrozenInstanceError):
        settings.max_order = 3


@pytest.mark.parametrize(
    ("choices", "references", "signature"),
    [
        ({}, 1, "nrefs:1|case:mixed|eff:no|tok:whitespace|smooth:none|order:4"),
        ({}, None, "nrefs:var|case:mixed|eff:no|tok:whitespace|smooth:none|order:4"),
        (
            {"lowercase": True, "effective_order": True, "smoothing": "exp", "max_order": 9},
            3,
            "nrefs:3|case:lc|eff:yes|tok:whitespace|smooth:exp|order:9",
        ),
        (
            {"smoothing": "add-k", "smoothing_value": 0.25},
            1,
            "nrefs:1|case:mixed|eff:no|tok:whitespace|smooth:add-k[0.25]|order:4",
        ),
        (
            {"max_order": 2, "weights": (0.7, 0.3), "reference_length": "average"},
            2,
            "nrefs:2|case:mixed|eff:no|tok:whitespace|smooth:none|order:2|weights:0.7,0.3|length:average",
        ),
    ],
)
def test_signature_pins_every_choice(choices, references, signature):
    assert Settings(**choices).signature(references) == signature


@given(any_settings(), any_settings())
def test_settings_that_differ_have_signatures_that_differ(one, other):
    one, other = Settings(**one), Settings(**other)
    assert (one == other) == (one.signature(1) == other.signature(1))


@given(st.integers(1, 9).flatmap(any_weights))
def test_order_weights_are_the_weights_given(weights):
    settings = Settings(max_order=len(weights), weights=weights)
    assert settings.order_weights == weights
    assert sum(settings.order_weights) == 1


@given(st.fractions())
def test_decimal_writes_what_exact_reads(number):
    assert exact_fraction("x", decimal(number)) == number


@given(st.floats(-1e299, -1e-299) | st.floats(1e-299, 1e299) | st.just(0.0))
def test_exact_is_within_rounding_of_the_float(number):
    assert float(exact_fraction("x", number)) == number
