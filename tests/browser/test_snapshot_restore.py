"""The restored memory snapshot: Python behaves as if it had started in the page."""

import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.browser.conftest import (
    START_MS,
    Recorder,
    compare_and_score,
    new_context,
    open_page,
    open_sealed_page,
    reveal,
)
from tests.browser.servers import ROOT, Site

STOCK = (
    *("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"),
    *("python_stdlib.zip", "pyodide-lock.json"),
)

FACTS = """
import json, os, sys, time
import asyncio
streams = (sys.stdin, sys.stdout, sys.stderr)
json.dumps({
    "flags": [getattr(sys.flags, n) for n in dir(sys.flags)
              if n[0].islower() and isinstance(getattr(sys.flags, n), int)
              and n not in {"count", "index", "hash_randomization", "n_fields"}],
    "path": sys.path, "argv": sys.argv, "program": sys.executable, "prefix": sys.prefix,
    "streams": [(s.encoding, s.errors, s.line_buffering, s.isatty(), s.newlines) for s in streams],
    "encodings": [sys.getdefaultencoding(), sys.getfilesystemencoding()],
    "limits": [sys.getrecursionlimit(), sys.get_int_max_str_digits(), sys.maxsize],
    "directory": os.getcwd(),
    "environment": {k: v for k, v in os.environ.items() if k not in {"LANG", "PYTHONHASHSEED"}},
    "loop": type(asyncio.get_event_loop()).__name__,
    "clock": time.time() > 1.7e9 and time.perf_counter() >= 0,
    "platform": [sys.platform, sys.byteorder, sys.version],
})
"""
"""What Python knows of its environment, except for language and hash seed, which the build sets."""

RUN = """async ([module, code]) => {
    const {loadPyodide} = await import(module);
    return JSON.parse((await loadPyodide()).runPython(code));
}"""

TRAMPOLINE = """async () => {
    const {_module: m} = await (await import("./static/python.mjs")).loadPyodide();
    return m.HEAPU32[(m.__PyRuntime + m.HEAPU32[m.__PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET / 4]) / 4];
}"""
"""The pointer by which Python calls functions of any signature; 0 if the browser cannot."""

IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15"
    " (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1"
)

WITHOUT_TRAMPOLINE = """
const {Module} = WebAssembly;
WebAssembly.Module = new Proxy(Module, {
    construct(_, [bytes]) {
        const code = new TextDecoder("latin1").decode(bytes);
        if (code.includes("trampoline_call")) throw new WebAssembly.CompileError("unsupported");
        return new Module(bytes);
    },
});
"""
"""A browser in which WebAssembly cannot check the signature of a function."""


@pytest.mark.slow
def test_restored_python_equals_one_that_has_started(context: BrowserContext, site_copy: Site):
    folder = site_copy.folder.parent / "stock"
    folder.mkdir()
    (folder / "blank.html").write_text("<!doctype html><title>Blank</title>", encoding="utf-8")
    for name in STOCK:
        shutil.copyfile(ROOT / "node_modules" / "pyodide" / name, folder / name)
    page = context.new_page()
    page.goto(site_copy.address)
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    restored = page.evaluate(RUN, ["./static/python.mjs", FACTS])
    stock_page = context.new_page()
    stock_page.goto(f"{site_copy.address}../stock/blank.html")
    assert restored == stock_page.evaluate(RUN, ["./pyodide.mjs", FACTS])
    assert restored["streams"][1][0] == "utf-8"
    assert restored["clock"] is True


@pytest.mark.slow
def test_later_visit_equals_the_first(context: BrowserContext, site_copy: Site):
    page = open_sealed_page(context, site_copy.address)
    text = page.locator("#derivation").inner_text()
    site_copy.close()
    for _ in range(2):
        page = open_sealed_page(context, site_copy.address)
        expect(page.locator("#self-check")).to_contain_text("Self-check passed: 9 of 9 examples")
        assert page.locator("#derivation").inner_text() == text


@pytest.mark.slow
@pytest.mark.parametrize("client", ["iPhone", "no trampoline"])
def test_page_works_without_the_trampoline(browser: Browser, site: str, client):
    context = new_context(browser, user_agent=IPHONE if client == "iPhone" else None)
    recorder = Recorder(context.new_page(), site)
    if client != "iPhone":
        recorder.page.add_init_script(WITHOUT_TRAMPOLINE)
    page = open_page(recorder)
    assert page.evaluate(TRAMPOLINE) == 0
    reveal(page, "#hypothesis").fill("the cat is on the mat")
    expect(page.locator("#score")).to_have_attribute("data-value", "1.0")
    compare_and_score(page)
    recorder.check()
    context.close()


@pytest.mark.slow
def test_trampoline_is_used_if_the_browser_supports_it(recorder: Recorder):
    assert open_page(recorder).evaluate(TRAMPOLINE) > 0


@pytest.mark.slow
def test_webassembly_without_a_snapshot_is_reported(context: BrowserContext, site_copy: Site):
    content = (ROOT / "node_modules" / "pyodide" / "pyodide.asm.wasm").read_bytes()
    (site_copy.folder / "pyodide" / "pyodide.asm.wasm").write_bytes(content)
    page = context.new_page()
    page.goto(site_copy.address)
    expect(page.locator("#loading")).to_contain_text("Python did not start")
    expect(page.locator("#score")).to_have_attribute("data-value", "0.5789300674674098")


@pytest.mark.slow
def test_snapshot_takes_no_request_of_its_own(recorder: Recorder, dist: Path):
    open_page(recorder)
    urls = [url for url in recorder.requests if "/pyodide/" in url]
    assert len(urls) == len(set(urls)) == 3
    assert (dist / "pyodide" / "pyodide.asm.wasm").stat().st_size > 12e6
