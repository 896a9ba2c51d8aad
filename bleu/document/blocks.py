"""The blocks of a document: paragraphs, equations, tables, token lists and figures, in steps.

Blocks hold what is shown, and compute nothing: `explain` builds a document and the renderers format
it.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from bleu.document.writing import LEFT_TO_RIGHT, Writing
from bleu.metric.expressions import Equation, Expr


@dataclass(frozen=True, slots=True)
class Quote:
    """A quotation from an input text, with the `writing` of that whole text."""

    text: str
    writing: Writing = LEFT_TO_RIGHT


@dataclass(frozen=True, slots=True)
class Term:
    """A technical term at the point where it is introduced."""

    text: str


@dataclass(frozen=True, slots=True)
class Strong:
    """Emphasized text."""

    text: str


@dataclass(frozen=True, slots=True)
class Meter:
    """A number in [0, 1], shown with a bar; on the 0–100 scale if `scale_100`."""

    value: Fraction
    scale_100: bool = False


@dataclass(frozen=True, slots=True)
class Score100:
    """A score in [0, 1] shown on the 0–100 scale, or with `difference` a difference of scores."""

    value: float
    difference: bool = False


@dataclass(frozen=True, slots=True)
class Blank:
    """A blank to fill in, or a choice between `options`; `content` is the correct answer.

    `name` identifies the blank and is unique within a worksheet. `label` is the full question.
    Renderers never show the content.
    """

    name: str
    label: str
    content: "Content"
    options: tuple[str, ...] = ()


Content = str | Quote | Term | Strong | Score100 | Expr
"""The possible content of a blank."""
Span = Content | Blank


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text, or a `note`, which is set apart from it."""

    spans: tuple[Span, ...]
    note: bool = False


@dataclass(frozen=True, slots=True)
class TokenList:
    """The tokens of one text; `hidden` more are not listed.

    `kinds` has the status of each token (credited, clipped or unmatched), or is empty.
    """

    title: str
    tokens: tuple[str, ...]
    hidden: int = 0
    kinds: tuple[str, ...] = ()
    writing: Writing = LEFT_TO_RIGHT

    @property
    def tokens_with_kinds(self) -> list[tuple[str, str]]:
        """Each token with its kind, or with "" if `kinds` is empty."""
        return list(zip(self.tokens, self.kinds or ("",) * len(self.tokens), strict=True))


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice for the user: its label and its identifier `name`.

    If the label is from the user's texts, `writing` is theirs. `effect` is what it does, in words,
    if the label alone does not say it.
    """

    label: str
    name: str
    writing: Writing | None = None
    effect: str = ""


@dataclass(frozen=True, slots=True)
class ChoiceList:
    """Several choices in one cell, to which the other cells of the row apply."""

    choices: tuple[Choice, ...]


Cell = Span | Meter | Choice | ChoiceList


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table; `kind` is its status, such as "credited" or "chosen", or empty.

    `key` identifies the n-gram of the row, as in `MarkedText`. `anchor` is the step that explains
    the row, or "".
    """

    cells: tuple[Cell, ...]
    kind: str = ""
    key: str = ""
    anchor: str = ""

    @property
    def visible_kind(self) -> str:
        """The kind, or "" if the row has a blank, because the kind would reveal the answer."""
        return "" if any(isinstance(cell, Blank) for cell in self.cells) else self.kind


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a caption and column headers; the first cell of each row is its header.

    `hidden` is the number of rows that are not listed, and `hidden_noun` says what they are; `foot`
    sums over all rows. A `stackable` table is wide and has few rows: on narrow screens each row may
    become a list.
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
    def cells(self) -> list[tuple[Cell, ...]]:
        """The cells of all rows, with those of the foot last."""
        rows = (*self.rows, self.foot) if self.foot else self.rows
        return [row.cells for row in rows]

    @property
    def hidden_rows_text(self) -> str:
        """The text about the rows that are not listed."""
        ending = ", counted in the sum" if self.foot else ""
        return f"{self.hidden:,} more {self.hidden_noun}{ending}"


@dataclass(frozen=True, slots=True)
class WaterfallStep:
    """One labelled term of a sum; it may be minus infinity."""

    label: str
    value: float


@dataclass(frozen=True, slots=True)
class Waterfall:
    """A waterfall chart: terms, each drawn from the end of the previous one, and their sum."""

    terms: tuple[WaterfallStep, ...]
    total: WaterfallStep


@dataclass(frozen=True, slots=True)
class Column:
    """A column of height `value` in [0, 1]; `lost` and `added` are drawn on top of it.

    `label` and `note` are printed below the column; `value_text` replaces the number above it.
    """

    label: str
    note: str
    value: Fraction
    lost: Fraction = Fraction(0)
    added: Fraction = Fraction(0)
    value_text: str = ""


@dataclass(frozen=True, slots=True)
class BarChart:
    """Columns side by side, on a vertical axis from 0 to 1."""

    columns: tuple[Column, ...]


@dataclass(frozen=True, slots=True)
class Factor:
    """One factor of a score, above a column that shows it: a precision, or the brevity penalty.

    - `anchor`: the step that explains it; `order`: the order of a precision, or 0.
    - `value`: the factor; `ratio`: its numerator and denominator, or () if they are not shown.
    - `exponent`: its weight, or None if a root or no exponent is written.
    - `column`: the bar; its label and its note stand below it.
    - `remark`: a word on what the colours of the bar show, or "".
    - `is_used`: whether the factor counts; if not, nothing but its place is shown.
    """

    anchor: str
    order: int
    value: Fraction | float
    ratio: tuple[str, ...]
    exponent: Fraction | None
    column: Column
    remark: str = ""
    is_used: bool = True


@dataclass(frozen=True, slots=True)
class Product:
    """A score as a product: the brevity penalty, and the precisions below a root of a degree.

    The degree is 1 if no root is written.
    """

    penalty: Factor
    precisions: tuple[Factor, ...]
    degree: int


@dataclass(frozen=True, slots=True)
class AxisTick:
    """A position on an axis, with a label or ""; a `selected` tick is highlighted."""

    label: str
    position: float
    selected: bool = False


@dataclass(frozen=True, slots=True)
class Curve:
    """A function from [0, `end`] to [0, 1], one point on it, and the ticks of its x axis.

    `in_percent` says that its values are written as percentages.
    """

    points: tuple[tuple[float, float], ...]
    point: tuple[float, float]
    axis_labels: tuple[str, str]
    ticks: tuple[AxisTick, ...]
    end: float
    in_percent: bool = False


Drawing = Waterfall | BarChart | Curve


@dataclass(frozen=True, slots=True)
class Dot:
    """A value on the axis of a dot plot, and what it is the value of; a named dot has a label."""

    value: float
    name: str
    is_named: bool = False


@dataclass(frozen=True, slots=True)
class DotPlot:
    """Rows of dots by their titles on one axis from 0 to 1, and one value that is marked in all."""

    rows: tuple[tuple[str, tuple[Dot, ...]], ...]
    marked: Dot
    alternative: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing with its caption; `alternative` is its text alternative."""

    name: str
    caption: str
    drawing: Drawing
    alternative: Paragraph


KIND_LETTERS: Final = {"credited": "c", "present": "p", "clipped": "x", "unmatched": "u", "": "."}
"""The letters of the kinds, by priority for tokens that belong to n-grams of several kinds."""
Lane = tuple[str, str]
"""A letter for the kind of the mark at each token, and one for the gap after it."""


@dataclass(frozen=True, slots=True)
class MarkedText:
    """One text with its n-grams marked in lanes below it; `hidden` more tokens are not shown.

    `keys` has, for each token, the n-gram that begins there, or "", and `kinds` the letter of its
    strongest mark.
    """

    title: str
    tokens: tuple[str, ...]
    keys: tuple[str, ...] = ()
    kinds: str = ""
    lanes: tuple[Lane, ...] = ()
    hidden: int = 0
    writing: Writing = LEFT_TO_RIGHT


@dataclass(frozen=True, slots=True)
class MarkableTokens:
    """Tokens for the reader to mark; their status is not shown."""

    name: str
    label: str
    tokens: TokenList

    @property
    def plain(self) -> TokenList:
        """The tokens as a list without status, with `label` added to its title."""
        return replace(self.tokens, title=f"{self.tokens.title} ({self.label})", kinds=())


Block = Paragraph | Equation | TokenList | Table | MarkableTokens


@dataclass(frozen=True, slots=True)
class Citation:
    """A citation with its label and its URL."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a derivation, with a stable anchor and a citation."""

    anchor: str
    title: str
    blocks: tuple[Block, ...]
    citation: Citation | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """A labelled number of the summary; `anchor` is the step that explains it."""

    label: str
    value: Expr
    anchor: str


@dataclass(frozen=True, slots=True)
class Summary:
    """The result at a glance; `check` is the sentence about the cross-check.

    `interpretation` says what the score means, if anything.
    """

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
    """A summary, figures, the steps that lead to the result, and its factors if it is a product."""

    summary: Summary
    figures: tuple[Figure, ...]
    steps: tuple[Step, ...]
    product: Product | None = None


@dataclass(frozen=True, slots=True)
class Worksheet:
    """Exercises or their solutions: steps below a title and an introduction."""

    title: str
    intro: tuple[Block, ...]
    steps: tuple[Step, ...]


def paragraph(*spans: Span) -> Paragraph:
    """Return a paragraph of running text."""
    return Paragraph(spans)


def note(*spans: Span) -> Paragraph:
    """Return a paragraph that is set apart from the running text."""
    return Paragraph(spans, note=True)
