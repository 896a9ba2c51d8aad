"""Texts from files, pasted lines and tables: read in slices, with their progress.

The generators yield their progress, and a promise when they wait for the browser.
"""

import csv
import io
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import count
from posixpath import commonprefix
from sys import getsizeof
from typing import Any, Final

from bleu.core.progress import Progress, track
from bleu.document.writing import isolate, without_isolates
from bleu.explanation.phrases import english_list, name_text, token_text
from bleu.files.containers import detect_container, read_container
from bleu.files.data_table import (
    GROUPS,
    REFERENCES,
    SOURCES,
    SYSTEM,
    UNUSED,
    DataTable,
    file_roles,
    group_names,
    guess_roles,
)
from bleu.files.formats import TextColumn, table_columns
from bleu.files.matching import (
    MAX_ROWS,
    Chosen,
    choose_both,
    choose_pair,
    fit_tables,
    plain_table,
    source_columns,
)
from bleu.files.text_files import (
    PEEKED_BYTES,
    FileError,
    is_workbook,
    read_line_chunks,
)

MEGABYTE: Final = 2**20
MAX_FILE_BYTES: Final = 100 * MEGABYTE
"""The largest number of bytes of a file, and of characters of its unpacked text."""
MAX_MEMORY_BYTES: Final = 400 * MEGABYTE
"""Bytes that the lines of one file may take of Python's memory of 2 GB."""
MAX_LINE_CHARACTERS: Final = 2**20
"""Characters of a line or cell of a table; the page does not respond while it is parsed."""
READ_ERROR_REASONS: Final = {
    "NotFoundError": "it is a folder, or it is gone; choose a file",
    "NotReadableError": "it has changed since it was chosen, or may not be read; choose it again",
}
"""Why the browser cannot read a file and what to do, by the name of the browser's error."""
MAX_TEXT_BYTES: Final = MEGABYTE
"""The largest number of bytes, and of characters, of a file read into a box as one text."""
MAX_NAMED_FILES: Final = 5
"""The largest number of files named in a message."""
UNSCORED: Final = (GROUPS, SOURCES)
"""The slots whose texts are not scored, and may have missing cells."""
ROLES: Final = {
    UNUSED: "not used",
    SYSTEM: "system",
    REFERENCES: "reference",
    GROUPS: "group",
    SOURCES: "source, for the check-up",
}
"""The roles of a column and their labels."""

csv.field_size_limit(MAX_LINE_CHARACTERS)


@dataclass(frozen=True, slots=True)
class TextSource(TextColumn):
    """The texts of one file or box, under the name that messages use.

    - `has_bom`: whether the file began with the byte order mark of UTF-8.
    - `origin`: the lines of the whole file, if this source is one of its columns.
    - `refusal`: why the file could not be read, with its name, or "".
    - `table`, `column`: the table of the file, and the index of the column of these texts, or None
      as long as no column is chosen.
    - `is_chosen`: whether a person chose the column; `rival`: a clause on another that matches.
    """

    has_bom: bool = False
    origin: "TextSource | None" = None
    refusal: str = ""
    table: DataTable | None = field(default=None, compare=False, repr=False)
    column: int | None = None
    is_chosen: bool = False
    rival: str = ""


TABLE_PATTERN: Final = re.compile(
    r"\.(?:(?:tsv|csv|jsonl|ndjson|tmx|xlf|xliff)(?:\.gz)?|xlsx|xls|ods)$", re.IGNORECASE
)
"""The end of the name of a file with a table."""


def guess_file_role(name: str, *, is_alone: bool = True) -> str:
    """Return the slot that a file's name suggests: system, references, sources or table.

    A table that is opened with other files, so that `is_alone` is False, is for one of the others.

    >>> [guess_file_role(name) for name in ("OnlineA.txt", "x.ref.en.txt", "x.src.ru", "a.csv")]
    ['system', 'references', 'sources', 'table']
    """
    roles = file_roles(name.rpartition("/")[2])
    is_tabbed = REFERENCES in roles and name.lower().endswith(".tsv")
    if is_alone and TABLE_PATTERN.search(name) and not is_tabbed:
        return "table"
    return next((role for role in (REFERENCES, SOURCES) if role in roles), SYSTEM)


def default_system_names(names: Sequence[str]) -> list[str]:
    """Return distinct names for systems, made from the names of their files.

    The names are split at dots, slashes and colons; parts at the beginning or the end that all
    names share are left out.

    >>> default_system_names(["test2020.OnlineA.txt", "test2020.OnlineB.txt"])
    ['OnlineA', 'OnlineB']
    """
    parts = [re.split(r"([./:]+ *)", name) for name in names]
    if len(set(names)) > 1:
        shortest = min(map(len, parts))
        start = min(_prefix_length(parts), shortest - 1)
        end = min(_prefix_length([name_parts[::-1] for name_parts in parts]), shortest - start - 1)
        names = ["".join(name_parts[start : len(name_parts) - end]) for name_parts in parts]
        if not all(re.search(r"^(?!(txt|gz)\b).*[^\W\d_]", name) for name in names):
            names = ["".join(name_parts[: len(name_parts) - end]) for name_parts in parts]
    distinct: list[str] = []
    for name in names:
        numbered = (name if number == 1 else f"{name} ({number})" for number in count(1))
        distinct.append(next(candidate for candidate in numbered if candidate not in distinct))
    return distinct


def _prefix_length(names: Sequence[list[str]]) -> int:
    """Return how many leading parts all names share, rounded down to end with a separator."""
    return len(commonprefix(names)) // 2 * 2


def check_size(name: str, size: int) -> None:
    """Raise FileError if a file is too large to be read."""
    if size > MAX_FILE_BYTES:
        raise _size_error(f"{isolate(name)} has {size / MEGABYTE:,.0f} MB")


def read_source(
    name: str, content: io.RawIOBase | io.BytesIO, size: int
) -> Generator[Progress, None, TextSource]:
    """Return the lines of a file, decoded and split as on the command line.

    `size` is the number of bytes, after decompression. Yields the number of bytes read after
    every chunk; for a gzip file, the number of characters.

    Raises FileError as `read_line_chunks` does, and if the file unpacks to too much or its lines
    take too much memory.
    """
    lines: list[str] = []
    memory = 0
    shown_name = isolate(name)
    for characters, new_lines in read_line_chunks(shown_name, content):
        lines += new_lines
        memory += sum(map(getsizeof, new_lines))
        if characters > MAX_FILE_BYTES:
            raise _size_error(
                f"{shown_name} unpacks to more than {MAX_FILE_BYTES / MEGABYTE:,.0f} MB"
            )
        if memory > MAX_MEMORY_BYTES:
            raise _size_error(
                f"the lines of {shown_name} take more than {MAX_MEMORY_BYTES / MEGABYTE:,.0f} MB"
            )
        done = min(max(content.tell(), characters), size)
        yield Progress(f"reading {shown_name}", done, size, "MB")
    return TextSource(name, lines)


def _size_error(message: str) -> FileError:
    return FileError(
        f"{message}; a browser can safely hold {MAX_FILE_BYTES / MEGABYTE:,.0f} MB per file. On "
        "the command line, python -m bleu corpus has no such limit"
    )


def pasted_source(name: str, text: str) -> TextSource:
    r"""Return the lines of a text box, with line ends as in files.

    >>> pasted_source("System", "one\r\n\nthree\n").lines
    ['one', '', 'three']
    """
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return TextSource(name, [line.removesuffix("\r") for line in lines])


def parse_table(
    source: TextSource, role: str | None = None
) -> Generator[Progress, None, DataTable]:
    """Return the table that `read_container` reads from the lines for a role, with progress.

    Invisible characters in the names of columns are escaped.

    Raises FileError as `read_container` does, and if a line is too long to parse without a pause.
    """
    name = isolate(source.name)
    for number, line in enumerate(source.lines, 1):
        if len(line) > MAX_LINE_CHARACTERS and line.lstrip()[:1] not in "[<":
            raise FileError(
                f"{name}, line {number} has {len(line):,} characters; a line of a table "
                f"may have at most {MAX_LINE_CHARACTERS:,}"
            )
    steps = read_container(name, source.lines, role)
    return _with_plain_names((yield from track(f"reading the table {name}", steps)))


def _with_plain_names(table: DataTable) -> DataTable:
    columns, header = (tuple(map(token_text, names)) for names in (table.columns, table.header))
    return replace(table, name=without_isolates(table.name), columns=columns, header=header)


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table with both sides in a file, and the lines of the file, or None for a workbook."""

    table: DataTable
    origin: TextSource | None


Chooser = Callable[[DataTable], tuple[DataTable, Chosen] | None]
"""A function that returns a table with or without a header, and the columns to use of it.

It returns None if the table has both sides.
"""


def choose_columns(
    table: DataTable, slot: str, others: Sequence[TextSource], *, is_alone: bool = False
) -> tuple[DataTable, Chosen] | None:
    """Return the table of a file, and the columns with the texts of a slot; none if it is unclear.

    They match the texts of the other side best, whose first is `others[0]`. If there is no other
    side, and no other file is being read, which `is_alone` says, a table may have both; so may
    one whose format gives roles to its columns.
    """
    if slot == SOURCES:
        return table, Chosen(source_columns(table))
    if is_alone and (not others or {SYSTEM, REFERENCES} <= {*table.roles}):
        sides = [choice.indices for choice in choose_both(table)]
        if all(sides) and not set(sides[0]) & set(sides[1]):
            return None
    other = others[0] if others else TextSource("", [])
    other_table, fixed = other.table, [other.column or 0] if other.is_chosen else []
    if not other_table:
        table, other_table = fit_tables(table, plain_table("", other.lines))
        other_table, fixed = replace(other_table, rows=other_table.rows[:MAX_ROWS]), [0]
    elif others:
        table, other_table = fit_tables(table, other_table)
    if slot == REFERENCES:
        return table, choose_pair(other_table, table, fixed, ())[1]
    return table, choose_pair(table, other_table, (), fixed)[0]


def read_role_texts(
    content: TextSource | DataTable, role: str, choose: Chooser
) -> Generator[Progress, None, list[TextSource] | FoundTable]:
    """Return the texts of a file for one role: its lines or, in a table, the chosen columns.

    If the table has both sides, return the table itself. A file whose rows have different numbers
    of cells is read as lines, because prose may look like separated values.

    Raises FileError if JSON or markup cannot be read.
    """
    origin = content if isinstance(content, TextSource) else None
    if isinstance(content, TextSource):
        container = detect_container(content.lines, role)
        if not container:
            return [content]
        try:
            table = yield from parse_table(content, role)
        except FileError:
            if container != "table":
                raise
            return [content]
    else:
        table = content
    choice = choose(table)
    if choice is None:
        return FoundTable(table, origin)
    return (yield from chosen_sources(*choice, role, origin))


def chosen_sources(
    table: DataTable, choice: Chosen, role: str, origin: TextSource | None
) -> Generator[Progress, None, list[TextSource]]:
    """Return the texts of columns of a file; without a column, a source whose column is open."""
    known = {"origin": origin, "table": table, "is_chosen": choice.is_named, "rival": choice.rival}
    sources: list[TextSource] = []
    for index in choice.indices:
        sources += yield from column_sources(table, index, role, column=index, **known)
    return sources or [TextSource(table.name, [], file=table.name, origin=origin, table=table)]


def column_sources(
    table: DataTable, index: int, role: str = REFERENCES, /, **known: Any
) -> Generator[Progress, None, list[TextSource]]:
    """Return a column as one source, or as several if its cells are lists of texts.

    `known` are further fields of the sources.
    """
    task = f"taking {isolate(f'{table.name}: {table.columns[index]}')}"
    steps = table_columns(replace(table, name=isolate(table.name)), index, role)
    columns = yield from track(task, steps)
    prefix = "" if table.has_one_text else f"{table.name}: "
    return [
        TextSource(
            **{field.name: getattr(column, field.name) for field in fields(column)}
            | {"name": without_isolates(f"{prefix}{column.name}"), "file": table.name},
            **known,
        )
        for column in columns
    ]


def column_roles(table: DataTable) -> list[str | None]:
    """Return the roles of the columns: those that match, and those that `guess_roles` finds.

    SOURCES is the role of the first unused column of source texts.

    >>> column_roles(DataTable("a.tsv", ("id", "src", "mt", "ref"), ()))
    ['', 'sources', 'system', 'references']
    """
    roles = guess_roles(table)
    chosen = dict(zip((SYSTEM, REFERENCES), choose_both(table), strict=True))
    if all(choice.indices for choice in chosen.values()):
        roles = [UNUSED if role in chosen else role for role in roles]
        for role, choice in chosen.items():
            for index in choice.indices:
                roles[index] = role
    for index, name in enumerate(table.columns):
        if roles[index] == UNUSED and SOURCES in file_roles(name):
            roles[index] = SOURCES
            break
    return roles


class BrowserFile(io.RawIOBase):
    """A file in the browser's memory, copied to Python's memory only as it is read."""

    def __init__(self, buffer: Any) -> None:
        self.buffer = buffer
        self.position = 0

    def readable(self) -> bool:
        """Return True."""
        return True

    def tell(self) -> int:
        """Return the number of bytes read."""
        return self.position

    def readinto(self, target: Any) -> int:
        """Copy the next bytes of the file to `target`; return their number."""
        chunk = self.buffer.slice(self.position, self.position + len(target)).to_bytes()
        target[: len(chunk)] = chunk
        self.position += len(chunk)
        return len(chunk)


def read_file(file: Any) -> Generator[Any, Any, TextSource | DataTable]:
    """Return the lines of a file, or the table in a workbook.

    Raises FileError, with the reason, if the file is too large or cannot be read.
    """
    name, shown_name = token_text(file.name), name_text(file.name)
    check_size(name, file.size)
    yield Progress(f"reading {shown_name}", 0, file.size, "MB")
    try:
        buffer = yield file.arrayBuffer()
    except Exception as error:
        reason = READ_ERROR_REASONS.get(getattr(error, "name", ""), str(error) or repr(error))
        raise FileError(f"{shown_name} cannot be read: {reason}") from None
    try:
        if is_workbook(buffer.slice(0, PEEKED_BYTES).to_bytes()):
            # Only workbooks need zipfile: see LAZY_MODULES in app/build/stdlib.py.
            from bleu.files.markup import parse_workbook

            content = io.BytesIO(buffer.slice(0, file.size).to_bytes())
            steps = parse_workbook(shown_name, content)
            return _with_plain_names((yield from track(f"reading the table {shown_name}", steps)))
        size = _unpacked_size(buffer, file.size)
        source = yield from read_source(name, BrowserFile(buffer), size)
        return replace(source, has_bom=BrowserFile(buffer).read(3) == BOM_UTF8)
    except MemoryError:
        raise FileError(
            f"{shown_name} cannot be read: the browser has no memory left for it; split the file"
        ) from None


def _unpacked_size(buffer: Any, size: int) -> int:
    """Return the size of a file or, for gzip, the unpacked size that its last four bytes state."""
    if buffer.slice(0, 2).to_bytes() != b"\x1f\x8b":
        return size
    return int.from_bytes(buffer.slice(size - 4, size).to_bytes(), "little")


def read_files(
    files: Sequence[Any], role: str, choose: Chooser
) -> Generator[Any, Any, list[list[TextSource] | FoundTable]]:
    """Return the texts of each file for a role, or its table, as `read_role_texts` does.

    Raises FileError as `read_file` does.
    """
    contents = []
    for file in files:
        contents.append((yield from read_role_texts((yield from read_file(file)), role, choose)))
    return contents


def read_table(file: Any) -> Generator[Any, Any, DataTable]:
    """Return the table in a workbook, or in the lines of any other file."""
    content = yield from read_file(file)
    if isinstance(content, DataTable):
        return content
    return (yield from parse_table(content))


def read_text(file: Any) -> Generator[Any, Any, str]:
    """Return a file as one text.

    Raises FileError as `read_file` does, and if the text is too long or the file is a workbook.
    """
    name = name_text(file.name)
    if file.size <= MAX_TEXT_BYTES:
        content = yield from read_file(file)
        if isinstance(content, DataTable):
            raise FileError(f"{name} is an Excel workbook (XLSX); drop it outside the text boxes")
        text = "\n".join(content.lines)
        if len(text) <= MAX_TEXT_BYTES:
            return text
    raise FileError(
        f"{name} has more than 1 MB: it is too long for one text; if it has one segment a line, "
        "drop it outside the text boxes"
    )


def read_columns(
    table: DataTable, columns_by_slot: dict[str, list[int]]
) -> Generator[Progress, None, dict[str, list[TextSource]]]:
    """Return the texts for each slot from the columns with the given indices."""
    sources: dict[str, list[TextSource]] = {slot: [] for slot in columns_by_slot}
    for slot, columns in columns_by_slot.items():
        for index in columns:
            if slot in UNSCORED:
                sources[slot].append(TextSource(table.columns[index], group_names(table, index)))
            else:
                sources[slot] += yield from column_sources(table, index, slot)
    return sources


def file_names_text(files: Sequence[Any]) -> str:
    """Return the names of the first five files, and the number of others, for a sentence."""
    names = [name_text(file.name) for file in files[:MAX_NAMED_FILES]]
    more = [f"{len(files) - MAX_NAMED_FILES} more"] if len(files) > MAX_NAMED_FILES else []
    return english_list([*names, *more])
