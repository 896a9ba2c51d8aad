"""Drafts of exercises: random texts for each kind, and the fields to fill in."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise, permutations
from typing import Final

from bleu.learn.claims import CLAIMS
from bleu.learn.exercise import Exercise, Field, effort_of, quantity_label, step_anchor
from bleu.learn.goals import GOALS, failed_condition
from bleu.learn.hand_calculation import (
    CORRECT,
    HandCalculation,
    Method,
    Task,
    Value,
    Words,
    calculate_all,
)
from bleu.learn.misconceptions import MISCONCEPTIONS
from bleu.learn.number_input import format_number, is_decimal
from bleu.learn.rng import SeededRandom
from bleu.learn.sentences import (
    PATTERNS,
    SHORT_PATTERNS,
    punctuate,
    random_edits,
    random_sentence,
    replace_words,
    vary_sentence,
)

NEED_SEVERAL_REFERENCES: Final = frozenset(
    {"sum-over-references", "first-reference-only", "every-reference", "longest-reference"}
    | {"shortest-reference", "average-reference", "first-reference-length", "longer-of-two"}
)
"""The misconceptions that have an effect only with several references."""


def draft_exercise(rng: SeededRandom, outline: Exercise) -> Exercise | None:
    """Return the outline with the fields of its kind, or None if its texts do not suit the kind.

    `outline` is an exercise with texts but without fields. The draft may be too long, too
    hard or pointless.
    """
    return _DRAFTERS[outline.kind](rng, outline)


def _complete(
    outline: Exercise,
    fields: tuple[Field, ...],
    computed: tuple[str, ...] = (),
    given: tuple[str, ...] = (),
    detail: str = "",
) -> Exercise:
    """Return the exercise with its fields; the `computed` quantities determine its effort."""
    effort = effort_of(outline.task, computed)
    return replace(outline, fields=fields, given=given, effort=effort, detail=detail)


def draw_task(rng: SeededRandom, outline: Exercise) -> Task:
    """Return random texts that suit the kind, topic and target of an outline."""
    if outline.topic == "corpus":
        counts = {"totals": 3, "references": 2}
        count = counts.get(outline.kind) or (2 if rng.randbelow(3) else 3)
        # With one pattern, a reference could also fit the hypothesis of another segment.
        patterns = rng.shuffled(SHORT_PATTERNS)[:count]
        segments = [_draw_segment(rng, outline, (pattern,)) for pattern in patterns]
        return replace(
            segments[0],
            hypotheses=tuple(segment.hypotheses[0] for segment in segments),
            references=tuple(segment.references[0] for segment in segments),
            max_order=max(3, outline.max_order) if outline.kind == "totals" else outline.max_order,
        )
    match outline.kind:
        case "claim":
            return CLAIMS[outline.target.name].example
        case "make":
            return _draw_editable_segment(rng, outline)
        case "order":
            return _draw_three_translations(rng, outline)
        case "setting":
            return replace(_draw_segment(rng, outline), tokenizer="whitespace")
        case _:
            return _draw_segment(rng, outline)


def step_quantities(topic: str, task: Task) -> tuple[str, ...]:
    """Return the quantities that an exercise on a topic asks for, in order of computation."""
    names = task.quantity_names()
    match topic:
        case "tokens":
            return ("matched-1", "total-1", "p-1")
        case "clipping" | "precision":
            return tuple(name for name in names if "-" in name)
        case "combination":
            return ("gm", "bleu")
        case "brevity":
            return ("c", "r", "bp")
        case _:
            return names


def quantity_fields(task: Task, names: tuple[str, ...]) -> tuple[Field, ...]:
    """Return the fields for quantities of a task."""
    corpus = len(task.hypotheses) > 1
    return tuple(
        Field(name, quantity_label(name), step_anchor(name, corpus=corpus)) for name in names
    )


def worked_exercise(exercise: Exercise) -> Exercise:
    """Return an exercise on all steps if a BLEU score is to be chosen, else the exercise itself."""
    if exercise.kind != "bet" or exercise.names != ("bleu",) or exercise.given:
        return exercise
    task = exercise.task
    kind = "corpus" if len(task.hypotheses) > 1 else "whole"
    return replace(exercise, kind=kind, fields=quantity_fields(task, task.quantity_names()))


def _given_quantities(topic: str, task: Task) -> tuple[str, ...]:
    if topic != "combination":
        return ()
    return (*(f"p-{n}" for n in range(1, task.max_order + 1)), "bp")


def _draw_segment(
    rng: SeededRandom, outline: Exercise, patterns: tuple[str, ...] = PATTERNS
) -> Task:
    """Return a segment: one to three references, and a hypothesis edited from one of them."""
    pattern = rng.choice(patterns)
    first = random_sentence(rng, pattern)
    target = outline.target.name
    needs_several = outline.kind == "references" or target in NEED_SEVERAL_REFERENCES
    needs_one = target in {"recall", "ngrams-across-segments"}
    references = [first]
    if needs_several or (not rng.randbelow(4) and not needs_one):
        references.append(vary_sentence(rng, pattern, first))
    if target in {"longer-of-two", "first-reference-length"}:
        # With only two, the longer or first reference is also the longest or the shortest one.
        references.append((*first[: len(pattern.split())], "again", "and", "again"))
    repeat = target in {"no-clipping", "sum-over-references", "distinct-only"}
    original = rng.choice(references[:2])
    if target == "zeros-skipped":  # Few edits of one reference leave no matching 2-gram.
        original = replace_words(rng, pattern, original)
    hypothesis = random_edits(rng, pattern, original, 1 + rng.randbelow(3), repeat=repeat)
    if outline.topic == "tokens":
        references = [punctuate(rng, reference) for reference in references]
        hypothesis = punctuate(rng, hypothesis)
    return replace(
        outline.task,
        hypotheses=(" ".join(hypothesis),),
        references=(tuple(map(" ".join, references)),),
    )


def _draft_step(_: SeededRandom, outline: Exercise) -> Exercise:
    task = outline.task
    names = step_quantities(outline.topic, task)
    given = _given_quantities(outline.topic, task)
    return _complete(outline, quantity_fields(task, names), names, given)


def _draft_totals(_: SeededRandom, outline: Exercise) -> Exercise:
    names = tuple(name for name in outline.task.quantity_names() if name.startswith("total"))
    return _complete(outline, quantity_fields(outline.task, names), names)


def _draft_bet(_: SeededRandom, outline: Exercise) -> Exercise | None:
    """Draft a choice between a quantity's right value and the wrong values of misconceptions."""
    task, name = outline.task, _bet_quantity(outline)
    is_penalty = name == "bp" and outline.topic == "brevity"
    given = ("c", "r") if is_penalty else _given_quantities(outline.topic, task)
    given_values = {quantity: HandCalculation(task)[quantity] for quantity in given}
    wrong_methods = (misconception.method for misconception in MISCONCEPTIONS.values())
    options: dict[str, Value] = {}
    for method in (CORRECT, outline.target.method, *wrong_methods):
        value = HandCalculation(task, method, given_values).calculate(name)
        is_distinct = all(abs(float(value) - float(other)) > 0.005 for other in options.values())
        if is_distinct and not (outline.by_hand and is_decimal(value)):
            options[format_number(value)] = value
        elif len(options) < 2:
            # The right answer and the target's wrong answer must both be options.
            return None
        if len(options) == 4:
            break
    if len(options) < 3:
        return None
    ascending = tuple(sorted(options, key=lambda text: options[text]))
    field = replace(quantity_fields(task, (name,))[0], options=ascending)
    return _complete(outline, (field,), _prerequisites(name, task, given), given)


def _bet_quantity(outline: Exercise) -> str:
    """Return the quantity to ask for, by the topic and the target misconception."""
    match outline.topic:
        case "precision":
            return "p-2"
        case "combination":
            return "gm"
        case "brevity":
            return "r" if outline.target.method.length is not CORRECT.length else "bp"
        case "corpus":
            if outline.target.method.is_joined:
                return f"total-{outline.max_order}"
            return {"p": "p-2", "bp": "bp"}.get(outline.target.method.averaged, "bleu")
        case _:
            return "p-1"


def _prerequisites(name: str, task: Task, given: tuple[str, ...]) -> tuple[str, ...]:
    """Return the quantities to compute for `name`, itself last; if any are given, only itself."""
    if given:
        return (name,)
    kind, _, n = name.partition("-")
    prerequisites = {
        "p": (f"matched-{n}", f"total-{n}"),
        "bp": ("c", "r"),
        "gm": tuple(quantity for quantity in task.quantity_names() if "-" in quantity),
        "bleu": task.quantity_names()[:-1],
    }.get(kind, ())
    return (*prerequisites, name)


def _draft_mark(_: SeededRandom, outline: Exercise) -> Exercise:
    field = Field("words", "credited words of the candidate", "precision-1")
    return _complete(outline, (field,), ("matched-1",))


def _draft_mistake(_: SeededRandom, outline: Exercise) -> Exercise | None:
    """Draft the search for the first wrong line of a solution that has the target misconception."""
    names = step_quantities(outline.topic, outline.task)
    right, wrong = (
        calculate_all(outline.task, names, method) for method in (CORRECT, outline.target.method)
    )
    first = next((name for name in names if right[name] != wrong[name]), None)
    if first is None:
        return None
    lines = tuple(map(quantity_label, names))
    field = Field(
        "line", "the first line that is wrong", step_anchor(first), quantity_label(first), lines
    )
    return _complete(outline, (field,), names)


def _draw_editable_segment(rng: SeededRandom, outline: Exercise) -> Task:
    """Return a hypothesis to edit until the goal is reached, and its reference."""
    pattern = rng.choice(PATTERNS)
    reference = random_sentence(rng, pattern, 7)
    hypothesis = reference
    if _goal(outline) in {"rise", "short"}:
        hypothesis = random_edits(rng, pattern, reference, 1 + rng.randbelow(2))
    hypotheses, references = (" ".join(hypothesis),), ((" ".join(reference),),)
    return replace(outline.task, hypotheses=hypotheses, references=references)


def _goal(outline: Exercise) -> str:
    return next(goal.name for goal in GOALS.values() if goal.misconception == outline.target.name)


def _draft_make(rng: SeededRandom, outline: Exercise) -> Exercise | None:
    """Draft the editing of a text until it reaches a goal; the answer is one possible text."""
    goal, task = _goal(outline), outline.task
    text = task.hypotheses[0]
    words, reference = tuple(text.split()), tuple(task.references[0][0].split())
    for solution in map(" ".join, _possible_solutions(rng, goal, words, reference)):
        if failed_condition(goal, task, text) and not failed_condition(goal, task, solution):
            field = Field("text", "your text", outline.target.anchor, solution)
            return _complete(outline, (field,), task.quantity_names(), detail=goal)
    return None


def _possible_solutions(
    rng: SeededRandom, goal: str, words: Words, reference: Words
) -> list[Words]:
    """Return texts, made from `words` and the reference, that may reach a goal."""
    if goal == "zero":
        return [tuple(rng.shuffled(words)) for _ in range(20)]
    if goal == "short":
        return [reference[:-1]]
    indices = rng.shuffled(range(len(words)))
    return [(*words[:i], word, *words[i + 1 :]) for i in indices for word in reference]


SETTING_OPTIONS: Final[Mapping[str, tuple[tuple[str, int, Method], ...]]] = {
    "tokens": (
        ("split at white space", 0, CORRECT),
        ("lowercased, then split at white space", 0, MISCONCEPTIONS["case-folded"].method),
        (
            "split at white space and punctuation, case kept",
            0,
            MISCONCEPTIONS["punctuation-split"].method,
        ),
    ),
    "combination": (("N = 1", 1, CORRECT), ("N = 2", 2, CORRECT), ("N = 3", 3, CORRECT)),
    "brevity": (
        ("the reference closest in length", 0, CORRECT),
        ("the shortest reference", 0, MISCONCEPTIONS["shortest-reference"].method),
        ("the longest reference", 0, MISCONCEPTIONS["longest-reference"].method),
        ("the average of the references", 0, MISCONCEPTIONS["average-reference"].method),
    ),
}
"""By topic: the settings to choose from as (label, N, method), with 0 for the task's own N."""
_SETTING_QUANTITY: Final = {"tokens": "p-1", "combination": "bleu", "brevity": "bp"}
"""By topic: the quantity that is computed under each setting."""


def values_by_setting(topic: str, task: Task) -> dict[str, Value]:
    """Return a quantity's value under each setting of a topic; of equal values, only the first.

    >>> task = Task(("A b",), (("a b",),), 1)
    >>> values = values_by_setting("tokens", task)
    >>> {label: str(value) for label, value in values.items()}
    {'split at white space': '1/2', 'lowercased, then split at white space': '1'}
    """
    name = _SETTING_QUANTITY[topic]
    values: dict[str, Value] = {}
    for label, max_order, method in SETTING_OPTIONS[topic]:
        chosen_task = replace(task, max_order=max_order or task.max_order)
        value = HandCalculation(chosen_task, method)[name]
        if value not in values.values():
            values[label] = value
    return values


def _draft_setting(rng: SeededRandom, outline: Exercise) -> Exercise | None:
    """Draft the choice of the setting that gives a number shown in the exercise."""
    name = _SETTING_QUANTITY[outline.topic]
    values = values_by_setting(outline.topic, outline.task)
    if len(values) < 3:
        return None
    answer = rng.choice(tuple(values))
    if outline.by_hand and is_decimal(values[answer]):
        return None
    field = Field("setting", "the setting", outline.target.anchor, answer, tuple(values))
    symbol = {"p-1": "p₁", "bleu": "BLEU", "bp": "BP"}[name]
    names = step_quantities("whole" if name == "bleu" else outline.topic, outline.task)
    detail = f"{symbol} = {format_number(values[answer])}"
    return _complete(outline, (field,), names, detail=detail)


def _draw_three_translations(rng: SeededRandom, outline: Exercise) -> Task:
    """Return three translations with the same reference."""
    pattern = rng.choice(PATTERNS if outline.topic == "brevity" else SHORT_PATTERNS)
    reference = random_sentence(rng, pattern, 7)
    hypotheses = tuple(
        " ".join(random_edits(rng, pattern, reference, 1 + rng.randbelow(3))) for _ in range(3)
    )
    references = ((" ".join(reference),),) * 3
    return replace(outline.task, hypotheses=hypotheses, references=references)


def _draft_order(_: SeededRandom, outline: Exercise) -> Exercise | None:
    """Draft the ranking of three translations."""
    field = order_field(outline.task)
    return _complete(outline, (field,), outline.task.quantity_names()) if field.answer else None


def claim_field(name: str, rng: SeededRandom) -> Field:
    """Return the field for the answer to a claim, with its answers in random order."""
    claim = CLAIMS[name]
    options = tuple(rng.shuffled((claim.answer, *claim.wrong_answers)))
    return Field("claim", "your answer", MISCONCEPTIONS[name].anchor, claim.answer, options)


def _draft_claim(rng: SeededRandom, outline: Exercise) -> Exercise:
    name = outline.target.name
    return _complete(outline, (claim_field(name, rng),), detail=name)


def order_field(task: Task) -> Field:
    """Return the field for a ranking of three translations; see `rank_letters` on its answer."""
    options = tuple(map("".join, permutations("ABC")))
    answer = rank_letters(task, CORRECT)
    return Field("order", "from the best to the worst", "score", answer, options)


def rank_letters(task: Task, method: Method) -> str:
    """Return the letters A to C of translations, best first; "" if two scores are within 0.01.

    >>> rank_letters(Task(("a b", "c", "a c"), (("a b",),) * 3, 1), CORRECT)
    'ACB'
    """
    scores = [float(HandCalculation(segment, method)["bleu"]) for segment in task.segments]
    ranking = sorted(range(3), key=lambda i: -scores[i])
    are_distinct = all(scores[i] - scores[j] > 0.01 for i, j in pairwise(ranking))
    return "".join("ABC"[i] for i in ranking) if are_distinct else ""


_DRAFTERS: Final[Mapping[str, Callable[[SeededRandom, Exercise], Exercise | None]]] = {
    "bet": _draft_bet,
    "mark": _draft_mark,
    "step": _draft_step,
    "whole": _draft_step,
    "mistake": _draft_mistake,
    "make": _draft_make,
    "setting": _draft_setting,
    "order": _draft_order,
    "corpus": _draft_step,
    "totals": _draft_totals,
    "references": _draft_step,
    "claim": _draft_claim,
}
