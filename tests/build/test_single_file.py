"""The page in one file: modules as functions, all of it inside, and a policy for exactly that."""

import gzip
import re
import subprocess
from base64 import b64decode, b64encode
from hashlib import sha256
from pathlib import Path

import pytest

from app.build.single_file import NAME, as_function, single_file
from app.build.unrecognised import UnrecognisedError
from tests.browser.servers import ROOT, cached_build

pytestmark = pytest.mark.host
SCRIPT = (ROOT / "static" / "one-file.mjs").read_text("utf-8")
WASM = "pyodide/pyodide.asm.wasm"


@pytest.fixture(scope="module")
def dist() -> Path:
    return cached_build()


@pytest.fixture(scope="module")
def page(dist: Path) -> str:
    return (dist / NAME).read_text("utf-8")


def script_of(page: str) -> str:
    [script] = re.findall(r'<script type="module"[^>]*>(.*?)</script>', page, re.DOTALL)
    return script


def digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def test_the_policy_allows_this_script_and_these_styles_alone(page):
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == rules["connect-src"] == "'none'"
    assert rules["script-src"] == f"{digest(script_of(page))} 'wasm-unsafe-eval'"
    styles = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    assert rules["style-src"] == " ".join(map(digest, styles))


def test_webassembly_is_in_it_to_the_last_byte(page, dist):
    parts = re.findall(r'<script type="application/gzip">(.*?)</script>', page)
    assert max(map(len, parts)) == 65_536
    packed = b"".join(map(b64decode, parts))
    assert gzip.decompress(packed) == (dist / WASM).read_bytes()


def test_the_script_is_one_that_node_reads(page, tmp_path):
    file = tmp_path / "script.mjs"
    file.write_text(script_of(page), "utf-8")
    done = subprocess.run(["node", "--check", file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:500]
    assert not re.search(
        r"^\s*(import|export)\b|(?<![\w.$])import\(", script_of(page), re.MULTILINE
    )


def test_it_is_not_stored_and_the_page_offers_it(dist):
    assert NAME not in (dist / "service-worker.js").read_text("utf-8")
    index = (dist / "index.html").read_text("utf-8")
    assert f'href="{NAME}" download' in index


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
def test_a_module_becomes_a_function(text, lines):
    made = as_function("x/y.js", text).splitlines()
    assert made[0] == 'defineModule("x/y.js", async (moduleMeta) => {'
    assert made[-1] == "});"
    for line in lines:
        assert line in made


@pytest.mark.parametrize(
    "text",
    ['import a from "./b.js";', 'import "./b.js";', "export function f() {}", "let moduleMeta;"],
)
def test_what_cannot_be_put_into_one_file_is_refused(text):
    with pytest.raises(UnrecognisedError, match=r"^x\.js has "):
        as_function("x.js", text)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("</body>", '<img src="a.png"></body>', "<img src="),
        ("</body>", '<a href="other.html">a</a></body>', "<a href="),
        ('<link rel="manifest"', "<link", "manifest"),
        ('id="one-file"', "", "one-file"),
    ],
)
def test_a_page_that_needs_something_beside_it_is_refused(dist, old, new, message):
    index = (dist / "index.html").read_text("utf-8").replace(old, new)
    with pytest.raises(UnrecognisedError, match=message):
        single_file(dist, index, SCRIPT, WASM, "about")


def test_a_module_that_would_end_the_script_is_refused(dist):
    index = (dist / "index.html").read_text("utf-8")
    with pytest.raises(UnrecognisedError, match="would end the script"):
        single_file(dist, index, f"{SCRIPT}// </script>", WASM, "about")
