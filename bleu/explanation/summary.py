"""A result in words: its summary, the sentence that reads it, and the cause of a score of 0."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bleu.analysis.zero import Remedy, ZeroDiagnosis, diagnose_zero, uses_min_float
from bleu.core.api import Derivation
from bleu.core.ngrams import Order
from bleu.core.score import Score
from bleu.document import blocks as doc
from bleu.explanation.phrases import (
    count_with_noun,
    english_list,
    length_text,
    ngram_text,
    subscript,
    tokens_writing,
)
from bleu.explanation.score_steps import smoothing_name
from bleu.explanation.symbols import Symbols
from bleu.metric.expressions import Num
from bleu.metric.smoothings import SMOOTHINGS

INTERPRETATION_BANDS: Final = (
    (10, "below 10", "almost useless"),
    (20, "of 10–19", "hard to get the gist"),
    (30, "of 20–29", "the gist is clear, with significant errors of grammar"),
    (40, "of 30–40", "understandable to good translations"),
    (50, "of 40–50", "high quality translations"),
    (60, "of 50–60", "very high quality, adequate and fluent translations"),
    (101, "above 60", "quality often better than human"),
)
"""Upper limit on the 0–100 scale, label and meaning of the bands published by Google Cloud."""

_EMPTY_TEXT_NOTE: Final = doc.paragraph("There is nothing to compare yet: a text is empty.")
ORDER_NAMES: Final = ("", "words", "pairs", "triples", "fours")
"""The plain names of the n-grams, by order, which everybody understands."""


def summarize(derivation: Derivation, symbols: Symbols) -> doc.Summary:
    """Return the summary of a derivation."""
    score = derivation.score
    has_texts = derivation.hypothesis and any(derivation.references)
    return doc.Summary(
        f"BLEU-{derivation.settings.max_order}",
        score.value,
        "Cross-checked: logarithms and product give the same score.",
        facts(score),
        precisions_table(symbols),
        derivation.signature,
        _remarks(derivation),
        _above_one_note(score.value) if has_texts else _EMPTY_TEXT_NOTE,
    )


def facts(score: Score) -> tuple[doc.Fact, ...]:
    """Return the two factors of the score and the two lengths."""
    return (
        doc.Fact("Brevity penalty", Num(score.brevity_penalty), "brevity-penalty"),
        doc.Fact("Geometric mean", Num(score.geometric_mean), "score"),
        doc.Fact("Candidate length c", Num(score.hypothesis_length), "brevity-penalty"),
        doc.Fact("Reference length r", Num(score.reference_length), "brevity-penalty"),
    )


def precisions_table(symbols: Symbols, *, scale_100: bool = False) -> doc.Table:
    """Return the table of the orders: matched/total before smoothing, and precision after it.

    `scale_100` shows the precisions on the 0–100 scale.
    """
    score, precisions = symbols.score, symbols.score.precisions
    min_float = uses_min_float(symbols.settings)
    rows = tuple(
        doc.Row(
            (
                symbols.precision(order),
                f"{matched}/{total}",
                "left out"
                if symbols.is_left_out(order)
                else doc.Meter(precisions[order], scale_100),
            ),
            "smoothed" if symbols.is_smoothed(order) and not min_float else "",
            anchor=f"precision-{order + 1}",
        )
        for order, (matched, total) in enumerate(zip(score.matched, score.total, strict=True))
    )
    scale = "Precision, 0–100" if scale_100 else "Precision, 0–1"
    return doc.Table("precisions", "Modified precisions", ("Order", "Matched / total", scale), rows)


def _remarks(derivation: Derivation) -> tuple[doc.Paragraph, ...]:
    diagnosis = diagnose_zero(derivation)
    if diagnosis is None:
        return ()
    remedies = remedies_paragraph(diagnosis)
    return (zero_paragraph(diagnosis, derivation), *((remedies,) if remedies else ()))


def interpretation(value: float) -> doc.Paragraph:
    """Return how a published guide interprets a corpus score, or a note if the score exceeds 1."""
    if warning := _above_one_note(value):
        return warning
    bands = (band for band in INTERPRETATION_BANDS if value * 100 < band[0])
    _, label, meaning = next(bands, INTERPRETATION_BANDS[-1])
    return doc.paragraph(
        f"Google Cloud’s guide describes a score {label} as: {meaning}. Such bands are meant for "
        "whole corpora."
    )


def _above_one_note(value: float) -> doc.Paragraph | None:
    """Return a note if the score exceeds 1, which no published band covers, else None."""
    if value <= 1:
        return None
    return doc.paragraph(
        "A score above 100 is off the scale of BLEU, which this smoothing can exceed; no published "
        "band is meant for it."
    )


@dataclass(frozen=True, slots=True)
class ReadingPart:
    """A part of the sentence, and the step of the factor that it reads, or "" for none."""

    spans: tuple[doc.Span, ...]
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
    5 of 5 words and 3 of 4 pairs are in the reference; being one word shorter costs 18 %.
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
        yield clipping_part(orders[0], noun, where)
        return
    for order in orders:
        name = noun if order.n == 1 else order_name(order.n)[:-1]
        share = f"{order.matched:,} of {count_with_noun(order.total, name)}"
        yield ReadingPart((share,), f"precision-{order.n}")
        if order is not orders[-1]:
            yield ReadingPart((" and ",))
    verb = "is" if len(orders) == orders[0].matched == 1 else "are"
    yield ReadingPart((f" {verb} in {where}",))


def clipping_part(order: Order, noun: str, where: str) -> ReadingPart:
    """Return how many n-grams clipping leaves, and the one in a reference that loses most."""
    shared = [match for match in order.matches() if match.clipped_count]
    worst = max(shared, key=lambda match: match.count - match.clipped_count)
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
            doc.Quote(ngram_text(worst.ngram), tokens_writing(order.hypothesis)),
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


def zero_paragraph(diagnosis: ZeroDiagnosis, derivation: Derivation) -> doc.Paragraph:
    """Return a paragraph on the cause, and on the number that NLTK prints.

    The first span is the question, the second the cause.

    >>> from bleu import derive
    >>> from bleu.analysis.zero import diagnose_zero
    >>> derivation = derive("a b c", ["a b c"], convention="nltk-method0")
    >>> zero_paragraph(diagnose_zero(derivation), derivation).spans[0]
    Strong(text='Why almost 0?')
    """
    question = "Why almost 0?" if diagnosis.value else "Why 0?"
    details = _higher_orders_text(diagnosis, derivation)
    printed = _number_text(diagnosis.nltk_value)
    if diagnosis.value:
        min_float = _number_text(float(derivation.settings.smoothing_value or 0))
        details.append(f"NLTK puts {min_float} in the place of 0, so it prints {printed}.")
    elif diagnosis.nltk_value:
        details.append(f"Without smoothing, NLTK prints {printed} instead.")
    spans: list[doc.Span] = [doc.Strong(question), f" {_cause_text(diagnosis, derivation)}"]
    return doc.note(*spans, *(f" {sentence}" for sentence in details))


def _number_text(number: float) -> str:
    return f"{number:.2g}".replace("-", "−")  # A line may break after a hyphen.


def _cause_text(diagnosis: ZeroDiagnosis, derivation: Derivation) -> str:
    """Return the cause as a sentence in plain words."""
    n, noun = diagnosis.order, token_noun(derivation)
    where = "the reference" if len(derivation.references) == 1 else "a reference"
    if diagnosis.cause == "empty":
        return "The candidate is empty."
    p1 = f"p₁ = 0/{derivation.score.total[0]}"
    if diagnosis.cause == "no spaces":
        return f"This script has no spaces, so whole sentences are {noun}s, and none matches: {p1}."
    if diagnosis.cause == "nothing matches":
        return f"No {noun} of the candidate is in {where}, so {p1}. Almost every tool gives 0 here."
    p, total = f"p{subscript(n)}", derivation.score.total[n - 1]
    row = f"{n} {noun}s in a row" if n > 1 else noun
    if diagnosis.cause == "too short":
        length = count_with_noun(len(derivation.hypothesis), noun)
        cause = f"The candidate has only {length}, so it has no {row} and {p} = 0"
    else:
        verb = "are" if n > 1 else "is"
        cause = f"No {row} of the candidate {verb} in {where}, so {p} = 0/{total}"
    return f"{cause}, and a product with a factor of 0 {'would be' if diagnosis.value else 'is'} 0."


def _higher_orders_text(diagnosis: ZeroDiagnosis, derivation: Derivation) -> list[str]:
    """Return a sentence on the higher orders that fail as well, if there are any."""
    score = derivation.score
    if diagnosis.cause not in {"too short", "no match"}:
        return []
    counts = score.matched if diagnosis.value else score.precisions
    failing = [
        f"p{subscript(n)}"
        for n, count in enumerate(counts, 1)
        if n > diagnosis.order and score.weights[n - 1] and not count
    ]
    if len(failing) > 2:
        return [f"{failing[0]} to {failing[-1]} are 0, too."]
    verb = "is" if len(failing) == 1 else "are"
    return [f"{english_list(failing)} {verb} 0, too."] if failing else []


def remedies_paragraph(diagnosis: ZeroDiagnosis) -> doc.Paragraph | None:
    """Return a paragraph on the scores under other settings, or None without remedies."""
    if not diagnosis.remedies:
        return None
    spans: list[doc.Span] = ["On the 0–100 scale, the score would be "]
    for index, remedy in enumerate(diagnosis.remedies):
        name = remedy_name(remedy, nltk=bool(diagnosis.value))
        spans += ["; " if index else "", doc.Score100(remedy.value), f" with {name}"]
    return doc.note(*spans, ".")


def remedy_name(remedy: Remedy, *, nltk: bool = False) -> str:
    """Return the name of the changed setting; `nltk` adds NLTK's name for it.

    >>> from bleu import derive
    >>> from bleu.analysis.zero import diagnose_zero
    >>> remedies = diagnose_zero(derive("a b c", ["a b c"])).remedies
    >>> [remedy_name(remedy) for remedy in remedies][-2:]
    ['effective order, which sacreBLEU’s sentence_bleu has', 'N = 3']
    """
    settings = remedy.settings
    if remedy.setting == "sentence":
        return "smoothing exp and effective order, as in sacreBLEU’s sentence_bleu"
    if remedy.setting == "effective_order":
        library = "NLTK’s auto_reweigh" if nltk else "which sacreBLEU’s sentence_bleu has"
        return f"effective order, {library}"
    if remedy.setting == "max_order":
        return f"N = {settings.max_order}"
    nltk_name = f"NLTK’s method{SMOOTHINGS[settings.smoothing].nltk_method}"
    return smoothing_name(settings, *([nltk_name] if nltk else []))
