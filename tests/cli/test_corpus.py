"""The command `corpus`: tables, segments, tests, errors and exit codes."""

import gc
import gzip
import io
import json
import os
import random
import subprocess
import sys
import tracemalloc
from fractions import Fraction
from operator import sub
from pathlib import Path

import pytest

import bleu
from bleu import Settings, corpus_bleu, sentence_bleu
from bleu.__main__ import main
from bleu.cli.terminal import show_progress
from bleu.corpus.significance import (
    approximate_randomization,
    confidence_interval,
    paired_bootstrap,
)

pytestmark = pytest.mark.host
ROOT = Path(__file__).parents[2]
WORDS = ("the", "cat", "sat", "on", "a", "mat", "猫", "dog")
SIZE = 120


def texts(seed, error):
    """Return lines with a share of their words replaced; an error of 0 gives the references."""
    reference_rng, error_rng = random.Random("texts"), random.Random(seed)
    lines = [reference_rng.choices(WORDS, k=reference_rng.randint(0, 15)) for _ in range(SIZE)]
    return [
        " ".join(error_rng.choice(WORDS) if error_rng.random() < error else word for word in words)
        for words in lines
    ]


SYSTEM, BASELINE = texts(1, 0.2), texts(2, 0.3)
REFERENCES = [texts(0, 0.0), texts(3, 0.1)]
REFERENCES_BY_SEGMENT = list(zip(*REFERENCES, strict=True))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return the folder of the files, which is the current folder."""
    names = ("system", "baseline", "one", "two")
    for name, lines in zip(names, (SYSTEM, BASELINE, *REFERENCES), strict=True):
        (tmp_path / name).write_text("\n".join(lines) + "\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys, *options, references=("one", "two")):
    """Return the output of a successful run without notes."""
    arguments = ("--convention", "default", "--quiet", *options)
    assert main(["corpus", "--hypotheses", "system", *arguments, "--references", *references]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def as_json(capsys, *options):
    """Return the JSON output of a successful run."""
    return json.loads(run(capsys, *options, "--format", "json"))


def statistics(lines, **settings):
    """Return the statistics of every segment."""
    pairs = zip(lines, REFERENCES_BY_SEGMENT, strict=True)
    return [bleu.segment_statistics(line, references, **settings) for line, references in pairs]


def test_score_equals_library_score(folder, capsys):
    report = as_json(capsys, "--baseline", "baseline", "--convention", "sacrebleu", "--lowercase")
    for system, lines in zip(report["systems"], (BASELINE, SYSTEM), strict=True):
        score = corpus_bleu(lines, REFERENCES_BY_SEGMENT, convention="sacrebleu", lowercase=True)
        assert system["score"] == score.value
        assert system["matched"] == list(score.matched)
        assert list(map(Fraction, system["precision_fractions"])) == list(score.precisions)
        assert system["precisions"] == list(map(float, score.precisions))
        assert system["interval"] is None
        assert system["segments"] is None
    assert [system["name"] for system in report["systems"]] == ["baseline", "system"]
    assert report["segments"] == SIZE
    assert report["signature"].startswith("nrefs:2|case:lc|eff:no|tok:13a|smooth:exp")
    assert report["test"] is report["caution"] is None


def test_table_has_score_and_signature(folder, capsys):
    first, second, *_, last = run(capsys).splitlines()
    assert first.split() == ["System", "BLEU", "p₁", "p₂", "p₃", "p₄", "BP", "c", "r"]
    score = corpus_bleu(SYSTEM, REFERENCES_BY_SEGMENT)
    assert second.split()[:2] == ["system", f"{score.value * 100:.2f}"]
    assert second.split()[-2:] == [str(score.hypothesis_length), str(score.reference_length)]
    assert last == f"120 segments, {Settings().signature(2)}"


def test_markdown_and_rows_for_latex(folder, capsys):
    (folder / "a_b%").write_text("\n".join(BASELINE))
    options = ("--baseline", "a_b%", "--confidence", "--resamples", "40", "--format")
    assert "\n| a\\_b% | " in run(capsys, *options, "markdown")
    comment, *rows = run(capsys, *options, "latex-rows").splitlines()
    assert comment.startswith("% nrefs:2|")
    assert [row.partition(" & ")[0] for row in rows] == [r"a\_b\%", "system"]
    assert rows[0].count("&") == rows[1].count("&")


def test_segments_are_printed_as_csv(folder, capsys):
    lines = run(capsys, "--segments", "--smoothing", "exp").splitlines()
    assert lines[0] == "segment,score"
    scores = [
        sentence_bleu(line, references, smoothing="exp").value
        for line, references in zip(SYSTEM, REFERENCES_BY_SEGMENT, strict=True)
    ]
    assert lines[1:] == [f"{number},{score!r}" for number, score in enumerate(scores, 1)]
    pair_lines = run(capsys, "--segments", "--baseline", "baseline").splitlines()
    assert pair_lines[0] == "segment,baseline,system"
    report = as_json(capsys, "--segments", "--smoothing", "exp")
    assert report["systems"][0]["segments"] == scores


def test_segment_without_score_has_a_note(folder, capsys):
    (folder / "hypotheses").write_text("the cat is on the mat now\na b\nx\na b\n")
    (folder / "own").write_text("the cat is on the mat now\na c\ny\na c\n")
    arguments = ["corpus", "--hypotheses", "hypotheses", "--references", "own"]
    arguments += ["--convention", "nltk-method6", "--segments"]
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[1:] == ["1,1.0", "2,", "3,0.0", "4,"]
    assert err == (
        "python -m bleu corpus: note: scores are those of convention nltk-method6, from 0 to 1, "
        "nrefs:1|case:mixed|eff:no|tok:whitespace|smooth:interpolation-last[5]|order:4|"
        "too-short:zero-of-one|zero-precision:dropped\n"
        "python -m bleu corpus: note: segment 2 is the first that has no score by itself: "
        "interpolation needs a matching 3-gram, and none matches\n"
    )
    assert main([*arguments, "--format", "json"]) == 0
    [system] = json.loads(capsys.readouterr().out)["systems"]
    assert system["segments"] == [1, None, 0, None]
    assert system["score"] > 0


def test_intervals_and_paired_tests_match_library(folder, capsys):
    baseline, system = statistics(BASELINE), statistics(SYSTEM)
    options = ("--baseline", "baseline", "--seed", "7", "--resamples", "200")
    report = as_json(capsys, *options, "--paired-bootstrap")
    test = paired_bootstrap(baseline, system, Settings(), resamples=200, seed=7)
    assert report["test"] == {
        "name": "paired bootstrap",
        "p_value": test.p_value,
        "difference": test.difference,
        "trials": 200,
        "seed": 7,
    }
    for report_system, interval in zip(report["systems"], test.intervals, strict=True):
        assert (report_system["interval"]["low"], report_system["interval"]["high"]) == (
            interval.low,
            interval.high,
        )
    report = as_json(capsys, *options, "--paired-approximate-randomization", "--confidence")
    randomization = approximate_randomization(baseline, system, Settings(), trials=200, seed=7)
    assert report["test"]["p_value"] == randomization.p_value
    interval = confidence_interval(system, Settings(), resamples=200, seed=7)
    assert report["systems"][1]["interval"]["half_width"] == interval.half_width
    options += ("--paired-approximate-randomization",)
    assert f", p = {randomization.p_value:.2g}\n" in run(capsys, *options)
    assert "seed 7. If the systems" in run(capsys, *options)
    sentence = run(capsys, *options, "--format", "sentence")
    assert f"p = {randomization.p_value:.2g}, paired approximate randomization with 200" in sentence
    rows = run(capsys, *options, "--format", "latex-rows").splitlines()
    assert [row.split(" & ")[0] for row in rows[1:]] == ["baseline", "system"]


def test_default_resamples_and_seed_are_those_of_sacrebleu(folder, capsys):
    report = as_json(capsys, "--baseline", "baseline", "--paired-approximate-randomization")
    assert (report["test"]["trials"], report["test"]["seed"]) == (10_000, 12345)
    interval = as_json(capsys, "--confidence")["systems"][0]["interval"]
    assert interval["low"] == confidence_interval(statistics(SYSTEM), Settings()).low


def test_headline_has_difference_interval_and_p_value(folder, capsys):
    baseline, system = statistics(BASELINE), statistics(SYSTEM)
    test = paired_bootstrap(baseline, system, Settings(), resamples=99)
    options = ("--baseline", "baseline", "--resamples", "99")
    low, high = test.difference_interval.low, test.difference_interval.high
    headline = run(capsys, *options, "--paired-bootstrap").splitlines()[0]
    assert headline == (
        f"system − baseline: {test.difference * 100:+.2f} "
        f"(95 % interval {low * 100:+.2f} to {high * 100:+.2f}), p = {test.p_value:.2g}"
    )
    assert run(capsys, *options, "--confidence").splitlines()[0] == headline.partition(", p")[0]
    comparison = as_json(capsys, *options, "--confidence")["systems"][1]["comparison"]
    assert comparison["interval"]["low"] == low
    assert (comparison["difference"], comparison["p_value"]) == (test.difference, None)


def test_several_systems_are_compared_with_the_baseline(folder, capsys):
    (folder / "third").write_text("\n".join(texts(4, 0.4)) + "\n", "utf-8")
    names = ["baseline", "system", "third"]
    arguments = ("--hypotheses", "system", "baseline", "third")
    options = ("--paired-bootstrap", "--resamples", "50")
    report = as_json(capsys, *arguments, "--baseline", "baseline", *options)
    assert [system["name"] for system in report["systems"]] == names
    statistics_by_name = {
        name: statistics(lines)
        for name, lines in zip(names, (BASELINE, SYSTEM, texts(4, 0.4)), strict=True)
    }
    for system in report["systems"][1:]:
        test = paired_bootstrap(
            statistics_by_name["baseline"], statistics_by_name[system["name"]], resamples=50
        )
        assert system["comparison"]["p_value"] == test.p_value
        assert system["comparison"]["difference"] == test.difference
        assert system["interval"]["low"] == test.intervals[1].low
    assert report["systems"][0]["comparison"] is None
    assert report["test"]["p_value"] is None
    first_is_baseline = as_json(capsys, *arguments)["systems"]
    assert [system["name"] for system in first_is_baseline] == ["system", "baseline", "third"]
    randomization = ("--paired-approximate-randomization", "--resamples", "50")
    report = as_json(capsys, *arguments, *randomization)["systems"][2]["comparison"]
    test = approximate_randomization(
        statistics_by_name["system"], statistics_by_name["third"], trials=50
    )
    assert (report["p_value"], report["interval"]) == (test.p_value, None)
    table = run(capsys, *arguments, *options, "--names", "Ä", "B", "C,1").splitlines()
    header = "System  BLEU  95 % interval  Difference  95 % interval of the difference  p"
    assert table[0].split() == header.split()
    assert [line.split()[0] for line in table[1:4]] == ["Ä", "B", "C,1"]
    assert "baseline" in table[1]
    segments = run(capsys, *arguments, "--segments", "--names", "Ä", "B", "C,1").splitlines()
    assert segments[0] == 'segment,Ä,B,"C,1"'
    assert len(segments) == SIZE + 1


def test_baseline_equal_to_the_only_hypothesis_is_compared_with_itself(folder, capsys):
    systems = as_json(capsys, "--baseline", "system")["systems"]
    assert [system["name"] for system in systems] == ["system", "system"]
    assert systems[1]["comparison"]["difference"] == 0


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--names", "A"), "--names has 1 name for 2 systems (baseline, system); give a name"),
        (("--names", "A", "A"), "--names has a name twice (A, A); give different names"),
    ],
)
def test_invalid_names_exit_with_2(folder, capsys, options, reason):
    with pytest.raises(SystemExit) as raised:
        run(capsys, "--baseline", "baseline", *options)
    assert raised.value.code == 2
    assert reason in capsys.readouterr().err


def test_empty_files_exit_with_1(folder, capsys):
    for name in ("system", "one"):
        (folder / name).write_text("")
    assert main(["corpus", "--hypotheses", "system", "--references", "one"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith(
        "error: system and one are empty; give files with one line for each segment\n"
    )
    (folder / "one").write_text("\n")
    assert main(["corpus", "--hypotheses", "system", "--references", "one"]) == 1
    assert "system is empty, and one goes on" in capsys.readouterr().err


def test_few_segments_have_a_caution(folder, capsys):
    for name in ("system", "one"):
        (folder / name).write_text("the cat sat on\n")
    out = run(capsys, "--confidence", "--resamples", "9", references=("one",))
    assert "With only 1 segment the interval" in out
    assert "\n1 segment, nrefs:1|" in out


def test_gzip_and_other_encodings_score_the_same(folder, capsys):
    expected = run(capsys)
    content = (folder / "system").read_bytes()
    for encoded in (
        gzip.compress(content),
        b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n"),
        content.decode().encode("utf-16"),
    ):
        (folder / "system").write_bytes(encoded)
        assert run(capsys) == expected


def test_empty_line_is_a_segment(folder, capsys):
    (folder / "system").write_text("\nthe cat\n\n")
    (folder / "one").write_text("a mat\nthe cat\n\n")
    lines = run(capsys, "--segments", "--max-order", "2", references=("one",)).splitlines()
    assert lines[1:] == ["1,0.0", "2,1.0", "3,0.0"]


@pytest.mark.slow
def test_memory_does_not_grow_with_the_corpus(folder, capsys):
    def peak(lines):
        for name in ("system", "one"):
            (folder / name).write_text("the cat sat on the mat\n" * lines)
        gc.collect()
        tracemalloc.start()
        run(capsys, references=("one",))
        _, peak_bytes = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return peak_bytes

    peak(4_000)  # Python keeps up to 2,000 freed tuples of each length
    assert peak(12_000) < peak(4_000) + 20_000


def test_standard_input_and_closed_output(folder):
    command = [sys.executable, "-m", "bleu", "corpus", "--hypotheses", "-", "--references"]
    command += [str(folder / "one"), "--segments", "--quiet"]
    content = (folder / "system").read_bytes()
    process = subprocess.run(command, input=content, capture_output=True, cwd=ROOT, check=False)
    assert (process.returncode, process.stderr) == (0, b"")
    assert process.stdout.startswith(b"segment,score\n1,")
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
    ) as stopped_process:
        stopped_process.stdout.close()
        _, err = stopped_process.communicate(content)
    assert (stopped_process.returncode, err) == (1, b"")


STANDARD_INPUT_TEXTS = [
    (["corpus", "--references", "one", "--jobs", "2"], "--hypotheses FILE"),
    (["corpus", "--references", "one", "two"], "--hypotheses one --references two"),
    (["sacrebleu", "system", "one"], "one --input system"),
    (["sacrebleu", "one", "-b"], "--input FILE"),
]
"""Command lines that name no system, and the options that the message gives."""


@pytest.mark.parametrize(("arguments", "remedy"), STANDARD_INPUT_TEXTS)
def test_reading_from_a_terminal_is_announced(folder, arguments, remedy):
    pty = pytest.importorskip("pty")
    keyboard, terminal = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "bleu", *arguments],
        stdin=terminal,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        text=True,
    ) as process:
        line = process.stderr.readline()
        os.write(keyboard, b"".join(f"{line}\n".encode() for line in SYSTEM) + 8 * b"\x04")
        out, err = process.communicate()
    os.close(keyboard)
    os.close(terminal)
    expected = f"note: the system is read from standard input; give it with {remedy}\n"
    assert line.endswith(expected)
    assert process.returncode == 0, err
    assert out


@pytest.mark.parametrize(("arguments", "remedy"), STANDARD_INPUT_TEXTS)
def test_empty_standard_input_says_how_to_name_the_system(
    folder, arguments, remedy, capsys, monkeypatch
):
    (folder / "empty").write_text("")
    with (folder / "empty").open() as file:
        monkeypatch.setattr(sys, "stdin", file)
        assert main(arguments) == 1
    reason = "the system is read from standard input, which is empty; give it with"
    assert capsys.readouterr().err.endswith(f"error: {reason} {remedy}\n")


class Terminal(io.StringIO):
    """A standard error stream that is a terminal."""

    def isatty(self):
        return True


def test_progress_is_shown_in_terminals(folder, capsys, monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    options = ["--hypotheses", "system", "--references", "one", "--confidence", "--quiet"]
    clock = iter(range(1_000_000))
    monkeypatch.setattr("time.monotonic", lambda: next(clock) / 40)
    assert main(["corpus", *options, "--resamples", "20"]) == 0
    drawn = terminal.getvalue().split("\r\x1b[K")
    shown = [int(text.split()[2]) for text in drawn if text.startswith("confidence")]
    assert len(shown) >= 4
    assert min(map(sub, shown[1:], shown)) >= 4  # as forty are done in a second
    assert drawn[-1] == ""


def test_cleared_progress_is_drawn_at_once(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    for progress in ("", "a", "b", "", "c"):
        show_progress(progress)
    assert terminal.getvalue().split("\r\x1b[K") == ["", "", "a", "", "c"]


def error_of(capsys, *options):
    """Return the message of a run that exits with 1."""
    assert main(["corpus", *options]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def test_invalid_files_exit_with_1(folder, capsys):
    (folder / "short").write_text("a\nb\n")
    (folder / "bytes").write_bytes(b"a\n\xff\n")
    arguments = ("--hypotheses", "system", "--references")
    assert "short ends after line 2, and system goes on" in error_of(
        capsys, *arguments, "one", "short"
    )
    assert "bytes, line 2: the byte 0xff is not UTF-8" in error_of(capsys, *arguments, "bytes")
    assert "none cannot be read: No such file" in error_of(capsys, *arguments, "none")
    (folder / "empty").write_text("")
    arguments = ("--hypotheses", "empty", "--references", "empty")
    assert "empty is empty; give files with one line for each" in error_of(capsys, *arguments)
    assert "empty is empty, and one goes on" in error_of(
        capsys, "--hypotheses", "empty", "--references", "one"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--hypotheses", "a"], "there is no reference; give --references FILE"),
        (["--hypotheses", "-", "--references", "-"], "standard input (-) is named more than once"),
        (
            ["--paired-bootstrap"],
            "there is 1 system, and a paired test compares two or more; add",
        ),
        (["--seed", "1"], "--resamples and --seed have no effect"),
        (["--seed", "0"], "--resamples and --seed have no effect"),
        (["--resamples", "9"], "--resamples and --seed have no effect"),
        (["--confidence", "--resamples", "0"], "'0' is not a whole number from 1 to 1,000,000"),
        (["--confidence", "--seed", "-1"], "'-1' is not a whole number from 0 to"),
        (["--segments", "--confidence"], "either segments or intervals and tests; choose json"),
        (["--smoothing", "florr"], "smoothing is 'florr'; choose one of: none, floor"),
        (["--paired-bootstrap", "--paired-approximate-randomization"], "not allowed with"),
    ],
)
def test_invalid_options_exit_with_2(options, message, capsys):
    arguments = [] if "--hypotheses" in options else ["--hypotheses", "a", "--references", "b"]
    with pytest.raises(SystemExit, match="2"):
        main(["corpus", *arguments, *options])
    out, err = capsys.readouterr()
    assert message in err
    assert out == ""


def test_transposed_references_have_a_note(folder, capsys):
    (folder / "out").write_text("a b c d\ne f g h\n")
    (folder / "right").write_text("a b c d\ne f g h\n")
    (folder / "too").write_text("a b c x\ne f g x\n")
    (folder / "crossed-1").write_text("a b c d\na b c x\n")
    (folder / "crossed-2").write_text("e f g h\ne f g x\n")
    arguments = ["corpus", "--hypotheses", "out", "--references"]
    assert main([*arguments, "right", "too"]) == 0
    assert "transposed" not in capsys.readouterr().err
    assert main([*arguments, "crossed-1", "crossed-2"]) == 0
    assert (
        "note: each reference file seems to have the references of one" in capsys.readouterr().err
    )


def test_no_form_of_a_switch_overrides_the_convention(folder, capsys):
    (folder / "upper").write_text("A B C D\n")
    (folder / "lower").write_text("a b c d\n")
    arguments = ["corpus", "--hypotheses", "upper", "--references", "lower", "--format", "json"]
    arguments += ["--convention", "mteval-v13a"]
    for switch, case in (([], "lc"), (["--no-lowercase"], "mixed")):
        assert main([*arguments, *switch]) == 0
        assert f"case:{case}" in json.loads(capsys.readouterr().out)["signature"]
    sentence_arguments = ["--convention", "sacrebleu-sentence", "a", "a"]
    assert main(sentence_arguments) == 0
    assert capsys.readouterr().out.startswith("BLEU-4 = 100.00")
    assert main([*sentence_arguments, "--no-effective-order"]) == 0
    assert capsys.readouterr().out.startswith("BLEU-4 = 0.00")


def test_several_references_for_a_single_reference_convention_exit_with_1(folder, capsys):
    arguments = ("--hypotheses", "system", "--references", "one", "one", "--convention", "fairseq")
    assert "takes one reference, and there are 2; give one" in error_of(capsys, *arguments)
