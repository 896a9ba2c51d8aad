"""Thousands of edits in one page: the answers stay right, and nothing piles up."""

import os
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

from bleu import sentence_bleu
from tests.browser.conftest import (
    Recorder,
    open_page,
    reveal,
    score_pasted_lines,
)

pytestmark = pytest.mark.slow

EDITS = int(os.environ.get("EDITS", "10000"))
BATCH = 100
"""Edits after which one answer is compared with the library's."""
LOOKS = (3 * EDITS // 10, 6 * EDITS // 10, EDITS)
"""Edits after which memory is looked at."""
WORDS = ("the", "cat", "is", "on", "mat", "a", "dog", "sat")

COUNT = """
for (const name of ["instantiate", "instantiateStreaming"]) {
    const made = WebAssembly[name];
    WebAssembly[name] = async (...given) => {
        const all = await made.apply(WebAssembly, given);
        const found = (all.instance ?? all).exports ?? {};
        if (found.hiwire_num_refs) window.python = found;
        return all;
    };
}
window.proxies = 0;
const Registry = FinalizationRegistry;
window.FinalizationRegistry = class extends Registry {
    constructor(forget) { super((held) => { proxies -= 1; forget(held); }); }
    register(...given) { proxies += 1; return super.register(...given); }
    unregister(token) {
        const known = super.unregister(token);
        if (known) proxies -= 1;
        return known;
    }
};
"""
"""Keeps what Pyodide's WebAssembly exports, and counts the objects of Python that JavaScript holds:
Pyodide registers each, to free it when it is garbage."""

EDIT = """async (texts) => {
    const tick = () => new Promise((go) => setTimeout(go, 0));
    for (const [place, [id, text]] of texts.entries()) {
        const box = document.getElementById(id);
        box.value = text;
        box.dispatchEvent(new InputEvent("input", {bubbles: true}));
        await tick();
        if (place % 10) continue;
        const mark = text.split(" ").at(-1);
        while (!document.getElementById("tokens").textContent.includes(mark)) await tick();
    }
}"""
"""Makes edits, each of which is scored, and waits for every tenth until its last word, which is
new, is on the page."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a page holds after a collection of garbage, in bytes and pieces."""

    edits: int
    javascript: int
    python: int
    references: int
    proxies: int
    nodes: int
    listeners: int


def look(page: Page, cdp: CDPSession, edits: int) -> Look:
    """Collect the garbage, then count what is left."""
    for _ in range(2):
        cdp.send("HeapProfiler.collectGarbage")
    measured = {one["name"]: one["value"] for one in cdp.send("Performance.getMetrics")["metrics"]}
    counters = cdp.send("Memory.getDOMCounters")
    return Look(
        edits,
        int(measured["JSHeapUsedSize"]),
        page.evaluate("python.memory.buffer.byteLength"),
        page.evaluate("python.hiwire_num_refs()"),
        page.evaluate("proxies"),
        counters["nodes"],
        counters["jsEventListeners"],
    )


def words(number: int) -> str:
    """A text that no other edit has, of 4 to 10 words."""
    chosen = [WORDS[(number * 7 + place * 3) % len(WORDS)] for place in range(3 + number % 7)]
    return " ".join([*chosen, f"w{number}."])


def change_a_setting(page: Page, batch: int) -> dict[str, Any]:
    """Another order and smoothing now and then; the settings that hold now."""
    order, smoothing = 2 + batch % 4, ("none", "floor", "exp")[batch % 3]
    reveal(page, "#max-order").select_option(str(order))
    reveal(page, "#smoothing").select_option(smoothing)
    return {"max_order": order, "smoothing": smoothing}


def run_files(page: Page, number: int) -> None:
    """Score a corpus, look at its steps, and open one of its segments."""
    score_pasted_lines(page, f"a b c {number}\nd e f", "a b c\nd e f")
    expect(page.locator("#corpus-cancel")).to_be_hidden()
    reveal(page, "#corpus-steps summary").click()
    expect(page.locator("#corpus-steps-body section").first).to_be_visible()
    reveal(page, '[data-command="segment:0"]').click()
    reveal(page, '[data-command="segment-boxes:0"]').click()
    expect(page.locator("#hypothesis")).to_have_value(f"a b c {number}")


def assert_level(looks: list[Look]) -> None:
    """Of the looks after the first, none holds more than the first, but for a little."""
    first, *later = looks
    for one in later:
        assert one.javascript < first.javascript + 1_000_000, looks
        assert one.python == first.python, looks
        assert one.references <= first.references + 20, looks
        assert one.proxies <= first.proxies + 5, looks
        assert one.nodes <= first.nodes + 1_000, looks
        assert one.listeners <= first.listeners, looks


@pytest.fixture
def watched(recorder: Recorder) -> tuple[Page, CDPSession]:
    """A ready page whose memory can be looked at."""
    recorder.page.add_init_script(COUNT)
    page = open_page(recorder)
    cdp = page.context.new_cdp_session(page)
    cdp.send("Performance.enable")
    return page, cdp


def test_thousands_of_edits(watched, recorder):
    page, cdp = watched
    looks = [look(page, cdp, 0)]
    for start in range(0, EDITS, BATCH):
        settings = change_a_setting(page, start // BATCH)
        edits = [
            ("reference-1" if number % 3 == 0 else "hypothesis", words(number))
            for number in range(start, start + BATCH)
        ]
        page.evaluate(EDIT, edits)
        last = dict(edits)
        score = sentence_bleu(last["hypothesis"], [last["reference-1"]], **settings)
        expect(page.locator("#score")).to_have_attribute("data-value", repr(score.value))
        if start + BATCH in LOOKS:
            looks.append(look(page, cdp, start + BATCH))
    for one in looks:
        print(one)
    assert_level(looks[1:])
    recorder.check()


def test_files_scored_again_and_again(watched, recorder):
    page, cdp = watched
    looks = []
    for number in range(1, 31):
        run_files(page, number)
        if number % 10 == 0:
            looks.append(look(page, cdp, number))
    assert_level(looks)
    recorder.check()
