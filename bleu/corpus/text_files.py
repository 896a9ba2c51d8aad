"""The lines of text files, read side by side, in pieces, and never more of them than needed."""

import gzip
import io
import re
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from itertools import zip_longest
from typing import Any, Final

STANDARD_INPUT: Final = "-"
CHUNK_SIZE: Final = 2**14
"""Characters that are read at once."""
_NO_TEXT: Final = re.compile("[\0\udc80-\udcff]")
"""NUL, and what stands for a byte that could not be decoded."""


class FileError(ValueError):
    """A file that cannot be read, is no text, or does not fit the others."""


def read_parallel_lines(
    names: Sequence[str],
    *,
    old_mac_lines: bool = False,
    on_note: Callable[[str], object] = lambda _: None,
) -> Iterator[tuple[str, ...]]:
    r"""The first line of every file, then the second of every file, and so on.

    `tell` hears of each file whose lines seem to end at \r, as `old_mac_note` has it.

    Raises FileError where one file has fewer lines than another, where all are empty, and as
    `read_lines`.
    """
    files = [read_lines(name, old_mac_lines=old_mac_lines) for name in names]
    number, first = 0, [""] * len(names)
    for number, row in enumerate(zip_longest(*files), 1):
        lines = tuple(line for line in row if line is not None)
        if number == 1:
            first = [line or "" for line in row]
        if len(lines) < len(row):
            place = row.index(None)
            ended = display_name(names[place])
            longer = next(name for name, line in zip(names, row, strict=True) if line is not None)
            note = old_mac_note(ended, [first[place]]) if number == 2 else ""
            raise FileError(
                f"{ended} ends after line {number - 1}, and {display_name(longer)} goes on; "
                "use files with the same number of lines, one segment per line"
                + (f". {note}" if note else "")
            )
        yield lines
    if not number:
        shown = " and ".join(map(display_name, dict.fromkeys(names)))
        are = "are" if len(set(names)) > 1 else "is"
        raise FileError(f"{shown} {are} empty; give files with one line for each segment")
    for name, line in zip(names, first, strict=True):
        if number == 1 and (note := old_mac_note(display_name(name), [line])):
            on_note(note)


def old_mac_note(
    shown: str, lines: Sequence[str], remedy: str = "the command line takes --old-mac-lines"
) -> str:
    r"""A note on a file whose only line has \r in it, as in files from before Mac OS X; or nothing.

    `remedy` is what to do if that is how its lines end.

    >>> old_mac_note("a.txt", ["one", "two"])
    ''
    """
    if len(lines) != 1 or "\r" not in lines[0]:
        return ""
    return (
        f"{shown} has no line feed, only carriage returns, so all of it is one line; if that is "
        f"how its lines end, {remedy}"
    )


def read_lines(name: str, *, old_mac_lines: bool = False) -> Iterator[str]:
    r"""The lines of a text file, without their ends; `-` is standard input.

    Text is UTF-8, with or without a byte order mark, or UTF-16 with one; a gzip file is unpacked.
    Lines end at \n, as for sacreBLEU, mteval and tensor2tensor, and a \r before it is dropped; with
    `old_mac_lines`, at \r alone, too. Nothing else ends a line, and an empty line is a line.

    Raises FileError with the file's name, and the line where there is one.
    """
    own = name != STANDARD_INPUT
    if not own and not sys.stdin:
        raise FileError(f"{display_name(name)} is closed")
    try:
        with io.FileIO(name if own else sys.stdin.fileno(), closefd=own) as file:
            for _, lines in read_line_chunks(display_name(name), file, old_mac_lines=old_mac_lines):
                yield from lines
    except OSError as error:
        raise FileError(f"{display_name(name)} cannot be read: {error.strerror or error}") from None


def read_line_chunks(
    shown: str, source: io.RawIOBase | io.BytesIO, *, old_mac_lines: bool = False
) -> Iterator[tuple[int, list[str]]]:
    r"""The lines of a file that is open, or in memory, piece by piece, however long a line is.

    After every piece come the number of characters read so far, and the lines that ended in it.
    As `read_lines`; `shown` is the file's name.

    >>> import gzip
    >>> packed = io.BytesIO(gzip.compress(b"one\r\n\r\nthree"))
    >>> list(read_line_chunks("system.txt.gz", packed))
    [(12, ['one', '']), (12, ['three'])]
    """
    read, number = 0, 0
    begun: list[str] = []
    try:
        with ExitStack() as open_files:
            text = _open_text(shown, source, open_files, None if old_mac_lines else "\n")
            while piece := text.read(CHUNK_SIZE):
                bad = _NO_TEXT.search(piece)
                *ended, rest = piece[: bad.start() if bad else None].split("\n")
                if ended:
                    ended[0] = "".join([*begun, ended[0]])
                    begun.clear()
                begun.append(rest)
                read += len(piece)
                number += len(ended)
                yield read, [line.removesuffix("\r") for line in ended]
                if bad:
                    raise FileError(
                        f"{shown}, line {number + 1}: {_invalid_character_message(bad[0])}"
                    )
            if any(begun):
                yield read, ["".join(begun).removesuffix("\r")]
    except UnicodeDecodeError:
        raise FileError(f"{shown} is not valid UTF-16 after line {number}") from None
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise FileError(f"{shown} cannot be read: {reason}") from None


def display_name(name: str) -> str:
    """The name of a file in a message.

    >>> display_name("-"), display_name("system.txt")
    ('standard input', 'system.txt')
    """
    return "standard input" if name == STANDARD_INPUT else name


def _open_text(
    name: str, source: io.RawIOBase | io.BytesIO, open_files: ExitStack, newline: str | None
) -> io.TextIOWrapper:
    stream: io.BufferedReader[Any] | gzip.GzipFile
    stream = open_files.enter_context(io.BufferedReader(source))
    if name.endswith(".gz") or stream.peek(2)[:2] == b"\x1f\x8b":
        stream = open_files.enter_context(gzip.GzipFile(fileobj=stream))
    if stream.peek(2)[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return open_files.enter_context(io.TextIOWrapper(stream, "utf-16", newline=newline))
    return open_files.enter_context(
        io.TextIOWrapper(stream, "utf-8-sig", "surrogateescape", newline)
    )


def _invalid_character_message(character: str) -> str:
    if character == "\0":
        return "there is a NUL character, so this is not text in UTF-8"
    return (
        f"the byte 0x{ord(character) - 0xDC00:02x} is not UTF-8; give text in UTF-8, or in UTF-16 "
        "with a byte order mark"
    )
