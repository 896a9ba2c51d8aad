"""The two runtimes: plain is the package as it came; fast falls back to it where it must."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile, ZipInfo

import pytest

from app.build import FAST, PLAIN
from app.build.assemble import SHORTENED, build, sizes
from app.build.packages import copy_listed_files, write_file_list
from app.build.stdlib import HOST_ONLY, within
from app.build.wasm import DATA, decode_leb128, encode_leb128, encode_module, parse_sections

pytestmark = pytest.mark.host
ROOT = Path(__file__).parents[2]
PYODIDE, PYSCRIPT = "node_modules/pyodide", "node_modules/@pyscript/core"
INTERFACE, LOADER, WASM, LIBRARY = (
    f"{PYODIDE}/{name}"
    for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
)

BEGIN = """
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
"""What static/python-plain.mjs does, under Node.js."""


def tree(folder):
    """All that is built from, in a folder of its own; the packages may be changed."""
    for name in ("app", "bleu", "static"):
        shutil.copytree(ROOT / name, folder / name)
    for name in ("index.html", "LICENSE", "pyproject.toml"):
        shutil.copyfile(ROOT / name, folder / name)
    copy_listed_files(ROOT, folder)
    return folder


def starts(dist):
    """Whether Python starts with a plain build, and computes the worked examples."""
    (dist / "begin.mjs").write_text(BEGIN, encoding="utf-8")
    done = subprocess.run(
        ["node", "begin.mjs"], cwd=dist, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return int(done.stdout) >= 6


def text(name, old, new):
    """A fault: another text in the place of one in a file."""

    def change(root):
        before = (root / name).read_text("utf-8")
        assert re.search(old, before)
        (root / name).write_text(re.sub(old, new, before), "utf-8")

    return change


def library(old, new, more=""):
    """A fault: a module of the standard library has another name, or more text."""

    def change(root):
        with ZipFile(root / LIBRARY) as zipped:
            files = {name: zipped.read(name) for name in zipped.namelist()}
        files[new] = files.pop(old) + more.encode()
        with ZipFile(root / LIBRARY, "w") as zipped:
            for name, content in files.items():
                zipped.writestr(ZipInfo(name), content)

    return change


def data_of_another_form(root):
    """A fault: the first data segment says of which memory it is."""
    found = dict(parse_sections((root / WASM).read_bytes()))
    count, at = decode_leb128(found[DATA], 0)
    assert found[DATA][at] == 0
    found[DATA] = encode_leb128(count) + b"\2\0" + found[DATA][at + 1 :]
    parts = parse_sections((root / WASM).read_bytes())
    module = encode_module((kind, found[DATA] if kind == DATA else part) for kind, part in parts)
    (root / WASM).write_bytes(module)


def pyscript_elsewhere(root):
    """A fault: PyScript's own Python is in another folder."""
    (root / PYSCRIPT / "src" / "stdlib" / "pyscript").rename(root / PYSCRIPT / "src" / "python")


FAULTS = {
    "pyodide.mjs has no setting createPyodideModule": text(
        INTERFACE, "createPyodideModule", "createModule"
    ),
    'the loader has no Module["___stack_low"]': text(
        LOADER, r'Module\["___stack_low"\]=', 'Module["stack_low"]='
    ),
    'the loader takes no exports in the form variable=wasmExports["name"]': text(
        LOADER, r'wasmExports\["([\w$]+)"\]', r"wasmExports['\1']"
    ),
    "the loader takes PyUnicode_AsUTF8AndSize in no statement of its own": text(
        LOADER, ";(_PyUnicode_AsUTF8AndSize=)", r";0,\1"
    ),
    "WebAssembly does not export nothing, which the loader takes": text(
        LOADER, r"\Z", '\n// wasmExports["nothing"]\n'
    ),
    "a data segment begins without 0 and i32.const": data_of_another_form,
    "python_stdlib.zip has no ipaddress.py to stand for": library(
        "ipaddress.py", "ipaddress/__init__.py"
    ),
    "html is not imported beside the stubs: ImportError": library(
        "html/__init__.py", "html/__init__.py", "\nfrom html.entities import name2codepoint\n"
    ),
    "Pyodide does not start with the stubs: ": text(
        LOADER, r"(\bAPI\.package_loader)\.init_loaded_packages\(\)",
        r"\1.unpack_buffer.callKwargs,\g<0>",
    ),
    "app/build/snapshot.mjs ended with an error: TypeError: python.makeMemorySnapshot is not": text(
        LOADER, r"\bmakeMemorySnapshot\(\{", "makeSnapshotOfMemory({"
    ),
    "PyScript has no package src/stdlib/pyscript": pyscript_elsewhere,
}  # fmt: skip
"""What each rewriting says that does not find what it looks for; Pyodide itself runs with each."""

FAST_FAULTS = {
    "pyodide.mjs has no setting createPyodideModule",
    "PyScript has no package src/stdlib/pyscript",
}
"""An early and a late fault, for the fast tests: each fault takes two builds."""


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(fault, marks=() if fault in FAST_FAULTS else pytest.mark.slow)
        for fault in FAULTS
    ],
)
def test_what_is_not_recognised_is_named_and_the_build_is_plain(said, tmp_path):
    root = tree(tmp_path)
    FAULTS[said](root)
    write_file_list(root)
    command = [sys.executable, "-m", "app", "build"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"warning: {said}")
    assert done.stderr.endswith("; the plain runtime is built\n")
    assert (root / "dist" / "pyodide" / "pyodide.asm.mjs").read_bytes() == (
        root / LOADER
    ).read_bytes()
    assert starts(root / "dist")


def test_a_loader_of_another_name_is_not_recognised_and_plain_takes_it(tmp_path):
    root = tree(tmp_path)
    (root / LOADER).rename(root / PYODIDE / "pyodide.asm.js")
    write_file_list(root)
    reason = build(root, root / "dist")
    assert str(reason) == "Pyodide has no file pyodide.asm.mjs"
    page = (root / "dist" / "index.html").read_text("utf-8")
    assert re.search(r'<link rel="preload" [^>]*href="pyodide/pyodide.asm.js"', page)


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """A plain build of this tree."""
    target = tmp_path_factory.mktemp("plain") / "dist"
    assert build(ROOT, target, PLAIN) is None
    return target


def test_plain_is_the_package_as_it_came(plain):
    files = {path.name: path.read_bytes() for path in (plain / "pyodide").iterdir()}
    assert set(files) == {
        *("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"),
        *("python_stdlib.zip", "pyodide-lock.json"),
    }
    for name, content in files.items():
        assert content == (ROOT / PYODIDE / name).read_bytes(), name
    assert SHORTENED not in (plain / "licenses.txt").read_text("utf-8")


def test_plain_holds_the_sources_that_are_shipped_and_no_others(plain):
    with ZipFile(plain / "page.zip") as zipped:
        found = {name: zipped.read(name) for name in zipped.namelist()}
    modules = {
        name.removesuffix(".py").replace("/", ".").removesuffix(".__init__") for name in found
    }
    assert {"app", "app.main", "app.score.html", "bleu", "bleu.core.score"} < modules
    assert not [name for name in modules if within(name, *HOST_ONLY)]
    for name, content in found.items():
        assert content == (ROOT / name).read_bytes(), name


def test_plain_is_the_same_each_time(plain, tmp_path, monkeypatch):
    monkeypatch.setenv("TZ", "Asia/Kathmandu")
    build(ROOT, tmp_path / "dist", PLAIN)
    for name, _, _ in sizes(plain):
        assert (plain / name).read_bytes() == (tmp_path / "dist" / name).read_bytes(), name


def test_the_page_is_told_what_plain_fetches(plain):
    [fetched] = re.findall(r' data-fetched="([^"]*)"', (plain / "index.html").read_text("utf-8"))
    assert fetched.split() == [
        "page.zip", "pyodide/pyodide-lock.json", "pyodide/python_stdlib.zip",
    ]  # fmt: skip
    files = (plain / "service-worker.js").read_text("utf-8")
    assert all(json.dumps(name) in files for name in fetched.split())


@pytest.mark.parametrize("runtime", ["slow", "Plain", ""])
def test_another_runtime_is_refused_with_the_choices(runtime, tmp_path):
    command = ["make", "--no-print-directory", "build"]
    for there in ("tools", "node_modules/.ready", ".venv/.build"):
        command += ["-o", there]
    command += [f"RUNTIME={runtime}", f"PYTHON={sys.executable}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode
    assert f"argument --runtime: invalid choice: '{runtime}' (choose from" in done.stderr
    assert FAST in done.stderr
    assert PLAIN in done.stderr
    with pytest.raises(ValueError, match="choose one of fast, plain"):
        build(ROOT, tmp_path / "dist", runtime)
