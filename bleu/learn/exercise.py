"""What an exercise is: texts, what is asked of them, and the mistakes that it tells apart."""

from dataclasses import dataclass
from typing import Final

from bleu.core.conventions import convention_settings
from bleu.core.display import DisplayMixin
from bleu.core.settings import Settings
from bleu.learn.hand_calculation import (
    Gram,
    HandCalculation,
    Task,
    Value,
    consecutive_grams,
    split_tokens,
)

KINDS: Final = ("bet", "mark", "step", "whole", "mistake", "make", "setting", "order", "corpus")
"""The kinds of exercise: choose a number; mark the credited words; fill in a step, or all of them;
find the mistake; make a text; which setting gives a number; rank translations; two segments."""

MAX_EFFORT: Final = {True: 90, False: 180}
"""The bound of effort by hand or not: looks, sums and fractions, of some three seconds each."""


@dataclass(frozen=True, slots=True)
class Field:
    """What is asked: a quantity by its name, or `words`, `line`, `setting`, `order`, `text`.

    `answer` is that where no quantity is asked for; `options` are what can be chosen, if anything.
    """

    name: str
    label: str
    anchor: str
    answer: str = ""
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Exercise(DisplayMixin):
    """One exercise.

    - `seed`, `number`: where it comes from; `by_hand`: without a calculator.
    - `kind`, `topic`: of `KINDS`, and of `bleu.learn.misconceptions.TOPICS`.
    - `fields`: what is asked, in the order of working; `given`: the quantities that are told.
    - `misconceptions`: the names of those it tells from the truth and from each other, the one it
      is aimed at first.
    - `effort_of`: looks, sums and fractions to do, at most `EFFORT[by_hand]`.
    - `detail`: the goal of `make`, the number of `setting`, the order of what to `mark`, if not 1.
    """

    seed: str
    number: int
    by_hand: bool
    kind: str
    topic: str
    task: Task
    fields: tuple[Field, ...]
    given: tuple[str, ...]
    misconceptions: tuple[str, ...]
    effort: int
    detail: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of what is asked."""
        return tuple(field.name for field in self.fields)

    @property
    def hypotheses(self) -> tuple[str, ...]:
        """The texts that are scored."""
        return self.task.hypotheses

    @property
    def references(self) -> tuple[tuple[str, ...], ...]:
        """The references of each."""
        return self.task.references

    @property
    def max_order(self) -> int:
        """N."""
        return self.task.max_order

    @property
    def marked_order(self) -> int:
        """The order of the n-grams that are to be marked."""
        return int(self.detail) if self.kind == "mark" and self.detail else 1

    @property
    def marked_grams(self) -> tuple[Gram, ...]:
        """The n-grams of the candidate that are to be marked or not."""
        words = split_tokens(self.task.hypotheses[0], self.task.tokenizer)
        return consecutive_grams(words, self.marked_order)

    @property
    def given_values(self) -> dict[str, Value]:
        """The quantities that are told, with their values."""
        right = HandCalculation(self.task)
        return {name: right[name] for name in self.given}

    @property
    def settings(self) -> Settings:
        """The settings under which the core gives the key."""
        chosen = {"max_order": self.task.max_order, "tokenizer": self.task.tokenizer}
        return convention_settings("default", **chosen)

    def __str__(self) -> str:
        """Where it comes from, what it is about, and the names of what is asked."""
        asked = ", ".join(self.names)
        return f"{self.seed} {self.number + 1}, {self.topic} ({self.kind}), asks for {asked}"


def quantity_label(name: str) -> str:
    """What a quantity is called in full.

    >>> quantity_label("p-2"), quantity_label("bp")
    ('precision p₂', 'brevity penalty BP')
    """
    kind, _, n = name.partition("-")
    index = "₀₁₂₃₄"[int(n or 0)]
    return {
        "matched": f"credited {n}-grams",
        "total": f"{n}-grams of the candidate",
        "p": f"precision p{index}",
        "c": "length c of the candidate",
        "r": "reference length r",
        "bp": "brevity penalty BP",
        "gm": "geometric mean",
        "bleu": "BLEU",
    }[kind]


def step_anchor(name: str, *, corpus: bool = False) -> str:
    """The step that explains a quantity.

    >>> step_anchor("p-2"), step_anchor("p-2", corpus=True), step_anchor("bp")
    ('precision-2', 'precisions', 'brevity-penalty')
    """
    kind, _, n = name.partition("-")
    if kind in {"matched", "total"} or (corpus and kind in {"c", "r"}):
        return "sums" if corpus else f"precision-{n}"
    if kind == "p":
        return "precisions" if corpus else f"precision-{n}"
    return "brevity-penalty" if kind in {"c", "r", "bp"} else "score"


def effort_of(task: Task, names: tuple[str, ...]) -> int:
    """Looks, sums and fractions that it takes to work these quantities out.

    >>> effort_of(Task(("a b",), (("a c",),), 1), ("matched-1", "total-1", "p-1"))
    4
    """
    steps = 0
    for name in names:
        kind, _, order = name.partition("-")
        n = int(order or 0)
        for own, others in zip(task.hypotheses, task.references, strict=True):
            if kind == "matched":
                steps += max(0, len(own.split()) - n + 1) * len(others)
            steps += {"total": 1, "c": 1, "r": len(others)}.get(kind, 0)
        steps += {"p": 1, "bp": 3, "gm": 3, "bleu": 2}.get(kind, 0)
    return steps
