"""The font of the formulas: it has what they are written in, and is the same each time."""

import io
import re
import sys
import unicodedata
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given

from app.build import font
from app.build.font import CHARACTERS, subset_font
from bleu import SMOOTHINGS, derive, explain
from bleu.render import html, html_page
from tests.support.strategies import segments, settings

pytestmark = pytest.mark.host
ROOT = Path(__file__).parents[2]
FORMULA = re.compile(r"<math.*?</math>", re.DOTALL)
LETTER = re.compile(r"<mi>(.)</mi>")
ITALIC = {unicodedata.normalize("NFKC", one): one for one in CHARACTERS if ord(one) > 0x1D400}
ITALIC["h"] = "ℎ"


def drawn(markup):
    """The characters that a browser draws of the formulas in a page."""
    formulas = FORMULA.findall(markup)
    alone = [LETTER.sub(lambda one: ITALIC.get(one[1], one[0]), text) for text in formulas]
    return set(unescape(re.sub("<[^>]*>|\n", "", "".join(alone))))


@pytest.fixture(scope="module")
def cut():
    """The font as it is shipped."""
    from fontTools.ttLib import TTFont  # which the host alone has

    return TTFont(io.BytesIO(subset_font().content))


def test_every_character_is_in_the_font(cut):
    assert set(map(ord, CHARACTERS)) == set(cut.getBestCmap())


def test_what_is_drawn_of_a_formula_is_known():
    assert drawn("a<math><mi>h</mi><mi>ln</mi><mo>&lt;</mo>\n</math>b") == set("ℎln<")


def test_the_page_s_own_formulas_are_written_in_it():
    assert drawn((ROOT / "index.html").read_text("utf-8")) <= set(CHARACTERS)


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
def test_the_formulas_of_every_smoothing_are_written_in_it(smoothing):
    texts = "the cat is on mat", ["the cat is on the mat"]
    found = drawn(html.render(explain(derive(*texts, smoothing=smoothing))))
    assert set("∑∏BLEUGM′𝑛𝑁") <= found <= set(CHARACTERS)


@given(segments, settings())
def test_the_formulas_of_any_derivation_are_written_in_it(segment, choices):
    assert drawn(html.render(explain(derive(*segment, **choices)))) <= set(CHARACTERS)


def test_it_knows_where_parts_stand_and_how_signs_grow(cut):
    table = cut["MATH"].table
    assert table.MathConstants.UpperLimitGapMin.Value > 0
    grows = set(table.MathVariants.VertGlyphCoverage.glyphs)
    names = cut.getBestCmap()
    assert {names[ord(sign)] for sign in "(){}[]|√∑∏"} <= grows
    assert len(grows) < len(cut.getGlyphOrder())


def test_it_is_small_and_the_same_each_time():
    content = subset_font().content
    assert content[:4] == b"wOF2"
    assert len(content) < 20_000
    assert content == subset_font().content


def test_it_comes_with_its_licence():
    found = subset_font()
    assert found.name == "STIX Two Math"
    assert found.licence.startswith("Copyright 2001-2020 The STIX Fonts Project Authors")
    assert "PERMISSION & CONDITIONS" in found.licence


@pytest.mark.parametrize("module", ["brotli", "fontTools"])
def test_missing_packages_are_named_with_what_installs_them(module, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(FileNotFoundError, match=f"{module}.*run make build"):
        subset_font()


def test_another_font_is_refused(monkeypatch):
    monkeypatch.setattr(font, "DIGEST", "0" * 64)
    with pytest.raises(ValueError, match="is not the font that was chosen"):
        subset_font()


def test_a_page_that_is_taken_along_asks_the_system_for_the_same_fonts():
    style = (ROOT / "static" / "style.css").read_text("utf-8")
    [own] = re.findall(r"^math \{ font-family: Formulas, (.*?); \}", style, re.MULTILINE)
    [taken] = re.findall(
        r"^math \{\s*font-family: (.*?);\s*\}", html_page.CONTENT_STYLE, re.DOTALL | re.MULTILINE
    )
    assert " ".join(taken.split()) == own
