"""The check-up of the files: the faults of all systems, and the repairs before scoring."""

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import Final

from app.files.tables import TextSource
from bleu.analysis.evaluation import Plan, SystemFinding, iter_findings
from bleu.analysis.repairs import repair_corpus
from bleu.core.progress import Progress
from bleu.core.settings import Settings

CONTAINERS: Final = {"markup", "json", "table", "format"}
"""Faults of files that are scored as plain text only if the user asks for it."""

Sources = Sequence[TextSource]
CheckUp = tuple[SystemFinding, ...]
CheckUpJob = Generator[Progress, None, CheckUp]


def iter_check_up(
    systems: Sources, references: Sources, settings: Settings, sources: Sequence[str] = ()
) -> CheckUpJob:
    """Return the findings on texts that cannot be scored, as `iter_findings` does."""
    names = [source.name for source in systems]
    plan = Plan(names, sources=sources, has_bom=has_bom(systems, references))
    lines = [source.lines for source in systems]
    return iter_findings(lines, _reference_rows(references), settings, plan)


def has_bom(systems: Sources, references: Sources) -> tuple[list[bool], bool]:
    """Return whether each system, and any reference, began with a byte order mark."""
    return [source.has_bom for source in systems], any(source.has_bom for source in references)


def repair_files(
    systems: Sources,
    references: Sources,
    repairs: Sequence[str],
    settings: Settings | None = None,
) -> tuple[list[TextSource], list[TextSource]]:
    """Return the systems and references after repairs; missing references stay missing."""
    if not repairs or not systems or not references:
        return list(systems), list(references)
    rows = _reference_rows(references)
    repaired = [repair_corpus(source.lines, rows, repairs, settings) for source in systems]
    repaired_systems = [
        replace(source, lines=lines) for source, (lines, _) in zip(systems, repaired, strict=True)
    ]
    columns: list[list[str]] = [[] for _ in references]
    added = len(repaired[0][1]) - len(rows)  # Splitting at old Mac line ends adds lines.
    for index, row in enumerate(repaired[0][1]):
        texts = iter(row)
        for source, lines in zip(references, columns, strict=True):
            if index < len(source.lines) + added:
                lines.append("" if index in source.missing else next(texts))
    return repaired_systems, [
        replace(source, lines=lines) for source, lines in zip(references, columns, strict=True)
    ]


def _reference_rows(references: Sources) -> list[list[str]]:
    """Return the references of each segment; their number may vary."""
    return [
        [
            source.lines[index]
            for source in references
            if index < len(source.lines) and index not in source.missing
        ]
        for index in range(max((len(source.lines) for source in references), default=0))
    ]
