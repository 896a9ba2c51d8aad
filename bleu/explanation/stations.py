"""The stations of a score: each factor of its formula, and their product, on the reader's texts."""

from collections.abc import Iterator
from math import isfinite
from typing import Final

from bleu.core.api import Derivation
from bleu.core.ngrams import Order
from bleu.document import blocks as doc
from bleu.explanation.figures import contributions
from bleu.explanation.phrases import count_with_noun, subscript
from bleu.explanation.score_steps import penalty_sentence, smoothing_name
from bleu.explanation.steps import (
    length_table,
    ngram_table,
    reference_length_spans,
    too_short_note,
)
from bleu.explanation.summary import clipping_part, order_name, token_noun
from bleu.explanation.symbols import Symbols, Trace
from bleu.metric.expressions import Num, substitute

MAX_CHIPS: Final = 300
"""The maximum number of n-grams of a station; as many tokens of a text have marks."""


def station_names(derivation: Derivation) -> dict[str, str]:
    """Return the plain names of the stations by their steps, in the order of the tour.

    >>> from bleu import derive
    >>> list(station_names(derive("a b", ["a c"], max_order=2)).values())
    ['words', 'pairs', 'length', 'the score']
    """
    precisions = {f"precision-{order.n}": order_name(order.n) for order in derivation.orders}
    return {**precisions, "brevity-penalty": "length", "score": "the score"}


def station(derivation: Derivation, anchor: str) -> doc.Step:
    """Return a station: a sentence about a factor, then its n-grams or lengths, and its equation.

    Raises KeyError if the derivation has no such station.

    >>> from bleu import derive
    >>> station(derive("a b", ["a c"], max_order=2), "precision-2").blocks[0].spans
    ('The only pair is not in the reference.',)
    """
    name, symbols = station_names(derivation)[anchor], Symbols(derivation.score)
    if anchor == "brevity-penalty":
        blocks = _length_blocks(derivation, symbols)
    elif anchor == "score":
        blocks = _product_blocks(derivation, symbols)
    else:
        blocks = _order_blocks(derivation, symbols, int(anchor.removeprefix("precision-")))
    return doc.Step(anchor, f"{name[0].upper()}{name[1:]}", tuple(blocks))


def _order_blocks(derivation: Derivation, symbols: Symbols, n: int) -> Iterator[doc.Block]:
    order, index = derivation.orders[n - 1], n - 1
    if order.total:
        yield doc.paragraph(*_matching_spans(derivation, order))
        yield ngram_table(order, MAX_CHIPS)
        yield symbols.counted_equation(index)
    else:
        yield too_short_note(order, symbols)
    if symbols.is_smoothed(index):
        name = smoothing_name(derivation.settings)
        yield doc.paragraph(f"{name[0].upper()}{name[1:]} changes it:")
        smoothed = Trace.of(symbols).smoothing
        yield from [each for each in smoothed if each.left == symbols.precision(index)]
    elif order.total and not symbols.score.weights[index]:
        yield doc.paragraph("It does not count: its weight is 0.")


def _matching_spans(derivation: Derivation, order: Order) -> tuple[doc.Span, ...]:
    """Return how many n-grams of an order are in a reference, and how many of them are cut off."""
    noun = token_noun(derivation)
    name = noun if order.n == 1 else order_name(order.n)[:-1]
    where = "the reference" if len(derivation.references) == 1 else "a reference"
    if order.vanilla > order.matched:
        return (*clipping_part(order, name, where).spans, ".")
    matched, total = order.matched, order.total
    if total == 1:
        return (f"The only {name} is {'' if matched else 'not '}in {where}.",)
    counted = count_with_noun(total, name)
    start = f"{matched:,} of {counted}" if matched else f"None of the {counted}"
    if matched == total:
        start = f"All {counted}"
    return (f"{start} {'is' if matched < 2 else 'are'} in {where}.",)


def _length_blocks(derivation: Derivation, symbols: Symbols) -> Iterator[doc.Block]:
    yield doc.paragraph(*reference_length_spans(derivation, symbols))
    if len(derivation.references) > 1:
        yield length_table(derivation)
    yield penalty_sentence(symbols)
    yield Trace.of(symbols).results["BP"]


def _product_blocks(derivation: Derivation, symbols: Symbols) -> Iterator[doc.Block]:
    """Yield the product, and its mean computed in two ways, which agree."""
    score, results = derivation.score, Trace.of(symbols).results
    yield doc.paragraph(
        "Penalty ", Num(score.brevity_penalty), " × mean ", Num(score.geometric_mean), " = ",
        Num(score.value), f". {_loss_text(derivation)}",
    )  # fmt: skip
    if (n := derivation.settings.max_order) > 1:
        yield doc.paragraph(
            f"BLEU-{n} is cumulative: it combines the individual precisions p₁ to p{subscript(n)}."
        )
    ways = (
        ("The mean with logarithms", "GM", score.geometric_mean),
        ("as a product", "GM′", score.cross_check.geometric_mean),
    )
    yield doc.Table(
        "cross-check",
        "The mean, computed in two ways",
        ("Way", "Formula", "All digits"),
        tuple(
            doc.Row((way, substitute(results[name].formula), repr(value).removesuffix(".0")))
            for way, name, value in ways
        ),
    )


def _loss_text(derivation: Derivation) -> str:
    """Return which factor costs most of the score, as a sentence."""
    score = derivation.score
    names = [order_name(n) for n, weight in enumerate(score.weights, 1) if weight]
    starts = (*(f"The {name} cost" for name in names), "The length costs")
    losses = [term.value for term in contributions(score)]
    if (most := min(losses)) >= 0:
        return "No factor lowers it."
    start = starts[losses.index(most)]
    return f"{start} most." if isfinite(most) else f"{start} everything: a factor is 0."
