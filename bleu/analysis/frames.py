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

_WORD: Final = re.compile(r"[^\s=]++=?|=")


def find_frame(texts: ParallelLines) -> Lines | None:
    """Find ids or times that begin or end the lines of both sides."""
    size = frame_size(texts.hypotheses, texts.references)
    if not size:
        return None
    lines = [i for i, row in enumerate(texts.rows) if _have_frame(*row, size)]
    verb = "begin" if size > 0 else "end"
    phrase = f"{verb} with ids or times that are the same on both sides"
    return Lines(lines, lines, phrase, "repair:frame")


def frame_size(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> int:
    """Return how many first words are an id or a time of both sides; negative for last words.

    They are equal, and either distinct or of one shape with digits; the words after them differ.

    >>> frame_size(["1. a b", "2. c", "3. d e"], [["1. f"], ["2. g h"], ["3. i"]])
    1
    """
    pairs = (
        (_WORD.findall(a), _WORD.findall(b[0]))
        for a, b in zip(hypotheses, references, strict=False)
    )
    rows = list(islice((pair for pair in pairs if all(pair)), SAMPLE_LINES))
    min_count = max(3, MIN_FRAMED * len(rows))
    for step in (1, -1):
        size, heads = 0, []
        while True:
            words = [(a[::step][size : size + 1], b[::step][size : size + 1]) for a, b in rows]
            equal = sum(a == b != [] for a, b in words)
            if equal < min_count:
                break
            size += 1
        longer = sum(a != [] != b for a, b in words)
        if not size or equal > MAX_EQUAL_NEIGHBOURS * longer or 2 * longer < len(rows):
            continue
        heads = [" ".join(a[::step][:size][::step]) for a, _ in rows]
        # A sentence may end with a number and its final mark.
        has_mark = re.compile(r"[\d_=|]" if step > 0 else r"[\d_=|](?:.*[^.!?])?$").search
        shapes = Counter(re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "0", head)) for head in heads)
        shape, count = shapes.most_common(1)[0]
        is_constant = count >= min_count and has_mark(shape) and len(set(heads)) > 1
        if is_constant or min(len(set(heads)), sum(map(bool, map(has_mark, heads)))) >= min_count:
            return step * size
    return 0


def strip_frames(
    hypotheses: list[str], references: list[list[str]]
) -> tuple[list[str], list[list[str]]]:
    """Return the texts without the words of `frame_size`, in lines where both sides have them."""
    size = frame_size(hypotheses, references)
    rows = list(zip(hypotheses, references, strict=False)) if size else []
    if len(hypotheses) != len(references) or not rows:
        return hypotheses, references
    stripped = [
        (_strip(text, size), [_strip(other, size) for other in row])
        if _have_frame(text, row, size)
        else (text, row)
        for text, row in rows
    ]
    return [text for text, _ in stripped], [row for _, row in stripped]


def _frame(text: str, size: int) -> list[str]:
    words = _WORD.findall(text)
    return words[:size] if size > 0 else words[size:]


def _have_frame(text: str, references: Sequence[str], size: int) -> bool:
    frame = _frame(text, size)
    return len(frame) == abs(size) and all(_frame(other, size) == frame for other in references)


def _strip(text: str, size: int) -> str:
    spans = [word.span() for word in _WORD.finditer(text)]
    return text[spans[size - 1][1] :].strip() if size > 0 else text[: spans[size][0]].strip()
