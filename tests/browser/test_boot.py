"""The start: content before Python is ready, errors while it starts, and links."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from struct import pack
from threading import Semaphore

import pytest
from playwright.sync_api import Browser, BrowserContext, Route, expect

from tests.browser.conftest import (
    START_MS,
    Recorder,
    disk_profile,
    fulfill_route,
    new_context,
    open_page,
    reveal,
    wait_for_script,
)
from tests.browser.servers import QuietHandler, Site
from tests.support.case_selection import fast_and_slow

OBSERVE = """
// PyScript has run its script, which is after the page is ready.
addEventListener("py:done", () => { document.documentElement.dataset.ended = "" });
addEventListener("securitypolicyviolation", (event) => console.error("csp", event.blockedURI));
globalThis.calls = [];
for (const name of ["promising", "Suspending"]) {
  const original = WebAssembly[name];
  WebAssembly[name] = function (...args) {
    calls.push(name);
    return new.target ? new original(...args) : original(...args);
  };
}
"""
"""Records the end of the start, violations of the policy, and uses of stack switching."""


@pytest.fixture(scope="module")
def started(browser: Browser, site: str) -> Iterator[Recorder]:
    """Yield the recorder of a first visit, for tests that only look at the page."""
    context = new_context(browser)
    recorder = Recorder(context.new_page(), site)
    recorder.page.add_init_script(OBSERVE)
    open_page(recorder)
    yield recorder
    context.close()


def test_page_starts_without_errors_and_fetches_no_file_twice(started):
    page = started.page
    expect(page.locator("html[data-ended]")).to_have_count(1)
    started.check()
    repeated = {url: n for url, n in Counter(started.requests).items() if n > 1}
    assert repeated == {}
    expect(page.locator("#self-check")).to_contain_text("Self-check passed: 9 of 9 examples")
    expect(page.locator("#score")).to_have_attribute("data-value", "0.5789300674674098")


def test_policy_is_strict_and_never_violated(started):
    page = started.page
    first = page.locator('meta[http-equiv="Content-Security-Policy"]').first  # The seal adds one.
    policy = first.get_attribute("content")
    assert "default-src 'none'" in policy
    assert "unsafe-eval" not in policy.replace("wasm-unsafe-eval", "")
    assert "unsafe-inline" not in policy
    started.check()


@pytest.mark.slow
def test_policy_blocks_injected_styles(recorder):
    page = open_page(recorder)
    insert = "text => document.head.insertAdjacentHTML('beforeend', text)"
    page.evaluate(insert, "<style>body { display: none; }</style>")
    page.evaluate(insert, "<link rel=stylesheet href=static/icon.svg>")
    expect(page.locator("body")).to_have_css("display", "block")
    blocked = [text for text in recorder.complaints if "style-src 'sha256-" in text]
    assert len(blocked) == len(recorder.complaints) == 2


def test_python_uses_no_stack_switching(started):
    assert started.page.evaluate("calls") == []


@pytest.mark.slow
def test_later_visit_uses_cached_machine_code(browser: Browser, site):
    events: list[str] = []
    completed: list[object] = []
    trace_config = {"includedCategories": ["disabled-by-default-devtools.timeline"]}
    with disk_profile(browser) as context:
        for _ in range(8):
            page = context.new_page()
            devtools = context.new_cdp_session(page)
            devtools.on(
                "Tracing.dataCollected",
                lambda part: events.extend(event["name"] for event in part["value"]),
            )
            completed.clear()
            devtools.on("Tracing.tracingComplete", lambda part: completed.append(part))
            devtools.send("Tracing.start", {"traceConfig": trace_config})
            page.goto(site)
            expect(page.locator("html[data-sealed]")).to_have_count(1, timeout=START_MS)
            devtools.send("Tracing.end")
            while not completed:
                page.wait_for_timeout(100)
            if "v8.wasm.moduleCacheHit" in events:
                break
            # Chromium caches machine code after some use and some seconds
            reveal(page, "#hypothesis").press_sequentially("the cat sat on the mat", delay=60)
            page.wait_for_timeout(4000)
            page.close()
    assert "v8.wasm.streamFromResponseCallback" in events
    assert "v8.wasm.moduleCacheHit" in events


def test_without_javascript_the_worked_example_is_readable(browser: Browser, site):
    context = new_context(browser, java_script_enabled=False)
    page = context.new_page()
    page.goto(site)
    expect(page.locator("#score")).to_have_attribute("data-value", "0.5789300674674098")
    for anchor in ("tokens", "precision-4", "brevity-penalty", "score-step", "cross-check"):
        expect(page.locator(f"section#{anchor}")).to_be_visible()
    expect(page.get_by_role("heading", name="How it works")).to_be_visible()
    expect(page.locator("noscript").first).to_be_attached()
    context.close()


@pytest.mark.parametrize(
    "fragment", fast_and_slow(1, ["", "#hypothesis=of+a+link&reference=the+cat+is+on+the+mat"])
)
def test_text_typed_before_python_is_ready_is_kept_and_scored(recorder, fragment):
    page = recorder.page
    held_routes: list[Route] = []
    has_typed = False
    page.route(
        "**/*.wasm", lambda route: route.continue_() if has_typed else held_routes.append(route)
    )
    page.goto(recorder.site + fragment, wait_until="commit")
    expect(page.locator("#score")).to_have_attribute("data-value", "0.5789300674674098")
    expect(page.locator("#loading")).to_contain_text("files are here")
    reveal(page, "#hypothesis").fill("the cat is on the mat")
    if fragment:  # The example's score never stands beside the texts of a link.
        expect(page.locator("#score")).to_be_hidden()
    else:
        expect(page.locator("#calculator .stale-note")).to_be_visible()
    expect(page.locator("html[data-ready]")).to_have_count(0)
    has_typed = True
    for route in held_routes:
        route.continue_()
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    expect(page.locator("#hypothesis")).to_have_value("the cat is on the mat")
    expect(page.locator("#score")).to_have_attribute("data-value", "1.0")
    expect(page.locator("#calculator .stale-note")).to_be_hidden()


PREBUILT = ("#result-body", "#derivation")


def test_prebuilt_markup_is_kept_and_equals_what_python_renders(recorder):
    recorder.page.goto(recorder.site, wait_until="commit")
    page = recorder.page
    for part in PREBUILT:
        page.locator(f"{part} > *").first.evaluate("element => element.setAttribute('kept', '')")
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    for part in PREBUILT:
        expect(page.locator(f"{part} > [kept]")).to_have_count(1)
        page.locator(f"{part} > [kept]").evaluate("element => element.removeAttribute('kept')")
    prebuilt = [page.locator(part).inner_html() for part in PREBUILT]
    reveal(page, "#hypothesis").fill("there")
    expect(page.locator("#score")).to_have_attribute("data-value", "0.0")
    reveal(page, "#hypothesis").fill("the cat is on mat")
    expect(page.locator("#score")).to_have_attribute("data-value", "0.5789300674674098")
    for part, markup in zip(PREBUILT, prebuilt, strict=True):
        expect(page.locator(part)).to_have_js_property("innerHTML", markup)


@pytest.mark.slow
@pytest.mark.parametrize(
    "file", ["*.wasm", "pyodide.asm.mjs", "pyodide.mjs", "python.mjs", "core.js"]
)
@pytest.mark.parametrize("fault", fast_and_slow(1, ["missing", "aborted"]))
def test_missing_file_is_reported(recorder, file, fault):
    page = recorder.page
    if fault == "missing":
        page.route(f"**/{file}", lambda route: route.fulfill(status=404, body="not here"))
    else:
        page.route(f"**/{file}", lambda route: route.abort())
    page.goto(recorder.site)
    expect(page.locator("html[data-failed]")).to_have_count(1)
    expect(page.locator("#loading")).to_contain_text("Python did not start")
    expect(page.locator("#loading")).to_contain_text("try another browser")
    expect(page.locator("#score")).to_have_attribute("data-value", "0.5789300674674098")


def send_headers(handler: QuietHandler, content_type: str, size: int) -> None:
    """Begin the response with a file."""
    handler.send_response_only(200)
    handler.send_header("Content-Type", content_type)
    handler.send_header("Content-Length", str(size))
    handler.end_headers()


@pytest.mark.slow
def test_wrong_type_of_webassembly_is_reported(context, site_copy: Site):
    body = (site_copy.folder / "pyodide" / "pyodide.asm.wasm").read_bytes()

    def send_as_text(handler: QuietHandler) -> None:
        send_headers(handler, "text/plain", len(body))
        handler.wfile.write(body)

    site_copy.overrides["pyodide.asm.wasm"] = send_as_text
    page = context.new_page()
    page.goto(site_copy.address)
    expect(page.locator("html[data-failed]")).to_have_count(1)
    expect(page.locator("#loading")).to_contain_text("application/wasm")


def test_missing_support_of_webassembly_is_reported(recorder):
    recorder.page.add_init_script("delete globalThis.WebAssembly")
    recorder.page.goto(recorder.site)
    expect(recorder.page.locator("#loading")).to_contain_text("does not run WebAssembly")


def test_missing_support_of_streaming_compilation_is_reported(recorder):
    recorder.page.add_init_script("delete WebAssembly.compileStreaming")
    recorder.page.goto(recorder.site)
    expect(recorder.page.locator("#loading")).to_contain_text("try another browser")


@pytest.mark.slow
def test_stalled_start_is_reported_and_can_still_succeed(recorder):
    page = recorder.page
    held_routes: list[Route] = []
    page.clock.install()
    page.route("**/*.wasm", lambda route: held_routes.append(route))
    with page.expect_request("**/*.wasm"):
        page.goto(recorder.site, wait_until="commit")
    expect(page.locator("#loading")).to_contain_text("files are here")
    page.clock.fast_forward(120_000)
    expect(page.locator("#loading")).to_contain_text("no more data has arrived")
    expect(page.locator("html[data-failed]")).to_have_count(1)
    for route in held_routes:
        route.continue_()
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    expect(page.locator("html[data-failed]")).to_have_count(0)
    expect(page.locator("#self-check")).to_contain_text("Self-check passed")


@pytest.mark.slow
def test_slow_network_is_no_error_while_data_arrive(context, site_copy: Site):
    gate = Semaphore(0)
    body = (site_copy.folder / "pyodide" / "pyodide.asm.wasm").read_bytes()

    def send_slowly(handler: QuietHandler) -> None:
        send_headers(handler, "application/wasm", len(body))
        for start in range(0, len(body), 3_100_000):
            gate.acquire(timeout=START_MS / 1000)
            handler.wfile.write(body[start : start + 3_100_000])

    site_copy.overrides["pyodide.asm.wasm"] = send_slowly
    page = context.new_page()
    page.clock.install()
    page.goto(site_copy.address, wait_until="commit")
    size = len(body) // 1_000_000
    for received in range(3, size, 3):  # without the last part, which starts the page
        gate.release()
        expect(page.locator("#loading")).to_contain_text(f"of the largest {received} of {size} MB")
        page.clock.fast_forward(80_000)
        expect(page.locator("html[data-failed]")).to_have_count(0)
    gate.release(100)
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)


@pytest.mark.slow
@pytest.mark.parametrize("fault", fast_and_slow(1, ["missing", "aborted", "truncated", "raises"]))
def test_failing_seal_is_reported(recorder, dist: Path, fault):
    page = recorder.page
    body = (dist / "static" / "seal.mjs").read_text("utf-8")
    script = body[:1100] if fault == "truncated" else "throw new Error('no');"
    if fault == "aborted":
        page.route("**/seal.mjs", lambda route: route.abort())
    elif fault == "missing":
        page.route("**/seal.mjs", lambda route: route.fulfill(status=404, body="not here"))
    else:
        fulfill_route(page, "**/seal.mjs", script.encode(), "text/javascript")
    page.goto(recorder.site)
    expect(page.locator("#seal")).to_contain_text("Not sealed: the script that seals")
    if fault in {"missing", "aborted"}:
        expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    expect(page.locator("#seal")).to_contain_text("Not sealed")


RIGHT_SCORE, WRONG_SCORE = 0.5789300674674098, 0.5
"""The score of the first worked example, and another."""


def with_wrong_score(content: bytes) -> bytes:
    """Return the file with Python's memory in which the first example's score is wrong."""
    assert pack("<d", RIGHT_SCORE) in content
    return content.replace(pack("<d", RIGHT_SCORE), pack("<d", WRONG_SCORE))


@pytest.mark.slow
def test_failed_self_check_warns_hides_the_score_and_stops_the_start(context, site_copy: Site):
    file = site_copy.folder / "pyodide" / "pyodide.asm.wasm"
    file.write_bytes(with_wrong_score(file.read_bytes()))
    page = context.new_page()
    page.goto(site_copy.address)
    expect(page.locator("#error")).to_contain_text("Do not trust this page", timeout=START_MS)
    expect(page.locator("#error")).to_contain_text("'partial-match' gives 0.57893")
    expect(page.locator("#loading")).not_to_contain_text("Loading Python")
    expect(page.locator("#score")).to_be_hidden()
    expect(page.locator("html[data-failed]")).to_have_count(1)
    expect(page.locator("html[data-ready]")).to_have_count(0)


def test_page_opened_as_a_file_explains_what_to_do(context: BrowserContext, dist: Path):
    page = context.new_page()
    page.goto(dist.joinpath("index.html").as_uri())
    expect(page.locator("#loading")).to_contain_text("make serve")
    expect(page.locator("html[data-failed]")).to_have_count(1)


def test_own_files_have_no_url_outside_links(dist: Path):
    for path in [dist / "index.html", *(dist / "static").iterdir()]:
        text = path.read_bytes().decode("utf-8", "replace")
        text = re.sub(r'<a [^>]*href="https?://[^"]+"', "", text)
        text = re.sub(r"http://www\.w3\.org/(?:1998/Math/MathML|1999/xlink|2000/svg)", "", text)
        assert not re.findall(r"https?://[^\s\"'<>]+", text), path


def test_link_restores_texts_and_settings(recorder):
    fragment = (
        "#hypothesis=hello+world&reference=hello+world&reference=hi&smoothing=floor"
        "&smoothing-value=0.5&max-order=3&colour=red"
    )
    page = open_page(recorder, fragment)
    expect(page.locator("#hypothesis")).to_have_value("hello world")
    expect(page.locator("#reference-2")).to_have_value("hi")
    expect(page.locator("#smoothing-value")).to_have_value("0.5")
    expect(page.locator("#score")).to_have_attribute("data-value", re.compile(r"^0\.79370"))
    recorder.check()


@pytest.mark.slow
@pytest.mark.parametrize("name", fast_and_slow(1, ["nltk-method6", "nltk-method0", "no-such-one"]))
def test_any_convention_in_a_link_lets_the_page_start(tab, name):
    page = open_page(tab, f"#hypothesis=a+b&reference=a+c&convention={name}")
    expect(page.locator("#hypothesis")).to_have_value("a b")
    expect(page.locator("html[data-failed]")).to_have_count(0)
    tab.check()


@pytest.mark.slow
def test_invalid_values_in_a_link_fall_back_to_defaults(tab):
    page = open_page(tab, "#hypothesis=a&reference=a&max-order=99&smoothing=laplace&weights=2")
    expect(page.locator("#max-order")).to_have_value("4")
    expect(page.locator("#smoothing")).to_have_value("none")
    expect(page.locator("#weights")).to_have_value("")
    expect(page.locator("#error")).to_be_empty()
    tab.check()


@pytest.mark.slow
def test_link_with_texts_fills_the_form_and_link_to_a_step_does_not(tab):
    page = open_page(tab)
    reveal(page, ".steps").get_by_role("link").nth(2).click()
    expect(page).to_have_url(re.compile("#precision-2$"))
    expect(page.locator("#hypothesis")).to_have_value("the cat is on mat")
    page.evaluate("location.hash = 'hypothesis=%3Cimg+src%3Dx+onerror%3Dwindow.hacked%3D1%3E'")
    expect(page.locator("#hypothesis")).to_have_value("<img src=x onerror=window.hacked=1>")
    expect(page.locator("#hypothesis-count")).to_have_text("3 tokens")
    assert page.evaluate("window.hacked") is None
    tab.check()


IS_AT_TOP = """css => {
    const {top} = document.querySelector(css).getBoundingClientRect();
    return 0 <= top && top < 160;
}"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "part", fast_and_slow(2, ["files", "precision-2", "how-brevity", "is-30-good"])
)
def test_link_to_a_part_scrolls_there_and_stays(tab, part):
    tab.page.goto(f"{tab.site}#{part}")
    target = tab.page.locator(f"#{part}")
    expect(target).to_be_in_viewport()
    expect(tab.page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    tab.page.wait_for_timeout(300)
    wait_for_script(tab.page, IS_AT_TOP, f"#{part}")
