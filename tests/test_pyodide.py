"""The library's own tests, run again inside the Pyodide that the page ships."""

import re
import subprocess
import sysconfig
from pathlib import Path

import pytest

pytestmark = pytest.mark.host
ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("part", "least"), [("tests/core", 100), pytest.param("tests", 300, marks=pytest.mark.slow)]
)
def test_the_library_passes_its_tests_in_pyodide(part, least):
    command = [
        "node",
        ROOT / "tests/pyodide/run.mjs",
        ROOT / "node_modules/pyodide",
        ROOT,
        sysconfig.get_path("purelib"),
        *(
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:faulthandler",
            "-m",
            "not host and not slow",
        ),
        *("-p", "no:xdist", "-p", "no:xdist.looponfail"),
        *("--ignore=tests/peers", "--ignore=tests/browser", "--ignore=tests/engines", part),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed
    assert int(passed[1]) > least
