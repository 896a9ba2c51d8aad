"""Where the tokens of a text stand in it, for marks below its letters."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Final

from bleu.core.tokenizers import lowercase_text

Span = tuple[int, int]
"""The start and the end of a slice, in characters."""
PIECE_MARK: Final = "▁"
"""SentencePiece's mark for the space before a word."""


def token_offsets(
    text: str, tokens: Sequence[str], *, lowercase: bool = False, case: str = "all"
) -> list[Span | None]:
    """Return the span of each token in the raw text, or None for a token that is no slice of it.

    The tokens are aligned from the start and from the end, each up to the first that differs: a
    tokenizer may resolve an escape, remove or normalize characters, or split the two characters of
    a lowercased İ. A piece of SentencePiece is aligned without its mark. Spans never overlap, and
    only white space stands between neighbours, except around tokens that are not aligned.

    >>> token_offsets("The  cat.", ["the", "cat", "."], lowercase=True)
    [(0, 3), (5, 8), (8, 9)]
    >>> token_offsets("AT&amp;T rose", ["AT", "&", "T", "rose"])
    [(0, 2), None, (7, 8), (9, 13)]
    """
    searched = lowercase_text(text, case) if lowercase else text
    if PIECE_MARK not in text:
        tokens = [token.removeprefix(PIECE_MARK) for token in tokens]
    size = len(searched)
    spans: list[Span | None] = [*_leading_spans(searched, tokens)]
    end = spans[-1][1] if spans and spans[-1] else 0
    if len(spans) < len(tokens) and not searched[end : end + 1].isspace():
        spans = spans[:-1]  # It may be the start of an escape, as & is of &amp;.
        end = spans[-1][1] if spans and spans[-1] else 0
    reversed_tokens = (token[::-1] for token in reversed(tokens[len(spans) :]))
    last = [(size - b, size - a) for a, b in _leading_spans(searched[end:][::-1], reversed_tokens)]
    spans += [*[None] * (len(tokens) - len(spans) - len(last)), *last[::-1]]
    if size == len(text):
        return spans
    # Only İ becomes longer.
    starts = {start: i for i, start in enumerate(accumulate(map(_lowered_size, text), initial=0))}
    return [
        (starts[span[0]], starts[span[1]]) if span and {*span} <= starts.keys() else None
        for span in spans
    ]


def _leading_spans(text: str, tokens: Iterable[str]) -> Iterator[Span]:
    """Yield the spans of the first tokens, up to one that does not follow in the text."""
    start, size = 0, len(text)
    for token in tokens:
        while start < size and text[start].isspace():
            start += 1
        if not text.startswith(token, start):
            return
        yield start, start + len(token)
        start += len(token)


def _lowered_size(character: str) -> int:
    return len(character.lower())


def utf16_spans(text: str, spans: Iterable[Span | None]) -> list[Span | None]:
    """Return the spans in UTF-16 code units, in which JavaScript counts.

    >>> utf16_spans("🙂 a", [(0, 1), None, (2, 3)])
    [(0, 2), None, (3, 4)]
    """
    if text.isascii() or max(text) < "\U00010000":
        return list(spans)
    units = [*accumulate((1 + (character > "\uffff") for character in text), initial=0)]
    return [span and (units[span[0]], units[span[1]]) for span in spans]
