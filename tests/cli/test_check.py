"""The command `check`, and the findings of the command `corpus`, on files."""

import json
import random
from argparse import Namespace
from pathlib import Path

import pytest

import bleu
from bleu.__main__ import main
from bleu.analysis.evaluation import SystemFinding
from bleu.checkup.finding import Finding
from bleu.cli.check import note_findings
from tests.checkup.test_checkup import CORRUPTIONS, REFERENCES, SYSTEM, corrupt
from tests.support.case_selection import fast_and_slow

pytestmark = pytest.mark.host


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Return a function that writes lines to a file of the current folder."""
    monkeypatch.chdir(tmp_path)

    def write_lines(name, lines, encoding="utf-8"):
        (tmp_path / name).write_text("\n".join([*lines, ""]), encoding)

    write_lines("ref", REFERENCES)
    write_lines("sys", SYSTEM)
    return write_lines


def run(capsys, *arguments, code=0):
    """Return standard output and standard error of a command on the files `sys` and `ref`."""
    command, *options = arguments
    files = ["--hypotheses", "sys", "--references", "ref"]
    assert main([command, *files, *options]) == code
    return capsys.readouterr()


def score_of(capsys, *options):
    """Return the score of the system."""
    report = json.loads(run(capsys, "corpus", *options, "--format", "json").out)
    return report["systems"][0]["score"]


def findings_of(capsys, *arguments):
    """Return the findings of a command as JSON."""
    return json.loads(run(capsys, *arguments, "--format", "json").out)["findings"]


def test_clean_files_have_no_findings(write, capsys):
    assert run(capsys, "check") == ("No fault was found in 60 segments.\n", "")
    assert findings_of(capsys, "check") == findings_of(capsys, "corpus") == []
    assert run(capsys, "corpus").err == ""


@pytest.mark.parametrize(
    "name", fast_and_slow(5, (name for name in CORRUPTIONS if name != "tokenized"))
)
def test_fault_is_printed_by_both_commands(name, write, capsys):
    write("sys", corrupt(CORRUPTIONS[name], 0.3))
    lines = run(capsys, "check").out.splitlines()
    assert lines[0].startswith(f"sys: {name}: ")
    assert f"note: sys: {name}: " in run(capsys, "corpus").err
    assert run(capsys, "corpus", "--quiet").err == ""
    by_check, by_corpus = (findings_of(capsys, command)[0] for command in ("check", "corpus"))
    assert by_check == by_corpus
    assert (by_check["systems"], by_check["name"]) == (["sys"], name)
    assert by_check["side"] == "hypotheses"
    assert by_check["examples"][0]["line"] >= 1


def test_remedy_names_the_command_that_has_the_option(write, capsys):
    write("sys", corrupt(CORRUPTIONS["escapes"], 0.3))
    remedy = "Remedy: python -m bleu corpus --repair escapes.\n"
    assert remedy in run(capsys, "check").out
    assert main(["sacrebleu", "ref", "-i", "sys"]) == 0
    assert remedy in capsys.readouterr().err
    assert " Remedy: --repair escapes.\n" in run(capsys, "corpus").err


@pytest.mark.parametrize("output_format", ["text", "markdown", "json"])
def test_every_format_names_the_repairs_that_change_texts(write, capsys, output_format):
    arguments = "corpus", "--repair", "special-tokens", "--format", output_format
    assert "epaired before scoring" not in run(capsys, *arguments).out
    write("sys", corrupt(CORRUPTIONS["special-tokens"]))
    out = run(capsys, "corpus", "--repair", "special-tokens", "--format", output_format).out
    assert ('"special-tokens"' if output_format == "json" else "Repaired before scoring") in out


def test_repair_is_applied_to_what_is_scored(write, capsys):
    rows = [[line] for line in REFERENCES]
    write("sys", corrupt(CORRUPTIONS["special-tokens"]))
    score = bleu.corpus_bleu(SYSTEM, rows, convention="sacrebleu").value
    assert score_of(capsys, "--repair", "special-tokens") == score
    write("sys", [*SYSTEM[:20], *SYSTEM[21:]])
    error = run(capsys, "corpus", code=1).err
    assert "sys ends after line 59" in error
    assert "one segment per line; they drift apart at line 21" in error
    [finding] = findings_of(capsys, "check")
    assert (finding["name"], finding["score"]) == ("length-mismatch", None)
    assert score_of(capsys, "--repair", "length-mismatch") == finding["score_without"]
    with pytest.raises(SystemExit):
        run(capsys, "corpus", "--repair", "empty")


def test_repair_is_judged_under_the_settings_of_the_command(write, capsys):
    write("sys", [f"{line.removesuffix('.')} ." for line in SYSTEM])
    finding, *_ = findings_of(capsys, "corpus", "--tokenizer", "whitespace")
    assert finding["action"] == "repair:spacing"
    score = score_of(capsys, "--repair", "spacing", "--tokenizer", "whitespace")
    assert score == pytest.approx(finding["score_without"], abs=0.0001)


def test_line_ends_of_old_macs_are_repaired(write, capsys):
    plain = score_of(capsys)
    Path("sys").write_text("\r".join([*SYSTEM, ""]), "utf-8", newline="")
    [finding] = findings_of(capsys, "check")
    assert (finding["name"], finding["action"]) == ("line-ends", "repair:line-ends")
    assert score_of(capsys, "--repair", "line-ends") == plain
    Path("ref").write_text("\r".join(REFERENCES), "utf-8", newline="")
    assert score_of(capsys, "--repair", "line-ends") == plain


def test_finding_on_the_references_is_printed_once(write, capsys):
    write("ref", corrupt(CORRUPTIONS["normalization"], lines=REFERENCES))
    write("other", SYSTEM[1:] + SYSTEM[:1])
    files = ["--hypotheses", "sys", "other", "--references", "ref"]
    assert main(["check", *files, "--format", "json"]) == 0
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert [finding["name"] for finding in findings].count("normalization") == 1
    systems = {finding["name"]: finding["systems"] for finding in findings}
    assert systems == {"normalization": ["sys", "other"], "misaligned": ["other"]}


def test_json_and_tables_are_read_if_their_texts_are_clear(write, capsys):
    plain = score_of(capsys)
    write("sys", [json.dumps({"id": n, "mt": line}) for n, line in enumerate(SYSTEM)])
    write("ref", ["id\tref", *(f"{n}\t{line}" for n, line in enumerate(REFERENCES))])
    assert run(capsys, "corpus", "--quiet").err == ""
    assert score_of(capsys) == plain
    notes = run(capsys, "corpus").err
    assert "sys is JSON; its texts are those of mt" in notes
    assert "ref is delimited columns; its texts are those of ref" in notes
    assert "No fault" in run(capsys, "check").out
    write("ref", REFERENCES)
    notes = run(capsys, "corpus", "--as-text").err
    assert "note: sys: json: The candidates are JSON read as text" in notes
    assert score_of(capsys, "--as-text") != plain


def test_broken_markup_is_named(write, capsys):
    write("sys", ["<seg id=1>a</seg>", "<seg id=2>b"])
    assert "sys ends inside segment '2'; complete the file" in run(capsys, "corpus", code=1).err


def test_unclear_containers_are_not_scored(write, capsys):
    write(
        "sys",
        [json.dumps({"a": f"x {number}", "b": f"y {number}"}) for number, _ in enumerate(SYSTEM)],
    )
    for command in ("corpus", "check"):
        out, err = run(capsys, command, code=1)
        assert out == ""
        assert (
            "sys, which is JSON, has no column that is known to hold hypotheses; name one of a, b"
            in err
        )
    assert run(capsys, "corpus", "--as-text").out
    assert "json: The candidates are JSON read as text" in run(capsys, "check", "--as-text").out


def test_byte_order_mark_of_a_file_explains_the_number_of_sacrebleu(write, capsys):
    lines = ["The cat sat here.", "Dogs run."]
    write("sys", lines, "utf-8-sig")
    write("ref", lines)
    marked = ["\ufeff" + lines[0], lines[1]]
    score = bleu.corpus_bleu(marked, [[line] for line in lines], convention="sacrebleu").value
    assert score_of(capsys) == 1
    result = run(capsys, "corpus")
    assert "sys: bom: The file of the candidates begins with a byte order mark" in result.err
    assert f"print {100 * score:.2f} instead of 100.00" in result.err
    write("ref", lines, "utf-8-sig")
    assert "bom" not in run(capsys, "corpus").err


def test_sources_are_compared(write, capsys):
    sources = [
        f"Source sentence number {n} of a text." for n in random.Random(1).sample(range(99), 60)
    ]
    write("src", sources)
    write("sys", [*sources[:20], *SYSTEM[20:]])
    [finding] = findings_of(capsys, "check", "--sources", "src")
    assert (finding["name"], finding["segments"]) == ("other-language", 20)


def test_large_corpora_are_checked_in_part(write, capsys, monkeypatch):
    monkeypatch.setattr("bleu.cli.corpus.MAX_CHECKED_SEGMENTS", 40)
    write("sys", corrupt(CORRUPTIONS["escapes"]))
    finding = findings_of(capsys, "corpus")[0]
    assert (finding["segments"], finding["is_sampled"]) == (40, True)
    assert "in the segments that were checked" in run(capsys, "corpus").err


def test_wrong_calls_of_check_are_refused(write, capsys):
    assert main(["check", "--hypotheses", "no", "--references", "ref"]) == 1
    assert "no cannot be read" in capsys.readouterr().err
    for options in (["--tokenizer", "no"], ["--references", "-", "--sources", "-"]):
        with pytest.raises(SystemExit, match="2"):
            run(capsys, "check", *options)
    assert "standard input (-) is named more than once" in capsys.readouterr().err


def test_empty_files_are_refused(write, capsys):
    Path("sys").write_text("", "utf-8")
    assert "sys is empty" in run(capsys, "check", code=1).err


@pytest.mark.parametrize(
    ("cost", "is_noted"),
    [(0.5, True), (0.0011, True), (0.0009, False), (-0.0009, False), (-0.0011, True)],
)
def test_faults_that_raise_the_score_are_noted_like_those_that_lower_it(cost, is_noted, capsys):
    options = Namespace(
        quiet=False, force=False, systems=[], references=[], jobs=1, command="corpus"
    )
    finding = Finding("A fault.", name="escapes", score=0.5, score_without=0.5 + cost)
    note_findings([SystemFinding(finding, (0,))], ["system"], options)
    assert ("A fault." in capsys.readouterr().err) is is_noted
