"""A score as a product of factors, each with the bar that shows it."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from bleu.core.score import Score
from bleu.document.blocks import BarChart, Column, Factor, Figure, Product
from bleu.explanation.phrases import length_text, subscript
from bleu.explanation.reading import order_name
from bleu.explanation.symbols import Symbols
from bleu.metric.numerics import decimal

MAX_RATIO_CHARACTERS: Final = 12
"""The length of a ratio, without its line, above which the quotient is shown instead."""


def score_product(symbols: Symbols, figures: Sequence[Figure]) -> Product:
    """Return the factors of a score; one of its figures is that of the precisions.

    >>> from bleu import derive, explain
    >>> product = explain(derive("the cat is on mat", ["the cat is on the mat"])).product
    >>> product.degree, [factor.ratio for factor in product.precisions]
    (4, [('5', '5'), ('3', '4'), ('2', '3'), ('1', '2')])
    """
    score = symbols.score
    charts = [figure.drawing for figure in figures if isinstance(figure.drawing, BarChart)]
    columns = charts[0].columns
    precisions = (_precision(symbols, order, column) for order, column in enumerate(columns))
    degree = len(score.shares.nonzero) if score.shares.equal else 1
    return Product(_penalty(score), tuple(precisions), max(1, degree))


def _penalty(score: Score) -> Factor:
    lengths = f"{score.hypothesis_length:,} of {length_text(score.reference_length)}"
    value = score.brevity_penalty
    column = Column("length", lengths, Fraction(value))
    return Factor("brevity-penalty", 0, value, (), None, column)


def _precision(symbols: Symbols, order: int, column: Column) -> Factor:
    score, n = symbols.score, order + 1
    precision, weight = score.precisions[order], score.weights[order]
    is_smoothed = symbols.is_smoothed(order)
    symbol = f"p{'′' * is_smoothed}{subscript(n)}"
    remark = "smoothed" if is_smoothed else "left out" if symbols.is_left_out(order) else ""
    if not weight:
        remark = remark or "weight 0"
    elif column.lost and not remark:
        remark = f"{column.lost * score.total[order]} clipped"
    return Factor(
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
        numbers = decimal(Fraction(matched)), decimal(Fraction(total))
        is_short = len("".join(numbers)) <= MAX_RATIO_CHARACTERS and "/" not in "".join(numbers)
        if total and is_short and Fraction(matched) / Fraction(total) == value:
            return numbers
    return ()
