"""The service worker: a damaged or incomplete store, and a server with other content."""

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
from tests.browser.servers import QuietHandler, Site, abort, deploy_newer_build, respond_with
from tests.support.case_selection import fast_and_slow

STORED = "opens without a network"
CHECKED = "every file was checked"
WORKER = "service-worker.js"
WASM = "pyodide/pyodide.asm.wasm"

STORED_URLS = """async () => {
    const [name] = await caches.keys();
    const files = await caches.open(name);
    return (await files.keys()).map((request) => request.url);
}"""
REMOVE_FILES = """async (paths) => {
    const [name] = await caches.keys();
    if (!paths) return caches.delete(name);
    const files = await caches.open(name);
    for (const path of paths) await files.delete(new URL(path, location));
}"""
"""Removes files or, without paths, the whole store, as another page of the origin could do."""
COUNT_REMAINS = """async () => {
    const remains = () => Promise.all([caches.keys(), navigator.serviceWorker.getRegistrations()]);
    for (let tries = 0; tries < 100 && (await remains()).flat().length; tries++)
        await new Promise((resolve) => setTimeout(resolve, 50));
    return (await remains()).flat().length;
}"""
"""Waits up to 5 seconds until no store and no worker is left; returns how many are left."""
CHANGE_FILE = """async ([path, body]) => {
    const [name] = await caches.keys();
    const files = await caches.open(name);
    const address = new URL(path, location);
    const stored = await files.match(address);
    const bytes = new Uint8Array(await stored.arrayBuffer());
    if (!body) bytes[bytes.length - 1] ^= 1;
    await files.put(address, new Response(body || bytes, {headers: stored.headers}));
}"""
"""Replaces the body of a stored file or, without a new body, flips one bit."""


def open_stored_page(context: BrowserContext, site_copy: Site) -> Page:
    """Open the page, and wait until it is sealed, and until its store is verified.

    A change of the store before that would be repaired at once.
    """
    page = open_sealed_page(context, site_copy.address)
    expect(page.locator("#seal")).to_contain_text(CHECKED, timeout=START_MS)
    return page


def reload_and_check(page: Page) -> None:
    """Reload the page, and wait until it is ready and every stored file is verified."""
    page.reload()
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    expect(page.locator("#seal")).to_contain_text(CHECKED, timeout=START_MS)


def clear_http_cache(page: Page) -> None:
    """Clear the browser's HTTP cache, which may happen at any time."""
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")


def build_id(page: Page) -> str | None:
    """Return the build id of a page."""
    return page.locator("html").get_attribute("data-build")


def add_other_page(site_copy: Site) -> None:
    """Add a page of another project, which fetches a text from the server."""
    (site_copy.folder / "other.html").write_text(
        "<h1>Its other page</h1><p></p><script src=other.js></script>", "utf-8"
    )
    (site_copy.folder / "other.js").write_text(
        "fetch('api').then((response) => response.text())"
        ".then((text) => document.querySelector('p').textContent = text)",
        "utf-8",
    )
    (site_copy.folder / "api").write_text("its answer", "utf-8")


def replace_by_other_project(site_copy: Site) -> None:
    """Replace the build by another project, as may happen on a port of the user's machine."""
    for path in sorted(site_copy.folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    (site_copy.folder / "index.html").write_text("<h1>Another project</h1>", "utf-8")
    add_other_page(site_copy)


@pytest.mark.slow
def test_missing_file_is_fetched_again(context: BrowserContext, site_copy: Site):
    page = open_stored_page(context, site_copy)
    first, urls = build_id(page), page.evaluate(STORED_URLS)
    for paths in (None, [WASM, "static/boot.mjs"], ["./"]):
        page.evaluate(REMOVE_FILES, paths)
        reload_and_check(page)
        assert build_id(page) == first
        assert set(page.evaluate(STORED_URLS)) == set(urls), paths
        site_copy.overrides["*"] = abort  # as if there were no network
        reload_and_check(page)
        del site_copy.overrides["*"]


@pytest.mark.slow
def test_missing_file_that_the_start_does_not_need_is_fetched_again(
    context: BrowserContext, site_copy: Site
):
    page = open_stored_page(context, site_copy)
    urls = page.evaluate(STORED_URLS)
    page.evaluate(REMOVE_FILES, ["licenses.txt", "static/icon-512.png"])
    reload_and_check(page)
    assert set(page.evaluate(STORED_URLS)) == set(urls)


@pytest.mark.slow
def test_missing_file_that_cannot_be_fetched_is_reported(context: BrowserContext, site_copy: Site):
    page = open_stored_page(context, site_copy)
    clear_http_cache(page)
    page.evaluate(REMOVE_FILES, ["licenses.txt"])
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
def test_incomplete_store_and_newer_build_loads_only_the_newer(
    context: BrowserContext, site_copy: Site, paths
):
    page = open_stored_page(context, site_copy)
    first = build_id(page)
    deploy_newer_build(site_copy, "Newer")
    # these files differ in the newer build
    for path in (WASM, "static/seal.mjs", "pyscript/core.js"):
        with (site_copy.folder / path).open("ab") as file:
            file.write(b"\0\1\0" if path == WASM else b"\n")
    clear_http_cache(page)
    page.evaluate(REMOVE_FILES, paths)
    page.goto(site_copy.address, wait_until="commit")
    expect(page.locator("h1")).to_have_text("Newer BLEU calculator", timeout=START_MS)
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    assert build_id(page) != first
    is_removed = "first => caches.keys().then((all) => !all.some((name) => name.includes(first)))"
    page.wait_for_function(is_removed, arg=first)


@pytest.mark.slow
def test_visit_without_network_and_store_fails_and_the_next_works(
    context: BrowserContext, site_copy: Site
):
    page = open_stored_page(context, site_copy)
    site_copy.overrides[""] = respond_with(503)
    clear_http_cache(page)
    page.evaluate(REMOVE_FILES, None)
    with pytest.raises(Error, match="ERR_FAILED"):
        page.reload()
    page = context.new_page()
    del site_copy.overrides[""]
    page.goto(site_copy.address, wait_until="commit")
    expect(page.locator("#seal")).to_contain_text(CHECKED, timeout=START_MS)


@pytest.mark.slow
def test_other_project_on_the_same_port_is_shown(
    context: BrowserContext, site_copy: Site, dist: Path
):
    page = open_stored_page(context, site_copy)
    open_page = open_stored_page(context, site_copy)
    replace_by_other_project(site_copy)
    page.goto(site_copy.address, wait_until="commit")
    expect(page.locator("h1")).to_have_text("Another project")
    assert page.evaluate("caches.keys()") == []
    assert page.evaluate("navigator.serviceWorker.getRegistrations()") == []
    page.reload()
    expect(page.locator("h1")).to_have_text("Another project")
    open_page.locator("#hypothesis").fill("the cat is on the mat")
    expect(open_page.locator("#score")).to_have_attribute("data-value", "1.0")
    shutil.rmtree(site_copy.folder)
    shutil.copytree(dist, site_copy.folder)
    clear_http_cache(page)
    page.goto(site_copy.address)
    expect(page.locator("#seal")).to_contain_text(CHECKED, timeout=START_MS)
    site_copy.close()
    reload_and_check(page)


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
def test_worker_leaves_if_the_server_has_no_such_worker(
    context: BrowserContext, site_copy: Site, answer
):
    page = open_stored_page(context, site_copy)
    replace_by_other_project(site_copy)
    site_copy.overrides[WORKER] = answer
    page.goto(site_copy.address, wait_until="commit")
    expect(page.locator("h1")).to_have_text("Another project")
    assert page.evaluate("caches.keys()") == []
    assert page.evaluate("navigator.serviceWorker.getRegistrations()") == []


@pytest.mark.slow
def test_any_page_of_another_project_removes_the_worker(context: BrowserContext, site_copy: Site):
    page = open_stored_page(context, site_copy)
    replace_by_other_project(site_copy)
    page.goto(site_copy.address + "other.html")
    expect(page.locator("p")).to_have_text("its answer")
    assert page.evaluate(COUNT_REMAINS) == 0
    clear_http_cache(page)
    page.goto(site_copy.address)
    expect(page.locator("h1")).to_have_text("Another project")
    assert page.evaluate("caches.keys()") == []


@pytest.mark.slow
def test_ambiguous_answer_of_the_server_changes_nothing(context: BrowserContext, site_copy: Site):
    page = open_stored_page(context, site_copy)
    first = build_id(page)
    replace_by_other_project(site_copy)
    answers = {str(status): respond_with(status) for status in (503, 401, 403)}
    for name, answer in {
        **answers,
        "302": respond_with(302, Location="/elsewhere"),
        "aborted": abort,
    }.items():
        site_copy.overrides[WORKER] = answer
        site_copy.requests.clear()
        reload_and_check(page)
        assert f"/some/where/{WORKER}" in site_copy.requests, name
        page.wait_for_timeout(500)
        assert build_id(page) == first, name
        expect(page.locator("h1")).to_have_text("BLEU calculator")
        expect(page.locator("#seal")).to_contain_text(STORED)


@pytest.mark.slow
def test_hanging_server_does_not_delay_the_start(context: BrowserContext, site_copy: Site):
    page = open_stored_page(context, site_copy)
    released = Event()
    site_copy.overrides[WORKER] = lambda _: released.wait(START_MS / 1000) and None
    page.goto(site_copy.address, wait_until="commit")
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    expect(page.locator("h1")).to_have_text("BLEU calculator")
    released.set()


@pytest.mark.slow
def test_typed_text_is_not_lost_if_the_server_has_changed(context: BrowserContext, site_copy: Site):
    page = open_stored_page(context, site_copy)
    replace_by_other_project(site_copy)
    released = Event()

    def respond_late(handler: QuietHandler) -> None:
        released.wait(START_MS / 1000)
        respond_with(404)(handler)

    site_copy.overrides[WORKER] = respond_late
    page.goto(site_copy.address, wait_until="commit")
    reveal(page, "#hypothesis").fill("typed meanwhile")
    released.set()
    expect(page.locator("#seal")).to_contain_text("the server has another page", timeout=START_MS)
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    expect(page.locator("#hypothesis")).to_have_value("typed meanwhile")
    assert page.evaluate(COUNT_REMAINS) == 0
    page.reload()
    expect(page.locator("h1")).to_have_text("Another project")


@pytest.mark.slow
def test_other_page_in_the_folder_uses_the_network(context: BrowserContext, site_copy: Site):
    page = open_stored_page(context, site_copy)
    add_other_page(site_copy)
    other_page = context.new_page()
    other_page.goto(site_copy.address + "other.html?of=its")
    expect(other_page.locator("h1")).to_have_text("Its other page")
    expect(other_page.locator("p")).to_have_text("its answer")
    assert other_page.evaluate("navigator.serviceWorker.controller.state") == "activated"
    expect(page.locator("#seal")).to_contain_text(STORED)
    # an unsealed page of the build gets no answer to other requests
    other_page.goto(site_copy.address + "licenses.txt")
    assert "canary" in other_page.evaluate(
        "fetch('api?canary').catch((reason) => `canary: ${reason}`)"
    )
    assert not any("canary" in path for path in site_copy.requests)
    reload_and_check(page)


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", fast_and_slow(2, ["./", "static/boot.mjs", "static/seal.mjs", "pyscript/core.js"])
)
def test_changed_stored_file_is_not_run(context: BrowserContext, site_copy: Site, path):
    page = open_stored_page(context, site_copy)
    body = "<!doctype html><h1>changed</h1>" if path == "./" else "document.title = 'changed'"
    page.evaluate(CHANGE_FILE, [path, body])
    reload_and_check(page)
    expect(page.locator("h1")).to_have_text("BLEU calculator")
    expect(page).not_to_have_title("changed")
    site_copy.close()
    reload_and_check(page)


@pytest.mark.slow
def test_changed_stored_file_is_not_run_without_a_network(context: BrowserContext, site_copy: Site):
    page = open_stored_page(context, site_copy)
    clear_http_cache(page)
    page.evaluate(CHANGE_FILE, ["pyscript/core.js", "document.title = 'changed'"])
    site_copy.overrides["core.js"] = respond_with(503)
    page.reload()
    expect(page.locator("html[data-failed]")).to_have_count(1, timeout=START_MS)
    expect(page).not_to_have_title("changed")
    assert page.evaluate("caches.keys()") != []


def test_changed_python_is_reported_and_replaced(context: BrowserContext, site_copy: Site):
    page = open_stored_page(context, site_copy)
    page.evaluate(CHANGE_FILE, [WASM, ""])
    page.reload()
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    expect(page.locator("#seal")).to_contain_text("Do not trust this page")
    expect(page.locator("#seal")).to_contain_text(f"{WASM} was changed after being stored")
    expect(page.locator("#seal")).to_contain_text("reload the page")
    reload_and_check(page)


@pytest.mark.slow
def test_changed_python_that_does_not_start_is_repaired_by_a_reload(
    context: BrowserContext, site_copy: Site
):
    page = open_stored_page(context, site_copy)
    page.evaluate(CHANGE_FILE, [WASM, "no WebAssembly"])
    page.reload()
    expect(page.locator("html[data-failed]")).to_have_count(1, timeout=START_MS)
    expect(page.locator("#seal")).to_contain_text(f"{WASM} was changed after being stored")
    reload_and_check(page)


@pytest.mark.slow
def test_changed_python_that_cannot_be_fetched_is_removed(context: BrowserContext, site_copy: Site):
    page = open_stored_page(context, site_copy)
    clear_http_cache(page)
    page.evaluate(CHANGE_FILE, [WASM, ""])
    site_copy.overrides["pyodide.asm.wasm"] = respond_with(503)
    page.reload()
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    expect(page.locator("#seal")).to_contain_text("Do not trust this page")
    expect(page.locator("#seal")).to_contain_text("What was changed is removed")
    assert f"{site_copy.address}{WASM}" not in page.evaluate(STORED_URLS)
