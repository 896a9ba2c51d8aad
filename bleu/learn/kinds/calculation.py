"""Exercises that ask for quantities, step by step, or for the first that is wrong."""

from dataclasses import replace
from functools import partial
from typing import Final

from bleu.core.display import english_list
from bleu.learn.exercise import Exercise, Field, quantity_label, step_anchor
from bleu.learn.hand_calculation import CORRECT, calculate_all
from bleu.learn.kinds.kind import (
    Kind,
    complete,
    draw_corpus,
    given_quantities,
    given_text,
    quantity_fields,
    reveal_target,
    segment_count_text,
    step_quantities,
)
from bleu.learn.sentences import SeededRandom

_STEP_PROMPTS: Final = {
    "tokens": "Split the texts into tokens, and work out the precision of single tokens.",
    "clipping": "Work out the precision of {orders}, n-gram by n-gram.",
    "precision": "Work out the modified precision of the candidate for {orders}.",
    "brevity": "Work out the length c of the candidate, the reference length r, and the brevity "
    "penalty BP.",
}


def _draft_quantities(_: SeededRandom, outline: Exercise) -> Exercise:
    task = outline.task
    names = step_quantities(outline.topic, task)
    given = given_quantities(outline.topic, task)
    return complete(outline, quantity_fields(task, names), names, given)


def _draft_totals(_: SeededRandom, outline: Exercise) -> Exercise:
    names = tuple(name for name in outline.task.quantity_names() if name.startswith("total"))
    return complete(outline, quantity_fields(outline.task, names), names)


def _draft_mistake(_: SeededRandom, outline: Exercise) -> Exercise | None:
    """Draft the search for the first wrong line of a solution that has the target misconception."""
    names = step_quantities(outline.topic, outline.task)
    right, wrong = (
        calculate_all(outline.task, names, change) for change in (CORRECT, outline.target.change)
    )
    first = next((name for name in names if right[name] != wrong[name]), None)
    if first is None:
        return None
    lines = tuple(map(quantity_label, names))
    field = Field(
        "line", "the first line that is wrong", step_anchor(first), quantity_label(first), lines
    )
    return complete(outline, (field,), names)


def _step_prompt(exercise: Exercise) -> str:
    n = exercise.max_order
    if exercise.given:
        return f"A text has {given_text(exercise)}. Work out the geometric mean GM and BLEU-{n}."
    orders = english_list([f"{order}-grams" for order in range(1, n + 1)])
    return _STEP_PROMPTS[exercise.topic].format(orders=orders)


def _whole_prompt(exercise: Exercise) -> str:
    return f"Work out BLEU-{exercise.max_order}, line by line, on the scale of 0 to 1."


def _corpus_prompt(exercise: Exercise) -> str:
    return (
        f"These {segment_count_text(exercise)} segments are a corpus. Work out its "
        f"BLEU-{exercise.max_order}, on the scale of 0 to 1."
    )


def _totals_prompt(exercise: Exercise) -> str:
    precisions = english_list([f"p{'₀₁₂₃₄'[n]}" for n in range(1, exercise.max_order + 1)])
    return (
        f"These {segment_count_text(exercise)} segments are a corpus. Work out the denominators "
        f"of {precisions}, the numbers of n-grams."
    )


STEP: Final = Kind("step", "Fill in a step", _draft_quantities, _step_prompt)
WHOLE: Final = Kind("whole", "Work out BLEU", _draft_quantities, _whole_prompt)
CORPUS: Final = Kind(
    "corpus", "Several segments", _draft_quantities, _corpus_prompt, draw=draw_corpus
)
TOTALS: Final = Kind(
    "totals",
    "Count n-grams",
    _draft_totals,
    _totals_prompt,
    draw=partial(draw_corpus, count=3, min_order=3),
    targets=("ngrams-across-segments",),
    lengths=(3, 4, 5),
)
REFERENCES: Final = Kind(
    "references",
    "Two references each",
    _draft_quantities,
    _corpus_prompt,
    draw=partial(draw_corpus, count=2, needs_several=True),
    needs_all_of_bleu=True,
)
MISTAKE: Final = Kind(
    "mistake",
    "Find the mistake",
    _draft_mistake,
    lambda _: (
        "Somebody worked this out as below and got one thing wrong; later lines may be "
        "wrong because of it. Which is the first wrong line?"
    ),
    "Work each line out yourself from the lines above it, and stop where you differ.",
    reveal=reveal_target,
)


def worked_exercise(exercise: Exercise) -> Exercise:
    """Return an exercise on all steps if a BLEU score is to be chosen, else the exercise itself."""
    if not exercise.is_choice or exercise.names != ("bleu",) or exercise.given:
        return exercise
    task = exercise.task
    kind = CORPUS if len(task.hypotheses) > 1 else WHOLE
    return replace(exercise, kind=kind.name, fields=quantity_fields(task, task.quantity_names()))
