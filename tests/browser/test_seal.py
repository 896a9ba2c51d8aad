"""A sealed page in Chromium lets no text out, by any escape route."""

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Error, Page, expect

from app.build.csp import ONLY_BY_HEADER
from tests.browser.conftest import (
    START_MS,
    TIMEOUT_MS,
    Recorder,
    new_context,
    open_page,
    reveal,
)
from tests.browser.escape_routes import ATTACKS, CANARY, ROUTES, attack_script, attempt_script
from tests.browser.listeners import port_listeners
from tests.browser.servers import Site


@pytest.fixture(scope="module")
def sealed(browser: Browser, site: str) -> Iterator[Page]:
    """Yield a sealed page."""
    context = new_context(browser)
    page = open_page(Recorder(context.new_page(), site))
    expect(page.locator("html[data-sealed]")).to_have_count(1, timeout=START_MS)
    yield page
    context.close()


def attempt(page: Page, route: str, to: str) -> None:
    """Try one escape route to the address `to`."""
    page.evaluate(f"async (to) => {{ {attempt_script(route)} }}", to)


def test_no_route_leaves_a_sealed_page_during_any_attack(sealed: Page):
    with port_listeners(ROUTES) as listeners:
        addresses = [f"{listeners.address(route)}?{CANARY}" for route in ROUTES]
        for attack in ATTACKS:
            script = f"function () {{ {attack_script(attack, ROUTES)} }}"
            assert sealed.evaluate(script, addresses)[0] == len(ROUTES), attack
        sealed.wait_for_timeout(1000)
        assert listeners.received == {}
    # A locator would wait for a navigation that was refused.
    assert sealed.evaluate("document.documentElement.dataset.ready") == "true"


def test_routes_leave_an_unsealed_page(browser: Browser, site: str):
    routes = ["fetch", "image", "peer connection of a frame"]
    context = new_context(browser)
    page = context.new_page()
    page.goto(f"{site}licenses.txt")
    with port_listeners(routes) as listeners:
        for route in routes:
            attempt(page, route, f"{listeners.address(route)}?{CANARY}")
        end = time.monotonic() + TIMEOUT_MS / 1000
        while len(listeners.received) < len(routes) and time.monotonic() < end:
            page.wait_for_timeout(50)
        assert set(listeners.received) == set(routes)
    context.close()


def test_no_text_reaches_the_server_of_the_page(browser: Browser, site_copy: Site):
    context = new_context(browser)
    page = open_page(Recorder(context.new_page(), site_copy.address))
    expect(page.locator("html[data-sealed]")).to_have_count(1, timeout=START_MS)
    before = len(site_copy.requests)
    for route in ROUTES:
        attempt(page, route, f"{site_copy.address}static/icon.svg?{CANARY}")
    reveal(page, "#hypothesis").fill(f"typed {CANARY}")
    reveal(page, '[data-command="example:clipping"]').click()
    reveal(page, "#share").click()
    reveal(page, "#download").click()
    page.wait_for_timeout(500)
    assert [path for path in site_copy.requests[before:] if CANARY in path] == []
    context.close()


def test_page_states_that_it_is_sealed_and_how_to_verify_it(sealed: Page):
    expect(sealed.locator("#seal")).to_contain_text("the browser now refuses every connection")
    expect(sealed.locator("#privacy")).to_contain_text("developer tools")


def test_page_works_after_all_attempts(sealed: Page):
    reveal(sealed, "#reference-1").fill("the cat is on the mat")
    reveal(sealed, "#hypothesis").fill("the cat is on mat")
    expect(sealed.locator("#score")).to_have_attribute("data-value", "0.5789300674674098")


def test_citation_links_still_open(tab: Recorder):
    page = open_page(tab)
    expect(page.locator("html[data-sealed]")).to_have_count(1, timeout=START_MS)
    page.route("https://aclanthology.org/**", lambda route: route.fulfill(body="there"))
    reveal(page, "#tokens .source a").click()
    expect(page.locator("body")).to_have_text("there")


FRAME_MAKERS = (
    *("node.innerHTML = markup", "node.outerHTML = markup"),
    "node.insertAdjacentHTML('beforeend', markup)",
    "document.createRange().createContextualFragment(markup)",
    *(f"new DOMParser().parseFromString(markup, '{type}')" for type in ("text/html", "text/xml")),
    *("document.createElement('IFRAME')", "document.createElementNS(space, 'a:iframe')"),
    "document.implementation.createDocument(space, 'iframe')",
)
"""Scripts that make a frame, which would be a realm without the guard."""


def test_making_a_frame_throws_with_a_reason(sealed: Page):
    for maker in FRAME_MAKERS:
        script = f"""() => {{
            const node = document.body.appendChild(document.createElement("div"));
            const markup = "<iframe></iframe>", space = "http://www.w3.org/1999/xhtml";
            try {{ {maker} }} catch (error) {{ return error.message }} finally {{ node.remove() }}
        }}"""
        assert sealed.evaluate(script) == "This page is sealed and does not do that", maker


HEAD_CHANGES = (
    *("link.rel = 'preconnect'", "link.href = to", "link.setAttribute('href', to)"),
    *("link.setAttributeNS(null, 'href', to)", "link.toggleAttribute('disabled')"),
    *(f"link.attributes.href.{name} = to" for name in ("value", "nodeValue", "textContent")),
)
"""Scripts that change an existing element of the head, which could connect to another server."""


def test_existing_head_elements_cannot_be_changed(sealed: Page):
    markup = "document.querySelector('[rel=manifest]').outerHTML"
    before = sealed.evaluate(markup)
    for change in HEAD_CHANGES:
        script = (
            f"const link = document.querySelector('[rel=manifest]'); try {{ {change} }} catch {{}}"
        )
        sealed.evaluate(f"(to) => {{ {script} }}", f"https://example.org/?{CANARY}")
        assert sealed.evaluate(markup) == before, change


def test_text_that_looks_like_markup_is_scored_and_restored(sealed: Page):
    text = "<iframe src=x> and <link rel=y>"
    reveal(sealed, "#reference-1").fill("<iframe src=x>")
    reveal(sealed, "#hypothesis").fill(text)
    expect(sealed.locator("#hypothesis-count")).to_have_text("5 tokens")
    reveal(sealed, "#clear").click()
    reveal(sealed, "#undo").click()
    expect(sealed.locator("#hypothesis")).to_have_value(text)
    expect(sealed.locator("#tokens")).to_contain_text("<iframe")


def test_inserted_link_to_another_site_loses_its_address(sealed: Page):
    sealed.evaluate("""document.body.insertAdjacentHTML("beforeend",
        "<p id=strange><a href='https://example.org/'>a</a> <a href='#tokens'>b</a></p>")""")
    expect(sealed.locator("#strange [href]")).to_have_count(1)
    assert sealed.locator("#strange [href]").get_attribute("href") == "#tokens"
    assert sealed.locator('#sources a[href^="https://aclanthology.org"]').count() == 4


def test_page_that_fails_to_start_is_sealed(recorder: Recorder):
    page = recorder.page
    page.route("**/core.js", lambda route: route.abort())
    page.goto(recorder.site)
    expect(page.locator("html[data-failed][data-sealed]")).to_have_count(1)
    expect(page.locator("#seal")).to_contain_text("refuses every connection from this page.")
    assert page.evaluate("fetch('licenses.txt').catch(() => 'refused')") == "refused"
    with pytest.raises(Error, match="This page is sealed"):
        page.evaluate("document.createElement('iframe')")


def test_framed_page_states_the_remaining_risk(browser: Browser, dist, site: str):
    (dist.parent / "around.html").write_text("<!doctype html><iframe src='where/'></iframe>")
    context = new_context(browser)
    page = context.new_page()
    page.goto(site.removesuffix("where/") + "around.html")
    line = page.frame_locator("iframe").locator("#seal")
    expect(line).to_contain_text("Sealed: the browser now refuses this page’s connections")
    expect(line).to_contain_text("a script could hand a text to the page around this one")
    context.close()


def test_page_from_the_store_cannot_open_a_window(browser: Browser, site_copy: Site):
    context = new_context(browser)
    page = open_page(Recorder(context.new_page(), site_copy.address))
    expect(page.locator("#seal")).to_contain_text("every file was checked")
    response = page.reload()
    assert response
    assert response.from_service_worker
    for name, value in ONLY_BY_HEADER.items():
        assert value in response.headers[name.lower()]
    # The guard is not installed before the page is sealed: the header refuses the window.
    assert page.evaluate("open('about:blank')") is None
    context.close()
