from dataclasses import replace

import pytest

from bleu import derive, explain
from bleu.document.blocks import Blank, Paragraph, SolutionBlock, Table, visible_blocks
from bleu.explanation.exercises import (
    exercise_document,
    exercise_step,
    masked_document,
    solution_step,
    worksheet,
)
from bleu.explanation.masking import iter_blanks, mask, unmask
from bleu.learn.generation import KINDS_BY_TOPIC, exercises
from bleu.learn.grading import answer_key
from bleu.render import text

ALL = [
    pytest.param(topic, kind, id=f"{topic}-{kind}")
    for topic, kinds in KINDS_BY_TOPIC.items()
    for kind in kinds
]


def some(topic, kind):
    """Exercises of a kind, by hand and not."""
    for by_hand in (True, False):
        order = 2 if by_hand else 4
        yield from exercises("x", (topic,), 3, kinds=(kind,), by_hand=by_hand, max_order=order)


@pytest.mark.parametrize(("topic", "kind"), ALL)
def test_filling_the_blanks_with_the_key_gives_back_the_derivation_s_document(topic, kind):
    for exercise in some(topic, kind):
        hidden = masked_document(exercise)
        answers = {blank.name: blank.content for blank in iter_blanks(hidden)}
        assert unmask(hidden, answers) == exercise_document(exercise)
        if exercise.kind == "order":
            continue
        if len(exercise.task.hypotheses) == 1:
            own, others = exercise.task.hypotheses[0], exercise.task.references[0]
            assert exercise_document(exercise) == explain(derive(own, others, exercise.settings))
        if kind in {"step", "whole", "corpus"}:
            assert hidden != exercise_document(exercise)
            assert {f"{exercise.number + 1}.{name}" for name in exercise.names} <= set(answers)


@pytest.mark.parametrize(("topic", "kind"), ALL)
def test_a_question_asks_for_every_field_and_its_solution_tells_it(topic, kind):
    for exercise in some(topic, kind):
        asked, told = exercise_step(exercise), solution_step(exercise)
        names = [blank.name for blank in iter_blanks(_document(asked))]
        assert len(set(names)) == len(names)
        if kind != "mark":
            assert {f"{exercise.number + 1}.{name}" for name in exercise.names} <= set(names)
        assert not list(iter_blanks(_document(told)))
        written = text.worksheet(worksheet([exercise], solutions=True))
        if kind != "mark":
            assert all(answer in written for answer in answer_key(exercise).values())


def _document(step):
    document = explain(derive("a", ["a"], max_order=1))
    return replace(document, steps=(step,))


@pytest.mark.parametrize(
    ("topic", "kind"), [(t, k) for t, kinds in KINDS_BY_TOPIC.items() for k in kinds]
)
def test_a_question_does_not_tell_the_answer(topic, kind):
    for exercise in some(topic, kind):
        shown = text.worksheet(worksheet([exercise]))
        assert not any(sign in shown for sign in "✓✂✗")
        if exercise.kind in {"step", "whole", "corpus"}:
            below = shown.split("____", 1)[1]
            assert not any(digit in below for digit in "56789"), shown


def test_the_rows_of_a_masked_table_have_no_kind_to_see():
    blanks = {name: Blank(name, name, "") for name in ("matched-1", "total-1", "p-1")}
    document = explain(derive("the the cat", ["the cat"], max_order=1))
    hidden = mask(document, blanks, rows=True)
    (table,) = (
        block
        for step in hidden.steps
        for block in visible_blocks(step.blocks)
        if isinstance(block, Table)
    )
    assert [row.kind for row in table.rows] == ["clipped", "credited"]
    assert [row.visible_kind for row in table.rows] == ["", ""]


def test_a_blank_without_an_answer_and_a_mask_over_a_mask_are_refused():
    blanks = {"p-1": Blank("p-1", "p", "1")}
    document = explain(derive("a", ["a"], max_order=1))
    hidden = mask(document, blanks)
    with pytest.raises(KeyError, match="p-1"):
        unmask(hidden, {})
    with pytest.raises(TypeError, match="has blanks already"):
        mask(hidden, blanks)


def test_no_two_blanks_of_a_sheet_have_the_same_name():
    steps = worksheet(exercises("w", count=14)).steps
    names = [blank.name for one in steps for blank in iter_blanks(_document(one))]
    assert len(set(names)) == len(names)


def test_a_worksheet_has_a_line_for_a_name_and_its_solutions_have_none():
    chosen = exercises("w", count=2)
    assert any(isinstance(block, Paragraph) for block in worksheet(chosen, name_line=True).intro)
    assert "Name: ____" in text.worksheet(worksheet(chosen, name_line=True))
    assert "Name" not in text.worksheet(worksheet(chosen, name_line=True, solutions=True))
    assert not any(
        isinstance(block, SolutionBlock) for one in chosen for block in solution_step(one).blocks
    )


@pytest.mark.parametrize(("kind", "topic"), [("bet", "clipping"), ("setting", "tokens")])
def test_a_solution_has_the_choices_and_says_which_is_the_answer(kind, topic):
    for exercise in some(topic, kind):
        said = text.worksheet(worksheet([exercise], solutions=True))
        [asked] = exercise.fields
        choices = said.partition("The choices: ")[2].partition(".\n")[0].split(" · ")
        assert len(choices) == len(asked.options)
        assert all(map(str.startswith, choices, asked.options))
        assert f"Answer: {answer_key(exercise)[asked.name]}." in said
        if kind == "bet":
            wrong = said.partition("what to say to them:")[2]
            assert wrong
            for line in wrong.split("\n\n")[1:]:
                assert line.strip().partition(": You")[0] in asked.options


def test_a_solution_to_a_ranking_has_the_scores():
    for exercise in some("brevity", "order"):
        said = text.worksheet(worksheet([exercise], solutions=True))
        for place, own in enumerate(exercise.hypotheses):
            score = derive(own, exercise.references[place], exercise.settings).score.value
            assert f"{'ABC'[place]}: {own}" in said
            assert f"{100 * score:.2f}" in said


def test_a_text_that_is_made_is_one_of_many():
    for exercise in some("brevity", "make"):
        assert "For example: " in text.worksheet(worksheet([exercise], solutions=True))


def test_a_mistake_in_a_worked_solution_is_somebody_s():
    for exercise in some("clipping", "mistake"):
        assert "The mistake: They " in text.worksheet(worksheet([exercise], solutions=True))
