"""Fixtures of the engine tests: the page in each engine that is installed."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.build.single_file import SINGLE_FILE
from tests.browser.conftest import dist, site
from tests.browser.servers import Site
from tests.engines.engines import ENGINES
from tests.engines.page import Page

__all__ = ["dist", "site"]


FILE = "-file"
"""The suffix of an engine parameter for the single-file page, opened from disk."""
ORIGIN_DEPENDENT = {
    "test_derivation_is_exported_as_rendered_by_the_library",
    "test_files_result_is_the_same_downloaded_and_copied",
}
"""Tests of `test_core` whose result could differ for a page from disk."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Function]) -> None:
    """Mark the tests of this folder, and deselect those that do not apply to an engine parameter.

    The single-file page runs `test_one_file`, which is fast in Chromium only, and as slow tests
    those of `test_core` that depend on the origin, in Chromium also the fast ones. The served page
    runs everything else, but no slow test of `test_core` in Chromium, which `browser` covers.
    """
    deselected = []
    for item in items:
        if not item.path.is_relative_to(Path(__file__).parent):
            continue
        item.add_marker(pytest.mark.browser)
        item.add_marker(pytest.mark.host)
        engine = getattr(item, "callspec", None) and item.callspec.params.get("engine_page")
        if not engine:
            continue
        about_file = item.path.stem == "test_one_file"
        is_core = item.path.stem == "test_core"
        is_fast_core = is_core and not item.get_closest_marker("slow")
        if engine.endswith(FILE):
            in_chromium = engine == f"chromium{FILE}"
            depends = item.originalname in ORIGIN_DEPENDENT
            if not (about_file or depends or (is_fast_core and in_chromium)):
                deselected.append(item)
            elif is_core or not in_chromium:
                item.add_marker(pytest.mark.slow)
        elif about_file or (engine == "chromium" and is_core and not is_fast_core):
            deselected.append(item)
    config.hook.pytest_deselected(items=deselected)
    items[:] = [item for item in items if item not in set(deselected)]


@pytest.fixture(scope="session")
def blank(dist: Path, site: str) -> str:
    """Return the URL of an empty page."""
    (dist.parent / "blank.html").write_text("<!doctype html><title>Blank</title><body>", "utf-8")
    return f"{site.removesuffix(dist.name + '/')}blank.html"


@pytest.fixture(scope="session")
def one_file(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the URL of the single-file page, in a folder whose name must be percent-encoded."""
    folder = tmp_path_factory.mktemp("disk") / "Über #1 file"
    folder.mkdir()
    return Path(shutil.copy(dist / SINGLE_FILE, folder)).as_uri()


@pytest.fixture(scope="session", params=[*ENGINES, *(f"{name}{FILE}" for name in ENGINES)])
def engine_page(
    request: pytest.FixtureRequest, tmp_path_factory, site: str, one_file: str, blank: str
) -> Iterator[Page]:
    """Yield the page, open and ready in one engine, which is started once."""
    engine = ENGINES[request.param.removesuffix(FILE)]
    if reason := engine.missing():
        pytest.skip(reason)
    downloads = tmp_path_factory.mktemp(request.param) / "downloads"
    downloads.mkdir()
    with engine.start(engine.parts, downloads) as driver:
        page = Page(driver, downloads, engine.name)
        page.go(blank)  # WebKit may lose a command while it starts the process of its first page
        address = one_file if request.param.endswith(FILE) else site
        try:
            page.open(address)
        except AssertionError as error:  # WebKitGTK miscompiles WebAssembly in a few starts
            if engine.name != "WebKit" or "Out of bounds memory access" not in str(error):
                raise
            page.open(address)
        yield page


@pytest.fixture
def page(engine_page: Page) -> Iterator[Page]:
    """Yield the engine's page with empty boxes; no test may cause a complaint."""
    # By a script, because WebKit's driver can miss a button while a long text is laid out.
    engine_page.run("document.getElementById('clear').click()")
    engine_page.until(lambda: engine_page.text("#hypothesis-count"), "0 tokens")
    yield engine_page
    assert engine_page.complaints() == []


@pytest.fixture
def phone(page: Page, blank: str, site: str) -> Iterator[Page]:
    """Yield the page at the width of a phone, in a frame, because windows cannot be that narrow."""
    if page.run("return location.protocol") == "file:":
        pytest.skip("the frame of a page on disk cannot be inspected")
    with page.framed(blank, site, 390):
        yield page


@pytest.fixture(scope="module")
def site_copy(engine_page: Page, dist: Path, tmp_path_factory) -> Iterator[Site]:
    """Yield a separate site for one module and engine, which tests may change."""
    site = Site(tmp_path_factory.mktemp("copy"))
    shutil.copytree(dist, site.folder)
    yield site
    site.close()
