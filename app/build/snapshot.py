"""A memory snapshot: Python's memory with all that the page imports, in a custom section.

To start Python and to import is the same work at every start. The build does it once, and what came
of it goes into WebAssembly's own file: no request more, and nothing that could be of another build.
"""

from itertools import compress
from struct import pack, unpack_from
from typing import Final

from app.build.unrecognised import UnrecognisedError
from app.build.wasm import (
    CUSTOM,
    DATA,
    MEMORY,
    PAGE,
    decode_leb128,
    encode_leb128,
    encode_module,
    parse_sections,
)

NAME: Final = b"memory"
"""What its section is called."""

PART: Final = 4096
"""The bytes of a part of it; those that are empty are left out."""


SETTINGS: Final = ("createPyodideModule", "lockFileContents", "_loadSnapshot")
"""The settings of Pyodide by which static/python.mjs restores it."""

MODULE: Final = (
    *("HEAPU8", "HEAPU32", "_malloc", "_free", "stackSave", "___stack_low"),
    *("__PyRuntime", "__PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET", "_emscripten_get_sbrk_ptr"),
)
"""What that script and app/build/snapshot.mjs use of Emscripten's module."""


def check_restorable(interface: str, loader: str) -> None:
    """Look for all by which a memory is restored, in pyodide.mjs and in Emscripten's loader.

    Raises UnrecognisedError where a name is missing.

    >>> check_restorable("", "")
    Traceback (most recent call last):
    app.build.unrecognised.UnrecognisedError: pyodide.mjs has no setting createPyodideModule
    """
    for name in SETTINGS:
        if f".{name}" not in interface:
            raise UnrecognisedError(f"pyodide.mjs has no setting {name}")
    for name in MODULE:
        if f'Module["{name}"]=' not in loader:
            raise UnrecognisedError(f'the loader has no Module["{name}"]')


def embed_snapshot(module: bytes, snapshot: bytes) -> bytes:
    """A WebAssembly module with a snapshot of Pyodide's, which is a head and the memory.

    The section holds words of four bytes, the lowest byte first: in how many parts of the memory
    the module puts data of its own, how many parts there are here, and the number of each in the
    memory. Then come a part for the head, and the parts. Where the module has data, a part holds
    the bits in which the memory differs from it.

    Raises UnrecognisedError for a snapshot that is not made up so, or whose memory is not as long
    as the module's is at first, for data segments of another kind, and where there is no memory or
    data.

    >>> module = encode_module([(MEMORY, b"\\1\\0\\1"), (DATA, b"\\1\\0\\x41\\0\\x0b\\3abc")])
    >>> snapshot = pack("<4I", 0, 16, 0, 0) + b"abd".ljust(PAGE, b"\\0")
    >>> section = parse_sections(embed_snapshot(module, snapshot))[-1][1]
    >>> section[:7], unpack_from("<3I", section, 7), section[-PART:].rstrip(b"\\0")
    (b'\\x06memory', (1, 1, 0), b'\\x00\\x00\\x07')
    """
    length = unpack_from("<4xI", snapshot)[0] if len(snapshot) > PART else 0
    if not 0 < length <= PART:
        raise UnrecognisedError(
            f"this is no snapshot of Pyodide's: it begins with {snapshot[:8]!r}"
        )
    found = parse_sections(module)
    for section, what in ((MEMORY, "a memory of its own"), (DATA, "data segments")):
        if section not in dict(found):
            raise UnrecognisedError(f"WebAssembly has no {what}")
    memory, room = snapshot[length:], PAGE * decode_leb128(dict(found)[MEMORY], 2)[0]
    if len(memory) != room:
        raise UnrecognisedError(
            f"Python's memory has {len(memory):,} bytes, and the module's {room:,}"
        )
    # nothing is left for Pyodide to put in place
    head = snapshot[:4] + pack("<I", PART) + snapshot[8:length].ljust(PART - 8, b"\0")
    data = _data(dict(found)[DATA])
    differing = _differing(memory[: len(data)], data) + memory[len(data) :]
    parts = [differing[at : at + PART] for at in range(0, len(differing), PART)]
    used = [part != bytes(PART) for part in parts]
    places = list(compress(range(len(parts)), used))
    words = pack(f"<{2 + len(places)}I", len(data) // PART, len(places), *places)
    content = b"".join([encode_leb128(len(NAME)), NAME, words, head, *compress(parts, used)])
    return encode_module([*found, (CUSTOM, content)])


def _data(section: bytes) -> bytes:
    """What active data segments put into the memory at first, to the end of a part."""
    data = bytearray()
    count, at = decode_leb128(section, 0)
    for _ in range(count):
        if section[at : at + 2] != b"\0\x41":
            raise UnrecognisedError(
                f"a data segment begins without 0 and i32.const: {section[at : at + 8]!r}"
            )
        place, end = decode_leb128(section, at + 2)
        length, start = decode_leb128(section, end + 1)
        at = start + length
        data += bytes(max(0, place + length - len(data)))
        data[place : place + length] = section[start:at]
    return bytes(data) + bytes(-len(data) % PART)


def _differing(one: bytes, other: bytes) -> bytes:
    bits = int.from_bytes(one, "little") ^ int.from_bytes(other, "little")
    return bits.to_bytes(len(one), "little")
