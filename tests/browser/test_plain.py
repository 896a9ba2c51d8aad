"""The page with the plain runtime: the most important tests of other modules.

With RUNTIME=plain in the environment, all browser tests use the plain runtime.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from app.build import PLAIN
from app.build.assemble import build
from tests.browser import test_boot, test_page
from tests.browser.conftest import Recorder, reveal
from tests.browser.servers import ROOT, RUNTIME, QuietHandler, serving, shared_parts
from tests.browser.test_boot import (
    started,
    test_page_starts_without_errors_and_fetches_no_file_twice,
    test_policy_is_strict_and_never_violated,
)
from tests.browser.test_offline import test_page_works_without_a_network

__all__ = [
    "started",
    "test_page_starts_without_errors_and_fetches_no_file_twice",
    "test_page_works_without_a_network",
    "test_policy_is_strict_and_never_violated",
]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(RUNTIME == PLAIN, reason="all tests use the plain runtime"),
]

ALLOCATE = """async () => {
    const {loadPyodide} = await import("./static/python.mjs");
    const {_malloc, _free, HEAPU8} = (await loadPyodide())._module;
    const first = _malloc(2 ** 31 - HEAPU8.length - 2 ** 27);
    const second = _malloc(2 ** 28);
    _free(first);
    return [first > 0, second];
}"""
"""Whether nearly 2 GB can be allocated, and the address of a block beyond the limit, or 0."""


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A plain build of this tree, in a folder below the root of a site."""
    target = tmp_path_factory.mktemp("plain") / "some" / "where"
    with shared_parts():
        build(ROOT, target, PLAIN)
    return target


@pytest.fixture(scope="module")
def site(dist: Path) -> Iterator[str]:
    """The address of that build, under a sub-path."""
    with serving(partial(QuietHandler, directory=str(dist.parent.parent))) as address:
        yield f"{address}some/where/"


def test_page_opens_a_link_scores_and_cannot_allocate_two_gigabytes(recorder: Recorder) -> None:
    test_boot.test_link_restores_texts_and_settings(recorder)
    reveal(recorder.page, "#clear").click()
    test_page.test_typing_updates_score_and_counts(recorder.page)
    assert recorder.page.evaluate(ALLOCATE) == [True, 0]
    recorder.check()
