"""Exercises that ask which setting gives a number."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from bleu.learn.exercise import Exercise, Field
from bleu.learn.hand_calculation import CORRECT, WORDS, Change, HandCalculation, Task, Value
from bleu.learn.kinds.kind import Kind, complete, draw_segment, reveal_target, step_quantities
from bleu.learn.misconceptions import MISCONCEPTIONS
from bleu.learn.number_input import format_number, is_decimal
from bleu.learn.sentences import SeededRandom

SETTING_OPTIONS: Final[Mapping[str, tuple[tuple[str, int, Change], ...]]] = {
    "tokens": (
        ("split at white space", 0, CORRECT),
        ("lowercased, then split at white space", 0, MISCONCEPTIONS["case-folded"].change),
        (
            "split at white space and punctuation, case kept",
            0,
            MISCONCEPTIONS["punctuation-split"].change,
        ),
    ),
    "combination": (("N = 1", 1, CORRECT), ("N = 2", 2, CORRECT), ("N = 3", 3, CORRECT)),
    "brevity": (
        ("the reference closest in length", 0, CORRECT),
        ("the shortest reference", 0, MISCONCEPTIONS["shortest-reference"].change),
        ("the longest reference", 0, MISCONCEPTIONS["longest-reference"].change),
        ("the average of the references", 0, MISCONCEPTIONS["average-reference"].change),
    ),
}
"""By topic: the settings to choose from as (label, N, change), with 0 for the task's own N."""
_QUANTITIES: Final = {"tokens": "p-1", "combination": "bleu", "brevity": "bp"}
"""By topic: the quantity that is computed under each setting."""
_PROMPTS: Final = {
    "tokens": "The texts were tokenized in one of these ways, and this came out: {}. Which way was "
    "it?",
    "combination": "BLEU-N of the candidate was worked out for one of these N, and this came out: "
    "{}. Which N was it?",
    "brevity": "The reference length r was chosen in one of these ways, and this came out: {}. "
    "Which way was it?",
}


def values_by_setting(topic: str, task: Task) -> dict[str, Value]:
    """Return a quantity's value under each setting of a topic; of equal values, only the first.

    >>> task = Task(("A b",), (("a b",),), 1)
    >>> values = values_by_setting("tokens", task)
    >>> {label: str(value) for label, value in values.items()}
    {'split at white space': '1/2', 'lowercased, then split at white space': '1'}
    """
    name = _QUANTITIES[topic]
    values: dict[str, Value] = {}
    for label, max_order, change in SETTING_OPTIONS[topic]:
        chosen_task = replace(task, max_order=max_order or task.max_order)
        value = HandCalculation(chosen_task, change)[name]
        if value not in values.values():
            values[label] = value
    return values


def setting_value_text(topic: str, value: Value) -> str:
    """Return a value under a setting; BLEU has three decimals, as a root would name its N."""
    return f"{float(value):.3f}" if topic == "combination" else format_number(value)


def _draft_setting(rng: SeededRandom, outline: Exercise) -> Exercise | None:
    """Draft the choice of the setting that gives a number shown in the exercise."""
    name = _QUANTITIES[outline.topic]
    values = values_by_setting(outline.topic, outline.task)
    texts = {setting_value_text(outline.topic, value) for value in values.values()}
    if len(texts) < 3 or len(texts) < len(values):
        return None
    answer = rng.choice(tuple(values))
    if outline.by_hand and is_decimal(values[answer]):
        return None
    field = Field("setting", "the setting", outline.target.anchor, answer, tuple(values))
    symbol = {"p-1": "p₁", "bleu": "BLEU", "bp": "BP"}[name]
    names = step_quantities("whole" if name == "bleu" else outline.topic, outline.task)
    detail = f"{symbol} = {setting_value_text(outline.topic, values[answer])}"
    return complete(outline, (field,), names, detail=detail)


SETTING: Final = Kind(
    "setting",
    "Find the setting",
    _draft_setting,
    lambda exercise: _PROMPTS[exercise.topic].format(f"{{{exercise.detail}}}"),
    "Work the number out under each setting; only one gives it.",
    lambda rng, outline: replace(draw_segment(rng, outline), tokenizer=WORDS),
    reveal_target,
    targets=("case-folded", "punctuation-split", "highest-order-only", "longest-reference"),
)
