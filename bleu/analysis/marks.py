"""Signs that only one side has: marks of pieces of words, signs for spaces, formatting."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Final

from bleu.analysis.changes import Change, ScoredRows, one_side
from bleu.analysis.replacements import is_letter
from bleu.analysis.strange_ends import SENTENCE_MARKS, foreign_items

MAX_MARKS: Final = 8
"""The largest number of signs that are tried on each side."""
_MARK: Final = re.compile(r"</\w+>|[^\w\s]+|[Ġ_▁]")
_LOST: Final = {"?", "\ufffd"}
"""Signs that stand for lost characters, which `respelling` handles, as it does accents."""


def detect_marks(rows: ScoredRows, side: str) -> Iterator[Change | None]:
    """Propose to remove signs that the other side has hardly ever, or to join or split at them."""
    pairs = rows.side_pairs(side)
    counts, other_counts = (
        Counter(chain.from_iterable(set(_MARK.findall(text)) for text in column))
        for column in zip(*pairs, strict=True)
    )
    yield None
    for mark in foreign_items(counts, other_counts, rows.min_lines)[:MAX_MARKS]:
        is_accent = all(unicodedata.category(character)[0] == "M" for character in mark)
        if is_accent or _LOST.issuperset(mark):
            continue
        is_style = SENTENCE_MARKS.issuperset(mark)
        for name, use, undo in _ways(mark):
            if is_style and use:
                continue
            phrase = f"have “{mark}”{use}, which the other side has not"
            if name == "frame" and (is_style or all(map(is_letter, mark))):
                name = "punctuation" if is_style else "letters"
            is_repair = side == "hypotheses" or name in {"subwords", "frame"}
            yield Change(name, phrase, side, (one_side(side, undo),), is_repair, is_style)
            yield None


def _ways(mark: str) -> Iterator[tuple[str, str, Callable[[str, str], str]]]:
    """Yield (kind, use of the mark, function of a text and its counterpart)."""
    escaped = re.escape(mark)
    piece = re.compile(rf"(?<=\S){escaped}(?: +|$)| +{escaped}(?=\S)")

    def respace(text: str, _: str) -> str:
        if mark not in text:
            return text
        return re.sub(" +", " ", re.sub(r"\s+", "", text).replace(mark, " ")).strip()

    yield "subwords", " at pieces of words", lambda text, _: piece.sub("", text)
    yield "subwords", " for spaces", respace
    yield "frame", "", lambda text, _: text.replace(mark, "").strip() if mark in text else text
    yield (
        "frame",
        " for spaces",
        lambda text, _: " ".join(text.replace(mark, " ").split()) if mark in text else text,
    )
