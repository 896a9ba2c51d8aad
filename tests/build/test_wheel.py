"""The wheel that the build puts beside the page."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from app.build.wheel import make_wheel
from app.components.wheel import WHEEL

pytestmark = pytest.mark.host
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """A wheel of the sources as they are."""
    folder = tmp_path_factory.mktemp("wheel")
    make_wheel(ROOT, folder)
    return folder / WHEEL


def test_it_has_every_module_as_it_is(wheel):
    with zipfile.ZipFile(wheel) as packed:
        held = {name: packed.read(name) for name in packed.namelist() if name.endswith(".py")}
    ours = {path.relative_to(ROOT).as_posix(): path for path in (ROOT / "bleu").rglob("*.py")}
    assert held == {name: path.read_bytes() for name, path in ours.items()}


def test_what_is_in_it_runs(wheel, tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "bleu", "a b c d", "a b c d"],
        env={**os.environ, "PYTHONPATH": str(wheel)},
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "100.00" in done.stdout


def test_two_have_the_same_bytes(wheel, tmp_path):
    make_wheel(ROOT, tmp_path)
    assert (tmp_path / WHEEL).read_bytes() == wheel.read_bytes()


def test_what_flit_refuses_is_said(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    with pytest.raises(RuntimeError, match=f"flit made no {WHEEL}: .*name must be specified"):
        make_wheel(tmp_path, tmp_path)
