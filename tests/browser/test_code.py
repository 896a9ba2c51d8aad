"""The folds with the Python code of the steps: closed, opened, updated, presented and printed."""

import pytest
from playwright.sync_api import Locator, Page, expect

from bleu import derive
from bleu.core.api import Derivation
from bleu.render.numbers import number_text
from tests.browser.conftest import START_MS, reveal

TEXTS = "the cat is on mat", ["the cat is on the mat"]
LONGER = "the cat is on a mat", TEXTS[1]


@pytest.fixture
def page(page: Page) -> Page:
    """Return the page of the module with the texts."""
    reveal(page, "#hypothesis").fill(TEXTS[0])
    reveal(page, "#reference-1").fill(TEXTS[1][0])
    expect(page.locator("#score")).to_have_attribute("data-value", repr(derive(*TEXTS).score.value))
    return page


def open_fold(page: Page, step: str) -> Locator:
    """Open the fold of a step with the keyboard."""
    fold = page.locator(f"#{step} .code")
    reveal(page, f"#{step} .code > summary").press("Enter")
    expect(fold).to_have_attribute("open", "")
    expect(fold.locator("pre").first).to_be_visible()
    return fold


def expect_values(fold: Locator, derivation: Derivation) -> None:
    """Wait until the fold of the score has the values of a derivation."""
    score = derivation.score
    numbers = [number_text(n) for n in (score.brevity_penalty, score.geometric_mean, score.value)]
    last_two = fold.locator("pre").last.locator("samp")
    expect(last_two).to_have_text(
        [f"# penalty = {numbers[0]}, mean = {numbers[1]}", f"# {numbers[2]}"]
    )


def test_fold_has_the_values_of_the_step_and_follows_the_texts(page):
    expect(page.locator("#derivation .code[open]")).to_have_count(0)
    assert page.locator("#derivation .code > div").evaluate_all(
        "bodies => bodies.every(body => !body.childNodes.length)"
    )
    fold = open_fold(page, "score-step")
    expect_values(fold, derive(*TEXTS))
    expect(fold.locator("pre[translate=no]")).to_have_count(3)
    reveal(page, "#hypothesis").press("End")
    page.keyboard.type("x")  # mat becomes matx
    page.keyboard.press("Backspace")
    reveal(page, "#hypothesis").fill(LONGER[0])
    expect_values(fold, derive(*LONGER))
    expect(fold).to_have_attribute("open", "")
    reveal(page, "#score-step .code > summary").press("Enter")
    expect(fold).not_to_have_attribute("open", "")


@pytest.mark.slow
def test_fold_of_a_precision_counts_by_the_definition(page):
    fold = open_fold(page, "precision-2")
    expect(fold).to_contain_text("where n is 2")
    expect(fold).to_contain_text("'the cat': 1, 'cat is': 1, 'is on': 1, 'on mat': 1")
    expect(fold).to_contain_text("agree with the fast code")
    reveal(page, "#hypothesis").fill("the cat " * 200)
    expect(fold).to_contain_text("for more than 300 tokens, fast code counts")


def test_smoothing_shows_its_rule_only_while_it_has_a_step(page):
    reveal(page, "#smoothing").select_option("floor")
    reveal(page, "#hypothesis").fill("the dog is on mat")
    smoothed = repr(derive("the dog is on mat", TEXTS[1], smoothing="floor").score.value)
    expect(page.locator("#score")).to_have_attribute("data-value", smoothed)
    fold = open_fold(page, "smoothing-step")
    expect(fold).to_contain_text("def floor(")
    reveal(page, "#smoothing").select_option("exp")
    expect(fold).to_contain_text("def exp(")
    reveal(page, "#smoothing").select_option("none")
    expect(fold).to_have_count(0)


def test_presentation_and_print_leave_out_closed_folds(page):
    opened = open_fold(page, "tokens")
    closed = page.locator("#brevity-penalty .code")
    reveal(page, "#walk").click()
    expect(opened).to_be_visible()
    page.locator("#present-link").focus()
    for _ in range(5):
        page.keyboard.press("PageDown")
    expect(page.locator("#brevity-penalty")).to_be_visible()
    expect(closed).to_be_hidden()
    page.keyboard.press("Escape")
    expect(closed).to_be_visible()
    page.emulate_media(media="print")
    expect(closed).to_be_hidden()
    expect(opened.locator("pre")).to_be_visible()
    page.emulate_media(media="screen")


@pytest.mark.slow
def test_fold_opened_before_python_starts_is_filled_by_it(recorder):
    page, held_routes, has_opened = recorder.page, [], False
    page.route(
        "**/*.wasm", lambda route: route.continue_() if has_opened else held_routes.append(route)
    )
    page.goto(recorder.site, wait_until="commit")
    expect(page.locator("#loading")).to_contain_text("files are here")
    reveal(page, "#score-step .code > summary").click()
    expect(page.locator("html[data-ready]")).to_have_count(0)
    has_opened = True
    for route in held_routes:
        route.continue_()
    expect(page.locator("#score-step .code pre")).to_have_count(3, timeout=START_MS)
