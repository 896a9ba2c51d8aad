"""Exercises as quiz questions, one for each field."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from bleu.document.blocks import paragraph
from bleu.document.quiz import QuizAnswer, QuizQuestion
from bleu.explanation.exercises import (
    TOPIC_TITLES,
    computation_table,
    exercise_texts,
    ngrams_to_mark,
    prompt_spans,
    rules_text,
    solution_blocks,
)
from bleu.learn.exercise import Exercise, Field
from bleu.learn.grading import answer_key, wrong_values
from bleu.learn.hand_calculation import HandCalculation, Value
from bleu.learn.kinds.setting import setting_value_text, values_by_setting
from bleu.learn.misconceptions import MISCONCEPTIONS
from bleu.learn.number_input import format_number

TOLERANCE: Final = 0.001
"""The largest error of a decimal that counts as right; learners give three decimals."""
_WHOLE_NUMBERS: Final = ("matched", "total", "c", "r")
"""The beginnings of the names of quantities that are whole numbers."""
_LETTERS: Final = "ABC"


def quiz_questions(exercises: Sequence[Exercise]) -> list[QuizQuestion]:
    """Return a question for each field of the exercises.

    The wrong answers of a numeric question are results of misconceptions, each with feedback.

    >>> from bleu.learn.generation import exercises
    >>> [question] = quiz_questions(exercises("7k2q", ("precision",), 1, kinds=("bet",)))
    >>> question.kind, [answer.text for answer in question.right_answers]
    ('choice', ['5/6'])
    """
    return [_question(exercise, field) for exercise in exercises for field in exercise.fields]


def _question(exercise: Exercise, field: Field) -> QuizQuestion:
    rules = [] if exercise.topic == "trust" else [paragraph(rules_text([exercise]))]
    name = f"BLEU {exercise.seed} {exercise.number + 1}"
    question = QuizQuestion(
        f"{name} {field.name}",
        TOPIC_TITLES[exercise.topic],
        (*rules, paragraph(*prompt_spans(exercise)), *exercise_texts(exercise)),
        "Choose one answer." if field.options else f"{field.label[0].upper()}{field.label[1:]}?",
        "essay",
        (),
        name,
        f"{field.label[0].upper()}{field.label[1:]}",
        tuple(solution_blocks(exercise)),
    )
    if field.name == "order":
        order = answer_key(exercise)["order"]
        items = zip(_LETTERS, exercise.hypotheses, strict=True)
        answers = tuple(
            QuizAnswer(f"{letter}: {text}", True, rank=order.index(letter) + 1)
            for letter, text in items
        )
        return replace(question, prompt="1 is the best.", kind="ranking", answers=answers)
    if field.name == "words":
        tokens = ngrams_to_mark(exercise).tokens
        answers = tuple(
            QuizAnswer(f"{position}. {gram}", status == "credited")
            for position, (gram, status) in enumerate(tokens.tokens_with_kinds, 1)
        )
        return replace(question, kind="choices", answers=answers)
    if field.options:
        if field.name == "line":
            table = computation_table(exercise, solved=False)
            blocks = (*question.body, table)
            question = replace(question, body=blocks, prompt="First wrong line?")
        return replace(question, kind="choice", answers=tuple(_choice_answers(exercise, field)))
    if field.is_quantity:
        answers = tuple(_number_answers(exercise, field))
        question_text = f"{'Asked here: ' if len(exercise.fields) > 1 else ''}{field.label} = ?"
        prompt = f"{question_text[0].upper()}{question_text[1:]}"
        if not field.name.startswith(_WHOLE_NUMBERS):
            prompt += " (A decimal number, with three digits after the point.)"
        return replace(question, prompt=prompt, kind="number", answers=answers)
    return replace(question, answers=(QuizAnswer(field.answer, True),))


def _choice_answers(exercise: Exercise, field: Field) -> Iterator[QuizAnswer]:
    """Yield the choices, with feedback on the mistakes or settings that lead to wrong choices."""
    right = answer_key(exercise)[field.name]
    feedback = {}
    if field.is_quantity:
        for value, sentence in _wrong_values(exercise, field):
            feedback[format_number(value)] = sentence
    elif field.name == "setting":
        values = values_by_setting(exercise.topic, exercise.task)
        feedback = {
            name: f"That gives {setting_value_text(exercise.topic, values[name])}."
            for name in field.options
        }
    for option in field.options:
        is_right = option == right
        yield QuizAnswer(option, is_right, "" if is_right else feedback.get(option, ""))


def _number_answers(exercise: Exercise, field: Field) -> Iterator[QuizAnswer]:
    """Yield the right number, then each wrong number whose tolerance overlaps no earlier one's."""
    right = HandCalculation(exercise.task, given=exercise.given_values).calculate(field.name)
    yield _number_answer(right, is_right=True)
    numbers = [float(right)]
    for value, sentence in _wrong_values(exercise, field):
        if all(abs(float(value) - number) > 2 * TOLERANCE for number in numbers):
            numbers.append(float(value))
            yield _number_answer(value, feedback=sentence)


def _number_answer(value: Value, *, is_right: bool = False, feedback: str = "") -> QuizAnswer:
    decimal = float(value)
    tolerance = 0.0 if decimal.is_integer() else TOLERANCE
    return QuizAnswer(f"{decimal:.6g}", is_right, feedback, tolerance)


def _wrong_values(exercise: Exercise, field: Field) -> Iterator[tuple[Value, str]]:
    """Yield each wrong value that a misconception leads to, with the feedback on it."""
    for name in exercise.misconceptions:
        values = wrong_values(exercise, name)
        if field.name in values:
            yield values[field.name], MISCONCEPTIONS[name].sentence
