"""A learner's attempt at an exercise, and the progress of many: the choice of the next exercise."""

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from bleu.document.blocks import Blank, Table
from bleu.explanation.exercises import TOPIC_TITLES, exercise_step
from bleu.explanation.phrases import english_list
from bleu.learn.exercise import Exercise
from bleu.learn.generation import exercise_for_misconception, iter_exercises, topics_with
from bleu.learn.grading import Grade, Verdict, answer_key, grade
from bleu.learn.kinds.calculation import worked_exercise
from bleu.learn.misconceptions import MISCONCEPTIONS, TOPICS
from bleu.learn.number_input import parse_number
from bleu.metric.expressions import Num

Mark = tuple[str, str, str]
"""The status of an answer, its sign, and the text that screen readers say for the sign."""

MAX_HINT_LEVEL: Final = 3
ANSWER_SUFFIX: Final = "-answer"
"""The suffix of the id of an exercise that is presented with its answer."""
ROW_SUFFIX: Final = "-row-"
"""The part of the id, before a number, of an exercise presented with that many fields filled in."""
STATUS_MARKS: Final = {
    "right": ("✓", "right"),
    "follows": ("(✓)", "right with your own numbers"),
    "wrong": ("✗", "not right"),
    "unreadable": ("?", "to be written in another way"),
}
"""The sign for each status of an answer, and the text that screen readers say for it."""
STORED_FIELDS: Final = "answers", "tries", "hint_level", "misconceptions_seen", "gave_up", "empty"
"""The attributes of an attempt from which the others follow."""
MASTERY_STREAK: Final = 3
"""The number of consecutive exercises right at the first try after which a topic is mastered."""
NO_SUCH_KIND: Final = "These topics have no exercise of these kinds, so other kinds come, too."


@dataclass(frozen=True, slots=True)
class Attempt:
    """The state of one exercise while a learner answers it.

    - `answers`: the last graded answers, by field name; `grade`: their grade.
    - `tries`: how often answers were graded.
    - `hint_level`: 0 to `MAX_HINT_LEVEL`; 2 adds where to look, 3 a worked example, 1 nothing.
    - `misconceptions_seen`: the misconceptions that the grades named, the earliest first.
    - `unreadable`: the verdicts on unreadable answers. They are not graded, so the other attributes
      stay as they were.
    - `empty`: whether the last submission had no answers.
    """

    exercise: Exercise
    answers: Mapping[str, str] = field(default_factory=dict)
    tries: int = 0
    hint_level: int = 0
    misconceptions_seen: tuple[str, ...] = ()
    grade: Grade | None = None
    gave_up: bool = False
    unreadable: tuple[Verdict, ...] = ()
    empty: bool = False

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The verdicts on the answers graded last."""
        return self.grade.verdicts if self.grade else ()

    @property
    def right(self) -> bool:
        """Whether every field is right, or follows from the learner's own numbers."""
        return bool(self.grade and self.grade.right)

    @property
    def done(self) -> bool:
        """Whether no more answers are accepted."""
        has_chosen = self.exercise.is_choice and self.tries > 0
        return self.right or self.gave_up or has_chosen

    @property
    def right_on_first_try(self) -> bool:
        """Whether the exercise was right at the first try, without hints."""
        return self.right and self.tries == 1 and not self.hint_level


def is_row_by_row(exercise: Exercise) -> bool:
    """Return whether an exercise is presented row by row: the whole score, or a corpus."""
    return exercise.is_calculation and exercise.topic in {"whole", "corpus"}


def item_ids(name: str, exercises: Iterable[Exercise]) -> list[str]:
    """Return the ids of the items to present: each exercise unanswered, row by row, and answered.

    `name` begins each id; see `parse_item_id`.
    """
    ids = []
    for number, exercise in enumerate(map(worked_exercise, exercises), 1):
        rows = range(1, len(exercise.fields) if is_row_by_row(exercise) else 1)
        suffixes = ["", *(f"{ROW_SUFFIX}{row}" for row in rows), ANSWER_SUFFIX]
        ids += [f"{name}-{number}{suffix}" for suffix in suffixes]
    return ids


def parse_item_id(item_id: str) -> tuple[str, int, int, bool]:
    """Return name, 0-based exercise index, number of filled rows, and whether answers are shown.

    >>> parse_item_id("mean-2-answer"), parse_item_id("whole-1-row-3")
    (('mean', 1, 0, True), ('whole', 0, 3, False))
    """
    item, _, row = item_id.removesuffix(ANSWER_SUFFIX).partition(ROW_SUFFIX)
    name, _, number = item.rpartition("-")
    return name, int(number) - 1, int(row or 0), item_id.endswith(ANSWER_SUFFIX)


def answers_of_rows(exercise: Exercise, count: int) -> dict[str, str]:
    """Return the right answers to the first `count` fields, and empty ones to the others."""
    key = answer_key(exercise)
    return {name: key[name] if i < count else "" for i, name in enumerate(exercise.names)}


def submit(attempt: Attempt, answers: Mapping[str, str]) -> Attempt:
    """Grade the answers and return the new attempt.

    A wrong answer raises the hint level; a missing one does not. If all answers are empty or one
    is unreadable, nothing is graded and the submission does not count as a try.
    """
    answers = {
        name: text.strip() for name, text in answers.items() if name in attempt.exercise.names
    }
    if attempt.done:
        return replace(attempt, unreadable=())
    if not any(answers.values()):
        return replace(attempt, answers={}, grade=None, unreadable=(), empty=True)
    graded = grade(attempt.exercise, answers)
    unreadable = tuple(verdict for verdict in graded.verdicts if verdict.status == "unreadable")
    if unreadable:
        return replace(attempt, unreadable=unreadable, empty=False)
    wrong = any(verdict.status == "wrong" for verdict in graded.verdicts)
    misconceptions = (graded.misconception,) if graded.misconception else ()
    return replace(
        attempt,
        answers=answers,
        tries=attempt.tries + 1,
        hint_level=min(MAX_HINT_LEVEL, attempt.hint_level + wrong),
        misconceptions_seen=tuple(dict.fromkeys((*attempt.misconceptions_seen, *misconceptions))),
        grade=graded,
        unreadable=(),
        empty=False,
    )


def add_hint(attempt: Attempt) -> Attempt:
    """Return the attempt at the next hint level, at least 2, because level 1 is no hint."""
    level = min(MAX_HINT_LEVEL, max(2, attempt.hint_level + 1))
    return replace(attempt, hint_level=level, unreadable=(), empty=False)


def give_up(attempt: Attempt) -> Attempt:
    """Return the attempt of a learner who asks for the answers."""
    return replace(attempt, gave_up=True, unreadable=())


def attempt_from_data(exercise: Exercise, data: Mapping[str, Any]) -> Attempt:
    """Return the attempt at an exercise that has these `STORED_FIELDS`, graded again.

    >>> from bleu.learn.generation import exercises
    >>> exercise = exercises("1", ("brevity",), 1)[0]
    >>> attempt = give_up(submit(Attempt(exercise), {exercise.names[0]: "7"}))
    >>> data = {name: getattr(attempt, name) for name in STORED_FIELDS}
    >>> attempt_from_data(exercise, data) == attempt
    True
    """
    seen = tuple(name for name in data["misconceptions_seen"] if name in MISCONCEPTIONS)
    graded = grade(exercise, data["answers"]) if data["answers"] else None
    return Attempt(exercise, **{**data, "misconceptions_seen": seen, "grade": graded})


def verdict_marks(verdicts: Iterable[Verdict]) -> dict[str, Mark]:
    """Return the marks of the answered fields, by name."""
    return {
        verdict.name: (verdict.status, *STATUS_MARKS[verdict.status])
        for verdict in verdicts
        if verdict.status in STATUS_MARKS
    }


def attempt_marks(attempt: Attempt, answers: Mapping[str, str]) -> dict[str, Mark]:
    """Return the marks of an attempt's fields and of the counts in its n-gram tables."""
    if attempt.unreadable:  # One unreadable answer keeps all from being graded.
        return verdict_marks(attempt.unreadable)
    return verdict_marks(attempt.verdicts) | row_marks(attempt, answers)


def row_marks(attempt: Attempt, answers: Mapping[str, str]) -> dict[str, Mark]:
    """Return the marks of the answers that count single n-grams, which are not graded."""
    marks = {}
    tables = (block for block in exercise_step(attempt.exercise).blocks if isinstance(block, Table))
    for cell in (cell for table in tables for row in table.rows for cell in row.cells):
        match cell:
            case Blank(name, _, Num(count)) if ".row-" in name:
                name = name.partition(".")[2]
                text = answers.get(name, "").strip()
                try:
                    status = "right" if parse_number(text).is_near(count) else "wrong"
                except ValueError:
                    status = "unreadable"
                if text:
                    marks[name] = (status, *STATUS_MARKS[status])
    return marks


@dataclass(frozen=True, slots=True)
class PracticeProgress:
    """A learner's progress in practice.

    - `answered`: the number of exercises done; `at_once`: how many of them were right at the first
      try, without hints.
    - `streaks`: by topic, how many of the latest exercises in a row were right at the first try.
    - `due`: the misconceptions to practise again, the latest first.
    - `last`: the misconception that the last exercise targeted.
    """

    answered: int = 0
    at_once: int = 0
    streaks: Mapping[str, int] = field(default_factory=dict)
    due: tuple[str, ...] = ()
    last: str = ""

    @property
    def mastered(self) -> tuple[str, ...]:
        """The mastered topics, in teaching order."""
        return tuple(topic for topic in TOPICS if self.streaks.get(topic, 0) >= MASTERY_STREAK)


def record_attempt(progress: PracticeProgress, attempt: Attempt) -> PracticeProgress:
    """Return the progress after an attempt."""
    topic, target = attempt.exercise.topic, attempt.exercise.target.name
    if attempt.right_on_first_try:
        streak = progress.streaks.get(topic, 0) + 1
        due = tuple(name for name in progress.due if name != target)
    else:
        streak = 0
        due = tuple(dict.fromkeys((*(attempt.misconceptions_seen or (target,)), *progress.due)))
    return PracticeProgress(
        progress.answered + 1,
        progress.at_once + attempt.right_on_first_try,
        {**progress.streaks, topic: streak},
        due,
        target,
    )


def next_exercise(
    progress: PracticeProgress, topics: Sequence[str], seed: str, kinds: Sequence[str] = ()
) -> Exercise:
    """Return the next exercise, of one of the kinds; no kinds means all.

    The exercise targets the latest due misconception about the topics, unless the last exercise
    targeted it or the one found for it is of another kind. Otherwise the topics take turns, without
    the mastered ones if others are left. No topics means all; if the topics have no exercise of the
    kinds, all kinds are possible.
    """
    number = progress.answered
    due_names = (
        name for name in progress.due if not topics or MISCONCEPTIONS[name].topic in topics
    )
    name = next(due_names, progress.last)
    if name != progress.last:
        # ValueError: no exercise targets the misconception. LookupError: this seed gives none.
        with suppress(LookupError, ValueError):
            due = exercise_for_misconception(name, f"{seed}-{number}")
            if not kinds or due.kind in kinds:
                return due
    possible = topics_with(kinds, topics)
    chosen = possible or [topic for topic in TOPICS if topic in topics]
    open_topics = [topic for topic in chosen if topic not in progress.mastered] or chosen
    topic = open_topics[number % len(open_topics)]
    return next(iter_exercises(f"{seed}-{number}", (topic,), 1, kinds=kinds if possible else ()))


def progress_text(progress: PracticeProgress) -> str:
    """Return a summary of the progress.

    >>> progress_text(PracticeProgress(4, 3, {"clipping": 3}, ("recall",)))
    '4 done, 3 of them right at the first try. Mastered: clipping. To come back to: precision.'
    """
    if not progress.answered:
        return "A topic is mastered after three exercises in a row that are right at the first try."
    parts = [f"{progress.answered} done, {progress.at_once} of them right at the first try."]
    if progress.mastered:
        names = english_list([TOPIC_TITLES[topic].lower() for topic in progress.mastered])
        parts.append(f"Mastered: {names}.")
    if progress.due:
        topic = MISCONCEPTIONS[progress.due[0]].topic
        parts.append(f"To come back to: {TOPIC_TITLES[topic].lower()}.")
    return " ".join(parts)


def progress_to_json(progress: PracticeProgress) -> str:
    """Return the progress as JSON, to store on the device."""
    return json.dumps(asdict(progress))


def progress_from_json(text: str) -> PracticeProgress:
    """Return the stored progress, or a new one if the text is not valid.

    >>> progress_from_json("[1]") == progress_from_json("") == PracticeProgress()
    True
    """
    try:
        stored = json.loads(text)
        answered, at_once = (
            min(max(int(stored[name]), 0), 10**6) for name in ("answered", "at_once")
        )
        streaks = {topic: int(stored["streaks"].get(topic, 0)) for topic in TOPICS}
        due = tuple(name for name in stored["due"] if name in MISCONCEPTIONS)
        return PracticeProgress(answered, at_once, streaks, due, str(stored["last"])[:40])
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        return PracticeProgress()
