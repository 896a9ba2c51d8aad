"""Findings on files: the check-up of every system, as lines of text and as JSON."""

import argparse
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import PurePath
from threading import Thread
from typing import Any, Final

from bleu.analysis.checkup import iter_check
from bleu.analysis.finding import Finding
from bleu.cli.run import print_note, show_progress
from bleu.cli.tables import split_rows
from bleu.core.progress import run_to_end
from bleu.core.settings import Settings
from bleu.core.statistics import Statistics
from bleu.corpus.text_files import has_byte_order_mark
from bleu.corpus.transposition import transposed_note
from bleu.explanation.phrases import escape_invisible
from bleu.render.numbers import score_text

MAX_CHECKED_SEGMENTS: Final = 200_000
"""The largest number of segments that are kept in memory and checked."""
MIN_COST: Final = 0.001
"""The smallest cost in [0, 1] of a finding that is noted when files are scored."""

SystemFinding = tuple[str, Finding]
"""The name of a system, and a finding on it; on references alone, the name is ""."""

Files = tuple[Sequence[str], Sequence[str]]
"""The names of the files with hypotheses, and of those with references."""

_REFERENCE_NAME: Final = re.compile(
    r"(?:^|[\W_])(?:refs?|references?|gold)(?:[\W_\d]|$)", re.IGNORECASE
)
_SYSTEM_NAME: Final = re.compile(
    r"(?:^|[\W_])(?:hyps?|hypothes[ie]s|sys|systems?|output|outputs|pred|preds|predictions?|mt)"
    r"(?:[\W_\d]|$)",
    re.IGNORECASE,
)


def check_systems(
    names: Sequence[str],
    systems: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    files: Files,
    settings: Settings,
    statistics: Sequence[Sequence[Statistics]] = (),
    sources: Sequence[str] = (),
) -> list[SystemFinding]:
    """Return the findings on each system; a finding on references alone is returned once.

    `references` are by segment, and `statistics`, if known, by system and segment. `files` are
    checked for byte order marks.
    """
    findings: dict[tuple[str, str], SystemFinding] = {}
    system_files, reference_files = files
    references_have_bom = any(map(has_byte_order_mark, reference_files))
    for index, (name, texts) in enumerate(zip(names, systems, strict=True)):
        system_has_bom = any(map(has_byte_order_mark, system_files[index : index + 1]))
        steps = iter_check(
            texts,
            references,
            settings,
            sources=sources,
            other_systems=systems[index + 1 :],
            statistics=statistics[index] if statistics else (),
            has_bom=(system_has_bom, references_have_bom),
        )
        for finding in run_to_end(steps):
            system = "" if finding.side == "references" else name
            findings.setdefault((system, finding.name), (system, finding))
    return list(findings.values())


def finding_line(system: str, finding: Finding) -> str:
    """Return a finding in one line: its system, name and message, its cost and its remedy."""
    parts = [
        f"{system}: " if system else "",
        f"{finding.name}: ",
        escape_invisible(finding.message),
    ]
    if finding.cost is not None and finding.score is not None and finding.score_without is not None:
        scores = score_text(finding.score_without), score_text(finding.score)
        sample = " in the segments that were checked" if finding.is_sampled else ""
        parts.append(
            f" Without this fault, the score is {scores[0]} instead of {scores[1]}{sample}."
        )
    action, _, value = finding.action.partition(":")
    if action:
        remedy = f"--{action} {value}".rstrip()
        parts.append(f" Remedy: {remedy}.")
    return "".join(parts)


def note_findings(
    findings: Iterable[SystemFinding], keeper: "SegmentKeeper", options: argparse.Namespace
) -> None:
    """Print notes on the files, their segments and the findings, unless the command is quiet.

    A finding has no note if its absolute cost is below MIN_COST.
    """
    if options.quiet:
        return
    if note := swapped_names_note(options.systems, options.references):
        print_note(note)
    if note := transposed_note(*keeper.kept_texts(), keeper.settings):
        print_note(note)
    # The reader of files has already printed the note on line ends.
    left_out = {"line-ends", "tokenized"} if options.force else {"line-ends"}
    for system, finding in findings:
        is_small = finding.cost is not None and abs(finding.cost) < MIN_COST
        if finding.name not in left_out and not is_small:
            print_note(finding_line(system, finding))


def findings_json(findings: Iterable[SystemFinding]) -> list[dict[str, Any]]:
    """Return findings as JSON data; scores are in [0, 1]."""
    return [
        {"system": system or None, **asdict(finding), "label": finding.label}
        for system, finding in findings
    ]


class SegmentKeeper:
    """The first segments of a corpus, kept while they are scored, and the findings on them.

    If several processes count, a thread of this process checks the segments meanwhile.
    """

    def __init__(
        self, limit: int, names: Sequence[str], options: argparse.Namespace, settings: Settings
    ) -> None:
        self.limit, self.names, self.settings = limit, names, settings
        self.files = options.systems, options.references
        self.uses_thread = options.jobs > 1
        self.rows: list[Sequence[str]] = []
        self.statistics: list[Sequence[Statistics]] = []
        self.size = 0
        self.findings: list[SystemFinding] | None = None
        self.thread = Thread(target=self._check, daemon=True)  # Ctrl-C does not wait for it.

    def keep_rows(self, rows: Iterable[Sequence[str]]) -> Iterator[Sequence[str]]:
        """Yield rows, keep the first `limit`, and show the number read so far in a terminal."""
        for row in rows:
            self.size += 1
            if self.size <= self.limit:
                self.rows.append(row)
            if self.size % 1000 == 0:
                show_progress(f"{self.size:,} segments")
            yield row
        show_progress("")

    def keep_statistics(
        self, rows: Iterable[tuple[Statistics, ...]]
    ) -> Iterator[tuple[Statistics, ...]]:
        """Yield the statistics of rows, and keep the first `limit`."""
        for row in rows:
            if len(self.statistics) < self.limit:  # With several processes, `size` is ahead.
                self.statistics.append(row)
                if len(self.statistics) == self.limit and self.uses_thread:
                    self.thread.start()
            yield row

    def check(self) -> list[SystemFinding]:
        """Return the findings on the segments that were kept."""
        if not self.rows:
            return []
        show_progress("checking")
        if self.thread.ident:
            self.thread.join()
        if self.findings is None:  # There was no thread, or an error ended it.
            self._check()
        findings = self.findings or []
        show_progress("")
        if self.size > len(self.rows):
            return [(name, replace(finding, is_sampled=True)) for name, finding in findings]
        return findings

    def kept_texts(self) -> tuple[list[list[str]], list[Sequence[str]]]:
        """Return the texts of each system and the references of each segment that were kept."""
        return split_rows(self.rows, len(self.names))

    def _check(self) -> None:
        statistics = [[row[index] for row in self.statistics] for index in range(len(self.names))]
        self.findings = check_systems(
            self.names, *self.kept_texts(), self.files, self.settings, statistics
        )


def swapped_names_note(systems: Sequence[str], references: Sequence[str]) -> str:
    """Return a note if the name of a system's file looks like that of a reference, else "".

    >>> swapped_names_note(["x/newstest.ref.en"], ["y/system.txt"])
    'by its name, newstest.ref.en is a reference, and it is scored against system.txt: are they \
swapped?'
    """
    for system_path in systems:
        for reference_path in references:
            system, reference = PurePath(system_path).name, PurePath(reference_path).name
            is_reference = _REFERENCE_NAME.search(system) and not _SYSTEM_NAME.search(system)
            if is_reference and not _REFERENCE_NAME.search(reference):
                return (
                    f"by its name, {system} is a reference, and it is scored against {reference}: "
                    "are they swapped?"
                )
    return ""
