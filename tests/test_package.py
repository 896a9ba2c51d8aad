"""The package: what is in it, that it installs by itself, and that it is the same every time."""

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


def run(*command, **more):
    """What a command prints."""
    done = subprocess.run(command, capture_output=True, text=True, **more)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def built(folder):
    """The files of a build from a copy of the sources."""
    skipped = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "bleu", folder / "bleu", ignore=skipped)
    for name in ("pyproject.toml", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    epoch = {**os.environ, "SOURCE_DATE_EPOCH": "1795392000"}
    run(sys.executable, "-m", "build", "--no-isolation", cwd=folder, env=epoch)
    return {path.name: path for path in (folder / "dist").iterdir()}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Wheel and source distribution."""
    return built(tmp_path_factory.mktemp("one"))


@pytest.fixture(scope="module")
def wheel(files):
    """The wheel."""
    return files[f"{NAME}-py3-none-any.whl"]


def test_two_builds_have_the_same_bytes(files, tmp_path):
    other = built(tmp_path)
    assert set(other) == set(files) == {f"{NAME}-py3-none-any.whl", f"{NAME}.tar.gz"}
    for name, path in other.items():
        assert path.read_bytes() == files[name].read_bytes(), name


def test_the_wheel_has_the_library_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
        told = packed.read(f"{NAME}.dist-info/METADATA").decode()
    ours = {path.relative_to(ROOT).as_posix() for path in (ROOT / "bleu").rglob("*.py")}
    about = ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE")
    assert names == {
        *ours, "bleu/py.typed", "bleu/README.md", *(f"{NAME}.dist-info/{one}" for one in about)
    }  # fmt: skip
    head = told.partition("\n\n")[0]
    assert f"Version: {bleu.__version__}" in head
    assert "Requires-Dist" not in head
    assert "://" not in head


def test_it_installs_into_a_clean_environment(wheel, tmp_path):
    pytest.importorskip("venv").create(tmp_path / "clean", with_pip=True)
    folder = tmp_path / "clean" / ("Scripts" if os.name == "nt" else "bin")
    quiet = ("--quiet", "--disable-pip-version-check", "--no-index")
    run(folder / "python", "-m", "pip", "install", *quiet, wheel)
    assert run(folder / "bleu", "--version", cwd=tmp_path) == f"bleu {bleu.__version__}\n"
    assert "100.00" in run(folder / "bleu", "a", "a", "--max-order", "1", cwd=tmp_path)
    assert "0.00" in run(folder / "bleu", "a", "a", cwd=tmp_path)
    code = "import bleu; print(bleu.__file__); bleu.compare('a', ['a'])._repr_html_()"
    assert str(tmp_path) in run(folder / "python", "-c", code, cwd=tmp_path)


def test_the_version_stands_in_one_place_and_has_its_date():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert "version" not in project
    assert project["dynamic"] == ["version"]
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.search(rf"^## {bleu.__version__}, \d{{4}}-\d\d-\d\d$", changes, re.MULTILINE)
