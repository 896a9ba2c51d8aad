"""The runtime: a Pyodide or PyScript that is not as the build expects is refused."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile, ZipInfo

import pytest

from app.build import UnrecognisedError
from app.build.assemble import build
from app.build.runtime import (
    DATA,
    copy_listed_files,
    decode_leb128,
    encode_leb128,
    encode_module,
    parse_sections,
    write_file_list,
)
from tests.browser.servers import shared_parts

pytestmark = pytest.mark.host
ROOT = Path(__file__).parents[2]
PYODIDE, PYSCRIPT = "node_modules/pyodide", "node_modules/@pyscript/core"
INTERFACE, LOADER, WASM, LIBRARY = (
    f"{PYODIDE}/{name}"
    for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
)


def copy_tree(folder):
    """Copy all inputs of the build to a folder, so that a test can change the packages."""
    for name in ("app", "bleu", "static"):
        shutil.copytree(ROOT / name, folder / name)
    for name in ("index.html", "LICENSE", "pyproject.toml"):
        shutil.copyfile(ROOT / name, folder / name)
    copy_listed_files(ROOT, folder)
    return folder


def changed_text(name, old, new):
    """Return a fault that replaces the matches of a pattern in a file."""

    def change(root):
        text = (root / name).read_text("utf-8")
        assert re.search(old, text)
        (root / name).write_text(re.sub(old, new, text), "utf-8")

    return change


def changed_library(change):
    """Return a fault that changes the files of the standard library, a dict of bytes by name."""

    def rewrite(root):
        with ZipFile(root / LIBRARY) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
        change(files)
        with ZipFile(root / LIBRARY, "w") as archive:
            for name, content in files.items():
                archive.writestr(ZipInfo(name), content)

    return rewrite


def make_package_loader_a_package(files):
    """Move the package loader to another file, and make its imports absolute."""
    code = files.pop("pyodide/_package_loader.py").replace(b"from .", b"from pyodide.")
    files["pyodide/_package_loader/__init__.py"] = code


def import_from_package_loader(files):
    """Import a name that only the original package loader has."""
    files["html/__init__.py"] += b"\nfrom pyodide._package_loader import TARGETS\n"


def indexed_data_segment(root):
    """Give the first data segment of Pyodide an explicit memory index."""
    sections = parse_sections((root / WASM).read_bytes())
    data = dict(sections)[DATA]
    count, offset = decode_leb128(data, 0)
    assert data[offset] == 0
    changed = encode_leb128(count) + b"\2\0" + data[offset + 1 :]
    module = encode_module(
        (section_id, changed if section_id == DATA else content) for section_id, content in sections
    )
    (root / WASM).write_bytes(module)


def moved_pyscript(root):
    """Move PyScript's Python package to another folder."""
    (root / PYSCRIPT / "src" / "stdlib" / "pyscript").rename(root / PYSCRIPT / "src" / "python")


FAULTS = {
    "pyodide.mjs has no setting createPyodideModule": changed_text(
        INTERFACE, "createPyodideModule", "createModule"
    ),
    'the loader has no Module["___stack_low"]': changed_text(
        LOADER, r'Module\["___stack_low"\]=', 'Module["stack_low"]='
    ),
    "a data segment begins with b": indexed_data_segment,
    "python_stdlib.zip has no pyodide/_package_loader.py to replace": changed_library(
        make_package_loader_a_package
    ),
    "html cannot be imported: ImportError": changed_library(import_from_package_loader),
    "Pyodide does not start with the replaced package loader: ": changed_text(
        LOADER, r"(\bAPI\.package_loader)\.init_loaded_packages\(\)",
        r"\1.unpack_buffer.callKwargs,\g<0>",
    ),
    "Python's memory cannot be saved: TypeError: python.makeMemorySnapshot is not":
        changed_text(LOADER, r"\bmakeMemorySnapshot\(\{", "makeSnapshotOfMemory({"),
    "PyScript has no package src/stdlib/pyscript": moved_pyscript,
}  # fmt: skip
"""By the beginning of an error, a fault that causes it; Pyodide itself runs with each."""


EARLY = "pyodide.mjs has no setting createPyodideModule"
"""The fault that the build finds first."""


def faulty_tree(folder, reason):
    """Copy all inputs of the build to a folder, with the fault that causes an error."""
    FAULTS[reason](copy_tree(folder))
    write_file_list(folder)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("reason", FAULTS)
def test_unrecognised_package_is_refused_and_the_last_build_stays(reason, tmp_path):
    root = faulty_tree(tmp_path, reason)
    (root / "dist").mkdir()
    (root / "dist" / "last").touch()
    with shared_parts(), pytest.raises(UnrecognisedError) as error:
        build(root, root / "dist")
    assert str(error.value).startswith(reason)
    assert "\n" not in str(error.value)
    assert [path.name for path in (root / "dist").iterdir()] == ["last"]


def test_command_refuses_an_unrecognised_package_and_says_how_to_proceed(tmp_path):
    root = faulty_tree(tmp_path, EARLY)
    command = [sys.executable, "-m", "app", "build"]
    process = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert process.returncode == 1
    title, file = re.fullmatch(rf"{EARLY}; see “(.+)” in (\S+)\n", process.stderr).groups()
    assert f"\n## {title}\n" in (root / file).read_text("utf-8")
    assert not (root / "dist").exists()


def test_renamed_loader_is_refused(tmp_path):
    root = copy_tree(tmp_path)
    (root / LOADER).rename(root / PYODIDE / "pyodide.asm.js")
    write_file_list(root)
    with shared_parts(), pytest.raises(UnrecognisedError, match=r"no file pyodide\.asm\.mjs"):
        build(root, root / "dist")
