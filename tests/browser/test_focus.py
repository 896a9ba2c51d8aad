"""The focus in every view: nothing covers it, and nothing that is pressed loses it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import (
    VIEWS,
    Recorder,
    new_tab,
    open_page,
    reveal,
    score_pasted_lines,
    wait_for_script,
)
from tests.browser.test_access import open_everything
from tests.browser.test_checkup import HYPOTHESES, REFERENCES
from tests.browser.test_keyboard import FOCUS_FAULT

WIDTHS = 1280, 768, 390
MAX_TABS = 900
"""More presses of Tab than any view has elements to focus."""

FIND_COVERED = """() => {
    const node = document.activeElement;
    if (node === document.body) return null;
    const name = node.id || node.dataset.command || node.outerHTML.slice(0, 90);
    const clip = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    for (let box = node.parentElement; box; box = box.parentElement) {
        const { overflowX, position } = getComputedStyle(box);
        if (overflowX === "visible") continue;
        const edge = box.getBoundingClientRect();
        clip.left = Math.max(clip.left, edge.left), clip.right = Math.min(clip.right, edge.right);
        clip.top = Math.max(clip.top, edge.top), clip.bottom = Math.min(clip.bottom, edge.bottom);
    }
    const area = ({ left, top, right, bottom }) =>
        Math.max(0, right - left) * Math.max(0, bottom - top);
    const parts = [...node.getClientRects()].map((part) => ({
        left: Math.max(part.left, clip.left), right: Math.min(part.right, clip.right),
        top: Math.max(part.top, clip.top), bottom: Math.min(part.bottom, clip.bottom) }));
    const part = parts.sort((a, b) => area(b) - area(a))[0];
    if (!part || area(part) < 4) return [name, "is out of sight"];
    const covering = new Set();
    for (const x of [0.1, 0.3, 0.5, 0.7, 0.9])
        for (const y of [0.1, 0.3, 0.5, 0.7, 0.9]) {
            const hit = document.elementFromPoint(
                part.left + x * (part.right - part.left), part.top + y * (part.bottom - part.top));
            const label = hit?.closest("label");
            if (hit && (node.contains(hit) || [...(node.labels ?? [])].includes(label))) continue;
            const isCorner = [x, y].every((share) => Math.abs(share - 0.5) > 0.3);
            if (isCorner && hit?.contains(node)) continue; // a rounded corner
            covering.add(hit ? `${hit.localName}#${hit.id}.${hit.className}` : "nothing");
        }
    return [name, [...covering].join(", ")];
}"""
"""Returns the focused element, and what covers it at any of 25 points, or null without focus."""


@pytest.fixture(scope="module")
def full_page(shared_context: BrowserContext, site: str) -> Iterator[Page]:
    """Yield a page with everything open."""
    with new_tab(shared_context, site) as recorder:
        page = open_page(recorder)
        page.emulate_media(reduced_motion="reduce")  # so that scrolling takes no time
        open_everything(page)
        yield page


@pytest.mark.slow
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_covers_the_focus_in_any_view(full_page: Page, width):
    page, faults = full_page, []
    page.set_viewport_size({"width": width, "height": 800})
    for view in VIEWS:
        reveal(page, view)
        page.evaluate("document.querySelector('.skip').focus()")
        place = page.evaluate(FIND_COVERED)
        for _ in range(MAX_TABS):
            if place is None:
                break
            if place[1]:
                faults.append((view, *place))
            page.keyboard.press("Tab")
            place = page.evaluate(FIND_COVERED)
        assert place is None, f"Tab does not leave {view}"
    assert faults == []


FOCUS_NEXT = """([view, pressed]) => {
    const dialog = document.querySelector("dialog[open]");
    const presenter = document.querySelector("#presenter:not([hidden])");
    const scope = dialog ?? presenter ?? document.querySelector(view);
    for (const node of [...scope.querySelectorAll("button, summary"), ...(dialog || presenter ? [] :
        document.querySelectorAll(".looks button"))]) {
        if (node.disabled || !node.checkVisibility({ visibilityProperty: true })) continue;
        const command = node.dataset.command?.replace(/[\\d\\["].*/, "");
        const name = node.id || command || node.parentElement.id || node.textContent;
        const state = node.ariaExpanded ?? node.ariaPressed ?? node.parentElement.open ?? "";
        const key = `${name} ${state}`;
        if (pressed.includes(key)) continue;
        node.focus();
        return key;
    }
    return null;
}"""
"""Focuses the next visible button or fold that was not pressed in its state; returns its name."""
IS_BUSY = """() => [...document.querySelectorAll("[data-command$=-cancel]")]
    .some((node) => node.checkVisibility())"""
"""Returns whether a job runs; its result may scroll the page to itself."""
MAX_PRESSES = 400
"""More buttons than any view has, each in its states."""


def press_all(page: Page, view: str) -> list[str]:
    """Press Enter on each button and fold of a view, and return those that lost the focus."""
    pressed: list[str] = []
    lost = []
    for _ in range(MAX_PRESSES):
        name = page.evaluate(FOCUS_NEXT, [view, pressed])
        if name is None:
            if not page.locator("dialog[open], #presenter:not([hidden])").count():
                return lost
            page.keyboard.press("Escape")
            continue
        pressed.append(name)
        page.keyboard.press("Enter")
        page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        wait_for_script(page, f"() => !({IS_BUSY})()")
        if fault := page.evaluate(FOCUS_FAULT):
            lost.append(f"{view}: {name}: {fault}")
        if page.evaluate("document.documentElement.dataset.view") != view[1:]:
            page.keyboard.press("Escape")
            reveal(page, view)
    raise AssertionError(f"{view} has more buttons than expected: {pressed}")


@pytest.mark.slow
@pytest.mark.parametrize("view", VIEWS)
def test_nothing_that_is_pressed_loses_the_focus(tab: Recorder, view):
    page = open_page(tab, view)
    page.emulate_media(reduced_motion="reduce")
    page.evaluate("window.print = () => {}")
    lost = press_all(page, view)
    if view == "#files":
        page.reload()
        expect(page.locator("html[data-ready]")).to_have_count(1)
        score_pasted_lines(page, "\n".join(HYPOTHESES), "\n".join(REFERENCES))
        expect(page.locator("#check-up-body button").first).to_be_attached()
        lost += press_all(page, view)
    if view == "#calculator":
        reveal(page, '[data-command="example:clipping"]').click()
        if page.locator("#forget").is_hidden():
            page.locator("#keep").click()
        reveal(page, "#clear").click()
        lost += press_all(page, view)
    assert "\n".join(lost) == ""


def test_large_stays_in_sight_on_a_scrolled_page(page: Page):
    large = page.locator("#large")
    reveal(page, "#reference")
    for is_pressed in ("true", "false"):
        page.evaluate("scrollTo({ top: 900, behavior: 'instant' })")
        large.click()
        expect(large).to_have_attribute("aria-pressed", is_pressed)
        expect(large).to_be_in_viewport(ratio=1)
        expect(large).to_be_focused()


def test_undo_leaves_the_focus_on_a_factor_or_hands_it_on(page: Page):
    page.locator("#hypothesis").fill("the cat")
    page.locator("#reference-1").fill("the cat sat")
    reveal(page, "#swap").click()
    factor = page.locator("#orders [data-order='1']")
    expect(factor).to_have_accessible_name("words: 2 of 3")
    factor.focus()
    page.keyboard.press("Control+z")
    expect(factor).to_have_accessible_name("words: 2 of 2")
    expect(factor).to_be_focused()
    reveal(page, "#clear").click()
    page.locator("#undo").click()
    factor.focus()
    page.keyboard.press("Control+y")
    expect(page.locator("#result-body")).to_contain_text("No score yet")
    expect(page.locator("#hypothesis")).to_be_focused()
