"""The goals of exercises of the kind `make`, which ask for a text."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from bleu.learn.hand_calculation import HandCalculation, Task, Words, split_tokens


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal that a text must reach, and the misconception that it targets.

    `check` is called with the task and with a copy whose hypothesis is the learner's text.
    """

    name: str
    instruction: str
    misconception: str
    check: Callable[[Task, Task], bool]


def _tokens(task: Task) -> Words:
    return split_tokens(task.hypotheses[0], task.tokenizer)


def _replaced_count(before: Task, after: Task) -> int:
    """Return the number of replaced tokens, or -1 if the number of tokens differs."""
    old, new = _tokens(before), _tokens(after)
    return sum(a != b for a, b in zip(old, new, strict=True)) if len(old) == len(new) else -1


def _rises(before: Task, after: Task) -> bool:
    return (
        _replaced_count(before, after) == 1
        and HandCalculation(after)["bleu"] > HandCalculation(before)["bleu"]
    )


def _clips(before: Task, after: Task) -> bool:
    reference_tokens = {
        token for text in before.references[0] for token in split_tokens(text, before.tokenizer)
    }
    return (
        _replaced_count(before, after) == 1
        and reference_tokens.issuperset(_tokens(after))
        and HandCalculation(after)["p-1"] < HandCalculation(before)["p-1"]
    )


def _zero(before: Task, after: Task) -> bool:
    calculation = HandCalculation(after)
    return (
        Counter(_tokens(before)) == Counter(_tokens(after))
        and calculation["p-1"] == 1
        and not calculation["bleu"]
    )


def _short(before: Task, after: Task) -> bool:  # noqa: ARG001
    calculation = HandCalculation(after)
    perfect = all(calculation[f"p-{n}"] == 1 for n in range(1, after.max_order + 1))
    return perfect and calculation["bp"] < 1


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
"""All goals by name."""


def is_reached(goal: str, task: Task, text: str) -> bool:
    """Return whether a text reaches a goal if it replaces the task's hypothesis.

    >>> [is_reached("short", Task(("a b d",), (("a b c",),)), text) for text in ("a b", "b a")]
    [True, False]
    """
    return GOALS[goal].check(task, replace(task, hypotheses=(text,)))
