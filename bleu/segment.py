"""One segment, from text to statistics: the only place where a segment is counted."""

from collections.abc import Sequence
from dataclasses import dataclass

from bleu.brevity import REFERENCE_LENGTHS
from bleu.ngrams import Order, match
from bleu.settings import Settings
from bleu.statistics import Details, Statistics
from bleu.tokenizers import Text, Tokens, is_text, tokenize

Tokenized = tuple[Tokens, tuple[Tokens, ...]]
"""The tokens of a hypothesis, and of each of its references."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A hypothesis with its references: tokens, orders 1 to N, and their statistics."""

    hypothesis: Tokens
    references: tuple[Tokens, ...]
    orders: tuple[Order, ...]
    statistics: Statistics


def analyse(settings: Settings, hypothesis: Text, references: Sequence[Text]) -> Segment:
    """Tokenize and count one segment.

    `hypothesis` is text or a sequence of tokens, `references` a sequence of such, at least one.

    Raises TypeError for a bare string or something else where the list of references belongs,
    and for text on one side and tokens on the other; ValueError for an empty list.

    >>> analyse(Settings(max_order=2), "a b", ["a c b"]).statistics.matched
    (2, 0)
    """
    return count(tokenized(settings, hypothesis, references), settings)


def tokenized(settings: Settings, hypothesis: Text, references: Sequence[Text]) -> Tokenized:
    """The tokens of a hypothesis and of each of its references; errors as in `analyse`."""
    check_references(hypothesis, references)
    tokens, *others = (
        tokenize(text, settings.tokenizer, lowercase=settings.lowercase, case=settings.case)
        for text in (hypothesis, *references)
    )
    return tokens, tuple(others)


def count(texts: Tokenized, settings: Settings, known: Segment | None = None) -> Segment:
    """Count one segment's tokens; `known` is the same texts counted for other settings."""
    tokens, others = texts
    orders = (
        known.orders
        if known
        else tuple(match(tokens, others, n) for n in range(1, settings.max_order + 1))
    )
    rule = REFERENCE_LENGTHS[settings.reference_length]
    statistics = Statistics(
        tuple(order.matched for order in orders),
        tuple(order.total for order in orders),
        len(tokens),
        rule(len(tokens), [len(other) for other in others]),
        _details(tokens, others, orders) if settings.detailed else None,
    )
    return Segment(tokens, others, orders, statistics)


def _details(
    hypothesis: Tokens, references: tuple[Tokens, ...], orders: tuple[Order, ...]
) -> Details:
    fifth = match(hypothesis, references, 5)
    counts = (fifth.matched, fifth.total)
    return Details(
        tuple(int(not order.total) for order in orders),
        tuple(int(not order.matched) for order in orders),
        counts,
        counts,
        tuple(order.total for order in orders),
    )


def check_references(hypothesis: Text, references: object, name: str = "references") -> None:
    """Refuse what is no list of references for this hypothesis, saying what it is instead."""
    if not is_text(hypothesis):
        raise TypeError(
            "a hypothesis is text or a sequence of tokens, "
            f"not {type(hypothesis).__name__}: {hypothesis!r}"
        )
    if isinstance(references, str):
        raise TypeError(
            f"{name} is a single text, {references[:60]!r}; "
            "give a list of references, even if it has only one"
        )
    if not is_text(references) or not isinstance(references, Sequence):
        raise TypeError(
            f"{name} is a {type(references).__name__}; "
            "give a list of references, each a text or a list of tokens"
        )
    if not references:
        raise ValueError(f"{name} is empty; give at least one reference")
    for number, reference in enumerate(references, 1):
        if not is_text(reference):
            raise TypeError(
                f"{name} has {reference!r} at place {number}; "
                "give a list of references, each a text or a list of tokens"
            )
        if isinstance(reference, str) != isinstance(hypothesis, str):
            kinds = ("text", "a list of tokens")
            mine, its = kinds if isinstance(hypothesis, str) else kinds[::-1]
            raise TypeError(
                f"the hypothesis is {mine} and reference {number} in {name} is {its}, "
                f"{reference!r}; give both in the same form"
            )
