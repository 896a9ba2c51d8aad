"""The page while a translator of the browser rewrites it: user texts stay, and everything works.

The texts of these tests consist of words with `kzq`, which nothing of the page contains.
"""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from app.state.inputs import Inputs
from app.state.saved_form import to_fragment
from tests.browser.conftest import VIEWS, Recorder, open_page, reveal, word_place
from tests.browser.test_corpus import file
from tests.browser.test_patch import type_into

TRANSLATOR = Path(__file__).with_name("translator.js").read_text("utf-8")
REVERSED_NUMBERS = Path(__file__).with_name("reversed_numbers.js").read_text("utf-8")
MARK = "kzq"
HYPOTHESIS = "thekzq catkzq satkzq onkzq 12kzq matkzq matkzq"
REFERENCES = ("thekzq catkzq isokzq onkzq 12kzq matkzq", "akzq catkzq satkzq")
EDITED = "thekzq catkzq isokzq onkzq 12kzq matkzq akzq"


def translate(page: Page) -> None:
    """Let a translator rewrite the page, now and after every change."""
    page.evaluate(TRANSLATOR)
    expect(page.locator("font font").first).to_be_attached()


def expect_no_texts_sent(page: Page) -> None:
    """Check that no text of the user was given to the translator."""
    sent = page.evaluate("window.sent.splice(0)")
    assert [text for text in sent if MARK in text] == []


def expect_result(page: Page, inputs: Inputs) -> None:
    """Wait until the page shows the score of a form, and check its texts in every view."""
    value = page.locator("#score")
    expect(value).to_have_attribute("data-value", re.compile(r"^[01]\.\d"))
    tokens = page.locator("#tokens .token-list").first.locator("li")
    expect(tokens).to_have_text(inputs.hypothesis.split())
    marked = page.locator("#matches .running").first.locator(".token")
    expect(marked).to_have_text(inputs.hypothesis.split())


def test_translated_form_goes_on_working(tab: Recorder):
    page = open_page(tab)
    inputs = Inputs(HYPOTHESIS, REFERENCES)
    translate(page)
    page.evaluate("fragment => { location.hash = fragment; }", to_fragment(inputs, "calculator"))
    expect_result(page, inputs)
    first = page.locator("#score").get_attribute("data-value")
    reveal(page, "#max-order").select_option("2")
    expect(page.locator("#score")).not_to_have_attribute("data-value", first)
    reveal(page, "#smoothing").select_option("floor")
    reveal(page, "#smoothing-value").fill("0.25")
    expect(page.locator("html[data-invalid]")).to_have_count(0)
    reveal(page, "#keep").click()
    second = page.locator("#score").get_attribute("data-value")
    type_into(page, "hypothesis", EDITED)
    expect_result(page, Inputs(EDITED))
    expect(page.locator("#pinned bdi").first).to_be_visible()
    reveal(page, "#max-order").select_option("9")
    reveal(page, "#max-order").select_option("2")
    reveal(page, "#swap").click()
    expect_result(page, Inputs(REFERENCES[0]))
    reveal(page, "#undo").click()
    expect_result(page, Inputs(EDITED))
    type_into(page, "hypothesis", HYPOTHESIS)
    expect(page.locator("#score")).to_have_attribute("data-value", second)
    page.mouse.move(*word_place(page, 0, "thekzq"))
    expect(page.locator("#reading")).to_contain_text("thekzq")
    reveal(page, "#walk").click()
    for _ in range(9):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#where font")).not_to_have_count(0)
    reveal(page, "#leave").click()
    expect_no_texts_sent(page)


@pytest.mark.slow
def test_translated_form_shows_its_errors(tab: Recorder):
    page = open_page(tab, f"#{to_fragment(Inputs(HYPOTHESIS, REFERENCES))}")
    translate(page)
    reveal(page, "#more").evaluate("details => { details.open = true; }")
    reveal(page, "#weights").fill("1kzq")
    expect(page.locator("#error")).to_contain_text("1kzq")
    reveal(page, "#copy").click()
    expect(page.locator("#notice font")).not_to_have_count(0)
    reveal(page, "#weights").fill("")
    expect(page.locator("#error")).to_be_empty()
    reveal(page, "#copy").click()
    assert page.locator("#notice").get_attribute("data-text").startswith("BLEU-4 = ")
    expect_no_texts_sent(page)


@pytest.mark.slow
def test_translated_tools_show_the_texts_of_the_user(tab: Recorder):
    inputs = Inputs(HYPOTHESIS.replace("on", "on,"), REFERENCES, max_order="2")
    page = open_page(tab, f"#{to_fragment(inputs, 'compare')}")
    translate(page)
    for panel in ("lens", "what-if", "check-yourself"):
        reveal(page, f"#{panel} > summary").click()
    expect(page.locator("#lens-body")).to_contain_text("on,kzq")
    expect(page.locator("#what-if-body")).to_contain_text("catkzq")
    expect(page.locator("#snippets-body pre").first).to_contain_text(inputs.hypothesis)
    reveal(page, "#which-number").fill("12kzq")
    reveal(page, "#which-search").click()
    expect(page.locator("#which-error")).to_contain_text("12kzq")
    reveal(page, "#which-number").fill("0.5")
    reveal(page, "#which-search").click()
    expect(page.locator("#which-body pre, #which-status font").first).to_be_attached()
    reveal(page, "[data-command='copy-code:0']").first.click()
    assert inputs.hypothesis in page.locator("#notice").get_attribute("data-text")
    reveal(page, "[data-command^='edit:']").first.click()
    expect(page.locator("#hypothesis")).not_to_have_value(inputs.hypothesis)
    expect_no_texts_sent(page)


def open_systems(page: Page) -> None:
    """Open three systems, one of which has a fault, and a reference."""
    one = file("setkzq.onekzq.txt", [HYPOTHESIS, REFERENCES[1], "“akzq” bkzq"])
    two = file("setkzq.twokzq.txt", [EDITED, REFERENCES[0], "ckzq bkzq dkzq"])
    three = one | {"name": "setkzq.threekzq.txt"}
    page.locator("#corpus-system-file").set_input_files([one, two, three])
    references = file("goldkzq.txt", [*REFERENCES, "akzq bkzq ckzq"])
    page.locator("#corpus-references-file").set_input_files(references)
    expect(page.locator("#corpus-references-opened")).to_contain_text("goldkzq.txt")


def test_translated_files_are_scored(tab: Recorder):
    page = open_page(tab, "#files")
    translate(page)
    open_systems(page)
    reveal(page, "#corpus-test").select_option("bootstrap")
    reveal(page, "#corpus-max-order").select_option("2")
    reveal(page, "#corpus-run").click()
    expect(page.locator("#corpus-score")).to_be_visible()
    expect(page.locator("#corpus-result")).to_contain_text("twokzq")
    expect(page.locator("#check-up-body")).to_contain_text("kzq")
    reveal(page, "#corpus-shown").select_option("2")
    reveal(page, "#corpus-shown").select_option("1")
    for section in ("ngrams", "comparison", "steps"):
        reveal(page, f"#corpus-{section} > summary").click()
        expect(page.locator(f"#corpus-{section}-body table").first).to_be_visible()
    reveal(page, "[data-command^='ngram:']").first.click()
    expect(page.locator(".filtered")).to_contain_text("kzq")
    reveal(page, "[data-command='ngram:[]']").click()
    reveal(page, "#segments-filter").fill("nonekzq")
    expect(page.locator("#segments-body .nothing")).to_contain_text("nonekzq")
    reveal(page, "#segments-filter").fill("satkzq")
    expect(page.locator("#segments-body td.words").first).to_contain_text("satkzq")
    reveal(page, "#segments-filter").fill("")
    reveal(page, "#segments-body [data-command^='segment:']").first.click()
    expect(page.locator("#segment-view .candidate h3").first).to_contain_text("onekzq")
    reveal(page, "[data-command='segment-steps:0']").click()
    page.locator("#segment-view .token").first.hover()
    expect(page.locator("#segment-reading")).to_contain_text("kzq")
    reveal(page, "[data-command='segment-step:1']").click()
    reveal(page, "#corpus-name-0").fill("betterkzq")
    page.locator("#corpus-again").click()
    expect(page.locator("#corpus-result")).to_contain_text("betterkzq")
    expect_no_texts_sent(page)


@pytest.mark.slow
def test_translated_files_show_their_errors(tab: Recorder):
    page = open_page(tab, "#files")
    translate(page)
    for name, content in (("badkzq.csv", "akzq,bkzq\nckzq"), ("emptykzq.xlsx", "PK\x03\x04kzq")):
        upload = {"name": name, "mimeType": "text/plain", "buffer": content.encode()}
        page.locator("#corpus-table-file").set_input_files(upload)
        expect(page.locator("#corpus-error")).to_contain_text(name)
    table = "mtkzq\trefkzq\nakzq bkzq\takzq ckzq\n"
    upload = {"name": "goodkzq.tsv", "mimeType": "text/plain", "buffer": table.encode()}
    page.locator("#corpus-table-file").set_input_files(upload)
    expect(page.locator("#columns")).to_contain_text("mtkzq")
    reveal(page, "#corpus-system").fill("akzq")
    reveal(page, "#corpus-references").fill("akzq\nbkzq")
    reveal(page, "[data-command='close-table']").click()
    reveal(page, "#corpus-run").click()
    expect(page.locator("#corpus-error font")).not_to_have_count(0)
    expect_no_texts_sent(page)


@pytest.mark.slow
def test_translated_lesson_takes_answers(tab: Recorder):
    page = open_page(tab, f"#{to_fragment(Inputs(HYPOTHESIS, REFERENCES), 'learn')}")
    translate(page)
    expect(page.locator("#exercise")).to_be_visible()
    for screen in ("tokens", "clipping", "brevity", "mean"):
        reveal(page, f"#learn-aside [data-command='learn:screen {screen}']").click()
        for _ in range(3):
            if page.locator("#learn-actions [data-command='learn:hint']").count():
                page.locator("#learn-actions [data-command='learn:hint']").click()
        blank = page.locator("#exercise .options input, #exercise .blank").first
        if blank.get_attribute("type") == "radio":
            blank.check()
        else:
            blank.fill("7")
        page.locator("#learn-actions [type=submit]").click()
        expect(page.locator("#learn-said font")).not_to_have_count(0)
    expect_no_texts_sent(page)


WORKSHEET = (
    "#exercises=13&version=4&topics=clipping+whole&count=3&order=2&view=learn"
    "&text-1=akzq+bkzq+akzq%0Aakzq+bkzq+ckzq"
)


def test_translated_worksheet_takes_answers(tab: Recorder):
    page = open_page(tab, WORKSHEET)
    translate(page)
    expect(page.locator("#exercise")).to_contain_text("bkzq")
    for blank in page.locator("#exercise .blank").all():
        blank.fill("1")
    page.locator("#learn-actions [type=submit], #learn-actions button").first.click()
    expect(page.locator("#learn-said font")).not_to_have_count(0)
    reveal(page, "#learn-sheet").click()
    expect(page.locator("#rewrite-0")).to_be_attached()
    reveal(page, "#learn-present").click()
    expect(page.locator("#where font")).not_to_have_count(0)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    reveal(page, "#learn-practice").click()
    expect(page.locator("#exercise font")).not_to_have_count(0)
    expect_no_texts_sent(page)


def test_every_option_has_a_value(tab: Recorder):
    page = open_page(tab)
    without_value = """() => [document, ...[...document.querySelectorAll("template")].map(
        (template) => template.content)].flatMap((root) =>
        [...root.querySelectorAll("option:not([value])")].map((option) => option.outerHTML))"""
    assert page.evaluate(without_value) == []


FROM_RIGHT_TO_LEFT = "document.documentElement.dir = 'rtl'"


def expect_numbers_in_order(page: Page) -> None:
    """Check that all numbers in sight run from left to right."""
    assert page.evaluate(REVERSED_NUMBERS) == []


@pytest.mark.slow
def test_numbers_keep_their_direction_in_a_page_from_right_to_left(tab: Recorder):
    inputs = Inputs("thekzq catkzq satkzq onkzq", REFERENCES, smoothing="floor")
    page = open_page(tab, f"#{to_fragment(inputs)}")
    page.evaluate(FROM_RIGHT_TO_LEFT)
    reveal(page, "#keep").click()
    type_into(page, "hypothesis", "thekzq catkzq satkzq")
    expect(page.locator("#pinned bdi")).not_to_have_count(0)
    for view in VIEWS:
        page.evaluate("view => { location.hash = view; }", view)
        expect(page.locator(view)).to_be_visible()
        if view == "#compare":
            reveal(page, "#what-if > summary").click()
            expect(page.locator("#what-if-body table").first).to_be_visible()
        if view == "#learn":
            reveal(page, "[data-command='learn:screen brevity']").first.click()
            expect(page.locator("#exercise")).to_be_visible()
        expect_numbers_in_order(page)
    reveal(page, "#why")
    reveal(page, "#walk").click()
    for _ in range(9):
        expect_numbers_in_order(page)
        page.keyboard.press("ArrowRight")


@pytest.mark.slow
def test_numbers_of_files_keep_their_direction(tab: Recorder):
    page = open_page(tab, "#files")
    page.evaluate(FROM_RIGHT_TO_LEFT)
    reveal(page, "#corpus-test").select_option("bootstrap")
    open_systems(page)
    reveal(page, "#corpus-run").click()
    page.locator("#check-up-toggle").click()
    expect(page.locator("#check-up-body .faults")).to_be_visible()
    reveal(page, "#corpus-steps > summary").click()
    expect(page.locator("#corpus-steps-body .step").first).to_be_visible()
    reveal(page, ".parts > summary").click()
    reveal(page, "#segments-body [data-command^='segment:']").first.click()
    reveal(page, "[data-command='segment-steps:0']").click()
    expect(page.locator("#segment-steps-0 .step").first).to_be_visible()
    expect_numbers_in_order(page)
