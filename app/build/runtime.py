"""The two runtimes: Pyodide with a memory snapshot ("fast"), or unchanged ("plain")."""

import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Final
from zipfile import ZipFile, ZipInfo

from app.build import UnrecognisedError
from app.build.snapshot import check_restorable, embed_snapshot
from app.build.stdlib import BROWSER_ONLY, HOST_ONLY, LAZY_MODULES, is_within

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


def replace_package_loader(library: Path, target: Path) -> None:
    """Copy a zipped standard library, with `REPLACEMENT` as its package loader.

    Raises UnrecognisedError if the library has no package loader.
    """
    with ZipFile(library) as source, ZipFile(target, "w") as copy:
        if MODULE not in source.namelist():
            raise UnrecognisedError(f"{library.name} has no {MODULE} to replace")
        for name in source.namelist():
            copy.writestr(name, REPLACEMENT if name == MODULE else source.read(name))


INTERFACE: Final = "pyodide.mjs"
LOADER: Final = "pyodide.asm.mjs"
WASM: Final = "pyodide.asm.wasm"
LIBRARY: Final = "python_stdlib.zip"
LOCK_FILE: Final = "pyodide-lock.json"

START: Final = "python.mjs"
"""The project's script that starts Pyodide."""
START_PLAIN: Final = "python-plain.mjs"
"""The script that is shipped under the name `START` with the plain runtime."""
SOURCES: Final = "page.zip"
"""The zip of the sources, which the plain runtime compiles at every start."""

UNRECOGNISED_EXIT: Final = 3
"""The exit code of the scripts for Node.js if Pyodide is not as the build expects."""


def make_fast(source: Path, packages: Path, target: Path) -> None:
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
        _run_node(source, "app/build/stdlib.mjs", npm, pyscript, source, library)
        excluded = (*BROWSER_ONLY, "pyscript", *LAZY_MODULES)
        _run_node(source, "app/build/snapshot.mjs", npm, library, snapshot, *excluded)
        module = embed_snapshot((npm / WASM).read_bytes(), snapshot.read_bytes())
    (runtime / WASM).write_bytes(module)


def make_plain(source: Path, packages: Path, target: Path) -> None:
    """Copy Pyodide unchanged to `target`/pyodide, and write the zip of sources beside it."""
    npm, runtime = packages / "pyodide", target / "pyodide"
    runtime.mkdir()
    # a glob, because other versions of Pyodide name the loader pyodide.asm.js
    for path in (npm / INTERFACE, npm / LIBRARY, npm / LOCK_FILE, *npm.glob("pyodide.asm.*")):
        shutil.copyfile(path, runtime / path.name)
    shutil.copyfile(source / "static" / START_PLAIN, target / "static" / START)
    with ZipFile(target / SOURCES, "w") as archive:
        for path in sorted((*(source / "app").rglob("*.py"), *(source / "bleu").rglob("*.py"))):
            name = path.relative_to(source)
            if not is_within(".".join(name.with_suffix("").parts), *HOST_ONLY):
                # ZipInfo has a fixed date, so that the same sources give the same bytes
                archive.writestr(ZipInfo(name.as_posix()), path.read_bytes())


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
