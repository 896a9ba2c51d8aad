"""Once it is sealed, no text leaves the page, in any engine, in whatever way it is tried."""

import time
from collections.abc import Iterator

import pytest

from bleu import EXAMPLES
from tests.browser.sites import Site
from tests.browser.ways import BY_ADDRESS, CANARY, WAYS, trying
from tests.engines.page import Page
from tests.engines.test_core import show_example

OPEN = {"fetch with a body", "image", "sendBeacon"}
"""Ways out of any page that is not sealed."""

SETTLING = 1.0
"""Seconds in which a request that is on its way arrives."""


@pytest.fixture(scope="module")
def sealed(running: Page, blank: str, own: Site) -> Iterator[Page]:
    """A page of its own that says it is sealed; what is refused is complained of."""
    with running.tab(blank):
        running.open(own.address)
        running.until(lambda: running.data("html", "sealed"), "true")
        yield running
    running.complaints()


def named(way: str) -> str:
    """What stands in the address that this way asks for."""
    return f"{CANARY}={way.replace(' ', '-')}."


def attempt(page: Page, ways: set[str], to: str) -> None:
    """Try these ways out, each with its name in the address, and wait."""
    for way in sorted(ways):
        page.run(f"const to = arguments[0]; {trying(way)}", f"{to}?{named(way)}")
    time.sleep(SETTLING)


def attempt_both(page: Page, ways: set[str], own: Site, elsewhere: tuple[str, list[str]]) -> None:
    """Nothing is heard, neither by another server nor by the page's own."""
    address, heard = elsewhere
    attempt(page, ways, address)
    said, heard[:] = heard[:], []
    assert said == []
    attempt(page, ways, f"{own.address}static/icon.svg")
    assert [path for path in own.asked if CANARY in path] == []


@pytest.mark.slow
def test_an_open_page_would_let_it_out(running, blank, elsewhere):
    address, heard = elsewhere
    with running.tab(blank):
        attempt(running, OPEN, address)
    # what is not answered may be asked again
    assert {way for way in OPEN if any(named(way) in line for line in heard)} == OPEN
    heard.clear()
    running.complaints()


@pytest.mark.slow
def test_it_says_that_it_is_sealed(sealed):
    sealed.until_true(lambda: "the browser now refuses every connection" in sealed.text("#seal"))


@pytest.mark.slow
def test_typing_and_examples_ask_for_nothing(sealed, own):
    before = list(own.asked)
    sealed.type("#hypothesis", f"typed {CANARY}")
    for name in EXAMPLES:
        show_example(sealed, name)
    sealed.click("#share")
    time.sleep(SETTLING)
    assert own.asked == before


@pytest.mark.slow
def test_nothing_gets_out_by_a_connection(sealed, own, elsewhere):
    attempt_both(sealed, WAYS.keys() - BY_ADDRESS, own, elsewhere)


@pytest.mark.slow
def test_it_says_what_an_engine_cannot_refuse(sealed):
    gap = "cannot be told to refuse that a script opens another address"
    can = sealed.run("return typeof navigation") != "undefined"
    assert (gap in sealed.text("#seal")) is not can


@pytest.mark.slow
def test_nothing_gets_out_in_an_address(sealed, own, elsewhere):
    if sealed.run("return typeof navigation") == "undefined":
        pytest.skip("This engine has no Navigation API: no page can refuse that a script leaves it")
    attempt_both(sealed, BY_ADDRESS, own, elsewhere)


@pytest.mark.slow
def test_after_the_attempts_it_still_works(sealed):
    sealed.type("#reference-1", "the cat is on the mat")
    sealed.type("#hypothesis", "the cat is on mat")
    sealed.until(lambda: sealed.data("#score", "value"), "0.5789300674674098")
