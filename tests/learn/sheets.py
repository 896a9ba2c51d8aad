"""Learners who are not there: answer sheets by a method, with slips."""

from fractions import Fraction

from bleu.learn.hand_calculation import HandCalculation
from bleu.learn.number_input import format_number


def answered(exercise, method, chance=None, slips=0, at=None):
    """The answers of a learner with a method, each a slip in so many of a hundred cases.

    `at` is the place of the only slip, where there is to be just one. What comes after a slip is
    worked out from it.
    """
    known, answers = dict(exercise.given_values), {}
    for place, field in enumerate(exercise.fields):
        value = HandCalculation(exercise.task, method, known).calculate(field.name)
        if place == at or (slips and chance.randbelow(100) < slips):
            value = slipped(field.name, value, chance)
        known[field.name] = value
        answers[field.name] = format_number(value)
    return answers


def slipped(name, value, chance):
    """Another number, such as a slip gives."""
    if name.startswith(("matched", "total")) or name in "cr":
        return value + (chance.choice((1, 2)) if value < 2 else chance.choice((-1, 1, 2)))
    other = Fraction(1 + chance.randbelow(7), 8)
    return other if abs(float(other) - float(value)) > 1e-3 else other + Fraction(1, 16)
