"""The benchmark of the page in Chromium: start, bytes, and keystrokes."""

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
from app.build.runtime import INTERFACE, LIBRARY, LOADER, WASM
from app.build.single_file import SINGLE_FILE
from tests.browser.conftest import START_MS, disk_profile, launch_chromium
from tests.browser.servers import ROOT, QuietHandler, serving

ROUNDS, VISITS = 5, 3
EDITS, LONG_EDITS = 120, 20
SETTLING = 3_000
"""The pause after the start of the browser and after each visit, in milliseconds."""

STOCK = """<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
<script type="module" src="core.js"></script>
<script type="py" config='{"interpreter": "./pyodide/pyodide.mjs"}'>
from pyscript import document
document.documentElement.dataset.ready = "true"
</script>"""
"""A minimal page with PyScript's own files, as npm has them."""

BARE = """<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
<script type="module">
import { loadPyodide } from "../stock/pyodide/pyodide.mjs";
(await loadPyodide()).runPython("1 + 1");
document.documentElement.dataset.ready = "true";
</script>"""
"""A page with Pyodide alone, as npm has it."""

RECORD_READY = """
new MutationObserver((_, observer) => {
    if (!document.documentElement?.dataset.ready) return;
    observer.disconnect();
    window.readyAt = performance.now();
}).observe(document, {childList: true, subtree: true, attributeFilter: ["data-ready"]});
"""

TIMES = """[
    window.readyAt,
    performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
]"""

EDIT = """async ([box, observed, texts]) => {
    const area = document.querySelector(box), times = [], longTasks = [];
    const tasks = new PerformanceObserver((list) =>
        list.getEntries().forEach((task) => longTasks.push(task.duration)));
    tasks.observe({type: "longtask"});
    for (const text of texts) {
        const before = performance.now();
        const done = new Promise((resolve) => {
            const observer = new MutationObserver(() => { observer.disconnect(); resolve(); });
            observer.observe(document.querySelector(observed), {childList: true, subtree: true});
        });
        area.value = text;
        area.dispatchEvent(new Event("input", {bubbles: true}));
        await done;
        times.push(performance.now() - before);
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
    tasks.disconnect();
    return {times, longTasks};
}"""


def page_rows(_texts: object) -> Iterator[Any]:
    """Measure the page: start, bytes, keystrokes."""
    from tests.bench.bench import Row

    with serve_pages() as addresses, launch_chromium() as chromium:
        page, stock, pyodide, one_file = measure_starts(chromium, *addresses)
        for name, column, target in (("cold cache", 0, "≤ 0.35x"), ("warm cache", 1, "≤ 0.36x")):
            page_ms, stock_ms, pyodide_ms, file_ms = (
                statistics.median(run[column] for run in runs)
                for runs in (page, stock, pyodide, one_file)
            )
            task, baseline = f"ready for input, {name}, Chromium", "stock PyScript page"
            yield Row(task, baseline, page_ms, stock_ms, "ms", page_ms / stock_ms, target)
            task = f"for comparison: Pyodide alone, {name}"
            yield Row(task, baseline, pyodide_ms, stock_ms, "ms", pyodide_ms / stock_ms)
            task, baseline = f"the page in one file, from disk, {name}", "the page, served"
            yield Row(task, baseline, file_ms, page_ms, "ms", file_ms / page_ms)
        paint_ms, ready_ms = (statistics.median(run[column] for run in page) for column in (2, 0))
        task, baseline = "worked example readable (first paint)", "until Python is ready"
        yield Row(task, baseline, paint_ms, ready_ms, "ms", paint_ms / ready_ms, "≤ 0.22x")
        page_mb, stock_mb = (brotli_bytes(chromium, address) / 1e6 for address in addresses[:2])
        task, baseline = "bytes to ready, brotli", "stock PyScript page"
        yield Row(task, baseline, page_mb, stock_mb, "MB", page_mb / stock_mb, "≤ 1x")
        yield from keystroke_rows(chromium, addresses[0])


@contextmanager
def serve_pages() -> Iterator[tuple[str, str, str, str]]:
    """Yield the addresses of the page, a stock PyScript page, Pyodide alone, and the one file."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        build(ROOT, root / "page")
        shutil.copytree(ROOT / "node_modules" / "@pyscript" / "core" / "dist", root / "stock")
        (root / "stock" / "pyodide").mkdir()
        for file in (INTERFACE, LOADER, WASM, LIBRARY, "pyodide-lock.json"):
            shutil.copyfile(
                ROOT / "node_modules" / "pyodide" / file, root / "stock" / "pyodide" / file
            )
        (root / "stock" / "index.html").write_text(STOCK, encoding="utf-8")
        (root / "bare").mkdir()
        (root / "bare" / "index.html").write_text(BARE, encoding="utf-8")
        with serving(partial(QuietHandler, directory=folder)) as address:
            addresses = (f"{address}{name}/" for name in ("page", "stock", "bare"))
            yield (*addresses, (root / "page" / SINGLE_FILE).as_uri())


def open_ready_page(context: BrowserContext, address: str) -> Page:
    """Open a page and wait until it is ready."""
    tab = context.new_page()
    tab.add_init_script(RECORD_READY)
    tab.goto(address)
    expect(tab.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    return tab


def measure_starts(chromium: Browser, *addresses: str) -> list[list[tuple[float, float, float]]]:
    """Return the times of `measure_visits` by page, ROUNDS times each.

    The pages take turns, because the speed of the machine changes.
    """
    results: list[list[tuple[float, float, float]]] = [[] for _ in addresses]
    for _ in range(ROUNDS):
        for runs, address in zip(results, addresses, strict=True):
            runs.append(measure_visits(chromium, address))
    return results


def measure_visits(chromium: Browser, address: str) -> tuple[float, float, float]:
    """Return the times to ready at the first and last visit, and to the first paint at the first.

    All times are in milliseconds. The browser is already running, with an empty cache. At each
    visit, three words are typed, and the browser gets time to cache machine code.
    """
    with disk_profile(chromium) as context:
        context.new_page().wait_for_timeout(SETTLING)
        times = []
        for _ in range(VISITS):
            tab = open_ready_page(context, address)
            times.append(tab.evaluate(TIMES))
            if tab.locator("#seal").count():
                expect(tab.locator("html[data-sealed]")).to_have_count(1, timeout=START_MS)
                tab.locator("#hypothesis").press_sequentially("the cat sat", delay=60)
            tab.wait_for_timeout(SETTLING)
            tab.close()
    return times[0][0], times[-1][0], times[0][1]


def brotli_bytes(chromium: Browser, address: str) -> int:
    """Return the total size under brotli, in bytes, of the files requested until a page is ready.

    The compression level is brotli's default, the highest, as for files compressed in advance.
    """
    context = chromium.new_context()
    tab = context.new_page()
    requests: list[str] = []
    tab.on("request", lambda request: requests.append(request.url))
    tab.goto(address)
    expect(tab.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    files = [url for url in requests if url.startswith("http")]
    code = (
        "const zlib = require('zlib'); Promise.all(process.argv.slice(1).map(async (url) =>"
        "zlib.brotliCompressSync(Buffer.from(await (await fetch(url)).arrayBuffer())).length))"
        ".then((sizes) => console.log(sizes.reduce((a, b) => a + b)))"
    )
    command = ["node", "-e", code, *files]
    process = subprocess.run(command, capture_output=True, text=True, check=True)
    context.close()
    return int(process.stdout)


def keystroke_rows(chromium: Browser, address: str) -> Iterator[Any]:
    """Measure the time from a keystroke to marks and score, for a sentence and for full boxes."""
    from tests.bench.bench import Row

    words = "a guide to action which ensures that the military always obeys the party".split()  # noqa: SIM905
    sentence = " ".join(words[n % len(words)] for n in range(30))
    long_text = ("lorem ipsum dolor sit amet elit " * 1600)[:50_000]
    context = chromium.new_context()
    tab = open_ready_page(context, address)
    tab.locator("#add-reference").click()
    times, _ = time_edits(tab, sentence, EDITS, pause_ms=20, observed="#texts .lanes")
    median, p95 = statistics.median(times), times[int(0.95 * len(times))]
    task = "keystroke to marks and score, 30 tokens, 2 references"
    yield Row(f"{task}, median", "20 ms", median, 20, "ms", median / 20, "≤ 1x")
    yield Row(f"{task}, p95", "33 ms", p95, 33, "ms", p95 / 33, "≤ 1x")
    times, long_tasks = time_edits(tab, long_text, LONG_EDITS, pause_ms=2500, observed="#strip")
    p95, longest = times[int(0.95 * len(times))], max(long_tasks, default=0)
    task = "keystroke to score, 50,000 characters, 2 references"
    yield Row(f"{task}, p95", "150 ms", p95, 150, "ms", p95 / 150, "≤ 1x")
    yield Row(f"{task}, longest task", "100 ms", longest, 100, "ms", longest / 100, "≤ 1x")
    context.close()


def time_edits(
    tab: Page, text: str, edits: int, pause_ms: int, observed: str
) -> tuple[list[float], list[float]]:
    """Return the times until an element has changed, sorted, and of long tasks, in milliseconds.

    The first five edits are left out.
    """
    for number in (1, 2):
        tab.locator(f"#reference-{number}").fill(text.replace("which", "that"))
    tab.locator("#hypothesis").fill(text)
    tab.wait_for_timeout(3000)
    texts = [f"{text} {n}" for n in range(edits)]
    result = tab.evaluate(EDIT.replace("PAUSE", str(pause_ms)), ["#hypothesis", observed, texts])
    return sorted(result["times"][5:]), result["longTasks"]


if __name__ == "__main__":
    for row in page_rows(None):
        print(row, flush=True)
