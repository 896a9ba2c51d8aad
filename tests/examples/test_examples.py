"""The class notebook: it is up to date and runs elsewhere."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bleu.notebook import CSS_CLASS

pytestmark = pytest.mark.host
ROOT = Path(__file__).parents[2]
FILE = Path(__file__).with_name("class.ipynb")
RESULTS = ("Derivation", "Derivation", "ConventionComparison", "Corpus", "PairedTest", "Exercise")
"""The types of the results that the notebook shows."""


def run_python(*arguments):
    """Run Python with arguments in the project's root, and return its standard output."""
    command = [sys.executable, *map(str, arguments)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}  # a notebook runs in its own folder
    process = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, process.stderr
    return process.stdout


@pytest.mark.slow
def test_notebook_is_up_to_date(tmp_path):
    target = tmp_path / "new.ipynb"
    run_python("-m", "tests.examples.notebook", target)
    assert json.loads(target.read_text("utf-8")) == json.loads(FILE.read_text("utf-8"))


@pytest.mark.slow
def test_notebook_runs_in_nbconvert(tmp_path):
    pytest.importorskip("nbconvert")
    target = tmp_path / "class.html"
    options = ["--execute", "--to", "html", "--output-dir", tmp_path, "--log-level", "ERROR"]
    run_python("-m", "nbconvert", *options, FILE)
    page = target.read_text("utf-8")
    assert page.count(f'<div class="{CSS_CLASS}') == len(RESULTS)
    assert "You took the longest reference" in page


@pytest.mark.slow
def test_notebook_runs_in_marimo(tmp_path):
    pytest.importorskip("marimo")  # it needs 132 MB, and is not among the requirements
    target = tmp_path / "class.py"
    run_python("-m", "marimo", "-q", "convert", FILE, "-o", target)
    assert "You took the longest reference" in run_python(target)


def test_notebook_shows_every_kind_of_result_and_no_error():
    cells = json.loads(FILE.read_text("utf-8"))["cells"]
    outputs = [output for cell in cells for output in cell.get("outputs", ())]
    assert {output["output_type"] for output in outputs} <= {"execute_result", "stream"}
    results = [output["data"] for output in outputs if "data" in output]
    kinds = ["".join(data["text/plain"]).partition(":")[0] for data in results]
    assert kinds == [f"<{name}" for name in RESULTS]
    for data in results:
        assert {"text/html", "text/markdown", "text/latex", "text/plain"} == set(data)


def test_cells_of_the_notebook_assign_each_name_once():
    """marimo refuses a name that two cells define."""
    names = []
    for cell in json.loads(FILE.read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            nodes = ast.walk(ast.parse("".join(cell["source"])))
            names += {node.id for node in nodes if isinstance(node, ast.Name)
                      and isinstance(node.ctx, ast.Store)}  # fmt: skip
    assert len(set(names)) == len(names) > 5
