"""Formulas are set as in a book, in every engine, whatever fonts the system has."""

import struct
import zlib
from contextlib import suppress
from itertools import groupby

import pytest
from selenium.common.exceptions import WebDriverException

from tests.engines.page import Page

SHOWN = """
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
SHOW = """document.body.insertAdjacentHTML("beforeend", arguments[0]);
document.getElementById("measured").style.cssText = "position: fixed; inset: 0; z-index: 9;" +
    "display: flex; gap: 1em; align-items: start; padding: 9px; background: white; color: black";
for (const math of document.querySelectorAll("#measured math")) {
    math.style.fontFamily = arguments[1];
    math.style.fontSize = "40px";
}"""
BOX = """const box = document.querySelector(`#measured ${arguments[0]}`).getBoundingClientRect();
return [box.left, box.top, box.right, box.bottom]"""

OWN = "Formulas, serif"
"""The page's own font, without those that it takes of the system where it must."""
NONE = "serif"


def corner(png: bytes, right: int, bottom: int) -> list[bytes]:
    """The top left corner of a picture of eight bits a colour: its rows, each of its red bytes."""
    width, _, _, colours = struct.unpack(">IIBB", png[16:26])
    step = {2: 3, 6: 4}[colours]
    place, packed = 8, b""
    while place < len(png):
        length, kind = struct.unpack(">I4s", png[place : place + 8])
        packed += png[place + 8 : place + 8 + length] if kind == b"IDAT" else b""
        place += length + 12
    data, rows = zlib.decompress(packed), [bytes(right * step)]
    for row in range(bottom):
        start = row * (width * step + 1)
        line, above = bytearray(data[start + 1 : start + 1 + right * step]), rows[-1]
        for n in range(len(line)):
            left, past = (line[n - step], above[n - step]) if n >= step else (0, 0)
            guesses = (left, above[n], past)
            paeth = min(guesses, key=lambda one: abs(left + guesses[1] - past - one))
            line[n] = (line[n] + (0, *guesses[:2], sum(guesses[:2]) // 2, paeth)[data[start]]) % 256
        rows.append(bytes(line))
    return [row[::step] for row in rows[1:]]


def apart(page: Page, css: str) -> bool:
    """Whether three things lie above each other in an element, none of which touches another."""
    left, top, right, bottom = map(round, page.run(BOX, css))
    rows = corner(page.driver.get_screenshot_as_png(), right, bottom)[top:]
    bands = [(ink, len(list(band))) for ink, band in groupby(min(row[left:]) < 128 for row in rows)]
    while bands and not bands[-1][0]:
        bands.pop()
    between = [height for ink, height in bands[1:] if not ink]
    return len(between) == 2 and min(between) > 2


def faults(page: Page, font: str) -> list[str]:
    """What is not where it belongs, in a font for formulas."""
    page.run(SHOW, SHOWN, font)
    try:
        _, top, _, foot = page.run(BOX, "mroot")
        _, _, _, index = page.run(BOX, "mroot > :last-child")
        _, above, _, below = page.run(BOX, "mrow:has(mtable) > mo")
        _, first, _, last = page.run(BOX, "mtable")
        found = {
            "a limit touches ∑": not apart(page, "#limits"),
            "a digit touches the bar": not apart(page, "#fraction"),
            "a digit in a table does": not apart(page, "#cell"),
            "the index is at the foot of the root": index > top + 0.6 * (foot - top),
            "the brace is lower than its rows": below - above < 0.9 * (last - first),
        }
    finally:
        page.run("document.getElementById('measured').remove()")
    return [fault for fault, there in found.items() if there]


@pytest.mark.slow
def test_limits_indices_bars_and_braces_are_where_they_belong(page):
    page.until(lambda: faults(page, OWN), [])


@pytest.mark.slow
def test_it_is_the_font_of_the_page_that_puts_them_there(page):
    # a picture may be taken before it shows what has been inserted
    page.until_true(lambda: "a limit touches ∑" in faults(page, NONE))


@pytest.mark.slow
def test_a_sealed_page_is_printed_in_it(page):
    page.until(lambda: page.count("html[data-sealed]"), 1)
    with suppress(WebDriverException):  # WebKitGTK's driver does not print
        page.driver.print_page()
    page.until(lambda: faults(page, OWN), [])  # the font may still be on its way
