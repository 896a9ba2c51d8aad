"""The exercise: texts, the fields to fill in, and the misconceptions that it reveals."""

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
from bleu.learn.misconceptions import MISCONCEPTIONS, Misconception

MAX_EFFORT: Final = {True: 90, False: 180}
"""The largest effort without a calculator (True) and with one (False); see `effort_of`."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field to fill in.

    - `name`: a quantity, or `words`, `line`, `setting`, `order`, `text` or `claim`.
    - `anchor`: the step of the derivation that explains it.
    - `answer`: the right answer, or "" if the field is a quantity or `words`.
    - `options`: the answers to choose from; empty if any answer can be typed.
    """

    name: str
    label: str
    anchor: str
    answer: str = ""
    options: tuple[str, ...] = ()

    @property
    def is_quantity(self) -> bool:
        """Whether the answer is the value of a quantity."""
        return not self.answer and self.name != "words"


@dataclass(frozen=True, slots=True, repr=False)
class Exercise(DisplayMixin):
    """An exercise: texts, the fields to fill in, and the misconceptions that it reveals.

    - `seed`, `number`: the seed that it is generated from, and its 0-based position.
    - `by_hand`: whether it can be solved without a calculator.
    - `kind`, `topic`: from `bleu.learn.kinds.KINDS` and `bleu.learn.misconceptions.TOPICS`.
    - `fields`: the fields to fill in, in order of computation.
    - `given`: the names of the quantities whose values are given.
    - `misconceptions`: those that a wrong answer can be attributed to, the target first.
    - `effort`: see `effort_of`; at most `MAX_EFFORT[by_hand]`.
    - `detail`: the goal of a text, the number that a setting gives, the name of a claim, or the
      order of the n-grams to mark if it is not 1.
    """

    seed: str
    number: int
    by_hand: bool
    kind: str
    topic: str
    task: Task
    fields: tuple[Field, ...] = ()
    given: tuple[str, ...] = ()
    misconceptions: tuple[str, ...] = ()
    effort: int = 0
    detail: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the fields."""
        return tuple(field.name for field in self.fields)

    @property
    def is_choice(self) -> bool:
        """Whether one of several answers is to be chosen."""
        return bool(self.fields[0].options)

    @property
    def is_calculation(self) -> bool:
        """Whether every field is a quantity to work out."""
        return self.fields[0].is_quantity and not self.is_choice

    @property
    def target(self) -> Misconception:
        """The misconception that the exercise targets."""
        return MISCONCEPTIONS[self.misconceptions[0]]

    @property
    def hypotheses(self) -> tuple[str, ...]:
        """The hypotheses, one per segment."""
        return self.task.hypotheses

    @property
    def references(self) -> tuple[tuple[str, ...], ...]:
        """The references of each hypothesis."""
        return self.task.references

    @property
    def max_order(self) -> int:
        """The largest n-gram order N."""
        return self.task.max_order

    @property
    def marked_order(self) -> int:
        """The order of the n-grams to mark."""
        return int(self.detail) if self.names == ("words",) and self.detail else 1

    @property
    def marked_grams(self) -> tuple[Gram, ...]:
        """The n-grams of the hypothesis, some of which are to be marked."""
        tokens = split_tokens(self.task.hypotheses[0], self.task.tokenizer)
        return consecutive_grams(tokens, self.marked_order)

    @property
    def given_values(self) -> dict[str, Value]:
        """The values of the given quantities, by name."""
        calculation = HandCalculation(self.task)
        return {name: calculation[name] for name in self.given}

    @property
    def settings(self) -> Settings:
        """The settings with which `corpus_bleu` gives the right score."""
        options = {"max_order": self.task.max_order, "tokenizer": self.task.tokenizer}
        return convention_settings("default", **options)

    def __str__(self) -> str:
        """Return seed, 1-based number, topic, kind and fields in one line."""
        names = ", ".join(self.names)
        return f"{self.seed} {self.number + 1}, {self.topic} ({self.kind}), asks for {names}"


_QUANTITY_LABELS: Final = {
    "matched": "credited {n}-grams",
    "total": "{n}-grams of the candidate",
    "p": "precision p{index}",
    "c": "length c of the candidate",
    "r": "reference length r",
    "bp": "brevity penalty BP",
    "gm": "geometric mean",
    "bleu": "BLEU",
}


def quantity_label(name: str) -> str:
    """Return the full name of a quantity.

    >>> quantity_label("p-2"), quantity_label("bp")
    ('precision p₂', 'brevity penalty BP')
    """
    kind, _, n = name.partition("-")
    return _QUANTITY_LABELS[kind].format(n=n, index="₀₁₂₃₄"[int(n or 0)])


def step_anchor(name: str, *, corpus: bool = False) -> str:
    """Return the anchor of the step that explains a quantity.

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
    """Return the number of lookups, sums and fractions that the quantities take by hand.

    Each takes a learner about three seconds.

    >>> effort_of(Task(("a b",), (("a c",),), 1), ("matched-1", "total-1", "p-1"))
    4
    """
    steps = 0
    for name in names:
        kind, _, order = name.partition("-")
        n = int(order or 0)
        for hypothesis, references in zip(task.hypotheses, task.references, strict=True):
            if kind == "matched":
                steps += max(0, len(hypothesis.split()) - n + 1) * len(references)
            steps += {"total": 1, "c": 1, "r": len(references)}.get(kind, 0)
        steps += {"p": 1, "bp": 3, "gm": 3, "bleu": 2}.get(kind, 0)
    return steps
