"""Figures as SVG, coloured by the style sheet of the page, or as standalone pictures."""

import math
from collections.abc import Iterator
from fractions import Fraction
from html import escape
from typing import Final, assert_never

from bleu.document.blocks import BarChart, Column, Curve, Document, Figure, Waterfall
from bleu.render import text
from bleu.render.numbers import both_scales, number_text

WIDTH: Final = 360
"""The width of every drawing, in SVG units, which are about pixels on a phone."""
LABEL_WIDTH: Final = 76
"""The space for labels at the left of a waterfall."""
NUMBER_WIDTH: Final = 78
"""The space for numbers at the right of a waterfall."""
ROW_HEIGHT: Final = 22
"""The height of one bar of a waterfall."""
CHART_HEIGHT: Final = 175
"""The height of bar charts and curves, with their axis labels."""
BASELINE: Final = 130
"""The y coordinate of the value 0 in bar charts and curves."""
TOP: Final = 22
"""The y coordinate of the largest value in bar charts and curves."""
LEFT: Final = 30
"""The x coordinate of the vertical axis of bar charts and curves."""
LETTER_WIDTH: Final = 7.5
"""The width of a letter of a label in a wide font, on average."""
SIGNATURE_CHARACTERS: Final = 62
"""The number of characters of the signature that fit into one line."""

COLOURS: Final = {
    "ink": "#171a21",
    "soft": "#565d6a",
    "line": "#d8dbe1",
    "counts": "#0b37b4",
    "clipped": "#994700",
    "added": "#0b37b4",
    "halo": "#fff",
}
"""The colours of a standalone picture; on the page, the style sheet overrides them by class."""


def figure(content: Figure) -> str:
    """Render one figure as an SVG element with its text alternative.

    >>> from bleu import derive, explain
    >>> elements = [figure(content) for content in explain(derive("a b", ["a b c"])).figures]
    >>> all(element.startswith("<svg ") and element.endswith("</svg>") for element in elements)
    True
    """
    shapes, height = drawing(content)
    name = content.name
    alternative, caption = text.spans(content.alternative.spans), text.span(content.caption)
    return (
        f'<svg class="drawing" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-labelledby="{name}-title" direction="ltr" font-family="sans-serif" '
        f'font-size="13"><title id="{name}-title">{escape(caption)}</title>'
        f"<desc>{escape(alternative)}</desc>{shapes}</svg>"
    )


def render(document: Document) -> str:
    """Render the score, the signature and all figures, from top to bottom, as an SVG file.

    >>> from bleu import derive, explain
    >>> render(explain(derive("a b", ["a b c"]))).count("<svg ")
    4
    """
    summary = document.summary
    score_100, score_1 = both_scales(summary.value)
    parts = [
        _text(0, 24, f"{summary.name} = {score_100}", "ink", size=20),
        _text(0, 46, f"{score_1} on the 0–1 scale", "soft"),
    ]
    y = 66
    for start in range(0, len(summary.signature), SIGNATURE_CHARACTERS):
        line = summary.signature[start : start + SIGNATURE_CHARACTERS]
        parts.append(_text(0, y, line, "soft", size=10))
        y += 14
    y += 24
    for content in document.figures:
        height = drawing(content)[1]
        parts.append(_text(0, y, content.caption, "ink", size=15))
        box = f'<svg y="{y + 8}" width="{WIDTH}" height="{height}" '
        parts.append(figure(content).replace("<svg ", box, 1))
        y += height + 44
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-20 -12 {WIDTH + 40} {y}" '
        f'width="{2 * WIDTH + 80}" direction="ltr" font-family="sans-serif" font-size="13">'
        f'<rect x="-20" y="-12" width="{WIDTH + 40}" height="{y}" fill="#fff"/>'
        f"{''.join(parts)}</svg>\n"
    )


def drawing(content: Figure) -> tuple[str, int]:
    """Return the shapes of a figure as markup, and its height."""
    match content.drawing:
        case Waterfall() as chart:
            return _waterfall(chart)
        case BarChart() as chart:
            return _bar_chart(chart, content.name), CHART_HEIGHT
        case Curve() as chart:
            return _curve(chart), CHART_HEIGHT
        case _:
            assert_never(content.drawing)


def _waterfall(chart: Waterfall) -> tuple[str, int]:
    finite = [term.value for term in chart.terms if math.isfinite(term.value)]
    sums = [sum(finite[: count + 1]) for count in range(len(finite))]
    low, high = min([0.0, *sums]), max([0.0, *sums])
    full_width = WIDTH - LABEL_WIDTH - NUMBER_WIDTH
    width = full_width * 0.35 if len(finite) < len(chart.terms) else full_width

    def x_of(value: float) -> float:
        if math.isinf(value):
            return LABEL_WIDTH + full_width
        return LABEL_WIDTH + (width * (high - value) / (high - low) if high > low else 0.0)

    shapes = [_line(x_of(0), 0, x_of(0), ROW_HEIGHT * (len(chart.terms) + 1), "line")]
    subtotal = 0.0
    for row, term in enumerate(chart.terms):
        y = ROW_HEIGHT * row
        end = subtotal + term.value
        shapes += _bar(term.label, term.value, x_of(subtotal), x_of(end), y, "counts")
        subtotal = end
        if row + 1 < len(chart.terms) and math.isfinite(subtotal):
            x = x_of(subtotal)
            shapes.append(_line(x, y + 20, x, y + ROW_HEIGHT + 6, "line"))
    y = ROW_HEIGHT * len(chart.terms)
    shapes.append(_line(0, y, WIDTH, y, "soft"))
    total = chart.total
    shapes += _bar(total.label, total.value, x_of(0), x_of(total.value), y + 3, "ink")
    return "".join(shapes), y + ROW_HEIGHT + 4


def _bar(
    label: str, value: float, start: float, end: float, y: float, colour: str
) -> Iterator[str]:
    yield _text(0, y + 18, label, "ink")
    if start != end:
        yield _rect(min(start, end), y + 6, abs(end - start), 15, _fill(colour))
    else:
        yield _line(start, y + 4, start, y + 23, colour)
    if math.isinf(value):
        tip = f"{end:.1f},{y + 2:.1f} {end + 9:.1f},{y + 13.5:.1f} {end:.1f},{y + 25:.1f}"
        yield f'<polygon points="{tip}" {_fill(colour)}/>'
    yield _text(WIDTH, y + 18, number_text(value), colour, "end")


def _bar_chart(chart: BarChart, name: str) -> str:
    largest = max([1.0, *(float(column.value + column.added) for column in chart.columns)])
    step = (WIDTH - LEFT) / len(chart.columns)
    size = 12 if len(chart.columns) <= 6 else 9
    hatch = f"{name}-hatch"
    shapes = [
        f'<defs><pattern id="{hatch}" width="6" height="6" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(45)"><rect class="clipped-fill" width="2.2" height="6" '
        f'fill="{COLOURS["clipped"]}"/></pattern></defs>'
    ]
    for value in (0.0, 0.5, 1.0):
        y = BASELINE - _height(value, largest)
        shapes.append(_line(LEFT, y, WIDTH, y, "line"))
        shapes.append(_text(LEFT - 6, y + 4, f"{value:.2g}", "soft", "end", 11))
    for index, column in enumerate(chart.columns):
        middle = LEFT + step * (index + 0.5)
        shapes += _column(column, middle, step, largest, hatch, size)
    return "".join(shapes)


def _height(value: Fraction | float, largest: float) -> float:
    return (BASELINE - TOP) * float(value) / largest


def _column(
    column: Column, middle: float, step: float, largest: float, hatch: str, size: int
) -> Iterator[str]:
    """Yield the shapes of a column; `largest` is the value at the top of the chart."""
    width = min(44.0, step * 0.6)
    gap = step - width
    x = middle - width / 2
    values = (column.value, column.lost, column.added)
    counted, lost, added = (_height(value, largest) for value in values)
    yield '<g class="column">'
    yield _rect(x, BASELINE - counted, width, counted, _fill("counts"))
    if column.lost:
        style = f'fill="url(#{hatch})" stroke="{COLOURS["clipped"]}" class="clipped-line"'
        yield _rect(x, BASELINE - counted - lost, width, lost, style)
    if column.added:
        edge = f'stroke="{COLOURS["added"]}" stroke-dasharray="3 2" class="added-line"'
        yield _rect(x, BASELINE - counted - added, width, added, f'fill="none" {edge}')
    value_text = column.value_text or number_text(column.value + column.added)
    top = BASELINE - counted - added
    if not column.lost:
        yield _text(middle, top - 6, value_text, "ink", "middle", size, halo=True)
    elif gap >= len(value_text) * size * 0.6:  # Beside the hatching, no line crosses the number.
        yield _text(x + width + 5, top + 4, value_text, "ink", "start", size, halo=True)
    else:
        yield _text(middle, top - lost - 6, value_text, "ink", "middle", size, halo=True)
    if column.label:
        yield _text(middle, BASELINE + 18, column.label, "ink", "middle")
    if column.note:
        yield _text(middle, BASELINE + 35, column.note, "soft", "middle", 11)
    yield "</g>"


def _curve(chart: Curve) -> str:
    shapes = []
    scale = 100 if chart.in_percent else 1
    for value in (0.0, 0.5, 1.0):
        _, y = _point(chart, 0, value)
        shapes.append(_line(LEFT, y, WIDTH, y, "line"))
        shapes.append(_text(LEFT - 6, y + 4, f"{scale * value:.3g}", "soft", "end", 11))
    has_selected = any(tick.selected for tick in chart.ticks)
    for tick in chart.ticks:
        x, _ = _point(chart, tick.position, 0)
        colour = "ink" if tick.selected else "soft"
        top = TOP if tick.selected else BASELINE
        shapes.append(_line(x, top, x, BASELINE + 5, colour, dashed=tick.selected))
        if tick.label:
            y = BASELINE + 18 + 15 * (has_selected and not tick.selected)
            shapes.append(_text(x, y, tick.label, colour, "middle"))
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in (_point(chart, *p) for p in chart.points))
    shapes.append(
        f'<polyline points="{points}" fill="none" stroke="{COLOURS["counts"]}" stroke-width="2.5" '
        'class="counts-line"/>'
    )
    x, y = _point(chart, *chart.point)
    shapes.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6" {_fill("counts")}/>')
    shapes.append(_line(x, y, x, BASELINE, "counts", dashed=True))
    shapes.append(_point_label(chart))
    return "".join(shapes)


def _point(chart: Curve, x: float, y: float) -> tuple[float, float]:
    """Return the SVG coordinates of the point (x, y) of a curve."""
    return LEFT + (WIDTH - LEFT - 8) * x / chart.end, BASELINE - (BASELINE - TOP) * y


def _point_label(chart: Curve) -> str:
    """Render the label of the curve's point so that it does not cross the curve."""
    x_text, y_text = map(number_text, chart.point)
    if chart.in_percent:
        y_text = f"{100 * chart.point[1]:.0f} %"
    pairs = zip(chart.axis_labels, (x_text, y_text), strict=True)
    parts = [f"{name} = {value}" for name, value in pairs]
    label = ", ".join(parts)
    width = LETTER_WIDTH * len(label)
    x, y = _point(chart, *chart.point)
    if chart.point[1] == 1:  # The label fits above the curve, which is level there.
        x = min(max(x, LEFT + width / 2), WIDTH - width / 2)
        return _text(x, y - 10, label, "counts", "middle", halo=True)
    if x - 8 - width >= LEFT:  # To the left, the curve is lower than the point.
        return _text(x - 8, y - 6, label, "counts", "end", halo=True)
    # To the right, the curve is higher; in two lines, the label fits beside the line of a tick.
    first, last = min(y + 17, BASELINE - 21), min(y + 32, BASELINE - 6)
    curve = (_point(chart, *point) for point in chart.points)
    left = max(x, next((x for x, y in curve if y <= first - 12), x)) + 10
    right = left + LETTER_WIDTH * max(map(len, parts))
    for tick in chart.ticks:
        line_x, _ = _point(chart, tick.position, 0)
        if tick.selected and left - 8 < line_x < right + 8:
            left = line_x + 8
    lines = (first, f"{parts[0]},"), (last, parts[1])
    return "".join(_text(left, y, line, "counts", halo=True) for y, line in lines)


def _fill(colour: str) -> str:
    return f'fill="{COLOURS[colour]}" class="{colour}-fill"'


def _rect(x: float, y: float, width: float, height: float, style: str) -> str:
    box = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f"<rect {box} {style}/>"


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, *, dashed: bool = False) -> str:
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    dash = ' stroke-dasharray="2 3"' if dashed else ""
    return f'<line {ends} stroke="{COLOURS[colour]}" class="{colour}-line"{dash}/>'


def _text(
    x: float,
    y: float,
    content: str,
    colour: str,
    anchor: str = "start",
    size: int = 13,
    *,
    halo: bool = False,
) -> str:
    """Render text; a `halo` separates it from lines behind it."""
    attributes = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"'
    fill = _fill(colour)
    if halo:
        attributes += f' stroke="{COLOURS["halo"]}" stroke-width="4" paint-order="stroke"'
        fill = fill.replace('class="', 'class="halo ')
    return f"<text {attributes} {fill}>{escape(text.span(content))}</text>"
