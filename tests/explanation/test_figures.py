"""The figures: every mark is a reading of the derivation, and the words say the same."""

import math
import xml.etree.ElementTree as ET
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu import CONVENTIONS, EXAMPLES, derive, explain
from bleu.document.blocks import BarChart, Curve, Figure, Waterfall, WaterfallStep
from bleu.render import svg, text
from bleu.render.numbers import number_text
from tests.support.strategies import segments, settings


def drawn(derivation) -> tuple[BarChart, Curve, Waterfall]:
    """The three drawings of a derivation, in order."""
    return tuple(figure.drawing for figure in explain(derivation).figures)


@given(segments, settings())
def test_the_bars_add_up_to_the_logarithm_of_the_score(segment, choices):
    derivation = derive(*segment, **choices)
    *_, waterfall = drawn(derivation)
    values = [part.value for part in waterfall.parts]
    if math.inf in map(abs, values):
        assert waterfall.total.value == -math.inf
        assert derivation.score.value == 0
    else:
        assert math.fsum(values) == pytest.approx(waterfall.total.value, rel=1e-12, abs=1e-15)
        assert math.exp(math.fsum(values)) == pytest.approx(derivation.score.value, rel=1e-12)


@given(segments, settings())
def test_a_column_is_what_counts_and_what_clipping_and_smoothing_did(segment, choices):
    derivation = derive(*segment, **choices)
    columns, *_ = drawn(derivation)
    for column, order, used in zip(
        columns.columns, derivation.orders, derivation.score.precisions, strict=True
    ):
        if column.value_text == "left out":
            assert column.value == Fraction(order.matched, order.total or 1)
            continue
        assert column.value + column.added == used
        assert column.value <= Fraction(order.matched, order.total or 1)
        assert 0 <= column.value <= used
        assert column.lost * order.total == order.vanilla - order.matched
        assert column.note == f"{order.matched}/{order.total}"


def test_what_smoothing_takes_away_is_not_drawn_as_counted():
    columns, *_ = drawn(derive("a a a a a", ["a a a b a"], max_order=3, smoothing="interpolation"))
    assert columns.columns[2].value == Fraction(41, 128) < Fraction(1, 3)
    assert columns.columns[2].added == 0


@given(segments, settings())
def test_the_readers_point_lies_on_the_curve(segment, choices):
    derivation = derive(*segment, **choices)
    _, curve, _ = drawn(derivation)
    score = derivation.score
    assert curve.point == (score.hypothesis_length, score.brevity_penalty)
    assert all(0 <= y <= 1 and 0 < x <= curve.end for x, y in curve.points)
    if score.hypothesis_length:
        near = min(curve.points, key=lambda point: abs(point[0] - curve.point[0]))
        assert near[1] == pytest.approx(curve.point[1], abs=1e-12)
    heights = [y for _, y in curve.points]
    assert heights == sorted(heights)
    chosen = [mark for mark in curve.ticks if mark.selected]
    assert [mark.position for mark in chosen] == [float(score.reference_length)]


def test_many_references_are_marked_where_they_matter():
    references = [["a"] * length for length in range(1, 40)]
    _, curve, _ = drawn(derive(["a"] * 20, references))
    assert len(curve.ticks) == 8
    assert all(abs(mark.position - 20) <= 4 for mark in curve.ticks)


def test_references_of_one_length_share_a_mark():
    _, curve, _ = drawn(derive("a b c", ["a", "b", "a b c"]))
    assert curve.ticks[0].label == "1: ref. 1 and ref. 2"


def test_an_order_that_is_left_out_is_not_called_smoothed():
    derivation = derive("a", ["a"], max_order=2, smoothing="floor", effective_order=True)
    told = "".join(map(text.span, explain(derivation).figures[0].alternative.spans))
    assert told == "Columns: p₁ is 1 of 1; there is no 2-gram, left out."


def test_nothing_is_joined_beyond_what_has_no_end():
    bars = [WaterfallStep("<a>", -1.0), WaterfallStep("b", -math.inf), WaterfallStep("c", 0.0)]
    drawing = Waterfall(tuple(bars), WaterfallStep("d", -math.inf))
    assert svg._waterfall(drawing)[0].count('y2="36.0"') == 1
    assert 'y1="50.0"' not in svg._waterfall(drawing)[0]
    assert ">&lt;a&gt;<" in svg._waterfall(drawing)[0]


@pytest.mark.parametrize("name", CONVENTIONS)
def test_every_convention_can_be_drawn(name):
    for texts in (("a b c d e", ["a b c d e f"]), ("a", ["b"]), ("", [""]), ("a b", ["a b"])):
        try:
            derivation = derive(*texts, convention=name)
        except ValueError:
            continue
        for figure in explain(derivation).figures:
            ET.fromstring(svg.figure(figure))


def numbers_in(figure: Figure) -> list[str]:
    """Every text of a drawing."""
    return [node.text or "" for node in ET.fromstring(svg.figure(figure)).iter("text")]


@given(segments, settings())
def test_the_drawings_are_well_formed_and_stay_in_their_boxes(segment, choices):
    for figure in explain(derive(*segment, **choices)).figures:
        tree = ET.fromstring(svg.figure(figure))
        _, _, width, height = map(float, tree.attrib["viewBox"].split())
        for node in tree.iter("rect"):
            if "x" in node.attrib:
                x, y = float(node.attrib["x"]), float(node.attrib["y"])
                assert -1 <= x <= x + float(node.attrib["width"]) <= width + 1
                assert -1 <= y <= y + float(node.attrib["height"]) <= height + 1
        for node in tree.iter("text"):
            assert 0 <= float(node.attrib["x"]) <= width
            assert 0 <= float(node.attrib["y"]) <= height


def test_the_drawings_show_the_numbers_of_the_derivation():
    derivation = derive("the cat is on mat", ["the cat is on the mat"])
    columns, curve, waterfall = explain(derivation).figures
    assert {"1", "0.7500", "0.6667", "0.5000", "3/4"} <= set(numbers_in(columns))
    assert "c = 5, BP = 0.8187" in numbers_in(curve)
    assert "r = 6" in numbers_in(curve)
    assert number_text(math.log(3 / 4) / 4) in numbers_in(waterfall)
    assert number_text(math.log(derivation.score.value)) in numbers_in(waterfall)
    assert columns.drawing.columns[1].value == Fraction(3, 4)


@given(st.text(max_size=30))
def test_a_picture_is_one_whole_file_that_loads_nothing(words):
    document = explain(derive(words, [words], max_order=2))
    picture = svg.render(document)
    tree = ET.fromstring(picture)
    assert tree.tag == "{http://www.w3.org/2000/svg}svg"
    assert "href" not in picture
    assert picture.count("http") == 1


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_alternative_tells_the_score(name):
    one = EXAMPLES[name]
    derivation = derive(one.hypothesis, one.references, **one.settings)
    told = "".join(map(text.span, explain(derivation).figures[-1].alternative.spans))
    assert f"so BLEU is {number_text(derivation.score.value)} on the 0–1 scale." in told


def test_a_column_carries_its_number_at_its_own_height():
    columns = explain(derive("the the the the", ["the cat"], max_order=1)).figures[0]
    assert columns.drawing.columns[0].lost == Fraction(3, 4)
    tree = ET.fromstring(svg.figure(columns))
    number = next(node for node in tree.iter("text") if node.text == "0.2500")
    bar = next(node for node in tree.iter("rect") if node.get("class") == "counts-fill")
    assert 0 < float(bar.attrib["y"]) - float(number.attrib["y"]) < 10


def test_the_point_carries_its_label_and_no_other_dot_is_drawn():
    for texts in (("a b", ["a b c d"]), ("a b c d", ["a b"]), ("a", ["a b c d e f g h"])):
        derivation = derive(*texts)
        curve = explain(derivation).figures[1]
        tree = ET.fromstring(svg.figure(curve))
        (dot,) = tree.iter("circle")
        (label,) = (node for node in tree.iter("text") if node.text.startswith("c = "))
        assert "●" not in "".join(numbers_in(curve))
        assert abs(float(dot.attrib["cy"]) - float(label.attrib["y"])) <= 20
