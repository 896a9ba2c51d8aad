"""The first sheet of an Excel workbook (XLSX) as a table of values."""

import re
import zipfile
import zlib
from collections.abc import Iterator
from io import BufferedIOBase
from posixpath import join
from typing import Final

from bleu.core.progress import ProgressGenerator
from bleu.corpus.data_table import DataTable, check_columns
from bleu.corpus.markup import Tag, iter_tags
from bleu.corpus.text_files import FileError

MAX_PART_BYTES: Final = 100 * 2**20
"""The largest size in bytes to which a part of a workbook may unpack."""
MAX_RATIO: Final = 200
"""The largest factor by which a part of more than a megabyte may unpack."""
STRINGS: Final = "xl/sharedStrings.xml"
"""The part with the texts that cells share."""


def parse_workbook(name: str, content: BufferedIOBase) -> ProgressGenerator[DataTable]:
    """Return the values of a workbook's first sheet; its first row with values names the columns.

    Formulas, formats, comments, and rows and columns without a value are left out. Dates are
    numbers, as they are in the file. Yields (characters read, all characters) of each part.

    Raises FileError if it is not a workbook, has no values, or unpacks to too many bytes.
    """
    shared_strings: list[str] = []
    rows: list[dict[int, str]] = [{}]
    try:
        with zipfile.ZipFile(content) as archive:
            sheet = _unpack(name, archive, _first_sheet(name, archive))
            strings = _unpack(name, archive, STRINGS) if STRINGS in archive.namelist() else ""
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError) as error:
        if isinstance(error, FileError):
            raise
        raise FileError(
            f"{name} cannot be read as a workbook (XLSX): {error}; save it as CSV UTF-8"
        ) from None
    for tag, text in _iter_texts(name, strings, "si"):
        shared_strings.append(text)
        yield tag.position, len(strings)
    for tag, text in _iter_texts(name, sheet, "c"):
        if tag.name == "row":
            column = -1
            rows.append({})
        else:
            letters = re.match("[A-Z]{1,3}", tag.get("r"))
            column = _column_index(letters[0]) if letters else column + 1
            if value := _cell_value(text, tag.get("t"), shared_strings):
                rows[-1][column] = value
        yield tag.position, len(sheet)
    rows = list(filter(None, rows))
    indices = sorted({index for row in rows for index in row})
    check_columns(name, indices)
    if not rows:
        raise FileError(f"{name} has no value in its first sheet; put the table there")
    header, *values = ([row.get(index, "") for index in indices] for row in rows)
    return DataTable(name, tuple(header), values, tuple(header))


def _unpack(name: str, archive: zipfile.ZipFile, part: str) -> str:
    """Return a part of the workbook as text; raise FileError if it is too large to unpack."""
    info = archive.getinfo(part)
    if info.file_size > min(MAX_PART_BYTES, 2**20 + MAX_RATIO * info.compress_size):
        raise FileError(
            f"{name} unpacks to {info.file_size / 2**20:,.0f} MB, more than a table needs; save "
            "its first sheet as CSV UTF-8"
        )
    return archive.read(info).decode("utf-8-sig")


def _first_sheet(name: str, archive: zipfile.ZipFile) -> str:
    """Return the name of the part with the first sheet."""
    workbook, links = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
    if not {workbook, links} <= set(archive.namelist()):
        raise FileError(f"{name} is a ZIP archive without a workbook (XLSX); unpack it first")
    tags = iter_tags(name, _unpack(name, archive, workbook))
    link = next((tag.get("id") for tag in tags if tag.name == "sheet"), "")
    for tag in iter_tags(name, _unpack(name, archive, links)):
        if tag.name == "relationship" and tag.get("id") == link:
            part = join("/xl", tag.get("target")).removeprefix("/")
            if part in archive.namelist():
                return part
    raise FileError(f"{name} has no first sheet; save the table as CSV UTF-8")


def _iter_texts(name: str, part: str, element: str) -> Iterator[tuple[Tag, str]]:
    """Yield the start tag and the text of each `element`, and the start tag and "" of each row.

    The text joins values and runs of rich text; Japanese readings (rPh) are left out.
    """
    start, texts, is_reading = Tag(0, "", ""), [""], False
    for tag in iter_tags(name, part):
        if tag.name == "row" and tag.is_start:
            yield tag, ""
        elif tag.name == "rph":
            is_reading = not tag.is_end
        elif tag.name in ("v", "t") and tag.is_end and not is_reading:
            texts.append(tag.text)
        elif tag.name == element:
            if tag.is_start:
                start, texts = tag, []
            if tag.is_end:
                yield start, "".join(texts)


def _column_index(letters: str) -> int:
    """Return the index of a column from its letters, counted from 0.

    >>> _column_index("A"), _column_index("AA")
    (0, 26)
    """
    index = 0
    for letter in letters:
        index = index * 26 + ord(letter) - ord("A") + 1
    return index - 1


def _cell_value(text: str, cell_type: str, shared_strings: list[str]) -> str:
    """Return the value of a cell as a program shows it without a format.

    >>> _cell_value("0.10000000000000001", "", []), _cell_value("1", "b", [])
    ('0.1', 'TRUE')
    """
    if cell_type == "s":
        number = int(text) if text.isdecimal() else -1
        text = shared_strings[number] if 0 <= number < len(shared_strings) else ""
    elif cell_type == "b":
        return "TRUE" if text.strip() == "1" else "FALSE"
    elif cell_type in ("", "n"):
        return f"{float(text):.15g}" if re.fullmatch(r"-?\d+(\.\d+)?(E[+-]?\d+)?", text) else text
    escaped = re.compile("_x([0-9A-Fa-f]{4})_")
    return escaped.sub(lambda code: chr(int(code[1], 16)), text).replace("\r", "")
