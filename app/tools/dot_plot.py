"""A dot plot as HTML: a drawing for each row, as wide as the page, on one axis from 0 to 100."""

from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import Final

from bleu.document.blocks import Dot, DotPlot
from bleu.render.numbers import score_text

TICKS: Final = range(0, 101, 20)
"""The positions of the lines and labels of the axis."""
DIAMETER: Final = 11
"""The diameter of a dot, and the distance of stacked ones, in pixels."""
CLOSE: Final = 0.013
"""The distance in [0, 1] below which two dots are stacked: a diameter on a wide screen."""
LABEL_HEIGHT: Final = 20
"""The height of a line of labels, in pixels."""


def dot_plot(plot: DotPlot) -> str:
    """Return a dot plot, which screen readers hear as its text alternative.

    Dots closer than `CLOSE` are stacked. Pointing at a dot shows its name and its value.
    """
    marked = plot.marked
    head = _row("", LABEL_HEIGHT, _text(marked, LABEL_HEIGHT - 5, "counts-fill"))
    ticks = (
        f'<text x="{_x(tick / 100)}" y="15" text-anchor="middle" class="soft-fill">{tick}</text>'
        for tick in TICKS
    )
    foot = _row("", LABEL_HEIGHT, "".join(ticks))
    rows = "".join(_dots(title, dots, marked) for title, dots in plot.rows)
    label = escape(plot.alternative)
    return f'<div class="dots" role="img" aria-label="{label}">{head}{rows}{foot}</div>'


def levels(values: Sequence[float]) -> list[int]:
    """Return the level of each dot, so that no two dots of a level are closer than `CLOSE`.

    >>> levels([0.0, 0.31, 0.0, 0.0, 0.32])
    [0, 0, 1, 2, 1]
    """
    last_values: list[float] = []
    result = [0] * len(values)
    for index in sorted(range(len(values)), key=values.__getitem__):
        value = values[index]
        free = (level for level, last in enumerate(last_values) if value - last >= CLOSE)
        level = next(free, len(last_values))
        last_values[level : level + 1] = [value]
        result[index] = level
    return result


def _dots(title: str, dots: Sequence[Dot], marked: Dot) -> str:
    dots = sorted(dots, key=lambda dot: not dot.is_named)  # They stand at the bottom of a stack.
    dot_levels = levels([dot.value for dot in dots])
    named = [replace(dot, name=dot.name.removeprefix(f"{title} ")) for dot in dots if dot.is_named]
    base = 8 + DIAMETER * (1 + max(dot_levels))
    height = base + LABEL_HEIGHT * bool(named) + 4
    lines = "".join(
        f'<line x1="{_x(tick / 100)}" x2="{_x(tick / 100)}" y1="0" y2="{height}" '
        'class="line-line"/>'
        for tick in TICKS
    )
    x = _x(marked.value)
    lines += f'<line x1="{x}" x2="{x}" y1="0" y2="{height}" class="counts-line"/>'
    circles = "".join(
        f'<circle cx="{_x(dot.value)}" cy="{base - DIAMETER * level - DIAMETER // 2}" '
        f'r="{(DIAMETER - 1) / 2}" class="{"named" if dot.is_named else "plain"}">'
        f"<title>{escape(dot.name)}: {score_text(dot.value)}</title></circle>"
        for dot, level in zip(dots, dot_levels, strict=True)
    )
    labels = "".join(_text(dot, height - 7, "ink-fill") for dot in named)
    return _row(escape(title), height, lines + circles + labels)


def _row(title: str, height: int, shapes: str) -> str:
    """Return a row of the plot: its title, and a drawing of this height in pixels."""
    return (
        f'<div aria-hidden="true"><span>{title}</span>'
        f'<svg width="100%" height="{height}" direction="ltr">{shapes}</svg></div>'
    )


def _text(dot: Dot, y: int, css_class: str) -> str:
    """Return the name and the value of a dot, which stay within the drawing."""
    anchor = "start" if dot.value < 0.2 else "end" if dot.value > 0.8 else "middle"
    return (
        f'<text x="{_x(dot.value)}" y="{y}" text-anchor="{anchor}" class="{css_class}">'
        f"{escape(dot.name)} {score_text(dot.value)}</text>"
    )


def _x(value: float) -> str:
    """Return the position of a value in [0, 1] as a share of the drawing's width.

    A value above 1, which some conventions give, stands just behind the end of the axis.

    >>> _x(0), _x(0.5), _x(1), _x(7.4)
    ('2.0%', '49.0%', '96.0%', '98.0%')
    """
    return f"{2 + 94 * min(value, 96 / 94):.1f}%"
