"""Hypotheses beside their references, and the lines of them that have a fault."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from bleu.analysis.finding import FaultyLine
from bleu.core.settings import Settings

Rows = Mapping[int, tuple[str, list[str]]]
"""The hypothesis and the references of some segments, by index."""


def has_any(marks: Iterable[str], text: str) -> bool:
    """Return whether a text has one of the marks."""
    return any(mark in text for mark in marks)


@dataclass(frozen=True, slots=True)
class Lines:
    """The indices, from 0, of the hypotheses and of the references with a fault.

    `phrase` completes “12 of 40 lines …”, unless there is a whole `message`; `action` is that of a
    `Finding`, or "".
    """

    hypotheses: Collection[int]
    references: Collection[int]
    phrase: str
    action: str = ""
    message: str = ""

    @property
    def indices(self) -> list[int]:
        """The indices of the lines with the fault on one side at least, in ascending order."""
        return sorted({*self.hypotheses, *self.references})

    @property
    def side(self) -> str:
        """The side with the fault: hypotheses, references or both."""
        if self.hypotheses and self.references:
            return "both"
        return "hypotheses" if self.hypotheses else "references"

    def sentence(self, size: int, examples: Sequence[FaultyLine]) -> str:
        """Return `message`, or a sentence with the first of `examples`, for `size` lines in all."""
        if self.message:
            return self.message
        sides = f" of the {self.side}"
        if self.side == "both":
            joint = "and" if set(self.hypotheses) == set(self.references) else "or"
            sides = f" of the hypotheses {joint} references"
        line, text = examples[0].line, examples[0].text
        if (count := len(self.indices)) == 1:
            verb, _, rest = self.phrase.partition(" ")
            singular = {"have": "has", "are": "is"}.get(verb, f"{verb}s")
            subject, location = f"Line {line}{sides} {singular} {rest}", ""
        else:
            subject = f"{count:,} of {size:,} lines{sides} {self.phrase}"
            location = f" in line {line:,}"
        quote = f": “{text}”{location}" if text else location.replace(" in", ", first", 1)
        return f"{subject}{quote}."


@dataclass(frozen=True)
class ParallelLines:
    """Hypotheses and their references, and the settings that they are scored with."""

    hypotheses: list[str]
    references: list[list[str]]
    settings: Settings
    sources: Sequence[str] = ()
    other_systems: Sequence[Sequence[str]] = ()

    @property
    def size(self) -> int:
        """The number of segments."""
        return len(self.hypotheses)

    @property
    def rows(self) -> Iterable[tuple[str, list[str]]]:
        """The hypothesis and the references of each segment."""
        return zip(self.hypotheses, self.references, strict=True)

    def without(self, lines: Iterable[int]) -> "ParallelLines":
        """Return the texts with these lines empty on both sides."""
        hypotheses, references = self.hypotheses.copy(), self.references.copy()
        for index in lines:
            hypotheses[index] = ""
            references[index] = [""] * len(references[index])
        return replace(self, hypotheses=hypotheses, references=references)
