"""Opened or pasted texts as lines, and tables whose columns are such texts."""

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
from bleu.explanation.phrases import count_with_noun, token_text

MEGABYTE: Final = 2**20

MAX_FILE_BYTES: Final = 100 * MEGABYTE
"""Bytes of a file, and characters of its unpacked text."""

MAX_MEMORY_BYTES: Final = 400 * MEGABYTE
"""Bytes that the lines of one file may take of Python's memory of 2 GB."""

MAX_LINE_CHARACTERS: Final = 2**20
"""Characters of a line or cell of a table, which is parsed while the page does not respond."""

MAX_NESTING: Final = 100
"""Nesting of a line of JSON; many thousands of levels crash Python in a browser."""

csv.field_size_limit(MAX_LINE_CHARACTERS)


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a task: how much of a total is done; `unit` is "MB" if they are bytes."""

    task: str
    done: int
    total: int
    unit: str = ""


SPLIT_LABEL: Final = "Split at returns"
"""The label of the button that splits the lines of an old Mac file."""


@dataclass(frozen=True, slots=True)
class TextSource:
    """The lines of one file or box, under the name that messages use."""

    name: str
    lines: Sequence[str]

    @property
    def note(self) -> str:
        """A note if the lines seem to end at carriage returns, or ""."""
        remedy = f"press “{SPLIT_LABEL}” beside its name"
        return old_mac_note(self.name, self.lines, remedy)

    def split(self) -> "TextSource":
        r"""Return the source with its lines split at \r.

        >>> TextSource("mac.txt", ["one\r\rthree"]).split().lines
        ['one', '', 'three']
        """
        return TextSource(self.name, [part for line in self.lines for part in line.split("\r")])


@dataclass(frozen=True, slots=True)
class DataTable:
    """A table from a file: the names of its columns, and its rows, whose cells may be lists.

    `header` is the first row as it was read, or empty for JSON objects.
    """

    name: str
    columns: tuple[str, ...]
    rows: Sequence[Sequence[Any]]
    header: tuple[str, ...] = ()

    @property
    def without_header(self) -> "DataTable":
        """The table with its first row as data.

        >>> table = DataTable("a.tsv", ("x", "y"), [["a", "b"]], ("x", "y")).without_header
        >>> table.columns, table.rows
        (('column 1', 'column 2'), [('x', 'y'), ['a', 'b']])
        """
        columns = tuple(f"column {n}" for n, _ in enumerate(self.header, 1))
        return replace(self, columns=columns, rows=[self.header, *self.rows])


REFERENCE: Final = re.compile(r"(?<![a-z])(?:refs?|references?)(?![a-z])", re.IGNORECASE)
SOURCE: Final = re.compile(r"(?<![a-z])(?:src|sources?)(?![a-z])", re.IGNORECASE)
TABLE: Final = re.compile(r"\.(?:tsv|csv|jsonl|ndjson)(?:\.gz)?$", re.IGNORECASE)
"""Names of files with references, with the source text, or with a table."""


def guess_file_role(name: str) -> str:
    """Return the role that a file's name suggests: system, references, source or table.

    >>> [guess_file_role(name) for name in ("OnlineA.txt", "x.ref.en.txt", "x.src.ru", "a.csv")]
    ['system', 'references', 'source', 'table']
    """
    if TABLE.search(name):
        return "table"
    words = re.sub(r"(?<=[a-z])(?=[A-Z0-9])", " ", name.rpartition("/")[2])
    if REFERENCE.search(words):
        return "references"
    return "source" if SOURCE.search(words) else "system"


def default_system_names(names: Sequence[str]) -> list[str]:
    """Return distinct names for systems, made of the names of their files.

    Parts between dots, slashes and colons that all names share at the beginning or the end are left
    out.

    >>> default_system_names(["test2020.OnlineA.txt", "test2020.OnlineB.txt"])
    ['OnlineA', 'OnlineB']
    >>> default_system_names(["mt.txt"]), default_system_names(["x", "x"])
    (['mt.txt'], ['x', 'x (2)'])
    """
    parts = [re.split(r"([./:]+ *)", name) for name in names]
    if len(set(names)) > 1:
        shortest = min(map(len, parts))
        start = end = 0
        # Every second part is a separator.
        while (
            start + 2 < shortest
            and len({tuple(name_parts[: start + 2]) for name_parts in parts}) == 1
        ):
            start += 2
        while (
            end + 2 < shortest - start
            and len({tuple(name_parts[-end - 2 :]) for name_parts in parts}) == 1
        ):
            end += 2
        names = ["".join(name_parts[start : len(name_parts) - end]) for name_parts in parts]
        if not all(re.search(r"^(?!(txt|gz)\b).*[^\W\d_]", name) for name in names):
            names = ["".join(name_parts[: len(name_parts) - end]) for name_parts in parts]
    distinct: list[str] = []
    for name in names:
        numbered = (name if number == 1 else f"{name} ({number})" for number in count(1))
        distinct.append(next(candidate for candidate in numbered if candidate not in distinct))
    return distinct


def check_size(name: str, size: int) -> None:
    """Raise FileError if a file is too large to be read."""
    if size > MAX_FILE_BYTES:
        raise _too_large(f"{name} has {size / MEGABYTE:,.0f} MB")


def read_source(
    name: str, content: io.RawIOBase | io.BytesIO, size: int
) -> Generator[Progress, None, TextSource]:
    """Return the lines of a file, with encodings and line ends as on the command line.

    Yields the number of bytes read after every chunk.

    Raises FileError as `read_line_chunks`, and if the file unpacks to too much or its lines take
    too much memory.
    """
    lines: list[str] = []
    memory = 0
    for characters, new_lines in read_line_chunks(name, content):
        lines += new_lines
        memory += sum(map(getsizeof, new_lines))
        if characters > MAX_FILE_BYTES:
            raise _too_large(f"{name} unpacks to more than {MAX_FILE_BYTES / MEGABYTE:,.0f} MB")
        if memory > MAX_MEMORY_BYTES:
            raise _too_large(
                f"the lines of {name} take more than {MAX_MEMORY_BYTES / MEGABYTE:,.0f} MB"
            )
        yield Progress(f"reading {name}", content.tell(), size, "MB")
    return TextSource(name, lines)


def _too_large(message: str) -> FileError:
    return FileError(
        f"{message}; a browser can safely hold {MAX_FILE_BYTES / MEGABYTE:,.0f} MB per file. On "
        "the command line, python -m bleu corpus has no such limit"
    )


def pasted_source(name: str, text: str) -> TextSource:
    r"""Return the lines of a box, which end as those of files.

    >>> pasted_source("System", "one\r\n\nthree\n").lines
    ['one', '', 'three']
    """
    *lines, last = text.split("\n")
    return TextSource(
        name, [line.removesuffix("\r") for line in [*lines, *([last] if last else [])]]
    )


def parse_table(source: TextSource) -> Generator[Progress, None, DataTable]:
    r"""Return a table of values between tabs, commas or semicolons, or of JSON objects in lines.

    The first line of separated values names the columns. JSON objects may lack a column that is not
    used, and a cell of JSON may be a list of texts. Invisible characters in names are escaped.
    Yields the number of rows read after each.

    Raises FileError, with the line, if the content is not such a table.
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
"""A generator that returns the names of the columns, and the rows below them."""


def _separator(first: str) -> str:
    """Return the separator; CSV has semicolons in locales with a decimal comma."""
    if "\t" in first:
        return "\t"
    unquoted = re.sub('"[^"]*"', "", first)
    return ";" if ";" in unquoted and "," not in unquoted else ","


def _cells(source: TextSource, separator: str) -> Table:
    lines = (line for _, line in _numbered_lines(source))
    parsed: Iterator[list[str]] = csv.reader((f"{line}\n" for line in lines), delimiter=separator)
    if separator == "\t":
        parsed = (line.split("\t") if line.strip() or "\t" in line else [] for line in lines)
    rows: list[list[str]] = []
    task = f"reading the table {source.name}"
    try:
        for number, row in enumerate(parsed, 1):
            if row:
                rows.append(row)
                _check_row(source.name, row, len(rows), len(rows[0]))
            yield Progress(task, number, len(source.lines))
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
            f"{name}, row {number} has {count_with_noun(len(row), 'column')}, and the first row "
            f"has {columns}"
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
    """Return how deep brackets outside of strings are nested, or 0 if there are few."""
    if line.count("[") + line.count("{") <= MAX_NESTING:
        return 0
    brackets = re.sub(r'"(?:[^"\\]|\\.)*"?|[^][{}]', "", line)
    return max(accumulate(1 if bracket in "[{" else -1 for bracket in brackets), default=0)


def _objects(source: TextSource) -> Table:
    columns: dict[str, None] = {}
    objects = []
    task = f"reading the table {source.name}"
    for number, line in _numbered_lines(source):
        if line.strip():
            objects.append(_object(source.name, number, line))
            columns |= dict.fromkeys(objects[-1])
        yield Progress(task, number, len(source.lines))
    if not columns:
        raise FileError(f"{source.name} has no columns: all its objects are empty")
    rows = []
    for values in objects:
        rows.append([values.get(name) for name in columns])
        yield Progress(f"sorting the columns of {source.name}", len(rows), len(objects))
    return list(columns), rows


def _object(name: str, number: int, line: str) -> dict[str, Any]:
    if _nesting(line) > MAX_NESTING:
        raise FileError(
            f"{name}, line {number} is nested more than {MAX_NESTING} deep; give texts, or lists "
            "of texts"
        )
    try:
        parsed = json.loads(line)
    except ValueError as error:
        raise FileError(f"{name}, line {number} is not JSON: {error}") from None
    if not isinstance(parsed, dict):
        raise FileError(f"{name}, line {number} is not a JSON object: {line[:40]!r}")
    return parsed


GROUPS: Final = "groups"
"""The role of a column with the document, domain or language of each segment."""
ROLES: Final = {"": "not used", "system": "system", "references": "reference", GROUPS: "group"}
"""The roles of a column and their labels."""

_HEADER_WORDS: Final = {
    "references": "ref refs reference references target tgt trg gold golden human truth",
    "system": "hyp hyps hypothesis hypotheses mt system sys output candidate cand translation "
    "prediction pred generated",
    GROUPS: "doc document documents docid lang language langs domain",
    "": "id ids line number no nr segment seg index row source src score scores rating date "
    "comment note",
}
"""Usual names of columns by role; a source is not used."""


def guess_roles(table: DataTable) -> list[str]:
    """Return the role that each column's name suggests: a key of ROLES.

    If there is a reference but no system, columns with unknown names are systems. A column is a
    group only if it divides the rows.

    >>> guess_roles(DataTable("a.tsv", ("id", "src", "mt", "ref"), ()))
    ['', '', 'system', 'references']
    """
    role_by_word = {word: role for role, words in _HEADER_WORDS.items() for word in words.split()}
    roles: list[str | None] = []
    for index, name in enumerate(table.columns):
        words = re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower())
        matches = [role_by_word[word] for word in words if word in role_by_word]
        role = "references" if "references" in matches else next(iter(matches), None)
        if GROUPS in matches:
            names = set(group_source(table, index).lines)
            role = GROUPS if 1 < len(names) < len(table.rows) else ""
        roles.append(role)
    default = "system" if "references" in roles and "system" not in roles else ""
    return [default if role is None else role for role in roles]


def column_sources(table: DataTable, index: int) -> Generator[Progress, None, list[TextSource]]:
    """Return a column as lines, or as several sources if its cells are lists of texts.

    All lists must have the same length. Yields the number of rows read after each.

    Raises FileError, with the row, if a cell is missing, or is neither text nor such a list.
    """
    name = f"{table.name}: {table.columns[index]}"
    first = table.rows[0][index] if table.rows else ""
    has_lists = isinstance(first, list)
    names = [f"{name} {n}" for n, _ in enumerate(first, 1)] if has_lists else [name]
    lines_by_source: list[list[str]] = [[] for _ in names]
    for number, row in enumerate(table.rows, 1):
        cells = row[index] if has_lists else [row[index]]
        location = f"{table.name}, row {number}"
        if cells is None or (isinstance(cells, list) and None in cells):
            raise FileError(
                f"{location} has no text for {table.columns[index]}; give one in each row"
            )
        if not isinstance(cells, list):
            raise FileError(f"{location} has {_as_json(cells)}, which is not a list as in row 1")
        if len(cells) != len(names) or not cells:
            raise FileError(
                f"{name} has lists of different lengths, in row {number}; give as many for each "
                "segment"
            )
        for lines, cell in zip(lines_by_source, cells, strict=True):
            if not isinstance(cell, str):
                raise FileError(f"{location} has {_as_json(cell)}, which is not text")
            lines.append(cell.replace("\n", " "))
        yield Progress(f"taking {name}", number, len(table.rows))
    return [TextSource(*pair) for pair in zip(names, lines_by_source, strict=True)]


def group_source(table: DataTable, index: int) -> TextSource:
    """Return a column with the group of each segment; numbers and missing cells are groups, too."""
    cells = (row[index] for row in table.rows)
    return TextSource(table.columns[index], ["" if cell is None else str(cell) for cell in cells])


def _as_json(cell: object) -> str:
    return token_text(json.dumps(cell, ensure_ascii=False))
