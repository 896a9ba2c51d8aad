"""Endurance: many edits in one page keep the scores correct and leak no memory."""

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

EDITS = int(os.environ.get("EDITS", "600"))
BATCH = 60
"""The number of edits between two comparisons with the library's score."""
CHECKPOINTS = (3 * EDITS // 10, 6 * EDITS // 10, EDITS)
"""The numbers of edits after which memory is measured."""
WORDS = ("the", "cat", "is", "on", "mat", "a", "dog", "sat")

COUNT = """
for (const name of ["instantiate", "instantiateStreaming"]) {
    const instantiate = WebAssembly[name];
    WebAssembly[name] = async (...args) => {
        const result = await instantiate.apply(WebAssembly, args);
        const exports = (result.instance ?? result).exports ?? {};
        if (exports.hiwire_num_refs) window.python = exports;
        return result;
    };
}
window.proxies = 0;
const Registry = FinalizationRegistry;
window.FinalizationRegistry = class extends Registry {
    constructor(cleanup) { super((value) => { proxies -= 1; cleanup(value); }); }
    register(...args) { proxies += 1; return super.register(...args); }
    unregister(token) {
        const removed = super.unregister(token);
        if (removed) proxies -= 1;
        return removed;
    }
};
"""
"""Exposes the exports of Pyodide's WebAssembly, and counts the Python objects that JavaScript
holds: Pyodide registers each of them, to free it when JavaScript drops it."""

EDIT = """async (texts) => {
    const tick = () => new Promise((resolve) => setTimeout(resolve, 0));
    for (const [index, [id, text]] of texts.entries()) {
        const box = document.getElementById(id);
        box.value = text;
        box.dispatchEvent(new InputEvent("input", {bubbles: true}));
        await tick();
        if (index % 10) continue;
        const lastWord = text.split(" ").at(-1);
        while (!document.getElementById("tokens").textContent.includes(lastWord)) await tick();
    }
}"""
"""Makes edits, each of which is scored; after every tenth, waits until its last word, which is new,
is on the page."""


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """The memory of a page after a garbage collection, in bytes and numbers of objects."""

    edits: int
    javascript: int
    python: int
    references: int
    proxies: int
    nodes: int
    listeners: int


def measure_memory(page: Page, cdp: CDPSession, edits: int) -> MemoryUse:
    """Collect garbage and return what remains."""
    for _ in range(2):
        cdp.send("HeapProfiler.collectGarbage")
    metrics = cdp.send("Performance.getMetrics")["metrics"]
    values = {metric["name"]: metric["value"] for metric in metrics}
    counters = cdp.send("Memory.getDOMCounters")
    return MemoryUse(
        edits,
        int(values["JSHeapUsedSize"]),
        page.evaluate("python.memory.buffer.byteLength"),
        page.evaluate("python.hiwire_num_refs()"),
        page.evaluate("proxies"),
        counters["nodes"],
        counters["jsEventListeners"],
    )


def unique_text(number: int) -> str:
    """Return a text of 4 to 10 words that no other edit has."""
    words = [WORDS[(number * 7 + index * 3) % len(WORDS)] for index in range(3 + number % 7)]
    return " ".join([*words, f"w{number}."])


def change_a_setting(page: Page, batch: int) -> dict[str, Any]:
    """Select another maximum order and smoothing, and return the settings."""
    order, smoothing = 2 + batch % 4, ("none", "floor", "exp")[batch % 3]
    reveal(page, "#max-order").select_option(str(order))
    reveal(page, "#smoothing").select_option(smoothing)
    return {"max_order": order, "smoothing": smoothing}


def show_same_result(page: Page, number: int) -> None:
    """Show texts of one length, with the same settings, so that measurements can be compared."""
    change_a_setting(page, 0)
    for name in ("reference-1", "hypothesis"):
        page.evaluate(EDIT, [(name, f"the cat is on the mat w{number:05}.")])


def score_corpus(page: Page, number: int) -> None:
    """Score a corpus, show its steps, and open one of its segments."""
    score_pasted_lines(page, f"a b c {number}\nd e f", "a b c\nd e f")
    expect(page.locator("#corpus-cancel")).to_be_hidden()
    reveal(page, "#corpus-steps summary").click()
    expect(page.locator("#corpus-steps-body section").first).to_be_visible()
    reveal(page, '[data-command="segment:0"]').click()
    reveal(page, '[data-command="segment-boxes:0"]').click()
    expect(page.locator("#hypothesis")).to_have_value(f"a b c {number}")


def assert_no_growth(measurements: list[MemoryUse]) -> None:
    """Assert that no later measurement exceeds the first by more than a small tolerance."""
    first, *later = measurements
    for memory in later:
        assert memory.javascript < first.javascript + 1_000_000, measurements
        assert memory.python == first.python, measurements
        assert memory.references <= first.references + 20, measurements
        assert memory.proxies <= first.proxies + 5, measurements
        assert memory.nodes <= first.nodes + 200, measurements
        assert memory.listeners <= first.listeners, measurements


@pytest.fixture
def measured_page(recorder: Recorder) -> tuple[Page, CDPSession]:
    """Return a ready page and a session to measure its memory."""
    recorder.page.add_init_script(COUNT)
    page = open_page(recorder)
    cdp = page.context.new_cdp_session(page)
    cdp.send("Performance.enable")
    return page, cdp


def test_many_edits_leak_nothing(measured_page, recorder):
    page, cdp = measured_page
    measurements = [measure_memory(page, cdp, 0)]
    for start in range(0, EDITS, BATCH):
        settings = change_a_setting(page, start // BATCH)
        edits = [
            ("reference-1" if number % 3 == 0 else "hypothesis", unique_text(number))
            for number in range(start, start + BATCH)
        ]
        page.evaluate(EDIT, edits)
        last = dict(edits)
        score = sentence_bleu(last["hypothesis"], [last["reference-1"]], **settings)
        expect(page.locator("#score")).to_have_attribute("data-value", repr(score.value))
        if start + BATCH in CHECKPOINTS:
            show_same_result(page, start + BATCH)
            measurements.append(measure_memory(page, cdp, start + BATCH))
    for memory in measurements:
        print(memory)
    assert_no_growth(measurements[1:])
    recorder.check()


def test_repeated_corpus_scoring_leaks_nothing(measured_page, recorder):
    page, cdp = measured_page
    measurements = []
    for number in range(1, 16):
        score_corpus(page, number)
        if number % 5 == 0:
            measurements.append(measure_memory(page, cdp, number))
    assert_no_growth(measurements)
    recorder.check()
