"""The style sheets keep to one scale, name only what exists, and use what every engine knows."""

import re
from pathlib import Path

import pytest

from app.build.assemble import STYLE_FOLDER, STYLES

ROOT = Path(__file__).parents[2]
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
DECLARATION = re.compile(r"(?:^|[{;]) *([\w-]+): ([^;{}]+);", re.MULTILINE)
SELECTOR = re.compile(r"([^{};]+)\{")
NAME = re.compile(r"[.#]([a-z][\w-]*)")
SIZE = re.compile(
    r"var\(--(fine|note|ui|text|h3|h2)\)|inherit|0|[\d.]+(em|pt)|(calc|min|max|clamp)\b.+"
)
"""A size of the scale, or one that is relative to its context or to the window, or for paper."""
DISTANCE = re.compile("(margin|padding|gap|row-gap|column-gap)(-.+)?")
MAX_LITERALS = 8
"""Distances and sizes of one sheet that are not on the scale: a new one replaces another."""
COMPUTED = re.compile(r"(in|lanes)-\d+|(alert|clipped|counts|ink|line|soft)-(fill|line)")
"""The names that code puts together."""


def sheet(name: str) -> str:
    """Return a style sheet without its comments."""
    text = Path(ROOT, "static", STYLE_FOLDER, f"{name}.css").read_text("utf-8")
    return COMMENT.sub("", text)


@pytest.mark.parametrize("name", STYLES)
def test_sizes_and_distances_are_those_of_the_scale(name: str) -> None:
    literals = [
        f"{key}: {value}"
        for key, value in DECLARATION.findall(sheet(name))
        if (key == "font-size" and not SIZE.fullmatch(value))
        or (key == "font" and re.search(r"\b[\d.]+(rem|px)", re.sub(r"clamp\(.*?\)", "", value)))
        or (DISTANCE.fullmatch(key) and re.search(r"\drem", value))
    ]
    assert len(literals) <= MAX_LITERALS, literals


@pytest.mark.parametrize("name", [name for name in STYLES if name != "base"])
def test_colours_are_those_of_the_themes(name: str) -> None:
    colours = re.findall(r": [^;{}]*(#[0-9a-f]{3,8})\b[^;{}]*;", sheet(name))
    assert set(colours) <= {"#000", "#333", "#777", "#bbb", "#fff"}  # paper


@pytest.mark.parametrize("name", STYLES)
def test_underlines_are_set_by_longhands(name: str) -> None:
    """WebKitGTK 2.50 drops `text-decoration` with more than one value."""
    values = [value for key, value in DECLARATION.findall(sheet(name)) if key == "text-decoration"]
    assert [value for value in values if " " in value] == []


def test_names_of_selectors_exist() -> None:
    """Each class and id is in the page, or in the code that makes it."""
    files = [ROOT / "index.html", *(ROOT / "static").glob("*.*js")]
    files += [*(ROOT / "app").rglob("*.py"), *(ROOT / "bleu").rglob("*.py")]
    words = {word for file in files for word in re.findall(r"[\w-]+", file.read_text("utf-8"))}
    selectors = (part for name in STYLES for part in SELECTOR.findall(sheet(name)))
    names = {name for part in selectors for name in NAME.findall(re.sub(r"\[.*?]", "", part))}
    assert {name for name in names - words if not COMPUTED.fullmatch(name)} == set()
