"""The command that scores files: `python -m bleu corpus --hypotheses F --references F`."""

import argparse
import csv
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, get_args

from bleu.analysis.evaluation import (
    MAX_CHECKED_SEGMENTS,
    CheckedSegments,
    Evaluation,
    Plan,
    StatisticsRow,
    SystemFinding,
    iter_evaluation,
)
from bleu.checkup.repairs import REPAIRS
from bleu.cli.check import byte_order_marks, note_findings
from bleu.cli.options import (
    FURTHER,
    Options,
    parse_settings,
    setting_options,
    whole_number,
)
from bleu.cli.processes import count_rows, iter_comparison_in_processes
from bleu.cli.sacrebleu_options import (
    MAX_SEED,
    SEED_VARIABLE,
    default_seed,
    reference_count,
    signature,
    system_count_error,
)
from bleu.cli.tables import TABLE_OPTIONS, use_table
from bleu.cli.terminal import (
    Parser,
    print_file_note,
    print_note,
    print_text,
    run_with_progress,
)
from bleu.cli.texts import FILE_OPTIONS, READING_DEFAULTS, read_rows
from bleu.core.settings import Settings, SignatureForm
from bleu.corpus.corpus import score_segment
from bleu.corpus.report import BOOTSTRAP, RANDOMIZATION
from bleu.corpus.resampling import MAX_TIMES
from bleu.corpus.significance import RESAMPLES, SEED, TRIALS
from bleu.files.text_files import STANDARD_INPUT
from bleu.formats import FILE_FORMATS, EvaluatedFiles
from bleu.version import __version__

SEGMENT_FORMATS: Final = ("text", "markdown", "json")
"""The formats that can hold the score of each segment."""
MAX_JOBS: Final = 60
"""The largest number of processes, about as many as Python can wait for on Windows."""


_TEST: Final = {
    "dest": "test",
    "action": "store_const",
    "help": "test the difference from the baseline",
}
OPTIONS: Final[Options] = {
    "--hypotheses": FILE_OPTIONS["--hypotheses"],
    "--baseline": {"metavar": "FILE", "help": "the system that the others are compared with"},
    "--names": {
        "metavar": "NAME",
        "nargs": "+",
        "help": "names of the systems, the baseline first, instead of the names of their files",
        "group": FURTHER,
    },
    "--references": FILE_OPTIONS["--references"],
    **TABLE_OPTIONS,
    "--signature": {
        "choices": get_args(SignatureForm),
        "help": "the form of the signature, default sacrebleu if that can express the settings, "
        "else bleu, which names every setting",
        "group": FURTHER,
    },
    "--version": {"action": "version", "version": f"bleu {__version__}", "group": FURTHER},
    **setting_options(None),
    "--encoding": FILE_OPTIONS["--encoding"],
    "--as-text": FILE_OPTIONS["--as-text"],
    "--repair": {
        "metavar": "FAULT",
        "nargs": "+",
        "choices": REPAIRS,
        "default": [],
        "help": f"undo faults before scoring: {', '.join(REPAIRS)}",
    },
    "--quiet": {"action": "store_true", "help": "print no notes on the files", "group": FURTHER},
    "--confidence": {"action": "store_true", "help": "bootstrap a 95 %% confidence interval"},
    "--paired-bootstrap": {**_TEST, "const": BOOTSTRAP},
    "--paired-approximate-randomization": {
        **_TEST,
        "const": RANDOMIZATION,
        "help": "the same by another test",
    },
    "--resamples": {
        "type": partial(whole_number, 1, MAX_TIMES),
        "metavar": "N",
        "help": f"default {RESAMPLES}, and {TRIALS} for approximate randomization",
        "group": FURTHER,
    },
    "--seed": {
        "type": partial(whole_number, 0, MAX_SEED),
        "metavar": "N",
        "help": f"of resampling, default the environment variable {SEED_VARIABLE}, or {SEED}",
        "group": FURTHER,
    },
    "--segments": {
        "action": "store_true",
        "help": "print each segment's own score, from 0 to 1, under the same settings",
    },
    "--jobs": {
        "type": partial(whole_number, 1, MAX_JOBS),
        "default": 1,
        "metavar": "N",
        "help": f"count n-grams in N processes, 1 to {MAX_JOBS}, default 1",
        "group": FURTHER,
    },
    "--format": {
        "choices": FILE_FORMATS,
        "default": "text",
        "help": "the form of the output, default text",
    },
}


def complete_options(parser: Parser, options: argparse.Namespace) -> Settings:
    """Complete options and return the settings; exit with code 2 if options contradict each other.

    Without `--convention`, sacreBLEU's corpus score is computed.
    """
    _complete_files(parser, options)
    if options.segments and options.format not in SEGMENT_FORMATS:
        choices = ", ".join(SEGMENT_FORMATS)
        parser.error(f"--format {options.format} has no scores of segments; choose {choices}")
    resampled = options.confidence or options.test
    if options.segments and options.format == "text" and resampled:
        parser.error("--format text shows either segments or intervals and tests; choose json")
    if not resampled and (options.resamples or options.seed is not None):
        parser.error(
            "--resamples and --seed have no effect without resampling; add --confidence, "
            "--paired-bootstrap or --paired-approximate-randomization"
        )
    options.seed = default_seed(parser) if options.seed is None else options.seed
    options.test_jobs = options.jobs
    options.by_default = options.convention is None
    if options.by_default:
        options.convention = "sacrebleu"
    settings = parse_settings(parser, options)
    try:
        signature(options, settings)
    except ValueError as error:
        parser.error(str(error))
    return settings


def _complete_files(parser: Parser, options: argparse.Namespace) -> None:
    """Complete references and systems; exit with code 2 if they contradict each other.

    Without `--hypotheses`, standard input has a system.
    """
    if not options.references:
        parser.error("there is no reference; give --references FILE")
    options.systems = options.hypotheses or [STANDARD_INPUT]
    if options.baseline:
        others = [name for name in options.systems if name != options.baseline]
        # A baseline that equals the only hypothesis file is compared with itself.
        options.systems = [options.baseline, *(others or options.systems)]
    parser.check_standard_input([*options.systems, *options.references])
    if message := system_count_error(options):
        parser.error(message)
    if options.names and len(set(options.names)) < len(options.names):
        parser.error(f"--names has a name twice ({', '.join(options.names)}); give different names")


DESCRIPTION: Final = (
    "BLEU of files with one segment a line: UTF-8, or UTF-16 with a byte order mark, also "
    "packed by gzip; - is standard input. Without --convention it is sacreBLEU's corpus score."
)
USAGE: Final = "%(prog)s --hypotheses FILE [FILE ...] --references FILE [FILE ...] [option ...]"


def main(parser: Parser, arguments: Sequence[str]) -> int:
    """Score files and print a table; return 0, or 1 if files cannot be read or do not match."""
    parser.set_defaults(**READING_DEFAULTS)
    options = parser.parse(arguments)
    try:
        if options.table:
            use_table(parser, options)
        _print_scores(options, complete_options(parser, options))
    except ValueError as error:
        return parser.report(error)
    return 0


def _print_scores(options: argparse.Namespace, settings: Settings) -> None:
    """Print the report, or a line for each segment with `--segments` as text."""
    corpus = OpenCorpus(options, settings, check=options.format == "json")
    if options.segments and options.format == "text":
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
        # First, because it sets `options.systems` if tabs separate them.
        texts = read_rows(options, settings)
        groups = options.table_texts.groups if options.table else ()
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
        self.checked = CheckedSegments(limit, texts)
        count_each = self.plan.keeps_rows or options.table
        rows = count_rows(
            self.checked.rows(),
            len(self.plan.names),
            settings,
            options.jobs,
            sys.maxsize if count_each else limit,
        )
        self.rows = self.checked.keep_statistics(rows)

    def evaluate(self) -> Evaluation:
        """Return the evaluation."""
        compare = partial(iter_comparison_in_processes, jobs=self.options.test_jobs)
        steps = iter_evaluation(self.rows, self.checked, self.settings, self.plan, compare)
        return run_with_progress(steps)

    def check(self) -> Sequence[SystemFinding]:
        """Return the findings on the kept segments."""
        if not self.checked.kept:
            return ()
        return run_with_progress(self.checked.iter_findings(self.settings, self.plan))

    def print_notes(self, findings: Iterable[SystemFinding]) -> None:
        """Print notes on the files and the findings."""
        note = self.checked.transposed_note(self.settings, self.plan)
        note_findings(findings, self.plan.names, self.options, note)


def _render_report(evaluation: Evaluation, options: argparse.Namespace) -> str:
    """Return the formatted report; add the convention with `--segments` or if it is the default."""
    report = evaluation.report
    if options.segments:
        systems = [
            replace(system, segments=tuple(corpus.scores))
            for system, corpus in zip(report.systems, evaluation.corpora, strict=True)
        ]
        report = replace(report, systems=systems)
    notes = []
    if options.by_default or options.segments:
        line = f"Convention: {options.convention}"
        line += ", the default here; --convention chooses another." if options.by_default else ""
        notes.append(line)
    evaluation = replace(evaluation, report=report)
    files = EvaluatedFiles(evaluation, options.convention, notes)
    return FILE_FORMATS[options.format].render(files)


def _print_segments(
    rows: Iterable[StatisticsRow],
    names: Sequence[str],
    options: argparse.Namespace,
    settings: Settings,
) -> None:
    """Print a CSV line for each segment: its number, and its score under each system."""
    write = csv.writer(sys.stdout, lineterminator="\n").writerow
    segment_settings, noted_reasons = settings.for_parts, {""}
    for number, row in enumerate(rows, 1):
        if number == 1:
            write(["segment", *(("score",) if len(names) == 1 else names)])
            print_file_note(
                options,
                f"scores are those of convention {options.convention}, from 0 to 1, "
                f"{signature(options, settings)}",
            )
        scores = [score_segment(segment, segment_settings) for segment in row]
        write([number, *("" if score is None else repr(score) for score, _ in scores)])
        for reason in {reason for _, reason in scores} - noted_reasons:
            noted_reasons.add(reason)
            note = f"segment {number} is the first that has no score by itself: {reason}"
            print_note(options, note)
