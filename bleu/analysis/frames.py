"""Ids and times that begin or end the lines of both sides, and are scored as if translated."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import Final

from bleu.analysis.parallel_lines import Lines, ParallelLines

SAMPLE_LINES: Final = 400
"""The number of first lines that decide whether there is a frame."""
MIN_FRAMED: Final = 0.9
"""The smallest share of lines with the same words at one end of both sides; in clean texts 0.14."""
MAX_EQUAL_NEIGHBOURS: Final = 0.75
"""The largest share of lines whose next words are equal, too; beyond, the texts are alike."""
_WORD: Final = r"(?:[^\s=]++=?|=)"


def find_frame(texts: ParallelLines) -> Lines | None:
    """Find ids or times that begin or end the lines of both sides."""
    stripped, _ = strip_frames(texts.hypotheses, texts.references)
    lines = [index for index, text in enumerate(texts.hypotheses) if text != stripped[index]]
    phrase = "begin or end with ids or times that are the same on both sides"
    return Lines(lines, lines, phrase, "repair:frame") if lines else None


def strip_frames(
    hypotheses: list[str], references: list[list[str]]
) -> tuple[list[str], list[list[str]]]:
    """Return the texts without the words of `frame_size`, if both sides of a line have them."""
    size = frame_size(hypotheses, references)
    if not size or len(hypotheses) != len(references):
        return hypotheses, references
    step = 1 if size > 0 else -1
    frame = re.compile(rf"\s*+((?:{_WORD}\s*+){{{abs(size)}}})")
    rows = [[text, *row] for text, row in zip(hypotheses, references, strict=True)]
    for row in rows:
        found = [frame.match(text[::step]) for text in row]
        if len({match and match[1].rstrip() for match in found}) == 1:
            row[:] = [m.string[m.end() :][::step].strip() for m in found if m] or row
    return [row[0] for row in rows], [row[1:] for row in rows]


def frame_size(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> int:
    """Return how many first words are an id or a time of both sides; negative for last words.

    They are equal, no mere letters, and either distinct or of one shape with digits; the words
    after them differ.

    >>> frame_size(["1. a b", "2. c", "3. d e"], [["1. f"], ["2. g h"], ["3. i"]])
    1
    """
    for step in (1, -1):
        rows = ((a, row[0]) for a, row in zip(hypotheses, references, strict=False))
        pairs = ([re.findall(_WORD, text[::step]) for text in row] for row in rows)
        sample = list(islice(filter(all, pairs), SAMPLE_LINES))
        min_count = max(3, MIN_FRAMED * len(sample))
        words, size = [(a[0], b[0]) for a, b in sample], 0
        while sum(a == b and not a.isalpha() for a, b in words) >= min_count:
            size += 1
            words = [(a[size], b[size]) for a, b in sample if min(len(a), len(b)) > size]
        is_alike = sum(a == b for a, b in words) > MAX_EQUAL_NEIGHBOURS * len(words)
        if not size or is_alike or 2 * len(words) < len(sample):
            continue
        heads = [" ".join(a[:size])[::step] for a, _ in sample]
        # A sentence may end with a number and its final mark.
        has_mark = re.compile(r"[\d_=|]" if step > 0 else r"[\d_=|](?:.*[^.!?])?$").search
        shapes = Counter(re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "0", head)) for head in heads)
        shape, count = shapes.most_common(1)[0]
        is_constant = count >= min_count and has_mark(shape) and len(set(heads)) > 1
        if is_constant or min(len(set(heads)), sum(map(bool, map(has_mark, heads)))) >= min_count:
            return step * size
    return 0
