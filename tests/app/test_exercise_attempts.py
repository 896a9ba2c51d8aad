"""Attempts at exercises in the view Learn: feedback, hints and solutions."""

from dataclasses import replace
from html import escape
from html.parser import HTMLParser

import pytest

from app.learn.attempt import (
    Attempt,
    add_hint,
    answers_of_rows,
    attempt_marks,
    give_up,
    item_ids,
    submit,
)
from app.learn.exercise_html import exercise_html, feedback_html, solution_html
from app.learn.live_texts import live_score_text
from bleu.learn.generation import exercises
from bleu.learn.grading import answer_key, grade, where_to_look, worked_example
from bleu.learn.hand_calculation import split_tokens
from bleu.learn.kinds import KINDS
from tests.app.exercise_samples import ALL_KINDS, LESSON_EXERCISES, exercise_of, lesson_exercise
from tests.support.plain_markup import plain

WORKING_COUNTS = {f"row-1-{row}-{column}": "1" for row in range(9) for column in range(9)}
"""Counts for the n-gram tables, some of which are right."""


class InputNames(HTMLParser):
    """The names of all inputs, and of those without a label."""

    def __init__(self, markup):
        super().__init__()
        self.names, self.unlabelled, self.label_depth = [], [], 0
        self.feed(markup)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.label_depth += tag == "label"
        if tag == "input":
            self.names.append(attributes["name"])
            if not self.label_depth and not attributes.get("aria-label"):
                self.unlabelled.append(attributes["name"])

    def handle_endtag(self, tag):
        self.label_depth -= tag == "label"


def submitted(exercise, answers):
    return submit(Attempt(exercise), answers)


@pytest.mark.parametrize("exercise", [*ALL_KINDS, *LESSON_EXERCISES], ids=lambda x: x.kind)
def test_every_kind_has_labelled_inputs_and_can_be_answered(exercise):
    inputs = InputNames(exercise_html(Attempt(exercise)))
    fields = {name.partition(".")[2] for name in inputs.names} - {""}
    assert set(exercise.names) <= fields
    assert not inputs.unlabelled
    attempt = submitted(exercise, answer_key(exercise))
    assert attempt.right
    assert attempt.done
    assert attempt.right_on_first_try
    assert "Right." in feedback_html(attempt)
    assert solution_html(attempt) or exercise.names == ("claim",)
    assert {status for status, *_ in attempt_marks(attempt, {}).values()} == {"right"}


def test_missing_answer_is_no_mistake():
    attempt = Attempt(exercise_of("whole"))
    assert submit(attempt, {"p-1": " "}) == replace(attempt, empty=True)
    first = attempt.exercise.names[0]
    begun = submit(attempt, {first: answer_key(attempt.exercise)[first], "nothing": "1"})
    assert begun.hint_level == 0
    assert not begun.done
    assert "Still to fill in" in feedback_html(begun)
    assert "Not right" not in feedback_html(begun)


def test_each_mistake_brings_a_hint():
    attempt = Attempt(exercise_of("step", "clipping"))
    feedback = []
    for level in (1, 2, 3, 3):
        attempt = submit(attempt, {"p-1": "7/9"})
        assert attempt.hint_level == level
        feedback.append(feedback_html(attempt))
    assert "Hint" not in feedback[0]
    assert "Hint" in feedback[1]
    assert "Worked out" in feedback[2]
    assert not give_up(attempt).right_on_first_try
    assert give_up(attempt).done


def test_wrong_fields_share_a_sentence():
    exercise = exercise_of("step", "precision")
    all_wrong = feedback_html(submitted(exercise, dict.fromkeys(exercise.names, "17/19")))
    assert "Check these again: credited 1-grams, 1-grams of the candidate, " in plain(all_wrong)
    one_wrong = feedback_html(submitted(exercise, answer_key(exercise) | {"p-1": "17/19"}))
    assert "Check this again: precision p₁." in one_wrong
    marking = feedback_html(submitted(lesson_exercise("ngrams"), {"words": "1"}))
    assert "Check your answer again." in marking


def test_feedback_on_a_mistake_invites_a_correction():
    invitation = "and press “Check answer” again, as often as you like."
    step = exercise_of("step", "clipping")
    one_wrong = answer_key(step) | {"p-1": "7/9"}
    two_wrong = one_wrong | {"p-2": "7/9"}
    assert f"Correct the field marked ✗ {invitation}" in feedback_html(submitted(step, one_wrong))
    assert f"Correct the fields marked ✗ {invitation}" in feedback_html(submitted(step, two_wrong))
    for exercise in ALL_KINDS:
        key = answer_key(exercise)
        name = exercise.names[0]
        options = exercise.fields[0].options
        wrong = next((option for option in options if option != key[name]), "99")
        attempt = submitted(exercise, key | {name: wrong})
        can_correct = not exercise.is_choice
        assert (invitation in feedback_html(attempt)) == can_correct, exercise
        assert invitation not in feedback_html(give_up(attempt))
        assert invitation not in feedback_html(submit(attempt, key))


def test_unreadable_answer_is_not_graded():
    exercise = exercise_of("step", "clipping")
    key = answer_key(exercise)
    new = Attempt(exercise)
    for before in (new, submit(new, key | {"p-1": "7/9"})):
        after = submit(before, key | {"matched-1": "abc", "p-1": "1/9"})
        assert replace(after, unreadable=()) == before
        feedback = feedback_html(after)
        assert "Credited 1-grams: This is not a number. Type a whole number" in plain(feedback)
        assert "does not count as a try" in feedback
        for text in ("Not right", "Precision", "Choose an answer"):
            assert text not in feedback
        before_marks = attempt_marks(before, WORKING_COUNTS)
        assert len(before_marks) > len(attempt_marks(before, {}))
        after_marks = attempt_marks(after, WORKING_COUNTS)
        assert {name: mark[0] for name, mark in after_marks.items()} == {"matched-1": "unreadable"}
        assert not submit(after, {"p-1": ""}).unreadable
    unreadable = submit(new, key | {"p-1": "x"})
    assert submit(unreadable, key).right_on_first_try
    assert feedback_html(submit(unreadable, {})).startswith("<p>Fill in an answer")


@pytest.mark.parametrize("exercise", ALL_KINDS, ids=KINDS)
def test_feedback_without_an_answer_asks_for_one(exercise):
    chooses = exercise.is_choice or exercise.kind == "mark"
    what = "Choose an answer" if chooses else "Fill in an answer"
    assert feedback_html(Attempt(exercise)) == f"<p>{what} first, then press “Check answer”.</p>"


def test_hint_before_an_answer_excludes_a_first_try():
    attempt = add_hint(Attempt(exercise_of("step", "clipping")))
    assert "Hint" in feedback_html(attempt)
    assert not submit(attempt, answer_key(attempt.exercise)).right_on_first_try


def test_score_on_the_scale_of_0_to_100_is_recognized():
    exercise = lesson_exercise("whole", 1)
    key = answer_key(exercise)

    def mentions_scale(answers):
        return "the scale of 0 to 100" in plain(feedback_html(submitted(exercise, answers)))

    assert mentions_scale(key | {"bleu": "39"})
    # 33.72 follows from one 2-gram too many
    slip = {"total-2": "4", "p-2": "1/4", "gm": "√(3/16)", "bleu": "33.72"}
    assert mentions_scale(key | slip)
    for bleu, expected in (("38.9", True), ("39.2", False), ("0.392", False), ("41", False)):
        assert mentions_scale(key | {"bleu": bleu}) == expected


def test_follow_through_has_another_mark_than_right():
    exercise = lesson_exercise("whole", 1)
    answers = answer_key(exercise) | {"matched-1": "4", "p-1": "1", "gm": "", "bleu": ""}
    attempt = submitted(exercise, answers)
    assert attempt_marks(attempt, answers)["p-1"][1] == "(✓)"
    assert "(✓) is right with your own numbers" in feedback_html(attempt)


@pytest.mark.parametrize("words", ["1 2 3", "1 3 5 6"], ids=["unexplained", "misconception"])
def test_feedback_after_giving_up_quotes_the_ngrams_to_mark(words):
    attempt = give_up(submitted(lesson_exercise("ngrams"), {"words": words}))
    answer = "The answer is “the cat”, “on the” and “the mat”."
    assert answer in plain(feedback_html(attempt))


def test_hint_quotes_an_ngram_to_mark():
    hint = where_to_look(lesson_exercise("ngrams"), "words")
    assert hint == "How often is “the cat” in the candidate, and how often in the reference?"


def test_edited_text_is_scored_live():
    exercise = exercise_of("make", "brevity")
    assert "not reached yet" in live_score_text(exercise, exercise.hypotheses[0])
    assert "is reached" in live_score_text(exercise, answer_key(exercise)["text"])
    assert "BLEU-2 is 0 (it was " in live_score_text(exercise, "")
    assert "BLEU-2 is 0 (it was " in live_score_text(exercise, "<b> 👍 שלום")
    assert "p₁ 0/0, precision p₂ 0/0" in live_score_text(exercise, "")
    text = "a b c d e f g"
    other = replace(exercise, task=replace(exercise.task, references=((text,),)))
    assert "p₁ 7/7, precision p₂ 6/6" in live_score_text(other, text)


def test_submission_without_answers_is_not_a_try():
    exercise = exercise_of("step", "clipping")
    wrong = submitted(exercise, {exercise.names[0]: "99"})
    assert attempt_marks(wrong, {})
    emptied = submit(wrong, {exercise.names[0]: " "})
    assert (emptied.tries, attempt_marks(emptied, {})) == (1, {})
    request = "Fill in an answer first"
    assert request in feedback_html(emptied)
    assert request not in feedback_html(add_hint(emptied))
    hinted = add_hint(Attempt(exercise))
    assert request not in feedback_html(hinted)
    assert request in feedback_html(submit(hinted, {}))


def test_feedback_after_giving_up_has_all_other_answers():
    exercise = exercise_of("step", "clipping")
    key = answer_key(exercise)
    first, *others = exercise.names
    after_right = feedback_html(give_up(submitted(exercise, {first: key[first]})))
    assert "Not right" not in after_right
    assert all(f"The answer is {key[name]}." in after_right for name in others)
    after_wrong = feedback_html(give_up(submitted(exercise, {first: "99"})))
    assert all(f"The answer is {key[name]}." in after_wrong for name in exercise.names)


@pytest.mark.parametrize("exercise", ALL_KINDS, ids=KINDS)
def test_feedback_after_giving_up_without_a_try_has_the_answers(exercise):
    feedback = feedback_html(give_up(Attempt(exercise)))
    assert ("BLEU ranks them" if exercise.kind == "order" else "answer is") in feedback
    if exercise.kind not in {"mark", "order"}:
        assert all(escape(answer) in plain(feedback) for answer in answer_key(exercise).values())


def test_worked_example_of_a_corpus_counts_segment_by_segment():
    exercise = next(
        exercise for exercise in exercises("7k2q", ("corpus",), 9) if "total-2" in exercise.names
    )
    lengths = [len(split_tokens(text, exercise.task.tokenizer)) for text in exercise.hypotheses]
    counts = " + ".join(str(max(0, length - 1)) for length in lengths)
    hint = worked_example(exercise, "total-2")
    assert f"have {counts} = {answer_key(exercise)['total-2']} 2-grams" in hint


@pytest.mark.parametrize(
    "exercise",
    [exercise for exercise in ALL_KINDS if exercise.is_choice],
    ids=lambda exercise: exercise.kind,
)
def test_single_choice_is_final(exercise):
    [field] = exercise.fields
    key = answer_key(exercise)
    wrong = next(option for option in field.options if option != key[field.name])
    attempt = submitted(exercise, {field.name: wrong})
    assert attempt.done
    assert submit(attempt, key) == attempt
    assert "Not quite." in feedback_html(attempt)


@pytest.mark.parametrize("exercise", ALL_KINDS, ids=KINDS)
def test_exercise_and_solution_have_no_ngram_keys(exercise):
    attempt = submitted(exercise, answer_key(exercise))
    markup = exercise_html(attempt) + solution_html(attempt)
    assert "data-ngram" not in markup
    assert "data-rove" not in markup


@pytest.mark.parametrize(
    "exercise",
    [exercise for exercise in LESSON_EXERCISES if exercise.is_choice and exercise.kind == "bet"],
)
def test_lesson_explains_every_option_and_one_is_right(exercise):
    [field] = exercise.fields
    verdicts = [grade(exercise, {field.name: option}).verdicts[0] for option in field.options]
    assert [verdict.status for verdict in verdicts].count("right") == 1
    assert all(verdict.misconceptions for verdict in verdicts if verdict.status != "right")
    named = {name for verdict in verdicts for name in verdict.misconceptions}
    assert named & set(exercise.misconceptions)
    solution = solution_html(submitted(exercise, {field.name: field.options[0]}))
    assert "No single mistake" not in solution


def test_corpus_is_presented_row_by_row():
    exercise = exercise_of("corpus")
    ids = item_ids("item", [exercise, exercise_of("bet")])
    count = len(exercise.fields)
    rows = [f"item-1-row-{row}" for row in range(1, count)]
    assert ids == ["item-1", *rows, "item-1-answer", "item-2", "item-2-answer"]
    for row in range(count + 1):
        filled = answers_of_rows(exercise, row)
        assert list(filled) == list(exercise.names)
        assert [bool(text) for text in filled.values()] == [i < row for i in range(count)]
