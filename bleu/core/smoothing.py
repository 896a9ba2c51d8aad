"""Smoothing of orders without a match, by Chen and Cherry 2014 and other implementations.

A smoothing function takes statistics and its value (ε, k, K or α), and returns a (matched, total)
pair for every order, whose quotient is p_n. It never changes the statistics.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from typing import Final

from bleu.core.statistics import SmoothingDetails, Statistics

Number = int | Fraction
Pair = tuple[Number, Number]
"""Smoothed (matched, total) of one order; with total 0, the text is too short for the order."""


def none(statistics: Statistics, value: Fraction) -> list[Pair]:  # noqa: ARG001
    """Return the counts unsmoothed: an order without a match has p_n = 0, so the score is 0.

    >>> none(Statistics((2, 0), (3, 2), 3, 3), Fraction(0))
    [(2, 3), (0, 2)]
    """
    return list(zip(statistics.matched, statistics.total, strict=True))


def floor(statistics: Statistics, value: Fraction) -> list[Pair]:
    """Count an order without a match as ε matches: p_n = ε/total, or ε if total is 0.

    Chen and Cherry's smoothing 1, NLTK's method 1.

    >>> floor(Statistics((2, 0), (3, 2), 3, 3), Fraction(1, 10))
    [(2, 3), (Fraction(1, 10), 2)]
    """
    return [(m or value, t) for m, t in none(statistics, value)]


def add_k(statistics: Statistics, value: Fraction) -> list[Pair]:
    """Add k to matches and total from the second order on: (m + k)/(t + k).

    Chen and Cherry's smoothing 2 with k = 1 (Lin and Och 2004); sacreBLEU's `add-k`.

    >>> add_k(Statistics((2, 0), (3, 2), 3, 3), Fraction(1))
    [(2, 3), (Fraction(1, 1), Fraction(3, 1))]
    """
    unigrams, *higher_orders = none(statistics, value)
    return [unigrams, *((m + value, t + value) for m, t in higher_orders)]


def exp(statistics: Statistics, value: Fraction) -> list[Pair]:
    """Count the first order without a match as 1/2 match, the second as 1/4, and so on.

    Chen and Cherry's smoothing 3, from NIST's mteval; sacreBLEU's default `exp`, NLTK's method 3.
    An order that the text is too short for is skipped.

    >>> exp(Statistics((2, 0, 0), (3, 2, 1), 3, 3), Fraction(0))[1:]
    [(Fraction(1, 2), 2), (Fraction(1, 4), 1)]
    """
    pairs = none(statistics, value)
    halvings = 0
    for order, (m, t) in enumerate(pairs):
        if m == 0 and t > 0:
            halvings += 1
            pairs[order] = _power_of_half(halvings), t
    return pairs


@cache
def _power_of_half(times: int) -> Fraction:
    return Fraction(1, 2**times)


def nltk_min_float(statistics: Statistics, value: Fraction) -> list[Pair]:
    """Set p_n of an order without a match to `value`, whatever its total: NLTK's method 0.

    NLTK uses the smallest normal float, 2.2e-308.

    >>> nltk_min_float(Statistics((2, 0), (3, 2), 3, 3), Fraction(1, 1000))[1]
    (Fraction(1, 1000), 1)
    """
    return [(m, t) if m else (value, 1) for m, t in none(statistics, value)]


def length_exp(statistics: Statistics, value: Fraction) -> list[Pair]:
    """Set p_n of the k-th order without a match to ln c/(2^k · K · total): less for shorter texts.

    NLTK's method 4, after Chen and Cherry's smoothing 4, by which the k-th such order counts
    (ln c/K)^k matches. A text of c = 1 token is not smoothed, because ln c is 0.

    >>> pair = length_exp(Statistics((2, 0), (3, 2), 3, 3), Fraction(5))[1]
    >>> float(pair[0]) == math.log(3) / (2 * 5 * 2)
    True
    """
    length = statistics.hypothesis_length
    pairs: list[Pair] = []
    k = 0
    for m, t in none(statistics, value):
        if m == 0 and length > 1:
            k += 1
            precision = math.log(length) / float(2**k * value * (t or 1))
            pairs.append((Fraction(precision), 1))
        else:
            pairs.append((m, t))
    return pairs


def average(statistics: Statistics, value: Fraction, *, last: bool = False) -> list[Pair]:
    """Average each p_n with the previous average, p′_(n-1), and with p_(n+1); p′_0 is p_1 + 1.

    NLTK's method 5; Chen and Cherry's smoothing 5 averages counts instead. It can exceed 1.
    Whatever N is, p_(N+1) is the precision of 5-grams, with `last` only in the last segment, as in
    NLTK. The statistics must have details.

    >>> from bleu.core.statistics import SmoothingDetails
    >>> details = SmoothingDetails((0,), (0,), (1, 1), (1, 1), (1,))
    >>> average(Statistics((5,), (5,), 5, 5, details), Fraction(0))
    [(Fraction(4, 1), 3)]
    """
    return _average_neighbours(none(statistics, value), statistics, last=last)


def length_average(statistics: Statistics, value: Fraction, *, last: bool = False) -> list[Pair]:
    """Smooth by `length_exp`, then by `average`: NLTK's method 7."""
    return _average_neighbours(length_exp(statistics, value), statistics, last=last)


def interpolation(statistics: Statistics, value: Fraction, *, last: bool = False) -> list[Pair]:
    """Interpolate from order 3 on: (m + α·π)/(t + α) with the prior π = p′_(n-1)²/p′_(n-2).

    The p′ are smoothed precisions. Gao and He 2013; Chen and Cherry's smoothing 6, NLTK's method 6.
    `last` takes t of the last segment alone, as NLTK does. Raises ValueError, where NLTK fails too,
    if N is below 3 or no 3-gram matches.

    >>> interpolation(Statistics((3, 2, 1), (3, 2, 1), 3, 3), Fraction(5))[2]
    (Fraction(6, 1), Fraction(6, 1))
    """
    total = _details(statistics, last=last).last_total if last else statistics.total
    pairs = none(statistics, value)
    if len(pairs) < 3:
        raise ValueError(f"N is {len(pairs)}; choose 3 or more, which interpolation needs")
    if not statistics.matched[2]:
        raise ValueError("interpolation needs a matching 3-gram, and none matches")
    precisions = [_quotient(pair) for pair in pairs[:2]]
    for order in range(2, len(pairs)):
        before_previous, previous = precisions[-2:]
        prior = previous**2 / before_previous if before_previous else Fraction(0)
        pairs[order] = (pairs[order][0] + value * prior, total[order] + value)
        precisions.append(_quotient(pairs[order]))
    return pairs


def add_k_all(statistics: Statistics, value: Fraction) -> list[Pair]:
    """Add k to matches and total of every order, 1-grams included.

    TensorFlow NMT's and Hugging Face's smooth form, Moses's sentence-bleu, the R package's add-k.

    >>> add_k_all(Statistics((2, 0), (3, 2), 3, 3), Fraction(1))[0]
    (Fraction(3, 1), Fraction(4, 1))
    """
    return [(m + value, t + value) for m, t in none(statistics, value)]


def coco_epsilon(statistics: Statistics, value: Fraction) -> list[Pair]:
    """Add `value`, 1e-15, to matches and 1e6 times that to totals, as coco-caption does."""
    return [(m + value, t + value * 10**6) for m, t in none(statistics, value)]


def segment_floor(statistics: Statistics, value: Fraction) -> list[Pair]:
    """Add ε to the matches of an order for each segment that has none, as the R package does."""
    no_match = _details(statistics).no_match
    pairs = none(statistics, value)
    return [(m + value * count, t) for (m, t), count in zip(pairs, no_match, strict=True)]


def _details(statistics: Statistics, *, last: bool = False) -> SmoothingDetails:
    if statistics.details is None:
        raise ValueError(
            "the statistics have no details, which this smoothing needs; count the segments again "
            "with these settings"
        )
    if last and not statistics.details.last_total:
        raise ValueError(
            "this smoothing depends on the last segment, which adding with + does not keep; "
            "add with Statistics.sum, or choose the smoothing without -last"
        )
    return statistics.details


def _quotient(pair: Pair) -> Fraction:
    matched, total = pair
    return Fraction(matched, total or 1)


def _average_neighbours(pairs: list[Pair], statistics: Statistics, *, last: bool) -> list[Pair]:
    details = _details(statistics, last=last)
    precisions = [_quotient(pair) for pair in pairs]
    matched, total = details.last_five_grams if last else details.five_grams
    next_precisions = [*precisions[1:], Fraction(matched, max(1, total))]
    previous_average = precisions[0] + 1
    averages: list[Pair] = []
    for precision, next_precision in zip(precisions, next_precisions, strict=True):
        averages.append((previous_average + precision + next_precision, 3))
        previous_average = _quotient(averages[-1])
    return averages


@dataclass(frozen=True, slots=True)
class Smoothing:
    """A smoothing method and its properties.

    - `apply`: the function of the statistics and the smoothing value.
    - `symbol`: the name of the smoothing value in formulas, or "" if the method takes none.
    - `default`, `maximum`: the default of that value, and its largest, or None if unlimited.
    - `cites`: the number in Chen and Cherry 2014, or the implementation.
    - `detailed`: whether it needs the details of the statistics.
    - `keeps_matches`: whether it changes nothing if every order has a match.
    - `zero_is_none`: whether a value of 0 smooths nothing.
    """

    apply: Callable[[Statistics, Fraction], list[Pair]]
    symbol: str = ""
    default: Fraction = Fraction(0)
    maximum: int | None = None
    cites: str = ""
    detailed: bool = False
    keeps_matches: bool = False
    zero_is_none: bool = False

    @property
    def takes_value(self) -> bool:
        """Whether the smoothing takes a value, such as ε."""
        return bool(self.symbol)


_TENTH, _ONE, _FIVE = Fraction(1, 10), Fraction(1), Fraction(5)
_MIN_FLOAT, _COCO_TINY = Fraction("2.2250738585072014e-308"), Fraction(1, 10**15)

SMOOTHINGS: Final[Mapping[str, Smoothing]] = {
    "none": Smoothing(none, keeps_matches=True),
    "floor": Smoothing(
        floor,
        "ε",
        _TENTH,
        1,
        "Chen and Cherry 1, NLTK method 1",
        keeps_matches=True,
        zero_is_none=True,
    ),
    "add-k": Smoothing(add_k, "k", _ONE, None, "Chen and Cherry 2", zero_is_none=True),
    "exp": Smoothing(exp, cites="Chen and Cherry 3, NIST, sacreBLEU", keeps_matches=True),
    "length-exp": Smoothing(
        length_exp, "K", _FIVE, None, "NLTK method 4, after Chen and Cherry 4", keeps_matches=True
    ),
    "average": Smoothing(average, cites="NLTK method 5, after Chen and Cherry 5", detailed=True),
    "interpolation": Smoothing(interpolation, "α", _FIVE, None, "Chen and Cherry 6"),
    "length-average": Smoothing(
        length_average, "K", _FIVE, None, "NLTK method 7, after Chen and Cherry 7", detailed=True
    ),
    "add-k-all": Smoothing(add_k_all, "k", _ONE, None, "TensorFlow NMT, Moses", zero_is_none=True),
    "nltk-min-float": Smoothing(
        nltk_min_float, "tiny", _MIN_FLOAT, 1, "NLTK method 0", keeps_matches=True
    ),
    "average-last": Smoothing(
        partial(average, last=True), cites="NLTK method 5, after Chen and Cherry 5", detailed=True
    ),
    "interpolation-last": Smoothing(
        partial(interpolation, last=True),
        "α",
        _FIVE,
        None,
        "NLTK method 6, Chen and Cherry 6",
        detailed=True,
    ),
    "length-average-last": Smoothing(
        partial(length_average, last=True),
        "K",
        _FIVE,
        None,
        "NLTK method 7, after Chen and Cherry 7",
        detailed=True,
    ),
    "coco-epsilon": Smoothing(coco_epsilon, "tiny", _COCO_TINY, 1, "coco-caption"),
    "segment-floor": Smoothing(
        segment_floor, "ε", _TENTH, 1, "R sacRebleu", detailed=True, zero_is_none=True
    ),
}
"""Smoothings by name, in menu order."""
