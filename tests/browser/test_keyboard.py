"""Ten tasks by keyboard alone: where the focus is after each key, and what is announced."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Recorder, reveal, wait_for_script

MAX_TABS = 150
"""The largest number of Tab keys to an element."""
LISTEN = """() => {
    if (window.heard) return;
    window.heard = [];
    const wait = window.setTimeout; // pauses before announcements are shortened
    window.setTimeout = (call, ms, ...rest) => wait(call, ms === 1200 ? 50 : ms, ...rest);
    new MutationObserver((records) => {
        const regions = records.map(({ target }) =>
            (target.nodeType === 1 ? target : target.parentElement)?.closest(
                "[role=status]:not(#loading, #seal), [role=alert]"));
        for (const region of new Set(regions)) {
            const text = region?.textContent.replace(/\\s+/g, " ").trim();
            if (text && region.checkVisibility()) window.heard.push(text);
        }
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
}"""
"""Collects the text of each live region that changes."""
FOCUS_FAULT = """() => {
    const node = document.activeElement;
    if (node === document.body) return "the focus is lost";
    const id = node.id || node.dataset.command || node.outerHTML.slice(0, 80);
    const labels = [...(node.labels ?? [])].map((label) => label.textContent).join(" ");
    const labelledBy = document.getElementById(node.getAttribute("aria-labelledby"));
    const name = node.ariaLabel || labelledBy?.textContent || labels || node.textContent;
    if (!name.trim()) return `${id} has no name`;
    const box = node.getBoundingClientRect();
    const [left, right] = [Math.max(box.left, 0), Math.min(box.right, innerWidth)];
    const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
    if (right - left < 1 || bottom - top < 1) return `${id} is out of sight`;
    const points = [0.1, 0.5, 0.9].map((share) => [
        left + (right - left) * share, top + (bottom - top) * share]);
    const isCovered = points.every(([x, y]) => {
        const hit = document.elementFromPoint(x, y);
        return !hit || !(node.contains(hit) || hit.contains(node));
    });
    return isCovered ? `${id} is covered` : "";
}"""
"""Returns what is wrong with the focused element, or ""."""
DIRECTION = """(css) => {
    const [node, target] = [document.activeElement, document.querySelector(css)];
    if (node === target) return "";
    return node.compareDocumentPosition(target) & 2 ? "Shift+Tab" : "Tab";
}"""


class Keyboard:
    """A person without a mouse, and with a screen reader."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, *keys: str) -> None:
        """Press keys, and check the focus after each."""
        for key in keys:
            self.page.keyboard.press(key)
            self.check_focus()

    def check_focus(self) -> None:
        """Wait until the focus is on a visible element with a name that nothing covers."""
        try:
            wait_for_script(self.page, f"() => !({FOCUS_FAULT})()")
        except AssertionError:
            assert self.page.evaluate(FOCUS_FAULT) == ""
            raise

    def go_to(self, css: str) -> None:
        """Move the focus to an element by Tab."""
        for _ in range(MAX_TABS):
            if not (key := self.page.evaluate(DIRECTION, css)):
                break
            self.page.keyboard.press(key)
        self.check_focus()
        expect(self.page.locator(css).first).to_be_focused()

    def activate(self, css: str) -> None:
        """Press Enter on an element."""
        self.go_to(css)
        self.press("Enter")

    def open_view(self, name: str) -> None:
        """Open a view, which then has the focus."""
        self.activate(f'#views a[href="#{name}"]')
        expect(self.page.locator(f"#{name}")).to_be_focused()

    def type(self, css: str, text: str) -> None:
        """Replace the text of a box."""
        self.go_to(css)
        self.press("Control+a")
        self.page.keyboard.insert_text(text)

    def hears(self, *sentences: str) -> None:
        """Wait until exactly these sentences have been announced since the last call."""
        try:
            wait_for_script(
                self.page, "(said) => heard.join('|') === said.join('|')", list(sentences)
            )
        except AssertionError:
            assert self.page.evaluate("heard") == list(sentences)
        self.page.evaluate("heard.length = 0")


@pytest.fixture
def keyboard(shared_recorder: Recorder) -> Keyboard:
    """Return a keyboard for the module's page, with empty boxes and the focus at its start."""
    page = shared_recorder.page
    page.evaluate(LISTEN)
    reveal(page, "#clear").click()
    page.mouse.move(0, 0)  # A pointer that rests over a word would announce its n-gram.
    wait_for_script(page, "heard.at(-1)?.startsWith('No score yet. Type or paste a candidate')")
    page.evaluate("document.querySelector('.skip').focus(); heard.length = 0")
    return Keyboard(page)


def type_pair(keyboard: Keyboard) -> None:
    """Type a candidate and its reference."""
    keyboard.type("#hypothesis", "the cat is on mat")
    text = "a reference: a correct translation of the same text."
    keyboard.hears(f"No score yet. Type or paste {text}")
    keyboard.type("#reference-1", "the cat is on the mat")
    keyboard.hears("BLEU is 57.89 of 100, with a brevity penalty of 0.8187")


def test_skipping_to_content_and_typing(keyboard):
    keyboard.press("Enter", "Tab")
    expect(keyboard.page.locator("#examples summary")).to_be_focused()
    type_pair(keyboard)
    keyboard.type("#hypothesis", "dogs")
    keyboard.hears(
        "BLEU is 0. No word of the candidate is in the reference, so p₁ = 0/1. Almost every tool "
        "gives 0 here."
    )


def test_choosing_n_and_an_invalid_value(keyboard):
    type_pair(keyboard)
    keyboard.go_to("#settings [name=n]:checked")
    keyboard.press("ArrowLeft")
    keyboard.hears("BLEU is 64.98 of 100, with a brevity penalty of 0.8187")
    keyboard.go_to("#smoothing")
    keyboard.press("ArrowDown")
    keyboard.hears("BLEU is 64.98 of 100, with a brevity penalty of 0.8187")
    keyboard.activate("#more summary")
    keyboard.type("#smoothing-value", "0")
    keyboard.hears(
        "The ε of smoothing floor is 0. Choose a number above 0 and at most 1, or smoothing none "
        "instead of 0."
    )
    keyboard.open_view("why")
    expect(keyboard.page.locator("#why .previous-note")).to_be_visible()
    expect(keyboard.page.locator("#derivation")).to_have_attribute("aria-busy", "true")
    keyboard.activate("#why .previous-note a")
    keyboard.type("#smoothing-value", "٠٫١")
    keyboard.hears("BLEU is 64.98 of 100, with a brevity penalty of 0.8187")
    expect(keyboard.page.locator(".previous-note:visible")).to_have_count(0)


def test_opening_an_example_and_undoing_that(keyboard):
    type_pair(keyboard)
    keyboard.activate("#examples summary")
    keyboard.activate('[data-command="example:clipping"]')
    keyboard.hears("BLEU is 28.57 of 100, with a brevity penalty of 1")
    keyboard.activate("#undo")
    keyboard.hears("BLEU is 57.89 of 100, with a brevity penalty of 0.8187")
    keyboard.activate("#redo")
    expect(keyboard.page.locator("#undo")).to_be_focused()


def test_hearing_the_score_without_a_word_and_leaving_it_out(keyboard):
    type_pair(keyboard)
    keyboard.go_to("#hypothesis")
    keyboard.press("End")
    keyboard.hears("“mat”: it counts. Without it: 60.65 (+2.76)")
    keyboard.press("Control+ArrowLeft", "ArrowLeft")
    keyboard.hears("“on”: it counts. Without it: 0.00 (−57.89)")
    keyboard.press("End")
    keyboard.hears("“mat”: it counts. Without it: 60.65 (+2.76)")
    keyboard.activate("[data-command='leave-out']")
    expect(keyboard.page.locator("#hypothesis")).to_have_value("the cat is on")
    keyboard.hears("BLEU is 60.65 of 100, with a brevity penalty of 0.6065")
    keyboard.press("Enter")  # the focus is on Undo
    keyboard.hears("BLEU is 57.89 of 100, with a brevity penalty of 0.8187")


def test_pinning_and_comparing(keyboard):
    type_pair(keyboard)
    keyboard.activate("#keep")
    keyboard.hears("Pinned: 57.89. Change a text or a setting to see how the score changes.")
    keyboard.type("#hypothesis", "the cat is on the mat")
    keyboard.hears(
        "BLEU is 100.00 of 100, with a brevity penalty of 1; 42.11 above the pinned score of 57.89"
    )
    keyboard.activate("#forget")
    expect(keyboard.page.locator("#keep")).to_be_focused()


@pytest.mark.slow
@pytest.mark.layout
def test_presenting_the_steps(keyboard):
    page = keyboard.page
    type_pair(keyboard)
    keyboard.open_view("why")
    keyboard.activate("#walk")
    keyboard.hears("Step 1 of 8: Tokens")
    keyboard.go_to("#next")
    for _ in range(30):
        if page.locator("#next").is_disabled():
            break
        keyboard.press("Enter")
    assert [line[:6] for line in page.evaluate("heard")] == [f"Step {n}" for n in range(2, 9)]
    expect(page.locator("#previous")).to_be_focused()
    keyboard.press("Escape")
    expect(page.locator("#walk")).to_be_focused()
    size = page.viewport_size
    page.set_viewport_size({"width": 320, "height": 256})
    keyboard.press("Enter", "PageDown", "Shift+Tab", "Escape")
    expect(page.locator("#walk")).to_be_focused()
    page.set_viewport_size(size)


def score_files(keyboard: Keyboard) -> None:
    """Score two pasted systems."""
    keyboard.open_view("files")
    keyboard.type("#corpus-system", "the cat is on the mat\na dog barks")
    keyboard.activate("#another-system")
    keyboard.type("#corpus-system", "the cat sat on a mat\nthe dog barks")
    keyboard.type("#corpus-references", "the cat is on the mat\nthe dog barks now")
    keyboard.activate("#corpus-run")
    keyboard.hears(
        "BLEU 79.07 and 29.05, difference −50.01, p = 0.001",
        "The check-up is not complete yet.",
        "No faults found in 2 segments.",
    )


def test_scoring_two_files_and_opening_a_segment(keyboard):
    page = keyboard.page
    score_files(keyboard)
    expect(page.locator("#check-up-title")).to_be_focused()
    keyboard.activate('[data-command="segment:0"]')
    expect(page.locator("#segment-title")).to_be_focused()
    keyboard.activate('[data-command="segment-step:1"]')
    keyboard.hears("Segment 2 of 2. Candidates 1: 0.00. Candidates 2: 0.00")
    keyboard.activate('[data-command="segment-close"]')
    expect(page.locator('[data-command="segment:1"]')).to_be_focused()
    keyboard.type("#segments-filter", "mat")
    keyboard.hears("One segment")
    keyboard.go_to("#corpus-max-order")
    keyboard.press("ArrowUp")
    keyboard.activate("#corpus-again")
    expect(page.locator("#corpus-result-title")).to_be_focused()
    keyboard.activate('[data-command="segment:0"]')
    keyboard.activate('[data-command="segment-boxes:0"]')
    expect(page.locator("#hypothesis")).to_be_focused()
    keyboard.activate("#back")
    expect(page.locator("#segment-title")).to_be_focused()


def test_taking_the_lesson(keyboard):
    page = keyboard.page
    keyboard.open_view("learn")
    keyboard.activate('#learn-actions [type="submit"]')
    keyboard.hears("Choose an answer first, then press “Check answer”.")
    keyboard.go_to("#exercise input")
    keyboard.press("Space")
    keyboard.activate('#learn-actions [type="submit"]')
    keyboard.hears("Not quite. BLEU ranks them B, A, C.")
    expect(page.locator("#learn-said")).to_be_focused()
    keyboard.activate("#learn-on")
    expect(page.locator("#exercise-title")).to_be_focused()
    keyboard.activate("#learn-present")
    keyboard.press("Escape")
    expect(page.locator("#learn-present")).to_be_focused()


@pytest.mark.slow
def test_making_a_worksheet(keyboard):
    keyboard.open_view("learn")
    keyboard.activate("#learn-sheet")
    expect(keyboard.page.locator("#learn-title")).to_be_focused()
    keyboard.go_to("#sheet-variant")
    keyboard.press("ArrowDown")
    expect(keyboard.page.locator("#exercise-title")).to_contain_text("variant B")
    keyboard.activate('[data-command="learn:another 0"]')
    keyboard.activate('[data-command="learn:sheet-link"]')
    wait_for_script(keyboard.page, "heard.at(-1)?.startsWith('Link copied')")
