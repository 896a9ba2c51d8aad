"""A build served under a sub-path, and a real Chromium that reports all it does."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from app.build import build
from tests.browser.sites import ROOT, Listening, Quiet, Site, built, serving

SWITCHES = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
START = 90_000
"""Milliseconds that Python may take to start on a slow machine."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything here drives a browser, on the host."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.host)


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
    target.parent.mkdir()
    build(ROOT, target)
    return target


@pytest.fixture(scope="session")
def site(dist: Path) -> Iterator[str]:
    """The address of the build, under a sub-path."""
    root = dist.parent.parent
    with serving(partial(Quiet, directory=str(root))) as address:
        yield f"{address}some/where/"


@pytest.fixture
def own(dist: Path, tmp_path: Path) -> Iterator[Site]:
    """A site of its own, with a copy of the build that may be changed."""
    site = Site(tmp_path)
    shutil.copytree(dist, site.folder)
    yield site
    site.close()


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[tuple[str, list[str]]]:
    """Another server, and all that it hears."""
    heard: list[str] = []
    with serving(partial(Listening, heard)) as address:
        yield address, heard


def chromium() -> str | None:
    """Where the system's Chromium is; None for Playwright's own."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def launched() -> Iterator[Browser]:
    """A Chromium: the system's, or Playwright's own."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=SWITCHES)
        yield browser
        browser.close()


@contextmanager
def profile(browser: Browser) -> Iterator[BrowserContext]:
    """A profile on disk, as people have: what a private window compiles is forgotten."""
    with TemporaryDirectory() as folder:
        kept = browser.browser_type.launch_persistent_context(
            folder, executable_path=chromium(), args=SWITCHES
        )
        yield kept
        kept.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests."""
    with launched() as one:
        yield one


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A context of its own."""
    context = browser.new_context()
    yield context
    context.close()


@pytest.fixture
def recorder(context: BrowserContext, site: str) -> Recorder:
    """A page that is not opened yet; what it does is recorded."""
    return Recorder(context.new_page(), site)


@cache
def python_with(name: str, old: str, new: str) -> bytes:
    """WebAssembly's file of a build with another text in the place of one in a module."""
    with TemporaryDirectory() as folder:
        built(Path(folder, "dist"), name, old, new)
        return Path(folder, "dist", "pyodide", "pyodide.asm.wasm").read_bytes()


def serve(page: Page, pattern: str, body: bytes, kind: str = "application/wasm") -> None:
    """Answer with this instead of a file."""
    page.route(pattern, lambda route: route.fulfill(body=body, content_type=kind))


def open_page(recorder: Recorder, fragment: str = "") -> Page:
    """Open the page and wait until Python is ready."""
    recorder.page.goto(recorder.site + fragment)
    expect(recorder.page.locator("html[data-ready]")).to_have_count(1, timeout=START)
    return recorder.page


def opened(context: BrowserContext, address: str) -> Page:
    """A page that is ready and says that it is sealed."""
    page = context.new_page()
    page.goto(address)
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START)
    expect(page.locator("html[data-sealed]")).to_have_count(1, timeout=START)
    return page


def run_lines(page: Page, system: str, references: str) -> None:
    """Paste a corpus, and score it."""
    page.locator("#corpus-system").fill(system)
    page.locator("#corpus-references").fill(references)
    page.locator("#corpus-run").click()


def compare_and_run(page: Page) -> None:
    """Compare the conventions, and score a corpus: the parts that nothing shows before."""
    page.locator("#comparison summary").click()
    expect(page.locator("#comparison-body table")).to_have_count(1)
    run_lines(page, "a b c d\nx", "a b c d\nx")
    expect(page.locator("#corpus-score")).to_have_attribute("data-value", "1.0")


@pytest.fixture(scope="module")
def shared(browser: Browser, site: str) -> Iterator[Recorder]:
    """One ready page for a module, at a second visit; nothing may go wrong in any of its tests."""
    context = browser.new_context()
    opened(context, site).close()
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    recorder = Recorder(context.new_page(), site)
    open_page(recorder)
    recorder.requests.clear()
    yield recorder
    recorder.check()
    assert recorder.requests == [], "nothing is asked for once the page is ready"
    context.close()


@pytest.fixture
def page(shared: Recorder) -> Iterator[Page]:
    """The module's page, cleared."""
    shared.page.locator("#clear").click()
    yield shared.page
    complaints, shared.complaints = shared.complaints, []
    assert complaints == []
