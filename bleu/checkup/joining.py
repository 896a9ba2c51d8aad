"""Hypotheses of another number than the references: each line is given to one, none is lost."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from operator import and_
from typing import NamedTuple

from bleu.checkup.alignment import (
    MIN_EVIDENCE,
    MIN_SUPPORT,
    Alignment,
    Anchor,
    LineEvidence,
    align_anchors,
    collect_evidence,
    find_anchors,
    heaviest_chain,
    line_range,
)
from bleu.checkup.changes import TOLERANCE, match_quality
from bleu.checkup.frames import shape
from bleu.checkup.line_faults import FINAL_MARKS, MIN_REPEATS
from bleu.core.progress import ProgressGenerator, map_in_slices
from bleu.core.segment import count_segment
from bleu.core.settings import Settings


@dataclass(frozen=True, slots=True)
class Pairing:
    """The hypotheses of two files, one text for each list of references.

    - `texts`: the texts, or none if the files do not belong together.
    - `lines`: the index in its file of the first line of each text.
    - `remark`: a sentence on the lines that are joined or left out, or "".
    """

    texts: list[str]
    lines: Sequence[int]
    remark: str = ""
    is_joined: bool = False


def pair_up(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], settings: Settings
) -> ProgressGenerator[tuple[Alignment, Pairing]]:
    """Return the alignment of two files, and one text for each list of references.

    Lines are shifted or joined, by words or by number, whichever matches better; there are no texts
    if nothing matches.

    >>> from bleu.core.progress import run_to_end
    >>> references = [[f"segment {n} is about topic {n * n}"] for n in range(9)]
    >>> lines = [line for [text] in references for line in ("Sure:", "", text)]
    >>> run_to_end(pair_up(lines, references, Settings()))[1].texts[8]
    'Sure: segment 8 is about topic 64'
    """
    indices = range(max(len(hypotheses), len(references)))
    evidence = yield from collect_evidence(hypotheses, references, indices)
    anchors = yield from find_anchors(evidence)
    alignment = yield from align_anchors(evidence, anchors)
    pairings = [_shift(hypotheses, alignment)] if alignment.blocks else []
    if owners := _find_owners(hypotheses, evidence, anchors):
        pairings.append(_join(hypotheses, owners, len(references)))
        size, rest = divmod(len(hypotheses), len(references))
        if not rest:  # Each text may have as many lines.
            owners = [line // size for line in range(len(hypotheses))]
            pairings.append(_join(hypotheses, owners, len(references)))
    qualities = []
    for pairing in pairings:
        rows = list(zip(pairing.texts, references, strict=True))
        counts = yield from map_in_slices(lambda row: count_segment(*row, settings), rows)
        qualities.append(sum(map(match_quality, counts)))
    if not pairings:
        return alignment, Pairing([], ())
    return alignment, pairings[qualities.index(max(qualities))]


def _shift(hypotheses: Sequence[str], alignment: Alignment) -> Pairing:
    """Return the hypotheses at the places of their references; extra lines are left out."""
    lines = list(range(alignment.reference_count))
    for start, reference, size in alignment.blocks:
        lines[reference : reference + size] = range(start, start + size)
    count = len(hypotheses) - sum(block.size for block in alignment.blocks)
    extra = f"{count:,} {'hypotheses' if count > 1 else 'hypothesis'} without references"
    remark = f"The repair leaves out {extra}." * bool(count)
    return Pairing(alignment.realign(hypotheses), lines, remark)


def _join(hypotheses: Sequence[str], owners: Sequence[int], count: int) -> Pairing:
    """Return for each of `count` segments its lines, joined; none is left out."""
    joined: list[list[int]] = [[] for _ in range(count)]
    for line, owner in enumerate(owners):
        if hypotheses[line].strip():
            joined[owner].append(line)
    is_wrapped = _continuations(hypotheses).is_wrapped
    gaps = ["" if is_wrapped and re.search(r"\w-$", line) else " " for line in hypotheses]
    texts = ["".join(hypotheses[k] + gaps[k] for k in lines).removesuffix(" ") for lines in joined]
    remark, several = "", next((lines for lines in joined if len(lines) > 1), None)
    if several:
        numbers = line_range(several[0], several[-1])
        remark = f"The repair joins lines of one text, such as lines {numbers}, and drops none."
    starts = accumulate((lines[0] if lines else 0 for lines in joined), max)
    return Pairing(texts, list(starts), remark, is_joined=True)


def _find_owners(
    hypotheses: Sequence[str], evidence: LineEvidence, anchors: Sequence[Anchor]
) -> list[int]:
    """Return the index of the references that each line belongs to; [] if nothing matches."""
    links = heaviest_chain(anchors, evidence.counts)
    support = sum(link.evidence for link in links)
    if not links or support < MIN_SUPPORT * min(evidence.counts):
        return []
    seen = Counter(map(shape, hypotheses))
    # A line that occurs so often, but for its numbers, is no text of its own.
    fillers = [seen[shape(text)] >= MIN_REPEATS for text in hypotheses]
    return _owners(links, evidence, hypotheses, fillers)


class _Continuations(NamedTuple):
    """Whether each line, and what follows the last, goes on with the text of the line before.

    - `is_wrapped`: whether most lines are so long that the first word of the next would not fit.
    - `likely`: after such a line; or, unless lines are wrapped, after one that ends no sentence.
    - `certain`: after a line of which both is true; unless lines are wrapped, as `likely`.
    """

    is_wrapped: bool
    likely: list[bool]
    certain: list[bool]


def _continuations(lines: Sequence[str]) -> _Continuations:
    """Return which lines go on with the text of the line before.

    >>> _, likely, certain = _continuations(["a cat sat.", "A dog came", "too."])
    >>> likely, certain
    ([False, True, True, False], [False, False, True, False])
    >>> _continuations(["a cat sat.", "A dog", "ran."]).likely
    [False, False, True, False]
    """
    width = max(map(len, lines))
    words = (re.match(r"\w+-(?=\w)|\S*", line) for line in lines[1:])
    pairs = zip(lines, words, strict=False)
    wrapped = [len(line) + (word.end() if word else 0) >= width for line, word in pairs]
    is_open = [not line.endswith(FINAL_MARKS) for line in lines[:-1]]
    is_wrapped = 2 * sum(wrapped) > len(lines)
    likely = wrapped if is_wrapped else is_open
    certain = map(and_, likely, is_open)
    return _Continuations(is_wrapped, [False, *likely, False], [False, *certain, False])


def _owners(
    links: Sequence[Anchor],
    evidence: LineEvidence,
    hypotheses: Sequence[str],
    fillers: Sequence[bool],
) -> list[int]:
    """Return the reference of each line; lines between two links are shared out in order."""
    counts = evidence.counts
    first, last = links[0], links[-1]
    # Extra lines follow the text that they belong to if more of them are at the end.
    follows = counts[0] - 1 - last[0] - (counts[1] - 1 - last[1]) > first[0] - first[1]
    owners = [0] * counts[0]
    is_wrapped, likely, certain = _continuations(hypotheses)
    for (line, owner), (next_line, next_owner) in pairwise(
        [(-1, -1), *(a[:2] for a in links), counts]
    ):
        if line >= 0:
            owners[line] = owner
        if next_line < counts[0]:
            owners[next_line] = next_owner
        gap, free = range(line + 1, next_line), next_owner - owner - 1
        exact = [
            inside
            for inside in (likely, certain)
            if inside[line + 1 : next_line + 1].count(False) == next_owner - owner
        ]
        if is_wrapped and exact:
            for index in gap:
                owners[index] = owner = owner + (not exact[0][index])
            continue
        if free > 0:
            own = [k for k in gap if not fillers[k]]
            starts = [not (is_wrapped and likely[k]) for k in own]
            if is_wrapped and sum(starts) < free:
                starts = [not certain[k] for k in own]
            # The last text of the gap may go on in the next line, whose owner is known.
            count = sum(starts) - (is_wrapped and likely[next_line])
            for index, number in zip(own, accumulate(starts), strict=True):
                k = number - 1 if count <= free else (number - 1) * free // count
                owners[index] = owner + (1 + k) * (number > 0) if number <= count else next_owner
            filled = [k for k in gap if fillers[k]]
            for index in filled if follows else filled[::-1]:
                owners[index] = owners[index - 1] if follows else owners[index + 1]
            continue
        end = len(gap) if (follows and owner >= 0) or next_owner >= counts[1] else 0
        if owner >= 0 and next_owner < counts[1]:
            # Text that is no filler goes to the reference that it shares more with; or, if that
            # is little, to the line before if it goes on there.
            surplus = []
            for k in gap:
                difference = evidence.pair(k, owner) - evidence.pair(k, next_owner)
                if abs(difference) < MIN_EVIDENCE * evidence.jump_cost:
                    difference = TOLERANCE if certain[k] else -TOLERANCE
                surplus.append(0.0 if fillers[k] else difference)
            sums = list(accumulate(surplus, initial=0.0))
            ends = [k for k, total in enumerate(sums) if total == max(sums)]
            end = ends[-1] if follows else ends[0]
        for k, index in enumerate(gap):
            owners[index] = owner if k < end else next_owner
    if is_wrapped:
        _separate(owners, [k for k, is_inside in enumerate(likely) if not is_inside])
    return owners


def _separate(owners: list[int], starts: Sequence[int]) -> None:
    """Give a text the reference before if it shares one with the next text, and that one is free.

    `starts` are the first lines of the texts, and the number of lines.
    """
    for start, end in pairwise(starts[:-1]):
        place = owners[end] - 1
        if owners[end - 1] == owners[end] and (owners[start - 1] if start else -1) < place:
            owners[start:end] = [place] * (end - start)
