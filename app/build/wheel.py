"""The wheel of the library, which pip installs from beside the page."""

import os
import subprocess
import sys
from pathlib import Path

from app.components.wheel import WHEEL

MADE = "315532800"
"""The date of each file in it, the first that a zip can hold: so a build is the same every time."""


def make_wheel(source: Path, target: Path) -> None:
    """Make the wheel of the library below `source` in the folder `target`.

    Raises RuntimeError with what flit said where it makes none, or one of another name.
    """
    asked = [sys.executable, "-m", "flit_core.wheel", "--outdir", str(target), str(source)]
    environment = {**os.environ, "PYTHONPATH": str(source), "SOURCE_DATE_EPOCH": MADE}
    done = subprocess.run(asked, capture_output=True, text=True, env=environment, check=False)
    if done.returncode or not (target / WHEEL).is_file():
        *_, last = ["", *done.stdout.splitlines(), *done.stderr.splitlines()]
        raise RuntimeError(f"flit made no {WHEEL}: {last}")
