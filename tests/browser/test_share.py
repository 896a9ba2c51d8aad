"""Sharing: the dialog with the link, its code and its frame, and a link that hides the score."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Recorder, expect_notice, open_page, reveal

LINK = "#hypothesis=the+cat+is+on+mat&reference=the+cat+is+on+the+mat"
DESCRIPTIONS = "[...document.querySelectorAll('.description')].map((line) => line.textContent)"


def test_dialog_shows_the_code_and_copies_link_and_frame(page: Page):
    reveal(page, "#hypothesis").fill("the cat is on mat")
    page.locator("#reference-1").fill("the cat is on the mat")
    page.locator("#walk").click()
    page.locator("#present-link").click()
    dialog = page.locator("#sharing")
    expect(dialog.locator("#copy-link")).to_be_focused()
    box = dialog.locator("#code").bounding_box()
    assert box["height"] == page.viewport_size["height"]
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.locator("#presenter")).to_be_focused()
    assert "step=tokens" in page.evaluate("document.getElementById('link').textContent")
    page.locator("#leave").click()
    reveal(page, "#share").click()
    dialog.locator("#predict").click()
    expect(dialog.locator("#link")).to_contain_text("&hide=score")
    with expect_notice(page, "Frame copied"):
        dialog.locator("#copy-frame").click()
    expect(page.locator("#share")).to_be_focused()
    frame = page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(r'<iframe src="[^"]+&amp;hide=score&amp;embed=1" .+></iframe>', frame)
    reveal(page, "#share").click()
    with page.expect_download() as download:
        dialog.locator("#picture").click()
    assert download.value.suggested_filename == "bleu.svg"
    page.keyboard.press("Escape")
    reveal(page, "#reference-1").fill("the cat " * 99)
    reveal(page, "#share").click()
    expect(dialog.locator("#code")).to_be_hidden()
    expect(dialog.locator("#long-link")).to_contain_text("holds 321: copy the link")
    dialog.locator("#predict").click()
    page.keyboard.press("Escape")


def test_hidden_score_is_shown_when_it_is_asked_for(tab: Recorder):
    page = open_page(tab, f"{LINK}&hide=score")
    for css in ("#score", ".factor", "#derivation section"):
        expect(page.locator(css)).to_have_count(0)
    for css in ("#copy", "#keep", "#share"):
        expect(page.locator(css)).to_be_disabled()
    assert not re.search(r"\d\d\.\d\d|\d of \d", page.locator("body").inner_text())
    assert set(page.evaluate(DESCRIPTIONS)) == {""}
    page.get_by_role("button", name="Show the score").click()
    expect(page.locator("#score")).to_contain_text("57.89")
    expect(page.locator("#result")).to_be_focused()
    expect(page.locator("#share")).to_be_enabled()
    tab.check()


def test_frame_gives_its_link_without_opening_a_window(tab: Recorder):
    page = open_page(tab, f"{LINK}&embed=1")
    page.locator("#reference-1").fill("the cat sat")
    with expect_notice(page, "Link copied"):
        page.get_by_role("button", name="Copy the link").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(f"{tab.site}#hypothesis=the+cat+is+on+mat&reference=the+cat+sat")
    assert "embed" not in copied
