"""The page in one file: modules as functions, embedded WebAssembly, and the policy."""

import gzip
import re
import subprocess
from base64 import b64decode, b64encode
from hashlib import sha256
from pathlib import Path

import pytest

from app.build import UnrecognisedError
from app.build.single_file import SINGLE_FILE, as_function, single_file
from tests.browser.servers import ROOT, cached_build

pytestmark = pytest.mark.host
SCRIPT = (ROOT / "static" / "one-file.mjs").read_text("utf-8")
WASM = "pyodide/pyodide.asm.wasm"


@pytest.fixture(scope="module")
def dist() -> Path:
    """A build of this tree."""
    return cached_build()


@pytest.fixture(scope="module")
def page(dist: Path) -> str:
    """The HTML of the page in one file."""
    return (dist / SINGLE_FILE).read_text("utf-8")


def main_script(page: str) -> str:
    """Return the one script that the page runs."""
    [script] = re.findall(r'<script type="module"[^>]*>(.*?)</script>', page, re.DOTALL)
    return script


def digest(text: str) -> str:
    """Return the source expression of a content security policy for an inline element."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def test_policy_allows_only_this_script_and_these_styles(page):
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == rules["connect-src"] == "'none'"
    head, _, _ = page.partition("</head>")
    [first_script] = re.findall(r"<script>(.*?)</script>", head, re.DOTALL)
    scripts = f"{digest(first_script)} {digest(main_script(page))}"
    assert rules["script-src"] == f"{scripts} 'wasm-unsafe-eval'"
    styles = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    assert rules["style-src"] == " ".join(map(digest, styles))


def test_webassembly_is_embedded_completely(page, dist):
    parts = re.findall(r'<script type="application/gzip">(.*?)</script>', page)
    assert max(map(len, parts)) == 65_536
    packed = b"".join(map(b64decode, parts))
    assert gzip.decompress(packed) == (dist / WASM).read_bytes()


def test_script_has_valid_syntax_and_no_imports(page, tmp_path):
    file = tmp_path / "script.mjs"
    file.write_text(main_script(page), "utf-8")
    process = subprocess.run(["node", "--check", file], capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr[:500]
    assert not re.search(
        r"^\s*(import|export)\b|(?<![\w.$])import\(", main_script(page), re.MULTILINE
    )


def test_file_is_offered_but_not_stored(dist):
    assert SINGLE_FILE not in (dist / "service-worker.js").read_text("utf-8")
    index = (dist / "index.html").read_text("utf-8")
    assert f'href="{SINGLE_FILE}" download' in index


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("export default make;", ["return { get default() { return make; } };"]),
        (
            "const a = 1;\nexport{a as b,a};",
            ["return { get b() { return a; }, get a() { return a; } };"],
        ),
        ('export{a as b}from"./c.js";', ['const reexported = await loadFromFile("x/c.js");']),
        (
            'import{a,b as c}from"../d.js";c()',
            ['const { a, b: c } = await loadFromFile("d.js");c()'],
        ),
        ('await import("./e.js"); import(f)', ['await loadFromFile("x/e.js"); loadFromFile(f)']),
        ("new URL('.', import.meta.url)", ["new URL('.', moduleMeta.url)"]),
        ("window.import(a)", ["window.import(a)"]),
    ],
)  # fmt: skip
def test_module_becomes_a_function(text, lines):
    function = as_function("x/y.js", text).splitlines()
    assert function[0] == 'defineModule("x/y.js", async (moduleMeta) => {'
    assert function[-1] == "});"
    for line in lines:
        assert line in function


@pytest.mark.parametrize(
    "text",
    ['import a from "./b.js";', 'import "./b.js";', "export function f() {}", "let moduleMeta;"],
)
def test_other_imports_and_exports_are_rejected(text):
    with pytest.raises(UnrecognisedError, match=r"^x\.js (has|uses) "):
        as_function("x.js", text)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("</body>", '<img src="a.png"></body>', "<img src="),
        pytest.param("</body>", '<a href="b">a</a></body>', "<a href=", marks=pytest.mark.slow),
        pytest.param('<link rel="manifest"', "<link", "manifest", marks=pytest.mark.slow),
        pytest.param('id="one-file"', "", "one-file", marks=pytest.mark.slow),
    ],
)
def test_page_that_refers_to_a_file_is_rejected(dist, old, new, message):
    index = (dist / "index.html").read_text("utf-8").replace(old, new)
    with pytest.raises(UnrecognisedError, match=message):
        single_file(dist, index, SCRIPT, WASM, "about")


def test_module_that_would_end_the_script_is_rejected(dist):
    index = (dist / "index.html").read_text("utf-8")
    with pytest.raises(UnrecognisedError, match="would end the script"):
        single_file(dist, index, f"{SCRIPT}// </script>", WASM, "about")
