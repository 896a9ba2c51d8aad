"""The memory snapshot in WebAssembly: it round-trips, and nothing else is changed."""

from struct import pack, unpack, unpack_from

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.build import UnrecognisedError
from app.build.runtime import (
    CHUNK,
    DATA,
    MEMORY,
    PAGE_BYTES,
    decode_leb128,
    embed_snapshot,
    encode_leb128,
    encode_module,
    parse_sections,
)


def module(*pieces):
    """Return a module with a data segment for each pair of an address and bytes."""
    data = (
        b"\0\x41" + encode_leb128(address) + b"\x0b" + encode_leb128(len(content)) + content
        for address, content in pieces
    )
    return encode_module(
        [(MEMORY, b"\1\0\1"), (DATA, encode_leb128(len(pieces)) + b"".join(data)), (0, b"\1x")]
    )


def memory_with(pieces, length=PAGE_BYTES):
    """Return a memory with bytes at the given addresses."""
    memory = bytearray(length)
    for address, content in pieces:
        memory[address : address + len(content)] = content
    return bytes(memory)


def snapshot(memory, text=b"{}"):
    """Return a snapshot in Pyodide's format: a header with its size and a text, then the memory."""
    size = 16 + -(-len(text) // 16) * 16
    return pack("<4I", 7, size, len(text), 9) + text.ljust(size - 16, b"\0") + memory


def iter_data_segments(wasm):
    """Yield the address and the bytes of every data segment."""
    data = dict(parse_sections(wasm))[DATA]
    count, offset = decode_leb128(data, 0)
    for _ in range(count):
        address, end = decode_leb128(data, offset + 2)
        size, start = decode_leb128(data, end + 1)
        offset = start + size
        yield address, data[start:offset]


def extract_snapshot(wasm):
    """Return the header and the memory that a module's last section holds."""
    section_id, content = parse_sections(wasm)[-1]
    assert (section_id, content[:7]) == (0, b"\6memory")
    content = content[7:]
    initialised, count = unpack_from("<2I", content)
    indices = unpack_from(f"<{count}I", content, 8)
    starts = range(8 + 4 * count, len(content), CHUNK)
    header, *chunks = (content[start : start + CHUNK] for start in starts)
    length = PAGE_BYTES * decode_leb128(dict(parse_sections(wasm))[MEMORY], 2)[0]
    memory = bytearray(memory_with(iter_data_segments(wasm), length))
    for index, chunk in zip(indices, chunks, strict=True):
        span = slice(index * CHUNK, (index + 1) * CHUNK)
        if index < initialised:
            chunk = bytes(a ^ b for a, b in zip(memory[span], chunk, strict=True))
        memory[span] = chunk
    return header, bytes(memory)


PIECES = st.lists(
    st.tuples(st.integers(0, PAGE_BYTES - 50), st.binary(min_size=1, max_size=50)), max_size=5
)


@given(PIECES, PIECES, st.binary(max_size=200))
def test_snapshot_round_trips(initial, written, text):
    plain = module(*initial)
    zeros = [(address, bytes(2)) for address, _ in initial]  # some initial data is overwritten
    memory = memory_with([*initial, *written, *zeros])
    embedded = embed_snapshot(plain, snapshot(memory, text))
    header, extracted = extract_snapshot(embedded)
    assert extracted == memory
    assert unpack("<4I", header[:16]) == (7, CHUNK, len(text), 9)
    assert header[16:].rstrip(b"\0") == text.rstrip(b"\0")
    assert parse_sections(embedded)[:-1] == parse_sections(plain)


def test_zero_and_unchanged_chunks_are_not_stored():
    initial = (100, b"a" * 1000)
    unchanged = embed_snapshot(module(initial), snapshot(memory_with([initial])))
    memory = memory_with([initial, (CHUNK, b"b")])
    changed = embed_snapshot(module(initial), snapshot(memory))
    assert len(changed) - len(unchanged) == 4 + CHUNK


@pytest.mark.parametrize("data", [b"", bytes(8), bytes(2 * CHUNK), snapshot(b"")])
def test_other_data_is_rejected(data):
    with pytest.raises(UnrecognisedError, match="the snapshot of Pyodide begins with"):
        embed_snapshot(module((0, b"a")), data)


def test_header_of_a_whole_chunk_is_accepted():
    text = b"x" * (CHUNK - 16)
    data = snapshot(memory_with([(0, b"a")]), text)
    header, memory = extract_snapshot(embed_snapshot(module((0, b"a")), data))
    assert header[16:] == text
    assert memory[:2] == b"a\0"


def test_longer_header_is_rejected():
    data = snapshot(memory_with([(0, b"a")]), b"x" * (CHUNK - 15))
    with pytest.raises(UnrecognisedError, match="the snapshot of Pyodide begins with"):
        embed_snapshot(module((0, b"a")), data)


@pytest.mark.parametrize("length", [CHUNK, PAGE_BYTES - 1, PAGE_BYTES + 1, 2 * PAGE_BYTES])
def test_memory_of_another_size_is_rejected(length):
    message = f"the snapshot has {length:,} bytes of memory, and the module 65,536"
    with pytest.raises(UnrecognisedError, match=message):
        embed_snapshot(module((0, b"a")), snapshot(bytes(length)))


def test_passive_data_segment_is_rejected():
    passive = encode_module([(MEMORY, b"\1\0\1"), (DATA, b"\1\1\1a")])
    with pytest.raises(UnrecognisedError, match=r"not 0 and i32\.const"):
        embed_snapshot(passive, snapshot(bytes(PAGE_BYTES)))
