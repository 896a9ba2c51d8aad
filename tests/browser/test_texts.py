"""Typed text survives links, reloads, new builds, a full storage and clicks."""

import json
import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import (
    START_MS,
    Recorder,
    copy_link,
    expect_notice,
    open_page,
    open_sealed_page,
    reveal,
    score_pasted_lines,
)
from tests.browser.servers import Site, deploy_newer_build
from tests.support.case_selection import fast_and_slow

LINK = "#hypothesis=of+a+link&reference=the+reference+of+a+link"
LONG = "letters" * 40_000 + " and words"
"""A text for which a filled storage has no room; few tokens, so that scoring it is quick."""
FILL_STORAGE = "sessionStorage.setItem('filler', 'x'.repeat(5_000_000))"
"""Leaves less room in the storage of a tab, 5 MiB of characters, than `LONG` takes."""


def keep_texts(page: Page) -> None:
    """Enable the option that keeps the texts through a reload."""
    reveal(page, "#more summary").click()
    reveal(page, "#keep-texts").check()


def replace_hypothesis(page: Page, text: str) -> None:
    """Replace the hypothesis, and wait until Python has read it."""
    reveal(page, "#hypothesis").fill(text)
    count = len(text.split())
    expect(page.locator("#hypothesis-count")).to_have_text(
        f"{count:,} token{'s' if count != 1 else ''}", timeout=START_MS
    )


def reload(page: Page) -> None:
    """Reload the page and wait until Python is ready."""
    page.reload()
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)


def follow_step_link(page: Page) -> None:
    """Follow the link to a step."""
    reveal(page, ".steps").get_by_role("link").nth(2).click()
    expect(page).to_have_url(re.compile("[#=]precision-2$"))


@pytest.mark.slow
def test_step_link_with_invalid_settings_keeps_the_texts(tab):
    page = open_page(tab)
    keep_texts(page)
    reveal(page, "#hypothesis").fill("kept")
    reveal(page, "#weights").fill("0.9")
    expect(page.locator("#error")).to_contain_text("The number of weights is 1, and N is 4")
    replace_hypothesis(page, "typed after that")
    follow_step_link(page)
    expect(page.locator("#hypothesis")).to_have_value("typed after that")
    reload(page)
    expect(page.locator("#hypothesis")).to_have_value("typed after that")
    expect(page.locator("#weights")).to_have_value("0.9")
    expect(page.locator("#error")).to_contain_text("The number of weights is 1, and N is 4")
    tab.check()


@pytest.mark.slow
def test_text_too_long_for_storage_is_reported_and_no_older_text_returns(tab):
    page = open_page(tab)
    keep_texts(page)
    replace_hypothesis(page, "the old small text")
    page.evaluate(FILL_STORAGE)
    replace_hypothesis(page, LONG)
    expect(page.locator("#notice")).to_contain_text("they are too long", timeout=START_MS)
    follow_step_link(page)
    reveal(page, "#hypothesis").press("End")
    assert page.locator("#hypothesis").input_value() == LONG
    reload(page)
    expect(page.locator("#hypothesis")).to_have_value("the cat is on mat")
    tab.check()


def test_link_with_settings_that_do_not_exist_opens_with_a_note(tab):
    texts = "hypothesis=a+b&reference=a+b&max-order=2"
    page = open_page(tab, f"#{texts}&tokenizer=moses&colour=red")
    note = "The link asks for tokenizer “moses” and setting “colour”, which do not exist"
    expect(page.locator("#notice")).to_contain_text(note)
    expect(page.locator("#max-order")).to_have_value("2")
    page.goto(f"{tab.site}#{texts}&smoothing=nist&step=tokens&view=why")
    expect(page.locator("#notice")).to_contain_text("smoothing “nist”, which does not exist")
    expect(page.locator("html[data-walk=tokens]")).to_have_count(1)
    page.goto(f"{tab.site}#{texts}&lang=en&view=why")
    expect(page.locator("#notice")).to_be_empty()
    tab.check()


def test_edit_of_a_linked_text_survives_a_reload(tab):
    page = open_page(tab, LINK)
    keep_texts(page)
    replace_hypothesis(page, "my edit")
    reveal(page, "#add-reference").click()
    reveal(page, "#reference-2").fill("my reference")
    reload(page)
    expect(page.locator("#hypothesis")).to_have_value("my edit")
    expect(page.locator("#reference-1")).to_have_value("the reference of a link")
    expect(page.locator("#reference-2")).to_have_value("my reference")
    follow_step_link(page)
    reload(page)
    expect(page.locator("#hypothesis")).to_have_value("my edit")
    page.go_back()
    expect(page).to_have_url(re.compile("hypothesis=of"))
    expect(page.locator("#hypothesis")).to_have_value("my edit")
    tab.check()


@pytest.mark.slow
def test_edit_of_a_linked_text_survives_going_back(tab):
    page = open_page(tab, LINK)
    replace_hypothesis(page, "my edit")
    follow_step_link(page)
    page.go_back()
    expect(page).to_have_url(re.compile("hypothesis=of"))
    page.evaluate("new Promise(requestAnimationFrame)")
    expect(page.locator("#hypothesis")).to_have_value("my edit")
    tab.check()


@pytest.mark.slow
def test_second_link_fills_the_boxes_and_can_be_undone(tab):
    page = open_page(tab, LINK)
    replace_hypothesis(page, "my edit")
    page.evaluate("location.hash = 'hypothesis=another&reference=link'")
    expect(page.locator("#hypothesis")).to_have_value("another")
    page.get_by_role("button", name="Undo: opening a link").click()
    expect(page.locator("#hypothesis")).to_have_value("my edit")
    expect(page.locator("#reference-1")).to_have_value("the reference of a link")
    page.get_by_role("button", name="Redo: opening a link").click()
    expect(page.locator("#hypothesis")).to_have_value("another")
    tab.check()


@pytest.mark.slow
def test_link_over_saved_texts_can_be_undone(tab):
    page = open_page(tab)
    keep_texts(page)
    replace_hypothesis(page, "kept in this tab")
    page.goto("about:blank")
    page.goto(tab.site + LINK)
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    expect(page.locator("#hypothesis")).to_have_value("of a link")
    page.get_by_role("button", name="Undo: opening a link").click()
    expect(page.locator("#hypothesis")).to_have_value("kept in this tab")
    expect(page.locator("#reference-1")).to_have_value("the cat is on the mat")
    tab.check()


@pytest.mark.slow
def test_pasted_corpora_survive_a_reload(tab):
    page = open_page(tab)
    keep_texts(page)
    reveal(page, "#corpus-system").fill("a b\nc d")
    reveal(page, "#corpus-references").fill("a b\nc")
    reload(page)
    expect(page.locator("#corpus-system")).to_have_value("a b\nc d")
    expect(page.locator("#corpus-references")).to_have_value("a b\nc")
    expect(page.locator("#corpus-error")).to_be_empty()
    tab.check()


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["kept words", "letters" * 170_000 + " and words"], ids=["short", "long"]
)
def test_all_texts_survive_an_update(context: BrowserContext, site_copy: Site, text):
    page = open_sealed_page(context, site_copy.address)
    deploy_newer_build(site_copy, "Newer")
    reload(page)
    expect(page.locator("#update")).to_be_visible(timeout=START_MS)
    replace_hypothesis(page, text)
    reveal(page, "#add-reference").click()
    reveal(page, "#reference-2").fill("a second reference \ud83d\ude00 猫")
    score_pasted_lines(page, "one\ntwo", "one\nthree")
    expect(page.locator("#corpus-outcome")).to_be_visible()
    reveal(page, "#take-over").click()
    expect(page.locator("h1")).to_have_text("Newer BLEU calculator", timeout=START_MS)
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    assert page.locator("#hypothesis").input_value() == text
    expect(page.locator("#reference-2")).to_have_value("a second reference \U0001f600 猫")
    expect(page.locator("#corpus-system")).to_have_value("one\ntwo")
    expect(page.locator("#corpus-references")).to_have_value("one\nthree")
    expect(page.locator("#keep-texts")).not_to_be_checked()


@pytest.mark.slow
def test_update_is_refused_if_the_texts_cannot_be_saved(context: BrowserContext, site_copy: Site):
    page = open_sealed_page(context, site_copy.address)
    deploy_newer_build(site_copy, "Newer")
    reload(page)
    expect(page.locator("#update")).to_contain_text("Your texts stay", timeout=START_MS)
    page.evaluate(FILL_STORAGE)
    replace_hypothesis(page, LONG)
    reveal(page, "#take-over").click()
    expect(page.locator("#update")).to_contain_text("they are too long")
    expect(page.locator("#update")).not_to_contain_text("texts stay")
    assert page.locator("#hypothesis").input_value() == LONG
    expect(page.locator("h1")).to_have_text("BLEU calculator")


@pytest.mark.slow
def test_text_typed_before_python_starts_survives_an_update_in_another_tab(
    context: BrowserContext, site_copy: Site
):
    first = open_sealed_page(context, site_copy.address)
    deploy_newer_build(site_copy, "Newer")
    reload(first)
    expect(first.locator("#update")).to_be_visible(timeout=START_MS)
    page = context.new_page()
    # Python never starts in this tab.
    page.add_init_script("WebAssembly.compileStreaming = () => new Promise(() => {})")
    page.goto(site_copy.address + LINK)
    reveal(page, "#hypothesis").fill("typed while Python loads")
    reveal(first, "#take-over").click()
    expect(page.locator("h1")).to_have_text("Newer BLEU calculator", timeout=START_MS)
    saved = page.evaluate("sessionStorage.getItem('bleu-once')")
    assert json.loads(saved)["values"] == {"hypothesis": "typed while Python loads"}
    # A third tab with the same saved text starts Python.
    restored = context.new_page()
    restored.add_init_script(f"sessionStorage.setItem('bleu-once', {json.dumps(saved)})")
    restored.goto(site_copy.address + LINK)
    expect(restored.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    expect(restored.locator("#hypothesis")).to_have_value("typed while Python loads")
    expect(restored.locator("#reference-1")).to_have_value("the reference of a link")


@pytest.mark.slow
@pytest.mark.parametrize("reloads", fast_and_slow(1, [2, 1]))
def test_text_typed_before_python_starts_survives_reloads(recorder, reloads):
    page = recorder.page
    page.add_init_script(
        "if (sessionStorage.delayed) WebAssembly.compileStreaming = () => new Promise(() => {})"
    )
    open_page(recorder)
    keep_texts(page)
    replace_hypothesis(page, "kept before")
    reveal(page, "#reference-1").fill("its reference")
    page.evaluate("sessionStorage.delayed = 'yes'")
    page.reload()
    reveal(page, "#hypothesis").fill("typed while Python loads")
    for _ in range(reloads - 1):
        page.reload()
        expect(page.locator("#hypothesis")).to_have_value("the cat is on mat")
    page.evaluate("sessionStorage.removeItem('delayed')")
    reload(page)
    expect(page.locator("#hypothesis")).to_have_value("typed while Python loads")
    expect(page.locator("#reference-1")).to_have_value("its reference")
    recorder.check()


@pytest.fixture
def filled_page(page: Page) -> Page:
    """Return the module's page with texts in three boxes."""
    reveal(page, "#hypothesis").fill("my own words")
    reveal(page, "#reference-1").fill("my own reference")
    reveal(page, "#add-reference").click()
    reveal(page, "#reference-2").fill("another one")
    return page


def expect_filled(page: Page) -> None:
    """Assert that the boxes hold the texts of `filled_page`."""
    expect(page.locator("#hypothesis")).to_have_value("my own words")
    expect(page.locator("#reference-1")).to_have_value("my own reference")
    expect(page.locator("#reference-2")).to_have_value("another one")


def remove_second(page: Page) -> None:
    page.get_by_role("button", name="Remove reference 2").click()


def open_a_segment(page: Page) -> None:
    score_pasted_lines(page, "one segment", "one reference")
    reveal(page, '[data-command="segment:0"]').click()
    reveal(page, '[data-command="segment-boxes:0"]').click()


@pytest.mark.parametrize(
    "action",
    [
        lambda page: reveal(page, "#clear").click(),
        lambda page: reveal(page, '[data-command="example:partial-match"]').click(),
        lambda page: reveal(page, "#swap").click(),
        lambda page: reveal(page, "#convention").select_option("nltk-method3"),
        remove_second,
        open_a_segment,
    ],
    ids=["clear", "example", "swap", "convention", "remove", "segment"],
)
def test_click_that_replaces_texts_is_undone_by_ctrl_z_and_by_the_button(filled_page: Page, action):
    action(filled_page)
    expect(filled_page.locator("#undo")).to_be_visible()
    reveal(filled_page, "#hypothesis").focus()
    filled_page.keyboard.press("Control+z")
    expect_filled(filled_page)
    expect(filled_page.locator("#convention")).to_have_value("default")
    reveal(filled_page, "#redo").click()
    expect(filled_page.locator("#redo")).to_be_hidden()
    reveal(filled_page, "#undo").click()
    expect_filled(filled_page)


def test_ctrl_z_undoes_the_typing_and_then_the_click_before_it(filled_page: Page):
    reveal(filled_page, "#clear").click()
    reveal(filled_page, "#hypothesis").press_sequentially("n")
    filled_page.keyboard.press("Control+z")
    expect(filled_page.locator("#hypothesis")).to_have_value("")
    filled_page.keyboard.press("Control+z")
    expect_filled(filled_page)
    filled_page.keyboard.press("Control+Shift+z")
    expect(filled_page.locator("#hypothesis")).to_have_value("")


def test_undo_button_overwrites_later_typing_and_redo_restores_it(filled_page: Page):
    reveal(filled_page, "#clear").click()
    reveal(filled_page, "#hypothesis").fill("typed since")
    reveal(filled_page, "#undo").click()
    expect_filled(filled_page)
    reveal(filled_page, "#redo").click()
    expect(filled_page.locator("#hypothesis")).to_have_value("typed since")


def test_ctrl_z_in_a_corpus_box_affects_that_box_only(filled_page: Page):
    reveal(filled_page, "#clear").click()
    box = reveal(filled_page, "#corpus-references")
    before = box.input_value()
    box.press_sequentially("x")
    filled_page.keyboard.press("Control+z")
    expect(box).to_have_value(before)
    expect(filled_page.locator("#hypothesis")).to_have_value("")


@pytest.mark.slow
def test_link_too_long_for_browsers_is_not_created(shared_recorder: Recorder, page: Page):
    text = "猫" * 300_000
    reveal(page, "#tokenizer").select_option("whitespace")
    reveal(page, "#reference-1").fill("short")
    reveal(page, "#hypothesis").fill(text)
    copy_link(page)
    expect(page.locator("#notice")).to_contain_text("browsers open links of up to 2,097,152")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the web page").click()
    assert download.value.suggested_filename == "bleu.html"
    reveal(page, "#hypothesis").fill("short")
    with expect_notice(page, "Link copied"):
        copy_link(page)
