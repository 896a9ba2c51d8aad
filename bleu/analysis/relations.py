"""Whether the lines of two sides belong together, and in which order."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Final

from bleu.analysis.alignment import Alignment, align, collect_evidence, doubtful_lines
from bleu.analysis.changes import SEED, match_quality, random_lines
from bleu.core.progress import ITEMS_PER_SLICE, ProgressGenerator, map_in_slices
from bleu.core.segment import count_segment
from bleu.core.settings import Settings
from bleu.core.statistics import Statistics
from bleu.corpus.resampling import random_indices

MAX_PERMUTED: Final = 150
"""The number of hypotheses that are matched with the references of other lines."""
MIN_Z: Final = 4.0
"""The smallest number of standard errors by which lines that belong together match better than
others; of unrelated files it is below 2, of 400 right lines above 20."""
MIN_RELATED_LINES: Final = 8
"""Fewer lines do not tell whether files belong together."""
MIN_ORDER_GAIN: Final = 0.002
"""The smallest gain in [0, 1], and the share of the score, for which lines are put in order."""
BETTER_ORDER: Final = 1.03
"""A permutation replaces a shift only if lines match so many times better."""
MIN_MOVED: Final = 0.02
"""The smallest share of lines that are moved."""
MAX_BLOCKS: Final = 12
"""The largest number of parts of a file of which the order is described."""


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
    hypotheses: Sequence[str], references: Sequence[Sequence[str]]
) -> ProgressGenerator[dict[int, int]]:
    """Return the index of the reference that each hypothesis belongs to, if rare words tell.

    A line without rare words belongs where its neighbours do.
    """
    size = max(len(hypotheses), len(references))
    cost = 3 + math.log(max(2, size))
    evidence = yield from collect_evidence(hypotheses, references, range(size), cost)
    claims: dict[int, tuple[float, int]] = {}
    for index in evidence.hypotheses:
        if index % 50 == 0:
            yield 2, 4
        weights: dict[int, float] = defaultdict(float)
        for reference, weight in evidence.counterparts(index):
            weights[reference] += weight
        own = evidence.pair(index, index)
        target, strength = index, own
        if weights:
            best = max(weights, key=lambda k: (weights[k], k == index, -k))
            if evidence.pair(index, best) > max(cost / 2, own):
                target, strength = best, evidence.pair(index, best)
        if target != index or own > cost / 4:
            claims[target] = max(claims.get(target, (0.0, -1)), (strength, index))
    pairs = {index: reference for reference, (_, index) in claims.items()}
    _fill_gaps(pairs, len(hypotheses), len(references))
    return pairs


def _fill_gaps(pairs: dict[int, int], hypothesis_count: int, reference_count: int) -> None:
    """Pair the lines beside paired ones."""
    for step in (1, -1):
        taken = set(pairs.values())
        for index in sorted(range(hypothesis_count), reverse=step < 0):
            target = pairs.get(index - step, -2) + step
            is_free = 0 <= target < reference_count and target not in taken
            if index not in pairs and index - step in pairs and is_free:
                pairs[index] = target
                taken.add(target)


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
    """Hypotheses in the order of the references: the sentence on it, and the lines moved.

    `name` is `shuffled` or `misaligned`; `dropped` is the number of lines that are left out.
    """

    name: str
    message: str
    hypotheses: list[str]
    lines: list[int]
    dropped: int = 0


def find_order(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    statistics: Sequence[Statistics],
    settings: Settings,
) -> ProgressGenerator[tuple[Order | None, bool]]:
    """Return the order in which lines match better, and whether the files belong together."""
    z = yield from relation_z(hypotheses, references, statistics, settings)
    rows = list(zip(hypotheses, reversed(references), strict=True))
    unrelated = yield from _count(rows[:: len(rows) // 32 + 1], settings)
    doubtful = yield from doubtful_lines(statistics, unrelated)
    if len(doubtful) < 2 and z >= MIN_Z:
        return None, True
    alignment = yield from align(hypotheses, references, doubtful)
    if not alignment.fault and z >= MIN_Z:
        return None, True
    orders = yield from _possible_orders(hypotheses, references, alignment)
    score = _quality(statistics)
    best, best_score = None, score + max(MIN_ORDER_GAIN, MIN_ORDER_GAIN * 10 * score)
    for order in orders:
        rows = list(zip(order.hypotheses, references, strict=True))
        counts = yield from _count(rows, settings)
        new_z = yield from relation_z(order.hypotheses, references, counts, settings)
        if new_z >= MIN_Z and (quality := _quality(counts)) > best_score:
            best, best_score = order, quality * BETTER_ORDER
    return best, bool(best) or z >= MIN_Z


def _count(
    rows: Sequence[tuple[str, Sequence[str]]], settings: Settings
) -> ProgressGenerator[list[Statistics]]:
    return map_in_slices(lambda row: count_segment(*row, settings), rows)


def _quality(statistics: Sequence[Statistics]) -> float:
    """Return the mean match of lines, which is not 0 if few words match."""
    return sum(map(match_quality, statistics)) / max(1, len(statistics))


def _possible_orders(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], alignment: Alignment
) -> ProgressGenerator[list[Order]]:
    """Return the shift that the alignment found, and the order that rare words tell."""
    orders = []
    if alignment.fault and alignment.blocks and not alignment.shuffled:
        shifted, lines = alignment.realign(hypotheses), alignment.lines.indices
        kept = sum(block.size for block in alignment.blocks)
        dropped = len(hypotheses) - kept
        orders.append(Order("misaligned", alignment.message, shifted, lines, dropped))
    pairs = yield from pair_lines(hypotheses, references)
    moved = {index: target for index, target in pairs.items() if index != target}
    if len(moved) >= max(2, MIN_MOVED * len(hypotheses)):
        ordered = reorder(hypotheses, pairs)
        message = describe_order(moved, len(hypotheses))
        orders.append(Order("shuffled", message, ordered, sorted(moved)))
    return orders


def describe_order(moved: Mapping[int, int], size: int) -> str:
    """Return a sentence on lines that belong elsewhere, by index.

    >>> describe_order({0: 2, 1: 3, 2: 0, 3: 1}, 4)
    '4 of 4 lines of the hypotheses belong elsewhere, in 2 parts: line 1 to 3, 3 to 1.'
    """
    lines = sorted(moved)
    start = f"{len(moved):,} of {size:,} lines of the hypotheses"
    if sum(moved[b] == moved[a] - 1 for a, b in pairwise(lines)) > 0.8 * len(lines):
        return f"{start} are in reverse order."
    offsets = [moved[index] - index for index in lines]
    firsts = [
        lines[0],
        *(b for (_, x), (b, y) in pairwise(zip(lines, offsets, strict=True)) if x != y),
    ]
    if len(firsts) <= max(MAX_BLOCKS, size / 15) and len(firsts) < len(lines):
        listed = ", ".join(f"{first + 1:,} to {moved[first] + 1:,}" for first in firsts[:4])
        more = " …" if len(firsts) > 4 else ""
        return f"{start} belong elsewhere, in {len(firsts):,} parts: line {listed}{more}."
    return f"{start} belong to other references, out of order."


def find_column_orders(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], settings: Settings
) -> ProgressGenerator[dict[int, Order | None]]:
    """Return the files of references that alone do not fit the hypotheses, by index.

    Each has the texts of the file in the order of the hypotheses, or None if there is no order.
    """
    faulty: dict[int, Order | None] = {}
    if len(set(map(len, references))) != 1 or len(references[0]) < 2:
        return faulty
    for index in range(len(references[0])):
        column = [row[index] for row in references]
        rows = [[text] for text in hypotheses]
        counts = yield from _count(list(zip(column, rows, strict=True)), settings)
        order, is_related = yield from find_order(column, rows, counts, settings)
        if order or not is_related:
            faulty[index] = order
    return faulty
