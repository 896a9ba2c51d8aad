"""A build served under a sub-path, and a real Chromium that reports all it does."""

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect, sync_playwright

from app.build import PLAIN
from tests.browser.servers import (
    RUNTIME,
    ListeningHandler,
    QuietHandler,
    Site,
    cached_build,
    serving,
)

SWITCHES = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PYTHON_FILE = "page.zip" if RUNTIME == PLAIN else "pyodide.asm.wasm"
"""The file of a build that brings the library and the page."""
fast_runtime_only = pytest.mark.skipif(
    RUNTIME == PLAIN, reason="of a restored memory and trimmed files, which a plain runtime has not"
)
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
VIEWS = ("#calculator", "#why", "#compare", "#files", "#learn")
TIMEOUT_MS = 1000 * int(os.environ.get("PATIENCE", "60"))
"""Milliseconds that anything may take on a busy machine; what is there is not waited for."""
START_MS = 90_000
"""Milliseconds that Python may take to start there."""

expect.set_options(timeout=TIMEOUT_MS)


def pytest_collection_modifyitems(items: list[pytest.Function]) -> None:
    """Everything here drives a browser, on the host."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.host)
            every = getattr(item.module, "IN_EVERY_RUN", None)
            if every and item.originalname not in every:
                item.add_marker(pytest.mark.slow)


SANDBOX_WARNING = "An iframe which has both allow-scripts and allow-same-origin"
"""Chromium says so of a page that comes with a sandbox, too; this one has no frame."""


class Recorder:
    """All that a page asks for and complains of."""

    def __init__(self, page: Page, site: str) -> None:
        self.page = page
        self.site = site
        self.requests: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on(
            "console",
            lambda message: (
                self.complaints.append(f"{message.type}: {message.text}")
                if message.type in {"error", "warning"}
                and not message.text.startswith(SANDBOX_WARNING)
                else None
            ),
        )

    def check(self) -> None:
        """Nothing from elsewhere, nothing complained of."""
        origin = self.site.split("/some/")[0]
        elsewhere = [url for url in self.requests if not url.startswith((origin, "data:"))]
        assert elsewhere == []
        assert self.complaints == []


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of this tree, in a folder below the root of a site."""
    target = tmp_path_factory.mktemp("site") / "some" / "where"
    return shutil.copytree(cached_build(), target)


@pytest.fixture(scope="session")
def site(dist: Path) -> Iterator[str]:
    """The address of the build, under a sub-path."""
    root = dist.parent.parent
    with serving(partial(QuietHandler, directory=str(root))) as address:
        yield f"{address}some/where/"


@pytest.fixture
def site_copy(dist: Path, tmp_path: Path) -> Iterator[Site]:
    """A site of its own, with a copy of the build that may be changed."""
    site = Site(tmp_path)
    shutil.copytree(dist, site.folder)
    yield site
    site.close()


@pytest.fixture(scope="module")
def other_server() -> Iterator[tuple[str, list[str]]]:
    """Another server, and all that it hears."""
    heard: list[str] = []
    with serving(partial(ListeningHandler, heard)) as address:
        yield address, heard


def chromium() -> str | None:
    """Where the system's Chromium is; None for Playwright's own."""
    return next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)


@contextmanager
def launch_chromium() -> Iterator[Browser]:
    """A Chromium: the system's, or Playwright's own."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=SWITCHES)
        yield browser
        browser.close()


def new_context(browser: Browser, **options: Any) -> BrowserContext:
    """A context of its own, in which anything may take its time."""
    context = browser.new_context(**options)
    context.set_default_timeout(TIMEOUT_MS)
    return context


@contextmanager
def disk_profile(browser: Browser) -> Iterator[BrowserContext]:
    """A profile on disk, as people have: what a private window compiles is forgotten."""
    with TemporaryDirectory() as folder:
        kept = browser.browser_type.launch_persistent_context(
            folder, executable_path=chromium(), args=SWITCHES
        )
        kept.set_default_timeout(TIMEOUT_MS)
        yield kept
        kept.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests."""
    with launch_chromium() as one:
        yield one


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A context of its own."""
    context = new_context(browser)
    yield context
    context.close()


@pytest.fixture
def recorder(context: BrowserContext, site: str) -> Recorder:
    """A page that is not opened yet; what it does is recorded."""
    return Recorder(context.new_page(), site)


def changed_python_file(name: str, old: str, new: str) -> bytes:
    """The file `PYTHON` of a build with another text in the place of one in a module."""
    [file] = cached_build(name, old, new).rglob(PYTHON_FILE)
    return file.read_bytes()


def fulfill_route(page: Page, pattern: str, body: bytes, kind: str = "application/wasm") -> None:
    """Answer with this instead of a file."""
    page.route(pattern, lambda route: route.fulfill(body=body, content_type=kind))


def open_page(recorder: Recorder, fragment: str = "") -> Page:
    """Open the page and wait until Python is ready."""
    recorder.page.goto(recorder.site + fragment)
    expect(recorder.page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    return recorder.page


def reveal(page: Page, css: str) -> Locator:
    """An element, once the view that it is in has been opened by its tab, as people do."""
    hidden = "(css) => document.querySelector(css)?.closest('.view[hidden]')?.id"
    if view := page.evaluate(hidden, css):
        page.locator(f'#views a[href="#{view}"]').click()
    return page.locator(css)


def wait_for_script(page: Page, script: str, given: object = None) -> None:
    """Wait until a script says yes."""
    end = time.monotonic() + TIMEOUT_MS / 1000
    while not page.evaluate(script, given):
        assert time.monotonic() < end, f"never true: {script}"
        page.wait_for_timeout(50)


def open_sealed_page(context: BrowserContext, address: str) -> Page:
    """A page that is ready and says that it is sealed."""
    page = context.new_page()
    page.goto(address)
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    expect(page.locator("html[data-sealed]")).to_have_count(1, timeout=START_MS)
    return page


def score_pasted_lines(page: Page, system: str, references: str) -> None:
    """Paste a corpus, and score it."""
    reveal(page, "#corpus-system").fill(system)
    reveal(page, "#corpus-references").fill(references)
    reveal(page, "#corpus-run").click()


def compare_and_score(page: Page) -> None:
    """Compare the conventions, and score a corpus: the parts that nothing shows before."""
    reveal(page, "#comparison")
    expect(page.locator("#comparison-body table")).not_to_have_count(0)
    score_pasted_lines(page, "a b c d\nx", "a b c d\nx")
    expect(page.locator("#corpus-score")).to_have_attribute("data-value", "1.0")


@pytest.fixture(scope="module")
def shared_recorder(browser: Browser, site: str) -> Iterator[Recorder]:
    """One ready page for a module, at a second visit; nothing may go wrong in any of its tests."""
    context = new_context(browser)
    open_sealed_page(context, site).close()
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    recorder = Recorder(context.new_page(), site)
    open_page(recorder)
    recorder.requests.clear()
    yield recorder
    recorder.check()
    assert recorder.requests == [], "nothing is asked for once the page is ready"
    context.close()


@pytest.fixture
def page(shared_recorder: Recorder) -> Iterator[Page]:
    """The module's page, cleared."""
    reveal(shared_recorder.page, "#clear").click()
    yield shared_recorder.page
    complaints, shared_recorder.complaints = shared_recorder.complaints, []
    assert complaints == [], "\n".join(complaints)
