"""Tables in files of markup: SGML and XML of NIST and WMT, TMX, XLIFF, and XLSX workbooks.

Tags are read one by one, because SGML is seldom well-formed. A file that declares an entity is
refused, because entities may expand to gigabytes.
"""

import html
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from io import BufferedIOBase
from posixpath import join
from typing import Any, Final, NamedTuple

from bleu.core.progress import ProgressGenerator
from bleu.files.data_table import (
    GROUPS,
    REFERENCES,
    SYSTEM,
    UNUSED,
    DataTable,
    are_names,
    check_columns,
)
from bleu.files.formats import unescape
from bleu.files.json_table import MAX_NESTING, table_of
from bleu.files.text_files import FileError, location

_TAG: Final = re.compile(
    r"<(?:(?P<end>/)?(?P<name>[A-Za-z_][\w:.-]*)(?P<attributes>(?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*+)>|"
    r"!(?P<declaration>\w+)[^<>]*>?)"
)
_ATTRIBUTE: Final = re.compile(r"([\w:.-]{1,40}+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'/>]+))")
_ENDS: Final = {"<!--": "-->", "<![CDATA[": "]]>", "<?": "?>"}
"""The ends of comments, CDATA sections and processing instructions, by their beginnings."""
MAX_TEXT_PARTS: Final = 10_000
"""The largest number of parts into which comments and < divide a text between two tags."""
_OPENING: Final = re.compile("|".join(map(re.escape, _ENDS)))
_COLUMNS: Final = {
    "srcset": ("source", UNUSED),
    "src": ("source", UNUSED),
    "supplemental": ("supplemental", UNUSED),
    "refset": ("reference", REFERENCES),
    "ref": ("reference", REFERENCES),
    "tstset": ("system", SYSTEM),
    "hyp": ("system", SYSTEM),
}
"""The name and role of the column for the segments in an element."""
_SKIPPED: Final = ("bpt", "ept", "ph", "it")
"""Elements of TMX and XLIFF that are skipped: inline codes."""
_ANDROID: Final = re.compile(r"<resources\b[^<>]*>\s*<(?:string|plurals|!--)")
"""The beginning of the strings of Android, in which backslashes escape quotes."""
MAX_PART_BYTES: Final = 100 * 2**20
"""The largest size in bytes to which a part of a workbook may unpack."""
MAX_RATIO: Final = 200
"""The largest factor by which a part of more than a megabyte may unpack."""
STRINGS: Final = "xl/sharedStrings.xml"
"""The part with the texts that cells share."""


class Tag(NamedTuple):
    """A tag with the text before it; `name` is in lower case, and "" at the end of the file."""

    position: int
    text: str
    name: str
    is_start: bool = False
    is_end: bool = False
    attributes: str = ""

    @property
    def values(self) -> dict[str, str]:
        """The values of the attributes by their names, without prefixes."""
        found = _ATTRIBUTE.findall(self.attributes)
        return {k.rpartition(":")[2]: html.unescape(a or b or c) for k, a, b, c in found}

    def get(self, *names: str) -> str:
        """Return the first value of these attributes that is not empty, or ""."""
        if not self.attributes:
            return ""
        values = {key.lower(): value for key, value in self.values.items()}
        return next((values[name] for name in names if values.get(name)), "")


def iter_tags(name: str, text: str) -> Iterator[Tag]:
    """Yield each tag with the text since the last one; `name` is the file's name in messages.

    Comments and namespace prefixes are left out. A < that begins no tag is text.

    Raises FileError if the file declares an entity, if a comment does not end, or if a text has too
    many < or comments.

    >>> [(tag.text, tag.name) for tag in iter_tags("a", "<x:b>1 &lt; 2<!-- 3 --> < <c/>4")]
    [('', 'b'), ('1 < 2 < ', 'c'), ('4', '')]
    """
    parts: list[str] = []
    position = 0
    while (start := text.find("<", position)) >= 0:
        parts.append(_unescape(text[position:start]))
        if len(parts) > MAX_TEXT_PARTS:
            raise FileError(
                f"{location(name, text, start)}: a text has too many < or comments; write < as &lt;"
            )
        if opening := _OPENING.match(text, start):
            closing = _ENDS[opening[0]]
            end = text.find(closing, start)
            if end < 0:
                raise FileError(f"{name} has a {opening[0]} without {closing}; complete the file")
            position = end + len(closing)
            if opening[0] == "<![CDATA[":
                parts.append(text[opening.end() : end])
            continue
        tag = _TAG.match(text, start)
        position = tag.end() if tag else start + 1
        if not tag:
            parts.append("<")
        elif tag["declaration"] == "ENTITY":
            raise FileError(f"{name} declares entities, which are not read; save it without them")
        elif tag["name"]:
            attributes = tag["attributes"]
            is_end = bool(tag["end"]) or attributes.endswith("/")
            local_name = tag["name"].rpartition(":")[2].lower()
            yield Tag(start, "".join(parts), local_name, not tag["end"], is_end, attributes)
            parts.clear()
    yield Tag(len(text), "".join(parts) + _unescape(text[position:]), "")


def _unescape(text: str) -> str:
    """Resolve character references that end with a semicolon, such as &lt; and &#60;."""
    return re.sub(r"&#?\w{1,10};", lambda entity: html.unescape(entity[0]), text)


class _SegmentReader:
    """The reader of the segments of a file, tag by tag.

    - `rows`: the texts so far, by (document, unit, segment, occurrence), then by column.
    - `roles`: the columns so far, with their roles.
    - `unit`, `owner`: the translation unit, and the system, translator or language of a text.
    """

    def __init__(self, name: str, text: str) -> None:
        self.name, self.text = name, text
        self.rows: dict[tuple[str, ...], dict[str, str]] = {}
        self.roles: dict[str, str | None] = {"document": GROUPS, "segment": UNUSED}
        self.counts: Counter[tuple[str, ...]] = Counter()
        self.document = self.unit = self.element = self.owner = ""
        self.text_tags: tuple[str, ...] = ("seg",)
        self.alternatives: set[str] = set()
        """The columns of alternative translations, which are left out if a unit has none."""
        self.alternative = ""
        """The origin of an alternative translation in XLIFF, such as machine-trans."""
        self.ignored = 0
        self.open_segment: str | None = None
        self.parts: list[str] = []

    def read(self, tag: Tag, number: int) -> None:
        """Read a tag and the text before it; `number` counts the tags."""
        if self.open_segment is not None and not self.ignored:
            self.parts.append(tag.text)
        if tag.name in _SKIPPED:
            self.ignored = max(0, self.ignored + tag.is_start - tag.is_end)
        elif tag.name in self.text_tags and not self.ignored:
            self._read_segment(tag, number)
        elif tag.name == "xliff":
            self.text_tags = ("source", "target")
        elif tag.name == "alt-trans":
            self.alternative = (tag.get("origin") or tag.name) if tag.is_start else ""
        elif tag.is_start and not self.ignored:
            self._start(tag, number)

    def _read_segment(self, tag: Tag, number: int) -> None:
        """Begin or end a segment, or both."""
        if tag.is_start == (self.open_segment is not None):
            start = location(self.name, self.text, tag.position)
            remedy = f"write <{tag.name}> and </{tag.name}> in turn"
            raise FileError(f"{start}: <{tag.name}> begins or ends twice; {remedy}")
        if tag.is_start:
            self._start(tag, number)
            self.open_segment = tag.get("id")
        if tag.is_end:
            line = re.sub(r"\s*\n\s*", " ", "".join(self.parts)).strip()
            self._add(line, self.open_segment or "")
            self.parts, self.open_segment = [], None

    def _start(self, tag: Tag, number: int) -> None:
        """Set the document, unit, element or owner of the texts after a start tag."""
        if tag.name in _COLUMNS:
            self.element, self.owner = tag.name, tag.get("translator", "system", "sysid", "type")
        elif tag.name == "doc":
            self.document, self.owner = tag.get("docid", "id"), tag.get("sysid") or self.owner
        elif tag.name in ("tu", "trans-unit", "unit"):
            self.unit = tag.get("tuid", "id") or str(number)
        elif tag.name == "tuv":
            self.owner = tag.get("lang")
        elif tag.name in ("source", "target"):
            self.owner = f"{tag.name} of {self.alternative}" if self.alternative else tag.name

    def _add(self, text: str, segment: str) -> None:
        """Put a text into its column, in the first row of its segment where that cell is empty."""
        label, role = _COLUMNS.get(self.element, ("", None))
        if self.alternative and self.owner.startswith("target"):
            role = SYSTEM  # A proposal, which a person accepted or changed.
        column = self.owner if role == SYSTEM and self.owner else f"{label} {self.owner}".strip()
        column = column or "text"
        names = self.document, self.unit, segment
        self.counts[*names, column] += 1
        row = self.rows.setdefault((*names, str(self.counts[*names, column])), {})
        row |= {"document": self.document, "segment": segment or self.unit, column: text}
        self.roles.setdefault(column, role)
        if self.alternative:
            self.alternatives.add(column)

    def table(self) -> DataTable:
        """Return the table of all segments, without empty columns whose role is GROUPS or UNUSED.

        Raises FileError if the last segment does not end.
        """
        if self.open_segment is not None:
            raise FileError(
                f"{self.name} ends inside segment {self.open_segment!r}; complete the file"
            )
        check_columns(self.name, self.roles)
        rows = self.rows.values()
        columns = [
            column
            for column, role in self.roles.items()
            if (role not in (GROUPS, UNUSED) or any(row.get(column) for row in rows))
            and (column not in self.alternatives or all(row.get(column) for row in rows))
        ]
        return DataTable(
            self.name,
            tuple(columns),
            [[row.get(column) for column in columns] for row in rows],
            roles=tuple(self.roles[column] for column in columns),
        )


def parse_markup(name: str, lines: Sequence[str]) -> ProgressGenerator[DataTable]:
    """Return a table with a row for each segment, and a column for each text that it has.

    Columns are the source, the references and the systems; in TMX, the languages; in XLIFF, source
    and target, also of alternative translations, all of unknown role. In other XML, elements that
    repeat are rows, and the texts in them are columns by their paths. Yields (characters read, all
    characters) after each tag.

    Raises FileError if a segment does not end, if there are no texts, and as `iter_tags` does.

    >>> from bleu.core.progress import run_to_end
    >>> lines = ['<refset><doc docid="d" sysid="A"><seg id=1>a</seg></doc></refset>']
    >>> table = run_to_end(parse_markup("a.sgm", lines))
    >>> table.columns, table.rows
    (('document', 'segment', 'reference A'), [['d', '1', 'a']])
    >>> lines = ['<list><p id="a"><t>b <i>c</i></t></p><p id="d"><t>e</t></p></list>']
    >>> run_to_end(parse_markup("a.xml", lines)).rows
    [['a', 'b c'], ['d', 'e']]
    """
    text = "\n".join(lines)
    reader = _SegmentReader(name, text)
    for number, tag in enumerate(iter_tags(name, text)):
        reader.read(tag, number)
        yield tag.position, len(text)
    if reader.rows or reader.open_segment is not None:
        return reader.table()
    if _ANDROID.search(text):
        text = unescape(text)
    table = table_of(name, [(yield from _read_elements(name, text))])
    if not any(map(any, table.rows)):
        raise FileError(f"{name} has no texts; give XML with texts in elements that repeat")
    return table


class _Element(NamedTuple):
    """An element of XML: its name, its attributes, and its texts and elements in order."""

    name: str
    attributes: dict[str, str]
    parts: list[Any]

    @property
    def text(self) -> str:
        """The text of the element and those in it, in one line."""
        parts = (part if isinstance(part, str) else part.text for part in self.parts)
        return " ".join("".join(parts).split())

    @property
    def value(self) -> Any:
        """The element as JSON: a text, perhaps beside attributes, or elements by their names."""
        elements = [part for part in self.parts if isinstance(part, _Element)]
        if not elements or any(isinstance(part, str) and part.strip() for part in self.parts):
            return {**self.attributes, "text": self.text} if self.attributes else self.text
        values: dict[str, list[Any]] = {}
        for element in elements:
            values.setdefault(element.name, []).append(element.value)
        return self.attributes | {
            name: items if len(items) > 1 else items[0] for name, items in values.items()
        }


def _read_elements(name: str, text: str) -> ProgressGenerator[Any]:
    """Return the elements of XML as JSON; an attribute `name` is a key, as in Android's strings."""
    path = [_Element("", {}, [])]
    for tag in iter_tags(name, text):
        path[-1].parts.append(tag.text)
        if tag.is_start:
            attributes = {"key" if key == "name" else key: v for key, v in tag.values.items()}
            element = _Element(tag.name, attributes, [])
            path[-1].parts.append(element)
            path.append(element)
            if len(path) > MAX_NESTING:
                raise FileError(
                    f"{location(name, text, tag.position)} is nested more than {MAX_NESTING} deep; "
                    "give elements with texts"
                )
        if tag.is_end and tag.name in [element.name for element in path[1:]]:
            while path.pop().name != tag.name:
                pass
        yield tag.position, len(text)
    return path[0].value


def parse_workbook(name: str, content: BufferedIOBase) -> ProgressGenerator[DataTable]:
    """Return the values of a workbook's first sheet; its first row may name the columns.

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
    table = DataTable(name, tuple(header), values, tuple(header))
    return table.with_header(is_header=not values or are_names(header, values))


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
