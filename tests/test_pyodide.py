"""The library's own tests inside the Pyodide that the page ships."""

import re
import subprocess
import sysconfig
from collections import Counter
from pathlib import Path

import pytest

from tests.support.case_selection import fast_and_slow

pytestmark = pytest.mark.host
ROOT = Path(__file__).parents[1]


MIN_PASSED = {"tests/core": 500, "tests/metric": 80, "tests/corpus": 80, "tests/render": 180}
"""By folder of tests, the smallest number of tests that must pass."""


@pytest.mark.parametrize(
    "folders", fast_and_slow(0, [("tests/core",), ("tests/metric", "tests/corpus", "tests/render")])
)
def test_library_passes_its_tests_in_pyodide(folders):
    command = [
        "node",
        ROOT / "tests/pyodide/run.mjs",
        ROOT / "node_modules/pyodide",
        ROOT,
        sysconfig.get_path("purelib"),
        *("pytest", "-q", "-rp", *folders, "-m", "not host and not slow"),
        *("-p", "no:cacheprovider", "-p", "no:faulthandler"),
        *("-p", "no:xdist", "-p", "no:xdist.looponfail"),
    ]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stdout[-6000:] + process.stderr[-2000:]
    passed = Counter(re.findall(r"^PASSED (tests/\w+)/", process.stdout, re.MULTILINE))
    for folder in folders:
        assert passed[folder] >= MIN_PASSED[folder], folder
