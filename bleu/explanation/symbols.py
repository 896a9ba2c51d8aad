"""The symbols of one score with their values, and the formulas that connect them."""

from dataclasses import dataclass
from fractions import Fraction

from bleu.core.score import Score
from bleu.core.settings import Settings
from bleu.core.smoothing import SMOOTHINGS
from bleu.document.expressions import (
    Div,
    Equation,
    Expr,
    Mul,
    Num,
    Pow,
    Product,
    Root,
    Sum,
    Sym,
    evaluate,
    log,
)


def number(expr: Expr) -> Num:
    """Return the value of a formula as a number to show."""
    return Num(evaluate(expr))


@dataclass(frozen=True, slots=True)
class Symbols:
    """The symbols of the derivation of a score; orders are counted from 0.

    `vanilla` has the number of matches without clipping for each order.
    """

    score: Score
    settings: Settings
    vanilla: tuple[int, ...]

    @property
    def c(self) -> Sym:
        """The hypothesis length."""
        return Sym("c", self.score.hypothesis_length)

    @property
    def r(self) -> Sym:
        """The effective reference length."""
        return Sym("r", self.score.reference_length)

    @property
    def penalty(self) -> Sym:
        """The brevity penalty."""
        return Sym("BP", self.score.brevity_penalty)

    @property
    def log_mean(self) -> Sym:
        """The weighted sum of the logarithms of the precisions."""
        return Sym("S", self.score.log_geometric_mean)

    @property
    def mean(self) -> Sym:
        """The geometric mean."""
        return Sym("GM", self.score.geometric_mean)

    @property
    def bleu(self) -> Sym:
        """The score."""
        return Sym("BLEU", self.score.value)

    @property
    def product_mean(self) -> Sym:
        """The geometric mean computed by the product, for the cross-check."""
        return Sym("GM", self.score.cross_check.geometric_mean, prime=True)

    @property
    def product_bleu(self) -> Sym:
        """The score computed by the product, for the cross-check."""
        return Sym("BLEU", self.score.cross_check.value, prime=True)

    @property
    def difference(self) -> Sym:
        """The relative difference between the two geometric means."""
        return Sym("δ", self.score.cross_check.relative_difference)

    def matched(self, order: int) -> Sym:
        """Return the clipped matches of an order, as counted."""
        return Sym("matched", self.score.matched[order], str(order + 1))

    def total(self, order: int) -> Sym:
        """Return the number of n-grams of an order in the hypothesis, as counted."""
        return Sym("total", self.score.total[order], str(order + 1))

    def used_total(self, order: int) -> Sym:
        """Return the denominator of an order; primed if short segments count as 0 of 1."""
        details = self.score.statistics.details
        added = 0
        if details and self.settings.too_short == "zero-of-one":
            added = details.too_short[order]
        total = self.score.total[order] + added
        return Sym("total", total, str(order + 1), prime=bool(added))

    def counted_precision(self, order: int) -> Sym:
        """Return the precision of an order before smoothing; 0 if the total is 0."""
        total = self.used_total(order)
        return _precision((self.score.matched[order], int(total.value or 1)), order)

    def left_out(self, order: int) -> bool:
        """Return whether the effective order or the convention leaves out an order."""
        return not self.score.weights[order] and bool(self.settings.order_weights[order])

    def smoothed(self, order: int) -> bool:
        """Return whether smoothing changed an order."""
        matched, total = self.score.pairs[order]
        if self.left_out(order):
            return False
        if not total and self.settings.too_short != "smoothed":
            return False
        return matched != self.score.matched[order] or total != self.score.total[order]

    def precision(self, order: int) -> Sym:
        """Return the precision of an order as used; primed if smoothing changed it."""
        return _precision(self.score.fractions[order], order, prime=self.smoothed(order))

    def weight(self, order: int) -> Sym:
        """Return the weight of an order, as used."""
        return Sym("w", self.score.weights[order], str(order + 1))

    def counted(self, order: int) -> Equation:
        """Return the equation p_n = matched / total as counted; p_n is 0 if the total is 0."""
        matched, total = self.matched(order), self.total(order)
        value = evaluate(Div(matched, total)) if total.value else Fraction(0)
        return Equation(Sym("p", value, str(order + 1)), Div(matched, total))

    def vanilla_precision(self, order: int) -> Equation:
        """Return the equation of the precision of an order without clipping."""
        ratio = Div(Num(self.vanilla[order]), Num(self.score.total[order]))
        return Equation(Sym("p", evaluate(ratio), "vanilla"), ratio)

    def log_series(self) -> Expr:
        """Return Σ w_n ln p_n over the orders with a weight."""
        return Sum(
            Mul((Sym("w", index="n"), log(Sym("p", index="n")))),
            "N",
            tuple(Mul((self.weight(n), log(self.precision(n)))) for n in self._weighted_orders()),
        )

    def product(self) -> Expr:
        """Return the geometric mean as one root if the weights are equal, else as powers."""
        used = self._weighted_orders()
        weights = {self.score.weights[n] for n in used}
        if used and weights == {Fraction(1, len(used))}:
            body = Sym("p", index="n")
            return Root(Product(body, "N", tuple(map(self.precision, used))), len(used))
        body_power = Pow(Sym("p", index="n"), Sym("w", index="n"))
        terms = tuple(Pow(self.precision(n), self.weight(n)) for n in used)
        return Product(body_power, "N", terms)

    @property
    def smoothing_value(self) -> Sym:
        """The symbol ε, k, K or α; its name is empty if the smoothing takes no value."""
        symbol = SMOOTHINGS[self.settings.smoothing].symbol
        return Sym(symbol, self.settings.smoothing_value, decimal=True)

    @property
    def five_grams(self) -> Sym:
        """The precision of 5-grams, which smoothing by averages uses after the last order."""
        details = self.score.statistics.details
        last = self.settings.smoothing.endswith("-last")
        counts = (details.last_five_grams if last else details.five_grams) if details else (0, 0)
        return _precision((counts[0], max(1, counts[1])), 4)

    def _weighted_orders(self) -> list[int]:
        return [n for n, weight in enumerate(self.score.weights) if weight]


def _precision(ratio: tuple[int, int], order: int, *, prime: bool = False) -> Sym:
    """Return the symbol of a precision, with its fraction as counted: 2/8, 5/5, 0/3."""
    value = Fraction(*ratio)
    unreduced = ratio if ratio != value.as_integer_ratio() else None
    return Sym("p", value, str(order + 1), prime=prime, unreduced=unreduced)
