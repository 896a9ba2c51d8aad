"""Exercises in words: what is asked, what is filled in, and the solution, from one document."""

from collections.abc import Iterator, Sequence
from typing import Final

from bleu.core.api import segment_statistics
from bleu.core.derivation import derive
from bleu.corpus.corpus import corpus_from_segments
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
    VisibleBlock,
    Worksheet,
    note,
    paragraph,
    visible_blocks,
)
from bleu.explanation import explain
from bleu.explanation.corpus import explain_corpus
from bleu.explanation.masking import SYMBOLS, fill_answers, mask, quantity_symbol
from bleu.explanation.phrases import english_list
from bleu.learn.drafting import values_by_setting
from bleu.learn.exercise import Exercise, quantity_label
from bleu.learn.goals import GOALS
from bleu.learn.grading import answer_key, typical_wrong_answers
from bleu.learn.hand_calculation import CORRECT, calculate_all
from bleu.learn.misconceptions import MISCONCEPTIONS
from bleu.learn.number_input import format_number, parse_number

TITLES: Final = {
    "tokens": "Tokens",
    "clipping": "Clipping",
    "precision": "Precision",
    "combination": "Combining the precisions",
    "brevity": "Brevity penalty",
    "corpus": "A corpus",
    "whole": "BLEU from start to end",
}
"""What the topics are called."""

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
_POWERS: Final = (
    " Roughly, exp(−1/7) is 0.87, exp(−1/6) 0.85, exp(−1/5) 0.82, exp(−1/4) 0.78, exp(−1/3) 0.72, "
    "and exp(−1/2) 0.61."
)
"""Powers of e for those who have no calculator."""

_CHOICE_ONLY_KINDS: Final = frozenset({"bet", "setting"})
"""The kinds that are asked by their choices alone, with no words before them."""
_MASKED_KINDS: Final = frozenset({"step", "whole", "corpus", "bet", "mark"})
_QUANTITY_KINDS: Final = frozenset({"step", "whole", "corpus", "bet"})


def exercise_document(exercise: Exercise) -> Document:
    """The document of an exercise's texts, without blanks: what `explain` says of them.

    Of translations to rank, it is that of the first.
    """
    task, settings = exercise.task, exercise.settings
    if len(task.hypotheses) > 1 and exercise.kind != "order":
        parts = [
            segment_statistics(own, others, settings)
            for own, others in zip(task.hypotheses, task.references, strict=True)
        ]
        return explain_corpus(
            corpus_from_segments(parts, settings, references=len(task.references[0]))
        )
    return explain(derive(task.hypotheses[0], task.references[0], settings))


def masked_document(exercise: Exercise) -> Document:
    """The same with blanks for what is asked; all else that would tell is held back."""
    return mask(exercise_document(exercise), _blanks(exercise), rows=_has_rows(exercise))


def exercise_step(exercise: Exercise) -> Step:
    """An exercise as a step: what to do, the texts, and blanks.

    The name of a blank is the exercise's number, a point, and the name of the field.

    >>> from bleu.learn.generation import exercises
    >>> exercise_step(exercises("7k2q", ("brevity",), 1, kinds=("step",))[0]).title
    '1. Brevity penalty'
    """
    blocks = (paragraph(*_prompt(exercise)), *_texts(exercise), *_questions(exercise))
    return Step(f"exercise-{exercise.number + 1}", _title(exercise), blocks)


def solution_step(exercise: Exercise) -> Step:
    """The same with the blanks filled in, and what typical mistakes give instead."""
    blocks: list[Block] = [paragraph(*_prompt(exercise)), *_texts(exercise)]
    asked = exercise.fields[0]
    if exercise.kind in _CHOICE_ONLY_KINDS:
        choices = asked.options
        if exercise.kind == "setting":
            given = values_by_setting(exercise.topic, exercise.task)
            choices = tuple(f"{name} ({format_number(given[name])})" for name in choices)
        blocks += [
            paragraph("The choices: ", " · ".join(choices), "."),
            paragraph("Answer: ", Strong(answer_key(exercise)[asked.name]), "."),
        ]
    elif exercise.kind == "make":
        blocks.append(paragraph("For example: ", Quote(answer_key(exercise)[asked.name])))
    elif exercise.kind == "order":
        blocks += [*map(fill_answers, _questions(exercise, solved=True)), ranking_table(exercise)]
    else:
        blocks += map(fill_answers, _questions(exercise, solved=True))
    blocks += _mistakes(exercise)
    return Step(f"solution-{exercise.number + 1}", _title(exercise), tuple(blocks))


def ranking_table(exercise: Exercise) -> Table:
    """The score of each of the translations to rank, best first."""
    scores = [
        derive(own, others, exercise.settings).score.value
        for own, others in zip(exercise.hypotheses, exercise.references, strict=True)
    ]
    best = sorted(range(len(scores)), key=lambda at: -scores[at])
    lines = tuple(
        Row((f"{'ABC'[at]}: {exercise.hypotheses[at]}", Score100(scores[at]))) for at in best
    )
    title = (
        f"As BLEU-{exercise.max_order} ranks them, by {compared_ngrams_text(exercise.max_order)}"
    )
    headers = ("Translation", f"BLEU-{exercise.max_order}, 0–100")
    return Table("ranking", title, headers, lines)


def worksheet(
    exercises: Sequence[Exercise],
    *,
    solutions: bool = False,
    heading: str = "",
    name_line: bool = False,
) -> Worksheet:
    """Exercises, or their solutions, as a sheet; `named` gives it a line for a name."""
    title = f"BLEU: {heading or 'exercises'}{', solutions' if solutions else ''}"
    name = (
        [paragraph("Name: ", Blank("name", "your name", ""))] if name_line and not solutions else []
    )
    steps = tuple((solution_step if solutions else exercise_step)(one) for one in exercises)
    return Worksheet(title, (*name, paragraph(_rules(exercises))), steps)


def tokenization_text(exercises: Sequence[Exercise]) -> str:
    """How the texts of exercises become tokens, in words that a sentence can begin with."""
    known = {one.task.tokenizer for one in exercises}
    split = (
        "Texts are split at white space only"
        if known == {"whitespace"}
        else "Texts are split at white space, and each punctuation mark is a token of its own"
    )
    return f"{split}; capital and small letters differ"


def _rules(exercises: Sequence[Exercise]) -> str:
    roots = " Fractions, roots and powers of e may be left standing: 3/4, √(3/8), exp(−1/5)."
    decimals = " Give decimals with at least two digits after the point."
    return (
        f"{tokenization_text(exercises)}; nothing is smoothed. An n-gram is n tokens in "
        "a row; those that count as matches are called credited."
        + (roots if any(one.by_hand for one in exercises) else decimals)
    )


def _title(exercise: Exercise) -> str:
    return f"{exercise.number + 1}. {TITLES[exercise.topic]}"


def _prompt(exercise: Exercise) -> Iterator[Span]:
    """What to do, in a sentence or two."""
    n = exercise.task.max_order
    match exercise.kind:
        case "bet":
            asked = exercise.fields[0].name
            yield f"What is the {quantity_label(asked)}".replace("BLEU", f"BLEU-{n} score")
            if exercise.topic == "corpus":
                yield " of these two segments, taken together as a corpus"
            if asked == "gm":
                yield from _given_quantities(exercise, " of ", but="bp")
            else:
                yield from _given_quantities(exercise, " for ")
            yield "?"
        case "mark":
            order = exercise.marked_order
            one, many = ("word", "words") if order == 1 else (f"{order}-gram", f"{order}-grams")
            yield f"Which {many} of the candidate are credited in the precision of "
            yield f"{order}-grams? Mark them. If a {one} is credited fewer times than it occurs, "
            yield "mark its first occurrences."
        case "mistake":
            yield "Somebody worked this out as below and got one thing wrong; later lines may be "
            yield "wrong because of it. Which is the first wrong line?"
        case "make":
            yield GOALS[exercise.detail].instruction.replace("BLEU", f"BLEU-{n}")
        case "setting":
            yield _SETTING_PROMPTS[exercise.topic][0]
            yield Strong(exercise.detail)
            yield _SETTING_PROMPTS[exercise.topic][1]
        case "order":
            yield f"Each of these translations is scored by itself with BLEU-{n}, by "
            yield f"{compared_ngrams_text(n)}. Rank them from the best to the worst."
            if exercise.by_hand and exercise.topic == "brevity":
                yield _POWERS
        case "corpus":
            yield f"These two segments are a corpus. Work out its BLEU-{n}, on the scale of 0 to 1."
        case "whole":
            yield f"Work out BLEU-{n}, line by line, on the scale of 0 to 1."
        case _:
            yield from _step_prompt(exercise)


def compared_ngrams_text(max_order: int) -> str:
    """What BLEU-N compares, for those who have not heard of n-grams yet.

    >>> compared_ngrams_text(2), compared_ngrams_text(4)
    ('single words and pairs of words', '1 to 4 words in a row')
    """
    return (
        "single words and pairs of words" if max_order == 2 else f"1 to {max_order} words in a row"
    )


def _step_prompt(exercise: Exercise) -> Iterator[Span]:
    orders = english_list([f"{n}-grams" for n in range(1, exercise.task.max_order + 1)])
    match exercise.topic:
        case "tokens":
            yield "Split the texts into tokens, and work out the precision of single tokens."
        case "clipping":
            yield f"Fill in the tables, and work out the precision of {orders}."
        case "precision":
            yield f"Work out the modified precision of the candidate for {orders}."
        case "combination":
            yield "A text has "
            yield from _given_quantities(exercise, "")
            yield f". Work out the geometric mean GM and BLEU-{exercise.task.max_order}."
        case _:
            yield "Work out the length c of the candidate, the reference length r, and the brevity "
            yield "penalty BP."


def _given_quantities(exercise: Exercise, before: str, *, but: str = "") -> Iterator[Span]:
    """The numbers that are told, in a row, but one."""
    told = [one for one in exercise.given_values.items() if one[0] != but]
    last = len(told) - 1
    for place, (name, value) in enumerate(told):
        yield before if not place else " and " if place == last else ", "
        yield quantity_symbol(name)
        yield f" = {format_number(value)}"


def _texts(exercise: Exercise) -> list[Block]:
    """The texts, as they are typed: nothing is said of their tokens."""
    if exercise.given:
        return []
    task, blocks = exercise.task, list[Block]()
    many = len(task.hypotheses) > 1
    for place, (own, others) in enumerate(zip(task.hypotheses, task.references, strict=True)):
        name = f"Translation {'ABC'[place]}: " if exercise.kind == "order" else "Candidate: "
        segment = f"Segment {place + 1}. " if many and exercise.kind != "order" else ""
        blocks.append(paragraph(segment, name, Quote(own)))
        if exercise.kind == "order" and place < len(task.hypotheses) - 1:
            continue
        for number, other in enumerate(others, 1):
            which = f" {number}" if len(others) > 1 else ""
            blocks.append(paragraph(segment, f"Reference{which}: ", Quote(other)))
    return blocks


def _questions(exercise: Exercise, *, solved: bool = False) -> list[VisibleBlock]:
    """What is to be filled in, marked or chosen; with the right lines beside wrong ones, solved."""
    if exercise.marked_order > 1:
        return [_ngrams_to_mark(exercise)]
    if exercise.kind in _MASKED_KINDS and exercise.kind != "bet":
        steps = masked_document(exercise).steps
        return [block for step in steps for block in visible_blocks(step.blocks)]
    blanks = _blanks(exercise)
    content: list[VisibleBlock] = (
        [_working(exercise, solved=solved)] if exercise.kind == "mistake" else []
    )
    words = {"text": "Your text: ", "line": "First wrong line: ", "order": "From best to worst: "}
    for name, blank in blanks.items():
        content.append(paragraph(words.get(name, ""), blank))
    return content


def _ngrams_to_mark(exercise: Exercise) -> MarkableTokens:
    """The n-grams of the candidate in their order, of which some are to be marked."""
    [blank] = _blanks(exercise).values()
    credited = set(answer_key(exercise)["words"].split())
    grams = exercise.marked_grams
    kinds = tuple(
        "credited" if f"{at}" in credited else "unmatched" for at in range(1, len(grams) + 1)
    )
    title = f"{exercise.marked_order}-grams of the candidate"
    return MarkableTokens(
        blank.name, blank.label, TokenList(title, tuple(map(" ".join, grams)), kinds=kinds)
    )


def _working(exercise: Exercise, *, solved: bool) -> Table:
    """A worked solution with a mistake, line by line, and solved with what is right beside it."""
    methods = [MISCONCEPTIONS[exercise.misconceptions[0]].method, *([CORRECT] if solved else [])]
    lines = exercise.fields[0].options
    names = [name for name in exercise.task.quantity_names() if quantity_label(name) in lines]
    columns = [calculate_all(exercise.task, names, method) for method in methods]
    rows = tuple(
        Row((quantity_label(name), *(format_number(one[name]) for one in columns)))
        for name in names
    )
    headers = ("Line", "As worked out", "Right")[: 1 + len(columns)]
    return Table("working", "As it was worked out", headers, rows)


def _blanks(exercise: Exercise) -> dict[str, Blank]:
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


def _has_rows(exercise: Exercise) -> bool:
    return exercise.kind == "step" and exercise.topic == "clipping"


def _mistakes(exercise: Exercise) -> list[Block]:
    """The typical mistakes, each with what it gives, for whoever marks the sheet."""
    if exercise.kind == "mistake":
        [name] = exercise.misconceptions
        return [note(Strong("The mistake:"), f" {MISCONCEPTIONS[name].third_person_sentence}")]
    if exercise.kind not in _QUANTITY_KINDS | {"mark", "order"}:
        return []
    found = [
        (answers, MISCONCEPTIONS[name].sentence)
        for name, answers in typical_wrong_answers(exercise)
    ]
    if exercise.kind == "bet":
        values = ((answers.partition(" = ")[2], sentence) for answers, sentence in found)
        found = [one for one in values if one[0] in exercise.fields[0].options]
    head = paragraph("Typical wrong answers, and what to say to them:")
    return [head, *(note(Strong(answers), ": ", sentence) for answers, sentence in found)]
