"""A small document: paragraphs, equations, tables and lists of tokens, in steps.

It knows nothing of BLEU. `explain` writes one, and the renderers give it a form.
"""

from dataclasses import dataclass
from fractions import Fraction

from bleu.maths import Equation, Expr


@dataclass(frozen=True, slots=True)
class Quote:
    """A piece of the reader's own text."""

    text: str


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the field, where it is first explained."""

    text: str


@dataclass(frozen=True, slots=True)
class Strong:
    """Words that carry the point."""

    text: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A number in [0, 1] with its bar."""

    value: Fraction


Span = str | Quote | Term | Strong | Expr


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text; a `note` stands out from it."""

    spans: tuple[Span, ...]
    note: bool = False


@dataclass(frozen=True, slots=True)
class TokenList:
    """The tokens of one text; `hidden` more are not listed.

    `kinds` says of each token what became of it: credited, clipped or unmatched.
    """

    title: str
    tokens: tuple[str, ...]
    hidden: int = 0
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """Something to choose: what it is called, and its name for a program."""

    label: str
    name: str


Cell = Span | Bar | Choice


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table; `kind` is credited, clipped, unmatched, chosen, or nothing."""

    cells: tuple[Cell, ...]
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its caption and column headers; the first cell of a row is its header.

    `hidden` more rows, of what `hidden_noun` names, are not listed; `foot` sums over all.
    """

    name: str
    caption: str
    headers: tuple[Span, ...]
    rows: tuple[Row, ...]
    foot: Row | None = None
    hidden: int = 0
    hidden_noun: str = "rows"


Block = Paragraph | Equation | TokenList | Table


@dataclass(frozen=True, slots=True)
class Step:
    """One step, with a stable anchor."""

    anchor: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """A labelled number of the summary, and the step that explains it."""

    label: str
    value: Expr
    anchor: str


@dataclass(frozen=True, slots=True)
class Summary:
    """The result at a glance."""

    name: str
    value: float
    check: str
    facts: tuple[Fact, ...]
    table: Table
    signature: str
    remarks: tuple[Paragraph, ...]
    interpretation: Paragraph


@dataclass(frozen=True, slots=True)
class Document:
    """A result and the steps that lead to it."""

    summary: Summary
    steps: tuple[Step, ...]


def paragraph(*spans: Span) -> Paragraph:
    """Running text."""
    return Paragraph(spans)


def note(*spans: Span) -> Paragraph:
    """A paragraph that stands out."""
    return Paragraph(spans, note=True)
