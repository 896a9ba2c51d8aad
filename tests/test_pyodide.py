"""The library's own tests, run again inside the Pyodide that the page ships."""

import re
import subprocess
import sysconfig
from pathlib import Path

import pytest

pytestmark = pytest.mark.host
ROOT = Path(__file__).parents[1]


def test_the_library_passes_its_tests_in_pyodide():
    command = [
        "node",
        ROOT / "tests/pyodide/run.mjs",
        ROOT / "node_modules/pyodide",
        ROOT,
        sysconfig.get_path("purelib"),
        *("pytest", "-q", "-p", "no:cacheprovider", "-p", "no:faulthandler", "-m", "not host"),
        *("--ignore=tests/peers", "--ignore=tests/browser", "--ignore=tests/engines", "tests"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed
    assert int(passed[1]) > 300
