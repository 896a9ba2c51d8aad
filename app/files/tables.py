"""What a person opens or pastes, as lines: one segment a line, or a table to choose columns of."""

import csv
import io
import json
import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, count
from sys import getsizeof
from typing import Any, Final

from bleu.corpus.text_files import FileError, old_mac_note, read_line_chunks
from bleu.explanation.phrases import token_text

MEGABYTE: Final = 2**20

MAX_FILE_BYTES: Final = 100 * MEGABYTE
"""Bytes of a file above which it is not opened, and characters above which it is not read on."""

MAX_MEMORY_BYTES: Final = 400 * MEGABYTE
"""Bytes of Python's memory, of which there are 2 GB, that the lines of one file may take."""

MAX_LINE_CHARACTERS: Final = 2**20
"""Characters of a line or cell of a table: one is read at once, and the page stands still."""

MAX_NESTING: Final = 100
"""Brackets in brackets that a line of JSON may have: many thousands end Python in a browser."""

csv.field_size_limit(MAX_LINE_CHARACTERS)


@dataclass(frozen=True, slots=True)
class Progress:
    """What is being done, how much of it is done, and how much there is; of bytes, in `unit` MB."""

    what: str
    done: int
    total: int
    unit: str = ""


SPLIT_LABEL: Final = "Split at returns"
"""What the button is called that makes lines of an old Mac file."""


@dataclass(frozen=True, slots=True)
class TextSource:
    """The lines of one file or box, under the name that messages use."""

    name: str
    lines: Sequence[str]

    @property
    def note(self) -> str:
        """A note where the lines seem to end at carriage returns, or nothing."""
        remedy = f"press “{SPLIT_LABEL}” beside its name"
        return old_mac_note(self.name, self.lines, remedy)

    def split(self) -> "TextSource":
        r"""The same with lines that end at \r, too.

        >>> TextSource("mac.txt", ["one\r\rthree"]).split().lines
        ['one', '', 'three']
        """
        return TextSource(self.name, [part for line in self.lines for part in line.split("\r")])


@dataclass(frozen=True, slots=True)
class DataTable:
    """A table from a file: the names of its columns, and its rows; a cell may be a list.

    `header` is the row that names the columns, as it was read; of JSON objects there is none.
    """

    name: str
    columns: tuple[str, ...]
    rows: Sequence[Sequence[Any]]
    header: tuple[str, ...] = ()

    @property
    def without_header(self) -> "DataTable":
        """The same where the first row is one like the others.

        >>> table = DataTable("a.tsv", ("x", "y"), [["a", "b"]], ("x", "y")).without_header
        >>> table.columns, table.rows
        (('column 1', 'column 2'), [('x', 'y'), ['a', 'b']])
        """
        columns = tuple(f"column {n}" for n, _ in enumerate(self.header, 1))
        return replace(self, columns=columns, rows=[self.header, *self.rows])


REFERENCE: Final = re.compile(r"(?<![a-z])(?:refs?|references?)(?![a-z])", re.IGNORECASE)
SOURCE: Final = re.compile(r"(?<![a-z])(?:src|sources?)(?![a-z])", re.IGNORECASE)
TABLE: Final = re.compile(r"\.(?:tsv|csv|jsonl|ndjson)(?:\.gz)?$", re.IGNORECASE)
"""What files are called that hold references, the text that was translated, or a table."""


def guess_file_role(name: str) -> str:
    """What a file is, by its name alone: a system's output, references, a source, or a table.

    >>> [guess_file_role(name) for name in ("OnlineA.txt", "x.ref.en.txt", "refA.txt", "x.src.ru", "a.csv")]
    ['system', 'references', 'references', 'source', 'table']
    >>> guess_file_role("preferred.txt"), guess_file_role("newstest-ref2")
    ('system', 'references')
    """
    if TABLE.search(name):
        return "table"
    words = re.sub(r"(?<=[a-z])(?=[A-Z0-9])", " ", name.rpartition("/")[2])
    if REFERENCE.search(words):
        return "references"
    return "source" if SOURCE.search(words) else "system"


def default_system_names(names: Sequence[str]) -> list[str]:
    """Names for systems, made of those of their files; no two are the same.

    What all begin or end with is left out, in whole parts between dots, slashes and colons.

    >>> default_system_names(["test2020.OnlineA.txt", "test2020.OnlineB.txt"])
    ['OnlineA', 'OnlineB']
    >>> default_system_names(["mt.txt"]), default_system_names(["a.1.txt", "a.2.txt"]), default_system_names(["x", "x"])
    (['mt.txt'], ['a.1', 'a.2'], ['x', 'x (2)'])
    """
    parts = [re.split(r"([./:]+ *)", name) for name in names]
    if len(set(names)) > 1:
        least = min(map(len, parts))
        start = end = 0
        while start + 2 < least and len({tuple(own[: start + 2]) for own in parts}) == 1:
            start += 2
        while end + 2 < least - start and len({tuple(own[-end - 2 :]) for own in parts}) == 1:
            end += 2
        shorter = ["".join(own[start : len(own) - end]) for own in parts]
        if not all(re.search(r"^(?!(txt|gz)\b).*[^\W\d_]", one) for one in shorter):
            shorter = ["".join(own[: len(own) - end]) for own in parts]
        names = shorter
    found: list[str] = []
    for name in names:
        numbered = (name if number == 1 else f"{name} ({number})" for number in count(1))
        found.append(next(one for one in numbered if one not in found))
    return found


def check_size(name: str, size: int) -> None:
    """Refuse a file that is too large, before it is read.

    >>> check_size("system.txt", 3 * 2**30)
    Traceback (most recent call last):
    bleu.corpus.text_files.FileError: system.txt has 3,072 MB; a browser can safely hold \
100 MB per file. On the command line, python -m bleu corpus has no such limit
    """
    if size > MAX_FILE_BYTES:
        raise _too_large(f"{name} has {size / MEGABYTE:,.0f} MB")


def read_source(
    name: str, content: io.RawIOBase | io.BytesIO, size: int
) -> Generator[Progress, None, TextSource]:
    """A file as lines; encodings, line ends and errors are those of the command line.

    Yields how many of the file's bytes are read, after every piece.

    Raises FileError also where it unpacks to too much, or its lines would take too much memory.
    """
    lines: list[str] = []
    held = 0
    for characters, ended in read_line_chunks(name, content):
        lines += ended
        held += sum(map(getsizeof, ended))
        if characters > MAX_FILE_BYTES:
            raise _too_large(f"{name} unpacks to more than {MAX_FILE_BYTES / MEGABYTE:,.0f} MB")
        if held > MAX_MEMORY_BYTES:
            raise _too_large(
                f"the lines of {name} take more than {MAX_MEMORY_BYTES / MEGABYTE:,.0f} MB"
            )
        yield Progress(f"reading {name}", content.tell(), size, "MB")
    return TextSource(name, lines)


def _too_large(what: str) -> FileError:
    return FileError(
        f"{what}; a browser can safely hold {MAX_FILE_BYTES / MEGABYTE:,.0f} MB per file. On the "
        "command line, python -m bleu corpus has no such limit"
    )


def pasted_source(name: str, text: str) -> TextSource:
    r"""A box as lines, which end as those of files; the end of the last does not begin another.

    >>> pasted_source("System", "one\r\n\nthree\n").lines
    ['one', '', 'three']
    """
    *lines, last = text.split("\n")
    return TextSource(
        name, [line.removesuffix("\r") for line in [*lines, *([last] if last else [])]]
    )


def parse_table(source: TextSource) -> Generator[Progress, None, DataTable]:
    r"""A table of values between tabs, commas or semicolons, or of JSON objects, one a line.

    The first line of the former names the columns. JSON objects may leave out a column that others
    have, if it is not used. A cell of JSON may be a list of texts. Names are made visible. Yields
    how many rows are read, after each.

    Raises FileError with the line that does not fit.
    """
    first = next(filter(str.strip, source.lines), "")
    if not first:
        raise FileError(f"{source.name} is empty; give a table with a line for each segment")
    if first.lstrip().startswith("{"):
        columns, rows = yield from _objects(source)
        return DataTable(source.name, tuple(map(token_text, columns)), rows)
    columns, rows = yield from _cells(source, _separator(first))
    return DataTable(source.name, tuple(map(token_text, columns)), rows, tuple(columns))


Table = Generator[Progress, None, tuple[Sequence[str], Sequence[Sequence[Any]]]]
"""Reads the names of the columns, and the rows below them."""


def _separator(first: str) -> str:
    """What stands between the values: where the comma is a decimal sign, CSV has semicolons."""
    if "\t" in first:
        return "\t"
    unquoted = re.sub('"[^"]*"', "", first)
    return ";" if ";" in unquoted and "," not in unquoted else ","


def _cells(source: TextSource, separator: str) -> Table:
    lines = (line for _, line in _numbered_lines(source))
    ended = (f"{line}\n" for line in lines)
    found: Iterator[list[str]] = csv.reader(ended, delimiter=separator)
    if separator == "\t":
        found = (line.split("\t") if line.strip() or "\t" in line else [] for line in lines)
    rows: list[list[str]] = []
    what = f"reading the table {source.name}"
    try:
        for number, row in enumerate(found, 1):
            if row:
                rows.append(row)
                _check_row(source.name, row, len(rows), len(rows[0]))
            yield Progress(what, number, len(source.lines))
    except csv.Error as error:
        raise FileError(f"{source.name}, row {len(rows) + 1} cannot be read: {error}") from None
    return rows[0], rows[1:]


def _check_row(name: str, row: list[str], number: int, columns: int) -> None:
    if columns < 2:
        raise FileError(
            f"{name} has no columns: its first line has no tab, comma or semicolon; give TSV, "
            "CSV or one JSON object a line"
        )
    if len(row) != columns:
        raise FileError(
            f"{name}, row {number} has {len(row)} column{'' if len(row) == 1 else 's'}, and the "
            f"first row has {columns}"
        )


def _numbered_lines(source: TextSource) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(source.lines, 1):
        if len(line) > MAX_LINE_CHARACTERS:
            raise FileError(
                f"{source.name}, line {number} has {len(line):,} characters; a line of a table "
                f"may have {MAX_LINE_CHARACTERS:,}"
            )
        yield number, line


def _nesting(line: str) -> int:
    """How deep the brackets of a line of JSON go, those in its strings aside; 0 where few are."""
    if line.count("[") + line.count("{") <= MAX_NESTING:
        return 0
    brackets = re.sub(r'"(?:[^"\\]|\\.)*"?|[^][{}]', "", line)
    return max(accumulate(1 if one in "[{" else -1 for one in brackets), default=0)


def _objects(source: TextSource) -> Table:
    columns: dict[str, None] = {}
    found = []
    what = f"reading the table {source.name}"
    for number, line in _numbered_lines(source):
        if line.strip():
            found.append(_object(source.name, number, line))
            columns |= dict.fromkeys(found[-1])
        yield Progress(what, number, len(source.lines))
    if not columns:
        raise FileError(f"{source.name} has no columns: all its objects are empty")
    rows = []
    for one in found:
        rows.append([one.get(name) for name in columns])
        yield Progress(f"sorting the columns of {source.name}", len(rows), len(found))
    return list(columns), rows


def _object(name: str, number: int, line: str) -> dict[str, Any]:
    if _nesting(line) > MAX_NESTING:
        raise FileError(
            f"{name}, line {number} is nested more than {MAX_NESTING} deep; give texts, or lists of "
            "texts"
        )
    try:
        one = json.loads(line)
    except ValueError as error:
        raise FileError(f"{name}, line {number} is not JSON: {error}") from None
    if not isinstance(one, dict):
        raise FileError(f"{name}, line {number} is not a JSON object: {line[:40]!r}")
    return one


ROLES: Final = {"": "not used", "system": "system", "references": "reference"}
"""What a column may be used as."""

_HEADER_WORDS: Final = {
    "references": "ref refs reference references target tgt trg gold golden human truth",
    "system": "hyp hyps hypothesis hypotheses mt system sys output candidate cand translation "
    "prediction pred generated",
    "": "id ids line number no nr segment seg index row doc document docid lang language langs "
    "source src domain score scores rating date comment note",
}
"""What people call columns, by what they hold; a source is not used."""


def guess_roles(table: DataTable) -> list[str]:
    """What each column is likely to be, by its header: a key of ROLES.

    A header that is not known is a system's where a reference is found and no system is.

    >>> guess_roles(DataTable("a.tsv", ("id", "src", "mt", "ref"), ()))
    ['', '', 'system', 'references']
    >>> guess_roles(DataTable("a.tsv", ("Source", "Online-A", "Online-B", "Reference 1"), ()))
    ['', 'system', 'system', 'references']
    """
    known = {word: role for role, words in _HEADER_WORDS.items() for word in words.split()}
    roles: list[str | None] = []
    for name in table.columns:
        words = re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower())
        found = [known[word] for word in words if word in known]
        best = "references" if "references" in found else found[0] if found else None
        roles.append(best)
    others = "system" if "references" in roles and "system" not in roles else ""
    return [others if role is None else role for role in roles]


def column_sources(table: DataTable, index: int) -> Generator[Progress, None, list[TextSource]]:
    """A column as lines; as several, where its cells are lists of texts of the same length.

    Yields how many rows are read, after each.

    Raises FileError, with the row, where a cell is missing, or neither text nor such a list.
    """
    name = f"{table.name}: {table.columns[index]}"
    first = table.rows[0][index] if table.rows else ""
    several = isinstance(first, list)
    names = [f"{name} {n}" for n, _ in enumerate(first, 1)] if several else [name]
    found: list[list[str]] = [[] for _ in names]
    for number, row in enumerate(table.rows, 1):
        cells = row[index] if several else [row[index]]
        here = f"{table.name}, row {number}"
        if cells is None or (isinstance(cells, list) and None in cells):
            raise FileError(f"{here} has no text for {table.columns[index]}; give one in each row")
        if not isinstance(cells, list):
            raise FileError(f"{here} has {_as_json(cells)}, which is not a list as in row 1")
        if len(cells) != len(names) or not cells:
            raise FileError(
                f"{name} has lists of different lengths, in row {number}; give as many for each "
                "segment"
            )
        for lines, cell in zip(found, cells, strict=True):
            if not isinstance(cell, str):
                raise FileError(f"{here} has {_as_json(cell)}, which is not text")
            lines.append(cell.replace("\n", " "))
        yield Progress(f"taking {name}", number, len(table.rows))
    return [TextSource(one, lines) for one, lines in zip(names, found, strict=True)]


def _as_json(cell: object) -> str:
    return token_text(json.dumps(cell, ensure_ascii=False))
