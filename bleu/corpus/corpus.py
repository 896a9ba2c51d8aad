"""A corpus under one system: its segments' statistics, their sum, and its score."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from bleu.core.displayed import Displayed
from bleu.core.score import Score, compute
from bleu.core.settings import Settings
from bleu.core.statistics import Statistics


@dataclass(frozen=True, slots=True, repr=False)
class Corpus(Displayed):
    """Every quantity of the scoring of a corpus.

    - `segments`: the statistics of each, in order.
    - `scores`: the score of each by itself, in [0, 1].
    - `score`: of the sum of the statistics.
    - `references`: how many references each segment has.
    """

    settings: Settings
    segments: Sequence[Statistics]
    scores: Sequence[float]
    score: Score
    references: int

    @property
    def signature(self) -> str:
        """The choices behind the score, as `Settings.signature` writes them."""
        return self.settings.signature(self.references)

    @property
    def mean(self) -> float:
        """The mean of the segments' scores, in [0, 1]; 0 for no segments. It is not BLEU."""
        return math.fsum(self.scores) / len(self.scores) if self.scores else 0.0

    @property
    def missing(self) -> list[int]:
        """For each segment, how many of its n-grams, of all orders, are not credited."""
        return [sum(own.total) - sum(own.matched) for own in self.segments]

    def __str__(self) -> str:
        """The score in one line, and of how many segments it is."""
        noun = "segment" if len(self.segments) == 1 else "segments"
        return f"{self.score} of {len(self.segments):,} {noun}"


def summed(segments: Sequence[Statistics], settings: Settings, *, references: int = 1) -> Corpus:
    """The corpus that consists of these segments; with none of them, its score is 0.

    Raises ValueError where the statistics were counted with other settings (Papineni 2002, 2.1.1).

    >>> parts = [Statistics((2, 1), (2, 1), 2, 2), Statistics((1, 0), (2, 1), 2, 2)]
    >>> corpus = summed(parts, Settings(max_order=2))
    >>> corpus.score.matched, corpus.score.total, corpus.missing
    ((3, 1), (4, 2), [0, 2])
    """
    whole = Statistics.sum(segments, settings.max_order)
    alone = settings.of_parts
    scores = [compute(own, alone).value for own in segments]
    return Corpus(settings, segments, scores, compute(whole, settings), references)
