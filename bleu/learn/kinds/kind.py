"""A kind of exercise as a record, and what several kinds share."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bleu.learn.drafting import draw_segment
from bleu.learn.exercise import Exercise, Field, effort_of
from bleu.learn.hand_calculation import CORRECT, Task, calculate_all
from bleu.learn.misconceptions import MISCONCEPTIONS
from bleu.learn.sentences import SeededRandom
from bleu.metric.changes import Change

INDISTINGUISHABLE: Final = {
    "no-penalty": frozenset({"penalty-upside-down"}),
    "c-minus-n": frozenset({"c-minus-n-from-2"}),
    "c-minus-n-from-2": frozenset({"c-minus-n"}),
}
"""By target: the misconceptions that may give the same values in an exercise on it."""

Judgement = tuple[bool, tuple[str, ...], str]
"""Whether an answer is right, the misconceptions that give it if it is wrong, and the message."""


def _judge_by_answer(exercise: Exercise, text: str) -> Judgement:
    """Compare an answer with that of the only field."""
    return text.casefold() == exercise.fields[0].answer.casefold(), (), ""


def _reveal_distinguished(draft: Exercise) -> tuple[str, ...]:
    """Return the misconceptions whose values differ from the right ones and all other wrong ones.

    The target comes first, and need not differ from those in `INDISTINGUISHABLE`; the result is
    empty if it differs too little. Values that agree to two decimals count as equal.
    """
    target, given_values = draft.target, draft.given_values

    def outcome(change: Change) -> tuple[float, ...]:
        values = calculate_all(draft.task, draft.names, change, given_values)
        return tuple(round(float(value), 2) for value in values.values())

    right_outcome, target_outcome = outcome(CORRECT), outcome(target.change)
    if target_outcome == right_outcome:
        return ()
    may_equal = INDISTINGUISHABLE.get(target.name, frozenset()) | {target.name}
    outcomes = dict[str, tuple[float, ...]]()
    for name, misconception in MISCONCEPTIONS.items():
        outcomes[name] = outcome(misconception.change)
        if outcomes[name] == target_outcome and name not in may_equal:
            return ()
    counts = Counter(outcomes.values())
    unique = (
        name for name in outcomes if outcomes[name] != right_outcome and counts[outcomes[name]] == 1
    )
    return (target.name, *(name for name in unique if name != target.name))


def reveal_target(draft: Exercise) -> tuple[str, ...]:
    """Return the target alone."""
    return (draft.target.name,)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of exercise.

    - `label`: what the learner does, for a menu.
    - `draft`: adds the fields to an exercise with texts, or returns None if these do not suit it.
    - `prompt`: the question; `{p-1}` in it is the symbol of a quantity, other `{text}` is strong.
    - `hint`: where to look, for a field that is no quantity.
    - `draw`: random texts for an outline, which is an exercise without texts and fields.
    - `reveal`: the misconceptions that a draft reveals, target first; () if it hides the target.
    - `judge`: the judgement of an answer that is no quantity.
    - `choices`: the answers, by field name, of a changed method, except those that are quantities.
    - `targets`: the misconceptions that it can target, `not_by_hand` not without a calculator.
    - `min_length`: the number of words of the shortest candidate of a single segment; `lengths`:
      those of the candidates of a corpus in ascending order, or () for any.
    """

    name: str
    label: str
    draft: Callable[[SeededRandom, Exercise], Exercise | None]
    prompt: Callable[[Exercise], str]
    hint: str = ""
    draw: Callable[[SeededRandom, Exercise], Task] = draw_segment
    reveal: Callable[[Exercise], tuple[str, ...]] = _reveal_distinguished
    judge: Callable[[Exercise, str], Judgement] = _judge_by_answer
    choices: Callable[[Exercise, Change], Mapping[str, str]] = lambda *_: {}
    targets: Sequence[str] = tuple(MISCONCEPTIONS)
    not_by_hand: frozenset[str] = frozenset()
    min_length: int = 4
    lengths: tuple[int, ...] = ()
    needs_all_of_bleu: bool = False


def complete(
    outline: Exercise,
    fields: tuple[Field, ...],
    computed: tuple[str, ...] = (),
    given: tuple[str, ...] = (),
    detail: str = "",
) -> Exercise:
    """Return the exercise with its fields; the `computed` quantities determine its effort."""
    effort = effort_of(outline.task, computed)
    return replace(outline, fields=fields, given=given, effort=effort, detail=detail)
