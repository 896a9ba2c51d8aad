"""Tables of texts: separated values, columns, and the roles that the names of columns suggest."""

import csv
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any, Final

from bleu.core.progress import ProgressGenerator
from bleu.files.text_files import FileError

MAX_COLUMNS: Final = 1000
"""The largest number of columns, because every row of JSON gets a cell for each."""

Rows = Sequence[Sequence[Any]]
CAPTIONS: Final = "image with captions"
"""The content of tables of captions, of which only the images with a hypothesis are scored."""
_KEY_NAME: Final = re.compile(r"(?:^|_|^msg)(?:id|key|time|number)$", re.IGNORECASE)
"""The end of the name of a column with keys."""
_COLUMN_NUMBER: Final = re.compile(r"column \d+")
ID: Final = re.compile(r"[\w.:/@#+-]*\d[\w.:/@#+-]*", re.ASCII)
"""An id, a date or a number, which no text is."""
_NAME: Final = re.compile(r"(?!(?:\S+ ){4})\w[\w ,.:()/-]{0,38}[\w)]?")
"""A column's name: at most four words; unlike a clause of prose, it begins with no space and ends
with no full stop."""
_NUMBER: Final = re.compile(r"#|n[or]\.", re.IGNORECASE)
"""The name of a column with numbers that looks like no name."""
MIN_LONGER: Final = 2.0
"""How many times longer than unknown names of columns their cells are on average."""


@dataclass(frozen=True, slots=True)
class DataTable:
    """A table from a file: the names of its columns, and its rows, whose cells may be lists.

    `header` is the first row as it was read, or empty if the format names the columns. `roles` are
    the roles that the format gives to its columns, or empty if only their names suggest them.
    `content` is what a row of a known format is, such as a block of an SRT file, or "".
    """

    name: str
    columns: tuple[str, ...]
    rows: Rows
    header: tuple[str, ...] = ()
    roles: tuple[str | None, ...] = ()
    content: str = ""

    @property
    def keys(self) -> tuple[str, tuple[str, ...]]:
        """The name and the values of a column of distinct keys, or ("", ()) without any.

        >>> DataTable("a.jsonl", ("mt", "image_id"), [["a", 7], ["b", 9]]).keys
        ('image_id', ('7', '9'))
        """
        names = [name for name in self.columns if _KEY_NAME.search(name)]
        unnamed = [name for name in self.columns if _COLUMN_NUMBER.fullmatch(name)]
        for name in (*sorted(names, key="id".__eq__), *unnamed):  # Any other than id is clearer.
            index = self.columns.index(name)
            cells = [str(row[index]) for row in self.rows if isinstance(row[index], str | int)]
            is_key = name in names or all(map(ID.fullmatch, cells))
            if is_key and len(set(cells)) == len(self.rows):
                return name, tuple(cells)
        return "", ()

    @property
    def has_one_text(self) -> bool:
        """Whether its format leaves no choice of the column with the texts."""
        return bool(self.content) and len(self.columns) == 2

    def index(self, name: str) -> int | None:
        """Return the index of a column by its name, the end of its path, or its number from 1.

        >>> table = DataTable("a.jsonl", ("id", "translation.en"), ())
        >>> table.index("translation.en"), table.index("en"), table.index("2"), table.index("de")
        (1, 1, 1, None)
        """
        paths = [number for number, path in enumerate(self.columns) if path.endswith(f".{name}")]
        if name in self.columns:
            return self.columns.index(name)
        if len(paths) == 1:
            return paths[0]
        is_number = name.isdecimal() and 0 < int(name) <= len(self.columns)
        return int(name) - 1 if is_number else None

    @property
    def has_header(self) -> bool:
        """Whether the first row as it was read names the columns."""
        return bool(self.header) and self.columns[:1] != ("column 1",)

    def with_header(self, *, is_header: bool) -> "DataTable":
        """Return the same table with `header` as names, or as data of numbered columns.

        >>> table = DataTable("a.tsv", ("x", "y"), [["a", "b"]], ("x", "y"))
        >>> table.with_header(is_header=False).columns, table.with_header(is_header=False).rows
        (('column 1', 'column 2'), [('x', 'y'), ['a', 'b']])
        >>> table.with_header(is_header=False).with_header(is_header=True) == table
        True
        """
        if not self.header or is_header == self.has_header:
            return self
        if is_header:
            return replace(self, columns=self.header, rows=self.rows[1:])
        columns = tuple(f"column {n}" for n, _ in enumerate(self.header, 1))
        return replace(self, columns=columns, rows=[self.header, *self.rows])


def are_names(cells: Sequence[str], rows: Rows = (), *, is_known: bool = False) -> bool:
    """Return whether cells name columns: half of the names are known, or the rows are longer.

    With `is_known`, something else says so, unless they cannot be names.

    >>> are_names(["id", "mt"]), are_names(["English", "French"]), are_names(["Oh.", "Ah"])
    (True, False, False)
    >>> are_names(["No.", "English"], [["1", "A long sentence of the news."]])
    True
    """
    bare = [cell.strip('"') for cell in cells]
    bare = [cell for cell in bare if not _NUMBER.fullmatch(cell)]
    if not all(map(_NAME.fullmatch, filter(None, bare))):
        return False
    if is_known:
        return len(set(bare)) == len(bare) > 0
    if bare and 2 * sum(guess_role(cell) is not None for cell in bare) >= len(bare):
        return True
    is_unlike = any(not cell or cell[0].isdigit() or cell.endswith(".") for cell in bare)
    if not (rows and bare) or is_unlike or len(set(bare)) < len(bare):
        return False
    size = sum(len(str(cell)) for row in rows for cell in row)
    return size >= MIN_LONGER * len(rows) * sum(map(len, bare))


SYSTEM: Final = "system"
REFERENCES: Final = "references"
GROUPS: Final = "groups"
UNUSED: Final = ""
"""The roles of columns: a hypothesis, a reference, the group of each segment, or none of these."""

_CERTAIN_WORDS: Final = "mt hyp hypothesis candidate prediction predicted pred generated"
CERTAIN: Final = frozenset(_CERTAIN_WORDS.split())
"""Words that name a system even after a word for references, as in `target_pred`."""
_WORDS_BY_ROLE: Final = {
    REFERENCES: "ref reference expected gold truth label target tgt ideal human",
    SYSTEM: f"{_CERTAIN_WORDS} output response resp answer translation completion",
    GROUPS: "doc document docid domain lang language",
    UNUSED: "id source src input prompt system score time key",
}
_ROLE_BY_WORD: Final = {
    word: role for role, words in _WORDS_BY_ROLE.items() for word in words.split()
}
_MODEL: Final = re.compile(
    r"(?:system|sys)[ _-]?(?:[A-Z]|\d+)$|(?i:online|google|deepl|bing|microsoft|amazon|"
    r"chatgpt|gpt|claude|gemini|gemma|llama|mi[sx]tral|qwen|deepseek|aya|tower|nllb|m2m|opus|marian|"
    r"mbart|mt5|t5|madlad|seamless|transformer|fairseq|moses)(?![a-z]{3})"
)
"""The beginning of a column's name that is the name of a system or model."""


def name_words(column: str) -> list[str]:
    """Return the words of a column's name in lower case and in the singular.

    >>> name_words("choices.messageText_1"), name_words("hypotheses")
    (['choice', 'message', 'text'], ['hypothesis'])
    """
    words = re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", column).lower())
    return [re.sub(r"(?<=[^isu])s$", "", re.sub("eses$", "esis", word)) for word in words]


def guess_role(column: str) -> str | None:
    """Return the role that a column's name suggests, or None if the name is not known.

    A column is unused if its last word says so, as in `mt_score`. The end of a path decides, or
    else what is before it.

    >>> [guess_role(name) for name in ("mt", "expected_output", "prompt", "mt_score", "gpt-4o")]
    ['system', 'references', '', '', 'system']
    >>> [guess_role(name) for name in ("tgt.GPT-4", "translation.en", "model_output", "tgt_pred")]
    ['system', 'system', 'system', 'system']
    """
    path, _, name = column.rpartition(".")
    role = _guess_role(name)
    return guess_role(path) if role is None and path else role


def _guess_role(name: str) -> str | None:
    words = name_words(name)
    roles = [_ROLE_BY_WORD[word] for word in words if word in _ROLE_BY_WORD]
    if GROUPS in roles:
        return GROUPS
    is_model = _MODEL.match(name)
    if words and _ROLE_BY_WORD.get(words[-1]) == UNUSED and not is_model:
        return UNUSED
    if words and words[-1] in CERTAIN:
        return SYSTEM
    if REFERENCES in roles:
        return REFERENCES
    return SYSTEM if is_model or SYSTEM in roles else next(iter(roles), None)


SOURCES: Final = "sources"
"""The role of source texts, which only the check-up uses."""
_FILE_WORDS: Final = {
    REFERENCES: frozenset(["ref", "reference", "gt", "gold", "truth", "annotation", "solution"]),
    SYSTEM: frozenset(["hyp", "hypothesis", "sys", "system", "output", "prediction", "pred", "mt"]),
    SOURCES: frozenset(("src", "source")),
}


def file_roles(name: str) -> set[str]:
    """Return the roles that the words in the name of a file suggest.

    >>> file_roles("newstest.refs.en"), file_roles("mySource.txt"), file_roles("prefer")
    ({'references'}, {'sources'}, set())
    """
    words = set(name_words(name))
    return {role for role, known in _FILE_WORDS.items() if words & known}


def guess_roles(table: DataTable) -> list[str | None]:
    """Return the role of each column, or None if nothing suggests its role.

    A column of groups is unused if all rows have the same group, or each has its own.

    >>> guess_roles(DataTable("a.tsv", ("id", "src", "mt", "ref", "x"), ()))
    ['', '', 'system', 'references', None]
    """
    roles = list(table.roles) or [guess_role(name) for name in table.columns]
    for index, role in enumerate(roles):
        if role == GROUPS and not 1 < len(set(group_names(table, index))) < len(table.rows):
            roles[index] = UNUSED
    return roles


def group_names(table: DataTable, index: int) -> list[str]:
    """Return the group of each segment from a column; a missing cell is the group ""."""
    return ["" if row[index] is None else str(row[index]) for row in table.rows]


def check_columns(name: str, columns: Collection[object]) -> None:
    """Raise FileError if a table has more than MAX_COLUMNS columns."""
    if len(columns) > MAX_COLUMNS:
        raise FileError(f"{name} has {len(columns):,} columns; give at most {MAX_COLUMNS:,}")


SEPARATORS: Final = (
    ("\t", True),
    ("\t", False),
    (",", True),
    (";", True),
    ("|", True),
    (" ||| ", False),
)
"""What separates cells, and whether they may be quoted, in the order in which it is tried."""
RULE: Final = re.compile(r"\s*\|?(?:\s*:?-{2,}:?\s*\|)+(?:\s*:?-{2,}:?\s*)?")
_QUOTED_CELL: Final = re.compile(r'(?<![^\t])"(?:[^"]|"")*+"(?![^\t])')
_TEXT: Final = re.compile(r"[^\W\d_A-Z]")
"""A letter, except A to Z: programs that quote all texts do not quote TRUE and 1E5."""


def parse_separated(
    name: str, lines: Sequence[str], *, is_single: bool = False
) -> ProgressGenerator[DataTable]:
    r"""Return a table of values between tabs, commas or semicolons, with the first row as header.

    The separator is the first with which all rows have the same number of cells. Cells with a
    separator, a quote or a line end are quoted, as Excel and Python's csv write them; in
    tab-separated values of other programs, quotes are part of the text.

    Yields (lines read, all lines) with each separator tried. With `is_single`, there is one column.

    Raises FileError, with the row, if rows differ in their numbers of cells for every separator.

    >>> from bleu.core.progress import run_to_end
    >>> run_to_end(parse_separated("a.csv", ["id;mt, raw;ref", "1;a;b"])).columns
    ('id', 'mt, raw', 'ref')
    >>> run_to_end(parse_separated("a.tsv", ['mt\tref', '"a ""b"" c"\td'])).rows
    [['a "b" c', 'd']]
    """
    failures: list[tuple[bool, int, FileError]] = []
    separators: Sequence[tuple[str, bool]] = ((",", True),) if is_single else SEPARATORS
    if lines and (choice := re.fullmatch(r'"?sep=(.)"?', lines[0])):  # Excel names the separator.
        lines = lines[1:]
        separators = ((choice[1], True),)
    elif len(lines) > 1 and RULE.fullmatch(lines[1]):  # Markdown has a rule below the names.
        bare = (re.sub(r"^\s*\||\|\s*$", "", line) for line in (lines[0], *lines[2:]))
        lines = [re.sub(r"\s*(?<!\\)\|\s*", "\t", line.strip()) for line in bare]
        separators = (("\t", False),)
    for separator, is_quoted in separators:
        rows: list[list[str]] = []
        try:
            for number, row in _records(lines, separator, is_quoted=is_quoted):
                if row:
                    rows.append(row)
                    _check_row(name, rows, is_single=is_single)
                yield number, len(lines)
        except FileError as error:
            failures.append((len(rows[0]) > 1, len(rows), error))
        except csv.Error as reason:
            message = f"{name}, row {len(rows) + 1} cannot be read: {reason}; check its quotes"
            failures.append((bool(rows) and len(rows[0]) > 1, len(rows), FileError(message)))
        else:
            if rows:
                return DataTable(name, tuple(rows[0]), rows[1:], tuple(rows[0]))
    if not failures:
        raise FileError(f"{name} is empty; give a table with a line for each segment")
    raise max(failures, key=itemgetter(0, 1))[2]


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
            is_quoting = _is_quoted_by_program(record)
            quoted_rows += is_quoting
            literal_rows += not is_quoting
            has_unquoted = bool(_TEXT.search(_QUOTED_CELL.sub("", record)))
        unquoted_surplus += 1 if has_unquoted else -1
        yield start, row
    # A program that quotes all texts, such as LibreOffice, leaves few records with unquoted text.
    if literal_rows > quoted_rows and unquoted_surplus > 0:
        raise csv.Error("the quotes are part of the text")


def _is_quoted_by_program(record: str) -> bool:
    """Return whether a record quotes just the cells that need it, as Python and Excel do.

    Excel quotes commas, too. A doubled quote in any quoted cell suffices.
    """
    cells = [cell[1:-1] for cell in _QUOTED_CELL.findall(record)]
    rest = _QUOTED_CELL.sub("", record)
    needs_quotes = re.compile('[\t\n"]' if "," in rest else '[\t\n",]').search
    is_minimal = bool(cells) and '"' not in rest and all(map(needs_quotes, cells))
    return is_minimal or any('""' in cell for cell in cells)


def _check_row(name: str, rows: Rows, *, is_single: bool) -> None:
    """Raise FileError unless the last of some rows has as many cells as the first."""
    columns, size = len(rows[0]), len(rows[-1])
    if columns < 2 and not is_single:
        raise FileError(
            f"{name} has no columns: its first line has no tab, comma or semicolon; give TSV, "
            "CSV, JSON or XML"
        )
    check_columns(name, rows[-1])
    if size != columns:
        cells = "1 column" if size == 1 else f"{size} columns"
        raise FileError(
            f"{name}, row {len(rows)} has {cells}, and row 1 has {columns}; give all rows "
            "as many, or open a file of references alone as references"
        )
