"""A derivation at a glance: where the score is lost, the precisions, and the brevity penalty."""

import math
from fractions import Fraction

from bleu.analysis.zero import uses_min_float
from bleu.core.brevity_penalty import brevity_penalty
from bleu.core.derivation import Derivation
from bleu.core.score import Score
from bleu.document.blocks import (
    AxisTick,
    BarChart,
    Column,
    Curve,
    Figure,
    Span,
    Waterfall,
    WaterfallStep,
    paragraph,
)
from bleu.document.expressions import Num
from bleu.explanation.phrases import english_list, reference_names, subscript
from bleu.explanation.symbols import Symbols

SAMPLES = 80
"""Points of the curve; it is smooth."""
MARKS_SHOWN = 8
"""Reference lengths marked on the axis; of more, those nearest to c."""


def figures(derivation: Derivation, symbols: Symbols) -> tuple[Figure, ...]:
    """The precisions by order, the brevity penalty as a curve, and the logarithms that add up.

    >>> from bleu import derive, explain
    >>> [figure.name for figure in explain(derive("a b", ["a c"], max_order=1)).figures]
    ['precisions-figure', 'brevity-figure', 'contributions-figure']
    """
    return _precisions(derivation, symbols), _brevity(derivation), contributions(derivation.score)


def _precisions(derivation: Derivation, symbols: Symbols) -> Figure:
    score = derivation.score
    columns, words = [], []
    became = "counted as" if uses_min_float(derivation.settings) else "smoothed to"
    for n, (matched, total, used) in enumerate(
        zip(score.matched, score.total, score.precisions, strict=True), 1
    ):
        counted = Fraction(matched, total) if total else Fraction(0)
        lost = Fraction(symbols.vanilla[n - 1] - matched, total) if total else Fraction(0)
        value = min(counted, used)
        name = f"p{subscript(n)}"
        out = symbols.left_out(n - 1)
        if out:
            column = Column(name, f"{matched}/{total}", counted, lost, value_text="left out")
        else:
            tiny = "≈ 0" if 0 < used < 5e-5 else ""
            column = Column(name, f"{matched}/{total}", value, lost, used - value, tiny)
        columns.append(column)
        told = f"{name} is {matched} of {total}" if total else f"there is no {n}-gram"
        told += f", {symbols.vanilla[n - 1]} without clipping" if lost else ""
        told += f", {became} {float(used):.4g}" if used > counted and not out else ""
        told += ", left out" if out else ""
        words.append(told)
    return Figure(
        "precisions-figure",
        "Modified precision of each order",
        BarChart(tuple(columns)),
        paragraph(f"Columns: {'; '.join(words)}."),
    )


def _brevity(derivation: Derivation) -> Figure:
    score, padded = derivation.score, derivation.settings.length_padding == "coco"
    c, r = score.hypothesis_length, score.reference_length
    lengths = sorted(set(derivation.reference_lengths), key=lambda length: abs(length - c))
    nearest = sorted(lengths[:MARKS_SHOWN])
    end = 1.15 * max(1, c, 1.5 * r, *nearest)
    places = sorted(
        {*(end * (place / SAMPLES) for place in range(SAMPLES + 1)), float(r), float(c)}
    )
    points = tuple((x, _penalty(x, r)) for x in places if x > 0)
    marks = [
        AxisTick(f"{length}: {_length_label(derivation, length)}", length, length == r)
        for length in nearest
        if length != r
    ]
    marks.append(AxisTick(f"r = {Num(r).value}", float(r), selected=True))
    comparison = "longer than" if c > r else "as long as" if c == r else "shorter than"
    drawn: tuple[Span, ...] = (
        f"A curve: with r = {r} the brevity penalty rises from 0 to 1 as c grows to r, and stays "
        f"1. The candidate, with c = {c}, is {comparison} r, so its penalty is ",
        Num(brevity_penalty(c, r, padded=padded)), ".",
    )  # fmt: skip
    return Figure(
        "brevity-figure",
        "Brevity penalty by candidate length",
        Curve(points, (c, score.brevity_penalty), ("c", "BP"), tuple(marks), end),
        paragraph(*drawn),
    )


def _penalty(c: float, r: float | Fraction) -> float:
    return 1.0 if c >= r else math.exp(1 - float(r) / c)


def _length_label(derivation: Derivation, length: int) -> str:
    names = reference_names(len(derivation.references), short=True)
    pairs = zip(names, derivation.reference_lengths, strict=True)
    return english_list([name for name, its in pairs if its == length][:2])


def contributions(score: Score) -> Figure:
    """What each order and the brevity penalty take from the score, as logarithms that add up."""
    parts = [
        WaterfallStep(f"w{subscript(n)} ln p{subscript(n)}", _weighted(weight, p))
        for n, (weight, p) in enumerate(zip(score.weights, score.precisions, strict=True), 1)
        if weight
    ]
    parts.append(WaterfallStep("ln BP", _log(score.brevity_penalty)))
    total = WaterfallStep("ln BLEU", _log(score.value))
    words: list[Span] = ["Bars that add up: "]
    for part in parts:
        words += [part.label, " is ", Num(part.value), ", "]
    words += ["together ln BLEU = ", Num(total.value), ", so BLEU is ", Num(score.value)]
    words += [" on the 0–1 scale."]
    return Figure(
        "contributions-figure",
        "Where the score is lost",
        Waterfall(tuple(parts), total),
        paragraph(*words),
    )


def _weighted(weight: Fraction, p: Fraction) -> float:
    return float(weight) * _log(p)


def _log(value: float | Fraction) -> float:
    return math.log(value) if value else -math.inf
