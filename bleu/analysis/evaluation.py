"""The evaluation of a corpus: scores, comparisons with the baseline, groups, and findings.

The page and the command line differ only in how they read texts and count n-grams.
"""

import json
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from operator import attrgetter
from typing import Any, Final

from bleu.analysis.agreement import agreement_metric
from bleu.checkup.checkup import iter_check
from bleu.checkup.finding import Finding
from bleu.core.api import segment_statistics
from bleu.core.progress import Progress, track
from bleu.core.score import compute
from bleu.core.settings import Settings
from bleu.core.statistics import Statistics
from bleu.corpus.corpus import Corpus, score_segment, transposed_note
from bleu.corpus.report import Report, System, TestReport, as_json, iter_comparison, iter_grouping
from bleu.corpus.significance import SEED, caution_text
from bleu.files.parallel import ParallelTexts, TextRow

MAX_CHECKED_SEGMENTS: Final = 20_000
"""The largest number of segments that are kept and checked, because of memory and time."""
SUMMED_ROWS: Final = 500
"""The number of rows that are held in memory to be summed, which is faster than adding each."""
RESAMPLING_COST: Final = 4.0
"""How many times longer than the scoring of a system the resampling of a corpus takes, besides once
for each system."""

StatisticsRow = tuple[Statistics, ...]
"""The statistics of one segment for each system."""
Comparer = Callable[..., Generator[Progress, None, tuple[list[System], TestReport | None]]]
"""A function with the arguments and the result of `iter_comparison`."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is known about the texts, and what is computed besides their scores.

    - `names`: the names of the systems; the first of several is the baseline.
    - `signature`: the signature of the report.
    - `references`: the number of references of each segment, or None if it varies.
    - `size`: the number of segments, or 0 if it is not known in advance.
    - `test`, `intervals`, `resamples`, `seed`: as for `iter_comparison`.
    - `groups`: columns with the group of each segment, by name.
    - `repairs`: the faults that were undone in the texts, by name.
    - `cautions`: warnings for the report.
    - `has_bom`: whether the file of each system, and any file of references, began with a byte
      order mark.
    - `keeps_segments`: whether the corpora are returned, with the score of each segment.
    """

    names: Sequence[str]
    signature: str = ""
    references: int | None = 1
    size: int = 0
    test: str = ""
    intervals: bool = False
    resamples: int | None = None
    seed: int = SEED
    groups: Sequence[tuple[str, Sequence[str]]] = ()
    repairs: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()
    has_bom: tuple[Sequence[bool], bool] = ((), False)
    keeps_segments: bool = False

    @property
    def keeps_rows(self) -> bool:
        """Whether the statistics of each segment are needed, not only their sums."""
        return bool(self.test or self.intervals or self.groups or self.keeps_segments)

    @property
    def resampling_work(self) -> float:
        """The work of resampling, in segments that could be scored in the same time."""
        has_resamples = self.test or self.intervals
        return self.size * (1 + RESAMPLING_COST / len(self.names)) if has_resamples else 0.0


@dataclass(frozen=True, slots=True)
class SystemFinding:
    """A finding, and the indices of the systems that have it; the baseline has index 0."""

    finding: Finding
    systems: tuple[int, ...]

    @property
    def cost(self) -> float:
        """The score lost by the fault, in [-1, 1]: negative if gained, 0 if unknown."""
        return self.finding.cost or 0.0


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The report on a corpus, the corpus of each system if kept, and the findings if checked."""

    report: Report
    corpora: tuple[Corpus, ...] = ()
    findings: tuple[SystemFinding, ...] | None = None


class CheckedSegments:
    """The first segments of a corpus, kept while they are scored, to be checked afterwards.

    `source` is the corpus, or its rows if these are read while they are scored.
    """

    def __init__(self, limit: int, source: Iterable[TextRow] | ParallelTexts) -> None:
        self.limit, self.source = limit, source
        self.kept_rows: list[TextRow] = []
        self.statistics: list[StatisticsRow] = []
        self.size = 0

    @property
    def kept(self) -> int:
        """The number of segments that were kept so far."""
        return min(self.size, self.limit)

    def rows(self) -> Iterator[TextRow]:
        """Yield the rows of texts, count them, and keep the first `limit`."""
        rows = self.source.rows() if isinstance(self.source, ParallelTexts) else self.source
        for row in rows:
            self.size += 1
            if rows is self.source and self.size <= self.limit:
                self.kept_rows.append(row)
            yield row

    def keep_statistics(self, rows: Iterable[StatisticsRow]) -> Iterator[StatisticsRow]:
        """Yield rows of statistics, and keep the first `limit`."""
        for row in rows:
            # If processes count, they are behind `size`, and later rows are sums of segments.
            if len(self.statistics) < self.limit:
                self.statistics.append(row)
            yield row

    def texts(self, systems: int) -> ParallelTexts:
        """Return the kept texts of this number of systems."""
        if isinstance(self.source, ParallelTexts):
            return self.source.first(self.limit)
        return ParallelTexts.of_rows(self.kept_rows, systems)

    def transposed_note(self, settings: Settings, plan: Plan) -> str:
        """Return a note if the references look transposed, else ""."""
        if self.size > self.kept:
            return ""
        texts = self.texts(len(plan.names))
        return transposed_note(texts.systems, texts.references, settings)

    def iter_findings(
        self, settings: Settings, plan: Plan
    ) -> Generator[Progress, None, tuple[SystemFinding, ...]]:
        """Return the findings on the kept segments, which are sampled if there are more."""
        columns = [list(column) for column in zip(*self.statistics, strict=True)]
        texts = self.texts(len(plan.names))
        findings = yield from iter_findings(texts, settings, plan, columns)
        if self.size <= self.kept:
            return findings
        return tuple(
            replace(item, finding=replace(item.finding, is_sampled=True)) for item in findings
        )


def iter_statistics(
    rows: Iterable[TextRow], systems: int, settings: Settings
) -> Iterator[StatisticsRow]:
    """Yield the statistics of each segment, for each system."""
    for row in rows:
        references = row[systems:]
        yield tuple(segment_statistics(text, references, settings) for text in row[:systems])


def iter_evaluation(
    rows: Iterable[StatisticsRow],
    checked: CheckedSegments,
    settings: Settings,
    plan: Plan,
    compare: Comparer = iter_comparison,
) -> Generator[Progress, None, Evaluation]:
    """Run `iter_scores`, then check the kept segments, if any.

    Raises the exceptions of `iter_scores`.
    """
    evaluation = yield from iter_scores(rows, checked, settings, plan, compare)
    if not checked.kept:
        return evaluation
    return replace(evaluation, findings=(yield from checked.iter_findings(settings, plan)))


def iter_scores(
    rows: Iterable[StatisticsRow],
    checked: CheckedSegments,
    settings: Settings,
    plan: Plan,
    compare: Comparer = iter_comparison,
) -> Generator[Progress, None, Evaluation]:
    """Score the systems and their groups, and compare the systems with the first.

    `rows` are the statistics of the segments whose texts `checked` counts and keeps. `compare` has
    the arguments of `iter_comparison`.

    Raises ValueError if the settings give the corpus no score, and the exceptions of `compare`.
    """
    sums = _Sums(len(plan.names), settings, keep=plan.keeps_rows)
    scores: list[list[float | None]] = [[] for _ in plan.names]
    for row in rows:
        sums.add(row)
        if plan.keeps_segments:
            for system_scores, part in zip(scores, row, strict=True):
                system_scores.append(score_segment(part, settings.for_parts)[0])
        yield Progress("scoring", checked.size, plan.size, later=plan.resampling_work)
    segments = sums.columns
    corpus_scores = [compute(total, settings) for total in sums.totals()]
    systems, test = yield from compare(
        plan.names,
        corpus_scores,
        segments,
        settings,
        test=plan.test,
        intervals=plan.intervals,
        resamples=plan.resamples,
        seed=plan.seed,
    )
    groupings = []
    for column, group_names in plan.groups:
        steps = iter_grouping(column, group_names, segments, settings)
        groupings.append((yield from track("scoring by", steps, column)))
    cautions = (
        _sentence(checked.transposed_note(settings, plan)),
        caution_text(*segments, tested=test is not None) if plan.test or plan.intervals else None,
        *plan.cautions,
    )
    report = Report(
        signature=plan.signature,
        segments=checked.size,
        systems=systems,
        test=test,
        caution=" ".join(filter(None, cautions)) or None,
        agreement_metric=agreement_metric(settings),
        groupings=tuple(groupings),
        repairs=plan.repairs,
    )
    if not plan.keeps_segments:
        return Evaluation(report)
    parts = zip(segments, scores, corpus_scores, strict=True)
    return Evaluation(report, tuple(Corpus(settings, *part, plan.references) for part in parts))


def _sentence(note: str) -> str:
    return f"{note[0].upper()}{note[1:]}." if note else ""


class _Sums:
    """The sums of the statistics of each system and, with `keep`, the statistics of segments."""

    def __init__(self, systems: int, settings: Settings, *, keep: bool) -> None:
        self.max_order, self.keep = settings.max_order, keep
        self.sums = [Statistics.zero(settings.max_order)] * systems
        self.columns: list[list[Statistics]] = [[] for _ in range(systems)]
        self.pending: list[StatisticsRow] = []

    def add(self, row: StatisticsRow) -> None:
        """Add the statistics of a segment."""
        self.pending.append(row)
        if len(self.pending) == SUMMED_ROWS:
            self.totals()

    def totals(self) -> list[Statistics]:
        """Return the sum for each system."""
        for index, column in enumerate(zip(*self.pending, strict=True)):
            total = Statistics.sum(column, self.max_order)
            self.sums[index] = self.sums[index].followed_by(total)
            if self.keep:
                self.columns[index] += column
        self.pending.clear()
        return self.sums


def iter_findings(
    texts: ParallelTexts,
    settings: Settings,
    plan: Plan,
    statistics: Sequence[Sequence[Statistics]] = (),
) -> Generator[Progress, None, tuple[SystemFinding, ...]]:
    """Return the findings on all systems: those without a cost, then the others by falling cost.

    A fault of the references is one finding, with its largest cost for any system. The references
    may be more or fewer than the texts of a system; `statistics`, if known, are by system. Source
    texts are used only if there is one for each segment.
    """
    systems, references = texts.systems, texts.references
    sources = texts.sources if len(texts.sources) == len(references) else ()
    system_boms, references_have_bom = plan.has_bom
    items: dict[object, SystemFinding] = {}
    for index, name in enumerate(plan.names):
        steps = iter_check(
            systems[index],
            references,
            settings,
            sources=sources,
            other_systems=systems[index + 1 :],
            statistics=statistics[index] if statistics else (),
            has_bom=(any(system_boms[index : index + 1]), references_have_bom),
        )
        findings = yield from track("checking", steps, name)
        seen: Counter[str] = Counter()
        for finding in findings:
            name, is_shared = finding.name, finding.side == "references"
            key = (None if is_shared else index, name, seen[name])
            seen[name] += 1
            item = SystemFinding(finding, (index,))
            if earlier := items.get(key):
                costliest = max(item, earlier, key=attrgetter("cost"))
                systems_with_it = tuple(dict.fromkeys((*earlier.systems, index)))
                item = SystemFinding(costliest.finding, systems_with_it)
            items[key] = item
    by_cost = sorted(items.values(), key=lambda item: (item.finding.cost is not None, -item.cost))
    return tuple(by_cost)


def evaluation_json(evaluation: Evaluation, convention: str) -> str:
    """Return the evaluation as JSON text, with the name of the convention of its settings.

    The object is that of `as_json`, with the `findings`, which are null if nothing was checked.
    """
    findings = evaluation.findings
    names = [system.name for system in evaluation.report.systems]
    data = as_json(evaluation.report, convention)
    data["findings"] = None if findings is None else findings_json(findings, names)
    return json.dumps(data, indent=1) + "\n"


def findings_json(findings: Iterable[SystemFinding], names: Sequence[str]) -> list[dict[str, Any]]:
    """Return findings as JSON data, with the names of their systems; scores are in [0, 1]."""
    return [
        {
            "systems": [names[index] for index in item.systems],
            **asdict(item.finding),
            "label": item.finding.label,
        }
        for item in findings
    ]
