"""Pyodide in the served folder: rewritten to start fast, or plain, as its package has it."""

import re
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Final
from zipfile import ZipFile, ZipInfo

from app.build.snapshot import check_restorable, embed_snapshot
from app.build.stdlib import BROWSER_ONLY, HOST_ONLY, LAZY_MODULES, within
from app.build.stubs import with_stubs
from app.build.unrecognised import UnrecognisedError
from app.build.wasm_exports import trim_loader, trim_module, used_exports

INTERFACE: Final = "pyodide.mjs"
LOADER: Final = "pyodide.asm.mjs"
WASM: Final = "pyodide.asm.wasm"
LIBRARY: Final = "python_stdlib.zip"
LOCK: Final = "pyodide-lock.json"

START: Final = "python.mjs"
"""The script of ours that starts Pyodide."""
START_PLAIN: Final = "python-plain.mjs"
"""The one that stands in its place where the runtime is plain."""
PAGE: Final = "page.zip"
"""The sources of the library and the page, which plain Python compiles at each start."""

UNRECOGNISED: Final = 3
"""The exit code by which a script under Node.js says that Pyodide is not as it knows it."""


def fast(source: Path, packages: Path, target: Path) -> None:
    """Put Pyodide into a folder in which all other scripts are: trimmed, with Python's memory.

    Raises UnrecognisedError where Pyodide or PyScript is not as a rewriting knows it, and
    RuntimeError with what Node.js said where the library or the page cannot be imported.
    """
    npm, runtime = packages / "pyodide", target / "pyodide"
    runtime.mkdir()
    for name in (INTERFACE, LOADER, WASM):
        if not (npm / name).is_file():
            raise UnrecognisedError(f"Pyodide has no file {name}")
        shutil.copyfile(npm / name, runtime / name)
    check_restorable(_text(runtime / INTERFACE), _text(runtime / LOADER))
    _trim(target)
    pyscript = packages / "@pyscript" / "core" / "src" / "stdlib"
    if not (pyscript / "pyscript" / "__init__.py").is_file():
        raise UnrecognisedError("PyScript has no package src/stdlib/pyscript")
    with TemporaryDirectory() as folder:
        library, snapshot = Path(folder, LIBRARY), Path(folder, "snapshot")
        with_stubs(npm / LIBRARY, library)
        _node(source, "app/build/stdlib.mjs", npm, pyscript, source, library)
        later = (*BROWSER_ONLY, "pyscript", *LAZY_MODULES)
        try:
            _node(source, "app/build/snapshot.mjs", npm, runtime, library, snapshot, *later)
        except RuntimeError as error:
            # all of ours was imported just now: it is the runtime that is another
            raise UnrecognisedError(_last_line(str(error))) from error
        wasm = runtime / WASM
        wasm.write_bytes(embed_snapshot(wasm.read_bytes(), snapshot.read_bytes()))


def plain(source: Path, packages: Path, target: Path) -> None:
    """Put Pyodide into a folder as its package has it, and the library and the page beside it."""
    npm, runtime = packages / "pyodide", target / "pyodide"
    runtime.mkdir()
    # the loader of older versions is no .mjs
    for path in (npm / INTERFACE, npm / LIBRARY, npm / LOCK, *npm.glob("pyodide.asm.*")):
        shutil.copyfile(path, runtime / path.name)
    shutil.copyfile(source / "static" / START_PLAIN, target / "static" / START)
    with ZipFile(target / PAGE, "w") as zipped:
        for path in sorted((*(source / "app").rglob("*.py"), *(source / "bleu").rglob("*.py"))):
            place = path.relative_to(source)
            if not within(".".join(place.with_suffix("").parts), *HOST_ONLY):
                # an entry without a date of its own: the same sources give the same bytes
                zipped.writestr(ZipInfo(place.as_posix()), path.read_bytes())


def _trim(target: Path) -> None:
    wasm, loader = (target / "pyodide" / name for name in (WASM, LOADER))
    scripts = sorted(path for path in target.rglob("*") if path.suffix in {".js", ".mjs"})
    kept = used_exports(_text(loader), *(_text(path) for path in scripts if path != loader))
    wasm.write_bytes(trim_module(wasm.read_bytes(), kept))
    loader.write_text(trim_loader(_text(loader), kept), encoding="utf-8")


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _node(source: Path, script: str, *options: Path | str) -> None:
    command = ["node", script, *map(str, options)]
    with TemporaryFile("w+", encoding="utf-8") as log:
        done = subprocess.run(command, cwd=source, stdout=log, stderr=log, check=False)
        log.seek(0)
        # not the line of Pyodide's code in which it was, a megabyte long
        said = "".join(line for line in log if len(line) < 1000)
    if done.returncode == UNRECOGNISED:
        raise UnrecognisedError(said.strip())
    if done.returncode:
        raise RuntimeError(f"{script} ended with an error:\n{said}")


def _last_line(said: str) -> str:
    """The script, and the last of its lines that names an error.

    >>> said = "a.mjs ended with an error:\\nat b\\nTypeError: c is not there\\n  at d\\nNode v1"
    >>> _last_line(said)
    'a.mjs ended with an error: TypeError: c is not there'
    """
    first, *rest = said.splitlines()
    named = [line for line in rest if re.match(r"\s*([\w.]*Error|Uncaught)\b", line)] or rest
    return " ".join([first, *named[-1:]]).replace("  ", " ")
