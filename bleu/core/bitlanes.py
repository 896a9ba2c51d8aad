"""Clipped matches by bit masks in the lanes of one integer (SWAR: SIMD within a register).

A sentence is scored in a half to a third of the time. The definition of the result is
`clipping.clipped_by_counting`; a property test holds both equal.

Python's integers have no size limit, so one operation in C works on all lanes at once.
"""

from collections.abc import Sequence
from functools import lru_cache
from struct import Struct
from typing import Final

from bleu.core.tokenizers import Token, Tokens

_FORMATS: Final = {4: "I", 8: "Q"}
"""Lane sizes in bytes that a `Struct` packs, several times as fast as other sizes."""


class Lanes:
    """The layout of `count` lanes of `size` bytes in one integer, the first in the lowest bits.

    - `width`: bits of a lane; `length`: bytes of all lanes.
    - `ones`: a 1 in every lane, so `ones * x` has x in every lane.
    - `guards`: the highest bit of every lane; `below`: all the bits below it.

    >>> lanes = Lanes(2, size=1)
    >>> hex(lanes.ones), hex(lanes.guards), hex(lanes.below)
    ('0x101', '0x8080', '0x7f7f')
    """

    __slots__ = ("_pack", "_unpack", "below", "guards", "length", "ones", "size", "width")

    def __init__(self, count: int, size: int) -> None:
        struct = Struct(f"<{count}{_FORMATS[size]}") if size in _FORMATS else None
        self._pack = struct and struct.pack
        self._unpack = struct and struct.unpack
        self.size, self.width, self.length = size, 8 * size, size * count
        self.ones = ((1 << 8 * self.length) - 1) // ((1 << self.width) - 1)
        self.guards = self.ones << self.width - 1
        self.below = self.guards - self.ones

    def join(self, numbers: Sequence[int]) -> int:
        """Pack numbers >= 0 into one integer, one number for each lane.

        Raises OverflowError or struct.error if a number does not fit.

        >>> hex(Lanes(3, size=2).join([1, 2, 3]))
        '0x300020001'
        """
        if self._pack:
            return int.from_bytes(self._pack(*numbers), "little")
        lanes = [number.to_bytes(self.size, "little") for number in numbers]
        return int.from_bytes(b"".join(lanes), "little")

    def split(self, joined: int) -> Sequence[int]:
        """Return the numbers in the lanes, the inverse of `join`.

        >>> Lanes(3, size=2).split(0x300020001)
        [1, 2, 3]
        """
        lanes, size = joined.to_bytes(self.length, "little"), self.size
        if self._unpack:
            return self._unpack(lanes)
        return [
            int.from_bytes(lanes[start : start + size], "little")
            for start in range(0, len(lanes), size)
        ]


@lru_cache(maxsize=256)
def lanes_for(count: int, words: int) -> Lanes:
    """Return lanes with a spare bit for `count` numbers of up to 32 · words + 31 bits.

    >>> [lanes_for(1, bits // 32).size for bits in (31, 32, 63, 64)]
    [4, 8, 8, 16]
    """
    return Lanes(count, words // 2 * 8 + 8 if words else 4)


def clipped_by_position(
    hypothesis: Tokens, references: tuple[Tokens, ...], max_order: int
) -> list[int]:
    """Return the clipped matches of orders 1 to max_order, from the positions in the references.

    Every token of the hypothesis has an occurrence mask: a bit for each position in the references,
    set where the same token occurs. All masks are lanes of one integer. Where an n-gram ends, an
    (n+1)-gram ends one position later in the next lane if the next token occurs there, for all
    n-grams at once: `ends << lane + 1 & tokens`.

    >>> clipped_by_position(("the",) * 7, (tuple("the cat is on the mat".split()),), 2)
    [2, 0]
    """
    token_masks, texts = _occurrence_masks(references)
    masks = [token_masks.get(token, 0) for token in hypothesis]
    lanes = lanes_for(len(masks), sum(texts).bit_length() // 32)
    tokens = ends = lanes.join(masks)
    lane = (1 << lanes.width) - 1
    distinct = False
    matched: list[int] = []
    for _ in range(max_order):
        if not ends:
            return matched + [0] * (max_order - len(matched))
        # ends % lane is the sum of all masks: without a carry, no two of them share a bit.
        distinct = distinct or (ends % lane).bit_count() == ends.bit_count()
        if distinct:
            # Nothing is clipped: each mask with any bit is a match and carries into its guard.
            matched.append((ends + lanes.below & lanes.guards).bit_count())
        else:
            matched.append(_count_credited(lanes.split(ends) if matched else masks, texts))
        ends = ends << lanes.width + 1 & tokens
    return matched


def _occurrence_masks(references: tuple[Tokens, ...]) -> tuple[dict[Token, int], list[int]]:
    """Return each token's occurrence mask and each reference's mask, with an empty bit between."""
    masks: dict[Token, int] = {}
    texts = []
    bit = 1
    for reference in references:
        first = bit
        for token in reference:
            if token in masks:
                masks[token] |= bit
            else:
                masks[token] = bit
            bit += bit
        texts.append(bit - first)
        bit <<= 1
    return masks, texts


def _count_credited(masks: Sequence[int], texts: list[int]) -> int:
    """Return the sum of the clipped counts.

    Each mask has the positions in the references of one n-gram of the hypothesis. It takes the
    first free position in the reference with the most of its positions. Equal masks are
    occurrences of the same n-gram, so it is credited at most as often as one reference has it.
    """
    free = positions = sum(texts)
    if len(texts) == 1:
        for mask in masks:
            if available := mask & free:
                free -= available & -available
    else:
        for mask in masks:
            if mask and (
                available := max([mask & text for text in texts], key=int.bit_count) & free
            ):
                free -= available & -available
    return (positions - free).bit_count()
