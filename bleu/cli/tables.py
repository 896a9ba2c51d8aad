"""The option --table: systems, references and groups from the columns of one file."""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from bleu.cli.options import FURTHER, Options, attribute
from bleu.cli.terminal import print_file_note
from bleu.core.display import short_repr
from bleu.core.progress import run_to_end
from bleu.explanation.phrases import english_list, escape_invisible
from bleu.files.containers import read_container
from bleu.files.data_table import (
    GROUPS,
    REFERENCES,
    SYSTEM,
    DataTable,
    column_texts,
    group_names,
    guess_roles,
)
from bleu.files.markup import parse_workbook
from bleu.files.text_files import (
    PEEKED_BYTES,
    STANDARD_INPUT,
    FileError,
    display_name,
    is_workbook,
    read_lines,
)

MAX_TABLE_CHARACTERS: Final = 2**28
"""The largest number of characters of a table, because it is held in memory."""

MAX_COLUMNS_CHARACTERS: Final = 150
"""The largest number of characters of the names of columns in a message."""

_COLUMN_OPTIONS: Final = {
    SYSTEM: ("--hypothesis-column", "the output of a system"),
    REFERENCES: ("--reference-column", "references"),
    GROUPS: ("--group-column", "documents, domains or languages"),
}
"""For each role, the option that names its columns, and their contents."""
TABLE_OPTIONS: Final[Options] = {
    "--table": {
        "metavar": "FILE",
        "help": "hypotheses and references in one file: CSV, TSV, JSON, XLSX, SGML or XML of WMT "
        "and NIST, TMX or XLIFF; names of columns tell what they hold",
    },
    **{
        option: {
            "metavar": "NAME",
            "action": "append",
            "default": [],
            "help": f"a column with {texts}",
            "group": FURTHER,
        }
        for option, texts in _COLUMN_OPTIONS.values()
    },
}


@dataclass(frozen=True, slots=True)
class TableTexts:
    """The texts and groups of a table, by the names of their columns."""

    systems: dict[str, list[str | None]]
    references: dict[str, list[str | None]]
    groups: dict[str, list[str]]

    @property
    def reference_count(self) -> int | None:
        """The number of references of each segment, or None if it varies."""
        varies = any(None in lines for lines in self.references.values())
        return None if varies else len(self.references)

    def rows(self, systems: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """Yield the hypotheses of these systems and the references of each segment."""
        columns = [*map(self.systems.__getitem__, systems), *self.references.values()]
        for row in zip(*columns, strict=True):
            yield tuple(line for line in row if line is not None)


def read_table_file(name: str) -> DataTable:
    """Return the table in a file.

    Raises FileError if the file cannot be read as a table.
    """
    shown_name = display_name(name)
    try:
        if name != STANDARD_INPUT:
            with open(name, "rb") as file:
                if is_workbook(file.read(PEEKED_BYTES)):
                    return run_to_end(parse_workbook(shown_name, file))
    except OSError as error:
        raise FileError(f"{shown_name} cannot be read: {error.strerror or error}") from None
    lines: list[str] = []
    characters = 0
    for line in read_lines(name):
        characters += len(line) + 1
        if characters > MAX_TABLE_CHARACTERS:
            raise FileError(
                f"{shown_name} has more than {MAX_TABLE_CHARACTERS:,} characters; save its columns "
                "as text files"
            )
        lines.append(line)
    return run_to_end(read_container(shown_name, lines))


def use_table(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Complete systems and references from a table; exit with code 2 if files are given, too.

    Raises the exceptions of `read_table_texts`.
    """
    if files := options.hypotheses or options.references or options.positional:
        parser.error(f"--table has all texts, and {files[0]} is given, too; leave one out")
    options.table_texts = read_table_texts(options)
    options.hypotheses = list(options.table_texts.systems)
    options.references = list(options.table_texts.references)


def read_table_texts(options: argparse.Namespace) -> TableTexts:
    """Return the texts of the columns that options name, or whose names suggest their roles.

    Raises FileError if a named column is missing, or if no column is known to have a role.
    """
    table = read_table_file(options.table)
    named = {
        role: getattr(options, attribute(option, {}))
        for role, (option, _) in _COLUMN_OPTIONS.items()
    }
    texts: dict[str, dict[str, list[str | None]]] = {}
    indices = {role: _columns(table, role, named) for role in named}
    used = [table.columns[index] for index in chain.from_iterable(indices.values())]
    if len(set(used)) < len(used):
        raise FileError(
            f"a column name of {table.name} is used twice ({', '.join(used):.150}); use each once"
        )
    for role in (SYSTEM, REFERENCES):
        texts[role] = {}
        for index in indices[role]:
            lines_of_column = run_to_end(column_texts(table, index, role))
            for number, lines in enumerate(lines_of_column, 1):
                suffix = f" {number}" if len(lines_of_column) > 1 else ""
                texts[role][f"{table.columns[index]}{suffix}"] = lines
    systems, references = (escape_invisible(english_list([*texts[role]])) for role in texts)
    note = f"{table.name}: hypotheses are in {systems}, references in {references}"
    print_file_note(options, note)
    groups = {table.columns[index]: group_names(table, index) for index in indices[GROUPS]}
    return TableTexts(texts[SYSTEM], texts[REFERENCES], groups)


def _columns(table: DataTable, role: str, named: Mapping[str, Sequence[str]]) -> list[int]:
    """Return the indices of the columns with a role: those that options name, or guessed."""
    columns = escape_invisible(", ".join(table.columns))
    if len(columns) > MAX_COLUMNS_CHARACTERS:
        columns = f"{columns[:MAX_COLUMNS_CHARACTERS]} …"
    for name in named[role]:
        if name not in table.columns:
            raise FileError(f"{table.name} has no column {short_repr(name)}; it has {columns}")
    if named[role]:
        return [table.columns.index(name) for name in named[role]]
    others = set(chain.from_iterable(named.values()))
    guessed = [
        index
        for index, guess in enumerate(guess_roles(table))
        if guess == role and table.columns[index] not in others
    ]
    if not guessed and role != GROUPS:
        raise FileError(
            f"{table.name} has no column that is known to hold "
            f"{'hypotheses' if role == SYSTEM else role}; name one of {columns} with "
            f"{_COLUMN_OPTIONS[role][0]}"
        )
    return guessed
