"""The command `self`."""

import json

import pytest

import bleu
from bleu.__main__ import main

pytestmark = pytest.mark.host
TEXTS = ["the cat sat on the mat", "the cat sat on a mat", "a dog", ""]


@pytest.fixture
def file(tmp_path):
    """Return the name of a file with the texts."""
    path = tmp_path / "samples.txt"
    path.write_text("\n".join([*TEXTS, ""]), "utf-8")
    return str(path)


def test_self_bleu_is_printed_as_text_and_json(file, capsys):
    assert main(["self", file]) == 0
    result = bleu.self_bleu(TEXTS)
    first, second = capsys.readouterr().out.splitlines()
    assert first == str(result)
    assert second.startswith("Convention: nltk-method1, nrefs:3|case:mixed|eff:no|tok:whitespace|")
    assert (
        main(["self", file, "--max-order", "2", "--convention", "default", "--format", "json"]) == 0
    )
    data = json.loads(capsys.readouterr().out)
    expected = bleu.self_bleu(TEXTS, convention="default", max_order=2)
    assert (data["value"], data["scores"]) == (expected.value, list(expected.scores))
    assert (data["convention"], data["scale"]) == ("default", 1)


def test_errors_are_one_line(file, tmp_path, capsys):
    (tmp_path / "one").write_text("a b\n")
    for name, message in (
        ("one", "the number of texts is 1; give a list of two or more"),
        ("none", "none cannot be read: No such file"),
    ):
        assert main(["self", str(tmp_path / name)]) == 1
        err = capsys.readouterr().err
        assert message in err
        assert err.count("\n") == 1
    with pytest.raises(SystemExit, match="2"):
        main(["self", file, "--max-order", "0"])
    assert "max_order is 0; choose a whole number" in capsys.readouterr().err
