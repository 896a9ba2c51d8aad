"""The command that scores files: `python -m bleu corpus --hypotheses F --references F`."""

import argparse
import csv
import io
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from bleu.analysis.agreement import agreement_metric
from bleu.cli.corpus_options import check_options, corpus_parser
from bleu.cli.findings import (
    MAX_CHECKED_SEGMENTS,
    SegmentKeeper,
    SystemFinding,
    findings_json,
    print_findings,
    swapped_names_note,
)
from bleu.cli.options import settings_from_options
from bleu.cli.run import print_note, show_progress
from bleu.cli.sacrebleu_options import signature
from bleu.cli.tables import use_table
from bleu.cli.texts import read_rows
from bleu.core.progress import run_to_end
from bleu.core.score import compute
from bleu.core.segment import analyse
from bleu.core.settings import Settings
from bleu.core.statistics import Statistics
from bleu.corpus.corpus import score_segment
from bleu.corpus.groups import iter_grouping
from bleu.corpus.report import Report, as_json, iter_comparison
from bleu.corpus.text_files import FileError
from bleu.corpus.transposition import warn_if_transposed
from bleu.explanation.report import report_blocks, result_sentences, systems_table
from bleu.explanation.significance import caution_text
from bleu.render import markdown, tabular, text

RENDERERS: Final[Mapping[str, Callable[[Report], str]]] = {
    "text": lambda report: text.blocks(report_blocks(report)),
    "markdown": lambda report: markdown.blocks(report_blocks(report)),
    "latex": lambda report: tabular.blocks(report_blocks(report)),
    "latex-rows": lambda report: tabular.rows(systems_table(report)),
    "sentence": result_sentences,
}
SegmentRow = tuple[Statistics, ...]
"""The statistics of one segment for each system."""


def main(arguments: Sequence[str]) -> int:
    """Score files and print a table; return the exit code.

    The exit code is 0, or 1 if a file cannot be read or does not fit the others.
    """
    parser = corpus_parser()
    options = parser.parse(arguments)
    try:
        if options.table:
            use_table(parser, options)
    except FileError as error:
        print(f"{parser.prog}: error: {error}", file=sys.stderr)
        return 1
    check_options(parser, options)
    try:
        settings = settings_from_options(options)
        signature(options, settings)
    except (TypeError, ValueError) as error:
        parser.error(str(error))
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        for chunk in _output_chunks(options, settings):
            print(chunk, end="")
    except ValueError as error:
        show_progress("")
        print(f"{parser.prog}: error: {error}", file=sys.stderr)
        return 1
    return 0


def _output_chunks(options: argparse.Namespace, settings: Settings) -> Iterator[str]:
    """Yield the lines of segments as they are scored, or the whole report."""
    on_note = _ignore_note if options.quiet else print_note
    lines = read_rows(options, on_note)
    names = options.names or options.systems
    is_checked = not options.quiet or options.format == "json"
    keeper = SegmentKeeper(MAX_CHECKED_SEGMENTS if is_checked else 0)
    kept_lines = keeper.keep_rows(lines)
    texts = warn_if_transposed(kept_lines, len(names), settings, on_note)
    rows = keeper.keep_statistics(_count_rows(texts, len(names), settings))
    if options.segments and options.format == "text":
        yield from _segment_lines(rows, names, settings)
        findings = keeper.check(names, options, settings)
    else:
        groups = options.table_texts.groups if options.table else {}
        report = _build_report(rows, names, options, settings, groups)
        findings = keeper.check(names, options, settings)
        yield _render_report(report, options, findings)
    if not options.quiet:
        if note := swapped_names_note(options.systems, options.references):
            print_note(note)
        print_findings(findings)


def _ignore_note(_: str) -> None:
    """Print nothing."""


def _render_report(
    report: Report, options: argparse.Namespace, findings: Iterable[SystemFinding]
) -> str:
    """Return the report in the chosen format, and the convention if it is the default."""
    if options.score_only:
        scores = (100 * system.score.value for system in report.systems)
        return "".join(f"{score:.{options.width}f}\n" for score in scores)
    if options.format == "json":
        data = as_json(report, options.convention) | {"findings": findings_json(findings)}
        return json.dumps(data, indent=1) + "\n"
    output = RENDERERS[options.format](report)
    if not options.by_default:
        return output
    prefix = "% " if options.format.startswith("latex") else "\n"
    line = f"Convention: {options.convention}, the default here; --convention chooses another."
    return f"{output}{prefix}{line}\n"


def _count_rows(
    rows: Iterable[Sequence[str]], systems: int, settings: Settings
) -> Iterator[SegmentRow]:
    """Yield the statistics of each segment; the first `systems` lines of a row are hypotheses."""
    number = 0
    for number, lines in enumerate(rows, 1):
        hypotheses, references = lines[:systems], lines[systems:]
        yield tuple(analyse(text, references, settings).statistics for text in hypotheses)
        if number % 1000 == 0:
            show_progress(f"{number:,} segments")
    show_progress("")


def _segment_lines(
    rows: Iterable[SegmentRow], names: Sequence[str], settings: Settings
) -> Iterator[str]:
    """Yield a CSV line for each segment: its number, and its score under each system."""
    line, segment_settings = io.StringIO(), settings.of_parts
    noted_reasons = {""}
    write = csv.writer(line, lineterminator="\n").writerow
    write(["segment", *(("score",) if len(names) == 1 else names)])
    for number, row in enumerate(rows, 1):
        yield line.getvalue()
        line.seek(0)
        line.truncate()
        scores = [score_segment(segment, segment_settings) for segment in row]
        write([number, *("" if score is None else repr(score) for score, _ in scores)])
        for reason in {reason for _, reason in scores} - noted_reasons:
            noted_reasons.add(reason)
            print_note(f"segment {number} is the first that has no score by itself: {reason}")
    yield line.getvalue()


def _build_report(
    rows: Iterable[SegmentRow],
    names: Sequence[str],
    options: argparse.Namespace,
    settings: Settings,
    groups: Mapping[str, Sequence[str]],
) -> Report:
    """Return the report; segments are kept only if they are resampled, printed or grouped.

    `groups` has the group of each segment by column.
    """
    resampled = options.confidence or options.test
    totals = [Statistics.zero(settings.max_order)] * len(names)
    segments: list[SegmentRow] = []
    count = 0
    for count, row in enumerate(rows, 1):  # noqa: B007
        totals = list(map(Statistics.followed_by, totals, row))
        if resampled or options.segments or groups:
            segments.append(row)
    systems = [[row[index] for row in segments] for index in range(len(names))]
    comparison = iter_comparison(
        names,
        [compute(total, settings) for total in totals],
        systems,
        settings,
        _print_progress,
        test=options.test or "",
        intervals=options.confidence,
        resamples=options.resamples,
        seed=options.seed,
    )
    compared_systems, test = run_to_end(comparison)
    if options.segments:
        compared_systems = [
            replace(
                system,
                segments=tuple(score_segment(part, settings.of_parts)[0] for part in parts),
            )
            for system, parts in zip(compared_systems, systems, strict=True)
        ]
    caution = caution_text(*systems, tested=test is not None) if resampled else None
    groupings = tuple(
        run_to_end(iter_grouping(column, group_names, systems, settings))
        for column, group_names in groups.items()
    )
    return Report(
        signature(options, settings),
        count,
        compared_systems,
        test,
        caution,
        agreement_metric(settings),
        groupings,
        tuple(options.repair),
    )


def _print_progress(_task: str, done: int, total: int) -> None:
    show_progress(f"resample {done:,} of {total:,}" if done < total else "")
