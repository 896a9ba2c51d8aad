"""The check-up of the files: the faults of all systems, and the repairs before scoring."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from operator import attrgetter
from typing import Final

from app.files.tables import Progress, TextSource, track
from bleu.analysis.checkup import iter_check
from bleu.analysis.finding import Finding
from bleu.analysis.repairs import repair_corpus
from bleu.core.settings import Settings
from bleu.corpus.corpus import Corpus

CONTAINERS: Final = {"markup": "markup", "json": "JSON", "table": "a table"}
"""Labels of formats that are scored as plain text only if the user asks for it, by fault name."""

MAX_CHECKED_SEGMENTS: Final = 20_000
"""The largest number of segments checked after scoring; checking more takes too long."""

Sources = Sequence[TextSource]


@dataclass(frozen=True, slots=True)
class SystemFinding:
    """A finding, and the indices of the systems that have it; the baseline has index 0."""

    finding: Finding
    systems: tuple[int, ...]

    @property
    def cost(self) -> float:
        """The score lost by the fault, in [-1, 1]: negative if gained, 0 if unknown."""
        return self.finding.cost or 0.0


CheckUp = tuple[SystemFinding, ...]


def iter_check_up(
    systems: Sources,
    references: Sources,
    settings: Settings,
    corpora: Sequence[Corpus] = (),
    sources: Sequence[str] = (),
) -> Generator[Progress, None, CheckUp]:
    """Return the findings on all systems: those without a cost, then the others by falling cost.

    A fault of the references is one finding, with its largest cost for any system. `corpora` are
    the scored systems, if they were scored. `sources` are the source texts, which are used only if
    there is one for each segment. After scoring, only the first MAX_CHECKED_SEGMENTS segments
    are checked; if there are more, the findings are marked as sampled.
    """
    rows = _reference_rows(references)
    is_sampled = bool(corpora) and len(rows) > MAX_CHECKED_SEGMENTS
    limit = MAX_CHECKED_SEGMENTS if is_sampled else None
    sources = sources[:limit] if len(sources) == len(rows) else ()
    rows = rows[:limit]
    references_have_bom = any(reference.has_bom for reference in references)
    items_by_key: dict[object, SystemFinding] = {}
    for index, (source, corpus) in enumerate(zip_longest(systems, corpora)):
        lines = source.lines[:limit]
        steps = iter_check(
            lines,
            rows,
            settings,
            sources=sources,
            other_systems=[other.lines[:limit] for other in systems[index + 1 :]],
            statistics=corpus.segments[:limit] if corpus else (),
            has_bom=(source.has_bom, references_have_bom),
        )
        findings = yield from track(f"checking {source.name}", steps)
        for finding in findings:
            key = finding.name if finding.side == "references" else (index, finding.name)
            item = SystemFinding(replace(finding, is_sampled=is_sampled), (index,))
            if earlier := items_by_key.get(key):
                costliest = max(item, earlier, key=attrgetter("cost"))
                item = SystemFinding(costliest.finding, (*earlier.systems, index))
            items_by_key[key] = item
    return tuple(
        sorted(items_by_key.values(), key=lambda item: (item.finding.cost is not None, -item.cost))
    )


def repair_files(
    systems: Sources, references: Sources, repairs: Sequence[str]
) -> tuple[list[TextSource], list[TextSource]]:
    """Return the systems and references after repairs; missing references stay missing."""
    if not repairs or not systems or not references:
        return list(systems), list(references)
    rows = _reference_rows(references)
    repaired = [repair_corpus(source.lines, rows, repairs) for source in systems]
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
