"""Once it is sealed, no text leaves the page, in any engine, in whatever way it is tried.

Each way is heard from an open page first, or it does not count.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.mouse_button import MouseButton

from bleu import EXAMPLES
from tests.browser.escape_routes import (
    ADDRESSES,
    BY_ADDRESS,
    CANARY,
    CLICKED,
    CONNECTIONS,
    REALMS,
    WAYS,
    trying,
)
from tests.browser.listeners import ears
from tests.browser.servers import Site
from tests.engines.engines import ENGINES
from tests.engines.page import Page
from tests.engines.test_core import show_example

BUTTONS = {"left": MouseButton.LEFT, "middle": MouseButton.MIDDLE}
CLICKS = [f"{way}, {button} button" for way in CLICKED for button in BUTTONS]
ALL = [*WAYS, *CLICKS]

ON_ITS_SERVER = (
    "worker",
    "shared worker",
    "service worker",
    "svg use",
    "manifest",
    "icon",
    "track",
)
"""Ways that ask the page's own server, and most of them no other."""
UNASKED = {"Chromium": {"icon"}, "Firefox": {"manifest"}, "WebKit": {"icon", "manifest"}}
"""What it is not asked from an open page either."""

NOWHERE = {
    *ON_ITS_SERVER,
    *(way for way in CONNECTIONS if way.startswith("own element")),
    *(f"link in a closed shadow tree, {button} button" for button in BUTTONS),
    "area to a new tab",
    "background fetch",
    "dns-prefetch",
    "entity of XML",
    "image that is attributed",
    "link that is attributed",
    "link that is there",
    "of a set of frames",
    "of an embedded page",
    "report",
    "shared storage",
    "stylesheet of XSLT",
}
UNHEARD = {
    "Chromium": NOWHERE
    | {"link in MathML", "named link in MathML"}
    | {f"link in MathML, {button} button" for button in BUTTONS},
    "Firefox": NOWHERE
    | {
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
    "WebKit": NOWHERE
    | {way for way in REALMS if "peer" in REALMS[way]}  # it is built without them
    | {
        "WebTransport",
        "address by its API",
        "blob in a new tab",
        "detached link in SVG",
        "dictionary",
        "fetch later",
        "form to a new tab",
        "identity",
        "link in SVG",
        "link with changing address",
        "new window",
        "new window led elsewhere",
        "new window of the document",
        "of a set of frames",
        "old link in SVG",
        "open of a frame",
        "paint worklet",
        "payment",
        "prefetch",
        "speculation",
    },
}
"""What is not heard from an open page either, in an engine driven so, and is tried all the same."""

LEFT = {"WebKit": BY_ADDRESS}
"""What an engine lets no page refuse."""

SETTLING = 2.0
"""Seconds in which a request that is on its way arrives."""

OPEN = (
    "<!doctype html><title>Open</title><link rel=manifest href=m.webmanifest>"
    '<p class=source><a href="https://aclanthology.org/">paper</a><p id=tokens>tokens'
)


@pytest.fixture(scope="module")
def sealed(running: Page, blank: str, site_copy: Site) -> Iterator[Page]:
    """A page of its own that says it is sealed; what is refused is complained of."""
    with running.tab(blank):
        go_sealed(running, site_copy.address)
        yield running
    running.complaints()


@pytest.fixture
def open_page(running: Page, blank: str, site_copy: Site) -> Iterator[Callable[[], None]]:
    """Another page of the same server, in a tab of its own, that is not sealed; opens it again."""
    (site_copy.folder.parent / "open.html").write_text(OPEN, "utf-8")
    address = site_copy.address.removesuffix(f"{site_copy.folder.name}/") + "open.html"
    with running.tab(blank):
        running.go(address)
        yield lambda: running.go(address, fresh=True)
    running.complaints()


def go_sealed(page: Page, address: str) -> None:
    """Open the page, and wait until it is sealed."""
    page.open(address, fresh=True)
    page.until(lambda: page.data("html", "sealed"), "true")


def attempt(page: Page, way: str, to: str) -> None:
    """Try one way out: a script, or a person's click on what a script has put there."""
    if way in WAYS:
        page.run(f"const to = arguments[0]; {trying(way)}", to)
        return
    name, button = way.removesuffix(" button").rsplit(", ", 1)
    page.run("document.getElementById('way')?.remove()")
    page.run(f"const to = arguments[0]; {trying(name, CLICKED)}", to)
    if target := page.run("return document.getElementById('way')"):
        page.run("arguments[0].scrollIntoView({block: 'center'})", target)
        pressed = ActionBuilder(page.driver)
        pressed.pointer_action.move_to(target)
        pressed.pointer_action.pointer_down(BUTTONS[button])
        pressed.pointer_action.pointer_up(BUTTONS[button])
        pressed.perform()


@contextmanager
def alone(page: Page) -> Iterator[None]:
    """Close what has been opened meanwhile."""
    before, here = page.driver.window_handles, page.driver.current_window_handle
    yield
    for other in set(page.driver.window_handles) - set(before):
        page.driver.switch_to.window(other)
        page.driver.close()
    page.driver.switch_to.window(here)


def attempt_all(page: Page, again: Callable[[], None]) -> set[str]:
    """The ways that were heard, of all, each tried once, to a port of its own.

    `again` opens the page once more, where it is known to have been left.
    """
    with ears(ALL) as heard:
        for way in ALL:
            with alone(page):
                attempt(page, way, f"{heard.address(way)}?{CANARY}")
            if way in LEFT.get(page.engine, ()):
                page.until_true(lambda way=way: way in heard.heard)
                again()
        time.sleep(SETTLING)
        return set(heard.heard)


@pytest.mark.slow
def test_an_open_page_lets_each_way_out(running, open_page):
    counted = [way for way in ALL if way not in UNHEARD[running.engine]]
    with ears(counted) as heard:
        for way in counted:
            with alone(running):
                attempt(running, way, f"{heard.address(way)}?{CANARY}")
                running.until(lambda way=way: way if way in heard.heard else None, way)
            if way not in CONNECTIONS and way not in REALMS:
                open_page()


@pytest.mark.slow
def test_a_sealed_page_lets_none_out(sealed, site_copy):
    found = attempt_all(sealed, lambda: go_sealed(sealed, site_copy.address))
    assert found == LEFT.get(sealed.engine, set())


def ask_own(page: Page, site_copy: Site, ways: Iterable[str]) -> None:
    """Try ways that ask the page's own server, with their names in the address, and wait."""
    for way in ways:
        attempt(page, way, f"{site_copy.address}static/icon.svg?{CANARY}={way.replace(' ', '-')}.")
    time.sleep(SETTLING)


@pytest.mark.slow
def test_its_own_server_hears_of_no_text_either(running, open_page, site_copy):
    counted = [way for way in ON_ITS_SERVER if way not in UNASKED[running.engine]]
    ask_own(running, site_copy, counted)
    asked = "".join(site_copy.requests)
    assert [way for way in counted if f"{CANARY}={way.replace(' ', '-')}." not in asked] == []
    site_copy.requests.clear()
    go_sealed(running, site_copy.address)
    ask_own(running, site_copy, [way for way in ALL if way not in ADDRESSES])
    assert [path for path in site_copy.requests if CANARY in path] == []


@pytest.mark.slow
def test_no_cookie_and_no_address_of_its_own_carries_a_text(running, open_page, site_copy):
    tell = """document.cookie = "text=canary-7f3a; path=/";
        try { history.replaceState(null, "", "?canary-7f3a") } catch {}"""
    running.run(tell)
    assert CANARY in running.run("return location.search")
    running.driver.refresh()
    running.until_true(lambda: CANARY in "".join(site_copy.cookies))
    running.run("document.cookie = 'text=; path=/; max-age=0'")
    site_copy.cookies.clear()
    go_sealed(running, site_copy.address)
    running.run(tell)
    assert running.run("return location.search + document.cookie") == ""
    site_copy.requests.clear()
    running.run("navigator.serviceWorker?.ready.then((one) => one.update())")
    if running.run("return 'serviceWorker' in navigator"):
        running.until_true(lambda: site_copy.requests)
    assert site_copy.cookies == []


@pytest.mark.slow
def test_what_asks_no_policy_is_gone(sealed):
    gone = """return [typeof RTCPeerConnection, typeof navigator.credentials, typeof PaymentRequest,
        typeof speechSynthesis, typeof XSLTProcessor, typeof documentPictureInPicture,
        typeof globalThis.NavigationPreloadManager?.prototype.setHeaderValue]"""
    assert set(sealed.run(gone)) == {"undefined"}


@pytest.mark.slow
def test_it_says_that_it_is_sealed_and_what_is_left(sealed):
    sealed.until_true(lambda: "every file was checked" in sealed.text("#seal"))
    said = sealed.text("#seal")
    left = sealed.engine in LEFT
    assert ("refuses every connection from this page" in said) is not left
    assert ("stop a script from opening another address in this tab" in said) is left


@pytest.mark.slow
def test_typing_and_examples_ask_for_nothing(sealed, site_copy):
    before = len(site_copy.requests)
    sealed.type("#hypothesis", f"typed {CANARY}")
    for name in EXAMPLES:
        show_example(sealed, name)
    sealed.click("#share")
    time.sleep(SETTLING)
    # the browser itself looks now and then whether there is a new build
    assert {path.rsplit("/", 1)[-1] for path in site_copy.requests[before:]} <= {
        "service-worker.js"
    }


@pytest.mark.slow
def test_after_the_attempts_it_still_works(sealed):
    sealed.type("#reference-1", "the cat is on the mat")
    sealed.type("#hypothesis", "the cat is on mat")
    sealed.until(lambda: sealed.data("#score", "value"), "0.5789300674674098")


def looked_up(name: str, folder: Path, address: str, ways: Iterable[str]) -> str:
    """What the engine itself writes down while names that these ways ask for are looked up."""
    engine, log, downloads = ENGINES[name], folder / "log", folder / "downloads"
    if reason := engine.missing():
        pytest.skip(reason)
    downloads.mkdir()
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("MOZ_LOG", "nsHostResolver:5")
        environment.setenv("MOZ_LOG_FILE", str(log))
        given = (f"--log-net-log={log}",) if name == "chromium" else ()
        with engine.start(engine.parts, downloads, *given) as driver:
            page = Page(driver, downloads, engine.name)
            if address.endswith(".txt"):
                page.go(address)
            else:
                go_sealed(page, address)
            for way in ways:
                attempt(page, way, f"http://{way.replace(' ', '-')}.{CANARY}.example/")
            time.sleep(SETTLING)
    return "".join(file.read_text("utf-8", "replace") for file in folder.glob("log*"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "counted"),
    [
        ("chromium", ["dns-prefetch", "preconnect"]),
        ("firefox", ["dns-prefetch", "preconnect", "link that is there"]),
    ],
)
def test_no_name_is_looked_up(name, counted, site, tmp_path_factory):
    log = looked_up(name, tmp_path_factory.mktemp("open"), f"{site}licenses.txt", counted)
    for way in counted:
        assert f"{way.replace(' ', '-')}.{CANARY}.example" in log
    assert CANARY not in looked_up(name, tmp_path_factory.mktemp("sealed"), site, WAYS)
