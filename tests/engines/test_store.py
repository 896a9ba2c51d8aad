"""A changed store, and another page on the same server, in every engine."""

from collections.abc import Iterator

import pytest

from tests.browser.servers import Site, respond_with
from tests.engines.page import Page

CHECKED = "every file was checked"
EMPTY = "return caches.keys().then((all) => Promise.all(all.map((name) => caches.delete(name))))"
STORES = "return caches.keys().then((all) => all.length)"
WORKERS = "return navigator.serviceWorker.getRegistrations().then((all) => all.length)"


@pytest.fixture(scope="module")
def stored(engine_page: Page, blank: str, site_copy: Site) -> Iterator[Page]:
    """Yield the page, opened and stored; each visit requests it from the server."""
    with engine_page.tab(blank):
        if not engine_page.run("return 'serviceWorker' in navigator"):
            pytest.skip("this engine has no service worker under WebDriver")
        serve_page(site_copy, (site_copy.folder / "index.html").read_text("utf-8"))
        engine_page.open(site_copy.address)
        until_checked(engine_page)
        yield engine_page
    engine_page.complaints()


def serve_page(site_copy: Site, page: str) -> None:
    """Serve this text as the page, and let no browser cache it."""
    kind = {"Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store"}
    site_copy.overrides[""] = respond_with(200, page, **kind)


def until_checked(page: Page) -> None:
    """Wait until the page has verified its store."""
    page.until_true(lambda: CHECKED in page.text("#seal"))


@pytest.mark.slow
def test_emptied_store_is_refilled(stored, site_copy):
    stored.run(EMPTY)
    stored.open(site_copy.address)
    until_checked(stored)
    assert stored.run(STORES) == 1


@pytest.mark.slow
def test_another_project_on_the_port_removes_the_store(stored, site_copy):
    original = site_copy.overrides[""]
    serve_page(site_copy, "<!doctype html><h1>Another project</h1>")
    site_copy.overrides["service-worker.js"] = respond_with(404)
    stored.go(site_copy.address)
    stored.until(lambda: stored.text("h1"), "Another project")
    stored.until(lambda: stored.run(STORES), 0)
    assert stored.run(WORKERS) == 0
    site_copy.overrides[""] = original
    del site_copy.overrides["service-worker.js"]
    stored.open(site_copy.address)
    until_checked(stored)


@pytest.mark.slow
def test_incomplete_store_opens_the_served_build(stored, site_copy):
    text = (site_copy.folder / "index.html").read_text("utf-8")
    serve_page(site_copy, text.replace("<h1>", "<h1>Newer "))
    stored.run(EMPTY)
    stored.open(site_copy.address)
    assert stored.text("h1") == "Newer BLEU calculator"
