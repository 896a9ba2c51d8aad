"""A sealed page lets no text out, by any escape route, in any engine.

A control test shows that each route leaves an unsealed page, except those listed in `NOT_RECEIVED`.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from selenium.common.exceptions import MoveTargetOutOfBoundsException
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.mouse_button import MouseButton
from selenium.webdriver.remote.webelement import WebElement

from bleu import EXAMPLES
from tests.browser.escape_routes import (
    ADDRESSES,
    ATTACKS,
    BY_ADDRESS,
    CANARY,
    CLICKED,
    CONNECTIONS,
    REALMS,
    ROUTES,
    SWAPS,
    WINDOWS,
    attack_script,
    attempt_script,
)
from tests.browser.listeners import port_listeners
from tests.browser.servers import Site
from tests.engines.engines import ENGINES
from tests.engines.page import Page
from tests.engines.test_core import show_example

BUTTONS = {"left": MouseButton.LEFT, "middle": MouseButton.MIDDLE}
CLICKS = [f"{route}, {button} button" for route in CLICKED for button in BUTTONS]
ALL = [*ROUTES, *CLICKS]

OWN_SERVER_ROUTES = (
    "worker",
    "shared worker",
    "service worker",
    "svg use",
    "manifest",
    "icon",
    "track",
)
"""Routes that request a file of the page's own server; most of them reach no other server."""
NOT_REQUESTED = {"Chromium": {"icon"}, "Firefox": {"manifest"}, "WebKit": {"icon", "manifest"}}
"""The routes of `OWN_SERVER_ROUTES` that do not reach it from an unsealed page, by engine."""

NEVER_RECEIVED = {
    *OWN_SERVER_ROUTES,
    *(route for route in CONNECTIONS if route.startswith("existing element")),
    *(f"link in a closed shadow tree, {button} button" for button in BUTTONS),
    "area to a new tab",
    "background fetch",
    "dns-prefetch",
    "entity of XML",
    "icon of a notification",
    "image that is attributed",
    "link by a key",
    "link that is attributed",
    "link that is there",
    "of a set of frames",
    "of an embedded page",
    "report",
    "shared storage",
    *(route for route in CONNECTIONS if route.startswith("signal of")),  # see the look-ups
    "stylesheet of XSLT",
}
FOCUS = {route for route in WINDOWS if "focus" in route or "found" in route}
NOT_RECEIVED = {
    "Chromium": NEVER_RECEIVED
    | FOCUS
    | {"artwork of a media session", "link activated", "link in MathML", "named link in MathML"}
    | {f"link in MathML, {button} button" for button in BUTTONS},
    "Firefox": NEVER_RECEIVED
    | {
        "end of an identity",
        "fetch later",
        "identity",
        "link that pings",
        "of a frame by an entity",
        "of an object",
        "paint worklet",
        "payment",
        "peer connection by its prefix",
        "speculation",
    },
    "WebKit": NEVER_RECEIVED
    | {route for route in REALMS if "peer" in REALMS[route]}  # it is built without them
    | FOCUS
    | {
        "WebTransport",
        "address by its API",
        "blob in a new tab",
        "detached link in SVG",
        "dictionary",
        "end of an identity",
        "fetch later",
        "form to a new tab",
        "identity",
        "link activated",
        "link in SVG",
        "link with changing address",
        "new window",
        "new window led elsewhere",
        "new window of the document",
        "of a frame of one's own",
        "of a set of frames",
        "old link in SVG",
        "open of a frame",
        "paint worklet",
        "payment",
        "preconnect by a sanitizer",
        "prefetch",
        "speculation",
    },
}
"""The routes that reach no port from an unsealed page either, by engine; they are tried anyway."""

UNREFUSABLE = {"WebKit": BY_ADDRESS}
"""The routes that no page can refuse, by engine."""

NAVIGATING = {
    *(*ADDRESSES, *CLICKS, *FOCUS),
    *("link in MathML", "named link in MathML"),  # WebKit ignores their target
}
"""The routes that may replace the page in its own window."""

EFFECTIVE_ATTACKS = ("arrays", "iterators", "sets", "strings", "nodes", "events")
"""The attacks that change prototypes in every engine; a sealed page has them frozen."""

SETTLE_SECONDS = 2.0
"""The time for a request in flight to arrive: a longer wait can only find more."""

OPEN = (
    "<!doctype html><title>Open</title><link rel=manifest href=m.webmanifest>"
    '<p class=source><a href="https://aclanthology.org/">paper</a><p id=tokens>tokens'
)


@pytest.fixture(scope="module")
def sealed(engine_page: Page, blank: str, site_copy: Site) -> Iterator[Page]:
    """Yield a sealed page in a new window; the complaints about refusals are dropped."""
    with engine_page.tab(blank):
        open_sealed(engine_page, site_copy.address)
        yield engine_page
    engine_page.complaints()


@pytest.fixture
def open_page(engine_page: Page, blank: str, site_copy: Site) -> Iterator[Callable[[], None]]:
    """Yield a function that reopens the unsealed page that a new window shows."""
    (site_copy.folder.parent / "open.html").write_text(OPEN, "utf-8")
    address = site_copy.address.removesuffix(f"{site_copy.folder.name}/") + "open.html"
    with engine_page.tab(blank):
        engine_page.go(address)
        yield lambda: engine_page.go(address, fresh=True)
    engine_page.complaints()


def open_sealed(page: Page, address: str) -> None:
    """Open the page and wait until it is sealed."""
    page.open(address, fresh=True)
    page.until(lambda: page.data("html", "sealed"), "true")


TARGET = """const target = document.getElementById("route");
return target?.getBoundingClientRect().height ? target : null"""
"""Finds what is to be clicked; without its shadow tree, an element has no height."""


def attempt(page: Page, route: str, to: str) -> None:
    """Try one route: run its script, or click the element that its script inserts."""
    if route in ROUTES:
        page.run(f"const to = arguments[0]; {attempt_script(route)}", to)
        return
    name, button = route.removesuffix(" button").rsplit(", ", 1)
    page.run("document.getElementById('route')?.remove()")
    page.run(f"const to = arguments[0]; {attempt_script(name, CLICKED)}", to)
    if target := page.run(TARGET):
        page.until_true(lambda: is_clicked(page, target, BUTTONS[button]))


def is_clicked(page: Page, target: WebElement, button: str) -> bool:
    """Click an element with a button; return False if the page has just scrolled away from it."""
    page.run("arguments[0].scrollIntoView({block: 'center'})", target)
    mouse = ActionBuilder(page.driver)
    mouse.pointer_action.move_to(target)
    mouse.pointer_action.pointer_down(button)
    mouse.pointer_action.pointer_up(button)
    try:
        mouse.perform()
    except MoveTargetOutOfBoundsException:
        return False
    return True


@contextmanager
def closing_new_windows(page: Page) -> Iterator[None]:
    """Close the windows that the block opened."""
    before, current = page.driver.window_handles, page.driver.current_window_handle
    yield
    for window in set(page.driver.window_handles) - set(before):
        page.driver.switch_to.window(window)
        page.driver.close()
    page.driver.switch_to.window(current)


def attempt_all(page: Page, reopen: Callable[[], None]) -> set[str]:
    """Try every route, each to its own port, also during each attack; return those that arrived.

    `reopen` opens the page again after a route that is known to navigate away.
    """
    unrefusable = UNREFUSABLE.get(page.engine, set())
    routes = [route for route in ROUTES if route not in unrefusable]
    with port_listeners(ALL) as listeners:
        addresses = {route: f"{listeners.address(route)}?{CANARY}" for route in ALL}
        with closing_new_windows(page):
            for attack in ATTACKS:
                script = attack_script(attack, routes)
                tried, _ = page.run(script, [addresses[route] for route in routes])
                assert tried == len(routes), attack
            attacks = ";".join(ATTACKS[attack] for attack in (*EFFECTIVE_ATTACKS, "listeners"))
            page.run(f"{SWAPS} {attacks}; window.restore = restore")
            for route in CLICKS:
                attempt(page, route, addresses[route])
            page.run("window.restore()")
        for route in unrefusable:
            attempt(page, route, addresses[route])
            page.until_true(lambda route=route: route in listeners.received)
            reopen()
        time.sleep(SETTLE_SECONDS)
        return set(listeners.received)


@pytest.mark.slow
def test_each_route_leaves_an_unsealed_page(engine_page, open_page):
    routes = [route for route in ALL if route not in NOT_RECEIVED[engine_page.engine]]
    with port_listeners(routes) as listeners:
        for route in routes:
            with closing_new_windows(engine_page):
                attempt(engine_page, route, f"{listeners.address(route)}?{CANARY}")
                engine_page.until(
                    lambda route=route: route if route in listeners.received else None, route
                )
            if route in NAVIGATING:
                open_page()


@pytest.mark.slow
def test_each_attack_changes_an_unsealed_page(engine_page, open_page):
    for attack in EFFECTIVE_ATTACKS:
        open_page()
        assert engine_page.run(attack_script(attack, []), [])[1] > 0, attack


@pytest.mark.slow
def test_no_attack_changes_what_the_guard_uses(sealed):
    for attack in EFFECTIVE_ATTACKS:
        assert sealed.run(attack_script(attack, []), []) == [0, 0], attack


@pytest.mark.slow
@pytest.mark.parametrize("visit", ["without headers", "from the store, with its headers"])
def test_no_route_leaves_a_sealed_page(sealed, site_copy, visit):
    if visit != "without headers":
        sealed.until_true(lambda: "every file was checked" in sealed.text("#seal"))
        open_sealed(sealed, site_copy.address)
        assert sealed.run("return Boolean(navigator.serviceWorker.controller)")
    arrived = attempt_all(sealed, lambda: open_sealed(sealed, site_copy.address))
    assert arrived == UNREFUSABLE.get(sealed.engine, set())


def attempt_to_own_server(page: Page, site_copy: Site, routes: Iterable[str]) -> None:
    """Try routes to the page's own server, with their names in the query, and wait."""
    for route in routes:
        attempt(
            page, route, f"{site_copy.address}static/icon.svg?{CANARY}={route.replace(' ', '-')}."
        )
    time.sleep(SETTLE_SECONDS)


@pytest.mark.slow
def test_no_text_reaches_the_server_of_the_page(engine_page, open_page, site_copy):
    routes = [
        route for route in OWN_SERVER_ROUTES if route not in NOT_REQUESTED[engine_page.engine]
    ]
    attempt_to_own_server(engine_page, site_copy, routes)
    requested = "".join(site_copy.requests)
    assert [
        route for route in routes if f"{CANARY}={route.replace(' ', '-')}." not in requested
    ] == []
    site_copy.requests.clear()
    open_sealed(engine_page, site_copy.address)
    attempt_to_own_server(
        engine_page, site_copy, [route for route in ALL if route not in ADDRESSES]
    )
    assert [path for path in site_copy.requests if CANARY in path] == []


@pytest.mark.slow
def test_no_text_leaves_in_a_cookie_or_the_page_address(engine_page, open_page, site_copy):
    set_texts = """document.cookie = "text=canary-7f3a; path=/"; window.name = "canary-7f3a";
        let count = 0;
        const changing = {toString: () => (count++ ? "?canary-7f3a" : "")};
        for (const address of [changing, "?canary-7f3a"])
            try { history.replaceState(null, "", address) } catch {}"""
    engine_page.run(set_texts)
    assert CANARY in engine_page.run("return location.search")
    engine_page.driver.refresh()
    engine_page.until_true(lambda: CANARY in "".join(site_copy.cookies))
    remove_cookie = "document.cookie = 'text=; path=/; max-age=0'; return !document.cookie"
    engine_page.until_true(lambda: engine_page.run(remove_cookie))  # once the new page is there
    open_sealed(engine_page, site_copy.address)
    site_copy.cookies.clear()  # Only now no request of the page before can be under way.
    engine_page.run(set_texts)
    assert engine_page.run("return location.search") == ""
    site_copy.requests.clear()
    engine_page.run("navigator.serviceWorker?.ready.then((registration) => registration.update())")
    if engine_page.run("return 'serviceWorker' in navigator"):
        engine_page.until_true(lambda: site_copy.requests)
    open_page()
    assert engine_page.run("return document.cookie + window.name") == ""
    assert site_copy.cookies == []


@pytest.mark.slow
def test_apis_that_ignore_the_policy_are_removed(sealed):
    types = """return [typeof RTCPeerConnection, typeof navigator.credentials,
        typeof PaymentRequest, typeof speechSynthesis, typeof XSLTProcessor,
        typeof documentPictureInPicture, typeof PublicKeyCredential, typeof IdentityCredential,
        typeof BroadcastChannel, typeof SharedWorker, typeof navigator.locks,
        typeof navigator.mediaSession, typeof Element.prototype.attachShadow,
        typeof navigation, typeof open,
        typeof document.createElement("form").submit, typeof document.open,
        typeof Object.getOwnPropertyDescriptor(
            window.ServiceWorkerRegistration?.prototype ?? {}, "navigationPreload")]"""
    assert set(sealed.run(types)) == {"undefined"}


@pytest.mark.slow
def test_page_states_that_it_is_sealed_and_the_remaining_risk(sealed):
    sealed.until_true(lambda: "every file was checked" in sealed.text("#seal"))
    status = sealed.text("#seal")
    has_risk = sealed.engine in UNREFUSABLE
    assert ("refuses every connection from this page" in status) is not has_risk
    assert ("stop a script from opening another address in this tab" in status) is has_risk


@pytest.mark.slow
def test_typing_and_examples_make_no_request(sealed, site_copy):
    before = len(site_copy.requests)
    sealed.type("#hypothesis", f"typed {CANARY}")
    for name in EXAMPLES:
        show_example(sealed, name)
    sealed.click("#share")
    time.sleep(SETTLE_SECONDS)
    # The browser itself checks now and then for a new service worker.
    assert {path.rsplit("/", 1)[-1] for path in site_copy.requests[before:]} <= {
        "service-worker.js"
    }


@pytest.mark.slow
def test_page_works_after_all_attempts(sealed):
    sealed.type("#reference-1", "the cat is on the mat")
    sealed.type("#hypothesis", "the cat is on mat")
    sealed.until(lambda: sealed.data("#score", "value"), "0.5789300674674098")


@pytest.mark.slow
def test_texts_survive_a_look_at_another_page(engine_page, blank, site):
    if engine_page.engine == "WebKit":
        pytest.skip("WebKit's driver never answers if the page restarts during a script")
    with engine_page.tab(blank):
        engine_page.open(site)
        engine_page.until(lambda: engine_page.data("html", "sealed"), "true")
        engine_page.type("#hypothesis", "typed before a look")
        engine_page.run("location.hash = 'licenses'")
        engine_page.until(lambda: engine_page.count("#reference:not([hidden])"), 1)
        engine_page.one('#licenses a[href="licenses.txt"]').click()
        engine_page.until_true(lambda: engine_page.run("return location.href").endswith(".txt"))
        engine_page.driver.back()
        engine_page.until(lambda: engine_page.run("return location.href.split('#')[0]"), site)
        engine_page.until(lambda: engine_page.count("html[data-ready]"), 1)
        engine_page.until(lambda: engine_page.value("#hypothesis"), "typed before a look")
        assert engine_page.run("return sessionStorage.length") == 0
    engine_page.complaints()


def lookup_host(route: str) -> str:
    """Return the host that a route must look up."""
    return f"{route.replace(' ', '-')}.{CANARY}.example"


def lookup_log(
    name: str, folder: Path, address: str, routes: Iterable[str], awaited: Iterable[str] = ()
) -> str:
    """Return the engine's own log of host lookups while these routes are tried.

    Before the engine closes, wait until the hosts of the `awaited` routes are in the log.
    """
    engine, log, downloads = ENGINES[name], folder / "log", folder / "downloads"

    def read_log() -> str:
        return "".join(file.read_text("utf-8", "replace") for file in folder.glob("log*"))

    if reason := engine.missing():
        pytest.skip(reason)
    downloads.mkdir()
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("MOZ_LOG", "nsHostResolver:5")
        environment.setenv("MOZ_LOG_FILE", str(log))
        switches = (f"--log-net-log={log}",) if name == "chromium" else ()
        with engine.start(engine.parts, downloads, *switches) as driver:
            page = Page(driver, downloads, engine.name)
            if address.endswith(".txt"):
                page.go(address)
            else:
                open_sealed(page, address)
            for route in routes:
                attempt(page, route, f"http://{lookup_host(route)}/")
                if route in SIGNALS:
                    time.sleep(SETTLE_SECONDS)  # a signal is dropped while another is sent
            for route in awaited:
                page.until_true(lambda route=route: lookup_host(route) in read_log())
            time.sleep(SETTLE_SECONDS)
    return read_log()


SIGNALS = [route for route in CONNECTIONS if route.startswith("signal of")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "routes"),
    [
        ("chromium", ["dns-prefetch", "preconnect", *SIGNALS]),
        ("firefox", ["dns-prefetch", "preconnect", "link that is there"]),
    ],
)
def test_no_host_name_is_looked_up(name, routes, site, tmp_path_factory):
    site = site.replace("127.0.0.1", "localhost")  # WebAuthn needs a name
    folder = tmp_path_factory.mktemp("open")
    log = lookup_log(name, folder, f"{site}licenses.txt", routes, awaited=routes)
    assert all(lookup_host(route) in log for route in routes)
    assert CANARY not in lookup_log(name, tmp_path_factory.mktemp("sealed"), site, ROUTES)
