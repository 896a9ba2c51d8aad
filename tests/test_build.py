"""The build: exactly these files, the same bytes each time, and a Python that begins with them."""

import base64
import hashlib
import json
import re
import subprocess
from pathlib import Path

import pytest

from app.build import SHORTENED, build, sizes
from app.trim import HOST_ONLY, NEEDS_THE_PAGE
from tests.browser.sites import built
from tests.test_memory import unpacked

pytestmark = pytest.mark.host
ROOT = Path(__file__).parents[1]

FILES = {
    ".nojekyll",
    "index.html",
    "licenses.txt",
    "pyodide/pyodide.asm.mjs",
    "pyodide/pyodide.asm.wasm",
    "pyodide/pyodide.mjs",
    "pyscript/core.js",
    "service-worker.js",
    "static/boot.mjs",
    "static/file.js",
    "static/icon-192.png",
    "static/icon-512.png",
    "static/icon.svg",
    "static/manifest.webmanifest",
    "static/python.mjs",
    "static/seal.mjs",
}
HASHED = {r"pyscript/core-\w+\.js", r"pyscript/error-\w+\.js"}
"""Named by PyScript after their content."""

BEGIN = """
import { readFileSync } from "node:fs";
import { loadPyodide } from "./pyodide.mjs";
const [snapshot, nothing, lockFileURL] = process.argv.slice(2);
const _loadSnapshot = readFileSync(snapshot);
const python = await loadPyodide({ _loadSnapshot, stdLibURL: nothing, lockFileURL });
console.log(python.runPython(`
import json, sys, traceback
import bleu
try:
    bleu.Settings(max_order=0)
except ValueError:
    trace = traceback.format_exc()
[left] = [list(finder.modules) for finder in sys.meta_path if hasattr(finder, "modules")]
json.dumps([bleu.self_check(), sorted(sys.modules), left, trace])
`));
"""
"""Python, from the memory of a build alone: what it holds, and what it says of an error."""


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


def test_the_page_holds_its_style_and_its_policy_allows_that_alone(dist):
    page = (dist / "index.html").read_text(encoding="utf-8")
    [style] = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    assert style == (ROOT / "static" / "style.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert re.findall(r"style-src ([^;]+);", page) == [f"'sha256-{digest}'"]
    assert 'rel="stylesheet"' not in page


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


def test_it_is_the_same_each_time_and_everywhere(dist, tmp_path, monkeypatch):
    for name, value in (("TZ", "Asia/Kathmandu"), ("LANG", "de_DE.UTF-8"), ("HOME", "/nowhere")):
        monkeypatch.setenv(name, value)
    again = tmp_path / "dist"
    build(ROOT, again)
    for name, _, _ in sizes(dist):
        assert (dist / name).read_bytes() == (again / name).read_bytes(), name


@pytest.fixture(scope="module")
def begun(dist, tmp_path_factory):
    """What Python says of itself that begins with the memory of the build, under Node.js."""
    folder = tmp_path_factory.mktemp("begun")
    (folder / "nothing").touch()
    head, memory = unpacked((dist / "pyodide" / "pyodide.asm.wasm").read_bytes())
    (folder / "snapshot").write_bytes(head + memory)
    lock = ROOT / "node_modules" / "pyodide" / "pyodide-lock.json"
    script = dist / "pyodide" / "begin.mjs"
    script.write_text(BEGIN, encoding="utf-8")
    command = ["node", script, folder / "snapshot", folder / "nothing", lock]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    finally:
        script.unlink()
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def test_the_memory_holds_all_but_what_needs_the_page(begun):
    checked, loaded, left, _ = begun
    assert checked >= 6
    ours = {name for name in loaded if name.partition(".")[0] in {"app", "bleu"}}
    files = [
        path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
        for folder in ("app", "bleu")
        for path in (ROOT / folder).rglob("*.py")
    ]
    names = {name.removesuffix(".__init__") for name in files} - set(HOST_ONLY)
    assert ours == names - set(NEEDS_THE_PAGE)
    assert {name for name in left if not name.startswith("pyscript")} == set(NEEDS_THE_PAGE)
    assert {"pyscript", "pyscript.events"} < set(left)


def test_nothing_is_shipped_to_open_sockets_run_programs_or_install_packages(begun):
    _, loaded, left, _ = begun
    names = {*loaded, *left}
    assert {"socket", "subprocess", "asyncio.streams", "pyodide._package_loader"} < names
    assert not {"ssl", "selectors", "tempfile", "zipfile", "asyncio.selector_events"} & names


def test_it_prints_a_traceback_with_our_lines(begun):
    trace = begun[-1].splitlines()
    assert trace[0] == "Traceback (most recent call last):"
    assert any(re.search(r'File "bleu/settings\.py", line \d+, in ', line) for line in trace)
    assert "max_order is 0" in trace[-1]


def test_nothing_of_the_machine_is_in_the_memory(dist):
    _, memory = unpacked((dist / "pyodide" / "pyodide.asm.wasm").read_bytes())
    for text in (str(ROOT), str(dist), "node_modules"):
        assert text.encode() not in memory
        assert text.encode("utf-32-le") not in memory
    assert b"bleu/settings.py" in memory


def test_without_the_npm_packages_it_says_what_to_do(tmp_path):
    with pytest.raises(FileNotFoundError, match="run npm ci"):
        build(tmp_path, tmp_path / "dist")


def test_what_cannot_be_imported_is_said(tmp_path):
    boom = 'raise ValueError("boom")\nfrom urllib'
    said = r"(?s)^app/trim\.mjs ended with an error:\n.*app/url\.py.*ValueError: boom"
    with pytest.raises(RuntimeError, match=said) as caught:
        built(tmp_path / "dist", "app/url.py", "from urllib", boom)
    assert len(str(caught.value)) < 5000
