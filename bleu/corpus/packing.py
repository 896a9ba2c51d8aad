"""Statistics packed into one integer, so that adding integers adds statistics.

A resampling adds thousands of segments thousands of times. One exact integer addition for each
takes a third to a half of the time of `Statistics.sum`, with which a property test compares it.
Each count has 64 bits, more than any sum of counts needs.
"""

import math
from collections.abc import Collection, Iterable, Iterator
from fractions import Fraction
from itertools import chain

from bleu.core.bitlanes import Lanes
from bleu.core.statistics import SmoothingDetails, Statistics, check_statistics

Shape = tuple[int, bool, int]
"""Max order, whether there are smoothing details, and the reference length's denominator."""


def shape_of(part: Statistics) -> Shape:
    """Return the shape of statistics, which determines their packing.

    Raises TypeError unless `part` is a `Statistics`.
    """
    check_statistics(part)
    return len(part.matched), part.details is not None, part.reference_length.denominator


class Packing:
    """The layout of the counts of one or more systems in an integer, the first in the lowest bits.

    - `scale`: the common denominator of the reference lengths; 1 unless they are averages.
    - `detailed`: whether the statistics have details. The details of the last segment are not
      sums, so they are not packed.

    Raises ValueError if the shapes differ in the max order or in whether there are details.
    """

    def __init__(self, shapes: Collection[Shape], system_count: int = 1) -> None:
        if len({shape[:2] for shape in shapes}) > 1:
            raise ValueError(
                "the statistics differ in their orders or details; count all with the same settings"
            )
        self.max_order, self.detailed, _ = next(iter(shapes))
        self.scale = math.lcm(*(denominator for *_, denominator in shapes))
        self._size = 2 * self.max_order * (1 + self.detailed) + 2
        self._lanes = Lanes(self._size * system_count, 8)

    def swap_delta(self, segment: int) -> int:
        """Return how a sum of packed segments changes if this one's two systems swap places."""
        bits = 64 * self._size
        difference = (segment >> bits) - (segment & (1 << bits) - 1)
        return difference - (difference << bits)

    def pack(self, row: Iterable[Statistics]) -> int:
        """Return the statistics of a segment under each system as one integer."""
        return self._lanes.join(list(chain.from_iterable(map(self._counts, row))))

    def unpack(self, number: int) -> list[Statistics]:
        """Return the statistics of each system from a sum of packed integers."""
        counts = self._lanes.split(number)
        starts = range(0, len(counts), self._size)
        return [self._statistics(*counts[start : start + self._size]) for start in starts]

    def _counts(self, part: Statistics) -> Iterator[int]:
        """Yield all counts of a segment that can be added."""
        yield from part.matched
        yield from part.total
        yield part.hypothesis_length
        yield int(part.reference_length * self.scale)
        if part.details:
            yield from part.details.too_short
            yield from part.details.no_match

    def _statistics(self, *counts: int) -> Statistics:
        n = self.max_order
        matched, total = counts[:n], counts[n : 2 * n]
        hypothesis_length, scaled_length, *detail_counts = counts[2 * n :]
        details = None
        if self.detailed:
            too_short, no_match = tuple(detail_counts[:n]), tuple(detail_counts[n : 2 * n])
            details = SmoothingDetails(too_short, no_match, (), ())
        length = Fraction(scaled_length, self.scale)
        reference_length = length.numerator if length.denominator == 1 else length
        return Statistics(matched, total, hypothesis_length, reference_length, details)
