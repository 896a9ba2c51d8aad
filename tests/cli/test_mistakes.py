"""Mistaken command lines: a name of a file as text, a misspelt command or option; and the help."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bleu.__main__ import main
from bleu.cli.options import COMMANDS, make_parser
from bleu.cli.sacrebleu_options import TEST_SET_OPTIONS
from bleu.cli.terminal import print_note

ROOT = Path(__file__).parents[2]
USES = "python -m bleu"


def error_of(capsys, *arguments):
    """Return the message of a command line that exits with 2, a single line without usage."""
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert len(err) <= 300
    return err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["corpsu", "--hypotheses", "x"], f"no command corpsu; did you mean {USES} corpus?"),
        (["Corpus", "a"], f"there is no command Corpus; did you mean {USES} corpus?"),
        (["exercise"], f"there is no command exercise; did you mean {USES} exercises?"),
        (["chekc", "a", "b"], f"did you mean {USES} check? To score it as text, give --text"),
        (["help", "corp"], f"there is no command corp; {USES} help lists them"),
        (["a", "b", "--smothing", "x"], "there is no option --smothing; did you mean --smoothing?"),
        (["a", "b", "--fromat=csv"], "there is no option --fromat; did you mean --format?"),
        (["a", "b", "--zzz"], f"there is no option --zzz; {USES} --help lists the options"),
        (["a", "b", f"--{'x' * 999}"], f"{USES} --help lists the options"),
        (["check", "a.txt"], "--references is missing; give both, or --table"),
        (["which"], "the number is missing; give it first, or with --number"),
        (["which", "a.txt", "b.txt"], "'a.txt' is not a"),
        (["check", "--hypotheses", "a", "--references", "b", "--", "c"], "'c' is given beside"),
        (["which", "--numbr", "1", "--number", "1", "--hypotheses", "a", "--references", "b"],
         "there is no option --numbr; did you mean --number?"),
    ],
)  # fmt: skip
def test_mistakes_are_answered_with_what_was_meant(arguments, message, capsys):
    assert message in error_of(capsys, *arguments)


@pytest.mark.host
@pytest.mark.parametrize("value", ["x" * 5000, "a\nb\u2028c", "a b " * 999, "é" * 300])
@pytest.mark.parametrize("command", ["corpus", "check", "sacrebleu", "which", "exercises"])
def test_errors_are_one_line_whatever_is_given(command, value, capsys):
    for arguments in ([value], ["--format", value], [f"--{value}"], ["--hypotheses", value]):
        try:
            code = main([command, *arguments, "--references", value])
        except SystemExit as error:
            code = error.code
        err = capsys.readouterr().err
        assert code in {1, 2}
        assert err.count("\n") == 1
        assert len(err) <= 300


def test_text_that_resembles_a_command_is_scored_if_asked_for(capsys):
    assert main(["--text", "corpse", "corpus"]) == 0
    assert main(["white", "which"]) == 0
    assert main(["the help", "help"]) == 0
    assert capsys.readouterr().out.count("BLEU-4 = ") == 3


@pytest.mark.host
def test_names_of_files_are_not_scored_as_text(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("A.txt").write_text("the cat\n")
    Path("my ref.txt").write_text("the cat\n")
    files = f"{USES} corpus --hypotheses A.txt --references 'my ref.txt'"
    assert f"A.txt is the name of a file; to score files, run {files};" in error_of(
        capsys, "A.txt", "my ref.txt"
    )
    unknown = f"{USES} corpus --hypotheses FILE --references FILE"
    assert f"'my ref.txt' is the name of a file; to score files, run {unknown};".replace(
        "'", ""
    ) in error_of(capsys, "no file", "my ref.txt")
    Path("x" * 200).write_text("")
    error_of(capsys, "x" * 200, "x" * 200)
    assert main(["A.txt", "my ref.txt", "--text"]) == 0
    assert main(["x" * 5000, "the cat"]) == 0


@pytest.mark.parametrize("arguments", [["--help"], ["help"], []])
def test_help_shows_the_commands_first_in_30_lines(arguments, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    try:
        code = main(arguments)
    except SystemExit as error:
        code = error.code
    out, err = capsys.readouterr()
    assert (code, err) == (0 if arguments else 2, "")
    assert len(out.splitlines()) <= 30
    assert max(map(len, out.splitlines())) <= 90
    before, _, listed = out.partition("commands (")
    assert before.count("bleu ") == (1 if arguments else 3)
    assert all(f"\n  {name:<28} {text}\n" in listed for name, text in COMMANDS.items())


def test_help_of_a_command_is_that_of_its_option(capsys):
    outputs = []
    for arguments in (["help", "check"], ["check", "--help"]):
        with pytest.raises(SystemExit, match="0"):
            main(arguments)
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]


@pytest.mark.host
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_needs_no_encoding(command):
    assert make_parser(command).format_help().isascii()


@pytest.mark.host
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_argument_says_what_it_does(command):
    parser = make_parser(command)
    refused_names = {name for names in TEST_SET_OPTIONS for name in names.split()}
    for action in parser._actions:
        assert action.help, action.option_strings
        if action.help == argparse.SUPPRESS:
            assert refused_names.issuperset(action.option_strings)  # None if it is positional.


@pytest.mark.host
@pytest.mark.parametrize("encoding", ["cp1252", "cp437", "ascii", "koi8-r", "cp932"])
def test_help_is_printed_in_every_encoding(encoding):
    process = subprocess.run(
        [sys.executable, "-m", "bleu", "corpus", "--help"],
        capture_output=True,
        check=False,
        cwd=ROOT,
        env={"PYTHONIOENCODING": encoding},
    )
    assert (process.returncode, process.stderr) == (0, b"")
    assert process.stdout.startswith(b"usage: python -m bleu corpus ")


@pytest.mark.host
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_help_to_a_full_disk_exits_with_1(unbuffered):
    with open("/dev/full", "wb") as full:
        process = subprocess.run(
            [sys.executable, "-m", "bleu", "corpus", "--help"],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            cwd=ROOT,
            env={"PYTHONUNBUFFERED": unbuffered},
        )
    message = b"python -m bleu: error: cannot write: No space left on device\n"
    assert (process.returncode, process.stderr) == (1, message)


INTERRUPTED_IMPORT = """
import runpy, sys
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == "bleu.core.settings":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupt())
sys.argv = ["-m", "corpus", "--help"]
runpy.run_module("bleu", run_name="__main__")
"""


@pytest.mark.host
def test_interrupt_during_imports_prints_one_line():
    process = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_IMPORT], capture_output=True, check=False, cwd=ROOT
    )
    assert (process.returncode, process.stderr) == (130, b"python -m bleu: interrupted\n")


@pytest.mark.parametrize(
    ("terminal", "variables", "is_coloured"),
    [
        (False, {}, False),
        (True, {}, True),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"TERM": "dumb"}, False),
        (False, {"FORCE_COLOR": "1"}, True),
        (False, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_notes_and_errors_are_coloured_in_a_terminal_alone(
    terminal, variables, is_coloured, monkeypatch, capsys
):
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    print_note(argparse.Namespace(command="corpus"), "a")
    with pytest.raises(SystemExit):
        main(["--formt", "text"])
    error = capsys.readouterr().err
    for word in ("\x1b[33mnote\x1b[0m: a", "\x1b[31merror\x1b[0m: there"):
        assert (word in error) == is_coloured
    assert ("\x1b[3" in error) == is_coloured


def test_option_for_no_colour_removes_it(monkeypatch, capsys):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "")
    assert main(["sacrebleu", "missing", "-nc"]) == 1
    assert "\x1b[3" not in capsys.readouterr().err
