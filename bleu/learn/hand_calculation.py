"""BLEU computed by hand, quantity by quantity, correctly or with one stage replaced.

The core's scores are not used, so that a stage can be replaced and any quantity can be given. The
tests check that the correct method agrees with the core.
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
"""A function from a text and a tokenizer's name to the tokens."""
GramFunction = Callable[[Words, int], tuple[Gram, ...]]
"""A function from tokens and n to the n-grams."""
Divisor = Callable[[GramCounts, Sequence[GramCounts], int], int]
"""A function from n-gram counts (hypothesis, references) and hypothesis length to a denominator."""


@dataclass(frozen=True, slots=True)
class Task:
    """Segments to score; `references[i]` are the references of `hypotheses[i]`."""

    hypotheses: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    max_order: int = 2
    tokenizer: str = "whitespace"

    @property
    def segments(self) -> tuple["Task", ...]:
        """Each segment as a separate task."""
        return tuple(
            replace(self, hypotheses=(hypothesis,), references=(references,))
            for hypothesis, references in zip(self.hypotheses, self.references, strict=True)
        )

    def joined(self) -> "Task":
        """Return all segments joined into one; a segment with fewer references repeats its last."""
        count = max(map(len, self.references))
        padded = ((*texts, *texts[-1:] * (count - len(texts))) for texts in self.references)
        references = tuple(map(" ".join, zip(*padded, strict=True)))
        return replace(self, hypotheses=(" ".join(self.hypotheses),), references=(references,))

    def quantity_names(self) -> tuple[str, ...]:
        """Return the names of all quantities, in order of computation.

        >>> Task(("a",), (("a",),), 1).quantity_names()
        ('matched-1', 'total-1', 'p-1', 'c', 'r', 'bp', 'gm', 'bleu')
        """
        orders = range(1, self.max_order + 1)
        of_orders = (f"{kind}-{n}" for n in orders for kind in ("matched", "total", "p"))
        return (*of_orders, "c", "r", "bp", "gm", "bleu")


@lru_cache(maxsize=4096)
def split_tokens(text: str, tokenizer: str) -> Words:
    """Return the tokens of a text."""
    return tuple(map(str, TOKENIZERS[tokenizer](text)))


@lru_cache(maxsize=4096)
def consecutive_grams(words: Words, n: int) -> tuple[Gram, ...]:
    """Return all n-grams of the words, in order."""
    return tuple(words[start : start + n] for start in range(len(words) - n + 1))


def clip(count: int, reference_counts: Sequence[int]) -> int:
    """Return the clipped count of an n-gram: at most its largest count in one reference."""
    return min(count, max(reference_counts))


def closest(length: int, lengths: Sequence[int]) -> Value:
    """Return the reference length closest to the hypothesis length; the shorter wins a tie."""
    return Fraction(min(lengths, key=lambda r: (abs(r - length), r)))


def penalty(c: Value, r: Value) -> Value:
    """Return the brevity penalty: 1 if c >= r, else exp(1 - r/c), or 0 if c is 0."""
    if c >= r:
        return Fraction(1)
    return math.exp(1 - r / c) if c > 0 else Fraction(0)


def geometric_mean(precisions: Sequence[Value]) -> Value:
    """Return the N-th root of the product of N precisions."""
    return root(math.prod(precisions, start=Fraction(1)), len(precisions))


def root(number: Value, degree: int) -> Value:
    """Return the `degree`-th root of a non-negative number, exact if it is rational.

    >>> root(Fraction(1, 4), 2), root(Fraction(1, 2), 2)
    (Fraction(1, 2), 0.7071067811865476)
    """
    exact = Fraction(number)
    numerator, denominator = (round(part ** (1 / degree)) for part in exact.as_integer_ratio())
    if denominator and Fraction(numerator, denominator) ** degree == exact:
        return Fraction(numerator, denominator)
    return power(exact, Fraction(1, degree))


@dataclass(frozen=True, slots=True)
class Method:
    """A method of computing BLEU: a function for each stage, by default the correct one.

    - `credit`: (an n-gram's count, its counts in the references) to credited count.
    - `divisor`: (hypothesis counts, reference counts, hypothesis length) to denominator.
    - `length`: (hypothesis length, reference lengths) to effective reference length.
    - `penalty`: (c, r) to brevity penalty; `mean`: precisions to their mean.
    - `averaged`: the quantity that is wrongly averaged over segments: p, bp or bleu; "" if none.
    - `is_joined`: whether n-grams are counted across the borders of segments.
    """

    tokens: TokenizeFunction = split_tokens
    ngrams: GramFunction = consecutive_grams
    credit: Callable[[int, Sequence[int]], int] = clip
    divisor: Divisor = lambda hypothesis_counts, _, __: hypothesis_counts.total()
    length: Callable[[int, Sequence[int]], Value] = closest
    penalty: Callable[[Value, Value], Value] = penalty
    mean: Callable[[Sequence[Value]], Value] = geometric_mean
    averaged: str = ""
    is_joined: bool = False


CORRECT: Final = Method()
"""The correct method."""


@lru_cache(maxsize=4096)
def _gram_counts(
    tokens: TokenizeFunction, ngrams: GramFunction, text: str, tokenizer: str, n: int
) -> GramCounts:
    return Counter(ngrams(tokens(text, tokenizer), n))


@dataclass(slots=True)
class HandCalculation:
    """A calculation of a task's quantities by a method; `given` values are not computed.

    >>> task = Task(("the cat is on mat",), (("the cat is on the mat",),), 2)
    >>> HandCalculation(task)["p-2"], HandCalculation(task, given={"matched-2": Fraction(2)})["p-2"]
    (Fraction(3, 4), Fraction(1, 2))
    """

    task: Task
    method: Method = CORRECT
    given: Mapping[str, Value] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Value:
        """Return a quantity by name, given or computed."""
        return self.given[name] if name in self.given else self.calculate(name)

    def calculate(self, name: str) -> Value:
        """Compute a quantity from earlier ones, given or computed, even if it is given itself.

        Raises KeyError if there is no quantity of this name.
        """
        kind, _, order = name.partition("-")
        n = int(order or 0)
        if self.method.is_joined and order and len(self.task.hypotheses) > 1:
            method = replace(self.method, is_joined=False)
            return HandCalculation(self.task.joined(), method, self.given).calculate(name)
        if kind and kind == self.method.averaged and len(self.task.hypotheses) > 1:
            method = replace(self.method, averaged="")
            values = [HandCalculation(segment, method)[name] for segment in self.task.segments]
            return sum(values, start=Fraction(0)) / len(values)
        segments = range(len(self.task.hypotheses))
        match kind:
            case "matched":
                return Fraction(sum(sum(self.credits(i, n).values()) for i in segments))
            case "total":
                return Fraction(sum(self._total(i, n) for i in segments))
            case "p":
                total = self[f"total-{n}"]
                return self[f"matched-{n}"] / total if total else Fraction(0)
            case "c":
                return Fraction(sum(map(self._length, segments)))
            case "r":
                return sum(map(self._reference_length, segments), start=Fraction(0))
            case "bp":
                return self.method.penalty(self["c"], self["r"])
            case "gm":
                return self.method.mean([self[f"p-{n}"] for n in range(1, self.task.max_order + 1)])
            case "bleu":
                return self["bp"] * self["gm"]
            case _:
                raise KeyError(name)

    def credits(self, index: int, n: int) -> dict[Gram, int]:
        """Return the credited count of each n-gram of a segment's hypothesis."""
        reference_counts = self._reference_counts(index, n)
        return {
            gram: self.method.credit(count, [counts[gram] for counts in reference_counts])
            for gram, count in self._counts(self.task.hypotheses[index], n).items()
        }

    def _counts(self, text: str, n: int) -> GramCounts:
        return _gram_counts(self.method.tokens, self.method.ngrams, text, self.task.tokenizer, n)

    def _length(self, index: int) -> int:
        return len(self.method.tokens(self.task.hypotheses[index], self.task.tokenizer))

    def _reference_counts(self, index: int, n: int) -> list[GramCounts]:
        return [self._counts(text, n) for text in self.task.references[index]]

    def _total(self, index: int, n: int) -> int:
        hypothesis_counts = self._counts(self.task.hypotheses[index], n)
        reference_counts = self._reference_counts(index, n)
        return self.method.divisor(hypothesis_counts, reference_counts, self._length(index))

    def _reference_length(self, index: int) -> Value:
        texts = self.task.references[index]
        lengths = [len(self.method.tokens(text, self.task.tokenizer)) for text in texts]
        return self.method.length(self._length(index), lengths)


def calculate_all(
    task: Task,
    names: Sequence[str],
    method: Method = CORRECT,
    given: Mapping[str, Value] | None = None,
) -> dict[str, Value]:
    """Return the named quantities, each computed from those before it and the given values.

    `names` are in the order of `Task.quantity_names`.

    >>> calculate_all(Task(("a b",), (("a c",),), 1), ("matched-1", "total-1", "p-1"))
    {'matched-1': Fraction(1, 1), 'total-1': Fraction(2, 1), 'p-1': Fraction(1, 2)}
    """
    values = dict(given or {})
    for name in names:
        values[name] = HandCalculation(task, method, values).calculate(name)
    return {name: values[name] for name in names}
