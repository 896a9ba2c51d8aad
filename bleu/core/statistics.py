"""What is counted of a segment or a corpus, and adds up. Numbers only: no text comes here."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from operator import add
from typing import Self

from bleu.core.brevity_penalty import Length

Counts = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SmoothingDetails:
    """What only some implementations ask for beyond BLEU's own counts.

    For each order, `too_short` counts the segments without any n-gram, `no_match` those without a
    match. `five_grams` is (matched, total) of 5-grams. `last_five_grams` and `last_total` are those
    of the last segment alone, with which NLTK smooths a whole corpus: the one thing that is not a
    sum.
    """

    too_short: Counts
    no_match: Counts
    five_grams: Counts
    last_five_grams: Counts
    last_total: Counts

    def __add__(self, other: "SmoothingDetails") -> "SmoothingDetails":
        """Sums, and of the last segment what the later one says."""
        return SmoothingDetails(
            _add_counts(self.too_short, other.too_short),
            _add_counts(self.no_match, other.no_match),
            _add_counts(self.five_grams, other.five_grams),
            other.last_five_grams,
            other.last_total,
        )


@dataclass(frozen=True, slots=True)
class Statistics:
    """All that BLEU needs to know of a segment or a corpus, as counted; it adds up.

    `matched` and `total` have one whole number for each order 1 to N (clipped matches, n-grams
    of the hypothesis); the lengths c and r are in tokens. `details` is there where the settings
    ask for it. `counting` says under which choices they were counted, as `Settings.counting` has
    it, and is empty where they were not counted here; `==` passes over it.

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
        """The statistics of no segment at all: the neutral element of the sum."""
        return cls((0,) * max_order, (0,) * max_order, 0, 0)

    @classmethod
    def sum(cls, parts: Iterable["Statistics"], max_order: int) -> Self:
        """The statistics of a corpus: the sum over its segments (Papineni 2002, 2.1.1).

        Order by order, and length by length; one part at a time is kept.

        Raises ValueError where a part has other orders or was counted under other choices, and
        TypeError unless all parts are statistics.
        """
        matched, total = (0,) * max_order, (0,) * max_order
        hypothesis_length = 0
        reference_length: Length = 0
        details: SmoothingDetails | None = None
        counting = ""
        for part in parts:
            check_statistics(part)
            if len(part.matched) != max_order:
                raise ValueError(
                    f"statistics of {max_order} and of {len(part.matched)} orders do not add up: "
                    "compute both with the same max_order"
                )
            if part.counting is not counting:
                check_counting(counting, part.counting)
                counting = counting or part.counting
            matched, total = _add_counts(matched, part.matched), _add_counts(total, part.total)
            hypothesis_length += part.hypothesis_length
            reference_length += part.reference_length
            if part.details:
                details = details + part.details if details else part.details
        return cls(matched, total, hypothesis_length, reference_length, details, counting)

    def __add__(self, other: "Statistics") -> "Statistics":
        """The statistics of both together; errors as in `sum`."""
        return Statistics.sum((self, other), len(self.matched))


def truncate_orders(statistics: Statistics, max_order: int) -> Statistics:
    """Return the statistics of the first `max_order` orders.

    >>> truncate_orders(Statistics((2, 1), (3, 2), 3, 4), 1)
    Statistics(matched=(2,), total=(3,), hypothesis_length=3, reference_length=4, details=None)
    """
    details = statistics.details
    if details:
        details = replace(
            details,
            too_short=details.too_short[:max_order],
            no_match=details.no_match[:max_order],
            last_total=details.last_total[:max_order],
        )
    return replace(
        statistics,
        matched=statistics.matched[:max_order],
        total=statistics.total[:max_order],
        details=details,
    )


def check_statistics(part: object) -> None:
    """Raise TypeError unless it is statistics."""
    if not isinstance(part, Statistics):
        raise TypeError(
            f"{part!r} belongs where statistics do: count them with bleu.segment_statistics"
        )


def check_counting(one: str, other: str) -> None:
    """Refuse that what was counted under some choices is used under others.

    >>> check_counting("tok:13a", "tok:intl")
    Traceback (most recent call last):
    ValueError: statistics counted under tok:13a do not go with tok:intl: count and score all \
with the same settings
    """
    if one and other and one != other:
        raise ValueError(
            f"statistics counted under {one} do not go with {other}: count and score all with the "
            "same settings"
        )


def _add_counts(left: Counts, right: Counts) -> Counts:
    return tuple(map(add, left, right))
