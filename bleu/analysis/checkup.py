"""The check-up of a corpus: the faults of its texts, and what each costs in BLEU."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Final, Unpack, cast

from bleu.analysis.alignment import Alignment, align
from bleu.analysis.chatter import find_chatter
from bleu.analysis.faults import TEXT_FAULTS, TextFault, form_differences, has_any
from bleu.analysis.finding import FAULTS, Example, Finding, visible_excerpt
from bleu.analysis.line_evidence import doubtful_lines
from bleu.analysis.line_faults import (
    Lines,
    ParallelLines,
    find_case,
    find_empty,
    find_identical,
    find_other_language,
    find_repetition,
    find_script,
    find_tokenized,
    find_truncated,
)
from bleu.analysis.repairs import REPAIRS, copy_texts
from bleu.core.choices import Choices, TokenizerName
from bleu.core.conventions import resolve_settings
from bleu.core.progress import ProgressGenerator, map_progress, run_to_end
from bleu.core.score import compute
from bleu.core.segment import count_segment
from bleu.core.settings import Settings, document_choices
from bleu.core.statistics import Statistics
from bleu.corpus.containers import DETECTION_LINES, detect_container

MAX_EXAMPLES: Final = 3
SAMPLE_SIZE: Final = 32
"""Unrelated lines that are compared to know what they share by chance."""
PROGRESS_INTERVAL: Final = 100
"""Segments that are scored between two reports of the progress."""

LINE_FAULTS: Final = {
    "identical": find_identical,
    "empty": find_empty,
    "chatter": find_chatter,
    "other-language": find_other_language,
    "repetition": find_repetition,
    "truncated": find_truncated,
    "tokenized": find_tokenized,
    "case": find_case,
    "script": find_script,
}
"""Functions that find faults, in the order in which they are looked for."""

AS_THEY_ARE: Final = {"identical", "empty"}
"""Faults that are looked for in the texts as they are, not without the faults found before."""
PAIRWISE_FAULTS: Final = {"truncated", "chatter", "other-language", "repetition"}
"""Faults that cannot be told if lines are not beside their references."""
MASKING: Final = {"empty", "other-language", "repetition", "truncated"}
"""Faults that cannot be undone; their lines are not searched for other faults of lines."""

STEPS: Final = len(TEXT_FAULTS) + len(LINE_FAULTS) + 2
"""The number of steps of a check-up."""

Rows = Mapping[int, tuple[str, list[str]]]
"""The hypothesis and the references of some segments."""


@document_choices
def check_corpus(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    settings: Settings | None = None,
    *,
    sources: Sequence[str] | None = None,
    other_systems: Sequence[Sequence[str]] = (),
    **choices: Unpack[Choices],
) -> tuple[Finding, ...]:
    """Find likely faults of a corpus: first those without a cost, then the others by their cost.

    `references[i]` are the references of `hypotheses[i]`; the two may have different lengths.
    `sources` are the source texts, `other_systems` the outputs of other systems. `repair_corpus`
    undoes the faults whose `action` begins with `repair:`.

    Raises TypeError unless all are lists of texts, and what `Settings` raises.

    >>> findings = check_corpus(["it&#39;s a cat", "a dog"], [["it's a cat"], ["a dog"]])
    >>> [(finding.name, finding.segments, finding.action) for finding in findings]
    [('escapes', 1, 'repair:escapes')]
    """
    settings = resolve_settings(choices, settings)
    texts = copy_texts(hypotheses, references)
    return run_to_end(iter_check(*texts, settings, sources=sources, other_systems=other_systems))


def iter_check(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    settings: Settings,
    *,
    sources: Sequence[str] | None = None,
    other_systems: Sequence[Sequence[str]] = (),
    statistics: Sequence[Statistics] = (),
    is_marked: tuple[bool, bool] = (False, False),
) -> ProgressGenerator[tuple[Finding, ...]]:
    """Find faults as `check_corpus`; yield (steps done, total).

    `statistics` are those of the segments, if they are known. `is_marked` says whether the files of
    the hypotheses and of the references had byte order marks, which were removed.
    """
    texts = list(hypotheses), list(map(list, references))
    lines = ParallelLines(*texts, settings, sources or (), other_systems)
    findings = yield from _CheckUp(lines, list(statistics), is_marked).run()
    order = list(FAULTS)
    return tuple(
        sorted(
            findings,
            key=lambda each: (each.cost is not None, -(each.cost or 0), order.index(each.name)),
        )
    )


class _CheckUp:
    """The check-up of one corpus: its texts, the statistics of its segments, and its score."""

    def __init__(
        self, texts: ParallelLines, statistics: list[Statistics], is_marked: tuple[bool, bool]
    ) -> None:
        self.texts, self.settings = texts, texts.settings
        self.statistics = statistics
        self.is_marked = is_marked
        self.score: float | None = None
        self.done = 0

    def run(self) -> ProgressGenerator[list[Finding]]:
        """Return the findings; yield (steps done, total).

        Each fault that is found is undone in the texts that are searched for the next, or its lines
        are left out, so that a special token at the beginning does not look like a small letter.
        """
        hypotheses, references = self.texts.hypotheses, self.texts.references
        if not hypotheses and not references:
            return []
        yield self._event()
        if findings := list(_find_containers(self.texts)):
            return findings
        yield self._event()
        doubtful = None
        if len(hypotheses) == len(references):
            if not self.statistics:
                rows = dict(enumerate(self.texts.rows))
                self.statistics = list((yield from self._count(rows, self.settings)).values())
            self.score = self._score(self.settings, {})
            doubtful = self._doubtful_lines()
        alignment = yield from map_progress(align(hypotheses, references, doubtful), self._event)
        if alignment.fault:
            findings.append((yield from self._alignment_finding(alignment)))
        if alignment.fault == "length-mismatch":
            return findings
        if any(self.is_marked):
            findings += self._mark_findings()
        self.segments = ["\n".join((text, *row)) for text, row in self.texts.rows]
        self.all_text = "\n".join(self.segments)
        self.not_ascii = [i for i, text in enumerate(self.segments) if not text.isascii()]
        cleaned = self.texts
        for name in (*TEXT_FAULTS, *LINE_FAULTS):
            self.done += 1
            yield self._event()
            if not alignment.fault or name not in PAIRWISE_FAULTS:
                finding, cleaned = yield from self._examine(name, cleaned)
                findings += [finding] if finding else []
        return findings

    def _event(self, *_: int) -> tuple[int, int]:
        return self.done, STEPS

    def _doubtful_lines(self) -> Sequence[int]:
        size = self.texts.size
        unrelated = [
            count_segment(
                self.texts.hypotheses[i], self.texts.references[size - 1 - i], self.settings
            )
            for i in range(0, size, size // SAMPLE_SIZE + 1)
        ]
        return doubtful_lines(self.statistics, unrelated)

    def _alignment_finding(self, alignment: Alignment) -> ProgressGenerator[Finding]:
        """Return a finding on lines that are shifted, missing or shuffled."""
        hypotheses, references = self.texts.hypotheses, self.texts.references
        name, action, score_without = alignment.fault, "", None
        if name in REPAIRS and alignment.blocks:
            action = f"repair:{name}"
            rows = dict(enumerate(zip(alignment.realign(hypotheses), references, strict=True)))
            if self.statistics:
                rows = {i: row for i, row in rows.items() if row[0] != hypotheses[i]}
            counts = yield from self._count(rows, self.settings)
            score_without = self._score(self.settings, counts)
        lines = (line for line in alignment.lines[:MAX_EXAMPLES] if line < len(hypotheses))
        return Finding(
            alignment.message,
            action,
            "Align the lines" if action else "",
            name,
            "hypotheses",
            alignment.displaced_count,
            tuple(Example(line + 1, visible_excerpt(hypotheses[line])) for line in lines),
            self.score,
            score_without,
        )

    def _mark_findings(self) -> Iterator[Finding]:
        """Yield a finding on byte order marks if the score would be another with them."""
        marks = ["\ufeff" if marked else "" for marked in self.is_marked]
        text = marks[0] + self.texts.hypotheses[0]
        row = text, [marks[1] + reference for reference in self.texts.references[0]]
        score = self._score(self.settings, {0: count_segment(*row, self.settings)})
        if score is None or self.score is None or score == self.score:
            return
        side, files = "both", "The files begin"
        if not all(self.is_marked):
            side = "hypotheses" if self.is_marked[0] else "references"
            file = "The file of the hypotheses" if self.is_marked[0] else "A file of references"
            files = f"{file} begins"
        message = (
            f"{files} with a byte order mark, which does not count here; other tools count it as a "
            f"part of the first token, and print {100 * score:.2f} instead of "
            f"{100 * self.score:.2f}."
        )
        examples = (Example(1, visible_excerpt("\ufeff" + text.removeprefix("\ufeff"))),)
        yield Finding(message, "", "", "bom", side, 1, examples, self.score)

    def _examine(
        self, name: str, cleaned: ParallelLines
    ) -> ProgressGenerator[tuple[Finding | None, ParallelLines]]:
        """Return a finding on a fault, or None, and the texts to be searched for the next."""
        fault, settings = TEXT_FAULTS.get(name), self.settings
        masked: Collection[int] = ()
        rows: Rows = {}
        lines: Lines | None
        if fault:
            lines, rows = self._text_fault_lines(name, fault)
            masked = [i for i in lines.indices if has_any(fault.lost, self.segments[i])]
        elif lines := LINE_FAULTS[name](self.texts if name in AS_THEY_ARE else cleaned):
            kind, _, value = lines.action.partition(":")
            if kind == "tokenizer":
                settings = replace(settings, tokenizer=cast(TokenizerName, value))
                rows = dict(enumerate(self.texts.rows))
            elif kind:
                rows = self._changed_rows(name)
            masked = lines.indices if name in MASKING else ()
        if lines is None or not lines.indices:
            return None, cleaned
        counts = yield from self._count(rows, settings)
        score_without = self._score(settings, counts) if rows else None
        if fault and not fault.is_certain:
            lines = self._effective_lines(name, lines, rows, counts)
            if not lines.indices or (score_without or 0) < (self.score or 0):
                return None, cleaned
        if fault:
            cleaned = cleaned.map_texts(fault.repair, rows)
        elif name in REPAIRS:
            cleaned = cleaned.with_texts(*REPAIRS[name](cleaned.hypotheses, cleaned.references))
        return self._finding(name, lines, rows, score_without), cleaned.map_texts(
            lambda _: "", masked
        )

    def _text_fault_lines(self, name: str, fault: TextFault) -> tuple[Lines, Rows]:
        """Return the lines that have a fault of single texts, and their rows without it."""
        rows = {}
        sides: tuple[set[int], set[int]] = set(), set()
        candidates = self.not_ascii
        if fault.marks:
            is_any = has_any(fault.marks, self.all_text)
            candidates = [i for i, t in enumerate(self.segments) if is_any and fault.may_be_in(t)]
        for index in candidates:
            text, references = row = self.texts.hypotheses[index], self.texts.references[index]
            repaired = fault.repair(text), list(map(fault.repair, references))
            if repaired != row:
                rows[index] = repaired
            if repaired[0] != text or has_any(fault.lost, text):
                sides[0].add(index)
            if repaired[1] != references or has_any(fault.lost, "\n".join(references)):
                sides[1].add(index)
        action = f"repair:{name}" if rows else ""
        return Lines(*sides, f"have {fault.phrase}", action, fault.label), rows

    def _effective_lines(
        self, name: str, lines: Lines, rows: Rows, counts: Mapping[int, Statistics]
    ) -> Lines:
        """Return the lines if any matches better without the fault, else no lines."""
        improved = {i for i in rows if _overlap(counts[i]) > _overlap(self.statistics[i])}
        sides = set(lines.hypotheses), set(lines.references)
        if name == "punctuation":
            texts = self.texts.hypotheses, self.texts.references
            forms = {i: form_differences(texts[0][i], texts[1][i]) for i in rows}
            sides = {i for i in rows if forms[i][0]}, {i for i in rows if forms[i][1]}
        if all(sides) or improved.isdisjoint(sides[0] | sides[1]):
            sides = sides[0] & improved, sides[1] & improved
        return replace(lines, hypotheses=sides[0], references=sides[1])

    def _finding(self, name: str, lines: Lines, rows: Rows, score_without: float | None) -> Finding:
        """Return a finding with its examples and its sentence."""
        texts = self.texts
        examples = []
        indices = lines.indices
        for index in indices[:MAX_EXAMPLES]:
            row = texts.hypotheses[index], texts.references[index]
            text, references = rows.get(index, row)
            pairs = [(row[0], text), *zip(row[1], references, strict=True)]
            pairs = pairs[1:] if lines.side == "references" else pairs
            pair = next((pair for pair in pairs if pair[0] != pair[1]), pairs[0])
            examples.append(Example(index + 1, visible_excerpt(*pair, end=name == "truncated")))
        message = lines.sentence(texts.size, examples)
        identical = sum(
            text in references and texts.hypotheses[index] not in texts.references[index]
            for index, (text, references) in rows.items()
        )
        if identical > 1 and not lines.action.startswith("tokenizer:"):
            message += (
                f" Apart from {FAULTS[name]}, {identical:,} of them are identical to a reference."
            )
        return Finding(
            message,
            lines.action,
            lines.label if lines.action else "",
            name,
            lines.side,
            len(indices),
            tuple(examples),
            self.score,
            score_without,
        )

    def _count(self, rows: Rows, settings: Settings) -> ProgressGenerator[dict[int, Statistics]]:
        """Return the statistics of some segments."""
        counts = {}
        for number, (index, (text, references)) in enumerate(rows.items(), 1):
            counts[index] = count_segment(text, references, settings)
            if number % PROGRESS_INTERVAL == 0:
                yield self._event()
        return counts

    def _score(self, settings: Settings, changed: Mapping[int, Statistics]) -> float | None:
        """Return the score with some segments changed, or None if it has none."""
        parts: Iterable[Statistics] = changed.values()
        if self.statistics:
            parts = (changed.get(index, part) for index, part in enumerate(self.statistics))
        try:
            return compute(Statistics.sum(parts, settings.max_order), settings).value
        except ValueError:  # NLTK's method 6, for example, needs a match
            return None

    def _changed_rows(self, name: str) -> Rows:
        """Return the rows that a repair changes."""
        hypotheses, references = self.texts.hypotheses, self.texts.references
        repaired = zip(*REPAIRS[name](hypotheses, references), strict=True)
        return {i: row for i, row in enumerate(repaired) if row != (hypotheses[i], references[i])}


def _find_containers(texts: ParallelLines) -> Iterator[Finding]:
    """Yield a finding on each side whose lines are JSON, markup, a table or a single line."""
    columns = zip_longest(*texts.references[:DETECTION_LINES], fillvalue="")
    sides = {"hypotheses": [texts.hypotheses], "references": list(map(list, columns))}
    for side, files in sides.items():
        for lines in files:
            name, action, label = detect_container(lines), "", ""
            phrase = f"are {FAULTS.get(name)}"
            if not name and len(lines) == 1 and "\r" in lines[0].strip():
                name, action, label = "line-ends", "repair:line-ends", "Split the lines"
                phrase = "have carriage returns only, so all is one line"
            if name:
                example = Example(1, visible_excerpt(lines[0]))
                message = f"The {side} {phrase}: “{example.text}” in line 1."
                yield Finding(message, action, label, name, side, len(texts.hypotheses), (example,))
                break


def _overlap(statistics: Statistics) -> float:
    """Return the share of tokens that match, of both sides."""
    tokens = statistics.hypothesis_length + statistics.reference_length
    return float(statistics.matched[0] / tokens) if tokens else 0.0
