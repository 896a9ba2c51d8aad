"""The texts of files, joined by id, by time or in order: what is read, before it is scored."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TypeVar

from bleu.core.display import short_repr
from bleu.core.progress import ProgressGenerator, run_to_end
from bleu.corpus.data_table import CAPTIONS, REFERENCES, DataTable, column_texts
from bleu.corpus.formats import KALDI
from bleu.corpus.text_files import FileError


@dataclass(frozen=True, slots=True)
class TextColumn:
    """The texts of a file for one role, or of one of its columns, by segment.

    - `missing`: indices of the segments that lack this reference, and have an empty line here.
    - `file`: the name of the file, if `name` also names a column.
    - `content`: what a segment is in the file, such as “block of an SRT file”, or "" for any.
    - `key_name`, `keys`: distinct keys by which files are joined, such as times, or ().
    - `way`: how the texts were joined to the references, as in “by time”, or "".
    """

    name: str
    lines: Sequence[str]
    missing: frozenset[int] = frozenset()
    file: str = ""
    content: str = ""
    key_name: str = ""
    keys: Sequence[str] = ()
    way: str = ""

    @property
    def extent(self) -> str:
        """The number of segments with their content, and how they were joined.

        >>> TextColumn("a.srt", ["a", "b"], content="block of an SRT file", way="by time").extent
        '2 blocks of an SRT file, joined by time'
        """
        noun, space, rest = (self.content or "line").partition(" ")
        ending = f"{'' if len(self.lines) == 1 else 's'}{space}{rest}"
        return f"{len(self.lines):,} {noun}{ending}{self.way and f', joined {self.way}'}"

    @property
    def label(self) -> str:
        """The name of the file."""
        return self.file or self.name


Column = TypeVar("Column", bound=TextColumn)


def table_columns(
    table: DataTable, index: int, role: str = REFERENCES
) -> ProgressGenerator[list[TextColumn]]:
    """Return a column of a table as one column of texts, or as several if its cells are lists.

    Yields and raises as `column_texts` does.
    """
    texts = yield from column_texts(table, index, role)
    is_format = table.content and len(table.columns) == 2
    name = table.name if is_format else f"{table.name}: {table.columns[index]}"
    has_lists = any(isinstance(row[index], list) for row in table.rows)
    return [
        TextColumn(
            f"{name} {number}" if has_lists else name,
            [line or "" for line in lines],
            frozenset(n for n, line in enumerate(lines) if line is None),
            table.name,
            table.content,
            *table.keys,
        )
        for number, lines in enumerate(texts, 1)
    ]


def join(
    systems: Sequence[Column],
    references: Sequence[Column],
    sources: Sequence[Column] = (),
    show: Callable[[str], str] = str,
) -> tuple[list[Column], list[Column], list[Column], list[str]]:
    """Return columns whose texts with the same index belong together, and a note on each file read.

    Lines that begin with the same ids on both sides lose them. Groups of references between blank
    lines become columns. Files with the same keys are joined by these, in the order of the first
    reference with keys, and others in order; columns of plain lines may have different lengths.
    `show` formats the name of a file for a message.

    Raises FileError if a file with a content or with keys has other segments than the references.
    """
    sides, notes = [list(systems), list(references), list(sources)], []
    if systems and references:
        if all(KALDI.is_format(column.lines) for column in (*systems, *references)):
            bare = [[_without_ids(column) for column in side] for side in sides]
            if len({frozenset(column.keys) for side in bare[:2] for column in side}) == 1:
                sides = bare
        size = len(systems[0].lines)
        sides[1] = [part for column in sides[1] for part in _split_groups(column, size)]
        base = next(iter([*(column for column in sides[1] if column.keys), *sides[1]]))
        keys = [set(column.keys) for column in sides[0] if column.keys]
        wanted = [key for key in base.keys if all(key in system for system in keys)]
        surplus = len(base.keys) - len(wanted)
        if base.content == CAPTIONS and wanted and surplus:
            left_out = f"{surplus:,} of {len(base.keys):,} images"
            notes = [f"{show(base.label)}: left out without a hypothesis: {left_out}"]
            sides[1] = [_select(c, wanted) if c.keys == base.keys else c for c in sides[1]]
            base = _select(base, wanted)
        sides = [[_join_to(base, column, show) for column in side] for side in sides]
        # How systems are joined says it all, unless the references differ in their order.
        sides[1] = [c if "differs" in c.way else replace(c, way="") for c in sides[1]]
    columns = [column for side in sides for column in side if column.content or column.way]
    notes += dict.fromkeys(f"{show(column.label)}: {column.extent}" for column in columns)
    return sides[0], sides[1], sides[2], notes


def _without_ids(column: Column) -> Column:
    """Return a column of lines that all begin with ids without these, which become its keys."""
    if not KALDI.is_format(column.lines):
        return column
    keys, lines = zip(*KALDI.read(column.lines), strict=True)
    return replace(column, lines=list(lines), content=KALDI.content, key_name="id", keys=keys)


def _split_groups(column: Column, size: int) -> list[Column]:
    """Return columns of the references in `size` groups between blank lines, or else the column."""
    if column.content or len(column.lines) == size:
        return [column]
    runs = groupby(column.lines, lambda line: line.strip() != "")
    groups = [[list(lines)] for is_text, lines in runs if is_text]
    if not 1 < len(groups) == size:
        return [column]
    table = DataTable(column.name, ("reference",), groups)
    content = "group of references between blank lines"
    return [
        replace(column, name=c.name, lines=c.lines, missing=c.missing, content=content, file=c.file)
        for c in run_to_end(table_columns(table, 0))
    ]


def _select(column: Column, keys: Sequence[str]) -> Column:
    """Return the segments of a column with these keys, in this order."""
    positions = {key: index for index, key in enumerate(column.keys)}
    indices = [positions[key] for key in keys]
    missing = frozenset(n for n, index in enumerate(indices) if index in column.missing)
    return replace(
        column, lines=[column.lines[i] for i in indices], missing=missing, keys=tuple(keys)
    )


def _join_to(base: Column, column: Column, show: Callable[[str], str]) -> Column:
    """Return a column in the order of `base`, with the way in which it was joined."""
    shared = set(base.keys) & set(column.keys)
    if shared and not column.content and column.keys == base.keys:
        return column
    if len(shared) == len(base.keys) == len(column.keys) > 0:
        is_moved = list(base.keys) != list(column.keys)
        way = f"by {column.key_name}{', as its order differs' if is_moved else ''}"
        return replace(_select(column, base.keys), way=way)
    has_size = len(column.lines) == len(base.lines)
    is_format = bool(base.content or column.content)
    lacks_ids = 2 * len(shared) > len(base.keys) and is_format and column.key_name != "time"
    if (has_size and not lacks_ids) or not (is_format or shared):
        return replace(column, way="in order" if column.content else "")
    key = next((key for key in (*base.keys, *column.keys) if key not in shared), "")
    alone = f"; {column.key_name} {short_repr(key, 40)} is in only one of them"
    raise FileError(
        f"{show(column.label)} has {column.extent}, and {show(base.label)} has {base.extent}"
        f"{alone if shared else ''}; give files with the same segments"
    )
