"""Proposed changes that undo a difference between two sides, and the judge of them all.

A difference is systematic if undoing it makes many lines match better, and hardly any line worse.
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property, lru_cache
from itertools import chain
from operator import itemgetter
from typing import Final, TypeAlias, TypeVar

from bleu.checkup.finding import LINES_PER_SLICE, ParallelLines, has_any
from bleu.core.progress import ITEMS_PER_SLICE, ProgressGenerator, map_in_slices, map_progress
from bleu.core.score import compute
from bleu.core.segment import count_segment
from bleu.core.settings import Settings
from bleu.core.statistics import Statistics
from bleu.corpus.resampling import random_indices
from bleu.files.parallel import ParallelTexts

T = TypeVar("T")
Row: TypeAlias = tuple[str, Sequence[str]]
"""A hypothesis and its references."""
Undo: TypeAlias = Callable[[str, str], str]
"""A function of a text and its counterpart that returns the text without a difference."""

SAMPLE_LINES: Final = 400
"""The number of lines on which changes are learned and judged; 5 % of them are 20 lines."""
PROBED_LINES: Final = 100
"""If none of so many lines has a difference, fewer than one in twenty lines have it."""
SEED: Final = 1
"""The seed of the sample; evenly spaced lines would fail on texts that repeat."""
MIN_GAIN: Final = 0.0025
"""The smallest gain in [0, 1] of a difference that is mentioned; on clean texts it is less."""
MAX_WORSE: Final = 0.2
"""The largest number of lines that match worse, for each line that matches better."""
MAX_WORSE_AT_ONCE: Final = 12
"""After this many lines that match worse, a change is given up early if few match better; at the
first, remarks in brackets would be missed, which many messages have in other words."""
MIN_WHOLE: Final = 0.8
"""If this share of the lines has a string around the text, or both sides have a mark of tokenizers
there, no line confirms it as text."""
BLOCK_ROWS: Final = 100
"""The number of rows whose statistics are summed together; a change sums only its blocks again."""
TOLERANCE: Final = 1e-9
SIDES: Final = ("hypotheses", "references")


class Proof(IntEnum):
    """What shows that a change is right; of changes with about the same gain, the least counts."""

    LITERAL = 0
    """Marks that hardly any text has."""
    EDGE = 1
    """Strings around many lines."""
    LEARNED = 2
    """Replacements that nearly always make one side like the other."""
    MEASURED = 3
    """The words of the other side, which show the cost, and are no repair."""


@dataclass(frozen=True, slots=True)
class Change:
    """A proposed way to undo a difference between the two sides.

    - `kind`: its name in `KINDS`; `phrase` completes “12 of 40 lines of the candidates …”.
    - `side`: the side that is changed; `either` for the one, the other or both, line by line.
    - `is_style`: whether it may be how the system writes.
    - `is_certain`: whether it is a fault even in lines that match no better without it.
    - `is_shared`: whether it is a fault even if both sides have it.
    - `min_better`: the smallest number of lines that must match better.
    - `lines`: all lines that have it, if known; else those that are changed.
    """

    kind: str
    phrase: str
    side: str
    undo: Undo
    proof: Proof
    is_style: bool = False
    is_certain: bool = False
    is_shared: bool = False
    min_better: int = 0
    lines: Collection[int] = ()

    @property
    def is_repair(self) -> bool:
        """Whether a repair may use it."""
        return self.proof < Proof.MEASURED

    def options(self, row: Row) -> list[Row]:
        """Return the rows without the difference, in the order of preference; [] if none differ."""
        text, references = row
        new = text
        if self.side != "references":
            new = self.undo(text, closest_reference(text, references))
        if self.side == "hypotheses":
            return [(new, references)] if new != text else []
        others = [self.undo(reference, text) for reference in references]
        if new == text or others == references:
            return [(new, others)] if (new, others) != row else []
        options = [(new, references), (text, others), (new, others)]
        return options[::-1] if self.is_shared else options


@dataclass(frozen=True, slots=True)
class Trial:
    """What a change does to some rows: those it changes, and their statistics, by index.

    - `better`: how many distinct hypotheses match better; `worse`: how many rows match worse, and
      keep their text.
    - `gain`: the gain of the score of these rows, in [−1, 1].
    """

    change: Change
    rows: Mapping[int, Row]
    counts: Mapping[int, Statistics]
    better: int
    worse: int
    gain: float

    def changed_side(self, before: "ScoredRows") -> str:
        """Return the side that differs from the rows before, or `both`."""
        changed = [
            any(row[side] != before.rows[index][side] for index, row in self.rows.items())
            for side in (0, 1)
        ]
        return "both" if all(changed) else SIDES[changed[1]]

    def is_accepted(self, minimum: int) -> bool:
        """Return whether the difference is systematic, if `minimum` lines are."""
        min_gain = MIN_GAIN * (2 if self.change.is_style else 1)
        return (
            self.better >= max(minimum, self.change.min_better)
            and self.worse <= MAX_WORSE * self.better
            and self.gain >= min_gain
        )


def min_lines(size: int) -> int:
    """Return how many of `size` lines must have a difference for it to be more than chance.

    >>> [min_lines(size) for size in (1, 2, 60, 400)]
    [1, 2, 3, 10]
    """
    return max(1, min(size, 3), math.ceil(size / 40))


def pause(computation: ProgressGenerator[T]) -> Generator[None, None, T]:
    """Run a computation, and yield None for each of its pauses, as proposers do."""
    return map_progress(computation, lambda *_: None)


def count_lines_with(
    find_items: Callable[[str], Iterable[str]], lines: Sequence[str]
) -> Generator[None, None, Counter[str]]:
    """Return in how many lines each item is; the function returns the distinct items of a line."""
    items = yield from pause(map_in_slices(find_items, lines))
    return Counter(chain.from_iterable(items))


@lru_cache(maxsize=2048)  # The references are the same for each system.
def folded_words(text: str) -> tuple[str, ...]:
    """Return the distinct words of a text without regard to case."""
    return tuple(dict.fromkeys(text.casefold().split()))


def other_side(side: str) -> str:
    """Return the other one of the hypotheses and the references."""
    return SIDES[side == SIDES[0]]


def closest_reference(text: str, references: Sequence[str]) -> str:
    """Return the reference that shares the largest part of its words with a text.

    >>> closest_reference("the cat", ["a dog", "a cat"])
    'a cat'
    """
    if len(references) == 1:
        return references[0]
    words = set(text.split())
    return max(references, key=lambda row: len(words & set(row.split())) / (len(row.split()) + 1))


def match_quality(statistics: Statistics) -> float:
    """Return the matched 1-grams and 2-grams for each token of both sides."""
    tokens = statistics.hypothesis_length + statistics.reference_length
    return float(sum(statistics.matched[:2]) / tokens) if tokens else 0.0


@lru_cache(maxsize=8)
def random_lines(size: int, count: int) -> Sequence[int]:
    """Return the indices of `count` of `size` lines in ascending order, the same in every run.

    >>> random_lines(1000, 4), random_lines(3, 4)
    ((473, 511, 755, 950), range(0, 3))
    """
    if size <= count:
        return range(size)
    indices, lines = chain.from_iterable(random_indices(SEED, size)), set[int]()
    while len(lines) < count:
        lines.add(next(indices))
    return tuple(sorted(lines))


class ScoredRows:
    """Rows with their statistics, and a sample of them on which changes are judged.

    `sums` are the statistics of each `BLOCK_ROWS` rows.
    """

    def __init__(
        self,
        rows: list[Row],
        statistics: list[Statistics],
        sums: list[Statistics],
        settings: Settings,
        skipped: Collection[int] = (),
    ) -> None:
        self.rows, self.statistics, self.sums, self.settings = rows, statistics, sums, settings
        self.skipped = frozenset(skipped)
        sample = random_lines(len(rows), SAMPLE_LINES)
        self.min_lines = min_lines(len(sample))
        self.sample = [index for index in sample if index not in self.skipped]

    @classmethod
    def count(
        cls, rows: list[Row], settings: Settings, statistics: Sequence[Statistics] = ()
    ) -> ProgressGenerator["ScoredRows"]:
        """Count the statistics of rows unless they are given; yield (rows done, total)."""
        counted = list(statistics) or (
            yield from map_in_slices(lambda row: count_segment(*row, settings), rows)
        )
        blocks = [counted[start : start + BLOCK_ROWS] for start in range(0, len(rows), BLOCK_ROWS)]
        sums = yield from map_in_slices(
            lambda block: Statistics.sum(block, settings.max_order), blocks, 1
        )
        return cls(rows, counted, sums, settings)

    def skip(self, lines: Collection[int]) -> "ScoredRows":
        """Return the rows with some of them left out of the sample."""
        return ScoredRows(self.rows, self.statistics, self.sums, self.settings, lines)

    def after(self, trial: Trial) -> ProgressGenerator["ScoredRows"]:
        """Return the rows with a change made."""
        rows, statistics = self.rows.copy(), self.statistics.copy()
        for index, row in trial.rows.items():
            rows[index], statistics[index] = row, trial.counts[index]
        sums = yield from self._sums_with(trial.counts)
        return ScoredRows(rows, statistics, sums, self.settings, self.skipped)

    @cached_property
    def texts(self) -> ParallelLines:
        """The texts of both sides."""
        # Without a pause, this must be fast for many rows.
        hypotheses, references = (list(map(itemgetter(side), self.rows)) for side in (0, 1))
        return ParallelLines(ParallelTexts([hypotheses], references), self.settings)

    def texts_in_chunks(self) -> Iterator[str]:
        """Yield the texts of some rows at once, which are searched faster than one by one."""
        for start in range(0, len(self.rows), LINES_PER_SLICE):
            chunk = self.rows[start : start + LINES_PER_SLICE]
            hypotheses, references = map(itemgetter(0), chunk), map(itemgetter(1), chunk)
            yield " ".join(chain(hypotheses, chain.from_iterable(references)))

    def have_any(self, marks: Sequence[str]) -> ProgressGenerator[bool]:
        """Return whether any text has one of the marks."""
        for text in self.texts_in_chunks():
            yield 0, 1
            if has_any(marks, text):
                return True
        return False

    @cached_property
    def pairs(self) -> list[tuple[str, str]]:
        """The hypothesis and its closest reference in the sample; a repeated row counts once."""
        rows = (self.rows[index] for index in self.sample)
        pairs = ((text, closest_reference(text, references)) for text, references in rows)
        return list(dict.fromkeys(pairs))

    def side_pairs(self, side: str) -> list[tuple[str, str]]:
        """Return the text of one side and its counterpart, for each pair of `pairs`."""
        return self.pairs if side == "hypotheses" else [(b, a) for a, b in self.pairs]

    @cached_property
    def score(self) -> float | None:
        """The score of all rows, or None if it is undefined."""
        return self._score(self.sums)

    @cached_property
    def sample_score(self) -> float | None:
        """The score of the sample."""
        return self._score([self.statistics[index] for index in self.sample])

    def _score(self, statistics: Sequence[Statistics]) -> float | None:
        try:
            total = Statistics.sum(statistics, self.settings.max_order)
            return compute(total, self.settings).value
        except ValueError:  # NLTK's method 6, for example, needs a match.
            return None

    def score_with(self, changed: Mapping[int, Statistics]) -> ProgressGenerator[float | None]:
        """Return the score with the statistics of some rows changed."""
        return self._score((yield from self._sums_with(changed)))

    def score_without(self, lines: Collection[int]) -> ProgressGenerator[float | None]:
        """Return the score of the other rows, or None if it is undefined."""
        if len(lines) == len(self.rows):
            return None
        zero = Statistics.zero(self.settings.max_order)
        return (yield from self.score_with(dict.fromkeys(lines, zero)))

    def _sums_with(self, changed: Mapping[int, Statistics]) -> ProgressGenerator[list[Statistics]]:
        sums = self.sums.copy()
        for block in sorted({index // BLOCK_ROWS for index in changed}):
            yield block, len(sums)
            start = block * BLOCK_ROWS
            parts = enumerate(self.statistics[start : start + BLOCK_ROWS], start)
            statistics = (changed.get(index, part) for index, part in parts)
            sums[block] = Statistics.sum(statistics, self.settings.max_order)
        return sums

    def undo(self, change: Change, *, is_sampled: bool = False) -> ProgressGenerator[Trial]:
        """Try a change on all lines or the sample; a row that it makes worse keeps its text.

        Many worse rows end the trial of a sample. Otherwise, if nearly all lines of the sample have
        a fault, none of them confirms it as text.
        """
        is_whole = not is_sampled and (yield from self.is_whole(change))
        lines = self.sample if is_sampled else range(len(self.rows))
        rows: dict[int, Row] = {}
        counts: dict[int, Statistics] = {}
        texts: set[str] = set()
        worse, surplus = 0, 0.0
        for position, index in enumerate(lines):
            if position % ITEMS_PER_SLICE == 0:
                yield position, len(lines)
            row = self.rows[index]
            if not (options := change.options(row)):
                continue
            options = [new for new in options if new[0].strip() or not row[0].strip()]
            if not options:
                continue
            yield position, len(lines)
            old = match_quality(self.statistics[index])
            counted = [count_segment(*new, self.settings) for new in options]
            gains = [match_quality(each) - old for each in counted]
            best = 0 if is_whole else gains.index(max(gains))
            gain = gains[best]
            worse += gain < -TOLERANCE
            if is_sampled and worse > MAX_WORSE_AT_ONCE and worse > MAX_WORSE * (len(texts) + 5):
                break
            is_useless = gain <= TOLERANCE and change.side == "either" and not change.is_shared
            if not is_whole and (gain < -TOLERANCE or is_useless):
                continue
            if gain > TOLERANCE:
                texts.add(row[0])
            surplus += gain
            rows[index], counts[index] = options[best], counted[best]
        if not counts:
            return Trial(change, rows, counts, len(texts), worse, 0.0)
        old_score = self.sample_score if is_sampled else self.score
        if is_sampled:
            score = self._score([counts.get(i, self.statistics[i]) for i in lines])
        else:
            score = yield from self.score_with(counts)
        gain = (score or 0.0) - (old_score or 0.0)
        if not gain and not old_score:  # Nothing matches four words in a row.
            gain = surplus / len(lines)
        return Trial(change, rows, counts, len(texts), worse, gain)

    def is_whole(self, change: Change) -> ProgressGenerator[bool]:
        """Return whether so many lines of the sample have a fault that none confirms it as text."""
        is_around = change.proof is Proof.EDGE and change.side != "either"
        if change.proof is Proof.MEASURED and change.lines:
            return True  # Its wrong words may make a line worse.
        if not (is_around or change.is_shared):
            return False
        rows = [self.rows[index] for index in self.sample]
        options = yield from map_in_slices(change.options, rows)
        count = sum(len(each) > (0 if is_around else 1) for each in options)
        return count >= MIN_WHOLE * max(1, len(rows))


Proposals: TypeAlias = Iterator[Change | None]
"""Proposed changes; None is a pause."""
