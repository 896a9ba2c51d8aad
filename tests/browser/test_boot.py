"""Starting: what is readable before Python is up, and what is said when it does not come up."""

import re
from collections import Counter
from pathlib import Path
from threading import Semaphore

import pytest
from playwright.sync_api import Browser, BrowserContext, Route, expect

from tests.browser.conftest import (
    PYTHON_FILE,
    START_MS,
    changed_python_file,
    disk_profile,
    fulfill_route,
    new_context,
    open_page,
    reveal,
    wait_for_script,
)
from tests.browser.servers import QuietHandler, Site
from tests.support.case_selection import fast_and_slow

ENDED = "addEventListener('py:done', () => { document.documentElement.dataset.ended = '' })"
"""Marks that PyScript has run its script, which it does after the page is ready."""


def test_the_page_starts_without_a_complaint_and_fetches_nothing_twice(recorder):
    recorder.page.add_init_script(ENDED)
    page = open_page(recorder)
    expect(page.locator("html[data-ended]")).to_have_count(1)
    recorder.check()
    twice = {url: n for url, n in Counter(recorder.requests).items() if n > 1}
    assert twice == {}
    expect(page.locator("#loading")).to_contain_text("Self-check passed: 8 of 8 examples")
    expect(page.locator("#score")).to_have_attribute("data-value", "0.5789300674674098")


def test_the_policy_is_strict_and_nothing_breaks_it(recorder):
    recorder.page.add_init_script(
        "addEventListener('securitypolicyviolation', e => console.error('csp', e.blockedURI))"
    )
    page = open_page(recorder)
    policy = page.locator('meta[http-equiv="Content-Security-Policy"]').get_attribute("content")
    assert "default-src 'none'" in policy
    assert "unsafe-eval" not in policy.replace("wasm-unsafe-eval", "")
    assert "unsafe-inline" not in policy
    recorder.check()


def test_no_style_but_the_page_s_own_counts(recorder):
    page = open_page(recorder)
    add = "text => document.head.insertAdjacentHTML('beforeend', text)"
    page.evaluate(add, "<style>body { display: none; }</style>")
    page.evaluate(add, "<link rel=stylesheet href=static/icon.svg>")
    expect(page.locator("body")).to_have_css("display", "block")
    refused = [text for text in recorder.complaints if "style-src 'sha256-" in text]
    assert len(refused) == len(recorder.complaints) == 2


def test_python_runs_on_the_one_stack(recorder):
    recorder.page.add_init_script("""
      globalThis.switches = [];
      for (const name of ["promising", "Suspending"]) {
        const plain = WebAssembly[name];
        WebAssembly[name] = function (...given) {
          switches.push(name);
          return new.target ? new plain(...given) : plain(...given);
        };
      }
    """)
    page = open_page(recorder)
    assert page.evaluate("switches") == []


@pytest.mark.slow
def test_machine_code_is_found_again_at_a_later_visit(browser: Browser, site):
    events: list[str] = []
    told: list[object] = []
    traced = {"includedCategories": ["disabled-by-default-devtools.timeline"]}
    with disk_profile(browser) as context:
        for _ in range(8):
            page = context.new_page()
            devtools = context.new_cdp_session(page)
            devtools.on(
                "Tracing.dataCollected",
                lambda part: events.extend(event["name"] for event in part["value"]),
            )
            told.clear()
            devtools.on("Tracing.tracingComplete", lambda part: told.append(part))
            devtools.send("Tracing.start", {"traceConfig": traced})
            page.goto(site)
            expect(page.locator("html[data-sealed]")).to_have_count(1, timeout=START_MS)
            # what was compiled is kept after some use and a while
            reveal(page, "#hypothesis").press_sequentially("the cat sat on the mat", delay=60)
            page.wait_for_timeout(4000)
            devtools.send("Tracing.end")
            while not told:
                page.wait_for_timeout(100)
            page.close()
            if "v8.wasm.moduleCacheHit" in events:
                break
    assert "v8.wasm.streamFromResponseCallback" in events
    assert "v8.wasm.moduleCacheHit" in events


def test_without_javascript_the_example_and_the_explanation_are_there(browser: Browser, site):
    context = new_context(browser, java_script_enabled=False)
    page = context.new_page()
    page.goto(site)
    expect(page.locator("#score")).to_have_attribute("data-value", "0.5789300674674098")
    for anchor in ("tokens", "precision-4", "brevity-penalty", "score-step", "cross-check"):
        expect(page.locator(f"section#{anchor}")).to_be_visible()
    expect(page.get_by_role("heading", name="How it works")).to_be_visible()
    expect(page.locator("noscript").first).to_be_attached()
    context.close()


@pytest.mark.parametrize("fragment", ["", "#hypothesis=of+a+link&reference=the+cat+is+on+the+mat"])
def test_what_is_typed_before_python_is_up_is_kept_and_then_scored(recorder, fragment):
    page = recorder.page
    held: list[Route] = []
    typed = False
    page.route("**/*.wasm", lambda route: route.continue_() if typed else held.append(route))
    page.goto(recorder.site + fragment, wait_until="commit")
    expect(page.locator("#score")).to_have_attribute("data-value", "0.5789300674674098")
    expect(page.locator("#loading")).to_contain_text("files are here")
    reveal(page, "#hypothesis").fill("the cat is on the mat")
    expect(page.locator(".stale-note")).to_be_visible()
    expect(page.locator("html[data-ready]")).to_have_count(0)
    typed = True
    for route in held:
        route.continue_()
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    expect(page.locator("#hypothesis")).to_have_value("the cat is on the mat")
    expect(page.locator("#score")).to_have_attribute("data-value", "1.0")
    expect(page.locator(".stale-note")).to_be_hidden()


SHOWN = ("#result-body", "#figures-body", "#derivation")


def test_what_the_build_has_written_is_not_written_again_and_is_what_python_writes(recorder):
    recorder.page.goto(recorder.site, wait_until="commit")
    page = recorder.page
    for part in SHOWN:
        page.locator(f"{part} > *").first.evaluate("element => element.setAttribute('read', '')")
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    for part in SHOWN:
        expect(page.locator(f"{part} > [read]")).to_have_count(1)
        page.locator(f"{part} > [read]").evaluate("element => element.removeAttribute('read')")
    built = [page.locator(part).inner_html() for part in SHOWN]
    reveal(page, "#hypothesis").fill("there")
    expect(page.locator("#score")).to_have_attribute("data-value", "0.0")
    reveal(page, "#hypothesis").fill("the cat is on mat")
    expect(page.locator("#score")).to_have_attribute("data-value", "0.5789300674674098")
    assert [page.locator(part).inner_html() for part in SHOWN] == built


@pytest.mark.slow
@pytest.mark.parametrize(
    "file", ["*.wasm", "pyodide.asm.mjs", "pyodide.mjs", "python.mjs", "core.js"]
)
@pytest.mark.parametrize("how", fast_and_slow(1, ["missing", "broken off"]))
def test_a_file_that_does_not_come_is_said(recorder, file, how):
    page = recorder.page
    if how == "missing":
        page.route(f"**/{file}", lambda route: route.fulfill(status=404, body="not here"))
    else:
        page.route(f"**/{file}", lambda route: route.abort())
    page.goto(recorder.site)
    expect(page.locator("html[data-failed]")).to_have_count(1)
    expect(page.locator("#loading")).to_contain_text("Python did not start")
    expect(page.locator("#loading")).to_contain_text("try another browser")
    expect(page.locator("#score")).to_have_attribute("data-value", "0.5789300674674098")


@pytest.mark.slow
def test_wasm_of_the_wrong_type_is_said(recorder, dist: Path):
    page = recorder.page
    body = (dist / "pyodide" / "pyodide.asm.wasm").read_bytes()
    fulfill_route(page, "**/*.wasm", body, "text/plain")
    page.goto(recorder.site)
    expect(page.locator("html[data-failed]")).to_have_count(1)
    expect(page.locator("#loading")).to_contain_text("application/wasm")


def test_a_browser_without_webassembly_is_told(recorder):
    recorder.page.add_init_script("delete globalThis.WebAssembly")
    recorder.page.goto(recorder.site)
    expect(recorder.page.locator("#loading")).to_contain_text("does not run WebAssembly")


def test_a_browser_that_compiles_no_stream_is_told(recorder):
    recorder.page.add_init_script("delete WebAssembly.compileStreaming")
    recorder.page.goto(recorder.site)
    expect(recorder.page.locator("#loading")).to_contain_text("try another browser")


@pytest.mark.slow
def test_a_start_that_never_ends_is_said_and_may_end_all_the_same(recorder):
    page = recorder.page
    held: list[Route] = []
    page.clock.install()
    page.route("**/*.wasm", lambda route: held.append(route))
    page.goto(recorder.site, wait_until="commit")
    expect(page.locator("#loading")).to_contain_text("files are here")
    page.clock.fast_forward(120_000)
    expect(page.locator("#loading")).to_contain_text("nothing more has come")
    expect(page.locator("html[data-failed]")).to_have_count(1)
    for route in held:
        route.continue_()
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    expect(page.locator("html[data-failed]")).to_have_count(0)
    expect(page.locator("#loading")).to_contain_text("Self-check passed")


@pytest.mark.slow
def test_a_slow_network_is_waited_for_as_long_as_anything_comes(context, site_copy: Site):
    gate = Semaphore(0)
    body = (site_copy.folder / "pyodide" / "pyodide.asm.wasm").read_bytes()

    def slowly(handler: QuietHandler) -> None:
        handler.send_response_only(200)
        handler.send_header("Content-Type", "application/wasm")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        for at in range(0, len(body), 3_100_000):
            gate.acquire(timeout=START_MS / 1000)
            handler.wfile.write(body[at : at + 3_100_000])

    site_copy.overrides["pyodide.asm.wasm"] = slowly
    page = context.new_page()
    page.clock.install()
    page.goto(site_copy.address, wait_until="commit")
    size = len(body) // 1_000_000
    for here in range(3, size, 3):  # the last part is held back: with it the page starts
        gate.release()
        expect(page.locator("#loading")).to_contain_text(f"of the largest {here} of {size} MB")
        page.clock.fast_forward(80_000)
        expect(page.locator("html[data-failed]")).to_have_count(0)
    gate.release(100)
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)


@pytest.mark.slow
@pytest.mark.parametrize("how", fast_and_slow(1, ["missing", "broken off", "cut short", "raises"]))
def test_a_seal_that_does_not_come_is_said(recorder, dist: Path, how):
    page = recorder.page
    body = (dist / "static" / "seal.mjs").read_text("utf-8")
    script = body[:1000] if how == "cut short" else "throw new Error('no');"
    if how == "broken off":
        page.route("**/seal.mjs", lambda route: route.abort())
    elif how == "missing":
        page.route("**/seal.mjs", lambda route: route.fulfill(status=404, body="not here"))
    else:
        fulfill_route(page, "**/seal.mjs", script.encode(), "text/javascript")
    page.goto(recorder.site)
    expect(page.locator("#seal")).to_contain_text("Not sealed: the script that seals")
    if how in {"missing", "broken off"}:
        expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    expect(page.locator("#seal")).to_contain_text("Not sealed")


WRONG = ("bleu/analysis/examples.py", "0.5789300674674098", "0.5")
"""Another number in the first worked example."""


@pytest.mark.slow
def test_a_library_that_fails_its_self_check_is_not_trusted(recorder):
    page = recorder.page
    fulfill_route(page, f"**/{PYTHON_FILE}", changed_python_file(*WRONG))
    page.goto(recorder.site)
    expect(page.locator("#error")).to_contain_text("Do not trust this page", timeout=START_MS)
    expect(page.locator("#error")).to_contain_text("'partial-match' gives 0.57893")
    expect(page.locator("html[data-failed]")).to_have_count(1)
    expect(page.locator("html[data-ready]")).to_have_count(0)


def test_opened_as_a_file_it_says_what_to_do(context: BrowserContext, dist: Path):
    page = context.new_page()
    page.goto(dist.joinpath("index.html").as_uri())
    expect(page.locator("#loading")).to_contain_text("make serve")
    expect(page.locator("html[data-failed]")).to_have_count(1)


def test_nothing_of_ours_names_another_address(dist: Path):
    for path in [dist / "index.html", *(dist / "static").iterdir()]:
        text = path.read_bytes().decode("utf-8", "replace")
        text = re.sub(r'<a [^>]*href="https?://[^"]+"', "", text)
        text = re.sub(r"http://www\.w3\.org/(?:1999/xlink|2000/svg)", "", text)
        assert not re.findall(r"https?://[^\s\"'<>]+", text), path


def test_a_link_restores_texts_and_settings(recorder):
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


@pytest.mark.parametrize("name", fast_and_slow(1, ["nltk-method6", "nltk-method0", "no-such-one"]))
def test_no_convention_in_a_link_stops_the_start(recorder, name):
    page = open_page(recorder, f"#hypothesis=a+b&reference=a+c&convention={name}")
    expect(page.locator("#hypothesis")).to_have_value("a b")
    expect(page.locator("html[data-failed]")).to_have_count(0)
    recorder.check()


@pytest.mark.slow
def test_bad_values_in_a_link_fall_back(recorder):
    page = open_page(recorder, "#hypothesis=a&reference=a&max-order=99&smoothing=laplace&weights=2")
    expect(page.locator("#max-order")).to_have_value("4")
    expect(page.locator("#smoothing")).to_have_value("none")
    expect(page.locator("#weights")).to_have_value("")
    expect(page.locator("#error")).to_be_empty()
    recorder.check()


def test_a_link_opened_in_the_same_page_fills_the_form_and_one_to_a_step_does_not(recorder):
    page = open_page(recorder)
    reveal(page, ".steps").get_by_role("link").nth(2).click()
    expect(page).to_have_url(re.compile("#precision-2$"))
    expect(page.locator("#hypothesis")).to_have_value("the cat is on mat")
    page.evaluate("location.hash = 'hypothesis=%3Cimg+src%3Dx+onerror%3Dwindow.hacked%3D1%3E'")
    expect(page.locator("#hypothesis")).to_have_value("<img src=x onerror=window.hacked=1>")
    expect(page.locator("#hypothesis-count")).to_have_text("3 tokens")
    assert page.evaluate("window.hacked") is None
    recorder.check()


@pytest.mark.slow
def test_a_failed_self_check_shows_no_score(recorder):
    page = recorder.page
    fulfill_route(page, f"**/{PYTHON_FILE}", changed_python_file(*WRONG))
    page.goto(recorder.site)
    expect(page.locator("#error")).to_contain_text("Do not trust this page", timeout=START_MS)
    expect(page.locator("#loading")).not_to_contain_text("Loading Python")
    expect(page.locator("#score")).to_be_hidden()


AT_THE_TOP = """one => {
    const {top} = document.querySelector(one).getBoundingClientRect();
    return 0 <= top && top < 160;
}"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "part", fast_and_slow(2, ["files", "precision-2", "how-brevity", "is-30-good"])
)
def test_a_link_to_a_part_arrives_there_and_stays(recorder, part):
    recorder.page.goto(f"{recorder.site}#{part}")
    target = recorder.page.locator(f"#{part}")
    expect(target).to_be_in_viewport()
    expect(recorder.page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    recorder.page.wait_for_timeout(300)
    wait_for_script(recorder.page, AT_THE_TOP, f"#{part}")
