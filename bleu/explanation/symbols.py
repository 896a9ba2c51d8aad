"""The symbols of one score with their values, and the formulas that connect them."""

from fractions import Fraction

from bleu.core.score import Score
from bleu.core.smoothing import SMOOTHINGS
from bleu.document.expressions import (
    Div,
    Equation,
    Expr,
    Mul,
    Pow,
    Product,
    Root,
    Sum,
    Sym,
    evaluate,
    log,
)


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

    def used_total(self, order: int) -> Sym:
        """Return the denominator of an order, written total′ if short segments count as 0 of 1."""
        details = self.score.statistics.details
        added = 0
        if details and self.settings.too_short == "zero-of-one":
            added = details.too_short[order]
        total = self.score.total[order] + added
        return Sym("total", total, str(order + 1), is_primed=bool(added))

    def counted_precision(self, order: int) -> Sym:
        """Return the precision of an order before smoothing; 0 if the total is 0."""
        total = self.used_total(order)
        return _precision((self.score.matched[order], int(total.value or 1)), order)

    def is_left_out(self, order: int) -> bool:
        """Return whether the effective order or the convention leaves out an order."""
        return not self.score.weights[order] and bool(self.settings.order_weights[order])

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
        return _precision(self.score.fractions[order], order, is_primed=self.is_smoothed(order))

    def weight(self, order: int) -> Sym:
        """Return the weight that an order has in the score."""
        return Sym("w", self.score.weights[order], str(order + 1))

    def counted_equation(self, order: int) -> Equation:
        """Return p_n = matched / total before smoothing; p_n is 0 if the total is 0."""
        n, matched = str(order + 1), self.matched(order)
        total = Sym("total", self.score.total[order], n)
        value = evaluate(Div(matched, total)) if total.value else Fraction(0)
        return Equation(Sym("p", value, n), Div(matched, total))

    def log_series(self) -> Expr:
        """Return Σ w_n ln p_n over the orders with a weight."""
        terms = tuple(
            Mul((self.weight(n), log(self.precision(n)))) for n in self._weighted_orders()
        )
        return Sum(Mul((Sym("w", index="n"), log(Sym("p", index="n")))), terms)

    def product(self) -> Expr:
        """Return the geometric mean: a root if the weights are equal and sum to 1, else powers."""
        used = self._weighted_orders()
        p, w = Sym("p", index="n"), Sym("w", index="n")
        if used and {self.score.weights[n] for n in used} == {Fraction(1, len(used))}:
            return Root(Product(p, tuple(map(self.precision, used))), len(used))
        powers = tuple(Pow(self.precision(n), self.weight(n)) for n in used)
        return Product(Pow(p, w), powers)

    @property
    def five_grams(self) -> Sym:
        """The precision of 5-grams, which smoothing by averages uses after the last order."""
        details = self.score.statistics.details
        last = self.settings.smoothing.endswith("-last")
        counts = (details.last_five_grams if last else details.five_grams) if details else (0, 0)
        return _precision((counts[0], max(1, counts[1])), 4)

    def _weighted_orders(self) -> list[int]:
        return [n for n, weight in enumerate(self.score.weights) if weight]


def _precision(ratio: tuple[int, int], order: int, *, is_primed: bool = False) -> Sym:
    """Return the symbol of a precision, with its unreduced fraction: 2/8, 5/5, 0/3."""
    value = Fraction(*ratio)
    unreduced = ratio if ratio != value.as_integer_ratio() else None
    return Sym("p", value, str(order + 1), is_primed=is_primed, unreduced=unreduced)
