"""Sufficient statistics of a segment or a corpus, which can be added; they never contain text."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from operator import add
from typing import Self, cast

from bleu.core.display import short_repr
from bleu.metric.rules import Length

Counts = tuple[int, ...]
"""One number for each order."""


@dataclass(frozen=True, slots=True)
class SmoothingDetails:
    """Counts that only the smoothings of some implementations need.

    - `too_short`, `no_match`: for each order, the number of segments without any n-gram, and of
      those without a match.
    - `last_five_grams`, `last_total`: (matched, total) of the 5-grams, and the totals, of the last
      segment alone, by which NLTK smooths a whole corpus; only these are not sums. Empty if that
      segment is unknown; ignored by `==`.
    """

    too_short: Counts
    no_match: Counts
    last_five_grams: Counts = field(compare=False)
    last_total: Counts = field(compare=False)

    def __add__(self, other: "SmoothingDetails") -> "SmoothingDetails":
        """Return the sums, with the last segment of `other`."""
        return SmoothingDetails(
            _add_counts(self.too_short, other.too_short),
            _add_counts(self.no_match, other.no_match),
            other.last_five_grams,
            other.last_total,
        )

    def truncate_orders(self, max_order: int) -> "SmoothingDetails":
        """Return the details of the first `max_order` orders."""
        return SmoothingDetails(
            self.too_short[:max_order],
            self.no_match[:max_order],
            self.last_five_grams,
            self.last_total[:max_order],
        )


@dataclass(frozen=True, slots=True)
class Statistics:
    """The counts of a segment or a corpus from which BLEU is computed; they add up.

    `+` and Python's `sum` add in any order. So they forget which segment is the last of the corpus,
    on which the smoothings named `…-last` depend; `Statistics.sum` keeps it.

    - `matched`, `total`: the clipped matches and the n-grams of the hypothesis, for each order.
    - `hypothesis_length`, `reference_length`: c and r, in tokens.
    - `details`: the counts for smoothing, if the settings need them.
    - `counting`: the settings used for counting, as in `Settings.counting`; empty if another
      program counted; ignored by `==`.

    >>> Statistics((2, 1), (3, 2), 3, 4) + Statistics((1, 0), (1, 0), 1, 1)
    Statistics(matched=(3, 1), total=(4, 2), hypothesis_length=4, reference_length=5, details=None)
    """

    matched: Counts
    total: Counts
    hypothesis_length: int
    reference_length: Length
    details: SmoothingDetails | None = None
    counting: str = field(default="", repr=False, compare=False)

    @classmethod
    def zero(cls, max_order: int) -> Self:
        """Return the statistics of no segments, the neutral element of the sum."""
        return cls((0,) * max_order, (0,) * max_order, 0, 0)

    @classmethod
    def sum(cls, parts: Iterable["Statistics"], max_order: int) -> Self:
        """Return the statistics of a corpus, the sum over its segments (Papineni 2002, 2.1.1).

        `parts` are in the order of the corpus and may be an iterator, read one by one.

        Raises ValueError if a part has another max order or was counted with other settings, and
        TypeError unless all parts are statistics.
        """
        matched, total = (0,) * max_order, (0,) * max_order
        hypothesis_length = 0
        reference_length: Length = 0
        details: SmoothingDetails | None = None
        counting = ""
        for part in parts:
            if not isinstance(part, Statistics):
                check_statistics(part)
            if len(part.matched) != max_order:
                raise ValueError(
                    f"statistics of {max_order} and of {len(part.matched)} orders cannot be added; "
                    "compute both with the same max_order"
                )
            if part.counting is not counting:
                check_counting(counting, part.counting)
                counting = counting or part.counting
            matched = tuple(map(add, matched, part.matched))
            total = tuple(map(add, total, part.total))
            hypothesis_length += part.hypothesis_length
            reference_length += part.reference_length
            if part.details:
                details = details + part.details if details else part.details
        return cls(matched, total, hypothesis_length, reference_length, details, counting)

    def followed_by(self, other: "Statistics") -> "Statistics":
        """Return the sum of both; its last segment is the last segment of `other`."""
        return Statistics.sum((self, other), len(self.matched))

    def __add__(self, other: "Statistics | int") -> "Statistics":
        """Return the sum of both, without a last segment; raise the errors of `sum`.

        The number 0 adds nothing, so Python's `sum` adds statistics, too.

        >>> sum([Statistics((1,), (2,), 2, 2), Statistics((0,), (1,), 1, 1)]).matched
        (1,)
        """
        if isinstance(other, int) and other == 0:
            return self
        other = cast(Statistics, other)
        both = self.followed_by(other)
        if not both.details or not self.details or not other.details:
            return both
        return replace(both, details=replace(both.details, last_five_grams=(), last_total=()))

    __radd__ = __add__


def truncate_orders(statistics: Statistics, max_order: int) -> Statistics:
    """Return the statistics of the first `max_order` orders.

    >>> truncate_orders(Statistics((2, 1), (3, 2), 3, 4), 1)
    Statistics(matched=(2,), total=(3,), hypothesis_length=3, reference_length=4, details=None)
    """
    return replace(
        statistics,
        matched=statistics.matched[:max_order],
        total=statistics.total[:max_order],
        details=statistics.details and statistics.details.truncate_orders(max_order),
    )


def check_statistics(value: object) -> None:
    """Raise TypeError unless the value is a `Statistics`."""
    if not isinstance(value, Statistics):
        raise TypeError(
            f"{short_repr(value)} is not a bleu.Statistics; get one from bleu.segment_statistics"
        )


def check_counting(left: str, right: str) -> None:
    """Raise ValueError if two values of `Settings.counting` differ; an empty one fits all."""
    if left and right and left != right:
        raise ValueError(
            f"statistics counted with {left} do not fit {right}; count and score all with the same "
            "settings"
        )


def _add_counts(left: Counts, right: Counts) -> Counts:
    return tuple(map(add, left, right))
