"""From statistics to the score. Numbers only: no text comes here."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import compress
from operator import add, mul
from typing import Final

from bleu.core.brevity_penalty import Length, brevity_penalty
from bleu.core.numerics import decimal, ln_ratios, power_ratio
from bleu.core.settings import Settings
from bleu.core.smoothing import SMOOTHINGS, Pair
from bleu.core.statistics import Statistics, check_counting
from bleu.core.weights import Weights

TOLERANCE: Final = 1e-12
_ZERO: Final = Fraction(0)
_WORTH_SMOOTHING: Final[Mapping[str, Callable[[tuple[int, ...]], object]]] = {
    "zero": any,
    "smoothed": len,
    "zero-if-any-order-empty": all,
}
"""Whether smoothing is asked for the matches of all orders, by the choice for `unmatched`."""

_AS_NLTK: Final = ("zero-of-one", "zero")
"""NLTK's choices for `too_short` and `unmatched`."""

Ratio = tuple[int, int]
"""An exact number as the quotient of two whole ones, not in its lowest terms."""


@dataclass(frozen=True, slots=True)
class CrossCheck:
    """The same score by the product, and how far the two geometric means are apart.

    The brevity penalty is common to both ways, so the means alone are compared.
    """

    geometric_mean: float
    value: float
    relative_difference: float

    @property
    def agrees(self) -> bool:
        """Whether the two ways differ by rounding only."""
        return self.relative_difference <= TOLERANCE


@dataclass(frozen=True, slots=True, repr=False)
class Score:
    """BLEU and the quantities it is made of.

    `str` has it in one line, on a scale of 0 to 100; `float`, and a format such as `.4f` or `.2%`,
    take the value, in [0, 1]. `<`, `<=`, `>` and `>=` compare values; `==` compares all fields.

    >>> score = compute(Statistics((5, 3, 2, 1), (5, 4, 3, 2), 5, 6), Settings())
    >>> print(score)
    BLEU-4 57.89 (BP 0.819, precisions 100.0/75.0/66.7/50.0, c 5, r 6)
    >>> f"{score:.4f}", f"{score:.2%}"
    ('0.5789', '57.89%')
    >>> short = Statistics((1, 0), (1, 0), 1, 1)
    >>> print(compute(short, Settings(max_order=2, effective_order=True)))
    BLEU-2 100.00 (BP 1.000, precisions 100.0/left out, c 1, r 1)

    - `value`: BP · geometric mean, in [0, 1]; an exact 0 is 0.
    - `pairs`: the smoothed (matched, total) of each order.
    - `ratios`: p_1 to p_N as used, after smoothing, as quotients of whole numbers.
    - `shares`: w_1 to w_N as used: 0 for an order left out by `effective_order`.
    - `log_geometric_mean`: Σ w_n ln p_n, in [-inf, 0].
    - `geometric_mean`, `brevity_penalty`: in [0, 1].
    - `product_mean`: the geometric mean by the product, compared already.
    - `matched`, `total`, `hypothesis_length`, `reference_length`: as counted, before smoothing.
    """

    value: float
    pairs: tuple[Pair, ...]
    ratios: tuple[Ratio, ...]
    shares: Weights
    brevity_penalty: float
    log_geometric_mean: float
    geometric_mean: float
    product_mean: float
    statistics: Statistics

    @property
    def precisions(self) -> tuple[Fraction, ...]:
        """p_1 to p_N as used, after smoothing, exact, in [0, 1]."""
        return tuple(Fraction(*ratio) for ratio in self.ratios)

    @property
    def fractions(self) -> tuple[Ratio, ...]:
        """p_1 to p_N as counted: 4416/7176 and not 8/13; in lowest terms if not whole numbers.

        >>> compute(Statistics((4, 2), (4, 8), 5, 5), Settings(max_order=2)).fractions
        ((1, 1), (2, 8))
        """
        pairs = zip(self.pairs, self.precisions, strict=True)
        return tuple(_unreduced(pair, value) for pair, value in pairs)

    @property
    def weights(self) -> tuple[Fraction, ...]:
        """w_1 to w_N as used, exact, in [0, 1]."""
        return self.shares.weights

    @property
    def cross_check(self) -> CrossCheck:
        """The same score by the product."""
        mean, other = self.geometric_mean, self.product_mean
        value = self.brevity_penalty * other
        return CrossCheck(other, value, relative_difference(mean, other))

    @property
    def matched(self) -> tuple[int, ...]:
        """Clipped matches of each order, as counted."""
        return self.statistics.matched

    @property
    def total(self) -> tuple[int, ...]:
        """n-grams of the hypothesis of each order, as counted."""
        return self.statistics.total

    @property
    def hypothesis_length(self) -> int:
        """Length c, in tokens."""
        return self.statistics.hypothesis_length

    @property
    def reference_length(self) -> Length:
        """Length r, in tokens."""
        return self.statistics.reference_length

    def __float__(self) -> float:
        """The value, in [0, 1]."""
        return self.value

    def __repr__(self) -> str:
        """The same as `str`, in angle brackets: the fields have names to ask for."""
        return f"<Score: {self}>"

    def __str__(self) -> str:
        """The score in one line, on a scale of 0 to 100."""
        pairs = zip(self.precisions, self.weights, strict=True)
        precisions = "/".join(f"{100 * float(p):.1f}" if p or w else "left out" for p, w in pairs)
        return (
            f"BLEU-{len(self.ratios)} {100 * self.value:.2f} (BP {self.brevity_penalty:.3f}, "
            f"precisions {precisions}, c {self.hypothesis_length}, "
            f"r {decimal(Fraction(self.reference_length))})"
        )

    def __format__(self, form: str) -> str:
        """The value in this form; the whole line where there is none."""
        return format(self.value, form) if form else str(self)

    def __lt__(self, other: "Score") -> bool:
        """Whether the value is less."""
        return self.value < other.value if isinstance(other, Score) else NotImplemented

    def __le__(self, other: "Score") -> bool:
        """Whether the value is not more."""
        return self.value <= other.value if isinstance(other, Score) else NotImplemented


def smooth(statistics: Statistics, settings: Settings) -> list[Pair]:
    """The smoothed (matched, total) of every order; as counted where smoothing is not asked.

    It is not asked where nothing matches at all, or (torchmetrics) where any order is empty,
    unless the settings say so.
    """
    if not _WORTH_SMOOTHING[settings.unmatched](statistics.matched):
        return SMOOTHINGS["none"].apply(statistics, _ZERO)
    if settings.too_short == "zero-of-one" and statistics.details:
        total = tuple(map(add, statistics.total, statistics.details.too_short))
        statistics = replace(statistics, total=total)
    return SMOOTHINGS[settings.smoothing].apply(statistics, settings.smoothing_value or _ZERO)


def precisions(pairs: Iterable[Pair], too_short: str) -> list[Ratio]:
    """p_n = matched / total; without a total, what the settings say of an order `too_short`.

    An empty text, without any n-gram, has no order that counts as 1.

    >>> precisions([(3, 4), (Fraction(1, 10), 2), (0, 0)], "smoothed")
    [(3, 4), (1, 20), (0, 1)]
    >>> precisions([(1, 1), (0, 0)], "one"), precisions([(0, 0)], "one")
    ([(1, 1), (1, 1)], [(0, 1)])
    """
    ratios: list[Ratio] = []
    pairs = list(pairs)
    if too_short == "one" and not any(total for _, total in pairs):
        too_short = "zero"
    for matched, total in pairs:
        if not total:
            matched, total = {"zero": 0, "one": 1}.get(too_short, matched), 1
        if isinstance(matched, int) and isinstance(total, int):
            ratios.append((matched, total))
        else:
            ratios.append(
                (matched.numerator * total.denominator, matched.denominator * total.numerator)
            )
    return ratios


def effective_weights(
    pairs: Sequence[Pair], ratios: Sequence[Ratio], settings: Settings, length: int
) -> Weights:
    """w_1 to w_N: with `effective_order`, orders without any n-gram get 0, the rest is scaled.

    Where a precision of 0 is dropped its weight is 0, and the rest is not scaled; `effective_order`
    is NLTK's `auto_reweigh` there. Where no weight is left, NLTK has an empty product, which is 1;
    but with its other rules alone, not where they are mixed with those of others.
    """
    weights = settings.shares
    if settings.zero_precision == "dropped":
        if settings.effective_order:
            weights = _auto_reweigh(weights, length)
        matched = [above for above, _ in ratios]
        if any(one for one, (_, total) in zip(matched, pairs, strict=True) if total):
            left = weights.masked(matched)
            if any(left.numerators) or (settings.too_short, settings.unmatched) == _AS_NLTK:
                return left
    if not settings.effective_order:
        return weights
    present = weights.masked([total for _, total in pairs])
    return present.renormalized() if any(present.numerators) else weights


def _auto_reweigh(weights: Weights, length: int) -> Weights:
    """NLTK's `auto_reweigh`: four equal weights become as many as the text has tokens, if fewer."""
    four_equal = weights.numerators == (1, 1, 1, 1) and weights.denominator == 4
    if not four_equal or not 0 < length < 4:
        return weights
    return weights.masked([place < length for place in range(4)]).renormalized()


def _undefined_reason(ratios: Sequence[Ratio], statistics: Statistics, settings: Settings) -> str:
    """Why the R package has no number for this, if it has none: it multiplies 0 by an infinity."""
    if statistics.details and not statistics.hypothesis_length + statistics.reference_length:
        return "hypothesis and references are empty"
    for order, (ratio, weight) in enumerate(
        zip(ratios, settings.shares.numerators, strict=True), 1
    ):
        if not weight and not ratio[0]:
            return f"order {order} has no match and weight 0"
    return ""


def check_sides(statistics: Statistics) -> None:
    """Refuse a corpus of which one side is all empty; one without any segment has none."""
    lengths = statistics.hypothesis_length, statistics.reference_length
    for words, length in zip(("is the hypothesis", "are the references"), lengths, strict=True):
        if not length and (any(lengths) or statistics.counting):
            raise ValueError(
                "the implementation that these settings follow fails where all texts of one side "
                f"are empty, and so {words} here: choose another convention"
            )


def compute(statistics: Statistics, settings: Settings) -> Score:
    """BLEU = BP · exp(Σ w_n ln p_n) (Papineni 2002, 2.3), checked by the product.

    The only way from statistics to a score, for a segment and for a corpus alike.

    Raises ValueError where the statistics have other orders than the settings or were counted
    with others, and where the implementation that the settings follow has no number;
    ArithmeticError if the two ways disagree beyond rounding.

    >>> compute(Statistics((5, 3, 2, 1), (5, 4, 3, 2), 5, 6), Settings()).value
    0.5789300674674098
    """
    if len(statistics.matched) != settings.max_order:
        raise ValueError(
            f"the statistics have {len(statistics.matched)} orders and max_order is "
            f"{settings.max_order}: compute both with the same"
        )
    if statistics.counting is not settings.counting:
        check_counting(statistics.counting, settings.counting)
    if settings.empty_side == "refused":
        check_sides(statistics)
    pairs: Sequence[Pair]
    ratios: Sequence[Ratio]
    if settings.keeps_matches and all(statistics.matched):  # p_n is what was counted
        pairs = ratios = tuple(zip(statistics.matched, statistics.total, strict=True))
        weights = settings.shares.renormalized() if settings.effective_order else settings.shares
    else:
        pairs = smooth(statistics, settings)
        asked = _WORTH_SMOOTHING[settings.unmatched](statistics.matched)
        smoothed = asked and settings.smoothing != "none"
        ratios = precisions(pairs, settings.too_short if smoothed else "zero")
        weights = effective_weights(pairs, ratios, settings, statistics.hypothesis_length)
        if settings.unmatched == "zero-if-any-order-empty" and not asked:
            if all(above for above, _ in compress(ratios, weights.numerators)):
                ratios, weights = [(0, 1)] * len(pairs), settings.shares
        elif settings.weight_precision == "single" and (
            why := _undefined_reason(ratios, statistics, settings)
        ):
            raise ValueError(f"the R package gives NaN for this, and no score: {why}")
    penalty = brevity_penalty(
        statistics.hypothesis_length,
        statistics.reference_length,
        padded=settings.length_padding == "coco",
    )
    used = (
        ratios
        if len(weights.nonzero) == len(ratios)
        else list(compress(ratios, weights.numerators))
    )
    log_mean = math.fsum(map(mul, weights.nonzero, ln_ratios(used)))
    mean = math.exp(log_mean)
    other = product_mean(used, weights.nonzero, equal=weights.equal)
    if mean != other and not relative_difference(mean, other) <= TOLERANCE:
        raise ArithmeticError(
            f"the two ways to the geometric mean disagree: {mean!r} by logarithms, "
            f"{other!r} by the product, for {statistics} and {settings}"
        )
    return Score(
        penalty * mean,
        tuple(pairs),
        tuple(ratios),
        weights,
        penalty,
        log_mean,
        mean,
        other,
        statistics,
    )


def product_mean(ratios: Sequence[Ratio], weights: Sequence[float], *, equal: bool) -> float:
    """The geometric mean by the product: where the weights are equal, one root of an exact number.

    >>> product_mean([(1, 2), (1, 8)], (0.5, 0.5), equal=True)
    0.25
    """
    if equal:
        above = below = 1
        for ratio in ratios:
            above *= ratio[0]
            below *= ratio[1]
        return power_ratio(above, below, weights[0])
    return math.prod([power_ratio(*p, weight) for p, weight in zip(ratios, weights, strict=True)])


def _unreduced(pair: Pair, value: Fraction) -> Ratio:
    matched, total = Fraction(pair[0]), Fraction(pair[1])
    whole = matched.denominator == total.denominator == 1
    if value.denominator > 1 and whole and total and matched / total == value:
        return int(matched), int(total)
    return value.numerator, value.denominator


def relative_difference(one: float, other: float) -> float:
    """How far two means are apart, as a part of the larger; 0 where they are the same.

    >>> relative_difference(0.5, 0.5), relative_difference(0.5, 0.25)
    (0.0, 0.5)
    """
    return abs(one - other) / max(one, other) if one != other else 0.0
