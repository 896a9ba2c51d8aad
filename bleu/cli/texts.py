"""The texts of the files that a command scores or checks."""

import argparse
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Any, Final, NamedTuple

from bleu.checkup.alignment import align
from bleu.checkup.repairs import RESIZING, repair_texts
from bleu.cli.options import FURTHER, Options
from bleu.cli.sacrebleu_options import SACREBLEU_OPTIONS, system_count_error
from bleu.cli.tables import (
    COLUMN_OPTIONS,
    ENCODING_REMEDY,
    named_columns,
    read_table_file,
    unclear_error,
    use_table,
)
from bleu.cli.terminal import Parser, print_file_note, print_note
from bleu.core.display import short_repr
from bleu.core.progress import run_to_end
from bleu.core.settings import Settings
from bleu.explanation.phrases import count_with_noun, english_list, escape_invisible
from bleu.files.containers import (
    CONTAINERS,
    DETECTION_LINES,
    WORKBOOK,
    detect_container,
)
from bleu.files.data_table import REFERENCES, SYSTEM, DataTable
from bleu.files.formats import KALDI, TextColumn, join, table_columns
from bleu.files.matching import PLAIN, Chosen, choose_pair, fit_tables, plain_table, source_columns
from bleu.files.parallel import ParallelTexts, TextRow
from bleu.files.text_files import (
    STANDARD_INPUT,
    FileError,
    LineCountError,
    display_name,
    first_bytes,
    is_workbook,
    read_lines,
    read_parallel_lines,
)

MAX_ALIGNED_LINES: Final = 200_000
"""The largest number of lines that are searched for the place where files drift apart."""

FILE_OPTIONS: Final[Options] = {
    "--hypotheses": {
        "metavar": "FILE",
        "nargs": "+",
        "help": "the output of one system or several, default standard input; without --baseline, "
        "the first is the baseline",
    },
    "--references": {"metavar": "FILE", "nargs": "+", "help": "one or more references"},
    "--encoding": {**SACREBLEU_OPTIONS["--encoding -e"], "group": FURTHER},
    "--as-text": {
        "action": "store_true",
        "help": "score the lines of JSON, markup and tables as they are",
        "group": FURTHER,
    },
}
"""The options that name files, and how they are read."""
BARE_FILES: Final[Options] = {
    "files": {
        "nargs": "*",
        "metavar": "FILE",
        "help": "without the options for them: the hypotheses, then the references",
    }
}
READING_DEFAULTS: Final[dict[str, Any]] = {
    "tabbed_systems": False,
    "quiet": False,
    "is_joined": False,
    "num_refs": 1,
    "table": None,
    "no_header": False,
    "force": False,
    "repair": [],
}
"""The options on how files are read of commands that do not have them."""


def take_files(parser: Parser, options: argparse.Namespace) -> str:
    """Complete systems and references, also from a table or from files that no option names.

    Return a note on which of these is which, or "". Exit with code 2 if one side is missing or
    given twice. Raises the exceptions of `use_table`.
    """
    files = list(options.files)
    if files and not (options.hypotheses or options.table):
        options.hypotheses = [files.pop(0)]
    if files and not (options.references or options.table):
        options.references, files = files, []
    if files:
        parser.error(f"{short_repr(files[0], 100)} is given beside the options; leave one out")
    if not options.table and not (options.hypotheses and options.references):
        parser.error("--hypotheses or --references is missing; give both, or --table")
    if options.table:
        use_table(parser, options)
    options.systems = options.hypotheses
    if not options.files:
        return ""
    sides = english_list(options.hypotheses), english_list(options.references)
    return f"the hypotheses are {sides[0]}, and the references {sides[1]}"


class FieldCountError(FileError):
    """A line whose number of tab-separated fields is not the expected one."""


def read_rows(
    options: argparse.Namespace, settings: Settings | None = None
) -> Iterator[TextRow] | ParallelTexts:
    """Return the rows of plain lines, which are read on demand, or texts that are held in memory.

    These are the texts of a table, or those after the repairs that `--repair` names, which are
    judged by the score under `settings`, or those of files that must be joined. If the references
    are more than one a file, their number becomes `options.joined_references`, or None if it
    varies.

    Raises FileError if files do not fit each other, or if it is unclear where the texts of JSON,
    markup or a table are, and the exceptions of `read_lines`.
    """
    files = [] if options.table else _open_files(options)
    if not (options.table or options.repair or _must_be_joined(files, options)):
        lines = iter([chain(file.head, file.rest) for file in files])
        names = [file.name for file in files]
        rows = _name_drift(read_parallel_lines(names, read=lambda _: next(lines)), options)
        if options.tabbed_systems:
            rows = _split_systems(rows, options)
        if options.num_refs > 1:
            limit = f"--num-refs is {options.num_refs}"
            rows = _split_at_tabs(rows, options.num_refs, -1, options.references[0], limit)
        return rows
    texts = read_texts(options, files=files, is_even=RESIZING.isdisjoint(options.repair))
    repaired = repair_texts(texts, options.repair, settings) if options.repair else texts
    if repaired is texts:  # What changes nothing is not said to be repaired.
        options.repair = []
    return repaired


class _File(NamedTuple):
    """An open file: its first lines, the others, and its container, or "" for plain text."""

    name: str
    role: str
    head: list[str]
    rest: Iterator[str]
    container: str


def read_texts(
    options: argparse.Namespace,
    source: str | None = None,
    *,
    files: Sequence[_File] = (),
    is_even: bool = False,
) -> ParallelTexts:
    """Return the texts of all systems, the references, and the texts of a source file.

    `files` are opened unless they are given. Unless `is_even`, the sides may have different
    lengths. Raises the exceptions of `read_rows`.
    """
    sources: list[TextColumn] = []
    if source:
        file = _open_file(source, SYSTEM, options)
        table = _table(file, options)
        sources = _columns(file, table, Chosen(source_columns(table)), options)
    if options.table:
        texts: ParallelTexts = options.table_texts
        systems = [texts.systems[texts.names.index(name)] for name in options.systems]
        texts = replace(texts, systems=systems)
    else:
        files = files or _open_files(options)
        system_columns, columns, sources = _join(files, options, sources)
        checked = [*system_columns, *columns] if is_even else columns
        lengths = {len(column.lines) for column in checked}
        if len(lengths) > 1 or 0 in lengths:
            files_lines = {column.label: column.lines for column in checked}
            rows = read_parallel_lines([*files_lines], read=lambda name: iter(files_lines[name]))
            deque(_name_drift(rows, options, files_lines), 0)  # It raises.
        lines = [column.lines for column in system_columns]
        texts = ParallelTexts.of_columns(lines, [column.texts for column in columns])
    return replace(texts, sources=[*chain.from_iterable(c.lines for c in sources[:1])])


def _open_files(options: argparse.Namespace) -> list[_File]:
    """Return the open files of the systems, then of the references."""
    names = *((n, SYSTEM) for n in options.systems), *((n, REFERENCES) for n in options.references)
    return [_open_file(name, role, options) for name, role in names]


def _must_be_joined(files: Sequence[_File], options: argparse.Namespace) -> bool:
    """Return whether the lines of files are no texts that belong together in order."""
    has_groups = any("" in map(str.strip, f.head) for f in files if f.role == REFERENCES)
    has_ids = not options.tabbed_systems and all(KALDI.is_format(file.head) for file in files)
    has_container = any(file.container for file in files)
    return not options.as_text and (has_groups or has_ids or has_container)


def _join(
    files: Iterable[_File], options: argparse.Namespace, sources: list[TextColumn] | None = None
) -> tuple[list[TextColumn], list[TextColumn], list[TextColumn]]:
    """Read and join files, print what was read, and set `options.joined_references`."""
    options.is_joined = True
    columns: dict[str, list[TextColumn]] = {SYSTEM: [], REFERENCES: []}
    files = list(files)
    tables = [_table(file, options) for file in files]
    count = sum(file.role == SYSTEM for file in files)
    if not options.no_header:
        for index in range(1, len(tables)):
            first = 0 if index >= count else -1
            tables[first], tables[index] = fit_tables(tables[first], tables[index])
    choices = _choose(tables[:count], tables[count:], options)
    for file, table, choice in zip(files, tables, choices, strict=True):
        columns[file.role] += _columns(file, table, choice, options)
    systems, references, sources = columns[SYSTEM], columns[REFERENCES], sources or []
    if not options.as_text:
        systems, references, sources, notes = join(systems, references, sources, display_name)
        for note in notes:
            print_file_note(options, note)
    if len(references) > len(options.references):
        varies = any(column.missing for column in references)
        options.joined_references = None if varies else len(references)
    return systems, references, sources


def _name_drift(
    rows: Iterator[tuple[str, ...]],
    options: argparse.Namespace,
    texts: Mapping[str, Sequence[str]] | None = None,
) -> Iterator[tuple[str, ...]]:
    """Yield rows; if a file ends early, raise FileError with the line where files drift apart.

    If only empty lines follow in plain files, print a note on them instead. `texts` has the texts
    of other files by their names.
    """
    try:
        yield from rows
    except LineCountError as error:
        if STANDARD_INPUT in error.names:
            raise
        shorter, longer = (
            list(islice(texts[name] if texts else read_lines(name), MAX_ALIGNED_LINES))
            for name in error.names
        )
        is_complete = len(longer) < MAX_ALIGNED_LINES
        has_texts = any(map(str.strip, longer[len(shorter) :]))
        if shorter and is_complete and not (texts or options.as_text or has_texts):
            note = f"{display_name(error.names[1])} ends with empty lines, which are left out"
            print_file_note(options, note)
            return
        shifts = run_to_end(align(shorter, [[line] for line in longer])).shifts
        if not (shifts and is_complete):
            raise
        raise FileError(f"{error}; they drift apart at line {shifts[0][0]:,}") from None


def _open_file(name: str, role: str, options: argparse.Namespace) -> _File:
    """Return an open file; with `options.as_text`, it is plain text."""
    if not options.as_text and is_workbook(first_bytes(name)):
        return _File(name, role, [], iter(()), WORKBOOK)
    is_unnamed = name == STANDARD_INPUT and role == SYSTEM and not options.hypotheses
    is_tabbed = is_unnamed and options.tabbed_systems
    # sacreBLEU ends the lines of standard input at \r, too, but those of files at \n alone.
    lines = read_lines(
        name, lone_returns=is_tabbed, encoding=options.encoding or "", remedy=ENCODING_REMEDY
    )
    if is_unnamed and sys.stdin and sys.stdin.isatty():
        remedy = f"give it with {_system_options(options)}"
        print_note(options, f"the system is read from standard input; {remedy}")
    head = list(islice(lines, DETECTION_LINES))
    if is_unnamed and not head:
        raise FileError(
            "the system is read from standard input, which is empty; give it with "
            + _system_options(options)
        )
    has_tabs = options.num_refs > 1 and role == REFERENCES
    is_text = options.as_text or has_tabs or is_tabbed
    return _File(name, role, head, lines, "" if is_text else detect_container(head, role))


def _table(file: _File, options: argparse.Namespace) -> DataTable:
    """Return the table in a file, or that of one column if it has plain lines."""
    name, role, head, rest, container = file
    lines = [*head, *rest]
    return read_table_file(name, options, lines, role) if container else plain_table(name, lines)


def _choose(
    systems: Sequence[DataTable], references: Sequence[DataTable], options: argparse.Namespace
) -> Iterator[Chosen]:
    """Yield the columns of each file: those that options name, or that match the other side best.

    The first file of each side is what the files of the other side must match.
    """
    named = [
        [named_columns(t, options, role) if t.columns != PLAIN else [] for t in tables]
        for role, tables in ((SYSTEM, systems), (REFERENCES, references))
    ]
    for side, tables in enumerate((systems, references)):
        for number, table in enumerate(tables):
            pair, columns = [systems[0], references[0]], [named[0][0], named[1][0]]
            pair[side], columns[side] = table, named[side][number]
            yield choose_pair(pair[0], pair[1], columns[0], columns[1])[side]


def _columns(
    file: _File, table: DataTable, choice: Chosen, options: argparse.Namespace
) -> list[TextColumn]:
    """Return the texts of the chosen columns of a file, and print a note on which they are."""
    name, role = file.name, file.role
    if not file.container:
        return [TextColumn(name, [row[0] for row in table.rows])]
    content = CONTAINERS.get(file.container, file.container)
    if not choice.indices:
        raise unclear_error(table, role, f", which is {content},")
    columns, names = [], english_list([table.columns[index] for index in choice.indices])
    for index in choice.indices:
        columns += run_to_end(table_columns(table, index, REFERENCES))
    if not table.has_one_text:
        note = f"{table.name} is {content}; its texts are those of {escape_invisible(names)}"
        if choice.by_match:
            other = "references" if role == SYSTEM else "hypotheses"
            note += f", which match the {other}; {COLUMN_OPTIONS[role][0]} chooses another"
        if role == SYSTEM and len(columns) > 1:
            note += f"; of {len(columns)} in a row, the first is read"
        note += choice.rival and f"; {escape_invisible(choice.rival)}"
        print_file_note(options, note)
    return [replace(column, file=name) for column in (columns[:1] if role == SYSTEM else columns)]


def _system_options(options: argparse.Namespace) -> str:
    """Return the options that name the file of the system: the first, if there are several."""
    system, *references = options.references
    option = "--input" if options.command == "sacrebleu" else "--hypotheses"
    if not references:
        return f"{option} FILE"
    if option == "--input":
        return f"{' '.join(references)} --input {system}"
    return f"--hypotheses {system} --references {' '.join(references)}"


def _split_systems(
    rows: Iterator[tuple[str, ...]], options: argparse.Namespace
) -> Iterator[tuple[str, ...]]:
    """Yield rows whose first text, a line of standard input, is split into systems at tabs.

    The first line determines the number of systems. They are named as in sacreBLEU: System 1,
    System 2, and so on.

    Raises FileError if the options require more or fewer systems, and FieldCountError if a line has
    another number of systems.
    """
    first = next(rows)
    count = len(first[0].rstrip().split("\t"))
    if count > 1:
        options.systems = [f"System {number}" for number in range(1, count + 1)]
    if message := system_count_error(options):
        raise FileError(message)
    return _split_at_tabs(chain([first], rows), count, 0, "standard input", f"line 1 has {count}")


def _split_at_tabs(
    rows: Iterable[tuple[str, ...]], count: int, index: int, name: str, limit: str
) -> Iterator[tuple[str, ...]]:
    """Yield rows with the first or the last text split at tabs; `limit` says into how many.

    As sacreBLEU does, it refuses an empty last text, and leaves further tabs in a reference.
    """
    for number, row in enumerate(rows, 1):
        fields = row[index].rstrip().split("\t", count - 1 if index else -1)
        if len(fields) != count:
            noun = "tab-separated reference" if index else "tab-separated system"
            raise FieldCountError(
                f"{name}, line {number} has {count_with_noun(len(fields), noun)}, and {limit}; "
                "give the same number in each line"
            )
        yield (*row[:-1], *fields) if index else (*fields, *row[1:])
