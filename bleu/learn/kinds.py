"""One attempt at an exercise of each kind: texts drawn by chance, and what is asked of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise, permutations
from typing import Final

from bleu.learn.answers import is_decimal, shown
from bleu.learn.chance import Chance
from bleu.learn.exercise import Field, anchor, label
from bleu.learn.goals import GOALS, is_reached
from bleu.learn.misconceptions import MISCONCEPTIONS, Misconception
from bleu.learn.texts import (
    PATTERNS,
    SHORT_PATTERNS,
    edited,
    other_sentence,
    sentence,
    vocabulary,
    written,
)
from bleu.learn.working import RIGHT, Method, Task, Value, Words, Working, worked_out


@dataclass(frozen=True, slots=True)
class Plan:
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
    worked: tuple[str, ...] = ()
    detail: str = ""


MANY_REFERENCES: Final = frozenset(
    {"sum-over-references", "first-reference-only", "longest-reference"}
    | {"shortest-reference", "average-reference", "longer-of-two"}
)
"""The misconceptions that show only with more than one reference."""


def draft(chance: Chance, plan: Plan) -> Draft | None:
    """An attempt at an exercise; None where chance drew nothing of the kind."""
    return draft_on(chance, plan, _drawn(chance, plan))


def draft_on(chance: Chance, plan: Plan, task: Task) -> Draft | None:
    """An attempt at an exercise on given texts; None where nothing of the kind can be asked."""
    return _KINDS[plan.kind](chance, plan, task)


def _drawn(chance: Chance, plan: Plan) -> Task:
    """Texts of the kind and topic."""
    if plan.topic == "corpus":
        return _two_segments(chance, plan)
    match plan.kind:
        case "make":
            return _to_be_changed(chance, plan)
        case "order":
            return _three_translations(chance, plan)
        case "setting":
            return replace(_texts(chance, plan), tokenizer="whitespace")
        case _:
            return _texts(chance, plan)


def quantities(topic: str, task: Task) -> tuple[str, ...]:
    """What a step of a topic asks for, in the order of working."""
    names = task.names()
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


def _asked(task: Task, names: tuple[str, ...]) -> tuple[Field, ...]:
    corpus = len(task.hypotheses) > 1
    return tuple(Field(name, label(name), anchor(name, corpus=corpus)) for name in names)


def _given(topic: str, task: Task) -> tuple[str, ...]:
    if topic != "combination":
        return ()
    return (*(f"p-{n}" for n in range(1, task.max_order + 1)), "bp")


def _texts(chance: Chance, plan: Plan, patterns: tuple[str, ...] = PATTERNS) -> Task:
    """A segment: one reference or two, and a candidate that is near the first."""
    pattern = chance.choice(patterns)
    first = sentence(chance, pattern)
    many = plan.target.name in MANY_REFERENCES or not chance.below(4)
    references = [first]
    if many and plan.target.name != "recall":
        references.append(other_sentence(chance, pattern, first))
    if plan.target.name == "longer-of-two":  # with two alone, it would be the longest
        references.append((*first[: len(pattern.split())], "again", "and", "again"))
    others = (*vocabulary(pattern), *references[-1])
    hypothesis = edited(chance, first, others, 1 + chance.below(3))
    if plan.topic == "tokens":
        references = [written(chance, own) for own in references]
        hypothesis = written(chance, hypothesis)
    return Task(
        (" ".join(hypothesis),),
        (tuple(map(" ".join, references)),),
        plan.max_order,
        plan.tokenizer,
    )


def _two_segments(chance: Chance, plan: Plan) -> Task:
    """Two segments, of one or two references each."""
    one, other = (_texts(chance, plan, SHORT_PATTERNS) for _ in range(2))
    return replace(
        one,
        hypotheses=one.hypotheses + other.hypotheses,
        references=one.references + other.references,
    )


def _step(_: Chance, plan: Plan, task: Task) -> Draft:
    names = quantities(plan.topic, task)
    return Draft(task, _asked(task, names), _given(plan.topic, task), names)


def _bet(chance: Chance, plan: Plan, task: Task) -> Draft | None:
    """A quantity to choose among the right number and those of misconceptions."""
    name = _bet_on(plan)
    found = _step(chance, plan, task)
    given = ("c", "r") if name == "bp" and plan.topic == "brevity" else found.given
    told = {one: Working(found.task)[one] for one in given}
    methods = (RIGHT, plan.target.method, *(one.method for one in MISCONCEPTIONS.values()))
    options: dict[str, Value] = {}
    for method in methods:
        value = Working(found.task, method, told).worked(name)
        if plan.by_hand and is_decimal(value):
            if len(options) < 2:  # the right answer, or the target's
                return None
            continue
        if all(abs(float(value) - float(other)) > 0.005 for other in options.values()):
            options[shown(value)] = value
        if len(options) == 4:
            break
    if len(options) < 3:
        return None
    ranked = tuple(sorted(options, key=lambda text: options[text]))
    field = replace(_asked(found.task, (name,))[0], options=ranked)
    return Draft(found.task, (field,), given, _behind(name, found.task, given))


def _bet_on(plan: Plan) -> str:
    """The quantity in which a misconception shows at once."""
    match plan.topic:
        case "precision":
            return "p-2"
        case "combination":
            return "gm"
        case "brevity":
            return "r" if plan.target.method.length is not RIGHT.length else "bp"
        case "corpus":
            return {"p": "p-2", "bp": "bp"}.get(plan.target.method.pooled, "bleu")
        case _:
            return "p-1"


def _behind(name: str, task: Task, given: tuple[str, ...]) -> tuple[str, ...]:
    """What must be worked out for a quantity, and the quantity."""
    kind, _, n = name.partition("-")
    before = {
        "p": (f"matched-{n}", f"total-{n}"),
        "bp": ("c", "r"),
        "gm": tuple(one for one in task.names() if "-" in one),
        "bleu": task.names()[:-1],
    }.get(kind, ())
    return (*(() if given else before), name)


def _mark(_: Chance, __: Plan, task: Task) -> Draft:
    field = Field("words", "credited words of the candidate", "precision-1")
    return Draft(task, (field,), (), ("matched-1",))


def _mistake(_: Chance, plan: Plan, task: Task) -> Draft | None:
    """A solution worked out by the target; its first wrong line is to be found."""
    names = quantities(plan.topic, task)
    right, wrong = (worked_out(task, names, method) for method in (RIGHT, plan.target.method))
    first = next((name for name in names if right[name] != wrong[name]), None)
    if first is None:
        return None
    lines = tuple(map(label, names))
    field = Field("line", "the first line that is wrong", anchor(first), label(first), lines)
    return Draft(task, (field,), (), names)


def _to_be_changed(chance: Chance, plan: Plan) -> Task:
    """A text from which a goal can be reached, and its reference."""
    pattern = chance.choice(PATTERNS)
    first = sentence(chance, pattern, 7)
    changed = _goal(plan) in {"rise", "short"}
    words = edited(chance, first, vocabulary(pattern), 1 + chance.below(2)) if changed else first
    return Task((" ".join(words),), ((" ".join(first),),), plan.max_order, plan.tokenizer)


def _goal(plan: Plan) -> str:
    return next(goal.name for goal in GOALS.values() if goal.misconception == plan.target.name)


def _make(chance: Chance, plan: Plan, task: Task) -> Draft | None:
    """A text to change until a goal is reached; the answer is one that reaches it."""
    goal, text = _goal(plan), task.hypotheses[0]
    words, first = tuple(text.split()), tuple(task.references[0][0].split())
    for solution in map(" ".join, _solutions(chance, goal, words, first)):
        if is_reached(goal, task, solution) and not is_reached(goal, task, text):
            field = Field("text", "your text", plan.target.anchor, solution)
            return Draft(task, (field,), (), task.names(), goal)
    return None


def _solutions(chance: Chance, goal: str, words: Words, first: Words) -> list[Words]:
    """Texts to try for a goal."""
    if goal == "zero":
        return [tuple(chance.shuffled(words)) for _ in range(20)]
    if goal == "short":
        return [first[:-1]]
    places = chance.shuffled(range(len(words)))
    return [(*words[:at], word, *words[at + 1 :]) for at in places for word in first]


SETTINGS: Final[Mapping[str, tuple[tuple[str, int, Method], ...]]] = {
    "tokens": (
        ("split at white space", 0, RIGHT),
        ("lowercased, then split at white space", 0, MISCONCEPTIONS["case-folded"].method),
        (
            "split at white space and punctuation, case kept",
            0,
            MISCONCEPTIONS["punctuation-split"].method,
        ),
    ),
    "combination": (
        ("N = 1", 1, RIGHT),
        ("N = 2", 2, RIGHT),
        ("N = 3", 3, RIGHT),
    ),
    "brevity": (
        ("the reference closest in length", 0, RIGHT),
        ("the shortest reference", 0, MISCONCEPTIONS["shortest-reference"].method),
        ("the longest reference", 0, MISCONCEPTIONS["longest-reference"].method),
        ("the average of the references", 0, MISCONCEPTIONS["average-reference"].method),
    ),
}
"""By topic: the settings to choose among, each with its N, 0 for as it is, and its method."""
_ASKED: Final = {"tokens": "p-1", "combination": "bleu", "brevity": "bp"}
"""By topic: what is worked out under them."""


def given_by_settings(topic: str, task: Task) -> dict[str, Value]:
    """What each setting of a topic gives; of those that give one number, the first.

    >>> task = Task(("A b",), (("a b",),), 1)
    >>> given = given_by_settings("tokens", task)
    >>> {name: str(value) for name, value in given.items()}
    {'split at white space': '1/2', 'lowercased, then split at white space': '1'}
    """
    name = _ASKED[topic]
    values: dict[str, Value] = {}
    for text, order, method in SETTINGS[topic]:
        value = Working(replace(task, max_order=order or task.max_order), method)[name]
        if value not in values.values():
            values[text] = value
    return values


def _setting(chance: Chance, plan: Plan, task: Task) -> Draft | None:
    """A number, and the settings of which one gives it."""
    name = _ASKED[plan.topic]
    values = given_by_settings(plan.topic, task)
    if len(values) < 3:
        return None
    answer = chance.choice(tuple(values))
    if plan.by_hand and is_decimal(values[answer]):
        return None
    field = Field("setting", "the setting", plan.target.anchor, answer, tuple(values))
    told = {"p-1": "p₁", "bleu": "BLEU", "bp": "BP"}[name]
    worked = quantities("whole" if name == "bleu" else plan.topic, task)
    return Draft(task, (field,), (), worked, f"{told} = {shown(values[answer])}")


def _three_translations(chance: Chance, plan: Plan) -> Task:
    """Three translations of one sentence."""
    pattern = chance.choice(PATTERNS if plan.topic == "brevity" else SHORT_PATTERNS)
    first = sentence(chance, pattern, 7)
    others = vocabulary(pattern)
    texts = tuple(" ".join(edited(chance, first, others, 1 + chance.below(3))) for _ in range(3))
    return Task(texts, ((" ".join(first),),) * 3, plan.max_order, plan.tokenizer)


def _order(_: Chance, __: Plan, task: Task) -> Draft | None:
    """Translations of one sentence, to be ranked from the best to the worst."""
    answer = ranking(task, RIGHT)
    if not answer:
        return None
    options = tuple(map("".join, permutations("ABC")))
    field = Field("order", "from the best to the worst", "score", answer, options)
    return Draft(task, (field,), (), task.names())


def ranking(task: Task, method: Method) -> str:
    """The letters of three translations from the best to the worst; empty where two are as good.

    >>> ranking(Task(("a b", "c", "a c"), (("a b",),) * 3, 1), RIGHT)
    'ACB'
    """
    scores = [float(Working(own, method)["bleu"]) for own in task.segments]
    ranked = sorted(range(3), key=lambda at: -scores[at])
    apart = all(scores[one] - scores[two] > 0.01 for one, two in pairwise(ranked))
    return "".join("ABC"[at] for at in ranked) if apart else ""


_KINDS: Final[Mapping[str, Callable[[Chance, Plan, Task], Draft | None]]] = {
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
