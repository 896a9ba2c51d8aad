"""The command that assesses submissions, each in a process of its own."""

import csv
import json
import os

import pytest

from bleu.__main__ import main

RIGHT = """
import math
from collections import Counter
print("hello")
def grams(tokens, n):
    return Counter(tuple(tokens[i:i + n]) for i in range(len(tokens) - n + 1))
def my_bleu(candidate, references):
    product = 1
    for n in range(1, 5):
        counts = grams(candidate, n)
        matches = sum(min(c, max(grams(r, n)[g] for r in references)) for g, c in counts.items())
        if not matches:
            return 0.0
        product *= matches / sum(counts.values())
    c, lengths = len(candidate), [len(text) for text in references]
    r = min(lengths, key=lambda length: (abs(length - c), length))
    return min(1, math.exp(1 - r / c)) * product ** 0.25
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.getcwd())
    (tmp_path / "a_right.py").write_text(RIGHT)
    (tmp_path / "b_mean.py").write_text(RIGHT.replace("product ** 0.25", "product"))
    (tmp_path / "d_broken.py").write_text("def f(x")
    (tmp_path / "e_exit.py").write_text("import os\nos._exit(3)\n")
    (tmp_path / "f_two.py").write_text("def f(a, b): return 1\ndef g(a, b): return 1\n")
    return tmp_path


def test_folder_is_a_table_and_json_has_the_cases(folder, capsys):
    assert main(["assess", str(folder), "--timeout", "60"]) == 1
    lines = [line.split(": ", 1) for line in capsys.readouterr().out.splitlines()]
    right, wrong = lines.pop(0), lines.pop(0)
    assert right == [str(folder / "a_right.py"), f"passed {right[1].split()[1]}"]
    assert wrong[1].startswith("not passed ")
    assert "; no-root; my_bleu([" in wrong[1]
    assert " gives " in wrong[1]
    assert "; right is " in wrong[1]
    reasons = ["SyntaxError", "exit code 3", "gives 1; right is 0"]
    for (_, text), expected in zip(lines, reasons, strict=True):
        assert expected in text
    file = str(folder / "b_mean.py")
    assert main(["assess", file, "--function", "my_bleu", "--format", "json"]) == 1
    [result] = json.loads(capsys.readouterr().out)
    assert result["misconceptions"] == ["no-root"]
    assert 0 < len(result["cases"]) == result["total"] - result["agreeing"]
    assert main(["assess", str(folder / "a_right.py")]) == 0
    assert "cases agree to 1e-09, as my_bleu(candidate, references)" in capsys.readouterr().out


def test_endless_code_is_stopped(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PYTHONPATH", os.getcwd())
    file = tmp_path / "endless.py"
    file.write_text("def bleu(a, b):\n    return sum(range(10 ** 12))\n")
    assert main(["assess", str(file), "--timeout", "2"]) == 1
    assert "more than 2 s" in capsys.readouterr().out


def test_copies_and_libraries_are_marked_and_csv_has_a_line_for_each_file(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setenv("PYTHONPATH", os.getcwd())
    (tmp_path / "a.py").write_text(RIGHT)
    (tmp_path / "b.py").write_text(RIGHT.replace("def my_bleu", "# mine\n\ndef my_bleu"))
    (tmp_path / "c.py").write_text(f"import nltk.translate\n{RIGHT}")
    cells = [{"cell_type": "code", "source": RIGHT.splitlines(keepends=True)}]
    (tmp_path / "d.ipynb").write_text(json.dumps({"cells": cells}))
    main(["assess", str(tmp_path), "--format", "csv"])
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert [os.path.basename(row["file"]) for row in rows] == ["a.py", "b.py", "c.py", "d.ipynb"]
    assert [row["passed"] for row in rows[:2]] == ["True", "True"]
    assert [row["remarks"] for row in rows] == [
        *("", "The same code as a.py.", rows[2]["remarks"], "The same code as a.py."),
    ]
    assert rows[2]["remarks"].endswith("It imports nltk.")


def test_long_errors_are_cut_between_words(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PYTHONPATH", os.getcwd())
    (tmp_path / "a.py").write_text("raise ValueError('many words ' * 99)")
    assert main(["assess", str(tmp_path / "a.py")]) == 1
    output = capsys.readouterr().out.strip()
    assert len(output) <= 320
    assert output.endswith(("many … (line 1).", "words … (line 1)."))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.py"], "there is no file missing.py"),
        (["."], "there is no Python file in"),
        (["x.py", "--smoothing", "no"], "smoothing is 'no'"),
    ],
)
def test_wrong_arguments_are_refused(arguments, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.py").touch() if "x.py" in arguments else None
    with pytest.raises(SystemExit, match="2"):
        main(["assess", *arguments])
    assert message in capsys.readouterr().err
