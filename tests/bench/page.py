"""The page, measured in Chromium: from nothing to ready, and from a keystroke to the derivation."""

import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, expect

from app.build.assemble import build
from app.build.runtime import INTERFACE, LIBRARY, LOADER, LOCK, WASM
from app.build.single_file import NAME
from tests.browser.conftest import START_MS, disk_profile, launch_chromium
from tests.browser.servers import ROOT, QuietHandler, serving

ROUNDS, VISITS = 5, 3
SETTLING = 3_000
"""Milliseconds that a browser gets after its own start, and after each visit."""
FRAME = 1000 / 60
EDITS, LONG_EDITS = 120, 20

STOCK = """<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
<script type="module" src="core.js"></script>
<script type="py" config='{"interpreter": "./pyodide/pyodide.mjs"}'>
from pyscript import document
document.documentElement.dataset.ready = "true"
</script>"""
"""A hello-world page of PyScript's own files, as npm has them."""

BARE = """<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
<script type="module">
import { loadPyodide } from "../stock/pyodide/pyodide.mjs";
(await loadPyodide()).runPython("1 + 1");
document.documentElement.dataset.ready = "true";
</script>"""
"""Pyodide alone, as npm has it."""

WATCH = """
new MutationObserver((_, me) => {
    if (!document.documentElement?.dataset.ready) return;
    me.disconnect();
    window.readyAt = performance.now();
}).observe(document, {childList: true, subtree: true, attributeFilter: ["data-ready"]});
"""

TIMES = """[
    window.readyAt,
    performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
]"""

EDIT = """async ([box, texts]) => {
    const area = document.querySelector(box), times = [], longs = [];
    const tasks = new PerformanceObserver((list) =>
        list.getEntries().forEach((one) => longs.push(one.duration)));
    tasks.observe({type: "longtask"});
    for (const text of texts) {
        const before = performance.now();
        const done = new Promise((resolve) => {
            const seen = new MutationObserver(() => { seen.disconnect(); resolve(); });
            seen.observe(document.querySelector("#derivation"), {childList: true, subtree: true});
        });
        area.value = text;
        area.dispatchEvent(new Event("input", {bubbles: true}));
        await done;
        times.push(performance.now() - before);
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
    tasks.disconnect();
    return {times, longs};
}"""


def page(_texts: object) -> Iterator[Any]:
    """The rows of the page: start, bytes, keystrokes."""
    from tests.bench.bench import Row

    with folders() as (ours, stock, bare, file), launch_chromium() as chromium:
        mine, theirs, alone, carried = started(chromium, ours, stock, bare, file)
        for name, at in (("cold cache", 0), ("warm cache", 1)):
            one, other = (statistics.median(run[at] for run in runs) for runs in (mine, theirs))
            target = ("≤ 0.35x", "≤ 0.30x")[at]
            what = f"ready for input, {name}, Chromium"
            yield Row(what, "stock PyScript page", one, other, "ms", one / other, target)
            less = statistics.median(run[at] for run in alone)
            what = f"for comparison: Pyodide alone, {name}"
            yield Row(what, "stock PyScript page", less, other, "ms", less / other)
            opened_from_disk = statistics.median(run[at] for run in carried)
            what = f"the page in one file, from disk, {name}"
            yield Row(what, "the page, served", opened_from_disk, one, "ms", opened_from_disk / one)
        paint, ready = (statistics.median(run[at] for run in mine) for at in (2, 0))
        what = "worked example readable (first paint)"
        yield Row(what, "until Python is ready", paint, ready, "ms", paint / ready, "≤ 0.10x")
        one, other = (brotli(chromium, address) / 1e6 for address in (ours, stock))
        what = "bytes to ready, brotli"
        yield Row(what, "stock PyScript page", one, other, "MB", one / other, "≤ 1x")
        yield from keystrokes(chromium, ours)


@contextmanager
def folders() -> Iterator[tuple[str, str, str, str]]:
    """The addresses of the page, a stock PyScript page, Pyodide alone, and the page in one file."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        build(ROOT, root / "ours")
        shutil.copytree(ROOT / "node_modules" / "@pyscript" / "core" / "dist", root / "stock")
        (root / "stock" / "pyodide").mkdir()
        for file in (INTERFACE, LOADER, WASM, LIBRARY, LOCK):
            shutil.copyfile(
                ROOT / "node_modules" / "pyodide" / file, root / "stock" / "pyodide" / file
            )
        (root / "stock" / "index.html").write_text(STOCK, encoding="utf-8")
        (root / "bare").mkdir()
        (root / "bare" / "index.html").write_text(BARE, encoding="utf-8")
        with serving(partial(QuietHandler, directory=name)) as address:
            served = (f"{address}{page}/" for page in ("ours", "stock", "bare"))
            yield (*served, (root / "ours" / NAME).as_uri())


def opened(context: BrowserContext, address: str) -> Page:
    """A page that is ready."""
    tab = context.new_page()
    tab.add_init_script(WATCH)
    tab.goto(address)
    expect(tab.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    return tab


def started(chromium: Browser, *addresses: str) -> list[list[tuple[float, float, float]]]:
    """Of each page in turns, as the machine's speed changes: what `visited` finds, ROUNDS times."""
    found: list[list[tuple[float, float, float]]] = [[] for _ in addresses]
    for _ in range(ROUNDS):
        for runs, address in zip(found, addresses, strict=True):
            runs.append(visited(chromium, address))
    return found


def visited(chromium: Browser, address: str) -> tuple[float, float, float]:
    """Milliseconds to ready at the first and the third visit, and to the first paint of the first.

    The browser has come up before, and its cache is empty. Three words are typed at each visit, and
    it gets the time to keep what it has compiled.
    """
    with disk_profile(chromium) as context:
        context.new_page().wait_for_timeout(SETTLING)
        times = []
        for _ in range(VISITS):
            tab = opened(context, address)
            times.append(tab.evaluate(TIMES))
            if tab.locator("#seal").count():
                expect(tab.locator("html[data-sealed]")).to_have_count(1, timeout=START_MS)
                tab.locator("#hypothesis").press_sequentially("the cat sat", delay=60)
            tab.wait_for_timeout(SETTLING)
            tab.close()
    return times[0][0], times[-1][0], times[0][1]


def brotli(chromium: Browser, address: str) -> int:
    """The bytes of all that a page asks for until it is ready, each under brotli.

    That is, as brotli compresses unless it is told otherwise, and a host does beforehand.
    """
    context = chromium.new_context()
    tab = context.new_page()
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.goto(address)
    expect(tab.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    files = [url for url in asked if url.startswith("http")]
    code = (
        "const zlib = require('zlib'); Promise.all(process.argv.slice(1).map(async (url) =>"
        "zlib.brotliCompressSync(Buffer.from(await (await fetch(url)).arrayBuffer())).length))"
        ".then((sizes) => console.log(sizes.reduce((a, b) => a + b)))"
    )
    done = subprocess.run(["node", "-e", code, *files], capture_output=True, text=True, check=True)
    context.close()
    return int(done.stdout)


def keystrokes(chromium: Browser, address: str) -> Iterator[Any]:
    """From a keystroke to the updated derivation, for a sentence and for full boxes."""
    from tests.bench.bench import Row

    words = "a guide to action which ensures that the military always obeys the party".split()  # noqa: SIM905
    sentence = [words[n % len(words)] for n in range(30)]
    context = chromium.new_context()
    tab = opened(context, address)
    tab.locator("#add-reference").click()
    for name, size, edits, pause in (
        ("30 tokens", 30, EDITS, 20), ("50,000 characters", 0, LONG_EDITS, 1200),
    ):  # fmt: skip
        text = " ".join(sentence) if size else ("lorem ipsum dolor sit amet elit " * 1600)[:50_000]
        for number in (1, 2):
            tab.locator(f"#reference-{number}").fill(text.replace("which", "that"))
        tab.locator("#hypothesis").fill(text)
        tab.wait_for_timeout(3000)
        texts = [f"{text} {n}" for n in range(edits)]
        found = tab.evaluate(EDIT.replace("PAUSE", str(pause)), ["#hypothesis", texts])
        times = sorted(found["times"][5:])
        middle, late = statistics.median(times), times[int(0.95 * len(times))]
        what = f"keystroke to derivation, {name}, 2 references"
        if size:
            yield Row(f"{what}, median", "a frame", middle, FRAME, "ms", middle / FRAME, "≤ 1x")
            yield Row(f"{what}, p95", "a frame", late, FRAME, "ms", late / FRAME, "≤ 3x")
        else:
            yield Row(f"{what}, p95", "150 ms", late, 150, "ms", late / 150, "≤ 1x")
            longest = max(found["longs"], default=0)
            yield Row(f"{what}, longest task", "100 ms", longest, 100, "ms", longest / 100, "≤ 1x")
    context.close()


if __name__ == "__main__":
    for row in page(None):
        print(row, flush=True)
