"""The command that scores files: `python -m bleu corpus --hypotheses F --references F`."""

import argparse
import csv
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from bleu.analysis.evaluation import (
    MAX_CHECKED_SEGMENTS,
    CheckedSegments,
    Evaluation,
    Plan,
    StatisticsRow,
    SystemFinding,
    evaluation_json,
    iter_evaluation,
)
from bleu.cli.corpus_options import CORPUS_OPTIONS, complete_options
from bleu.cli.findings import byte_order_marks, note_findings
from bleu.cli.help import Parser
from bleu.cli.processes import count_rows, iter_comparison_in_processes
from bleu.cli.run import (
    print_file_note,
    print_note,
    print_text,
    run_with_progress,
    show_progress,
)
from bleu.cli.sacrebleu_options import reference_count, signature
from bleu.cli.tables import use_table
from bleu.cli.texts import read_rows
from bleu.core.settings import Settings
from bleu.corpus.corpus import score_segment
from bleu.corpus.report import Report
from bleu.explanation.report import report_blocks, result_sentences, signature_text, systems_table
from bleu.render import markdown, tabular, text

DESCRIPTION: Final = (
    "BLEU of files with one segment a line: UTF-8, or UTF-16 with a byte order mark, also "
    "packed by gzip; - is standard input. Without --convention it is sacreBLEU's corpus score."
)
USAGE: Final = "%(prog)s --hypotheses FILE [FILE ...] --references FILE [FILE ...] [option ...]"
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
    corpus = OpenCorpus(options, settings, check=options.format == "json")
    if options.segments and (options.format == "text" or options.score_only):
        _print_segments(corpus.rows, corpus.plan.names, options, settings)
        findings = corpus.check()
    else:
        evaluation = corpus.evaluate()
        findings = evaluation.findings or ()
        print_text(_render_report(evaluation, options))
    corpus.print_notes(findings)


class OpenCorpus:
    """The files of a command: the plan of their evaluation, and the statistics of segments.

    Segments are kept to be checked, unless the command is quiet and `check` is False. Rows are read
    only when they are needed.
    """

    def __init__(
        self, options: argparse.Namespace, settings: Settings, *, check: bool = False
    ) -> None:
        self.options, self.settings = options, settings
        text_rows = read_rows(options)  # First, as it sets `options.systems` if tabs separate them.
        groups = options.table_texts.groups.items() if options.table else ()
        self.plan = Plan(
            options.names or options.systems,
            signature(options, settings),
            references=reference_count(options),
            test=options.test or "",
            intervals=options.confidence,
            resamples=options.resamples,
            seed=options.seed,
            groups=tuple(groups),
            repairs=tuple(options.repair),
            has_bom=byte_order_marks(options),
            keeps_segments=options.segments,
        )
        limit = MAX_CHECKED_SEGMENTS if check or not options.quiet else 0
        self.checked = CheckedSegments(limit)
        count_each = self.plan.keeps_rows or options.table
        rows = count_rows(
            self.checked.keep_rows(text_rows),
            len(self.plan.names),
            settings,
            options.jobs,
            sys.maxsize if count_each else limit,
        )
        self.rows = self.checked.keep_statistics(rows)

    def evaluate(self) -> Evaluation:
        """Return the evaluation."""
        jobs = self.options.test_jobs or self.options.jobs
        compare = partial(iter_comparison_in_processes, jobs=jobs)
        steps = iter_evaluation(self.rows, self.checked, self.settings, self.plan, compare)
        return run_with_progress(steps)

    def check(self) -> Sequence[SystemFinding]:
        """Return the findings on the kept segments."""
        if not self.checked.rows:
            return ()
        return run_with_progress(self.checked.iter_findings(self.settings, self.plan))

    def print_notes(self, findings: Iterable[SystemFinding]) -> None:
        """Print notes on the files and the findings."""
        note = self.checked.transposed_note(self.settings, self.plan)
        note_findings(findings, self.plan.names, self.options, note)


def _render_report(evaluation: Evaluation, options: argparse.Namespace) -> str:
    """Return the formatted report; add the convention with `--segments` or if it is the default."""
    report = evaluation.report
    if options.score_only:
        scores = (100 * system.score.value for system in report.systems)
        return "".join(f"{score:.{options.width}f}\n" for score in scores)
    if options.segments:
        systems = [
            replace(system, segments=tuple(corpus.scores))
            for system, corpus in zip(report.systems, evaluation.corpora, strict=True)
        ]
        report = replace(report, systems=systems)
    if options.format == "json":
        return evaluation_json(replace(evaluation, report=report), options.convention)
    output = RENDERERS[options.format](report)
    line = f"Convention: {options.convention}"
    if options.by_default:
        line += ", the default here; --convention chooses another."
    elif not options.segments:
        return output
    prefix = "% " if options.format.startswith("latex") else "\n"
    return f"{output}{prefix}{line}\n"


def _print_segments(
    rows: Iterable[StatisticsRow],
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
