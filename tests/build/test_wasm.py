"""WebAssembly's binary format: what is read is what is written."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.build.unrecognised import UnrecognisedError
from app.build.wasm import (
    CUSTOM,
    DATA,
    EXPORTS,
    decode_leb128,
    encode_leb128,
    encode_module,
    parse_sections,
)

WASM = Path(__file__).parents[2] / "node_modules" / "pyodide" / "pyodide.asm.wasm"


@given(st.integers(0, 2**35), st.binary(max_size=3))
def test_numbers_come_back(value, rest):
    digits = encode_leb128(value)
    assert decode_leb128(rest + digits + rest, len(rest)) == (value, len(rest + digits))


@given(st.lists(st.tuples(st.integers(0, 12), st.binary(max_size=300))))
def test_sections_come_back(parts):
    assert parse_sections(encode_module(parts)) == parts


@pytest.mark.parametrize("data", [b"", b"\0asm", b"\0asm\2\0\0\0", b"<!doctype html>"])
def test_what_is_no_module_is_refused(data):
    with pytest.raises(UnrecognisedError, match="no WebAssembly module: it begins with"):
        parse_sections(data)


def test_a_module_that_is_cut_off_is_refused():
    module = encode_module([(DATA, b"abc")])
    with pytest.raises(UnrecognisedError, match="ends within section 11"):
        parse_sections(module[:-1])


@pytest.mark.host
def test_pyodide_s_are_read_and_written_byte_for_byte():
    module = WASM.read_bytes()
    kinds = [kind for kind, _ in parse_sections(module)]
    assert kinds.count(EXPORTS) == kinds.count(DATA) == 1
    assert CUSTOM in kinds
    assert encode_module(parse_sections(module)) == module
