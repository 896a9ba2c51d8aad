"""The build: exactly these files, the same bytes each time, and a standard library that boots."""

import json
import marshal
import re
import subprocess
import zipfile
from pathlib import Path

import pytest

from app.build import SHORTENED, build, sizes
from app.trim import NEEDS_THE_PAGE

pytestmark = pytest.mark.host
ROOT = Path(__file__).parents[1]

FILES = {
    ".nojekyll",
    "index.html",
    "licenses.txt",
    "pyodide/pyodide-lock.json",
    "pyodide/pyodide.asm.mjs",
    "pyodide/pyodide.asm.wasm",
    "pyodide/pyodide.mjs",
    "pyodide/python_stdlib.zip",
    "pyscript/core.js",
    "service-worker.js",
    "static/boot.mjs",
    "static/file.js",
    "static/icon-192.png",
    "static/icon-512.png",
    "static/icon.svg",
    "static/manifest.webmanifest",
    "static/memory.mjs",
    "static/python.mjs",
    "static/seal.mjs",
    "static/style.css",
}
HASHED = {r"pyscript/core-\w+\.js", r"pyscript/error-\w+\.js"}
"""Named by PyScript after their content."""

BOOT = """
import { loadPyodide } from "./pyodide.mjs";
const python = await loadPyodide();
python.globals.set("names", python.toPy(process.argv.slice(2)));
console.log(python.runPython(`
import importlib, traceback
import bleu
for name in names:
    importlib.import_module(name)
try:
    bleu.Settings(max_order=0)
except ValueError:
    text = traceback.format_exc()
str(bleu.self_check()) + chr(10) + text
`));
"""


ADDRESSES = {
    "index.html": {"aclanthology.org", "cloud.google.com"},
    "licenses.txt": {"www.apache.org", "github.com", "docs.python.org"},
    "pyodide/pyodide.asm.mjs": {"${t}"},
    "pyodide/pyodide.mjs": {"cdn.jsdelivr.net"},
    "pyscript/core.js": {
        *("0.0.0.0", "cdn.jsdelivr.net", "developer.mozilla.org", "docs.pyscript.net"),
        *("github.com", "micropython.org", "packages.pyscript.net", "pyscript.github.io"),
        "raw.githubusercontent.com",
    },
    "static/icon.svg": {"www.w3.org"},
}
"""The hosts that a file names: in links that a reader may follow, in names of XML, and, in the
runtimes, in code that never runs here and that the page's policy would refuse."""


@pytest.fixture(scope="module")
def dist(tmp_path_factory):
    """A build of this tree."""
    target = tmp_path_factory.mktemp("build") / "dist"
    build(ROOT, target)
    return target


def test_it_holds_exactly_these_files(dist):
    found = {name for name, _, _ in sizes(dist)}
    extra = found - FILES
    assert found >= FILES
    assert len(extra) == len(HASHED)
    assert all(any(re.fullmatch(pattern, name) for pattern in HASHED) for name in extra)


def test_the_page_loads_only_what_is_there(dist):
    page = (dist / "index.html").read_text(encoding="utf-8")
    links = re.findall(r'<(?:link|script)[^>]* (?:href|src)="(?!data:)([^"]+)"', page)
    assert len(links) >= 10
    for link in links:
        assert not link.startswith("/")
        assert (dist / link).is_file(), link
    assert "<!--build:" not in page
    assert re.search(r'<html data-build="[0-9a-f]{16}"', page)


def test_it_names_no_address_that_is_not_known(dist):
    found: dict[str, set[str]] = {}
    for path in dist.rglob("*"):
        if path.is_file() and path.suffix not in {".wasm", ".zip", ".png"}:
            text = path.read_bytes().decode()
            hosts = set(re.findall(r"\b(?:https?|wss?|ftp):(?:\\?/){2}([^\s/\"'`<>()\\?]+)", text))
            name = re.sub(r"-[\w-]{8}\.js$", ".js", path.relative_to(dist).as_posix())
            found |= {name: hosts} if hosts else {}
    assert found == ADDRESSES


def test_it_says_what_is_shipped_under_which_licence(dist):
    page = (dist / "index.html").read_text(encoding="utf-8")
    licences = (dist / "licenses.txt").read_text(encoding="utf-8")
    shipped = re.findall(
        r"(\w+) ([\d.]+) \(([\w.-]+)\)", page.split('<p id="licences">')[1].split("</p>")[0]
    )
    assert [(name, kind) for name, _, kind in shipped] == [
        ("PyScript", "Apache-2.0"),
        ("Pyodide", "MPL-2.0"),
        ("Python", "PSF-2.0"),
    ]
    for name, version, _ in shipped:
        assert f"\n{name} {version}\n===" in licences
    assert licences.startswith(f"{SHORTENED}\n\nThis project\n===")
    packages = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    for name, folder in (("PyScript", "@pyscript/core"), ("Pyodide", "pyodide")):
        assert f"{name} {packages[f'node_modules/{folder}']['version']} (" in page


def test_it_is_the_same_each_time(dist, tmp_path):
    again = tmp_path / "dist"
    build(ROOT, again)
    for name, _, _ in sizes(dist):
        assert (dist / name).read_bytes() == (again / name).read_bytes(), name


def packed(dist):
    """The modules of a build, by name: whether it is a package, and its code."""
    with zipfile.ZipFile(dist / "pyodide" / "python_stdlib.zip") as zipped:
        return marshal.loads(zipped.read("modules"))


def test_the_standard_library_is_compiled_and_holds_the_page(dist):
    names = packed(dist)
    assert {
        *("bleu", "bleu.render.html", "app.main", "json", "pyscript", "pyscript.events"),
    } < set(names)
    assert not {"app.build", "app.serve", "app.library", "bleu.__main__"} & set(names)
    lock = json.loads((dist / "pyodide" / "pyodide-lock.json").read_text(encoding="utf-8"))
    assert lock["packages"] == {}


def test_nothing_stands_beside_what_is_packed_but_what_python_needs_before(dist):
    entries = zipfile.ZipFile(dist / "pyodide" / "python_stdlib.zip").namelist()
    assert all(name.endswith(".pyc") for name in set(entries) - {"modules"})
    assert {"sitecustomize.pyc", "encodings/__init__.pyc"} < set(entries)
    assert len(entries) < 10
    # compiled into Python itself
    assert not {"os", "codecs", "zipimport", "importlib._bootstrap"} & set(packed(dist))


def test_nothing_is_shipped_to_open_sockets_run_programs_or_install_packages(dist):
    names = set(packed(dist))
    assert {"socket", "subprocess", "asyncio.streams", "pyodide._package_loader"} < names
    assert not {"ssl", "selectors", "tempfile", "zipfile", "asyncio.selector_events"} & names


def test_the_trimmed_library_boots_and_prints_a_traceback(dist):
    ours = [name for name in packed(dist) if name.partition(".")[0] in {"app", "bleu"}]
    names = [name for name in ours if name not in NEEDS_THE_PAGE]
    assert len(names) > 20
    script = dist / "pyodide" / "boot-test.mjs"
    script.write_text(BOOT, encoding="utf-8")
    try:
        done = subprocess.run(["node", script, *names], capture_output=True, text=True, check=False)
    finally:
        script.unlink()
    assert done.returncode == 0, done.stderr[-2000:]
    checked, *trace = done.stdout.splitlines()
    assert int(checked) >= 6
    assert trace[0] == "Traceback (most recent call last):"
    assert any("max_order is 0" in line for line in trace)


def test_without_the_npm_packages_it_says_what_to_do(tmp_path):
    with pytest.raises(FileNotFoundError, match="run npm ci"):
        build(tmp_path, tmp_path / "dist")
