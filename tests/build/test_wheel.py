"""The wheel beside the page: contents, reproducibility, and errors of flit."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from app.build.assemble import make_wheel
from app.components import WHEEL

pytestmark = pytest.mark.host
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """A wheel of this tree."""
    folder = tmp_path_factory.mktemp("wheel")
    make_wheel(ROOT, folder)
    return folder / WHEEL


def test_wheel_has_every_module_unchanged(wheel):
    with zipfile.ZipFile(wheel) as archive:
        packed = {name: archive.read(name) for name in archive.namelist() if name.endswith(".py")}
    sources = (ROOT / "bleu").rglob("*.py")
    assert packed == {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in sources}


def test_packaged_library_runs(wheel, tmp_path):
    process = subprocess.run(
        [sys.executable, "-m", "bleu", "a b c d", "a b c d"],
        env={**os.environ, "PYTHONPATH": str(wheel)},
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "100.00" in process.stdout


def test_wheel_is_reproducible(wheel, tmp_path):
    make_wheel(ROOT, tmp_path)
    assert (tmp_path / WHEEL).read_bytes() == wheel.read_bytes()


def test_error_of_flit_is_reported(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    with pytest.raises(RuntimeError, match=f"flit made no {WHEEL}: .*name must be specified"):
        make_wheel(tmp_path, tmp_path)
