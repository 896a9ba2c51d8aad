"""The sentence that reads a score: what matches, what clipping takes, and what length costs."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bleu.core.api import Derivation
from bleu.core.ngrams import Order
from bleu.document.blocks import Quote, Span
from bleu.explanation.phrases import (
    count_with_noun,
    english_list,
    length_text,
    ngram_text,
    tokens_writing,
)
from bleu.explanation.symbols import Symbols

ORDER_NAMES: Final = ("", "words", "pairs", "triples", "fours")
"""The plain names of the n-grams, by order, which everybody understands."""


@dataclass(frozen=True, slots=True)
class ReadingPart:
    """A part of the sentence, and the step of the factor that it reads, or "" for none."""

    spans: tuple[Span, ...]
    anchor: str = ""


def order_name(n: int) -> str:
    """Return the plain name of the n-grams of an order.

    >>> order_name(2), order_name(5)
    ('pairs', '5-grams')
    """
    return ORDER_NAMES[n] if n < len(ORDER_NAMES) else f"{n}-grams"


def reading(derivation: Derivation) -> tuple[ReadingPart, ...]:
    """Return the sentence that reads a score above 0, in parts; each names its factor.

    >>> from bleu import derive
    >>> parts = reading(derive("the cat is on mat", ["the cat is on the mat"]))
    >>> print("".join(text for part in parts for text in part.spans))
    5 of 5 words and 3 of 4 word pairs are in the reference; being one word shorter costs 18 %.
    >>> [part.anchor for part in parts if part.anchor]
    ['precision-1', 'precision-2', 'brevity-penalty']
    """
    parts = [*_matching(derivation)]
    for part in (*_empty_orders(derivation), *_length(derivation)):
        parts += [ReadingPart(("; ",)), part]
    return (*parts, ReadingPart((".",)))


def _matching(derivation: Derivation) -> Iterator[ReadingPart]:
    """Yield how many n-grams of the two lowest orders match, or how many 1-grams are clipped."""
    weights, noun = derivation.score.weights, token_noun(derivation)
    orders = [order for order in derivation.orders if weights[order.n - 1] and order.total][:2]
    where = "the reference" if len(derivation.references) == 1 else "a reference"
    if orders[0].n == 1 and orders[0].vanilla > orders[0].matched:
        yield _clipping(orders[0], noun, where)
        return
    for order in orders:
        name = {1: noun, 2: f"{noun} pair"}.get(order.n, order_name(order.n)[:-1])
        share = f"{order.matched:,} of {count_with_noun(order.total, name)}"
        yield ReadingPart((share,), f"precision-{order.n}")
        if order is not orders[-1]:
            yield ReadingPart((" and ",))
    verb = "is" if len(orders) == orders[0].matched == 1 else "are"
    yield ReadingPart((f" {verb} in {where}",))


def _clipping(order: Order, noun: str, where: str) -> ReadingPart:
    """Return how many 1-grams clipping leaves, and the token that loses most."""
    worst = max(order.matches(), key=lambda match: match.count - match.clipped_count)
    maximum = worst.clipped_count
    times = {1: "once", 2: "twice"}.get(maximum, f"{maximum:,} times")
    unclipped, counts = order.vanilla, "counts" if order.matched == 1 else "count"
    start = "All " if unclipped == order.total else f"{unclipped:,} of "
    has, limit = (f"{where} has ", "only")
    if where == "a reference":
        has, limit = "no reference has ", "more than"
    return ReadingPart(
        (
            f"{start}{count_with_noun(order.total, noun)} are in {where}, "
            f"but only {order.matched:,} {counts}: {has}",
            Quote(ngram_text(worst.ngram), tokens_writing(order.hypothesis)),
            f" {limit} {times}",
        ),
        "precision-1",
    )


def _empty_orders(derivation: Derivation) -> Iterator[ReadingPart]:
    """Yield what becomes of the orders without a match: they are smoothed, or left out."""
    symbols, score = Symbols(derivation.score), derivation.score
    empty = [n for n, matched in enumerate(score.matched) if not matched]
    smoothed = [n for n in empty if symbols.is_smoothed(n) and score.weights[n]]
    left_out = [n for n in empty if symbols.is_left_out(n)]
    for orders, text in (
        (smoothed, "smoothing fills in for the {}, without a match"),
        (left_out, "the {} are left out"),
    ):
        if orders:
            names = [order_name(n + 1) for n in orders]
            listed = english_list(names) if len(names) < 4 else f"{names[0]} to {names[-1]}"
            yield ReadingPart((text.format(listed),), f"precision-{orders[0] + 1}")


def _length(derivation: Derivation) -> Iterator[ReadingPart]:
    """Yield what the brevity penalty costs, in percent, unless it is 1."""
    score, noun = derivation.score, token_noun(derivation)
    cost = 100 * (1 - score.brevity_penalty)
    if cost:
        missing = score.reference_length - score.hypothesis_length
        length = f"one {noun}" if missing == 1 else f"{length_text(missing)} {noun}s"
        percent = "less than 1 %" if cost < 1 else "almost 100 %" if cost > 99 else f"{cost:.0f} %"
        yield ReadingPart((f"being {length} shorter costs {percent}",), "brevity-penalty")


def token_noun(derivation: Derivation) -> str:
    """Return the noun for a token, which is a word if texts are split at white space.

    >>> from bleu import derive
    >>> token_noun(derive("a", ["a"])), token_noun(derive("a", ["a"], tokenizer="char"))
    ('word', 'token')
    """
    return "word" if derivation.settings.tokenizer == "whitespace" else "token"
