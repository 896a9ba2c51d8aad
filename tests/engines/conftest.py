"""The same tests in every engine; where one cannot be had, its tests are skipped and say why."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.build.single_file import NAME
from tests.browser.conftest import dist, site
from tests.browser.servers import Site
from tests.engines.engines import ENGINES
from tests.engines.page import Page

__all__ = ["dist", "site"]


FILE = "-file"
"""What ends the name of an engine that has the page in one file open, from disk."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Everything here drives a browser, on the host.

    The core runs over the page in one file as well, which is slow; what is about a server does not.
    """
    left_out = []
    for item in items:
        if not item.path.is_relative_to(Path(__file__).parent):
            continue
        item.add_marker(pytest.mark.browser)
        item.add_marker(pytest.mark.host)
        running = getattr(item, "callspec", None) and item.callspec.params.get("running")
        if not running:
            continue
        about_file = item.path.stem == "test_one_file"
        if running.endswith(FILE):
            if item.path.stem == "test_core":
                item.add_marker(pytest.mark.slow)
            elif not about_file:
                left_out.append(item)
        elif about_file:
            left_out.append(item)
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in set(left_out)]


@pytest.fixture(scope="session")
def blank(dist: Path, site: str) -> str:
    """The address of a page with nothing on it."""
    (dist.parent / "blank.html").write_text("<!doctype html><title>Blank</title><body>", "utf-8")
    return f"{site.removesuffix(dist.name + '/')}blank.html"


@pytest.fixture(scope="session")
def one_file(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of the page in one file, in a folder whose name has to be written otherwise."""
    folder = tmp_path_factory.mktemp("disk") / "Über #1 file"
    folder.mkdir()
    return Path(shutil.copy(dist / NAME, folder)).as_uri()


@pytest.fixture(scope="session", params=[*ENGINES, *(f"{name}{FILE}" for name in ENGINES)])
def running(
    request: pytest.FixtureRequest, tmp_path_factory, site: str, one_file: str, blank: str
) -> Iterator[Page]:
    """An engine with the page open and ready; one engine after the other, each started once."""
    engine = ENGINES[request.param.removesuffix(FILE)]
    if reason := engine.missing():
        pytest.skip(reason)
    downloads = tmp_path_factory.mktemp(request.param) / "downloads"
    downloads.mkdir()
    with engine.start(engine.parts, downloads) as driver:
        page = Page(driver, downloads, engine.name)
        page.go(blank)  # while WebKit's first page gets its process, a command may be lost
        page.open(one_file if request.param.endswith(FILE) else site)
        yield page


@pytest.fixture
def page(running: Page) -> Iterator[Page]:
    """The engine's page, cleared; nothing may be complained of in any test."""
    running.click("#clear")
    running.until(lambda: running.text("#hypothesis-count"), "0 tokens")
    yield running
    assert running.complaints() == []


@pytest.fixture
def phone(page: Page, blank: str, site: str) -> Iterator[Page]:
    """The page as wide as a phone: in a frame, since windows do not get as narrow."""
    if page.run("return location.protocol") == "file:":
        pytest.skip("What a page on disk has in a frame cannot be looked at")
    with page.framed(blank, site, 390):
        yield page


@pytest.fixture(scope="module")
def site_copy(running: Page, dist: Path, tmp_path_factory) -> Iterator[Site]:
    """A site that one module may ask, count and close, for each engine another."""
    site = Site(tmp_path_factory.mktemp("own"))
    shutil.copytree(dist, site.folder)
    yield site
    site.close()
