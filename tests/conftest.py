"""Test configuration: repeatable property tests, shared builds, and groups for parallel runs."""

import os
import shutil
import signal
from collections.abc import Iterator
from tempfile import mkdtemp

import pytest
from hypothesis import settings

BUILDS = "BLEU_TEST_BUILDS"
"""The environment variable with the folder of a run's builds, which all processes share."""

START_FIRST = (
    "tests/browser/test_endurance.py",
    "tests/browser/test_walk.py",
    "tests/test_calls.py",
    "tests/browser/test_out_of_memory.py",
    "tests/test_pyodide.py",
    "tests/engines/",
    "tests/browser/",
    "tests/build/",
)
"""Long groups: they start first, so that no process waits for another at the end of a run."""

settings.register_profile("quick", deadline=None, derandomize=True, database=None, max_examples=30)
settings.register_profile("pyodide", settings.get_profile("quick"), max_examples=10)
settings.register_profile("thorough", settings.get_profile("quick"), max_examples=100)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


def pytest_configure(config: pytest.Config) -> None:
    """Create the folder of builds, and remove it at the end of the run."""
    if not hasattr(config, "workerinput"):
        os.environ[BUILDS] = mkdtemp(prefix="bleu-builds-")
        config.add_cleanup(lambda: shutil.rmtree(os.environ.pop(BUILDS)))


def group(item: pytest.Item) -> str:
    """Return the name of the tests that must run in the same process, one after the other.

    Tests of a module share its fixtures; tests of all modules share a browser engine.
    """
    engine = getattr(item, "callspec", None) and item.callspec.params.get("engine_page")
    return f"engine {engine}" if engine else item.nodeid.partition("::")[0]


@pytest.hookimpl(trylast=True)  # after pytest has sorted the tests by the engine that they need
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Group the tests for `pytest --dist loadgroup`, and put long groups first."""
    for item in items:
        item.add_marker(pytest.mark.xdist_group(group(item)))

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
