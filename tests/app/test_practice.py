"""Practice in the view Learn."""

import json
import math
from dataclasses import replace

from hypothesis import example, given
from hypothesis import strategies as st

from app.learn.attempt import (
    MASTERY_STREAK,
    Attempt,
    PracticeProgress,
    next_exercise,
    progress_from_json,
    progress_text,
    progress_to_json,
    record_attempt,
    submit,
)
from app.learn.exercise_html import tokenization_note_html
from bleu.learn.generation import exercise_for_misconception
from bleu.learn.grading import answer_key
from bleu.learn.misconceptions import TOPICS


def record_right(progress, exercise):
    """Return the progress after a right answer at the first try."""
    return record_attempt(progress, submit(Attempt(exercise), answer_key(exercise)))


def test_due_misconceptions_are_kept_latest_first():
    exercise = exercise_for_misconception("recall", "s")
    wrong = replace(Attempt(exercise), tries=1, misconceptions_seen=("recall",))
    progress = record_attempt(PracticeProgress(due=("no-clipping",)), wrong)
    assert progress.due == ("recall", "no-clipping")


def test_misconception_comes_back_after_another_exercise():
    exercise = exercise_for_misconception("recall", "s")
    wrong = replace(Attempt(exercise), tries=1, misconceptions_seen=("recall",))
    progress = record_attempt(PracticeProgress(), wrong)
    assert progress.due == ("recall",)
    second = next_exercise(progress, ("brevity",), "s")
    assert second.topic == "brevity"
    progress = record_right(progress, second)
    assert next_exercise(progress, ("brevity",), "s").topic == "brevity"
    third = next_exercise(progress, ("brevity", "precision"), "s")
    assert third.misconceptions[0] == "recall"
    progress = record_right(progress, third)
    assert progress.due == ()
    assert (progress.answered, progress.at_once) == (3, 2)


def test_topic_is_mastered_after_three_right_answers():
    progress = PracticeProgress()
    for _ in range(MASTERY_STREAK):
        assert "clipping" not in progress.mastered
        progress = record_right(progress, next_exercise(progress, ("clipping",), "s"))
    assert progress.mastered == ("clipping",)
    assert "Mastered: clipping." in progress_text(progress)
    for answered in range(4):
        later = replace(progress, answered=answered)
        assert next_exercise(later, ("clipping", "brevity"), "s").topic == "brevity"


def test_misconception_that_no_exercise_can_target_is_skipped():
    assert next_exercise(PracticeProgress(due=("punctuation-kept",)), (), "s")


def test_progress_survives_json():
    streaks = dict.fromkeys(TOPICS, 1)
    progress = PracticeProgress(4, 3, streaks, ("recall",), "recall")
    assert progress_from_json(progress_to_json(progress)) == progress


KEYS = st.sampled_from(["answered", "at_once", "streaks", "due", "last"])
JSON_VALUES = st.recursive(
    st.none() | st.integers() | st.text(),
    lambda values: st.lists(values) | st.dictionaries(KEYS, values),
)


@given(JSON_VALUES)
@example(dict.fromkeys(["answered", "at_once", "streaks", "due", "last"], math.inf))
def test_any_stored_json_can_be_read(value):
    assert progress_text(progress_from_json(json.dumps(value)))


def test_opening_describes_the_tokenization():
    openings = {}
    for seed in range(60):
        exercise = next_exercise(PracticeProgress(), ("tokens",), str(seed))
        openings[exercise.kind] = tokenization_note_html(exercise)
    assert set(openings) == {"step", "bet"}
    assert all("Texts are split at white space" in opening for opening in openings.values())


def test_kinds_of_exercise_can_be_chosen():
    for answered in range(9):
        progress = PracticeProgress(answered, due=("recall",))
        assert next_exercise(progress, (), "s", ("make", "order")).kind in {"make", "order"}
        assert next_exercise(progress, ("tokens",), "s", ("claim",)).topic == "tokens"
