"""What is typed is never lost: not by a link, a reload, a new build, a full store, or a click."""

import json
import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import (
    START_MS,
    Recorder,
    open_page,
    open_sealed_page,
    reveal,
    score_pasted_lines,
)
from tests.browser.servers import Site, deploy_newer_build
from tests.support.case_selection import fast_and_slow

LINK = "#hypothesis=of+a+link&reference=the+reference+of+a+link"
LONG = "word " * 1_200_000


def keep_texts(page: Page) -> None:
    """Choose that the texts are kept through a reload."""
    reveal(page, "#more summary").click()
    reveal(page, "#keep-texts").check()


def type_over(page: Page, text: str) -> None:
    """Type into the candidate, and wait until Python has seen it."""
    reveal(page, "#hypothesis").fill(text)
    words = len(text.split())
    expect(page.locator("#hypothesis-count")).to_have_text(
        f"{words:,} token{'s' if words != 1 else ''}", timeout=START_MS
    )


def reload(page: Page) -> None:
    """Load the page anew, and wait until Python is up again."""
    page.reload()
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)


def click_a_link_within_the_page(page: Page) -> None:
    """Go to a step."""
    reveal(page, ".steps").get_by_role("link").nth(2).click()
    expect(page).to_have_url(re.compile("[#=]precision-2$"))


@pytest.mark.slow
def test_a_link_within_the_page_changes_nothing_while_the_settings_make_no_sense(recorder):
    page = open_page(recorder)
    keep_texts(page)
    reveal(page, "#hypothesis").fill("kept")
    reveal(page, "#weights").fill("0.9")
    expect(page.locator("#error")).to_contain_text("You gave 1 weight for N = 4")
    type_over(page, "typed after that")
    click_a_link_within_the_page(page)
    expect(page.locator("#hypothesis")).to_have_value("typed after that")
    reload(page)
    expect(page.locator("#hypothesis")).to_have_value("typed after that")
    expect(page.locator("#weights")).to_have_value("0.9")
    expect(page.locator("#error")).to_contain_text("You gave 1 weight for N = 4")
    recorder.check()


@pytest.mark.slow
def test_where_there_is_no_room_to_keep_a_text_it_is_said_and_nothing_older_comes_back(recorder):
    page = open_page(recorder)
    keep_texts(page)
    type_over(page, "the old small text")
    type_over(page, LONG)
    expect(page.locator("#notice")).to_contain_text("no room to keep these texts", timeout=START_MS)
    click_a_link_within_the_page(page)
    reveal(page, "#hypothesis").press("End")
    assert page.locator("#hypothesis").input_value() == LONG
    reload(page)
    expect(page.locator("#hypothesis")).to_have_value("the cat is on mat")
    recorder.check()


def test_an_edit_of_what_a_link_brought_is_kept_through_a_reload(recorder):
    page = open_page(recorder, LINK)
    keep_texts(page)
    type_over(page, "my edit")
    reveal(page, "#add-reference").click()
    reveal(page, "#reference-2").fill("my reference")
    reload(page)
    expect(page.locator("#hypothesis")).to_have_value("my edit")
    expect(page.locator("#reference-1")).to_have_value("the reference of a link")
    expect(page.locator("#reference-2")).to_have_value("my reference")
    click_a_link_within_the_page(page)
    reload(page)
    expect(page.locator("#hypothesis")).to_have_value("my edit")
    page.go_back()
    expect(page).to_have_url(re.compile("hypothesis=of"))
    expect(page.locator("#hypothesis")).to_have_value("my edit")
    recorder.check()


@pytest.mark.slow
def test_an_edit_of_what_a_link_brought_stays_when_one_goes_back_to_it(recorder):
    page = open_page(recorder, LINK)
    type_over(page, "my edit")
    click_a_link_within_the_page(page)
    page.go_back()
    expect(page).to_have_url(re.compile("hypothesis=of"))
    page.evaluate("new Promise(requestAnimationFrame)")
    expect(page.locator("#hypothesis")).to_have_value("my edit")
    recorder.check()


@pytest.mark.slow
def test_another_link_fills_the_boxes_and_can_be_undone(recorder):
    page = open_page(recorder, LINK)
    type_over(page, "my edit")
    page.evaluate("location.hash = 'hypothesis=another&reference=link'")
    expect(page.locator("#hypothesis")).to_have_value("another")
    page.get_by_role("button", name="Undo: opening a link").click()
    expect(page.locator("#hypothesis")).to_have_value("my edit")
    expect(page.locator("#reference-1")).to_have_value("the reference of a link")
    page.get_by_role("button", name="Redo: opening a link").click()
    expect(page.locator("#hypothesis")).to_have_value("another")
    recorder.check()


@pytest.mark.slow
def test_a_link_that_is_opened_over_kept_texts_can_be_undone(recorder):
    page = open_page(recorder)
    keep_texts(page)
    type_over(page, "kept in this tab")
    page.goto("about:blank")
    page.goto(recorder.site + LINK)
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    expect(page.locator("#hypothesis")).to_have_value("of a link")
    page.get_by_role("button", name="Undo: opening a link").click()
    expect(page.locator("#hypothesis")).to_have_value("kept in this tab")
    expect(page.locator("#reference-1")).to_have_value("the cat is on the mat")
    recorder.check()


@pytest.mark.slow
def test_pasted_corpora_are_kept_through_a_reload(recorder):
    page = open_page(recorder)
    keep_texts(page)
    reveal(page, "#corpus-system").fill("a b\nc d")
    reveal(page, "#corpus-references").fill("a b\nc")
    reload(page)
    expect(page.locator("#corpus-system")).to_have_value("a b\nc d")
    expect(page.locator("#corpus-references")).to_have_value("a b\nc")
    expect(page.locator("#corpus-error")).to_be_empty()
    recorder.check()


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", fast_and_slow(1, ["kept words", "long " * 240_000]), ids=["short", "long"]
)
def test_all_boxes_stay_when_a_new_build_is_taken_over(
    context: BrowserContext, site_copy: Site, text
):
    page = open_sealed_page(context, site_copy.address)
    deploy_newer_build(site_copy, "Newer")
    reload(page)
    expect(page.locator("#update")).to_be_visible(timeout=START_MS)
    type_over(page, text)
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
def test_texts_too_long_to_be_kept_are_not_given_up_for_a_new_build(
    context: BrowserContext, site_copy: Site
):
    page = open_sealed_page(context, site_copy.address)
    deploy_newer_build(site_copy, "Newer")
    reload(page)
    expect(page.locator("#update")).to_contain_text("Your texts stay", timeout=START_MS)
    type_over(page, LONG)
    reveal(page, "#take-over").click()
    expect(page.locator("#update")).to_contain_text("too long to be kept")
    expect(page.locator("#update")).not_to_contain_text("texts stay")
    assert page.locator("#hypothesis").input_value() == LONG
    expect(page.locator("h1")).to_have_text("BLEU calculator")


@pytest.mark.slow
def test_what_is_typed_while_another_tab_takes_a_new_build_over_is_kept(
    context: BrowserContext, site_copy: Site
):
    first = open_sealed_page(context, site_copy.address)
    deploy_newer_build(site_copy, "Newer")
    reload(first)
    expect(first.locator("#update")).to_be_visible(timeout=START_MS)
    page = context.new_page()
    # Python is held back where it starts, in this tab alone
    page.add_init_script("WebAssembly.compileStreaming = () => new Promise(() => {})")
    page.goto(site_copy.address + LINK)
    reveal(page, "#hypothesis").fill("typed while Python loads")
    reveal(first, "#take-over").click()
    expect(page.locator("h1")).to_have_text("Newer BLEU calculator", timeout=START_MS)
    kept = page.evaluate("sessionStorage.getItem('bleu-once')")
    assert json.loads(kept)["values"] == {"hypothesis": "typed while Python loads"}
    # Python never starts in this tab; it does in one that has kept the same
    other = context.new_page()
    other.add_init_script(f"sessionStorage.setItem('bleu-once', {json.dumps(kept)})")
    other.goto(site_copy.address + LINK)
    expect(other.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    expect(other.locator("#hypothesis")).to_have_value("typed while Python loads")
    expect(other.locator("#reference-1")).to_have_value("the reference of a link")


@pytest.mark.slow
@pytest.mark.parametrize("reloads", fast_and_slow(1, [2, 1]))
def test_what_is_typed_before_python_is_up_outlives_a_reload_with_what_was_kept(recorder, reloads):
    page = recorder.page
    page.add_init_script(
        "if (sessionStorage.held) WebAssembly.compileStreaming = () => new Promise(() => {})"
    )
    open_page(recorder)
    keep_texts(page)
    type_over(page, "kept before")
    reveal(page, "#reference-1").fill("its reference")
    page.evaluate("sessionStorage.held = 'yes'")
    page.reload()
    reveal(page, "#hypothesis").fill("typed while Python loads")
    for _ in range(reloads - 1):
        page.reload()
        expect(page.locator("#hypothesis")).to_have_value("the cat is on mat")
    page.evaluate("sessionStorage.removeItem('held')")
    reload(page)
    expect(page.locator("#hypothesis")).to_have_value("typed while Python loads")
    expect(page.locator("#reference-1")).to_have_value("its reference")
    recorder.check()


@pytest.fixture
def filled(page: Page) -> Page:
    """The module's page with a text of one's own, whose edits can be undone."""
    reveal(page, "#hypothesis").fill("my own words")
    reveal(page, "#reference-1").fill("my own reference")
    reveal(page, "#add-reference").click()
    reveal(page, "#reference-2").fill("another one")
    return page


def expect_filled(page: Page) -> None:
    """The boxes of `filled` as they were."""
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
    "act",
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
def test_what_a_click_overwrites_comes_back_by_ctrl_z_and_by_the_button(filled: Page, act):
    act(filled)
    expect(filled.locator("#undo")).to_be_visible()
    reveal(filled, "#hypothesis").focus()
    filled.keyboard.press("Control+z")
    expect_filled(filled)
    expect(filled.locator("#convention")).to_have_value("default")
    reveal(filled, "#redo").click()
    expect(filled.locator("#redo")).to_be_hidden()
    reveal(filled, "#undo").click()
    expect_filled(filled)


def test_ctrl_z_undoes_what_was_typed_since_before_what_a_click_overwrote(filled: Page):
    reveal(filled, "#clear").click()
    reveal(filled, "#hypothesis").press_sequentially("n")
    filled.keyboard.press("Control+z")
    expect(filled.locator("#hypothesis")).to_have_value("")
    filled.keyboard.press("Control+z")
    expect_filled(filled)
    filled.keyboard.press("Control+Shift+z")
    expect(filled.locator("#hypothesis")).to_have_value("")


def test_the_button_brings_back_even_over_what_was_typed_since_and_that_again(filled: Page):
    reveal(filled, "#clear").click()
    reveal(filled, "#hypothesis").fill("typed since")
    reveal(filled, "#undo").click()
    expect_filled(filled)
    reveal(filled, "#redo").click()
    expect(filled.locator("#hypothesis")).to_have_value("typed since")


def test_ctrl_z_in_a_box_for_whole_files_is_that_box_s_own(filled: Page):
    reveal(filled, "#clear").click()
    reveal(filled, "#corpus-second").press_sequentially("x")
    filled.keyboard.press("Control+z")
    expect(filled.locator("#corpus-second")).to_have_value("")
    expect(filled.locator("#hypothesis")).to_have_value("")


def test_a_link_that_no_browser_would_open_is_not_made(shared_recorder: Recorder, page: Page):
    text = "猫" * 300_000
    reveal(page, "#tokenizer").select_option("whitespace")
    reveal(page, "#reference-1").fill("short")
    reveal(page, "#hypothesis").fill(text)
    reveal(page, "#share").click()
    expect(page.locator("#notice")).to_contain_text("browsers open links of up to 2,097,152")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the web page").click()
    assert download.value.suggested_filename == "bleu.html"
    reveal(page, "#hypothesis").fill("short")
    reveal(page, "#share").click()
    expect(page.locator("#notice")).to_contain_text("Link copied")
