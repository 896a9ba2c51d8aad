"""Scores of groups of segments: documents, domains or languages of one corpus."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar, Unpack

from bleu.core.api import count_corpus
from bleu.core.choices import Choices
from bleu.core.conventions import resolve_settings
from bleu.core.progress import ProgressGenerator
from bleu.core.score import Score, compute
from bleu.core.settings import Settings, document_choices
from bleu.core.statistics import Statistics
from bleu.core.tokenizers import Text
from bleu.corpus.corpus import score_segment
from bleu.corpus.resampling import SegmentStatistics

GroupKey = TypeVar("GroupKey", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Group:
    """A group of segments: its name, their number, and its score under each system.

    The scores are in [0, 1], or None if the settings give the group no score.
    """

    name: str
    segments: int
    scores: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Grouping:
    """The groups of a corpus in order of first occurrence, from a `column` such as `domain`."""

    column: str
    groups: tuple[Group, ...]

    @property
    def macro_averages(self) -> tuple[float | None, ...]:
        """The mean score of the groups under each system, or None if a group has no score.

        It is not BLEU of the corpus: each group counts as a unit, whatever its size.
        """
        return tuple(
            None if None in scores else math.fsum(filter(None, scores)) / len(scores)
            for scores in zip(*(group.scores for group in self.groups), strict=True)
        )


def iter_grouping(
    column: str, names: Sequence[str], segments: Sequence[SegmentStatistics], settings: Settings
) -> ProgressGenerator[Grouping]:
    """Return the groups of a corpus, each scored by the sum of its segments.

    `names[i]` is the group of segment i, and `segments` has the statistics of each system's
    segments. Yields (segments done, all segments) after each.
    """
    members: dict[str, list[tuple[Statistics, ...]]] = {}
    rows = zip(*segments, strict=True)
    for number, (name, row) in enumerate(zip(names, rows, strict=True), 1):
        members.setdefault(name, []).append(row)
        yield number, len(names)
    groups = []
    for name, group_rows in members.items():
        totals = (
            Statistics.sum(parts, settings.max_order) for parts in zip(*group_rows, strict=True)
        )
        scores = tuple(score_segment(total, settings)[0] for total in totals)
        groups.append(Group(name, len(group_rows), scores))
    return Grouping(column, tuple(groups))


@document_choices
def group_bleu(
    hypotheses: Sequence[Text],
    references: Sequence[Sequence[Text]],
    groups: Sequence[GroupKey],
    settings: Settings | None = None,
    **choices: Unpack[Choices],
) -> dict[GroupKey, Score]:
    """Return corpus BLEU of each group of segments, in order of first occurrence.

    `groups[i]` is the document, domain or language of segment i. The mean of the scores is the
    macro average, which is not BLEU of the corpus. The other arguments are those of `corpus_bleu`.

    Raises ValueError unless each hypothesis has a group, and whatever `corpus_bleu` raises.

    >>> texts = ["a b", "a c", "x y"], [["a b"], ["a b"], ["x z"]], ["news", "news", "chat"]
    >>> {group: score.value for group, score in group_bleu(*texts, max_order=1).items()}
    {'news': 0.75, 'chat': 0.5}
    """
    settings = resolve_settings(choices, settings)
    segments = count_corpus(hypotheses, references, settings)
    if len(groups) != len(hypotheses):
        raise ValueError(
            f"there are {len(hypotheses)} hypotheses and {len(groups)} groups; give the group of "
            "each hypothesis"
        )
    members: dict[GroupKey, list[Statistics]] = {}
    for group, part in zip(groups, segments, strict=True):
        members.setdefault(group, []).append(part)
    return {
        group: compute(Statistics.sum(parts, settings.max_order), settings)
        for group, parts in members.items()
    }
