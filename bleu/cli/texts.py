"""The texts of the files that a command scores or checks."""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from typing import Final

from bleu.analysis.alignment import align
from bleu.analysis.evaluation import split_rows
from bleu.analysis.finding import FAULTS
from bleu.analysis.repairs import RESIZING, repair_corpus
from bleu.cli.run import print_file_note, print_note
from bleu.cli.sacrebleu_options import system_count_error
from bleu.core.progress import run_to_end
from bleu.corpus.containers import DETECTION_LINES, detect_container, read_container
from bleu.corpus.data_table import REFERENCES, SYSTEM, column_texts, guess_roles
from bleu.corpus.text_files import (
    STANDARD_INPUT,
    FileError,
    LineCountError,
    display_name,
    read_lines,
    read_parallel_lines,
)
from bleu.explanation.phrases import count_with_noun

MAX_ALIGNED_LINES: Final = 200_000
"""The largest number of lines that are searched for the place where files drift apart."""


class FieldCountError(FileError):
    """A line whose number of tab-separated fields is not the expected one."""


def read_rows(options: argparse.Namespace) -> Iterator[Sequence[str]]:
    """Yield the hypotheses and references of each segment, after the repairs that `--repair` names.

    Raises FileError if files do not fit each other, and the exceptions of `read_texts`.
    """
    if options.table or options.tabbed_systems or RESIZING.isdisjoint(options.repair):
        if options.table:
            unsplit_rows = options.table_texts.rows(options.systems)
        else:
            files = [*options.systems, *options.references]
            unsplit_rows = _name_drift(_read_files(files, options))
        if options.tabbed_systems:
            unsplit_rows = split_tabbed_systems(unsplit_rows, options)
        rows = split_references(unsplit_rows, options)
        if not options.repair:
            return rows
        systems, references = split_rows(list(rows), len(options.systems))
    else:
        systems, references = read_separately(options)
    repaired = [repair_corpus(texts, references, options.repair) for texts in systems]
    columns = zip(*(hypotheses for hypotheses, _ in repaired), strict=True)
    return ((*hypotheses, *row) for hypotheses, row in zip(columns, repaired[0][1], strict=True))


def read_separately(
    options: argparse.Namespace,
) -> tuple[list[list[str]], list[Sequence[str]]]:
    """Return each system's texts and each segment's references; their lengths may differ.

    Raises the exceptions of `read_texts`.
    """
    if options.table:
        rows = list(options.table_texts.rows(options.systems))
        return split_rows(rows, len(options.systems))
    systems = [list(read_texts(name, options)) for name in options.systems]
    references = _read_files(options.references, options)
    return systems, list(split_references(references, options))


def _read_files(names: Sequence[str], options: argparse.Namespace) -> Iterator[tuple[str, ...]]:
    read = partial(read_texts, options=options)
    return read_parallel_lines(names, on_note=partial(print_file_note, options), read=read)


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


def read_texts(name: str, options: argparse.Namespace) -> Iterator[str]:
    """Yield the texts of a file: its lines, or the only column of texts of JSON, markup or a table.

    With `options.as_text`, these are always its lines.

    Raises FileError if it is unclear where the texts of JSON, markup or a table are, and the
    exceptions of `read_lines`.
    """
    is_tabbed = options.tabbed_systems and name == STANDARD_INPUT
    # sacreBLEU ends the lines of standard input at \r, too, but those of files at \n alone.
    ends_at_cr = options.old_mac_lines or (is_tabbed and options.command == "sacrebleu")
    lines = read_lines(name, old_mac_lines=ends_at_cr, encoding=options.encoding or "")
    if is_tabbed and sys.stdin and sys.stdin.isatty():
        print_note(
            f"the system is read from standard input; give it with {_system_options(options)}"
        )
    head = list(islice(lines, DETECTION_LINES))
    if is_tabbed and not head:
        raise FileError(
            "the system is read from standard input, which is empty; give it with "
            + _system_options(options)
        )
    has_tabs = options.num_refs > 1 and name in options.references
    is_text = options.as_text or has_tabs or is_tabbed
    container = "" if is_text else detect_container(head)
    if not container:
        yield from chain(head, lines)
        return
    shown_name, content = display_name(name), FAULTS[container].removesuffix(" read as text")
    role = REFERENCES if name in options.references else SYSTEM
    try:
        table = run_to_end(read_container(shown_name, [*head, *lines]))
        roles = guess_roles(table)
        unknown = [index for index, guess in enumerate(roles) if guess is None]
        indices = [index for index, guess in enumerate(roles) if guess == role] or unknown
        columns = run_to_end(column_texts(table, indices[0], role)) if len(indices) == 1 else []
    except FileError:
        if container != "table":
            raise
        columns = []
    if len(columns) != 1:
        raise FileError(
            f"{shown_name} is {content}, and it is unclear where its texts "
            "are; give one segment per line, name the column with --table, or score it as it is "
            "with --as-text"
        )
    column = table.columns[indices[0]]
    print_file_note(options, f"{shown_name} is {content}; its texts are those of {column}")
    yield from (text or "" for text in columns[0])


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
        fields = line.split("\t")
        while len(fields) > count and not fields[-1].strip():
            fields.pop()
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
        fields = row[-1].split("\t", options.num_refs - 1)
        if len(fields) != options.num_refs:
            raise FieldCountError(
                f"{options.references[0]}, line {number} has "
                f"{count_with_noun(len(fields), 'tab-separated reference')}, and --num-refs is "
                f"{options.num_refs}; give the same number in each line"
            )
        yield (*row[:-1], *fields)
