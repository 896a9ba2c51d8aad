"""WebAssembly's exports, without those that only packages need.

Pyodide exports eight thousand functions of Python, so that packages can be linked to them while a
page is open, and makes an object of each, and two entries, at every start. Here are no packages.
"""

import re
from collections.abc import Set
from typing import Final

from app.build.unrecognised import UnrecognisedError
from app.build.wasm import EXPORTS, decode_leb128, encode_leb128, encode_module, parse_sections

_TAKEN: Final = re.compile(
    r'([\w$]+)=(?:Module\["([\w$]+)"\]=)?wasmExports\["([\w$]+)"\](\.value)?'
)
_STATEMENT: Final = re.compile(rf"(?<=[;{{]){_TAKEN.pattern};")
_WRAPPED: Final = re.compile(r'wasmExports\["[\w$]+"\]=makeWrapper_\w+\(wasmExports\["[\w$]+"\]\)')
_NAMED: Final = re.compile(r'wasmExports\["([\w$]+)"\]')
_DECLARED: Final = re.compile(r"\bvar [\w$]+(?:,[\w$]+){9,};")


def used_exports(*scripts: str) -> set[str]:
    """The exports that scripts use, the first of which is Emscripten's loader.

    The loader puts every export into a variable of its own. Needed are those of which a number is
    read at once, and those that are named anywhere else, by their own name or another they got.

    Raises UnrecognisedError where the loader takes none of them in the way that is known.

    >>> loader = 'var a,b,c,d,e,f,g,h,i,j;a=wasmExports["x"];b=Module["y_"]=wasmExports["y"];a()'
    >>> used_exports(loader), sorted(used_exports(loader, "Module.y_()"))
    ({'x'}, ['x', 'y'])
    """
    loader = scripts[0]
    names = _TAKEN.findall(loader)
    rest = _DECLARED.sub("", _WRAPPED.sub("", _TAKEN.sub("", loader)))
    if not names:
        raise UnrecognisedError(
            'the loader takes no exports in the form variable=wasmExports["name"]'
        )
    words = set(re.findall(r"[\w$]+", " ".join([rest, *scripts[1:]])))
    taken = {name for *others, name, read in names if read or words & {*others, name}}
    return taken | set(_NAMED.findall(rest))


def trim_loader(loader: str, kept: Set[str]) -> str:
    """The loader, which takes these exports alone.

    Raises UnrecognisedError where it takes another in a way that is not known.

    >>> loader = 'var a,b,c,d,e,f,g,h,i,j,k;{a=wasmExports["x"];b=Module["y"]=wasmExports["y"];}'
    >>> trim_loader(loader, {"x"})
    'var a,c,d,e,f,g,h,i,j,k;{a=wasmExports["x"];}'
    """
    gone = {variable for variable, _, name, _ in _STATEMENT.findall(loader) if name not in kept}

    def declared(found: re.Match[str]) -> str:
        names = found[0].removeprefix("var ").removesuffix(";").split(",")
        return f"var {','.join(name for name in names if name not in gone)};"

    rest = _STATEMENT.sub(lambda found: found[0] if found[3] in kept else "", loader)
    left = set(_NAMED.findall(_WRAPPED.sub("", rest))) - kept
    if left:
        raise UnrecognisedError(f"the loader takes {_some(left)} in no statement of its own")
    return _DECLARED.sub(declared, rest)


def trim_module(module: bytes, kept: Set[str]) -> bytes:
    """A WebAssembly module that exports these names alone, and is the same in all else.

    Raises UnrecognisedError unless it is a WebAssembly module that exports them all.

    >>> from app.build.wasm import HEAD
    >>> memory, exports = b"\\5\\3\\1\\0\\1", b"\\7\\x09\\2\\1a\\2\\0\\1b\\2\\0"
    >>> trim_module(HEAD + memory + exports, {"b"}) == HEAD + memory + b"\\7\\5\\1\\1b\\2\\0"
    True
    """
    found = parse_sections(module)
    entries = _entries(dict(found).get(EXPORTS, b"\0"))
    missing = kept - entries.keys()
    if missing:
        raise UnrecognisedError(
            f"WebAssembly does not export {_some(missing)}, which the loader takes"
        )
    left = [entry for name, entry in entries.items() if name in kept]
    section = encode_leb128(len(left)) + b"".join(left)
    return encode_module((kind, section if kind == EXPORTS else part) for kind, part in found)


def _entries(section: bytes) -> dict[str, bytes]:
    count, at = decode_leb128(section, 0)
    found = {}
    for _ in range(count):
        length, start = decode_leb128(section, at)
        # a name, a byte that says what it is, and its index
        _, end = decode_leb128(section, start + length + 1)
        found[section[start : start + length].decode()] = section[at:end]
        at = end
    return found


def _some(names: Set[str]) -> str:
    first, *others = sorted(names)
    return f"{first} and {len(others)} more" if others else first
