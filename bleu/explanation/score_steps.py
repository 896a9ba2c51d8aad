"""The steps that need only the counts of a score: smoothing, penalty, score and cross-check."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction

from bleu.core.settings import Settings
from bleu.document import blocks as doc
from bleu.explanation.phrases import CHEN_AND_CHERRY, english_list, papineni
from bleu.explanation.symbols import Symbols, Trace
from bleu.metric.algebra import ln
from bleu.metric.expressions import Call, Equation, Mul, Num, evaluate, substitute
from bleu.metric.numerics import decimal
from bleu.metric.smoothings import SMOOTHINGS


def smoothing_name(settings: Settings, *details: str) -> str:
    """Return the name of the smoothing, with its value and `details` in parentheses.

    >>> smoothing_name(Settings(smoothing="floor")), smoothing_name(Settings(), "as in mteval")
    ('smoothing floor (ε = 0.1)', 'smoothing none (as in mteval)')
    """
    value, symbol = settings.smoothing_value, SMOOTHINGS[settings.smoothing].symbol
    notes = [*([f"{symbol} = {float(value):g}"] if value is not None else []), *details]
    return f"smoothing {settings.smoothing}" + (f" ({', '.join(notes)})" if notes else "")


def smoothing_paragraph(symbols: Symbols) -> doc.Paragraph:
    """Return the description of the smoothing, with its value and its sources."""
    smoothing, value = SMOOTHINGS[symbols.settings.smoothing], symbols.smoothing_value
    texts = enumerate(smoothing.text.split("*"))
    spans: list[doc.Span] = [doc.Term(text) if index % 2 else text for index, text in texts if text]
    if value.name:
        spans += [" Here ", value, " = ", Num(value.value or 0, decimal=True), "."]
    if smoothing.by_last_segment:
        spans.append(" In a corpus, a part of it depends on the last segment alone.")
    spans.append(f" ({smoothing.cites}.)" if smoothing.cites else "")
    return doc.paragraph(*spans)


def score_steps(
    symbols: Symbols,
    length_blocks: Iterable[doc.Block],
    penalty_citation: doc.Citation | None = None,
) -> tuple[doc.Step, ...]:
    """Return the steps after the precisions, with a step for smoothing if it changed a precision.

    The step of the brevity penalty begins with `length_blocks`, which explain c and r.
    """
    trace, paper = Trace.of(symbols), papineni("2.3")
    is_smoothed = any(map(symbols.is_smoothed, range(symbols.settings.max_order)))
    penalty_blocks = (*length_blocks, penalty_sentence(symbols), trace.results["BP"])
    score_blocks = tuple(_score_blocks(symbols, trace))
    return (
        *((_smoothing_step(symbols, trace),) if is_smoothed else ()),
        doc.Step("brevity-penalty", "Brevity penalty", penalty_blocks, penalty_citation),
        doc.Step("score", "Geometric mean and score", score_blocks, paper),
        doc.Step("cross-check", "Cross-check", tuple(_cross_check_blocks(symbols, trace)), paper),
    )


def _smoothing_step(symbols: Symbols, trace: Trace) -> doc.Step:
    blocks: list[doc.Block] = [smoothing_paragraph(symbols)]
    if symbols.settings.too_short == "zero-of-one" and 0 in symbols.score.total:
        blocks.append(
            doc.note("An order that a segment is too short for counts here as 0 of 1, as in NLTK.")
        )
    sources = SMOOTHINGS[symbols.settings.smoothing].cites
    citation = CHEN_AND_CHERRY if "Chen and Cherry" in sources else None
    return doc.Step("smoothing", "Smoothing", (*blocks, *trace.smoothing), citation)


def penalty_sentence(symbols: Symbols) -> doc.Paragraph:
    """Return a sentence that compares c and r, or says what a tool adds to them."""
    c, r, score = symbols.c, symbols.r, symbols.score
    if (padding := symbols.settings.length_padding) != "none":
        number = "1" if padding == "one" else "a tiny number"
        return doc.paragraph(
            f"Here {number} is added to both lengths, so that nothing is divided by 0:"
        )
    if score.hypothesis_length >= score.reference_length:
        is_equal = score.hypothesis_length == score.reference_length
        relation = " equals " if is_equal else " is greater than "
        return doc.paragraph(c, relation, r, ", so there is no penalty:")
    if not score.hypothesis_length:
        return doc.paragraph("The candidate is empty, and its penalty is 0, the limit:")
    return doc.paragraph(c, " is less than ", r, ", so:")


def _score_blocks(symbols: Symbols, trace: Trace) -> Iterator[doc.Block]:
    """Yield the geometric mean, computed with logarithms, and the score."""
    yield doc.paragraph(
        "The score is the ", doc.Term("geometric mean"), " of the precisions, times the brevity "
        "penalty.",
    )  # fmt: skip
    yield doc.paragraph(
        "With logarithms, a product becomes a sum: each precision has a share in it. The mean is "
        "the exponential of the sum. One precision of 0 makes it 0."
    )
    yield from _unusual_values(symbols)
    yield from _skipped_smoothing(symbols)
    yield from _unused_orders(symbols)
    yield _log_table(symbols)
    yield doc.paragraph("The contributions are added:")
    yield trace.results["S"]
    yield doc.paragraph("The exponential of the sum is the geometric mean:")
    yield trace.results["GM"]
    yield doc.paragraph("The mean times the brevity penalty is the score:")
    yield trace.results["BLEU"]
    score = doc.Score100(symbols.score.value)
    yield doc.paragraph("That is the score on the 0–1 scale; on the 0–100 scale it is ", score, ".")


def _unused_orders(symbols: Symbols) -> Iterator[doc.Block]:
    """Yield notes on the orders without a weight."""
    score, settings = symbols.score, symbols.settings
    unused = [n for n, weight in enumerate(score.weights) if not weight]
    left_out = [str(n + 1) for n in unused]
    if settings.zero_precision == "dropped":
        dropped = [str(n + 1) for n in unused if not score.precisions[n]]
        if dropped:
            yield doc.note(
                f"{_orders_text(dropped).capitalize()} {'has' if len(dropped) == 1 else 'have'} a "
                "precision of 0, and NLTK leaves that out."
            )
        if max(score.weights) > max(settings.order_weights):
            yield doc.note(
                "With NLTK’s auto_reweigh, orders above the number of tokens are left out, and "
                "the weights of the others are scaled up to sum to 1."
            )
    elif left_out and settings.effective_order:
        yield doc.note(
            doc.Term("Effective order"),
            f": the candidate is too short for {_orders_text(left_out)}, which "
            f"{'is' if len(left_out) == 1 else 'are'} left out. The other weights are scaled up to "
            "sum to 1.",
        )  # fmt: skip


def _orders_text(numbers: list[str]) -> str:
    return f"order{'' if len(numbers) == 1 else 's'} {english_list(numbers)}"


def _unusual_values(symbols: Symbols) -> Iterator[doc.Block]:
    """Yield notes on a smoothing value of 0, and on weights that do not sum to 1."""
    settings = symbols.settings
    if settings.smoothing_value == 0:
        symbol = symbols.smoothing_value.name
        yield doc.note(f"{symbol} is 0, so nothing is smoothed: it is smoothing none.")
    total = sum(settings.weights or (), start=Fraction(0))
    if settings.weights and abs(total - 1) > Fraction(1, 10**9):
        yield doc.note(
            f"The weights sum to {decimal(total)}, not to 1. They are used unchanged, as in the "
            "chosen tool. So this is no mean, and the score cannot be compared with others."
        )


def _skipped_smoothing(symbols: Symbols) -> Iterator[doc.Block]:
    """Yield a note if orders without a match are not smoothed."""
    matched, settings = symbols.score.matched, symbols.settings
    zero_if_unmatched = settings.unmatched == "zero-if-any-order-empty"
    if zero_if_unmatched and any(matched) and not any(symbols.score.precisions):
        yield doc.note(
            "One order has no match, and torchmetrics and torchtext then give 0, whatever its "
            "weight: every precision counts as 0 below."
        )
    elif settings.smoothing == "none" or settings.unmatched == "smoothed" or all(matched):
        return
    elif not any(matched):
        yield doc.note("Nothing matches, so there is nothing to smooth: the score stays 0.")
    elif zero_if_unmatched:
        yield doc.note("One order has no match, and torchmetrics then gives 0 without smoothing.")


def _log_table(symbols: Symbols) -> doc.Table:
    rows = []
    for n, weight in enumerate(symbols.score.weights):
        p = symbols.precision(n)
        if weight:
            logarithm = ln(p)
            values = (evaluate(logarithm), weight, evaluate(Mul((Num(weight), logarithm))))
            rows.append(doc.Row((p, substitute(p), *map(Num, values))))
        else:
            rows.append(doc.Row((p, "left out", "", Num(0), "")))
    return doc.Table(
        "logarithms",
        "What each order contributes",
        ("Order", "Precision", "Logarithm", "Weight", "Contribution"),
        tuple(rows),
        doc.Row(("Sum", "", "", "", Num(symbols.score.log_geometric_mean))),
    )


def _cross_check_blocks(symbols: Symbols, trace: Trace) -> Iterator[doc.Block]:
    """Yield the score, computed with a product, and a comparison of the two geometric means."""
    yield doc.paragraph(
        "The same score without logarithms: the root of the product of exact fractions."
    )
    yield trace.results["GM′"]
    yield doc.paragraph("That times the brevity penalty is the score again:")
    yield trace.results["BLEU′"]
    if symbols.score.cross_check.geometric_mean == symbols.score.geometric_mean:
        yield doc.paragraph("Both ways give the same mean.")
    else:
        first = replace(symbols.mean, decimal=True)
        second = replace(symbols.product_mean, decimal=True)
        yield doc.paragraph("The two means differ only by rounding:")
        distance, larger = Call("abs", (first - second,)), Call("max", (first, second))
        yield Equation(symbols.difference, distance / larger)
