"""Many whole numbers side by side in one, each in a lane of as many bytes.

Python's whole numbers have no size limit, so what is done to the one is done to all of its lanes
at once, in C.
"""

from collections.abc import Sequence
from functools import lru_cache
from struct import Struct
from typing import Final

_FORMATS: Final = {4: "I", 8: "Q"}
"""Lanes that a `Struct` packs, several times as fast as others are."""


class Lanes:
    """So many lanes, each of `size` bytes, which are `width` bits; the first has the lowest bits.

    `ones` has a 1 in every lane, so `ones * x` has x in every lane; `guards` has the highest bit of
    every lane, and `below` all the bits below.

    >>> two = Lanes(2, size=1)
    >>> hex(two.ones), hex(two.guards), hex(two.below)
    ('0x101', '0x8080', '0x7f7f')
    """

    __slots__ = ("_pack", "_unpack", "below", "guards", "length", "ones", "size", "width")

    def __init__(self, count: int, size: int) -> None:
        packed = Struct(f"<{count}{_FORMATS[size]}") if size in _FORMATS else None
        self._pack = packed and packed.pack
        self._unpack = packed and packed.unpack
        self.size, self.width, self.length = size, 8 * size, size * count
        self.ones = ((1 << 8 * self.length) - 1) // ((1 << self.width) - 1)
        self.guards = self.ones << self.width - 1
        self.below = self.guards - self.ones

    def join(self, numbers: Sequence[int]) -> int:
        """As many numbers >= 0 as there are lanes, side by side.

        Raises OverflowError or struct.error where one does not fit.

        >>> hex(Lanes(3, size=2).join([1, 2, 3]))
        '0x300020001'
        """
        if self._pack:
            return int.from_bytes(self._pack(*numbers), "little")
        lanes = [number.to_bytes(self.size, "little") for number in numbers]
        return int.from_bytes(b"".join(lanes), "little")

    def split(self, joined: int) -> Sequence[int]:
        """What is in each of the lanes: the numbers that were joined.

        >>> Lanes(3, size=2).split(0x300020001)
        [1, 2, 3]
        """
        lanes, size = joined.to_bytes(self.length, "little"), self.size
        if self._unpack:
            return self._unpack(lanes)
        return [
            int.from_bytes(lanes[at : at + size], "little") for at in range(0, len(lanes), size)
        ]


@lru_cache(maxsize=256)
def lanes_for(count: int, words: int) -> Lanes:
    """Lanes for so many numbers of up to 32 · words + 31 bits each: at least one bit is spare.

    >>> [lanes_for(1, bits // 32).size for bits in (31, 32, 63, 64)]
    [4, 8, 8, 16]
    """
    return Lanes(count, words // 2 * 8 + 8 if words else 4)
