"""The READMEs: their examples, links, tables of files, headers and commands are correct."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

from app.build.serve import HEADERS
from tests.support.file_tables import FOLDERS, with_tables

pytestmark = pytest.mark.host
ROOT = Path(__file__).parents[1]
READMES = ["README.md", "app/README.md", "app/build/README.md", "bleu/PYPI.md", "bleu/README.md"]
READMES += ["tests/README.md"]
TEXTS = {name: (ROOT / name).read_text(encoding="utf-8") for name in READMES}


@pytest.mark.parametrize(
    ("name", "examples"), [("README.md", 5), ("bleu/PYPI.md", 5), ("bleu/README.md", 20)]
)
def test_examples_give_the_documented_results(name, examples):
    results = doctest.testfile(str(ROOT / name), module_relative=False, encoding="utf-8")
    assert results.failed == 0
    assert results.attempted >= examples


@pytest.mark.parametrize(("name", "lines"), [("README.md", 150), ("bleu/PYPI.md", 40)])
def test_readme_is_short(name, lines):
    assert len(TEXTS[name].splitlines()) <= lines


def test_links_work_on_the_page_of_the_package():
    assert re.findall(r"\]\((?!https:)([^)]+)", TEXTS["bleu/PYPI.md"]) == []


@pytest.mark.parametrize("name", READMES)
def test_relative_links_exist(name):
    for path in re.findall(r"\]\((?!https?:)([^)#]+)", TEXTS[name]):
        assert (ROOT / name).parent.joinpath(path).exists(), path


@pytest.mark.parametrize("name", FOLDERS)
def test_tables_of_files_are_up_to_date(name):
    assert TEXTS[name] == with_tables(name), "run python -m tests.support.file_tables"


def test_documented_headers_are_those_of_the_server():
    text = TEXTS["app/README.md"]
    documented = dict(re.findall(r"^\| `([\w-]+)` \| `([^`]+)`", text, re.MULTILINE))
    assert documented == HEADERS


def test_commands_and_pictures_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for command in set(
        re.findall(r"`make ([\w-]+)|^make ([\w-]+)", "\n".join(TEXTS.values()), re.M)
    ):
        assert re.search(rf"^{''.join(command)}:", makefile, re.MULTILINE), command
    for picture in re.findall(r"""["(]([^"()]+\.png)[")]""", TEXTS["README.md"]):
        assert (ROOT / picture).is_file()


def test_goals_files_and_folders_in_the_test_readme_exist():
    text = (ROOT / "tests" / "README.md").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    goals = re.findall(r"(?:^|`)make ([a-z-]+)", text, re.MULTILINE)
    assert {"test", "test-all", "bench"} == set(goals)
    for goal in goals:
        assert re.search(rf"^{goal}:", makefile, re.MULTILINE), goal
    paths = re.findall(r"\btests/[\w/]+\.(?:py|sh|in)\b", text)
    assert len(paths) >= 6
    for path in paths:
        assert (ROOT / path).is_file(), path
    folders = re.findall(r"`(\w+)/`", text.split("## Commands")[0])
    existing = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir()}
    assert set(folders) == {name for name in existing if not name.startswith("_")}
    assert set(re.findall(r"^- `(\w+)`:", text, re.MULTILINE)) == {
        "slow",
        "browser",
        "layout",
        "host",
    }


def test_benchmarks_have_a_command_line():
    command = [sys.executable, "-m", "tests.bench.bench", "--help"]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "--data" in process.stdout
