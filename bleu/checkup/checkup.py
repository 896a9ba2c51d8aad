"""The check-up of a corpus: the faults of its texts, and the cost of each in BLEU."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import compress
from typing import Final, NamedTuple, TypeVar, cast

from bleu.checkup.alignment import (
    MIN_RELATED_LINES,
    MIN_Z,
    find_order,
    relation_z,
)
from bleu.checkup.changes import (
    SAMPLE_LINES,
    Change,
    Row,
    ScoredRows,
    Trial,
    random_lines,
)
from bleu.checkup.faults import detokenize
from bleu.checkup.finding import (
    LINES_PER_SLICE,
    SIDE_NAMES,
    FaultyLine,
    Finding,
    Lines,
    ParallelLines,
)
from bleu.checkup.frames import strip_frames
from bleu.checkup.joining import Pairing, pair_up
from bleu.checkup.kinds import KINDS, REMEDIES
from bleu.checkup.line_faults import (
    find_containers,
    find_empty,
    find_identical,
    find_other_language,
    find_repetition,
    find_script,
    find_tokenized,
    find_truncated,
    find_unfinished,
)
from bleu.checkup.proposals import GROUPS, Group
from bleu.core.choices import TokenizerName
from bleu.core.progress import ProgressGenerator, map_in_slices, map_progress
from bleu.core.segment import count_segment
from bleu.core.settings import Settings
from bleu.core.statistics import Statistics
from bleu.files.parallel import ParallelTexts

T = TypeVar("T")
MAX_EXAMPLES: Final = 3
STEPS: Final = 8
"""The number of steps of a check-up."""
MIN_EQUAL: Final = 0.99
"""The share of hypotheses equal to a reference from which a finding says so."""
MIN_EQUAL_LINES: Final = 50
"""In fewer lines, equal texts are no surprise."""
TIE: Final = 0.8
"""From this share of the greatest gain on, the change with the best proof is preferred."""
MAX_CHANGES: Final = 6
"""The largest number of differences that a group discovers, because of the time."""
MIN_SAMPLE_LINES: Final = 3
"""Fewer lines cannot show that a difference is systematic."""
MAX_VARIETY: Final = 0.2
"""The largest share of lines in which a difference of spelling may be a choice; of the programs
translated twice in `tests.bench.clean_sets`, up to 0.18 differ in one such choice."""
MAX_CHOICE: Final = 2
"""The largest number of words or spaces in a line that may be a choice."""
MIN_CHOSEN: Final = 0.6
"""The smallest share of these lines with no more changes; of lowercased news, 0.45 have."""
MAX_LOST: Final = 0.5
"""If more of the lines are empty, loops or cut off, the others tell nothing of all."""
STYLE_NOTE: Final = "This may be a matter of style, not a fault."
MEASURED_NOTE: Final = "It cannot be undone here: look at the program that wrote the text."

_UNSCORABLE: Final = {"markup", "json", "table", "format", "line-ends", "unrelated",
                      "length-mismatch", "misaligned", "shuffled"}  # fmt: skip
"""Faults that come first even without a cost: the score says nothing before them."""
_LOST: Final = {
    "empty": find_empty,
    "reasoning": find_unfinished,
    "other-language": find_other_language,
    "repetition": find_repetition,
}
"""Functions that find the lines of which the content is lost, by fault."""


def iter_check(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    settings: Settings,
    *,
    sources: Sequence[str] | None = None,
    other_systems: Sequence[Sequence[str]] = (),
    statistics: Sequence[Statistics] = (),
    has_bom: tuple[bool, bool] = (False, False),
    is_segment: bool = False,
) -> ProgressGenerator[tuple[Finding, ...]]:
    """Run `check_corpus` as a generator that yields (steps done, total).

    `statistics` are the statistics of the segments, if known. `has_bom` says whether the files of
    the hypotheses and of the references had byte order marks, which were removed. If `is_segment`,
    the findings speak of the texts of one segment instead of lines.
    """
    copied = map_in_slices(list, references, LINES_PER_SLICE)
    rows = yield from map_progress(copied, lambda *_: (0, STEPS))
    texts = ParallelTexts([list(hypotheses), *other_systems], rows, sources=sources or ())
    lines = ParallelLines(texts, settings)
    findings = yield from CheckUp(lines, is_segment=is_segment).run(statistics, has_bom)
    return tuple(sorted(findings, key=_rank))


def _rank(finding: Finding) -> tuple[int, float, int]:
    """Return a key that sorts findings by cost, after what cannot be scored at all."""
    place = list(KINDS).index(finding.name)
    if finding.cost is None:
        return (0 if finding.name in _UNSCORABLE else 2), 0.0, place
    return 1, -abs(finding.cost), place


class Made(NamedTuple):
    """A change that was made, and the rows before and after it."""

    trial: Trial
    before: ScoredRows
    after: ScoredRows

    @property
    def cost(self) -> float | None:
        """The gain of the score, or None if one of the scores is undefined."""
        before, after = self.before.score, self.after.score
        return None if before is None or after is None else after - before


def choose(trials: Sequence[Trial]) -> Trial:
    """Return the trial with the greatest gain; among about equal ones, that with the best proof."""
    most = max(trial.gain for trial in trials)
    least = most - (1 - TIE) * abs(most)
    near = [trial for trial in trials if trial.gain >= least]
    return min(near, key=lambda t: (t.change.proof, t.change.side == "references", -t.gain))


def is_variety(trial: Trial, before: ScoredRows) -> bool:
    """Return whether few lines differ, and most in a word or two, as varieties of a language do.

    A fault of the same kind spoils all words of a line.
    """
    rows = before.rows
    if not KINDS[trial.change.kind].is_spelling or len(trial.rows) > MAX_VARIETY * len(rows):
        return False
    counts = [count_changes(rows[index], row) for index, row in trial.rows.items()]
    return sum(count <= MAX_CHOICE for count in counts) >= MIN_CHOSEN * len(counts)


def count_changes(row: Row, other: Row) -> int:
    """Return how many words or spaces of a text differ in two rows, in the text where most do.

    >>> count_changes(("a Cat sat", []), ("a cat sat", [])), count_changes(("a b", []), ("ab", []))
    (1, 1)
    """
    texts = zip((row[0], *row[1]), (other[0], *other[1]), strict=True)
    words = [(text.split(), new.split()) for text, new in texts if text != new]
    return max((abs(len(a) - len(b)) or sum(map(str.__ne__, a, b)) for a, b in words), default=0)


class CheckUp:
    """The check-up of one corpus: its texts, what was found, and the rows repaired so far.

    If `names` are given, only repairs of these faults are made.
    """

    def __init__(
        self,
        texts: ParallelLines,
        names: AbstractSet[str] | None = None,
        *,
        is_segment: bool = False,
    ) -> None:
        self.texts, self.settings, self.names = texts, texts.settings, names
        self.findings: list[Finding] = []
        self.rows = ScoredRows([], [], [], texts.settings)
        self.uncut = self.rows
        self.pairing: Pairing | None = None
        self.is_segment = is_segment
        self.done = 0

    def run(
        self, statistics: Sequence[Statistics], has_bom: tuple[bool, bool]
    ) -> ProgressGenerator[list[Finding]]:
        """Return the findings; yield (steps done, total)."""
        texts = self.texts
        if not texts.hypotheses and not texts.references:
            return []
        yield self._event()
        if containers := find_containers(texts):
            for name, lines in containers.items():
                self._add_finding(name, lines)
            return self.findings
        yield self._event()
        if len(texts.hypotheses) != len(texts.references):
            if not (yield from self._pair_up()):
                return self.findings
            statistics = ()
        self.rows = yield from self._recount(list(self.texts.rows), statistics)
        if any(has_bom):
            yield from self._check_bom(has_bom)
        yield from self._check_equality()
        if (yield from self._undo_changes()):
            yield from self._check_lost_lines()
        yield from self._check_tokenizer()
        return self.findings

    def repair(self) -> ProgressGenerator[tuple[list[str], list[list[str]]]]:
        """Return the texts of both sides without the faults of `names`."""
        self.rows = yield from self._recount(list(self.texts.rows))
        yield from self._undo_changes()
        return [text for text, _ in self.rows.rows], [list(row) for _, row in self.rows.rows]

    def _undo_changes(self) -> ProgressGenerator[bool]:
        """Undo all faults that can be undone; return whether the two sides belong together."""
        if self._is_asked("frame"):
            yield from self._strip_frames()
        is_related = True
        if self._is_asked("misaligned", "shuffled"):
            is_related = yield from self._check_order()
        made = yield from self._make_changes()
        if not is_related and not (yield from self._is_related()):
            return False
        groups: dict[tuple[str, str, str], list[Made]] = defaultdict(list)
        for each in made:
            change, side = each.trial.change, each.trial.changed_side(each.before)
            is_merged = change.is_repair and each.trial.rows
            groups[change.kind, side, "" if is_merged else change.phrase].append(each)
        for repairs in groups.values():
            self._add_changes(repairs)
        return True

    def _make_changes(self) -> ProgressGenerator[list[Made]]:
        """Make the best change of each group, again and again; return the rows before and after."""
        made = []
        for group in GROUPS:
            self.done += group.repeats
            self.uncut = self.rows  # The last group completes lines.
            if group.repeats:
                self.rows = self.rows.skip((yield from self._lost_lines()))
            for _ in range(MAX_CHANGES if group.repeats else 1):
                trial = yield from self._best_trial(group)
                if trial is None:
                    break
                after = self.rows
                if trial.gain < 0 and (side := trial.changed_side(self.rows)) != "both":
                    change = replace(trial.change, side=side, lines=list(trial.rows))
                    trial = replace(trial, change=change, rows={})  # No repair lowers the score.
                elif trial.rows:
                    after = yield from self._pause(self.rows.after(trial))
                made.append(Made(trial, self.rows, after))
                self.rows = after
        return made

    def _best_trial(self, group: Group) -> ProgressGenerator[Trial | None]:
        """Return the best change that a group proposes, made in all lines, or None."""
        rows = self.rows
        trials: list[Trial] = []
        fewest = max(MIN_SAMPLE_LINES, (1 - MAX_LOST) * min(SAMPLE_LINES, len(rows.rows)))
        if group.repeats and len(rows.sample) < fewest:
            return None
        for propose in group.proposers:
            for change in propose(rows):
                yield self._event()
                if change is not None and self._is_wanted(change):
                    trials.append((yield from self._try(change, group)))
        trials = [trial for trial in trials if self._is_accepted(trial, group)]
        if not trials:
            return None
        best = choose(trials)
        if group.is_sampled:
            best = yield from self._pause(rows.undo(best.change))
            return best if best.rows and best.gain >= group.min_gain else None
        return best

    def _try(self, change: Change, group: Group) -> ProgressGenerator[Trial]:
        """Try a change on the sample and, unless that suffices or shows too little, on all."""
        rows = self.rows
        if group.is_sampled or (change.min_better and not self.names):
            trial = yield from self._pause(rows.undo(change, is_sampled=True))
            if group.is_sampled or not trial.better:
                return trial
        return (yield from self._pause(rows.undo(change)))

    def _is_wanted(self, change: Change) -> bool:
        return self.names is None or (change.kind in self.names and change.is_repair)

    def _is_accepted(self, trial: Trial, group: Group) -> bool:
        """Return whether a change is systematic, or its marks prove it in one line or more."""
        change = trial.change
        if group.repeats:
            return trial.is_accepted(self.rows.min_lines)
        if change.is_certain:
            return bool(trial.rows or change.lines)
        share = 1 if group.is_sampled else max(1, len(self.rows.rows) / SAMPLE_LINES)
        least = 1 if self.names else max(1, change.min_better * share)
        is_found = len(trial.rows) if self.names else trial.better
        return is_found >= least and trial.gain >= group.min_gain

    def _lost_lines(self) -> ProgressGenerator[set[int]]:
        """Return lines with loops or cut off, which tell nothing of differences."""
        sample = random_lines(len(self.rows.rows), SAMPLE_LINES)
        rows = [self.rows.rows[index] for index in sample]
        texts = ScoredRows(rows, [], [], self.settings).texts
        lines = set[int]()
        for find in (find_repetition, find_truncated, find_unfinished):
            if found := (yield from self._pause(find(texts))):
                lines.update(sample[index] for index in found.indices)
        return lines

    def _is_related(self) -> ProgressGenerator[bool]:
        """Return whether the sides belong together after the changes; if not, add a finding."""
        texts = self.rows.texts
        sides = texts.hypotheses, texts.references
        z = yield from self._pause(relation_z(*sides, self.rows.statistics, self.settings))
        if z >= MIN_Z:
            return True
        if lines := (yield from self._pause(find_other_language(self.texts))):
            self._add_finding("other-language", lines)
            return False
        message = (
            "The candidates match their references no better than those of other lines: "
            "the files do not belong together, or their lines are in another order."
        )
        self._add_finding("unrelated", Lines(range(texts.size), message=message))
        return False

    def _is_asked(self, *names: str) -> bool:
        return self.names is None or not self.names.isdisjoint(names)

    def _event(self, *_: int) -> tuple[int, int]:
        return min(self.done, STEPS), STEPS

    def _pause(self, computation: ProgressGenerator[T]) -> ProgressGenerator[T]:
        """Run a computation, and yield the steps of the check-up instead of its own."""
        return map_progress(computation, self._event)

    def _recount(
        self, rows: list[Row], statistics: Sequence[Statistics] = ()
    ) -> ProgressGenerator[ScoredRows]:
        return self._pause(ScoredRows.count(rows, self.settings, statistics))

    # Single lines and files

    def _pair_up(self) -> ProgressGenerator[bool]:
        """Give each hypothesis to a segment, and add a finding; return whether they match."""
        texts = self.texts
        steps = pair_up(texts.hypotheses, texts.references, self.settings)
        alignment, pairing = yield from self._pause(steps)
        score, action = None, "repair:length-mismatch" * bool(pairing.texts)
        if pairing.texts:
            rows = list(zip(pairing.texts, texts.references, strict=True))
            score = (yield from self._recount(rows)).score
        lines = replace(alignment.lines, action=action, remark=pairing.remark)
        self._add_finding("length-mismatch", lines, (), None, score)
        systems = [pairing.texts, *texts.texts.systems[1:]]
        parallel = replace(texts.texts, systems=systems, sources=())
        self.texts, self.pairing = replace(texts, texts=parallel), pairing
        return bool(pairing.texts)

    def _check_bom(self, has_bom: tuple[bool, bool]) -> ProgressGenerator[None]:
        """Add a finding on byte order marks if they would change the score."""
        text, references = self.rows.rows[0]
        marks = ["\ufeff" if present else "" for present in has_bom]
        row: Row = (marks[0] + text, [marks[1] + reference for reference in references])
        counts = {0: count_segment(*row, self.settings)}
        score, own = (yield from self._pause(self.rows.score_with(counts))), self.rows.score
        if score is None or own is None or f"{100 * score:.2f}" == f"{100 * own:.2f}":
            return
        names = list(compress(SIDE_NAMES.values(), has_bom))
        files = "files begin" if all(has_bom) else f"file of the {names[0]} begins"
        message = (
            f"The {files} with a byte order mark, which does not count here; other tools count it "
            f"as a part of the first token, and print {100 * score:.2f} instead of "
            f"{100 * own:.2f}."
        )
        lines = Lines(range(has_bom[0]), range(has_bom[1]), message=message)
        self._add_finding("bom", lines, [(row, row)], own)

    def _check_equality(self) -> ProgressGenerator[None]:
        """Add findings on empty files of references, and on hypotheses of another file."""
        for number, column in enumerate(zip(*self.texts.references, strict=False), 1):
            if number > 1 and not any(map(str.strip, column)):
                message = f"File {number} of the references has only empty lines."
                lines = Lines(references=range(self.texts.size), message=message)
                self._add_finding("empty", lines)
        if identical := find_identical(self.texts):
            self._add_finding("identical", identical)
            return
        size, equal = len(self.rows.rows), list[int]()
        for index, (text, row) in enumerate(self.rows.rows):
            if index % LINES_PER_SLICE == 0:
                yield self._event()
            if text.split() in map(str.split, row):
                equal.append(index)
            elif index - len(equal) > (1 - MIN_EQUAL) * size:
                return
        if size >= MIN_EQUAL_LINES and len(equal) >= MIN_EQUAL * size:
            count = f"All {size:,}" if len(equal) == size else f"{len(equal):,} of {size:,}"
            message = f"{count} candidates are equal to a reference, apart from spaces."
            self._add_finding("identical", Lines(equal, equal, message=message))

    # Changes

    def _strip_frames(self) -> ProgressGenerator[None]:
        """Remove ids and times of both sides, and add a finding on them."""
        texts = self.texts
        stripped = yield from self._pause(strip_frames(texts.hypotheses, texts.references))
        changed = []
        if stripped[0] is not texts.hypotheses:  # To compare all texts takes long.
            pairs_by_line = enumerate(zip(texts.hypotheses, stripped[0], strict=True))
            changed = [index for index, (text, new) in pairs_by_line if text != new]
        if not changed:
            return
        phrase = "begin or end with an id, a label or a sign that is the same on both sides"
        lines = Lines(changed, changed, phrase, "repair:frame")
        rows = list(zip(*stripped, strict=True))
        pairs = list(zip(self.rows.rows, rows, strict=True))
        yield from self._replace_rows("frame", lines, rows, pairs)

    def _add_changes(self, made: Sequence[Made]) -> None:
        """Add the finding on one change, or on several repairs of a kind and side."""
        change, before = made[0].trial.change, made[0].before
        hypotheses, references = set[int](), set[int]()
        pairs: dict[int, tuple[Row, Row]] = {}
        identical = 0
        for trial, old, after in made:
            for index, row in trial.rows.items():
                start = old.rows[index]
                hypotheses.update([index] * (row[0] != start[0]))
                references.update([index] * (row[1] != start[1]))
                identical += row[0] in row[1] and start[0] not in start[1]
                pairs.setdefault(index, (start, row))
            if trial.change.lines:
                (hypotheses if trial.change.side == "hypotheses" else references).update(
                    change.lines
                )
                pairs = {i: (old.rows[i], after.rows[i]) for i in trial.change.lines} | pairs
        action = f"repair:{change.kind}" * (change.is_repair and bool(made[0].trial.rows))
        action = "lowercase" if change.kind == "case" else action
        action = action if action in REMEDIES else ""
        remarks = []
        if identical > 1:
            remarks.append(f"Apart from this, {identical:,} of them are identical to a reference.")
        if all(each.trial.change.is_style for each in made) or is_variety(*made[0][:2]):
            remarks.append(STYLE_NOTE)
        elif not change.is_repair and not action and not KINDS[change.kind].advice:
            remarks.append(MEASURED_NOTE)
        phrases = dict.fromkeys(each.trial.change.phrase for each in made)
        remark = " ".join(remarks)
        lines = Lines(hypotheses, references, " or ".join(phrases), action, remark=remark)
        score, costs = before.score, [each.cost for each in made]
        total = None if score is None or None in costs else score + sum(filter(None, costs))
        self._add_finding(change.kind, lines, pairs, score, total)

    # Order and discovery

    def _check_order(self) -> ProgressGenerator[bool]:
        """Put lines in order, and return whether the two sides belong together."""
        self.done += 1
        size = len(self.rows.rows)
        texts = self._repaired_texts()
        if size < MIN_RELATED_LINES:
            return True
        sides = texts.hypotheses, texts.references
        steps = find_order(*sides, self.rows.statistics, self.settings)
        order, is_related = yield from self._pause(steps)
        if order or not is_related:
            empty = yield from self._pause(find_empty(texts))
            loops = yield from self._pause(find_repetition(texts))
            lost = {index for lines in (empty, loops) if lines for index in lines.indices}
            if len(lost) > MAX_LOST * size or (yield from self._pause(find_script(texts))):
                return True
        if order:
            rows = list(zip(order.hypotheses, texts.references, strict=True))
            yield from self._replace_rows(order.name, order.lines, rows)
        elif is_related:
            yield from self._check_columns(texts)
        return is_related

    def _check_columns(self, texts: ParallelLines) -> ProgressGenerator[None]:
        """Check each file of references alone.

        Of a file with empty lines, as segments lack a reference, the others must fit as they are;
        with more empty than other lines, nothing tells.
        """
        count = min(map(len, texts.references))
        if count < 2 or count < max(map(len, texts.references)):
            return
        for column in range(count):
            filled: list[Row] = [
                (row[column], [text]) for text, row in texts.rows if row[column].strip()
            ]
            if 2 * len(filled) <= texts.size:
                continue
            counted = yield from self._recount(filled)
            file_texts, hypotheses = zip(*filled, strict=True)
            steps = find_order(file_texts, hypotheses, counted.statistics, self.settings)
            order, is_related = yield from self._pause(steps)
            file = f"File {column + 1} of the references"
            if not order and not is_related:
                message = f"{file} does not belong to the candidates: it matches only by chance."
                lines = Lines(references=range(texts.size), message=message)
                self._add_finding("unrelated", lines)
            elif order and len(filled) == texts.size:
                message = f"{file} is in another order than the candidates."
                moved = order.lines.hypotheses
                lines = Lines(references=moved, action=order.lines.action, message=message)
                rows: list[Row] = [
                    (text, [*row[:column], order.hypotheses[index], *row[column + 1 :]])
                    for index, (text, row) in enumerate(self.rows.rows)
                ]
                yield from self._replace_rows(order.name, lines, rows)

    def _replace_rows(
        self, name: str, lines: Lines, rows: list[Row], pairs: Sequence[tuple[Row, Row]] = ()
    ) -> ProgressGenerator[None]:
        """Add a finding with the score of other rows, and go on with these."""
        counted = yield from self._recount(rows)
        self._add_finding(name, lines, pairs, self.rows.score, counted.score)
        self.rows = counted

    # Lines of which the content is lost, and the tokenizer

    def _repaired_texts(self) -> ParallelLines:
        """Return the texts without the faults found so far."""
        sides = self.rows.texts
        return self.texts.after(sides.hypotheses, sides.references)

    def _check_lost_lines(self) -> ProgressGenerator[None]:
        """Add findings on lost lines; the cost is the score of the other lines, less the score."""
        sides = self.uncut.texts
        texts = self.texts.after(sides.hypotheses, sides.references)
        all_lost: set[int] = set()
        score = self.rows.score
        for name, find in _LOST.items():
            if name == "empty" and self.pairing:
                continue
            # A repair of the order may leave lines empty, which were not.
            lines = yield from self._pause(find(self.texts if name == "empty" else texts))
            if lines:
                all_lost.update(lines.indices)
                score_without = yield from self._pause(self.rows.score_without(all_lost))
                pairs = {i: (self.rows.rows[i], self.rows.rows[i]) for i in lines.indices[:3]}
                self._add_finding(name, lines, pairs, score, score_without)
                texts, score = texts.without(lines.indices), score_without
        self.done += 1

    def _check_tokenizer(self) -> ProgressGenerator[None]:
        """Add findings on texts that do not fit the tokenizer."""
        texts = self._repaired_texts()
        for name, find in (("tokenized", find_tokenized), ("script", find_script)):
            if lines := (yield from self._pause(find(texts))):
                pairs: dict[int, tuple[Row, Row]] = {}
                for index in lines.indices[:MAX_EXAMPLES]:
                    text, row = self.rows.rows[index]
                    pairs[index] = (text, row), (detokenize(text), list(map(detokenize, row)))
                scores: tuple[float | None, float | None] = None, None
                if tokenizer := lines.action.removeprefix("tokenizer:"):
                    settings = replace(self.settings, tokenizer=cast(TokenizerName, tokenizer))
                    rows = yield from self._pause(ScoredRows.count(self.rows.rows, settings))
                    scores = self.rows.score, rows.score
                self._add_finding(name, lines, pairs, *scores)

    def _add_finding(
        self,
        name: str,
        lines: Lines,
        pairs: Mapping[int, tuple[Row, Row]] | Sequence[tuple[Row, Row]] = (),
        score: float | None = None,
        score_without: float | None = None,
    ) -> None:
        """Add a finding with its examples and sentence.

        `pairs` are segments before and after the repair, by index; by default, those of the texts.
        """
        texts = self.texts
        examples = []
        for index in lines.indices[:MAX_EXAMPLES]:
            if pairs:
                before, after = pairs[index]
            elif index < min(len(texts.hypotheses), len(texts.references)):
                before = after = texts.hypotheses[index], texts.references[index]
            else:
                continue
            sides = list(zip((before[0], *before[1]), (after[0], *after[1]), strict=True))
            sides = sides[1:] if lines.side == "references" else sides
            usual = sides[min(lines.column, len(sides) - 1)]  # A segment may lack references.
            pair = next((pair for pair in sides if pair[0] != pair[1]), usual)
            is_first = pair is sides[0] and lines.side != "references"
            number = self.pairing.lines[index] if self.pairing and is_first else index
            examples.append(FaultyLine.of_text(number + 1, *pair, end=name == "truncated"))
        is_joined = self.pairing and self.pairing.is_joined and lines.side != "references"
        noun = "" if self.is_segment else "joined lines" if is_joined else "lines"
        claim = lines.claim(texts.size, examples, noun)
        remark = f"{lines.remark} {KINDS[name].advice * (not lines.action)}".strip()
        finding = Finding(
            f"{claim}{lines.quote(examples)}. {remark}".rstrip(),
            lines.action,
            name,
            lines.side,
            len(lines.indices),
            tuple(examples),
            score,
            score_without,
            claim=f"{claim}.",
            remark=remark,
        )
        self.findings.append(finding)
