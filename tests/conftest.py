"""Test settings: hypothesis is repeatable, and what is built is built once for all processes."""

import os
import shutil
import signal
from collections.abc import Iterator
from tempfile import mkdtemp

import pytest
from hypothesis import settings

BUILDS = "BLEU_TEST_BUILDS"
"""The variable that names the folder of a run's builds, to pytest-xdist's workers too."""

settings.register_profile("quick", deadline=None, derandomize=True, database=None, max_examples=30)
settings.register_profile("pyodide", settings.get_profile("quick"), max_examples=10)
settings.register_profile("thorough", settings.get_profile("quick"), max_examples=500)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


def pytest_configure(config: pytest.Config) -> None:
    """Make the folder of builds, which goes with the run that made it."""
    if not hasattr(config, "workerinput"):
        os.environ[BUILDS] = mkdtemp(prefix="bleu-builds-")
        config.add_cleanup(lambda: shutil.rmtree(os.environ.pop(BUILDS)))


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Programs that a test starts hear interrupts, which a shell has ignored in its background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
