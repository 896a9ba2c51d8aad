"""The page on a plain runtime: what matters of the other tests, with Pyodide as its package has it.

All the others do so where the environment says RUNTIME=plain.
"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from app.build import PLAIN
from app.build.assemble import build
from tests.browser.conftest import Recorder, open_page
from tests.browser.servers import ROOT, RUNTIME, QuietHandler, serving
from tests.browser.test_boot import (
    test_a_link_restores_texts_and_settings,
    test_the_page_starts_without_a_complaint_and_fetches_nothing_twice,
    test_the_policy_is_strict_and_nothing_breaks_it,
    test_what_is_typed_before_python_is_up_is_kept_and_then_scored,
)
from tests.browser.test_offline import (
    test_the_store_holds_exactly_the_files_of_the_build,
    test_with_the_network_cut_it_loads_and_does_everything,
)
from tests.browser.test_page import test_typing_updates_score_and_counts
from tests.browser.test_seal import test_no_text_reaches_the_server_of_the_page

__all__ = [
    "test_a_link_restores_texts_and_settings",
    "test_no_text_reaches_the_server_of_the_page",
    "test_the_page_starts_without_a_complaint_and_fetches_nothing_twice",
    "test_the_policy_is_strict_and_nothing_breaks_it",
    "test_the_store_holds_exactly_the_files_of_the_build",
    "test_typing_updates_score_and_counts",
    "test_what_is_typed_before_python_is_up_is_kept_and_then_scored",
    "test_with_the_network_cut_it_loads_and_does_everything",
]

pytestmark = pytest.mark.skipif(RUNTIME == PLAIN, reason="every test is on the plain runtime")

IN_EVERY_RUN = {"test_the_page_starts_without_a_complaint_and_fetches_nothing_twice"}
"""The others are slow here."""

ROOM = """async () => {
    const {loadPyodide} = await import("./static/python.mjs");
    const {_malloc, _free, HEAPU8} = (await loadPyodide())._module;
    const first = _malloc(2 ** 31 - HEAPU8.length - 2 ** 27);
    const second = _malloc(2 ** 28);
    _free(first);
    return [first > 0, second];
}"""
"""Whether there is room for nearly 2 GB, and where something is that does not fit below."""


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A plain build of this tree, in a folder below the root of a site."""
    target = tmp_path_factory.mktemp("plain") / "some" / "where"
    build(ROOT, target, PLAIN)
    return target


@pytest.fixture(scope="module")
def site(dist: Path) -> Iterator[str]:
    """The address of that build, under a sub-path."""
    with serving(partial(QuietHandler, directory=str(dist.parent.parent))) as address:
        yield f"{address}some/where/"


def test_plain_python_has_less_than_two_gigabytes(recorder: Recorder) -> None:
    assert open_page(recorder).evaluate(ROOM) == [True, 0]
