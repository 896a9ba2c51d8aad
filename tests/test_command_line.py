"""The command line: results, errors and exit codes."""

import pytest

from bleu.__main__ import main


def test_it_prints_the_derivation(capsys):
    assert main(["the cat is on mat", "the cat is on the mat"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("BLEU-4 = 57.89 on the 0–100 scale, 0.5789 on the 0–1 scale\n")
    assert "BP = exp(1 − r/c) = exp(1 − 6/5) ≈ 0.8187" in out


@pytest.mark.parametrize(
    ("options", "first"),
    [
        (["--convention", "nltk-method1"], "BLEU-4 = 31.62"),
        (["--convention", "sacrebleu", "--effective-order"], "BLEU-4 = 100.00"),
        (["--max-order", "2"], "BLEU-2 = 100.00"),
        (["--smoothing", "floor", "--smoothing-value", "0.25"], "BLEU-4 = 50.00"),
        (["--max-order", "2", "--weights", "1/4,3/4", "--lowercase"], "BLEU-2 = 100.00"),
        (["--tokenizer", "char", "--reference-length", "shortest"], "BLEU-4 = 100.00"),
    ],
)
def test_options(options, first, capsys):
    assert main([*options, "hello world", "hello world"]) == 0
    assert capsys.readouterr().out.startswith(first)


@pytest.mark.parametrize(
    ("form", "first"),
    [("markdown", "# BLEU-4 = 57.89"), ("json", "{"), ("html", '<div class="headline">')],
)
def test_forms(form, first, capsys):
    assert main(["the cat is on mat", "the cat is on the mat", "--format", form]) == 0
    assert capsys.readouterr().out.startswith(first)


def test_the_self_check(capsys):
    assert main(["--self-check"]) == 0
    assert capsys.readouterr().out == "self-check passed: 8 examples\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a"], "give a hypothesis and at least one reference"),
        (["a", "b", "--smoothing", "florr"], "smoothing is 'florr'; choose one of: none, floor"),
        (["a", "b", "--convention", "nltk"], "convention is 'nltk'; choose one of: default"),
        (["a", "b", "--max-order", "0"], "max_order is 0; choose a whole number from 1 to 9"),
        (["a", "b", "--weights", "1,1"], "weights has 2 numbers, and max_order is 4"),
    ],
)
def test_errors_name_the_value_and_exit_with_2(arguments, message, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""
