"""The distribution: its contents, its installation, and reproducible builds."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import bleu

pytestmark = [pytest.mark.host, pytest.mark.slow]
ROOT = Path(__file__).parents[1]
NAME = "bleu_calculator-" + bleu.__version__


def run(*command, **options):
    """Run a command and return its standard output."""
    result = subprocess.run(command, capture_output=True, text=True, **options)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def build(folder):
    """Build a copy of the sources, and return the resulting files by name."""
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "bleu", folder / "bleu", ignore=ignore)
    for name in ("pyproject.toml", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1795392000"}
    run(sys.executable, "-m", "build", "--no-isolation", cwd=folder, env=environment)
    return {path.name: path for path in (folder / "dist").iterdir()}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Build the wheel and the source distribution."""
    return build(tmp_path_factory.mktemp("one"))


@pytest.fixture(scope="module")
def wheel(files):
    """Return the path of the wheel."""
    return files[f"{NAME}-py3-none-any.whl"]


def test_builds_are_reproducible(files, tmp_path):
    other = build(tmp_path)
    assert set(other) == set(files) == {f"{NAME}-py3-none-any.whl", f"{NAME}.tar.gz"}
    for name, path in other.items():
        assert path.read_bytes() == files[name].read_bytes(), name


def test_wheel_contains_only_the_library(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        metadata = archive.read(f"{NAME}.dist-info/METADATA").decode()
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "bleu").rglob("*.py")}
    info_files = ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE")
    info = {f"{NAME}.dist-info/{name}" for name in info_files}
    assert names == {*modules, "bleu/py.typed", "bleu/README.md", "bleu/PYPI.md", *info}
    headers = metadata.partition("\n\n")[0]
    assert f"Version: {bleu.__version__}" in headers
    requirements = re.findall("^Requires-Dist: .*", headers, re.MULTILINE)
    assert all("; extra == " in requirement for requirement in requirements)
    assert "://" not in headers


def test_wheel_installs_into_empty_environment(wheel, tmp_path):
    pytest.importorskip("venv").create(tmp_path / "clean", with_pip=True)
    folder = tmp_path / "clean" / ("Scripts" if os.name == "nt" else "bin")
    options = ("--quiet", "--disable-pip-version-check", "--no-index")
    run(folder / "python", "-m", "pip", "install", *options, wheel)
    assert run(folder / "bleu", "--version", cwd=tmp_path) == f"bleu {bleu.__version__}\n"
    assert "100.00" in run(folder / "bleu", "a", "a", "--max-order", "1", cwd=tmp_path)
    assert "0.00" in run(folder / "bleu", "a", "a", cwd=tmp_path)
    code = "import bleu; print(bleu.__file__); bleu.compare('a', ['a'])._repr_html_()"
    assert str(tmp_path) in run(folder / "python", "-c", code, cwd=tmp_path)


def test_version_is_defined_once_and_dated_in_changelog():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert "version" not in project
    assert project["dynamic"] == ["version"]
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.search(rf"^## {bleu.__version__} – \d{{4}}-\d\d-\d\d$", changes, re.MULTILINE)
