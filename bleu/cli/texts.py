"""The texts of the files that a command scores or checks."""

import argparse
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from typing import Final

from bleu.analysis.alignment import align
from bleu.analysis.finding import FAULTS
from bleu.analysis.repairs import RESIZING, repair_corpus
from bleu.cli.run import print_note
from bleu.cli.sacrebleu_options import split_references, split_tabbed_systems
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

MAX_ALIGNED_LINES: Final = 200_000
"""Lines of files that are searched for the place where they drift apart."""


def read_rows(
    options: argparse.Namespace, on_note: Callable[[str], object]
) -> Iterator[Sequence[str]]:
    """Yield the lines of systems and references, with the faults undone that `--repair` names.

    Raises FileError if files do not fit each other, and the exceptions of `read_texts`.
    """
    read = partial(read_texts, options=options)
    files = [*options.systems, *options.references]
    read_files = partial(read_parallel_lines, on_note=on_note, read=read)
    if options.table or options.between_tabs or RESIZING.isdisjoint(options.repair):
        lines = options.table_texts.rows(options.systems) if options.table else read_files(files)
        lines = _name_drift(lines)
        if options.between_tabs:
            lines = split_tabbed_systems(lines, options)
        rows = split_references(lines, options)
        if not options.repair:
            return rows
        texts = list(rows)
        count = len(options.systems)
        systems = [[row[index] for row in texts] for index in range(count)]
        references = [row[count:] for row in texts]
    else:
        systems = [list(read(name)) for name in options.systems]
        references = list(split_references(read_files(options.references), options))
    repaired = [repair_corpus(texts, references, options.repair) for texts in systems]
    columns = zip(*(hypotheses for hypotheses, _ in repaired), strict=True)
    return ((*hypotheses, *row) for hypotheses, row in zip(columns, repaired[0][1], strict=True))


def _name_drift(rows: Iterator[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """Yield rows; if a file ends too early, name the line from which it drifts apart."""
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
    """Yield the lines of a file, or the texts of its field or column if there is just one.

    With `options.as_text`, its lines are texts in any case.

    Raises FileError if it is unclear where the texts of JSON, markup or a table are, and the
    exceptions of `read_lines`.
    """
    encoding = getattr(options, "encoding", None) or ""  # The command check has no such option.
    lines = read_lines(name, old_mac_lines=options.old_mac_lines, encoding=encoding)
    head = list(islice(lines, DETECTION_LINES))
    has_tabs = options.num_refs > 1 and name in options.references
    is_text = options.as_text or has_tabs or (options.between_tabs and name == STANDARD_INPUT)
    kind = "" if is_text else detect_container(head)
    if not kind:
        yield from chain(head, lines)
        return
    shown_name, content = display_name(name), FAULTS[kind].removesuffix(" read as text")
    role = REFERENCES if name in options.references else SYSTEM
    try:
        table = run_to_end(read_container(shown_name, [*head, *lines]))
        roles = guess_roles(table)
        unknown = [index for index, each in enumerate(roles) if each is None]
        chosen = [index for index, each in enumerate(roles) if each == role] or unknown
        columns = run_to_end(column_texts(table, chosen[0], role)) if len(chosen) == 1 else []
    except FileError:
        columns = []
    if len(columns) != 1:
        raise FileError(
            f"{shown_name} is {content}, and it is unclear where its texts "
            "are; give one segment per line, name the column with --table, or score it as it is "
            "with --as-text"
        )
    print_note(f"{shown_name} is {content}; its texts are those of {table.columns[chosen[0]]}")
    yield from (text or "" for text in columns[0])
