"""Texts of many megabytes, and memory that runs out: one sentence says so, and nothing is lost."""

import os
import re

import pytest
from playwright.sync_api import Page, expect

from app.state.memory import OUT_OF_MEMORY_TEXT
from bleu import sentence_bleu
from tests.browser.conftest import (
    Recorder,
    open_page,
    reveal,
)

LONG = 600_000
"""Milliseconds that many megabytes may take on a slow machine."""
CAP = 2**31
SMALL = ("the cat is on mat", "the cat is on the mat")
HEAP = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffd]")
"""What stands in memory, and in no text here."""

GROWS = """
const {grow} = WebAssembly.Memory.prototype;
window.most = Infinity;
window.grown = 0;
WebAssembly.Memory.prototype.grow = function (pages) {
    if (this.buffer.byteLength + pages * 65536 > most) throw new RangeError("no more memory");
    const before = grow.call(this, pages);
    grown = this.buffer.byteLength;
    return before;
};
"""
"""How far Python's memory has grown, and a browser that gives no more than `most`."""

PUT = """([id, first, size]) => {
    let state = 1 + Number(first.slice(1));
    const words = [first];
    for (let length = first.length; length < size; length += 1 + words.at(-1).length) {
        state = (state * 48271) % 2147483647;
        words.push(`w${state % 50000}`);
    }
    document.getElementById(id).value = words.join(" ").slice(0, size);
}"""
"""Puts a text of so many characters into a box, all other than that of another first word."""


@pytest.fixture
def page(recorder: Recorder) -> Page:
    """A ready page whose memory is watched."""
    recorder.page.add_init_script(GROWS)
    return open_page(recorder)


def edit(page: Page, number: int, size: int) -> None:
    """Two new texts of so many characters, and a key typed at the end of the first."""
    page.evaluate(PUT, ["reference-1", f"r{2 * number + 1}", size])
    page.evaluate(PUT, ["hypothesis", f"h{2 * number}", size])
    reveal(page, "#hypothesis").focus()
    page.keyboard.press("Control+End")
    page.keyboard.type("x")


def lengths(page: Page) -> list[int]:
    """How many characters are in the boxes."""
    return page.evaluate(
        "['hypothesis', 'reference-1'].map((id) => document.getElementById(id).value.length)"
    )


def clear_and_go_on(page: Page, recorder: Recorder) -> None:
    """Clear empties the boxes, a small text is scored, and no piece of memory is shown."""
    reveal(page, "#clear").click(timeout=LONG)
    expect(page.locator("#error")).to_be_empty(timeout=LONG)
    assert lengths(page) == [0, 0]
    reveal(page, "#reference-1").fill(SMALL[1])
    reveal(page, "#hypothesis").fill(SMALL[0])
    value = repr(sentence_bleu(SMALL[0], [SMALL[1]]).value)
    expect(page.locator("#score")).to_have_attribute("data-value", value)
    expect(page.locator("#error")).to_be_empty()
    assert not HEAP.search(page.locator("body").inner_text())
    recorder.check()


@pytest.mark.slow
def test_edits_of_many_megabytes(page, recorder):
    page.set_default_timeout(LONG)
    count = int(os.environ.get("LONG_EDITS", "2"))  # of 12, each takes a minute or more
    sizes = [10_000_000] * count + [15_000_000] * count
    for number, size in enumerate(sizes):
        edit(page, number, size)
        expect(page.locator("#tokens")).to_contain_text(f"h{2 * number}", timeout=LONG)
        expect(page.locator("#tokens")).to_contain_text(f"r{2 * number + 1}")
        expect(page.locator("#error")).to_be_empty()
        assert lengths(page) == [size + 1, size]
        assert page.evaluate("grown") < CAP / 2
        print(number, page.evaluate("grown") / 2**20)
    clear_and_go_on(page, recorder)


def test_memory_stays_below_two_gigabytes(page):
    said = page.evaluate(
        """async () => {
            const {_module} = await (await import("./static/python.mjs")).loadPyodide();
            const ask = (size) => _module._malloc(size);
            const first = ask(2 ** 31 - 2 ** 27);
            const second = ask(2 ** 27);
            _module._free(first);
            return [first > 0, second, _module.HEAPU8.length];
        }"""
    )
    assert said[:2] == [True, 0]
    assert said[2] < CAP


@pytest.mark.slow
def test_where_the_browser_gives_no_more_it_is_said(page, recorder):
    page.evaluate("most = 120 * 2 ** 20")
    for number in (1, 2):
        edit(page, number, 4_000_000)
        expect(page.locator("#error")).to_have_text(OUT_OF_MEMORY_TEXT, timeout=LONG)
        assert lengths(page) == [4_000_001, 4_000_000]
        assert page.locator("#hypothesis").input_value().startswith(f"h{2 * number} w")
        expect(page.locator("html[data-invalid]")).to_have_count(1)
    assert page.evaluate("grown") <= 120 * 2**20
    # typing goes on, and what is small enough is scored without more ado
    page.evaluate(PUT, ["reference-1", "r3", 1000])
    page.evaluate(PUT, ["hypothesis", "h3", 1000])
    reveal(page, "#hypothesis").focus()
    page.keyboard.type("y")
    expect(page.locator("#error")).to_be_empty()
    expect(page.locator("#tokens")).to_contain_text("h3")
    clear_and_go_on(page, recorder)


@pytest.mark.slow
def test_a_text_that_does_not_even_fit_is_left_alone(page, recorder):
    most = 40 * 2**20  # room for the page's own work, and for no copy of the text
    page.evaluate(f"most = {most}")
    edit(page, 1, 15_000_000)
    expect(page.locator("#error")).to_have_text(OUT_OF_MEMORY_TEXT, timeout=LONG)
    assert lengths(page) == [15_000_001, 15_000_000]
    assert page.evaluate("grown") <= most
    reveal(page, "#clear").click()
    expect(page.locator("#error")).to_be_empty(timeout=LONG)
    assert lengths(page) == [0, 0]
    page.evaluate("document.execCommand('undo')")  # Python could not keep them: the browser does
    assert max(lengths(page)) == 15_000_000
    clear_and_go_on(page, recorder)


@pytest.mark.slow
def test_a_panel_without_memory_says_so(page, recorder):
    edit(page, 1, 1_000_000)
    expect(page.locator("#tokens")).to_contain_text("h2", timeout=LONG)
    page.evaluate("most = grown")
    reveal(page, "#comparison")
    expect(page.locator("#error")).to_have_text(OUT_OF_MEMORY_TEXT, timeout=LONG)
    assert lengths(page) == [1_000_001, 1_000_000]
    page.evaluate("most = Infinity")
    clear_and_go_on(page, recorder)
