"""The words that lines share, as evidence that they belong together."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from bleu.analysis.tokenized import CHINESE_CHARACTERS, UNSPACED_CHARACTERS
from bleu.core.progress import ProgressGenerator
from bleu.core.statistics import Statistics

_UNSPACED: Final = UNSPACED_CHARACTERS + CHINESE_CHARACTERS
_WORD: Final = re.compile(rf"[^\W{_UNSPACED}]+")
_UNSPACED_RUN: Final = re.compile(f"[{_UNSPACED}]+")
MIN_SHARED: Final = 0.15
"""A line is doubtful unless it matches this much more of its n-grams than unrelated lines do."""
MAX_BY_CHANCE: Final = 0.3
"""If unrelated lines match this share of their n-grams or more, longer n-grams are examined."""
MARGIN: Final = 1
"""The number of lines before and after a doubtful line that are doubtful, too."""
CHANCE_PER_WORD: Final = 0.4
"""The evidence per word of a line, in nats, that chance explains."""
MAX_OCCURRENCES: Final = 4
"""A word is rare if at most this many references have it."""
PROGRESS_INTERVAL: Final = 200
"""The number of lines between two reports of progress."""


def doubtful_lines(
    statistics: Sequence[Statistics], unrelated: Sequence[Statistics]
) -> Sequence[int]:
    """Return the lines that match hardly more than unrelated lines do, and the lines nearby.

    `unrelated` are statistics of hypotheses with references of other lines. If half of the lines or
    more would be returned, all are.
    """
    order, by_chance = 0, 1.0
    for order in range(len(statistics[0].matched)):
        by_chance = sum(_precision(segment, order) for segment in unrelated) / len(unrelated)
        if by_chance < MAX_BY_CHANCE:
            break
    lines = range(len(statistics))
    doubtful = set[int]()
    for index, segment in enumerate(statistics):
        if _precision(segment, order) < MIN_SHARED + by_chance:
            doubtful.update(lines[max(0, index - MARGIN) : index + MARGIN + 1])
    return sorted(doubtful) if 2 * len(doubtful) < len(lines) else lines


def _precision(statistics: Statistics, order: int) -> float:
    """Return the share of n-grams that match; `order` is 0 for unigrams."""
    return statistics.matched[order] / (statistics.total[order] or 1)


@dataclass(frozen=True, slots=True)
class LineEvidence:
    """The distinct words of lines, and the weight of each: its evidence if lines share it, in nats.

    - `counts`: the numbers of all hypotheses and references.
    - `jump_cost`: the evidence against a change of the offset between the sides, in nats.
    - `lines_by_word`: the indices of the references that have a word.
    """

    counts: tuple[int, int]
    jump_cost: float
    hypotheses: dict[int, set[str]] = field(default_factory=dict)
    references: dict[int, set[str]] = field(default_factory=dict)
    weights: dict[str, float] = field(default_factory=dict)
    lines_by_word: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def pair(self, hypothesis: int, reference: int) -> float:
        """Return the evidence that two lines belong together.

        It is less than the cost of a jump, so that no single line suffices for a jump.
        """
        words, reference_words = self.hypotheses.get(hypothesis), self.references.get(reference)
        if not words or not reference_words or words.isdisjoint(reference_words):
            return 0.0
        weight = math.fsum([self.weights[word] for word in words & reference_words])
        chance = CHANCE_PER_WORD * (len(words) + len(reference_words)) / 2
        surplus = max(0.05 * weight, weight - chance)
        return surplus * self.jump_cost / (surplus + self.jump_cost)

    def counterparts(self, hypothesis: int) -> Iterator[tuple[int, float]]:
        """Yield (reference index, word's weight) for each rare word that the hypothesis shares."""
        for word in sorted(self.hypotheses[hypothesis]):  # A set has no fixed order to sum in.
            references = self.lines_by_word.get(word, ())
            if len(references) <= MAX_OCCURRENCES:
                for reference in references:
                    yield reference, self.weights[word]


def collect_evidence(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    indices: Sequence[int],
    jump_cost: float,
) -> ProgressGenerator[LineEvidence]:
    """Return the evidence of the lines with these indices; yield (steps done, total)."""
    evidence = LineEvidence((len(hypotheses), len(references)), jump_cost)
    for position, index in enumerate(indices):
        if index < len(hypotheses):
            evidence.hypotheses[index] = _distinct_words(hypotheses[index])
        if index < len(references):
            evidence.references[index] = _distinct_words(" ".join(references[index]))
            for word in evidence.references[index]:
                evidence.lines_by_word[word].append(index)
        if not position % PROGRESS_INTERVAL:
            yield 1, 4
    lines = *evidence.hypotheses.values(), *evidence.references.values()
    for word, count in Counter(chain.from_iterable(lines)).items():
        evidence.weights[word] = math.log(len(lines) / count)
    return evidence


def _distinct_words(line: str) -> set[str]:
    """Return the words of a line, and in scripts without spaces its runs of up to 3 characters."""
    words = set(_WORD.findall(line.casefold()))
    if not line.isascii():
        for run in _UNSPACED_RUN.findall(line):
            words.update(run[index : index + 3] for index in range(len(run)))
    return words
