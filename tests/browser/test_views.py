"""The views: shown one at a time and named in the address, or all shown without scripts."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from bleu import EXAMPLES
from tests.browser.conftest import (
    VIEWS,
    Recorder,
    expect_notice,
    new_context,
    open_page,
    open_sealed_page,
    reveal,
    wait_for_script,
    word_place,
)
from tests.support.case_selection import fast_and_slow

CONVENTION_BUTTON = "#comparison-body [data-command^=convention]:visible"
LINK = "#hypothesis=a+b+c+d&reference=a+b+c+e&max-order=3"


@pytest.fixture
def page(shared_recorder: Recorder) -> Page:
    """Return the page of the module in its first view, with a score, whatever tests ran before."""
    page = shared_recorder.page
    reveal(page, "#hypothesis").fill("the cat is on mat")
    page.locator("#reference-1").fill("the cat is on the mat")
    expect(page.locator("#strip")).to_have_text(re.compile(r"BLEU \d"))
    return page


def expect_visible_views(page: Page, *expected: str) -> None:
    """Wait until exactly these views are visible."""
    for view in VIEWS:
        expect(page.locator(view)).to_be_visible(visible=view in expected)


def expect_scroll_position(page: Page, position: int) -> None:
    """Wait until the page is scrolled to a position, and check that it stays there."""
    wait_for_script(page, "position => scrollY === position", position)
    page.wait_for_timeout(400)
    assert page.evaluate("scrollY") == position


def top_of(page: Page, css: str) -> float:
    """Return the distance of an element from the top of the window, in pixels."""
    box = page.locator(css).bounding_box()
    assert box
    return box["y"]


@pytest.mark.parametrize("view", VIEWS[:-1])
def test_tab_opens_its_view(page, view):
    tab = page.locator(f'#views a[href="{view}"]')
    tab.focus()
    page.keyboard.press("Enter")
    expect(tab).to_have_attribute("aria-current", "page")
    expect(page.locator("#views [aria-current]")).to_have_count(1)
    expect_visible_views(page, view)
    assert page.evaluate("location.hash") == view
    assert page.title().startswith("BLEU calculator" if view == VIEWS[0] else tab.inner_text())


def test_back_restores_the_scroll_position_of_a_view(page):
    reveal(page, "#why")
    # A view scrolls when it opens, and its entry of the history is marked after that.
    wait_for_script(page, "location.hash === '#why' && history.state?.visited")
    page.evaluate("scrollTo({top: 1500, behavior: 'instant'})")
    expect_scroll_position(page, 1500)
    reveal(page, "#files")
    expect(page.locator("#corpus-system")).to_be_in_viewport()
    page.go_back()
    expect(page.locator("#why")).to_be_visible()
    expect_scroll_position(page, 1500)
    reveal(page, "#calculator")
    expect_scroll_position(page, 0)
    reveal(page, "#why")
    expect_scroll_position(page, 1500)
    # The tab of the open view scrolls to its top.
    page.locator('#views a[href="#why"]').click()
    expect(page.locator("#steps-title")).to_be_in_viewport()


@pytest.mark.parametrize(
    "target", fast_and_slow(1, ["precision-2", "is-30-good", "papineni-2002", "segments-title"])
)
def test_link_to_a_section_opens_its_view(tab, target):
    tab.page.goto(f"{tab.site}#{target}")
    view = tab.page.evaluate("id => '#' + document.getElementById(id).closest('.view').id", target)
    expect_visible_views(tab.page, view)
    open_page(tab, f"#{target}")
    expect_visible_views(tab.page, view)
    if target != "segments-title":  # It is hidden until files are scored.
        expect(tab.page.locator(f"#{target}")).to_be_in_viewport()
    tab.check()


def test_internal_link_scrolls_to_its_target(page):
    page.locator(".factor[data-factor=brevity-penalty]").click()
    page.locator('#station a[href="#brevity-penalty"]').click()
    expect_visible_views(page, "#why")
    expect(page.locator("#brevity-penalty h3")).to_be_in_viewport()
    assert top_of(page, "#brevity-penalty h3") > top_of(page, "#views")
    page.locator("#strip").click()
    expect_visible_views(page, "#calculator")
    expect(page.locator("#result")).to_be_in_viewport()


def test_list_of_steps_marks_the_current_step(page):
    reveal(page, "#why")
    page.evaluate("scrollTo({top: 0, behavior: 'instant'})")
    current = page.locator("#derivation > nav [aria-current=step]")
    expect(current).to_have_attribute("href", "#tokens")
    for link in page.locator("#derivation > nav a").all():
        link.click()
        expect(link).to_have_attribute("aria-current", "step")
    expect(current).to_have_count(1)


def test_reference_belongs_to_learn_and_links_each_answer(page):
    reveal(page, "#why-zero")
    expect(page.locator('#views [aria-current="page"]')).to_have_attribute("href", "#learn")
    links = page.locator("#reference h3 a")
    assert links.evaluate_all("all => all.every(({hash}) => document.querySelector(hash))")
    assert links.count() == page.locator("#reference h3").count() == 18
    page.locator("#reference nav.steps a").last.click()
    expect(page.locator("#reference nav [aria-current=step]")).to_have_text("Sources")
    page.locator('#reference [data-command="learn:mode practice"]').click()
    expect(page.locator("#learn-practice")).to_have_attribute("aria-pressed", "true")
    reveal(page, "#learn-lesson").click()


def test_internal_link_opens_details(page):
    reveal(page, "#scale-title")
    page.locator('#reference a[href="#which"]').first.click()
    expect(page.locator("#which-number")).to_be_in_viewport()


@pytest.mark.parametrize("target", fast_and_slow(1, ["lens", "which", "what-if", "check-yourself"]))
def test_link_to_details_opens_them_at_the_start(tab, target):
    page = open_page(tab, f"#{target}")
    expect(page.locator(f"#{target}")).to_have_attribute("open", "")
    expect(page.locator(f"#{target} > summary")).to_be_in_viewport()
    tab.check()


def test_no_view_shows_a_score_while_a_text_is_missing(page):
    reveal(page, "#hypothesis").fill("the cat is on mat")
    page.locator("#reference-1").fill("the cat is on the mat")
    page.locator("#keep").click()
    expect(page.locator("#pinned")).to_contain_text("Pinned: 57.89")
    page.locator("#reference-1").fill("")
    expect(page.locator("#pinned")).to_have_text("Pinned: 57.89.")
    expect(page.locator("#moved")).to_be_hidden()
    todo = "Type or paste a reference"
    expect(page.locator("#matches-body")).to_contain_text(todo)
    for name in ("copy", "keep", "share"):
        expect(page.locator(f"#{name}")).to_be_disabled()
        expect(page.locator(f"#{name}")).to_have_accessible_description(re.compile("no score yet"))
    expect(page.locator("#no-score")).to_be_visible()
    reveal(page, "#derivation")
    expect(page.locator("#derivation")).to_contain_text(todo)
    expect(page.locator("#derivation .step")).to_have_count(0)
    with expect_notice(page, todo):
        page.locator("#walk").click()
    expect(page.locator("html[data-walk]")).to_have_count(0)
    reveal(page, "#comparison-body")
    for panel in ("lens", "what-if", "check-yourself"):
        page.locator(f"#{panel} > summary").click()
    for body in ("comparison", "lens", "what-if", "snippets"):
        expect(page.locator(f"#{body}-body")).to_contain_text(todo)
        expect(page.locator(f"#{body}-body")).not_to_contain_text("0.00")
    for panel in ("lens", "what-if", "check-yourself"):
        page.locator(f"#{panel} > summary").click()
    reveal(page, "#reference-1").fill("the cat is on the mat")
    reveal(page, "#forget").click()
    reveal(page, "#derivation")
    expect(page.locator("#derivation .step")).to_have_count(8)


def test_error_is_shown_in_every_view_about_the_score(page):
    reveal(page, "#more summary").click()
    reveal(page, "#weights").fill("abc")
    expect(page.locator("#error")).to_contain_text("A weight is “abc”")
    for view in ("#why", "#compare"):
        reveal(page, view)
        expect(page.locator("#strip")).to_have_text("Error")
    page.locator("#strip").click()
    expect_visible_views(page, "#calculator")
    expect(page.locator("#error")).to_be_in_viewport()
    reveal(page, "#weights").fill("")
    expect(page.locator("#strip")).to_contain_text("BLEU")
    expect(page.locator("#strip")).to_have_attribute("href", "#result")
    page.locator("#more summary").click()


@pytest.mark.slow
@pytest.mark.layout
def test_error_is_scrolled_into_view(page):
    reveal(page, "#more summary").click()
    weights = reveal(page, "#weights")
    weights.evaluate("node => scrollBy(0, node.getBoundingClientRect().bottom + 5 - innerHeight)")
    weights.press_sequentially("abc")
    expect(page.locator("#error")).to_be_in_viewport()
    weights.fill("")
    page.locator("#more summary").click()


def test_link_holds_texts_and_view(tab):
    page = open_page(tab, f"{LINK}&view=compare")
    expect_visible_views(page, "#compare")
    expect(page.locator("#hypothesis")).to_have_value("a b c d")
    expect(page.locator("#comparison-body table").first).to_be_visible()
    reveal(page, "#hypothesis").press("End")
    page.keyboard.type(" x")
    reveal(page, "#why")
    assert page.evaluate("location.hash") == f"{LINK}&view=why"
    # A link to the same texts in another view keeps what was typed.
    expect(page.locator("#hypothesis")).to_have_value("a b c d x")
    page.reload()
    expect_visible_views(page, "#why")
    tab.check()


@pytest.mark.slow
def test_tabs_leave_a_link_to_a_view(tab):
    page = open_page(tab, "#view=files")
    expect_visible_views(page, "#files")
    reveal(page, "#compare")
    expect_visible_views(page, "#compare")
    assert page.evaluate("location.hash") == "#compare"


def test_made_link_opens_the_current_view(page):
    reveal(page, "#compare")
    with expect_notice(page, "Link copied"):
        page.evaluate("document.getElementById('share').click()")
        page.locator("#copy-link").click()
    assert page.evaluate("navigator.clipboard.readText()").endswith("&view=compare")


def test_choice_in_another_view_opens_the_score(page):
    reveal(page, "#comparison-body")
    page.locator(CONVENTION_BUTTON).first.click()
    expect_visible_views(page, "#calculator")
    expect(page.locator("#result")).to_be_in_viewport()
    page.go_back()
    expect_visible_views(page, "#compare")


def test_hidden_view_is_not_computed(page):
    reveal(page, "#convention").select_option("default")
    reveal(page, "#compare")
    expect(page.locator("#comparison-body tr.same")).not_to_have_count(0)
    before = page.locator("#comparison-body").inner_html()
    reveal(page, "#hypothesis").fill("one two three four")
    reveal(page, "#reference-1").fill("one two three four five")
    expect(page.locator("#strip")).to_contain_text("77.88")
    assert page.locator("#comparison-body").inner_html() == before
    reveal(page, "#compare")
    expect(page.locator("#comparison-body")).to_contain_text("77.88")


@pytest.mark.layout
def test_score_stays_visible_while_typing_on_a_phone(page):
    page.set_viewport_size({"width": 390, "height": 500})
    try:
        page.evaluate("scrollTo({top: 600, behavior: 'instant'})")
        expect(page.locator("#strip")).to_be_in_viewport()
        reveal(page, "#hypothesis").fill("")
        expect(page.locator("#strip")).to_have_text("BLEU –")
        page.locator("#hypothesis").press_sequentially("a b c d")
        page.locator("#reference-1").fill("a b c d")
        expect(page.locator("#strip")).to_have_text("BLEU 100.00")
        expect(page.locator("#strip b")).to_be_in_viewport()
    finally:
        page.set_viewport_size({"width": 1280, "height": 720})


@pytest.mark.layout
def test_line_on_a_tapped_word_stands_in_sight_on_a_phone(page):
    page.set_viewport_size({"width": 390, "height": 844})
    try:
        text = " ".join(f"word{n} and{n}" for n in range(60))
        reveal(page, "#hypothesis").fill(text)
        page.locator("#reference-1").fill(f"{text} more")
        marks = "document.querySelectorAll('#texts .box [data-kind=credited]').length"
        wait_for_script(page, f"{marks} > 240")
        for word in ("and1", "word30", "and59"):
            page.mouse.click(*word_place(page, 0, word))
            expect(page.locator("#reading")).to_contain_text(f"{word}: it counts")
            expect(page.locator("#reading")).to_be_in_viewport(ratio=1)
    finally:
        page.set_viewport_size({"width": 1280, "height": 720})


@pytest.mark.layout
@pytest.mark.parametrize("width", fast_and_slow(1, [320, 390]))
def test_formulas_of_a_long_sentence_fit_a_phone(page, width):
    page.set_viewport_size({"width": width, "height": 700})
    try:
        text = "it is a guide to action which ensures that the military always obeys the party"
        reveal(page, "#hypothesis").fill(f"{text} and its words")
        page.locator("#reference-1").fill(f"{text} now")
        reveal(page, "#score-step")
        expect(page.locator("#cross-check")).to_contain_text("17")
        count_wide = "all => all.filter((node) => node.scrollWidth > node.clientWidth).length"
        assert page.locator("#derivation .equation").evaluate_all(count_wide) == 0
    finally:
        page.set_viewport_size({"width": 1280, "height": 720})


@pytest.mark.layout
def test_stations_of_long_texts_fit_a_phone(page):
    page.set_viewport_size({"width": 390, "height": 700})
    try:
        reveal(page, "#hypothesis").fill(" ".join(f"word{n % 173}" for n in range(400)))
        page.locator("#reference-1").fill(" ".join(f"word{n % 181}" for n in range(405)))
        expect(page.locator(".factor[data-factor=precision-4]")).to_contain_text("cut off")
        page.locator("#tour").click()
        for title in ("Words", "Pairs", "Triples", "Fours", "Length", "The score"):
            expect(page.locator("#station h3")).to_have_text(title)
            count_wide = "all => all.filter((node) => node.scrollWidth > node.clientWidth).length"
            assert page.locator("#station, #station .equation").evaluate_all(count_wide) == 0
            page.locator("#station .next").click()
        expect(page.locator("#station")).to_be_hidden()
    finally:
        page.set_viewport_size({"width": 1280, "height": 720})


@pytest.mark.slow
@pytest.mark.layout
@pytest.mark.parametrize("references", fast_and_slow(1, [3, 1]))
def test_ngram_tables_fit_a_phone(page, references):
    page.set_viewport_size({"width": 390, "height": 700})
    try:
        reveal(page, "#hypothesis").fill("the cat is on mat")
        page.locator("#reference-1").fill("the cat is on the mat")
        for number in range(2, references + 1):
            page.locator("#add-reference").click()
            page.locator(f"#reference-{number}").fill("there is a cat on the mat")
        reveal(page, "#precision-1")
        for table in page.locator("#derivation .table").all():
            assert table.evaluate("node => node.scrollWidth <= node.clientWidth")
    finally:
        reveal(page, "#clear").click()  # The boxes of further references go with it.
        page.set_viewport_size({"width": 1280, "height": 720})


@pytest.mark.layout
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("width", fast_and_slow(1, [320, 390]))
def test_view_fits_a_phone(page, view, width):
    page.set_viewport_size({"width": width, "height": 700})
    try:
        reveal(page, view)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        links = "[...document.querySelectorAll('#views a:not([hidden])')]"
        bar = f"{links}.map((link) => link.getBoundingClientRect())"
        tops = page.evaluate(f"{bar}.map((box) => box.top)")
        right_edges = page.evaluate(f"{bar}.map((box) => box.right)")
        assert len(set(tops)) == 1
        assert max(right_edges) <= width
    finally:
        page.set_viewport_size({"width": 1280, "height": 720})


PRINTED = {
    "#calculator": ["#score", "#matches", "#precision-2", "#cross-check"],
    "#files": ["#corpus-form"],
    "#why": ["#score", "#precision-2", "#cross-check"],
    "#reference": ["#score", "#how-precision", "#why-zero", "#sources"],
    "#compare": ["#score", "#comparison-body table"],
    "#learn": ["#score", "#learn-body"],
}
"""The elements that are printed from each view."""


@pytest.mark.parametrize("view", PRINTED)
def test_print_holds_the_content_of_a_view_without_controls(page, view):
    reveal(page, view)
    if view == "#learn":
        expect(page.locator("#learn-body")).not_to_be_empty()
    page.emulate_media(media="print")
    try:
        expect(page.locator(".handout")).to_be_visible(visible=view == "#learn")
        for css in PRINTED[view]:
            expect(page.locator(css).first).to_be_visible()
        others = {css for printed in PRINTED.values() for css in printed} - set(PRINTED[view])
        for css in ("#views", "#inputs", "#corpus-run", "#theme", "#learn-actions", *others):
            expect(page.locator(css).first).to_be_hidden()
    finally:
        page.emulate_media(media="null")


@pytest.mark.slow
def test_print_ignores_letter_size_and_presentation(page):
    sizes = """[...document.querySelectorAll(
        "#result *, .drawing, .running, [data-step] > *")].filter((node) =>
            node.getClientRects().length).map((node) => {
            const box = node.getBoundingClientRect();
            return [node.localName, box.width.toFixed(2), box.height.toFixed(2)];
        })"""

    def printed_sizes() -> object:
        page.emulate_media(media="print")
        try:
            return page.evaluate(sizes)
        finally:
            page.emulate_media(media="null")

    reveal(page, "#hypothesis").fill("the cat sat on it")
    expect(page.locator("#matches-body")).to_contain_text("sat")
    usual_sizes = printed_sizes()
    reveal(page, "#large").click()
    assert printed_sizes() == usual_sizes
    reveal(page, "#why")
    usual_sizes = printed_sizes()
    reveal(page, "#walk").click()
    page.keyboard.press("ArrowRight")
    expect(page.locator("html")).to_have_attribute("data-walk", "precision-1")
    presented_sizes = printed_sizes()
    page.keyboard.press("Escape")
    page.locator("#large").click()
    assert presented_sizes == usual_sizes


def test_handout_is_printed_from_the_view_of_the_steps(page):
    page.evaluate("window.print = () => {}")
    reveal(page, "#print").click()
    assert page.evaluate("document.documentElement.dataset.handout")
    page.emulate_media(media="print")
    try:
        for css in PRINTED["#calculator"]:
            expect(page.locator(css)).to_be_visible()
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        expect(page.locator("#matches")).to_be_hidden()
    finally:
        page.emulate_media(media="null")


@pytest.mark.slow
def test_handout_of_every_example_has_two_pages(tab):
    page = open_page(tab)
    for name in EXAMPLES:
        page.locator(f'[data-command="example:{name}"]').evaluate("node => node.click()")
        expect(page.locator("#score")).to_have_attribute("data-value", re.compile("."))
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) == 2, name


def test_print_hides_buttons(page):
    reveal(page, "#convention").select_option("default")
    reveal(page, "#reference-1").fill("the cat is on the mat")
    reveal(page, "#hypothesis").fill("The Cat sat on it")
    expect(page.locator(".findings button")).to_have_count(1)
    expect(reveal(page, ".findings button")).to_be_visible()
    reveal(page, ".why-zero .action")
    page.emulate_media(media="print")
    try:
        expect(page.locator(".findings")).to_be_visible()
        expect(page.locator(".findings button")).to_be_hidden()
        remedy = page.locator(".why-zero .action").first
        expect(remedy).to_have_css("text-decoration-line", "none")
    finally:
        page.emulate_media(media="null")


def test_page_without_scripts_shows_every_view(browser: Browser, site: str):
    context = new_context(browser, java_script_enabled=False)
    page = context.new_page()
    page.goto(site)
    for css in (*VIEWS, "#comparison-body table", "#how-precision", ".noscript"):
        expect(page.locator(css).first).to_be_visible()
    for css in ("#loading", ".learn-wait", ".learn-failed"):
        expect(page.locator(css)).to_be_hidden()
    page.locator('#views a[href="#why"]').click()
    expect(page.locator("#steps-title")).to_be_in_viewport()
    context.close()


@pytest.mark.slow
def test_views_are_all_visible_without_their_module(site_copy, context):
    (site_copy.folder / "static" / "views.mjs").unlink()
    page = context.new_page()
    page.goto(site_copy.address)
    expect(page.locator("html[data-ready]")).to_have_count(1)
    page.locator('#views a[href="#compare"]').click()
    expect_visible_views(page, "#calculator", "#compare")
    page.locator(CONVENTION_BUTTON).first.click()
    expect(page.locator("#result")).to_be_in_viewport()


@pytest.mark.slow
def test_reload_keeps_the_view(context, site):
    page = open_sealed_page(context, f"{site}#files")
    page.reload()
    expect_visible_views(page, "#files")


@pytest.mark.layout
@pytest.mark.parametrize("size", fast_and_slow(1, [(1280, 720), (390, 844)]))
def test_marks_stand_in_the_first_screen(context, site, size):
    width, height = size
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": height})
    page.goto(site)
    # One script, because Python draws the marks again when it is ready.
    bottoms = page.evaluate(
        "[...document.querySelectorAll('#texts [data-kind]')]"
        ".map((node) => node.getBoundingClientRect().bottom)"
    )
    assert len(bottoms) == 8 + 8
    assert max(bottoms) <= height


def test_error_opens_the_folded_settings(page):
    reveal(page, "#more summary").click()
    reveal(page, "#weights").fill("0.5")
    page.locator("#more summary").click()
    expect(page.locator("#weights")).to_be_hidden()
    page.locator("#hypothesis").fill("a")
    expect(page.locator("#error")).to_be_visible()
    expect(page.locator("#weights")).to_be_visible()
    page.locator("#weights").fill("")
    page.locator("#more summary").click()
