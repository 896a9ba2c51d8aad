"""What is left of WebAssembly's exports: what the loader uses, and nothing else is touched."""

import json
import subprocess
from pathlib import Path

import pytest

from app.build.wasm_exports import trim_loader, trim_module, used_exports

ROOT = Path(__file__).parents[2]
PYODIDE = ROOT / "node_modules" / "pyodide"

LOADER = (
    "var _a,_b,_c,_d,_e,_f,_g,___heap,memory,other;"
    '_a=Module["_alpha"]=wasmExports["a"];_b=wasmExports["b"];_c=wasmExports["c"];'
    '_d=wasmExports["d"];___heap=wasmExports["__heap"].value;memory=wasmExports["memory"];'
    'wasmExports["d"]=makeWrapper_pp(wasmExports["d"]);'
    'wasmExports["ready"]();_b(memory.buffer);ccall("c")'
)

LIST = """
const compile = (file) => WebAssembly.compile(require("fs").readFileSync(file));
Promise.all(process.argv.slice(1).map(compile)).then((modules) =>
  console.log(JSON.stringify(modules.map((one) => [
    WebAssembly.Module.exports(one).map((entry) => entry.name),
    WebAssembly.Module.imports(one).map((entry) => entry.module + "." + entry.name),
  ]))));
"""


def test_needed_is_what_is_named_again_or_read_as_a_number():
    assert used_exports(LOADER) == {"b", "c", "memory", "ready", "__heap"}


def test_another_script_can_need_more():
    assert used_exports(LOADER, "Module._alpha()") == used_exports(LOADER) | {"a"}
    assert used_exports(LOADER, "{ _d } = module") == used_exports(LOADER) | {"d"}


def test_a_word_that_only_holds_a_name_is_another():
    assert used_exports(LOADER, "_aa() + $_a() + Module._alphabet") == used_exports(LOADER)


def test_a_loader_takes_no_export_that_is_not_kept():
    without = LOADER.replace("_a,", "").replace('_a=Module["_alpha"]=wasmExports["a"];', "")
    assert trim_loader(LOADER, {"d", *used_exports(LOADER)}) == without
    assert trim_loader(LOADER, {"a", "d", *used_exports(LOADER)}) == LOADER


@pytest.mark.parametrize("loader", ["", "let memory", 'exports["a"]'])
def test_a_loader_of_another_kind_is_refused(loader):
    with pytest.raises(ValueError, match="takes no exports"):
        used_exports(loader)


@pytest.mark.host
def test_of_pyodide_only_exports_are_left_out(tmp_path):
    whole = (PYODIDE / "pyodide.asm.wasm").read_bytes()
    loader, interface = (
        (PYODIDE / name).read_text(encoding="utf-8") for name in ("pyodide.asm.mjs", "pyodide.mjs")
    )
    kept = used_exports(loader, interface)
    small = trim_module(whole, kept)
    (tmp_path / "small.wasm").write_bytes(small)
    command = ["node", "-e", LIST, str(PYODIDE / "pyodide.asm.wasm"), str(tmp_path / "small.wasm")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    (names, imports), (left, same) = json.loads(done.stdout)
    assert left == [name for name in names if name in kept]
    assert set(left) == kept
    assert {"memory", "malloc", "free"} <= kept
    assert len(left) < len(names) / 10
    assert imports == same
    # nothing that is imported could come from an export
    assert not {name.partition(".")[2] for name in imports} & set(names)
    assert trim_module(whole, names) == whole
    assert trim_module(small, kept) == small
    short = trim_loader(loader, kept)
    assert used_exports(short, interface) == kept
    assert len(short) < 0.7 * len(loader)
    (tmp_path / "short.mjs").write_text(short, encoding="utf-8")
    subprocess.run(["node", "--check", tmp_path / "short.mjs"], check=True)
