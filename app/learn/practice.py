"""Practice: a learner's progress, the choice of the next exercise, and texts on both."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Final

from app.learn.attempt import Attempt
from bleu.explanation.exercises import TOPIC_TITLES, tokenization_text
from bleu.explanation.phrases import english_list
from bleu.learn.exercise import Exercise
from bleu.learn.generation import exercise_for_misconception, iter_exercises, topics_with
from bleu.learn.misconceptions import MISCONCEPTIONS, TOPICS

MASTERY_STREAK: Final = 3
"""The number of consecutive exercises right at the first try after which a topic is mastered."""


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


NO_SUCH_KIND: Final = "These topics have no exercise of these kinds, so other kinds come, too."


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


def to_json(progress: PracticeProgress) -> str:
    """Return the progress as JSON, to store on the device."""
    return json.dumps(asdict(progress))


def from_json(text: str) -> PracticeProgress:
    """Return the stored progress, or a new one if the text is not valid.

    >>> from_json("[1]") == from_json("") == PracticeProgress()
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


def tokenization_note_html(exercise: Exercise) -> str:
    """Return a note on the tokenization, or "" if the exercise needs none.

    >>> tokenization_note_html(next_exercise(PracticeProgress(), ("clipping",), "1"))
    '<p class="hint">Texts are split at white space only; capital and small letters differ.</p>'
    """
    if exercise.topic == "trust" or "setting" in exercise.names:
        return ""
    return f'<p class="hint">{tokenization_text([exercise])}.</p>'
