"""A corpus under one system: the statistics of its segments, their sum, and its score."""

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING, Self, Unpack

from bleu.core.api import count_corpus, score_statistics, seems_transposed
from bleu.core.bitlanes import Lanes
from bleu.core.choices import Choices
from bleu.core.conventions import resolve_settings
from bleu.core.display import DisplayMixin
from bleu.core.migration import adapt_arguments, refuse_attribute
from bleu.core.progress import ProgressGenerator, run_to_end
from bleu.core.score import Score, compute
from bleu.core.settings import Settings, document_choices
from bleu.core.statistics import SmoothingDetails, Statistics, check_statistics
from bleu.core.tokenizers import Text
from bleu.metric.rules import problem_of

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


class Accumulator:
    """BLEU of a corpus that comes in batches; it keeps only sums, no texts.

    - `settings`: those of the score.
    - `statistics`: the sum over the segments so far.

    >>> accumulator = Accumulator(max_order=1)
    >>> accumulator.update(["a b"], [["a b"]])
    >>> accumulator.update(["c d"], [["c x"]])
    >>> accumulator.compute().value
    0.75
    """

    statistics: Statistics

    @document_choices
    def __init__(self, settings: Settings | None = None, **choices: Unpack[Choices]) -> None:
        """Start without segments; raise the exceptions of `Settings`."""
        self.settings = resolve_settings(choices, settings)
        self.reset()

    @adapt_arguments
    def update(self, hypotheses: Sequence[Text], references: Sequence[Sequence[Text]]) -> None:
        """Add segments; arguments and exceptions are those of `corpus_bleu`."""
        self._add(count_corpus(hypotheses, references, self.settings))

    def merge(self, others: Iterable[Self]) -> None:
        """Append the segments of other accumulators, in order.

        Raises ValueError if they were counted with other settings.
        """
        self._add(other.statistics for other in others)

    def _add(self, parts: Iterable[Statistics]) -> None:
        self.statistics = Statistics.sum((self.statistics, *parts), self.settings.max_order)

    def compute(self) -> Score:
        """Return the score of all segments so far, or 0 without segments."""
        return score_statistics(self.statistics, self.settings)

    def reset(self) -> None:
        """Forget all segments."""
        self.statistics = Statistics.zero(self.settings.max_order)

    if not TYPE_CHECKING:  # A type checker would accept every name.
        __getattr__ = refuse_attribute

    def __repr__(self) -> str:
        """Return the class name and the signature of the settings."""
        return f"<Accumulator: {self.settings.signature()}>"


@dataclass(frozen=True, slots=True, repr=False)
class Corpus(DisplayMixin):
    """Every quantity of the score of a corpus.

    - `segments`: the statistics of each segment, in order.
    - `scores`: the score of each segment alone, in [0, 1], or None if the settings give it no
      score, as NLTK's method 6 does without a matching 3-gram.
    - `score`: the score of the summed statistics.
    - `references`: the number of references of each segment, or None if it varies.
    """

    settings: Settings
    segments: Sequence[Statistics]
    scores: Sequence[float | None]
    score: Score
    references: int | None

    @property
    def signature(self) -> str:
        """The signature of the settings, as `Settings.signature` writes it."""
        return self.settings.signature(self.references)

    @property
    def mean(self) -> float | None:
        """The mean of the segments' scores, in [0, 1], or None if a segment has no score.

        Without segments, it is 0. It is not BLEU.
        """
        scores = [score for score in self.scores if score is not None]
        if len(scores) < len(self.scores):
            return None
        return math.fsum(scores) / len(scores) if scores else 0.0

    def missing_score_reason(self, index: int) -> str:
        """Return why a segment has no score alone, or "" if it has one."""
        return score_segment(self.segments[index], self.settings.for_parts)[1]

    @property
    def uncredited(self) -> list[int]:
        """For each segment, the number of n-grams of all orders that are not credited."""
        return [sum(segment.total) - sum(segment.matched) for segment in self.segments]

    def __str__(self) -> str:
        """Return the score and the number of segments in one line."""
        noun = "segment" if len(self.segments) == 1 else "segments"
        return f"{self.score} of {len(self.segments):,} {noun}"


def score_segment(statistics: Statistics, settings: Settings) -> tuple[float | None, str]:
    """Return the score of a segment alone and "", or None and the reason why it has none.

    With `Settings.for_parts`, a segment without tokens has a score, too.

    >>> statistics = Statistics((3, 1, 0), (3, 2, 1), 3, 3)
    >>> score_segment(statistics, Settings(max_order=3, smoothing="interpolation-last"))
    (None, 'interpolation needs a matching 3-gram, and none matches')
    """
    try:
        return compute(statistics, settings).value, ""
    except ValueError as error:
        return None, problem_of(error)


def iter_corpus(
    segments: Iterable[Statistics], size: int, settings: Settings, *, references: int | None = 1
) -> ProgressGenerator[Corpus]:
    """Sum and score segments one by one, and return their corpus (Papineni 2002, 2.1.1).

    Yields (segments done, `size`) after each segment. `references` is the number of references of
    each, or None if it varies. Without segments, the score is 0.

    Raises ValueError if the statistics were counted with other settings, and TypeError unless all
    are statistics.
    """
    parts: list[Statistics] = []
    scores: list[float | None] = []
    segment_settings = settings.for_parts
    for part in segments:
        check_statistics(part)
        parts.append(part)
        scores.append(score_segment(part, segment_settings)[0])
        yield len(parts), size
    total = Statistics.sum(parts, settings.max_order)
    return Corpus(settings, parts, scores, compute(total, settings), references)


@document_choices
def derive_corpus(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    settings: Settings | None = None,
    **choices: Unpack[Choices],
) -> Corpus:
    """Return the full derivation of corpus BLEU, with the statistics and score of each segment.

    Arguments, empty corpora and errors are those of `corpus_bleu`, which returns the score alone
    and needs no memory for the segments. The scores of the segments are in [0, 1], as is their
    mean, which is not BLEU (Papineni 2002, 2.1.1).

    >>> corpus = derive_corpus(["a b c d", "x y"], [["a b c d"], ["x z"]])
    >>> corpus.score.matched, corpus.scores, corpus.mean
    ((5, 3, 2, 1), [1.0, 0.0], 0.5)
    >>> print(corpus)
    BLEU-4 88.91 (BP 1.000, precisions 83.3/75.0/100.0/100.0, c 6, r 6) of 2 segments
    """
    settings = resolve_settings(choices, settings)
    segments = count_corpus(hypotheses, references, settings)
    counts = set(map(len, references)) or {1}
    count = counts.pop() if len(counts) == 1 else None
    return run_to_end(iter_corpus(segments, len(hypotheses), settings, references=count))


def transposed_note(
    systems: Iterable[Sequence[str]], references: Sequence[Sequence[str]], settings: Settings
) -> str:
    """Return a note if the references look transposed for any of the systems, else ""."""
    if any(seems_transposed(texts, references, settings) for texts in systems):
        return (
            "each reference file seems to have the references of one segment; give files in which "
            "line i belongs to segment i"
        )
    return ""
