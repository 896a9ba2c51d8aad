"""Settings: accepted and refused values, error messages, and signatures."""

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
from bleu.core.settings import SETTING_NAMES, exact_fraction
from bleu.metric.numerics import decimal
from bleu.metric.rules import SettingError
from tests.support.strategies import COMMON
from tests.support.strategies import settings as any_settings
from tests.support.strategies import weights as any_weights


def test_defaults_are_those_of_the_paper():
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
def test_default_smoothing_value(smoothing, default):
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
    ({"weights": (0.5, 0.5)}, ValueError, ["the number of weights is 2", "max_order is 4"]),
    ({"weights": ()}, ValueError, ["the number of weights is 0", "max_order is 4"]),
    ({"weights": (1.5, -0.5), "max_order": 2}, ValueError, ["-0.5", "0 to 1"]),
    ({"weights": (float("nan"), 1), "max_order": 2}, ValueError, ["nan", "finite"]),
    ({"weights": ("x", 1), "max_order": 2}, ValueError, ["'x'", "number"]),
    ({"weights": "1"}, TypeError, ["weights is '1'", "each order"]),
    ({"weights": 1}, TypeError, ["weights is 1", "each order"]),
    ({"smoothing": "none", "smoothing_value": 0.1}, ValueError, ["0.1", "floor, add-k"]),
    ({"smoothing": "exp", "smoothing_value": 0.1}, ValueError, ["0.1", "floor, add-k"]),
    ({"smoothing_value": 0}, ValueError, ["smoothing_value is 0", "floor, add-k"]),
]
"""Settings, the exception, and parts of its message: the value and the choices."""


@pytest.mark.parametrize("value", [0, -1, 1.5, 50, Fraction(3, 2)])
def test_epsilon_outside_its_range_is_refused(value):
    with pytest.raises(ValueError, match=r"ε of .*; choose .* above 0 and at most 1") as error:
        Settings(smoothing="floor", smoothing_value=value)
    assert decimal(Fraction(value)) in str(error.value)


@pytest.mark.parametrize("value", [0, -1, -0.5])
def test_k_that_is_not_positive_is_refused(value):
    with pytest.raises(
        ValueError, match=rf"k of smoothing add-k is {value}; .*above 0(, or smoothing none.*)?$"
    ):
        Settings(smoothing="add-k", smoothing_value=value)


@pytest.mark.parametrize("smoothing", ["floor", "add-k"])
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, "abc", "", "1/0", [1]])
def test_smoothing_value_that_is_not_a_finite_number_is_refused(smoothing, value):
    with pytest.raises(ValueError, match="not a finite number") as error:
        Settings(smoothing=smoothing, smoothing_value=value)
    assert repr(value) in str(error.value)


@pytest.mark.parametrize(
    ("choices", "exception", "parts"), REFUSED, ids=lambda value: repr(value)[:60]
)
def test_error_names_the_value_and_the_choices(choices, exception, parts):
    with pytest.raises(exception) as error:
        Settings(**choices)
    for part in parts:
        assert part in str(error.value)


def test_error_for_an_unknown_keyword_lists_all_settings():
    with pytest.raises(TypeError, match="'color' is not an argument") as error:
        resolve_settings({"color": "red"})
    for name in SETTING_NAMES:
        assert name in str(error.value)


@pytest.mark.parametrize("value", [1, 1.0, Fraction(1), "1", 0.5, 1e-9])
def test_epsilon_in_its_range_is_accepted(value):
    assert 0 < Settings(smoothing="floor", smoothing_value=value).smoothing_value <= 1


@pytest.mark.parametrize("value", [0.5, 1, 50, Fraction(1, 3), 1e9])
def test_positive_k_is_accepted(value):
    assert Settings(smoothing="add-k", smoothing_value=value).smoothing_value == value


MIN_FLOAT = "2.2250738585072014e-308"


@pytest.mark.parametrize("value", [sys.float_info.min, MIN_FLOAT, 1e300])
def test_numbers_at_the_limits_are_accepted(value):
    settings = Settings(smoothing="add-k", smoothing_value=value)
    assert settings.smoothing_value == Fraction(str(value))


@pytest.mark.parametrize(
    ("value", "exception", "message"),
    [
        (5e-324, SettingError, "k of smoothing add-k is 5e-324, which is too small"),
        ("2.2e-308", SettingError, "which is too small"),
        ("1e-400", SettingError, "which is too small"),
        (1.1e300, SettingError, r"k of smoothing add-k is 1\.1e\+300, which is too large"),
        ("1e301", SettingError, "which is too large"),
        (10**400, SettingError, "which is too large"),
        ("1e999999999", SettingError, "which is too large"),
    ],
)
def test_numbers_beyond_the_limits_are_refused(value, exception, message):
    with pytest.raises(exception, match=message):
        Settings(smoothing="add-k", smoothing_value=value)
    with pytest.raises(exception, match="a weight is"):
        Settings(max_order=2, weights=(value, 1))


@pytest.mark.parametrize("choices", [{"smoothing": "floor", "smoothing_value": True},
                                     {"max_order": 2, "weights": (True, 1)}])  # fmt: skip
def test_booleans_are_not_numbers(choices):
    with pytest.raises(ValueError, match="True, which is not a finite number"):
        Settings(**choices)


def test_default_value_of_nltk_method_0_is_accepted_as_an_argument():
    settings = convention_settings("nltk-method0")
    assert replace(settings, max_order=3).smoothing_value == Fraction(MIN_FLOAT)


def test_decimal_numbers_are_exact():
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
def test_numpy_numbers_are_accepted():
    np = pytest.importorskip("numpy")
    halves = Settings(max_order=np.int64(2), weights=np.array([0.5, 0.5]))
    assert halves == Settings(max_order=2, weights=(0.5, 0.5))
    assert type(halves.max_order) is int
    assert Settings(max_order=2, weights=np.array([1, 0])) == Settings(max_order=2, weights=(1, 0))
    for value in (np.int64(1), np.uint8(1), np.float32(1)):
        assert Settings(smoothing="add-k", smoothing_value=value).smoothing_value == 1
    with pytest.raises(ValueError, match="the weights 1, 2 sum to 3; choose weights that sum to 1"):
        Settings(max_order=2, weights=np.array([1, 2]))
    with pytest.raises(ValueError, match=r"k of smoothing add-k is -1; choose a number above 0"):
        Settings(smoothing="add-k", smoothing_value=np.int64(-1))
    with pytest.raises(ValueError, match=r"max_order is np\.int64\(10\); choose a whole number"):
        Settings(max_order=np.int64(10))
    with pytest.raises(ValueError, match=r"tokenizer is array\(.*choose one of: whitespace"):
        Settings(tokenizer=np.array(["13a", "intl"]))


def test_settings_are_immutable_and_hashable_values():
    settings = Settings(max_order=2, weights=[0.5, 0.5])
    assert settings == Settings(max_order=2, weights=(Fraction(1, 2), 0.5))
    assert len({settings, Settings(max_order=2, weights=(0.5, 0.5)), Settings()}) == 2
    with pytest.raises(FrozenInstanceError):
        settings.max_order = 3


@pytest.mark.parametrize(
    ("choices", "references", "signature"),
    [
        ({"max_order": 3}, 1, "nrefs:1|case:mixed|eff:no|tok:whitespace|smooth:none|order:3"),
        ({"max_order": 3}, None, "nrefs:var|case:mixed|eff:no|tok:whitespace|smooth:none|order:3"),
        ({"max_order": 3}, 0, "case:mixed|eff:no|tok:whitespace|smooth:none|order:3"),
        ({}, 0, "case:mixed|eff:no|tok:none|smooth:none|version:2.6.0"),
        (
            {"lowercase": True, "effective_order": True, "smoothing": "exp", "max_order": 9},
            3,
            "nrefs:3|case:lc|eff:yes|tok:whitespace|smooth:exp|order:9",
        ),
        (
            {"smoothing": "add-k", "smoothing_value": 0.125},
            1,
            "nrefs:1|case:mixed|eff:no|tok:whitespace|smooth:add-k[0.125]|order:4",
        ),
        (
            {"max_order": 2, "weights": (0.7, 0.3), "reference_length": "average"},
            2,
            "nrefs:2|case:mixed|eff:no|tok:whitespace|smooth:none|order:2|weights:0.7,0.3|length:average",
        ),
    ],
)
def test_signature_contains_every_setting(choices, references, signature):
    assert Settings(**choices).signature(references) == signature


@given(any_settings(), any_settings())
def test_signatures_differ_if_settings_differ(left, right):
    left, right = Settings(**left), Settings(**right)
    assert (left == right) == (left.signature(1) == right.signature(1))


@given(st.integers(1, 9).flatmap(any_weights))
def test_order_weights_are_the_weights_passed_in(weights):
    settings = Settings(max_order=len(weights), weights=weights)
    assert settings.order_weights == weights
    assert sum(settings.order_weights) == 1


@given(st.fractions())
def test_exact_fraction_inverts_decimal(number):
    assert exact_fraction("x", decimal(number)) == number


@given(st.floats(-1e299, -1e-299) | st.floats(1e-299, 1e299) | st.just(0.0))
def test_exact_fraction_rounds_to_the_float(number):
    assert float(exact_fraction("x", number)) == number


def test_numbers_of_thousands_of_digits_are_refused_in_words():
    for digits in (700, 4200, 5000):
        weights = ["0." + "1" * digits, "0." + "8" * (digits - 1) + "9"]
        with pytest.raises(ValueError, match=r"choose a number of at most 300 digits$") as error:
            Settings(max_order=2, weights=weights)
        assert len(str(error.value)) <= 300


@pytest.mark.parametrize("sign", ["", "-"])
def test_numbers_of_hundreds_of_digits_are_shortened_in_errors(sign):
    weights = [f"{sign}0.{'3' * 400}"] * 9
    with pytest.raises(ValueError, match="choose") as error:
        Settings(max_order=9, weights=weights)
    assert len(str(error.value)) <= 300
