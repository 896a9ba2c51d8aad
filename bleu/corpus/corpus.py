"""A corpus under one system: the statistics of its segments, their sum, and its score."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Unpack

from bleu.core.api import count_corpus
from bleu.core.choices import Choices
from bleu.core.conventions import resolve_settings
from bleu.core.display import DisplayMixin
from bleu.core.progress import ProgressGenerator, run_to_end
from bleu.core.score import Score, compute
from bleu.core.settings import Settings, document_choices
from bleu.core.statistics import Statistics, check_statistics
from bleu.core.tokenizers import Text
from bleu.metric.errors import problem_of


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
