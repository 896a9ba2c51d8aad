"""Findings: faults of the input by name, with their lines, their cost and their remedy."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final

from bleu.checkup.kinds import REMEDIES
from bleu.core.display import DisplayMixin
from bleu.core.progress import ProgressGenerator
from bleu.core.settings import Settings
from bleu.files.parallel import ParallelTexts

LINES_PER_SLICE: Final = 100
"""The number of lines that are read between two pauses; counting takes more time than reading."""
EXCERPT_CHARACTERS: Final = 40
"""The number of characters of a line that an example quotes; fewer if many must be escaped."""

INVISIBLE: Final = (
    "\x00-\x08\x0e-\x1f\x7f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb\U000e0001-\U000e01ef"
)
"""Characters without width: soft hyphens, joiners, direction marks, variation selectors, tags."""
_HIDDEN: Final = re.compile(f"[{INVISIBLE}\u0300-\u036f\u3099\u309a]")
"""Characters without width, and accents that may be composed with the letter before."""


@dataclass(frozen=True, slots=True)
class FaultyLine:
    """A line with a fault: its number, from 1, and a part of its text, hidden characters escaped.

    `marks` are the start and end of each part of the text that the fault concerns, if known.
    """

    line: int
    text: str
    marks: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of_text(
        cls, line: int, text: str, repaired: str | None = None, *, end: bool = False
    ) -> "FaultyLine":
        """Return the part of a text that differs from the repaired text.

        Without a repaired text, return the beginning of the text, or with `end` its end.

        >>> FaultyLine.of_text(1, "Translation: it is cafe\u0301", "it is cafe\u0301")
        FaultyLine(line=1, text='Translation: it is cafe⟨U+0301⟩', marks=((0, 13),))
        >>> FaultyLine.of_text(2, "word " * 20, end=True).text
        '…word word word word word word word word'
        """
        start = 0
        if repaired is not None and text != repaired:
            start = max(0, common_prefix_length(text, repaired) - EXCERPT_CHARACTERS // 4)
        elif end:
            text = text.rstrip()
            start = max(0, len(text) - EXCERPT_CHARACTERS)
        visible = list(map(_visible_form, text[start : start + EXCERPT_CHARACTERS]))
        count = sum(size <= 2 * EXCERPT_CHARACTERS for size in accumulate(map(len, visible)))
        excerpt = "".join(visible[:count]).strip()
        spans = [hidden.span() for hidden in re.finditer("⟨[^⟩]*⟩", excerpt)]
        if repaired is not None and text != repaired:
            if start == 0 and repaired and text.endswith(repaired):
                cut = "".join(map(_visible_form, text.removesuffix(repaired)))
                spans = [(0, min(len(cut), len(excerpt)))]
            else:
                other = "".join(map(_visible_form, repaired[start:][: 2 * len(excerpt)]))
                spans = _differing_spans(excerpt, other)
        prefix, suffix = "…" if start else "", "…" if start + count < len(text) else ""
        marks = tuple((first + len(prefix), last + len(prefix)) for first, last in spans)
        return cls(line, f"{prefix}{excerpt}{suffix}", marks)


@dataclass(frozen=True, slots=True, repr=False)
class Finding(DisplayMixin):
    """A likely fault of the input in one sentence, and the action that corrects it.

    - `action`: `repair:NAME`, `tokenizer:NAME`, another key of `REMEDIES`, or "".
    - `name`: the fault in `FAULTS`, or "" for a fault that only `diagnose` finds.
    - `side`: the side with the fault: `hypotheses`, `references`, `both`, or "".
    - `segments`: the number of lines with the fault; `examples`: up to three of them.
    - `score`, `score_without`: the score in [0, 1] before and after this fault is undone, in the
      order in which the check-up undoes faults, so that costs add up; None if undefined, or if the
      cost is unknown. If `is_sampled`, both are of a sample of lines.
    - `claim`, `remark`: the first sentence of the message without the example that it quotes, and
      the other sentences; "" if the message is not divided.
    """

    message: str
    action: str = ""
    name: str = ""
    side: str = ""
    segments: int = 0
    examples: tuple[FaultyLine, ...] = ()
    score: float | None = None
    score_without: float | None = None
    is_sampled: bool = False
    claim: str = ""
    remark: str = ""

    def __str__(self) -> str:
        """Return the message."""
        return self.message

    @property
    def label(self) -> str:
        """The label of the action for users, or "" without an action."""
        kind, _, name = self.action.partition(":")
        return REMEDIES.get(self.action, f"Use {kind} {name}") if kind else ""

    @property
    def cost(self) -> float | None:
        """The score that the fault costs, in [-1, 1], or None if one of the scores is None."""
        if self.score is None or self.score_without is None:
            return None
        return self.score_without - self.score


def common_prefix_length(left: Sequence[str], right: Sequence[str]) -> int:
    """Return how many items two sequences have in common at their beginning.

    >>> common_prefix_length("cat", "cart")
    2
    """
    pairs = enumerate(zip(left, right, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(left), len(right)))


def _differing_spans(text: str, other: str) -> list[tuple[int, int]]:
    """Return the start and end of each part of a text that another text lacks.

    >>> _differing_spans("x: cat", "cat sat")
    [(0, 3)]
    """
    from difflib import SequenceMatcher  # It is slow to import.

    matcher = SequenceMatcher(None, text, other, autojunk=False)
    return [
        (start, end)
        for kind, start, end, *_ in matcher.get_opcodes()
        if kind != "equal" and end > start
    ]


def _visible_form(character: str) -> str:
    is_visible = character == " " or (character.isprintable() and not _HIDDEN.match(character))
    return character if is_visible else f"⟨U+{ord(character):04X}⟩"


def has_any(marks: Iterable[str], text: str) -> bool:
    """Return whether a text has one of the marks."""
    return any(mark in text for mark in marks)


SIDE_NAMES: Final = {"hypotheses": "candidates", "references": "references"}
"""What sentences call each side."""
_SEGMENT_SUBJECTS: Final = {
    "candidates": "The candidate",
    "references": "A reference",
    "candidates and references": "Each text",
    "candidates or references": "A text",
}


@dataclass(frozen=True, slots=True)
class Lines:
    """The indices, from 0, of the hypotheses and of the references with a fault.

    `phrase` completes “12 of 40 lines …”, unless there is a whole `message`; `action` and `remark`
    are those of a `Finding`, or "". `column` is the index of the references that are quoted.
    """

    hypotheses: Collection[int] = ()
    references: Collection[int] = ()
    phrase: str = ""
    action: str = ""
    message: str = ""
    remark: str = ""
    column: int = 0

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

    def claim(self, size: int, examples: Sequence[FaultyLine], noun: str = "lines") -> str:
        """Return what is wrong with these of `size` lines, without a quote and a final mark.

        Without a `noun`, they are the texts of one segment, which have no line numbers.
        """
        if self.message or not examples:
            return self.message.removesuffix(".")
        count, joint = len(self.indices), "or"
        if self.side == "both" and set(self.hypotheses) == set(self.references):
            joint = "and"
        sides = SIDE_NAMES.get(self.side, f" {joint} ".join(SIDE_NAMES.values()))
        if noun and count > 1:
            return f"{count:,} of {size:,} {noun} of the {sides} {self.phrase}"
        verb, _, rest = self.phrase.partition(" ")
        singular = {"have": "has", "are": "is"}.get(verb, f"{verb}s")
        subject = f"Line {examples[0].line:,} of the {sides}"
        return f"{subject if noun else _SEGMENT_SUBJECTS[sides]} {singular} {rest}"

    def quote(self, examples: Sequence[FaultyLine]) -> str:
        """Return the first example as the end of the sentence, or "" without a phrase."""
        if not (examples and self.phrase):
            return ""
        text, place = examples[0].text, f"in line {examples[0].line:,}"
        if len(self.indices) == 1 and not self.message:
            return f": “{text}”" if text else ""
        return f": “{text}” {place}" if text else f", first {place}"


@dataclass(frozen=True)
class ParallelLines:
    """Texts of which the first system is checked, and the settings that they are scored with."""

    texts: ParallelTexts
    settings: Settings

    @property
    def hypotheses(self) -> Sequence[str]:
        """The hypotheses that are checked."""
        return self.texts.hypotheses

    @property
    def references(self) -> Sequence[Sequence[str]]:
        """The references of each segment."""
        return self.texts.references

    @property
    def size(self) -> int:
        """The number of segments."""
        return len(self.hypotheses)

    @property
    def rows(self) -> Iterable[tuple[str, Sequence[str]]]:
        """The hypothesis and the references of each segment."""
        return zip(self.hypotheses, self.references, strict=True)

    def matching(
        self, is_faulty: Callable[[str, Sequence[str]], bool]
    ) -> ProgressGenerator[list[int]]:
        """Return the indices of the segments for which a function is true."""
        lines: list[int] = []
        for start in range(0, self.size, LINES_PER_SLICE):
            yield start, self.size
            end = start + LINES_PER_SLICE
            rows = zip(self.hypotheses[start:end], self.references[start:end], strict=True)
            lines += [index for index, row in enumerate(rows, start) if is_faulty(*row)]
        return lines

    def without(self, lines: Iterable[int]) -> "ParallelLines":
        """Return the texts with these lines empty on both sides."""
        hypotheses, references = list(self.hypotheses), list(self.references)
        for index in lines:
            hypotheses[index] = ""
            references[index] = [""] * len(references[index])
        return self.after(hypotheses, references)

    def after(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]
    ) -> "ParallelLines":
        """Return the lines with other hypotheses and references."""
        systems = [hypotheses, *self.texts.systems[1:]]
        return replace(self, texts=replace(self.texts, systems=systems, references=references))
