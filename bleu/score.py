"""From statistics to the score. Numbers only: no text comes here."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import add
from typing import Final

from bleu.brevity import Length, brevity_penalty
from bleu.numerics import ln, power
from bleu.settings import Settings
from bleu.smoothing import SMOOTHINGS, Pair
from bleu.statistics import Statistics

TOLERANCE: Final = 1e-12


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


@dataclass(frozen=True, slots=True)
class Score:
    """BLEU and the quantities it is made of.

    - `value`: BP · geometric mean, in [0, 1]; an exact 0 is 0.
    - `precisions`: p_1 to p_N as used, after smoothing, exact, in [0, 1].
    - `pairs`: the smoothed (matched, total) behind each precision.
    - `weights`: w_1 to w_N as used: 0 for an order left out by `effective_order`.
    - `log_geometric_mean`: Σ w_n ln p_n, in [-inf, 0].
    - `geometric_mean`, `brevity_penalty`: in [0, 1].
    - `matched`, `total`, `hypothesis_length`, `reference_length`: as counted, before smoothing.
    """

    value: float
    precisions: tuple[Fraction, ...]
    pairs: tuple[Pair, ...]
    weights: tuple[Fraction, ...]
    brevity_penalty: float
    log_geometric_mean: float
    geometric_mean: float
    statistics: Statistics
    cross_check: CrossCheck

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


def smooth(statistics: Statistics, settings: Settings) -> list[Pair]:
    """The smoothed (matched, total) of every order; as counted where smoothing is not asked.

    It is not asked where nothing matches at all, or (torchmetrics) where any order is empty,
    unless the settings say so.
    """
    matched = statistics.matched
    refused = {"zero": not any(matched), "smoothed": False, "any-zero": not all(matched)}
    if refused[settings.unmatched]:
        return SMOOTHINGS["none"].apply(statistics, Fraction(0))
    if settings.too_short == "of-one" and statistics.details:
        total = tuple(map(add, statistics.total, statistics.details.short))
        statistics = replace(statistics, total=total)
    value = settings.smoothing_value or Fraction(0)
    return SMOOTHINGS[settings.smoothing].apply(statistics, value)


def precision(pair: Pair, settings: Settings) -> Fraction:
    """p_n = matched / total; without a total, what the settings say."""
    matched, total = pair
    if total:
        return Fraction(matched, total)
    return {"zero": Fraction(0), "one": Fraction(1)}.get(settings.too_short, Fraction(matched))


def effective_weights(
    pairs: list[Pair], precisions: Sequence[Fraction], settings: Settings
) -> tuple[Fraction, ...]:
    """w_1 to w_N: with `effective_order`, orders without any n-gram get 0, the rest is scaled.

    Where a precision of 0 is dropped its weight is 0, and the rest is not scaled.
    """
    weights = settings.order_weights
    if settings.zero_precision == "dropped" and any(precisions):
        return tuple(w if p else Fraction(0) for w, p in zip(weights, precisions, strict=True))
    if not settings.effective_order:
        return weights
    present = [w if total else Fraction(0) for w, (_, total) in zip(weights, pairs, strict=True)]
    whole = sum(present)
    return tuple(weight / whole for weight in present) if whole else weights


def compute(statistics: Statistics, settings: Settings) -> Score:
    """BLEU = BP · exp(Σ w_n ln p_n) (Papineni 2002, 2.3), checked by the product.

    The only way from statistics to a score, for a segment and for a corpus alike.

    Raises ValueError where the statistics have other orders than the settings, and
    ArithmeticError if the two ways disagree beyond rounding.

    >>> compute(Statistics((5, 3, 2, 1), (5, 4, 3, 2), 5, 6), Settings()).value
    0.5789300674674098
    """
    if len(statistics.matched) != settings.max_order:
        raise ValueError(
            f"the statistics have {len(statistics.matched)} orders and max_order is "
            f"{settings.max_order}: compute both with the same"
        )
    pairs = smooth(statistics, settings)
    precisions = tuple(precision(pair, settings) for pair in pairs)
    weights = effective_weights(pairs, precisions, settings)
    penalty = brevity_penalty(
        statistics.hypothesis_length,
        statistics.reference_length,
        padded=settings.length_padding == "coco",
    )
    log_mean = math.fsum(
        float(weight) * ln(precision)
        for weight, precision in zip(weights, precisions, strict=True)
        if weight
    )
    mean = math.exp(log_mean)
    value = penalty * mean
    check = _cross_check(mean, penalty, weights, precisions)
    if not check.agrees:
        raise ArithmeticError(
            f"the two ways to the geometric mean disagree: {mean!r} by logarithms, "
            f"{check.geometric_mean!r} by the product, for {statistics} and {settings}"
        )
    return Score(
        value, precisions, tuple(pairs), weights, penalty, log_mean, mean, statistics, check
    )


def product_mean(weights: tuple[Fraction, ...], precisions: tuple[Fraction, ...]) -> float:
    """The geometric mean by the product: where the weights are equal, one root of an exact number.

    >>> product_mean((Fraction(1, 2),) * 2, (Fraction(1, 2), Fraction(1, 8)))
    0.25
    """
    used = [(weight, p) for weight, p in zip(weights, precisions, strict=True) if weight]
    share = used[0][0]
    if share * len(used) == 1 and all(weight is share or weight == share for weight, _ in used):
        above = math.prod(p.numerator for _, p in used)
        below = math.prod(p.denominator for _, p in used)
        return power(Fraction(above, below), share)
    return math.prod(power(p, weight) for weight, p in used)


def _cross_check(
    mean: float, penalty: float, weights: tuple[Fraction, ...], precisions: tuple[Fraction, ...]
) -> CrossCheck:
    other = product_mean(weights, precisions)
    difference = abs(mean - other) / max(mean, other) if mean != other else 0.0
    return CrossCheck(other, penalty * other, difference)
