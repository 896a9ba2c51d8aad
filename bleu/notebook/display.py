"""A result in the form that a notebook asks for, with nothing in it to press or to fill in."""

from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from hashlib import sha256
from html import escape
from typing import Any, Final

from bleu.analysis.api import ConventionComparison
from bleu.core.derivation import Derivation
from bleu.core.display import DisplayFormat
from bleu.corpus.corpus import Corpus
from bleu.corpus.significance import PairedTest
from bleu.document.blocks import (
    Blank,
    Block,
    Cell,
    Choice,
    ChoiceList,
    Document,
    Figure,
    MarkableTokens,
    Quote,
    Row,
    Score100,
    Strong,
    Table,
    TokenList,
    VisibleBlock,
    paragraph,
    visible_blocks,
)
from bleu.document.expressions import Equation
from bleu.explanation import explain
from bleu.explanation.comparison import comparison_tables, spread_paragraph
from bleu.explanation.exercises import exercise_step
from bleu.explanation.phrases import signed_score_text
from bleu.explanation.report import interval_text
from bleu.explanation.significance import p_value_meaning
from bleu.learn.exercise import Exercise
from bleu.render import html, latex_math, markdown, tabular, text
from bleu.render.html_page import CONTENT_STYLE

NAME: Final = "bleu-result"
"""The class of the element that all of it stands in."""

STYLE: Final = f"""
.{NAME}.{NAME} {{
font: 1rem/1.5 system-ui, sans-serif; max-width: 56rem; color: inherit;
{CONTENT_STYLE}
table {{ width: auto; margin: 0; border: 0; }}
dt, dd {{ display: block; float: none; width: auto; margin: 0; }}
tr {{ background: none; }}
th, td {{ text-align: end; }}
:is(th, td):first-child, .comparison :is(th, td):last-child {{ text-align: start; }}
.told {{ display: none; }}
.drawing {{ box-sizing: border-box; max-width: 24rem; padding: .5rem; }}
.exercise td {{ text-align: start; }}
a {{ color: inherit; }}
details > summary {{ cursor: pointer; }}
ol.token-list {{ margin: 0; padding: 0; }}
}}
"""
"""Of this element alone; colours are those of the notebook, light or dark."""


def display(value: object, form: DisplayFormat) -> str:
    """A result as HTML, Markdown or LaTeX; nothing of the reader's text is taken for markup.

    Raises TypeError unless it is a result.

    >>> from bleu import derive
    >>> shown = display(derive("<u>", ["<u>"], max_order=1), "html")
    >>> "<u>" in shown, "&lt;u&gt;" in shown, "<script" in shown
    (False, True, False)
    """
    match value:
        case Derivation() | Corpus():
            return _document(explain(value), form)
        case ConventionComparison():
            return _blocks(_comparison(value), form)
        case PairedTest():
            return _blocks(_test(value), form)
        case Exercise():
            asked = ", ".join(f"{name!r}: …" for name in value.names)
            how = paragraph(f"bleu.grade(exercise, {{{asked}}}) marks your answers.")
            step = exercise_step(value)
            blocks = [paragraph(Strong(step.title)), *visible_blocks(step.blocks), how]
            return _blocks(blocks, form, "exercise")
        case _:
            raise TypeError(f"a {type(value).__name__} has no form for notebooks")


def without_controls(value: Any) -> Any:
    """The same content with nothing to press, to choose or to fill in.

    >>> without_controls(Row((Choice("NLTK", "convention:nltk"), "1"), key="a b"))
    Row(cells=('NLTK', '1'), kind='', key='')
    """
    match value:
        case Choice(label, name):
            return "The default here" if name == "convention:default" else label
        case ChoiceList(choices):
            return "; ".join(map(without_controls, choices))
        case Blank(name=name, options=()):
            return f"____ ({name.rpartition('.')[2]})"
        case Blank(options=options):
            return " / ".join(options)
        case MarkableTokens(tokens=tokens):
            return tokens
        case Equation():
            return value
        case Row():
            value = replace(value, key="")
    if type(value) is tuple:
        return tuple(map(without_controls, value))
    if is_dataclass(value) and not isinstance(value, type):
        changed = {one.name: without_controls(getattr(value, one.name)) for one in fields(value)}
        return replace(value, **changed)
    return value


def _document(document: Document, form: DisplayFormat) -> str:
    shown: Document = replace(document, steps=without_controls(document.steps))
    if form == "markdown":
        return markdown.render(shown)
    if form == "latex":
        equations = (
            block for step in shown.steps for block in step.blocks if isinstance(block, Equation)
        )
        return "\n\n".join(map(latex_math.equation, equations))
    # ids are of one document, and a notebook has many
    prefix = f"{NAME}-{sha256(repr(shown).encode('utf-8', 'replace')).hexdigest()[:8]}-"
    drawn = "".join(_figure(replace(one, name=prefix + one.name)) for one in shown.figures)
    steps = "".join(html.step(one, prefix) for one in shown.steps)
    return _element(
        f'{html.summary(shown.summary, prefix)}<div class="figures">{drawn}</div>'
        f"<details><summary>Step by step</summary>{steps}</details>"
    )


def _figure(figure: Figure) -> str:
    """A figure, and in words what it shows, for hosts that take drawings and style away."""
    told = "".join(map(text.span, figure.alternative.spans))
    return f'{html.figure(figure)}<p class="told">{escape(told)}</p>'


def _blocks(content: Sequence[Block], form: DisplayFormat, kind: str = "") -> str:
    shown: list[VisibleBlock] = [without_controls(one) for one in visible_blocks(content)]
    if form == "html":
        return _element("".join(map(html.block, shown)), kind)
    if form == "markdown":
        return markdown.blocks(shown)
    return "\n\n".join(map(_latex, shown))


def _element(content: str, kind: str = "") -> str:
    return f'<div class="{NAME} {escape(kind)}"><style>{STYLE}</style>{content}</div>'


def _latex(block: VisibleBlock) -> str:
    match block:
        case Equation():
            return latex_math.equation(block)
        case TokenList(title, tokens):
            words = paragraph(f"{title}: ", *(Quote(token) for token in tokens))
            return tabular.blocks([words]).strip()
        case _:
            return tabular.blocks([block]).strip()


def _comparison(found: ConventionComparison) -> list[Block]:
    here, outcomes = found.here, found.outcomes
    head: list[Block] = [paragraph(Strong("This result"), f": {here.score}, {here.signature}.")]
    if any(one.value is not None for one in outcomes):
        head.append(spread_paragraph(outcomes, here))
    return [*head, *(table for table in comparison_tables(outcomes, here) if table.rows)]


def _test(test: PairedTest) -> list[Block]:
    intervals = test.intervals or (None, None)
    of_difference = interval_text(test.difference_interval, signed=True)
    lines: list[tuple[Cell, ...]] = [
        ("Baseline", Score100(test.baseline), interval_text(intervals[0])),
        ("System", Score100(test.system), interval_text(intervals[1])),
        ("Difference", signed_score_text(test.difference), of_difference),
    ]
    headers = ("", "BLEU, 0–100", "95 % interval")
    size = len(headers) if test.intervals else 2
    rows = tuple(Row(line[:size]) for line in lines)
    table = Table("systems", "A paired test of two systems", headers[:size], rows)
    return [table, paragraph(f"{test.trials:,} trials, {p_value_meaning(test.p_value)}")]
