"""Test configuration: repeatable property tests, shared builds, and groups for parallel runs."""

import os
import re
import shutil
import signal
from collections.abc import Iterator
from tempfile import mkdtemp
from typing import Any

import pytest
from hypothesis import settings

BUILDS = "BLEU_TEST_BUILDS"
"""The environment variable with the folder of a run's builds, which all processes share."""

START_FIRST = (
    "tests/browser/test_endurance.py",
    "tests/browser/test_walk.py",
    "tests/test_calls.py",
    "tests/learn/test_diagnosis.py",
    "tests/browser/test_out_of_memory.py",
    "tests/test_pyodide.py",
    "tests/engines/",
    "tests/browser/",
    "tests/build/",
)
"""Long groups: they start first, so that no process waits for another at the end of a run."""

settings.register_profile("quick", deadline=None, derandomize=True, database=None, max_examples=20)
settings.register_profile("pyodide", settings.get_profile("quick"), max_examples=10)
settings.register_profile("thorough", settings.get_profile("quick"), max_examples=50)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
os.environ.pop("FORCE_COLOR", None)  # Some CI services set it, and tests compare messages.


def pytest_configure(config: pytest.Config) -> None:
    """Create the folder of builds, and remove it at the end of the run.

    A run that a test starts, like the processes of this run, uses the builds of this run.
    """
    if BUILDS not in os.environ:
        os.environ[BUILDS] = mkdtemp(prefix="bleu-builds-")
        config.add_cleanup(lambda: shutil.rmtree(os.environ.pop(BUILDS)))


def group(nodeid: str) -> str:
    """Return the group of a test: all tests of a group run in one process, one after the other.

    Tests of a module share its fixtures; tests of all modules share a browser engine, or a browser
    with wide fonts.

    >>> group("tests/engines/test_core.py::test_figures_are_drawn[webkit-file]")
    'webkit-file'
    >>> group("tests/core/test_score.py::test_score[4]")
    'tests/core/test_score.py'
    >>> group("tests/browser/test_views.py::test_view_fits_a_phone[wide-320-#why]")
    'tests/browser/ wide'
    """
    if nodeid.startswith("tests/browser/") and "[wide" in nodeid:
        return "tests/browser/ wide"
    module = nodeid.partition("::")[0]
    engine = re.search(r"\b(?:chromium|firefox|webkit)(?:-file)?\b", nodeid.partition("[")[2])
    return engine[0] if engine and module.startswith("tests/engines/") else module


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object:
    """Return a scheduler of pytest-xdist that distributes groups, in the order of the tests."""
    from xdist.scheduler import LoadScopeScheduling

    class GroupScheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return group(nodeid)

    config.option.loadscopereorder = False
    return GroupScheduling(config, log)


@pytest.hookimpl(trylast=True)  # after pytest has sorted the tests by the engine that they need
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put long groups first."""

    def rank(item: pytest.Item) -> int:
        prefixes = enumerate(START_FIRST)
        return next((n for n, name in prefixes if item.nodeid.startswith(name)), len(START_FIRST))

    items.sort(key=rank)


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Let child processes receive SIGINT, which a shell ignores for its background jobs."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
