"""Texts of many megabytes, and exhausted memory: one sentence reports it, and no text is lost."""

import os
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from app.state.form import OUT_OF_MEMORY_TEXT
from bleu import sentence_bleu
from tests.browser.conftest import SWITCHES, Recorder, chromium, open_page, reveal
from tests.support.fonts import font_environment

LONG_MS = 600_000
"""The time limit of a wait for a text of many megabytes."""
MAX_MEMORY_BYTES = 2**31
SMALL = ("the cat is on mat", "the cat is on the mat")
MEMORY_CONTENT = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffd]")
"""Characters that occur in raw memory and in no text of these tests."""

LIMIT_MEMORY = """
const {grow} = WebAssembly.Memory.prototype;
window.maxBytes = Infinity;
window.memoryBytes = 0;
WebAssembly.Memory.prototype.grow = function (pages) {
    if (this.buffer.byteLength + pages * 65536 > maxBytes) throw new RangeError("no more memory");
    const before = grow.call(this, pages);
    memoryBytes = this.buffer.byteLength;
    return before;
};
"""
"""Records the size of Python's memory, and refuses to let it grow beyond `maxBytes`."""

FILL_BOX = """([id, first, size]) => {
    let state = 1 + Number(first.slice(1));
    const words = [first];
    for (let length = first.length; length < size; length += 1 + words.at(-1).length) {
        state = (state * 48271) % 2147483647;
        words.push(`w${state % 50000}`);
    }
    document.getElementById(id).value = words.join(" ").slice(0, size);
}"""
"""Fills a box with a text of `size` characters, which depends on its first word."""


@pytest.fixture(scope="module")
def browser(browser: Browser) -> Iterator[Browser]:
    """Yield a Chromium that optimizes WebAssembly, in which these tests compute for a minute."""
    fast = browser.browser_type.launch(
        executable_path=chromium(), args=SWITCHES, env=font_environment()
    )
    yield fast
    fast.close()


@pytest.fixture
def page(recorder: Recorder) -> Page:
    """Return a ready page with limited memory."""
    recorder.page.add_init_script(LIMIT_MEMORY)
    return open_page(recorder)


def edit(page: Page, number: int, size: int) -> None:
    """Fill both boxes with new texts of `size` characters, and type a key into the hypothesis."""
    page.evaluate(FILL_BOX, ["reference-1", f"r{2 * number + 1}", size])
    page.evaluate(FILL_BOX, ["hypothesis", f"h{2 * number}", size])
    reveal(page, "#hypothesis").focus()
    page.keyboard.press("Control+End")
    page.keyboard.type("x")


def text_lengths(page: Page) -> list[int]:
    """Return the numbers of characters in the two boxes."""
    return page.evaluate(
        "['hypothesis', 'reference-1'].map((id) => document.getElementById(id).value.length)"
    )


def assert_usable_after_clearing(page: Page, recorder: Recorder) -> None:
    """Assert that clearing empties the boxes and that a small text is then scored as usual."""
    reveal(page, "#clear").click(timeout=LONG_MS)
    expect(page.locator("#error")).to_be_empty(timeout=LONG_MS)
    assert text_lengths(page) == [0, 0]
    reveal(page, "#reference-1").fill(SMALL[1])
    reveal(page, "#hypothesis").fill(SMALL[0])
    value = repr(sentence_bleu(SMALL[0], [SMALL[1]]).value)
    expect(page.locator("#score")).to_have_attribute("data-value", value)
    expect(page.locator("#error")).to_be_empty()
    assert not MEMORY_CONTENT.search(page.locator("body").inner_text())
    recorder.check()


@pytest.mark.slow
def test_texts_of_many_megabytes_are_scored(page, recorder):
    page.set_default_timeout(LONG_MS)
    size = 2_000_000
    for number in range(int(os.environ.get("LONG_EDITS", "1"))):  # each takes 15 s or more
        edit(page, number, size)
        expect(page.locator("#tokens")).to_contain_text(f"h{2 * number}", timeout=LONG_MS)
        expect(page.locator("#tokens")).to_contain_text(f"r{2 * number + 1}")
        expect(page.locator("#error")).to_be_empty()
        assert text_lengths(page) == [size + 1, size]
        assert page.evaluate("memoryBytes") < MAX_MEMORY_BYTES / 8
        print(number, page.evaluate("memoryBytes") / 2**20)
    assert_usable_after_clearing(page, recorder)


@pytest.mark.slow
def test_allocation_beyond_two_gigabytes_fails(page):
    allocations = page.evaluate(
        """async () => {
            const {_module} = await (await import("./static/python.mjs")).loadPyodide();
            const first = _module._malloc(2 ** 31 - 2 ** 27);
            const second = _module._malloc(2 ** 27);
            _module._free(first);
            return [first > 0, second, _module.HEAPU8.length];
        }"""
    )
    assert allocations[:2] == [True, 0]
    assert allocations[2] < MAX_MEMORY_BYTES


@pytest.mark.slow
def test_exhausted_memory_is_reported(page, recorder):
    page.evaluate("maxBytes = 120 * 2 ** 20")
    for number in (1, 2):
        edit(page, number, 4_000_000)
        expect(page.locator("#error")).to_have_text(OUT_OF_MEMORY_TEXT, timeout=LONG_MS)
        assert text_lengths(page) == [4_000_001, 4_000_000]
        assert page.locator("#hypothesis").input_value().startswith(f"h{2 * number} w")
        expect(page.locator("html[data-invalid]")).to_have_count(1)
    assert page.evaluate("memoryBytes") <= 120 * 2**20
    # Typing still works, and a text that is small enough is scored.
    page.evaluate(FILL_BOX, ["reference-1", "r3", 1000])
    page.evaluate(FILL_BOX, ["hypothesis", "h3", 1000])
    reveal(page, "#hypothesis").focus()
    page.keyboard.type("y")
    expect(page.locator("#error")).to_be_empty()
    expect(page.locator("#tokens")).to_contain_text("h3")
    assert_usable_after_clearing(page, recorder)


@pytest.mark.slow
def test_text_larger_than_the_memory_is_kept(page, recorder):
    max_bytes = 36 * 2**20  # enough for the page, which takes 30 MiB, but for no copy of a text
    page.evaluate(f"maxBytes = {max_bytes}")
    edit(page, 1, 8_000_000)
    expect(page.locator("#error")).to_have_text(OUT_OF_MEMORY_TEXT, timeout=LONG_MS)
    assert text_lengths(page) == [8_000_001, 8_000_000]
    assert page.evaluate("memoryBytes") <= max_bytes
    reveal(page, "#clear").click()
    expect(page.locator("#error")).to_be_empty(timeout=LONG_MS)
    assert text_lengths(page) == [0, 0]
    page.evaluate(
        "document.execCommand('undo')"
    )  # the browser's undo, because Python could not save the texts
    assert max(text_lengths(page)) == 8_000_000
    assert_usable_after_clearing(page, recorder)


@pytest.mark.slow
def test_exhausted_memory_in_a_panel_is_reported(page, recorder):
    edit(page, 1, 1_000_000)
    expect(page.locator("#tokens")).to_contain_text("h2", timeout=LONG_MS)
    page.evaluate("maxBytes = memoryBytes")
    reveal(page, "#comparison")
    expect(page.locator("#error")).to_have_text(OUT_OF_MEMORY_TEXT, timeout=LONG_MS)
    assert text_lengths(page) == [1_000_001, 1_000_000]
    page.evaluate("maxBytes = Infinity")
    assert_usable_after_clearing(page, recorder)
