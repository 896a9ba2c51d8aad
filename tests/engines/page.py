"""A page object for Selenium: actions on the page, and waits for their results."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    NoSuchFrameException,
    NoSuchWindowException,
    StaleElementReferenceException,
)
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement

TIMEOUT_SECONDS = 90
"""The time limit of every wait."""

LISTEN = """
const complaints = window.complaints = [];
for (const kind of ["error", "warn"]) {
  const log = console[kind];
  console[kind] = (...args) => { complaints.push(`${kind}: ${args.join(" ")}`); log(...args); };
}
addEventListener("error", (event) =>
  complaints.push(`error: ${event.message ?? event.target.outerHTML}`), true);
addEventListener("unhandledrejection", (event) => complaints.push(`rejected: ${event.reason}`));
addEventListener("securitypolicyviolation", (event) =>
  complaints.push(`refused: ${event.blockedURI}`));
"""
"""Records errors and warnings in the page, for an engine whose driver does not report them."""

PARTIAL_FORMULA = "Invalid markup: Incorrect number of children"
"""Firefox's warning when it lays out a formula before it has parsed all of it, on a busy machine.
The tests in tests/render check that every formula is complete."""

SELECT_OPTION = """
const [css, value] = arguments;
const list = document.querySelector(css);
list.value = value;
for (const kind of ["input", "change"]) list.dispatchEvent(new Event(kind, {bubbles: true}));
"""
"""Selects by script, because drivers disagree on the events of a selection."""

LOADED_ADDRESS = """((page) =>
    !page.before && page.document.readyState !== "loading" && page.location.href)"""
"""The address of a window once its new document is loaded: a script in the old one may be lost."""

RECORD_NOTICES = """
const line = document.getElementById("notice"), notices = window.notices = [];
new MutationObserver(() => notices.push(line.textContent)).observe(line, {childList: true});
"""

FRAME = """
const frame = document.createElement("iframe");
[frame.src, frame.width, frame.height] = arguments;
document.body.append(frame);
"""


class Page:
    """A page in an engine, controlled by ids and `data-` attributes that scripts may rely on."""

    def __init__(self, driver: WebDriver, downloads: Path, engine: str) -> None:
        self.driver = driver
        driver.set_script_timeout(TIMEOUT_SECONDS)
        self.engine = engine
        self.downloads = downloads
        self.recorded: list[str] = []
        self.in_frame = False
        self.has_bidi = "webSocketUrl" in driver.capabilities
        if self.has_bidi:
            driver.script.add_javascript_error_handler(
                lambda entry: self.recorded.append(f"error: {entry.text}")
            )
            driver.script.add_console_message_handler(
                lambda entry: (
                    self.recorded.append(f"{entry.level}: {entry.text}")
                    if entry.level in {"error", "warn"}
                    else None
                )
            )

    def open(self, address: str, *, fresh: bool = False) -> None:
        """Open an address and wait until Python is ready."""
        self.go(address, fresh=fresh)
        self.get_ready()

    def go(self, address: str, *, fresh: bool = False) -> None:
        """Open an address and wait until its document has replaced the previous one.

        With `fresh`, use a new window, in which no earlier navigation can still arrive.
        """
        if fresh:
            old = self.driver.current_window_handle
            self.driver.switch_to.new_window("window")
            new = self.driver.current_window_handle
            self.driver.switch_to.window(old)
            self.driver.close()
            self.driver.switch_to.window(new)
        quietly(lambda: self.run("window.before = true"))  # the old page may be unloading
        self.driver.get(address)
        self.until(lambda: self.run(f"return {LOADED_ADDRESS}(window)"), address)

    def get_ready(self) -> None:
        """Record complaints from now on, and wait until Python is ready."""
        if not self.has_bidi:
            self.run(LISTEN)
        self.until(lambda: self.count("html[data-ready], html[data-failed]"), 1)
        assert self.count("html[data-failed]") == 0, self.text("#loading")

    @contextmanager
    def tab(self, address: str) -> Iterator[None]:
        """Open an address in a new window for the block, then return to the previous one."""
        before = self.driver.current_window_handle
        self.driver.switch_to.new_window("window")  # in a second tab, WebKit moves no mouse
        try:
            self.go(address)
            yield
        finally:
            self.driver.close()
            self.driver.switch_to.window(before)

    @contextmanager
    def framed(self, blank: str, address: str, width: int, height: int = 600) -> Iterator[None]:
        """Open the page in a frame of this size for the block, then return."""
        with self.tab(blank):
            self.run(FRAME, address, width, height)
            frame = self.one("iframe")
            there = f"return {LOADED_ADDRESS}(arguments[0].contentWindow)"
            self.until(lambda: self.run(there, frame), address)
            self.driver.switch_to.frame(frame)
            self.in_frame = True
            try:
                self.get_ready()
                yield
            finally:
                self.in_frame = False

    def complaints(self) -> list[str]:
        """Return the complaints since the last call."""
        if not self.has_bidi:
            self.recorded = self.run("return window.complaints.splice(0)")
        complaints, self.recorded = self.recorded, []
        return [complaint for complaint in complaints if PARTIAL_FORMULA not in complaint]

    def run(self, script: str, *arguments: object) -> Any:
        """Run a script in the page and return its result."""
        return self.driver.execute_script(script, *arguments)

    def until(self, get: Callable[[], object], expected: object) -> None:
        """Wait until `get` returns the expected value; ask less and less often."""
        end, pause = time.monotonic() + TIMEOUT_SECONDS, 0.05
        while (value := quietly(get)) != expected:
            assert time.monotonic() < end, f"{value!r} never became {expected!r}"
            time.sleep(pause)
            pause = min(1.25 * pause, 0.4)

    def until_true(self, get: Callable[[], object]) -> None:
        """Wait until `get` returns a true value."""
        self.until(lambda: bool(get()), True)

    @contextmanager
    def expect_notice(self, text: str) -> Iterator[None]:
        """Wait until the block has shown a notice with this text, even if it is gone by then."""
        self.run(RECORD_NOTICES)
        yield
        is_shown = "return window.notices.some((notice) => notice.includes(arguments[0]))"
        self.until(lambda: self.run(is_shown, text), True)

    def one(self, css: str) -> WebElement:
        """Wait for an element, and return the first."""
        self.until_true(lambda: self.count(css))
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def count(self, css: str) -> int:
        """Return the number of matching elements."""
        return self.run("return document.querySelectorAll(arguments[0]).length", css)

    def text(self, css: str) -> str | None:
        """Return the text of the first element, visible or not, with single spaces."""
        script = "return document.querySelector(arguments[0])?.textContent ?? null"
        text = self.run(script, css)
        return None if text is None else " ".join(text.split())

    def value(self, css: str) -> str:
        """Return the value of a form control."""
        return self.run("return document.querySelector(arguments[0]).value", css)

    def data(self, css: str, name: str) -> str | None:
        """Return a `data-` attribute of the first element, or None."""
        script = "return document.querySelector(arguments[0])?.dataset[arguments[1]] ?? null"
        return self.run(script, css, name)

    def box(self, css: str) -> dict[str, float]:
        """Wait for an element; return its bounding box: x, y, width and height in pixels."""
        self.until_true(lambda: self.count(css))
        script = "return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()"
        return self.run(script, css)

    def visible_ids(self, css: str) -> list[str]:
        """Return the `id`s of the elements that have a box."""
        script = """return [...document.querySelectorAll(arguments[0])]
            .filter((node) => node.getClientRects().length).map((node) => node.id)"""
        return self.run(script, css)

    def reveal(self, css: str) -> WebElement:
        """Return the first element; first open the view and the fold that contain it."""
        target = self.one(css)
        if view := self.run("return arguments[0].closest('.view[hidden]')?.id", target):
            if view == "reference":  # It has no tab of its own.
                self.click('footer a[href="#reference"]')
            else:
                self.click(f'#views a[href="#{view}"]')
            self.until(lambda: self.count(f"#{view}[hidden]"), 0)
        closed = ":is(#examples, #more, #findings, #other-ways):not([open])"
        script = f"return arguments[0].closest('{closed} > :not(summary)')?.parentElement.id"
        if fold := self.run(script, target):
            self.click(f"#{fold} > summary")
        return target

    def center(self, css: str) -> WebElement:
        """Return the first element, scrolled to the middle of the window."""
        target = self.reveal(css)
        self.run("arguments[0].scrollIntoView({block: 'center', inline: 'center'})", target)
        return target

    def click(self, css: str) -> None:
        """Wait for an element, scroll it to the middle of the window, and click it."""
        is_zoomed = self.engine == "WebKit" and self.count(f"#presenter :is({css})")
        if self.in_frame or is_zoomed:  # WebKit's driver misses elements in a frame or with a zoom
            self.run("arguments[0].click()", self.center(css))
        else:
            self.until_true(lambda: self._is_clicked(css))

    def _is_clicked(self, css: str) -> bool:
        """Click an element; return whether it was shown, enabled, and not covered while moving."""
        target = self.center(css)
        if not target.is_enabled():
            return False
        try:
            target.click()
        except (ElementClickInterceptedException, ElementNotInteractableException):
            return False
        return True

    def select(self, css: str, value: str) -> None:
        """Select an option of a list."""
        self.reveal(css)
        self.run(SELECT_OPTION, css, value)
        assert self.value(css) == value

    def type(self, css: str, text: str) -> None:
        """Replace the text of a box by typing."""
        box = self.center(css)
        box.clear()
        box.send_keys(text.replace("\n", Keys.ENTER))
        self.until(lambda: self.value(css), text)

    def press(self, css: str, *keys: str) -> None:
        """Focus an element and press keys in it."""
        self.reveal(css).send_keys(*keys)

    def keys(self, *keys: str) -> None:
        """Press keys in the focused element."""
        ActionChains(self.driver).send_keys(*keys).perform()

    def pasted(self, css: str) -> str:
        """Paste the clipboard into an emptied box, and return the text."""
        box = self.center(css)
        box.clear()
        box.send_keys(Keys.CONTROL, "v")
        self.until_true(lambda: self.value(css))
        return self.value(css)

    def downloaded(self, name: str) -> str:
        """Wait for a download to finish, delete the file, and return its text."""
        file = self.downloads / name
        self.until_true(lambda: file.exists() and file.stat().st_size)
        self.until(lambda: list(self.downloads.iterdir()), [file])
        text = file.read_bytes().decode()
        file.unlink()
        return text


def quietly(get: Callable[[], object]) -> object:
    """Call `get`; return the exception if the page has just replaced the element or document.

    For a document that is unloaded while a script runs in it, WebKit's drivers raise either
    NoSuchFrameException or NoSuchWindowException, depending on their version.
    """
    try:
        return get()
    except (StaleElementReferenceException, NoSuchFrameException, NoSuchWindowException) as error:
        return error
