"""The views: one at a time, in the address, and the whole document where no script runs."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import (
    VIEWS,
    Recorder,
    new_context,
    open_page,
    open_sealed_page,
    reveal,
    wait_for_script,
)
from tests.support.case_selection import fast_and_slow

CHOICE = "#comparison-body [data-command^=convention]:visible"
LINK = "#hypothesis=a+b+c+d&reference=a+b+c+e&max-order=3"


@pytest.fixture
def page(shared_recorder: Recorder) -> Page:
    """The module's page, in its first view."""
    reveal(shared_recorder.page, "#hypothesis")
    return shared_recorder.page


def expect_only(page: Page, *shown: str) -> None:
    """These views are on the screen, and no others."""
    for view in VIEWS:
        expect(page.locator(view)).to_be_visible(visible=view in shown)


def expect_rest(page: Page, place: int) -> None:
    """The page is scrolled to a place, and stays there."""
    wait_for_script(page, "place => scrollY === place", place)
    page.wait_for_timeout(400)
    assert page.evaluate("scrollY") == place


def top(page: Page, css: str) -> float:
    """How far below the window's upper edge an element begins."""
    box = page.locator(css).bounding_box()
    assert box
    return box["y"]


@pytest.mark.parametrize("view", VIEWS)
def test_a_tab_shows_its_view_and_says_so(page, view):
    tab = page.locator(f'#views a[href="{view}"]')
    tab.focus()
    page.keyboard.press("Enter")
    expect(tab).to_have_attribute("aria-current", "page")
    expect(page.locator("#views [aria-current]")).to_have_count(1)
    expect_only(page, view)
    assert page.evaluate("location.hash") == view
    assert page.title().startswith("BLEU calculator" if view == VIEWS[0] else tab.inner_text())


def test_back_returns_to_where_a_view_was_left(page):
    reveal(page, "#why")
    expect(page.locator("#why")).to_be_visible()  # the view goes to its top as it opens
    page.evaluate("scrollTo({top: 1500, behavior: 'instant'})")
    expect_rest(page, 1500)
    reveal(page, "#files")
    expect(page.locator("#corpus-system")).to_be_in_viewport()
    page.go_back()
    expect(page.locator("#why")).to_be_visible()
    expect_rest(page, 1500)
    reveal(page, "#calculator")
    expect_rest(page, 0)
    reveal(page, "#why")
    expect_rest(page, 1500)
    # the tab of the view that is open leads to its top
    page.locator('#views a[href="#why"]').click()
    expect(page.locator("#steps-title")).to_be_in_viewport()


@pytest.mark.parametrize(
    "part", fast_and_slow(1, ["precision-2", "is-30-good", "papineni-2002", "segments-title"])
)
def test_a_link_to_a_part_opens_its_view(recorder, part):
    recorder.page.goto(f"{recorder.site}#{part}")
    view = recorder.page.evaluate(
        "id => '#' + document.getElementById(id).closest('.view').id", part
    )
    expect_only(recorder.page, view)
    open_page(recorder, f"#{part}")
    expect_only(recorder.page, view)
    if part != "segments-title":  # before files are scored, it is not there yet
        expect(recorder.page.locator(f"#{part}")).to_be_in_viewport()
    recorder.check()


def test_a_part_that_is_linked_to_on_the_page_comes_into_sight(page):
    page.locator('#result a[href="#brevity-penalty"]').first.click()
    expect_only(page, "#why")
    expect(page.locator("#brevity-penalty h3")).to_be_in_viewport()
    assert top(page, "#brevity-penalty h3") > top(page, "#views")
    page.locator("#strip").click()
    expect_only(page, "#calculator")
    expect(page.locator("#result")).to_be_in_viewport()


def test_a_link_to_a_folded_part_unfolds_it(page):
    reveal(page, "#scale-title")
    page.locator('#why a[href="#which"]').click()
    expect(page.locator("#which-number")).to_be_in_viewport()
    page.locator("#which summary").click()


@pytest.mark.parametrize("part", ["lens", "which", "what-if", "check-yourself"])
def test_a_link_to_a_folded_part_that_is_opened_first_unfolds_it(recorder, part):
    page = open_page(recorder, f"#{part}")
    expect(page.locator(f"#{part}")).to_have_attribute("open", "")
    expect(page.locator(f"#{part} > summary")).to_be_in_viewport()
    recorder.check()


def test_no_view_gives_a_verdict_while_a_text_is_missing(page):
    reveal(page, "#hypothesis").fill("the cat is on mat")
    page.locator("#reference-1").fill("the cat is on the mat")
    page.locator("#keep").click()
    expect(page.locator("#pinned")).to_contain_text("Pinned: 57.89")
    page.locator("#reference-1").fill("")
    expect(page.locator("#pinned")).to_have_text("Pinned: 57.89.")
    expect(page.locator("#moved")).to_be_hidden()
    todo = "Type or paste a reference"
    expect(page.locator("#matches-body")).to_contain_text(todo)
    reveal(page, "#copy").click()
    expect(page.locator("#notice")).to_contain_text(f"There is no score yet. {todo}")
    reveal(page, "#derivation")
    expect(page.locator("#derivation")).to_contain_text(todo)
    expect(page.locator("#derivation .step")).to_have_count(0)
    page.locator("#walk").click()
    expect(page.locator("#notice")).to_contain_text(todo)
    expect(page.locator("html[data-walk]")).to_have_count(0)
    reveal(page, "#comparison-body")
    for part in ("lens", "what-if", "check-yourself"):
        page.locator(f"#{part} > summary").click()
    for body in ("comparison", "lens", "what-if", "snippets"):
        expect(page.locator(f"#{body}-body")).to_contain_text(todo)
        expect(page.locator(f"#{body}-body")).not_to_contain_text("0.00")
    for part in ("lens", "what-if", "check-yourself"):
        page.locator(f"#{part} > summary").click()
    reveal(page, "#reference-1").fill("the cat is on the mat")
    reveal(page, "#forget").click()
    reveal(page, "#derivation")
    expect(page.locator("#derivation .step")).to_have_count(8)


def test_a_wrong_setting_is_told_of_in_every_view_about_the_score(page):
    reveal(page, "#more summary").click()
    reveal(page, "#weights").fill("abc")
    expect(page.locator("#error")).to_contain_text("4 weights that sum to 1")
    for view in ("#why", "#compare"):
        reveal(page, view)
        expect(page.locator("#strip")).to_have_text("Error")
    page.locator("#strip").click()
    expect_only(page, "#calculator")
    expect(page.locator("#error")).to_be_in_viewport()
    reveal(page, "#weights").fill("")
    expect(page.locator("#strip")).to_contain_text("BLEU")
    expect(page.locator("#strip")).to_have_attribute("href", "#result")
    page.locator("#more summary").click()


def test_an_error_comes_into_sight(page):
    reveal(page, "#more summary").click()
    weights = reveal(page, "#weights")
    weights.evaluate("one => scrollBy(0, one.getBoundingClientRect().bottom + 5 - innerHeight)")
    weights.press_sequentially("abc")
    expect(page.locator("#error")).to_be_in_viewport()
    weights.fill("")
    page.locator("#more summary").click()


def test_a_link_holds_texts_and_view(recorder):
    page = open_page(recorder, f"{LINK}&view=compare")
    expect_only(page, "#compare")
    expect(page.locator("#hypothesis")).to_have_value("a b c d")
    expect(page.locator("#comparison-body table").first).to_be_visible()
    reveal(page, "#hypothesis").press("End")
    page.keyboard.type(" x")
    reveal(page, "#why")
    assert page.evaluate("location.hash") == f"{LINK}&view=why"
    # the same texts in another view are no other link: what was typed stays
    expect(page.locator("#hypothesis")).to_have_value("a b c d x")
    page.reload()
    expect_only(page, "#why")
    recorder.check()


def test_a_link_to_a_view_alone_is_left_by_its_tabs(recorder):
    page = open_page(recorder, "#view=files")
    expect_only(page, "#files")
    reveal(page, "#compare")
    expect_only(page, "#compare")
    assert page.evaluate("location.hash") == "#compare"


def test_the_link_that_is_made_opens_in_this_view(page):
    reveal(page, "#compare")
    page.evaluate("document.getElementById('share').click()")
    expect(page.locator("#notice")).to_contain_text("Link copied")
    assert page.evaluate("navigator.clipboard.readText()").endswith("&view=compare")


def test_what_is_chosen_in_another_view_leads_to_the_score_and_back(page):
    reveal(page, "#comparison-body")
    page.locator(CHOICE).first.click()
    expect_only(page, "#calculator")
    expect(page.locator("#result")).to_be_in_viewport()
    page.go_back()
    expect_only(page, "#compare")


def test_what_nobody_sees_is_not_computed(page):
    reveal(page, "#compare")
    expect(page.locator("#comparison-body tr.same")).not_to_have_count(0)
    before = page.locator("#comparison-body").inner_html()
    reveal(page, "#hypothesis").fill("one two three four")
    reveal(page, "#reference-1").fill("one two three four five")
    expect(page.locator("#strip")).to_contain_text("77.88")
    assert page.locator("#comparison-body").inner_html() == before
    reveal(page, "#compare")
    expect(page.locator("#comparison-body")).to_contain_text("77.88")


def test_the_score_stays_in_sight_while_typing_on_a_phone(page):
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


@pytest.mark.parametrize("width", [320, 390])
def test_the_formulas_of_a_long_sentence_fit_a_phone(page, width):
    page.set_viewport_size({"width": width, "height": 700})
    try:
        text = "it is a guide to action which ensures that the military always obeys the party"
        reveal(page, "#hypothesis").fill(f"{text} and its words")
        page.locator("#reference-1").fill(f"{text} now")
        reveal(page, "#score-step")
        expect(page.locator("#cross-check")).to_contain_text("17")
        wide = "many => many.filter((one) => one.scrollWidth > one.clientWidth).length"
        assert page.locator("#derivation .equation").evaluate_all(wide) == 0
    finally:
        page.set_viewport_size({"width": 1280, "height": 720})


@pytest.mark.parametrize("references", [1, 3])
def test_a_phone_shows_what_every_ngram_is_credited(page, references):
    page.set_viewport_size({"width": 390, "height": 700})
    try:
        reveal(page, "#hypothesis").fill("the cat is on mat")
        page.locator("#reference-1").fill("the cat is on the mat")
        for number in range(2, references + 1):
            page.locator("#add-reference").click()
            page.locator(f"#reference-{number}").fill("there is a cat on the mat")
        reveal(page, "#precision-1")
        for table in page.locator("#derivation .table").all():
            assert table.evaluate("one => one.scrollWidth <= one.clientWidth")
    finally:
        page.set_viewport_size({"width": 1280, "height": 720})


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("width", [320, 390])
def test_no_view_is_wider_than_a_phone(page, view, width):
    page.set_viewport_size({"width": width, "height": 700})
    try:
        reveal(page, view)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        bar = "[...document.querySelectorAll('#views a')].map((one) => one.getBoundingClientRect())"
        tops = page.evaluate(f"{bar}.map((box) => box.top)")
        ends = page.evaluate(f"{bar}.map((box) => box.right)")
        assert len(set(tops)) == 1
        assert max(ends) <= width
    finally:
        page.set_viewport_size({"width": 1280, "height": 720})


PRINTED = {
    "#calculator": ["#score", "#matches", "#precision-2", "#cross-check"],
    "#files": ["#score", "#matches", "#precision-2", "#cross-check"],
    "#why": ["#precision-2", "#cross-check", "#how-precision", "#why-zero", "#sources"],
    "#compare": ["#comparison-body table"],
    "#learn": ["#learn-body"],
}
"""What a sheet holds from each view."""


@pytest.mark.parametrize("view", PRINTED)
def test_a_sheet_holds_what_the_view_is_about_and_nothing_to_press(page, view):
    reveal(page, view)
    if view == "#learn":
        expect(page.locator("#learn-body")).not_to_be_empty()
    page.emulate_media(media="print")
    try:
        for part in (".handout", *PRINTED[view]):
            expect(page.locator(part).first).to_be_visible()
        others = {part for parts in PRINTED.values() for part in parts} - set(PRINTED[view])
        for part in ("#views", "#inputs", "#corpus-form", "#theme", "#learn-actions", *others):
            expect(page.locator(part).first).to_be_hidden()
    finally:
        page.emulate_media(media="null")


def test_a_sheet_is_the_same_in_large_letters_and_during_a_presentation(page):
    sizes = """[...document.querySelectorAll(
        ".handout *, #result *, .drawing, .running, [data-step] > *")].map((node) => {
            const box = node.getBoundingClientRect();
            return [node.localName, box.width, box.height];
        })"""

    def printed() -> object:
        page.emulate_media(media="print")
        try:
            return page.evaluate(sizes)
        finally:
            page.emulate_media(media="null")

    reveal(page, "#hypothesis").fill("the cat sat on it")
    expect(page.locator("#matches-body")).to_contain_text("sat")
    plain = printed()
    reveal(page, "#large").click()
    assert printed() == plain
    reveal(page, "#why")
    plain = printed()
    reveal(page, "#walk").click()
    page.keyboard.press("ArrowRight")
    expect(page.locator("html")).to_have_attribute("data-walk", "precision-1")
    presented = printed()
    page.keyboard.press("Escape")
    page.locator("#large").click()
    assert presented == plain


def test_the_button_prints_the_hand_out_from_the_view_of_the_steps(page):
    page.evaluate("window.print = () => {}")
    reveal(page, "#print").click()
    assert page.evaluate("document.documentElement.dataset.handout")
    page.emulate_media(media="print")
    try:
        for part in PRINTED["#calculator"]:
            expect(page.locator(part)).to_be_visible()
        expect(page.locator("#how-precision")).to_be_hidden()
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        expect(page.locator("#how-precision")).to_be_visible()
    finally:
        page.emulate_media(media="null")


def test_a_sheet_has_no_button_that_works_on_the_screen_alone(page):
    reveal(page, "#convention").select_option("default")
    reveal(page, "#reference-1").fill("the cat is on the mat")
    reveal(page, "#hypothesis").fill("The Cat sat on it")
    expect(page.locator(".findings button")).to_have_count(1)
    page.emulate_media(media="print")
    try:
        expect(page.locator(".findings")).to_be_visible()
        expect(page.locator(".findings button")).to_be_hidden()
        remedy = page.locator(".why-zero .action").first
        expect(remedy).to_have_css("text-decoration-line", "none")
    finally:
        page.emulate_media(media="null")


def test_without_scripts_the_document_is_whole(browser: Browser, site: str):
    context = new_context(browser, java_script_enabled=False)
    page = context.new_page()
    page.goto(site)
    for part in (*VIEWS, "#comparison-body table", "#how-precision", ".noscript"):
        expect(page.locator(part).first).to_be_visible()
    for part in ("#loading", ".learn-wait", ".learn-failed", "#orders"):
        expect(page.locator(part)).to_be_hidden()
    page.locator('#views a[href="#why"]').click()
    expect(page.locator("#steps-title")).to_be_in_viewport()
    context.close()


def test_without_their_module_the_views_stand_one_below_the_other(site_copy, context):
    (site_copy.folder / "static" / "views.mjs").unlink()
    page = context.new_page()
    page.goto(site_copy.address)
    expect(page.locator("html[data-ready]")).to_have_count(1)
    page.locator('#views a[href="#compare"]').click()
    expect_only(page, "#calculator", "#compare")
    page.locator(CHOICE).first.click()
    expect(page.locator("#result")).to_be_in_viewport()


def test_a_reload_comes_back_to_the_view(context, site):
    page = open_sealed_page(context, f"{site}#files")
    page.reload()
    expect_only(page, "#files")
