"""The build: exactly these files, the same bytes each time, and a Python that begins with them."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from base64 import b64encode
from pathlib import Path

import pytest

from app.build.assemble import FONT, SHORTENED, build, sizes
from app.build.font import subset_font
from app.build.packages import LIST, copy_listed_files, write_file_list
from app.build.single_file import NAME
from app.build.stdlib import HOST_ONLY, LAZY_MODULES, _without_lines, needs_browser, within
from app.components.wheel import WHEEL
from bleu import derive, explain
from tests.browser.servers import build_with_change, cached_build
from tests.build.test_snapshot import unpacked

pytestmark = pytest.mark.host
ROOT = Path(__file__).parents[2]

FILES = {
    ".nojekyll",
    "bleu-calculator.html",
    WHEEL,
    "docs/index.html",
    "index.html",
    "licenses.txt",
    "pyodide/pyodide.asm.mjs",
    "pyodide/pyodide.asm.wasm",
    "pyodide/pyodide.mjs",
    "pyscript/core.js",
    "service-worker.js",
    "static/boot.mjs",
    "static/views.mjs",
    "static/guard.mjs",
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
try:
    json.loads("{")
except ValueError:
    others = traceback.format_exc()
[left] = [list(finder.modules) for finder in sys.meta_path if hasattr(finder, "modules")]
json.dumps([bleu.self_check(), sorted(sys.modules), left, trace, others])
`));
"""
"""Python, from the memory of a build alone: what it holds, and what it says of an error."""


ADDRESSES = {
    "docs/index.html": {"getbootstrap.com", "github.com", "pdoc.dev", "www.w3.org"},
    "index.html": {"aclanthology.org", "cloud.google.com"},
    "licenses.txt": {"www.apache.org", "github.com", "docs.python.org", "scripts.sil.org"},
    "pyodide/pyodide.asm.mjs": {"${t}"},
    "pyodide/pyodide.mjs": {"cdn.jsdelivr.net"},
    "pyscript/core.js": {
        *("0.0.0.0", "cdn.jsdelivr.net", "developer.mozilla.org", "docs.pyscript.net"),
        *("github.com", "micropython.org", "packages.pyscript.net", "pyscript.github.io"),
        "raw.githubusercontent.com",
    },
    "static/guard.mjs": {"www.w3.org"},
    "static/icon.svg": {"www.w3.org"},
}
"""The hosts that a file names: in links that a reader may follow, in names of XML, and, in the
runtimes, in code that never runs here and that the page's policy would refuse."""


@pytest.fixture(scope="module")
def dist(tmp_path_factory):
    """A build of this tree."""
    return shutil.copytree(cached_build(), tmp_path_factory.mktemp("build") / "dist")


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


def digest(text: str) -> str:
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_the_page_holds_its_first_script_and_its_policy_allows_no_other(dist):
    page = (dist / "index.html").read_text(encoding="utf-8")
    [script] = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert script == (ROOT / "static" / "first.js").read_text(encoding="utf-8")
    allowed = f"'self' {digest(script)} 'wasm-unsafe-eval'"
    assert re.findall(r"script-src ([^;]+);", page) == [allowed]


def test_the_page_holds_its_style_and_its_policy_allows_that_alone(dist):
    page = (dist / "index.html").read_text(encoding="utf-8")
    [style] = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    parts = (ROOT / "static" / "style.css").read_text(encoding="utf-8").split(FONT)
    assert len(parts) == 2
    data = b64encode(subset_font().content).decode()
    assert style == f'url("data:font/woff2;base64,{data}")'.join(parts)
    assert re.findall(r"style-src ([^;]+);", page) == [digest(style)]
    assert 'rel="stylesheet"' not in page


def test_it_names_no_address_that_is_not_known(dist):
    found: dict[str, set[str]] = {}
    for path in dist.rglob("*"):
        if path.is_file() and path.suffix not in {".wasm", ".whl", ".zip", ".png"}:
            text = path.read_bytes().decode()
            hosts = set(re.findall(r"\b(?:https?|wss?|ftp):(?:\\?/){2}([^\s/\"'`<>()\\?]+)", text))
            name = re.sub(r"-[\w-]{8}\.js$", ".js", path.relative_to(dist).as_posix())
            found |= {name: hosts} if hosts else {}
    assert found.pop(NAME) <= set.union(*found.values())
    assert found == ADDRESSES


def test_a_step_leads_to_the_literature_that_the_page_lists(dist):
    # a sealed page leads only to what it led to before
    sources = (dist / "index.html").read_text(encoding="utf-8").partition('id="sources"')[2]
    shown = explain(derive("hello world", ["hello world"], smoothing="floor", tokenizer="13a"))
    named = {step.citation.url for step in shown.steps if step.citation}
    assert len(named) == 3
    assert [address for address in named if f'href="{address}"' not in sources] == []


def test_it_says_what_is_shipped_under_which_licence(dist):
    page = (dist / "index.html").read_text(encoding="utf-8")
    licences = (dist / "licenses.txt").read_text(encoding="utf-8")
    shipped = re.findall(
        r"(\w[\w ]*) ([\d.]+) \(([\w.-]+)\)", page.split('<p id="licences">')[1].split("</p>")[0]
    )
    assert [(name, kind) for name, _, kind in shipped] == [
        ("PyScript", "Apache-2.0"),
        ("Pyodide", "MPL-2.0"),
        ("Python", "PSF-2.0"),
        ("STIX Two Math", "OFL-1.1"),
    ]
    for name, version, _ in shipped:
        assert f"\n{name} {version}\n===" in licences
    assert licences.startswith(f"{SHORTENED}\n\nThis project\n===")
    packages = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    for name, folder in (("PyScript", "@pyscript/core"), ("Pyodide", "pyodide")):
        assert f"{name} {packages[f'node_modules/{folder}']['version']} (" in page


NODE_18 = """
Object.defineProperty(performance, "now", { value: () => 1, configurable: true });
Object.defineProperty(process, "version", { value: "v18.20.8" });
delete globalThis.navigator;
"""
"""What makes any Node.js be as 18 in all that has made a difference."""


def test_it_is_the_same_each_time_and_everywhere_and_under_node_18(dist, tmp_path, monkeypatch):
    (tmp_path / "node-18.cjs").write_text(NODE_18, encoding="utf-8")
    for name, value in (
        *(("TZ", "Asia/Kathmandu"), ("LANG", "de_DE.UTF-8"), ("HOME", "/nowhere")),
        ("NODE_OPTIONS", f'--require "{tmp_path / "node-18.cjs"}"'),
    ):
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


def test_the_memory_holds_all_but_what_needs_the_page_or_is_first_asked_for(begun):
    checked, loaded, left, *_ = begun
    assert checked >= 6
    ours = {name for name in loaded if name.partition(".")[0] in {"app", "bleu"}}
    files = [
        path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
        for folder in ("app", "bleu")
        for path in (ROOT / folder).rglob("*.py")
    ]
    shipped = {name.removesuffix(".__init__") for name in files}
    shipped = {name for name in shipped if not within(name, *HOST_ONLY)}
    later = {name for name in shipped if needs_browser(name) or within(name, *LAZY_MODULES)}
    assert ours == shipped - later
    assert {name for name in left if not name.startswith("pyscript")} == later
    assert {"pyscript", "pyscript.events"} < set(left)


def test_nothing_is_shipped_to_open_sockets_run_programs_or_install_packages(begun):
    _, loaded, left, *_ = begun
    names = {*loaded, *left}
    assert {"socket", "subprocess", "asyncio.streams", "pyodide._package_loader"} < names
    assert not {"ssl", "selectors", "tempfile", "zipfile", "asyncio.selector_events"} & names


def test_it_prints_a_traceback_with_our_lines(begun):
    trace = begun[-2].splitlines()
    assert trace[0] == "Traceback (most recent call last):"
    assert any(re.search(r'File "bleu/core/settings\.py", line \d+, in ', line) for line in trace)
    assert "max_order is 0" in trace[-1]


def test_it_prints_a_traceback_through_modules_without_lines(begun):
    trace = begun[-1].splitlines()
    assert trace[0] == "Traceback (most recent call last):"
    assert any(re.search(r'File "json/decoder\.py", line None, in ', line) for line in trace)
    assert trace[-1].startswith("json.decoder.JSONDecodeError: ")


def test_code_without_lines_has_none_for_each_of_its_instructions():
    left = [
        compile((ROOT / "app" / "build" / "assemble.py").read_text("utf-8"), "assemble.py", "exec")
    ]
    while left:
        code = left.pop()
        positions = list(_without_lines(code).co_positions())
        assert positions == [(None, None, None, None)] * (len(code.co_code) // 2)
        left += [one for one in code.co_consts if isinstance(one, type(code))]


def test_nothing_of_the_machine_is_in_the_memory(dist):
    _, memory = unpacked((dist / "pyodide" / "pyodide.asm.wasm").read_bytes())
    for text in (str(ROOT), str(dist), "node_modules"):
        assert text.encode() not in memory
        assert text.encode("utf-32-le") not in memory
    assert b"bleu/core/settings.py" in memory


def test_without_the_npm_packages_it_says_what_to_do(tmp_path):
    with pytest.raises(FileNotFoundError, match="run npm ci"):
        build(tmp_path, tmp_path / "dist")


def old_build(folder):
    """A folder with a build in it, of which nothing may be changed."""
    (folder / "dist").mkdir()
    (folder / "dist" / "index.html").write_text("as it was", encoding="utf-8")


def check_old_build(folder):
    """It is there as it was, and nothing else that a build leaves behind."""
    assert [path.name for path in folder.iterdir() if "dist" in path.name] == ["dist"]
    assert [path.name for path in (folder / "dist").iterdir()] == ["index.html"]
    assert (folder / "dist" / "index.html").read_text("utf-8") == "as it was"


def test_what_cannot_be_imported_is_said_and_the_old_build_stays(tmp_path):
    old_build(tmp_path)
    boom = 'raise ValueError("boom")\nfrom urllib'
    said = (
        r"(?s)^app/build/stdlib\.mjs ended with an error:\n"
        r".*app/state/permalink\.py.*ValueError: boom"
    )
    with pytest.raises(RuntimeError, match=said) as caught:
        build_with_change(tmp_path / "dist", "app/state/permalink.py", "from urllib", boom)
    assert len(str(caught.value)) < 5000
    check_old_build(tmp_path)


@pytest.mark.parametrize("step", [1, 2])
@pytest.mark.parametrize("late", [False, True])
def test_an_interrupt_at_the_very_end_leaves_a_build(step, late, tmp_path, monkeypatch):
    old_build(tmp_path)
    monkeypatch.setattr("app.build.assemble.copy_listed_files", lambda *_: None)
    monkeypatch.setattr("app.build.assemble._make", lambda *given: given[-2].mkdir())
    rename, steps = Path.rename, []

    def interrupted(path, target):
        steps.append(path)
        here = len(steps) == step
        if not here or late:
            rename(path, target)
        if here:
            raise KeyboardInterrupt

    monkeypatch.setattr(Path, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt):
        build(ROOT, tmp_path / "dist")
    if (step, late) == (2, True):
        assert list(tmp_path.iterdir()) == [tmp_path / "dist"]
        assert list((tmp_path / "dist").iterdir()) == []
    else:
        check_old_build(tmp_path)


@pytest.fixture
def tree(tmp_path):
    """All that is built from, in a folder of its own with an old build."""
    for folder in ("app", "bleu", "static"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    for file in ("index.html", "LICENSE", "pyproject.toml"):
        shutil.copyfile(ROOT / file, tmp_path / file)
    old_build(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("signal", ["INT", "TERM"])
def test_a_build_that_is_interrupted_says_so_and_the_old_one_stays(signal, tree):
    copy_listed_files(ROOT, tree)
    program = tree / "node"
    program.write_text(f"#!/bin/sh\nkill -{signal} $PPID\nexec sleep 600\n", encoding="utf-8")
    program.chmod(0o755)
    path = f"{tree}{os.pathsep}{os.environ['PATH']}"
    command = [sys.executable, "-m", "app", "build"]
    done = subprocess.run(
        command, cwd=tree, capture_output=True, text=True, check=False,
        env=os.environ | {"PATH": path},
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "python -m app: interrupted\n"
    check_old_build(tree)


FULL = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device always full")


@pytest.mark.parametrize("device", [pytest.param("/dev/full", marks=FULL), "a pipe"])
def test_sizes_that_cannot_be_printed_are_at_most_one_line(device, tree):
    (tree / "app" / "build" / "assemble.py").write_text(
        "from pathlib import Path\n"
        "def build(*_): pass\n"
        "def sizes(target): return [('name', 1, 1)] * 1000\n",
        encoding="utf-8",
    )
    if device == "a pipe":
        reading, writing = os.pipe()
        os.close(reading)
    else:
        writing = os.open(device, os.O_WRONLY)
    with os.fdopen(writing, "wb") as output:
        done = subprocess.run(
            [sys.executable, "-m", "app", "build"],
            cwd=tree, stdout=output, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    said = "" if device == "a pipe" else "cannot write: No space left on device\n"
    assert done.returncode == 1
    assert done.stderr.removeprefix("python -m app: error: ") == said


@pytest.mark.parametrize(
    "name",
    ["pyodide/pyodide.asm.wasm", "pyodide/python_stdlib.zip", "pyodide/package.json",
     "@pyscript/core/dist/core.js", "@pyscript/core/src/stdlib/pyscript/events.py"],
)  # fmt: skip
def test_a_file_that_was_changed_is_named_and_nothing_is_built_of_it(name, tree):
    copy_listed_files(ROOT, tree)
    changed = tree / "node_modules" / name
    content = changed.read_bytes()
    for other in (content + b" ", content[:-1000], None):
        changed.unlink()
        if other is not None:
            changed.write_bytes(other)
        with pytest.raises(ValueError, match=rf"^node_modules/{name} is not the file .*npm ci"):
            build(tree, tree / "dist")
        changed.touch()
    check_old_build(tree)


def test_a_file_that_is_not_on_the_list_is_not_taken(tree, tmp_path_factory):
    copy_listed_files(ROOT, tree)
    (tree / "node_modules" / "@pyscript/core/src/stdlib/pyscript/more.py").touch()
    (tree / "node_modules" / "pyodide" / "LICENSE").touch()
    taken = tmp_path_factory.mktemp("taken")
    copy_listed_files(tree, taken)
    names = {path.relative_to(taken).as_posix() for path in taken.rglob("*") if path.is_file()}
    assert names == {line.split("  ")[1] for line in (ROOT / LIST).read_text("utf-8").splitlines()}


def test_one_command_lists_the_files_anew(tree):
    copy_listed_files(ROOT, tree)
    command = [sys.executable, "-m", "app", "list"]
    subprocess.run(command, cwd=tree, check=True)
    assert (tree / LIST).read_bytes() == (ROOT / LIST).read_bytes()
    changed = tree / "node_modules" / "pyodide" / "pyodide.mjs"
    changed.write_bytes(changed.read_bytes() + b"\n")
    (tree / "node_modules" / "pyodide" / "LICENSE").touch()
    write_file_list(tree)
    assert len((tree / LIST).read_text("utf-8").splitlines()) == 1 + len(
        (ROOT / LIST).read_text("utf-8").splitlines()
    )
    done = subprocess.run(["sha256sum", "--check", "--quiet", LIST], cwd=tree, check=False)
    assert done.returncode == 0


def make(folder, goal, **variables):
    """What make says in a folder with this project's Makefile: the exit code, and all it prints."""
    shutil.copyfile(ROOT / "Makefile", folder / "Makefile")
    command = ["make", "--no-print-directory", goal]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, env=os.environ | variables
    )


def node(folder, version):
    """A search path with a Node.js of this version, as far as it says."""
    program = folder / "node"
    program.write_text(f"#!/bin/sh\necho {version}\n", encoding="utf-8")
    program.chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


@pytest.mark.parametrize("version", ["v0.12.18", "v8.17.0", "v10.0.0", "v16.20.2", "v17.9.1"])
def test_a_node_that_is_too_old_is_named(version, tmp_path):
    done = make(tmp_path, "tools", PATH=node(tmp_path, version))
    said = done.stderr.splitlines()
    assert said[0] == f"Node.js 18 or newer is needed; this is {version}"
    assert done.returncode
    assert all("make" in line for line in said[1:])


@pytest.mark.parametrize("version", ["v18.0.0", "v20.20.2", "v26.1.0", "v100.0.0"])
def test_a_node_that_is_new_enough_is_not_mentioned(version, tmp_path):
    done = make(tmp_path, "tools", PATH=node(tmp_path, version))
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_the_readme_and_npm_are_told_the_same_minimum():
    assert json.loads((ROOT / "package.json").read_text("utf-8"))["engines"] == {"node": ">=18"}
    assert "Node.js 18 or newer" in (ROOT / "README.md").read_text("utf-8")


def npm(folder, dependencies):
    """What make says of packages that npm has no record of, without a network."""
    facts = {"name": "a", "version": "1.0.0"}
    lock = {**facts, "lockfileVersion": 3, "requires": True, "packages": {"": facts}}
    (folder / "package-lock.json").write_text(json.dumps(lock), encoding="utf-8")
    asked = {**facts, "dependencies": dependencies}
    (folder / "package.json").write_text(json.dumps(asked), encoding="utf-8")
    (folder / "node_modules").mkdir()
    return make(folder, "node_modules/.ready", npm_config_offline="true")


def test_why_npm_failed_is_said(tmp_path):
    done = npm(tmp_path, {"@bleu-calculator/none": "1.2.3"})
    assert done.returncode
    assert "code ENOTCACHED" in done.stderr
    assert "bleu-calculator" in done.stderr


def test_where_npm_does_its_work_nothing_is_said(tmp_path):
    done = npm(tmp_path, {})
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
