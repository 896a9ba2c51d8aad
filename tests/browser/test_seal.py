"""Once it is sealed, no text leaves the page, in whatever way it is tried."""

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from app.build.csp import ONLY_BY_HEADER
from tests.browser.conftest import (
    START_MS,
    TIMEOUT_MS,
    Recorder,
    new_context,
    open_page,
    reveal,
)
from tests.browser.escape_routes import CANARY, WAYS, trying
from tests.browser.listeners import ears
from tests.browser.servers import Site


@pytest.fixture(scope="module")
def sealed(browser: Browser, site: str) -> Iterator[Page]:
    """A page that says it is sealed."""
    context = new_context(browser)
    page = open_page(Recorder(context.new_page(), site))
    expect(page.locator("html[data-sealed]")).to_have_count(1, timeout=START_MS)
    yield page
    context.close()


def attempt(page: Page, way: str, to: str) -> None:
    """Try one way out."""
    page.evaluate(f"async (to) => {{ {trying(way)} }}", to)


def test_no_canary_gets_out(sealed: Page):
    with ears(WAYS) as heard:
        for way in WAYS:
            attempt(sealed, way, f"{heard.address(way)}?{CANARY}")
        sealed.wait_for_timeout(1000)
        assert heard.heard == {}
    # a locator would wait for a navigation that was refused
    assert sealed.evaluate("document.documentElement.dataset.ready") == "true"


def test_an_open_page_would_let_a_canary_out(browser: Browser, site: str):
    counted = ["fetch", "image", "peer connection of a frame"]
    context = new_context(browser)
    page = context.new_page()
    page.goto(f"{site}licenses.txt")
    with ears(counted) as heard:
        for way in counted:
            attempt(page, way, f"{heard.address(way)}?{CANARY}")
        end = time.monotonic() + TIMEOUT_MS / 1000
        while len(heard.heard) < len(counted) and time.monotonic() < end:
            page.wait_for_timeout(50)
        assert set(heard.heard) == set(counted)
    context.close()


def test_nothing_is_asked_of_its_own_server_either(browser: Browser, site_copy: Site):
    context = new_context(browser)
    page = open_page(Recorder(context.new_page(), site_copy.address))
    expect(page.locator("html[data-sealed]")).to_have_count(1, timeout=START_MS)
    before = len(site_copy.requests)
    for way in WAYS:
        attempt(page, way, f"{site_copy.address}static/icon.svg?{CANARY}")
    reveal(page, "#hypothesis").fill(f"typed {CANARY}")
    reveal(page, '[data-command="example:clipping"]').click()
    reveal(page, "#share").click()
    reveal(page, "#download").click()
    page.wait_for_timeout(500)
    asked = site_copy.requests[before:]
    assert [path for path in asked if CANARY in path] == []
    context.close()


def test_it_says_that_it_is_sealed_and_how_to_check_it(sealed: Page):
    expect(sealed.locator("#seal")).to_contain_text("the browser now refuses every connection")
    expect(sealed.locator("#privacy")).to_contain_text("developer tools")


def test_after_the_attempts_the_page_still_works(sealed: Page):
    reveal(sealed, "#reference-1").fill("the cat is on the mat")
    reveal(sealed, "#hypothesis").fill("the cat is on mat")
    expect(sealed.locator("#score")).to_have_attribute("data-value", "0.5789300674674098")


def test_its_own_links_to_the_literature_still_lead_there(browser: Browser, site: str):
    context = new_context(browser)
    page = open_page(Recorder(context.new_page(), site))
    expect(page.locator("html[data-sealed]")).to_have_count(1, timeout=START_MS)
    context.route("https://aclanthology.org/**", lambda route: route.fulfill(body="there"))
    reveal(page, "#tokens .source a").click()
    expect(page.locator("body")).to_have_text("there")
    context.close()


def test_what_is_refused_says_so(sealed: Page):
    refused = """() => { try { document.body.append(document.createElement("iframe")) }
        catch (error) { return error.message } }"""
    assert sealed.evaluate(refused) == "This page is sealed and does not do that"


def test_what_looks_like_markup_is_a_text_like_any_other(sealed: Page):
    text = "<iframe src=x> and <link rel=y>"
    reveal(sealed, "#reference-1").fill("<iframe src=x>")
    reveal(sealed, "#hypothesis").fill(text)
    expect(sealed.locator("#hypothesis-count")).to_have_text("5 tokens")
    reveal(sealed, "#clear").click()
    reveal(sealed, "#undo").click()
    expect(sealed.locator("#hypothesis")).to_have_value(text)
    expect(sealed.locator("#tokens")).to_contain_text("<iframe")


def test_a_link_that_is_not_its_own_loses_its_address(sealed: Page):
    sealed.evaluate("""document.body.insertAdjacentHTML("beforeend",
        "<p id=strange><a href='https://example.org/'>a</a> <a href='#tokens'>b</a></p>")""")
    expect(sealed.locator("#strange [href]")).to_have_count(1)
    assert sealed.locator("#strange [href]").get_attribute("href") == "#tokens"
    assert sealed.locator('#sources a[href^="https://aclanthology.org"]').count() == 4


def test_in_the_frame_of_another_page_it_says_what_is_left(browser: Browser, dist, site: str):
    (dist.parent / "around.html").write_text("<!doctype html><iframe src='where/'></iframe>")
    context = new_context(browser)
    page = context.new_page()
    page.goto(site.removesuffix("where/") + "around.html")
    line = page.frame_locator("iframe").locator("#seal")
    expect(line).to_contain_text("Sealed: the browser now refuses this page’s connections")
    expect(line).to_contain_text("a script could hand a text to the page around this one")
    context.close()


def test_from_the_store_no_window_can_be_opened(browser: Browser, site_copy: Site):
    context = new_context(browser)
    page = open_page(Recorder(context.new_page(), site_copy.address))
    expect(page.locator("#seal")).to_contain_text("every file was checked")
    answer = page.reload()
    assert answer
    assert answer.from_service_worker
    for name, value in ONLY_BY_HEADER.items():
        assert value in answer.headers[name.lower()]
    # before the page is sealed, its guard is not there yet: what refuses this is the header
    assert page.evaluate("open('about:blank')") is None
    context.close()
