"""Patching of the page: unchanged items are kept, and the result equals fresh markup."""

import random

import pytest
from playwright.sync_api import Page, expect

from app.browser.dom_patch import split_markup
from app.score.html import build_snapshot
from app.state.inputs import Inputs
from bleu.render import html
from tests.browser.conftest import TIMEOUT_MS, open_page, reveal, wait_for_script
from tests.support.case_selection import fast_and_slow

TYPE = """([name, text]) => {
    const box = document.getElementById(name);
    box.value = text;
    box.dispatchEvent(new Event("input", {bubbles: true}));
}"""
EDIT_AT_ONCE = f"""new MutationObserver((_, observer) => {{
    if (!document.documentElement.hasAttribute("data-ready")) return;
    observer.disconnect();
    ({TYPE})(["hypothesis", "a b c"]);
}}).observe(document, {{attributes: true, subtree: true}})"""
"""Edits the candidate once Python is ready, before the steps of the first result are drawn."""
IS_FRESH = """([markup, patience]) => new Promise((resolve) => {
    const steps = document.querySelector("#derivation"), fresh = document.createElement("div");
    fresh.innerHTML = markup;
    const end = (isFresh) => { observer.disconnect(); resolve(isFresh); };
    const check = () => { if (steps.innerHTML === fresh.innerHTML) end(true); };
    const observer = new MutationObserver(check);
    observer.observe(
        steps, {subtree: true, childList: true, characterData: true, attributes: true});
    check();
    setTimeout(end, patience, false);
})"""
"""Waits until the derivation has this markup, and compares it only after it has changed."""
MARK_ITEMS = (
    "document.querySelectorAll('#derivation tr, #derivation li').forEach((item) => item.old = 1)"
)
NEW_ITEMS = (
    "[...document.querySelectorAll('#derivation :is(tr, li)')].filter((item) => !item.old).length"
)
FIRST_BUTTONS_REACHABLE = """[...document.querySelectorAll("#derivation [data-rove]")].every(
    (group) => [...group.querySelectorAll("button")].every(
        (button, index) => button.tabIndex === -!!index))"""


def expect_fresh(page: Page, hypothesis: str, *references: str, max_order: str = "4") -> None:
    """Wait until the derivation equals that of a newly opened page."""
    view = build_snapshot(Inputs(hypothesis, references, max_order=max_order)).view
    steps = "".join(view.steps.by_anchor.values())
    assert page.evaluate(IS_FRESH, [view.steps.contents + steps, TIMEOUT_MS]), hypothesis


def type_into(page: Page, name: str, text: str) -> None:
    """Set the text of a box, with the event that typing causes."""
    page.mouse.move(0, 0)  # so that no n-gram appears under the pointer, which would highlight it
    page.evaluate(TYPE, [name, text])


def test_added_letter_replaces_only_the_items_of_its_word(page):
    hypothesis, reference = "the cat is on the mat toda", "the cat is on the mat today"
    type_into(page, "hypothesis", hypothesis)
    type_into(page, "reference-1", reference)
    expect_fresh(page, hypothesis, reference)
    page.evaluate(MARK_ITEMS)
    type_into(page, "hypothesis", hypothesis + "g")
    expect_fresh(page, hypothesis + "g", reference)
    assert (
        page.evaluate(NEW_ITEMS) == 2 + 4
    )  # The token in two lists, and the last n-gram of each order.


def test_edit_right_after_the_start_is_drawn(recorder):
    recorder.page.add_init_script(EDIT_AT_ONCE)
    page = open_page(recorder, "#hypothesis=a+b&reference=a+b+c&max-order=2")
    expect_fresh(page, "a b c", "a b c", max_order="2")
    recorder.check()


@pytest.mark.parametrize("seed", fast_and_slow(1, range(3)))
def test_patched_markup_equals_fresh_markup(page, seed):
    draw = random.Random(seed)
    words = ["the", "cat", "mat", "<b>", "</tr>", "&amp;", "猫", "قطة", "a-b", "x" * 30]
    texts = {"hypothesis": ["the"], "reference-1": draw.choices(words, k=12)}
    type_into(page, "reference-1", " ".join(texts["reference-1"]))
    for _ in range(25):
        name = draw.choice(["hypothesis", "hypothesis", "reference-1"])
        index = draw.randrange(len(texts[name]) + 1)
        texts[name][index : index + draw.randrange(3)] = draw.choices(words, k=draw.randrange(1, 4))
        type_into(page, name, " ".join(texts[name]))
        expect_fresh(page, " ".join(texts["hypothesis"]), " ".join(texts["reference-1"]))


def test_first_button_is_reachable_after_a_patch(page):
    type_into(page, "reference-1", "the cat is on the mat today")
    type_into(page, "hypothesis", "the cat is on the mat toda")
    first = reveal(page, "#precision-1 [data-rove] button").first
    first.focus()
    first.press("End")
    expect(page.locator("#precision-1 [data-rove] button").last).to_be_focused()
    assert not page.evaluate(FIRST_BUTTONS_REACHABLE)
    type_into(page, "hypothesis", "the cat is on the mat todag")
    wait_for_script(page, FIRST_BUTTONS_REACHABLE)


@pytest.mark.parametrize("hypothesis", ["", "a", "a b a b", "</tr><li> <tr>"])
def test_split_markup_joins_to_the_markup(hypothesis):
    for step in build_snapshot(Inputs(hypothesis, ("a b",))).explained.document.steps:
        frames, runs = split_markup(html.step(step))
        joined = "".join(
            frame + "".join(run) for frame, run in zip(frames, [*runs, []], strict=True)
        )
        assert joined == html.step(step)
        assert all(runs)


def test_added_letter_restyles_less_than_half_of_the_page(page, browser):
    texts = ("the cat is on the mat toda", "the cat is on the mat today")
    type_into(page, "hypothesis", texts[0])
    type_into(page, "reference-1", texts[1])
    expect(page.locator("#spoken")).to_have_text(
        build_snapshot(Inputs(texts[0], texts[1:])).view.spoken
    )
    restyled: list[int] = []
    element_count = page.locator("*").count()

    def collect(data: dict) -> None:
        restyled.extend(
            event["args"]["elementCount"]
            for event in data["value"]
            if event["name"] == "UpdateLayoutTree" and "elementCount" in event.get("args", {})
        )

    session = browser.new_browser_cdp_session()
    is_complete: list[bool] = []
    session.on("Tracing.dataCollected", collect)
    session.once("Tracing.tracingComplete", lambda _: is_complete.append(True))
    categories = {"includedCategories": ["devtools.timeline"]}
    session.send("Tracing.start", {"transferMode": "ReportEvents", "traceConfig": categories})
    type_into(page, "hypothesis", "the cat is on the mat todag")
    expect(page.locator("section#tokens")).to_contain_text("todag")
    page.wait_for_timeout(2000)  # The work after a pause in typing counts, too.
    session.send("Tracing.end")
    while not is_complete:
        page.wait_for_timeout(50)
    session.detach()
    assert 0 < max(restyled) < element_count / 2
