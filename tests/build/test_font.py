"""The font of the formulas: it covers their characters, and is reproducible."""

import io
import re
import sys
import unicodedata
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given

from app.build import font
from app.build.assemble import page_style
from app.build.font import CHARACTERS, subset_font
from bleu import SMOOTHINGS, derive, explain
from bleu.render import html, html_page
from tests.support.strategies import segments, settings

pytestmark = pytest.mark.host
ROOT = Path(__file__).parents[2]
FORMULA = re.compile(r"<math.*?</math>", re.DOTALL)
LETTER = re.compile(r"<mi>(.)</mi>")
ITALIC = {
    unicodedata.normalize("NFKC", character): character
    for character in CHARACTERS
    if ord(character) > 0x1D400
}
ITALIC["h"] = "ℎ"


def drawn_characters(markup):
    """Return the characters that a browser draws for the formulas of a page."""
    formulas = FORMULA.findall(markup)
    italic = [LETTER.sub(lambda match: ITALIC.get(match[1], match[0]), text) for text in formulas]
    return set(unescape(re.sub("<[^>]*>|\n", "", "".join(italic))))


@pytest.fixture(scope="module")
def shipped_font():
    """The font as it is shipped."""
    from fontTools.ttLib import TTFont  # not installed inside Pyodide

    return TTFont(io.BytesIO(subset_font().content))


def test_font_has_exactly_the_characters(shipped_font):
    assert set(map(ord, CHARACTERS)) == set(shipped_font.getBestCmap())


def test_drawn_characters_of_a_formula():
    assert drawn_characters("a<math><mi>h</mi><mi>ln</mi><mo>&lt;</mo>\n</math>b") == set("ℎln<")


def test_font_covers_the_formulas_in_index_html():
    assert drawn_characters((ROOT / "index.html").read_text("utf-8")) <= set(CHARACTERS)


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
def test_font_covers_the_formulas_of_every_smoothing(smoothing):
    texts = "the cat is on mat", ["the cat is on the mat"]
    characters = drawn_characters(html.render(explain(derive(*texts, smoothing=smoothing))))
    assert set("∑∏BLEUGM′𝑛𝑁") <= characters <= set(CHARACTERS)


@given(segments, settings())
def test_font_covers_the_formulas_of_any_derivation(segment, choices):
    assert drawn_characters(html.render(explain(derive(*segment, **choices)))) <= set(CHARACTERS)


def test_font_has_math_constants_and_stretchy_signs(shipped_font):
    table = shipped_font["MATH"].table
    assert table.MathConstants.UpperLimitGapMin.Value > 0
    stretchy = set(table.MathVariants.VertGlyphCoverage.glyphs)
    names = shipped_font.getBestCmap()
    assert {names[ord(sign)] for sign in "(){}[]|√∑∏"} <= stretchy
    assert len(stretchy) < len(shipped_font.getGlyphOrder())


def test_font_is_small_and_reproducible():
    content = subset_font().content
    assert content[:4] == b"wOF2"
    assert len(content) < 20_000
    assert content == subset_font().content


def test_font_has_its_license():
    subset = subset_font()
    assert subset.name == "STIX Two Math"
    assert subset.text.startswith("Copyright 2001-2020 The STIX Fonts Project Authors")
    assert "PERMISSION & CONDITIONS" in subset.text


@pytest.mark.parametrize("module", ["brotli", "fontTools"])
def test_missing_package_is_named_with_the_command(module, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(FileNotFoundError, match=f"{module}.*run make build"):
        subset_font()


def test_font_with_another_digest_is_rejected(monkeypatch):
    monkeypatch.setattr(font, "FONT_DIGEST", "0" * 64)
    with pytest.raises(ValueError, match="has another digest"):
        subset_font()


def test_exported_page_uses_the_same_font_families():
    style = page_style(ROOT / "static")
    [page_families] = re.findall(
        r"^math \{[^{}]*font-family:\s*Formulas,\s*(.*?);", style, re.DOTALL | re.MULTILINE
    )
    [exported_families] = re.findall(
        r"^math \{\s*font-family: (.*?);\s*\}", html_page.CONTENT_STYLE, re.DOTALL | re.MULTILINE
    )
    assert exported_families.split() == page_families.split()
