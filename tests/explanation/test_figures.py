"""Figures: every shape follows from the derivation, and the text alternative agrees."""

import math
import xml.etree.ElementTree as ET
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu import CONVENTIONS, EXAMPLES, derive, explain
from bleu.document.blocks import BarChart, Curve, Figure, Waterfall, WaterfallStep
from bleu.render import svg, text
from bleu.render.numbers import number_text
from tests.support.strategies import segments, settings


def drawings(derivation) -> tuple[BarChart, Curve, Waterfall]:
    """Return the three drawings of a derivation in order."""
    return tuple(figure.drawing for figure in explain(derivation).figures)


@given(segments, settings())
def test_the_bars_add_up_to_the_logarithm_of_the_score(segment, choices):
    derivation = derive(*segment, **choices)
    *_, waterfall = drawings(derivation)
    values = [term.value for term in waterfall.terms]
    if math.inf in map(abs, values):
        assert waterfall.total.value == -math.inf
        assert derivation.score.value == 0
    else:
        assert math.fsum(values) == pytest.approx(waterfall.total.value, rel=1e-12, abs=1e-15)
        assert math.exp(math.fsum(values)) == pytest.approx(derivation.score.value, rel=1e-12)


@given(segments, settings())
def test_columns_show_counts_clipping_and_smoothing(segment, choices):
    derivation = derive(*segment, **choices)
    chart, *_ = drawings(derivation)
    for column, order, used in zip(
        chart.columns, derivation.orders, derivation.score.precisions, strict=True
    ):
        if column.value_text == "left out":
            assert column.value == Fraction(order.matched, order.total or 1)
            continue
        assert column.value + column.added == used
        assert column.value <= Fraction(order.matched, order.total or 1)
        assert 0 <= column.value <= used
        assert column.lost * order.total == order.vanilla - order.matched
        assert column.note == f"{order.matched}/{order.total}"


def test_precision_lowered_by_smoothing_is_drawn_as_smoothed():
    texts = ("a a a a a", ["a a a b a"])
    chart, *_ = drawings(derive(*texts, max_order=3, smoothing="interpolation-last"))
    assert chart.columns[2].value == Fraction(41, 128) < Fraction(1, 3)
    assert chart.columns[2].added == 0


@given(segments, settings())
def test_point_of_the_candidate_lies_on_the_curve(segment, choices):
    derivation = derive(*segment, **choices)
    _, curve, _ = drawings(derivation)
    score = derivation.score
    assert curve.point == (score.hypothesis_length, score.brevity_penalty)
    assert all(0 <= y <= 1 and 0 < x <= curve.end for x, y in curve.points)
    if score.hypothesis_length:
        nearest = min(curve.points, key=lambda point: abs(point[0] - curve.point[0]))
        assert nearest[1] == pytest.approx(curve.point[1], abs=1e-12)
    heights = [y for _, y in curve.points]
    assert heights == sorted(heights)
    selected = [tick for tick in curve.ticks if tick.selected]
    assert [tick.position for tick in selected] == [float(score.reference_length)]


def test_only_ticks_nearest_to_c_are_shown():
    references = [["a"] * length for length in range(1, 40)]
    _, curve, _ = drawings(derive(["a"] * 20, references))
    assert len(curve.ticks) == 8
    assert all(abs(tick.position - 20) <= 4 for tick in curve.ticks)


def test_references_of_equal_length_share_a_tick():
    _, curve, _ = drawings(derive("a b c", ["a", "b", "a b c"]))
    assert curve.ticks[0].label == "1: ref. 1 and ref. 2"


def test_tick_names_at_most_two_references():
    _, curve, _ = drawings(derive("a b c", ["a", "b", "c", "a b c"]))
    assert curve.ticks[0].label == "1: ref. 1 and ref. 2"


def alternative_text(figure: Figure) -> str:
    """Return the text alternative of a figure."""
    return text.spans(figure.alternative.spans)


def test_alternative_of_left_out_order_does_not_mention_smoothing():
    derivation = derive("a", ["a"], max_order=2, smoothing="floor", effective_order=True)
    assert (
        alternative_text(explain(derivation).figures[0])
        == "Columns: p₁ is 1 of 1; there is no 2-gram, left out."
    )


def test_no_line_connects_infinite_bars():
    bars = [WaterfallStep("<a>", -1.0), WaterfallStep("b", -math.inf), WaterfallStep("c", 0.0)]
    markup, _ = svg._waterfall(Waterfall(tuple(bars), WaterfallStep("d", -math.inf)))
    assert markup.count(f'y2="{svg.ROW_HEIGHT + 6}.0"') == 1
    assert f'y1="{svg.ROW_HEIGHT + 20}.0"' not in markup
    assert ">&lt;a&gt;<" in markup


def test_infinite_bar_goes_on_from_the_last_sum_beyond_all_finite_bars():
    bars = [WaterfallStep("a", -1.0), WaterfallStep("b", -math.inf)]
    markup, _ = svg._waterfall(Waterfall(tuple(bars), WaterfallStep("c", -math.inf)))
    tree = ET.fromstring(f"<svg>{markup}</svg>")
    boxes = [(float(bar.attrib["x"]), float(bar.attrib["width"])) for bar in tree.iter("rect")]
    (start, middle), infinite, total = [(left, left + width) for left, width in boxes]
    end = svg.WIDTH - svg.NUMBER_WIDTH
    assert start < middle < end
    assert end - middle > middle - start  # The infinite bar is the longest.
    assert infinite == pytest.approx((middle, end))
    assert total == pytest.approx((start, end))
    tips = [polygon.attrib["points"].partition(",")[0] for polygon in tree.iter("polygon")]
    assert [float(tip) for tip in tips] == [end, end]


@pytest.mark.parametrize("name", CONVENTIONS)
def test_figures_of_every_convention_are_well_formed(name):
    for texts in (("a b c d e", ["a b c d e f"]), ("a", ["b"]), ("", [""]), ("a b", ["a b"])):
        try:
            derivation = derive(*texts, convention=name)
        except ValueError:
            continue
        for figure in explain(derivation).figures:
            ET.fromstring(svg.figure(figure))


def svg_texts(figure: Figure) -> list[str]:
    """Return all text elements of a drawing."""
    return [node.text or "" for node in ET.fromstring(svg.figure(figure)).iter("text")]


@given(segments, settings())
def test_drawings_are_well_formed_and_fit_into_their_box(segment, choices):
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


def test_drawings_show_numbers_of_the_derivation():
    derivation = derive("the cat is on mat", ["the cat is on the mat"])
    columns, curve, waterfall = explain(derivation).figures
    assert {"1", "0.7500", "0.6667", "0.5000", "3/4"} <= set(svg_texts(columns))
    assert "c = 5, BP = 0.8187" in svg_texts(curve)
    assert "r = 6" in svg_texts(curve)
    assert number_text(math.log(3 / 4) / 4) in svg_texts(waterfall)
    assert number_text(math.log(derivation.score.value)) in svg_texts(waterfall)
    assert columns.drawing.columns[1].value == Fraction(3, 4)


@given(st.text(max_size=30))
def test_svg_file_loads_nothing(input_text):
    source = svg.render(explain(derive(input_text, [input_text], max_order=2)))
    assert ET.fromstring(source).tag == "{http://www.w3.org/2000/svg}svg"
    assert "href" not in source
    assert source.count("http") == 1


@pytest.mark.parametrize("name", EXAMPLES)
def test_alternative_states_the_score(name):
    worked = EXAMPLES[name]
    derivation = derive(worked.hypothesis, worked.references, **worked.settings)
    sentence = f"so BLEU is {number_text(derivation.score.value)} on the 0–1 scale."
    assert sentence in alternative_text(explain(derivation).figures[-1])


def test_number_of_a_column_stands_beside_its_hatched_part():
    figure = explain(derive("the the the the", ["the cat"], max_order=1)).figures[0]
    assert figure.drawing.columns[0].lost == Fraction(3, 4)
    tree = ET.fromstring(svg.figure(figure))
    number = next(node for node in tree.iter("text") if node.text == "0.2500")
    bar = next(node for node in tree.iter("rect") if node.get("class") == "counts-fill")
    assert abs(float(bar.attrib["y"]) - float(number.attrib["y"])) < 10
    assert float(number.attrib["x"]) > float(bar.attrib["x"]) + float(bar.attrib["width"])


def test_number_of_a_narrow_column_stands_above_its_hatched_part():
    texts = "the " * 9, ["the cat"]
    tree = ET.fromstring(svg.figure(explain(derive(*texts, max_order=9)).figures[0]))
    number = next(node for node in tree.iter("text") if node.text == "0.1111")
    hatched = next(node for node in tree.iter("rect") if "clipped-line" in node.get("class", ""))
    assert 0 < float(hatched.attrib["y"]) - float(number.attrib["y"]) < 10


def test_label_of_the_point_is_near_its_only_dot():
    for texts in (("a b", ["a b c d"]), ("a b c d", ["a b"]), ("a", ["a b c d e f g h"])):
        derivation = derive(*texts)
        curve = explain(derivation).figures[1]
        tree = ET.fromstring(svg.figure(curve))
        (dot,) = tree.iter("circle")
        labels = point_labels(tree)
        assert "●" not in "".join(svg_texts(curve))
        assert abs(float(dot.attrib["cy"]) - float(labels[-1].attrib["y"])) <= 33
        assert abs(float(dot.attrib["cy"]) - float(labels[0].attrib["y"])) <= 21
        assert float(labels[-1].attrib["y"]) <= svg.BASELINE - 6


def point_labels(tree: ET.Element) -> list[ET.Element]:
    """Return the lines of the label of the point, which gives c and BP."""
    return [node for node in tree.iter("text") if node.text.startswith(("c = ", "BP = "))]


def boxes_of(tree: ET.Element) -> dict[str, tuple[float, float]]:
    """Return the left and right end of each text that begins at its x or ends there."""
    ends = {}
    for node in tree.iter("text"):
        x, width = float(node.attrib["x"]), 0.6 * float(node.attrib["font-size"]) * len(node.text)
        shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[node.attrib["text-anchor"]]
        ends[node.text] = x - shift * width, x + (1 - shift) * width
    return ends


def test_number_beside_hatching_ends_before_the_next_column():
    for max_order in range(2, 10):
        derivation = derive("the the cat " * 4, ["the the cat sat"], max_order=max_order)
        tree = ET.fromstring(svg.figure(explain(derivation).figures[0]))
        bars = [node for node in tree.iter("rect") if node.get("class") == "counts-fill"]
        numbers = [node for node in tree.iter("text") if "halo" in node.get("class", "")]
        for number, following in zip(numbers, bars[1:], strict=False):
            if number.attrib["text-anchor"] == "start":
                assert boxes_of(tree)[number.text][1] <= float(following.attrib["x"])


@pytest.mark.parametrize("r", [2, 3, 5, 8, 9, 13, 20, 50, 100, 200])
@pytest.mark.parametrize("longer", [0, 500])
def test_label_of_the_point_crosses_no_line_and_no_edge(r, longer):
    """Of every length c, with another reference that is `longer`; a line is 9 units high."""
    references = ["a " * r, "a " * (r + longer)][: 1 + bool(longer)]
    for c in sorted({max(1, round(share * r / 20)) for share in range(20)} | {r - 1}):
        tree = ET.fromstring(svg.figure(explain(derive("a " * c, references)).figures[1]))
        pairs = next(tree.iter("polyline")).attrib["points"].split()
        points = [tuple(map(float, pair.split(","))) for pair in pairs]
        [tick] = (node for node in tree.iter("text") if node.text == f"r = {r}")
        line_x = float(tick.attrib["x"])
        for label in point_labels(tree):
            left, right = boxes_of(tree)[label.text]
            baseline = float(label.attrib["y"])
            assert left >= svg.LEFT - 8  # The letters are narrower than `boxes_of` takes them.
            assert right <= svg.WIDTH + 8
            assert 9 <= baseline <= svg.BASELINE
            assert baseline < svg.TOP or right <= line_x or line_x <= left - 2, c
            for (x, y), (next_x, next_y) in pairwise(points):
                is_beside = next_x < left or right < x
                assert is_beside or baseline <= min(y, next_y) or max(y, next_y) <= baseline - 9, c


def test_curve_ends_beyond_the_lengths_that_it_shows():
    for c, lengths in ((3, [4]), (40, [4]), (3, [4, 30]), (0, [0])):
        derivation = derive("a " * c, ["a " * length for length in lengths])
        _, curve, _ = drawings(derivation)
        shown = max(1, c, 1.5 * derivation.score.reference_length, *lengths)
        assert curve.end == pytest.approx(1.15 * shown)
        assert curve.points[-1][0] == curve.end


def test_tiny_precision_is_called_almost_0_and_a_small_one_is_not():
    for value, expected in (("0.00004", "≈ 0"), ("0.00006", "")):  # of one 3-gram
        choices = {"smoothing": "floor", "smoothing_value": value, "max_order": 3}
        columns, _, _ = drawings(derive("a b x", ["a b c"], **choices))
        assert columns.columns[2].value_text == expected


@pytest.mark.parametrize("text_", ["a b c d", "a b c d e"])
def test_bar_above_1_stays_in_its_box(text_):
    figure = explain(derive(text_, [text_], convention="nltk-method5")).figures[0]
    assert max(column.value + column.added for column in figure.drawing.columns) > 1
    bars = [node for node in ET.fromstring(svg.figure(figure)).iter("rect") if "y" in node.attrib]
    assert all(float(node.attrib["y"]) >= svg.TOP - 1e-6 for node in bars)
