"""Tables of values between tabs, commas or semicolons."""

import csv
import re
from collections.abc import Iterator, Sequence
from typing import Final

from bleu.core.progress import ProgressGenerator
from bleu.corpus.data_table import DataTable, check_columns
from bleu.corpus.text_files import FileError

_QUOTED_CELL: Final = re.compile(r'(?<![^\t])"(?:[^"]|"")*+"(?![^\t])')
_TEXT: Final = re.compile(r"[^\W\d_A-Z]")
"""A letter, except A to Z: programs that quote all texts do not quote TRUE and 1E5."""


def parse_separated(name: str, lines: Sequence[str]) -> ProgressGenerator[DataTable]:
    r"""Return a table of values between tabs, commas or semicolons, with the first row as header.

    The separator is the first with which all rows have the same number of cells. Cells with a
    separator, a quote or a line end are quoted, as Excel and Python's csv write them; in
    tab-separated values of other programs, quotes are part of the text.

    Yields (lines read, all lines) with each separator tried.

    Raises FileError, with the row, if rows differ in their numbers of cells for every separator.

    >>> from bleu.core.progress import run_to_end
    >>> run_to_end(parse_separated("a.csv", ["id;mt, raw;ref", "1;a;b"])).columns
    ('id', 'mt, raw', 'ref')
    >>> run_to_end(parse_separated("a.tsv", ['mt\tref', '"a ""b"" c"\td'])).rows
    [['a "b" c', 'd']]
    """
    failures: list[tuple[tuple[bool, int], FileError]] = []
    for separator, is_quoted in (("\t", True), ("\t", False), (",", True), (";", True)):
        rows: list[list[str]] = []
        try:
            for number, row in _records(lines, separator, is_quoted=is_quoted):
                if row:
                    rows.append(row)
                    _check_row(name, row, len(rows), len(rows[0]))
                yield number, len(lines)
        except (csv.Error, FileError) as error:
            if isinstance(error, csv.Error):
                error = FileError(
                    f"{name}, row {len(rows) + 1} cannot be read: {error}; check its quotes"
                )
            has_columns = bool(rows) and len(rows[0]) > 1
            failures.append(((has_columns, len(rows)), error))
        else:
            if rows:
                return DataTable(name, tuple(rows[0]), rows[1:], tuple(rows[0]))
    if not failures:
        raise FileError(f"{name} is empty; give a table with a line for each segment")
    raise max(failures, key=lambda failure: failure[0])[1]


def _records(
    lines: Sequence[str], separator: str, *, is_quoted: bool
) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of lines read so far with the cells of the record that ends there."""
    if not is_quoted:
        for number, line in enumerate(lines, 1):
            yield number, line.split(separator) if line.strip() or separator in line else []
        return
    with_tabs = separator == "\t"
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=separator, strict=with_tabs)
    start = quoted_rows = literal_rows = unquoted_surplus = 0
    for row in reader:
        end = reader.line_num
        record = "\n".join(lines[start:end])
        start = end
        has_unquoted = True
        if with_tabs and '"' in record:
            is_quoting = _is_quoted_by_program(row, record)
            quoted_rows += is_quoting
            literal_rows += not is_quoting
            has_unquoted = bool(_TEXT.search(_QUOTED_CELL.sub("", record)))
        unquoted_surplus += 1 if has_unquoted else -1
        yield start, row
    # A program that quotes all texts, such as LibreOffice, leaves few records with unquoted text.
    if literal_rows > quoted_rows and unquoted_surplus > 0:
        raise csv.Error("the quotes are part of the text")


def _is_quoted_by_program(row: Sequence[str], record: str) -> bool:
    """Return whether `record` is `row` as Python or Excel write it, or doubles quotes in a cell."""
    quoted = ['"' + cell.replace('"', '""') + '"' for cell in row]
    if any('"' in cell and text in record for cell, text in zip(row, quoted, strict=True)):
        return True
    for special in ('\t"\n', '\t"\n,'):
        cells = (
            text if set(special) & set(cell) else cell
            for cell, text in zip(row, quoted, strict=True)
        )
        if "\t".join(cells) == record:
            return True
    return False


def _check_row(name: str, row: Sequence[str], number: int, columns: int) -> None:
    if columns < 2:
        raise FileError(
            f"{name} has no columns: its first line has no tab, comma or semicolon; give TSV, "
            "CSV, JSON or XML"
        )
    check_columns(name, row)
    if len(row) != columns:
        cells = "1 column" if len(row) == 1 else f"{len(row)} columns"
        raise FileError(
            f"{name}, row {number} has {cells}, and row 1 has {columns}; give all rows "
            "as many, or open a file of references alone as references"
        )
