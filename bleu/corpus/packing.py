"""Statistics packed into one whole number, so that adding such numbers adds the statistics.

A resampling adds thousands of segments thousands of times: one addition for each, exact, in a half
to a third of the time. The definition is `Statistics.sum`, which a property test holds this to.
"""

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, count
from operator import lshift
from typing import Self

from bleu.core.brevity_penalty import Length
from bleu.core.statistics import SmoothingDetails, Statistics, check_statistics


@dataclass(frozen=True, slots=True)
class Packing:
    """How statistics lie in a number: their counts side by side, the first in the lowest bits.

    - `max_order`: N.
    - `width`: bits for each count, enough for the sums to come.
    - `scale`: the common denominator of the reference lengths; 1 unless they are averages.
    - `detailed`: whether the statistics have details. Of these, what is of the last segment
      alone is no sum and is lost: it is that of the whole.
    """

    max_order: int
    width: int
    scale: int
    detailed: bool

    @classmethod
    def for_sums(cls, parts: Sequence[Statistics], summands: int) -> Self:
        """A packing for sums of as many as `summands` of these parts.

        Raises ValueError where the parts differ in their orders or in having details, and where
        there are none; TypeError unless they are statistics.

        >>> Packing.for_sums([Statistics((3,), (5,), 5, 6)], summands=100)
        Packing(max_order=1, width=10, scale=1, detailed=False)
        """
        for part in parts:
            check_statistics(part)
        kinds = {(len(part.matched), part.details is not None) for part in parts}
        if not kinds:
            raise ValueError("there are no statistics; give those of one segment or more")
        max_order, detailed = _single_kind(kinds)
        scale = math.lcm(*{part.reference_length.denominator for part in parts})
        largest = max(max(_counts(part, scale)) for part in parts)
        return cls(max_order, (largest * summands).bit_length() or 1, scale, detailed)

    def __or__(self, other: Self) -> "Packing":
        """A packing for whatever either of both is for.

        Raises ValueError where they differ in their orders or in having details.
        """
        max_order, detailed = _single_kind({(one.max_order, one.detailed) for one in (self, other)})
        scale = math.lcm(self.scale, other.scale)
        # a length over a larger denominator is that many times larger
        width = max(one.width + (scale // one.scale - 1).bit_length() for one in (self, other))
        return Packing(max_order, width, scale, detailed)

    @property
    def _fields(self) -> int:
        """How many counts there are of one system."""
        return (2 * self.max_order + 2) * (1 + self.detailed)

    def swap_delta(self, number: int) -> int:
        """What swapping two systems adds to their number.

        >>> one, other = Statistics((1,), (2,), 2, 3), Statistics((2,), (2,), 2, 3)
        >>> packing = Packing.for_sums([one, other], summands=1)
        >>> number = packing.pack([one, other])
        >>> number + packing.swap_delta(number) == packing.pack([other, one])
        True
        """
        bits = self._fields * self.width
        more = (number >> bits) - (number & (1 << bits) - 1)
        return more - (more << bits)

    def pack(self, row: Iterable[Statistics]) -> int:
        """Statistics of one or more systems, one after the other, as one number.

        >>> parts = [Statistics((1,), (2,), 2, 3), Statistics((2,), (2,), 2, 3)]
        >>> packing = Packing.for_sums(parts, summands=2)
        >>> [both] = packing.unpack(sum(packing.pack([part]) for part in parts))
        >>> both == parts[0] + parts[1]
        True
        """
        counts = chain.from_iterable(_counts(part, self.scale) for part in row)
        return sum(map(lshift, counts, count(0, self.width)))

    def unpack(self, number: int, systems: int = 1) -> list[Statistics]:
        """The statistics that a sum of packed numbers stands for, one for each system."""
        field = (1 << self.width) - 1
        size = self._fields
        counts = [number >> place * self.width & field for place in range(size * systems)]
        return [self._statistics(counts[at : at + size]) for at in range(0, len(counts), size)]

    def _statistics(self, counts: list[int]) -> Statistics:
        n = self.max_order
        matched, total, rest = tuple(counts[:n]), tuple(counts[n : 2 * n]), counts[2 * n :]
        details = None
        if self.detailed:
            too_short, no_match, five = rest[2 : 2 + n], rest[2 + n : 2 + 2 * n], tuple(rest[-2:])
            details = SmoothingDetails(tuple(too_short), tuple(no_match), five, five, total)
        return Statistics(matched, total, rest[0], self._length(rest[1]), details)

    def _length(self, scaled: int) -> Length:
        whole, rest = divmod(scaled, self.scale)
        return Fraction(scaled, self.scale) if rest else whole


def _single_kind(kinds: Collection[tuple[int, bool]]) -> tuple[int, bool]:
    """The one kind of all statistics: their orders, and whether they have details."""
    if len(kinds) > 1:
        raise ValueError(
            "the statistics have different orders or details: count all with the same settings"
        )
    (kind,) = kinds
    return kind


def _counts(part: Statistics, scale: int) -> list[int]:
    """Every number that adds up, in one row."""
    counts = [
        *part.matched,
        *part.total,
        part.hypothesis_length,
        int(part.reference_length * scale),
    ]
    if part.details:
        counts += [*part.details.too_short, *part.details.no_match, *part.details.five_grams]
    return counts
