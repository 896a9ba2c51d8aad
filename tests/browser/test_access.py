"""Accessibility: axe-core, keyboard use, announcements, zoom, forced colors, reduced motion."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from bleu import derive, explain
from bleu.explanation.exercises import worksheet
from bleu.learn.generation import exercises
from bleu.render import html_page
from tests.browser.conftest import (
    VIEWS,
    Recorder,
    new_context,
    new_tab,
    open_page,
    reveal,
    score_pasted_lines,
)
from tests.browser.servers import ROOT
from tests.support.case_selection import fast_and_slow

AXE = (ROOT / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
LAYOUT_RULES = ("target-size", "scrollable-region-focusable")
"""The only rules that wide fonts or text spacing can break, if nothing overlaps."""
COLOR_RULES = ("color-contrast", "link-in-text-block")
"""The only rules that another color scheme can break."""

SPACE_TEXT = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`* { line-height: 1.5 !important; letter-spacing: .12em !important;
        word-spacing: .16em !important } p { margin-block-end: 2em !important }`);
    document.adoptedStyleSheets = [sheet];
}"""
"""Sets the text spacing of WCAG's criterion 1.4.12."""
FINISH_TRANSITIONS = """async () => {
    const running = document.getAnimations().filter((item) => item instanceof CSSTransition);
    await Promise.allSettled(running.map((transition) => transition.finished));
}"""
"""Waits for all transitions, because axe-core would measure intermediate colors."""


def violations(page: Page, rules: Sequence[str] = RULES) -> list[str]:
    """Return the violations that axe-core finds: rule, impact, element and summary."""
    page.evaluate(
        "scrollTo({top: 0, behavior: 'instant'})"
    )  # so that the sticky bar covers nothing
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE)
    options = {"runOnly": rules, "resultTypes": ["violations"]}
    results = page.evaluate("options => axe.run(document, options)", options)
    return [
        f"{rule['id']} ({rule['impact']}): {node['target']} {node['failureSummary']}"
        for rule in results["violations"]
        for node in rule["nodes"]
    ]


def rules_for(fonts: str) -> Sequence[str]:
    """Return the rules to check with a set of fonts: all with one, those of the layout with all."""
    return RULES if fonts == "narrow" else LAYOUT_RULES


def open_everything(page: Page) -> None:
    """Show an example with all panels open, a pinned result and a highlighted n-gram."""
    reveal(page, '[data-command="example:clipping"]').click()
    reveal(page, "#keep").click()
    reveal(page, "#smoothing").select_option("floor")
    score_pasted_lines(page, "a b c d\nx", "a b c d\nx")
    reveal(page, '[data-command="segment:0"]').click()
    for view in VIEWS:
        reveal(page, view)
        collapsed = page.locator("details:not([open]) > summary:visible")
        while collapsed.count():
            collapsed.first.click()
        if view == "#compare":  # the page computes a panel when it is in sight
            expect(page.locator("#comparison-body table")).not_to_have_count(0)
            expect(page.locator("#what-if-body table.losses")).to_have_count(1)
    reveal(page, "#reference-1").focus()


def fill_smoothing_value(page: Page, text: str, view: str) -> None:
    """Type a smoothing value in the view Score, and return to a view."""
    reveal(page, "#smoothing-value").fill(text)
    expect(page.locator("html[data-invalid]")).to_have_count(1 if text else 0)
    reveal(page, view)


@pytest.mark.slow
def test_axe_reports_a_button_without_a_name(page):
    reveal(page, "#swap")
    page.evaluate("document.getElementById('swap').removeAttribute('aria-label')")
    page.evaluate("document.getElementById('swap').replaceChildren()")
    page.evaluate("document.getElementById('swap').removeAttribute('title')")
    assert any("button-name" in violation for violation in violations(page))
    page.evaluate(
        "document.getElementById('swap').setAttribute('aria-label', "
        "'Swap candidate and reference 1')"
    )


@pytest.mark.slow
@pytest.mark.parametrize("width", [480, 1280])
def test_page_for_a_frame_is_accessible_and_fills_it(tab: Recorder, width: int):
    tab.page.set_viewport_size({"width": width, "height": 420})
    page = open_page(tab, "#hypothesis=a+b+c+d+x&reference=a+b+c+d+y&embed=1")
    assert violations(page) == []
    for part in ("#result-body", "#hypothesis"):
        assert page.locator(part).bounding_box()["width"] > 0.85 * width, part


@pytest.fixture(scope="module")
def expanded_page(shared_context: BrowserContext, site: str) -> Iterator[Page]:
    """Yield a page with everything open."""
    with new_tab(shared_context, site) as recorder:
        page = open_page(recorder)
        open_everything(page)
        yield page


AXE_LOOKS = (
    *("light 360", "light and dark 1280", "print 1280", "large 320", "one step 360"),
    "error 1280",
)
"""The appearances of the page, each with a width in pixels at which it can differ."""
LAYOUT_LOOKS = ("large 320", "spacing 320")
"""Those in which the width of the letters can matter."""
STEP_VIEWS = ("#calculator", "#why", "#compare")
"""The views with a button that presents the steps."""


@pytest.mark.parametrize(
    "case",
    fast_and_slow(
        3,
        (
            f"{look} {view}"
            for look in AXE_LOOKS
            for view in (STEP_VIEWS if look == "one step 360" else VIEWS)
        ),
    ),
)
def test_axe_finds_no_violation(expanded_page: Page, case):
    check_look(expanded_page, case, RULES)


@pytest.mark.slow
@pytest.mark.layout
@pytest.mark.parametrize("case", [f"{look} {view}" for look in LAYOUT_LOOKS for view in VIEWS])
def test_axe_finds_no_violation_by_the_layout(expanded_page: Page, fonts, case):
    check_look(expanded_page, case, LAYOUT_RULES)


@pytest.mark.parametrize("anchor", fast_and_slow(1, ("precision-1", "brevity-penalty", "score")))
def test_axe_finds_no_violation_in_an_open_station(expanded_page: Page, anchor):
    page = expanded_page
    reveal(page, "#calculator")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.locator(f'#result-body [data-command="explain:{anchor}"]').first.click()
    try:
        expect(page.locator("#station h3")).to_be_visible()
        check_look(page, "light and dark 1280 #calculator", RULES)
    finally:
        page.keyboard.press("Escape")
    expect(page.locator("#station")).to_be_hidden()


def check_look(page: Page, case: str, rules: Sequence[str]) -> None:
    """Assert that a view has no violation in an appearance, and restore the page."""
    look, width, view = case.rsplit(" ", 2)
    reveal(page, view)
    page.set_viewport_size({"width": int(width), "height": 900})
    if look == "print":
        page.emulate_media(media="print")
        expect(page.locator(".view[aria-hidden]")).to_have_count(0)
    elif look == "large":
        reveal(page, "#large").click()
    elif look == "one step":
        reveal(page, "#walk").click()
        reveal(page, "#next").click()
    elif look == "error":
        fill_smoothing_value(page, "7", view)
    elif look == "spacing":
        page.evaluate(SPACE_TEXT)
    page.evaluate(FINISH_TRANSITIONS)
    try:
        found = violations(page, rules)
        if look == "light and dark":
            page.emulate_media(color_scheme="dark")
            page.evaluate(FINISH_TRANSITIONS)
            found += violations(page, COLOR_RULES)
        if look == "print":  # Nothing is pressed on paper.
            found = [violation for violation in found if not violation.startswith("target-size")]
        assert found == []
        assert page.evaluate("document.documentElement.scrollWidth") <= int(width)
    finally:
        page.emulate_media(media="null", color_scheme="null")
        page.evaluate("document.adoptedStyleSheets = []")
        if look == "large":
            reveal(page, "#large").click()
        elif look == "one step":
            page.locator("#leave").click()
        elif look == "error":
            fill_smoothing_value(page, "", view)


@pytest.mark.layout
@pytest.mark.parametrize("name", fast_and_slow(1, ("worksheet", "solutions", "derivation", "docs")))
def test_axe_finds_no_violation_in_exports(expanded_page: Page, dist: Path, fonts, name):
    sheet = exercises("7k2q", count=9)
    make = {
        "worksheet": lambda: html_page.worksheet(worksheet(sheet)),
        "solutions": lambda: html_page.worksheet(worksheet(sheet, solutions=True)),
        "derivation": lambda: html_page.render(explain(derive("3 חתולים a", ["3 חתולים b"]))),
        "docs": lambda: (dist / "docs" / "index.html").read_text("utf-8"),
    }
    page = expanded_page.context.new_page()
    page.set_content(make[name]())
    assert violations(page, rules_for(fonts)) == []
    page.set_viewport_size({"width": 390, "height": 844})
    heads = page.locator("thead th").evaluate_all("heads => heads.map(node => node.clientHeight)")
    # 80 px: no column heading of our tables is broken within a word
    assert name == "docs" or max(heads, default=0) < 80
    page.close()


def test_figures_have_a_text_description(page):
    reveal(page, "#hypothesis").fill("the cat is on mat")
    reveal(page, "#reference-1").fill("the cat is on the mat")
    for name, description in {
        "brevity": "so its penalty is 0.8187",
        "contributions": "together ln BLEU = −0.5466",
    }.items():
        drawing = page.locator(f"#{name}-figure svg")
        assert drawing.get_attribute("role") == "img"
        expect(drawing.locator("desc")).to_contain_text(description)


def test_result_is_announced_after_a_pause_in_typing(page):
    status = page.locator("#spoken")
    reveal(page, "#reference-1").fill("the cat is on the mat")
    reveal(page, "#hypothesis").press_sequentially("the cat is on mat")
    expect(status).to_have_text("BLEU is 57.89 of 100, with a brevity penalty of 0.8187")
    expect(status).to_have_role("status")


def test_boxes_say_how_many_words_match(page):
    reveal(page, "#reference-1").fill("the cat is on the mat")
    reveal(page, "#hypothesis").fill("the the the cat sat")
    for box, words in (
        ("#hypothesis", "3 of 5 words count. Cut off: “the”. No match: “sat”."),
        ("#reference-1", "3 of 6 words match. No match: “is”, “on”, “mat”."),
    ):
        expect(page.locator(box)).to_have_accessible_description(words)


def present_precision(page: Page, order: int) -> None:
    """Present the step of one precision."""
    reveal(page, "#walk").click()
    for _ in range(order):
        page.keyboard.press("ArrowRight")
    expect(page.locator(f"#matches-body > [data-order='{order}']")).to_be_visible()


def test_arrow_keys_move_within_a_text_that_is_one_tab_stop(page):
    reveal(page, "#reference-1").fill("the cat is on the mat")
    reveal(page, "#hypothesis").fill("the cat is on mat")
    present_precision(page, 2)
    tokens = page.locator("#matches-body .marked").first.locator("button")
    expect(tokens).to_have_count(5)
    assert [token.get_attribute("tabindex") for token in tokens.all()] == [
        "0",
        "-1",
        "-1",
        "-1",
        "-1",
    ]
    tokens.first.focus()
    page.keyboard.press("ArrowRight")
    expect(tokens.nth(1)).to_be_focused()
    expect(page.locator("#spoken")).to_have_text(
        "“cat is”: once in the candidate, once in the reference."
    )
    lit = page.locator('.lit[data-ngram="2-1"]')
    expect(lit).not_to_have_count(0)
    expect(page.locator('#precision-2 tr.lit[data-ngram="2-1"]')).to_have_count(1)
    page.keyboard.press("End")
    expect(tokens.nth(4)).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".lit")).to_have_count(0)


def test_arrow_keys_follow_right_to_left_text(page):
    reveal(page, "#reference-1").fill("שלום עולם טוב")
    reveal(page, "#hypothesis").fill("שלום עולם")
    present_precision(page, 1)
    tokens = page.locator("#matches-body .marked").first.locator("button")
    expect(tokens).to_have_text([re.compile("שלום"), re.compile("עולם")])
    expect(page.locator("#matches-body button")).to_have_count(5)
    tokens.first.focus()
    page.keyboard.press("ArrowLeft")
    expect(tokens.nth(1)).to_be_focused()
    right = tokens.first.bounding_box()
    left = tokens.nth(1).bounding_box()
    assert left is not None
    assert right is not None
    assert left["x"] < right["x"]
    page.keyboard.press("Escape")


def test_table_row_highlights_its_ngram_in_the_text(page):
    reveal(page, "#reference-1").fill("the cat the mat")
    reveal(page, "#hypothesis").fill("the cat the dog")
    expect(page.locator("#matches-body button.unmatched")).to_have_count(1)
    row = page.locator('#precision-1 tr[data-ngram="1-0"]')
    reveal(page, "#precision-1")
    row.locator("button").focus()
    expect(page.locator("#matches-body button.lit")).to_have_count(4)
    page.keyboard.press("ArrowDown")
    expect(page.locator('#precision-1 tr[data-ngram="1-1"]')).to_have_class("credited lit")
    reveal(page, '#precision-1 tr[data-ngram="1-0"]').hover()
    expect(page.locator("#matches-body button.lit")).to_have_count(4)


@pytest.mark.layout
@pytest.mark.slow
def test_nothing_is_cut_off_at_double_zoom(browser: Browser, site: str):
    context = new_context(browser, viewport={"width": 640, "height": 400}, device_scale_factor=2)
    page = open_page(Recorder(context.new_page(), site))
    open_everything(page)
    reveal(page, "#large").click()
    for width in (640, 360):
        page.set_viewport_size({"width": width, "height": 400})
        content_width = page.evaluate("document.documentElement.scrollWidth")
        assert content_width <= page.evaluate("document.documentElement.clientWidth"), width
    context.close()


def test_marks_buttons_and_notices_are_readable_with_forced_colors(tab: Recorder):
    tab.page.emulate_media(forced_colors="active")
    page = open_page(tab)
    reveal(page, '[data-command="example:clipping"]').click()
    expect(page.locator("#texts .struck")).to_have_count(5)
    image = "e => getComputedStyle(e).backgroundImage"
    assert "gradient" in page.locator("#texts .struck").first.evaluate(image)
    background = "e => getComputedStyle(e).backgroundColor"
    page_background = page.locator("body").evaluate(background)
    assert page.locator("#texts [data-kind=credited]").first.evaluate(background) != page_background
    # The browser draws the background of text in the page's colour, whatever is behind it.
    page.locator("#copy").click()
    assert page.locator("#notice").evaluate(background) == page_background
    run = reveal(page, "#corpus-run")
    run.hover()
    assert run.evaluate(background) == page_background


def test_reduced_motion_stops_all_animation(tab: Recorder):
    tab.page.emulate_media(reduced_motion="reduce")
    page = open_page(tab)
    animated = page.evaluate(
        "[...document.querySelectorAll('*')].filter(e => {"
        "const s = getComputedStyle(e, '::before'), t = getComputedStyle(e);"
        "return parseFloat(t.transitionDuration) > 0 || t.scrollBehavior === 'smooth' ||"
        "(s.animationName !== 'none' && s.content !== 'none')}).map(e => e.id || e.className)"
    )
    assert animated == []


@pytest.mark.slow
def test_printed_derivation_has_at_most_two_pages(tab: Recorder):
    page = open_page(tab)
    for name in ("partial-match", "clipping", "short-match-smoothed"):
        reveal(page, f'[data-command="example:{name}"]').click()
        pdf = page.pdf(format="A4")
        assert 1 <= pdf.count(b"/Type /Page\n") + pdf.count(b"/Type /Page ") <= 2
