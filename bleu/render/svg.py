"""The figures as SVG: drawn for the page's colours, and whole in themselves as a picture."""

import math
from html import escape
from typing import Final, assert_never

from bleu.document.blocks import BarChart, Curve, Document, Figure, Summary, Waterfall
from bleu.render import text
from bleu.render.numbers import both_scales, number_text

WIDTH: Final = 360
"""Of every drawing, in units that are pixels on a phone."""
LABEL: Final = 76
END: Final = 78
"""Room for the names at the left of a waterfall, and for the numbers at its right."""
ROW: Final = 30
TALL: Final = 210
BASE: Final = 165
TOP: Final = 22
LEFT: Final = 30

COLOURS: Final = {
    "paper": "#fff",
    "ink": "#171a21",
    "soft": "#565d6a",
    "line": "#d8dbe1",
    "counts": "#0b37b4",
    "clipped": "#994700",
    "added": "#0b37b4",
}
"""What a picture has by itself; on the page, the style sheet has the last word by class."""


def figure(content: Figure) -> str:
    """One figure as an SVG element with its text alternative.

    >>> from bleu import derive, explain
    >>> drawn = [figure(one) for one in explain(derive("a b", ["a b c"])).figures]
    >>> all(one.startswith("<svg ") and one.endswith("</svg>") for one in drawn)
    True
    """
    marks, height = drawing(content)
    name = content.name
    told = "".join(map(text.span, content.alternative.spans))
    return (
        f'<svg class="drawing" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-labelledby="{name}-title {name}-text" font-family="sans-serif" font-size="13">'
        f'<title id="{name}-title">{escape(content.caption)}</title>'
        f'<desc id="{name}-text">{escape(told)}</desc>{marks}</svg>'
    )


def render(document: Document) -> str:
    """The figures one below the other, under the score and its signature, as an SVG file.

    >>> from bleu import derive, explain
    >>> render(explain(derive("a b", ["a b c"]))).count("<svg ")
    4
    """
    summary = document.summary
    hundred, one = both_scales(summary.value)
    parts = [
        _text(0, 24, f"{summary.name} = {hundred}", "ink", size=20),
        _text(0, 46, f"{one} on the 0–1 scale", "soft"),
    ]
    parts += [_text(0, 66 + 14 * i, line, "soft", size=10) for i, line in enumerate(_cut(summary))]
    below = 90 + 14 * len(_cut(summary))
    for content in document.figures:
        height = drawing(content)[1]
        parts.append(_text(0, below, content.caption, "ink", size=15))
        place = f'<svg y="{below + 8}" width="{WIDTH}" height="{height}" '
        parts.append(figure(content).replace("<svg ", place, 1))
        below += height + 44
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-20 -12 {WIDTH + 40} {below}" '
        f'width="{2 * WIDTH + 80}" font-family="sans-serif" font-size="13">'
        f'<rect x="-20" y="-12" width="{WIDTH + 40}" height="{below}" fill="#fff"/>'
        f"{''.join(parts)}</svg>\n"
    )


def drawing(content: Figure) -> tuple[str, int]:
    """The marks of a figure, and its height."""
    match content.drawing:
        case Waterfall() as shape:
            return _waterfall(shape)
        case BarChart() as shape:
            return _columns(shape, content.name), TALL
        case Curve() as shape:
            return _curve(shape), TALL
        case _:
            assert_never(content.drawing)


def _waterfall(shape: Waterfall) -> tuple[str, int]:
    finite = [part.value for part in shape.parts if math.isfinite(part.value)]
    sums = [sum(finite[: count + 1]) for count in range(len(finite))]
    low, high = min([0.0, *sums]), max([0.0, *sums])
    endless = len(finite) < len(shape.parts)
    room = WIDTH - LABEL - END
    width = room * 0.8 if endless else room

    def across(value: float) -> float:
        if math.isinf(value):
            return LABEL + room
        return LABEL + (width * (high - value) / (high - low) if high > low else 0.0)

    parts = [_line(across(0), 0, across(0), ROW * (len(shape.parts) + 1), "line")]
    at = 0.0
    for row, part in enumerate(shape.parts):
        y = ROW * row
        parts += _bar(part.label, part.value, across(at), across(at + part.value), y, "counts")
        at += part.value
        if row + 1 < len(shape.parts) and math.isfinite(at):
            parts.append(_line(across(at), y + 20, across(at), y + ROW + 6, "line"))
    y = ROW * len(shape.parts)
    parts.append(_line(0, y, WIDTH, y, "soft"))
    total = shape.total
    parts += _bar(total.label, total.value, across(0), across(total.value), y + 3, "ink")
    return "".join(parts), y + ROW + 4


def _bar(label: str, value: float, start: float, end: float, y: float, colour: str) -> list[str]:
    left, width = min(start, end), abs(end - start)
    shown = [_text(0, y + 18, label, "ink")]
    if width:
        shown.append(_rect(left, y + 6, width, 15, colour))
    else:
        shown.append(_line(start, y + 4, start, y + 23, colour))
    if math.isinf(value):
        tip = f"{end:.1f},{y + 2:.1f} {end + 9:.1f},{y + 13.5:.1f} {end:.1f},{y + 25:.1f}"
        shown.append(f'<polygon points="{tip}" {_fill(colour)}/>')
    shown.append(_text(WIDTH, y + 18, number_text(value), colour, anchor="end"))
    return shown


def _columns(shape: BarChart, name: str) -> str:
    tallest = max([shape.end, *(float(one.value + one.added) for one in shape.columns)])
    right = WIDTH - 12 if shape.bin_edges else WIDTH  # room for half of the last border's name
    step = (right - LEFT) / len(shape.columns)
    wide = min(44.0, step * 0.6)
    high = BASE - TOP
    size = 12 if len(shape.columns) <= 6 else 9
    hatch = f"{name}-hatch"
    parts = [
        f'<defs><pattern id="{hatch}" width="6" height="6" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(45)"><rect class="clipped-fill" width="2.2" height="6" '
        f'fill="{COLOURS["clipped"]}"/></pattern></defs>'
    ]
    for value in (0.0, shape.end / 2, shape.end):
        y = BASE - high * value / tallest
        parts.append(_line(LEFT, y, WIDTH, y, "line"))
        named = f"{value * shape.scale_max:,.0f}" if shape.bin_edges else f"{value:.2g}"
        letters = min(11, 46 // len(named))  # so that five digits stand within the drawing, too
        parts.append(_text(LEFT - 6, y + 4, named, "soft", anchor="end", size=letters))
    for place, border in enumerate(shape.bin_edges):
        x = LEFT + step * place
        parts.append(_line(x, BASE, x, BASE + 5, "line"))
        parts.append(_text(x, BASE + 18, border, "ink", anchor="middle", size=11))
    for place, one in enumerate(shape.columns):
        middle = LEFT + step * (place + 0.5)
        x = middle - wide / 2
        counted, lost, added = (
            high * float(share) / tallest for share in (one.value, one.lost, one.added)
        )
        parts += ['<g class="column">', _rect(x, BASE - counted, wide, counted, "counts")]
        if one.lost:
            box = f'x="{x:.1f}" y="{BASE - counted - lost:.1f}" width="{wide:.1f}"'
            edge = f'stroke="{COLOURS["clipped"]}" class="clipped-line"'
            parts.append(f'<rect {box} height="{lost:.1f}" fill="url(#{hatch})" {edge}/>')
        if one.added:
            box = f'x="{x:.1f}" y="{BASE - counted - added:.1f}" width="{wide:.1f}"'
            edge = f'stroke="{COLOURS["added"]}" stroke-dasharray="3 2" class="added-line"'
            parts.append(f'<rect {box} height="{added:.1f}" fill="none" {edge}/>')
        words = one.value_text or number_text(one.value + one.added)
        y = BASE - counted - added - 6
        parts.append(_text(middle, y, words, "ink", anchor="middle", size=size, halo=True))
        if one.label:
            parts.append(_text(middle, BASE + 18, one.label, "ink", anchor="middle"))
        if one.note:
            parts.append(_text(middle, BASE + 35, one.note, "soft", anchor="middle", size=11))
        parts.append("</g>")
    return "".join(parts)


def _curve(shape: Curve) -> str:
    high = BASE - TOP

    def at(x: float, y: float) -> tuple[float, float]:
        return LEFT + (WIDTH - LEFT - 8) * x / shape.end, BASE - high * y

    parts = []
    for value in (0.0, 0.5, 1.0):
        y = at(0, value)[1]
        parts.append(_line(LEFT, y, WIDTH, y, "line"))
        parts.append(_text(LEFT - 6, y + 4, f"{value:.2g}", "soft", anchor="end", size=11))
    for row, mark in enumerate(shape.ticks):
        x = at(mark.position, 0)[0]
        colour = "ink" if mark.selected else "soft"
        parts.append(
            _line(x, BASE - (high if mark.selected else 6), x, BASE + 5, colour, dashed=True)
        )
        if mark.selected or row < 1:
            parts.append(
                _text(x, BASE + 18 + 15 * (not mark.selected), mark.label, colour, "middle")
            )
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(*point) for point in shape.points))
    parts.append(
        f'<polyline points="{line}" fill="none" stroke="{COLOURS["counts"]}" stroke-width="2.5" '
        'class="counts-line"/>'
    )
    x, y = at(*shape.point)
    parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6" {_fill("counts")}/>')
    parts.append(_line(x, y, x, BASE, "counts", dashed=True))
    names = zip(shape.axis_labels, shape.point, strict=True)
    label = ", ".join(f"{name} = {number_text(value)}" for name, value in names)
    wide = 7.5 * len(label)
    if shape.point[1] == 1:  # above the curve, which is level here
        place = min(max(x, LEFT + wide / 2), WIDTH - wide / 2), y - 10, "middle"
    else:  # below the curve, which rises to the right
        down = min(y + 17, BASE - 6)
        above = (at(*point)[0] for point in shape.points if at(*point)[1] <= down - 12)
        right = max(x, next(above, x)) + 10
        level = next((at(mark.position, 0)[0] for mark in shape.ticks if mark.selected), right)
        if right < level < right + wide and level + 8 + wide <= WIDTH:
            right = level + 8  # beside the line of the length that counts, not across it
        place = max(LEFT, min(right, WIDTH - wide)), down, "start"
    parts.append(_text(place[0], place[1], label, "counts", place[2], halo=True))
    return "".join(parts)


def _cut(summary: Summary) -> list[str]:
    signature = summary.signature
    return [signature[start : start + 62] for start in range(0, len(signature), 62)]


def _fill(colour: str) -> str:
    return f'fill="{COLOURS[colour]}" class="{colour}-fill"'


def _rect(x: float, y: float, width: float, height: float, colour: str) -> str:
    box = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
    return f"<rect {box} {_fill(colour)}/>"


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, *, dashed: bool = False) -> str:
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    dash = ' stroke-dasharray="2 3"' if dashed else ""
    return f'<line {ends} stroke="{COLOURS[colour]}" class="{colour}-line"{dash}/>'


def _text(
    x: float,
    y: float,
    words: str,
    colour: str,
    anchor: str = "start",
    size: int = 13,
    *,
    halo: bool = False,
) -> str:
    """Words at a place; with a halo, lines behind them keep off."""
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"'
    if halo:
        place += ' stroke="#fff" stroke-width="4" paint-order="stroke"'
        filled = _fill(colour).replace('class="', 'class="halo ')
        return f"<text {place} {filled}>{escape(words)}</text>"
    return f"<text {place} {_fill(colour)}>{escape(words)}</text>"
