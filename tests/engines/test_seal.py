"""A sealed page lets no text out, by any escape route, in any engine.

A control test shows that each route leaves an unsealed page, except those listed in `NOT_RECEIVED`.
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

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
from tests.browser.listeners import PortListeners, port_listeners
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
    | {"artwork of a media session", "link activated"}
    | {route for route in WINDOWS if "MathML" in route}
    | {f"link in MathML, {button} button" for button in BUTTONS},
    "Firefox": NEVER_RECEIVED
    | {
        "end of an identity",
        "fetch later",
        "identity",
        "link that pings",
        "link of a label",
        "link without an address of a label",
        "of a frame by an entity",
        "of a frame with the prefix U+1680",
        "of a frame with the prefix U+FEFF",
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
        "link without an address in SVG",
        "new window",
        "new window led elsewhere",
        "new window of the document",
        "of a frame of one's own",
        "of a set of frames",
        "old link in SVG",
        "old link without an address in SVG",
        "open of a frame",
        "paint worklet",
        "payment",
        "preconnect by a sanitizer",
        "prefetch",
        "speculation",
    },
}
"""The routes that reach no port from an unsealed page either, by engine; they are tried anyway."""

MODEL = (
    "nothing in a pasted text can send it anywhere. The browser, its extensions and its translator "
    "can. So could a script that somebody added to the page’s files."
)
"""What the page says of its seal."""

UNREFUSABLE = {"WebKit": BY_ADDRESS}
"""The routes that no page can refuse, by engine."""

LEAVING = ("blob", "address of a blob")
"""The routes that show another page in the window; the others get a response without content."""

ONE_BY_ONE = {
    *(route for route in ADDRESSES if route not in LEAVING),
    *(route for route in WINDOWS if "MathML" in route),  # WebKit ignores their target
}
"""The routes that another one cancels, such as a navigation of the same window."""

LED_ON = "frame that is led on"
"""The route that Firefox no longer follows once the page was asked to leave."""

EFFECTIVE_ATTACKS = ("arrays", "iterators", "sets", "strings", "nodes", "events")
"""The attacks that change prototypes in every engine; a sealed page has them frozen."""

CONTROLS = ("fetch", "image", "link to a new tab", "peer connection of a frame")
"""Routes that leave any unsealed page (the last not in WebKit), of which some are slow."""

OPEN = (
    "<!doctype html><title>Open</title><link rel=manifest href=m.webmanifest>"
    '<p class=source><a href="https://aclanthology.org/">paper</a><p id=tokens>tokens'
)


@pytest.fixture(scope="module")
def sealed(engine_page: Page, blank: str, site_copy: Site) -> Iterator[Page]:
    """Yield the module's sealed page in a new window; complaints about refusals are dropped."""
    with engine_page.tab(blank):
        open_sealed(engine_page, site_copy.address)
        yield engine_page
    engine_page.complaints()


@pytest.fixture(scope="module")
def open_address(site_copy: Site) -> str:
    """Return the URL of a page without a seal, on the same server."""
    (site_copy.folder.parent / "open.html").write_text(OPEN, "utf-8")
    return site_copy.address.removesuffix(f"{site_copy.folder.name}/") + "open.html"


@pytest.fixture
def open_page(engine_page: Page, open_address: str) -> Iterator[Page]:
    """Yield an unsealed page in a new window."""
    with engine_page.tab(open_address):
        yield engine_page
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


def attempt_until_received(page: Page, route: str, to: str, listeners: PortListeners) -> None:
    """Try one route up to five times: Firefox can lose a click while it closes a window."""
    for _ in range(5):
        attempt(page, route, to)
        end = time.monotonic() + 5
        while time.monotonic() < end:
            if route in listeners.received:
                return
            time.sleep(0.05)


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


def addresses_of(listeners: PortListeners, routes: Iterable[str]) -> list[str]:
    """Return the addresses that these routes must use."""
    return [f"{listeners.address(route)}?{CANARY}" for route in routes]


def attempt_together(page: Page, routes: Sequence[str], addresses: list[str], attack="") -> None:
    """Try routes in one script, during an attack."""
    tried, _ = page.run(attack_script(attack, routes), addresses)
    assert tried == len(routes), attack


def settle(page: Page, open_address: str) -> None:
    """Wait for routes from an unsealed page: all that was sent before them has arrived, too."""
    routes = [route for route in CONTROLS if route not in NOT_RECEIVED[page.engine]]
    with (
        port_listeners(routes) as listeners,
        page.tab(open_address),
        closing_new_windows(page),
    ):
        attempt_together(page, routes, addresses_of(listeners, routes))
        page.until(lambda: set(routes) - set(listeners.received), set())


def attempt_all(page: Page, open_address: str, attacks: Iterable[str] = ("",)) -> set[str]:
    """Try every route, each to its own port, during each attack; return those that arrived.

    The routes to click are tried once, during all attacks that a click survives.
    The page stays in the window: a route of `LEAVING` is left out if it cannot be refused.
    """
    unrefusable = UNREFUSABLE.get(page.engine, set())
    routes = [route for route in ROUTES if route not in unrefusable]
    navigating = sorted(unrefusable.difference(LEAVING))
    with port_listeners(ALL) as listeners:
        with closing_new_windows(page):
            for attack in attacks:
                attempt_together(page, routes, addresses_of(listeners, routes), attack)
            together = ";".join(ATTACKS[attack] for attack in (*EFFECTIVE_ATTACKS, "listeners"))
            page.run(f"{SWAPS} {together}; window.restore = restore")
            for route, address in zip(CLICKS, addresses_of(listeners, CLICKS), strict=True):
                attempt(page, route, address)
            page.run("window.restore()")
        for route, address in zip(navigating, addresses_of(listeners, navigating), strict=True):
            attempt(page, route, address)
            page.until_true(lambda route=route: route in listeners.received)
        settle(page, open_address)
        return set(listeners.received)


@pytest.mark.slow
def test_each_route_leaves_an_unsealed_page(open_page, open_address):
    routes = [route for route in ALL if route not in NOT_RECEIVED[open_page.engine]]
    apart = {LED_ON, *FOCUS, *ONE_BY_ONE, *CLICKS, *LEAVING}
    # New windows take the focus and hide the page, so they come last.
    groups = [
        [route for route in routes if route == LED_ON],
        [route for route in routes if route in FOCUS],
        [route for route in routes if route in CONNECTIONS and route not in apart],
        [route for route in routes if route not in CONNECTIONS and route not in apart],
        *([route] for route in routes if route in {*ONE_BY_ONE, *CLICKS}),
        *([route] for route in LEAVING),
    ]
    with port_listeners(routes) as listeners:
        for group in groups:
            with closing_new_windows(open_page):
                addresses = addresses_of(listeners, group)
                if group and group[0] in CLICKS:
                    attempt_until_received(open_page, group[0], addresses[0], listeners)
                else:
                    attempt_together(open_page, group, addresses)
                open_page.until(lambda group=group: set(group) - set(listeners.received), set())
            if group and group[0] in LEAVING:
                open_page.go(open_address)


@pytest.mark.slow
def test_each_attack_changes_an_unsealed_page(open_page):
    for attack in EFFECTIVE_ATTACKS:
        assert open_page.run(attack_script(attack, []), [])[1] > 0, attack


@pytest.mark.slow
def test_no_attack_changes_what_the_guard_uses(sealed):
    for attack in EFFECTIVE_ATTACKS:
        assert sealed.run(attack_script(attack, []), []) == [0, 0], attack


@pytest.mark.slow
@pytest.mark.parametrize("visit", ["without headers", "from the store, with its headers"])
def test_no_route_leaves_a_sealed_page(sealed, site_copy, open_address, visit):
    if visit != "without headers":
        sealed.until_true(lambda: "every file was checked" in sealed.text("#seal"))
        open_sealed(sealed, site_copy.address)
        assert sealed.run("return Boolean(navigator.serviceWorker.controller)")
    unrefusable = UNREFUSABLE.get(sealed.engine, set())
    # An attack changes what the guard uses, which is the same at both visits.
    attacks = ATTACKS if visit == "without headers" else ("",)
    assert attempt_all(sealed, open_address, attacks) == unrefusable.difference(LEAVING)


def attempt_to_own_server(page: Page, site_copy: Site, routes: Iterable[str]) -> None:
    """Try routes to the page's own server, with their names in the query; those to click last."""
    file = f"{site_copy.address}static/icon.svg?{CANARY}"
    addresses = {route: f"{file}={route.replace(' ', '-')}." for route in routes}
    together = [route for route in addresses if route in ROUTES]
    attempt_together(page, together, [addresses.pop(route) for route in together])
    for route, address in addresses.items():
        attempt(page, route, address)


def settle_own_server(page: Page, site_copy: Site, open_address: str) -> None:
    """Wait until the page's own server has answered an unsealed page."""
    with page.tab(open_address):
        settled = f"{site_copy.address}static/icon.svg?settled"
        page.run("fetch(arguments[0], {cache: 'no-store'})", settled)
        page.until_true(lambda: any("settled" in path for path in site_copy.requests))


@pytest.mark.slow
def test_each_own_server_route_leaves_an_unsealed_page(open_page, site_copy):
    routes = [route for route in OWN_SERVER_ROUTES if route not in NOT_REQUESTED[open_page.engine]]
    attempt_to_own_server(open_page, site_copy, routes)

    def unrequested() -> list[str]:
        requested = "".join(site_copy.requests)
        return [route for route in routes if f"={route.replace(' ', '-')}." not in requested]

    open_page.until(unrequested, [])


@pytest.mark.slow
def test_no_text_reaches_the_server_of_the_page(sealed, site_copy, open_address):
    site_copy.requests.clear()
    attempt_to_own_server(sealed, site_copy, [route for route in ALL if route not in ADDRESSES])
    settle_own_server(sealed, site_copy, open_address)
    assert [path for path in site_copy.requests if CANARY in path] == []


@pytest.mark.slow
def test_no_text_leaves_in_a_cookie_or_the_page_address(sealed, site_copy, open_address):
    set_texts = """document.cookie = "text=canary-7f3a; path=/"; window.name = "canary-7f3a";
        let count = 0;
        const changing = {toString: () => (count++ ? "?canary-7f3a" : "")};
        for (const address of [changing, "?canary-7f3a"])
            try { history.replaceState(null, "", address) } catch {}"""
    with sealed.tab(open_address):
        sealed.run(set_texts)
        assert CANARY in sealed.run("return location.search")
        sealed.driver.refresh()
        sealed.until_true(lambda: CANARY in "".join(site_copy.cookies))
        remove_cookie = "document.cookie = 'text=; path=/; max-age=0'; return !document.cookie"
        sealed.until_true(lambda: sealed.run(remove_cookie))  # once the new page is there
    sealed.run(set_texts)
    assert sealed.run("return location.search") == ""
    site_copy.cookies.clear()
    site_copy.requests.clear()
    sealed.run("navigator.serviceWorker?.ready.then((registration) => registration.update())")
    if sealed.run("return 'serviceWorker' in navigator"):
        sealed.until_true(lambda: site_copy.requests)
    with sealed.tab(open_address):
        assert sealed.run("return document.cookie") == ""
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
    assert sealed.text("#seal").startswith(f"Sealed: {MODEL}")


@pytest.mark.slow
def test_typing_and_examples_make_no_request(sealed, site_copy, open_address):
    site_copy.requests.clear()
    sealed.type("#hypothesis", f"typed {CANARY}")
    for name in EXAMPLES:
        show_example(sealed, name)
    sealed.click("#share")
    sealed.click("#copy-link")
    settle_own_server(sealed, site_copy, open_address)
    # The browser itself reads the manifest, and checks now and then for a new service worker.
    settled = {"open.html", "icon.svg?settled", "favicon.ico"}
    names = {path.rsplit("/", 1)[-1] for path in site_copy.requests}
    assert names - settled <= {"service-worker.js", "m.webmanifest"}


@pytest.mark.slow
def test_page_works_after_all_attempts(sealed):
    sealed.type("#reference-1", "the cat is on the mat")
    sealed.type("#hypothesis", "the cat is on mat")
    sealed.until(lambda: sealed.data("#score", "value"), "0.5789300674674098")


@pytest.mark.slow
def test_texts_survive_a_look_at_another_page(sealed):
    if sealed.engine == "WebKit":
        pytest.skip("WebKit's driver never answers if the page restarts during a script")
    site = sealed.run("return location.href.split('#')[0]")
    sealed.type("#hypothesis", "typed before a look")
    sealed.run("location.hash = 'licenses'")
    sealed.until(lambda: sealed.count("#reference:not([hidden])"), 1)
    sealed.one('#licenses a[href="licenses.txt"]').click()
    sealed.until_true(lambda: sealed.run("return location.href").endswith(".txt"))
    assert sealed.run("return window.name") == ""  # which another test has tried to set
    sealed.driver.back()
    sealed.until(lambda: sealed.run("return location.href.split('#')[0]"), site)
    sealed.until(lambda: sealed.count("html[data-ready]"), 1)
    sealed.until(lambda: sealed.value("#hypothesis"), "typed before a look")
    assert sealed.run("return sessionStorage.length") == 0


@pytest.mark.slow
def test_blob_shows_another_page_only_where_nothing_can_refuse_it(sealed, open_address):
    route = "address of a blob"
    with port_listeners([route]) as listeners:
        [address] = addresses_of(listeners, [route])
        attempt(sealed, route, address)
        if route in UNREFUSABLE.get(sealed.engine, ()):
            sealed.until_true(lambda: listeners.received)
        else:
            settle(sealed, open_address)
            assert listeners.received == {}


def lookup_host(route: str, page: str = CANARY) -> str:
    """Return the host that a route from a page must look up."""
    return f"{route.replace(' ', '-')}.{page}.example"


SIGNALS = [route for route in CONNECTIONS if route.startswith("signal of")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "routes"),
    [
        ("chromium", ["dns-prefetch", "preconnect", *SIGNALS]),
        ("firefox", ["dns-prefetch", "preconnect", "link that is there"]),
    ],
)
def test_no_host_name_is_looked_up(name, routes, site, tmp_path):
    engine, log, downloads = ENGINES[name], tmp_path / "log", tmp_path / "downloads"
    if reason := engine.missing():
        pytest.skip(reason)
    downloads.mkdir()
    site = site.replace("127.0.0.1", "localhost")  # WebAuthn needs a name

    def read_log() -> str:
        return "".join(file.read_text("utf-8", "replace") for file in tmp_path.glob("log*"))

    def is_looked_up(page: Page, route: str) -> bool:
        """Try a route again until its host is looked up: a signal is dropped during another."""
        attempt(page, route, f"http://{lookup_host(route, 'unsealed')}/")
        return lookup_host(route, "unsealed") in read_log()

    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("MOZ_LOG", "nsHostResolver:5")
        environment.setenv("MOZ_LOG_FILE", str(log))
        switches = (f"--log-net-log={log}",) if name == "chromium" else ()
        with engine.start(engine.parts, downloads, *switches) as driver:
            page = Page(driver, downloads, engine.name)
            open_sealed(page, site)
            for route in ROUTES:
                attempt(page, route, f"http://{lookup_host(route)}/")
            # What the sealed page has looked up is in the log before the lookups of another page.
            with page.tab(f"{site}licenses.txt"):
                for route in routes:
                    page.until_true(lambda route=route: is_looked_up(page, route))
    assert f".{CANARY}." not in read_log()
