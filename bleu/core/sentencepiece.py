"""SentencePiece (Kudo and Richardson 2018): texts split into the pieces of a trained model."""

import re
from collections.abc import Iterable
from functools import partial
from hashlib import sha256
from itertools import chain
from typing import Final

from bleu.core.memoize import WordCache
from bleu.core.progress import run_to_end
from bleu.core.sentencepiece_file import ModelFile, iter_model
from bleu.core.sentencepiece_normalizer import Normalizer
from bleu.core.sentencepiece_segmenters import MAX_SUM, BytePairEncoding, Piece, Unigram

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
