"""The command line for files: `python -m bleu corpus --hypotheses a.txt --references b.txt`."""

import argparse
import csv
import io
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import add
from typing import Final

from bleu.cli.corpus_options import BOOTSTRAP, check_options, corpus_parser
from bleu.cli.options import settings_from_options
from bleu.cli.output import print_note, show_progress
from bleu.cli.sacrebleu_options import (
    collect_notes,
    convention_line,
    score_lines,
    signature,
    split_tabbed_systems,
)
from bleu.core.progress import map_progress, run_to_end
from bleu.core.score import compute
from bleu.core.segment import analyse
from bleu.core.settings import Settings
from bleu.core.statistics import Statistics
from bleu.corpus.corpus import score_segment
from bleu.corpus.report import Report, TestReport, as_json, compare_systems
from bleu.corpus.significance import (
    RESAMPLES,
    TRIALS,
    Interval,
    PairedTest,
    iter_approximate_randomization,
    iter_confidence_interval,
    iter_paired_bootstraps,
)
from bleu.corpus.text_files import read_parallel_lines
from bleu.corpus.transposition import warn_if_transposed
from bleu.explanation.report import report_blocks
from bleu.explanation.significance import caution_text
from bleu.render import markdown, tabular, text

RENDERERS: Final[Mapping[str, Callable[[Report, str], str]]] = {
    "text": lambda report, _: text.blocks(report_blocks(report)),
    "markdown": lambda report, _: markdown.blocks(report_blocks(report)),
    "latex": lambda report, _: tabular.blocks(report_blocks(report)),
    "json": lambda report, convention: json.dumps(as_json(report, convention), indent=1) + "\n",
}
"""What makes each form of a report, and of the name of its convention."""
SegmentRow = tuple[Statistics, ...]
"""The statistics of one segment, one for each system."""


def main(arguments: Sequence[str]) -> int:
    """Score files and print a table; the exit code.

    0; 1 where a file cannot be read or does not fit the others. What the command line itself has
    wrong ends with SystemExit and 2, as argparse does.

    Raises OSError where standard output cannot be written.
    """
    parser = corpus_parser()
    options = parser.parse_intermixed_args(arguments)
    check_options(parser, options)
    try:
        settings = settings_from_options(options)
        signature(options, settings)
    except (TypeError, ValueError) as error:
        parser.error(str(error))
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        for part in _output_chunks(options, settings):
            print(part, end="")
    except ValueError as error:
        show_progress("")
        print(f"{parser.prog}: error: {error}", file=sys.stderr)
        return 1
    return 0


def _output_chunks(options: argparse.Namespace, settings: Settings) -> Iterator[str]:
    """What is printed, piece by piece."""
    files = [*options.systems, *options.references]
    lines = read_parallel_lines(files, old_mac_lines=options.old_mac_lines, on_note=print_note)
    if options.between_tabs:
        lines = split_tabbed_systems(lines, options)
    names = options.names or options.systems
    noted_lines = collect_notes(lines, options.systems, options, settings)
    texts = warn_if_transposed(noted_lines, len(names), settings, print_note)
    rows = _count_rows(texts, len(names), settings)
    if options.segments and options.format == "text":
        yield from _segment_lines(rows, names, settings)
    else:
        yield _render_report(_build_report(rows, names, options, settings), options)


def _render_report(report: Report, options: argparse.Namespace) -> str:
    """The report in the form that was chosen, with whose BLEU it is."""
    if options.score_only:
        return score_lines(report, options)
    line = convention_line(options)
    sign = "% " if options.format == "latex" else "\n"
    output = RENDERERS[options.format](report, options.convention)
    return output + (f"{sign}{line}\n" if line else "")


def _count_rows(
    rows: Iterable[Sequence[str]], systems: int, settings: Settings
) -> Iterator[SegmentRow]:
    """The statistics of segment after segment; the first lines of each row are of systems."""
    number = 0
    for number, lines in enumerate(rows, 1):
        hypotheses, references = lines[:systems], lines[systems:]
        yield tuple(analyse(own, references, settings).statistics for own in hypotheses)
        if number % 1000 == 0:
            show_progress(f"{number:,} segments")
    show_progress("")


def _segment_lines(
    rows: Iterable[SegmentRow], names: Sequence[str], settings: Settings
) -> Iterator[str]:
    """A line for each segment, as it is read: its number, and the score under each system."""
    line, alone = io.StringIO(), settings.of_parts
    told: set[str] = set()
    write = csv.writer(line, lineterminator="\n").writerow
    write(["segment", *(("score",) if len(names) == 1 else names)])
    for number, row in enumerate(rows, 1):
        yield line.getvalue()
        line.seek(0)
        line.truncate()
        scores = [score_segment(own, alone) for own in row]
        write([number, *("" if score is None else repr(score) for score, _ in scores)])
        for why in {why for _, why in scores} - told:
            told.add(why)
            if why:
                print_note(f"segment {number} is the first that has no score by itself: {why}")
    yield line.getvalue()


def _build_report(
    rows: Iterable[SegmentRow],
    names: Sequence[str],
    options: argparse.Namespace,
    settings: Settings,
) -> Report:
    """The report; segments are kept only where more than the sums is asked for."""
    resampled = options.confidence or options.test
    totals = [Statistics.zero(settings.max_order)] * len(names)
    kept: list[SegmentRow] = []
    count = 0
    for count, row in enumerate(rows, 1):  # noqa: B007
        totals = list(map(add, totals, row))
        if resampled or options.segments:
            kept.append(row)
    systems = [[row[place] for row in kept] for place in range(len(names))]
    interval, bootstraps = _run_bootstraps(systems, options, settings)
    tests = _run_tests(systems, bootstraps, options, settings)
    scores = [
        tuple(score_segment(own, settings.of_parts)[0] for own in system)
        if options.segments
        else None
        for system in systems
    ]
    return Report(
        signature(options, settings),
        count,
        compare_systems(
            names,
            [compute(total, settings) for total in totals],
            interval=interval,
            bootstraps=bootstraps,
            tests=tests,
            segments=scores,
        ),
        TestReport(options.test, options.seed, tests) if tests else None,
        caution_text(*systems, tested=bool(tests)) if resampled else None,
    )


def _run_bootstraps(
    systems: Sequence[Sequence[Statistics]], options: argparse.Namespace, settings: Settings
) -> tuple[Interval | None, tuple[PairedTest, ...]]:
    """The interval of a single system, or the paired bootstraps of several; where asked for."""
    if not options.confidence and options.test != BOOTSTRAP:
        return None, ()
    times = options.resamples or RESAMPLES
    if len(systems) == 1:
        one = iter_confidence_interval(systems[0], settings, resamples=times, seed=options.seed)
        return run_to_end(map_progress(one, _print_progress)), ()
    steps = iter_paired_bootstraps(systems, settings, resamples=times, seed=options.seed)
    return None, run_to_end(map_progress(steps, _print_progress))


def _run_tests(
    systems: Sequence[Sequence[Statistics]],
    bootstraps: tuple[PairedTest, ...],
    options: argparse.Namespace,
    settings: Settings,
) -> tuple[PairedTest, ...]:
    """The paired tests of every system against the first, where asked for."""
    if not options.test:
        return ()
    if options.test == BOOTSTRAP:
        return bootstraps
    times = options.resamples or TRIALS
    baseline, *others = systems
    return tuple(
        run_to_end(
            map_progress(
                iter_approximate_randomization(
                    baseline, system, settings, trials=times, seed=options.seed
                ),
                _print_progress,
            )
        )
        for system in others
    )


def _print_progress(done: int, total: int) -> None:
    show_progress(f"resample {done:,} of {total:,}" if done < total else "")
