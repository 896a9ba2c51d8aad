"""The build: its files, reproducibility, the memory snapshot, and errors."""

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

from app.build import assemble
from app.build.assemble import FONT_PLACEHOLDER, PICTURE, SHORTENED_NOTICE, build, page_style, sizes
from app.build.docs import GUIDES
from app.build.font import subset_font
from app.build.questions import question_pages
from app.build.runtime import DIGEST_LIST, copy_listed_files, write_file_list
from app.build.single_file import SINGLE_FILE
from app.build.stdlib import HOST_ONLY, LAZY_MODULES, _without_lines, is_within, needs_browser
from app.components import WHEEL
from bleu import derive, explain
from tests.browser.servers import build_with_changes, cached_build, copy_runtime, shared_parts
from tests.build.test_snapshot import extract_snapshot
from tests.support.case_selection import fast_and_slow

pytestmark = pytest.mark.host
ROOT = Path(__file__).parents[2]

FILES = {
    ".nojekyll",
    "bleu-calculator.html",
    WHEEL,
    "docs/index.html",
    *(f"docs/{name}" for name in GUIDES),
    *(f"questions/{name}" for name in question_pages((ROOT / "index.html").read_text("utf-8"), "")),
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
    "static/lanes.mjs",
    "static/icon-192.png",
    "static/icon-512.png",
    "static/icon.svg",
    "static/manifest.webmanifest",
    "static/python.mjs",
    "static/seal.mjs",
}
HASHED_NAMES = {r"pyscript/core-\w+\.js", r"pyscript/error-\w+\.js"}
"""Patterns of PyScript's files whose names have a digest."""

START_SCRIPT = """
import { readFileSync } from "node:fs";
import { loadPyodide } from "./pyodide.mjs";
const [snapshot, stdLibURL, lockFileURL] = process.argv.slice(2);
const _loadSnapshot = readFileSync(snapshot);
const python = await loadPyodide({ _loadSnapshot, stdLibURL, lockFileURL });
console.log(python.runPython(`
import json, sys, traceback
import bleu
try:
    bleu.Settings(max_order=0)
except ValueError:
    project_trace = traceback.format_exc()
try:
    json.loads("{")
except ValueError:
    library_trace = traceback.format_exc()
[unloaded] = [list(finder.modules) for finder in sys.meta_path if hasattr(finder, "modules")]
json.dumps({
    "checks": bleu.self_check(), "loaded": sorted(sys.modules), "unloaded": unloaded,
    "project_trace": project_trace, "library_trace": library_trace,
})
`));
"""
"""Starts Python from a build's snapshot alone; prints its modules and two tracebacks."""


HOSTS = {
    "docs/embed.html": {"example.org", "moodle.example.org"},
    "docs/index.html": {"getbootstrap.com", "github.com", "pdoc.dev", "www.w3.org"},
    "index.html": {"aclanthology.org", "arxiv.org", "cloud.google.com"},
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
"""The hosts in the URLs of each file.

They occur in links for readers, in XML namespaces, and in code of the runtimes that the page never
runs and its policy would block.
"""


@pytest.fixture(scope="module")
def dist(tmp_path_factory):
    """A build of this tree."""
    return shutil.copytree(cached_build(), tmp_path_factory.mktemp("build") / "dist")


def test_build_has_exactly_these_files(dist):
    names = {name for name, _, _ in sizes(dist)}
    extra = names - FILES
    assert names >= FILES
    assert len(extra) == len(HASHED_NAMES)
    assert all(any(re.fullmatch(pattern, name) for pattern in HASHED_NAMES) for name in extra)


def test_page_loads_only_existing_files(dist):
    page = (dist / "index.html").read_text(encoding="utf-8")
    links = re.findall(r'<(?:link|script)[^>]* (?:href|src)="(?!data:)([^"]+)"', page)
    assert len(links) >= 10
    for link in links:
        assert not link.startswith("/")
        assert (dist / link).is_file(), link
    assert "<!--build:" not in page
    assert re.search(r'<html data-build="[0-9a-f]{16}"', page)


def digest(text: str) -> str:
    """Return the source expression of a content security policy for an inline element."""
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_policy_allows_only_the_inline_script(dist):
    page = (dist / "index.html").read_text(encoding="utf-8")
    [script] = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert script == (ROOT / "static" / "first.js").read_text(encoding="utf-8")
    allowed = f"'self' {digest(script)} 'wasm-unsafe-eval'"
    assert re.findall(r"script-src ([^;]+);", page) == [allowed]


def test_policy_allows_only_the_inline_style(dist):
    page = (dist / "index.html").read_text(encoding="utf-8")
    [style] = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    parts = page_style(ROOT / "static").split(FONT_PLACEHOLDER)
    assert len(parts) == 2
    data = b64encode(subset_font().content).decode()
    assert style == f'url("data:font/woff2;base64,{data}")'.join(parts)
    assert re.findall(r"style-src ([^;]+);", page) == [digest(style)]
    assert 'rel="stylesheet"' not in page


def test_files_have_only_known_hosts(dist):
    hosts_by_file: dict[str, set[str]] = {}
    for path in dist.rglob("*"):
        if path.is_file() and path.suffix not in {".wasm", ".whl", ".zip", ".png"}:
            text = path.read_bytes().decode()
            hosts = set(re.findall(r"\b(?:https?|wss?|ftp):(?:\\?/){2}([^\s/\"'`<>()\\?]+)", text))
            name = re.sub(r"-[\w-]{8}\.js$", ".js", path.relative_to(dist).as_posix())
            hosts_by_file |= {name: hosts} if hosts else {}
    own = {"one-file.invalid"}  # The base address of modules, which is never asked.
    assert hosts_by_file.pop(SINGLE_FILE) <= set.union(own, *hosts_by_file.values())
    questions = [name for name in hosts_by_file if name.startswith("questions/")]
    assert set.union(*map(hosts_by_file.pop, questions)) <= HOSTS["index.html"]
    assert hosts_by_file == HOSTS


def test_page_knows_its_address_and_its_source_only_if_the_build_does(dist, tmp_path, monkeypatch):
    page = (dist / "index.html").read_text(encoding="utf-8")
    assert 'property="og:' not in page
    assert "Source code" not in page
    assert not (dist / PICTURE).exists()
    monkeypatch.setenv("SITE_URL", "https://example.org/bleu")
    monkeypatch.setenv("SOURCE_URL", "https://example.org/code")
    with shared_parts() as patch:
        patch.setattr(assemble, "make_runtime", copy_runtime)
        build(ROOT, tmp_path / "dist")
    page = (tmp_path / "dist" / "index.html").read_text(encoding="utf-8")
    [picture] = re.findall('"og:image" content="https://example.org/bleu/(.+?)"', page)
    assert (tmp_path / "dist" / picture).read_bytes() == (ROOT / PICTURE).read_bytes()
    assert (tmp_path / "dist" / SINGLE_FILE).exists()
    assert picture not in (tmp_path / "dist" / "service-worker.js").read_text(encoding="utf-8")
    assert '<a href="https://example.org/code" rel="noreferrer">Source code</a>.' in page
    monkeypatch.setenv("SOURCE_URL", "javascript:alert(1)")
    with pytest.raises(ValueError, match=r"SOURCE_URL is 'javascript:alert\(1\)'; give"):
        build(ROOT, tmp_path / "dist")


def test_steps_cite_only_literature_that_the_page_lists(dist):
    # a sealed page allows only links that it had when it was sealed
    sources = (dist / "index.html").read_text(encoding="utf-8").partition('id="sources"')[2]
    document = explain(derive("hello world", ["hello world"], smoothing="floor", tokenizer="13a"))
    cited = {step.citation.url for step in document.steps if step.citation}
    assert len(cited) == 3
    assert [address for address in cited if f'href="{address}"' not in sources] == []


def test_page_names_third_party_software_and_licenses(dist):
    page = (dist / "index.html").read_text(encoding="utf-8")
    licenses = (dist / "licenses.txt").read_text(encoding="utf-8")
    shipped = re.findall(
        r"(\w[\w ]*) ([\d.]+) \(([\w.-]+)\)", page.split('<p id="licenses">')[1].split("</p>")[0]
    )
    assert [(name, kind) for name, _, kind in shipped] == [
        ("PyScript", "Apache-2.0"),
        ("Pyodide", "MPL-2.0"),
        ("Python", "PSF-2.0"),
        ("segno", "BSD-3-Clause"),
        ("STIX Two Math", "OFL-1.1"),
    ]
    for name, version, _ in shipped:
        assert f"\n{name} {version}\n===" in licenses
    assert licenses.startswith(f"{SHORTENED_NOTICE}\n\nThis project\n===")
    packages = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    for name, folder in (("PyScript", "@pyscript/core"), ("Pyodide", "pyodide")):
        assert f"{name} {packages[f'node_modules/{folder}']['version']} (" in page


NODE_18 = """
Object.defineProperty(performance, "now", { value: () => 1, configurable: true });
Object.defineProperty(process, "version", { value: "v18.20.8" });
delete globalThis.navigator;
"""
"""Makes any Node.js behave like version 18 where that has changed a build."""


@pytest.mark.slow
def test_build_is_reproducible_in_another_environment_and_node_18(dist, tmp_path, monkeypatch):
    (tmp_path / "node-18.cjs").write_text(NODE_18, encoding="utf-8")
    for name, value in (
        *(("TZ", "Asia/Kathmandu"), ("LANG", "de_DE.UTF-8"), ("HOME", "/nowhere")),
        ("NODE_OPTIONS", f'--require "{tmp_path / "node-18.cjs"}"'),
    ):
        monkeypatch.setenv(name, value)
    rebuilt = tmp_path / "dist"
    build(ROOT, rebuilt)
    for name, _, _ in sizes(dist):
        assert (dist / name).read_bytes() == (rebuilt / name).read_bytes(), name


@pytest.fixture(scope="module")
def restored(dist, tmp_path_factory):
    """The output of `START_SCRIPT` for the build's snapshot, under Node.js."""
    folder = tmp_path_factory.mktemp("restored")
    (folder / "empty").touch()
    header, memory = extract_snapshot((dist / "pyodide" / "pyodide.asm.wasm").read_bytes())
    (folder / "snapshot").write_bytes(header + memory)
    lock = ROOT / "node_modules" / "pyodide" / "pyodide-lock.json"
    script = dist / "pyodide" / "start.mjs"
    script.write_text(START_SCRIPT, encoding="utf-8")
    command = ["node", script, folder / "snapshot", folder / "empty", lock]
    try:
        process = subprocess.run(command, capture_output=True, text=True, check=False)
    finally:
        script.unlink()
    assert process.returncode == 0, process.stderr[-2000:]
    return json.loads(process.stdout)


def test_snapshot_has_all_modules_but_browser_only_and_lazy_ones(restored):
    assert restored["checks"] >= 6
    loaded = {name for name in restored["loaded"] if name.partition(".")[0] in {"app", "bleu"}}
    sources = [
        path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
        for folder in ("app", "bleu")
        for path in (ROOT / folder).rglob("*.py")
    ]
    shipped = {name.removesuffix(".__init__") for name in sources}
    shipped = {name for name in shipped if not is_within(name, *HOST_ONLY)}
    later = {name for name in shipped if needs_browser(name) or is_within(name, *LAZY_MODULES)}
    assert loaded == shipped - later
    unloaded = {name for name in restored["unloaded"] if name.partition(".")[0] in {"app", "bleu"}}
    assert unloaded == later
    assert {"pyscript", "pyscript.events"} < set(restored["unloaded"])


def test_modules_that_only_packages_need_are_not_shipped(restored):
    names = {*restored["loaded"], *restored["unloaded"]}
    assert "pyodide._package_loader" in names
    assert "tempfile" not in names
    assert {"shutil", "zipfile"} <= set(restored["unloaded"])  # Only XLSX files need them.


def test_traceback_of_the_project_has_line_numbers(restored):
    lines = restored["project_trace"].splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert any(re.search(r'File "bleu/core/settings\.py", line \d+, in ', line) for line in lines)
    assert "max_order is 0" in lines[-1]


def test_traceback_of_the_standard_library_has_no_line_numbers(restored):
    lines = restored["library_trace"].splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    assert any(re.search(r'File "json/decoder\.py", line None, in ', line) for line in lines)
    assert lines[-1].startswith("json.decoder.JSONDecodeError: ")


def test_stripped_code_has_no_line_for_any_instruction():
    source = (ROOT / "app" / "build" / "assemble.py").read_text("utf-8")
    codes = [compile(source, "assemble.py", "exec")]
    while codes:
        code = codes.pop()
        positions = list(_without_lines(code).co_positions())
        assert positions == [(None, None, None, None)] * (len(code.co_code) // 2)
        codes += [constant for constant in code.co_consts if isinstance(constant, type(code))]


def test_memory_has_no_path_of_the_machine(dist):
    _, memory = extract_snapshot((dist / "pyodide" / "pyodide.asm.wasm").read_bytes())
    for text in (str(ROOT), str(dist), "node_modules"):
        assert text.encode() not in memory
        assert text.encode("utf-32-le") not in memory
    assert b"bleu/core/settings.py" in memory


def test_missing_npm_packages_are_reported_with_the_command(tmp_path):
    with pytest.raises(FileNotFoundError, match="run npm ci"):
        build(tmp_path, tmp_path / "dist")


def write_old_build(folder):
    """Write a build that a failing build must leave unchanged."""
    (folder / "dist").mkdir()
    (folder / "dist" / "index.html").write_text("old", encoding="utf-8")


def check_old_build(folder):
    """Check that the old build is unchanged and no temporary folder is left."""
    assert [path.name for path in folder.iterdir() if "dist" in path.name] == ["dist"]
    assert [path.name for path in (folder / "dist").iterdir()] == ["index.html"]
    assert (folder / "dist" / "index.html").read_text("utf-8") == "old"


@pytest.mark.slow
def test_import_error_is_reported_and_the_old_build_stays(tmp_path):
    write_old_build(tmp_path)
    code = 'raise ValueError("boom")\nfrom urllib'
    message = (
        r"(?s)^app/build/stdlib\.mjs ended with an error:\n"
        r".*app/state/saved_form\.py.*ValueError: boom"
    )
    with pytest.raises(RuntimeError, match=message) as caught:
        build_with_changes(tmp_path / "dist", ("app/state/saved_form.py", "from urllib", code))
    assert len(str(caught.value)) < 5000
    check_old_build(tmp_path)


@pytest.fixture
def tree(tmp_path):
    """A folder with copies of the sources and an old build."""
    for folder in ("app", "bleu", "static"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    for file in ("index.html", "LICENSE", "pyproject.toml"):
        shutil.copyfile(ROOT / file, tmp_path / file)
    write_old_build(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("signal", fast_and_slow(1, ["INT", "TERM"]))
def test_interrupted_build_says_so_and_the_old_one_stays(signal, tree):
    copy_listed_files(ROOT, tree)
    program = tree / "node"
    program.write_text(f"#!/bin/sh\nkill -{signal} $PPID\nexec sleep 600\n", encoding="utf-8")
    program.chmod(0o755)
    path = f"{tree}{os.pathsep}{os.environ['PATH']}"
    command = [sys.executable, "-m", "app", "build"]
    process = subprocess.run(
        command, cwd=tree, capture_output=True, text=True, check=False,
        env=os.environ | {"PATH": path},
    )  # fmt: skip
    assert (process.returncode, process.stdout) == (130, "")
    assert process.stderr == "python -m app: interrupted\n"
    check_old_build(tree)


FULL = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device always full")


@pytest.mark.parametrize("device", [pytest.param("/dev/full", marks=FULL), "a pipe"])
def test_failure_to_print_the_sizes_is_at_most_one_line(device, tree):
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
        process = subprocess.run(
            [sys.executable, "-m", "app", "build"],
            cwd=tree, stdout=output, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    message = "" if device == "a pipe" else "cannot write: No space left on device\n"
    assert process.returncode == 1
    assert process.stderr.removeprefix("python -m app: error: ") == message


@pytest.mark.parametrize(
    "name",
    ["pyodide/pyodide.asm.wasm", "pyodide/python_stdlib.zip", "pyodide/package.json",
     "@pyscript/core/dist/core.js", "@pyscript/core/src/stdlib/pyscript/events.py"],
)  # fmt: skip
def test_changed_file_is_named_and_not_built(name, tree):
    copy_listed_files(ROOT, tree)
    changed = tree / "node_modules" / name
    content = changed.read_bytes()
    for new_content in (content + b" ", content[:-1000], None):
        changed.unlink()
        if new_content is not None:
            changed.write_bytes(new_content)
        with pytest.raises(ValueError, match=rf"^node_modules/{name} is not the file .*npm ci"):
            build(tree, tree / "dist")
        changed.touch()
    check_old_build(tree)


def test_unlisted_file_is_not_copied(tree, tmp_path_factory):
    copy_listed_files(ROOT, tree)
    (tree / "node_modules" / "@pyscript/core/src/stdlib/pyscript/more.py").touch()
    (tree / "node_modules" / "pyodide" / "LICENSE").touch()
    target = tmp_path_factory.mktemp("copy")
    copy_listed_files(tree, target)
    names = {path.relative_to(target).as_posix() for path in target.rglob("*") if path.is_file()}
    lines = (ROOT / DIGEST_LIST).read_text("utf-8").splitlines()
    assert names == {line.split("  ")[1] for line in lines}


def test_list_command_rewrites_the_list(tree):
    copy_listed_files(ROOT, tree)
    command = [sys.executable, "-m", "app", "list"]
    subprocess.run(command, cwd=tree, check=True)
    assert (tree / DIGEST_LIST).read_bytes() == (ROOT / DIGEST_LIST).read_bytes()
    changed = tree / "node_modules" / "pyodide" / "pyodide.mjs"
    changed.write_bytes(changed.read_bytes() + b"\n")
    (tree / "node_modules" / "pyodide" / "LICENSE").touch()
    write_file_list(tree)
    lines, old_lines = (
        (folder / DIGEST_LIST).read_text("utf-8").splitlines() for folder in (tree, ROOT)
    )
    assert len(lines) == 1 + len(old_lines)
    command = ["sha256sum", "--check", "--quiet", DIGEST_LIST]
    process = subprocess.run(command, cwd=tree, check=False)
    assert process.returncode == 0


def make(folder, goal, **variables):
    """Run make in a folder with this project's Makefile; return the process."""
    shutil.copyfile(ROOT / "Makefile", folder / "Makefile")
    command = ["make", "--no-print-directory", goal]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, env=os.environ | variables
    )


def path_with_node(folder, version):
    """Return a search path whose `node` prints this version."""
    program = folder / "node"
    program.write_text(f"#!/bin/sh\necho {version}\n", encoding="utf-8")
    program.chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


@pytest.mark.parametrize("version", ["v0.12.18", "v8.17.0", "v10.0.0", "v16.20.2", "v17.9.1"])
def test_old_node_is_named(version, tmp_path):
    process = make(tmp_path, "tools", PATH=path_with_node(tmp_path, version))
    lines = process.stderr.splitlines()
    assert lines[0] == f"Node.js 18 or newer is needed; this is {version}"
    assert process.returncode
    assert all("make" in line for line in lines[1:])


@pytest.mark.parametrize("version", ["v18.0.0", "v20.20.2", "v26.1.0", "v100.0.0"])
def test_recent_node_prints_nothing(version, tmp_path):
    process = make(tmp_path, "tools", PATH=path_with_node(tmp_path, version))
    assert (process.returncode, process.stdout + process.stderr) == (0, "")


def test_readme_and_package_json_have_the_same_minimum():
    assert json.loads((ROOT / "package.json").read_text("utf-8"))["engines"] == {"node": ">=18"}
    assert "Node.js 18 or newer" in (ROOT / "README.md").read_text("utf-8")


def make_offline(folder, dependencies):
    """Run make for npm packages without a network; return the process."""
    facts = {"name": "a", "version": "1.0.0"}
    lock = {**facts, "lockfileVersion": 3, "requires": True, "packages": {"": facts}}
    (folder / "package-lock.json").write_text(json.dumps(lock), encoding="utf-8")
    package = {**facts, "dependencies": dependencies}
    (folder / "package.json").write_text(json.dumps(package), encoding="utf-8")
    (folder / "node_modules").mkdir()
    return make(folder, "node_modules/.ready", npm_config_offline="true")


def test_failure_of_npm_is_explained(tmp_path):
    process = make_offline(tmp_path, {"@bleu-calculator/none": "1.2.3"})
    assert process.returncode
    assert "code ENOTCACHED" in process.stderr
    assert "bleu-calculator" in process.stderr


def test_success_of_npm_prints_nothing(tmp_path):
    process = make_offline(tmp_path, {})
    assert (process.returncode, process.stdout + process.stderr) == (0, "")
