"""BLEU computed by hand, quantity by quantity, correctly or with a stage changed.

It runs the method that scores, on the texts or on what a learner found: any quantity can be given.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import cache, lru_cache, partial
from typing import Any, Final, cast

from bleu.core.choices import TokenizerName
from bleu.core.tokenizers import TOKENIZERS, usual_tokenizer
from bleu.metric.algebra import Quantity
from bleu.metric.method import Counts, Let, Method, bleu, count
from bleu.metric.numerics import power

Change = Callable[[Method], Method]
"""What makes another method of one."""


def unchanged(method: Method) -> Method:
    """Return the method as it is."""
    return method


def changed(**stages: Any) -> Change:
    """Return the change that replaces stages, given by name."""
    return lambda method: replace(method, **stages)


def around(stage: str, wrap: Callable[[Any], Any]) -> Change:
    """Return the change that puts something around a stage.

    >>> folded = around("split", lambda split: lambda text: split(text.lower()))
    >>> count(folded(Method()), ["A b"], [["a B"]], 2).matched
    [2, 1]
    """
    return lambda method: replace(method, **{stage: wrap(getattr(method, stage))})


def both(first: Change, second: Change) -> Change:
    """Return two changes as one."""
    return lambda method: second(first(method))


def run(
    method: Method,
    hypotheses: Sequence[str],
    references: Any,
    max_order: int,
    let: Let,
    count: Callable[..., Counts] = count,
) -> Quantity:
    """Return BLEU of texts; a quantity that the method averages is that of single segments."""
    if method.averaged and len(hypotheses) > 1:
        single = replace(method, averaged="")
        segments = zip(hypotheses, references, strict=True)
        counts = [count(single, (text,), (texts,), max_order) for text, texts in segments]
        let = _averaging(method.averaged, [_quantities(single, part) for part in counts], let)
    return bleu(method, count(method, hypotheses, references, max_order), let=let)


def _quantities(method: Method, counts: Counts) -> dict[tuple[str, int], Quantity]:
    """Return every quantity of a score by name and order."""
    found: dict[tuple[str, int], Quantity] = {}
    bleu(method, counts, let=lambda name, n, value: found.setdefault((name, n), value))
    return found


def _averaging(averaged: str, parts: Sequence[Mapping[tuple[str, int], Quantity]], let: Let) -> Let:
    """Return a `let` that goes on with the average of the parts for one quantity."""

    def let_average(name: str, n: int, value: Quantity) -> Quantity:
        if name == averaged:
            value = sum((part[name, n] for part in parts), start=Fraction(0)) / len(parts)
        return let(name, n, value)

    return let_average


WORDS: Final = usual_tokenizer("spaces")
MARKS: Final = usual_tokenizer("marks")
"""The tokenizers of exercises: at white space, and also around punctuation."""
Value = Fraction | float
Words = tuple[str, ...]
Gram = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Task:
    """Segments to score; `references[i]` are the references of `hypotheses[i]`."""

    hypotheses: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    max_order: int = 2
    tokenizer: str = WORDS

    @property
    def segments(self) -> tuple["Task", ...]:
        """Each segment as a separate task."""
        return tuple(
            replace(self, hypotheses=(hypothesis,), references=(references,))
            for hypothesis, references in zip(self.hypotheses, self.references, strict=True)
        )

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
    return tuple(map(str, TOKENIZERS[cast(TokenizerName, tokenizer)](text)))


@lru_cache(maxsize=4096)
def consecutive_grams(words: Words, n: int) -> tuple[Gram, ...]:
    """Return all n-grams of the words, in order."""
    return tuple(words[start : start + n] for start in range(len(words) - n + 1))


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


CORRECT: Final = unchanged
"""The change that leaves the method correct."""


class _EnoughError(Exception):
    """All quantities that were asked for are computed."""


@cache
def method_by_hand(tokenizer: str, change: Change = CORRECT) -> Method:
    """Return the method of the exercises, changed; its mean is exact if it is rational."""
    if change is not CORRECT:
        return change(method_by_hand(tokenizer, CORRECT))
    return Method(
        split=partial(split_tokens, tokenizer=tokenizer),
        ngrams=consecutive_grams,
        mean=lambda precisions, *_: geometric_mean(precisions),
    )


@cache
def changed_stages(change: Change) -> Mapping[str, Any]:
    """Return the stages that a change replaces, by name."""
    correct, wrong = (method_by_hand(WORDS, each) for each in (CORRECT, change))
    stages = {stage.name: getattr(wrong, stage.name) for stage in fields(Method)}
    return {name: stage for name, stage in stages.items() if stage is not getattr(correct, name)}


@cache
def _counting_stages(method: Method) -> Method:
    """Return a method that counts alike, and is the same for all that count alike."""
    stages = ("split", "joined", "ngrams", "credit", "total", "length")
    return Method(**{stage: getattr(method, stage) for stage in stages})


_counts = lru_cache(maxsize=4096)(count)


def _counts_of(method: Method, hypotheses: Any, references: Any, max_order: int) -> Counts:
    return _counts(_counting_stages(method), hypotheses, references, max_order)


@dataclass(slots=True)
class HandCalculation:
    """A calculation of a task's quantities by a changed method; `given` values are not computed.

    >>> task = Task(("the cat is on mat",), (("the cat is on the mat",),), 2)
    >>> HandCalculation(task)["p-2"], HandCalculation(task, given={"matched-2": Fraction(2)})["p-2"]
    (Fraction(3, 4), Fraction(1, 2))
    """

    task: Task
    change: Change = CORRECT
    given: Mapping[str, Value] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Value:
        """Return a quantity by name, given or computed."""
        return self.given[name] if name in self.given else self.calculate(name)

    def calculate(self, name: str) -> Value:
        """Compute a quantity from earlier ones, given or computed, even if it is given itself.

        Raises KeyError if there is no quantity of this name.
        """
        return calculate_all(self.task, (name,), self.change, self.given)[name]

    def credits(self, index: int, n: int) -> dict[Gram, int]:
        """Return the credited count of each n-gram of a segment's hypothesis."""
        method = method_by_hand(self.task.tokenizer, self.change)
        texts = (self.task.hypotheses[index], *self.task.references[index])
        grams, *others = (Counter(method.ngrams(method.split(text), n)) for text in texts)
        return {
            gram: method.credit(k, [other[gram] for other in others]) for gram, k in grams.items()
        }


def calculate_all(
    task: Task,
    names: Sequence[str],
    change: Change = CORRECT,
    given: Mapping[str, Value] | None = None,
) -> dict[str, Value]:
    """Return the named quantities, each computed from those before it and the given values.

    `names` are in the order of `Task.quantity_names`; the run ends with the last of them.

    >>> calculate_all(Task(("a b",), (("a c",),), 1), ("matched-1", "total-1", "p-1"))
    {'matched-1': Fraction(1, 1), 'total-1': Fraction(2, 1), 'p-1': Fraction(1, 2)}
    """
    given, found = given or {}, dict[str, Value]()
    if not names:
        return found

    def let(quantity: str, n: int, value: Any) -> Any:
        name = f"{quantity}-{n}" if n else quantity.lower()
        value = Fraction(value) if isinstance(value, int) else value
        if name not in names:
            return given.get(name, value)
        found[name] = value
        if len(found) == len(names):
            raise _EnoughError
        return value

    method = method_by_hand(task.tokenizer, change)
    max_order = max(task.max_order, *(int(name.partition("-")[2] or 0) for name in names))
    with suppress(_EnoughError):
        run(method, task.hypotheses, task.references, max_order, let, _counts_of)
    return {name: found[name] for name in names}
