"""What the command line for files shares with sacreBLEU's command, which runs beside it."""

import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

import bleu
from bleu.__main__ import main, run
from bleu.analysis.corpus_notes import CorpusNotes
from bleu.cli.help import CONVENTION_HELP
from bleu.cli.sacrebleu_options import SEED_VARIABLE

pytestmark = pytest.mark.host

ROOT = Path(__file__).parents[2]
WORDS = ["The", "the", "cat", "dog", "sat", "on", "a", "mat,", "mat.", "It's", "1,000", "(big)"]
SIZE = 30


def texts(seed, error):
    """Lines of at least one word, with a share of the words changed."""
    fixed, rng = random.Random("as sacrebleu"), random.Random(seed)
    lines = [fixed.choices(WORDS, k=fixed.randint(1, 14)) for _ in range(SIZE)]
    return [" ".join(rng.choice(WORDS) if rng.random() < error else w for w in ws) for ws in lines]


SYSTEM, BASELINE, ONE, TWO = texts(1, 0.2), texts(2, 0.3), texts(0, 0.0), texts(3, 0.1)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the files, and the place that the commands run in."""
    both = ["\t".join(pair) for pair in zip(ONE, TWO, strict=True)]
    named = {"sys": SYSTEM, "base": BASELINE, "one": ONE, "two": TWO, "both": both}
    for name, lines in named.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(SEED_VARIABLE, raising=False)
    return tmp_path


def theirs(*arguments, given=None, code=0):
    """What sacreBLEU's command prints."""
    done = subprocess.run(
        [sys.executable, "-m", "sacrebleu", *arguments],
        input=given and "\n".join([*given, ""]).encode(),
        capture_output=True,
        check=False,
        env={**os.environ, "NO_COLOR": "1"},
    )
    assert done.returncode == code, done.stderr.decode()
    return done.stdout.decode()


def ours(capsys, monkeypatch, *arguments, given=(), code=0):
    """What ours prints on standard output and on standard error."""
    Path("stdin").write_text("\n".join([*given, ""]), "utf-8")
    with Path("stdin").open("rb") as stream, monkeypatch.context() as patch:
        patch.setattr("sys.stdin", stream)
        assert main(["corpus", *arguments]) == code
    return capsys.readouterr()


@pytest.mark.parametrize(
    ("given", "mine"),
    [
        (["one", "-b", "-w", "2"], ["one", "--score-only"]),
        (["one", "-b", "-w", "1"], ["one", "--score-only", "--width", "1"]),
        (["one", "two", "-b", "-w", "4"], ["one", "two", "--score-only", "--width", "4"]),
        (
            ["both", "-nr", "2", "-b", "-w", "6"],
            ["both", "--num-refs", "2", "--score-only", "--width", "6"],
        ),
    ],
)
def test_score_only_output_equals_sacrebleu(given, mine, folder, capsys, monkeypatch):
    assert ours(capsys, monkeypatch, *mine, given=SYSTEM).out == theirs(*given, given=SYSTEM)


def test_several_systems_between_tabs_equal_sacrebleu(folder, capsys, monkeypatch):
    tabbed = [f"{line}\t{line[::-1]}\t{line} {line}" for line in SYSTEM]
    real = json.loads(theirs("one", "two", "-w", "6", given=tabbed))
    mine = ours(capsys, monkeypatch, "one", "two", "--format", "json", given=tabbed)
    found = json.loads(mine.out)["systems"]
    assert [one["name"] for one in found] == ["System 1", "System 2", "System 3"]
    assert [one["system"] for one in real] == ["System 1", "System 2", "System 3"]
    for one, other in zip(found, real, strict=True):
        assert 100 * one["score"] == pytest.approx(float(other["BLEU"]), abs=1e-6)
    named = ours(capsys, monkeypatch, "one", "--paired-bootstrap", "--resamples", "9",
                 "--names", "A", "B", "C", given=tabbed)  # fmt: skip
    assert re.findall(r"^ *([ABC])\b", named.out, re.MULTILINE) == ["A", "B", "C"] * 2


@pytest.mark.parametrize(
    ("lines", "arguments", "words"),
    [
        (["a\tb", "c"], [], "standard input, line 2 has 1 system, and line 1 has 2, between tabs"),
        (["a", "c\td"], [], "line 2 has 2 systems, and line 1 has 1, between tabs; give the same"),
        (["a\tb", "c\td"], ["--names", "A"], "--names has 1, and standard input has 2 systems"),
        (["a", "c"], ["--paired-bootstrap"], "a paired test compares two systems or more, and"),
    ],
)
def test_mismatched_systems_between_tabs_exit_with_1(
    lines, arguments, words, folder, capsys, monkeypatch
):
    lines += ["x\ty" if "\t" in lines[0] else "x"] * (len(SYSTEM) - len(lines))
    assert words in ours(capsys, monkeypatch, "one", *arguments, given=lines, code=1).err


def test_trailing_tab_is_ignored(folder, capsys, monkeypatch):
    lines = [f"{line}\t" for line in SYSTEM]
    arguments = ["one", "-b", "-w", "2"], ["one", "--score-only"]
    assert ours(capsys, monkeypatch, *arguments[1], given=lines).out == theirs(
        *arguments[0], given=lines
    )


@pytest.mark.parametrize(
    ("given", "mine"),
    [
        ([], []),
        (["-lc", "-tok", "intl"], ["--lowercase", "--tokenizer", "intl"]),
        (["-tok", "none"], ["--tokenizer", "none"]),
        (["-s", "floor", "-sv", "0.25"], ["--smoothing", "floor", "--smoothing-value", "0.25"]),
        (["-s", "add-k"], ["--smoothing", "add-k"]),
        (["-ci", "-cin", "40"], ["--confidence", "--resamples", "40"]),
    ],
)
def test_signature_equals_sacrebleu(given, mine, folder, capsys, monkeypatch):
    real = json.loads(theirs("one", "two", "-i", "sys", "-w", "6", *given))
    options = ["--hypotheses", "sys", "--signature", "sacrebleu", "--format", "json", *mine]
    found = json.loads(ours(capsys, monkeypatch, "one", "two", *options).out)
    assert found["signature"] == real["signature"]
    [system] = found["systems"]
    assert 100 * system["score"] == pytest.approx(real["score"], abs=1e-6)
    if "-ci" in given:
        assert 100 * system["interval"]["half_width"] == pytest.approx(
            real["confidence_var"], abs=1e-5
        )


@pytest.mark.parametrize(
    ("test", "their_test"),
    [("--paired-bootstrap", "--paired-bs"), ("--paired-approximate-randomization", "--paired-ar")],
)
def test_signature_of_a_paired_test_equals_sacrebleu(test, their_test, folder, capsys, monkeypatch):
    monkeypatch.setenv(SEED_VARIABLE, "77")
    real = theirs("one", "-i", "base", "sys", their_test, f"{their_test}-n", "50", "-f", "text")
    options = ["--hypotheses", "sys", "--baseline", "base", "--references", "one", test]
    options += ["--resamples", "50", "--signature", "sacrebleu", "--format", "json"]
    found = json.loads(ours(capsys, monkeypatch, *options).out)
    assert "|seed:77|" in found["signature"]
    assert found["signature"] in real
    assert found["test"]["seed"] == 77


def test_seed_option_overrides_environment(folder, capsys, monkeypatch):
    monkeypatch.setenv(SEED_VARIABLE, "77")
    options = ["one", "--hypotheses", "sys", "--confidence", "--resamples", "9", "--seed", "5"]
    found = ours(capsys, monkeypatch, *options, "--signature", "sacrebleu").out
    assert "|bs:9|seed:5|" in found
    monkeypatch.setenv(SEED_VARIABLE, "x")
    assert "SACREBLEU_SEED is 'x'" in refused(capsys, *options[:-2])


def test_segment_scores_equal_sacrebleu_sentence_level(folder, capsys, monkeypatch):
    lines = ours(capsys, monkeypatch, "one", "--segments", given=SYSTEM).out.splitlines()[1:]
    scores = [f"{100 * float(line.split(',')[1]):.3f}" for line in lines]
    assert scores == theirs("one", "-sl", "-b", "-w", "3", given=SYSTEM).split()


def test_line_with_another_number_of_references_is_named(folder, capsys, monkeypatch):
    both = Path("both").read_text("utf-8").splitlines()
    Path("both").write_text("\n".join([both[0], "one alone", *both[2:]]), "utf-8")
    found = ours(capsys, monkeypatch, "both", "--num-refs", "2", given=SYSTEM, code=1)
    assert "both, line 2: there are 1 references between tabs, and --num-refs is 2" in found.err
    theirs("both", "-nr", "2", given=SYSTEM, code=17)


def test_default_convention_is_printed(folder, capsys, monkeypatch):
    out = ours(capsys, monkeypatch, "one", "--hypotheses", "sys").out
    assert out.splitlines()[-1].startswith("Convention: sacrebleu, the default here;")
    chosen = ours(capsys, monkeypatch, "one", "--hypotheses", "sys", "--convention", "sacrebleu")
    assert "Convention:" not in chosen.out
    latex = ours(capsys, monkeypatch, "one", "--hypotheses", "sys", "--format", "latex").out
    assert latex.splitlines()[-1].startswith("% Convention: sacrebleu")


def test_json_has_scale_convention_and_numbers(folder, capsys, monkeypatch):
    found = json.loads(
        ours(capsys, monkeypatch, "one", "--hypotheses", "sys", "--format", "json").out
    )
    score = bleu.corpus_bleu(SYSTEM, [[one] for one in ONE], convention="sacrebleu")
    assert (found["version"], found["convention"], found["scale"]) == (2, "sacrebleu", 1)
    [system] = found["systems"]
    assert system["score"] == score.value
    assert system["precisions"] == list(map(float, score.precisions))
    assert system["reference_length"] == score.reference_length


def refused(capsys, *options):
    """What is said of a wrong command line."""
    with pytest.raises(SystemExit, match="2"):
        main(["corpus", *options])
    out, err = capsys.readouterr()
    assert out == ""
    return err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["one", "--references", "two"],
            "given with --references and without (one)",
        ),
        ([], "there is no reference; give --references FILE"),
        (["one", "two", "--num-refs", "2"], "--num-refs 2 splits one file, and there are 2 files"),
        (["one", "--num-refs", "0"], "--num-refs is 0; give a whole number of 1 or more"),
        (["one", "--width", "3"], "--width belongs to --score-only"),
        (["one", "--score-only", "--width", "-1"], "--width is -1; give a whole number from 0"),
        (["one", "--score-only", "--format", "json"], "--score-only prints scores alone"),
        (
            ["one", "--signature", "sacrebleu", "--max-order", "2"],
            "has no place for these",
        ),
        (["one", "--signature", "sacrebleu", "--convention", "nltk-method3"], "has no place for"),
        (["one", "--hyp", "sys"], "unrecognized arguments: --hyp"),
        (["one", "--score"], "unrecognized arguments: --score"),
    ],
)
def test_contradictory_options_exit_with_2(options, message, folder, capsys):
    assert message in refused(capsys, *options)


@pytest.mark.parametrize("command", [[], ["which"], ["exercises"], ["worksheet"]])
def test_abbreviated_options_exit_with_2(command, capsys):
    with pytest.raises(SystemExit, match="2"):
        main([*command, "--form", "json"])
    assert "--form" in capsys.readouterr().err


@pytest.mark.parametrize("command", [[], ["corpus"]])
def test_version_is_printed(command, capsys):
    with pytest.raises(SystemExit, match="0"):
        main([*command, "--version"])
    assert capsys.readouterr().out == f"bleu {bleu.__version__}\n"


@pytest.mark.parametrize("columns", ["60", "80", "133"])
@pytest.mark.parametrize("command", [[], ["corpus"]])
def test_help_explains_every_convention_without_breaking_names(
    command, columns, capsys, monkeypatch
):
    monkeypatch.setenv("COLUMNS", columns)
    with pytest.raises(SystemExit, match="0"):
        main([*command, "--help"])
    out = capsys.readouterr().out
    for name, words in CONVENTION_HELP.items():
        assert f"\n  {name:<28} {words}\n" in f"{out}\n"
        assert len(words) <= 50
    for name in (*bleu.TOKENIZERS, *bleu.SMOOTHINGS, *bleu.REFERENCE_LENGTHS):
        assert name in out
    assert list(CONVENTION_HELP) == list(bleu.CONVENTIONS)


def test_installed_command_runs(monkeypatch, capsys):
    tomllib = pytest.importorskip("tomllib")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["scripts"] == {"bleu": f"{run.__module__}:{run.__name__}"}
    monkeypatch.setattr("sys.argv", ["/usr/bin/bleu", "corpus", "--no"])
    with pytest.raises(SystemExit, match="2"):
        run()
    assert capsys.readouterr().err.startswith("usage: bleu corpus ")


def notes(lines, system="a.txt", reference="b.txt", **settings):
    """What is noted of some lines."""
    found = CorpusNotes(bleu.Settings(**settings), [system], [reference])
    for line in lines:
        found.add([line])
    return found.messages()


def test_tokenized_lines_have_a_note():
    plain, tokenized = "It is so.", "It is n't so ."
    assert notes([plain] * 200, tokenizer="13a") == []
    assert notes([tokenized] * 9, tokenizer="13a") == []
    assert "10 of 10 lines look already tokenized" in notes([tokenized] * 10, tokenizer="13a")[0]
    assert notes([*[tokenized] * 99, *[plain] * 900], tokenizer="13a") == []
    assert len(notes([*[tokenized] * 100, *[plain] * 900], tokenizer="13a")) == 1
    assert notes([tokenized] * 100, tokenizer="whitespace") == []


def test_unsplit_lines_and_swapped_names_have_a_note():
    chinese = "今天天气很好。"
    assert "--tokenizer char, or zh" in notes([chinese], tokenizer="13a")[0]
    assert "1 of 1 lines have Japanese or Thai" in notes(["こんにちは世界"], tokenizer="zh")[0]
    assert notes(["こんにちは世界"], tokenizer="char") == []
    assert notes([chinese], tokenizer="zh") == []
    assert notes(["今天 天气 很好 。"], tokenizer="13a") == []
    assert notes([chinese, "one"], tokenizer="13a") == []
    assert "are they swapped?" in notes(["a"], "x/newstest.ref.en", "y/system.txt")[0]
    for names in (("system", "ref"), ("preferred", "b"), ("mt-ref-hyp", "b"), ("ref1", "ref2")):
        assert notes(["a"], *names) == []


def test_notes_are_printed_to_standard_error(folder, capsys, monkeypatch):
    Path("ref.txt").write_text("今天天气很好。\n", "utf-8")
    Path("out.txt").write_text("今天天气好。\n", "utf-8")
    found = ours(capsys, monkeypatch, "out.txt", "--hypotheses", "ref.txt", "--score-only")
    assert found.out == "0.00\n"
    assert [line.split(": ")[1] for line in found.err.splitlines()] == ["note", "note"]
