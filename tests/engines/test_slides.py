"""The slides of a long text in every engine."""

import pytest

HYPOTHESIS, REFERENCE = ("+".join(f"word{n % period}" for n in range(60)) for period in (37, 41))
LINK = f"#hypothesis={HYPOTHESIS}&reference={REFERENCE}&view=why"
HIDDEN_PIXELS = """return [...document.querySelectorAll("#calculator, #why")]
    .map((node) => node.scrollHeight - node.clientHeight)"""
OPEN_CODE = "document.querySelectorAll('.code summary').forEach((node) => node.click())"


@pytest.mark.slow
def test_slides_of_60_words_fit_with_code_and_without(engine_page, blank, site):
    page = engine_page
    with page.framed(blank, f"{site}{LINK}", 1280, 720):
        for has_code in (False, True):
            if has_code:
                page.run(OPEN_CODE)
                page.until_true(lambda: page.count("#score-step .code[open] pre"))
            page.click("#walk")
            page.until(lambda: page.data("html", "walk"), "tokens")
            while not page.count("#next:disabled"):
                assert max(page.run(HIDDEN_PIXELS)) <= 1, page.text("#where")
                page.click("#next")
            assert max(page.run(HIDDEN_PIXELS)) <= 1, page.text("#where")
            page.click("#leave")
