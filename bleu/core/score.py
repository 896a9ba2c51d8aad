"""The score from statistics and settings; this module never sees text."""

import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from itertools import compress
from typing import TYPE_CHECKING, Any, Final, Self

from bleu.core.migration import refuse_attribute
from bleu.core.settings import Settings
from bleu.core.statistics import Statistics, check_counting
from bleu.metric.algebra import as_it_is
from bleu.metric.method import Let, Pairs
from bleu.metric.numerics import Weights, decimal, ln_ratios, power_ratio
from bleu.metric.rules import (
    IS_SMOOTHED,
    IS_ZERO,
    REFUSED_SIDE,
    TOO_SHORT,
    Length,
    has_segments,
    penalty_of_lengths,
)
from bleu.metric.smoothings import SMOOTHINGS, none

TOLERANCE: Final = 1e-12
"""The largest relative difference of two scores that rounding can cause."""
_ZERO: Final = Fraction(0)

Ratio = tuple[int, int]
"""An exact number as a pair of integers (numerator, denominator), maybe not in lowest terms."""


@dataclass(frozen=True, slots=True)
class CrossCheck:
    """The score computed by multiplying powers p_n^w_n, compared with the score by logarithms.

    Both have the same brevity penalty, so only their geometric means are compared.
    """

    geometric_mean: float
    value: float
    relative_difference: float

    @property
    def agrees(self) -> bool:
        """Whether the two results differ by no more than rounding can cause."""
        return self.relative_difference <= TOLERANCE


@dataclass(frozen=True, slots=True, repr=False)
class Score(float):
    """BLEU and its components.

    A score is a float, its value in [0, 1]: in arithmetic, comparisons, JSON, and formats such as
    `.4f` or `.2%`. Two differences: `str` is one line, on a scale of 0 to 100, and `==` of two
    scores compares all fields except the settings.

    >>> score = compute(Statistics((5, 3, 2, 1), (5, 4, 3, 2), 5, 6), Settings())
    >>> print(score)
    BLEU-4 57.89 (BP 0.819, precisions 100.0/75.0/66.7/50.0, c 5, r 6)
    >>> f"{score:.4f}", f"{score:.2%}", score > 0.5, round(100 * score, 1), score == 0
    ('0.5789', '57.89%', True, 57.9, False)
    >>> short = Statistics((1, 0), (1, 0), 1, 1)
    >>> print(compute(short, Settings(max_order=2, effective_order=True)))
    BLEU-2 100.00 (BP 1.000, precisions 100.0/left out, c 1, r 1)

    - `value`: BP · geometric mean, in [0, 1]; exactly 0 if any used precision is 0.
    - `pairs`: the smoothed (matched, total) of each order.
    - `ratios`: p_1 to p_N as used, after smoothing, as pairs of integers.
    - `shares`: w_1 to w_N as used; 0 for an order left out by `effective_order`.
    - `log_geometric_mean`: Σ w_n ln p_n; -inf if any used precision is 0.
    - `brevity_penalty`: in [0, 1].
    - `product_mean`: the geometric mean by multiplying powers; agrees with `geometric_mean`.
    - `matched`, `total`, `hypothesis_length`, `reference_length`: as counted, before smoothing.
    - `settings`, `signature`: the settings of the score, as data and as text to report with it.

    Smoothings such as `average-last` can bring precisions, mean and value above 1.
    """

    value: float
    pairs: tuple[tuple[Length, Length], ...]
    ratios: tuple[Ratio, ...]
    shares: Weights
    brevity_penalty: float
    log_geometric_mean: float
    product_mean: float
    statistics: Statistics
    settings: Settings = field(compare=False)

    def __new__(cls, value: float, *_: Any, **__: Any) -> Self:
        """Return the score as a number; the other fields are set by `__init__`."""
        return float.__new__(cls, value)

    @property
    def precisions(self) -> tuple[Fraction, ...]:
        """The precisions p_1 to p_N as used, after smoothing, exact."""
        return tuple(Fraction(*ratio) for ratio in self.ratios)

    @property
    def fractions(self) -> tuple[Ratio, ...]:
        """The precisions p_1 to p_N as fractions that are not reduced, such as 4416/7176.

        Integers, and precisions with fractional counts after smoothing, are reduced.

        >>> compute(Statistics((4, 2), (4, 8), 5, 5), Settings(max_order=2)).fractions
        ((1, 1), (2, 8))
        """
        pairs = zip(self.pairs, self.precisions, strict=True)
        return tuple(_unreduced(pair, value) for pair, value in pairs)

    @property
    def weights(self) -> tuple[Fraction, ...]:
        """The weights w_1 to w_N as used, exact, each >= 0."""
        return self.shares.weights

    @property
    def geometric_mean(self) -> float:
        """The geometric mean of the precisions, by logarithms."""
        return math.exp(self.log_geometric_mean)

    @property
    def cross_check(self) -> CrossCheck:
        """The score by multiplying powers, compared with the score by logarithms."""
        mean, other_mean = self.geometric_mean, self.product_mean
        difference = abs(mean - other_mean) / max(mean, other_mean) if mean != other_mean else 0.0
        return CrossCheck(other_mean, self.brevity_penalty * other_mean, difference)

    @property
    def matched(self) -> tuple[int, ...]:
        """The clipped matches of each order, as counted."""
        return self.statistics.matched

    @property
    def total(self) -> tuple[int, ...]:
        """The n-grams of the hypothesis of each order, as counted."""
        return self.statistics.total

    @property
    def hypothesis_length(self) -> int:
        """The length c of the hypothesis, in tokens."""
        return self.statistics.hypothesis_length

    @property
    def reference_length(self) -> Length:
        """The effective reference length r, in tokens."""
        return self.statistics.reference_length

    @property
    def signature(self) -> str:
        """The signature of the settings, without the number of references."""
        return self.settings.signature()

    def to_dict(self) -> dict[str, Any]:
        """Return the score for JSON: numbers, lists with one number for each order, and text.

        `value`, `brevity_penalty`, `geometric_mean`, `precisions` and `weights` are in [0, 1];
        `matched`, `total`, `hypothesis_length` and `reference_length` are as counted.

        >>> compute(Statistics((1,), (2,), 2, 2), Settings(max_order=1)).to_dict()["precisions"]
        [0.5]
        """
        length = self.reference_length
        return {
            "value": self.value,
            "brevity_penalty": self.brevity_penalty,
            "geometric_mean": self.geometric_mean,
            "precisions": list(map(float, self.precisions)),
            "weights": list(map(float, self.weights)),
            "matched": list(self.matched),
            "total": list(self.total),
            "hypothesis_length": self.hypothesis_length,
            "reference_length": length if isinstance(length, int) else float(length),
            "signature": self.signature,
        }

    def __eq__(self, other: object) -> bool:
        """Compare all fields except the settings with a score, or the value with a number."""
        if isinstance(other, Score):
            return _COMPARED_FIELDS(self) == _COMPARED_FIELDS(other)
        return float.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        """Return the opposite of `==`."""
        return not self == other

    __hash__ = float.__hash__

    if not TYPE_CHECKING:  # A type checker would accept every name.
        __getattr__ = refuse_attribute

    def __repr__(self) -> str:
        """Return the `str` in angle brackets."""
        return f"<Score: {self}>"

    def __str__(self) -> str:
        """Return the score in one line, on a scale of 0 to 100."""
        pairs = zip(self.precisions, self.weights, strict=True)
        precisions = "/".join(f"{100 * float(p):.1f}" if p or w else "left out" for p, w in pairs)
        return (
            f"BLEU-{len(self.ratios)} {100 * self.value:.2f} (BP {self.brevity_penalty:.3f}, "
            f"precisions {precisions}, c {self.hypothesis_length}, "
            f"r {decimal(Fraction(self.reference_length))})"
        )

    def __format__(self, spec: str) -> str:
        """Format the value; without a format specification, return the `str`."""
        return float.__format__(self, spec) if spec else str(self)


_COMPARED_FIELDS: Final = operator.attrgetter(
    *(score_field.name for score_field in fields(Score) if score_field.compare)
)


def smooth(statistics: Statistics, settings: Settings) -> Pairs:
    """Return the smoothed (matched, total) of every order, or as counted if nothing is smoothed.

    If no order matches, or not all do, `Settings.unmatched` decides whether to smooth.
    """
    if IS_SMOOTHED[settings.unmatched](statistics):
        return apply_smoothing(settings, statistics)
    return none(statistics, _ZERO)


def apply_smoothing(settings: Settings, counts: Any, let: Let = as_it_is) -> Pairs:
    """Return the smoothed (matched, total) of every order of `Statistics`, or of symbols."""
    details = counts.details
    if settings.too_short == "zero-of-one" and details and any(details.too_short):
        total = list(counts.total)
        for n, segments in enumerate(details.too_short):
            if segments:
                total[n] = let("total′", n + 1, total[n] + segments)
        counts = replace(counts, total=total)
    value = settings.smoothing_value
    value = let("value", 0, _ZERO if value is None else value)
    return SMOOTHINGS[settings.smoothing].rule(counts, value, let)


def too_short_rule(settings: Settings) -> Callable[[Any, Any], Any]:
    """Return the rule for the precision of an order that the whole text is too short for."""
    return TOO_SHORT["zero" if settings.smoothing == "none" else settings.too_short]


def precisions(
    pairs: Pairs, length: int, too_short: Callable[[Any, Any], Any] = TOO_SHORT["zero"]
) -> list[Ratio]:
    """Return p_n = matched / total, or if the total is 0, what the rule `too_short` gives.

    >>> precisions([(3, 4), (Fraction(1, 10), 2), (0, 0)], 4)
    [(3, 4), (1, 20), (0, 1)]
    >>> precisions([(1, 1), (0, 0)], 1, TOO_SHORT["one"])
    [(1, 1), (1, 1)]
    """
    ratios: list[Ratio] = []
    for matched, total in pairs:
        if not total:
            matched, total = too_short(matched, length), 1
        ratios.append(
            (matched.numerator * total.denominator, matched.denominator * total.numerator)
        )
    return ratios


def effective_weights(
    settings: Settings, weights: Weights, precisions: Sequence[Any], totals: Sequence[Any], c: Any
) -> Weights:
    """Return w_1 to w_N as used for a hypothesis of c tokens; `precisions` may be numerators.

    With `effective_order`, orders without any n-gram get weight 0 and the others are scaled to sum
    to 1. If precisions of 0 are dropped, their orders get weight 0 and the others are not scaled;
    `effective_order` is then NLTK's `auto_reweigh`. Nothing is dropped if all precisions are 0, or
    if no weight above 0 would remain, except under NLTK's other rules: the mean is then 1, an empty
    product. The R package gives NaN for an order without a match and weight 0: 0 times infinity.
    """
    if settings.weight_precision == "single" and settings.unmatched != "zero-if-any-order-empty":
        for n, (weight, p) in enumerate(zip(weights.numerators, precisions, strict=True), 1):
            if not weight and not p:
                raise ValueError(
                    f"the R package gives NaN, because order {n} has no match and weight 0; choose "
                    "another convention"
                )
    if settings.zero_precision == "dropped":
        if settings.effective_order:
            weights = _auto_reweigh(weights, c)
        if any(p for p, total in zip(precisions, totals, strict=True) if total):
            remaining = weights.masked(precisions)
            nltk_rules = (settings.too_short, settings.unmatched) == ("zero-of-one", "zero")
            if any(remaining.numerators) or nltk_rules:
                return remaining
    if not settings.effective_order:
        return weights
    present = weights.masked(totals)
    return present.renormalized() if any(present.numerators) else weights


def _auto_reweigh(weights: Weights, c: Any) -> Weights:
    """Return the weights that NLTK's `auto_reweigh` uses for a hypothesis of c tokens.

    For 1 to 3 tokens, four equal weights become 1/c for orders 1 to c, and 0 for the others. Other
    weights and lengths change nothing.
    """
    four_equal = weights.numerators == (1, 1, 1, 1) and weights.denominator == 4
    if not four_equal or not 0 < c < 4:
        return weights
    return weights.masked([order < c for order in range(4)]).renormalized()


def refused_side(statistics: Statistics, settings: Settings) -> str:
    """Return which empty side the implementation refuses, hypothesis or reference, or "" if none.

    No implementation refuses a corpus without segments.

    >>> settings = Settings(max_order=1, empty_side="multi-bleu")
    >>> refused_side(Statistics((0,), (0,), 0, 3), settings)
    'hypothesis'
    """
    side = REFUSED_SIDE[settings.empty_side](statistics)
    return side if side and has_segments(statistics) else ""


def refuse(settings: Settings, statistics: Any) -> None:
    """Raise ValueError if the implementation that the settings follow gives no score."""
    if side := refused_side(statistics, settings):
        raise ValueError(
            f"the {side} length is 0, and {settings.empty_side} fails on that; choose a convention "
            "that scores empty texts"
        )
    lengths = statistics.hypothesis_length, statistics.reference_length
    if settings.weight_precision == "single" and statistics.details and not any(lengths):
        raise ValueError(
            "the R package gives NaN, because hypothesis and references are empty; choose another "
            "convention"
        )


def compute(statistics: Statistics, settings: Settings) -> Score:
    """Return BLEU = BP · exp(Σ w_n ln p_n) (Papineni 2002, 2.3), verified by multiplying powers.

    Every score of a segment or a corpus is computed here.

    Raises ValueError if the statistics have another max order than the settings or were counted
    with other settings, and if the implementation that the settings follow gives no score;
    ArithmeticError if logarithms and product differ by more than rounding.

    >>> compute(Statistics((5, 3, 2, 1), (5, 4, 3, 2), 5, 6), Settings()).value
    0.5789300674674098
    """
    if len(statistics.matched) != settings.max_order:
        raise ValueError(
            f"the statistics have {len(statistics.matched)} orders and max_order is "
            f"{settings.max_order}; compute both with the same max_order"
        )
    if statistics.counting is not settings.counting:
        check_counting(statistics.counting, settings.counting)
    pairs: Pairs
    ratios: Sequence[Ratio]
    if settings.keeps_matches and all(statistics.matched) and statistics.reference_length:
        # Faster than smoothing, which would change nothing; a property test compares both.
        pairs = ratios = tuple(zip(statistics.matched, statistics.total, strict=True))
        weights = settings.shares
        if settings.effective_order and settings.zero_precision != "dropped":
            weights = weights.renormalized()
    else:
        pairs, ratios, weights = _orders(statistics, settings)
        pairs, ratios = tuple(pairs), tuple(ratios)
    penalty = penalty_of_lengths(
        statistics.hypothesis_length, statistics.reference_length, settings.length_padding
    )
    used_ratios: Sequence[Ratio] = ratios
    if len(weights.nonzero) != len(ratios):
        used_ratios = list(compress(ratios, weights.numerators))
    log_mean = math.fsum(map(operator.mul, weights.nonzero, ln_ratios(used_ratios)))
    mean = math.exp(log_mean)
    other_mean = product_mean(used_ratios, weights)
    if mean != other_mean and not abs(mean - other_mean) <= TOLERANCE * mean:
        raise ArithmeticError(
            f"the geometric means disagree: {mean!r} by logarithms, {other_mean!r} by the product, "
            f"for {statistics} and {settings}; please report this as a bug"
        )
    return Score(
        penalty * mean, pairs, ratios, weights, penalty, log_mean, other_mean, statistics, settings
    )


def _orders(statistics: Statistics, settings: Settings) -> tuple[Pairs, list[Ratio], Weights]:
    """Return the smoothed pairs, the precisions and the weights of all orders.

    This is `bleu` of `metric.method` on integers, which is faster; property tests compare both.
    """
    length = statistics.hypothesis_length
    if not length or not statistics.reference_length:
        refuse(settings, statistics)
    if IS_SMOOTHED[settings.unmatched](statistics):
        pairs = apply_smoothing(settings, statistics)
        ratios = precisions(pairs, length, too_short_rule(settings))
    else:
        pairs = none(statistics, _ZERO)
        ratios = precisions(pairs, length)
    if settings.keeps_weights:
        return pairs, ratios, settings.shares
    (numerators, _), (_, totals) = zip(*ratios, strict=True), zip(*pairs, strict=True)
    weights = effective_weights(settings, settings.shares, numerators, totals, length)
    if IS_ZERO[settings.unmatched](statistics, numerators, weights):
        return pairs, [(0, 1)] * len(pairs), settings.shares
    return pairs, ratios, weights


def product_mean(ratios: Sequence[Ratio], weights: Weights) -> float:
    """Return the geometric mean, the product of p ** w for each ratio p and its weight w above 0.

    If all weights are the same, one power of the exact product suffices.

    >>> product_mean([(1, 2), (1, 8)], Weights.from_numerators((1, 1), 2))
    0.25
    """
    if weights.equal:
        numerator = denominator = 1  # A loop is twice as fast as math.prod for four orders.
        for ratio in ratios:
            numerator *= ratio[0]
            denominator *= ratio[1]
        return power_ratio(numerator, denominator, weights.nonzero[0])
    powers = zip(ratios, weights.nonzero, strict=True)
    return math.prod([power_ratio(*p, weight) for p, weight in powers])


def _unreduced(pair: tuple[Length, Length], value: Fraction) -> Ratio:
    matched, total = Fraction(pair[0]), Fraction(pair[1])
    integers = matched.denominator == total.denominator == 1
    if value.denominator > 1 and integers and total and matched / total == value:
        return int(matched), int(total)
    return value.numerator, value.denominator
