"""WebAssembly's binary format: reading is the inverse of writing."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.build import UnrecognisedError
from app.build.runtime import (
    CUSTOM,
    DATA,
    MEMORY,
    decode_leb128,
    encode_leb128,
    encode_module,
    parse_sections,
)

WASM = Path(__file__).parents[2] / "node_modules" / "pyodide" / "pyodide.asm.wasm"


@given(st.integers(0, 2**35), st.binary(max_size=3))
def test_leb128_round_trips(value, padding):
    digits = encode_leb128(value)
    offset = len(padding)
    assert decode_leb128(padding + digits + padding, offset) == (value, offset + len(digits))


@given(st.lists(st.tuples(st.integers(0, 12), st.binary(max_size=300))))
def test_sections_round_trip(sections):
    assert parse_sections(encode_module(sections)) == sections


@pytest.mark.parametrize("data", [b"", b"\0asm", b"\0asm\2\0\0\0", b"<!doctype html>"])
def test_other_data_is_rejected(data):
    with pytest.raises(UnrecognisedError, match=r"WebAssembly begins with .* instead of"):
        parse_sections(data)


def test_truncated_module_is_rejected():
    module = encode_module([(DATA, b"abc")])
    with pytest.raises(UnrecognisedError, match="ends within section 11"):
        parse_sections(module[:-1])


@pytest.mark.host
def test_pyodides_module_round_trips():
    module = WASM.read_bytes()
    ids = [section_id for section_id, _ in parse_sections(module)]
    assert ids.count(MEMORY) == ids.count(DATA) == 1
    assert CUSTOM in ids
    assert encode_module(parse_sections(module)) == module
