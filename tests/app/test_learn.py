"""Learn: what is said to answers, what is asked next, the lesson, and worksheets."""

import json
import re
from dataclasses import replace
from html import escape
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.learn import (
    class_tally,
    lesson_html,
    lesson_screens,
    practice,
    worksheet_answers,
    worksheet_html,
    worksheet_spec,
)
from app.learn.attempt import SINGLE_CHOICE_KINDS, Attempt, add_hint, attempt_marks, give_up, submit
from app.learn.exercise_html import (
    EXPLANATIONS,
    exercise_html,
    feedback_html,
    live_score_text,
    solution_html,
)
from app.learn.worksheet_answers import WorksheetInput
from app.learn.worksheet_spec import WorksheetSpec
from bleu import sentence_bleu
from bleu.explanation.exercises import exercise_step, ranking_table
from bleu.learn.drafting import values_by_setting
from bleu.learn.exercise import KINDS
from bleu.learn.generation import KINDS_BY_TOPIC, exercise_for_misconception, exercises
from bleu.learn.grading import answer_key, grade
from bleu.learn.hand_calculation import calculate_all, split_tokens
from bleu.learn.hints import hint_text
from bleu.learn.misconceptions import MISCONCEPTIONS, TOPICS
from bleu.learn.number_input import format_number
from bleu.render import html
from tests.browser.servers import ROOT

pytestmark = pytest.mark.host


def of_kind(kind, topic=""):
    """An exercise of a kind."""
    topic = topic or next(one for one in TOPICS if kind in KINDS_BY_TOPIC[one])
    return exercises("p", (topic,), 1, kinds=(kind,))[0]


ALL_KINDS = [of_kind(kind) for kind in KINDS]
EVERY_PART = [part for screen in lesson_screens.SCREENS for part in screen.questions]


class Names(HTMLParser):
    """The names of inputs, and those that no label says."""

    def __init__(self, markup):
        super().__init__()
        self.names, self.unlabelled, self.within = [], [], 0
        self.feed(markup)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.within += tag == "label"
        if tag == "input":
            self.names.append(found["name"])
            if not self.within and not found.get("aria-label"):
                self.unlabelled.append(found["name"])

    def handle_endtag(self, tag):
        self.within -= tag == "label"


@pytest.mark.parametrize("exercise", [*ALL_KINDS, *EVERY_PART], ids=lambda one: one.kind)
def test_every_kind_can_be_answered_and_every_blank_has_a_name(exercise):
    found = Names(exercise_html(Attempt(exercise)))
    asked = {name.partition(".")[2] for name in found.names} - {""}
    assert set(exercise.names) <= asked
    assert not found.unlabelled
    done = submit(Attempt(exercise), answer_key(exercise), "certain")
    assert done.right
    assert done.done
    assert done.first_try
    assert "Right." in feedback_html(done)
    assert solution_html(done)
    assert {status for status, *_ in attempt_marks(done, {}).values()} == {"right"}


def test_what_is_not_answered_is_no_mistake_and_changes_nothing():
    attempt = Attempt(of_kind("whole"))
    assert submit(attempt, {"p-1": " "}) == replace(attempt, empty=True)
    first = attempt.exercise.names[0]
    begun = submit(attempt, {first: answer_key(attempt.exercise)[first], "nothing": "1"})
    assert begun.hint_level == 0
    assert not begun.done
    assert "Still to fill in" in feedback_html(begun)
    assert "Not right" not in feedback_html(begun)


def test_help_grows_with_each_mistake_and_the_answers_can_be_had():
    attempt = Attempt(of_kind("step", "clipping"))
    said = []
    for level in (1, 2, 3, 3):
        attempt = submit(attempt, {"p-1": "7/9"})
        assert attempt.hint_level == level
        said.append(feedback_html(attempt))
    assert "Hint" not in said[0]
    assert "Hint" in said[1]
    assert "Worked out" in said[2]
    assert not replace(attempt, gave_up=True).first_try
    assert replace(attempt, gave_up=True).done


def test_several_fields_that_are_wrong_are_gone_through_together():
    exercise = of_kind("step", "precision")
    told = feedback_html(submit(Attempt(exercise), dict.fromkeys(exercise.names, "17/19")))
    assert "Check these again: credited 1-grams, 1-grams of the candidate, " in told
    told = feedback_html(submit(Attempt(exercise), answer_key(exercise) | {"p-1": "17/19"}))
    assert "Check this again: precision p₁." in told
    mark = lesson_screens.SCREENS[lesson_screens.SCREEN_INDEX["ngrams"]].questions[0]
    assert "Check your answer again." in feedback_html(submit(Attempt(mark), {"words": "1"}))


def test_after_a_mistake_it_is_said_that_one_can_correct_it_and_lock_in_again():
    words = "and press “Lock in” again, as often as you like."
    step = of_kind("step", "clipping")
    one, two = answer_key(step) | {"p-1": "7/9"}, answer_key(step) | {"p-1": "7/9", "p-2": "7/9"}
    assert f"Correct the field marked ✗ {words}" in feedback_html(submit(Attempt(step), one))
    assert f"Correct the fields marked ✗ {words}" in feedback_html(submit(Attempt(step), two))
    for exercise in ALL_KINDS:
        right = answer_key(exercise)
        [name, *_] = exercise.names
        options = exercise.fields[0].options
        wrong = next((one for one in options if one != right[name]), "99")
        attempt = submit(Attempt(exercise), right | {name: wrong})
        assert (words in feedback_html(attempt)) == (exercise.kind not in SINGLE_CHOICE_KINDS), (
            exercise
        )
        assert words not in feedback_html(replace(attempt, gave_up=True))
        assert words not in feedback_html(submit(attempt, right))


ROWS = {f"row-1-{row}-{column}": "1" for row in range(9) for column in range(9)}
"""Counts in the working table, of which some are right."""


def test_what_cannot_be_read_is_to_be_typed_again_and_is_no_try():
    exercise = of_kind("step", "clipping")
    attempt = Attempt(exercise)
    for before in (attempt, submit(attempt, answer_key(exercise) | {"p-1": "7/9"}, "guess")):
        after = submit(before, answer_key(exercise) | {"matched-1": "abc", "p-1": "1/9"}, "certain")
        assert replace(after, unreadable=()) == before
        said = feedback_html(after)
        assert "Credited 1-grams: This is not a number. Type a whole number" in said
        assert "does not count as a try" in said
        for word in ("Not right", "certain", "Precision", "Choose an answer"):
            assert word not in said
        assert len(attempt_marks(before, ROWS)) > len(attempt_marks(before, {}))
        assert {name: mark[0] for name, mark in attempt_marks(after, ROWS).items()} == {
            "matched-1": "unreadable"
        }
        assert not submit(after, {"p-1": ""}).unreadable
    right = submit(submit(attempt, answer_key(exercise) | {"p-1": "x"}), answer_key(exercise))
    assert right.first_try
    assert feedback_html(submit(submit(attempt, {"p-1": "x"}), {})).startswith(
        "<p>Fill in an answer"
    )


def test_an_answer_comes_before_locking_in():
    for exercise in ALL_KINDS:
        chosen = exercise.kind in {*SINGLE_CHOICE_KINDS, "mark"}
        what = "Choose an answer" if chosen else "Fill in an answer"
        assert feedback_html(Attempt(exercise)) == f"<p>{what} first, then press “Lock in”.</p>"


def test_a_hint_needs_no_answer_and_is_help():
    attempt = add_hint(Attempt(of_kind("step", "clipping")))
    assert "Hint" in feedback_html(attempt)
    assert not submit(attempt, answer_key(attempt.exercise)).first_try


@pytest.mark.parametrize("exercise", [one for one in EVERY_PART if one.kind == "bet"])
def test_every_answer_of_the_lesson_is_explained_and_one_is_right(exercise):
    [asked] = exercise.fields
    verdicts = [grade(exercise, {asked.name: one}).verdicts[0] for one in asked.options]
    assert [one.status for one in verdicts].count("right") == 1
    assert all(one.misconceptions for one in verdicts if one.status != "right")
    assert {name for one in verdicts for name in one.misconceptions} & set(exercise.misconceptions)
    shown = solution_html(submit(Attempt(exercise), {asked.name: asked.options[0]}))
    assert "No single mistake" not in shown


@pytest.mark.parametrize("topic", ["tokens", "combination", "brevity"])
def test_after_a_question_which_setting_each_one_says_what_it_gives(topic):
    exercise = of_kind("setting", topic)
    [asked] = exercise.fields
    wrong = next(one for one in asked.options if one != asked.answer)
    attempt = submit(Attempt(exercise), {"setting": wrong})
    shown = solution_html(attempt)
    assert f"{html.prose(f'gives {exercise.detail}.')}</span>" in shown
    assert shown.count("gives ") == len(asked.options)
    assert f"{escape(wrong)}</b> <span><i>Your answer.</i> It gives" in shown
    assert "No single mistake" not in shown
    assert f"The answer is “{asked.answer}”." in feedback_html(attempt)


def test_the_numbers_of_the_design_are_those_of_the_lesson():
    def options(name, part=0):
        return (
            lesson_screens.SCREENS[lesson_screens.SCREEN_INDEX[name]]
            .questions[part]
            .fields[0]
            .options
        )

    assert options("clipping") == ("1/7", "2/7", "3/7", "7/7")
    assert options("mean") == ("1/4", "1/2", "5/8")
    assert options("mean", 1) == ("0", "1/2", "1")
    assert options("corpus") == ("1/2", "√(3/8)", "2/3")
    assert (
        answer_key(lesson_screens.SCREENS[lesson_screens.SCREEN_INDEX["corpus"]].questions[0])[
            "bleu"
        ]
        == "2/3"
    )
    assert len(set(options("tokens"))) == len(set(options("brevity"))) == 4


def test_the_first_screen_says_what_is_so():
    [exercise] = lesson_screens.SCREENS[0].questions
    assert answer_key(exercise)["order"] == "BAC"
    for felt in ("ABC", "ACB", "CBA"):  # whoever has not computed yet is told of no miscounting
        attempt = submit(Attempt(exercise), {"order": felt})
        assert not attempt.misconceptions_seen
        assert "The answer is BAC." in feedback_html(attempt)
    table = ranking_table(exercise)
    pairs = zip(exercise.hypotheses, exercise.references, strict=True)
    scores = [sentence_bleu(own, others, exercise.settings).value for own, others in pairs]
    assert [row.cells[0][0] for row in table.rows] == list("BAC")
    assert table.rows[0].cells[1].value == max(scores)
    assert scores[2] == 0


def test_the_marked_2_grams_are_those_that_are_credited():
    [exercise] = lesson_screens.SCREENS[lesson_screens.SCREEN_INDEX["ngrams"]].questions
    assert [" ".join(gram) for gram in exercise.marked_grams][:3] == [
        "the cat",
        "cat the",
        "the cat",
    ]
    assert answer_key(exercise) == {"words": "1 5 6"}
    other = grade(exercise, {"words": "3 5 6"})
    assert other.right, "whichever occurrence is marked"
    assert grade(exercise, {"words": "1 3 5 6"}).misconception == "no-clipping"


def test_own_texts_take_the_place_of_those_of_the_lesson_where_they_are_short():
    whole = lesson_screens.SCREENS[lesson_screens.SCREEN_INDEX["whole"]].questions[0]
    own = lesson_screens.on_own_texts(whole, "a b <i>", ("a b c d", " "))
    assert own.references == (("a b c d",),)
    assert grade(own, answer_key(own)).right
    assert "&lt;i&gt;" in exercise_html(Attempt(own))
    for hypothesis, references in (
        ("a", ("a b",)), ("a b", ("",)), ("a b", ("a",)), ("x " * 13, ("a b",)), ("", ()),
    ):  # fmt: skip
        assert lesson_screens.on_own_texts(whole, hypothesis, references) is None
    mark = lesson_screens.SCREENS[lesson_screens.SCREEN_INDEX["ngrams"]].questions[0]
    assert lesson_screens.on_own_texts(mark, "a b a b", ("a b",)).kind == "mark"


def test_the_check_is_new_for_each_seed_and_ends_with_all_of_it():
    one, other = lesson_screens.check_screen("1"), lesson_screens.check_screen("2")
    assert [part.kind for part in one.questions] == [
        kind for _, kind in lesson_screens.CHECK_QUESTIONS
    ]
    assert one.questions[-1].kind == "whole"
    assert one != other
    assert one == lesson_screens.check_screen("1")


def test_every_place_that_is_linked_to_is_on_the_page_and_links_back():
    template = (ROOT / "index.html").read_text("utf-8")
    for place, _ in EXPLANATIONS.values():
        assert f'id="{place}"' in template
    back = re.findall(r'data-command="learn:screen (\w+)"', template)
    assert set(back) <= set(lesson_screens.SCREEN_INDEX)
    assert len(back) >= 5
    anchors = {one.anchor for one in MISCONCEPTIONS.values()} | {
        one.anchor for one in lesson_screens.SCREENS
    }
    for anchor in anchors:
        assert anchor in EXPLANATIONS or anchor.rpartition("-")[0] in EXPLANATIONS


def test_the_brevity_penalty_is_a_place_on_one_of_four_curves():
    screen = lesson_screens.SCREENS[lesson_screens.SCREEN_INDEX["brevity"]]
    [exercise] = screen.questions
    markup = lesson_html.bet_html(screen, exercise)
    [asked] = exercise.fields
    assert re.findall('value="([^"]+)"', markup) == list(asked.options)
    assert markup.count("<polyline") == len(asked.options) == 4
    places = re.findall(r'data-left="([\d.]+)%" data-top="([\d.]+)%"', markup)
    assert len({left for left, _ in places}) == 1, "all stand above c"
    assert len({top for _, top in places}) == 4
    corners = re.findall('class="((?:before|after) [a-z]+)"', markup)
    ranked = sorted(zip((float(top) for _, top in places), corners, strict=True))
    assert tuple(corner for _, corner in ranked) == lesson_html.LABEL_CORNERS
    assert "style=" not in markup, "the page's policy refuses it"
    assert not any(
        lesson_html.bet_html(one, one.questions[0])
        for one in lesson_screens.SCREENS
        if one != screen
    )


def test_the_end_names_what_to_look_at_again():
    assert "None of your answers" in lesson_html.end_html((), ())
    assert "right at the first try" not in lesson_html.end_html((), ())
    some = lesson_html.end_html((), (True, False, True))
    assert "2 of 3 questions right" in some
    assert "no typical mistake" in some
    assert "by hand" not in some
    for name, one in MISCONCEPTIONS.items():
        said = lesson_html.end_html((name,), (False,))
        assert html.prose(one.sentence) in said
        assert f'learn:screen {lesson_screens.SCREEN_BY_TOPIC[one.topic]}"' in said


@pytest.mark.parametrize("seed", [f"{number:x}" for number in range(40)])
def test_the_last_question_to_check_is_more_than_ones(seed):
    last = lesson_screens.check_screen(seed).questions[-1]
    assert last.kind == "whole"
    assert answer_key(last)["bleu"] != "1"


def test_a_score_on_the_other_scale_is_told_so():
    [exercise] = lesson_screens.SCREENS[lesson_screens.SCREEN_INDEX["whole"]].questions
    answers = answer_key(exercise) | {"bleu": "39"}
    said = feedback_html(submit(Attempt(exercise), answers))
    assert "the scale of 0 to 100" in said
    # 33.72 is what follows from one 2-gram too many, on the other scale
    slipped = answers | {"total-2": "4", "p-2": "1/4", "gm": "√(3/16)", "bleu": "33.72"}
    assert "the scale of 0 to 100" in feedback_html(submit(Attempt(exercise), slipped))
    for rounded, scale in (("38.9", True), ("39.2", False), ("0.392", False)):
        said = feedback_html(submit(Attempt(exercise), answers | {"bleu": rounded}))
        assert ("the scale of 0 to 100" in said) == scale
    assert "scale" not in feedback_html(submit(Attempt(exercise), answers | {"bleu": "41"}))


def test_a_tick_for_what_follows_is_another_than_for_what_is_right():
    [exercise] = lesson_screens.SCREENS[lesson_screens.SCREEN_INDEX["whole"]].questions
    answers = answer_key(exercise)
    answers |= {"matched-1": "4", "p-1": "1", "gm": "", "bleu": ""}
    attempt = submit(Attempt(exercise), answers)
    assert attempt_marks(attempt, answers)["p-1"][1] == "(✓)"
    assert "(✓) is right with your own numbers" in feedback_html(attempt)


def test_what_was_to_be_marked_is_told_in_words():
    [exercise] = lesson_screens.SCREENS[lesson_screens.SCREEN_INDEX["ngrams"]].questions
    for marked in ("1 2 3", "1 3 5 6"):  # no typical mistake, and one
        said = feedback_html(replace(submit(Attempt(exercise), {"words": marked}), gave_up=True))
        assert "The answer is “the cat”, “on the” and “the mat”." in said


def test_a_hint_names_the_n_gram_where_there_is_no_table():
    said = hint_text(
        lesson_screens.SCREENS[lesson_screens.SCREEN_INDEX["ngrams"]].questions[0], "words", "1", 2
    )
    assert said == "How often is “the cat” in the candidate, and how often in the reference?"


def test_a_text_that_is_made_is_scored_live():
    exercise = of_kind("make", "brevity")
    attempt = Attempt(exercise)
    assert "not reached yet" in live_score_text(attempt, exercise.hypotheses[0])
    assert "is reached" in live_score_text(attempt, answer_key(exercise)["text"])
    assert "BLEU-2 is 0 (it was 0." in live_score_text(attempt, "")
    assert "BLEU-2 is 0 (it was 0." in live_score_text(attempt, "<b> 👍 שלום")

    assert "p₁ 7/7, precision p₂ 6/6" in live_score_text(of_words("a b c d e f g"), "a b c d e f g")
    assert "p₁ 0/0, precision p₂ 0/0" in live_score_text(attempt, "")


def of_words(text):
    """An attempt to make a text of these words."""
    exercise = of_kind("make", "brevity")
    return Attempt(replace(exercise, task=replace(exercise.task, references=((text,),))))


def test_answers_that_are_emptied_are_not_marked_and_no_try():
    exercise = of_kind("step", "clipping")
    wrong = submit(Attempt(exercise), {exercise.names[0]: "99"})
    assert attempt_marks(wrong, {})
    emptied = submit(wrong, {exercise.names[0]: " "})
    assert (emptied.tries, attempt_marks(emptied, {})) == (1, {})
    assert "Fill in an answer first" in feedback_html(emptied)
    assert "Fill in an answer first" not in feedback_html(add_hint(emptied))
    hinted = add_hint(Attempt(exercise))
    assert "Fill in an answer first" not in feedback_html(hinted)
    assert "Fill in an answer first" in feedback_html(submit(hinted, {}))


def test_who_gives_up_half_way_is_told_the_rest():
    exercise = of_kind("step", "clipping")
    first, *others = exercise.names
    answers = answer_key(exercise)
    said = feedback_html(give_up(submit(Attempt(exercise), {first: answers[first]})))
    assert "Not right" not in said
    for name in others:
        assert f"The answer is {answers[name]}." in said
    wrong = feedback_html(give_up(submit(Attempt(exercise), {first: "99"})))
    for name in exercise.names:
        assert f"The answer is {answers[name]}." in wrong


@pytest.mark.parametrize("exercise", ALL_KINDS, ids=KINDS)
def test_who_gives_up_at_once_is_told_the_answers(exercise):
    said = feedback_html(give_up(Attempt(exercise)))
    assert said.count("answer is") >= 1
    for name in exercise.names:
        if exercise.kind not in {"mark"}:
            assert escape(answer_key(exercise)[name]) in said, (name, said)


def test_a_hint_for_a_corpus_counts_segment_by_segment():
    exercise = next(one for one in exercises("7k2q", ("corpus",), 9) if "total-2" in one.names)
    lengths = [
        len(split_tokens(text, exercise.task.tokenizer)) for text in exercise.task.hypotheses
    ]
    counts = " + ".join(str(max(0, length - 1)) for length in lengths)
    assert f"have {counts} = {answer_key(exercise)['total-2']} 2-grams" in hint_text(
        exercise, "total-2", "1", 3
    )


def test_own_texts_without_a_match_are_refused_where_matches_are_to_be_marked():
    mark = next(part for part in EVERY_PART if part.kind == "mark" and part.marked_order == 2)
    assert lesson_screens.on_own_texts(mark, "a b c d", ("d c b a",)) is None
    assert lesson_screens.on_own_texts(mark, "a b c d", ("d a b c",)).kind == "mark"
    assert "2-grams must be in a reference" in lesson_screens.own_texts_requirements(mark)


# Practice


def test_the_mistake_seen_last_comes_back_once_another_was_in_between():
    wrong = replace(
        Attempt(exercise_for_misconception("recall", "s")), tries=1, misconceptions_seen=("recall",)
    )
    progress = practice.record_attempt(practice.PracticeProgress(), wrong)
    assert progress.due == ("recall",)
    between = practice.next_exercise(progress, ("brevity",), "s")
    assert between.topic == "brevity"
    progress = practice.record_attempt(progress, submit(Attempt(between), answer_key(between)))
    again = practice.next_exercise(progress, ("brevity",), "s")
    assert again.misconceptions[0] == "recall"
    progress = practice.record_attempt(progress, submit(Attempt(again), answer_key(again)))
    assert progress.due == ()
    assert (progress.answered, progress.at_once) == (3, 2)


def test_three_in_a_row_master_a_topic_and_another_takes_its_turn():
    progress = practice.PracticeProgress()
    for _ in range(practice.MASTERY_STREAK):
        assert "clipping" not in progress.mastered
        exercise = practice.next_exercise(progress, ("clipping",), "s")
        progress = practice.record_attempt(
            progress, submit(Attempt(exercise), answer_key(exercise))
        )
    assert progress.mastered == ("clipping",)
    assert "Mastered: clipping." in practice.progress_text(progress)
    for answered in range(4):
        later = replace(progress, answered=answered)
        assert practice.next_exercise(later, ("clipping", "brevity"), "s").topic == "brevity"


def test_what_no_exercise_can_be_aimed_at_stops_nothing():
    progress = practice.PracticeProgress(due=("punctuation-kept",))
    assert practice.next_exercise(progress, (), "s")


def test_progress_is_kept_as_it_is():
    progress = practice.PracticeProgress(
        4, 3, tuple((one, 1) for one in TOPICS), ("recall",), "recall"
    )
    assert practice.from_json(practice.to_json(progress)) == progress


KEYS = st.sampled_from(["answered", "at_once", "streaks", "due", "last"])
ANYTHING = st.recursive(
    st.none() | st.integers() | st.text(),
    lambda one: st.lists(one) | st.dictionaries(KEYS, one),
)


@given(ANYTHING)
def test_whatever_is_found_in_its_place_is_no_harm(found):
    assert practice.progress_text(practice.from_json(json.dumps(found)))


# Worksheets

WANTED = st.builds(
    WorksheetSpec,
    seed=st.text(st.characters(categories=("L", "N")), min_size=1, max_size=40).filter(
        str.isprintable
    ),
    topics=st.lists(st.sampled_from(TOPICS), unique=True).map(tuple),
    count=st.integers(1, 100),
    max_order=st.sampled_from((2, 3, 4)),
    by_hand=st.booleans(),
    variant=st.sampled_from("ABCD"),
)


@given(WANTED, st.integers(0, 5))
def test_a_link_gives_the_same_worksheet(wanted, place):
    wanted = wanted.with_another_exercise(min(place, wanted.count - 1)).with_own_texts(
        0, "a b\n<i>&=%\n\nالقط"
    )
    assert worksheet_spec.from_fragment(f"#{worksheet_spec.to_fragment(wanted)}") == (wanted, "")


@given(st.text())
def test_a_damaged_link_falls_back_with_a_word(text):
    for fragment in (text, f"#exercises={text}", f"exercises=1&count={text}&again={text}"):
        found = worksheet_spec.from_fragment(fragment)
        if found:
            wanted, said = found
            assert 1 <= wanted.count <= 100
            assert not said or said.startswith("The link asks for")


@pytest.mark.parametrize(
    "fragment",
    ["#exercises=", "exercises=a&count=1e9", "exercises=a&count=-1", "exercises=a&order=9",
     "exercises=a&topics=cats", "exercises=a&variant=E", "exercises=a&again=1.x",
     "exercises=a&count=²", "exercises=" + "a" * 41, "exercises=a&count=" + "9" * 5000],
)  # fmt: skip
def test_what_a_link_has_wrong_is_said(fragment):
    found = worksheet_spec.from_fragment(fragment)
    if fragment == "#exercises=":
        assert found is None
        return
    assert found[1]
    assert found[0].count == 6


def test_texts_written_for_an_exercise_take_the_place_of_those_found():
    wanted = WorksheetSpec("s", ("clipping", "corpus"), 2)
    found = tuple(worksheet_spec.iter_worksheet(wanted))
    for exercise in found:
        assert worksheet_spec.exercise_from_lines(
            exercise, worksheet_spec.texts_as_lines(exercise)
        ).task == (exercise.task)
    written = "the the the cat \r\n the cat sat\r\n\r\n\r\n"
    one, other = worksheet_spec.apply_own_texts(wanted.with_own_texts(0, written), found)[0]
    assert (one.hypotheses, one.references) == (("the the the cat",), (("the cat sat",),))
    assert other == found[1]
    again = wanted.with_own_texts(0, written).with_another_exercise(0)
    assert again.texts == ()
    few = replace(wanted.with_own_texts(1, written), count=1)
    assert worksheet_spec.apply_own_texts(few, found[:1]) == (found[:1], "")
    assert "text-2" not in worksheet_spec.to_fragment(few)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("a b", "a candidate has 0 references; give it 1 to 3"),
        ("a b\n\nc d\nc d", "this exercise takes 1 candidate with its references, not 2"),
        ("a\na b", "the candidate 'a' is too short: it may have 2 to 12 tokens"),
        ("a b\n" + "c " * 13, "is too long: it may have 1 to 12 tokens"),
        ("x " * 2_000, "they have 4,000 characters; at most 2,000 fit"),
        ("a b c\na b c", "with these texts, the usual mistakes about clipping"),
        ("\n\n", "this exercise takes 1 candidate with its references, not 0"),
    ],
)
def test_texts_of_which_no_exercise_is_made_are_told_of_and_those_found_stay(written, said):
    wanted = WorksheetSpec("7k2q", ("clipping",), 1).with_own_texts(0, written)
    found = tuple(worksheet_spec.iter_worksheet(wanted))
    chosen, words = worksheet_spec.apply_own_texts(wanted, found)
    assert chosen == found
    assert said in words


def test_another_one_takes_one_place_alone_and_variants_have_other_texts():
    wanted = WorksheetSpec("s", ("clipping",), 3)
    chosen = list(worksheet_spec.iter_worksheet(wanted))
    other = list(worksheet_spec.iter_worksheet(wanted.with_another_exercise(1)))
    assert [one.task == two.task for one, two in zip(chosen, other, strict=True)] == [
        True,
        False,
        True,
    ]
    neighbour = list(worksheet_spec.iter_worksheet(replace(wanted, variant="B")))
    assert all(one.task != two.task for one, two in zip(chosen, neighbour, strict=True))
    assert [one.kind for one in chosen] == [one.kind for one in neighbour]
    with pytest.raises(ValueError, match="variant 'E'"):
        list(worksheet_spec.iter_worksheet(replace(wanted, variant="E")))


def test_what_is_written_stays_for_the_exercises_that_stay():
    old = tuple(worksheet_spec.iter_worksheet(WorksheetSpec("7k2q", count=3)))
    other = tuple(worksheet_spec.iter_worksheet(WorksheetSpec("8", count=3)))[1]
    written = WorksheetInput({"1.a": "1", "2.a": "2", "3.a": "3"}, {"1.a": "1"}, {1: "a b", 2: "c"})
    assert written.carry_over(old, old) == written
    assert written.carry_over(old, (old[0], other, old[2])) == WorksheetInput(
        {"1.a": "1", "3.a": "3"}, {"1.a": "1"}, {2: "c"}
    )
    assert written.carry_over(old, (other, old[1])) == WorksheetInput({"2.a": "2"}, {}, {1: "a b"})


def test_a_class_of_thirty_is_counted_by_mistake():
    wanted, chosen = next(
        (wanted, chosen)
        for number in range(50)
        for wanted in [WorksheetSpec(f"class {number}", ("clipping", "brevity"), 2)]
        for chosen in [tuple(worksheet_spec.iter_worksheet(wanted))]
        if chosen[1].kind == "step"
    )
    right = {
        f"{n}.{name}": text
        for n, one in enumerate(chosen, 1)
        for name, text in answer_key(one).items()
    }
    wrong_bp = chosen[1]
    name = wrong_bp.misconceptions[0]
    fields = worksheet_answers.split_by_exercise(chosen, right)
    assert [grade(one, own).right for one, own in zip(chosen, fields, strict=True)] == [True, True]
    lines = [worksheet_answers.answers_line(wanted, f"Ann & {n}", right) for n in range(18)]
    given = calculate_all(
        wrong_bp.task, wrong_bp.names, MISCONCEPTIONS[name].method, wrong_bp.given_values
    )
    place = chosen.index(wrong_bp) + 1
    wrong = right | {f"{place}.{one}": f"{float(value):.4f}" for one, value in given.items()}
    lines += [worksheet_answers.answers_line(wanted, "Bo\nb", wrong) for _ in range(12)]
    assert all("\n" not in line for line in lines)
    *_, counted = class_tally.tally_class(
        "\n".join(["nonsense", *lines, "", "exercises=1&count=x"])
    )
    assert (len(counted.learners), counted.unreadable) == (30, 2)
    assert counted.learners[0] == class_tally.Learner("Ann & 0", ("right", "right"))
    assert counted.learners[-1].results[place - 1] == "wrong"
    assert "\n" not in counted.learners[-1].name
    assert counted.mistakes == ((name, 12),)
    markup = class_tally.class_tally_html(counted)
    assert "12" in markup
    assert "Ann &amp; 0" in markup
    [*_, blank] = class_tally.tally_class(worksheet_answers.answers_line(wanted, "", {}))
    assert blank.learners == (class_tally.Learner("line 1", ("blank", "blank")),)
    assert "There is no answer yet." in worksheet_html.worksheet_feedback(chosen, {})


@pytest.mark.parametrize("form", worksheet_html.WORKSHEET_FORMATS)
@pytest.mark.parametrize("solved", [False, True])
def test_every_form_has_every_exercise(form, solved):
    wanted = WorksheetSpec("7k2q", ("clipping", "brevity"), 4)
    chosen = tuple(worksheet_spec.iter_worksheet(wanted))
    made = worksheet_html.WORKSHEET_FORMATS[form].render((wanted, chosen, solved))
    if form == "json":
        assert [one["kind"] for one in json.loads(made)] == [one.kind for one in chosen]
        assert {"hypotheses", "references", "max_order", "misconceptions", "answer"} <= json.loads(
            made
        )[0].keys()
        return
    assert made.count("Candidate") >= 3
    assert ("solutions" in made.splitlines()[0] or "solutions" in made) == solved


@pytest.mark.parametrize("teaching", [False, True])
@pytest.mark.parametrize("solved", [False, True])
def test_a_worksheet_has_named_blanks_and_tells_nothing_but_in_its_solutions(teaching, solved):
    wanted = WorksheetSpec("<b>", ("clipping", "whole"), 2)
    chosen = tuple(worksheet_spec.iter_worksheet(wanted))
    markup = worksheet_html.worksheet_html(wanted, chosen, solved=solved, teaching=teaching)
    found = Names(markup.replace('id="sheet-name"', 'name="name" aria-label=""')).names
    assert "<b>" not in re.sub(r"<b\b[^>]*class", "", markup)
    assert bool([name for name in found if "." in name]) != solved
    assert markup.count("learn:another") == (2 if teaching else 0)


def test_a_worksheet_is_marked_exercise_by_exercise():
    wanted = WorksheetSpec("7k2q", ("clipping", "brevity"), 2)
    chosen = tuple(worksheet_spec.iter_worksheet(wanted))
    right = {
        f"{n}.{name}": text
        for n, one in enumerate(chosen, 1)
        for name, text in answer_key(one).items()
    }
    assert worksheet_html.worksheet_feedback(chosen, right) == "<p>2 of 2 are right.</p>"
    said = worksheet_html.worksheet_feedback(chosen, dict.fromkeys(right, "x"))
    assert "0 of 2 are right" in said
    assert said.count("<li>") >= 1


def test_chosen_kinds_are_answered_once():
    for exercise in ALL_KINDS:
        if exercise.kind in SINGLE_CHOICE_KINDS:
            [asked] = exercise.fields
            other = next(one for one in asked.options if one != answer_key(exercise)[asked.name])
            locked = submit(Attempt(exercise), {asked.name: other})
            assert locked.done
            assert submit(locked, answer_key(exercise)) == locked
            assert "Not right." in feedback_html(locked)


def test_nothing_here_lights_up_in_the_texts_of_the_score():
    for exercise in ALL_KINDS:
        done = submit(Attempt(exercise), answer_key(exercise))
        for markup in (exercise_html(done), solution_html(done)):
            assert "data-ngram" not in markup
            assert "data-rove" not in markup
    chosen = tuple(worksheet_spec.iter_worksheet(WorksheetSpec("7k2q", ("clipping",), 3)))
    for solved in (False, True):
        markup = worksheet_html.worksheet_html(
            WorksheetSpec(), chosen, solved=solved, teaching=True
        )
        assert "data-ngram" not in markup


def test_what_a_learner_reads_is_said_plainly():
    bet = of_kind("bet", "clipping")
    wrong = next(one for one in bet.fields[0].options if one != answer_key(bet)[bet.names[0]])
    said = feedback_html(submit(Attempt(bet), {bet.names[0]: wrong}, "certain"))
    assert "You were certain, so this point is worth another look." in said
    mark = lesson_screens.SCREENS[lesson_screens.SCREEN_INDEX["ngrams"]].questions[0]
    assert "".join(exercise_step(mark).blocks[0].spans).endswith(
        "Mark them. If a 2-gram is credited fewer times than it occurs, mark its first occurrences."
    )
    assert hint_text(mark, "words", "1", 3).endswith(" The sum over all n-grams is 3.")
    assert MISCONCEPTIONS["punctuation-dropped"].sentence.endswith(
        "a word with a punctuation mark is a different token from the word alone."
    )
    hint = worksheet_html.spec_form_html(WorksheetSpec()).partition('<p class="hint">')[2]
    assert hint.startswith(
        "The same seed always gives the same exercises. Variants have the same kinds of exercise "
        "with other texts, so that neighbours cannot copy."
    )


def test_what_each_answer_means_is_its_number_where_a_setting_is_asked_for():
    [asked] = exercises("s", ["brevity"], 1, kinds=["setting"])
    given = values_by_setting("brevity", asked.task)
    markup = solution_html(Attempt(asked, gave_up=True))
    for option in asked.fields[0].options:
        assert f"{escape(option)}</b> <span>gives BP = {format_number(given[option])}." in markup
    [bet] = exercises("s", ["brevity"], 1, kinds=["bet"])
    assert " gives " not in solution_html(Attempt(bet, gave_up=True)).partition("<details")[0]


def test_practice_says_how_texts_are_split_unless_that_is_asked():
    shown = {}
    for seed in range(60):
        exercise = practice.next_exercise(practice.PracticeProgress(), ("tokens",), str(seed))
        shown[exercise.kind] = practice.opening_html(exercise)
    assert shown.pop("setting") == ""
    assert shown
    assert all("Texts are split at white space" in words for words in shown.values())
