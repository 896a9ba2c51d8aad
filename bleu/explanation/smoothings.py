"""Descriptions and formulas of the smoothing methods."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import count
from typing import Final

from bleu.core.settings import Settings
from bleu.core.smoothing import SMOOTHINGS
from bleu.document.blocks import Paragraph, Span, Term, paragraph
from bleu.document.expressions import Add, Div, Equation, Expr, Mul, Num, Pow, Sym, evaluate, log
from bleu.explanation.symbols import Symbols

_ZERO: Final = "An order without a match would make the whole score 0. "

DESCRIPTIONS: Final[Mapping[str, tuple[Span, ...]]] = {
    "none": ("Nothing is smoothed, but one order is counted differently here.",),
    "floor": (
        _ZERO, Term("Floor smoothing"), " counts it as ε matches instead; an order that the "
        "text is too short for gets the precision ε.",
    ),
    "add-k": (
        Term("Add-k smoothing"), " adds k to matches and total of every order from the second on, "
        "whether it has a match or not.",
    ),
    "add-k-all": (
        Term("Add-k smoothing"), " in this form adds k to matches and total of every order, "
        "1-grams included.",
    ),
    "exp": (
        _ZERO, Term("Exponential smoothing"), " counts the first such order as half a match, the "
        "next as a quarter, and so on.",
    ),
    "nltk-min-float": (
        "Nothing is smoothed, but a precision of 0 is replaced by the smallest normal "
        "floating-point number, so the score is almost 0 instead of 0.",
    ),
    "length-exp": (
        _ZERO, "This is exponential smoothing with less credit for shorter texts: the half, the "
        "quarter and so on are multiplied by (ln c)/K.",
    ),
    "average": (
        "Matches of neighbouring orders should be similar, so each precision is averaged with its "
        "two neighbours: the smoothed one before it, and the counted one after it. The first has "
        "p₁ + 1 before it, which can lift the score above 1.",
    ),
    "length-average": (
        _ZERO, "First an order without a match gets a share that depends on the length, then "
        "every precision is averaged with its neighbours.",
    ),
    "interpolation": (
        "From the third order on, the precision is mixed with a prior π: what it would be if it "
        "fell from order to order as it did before.",
    ),
    "coco-epsilon": (
        "A tiny number is added to matches and totals, so that nothing is divided by 0.",
    ),
    "segment-floor": (
        "Every segment without a match at an order adds ε to the matches of that order.",
    ),
}  # fmt: skip
"""The description of each smoothing, by its name without the suffix `-last`."""

SHORT_DESCRIPTIONS: Final[Mapping[str, str]] = {
    "none": "counts as 0 of 1",
    "floor": "smoothed (floor)",
    "add-k": "smoothed (add-k)",
    "add-k-all": "smoothed (add-k, 1-grams included)",
    "exp": "smoothed (exponential)",
    "nltk-min-float": "the smallest number above 0 in place of 0",
    "length-exp": "smoothed (exponential, by length)",
    "average": "averaged with the neighbouring orders",
    "length-average": "smoothed by length and averaged with the neighbouring orders",
    "interpolation": "interpolated",
    "coco-epsilon": "a tiny number added",
    "segment-floor": "smoothed (floor, segment by segment)",
}
"""The effect of each smoothing on an order; `none` changes only orders without n-grams."""


def smoothing_name(settings: Settings, *details: str) -> str:
    """Return the name of the smoothing, with its value and `details` in parentheses.

    >>> smoothing_name(Settings(smoothing="floor")), smoothing_name(Settings(), "as in mteval")
    ('smoothing floor (ε = 0.1)', 'smoothing none (as in mteval)')
    """
    value, symbol = settings.smoothing_value, SMOOTHINGS[settings.smoothing].symbol
    notes = [*([f"{symbol} = {float(value):g}"] if value is not None else []), *details]
    return f"smoothing {settings.smoothing}" + (f" ({', '.join(notes)})" if notes else "")


def smoothing_paragraph(symbols: Symbols) -> Paragraph:
    """Return the description of the smoothing, with its value and its sources."""
    name = symbols.settings.smoothing
    sources = SMOOTHINGS[name].cites
    value = symbols.smoothing_value
    spans = [*DESCRIPTIONS[name.removesuffix("-last")]]
    if value.name:
        spans += [" Here ", value, " = ", Num(value.value or 0, decimal=True), "."]
    if name.endswith("-last"):
        spans.append(" In a corpus, a part of it depends on the last segment alone.")
    spans.append(f" ({sources}.)" if sources else "")
    return paragraph(*spans)


def equations(symbols: Symbols) -> list[Equation]:
    """Return the equations of the precisions that smoothing changed."""
    name = symbols.settings.smoothing.removesuffix("-last")
    if name in {"average", "length-average"}:
        return _averages(symbols, by_length=name == "length-average")
    if name == "interpolation":
        return _interpolations(symbols)
    return [
        Equation(symbols.precision(order), _formula(symbols, name, order, rank))
        for order, rank in enumerate(_unmatched_ranks(symbols))
        if symbols.is_smoothed(order)
    ]


def _unmatched_ranks(symbols: Symbols) -> list[int]:
    """Return 1 for the first order without a match, 2 for the second…, and 0 for other orders."""
    ranks = count(1)
    return [0 if matched else next(ranks) for matched in symbols.score.matched]


def _formula(symbols: Symbols, name: str, order: int, rank: int) -> Expr:
    """Return the formula of an order's precision; `rank` is its entry in `_unmatched_ranks`."""
    matched, total = symbols.matched(order), symbols.used_total(order)
    value = symbols.smoothing_value
    numerator: Expr = matched
    match name:
        case "add-k" | "add-k-all" if order or name == "add-k-all":
            return Div(Add((matched, value)), Add((total, value)))
        case "coco-epsilon":
            return Div(Add((matched, value)), Add((total, Mul((Num(10**6), value)))))
        case "exp" if rank and total.value:
            return Div(Num(1), Mul((Pow(Num(2), Num(rank)), total)))
        case "length-exp" if rank and symbols.score.hypothesis_length > 1:
            factors = (Pow(Num(2), Num(rank)), value)
            return Div(log(symbols.c), Mul((*factors, total) if total.value else factors))
        case "nltk-min-float" if rank:
            return value
        case "floor" if rank:
            numerator = value
        case "segment-floor":
            details = symbols.score.statistics.details
            segments = Num(details.no_match[order] if details else 0)
            numerator = Add((matched, Mul((value, segments))))
    return Div(numerator, total) if total.value else numerator


def _averages(symbols: Symbols, *, by_length: bool) -> list[Equation]:
    """Return equations of averaged precisions, first smoothed by `length-exp` if `by_length`."""
    orders = range(len(symbols.score.pairs))
    result: list[Equation] = []
    if by_length:
        for order, rank in enumerate(_unmatched_ranks(symbols)):
            formula = _formula(symbols, "length-exp", order, rank)
            result.append(Equation(Sym("q", Fraction(evaluate(formula)), str(order + 1)), formula))
        precisions = [equation.left for equation in result]
    else:
        precisions = list(map(symbols.counted_precision, orders))
    previous = Sym("p", Fraction(evaluate(precisions[0])) + 1, "0", is_primed=True)
    result.append(Equation(previous, Add((precisions[0], Num(1)))))
    following = [*precisions[1:], symbols.five_grams]
    for n, precision, next_precision in zip(orders, precisions, following, strict=True):
        mean = Div(Add((previous, precision, next_precision)), Num(3))
        previous = symbols.precision(n)
        result.append(Equation(previous, mean))
    return result


def _interpolations(symbols: Symbols) -> list[Equation]:
    result = []
    alpha = symbols.smoothing_value
    for n in range(2, len(symbols.score.pairs)):
        previous, second_previous = symbols.precision(n - 1), symbols.precision(n - 2)
        prior_formula: Expr = Num(0)
        if second_previous.value:
            prior_formula = Div(Pow(previous, Num(2)), second_previous)
        prior = Sym("π", evaluate(prior_formula), str(n + 1))
        total = Sym("total", int(symbols.score.pairs[n][1] - (alpha.value or 0)), str(n + 1))
        mixture = Div(Add((symbols.matched(n), Mul((alpha, prior)))), Add((total, alpha)))
        result += [Equation(prior, prior_formula), Equation(symbols.precision(n), mixture)]
    return result
