"""Changes that undo a difference between two sides, and what each does to the lines and the score.

A difference is systematic if undoing it makes many lines match better, and hardly any line worse.
"""

import math
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from operator import itemgetter
from typing import Final, TypeAlias, TypeVar

from bleu.checkup.finding import ParallelLines
from bleu.core.progress import ITEMS_PER_SLICE, ProgressGenerator, map_in_slices, map_progress
from bleu.core.score import compute
from bleu.core.segment import count_segment
from bleu.core.settings import Settings
from bleu.core.statistics import Statistics
from bleu.corpus.resampling import random_indices

T = TypeVar("T")
Row: TypeAlias = tuple[str, list[str]]
"""A hypothesis and its references."""
Undo: TypeAlias = Callable[[str, list[str]], Row]
"""A function that returns a row without a difference."""

SAMPLE_LINES: Final = 400
"""The number of lines on which changes are learned and judged; 5 % of them are 20 lines."""
SEED: Final = 1
"""The seed of the sample; evenly spaced lines would fail on texts that repeat."""
MIN_GAIN: Final = 0.0025
"""The smallest gain in [0, 1] of a difference that is mentioned; on clean texts it is less."""
MIN_STYLE_GAIN: Final = 0.005
"""The same for what may be the style of a system, such as the form of its quotes."""
MAX_WORSE: Final = 0.2
"""The largest number of lines that match worse, for each line that matches better."""
MAX_WORSE_AT_ONCE: Final = 12
"""After this many lines that match worse, a change is given up early if few match better."""
MIN_SHARED: Final = 0.5
"""If both sides have a mark of tokenizers in this share of lines, no line confirms it as text."""
BLOCK_ROWS: Final = 100
"""The number of rows whose statistics are summed together; a change sums only its blocks again."""
TOLERANCE: Final = 1e-9


def min_lines(size: int) -> int:
    """Return how many of `size` lines must have a difference for it to be more than chance.

    >>> [min_lines(size) for size in (1, 2, 60, 400)]
    [1, 2, 3, 10]
    """
    return max(1, min(size, 3), math.ceil(size / 40))


@dataclass(frozen=True, slots=True)
class Change:
    """A way to undo a difference between the two sides.

    - `name`: its kind in `KINDS`; `phrase` completes “12 of 40 lines of the hypotheses …”.
    - `side`: the side that is changed, or both.
    - `undos`: functions that return a row without the difference, in the order of preference; of
      their rows, the one that matches best is taken. The last changes all that the others do.
    - `is_repair`: whether a repair may use it; else it writes words as the references do, which
      only measures the cost.
    - `is_style`: whether it may be how the system writes.
    - `min_better`: the smallest number of lines that must match better.
    - `is_certain`: whether it is a fault even in lines that match no better without it.
    - `is_shared`: whether it is a fault even if both sides have it.
    """

    name: str
    phrase: str
    side: str
    undos: tuple[Undo, ...]
    is_repair: bool = True
    is_style: bool = False
    is_certain: bool = False
    is_shared: bool = False
    min_better: int = 0

    @property
    def min_gain(self) -> float:
        """The smallest gain of the score for which the change is accepted."""
        return MIN_STYLE_GAIN if self.is_style else MIN_GAIN


@dataclass(frozen=True, slots=True)
class Verdict:
    """How many distinct lines of the sample match better, how many worse, and the gain."""

    change: Change
    better: int
    worse: int
    gain: float

    def is_accepted(self, minimum: int) -> bool:
        """Return whether the difference is systematic, if `minimum` lines are."""
        return (
            self.better >= max(minimum, self.change.min_better)
            and self.worse <= MAX_WORSE * self.better
            and self.gain >= self.change.min_gain
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """A change applied to all rows.

    - `after`: the rows after it.
    - `hypotheses`, `references`: the indices of the rows in which each side was changed.
    - `better`: how many rows match better; `identical`: how many equal a reference only now.
    """

    after: "ScoredRows"
    hypotheses: Sequence[int] = ()
    references: Sequence[int] = ()
    better: int = 0
    identical: int = 0

    @property
    def is_empty(self) -> bool:
        """Whether nothing was changed."""
        return not self.hypotheses and not self.references

    @property
    def is_one_sided(self) -> bool:
        """Whether one side was not changed."""
        return not (self.hypotheses and self.references)


def pause(computation: ProgressGenerator[T]) -> Generator[None, None, T]:
    """Run a computation, and yield None for each of its pauses, as detectors do."""
    return map_progress(computation, lambda *_: None)


def count_lines_with(
    find_items: Callable[[str], Iterable[str]], lines: Sequence[str]
) -> Generator[None, None, Counter[str]]:
    """Return in how many lines each item is that a function finds in them."""
    items = yield from pause(map_in_slices(lambda line: set(find_items(line)), lines))
    return Counter(chain.from_iterable(items))


def one_side(side: str, undo: Callable[[str, str], str]) -> Undo:
    """Return a function of rows that changes one side by a function of a text and its counterpart.

    >>> one_side("references", lambda text, other: text + other)("a", ["b", "c"])
    ('a', ['ba', 'ca'])
    """
    if side == "hypotheses":
        return lambda text, row: (undo(text, closest_reference(text, row)), row)
    return lambda text, row: (text, [undo(reference, text) for reference in row])


def other_side(side: str) -> str:
    """Return the other one of the hypotheses and the references."""
    return "references" if side == "hypotheses" else "hypotheses"


def either_side(undo: Callable[[str], str]) -> tuple[Undo, Undo, Undo]:
    """Return functions of rows that change the hypothesis, the references, and both."""
    return (
        lambda text, row: (undo(text), row),
        lambda text, row: (text, list(map(undo, row))),
        lambda text, row: (undo(text), list(map(undo, row))),
    )


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


def _changes_both(old: Row, new: Row) -> bool:
    return old[0] != new[0] and old[1] != new[1]


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
    ) -> None:
        self.rows, self.statistics, self.sums, self.settings = rows, statistics, sums, settings
        count = min(SAMPLE_LINES, len(self.rows))
        self.sample = random_lines(len(self.rows), count)
        self.min_lines = min_lines(count)
        self.skipped: frozenset[int] = frozenset()

    def skip(self, lines: Collection[int]) -> None:
        """Leave some lines out of the sample."""
        self.skipped = frozenset(lines)
        self.sample = [index for index in self.sample if index not in self.skipped]

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

    @cached_property
    def texts(self) -> ParallelLines:
        """The texts of both sides."""
        # Without a pause, this must be fast for many rows.
        hypotheses, references = (list(map(itemgetter(side), self.rows)) for side in (0, 1))
        return ParallelLines(hypotheses, references, self.settings)

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
    def sample_score(self) -> float:
        """The score of the sample."""
        return self._score([self.statistics[index] for index in self.sample]) or 0.0

    def _score(self, statistics: Sequence[Statistics]) -> float | None:
        try:
            total = Statistics.sum(statistics, self.settings.max_order)
            return compute(total, self.settings).value
        except ValueError:  # NLTK's method 6, for example, needs a match.
            return None

    def score_without(self, lines: Collection[int]) -> ProgressGenerator[float | None]:
        """Return the score of the other rows, or None if it is undefined."""
        if len(lines) == len(self.rows):
            return None
        zero = Statistics.zero(self.settings.max_order)
        return (yield from self.score_with(dict.fromkeys(lines, zero)))

    def score_with(self, changed: Mapping[int, Statistics]) -> ProgressGenerator[float | None]:
        """Return the score with the statistics of some rows changed."""
        return self._score((yield from self._sums_with(changed)))

    def _sums_with(self, changed: Mapping[int, Statistics]) -> ProgressGenerator[list[Statistics]]:
        sums = self.sums.copy()
        for block in sorted({index // BLOCK_ROWS for index in changed}):
            yield block, len(sums)
            start = block * BLOCK_ROWS
            parts = enumerate(self.statistics[start : start + BLOCK_ROWS], start)
            statistics = (changed.get(index, part) for index, part in parts)
            sums[block] = Statistics.sum(statistics, self.settings.max_order)
        return sums

    def judge(self, change: Change) -> ProgressGenerator[Verdict]:
        """Apply a change to the sample; a row that it makes worse keeps its text."""
        texts: set[str] = set()
        worse = 0
        counts: dict[int, Statistics] = {}
        surplus = 0.0
        for position, index in enumerate(self.sample):
            yield position, len(self.sample)
            row, old = self.rows[index], self.statistics[index]
            new = change.undos[0](*row)
            if new == row or (not new[0].strip() and row[0].strip()):
                continue
            counted = count_segment(*new, self.settings)
            gain = match_quality(counted) - match_quality(old)
            if gain > TOLERANCE:
                texts.add(row[0])
            worse += gain < -TOLERANCE
            if gain >= -TOLERANCE:
                counts[index] = counted
                surplus += gain
            if worse > MAX_WORSE_AT_ONCE and worse > MAX_WORSE * (len(texts) + 5):
                break
        if not counts:
            return Verdict(change, len(texts), worse, 0.0)
        statistics = [counts.get(index, self.statistics[index]) for index in self.sample]
        gain = (self._score(statistics) or 0.0) - self.sample_score
        if not gain and not self.sample_score:  # Nothing matches four words in a row.
            gain = surplus / len(self.sample)
        return Verdict(change, len(texts), worse, gain)

    def apply(self, change: Change) -> ProgressGenerator[Outcome]:
        """Apply a change to all rows; a row that it makes worse keeps its text."""
        rows, statistics = self.rows.copy(), self.statistics.copy()
        changed: dict[int, Statistics] = {}
        sides: tuple[list[int], list[int]] = [], []
        better = identical = 0
        is_shared = yield from self.is_shared(change)
        for index, row in enumerate(self.rows):
            if index % ITEMS_PER_SLICE == 0:
                yield index, len(self.rows)
            all_changed = change.undos[-1](*row)  # It changes all that the others do.
            if all_changed == row:
                continue
            options = [new for undo in change.undos[:-1] if (new := undo(*row)) != row]
            options.append(all_changed)
            yield index, len(self.rows)
            if change.is_shared:  # Both sides are changed unless one of them confirms its text.
                options.reverse()
            if is_shared and _changes_both(row, options[0]):
                new, counts = options[0], count_segment(*options[0], self.settings)
            else:
                old = match_quality(self.statistics[index])
                counted = [count_segment(*new, self.settings) for new in options]
                qualities = list(map(match_quality, counted))
                best = qualities.index(max(qualities))
                new, counts, gain = options[best], counted[best], qualities[best] - old
                is_confirmed = len(options) > 1 and not change.is_shared
                if gain < -TOLERANCE or (gain <= TOLERANCE and is_confirmed):
                    continue
                better += gain > TOLERANCE
            rows[index], statistics[index], changed[index] = new, counts, counts
            for side in (0, 1):
                if new[side] != row[side]:
                    sides[side].append(index)
            identical += new[0] in new[1] and row[0] not in row[1]
        sums = yield from self._sums_with(changed)
        after = ScoredRows(rows, statistics, sums, self.settings)
        after.skip(self.skipped)
        return Outcome(after, *sides, better, identical)

    def is_shared(self, change: Change) -> ProgressGenerator[bool]:
        """Return whether both sides have the fault in many lines of the sample."""
        if not change.is_shared:
            return False
        rows = [self.rows[index] for index in self.sample]
        undone = yield from map_in_slices(lambda row: change.undos[-1](*row), rows)
        return sum(map(_changes_both, rows, undone)) >= MIN_SHARED * max(1, len(rows))
