"""The diagnosis of mistakes, measured with wrong scorers written apart from the library."""

import random
from functools import cache

import pytest

from bleu.learn.generation import exercises
from bleu.learn.grading import grade
from bleu.learn.hand_calculation import HandCalculation
from bleu.learn.misconceptions import MISCONCEPTIONS
from bleu.learn.number_input import parse_number
from tests.learn.independent_scorers import WRONG_SCORERS, Scorer, answers_of
from tests.learn.simulated_learners import likeliest_methods
from tests.support.case_selection import fast_and_slow

SHEET_SIZES = {"brevity": 14, "corpus": 10}
"""By topic: the number of exercises on a sheet, if it is not 8."""


@cache
def sheet_of(seed, topic, tokenizer="whitespace"):
    count = SHEET_SIZES.get(topic, 8)
    kinds = ("step", "corpus", "whole")
    return exercises(seed, (topic,), count, kinds=kinds, tokenizer=tokenizer)


@cache
def diagnose(name, seed):
    """Return what is named on a sheet with 10 % slips, or "" if slips explain it as well."""
    rng = random.Random(f"{name}/{seed}")
    tokenizer = "13a" if name == "punctuation-kept" else "whitespace"
    sheet = [
        (exercise, answers_of(WRONG_SCORERS[name], exercise, rng, slip_percent=10))
        for exercise in sheet_of(str(seed), MISCONCEPTIONS[name].topic, tokenizer)
    ]
    return likeliest_methods(sheet, name)[0]


def test_every_misconception_has_an_independent_scorer():
    numeric = {name for name, wrong in MISCONCEPTIONS.items() if wrong.topic != "trust"}
    assert set(WRONG_SCORERS) == numeric


@pytest.mark.parametrize("name", fast_and_slow(12, WRONG_SCORERS))
def test_wrong_scorer_is_named_despite_slips(name):
    assert [diagnose(name, seed) for seed in range(3)].count(name) >= 2


@pytest.mark.slow
def test_wrong_scorers_are_named_on_95_percent_of_sheets():
    results = {name: [diagnose(name, seed) for seed in range(40)] for name in WRONG_SCORERS}
    rates = {name: named.count(name) / len(named) for name, named in results.items()}
    assert min(rates.values()) >= 0.95, rates


@pytest.mark.parametrize("name", fast_and_slow(12, WRONG_SCORERS))
def test_named_misconception_is_never_contradicted(name):
    for seed in range(3):
        rng = random.Random(seed)
        for exercise in sheet_of(str(seed), MISCONCEPTIONS[name].topic)[:5]:
            answers = answers_of(WRONG_SCORERS[name], exercise)
            graded = grade(exercise, answers)
            if graded.misconception:
                assert contradictions(exercise, answers, graded.misconception) == []
            slipped = answers_of(WRONG_SCORERS[name], exercise, rng, slip_percent=10)
            graded = grade(exercise, slipped)
            right = {v.name for v in graded.verdicts if v.status in {"right", "follows"}}
            if graded.misconception:
                assert not right & set(contradictions(exercise, slipped, graded.misconception))


def contradictions(exercise, answers, name):
    """Return the fields whose number the misconception does not give from the numbers before."""
    own, fields = dict(exercise.given_values), []
    for field, text in answers.items():
        number = parse_number(text)
        value = HandCalculation(exercise.task, MISCONCEPTIONS[name].change, own).calculate(field)
        if abs(float(number.value) - float(value)) > 2e-4:
            fields.append(field)
        own[field] = number.value if field in fields else value
    return fields


@pytest.mark.parametrize("topic", ["clipping", "corpus", "whole"])
def test_right_scorer_agrees_with_the_key(topic):
    for exercise in sheet_of("right", topic):
        assert grade(exercise, answers_of(Scorer, exercise)).right
