"""What can go wrong around the page and in it: it is said in words, and nothing typed is lost."""

import shutil
from functools import partial
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from threading import Event

import pytest
from playwright.sync_api import BrowserContext, expect

from app.build.csp import policy
from tests.browser.conftest import (
    PYTHON_FILE,
    START_MS,
    Recorder,
    changed_python_file,
    fulfill_route,
    open_page,
    open_sealed_page,
    reveal,
)
from tests.browser.servers import QuietHandler, Site, cached_build, deploy_newer_build


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "kind"),
    [
        ("pyodide/pyodide.asm.wasm", "application/wasm"),
        pytest.param("pyodide/pyodide.mjs", "text/javascript", marks=pytest.mark.slow),
        ("pyodide/pyodide.asm.mjs", "text/javascript"),
        pytest.param("pyscript/core.js", "text/javascript", marks=pytest.mark.slow),
    ],
)
def test_a_file_that_is_cut_short_is_said(recorder: Recorder, dist: Path, file, kind):
    page = recorder.page
    body = (dist / file).read_bytes()
    fulfill_route(page, f"**/{file}", body[: len(body) // 2], kind)
    page.goto(recorder.site)
    expect(page.locator("html[data-failed]")).to_have_count(1)
    expect(page.locator("#loading")).to_contain_text("Python did not start")
    expect(page.locator("#score")).to_have_attribute("data-value", "0.5789300674674098")
    reveal(page, "#hypothesis").fill("what is typed stays")
    expect(page.locator("#hypothesis")).to_have_value("what is typed stays")


@pytest.mark.parametrize("reason", ["aborted", "missing"])
def test_a_start_that_does_not_come_is_said(recorder: Recorder, reason: str):
    page = recorder.page
    answer = {
        "aborted": lambda route: route.abort(),
        "missing": lambda route: route.fulfill(status=404),
    }
    page.route("**/static/boot.mjs", answer[reason])
    page.goto(recorder.site)
    expect(page.locator("html[data-failed]")).to_have_count(1)
    expect(page.locator("#loading")).to_contain_text("could not be loaded (http")
    expect(page.locator("#loading")).to_contain_text("static/boot.mjs). Reload the page.")
    expect(page.locator("#score")).to_have_attribute("data-value", "0.5789300674674098")


@pytest.mark.slow
def test_python_that_raises_at_the_start_is_said(recorder: Recorder):
    page = recorder.page
    raising = changed_python_file(
        "app/main.py", "\nPage().start()\n", '\nraise RuntimeError("boom")\n'
    )
    fulfill_route(page, f"**/{PYTHON_FILE}", raising)
    page.goto(recorder.site)
    expect(page.locator("#loading")).to_contain_text("stopped with an error", timeout=START_MS)
    expect(page.locator("html[data-ready]")).to_have_count(0)
    expect(page.locator("#score")).to_have_attribute("data-value", "0.5789300674674098")


@pytest.mark.slow
def test_python_that_raises_later_is_said_and_goes_on(recorder: Recorder):
    page = recorder.page
    raising = changed_python_file(
        "app/score/controller.py",
        "snapshot = build_snapshot(inputs)",
        'snapshot = build_snapshot(inputs) if inputs.hypothesis != "boom" else {}["boom"]',
    )
    fulfill_route(page, f"**/{PYTHON_FILE}", raising)
    open_page(recorder)
    reveal(page, "#hypothesis").fill("boom")
    expect(page.locator("#error")).to_contain_text("The page itself failed, and your texts are")
    expect(page.locator("#error")).to_contain_text("KeyError('boom')")
    expect(page.locator("#hypothesis")).to_have_value("boom")
    reveal(page, "#hypothesis").fill("the cat is on the mat")
    expect(page.locator("#error")).to_be_empty()
    expect(page.locator("#score")).to_have_attribute("data-value", "1.0")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("error", "words"),
    [
        ("KeyError('boom')", "The page itself failed, and your files are untouched: KeyError"),
        pytest.param(
            "MemoryError",
            "The browser has no memory left for this; try it in parts.",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_work_on_files_that_fails_is_said_and_goes_on(recorder: Recorder, error, words):
    page = recorder.page
    step = "        yield analyse(hypothesis, references, settings).statistics\n"
    raising = changed_python_file("app/files/scoring.py", step, f"{step}        raise {error}\n")
    fulfill_route(page, f"**/{PYTHON_FILE}", raising)
    open_page(recorder)
    reveal(page, "#corpus-system").fill("a b c d")
    reveal(page, "#corpus-references").fill("a b c d")
    for _ in range(2):
        reveal(page, "#corpus-run").click()
        expect(page.locator("#corpus-error")).to_contain_text(words)
        expect(page.locator("#corpus-cancel")).to_be_hidden()
    expect(page.locator("#corpus-system")).to_have_value("a b c d")
    reveal(page, "#hypothesis").fill("the cat is on the mat")
    expect(page.locator("#score")).to_have_attribute("data-value", "1.0")


BLOCKED = """
for (const name of ["indexedDB", "localStorage", "sessionStorage", "caches"])
    Object.defineProperty(window, name, {
        configurable: true,
        get() { throw new DOMException("The operation is insecure.", "SecurityError"); },
    });
"""
"""Storage as a browser refuses it where cookies are blocked."""


def later(gate: Event, handler: QuietHandler) -> None:
    """A file that hangs until it is let go."""
    gate.wait(START_MS / 1000)
    SimpleHTTPRequestHandler.do_GET(handler)


def test_where_all_storage_is_blocked_it_works(recorder: Recorder):
    recorder.page.add_init_script(BLOCKED)
    page = open_page(recorder)
    reveal(page, "#hypothesis").fill("the cat is on the mat")
    expect(page.locator("#score")).to_have_attribute("data-value", "1.0")
    reveal(page, "#more summary").click()
    reveal(page, "#keep-texts").check()
    expect(page.locator("#notice")).to_contain_text("they will not survive a reload")
    expect(page.locator("#hypothesis")).to_have_value("the cat is on the mat")


@pytest.mark.slow
def test_where_a_database_cannot_be_opened_it_works(recorder: Recorder):
    recorder.page.add_init_script(
        "IDBFactory.prototype.open = () => { throw new DOMException('no', 'UnknownError'); };"
    )
    page = open_page(recorder)
    reveal(page, "#hypothesis").fill("the cat is on the mat")
    expect(page.locator("#score")).to_have_attribute("data-value", "1.0")


@pytest.mark.slow
def test_where_the_quota_is_exceeded_nothing_is_stored_and_it_works(
    context: BrowserContext, site_copy: Site
):
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


COUNT = """navigator.serviceWorker.addEventListener("message", ({data}) => {
    const {dataset} = document.documentElement;
    if (data === "stored") dataset.stored = Number(dataset.stored ?? 0) + 1;
});"""


@pytest.mark.slow
def test_a_page_that_is_long_in_being_stored_is_sealed_meanwhile(
    context: BrowserContext, site_copy: Site
):
    gates = {name: Event() for name in ("licenses.txt", "icon-512.png")}
    for name, gate in gates.items():
        site_copy.overrides[name] = partial(later, gate)
    page = context.new_page()
    page.add_init_script(COUNT)
    page.clock.install()
    page.goto(site_copy.address)
    expect(page.locator("#seal")).to_contain_text("Not sealed yet", timeout=START_MS)
    page.clock.fast_forward(10_000)
    gates["licenses.txt"].set()
    # the page, its documentation, licences, Pyodide, PyScript, boot, guard, the small icon
    expect(page.locator("html[data-stored='12']")).to_have_count(1, timeout=START_MS)
    page.clock.fast_forward(10_000)
    expect(page.locator("#seal")).to_contain_text("Not sealed yet")
    page.clock.fast_forward(10_000)
    expect(page.locator("html[data-sealed]")).to_have_count(1)
    expect(page.locator("#seal")).to_contain_text("refuses every connection")
    expect(page.locator("#seal")).to_contain_text("not stored for use without a network yet")
    gates["icon-512.png"].set()
    expect(page.locator("#seal")).to_contain_text("opens without a network", timeout=START_MS)


@pytest.mark.slow
def test_a_tab_that_is_come_back_to_shows_what_it_scores(context: BrowserContext, site_copy: Site):
    page = open_sealed_page(context, site_copy.address)
    reveal(page, "#hypothesis").fill("the cat is on the mat")
    reveal(page, "#max-order").select_option("2")
    expect(page.locator("#score")).to_have_attribute("data-value", "1.0")
    page.goto("about:blank")
    page.go_back()
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    typed = page.locator("#hypothesis").input_value()
    value = {"the cat is on the mat": "1.0", "the cat is on mat": "0.5789300674674098"}[typed]
    order = {"1.0": "2", "0.5789300674674098": "4"}[value]
    expect(page.locator("#score")).to_have_attribute("data-value", value)
    expect(page.locator("#max-order")).to_have_value(order)


@pytest.mark.slow
def test_two_tabs_and_a_new_build_taken_over_in_one(context: BrowserContext, site_copy: Site):
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


BROKEN = """if (path !== "./" && /FILES/.test(path)) {
    self.broken ??= clientId;
    if (TIMES === "ever" || self.broken === clientId) return Response.error();
  }
"""
"""A service worker whose answers to a page break off, as Chromium breaks them off at times."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("times", "files"),
    [
        ("ever", "boot"),
        # all of them, or one of those that the page, a module, or WebAssembly asks for
        *(("once", files) for files in (".", "boot", "core.js", "asm.mjs", "wasm")),
    ],
)
def test_a_start_that_is_broken_off_is_made_once_more(
    context: BrowserContext, site_copy: Site, times: str, files: str
):
    line = "  const response = !leaving &&"
    broken = BROKEN.replace("TIMES", f'"{times}"').replace("FILES", files)
    shutil.rmtree(site_copy.folder)
    shutil.copytree(
        cached_build("static/service-worker.js", line, f"  {broken}{line}"), site_copy.folder
    )
    page = open_sealed_page(context, site_copy.address)
    visits: list[str] = []
    page.on("request", lambda one: visits.append(one.url) if one.is_navigation_request() else None)
    page.reload()
    if times == "once":
        expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    else:
        expect(page.locator("#loading")).to_contain_text("static/boot.mjs). Reload the page.")
    assert visits == [site_copy.address] * 2


@pytest.mark.slow
def test_a_new_build_taken_over_while_a_tab_still_loads_starts_it_again(
    context: BrowserContext, site_copy: Site
):
    first = open_sealed_page(context, site_copy.address)
    deploy_newer_build(site_copy, "Newer")
    first.reload()
    expect(first.locator("#update")).to_be_visible(timeout=START_MS)
    second = context.new_page()
    # it holds its breath between its page and its modules
    second.add_init_script("window.requestAnimationFrame = () => 0; window.setTimeout = () => 0;")
    second.goto(site_copy.address)
    expect(second.locator("h1")).to_have_text("BLEU calculator")
    expect(second.locator("html[data-ready]")).to_have_count(0)
    reveal(first, "#take-over").click()
    expect(second.locator("h1")).to_have_text("Newer BLEU calculator", timeout=START_MS)


@pytest.mark.slow
def test_a_file_too_large_for_a_browser_is_refused_before_it_is_read(recorder: Recorder):
    page = open_page(recorder)
    page.evaluate(
        """() => {
            const given = new DataTransfer();
            given.items.add(new File(Array(101).fill("x".repeat(2 ** 20)), "huge.txt"));
            document.querySelector('[data-slot="system"]').dispatchEvent(
                new DragEvent("drop", {dataTransfer: given, bubbles: true, cancelable: true}));
        }"""
    )
    expect(page.locator("#corpus-error")).to_contain_text("huge.txt has 101 MB")
    expect(page.locator(".opened li")).to_have_count(0)
    recorder.check()


@pytest.mark.slow
def test_a_browser_without_mathml_draws_fractions_all_the_same(recorder: Recorder, dist: Path):
    page = recorder.page
    text = (dist / "index.html").read_text("utf-8")
    style = text.partition("<style>")[2].partition("</style>")[0]
    known, unknown = "@supports not (math-style: normal)", "@supports (math-style: normal)"
    assert known in style
    other = style.replace(known, unknown).replace("display: inline math;", "display: inline;")
    first = text.partition("<script>")[2].partition("</script>")[0]
    text = text.replace(style, other).replace(policy(first, style), policy(first, other))
    fulfill_route(page, recorder.site, text.encode(), "text/html")
    open_page(recorder)
    fraction = reveal(page, "#precision-2 mfrac").first
    assert "flex" in fraction.evaluate("node => getComputedStyle(node).display")
    above, below = (fraction.locator(f"> :nth-child({n})").bounding_box() for n in (1, 2))
    assert above["y"] + above["height"] <= below["y"] + 1
    assert (
        page.locator("math msup > :last-child").first.evaluate(
            "node => getComputedStyle(node).verticalAlign"
        )
        == "super"
    )
