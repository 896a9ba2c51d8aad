"""The wheel of the library, which pip can install from beside the page."""

import os
import subprocess
import sys
from pathlib import Path

from app.components.wheel import WHEEL

SOURCE_DATE_EPOCH = "315532800"
"""The date of every file in the wheel: 1980, the earliest in a zip, for reproducible builds."""


def make_wheel(source: Path, target: Path) -> None:
    """Build the wheel of the library in `source` and write it to the folder `target`.

    Raises RuntimeError with the last line of flit's output if flit fails or makes no `WHEEL`.
    """
    command = [sys.executable, "-m", "flit_core.wheel", "--outdir", str(target), str(source)]
    environment = os.environ | {"PYTHONPATH": str(source), "SOURCE_DATE_EPOCH": SOURCE_DATE_EPOCH}
    process = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if process.returncode or not (target / WHEEL).is_file():
        *_, last_line = ["", *process.stdout.splitlines(), *process.stderr.splitlines()]
        raise RuntimeError(f"flit made no {WHEEL}: {last_line}")
