"""The words that lines share, as evidence that they belong together."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from bleu.core.progress import ProgressGenerator

_UNSPACED: Final = (
    "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\U00020000-\U000323af"
)
_WORD: Final = re.compile(rf"[^\W{_UNSPACED}]+")
_UNSPACED_RUN: Final = re.compile(f"[{_UNSPACED}]+")
MIN_SHARED: Final = 0.15
"""The share of words beyond that of unrelated lines below which a line is doubtful."""
SAMPLE_SIZE: Final = 64
"""Unrelated lines that are compared to know what they share by chance."""
MARGIN: Final = 2
"""Lines before and after a doubtful line that are doubtful, too."""
CHANCE: Final = 0.4
"""The evidence for each word of a line that chance explains, in nats."""
MAX_OCCURRENCES: Final = 4
"""Lines in which a word occurs at most if it speaks for a counterpart."""
STEP: Final = 1_000
"""Lines after which the progress is yielded."""


def doubtful_lines(
    hypotheses: Sequence[str], references: Sequence[str]
) -> ProgressGenerator[list[int]]:
    """Return the lines that share few words with the line at their position, and lines nearby."""
    common = min(len(hypotheses), len(references))
    sample = range(0, common, common // SAMPLE_SIZE + 1)
    by_chance = [_shared_words(hypotheses[i], references[common - 1 - i]) for i in sample]
    min_shared = MIN_SHARED + sum(by_chance) / max(1, len(sample))
    doubtful = set[int]()
    for index, shared in enumerate(map(_shared_words, hypotheses, references)):
        if shared < min_shared:
            doubtful.update(range(max(0, index - MARGIN), min(common, index + MARGIN + 1)))
        if not index % STEP:
            yield 0, 4
    return sorted(doubtful)


def _shared_words(left: str, right: str) -> float:
    """Return the share of the words of the shorter line that are in the other line, too."""
    words, others = set(left.split()), set(right.split())
    return len(words & others) / (min(len(words), len(others)) or 1)


@dataclass(frozen=True, slots=True)
class LineEvidence:
    """The distinct words of lines, and their weights: the evidence in nats if lines share them."""

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
        words, others = self.hypotheses.get(hypothesis), self.references.get(reference)
        if not words or not others or words.isdisjoint(others):
            return 0.0
        weight = sum([self.weights[word] for word in words & others])
        chance = CHANCE * (len(words) + len(others)) / 2
        surplus = max(0.05 * weight, weight - chance)
        return surplus * self.jump_cost / (surplus + self.jump_cost)

    def counterparts(self, hypothesis: int) -> Iterator[tuple[int, float]]:
        """Yield the references that share rare words, with the weight of each word."""
        for word in self.hypotheses[hypothesis]:
            references = self.lines_by_word.get(word, ())
            if len(references) <= MAX_OCCURRENCES:
                for reference in references:
                    yield reference, self.weights[word]


def collect_evidence(
    hypotheses: Sequence[str], references: Sequence[str], indices: Sequence[int], jump_cost: float
) -> ProgressGenerator[LineEvidence]:
    """Return the evidence of the lines with some indices, on both sides."""
    evidence = LineEvidence((len(hypotheses), len(references)), jump_cost)
    for position, index in enumerate(indices):
        if index < len(hypotheses):
            evidence.hypotheses[index] = _distinct_words(hypotheses[index])
        if index < len(references):
            evidence.references[index] = _distinct_words(references[index])
            for word in evidence.references[index]:
                evidence.lines_by_word[word].append(index)
        if not position % STEP:
            yield 1, 4
    lines = *evidence.hypotheses.values(), *evidence.references.values()
    for word, count in Counter(chain.from_iterable(lines)).items():
        evidence.weights[word] = math.log(len(lines) / count)
    return evidence


def _distinct_words(line: str) -> set[str]:
    """Return the words of a line, and runs of three characters of scripts without spaces."""
    words = set(_WORD.findall(line.casefold()))
    if not line.isascii():
        for run in _UNSPACED_RUN.findall(line):
            words.update(run[index : index + 3] for index in range(len(run)))
    return words
