"""Hypotheses of another number than the references: each line is given to one, none is lost."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from operator import and_

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
    if owners := _owners(hypotheses, evidence, anchors):
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
    is_wrapped, *_ = _continuations(hypotheses)
    gaps = ["" if is_wrapped and re.search(r"\w-$", line) else " " for line in hypotheses]
    texts = ["".join(hypotheses[k] + gaps[k] for k in lines).removesuffix(" ") for lines in joined]
    remark, several = "", next((lines for lines in joined if len(lines) > 1), None)
    if several:
        numbers = line_range(several[0], several[-1])
        remark = f"The repair joins lines of one text, such as lines {numbers}, and drops none."
    starts = accumulate((lines[0] if lines else 0 for lines in joined), max)
    return Pairing(texts, list(starts), remark, is_joined=True)


def _continuations(lines: Sequence[str]) -> tuple[bool, list[bool], list[bool]]:
    """Return whether lines are wrapped, and which, likely or certainly, go on with a text.

    Lines are wrapped if most are so long that the first word of the next would not fit. A line, or
    what follows the last, likely goes on after such a line; or, unless lines are wrapped, after one
    that ends no sentence. It certainly goes on after a line of which both is true; unless lines are
    wrapped, if it is likely.

    >>> _, likely, certain = _continuations(["a cat sat.", "A dog came", "too."])
    >>> likely, certain
    ([False, True, True, False], [False, False, True, False])
    >>> _continuations(["a cat sat.", "A dog", "ran."])[1]
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
    return is_wrapped, [False, *likely, False], [False, *certain, False]


def _owners(
    hypotheses: Sequence[str], evidence: LineEvidence, anchors: Sequence[Anchor]
) -> list[int]:
    """Return the index of the references that each line belongs to; [] if nothing matches.

    The texts between two links are shared out in order.
    """
    counts, links = evidence.counts, heaviest_chain(anchors, evidence.counts)
    support = sum(link.evidence for link in links)
    if not links or support < MIN_SUPPORT * min(counts):
        return []
    seen, linked = Counter(map(shape, hypotheses)), {link.hypothesis for link in links}
    # A line that occurs so often, but for its numbers, is no text of its own.
    fillers = [
        seen[shape(text)] >= MIN_REPEATS and line not in linked
        for line, text in enumerate(hypotheses)
    ]
    first, last = links[0], links[-1]
    # Extra lines follow the text that they belong to if more of them are at the end.
    follows = counts[0] - 1 - last[0] - (counts[1] - 1 - last[1]) > first[0] - first[1]
    attached = [False, *fillers[1:], False] if follows else [False, *fillers]
    is_wrapped, likely, certain = _continuations(hypotheses)
    owners: list[int] = []
    for (line, owner), (next_line, next_owner) in pairwise(
        [(-1, -1), *(link[:2] for link in links), counts]
    ):
        places, free = range(line + 1, next_line + 1), next_owner - owner - 1
        for inside in (likely, certain):
            starts = [k for k in places if not (attached[k] or (is_wrapped and inside[k]))]
            if len(starts) > free:
                break
        if not free and owner >= 0 and next_owner < counts[1] and starts:
            # Text that is no filler goes to the reference that it shares more with; or, if that
            # is little, to the line before if it goes on there.
            sums = {line + 1: 0.0}
            for k in places[:-1]:
                surplus = evidence.pair(k, owner) - evidence.pair(k, next_owner)
                if abs(surplus) < MIN_EVIDENCE * evidence.jump_cost:
                    surplus = TOLERANCE if certain[k] else -TOLERANCE
                sums[k + 1] = sums[k] + surplus * (not fillers[k])
            starts = [max(starts, key=lambda k: sums[k])]
        number, count = 0, len(starts) - 1
        for k in places:
            if free >= 0 and k in starts[number : number + 1]:
                is_last = number == count  # Its text may go on in the next line.
                step = 1 + number * min(free, count) // max(1, count)
                owners.append(next_owner if is_last else owner + step)
                number += 1
            else:
                owners.append(owners[-1])
        owners[-1] = next_owner
    return [min(k, counts[1] - 1) for k in owners[:-1]]
