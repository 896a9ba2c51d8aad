"""Hypotheses of another number than the references: each line is given to one, none is lost."""

import math
from collections import defaultdict
from collections.abc import Sequence
from itertools import chain, pairwise
from typing import Final, NamedTuple

from bleu.checkup.alignment import (
    MIN_SUPPORT,
    PROGRESS_INTERVAL,
    Alignment,
    LineEvidence,
    align,
    collect_evidence,
)
from bleu.checkup.changes import match_quality
from bleu.core.progress import ProgressGenerator, map_in_slices
from bleu.core.segment import count_segment
from bleu.core.settings import Settings

MAX_COUNTERPARTS: Final = 3
"""The number of references that are tried for a line."""
MIN_EVIDENCE: Final = 0.2
"""The smallest evidence for a pair of lines, as a share of that for a jump."""


class Anchor(NamedTuple):
    """A line and a reference that it may belong to, with the evidence in nats."""

    hypothesis: int
    reference: int
    evidence: float


def join_lines(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]]
) -> ProgressGenerator[list[str]]:
    """Return one text for each list of references: its lines, joined; [] if nothing matches.

    >>> from bleu.core.progress import run_to_end
    >>> references = [[f"segment {n} is about topic {n * n}"] for n in range(9)]
    >>> lines = [line for [text] in references for line in ("Sure:", "", text)]
    >>> run_to_end(join_lines(lines, references))[8]
    'Sure: segment 8 is about topic 64'
    """
    counts = len(hypotheses), len(references)
    jump_cost = 3 + math.log(max(1, *counts))
    evidence = yield from collect_evidence(hypotheses, references, range(max(counts)), jump_cost)
    anchors = yield from _anchors(evidence)
    links = heaviest_chain(anchors, counts[1])
    support = sum(evidence.pair(*link) for link in links)
    if not links or support < MIN_SUPPORT * min(counts):
        return []
    owners = _owners(links, counts)
    joined: list[list[str]] = [[] for _ in references]
    for line, owner in enumerate(owners):
        if hypotheses[line].strip():
            joined[owner].append(hypotheses[line])
    return list(map(" ".join, joined))


def _anchors(evidence: LineEvidence) -> ProgressGenerator[list[Anchor]]:
    """Return the likely pairs of lines, in the order of the hypotheses."""
    anchors = []
    for line in evidence.hypotheses:
        if not line % PROGRESS_INTERVAL:
            yield 2, 4
        votes: dict[int, float] = defaultdict(float)
        for reference, weight in evidence.counterparts(line):
            votes[reference] += weight
        for reference in sorted(votes, key=lambda k: -votes[k])[:MAX_COUNTERPARTS]:
            strength = evidence.pair(line, reference)
            if strength > MIN_EVIDENCE * evidence.jump_cost:
                anchors.append(Anchor(line, reference, strength))
    return anchors


def heaviest_chain(anchors: Sequence[Anchor], size: int) -> list[tuple[int, int]]:
    """Return the pairs with the most evidence in which lines and references both ascend.

    Each line is in one pair at most; a reference may be in several. `size` is the number of
    references.
    """
    best = [(0.0, -1)] * (size + 1)  # A Fenwick tree of the best chain up to each reference.
    previous = [-1] * len(anchors)
    last = (0.0, -1)
    for start, end in pairwise([*_line_starts(anchors), len(anchors)]):
        found = []
        for index in range(start, end):
            node, chain_before = anchors[index].reference + 1, (0.0, -1)
            while node:
                chain_before = max(chain_before, best[node])
                node &= node - 1
            previous[index] = chain_before[1]
            found.append((chain_before[0] + anchors[index].evidence, index))
        for state in found:  # All anchors of a line see the chains before it.
            node = anchors[state[1]].reference + 1
            while node <= size:
                best[node] = max(best[node], state)
                node += node & -node
            last = max(last, state)
    links, index = [], last[1]
    while index >= 0:
        links.append(anchors[index][:2])
        index = previous[index]
    return links[::-1]


def _line_starts(anchors: Sequence[Anchor]) -> list[int]:
    lines = [anchor.hypothesis for anchor in anchors]
    return [k for k, line in enumerate(lines) if not k or lines[k - 1] != line]


def _owners(links: Sequence[tuple[int, int]], counts: tuple[int, int]) -> list[int]:
    """Return the reference of each line; lines between two links are shared out in order."""
    (first, last) = links[0], links[-1]
    # Extra lines follow the text that they belong to if more of them are at the end.
    follows = counts[0] - 1 - last[0] - (counts[1] - 1 - last[1]) > first[0] - first[1]
    owners = [0] * counts[0]
    for (line, owner), (next_line, next_owner) in pairwise(chain([(-1, -1)], links, [counts])):
        if line >= 0:
            owners[line] = owner
        lines, free = next_line - line - 1, next_owner - owner - 1
        for k in range(lines):
            if free <= 0:
                is_before = (follows and owner >= 0) or next_owner >= counts[1]
                owners[line + 1 + k] = owner if is_before else next_owner
            else:
                owners[line + 1 + k] = owner + 1 + (k if lines <= free else k * free // lines)
    return owners


def pair_up(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], settings: Settings
) -> ProgressGenerator[tuple[Alignment, list[str]]]:
    """Return the alignment of two files, and one text for each list of references.

    Lines are shifted or joined, whichever matches better; there are no texts if nothing matches.
    """
    alignment = yield from align(hypotheses, references)
    shifted = alignment.realign(hypotheses)
    joined = yield from join_lines(hypotheses, references)
    if not joined:
        return alignment, shifted if alignment.blocks else []
    qualities = []
    for texts in (shifted, joined):
        rows = list(zip(texts, references, strict=True))
        counts = yield from map_in_slices(lambda row: count_segment(*row, settings), rows)
        qualities.append(sum(map(match_quality, counts)))
    return alignment, joined if qualities[1] > qualities[0] else shifted
