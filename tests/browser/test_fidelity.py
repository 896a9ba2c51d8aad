"""Limits of other implementations, and pasted Python lists, in the page."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import open_page, reveal


@pytest.mark.slow
def test_link_with_too_many_references_for_a_convention_shows_an_error(tab):
    link = "#hypothesis=a+b+c+d&reference=a+b+c+d&reference=a+b&convention=fairseq"
    page = open_page(tab, link)
    error = page.locator("#error")
    expect(error).to_have_text(
        "The implementation that these settings follow takes one reference, and there are 2. Give "
        "one of them, or choose another implementation."
    )
    expect(page.locator("#convention")).to_have_attribute("aria-invalid", "true")
    expect(reveal(page, "#reference-2")).to_have_value("a b")
    page.locator('[data-command="remove:2"]').click()
    expect(error).to_be_empty()
    expect(page.locator("#result")).to_contain_text("100.00")


@pytest.mark.slow
def test_convention_for_one_reference_shows_an_error_and_the_comparison_works(tab):
    page = open_page(tab, "#hypothesis=a+b+c+d&reference=a+b+c+d&reference=a+b")
    reveal(page, "#convention").select_option("tensor2tensor")
    expect(page.locator("#error")).to_contain_text(
        "The implementation that these settings follow takes one reference, and there are 2."
    )
    reveal(page, "#convention").select_option("sacrebleu")
    expect(page.locator("#error")).to_be_empty()
    page.evaluate("location.hash = '#compare'")
    row = page.locator("#compare tr", has_text="fairseq").first
    expect(row).to_contain_text("It takes one reference only.")


def test_pasted_python_list_is_read_as_tokens(tab):
    page = open_page(tab)
    reveal(page, "#hypothesis").fill("['the', \"cat's\", 'mat']")
    reveal(page, "#reference-1").fill("[['the', \"cat's\", 'mat'], ['a', 'mat']]")
    page.locator("#findings > summary").click()
    page.get_by_role("button", name="Read the list as tokens").click()
    expect(reveal(page, "#hypothesis")).to_have_value("the cat's mat")
    expect(page.locator("#reference-2")).to_have_value("a mat")
    page.locator("#undo").click()
    expect(reveal(page, "#hypothesis")).to_have_value("['the', \"cat's\", 'mat']")


@pytest.mark.slow
def test_unsupported_effective_order_is_reported(tab):
    page = open_page(tab, "")
    reveal(page, "#convention").select_option("sacrebleu-r-floor")
    reveal(page, "#more > summary").click()
    reveal(page, "#effective-order").check()
    expect(page.locator("#error")).to_contain_text(
        "Effective order is ticked, which the implementation"
    )
    reveal(page, "#effective-order").uncheck()
    expect(page.locator("#error")).to_be_empty()
