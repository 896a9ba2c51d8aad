"""Without a network, in every engine: served from the store, and doing what it does."""

from collections.abc import Iterator

import pytest

from app.score.exports import EXPORT_FORMATS
from app.score.html import build_snapshot
from app.state.form import example_inputs
from tests.browser.servers import Site
from tests.engines.page import Page
from tests.engines.test_core import show_example


@pytest.fixture(scope="module")
def cut(running: Page, blank: str, site_copy: Site) -> Iterator[Page]:
    """The page opened once, and again when its server is gone."""
    with running.tab(blank):
        if not running.run("return 'serviceWorker' in navigator"):
            pytest.skip("This engine, driven so, has no service worker: nothing can be stored")
        running.open(site_copy.address)
        running.until_true(lambda: "opens without a network" in running.text("#seal"))
        site_copy.close()
        site_copy.requests.clear()
        running.open(site_copy.address)  # Firefox's driver reloads past any service worker
        yield running
    running.complaints()


@pytest.mark.slow
def test_it_is_opened_from_the_store(cut, site_copy):
    cut.until_true(lambda: "opens without a network" in cut.text("#seal"))
    assert cut.run("return navigator.serviceWorker.controller?.state") == "activated"
    # a connection that was open may still be asked whether there is a new build
    assert {path.rsplit("/", 1)[-1] for path in site_copy.requests} <= {"service-worker.js"}


@pytest.mark.slow
def test_it_scores_and_compares(cut):
    show_example(cut, "partial-match")
    cut.reveal("#comparison")
    cut.until_true(lambda: cut.count("#comparison tbody tr"))


@pytest.mark.slow
def test_it_scores_a_corpus(cut):
    cut.type("#corpus-system", "a b c d\nx")
    cut.type("#corpus-references", "a b c d\nx")
    cut.click("#corpus-run")
    cut.until(lambda: cut.data("#corpus-score", "value"), "1.0")


@pytest.mark.slow
def test_a_file_is_made_and_handed_over(cut):
    show_example(cut, "clipping")
    cut.choose("#form", "markdown")
    cut.click("#download")
    assert cut.downloaded("bleu.md") == EXPORT_FORMATS["markdown"].render(
        build_snapshot(example_inputs("clipping"))
    )
