"""A store that is not as it was, and a server that has something else, in every engine."""

from collections.abc import Iterator

import pytest

from tests.browser.servers import Site, respond_with
from tests.engines.page import Page

CHECKED = "every file was checked"
EMPTY = "return caches.keys().then((all) => Promise.all(all.map((name) => caches.delete(name))))"
STORES = "return caches.keys().then((all) => all.length)"
WORKERS = "return navigator.serviceWorker.getRegistrations().then((all) => all.length)"


@pytest.fixture(scope="module")
def stored(running: Page, blank: str, site_copy: Site) -> Iterator[Page]:
    """The page, opened and stored; what it asks for at a visit is asked of the server."""
    with running.tab(blank):
        if not running.run("return 'serviceWorker' in navigator"):
            pytest.skip("This engine, driven so, has no service worker: nothing can be stored")
        show(site_copy, (site_copy.folder / "index.html").read_text("utf-8"))
        running.open(site_copy.address)
        until_checked(running)
        yield running
    running.complaints()


def show(site_copy: Site, page: str) -> None:
    """What the server has in the place of the page, and which no browser keeps."""
    kind = {"Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store"}
    site_copy.overrides[""] = respond_with(200, page, **kind)


def until_checked(page: Page) -> None:
    page.until_true(lambda: CHECKED in page.text("#seal"))


@pytest.mark.slow
def test_an_emptied_store_is_filled_again(stored, site_copy):
    stored.run(EMPTY)
    stored.open(site_copy.address)
    until_checked(stored)
    assert stored.run(STORES) == 1


@pytest.mark.slow
def test_another_project_gets_its_port_and_the_page_may_come_back(stored, site_copy):
    ours = site_copy.overrides[""]
    show(site_copy, "<!doctype html><h1>Another project</h1>")
    site_copy.overrides["service-worker.js"] = respond_with(404)
    stored.go(site_copy.address)
    stored.until(lambda: stored.text("h1"), "Another project")
    stored.until(lambda: stored.run(STORES), 0)
    assert stored.run(WORKERS) == 0
    site_copy.overrides[""] = ours
    del site_copy.overrides["service-worker.js"]
    stored.open(site_copy.address)
    until_checked(stored)


@pytest.mark.slow
def test_another_build_is_opened_where_the_store_is_not_whole(stored, site_copy):
    text = (site_copy.folder / "index.html").read_text("utf-8")
    show(site_copy, text.replace("<h1>", "<h1>Newer "))
    stored.run(EMPTY)
    stored.open(site_copy.address)
    assert stored.text("h1") == "Newer BLEU calculator"
