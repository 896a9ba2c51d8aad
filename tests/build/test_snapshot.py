"""Python's memory in WebAssembly's file: it comes back whole, and nothing else is changed."""

from struct import pack, unpack, unpack_from

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.build.snapshot import PART, embed_snapshot
from app.build.wasm import (
    DATA,
    MEMORY,
    PAGE,
    decode_leb128,
    encode_leb128,
    encode_module,
    parse_sections,
)

LENGTH = PAGE


def module(*pieces):
    """A module that puts each of these bytes at its place."""
    data = (b"\0\x41" + encode_leb128(at) + b"\x0b" + encode_leb128(len(b)) + b for at, b in pieces)
    return encode_module(
        [(MEMORY, b"\1\0\1"), (DATA, encode_leb128(len(pieces)) + b"".join(data)), (0, b"\1x")]
    )


def put(pieces, length):
    """A memory of this length with each of these bytes at its place."""
    memory = bytearray(length)
    for at, piece in pieces:
        memory[at : at + len(piece)] = piece
    return bytes(memory)


def snapshot(memory, text=b"{}"):
    """A memory as Pyodide hands it out: behind sixteen bytes, the second word of which says where
    it begins, and a text."""
    length = 16 + -(-len(text) // 16) * 16
    return pack("<4I", 7, length, len(text), 9) + text.ljust(length - 16, b"\0") + memory


def pieces_of(wasm):
    """What a module puts into its memory: where, and the bytes."""
    data = dict(parse_sections(wasm))[DATA]
    count, at = decode_leb128(data, 0)
    for _ in range(count):
        place, end = decode_leb128(data, at + 2)
        size, start = decode_leb128(data, end + 1)
        at = start + size
        yield place, data[start:at]


def unpacked(wasm):
    """The head and the memory that a module's last section holds, read word by word."""
    kind, content = parse_sections(wasm)[-1]
    assert (kind, content[:7]) == (0, b"\6memory")
    content = content[7:]
    own, count = unpack_from("<2I", content)
    places = unpack_from(f"<{count}I", content, 8)
    parts = [content[at : at + PART] for at in range(8 + 4 * count, len(content), PART)]
    head, *parts = parts
    assert len(parts) == count
    length = PAGE * decode_leb128(dict(parse_sections(wasm))[MEMORY], 2)[0]
    memory = bytearray(put(pieces_of(wasm), length))
    for place, part in zip(places, parts, strict=True):
        at = slice(place * PART, (place + 1) * PART)
        if place < own:
            part = bytes(a ^ b for a, b in zip(memory[at], part, strict=True))
        memory[at] = part
    return head, bytes(memory)


PIECES = st.lists(
    st.tuples(st.integers(0, LENGTH - 50), st.binary(min_size=1, max_size=50)), max_size=5
)


@given(PIECES, PIECES, st.binary(max_size=200))
def test_a_memory_comes_back_whole(own, later, text):
    before = module(*own)
    # what was there is not all there any more
    memory = put([*own, *later, *((at, bytes(2)) for at, _ in own)], LENGTH)
    after = embed_snapshot(before, snapshot(memory, text))
    head, found = unpacked(after)
    assert found == memory
    assert unpack("<4I", head[:16]) == (7, PART, len(text), 9)
    assert head[16:].rstrip(b"\0") == text.rstrip(b"\0")
    assert parse_sections(after)[:-1] == parse_sections(before)


def test_what_is_empty_or_as_it_was_takes_no_room():
    own = (100, b"a" * 1000)
    same = embed_snapshot(module(own), snapshot(put([own], LENGTH)))
    other = embed_snapshot(module(own), snapshot(put([own, (PART, b"b")], LENGTH)))
    assert len(other) - len(same) == 4 + PART


@pytest.mark.parametrize("data", [b"", bytes(8), bytes(2 * PART), snapshot(b"")])
def test_what_is_no_snapshot_is_refused(data):
    with pytest.raises(ValueError, match="no snapshot of Pyodide's: it begins with"):
        embed_snapshot(module((0, b"a")), data)


@pytest.mark.parametrize(("length", "fits"), [(PART - 16, True), (PART - 15, False)])
def test_a_head_of_just_a_part_is_taken_and_a_longer_one_refused(length, fits):
    given_ = snapshot(put([(0, b"a")], LENGTH), b"x" * length)
    if fits:
        head, memory = unpacked(embed_snapshot(module((0, b"a")), given_))
        assert head[16:] == b"x" * length
        assert memory[:2] == b"a\0"
    else:
        with pytest.raises(ValueError, match="no snapshot of Pyodide's"):
            embed_snapshot(module((0, b"a")), given_)


@pytest.mark.parametrize("length", [PART, PAGE - 1, PAGE + 1, 2 * PAGE])
def test_a_memory_that_is_not_the_module_s_is_refused(length):
    said = f"Python's memory has {length:,} bytes, and the module's 65,536"
    with pytest.raises(ValueError, match=said):
        embed_snapshot(module((0, b"a")), snapshot(bytes(length)))


def test_data_that_is_put_in_place_later_is_refused():
    passive = encode_module([(MEMORY, b"\1\0\1"), (DATA, b"\1\1\1a")])
    with pytest.raises(ValueError, match=r"a data segment begins without 0 and i32\.const"):
        embed_snapshot(passive, snapshot(bytes(PAGE)))
