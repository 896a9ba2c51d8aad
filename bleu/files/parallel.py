"""Parallel texts: the form in which readers, repairs, the check-up and scoring take texts."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from bleu.files.text_files import FileError

TextRow = Sequence[str]
"""The texts of one segment: a hypothesis of each system, then the references."""


@dataclass(frozen=True, slots=True)
class ParallelTexts:
    """The hypotheses of each system, by system, and the references of each segment, by segment.

    Sides of files that are only checked may have different lengths.

    - `names`: the names of the systems, or ().
    - `sources`: the source texts, or ().
    - `groups`: columns with the group of each segment, by name.
    """

    systems: Sequence[Sequence[str]]
    references: Sequence[Sequence[str]]
    names: Sequence[str] = ()
    sources: Sequence[str] = ()
    groups: Sequence[tuple[str, Sequence[str]]] = ()

    @classmethod
    def of_rows(cls, rows: Iterable[TextRow], systems: int) -> "ParallelTexts":
        """Return the texts of rows, which begin with the hypotheses.

        >>> ParallelTexts.of_rows([("a", "x", "y"), ("b", "z")], 1)
        ParallelTexts(systems=[['a', 'b']], references=[['x', 'y'], ['z']], names=(), sources=(), \
groups=())
        """
        rows = list(rows)
        columns = [[row[index] for row in rows] for index in range(systems)]
        return cls(columns, [list(row[systems:]) for row in rows])

    @classmethod
    def of_columns(
        cls, systems: Sequence[Sequence[str]], columns: Sequence[Sequence[str | None]]
    ) -> "ParallelTexts":
        """Return the texts of columns; None, or an end before the others, is a missing reference.

        >>> ParallelTexts.of_columns([["a", "b"]], [["x", None], ["y"]]).references
        [['x', 'y'], []]
        """
        rows = zip_longest(*columns)
        return cls(systems, [[text for text in row if text is not None] for row in rows])

    @property
    def hypotheses(self) -> Sequence[str]:
        """The hypotheses of the first system."""
        return self.systems[0]

    @property
    def size(self) -> int:
        """The number of segments."""
        return len(self.references)

    @property
    def min_reference_count(self) -> int:
        """The smallest number of references of any segment."""
        return min(map(len, self.references))

    @property
    def max_reference_count(self) -> int:
        """The largest number of references of any segment."""
        return max(map(len, self.references), default=0)

    @property
    def reference_count(self) -> int | None:
        """The number of references of each segment, or None if it varies."""
        counts = set(map(len, self.references))
        return counts.pop() if len(counts) == 1 else None

    def segment(self, index: int, system_index: int = 0) -> tuple[str, Sequence[str]]:
        """Return a system's hypothesis for a segment, and the references of the segment."""
        return self.systems[system_index][index], self.references[index]

    def row(self, index: int) -> TextRow:
        """Return the hypotheses and the references of a segment."""
        return *(system[index] for system in self.systems), *self.references[index]

    def rows(self) -> Iterator[TextRow]:
        """Yield the texts of each segment.

        Raises FileError if the sides have different lengths.
        """
        for hypotheses in self.systems:
            if len(hypotheses) != self.size:
                raise FileError(
                    f"there are {len(hypotheses):,} hypotheses for {self.size:,} segments; use "
                    "files with the same number of lines, one segment per line"
                )
        return map(self.row, range(self.size))

    def first(self, size: int) -> "ParallelTexts":
        """Return the texts of the first segments, or the same object if there are no more."""
        if size >= self.size:
            return self
        systems = [system[:size] for system in self.systems]
        groups = [(name, column[:size]) for name, column in self.groups]
        sources = self.sources[:size] if len(self.sources) == self.size else ()
        return ParallelTexts(systems, self.references[:size], self.names, sources, groups)
