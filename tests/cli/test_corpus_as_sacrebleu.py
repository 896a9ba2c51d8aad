"""The command `corpus` compared with sacreBLEU's command."""

import json
import os
import random
import re
import subprocess
import sys
from argparse import Namespace
from pathlib import Path

import pytest

import bleu
from bleu.__main__ import main, run
from bleu.analysis.evaluation import SystemFinding
from bleu.checkup.finding import Finding
from bleu.cli.check import note_findings, swapped_names_note
from bleu.cli.options import make_parser
from bleu.cli.processes import CHUNK_ROWS, count_rows
from bleu.cli.sacrebleu_options import SEED_VARIABLE

pytestmark = pytest.mark.host

ROOT = Path(__file__).parents[2]
WORDS = ["The", "the", "cat", "dog", "sat", "on", "a", "mat,", "mat.", "It's", "1,000", "(big)"]
SIZE = 30
FILES = "--hypotheses", "sys", "--references", "one"


def texts(seed, error):
    """Return lines of at least one word, with a share of the words replaced."""
    reference_rng, error_rng = random.Random("as sacrebleu"), random.Random(seed)
    lines = [reference_rng.choices(WORDS, k=reference_rng.randint(1, 14)) for _ in range(SIZE)]
    return [
        " ".join(error_rng.choice(WORDS) if error_rng.random() < error else word for word in words)
        for words in lines
    ]


SYSTEM, BASELINE, FIRST_REFERENCE, SECOND_REFERENCE = (
    texts(1, 0.2),
    texts(2, 0.3),
    texts(0, 0.0),
    texts(3, 0.1),
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return the folder of the files, which is the current folder."""
    lines_by_name = {
        "sys": SYSTEM,
        "base": BASELINE,
        "one": FIRST_REFERENCE,
        "two": SECOND_REFERENCE,
    }
    for name, lines in lines_by_name.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(SEED_VARIABLE, raising=False)
    return tmp_path


def sacrebleu_output(*arguments, stdin=None, code=0):
    """Return the output of sacreBLEU's command."""
    process = subprocess.run(
        [sys.executable, "-m", "sacrebleu", *arguments],
        input=stdin and "\n".join([*stdin, ""]).encode(),
        capture_output=True,
        check=False,
        env={**os.environ, "NO_COLOR": "1"},
    )
    assert process.returncode == code, process.stderr.decode()
    return process.stdout.decode()


def run_corpus(capsys, monkeypatch, *arguments, stdin=(), code=0):
    """Return the output and the messages of the command `corpus`."""
    Path("stdin").write_text("\n".join([*stdin, ""]), "utf-8")
    with Path("stdin").open("rb") as stream, monkeypatch.context() as patch:
        patch.setattr("sys.stdin", stream)
        assert main(["corpus", *arguments]) == code
    return capsys.readouterr()


@pytest.mark.parametrize(
    ("sacrebleu_arguments", "arguments"),
    [
        ([], []),
        (["-lc", "-tok", "intl"], ["--lowercase", "--tokenizer", "intl"]),
        (["-tok", "none"], ["--tokenizer", "none"]),
        (["-s", "floor", "-sv", "0.25"], ["--smoothing", "floor", "--smoothing-value", "0.25"]),
        (["-s", "add-k"], ["--smoothing", "add-k"]),
        (["-ci", "-cin", "40"], ["--confidence", "--resamples", "40"]),
    ],
)
def test_signature_equals_sacrebleu(sacrebleu_arguments, arguments, folder, capsys, monkeypatch):
    expected = json.loads(
        sacrebleu_output("one", "two", "-i", "sys", "-w", "6", *sacrebleu_arguments)
    )
    options = ["--hypotheses", "sys", "--references", "one", "two", *arguments]
    options += ["--signature", "sacrebleu", "--format", "json"]
    report = json.loads(run_corpus(capsys, monkeypatch, *options).out)
    assert report["signature"] == expected["signature"]
    [system] = report["systems"]
    assert 100 * system["score"] == pytest.approx(expected["score"], abs=1e-6)
    if "-ci" in sacrebleu_arguments:
        assert 100 * system["interval"]["half_width"] == pytest.approx(
            expected["confidence_var"], abs=1e-5
        )


@pytest.mark.parametrize(
    ("test", "sacrebleu_test"),
    [("--paired-bootstrap", "--paired-bs"), ("--paired-approximate-randomization", "--paired-ar")],
)
def test_signature_of_a_paired_test_equals_sacrebleu(
    test, sacrebleu_test, folder, capsys, monkeypatch
):
    monkeypatch.setenv(SEED_VARIABLE, "77")
    expected = sacrebleu_output(
        "one", "-i", "base", "sys", sacrebleu_test, f"{sacrebleu_test}-n", "50", "-f", "text"
    )
    options = ["--hypotheses", "sys", "--baseline", "base", "--references", "one", test]
    options += ["--resamples", "50", "--signature", "sacrebleu", "--format", "json"]
    report = json.loads(run_corpus(capsys, monkeypatch, *options).out)
    assert "|seed:77|" in report["signature"]
    assert report["signature"] in expected
    assert report["test"]["seed"] == 77


def test_seed_option_overrides_environment(folder, capsys, monkeypatch):
    monkeypatch.setenv(SEED_VARIABLE, "77")
    options = [*FILES, "--confidence", "--resamples", "9", "--seed", "5"]
    output = run_corpus(capsys, monkeypatch, *options, "--signature", "sacrebleu").out
    assert "|bs:9|seed:5|" in output
    monkeypatch.setenv(SEED_VARIABLE, "x")
    assert "SACREBLEU_SEED: 'x' is not a whole number" in error_of(capsys, *options[:-2])


def test_segment_scores_equal_sacrebleu_sentence_level(folder, capsys, monkeypatch):
    expected = sacrebleu_output("one", "-sl", "-b", "-w", "3", stdin=SYSTEM)
    options = ["--references", "one", "--segments", "--convention", "sacrebleu-sentence"]
    lines = run_corpus(capsys, monkeypatch, *options, stdin=SYSTEM).out.splitlines()[1:]
    scores = [f"{100 * float(line.split(',')[1]):.3f}" for line in lines]
    assert scores == expected.split()


def test_segments_have_the_same_scores_in_every_format(folder, capsys, monkeypatch):
    Path("short").write_text("a b c\na b c d e\n", "utf-8")

    def output_of(*options):
        files = "--hypotheses", "short", "--references", "short"
        return run_corpus(capsys, monkeypatch, *files, "--segments", *options)

    for options, scores, convention in (
        ([], [0, 1], "sacrebleu"),
        (["--convention", "sacrebleu-sentence"], [1, 1], "sacrebleu-sentence"),
    ):
        report = json.loads(output_of(*options, "--format", "json").out)
        assert report["systems"][0]["segments"] == scores
        assert (report["convention"], report["scale"]) == (convention, 1)
        text = output_of(*options)
        assert [float(line.split(",")[1]) for line in text.out.splitlines()[1:]] == scores
        note = f"scores are those of convention {convention}, from 0 to 1, {report['signature']}\n"
        assert text.err.startswith(f"python -m bleu corpus: note: {note}")
        markdown = output_of(*options, "--format", "markdown").out
        cells = re.findall(r"^\| \d \| ([\d.]+) ", markdown, re.MULTILINE)
        assert list(map(float, cells)) == [100 * score for score in scores]
        assert f"Convention: {convention}" in markdown


def test_every_option_of_sacrebleu_is_known(monkeypatch):
    parsers = []
    monkeypatch.setattr("argparse.ArgumentParser.parse_args", lambda parser: parsers.append(parser))
    pytest.importorskip("sacrebleu.sacrebleu").parse_args()
    names = {name for action in parsers[0]._actions for name in action.option_strings}
    assert len(names) > 70
    actions = make_parser("sacrebleu")._actions
    assert names <= {name for action in actions for name in action.option_strings}


def test_processes_change_no_number(folder, capsys, monkeypatch):
    monkeypatch.setattr("bleu.cli.processes.CHUNK_ROWS", 100)
    for name in ("sys", "one"):
        Path(name).write_text(Path(name).read_text("utf-8") * 50, "utf-8")
    arguments = [*FILES, "--convention", "nltk-method5", "--format", "json", "--segments"]
    outputs = [run_corpus(capsys, monkeypatch, *arguments, *jobs) for jobs in ([], ["--jobs", "2"])]
    assert outputs[0] == outputs[1]
    for convention in ("sacrebleu", "nltk-method5"):
        sums = ["--hypotheses", "sys", "base", "--references", "one", "--quiet"]
        sums += ["--convention", convention]
        Path("base").write_text(Path("sys").read_text("utf-8").upper(), "utf-8")
        outputs = [run_corpus(capsys, monkeypatch, *sums, *jobs) for jobs in ([], ["--jobs", "2"])]
        assert outputs[0] == outputs[1]
        assert "1,500 segments" in outputs[0].out
    # Five chunks are read ahead, so the limit is reached while segments are counted.
    monkeypatch.setattr("bleu.cli.corpus.MAX_CHECKED_SEGMENTS", 700)
    checked = ["--hypotheses", "base", "--references", "one"]
    outputs = [run_corpus(capsys, monkeypatch, *checked, *jobs) for jobs in ([], ["--jobs", "2"])]
    assert outputs[0] == outputs[1]
    assert "in the segments that were checked" in outputs[0].err
    Path("one").write_text("a\n", "utf-8")
    result = run_corpus(capsys, monkeypatch, *arguments, "--jobs", "2", code=1)
    assert "one ends after line 1, and sys goes on" in result.err


def test_rows_are_read_as_they_are_needed():
    read = []
    rows = (read.append(number) or ("a b", "a c") for number in range(100 * CHUNK_ROWS))
    counted = count_rows(rows, 1, bleu.Settings(), jobs=2)
    assert next(counted) == (bleu.segment_statistics("a b", ["a c"]),)
    assert len(read) <= 6 * CHUNK_ROWS
    counted.close()


def test_force_prints_no_note_on_tokenized_texts(capsys):
    finding = Finding("The texts are tokenized.", name="tokenized")
    for force in (True, False):
        options = Namespace(quiet=False, force=force, systems=[], references=[], command="")
        note_findings([SystemFinding(finding, (0,))], ["system"], options)
        assert ("tokenized" in capsys.readouterr().err) is not force


def test_default_convention_is_printed(folder, capsys, monkeypatch):
    out = run_corpus(capsys, monkeypatch, *FILES).out
    assert out.splitlines()[-1].startswith("Convention: sacrebleu, the default here;")
    explicit = run_corpus(capsys, monkeypatch, *FILES, "--convention", "sacrebleu")
    assert "Convention:" not in explicit.out
    markdown = run_corpus(capsys, monkeypatch, *FILES, "--format", "markdown").out
    assert markdown.splitlines()[-1].startswith("Convention: sacrebleu")


def test_json_has_scale_convention_and_numbers(folder, capsys, monkeypatch):
    report = json.loads(run_corpus(capsys, monkeypatch, *FILES, "--format", "json").out)
    score = bleu.corpus_bleu(SYSTEM, [[line] for line in FIRST_REFERENCE], convention="sacrebleu")
    assert (report["version"], report["convention"], report["scale"]) == (3, "sacrebleu", 1)
    [system] = report["systems"]
    assert system["score"] == score.value
    assert system["precisions"] == list(map(float, score.precisions))
    assert system["reference_length"] == score.reference_length


def error_of(capsys, *options):
    """Return the message on an invalid command line."""
    with pytest.raises(SystemExit, match="2"):
        main(["corpus", *options])
    out, err = capsys.readouterr()
    assert out == ""
    return err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "there is no reference; give --references FILE"),
        (
            ["--references", "one", "--signature", "sacrebleu", "--max-order", "2"],
            "cannot express these",
        ),
        (
            ["--references", "one", "--signature", "sacrebleu", "--convention", "nltk-method3"],
            "cannot express",
        ),
        (["--hyp", "sys"], "there is no option --hyp; did you mean --hypotheses?"),
        (["one", "--hypotheses", "sys"], "'one' belongs to no option; "),
    ],
)
def test_contradictory_options_exit_with_2(options, message, folder, capsys):
    assert message in error_of(capsys, *options)


WHICH = ["which", "--number", "1", "--hypotheses", "a", "--references", "b"]


@pytest.mark.parametrize("command", [[], WHICH, ["exercises"], ["worksheet"]])
def test_abbreviated_options_exit_with_2(command, capsys):
    with pytest.raises(SystemExit, match="2"):
        main([*command, "--form", "json"])
    assert "there is no option --form; did you mean --format?" in capsys.readouterr().err


@pytest.mark.parametrize("command", [[], ["corpus"]])
def test_version_is_printed(command, capsys):
    with pytest.raises(SystemExit, match="0"):
        main([*command, "--version"])
    assert capsys.readouterr().out == f"bleu {bleu.__version__}\n"


def test_every_convention_and_name_is_listed(capsys):
    assert main(["conventions"]) == 0
    output = capsys.readouterr().out
    for name, convention in bleu.CONVENTIONS.items():
        assert f"\n  {name:<28} {convention.help}\n" in f"{output}\n"
        assert convention.help.isascii()
        assert len(convention.help) <= 50
    for name in (*bleu.TOKENIZERS, *bleu.SMOOTHINGS, *bleu.REFERENCE_LENGTHS):
        assert f"\n  {name}\n" in f"{output}\n"


def test_installed_command_runs(monkeypatch, capsys):
    tomllib = pytest.importorskip("tomllib")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["scripts"] == {"bleu": f"{run.__module__}:{run.__name__}"}
    monkeypatch.setattr("sys.argv", ["/usr/bin/bleu", "corpus", "--no"])
    with pytest.raises(SystemExit, match="2"):
        run()
    assert capsys.readouterr().err.startswith("bleu corpus: error: there is no option --no")


def test_swapped_names_have_a_note():
    assert "are they swapped?" in swapped_names_note(["x/newstest.ref.en"], ["y/system.txt"])
    for names in (("system", "ref"), ("preferred", "b"), ("mt-ref-hyp", "b"), ("ref1", "ref2")):
        assert swapped_names_note(*([name] for name in names)) == ""


def test_notes_are_printed_to_standard_error(folder, capsys, monkeypatch):
    Path("ref.txt").write_text("今天天气很好。\n", "utf-8")
    Path("out.txt").write_text("今天天气好。\n", "utf-8")
    files = "--hypotheses", "ref.txt", "--references", "out.txt"
    result = run_corpus(capsys, monkeypatch, *files, "--format", "sentence")
    assert result.out.startswith("ref.txt scores 0.0 BLEU")
    notes = [line.split(": ")[1:4] for line in result.err.splitlines()]
    assert [note[0] for note in notes] == ["note"] * 2
    assert notes[1][2] == "script"
