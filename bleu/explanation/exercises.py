"""Exercises as documents, with blanks or solved, and as quiz questions, one for each field."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from bleu.core.api import derive
from bleu.core.ngrams import match
from bleu.corpus.corpus import derive_corpus
from bleu.document import blocks as doc
from bleu.document.quiz import QuizAnswer, QuizQuestion
from bleu.document.writing import writing_of
from bleu.explanation import explain
from bleu.explanation.masking import SYMBOLS, fill_answers, masked_blocks, quantity_symbol
from bleu.explanation.phrases import english_list
from bleu.learn.exercise import Exercise, Field, quantity_label
from bleu.learn.grading import answer_key, worked_example, wrong_answers, wrong_values
from bleu.learn.hand_calculation import (
    CORRECT,
    WORDS,
    HandCalculation,
    Value,
    calculate_all,
    split_tokens,
)
from bleu.learn.kinds import KINDS
from bleu.learn.kinds.calculation import worked_exercise
from bleu.learn.kinds.order import compared_ngrams_text
from bleu.learn.misconceptions import MISCONCEPTIONS, feedback
from bleu.learn.number_input import format_number, parse_number

TOPIC_TITLES: Final = {
    "tokens": "Tokens",
    "clipping": "Clipping",
    "precision": "Precision",
    "combination": "Combining the precisions",
    "brevity": "Brevity penalty",
    "corpus": "A corpus",
    "whole": "BLEU from start to end",
    "trust": "When to trust BLEU",
}
"""The titles of the topics."""

MAX_MISTAKES: Final = 5
"""The largest number of mistakes in a solution."""
_FREQUENT_MISTAKES: Final = (
    *("no-clipping", "no-penalty", "recall", "arithmetic-mean", "penalty-upside-down"),
    *("c-for-every-order", "zeros-skipped", "no-root", "penalty-ratio", "mean-of-scores"),
)
"""The mistakes to expect first, whatever an exercise targets."""


def exercise_document(exercise: Exercise) -> doc.Document:
    """Return the derivation of an exercise's texts as a document without blanks.

    For translations to rank, it is the derivation of the first.
    """
    task, settings = exercise.task, exercise.settings
    if len(task.hypotheses) > 1 and "order" not in exercise.names:
        return explain(derive_corpus(task.hypotheses, task.references, settings))
    return explain(derive(task.hypotheses[0], task.references[0], settings))


def exercise_step(exercise: Exercise) -> doc.Step:
    """Return an exercise as a step: the prompt, the texts and the blanks.

    The name of a blank is the 1-based number of the exercise, a dot, and the name of the field.

    >>> from bleu.learn.generation import exercises
    >>> exercise_step(exercises("7k2q", ("brevity",), 1, kinds=("step",))[0]).title
    '1. Brevity penalty'
    """
    blocks = (
        doc.paragraph(*prompt_spans(exercise)),
        *exercise_texts(exercise),
        *_questions(exercise),
    )
    return doc.Step(f"exercise-{exercise.number + 1}", _title(exercise), blocks)


def solution_step(exercise: Exercise) -> doc.Step:
    """Return the solution of an exercise as a step, with the wrong answers of typical mistakes."""
    question = (doc.paragraph(*prompt_spans(exercise)), *exercise_texts(exercise))
    blocks = (*question, *solution_blocks(exercise), *_mistakes(exercise))
    return doc.Step(f"solution-{exercise.number + 1}", _title(exercise), blocks)


def solution_blocks(exercise: Exercise) -> list[doc.Block]:
    """Return the answers to an exercise, and how they are worked out."""
    blocks: list[doc.Block] = []
    field = exercise.fields[0]
    answer = answer_key(exercise)[field.name]
    if exercise.is_choice and field.name not in {"line", "order"}:
        blocks.append(doc.paragraph("The choices: ", " · ".join(field.options), "."))
        blocks.append(doc.paragraph("Answer: ", doc.Strong(answer), "."))
    elif field.name == "text":
        blocks.append(doc.paragraph("For example: ", doc.Quote(answer, writing_of(answer))))
    else:
        blocks += map(fill_answers, _questions(exercise, solved=True))
    if field.name == "order":
        blocks.append(ranking_table(exercise))
    if field.is_quantity:
        blocks += _workings(exercise)
        blocks += _short_segment_notes(exercise)
    return blocks


def ranking_table(exercise: Exercise) -> doc.Table:
    """Return a table of the scores of the translations to rank, best first."""
    n = exercise.max_order
    scored = [
        (derive(hypothesis, references, exercise.settings).score.value, f"{letter}: “{hypothesis}”")
        for letter, hypothesis, references in zip(
            "ABC", exercise.hypotheses, exercise.references, strict=False
        )
    ]
    ranking = sorted(scored, key=lambda item: -item[0])
    rows = tuple(doc.Row((label, doc.Score100(score))) for score, label in ranking)
    title = f"As BLEU-{n} ranks them, by {compared_ngrams_text(n)}"
    return doc.Table("ranking", title, ("Translation", f"BLEU-{n}, 0–100"), rows)


def worksheet(
    exercises: Sequence[Exercise],
    *,
    solutions: bool = False,
    heading: str = "",
    name_line: bool = False,
) -> doc.Worksheet:
    """Return exercises or their solutions as a worksheet.

    `heading` replaces "exercises" in the title. `name_line` adds a line for the learner's name,
    except to solutions.
    """
    title = f"BLEU: {heading or 'exercises'}{', solutions' if solutions else ''}"
    intro = [doc.paragraph(_introduction_text(exercises))]
    if name_line and not solutions:
        intro.insert(0, doc.paragraph("Name: ", doc.Blank("name", "your name", "")))
    steps = map(solution_step if solutions else exercise_step, exercises)
    return doc.Worksheet(title, tuple(intro), tuple(steps))


def tokenization_text(exercises: Sequence[Exercise]) -> str:
    """Return how the texts of exercises are tokenized, as a clause without a full stop."""
    tokenizers = {exercise.task.tokenizer for exercise in exercises}
    split = (
        "Texts are split at white space only"
        if tokenizers == {WORDS}
        else "Texts are split at white space, and each punctuation mark is a token of its own"
    )
    return f"{split}; capital and small letters differ"


def rules_text(exercises: Sequence[Exercise]) -> str:
    """Return the rules of all exercises: tokenization, no smoothing, and the terms used."""
    return (
        f"{tokenization_text(exercises)}; nothing is smoothed. An n-gram is n tokens in "
        "a row; those that count as matches are called credited."
    )


def _introduction_text(exercises: Sequence[Exercise]) -> str:
    roots = " Fractions, roots and powers of e may stay as they are: 3/4, √(3/8), exp(−1/5)."
    decimals = " Give decimals with at least two digits after the point."
    by_hand = any(exercise.by_hand for exercise in exercises)
    return rules_text(exercises) + (roots if by_hand else decimals)


def _title(exercise: Exercise) -> str:
    return f"{exercise.number + 1}. {TOPIC_TITLES[exercise.topic]}"


def prompt_spans(exercise: Exercise) -> Iterator[doc.Span]:
    """Yield the spans of the prompt."""
    for index, part in enumerate(re.split("[{}]", KINDS[exercise.kind].prompt(exercise))):
        if index % 2:
            yield quantity_symbol(part)
        elif part:
            yield part


def exercise_texts(exercise: Exercise) -> list[doc.Block]:
    """Return the texts before tokenization, or [] if the exercise shows none."""
    if exercise.given or exercise.topic == "trust":
        return []
    task, blocks = exercise.task, list[doc.Block]()
    is_ranking = "order" in exercise.names
    count = len(task.hypotheses)
    for i, (hypothesis, references) in enumerate(
        zip(task.hypotheses, task.references, strict=True)
    ):
        label = f"Translation {'ABC'[i]}: " if is_ranking else "Candidate: "
        segment = f"Segment {i + 1}. " if count > 1 and not is_ranking else ""
        blocks.append(doc.paragraph(segment, label, doc.Quote(hypothesis, writing_of(hypothesis))))
        if is_ranking and i < count - 1:  # All translations have the same references.
            continue
        for number, reference in enumerate(references, 1):
            label = f"Reference {number}: " if len(references) > 1 else "Reference: "
            blocks.append(
                doc.paragraph(segment, label, doc.Quote(reference, writing_of(reference)))
            )
    return blocks


def _questions(exercise: Exercise, *, solved: bool = False) -> list[doc.Block]:
    """Return the blocks to fill in, mark or choose from.

    `solved` adds the right values to a computation with a mistake.
    """
    if exercise.names == ("words",):
        return [ngrams_to_mark(exercise)]
    blanks = _blanks(exercise)
    if exercise.is_calculation:
        has_rows = exercise.topic == "clipping"
        return [*masked_blocks(exercise_document(exercise), blanks, rows=has_rows)]
    labels = {"text": "Your text: ", "line": "First wrong line: ", "order": "From best to worst: "}
    questions = [doc.paragraph(labels.get(name, ""), blank) for name, blank in blanks.items()]
    if exercise.names == ("line",):
        return [computation_table(exercise, solved=solved), *questions]
    return [*questions]


def ngrams_to_mark(exercise: Exercise) -> doc.MarkableTokens:
    """Return the words or n-grams of the candidate as tokens to mark, with their status."""
    [blank] = _blanks(exercise).values()
    hypothesis, n = exercise.task.hypotheses[0], exercise.marked_order
    derivation = derive(hypothesis, exercise.task.references[0], exercise.settings)
    grams = tuple(map(" ".join, exercise.marked_grams))
    kinds = tuple(match(derivation.hypothesis, derivation.references, n).statuses())
    title = "The candidate, token by token" if n == 1 else f"{n}-grams of the candidate"
    tokens = doc.TokenList(title, grams, kinds=kinds, writing=writing_of(hypothesis))
    return doc.MarkableTokens(blank.name, blank.label, tokens)


def computation_table(exercise: Exercise, *, solved: bool) -> doc.Table:
    """Return a computation with a mistake, line by line; `solved` adds the right values."""
    changes = [exercise.target.change, *([CORRECT] if solved else [])]
    lines = exercise.fields[0].options
    names = [name for name in exercise.task.quantity_names() if quantity_label(name) in lines]
    columns = [calculate_all(exercise.task, names, change) for change in changes]
    rows = tuple(
        doc.Row((quantity_label(name), *(format_number(values[name]) for values in columns)))
        for name in names
    )
    headers = ("Line", "As worked out", "Right")[: 1 + len(columns)]
    return doc.Table("working", "As it was worked out", headers, rows)


def _blanks(exercise: Exercise) -> dict[str, doc.Blank]:
    """Return the blank of each field; irrational answers get a decimal approximation."""
    answers = answer_key(exercise)
    for name, text in answers.items():
        if name in SYMBOLS and set(text) & set("√e") and not exercise.is_choice:
            answers[name] = f"{text} ≈ {float(parse_number(text).value):.4f}"
    return {
        field.name: doc.Blank(
            f"{exercise.number + 1}.{field.name}", field.label, answers[field.name], field.options
        )
        for field in exercise.fields
    }


def _workings(exercise: Exercise) -> Iterator[doc.Block]:
    """Yield a worked example for each field, unless the example only states the answer."""
    exercise = worked_exercise(exercise)
    for field in exercise.fields:
        working = worked_example(exercise, field.name)
        if not working.startswith("The answer is"):
            label = f"{field.label[0].upper()}{field.label[1:]}: "
            yield doc.paragraph(label, *hint_spans(exercise, working))


def _short_segment_notes(exercise: Exercise) -> list[doc.Block]:
    """Return a note on the segments without an n-gram of some order, which NLTK counts as 1."""
    task = exercise.task
    lengths = [len(split_tokens(text, task.tokenizer)) for text in task.hypotheses]
    if len(lengths) == 1 or min(lengths) >= task.max_order:
        return []
    orders = [n for n in range(1, task.max_order + 1) if min(lengths) < n]
    sums = [sum(max(1, length - n + 1) for length in lengths) for n in orders]
    totals = english_list(
        [f"{total} for the {n}-grams" for n, total in zip(orders, sums, strict=True)]
    )
    return [
        doc.note(
            "NLTK counts max(1, c − n + 1) n-grams in each segment, so a segment that is too short "
            f"for any adds 1 to its denominators: {totals}."
        )
    ]


def hint_spans(exercise: Exercise, hint: str) -> list[doc.Span]:
    """Return the spans of a hint, in which quoted n-grams have the direction of the texts."""
    parts = re.split("“([^”]+)”", hint)
    writing = writing_of(exercise.hypotheses[0])
    return [doc.Quote(part, writing) if index % 2 else part for index, part in enumerate(parts)]


def _wrong_answer_text(exercise: Exercise, name: str, answer: str, value: Value | None) -> str:
    """Return a wrong answer; a number that is typed has four decimals unless it is an integer."""
    if value is not None and not exercise.is_choice:
        answer = f"{float(value):.{0 if float(value).is_integer() else 4}f}"
    if name == "words":
        n = exercise.marked_order
        return f"{answer} {'words' if n == 1 else f'{n}-grams'} marked"
    return answer if exercise.is_choice else f"{quantity_label(name)} = {answer}"


def _mistakes(exercise: Exercise) -> list[doc.Block]:
    """Return the typical mistakes with their wrong answers, for a teacher."""
    if exercise.names == ("line",):
        [name] = exercise.misconceptions
        return [
            doc.note(doc.Strong("The mistake:"), f" {MISCONCEPTIONS[name].third_person_sentence}")
        ]
    if exercise.topic == "trust":
        sentence = MISCONCEPTIONS[exercise.detail].sentence
        return [doc.paragraph("Common mistakes and how to respond:"), doc.note(sentence)]
    if exercise.names == ("text",):
        return []
    causes: dict[str, list[str]] = {}
    target, *others = exercise.misconceptions
    others.sort(key=lambda name: (*_FREQUENT_MISTAKES, name).index(name))
    for name in (target, *others):
        values = wrong_values(exercise, name)
        text = ", ".join(
            _wrong_answer_text(exercise, field, answer, values.get(field))
            for field, answer in wrong_answers(exercise, name).items()
        )
        options = exercise.fields[0].options
        if text and (not options or "order" in exercise.names or text in options):
            causes.setdefault(text, []).append(name)
    notes = [doc.note(doc.Strong(text), ": ", feedback(causes[text])) for text in causes]
    return [doc.paragraph("Common mistakes and how to respond:"), *notes[:MAX_MISTAKES]]


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
    ('choice', ['2/3'])
    """
    return [_quiz_question(exercise, field) for exercise in exercises for field in exercise.fields]


def _quiz_question(exercise: Exercise, field: Field) -> QuizQuestion:
    rules = [] if exercise.topic == "trust" else [doc.paragraph(rules_text([exercise]))]
    name = f"BLEU {exercise.seed} {exercise.number + 1}"
    question = QuizQuestion(
        f"{name} {field.name}",
        TOPIC_TITLES[exercise.topic],
        (*rules, doc.paragraph(*prompt_spans(exercise)), *exercise_texts(exercise)),
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
    """Yield the choices, with feedback on the mistakes that lead to wrong choices."""
    right = answer_key(exercise)[field.name]
    feedback = {}
    if field.is_quantity:
        for value, sentence in _wrong_values(exercise, field):
            feedback[format_number(value)] = sentence
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
    found = {name: wrong_values(exercise, name) for name in exercise.misconceptions}
    values = {name: found[name][field.name] for name in found if field.name in found[name]}
    for value in dict.fromkeys(values.values()):
        yield value, feedback([name for name in values if values[name] == value])
