"""Commands given right after typing, with a slow processor: they work on the typed text."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from app.score.html import build_snapshot
from app.state.form import PageSnapshot
from app.state.inputs import Inputs
from app.state.saved_form import from_fragment
from tests.browser.conftest import (
    Recorder,
    expect_notice,
    new_tab,
    open_page,
    reveal,
)

IN_EVERY_RUN = {
    "test_result_is_copied",
    "test_link_is_made_and_its_notice_stays",
}
NOTICE_MS = 6000
"""Milliseconds for which a notice is shown."""
SLOWDOWN = 6
"""The factor by which the processor is slower."""
TYPE_AND_CLICK = """([text, css]) => {
    const box = document.getElementById("hypothesis");
    const type = (value) => {
        box.value = value;
        box.dispatchEvent(new InputEvent("input", {bubbles: true}));
        return document.getElementById("hypothesis-count").textContent;
    };
    for (let attempt = 0; attempt < 100; attempt++) {
        if (type(`${text} x`) !== type(text)) continue;
        if (css) document.querySelector(css).click();
        return true;
    }
    return false;
}"""
"""Types a text and clicks a button before the text is scored; returns whether that was possible.

A text that follows another within a frame, or a slow update, is scored later. If the machine stalls
between the two, the second is scored at once, and both are typed again.
"""


@pytest.fixture(scope="module")
def slow_recorder(shared_context, site) -> Iterator[Recorder]:
    """Yield the recorder of a page that a slow processor runs."""
    with new_tab(shared_context, site) as recorder:
        page = open_page(recorder)
        session = page.context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
        yield recorder
        recorder.check()


class Typist:
    """Types texts, each with one more word at the end."""

    reference = " ".join(f"word{number}" for number in range(40))

    def __init__(self, page: Page) -> None:
        self.page = page
        self.extra_words = 0
        reveal(page, "#clear").click()
        self.score_typed()

    @property
    def text(self) -> str:
        """The candidate that was typed last."""
        return self.reference + " more" * self.extra_words

    @property
    def snapshot(self) -> PageSnapshot:
        """The result of the candidate that was typed last."""
        return build_snapshot(Inputs(self.text, (self.reference,)))

    def score_typed(self) -> None:
        """Fill the form, and wait for the score."""
        reveal(self.page, "#reference-1").fill(self.reference)
        reveal(self.page, "#hypothesis").fill(self.text)
        self.expect_result()

    def type_and_click(self, css: str) -> None:
        """Type the next text, and click a button before it is scored; "" clicks none."""
        self.extra_words += 1
        in_time = self.page.evaluate(TYPE_AND_CLICK, [self.text, css])
        assert in_time, "the text was always scored before the click"

    def expect_result(self) -> None:
        """Wait until the page has and shows the text that was typed last."""
        expect(self.page.locator("#hypothesis")).to_have_value(self.text)
        value = repr(self.snapshot.derivation.score.value)
        expect(self.page.locator("#score")).to_have_attribute("data-value", value)

    def clipboard(self) -> str:
        """Return the text in the clipboard."""
        return self.page.evaluate("navigator.clipboard.readText()")


@pytest.fixture(scope="module")
def slow_typist(slow_recorder: Recorder) -> Typist:
    """Return a typist at the slow page."""
    return Typist(slow_recorder.page)


@pytest.fixture
def typist(slow_typist: Typist) -> Iterator[Typist]:
    """Yield the typist; each test leaves the form as it was typed."""
    yield slow_typist
    slow_typist.expect_result()


def test_result_is_copied(typist):
    with expect_notice(typist.page, "Result copied"):
        typist.type_and_click("#copy")
    assert typist.clipboard() == typist.snapshot.view.line


def test_link_is_made_and_its_notice_stays(typist):
    with expect_notice(typist.page, "Link copied") as notices:
        typist.type_and_click("#share")
        typist.page.locator("#copy-link").click()
    assert from_fragment(typist.clipboard().partition("#")[2]).hypothesis == typist.text
    typist.expect_result()
    [[_, start], *others] = notices.evaluate("all => all.filter(([text], n) => text || n)")
    assert all(time - start >= NOTICE_MS for _, time in others)


def test_button_is_not_replaced_while_it_is_pressed(typist):
    page = typist.page
    reveal(page, "#hypothesis").fill(typist.text.upper())
    page.locator("#findings > summary").click()
    button = page.locator('#result-body [data-command="apply:lowercase"]')
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    typist.extra_words += 1
    assert page.evaluate(TYPE_AND_CLICK, [typist.text.upper(), ""])
    page.mouse.down()
    page.wait_for_timeout(1200)  # longer than the pause after which the text is scored
    page.mouse.up()
    expect(page.locator("#lowercase")).to_be_checked()
    typist.score_typed()
    reveal(page, "#lowercase").uncheck()
