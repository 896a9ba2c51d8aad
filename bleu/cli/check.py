"""The command `python -m bleu check --hypotheses F --references F`, and findings as text."""

import argparse
from codecs import BOM_UTF8
from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import PurePath
from typing import Final

from bleu.analysis.evaluation import Plan, SystemFinding, findings_json, iter_findings
from bleu.cli.options import FORMAT_OPTION, Options, parse_settings, setting_options
from bleu.cli.tables import TABLE_OPTIONS
from bleu.cli.terminal import Parser, print_json, print_note, print_text, program, run_with_progress
from bleu.cli.texts import BARE_FILES, FILE_OPTIONS, READING_DEFAULTS, read_texts, take_files
from bleu.explanation.phrases import count_with_noun, escape_invisible
from bleu.files.data_table import REFERENCES, SYSTEM, file_roles
from bleu.files.text_files import FileError, display_name, first_bytes
from bleu.render.numbers import score_text

DESCRIPTION: Final = (
    "What is wrong with files, and how many points of BLEU each fault costs. The files are "
    "those of the command corpus. They may have different numbers of lines."
)
OPTIONS: Final[Options] = {
    **BARE_FILES,
    "--hypotheses": {
        **FILE_OPTIONS["--hypotheses"],
        "help": "the output of one system or several",
    },
    "--references": FILE_OPTIONS["--references"],
    **TABLE_OPTIONS,
    "--sources": {"metavar": "FILE", "help": "the source texts"},
    **setting_options("sacrebleu"),
    "--encoding": FILE_OPTIONS["--encoding"],
    "--as-text": FILE_OPTIONS["--as-text"],
    **FORMAT_OPTION,
}
MIN_COST: Final = 0.001
"""The smallest cost in [0, 1] of a finding that is noted when files are scored."""


def main(parser: Parser, arguments: Sequence[str]) -> int:
    """Print the faults of files, if any; return 0, or 1 if a file cannot be read."""
    parser.set_defaults(**READING_DEFAULTS)
    options = parser.parse(arguments)
    settings = parse_settings(parser, options)
    try:
        note = take_files(parser, options)
        parser.check_standard_input([*options.systems, *options.references, options.sources])
        texts = read_texts(options, options.sources)
        references, sources = texts.references, texts.sources
        if note:
            print_note(options, note)
        for name, system in zip(options.systems, texts.systems, strict=True):
            if not system:
                raise FileError(f"{display_name(name)} is empty; give one segment per line")
        if len(sources) not in (0, len(references)):
            raise FileError(
                f"{display_name(options.sources)} has {count_with_noun(len(sources), 'line')} for "
                f"{count_with_noun(len(references), 'segment')}; give one source for each"
            )
        plan = Plan(options.systems, has_bom=byte_order_marks(options))
        findings = run_with_progress(iter_findings(texts, settings, plan))
    except ValueError as error:
        return parser.report(error)
    if options.format == "json":
        return print_json({"findings": findings_json(findings, plan.names)})
    lines = []
    for item in findings:
        examples = (f"line {e.line:,}: {escape_invisible(e.text)}" for e in item.finding.examples)
        lines.append("\n  ".join([finding_line(item, plan.names, "check"), *examples]))
    segments = count_with_noun(len(references), "segment")
    return print_text("\n\n".join(lines or [f"No fault was found in {segments}."]) + "\n")


def byte_order_marks(options: argparse.Namespace) -> tuple[list[bool], bool]:
    """Return whether the file of each system, and any reference, begins with a byte order mark."""
    systems, references = (
        [first_bytes(name).startswith(BOM_UTF8) for name in names]
        for names in (options.systems, options.references)
    )
    return systems, any(references)


def finding_line(item: SystemFinding, names: Sequence[str], command: str) -> str:
    """Return a finding in one line: its systems, name and message, its cost and its remedy.

    The remedy is an option of the command `corpus`, which is named in the lines of other commands.
    """
    finding = item.finding
    parts = [f"{finding.name}: ", escape_invisible(finding.message)]
    if finding.side != "references":
        parts.insert(0, f"{', '.join(names[index] for index in item.systems)}: ")
    if finding.cost is not None and finding.score is not None and finding.score_without is not None:
        scores = score_text(finding.score_without), score_text(finding.score)
        sample = " in the segments that were checked" if finding.is_sampled else ""
        parts.append(
            f" Without this fault, the score is {scores[0]} instead of {scores[1]}{sample}."
        )
    action, _, value = finding.action.partition(":")
    if action:
        remedy = f"--{action} {value}".rstrip()
        if command != "corpus":
            remedy = f"{program('corpus')} {remedy}"
        parts.append(f" Remedy: {remedy}.")
    return "".join(parts)


def note_findings(
    findings: Iterable[SystemFinding],
    names: Sequence[str],
    options: argparse.Namespace,
    transposed_note: str = "",
) -> None:
    """Print notes on the files, their segments and the findings, unless the command is quiet.

    A finding has no note if its absolute cost is below MIN_COST.
    """
    if options.quiet:
        return
    if note := swapped_names_note(options.systems, options.references):
        print_note(options, note)
    if transposed_note:
        print_note(options, transposed_note)
    # The reader of files has already printed the note on line ends.
    left_out = {"line-ends", "tokenized"} if options.force else {"line-ends"}
    for item in findings:
        is_small = item.finding.cost is not None and abs(item.cost) < MIN_COST
        if item.finding.name not in left_out and not is_small:
            print_note(options, finding_line(item, names, options.command))


def swapped_names_note(systems: Sequence[str], references: Sequence[str]) -> str:
    """Return a note if the name of a system's file looks like that of a reference, else "".

    >>> swapped_names_note(["x/newstest.ref.en"], ["y/system.txt"])
    'by its name, newstest.ref.en is a reference, and it is scored against system.txt: are they \
swapped?'
    """
    for paths in product(systems, references):
        system, reference = (PurePath(path).name for path in paths)
        roles, other_roles = file_roles(system), file_roles(reference)
        if REFERENCES in roles - other_roles and SYSTEM not in roles:
            return (
                f"by its name, {system} is a reference, and it is scored against {reference}: "
                "are they swapped?"
            )
    return ""
