"""Layout of formulas in every engine, with the page's own font."""

import struct
import zlib
from contextlib import suppress
from itertools import groupby

import pytest
from selenium.common.exceptions import WebDriverException

from tests.engines.page import Page

FORMULAS = """
<div id="measured">
<div id="limits"><math display="block"><munderover><mo movablelimits="false">∑</mo>
<mi>n</mi><mi>N</mi></munderover></math></div>
<div id="fraction"><math><mfrac><mn>3</mn><mn>4</mn></mfrac></math></div>
<table><tr><td><div id="cell"><math><mfrac><mn>3</mn><mn>4</mn></mfrac></math></div></table>
<math><mroot><mrow><mn>1</mn><mo>·</mo><mfrac><mn>3</mn><mn>4</mn></mfrac></mrow><mn>4</mn></mroot>
</math>
<math><mrow><mo>{</mo><mtable><mtr><mtd><mn>1</mn></mtd></mtr><mtr><mtd><mn>2</mn></mtd></mtr>
<mtr><mtd><mn>3</mn></mtd></mtr></mtable></mrow></math>
</div>
"""
INSERT = """document.body.insertAdjacentHTML("beforeend", arguments[0]);
document.getElementById("measured").style.cssText = "position: fixed; inset: 0; z-index: 9;" +
    "display: flex; gap: 1em; align-items: start; padding: 9px; background: white; color: black";
for (const math of document.querySelectorAll("#measured math")) {
    math.style.fontFamily = arguments[1];
    math.style.fontSize = "40px";
}"""
BOX = """const box = document.querySelector(`#measured ${arguments[0]}`).getBoundingClientRect();
return [box.left, box.top, box.right, box.bottom]"""

PAGE_FONT = "Formulas, serif"
"""The page's own font for formulas, without its fallbacks to system fonts."""
TEXT_FONT = "serif"
"""A font that is not made for formulas."""


def corner(png: bytes, right: int, bottom: int) -> list[bytes]:
    """Return the red bytes of each row in the top left corner of a PNG of 8 bits per channel."""
    width, _, _, color_type = struct.unpack(">IIBB", png[16:26])
    step = {2: 3, 6: 4}[color_type]
    offset, packed = 8, b""
    while offset < len(png):
        length, kind = struct.unpack(">I4s", png[offset : offset + 8])
        packed += png[offset + 8 : offset + 8 + length] if kind == b"IDAT" else b""
        offset += length + 12
    data, rows = zlib.decompress(packed), [bytes(right * step)]
    for row in range(bottom):
        start = row * (width * step + 1)
        line, above = bytearray(data[start + 1 : start + 1 + right * step]), rows[-1]
        for n in range(len(line)):
            left, upper_left = (line[n - step], above[n - step]) if n >= step else (0, 0)
            neighbors = (left, above[n], upper_left)
            paeth = min(neighbors, key=lambda value: abs(left + above[n] - upper_left - value))
            filters = (0, left, above[n], (left + above[n]) // 2, paeth)
            line[n] = (line[n] + filters[data[start]]) % 256
        rows.append(bytes(line))
    return [row[::step] for row in rows[1:]]


def has_three_rows(page: Page, css: str) -> bool:
    """Return whether an element shows three parts one above the other, with gaps between them."""
    left, top, right, bottom = map(round, page.run(BOX, css))
    rows = corner(page.driver.get_screenshot_as_png(), right, bottom)[top:]
    bands = [(ink, len(list(band))) for ink, band in groupby(min(row[left:]) < 128 for row in rows)]
    while bands and not bands[-1][0]:
        bands.pop()
    gaps = [height for ink, height in bands[1:] if not ink]
    return len(gaps) == 2 and min(gaps) > 2


def layout_faults(page: Page, font: str) -> list[str]:
    """Return the faults in the layout of sample formulas in a font."""
    page.run(INSERT, FORMULAS, font)
    try:
        _, top, _, foot = page.run(BOX, "mroot")
        _, _, _, index = page.run(BOX, "mroot > :last-child")
        _, above, _, below = page.run(BOX, "mrow:has(mtable) > mo")
        _, first, _, last = page.run(BOX, "mtable")
        faults = {
            "a limit touches ∑": not has_three_rows(page, "#limits"),
            "a digit touches the bar": not has_three_rows(page, "#fraction"),
            "a digit in a table touches the bar": not has_three_rows(page, "#cell"),
            "the index is at the foot of the root": index > top + 0.6 * (foot - top),
            "the brace is lower than its rows": below - above < 0.9 * (last - first),
        }
    finally:
        page.run("document.getElementById('measured').remove()")
    return [fault for fault, is_present in faults.items() if is_present]


@pytest.mark.slow
def test_formulas_are_laid_out_without_faults(page):
    page.until(lambda: layout_faults(page, PAGE_FONT), [])


@pytest.mark.slow
def test_text_font_shows_layout_faults(page):
    # A screenshot may be taken before the insertion is painted.
    page.until_true(lambda: "a limit touches ∑" in layout_faults(page, TEXT_FONT))


@pytest.mark.slow
def test_printing_a_sealed_page_keeps_the_font(page):
    page.until(lambda: page.count("html[data-sealed]"), 1)
    with suppress(WebDriverException):  # WebKitGTK's driver does not print
        page.driver.print_page()
    page.until(lambda: layout_faults(page, PAGE_FONT), [])  # the font may still be loading


INDENT = """
const [equation] = document.querySelectorAll("#station .equation");
const start = ({ left }) => left;
return start(equation.querySelector("math mi").getBoundingClientRect())
    - start(equation.getBoundingClientRect());
"""


def test_equation_begins_at_the_left(page):
    page.type("#hypothesis", "the cat is on mat")
    page.type("#reference-1", "the cat is on the mat")
    page.click(".factor[data-factor=precision-2]")
    page.until(lambda: page.text("#station h3"), "Pairs")
    assert 0 <= page.run(INDENT) < 10
    page.click("#station .next")
