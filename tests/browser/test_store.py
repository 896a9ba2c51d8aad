"""A store that is not as it was, and a server that has something else: the page opens, or goes."""

import shutil
from pathlib import Path
from threading import Event

import pytest
from playwright.sync_api import BrowserContext, Error, Page, expect

from tests.browser.conftest import (
    START_MS,
    open_sealed_page,
    reveal,
)
from tests.browser.servers import QuietHandler, Site, deploy_newer_build, respond_with
from tests.support.case_selection import fast_and_slow

STORED = "opens without a network"
CHECKED = "every file was checked"
WORKER = "service-worker.js"
WASM = "pyodide/pyodide.asm.wasm"

KEYS = """async () => {
    const [name] = await caches.keys();
    const files = await caches.open(name);
    return (await files.keys()).map((one) => one.url);
}"""
REMOVE = """async (paths) => {
    const [name] = await caches.keys();
    if (!paths) return caches.delete(name);
    const files = await caches.open(name);
    for (const path of paths) await files.delete(new URL(path, location));
}"""
"""Another application of the same origin may do that; without paths, all is removed."""
LEFT = """async () => {
    const left = () => Promise.all([caches.keys(), navigator.serviceWorker.getRegistrations()]);
    for (let tries = 0; tries < 100 && (await left()).flat().length; tries++)
        await new Promise((later) => setTimeout(later, 50));
    return (await left()).flat().length;
}"""
"""What is there in the end: a page says that its worker goes before all is removed."""
CHANGE = """async ([path, body]) => {
    const [name] = await caches.keys();
    const files = await caches.open(name);
    const address = new URL(path, location);
    const kept = await files.match(address);
    const bytes = new Uint8Array(await kept.arrayBuffer());
    if (!body) bytes[bytes.length - 1] ^= 1;
    await files.put(address, new Response(body || bytes, {headers: kept.headers}));
}"""
"""Another body in a stored file, or else one bit that is not as it was."""


def stored(context: BrowserContext, site_copy: Site) -> Page:
    """A page that is stored and sealed."""
    page = open_sealed_page(context, site_copy.address)
    expect(page.locator("#seal")).to_contain_text(STORED)
    return page


def again(page: Page) -> None:
    """The page loaded anew, ready, stored and sealed."""
    page.reload()
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    expect(page.locator("#seal")).to_contain_text(CHECKED, timeout=START_MS)


def forget(page: Page) -> None:
    """What the browser keeps beside the store is gone, as it may be at any time."""
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")


def build_of(page: Page) -> str | None:
    return page.locator("html").get_attribute("data-build")


def other_page(site_copy: Site) -> None:
    """A page of something else, which asks its server for an answer."""
    (site_copy.folder / "other.html").write_text(
        "<h1>Its other page</h1><p></p><script src=other.js></script>", "utf-8"
    )
    (site_copy.folder / "other.js").write_text(
        "fetch('api').then((got) => got.text())"
        ".then((text) => document.querySelector('p').textContent = text)",
        "utf-8",
    )
    (site_copy.folder / "api").write_text("its answer", "utf-8")


def another_project(site_copy: Site) -> None:
    """What else may be served on a port of this machine."""
    for path in sorted(site_copy.folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    (site_copy.folder / "index.html").write_text("<h1>Another project</h1>", "utf-8")
    other_page(site_copy)


@pytest.mark.slow
@pytest.mark.parametrize(
    "paths",
    fast_and_slow(2, [None, [WASM], ["./"], ["static/boot.mjs"], ["pyscript/core.js"]]),
    ids=["all", "wasm", "page", "boot.mjs", "core.js"],
)
def test_what_is_missing_from_the_store_is_taken_from_the_network(
    context: BrowserContext, site_copy: Site, paths
):
    page = stored(context, site_copy)
    first, keys = build_of(page), page.evaluate(KEYS)
    page.evaluate(REMOVE, paths)
    again(page)
    assert build_of(page) == first
    assert set(page.evaluate(KEYS)) == set(keys)
    site_copy.close()
    again(page)


@pytest.mark.slow
def test_what_no_start_asks_for_is_put_back_too(context: BrowserContext, site_copy: Site):
    page = stored(context, site_copy)
    keys = page.evaluate(KEYS)
    page.evaluate(REMOVE, ["licenses.txt", "static/icon-512.png"])
    again(page)
    assert set(page.evaluate(KEYS)) == set(keys)


@pytest.mark.slow
def test_what_is_missing_and_cannot_be_had_is_said(context: BrowserContext, site_copy: Site):
    page = stored(context, site_copy)
    forget(page)
    page.evaluate(REMOVE, ["licenses.txt"])
    site_copy.overrides["licenses.txt"] = respond_with(503)
    page.reload()
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    expect(page.locator("#seal")).to_contain_text("Not all of it is stored: licenses.txt")
    assert page.evaluate("caches.keys()") != []


@pytest.mark.slow
@pytest.mark.parametrize(
    "paths",
    fast_and_slow(2, [None, [WASM], ["./"], ["static/seal.mjs"], ["pyscript/core.js"]]),
    ids=["all", "wasm", "page", "seal.mjs", "core.js"],
)
def test_where_the_network_has_another_build_the_visit_is_of_that_alone(
    context: BrowserContext, site_copy: Site, paths
):
    page = stored(context, site_copy)
    first = build_of(page)
    deploy_newer_build(site_copy, "Newer")
    # each of these files is another one in this build
    for path in (WASM, "static/seal.mjs", "pyscript/core.js"):
        with (site_copy.folder / path).open("ab") as file:
            file.write(b"\0\1\0" if path == WASM else b"\n")
    forget(page)
    page.evaluate(REMOVE, paths)
    page.goto(site_copy.address, wait_until="commit")
    expect(page.locator("h1")).to_have_text("Newer BLEU calculator", timeout=START_MS)
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    assert build_of(page) != first
    gone = "first => caches.keys().then((all) => !all.some((name) => name.includes(first)))"
    page.wait_for_function(gone, arg=first)


@pytest.mark.slow
def test_without_network_and_store_the_visit_fails_and_then_works_again(
    context: BrowserContext, site_copy: Site
):
    page = stored(context, site_copy)
    site_copy.overrides[""] = respond_with(503)
    forget(page)
    page.evaluate(REMOVE, None)
    with pytest.raises(Error, match="ERR_FAILED"):
        page.reload()
    page = context.new_page()
    del site_copy.overrides[""]
    page.goto(site_copy.address, wait_until="commit")
    expect(page.locator("#seal")).to_contain_text(CHECKED, timeout=START_MS)


@pytest.mark.slow
def test_another_project_on_the_same_port_is_shown(
    context: BrowserContext, site_copy: Site, dist: Path
):
    page = stored(context, site_copy)
    left_open = stored(context, site_copy)
    another_project(site_copy)
    page.goto(site_copy.address, wait_until="commit")
    expect(page.locator("h1")).to_have_text("Another project")
    assert page.evaluate("caches.keys()") == []
    assert page.evaluate("navigator.serviceWorker.getRegistrations()") == []
    page.reload()
    expect(page.locator("h1")).to_have_text("Another project")
    left_open.locator("#hypothesis").fill("the cat is on the mat")
    expect(left_open.locator("#score")).to_have_attribute("data-value", "1.0")
    shutil.rmtree(site_copy.folder)
    shutil.copytree(dist, site_copy.folder)
    forget(page)
    page.goto(site_copy.address)
    expect(page.locator("#seal")).to_contain_text(CHECKED, timeout=START_MS)
    site_copy.close()
    again(page)


@pytest.mark.slow
@pytest.mark.parametrize(
    "answer",
    fast_and_slow(
        2,
        [
            respond_with(404),
            respond_with(200, "<!doctype html>"),
            respond_with(410),
            respond_with(200, "self.skipWaiting()"),
        ],
    ),
    ids=["404", "page", "410", "worker"],
)
def test_a_server_that_is_plainly_another_s_gets_its_port_back(
    context: BrowserContext, site_copy: Site, answer
):
    page = stored(context, site_copy)
    another_project(site_copy)
    site_copy.overrides[WORKER] = answer
    page.goto(site_copy.address, wait_until="commit")
    expect(page.locator("h1")).to_have_text("Another project")
    assert page.evaluate("caches.keys()") == []
    assert page.evaluate("navigator.serviceWorker.getRegistrations()") == []


@pytest.mark.slow
def test_another_project_gets_its_port_back_by_any_of_its_pages(
    context: BrowserContext, site_copy: Site
):
    page = stored(context, site_copy)
    another_project(site_copy)
    page.goto(site_copy.address + "other.html")
    expect(page.locator("p")).to_have_text("its answer")
    assert page.evaluate(LEFT) == 0
    forget(page)
    page.goto(site_copy.address)
    expect(page.locator("h1")).to_have_text("Another project")
    assert page.evaluate("caches.keys()") == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "answer",
    fast_and_slow(
        2,
        [
            respond_with(503),
            lambda handler: setattr(handler, "close_connection", True),
            respond_with(401),
            respond_with(403),
            respond_with(302, Location="/elsewhere"),
        ],
    ),
    ids=["503", "broken off", "401", "403", "302"],
)
def test_a_server_that_says_nothing_plain_changes_nothing(
    context: BrowserContext, site_copy: Site, answer
):
    page = stored(context, site_copy)
    first = build_of(page)
    another_project(site_copy)
    site_copy.overrides[WORKER] = answer
    site_copy.requests.clear()
    again(page)
    assert f"/some/where/{WORKER}" in site_copy.requests
    page.wait_for_timeout(500)
    assert build_of(page) == first
    expect(page.locator("h1")).to_have_text("BLEU calculator")
    expect(page.locator("#seal")).to_contain_text(STORED)


@pytest.mark.slow
def test_a_server_that_hangs_delays_nothing(context: BrowserContext, site_copy: Site):
    page = stored(context, site_copy)
    ended = Event()
    site_copy.overrides[WORKER] = lambda _: ended.wait(START_MS / 1000) and None
    page.goto(site_copy.address, wait_until="commit")
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    expect(page.locator("h1")).to_have_text("BLEU calculator")
    ended.set()


@pytest.mark.slow
def test_what_was_typed_is_not_lost_to_another_project(context: BrowserContext, site_copy: Site):
    page = stored(context, site_copy)
    another_project(site_copy)
    held = Event()

    def late(handler: QuietHandler) -> None:
        held.wait(START_MS / 1000)
        respond_with(404)(handler)

    site_copy.overrides[WORKER] = late
    page.goto(site_copy.address, wait_until="commit")
    reveal(page, "#hypothesis").fill("typed meanwhile")
    held.set()
    expect(page.locator("#seal")).to_contain_text("the server has another page", timeout=START_MS)
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    expect(page.locator("#hypothesis")).to_have_value("typed meanwhile")
    assert page.evaluate(LEFT) == 0
    page.reload()
    expect(page.locator("h1")).to_have_text("Another project")


@pytest.mark.slow
def test_another_page_below_the_calculator_is_the_network_s(
    context: BrowserContext, site_copy: Site
):
    page = stored(context, site_copy)
    other_page(site_copy)
    other = context.new_page()
    other.goto(site_copy.address + "other.html?of=its")
    expect(other.locator("h1")).to_have_text("Its other page")
    expect(other.locator("p")).to_have_text("its answer")
    assert other.evaluate("navigator.serviceWorker.controller.state") == "activated"
    expect(page.locator("#seal")).to_contain_text(STORED)
    # a page of ours that is not sealed yet gets no such answer either
    other.goto(site_copy.address + "licenses.txt")
    assert "canary" in other.evaluate("fetch('api?canary').catch((reason) => `canary: ${reason}`)")
    assert not any("canary" in path for path in site_copy.requests)
    again(page)


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", fast_and_slow(2, ["./", "static/boot.mjs", "static/seal.mjs", "pyscript/core.js"])
)
def test_a_stored_file_that_was_changed_is_not_run(context: BrowserContext, site_copy: Site, path):
    page = stored(context, site_copy)
    body = "<!doctype html><h1>changed</h1>" if path == "./" else "document.title = 'changed'"
    page.evaluate(CHANGE, [path, body])
    again(page)
    expect(page.locator("h1")).to_have_text("BLEU calculator")
    expect(page).not_to_have_title("changed")
    site_copy.close()
    again(page)


@pytest.mark.slow
def test_a_stored_file_that_was_changed_is_refused_without_a_network(
    context: BrowserContext, site_copy: Site
):
    page = stored(context, site_copy)
    forget(page)
    page.evaluate(CHANGE, ["pyscript/core.js", "document.title = 'changed'"])
    site_copy.overrides["core.js"] = respond_with(503)
    page.reload()
    expect(page.locator("html[data-failed]")).to_have_count(1, timeout=START_MS)
    expect(page).not_to_have_title("changed")
    assert page.evaluate("caches.keys()") != []


def test_python_that_was_changed_in_the_store_is_said_and_replaced(
    context: BrowserContext, site_copy: Site
):
    page = stored(context, site_copy)
    page.evaluate(CHANGE, [WASM, ""])
    page.reload()
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    expect(page.locator("#seal")).to_contain_text("Do not trust this page")
    expect(page.locator("#seal")).to_contain_text(f"{WASM} was changed after being stored")
    expect(page.locator("#seal")).to_contain_text("reload the page")
    again(page)


@pytest.mark.slow
def test_python_that_was_changed_and_does_not_start_is_there_after_a_reload(
    context: BrowserContext, site_copy: Site
):
    page = stored(context, site_copy)
    page.evaluate(CHANGE, [WASM, "no WebAssembly"])
    page.reload()
    expect(page.locator("html[data-failed]")).to_have_count(1, timeout=START_MS)
    expect(page.locator("#seal")).to_contain_text(f"{WASM} was changed after being stored")
    again(page)


@pytest.mark.slow
def test_python_that_was_changed_and_cannot_be_had_again_is_removed(
    context: BrowserContext, site_copy: Site
):
    page = stored(context, site_copy)
    forget(page)
    page.evaluate(CHANGE, [WASM, ""])
    site_copy.overrides["pyodide.asm.wasm"] = respond_with(503)
    page.reload()
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    expect(page.locator("#seal")).to_contain_text("Do not trust this page")
    expect(page.locator("#seal")).to_contain_text("What was changed is removed")
    assert f"{site_copy.address}{WASM}" not in page.evaluate(KEYS)
