"""Names and descriptions of all controls, as Chromium tells them to screen readers, and letters."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from bleu import derive, explain
from bleu.render import html_page
from tests.browser.conftest import VIEWS, Recorder, new_tab, open_page, reveal
from tests.support.case_selection import fast_and_slow

NAMED_ROLES = {"button", "link", "checkbox", "textbox", "combobox", "DisclosureTriangle"}
"""The roles whose names are compared; options and radio buttons are named within their group, and
blanks within their exercise. Words of a text, headings that link to themselves and the factors of
the formula are content."""
DISPLAYED = """() => {
    const text = (node) => node?.checkVisibility() && node.offsetWidth > 1 ? node.innerText : "";
    const described = (node) => node.getAttribute("aria-describedby")?.split(" ") ?? [];
    const controls = document.querySelectorAll("button, a, input, select, textarea, summary");
    return [...controls].map((node) => {
        const command = node.dataset.command?.replace(/^(segment:\\d+):.*/, "$1");
        node.dataset.control ??= `${Math.random()}`;
        return [node.dataset.control, {
            text: text(node),
            description: described(node).map((id) => document.getElementById(id)).map((part) =>
                part.matches(".description") ? part.textContent : text(part)).join(" "),
            does: command ?? node.href ?? node.dataset.control,
            exercise: node.closest(".blank") && node.closest("section[aria-labelledby]")?.id,
            isContent: Boolean(node.closest(".running, .token-list, .gram, .factor, h3")),
            isDisabled: node.disabled,
        }];
    });
}"""
"""For each control, what is displayed at it, and what it does; the marks display a description."""
SMALL_LETTERS = """() => [...document.querySelectorAll("textarea, select, input")]
    .filter((node) => !/^(checkbox|radio|file)$/.test(node.type) && node.checkVisibility())
    .filter((node) => parseFloat(getComputedStyle(node).fontSize) < 16)
    .map((node) => node.id || node.name)"""
"""The inputs into which browsers of phones zoom when they get the focus."""
LABELS_WITHIN_TEXT = """() => [...document.querySelectorAll("body *")].flatMap((node) =>
    ["::before", "::after"].map((part) => getComputedStyle(node, part))
        .filter((style) => /^".*[a-z\\d]/i.test(style.content))
        .filter((style) => style.unicodeBidi !== "isolate")
        .map((style) => style.content))"""
"""The generated labels that a text of the other direction would take for its own words."""


def normalized(text: str) -> str:
    """Return the text with single spaces."""
    return " ".join(text.split())


def letters(text: str) -> str:
    """Return the letters and digits of a text."""
    return re.sub(r"\W", "", unicodedata.normalize("NFKC", text))


def controls(page: Page) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """Yield role, name and description of each control, and what is displayed there."""
    displayed = dict(page.evaluate(DISPLAYED))
    client = page.context.new_cdp_session(page)
    root = client.send("DOM.getDocument", {"depth": -1})["root"]
    tree = client.send("Accessibility.getFullAXTree")["nodes"]
    client.detach()
    ids, nodes = {}, [root]
    while nodes:
        node = nodes.pop()
        nodes += node.get("children", [])
        attributes = node.get("attributes", [])
        if "data-control" in attributes:
            ids[node["backendNodeId"]] = attributes[attributes.index("data-control") + 1]
    for node in tree:
        if not node["ignored"] and node.get("backendDOMNodeId") in ids:
            name, description = (
                normalized(node.get(field, {}).get("value", ""))
                for field in ("name", "description")
            )
            yield node["role"]["value"], name, description, displayed[ids[node["backendDOMNodeId"]]]


def problems(page: Page) -> list[str]:
    """Return what is wrong with the controls that the page shows now."""
    found = [f"small letters: {name}" for name in page.evaluate(SMALL_LETTERS)]
    found += [f"label within text: {label}" for label in page.evaluate(LABELS_WITHIN_TEXT)]
    uses = defaultdict(set)
    for role, name, description, displayed in controls(page):
        text = normalized(displayed["text"])
        if description != normalized(displayed["description"]):
            found.append(f"{name} is described by {description}, which is not displayed")
        if "no score yet" in description and not displayed["isDisabled"]:
            found.append(f"{name} is described by {description}, but enabled")
        if role not in NAMED_ROLES or displayed["isContent"]:
            continue
        uses[role, name, displayed["exercise"]].add(displayed["does"])
        if not re.search(r"[^\W\d]", name):
            found.append(f"{role} named {name!r}")
        begins = letters(name).startswith(letters(text)) or f"Segment {text}" == name
        if role in {"button", "link"} and not begins:
            found.append(f"{role} {text} is named {name}")
    found += [f"{len(use)} × {name}" for name, use in uses.items() if len(use) > 1]
    return found


def open_folds(page: Page) -> None:
    """Open all folds; of those that exclude each other, the last stays open."""
    page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")


@pytest.fixture(scope="module")
def full_page(shared_context: BrowserContext, site: str) -> Iterator[Page]:
    """Yield a page with two references, a pinned result, scored files and an open segment."""
    with new_tab(shared_context, site) as recorder:
        page = open_page(recorder)
        reveal(page, "#add-reference").click()
        reveal(page, "#reference-2").fill("the dog is on 1 mat")
        reveal(page, "#keep").click()
        reveal(page, '[data-command="corpus-example"]').click()
        expect(page.locator("#corpus-score")).to_have_count(1)
        reveal(page, '.segments [data-command="segment:0"]').click()
        yield page


@pytest.mark.parametrize("view", fast_and_slow(2, VIEWS))
def test_controls_have_true_descriptions_and_distinct_names(full_page: Page, view):
    page = full_page
    reveal(page, view)
    open_folds(page)
    if view == "#compare":
        expect(page.locator("#what-if-body table.losses")).to_have_count(1)
    if view == "#learn":
        for mode in ("practice", "sheet"):
            reveal(page, f"#learn-{mode}").click()
            expect(page.locator("#learn-body .step")).not_to_have_count(0)
            open_folds(page)
            assert problems(page) == []
        reveal(page, "#learn-lesson").click()
    assert problems(page) == []


def test_descriptions_are_true_without_a_score_and_with_an_error(full_page: Page):
    page = full_page
    reveal(page, "#calculator")
    open_folds(page)
    page.locator("#weights").fill("abc")
    expect(page.locator("#error")).not_to_be_empty()
    assert problems(page) == []
    error = re.compile(re.escape(page.locator("#error").inner_text()))
    expect(page.locator("#weights")).to_have_accessible_description(error)
    page.locator("#weights").fill("")
    expect(page.locator("#error")).to_be_empty()
    expect(page.locator("#copy")).to_have_accessible_description("")
    page.locator("#hypothesis").fill("")
    expect(page.locator("#copy")).to_have_accessible_description(re.compile("no score yet"))
    assert problems(page) == []
    reveal(page, "#compare")
    assert problems(page) == []


def test_fault_in_a_description_is_found(full_page: Page):
    page = full_page
    reveal(page, "#calculator")
    page.evaluate("""() => {
        document.getElementById("swap").title = "Hidden until hovered";
        document.getElementById("clear").ariaLabel = "7";
        document.getElementById("share").textContent = "Copy";
        document.getElementById("hypothesis").style.fontSize = "15px";
    }""")
    found = "\n".join(problems(page))
    page.evaluate("""() => {
        document.getElementById("swap").title = "";
        document.getElementById("clear").ariaLabel = "Clear all texts";
        document.getElementById("share").textContent = "Share";
        document.getElementById("hypothesis").style.fontSize = "";
    }""")
    for part in (
        "described by Hidden",
        "named '7'",
        "2 × ('button', 'Copy', None)",
        "letters: hypoth",
    ):
        assert part in found


def test_labels_of_exports_are_no_part_of_the_token(browser):
    page = browser.new_page()
    page.set_content(html_page.render(explain(derive("חתול Windows 2019", ["חתול Windows"]))))
    assert page.locator(".token-list .credited").count() == 2
    assert page.evaluate(LABELS_WITHIN_TEXT) == []
    labels = page.locator(".token-list .spoken")
    assert labels.all_text_contents() == [" (credited)", " (credited)", " (no match)"]
    directions = "all => all.map((node) => getComputedStyle(node).unicodeBidi)"
    assert labels.evaluate_all(directions) == ["isolate"] * 3
    page.close()


FAULTS = {
    "blocked": "get() { throw new DOMException('The operation is insecure.', 'SecurityError'); }",
    "full": "value: { getItem: () => null, removeItem() {}, setItem(name, text) { refuse(); } }",
    "long": "value: { getItem: () => null, removeItem() {}, "
    "setItem(name, text) { if (text.length > 100) refuse(); } }",
}
REASONS = {
    "blocked": "this browser blocks storage for the page",
    "full": "this browser’s storage for the page is full",
    "long": "they are too long for this browser’s storage",
}


@pytest.mark.parametrize("fault", fast_and_slow(1, FAULTS))
def test_notice_tells_why_texts_are_not_kept(recorder: Recorder, fault):
    recorder.page.add_init_script(f"""
        const refuse = () => {{ throw new DOMException("no room", "QuotaExceededError"); }};
        Object.defineProperty(window, "sessionStorage", {{ configurable: true, {FAULTS[fault]} }});
    """)
    page = open_page(recorder)
    reveal(page, "#more summary").click()
    reveal(page, "#keep-texts").check()
    notice = f"Your texts will not survive a reload, because {REASONS[fault]}."
    expect(page.locator("#notice")).to_have_text(notice)
