"""The lines of text files, read in parallel and in chunks."""

import gzip
import io
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from itertools import zip_longest
from typing import Any, Final

STANDARD_INPUT: Final = "-"
CHUNK_SIZE: Final = 2**14
"""The number of characters read at once."""
MAX_LINE_CHARACTERS: Final = 2**27
"""The largest number of characters of a line, which is held in memory."""
MAX_NAME_CHARACTERS: Final = 90
"""The largest number of characters of a file's name in a message."""
PEEKED_BYTES: Final = 2**13
"""The number of first bytes by which a binary file is recognized."""
_INVALID_CHARACTER: Final = re.compile("[\0\udc80-\udcff]")
"""NUL, or a surrogate escape of a byte that could not be decoded."""
_IMAGE: Final = "an image; give its text with one segment a line"
_SIGNATURES: Final = {
    b"PK\3\4": "a ZIP archive; unpack it first",
    b"%PDF-": "a PDF; copy its text to a text file with one segment a line",
    b"\xd0\xcf\x11\xe0": "an old or protected Office file (XLS, DOC); save it as CSV UTF-8",
    b"{\\rtf": "a formatted text (RTF); save it as plain text in UTF-8",
    **dict.fromkeys((b"\x89PNG", b"\xff\xd8\xff", b"GIF8"), _IMAGE),
    b"RIFF": "an image or a recording; give its text with one segment a line",
    b"BZh": "packed by bzip2; unpack it first, or pack it by gzip",
    b"\xfd7zXZ": "packed by xz; unpack it first, or pack it by gzip",
    b"7z\xbc\xaf": "a 7z archive; unpack it first",
    b"\x28\xb5\x2f\xfd": "packed by zstd; unpack it first (zstd -d), or pack it by gzip",
    b"PAR1": "a Parquet file; save it as CSV: pandas.read_parquet(file).to_csv(name, index=False)",
    **dict.fromkeys(
        (b"ARROW1", b"FEA1", b"\xff\xff\xff\xff"),
        "an Arrow file; save it as CSV: datasets.Dataset.from_file(file).to_csv(name), or "
        "pandas.read_feather(file).to_csv(name, index=False)",
    ),
    **dict.fromkeys(
        [b"\x80%c" % version for version in range(2, 6)],
        "a pickle of Python, which may run code when it is loaded; save its texts as JSON",
    ),
    b"SQLite format 3": "an SQLite database; export its table as CSV: .mode csv, .output FILE",
}
"""The kinds of binary files with remedies, by their first bytes."""
_ZIPPED: Final = {
    b"word/": "a Word document (DOCX); save it as plain text in UTF-8",
    b"ppt/": "a PowerPoint file (PPTX); save its text in UTF-8",
    b"opendocument.spreadsheet": "a spreadsheet (ODS); save it as CSV UTF-8",
    b"opendocument": "an OpenDocument file; save it as plain text in UTF-8",
    b"xl/": "an Excel workbook (XLSX); read it as a table (--table on the command line)",
}
"""The kinds of ZIP archives with remedies, by bytes in their first kilobytes."""


class FileError(ValueError):
    """A file that cannot be read, is not text, or does not fit the others."""


class LineCountError(FileError):
    """Files with different numbers of lines; `names` are the shorter and the longer file."""

    def __init__(self, names: tuple[str, str], message: str) -> None:
        super().__init__(message)
        self.names = names


def read_parallel_lines(
    names: Sequence[str],
    *,
    read: Callable[[str], Iterator[str]] | None = None,
) -> Iterator[tuple[str, ...]]:
    r"""Yield the first line of every file, then the second of every file, and so on.

    `read` yields the texts of a file, by default its lines.

    Raises FileError if a file has fewer lines than another, or if all are empty, and the exceptions
    of `read_lines`.
    """
    files = list(map(read or read_lines, names))
    number = 0
    for number, row in enumerate(zip_longest(*files), 1):
        if None in row:
            shorter = row.index(None)
            longer = next(index for index, line in enumerate(row) if line is not None)
            end = f"ends after line {number - 1}" if number > 1 else "is empty"
            raise LineCountError(
                (names[shorter], names[longer]),
                f"{display_name(names[shorter])} {end}, and {display_name(names[longer])} goes on; "
                "use files with the same number of lines, one segment per line",
            )
        yield row
    if not number:
        files_text = " and ".join(map(display_name, dict.fromkeys(names)))
        verb = "are" if len(set(names)) > 1 else "is"
        raise FileError(f"{files_text} {verb} empty; give files with one line for each segment")


SAVE_REMEDY: Final = "save the file as UTF-8"


def read_lines(
    name: str, *, lone_returns: bool = False, encoding: str = "", remedy: str = ""
) -> Iterator[str]:
    r"""Yield the lines of a text file without their ends; `-` is standard input.

    Text is UTF-8, with or without a byte order mark, or UTF-16 with one; a gzip file is unpacked.
    Lines end at \n, as for sacreBLEU, mteval and tensor2tensor, and a \r before it is dropped; with
    `lone_returns`, they also end at \r alone. Nothing else ends a line. If `encoding` is given, it
    is used instead, and a byte order mark is a character.

    Raises FileError, with the name of the file and, if it is known, the line; `remedy` is the way
    to read another encoding.
    """
    is_file = name != STANDARD_INPUT
    if not is_file and not sys.stdin:
        raise FileError(f"{display_name(name)} is closed; name a file")
    try:
        with io.FileIO(name if is_file else sys.stdin.fileno(), closefd=is_file) as file:
            for _, lines in read_line_chunks(
                display_name(name),
                file,
                lone_returns=lone_returns,
                encoding=encoding,
                remedy=remedy or SAVE_REMEDY,
            ):
                yield from lines
    except OSError as error:
        raise FileError(f"{display_name(name)} cannot be read: {error.strerror or error}") from None


def first_bytes(name: str) -> bytes:
    """Return the first bytes of a file, or b"" if it is unreadable or standard input.

    A pipe is left alone, because what is read from it is gone.
    """
    if name == STANDARD_INPUT or not os.path.isfile(name):
        return b""
    try:
        with open(name, "rb") as file:
            return file.read(PEEKED_BYTES)
    except (OSError, ValueError):
        return b""


def read_line_chunks(
    name: str,
    source: io.RawIOBase | io.BytesIO,
    *,
    lone_returns: bool = False,
    encoding: str = "",
    remedy: str = SAVE_REMEDY,
) -> Iterator[tuple[int, list[str]]]:
    r"""Yield the lines of an open file in chunks, like `read_lines`.

    Each item is the number of characters read so far and the lines that end in the chunk, perhaps
    none. `name` is the file's name in messages.

    >>> import gzip
    >>> packed = io.BytesIO(gzip.compress(b"one\r\n\r\nthree"))
    >>> list(read_line_chunks("system.txt.gz", packed))
    [(12, ['one', '']), (12, ['three'])]
    """
    characters, line_count = 0, 0
    unfinished: list[str] = []
    try:
        with ExitStack() as open_files:
            newline = None if lone_returns else "\n"
            text = _open_text(name, source, open_files, newline, encoding)
            while chunk := text.read(CHUNK_SIZE):
                invalid = _INVALID_CHARACTER.search(chunk)
                *lines, rest = chunk[: invalid.start() if invalid else None].split("\n")
                if lines:
                    lines[0] = "".join([*unfinished, lines[0]])
                    unfinished.clear()
                unfinished.append(rest)
                if len(unfinished) * CHUNK_SIZE > MAX_LINE_CHARACTERS:
                    raise FileError(
                        f"{name}, line {line_count + len(lines) + 1} has more than "
                        f"{MAX_LINE_CHARACTERS:,} characters; give one segment a line"
                    )
                characters += len(chunk)
                line_count += len(lines)
                yield characters, [line.removesuffix("\r") for line in lines]
                if invalid:
                    what = f"the byte 0x{ord(invalid[0]) - 0xDC00:02x} is not"
                    if invalid[0] == "\0":
                        what = "there is a NUL character, so this is not text in"
                    place = f"{name}, line {line_count + 1}"
                    raise FileError(f"{place}: {what} {encoding or 'UTF-8'}; {remedy}")
            if any(unfinished):
                yield characters, ["".join(unfinished).removesuffix("\r")]
    except UnicodeError:  # UTF-16 without a byte order mark raises no UnicodeDecodeError.
        raise FileError(
            f"{name} is not valid {encoding or 'UTF-16'} after line {line_count}; {remedy}"
        ) from None
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise FileError(f"{name} cannot be read: {reason}") from None


def display_name(name: str) -> str:
    """Return the name of a file for a message, without the start of a long name.

    >>> display_name("-"), display_name("system.txt")
    ('standard input', 'system.txt')
    """
    if name == STANDARD_INPUT:
        return "standard input"
    return name if len(name) <= MAX_NAME_CHARACTERS else f"…{name[1 - MAX_NAME_CHARACTERS :]}"


def location(name: str, text: str, position: int) -> str:
    """Return the name of a file and the line of a position in its text, for a message."""
    return f"{name}, line {text.count(chr(10), 0, position) + 1}"


def describe_binary(head: bytes) -> str:
    """Return the kind of a binary file with a remedy, or "" if it may be text.

    `head` are its first bytes.

    >>> describe_binary(b"%PDF-1.7"), describe_binary(b"the cat")
    ('a PDF; copy its text to a text file with one segment a line', '')
    """
    kind = next((text for start, text in _SIGNATURES.items() if head.startswith(start)), "")
    if head.startswith(b"PK\3\4"):
        return next((text for part, text in _ZIPPED.items() if part in head), kind)
    return kind


def is_workbook(head: bytes) -> bool:
    """Return whether a file with these first bytes is an Excel workbook (XLSX)."""
    return describe_binary(head) == _ZIPPED[b"xl/"]


def _open_text(
    name: str,
    source: io.RawIOBase | io.BytesIO,
    open_files: ExitStack,
    newline: str | None,
    encoding: str,
) -> io.TextIOWrapper:
    stream: io.BufferedReader[Any] | gzip.GzipFile
    stream = open_files.enter_context(io.BufferedReader(source))
    if name.endswith(".gz") or stream.peek(2)[:2] == b"\x1f\x8b":
        stream = open_files.enter_context(gzip.GzipFile(fileobj=stream))
    if description := describe_binary(stream.peek(PEEKED_BYTES)):
        raise FileError(f"{name} is {description}")
    if not encoding and stream.peek(2)[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return open_files.enter_context(io.TextIOWrapper(stream, "utf-16", newline=newline))
    return open_files.enter_context(
        io.TextIOWrapper(stream, encoding or "utf-8-sig", "surrogateescape", newline)
    )
