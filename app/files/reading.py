"""Files that a person chooses or drops, read as the browser gives them: work for a job.

Each of these yields how far it is, and where it has to wait for the browser, a promise.
"""

import io
from collections.abc import Generator, Sequence
from typing import Any, Final

from app.files.tables import (
    MEGABYTE,
    DataTable,
    Progress,
    TextSource,
    check_size,
    column_sources,
    parse_table,
    read_source,
)
from bleu.corpus.text_files import FileError
from bleu.explanation.phrases import english_list, token_text

REASONS: Final = {
    "NotFoundError": "it is a folder, or it is gone",
    "NotReadableError": "it has changed since it was chosen, or may not be read",
}
"""Why the browser does not give a file, by the name of its error."""

LONGEST_TEXT: Final = MEGABYTE
"""Bytes, and characters, of a file that goes into a box as one text."""

MAX_NAMED: Final = 5
"""Files that a message names."""


class BrowserFile(io.RawIOBase):
    """A file's bytes in the browser's own memory, of which Python takes what it is reading."""

    def __init__(self, buffer: Any) -> None:
        self.buffer = buffer
        self.place = 0

    def readable(self) -> bool:
        """It is."""
        return True

    def tell(self) -> int:
        """How many bytes were read."""
        return self.place

    def readinto(self, into: Any) -> int:
        """Copy the next bytes, as many as there is room for."""
        part = self.buffer.slice(self.place, self.place + len(into)).to_bytes()
        into[: len(part)] = part
        self.place += len(part)
        return len(part)


def read_file(file: Any) -> Generator[Any, Any, TextSource]:
    """A file as lines.

    Raises FileError where it cannot be read, with the reason.
    """
    name = token_text(file.name)
    check_size(name, file.size)
    yield Progress(f"reading {name}", 0, file.size, "MB")
    try:
        buffer = yield file.arrayBuffer()
    except Exception as error:
        reason = REASONS.get(getattr(error, "name", ""), str(error) or repr(error))
        raise FileError(f"{name} cannot be read: {reason}") from None
    try:
        return (yield from read_source(name, BrowserFile(buffer), file.size))
    except MemoryError:
        raise FileError(
            f"{name} cannot be read: the browser has no memory left for it; try it in parts"
        ) from None


def read_files(files: Sequence[Any]) -> Generator[Any, Any, list[TextSource]]:
    """Files as lines, one after the other; as `read_file`."""
    sources = []
    for file in files:
        sources.append((yield from read_file(file)))
    return sources


def read_table(file: Any) -> Generator[Any, Any, DataTable]:
    """A file as a table; as `read_file` and `parse_table`."""
    return (yield from parse_table((yield from read_file(file))))


def read_text(file: Any) -> Generator[Any, Any, str]:
    """A file as one text; as `read_file`. Raises FileError where it is too long for a box."""
    short = file.size <= LONGEST_TEXT
    text = "\n".join((yield from read_file(file)).lines) if short else ""
    if not short or len(text) > LONGEST_TEXT:
        raise FileError(
            f"{token_text(file.name)} has more than 1 MB: it is too long for one text; if it has "
            "one segment a line, drop it here"
        )
    return text


def read_columns(
    table: DataTable, chosen: dict[str, list[str]]
) -> Generator[Progress, None, dict[str, list[TextSource]]]:
    """The columns that are chosen for each place, as lines; as `column_sources`."""
    found: dict[str, list[TextSource]] = {slot: [] for slot in chosen}
    for slot, places in chosen.items():
        for place in filter(None, places):
            found[slot] += yield from column_sources(table, int(place))
    return found


def file_names_text(files: Sequence[Any]) -> str:
    """The names of files in a sentence; of many, the first five."""
    shown = [token_text(file.name) for file in files[:MAX_NAMED]]
    more = [f"{len(files) - MAX_NAMED} more"] if len(files) > MAX_NAMED else []
    return english_list([*shown, *more])
