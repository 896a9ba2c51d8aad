"""Python's memory with all that the page imports in it, beside the code that runs on it.

To start Python and to import is the same work at every start. The build does it once, and what came
of it goes into WebAssembly's own file: no request more, and nothing that could be of another build.
"""

from itertools import compress
from struct import pack, unpack_from
from typing import Final

from app.wasm import CUSTOM, DATA, MEMORY, PAGE, encoded, joined, number, sections

NAME: Final = b"memory"
"""What its section is called."""

PART: Final = 4096
"""The bytes of a part of it; those that are empty are left out."""


def with_memory(module: bytes, snapshot: bytes) -> bytes:
    """A WebAssembly module with a snapshot of Pyodide's, which is a head and the memory.

    The section holds words of four bytes, the lowest byte first: in how many parts of the memory
    the module puts data of its own, how many parts there are here, and the number of each in the
    memory. Then come a part for the head, and the parts. Where the module has data, a part holds
    the bits in which the memory differs from it.

    Raises ValueError for a snapshot that is not made up so, or whose memory is not as long as the
    module's is at first, and for data of another kind.

    >>> module = joined([(MEMORY, b"\\1\\0\\1"), (DATA, b"\\1\\0\\x41\\0\\x0b\\3abc")])
    >>> snapshot = pack("<4I", 0, 16, 0, 0) + b"abd".ljust(PAGE, b"\\0")
    >>> section = sections(with_memory(module, snapshot))[-1][1]
    >>> section[:7], unpack_from("<3I", section, 7), section[-PART:].rstrip(b"\\0")
    (b'\\x06memory', (1, 1, 0), b'\\x00\\x00\\x07')
    """
    length = unpack_from("<4xI", snapshot)[0] if len(snapshot) > PART else 0
    if not 0 < length <= PART:
        raise ValueError(f"this is no snapshot of Pyodide's: it begins with {snapshot[:8]!r}")
    found = sections(module)
    memory, room = snapshot[length:], PAGE * number(dict(found)[MEMORY], 2)[0]
    if len(memory) != room:
        raise ValueError(f"Python's memory has {len(memory):,} bytes, and the module's {room:,}")
    # nothing is left for Pyodide to put in place
    head = snapshot[:4] + pack("<I", PART) + snapshot[8:length].ljust(PART - 8, b"\0")
    data = _data(dict(found)[DATA])
    differing = _differing(memory[: len(data)], data) + memory[len(data) :]
    parts = [differing[at : at + PART] for at in range(0, len(differing), PART)]
    used = [part != bytes(PART) for part in parts]
    places = list(compress(range(len(parts)), used))
    words = pack(f"<{2 + len(places)}I", len(data) // PART, len(places), *places)
    content = b"".join([encoded(len(NAME)), NAME, words, head, *compress(parts, used)])
    return joined([*found, (CUSTOM, content)])


def _data(section: bytes) -> bytes:
    """What the module puts into its memory, to the end of a part."""
    data = bytearray()
    count, at = number(section, 0)
    for _ in range(count):
        if section[at : at + 2] != b"\0\x41":
            raise ValueError(f"data of a kind that is not known: {section[at : at + 8]!r}")
        place, end = number(section, at + 2)
        length, start = number(section, end + 1)
        at = start + length
        data += bytes(max(0, place + length - len(data)))
        data[place : place + length] = section[start:at]
    return bytes(data) + bytes(-len(data) % PART)


def _differing(one: bytes, other: bytes) -> bytes:
    bits = int.from_bytes(one, "little") ^ int.from_bytes(other, "little")
    return bits.to_bytes(len(one), "little")
