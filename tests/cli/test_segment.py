"""The command for one segment: formats, errors and exit codes."""

import os
import signal
import subprocess
import sys
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from bleu import derive, explain
from bleu.__main__ import main
from bleu.formats import SCORE_FORMATS
from bleu.render import csv, html_page, json, latex, markdown, text

ROOT = Path(__file__).parents[2]


def test_derivation_is_printed(capsys):
    assert main(["the cat is on mat", "the cat is on the mat"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("BLEU-4 = 57.89 on the 0–100 scale, 0.5789 on the 0–1 scale\n")
    assert "BP = exp(1 − r/c) = exp(1 − 6/5) ≈ 0.8187" in out


@pytest.mark.parametrize(
    ("options", "beginning"),
    [
        (["--convention", "nltk-method1"], "BLEU-4 = 31.62"),
        (["--convention", "sacrebleu", "--effective-order"], "BLEU-4 = 100.00"),
        (["--max-order", "2"], "BLEU-2 = 100.00"),
        (["--smoothing", "floor", "--smoothing-value", "0.25"], "BLEU-4 = 50.00"),
        (["--max-order", "2", "--weights", "1/4,3/4", "--lowercase"], "BLEU-2 = 100.00"),
        (["--tokenizer", "char", "--reference-length", "shortest"], "BLEU-4 = 100.00"),
    ],
)
def test_options_change_the_score(options, beginning, capsys):
    assert main([*options, "hello world", "hello world"]) == 0
    assert capsys.readouterr().out.startswith(beginning)


@pytest.mark.parametrize(
    ("output_format", "render"),
    [("text", text), ("markdown", markdown), ("latex", latex), ("html", html_page)],
)
def test_document_formats(output_format, render, capsys):
    texts = ["the cat is on mat", "the cat is on the mat"]
    assert main([*texts, "--format", output_format]) == 0
    assert capsys.readouterr().out == render.render(explain(derive(texts[0], texts[1:])))


def test_json_and_csv_formats(capsys):
    derivation = derive("a =b", ["a b", "c"])
    assert main(["--format", "json", "a =b", "a b", "c"]) == 0
    assert capsys.readouterr().out == json.render(derivation) + "\n"
    assert main(["a =b", "--format", "csv", "a b", "c"]) == 0
    assert capsys.readouterr().out == csv.render(derivation)


def test_every_format_ends_with_a_newline(capsys):
    for output_format in SCORE_FORMATS:
        main(["a", "a", "--format", output_format])
        assert capsys.readouterr().out.endswith("\n")


@pytest.fixture
def stdin(tmp_path, monkeypatch):
    """Return a function that puts bytes into standard input."""
    with ExitStack() as files:

        def put(content):
            (tmp_path / "input").write_bytes(content)
            monkeypatch.setattr("sys.stdin", files.enter_context((tmp_path / "input").open()))

        yield put


@pytest.mark.host
def test_texts_are_read_from_files(tmp_path, stdin, capsys):
    (tmp_path / "hypothesis").write_bytes("\ufeffle chât\r\n".encode())
    (tmp_path / "reference").write_text("le chât noir", encoding="utf-8")
    files = [f"--reference-file={tmp_path / 'reference'}", "--reference-file=-"]
    stdin("le\n猫\n".encode())
    assert main(["--hypothesis-file", str(tmp_path / "hypothesis"), "x", *files, "y"]) == 0
    expected = derive("le chât", ["x", "y", "le chât noir", "le 猫"])
    assert capsys.readouterr().out == text.render(explain(expected))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, " cannot be read: No such file or directory"),
        ("folder", " cannot be read: Is a directory"),
        (b"caf\xe9", ", line 1: the byte 0xe9 is not UTF-8; save the file as UTF-8"),
    ],
)
@pytest.mark.host
def test_unreadable_file_exits_with_1(content, reason, tmp_path, capsys):
    path = tmp_path / "file"
    if content == "folder":
        path.mkdir()
    elif content:
        path.write_bytes(content)
    for option in ("--hypothesis-file", "--reference-file"):
        assert main([option, str(path), "the cat"]) == 1
        captured = capsys.readouterr()
        assert captured.err == f"python -m bleu: error: {path}{reason}\n"
        assert captured.out == ""


@pytest.mark.host
def test_standard_input_is_named_in_errors(stdin, capsys):
    stdin(b"\xff")
    assert main(["a", "--reference-file", "-"]) == 1
    assert "standard input, line 1: the byte 0xff is not UTF-8" in capsys.readouterr().err


def run(*arguments, **options):
    """Run the command in a process."""
    command = [sys.executable, "-m", "bleu", *arguments]
    return subprocess.run(command, capture_output=True, check=False, cwd=ROOT, **options)


@pytest.mark.host
def test_output_is_utf8_with_original_line_ends():
    process = run("猫 a", "猫", "--format", "csv", env={"PYTHONIOENCODING": "latin-1"})
    assert (process.returncode, process.stderr) == (0, b"")
    assert process.stdout == csv.render(derive("猫 a", ["猫"])).encode()


@pytest.mark.host
def test_undecodable_argument_is_printed_in_every_format():
    for output_format in SCORE_FORMATS:
        process = run(b"a\xff", b"a\xff", "--format", output_format)
        assert (process.returncode, process.stderr) == (0, b"")
        assert b"dcff" in process.stdout.lower() or output_format == "svg"  # which shows no tokens


MANY_WORDS = " ".join(map(str, range(3000)))
CORPUS = ["corpus", "--hypotheses", "README.md", "--references", "README.md", "--quiet"]
COMMAND_LINES = [
    ["a", "b"],
    [MANY_WORDS, "a", "--max-order=9", "--format=json"],
    ["--help"],
    [*CORPUS, "--segments"],
    [*CORPUS, "--format=json"],
    ["corpus", "--help"],
]
"""Command lines with short output, and with more output than a buffer holds."""


@pytest.mark.host
@pytest.mark.parametrize("arguments", COMMAND_LINES)
def test_closed_pipe_ends_silently(arguments):
    read_end, write_end = os.pipe()
    os.close(read_end)
    command = [sys.executable, "-m", "bleu", *arguments]
    with os.fdopen(write_end, "wb") as pipe:
        process = subprocess.run(
            command, stdout=pipe, stderr=subprocess.PIPE, check=False, cwd=ROOT, env={}
        )
    assert (process.returncode, process.stderr) == (1, b"")


@pytest.mark.host
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
@pytest.mark.parametrize("arguments", COMMAND_LINES)
def test_full_device_prints_one_line(arguments):
    command = [sys.executable, "-m", "bleu", *arguments]
    with open("/dev/full", "wb") as full:
        process = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, check=False, cwd=ROOT, env={}
        )
    message = b"python -m bleu: error: cannot write: No space left on device\n"
    assert (process.returncode, process.stderr) == (1, message)


@pytest.mark.host
def test_closed_standard_output_is_no_error():
    command = f'exec "{sys.executable}" -m bleu a b >&-'
    process = subprocess.run(command, shell=True, capture_output=True, check=False, cwd=ROOT)
    assert process.stderr == b""


@pytest.mark.host
@pytest.mark.parametrize(
    "arguments", ["a --reference-file -", "corpus --hypotheses README.md --references -"]
)
def test_closed_standard_input_prints_one_line(arguments):
    command = f'exec "{sys.executable}" -m bleu {arguments} <&-'
    process = subprocess.run(command, shell=True, capture_output=True, check=False, cwd=ROOT)
    assert process.returncode == 1
    assert process.stderr.endswith(b": error: standard input is closed; name a file\n")
    assert process.stderr.count(b"\n") == 1


def interrupt(process, kill):
    """Interrupt a process until it ends."""
    # A signal that comes just before a read begins is heard by Python only after it.
    while process.poll() is None:
        kill(process.pid, signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(5)


@pytest.mark.host
@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(
    "arguments",
    [["a", "--reference-file"], ["corpus", "--hypotheses", "README.md", "--references"]],
)
def test_interrupt_prints_one_line(arguments, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    command = [sys.executable, "-m", "bleu", *arguments, str(tmp_path / "pipe")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stderr
        with open(tmp_path / "pipe", "wb"):  # opened as soon as the other end is
            interrupt(process, os.kill)
            assert process.stderr.read() == b"python -m bleu: interrupted\n"
    assert process.returncode == 130


@pytest.mark.host
@pytest.mark.usefixtures("interruptible")
def test_interrupted_processes_print_one_line(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "lines").write_text("the cat sat on\n" * 20_000)
    command = [sys.executable, "-m", "bleu", "corpus", "--jobs", "2", "--quiet"]
    files = ["--hypotheses", str(tmp_path / "lines"), "--references", str(tmp_path / "pipe")]
    with (
        subprocess.Popen(
            [*command, *files],
            stderr=subprocess.PIPE,
            cwd=ROOT,
            start_new_session=True,
        ) as process,
        open(tmp_path / "pipe", "w", encoding="utf-8") as pipe,
    ):
        pipe.write("the cat sat on\n" * 10_000)  # More than a pipe holds, so some are counted.
        pipe.flush()
        interrupt(process, os.killpg)
        assert process.stderr.read() == b"python -m bleu: interrupted\n"
    assert process.returncode == 130


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a"], "give a hypothesis and at least one reference"),
        (["--hypothesis-file", "F"], "give a hypothesis and at least one reference"),
        (["--reference-file", "F"], "give a hypothesis and at least one reference"),
        (
            ["--hypothesis-file", "-", "--reference-file", "-"],
            "standard input (-) is named more than once; name it once",
        ),
        (["a", "b", "--format", "pdf"], "invalid choice: 'pdf'"),
        (["a", "b", "--smoothing", "florr"], "smoothing is 'florr'; choose one of: none, floor"),
        (["a", "b", "--convention", "nltk"], "convention is 'nltk'; choose one of: nltk-method0"),
        (["a", "b", "--max-order", "0"], "max_order is 0; choose a whole number from 1 to 9"),
        (["a", "b", "--weights", "1,1"], "the number of weights is 2, and max_order is 4"),
    ],
)
def test_errors_name_the_value_and_exit_with_2(arguments, message, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""
