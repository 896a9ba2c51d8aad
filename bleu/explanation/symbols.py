"""The symbols of one score with their values, and the equations that its method writes down."""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Final

from bleu.core.api import method_of
from bleu.core.score import Score
from bleu.metric.algebra import Quantity, mean_by_product
from bleu.metric.expressions import Div, Equation, Sym, evaluate, lift
from bleu.metric.method import bleu
from bleu.metric.smoothings import SMOOTHINGS


class Symbols:
    """The symbols of the derivation of a score; orders are counted from 0.

    - `c`, `r`: the lengths; `penalty`: the brevity penalty; `bleu`: the score.
    - `log_mean`: the weighted sum of the logarithms of the precisions; `mean`: its exponential.
    - `product_mean`, `product_bleu`: geometric mean and score computed by the product.
    - `difference`: the relative difference between the two geometric means.
    - `smoothing_value`: ε, k, K or α; its name is empty if the smoothing takes no value.
    """

    def __init__(self, score: Score) -> None:
        self.score, self.settings = score, score.settings
        self._weights = score.weights  # Computed at each access.
        self.c = Sym("c", score.hypothesis_length)
        self.r = Sym("r", score.reference_length)
        self.penalty = Sym("BP", score.brevity_penalty)
        self.log_mean = Sym("S", score.log_geometric_mean)
        self.mean = Sym("GM", score.geometric_mean)
        self.bleu = Sym("BLEU", score.value)
        check = score.cross_check
        self.product_mean = Sym("GM", check.geometric_mean, is_primed=True)
        self.product_bleu = Sym("BLEU", check.value, is_primed=True)
        self.difference = Sym("δ", check.relative_difference)
        symbol = SMOOTHINGS[self.settings.smoothing].symbol
        self.smoothing_value = Sym(symbol, self.settings.smoothing_value, decimal=True)
        self._precisions = [
            _precision(ratio, order, is_primed=self.is_smoothed(order))
            for order, ratio in enumerate(score.fractions)
        ]

    def matched(self, order: int) -> Sym:
        """Return the clipped matches of an order before smoothing."""
        return Sym("matched", self.score.matched[order], str(order + 1))

    def total(self, order: int, used: int | None = None) -> Sym:
        """Return the n-grams of an order, written total′ if another number is `used`."""
        total = self.score.total[order]
        value = total if used is None else used
        return Sym("total", value, str(order + 1), is_primed=value != total)

    def used_total(self, order: int) -> Sym:
        """Return the denominator of an order, written total′ if short segments count as 0 of 1."""
        details, added = self.score.statistics.details, 0
        if details and self.settings.too_short == "zero-of-one":
            added = details.too_short[order]
        return self.total(order, self.score.total[order] + added)

    def last_total(self, order: int) -> Sym:
        """Return the n-grams of the last segment, written total′ unless they are those of all."""
        details = self.score.statistics.details
        return self.total(order, details.last_total[order] if details else None)

    def counted_precision(self, order: int) -> Sym:
        """Return the precision of an order before smoothing; 0 if the total is 0."""
        total = self.used_total(order)
        return _precision((self.score.matched[order], int(total.value or 1)), order)

    def is_left_out(self, order: int) -> bool:
        """Return whether the effective order or the convention leaves out an order."""
        given = self.settings.shares.numerators[order]
        return bool(given) and not self._weights[order]

    def is_smoothed(self, order: int) -> bool:
        """Return whether smoothing changed the precision of an order."""
        if self.is_left_out(order):
            return False
        matched, total = self.score.pairs[order]
        if not total and self.settings.too_short != "smoothed":
            return False
        return (matched, total) != (self.score.matched[order], self.score.total[order])

    def precision(self, order: int) -> Sym:
        """Return the precision that an order has in the score, written p′ if it was smoothed."""
        return self._precisions[order]

    def weight(self, order: int) -> Sym:
        """Return the weight that an order has in the score."""
        return Sym("w", self._weights[order], str(order + 1))

    def counted_equation(self, order: int) -> Equation:
        """Return p_n = matched / total before smoothing; p_n is 0 if the total is 0."""
        n, matched = str(order + 1), self.matched(order)
        total = self.total(order)
        value = evaluate(Div(matched, total)) if total.value else Fraction(0)
        return Equation(Sym("p", value, n), Div(matched, total))

    @property
    def five_grams(self) -> Sym:
        """The precision of 5-grams, which smoothing by averages uses after the last order."""
        details = self.score.statistics.details
        counts = details.last_five_grams if details else (0, 0)
        return _precision((counts[0], max(1, counts[1])), 4)


def _precision(ratio: tuple[int, int], order: int, *, is_primed: bool = False) -> Sym:
    """Return the symbol of a precision, with its unreduced fraction: 2/8, 5/5, 0/3."""
    value = Fraction(*ratio)
    unreduced = ratio if ratio != value.as_integer_ratio() else None
    return Sym("p", value, str(order + 1), is_primed=is_primed, unreduced=unreduced)


_RESULTS: Final = {
    "BP": "penalty", "S": "log_mean", "GM": "mean", "BLEU": "bleu", "GM′": "product_mean",
    "BLEU′": "product_bleu",
}  # fmt: skip
"""The attributes of `Symbols` for what every score has an equation of, by the quantity's name."""
_GIVEN: Final = {"c": "c", "r": "r", "value": "smoothing_value", "5-grams": "five_grams"}
"""The attributes of `Symbols` for other quantities, which have no equation."""
_OF_ORDERS: Final = {
    "matched": Symbols.matched, "total": Symbols.total, "total′": Symbols.used_total,
    "last total": Symbols.last_total, "counted p": Symbols.counted_precision, "w": Symbols.weight,
}  # fmt: skip
"""The methods of `Symbols` for quantities of an order, which have no equation."""


@dataclass(slots=True)
class Trace:
    """The equations of a score: `smoothing` in order, and `results` by the name of the quantity.

    The symbols have the values that the fast code computed, so `Equation.holds` compares the two.
    """

    symbols: Symbols
    smoothing: list[Equation] = field(default_factory=list)
    results: dict[str, Equation] = field(default_factory=dict)

    @classmethod
    def of(cls, symbols: Symbols) -> "Trace":
        """Return the trace of a score."""
        trace, score = cls(symbols), symbols.score
        method = replace(method_of(score.settings), refuse=lambda _: None)  # It has a score.
        bleu(method, score.statistics, score.settings.shares, trace.let)
        orders = range(len(score.pairs))
        weights, precisions = map(symbols.weight, orders), map(symbols.precision, orders)
        trace.let("GM′", 0, mean_by_product(list(weights), list(precisions)))
        trace.let("BLEU′", 0, symbols.penalty * symbols.product_mean)
        return trace

    def let(self, name: str, n: int, formula: Quantity) -> Sym:
        """Write down the equation of a quantity, if it has one, and return its symbol."""
        symbols, order = self.symbols, n - 1
        symbol: Sym
        if name in _OF_ORDERS:
            return _OF_ORDERS[name](symbols, order)
        if name in _GIVEN:
            symbol = getattr(symbols, _GIVEN[name])
            return symbol
        if name in _RESULTS:
            symbol = getattr(symbols, _RESULTS[name])
            self.results[name] = Equation(symbol, lift(formula))
            return symbol
        if name == "p" and not symbols.is_smoothed(order):
            return symbols.precision(order)
        if name in {"p", "p′"} and n:
            symbol = symbols.precision(order)
        else:  # p′_0, and what only a smoothing has, such as its prior π.
            value = Fraction(evaluate(lift(formula)))
            symbol = Sym(name[0], value, str(n), is_primed=name == "p′")
        if symbol not in [equation.left for equation in self.smoothing]:
            self.smoothing.append(Equation(symbol, lift(formula)))
        return symbol
