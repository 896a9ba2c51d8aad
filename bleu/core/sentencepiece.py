"""SentencePiece (Kudo and Richardson 2018): texts segmented into the pieces of a trained model."""

import re
import struct
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from heapq import heappop, heappush
from itertools import chain, dropwhile
from math import inf
from typing import Final

from bleu.core.memoize import WordCache
from bleu.core.progress import run_to_end
from bleu.core.sentencepiece_file import ModelFile, iter_model, require

_VALUE: Final = 1 << 31
_HAS_VALUE: Final = 1 << 8
_FAR: Final = 1 << 9
"""Bits of a unit: whether it is a value, has a value, and has an offset in steps of 256."""
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
"""A surrogate without its partner, which is no character and has no UTF-8."""
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
ROUNDING: Final = 2.0**-21
"""A bound on the relative error of an addition in single precision: 8 times 2^-24, to be safe."""
Word = tuple[tuple[Piece, ...], float, float]
"""A word's pieces, the absolute value of its score, and the largest absolute score of a whole text
with which rounding cannot change the pieces."""


class Rules:
    """The rules: a double-array trie (Aoe 1989) of UTF-8 bytes, in the format of Darts-clone.

    A unit of the array is a node or a value. The lowest byte of a node is the byte that leads to
    it. Its highest bits are an offset: the offset XOR its index is its base, and the base XOR a
    byte is the index of a child. The unit at the base is its value, the position of a replacement.
    """

    def __init__(self, data: bytes) -> None:
        """Read the rules, or none if the data is empty; raise ModelFileError if it is damaged."""
        self.units: tuple[int, ...] = ()
        self.replacements = b""
        if data:
            size = int.from_bytes(data[:4], "little")
            require(0 < size < len(data) - 4, size % 1024 == 0, data.endswith(b"\0"))
            self.units = struct.unpack_from(f"<{size // 4}I", data, 4)
            self.replacements = data[4 + size :]
        self.special = frozenset(self._special_characters())
        """Every text with a rule has one of these as its first or its second character."""

    def longest(self, text: str, position: int) -> tuple[int, str] | None:
        """Return the end and the replacement of the longest match of a rule here, or None."""
        node, longest = 0, None
        for end in range(position, len(text)):
            for byte in text[end].encode():
                node = self._base(node) ^ byte
                if self._unit(node) & (_VALUE | 255) != byte:
                    return longest
            if self._unit(node) & _HAS_VALUE:
                longest = end + 1, self._replacement(node)
        return longest

    def _unit(self, index: int) -> int:
        return self.units[index] if index < len(self.units) else _VALUE

    def _base(self, node: int) -> int:
        unit = self._unit(node)
        return node ^ (unit >> 10 << (8 if unit & _FAR else 0))

    def _replacement(self, node: int) -> str:
        start = self._unit(self._base(node)) & ~_VALUE
        return self.replacements[start : self.replacements.find(b"\0", start)].decode()

    def _special_characters(self) -> Iterator[str]:
        children = defaultdict[int, list[int]](list)
        for index, unit in enumerate(self.units[1:], 1):
            if not unit & _VALUE:
                children[index ^ (unit & 255)].append(index)

        def iter_next_characters(node: int) -> Iterator[tuple[str, int]]:
            """Yield each character that leads on from a node, and the node that it leads to."""
            paths = [(node, b"")]
            for parent, key in paths:
                for child in children[self._base(parent)]:
                    longer = key + bytes((self.units[child] & 255,))
                    if len(longer) == _utf8_length(longer[0]):
                        yield longer.decode("utf-8", "replace"), child
                    else:
                        paths.append((child, longer))

        bases = set()
        for character, node in iter_next_characters(0):
            if self.units[node] & _HAS_VALUE:
                yield character
            if (base := self._base(node)) not in bases:
                bases.add(base)
                yield from (second for second, _ in iter_next_characters(node))


def _utf8_length(first_byte: int) -> int:
    return 1 + (first_byte >= 0xC0) + (first_byte >= 0xE0) + (first_byte >= 0xF0)


class Prefixes:
    """A set of keys, to find the longest that a text has at a position."""

    def __init__(self, keys: Iterable[str]) -> None:
        self.keys = frozenset(keys)
        lengths: dict[str, set[int]] = {}
        for key in self.keys:
            lengths.setdefault(key[0], set()).add(len(key))
        self.lengths = {first: sorted(sizes, reverse=True) for first, sizes in lengths.items()}
        """By first character: the lengths of the keys that begin with it, the largest first."""

    def longest(self, text: str, position: int) -> str:
        """Return the longest key at this position of a text, or an empty string.

        >>> Prefixes({"a", "abc"}).longest("xabcd", 1), Prefixes({"b"}).longest("a", 0)
        ('abc', '')
        """
        for length in self.lengths.get(text[position], ()):
            key = text[position : position + length]
            if key in self.keys:
                return key
        return ""


class Normalizer:
    """The normalization of texts for one model."""

    def __init__(self, model: ModelFile) -> None:
        self.model = model
        self.space = "\u2581" if model.escape else " "
        self.user_defined = Prefixes(model.user_defined)
        self.rules = Rules(model.rules)
        self.special = self.rules.special | {piece[0] for piece in model.user_defined}
        """Each text in which a rule or a user-defined piece matches has one of these characters."""

    def __call__(self, text: str) -> str:
        """Return the normalized text."""
        model, space = self.model, self.space
        text = _SURROGATE.sub("\ufffd", text)
        parts: Iterable[str] = text if self.special.isdisjoint(text) else self._parts(text)
        if model.squeeze:
            parts = dropwhile(" ".__eq__, parts)
        kept, after_space = [], model.squeeze
        is_empty = True
        for part in parts:
            is_empty = False
            kept_part = part.lstrip(" ") if after_space else part
            if kept_part:
                kept.append(kept_part)
                after_space = model.squeeze and kept_part[-1] == " "
        if is_empty:
            return ""
        text = "".join(kept).replace(" ", space)
        if model.dummy_prefix and not model.suffix:
            text = space + text
        if model.squeeze:
            text = text.rstrip(space)  # This also strips a U+2581 of the input.
        return text + space if model.dummy_prefix and model.suffix else text

    def _parts(self, text: str) -> Iterator[str]:
        """Yield the text in parts, each a user-defined piece, a replacement or a character."""
        position, special = 0, self.rules.special
        while position < len(text):
            if piece := self.user_defined.longest(text, position):
                yield piece
                position += len(piece)
            elif not special.isdisjoint(text[position : position + 2]) and (
                rule := self.rules.longest(text, position)
            ):
                position, replacement = rule
                yield replacement
            else:
                yield text[position]
                position += 1


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
