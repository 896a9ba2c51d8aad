"""Reading of text files: encodings, line ends, gzip, standard input and errors."""

import gzip
import io
import os
import subprocess
import sys
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu import corpus_bleu
from bleu.files import text_files
from bleu.files.text_files import (
    CHUNK_SIZE,
    FileError,
    read_line_chunks,
    read_lines,
    read_parallel_lines,
)

pytestmark = pytest.mark.host
ROOT = Path(__file__).parents[2]
TEXT = "ein Satz\n\nдва 猫 🙂\nlast"
LINES = ["ein Satz", "", "два 猫 🙂", "last"]
read_stdin_lines = partial(read_lines, lone_returns=True)


@pytest.fixture
def file(tmp_path):
    """Return a function that writes bytes to a file and returns its name."""

    def write(content, name="text.txt"):
        path = tmp_path / name
        path.write_bytes(content)
        return str(path)

    return write


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", ["", "\n"])
def test_encodings_and_line_ends(file, encoding, end, last):
    content = (TEXT + last).replace("\n", end).encode(encoding)
    options = {"lone_returns": end == "\r"}
    assert list(read_lines(file(content), **options)) == LINES
    assert list(read_lines(file(gzip.compress(content)), **options)) == LINES
    assert list(read_lines(file(gzip.compress(content), "text.gz"), **options)) == LINES


def test_lone_carriage_return_ends_no_line_as_in_sacrebleu(file):
    """Files that differ in the position of a lone return would score 100 if it ended a line."""
    first = file(b"a b c d\re f g h\ni j k l\n", "one")
    second = file(b"a b c d\ne f g h\ri j k l\n", "other")
    hypotheses, references = zip(*read_parallel_lines([first, second]), strict=True)
    bleu_score = corpus_bleu(
        hypotheses, [[line] for line in references], convention="sacrebleu"
    ).value
    command = [sys.executable, "-m", "sacrebleu", second, "-i", first, "-b", "-w", "6"]
    sacrebleu_score = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert f"{bleu_score * 100:.6f}" == sacrebleu_score.strip() == "50.813275"
    rows = list(read_parallel_lines([first, second], read=read_stdin_lines))
    assert len(rows) == 3


def test_empty_files_raise(file):
    first, second = file(b"", "first"), file(b"\xef\xbb\xbf", "second")
    with pytest.raises(FileError, match="first is empty; give files with one line for each"):
        list(read_parallel_lines([first, first]))
    with pytest.raises(FileError, match=r"first and .*second are empty"):
        list(read_parallel_lines([first, second]))


def test_both_byte_orders_of_utf_16_are_read(file):
    for order, mark in (("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff")):
        assert list(read_lines(file(mark + TEXT.encode(order)))) == LINES


def test_nothing_else_ends_a_line(file):
    text = "a\u2028b\u2029c\x0bd\x0ce\x85f\x1cg\x1dh\x1ei"
    assert list(read_lines(file(f"{text}\n{text}".encode()))) == [text, text]


@pytest.mark.parametrize(
    ("content", "lines"),
    [(b"", []), (b"\n", [""]), (b"\n\n", ["", ""]), (b"a", ["a"]), (b" a \t\n", [" a \t"])],
)
def test_empty_files_and_lines(file, content, lines):
    assert list(read_lines(file(content))) == lines
    assert list(read_lines(file(b"\xef\xbb\xbf" + content))) == lines


def test_byte_order_mark_is_removed_only_at_the_start(file):
    assert list(read_lines(file("\ufeffa\n\ufeffb".encode()))) == ["a", "\ufeffb"]


@given(
    st.lists(st.text("a猫\ufeff", max_size=3) | st.just("x" * (CHUNK_SIZE - 1)), max_size=8),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
    st.booleans(),
)
def test_lines_across_chunks_are_complete(lines, end, encoding, has_last_end):
    text = end.join(lines) + (end if has_last_end and lines else "")
    expected = text.removeprefix("\ufeff" if encoding == "utf-8" else "").split(end)
    content = io.BytesIO(text.encode(encoding))
    chunks = list(read_line_chunks("t", content, lone_returns=end == "\r"))
    assert [line for _, has_last_end in chunks for line in has_last_end] == expected[
        : -1 if not expected[-1] else None
    ]
    assert all(end - start <= CHUNK_SIZE for (start, _), (end, _) in pairwise([(0, []), *chunks]))


def test_endless_line_is_read_in_chunks():
    chunks = list(read_line_chunks("t", io.BytesIO(b"a" * (10 * CHUNK_SIZE))))
    assert [characters for characters, _ in chunks[:10]] == [CHUNK_SIZE * n for n in range(1, 11)]
    assert [len(lines) for _, lines in chunks] == [0] * 10 + [1]


def test_line_that_takes_too_much_memory_raises(monkeypatch):
    monkeypatch.setattr(text_files, "MAX_LINE_CHARACTERS", 10 * CHUNK_SIZE)
    content = b"a\n" + b"b" * (10 * CHUNK_SIZE - 2) + b"\nc"
    assert len(list(read_line_chunks("t", io.BytesIO(content)))) == 12
    steps = read_line_chunks("t", io.BytesIO(content + b"c" * 20 * CHUNK_SIZE))
    with pytest.raises(FileError, match="t, line 3 has more than 163,840 characters; give one"):
        list(steps)


def test_standard_input_is_read():
    code = "from bleu.files.text_files import read_lines; print(list(read_lines('-')))"
    for content in (TEXT.encode(), gzip.compress(TEXT.encode())):
        process = subprocess.run(
            [sys.executable, "-c", code],
            input=content,
            capture_output=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
            check=True,
        )
        assert process.stdout.decode().strip() == str(LINES)


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        (b"a\nb\n\xff\xd8\n", "t", "t, line 3: the byte 0xff is not UTF-8"),
        (b"a\n" * 9000 + b"\xe4", "t", "t, line 9001: the byte 0xe4 is not UTF-8"),
        (b"a\nb\0c\n", "t", "t, line 2: there is a NUL character"),
        (b"a" * 99_999 + b"\n\xff", "t", "t, line 2: the byte 0xff is not UTF-8"),
        ("a\nb\n".encode("utf-16-le"), "t", "t, line 1: there is a NUL character"),
        (b"\xff\xfea\0\n\0b", "t", "t is not valid UTF-16 after line "),
        (gzip.compress(b"abc" * 99, mtime=0)[:-12], "t", "t cannot be read: Compressed file ended"),
        (b"plain", "t.gz", "t.gz cannot be read: Not a gzipped file"),
    ],
)
def test_invalid_text_raises_with_its_line(file, content, name, message):
    with pytest.raises(FileError, match=message):
        list(read_lines(file(content, name)))


def test_lines_before_an_invalid_line_are_read(file):
    lines = read_lines(file(b"a\nb\n\xff\n"))
    assert [next(lines), next(lines)] == ["a", "b"]
    with pytest.raises(FileError, match="line 3"):
        next(lines)


def test_missing_file_and_folder_raise(tmp_path):
    with pytest.raises(FileError, match=r"none\.txt cannot be read: No such file"):
        list(read_lines(str(tmp_path / "none.txt")))
    with pytest.raises(FileError, match="cannot be read: Is a directory"):
        list(read_lines(str(tmp_path)))


def test_disk_error_message_is_kept():
    class Failing(io.BytesIO):
        def readinto(self, _into):
            raise OSError(5, "Input/output error")

    with pytest.raises(FileError, match=r"^a\.txt cannot be read: Input/output error$"):
        list(read_line_chunks("a.txt", Failing()))


def test_parallel_lines_come_in_rows(file):
    first, second = file(b"a\n\nc\n", "one"), file(b"A\nB\nC", "other")
    assert list(read_parallel_lines([first, second])) == [("a", "A"), ("", "B"), ("c", "C")]


@pytest.mark.parametrize("contents", [(b"a\nb\n", b"a\nb\nc\n"), (b"a\nb\nc\n", b"a\nb\n")])
def test_shorter_file_is_named(file, contents):
    names = [file(content, name) for content, name in zip(contents, ("one", "two"), strict=True)]
    short, long = ("one", "two") if len(contents[0]) < len(contents[1]) else ("two", "one")
    message = f"{short} ends after line 2, and .*{long} goes on; use files with the same number"
    with pytest.raises(FileError, match=message):
        list(read_parallel_lines([*names, names[0]]))
