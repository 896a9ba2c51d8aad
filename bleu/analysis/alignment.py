"""The alignment of two texts line by line: shifted, missing, extra and shuffled lines.

Two lines belong together if they share more rare words than chance explains. A run of lines
that belongs to lines at another position is found by dynamic programming over the few offsets
for which rare words speak, so the time is linear in the number of lines.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from operator import attrgetter
from typing import Final, NamedTuple

from bleu.core.progress import ProgressGenerator

_UNSPACED: Final = (
    "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\U00020000-\U000323af"
)
_WORD: Final = re.compile(rf"[^\W{_UNSPACED}]+|[{_UNSPACED}]")
"""A word, or one character of a script without spaces."""
MIN_SHARED: Final = 0.15
"""The share of words beyond that of unrelated lines below which a line is doubtful."""
SAMPLE_SIZE: Final = 64
"""Unrelated lines that are compared to know what they share by chance."""
MARGIN: Final = 2
"""Lines before and after a doubtful line that are doubtful, too."""
LENIENCY: Final = 1 / 3
"""The factor of the cost of jumps as long as only doubtful lines are looked at."""
CHANCE: Final = 0.4
"""The evidence for each word of a line that chance explains, in nats."""
NEAR_OFFSETS: Final = (-2, -1, 1, 2)
"""Offsets that are always tried, because short lines may have no rare words."""
MAX_OFFSETS: Final = 24
"""Other offsets that are tried: those for which most rare words speak."""
MAX_OCCURRENCES: Final = 4
"""Lines in which a word occurs at most if it speaks for an offset."""
MIN_SHUFFLED: Final = 0.25
"""The share of the lines without a counterpart that must have it elsewhere in a shuffled text."""


@dataclass(frozen=True, slots=True)
class Block:
    """A run of lines that belong together: `size` lines from each start, counted from 0."""

    hypothesis: int
    reference: int
    size: int

    @property
    def offset(self) -> int:
        """The number of lines by which the references are ahead."""
        return self.reference - self.hypothesis


@dataclass(frozen=True, slots=True)
class Shift:
    """A change of offset: from `line` on, counted from 1, line n belongs to line n + `offset`.

    `line` is the first without a counterpart, or the first with a counterpart elsewhere.
    """

    line: int
    offset: int


@dataclass(frozen=True, slots=True)
class Alignment:
    """The runs of lines that belong together, and lines that belong elsewhere, out of order."""

    hypothesis_count: int
    reference_count: int
    blocks: tuple[Block, ...]
    shuffled: tuple[int, ...] = ()

    @property
    def fault(self) -> str:
        """The name of the fault: shuffled, length-mismatch, misaligned, or ""."""
        if self.hypothesis_count != self.reference_count:
            return "length-mismatch"
        if self.shuffled:
            return "shuffled"
        return "misaligned" if self.shifts else ""

    @property
    def shifts(self) -> tuple[Shift, ...]:
        """The places where the texts drift apart or come together again, before their ends."""
        shifts, line, offset = [], 0, 0
        ends = [Block(self.hypothesis_count, self.reference_count, 0)]
        for block in (*self.blocks, *ends[: self.hypothesis_count != self.reference_count]):
            if block.offset != offset:
                shifts.append(Shift(line + 1, block.offset))
            line, offset = block.hypothesis + block.size, block.offset
        return tuple(shifts)

    def realign(self, hypotheses: Sequence[str]) -> list[str]:
        """Return one hypothesis for each reference: "" for a missing line, and no extra lines."""
        realigned = [""] * self.reference_count
        for block in self.blocks:
            lines = hypotheses[block.hypothesis : block.hypothesis + block.size]
            realigned[block.reference : block.reference + block.size] = lines
        return realigned


def align(hypotheses: Sequence[str], references: Sequence[str]) -> ProgressGenerator[Alignment]:
    """Return which hypothesis belongs to which reference, yielding the progress.

    >>> from bleu.core.progress import run_to_end
    >>> lines = [f"segment {n} is about topic {n * n}" for n in range(40)]
    >>> run_to_end(align(lines[:7] + lines[8:], lines)).shifts
    (Shift(line=8, offset=1),)
    >>> run_to_end(align(["an extra line", *lines[:-1]], lines)).shifts
    (Shift(line=1, offset=-1),)
    """
    counts = len(hypotheses), len(references)
    size = max(counts)
    jump_cost = 3 + math.log(max(1, size))
    in_step = [Block(0, 0, size)]
    doubtful = _doubtful_lines(hypotheses, references)
    yield 1, 3
    if counts[0] == counts[1] and 2 * len(doubtful) < size:
        evidence = _Evidence(hypotheses, references, doubtful, LENIENCY * jump_cost)
        if _likely_offsets(evidence) == [0] and not _shuffled_lines(evidence, in_step):
            return Alignment(*counts, tuple(in_step))
    evidence = _Evidence(hypotheses, references, range(size), jump_cost)
    offsets = _likely_offsets(evidence)
    yield 2, 3
    blocks = in_step if offsets == [0] else _best_blocks(evidence, offsets)
    return Alignment(*counts, tuple(blocks), tuple(_shuffled_lines(evidence, blocks)))


def _doubtful_lines(hypotheses: Sequence[str], references: Sequence[str]) -> list[int]:
    """Return the lines that share few words with the line at their position, and lines nearby."""
    common, longest = sorted([len(hypotheses), len(references)])
    sample = range(0, common, common // SAMPLE_SIZE + 1)
    by_chance = [
        _shared_words(hypotheses[index], references[common - 1 - index]) for index in sample
    ]
    min_shared = MIN_SHARED + sum(by_chance) / max(1, len(sample))
    doubtful = set(range(common, longest))
    for index, shared in enumerate(map(_shared_words, hypotheses, references)):
        if shared < min_shared:
            doubtful.update(range(max(0, index - MARGIN), index + MARGIN + 1))
    return sorted(doubtful)


def _shared_words(left: str, right: str) -> float:
    """Return the share of the words of the shorter line that are in the other line, too."""
    words, others = set(left.split()), set(right.split())
    return len(words & others) / (min(len(words), len(others)) or 1)


class _Evidence:
    """The evidence, in nats, that lines belong together, and what a jump to other lines costs."""

    def __init__(
        self,
        hypotheses: Sequence[str],
        references: Sequence[str],
        indices: Sequence[int],
        jump_cost: float,
    ) -> None:
        self.counts = len(hypotheses), len(references)
        self.jump_cost = jump_cost
        self.hypotheses = _distinct_words(hypotheses, indices)
        self.references = _distinct_words(references, indices)
        sides = self.hypotheses, self.references
        counts = Counter(chain.from_iterable(chain.from_iterable(side.values() for side in sides)))
        total = sum(map(len, sides))
        self.weights = {word: math.log(total / count) for word, count in counts.items()}
        self.by_word: dict[str, list[int]] = defaultdict(list)
        for line, words in self.references.items():
            for word in words:
                self.by_word[word].append(line)

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
            references = self.by_word.get(word, ())
            if len(references) <= MAX_OCCURRENCES:
                for reference in references:
                    yield reference, self.weights[word]


def _distinct_words(lines: Sequence[str], indices: Iterable[int]) -> dict[int, set[str]]:
    return {
        index: set(_WORD.findall(lines[index].casefold()))
        for index in indices
        if index < len(lines)
    }


def _likely_offsets(evidence: _Evidence) -> list[int]:
    """Return 0, the difference of the counts, and the offsets with much evidence somewhere."""
    votes = Counter(
        reference - hypothesis
        for hypothesis in evidence.hypotheses
        for reference, _ in evidence.counterparts(hypothesis)
    )
    difference = evidence.counts[1] - evidence.counts[0]
    offsets = {0, difference}
    tried = {offset for offset, count in votes.most_common(MAX_OFFSETS) if count > 2}
    aligned = {line: evidence.pair(line, line) for line in evidence.hypotheses}
    for offset in tried.union(NEAR_OFFSETS) - offsets:
        gain, largest = 0.0, 0.0
        for line, loss in aligned.items():
            if loss < 0.8 * evidence.jump_cost:
                gain += evidence.pair(line, line + offset)
            gain = max(0.0, gain - 1.25 * loss)
            largest = max(largest, gain)
        min_gain = evidence.jump_cost * (1 if difference else 2) + 3 * math.log(abs(offset))
        if largest > min_gain:
            offsets.add(offset)
    return sorted(offsets)


class _State(NamedTuple):
    """The best way to a pair of lines: its evidence, its last jump, and the state before that."""

    evidence: float
    hypothesis: int
    offset: int
    source: "_State | None" = None

    def after_jump(self, cost: float, hypothesis: int, offset: int) -> "_State":
        """Return the state after a jump to another pair of lines."""
        return _State(self.evidence - cost, hypothesis, offset, self)


def _best_blocks(evidence: _Evidence, offsets: Sequence[int]) -> list[Block]:
    """Return the runs of lines with the most evidence, less the costs of jumps.

    A jump skips lines of one side only. So it comes from a smaller offset at the same hypothesis,
    or from a larger offset at the same reference.
    """
    hypothesis_count, reference_count = evidence.counts
    states = {0: _State(0.0, 0, 0)}
    best_at_reference: dict[int, _State] = {}
    for hypothesis in range(hypothesis_count + 1):
        best_at_hypothesis: _State | None = None
        for offset in offsets:
            reference = hypothesis + offset
            if not 0 <= reference <= reference_count:
                continue
            sources = best_at_hypothesis, best_at_reference.get(reference)
            jumps = (
                source.after_jump(evidence.jump_cost, hypothesis, offset)
                for source in sources
                if source
            )
            state = max(filter(None, (states.get(offset), *jumps)), key=_by_evidence, default=None)
            if not state:
                continue
            best_at_hypothesis = max(state, best_at_hypothesis or state, key=_by_evidence)
            best_at_reference[reference] = max(state, sources[1] or state, key=_by_evidence)
            gain = evidence.pair(hypothesis, reference)
            states[offset] = state._replace(evidence=state.evidence + gain)
    last: _State | None = states[reference_count - hypothesis_count]
    blocks: list[Block] = []
    end = Block(hypothesis_count, reference_count, 0)
    while last:
        start = Block(last.hypothesis, last.hypothesis + last.offset, 0)
        size = min(end.hypothesis - start.hypothesis, end.reference - start.reference)
        if size:
            blocks.append(replace(start, size=size))
        last, end = last.source, start
    return blocks[::-1]


_by_evidence = attrgetter("evidence")


def _shuffled_lines(evidence: _Evidence, blocks: Sequence[Block]) -> list[int]:
    """Return the hypotheses that clearly belong elsewhere, out of order, if they are many."""
    aligned = {
        block.hypothesis + index: block.reference + index
        for block in blocks
        for index in range(block.size)
    }
    support = {line: evidence.pair(line, aligned.get(line, -1)) for line in evidence.hypotheses}
    weak = [line for line, value in support.items() if value < evidence.jump_cost / 4]
    taken = {aligned[line] for line in support.keys() - weak}
    claims: dict[int, tuple[float, int]] = {}
    for hypothesis in weak:
        weights: dict[int, float] = defaultdict(float)
        for reference, weight in evidence.counterparts(hypothesis):
            if reference not in taken:
                weights[reference] += weight
        if weights:
            reference = max(weights, key=weights.__getitem__)
            claim = evidence.pair(hypothesis, reference), hypothesis
            if claim[0] > evidence.jump_cost * 5 / 9:
                claims[reference] = max(claim, claims.get(reference, claim))
    shuffled = {hypothesis: reference for reference, (_, hypothesis) in claims.items()}
    are_many = len(shuffled) >= max(2, MIN_SHUFFLED * len(weak))
    offsets = {reference - hypothesis for hypothesis, reference in shuffled.items()}
    moved = sum(aligned[line] != line for line in support.keys() - weak)
    return sorted(shuffled) if are_many and len(offsets) > 1 and len(shuffled) > moved else []
