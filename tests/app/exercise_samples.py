"""Exercises of each kind for the tests of the view Learn."""

from functools import cache

from app.learn.lesson_screens import SCREEN_INDEX, SCREENS
from bleu.learn.generation import exercises
from bleu.learn.kinds import KINDS, KINDS_BY_TOPIC
from bleu.learn.misconceptions import TOPICS


@cache
def exercise_of(kind, topic=""):
    """Return an exercise of a kind, on the first topic that has it unless one is given."""
    topic = topic or next(topic for topic in TOPICS if kind in KINDS_BY_TOPIC[topic])
    return exercises("p", (topic,), 1, kinds=(kind,))[0]


def lesson_exercise(screen, question=0):
    """Return a question of a screen of the lesson."""
    return SCREENS[SCREEN_INDEX[screen]].questions[question]


ALL_KINDS = [exercise_of(kind) for kind in KINDS]
LESSON_EXERCISES = [exercise for screen in SCREENS for exercise in screen.questions]
