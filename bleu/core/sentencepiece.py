"""SentencePiece (Kudo and Richardson 2018): texts segmented into the pieces of a trained model."""

import re
from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from heapq import heappop, heappush
from itertools import chain
from math import inf
from typing import Final

from bleu.core.memoize import WordCache
from bleu.core.progress import run_to_end
from bleu.core.sentencepiece_file import ModelFile, iter_model
from bleu.core.sentencepiece_normalizer import Normalizer, Prefixes

UNKNOWN_PENALTY: Final = 10.0
"""The difference between the lowest score of a piece and the score of an unknown character."""
USER_DEFINED_BONUS: Final = 0.1
"""The score of a user-defined piece for each byte after the first; other scores are below 0."""
MAX_SUM: Final = 100_000.0
"""A sum of scores above this, in absolute value, is subtracted from all, to keep precision."""
MAX_UNUSED_DEPTH: Final = 100
"""The recursion depth up to which unused pieces are replaced by the two parts they consist of."""

Piece = tuple[str, bool]
"""A piece, and whether it is in the vocabulary."""


@dataclass(frozen=True, slots=True)
class Segmentation:
    """The pieces of a text.

    - `total`: the sum of their scores; 0 under BPE.
    - `margin`: how much `total` exceeds the sum of any other segmentation; infinite under BPE.
    """

    pieces: tuple[Piece, ...]
    total: float = 0.0
    margin: float = inf


def _single(number: float) -> float:
    """Return a number rounded to single precision."""
    return array("f", [number])[0]


class Unigram:
    """Segmentation into the pieces with the highest sum of scores (Kudo 2018)."""

    def __init__(self, model: ModelFile) -> None:
        scores = model.scores
        if model.unused or model.user_defined:
            scores = {piece: scores[piece] for piece in scores if piece not in model.unused} | {
                piece: _single(USER_DEFINED_BONUS * (len(piece.encode()) - 1))
                for piece in model.user_defined
            }
        self.scores = scores
        self.lengths = Prefixes(self.scores).lengths
        self.unknown_score = _single(model.min_score - UNKNOWN_PENALTY)
        self.max_abs_score = max(map(abs, chain((self.unknown_score,), scores.values())))
        """The largest absolute score."""

    def segment(self, text: str) -> Segmentation:
        """Return the segmentation with the highest sum of scores.

        This is Viterbi's algorithm. Sums are rounded to single precision; if two up to the same
        position are then equal, the one whose last piece is longer wins.
        """
        scores, lengths, size = self.scores, self.lengths, len(text)
        sums = array("f", bytes(4 * (size + 1)))
        starts = [-1] * (size + 1)  # The start of the best piece that ends at each position.
        margins = [inf] * (size + 1)
        known = bytearray(size + 1)
        single = array("f", [0.0])
        for start in range(size):
            if abs(sums[start]) > MAX_SUM:
                _rebase(sums, starts, start)
            candidates: list[tuple[int, float | None]] = [
                (end, score)
                for length in lengths.get(text[start], ())
                if (end := start + length) <= size
                and (score := scores.get(text[start:end])) is not None
            ]
            if not candidates or candidates[-1][0] != start + 1:
                candidates.append((start + 1, None))
            for end, score in candidates:
                single[0] = sums[start] + (self.unknown_score if score is None else score)
                lead = single[0] - sums[end]
                if starts[end] < 0 or lead > 0:
                    margins[end] = lead if starts[end] >= 0 else inf
                    sums[end], starts[end], known[end] = single[0], start, score is not None
                elif -lead < margins[end]:
                    margins[end] = -lead
        pieces: list[Piece] = []
        margin, end = inf, size
        while end:
            pieces.append((text[starts[end] : end], bool(known[end])))
            margin = min(margin, margins[end])
            end = starts[end]
        return Segmentation(tuple(reversed(pieces)), sums[size], margin)


def _rebase(sums: "array[float]", starts: list[int], position: int) -> None:
    """Subtract `sums[position]` from itself and from all later sums that are already known."""
    base = sums[position]
    for index in range(position, len(sums)):
        if index == position or starts[index] >= 0:
            sums[index] -= base


class BytePairEncoding:
    """Segmentation by merging neighbours, the pair with the highest score first (Sennrich 2016)."""

    max_abs_score = 0.0  # not needed, because the margin is infinite

    def __init__(self, model: ModelFile) -> None:
        self.model = model
        self.user_defined = Prefixes(model.user_defined)

    def segment(self, text: str) -> Segmentation:
        """Return the pieces after all merges; of pairs with equal scores, the leftmost is first."""
        scores, unused = self.model.scores, self.model.unused
        parts = list(self._characters(text))
        frozen = [part in self.user_defined.keys for part in parts]
        left_neighbours = [*range(-1, len(parts))]
        right_neighbours = [*range(1, len(parts) + 1)]
        agenda: list[tuple[float, int, int, int]] = []
        halves: dict[str, tuple[str, str]] = {}

        def push_merge(left: int, right: int) -> None:
            if left < 0 or right >= len(parts) or frozen[left] or frozen[right]:
                return
            piece = parts[left] + parts[right]
            if piece in scores:
                heappush(agenda, (-scores[piece], left, right, len(piece)))
                if piece in unused:
                    halves[piece] = parts[left], parts[right]

        for right in range(1, len(parts)):
            push_merge(right - 1, right)
        while agenda:
            _, left, right, size = heappop(agenda)
            if not parts[left] or not parts[right] or len(parts[left] + parts[right]) != size:
                continue  # One of the two has been merged with another part.
            parts[left] += parts[right]
            parts[right] = ""
            right_neighbours[left] = right_neighbours[right]
            left_neighbours[right_neighbours[right]] = left
            push_merge(left_neighbours[left], left)
            push_merge(left, right_neighbours[left])
        return Segmentation(tuple(self._output(filter(None, parts), halves)))

    def _characters(self, text: str) -> Iterator[str]:
        """Yield the characters of a text, and its user-defined pieces whole."""
        position = 0
        while position < len(text):
            part = self.user_defined.longest(text, position) or text[position]
            yield part
            position += len(part)

    def _output(
        self, parts: Iterable[str], halves: Mapping[str, tuple[str, str]], depth: int = 0
    ) -> Iterator[Piece]:
        """Yield the parts, unused pieces replaced by the two `halves` they were merged from."""
        for part in parts:
            if part in self.model.unused and part in halves and depth <= MAX_UNUSED_DEPTH:
                yield from self._output(halves[part], halves, depth + 1)
            else:
                is_unknown = part in self.model.unused and depth <= MAX_UNUSED_DEPTH
                yield part, part in self.model.scores and not is_unknown


ROUNDING: Final = 2.0**-21
"""A bound on the relative error of an addition in single precision: 8 times 2^-24, to be safe."""

Word = tuple[tuple[Piece, ...], float, float]
"""A word's pieces, the absolute value of its score, and the largest absolute score of a whole text
with which rounding cannot change the pieces."""


class SentencePiece:
    """A model, which splits texts into the same pieces as SentencePiece 0.2.3.

    Models are equal if their files are. Only the file is pickled.
    """

    def __init__(self, data: bytes, model: ModelFile | None = None) -> None:
        """Read a model file, unless `model` has its contents; raise the errors of `iter_model`."""
        self.data = data
        self.digest = sha256(data).hexdigest()
        """The SHA-256 of the file, in hexadecimal digits."""
        self.model = model = model or run_to_end(iter_model(data))
        self.normalize = Normalizer(model)
        self.segmenter = BytePairEncoding(model) if model.is_bpe else Unigram(model)
        self._words = WordCache(partial(_segment_word, self.segmenter))
        space = self.normalize.space
        self._word_start = re.compile(f"(?<={space})" if model.suffix else f"(?={space})")
        self._has_words = not model.unused and not any(
            space in (piece[:-1] if model.suffix else piece[1:]) for piece in model.scores
        )
        """Whether words can be split one by one: no piece extends over two, and none is unused."""

    def __call__(self, text: str) -> list[str]:
        """Return the pieces of a text; an empty text has none."""
        pieces: list[str] = []
        after_unknown = False
        for piece, is_known in self._segment(self.normalize(text)):
            if not is_known and self.model.byte_fallback:
                pieces += (f"<0x{byte:02X}>" for byte in piece.encode())
            elif not is_known and after_unknown:
                pieces[-1] += piece
            else:
                pieces.append(piece)
            after_unknown = not is_known
        return pieces

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SentencePiece) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __reduce__(self) -> tuple[type["SentencePiece"], tuple[bytes]]:
        return SentencePiece, (self.data,)

    def _segment(self, text: str) -> Iterable[Piece]:
        """Return the pieces of a normalized text, word by word if that gives the same pieces.

        In a unigram model, the sum of all scores before a word decides how the sums within the word
        are rounded. If that could change its pieces, the whole text is segmented at once.
        """
        if self._has_words:
            words = [self._words[word] for word in self._word_start.split(text) if word]
            total = sum(score for _, score, _ in words)
            if total <= min((MAX_SUM, *(max_total for _, _, max_total in words))):
                return chain.from_iterable(pieces for pieces, _, _ in words)
        return self.segmenter.segment(text).pieces


def _segment_word(segmenter: Unigram | BytePairEncoding, text: str) -> Word:
    best = segmenter.segment(text)
    # Let s be the absolute sum of the scores before the word, plus len(text) * max_abs_score. No
    # sum within the word exceeds s, so rounding cannot change its pieces if
    # len(text) * ROUNDING * s <= margin.
    max_total = best.margin / (len(text) * ROUNDING) - len(text) * segmenter.max_abs_score
    return best.pieces, abs(best.total), max_total
