"""What each smoothing does, in words and in formulas."""

from collections.abc import Callable, Mapping
from fractions import Fraction
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
        _ZERO, Term("Floor smoothing"), " counts it as ε matches instead; one that the text is "
        "too short for has the precision ε itself.",
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
        "Nothing is smoothed here, but an order without a match gets the smallest number that a "
        "computer handles well as its precision, so the score is almost 0 and not 0.",
    ),
    "length-exp": (
        _ZERO, "This smoothing is the exponential one with less credit for shorter texts: the "
        "half, the quarter and so on are multiplied by (ln c)/K.",
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
"""The words for each smoothing; those that look at the last segment alone share theirs."""

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
"""What each smoothing did to an order, in a few words; `none` where an order is empty."""


def smoothing_name(settings: Settings, *more: str) -> str:
    """The smoothing with its value, and what else is to stand beside that.

    >>> smoothing_name(Settings(smoothing="floor")), smoothing_name(Settings(smoothing="exp"), "as in mteval")
    ('smoothing floor (ε = 0.1)', 'smoothing exp (as in mteval)')
    """
    value, symbol = settings.smoothing_value, SMOOTHINGS[settings.smoothing].symbol
    beside = [*([f"{symbol} = {float(value):g}"] if value is not None else []), *more]
    return f"smoothing {settings.smoothing}" + (f" ({', '.join(beside)})" if beside else "")


def smoothing_paragraph(symbols: Symbols) -> Paragraph:
    """What the smoothing does, its value, and who has it."""
    name = symbols.settings.smoothing
    kind = SMOOTHINGS[name]
    last = name.endswith("-last")
    value = symbols.smoothing_value
    return paragraph(
        *DESCRIPTIONS[name.removesuffix("-last")],
        *((" Here ", value, " = ", Num(value.value or 0, decimal=True), ".") if value.name else ()),
        *((" In a corpus, a part of it depends on the last segment alone.",) if last else ()),
        f" ({kind.cites}.)" if kind.cites else "",
    )


def equations(symbols: Symbols) -> list[Equation]:
    """How each order that smoothing changed got its precision."""
    name = symbols.settings.smoothing.removesuffix("-last")
    orders = [n for n in range(len(symbols.score.pairs)) if symbols.smoothed(n)]
    if name in {"average", "length-average"}:
        return _averages(symbols, lengths=name == "length-average")
    if name == "interpolation":
        return _interpolations(symbols)
    formula = _FORMULAS[name]
    empty = [n for n, matched in enumerate(symbols.score.matched) if not matched]
    return [
        Equation(symbols.precision(n), formula(symbols, n, empty.index(n) + 1 if n in empty else 0))
        for n in orders
    ]


def _over_total(symbols: Symbols, numerator: Expr, order: int) -> Expr:
    total = symbols.used_total(order)
    return Div(numerator, total) if total.value else numerator


def _floor(symbols: Symbols, order: int, place: int) -> Expr:
    numerator = symbols.smoothing_value if place else symbols.matched(order)
    return _over_total(symbols, numerator, order)


def _exp(symbols: Symbols, order: int, place: int) -> Expr:
    if not place or not symbols.used_total(order).value:
        return _over_total(symbols, symbols.matched(order), order)
    return Div(Num(1), Mul((Pow(Num(2), Num(place)), symbols.used_total(order))))


def _nltk_min_float(symbols: Symbols, order: int, place: int) -> Expr:
    return symbols.smoothing_value if place else _over_total(symbols, symbols.matched(order), order)


def _length_exp(symbols: Symbols, order: int, place: int) -> Expr:
    total = symbols.used_total(order)
    if not place or symbols.score.hypothesis_length <= 1:
        return _over_total(symbols, symbols.matched(order), order)
    factors = (Pow(Num(2), Num(place)), symbols.smoothing_value)
    return Div(log(symbols.c), Mul((*factors, total) if total.value else factors))


def _add_k(symbols: Symbols, order: int, place: int) -> Expr:  # noqa: ARG001
    k = symbols.smoothing_value
    if symbols.settings.smoothing == "add-k" and order == 0:
        return _over_total(symbols, symbols.matched(order), order)
    return Div(Add((symbols.matched(order), k)), Add((symbols.used_total(order), k)))


def _coco_epsilon(symbols: Symbols, order: int, place: int) -> Expr:  # noqa: ARG001
    small = symbols.smoothing_value
    more = Mul((Num(10**6), small))
    return Div(Add((symbols.matched(order), small)), Add((symbols.used_total(order), more)))


def _segment_floor(symbols: Symbols, order: int, place: int) -> Expr:  # noqa: ARG001
    details = symbols.score.statistics.details
    segments = Num(details.no_match[order] if details else 0)
    added = Mul((symbols.smoothing_value, segments))
    return _over_total(symbols, Add((symbols.matched(order), added)), order)


_FORMULAS: Final[Mapping[str, Callable[[Symbols, int, int], Expr]]] = {
    "none": lambda symbols, order, _: _over_total(symbols, symbols.matched(order), order),
    "floor": _floor,
    "add-k": _add_k,
    "add-k-all": _add_k,
    "exp": _exp,
    "nltk-min-float": _nltk_min_float,
    "length-exp": _length_exp,
    "coco-epsilon": _coco_epsilon,
    "segment-floor": _segment_floor,
}


def _averages(symbols: Symbols, *, lengths: bool) -> list[Equation]:
    orders = range(len(symbols.score.pairs))
    shown: list[Equation] = []
    if lengths:
        raw = []
        empty = [n for n, matched in enumerate(symbols.score.matched) if not matched]
        for n in orders:
            place = empty.index(n) + 1 if n in empty else 0
            formula = _length_exp(symbols, n, place)
            raw.append(Sym("q", Fraction(evaluate(formula)), str(n + 1)))
            shown.append(Equation(raw[-1], formula))
    else:
        raw = [symbols.counted_precision(n) for n in orders]
    before = Sym("p", Fraction(evaluate(raw[0])) + 1, "0", prime=True)
    shown.append(Equation(before, Add((raw[0], Num(1)))))
    following = [*raw[1:], symbols.five_grams]
    for n, precision, after in zip(orders, raw, following, strict=True):
        mean = Div(Add((before, precision, after)), Num(3))
        before = symbols.precision(n)
        shown.append(Equation(before, mean))
    return shown


def _interpolations(symbols: Symbols) -> list[Equation]:
    shown = []
    alpha = symbols.smoothing_value
    for n in range(2, len(symbols.score.pairs)):
        one, two = symbols.precision(n - 1), symbols.precision(n - 2)
        formula: Expr = Div(Pow(one, Num(2)), two) if two.value else Num(0)
        prior = Sym("π", evaluate(formula), str(n + 1))
        length = Sym("total", int(symbols.score.pairs[n][1] - (alpha.value or 0)), str(n + 1))
        mixed = Div(Add((symbols.matched(n), Mul((alpha, prior)))), Add((length, alpha)))
        shown += [Equation(prior, formula), Equation(symbols.precision(n), mixed)]
    return shown
