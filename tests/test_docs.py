"""The pages on tasks: their Python examples and commands give what they show."""

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.host
ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "app" / "docs").glob("*.md"), key=lambda page: page.name)
WITH_EXAMPLES = [page for page in PAGES if page.stem != "embed"]
COMMAND = re.compile(r"^\$ (.+)\n((?:(?!\$ |```).*\n)*)", re.MULTILINE)


@pytest.mark.filterwarnings("default")  # of Spark
@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: page.stem)
def test_python_examples_give_what_they_show(page):
    if page.stem == "spark":
        pytest.importorskip("pyspark")  # it needs 520 MB and Java
    results = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert results.failed == 0
    assert results.attempted > 5


def test_commands_print_what_they_show(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    commands = COMMAND.findall((ROOT / "app" / "docs" / "score-files.md").read_text("utf-8"))
    assert len(commands) > 3
    for command, output in commands:
        program, *arguments = shlex.split(command)
        if program == "cat":
            (tmp_path / arguments[0]).write_text(output, "utf-8")
            continue
        process = subprocess.run(
            [sys.executable, *arguments], cwd=tmp_path, capture_output=True, encoding="utf-8"
        )
        assert process.stdout + process.stderr == output
