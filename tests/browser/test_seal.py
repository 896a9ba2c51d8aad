"""Once it is sealed, no text leaves the page, in whatever way it is tried."""

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import (
    PATIENCE,
    START,
    Recorder,
    new_context,
    open_page,
    see,
)
from tests.browser.sites import Site
from tests.browser.ways import CANARY, WAYS, trying


@pytest.fixture(scope="module")
def sealed(browser: Browser, site: str) -> Iterator[Page]:
    """A page that says it is sealed."""
    context = new_context(browser)
    page = open_page(Recorder(context.new_page(), site))
    expect(page.locator("html[data-sealed]")).to_have_count(1, timeout=START)
    yield page
    context.close()


def attempt(page: Page, way: str, to: str) -> None:
    """Try one way out."""
    page.evaluate(f"async (to) => {{ {trying(way)} }}", to)


@pytest.mark.parametrize("way", WAYS)
def test_no_canary_gets_out(sealed: Page, elsewhere, way):
    address, heard = elsewhere
    for to in (f"{address}?{CANARY}", f"{sealed.url.split('#')[0]}static/icon.svg?{CANARY}"):
        attempt(sealed, way, to)
    sealed.wait_for_timeout(150)
    assert heard == []
    # a locator would wait for a navigation that was refused
    assert sealed.evaluate("document.documentElement.dataset.ready") == "true"


def test_an_open_page_would_let_a_canary_out(browser: Browser, site: str, elsewhere):
    address, heard = elsewhere
    context = new_context(browser)
    page = context.new_page()
    page.goto(f"{site}licenses.txt")
    attempt(page, "fetch with a body", f"{address}?{CANARY}")
    attempt(page, "image", f"{address}?{CANARY}")
    end = time.monotonic() + PATIENCE / 1000
    while not any(CANARY in line for line in heard) and time.monotonic() < end:
        page.wait_for_timeout(50)
    assert any(CANARY in line for line in heard)
    heard.clear()
    context.close()


def test_nothing_is_asked_of_its_own_server_either(browser: Browser, own: Site):
    context = new_context(browser)
    page = open_page(Recorder(context.new_page(), own.address))
    expect(page.locator("html[data-sealed]")).to_have_count(1, timeout=START)
    before = len(own.asked)
    for way in WAYS:
        attempt(page, way, f"{own.address}static/icon.svg?{CANARY}")
    see(page, "#hypothesis").fill(f"typed {CANARY}")
    see(page, '[data-command="example:clipping"]').click()
    see(page, "#share").click()
    see(page, "#download").click()
    page.wait_for_timeout(500)
    asked = own.asked[before:]
    assert [path for path in asked if CANARY in path] == []
    context.close()


def test_it_says_that_it_is_sealed_and_how_to_check_it(sealed: Page):
    expect(sealed.locator("#seal")).to_contain_text("the browser now refuses every connection")
    expect(sealed.locator("#privacy")).to_contain_text("developer tools")


def test_after_the_attempts_the_page_still_works(sealed: Page):
    see(sealed, "#reference-1").fill("the cat is on the mat")
    see(sealed, "#hypothesis").fill("the cat is on mat")
    expect(sealed.locator("#score")).to_have_attribute("data-value", "0.5789300674674098")


def test_its_own_links_to_the_literature_still_lead_there(browser: Browser, site: str):
    context = new_context(browser)
    page = open_page(Recorder(context.new_page(), site))
    expect(page.locator("html[data-sealed]")).to_have_count(1, timeout=START)
    context.route("https://aclanthology.org/**", lambda route: route.fulfill(body="there"))
    see(page, "#tokens .source a").click()
    expect(page.locator("body")).to_have_text("there")
    context.close()
