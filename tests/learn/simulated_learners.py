"""Simulated learners, who apply a method and make slips."""

import math
from fractions import Fraction

from bleu.learn.grading import follow_through, log_likelihood, parse_answers
from bleu.learn.hand_calculation import CORRECT, HandCalculation
from bleu.learn.misconceptions import MISCONCEPTIONS
from bleu.learn.number_input import format_number


def answer_with(exercise, method, rng=None, slip_index=None):
    """Return the answers of a learner with a method, who slips in the field at `slip_index`."""
    values, answers = dict(exercise.given_values), {}
    for index, field in enumerate(exercise.fields):
        value = HandCalculation(exercise.task, method, values).calculate(field.name)
        if index == slip_index:
            value = slip(field.name, value, rng)
        values[field.name] = value
        answers[field.name] = format_number(value)
    return answers


def slip(name, value, rng):
    """Return a wrong value of a quantity."""
    if name.startswith(("matched", "total")) or name in "cr":
        return value + (rng.choice((1, 2)) if value < 2 else rng.choice((-1, 1, 2)))
    wrong = Fraction(1 + rng.randbelow(7), 8)
    return wrong if abs(float(wrong) - float(value)) > 1e-3 else wrong + Fraction(1, 16)


def likeliest_methods(sheet, guess=""):
    """Return the misconceptions that explain the answers on a sheet best; "" is none.

    A method is left out once it is less likely than another, so a good guess saves time, and so
    does beginning with the exercises that have the most mistakes.
    """
    methods = {"": CORRECT} | {name: wrong.change for name, wrong in MISCONCEPTIONS.items()}
    parsed = [(exercise, parse_answers(exercise, answers)) for exercise, answers in sheet]
    parsed.sort(key=lambda answered: surprise(*answered, CORRECT), reverse=True)
    surprises, least = {}, math.inf
    for name in sorted(methods, key=guess.__ne__):
        surprises[name] = 0.0
        for answered in parsed:
            surprises[name] += surprise(*answered, methods[name])
            if surprises[name] > least + 1e-9:
                break
        least = min(least, surprises[name])
    return [name for name in methods if surprises[name] <= least + 1e-9]


def surprise(exercise, numbers, method):
    """Return how much less likely a method is than if all numbers agreed with it."""
    agreed, _ = follow_through(exercise, numbers, method)
    return log_likelihood(dict.fromkeys(agreed, True)) - log_likelihood(agreed)
