"""Faults of network, storage and code: they are reported, and no typed text is lost."""

import re
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler
from threading import Event

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import (
    START_MS,
    Recorder,
    new_context,
    open_page,
    open_sealed_page,
    reveal,
)
from tests.browser.servers import QuietHandler, Site, cached_build, deploy_newer_build, serving


@pytest.mark.slow
@pytest.mark.parametrize(
    "file",
    [*(f"pyodide/pyodide.{end}" for end in ("asm.wasm", "mjs", "asm.mjs")), "pyscript/core.js"],
)
def test_truncated_file_is_reported(context: BrowserContext, site_copy: Site, file):
    body = (site_copy.folder / file).read_bytes()
    (site_copy.folder / file).write_bytes(body[: len(body) // 2])
    page = context.new_page()
    page.goto(site_copy.address)
    expect(page.locator("html[data-failed]")).to_have_count(1)
    expect(page.locator("#loading")).to_contain_text("Python did not start")
    expect(page.locator("#score")).to_have_attribute("data-value", "0.5789300674674098")
    reveal(page, "#hypothesis").fill("what is typed stays")
    expect(page.locator("#hypothesis")).to_have_value("what is typed stays")


@pytest.mark.parametrize("reason", ["aborted", "missing"])
def test_missing_start_script_is_reported(recorder: Recorder, reason: str):
    page = recorder.page
    answers = {
        "aborted": lambda route: route.abort(),
        "missing": lambda route: route.fulfill(status=404),
    }
    page.route("**/static/boot.mjs", answers[reason])
    page.goto(recorder.site)
    expect(page.locator("html[data-failed]")).to_have_count(1)
    expect(page.locator("#loading")).to_contain_text("could not be loaded (http")
    expect(page.locator("#loading")).to_contain_text("static/boot.mjs). Reload the page.")
    expect(page.locator("#score")).to_have_attribute("data-value", "0.5789300674674098")


RAISING = (
    (
        "app/score/controller.py",
        "snapshot = build_snapshot(inputs)",
        'snapshot = build_snapshot(inputs) if inputs.hypothesis != "boom" else {}["boom"]',
    ),
    ("app/files/scoring.py", "checked.rows()", "failing(checked.rows())"),
    (
        "app/files/scoring.py",
        "    checked = CheckedSegments(MAX_CHECKED_SEGMENTS, texts)\n",
        "    def failing(rows):\n"
        "        for row in rows:\n"
        '            if row[0] == "boom":\n                raise KeyError("boom")\n'
        '            if row[0] == "too much":\n                raise MemoryError\n'
        "            yield row\n"
        "    checked = CheckedSegments(MAX_CHECKED_SEGMENTS, texts)\n",
    ),
    (
        "app/files/reading.py",
        "        lines += new_lines\n",
        "        lines += new_lines\n"
        '        if lines == ["unreadable"]:\n            raise KeyError("boom")\n'
        '        if lines == ["too large"]:\n            raise MemoryError\n',
    ),
    (
        "app/main.py",
        "\nPage().start()\n",
        '\nif document.location.hash == "#boom":\n    raise RuntimeError("boom")\nPage().start()\n',
    ),
)
"""Changes that make the page raise errors for some texts, some files, and the fragment “boom”."""


@pytest.fixture(scope="module")
def raising_site() -> Iterator[str]:
    """Yield the URL of a build with the changes `RAISING`."""
    with serving(partial(QuietHandler, directory=str(cached_build(*RAISING)))) as address:
        yield address


@pytest.fixture(scope="module")
def raising(browser: Browser, raising_site: str) -> Iterator[Recorder]:
    """Yield the recorder of the module's page of that build."""
    context = new_context(browser)
    recorder = Recorder(context.new_page(), raising_site)
    open_page(recorder)
    yield recorder
    context.close()


@pytest.mark.slow
def test_error_while_python_starts_is_reported(context: BrowserContext, raising_site: str):
    page = context.new_page()
    page.goto(f"{raising_site}#boom")
    expect(page.locator("#loading")).to_contain_text("stopped with an error", timeout=START_MS)
    expect(page.locator("html[data-ready]")).to_have_count(0)
    expect(page.locator("#score")).to_have_attribute("data-value", "0.5789300674674098")


def score_small_text(page: Page) -> None:
    """Assert that the page still scores a text."""
    reveal(page, "#hypothesis").fill("")
    reveal(page, "#hypothesis").fill("the cat is on the mat")
    expect(page.locator("#error")).to_be_empty()
    expect(page.locator("#score")).to_have_attribute("data-value", "1.0")


@pytest.mark.slow
def test_error_of_an_update_is_reported_and_the_next_one_works(raising: Recorder):
    page = raising.page
    reveal(page, "#hypothesis").fill("boom")
    expect(page.locator("#error")).to_contain_text("The page itself failed, and your input is")
    expect(page.locator("#error")).to_contain_text("KeyError('boom')")
    expect(page.locator("#hypothesis")).to_have_value("boom")
    score_small_text(page)


@pytest.mark.slow
def test_error_while_scoring_files_is_reported(raising: Recorder):
    page = raising.page
    reveal(page, "#corpus-references").fill("a b c d")
    for text, message in (
        ("boom", "The page itself failed, and your input is untouched: KeyError"),
        ("too much", "The browser has no memory left for this; split the files."),
    ):
        reveal(page, "#corpus-system").fill(text)
        for _ in range(2):
            reveal(page, "#corpus-run").click()
            expect(page.locator("#corpus-error")).to_contain_text(message)
            expect(page.locator("#corpus-cancel")).to_be_hidden()
        expect(page.locator("#corpus-system")).to_have_value(text)
    score_small_text(page)
    for name in ("system", "references"):
        reveal(page, f"#corpus-{name}").fill("")


@pytest.mark.slow
def test_error_while_reading_a_file_is_reported(raising: Recorder):
    page = raising.page
    raising.complaints.clear()
    for text, message, complaints in (
        ("too large", "s.txt cannot be read: the browser has no memory left for it; split", 0),
        ("unreadable", "The page itself failed, and your input is untouched: KeyError", 1),
    ):
        content = {"name": "s.txt", "mimeType": "text/plain", "buffer": f"{text}\n".encode()}
        page.locator("#corpus-system-file").set_input_files(content)
        expect(page.locator("#corpus-error")).to_contain_text(message)
        expect(page.locator("#corpus-cancel")).to_be_hidden()
        score_small_text(page)
        assert sum("boom" in complaint for complaint in raising.complaints) == complaints


BLOCK_STORAGE = """
for (const name of ["indexedDB", "localStorage", "sessionStorage", "caches"])
    Object.defineProperty(window, name, {
        configurable: true,
        get() { throw new DOMException("The operation is insecure.", "SecurityError"); },
    });
"""
"""Makes all storage throw, as in a browser that blocks cookies."""


def send_when_released(gate: Event, handler: QuietHandler) -> None:
    """Send a file as soon as the event is set."""
    gate.wait(START_MS / 1000)
    SimpleHTTPRequestHandler.do_GET(handler)


def test_page_works_if_all_storage_is_blocked(recorder: Recorder):
    recorder.page.add_init_script(BLOCK_STORAGE)
    page = open_page(recorder)
    reveal(page, "#hypothesis").fill("the cat is on the mat")
    expect(page.locator("#score")).to_have_attribute("data-value", "1.0")
    reveal(page, "#more summary").click()
    reveal(page, "#keep-texts").check()
    expect(page.locator("#notice")).to_contain_text("because this browser blocks storage")
    expect(page.locator("#hypothesis")).to_have_value("the cat is on the mat")


@pytest.mark.slow
def test_page_works_if_no_database_can_be_opened(recorder: Recorder):
    recorder.page.add_init_script(
        "IDBFactory.prototype.open = () => { throw new DOMException('no', 'UnknownError'); };"
    )
    page = open_page(recorder)
    reveal(page, "#hypothesis").fill("the cat is on the mat")
    expect(page.locator("#score")).to_have_attribute("data-value", "1.0")


@pytest.mark.slow
def test_page_works_if_the_storage_quota_is_exceeded(context: BrowserContext, site_copy: Site):
    page = context.new_page()
    client = context.new_cdp_session(page)
    origin = site_copy.address.split("/some/")[0]
    client.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": 1_000_000})
    page.goto(site_copy.address)
    expect(page.locator("html[data-sealed]")).to_have_count(1, timeout=START_MS)
    expect(page.locator("#seal")).to_contain_text("a file could not be stored")
    assert page.evaluate("caches.keys()") == []
    reveal(page, "#hypothesis").fill("the cat is on the mat")
    expect(page.locator("#score")).to_have_attribute("data-value", "1.0")


COUNT_STORED = """navigator.serviceWorker.addEventListener("message", ({data}) => {
    const {dataset} = document.documentElement;
    if (data === "stored") dataset.stored = Number(dataset.stored ?? 0) + 1;
});"""


@pytest.mark.slow
def test_page_is_sealed_while_a_slow_file_is_stored(context: BrowserContext, site_copy: Site):
    gates = {name: Event() for name in ("licenses.txt", "icon-512.png")}
    for name, gate in gates.items():
        site_copy.overrides[name] = partial(send_when_released, gate)
    page = context.new_page()
    page.add_init_script(COUNT_STORED)
    page.clock.install()
    page.goto(site_copy.address)
    expect(page.locator("#seal")).to_contain_text("Not sealed yet", timeout=START_MS)
    page.clock.fast_forward(10_000)
    gates["licenses.txt"].set()
    worker = (site_copy.folder / "service-worker.js").read_text()
    stored = re.findall(r'"(.+)": "[0-9a-f]{64}"', worker).index("static/icon-512.png")
    expect(page.locator(f"html[data-stored='{stored}']")).to_have_count(1, timeout=START_MS)
    page.clock.fast_forward(10_000)
    expect(page.locator("#seal")).to_contain_text("Not sealed yet")
    page.clock.fast_forward(10_000)
    expect(page.locator("html[data-sealed]")).to_have_count(1)
    expect(page.locator("#seal")).to_contain_text("nothing in a pasted text can send it anywhere")
    expect(page.locator("#seal")).to_contain_text("not stored for use without a network yet")
    gates["icon-512.png"].set()
    expect(page.locator("#seal")).to_contain_text("opens without a network", timeout=START_MS)


@pytest.mark.slow
def test_page_after_going_back_shows_a_matching_score(context: BrowserContext, site_copy: Site):
    page = open_sealed_page(context, site_copy.address)
    reveal(page, "#hypothesis").fill("the cat is on the mat")
    reveal(page, "#max-order").select_option("2")
    expect(page.locator("#score")).to_have_attribute("data-value", "1.0")
    page.goto("about:blank")
    page.go_back()
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    text = page.locator("#hypothesis").input_value()
    value = {"the cat is on the mat": "1.0", "the cat is on mat": "0.5789300674674098"}[text]
    order = {"1.0": "2", "0.5789300674674098": "4"}[value]
    expect(page.locator("#score")).to_have_attribute("data-value", value)
    expect(page.locator("#max-order")).to_have_value(order)


@pytest.mark.slow
def test_new_build_activated_in_one_tab_leaves_the_other_working(
    context: BrowserContext, site_copy: Site
):
    first, second = (
        open_sealed_page(context, site_copy.address),
        open_sealed_page(context, site_copy.address),
    )
    reveal(second, "#hypothesis").fill("typed in the other tab")
    deploy_newer_build(site_copy, "Newer")
    first.reload()
    expect(first.locator("#update")).to_be_visible(timeout=START_MS)
    reveal(first, "#take-over").click()
    expect(first.locator("h1")).to_have_text("Newer BLEU calculator", timeout=START_MS)
    expect(first.locator("html[data-sealed]")).to_have_count(1, timeout=START_MS)
    expect(second.locator("h1")).to_have_text("BLEU calculator")
    expect(second.locator("#hypothesis")).to_have_value("typed in the other tab")
    reveal(second, "#hypothesis").fill("the cat is on the mat")
    expect(second.locator("#score")).to_have_attribute("data-value", "1.0")
    second.reload()
    expect(second.locator("h1")).to_have_text("Newer BLEU calculator")
    expect(second.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)


ABORT = """if (path !== "./" && /FILES/.test(path)) {
    self.aborted ??= clientId;
    if (TIMES === "always" || self.aborted === clientId) return Response.error();
  }
"""
"""Code for the service worker that aborts responses, as Chromium sometimes does."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("times", "files"),
    [
        ("always", "boot"),
        # all files, or a file that the page, a module or Pyodide requests
        *(("once", files) for files in (".", "boot", "core.js", "asm.mjs", "wasm")),
    ],
)
def test_aborted_start_is_repeated_once(
    context: BrowserContext, site_copy: Site, times: str, files: str
):
    line = "  const response = !leaving &&"
    abort = ABORT.replace("TIMES", f'"{times}"').replace("FILES", files)
    worker = site_copy.folder / "service-worker.js"
    code = worker.read_text("utf-8")
    assert line in code
    worker.write_text(code.replace(line, f"  {abort}{line}"), "utf-8")
    page = open_sealed_page(context, site_copy.address)
    visits: list[str] = []
    page.on(
        "request",
        lambda request: visits.append(request.url) if request.is_navigation_request() else None,
    )
    page.reload()
    if times == "once":
        expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    else:
        expect(page.locator("#loading")).to_contain_text("static/boot.mjs). Reload the page.")
    assert visits == [site_copy.address] * 2


@pytest.mark.slow
def test_tab_that_is_loading_reloads_when_a_new_build_is_activated(
    context: BrowserContext, site_copy: Site
):
    first = open_sealed_page(context, site_copy.address)
    deploy_newer_build(site_copy, "Newer")
    first.reload()
    expect(first.locator("#update")).to_be_visible(timeout=START_MS)
    second = context.new_page()
    # stops the start before the modules are imported
    second.add_init_script("window.requestAnimationFrame = () => 0; window.setTimeout = () => 0;")
    second.goto(site_copy.address)
    expect(second.locator("h1")).to_have_text("BLEU calculator")
    expect(second.locator("html[data-ready]")).to_have_count(0)
    reveal(first, "#take-over").click()
    expect(second.locator("h1")).to_have_text("Newer BLEU calculator", timeout=START_MS)


@pytest.mark.slow
def test_too_large_file_is_rejected_before_it_is_read(recorder: Recorder):
    page = open_page(recorder)
    page.evaluate(
        """() => {
            const transfer = new DataTransfer();
            transfer.items.add(new File(Array(101).fill("x".repeat(2 ** 20)), "huge.txt"));
            document.querySelector('[data-slot="system"]').dispatchEvent(
                new DragEvent("drop", {dataTransfer: transfer, bubbles: true, cancelable: true}));
        }"""
    )
    expect(page.locator("#corpus-error")).to_contain_text("huge.txt has 101 MB")
    expect(page.locator(".opened li")).to_have_count(1)
    expect(page.locator(".opened .refused")).to_contain_text("Not read: huge.txt has 101 MB")
    recorder.check()
