"""Exercises as documents: the prompt, the blanks, and the solution."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from bleu.core.derivation import derive
from bleu.core.ngrams import match
from bleu.corpus.corpus import derive_corpus
from bleu.document.blocks import (
    Blank,
    Block,
    Document,
    MarkableTokens,
    Quote,
    Row,
    Score100,
    Span,
    Step,
    Strong,
    Table,
    TokenList,
    Worksheet,
    note,
    paragraph,
)
from bleu.document.writing import writing_of
from bleu.explanation import explain
from bleu.explanation.masking import SYMBOLS, fill_answers, masked_blocks, quantity_symbol
from bleu.explanation.phrases import english_list, subscript
from bleu.learn.claims import CLAIMS
from bleu.learn.drafting import values_by_setting, worked_exercise
from bleu.learn.exercise import CALCULATION_KINDS, Exercise, quantity_label
from bleu.learn.goals import GOALS
from bleu.learn.grading import answer_key, wrong_answers
from bleu.learn.hand_calculation import CORRECT, calculate_all
from bleu.learn.hints import worked_example
from bleu.learn.misconceptions import MISCONCEPTIONS
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

_SETTING_PROMPTS: Final = {
    "tokens": (
        "The texts were tokenized in one of these ways, and this came out: ",
        ". Which way was it?",
    ),
    "combination": (
        "BLEU-N of the candidate was worked out for one of these N, and this came out: ",
        ". Which N was it?",
    ),
    "brevity": (
        "The reference length r was chosen in one of these ways, and this came out: ",
        ". Which way was it?",
    ),
}
_PROMPTS: Final = {
    "mistake": "Somebody worked this out as below and got one thing wrong; later lines may be "
    "wrong because of it. Which is the first wrong line?",
    "mark": "Which {noun}s of the candidate are credited in the precision of {marked}-grams? Mark "
    "them. If a {noun} is credited fewer times than it occurs, mark its first occurrences.",
    "order": "Each of these translations is scored by itself with BLEU-{n}, by {compared}. Rank "
    "them from the best to the worst.",
    "totals": "These {segments} segments are a corpus. Work out the denominators of {precisions}, "
    "the numbers of n-grams.",
    **dict.fromkeys(
        ("corpus", "references"),
        "These {segments} segments are a corpus. Work out its BLEU-{n}, on the scale of 0 to 1.",
    ),
    "whole": "Work out BLEU-{n}, line by line, on the scale of 0 to 1.",
    "tokens": "Split the texts into tokens, and work out the precision of single tokens.",
    "clipping": "Work out the precision of {orders}, n-gram by n-gram.",
    "precision": "Work out the modified precision of the candidate for {orders}.",
    "brevity": "Work out the length c of the candidate, the reference length r, and the brevity "
    "penalty BP.",
}
"""Templates of prompts by the kind of exercise or, for the kind `step`, by topic."""
_POWERS: Final = (
    " Roughly, exp(−1/7) is 0.87, exp(−1/6) 0.85, exp(−1/5) 0.82, exp(−1/4) 0.78, exp(−1/3) 0.72, "
    "and exp(−1/2) 0.61."
)
"""Values of exp for learners without a calculator."""


def exercise_document(exercise: Exercise) -> Document:
    """Return the derivation of an exercise's texts as a document without blanks.

    For translations to rank, it is the derivation of the first.
    """
    task, settings = exercise.task, exercise.settings
    if len(task.hypotheses) > 1 and exercise.kind != "order":
        return explain(derive_corpus(task.hypotheses, task.references, settings))
    return explain(derive(task.hypotheses[0], task.references[0], settings))


def exercise_step(exercise: Exercise) -> Step:
    """Return an exercise as a step: the prompt, the texts and the blanks.

    The name of a blank is the 1-based number of the exercise, a dot, and the name of the field.

    >>> from bleu.learn.generation import exercises
    >>> exercise_step(exercises("7k2q", ("brevity",), 1, kinds=("step",))[0]).title
    '1. Brevity penalty'
    """
    blocks = (paragraph(*prompt_spans(exercise)), *exercise_texts(exercise), *_questions(exercise))
    return Step(f"exercise-{exercise.number + 1}", _title(exercise), blocks)


def solution_step(exercise: Exercise) -> Step:
    """Return the solution of an exercise as a step, with the wrong answers of typical mistakes."""
    blocks: list[Block] = [paragraph(*prompt_spans(exercise)), *exercise_texts(exercise)]
    field = exercise.fields[0]
    answer = answer_key(exercise)[field.name]
    if exercise.kind in {"bet", "setting", "claim"}:
        choices = field.options
        if exercise.kind == "setting":
            values = values_by_setting(exercise.topic, exercise.task)
            choices = tuple(f"{name} ({format_number(values[name])})" for name in choices)
        blocks.append(paragraph("The choices: ", " · ".join(choices), "."))
        blocks.append(paragraph("Answer: ", Strong(answer), "."))
    elif exercise.kind == "make":
        blocks.append(paragraph("For example: ", Quote(answer, writing_of(answer))))
    else:
        blocks += map(fill_answers, _questions(exercise, solved=True))
    if exercise.kind == "order":
        blocks.append(ranking_table(exercise))
    if exercise.kind in CALCULATION_KINDS | {"bet"}:
        blocks += _workings(exercise)
    blocks += _mistakes(exercise)
    return Step(f"solution-{exercise.number + 1}", _title(exercise), tuple(blocks))


def ranking_table(exercise: Exercise) -> Table:
    """Return a table of the scores of the translations to rank, best first."""
    n = exercise.max_order
    scored = [
        (derive(hypothesis, references, exercise.settings).score.value, f"{letter}: “{hypothesis}”")
        for letter, hypothesis, references in zip(
            "ABC", exercise.hypotheses, exercise.references, strict=True
        )
    ]
    ranking = sorted(scored, key=lambda item: -item[0])
    rows = tuple(Row((label, Score100(score))) for score, label in ranking)
    title = f"As BLEU-{n} ranks them, by {compared_ngrams_text(n)}"
    return Table("ranking", title, ("Translation", f"BLEU-{n}, 0–100"), rows)


def worksheet(
    exercises: Sequence[Exercise],
    *,
    solutions: bool = False,
    heading: str = "",
    name_line: bool = False,
) -> Worksheet:
    """Return exercises or their solutions as a worksheet.

    `heading` replaces "exercises" in the title. `name_line` adds a line for the learner's name,
    except to solutions.
    """
    title = f"BLEU: {heading or 'exercises'}{', solutions' if solutions else ''}"
    intro = [paragraph(_introduction_text(exercises))]
    if name_line and not solutions:
        intro.insert(0, paragraph("Name: ", Blank("name", "your name", "")))
    steps = map(solution_step if solutions else exercise_step, exercises)
    return Worksheet(title, tuple(intro), tuple(steps))


def tokenization_text(exercises: Sequence[Exercise]) -> str:
    """Return how the texts of exercises are tokenized, as a clause without a full stop."""
    tokenizers = {exercise.task.tokenizer for exercise in exercises}
    split = (
        "Texts are split at white space only"
        if tokenizers == {"whitespace"}
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


def prompt_spans(exercise: Exercise) -> Iterator[Span]:
    """Yield the spans of the prompt."""
    n = exercise.task.max_order
    match exercise.kind:
        case "bet":
            yield from _bet_prompt(exercise)
        case "make":
            yield GOALS[exercise.detail].instruction.replace("BLEU", f"BLEU-{n}")
        case "setting":
            before, after = _SETTING_PROMPTS[exercise.topic]
            yield from (before, Strong(exercise.detail), after)
        case "claim":
            yield CLAIMS[exercise.detail].question
        case "step" if exercise.topic == "combination":
            yield "A text has "
            yield from _given_quantities(exercise, "")
            yield f". Work out the geometric mean GM and BLEU-{n}."
        case kind:
            yield _PROMPTS[exercise.topic if kind == "step" else kind].format(
                n=n,
                marked=exercise.marked_order,
                noun="word" if exercise.marked_order == 1 else f"{exercise.marked_order}-gram",
                segments=_segment_count_text(exercise),
                compared=compared_ngrams_text(n),
                orders=english_list([f"{order}-grams" for order in range(1, n + 1)]),
                precisions=english_list([f"p{subscript(order)}" for order in range(1, n + 1)]),
            )
            if kind == "order" and exercise.by_hand and exercise.topic == "brevity":
                yield _POWERS


def _bet_prompt(exercise: Exercise) -> Iterator[Span]:
    name, n = exercise.fields[0].name, exercise.task.max_order
    if name == "gm":
        yield "Which number does BLEU make"
        yield from _given_quantities(exercise, " of ", without="bp")
        yield ", before the brevity penalty?"
        return
    label = quantity_label(name).replace("BLEU", f"BLEU-{n} score")
    if name.startswith("total"):
        label = f"denominator of p{subscript(n)}, the number of {n}-grams"
    yield f"What is the {label}"
    if exercise.topic == "corpus":
        yield f" of these {_segment_count_text(exercise)} segments, taken together as a corpus"
    yield from _given_quantities(exercise, " for ")
    yield "?"


def _segment_count_text(exercise: Exercise) -> str:
    return {2: "two", 3: "three"}.get(len(exercise.hypotheses), "")


def compared_ngrams_text(max_order: int) -> str:
    """Return the n-grams that BLEU-N compares, described without the term n-gram.

    >>> compared_ngrams_text(2), compared_ngrams_text(4)
    ('single words and pairs of words', '1 to 4 words in a row')
    """
    if max_order == 2:
        return "single words and pairs of words"
    return f"1 to {max_order} words in a row"


def _given_quantities(exercise: Exercise, prefix: str, *, without: str = "") -> Iterator[Span]:
    """Yield a prefix and the given quantities except `without`, or nothing if none is given."""
    given = [item for item in exercise.given_values.items() if item[0] != without]
    for index, (name, value) in enumerate(given):
        yield prefix if index == 0 else " and " if index == len(given) - 1 else ", "
        yield quantity_symbol(name)
        yield f" = {format_number(value)}"


def exercise_texts(exercise: Exercise) -> list[Block]:
    """Return the texts before tokenization, or [] if the exercise shows none."""
    if exercise.given or exercise.kind == "claim":
        return []
    task, blocks = exercise.task, list[Block]()
    is_ranking = exercise.kind == "order"
    count = len(task.hypotheses)
    for i, (hypothesis, references) in enumerate(
        zip(task.hypotheses, task.references, strict=True)
    ):
        label = f"Translation {'ABC'[i]}: " if is_ranking else "Candidate: "
        segment = f"Segment {i + 1}. " if count > 1 and not is_ranking else ""
        blocks.append(paragraph(segment, label, Quote(hypothesis, writing_of(hypothesis))))
        if is_ranking and i < count - 1:  # All translations have the same references.
            continue
        for number, reference in enumerate(references, 1):
            label = f"Reference {number}: " if len(references) > 1 else "Reference: "
            blocks.append(paragraph(segment, label, Quote(reference, writing_of(reference))))
    return blocks


def _questions(exercise: Exercise, *, solved: bool = False) -> list[Block]:
    """Return the blocks to fill in, mark or choose from.

    `solved` adds the right values to a computation with a mistake.
    """
    if exercise.kind == "mark":
        return [ngrams_to_mark(exercise)]
    blanks = _blanks(exercise)
    if exercise.kind in CALCULATION_KINDS:
        has_rows = exercise.kind == "step" and exercise.topic == "clipping"
        return [*masked_blocks(exercise_document(exercise), blanks, rows=has_rows)]
    labels = {"text": "Your text: ", "line": "First wrong line: ", "order": "From best to worst: "}
    questions = [paragraph(labels.get(name, ""), blank) for name, blank in blanks.items()]
    if exercise.kind == "mistake":
        return [computation_table(exercise, solved=solved), *questions]
    return [*questions]


def ngrams_to_mark(exercise: Exercise) -> MarkableTokens:
    """Return the words or n-grams of the candidate as tokens to mark, with their status."""
    [blank] = _blanks(exercise).values()
    hypothesis, n = exercise.task.hypotheses[0], exercise.marked_order
    derivation = derive(hypothesis, exercise.task.references[0], exercise.settings)
    grams = tuple(map(" ".join, exercise.marked_grams))
    kinds = tuple(match(derivation.hypothesis, derivation.references, n).statuses())
    title = "The candidate, token by token" if n == 1 else f"{n}-grams of the candidate"
    tokens = TokenList(title, grams, kinds=kinds, writing=writing_of(hypothesis))
    return MarkableTokens(blank.name, blank.label, tokens)


def computation_table(exercise: Exercise, *, solved: bool) -> Table:
    """Return a computation with a mistake, line by line; `solved` adds the right values."""
    methods = [exercise.target.method, *([CORRECT] if solved else [])]
    lines = exercise.fields[0].options
    names = [name for name in exercise.task.quantity_names() if quantity_label(name) in lines]
    columns = [calculate_all(exercise.task, names, method) for method in methods]
    rows = tuple(
        Row((quantity_label(name), *(format_number(values[name]) for values in columns)))
        for name in names
    )
    headers = ("Line", "As worked out", "Right")[: 1 + len(columns)]
    return Table("working", "As it was worked out", headers, rows)


def _blanks(exercise: Exercise) -> dict[str, Blank]:
    """Return the blank of each field; irrational answers get a decimal approximation."""
    answers = answer_key(exercise)
    for name, text in answers.items():
        if name in SYMBOLS and set(text) & set("√e") and exercise.kind != "bet":
            answers[name] = f"{text} ≈ {float(parse_number(text).value):.4f}"
    return {
        field.name: Blank(
            f"{exercise.number + 1}.{field.name}", field.label, answers[field.name], field.options
        )
        for field in exercise.fields
    }


def _workings(exercise: Exercise) -> Iterator[Block]:
    """Yield a worked example for each field, unless the example only states the answer."""
    exercise = worked_exercise(exercise)
    for field in exercise.fields:
        working = worked_example(exercise, field.name)
        if not working.startswith("The answer is"):
            label = f"{field.label[0].upper()}{field.label[1:]}: "
            yield paragraph(label, *hint_spans(exercise, working))


def hint_spans(exercise: Exercise, hint: str) -> list[Span]:
    """Return the spans of a hint, in which quoted n-grams have the direction of the texts."""
    parts = re.split("“([^”]+)”", hint)
    writing = writing_of(exercise.hypotheses[0])
    return [Quote(part, writing) if index % 2 else part for index, part in enumerate(parts)]


def _wrong_answer_text(exercise: Exercise, name: str, answer: str) -> str:
    if name == "words":
        n = exercise.marked_order
        return f"{answer} {'words' if n == 1 else f'{n}-grams'} marked"
    return answer if exercise.kind in {"bet", "order"} else f"{quantity_label(name)} = {answer}"


def _mistakes(exercise: Exercise) -> list[Block]:
    """Return the typical mistakes with their wrong answers, for a teacher."""
    if exercise.kind == "mistake":
        [name] = exercise.misconceptions
        return [note(Strong("The mistake:"), f" {MISCONCEPTIONS[name].third_person_sentence}")]
    if exercise.kind == "claim":
        sentence = MISCONCEPTIONS[exercise.detail].sentence
        return [paragraph("Common mistakes and how to respond:"), note(sentence)]
    if exercise.kind in {"setting", "make"}:
        return []
    notes: list[Block] = []
    for name in exercise.misconceptions:
        answers = wrong_answers(exercise, name)
        text = ", ".join(_wrong_answer_text(exercise, *answer) for answer in answers.items())
        if exercise.kind != "bet" or text in exercise.fields[0].options:
            notes.append(note(Strong(text), ": ", MISCONCEPTIONS[name].sentence))
    return [paragraph("Common mistakes and how to respond:"), *notes]
