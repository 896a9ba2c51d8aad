"""What a person opens or pastes, as lines: one segment a line, or a table to choose columns of."""

import csv
import io
import json
import re
from collections.abc import Generator, Iterator, Sequence
from itertools import accumulate
from typing import Any, Final

from bleu.explain.words import token_text
from bleu.lines import FileError, decoded_lines
from bleu.record import record

LARGEST: Final = 100 * 2**20
"""Bytes of a file above which it is not opened: the browser's memory may not do."""

DEEPEST: Final = 100
"""Brackets in brackets that a line of JSON may have: many thousands end Python in a browser."""

csv.field_size_limit(2**31 - 1)


@record
class Source:
    """The lines of one file or box, under the name that messages use."""

    name: str
    lines: Sequence[str]


@record
class Sheet:
    """A table from a file: the names of its columns, and its rows; a cell may be a list."""

    name: str
    columns: tuple[str, ...]
    rows: Sequence[Sequence[Any]]


def refuse_size(name: str, size: int) -> None:
    """Refuse a file that is too large, before it is read.

    >>> refuse_size("system.txt", 3 * 2**30)
    Traceback (most recent call last):
    bleu.lines.FileError: system.txt has 3,072 MB; a browser's memory is sure to hold 100 MB a \
file. On the command line, python -m bleu corpus has no such limit
    """
    if size > LARGEST:
        raise FileError(
            f"{name} has {size / 2**20:,.0f} MB; a browser's memory is sure to hold "
            f"{LARGEST / 2**20:,.0f} MB a file. On the command line, python -m bleu corpus has "
            "no such limit"
        )


def opening(name: str, content: bytes) -> Generator[int, None, Source]:
    """A file as lines; encodings, line ends and errors are those of the command line.

    Yields the number of lines read so far, now and then.
    """
    lines = []
    for line in decoded_lines(name, io.BytesIO(content)):
        lines.append(line)
        if len(lines) % 2000 == 0:
            yield len(lines)
    return Source(name, lines)


def pasted(name: str, text: str) -> Source:
    r"""A box as lines; the end of the last line does not begin another.

    >>> pasted("System", "one\r\n\nthree\n").lines
    ['one', '', 'three']
    """
    return Source(name, [line.removesuffix("\n") for line in io.StringIO(text, newline=None)])


def sheet(source: Source) -> Sheet:
    r"""A table of tab-separated or comma-separated values, or of JSON objects, one a line.

    The first line of the former names the columns. JSON objects may leave out a column that others
    have; it is then empty. A cell of JSON may be a list of texts. Names are made visible.

    Raises FileError with the line that does not fit.

    >>> sheet(Source("a.tsv", ["system\treference", "a b\ta c"])).columns
    ('system', 'reference')
    >>> sheet(Source("a.jsonl", ['{"hyp": "a", "refs": ["b", "c"]}'])).rows
    [['a', ['b', 'c']]]
    """
    lines = [line for line in source.lines if line.strip() or "\t" in line]
    if not lines:
        raise FileError(f"{source.name} is empty; give a table with a line for each segment")
    if lines[0].lstrip().startswith("{"):
        return _objects(source)
    if "\t" in lines[0]:
        rows = [line.split("\t") for line in lines]
    else:
        rows = list(csv.reader(f"{line}\n" for line in source.lines))
        rows = [row for row in rows if row]
    columns, *rest = rows
    if len(columns) < 2:
        raise FileError(
            f"{source.name} has no columns: its first line has neither a tab nor a comma; give "
            "TSV, CSV or one JSON object a line"
        )
    for number, row in enumerate(rest, 2):
        if len(row) != len(columns):
            raise FileError(
                f"{source.name}, row {number} has {len(row)} columns, and the first row has "
                f"{len(columns)}"
            )
    return Sheet(source.name, tuple(map(token_text, columns)), rest)


def _nesting(line: str) -> int:
    """How deep the brackets of a line of JSON go, those in its strings aside; 0 where few are."""
    if line.count("[") + line.count("{") <= DEEPEST:
        return 0
    brackets = re.sub(r'"(?:[^"\\]|\\.)*"?|[^][{}]', "", line)
    return max(accumulate(1 if one in "[{" else -1 for one in brackets), default=0)


def _objects(source: Source) -> Sheet:
    columns: dict[str, None] = {}
    found = []
    for number, line in enumerate(source.lines, 1):
        if not line.strip():
            continue
        if _nesting(line) > DEEPEST:
            raise FileError(
                f"{source.name}, line {number} is nested more than {DEEPEST} deep; give texts, or "
                "lists of texts"
            )
        try:
            one = json.loads(line)
        except ValueError as error:
            raise FileError(f"{source.name}, line {number} is no JSON: {error}") from None
        if not isinstance(one, dict):
            raise FileError(f"{source.name}, line {number} is no JSON object: {line[:40]!r}")
        found.append(one)
        columns |= dict.fromkeys(one)
    if not columns:
        raise FileError(f"{source.name} has no columns: all its objects are empty")
    rows = [[one.get(name, "") for name in columns] for one in found]
    return Sheet(source.name, tuple(map(token_text, columns)), rows)


def column(table: Sheet, place: int) -> list[Source]:
    """A column as lines; as several, where its cells are lists of texts of the same length.

    Raises FileError where a cell is neither text nor such a list.

    >>> table = Sheet("a.jsonl", ("refs",), [[["b", "c"]], [["d", "e"]]])
    >>> [one.lines for one in column(table, 0)]
    [['b', 'd'], ['c', 'e']]
    """
    name = f"{table.name}: {table.columns[place]}"
    cells = [row[place] for row in table.rows]
    if cells and all(isinstance(cell, list) for cell in cells):
        if len({len(cell) for cell in cells}) > 1 or not cells[0]:
            raise FileError(f"{name} has lists of different lengths; give as many for each segment")
        return [Source(f"{name} {n}", list(map(_text(name), one))) for n, one in _across(cells)]
    return [Source(name, list(map(_text(name), cells)))]


def _across(cells: list[list[Any]]) -> Iterator[tuple[int, tuple[Any, ...]]]:
    return enumerate(zip(*cells, strict=True), 1)


def _text(name: str) -> Any:
    def text(cell: Any) -> str:
        if not isinstance(cell, str):
            raise FileError(f"{name} has {token_text(repr(cell))}, which is no text")
        return cell.replace("\n", " ")

    return text
