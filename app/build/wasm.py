"""WebAssembly's binary format, as far as the build reads it: sections, and the numbers in them.

After the WebAssembly Core Specification, chapter 5.
"""

from collections.abc import Iterable
from typing import Final

from app.build.unrecognised import UnrecognisedError

HEAD: Final = b"\0asm\1\0\0\0"
"""What every module begins with."""

CUSTOM: Final = 0
MEMORY: Final = 5
EXPORTS: Final = 7
DATA: Final = 11
"""The numbers of sections: of any kind, with a name of its own; how long the memory is; exports;
what is put into the memory."""

PAGE: Final = 1 << 16
"""The bytes in which the length of a memory is counted."""

Section = tuple[int, bytes]
"""Its number, and what it holds."""


def parse_sections(module: bytes) -> list[Section]:
    """The sections of a module, in their order.

    Raises UnrecognisedError unless it is a WebAssembly module with whole sections.

    >>> parse_sections(HEAD + bytes([5, 3, 1, 0, 1]))
    [(5, b'\\x01\\x00\\x01')]
    """
    if not module.startswith(HEAD):
        raise UnrecognisedError(f"this is no WebAssembly module: it begins with {module[:8]!r}")
    found = []
    at = len(HEAD)
    while at < len(module):
        kind = module[at]
        size, start = decode_leb128(module, at + 1)
        at = start + size
        if at > len(module):
            raise UnrecognisedError(f"this WebAssembly module ends within section {kind}")
        found.append((kind, module[start:at]))
    return found


def encode_module(parts: Iterable[Section]) -> bytes:
    """The module of these sections.

    >>> encode_module([(5, bytes([1, 0, 1]))]) == HEAD + bytes([5, 3, 1, 0, 1])
    True
    """
    return HEAD + b"".join(bytes([kind]) + encode_leb128(len(part)) + part for kind, part in parts)


def decode_leb128(data: bytes, at: int) -> tuple[int, int]:
    """A whole number in LEB128, seven bits in a byte and the lowest first, and where it ends."""
    value = place = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << place
        if byte < 0x80:
            return value, at
        place += 7


def encode_leb128(value: int) -> bytes:
    """A whole number >= 0 in LEB128.

    >>> encode_leb128(300), decode_leb128(encode_leb128(300), 0)
    (b'\\xac\\x02', (300, 2))
    """
    digits = bytearray()
    while value >= 0x80:
        digits.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*digits, value])
