"""Code in the page: what it may import, its numpy, and its verdict as HTML and CSV."""

import csv
import decimal
import random
import re
import warnings
from html import unescape

import pytest

from app.learn import own_code
from app.learn.small_numpy import numpy_module
from bleu.learn.assessment import COLUMNS
from bleu.learn.submission import result_of
from tests.browser.servers import ROOT

[_TEXT] = re.findall(
    r'<textarea id="code-text".*?>(.*?)</textarea>', (ROOT / "index.html").read_text(), re.DOTALL
)
EXAMPLE = unescape(_TEXT)
"""The code in the box to begin with."""


def run(code, name="code.py"):
    """Return the verdict on code as the page finds it."""
    return result_of(own_code.iter_verdict(name, code.encode()))


def test_example_has_one_mistake():
    result = run(EXAMPLE)
    assert result["misconceptions"] == ["longest-reference"]
    assert run(EXAMPLE.replace("max(len(", "min(len("))["misconceptions"] != []
    right = EXAMPLE.replace(
        "max(len(reference) for reference in references)",
        "min((len(x) for x in references), key=lambda r: (abs(r - c), r))",
    )
    assert run(right)["passed"]


@pytest.mark.parametrize(
    "statement",
    ["import js", "import os", "import pyodide", "from pyscript import window", "import sys",
     "import app.main", "from . import x", "open('x')", "eval('1')", "input()",
     "import collections; collections._sys.modules", "import random; random._os"],
)  # fmt: skip
def test_code_reaches_neither_the_page_nor_files(statement):
    result = run(f"def bleu(a, b):\n    {statement}\n    return 1\n")
    assert "error" in result, result


def test_modules_of_homework_can_be_imported():
    names = ", ".join(own_code.MODULES)
    code = EXAMPLE.replace("from math", f"import {names}\nfrom math")
    assert run(code)["misconceptions"] == ["longest-reference"]


def test_code_leaves_the_state_of_the_page_alone():
    state, context, filters = random.getstate(), decimal.getcontext().prec, list(warnings.filters)
    run(
        "import random, decimal, warnings\nrandom.seed(1)\nrandom.random()\n"
        "decimal.getcontext().prec = 3\nwarnings.simplefilter('error')\n"
        "def bleu(a, b):\n    random.seed(2)\n    decimal.getcontext().prec = 4\n    return 1\n"
    )
    assert (random.getstate(), decimal.getcontext().prec) == (state, context)
    assert list(warnings.filters) == filters


NUMPY_CODE = """
def results(np):
    p, w = np.array([0.5, 0.25, 1.0]), np.zeros(3)
    w[1] = 2
    lengths = np.array([5, 7, 9])
    distances = np.abs(lengths - 6)
    return [
        list(p * 2 + 1), list(1 - p), list(2 / p), list(p ** 2), list(p + w), list(2 ** p),
        np.sum(p), np.mean(p), np.prod(p), np.dot(w, p), np.exp(0.0), list(np.log(p)), list(w),
        bool(np.any(p == 0)), bool((p > 0).all()), p.min(), p.sum(), p.argmin(), np.argmax(p),
        np.min(lengths[distances == distances.min()]), float(np.exp(np.sum(0.5 * np.log(p)))),
        np.inf, len(p), list(p[:2]), list(np.arange(1, 4)), list(np.ones(2)), np.minimum(1, 0.5),
        list(np.full(2, 0.25)), p.size, tuple(p.shape), np.log(0) if False else 0, np.max(p),
    ]
"""


NUMPY_GRIDS = """
def results(np):
    a = np.zeros((3, 4))
    a[0, 1] = 2
    a[1] = [1, 2, 3, 4]
    a[:, 0] = np.array([5, 6, 7])
    a[2, 1:] = 8
    a[1:, 3] += 1
    b = np.array([[1, 2], [3, 4], [5, 7]])
    row, w = np.array([10, 20]), np.ones(3)
    alias = b[0]
    alias *= 3
    w += 2
    w -= np.array([1, 0, 1])
    w[w == 2] = 0.5
    c = np.array([[1, 2], [3, 4]])
    c[:, 1:] = 9
    c[:, :2] = [7, 8]
    total = c + 0
    total += c
    c = np.array([[1.0, 2.0], [3.0, 4.0]])
    c[:] = row
    c[1, :] = 3
    return [
        a, a.shape, a.size, a.ndim, len(a), a[0], a[2, 0], a[1][2], a[-1, -1], a[:2], a[:, 1],
        a[1:, 2:], a[0, :], a[a > 2], a[np.array([True, False, True])], a.sum(), a.sum(axis=0),
        a.sum(axis=1), a.sum(axis=-1), np.sum(a, axis=0), a.mean(axis=0), a.mean(axis=1), a.mean(),
        a.max(axis=0), np.min(a, axis=1), np.prod(b, axis=1), (a > 0).all(axis=1), (a > 7).any(),
        a.argmax(), np.argmin(b, axis=0), a * 2, 1 - a, b + row, row - b, b * b, b / row, b ** 2,
        -b, b == 3, np.log(b), np.exp(c), np.sqrt(b), np.abs(row - b), b, w, c, total,
        np.zeros((2, 2)), np.full((1, 2), 7), np.ones((2, 3), dtype=int),
        np.minimum(b, row), np.maximum(b, 2), np.array([[1, 2], [3, 4]], float)[:, 0], w[:0].sum(),
        c[:, 0] / c[:, 1],
        np.dot(row, row), np.dot(b, row), np.dot(np.array([1, 2]), [3, 4]), b[:, ::-1], b[::2],
    ]
"""


def plain(value):
    """Return an array of either NumPy as lists, and another value as it is."""
    return [plain(item) for item in value] if hasattr(value, "__len__") else value


@pytest.mark.parametrize("code", [NUMPY_CODE, NUMPY_GRIDS])
def test_numpy_of_the_page_agrees_with_numpy(code):
    numpy = pytest.importorskip("numpy")
    names = {}
    exec(code, names)
    found, expected = (plain(names["results"](module)) for module in (numpy_module(), numpy))
    for position, pair in enumerate(zip(found, expected, strict=True)):
        assert pair[0] == pair[1], position


def test_numpy_of_the_page_divides_by_zero_as_numpy():
    np = numpy_module()  # NumPy itself warns.
    assert list(np.array([1, -1]) / np.zeros(2)) == [np.inf, -np.inf]


def test_numpy_of_the_page_refuses_what_it_has_not():
    np = numpy_module()
    with pytest.raises(ValueError, match="use any"):
        bool(np.array([1, 2]))
    with pytest.raises(ValueError, match="more than two axes"):
        np.zeros((2, 2, 2)).sum(axis=2)
    with pytest.raises(ValueError, match="zip"):
        np.zeros((2, 3)) + np.zeros(2)
    with pytest.raises(TypeError, match="keepdims"):
        np.zeros((2, 3)).sum(axis=1, keepdims=True)
    with pytest.raises(ValueError, match="more than one axis"):
        np.dot([[1, 2]], [[1], [2]])
    with pytest.raises(ValueError, match="zip"):
        np.zeros((2, 3))[0] = [1, 2]


def test_verdict_shows_the_case_and_escapes_what_it_quotes():
    markup = own_code.verdict_html(run(EXAMPLE))
    assert "the cat sat on a mat" in markup
    assert 'href="#how-brevity-penalty"' in markup or "Brevity penalty" in markup
    code = "print('<b>hi</b>')\ndef bleu(a, b):\n    raise ValueError('<i>')\n"
    markup = own_code.verdict_html(run(code))
    assert "&lt;b&gt;hi" in markup
    assert "<i>" not in markup
    assert "(line 3)" in markup


def test_error_of_code_with_numpy_says_that_the_page_has_a_part_of_it():
    result = run("import numpy as np\ndef bleu(a, b):\n    return np.linalg.norm(a)\n")
    assert result["error"].endswith("This page knows only a part of NumPy.")
    assert "NumPy" not in run("def bleu(a, b):\n    return a / b\n")["error"]


def test_verdicts_are_a_table_and_csv():
    results = [run(EXAMPLE, "=a.py"), run("x", "b.py"), run("{", "c.ipynb")]
    markup = own_code.verdicts_html(results)
    assert markup.count("<tr>") == 4
    assert "0 of 3 passed" in markup
    rows = list(csv.reader(own_code.verdicts_csv(results).splitlines()))
    assert tuple(rows[0]) == COLUMNS
    assert [row[0] for row in rows[1:]] == ["'=a.py", "b.py", "c.ipynb"]
