"""Rows that stay the same are left as they stand; what is shown is what a fresh page would show."""

import random

import pytest
from playwright.sync_api import Page, expect

from app.browser.dom_patch import split_markup
from app.score.html import build_snapshot
from app.state.inputs import Inputs
from bleu.render import html
from tests.browser.conftest import reveal, wait_for_script
from tests.support.case_selection import fast_and_slow

TYPE = """([name, text]) => {
    const box = document.getElementById(name);
    box.value = text;
    box.dispatchEvent(new Event("input", {bubbles: true}));
}"""
FRESH = """(markup) => {
    const fresh = document.createElement("div");
    fresh.innerHTML = markup;
    return document.querySelector("#derivation").innerHTML === fresh.innerHTML;
}"""
MARK = "document.querySelectorAll('#derivation tr, #derivation li').forEach((one) => one.old = 1)"
NEW = "[...document.querySelectorAll('#derivation :is(tr, li)')].filter((one) => !one.old).length"
REACHED = """[...document.querySelectorAll("#derivation [data-rove]")].every((group) =>
    [...group.querySelectorAll("button")].every((one, place) => one.tabIndex === -!!place))"""


def expect_fresh(page: Page, hypothesis: str, *references: str) -> None:
    """Wait until the derivation is, to the last character, that of a page just opened."""
    shown = build_snapshot(Inputs(hypothesis, references)).view
    steps = "".join(markup for _, markup in shown.steps)
    wait_for_script(page, FRESH, shown.contents + steps)


def write(page: Page, name: str, text: str) -> None:
    """Put a text into a box, as typing does."""
    page.evaluate(TYPE, [name, text])


def test_a_letter_more_replaces_the_rows_of_one_word(page):
    hypothesis, reference = "the cat is on the mat toda", "the cat is on the mat today"
    write(page, "hypothesis", hypothesis)
    write(page, "reference-1", reference)
    expect_fresh(page, hypothesis, reference)
    page.evaluate(MARK)
    write(page, "hypothesis", hypothesis + "g")
    expect_fresh(page, hypothesis + "g", reference)
    assert page.evaluate(NEW) == 2 + 4  # a token in its lists, and the last n-gram of each order


@pytest.mark.parametrize("seed", fast_and_slow(1, range(3)))
def test_what_is_patched_is_as_if_made_anew(page, seed):
    draw = random.Random(seed)
    words = ["the", "cat", "mat", "<b>", "</tr>", "&amp;", "猫", "قطة", "a-b", "x" * 30]
    texts = {"hypothesis": ["the"], "reference-1": draw.choices(words, k=12)}
    write(page, "reference-1", " ".join(texts["reference-1"]))
    for _ in range(40):
        name = draw.choice(["hypothesis", "hypothesis", "reference-1"])
        place = draw.randrange(len(texts[name]) + 1)
        texts[name][place : place + draw.randrange(3)] = draw.choices(words, k=draw.randrange(1, 4))
        write(page, name, " ".join(texts[name]))
        expect_fresh(page, " ".join(texts["hypothesis"]), " ".join(texts["reference-1"]))


def test_every_row_can_be_reached_after_a_patch(page):
    write(page, "reference-1", "the cat is on the mat today")
    write(page, "hypothesis", "the cat is on the mat toda")
    first = reveal(page, "#precision-1 [data-rove] button").first
    first.focus()
    first.press("End")
    expect(page.locator("#precision-1 [data-rove] button").last).to_be_focused()
    assert not page.evaluate(REACHED)
    write(page, "hypothesis", "the cat is on the mat todag")
    wait_for_script(page, REACHED)


@pytest.mark.parametrize("hypothesis", ["", "a", "a b a b", "</tr><li> <tr>"])
def test_the_parts_are_the_markup(hypothesis):
    for step in build_snapshot(Inputs(hypothesis, ("a b",))).document.steps:
        around, runs = split_markup(html.step(step))
        joined = "".join(
            frame + "".join(run) for frame, run in zip(around, [*runs, []], strict=True)
        )
        assert joined == html.step(step)
        assert all(runs)


def test_a_letter_restyles_a_small_part_of_the_page(page, browser):
    texts = ("the cat is on the mat toda", "the cat is on the mat today")
    write(page, "hypothesis", texts[0])
    write(page, "reference-1", texts[1])
    expect(page.locator("#spoken")).to_have_text(
        build_snapshot(Inputs(texts[0], texts[1:])).view.spoken
    )
    restyled: list[int] = []
    whole = page.locator("*").count()

    def collect(given: dict) -> None:
        restyled.extend(
            event["args"]["elementCount"]
            for event in given["value"]
            if event["name"] == "UpdateLayoutTree" and "elementCount" in event.get("args", {})
        )

    session = browser.new_browser_cdp_session()
    ended: list[int] = []
    session.on("Tracing.dataCollected", collect)
    session.once("Tracing.tracingComplete", lambda _: ended.append(1))
    categories = {"includedCategories": ["devtools.timeline"]}
    session.send("Tracing.start", {"transferMode": "ReportEvents", "traceConfig": categories})
    write(page, "hypothesis", "the cat is on the mat todag")
    expect(page.locator("section#tokens")).to_contain_text("todag")
    page.wait_for_timeout(2000)  # what follows when typing rests counts, too
    session.send("Tracing.end")
    while not ended:
        page.wait_for_timeout(50)
    session.detach()
    assert 0 < sum(restyled) < whole / 2
