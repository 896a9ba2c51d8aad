"""The texts of the files that a command scores or checks."""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from typing import Any, Final, NamedTuple

from bleu.analysis.evaluation import split_rows
from bleu.checkup.alignment import align
from bleu.checkup.repairs import RESIZING, repair_corpus
from bleu.cli.options import FURTHER, Options
from bleu.cli.sacrebleu_options import system_count_error
from bleu.cli.terminal import print_file_note, print_note
from bleu.core.progress import run_to_end
from bleu.core.settings import Settings
from bleu.explanation.phrases import count_with_noun
from bleu.files.containers import CONTAINERS, DETECTION_LINES, detect_container, read_container
from bleu.files.data_table import REFERENCES, SYSTEM, guess_roles
from bleu.files.formats import KALDI, TextColumn, join, table_columns
from bleu.files.text_files import (
    STANDARD_INPUT,
    FileError,
    LineCountError,
    display_name,
    read_lines,
    read_parallel_lines,
)

MAX_ALIGNED_LINES: Final = 200_000
"""The largest number of lines that are searched for the place where files drift apart."""

FILE_OPTIONS: Final[Options] = {
    "--hypotheses": {
        "metavar": "FILE",
        "nargs": "+",
        "help": "the output of one system or several, default standard input, where tabs separate "
        "systems; without --baseline, the first is the baseline",
    },
    "--references": {"metavar": "FILE", "nargs": "+", "help": "one or more references"},
    "--old-mac-lines": {
        "action": "store_true",
        "help": "lines end at \\r alone, too, as in files from before Mac OS X",
        "group": FURTHER,
    },
    "--as-text": {
        "action": "store_true",
        "help": "score the lines of JSON, markup and tables as they are",
        "group": FURTHER,
    },
}
"""The options that name files, and how they are read."""
READING_DEFAULTS: Final[dict[str, Any]] = {
    "tabbed_systems": False,
    "quiet": False,
    "is_joined": False,
    "num_refs": 1,
    "encoding": None,
    "table": None,
    "positional": [],
    "repair": [],
}
"""The options on how files are read of commands that do not have them."""


class FieldCountError(FileError):
    """A line whose number of tab-separated fields is not the expected one."""


def read_rows(
    options: argparse.Namespace, settings: Settings | None = None
) -> Iterator[Sequence[str]]:
    """Yield the hypotheses and references of each segment, after the repairs that `--repair` names.

    The repairs are judged by the score under `settings`. Plain lines are not held in memory. If the
    references of the files are more than one a file, their number becomes
    `options.joined_references`, or None if it varies.

    Raises FileError if files do not fit each other, or if it is unclear where the texts of JSON,
    markup or a table are, and the exceptions of `read_lines`.
    """
    if options.table or options.tabbed_systems or RESIZING.isdisjoint(options.repair):
        if options.table:
            unsplit_rows = options.table_texts.rows(options.systems)
        else:
            unsplit_rows = _name_drift(_read_files(options))
        if options.tabbed_systems:
            unsplit_rows = split_tabbed_systems(unsplit_rows, options)
        rows = split_references(unsplit_rows, options)
        if not options.repair:
            return rows
        systems, references = split_rows(list(rows), len(options.systems))
    else:
        systems, references, _ = read_separately(options)
    repaired = [repair_corpus(texts, references, options.repair, settings) for texts in systems]
    originals = [(list(texts), list(map(list, references))) for texts in systems]
    if repaired == originals:  # What changes nothing is not said to be repaired.
        options.repair = []
    columns = zip(*(hypotheses for hypotheses, _ in repaired), strict=True)
    return ((*hypotheses, *row) for hypotheses, row in zip(columns, repaired[0][1], strict=True))


def read_separately(
    options: argparse.Namespace, source: str | None = None
) -> tuple[list[list[str]], list[Sequence[str]], list[str]]:
    """Return each system's texts, each segment's references, and the texts of a source file.

    Their lengths may differ. Raises the exceptions of `read_rows`.
    """
    sources = _columns(_open_file(source, SYSTEM, options), options) if source else []
    if options.table:
        rows = list(options.table_texts.rows(options.systems))
        systems, references = split_rows(rows, len(options.systems))
    else:
        system_columns, columns, sources = _join(_open_files(options), options, sources)
        systems = [list(column.lines) for column in system_columns]
        references = list(split_references(_parallel(columns, options), options))
    return systems, references, [*chain.from_iterable(column.lines for column in sources[:1])]


class _File(NamedTuple):
    """An open file: its first lines, the others, and its container, or "" for plain text."""

    name: str
    role: str
    head: list[str]
    rest: Iterator[str]
    container: str


def _open_files(options: argparse.Namespace) -> list[_File]:
    """Return the open files of the systems, then of the references."""
    names = *((n, SYSTEM) for n in options.systems), *((n, REFERENCES) for n in options.references)
    return [_open_file(name, role, options) for name, role in names]


def _read_files(options: argparse.Namespace) -> Iterator[tuple[str, ...]]:
    """Yield the texts of each segment; files are held in memory only if they must be joined."""
    files = _open_files(options)
    has_groups = any("" in map(str.strip, f.head) for f in files if f.role == REFERENCES)
    has_ids = not options.tabbed_systems and all(KALDI.is_format(file.head) for file in files)
    if not options.as_text and (has_groups or has_ids or any(file.container for file in files)):
        systems, references, _ = _join(files, options)
        return _parallel([*systems, *references], options)
    lines = iter([chain(file.head, file.rest) for file in files])
    names, on_note = [file.name for file in files], partial(print_file_note, options)
    return read_parallel_lines(names, on_note=on_note, read=lambda _: next(lines))


def _join(
    files: Iterable[_File], options: argparse.Namespace, sources: list[TextColumn] | None = None
) -> tuple[list[TextColumn], list[TextColumn], list[TextColumn]]:
    """Read and join files, print what was read, and set `options.joined_references`."""
    options.is_joined = True
    columns: dict[str, list[TextColumn]] = {SYSTEM: [], REFERENCES: []}
    for file in files:
        columns[file.role] += _columns(file, options)
    systems, references, sources = columns[SYSTEM], columns[REFERENCES], sources or []
    if not options.as_text:
        systems, references, sources, notes = join(systems, references, sources, display_name)
        for note in notes:
            print_file_note(options, note)
    if len(references) > len(options.references):
        varies = any(column.missing for column in references)
        options.joined_references = None if varies else len(references)
    return systems, references, sources


def _parallel(
    columns: Sequence[TextColumn], options: argparse.Namespace
) -> Iterator[tuple[str, ...]]:
    """Yield the texts of each segment, without missing references."""
    lines, on_note = iter(columns), partial(print_file_note, options)
    names = [column.label for column in columns]
    rows = read_parallel_lines(names, on_note=on_note, read=lambda _: iter(next(lines).lines))
    for index, row in enumerate(rows):
        pairs = zip(columns, row, strict=True)
        yield tuple(line for column, line in pairs if index not in column.missing)


def _name_drift(rows: Iterator[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """Yield rows; if a file ends early, raise FileError with the line where files drift apart."""
    try:
        yield from rows
    except LineCountError as error:
        if STANDARD_INPUT in error.names:
            raise
        shorter, longer = (
            list(islice(read_lines(name), MAX_ALIGNED_LINES)) for name in error.names
        )
        shifts = run_to_end(align(shorter, [[line] for line in longer])).shifts
        if not shifts or len(longer) == MAX_ALIGNED_LINES:
            raise
        raise FileError(f"{error}; they drift apart at line {shifts[0][0]:,}") from None


def _open_file(name: str, role: str, options: argparse.Namespace) -> _File:
    """Return an open file; with `options.as_text`, it is plain text."""
    is_tabbed = options.tabbed_systems and name == STANDARD_INPUT
    # sacreBLEU ends the lines of standard input at \r, too, but those of files at \n alone.
    ends_at_cr = options.old_mac_lines or (is_tabbed and options.command == "sacrebleu")
    lines = read_lines(name, old_mac_lines=ends_at_cr, encoding=options.encoding or "")
    if is_tabbed and sys.stdin and sys.stdin.isatty():
        remedy = f"give it with {_system_options(options)}"
        print_note(options, f"the system is read from standard input; {remedy}")
    head = list(islice(lines, DETECTION_LINES))
    if is_tabbed and not head:
        raise FileError(
            "the system is read from standard input, which is empty; give it with "
            + _system_options(options)
        )
    has_tabs = options.num_refs > 1 and role == REFERENCES
    is_text = options.as_text or has_tabs or is_tabbed
    return _File(name, role, head, lines, "" if is_text else detect_container(head, role))


def _columns(file: _File, options: argparse.Namespace) -> list[TextColumn]:
    """Return the texts of a file: its lines, or the only column of texts for its role."""
    name, role, head, rest, container = file
    if not container:
        return [TextColumn(name, [*head, *rest])]
    shown_name, columns = display_name(name), []
    content = CONTAINERS.get(container, container)
    try:
        table = run_to_end(read_container(shown_name, [*head, *rest], role))
        roles = guess_roles(table)
        unknown = [index for index, guess in enumerate(roles) if guess is None]
        indices = [index for index, guess in enumerate(roles) if guess == role] or unknown
        if len(indices) == 1:
            columns = run_to_end(table_columns(table, indices[0], role))
    except FileError:
        if container != "table":
            raise
    if len(columns) != 1 and (role != REFERENCES or not columns):
        raise FileError(
            f"{shown_name} is {content}, and it is unclear where its texts "
            "are; give one segment per line, name the column with --table, or score it as it is "
            "with --as-text"
        )
    if not table.content:
        column = table.columns[indices[0]]
        print_file_note(options, f"{shown_name} is {content}; its texts are those of {column}")
    return [replace(column, file=name) for column in columns]


def _system_options(options: argparse.Namespace) -> str:
    """Return the options that name the file of the system: the first, if there are several."""
    system, *references = options.references
    option = "--input" if options.command == "sacrebleu" else "--hypotheses"
    if not references:
        return f"{option} FILE"
    if option == "--input":
        return f"{' '.join(references)} --input {system}"
    return f"--hypotheses {system} --references {' '.join(references)}"


def split_tabbed_systems(
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
    return _split_systems(chain([first], rows), count)


def _split_systems(rows: Iterable[tuple[str, ...]], count: int) -> Iterator[tuple[str, ...]]:
    for number, (line, *references) in enumerate(rows, 1):
        fields = line.rstrip().split("\t")  # as sacreBLEU, which refuses an empty last text
        if len(fields) != count:
            raise FieldCountError(
                f"standard input, line {number} has "
                f"{count_with_noun(len(fields), 'tab-separated system')}, and line 1 has {count}; "
                "give the same number in each line"
            )
        yield (*fields, *references)


def split_references(
    rows: Iterable[Sequence[str]], options: argparse.Namespace
) -> Iterator[Sequence[str]]:
    """Yield the texts of each segment, with references split at tabs if `--num-refs` is above 1.

    Raises FieldCountError if a line has another number of references than `--num-refs`.
    """
    if options.num_refs == 1:
        yield from rows
        return
    for number, row in enumerate(rows, 1):
        fields = row[-1].rstrip().split("\t", options.num_refs - 1)
        if len(fields) != options.num_refs:
            raise FieldCountError(
                f"{options.references[0]}, line {number} has "
                f"{count_with_noun(len(fields), 'tab-separated reference')}, and --num-refs is "
                f"{options.num_refs}; give the same number in each line"
            )
        yield (*row[:-1], *fields)
