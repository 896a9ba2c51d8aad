import re
from dataclasses import replace
from functools import cache

import pytest

from bleu import derive, explain
from bleu.document.blocks import Blank, Paragraph, Quote, Table
from bleu.document.writing import Writing
from bleu.explanation.exercises import (
    exercise_document,
    exercise_step,
    hint_spans,
    solution_step,
    worksheet,
)
from bleu.explanation.masking import fill_answers, masked_blocks
from bleu.learn.exercise import quantity_label
from bleu.learn.generation import exercises
from bleu.learn.grading import answer_key, worked_example, wrong_answers
from bleu.learn.hand_calculation import calculate_all
from bleu.learn.kinds import KINDS_BY_TOPIC
from bleu.learn.number_input import parse_number
from bleu.render import text

TOPICS_AND_KINDS = [
    pytest.param(topic, kind, id=f"{topic}-{kind}", marks=pytest.mark.slow if number % 2 else ())
    for number, (topic, kind) in enumerate(
        (topic, kind) for topic, kinds in KINDS_BY_TOPIC.items() for kind in kinds
    )
]


@cache
def sample_exercises(topic, kind):
    """Return three exercises by hand and three with a calculator."""
    return [
        exercise
        for by_hand, order in ((True, 2), (False, 4))
        for exercise in exercises("x", (topic,), 3, kinds=(kind,), by_hand=by_hand, max_order=order)
    ]


def blank_names(steps):
    """Return the names of all blanks, in order."""
    names = []
    for step in steps:
        for block in step.blocks:
            spans = block.spans if isinstance(block, Paragraph) else ()
            rows = (*block.rows, block.foot) if isinstance(block, Table) else ()
            cells = (cell for row in rows if row for cell in row.cells)
            names += [item.name for item in (*spans, *cells) if isinstance(item, Blank)]
    return names


def solution_text(exercise):
    return text.worksheet(worksheet([exercise], solutions=True))


@pytest.mark.parametrize(("topic", "kind"), TOPICS_AND_KINDS)
def test_document_is_the_derivation_of_the_first_texts(topic, kind):
    for exercise in sample_exercises(topic, kind):
        if len(exercise.hypotheses) == 1 or kind == "order":
            derivation = derive(exercise.hypotheses[0], exercise.references[0], exercise.settings)
            assert exercise_document(exercise) == explain(derivation)


@pytest.mark.parametrize(("topic", "kind"), TOPICS_AND_KINDS)
def test_exercise_has_a_blank_for_each_field_and_solution_has_the_answers(topic, kind):
    for exercise in sample_exercises(topic, kind):
        names = blank_names([exercise_step(exercise)])
        assert len(set(names)) == len(names)
        assert not blank_names([solution_step(exercise)])
        if kind != "mark":
            assert {f"{exercise.number + 1}.{name}" for name in exercise.names} <= set(names)
            solution = solution_text(exercise)
            assert all(answer in solution for answer in answer_key(exercise).values())


@pytest.mark.parametrize(("topic", "kind"), TOPICS_AND_KINDS)
def test_exercise_does_not_reveal_the_answer(topic, kind):
    for exercise in sample_exercises(topic, kind):
        content = text.worksheet(worksheet([exercise]))
        assert not any(sign in content for sign in "✓✂✗")
        if exercise.is_calculation:
            after_first_blank = content.split("____", 1)[1]
            assert not any(digit in after_first_blank for digit in "56789"), content


def test_rows_of_a_masked_table_have_no_visible_kind():
    blanks = {name: Blank(name, name, "") for name in ("matched-1", "total-1", "p-1")}
    document = explain(derive("the the cat", ["the cat"], max_order=1))
    table, _ = masked_blocks(document, blanks, rows=True)
    assert [row.kind for row in table.rows] == ["clipped", "credited"]
    assert [row.visible_kind for row in table.rows] == ["", ""]
    assert fill_answers(table) in document.steps[1].blocks


def test_blanks_of_a_worksheet_have_distinct_names():
    names = blank_names(worksheet(exercises("w", count=14)).steps)
    assert len(set(names)) == len(names) > 14


def test_worksheet_has_a_name_line_but_its_solutions_have_none():
    chosen = exercises("w", count=2)
    assert "Name: ____" in text.worksheet(worksheet(chosen, name_line=True))
    assert "Name" not in text.worksheet(worksheet(chosen, name_line=True, solutions=True))


def test_solution_of_a_choice_lists_the_options_and_the_answer():
    for exercise in sample_exercises("clipping", "bet"):
        solution = solution_text(exercise)
        [field] = exercise.fields
        choices = solution.partition("The choices: ")[2].partition(".\n")[0].split(" · ")
        assert choices == list(field.options)
        assert f"Answer: {answer_key(exercise)[field.name]}." in solution
        wrong_answers = solution.partition("how to respond:")[2]
        assert wrong_answers
        for line in wrong_answers.split("\n\n")[1:]:
            assert line.strip().partition(": You")[0] in field.options


def test_solution_of_a_ranking_has_the_scores():
    for exercise in sample_exercises("brevity", "order"):
        solution = solution_text(exercise)
        for letter, hypothesis, references in zip(
            "ABC", exercise.hypotheses, exercise.references, strict=True
        ):
            score = derive(hypothesis, references, exercise.settings).score.value
            assert f"{letter}: “{hypothesis}”" in solution
            assert f"{100 * score:.2f}" in solution


def test_ngrams_of_a_hint_have_the_direction_of_the_text():
    exercise = sample_exercises("clipping", "step")[0]
    texts = {"hypotheses": ("שלום GPT-4 GPT-4",), "references": (("שלום GPT-4",),)}
    exercise = replace(exercise, task=replace(exercise.task, **texts))
    hint = hint_spans(exercise, worked_example(exercise, "matched-1"))
    assert hint[1] == Quote("GPT-4", Writing("rtl", "he"))


def test_solution_of_a_text_to_write_is_an_example():
    for exercise in sample_exercises("brevity", "make"):
        assert "For example: " in solution_text(exercise)


def test_solution_of_a_wrong_computation_says_they_not_you():
    for exercise in sample_exercises("clipping", "mistake"):
        assert "The mistake: They " in solution_text(exercise)


@pytest.mark.parametrize(("topic", "kind"), TOPICS_AND_KINDS)
def test_solution_lists_at_most_five_mistakes_none_of_which_is_right(topic, kind):
    for exercise in sample_exercises(topic, kind):
        listed = solution_text(exercise).partition("Common mistakes and how to respond:")[2]
        lines = [line for line in map(str.strip, listed.split("\n\n")) if line]
        assert len(lines) <= 5
        if not exercise.is_calculation:
            continue
        right = {quantity_label(name): value for name, value in right_values(exercise).items()}
        assert lines
        for line in lines:
            answers = line.partition(": You")[0]
            for label, number in re.findall(r"([^,=]+) = ([^,]+)", answers):
                assert re.fullmatch(r"\d+|\d+\.\d{4}", number)
                # Two values may agree to four digits, but then they differ in others.
                assert abs(float(number) - float(right[label.strip()])) > 1e-5


def right_values(exercise):
    """Return the right values of an exercise by the name of the field."""
    return calculate_all(exercise.task, exercise.names, given=exercise.given_values)


def test_right_score_that_is_written_in_another_way_is_no_mistake():
    """0.4230 is √(5/21) · exp(−1/7), the right answer, whatever a misconception changes."""
    for seed in range(25):
        [exercise] = exercises(f"{seed}", ("whole",), 1, kinds=("whole",))
        right = right_values(exercise)
        for name in exercise.misconceptions:
            assert all(
                abs(float(parse_number(text).value) - float(right[field])) > 1e-6
                for field, text in wrong_answers(exercise, name).items()
            )


@pytest.mark.host
def test_solution_says_what_nltk_counts_in_segments_without_an_ngram():
    bleu_score = pytest.importorskip("nltk.translate.bleu_score")
    notes = 0
    for n in (2, 3, 4):
        for exercise in exercises("short", ("corpus",), 8, max_order=n, kinds=("corpus",)):
            lengths = [len(text.split()) for text in exercise.hypotheses]
            solution = " ".join(solution_text(exercise).split())
            assert ("NLTK counts max(1, c − n + 1)" in solution) == (min(lengths) < n)
            for total, order in re.findall(r"(\d+) for the (\d)-grams", solution):
                counted = (
                    bleu_score.modified_precision(
                        [text.split() for text in references], hypothesis.split(), int(order)
                    ).denominator
                    for hypothesis, references in zip(
                        exercise.hypotheses, exercise.references, strict=True
                    )
                )
                ours = sum(max(0, length - int(order) + 1) for length in lengths)
                assert sum(counted) == int(total) > ours
                notes += 1
    assert notes > 5
