"""Practice: what has been answered so far, and what to ask next."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from html import escape
from typing import Final

from app.page.learn import Attempt
from bleu.explanation.exercises import TITLES, how_split
from bleu.explanation.words import english_list
from bleu.learn.exercise import Exercise
from bleu.learn.exercises import aimed_at, iter_exercises
from bleu.learn.misconceptions import MISCONCEPTIONS, TOPICS

MASTERED: Final = 3
"""Exercises of a topic right at the first try, in a row, after which it is mastered."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What has been answered so far.

    - `answered`, and of these `at_once`: right at the first try, without help.
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
        return tuple(topic for topic in TOPICS if dict(self.streaks).get(topic, 0) >= MASTERED)


def recorded(progress: Progress, attempt: Attempt) -> Progress:
    """The progress after an attempt that is done, or left."""
    exercise, aim = attempt.exercise, attempt.exercise.misconceptions[0]
    streaks = dict(progress.streaks)
    if attempt.at_once:
        streaks[exercise.topic] = streaks.get(exercise.topic, 0) + 1
        due = tuple(name for name in progress.due if name != aim)
    else:
        streaks[exercise.topic] = 0
        due = tuple(dict.fromkeys((*(attempt.seen or (aim,)), *progress.due)))
    return Progress(
        progress.answered + 1,
        progress.at_once + attempt.at_once,
        tuple(streaks.items()),
        due,
        aim,
    )


def next_exercise(progress: Progress, topics: Sequence[str], seed: str) -> Exercise:
    """The exercise after these: on the misconception seen last, once another was in between.

    The topics take turns, those that are mastered last; without any, they are all topics.
    """
    number = progress.answered
    for name in progress.due[:1]:
        if name != progress.last:
            try:
                return replace(aimed_at(name, f"{seed}-{number}"), number=0)
            except (LookupError, ValueError):
                break  # it shows in passing, and no exercise can be aimed at it
    chosen = [topic for topic in TOPICS if topic in topics] or list(TOPICS)
    open_topics = [topic for topic in chosen if topic not in progress.mastered] or chosen
    topic = open_topics[number % len(open_topics)]
    return next(iter_exercises(f"{seed}-{number}", (topic,), 1))


def progress_text(progress: Progress) -> str:
    """A quiet line on what has been done.

    >>> progress_text(Progress(4, 3, (("clipping", 3),), ("recall",)))
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


def to_json(progress: Progress) -> str:
    """Progress as it is kept on a device."""
    return json.dumps(asdict(progress) | {"streaks": dict(progress.streaks)})


def from_json(text: str) -> Progress:
    """What was kept; none where nothing was, or something that is not of this page.

    >>> from_json("[1]") == from_json("") == Progress()
    True
    """
    try:
        found = json.loads(text)
        answered, at_once = (
            min(max(int(found[name]), 0), 10**6) for name in ("answered", "at_once")
        )
        streaks = {topic: int(found["streaks"].get(topic, 0)) for topic in TOPICS}
        due = tuple(name for name in found["due"] if name in MISCONCEPTIONS)
        return Progress(answered, at_once, tuple(streaks.items()), due, str(found["last"])[:40])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return Progress()


def topic_boxes(chosen: Sequence[str]) -> str:
    """A checkbox for each topic."""
    return "".join(
        f'<label><input type="checkbox" name="topic" value="{topic}"'
        f"{' checked' if topic in chosen else ''}> {TITLES[topic]}</label>"
        for topic in TOPICS
    )


def opening_html(exercise: Exercise) -> str:
    """How the texts become tokens, unless that is what the exercise asks.

    >>> opening_html(next_exercise(Progress(), ("clipping",), 1))
    '<p class="hint">Texts are split at white space only; capital and small letters differ.</p>'
    """
    if exercise.kind == "setting":
        return ""
    return f'<p class="hint">{how_split([exercise])}.</p>'


def aside_html(progress: Progress, topics: Sequence[str], *, keeps: bool) -> str:
    """What stands beside practice: the topics to choose from, and what has been done."""
    return (
        '<fieldset class="orders" id="learn-topics"><legend>Topics (all if none is ticked)</legend>'
        f"{topic_boxes(topics)}</fieldset>"
        f'<p class="hint" id="learn-done">{escape(progress_text(progress))}</p>'
        '<details class="hint"><summary>Keep my progress</summary><div class="check">'
        f'<input type="checkbox" id="learn-keep"{" checked" if keeps else ""}> '
        '<label for="learn-keep">Keep it on this device</label> '
        '<button type="button" data-command="learn:wipe">Wipe it</button></div></details>'
    )
