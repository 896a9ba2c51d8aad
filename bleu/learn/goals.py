"""Goals of the exercises that ask for a text: what is to be reached, and whether a text does."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from bleu.learn.hand_calculation import HandCalculation, Task, split_tokens


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal: its name, what to do, the misconception that it is about, and the check.

    The check is given the task as it stands and with the learner's text in the place of its
    hypothesis.
    """

    name: str
    instruction: str
    misconception: str
    check: Callable[[Task, Task], bool]


def _changed(task: Task, other: Task) -> int:
    """How many words differ, place by place; -1 for another number of words."""
    before, after = (split_tokens(one.hypotheses[0], one.tokenizer) for one in (task, other))
    if len(before) != len(after):
        return -1
    return sum(one != two for one, two in zip(before, after, strict=True))


def _rises(task: Task, other: Task) -> bool:
    return (
        _changed(task, other) == 1
        and HandCalculation(other)["bleu"] > HandCalculation(task)["bleu"]
    )


def _clips(task: Task, other: Task) -> bool:
    known = {word for text in task.references[0] for word in split_tokens(text, task.tokenizer)}
    own = split_tokens(other.hypotheses[0], other.tokenizer)
    falls = HandCalculation(other)["p-1"] < HandCalculation(task)["p-1"]
    return _changed(task, other) == 1 and known.issuperset(own) and falls


def _zero(task: Task, other: Task) -> bool:
    before, after = (
        Counter(split_tokens(one.hypotheses[0], one.tokenizer)) for one in (task, other)
    )
    return (
        before == after
        and HandCalculation(other)["p-1"] == 1
        and not HandCalculation(other)["bleu"]
    )


def _short(task: Task, other: Task) -> bool:  # noqa: ARG001
    working = HandCalculation(other)
    perfect = all(working[f"p-{n}"] == 1 for n in range(1, other.max_order + 1))
    return perfect and working["bp"] < 1


_ALL: Final = (
    Goal("rise", "Change exactly one word of the candidate so that BLEU rises.",
         "order-ignored", _rises),
    Goal("clip", "Change exactly one word of the candidate so that p₁, the precision of single "
         "words, falls although every word of the candidate is still in the reference.",
         "no-clipping", _clips),
    Goal("zero", "Put the words of the candidate in another order so that p₁ stays 1 and BLEU "
         "becomes 0.", "zeros-skipped", _zero),
    Goal("short", "Change the candidate so that every precision is 1 and BLEU is less than 1.",
         "no-penalty", _short),
)  # fmt: skip

GOALS: Final[Mapping[str, Goal]] = {goal.name: goal for goal in _ALL}
"""Every goal by its name."""


def is_reached(goal: str, task: Task, text: str) -> bool:
    """Whether a text, put in the place of the task's hypothesis, reaches a goal.

    >>> [is_reached("short", Task(("a b d",), (("a b c",),)), text) for text in ("a b", "b a")]
    [True, False]
    """
    return GOALS[goal].check(task, replace(task, hypotheses=(text,)))
