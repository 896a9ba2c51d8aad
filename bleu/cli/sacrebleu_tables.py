"""Tables of systems as sacreBLEU prints them."""

import unicodedata
from collections.abc import Sequence
from typing import Final

_SIDE: Final = "│"
_BORDERS: Final = {"top": "╒═╤╕", "header": "╞═╪╡", "row": "├─┼┤", "bottom": "╘═╧╛"}
_LATEX: Final = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    "^": r"\^{}",
    "~": r"\textasciitilde{}",
    "\\": r"\textbackslash{}",
    "<": r"\ensuremath{<}",
    ">": r"\ensuremath{>}",
}

Rows = Sequence[tuple[str, list[str]]]
"""Rows of a name and the lines of a cell; the first row is the header."""


def grid(rows: Rows) -> str:
    """Return a table drawn with box characters."""
    names, cells = _widths(rows)
    borders = {
        kind: f"{signs[0]}{signs[1] * (names + 2)}{signs[2]}{signs[1] * (cells + 2)}{signs[3]}"
        for kind, signs in _BORDERS.items()
    }
    lines = []
    for number, (name, cell_lines) in enumerate(rows):
        lines.append(borders["row" if number > 1 else "header" if number else "top"])
        for index, line in enumerate(cell_lines):
            left = _right_aligned("" if index else name, names)
            lines.append(f"{_SIDE} {left} {_SIDE} {line:^{cells}} {_SIDE}")
    return "\n".join([*lines, borders["bottom"]])


def latex_table(rows: Rows) -> str:
    """Return a table in LaTeX."""
    rows = [(name, [" ".join(lines)]) for name, lines in rows]
    names, cells = _widths(rows)
    header, *others = (
        rf" {_escape(_right_aligned(name, names))} & {_escape(f'{cell:^{cells}}')} \\"
        for name, (cell,) in rows
    )
    begin, end = (r"\begin{tabular}{rc}", r"\toprule"), (r"\bottomrule", r"\end{tabular}")
    return "\n".join([*begin, header, r"\midrule", *others, *end])


def _widths(rows: Rows) -> tuple[int, int]:
    """Return the widths of both columns, each at least two more than that of its header."""
    (name, (title,)), *others = rows
    return (
        max(_width(name) + 2, *(_width(name) for name, _ in others)),
        max(_width(title) + 2, *(_width(line) for _, lines in others for line in lines)),
    )


def _width(text: str) -> int:
    return sum(1 + (unicodedata.east_asian_width(character) in "WF") for character in text)


def _right_aligned(text: str, width: int) -> str:
    return " " * (width - _width(text)) + text


def _escape(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in text)
