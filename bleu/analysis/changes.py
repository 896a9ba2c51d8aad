"""Changes that undo a difference between two sides, and what each does to the lines and the score.

A difference is systematic if undoing it makes many lines match better, and hardly any line worse.
"""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Final, TypeAlias

from bleu.core.progress import ProgressGenerator
from bleu.core.score import compute
from bleu.core.segment import count_segment
from bleu.core.settings import Settings
from bleu.core.statistics import Statistics
from bleu.corpus.resampling import random_indices

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
ROWS_PER_SLICE: Final = 50
"""The number of rows between two pauses: about 2 ms of counting in CPython."""
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
    - `min_better`: the smallest number of lines that must match better, if its marks are known.
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
            self.better >= minimum
            and self.worse <= MAX_WORSE * self.better
            and self.gain >= self.change.min_gain
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """A change applied to all rows: the new rows, their statistics, and how many match better."""

    rows: Mapping[int, Row] = field(default_factory=dict)
    statistics: Mapping[int, Statistics] = field(default_factory=dict)
    better: int = 0


def one_side(side: str, undo: Callable[[str, str], str]) -> Undo:
    """Return a function of rows that changes one side by a function of a text and its counterpart.

    >>> one_side("references", lambda text, other: text + other)("a", ["b", "c"])
    ('a', ['ba', 'ca'])
    """
    if side == "hypotheses":
        return lambda text, row: (undo(text, closest_reference(text, row)), row)
    return lambda text, row: (text, [undo(reference, text) for reference in row])


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


def random_lines(size: int, count: int) -> list[int]:
    """Return the indices of `count` of `size` lines in ascending order, the same in every run.

    >>> random_lines(1000, 4), random_lines(3, 4)
    ([473, 511, 755, 950], [0, 1, 2])
    """
    if size <= count:
        return list(range(size))
    indices, lines = chain.from_iterable(random_indices(SEED, size)), set[int]()
    while len(lines) < count:
        lines.add(next(indices))
    return sorted(lines)


class ScoredRows:
    """Rows with their statistics, and a sample of them on which changes are judged."""

    def __init__(
        self, rows: Sequence[Row], statistics: Sequence[Statistics], settings: Settings
    ) -> None:
        self.rows, self.statistics, self.settings = list(rows), list(statistics), settings
        count = min(SAMPLE_LINES, len(self.rows))
        self.sample = random_lines(len(self.rows), count)
        self.min_lines = min_lines(count)
        self.skipped: frozenset[int] = frozenset()

    def skip(self, lines: Collection[int]) -> None:
        """Leave some lines out of the sample."""
        self.skipped = frozenset(lines)
        self.sample = [index for index in self.sample if index not in self.skipped]

    @classmethod
    def count(cls, rows: Sequence[Row], settings: Settings) -> ProgressGenerator["ScoredRows"]:
        """Count the statistics of rows; yield (rows done, total)."""
        statistics = []
        for index, row in enumerate(rows):
            statistics.append(count_segment(*row, settings))
            if index % ROWS_PER_SLICE == 0:
                yield index, len(rows)
        return cls(rows, statistics, settings)

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
        return self._score(self.statistics)

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

    def score_of(self, indices: Sequence[int]) -> float | None:
        """Return the score of some rows, or None if it is undefined."""
        return self._score([self.statistics[index] for index in indices]) if indices else None

    def score_with(self, changed: Mapping[int, Statistics]) -> float | None:
        """Return the score with the statistics of some rows changed."""
        statistics = self.statistics.copy()
        for index, counts in changed.items():
            statistics[index] = counts
        return self._score(statistics)

    def judge(self, change: Change) -> ProgressGenerator[Verdict]:
        """Apply a change to the sample; a row that it makes worse keeps its text."""
        texts: set[str] = set()
        worse = 0
        counts: dict[int, Statistics] = {}
        surplus = 0.0
        for position, index in enumerate(self.sample):
            if position % ROWS_PER_SLICE == 0:
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
        rows: dict[int, Row] = {}
        statistics: dict[int, Statistics] = {}
        better = 0
        is_shared = self.is_shared(change)
        for index, row in enumerate(self.rows):
            if index % ROWS_PER_SLICE == 0:
                yield index, len(self.rows)
            if change.undos[-1](*row) == row:  # The last function changes all that the others do.
                continue
            options = [new for undo in change.undos if (new := undo(*row)) != row]
            if change.is_shared:  # Both sides are changed unless one of them confirms its text.
                options.reverse()
            if is_shared and _changes_both(row, options[0]):
                rows[index] = options[0]
                statistics[index] = count_segment(*options[0], self.settings)
                continue
            old = match_quality(self.statistics[index])
            counted = [count_segment(*new, self.settings) for new in options]
            qualities = list(map(match_quality, counted))
            best = qualities.index(max(qualities))
            new, gain = options[best], qualities[best] - old
            is_confirmed = len(options) > 1 and not change.is_shared
            if gain > TOLERANCE or (gain >= -TOLERANCE and not is_confirmed):
                rows[index], statistics[index] = new, counted[best]
                better += gain > TOLERANCE
        return Outcome(rows, statistics, better)

    def is_shared(self, change: Change) -> bool:
        """Return whether both sides have the fault in many lines of the sample."""
        if not change.is_shared:
            return False
        count = 0
        for index in self.sample:
            row = self.rows[index]
            count += _changes_both(row, change.undos[-1](*row))
        return count >= MIN_SHARED * max(1, len(self.sample))

    def with_outcome(self, outcome: Outcome) -> "ScoredRows":
        """Return the rows after a change."""
        rows, statistics = self.rows.copy(), self.statistics.copy()
        for index, row in outcome.rows.items():
            rows[index], statistics[index] = row, outcome.statistics[index]
        changed = ScoredRows(rows, statistics, self.settings)
        changed.skip(self.skipped)
        return changed
