"""Exercises that ask to choose a number: the right one, or what misconceptions make of it."""

from dataclasses import replace
from typing import Final

from bleu.learn.exercise import Exercise, quantity_label
from bleu.learn.hand_calculation import CORRECT, HandCalculation, Task, Value, changed_stages
from bleu.learn.kinds.kind import (
    Kind,
    complete,
    draw_corpus,
    draw_segment,
    given_quantities,
    given_text,
    quantity_fields,
    segment_count_text,
)
from bleu.learn.misconceptions import chosen_misconceptions
from bleu.learn.number_input import format_number, is_decimal
from bleu.learn.sentences import SeededRandom


def _draw_texts(rng: SeededRandom, outline: Exercise) -> Task:
    return (draw_corpus if outline.topic == "corpus" else draw_segment)(rng, outline)


def _draft_bet(_: SeededRandom, outline: Exercise) -> Exercise | None:
    """Draft a choice between a quantity's right value and the wrong values of misconceptions."""
    task, name = outline.task, _quantity(outline)
    is_penalty = name == "bp" and outline.topic == "brevity"
    given = ("c", "r") if is_penalty else given_quantities(outline.topic, task)
    given_values = {quantity: HandCalculation(task)[quantity] for quantity in given}
    wrong_changes = (wrong.change for wrong in chosen_misconceptions(name))
    options: dict[str, Value] = {}
    for change in (CORRECT, outline.target.change, *wrong_changes):
        value = HandCalculation(task, change, given_values).calculate(name)
        is_distinct = all(abs(float(value) - float(other)) > 0.005 for other in options.values())
        is_credible = value <= 1 or not name.startswith("p-")
        if is_distinct and is_credible and not (outline.by_hand and is_decimal(value)):
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
    return complete(outline, (field,), _prerequisites(name, task, given), given)


def _quantity(outline: Exercise) -> str:
    """Return the quantity to ask for, by the topic and the target misconception."""
    match outline.topic:
        case "precision":
            return "p-2"
        case "combination":
            return "gm"
        case "brevity":
            return "r" if "length" in changed_stages(outline.target.change) else "bp"
        case "corpus":
            stages = changed_stages(outline.target.change)
            if "joined" in stages:
                return f"total-{outline.max_order}"
            return {"p": "p-2", "BP": "bp"}.get(stages.get("averaged", ""), "bleu")
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


def _prompt(exercise: Exercise) -> str:
    name, n = exercise.fields[0].name, exercise.max_order
    if name == "gm":
        numbers = given_text(exercise, without="bp")
        return f"Which number does BLEU make of {numbers}, before the brevity penalty?"
    label = quantity_label(name).replace("BLEU", f"BLEU-{n} score")
    if name.startswith("total"):
        label = f"denominator of p{'₀₁₂₃₄'[n]}, the number of {n}-grams"
    if exercise.topic == "corpus":
        label += f" of these {segment_count_text(exercise)} segments, taken together as a corpus"
    if exercise.given:
        label += f" for {given_text(exercise)}"
    return f"What is the {label}?"


BET: Final = Kind(
    "bet",
    "Choose a number",
    _draft_bet,
    _prompt,
    draw=_draw_texts,
    # These means are decimals, which exercises by hand do not offer as options.
    not_by_hand=frozenset({"mean-of-penalties", "mean-of-scores"}),
)
