"""A small document: paragraphs, equations, tables and lists of tokens, in steps.

It knows nothing of BLEU. `explain` writes one, and the renderers give it a form.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from bleu.document.expressions import Equation, Expr


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
class Meter:
    """A number in [0, 1] with its bar."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Score100:
    """A number in [0, 1] on the scale of 0 to 100; a difference of two has its sign."""

    value: float
    difference: bool = False


@dataclass(frozen=True, slots=True)
class Blank:
    """A place to fill in, or with `options` to choose at; `content` is what belongs there.

    `name` is for a program and once in a sheet, `label` says in full what is asked. No form shows
    the content; whoever reads a data structure may.
    """

    name: str
    label: str
    content: "Content"
    options: tuple[str, ...] = ()


Content = str | Quote | Term | Strong | Score100 | Expr
"""What a blank stands for."""
Span = Content | Blank


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


@dataclass(frozen=True, slots=True)
class ChoiceList:
    """Several things to choose, of which the row says the same."""

    choices: tuple[Choice, ...]


Cell = Span | Meter | Choice | ChoiceList


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table; `kind` is credited, clipped, unmatched, chosen, or nothing.

    `key` is that of the run of tokens which the row is about.
    """

    cells: tuple[Cell, ...]
    kind: str = ""
    key: str = ""

    @property
    def visible_kind(self) -> str:
        """The kind, unless the row has a blank, whose answer it would give away."""
        return "" if any(isinstance(cell, Blank) for cell in self.cells) else self.kind


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its caption and column headers; the first cell of a row is its header.

    `hidden` more rows, of what `hidden_noun` names, are not listed; `foot` sums over all. One that
    `stackable` is wide and has few rows: where there is no room, each may become a list of its own.
    """

    name: str
    caption: str
    headers: tuple[Span, ...]
    rows: tuple[Row, ...]
    foot: Row | None = None
    hidden: int = 0
    hidden_noun: str = "rows"
    stackable: bool = False

    @property
    def hidden_rows_text(self) -> str:
        """What is said of the rows that are not listed."""
        return f"{self.hidden:,} more {self.hidden_noun}{', counted in the sum' * bool(self.foot)}"


@dataclass(frozen=True, slots=True)
class WaterfallStep:
    """One amount of a sum, with its name; minus infinity may be one."""

    label: str
    value: float


@dataclass(frozen=True, slots=True)
class Waterfall:
    """Amounts of at most 0, each drawn from where the one before it ended, and their sum."""

    parts: tuple[WaterfallStep, ...]
    total: WaterfallStep


@dataclass(frozen=True, slots=True)
class Column:
    """A share in [0, 1], `lost` of it struck off above it, `added` to it on top.

    `label` and `note` stand below it, `value_text` above it in the place of a number.
    """

    label: str
    note: str
    value: Fraction
    lost: Fraction = Fraction(0)
    added: Fraction = Fraction(0)
    value_text: str = ""


@dataclass(frozen=True, slots=True)
class BarChart:
    """Shares side by side, each a column as high as it is large; the axis ends at `end`.

    The axis counts to `scale_max` where others count to 1. `bin_edges` are the names of the places
    between the columns, both ends included, where these are bins.
    """

    columns: tuple[Column, ...]
    end: float = 1.0
    scale_max: int = 1
    bin_edges: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AxisTick:
    """A place on an axis, with its name; the chosen one stands out."""

    label: str
    position: float
    selected: bool = False


@dataclass(frozen=True, slots=True)
class Curve:
    """A function with values in [0, 1] over [0, `end`], a point on it, and places on its axis."""

    points: tuple[tuple[float, float], ...]
    point: tuple[float, float]
    axis_labels: tuple[str, str]
    ticks: tuple[AxisTick, ...]
    end: float


Drawing = Waterfall | BarChart | Curve


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing with its caption; `alternative` says the same in words."""

    name: str
    caption: str
    drawing: Drawing
    alternative: Paragraph


@dataclass(frozen=True, slots=True)
class MarkedRun:
    """A marked run of tokens where it passes one of them: its key, its kind, and its ends."""

    key: str = ""
    kind: str = ""
    first: bool = False
    last: bool = False


@dataclass(frozen=True, slots=True)
class MarkedToken:
    """A token, the key of what begins at it, its kind, and the runs that pass it, by lanes."""

    text: str
    key: str
    kind: str
    runs: tuple[MarkedRun, ...]


@dataclass(frozen=True, slots=True)
class MarkedText:
    """One text with runs of its tokens marked; `hidden` more tokens are not shown.

    `row_label` is what the runs of a row are called, where a text stands in several.
    """

    title: str
    tokens: tuple[MarkedToken, ...]
    hidden: int = 0
    row_label: str = ""


@dataclass(frozen=True, slots=True)
class MarkableTokens:
    """Tokens of which some are to be marked; what became of them is not shown."""

    name: str
    label: str
    tokens: TokenList


VisibleBlock = Paragraph | Equation | TokenList | Table | MarkableTokens
"""What a form prints as it stands."""


@dataclass(frozen=True, slots=True)
class SolutionBlock:
    """A block that comes with the solution, and what asks for it in its place, if anything."""

    block: VisibleBlock
    question: tuple[VisibleBlock, ...] = ()


Block = VisibleBlock | SolutionBlock


@dataclass(frozen=True, slots=True)
class Citation:
    """A place in the literature: what it is called, and its address."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Step:
    """One step, with a stable anchor, and where the literature has it."""

    anchor: str
    title: str
    blocks: tuple[Block, ...]
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """A labelled number of the summary, and the step that explains it."""

    label: str
    value: Expr
    anchor: str


@dataclass(frozen=True, slots=True)
class Summary:
    """The result at a glance; an `interpretation` only where there is one."""

    name: str
    value: float
    check: str
    facts: tuple[Fact, ...]
    table: Table
    signature: str
    remarks: tuple[Paragraph, ...]
    interpretation: Paragraph | None


@dataclass(frozen=True, slots=True)
class Document:
    """A result, the figures that show it at a glance, and the steps that lead to it."""

    summary: Summary
    figures: tuple[Figure, ...]
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Worksheet:
    """Steps under a title, with what comes before them: exercises, or their solutions."""

    title: str
    intro: tuple[Block, ...]
    steps: tuple[Step, ...]


def paragraph(*spans: Span) -> Paragraph:
    """Running text."""
    return Paragraph(spans)


def visible_blocks(content: Iterable[Block]) -> Iterator[VisibleBlock]:
    """The blocks that a form prints: in the place of one that is asked for, its question.

    >>> list(visible_blocks([SolutionBlock(paragraph("4"), (paragraph("2 + 2?"),)), SolutionBlock(paragraph("5"))]))
    [Paragraph(spans=('2 + 2?',), note=False)]
    """
    for block in content:
        if isinstance(block, SolutionBlock):
            yield from block.question
        else:
            yield block


def note(*spans: Span) -> Paragraph:
    """A paragraph that stands out."""
    return Paragraph(spans, note=True)
