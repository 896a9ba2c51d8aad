"""Where the tokens of a text stand in it, for marks below its letters."""

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Final

from bleu.core.tokenizers import lowercase_text

Span = tuple[int, int]
"""The start and the end of a slice, in characters."""
PIECE_MARK: Final = "▁"
"""SentencePiece's mark for the space before a word."""


def token_offsets(
    text: str, tokens: Sequence[str], limit: int, *, lowercase: bool = False, case: str = "all"
) -> list[Span] | None:
    """Return the spans of the first `limit` tokens in the raw text, or None if some have none.

    A tokenizer may resolve an escape, remove or normalize characters; a lowercased İ becomes two
    characters. A piece of SentencePiece has the span of its letters, without its mark. Nothing but
    white space stands between spans.

    >>> token_offsets("The  cat.", ["the", "cat", "."], 9, lowercase=True)
    [(0, 3), (5, 8), (8, 9)]
    >>> token_offsets("AT&amp;T", ["AT", "&", "T"], 9) is None
    True
    """
    searched = lowercase_text(text, case) if lowercase else text
    size = len(searched)
    spans: list[Span] = []
    end = 0
    for token in tokens[:limit]:
        start = end
        while start < size and searched[start].isspace():
            start += 1
        letters = token if PIECE_MARK in text else token.removeprefix(PIECE_MARK)
        if not searched.startswith(letters, start):
            return None
        end = start + len(letters)
        spans.append((start, end))
    is_rest = len(tokens) <= limit and searched[end:].strip()
    return None if is_rest or size != len(text) else spans


def utf16_spans(text: str, spans: Iterable[Span]) -> list[Span]:
    """Return the spans in UTF-16 code units, in which JavaScript counts.

    >>> utf16_spans("🙂 a", [(0, 1), (2, 3)])
    [(0, 2), (3, 4)]
    """
    if text.isascii() or max(text) < "\U00010000":
        return list(spans)
    units = [*accumulate((1 + (character > "\uffff") for character in text), initial=0)]
    return [(units[start], units[end]) for start, end in spans]
