"""One attempt at an exercise of each kind: texts drawn by chance, and what is asked of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise, permutations
from typing import Final

from bleu.learn.exercise import Field, quantity_label, step_anchor
from bleu.learn.goals import GOALS, is_reached
from bleu.learn.hand_calculation import (
    CORRECT,
    HandCalculation,
    Method,
    Task,
    Value,
    Words,
    calculate_all,
)
from bleu.learn.misconceptions import MISCONCEPTIONS, Misconception
from bleu.learn.number_input import format_number, is_decimal
from bleu.learn.rng import SeededRandom
from bleu.learn.sentences import (
    PATTERNS,
    SHORT_PATTERNS,
    punctuate,
    random_edits,
    random_sentence,
    vary_sentence,
    vocabulary,
)


@dataclass(frozen=True, slots=True)
class ExercisePlan:
    """What an exercise is to be: its kind, topic and settings, and the mistake it is aimed at."""

    kind: str
    topic: str
    target: Misconception
    max_order: int
    by_hand: bool
    tokenizer: str


@dataclass(frozen=True, slots=True)
class Draft:
    """An attempt: texts, what is asked, what is told, and what the effort is of."""

    task: Task
    fields: tuple[Field, ...]
    given: tuple[str, ...] = ()
    effort_quantities: tuple[str, ...] = ()
    detail: str = ""


MANY_REFERENCES: Final = frozenset(
    {"sum-over-references", "first-reference-only", "longest-reference"}
    | {"shortest-reference", "average-reference", "longer-of-two"}
)
"""The misconceptions that show only with more than one reference."""


def draft_exercise(rng: SeededRandom, plan: ExercisePlan) -> Draft | None:
    """An attempt at an exercise; None where chance drew nothing of the kind."""
    return draft_on_texts(rng, plan, _draw_task(rng, plan))


def draft_on_texts(rng: SeededRandom, plan: ExercisePlan, task: Task) -> Draft | None:
    """An attempt at an exercise on given texts; None where nothing of the kind can be asked."""
    return _KINDS[plan.kind](rng, plan, task)


def _draw_task(rng: SeededRandom, plan: ExercisePlan) -> Task:
    """Texts of the kind and topic."""
    if plan.topic == "corpus":
        return _draw_two_segments(rng, plan)
    match plan.kind:
        case "make":
            return _draw_editable_segment(rng, plan)
        case "order":
            return _draw_three_translations(rng, plan)
        case "setting":
            return replace(_draw_segment(rng, plan), tokenizer="whitespace")
        case _:
            return _draw_segment(rng, plan)


def step_quantities(topic: str, task: Task) -> tuple[str, ...]:
    """What a step of a topic asks for, in the order of working."""
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


def _fields_for(task: Task, names: tuple[str, ...]) -> tuple[Field, ...]:
    corpus = len(task.hypotheses) > 1
    return tuple(
        Field(name, quantity_label(name), step_anchor(name, corpus=corpus)) for name in names
    )


def _given_quantities(topic: str, task: Task) -> tuple[str, ...]:
    if topic != "combination":
        return ()
    return (*(f"p-{n}" for n in range(1, task.max_order + 1)), "bp")


def _draw_segment(
    rng: SeededRandom, plan: ExercisePlan, patterns: tuple[str, ...] = PATTERNS
) -> Task:
    """A segment: one reference or two, and a candidate that is near the first."""
    pattern = rng.choice(patterns)
    first = random_sentence(rng, pattern)
    many = plan.target.name in MANY_REFERENCES or not rng.randbelow(4)
    references = [first]
    if many and plan.target.name != "recall":
        references.append(vary_sentence(rng, pattern, first))
    if plan.target.name == "longer-of-two":  # with two alone, it would be the longest
        references.append((*first[: len(pattern.split())], "again", "and", "again"))
    others = (*vocabulary(pattern), *references[-1])
    hypothesis = random_edits(rng, first, others, 1 + rng.randbelow(3))
    if plan.topic == "tokens":
        references = [punctuate(rng, own) for own in references]
        hypothesis = punctuate(rng, hypothesis)
    return Task(
        (" ".join(hypothesis),),
        (tuple(map(" ".join, references)),),
        plan.max_order,
        plan.tokenizer,
    )


def _draw_two_segments(rng: SeededRandom, plan: ExercisePlan) -> Task:
    """Two segments, of one or two references each."""
    one, other = (_draw_segment(rng, plan, SHORT_PATTERNS) for _ in range(2))
    return replace(
        one,
        hypotheses=one.hypotheses + other.hypotheses,
        references=one.references + other.references,
    )


def _step(_: SeededRandom, plan: ExercisePlan, task: Task) -> Draft:
    names = step_quantities(plan.topic, task)
    return Draft(task, _fields_for(task, names), _given_quantities(plan.topic, task), names)


def _bet(rng: SeededRandom, plan: ExercisePlan, task: Task) -> Draft | None:
    """A quantity to choose among the right number and those of misconceptions."""
    name = _bet_quantity(plan)
    found = _step(rng, plan, task)
    given = ("c", "r") if name == "bp" and plan.topic == "brevity" else found.given
    told = {one: HandCalculation(found.task)[one] for one in given}
    methods = (CORRECT, plan.target.method, *(one.method for one in MISCONCEPTIONS.values()))
    options: dict[str, Value] = {}
    for method in methods:
        value = HandCalculation(found.task, method, told).calculate(name)
        if plan.by_hand and is_decimal(value):
            if len(options) < 2:  # the right answer, or the target's
                return None
            continue
        if all(abs(float(value) - float(other)) > 0.005 for other in options.values()):
            options[format_number(value)] = value
        if len(options) == 4:
            break
    if len(options) < 3:
        return None
    ranked = tuple(sorted(options, key=lambda text: options[text]))
    field = replace(_fields_for(found.task, (name,))[0], options=ranked)
    return Draft(found.task, (field,), given, _prerequisites(name, found.task, given))


def _bet_quantity(plan: ExercisePlan) -> str:
    """The quantity in which a misconception shows at once."""
    match plan.topic:
        case "precision":
            return "p-2"
        case "combination":
            return "gm"
        case "brevity":
            return "r" if plan.target.method.length is not CORRECT.length else "bp"
        case "corpus":
            return {"p": "p-2", "bp": "bp"}.get(plan.target.method.averaged, "bleu")
        case _:
            return "p-1"


def _prerequisites(name: str, task: Task, given: tuple[str, ...]) -> tuple[str, ...]:
    """What must be worked out for a quantity, and the quantity."""
    kind, _, n = name.partition("-")
    before = {
        "p": (f"matched-{n}", f"total-{n}"),
        "bp": ("c", "r"),
        "gm": tuple(one for one in task.quantity_names() if "-" in one),
        "bleu": task.quantity_names()[:-1],
    }.get(kind, ())
    return (*(() if given else before), name)


def _mark(_: SeededRandom, __: ExercisePlan, task: Task) -> Draft:
    field = Field("words", "credited words of the candidate", "precision-1")
    return Draft(task, (field,), (), ("matched-1",))


def _mistake(_: SeededRandom, plan: ExercisePlan, task: Task) -> Draft | None:
    """A solution worked out by the target; its first wrong line is to be found."""
    names = step_quantities(plan.topic, task)
    right, wrong = (calculate_all(task, names, method) for method in (CORRECT, plan.target.method))
    first = next((name for name in names if right[name] != wrong[name]), None)
    if first is None:
        return None
    lines = tuple(map(quantity_label, names))
    field = Field(
        "line", "the first line that is wrong", step_anchor(first), quantity_label(first), lines
    )
    return Draft(task, (field,), (), names)


def _draw_editable_segment(rng: SeededRandom, plan: ExercisePlan) -> Task:
    """A text from which a goal can be reached, and its reference."""
    pattern = rng.choice(PATTERNS)
    first = random_sentence(rng, pattern, 7)
    changed = _goal(plan) in {"rise", "short"}
    words = (
        random_edits(rng, first, vocabulary(pattern), 1 + rng.randbelow(2)) if changed else first
    )
    return Task((" ".join(words),), ((" ".join(first),),), plan.max_order, plan.tokenizer)


def _goal(plan: ExercisePlan) -> str:
    return next(goal.name for goal in GOALS.values() if goal.misconception == plan.target.name)


def _make(rng: SeededRandom, plan: ExercisePlan, task: Task) -> Draft | None:
    """A text to change until a goal is reached; the answer is one that reaches it."""
    goal, text = _goal(plan), task.hypotheses[0]
    words, first = tuple(text.split()), tuple(task.references[0][0].split())
    for solution in map(" ".join, _solutions(rng, goal, words, first)):
        if is_reached(goal, task, solution) and not is_reached(goal, task, text):
            field = Field("text", "your text", plan.target.anchor, solution)
            return Draft(task, (field,), (), task.quantity_names(), goal)
    return None


def _solutions(rng: SeededRandom, goal: str, words: Words, first: Words) -> list[Words]:
    """Texts to try for a goal."""
    if goal == "zero":
        return [tuple(rng.shuffled(words)) for _ in range(20)]
    if goal == "short":
        return [first[:-1]]
    places = rng.shuffled(range(len(words)))
    return [(*words[:at], word, *words[at + 1 :]) for at in places for word in first]


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
    "combination": (
        ("N = 1", 1, CORRECT),
        ("N = 2", 2, CORRECT),
        ("N = 3", 3, CORRECT),
    ),
    "brevity": (
        ("the reference closest in length", 0, CORRECT),
        ("the shortest reference", 0, MISCONCEPTIONS["shortest-reference"].method),
        ("the longest reference", 0, MISCONCEPTIONS["longest-reference"].method),
        ("the average of the references", 0, MISCONCEPTIONS["average-reference"].method),
    ),
}
"""By topic: the settings to choose among, each with its N, 0 for as it is, and its method."""
_SETTING_QUANTITY: Final = {"tokens": "p-1", "combination": "bleu", "brevity": "bp"}
"""By topic: what is worked out under them."""


def values_by_setting(topic: str, task: Task) -> dict[str, Value]:
    """What each setting of a topic gives; of those that give one number, the first.

    >>> task = Task(("A b",), (("a b",),), 1)
    >>> given = values_by_setting("tokens", task)
    >>> {name: str(value) for name, value in given.items()}
    {'split at white space': '1/2', 'lowercased, then split at white space': '1'}
    """
    name = _SETTING_QUANTITY[topic]
    values: dict[str, Value] = {}
    for text, order, method in SETTING_OPTIONS[topic]:
        value = HandCalculation(replace(task, max_order=order or task.max_order), method)[name]
        if value not in values.values():
            values[text] = value
    return values


def _setting(rng: SeededRandom, plan: ExercisePlan, task: Task) -> Draft | None:
    """A number, and the settings of which one gives it."""
    name = _SETTING_QUANTITY[plan.topic]
    values = values_by_setting(plan.topic, task)
    if len(values) < 3:
        return None
    answer = rng.choice(tuple(values))
    if plan.by_hand and is_decimal(values[answer]):
        return None
    field = Field("setting", "the setting", plan.target.anchor, answer, tuple(values))
    told = {"p-1": "p₁", "bleu": "BLEU", "bp": "BP"}[name]
    worked = step_quantities("whole" if name == "bleu" else plan.topic, task)
    return Draft(task, (field,), (), worked, f"{told} = {format_number(values[answer])}")


def _draw_three_translations(rng: SeededRandom, plan: ExercisePlan) -> Task:
    """Three translations of one sentence."""
    pattern = rng.choice(PATTERNS if plan.topic == "brevity" else SHORT_PATTERNS)
    first = random_sentence(rng, pattern, 7)
    others = vocabulary(pattern)
    texts = tuple(
        " ".join(random_edits(rng, first, others, 1 + rng.randbelow(3))) for _ in range(3)
    )
    return Task(texts, ((" ".join(first),),) * 3, plan.max_order, plan.tokenizer)


def _order(_: SeededRandom, __: ExercisePlan, task: Task) -> Draft | None:
    """Translations of one sentence, to be ranked from the best to the worst."""
    answer = rank_letters(task, CORRECT)
    if not answer:
        return None
    options = tuple(map("".join, permutations("ABC")))
    field = Field("order", "from the best to the worst", "score", answer, options)
    return Draft(task, (field,), (), task.quantity_names())


def rank_letters(task: Task, method: Method) -> str:
    """The letters of three translations from the best to the worst; empty where two are as good.

    >>> rank_letters(Task(("a b", "c", "a c"), (("a b",),) * 3, 1), CORRECT)
    'ACB'
    """
    scores = [float(HandCalculation(own, method)["bleu"]) for own in task.segments]
    ranked = sorted(range(3), key=lambda at: -scores[at])
    apart = all(scores[one] - scores[two] > 0.01 for one, two in pairwise(ranked))
    return "".join("ABC"[at] for at in ranked) if apart else ""


_KINDS: Final[Mapping[str, Callable[[SeededRandom, ExercisePlan, Task], Draft | None]]] = {
    "bet": _bet,
    "mark": _mark,
    "step": _step,
    "whole": _step,
    "mistake": _mistake,
    "make": _make,
    "setting": _setting,
    "order": _order,
    "corpus": _step,
}
