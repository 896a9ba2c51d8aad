"""The README: its code runs, and it names every file."""

import doctest
import re
from pathlib import Path

import pytest

from app.serve import HEADERS

pytestmark = pytest.mark.host
ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_its_code_gives_what_it_says():
    results = doctest.testfile(str(ROOT / "README.md"), module_relative=False, encoding="utf-8")
    assert results.failed == 0
    assert results.attempted >= 8


def test_it_names_every_file_and_none_that_is_not_there():
    named = set(re.findall(r"^\| `([^`]+)` \|", README, re.MULTILINE)) - {"tests/"} - set(HEADERS)
    there = {
        path.relative_to(ROOT).as_posix()
        for folder in ("app", "bleu", "static")
        for path in (ROOT / folder).rglob("*.*")
        if path.is_file()
        and path.suffix not in {".pyc", ".png"}
        and path.name != "py.typed"
        and not any(part.startswith(".") for part in path.parts)
    }
    assert named == there | {"index.html"}


def test_its_headers_are_those_of_the_server():
    named = dict(re.findall(r"^\| `([\w-]+)` \| `([^`]+)`", README, re.MULTILINE))
    for_this_machine = {"Vary", "Accept-Ranges"}
    assert named == {name: to for name, to in HEADERS.items() if name not in for_this_machine}


def test_its_commands_and_pictures_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for command in set(re.findall(r"`make (\w+)`|^make (\w+)", README, re.MULTILINE)):
        assert re.search(rf"^{''.join(command)}:", makefile, re.MULTILINE)
    for picture in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", README):
        assert (ROOT / picture).is_file()
