"""Once it is sealed, no text leaves the page, in whatever way it is tried."""

from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import START, Recorder, open_page
from tests.browser.test_offline import Site, own  # noqa: F401

CANARY = "canary-7f3a"

WAYS = {
    "fetch": "fetch(to).catch(() => {})",
    "fetch with a body": "fetch(to, {method: 'POST', mode: 'no-cors', body: 'canary-7f3a'})"
    ".catch(() => {})",
    "keepalive": "fetch(to, {keepalive: true, mode: 'no-cors'}).catch(() => {})",
    "XMLHttpRequest": "const x = new XMLHttpRequest(); x.open('GET', to); x.send()",
    "sendBeacon": "navigator.sendBeacon(to, 'canary-7f3a')",
    "WebSocket": "new WebSocket(to.replace('http', 'ws'))",
    "EventSource": "new EventSource(to)",
    "WebTransport": "new WebTransport(to.replace('http:', 'https:')).ready.catch(() => {})",
    "image": "new Image().src = to",
    "image in the page": "document.body.insertAdjacentHTML('beforeend', `<img src='${to}'>`)",
    "svg image": "document.body.insertAdjacentHTML('beforeend',"
    " `<svg><image href='${to}'/></svg>`)",
    "stylesheet": "add('link', {rel: 'stylesheet', href: to})",
    "style of an element": "document.body.style.backgroundImage = `url(${to})`",
    "rule": "const s = new CSSStyleSheet(); s.replaceSync(`body {background: url(${to})}`);"
    " document.adoptedStyleSheets = [s]",
    "font": "new FontFace('f', `url(${to})`).load().catch(() => {})",
    "script": "add('script', {src: to})",
    "module": "import(to).catch(() => {})",
    "worker": "new Worker(to)",
    "shared worker": "new SharedWorker(to)",
    "service worker": "navigator.serviceWorker.register(to).catch(() => {})",
    "frame": "add('iframe', {src: to})",
    "frame with a page": "add('iframe', {srcdoc: `<img src='${to}'>`})",
    "object": "add('object', {data: to})",
    "embed": "add('embed', {src: to})",
    "video": "add('video', {src: to, poster: to, autoplay: true})",
    "audio": "new Audio(to).play().catch(() => {})",
    "track": "document.body.insertAdjacentHTML('beforeend',"
    " `<video><track default src='${to}'></video>`)",
    "prefetch": "add('link', {rel: 'prefetch', href: to})",
    "preload": "add('link', {rel: 'preload', as: 'image', href: to})",
    "modulepreload": "add('link', {rel: 'modulepreload', href: to})",
    "icon": "add('link', {rel: 'icon', href: to})",
    "manifest": "document.querySelector('[rel=manifest]').href = to",
    "form": "const f = add('form', {action: to}); f.submit()",
    "form post": "const f = add('form', {action: to, method: 'post'}); f.requestSubmit()",
    "link": "add('a', {href: to}).click()",
    "link to a new tab": "add('a', {href: to, target: '_blank'}).click()",
    "link that pings": "add('a', {href: '#tokens', ping: to}).click()",
    "link outside the page": "Object.assign(document.createElement('a'), {href: to}).click()",
    "file to save": "Object.assign(document.createElement('a'),"
    " {href: to, download: 'saved'}).click()",
    "own link changed": "const a = document.querySelector('.source a'); a.href = to; a.click()",
    "address": "location.href = to",
    "replaced address": "location.replace(to)",
    "new window": "window.open(to)",
    "refresh": "add('meta', {httpEquiv: 'refresh', content: `0;url=${to}`})",
    "peer connection": "new RTCPeerConnection({iceServers: [{urls: 'stun:' + new URL(to).host}]})",
    "report": "add('meta', {httpEquiv: 'Content-Security-Policy', content: `img-src 'none';"
    " report-uri ${to}`}); new Image().src = 'x.png'",
    "speculation": "add('script', {type: 'speculationrules',"
    " text: JSON.stringify({prefetch: [{urls: [to]}]})})",
}  # fmt: skip

BY_ADDRESS = {"link outside the page", "file to save", "address", "replaced address", "refresh"}
"""Those that only the Navigation API can refuse."""


class Recording(BaseHTTPRequestHandler):
    """Answers everything, and remembers that it was asked."""

    def __init__(self, heard: list[str], *args: object) -> None:
        self.heard = heard
        super().__init__(*args)

    def handle_one_request(self) -> None:
        """Any bytes at all count."""
        line = self.rfile.readline()
        if line:
            self.heard.append(line.decode("latin-1"))
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[tuple[str, list[str]]]:
    """Another server, and all that it hears."""
    heard: list[str] = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Recording, heard))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/", heard
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def sealed(browser: Browser, site: str) -> Iterator[Page]:
    """A page that says it is sealed."""
    context = browser.new_context()
    page = open_page(Recorder(context.new_page(), site))
    expect(page.locator("html[data-sealed]")).to_have_count(1, timeout=START)
    yield page
    context.close()


def trying(way: str) -> str:
    """A script that tries one way out; that it raises is as good as anything."""
    add = "Object.assign(document.createElement(name), given)"
    return (
        f"const add = (name, given) => document.body.appendChild({add});"
        f" try {{ {WAYS[way]} }} catch {{}}"
    )


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
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{site}licenses.txt")
    attempt(page, "fetch with a body", f"{address}?{CANARY}")
    attempt(page, "image", f"{address}?{CANARY}")
    page.wait_for_timeout(300)
    assert any(CANARY in line for line in heard)
    heard.clear()
    context.close()


def test_nothing_is_asked_of_its_own_server_either(browser: Browser, own: Site):  # noqa: F811
    context = browser.new_context()
    page = open_page(Recorder(context.new_page(), own.address))
    expect(page.locator("html[data-sealed]")).to_have_count(1, timeout=START)
    before = len(own.asked)
    for way in WAYS:
        attempt(page, way, f"{own.address}static/icon.svg?{CANARY}")
    page.locator("#hypothesis").fill(f"typed {CANARY}")
    page.locator('[data-example="clipping"]').click()
    page.locator("#share").click()
    page.locator("#download").click()
    page.wait_for_timeout(500)
    asked = own.asked[before:]
    assert [path for path in asked if CANARY in path] == []
    context.close()


def test_it_says_that_it_is_sealed_and_how_to_check_it(sealed: Page):
    expect(sealed.locator("#seal")).to_contain_text("the browser now refuses every connection")
    expect(sealed.locator("#privacy")).to_contain_text("developer tools")


def test_after_the_attempts_the_page_still_works(sealed: Page):
    sealed.locator("#reference-1").fill("the cat is on the mat")
    sealed.locator("#hypothesis").fill("the cat is on mat")
    expect(sealed.locator("#score")).to_have_attribute("data-value", "0.5789300674674098")


def test_its_own_links_to_the_literature_still_lead_there(browser: Browser, site: str):
    context = browser.new_context()
    page = open_page(Recorder(context.new_page(), site))
    expect(page.locator("html[data-sealed]")).to_have_count(1, timeout=START)
    context.route("https://aclanthology.org/**", lambda route: route.fulfill(body="there"))
    page.locator("#tokens .source a").click()
    expect(page.locator("body")).to_have_text("there")
    context.close()
