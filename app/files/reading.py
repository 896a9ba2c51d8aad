"""The reading of chosen or dropped files, in slices.

Its generators yield their progress, and a promise when they wait for the browser.
"""

import io
from codecs import BOM_UTF8
from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import Any, Final

from app.files.tables import (
    MEGABYTE,
    UNSCORED,
    FoundTable,
    TextSource,
    check_size,
    column_sources,
    parse_table,
    read_role_texts,
    read_source,
    read_workbook,
)
from bleu.core.progress import Progress
from bleu.corpus.data_table import DataTable, group_names
from bleu.corpus.text_files import PEEKED_BYTES, FileError, is_workbook
from bleu.explanation.phrases import english_list, name_text, token_text

READ_ERROR_REASONS: Final = {
    "NotFoundError": "it is a folder, or it is gone; choose a file",
    "NotReadableError": "it has changed since it was chosen, or may not be read; choose it again",
}
"""Why the browser cannot read a file and what to do, by the name of the browser's error."""

MAX_TEXT_BYTES: Final = MEGABYTE
"""The largest number of bytes, and of characters, of a file read into a box as one text."""

MAX_NAMED_FILES: Final = 5
"""The largest number of files named in a message."""


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
            content = io.BytesIO(buffer.slice(0, file.size).to_bytes())
            return (yield from read_workbook(name, content))
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
    files: Sequence[Any], role: str
) -> Generator[Any, Any, list[list[TextSource] | FoundTable]]:
    """Return the texts of each file for a role, or its table, as `read_role_texts` does.

    Raises FileError as `read_file` does, and if the columns of several tables must be chosen.
    """
    contents = []
    for file in files:
        contents.append((yield from read_role_texts((yield from read_file(file)), role)))
    pairs = zip(files, contents, strict=True)
    tables = [file for file, content in pairs if isinstance(content, FoundTable)]
    if len(tables) > 1:
        raise FileError(f"{file_names_text(tables)} are tables; open one, and choose its columns")
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
