"""Counts of a segment or a corpus from which the statistics of any settings follow."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

from bleu.core.segment import TokenizedSegment, count_tokens
from bleu.core.settings import Settings
from bleu.core.statistics import Statistics
from bleu.metric.rules import REFERENCE_LENGTHS, Length
from bleu.metric.smoothings import SMOOTHINGS

COUNT_SETTINGS: Final = Settings(
    smoothing=next(name for name, smoothing in SMOOTHINGS.items() if smoothing.by_last_segment)
)
"""Settings that count orders 1 to 4, and the 5-grams that NLTK's methods 5 and 7 need."""


@dataclass(frozen=True, slots=True)
class SegmentCounts:
    """The counts of a segment or a corpus for all settings at once.

    - `statistics`: orders 1 to 4 with all details.
    - `reference_lengths`: the reference length by each rule of `REFERENCE_LENGTHS`.
    - `empty`: the numbers of segments with an empty hypothesis, with an empty first reference, and
      with both; fairseq counts an end token in empty texts.
    """

    statistics: Statistics
    reference_lengths: tuple[Length, ...]
    empty: tuple[int, int, int]

    @classmethod
    def from_tokens(cls, tokens: TokenizedSegment) -> Self:
        """Count one segment.

        >>> tokens = ("a", "b", "c"), (("a", "b"), ("a", "b", "x", "y"))
        >>> counts = SegmentCounts.from_tokens(tokens)
        >>> counts.statistics.matched
        (2, 1, 0, 0)
        >>> dict(zip(REFERENCE_LENGTHS, counts.reference_lengths))["average"]
        3
        """
        hypothesis, references = tokens
        statistics = count_tokens(tokens, COUNT_SETTINGS)
        lengths = list(map(len, references))
        by_rule = tuple(rule(len(hypothesis), lengths) for rule in REFERENCE_LENGTHS.values())
        no_hypothesis, no_reference = int(not hypothesis), int(not references[0])
        return cls(statistics, by_rule, (no_hypothesis, no_reference, no_hypothesis & no_reference))

    @classmethod
    def sum(cls, segments: Sequence["SegmentCounts"]) -> Self:
        """Return the sums over one segment or more.

        >>> counts = SegmentCounts.from_tokens((("a", "b"), (("a",),)))
        >>> SegmentCounts.sum([counts, counts]).statistics.total
        (4, 2, 0, 0)
        """
        lengths = zip(*(segment.reference_lengths for segment in segments), strict=True)
        empty = zip(*(segment.empty for segment in segments), strict=True)
        no_hypothesis, no_reference, neither = map(sum, empty)
        return cls(
            Statistics.sum((segment.statistics for segment in segments), COUNT_SETTINGS.max_order),
            tuple(map(sum, lengths)),
            (no_hypothesis, no_reference, neither),
        )

    def for_settings(self, settings: Settings) -> Statistics:
        """Return the statistics under these settings, which have at most 4 orders.

        >>> from bleu import segment_statistics
        >>> settings = Settings(max_order=2, too_short="zero-of-one")
        >>> counts = SegmentCounts.from_tokens((("a", "b"), (("a", "b"),)))
        >>> counts.for_settings(settings) == segment_statistics("a b", ["a b"], settings)
        True
        """
        counted, n = self.statistics, settings.max_order
        details = counted.details if settings.detailed else None
        rule = list(REFERENCE_LENGTHS).index(settings.reference_length)
        end_tokens = self.empty if settings.empty_text == "end-token" else (0, 0, 0)
        no_hypothesis, no_reference, neither = end_tokens
        return Statistics(
            (counted.matched[0] + neither, *counted.matched[1:n]),
            (counted.total[0] + no_hypothesis, *counted.total[1:n]),
            counted.hypothesis_length + no_hypothesis,
            self.reference_lengths[rule] + no_reference,
            details and details.truncate_orders(n),
            settings.counting,
        )
