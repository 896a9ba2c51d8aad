"""Checks of the texts to score: missing, empty and misaligned files, and names of systems."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.files.tables import TextSource
from bleu.corpus.text_files import FileError
from bleu.document.writing import Writing, writing_of
from bleu.explanation.phrases import count_with_noun, english_list

BOXES: Final = ("corpus-system", "corpus-references")
"""The ids of the boxes for systems, the first of two, and for references."""

MAX_SYSTEMS: Final = 16
"""Systems that can be compared at once."""


@dataclass(frozen=True, slots=True)
class CorpusTexts:
    """Systems and references, line by line; the first of several systems is the baseline.

    `groups` has the document, domain or language of each segment, under the name of its column.
    """

    systems: tuple[TextSource, ...]
    references: tuple[TextSource, ...]
    groups: tuple[TextSource, ...] = ()

    @property
    def size(self) -> int:
        """The number of segments."""
        return len(self.systems[0].lines)

    @property
    def writing(self) -> Writing:
        """How the first references are written; the n-grams of the corpus are shown likewise."""
        return writing_of(" ".join(self.references[0].lines[:20]))

    @property
    def reference_count(self) -> int | None:
        """The number of references of each segment, or None if it varies."""
        varies = any(source.missing for source in self.references)
        return None if varies else len(self.references)

    def segment(self, index: int, system_index: int = 0) -> tuple[str, tuple[str, ...]]:
        """Return a segment: the hypothesis of a system, and the references."""
        references = tuple(
            source.lines[index] for source in self.references if index not in source.missing
        )
        return self.systems[system_index].lines[index], references


class BoxError(FileError):
    """An error in the files of some boxes; `boxes` are their ids."""

    def __init__(self, boxes: Sequence[str], message: str) -> None:
        super().__init__(message)
        self.boxes = boxes


def check_texts(
    systems: Sequence[TextSource],
    references: Sequence[TextSource],
    groups: Sequence[TextSource] = (),
) -> CorpusTexts:
    """Return the texts to score.

    Raises BoxError, with the names of the files, if there is no system or no reference, if a file
    is empty, or if the files have different numbers of lines; FileError for too many systems.
    """
    for box, name, given in zip(
        BOXES, ("system output", "reference"), (systems, references), strict=True
    ):
        if not given:
            message = f"There is no {name} yet. Open a file or paste one segment per line."
            raise BoxError([box], message)
    if len(systems) > MAX_SYSTEMS:
        raise FileError(
            f"There are {len(systems)} systems, and at most {MAX_SYSTEMS} can be compared at once. "
            "Close some."
        )
    sources = (*systems, *references)
    if empty := [source.name for source in sources if not source.lines]:
        verb = "is" if len(empty) == 1 else "are"
        by_box = zip(BOXES, (systems[:1], references), strict=True)
        raise BoxError(
            [box for box, group in by_box if not all(source.lines for source in group)],
            f"{english_list(empty)} {verb} empty. Use files with one segment per line.",
        )
    notes = "".join(f" {source.note}." for source in sources if source.note)
    sources = (*sources, *groups)
    if len({len(source.lines) for source in sources}) > 1:
        raise BoxError(
            BOXES,
            f"{_line_counts_text(sources)}. Use files with the same number of lines, one segment "
            f"per line.{notes}",
        )
    return CorpusTexts(tuple(systems), tuple(references), tuple(groups))


def _line_counts_text(sources: Sequence[TextSource]) -> str:
    """Return how many lines each file has; files with equal counts are named together."""
    names_by_count: dict[int, list[str]] = {}
    for source in sources:
        names_by_count.setdefault(len(source.lines), []).append(source.name)
    parts = []
    for count, names in names_by_count.items():
        verb = "has" if len(names) == 1 else "have"
        parts.append(f"{english_list(names)} {verb} {count_with_noun(count, 'line')}")
    return english_list(parts) if len(parts) == 2 else "; ".join(parts)


def name_systems(texts: CorpusTexts, names: Sequence[str], baseline: int = 0) -> CorpusTexts:
    """Return the texts with other names for the systems, and the baseline first.

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
