"""Whether the lines of two sides belong together, and in which order.

Two lines belong together if they share more rare words than chance explains. A run of lines that
belongs to lines at another position is a part of the heaviest chain of such pairs, in which each
jump to another offset (reference index − hypothesis index) has a cost. At first, only doubtful
lines are examined, which match little at their position; a text without a fault has few doubtful
lines.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, groupby, pairwise
from operator import itemgetter
from typing import Final, NamedTuple

from bleu.checkup.changes import SEED, match_quality, random_lines
from bleu.checkup.faults import CHINESE_CHARACTERS, UNSPACED_CHARACTERS
from bleu.checkup.finding import LINES_PER_SLICE, Lines
from bleu.core.progress import ITEMS_PER_SLICE, ProgressGenerator, map_in_slices
from bleu.core.segment import count_segment
from bleu.core.settings import Settings
from bleu.core.statistics import Statistics
from bleu.corpus.resampling import random_indices

_UNSPACED: Final = UNSPACED_CHARACTERS + CHINESE_CHARACTERS
_WORD: Final = re.compile(rf"[^\W{_UNSPACED}]+")
_UNSPACED_RUN: Final = re.compile(f"[{_UNSPACED}]+")
MIN_SHARED: Final = 0.15
"""A line is doubtful unless it matches this much better than unrelated lines do."""
CHANCE_PER_WORD: Final = 0.4
"""The evidence per word of a line, in nats, that chance explains."""
MAX_OCCURRENCES: Final = 4
"""A word is rare if at most this many references have it."""
DOUBTFUL_COST_FACTOR: Final = 1 / 3
"""While only doubtful lines are examined, the cost of a jump is multiplied by this."""
MAX_COUNTERPARTS: Final = 3
"""The number of references that are tried for a line."""
MIN_EVIDENCE: Final = 0.2
"""The smallest evidence for a pair of lines, as a share of that for a jump."""
MIN_SUPPORT: Final = 1.0
"""Texts of different lengths belong together only with this much evidence per line, in nats."""
MAX_PERMUTED: Final = 150
"""The number of hypotheses that are matched with the references of other lines."""
MIN_Z: Final = 4.0
"""The smallest number of standard errors by which lines that belong together match better than
others; of unrelated files it is below 2, of 400 right lines above 20."""
MIN_RELATED_LINES: Final = 8
"""Fewer lines do not tell whether files belong together."""
BETTER_ORDER: Final = 1.03
"""Lines are put in another order only if they match so many times better there."""
MIN_MOVED: Final = 0.02
"""The smallest share of lines that are moved."""
MIN_SHUFFLED: Final = 0.1
"""The smallest share of moved lines among those examined that have no match in their place.

Unrelated texts have 0.02.
"""
MAX_BLOCKS: Final = 12
"""The largest number of parts of a file of which the order is described."""


def doubtful_lines(
    statistics: Sequence[Statistics], unrelated: Sequence[Statistics]
) -> ProgressGenerator[Sequence[int]]:
    """Return the lines that match hardly better than unrelated lines do.

    `unrelated` are statistics of hypotheses with references of other lines. If half of the lines or
    more would be returned, all are.
    """
    least = MIN_SHARED + _quality(unrelated)
    qualities = yield from map_in_slices(match_quality, statistics, LINES_PER_SLICE)
    doubtful = [index for index, quality in enumerate(qualities) if quality < least]
    return doubtful if 2 * len(doubtful) < len(statistics) else range(len(statistics))


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
    cost_factor: float = 1.0,
) -> ProgressGenerator[LineEvidence]:
    """Return the evidence of the lines with these indices; yield (steps done, total).

    The usual cost of a jump is multiplied by `cost_factor`.
    """
    counts = len(hypotheses), len(references)
    evidence = LineEvidence(counts, cost_factor * (3 + math.log(max(1, *counts))))
    for position, index in enumerate(indices):
        if not position % ITEMS_PER_SLICE:
            yield position, len(indices)
        if index < len(hypotheses):
            evidence.hypotheses[index] = _distinct_words(hypotheses[index])
        if index < len(references):
            evidence.references[index] = _distinct_words(" ".join(references[index]))
            for word in evidence.references[index]:
                evidence.lines_by_word[word].append(index)
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


class Anchor(NamedTuple):
    """A line and a reference that it may belong to, with the evidence in nats."""

    hypothesis: int
    reference: int
    evidence: float


def find_anchors(evidence: LineEvidence) -> ProgressGenerator[list[Anchor]]:
    """Return the likely pairs of lines, in the order of the hypotheses."""

    def anchors(line: int) -> list[Anchor]:
        votes: dict[int, float] = defaultdict(float)
        for reference, weight in evidence.counterparts(line):
            votes[reference] += weight
        likely = sorted(votes, key=lambda k: -votes[k])[:MAX_COUNTERPARTS]
        found = (Anchor(line, k, evidence.pair(line, k)) for k in likely)
        return [each for each in found if each.evidence > MIN_EVIDENCE * evidence.jump_cost]

    lines = list(evidence.hypotheses)
    return list(chain.from_iterable((yield from map_in_slices(anchors, lines))))


def heaviest_chain(
    anchors: Sequence[Anchor], counts: tuple[int, int], jump_cost: float = 0.0
) -> list[Anchor]:
    """Return the pairs with the most evidence in which lines and references both ascend.

    Each line is in one pair at most; a reference may be in several. `counts` are the numbers of
    lines and of references. A jump from an offset to another has a cost; the first offset is 0.
    """
    start = 0.0, -1
    best = [start] * (counts[1] + 2)  # A Fenwick tree of the best chain up to each reference.
    best_at_offset = {0: start}
    previous: list[int] = []
    for line, group in groupby([*anchors, Anchor(*counts, 0.0)], key=itemgetter(0)):
        found = []
        for _, reference, evidence in group:
            node, chain_before = reference + 1, start
            while node:
                chain_before = max(chain_before, best[node])
                node &= node - 1
            unmoved = best_at_offset.get(reference - line, (-math.inf, -1))
            chain_before = max(unmoved, (chain_before[0] - jump_cost, chain_before[1]))
            found.append((reference, (chain_before[0] + evidence, len(previous))))
            previous.append(chain_before[1])
        for reference, state in found:  # All anchors of a line see the chains before it.
            node, best_at_offset[reference - line] = reference + 1, state
            while node < len(best):
                best[node] = max(best[node], state)
                node += node & -node
    links, index = [], previous[-1]
    while index >= 0:
        links.append(anchors[index])
        index = previous[index]
    return links[::-1]


# Alignment


class Block(NamedTuple):
    """A run of `size` lines that belong together, and the first index on each side."""

    hypothesis: int
    reference: int
    size: int

    @property
    def offset(self) -> int:
        """How many lines later the references are than the hypotheses; negative if earlier."""
        return self.reference - self.hypothesis


@dataclass(frozen=True, slots=True)
class Alignment:
    """The runs of lines that belong together, and the hypotheses that single lines belong to.

    - `blocks`: none if the texts have different lengths and too little in common.
    - `pairs`: the index of the reference that a hypothesis belongs to, if rare words tell.
    """

    hypothesis_count: int
    reference_count: int
    blocks: tuple[Block, ...]
    pairs: Mapping[int, int] = field(default_factory=dict)

    @property
    def fault(self) -> str:
        """The name of the fault: length-mismatch, misaligned, shuffled, or ""."""
        if self.hypothesis_count != self.reference_count:
            return "length-mismatch"
        return "misaligned" if self.shifts else "shuffled" if self.moved else ""

    @property
    def moved(self) -> dict[int, int]:
        """The pairs of lines that are at different places; none if they are few."""
        moved = {index: target for index, target in self.pairs.items() if index != target}
        return moved if len(moved) >= max(2, MIN_MOVED * self.hypothesis_count) else {}

    @property
    def shifts(self) -> tuple[tuple[int, int], ...]:
        """The places where the texts drift apart or come together again.

        Each is a line number, from 1, and an offset: from this line on, hypothesis n belongs to
        the references of line n + offset.
        """
        shifts, line, offset = [], 0, 0
        blocks, end = list(self.blocks), Block(self.hypothesis_count, self.reference_count, 0)
        if blocks and end.offset:
            blocks.append(end)
        for block in blocks:
            if block.offset != offset:
                shifts.append((line + 1, block.offset))
            line, offset = block.hypothesis + block.size, block.offset
        return tuple(shifts)

    @property
    def lines(self) -> Lines:
        """The lines that are not beside their counterparts, with the message about them."""
        lines = set(range(max(self.hypothesis_count, self.reference_count)))
        for start, reference, size in self.blocks:
            lines -= set(range(start, start + size) if start == reference else ())
        return Lines(lines, (), "", f"repair:{self.fault}" if self.blocks else "", self.message)

    @property
    def message(self) -> str:
        """A sentence on the shift, or on the numbers of lines."""
        size = f"{self.hypothesis_count:,}"
        (line, offset), *others = self.shifts or ((0, 0),)
        if self.fault == "length-mismatch":
            drift = f", and they drift apart at line {line:,}" if line else ""
            return f"There are {size} candidates and {self.reference_count:,} references{drift}."
        distance = f"{abs(offset):,} line{'s' if abs(offset) > 1 else ''}"
        next_shift = f"; the shift changes again at line {others[0][0]:,}" if others else ""
        return (
            f"From line {line:,} on, the candidates are shifted by {distance}: line n belongs to "
            f"line n {'+' if offset > 0 else '−'} {abs(offset):,} of the references{next_shift}."
        )

    def realign(self, hypotheses: Sequence[str]) -> list[str]:
        """Return one hypothesis for each reference: "" for a missing line, and no extra lines."""
        realigned = [""] * self.reference_count
        unshifted = Block(0, 0, min(self.hypothesis_count, self.reference_count))
        for hypothesis, reference, size in self.blocks or (unshifted,):
            realigned[reference : reference + size] = hypotheses[hypothesis : hypothesis + size]
        return realigned


def align(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    doubtful: Sequence[int] | None = None,
) -> ProgressGenerator[Alignment]:
    """Return which hypothesis belongs to which references; yield (steps done, total).

    If `doubtful` line indices are given and show no fault, the other lines are not examined.

    >>> from bleu.core.progress import run_to_end
    >>> lines = [f"segment {n} is about topic {n * n}" for n in range(40)]
    >>> references = [[line] for line in lines]
    >>> run_to_end(align(lines[:7] + lines[8:], references)).shifts
    ((8, 1),)
    >>> run_to_end(align(["an extra line", *lines[:-1]], references)).shifts
    ((1, -1),)
    """
    size = max(len(hypotheses), len(references))
    passes: list[tuple[Sequence[int], float]] = [(range(size), 1)]
    if doubtful is not None and len(doubtful) < size:
        passes.insert(0, (doubtful, DOUBTFUL_COST_FACTOR))
    for indices, factor in passes:
        evidence = yield from collect_evidence(hypotheses, references, indices, factor)
        anchors = yield from find_anchors(evidence)
        alignment = yield from align_anchors(evidence, anchors)
        if not alignment.fault:
            break
    return alignment


def align_anchors(
    evidence: LineEvidence, anchors: Sequence[Anchor]
) -> ProgressGenerator[Alignment]:
    """Return the alignment of two texts by their likely pairs of lines."""
    counts, pairs = evidence.counts, dict[int, int]()
    links = heaviest_chain(anchors, counts, evidence.jump_cost)
    support = sum(link.evidence for link in links)
    is_related = counts[0] == counts[1] or support >= MIN_SUPPORT * min(counts)
    blocks = (yield from find_blocks(evidence, links)) if is_related else []
    if counts[0] == counts[1]:
        pairs = yield from pair_lines(evidence, anchors)
    return Alignment(*counts, tuple(blocks), pairs)


def find_blocks(evidence: LineEvidence, links: Sequence[Anchor]) -> ProgressGenerator[list[Block]]:
    """Return the runs of lines at the offsets of links.

    A run begins where it and the run before it have the most evidence together. A larger offset
    skips references, and a smaller one skips hypotheses.
    """
    end, starts = evidence.counts, [(0, 0)]
    pairs = [(-1, -1), *(link[:2] for link in links), end]
    runs = [(n, [k for k, _ in run]) for n, run in groupby(pairs, lambda pair: pair[1] - pair[0])]
    for (offset, lines), (next_offset, next_lines) in pairwise(runs):
        skipped = max(0, offset - next_offset)
        first = min(max(lines[0] + 1, starts[-1][0]) + skipped, next_lines[-1])
        start, most, gain = first, 0.0, 0.0
        for k in range(first, next_lines[-1]):
            if k % ITEMS_PER_SLICE == 0:
                yield k, end[0]
            gain += evidence.pair(k - skipped, k - skipped + offset)
            gain -= evidence.pair(k, k + next_offset)
            if gain > most:
                start, most = k + 1, gain
        starts.append((start, start + next_offset))
    sizes = (min(b[0] - a[0], b[1] - a[1]) for a, b in pairwise((*starts, end)))
    return [Block(*start, size) for start, size in zip(starts, sizes, strict=True) if size > 0]


def relation_z(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    statistics: Sequence[Statistics],
    settings: Settings,
) -> ProgressGenerator[float]:
    """Return how many standard errors hypotheses match their references better than others'.

    It is infinite for few lines, and 0 if no line matches differently.
    """
    lines = random_lines(len(hypotheses), MAX_PERMUTED)
    others = chain.from_iterable(random_indices(SEED + 1, len(lines)))
    surplus = []
    for position, index in enumerate(lines):
        if position % ITEMS_PER_SLICE == 0:
            yield position, len(lines)
        other = references[lines[next(others)]]
        if other != references[index]:
            by_chance = match_quality(count_segment(hypotheses[index], other, settings))
            surplus.append(match_quality(statistics[index]) - by_chance)
    if len(surplus) < MIN_RELATED_LINES:
        return math.inf
    mean = sum(surplus) / len(surplus)
    variance = sum((each - mean) ** 2 for each in surplus) / (len(surplus) - 1)
    if not variance:
        return math.inf if mean > 0 else 0.0
    return mean / math.sqrt(variance / len(surplus))


def pair_lines(
    evidence: LineEvidence, anchors: Sequence[Anchor]
) -> ProgressGenerator[dict[int, int]]:
    """Return the index of the reference that each hypothesis belongs to, if rare words tell."""
    cost, lines = evidence.jump_cost, list(evidence.hypotheses)
    own = yield from map_in_slices(lambda line: evidence.pair(line, line), lines)
    best = {line: Anchor(line, line, weight) for line, weight in zip(lines, own, strict=True)}
    for anchor in anchors:
        if anchor.evidence > max(cost / 2, best[anchor.hypothesis].evidence):
            best[anchor.hypothesis] = anchor
    claims: dict[int, Anchor] = {}
    for line, anchor in best.items():
        if anchor.reference != line or anchor.evidence > cost / 4:
            rival = claims.get(anchor.reference, anchor)
            claims[anchor.reference] = max(rival, anchor, key=lambda each: each.evidence)
    pairs = {anchor.hypothesis: reference for reference, anchor in claims.items()}
    unmoved = {index: target for index, target in pairs.items() if index == target}
    unmatched_count = len(lines) - len(unmoved)
    is_shuffled = len(pairs) - len(unmoved) >= MIN_SHUFFLED * unmatched_count
    return pairs if is_shuffled else unmoved


def fill_gaps(pairs: Mapping[int, int], size: int) -> dict[int, int]:
    """Return the pairs, and the lines beside paired ones, which have no rare words.

    >>> fill_gaps({1: 0}, 3)
    {1: 0, 2: 1}
    """
    filled = dict(pairs)
    for step in (1, -1):
        taken = set(filled.values())
        for index in range(size)[::step]:
            target = filled.get(index - step, -2) + step
            is_free = 0 <= target < size and target not in taken
            if index not in filled and index - step in filled and is_free:
                filled[index] = target
                taken.add(target)
    return filled


def reorder(hypotheses: Sequence[str], pairs: Mapping[int, int]) -> list[str]:
    """Return the hypotheses at the places of their references; no line is lost.

    >>> reorder(["c", "a", "b"], {0: 2, 1: 0})
    ['a', 'b', 'c']
    """
    output: dict[int, str] = {target: hypotheses[index] for index, target in pairs.items()}
    rest = iter([text for index, text in enumerate(hypotheses) if index not in pairs])
    return [output[k] if k in output else next(rest) for k in range(len(hypotheses))]


@dataclass(frozen=True, slots=True)
class Order:
    """Hypotheses in the order of the references, and the lines moved with the sentence on them."""

    hypotheses: list[str]
    lines: Lines

    @property
    def name(self) -> str:
        """The name of the fault: shuffled or misaligned."""
        return self.lines.action.removeprefix("repair:")


def find_order(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    statistics: Sequence[Statistics],
    settings: Settings,
) -> ProgressGenerator[tuple[Order | None, bool]]:
    """Return the order in which lines match better, and whether the files belong together."""
    z = yield from relation_z(hypotheses, references, statistics, settings)
    step = len(hypotheses) // 32 + 1
    rows = list(zip(hypotheses[::step], references[::-step], strict=True))
    unrelated = yield from _count(rows, settings)
    doubtful = yield from doubtful_lines(statistics, unrelated)
    if len(doubtful) < 2 and z >= MIN_Z:
        return None, True
    alignment = yield from align(hypotheses, references, doubtful)
    if not alignment.fault and z >= MIN_Z:
        return None, True
    best, least = None, BETTER_ORDER * _quality(statistics)
    for order in _possible_orders(hypotheses, alignment):
        rows = list(zip(order.hypotheses, references, strict=True))
        counts = yield from _count(rows, settings)
        new_z = yield from relation_z(order.hypotheses, references, counts, settings)
        if new_z >= MIN_Z and (quality := _quality(counts)) > least:
            best, least = order, BETTER_ORDER * quality
    return best, bool(best) or z >= MIN_Z


def _count(
    rows: Sequence[tuple[str, Sequence[str]]], settings: Settings
) -> ProgressGenerator[list[Statistics]]:
    return map_in_slices(lambda row: count_segment(*row, settings), rows)


def _quality(statistics: Sequence[Statistics]) -> float:
    """Return the mean match of lines, which is not 0 if few words match."""
    return sum(map(match_quality, statistics)) / max(1, len(statistics))


def _possible_orders(hypotheses: Sequence[str], alignment: Alignment) -> Iterator[Order]:
    """Yield the shift that an alignment found, and the order of its pairs of lines."""
    if alignment.shifts and alignment.blocks:
        dropped = len(hypotheses) - sum(block.size for block in alignment.blocks)
        remark = f"The repair drops {dropped:,} candidates without references." * bool(dropped)
        yield Order(alignment.realign(hypotheses), replace(alignment.lines, remark=remark))
    if alignment.moved:
        filled = replace(alignment, pairs=fill_gaps(alignment.pairs, len(hypotheses)))
        message = describe_order(filled.moved, len(hypotheses))
        lines = Lines(sorted(filled.moved), action="repair:shuffled", message=message)
        yield Order(reorder(hypotheses, filled.pairs), lines)


def line_range(first: int, last: int) -> str:
    """Return the numbers of the lines from one index to another.

    >>> line_range(0, 1), line_range(4, 4)
    ('1–2', '5')
    """
    return f"{first + 1:,}" + (f"–{last + 1:,}" if last != first else "")


def describe_order(moved: Mapping[int, int], size: int) -> str:
    """Return a sentence on lines that belong elsewhere, by index.

    >>> describe_order({0: 2, 1: 3, 2: 0, 3: 1}, 4)
    '4 of 4 lines of the candidates belong elsewhere, in 2 parts: lines 1–2 at 3–4, 3–4 at 1–2.'
    """
    lines = sorted(moved)
    start = f"{len(moved):,} of {size:,} lines of the candidates"
    if sum(moved[b] == moved[a] - 1 for a, b in pairwise(lines)) > 0.8 * len(lines):
        return f"{start} are in reverse order."
    offsets = [moved[index] - index for index in lines]
    starts = [0, *(k for k, (a, b) in enumerate(pairwise(offsets), 1) if a != b)]
    if len(starts) <= max(MAX_BLOCKS, size / 15) and len(starts) < len(lines):
        parts = [(lines[a], lines[b - 1]) for a, b in pairwise([*starts, len(lines)])]
        listed = ", ".join(
            f"{line_range(first, last)} at {line_range(moved[first], moved[last])}"
            for first, last in parts[:4]
        )
        more = " …" if len(parts) > 4 else ""
        return f"{start} belong elsewhere, in {len(parts):,} parts: lines {listed}{more}."
    return f"{start} belong to other references, out of order."
