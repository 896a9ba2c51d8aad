"""The page in any engine: what is done to it, and what is waited for."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from selenium.common.exceptions import (
    NoSuchFrameException,
    NoSuchWindowException,
    StaleElementReferenceException,
)
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement

PATIENCE = 90
"""Seconds that anything may take on a slow machine."""

LISTEN = """
const heard = window.complaints = [];
for (const kind of ["error", "warn"]) {
  const said = console[kind];
  console[kind] = (...words) => { heard.push(`${kind}: ${words.join(" ")}`); said(...words); };
}
addEventListener("error", (event) =>
  heard.push(`error: ${event.message ?? event.target.outerHTML}`), true);
addEventListener("unhandledrejection", (event) => heard.push(`rejected: ${event.reason}`));
addEventListener("securitypolicyviolation", (event) => heard.push(`refused: ${event.blockedURI}`));
"""
"""For an engine that does not tell its driver: what is complained of once the text is there."""

HALF_READ = "Invalid markup: Incorrect number of children"
"""What a busy Firefox says of a formula that it has read only half so far, and draws; that they are
whole is tested in tests/render."""

CHOOSE = """
const [css, value] = arguments;
const list = document.querySelector(css);
list.value = value;
for (const kind of ["input", "change"]) list.dispatchEvent(new Event(kind, {bubbles: true}));
"""
"""Drivers do not agree on which events a choice makes; engines do."""

THERE = """((page) =>
    !page.before && page.document.readyState !== "loading" && page.location.href)"""
"""Where a window is, once its document is there; what runs in one before it may be lost with it."""

FRAME = """
const frame = document.createElement("iframe");
[frame.src, frame.width] = arguments;
frame.height = 600;
document.body.append(frame);
"""


class Page:
    """One page of an engine, by the marks that scripts may rely on."""

    def __init__(self, driver: WebDriver, downloads: Path, engine: str) -> None:
        self.driver = driver
        self.engine = engine
        self.downloads = downloads
        self.heard: list[str] = []
        self.inside = False
        self.tells = "webSocketUrl" in driver.capabilities
        if self.tells:
            driver.script.add_javascript_error_handler(
                lambda entry: self.heard.append(f"error: {entry.text}")
            )
            driver.script.add_console_message_handler(
                lambda entry: (
                    self.heard.append(f"{entry.level}: {entry.text}")
                    if entry.level in {"error", "warn"}
                    else None
                )
            )

    def open(self, address: str, *, fresh: bool = False) -> None:
        """Open an address, and wait until Python is ready."""
        self.go(address, fresh=fresh)
        self.get_ready()

    def go(self, address: str, *, fresh: bool = False) -> None:
        """Open an address, and wait until its document is there, and no longer the one before.

        In a fresh window, nothing is on its way that could come after it.
        """
        if fresh:
            old = self.driver.current_window_handle
            self.driver.switch_to.new_window("window")
            new = self.driver.current_window_handle
            self.driver.switch_to.window(old)
            self.driver.close()
            self.driver.switch_to.window(new)
        quietly(lambda: self.run("window.before = true"))  # the page before may be about to go
        self.driver.get(address)
        self.until(lambda: self.run(f"return {THERE}(window)"), address)

    def get_ready(self) -> None:
        """Listen to what is complained of, and wait until Python is ready."""
        if not self.tells:
            self.run(LISTEN)
        self.until(lambda: self.count("html[data-ready], html[data-failed]"), 1)
        assert self.count("html[data-failed]") == 0, self.text("#loading")

    @contextmanager
    def tab(self, address: str) -> Iterator[None]:
        """In another tab with this address; then back again."""
        before = self.driver.current_window_handle
        self.driver.switch_to.new_window("window")  # WebKit moves no mouse in a second tab
        try:
            self.go(address)
            yield
        finally:
            self.driver.close()
            self.driver.switch_to.window(before)

    @contextmanager
    def framed(self, blank: str, address: str, width: int) -> Iterator[None]:
        """In another tab, the page in a frame as wide as this; then back again."""
        with self.tab(blank):
            self.run(FRAME, address, width)
            frame = self.one("iframe")
            there = f"return {THERE}(arguments[0].contentWindow)"
            self.until(lambda: self.run(there, frame), address)
            self.driver.switch_to.frame(frame)
            self.inside = True
            try:
                self.get_ready()
                yield
            finally:
                self.inside = False

    def complaints(self) -> list[str]:
        """What was complained of since this was last asked."""
        if not self.tells:
            self.heard = self.run("return window.complaints.splice(0)")
        complaints, self.heard = self.heard, []
        return [one for one in complaints if HALF_READ not in one]

    def run(self, script: str, *arguments: object) -> Any:
        """What a script of the driver returns."""
        return self.driver.execute_script(script, *arguments)

    def until(self, get: Callable[[], object], wanted: object) -> None:
        """Wait until something is as wanted."""
        end = time.monotonic() + PATIENCE
        while (found := quietly(get)) != wanted:
            assert time.monotonic() < end, f"{found!r} never became {wanted!r}"
            time.sleep(0.05)

    def until_true(self, get: Callable[[], object]) -> None:
        """Wait until something holds."""
        self.until(lambda: bool(get()), True)

    def one(self, css: str) -> WebElement:
        """The first element, once it is there."""
        self.until_true(lambda: self.count(css))
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def count(self, css: str) -> int:
        """How many elements there are."""
        return self.run("return document.querySelectorAll(arguments[0]).length", css)

    def text(self, css: str) -> str | None:
        """The text of the first element, shown or not, with single spaces."""
        script = "return document.querySelector(arguments[0])?.textContent ?? null"
        found = self.run(script, css)
        return None if found is None else " ".join(found.split())

    def value(self, css: str) -> str:
        """What a box holds."""
        return self.run("return document.querySelector(arguments[0]).value", css)

    def data(self, css: str, name: str) -> str | None:
        """A `data-` mark of the first element."""
        script = "return document.querySelector(arguments[0])?.dataset[arguments[1]] ?? null"
        return self.run(script, css, name)

    def box(self, css: str) -> dict[str, float]:
        """Where the first element is drawn: x, y, width, height, in pixels."""
        script = "return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()"
        return self.run(script, css)

    def shown(self, css: str) -> list[str]:
        """The `id`s of the elements that take room."""
        script = """return [...document.querySelectorAll(arguments[0])]
            .filter((node) => node.getClientRects().length).map((node) => node.id)"""
        return self.run(script, css)

    def reveal(self, css: str) -> WebElement:
        """The first element, in the view that its tab opens."""
        target = self.one(css)
        if view := self.run("return arguments[0].closest('.view[hidden]')?.id", target):
            self.click(f'#views a[href="#{view}"]')
            self.until(lambda: self.count(f"#{view}[hidden]"), 0)
        return target

    def center(self, css: str) -> WebElement:
        """The first element, in the middle of the window."""
        target = self.reveal(css)
        self.run("arguments[0].scrollIntoView({block: 'center', inline: 'center'})", target)
        return target

    def click(self, css: str) -> None:
        """Click, once it is there and in the middle of the window."""
        target = self.center(css)
        if self.inside:  # WebKit's driver does not find what stands in a frame
            self.run("arguments[0].click()", target)
        else:
            target.click()

    def choose(self, css: str, value: str) -> None:
        """Choose in a list."""
        self.reveal(css)
        self.run(CHOOSE, css, value)
        assert self.value(css) == value

    def type(self, css: str, text: str) -> None:
        """Type a text in the place of what stands there."""
        box = self.center(css)
        box.clear()
        box.send_keys(text.replace("\n", Keys.ENTER))
        self.until(lambda: self.value(css), text)

    def press(self, css: str, *keys: str) -> None:
        """Focus an element and press keys."""
        self.reveal(css).send_keys(*keys)

    def keys(self, *keys: str) -> None:
        """Press keys where the focus is."""
        ActionChains(self.driver).send_keys(*keys).perform()

    def pasted(self, css: str) -> str:
        """What the clipboard puts into an empty box."""
        box = self.center(css)
        box.clear()
        box.send_keys(Keys.CONTROL, "v")
        self.until_true(lambda: self.value(css))
        return self.value(css)

    def downloaded(self, name: str) -> str:
        """The text of a file that was taken along, once it is whole; it is not kept."""
        file = self.downloads / name
        self.until_true(lambda: file.exists() and file.stat().st_size)
        self.until(lambda: list(self.downloads.iterdir()), [file])
        text = file.read_bytes().decode()
        file.unlink()
        return text


def quietly(get: Callable[[], object]) -> object:
    """What something is, or that the page has just put something else in its place.

    A document that goes while a script runs in it is a frame that is gone to some of WebKit's
    drivers, and a window to others.
    """
    try:
        return get()
    except (StaleElementReferenceException, NoSuchFrameException, NoSuchWindowException) as gone:
        return gone
