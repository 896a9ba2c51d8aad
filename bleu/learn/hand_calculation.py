"""Ways to work BLEU out by hand, quantity by quantity, right or with one stage wrong.

This is BLEU as a learner does it, written a second time and apart from the core, so that a stage
can be replaced and any quantity can be given; the tests hold the right way equal to the core.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Final

from bleu.core.numerics import power
from bleu.core.tokenizers import TOKENIZERS

Value = Fraction | float
Words = tuple[str, ...]
Gram = tuple[str, ...]
GramCounts = Counter[Gram]
TokenizeFunction = Callable[[str, str], Words]
"""From a text and the name of a tokenizer to its tokens."""
GramFunction = Callable[[Words, int], tuple[Gram, ...]]
"""From tokens and n to the n-grams."""


@dataclass(frozen=True, slots=True)
class Task:
    """Texts to be scored: `references[i]` are those of `hypotheses[i]`, and N is `max_order`."""

    hypotheses: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    max_order: int = 2
    tokenizer: str = "whitespace"

    @property
    def segments(self) -> tuple["Task", ...]:
        """Each segment as a task of its own."""
        return tuple(
            replace(self, hypotheses=(own,), references=(others,))
            for own, others in zip(self.hypotheses, self.references, strict=True)
        )

    def quantity_names(self) -> tuple[str, ...]:
        """The quantities of the whole computation, in the order in which they are worked out.

        >>> Task(("a",), (("a",),), 1).quantity_names()
        ('matched-1', 'total-1', 'p-1', 'c', 'r', 'bp', 'gm', 'bleu')
        """
        orders = range(1, self.max_order + 1)
        each = (f"{kind}-{n}" for n in orders for kind in ("matched", "total", "p"))
        return (*each, "c", "r", "bp", "gm", "bleu")


@lru_cache(maxsize=4096)
def split_tokens(text: str, tokenizer: str) -> Words:
    """The tokens of a text."""
    return tuple(map(str, TOKENIZERS[tokenizer](text)))


@lru_cache(maxsize=4096)
def consecutive_grams(words: Words, n: int) -> tuple[Gram, ...]:
    """Every n neighbouring words."""
    return tuple(words[at : at + n] for at in range(len(words) - n + 1))


def clip(count: int, reference_counts: Sequence[int]) -> int:
    """What is credited of an n-gram: its count, and at most the largest in one reference."""
    return min(count, max(reference_counts))


def candidate_gram_count(own: GramCounts, others: Sequence[GramCounts], length: int) -> int:  # noqa: ARG001
    """What is divided by: the candidate's n-grams."""
    return own.total()


def closest(length: int, lengths: Sequence[int]) -> Value:
    """The reference length closest to the candidate's, and of two as close the shorter."""
    return Fraction(min(lengths, key=lambda other: (abs(other - length), other)))


def penalty(c: Value, r: Value) -> Value:
    """1 where the candidate is not shorter, else exp(1 - r/c)."""
    if c >= r:
        return Fraction(1)
    return math.exp(1 - r / c) if c > 0 else Fraction(0)


def geometric_mean(precisions: Sequence[Value]) -> Value:
    """The root of the product."""
    return root(math.prod(precisions, start=Fraction(1)), len(precisions))


def root(number: Value, degree: int) -> Value:
    """The root of a number that is not negative, exact where it is a fraction.

    >>> root(Fraction(1, 4), 2), root(Fraction(1, 2), 2)
    (Fraction(1, 2), 0.7071067811865476)
    """
    exact = Fraction(number)
    above, below = (round(part ** (1 / degree)) for part in exact.as_integer_ratio())
    if below and Fraction(above, below) ** degree == exact:
        return Fraction(above, below)
    return power(exact, Fraction(1, degree))


@dataclass(frozen=True, slots=True)
class Method:
    """A way to work BLEU out: each stage as a function, and the right one unless replaced.

    `averaged` names what of a corpus is averaged over its segments: p, bp or bleu; right is nothing.
    """

    tokens: TokenizeFunction = split_tokens
    ngrams: GramFunction = consecutive_grams
    credit: Callable[[int, Sequence[int]], int] = clip
    divisor: Callable[[GramCounts, Sequence[GramCounts], int], int] = candidate_gram_count
    length: Callable[[int, Sequence[int]], Value] = closest
    penalty: Callable[[Value, Value], Value] = penalty
    mean: Callable[[Sequence[Value]], Value] = geometric_mean
    averaged: str = ""


CORRECT: Final = Method()
"""BLEU as it is."""


@lru_cache(maxsize=4096)
def _tally(
    tokens: TokenizeFunction, ngrams: GramFunction, text: str, tokenizer: str, n: int
) -> GramCounts:
    return Counter(ngrams(tokens(text, tokenizer), n))


@dataclass(slots=True)
class HandCalculation:
    """One working-out of a task by a method; `given` are quantities taken as given.

    >>> task = Task(("the cat is on mat",), (("the cat is on the mat",),), 2)
    >>> HandCalculation(task)["p-2"], HandCalculation(task, given={"matched-2": Fraction(2)})["p-2"]
    (Fraction(3, 4), Fraction(1, 2))
    """

    task: Task
    method: Method = CORRECT
    given: Mapping[str, Value] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Value:
        """A quantity by its name, from `given` or worked out from those before it."""
        return self.given[name] if name in self.given else self.calculate(name)

    def calculate(self, name: str) -> Value:
        """A quantity, worked out even where it is known.

        Raises KeyError for a name that there is not.
        """
        kind, _, order = name.partition("-")
        n = int(order or 0)
        if kind and kind == self.method.averaged and len(self.task.hypotheses) > 1:
            alone = replace(self.method, averaged="")
            values = [HandCalculation(task, alone)[name] for task in self.task.segments]
            return sum(values, start=Fraction(0)) / len(values)
        match kind:
            case "matched":
                return Fraction(sum(sum(self.credits(at, n).values()) for at in self._places))
            case "total":
                return Fraction(sum(self._total(at, n) for at in self._places))
            case "p":
                return self._precision(n)
            case "c":
                return Fraction(sum(len(self._hypothesis(at)) for at in self._places))
            case "r":
                return sum(map(self._length, self._places), start=Fraction(0))
            case "bp":
                return self.method.penalty(self["c"], self["r"])
            case "gm":
                return self.method.mean([self[f"p-{n}"] for n in range(1, self.task.max_order + 1)])
            case "bleu":
                return self["bp"] * self["gm"]
            case _:
                raise KeyError(name)

    def credits(self, at: int, n: int) -> dict[Gram, int]:
        """How many of each n-gram of a segment's hypothesis are credited."""
        others = [self._tally(text, n) for text in self.task.references[at]]
        return {
            gram: self.method.credit(count, [other[gram] for other in others])
            for gram, count in self._tally(self.task.hypotheses[at], n).items()
        }

    @property
    def _places(self) -> range:
        return range(len(self.task.hypotheses))

    def _hypothesis(self, at: int) -> Words:
        return self.method.tokens(self.task.hypotheses[at], self.task.tokenizer)

    def _tally(self, text: str, n: int) -> GramCounts:
        return _tally(self.method.tokens, self.method.ngrams, text, self.task.tokenizer, n)

    def _total(self, at: int, n: int) -> int:
        others = [self._tally(text, n) for text in self.task.references[at]]
        own = self._tally(self.task.hypotheses[at], n)
        return self.method.divisor(own, others, len(self._hypothesis(at)))

    def _length(self, at: int) -> Value:
        texts = self.task.references[at]
        lengths = [len(self.method.tokens(text, self.task.tokenizer)) for text in texts]
        return self.method.length(len(self._hypothesis(at)), lengths)

    def _precision(self, n: int) -> Value:
        total = self[f"total-{n}"]
        return self[f"matched-{n}"] / total if total else Fraction(0)


def calculate_all(
    task: Task,
    names: Sequence[str],
    method: Method = CORRECT,
    given: Mapping[str, Value] | None = None,
) -> dict[str, Value]:
    """Some quantities in the order of `quantity_names`, each from those before it and from what is given.

    >>> calculate_all(Task(("a b",), (("a c",),), 1), ("matched-1", "total-1", "p-1"))
    {'matched-1': Fraction(1, 1), 'total-1': Fraction(2, 1), 'p-1': Fraction(1, 2)}
    """
    known = dict(given or {})
    for name in names:
        known[name] = HandCalculation(task, method, known).calculate(name)
    return {name: known[name] for name in names}
