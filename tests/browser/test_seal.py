"""A sealed page in Chromium lets no text out, by any escape route."""

import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page, expect

from app.build.serve import ONLY_BY_HEADER
from tests.browser.conftest import (
    START_MS,
    TIMEOUT_MS,
    Recorder,
    copy_link,
    new_context,
    reveal,
    wait_for_script,
)
from tests.browser.escape_routes import CANARY, ROUTES, attack_script, attempt_script
from tests.browser.listeners import port_listeners
from tests.browser.servers import ROOT, Site

OPEN = "([address, name]) => { window[name] = open(address) }"
"""A script that opens an address, and keeps the window under a name."""
ON_MESSAGE = """addEventListener("message", () => {
    document.documentElement.dataset.asked = "true";
}, true)"""
"""A script that shows that a message has come; it hears of it before the page's scripts."""


@pytest.fixture(scope="module")
def copied_site(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Yield the module's own site, which records its requests."""
    site = Site(tmp_path_factory.mktemp("copy"))
    shutil.copytree(dist, site.folder)
    yield site
    site.close()


@pytest.fixture(scope="module")
def open_address(dist: Path, site: str) -> str:
    """Return the URL of a page without a seal, of another origin."""
    (dist.parent / "open.html").write_text("<!doctype html><title>Open</title><body>", "utf-8")
    return f"{site.removesuffix(f'{dist.name}/')}open.html"


@pytest.fixture(scope="module")
def sealed(browser: Browser, copied_site: Site, open_address: str) -> Iterator[Page]:
    """Yield the module's sealed page, which another page has opened."""
    context = new_context(browser)
    context.add_init_script(ON_MESSAGE)
    opener = context.new_page()
    opener.goto(open_address)
    with opener.expect_popup() as sealed:
        opener.evaluate(OPEN, [copied_site.address, "sealed"])
    expect(sealed.value.locator("html[data-sealed]")).to_have_count(1, timeout=START_MS)
    yield sealed.value
    context.close()


def attempt(page: Page, route: str, to: str) -> None:
    """Try one escape route to the address `to`."""
    page.evaluate(f"async (to) => {{ {attempt_script(route)} }}", to)


def settle(page: Page, site: Site, open_address: str) -> None:
    """Wait for routes from an unsealed page: all that was sent before them has arrived, too."""
    routes = ["fetch", "image", "peer connection of a frame"]
    unsealed = page.context.new_page()
    unsealed.goto(open_address)
    with port_listeners(routes) as listeners:
        for route in routes:
            attempt(unsealed, route, f"{listeners.address(route)}?{CANARY}")
        attempt(unsealed, "fetch", f"{site.address}static/icon.svg?settled")
        end = time.monotonic() + TIMEOUT_MS / 1000
        while set(listeners.received) != set(routes) or "settled" not in "".join(site.requests):
            assert time.monotonic() < end, listeners.received
            unsealed.wait_for_timeout(50)
    unsealed.close()


SOME_ATTACKS = ("", "strings", "nodes", "events")
"""Attacks of which each changes another part of what the guard uses; `engines` tries all."""


def test_no_route_leaves_a_sealed_page_during_some_attacks(sealed, copied_site, open_address):
    with port_listeners(ROUTES) as listeners:
        addresses = [f"{listeners.address(route)}?{CANARY}" for route in ROUTES]
        for attack in SOME_ATTACKS:
            script = f"function () {{ {attack_script(attack, ROUTES)} }}"
            assert sealed.evaluate(script, addresses)[0] == len(ROUTES), attack
        settle(sealed, copied_site, open_address)
        assert listeners.received == {}
    # A locator would wait for a navigation that was refused.
    assert sealed.evaluate("document.documentElement.dataset.ready") == "true"


def test_no_text_reaches_the_server_of_the_page(sealed, copied_site, open_address):
    copied_site.requests.clear()
    for route in ROUTES:
        attempt(sealed, route, f"{copied_site.address}static/icon.svg?{CANARY}")
    reveal(sealed, "#hypothesis").fill(f"typed {CANARY}")
    reveal(sealed, '[data-command="example:partial-match"]').click()
    copy_link(sealed)
    reveal(sealed, "#download").click()
    settle(sealed, copied_site, open_address)
    assert [path for path in copied_site.requests if CANARY in path] == []


ANSWER = """addEventListener("message", (event) => {
    event.source.postMessage(location.pathname, "*");
    event.ports[0].postMessage(location.pathname);
})"""
"""A script that answers the page that opened this one."""
ASK = """(name) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = onmessage = ({ data }) => answers.push(data);
    window[name].postMessage("", "*", [port2]);
}"""
"""A script that asks a page that it opened."""


def test_page_cannot_answer_the_page_that_opened_it(sealed: Page, open_address: str):
    opener = sealed.opener()
    assert opener
    opener.evaluate("() => { window.answers = [] }")
    with opener.expect_popup() as unsealed:
        opener.evaluate(OPEN, [open_address, "unsealed"])
    unsealed.value.wait_for_url(open_address)
    for page, name in ((sealed, "sealed"), (unsealed.value, "unsealed")):
        page.evaluate(ANSWER)
        opener.evaluate(ASK, name)
        expect(page.locator("html[data-asked]")).to_have_count(1)
    wait_for_script(opener, "answers.filter((path) => path.endsWith('open.html')).length === 2")
    assert opener.evaluate("answers.length") == 2


def test_page_states_the_model_of_the_seal_and_how_to_verify_it(sealed: Page):
    status = (sealed.locator("#seal").text_content() or "").replace("’", "'")
    model = re.search(r"nothing in a pasted text .*?page's files\.", status)
    assert model
    assert status.startswith(f"Sealed: {model[0]}")
    for file in ("README.md", "app/README.md", "index.html"):
        assert model[0] in (ROOT / file).read_text("utf-8").replace("’", "'"), file
    expect(sealed.locator("#privacy")).to_contain_text("developer tools")


def test_page_works_after_all_attempts(sealed: Page):
    reveal(sealed, "#reference-1").fill("the cat is on the mat")
    reveal(sealed, "#hypothesis").fill("the cat is on mat")
    expect(sealed.locator("#score")).to_have_attribute("data-value", "0.5789300674674098")


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
    assert sealed.locator('#sources a[href^="https://aclanthology.org"]').count() == 9


@pytest.mark.slow
def test_page_that_fails_to_start_is_sealed(recorder: Recorder):
    page = recorder.page
    page.route("**/core.js", lambda route: route.abort())
    page.goto(recorder.site)
    expect(page.locator("html[data-failed][data-sealed]")).to_have_count(1)
    expect(page.locator("#seal")).to_contain_text("Sealed: nothing in a pasted text")
    assert page.evaluate("fetch('licenses.txt').catch(() => 'refused')") == "refused"
    with pytest.raises(Error, match="This page is sealed"):
        page.evaluate("document.createElement('iframe')")


def test_citation_links_still_open_and_back_restores_the_texts(sealed: Page, copied_site: Site):
    reveal(sealed, "#hypothesis").fill("typed before a look")
    sealed.route("https://aclanthology.org/**", lambda route: route.fulfill(body="there"))
    reveal(sealed, "#tokens .source a").first.click()
    expect(sealed.locator("body")).to_have_text("there")
    sealed.go_back()
    expect(sealed.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    expect(sealed.locator("#hypothesis")).to_have_value("typed before a look")


@pytest.mark.slow
def test_page_from_the_store_cannot_open_a_window(sealed: Page):
    expect(sealed.locator("#seal")).to_contain_text("every file was checked")
    # The guard is not installed before the page is sealed: the header refuses the window.
    sealed.add_init_script("window.opened = open('about:blank')")
    response = sealed.reload()
    assert response
    assert response.from_service_worker
    for name, value in ONLY_BY_HEADER.items():
        assert value in response.headers[name.lower()]
    assert sealed.evaluate("opened") is None
