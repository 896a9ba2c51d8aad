"""The symbols of one score with their values, and the formulas that connect them."""

from fractions import Fraction

from bleu.core.score import Score
from bleu.metric.expressions import (
    Div,
    Equation,
    Sym,
    evaluate,
)
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
        self._fractions, self._weights = score.fractions, score.weights  # These are computed.
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
        return _precision(self._fractions[order], order, is_primed=self.is_smoothed(order))

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
