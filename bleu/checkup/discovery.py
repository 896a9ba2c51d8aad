"""The search for systematic differences: every detector proposes changes, and the best is undone.

The exact faults, whose marks are known, are undone first, in all lines; then the change with the
greatest gain, again and again.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from bleu.checkup.changes import (
    SAMPLE_LINES,
    Change,
    Outcome,
    Row,
    ScoredRows,
    Undo,
    Verdict,
    either_side,
    min_lines,
    one_side,
)
from bleu.checkup.faults import (
    TEXT_FAULTS,
    TextFault,
    detokenize,
    join_separated,
    straighten_differences,
    strip_chatter,
)
from bleu.checkup.finding import Lines, has_any
from bleu.checkup.frames import detect_frames
from bleu.checkup.kinds import FAULTS, KINDS
from bleu.checkup.line_faults import find_repetition, find_truncated
from bleu.checkup.replacements import detect_marks, detect_replacements
from bleu.checkup.respelling import (
    detect_folds,
    detect_lost_marks,
    detect_lost_words,
    detect_spacing,
    restore_lost,
)
from bleu.checkup.transforms import detect_transforms
from bleu.core.progress import ProgressGenerator

MAX_ROUNDS: Final = 6
"""The largest number of differences that are discovered, because of the time."""
CHUNK_ROWS: Final = 200
"""The number of rows that are searched for marks at once, which is faster than one by one."""
MIN_DISCOVERY_ROWS: Final = 3
"""Fewer lines cannot show that a difference is systematic."""
MIN_TELLING: Final = 0.25
"""If a larger share of the lines is lost, the others tell nothing of all."""
FRAME_WEIGHT: Final = 1.1
"""Strings around the lines go before replacements that gain about as much."""
MEASURED_WEIGHT: Final = 0.75
"""What is only measured by the words of the references gains more than a repair could."""
SAME_WEIGHT: Final = 0.97
"""From this share of the greatest gain on, a change of the hypotheses is preferred."""
MAX_VARIETY: Final = 0.2
"""The largest share of lines in which a difference of spelling may be a choice; of the programs
translated twice in `tests.bench.clean_sets`, up to 0.18 differ in one such choice."""
MAX_CHOICE: Final = 2
"""The largest number of words or spaces in a line that may be a choice."""
MIN_CHOSEN: Final = 0.6
"""The smallest share of these lines with no more changes; of lowercased news, 0.45 have."""
EITHER_SIDE: Final = {"encoding", "letters", "case"}
"""Kinds for which the text does not say which side is spoiled."""

SHARED: Final = {"escapes", "special-tokens", "subwords", "bom"}
"""Exact faults that are no text, even if both sides have them."""

_BOTH_SIDES: Final = ("hypotheses", "references")


@dataclass(frozen=True, slots=True)
class Step:
    """A change that was applied, the rows before it, and the score without the difference.

    `lost` are the hypotheses and references in which marks of lost words remain.
    """

    change: Change
    before: ScoredRows
    outcome: Outcome
    score_without: float | None
    lost: tuple[Collection[int], Collection[int]] = ((), ())

    @property
    def is_variety(self) -> bool:
        """Whether few lines differ, and most in a word or two, as varieties of a language do.

        A fault of the same kind spoils all words of a line.
        """
        rows, after = self.before.rows, self.outcome.after.rows
        lines = {*self.outcome.hypotheses, *self.outcome.references}
        if KINDS[self.change.name].is_spelling and len(lines) <= MAX_VARIETY * len(rows):
            counts = [count_changes(rows[index], after[index]) for index in lines]
            return sum(count <= MAX_CHOICE for count in counts) >= MIN_CHOSEN * len(lines)
        return False


Steps = tuple[list[Step], ScoredRows]
"""The changes, and the rows after them."""


def count_changes(row: Row, other: Row) -> int:
    """Return how many words or spaces of a text differ in two rows, in the text where most do.

    >>> count_changes(("a Cat sat", []), ("a cat sat", [])), count_changes(("a b", []), ("ab", []))
    (1, 1)
    """
    texts = zip((row[0], *row[1]), (other[0], *other[1]), strict=True)
    words = [(text.split(), new.split()) for text, new in texts if text != new]
    return max((abs(len(a) - len(b)) or sum(map(str.__ne__, a, b)) for a, b in words), default=0)


def undo_exact(rows: ScoredRows, names: Collection[str] | None = None) -> ProgressGenerator[Steps]:
    """Undo the faults whose marks are known, in all lines; only those of `names` if given."""
    steps: list[Step] = []
    separated = _shared_change()
    is_asked = names is None or "subwords" in names
    if is_asked and (yield from rows.is_shared(separated)):
        outcome = yield from rows.apply(separated)
        steps.append(Step(separated, rows, outcome, outcome.after.score))
        rows = outcome.after
    for name, fault in TEXT_FAULTS.items():
        if name == "punctuation" or (names is not None and name not in names):
            continue
        if (yield from _may_have(fault, rows)):
            step = yield from _undo_fault(rows, name, fault, is_asked=names is not None)
            if step:
                steps.append(step)
                rows = step.outcome.after
    return steps, rows


def undo_style(
    rows: ScoredRows,
    names: Collection[str] | None = None,
    min_gain: float = 0.0,
    small: set[str] | None = None,
) -> ProgressGenerator[Steps]:
    """Undo usual chatter, tokenization and forms of quotes in all lines, if that gains enough.

    The names of those that gain less are added to `small`.
    """
    steps: list[Step] = []
    tokenized = None
    if names is None or "tokenized" in names:
        tokenized = yield from _tokenized_change(rows)
    for change in filter(None, (_chatter_change(rows), tokenized, _punctuation_change())):
        if names is None or change.name in names:
            outcome = yield from rows.apply(change)
            score = outcome.after.score
            if outcome.better < max(1, change.min_better) or score is None:
                continue
            if score >= (rows.score or 0.0) + min_gain:
                steps.append(Step(change, rows, outcome, score))
                rows = outcome.after
            elif small is not None:
                small.add(change.name)
    return steps, rows


def _shared_change() -> Change:
    """Return the change that joins pieces of words, if both sides have so many of them."""
    phrase, undos = "have “+” at pieces of words", either_side(join_separated)
    return Change("subwords", phrase, "both", undos, is_certain=True, is_shared=True)


def _may_have(fault: TextFault, rows: ScoredRows) -> ProgressGenerator[bool]:
    """Return quickly whether any text may have a fault."""
    for start in range(0, len(rows.rows), CHUNK_ROWS):
        yield start, len(rows.rows)
        chunk = rows.rows[start : start + CHUNK_ROWS]
        text = "\n".join(text for hypothesis, row in chunk for text in (hypothesis, *row))
        if fault.marks:
            if has_any((*fault.marks, *fault.lost), text):
                return True
        elif not text.isascii() and fault.repair(text) != text:
            return True
    return False


def _undo_fault(
    rows: ScoredRows, name: str, fault: TextFault, *, is_asked: bool
) -> ProgressGenerator[Step | None]:
    """Undo a fault in all lines; what lost words cost is measured."""
    change = Change(
        name,
        f"{'have' if fault.is_certain else 'differ in'} {FAULTS[name]}",
        "both",
        either_side(fault.repair),
        is_certain=fault.is_certain,
        is_shared=name in SHARED,
    )
    outcome = yield from rows.apply(change)
    score = outcome.after.score
    lost = yield from _lost_lines(rows, fault)
    is_lower = (score or 0.0) < (rows.score or 0.0)
    if not fault.is_certain:
        is_found = not outcome.is_empty if is_asked else outcome.better
        if not is_found or is_lower:
            return None
    if outcome.is_empty:
        return (yield from _measure_lost(rows, name, lost, fault.lost)) if any(lost) else None
    if outcome.is_one_sided and is_lower:  # No repair of one side lowers the score.
        sides = {*outcome.hypotheses, *lost[0]}, {*outcome.references, *lost[1]}
        return Step(change, rows, Outcome(rows), score, sides)
    return Step(change, rows, outcome, score, lost)


def _lost_lines(
    rows: ScoredRows, fault: TextFault
) -> ProgressGenerator[tuple[list[int], list[int]]]:
    """Return the hypotheses and the references with marks of lost words."""
    if not fault.lost:
        return [], []
    texts = rows.texts
    hypotheses = yield from texts.matching(lambda text, _: has_any(fault.lost, text))
    references = yield from texts.matching(lambda _, row: has_any(fault.lost, "\n".join(row)))
    return hypotheses, references


def _measure_lost(
    rows: ScoredRows, name: str, lost: tuple[list[int], list[int]], marks: tuple[str, ...]
) -> ProgressGenerator[Step]:
    """Measure what marks of lost words cost; the words of the other side take their place."""
    side = _BOTH_SIDES[not lost[0]]
    words = name if name == "encoding" else "lost-words"
    undo = restore_lost(marks, side)
    change = Change(words, f"have {FAULTS[words]}", side, (undo,), is_repair=False)
    outcome = yield from rows.apply(change)
    return Step(change, rows, outcome, outcome.after.score, lost)


def _chatter_change(rows: ScoredRows) -> Change:
    """Return the change that removes usual words of language models from the hypotheses."""
    undo = one_side("hypotheses", lambda text, _: strip_chatter(text))
    phrase, least = "have words or quotes around the translation", min_lines(len(rows.rows))
    return Change("chatter", phrase, "hypotheses", (undo,), min_better=least)


def _tokenized_change(rows: ScoredRows) -> ProgressGenerator[Change | None]:
    """Return the change that joins marks and clitics on the side that has far more of them."""
    hypotheses = yield from rows.texts.matching(lambda text, _: detokenize(text) != text)
    references = yield from rows.texts.matching(lambda _, row: list(map(detokenize, row)) != row)
    faulty = set(hypotheses), set(references)
    sides = faulty[0] - faulty[1], faulty[1] - faulty[0]
    more, fewer = max(map(len, sides)), min(map(len, sides))
    if more - fewer < min_lines(len(rows.rows)) or 4 * fewer > more:
        return None
    index = [len(side) for side in sides].index(more)
    undo = either_side(detokenize)[index]
    return Change("tokenized", "look already tokenized", _BOTH_SIDES[index], (undo,))


def _punctuation_change() -> Change:
    def straighten(text: str, row: list[str]) -> Row:
        is_plain = text.isascii() and all(map(str.isascii, row))
        return (text, row) if is_plain else straighten_differences(text, row)

    undos: tuple[Undo, ...] = (
        lambda text, row: (straighten(text, row)[0], row),
        lambda text, row: (text, straighten(text, row)[1]),
        straighten,
    )
    phrase = f"differ in {FAULTS['punctuation']}"
    return Change("punctuation", phrase, "both", undos, is_style=True)


def skip_lost_lines(rows: ScoredRows) -> ProgressGenerator[dict[str, Lines | None]]:
    """Leave out lines with loops or cut off, which tell nothing of differences; return them."""
    repetition = yield from find_repetition(rows.texts)
    truncated = yield from find_truncated(rows.texts)
    rows.skip({i for lines in (repetition, truncated) if lines for i in lines.indices})
    return {"repetition": repetition, "truncated": truncated}


def discover(rows: ScoredRows, names: Collection[str] | None = None) -> ProgressGenerator[Steps]:
    """Undo the change with the greatest gain, and again; only repairs of `names` if given."""
    steps: list[Step] = []
    fewest = max(MIN_DISCOVERY_ROWS, MIN_TELLING * min(SAMPLE_LINES, len(rows.rows)))
    detect = _candidates if len(rows.sample) >= fewest else partial(detect_folds, only="case")
    while len(steps) < MAX_ROUNDS and rows.sample:
        verdicts = []
        for change in detect(rows):
            if change is None:
                yield len(steps), MAX_ROUNDS
            elif names is None or (change.name in names and change.is_repair):
                verdict = yield from rows.judge(change)
                if verdict.is_accepted(rows.min_lines):
                    verdicts.append(verdict)
        if not verdicts:
            break
        change = _best(verdicts)
        outcome = yield from rows.apply(change)
        score = outcome.after.score
        if outcome.is_empty or (score or 0.0) < (rows.score or 0.0):
            break
        steps.append(Step(change, rows, outcome, score))
        rows = outcome.after
    return steps, rows


def _best(verdicts: list[Verdict]) -> Change:
    """Return the change with the greatest gain; a repair goes before what is only measured."""

    def weight(verdict: Verdict) -> float:
        change = verdict.change
        is_around = change.phrase.startswith(("begin", "end"))
        factor = FRAME_WEIGHT if is_around else 1.0 if change.is_repair else MEASURED_WEIGHT
        return verdict.gain * factor

    best = max(verdicts, key=weight)
    if best.change.name in EITHER_SIDE and best.change.side == "references":
        least = SAME_WEIGHT * weight(best)
        same = (each for each in verdicts if each.change.name == best.change.name)
        equal = [
            each for each in same if each.change.side == "hypotheses" and weight(each) >= least
        ]
        best = max(equal, key=weight, default=best)
    return best.change


def _candidates(rows: ScoredRows) -> Iterator[Change | None]:
    """Yield what all detectors propose; None is a pause."""
    yield from detect_transforms(rows)
    for side in _BOTH_SIDES:
        for detect in (detect_frames, detect_marks, detect_replacements):
            yield from detect(rows, side)
    for detect_all in (detect_folds, detect_spacing, detect_lost_words, detect_lost_marks):
        yield from detect_all(rows)
