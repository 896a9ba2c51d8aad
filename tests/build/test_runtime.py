"""The runtimes: plain is Pyodide unchanged; fast falls back to plain if Pyodide has changed."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile, ZipInfo

import pytest

from app.build import FAST, PLAIN
from app.build.assemble import SHORTENED_NOTICE, build, sizes
from app.build.runtime import (
    DATA,
    copy_listed_files,
    decode_leb128,
    encode_leb128,
    encode_module,
    parse_sections,
    write_file_list,
)
from app.build.stdlib import HOST_ONLY, is_within
from tests.browser.servers import shared_parts

pytestmark = pytest.mark.host
ROOT = Path(__file__).parents[2]
PYODIDE, PYSCRIPT = "node_modules/pyodide", "node_modules/@pyscript/core"
INTERFACE, LOADER, WASM, LIBRARY = (
    f"{PYODIDE}/{name}"
    for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
)

START_SCRIPT = """
import { readFileSync } from "node:fs";
import { loadPyodide } from "./pyodide/pyodide.mjs";
const python = await loadPyodide();
python.FS.writeFile("/page.zip", readFileSync("page.zip"));
console.log(python.runPython(`
import sys
sys.path.append("/page.zip")
import asyncio, html, urllib.parse
import app.score.html, bleu
str(bleu.self_check())
`));
"""
"""The work of static/python-plain.mjs, for Node.js."""


def copy_tree(folder):
    """Copy all inputs of the build to a folder, so that a test can change the packages."""
    for name in ("app", "bleu", "static"):
        shutil.copytree(ROOT / name, folder / name)
    for name in ("index.html", "LICENSE", "pyproject.toml"):
        shutil.copyfile(ROOT / name, folder / name)
    copy_listed_files(ROOT, folder)
    return folder


def starts(dist):
    """Return whether Python starts in a plain build and computes the worked examples."""
    (dist / "start.mjs").write_text(START_SCRIPT, encoding="utf-8")
    process = subprocess.run(
        ["node", "start.mjs"], cwd=dist, capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, process.stderr[-2000:]
    return int(process.stdout) >= 6


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
"""By warning, a fault that causes it; with each of them Pyodide itself still runs."""


EARLY = "pyodide.mjs has no setting createPyodideModule"
"""The fault that the build finds first."""


def faulty_tree(folder, warning):
    """Copy all inputs of the build to a folder, with the fault that causes a warning."""
    FAULTS[warning](copy_tree(folder))
    write_file_list(folder)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("warning", FAULTS)
def test_unrecognised_package_gives_a_reason_and_a_plain_build(warning, tmp_path):
    root = faulty_tree(tmp_path, warning)
    with shared_parts():
        reason = str(build(root, root / "dist"))
    assert reason.startswith(warning)
    assert "\n" not in reason
    assert (root / "dist" / WASM.removeprefix("node_modules/")).read_bytes() == (
        root / WASM
    ).read_bytes()
    assert starts(root / "dist")


def test_command_warns_that_the_plain_runtime_is_built(tmp_path):
    root = faulty_tree(tmp_path, EARLY)
    command = [sys.executable, "-m", "app", "build"]
    process = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    assert process.stderr == f"warning: {EARLY}; the plain runtime is built\n"
    assert (root / "dist" / "page.zip").exists()


def test_renamed_loader_gives_a_plain_build(tmp_path):
    root = copy_tree(tmp_path)
    (root / LOADER).rename(root / PYODIDE / "pyodide.asm.js")
    write_file_list(root)
    with shared_parts():
        reason = build(root, root / "dist")
    assert str(reason) == "Pyodide has no file pyodide.asm.mjs"
    page = (root / "dist" / "index.html").read_text("utf-8")
    assert re.search(r'<link rel="preload" [^>]*href="pyodide/pyodide.asm.js"', page)


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """A plain build of this tree."""
    target = tmp_path_factory.mktemp("plain") / "dist"
    with shared_parts():
        assert build(ROOT, target, PLAIN) is None
    return target


def test_plain_has_the_files_of_pyodide_unchanged(plain):
    files = {path.name: path.read_bytes() for path in (plain / "pyodide").iterdir()}
    assert set(files) == {
        *("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"),
        *("python_stdlib.zip", "pyodide-lock.json"),
    }
    for name, content in files.items():
        assert content == (ROOT / PYODIDE / name).read_bytes(), name
    assert SHORTENED_NOTICE not in (plain / "licenses.txt").read_text("utf-8")


def test_plain_has_the_sources_of_all_but_host_modules(plain):
    with ZipFile(plain / "page.zip") as archive:
        sources = {name: archive.read(name) for name in archive.namelist()}
    modules = {
        name.removesuffix(".py").replace("/", ".").removesuffix(".__init__") for name in sources
    }
    assert {"app", "app.main", "app.score.html", "bleu", "bleu.core.score"} < modules
    assert not [name for name in modules if is_within(name, *HOST_ONLY)]
    encoder = {name: sources.pop(name) for name in list(sources) if name.startswith("segno/")}
    assert list(encoder) == ["segno/__init__.py", "segno/consts.py", "segno/encoder.py"]
    for name, content in sources.items():
        assert content == (ROOT / name).read_bytes(), name


@pytest.mark.slow
def test_plain_is_reproducible(plain, tmp_path, monkeypatch):
    monkeypatch.setenv("TZ", "Asia/Kathmandu")
    build(ROOT, tmp_path / "dist", PLAIN)
    for name, _, _ in sizes(plain):
        assert (plain / name).read_bytes() == (tmp_path / "dist" / name).read_bytes(), name


def test_page_lists_what_plain_fetches(plain):
    [fetched] = re.findall(r' data-fetched="([^"]*)"', (plain / "index.html").read_text("utf-8"))
    assert fetched.split() == [
        "page.zip", "pyodide/pyodide-lock.json", "pyodide/python_stdlib.zip",
    ]  # fmt: skip
    files = (plain / "service-worker.js").read_text("utf-8")
    assert all(json.dumps(name) in files for name in fetched.split())


@pytest.mark.parametrize("runtime", ["slow", "Plain", ""])
def test_unknown_runtime_is_rejected_with_the_choices(runtime, tmp_path):
    command = ["make", "--no-print-directory", "build"]
    for target in ("tools", "node_modules/.ready", ".venv/.build"):
        command += ["-o", target]  # already made
    command += [f"RUNTIME={runtime}", f"PYTHON={sys.executable}"]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert process.returncode
    assert f"argument --runtime: invalid choice: '{runtime}' (choose from" in process.stderr
    assert FAST in process.stderr
    assert PLAIN in process.stderr
    with pytest.raises(ValueError, match="choose one of fast, plain"):
        build(ROOT, tmp_path / "dist", runtime)
