"""The command that scores files: `python -m bleu corpus --hypotheses F --references F`."""

import argparse
import csv
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from bleu.cli.corpus_options import CORPUS_OPTIONS, complete_options
from bleu.cli.findings import (
    MAX_CHECKED_SEGMENTS,
    SegmentKeeper,
    SystemFinding,
    findings_json,
    note_findings,
)
from bleu.cli.help import Parser
from bleu.cli.processes import SegmentRow, count_rows
from bleu.cli.run import print_file_note, print_note, print_text, show_progress
from bleu.cli.sacrebleu_options import signature
from bleu.cli.scoring import build_report
from bleu.cli.tables import use_table
from bleu.cli.texts import read_rows
from bleu.core.settings import Settings
from bleu.corpus.corpus import score_segment
from bleu.corpus.report import Report, as_json
from bleu.explanation.report import report_blocks, result_sentences, signature_text, systems_table
from bleu.render import markdown, tabular, text

DESCRIPTION: Final = (
    "BLEU of files with one segment a line: UTF-8, or UTF-16 with a byte order mark, also "
    "packed by gzip; - is standard input. Without --convention it is sacreBLEU's corpus score."
)
OPTIONS: Final = CORPUS_OPTIONS
RENDERERS: Final[Mapping[str, Callable[[Report], str]]] = {
    "text": lambda report: text.blocks(report_blocks(report)),
    "markdown": lambda report: markdown.blocks(report_blocks(report)),
    "latex": lambda report: tabular.blocks(report_blocks(report)),
    "latex-rows": lambda report: tabular.rows(systems_table(report), signature_text(report)),
    "sentence": result_sentences,
}


def main(parser: Parser, arguments: Sequence[str]) -> int:
    """Score files and print a table; return 0, or 1 if files cannot be read or do not match."""
    options = parser.parse(arguments)
    try:
        if options.table:
            use_table(parser, options)
        _print_scores(options, complete_options(parser, options))
    except ValueError as error:
        show_progress("")
        return parser.report(error)
    return 0


def _print_scores(options: argparse.Namespace, settings: Settings) -> None:
    """Print the report, or a line for each segment with `--segments` as text or `--score-only`."""
    names, rows, keeper = read_corpus(options, settings, check=options.format == "json")
    if options.segments and (options.format == "text" or options.score_only):
        _print_segments(rows, names, options, settings)
        findings = keeper.check()
    else:
        groups = options.table_texts.groups if options.table else {}
        report = build_report(rows, names, options, settings, groups, keeper)
        findings = keeper.check()
        print_text(_render_report(report, options, findings))
    note_findings(findings, keeper, options)


def read_corpus(
    options: argparse.Namespace, settings: Settings, *, check: bool = False
) -> tuple[Sequence[str], Iterator[SegmentRow], SegmentKeeper]:
    """Return the names of the systems, the statistics of segments, and the keeper of segments.

    The keeper keeps segments to check them, unless the command is quiet and `check` is False.
    """
    text_rows = read_rows(options)  # First, as it sets `options.systems` if tabs separate systems.
    names = options.names or options.systems
    limit = MAX_CHECKED_SEGMENTS if check or not options.quiet else 0
    keeper = SegmentKeeper(limit, names, options, settings)
    needs_segments = options.confidence or options.test or options.segments or options.table
    unsummed_rows = sys.maxsize if needs_segments else limit
    text_rows = keeper.keep_rows(text_rows)
    rows = count_rows(text_rows, len(names), settings, options.jobs, unsummed_rows)
    return names, keeper.keep_statistics(rows), keeper


def _render_report(
    report: Report, options: argparse.Namespace, findings: Iterable[SystemFinding]
) -> str:
    """Return the formatted report; add the convention with `--segments` or if it is the default."""
    if options.score_only:
        scores = (100 * system.score.value for system in report.systems)
        return "".join(f"{score:.{options.width}f}\n" for score in scores)
    if options.format == "json":
        data = as_json(report, options.convention) | {"findings": findings_json(findings)}
        return json.dumps(data, indent=1) + "\n"
    output = RENDERERS[options.format](report)
    line = f"Convention: {options.convention}"
    if options.by_default:
        line += ", the default here; --convention chooses another."
    elif not options.segments:
        return output
    prefix = "% " if options.format.startswith("latex") else "\n"
    return f"{output}{prefix}{line}\n"


def _print_segments(
    rows: Iterable[SegmentRow],
    names: Sequence[str],
    options: argparse.Namespace,
    settings: Settings,
) -> None:
    """Print a CSV line for each segment: its number, and its score under each system.

    With `--score-only`, a line has the scores alone, on the 0-100 scale.
    """
    write = csv.writer(sys.stdout, lineterminator="\n").writerow
    segment_settings, noted_reasons = settings.for_parts, {""}
    for number, row in enumerate(rows, 1):
        if number == 1 and not options.score_only:
            write(["segment", *(("score",) if len(names) == 1 else names)])
            print_file_note(
                options,
                f"scores are those of convention {options.convention}, from 0 to 1, "
                f"{signature(options, settings)}",
            )
        scores = [score_segment(segment, segment_settings) for segment in row]
        if options.score_only:
            write(["" if s is None else f"{100 * s:.{options.width}f}" for s, _ in scores])
        else:
            write([number, *("" if score is None else repr(score) for score, _ in scores)])
        for reason in {reason for _, reason in scores} - noted_reasons:
            noted_reasons.add(reason)
            print_note(f"segment {number} is the first that has no score by itself: {reason}")
