"""The check-up of a corpus: the faults of its texts, and the cost of each in BLEU."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, cast

from bleu.analysis.alignment import align
from bleu.analysis.chatter import find_chatter
from bleu.analysis.faults import TEXT_FAULTS
from bleu.analysis.finding import FAULTS, FaultyLine, Finding
from bleu.analysis.frames import find_frame
from bleu.analysis.line_evidence import doubtful_lines
from bleu.analysis.line_faults import (
    find_case,
    find_containers,
    find_empty,
    find_identical,
    find_other_language,
    find_repetition,
    find_text_fault,
    find_truncated,
)
from bleu.analysis.parallel_lines import Lines, ParallelLines, Rows, has_any
from bleu.analysis.repairs import REPAIRS
from bleu.analysis.tokenized import find_script, find_tokenized
from bleu.core.choices import TokenizerName
from bleu.core.progress import ProgressGenerator, map_progress
from bleu.core.score import compute
from bleu.core.segment import count_segment
from bleu.core.settings import Settings
from bleu.core.statistics import Statistics

MAX_EXAMPLES: Final = 3
SAMPLE_SIZE: Final = 32
"""The largest number of hypotheses that are scored with unrelated references, as a baseline."""
PROGRESS_INTERVAL: Final = 100
"""The number of segments that are scored between two reports of progress."""

FINDERS: Final[Mapping[str, Callable[[ParallelLines], Lines | None]]] = {
    "identical": find_identical,
    "empty": find_empty,
    "frame": find_frame,
    **{name: partial(find_text_fault, name=name) for name in TEXT_FAULTS},
    "chatter": find_chatter,
    "other-language": find_other_language,
    "repetition": find_repetition,
    "truncated": find_truncated,
    "tokenized": find_tokenized,
    "case": find_case,
    "script": find_script,
}
"""Functions that return the lines with a fault, or None, in the order in which they are called."""

PAIRWISE_FAULTS: Final = {"frame", "truncated", "chatter", "other-language", "repetition"}
"""Faults that cannot be found if lines are not beside their references."""
MASKING_FAULTS: Final = {"empty", "other-language", "repetition", "truncated"}
"""Faults that no repair undoes; in their lines, no further faults but `TEXT_FAULTS` are sought."""

STEPS: Final = len(FINDERS) + 2
"""The number of steps of a check-up."""


def iter_check(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    settings: Settings,
    *,
    sources: Sequence[str] | None = None,
    other_systems: Sequence[Sequence[str]] = (),
    statistics: Sequence[Statistics] = (),
    has_bom: tuple[bool, bool] = (False, False),
) -> ProgressGenerator[tuple[Finding, ...]]:
    """Run `check_corpus` as a generator that yields (steps done, total).

    `statistics` are the statistics of the segments, if known. `has_bom` says whether the files of
    the hypotheses and of the references had byte order marks, which were removed.
    """
    texts = list(hypotheses), list(map(list, references))
    lines = ParallelLines(*texts, settings, sources or (), other_systems)
    findings = yield from _CheckUp(lines, list(statistics)).run(has_bom)
    findings.sort(key=lambda finding: list(FAULTS).index(finding.name))
    findings.sort(key=lambda finding: (finding.cost is not None, -(finding.cost or 0)))
    return tuple(findings)


class _CheckUp:
    """The check-up of one corpus: its texts, the statistics of its segments, and its score."""

    def __init__(self, texts: ParallelLines, statistics: list[Statistics]) -> None:
        self.texts, self.settings = texts, texts.settings
        self.statistics = statistics
        self.score: float | None = None
        self.done = 0

    def run(self, has_bom: tuple[bool, bool]) -> ProgressGenerator[list[Finding]]:
        """Return the findings; yield (steps done, total)."""
        texts = self.texts
        if not texts.hypotheses and not texts.references:
            return []
        yield self._event()
        if containers := find_containers(texts):
            return [self._finding(name, lines, {}, None) for name, lines in containers.items()]
        yield self._event()
        doubtful = None
        if len(texts.hypotheses) == len(texts.references):
            if not self.statistics:
                counts = yield from self._count(dict(enumerate(texts.rows)), self.settings)
                self.statistics = list(counts.values())
            self.score = self._score(self.settings, {})
            doubtful = doubtful_lines(self.statistics, self._unrelated_statistics())
        steps = align(texts.hypotheses, texts.references, doubtful)
        alignment = yield from map_progress(steps, self._event)
        findings: list[Finding | None] = []
        if alignment.fault:
            findings.append((yield from self._examine(alignment.fault, alignment.lines)))
        if alignment.fault != "length-mismatch":
            if any(has_bom):
                findings.append(self._bom_finding(has_bom))
            findings += yield from self._search_faults(is_aligned=not alignment.fault)
        return list(filter(None, findings))

    def _search_faults(self, *, is_aligned: bool) -> ProgressGenerator[list[Finding]]:
        """Return the findings of `FINDERS`.

        `TEXT_FAULTS` are searched in the original texts, and other faults in cleaned texts: every
        fault found before is undone, or its lines are emptied, so that a special token at the
        beginning does not look like a small letter.
        """
        texts = cleaned = self.texts
        findings = []
        for name, find in FINDERS.items():
            self.done += 1
            yield self._event()
            if name in PAIRWISE_FAULTS and not is_aligned:
                continue
            lines = find(texts if name in TEXT_FAULTS else cleaned)
            if lines and (finding := (yield from self._examine(name, lines))):
                findings.append(finding)
                cleaned = _undo(name, cleaned).without(self._lost_lines(name, lines))
        return findings

    def _lost_lines(self, name: str, lines: Lines) -> Sequence[int]:
        """Return the indices of the lines in which no repair undoes the fault."""
        if name in MASKING_FAULTS:
            return lines.indices
        marks = TEXT_FAULTS[name].lost if name in TEXT_FAULTS else ()
        hypotheses, references = self.texts.hypotheses, self.texts.references
        return [
            index
            for index in lines.indices
            if any(has_any(marks, text) for text in (hypotheses[index], *references[index]))
        ]

    def _event(self, *_: int) -> tuple[int, int]:
        return self.done, STEPS

    def _unrelated_statistics(self) -> list[Statistics]:
        """Return the statistics of some hypotheses against the references of other segments."""
        rows = list(zip(self.texts.hypotheses, reversed(self.texts.references), strict=True))
        sample = rows[:: len(rows) // SAMPLE_SIZE + 1]
        return [count_segment(*row, self.settings) for row in sample]

    def _bom_finding(self, has_bom: tuple[bool, bool]) -> Finding | None:
        """Return a finding on byte order marks if they would change the score."""
        text, references = next(iter(self.texts.rows))
        marks = ["\ufeff" if present else "" for present in has_bom]
        row = marks[0] + text, [marks[1] + reference for reference in references]
        score = self._score(self.settings, {0: count_segment(*row, self.settings)})
        if score is None or self.score is None or score == self.score:
            return None
        lines = Lines(range(has_bom[0]), range(has_bom[1]), "")
        files = "files begin" if all(has_bom) else f"file of the {lines.side} begins"
        message = (
            f"The {files} with a byte order mark, which does not count here; other tools count it "
            f"as a part of the first token, and print {100 * score:.2f} instead of "
            f"{100 * self.score:.2f}."
        )
        examples = (FaultyLine.of_text(1, "\ufeff" + text.removeprefix("\ufeff")),)
        return Finding(message, "", "bom", lines.side, 1, examples, self.score)

    def _examine(self, name: str, lines: Lines) -> ProgressGenerator[Finding | None]:
        """Return a finding with the score without the fault, or None if the fault has no effect.

        A fault of `TEXT_FAULTS` that is not certain has an effect if, without it, a line matches
        better and the score does not fall. If both sides have it, only such lines are reported.
        """
        action, _, tokenizer = lines.action.partition(":")
        settings = self.settings
        rows: Rows = {}
        if action == "tokenizer":
            settings = replace(settings, tokenizer=cast(TokenizerName, tokenizer))
            rows = dict(enumerate(self.texts.rows))
        elif action:
            rows = self.texts.changed_rows(_undo(name, self.texts))
        counts = yield from self._count(rows, settings)
        score_without = self._score(settings, counts) if rows else None
        if name in TEXT_FAULTS and not TEXT_FAULTS[name].is_certain:
            improved = {i for i in rows if _overlap(counts[i]) > _overlap(self.statistics[i])}
            if improved.isdisjoint(lines.indices) or (score_without or 0) < (self.score or 0):
                return None
            if lines.side == "both":
                left, right = map(improved.intersection, (lines.hypotheses, lines.references))
                lines = replace(lines, hypotheses=left, references=right)
        if not rows:  # A remedy that changes no text is not offered.
            lines = replace(lines, action="")
        return self._finding(name, lines, {} if action == "tokenizer" else rows, score_without)

    def _finding(self, name: str, lines: Lines, rows: Rows, score_without: float | None) -> Finding:
        """Return a finding with its examples and sentence; `rows` are the repaired segments."""
        texts = self.texts
        examples = []
        for index in lines.indices[:MAX_EXAMPLES]:
            if index < min(len(texts.hypotheses), len(texts.references)):
                row = texts.hypotheses[index], texts.references[index]
                text, references = rows.get(index, row)
                pairs = [(row[0], text), *zip(row[1], references, strict=True)]
                pairs = pairs[1:] if lines.side == "references" else pairs
                pair = next((pair for pair in pairs if pair[0] != pair[1]), pairs[0])
                examples.append(FaultyLine.of_text(index + 1, *pair, end=name == "truncated"))
        message = lines.sentence(texts.size, examples)
        identical = sum(
            text in references and texts.hypotheses[index] not in texts.references[index]
            for index, (text, references) in rows.items()
            if not lines.message
        )
        if identical > 1:
            message += f" Apart from this, {identical:,} of them are identical to a reference."
        return Finding(
            message,
            lines.action,
            name,
            lines.side,
            len(lines.indices),
            tuple(examples),
            self.score,
            score_without,
        )

    def _count(self, rows: Rows, settings: Settings) -> ProgressGenerator[dict[int, Statistics]]:
        """Return the statistics of these segments, by index."""
        counts = {}
        for number, (index, row) in enumerate(rows.items(), 1):
            counts[index] = count_segment(*row, settings)
            if number % PROGRESS_INTERVAL == 0:
                yield self._event()
        return counts

    def _score(self, settings: Settings, changed: dict[int, Statistics]) -> float | None:
        """Return the score with some segments changed, or None if it is undefined."""
        by_segment = dict(enumerate(self.statistics)) | changed
        try:
            return compute(Statistics.sum(by_segment.values(), settings.max_order), settings).value
        except ValueError:  # NLTK's method 6, for example, needs a match
            return None


def _undo(name: str, texts: ParallelLines) -> ParallelLines:
    """Return the texts with a fault undone, or the same texts if no repair undoes it."""
    if name not in REPAIRS:
        return texts
    hypotheses, references = REPAIRS[name](texts.hypotheses, texts.references)
    return replace(texts, hypotheses=hypotheses, references=references)


def _overlap(statistics: Statistics) -> float:
    """Return the matched tokens divided by all tokens of both sides; 0 without tokens."""
    tokens = statistics.hypothesis_length + statistics.reference_length
    return float(statistics.matched[0] / tokens) if tokens else 0.0
