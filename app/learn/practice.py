"""Practice: what has been answered so far, and what to ask next."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from html import escape
from typing import Final

from app.learn.exercise_view import Attempt
from bleu.explanation.exercises import TITLES, tokenization_text
from bleu.explanation.phrases import english_list
from bleu.learn.exercise import Exercise
from bleu.learn.generation import exercise_for_misconception, iter_exercises
from bleu.learn.misconceptions import MISCONCEPTIONS, TOPICS

MASTERY_STREAK: Final = 3
"""Exercises of a topic right at the first try, in a row, after which it is mastered."""


@dataclass(frozen=True, slots=True)
class PracticeProgress:
    """What has been answered so far.

    - `answered`, and of these `first_try`: right at the first try, without help.
    - `streaks`: by topic, how many of its exercises in a row were.
    - `due`: the misconceptions that are to come back, the one seen last first.
    - `last`: what the last exercise was aimed at.
    """

    answered: int = 0
    at_once: int = 0
    streaks: tuple[tuple[str, int], ...] = ()
    due: tuple[str, ...] = ()
    last: str = ""

    @property
    def mastered(self) -> tuple[str, ...]:
        """The topics that are mastered, in the order of learning."""
        return tuple(
            topic for topic in TOPICS if dict(self.streaks).get(topic, 0) >= MASTERY_STREAK
        )


def record_attempt(progress: PracticeProgress, attempt: Attempt) -> PracticeProgress:
    """The progress after an attempt that is done, or left."""
    exercise, aim = attempt.exercise, attempt.exercise.misconceptions[0]
    streaks = dict(progress.streaks)
    if attempt.first_try:
        streaks[exercise.topic] = streaks.get(exercise.topic, 0) + 1
        due = tuple(name for name in progress.due if name != aim)
    else:
        streaks[exercise.topic] = 0
        due = tuple(dict.fromkeys((*(attempt.misconceptions_seen or (aim,)), *progress.due)))
    return PracticeProgress(
        progress.answered + 1,
        progress.at_once + attempt.first_try,
        tuple(streaks.items()),
        due,
        aim,
    )


def next_exercise(progress: PracticeProgress, topics: Sequence[str], seed: str) -> Exercise:
    """The exercise after these: on the misconception seen last, once another was in between.

    The topics take turns, those that are mastered last; without any, they are all topics.
    """
    number = progress.answered
    for name in progress.due[:1]:
        if name != progress.last:
            try:
                return replace(exercise_for_misconception(name, f"{seed}-{number}"), number=0)
            except (LookupError, ValueError):
                break  # it shows in passing, and no exercise can be aimed at it
    chosen = [topic for topic in TOPICS if topic in topics] or list(TOPICS)
    open_topics = [topic for topic in chosen if topic not in progress.mastered] or chosen
    topic = open_topics[number % len(open_topics)]
    return next(iter_exercises(f"{seed}-{number}", (topic,), 1))


def progress_text(progress: PracticeProgress) -> str:
    """A quiet line on what has been done.

    >>> progress_text(PracticeProgress(4, 3, (("clipping", 3),), ("recall",)))
    '4 done, 3 of them right at the first try. Mastered: clipping. To come back to: precision.'
    """
    if not progress.answered:
        return "A topic is mastered after three exercises in a row that are right at the first try."
    parts = [f"{progress.answered} done, {progress.at_once} of them right at the first try."]
    if progress.mastered:
        names = english_list([TITLES[topic].lower() for topic in progress.mastered])
        parts.append(f"Mastered: {names}.")
    if progress.due:
        topic = MISCONCEPTIONS[progress.due[0]].topic
        parts.append(f"To come back to: {TITLES[topic].lower()}.")
    return " ".join(parts)


def to_json(progress: PracticeProgress) -> str:
    """Progress as it is kept on a device."""
    return json.dumps(asdict(progress) | {"streaks": dict(progress.streaks)})


def from_json(text: str) -> PracticeProgress:
    """What was kept; none where nothing was, or something that is not of this page.

    >>> from_json("[1]") == from_json("") == PracticeProgress()
    True
    """
    try:
        found = json.loads(text)
        answered, at_once = (
            min(max(int(found[name]), 0), 10**6) for name in ("answered", "at_once")
        )
        streaks = {topic: int(found["streaks"].get(topic, 0)) for topic in TOPICS}
        due = tuple(name for name in found["due"] if name in MISCONCEPTIONS)
        return PracticeProgress(
            answered, at_once, tuple(streaks.items()), due, str(found["last"])[:40]
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return PracticeProgress()


def topic_boxes(chosen: Sequence[str]) -> str:
    """A checkbox for each topic."""
    return "".join(
        f'<label><input type="checkbox" name="topic" value="{topic}"'
        f"{' checked' if topic in chosen else ''}> {TITLES[topic]}</label>"
        for topic in TOPICS
    )


def opening_html(exercise: Exercise) -> str:
    """How the texts become tokens, unless that is what the exercise asks.

    >>> opening_html(next_exercise(PracticeProgress(), ("clipping",), 1))
    '<p class="hint">Texts are split at white space only; capital and small letters differ.</p>'
    """
    if exercise.kind == "setting":
        return ""
    return f'<p class="hint">{tokenization_text([exercise])}.</p>'


def aside_html(progress: PracticeProgress, topics: Sequence[str], *, keep_progress: bool) -> str:
    """What stands beside practice: the topics to choose from, and what has been done."""
    return (
        '<fieldset class="orders" id="learn-topics"><legend>Topics (all if none is ticked)</legend>'
        f"{topic_boxes(topics)}</fieldset>"
        f'<p class="hint" id="learn-done">{escape(progress_text(progress))}</p>'
        '<details class="hint"><summary>Keep my progress</summary><div class="check">'
        f'<input type="checkbox" id="learn-keep"{" checked" if keep_progress else ""}> '
        '<label for="learn-keep">Keep it on this device</label> '
        '<button type="button" data-command="learn:wipe">Wipe it</button></div></details>'
    )
