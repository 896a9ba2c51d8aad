"""The equations of a score: its method, run on symbols, with each formula written down."""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Final

from bleu.core.stages import method_of
from bleu.explanation.symbols import Symbols
from bleu.metric.algebra import Quantity, mean_by_product
from bleu.metric.expressions import Equation, Sym, evaluate, lift
from bleu.metric.method import bleu

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
