"""Formats of lines with a grammar of their own, such as subtitles, and how files are joined.

A format is one record of `FORMATS`: how its first lines look, and how its texts are read, each with
the key by which files are joined: an id, a time, or none if they are joined in order.
"""

import html
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby, takewhile
from operator import itemgetter
from typing import Any, Final, NamedTuple, TypeVar

from bleu.core.display import short_repr
from bleu.core.progress import ProgressGenerator, run_to_end
from bleu.files.data_table import (
    CAPTIONS,
    REFERENCES,
    SYSTEM,
    UNUSED,
    DataTable,
)
from bleu.files.text_files import FileError

Keyed = Iterator[tuple[str, Any]]
"""Keys and texts, or lists of references."""

MIN_SHARE: Final = 0.9
"""The smallest share of lines that have the form of a format with one text a line."""
_TIME: Final = r"(?:\d{1,3}:)?\d{1,2}:\d\d[.,]\d{1,3}"
_TAG: Final = re.compile(
    r"</?(?:[bcisuv]|font|lang|ruby|rt)(?:[\s.][^<>]*)?>|<\d\d:[\d:.]*>|\{\\[^{}]*\}"
)
"""Tags of subtitles: styles, voices, times inside a block, and overrides in braces."""
_PATTERNS: Final[Mapping[str, re.Pattern[str]]] = {
    "times": re.compile(rf"\s*(?P<key>{_TIME})(?:\s*-->\s*|,){_TIME}(?:\s++\w++:\S++)*+\s*$"),
    "log": re.compile(rf"\s*\[(?P<key>{_TIME})(?:\s*-->\s*{_TIME})?\](?P<text>.*)"),
    "PO": re.compile(r'(?:(msgctxt|msgid|msgid_plural|msgstr(?:\[\d+\])?)\s++)?"(.*)"\s*$'),
    "properties": re.compile(r"\s*(?P<key>[A-Za-z][\w.-]*+)\s*+=(?!=)(?P<text>.*)"),
    "strings": re.compile(
        r'\s*"(?P<key>(?:[^"\\]|\\.)*+)"\s*=\s*"(?P<text>(?:[^"\\]|\\.)*+)"\s*;\s*$'
    ),
    "YAML": re.compile(r"(?P<indent> *)(?P<key>[A-Za-z_][\w.-]*):(?:\s+(?P<text>\S.*?))?\s*$"),
    "TRN": re.compile(r"(?P<text>.*)\((?P<key>[\w.:/@#+-]{2,199})\)\s*+$"),
    "n-best": re.compile(r"\s*(?P<key>\d+)\s*\|\|\|(?P<text>.*?)\|\|\|"),
    "Kaldi": re.compile(
        r"(?P<key>(?=[^\s\d]*\d)(?=\S*[^\W\d_]|\d+[-_]\d+[-_]\d)[\w.:/@#+-]{2,199}(?<=\w))"
        r"(?!\S)(?P<text>.*)"
    ),
}
"""The lines of formats, with the key and the text of each; all take linear time."""
_COMMENTS: Final = {
    **dict.fromkeys(("PO", "properties"), re.compile("[#!]")),
    "YAML": re.compile(r"\s*#|---$"),
    "strings": re.compile(r"\s*(?:/\*|//|.*\*/\s*$)"),
}
"""Lines that are comments, by the name of the format."""
TABBED: Final = "references between tabs"
LABELLED: Final = "the log of a translator"
_LABELLED_LINE: Final = re.compile(
    r"(?P<label>S|T|H|D|SENT|GOLD|PRED)[- ](?P<key>\d{1,9})"
    r"(?::\s|\t(?:-?\d+\.\d+(?:e-?\d+)?\t|-?inf\t)?)(?P<text>.*)"
)
"""A line of fairseq-generate, such as `H-7`, TAB, a score, TAB and a text, or of OpenNMT."""
_LABELS: Final = {
    **dict.fromkeys(("S", "SENT"), ("source", UNUSED)),
    **dict.fromkeys(("T", "GOLD"), ("reference", REFERENCES)),
    **dict.fromkeys(("H", "PRED"), ("hypothesis", SYSTEM)),
    "D": ("detokenized hypothesis", SYSTEM),
}


class Format(NamedTuple):
    """A format: one of its texts as a noun phrase, its key, how it is detected and read."""

    content: str
    key: str
    is_format: Callable[[Sequence[str]], object]
    read: Callable[[Sequence[str]], Keyed]


def _key(text: str) -> str:
    """Return a time in one form for all formats, and another key as it is.

    >>> _key("01:02:03,004"), _key("02:03.5"), _key("talk-7 ")
    ('1:02:03.004', '0:02:03.500', 'talk-7')
    """
    if not re.fullmatch(_TIME, text := text.strip()):
        return text
    *minutes, seconds = text.replace(",", ".").split(":")
    hours, minute = [0, *map(int, minutes)][-2:]
    return f"{hours}:{minute:02}:{float(seconds):06.3f}"


def _plain(text: str) -> str:
    """Return the text of a block in one line, without tags."""
    return " ".join(_TAG.sub("", text).split())


def unescape(text: str) -> str:
    """Return a text of PO, .properties or Android without escapes; line feeds are spaces."""
    spaces, escape = {"n": " ", "t": " ", "r": ""}, r"\\(?:u([0-9A-Fa-f]{4})|(.))"
    return re.sub(escape, lambda m: chr(int(m[1], 16)) if m[1] else spaces.get(m[2], m[2]), text)


def _read_lines(name: str, lines: Sequence[str], text: Callable[[str], str] = str.strip) -> Keyed:
    """Yield the groups `key`, which may be a time, and `text` of each line that matches."""
    for line in filter(None, map(_PATTERNS[name].match, lines)):
        yield _key(line["key"]), text(line["text"])


def _read_blocks(lines: Sequence[str], *, is_vtt: bool = False) -> Keyed:
    """Yield the blocks of SRT, whose texts may have blank lines, or of VTT, which end there."""
    blocks: list[tuple[str, list[str]]] = [("", [])]
    for line in lines:
        if times := _PATTERNS["times"].match(line):
            blocks.append((_key(times["key"]), []))
        else:
            blocks[-1][1].append(line)
    is_numbered = "".join(blocks[0][1][-1:]).strip().isdecimal()
    for number, (key, parts) in enumerate(blocks[1:], 2):
        text = "\n".join(parts).rstrip()
        before, _, last = text.rpartition("\n")
        if is_vtt:
            text = html.unescape(_plain("\n".join(takewhile(str.strip, parts))))
        elif is_numbered and number < len(blocks) and last.strip().isdecimal():
            text = before  # The last line is the number of the next block.
        yield key, _plain(text)


def _read_ass(lines: Sequence[str]) -> Keyed:
    """Yield the dialogue of ASS, whose line `Format:` names the fields; the text is the last."""
    fields = ["Layer", "Start", *8 * [""]]
    for line in lines:
        kind, _, rest = line.partition(":")
        if kind == "Format" and "Start" in rest:
            fields = [field.strip() for field in rest.split(",")]
        elif kind == "Dialogue":
            cells = rest.split(",", len(fields) - 1)
            start = dict(zip(fields, cells, strict=False)).get("Start", "")
            yield _key(start), _plain(re.sub(r"\\[Nnh]", " ", cells[-1]))


def _read_catalogue(lines: Sequence[str]) -> Keyed:
    """Yield the translations of a PO file by context and message; the header is left out."""
    entry, field = dict[str, str](), ""
    for parts in filter(None, map(_PATTERNS["PO"].match, [*lines, 'msgid ""'])):
        if parts[1] in ("msgctxt", "msgid") and field.startswith("msgstr"):
            key = unescape(entry.get("msgctxt", "") + entry["msgid"]) if entry.get("msgid") else ""
            texts = [text for name, text in entry.items() if name.startswith("msgstr") and key]
            for number, text in enumerate(texts):
                yield f"{key}[{number}]" if number else key, unescape(text).strip()
            entry = {}
        field = parts[1] or field
        entry[field] = entry.get(field, "") + parts[2]


def _read_yaml(lines: Sequence[str]) -> Keyed:
    """Yield the values of nested keys of YAML by their paths, without that of the language."""
    path: list[tuple[int, str]] = []
    for line in filter(None, map(_PATTERNS["YAML"].match, lines)):
        indent = len(line["indent"])
        path = [*(part for part in path if part[0] < indent), (indent, line["key"])]
        if text := line["text"]:
            quoted = re.fullmatch(r"\"(.*)\"|'(.*)'", text)
            keys = [key for _, key in path]
            yield (
                ".".join(keys[1:] or keys),
                next(filter(None, quoted.groups()), "") if quoted else text,
            )


def are_labelled(sample: Sequence[str]) -> bool:
    """Return whether lines are of the log of a translator: most have labels, some hypotheses."""
    found = list(filter(None, map(_LABELLED_LINE.match, sample)))
    labels = {line["label"] for line in found}
    return len(found) >= max(2, len(sample) / 3) and not labels.isdisjoint({"H", "D", "PRED"})


def read_labelled(name: str, lines: Sequence[str]) -> DataTable:
    r"""Return the texts with each label in the order of their numbers; of n best, the first.

    >>> lines = ["T-1\tx", "H-1\t-0.2\ta", "H-1\t-0.3\tb", "T-0\ty", "H-0\t-0.1\tc"]
    >>> read_labelled("a", lines).rows
    [['0', 'y', 'c'], ['1', 'x', 'a']]
    """
    texts: dict[str, dict[int, str]] = {}
    for line in filter(None, map(_LABELLED_LINE.match, lines)):
        texts.setdefault(line["label"], {}).setdefault(int(line["key"]), line["text"])
    if "D" in texts:
        texts.pop("H", None)
    numbers = sorted(set().union(*texts.values()))
    rows = [[str(n), *(column.get(n) for column in texts.values())] for n in numbers]
    names, roles = zip(("number", UNUSED), *map(_LABELS.__getitem__, texts), strict=True)
    return DataTable(name, names, rows, roles=roles)


def _are_lines(
    name: str, sample: Sequence[str], share: float = MIN_SHARE, *, with_ids: bool = False
) -> bool:
    """Return whether at least a share of the lines, without comments, match a pattern.

    With `with_ids`, there are at least 3, all with keys of their own, half of which have a sign.
    """
    comment = _COMMENTS.get(name)
    lines = [line for line in sample if not (comment and comment.match(line))]
    if not with_ids:
        return sum(map(bool, map(_PATTERNS[name].match, lines))) >= share * len(lines) > 0
    if len(lines) < 3 or not _PATTERNS[name].match(lines[0]):
        return False  # The lines may be many, and most begin with a word.
    keys = {line["key"] for line in map(_PATTERNS[name].match, lines) if line}
    signs = sum(bool(re.search(r"\d|[a-z][._A-Z-]", key)) for key in keys)
    return len(keys) == len(lines) <= 2 * signs


KALDI: Final = Format(
    "utterance of a Kaldi file",
    "id",
    partial(_are_lines, "Kaldi", with_ids=True),
    partial(_read_lines, "Kaldi"),
)
"""The format of lines that begin with ids, which only the same ids on the other side prove."""
FORMATS: Final[Mapping[str, Format]] = {
    "VTT": Format(
        "block of a VTT file",
        "time",
        lambda sample: re.match(r"WEBVTT\b", sample[0]) and _are_lines("times", sample, 0.01),
        partial(_read_blocks, is_vtt=True),
    ),
    "SRT": Format(
        "block of an SRT file",
        "time",
        lambda sample: _are_lines("times", sample[:2], 0.5) and _are_lines("times", sample, 0.1),
        _read_blocks,
    ),
    "ASS": Format(
        "line of dialogue of an ASS file",
        "time",
        lambda sample: (
            re.match(r"\[(Script Info|Events)\]|Dialogue:", sample[0])
            and any(map(re.compile(r"Dialogue: *\d+, *\d+:\d\d:").match, sample))
        ),
        _read_ass,
    ),
    "whisper’s log": Format(
        "segment of whisper’s log",
        "time",
        partial(_are_lines, "log"),
        partial(_read_lines, "log", text=_plain),
    ),
    "PO": Format(
        "message of a PO file",
        "msgid",
        lambda sample: (
            {"msgid", "msgstr"} <= {line.split(maxsplit=1)[0].partition("[")[0] for line in sample}
            and _are_lines("PO", sample)
        ),
        _read_catalogue,
    ),
    "properties": Format(
        "value of a .properties file",
        "key",
        partial(_are_lines, "properties", with_ids=True),
        lambda lines: _read_lines(
            "properties",
            re.sub(r"(?<!\\)((?:\\\\)*)\\\n\s*", r"\1", "\n".join(lines)).split("\n"),
            lambda text: unescape(re.sub(r'^"(.*)"$', r"\1", text.strip())),
        ),
    ),
    "strings": Format(
        "value of a .strings file",
        "key",
        partial(_are_lines, "strings"),
        partial(_read_lines, "strings", text=unescape),
    ),
    "YAML": Format(
        "value of a YAML file",
        "key",
        lambda sample: (
            _are_lines("YAML", sample, with_ids=True)
            or (
                len(sample) > 2
                and _are_lines("YAML", sample, 1)
                and any(re.match(r" +[\w.-]+: +\S", line) for line in sample)
            )
        ),
        _read_yaml,
    ),
    "TRN": Format(
        "utterance of a TRN file",
        "id",
        partial(_are_lines, "TRN", with_ids=True),
        partial(_read_lines, "TRN"),
    ),
    "n-best lists": Format(
        "list of the n best, of which the first is read",
        "number",
        partial(_are_lines, "n-best"),
        lambda lines: (
            next(texts) for _, texts in groupby(_read_lines("n-best", lines), itemgetter(0))
        ),
    ),
    TABBED: Format(
        f"row of {TABBED}",
        "key",
        lambda _: False,  # The role of the file decides; see `detect_container`.
        lambda lines: (("", [cell for cell in line.split("\t") if cell.strip()]) for line in lines),
    ),
}
"""The formats of lines, by their names in messages."""


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
    def texts(self) -> list[str | None]:
        """The text of each segment, or None if it is missing."""
        return [None if n in self.missing else line for n, line in enumerate(self.lines)]

    @property
    def label(self) -> str:
        """The name of the file."""
        return self.file or self.name


Column = TypeVar("Column", bound=TextColumn)


def table_columns(
    table: DataTable, index: int, role: str = REFERENCES
) -> ProgressGenerator[list[TextColumn]]:
    """Return a column of a table as one column of texts, or as several if its cells are lists.

    Lists of references may have different lengths. Yields (rows read, all rows) after each row.

    Raises FileError, with the row, if a cell is missing or is not text or a list of texts, and, if
    `role` is SYSTEM, if the number of texts in a row differs from that in the first.
    """
    texts: list[list[str | None]] = []
    column = table.columns[index]
    for number, row in enumerate(table.rows, 1):
        cells = row[index] if isinstance(row[index], list) else [row[index]]
        location = f"{table.name}, row {number}"
        if role == SYSTEM and texts and len(cells) != len(texts):
            raise FileError(
                f"{location} has {len(cells)} texts in column {column}, and row 1 has "
                f"{len(texts)}; give the same number in each row"
            )
        if not cells or None in cells:
            raise FileError(f"{location} has no text in column {column}; give one in each row")
        if odd := [cell for cell in cells if not isinstance(cell, str)]:
            raise FileError(f"{location} has {short_repr(odd[0])} in column {column}; give text")
        # None fills the rows before this one, which have fewer references.
        texts += [[None] * (number - 1) for _ in range(len(texts), len(cells))]
        for position, lines in enumerate(texts):
            lines.append(cells[position].replace("\n", " ") if position < len(cells) else None)
        yield number, len(table.rows)
    name = table.name if table.has_one_text else column
    return [
        TextColumn(
            f"{name} {number}" if len(texts) > 1 else name,
            [line or "" for line in lines],
            frozenset(n for n, line in enumerate(lines) if line is None),
            table.name,
            table.content,
            *table.keys,
        )
        for number, lines in enumerate(texts or [[]], 1)
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
    reference with keys, and others in order; columns of plain lines may have different lengths,
    and lose empty lines at the end that only they have.
    `show` formats the name of a file for a message.

    Raises FileError if a file with a content or with keys has other segments than the references.
    """
    sides = [list(systems), list(references), list(sources)]
    notes: list[str] = []
    if systems and references:
        if all(KALDI.is_format(column.lines) for column in (*systems, *references)):
            bare = [[_without_ids(column) for column in side] for side in sides]
            if len({frozenset(column.keys) for side in bare[:2] for column in side}) == 1:
                sides = bare
        size = len(systems[0].lines)
        sides[1] = [part for column in sides[1] for part in _split_groups(column, size)]
        size = min(len(column.lines) for side in sides[:2] for column in side)
        sides = [[_without_empty_end(c, size, show, notes) for c in side] for side in sides]
        base = next(iter([*(column for column in sides[1] if column.keys), *sides[1]]))
        keys = [set(column.keys) for column in sides[0] if column.keys]
        wanted = [key for key in base.keys if all(key in system for system in keys)]
        surplus = len(base.keys) - len(wanted)
        if base.content == CAPTIONS and wanted and surplus:
            left_out = f"{surplus:,} of {len(base.keys):,} images"
            notes.append(f"{show(base.label)}: left out without a hypothesis: {left_out}")
            sides[1] = [_select(c, wanted) if c.keys == base.keys else c for c in sides[1]]
            base = _select(base, wanted)
        sides = [
            [_join_to(base, _in_order(column, base), show) for column in side] for side in sides
        ]
        # How systems are joined says it all, unless the references differ in their order.
        sides[1] = [c if "differs" in c.way else replace(c, way="") for c in sides[1]]
    columns = [column for side in sides for column in side if column.content or column.way]
    notes += dict.fromkeys(f"{show(column.label)}: {column.extent}" for column in columns)
    return sides[0], sides[1], sides[2], notes


def text_count(lines: Sequence[str]) -> int:
    """Return the number of lines up to the last that is not empty."""
    return max((n for n, line in enumerate(lines, 1) if line.strip()), default=0)


def _without_empty_end(
    column: Column, size: int, show: Callable[[str], str], notes: list[str]
) -> Column:
    """Return a column of plain lines without empty ones after the first `size`, and note that.

    If the other is empty, nothing is left out.
    """
    end = max(size, text_count(column.lines))
    if column.content or not size or end >= len(column.lines):
        return column
    notes.append(f"{show(column.label)} ends with empty lines, which are left out")
    return replace(column, lines=column.lines[:end])


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


def _in_order(column: Column, base: Column) -> Column:
    """Return the texts in the order of their numbers, if those are all from 0 or 1, in disorder.

    Only lines without keys on the other side are in that order.
    """
    numbers = [int(key[0]) for key in map(re.compile(r"\d+$").search, column.keys) if key]
    size = len(column.keys)
    if base.keys or sorted(numbers) not in (list(range(size)), list(range(1, size + 1))):
        return column
    keys = [key for _, key in sorted(zip(numbers, column.keys, strict=True))]
    return (
        column
        if keys == list(column.keys)
        else replace(_select(column, keys), way=f"in the order of {column.key_name}")
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
        return replace(column, way=column.way or ("in order" if column.content else ""))
    key = next((key for key in (*base.keys, *column.keys) if key not in shared), "")
    alone = f"; {column.key_name} {short_repr(key, 40)} is in only one of them"
    raise FileError(
        f"{show(column.label)} has {column.extent}, and {show(base.label)} has {base.extent}"
        f"{alone if shared else ''}; give files with the same segments"
    )
