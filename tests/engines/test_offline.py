"""The page without a network in every engine, served from the store."""

from collections.abc import Iterator

import pytest

from app.score.html import build_snapshot
from app.state.inputs import example_inputs
from bleu.formats import SCORE_FORMATS
from tests.browser.servers import Site
from tests.engines.page import Page
from tests.engines.test_core import show_example


@pytest.fixture(scope="module")
def offline_page(engine_page: Page, blank: str, site_copy: Site) -> Iterator[Page]:
    """Yield the page, opened once and again after its server has stopped."""
    with engine_page.tab(blank):
        if not engine_page.run("return 'serviceWorker' in navigator"):
            pytest.skip("this engine has no service worker under WebDriver")
        engine_page.open(site_copy.address)
        engine_page.until_true(lambda: "opens without a network" in engine_page.text("#seal"))
        site_copy.close()
        site_copy.requests.clear()
        engine_page.open(
            site_copy.address
        )  # a reload by Firefox's driver bypasses the service worker
        yield engine_page
    engine_page.complaints()


@pytest.mark.slow
def test_page_opens_from_the_store(offline_page, site_copy):
    offline_page.until_true(lambda: "opens without a network" in offline_page.text("#seal"))
    assert offline_page.run("return navigator.serviceWorker.controller?.state") == "activated"
    # A connection that was still open may serve the check for a new service worker.
    assert {path.rsplit("/", 1)[-1] for path in site_copy.requests} <= {"service-worker.js"}


@pytest.mark.slow
def test_offline_page_scores_and_compares(offline_page):
    show_example(offline_page, "partial-match")
    offline_page.reveal("#comparison")
    offline_page.until_true(lambda: offline_page.count("#comparison tbody tr"))


@pytest.mark.slow
def test_offline_page_scores_a_corpus(offline_page):
    offline_page.type("#corpus-system", "a b c d\nx")
    offline_page.type("#corpus-references", "a b c d\nx")
    offline_page.click("#corpus-run")
    offline_page.until(lambda: offline_page.data("#corpus-score", "value"), "1.0")


@pytest.mark.slow
def test_offline_page_saves_an_export(offline_page):
    show_example(offline_page, "clipping")
    offline_page.select("#form", "markdown")
    offline_page.click("#download")
    assert offline_page.downloaded("bleu.md") == SCORE_FORMATS["markdown"].render(
        build_snapshot(example_inputs("clipping")).explained
    )


@pytest.mark.slow
def test_page_with_a_query_opens_from_the_store(offline_page, site_copy):
    offline_page.open(f"{site_copy.address}?from=elsewhere")
    # A connection that was still open could have served it.
    assert not [path for path in site_copy.requests if "?" in path]
