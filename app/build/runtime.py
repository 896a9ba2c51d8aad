"""The verified npm packages, and the runtime: Pyodide with a snapshot of Python's memory.

npm verifies a package only while it installs it, so each file is compared with a list of digests in
the format of sha256sum.

Starting Python and importing is the same work at every visit, so the build does it once. Python's
memory after all imports is a custom section of the WebAssembly file, so it needs no request and
always belongs to the same build.
"""

import hashlib
import shutil
import subprocess
from collections.abc import Iterable
from itertools import compress
from pathlib import Path
from struct import pack, unpack_from
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Final
from zipfile import ZipFile

from app.build import UnrecognisedError
from app.build.stdlib import BROWSER_ONLY, LAZY_MODULES

DIGEST_LIST: Final = "app/build/packages.sha256"
USED_FILES: Final = {
    "pyodide": ("LICENSE*", "package.json", "pyodide*.mjs", "*.asm.*", "*-lock.json", "*.zip"),
    "@pyscript/core": (
        *("LICENSE*", "package.json", "dist/core*.js", "dist/error-*.js"),
        "src/stdlib/pyscript/**/*.py",
    ),
}
"""The files of each package that the build uses, as glob patterns."""
MODULE: Final = "pyodide/_package_loader.py"
REPLACEMENT: Final = """\
import sys

# Pyodide takes a snapshot only if this is the first object that Python gets from JavaScript.
from pyodide_js import loadedPackages


class Folder:
    def __init__(self, path):
        self.path = path

    def __str__(self):
        return self.path


SITE_PACKAGES = Folder("/lib/python{}.{}/site-packages".format(*sys.version_info))
DSO_DIR = Folder("/usr/lib")


def init_loaded_packages():
    pass
"""
"""A module with only the names that Pyodide uses while it starts."""
INTERFACE: Final = "pyodide.mjs"
LOADER: Final = "pyodide.asm.mjs"
WASM: Final = "pyodide.asm.wasm"
LIBRARY: Final = "python_stdlib.zip"
START: Final = "python.mjs"
"""The project's script that starts Pyodide."""
UNRECOGNISED_EXIT: Final = 3
"""The exit code of the scripts for Node.js if Pyodide is not as the build expects."""
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
SECTION_NAME: Final = b"memory"
CHUNK: Final = 4096
"""The size of a chunk of the memory in bytes; chunks of zeros are left out."""
SETTINGS: Final = ("createPyodideModule", "lockFileContents", "_loadSnapshot")
"""The settings of Pyodide by which static/python.mjs restores the memory."""
MODULE_NAMES: Final = (
    *("HEAPU8", "HEAPU32", "_malloc", "_free", "stackSave", "___stack_low"),
    *("__PyRuntime", "__PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET", "_emscripten_get_sbrk_ptr"),
)
"""The members of Emscripten's module that static/python.mjs and app/build/snapshot.mjs use."""


def write_file_list(source: Path) -> None:
    """Write the list of the files installed in `source`; needed after a package is upgraded.

    Raises FileNotFoundError if the packages are not installed.
    """
    _check_installed(source)
    files = (
        file
        for package, patterns in USED_FILES.items()
        for pattern in patterns
        for file in (source / "node_modules" / package).glob(pattern)
    )
    digests = {file.relative_to(source).as_posix(): _digest(file.read_bytes()) for file in files}
    text = "".join(f"{digest}  {name}\n" for name, digest in sorted(digests.items()))
    (source / DIGEST_LIST).write_text(text, encoding="utf-8")


def copy_listed_files(source: Path, target: Path) -> None:
    """Copy the listed files from `source` to the same paths in `target`.

    Raises FileNotFoundError if the packages are not installed, and ValueError if a file has another
    digest.
    """
    _check_installed(source)
    for line in (source / DIGEST_LIST).read_text(encoding="utf-8").splitlines():
        digest, name = line.split("  ", 1)
        content = (source / name).read_bytes() if (source / name).is_file() else b""
        if _digest(content) != digest:
            raise ValueError(
                f"{name} is not the file that {DIGEST_LIST} lists; run npm ci, or, if the package "
                "was upgraded, python -m app list"
            )
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_bytes(content)


def _check_installed(source: Path) -> None:
    if not all((source / "node_modules" / package).is_dir() for package in USED_FILES):
        raise FileNotFoundError("the npm packages are missing; run npm ci or make serve")


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def replace_package_loader(library: Path, target: Path) -> None:
    """Copy a zipped standard library, with `REPLACEMENT` as its package loader.

    Raises UnrecognisedError if the library has no package loader.
    """
    with ZipFile(library) as source, ZipFile(target, "w") as copy:
        if MODULE not in source.namelist():
            raise UnrecognisedError(f"{library.name} has no {MODULE} to replace")
        for name in source.namelist():
            copy.writestr(name, REPLACEMENT if name == MODULE else source.read(name))


def make_runtime(source: Path, packages: Path, target: Path) -> None:
    """Write Pyodide with an embedded memory snapshot to `target`/pyodide.

    Raises UnrecognisedError if Pyodide or PyScript is not as expected, and RuntimeError with the
    output of Node.js if the standard library or the project cannot be imported.
    """
    npm, runtime = packages / "pyodide", target / "pyodide"
    runtime.mkdir()
    for name in (INTERFACE, LOADER, WASM):
        if not (npm / name).is_file():
            raise UnrecognisedError(f"Pyodide has no file {name}")
    texts = [(npm / name).read_text(encoding="utf-8") for name in (INTERFACE, LOADER)]
    check_restorable(*texts)
    pyscript = packages / "@pyscript" / "core" / "src" / "stdlib"
    if not (pyscript / "pyscript" / "__init__.py").is_file():
        raise UnrecognisedError("PyScript has no package src/stdlib/pyscript")
    for name in (INTERFACE, LOADER):
        shutil.copyfile(npm / name, runtime / name)
    with TemporaryDirectory() as folder:
        library, snapshot = Path(folder, LIBRARY), Path(folder, "snapshot")
        replace_package_loader(npm / LIBRARY, library)
        _run_node(source, "app/build/stdlib.mjs", npm, pyscript, packages, source, library)
        excluded = (*BROWSER_ONLY, "pyscript", *LAZY_MODULES)
        _run_node(source, "app/build/snapshot.mjs", npm, library, snapshot, *excluded)
        module = embed_snapshot((npm / WASM).read_bytes(), snapshot.read_bytes())
    (runtime / WASM).write_bytes(module)


def _run_node(source: Path, script: str, *arguments: Path | str) -> None:
    command = ["node", script, *map(str, arguments)]
    with TemporaryFile("w+", encoding="utf-8") as log:
        process = subprocess.run(command, cwd=source, stdout=log, stderr=log, check=False)
        log.seek(0)
        # Node.js also prints the failing line of Pyodide's code, which is a megabyte long
        output = "".join(line for line in log if len(line) < 1000)
    if process.returncode == UNRECOGNISED_EXIT:
        raise UnrecognisedError(output.strip())
    if process.returncode:
        raise RuntimeError(f"{script} ended with an error:\n{output}")


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


def check_restorable(interface: str, loader: str) -> None:
    """Check that pyodide.mjs and Emscripten's loader have the names that restoring needs.

    Raises UnrecognisedError if a name is missing.

    >>> check_restorable("", "")
    Traceback (most recent call last):
    app.build.UnrecognisedError: pyodide.mjs has no setting createPyodideModule
    """
    for name in SETTINGS:
        if f".{name}" not in interface:
            raise UnrecognisedError(f"pyodide.mjs has no setting {name}")
    for name in MODULE_NAMES:
        if f'Module["{name}"]=' not in loader:
            raise UnrecognisedError(f'the loader has no Module["{name}"]')


def embed_snapshot(module: bytes, snapshot: bytes) -> bytes:
    """Return a WebAssembly module with Pyodide's snapshot (header and memory) as a section.

    The section holds 32-bit little-endian integers: the number of chunks at the start of the memory
    that the module's data segments initialise, the number of chunks stored, and the index of each.
    Then follow one chunk with the header, and the stored chunks. Chunks that data segments
    initialise are stored as the XOR with their initial content.

    Raises UnrecognisedError if the snapshot's header is missing or larger than a chunk, if its
    memory has another size than the module's, if a data segment is not active with a constant
    offset, or if the module has no memory or data section.

    >>> module = encode_module([(MEMORY, b"\\1\\0\\1"), (DATA, b"\\1\\0\\x41\\0\\x0b\\3abc")])
    >>> snapshot = pack("<4I", 0, 16, 0, 0) + b"abd".ljust(PAGE_BYTES, b"\\0")
    >>> section = parse_sections(embed_snapshot(module, snapshot))[-1][1]
    >>> section[:7], unpack_from("<3I", section, 7), section[-CHUNK:].rstrip(b"\\0")
    (b'\\x06memory', (1, 1, 0), b'\\x00\\x00\\x07')
    """
    header_size = unpack_from("<4xI", snapshot)[0] if len(snapshot) > CHUNK else 0
    if not 0 < header_size <= CHUNK:
        raise UnrecognisedError(f"the snapshot of Pyodide begins with {snapshot[:8]!r}")
    sections = parse_sections(module)
    for section_id, name in ((MEMORY, "memory"), (DATA, "data")):
        if section_id not in dict(sections):
            raise UnrecognisedError(f"WebAssembly has no {name} section")
    memory = snapshot[header_size:]
    size = PAGE_BYTES * decode_leb128(dict(sections)[MEMORY], 2)[0]
    if len(memory) != size:
        raise UnrecognisedError(
            f"the snapshot has {len(memory):,} bytes of memory, and the module {size:,}"
        )
    # header_size is now CHUNK: python.mjs puts the memory in place, so Pyodide copies nothing
    header = snapshot[:4] + pack("<I", CHUNK) + snapshot[8:header_size].ljust(CHUNK - 8, b"\0")
    initial = _initial_memory(dict(sections)[DATA])
    initialised = memory[: len(initial)]
    changed = int.from_bytes(initialised, "little") ^ int.from_bytes(initial, "little")
    stored = changed.to_bytes(len(initial), "little") + memory[len(initial) :]
    chunks = [stored[start : start + CHUNK] for start in range(0, len(stored), CHUNK)]
    used = [chunk != bytes(CHUNK) for chunk in chunks]
    indices = list(compress(range(len(chunks)), used))
    index_table = pack(f"<{2 + len(indices)}I", len(initial) // CHUNK, len(indices), *indices)
    encoded_name = encode_leb128(len(SECTION_NAME)) + SECTION_NAME
    content = b"".join([encoded_name, index_table, header, *compress(chunks, used)])
    return encode_module([*sections, (CUSTOM, content)])


def _initial_memory(section: bytes) -> bytes:
    """Return the memory that the data segments initialise, padded to whole chunks."""
    data = bytearray()
    count, offset = decode_leb128(section, 0)
    for _ in range(count):
        if section[offset : offset + 2] != b"\0\x41":
            raise UnrecognisedError(
                f"a data segment begins with {section[offset : offset + 8]!r}, not 0 and i32.const"
            )
        address, end = decode_leb128(section, offset + 2)
        length, start = decode_leb128(section, end + 1)
        offset = start + length
        data += bytes(max(0, address + length - len(data)))
        data[address : address + length] = section[start:offset]
    return bytes(data) + bytes(-len(data) % CHUNK)
