"""The check-up of a corpus: the faults of its texts, and what each costs in BLEU."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain, zip_longest
from typing import Final, Unpack

from bleu.analysis.alignment import Alignment, align
from bleu.analysis.faults import LOST, TEXT_FAULTS, TextFault, form_differences
from bleu.analysis.finding import FAULTS, Example, Finding, visible_excerpt
from bleu.analysis.line_faults import LINE_FAULTS, Lines, ParallelLines
from bleu.analysis.repairs import LABELS, REPAIRS, Texts, copy_texts
from bleu.core.choices import Choices
from bleu.core.conventions import resolve_settings
from bleu.core.progress import ProgressGenerator, map_progress, run_to_end
from bleu.core.score import compute
from bleu.core.segment import count_segment
from bleu.core.settings import Settings, document_choices
from bleu.core.statistics import Statistics
from bleu.corpus.containers import DETECTION_LINES, detect_container

MAX_EXAMPLES: Final = 3
PAIRWISE_FAULTS: Final = {"truncated", "chatter", "other-language", "repetition"}
"""Faults that cannot be told if lines are not beside their references."""
PROGRESS_INTERVAL: Final = 100
"""Segments that are scored between two reports of the progress."""

STEPS: Final = len(TEXT_FAULTS) + len(LINE_FAULTS) + 2
"""The number of steps of a check-up."""

AS_THEY_ARE: Final = {"identical", "empty"}
"""Faults that are looked for in the texts as they are, not without the faults found before."""
MASKING: Final = {"empty", "other-language", "repetition", "truncated"}
"""Faults that cannot be undone; their lines are not searched for other faults of lines."""

Rows = Mapping[int, tuple[str, Sequence[str]]]
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
    return run_to_end(
        iter_check(hypotheses, references, settings, sources=sources, other_systems=other_systems)
    )


def iter_check(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    settings: Settings,
    *,
    sources: Sequence[str] | None = None,
    other_systems: Sequence[Sequence[str]] = (),
    statistics: Sequence[Statistics] | None = None,
) -> ProgressGenerator[tuple[Finding, ...]]:
    """Find faults as `check_corpus`; yield (steps done, total).

    `statistics` are those of the segments, if they are known.
    """
    texts = copy_texts(hypotheses, references)
    lines = ParallelLines(*texts, settings, sources or (), other_systems)
    findings = yield from _CheckUp(lines, list(statistics or ())).run()
    order = list(FAULTS)
    return tuple(
        sorted(
            findings,
            key=lambda each: (each.cost is not None, -(each.cost or 0), order.index(each.name)),
        )
    )


def find_mark(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    settings: Settings,
    is_marked: tuple[bool, bool],
    statistics: Sequence[Statistics] = (),
) -> Finding | None:
    """Return a finding on a byte order mark that was removed when the files were read, or None.

    `is_marked` says whether the hypotheses and the references had one, `statistics` are those of
    the segments if known. There is no finding if the score would be the same with the marks.
    """
    if not any(is_marked) or not hypotheses or len(hypotheses) != len(references):
        return None
    marks = ["\ufeff" if marked else "" for marked in is_marked]
    counts = statistics or [
        count_segment(*row, settings) for row in zip(hypotheses, references, strict=True)
    ]
    first = marks[0] + hypotheses[0], [marks[1] + text for text in references[0]]
    score, other = (
        compute(Statistics.sum(each, settings.max_order), settings).value
        for each in (counts, [count_segment(*first, settings), *counts[1:]])
    )
    if score == other:
        return None
    side = "both" if all(is_marked) else "hypotheses" if is_marked[0] else "references"
    verb = "begin" if side == "both" else "begins"
    files = {"both": "The files", "hypotheses": "The file of the hypotheses"}
    message = (
        f"{files.get(side, 'A file of references')} {verb} with a byte order mark, which does not "
        "count here; other tools count it as a part of the first token, and print "
        f"{100 * other:.2f} instead of {100 * score:.2f}."
    )
    return Finding(
        message,
        "",
        "",
        "bom",
        side,
        1,
        (Example(1, visible_excerpt("\ufeff" + hypotheses[0])),),
        score,
    )


class _CheckUp:
    """The check-up of one corpus: its texts, the statistics of its segments, and its score."""

    def __init__(self, texts: ParallelLines, statistics: list[Statistics]) -> None:
        self.texts = texts
        self.statistics = statistics
        self.score: float | None = None
        self.done = 0

    def run(self) -> ProgressGenerator[list[Finding]]:
        """Return the findings; yield (steps done, total).

        Each fault that is found is undone in the texts that are searched for the next, or its lines
        are left out, so that a special token at the beginning does not look like a small letter.
        """
        if not self.texts.hypotheses and not self.texts.references:
            return []
        yield self._event()
        if containers := list(self._containers()):
            return containers
        yield self._event()
        references = [row[0] for row in self.texts.references]
        alignment = yield from map_progress(align(self.texts.hypotheses, references), self._event)
        self.done += 1
        if alignment.fault == "length-mismatch":
            return [(yield from self._alignment_finding(alignment))]
        if not self.statistics:
            rows = dict(enumerate(self.texts.rows))
            self.statistics = list((yield from self._count(rows, self.texts.settings)).values())
        self.score = self._score(self.texts.settings, {})
        findings: list[Finding] = []
        if alignment.fault:
            findings.append((yield from self._alignment_finding(alignment)))
        cleaned = self.texts
        texts = [*cleaned.hypotheses, *chain.from_iterable(cleaned.references)]
        text, unusual = "\n".join(texts), "\n".join(each for each in texts if not each.isascii())
        masked: set[int] = set()
        for name in (*TEXT_FAULTS, *LINE_FAULTS):
            if alignment.fault and name in PAIRWISE_FAULTS:
                continue
            self.done += 1
            yield self._event()
            finding = None
            if fault := TEXT_FAULTS.get(name):
                is_lost = name in LOST and LOST[name].search(text)
                if is_lost or fault.occurs_in(text if fault.marks else unusual):
                    finding = yield from self._text_finding(name, fault)
            elif lines := LINE_FAULTS[name](self.texts if name in AS_THEY_ARE else cleaned):
                finding = yield from self._line_finding(name, lines)
                masked.update(lines.indices if name in MASKING else ())
            if finding:
                findings.append(finding)
                if name in REPAIRS:
                    cleaned = cleaned.with_texts(*_repaired(name, cleaned))
                if name in TEXT_FAULTS:
                    masked.update(self._lost_lines(name))
                cleaned = cleaned.without(masked)
        return findings

    def _event(self, *_: int) -> tuple[int, int]:
        return self.done, STEPS

    def _containers(self) -> Iterator[Finding]:
        """Yield a finding on each side whose lines are JSON, markup, a table or a single line."""
        columns = zip_longest(*self.texts.references[:DETECTION_LINES], fillvalue="")
        sides: dict[str, list[Sequence[str]]] = {
            "hypotheses": [self.texts.hypotheses],
            "references": list(map(list, columns)),
        }
        for side, texts in sides.items():
            for lines in texts:
                name = detect_container(lines)
                what = f"are {FAULTS.get(name)}"
                if not name and len(lines) == 1 and "\r" in lines[0].strip():
                    name, what = "line-ends", "have carriage returns only, so all is one line"
                if name:
                    example = Example(1, visible_excerpt(lines[0]))
                    message = f"The {side} {what}: “{example.text}” in line 1."
                    yield Finding(
                        message, "", "", name, side, len(self.texts.hypotheses), (example,)
                    )
                    break

    def _alignment_finding(self, alignment: Alignment) -> ProgressGenerator[Finding]:
        """Return a finding on lines that are shifted, missing or shuffled."""
        settings, hypotheses, references = (
            self.texts.settings,
            self.texts.hypotheses,
            self.texts.references,
        )
        score_without, name = None, alignment.fault
        if name != "shuffled" and alignment.blocks:
            texts = alignment.realign(hypotheses), references
            rows = dict(enumerate(zip(*texts, strict=True)))
            if self.statistics:
                rows = {index: row for index, row in rows.items() if row[0] != hypotheses[index]}
            counts = yield from self._count(rows, settings)
            score_without = self._score(settings, counts)
        in_step = sum(block.size for block in alignment.blocks if not block.offset)
        numbers = (
            alignment.shuffled
            if name == "shuffled"
            else [shift.line - 1 for shift in alignment.shifts]
        )
        return Finding(
            _alignment_message(alignment),
            f"repair:{name}" if name in REPAIRS and alignment.blocks else "",
            LABELS.get(name, ""),
            name,
            "hypotheses",
            len(alignment.shuffled)
            if name == "shuffled"
            else max(len(hypotheses), len(references)) - in_step,
            tuple(
                Example(index + 1, visible_excerpt(hypotheses[index]))
                for index in numbers[:MAX_EXAMPLES]
                if index < len(hypotheses)
            ),
            self.score,
            score_without,
        )

    def _text_finding(self, name: str, fault: TextFault) -> ProgressGenerator[Finding | None]:
        """Return a finding on a fault of single texts, or None.

        Unless the fault is certain, the score must rise and a line must match better without it.
        """
        settings = self.texts.settings
        rows = _changed_rows(self.texts, *_repaired(name, self.texts))
        hypotheses = [index for index in rows if rows[index][0] != self.texts.hypotheses[index]]
        references = [index for index in rows if rows[index][1] != self.texts.references[index]]
        if name in LOST:
            is_lost = LOST[name].search
            hypotheses += [i for i, text in enumerate(self.texts.hypotheses) if is_lost(text)]
            references += [
                i for i, row in enumerate(self.texts.references) if any(map(is_lost, row))
            ]
        if not hypotheses and not references:
            return None
        counts = yield from self._count(rows, settings)
        score_without = self._score(settings, counts) if rows else None
        lines = sorted({*hypotheses, *references})
        if not fault.is_certain:
            improved = {i for i in rows if _overlap(counts[i]) > _overlap(self.statistics[i])}
            if name == "punctuation":
                forms = {
                    i: form_differences(*row)
                    for i, row in enumerate(self.texts.rows)
                    if i in improved
                }
                hypotheses, references = ([i for i in forms if forms[i][side]] for side in (0, 1))
                improved.intersection_update({*hypotheses, *references})
            if not improved or (score_without or 0) < (self.score or 0):
                return None
            if hypotheses and references:
                lines = sorted(improved)
        found = Lines(
            _side(set(hypotheses) & set(lines), set(references) & set(lines)),
            lines,
            f"have {fault.phrase}",
        )
        return self._finding(name, found, rows, score_without, f"repair:{name}" if rows else "")

    def _lost_lines(self, name: str) -> Iterator[int]:
        """Yield the lines whose text is lost in part, so a repair leaves other faults."""
        if pattern := LOST.get(name):
            for index, (text, references) in enumerate(self.texts.rows):
                if pattern.search("\n".join([text, *references])):
                    yield index

    def _line_finding(self, name: str, lines: Lines) -> ProgressGenerator[Finding]:
        """Return a finding on lines that differ between the sides."""
        settings, action = self.texts.settings, ""
        rows: Rows = {}
        if lines.tokenizer:
            settings = replace(settings, tokenizer=lines.tokenizer)
            rows, action = dict(enumerate(self.texts.rows)), f"tokenizer:{lines.tokenizer}"
        elif name in REPAIRS:
            rows = _changed_rows(self.texts, *_repaired(name, self.texts))
            action = "lowercase" if name == "case" else f"repair:{name}"
        score_without = None
        if rows:
            counts = yield from self._count(rows, settings)
            score_without = self._score(settings, counts)
        return self._finding(name, lines, {} if lines.tokenizer else rows, score_without, action)

    def _finding(
        self, name: str, lines: Lines, rows: Rows, score_without: float | None, action: str
    ) -> Finding:
        """Return a finding with its examples and its sentence."""
        examples = []
        for index in lines.indices[:MAX_EXAMPLES]:
            text, references = self.texts.hypotheses[index], self.texts.references[index]
            repaired, repaired_references = rows.get(index, (text, references))
            if lines.side == "references" or (
                text == repaired and references != repaired_references
            ):
                pairs = list(zip(references, repaired_references, strict=True))
                text, repaired = next((pair for pair in pairs if pair[0] != pair[1]), pairs[0])
            examples.append(
                Example(index + 1, visible_excerpt(text, repaired, end=name == "truncated"))
            )
        identical = sum(
            repaired in references
            and self.texts.hypotheses[index] not in self.texts.references[index]
            for index, (repaired, references) in rows.items()
        )
        return Finding(
            _message(lines, self.texts.size, examples, identical, FAULTS[name]),
            action,
            LABELS.get(name, lines.label) if action.startswith("repair:") else lines.label,
            name,
            lines.side,
            len(lines.indices),
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


def _repaired(name: str, texts: ParallelLines) -> Texts:
    return REPAIRS[name](list(texts.hypotheses), list(map(list, texts.references)))


def _changed_rows(
    texts: ParallelLines, hypotheses: Sequence[str], references: Sequence[Sequence[str]]
) -> Rows:
    return {
        index: (hypothesis, row)
        for index, (hypothesis, row) in enumerate(zip(hypotheses, references, strict=True))
        if hypothesis != texts.hypotheses[index] or row != texts.references[index]
    }


def _overlap(statistics: Statistics) -> Fraction:
    """Return the share of tokens that match, of both sides."""
    tokens = statistics.hypothesis_length + statistics.reference_length
    return Fraction(2 * statistics.matched[0]) / tokens if tokens else Fraction()


def _side(hypotheses: object, references: object) -> str:
    if hypotheses and references:
        return "both"
    return "hypotheses" if hypotheses else "references"


def _alignment_message(alignment: Alignment) -> str:
    """Return the sentence on lines that are shifted, missing or shuffled."""
    counts = alignment.hypothesis_count, alignment.reference_count
    shifts = alignment.shifts
    if alignment.fault == "shuffled":
        return (
            f"{len(alignment.shuffled):,} of {counts[0]:,} lines of the hypotheses belong to other "
            "references, out of order."
        )
    if alignment.fault == "length-mismatch":
        place = f", and they drift apart at line {shifts[0].line:,}" if shifts else ""
        return f"There are {counts[0]:,} hypotheses and {counts[1]:,} references{place}."
    first, *others = shifts
    lines = f"{abs(first.offset):,} line{'s' if abs(first.offset) > 1 else ''}"
    sign = "+" if first.offset > 0 else "−"
    again = f"; the shift changes again at line {others[0].line:,}" if others else ""
    return (
        f"From line {first.line:,} on, the hypotheses are shifted by {lines}: line n belongs to "
        f"line n {sign} {abs(first.offset):,} of the references{again}."
    )


_SINGULAR: Final = {"have": "has", "are": "is", "look": "looks", "end": "ends", "repeat": "repeats"}


def _message(
    lines: Lines, size: int, examples: Sequence[Example], identical: int, difference: str
) -> str:
    """Return the sentence of a finding."""
    of_side = "" if lines.side == "both" else f" of the {lines.side}"
    if len(lines.indices) == 1:
        verb, _, rest = lines.phrase.partition(" ")
        subject = f"Line {examples[0].line}{of_side} {_SINGULAR[verb]} {rest}"
        place = ""
    else:
        subject = f"{len(lines.indices):,} of {size:,} lines{of_side} {lines.phrase}"
        place = f" in line {examples[0].line:,}"
    quote = (
        f": “{examples[0].text}”{place}" if examples[0].text else place.replace(" in", ", first", 1)
    )
    end = (
        f". Apart from {difference}, {identical:,} of them are identical to a reference."
        if identical > 1
        else "."
    )
    return f"{subject}{quote}{end}"
