"""Fixtures of the browser tests: a build served under a sub-path, and pages in Chromium."""

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    JSHandle,
    Locator,
    Page,
    expect,
    sync_playwright,
)

from tests.browser.servers import (
    ListeningHandler,
    QuietHandler,
    Site,
    cached_build,
    serving,
)
from tests.support.case_selection import fast_and_slow
from tests.support.fonts import FONTS, font_environment, missing_fonts

SWITCHES = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Each window would start a process for pages of the address bar, which headless never shows.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,LensOverlay,MediaRouter,"
    "OptimizationHints,PaintHolding,PreconnectToSearch",
]
NO_OPTIMIZATION = "--js-flags=--no-wasm-dynamic-tiering --no-wasm-tier-up"
"""Makes Chromium compile WebAssembly once, and not measure it: a visit takes a fifth less time."""
ONE_PROCESS = "--process-per-site"
"""Opens all tabs of a context in one process, which has compiled the page's WebAssembly before."""
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
VIEWS = ("#calculator", "#why", "#compare", "#files", "#learn", "#reference")
TIMEOUT_MS = 1000 * int(os.environ.get("PATIENCE", "60"))
"""The time limit of every wait: long enough for a busy machine, and no wait uses it up."""
START_MS = 90_000
"""The time limit of the page's start."""

expect.set_options(timeout=TIMEOUT_MS)


def pytest_collection_modifyitems(items: list[pytest.Function]) -> None:
    """Mark the tests of this folder; if a module has `IN_EVERY_RUN`, its other tests are slow."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.host)
            fast_names = getattr(item.module, "IN_EVERY_RUN", None)
            if fast_names and item.originalname not in fast_names:
                item.add_marker(pytest.mark.slow)


SANDBOX_WARNING = "An iframe which has both allow-scripts and allow-same-origin"
"""A warning that Chromium also prints for a page with a sandbox policy and no frame."""


class Recorder:
    """The requests of a page, and its errors and warnings."""

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
        """Assert that every request went to the site and that there is no complaint."""
        origin = self.site.split("/some/")[0]
        foreign = [url for url in self.requests if not url.startswith((origin, "data:"))]
        assert foreign == []
        assert self.complaints == []


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a build of this tree in a subfolder of a site."""
    target = tmp_path_factory.mktemp("site") / "some" / "where"
    return shutil.copytree(cached_build(), target)


@pytest.fixture(scope="session")
def site(dist: Path) -> Iterator[str]:
    """Yield the URL of the build, which is served under a sub-path."""
    root = dist.parent.parent
    with serving(partial(QuietHandler, directory=str(root))) as address:
        yield f"{address}some/where/"


@pytest.fixture
def site_copy(dist: Path, tmp_path: Path) -> Iterator[Site]:
    """Yield a separate site for one test, whose copy of the build may be changed."""
    site = Site(tmp_path)
    shutil.copytree(dist, site.folder)
    yield site
    site.close()


@pytest.fixture(scope="module")
def other_server() -> Iterator[tuple[str, list[str]]]:
    """Yield the URL of a second server, and the list of the requests that it receives."""
    received: list[str] = []
    with serving(partial(ListeningHandler, received)) as address:
        yield address, received


def chromium() -> str | None:
    """Return the path of the system's Chromium, or None to use Playwright's."""
    return next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)


@contextmanager
def launch_chromium(*switches: str, fonts: str = "narrow") -> Iterator[Browser]:
    """Yield a Chromium with a set of fonts: the system's if there is one, else Playwright's."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium(), args=[*SWITCHES, *switches], env=font_environment(fonts)
        )
        yield browser
        browser.close()


def new_context(browser: Browser, **options: Any) -> BrowserContext:
    """Return a new context with the time limit of these tests."""
    context = browser.new_context(**options)
    context.set_default_timeout(TIMEOUT_MS)
    return context


@contextmanager
def disk_profile(browser: Browser) -> Iterator[BrowserContext]:
    """Yield a context with a profile on disk: a private window keeps no compiled code."""
    with TemporaryDirectory() as folder:
        context = browser.browser_type.launch_persistent_context(
            folder, executable_path=chromium(), args=SWITCHES, env=font_environment()
        )
        context.set_default_timeout(TIMEOUT_MS)
        yield context
        context.close()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the tests of the layout with each set of fonts; only the first is no slow test."""
    if metafunc.definition.get_closest_marker("layout"):
        # None is what `fonts` gets in other tests, so it starts no other browser.
        others = fast_and_slow(0, (name for name in FONTS if name != "narrow"))
        metafunc.parametrize("fonts", [pytest.param(None, id="narrow"), *others], indirect=True)


@pytest.fixture(scope="session")
def fonts(request: pytest.FixtureRequest) -> str:
    """Return the set of fonts of a test."""
    return getattr(request, "param", None) or "narrow"


@pytest.fixture(autouse=True)
def require_fonts(request: pytest.FixtureRequest) -> None:
    """Skip a test of the layout if one of its fonts is missing."""
    if request.node.get_closest_marker("layout"):
        fonts = request.getfixturevalue("fonts")
        if missing := missing_fonts(fonts):
            pytest.skip(f"the fonts {', '.join(missing)} are not installed")


@pytest.fixture(scope="session")
def browser(fonts: str) -> Iterator[Browser]:
    """Yield one Chromium for all tests of a process with the same fonts."""
    with launch_chromium(NO_OPTIMIZATION, ONE_PROCESS, fonts=fonts) as browser:
        yield browser


@pytest.fixture(scope="session")
def shared_context(browser: Browser) -> Iterator[BrowserContext]:
    """Yield one context for all tests of a process that need no separate storage."""
    context = new_context(browser)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    yield context
    context.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """Yield a new context for one test."""
    context = new_context(browser)
    yield context
    context.close()


@pytest.fixture
def recorder(context: BrowserContext, site: str) -> Recorder:
    """Return a recorder with a page that is not opened yet."""
    return Recorder(context.new_page(), site)


def fulfill_route(page: Page, pattern: str, body: bytes, kind: str = "application/wasm") -> None:
    """Respond with `body` to requests that match the pattern."""
    page.route(pattern, lambda route: route.fulfill(body=body, content_type=kind))


def open_page(recorder: Recorder, fragment: str = "") -> Page:
    """Open the recorder's page, wait until Python is ready, and return the page."""
    recorder.page.goto(recorder.site + fragment)
    expect(recorder.page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    return recorder.page


FOLDS = "#examples, #more, #findings, #other-ways"
"""The folds of the view Score, which people open to get at its controls."""

PLACE = """([css, folds]) => {
    const node = document.querySelector(css);
    const fold = node?.closest(`:is(${folds}):not([open]) > :not(summary)`);
    return [node?.closest(".view[hidden]")?.id, fold?.parentElement.id];
}"""
"""Finds the hidden view and the closed fold that contain an element."""


def copy_link(page: Page) -> None:
    """Copy the link with the dialog that *Share* opens."""
    reveal(page, "#share").click()
    page.locator("#copy-link").click()


def reveal(page: Page, css: str) -> Locator:
    """Return an element; first open the view and the fold that contain it, as users do."""
    page.locator(css).first.wait_for(state="attached")  # Steps are drawn after the score.
    view, fold = page.evaluate(PLACE, [css, FOLDS])
    if view:
        if view == "reference":  # It has no tab of its own.
            page.locator('#views a[href="#learn"]').click()
        page.locator(f'a[href="#{view}"]:visible').first.click()
        expect(page.locator(f"#{view}")).to_be_visible()  # The address changes after the click.
        _, fold = page.evaluate(PLACE, [css, FOLDS])  # The view may have been filled just now.
    line = page.locator("#settings-line[aria-expanded=false]")  # On a phone.
    if line.is_visible() and page.locator(f"#settings:has({css})").count():
        line.click()
    if fold:
        page.locator(f"#{fold} > summary").click()
    return page.locator(css)


def mark_order(page: Page, order: str) -> None:
    """Press the factor of an order, so that its matches are marked, or for "0" release it."""
    pressed = reveal(page, "#orders").locator("[aria-expanded=true]")
    expect(page.locator("#orders [data-order]")).not_to_have_count(0)
    if pressed.count() and pressed.get_attribute("data-order") != order:
        pressed.click()
    if order != "0" and not pressed.count():
        page.locator(f'#orders [data-order="{order}"]').click()
    page.mouse.move(0, 0)  # A factor under the pointer marks its matches, too.


LANES = """([box, kind, lane]) => [...document.querySelectorAll("#texts .field")][box]
    .querySelectorAll(`.lanes:nth-of-type(2) [data-kind="${kind}"][data-lane="${lane}"]`).length"""
"""Counts the marks of a kind in a lane of a text box."""


def expect_marks(page: Page, box: int, kind: str, lane: int, count: int) -> None:
    """Wait until a box has this number of marks of a kind in a lane, which are counted from 1."""
    wait_for_script(page, f"(args) => ({LANES})(args) === {count}", [box, kind, lane])


WORD_PLACE = """([box, word]) => {
    const field = [...document.querySelectorAll("#texts .field")][box];
    const area = field.querySelector("textarea"), mirror = field.querySelector(".mirror");
    area.scrollIntoView({block: "center", behavior: "instant"});
    const range = document.createRange(), start = area.value.indexOf(word);
    range.setStart(mirror.firstChild, start);
    range.setEnd(mirror.firstChild, start + word.length);
    field.querySelector(".box").scrollTop += range.getBoundingClientRect().top
        - field.querySelector(".box").getBoundingClientRect().top - 20;
    const {left, top, width, height} = range.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
}"""
"""Scrolls a word of a text box into sight, and returns its centre."""


def word_place(page: Page, box: int, word: str) -> tuple[float, float]:
    """Return the centre of the first occurrence of a word in a text box."""
    x, y = page.evaluate(WORD_PLACE, [box, word])
    return x, y


def wait_for_script(page: Page, script: str, argument: object = None) -> None:
    """Wait until a script returns a true value; ask less and less often."""
    end, pause_ms = time.monotonic() + TIMEOUT_MS / 1000, 50.0
    while not page.evaluate(script, argument):
        assert time.monotonic() < end, f"never true: {script}"
        page.wait_for_timeout(pause_ms)
        pause_ms = min(1.25 * pause_ms, 400)


RECORD_NOTICES = """() => {
    const line = document.getElementById("notice"), notices = [];
    const record = () =>
        notices.push([line.checkVisibility() ? line.textContent : "", performance.now()]);
    new MutationObserver(record).observe(line, {childList: true, characterData: true});
    return notices;
}"""


@contextmanager
def expect_notice(page: Page, text: str) -> Iterator[JSHandle]:
    """Wait until the block has shown a notice with this text, even if it is gone by then.

    Yields the texts that the line of notices has shown since then, each with its time.
    """
    notices = page.evaluate_handle(RECORD_NOTICES)
    yield notices
    is_recorded = "([notices, text]) => notices.some(([notice]) => notice.includes(text))"
    wait_for_script(page, is_recorded, [notices, text])


def open_sealed_page(context: BrowserContext, address: str) -> Page:
    """Open an address in a new page, and wait until Python is ready and the page is sealed."""
    page = context.new_page()
    page.goto(address)
    expect(page.locator("html[data-ready]")).to_have_count(1, timeout=START_MS)
    expect(page.locator("html[data-sealed]")).to_have_count(1, timeout=START_MS)
    return page


def score_pasted_lines(page: Page, system: str, references: str) -> None:
    """Paste a corpus and score it."""
    reveal(page, "#corpus-system").fill(system)
    reveal(page, "#corpus-references").fill(references)
    reveal(page, "#corpus-run").click()


def compare_and_score(page: Page) -> None:
    """Compare the conventions and score a corpus: both load modules that the start does not."""
    reveal(page, "#comparison")
    expect(page.locator("#comparison-body table")).not_to_have_count(0)
    score_pasted_lines(page, "a b c d\nx", "a b c d\nx")
    expect(page.locator("#corpus-score")).to_have_attribute("data-value", "1.0")


@cache
def store_page(context: BrowserContext, address: str) -> None:
    """Visit the page once, so that each later page of the context starts from the store."""
    open_sealed_page(context, address).close()


@contextmanager
def new_tab(context: BrowserContext, site: str) -> Iterator[Recorder]:
    """Yield the recorder of a new page, and check that nothing stays in the context's storage."""
    store_page(context, site)
    recorder = Recorder(context.new_page(), site)
    yield recorder
    if recorder.page.url.startswith(site):
        assert recorder.page.evaluate("Object.keys(localStorage)") == []
    recorder.page.close()


@pytest.fixture
def tab(shared_context: BrowserContext, site: str) -> Iterator[Recorder]:
    """Yield the recorder of a new page, not opened yet, in the process's context.

    It opens in half the time of a page in a new context. A test that writes to the storage other
    than of the tab, or that changes what the server sends, needs `recorder` instead.
    """
    with new_tab(shared_context, site) as recorder:
        yield recorder


@pytest.fixture(scope="module")
def shared_recorder(shared_context: BrowserContext, site: str) -> Iterator[Recorder]:
    """Yield the recorder of a module's page, on a later visit; no test may cause a complaint."""
    with new_tab(shared_context, site) as recorder:
        open_page(recorder)
        recorder.requests.clear()
        yield recorder
        recorder.check()
        assert recorder.requests == [], "a ready page makes no request"


@pytest.fixture
def page(shared_recorder: Recorder) -> Iterator[Page]:
    """Yield the module's page with empty boxes."""
    reveal(shared_recorder.page, "#clear").click()
    yield shared_recorder.page
    complaints, shared_recorder.complaints = shared_recorder.complaints, []
    assert complaints == [], "\n".join(complaints)
