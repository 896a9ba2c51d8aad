"""The figures of a score, and its factors, each with the bar that shows it."""

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from bleu.analysis.zero import uses_min_float
from bleu.core.api import Derivation
from bleu.core.ngrams import Order
from bleu.core.score import Score
from bleu.document import blocks as doc
from bleu.explanation.phrases import english_list, length_text, reference_names, subscript
from bleu.explanation.summary import order_name
from bleu.explanation.symbols import Symbols
from bleu.metric.expressions import Num
from bleu.metric.numerics import decimal, ln
from bleu.metric.rules import penalty_of_lengths

CURVE_INTERVALS: Final = 80
"""The number of equal intervals between the samples of the brevity penalty curve."""
MAX_TICKS: Final = 8
"""The maximum number of reference lengths on the axis; the nearest to c are kept."""
MAX_RATIO_CHARACTERS: Final = 12
"""The length of a ratio, without its line, above which the quotient is shown instead."""


def figures(
    derivation: Derivation, symbols: Symbols, orders: Sequence[Order]
) -> tuple[doc.Figure, ...]:
    """Return the figures of the precisions, the brevity penalty and the contributions.

    >>> from bleu import derive, explain
    >>> [figure.name for figure in explain(derive("a b", ["a c"], max_order=1)).figures]
    ['precisions-figure', 'brevity-figure', 'contributions-figure']
    """
    return (
        _precisions_figure(derivation, symbols, orders),
        _brevity_figure(derivation),
        contributions_figure(derivation.score),
    )


def _precisions_figure(
    derivation: Derivation, symbols: Symbols, orders: Sequence[Order]
) -> doc.Figure:
    columns, descriptions = [], []
    verb = "counted as" if uses_min_float(derivation.settings) else "smoothed to"
    for order, precision in zip(orders, derivation.score.precisions, strict=True):
        matched, total, unclipped = order.matched, order.total, order.vanilla
        counted, lost = Fraction(matched, total or 1), Fraction(unclipped - matched, total or 1)
        name, ratio = f"p{subscript(order.n)}", f"{matched}/{total}"
        text = f"{name} is {matched} of {total}" if total else f"there is no {order.n}-gram"
        text += f", {unclipped} without clipping" if lost else ""
        if symbols.is_left_out(order.n - 1):
            column = doc.Column(name, ratio, counted, lost, value_text="left out")
            text += ", left out"
        else:
            tiny = "≈ 0" if 0 < precision < 5e-5 else ""
            value = min(counted, precision)
            column = doc.Column(name, ratio, value, lost, precision - value, tiny)
            shown = f"{float(precision):.4g}" if float(precision) else "almost 0"
            text += f", {verb} {shown}" if precision > counted else ""
        columns.append(column)
        descriptions.append(text)
    return doc.Figure(
        "precisions-figure",
        "Modified precision of each order",
        doc.BarChart(tuple(columns)),
        doc.paragraph(f"Columns: {'; '.join(descriptions)}."),
    )


def _brevity_figure(derivation: Derivation) -> doc.Figure:
    score, padding = derivation.score, derivation.settings.length_padding
    c, r = score.hypothesis_length, score.reference_length
    lengths = sorted(set(derivation.reference_lengths), key=lambda length: abs(length - c))
    nearest = sorted(lengths[:MAX_TICKS])
    end = 1.15 * max(1, c, 1.5 * r, *nearest)
    samples = {end * (index / CURVE_INTERVALS) for index in range(CURVE_INTERVALS + 1)}
    lengths_on_curve = sorted(samples | {float(r), float(c)})
    points = tuple((x, _penalty(x, r)) for x in lengths_on_curve if x > 0)
    others = [length for length in nearest if length != r]
    ticks = [
        doc.AxisTick(
            "" if index else f"{length}: {_references_of_length(derivation, length)}", length
        )
        for index, length in enumerate(others)
    ]
    ticks.append(doc.AxisTick(f"r = {Num(r).value}", float(r), selected=True))
    comparison = "longer than" if c > r else "as long as" if c == r else "shorter than"
    alternative = doc.paragraph(
        f"A curve: with r = {r} the brevity penalty rises from 0 to 1 as c grows to r, and stays "
        f"1. The candidate, with c = {c}, is {comparison} r, so its penalty is ",
        Num(penalty_of_lengths(c, r, padding)), ".",
    )  # fmt: skip
    return doc.Figure(
        "brevity-figure",
        "Brevity penalty by candidate length",
        doc.Curve(points, (c, score.brevity_penalty), ("c", "BP"), tuple(ticks), end),
        alternative,
    )


def _penalty(c: float, r: float | Fraction) -> float:
    return 1.0 if c >= r else math.exp(1 - float(r) / c)


def _references_of_length(derivation: Derivation, length: int) -> str:
    names = reference_names(len(derivation.references), short=True)
    pairs = zip(names, derivation.reference_lengths, strict=True)
    return english_list([name for name, r in pairs if r == length][:2])


def contributions_figure(score: Score) -> doc.Figure:
    """Return the figure of the contributions of each order and the penalty to ln BLEU."""
    terms = contributions(score)
    total = doc.WaterfallStep("ln BLEU", ln(Fraction(score.value)))
    alternative: list[doc.Span] = ["Bars that add up: "]
    for term in terms:
        alternative += [term.label, " is ", Num(term.value), ", "]
    alternative += ["together ln BLEU = ", Num(total.value), ", so BLEU is ", Num(score.value)]
    alternative += [" on the 0–1 scale."]
    return doc.Figure(
        "contributions-figure",
        "Where the score is lost",
        doc.Waterfall(terms, total),
        doc.paragraph(*alternative),
    )


def contributions(score: Score) -> tuple[doc.WaterfallStep, ...]:
    """Return the terms that add up to ln BLEU: those of the orders used, then the penalty's."""
    terms = [
        doc.WaterfallStep(f"w{subscript(n)} ln p{subscript(n)}", float(weight) * ln(p))
        for n, (weight, p) in enumerate(zip(score.weights, score.precisions, strict=True), 1)
        if weight
    ]
    return (*terms, doc.WaterfallStep("ln BP", ln(Fraction(score.brevity_penalty))))


def score_product(symbols: Symbols, figures: Sequence[doc.Figure]) -> doc.Product:
    """Return the factors of a score; one of its figures is that of the precisions.

    >>> from bleu import derive, explain
    >>> product = explain(derive("the cat is on mat", ["the cat is on the mat"])).product
    >>> product.degree, [factor.ratio for factor in product.precisions]
    (4, [('5', '5'), ('3', '4'), ('2', '3'), ('1', '2')])
    """
    score = symbols.score
    charts = [figure.drawing for figure in figures if isinstance(figure.drawing, doc.BarChart)]
    columns = charts[0].columns
    orders = zip(columns, score.precisions, score.weights, strict=True)
    precisions = (_precision_factor(symbols, order, *facts) for order, facts in enumerate(orders))
    degree = len(score.shares.nonzero) if score.shares.equal else 1
    return doc.Product(_penalty_factor(score), tuple(precisions), max(1, degree))


def _penalty_factor(score: Score) -> doc.Factor:
    lengths = f"{score.hypothesis_length:,} of {length_text(score.reference_length)}"
    value = score.brevity_penalty
    column = doc.Column("length", lengths, Fraction(value))
    return doc.Factor("brevity-penalty", 0, value, (), None, column)


def _precision_factor(
    symbols: Symbols, order: int, column: doc.Column, precision: Fraction, weight: Fraction
) -> doc.Factor:
    score, n = symbols.score, order + 1
    is_smoothed = symbols.is_smoothed(order)
    symbol = f"p{'′' * is_smoothed}{subscript(n)}"
    remark = "smoothed" if is_smoothed else "left out" if symbols.is_left_out(order) else ""
    if not weight:
        remark = remark or "weight 0"
    elif column.lost and not remark:
        remark = f"{column.lost * score.total[order]} cut off"
    return doc.Factor(
        f"precision-{n}",
        n,
        precision,
        _ratio(precision, (score.matched[order], score.total[order]), score.pairs[order]),
        None if score.shares.equal else weight,
        replace(column, label=order_name(n), note=symbol),
        remark,
        bool(weight),
    )


def _ratio(value: Fraction, *pairs: tuple[Fraction | int, Fraction | int]) -> tuple[str, ...]:
    """Return the first pair whose quotient is a value, unless it is long to write, else ().

    >>> _ratio(Fraction(1, 10), (0, 5), (Fraction(1, 2), 5)), _ratio(Fraction(1, 9), (0, 3))
    (('0.5', '5'), ())
    """
    for matched, total in pairs:
        if total and Fraction(matched, total) == value:
            numbers = decimal(Fraction(matched)), decimal(Fraction(total))
            text = "".join(numbers)
            if len(text) <= MAX_RATIO_CHARACTERS and "/" not in text:
                return numbers
    return ()
