"""The command `which`: text, JSON, errors and exit codes."""

import json
import re
from pathlib import Path

import pytest

import bleu
from bleu.__main__ import main
from bleu.analysis.which import parse_reported_score, which

pytestmark = pytest.mark.host

SYSTEM = ["The cat sat on a mat.", "It rains today", "so it goes on and on, and on", "a dog"]
FIRST_REFERENCE = [
    "The cat sits on a mat.",
    "it rains today",
    "So it goes on and on and on",
    "a dog barks",
]
SECOND_REFERENCE = [
    "the cat sat on the mat.",
    "It is raining today",
    "so it goes on, and on",
    "a dog",
]
REFERENCES = list(zip(FIRST_REFERENCE, SECOND_REFERENCE, strict=True))
DATA = Path(__file__).parents[3] / "shared" / "data"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return the folder of the files, which is the current folder."""
    for name, lines in {"system": SYSTEM, "one": FIRST_REFERENCE, "two": SECOND_REFERENCE}.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys, number, *options, hypotheses="system", references=("one", "two")):
    """Return the output of a successful run."""
    arguments = [
        "--number",
        number,
        "--hypotheses",
        hypotheses,
        *options,
        "--references",
        *references,
    ]
    assert main(["which", *arguments]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_json_has_convention_and_settings(folder, capsys):
    value = bleu.corpus_bleu(SYSTEM, REFERENCES, convention="sacrebleu", tokenizer="char").value
    candidates = json.loads(run(capsys, f"{100 * value:.4f}", "--format", "json"))
    assert isinstance(candidates, list)
    candidate = candidates[0]
    assert candidate["convention"] == "sacrebleu"
    assert candidate["mistake"] is None
    assert candidate["value"] == pytest.approx(value, rel=1e-12)
    signature = "nrefs:2|case:mixed|eff:no|tok:char|smooth:exp|version:2.6.0"
    assert candidate["signature"] == signature
    assert bleu.Settings(**candidate["settings"]).signature(2) == candidate["signature"]
    assert (candidate["scale"], candidate["agrees"], candidate["reference"]) == (100, True, None)
    assert "import sacrebleu" in candidate["code"]
    assert "lines('one'), lines('two')" in candidate["code"]


def test_json_names_the_mistake(folder, capsys):
    scores = [
        bleu.sentence_bleu(line, [reference], convention="sacrebleu-sentence").value
        for line, reference in zip(SYSTEM, FIRST_REFERENCE, strict=True)
    ]
    number = f"{100 * sum(scores) / len(scores):.6f}"
    [candidate, *_] = json.loads(run(capsys, number, "--format", "json", references=("one",)))
    assert (candidate["convention"], candidate["mistake"]) == (
        "sacrebleu-sentence",
        "mean-of-sentences",
    )


def test_text_lists_candidates_with_code(folder, capsys):
    value = bleu.corpus_bleu(SYSTEM, REFERENCES, convention="sacrebleu").value
    out = run(capsys, f"{100 * value:.2f} %".replace(".", ","))
    assert "1 of these numbers agrees with" in out or "the likeliest first." in out
    assert "\n    # pip install sacrebleu\n" in out
    assert f"\n1. {100 * value:.2f}  sacreBLEU corpus_bleu\n" in out
    assert "\n   Signature: nrefs:2|" in out
    assert "\n    print(result.score)\n" in out


def test_nearest_candidates_are_listed_if_none_agrees(folder, capsys):
    candidates = json.loads(run(capsys, "97.7512", "--format", "json"))
    assert len(candidates) == 5
    assert not any(candidate["agrees"] for candidate in candidates)
    assert candidates[0]["distance"] <= candidates[-1]["distance"]
    out = run(capsys, "97.7512")
    assert "none agrees with 97.7512. The nearest:" in out
    assert " away)" in out


def test_numbers_and_distances_of_almost_zero_are_printed_as_nltk_prints_them(folder, capsys):
    (folder / "system").write_text("a b c d\n")
    (folder / "one").write_text("e b f g\n")
    value = bleu.sentence_bleu("a b c d", ["e b f g"], convention="nltk-method0").value
    out = run(capsys, repr(value), references=("one",))
    assert f"\n1. {value:.4g} (0–1)  NLTK".replace("-", "−") in out
    out = run(capsys, "1.384e-231", references=("one",))
    assert "≈ 0" not in out
    assert re.search(r"\n1\. \d\.\d+e−\d+ \(0–1\) \(\d\.\d+e−\d+ \(0–1\) away\)  NLTK", out)


@pytest.mark.skipif(not DATA.exists(), reason="the real texts are not part of the project")
@pytest.mark.parametrize("lowercase", [False, True])
def test_letter_case_of_a_real_system_is_found(lowercase):
    files = [DATA / f"newstest2020-ruen.{name}.txt" for name in ("OnlineB", "ref.en")]
    texts = [file.read_text("utf-8").splitlines()[:60] for file in files]
    references = [[text] for text in texts[1]]
    score = bleu.corpus_bleu(texts[0], references, convention="sacrebleu", lowercase=lowercase)
    candidate = which(parse_reported_score(f"{100 * score.value:.2f}"), texts[0], references).found[
        0
    ]
    assert (candidate.convention, candidate.settings.lowercase) == ("sacrebleu", lowercase)


def error_of(capsys, *arguments):
    """Return the message of a run that exits with 1."""
    assert main(["which", "--number", "1", *arguments]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def test_invalid_files_exit_with_1(folder, capsys):
    (folder / "short").write_text("a\nb\n")
    (folder / "empty").write_text("")
    arguments = ("--hypotheses", "system", "--references")
    assert "short ends after line 2, and system goes on" in error_of(capsys, *arguments, "short")
    assert "none cannot be read: No such file" in error_of(capsys, *arguments, "none")
    arguments = ("--hypotheses", "empty", "--references", "empty")
    assert "empty is empty; give files with one line" in error_of(capsys, *arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--number", "x"], "'x' is not a score; give one number"),
        (["--number", "2660"], "2660 is too large; BLEU is at most 100"),
        ([], "the number is missing; give it first, or with --number"),
        (["--number", "1", "--hyp", "a"], "there is no option --hyp; did you mean --hypotheses?"),
        (["--number", "1", "--references", "-", "-"], "standard input (-) is named more than once"),
    ],
)
def test_invalid_options_exit_with_2(arguments, message, capsys):
    options = ["--hypotheses", "a", "--references", "b"]
    with pytest.raises(SystemExit, match="2"):
        main(["which", *options, *arguments])
    out, err = capsys.readouterr()
    assert message in err
    assert out == ""


def test_texts_are_tried_without_the_faults_that_the_check_up_finds(folder, capsys):
    """As fairseq prints scores of subwords, with and without --remove-bpe."""
    value = bleu.corpus_bleu(SYSTEM, list(zip(FIRST_REFERENCE)), convention="sacrebleu").value
    for name, lines in (("h.bpe", SYSTEM), ("r.bpe", FIRST_REFERENCE)):
        subwords = (re.sub(r"(?<=\w\w)(?=\w)", "@@ ", line) for line in lines)
        (folder / name).write_text("\n".join(subwords) + "\n", "utf-8")
    files = {"hypotheses": "h.bpe", "references": ["r.bpe"]}
    out = run(capsys, f"{100 * value:.4f}", **files)
    assert out.startswith("No usual way gives")
    assert "Without the faults that the check-up found (marks of subwords)" in out
    assert (
        "hypotheses, references = bleu.repair_corpus(hypotheses, references, ['subwords'])" in out
    )
    [candidate] = json.loads(run(capsys, f"{100 * value:.4f}", "--format", "json", **files))
    assert candidate["value"] == value


def test_texts_may_be_columns_of_a_table(folder, capsys):
    rows = zip(SYSTEM, FIRST_REFERENCE, strict=True)
    lines = (json.dumps({"mt": text, "mt2": text[::-1], "ref": other}) for text, other in rows)
    (folder / "table.jsonl").write_text("\n".join(lines), "utf-8")
    value = bleu.corpus_bleu(SYSTEM, list(zip(FIRST_REFERENCE)), convention="sacrebleu").value
    options = ["--number", f"{100 * value:.4f}", "--table", "table.jsonl"]
    assert main(["which", *options, "--hypothesis-column", "mt"]) == 0
    assert f"{100 * value:.2f}  sacreBLEU corpus_bleu" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["which", *options])
    assert "table.jsonl has 2 systems; name one of mt and mt2" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["which", *options[:2]])
    assert "--hypotheses or --references is missing" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["which", "70", "system", "one", "two"],
        ["which", "--number", "70", "system", "one", "two"],
        ["which", "70", "one", "two", "--hypotheses", "system"],
        ["check", "system", "one", "two"],
        ["check", "one", "two", "--hypotheses", "system"],
    ],
)
def test_files_without_options_are_hypotheses_and_references(arguments, folder, capsys):
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    note = "note: the hypotheses are system, and the references one and two\n"
    assert err == f"python -m bleu {arguments[0]}: {note}"
    number = ["--number", "70"] if arguments[0] == "which" else []
    files = ["--hypotheses", "system", "--references", "one", "two"]
    assert main([arguments[0], *number, *files]) == 0
    assert capsys.readouterr() == (out, "")


@pytest.mark.parametrize("command", [["corpus"], ["check"], ["which", "70"]])
def test_wrong_encoding_names_the_option_for_it(command, folder, capsys):
    Path("latin").write_bytes("für das Café\n".encode("latin-1") * 4)
    files = ["--hypotheses", "latin", "--references", "latin"]
    assert main([*command, *files]) == 1
    assert "the byte 0xfc is not UTF-8; give the name of its encoding with --encoding" in (
        capsys.readouterr().err
    )
    assert main([*command, *files, "--encoding", "latin-1"]) == 0
