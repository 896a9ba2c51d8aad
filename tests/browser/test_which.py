"""The box “Which BLEU is this number?” in use."""

import pytest
from playwright.sync_api import Page, expect

from bleu import sentence_bleu
from tests.browser.conftest import reveal

TEXTS = "The cat sat on a mat, I saw it.", "The cat sits on a mat. I saw it."


def search(page: Page, number: str, texts: tuple[str, str] = TEXTS) -> None:
    """Fill the texts, and search for a number by keyboard."""
    for box, text in zip(("hypothesis", "reference-1"), texts, strict=True):
        reveal(page, f"#{box}").fill(text)
    panel = reveal(page, "#which")
    if panel.get_attribute("open") is None:
        panel.locator("summary").first.click()
    box = panel.get_by_label("Number", exact=True)
    box.fill(number)
    box.press("Enter")


def test_search_finds_a_number_and_applies_its_settings(page):
    value = sentence_bleu(TEXTS[0], [TEXTS[1]], convention="sacrebleu-sentence").value
    search(page, f"{100 * value:.2f}")
    expect(page.locator("#which-status")).to_contain_text("of these numbers agree")
    first = page.locator("#which-body tbody tr").first
    expect(first).to_contain_text("sacreBLEU sentence_bleu")
    expect(page.locator("#which-progress")).to_be_hidden()
    expect(page.locator("#which-cancel")).to_be_hidden()
    first.get_by_role("button").click()
    expect(page.locator("#convention")).to_have_value("sacrebleu-sentence")
    expect(page.locator("#score")).to_have_attribute("data-value", repr(value))
    reveal(page, "#undo").click()
    expect(page.locator("#convention")).to_have_value("default")


def test_mistake_is_named_with_its_code(page):
    characters = sentence_bleu(list(TEXTS[0]), [list(TEXTS[1])], convention="nltk-method0").value
    search(page, f"{characters:.4f}")
    row = page.locator("#which-body tbody tr", has_text="given strings").first
    expect(row).to_contain_text("every character is a token")
    expect(row.get_by_role("button")).to_have_count(0)
    details = page.locator("#which-body details").first
    details.locator("summary").click()
    expect(details.locator("code")).to_contain_text("hypotheses = ['The cat")


@pytest.mark.slow
def test_invalid_number_is_reported_and_kept(page):
    search(page, "100")
    expect(page.locator("#which-body tbody tr")).not_to_have_count(0)
    search(page, "about 20")
    expect(page.locator("#which-error")).to_contain_text("“about 20” is not a score.")
    expect(page.locator("#which-number")).to_have_value("about 20")
    expect(page.locator("#which-status")).to_have_text("")
    expect(page.locator("#which-body")).to_be_empty()


@pytest.mark.slow
def test_result_is_marked_stale_if_the_texts_change(page):
    search(page, "12.345678")
    expect(page.locator("#which-status")).to_contain_text("none agrees with 12.345678")
    expect(page.locator("#which-body tbody tr")).to_have_count(5)
    expect(page.locator("#which-stale")).to_be_hidden()
    reveal(page, "#hypothesis").fill("another text")
    reveal(page, "#which")
    expect(page.locator("#which-stale")).to_be_visible()


@pytest.mark.slow
def test_search_can_be_cancelled(page):
    reveal(page, "#which")
    before = page.locator("#which-body").inner_html()
    text = " ".join(f"word{number % 97}" for number in range(6000))
    cancel = page.locator("#which-cancel")
    # Clicked by a script, because the search may end before Playwright sees the button.
    cancel.evaluate(
        """(button) => new MutationObserver(() => button.hidden || button.click())
            .observe(button, {attributeFilter: ["hidden"]})"""
    )
    search(page, "50", (text, text[::-1]))
    expect(page.locator("#which-status")).to_have_text("Cancelled.")
    expect(cancel).to_be_hidden()
    assert page.locator("#which-body").inner_html() == before
