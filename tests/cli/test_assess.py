"""The command that assesses submissions, each in a process of its own."""

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
    (tmp_path / "c_endless.py").write_text("def bleu(a, b):\n    while True: pass\n")
    (tmp_path / "d_broken.py").write_text("def f(x")
    (tmp_path / "e_exit.py").write_text("import os\nos._exit(3)\n")
    (tmp_path / "f_two.py").write_text("def f(a, b): return 1\ndef g(a, b): return 1\n")
    return tmp_path


def test_folder_is_a_table_and_json_has_the_cases(folder, capsys):
    assert main(["assess", str(folder), "--timeout", "4"]) == 1
    lines = [line.replace(str(folder), "").split(None, 1) for line in
             capsys.readouterr().out.splitlines()]  # fmt: skip
    assert [(name[1:], text.split()[-1]) for name, text in lines[:2]] == [
        ("a_right.py", "passed"), ("b_mean.py", "no-root")
    ]  # fmt: skip
    for (_, text), expected in zip(
        lines[2:], ["more than 4 s", "SyntaxError", "exit code 3", "choose one with --function"],
        strict=True,
    ):  # fmt: skip
        assert expected in text
    file = str(folder / "b_mean.py")
    assert main(["assess", file, "--function", "my_bleu", "--format", "json"]) == 1
    [result] = json.loads(capsys.readouterr().out)
    assert result["misconceptions"] == ["no-root"]
    assert 0 < len(result["cases"]) == result["total"] - result["agreeing"]
    assert main(["assess", str(folder / "a_right.py")]) == 0
    assert "cases agree to 1e-09, as f(candidate, references)" in capsys.readouterr().out


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
