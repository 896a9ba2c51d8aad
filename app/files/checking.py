"""Checks of the texts to score: missing, empty and misaligned files, and names of systems."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.files.tables import TextSource
from bleu.corpus.text_files import FileError
from bleu.document.writing import Writing, writing_of
from bleu.explanation.phrases import count_with_noun, english_list, name_text

BOX_IDS: Final = ("corpus-system", "corpus-references")
"""The ids of the text boxes for the first system and for the references."""

MAX_SYSTEMS: Final = 16
"""The largest number of systems that can be compared at once."""


@dataclass(frozen=True, slots=True)
class CorpusTexts:
    """Systems and references, line by line; the first of several systems is the baseline.

    Each source in `groups` is a table column: the document, domain or language of each segment.
    """

    systems: tuple[TextSource, ...]
    references: tuple[TextSource, ...]
    groups: tuple[TextSource, ...] = ()

    @property
    def size(self) -> int:
        """The number of segments."""
        return len(self.systems[0].lines)

    @property
    def names(self) -> list[str]:
        """The names of the systems."""
        return [source.name for source in self.systems]

    @property
    def writing(self) -> Writing:
        """The direction and language of the first 20 lines of the first reference."""
        return writing_of(" ".join(self.references[0].lines[:20]))

    @property
    def reference_count(self) -> int | None:
        """The number of references of each segment, or None if it varies."""
        varies = any(source.missing for source in self.references)
        return None if varies else len(self.references)

    def segment(self, index: int, system_index: int = 0) -> tuple[str, tuple[str, ...]]:
        """Return a system's hypothesis for a segment, and the references that the segment has."""
        references = tuple(
            source.lines[index] for source in self.references if index not in source.missing
        )
        return self.systems[system_index].lines[index], references

    def rows(self) -> Iterator[tuple[str, ...]]:
        """Yield the texts of each segment: the hypothesis of each system, then the references."""
        for index in range(self.size):
            _, references = self.segment(index)
            yield (*(source.lines[index] for source in self.systems), *references)


class BoxError(FileError):
    """An error in the texts of some text boxes, whose ids are `box_ids`."""

    def __init__(self, box_ids: Sequence[str], message: str) -> None:
        super().__init__(message)
        self.box_ids = box_ids


def check_texts(
    systems: Sequence[TextSource],
    references: Sequence[TextSource],
    groups: Sequence[TextSource] = (),
) -> CorpusTexts:
    """Check systems, references and groups, and return them as texts to score.

    Raises BoxError, with the names of the files, if there is no system or no reference, if a file
    is empty, or if the files have different numbers of lines; FileError for too many systems.
    """
    for box_id, name, sources in zip(
        BOX_IDS, ("system output", "reference"), (systems, references), strict=True
    ):
        if not sources:
            message = f"There is no {name} yet. Open a file or paste one segment per line."
            raise BoxError([box_id], message)
    if len(systems) > MAX_SYSTEMS:
        raise FileError(
            f"There are {len(systems)} systems, and at most {MAX_SYSTEMS} can be compared at once. "
            "Close some."
        )
    texts = (*systems, *references)
    if empty := [name_text(source.name) for source in texts if not source.lines]:
        verb = "is" if len(empty) == 1 else "are"
        by_box = zip(BOX_IDS, (systems[:1], references), strict=True)
        raise BoxError(
            [box_id for box_id, sources in by_box if not all(source.lines for source in sources)],
            f"{english_list(empty)} {verb} empty. Use files with one segment per line.",
        )
    notes = "".join(f" {source.note}." for source in texts if source.note)
    if len({len(source.lines) for source in (*texts, *groups)}) > 1:
        raise BoxError(
            BOX_IDS,
            f"{_line_counts_text((*texts, *groups))}. Use files with the same number of lines, "
            f"one segment per line.{notes}",
        )
    return CorpusTexts(tuple(systems), tuple(references), tuple(groups))


def _line_counts_text(sources: Sequence[TextSource]) -> str:
    """Return a text with the line count of each file; files with equal counts share a clause."""
    names_by_count: dict[int, list[str]] = {}
    for source in sources:
        names_by_count.setdefault(len(source.lines), []).append(name_text(source.name))
    clauses = []
    for count, names in names_by_count.items():
        verb = "has" if len(names) == 1 else "have"
        clauses.append(f"{english_list(names)} {verb} {count_with_noun(count, 'line')}")
    return english_list(clauses) if len(clauses) == 2 else "; ".join(clauses)


def name_systems(texts: CorpusTexts, names: Sequence[str], baseline: int = 0) -> CorpusTexts:
    """Return the texts with new names for the systems, and the one at index `baseline` first.

    Raises FileError if two systems have the same name.

    >>> systems = TextSource("a.txt", ["x"]), TextSource("b.txt", ["y"])
    >>> texts = CorpusTexts(systems, (TextSource("r", ["z"]),))
    >>> [source.name for source in name_systems(texts, ["A", "B"], baseline=1).systems]
    ['B', 'A']
    """
    duplicates = [name for name, count in Counter(names).items() if count > 1]
    if duplicates:
        raise FileError(f"Two systems are called “{duplicates[0]}”. Give them different names.")
    systems = [
        replace(source, name=name) for name, source in zip(names, texts.systems, strict=True)
    ]
    first = systems.pop(baseline)
    return CorpusTexts((first, *systems), texts.references, texts.groups)
