"""The symbols of one score with their values, and the formulas between them."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from bleu.maths import (
    Add,
    Div,
    Equation,
    Expr,
    Mul,
    Num,
    Pow,
    Root,
    Series,
    Sym,
    evaluate,
    log,
)
from bleu.ngrams import Order
from bleu.score import Score
from bleu.settings import Settings
from bleu.smoothing import SMOOTHINGS
from bleu.statistics import Statistics


def number(expr: Expr) -> Num:
    """The value of a formula as a number to show."""
    return Num(evaluate(expr))


@dataclass(frozen=True, slots=True)
class Symbols:
    """Every symbol that the derivation of a score is written in; orders are counted from 0."""

    score: Score

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
        """The weighted sum of logarithms."""
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
        """The geometric mean by the product."""
        return Sym("GM", self.score.cross_check.geometric_mean, prime=True)

    @property
    def product_bleu(self) -> Sym:
        """The score by the product."""
        return Sym("BLEU", self.score.cross_check.value, prime=True)

    @property
    def difference(self) -> Sym:
        """The relative difference of the two ways."""
        return Sym("δ", self.score.cross_check.relative_difference)

    def matched(self, order: int) -> Sym:
        """The clipped matches of an order, as counted."""
        return Sym("matched", self.score.matched[order], str(order + 1))

    def total(self, order: int) -> Sym:
        """The n-grams of the hypothesis of an order, as counted."""
        return Sym("total", self.score.total[order], str(order + 1))

    def smoothed(self, order: int) -> bool:
        """Whether smoothing changed this order."""
        matched, total = self.score.pairs[order]
        return matched != self.score.matched[order] or total != self.score.total[order]

    def precision(self, order: int) -> Sym:
        """The precision of an order as used; primed where smoothing changed it."""
        primed = self.smoothed(order)
        return Sym("p", self.score.precisions[order], str(order + 1), prime=primed)

    def weight(self, order: int) -> Sym:
        """The weight of an order, as used."""
        return Sym("w", self.score.weights[order], str(order + 1))

    def counted(self, order: int) -> Equation:
        """p_n as counted: matched / total, which must not be 0."""
        matched, total = self.matched(order), self.total(order)
        value = evaluate(Div(matched, total)) if total.value else Fraction(0)
        return Equation(Sym("p", value, str(order + 1)), Div(matched, total))

    def vanilla(self, order: Order) -> Equation:
        """The precision of an order without clipping."""
        ratio = Div(Num(order.vanilla), Num(order.total))
        return Equation(Sym("p", evaluate(ratio), "vanilla"), ratio)

    def log_series(self) -> Expr:
        """Σ w_n ln p_n over the orders in use."""
        return Series(
            False,
            Mul((Sym("w", index="n"), log(Sym("p", index="n")))),
            "N",
            tuple(Mul((self.weight(n), log(self.precision(n)))) for n in self._used()),
        )

    def product(self) -> Expr:
        """The geometric mean as one root where the weights are equal, else as powers."""
        used = self._used()
        weights = {self.score.weights[n] for n in used}
        if weights == {Fraction(1, len(used))}:
            body = Sym("p", index="n")
            return Root(Series(True, body, "N", tuple(map(self.precision, used))), len(used))
        body_power = Pow(Sym("p", index="n"), Sym("w", index="n"))
        terms = tuple(Pow(self.precision(n), self.weight(n)) for n in used)
        return Series(True, body_power, "N", terms)

    def smoothing_value(self, settings: Settings) -> Sym:
        """ε or k."""
        symbol = SMOOTHINGS[settings.smoothing].symbol
        return Sym(symbol, settings.smoothing_value, decimal=True)

    def smoothing_equations(
        self, settings: Settings, statistics: Statistics, orders: Sequence[int]
    ) -> list[Equation]:
        """How each of the orders got its smoothed precision."""
        value = self.smoothing_value(settings)
        equations = []
        for place, order in enumerate(orders, 1):
            formula: Expr
            if settings.smoothing == "floor":
                formula = Div(value, self.total(order)) if statistics.total[order] else value
            elif settings.smoothing == "add-k":
                formula = Div(Add((self.matched(order), value)), Add((self.total(order), value)))
            else:
                halves = Pow(Num(2), Num(place))
                formula = Div(Num(1), Mul((halves, self.total(order))))
            equations.append(Equation(self.precision(order), formula))
        return equations

    def _used(self) -> list[int]:
        return [n for n, weight in enumerate(self.score.weights) if weight]
