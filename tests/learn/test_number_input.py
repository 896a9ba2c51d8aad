import math
from fractions import Fraction

import pytest

from bleu.learn.number_input import UnclearNumberError, format_number, parse_number


@pytest.mark.parametrize(
    "text",
    ["3/4", " 0.75 ", "0,75", "75 %", "75%", ".75", "6/8", "1-1/4", "1 − 1/4",
     "√(9/16)", "sqrt(0.5625)",
     "(3/4)", "3 : 4", "1,5/2", "2^-1 + 1/4",
     "０．７５", "٠٫٧٥", "۷۵٪", "７５％", "３／４", "3·(1/4)", "3(1/4)", "3/4^1",
     "7.5e-1", "0.7(5)-0.00(5)", "= 3/4", "≈ 0.75", "3/4 = 0.75", "¾", "½ + ¼", "3⁄4",
     "\\sqrt{9/16}", "{3}/{4}", "∛(27/64)", "~.75", "(9/16)**0.5"],
)  # fmt: skip
def test_notations_of_the_same_number(text):
    assert float(parse_number(text).value) == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("text", "value"),
    [("exp(-1/5)", math.exp(-0.2)), ("e^(−1/5)", math.exp(-0.2)), ("e^-0.2", math.exp(-0.2)),
     ("(√2)/2", math.sqrt(0.5)), ("e^{-1/4}", math.exp(-0.25)),
     ("√(3/8)", math.sqrt(3 / 8)), ("sqrt(3/8)", math.sqrt(3 / 8)), ("0.(3)", 1 / 3),
     ("(1/2)^(1/3)", 0.5 ** (1 / 3)), ("1/2 · exp(−1/8)", math.exp(-1 / 8) / 2), ("e", math.e)],
)  # fmt: skip
def test_roots_and_powers_of_e(text, value):
    assert float(parse_number(text).value) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    ("text", "value", "near"),
    [("0.67", Fraction(2, 3), True), ("0.66", Fraction(2, 3), False),
     ("0.7", Fraction(2, 3), True), ("67 %", Fraction(2, 3), True),
     ("66.7%", Fraction(2, 3), True), ("66.6%", Fraction(2, 3), False),
     ("1", Fraction(2, 3), False), ("0.5", Fraction(11, 20), True), ("0,82", math.exp(-0.2), True),
     ("3/4", Fraction(3, 4) + Fraction(1, 1000), False)],
)  # fmt: skip
def test_decimal_is_near_within_half_a_unit_of_its_last_digit(text, value, near):
    assert parse_number(text).is_near(value) is near


def test_expression_with_decimals_has_a_tiny_tolerance():
    assert parse_number("0.3333333 + 0.3333333").is_near(Fraction(2, 3))
    assert not parse_number("0.333 + 0.333").is_near(Fraction(2, 3))
    assert parse_number("1/3 + 1/3").tolerance == 0


@pytest.mark.parametrize(
    "text",
    ["", "  ", "abc", "3/", "1/0", "(1", "1)", "--", "0.7.5", "9" * 90, "10^99", "√(-1)",
     "3 4 x", "3 4",
     "exp(1000)", "(" * 70, "1e9", "1e99999999", "1½", "1 ½", "3/4 = 0.74", "=",
     "__import__('os')", "0^-1", "%", "e^e^e^e^e"],
)  # fmt: skip
def test_text_that_is_not_a_number_is_an_error(text):
    with pytest.raises(ValueError, match="is not a number"):
        parse_number(text)


@pytest.mark.parametrize("text", ["√3/8", "√ 3/8", "sqrt 3/8", "e^-1/4", "exp -1/4", "√2/2"])
def test_number_that_can_be_read_in_two_ways_is_an_error_with_examples(text):
    with pytest.raises(UnclearNumberError, match=r"two ways; add brackets, as in √\(3/8\)"):
        parse_number(text)


@pytest.mark.parametrize(
    "value",
    [Fraction(3, 4), Fraction(0), 0.0, 1.0, Fraction(-1, 3), math.sqrt(3 / 8), math.exp(-1 / 5),
     math.exp(2 / 7), 0.123456, math.sqrt(2), (3 / 20) ** (1 / 3), (1 / 1680) ** 0.25],
)  # fmt: skip
def test_formatted_number_can_be_parsed(value):
    assert parse_number(format_number(value)).is_near(value)
