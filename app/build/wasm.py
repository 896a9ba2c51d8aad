"""WebAssembly's binary format: sections, and numbers in LEB128.

Source: WebAssembly Core Specification, chapter 5.
"""

from collections.abc import Iterable
from typing import Final

from app.build import UnrecognisedError

HEADER: Final = b"\0asm\1\0\0\0"
"""The magic number and version at the start of every module."""

CUSTOM: Final = 0
MEMORY: Final = 5
DATA: Final = 11
"""The ids of three kinds of sections: custom content, the size of the memory, its initial data."""

PAGE_BYTES: Final = 1 << 16
"""The unit in which the size of a memory is given."""

Section = tuple[int, bytes]
"""The id and the content of a section."""


def parse_sections(module: bytes) -> list[Section]:
    """Return the sections of a module in order.

    Raises UnrecognisedError if it is not a WebAssembly module, or is cut off within a section.

    >>> parse_sections(HEADER + bytes([5, 3, 1, 0, 1]))
    [(5, b'\\x01\\x00\\x01')]
    """
    if not module.startswith(HEADER):
        raise UnrecognisedError(f"WebAssembly begins with {module[:8]!r} instead of {HEADER!r}")
    sections = []
    offset = len(HEADER)
    while offset < len(module):
        section_id = module[offset]
        size, start = decode_leb128(module, offset + 1)
        offset = start + size
        if offset > len(module):
            raise UnrecognisedError(f"the WebAssembly module ends within section {section_id}")
        sections.append((section_id, module[start:offset]))
    return sections


def encode_module(sections: Iterable[Section]) -> bytes:
    """Return the module that consists of these sections.

    >>> encode_module([(5, bytes([1, 0, 1]))]) == HEADER + bytes([5, 3, 1, 0, 1])
    True
    """
    return HEADER + b"".join(
        bytes([section_id]) + encode_leb128(len(content)) + content
        for section_id, content in sections
    )


def decode_leb128(data: bytes, offset: int) -> tuple[int, int]:
    """Return the unsigned LEB128 integer at `offset`, and the offset of the byte after it."""
    value = shift = 0
    while True:
        byte = data[offset]
        offset += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, offset
        shift += 7


def encode_leb128(value: int) -> bytes:
    """Return an integer >= 0 as unsigned LEB128.

    >>> encode_leb128(300), decode_leb128(encode_leb128(300), 0)
    (b'\\xac\\x02', (300, 2))
    """
    digits = bytearray()
    while value >= 0x80:
        digits.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*digits, value])
