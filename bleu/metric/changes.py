"""Changes of a method, which make a mistake of it or another tool, and its run on texts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from bleu.metric.algebra import Quantity
from bleu.metric.method import Counts, Let, Method, bleu, count

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


CountFunction = Callable[[Method, Sequence[str], Any, int], Counts]
"""A function with the arguments of `metric.method.count`, such as one that remembers results."""


def run(
    method: Method,
    hypotheses: Sequence[str],
    references: Any,
    max_order: int,
    let: Let,
    count: CountFunction = count,
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
