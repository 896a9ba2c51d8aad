"""The packages of the library: contents, reproducibility, installation, and errors of flit."""

import os
import subprocess
import sys
import tarfile
import zipfile
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from flit_core.sdist import SdistBuilder

import bleu
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


def test_wheel_installs_in_pyodide(wheel):
    try:
        packages = distribution("micropip").locate_file("")
    except PackageNotFoundError:
        pytest.skip("the micropip that runs in this Pyodide needs Python 3.13 to be installed")
    command = ["node", "tests/pyodide/install.mjs", "node_modules/pyodide", packages, wheel]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert process.stdout.split() == ["0.5789", bleu.__version__], process.stderr[-2000:]


def test_source_distribution_has_the_tests_and_the_page(tmp_path):
    with tarfile.open(SdistBuilder.from_ini_path(ROOT / "pyproject.toml").build(tmp_path)) as file:
        names = {name.partition("/")[2] for name in file.getnames()}
    for part in ("tests/core", "app", "static"):
        sources = (ROOT / part).rglob("*.*")
        wanted = {path.relative_to(ROOT).as_posix() for path in sources if path.is_file()}
        assert {name for name in wanted if "__pycache__" not in name} <= names
    assert {"Makefile", "index.html", "package-lock.json", "tests/requirements.txt"} <= names


def test_wheel_is_reproducible(wheel, tmp_path):
    make_wheel(ROOT, tmp_path)
    assert (tmp_path / WHEEL).read_bytes() == wheel.read_bytes()


def test_error_of_flit_is_reported(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    with pytest.raises(RuntimeError, match=f"flit made no {WHEEL}: .*name must be specified"):
        make_wheel(tmp_path, tmp_path)
