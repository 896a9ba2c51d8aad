"""Many whole numbers side by side in one, each in a lane of as many bytes.

Python's whole numbers have no size limit, so what is done to the one is done to all of its lanes
at once, in C.
"""

import struct
from collections.abc import Sequence
from typing import Final

_FORMATS: Final = {4: "I", 8: "Q"}
"""Lanes that `struct` packs, several times as fast as others are."""


def size_of(bits: int) -> int:
    """The bytes of a lane for numbers of so many bits, with at least one bit to spare.

    >>> size_of(31), size_of(32), size_of(64)
    (4, 8, 16)
    """
    return 4 if bits < 32 else bits // 64 * 8 + 8


def join(numbers: Sequence[int], size: int) -> int:
    """Numbers >= 0 in lanes of `size` bytes, the first in the lowest bits.

    Raises OverflowError or struct.error where a number does not fit.

    >>> hex(join([1, 2, 3], 2))
    '0x300020001'
    """
    if size in _FORMATS:
        lanes = struct.pack(f"<{len(numbers)}{_FORMATS[size]}", *numbers)
    else:
        lanes = b"".join([number.to_bytes(size, "little") for number in numbers])
    return int.from_bytes(lanes, "little")


def split(joined: int, size: int, count: int) -> Sequence[int]:
    """What is in each of the `count` lanes: the numbers that were joined.

    >>> split(0x300020001, 2, 3)
    [1, 2, 3]
    """
    lanes = joined.to_bytes(size * count, "little")
    if size in _FORMATS:
        return struct.unpack(f"<{count}{_FORMATS[size]}", lanes)
    return [int.from_bytes(lanes[at : at + size], "little") for at in range(0, len(lanes), size)]
