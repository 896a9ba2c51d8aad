"""The view Learn: lesson, practice, worksheets, the tally of a class, and presentation."""

import io
import json
import re
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from app.learn import lesson_screens, worksheet_answers, worksheet_spec
from app.learn.attempt import item_ids
from app.learn.worksheet_spec import WorksheetSpec
from bleu.formats import EXERCISE_FORMATS
from bleu.learn.grading import answer_key
from tests.browser.conftest import Recorder, expect_notice, new_context, open_page, reveal
from tests.browser.test_access import rules_for, violations
from tests.support.case_selection import fast_and_slow

FOCUSED = """() => {
    const focused = document.activeElement;
    return [focused.id, focused.name ?? "", focused.value ?? "", focused.type ?? ""];
}"""
MAX_TABS = 60
"""More presses of Tab than are needed between any two elements of the view."""
SCREEN_COUNT = len(lesson_screens.SCREENS) + 1
"""The number of screens of the lesson, including the check."""


@pytest.fixture
def page(shared_recorder: Recorder) -> Page:
    """Return the shared page, with the lesson shown."""
    reveal(shared_recorder.page, "#learn-lesson").click()
    return shared_recorder.page


def values(blanks: Locator) -> list[str]:
    """Return what is typed in boxes."""
    return blanks.evaluate_all("boxes => boxes.map((box) => box.value)")


def fill_all(blanks: Locator, text: str) -> None:
    """Type a text into each of the boxes."""
    blanks.evaluate_all(
        """(boxes, text) => {
            for (const box of boxes) {
                box.value = text;
                box.dispatchEvent(new InputEvent("input", {bubbles: true}));
            }
        }""",
        text,
    )


def show_screen(page: Page, name: str) -> None:
    """Show a screen of the lesson unanswered."""
    page.locator(f'#learn-aside [data-command="learn:screen {name}"]').click()
    again = page.locator('#learn-actions [data-command="learn:again"]')
    if again.count():
        again.click()


def open_sheet(page: Page) -> None:
    """Open the teacher's form with 6 exercises, and no topic or kind chosen."""
    page.locator("#learn-sheet").click()
    page.locator("#sheet-more").evaluate("fold => { fold.open = true; }")
    ticked = page.locator("#sheet-form fieldset input:checked")
    while ticked.count():
        ticked.first.uncheck()
    page.locator("#sheet-count").fill("6")
    page.locator("#sheet-seed").fill(worksheet_spec.CHOSEN_SEEDS[""])
    page.locator("#sheet-seed").press("Tab")
    expect(page.locator("#exercise-title")).to_contain_text(
        f"worksheet {worksheet_spec.CHOSEN_SEEDS['']}"
    )
    expect(page.locator(".sheet .step")).to_have_count(6)


def show_computation(page: Page) -> None:
    """Show the computation by hand, which follows a part of it."""
    show_screen(page, "whole")
    page.locator("#exercise .blank").fill("1/3")
    page.get_by_role("button", name="Check answer").click()
    page.locator("#learn-on").click()
    again = page.locator('#learn-actions [data-command="learn:again"]')
    if again.count():
        again.click()
    expect(page.locator("#screen-place")).to_contain_text("question 2 of 2")


def tab_to(page: Page, pattern: str) -> list[str]:
    """Press Tab until the id or name of the focused element matches.

    Return its id, name, value and type.
    """
    for _ in range(MAX_TABS):
        focused: list[str] = page.evaluate(FOCUSED)
        if re.fullmatch(pattern, focused[0]) or re.fullmatch(pattern, focused[1]):
            return focused
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {pattern}")


def answer(page: Page, name: str, text: str) -> None:
    """Answer a field by keyboard."""
    kind = tab_to(page, rf"\d+\.{re.escape(name)}")[3]
    if kind == "radio":
        page.keyboard.press("Space")
        for _ in range(10):
            if page.evaluate(FOCUSED)[2] == text:
                return
            page.keyboard.press("ArrowRight")
        raise AssertionError(f"{text} cannot be chosen")
    if kind == "checkbox":
        for position in text.split():
            while page.evaluate(FOCUSED)[2] != position:
                page.keyboard.press("Tab")
            page.keyboard.press("Space")
        return
    page.keyboard.press("Control+a")
    page.keyboard.type(text)


def test_whole_lesson_works_by_keyboard_alone(page):
    for screen in lesson_screens.SCREENS:
        show_screen(page, screen.name)  # other tests may have answered it
    page.keyboard.press("Escape")
    page.locator('#learn-aside [data-command="learn:screen rank"]').focus()
    page.keyboard.press("Enter")
    for number, screen in enumerate(lesson_screens.SCREENS, 1):
        for exercise in screen.questions:
            expect(page.locator("#exercise-title")).to_be_focused()
            expect(page.locator("#exercise-title")).to_have_text(screen.title)
            expect(page.locator("#screen-place")).to_contain_text(
                f"Screen {number} of {SCREEN_COUNT}"
            )
            for name, text in answer_key(exercise).items():
                answer(page, name, text.split(" ≈")[0])
            page.keyboard.press("Enter")
            expect(page.locator("#learn-said")).to_contain_text("Right.")
            expect(page.locator("#learn-said")).to_be_focused()
            tab_to(page, "learn-on")
            page.keyboard.press("Enter")
    for number in range(1, 4):
        expect(page.locator("#screen-place")).to_contain_text(
            f"question {number} of {len(lesson_screens.CHECK_QUESTIONS)}"
        )
        tab_to(page, r"\d+\..+")
        page.keyboard.press("Space")
        page.keyboard.press("Enter")
        expect(page.locator("#learn-said")).to_be_focused()
        expect(page.locator("#learn-after .choices li")).not_to_have_count(0)
        tab_to(page, "learn-on")
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
    expect(page.locator("#learn-said")).to_be_focused()
    tab_to(page, "learn-on")
    page.keyboard.press("Enter")
    expect(page.locator("#exercise-title")).to_have_text("The end of the lesson")
    expect(page.locator("#exercise-title")).to_be_focused()
    tab_to(page, "learn-on")
    page.keyboard.press("Enter")
    expect(page.locator("#hypothesis")).to_be_focused()
    expect(page.locator("#station")).to_contain_text("Words")
    page.keyboard.press("Escape")
    expect(page.locator("#station")).to_be_hidden()


def test_wrong_bet_names_the_misconception_and_explains_every_option(page):
    show_screen(page, "clipping")
    page.get_by_role("radiogroup", name="precision p₁").get_by_label("3/7").check()
    page.get_by_role("button", name="Check answer").click()
    feedback = page.locator("#learn-said")
    expect(feedback).to_have_role("status")
    expect(feedback).to_contain_text("You added the matches of the references")
    expect(page.locator("#learn-after .choices li")).to_have_count(4)
    feedback.get_by_role("link", name="How it works: Modified precision").click()
    expect(page.locator("#how-precision h3")).to_be_in_viewport()
    page.locator("#how-precision .try a").click()
    expect(page.locator("#exercise-title")).to_have_text("Seven times the same word")
    expect(page.locator("#exercise-title")).to_be_focused()


def test_answered_screen_is_restored(page):
    show_screen(page, "ngrams")
    show_screen(page, "clipping")
    page.get_by_role("radiogroup", name="precision p₁").get_by_label("3/7").check()
    page.get_by_role("button", name="Check answer").click()
    feedback = page.locator("#learn-said").inner_text()
    solution = page.locator("#learn-after").inner_text()
    show_screen(page, "ngrams")
    expect(page.locator("#exercise-title")).to_have_text("Words in a row")
    page.locator("#exercise [type=checkbox]").first.check()
    page.get_by_role("button", name="Check answer").click()
    expect(page.locator("#learn-said")).to_contain_text("Correct your marks")
    screen = page.locator('#learn-aside [data-command="learn:screen clipping"]')
    screen.click()
    expect(page.locator("#exercise-title")).to_have_text("Seven times the same word")
    expect(page.locator("#exercise-title")).to_be_focused()
    expect(page.locator("#exercise :checked")).to_have_count(1)
    expect(page.locator("#exercise :checked").first).to_have_value("3/7")
    expect(page.locator("#exercise input:enabled")).to_have_count(0)
    assert page.locator("#learn-said").inner_text() == feedback
    assert page.locator("#learn-after").inner_text() == solution
    page.locator('#learn-aside [data-command="learn:screen ngrams"]').click()
    expect(page.locator("#learn-said")).to_contain_text("Correct your marks")
    expect(page.locator("#exercise :checked")).to_have_value("1")
    page.get_by_role("button", name="Back").click()
    expect(page.locator("#exercise-title")).to_have_text("Seven times the same word")
    screen.click()
    page.get_by_role("button", name="Answer again").click()
    expect(page.locator("#exercise :checked")).to_have_count(0)
    expect(page.locator("#learn-after")).to_be_empty()
    show_computation(page)
    page.locator('#exercise [name$=".matched-1"]').fill("abc")
    page.locator('#exercise [name$=".p-1"]').fill("1/2")
    page.get_by_role("button", name="Check answer").click()
    expect(page.locator("#learn-said")).to_contain_text("This is not a number.")
    expect(page.locator('#exercise [name$=".matched-1"]')).to_be_focused()
    expect(page.locator("#exercise .verdict")).to_have_count(1)
    page.get_by_role("button", name="Back").click()
    expect(page.locator("#screen-place")).to_contain_text("question 1 of 2")
    page.locator("#learn-on").click()
    expect(page.locator('#exercise [name$=".p-1"]')).to_have_value("1/2")


def test_back_of_the_browser_leads_through_the_lesson(tab: Recorder):
    page = open_page(tab, "#hypothesis=a&reference=a&view=learn")
    title, place = page.locator("#exercise-title"), page.locator("#screen-place")
    following = f"Screen {lesson_screens.SCREEN_INDEX['clipping'] + 2} of"

    def go_back(text: str) -> None:
        page.go_back()
        expect(title).to_have_text(text)
        expect(page.locator("#learn")).to_be_visible()

    page.locator('#learn-aside [data-command="learn:screen clipping"]').click()
    page.locator("#exercise [type=radio]").first.check()
    page.get_by_role("button", name="Check answer").click()
    solution = page.locator("#learn-after").inner_text()
    page.locator("#learn-on").click()
    expect(place).to_contain_text(following)
    page.locator("#learn-practice").click()
    expect(page.locator("#learn-practice")).to_have_attribute("aria-pressed", "true")
    page.go_back()
    expect(place).to_contain_text(following)
    expect(page.locator("#learn-lesson")).to_have_attribute("aria-pressed", "true")
    go_back("Seven times the same word")
    expect(title).to_be_focused()
    assert page.locator("#learn-after").inner_text() == solution
    page.locator('#views a[href="#why"]').click()
    expect(page.locator("#why")).to_be_visible()
    go_back("Seven times the same word")
    page.go_back()
    expect(place).to_contain_text("Screen 1")
    page.go_forward()
    expect(title).to_have_text("Seven times the same word")
    page.reload()
    expect(page.locator("html[data-ready]")).to_have_count(1)
    assert page.locator("#learn-after").inner_text() == solution
    expect(page.locator("#exercise :checked")).to_have_count(1)
    page.go_back()
    expect(place).to_contain_text("Screen 1")
    tab.check()


@pytest.mark.slow
def test_reload_keeps_the_question_and_the_answers_of_the_lesson(tab: Recorder):
    page = open_page(tab, "#learn")

    def reload() -> None:
        page.reload()
        expect(page.locator("html[data-ready]")).to_have_count(1)

    show_computation(page)
    page.locator('#exercise [name$=".matched-1"]').fill("99")
    page.locator('#exercise [name$=".p-1"]').fill("1/2")
    page.get_by_role("button", name="Check answer").click()
    page.locator("#learn-hint-button").click()
    said = page.locator("#learn-said").inner_text()
    reload()
    expect(page.locator("#screen-place")).to_contain_text("question 2 of 2")
    expect(page.locator('#exercise [name$=".matched-1"]')).to_have_value("99")
    expect(page.locator('#exercise [name$=".matched-1"] + .verdict')).to_contain_text("✗")
    assert page.locator("#learn-said").inner_text() == said
    show_screen(page, "check")
    page.locator("#exercise [type=radio]").first.check()
    page.get_by_role("button", name="Check answer").click()
    questions = page.locator("#exercise .step").all_inner_texts()
    reload()
    assert page.locator("#exercise .step").all_inner_texts() == questions
    expect(page.locator("#learn-after .choices li")).not_to_have_count(0)
    for damage in (
        '"mean"',
        "[]",
        '{"place": "nowhere-1", "seed": 1, "saved": {"rank-1": [1, 2]}}',
    ):
        page.evaluate("text => sessionStorage.setItem('bleu-lesson', text)", damage)
        page.evaluate("history.replaceState(null, '')")
        reload()
        expect(page.locator("#screen-place")).to_contain_text("Screen 1 ")
    tab.check()


def test_check_questions_stay_until_new_ones_are_requested(page):
    show_screen(page, "check")
    before = page.locator("#exercise .step, #exercise > p").all_inner_texts()
    page.locator("#exercise [type=radio]").first.check()
    page.get_by_role("button", name="Check answer").click()
    page.locator("#learn-on").click()
    expect(page.locator("#screen-place")).to_contain_text("question 2 of 4")
    page.get_by_role("button", name="Back").click()
    expect(page.locator("#screen-place")).to_contain_text("question 1 of 4")
    assert page.locator("#exercise .step, #exercise > p").all_inner_texts() == before
    expect(page.locator("#learn-after .choices li")).not_to_have_count(0)
    page.get_by_role("button", name="New questions").click()
    expect(page.locator("#learn-after")).to_be_empty()
    assert page.locator("#exercise .step, #exercise > p").all_inner_texts() != before


def test_progress_is_stored_only_if_the_learner_chooses_that(browser, site):
    context = new_context(browser)
    page = open_page(Recorder(context.new_page(), site), "#learn")
    page.locator("#learn-practice").click()
    stored = "JSON.stringify({...localStorage})"

    def answer_wrongly() -> None:
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
        expect(page.locator("#learn-said")).to_be_focused()

    answer_wrongly()
    expect(page.locator("#learn-done")).to_contain_text("1 done")
    assert page.evaluate(stored) == "{}"
    page.locator('#learn-actions [data-command="learn:like"]').click()
    expect(page.locator("#exercise-title")).to_be_focused()
    answer_wrongly()
    page.locator("#learn-aside summary").last.click()
    page.get_by_label("Keep it on this device").check()
    page.locator("#learn-on").click()
    assert "answered" in page.evaluate(stored)
    page.reload()
    expect(page.locator("html[data-ready]")).to_have_count(1)
    page.locator("#learn-practice").click()
    expect(page.locator("#learn-done")).to_contain_text("2 done")
    page.locator("#learn-aside summary").last.click()
    page.get_by_role("button", name="Wipe it").click()
    expect(page.locator("#learn-done")).to_contain_text("A topic is mastered after")
    page.get_by_label("Keep it on this device").uncheck()
    assert page.evaluate(stored) == "{}"
    context.close()


@pytest.mark.slow
@pytest.mark.layout
def test_explanation_has_the_focus_and_is_in_sight_on_a_phone(tab: Recorder):
    tab.page.set_viewport_size({"width": 390, "height": 844})
    page = open_page(tab, "#learn")
    page.locator("#exercise input").first.check()
    page.get_by_role("button", name="Check answer").click()
    expect(page.locator("#learn-said")).to_be_focused()
    expect(page.locator("#learn-said")).to_be_in_viewport()
    table = page.locator("#learn-after .table").bounding_box()
    assert table["y"] < page.locator("#learn-on").bounding_box()["y"]
    tab_to(page, "learn-on")
    page.keyboard.press("Enter")
    expect(page.locator("#screen-place")).to_contain_text("Screen 2")


@pytest.mark.layout
@pytest.mark.parametrize("name", ["rank", "clipping", "brevity", "corpus"])
def test_question_and_explanation_are_in_sight_together(page, name):
    page.set_viewport_size({"width": 1280, "height": 800})
    try:
        show_screen(page, name)
        page.locator("#exercise [type=radio]").first.check()
        page.get_by_role("button", name="Check answer").click()
        expect(page.locator("#learn-said")).to_be_focused()
        for part in (
            "#exercise h3",
            "#exercise .options",
            "#learn-said",
            "#learn-after .choices, #learn-after .table",
            "#exercise .marked, #exercise .options",
        ):
            box = page.locator(part).first.bounding_box()
            assert box["y"] >= 0, part
            assert box["y"] + box["height"] <= 800, part
        body, said = (page.locator(f"#learn-{part}").bounding_box() for part in ("body", "said"))
        assert body["x"] + body["width"] <= said["x"]
    finally:
        page.set_viewport_size({"width": 1280, "height": 720})


def test_bars_move_the_score_one_at_a_time(page):
    page.locator("#learn-lesson").click()
    page.locator("button[data-command='learn:screen mean']").click()
    page.get_by_role("button", name="Play with these numbers").click()
    expect(page.locator("#exercise-title")).to_be_focused()
    score = page.locator("#play-score")
    for name, text in (("BP", "1"), ("p₁", "1"), ("p₂", "1/2"), ("p₃", "0.5"), ("p₄", "25 %")):
        page.get_by_label(name, exact=True).fill(text)
    expect(score).to_contain_text("= 1 · (1 · 0.5 · 0.5 · 0.25)1/4 = 0.5000")
    page.get_by_role("slider", name="p₂, in percent").focus()
    page.keyboard.press("Home")
    expect(score).to_contain_text("= 0.0000. p₂ of 0 takes the whole score with it.")
    expect(page.get_by_label("p₂", exact=True)).to_have_value("0")
    page.get_by_role("button", name="p₂ higher").click()
    expect(page.get_by_label("p₂", exact=True)).to_have_value("0.05")
    page.get_by_label("BP", exact=True).fill("7/6")
    expect(score).to_have_text("BP is “7/6”; type a number from 0 to 1, such as 3/4.")
    page.get_by_label("BP", exact=True).fill("exp(-1/7)")
    expect(score).to_contain_text("= 0.8669 · (")
    page.locator("#learn-lesson").click()


def test_play_opens_with_the_numbers_of_the_texts(page):
    reveal(page, "#hypothesis").fill("the cat sat on the mat now")
    reveal(page, "#reference-1").fill("the cat sat on a mat and slept")
    page.locator('[data-command="explain:score"]').first.click()
    page.locator("#play").click()
    expect(page.locator("#exercise-title")).to_have_text("Play with the mean")
    values = [page.get_by_label(name, exact=True).input_value() for name in ("BP", "p₁", "p₂")]
    assert values == ["exp(−1/7)", "5/7", "3/6"]
    expect(page.locator("#play-score b")).to_have_text("0.3768")
    page.locator("#learn-lesson").click()


def test_edited_text_is_scored_live(page):
    exercise = next(
        exercise
        for exercise in worksheet_spec.iter_worksheet(WorksheetSpec("m", ("brevity",), 12))
        if exercise.kind == "make"
    )
    page.locator("#learn-practice").click()
    page.locator('#learn-topics [value="brevity"]').check()
    expect(page.locator("#exercise-title")).to_have_text("Brevity penalty")
    page.get_by_text("Kinds of exercise").click()
    page.locator('#learn-kinds [value="make"]').check()
    live = page.locator("#learn-live")
    expect(live).to_contain_text("not reached yet")
    box = page.locator('#exercise [name$=".text"]')
    words = page.locator("#exercise .marked:last-child .token").all_inner_texts()
    assert box.input_value()
    box.fill(" ".join(words[:-1]))
    expect(live).to_contain_text("The goal is reached.")
    expect(page.locator("#learn-bars .factor")).to_have_count(3)
    page.locator('#learn-kinds [value="make"]').uncheck()
    assert exercise.detail == "short"


def test_marks_and_bars_follow_a_text_being_typed(page):
    show_screen(page, "clip")
    candidate, box = page.locator("#exercise .marked").first, page.locator("#exercise .blank")
    for text, kinds, shown in (
        ("a dog sleeps the the", "uuucc", "2525"),
        ("a dog sleeps the the the", "uuuccx", "2636"),
    ):
        box.fill(text)
        expect(page.locator("#learn-bars .frac")).to_have_text([shown[:2], shown[2:]])
        classes = candidate.locator("button").evaluate_all("all => all.map((b) => b.className)")
        assert "".join({"unmatched": "u", "clipped": "x"}.get(c, c[0]) for c in classes) == kinds
    page.keyboard.press("Escape")  # No word stays chosen.
    candidate.locator("button").nth(3).hover()
    # Those of the reference are lit, too.
    expect(page.locator("#exercise button.lit")).to_have_count(5)
    page.get_by_role("button", name="Check answer").click()
    expect(page.locator("#learn-said")).to_have_text("Right.")


def test_texts_stay_in_sight_on_a_phone_while_the_fields_are_filled_in(page):
    size = page.viewport_size
    page.set_viewport_size({"width": 390, "height": 844})
    try:
        show_computation(page)
        for box in page.locator("#exercise .blank").all():
            box.focus()
            for text in page.locator("#exercise-texts p").all():
                expect(text).to_be_in_viewport(ratio=1)
            top = page.locator("#exercise-texts").bounding_box()
            assert top["y"] >= page.locator(".masthead").bounding_box()["height"] / 2 - 1
            assert box.bounding_box()["y"] >= top["y"] + top["height"]
    finally:
        page.set_viewport_size(size)


@pytest.mark.slow
def test_link_opens_the_same_worksheet_elsewhere(page, tab: Recorder):
    expect(page.locator("#learn-given")).to_be_hidden()
    page.locator("#learn-sheet").click()
    page.locator("#sheet-more").evaluate("fold => { fold.open = true; }")
    page.locator('#sheet-form [value="clipping"]').check()
    page.locator("#sheet-count").fill("2")
    page.locator("#sheet-seed").fill("9k2q")
    page.locator("#sheet-seed").press("Tab")
    expect(page.locator("#exercise-title")).to_contain_text("worksheet 9k2q")
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
    with expect_notice(page, "Link copied"):
        page.get_by_role("button", name="Copy the link").click()
    link = page.evaluate("navigator.clipboard.readText()")
    texts = page.locator(".sheet q").all_inner_texts()

    other = open_page(tab, f"#{link.partition('#')[2]}")
    expect(other.locator(".sheet .step")).to_have_count(2)
    assert other.locator(".sheet q").all_inner_texts() == texts
    expect(other.locator("#sheet-form")).to_have_count(0)
    other.get_by_label("Your name").fill("Ann")
    [spec, _] = worksheet_spec.from_fragment(link.partition("#")[2]) or [WorksheetSpec(), ""]
    generated = tuple(worksheet_spec.iter_worksheet(spec))
    exercises, _ = worksheet_spec.apply_own_texts(spec, generated)
    for number, exercise in enumerate(exercises, 1):
        for name, text in answer_key(exercise).items():
            boxes = other.locator(f'[name="{number}.{name}"]')
            kind = boxes.first.get_attribute("type")
            if kind in {"radio", "checkbox"}:
                for value in [text] if kind == "radio" else text.split():
                    other.locator(f'[name="{number}.{name}"][value="{value}"]').check()
            else:
                boxes.fill(text.split(" ≈")[0])
    other.get_by_role("button", name="Mark my answers").click()
    expect(other.locator("#learn-said")).to_have_text("2 of 2 are right.")


@pytest.mark.slow
def test_input_of_a_worksheet_survives_other_modes(tab: Recorder):
    link = "#exercises=12&version=4&topics=combination+brevity&count=3&order=2"
    other = open_page(tab, link)
    blanks = other.locator("#exercise .blank")
    expect(other.locator(".sheet .step")).to_have_count(3)
    other.get_by_label("Your name").fill("Ann")
    fill_all(blanks, "3")
    count = blanks.count()

    def expect_all_inputs() -> None:
        expect(blanks).to_have_count(count)
        assert values(blanks) == ["3"] * count
        expect(other.get_by_label("Your name")).to_have_value("Ann")

    expect(other.locator("#exercise h3 a")).to_have_count(0)
    other.get_by_role("button", name="Mark my answers").click()
    marks = other.locator("#exercise .verdict").count()
    assert marks
    other.locator('#views a[href="#calculator"]').click()
    other.locator('#views a[href="#learn"]').click()
    expect_all_inputs()
    other.locator("#learn-present").click()
    go_on_to(other, "Exercise 2 of 3")
    other.locator("#exercise .blank").first.fill("3 ")
    other.locator("#leave").click()
    expect(blanks).to_have_count(count)
    assert set(values(blanks)) == {"3", "3 "}
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
    assert set(values(blanks)) == {"", "3", "3 "}
    expect(other.locator("#learn-said")).to_be_empty()
    expect(other.locator("#texts-1")).to_have_value("a draft")


@pytest.mark.slow
def test_reload_keeps_name_and_answers_of_a_linked_worksheet_and_the_screen(tab: Recorder):
    link = "#exercises=43&version=4&topics=brevity&count=1&order=2&kinds=step&view=learn"
    page = open_page(tab, link)
    page.get_by_label("Your name").fill("Zoë")
    page.locator('[name="1.c"]').fill("99")
    page.get_by_role("button", name="Mark my answers").click()
    page.locator('[name="1.r"]').fill("7")

    def reload() -> None:
        page.reload()
        expect(page.locator("html[data-ready]")).to_have_count(1)

    reload()
    expect(page.locator('[name="1.c"]')).to_have_value("99")
    expect(page.locator('[name="1.r"]')).to_have_value("7")
    expect(page.get_by_label("Your name")).to_have_value("Zoë")
    expect(page.locator('[name="1.c"] + .verdict')).to_contain_text("✗")
    page.get_by_label("Your name").fill(" ")
    page.get_by_role("button", name="Copy my answers").click()
    expect(page.locator("#learn-said")).to_have_text("Write your name first: it is in the line.")
    expect(page.get_by_label("Your name")).to_be_focused()
    page.keyboard.type("Ann")
    with expect_notice(page, "Answers copied"):
        page.get_by_role("button", name="Copy my answers").click()
    line = page.evaluate("navigator.clipboard.readText()")
    assert "&name=Ann&" in line
    page.evaluate("location.hash = '#learn'")
    page.locator("#learn-lesson").click()
    page.locator('#learn-aside [data-command="learn:screen mean"]').click()
    reload()
    expect(page.locator("#exercise-title")).to_have_text("One number from two")
    tab.check()


def test_teacher_chooses_kinds_and_gets_the_sheet_chosen_for_a_topic(page):
    open_sheet(page)
    page.locator('#sheet-form [name="topic"][value="clipping"]').check()
    expect(page.locator("#sheet-seed")).to_have_value(worksheet_spec.CHOSEN_SEEDS["clipping"])
    page.locator('#sheet-form [name="kind"][value="mark"]').check()
    expect(page.locator(".sheet .step .marking")).to_have_count(6)
    page.locator('#sheet-form [name="kind"][value="order"]').check()
    page.locator('#sheet-form [name="kind"][value="mark"]').uncheck()
    expect(page.locator("#sheet-error")).to_contain_text("There is no exercise of kind order on")
    page.locator('#sheet-form [name="kind"][value="order"]').uncheck()
    page.locator('#sheet-form [name="topic"][value="clipping"]').uncheck()
    expect(page.locator("#sheet-error")).to_be_hidden()


@pytest.mark.slow
def test_unfinished_worksheet_does_not_replace_the_lesson(page):
    page.locator("#learn-sheet").click()
    page.locator("#sheet-count").fill("40")
    page.locator("#sheet-seed").fill("late")
    page.locator("#sheet-seed").press("Tab")
    page.locator("#learn-lesson").click()
    expect(page.locator("#screen-place")).to_be_visible()
    page.wait_for_timeout(1500)
    expect(page.locator("#screen-place")).to_be_visible()
    page.locator("#learn-sheet").click()
    expect(page.locator(".sheet .step")).to_have_count(40)
    page.locator("#sheet-count").fill("6")
    page.locator("#sheet-count").press("Tab")
    expect(page.locator(".sheet .step")).to_have_count(6)


def test_lock_in_keeps_the_focus_and_grades_no_empty_answer(page):
    show_screen(page, "ngrams")
    page.locator("#exercise input[type=checkbox]").first.check()
    page.locator("#learn-actions [type=submit]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#learn-said")).to_contain_text("Not quite.")
    expect(page.locator("#learn-actions [type=submit]")).to_be_focused()
    page.locator("#exercise input[type=checkbox]").first.uncheck()
    page.locator("#learn-actions [type=submit]").click()
    expect(page.locator("#learn-said")).to_contain_text("Choose an answer first")
    expect(page.locator("#learn-said")).not_to_contain_text("Not quite.")


def test_answers_of_a_class_are_tallied(page):
    spec = WorksheetSpec("class", ("clipping",), 1)
    [exercise] = worksheet_spec.iter_worksheet(spec)
    right = {f"1.{name}": text for name, text in answer_key(exercise).items()}
    lines = [worksheet_answers.answers_line(spec, f"Ann {n}", right) for n in range(29)]
    page.locator("#learn-sheet").click()
    page.locator("#class summary").click()
    page.locator("#class-lines").fill("\n".join([*lines, "<b> nonsense"]))
    page.get_by_role("button", name="Count the mistakes").click()
    counts = page.locator("#class-counts")
    expect(counts).to_contain_text("29 learners counted.")
    expect(counts).to_contain_text("1 line could not be read")
    expect(counts).to_contain_text("No typical mistake was found")


@pytest.mark.parametrize(
    "name", [name for name in EXERCISE_FORMATS if EXERCISE_FORMATS[name].label]
)
def test_worksheet_can_be_downloaded(page, name):
    page.locator("#learn-sheet").click()
    expect(page.locator(".sheet .step")).not_to_have_count(0)
    page.locator("#sheet-as").select_option(name)
    page.locator("#sheet-solutions").check()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    content = Path(download.value.path()).read_bytes()
    extension = EXERCISE_FORMATS[name].extension
    file_name = download.value.suggested_filename
    assert re.fullmatch(rf"bleu-worksheet-[\w-]+-[A-D]-solutions\.{extension}", file_name)
    if name == "json":
        assert json.loads(content)
    elif name == "qti":
        names = zipfile.ZipFile(io.BytesIO(content)).namelist()
        assert {"imsmanifest.xml", "item-1.xml"} < set(names)
    else:  # a quiz names its questions only
        assert (b"BLEU" if name == "moodle" else b"solutions") in content
    page.locator("#sheet-solutions").uncheck()


def test_invalid_count_shows_an_error_and_keeps_the_worksheet(page):
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


@pytest.mark.slow
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
def test_hostile_link_shows_a_notice(tab: Recorder, fragment: str):
    page = open_page(tab, fragment)
    expect(page.locator(".sheet .note")).to_contain_text("not possible")
    reveal(page, "#hypothesis").fill("a b c d")
    tab.check()


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_print_shows_only_the_worksheet(page, paper):
    page.locator("#learn-sheet").click()
    expect(page.locator(".sheet .step")).not_to_have_count(0)
    page.emulate_media(media="print")
    try:
        for part in (".handout", "#exercise-title", ".sheet .step >> nth=0"):
            expect(page.locator(part)).to_be_visible()
        for part in ("#views", "#sheet-form", "#learn-actions", "#result", "#steps", ".another"):
            expect(page.locator(part).first).to_be_hidden()
        pdf = page.pdf(format=paper)
        assert 1 <= pdf.count(b"/Type /Page\n") + pdf.count(b"/Type /Page ") <= 6
    finally:
        page.emulate_media(media="null")


@pytest.mark.slow
def test_print_of_a_learner_has_name_answers_and_feedback(tab: Recorder):
    page = open_page(tab, "#exercises=1&version=4&topics=whole&count=3&view=learn")
    page.locator("#sheet-name").fill("Zoë")
    blank = page.locator('.sheet [name$=".bleu"]').first
    blank.fill("sqrt(8/9*1/2)*exp(1-11/9)*1.00000")
    page.get_by_role("button", name="Mark my answers").click()
    page.emulate_media(media="print")
    for part in ("#sheet-name", ".sheet .verdict >> nth=0", "#learn-said", ".handout"):
        expect(page.locator(part)).to_be_visible()
    expect(page.locator(".handout b").first).to_be_hidden()  # a second line for the name
    assert blank.evaluate("box => box.scrollWidth <= box.clientWidth")
    assert blank.evaluate("box => box.offsetHeight") >= 30  # 8 mm for handwriting
    tab.check()


def test_print_leaves_out_answers_and_restores_the_worksheet(page):
    open_sheet(page)
    fill_all(page.locator(".sheet .blank"), "3")
    page.get_by_role("button", name="Mark my answers").click()
    mark = page.locator(".sheet .verdict").first
    expect(mark).to_be_visible()
    page.emulate_media(media="print")
    try:
        expect(mark).to_be_hidden()
    finally:
        page.emulate_media(media="null")
    page.evaluate("window.print = () => dispatchEvent(new Event('afterprint')); 0")
    page.get_by_role("button", name="Print solutions").click()
    expect(page.get_by_role("button", name="Copy my answers")).to_be_visible()
    expect(page.locator("#sheet-solutions")).not_to_be_checked()


@pytest.mark.layout
@pytest.mark.parametrize(
    "mode",
    fast_and_slow(1, ["mode practice", "mode sheet", "screen whole", "screen ngrams", "answered"]),
)
def test_every_mode_is_accessible_and_fits_the_width(page, fonts, mode):
    if mode == "answered":
        show_screen(page, "brevity")
        page.locator("#exercise [type=radio]").first.check()
        page.locator("#learn-actions .first").click()
        page.locator("#learn-after summary").click()
    else:
        page.locator(f'#learn [data-command="learn:{mode}"]').first.click()
        expect(page.locator("#exercise .step, #exercise [name]").first).to_be_visible()
    try:
        for width in (320, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            assert violations(page, rules_for(fonts)) == []
            assert page.evaluate("document.documentElement.scrollWidth") <= width
    finally:
        page.set_viewport_size({"width": 1280, "height": 720})


# Presentation


@pytest.mark.layout
@pytest.mark.slow
def test_working_table_needs_no_vertical_scrolling(page):
    page.locator("#learn-sheet").click()
    page.locator("#sheet-more").evaluate("fold => { fold.open = true; }")
    page.locator('#sheet-form [name="topic"][value="whole"]').check()
    page.locator("#sheet-order").select_option("4")
    page.locator("#sheet-seed").fill("7k2q")
    page.locator("#sheet-count").fill("12")
    page.locator("#sheet-count").press("Tab")
    expect(page.locator(".sheet .step")).to_have_count(12)
    table = page.locator(".sheet .table:has(.working)").first
    expect(table).to_be_visible()
    assert table.evaluate("element => element.scrollHeight <= element.clientHeight")


LECTURE = (
    "#hypothesis=the+the+cat+sat+on+the+mat&reference=the+cat+sat+down+on+the+mat"
    "&reference=there+was+a+cat+on+the+mat&reference=a+cat+sat+on+the+mat&view=why"
)
LONG_WORKSHEET = (
    "#exercises=13&version=4&topics=clipping+whole&count=4&order=4&view=learn&step=item-1"
)
MEASURE = """css => {
  const tables = [...document.querySelectorAll("#learn .table")];
  scrollTo({top: 1e6, behavior: "instant"});  // so that Next leads to the next slide
  return {
    fits: document.documentElement.scrollWidth <= innerWidth
      && tables.every((table) => table.scrollWidth <= table.clientWidth)
      && tables.every((table) => table.scrollHeight <= table.clientHeight),
    fontSize: parseFloat(getComputedStyle(document.querySelector(css)).fontSize),
  };
}"""
MIN_FONT_SIZES = {(1280, 720): 17, (1920, 1080): 19}
"""By size of the window: the smallest size of a slide's letters, in pixels."""


TURN = """(button, offset) => {
    button.dataset.command = `turn:${offset}`;
    button.click();
}"""
"""Turns by a number of slides, with one of the buttons that turn by one."""


def expect_slides_fit(page: Page, ids: list[str], titles: dict[str, str], css: str) -> None:
    """Assert that slides fit each size of the window, and the size of an element's letters.

    `ids` are those of all slides, and `titles` has what the titles of those to measure contain.
    Each size has its own walk, the second one back, because fitting a slide takes long.
    """
    names, index = list(titles), 0
    for (width, height), min_font_size in MIN_FONT_SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        button = page.locator("#previous" if index else "#next")
        for name in names:
            button.evaluate(TURN, ids.index(name) - index)
            index = ids.index(name)
            expect(page.locator("#where")).to_contain_text(titles[name])
            measured = page.evaluate(MEASURE, css)
            assert measured["fits"], f"{name} at {width} pixels"
            assert measured["fontSize"] >= min_font_size, f"{name} at {width} pixels"
        expect(button).to_be_disabled()
        names.reverse()


@pytest.mark.layout
@pytest.mark.slow
def test_every_slide_fits_the_width_in_large_letters(tab: Recorder):
    page = open_page(tab, f"{LECTURE}&size=large")
    reveal(page, "#learn-present").click()
    ids = lesson_screens.lesson_item_ids()
    titles = {name: "with the answer" if name.endswith("-answer") else "Screen" for name in ids}
    expect_slides_fit(page, ids, titles, "#exercise h3 ~ p:not(.hint)")


@pytest.mark.layout
@pytest.mark.slow
def test_longest_exercises_fit_in_large_letters(tab: Recorder):
    page = open_page(tab, LONG_WORKSHEET)
    [spec, _] = worksheet_spec.from_fragment(LONG_WORKSHEET)
    ids = item_ids("item", worksheet_spec.iter_worksheet(spec))
    titles = {}
    for number in range(1, 5):
        titles[f"item-{number}"] = f"Exercise {number} of 4"
        titles[f"item-{number}-answer"] = f"Exercise {number} of 4, with the answer"
    expect(page.locator("#where")).to_have_text(titles["item-1"])
    expect_slides_fit(page, ids, titles, "#exercise p")


def go_on_to(page, title: str) -> None:
    """Press the arrow key until the slide has this title."""
    for _ in range(30):
        if page.locator("#where").inner_text() != title:
            page.keyboard.press("ArrowRight")
    expect(page.locator("#where")).to_have_text(title)


def test_lesson_is_presented_by_keys_with_a_slide_for_each_answer(page):
    show_screen(page, "clipping")
    page.locator("#learn-present").click()
    title = page.locator("#where")
    expect(title).to_have_text(f"Screen 4 of {SCREEN_COUNT}: Clipping")
    expect(page.locator("#learn-after")).to_be_empty()
    expect(page.locator("#views")).to_be_hidden()
    page.keyboard.press("Space")
    expect(title).to_have_text(f"Screen 4 of {SCREEN_COUNT}: Clipping, with the answer")
    expect(page.locator("#exercise :checked")).to_have_value("2/7")
    expect(page.locator("#learn-after .choices li")).to_have_count(4)
    page.keyboard.press("PageDown")
    expect(title).to_have_text(f"Screen 5 of {SCREEN_COUNT}: N-grams")
    page.keyboard.press("PageUp")
    page.keyboard.press("ArrowLeft")
    expect(title).to_have_text(f"Screen 4 of {SCREEN_COUNT}: Clipping")
    expect(page.locator("#learn-after")).to_be_empty()
    page.keyboard.press("Escape")
    expect(page.locator("#learn-present")).to_be_focused()
    expect(page.locator("#views")).to_be_visible()


def test_computation_by_hand_is_presented_row_by_row(page):
    show_computation(page)
    blanks = page.locator("#exercise .blank")
    blanks.first.fill("typed before")
    page.locator("#learn-present").click()
    for count in (0, 1, 2):
        expect(blanks.nth(count)).to_have_value("")
        assert [bool(text) for text in values(blanks)] == [True] * count + [False] * (11 - count)
        page.keyboard.press("Space")
    expect(blanks.nth(2)).to_have_value("3/4")
    for _ in range(3):  # to the slide without any row, with empty blanks
        page.keyboard.press("PageUp")
    expect(blanks.first).to_have_value("")
    page.keyboard.press("Escape")
    expect(blanks.first).to_have_value("typed before")


@pytest.mark.slow
def test_choice_of_a_corpus_score_is_worked_out_row_by_row_before_its_answer(page):
    show_screen(page, "corpus")
    page.locator("#learn-present").click()
    choices, blanks = page.locator("#exercise .options input"), page.locator("td .blank")
    expect(choices).to_have_count(3)
    page.keyboard.press("Space")
    expect(choices).to_have_count(0)
    expect(blanks.first).to_have_value("7")
    expect(blanks.last).to_have_value("")
    go_on_to(page, f"Screen 10 of {SCREEN_COUNT}: Corpus, with the answer")
    expect(page.locator("#exercise :checked")).to_have_value("2/3")
    page.keyboard.press("PageUp")
    expect(blanks.last).to_have_value("7")
    expect(page.locator('[name="1.gm"]')).to_have_value("2/3")
    expect(page.locator('[name="1.bleu"]')).to_have_value("")
    page.keyboard.press("Escape")
    expect(choices).to_have_count(3)


@pytest.mark.slow
def test_worksheet_is_presented(page):
    page.locator("#learn-practice").click()
    expect(page.locator("#learn-present")).to_be_hidden()
    page.locator("#learn-sheet").click()
    expect(page.locator(".sheet .step").nth(1)).to_be_visible()
    count = page.locator(".sheet .step").count()
    page.locator("#learn-present").click()
    expect(page.locator(".sheet .step")).to_have_count(1)
    expect(page.locator("#where")).to_have_text(f"Exercise 1 of {count}")
    go_on_to(page, f"Exercise 1 of {count}, with the answer")
    expect(page.locator(".sheet .blank")).to_have_count(0)
    page.locator("#leave").click()
    expect(page.locator(".sheet .step")).to_have_count(count)


@pytest.mark.slow
def test_corpus_is_presented_row_by_row_and_keeps_what_was_typed(tab: Recorder):
    page = open_page(tab, "#exercises=4&version=4&topics=corpus+whole&count=4&view=learn")
    expect(page.locator(".sheet .step")).to_have_count(4)
    blanks = page.locator("#exercise .blank")
    fill_all(blanks, "3")
    count = blanks.count()
    page.locator("#learn-present").click()
    seen = 0
    while page.locator("#where").inner_text() != "Exercise 4 of 4, with the answer":
        page.keyboard.press("PageDown")
        shown = values(blanks)
        if "" in shown or "3" not in shown:
            seen += blanks.evaluate_all("boxes => boxes.every((box) => box.readOnly)")
    assert seen > 10
    page.locator("#leave").click()
    expect(blanks).to_have_count(count)
    assert set(values(blanks)) == {"3"}


@pytest.mark.slow
def test_link_holds_the_slide_and_the_size(page, tab: Recorder):
    show_screen(page, "brevity")
    page.locator("#learn-present").click()
    page.keyboard.press("Space")
    with expect_notice(page, "Link copied"):
        page.locator("#present-link").click()
        page.locator("#copy-link").click()
    link = page.evaluate("navigator.clipboard.readText()")
    page.locator("#leave").click()
    assert link.endswith("#view=learn&step=brevity-1-answer&size=large")
    other = open_page(tab, f"#{link.partition('#')[2]}")
    number = 1 + lesson_screens.SCREEN_INDEX["brevity"]
    title = f"Screen {number} of {SCREEN_COUNT}: Brevity, with the answer"
    expect(other.locator("#where")).to_have_text(title)
    expect(other.locator("#large")).to_have_attribute("aria-pressed", "true")
    tab.check()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fragment", "parts"),
    [
        ("#view=learn&step=%3Cb%3E&size=huge", "size “huge” and step “<b>”"),
        ("#exercises=1&count=1&view=learn&step=item-9", "step “item-9”"),
        ("#view=why&step=precision-9&orders=44", "factor “precision-44” and step “precision-9”"),
    ],
)
def test_link_to_a_missing_slide_shows_a_notice(tab: Recorder, fragment, parts):
    page = open_page(tab, fragment)
    expect(page.locator("#notice")).to_contain_text(f"The link asks for {parts}, which do")
    expect(page.locator("html[data-walk]")).to_have_count(0)
    tab.check()


def test_buttons_stay_under_the_question_beside_a_long_solution(page):
    show_screen(page, "whole")
    for css in ("#learn-hint-button", "#learn-hint-button", "#learn-solution-button"):
        page.locator(css).click()
    page.locator("#learn-after details").evaluate("fold => { fold.open = true; }")
    question, actions, after = (
        page.locator(css).bounding_box() for css in ("#exercise", "#learn-actions", "#learn-after")
    )
    assert after["height"] > 1.5 * question["height"]
    assert actions["y"] < question["y"] + question["height"] + 50


def test_code_is_judged_in_the_page(page, tmp_path):
    """The box, its Tab key, a verdict with its case, files as a table, and code for a reload."""
    page.locator("#learn-code").click()
    box, said = page.locator("#code-text"), page.locator("#learn-said")
    page.get_by_role("button", name="Check", exact=True).click()
    expect(said).to_contain_text("You took the longest reference")
    expect(said.locator(".code-case .is-wrong")).to_have_text("0.7165")
    box.fill("import js\ndef bleu(a, b):\n    print('hello')\n    return js.x")
    page.get_by_role("button", name="Check", exact=True).click()
    expect(said).to_contain_text("there is no module js in this page; use plain Python (line 1)")
    box.fill("def bleu(a, b):")
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("while True: pass")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Check", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(said).to_contain_text("more than 100,000 steps: does a loop never end?")
    (tmp_path / "one.py").write_text("def bleu(a, b):\n    return 0.5\n")
    (tmp_path / "two.ipynb").write_text('{"cells": []}')
    page.locator("#code-files").set_input_files([tmp_path / "one.py", tmp_path / "two.ipynb"])
    expect(said).to_contain_text("0 of 2 passed.")
    expect(said.get_by_role("row", name="one.py")).to_contain_text("It always returns 0.5.")
    page.locator("#learn-puzzle").click()
    page.locator("#learn-code").click()
    kept = page.evaluate("sessionStorage.getItem('bleu-code')")
    assert kept == box.input_value()
    expect(box).to_have_value("def bleu(a, b):\n    while True: pass")
    expect(said).to_have_text("")


def test_puzzle_is_played_by_keyboard(page):
    page.locator("#learn-puzzle").click()
    guess = page.locator("#puzzle-guess")
    page.get_by_role("group", name="Words").get_by_role("button").first.click()
    assert guess.input_value()
    page.get_by_role("button", name="Remove a word").click()
    expect(guess).to_have_value("")
    guess.fill("nonsense")
    guess.press("Enter")
    expect(page.locator("#puzzle-error")).to_have_text(
        "“nonsense” is not among the words; choose from them."
    )
    words = page.locator(".puzzle-bank button").all_inner_texts()
    for k in range(6):
        guess.fill(words[k])
        guess.press("Enter")
        expect(page.locator(".puzzle-guesses li")).to_have_count(k + 1)
    expect(page.locator("#exercise-title")).to_be_focused()
    expect(page.locator(".puzzle-end")).to_contain_text("The sentence was:")
