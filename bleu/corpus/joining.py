"""The texts of files, joined by id, by time or by line: what is read, before it is scored."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import groupby, zip_longest
from typing import Final, Generic, NamedTuple, TypeVar

from bleu.core.progress import ProgressGenerator
from bleu.core.short_repr import short_repr
from bleu.corpus.data_table import CAPTIONS, REFERENCES, DataTable, column_texts
from bleu.corpus.formats import have_ids, split_id
from bleu.corpus.text_files import FileError

MAX_SHOWN_KEY: Final = 40
"""The largest number of characters of a key in a message."""
_REORDERED: Final = ", as their order differs"


@dataclass(frozen=True, slots=True)
class TextColumn:
    """The texts of a file for one role, or of one of its columns, by segment.

    - `missing`: indices of the segments that lack this reference, and have an empty line here.
    - `keys`: distinct keys of the segments, by which files are joined, or () without any.
    - `key_name`: what the keys are: time, id, image_id.
    - `content`: what a segment was in the file, such as “block of an SRT file”, or "" for a line.
    - `file`: the name of the file, if `name` also names a column.
    """

    name: str
    lines: Sequence[str]
    missing: frozenset[int] = frozenset()
    keys: Sequence[str] = ()
    key_name: str = ""
    content: str = ""
    file: str = ""

    @property
    def extent(self) -> str:
        """The number of segments with their content.

        >>> TextColumn("a.srt", ["a", "b"], content="block of an SRT file").extent
        '2 blocks of an SRT file'
        """
        noun, space, rest = (self.content or "line").partition(" ")
        return f"{len(self.lines):,} {noun}{'' if len(self.lines) == 1 else 's'}{space}{rest}"


Column = TypeVar("Column", bound=TextColumn)


class Joined(NamedTuple, Generic[Column]):
    """Columns whose texts with the same index belong together, and a note on each file read."""

    systems: list[Column]
    references: list[Column]
    sources: list[Column]
    notes: list[str]


def table_columns(
    table: DataTable, index: int, role: str = REFERENCES
) -> ProgressGenerator[list[TextColumn]]:
    """Return a column of a table as one column of texts, or as several if its cells are lists.

    Yields and raises as `column_texts` does.
    """
    texts = yield from column_texts(table, index, role)
    name = f"{table.name}: {table.columns[index]}" if table.key != "time" else table.name
    has_lists = any(isinstance(row[index], list) for row in table.rows)
    key_name, keys = table.keys
    return [
        TextColumn(
            f"{name} {number}" if has_lists else name,
            [line or "" for line in lines],
            frozenset(n for n, line in enumerate(lines) if line is None),
            keys,
            key_name,
            table.content,
            table.name,
        )
        for number, lines in enumerate(texts, 1)
    ]


def join(
    systems: Sequence[Column],
    references: Sequence[Column],
    sources: Sequence[Column] = (),
    show_name: Callable[[str], str] = str,
) -> Joined[Column]:
    """Return columns whose texts with the same index belong together.

    If all lines of systems and references begin with the same ids, they lose them. Groups of
    references between blank lines become columns. Files with the same keys are joined by these, in
    the order of the first reference with keys; other files are joined in order. Columns of plain
    lines may have different lengths. `show_name` formats the name of a file for a message.

    Raises FileError if a file has segments of a format or keys, and another has fewer or more.
    """
    if systems and references and all(have_ids(c.lines) for c in (*systems, *references)):
        sides = [[_without_ids(column) for column in side] for side in (systems, references)]
        if len({frozenset(column.keys) for side in sides for column in side}) == 1:
            systems, references = sides
            sources = [_without_ids(c) if have_ids(c.lines) else c for c in sources]
    size = len(systems[0].lines) if systems else 0
    references = [part for column in references for part in _split_groups(column, size)]
    notes = []
    keyed = [column.keys for column in systems if column.keys]
    with_keys = [column for column in references if column.keys]
    base = next(iter([*with_keys, *references]), None)
    if base and base.content == CAPTIONS and keyed:
        wanted = [key for key in base.keys if all(key in keys for keys in map(set, keyed))]
        if surplus := len(base.keys) - len(wanted):
            notes = [
                f"{surplus:,} images of {show_name(base.file)} without a hypothesis are left out"
            ]
            references = [_select(c, wanted) if c.keys == base.keys else c for c in references]
            base = _select(base, wanted)
    if not base or not systems:
        return Joined(list(systems), list(references), list(sources), notes)
    ways: dict[str, str] = {}
    joined = []
    for column in (*systems, *references):
        column, ways[column.file or column.name] = _join_to(base, column, show_name)
        joined.append(column)
    ways[base.file or base.name] = ways[systems[0].file or systems[0].name]
    for column in sources:
        with suppress(FileError):  # The check-up leaves out a source with another number of lines.
            column, _ = _join_to(base, column, show_name)
        joined.append(column)
    for column in joined:
        file = column.file or column.name
        if (way := ways.get(file)) and (column.content or _REORDERED in way):
            notes.append(f"{show_name(file)}: {column.extent}, joined {way}")
    ends = len(systems), len(systems) + len(references)
    parts = joined[: ends[0]], joined[ends[0] : ends[1]], joined[ends[1] :]
    return Joined(*parts, list(dict.fromkeys(notes)))


def _without_ids(column: Column) -> Column:
    """Return a column of lines that begin with ids, without these, which become its keys."""
    pairs = [pair for pair in map(split_id, column.lines) if pair]
    keys, lines = zip(*pairs, strict=True)
    content = "utterance of a Kaldi file"
    return replace(column, lines=list(lines), keys=keys, key_name="id", content=content)


def _split_groups(column: Column, size: int) -> list[Column]:
    """Return columns of the references in `size` groups between blank lines, or else the column."""
    if column.content or column.keys or len(column.lines) == size or size < 2:
        return [column]
    groups = [
        list(lines)
        for is_text, lines in groupby(column.lines, lambda line: line.strip() != "")
        if is_text
    ]
    if len(groups) != size:
        return [column]
    return [
        replace(
            column,
            name=f"{column.name} {number}",
            lines=[line or "" for line in lines],
            missing=frozenset(n for n, line in enumerate(lines) if line is None),
            content="group of references between blank lines",
            file=column.name,
        )
        for number, lines in enumerate(zip_longest(*groups), 1)
    ]


def _select(column: Column, keys: Sequence[str]) -> Column:
    """Return the segments of a column with these keys, in this order."""
    positions = {key: index for index, key in enumerate(column.keys)}
    indices = [positions[key] for key in keys]
    missing = frozenset(n for n, index in enumerate(indices) if index in column.missing)
    return replace(column, lines=[column.lines[i] for i in indices], missing=missing, keys=keys)


def _join_to(base: Column, column: Column, show_name: Callable[[str], str]) -> tuple[Column, str]:
    """Return a column in the order of `base`, and how it was joined."""
    shared = set(base.keys) & set(column.keys)
    has_size = len(column.lines) == len(base.lines)
    if shared and column.keys == base.keys:
        return column, f"by {column.key_name}"
    if len(shared) == len(base.keys) == len(column.keys) > 0:
        return _select(column, base.keys), f"by {column.key_name}{_REORDERED}"
    is_format = bool(base.content or column.content)
    is_same_set = 2 * len(shared) > len(column.keys) and column.key_name != "time" and is_format
    if has_size and not is_same_set:
        return column, "in order"
    if not is_format and not shared:
        return column, "in order"
    names, counts = zip(
        *((show_name(c.file or c.name), c.extent) for c in (column, base)), strict=True
    )
    message = f"{names[0]} has {counts[0]}, and {names[1]} has {counts[1]}"
    if key := next(
        iter([k for k in (*base.keys, *column.keys) if k not in shared] if shared else []), ""
    ):
        message += f"; {column.key_name} {short_repr(key, MAX_SHOWN_KEY)} is in only one of them"
    raise FileError(f"{message}; give files with the same segments")
