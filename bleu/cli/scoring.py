"""The report on files: sums of statistics, and systems compared with the first."""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice, pairwise
from typing import Any, Final

from bleu.analysis.agreement import agreement_metric
from bleu.cli.findings import SegmentKeeper
from bleu.cli.processes import SegmentRow, map_in_processes
from bleu.cli.run import show_progress
from bleu.cli.sacrebleu_options import signature
from bleu.core.progress import run_to_end
from bleu.core.score import Score, compute
from bleu.core.settings import Settings
from bleu.core.statistics import Statistics
from bleu.corpus.corpus import score_segment
from bleu.corpus.groups import iter_grouping
from bleu.corpus.report import Report, System, TestReport, iter_comparison
from bleu.explanation.significance import caution_text

SUMMED_ROWS: Final = 500
"""The number of rows that are held in memory to be summed."""


def build_report(
    rows: Iterator[SegmentRow],
    names: Sequence[str],
    options: argparse.Namespace,
    settings: Settings,
    groups: Mapping[str, Sequence[str]],
    keeper: SegmentKeeper,
) -> Report:
    """Return the report; segments are kept only if they are resampled, printed or grouped.

    `groups` has the group of each segment by column; `keeper` has counted the segments.
    """
    resampled = options.confidence or options.test
    keep = bool(resampled or options.segments or groups)
    totals, systems = _sum_rows(rows, len(names), settings, keep=keep)
    scores = [compute(total, settings) for total in totals]
    compared_systems, test = _compare(names, scores, systems, options, settings)
    if options.segments:
        compared_systems = [
            replace(
                system, segments=tuple(score_segment(part, settings.for_parts)[0] for part in parts)
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
        keeper.size,
        compared_systems,
        test,
        caution,
        agreement_metric(settings),
        groupings,
        tuple(options.repair),
    )


def _sum_rows(
    rows: Iterator[SegmentRow], systems: int, settings: Settings, *, keep: bool
) -> tuple[list[Statistics], list[list[Statistics]]]:
    """Return the sum of each system's statistics, and with `keep` those of each segment."""
    totals = [Statistics.zero(settings.max_order)] * systems
    segments: list[SegmentRow] = []
    # Statistics.sum is four times as fast as adding row by row.
    while chunk := list(islice(rows, SUMMED_ROWS)):
        columns = zip(*chunk, strict=True)
        sums = [Statistics.sum(column, settings.max_order) for column in columns]
        totals = list(map(Statistics.followed_by, totals, sums))
        if keep:
            segments += chunk
    return totals, [[row[index] for row in segments] for index in range(systems)]


def _compare(
    names: Sequence[str],
    scores: Sequence[Score],
    segments: Sequence[Sequence[Statistics]],
    options: argparse.Namespace,
    settings: Settings,
) -> tuple[list[System], TestReport | None]:
    """Return the systems compared with the first and their test, in one or more processes."""
    others = len(names) - 1
    jobs = max(1, min(options.test_jobs or options.jobs, others))
    bounds = [1 + others * part // jobs for part in range(jobs + 1)]
    parts = [
        tuple([values[0], *values[low:high]] for values in (names, scores, segments))
        for low, high in pairwise(bounds)
    ]
    compare = partial(
        _compare_part,
        settings=settings,
        test=options.test or "",
        intervals=options.confidence,
        resamples=options.resamples,
        seed=options.seed,
    )
    (systems, test), *results = map_in_processes(compare, parts, jobs)
    for part_systems, part_test in results:
        systems += part_systems[1:]
        if test and part_test:
            test = replace(test, results=test.results + part_test.results)
    return systems, test


def _compare_part(
    part: tuple[Sequence[str], Sequence[Score], Sequence[Sequence[Statistics]]],
    settings: Settings,
    **options: Any,
) -> tuple[list[System], TestReport | None]:
    names, scores, segments = part
    return run_to_end(
        iter_comparison(names, scores, segments, settings, _print_progress, **options)
    )


def _print_progress(_task: str, done: int, total: int) -> None:
    show_progress(f"resample {done:,} of {total:,}" if done < total else "")
