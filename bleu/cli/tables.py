"""The option --table: systems, references and groups from the columns of one file."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from bleu.cli.options import FURTHER, Options
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
    group_names,
    guess_roles,
)
from bleu.files.formats import TextColumn, table_columns
from bleu.files.markup import parse_workbook
from bleu.files.matching import choose_both
from bleu.files.parallel import ParallelTexts
from bleu.files.text_files import (
    FileError,
    display_name,
    first_bytes,
    is_workbook,
    read_lines,
)

MAX_COLUMNS_CHARACTERS: Final = 150
"""The largest number of characters of the names of columns in a message."""

COLUMN_OPTIONS: Final = {
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
            "help": f"a column with {texts}: its name, the end of its path, or its number",
            "group": FURTHER,
        }
        for option, texts in COLUMN_OPTIONS.values()
    },
    "--no-header": {
        "action": "store_true",
        "help": "the first row of a table is data, and its columns have numbers",
        "group": FURTHER,
    },
}


ENCODING_REMEDY: Final = "give the name of its encoding with --encoding"


def read_table_file(
    name: str, options: argparse.Namespace, lines: Sequence[str] = (), role: str | None = None
) -> DataTable:
    """Return the table in a workbook, or in the lines of another file, which are read if needed.

    Its first row has names if an option names one of them, and is data with `--no-header`.

    Raises FileError if the file cannot be read as a table.
    """
    shown_name = display_name(name)
    if is_workbook(first_bytes(name)):
        with open(name, "rb") as file:
            table = run_to_end(parse_workbook(shown_name, file))
    else:
        encoding = options.encoding or ""
        lines = lines or [*read_lines(name, encoding=encoding, remedy=ENCODING_REMEDY)]
        table = run_to_end(read_container(shown_name, lines, role))
    names = {name for option, _ in COLUMN_OPTIONS.values() for name in _names(options, option)}
    is_header = table.has_header or not names.isdisjoint(table.header)
    return table.with_header(is_header=is_header and not options.no_header)


def use_table(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Complete systems and references from a table; exit with code 2 if files are given, too.

    Raises the exceptions of `read_table_texts`.
    """
    if files := options.hypotheses or options.references:
        parser.error(f"--table has all texts, and {files[0]} is given, too; leave one out")
    options.table_texts, options.references = read_table_texts(options)
    options.hypotheses = list(options.table_texts.names)
    options.joined_references = options.table_texts.reference_count


def read_table_texts(options: argparse.Namespace) -> tuple[ParallelTexts, list[str]]:
    """Return the texts of the columns that options name or that match, and names of references.

    Raises FileError if a named column is missing, or if no column is known to have a role.
    """
    table = read_table_file(options.table, options)
    named = {role: named_columns(table, options, role) for role in COLUMN_OPTIONS}
    texts: dict[str, list[TextColumn]] = {SYSTEM: [], REFERENCES: []}
    choices = choose_both(table, named[SYSTEM], named[REFERENCES])
    indices = {role: choice.indices for role, choice in zip(texts, choices, strict=True)}
    for role in texts:
        if not indices[role]:
            raise unclear_error(table, role)
    taken = {*indices[SYSTEM], *indices[REFERENCES]}
    indices[GROUPS] = named[GROUPS] or [
        n for n, role in enumerate(guess_roles(table)) if role == GROUPS and n not in taken
    ]
    used = [table.columns[index] for index in chain.from_iterable(indices.values())]
    if len(set(used)) < len(used):
        raise FileError(
            f"a column name of {table.name} is used twice ({', '.join(used):.150}); use each once"
        )
    for role, columns in texts.items():
        for index in indices[role]:
            columns += run_to_end(table_columns(table, index, role))
    names = {role: [column.name for column in columns] for role, columns in texts.items()}
    shown = [escape_invisible(english_list(listed)) for listed in names.values()]
    note = f"{table.name}: hypotheses are in {shown[0]}, references in {shown[1]}"
    if any(choice.by_match for choice in choices):
        note += ", which match; --hypothesis-column and --reference-column choose others"
    rivals = filter(None, dict.fromkeys(choice.rival for choice in choices))
    note += "".join(f"; {escape_invisible(rival)}" for rival in rivals)
    print_file_note(options, note)
    groups = [(table.columns[index], group_names(table, index)) for index in indices[GROUPS]]
    systems, references = texts.values()
    parallel = ParallelTexts.of_columns([c.lines for c in systems], [c.texts for c in references])
    return replace(parallel, names=names[SYSTEM], groups=groups), names[REFERENCES]


def _names(options: argparse.Namespace, option: str) -> Sequence[str]:
    return getattr(options, option.removeprefix("--").replace("-", "_"), ())


def named_columns(table: DataTable, options: argparse.Namespace, role: str) -> list[int]:
    """Return the indices of the columns that the option for a role names, by name or number.

    Raises FileError if there is no such column.
    """
    indices = []
    for name in _names(options, COLUMN_OPTIONS[role][0]):
        if (index := table.index(name)) is None:
            raise FileError(
                f"{table.name} has no column {short_repr(name)}; it has {column_names(table)}"
            )
        indices.append(index)
    return indices


def column_names(table: DataTable) -> str:
    """Return the names of the columns, cut if they are long."""
    names = escape_invisible(", ".join(table.columns))
    is_long = len(names) > MAX_COLUMNS_CHARACTERS
    return f"{names[:MAX_COLUMNS_CHARACTERS]} …" if is_long else names


def unclear_error(table: DataTable, role: str, kind: str = "") -> FileError:
    """Return the error of a file whose columns do not tell where the texts for a role are."""
    texts = "hypotheses" if role == SYSTEM else role
    return FileError(
        f"{table.name}{kind} has no column that is known to hold {texts}; name one of "
        f"{column_names(table)} with {COLUMN_OPTIONS[role][0]}"
    )
