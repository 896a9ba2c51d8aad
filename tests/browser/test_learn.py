"""The view Learn: the lesson by keyboard alone, practice, worksheets, and a class."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from app.learn import lesson_screens, worksheet_answers, worksheet_html, worksheet_spec
from app.learn.worksheet_spec import WorksheetSpec
from bleu.learn.grading import answer_key
from tests.browser.conftest import Recorder, new_context, open_page, reveal
from tests.browser.test_access import violations
from tests.support.case_selection import fast_and_slow

FOCUSED = """() => {
    const at = document.activeElement;
    return [at.id, at.name ?? "", at.value ?? "", at.type ?? ""];
}"""
TABS = 60
"""More keys than lie between any two places of the view."""
SCREENS = len(lesson_screens.SCREENS) + 1
"""Those of the lesson, with the questions to check."""


@pytest.fixture
def page(shared_recorder: Recorder) -> Page:
    """The module's page, in the lesson."""
    reveal(shared_recorder.page, "#learn-lesson").click()
    return shared_recorder.page


def show_screen(page: Page, name: str) -> None:
    """Go to a screen of the lesson that is not answered yet, or is to be answered again."""
    page.locator(f'#learn-aside [data-command="learn:screen {name}"]').click()
    again = page.locator('#learn-actions [data-command="learn:again"]')
    if again.count():
        again.click()


def tab_to(page: Page, found: str) -> list[str]:
    """Press Tab until what has the focus has such a name or id; its id, name, value and type."""
    for _ in range(TABS):
        at: list[str] = page.evaluate(FOCUSED)
        if re.fullmatch(found, at[0]) or re.fullmatch(found, at[1]):
            return at
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {found}")


def answer(page: Page, name: str, text: str) -> None:
    """Answer a field by keys alone."""
    kind = tab_to(page, rf"\d+\.{re.escape(name)}")[3]
    if kind == "radio":
        page.keyboard.press("Space")
        for _ in range(10):
            if page.evaluate(FOCUSED)[2] == text:
                return
            page.keyboard.press("ArrowRight")
        raise AssertionError(f"{text} cannot be chosen")
    if kind == "checkbox":
        for place in text.split():
            while page.evaluate(FOCUSED)[2] != place:
                page.keyboard.press("Tab")
            page.keyboard.press("Space")
        return
    page.keyboard.type(text)


def test_the_whole_lesson_by_keyboard_alone(page):
    page.keyboard.press("Escape")
    page.locator('#learn-aside [data-command="learn:screen rank"]').focus()
    page.keyboard.press("Enter")
    for place, screen in enumerate(lesson_screens.SCREENS):
        for exercise in screen.questions:
            expect(page.locator("#exercise-title")).to_be_focused()
            expect(page.locator("#exercise-title")).to_have_text(screen.title)
            expect(page.locator("#screen-place")).to_contain_text(
                f"Screen {place + 1} of {SCREENS}"
            )
            for name, text in answer_key(exercise).items():
                answer(page, name, text.split(" ≈")[0])
            page.keyboard.press("Enter")
            expect(page.locator("#learn-said")).to_contain_text("Right.")
            expect(page.locator("#learn-on")).to_be_focused()
            page.keyboard.press("Enter")
    for number in range(1, 4):
        expect(page.locator("#screen-place")).to_contain_text(
            f"question {number} of {len(lesson_screens.CHECK_QUESTIONS)}"
        )
        tab_to(page, r"\d+\..+")
        page.keyboard.press("Space")
        page.keyboard.press("Enter")
        expect(page.locator("#learn-on")).to_be_focused()
        expect(page.locator("#learn-after .choices li")).not_to_have_count(0)
        page.keyboard.press("Enter")
    answer(page, "matched-1", "99")
    page.keyboard.press("Enter")
    expect(page.locator('#exercise [aria-invalid="true"]')).to_be_focused()
    expect(page.locator("#learn-said")).to_contain_text("Check this again: credited 1-grams.")
    tab_to(page, "learn-hint-button")
    page.keyboard.press("Enter")
    expect(page.locator("#learn-said")).to_contain_text("Hint:")
    page.keyboard.press("Enter")
    expect(page.locator("#learn-said")).to_contain_text("Worked out:")
    expect(page.locator("#learn-solution-button")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#learn-on")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#exercise-title")).to_have_text("The end of the lesson")
    expect(page.locator("#exercise-title")).to_be_focused()


def test_a_wrong_bet_is_named_and_every_answer_explained(page):
    show_screen(page, "clipping")
    page.get_by_role("radiogroup", name="precision p₁").get_by_label("3/7").check()
    page.get_by_label("certain").check()
    page.get_by_role("button", name="Lock in").click()
    said = page.locator("#learn-said")
    expect(said).to_have_role("status")
    expect(said).to_contain_text("You added the matches of the references")
    expect(said).to_contain_text("You were certain")
    expect(page.locator("#learn-after .choices li")).to_have_count(4)
    said.get_by_role("link", name="How it works: Modified precision").click()
    expect(page.locator("#how-precision h3")).to_be_in_viewport()
    page.locator("#how-precision .try a").click()
    expect(page.locator("#exercise-title")).to_have_text("Seven times the same word")
    expect(page.locator("#exercise-title")).to_be_focused()


def test_a_screen_that_was_answered_is_shown_as_it_was(page):
    show_screen(page, "ngrams")
    show_screen(page, "clipping")
    page.get_by_role("radiogroup", name="precision p₁").get_by_label("3/7").check()
    page.get_by_label("fairly sure").check()
    page.get_by_role("button", name="Lock in").click()
    said = page.locator("#learn-said").inner_text()
    explained = page.locator("#learn-after").inner_text()
    page.locator("#learn-on").click()
    expect(page.locator("#exercise-title")).to_have_text("Words in a row")
    page.locator("#exercise [type=checkbox]").first.check()
    page.get_by_role("button", name="Lock in").click()
    expect(page.locator("#learn-said")).to_contain_text("Correct your marks")
    page.get_by_role("button", name="Back").click()
    expect(page.locator("#exercise-title")).to_have_text("Seven times the same word")
    expect(page.locator("#exercise-title")).to_be_focused()
    expect(page.locator("#exercise :checked")).to_have_count(2)
    expect(page.locator("#exercise :checked").first).to_have_value("3/7")
    expect(page.get_by_label("fairly sure")).to_be_checked()
    expect(page.locator("#exercise input:enabled")).to_have_count(0)
    assert page.locator("#learn-said").inner_text() == said
    assert page.locator("#learn-after").inner_text() == explained
    page.locator("#learn-on").click()
    expect(page.locator("#learn-said")).to_contain_text("Correct your marks")
    expect(page.locator("#exercise :checked")).to_have_value("1")
    page.get_by_role("button", name="Back").click()
    page.get_by_role("button", name="Answer again").click()
    expect(page.locator("#exercise :checked")).to_have_count(0)
    expect(page.locator("#learn-after")).to_be_empty()
    show_screen(page, "whole")
    page.locator('#exercise [name$=".matched-1"]').fill("abc")
    page.locator('#exercise [name$=".p-1"]').fill("1/2")
    page.get_by_role("button", name="Lock in").click()
    expect(page.locator("#learn-said")).to_contain_text("This is not a number.")
    expect(page.locator('#exercise [name$=".matched-1"]')).to_be_focused()
    expect(page.locator("#exercise .verdict")).to_have_count(1)
    page.get_by_role("button", name="Back").click()
    expect(page.locator("#screen-place")).to_contain_text("question 2 of 2")
    show_screen(page, "whole")
    expect(page.locator('#exercise [name$=".p-1"]')).to_have_value("1/2")


def test_questions_to_check_stay_until_new_ones_are_asked_for(page):
    show_screen(page, "check")
    before = page.locator("#exercise .step, #exercise > p").all_inner_texts()
    page.locator("#exercise [type=radio]").first.check()
    page.get_by_role("button", name="Lock in").click()
    page.locator("#learn-on").click()
    expect(page.locator("#screen-place")).to_contain_text("question 2 of 4")
    page.get_by_role("button", name="Back").click()
    expect(page.locator("#screen-place")).to_contain_text("question 1 of 4")
    assert page.locator("#exercise .step, #exercise > p").all_inner_texts() == before
    expect(page.locator("#learn-after .choices li")).not_to_have_count(0)
    page.get_by_role("button", name="New questions").click()
    expect(page.locator("#learn-after")).to_be_empty()
    assert page.locator("#exercise .step, #exercise > p").all_inner_texts() != before


def test_the_lesson_takes_short_texts_of_one_s_own(page):
    reveal(page, "#reference-1").fill("a b <i> d")
    reveal(page, "#hypothesis").fill("a b <i>")
    reveal(page, "#learn")
    show_screen(page, "whole")
    page.get_by_role("button", name="With my own texts").click()
    expect(page.locator("#exercise q").first).to_have_text("a b <i>")
    reveal(page, "#hypothesis").fill("word " * 13)
    reveal(page, "#learn")
    page.get_by_role("button", name="With the texts of the lesson").click()
    page.get_by_role("button", name="With my own texts").click()
    expect(page.locator("#learn-said")).to_contain_text("2 to 12 tokens")
    expect(page.locator("#exercise q").first).to_have_text("the dog saw me")


def test_practice_goes_on_and_progress_stays_only_where_that_is_chosen(browser, site):
    context = new_context(browser)
    page = open_page(Recorder(context.new_page(), site), "#learn")
    page.locator("#learn-practice").click()
    stored = "JSON.stringify({...localStorage})"

    def wrong() -> None:
        for _ in range(6):
            if page.locator("#learn-on").count():
                break
            box = page.locator('#exercise [name*="."]').first
            if box.get_attribute("type") in {"radio", "checkbox"}:
                box.check()
            else:
                box.fill("7/9")
            page.locator("#learn-actions .first").click()
            if page.locator('#learn-actions [data-command="learn:solution"]').count():
                page.locator('#learn-actions [data-command="learn:solution"]').click()
        expect(page.locator("#learn-on")).to_be_focused()

    wrong()
    expect(page.locator("#learn-done")).to_contain_text("1 done")
    assert page.evaluate(stored) == "{}"
    page.locator('#learn-actions [data-command="learn:like"]').click()
    expect(page.locator("#exercise-title")).to_be_focused()
    wrong()
    page.locator("#learn-aside summary").click()
    page.get_by_label("Keep it on this device").check()
    page.locator("#learn-on").click()
    assert "answered" in page.evaluate(stored)
    page.reload()
    expect(page.locator("html[data-ready]")).to_have_count(1)
    page.locator("#learn-practice").click()
    expect(page.locator("#learn-done")).to_contain_text("2 done")
    page.locator("#learn-aside summary").click()
    page.get_by_role("button", name="Wipe it").click()
    expect(page.locator("#learn-done")).to_contain_text("A topic is mastered after")
    page.get_by_label("Keep it on this device").uncheck()
    assert page.evaluate(stored) == "{}"
    context.close()


def test_on_a_phone_what_leads_on_stands_below_the_explanation(browser: Browser, site: str):
    context = new_context(browser, viewport={"width": 390, "height": 844})
    page = open_page(Recorder(context.new_page(), site), "#learn")
    page.locator("#exercise input").first.check()
    page.get_by_role("button", name="Lock in").click()
    expect(page.locator("#learn-on-again")).to_be_focused()
    expect(page.locator("#learn-on")).to_be_hidden()
    expect(page.locator("#learn-said")).to_be_in_viewport()
    explained = page.locator("#learn-after .table").bounding_box()
    assert explained["y"] < page.locator("#learn-on-again").bounding_box()["y"]
    page.keyboard.press("Enter")
    expect(page.locator("#screen-place")).to_contain_text("Screen 2")
    context.close()


def test_a_text_is_made_with_its_score_beside_it(page):
    exercise = next(
        one
        for one in worksheet_spec.iter_worksheet(WorksheetSpec("m", ("brevity",), 12))
        if one.kind == "make"
    )
    page.locator("#learn-practice").click()
    page.locator('#learn-topics [value="brevity"]').check()
    for _ in range(40):
        if page.locator("#learn-live").count():
            break
        page.locator('#exercise [name*="."]').first.evaluate(
            "box => box.type === 'text' ? box.value = '1' : box.checked = true"
        )
        while not page.locator("#learn-on").count():
            page.locator('#learn-actions :is(.first, [data-command="learn:solution"])').last.click()
        page.locator("#learn-on").click()
    else:
        raise AssertionError("there was no text to make")
    live = page.locator("#learn-live")
    expect(live).to_contain_text("not reached yet")
    box = page.locator('#exercise [name$=".text"]')
    texts = [one.inner_text() for one in page.locator("#exercise q").all()]
    assert box.input_value() == texts[0]
    box.fill(" ".join(texts[1].split()[:-1]))
    expect(live).to_contain_text("The goal is reached.")
    assert exercise.detail == "short"


def test_from_learn_to_a_link_that_opens_the_same_worksheet_elsewhere(
    page, browser: Browser, site: str
):
    expect(page.locator("#learn-given")).to_be_hidden()
    page.locator("#learn-sheet").click()
    page.locator('#sheet-form [value="clipping"]').check()
    page.locator("#sheet-count").fill("2")
    page.locator("#sheet-seed").fill("7k2q")
    page.locator("#sheet-seed").press("Tab")
    expect(page.locator("#exercise-title")).to_contain_text("worksheet 7k2q")
    expect(page.locator(".sheet .step")).to_have_count(2)
    first = page.locator("#exercise-1 q").first.inner_text()
    page.locator('[data-command="learn:another 0"]').click()
    expect(page.locator("#exercise-1 q").first).not_to_have_text(first)
    expect(page.locator('[data-command="learn:another 0"]')).to_be_focused()
    page.locator("#rewrite-1 summary").click()
    box = page.locator("#texts-1")
    box.fill("the the the cat\nthe cat sat\n\nmore")
    page.locator('[data-command="learn:rewrite 1"]').click()
    error = page.locator("#texts-1-error")
    expect(error).to_have_text("This exercise takes 1 candidate with its references, not 2.")
    expect(box).to_have_value("the the the cat\nthe cat sat\n\nmore")
    box.fill("the the the cat\nthe cat sat")
    page.locator('[data-command="learn:rewrite 1"]').click()
    expect(page.locator("#exercise-2 q").first).to_have_text("the the the cat")
    expect(page.locator("#rewrite-1 summary")).to_be_focused()
    page.get_by_role("button", name="Copy the link").click()
    expect(page.locator("#notice")).to_contain_text("Link copied")
    link = page.evaluate("navigator.clipboard.readText()")
    texts = page.locator(".sheet q").all_inner_texts()

    context = new_context(browser)
    other = open_page(Recorder(context.new_page(), site), f"#{link.partition('#')[2]}")
    expect(other.locator(".sheet .step")).to_have_count(2)
    assert other.locator(".sheet q").all_inner_texts() == texts
    expect(other.locator("#sheet-form")).to_have_count(0)
    other.get_by_label("Your name").fill("Ann")
    [wanted, _] = worksheet_spec.from_fragment(link.partition("#")[2]) or [WorksheetSpec(), ""]
    chosen, _ = worksheet_spec.apply_own_texts(wanted, tuple(worksheet_spec.iter_worksheet(wanted)))
    for number, exercise in enumerate(chosen, 1):
        for name, text in answer_key(exercise).items():
            boxes = other.locator(f'[name="{number}.{name}"]')
            if boxes.first.get_attribute("type") in {"radio", "checkbox"}:
                for value in (
                    text.split() if boxes.first.get_attribute("type") != "radio" else [text]
                ):
                    other.locator(f'[name="{number}.{name}"][value="{value}"]').check()
            else:
                boxes.fill(text.split(" ≈")[0])
    other.get_by_role("button", name="Mark my answers").click()
    expect(other.locator("#learn-said")).to_have_text("2 of 2 are right.")
    context.close()


def test_what_is_written_on_a_worksheet_stays(page, browser: Browser, site: str):
    context = new_context(browser)
    link = "#exercises=7k2q&topics=clipping+combination&count=3&order=2"
    other = open_page(Recorder(context.new_page(), site), link)
    blanks = other.locator("#exercise .blank")
    expect(other.locator(".sheet .step")).to_have_count(3)
    other.get_by_label("Your name").fill("Ann")
    for blank in blanks.all():
        blank.fill("3")
    count = blanks.count()

    def expect_all() -> None:
        expect(blanks).to_have_count(count)
        assert [blank.input_value() for blank in blanks.all()] == ["3"] * count
        expect(other.get_by_label("Your name")).to_have_value("Ann")

    expect(other.locator("#exercise h3 a")).to_have_count(0)
    other.get_by_role("button", name="Mark my answers").click()
    marks = other.locator("#exercise .verdict").count()
    assert marks
    other.locator('#views a[href="#calculator"]').click()
    other.locator('#views a[href="#learn"]').click()
    expect_all()
    other.locator("#learn-present").click()
    other.keyboard.press("ArrowRight")
    other.keyboard.press("ArrowRight")
    other.locator("#exercise .blank").first.fill("3 ")
    other.locator("#leave").click()
    expect(blanks).to_have_count(count)
    assert {blank.input_value() for blank in blanks.all()} == {"3", "3 "}
    expect(other.locator("#exercise .verdict")).to_have_count(marks)
    other.locator("#learn-lesson").click()
    other.locator("#learn-given").click()
    expect(blanks).to_have_count(count)
    expect(other.locator("#sheet-form")).to_have_count(0)
    other.locator("#learn-sheet").click()
    other.locator("#sheet-solutions").check()
    expect(blanks).to_have_count(0)
    other.locator("#learn-given").click()
    expect(blanks).to_have_count(count)
    other.locator("#learn-sheet").click()
    expect(blanks).to_have_count(count)
    other.locator("#rewrite-1 summary").click()
    other.locator("#texts-1").fill("a draft")
    other.locator("#class summary").click()
    other.locator("#class-lines").fill("a line")
    other.locator("#learn-lesson").click()
    other.locator("#learn-sheet").click()
    expect(other.locator("#texts-1")).to_have_value("a draft")
    expect(other.locator("#class-lines")).to_have_value("a line")
    other.locator("#learn-present").click()
    other.locator("#leave").click()
    expect(other.locator("#texts-1")).to_have_value("a draft")
    other.locator('[data-command="learn:another 0"]').click()
    expect(blanks.first).to_have_value("")
    assert {blank.input_value() for blank in blanks.all()} == {"", "3", "3 "}
    expect(other.locator("#learn-said")).to_be_empty()
    expect(other.locator("#texts-1")).to_have_value("a draft")
    context.close()


def test_a_worksheet_that_is_still_sought_does_not_come_over_the_lesson(page):
    page.locator("#learn-sheet").click()
    page.locator("#sheet-count").fill("100")
    page.locator("#sheet-seed").fill("late")
    page.locator("#sheet-seed").press("Tab")
    page.locator("#learn-lesson").click()
    expect(page.locator("#screen-place")).to_be_visible()
    page.wait_for_timeout(1500)
    expect(page.locator("#screen-place")).to_be_visible()
    page.locator("#learn-sheet").click()
    expect(page.locator(".sheet .step")).to_have_count(100)
    page.locator("#sheet-count").fill("6")
    page.locator("#sheet-count").press("Tab")
    expect(page.locator(".sheet .step")).to_have_count(6)


def test_lock_in_keeps_the_focus_and_what_is_emptied_is_not_marked(page):
    show_screen(page, "ngrams")
    page.locator("#exercise input[type=checkbox]").first.check()
    page.locator("#learn-actions [type=submit]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#learn-said")).to_contain_text("Not right.")
    expect(page.locator("#learn-actions [type=submit]")).to_be_focused()
    page.locator("#exercise input[type=checkbox]").first.uncheck()
    page.locator("#learn-actions [type=submit]").click()
    expect(page.locator("#learn-said")).to_contain_text("Choose an answer first")
    expect(page.locator("#learn-said")).not_to_contain_text("Not right.")


def test_the_mistakes_of_a_class_are_counted_on_the_device(page):
    wanted = WorksheetSpec("class", ("clipping",), 1)
    [exercise] = worksheet_spec.iter_worksheet(wanted)
    right = {f"1.{name}": text for name, text in answer_key(exercise).items()}
    lines = [worksheet_answers.answers_line(wanted, f"Ann {n}", right) for n in range(29)]
    page.locator("#learn-sheet").click()
    page.locator("#class summary").click()
    page.locator("#class-lines").fill("\n".join([*lines, "<b>nonsense"]))
    page.get_by_role("button", name="Count the mistakes").click()
    counts = page.locator("#class-counts")
    expect(counts).to_contain_text("29 lines read. 1 line could not be read.")
    expect(counts).to_contain_text("No typical mistake was found")


@pytest.mark.parametrize("form", worksheet_html.WORKSHEET_FORMATS)
def test_a_worksheet_is_taken_along(page, form):
    page.locator("#learn-sheet").click()
    expect(page.locator(".sheet .step")).not_to_have_count(0)
    page.locator("#sheet-as").select_option(form)
    page.locator("#sheet-solutions").check()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download").click()
    text = Path(waiting.value.path()).read_text("utf-8")
    ending = worksheet_html.WORKSHEET_FORMATS[form].extension
    called = waiting.value.suggested_filename
    assert re.fullmatch(rf"bleu-worksheet-[\w-]+-[A-D]-solutions\.{ending}", called)
    if form == "json":
        assert json.loads(text)
    else:
        assert "solutions" in text
    page.locator("#sheet-solutions").uncheck()


def test_what_cannot_be_made_is_said_and_what_was_there_stays(page):
    page.locator("#learn-sheet").click()
    expect(page.locator(".sheet .step")).not_to_have_count(0)
    before = page.locator(".sheet .step").count()
    page.locator("#sheet-count").fill("1000")
    page.locator("#sheet-count").press("Tab")
    expect(page.locator("#sheet-error")).to_contain_text("Count is 1000; choose 1 to 100")
    assert page.locator(".sheet .step").count() == before
    page.locator("#sheet-count").fill("2")
    page.locator("#sheet-count").press("Tab")
    expect(page.locator("#sheet-error")).to_be_hidden()
    expect(page.locator(".sheet .step")).to_have_count(2)


@pytest.mark.parametrize(
    "fragment",
    fast_and_slow(
        1,
        [
            "#exercises=%ff%00&count=9e9",
            "#exercises=<b>&topics=cats&count=2",
            "#exercises=1&again=x",
        ],
    ),
)
def test_a_hostile_link_says_so_and_the_page_starts(browser: Browser, site: str, fragment: str):
    context = new_context(browser)
    recorder = Recorder(context.new_page(), site)
    page = open_page(recorder, fragment)
    expect(page.locator(".sheet .note")).to_contain_text("not possible")
    reveal(page, "#hypothesis").fill("a b c d")
    recorder.check()
    context.close()


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_a_worksheet_is_printed_with_a_line_for_a_name_and_nothing_else(page, paper):
    page.locator("#learn-sheet").click()
    expect(page.locator(".sheet .step")).not_to_have_count(0)
    page.emulate_media(media="print")
    try:
        for part in (".handout", "#exercise-title", ".sheet .step >> nth=0"):
            expect(page.locator(part)).to_be_visible()
        for part in ("#views", "#sheet-form", "#learn-actions", "#result", "#steps", ".another"):
            expect(page.locator(part).first).to_be_hidden()
        made = page.pdf(format=paper)
        assert 1 <= made.count(b"/Type /Page\n") + made.count(b"/Type /Page ") <= 6
    finally:
        page.emulate_media(media="null")


@pytest.mark.parametrize(
    "way", fast_and_slow(2, ["practice", "sheet", "screen whole", "screen ngrams", "answered"])
)
@pytest.mark.parametrize("width", [320, 1280])
def test_axe_finds_nothing_and_nothing_is_too_wide(page, way, width):
    page.set_viewport_size({"width": width, "height": 900})
    try:
        if way == "answered":
            show_screen(page, "brevity")
            page.locator("#exercise [type=radio]").first.check()
            page.locator("#learn-actions .first").click()
            expect(page.locator("#learn-after figure")).to_be_visible()
            page.locator("#learn-after summary").click()
        else:
            page.locator(f'#learn [data-command="learn:{way}"]').first.click()
            expect(page.locator("#exercise .step, #exercise [name]").first).to_be_visible()
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    finally:
        page.set_viewport_size({"width": 1280, "height": 720})


# One at a time


def test_no_line_of_a_table_is_out_of_sight(page):
    page.locator("#learn-sheet").click()
    page.locator('#sheet-form [value="whole"]').check()
    page.locator("#sheet-order").select_option("4")
    page.locator("#sheet-seed").fill("7k2q")
    page.locator("#sheet-count").fill("12")
    page.locator("#sheet-count").press("Tab")
    expect(page.locator(".sheet .step")).to_have_count(12)
    working = page.locator(".sheet .table:has(.working)").first
    expect(working).to_be_visible()
    assert working.evaluate("one => one.scrollHeight <= one.clientHeight")


LECTURE = (
    "#hypothesis=the+the+cat+sat+on+the+mat&reference=the+cat+sat+down+on+the+mat"
    "&reference=there+was+a+cat+on+the+mat&reference=a+cat+sat+on+the+mat&view=why"
)
WHOLE = "#exercises=7k2q&topics=clipping+whole&count=4&order=4&view=learn&step=item-1"
FITS = """() => {
  const tables = [...document.querySelectorAll("#learn .table")];
  return document.documentElement.scrollHeight <= innerHeight
    && document.documentElement.scrollWidth <= innerWidth
    && tables.every((one) => one.scrollWidth <= one.clientWidth)
    && tables.every((one) => one.scrollHeight <= one.clientHeight);
}"""
LETTERS = "css => parseFloat(getComputedStyle(document.querySelector(css)).fontSize)"


@pytest.mark.slow
@pytest.mark.parametrize(("size", "least"), [((1280, 720), 14.5), ((1920, 1080), 19)])
def test_whatever_is_presented_fits_the_window(browser: Browser, site: str, size, least):
    context = new_context(browser, viewport={"width": size[0], "height": size[1]})
    page = open_page(Recorder(context.new_page(), site), f"{LECTURE}&step=tokens&size=large")
    where = page.locator("#where")
    for place in range(8):
        expect(where).to_contain_text(f"Step {place + 1} of 8")
        assert page.evaluate(FITS), where.inner_text()
        page.keyboard.press("PageDown")
    page.keyboard.press("Escape")
    reveal(page, "#learn-present").click()
    for name in lesson_screens.item_ids():
        expect(page.locator("#exercise")).to_be_visible()
        assert page.evaluate(FITS), name
        assert page.evaluate(LETTERS, "#exercise p") >= least, name
        page.keyboard.press("Space")
    context.close()


@pytest.mark.slow
@pytest.mark.parametrize(("size", "least"), [((1280, 720), 14.5), ((1920, 1080), 19)])
def test_the_longest_exercises_are_presented_in_large_letters(
    browser: Browser, site: str, size, least
):
    context = new_context(browser, viewport={"width": size[0], "height": size[1]})
    page = open_page(Recorder(context.new_page(), site), WHOLE)
    where = page.locator("#where")
    for place in range(4):
        for more in ("", ", with the answer"):
            expect(where).to_have_text(f"Exercise {place + 1} of 4{more}")
            assert page.evaluate(FITS), where.inner_text()
            assert page.evaluate(LETTERS, "#exercise p") >= least, where.inner_text()
            page.keyboard.press("PageDown")
    context.close()


def test_a_lesson_is_presented_by_keys_with_each_answer_a_step_of_its_own(page):
    show_screen(page, "clipping")
    page.locator("#learn-present").click()
    where = page.locator("#where")
    expect(where).to_have_text(f"Screen 3 of {SCREENS}: Clipping")
    expect(page.locator("#learn-after")).to_be_empty()
    expect(page.locator("#views")).to_be_hidden()
    page.keyboard.press("Space")
    expect(where).to_have_text(f"Screen 3 of {SCREENS}: Clipping, with the answer")
    expect(page.locator("#exercise :checked")).to_have_value("2/7")
    expect(page.locator("#learn-after .choices li")).to_have_count(4)
    page.keyboard.press("PageDown")
    expect(where).to_have_text(f"Screen 4 of {SCREENS}: 2-grams")
    page.keyboard.press("PageUp")
    page.keyboard.press("ArrowLeft")
    expect(where).to_have_text(f"Screen 3 of {SCREENS}: Clipping")
    expect(page.locator("#learn-after")).to_be_empty()
    page.keyboard.press("Escape")
    expect(page.locator("#learn-present")).to_be_focused()
    expect(page.locator("#views")).to_be_visible()


def test_practice_and_worksheets_are_presented_too(page):
    page.locator("#learn-practice").click()
    expect(page.locator("#learn-done")).not_to_be_empty()
    before = page.locator("#learn-done").inner_text()
    page.locator("#learn-present").click()
    for words in ("Practice", "Practice, with the answer", "Practice"):
        expect(page.locator("#where")).to_have_text(words)
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    expect(page.locator("#learn-done")).to_have_text(before)
    page.locator("#learn-sheet").click()
    expect(page.locator(".sheet .step").nth(1)).to_be_visible()
    count = page.locator(".sheet .step").count()
    page.locator("#learn-present").click()
    expect(page.locator(".sheet .step")).to_have_count(1)
    expect(page.locator("#where")).to_have_text(f"Exercise 1 of {count}")
    page.keyboard.press("Space")
    expect(page.locator("#where")).to_have_text(f"Exercise 1 of {count}, with the answer")
    expect(page.locator(".sheet .blank")).to_have_count(0)
    page.locator("#leave").click()
    expect(page.locator(".sheet .step")).to_have_count(count)


def test_a_link_holds_what_is_shown_alone_and_how_large(page, browser: Browser, site: str):
    show_screen(page, "brevity")
    page.locator("#learn-present").click()
    page.keyboard.press("Space")
    page.locator("#large").click()
    page.locator("#present-link").click()
    expect(page.locator("#notice")).to_be_visible()
    expect(page.locator("#notice")).to_contain_text("Link copied")
    link = page.evaluate("navigator.clipboard.readText()")
    page.locator("#large").click()
    page.locator("#leave").click()
    assert link.endswith("#view=learn&step=brevity-1-answer&size=large")
    context = new_context(browser)
    recorder = Recorder(context.new_page(), site)
    other = open_page(recorder, f"#{link.partition('#')[2]}")
    expect(other.locator("#where")).to_have_text(f"Screen 5 of {SCREENS}: Brevity, with the answer")
    expect(other.locator("#large")).to_have_attribute("aria-pressed", "true")
    recorder.check()
    context.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fragment", "said"),
    [
        ("#view=learn&step=%3Cb%3E&size=huge", "size “huge” and step “<b>”"),
        ("#exercises=1&count=1&view=learn&step=item-9", "step “item-9”"),
        ("#view=why&step=precision-9&orders=44", "order “44” and step “precision-9”"),
    ],
)
def test_a_link_to_a_place_that_there_is_not_says_so(browser: Browser, site: str, fragment, said):
    context = new_context(browser)
    recorder = Recorder(context.new_page(), site)
    page = open_page(recorder, fragment)
    expect(page.locator("#notice")).to_contain_text(f"The link asks for {said}, which do")
    expect(page.locator("html[data-walk]")).to_have_count(0)
    recorder.check()
    context.close()
