"""A corpus under one system: its segments' statistics, their sum, and its score."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from bleu.core.display import DisplayMixin
from bleu.core.score import Score, compute
from bleu.core.settings import Settings
from bleu.core.statistics import Statistics


@dataclass(frozen=True, slots=True, repr=False)
class Corpus(DisplayMixin):
    """Every quantity of the scoring of a corpus.

    - `segments`: the statistics of each, in order.
    - `scores`: the score of each by itself, in [0, 1]; None where there is none, as NLTK's method
      6 has none for a segment without a matching 3-gram.
    - `score`: of the sum of the statistics.
    - `references`: how many references each segment has.
    """

    settings: Settings
    segments: Sequence[Statistics]
    scores: Sequence[float | None]
    score: Score
    references: int

    @property
    def signature(self) -> str:
        """The choices behind the score, as `Settings.signature` writes them."""
        return self.settings.signature(self.references)

    @property
    def mean(self) -> float | None:
        """The mean of the segments' scores, in [0, 1]; 0 for no segments. It is not BLEU.

        None where a segment has no score.
        """
        scores = [score for score in self.scores if score is not None]
        if len(scores) < len(self.scores):
            return None
        return math.fsum(scores) / len(scores) if scores else 0.0

    def missing_score_reason(self, number: int) -> str:
        """Why a segment, counted from 0, has no score; nothing where it has one."""
        return score_segment(self.segments[number], self.settings.of_parts)[1]

    @property
    def uncredited(self) -> list[int]:
        """For each segment, how many of its n-grams, of all orders, are not credited."""
        return [sum(own.total) - sum(own.matched) for own in self.segments]

    def __str__(self) -> str:
        """The score in one line, and of how many segments it is."""
        noun = "segment" if len(self.segments) == 1 else "segments"
        return f"{self.score} of {len(self.segments):,} {noun}"


def score_segment(statistics: Statistics, settings: Settings) -> tuple[float | None, str]:
    """The score of a segment by itself, or None and why it has none.

    `settings` are those of parts of a corpus.

    >>> statistics = Statistics((3, 1, 0), (3, 2, 1), 3, 3)
    >>> score_segment(statistics, Settings(max_order=3, smoothing="interpolation"))
    (None, 'interpolation needs a matching 3-gram, and none matches')
    """
    try:
        return compute(statistics, settings).value, ""
    except ValueError as error:
        return None, str(error)


def corpus_from_segments(
    segments: Sequence[Statistics], settings: Settings, *, references: int = 1
) -> Corpus:
    """The corpus that consists of these segments; with none of them, its score is 0.

    Raises ValueError where the statistics were counted with other settings (Papineni 2002, 2.1.1).

    >>> parts = [Statistics((2, 1), (2, 1), 2, 2), Statistics((1, 0), (2, 1), 2, 2)]
    >>> corpus = corpus_from_segments(parts, Settings(max_order=2))
    >>> corpus.score.matched, corpus.score.total, corpus.uncredited
    ((3, 1), (4, 2), [0, 2])
    """
    whole = Statistics.sum(segments, settings.max_order)
    alone = settings.of_parts
    score = compute(whole, settings)
    scores = [score_segment(own, alone)[0] for own in segments]
    return Corpus(settings, segments, scores, score, references)
