"""Results in the formats that notebooks request, without interactive controls.

This module combines the packages; it never adds a rule about BLEU.

JupyterLab removes the tags of MathML, SVG and style sheets from the output of somebody else's
notebook, and keeps the text between them. So formulas contain the signs of their linear form, such
as the slash of 3/4, in hidden elements, whose text then appears, and figures are images.
"""

import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from hashlib import sha256
from html import escape
from typing import Any, Final
from xml.etree.ElementTree import Element, fromstring, tostring

from bleu.analysis.api import ConventionComparison
from bleu.checkup.finding import Finding
from bleu.core.api import Derivation
from bleu.core.display import DisplayFormat
from bleu.corpus.corpus import Corpus
from bleu.corpus.significance import PairedTest
from bleu.document import blocks as doc
from bleu.explanation import explain
from bleu.explanation.comparison import comparison_tables, spread_paragraph
from bleu.explanation.exercises import exercise_step
from bleu.explanation.phrases import escape_invisible, signed_score_text
from bleu.explanation.report import interval_text, p_value_meaning
from bleu.learn.exercise import Exercise
from bleu.metric.expressions import Equation
from bleu.render import html, latex, markdown, svg, tabular, text
from bleu.render.html_page import CONTENT_STYLE

CSS_CLASS: Final = "bleu-result"
"""The class of the element that contains the result."""

STYLE: Final = f"""
.{CSS_CLASS}.{CSS_CLASS} {{
font: 1rem/1.5 system-ui, sans-serif; max-width: 56rem; color: inherit;
{CONTENT_STYLE}
table {{ width: auto; margin: 0; border: 0; }}
dt, dd {{ display: block; float: none; width: auto; margin: 0; }}
tr {{ background: none; }}
th, td {{ text-align: end; }}
:is(th, td):first-child, .comparison :is(th, td):last-child {{ text-align: start; }}
.drawing {{ box-sizing: border-box; max-width: 24rem; padding: .5rem; background: none; }}
.exercise td {{ text-align: start; }}
a {{ color: inherit; }}
details > summary {{ cursor: pointer; }}
ol.token-list {{ margin: 0; padding: 0; }}
}}
"""
"""Style rules for that element only; colours are inherited from the notebook."""
MIDTONES: Final = {
    "ink": "#707682",
    "soft": "#707682",
    "line": "#9aa0ab",
    "counts": "#3d7be0",
    "clipped": "#c06a1a",
    "added": "#3d7be0",
    "halo": "none",
}
"""Colours that can be read on white and on black, because an image does not know the theme."""
_FUNCTION_APPLICATION: Final = "\u2061"


def display(value: object, display_format: DisplayFormat) -> str:
    """Render a result as HTML, Markdown or LaTeX in which all input text is escaped.

    Raises TypeError if the value is not a result.

    >>> from bleu import derive
    >>> html = display(derive("<u>", ["<u>"], max_order=1), "html")
    >>> "<u>" in html, "&lt;u&gt;" in html, "<script" in html
    (False, True, False)
    """
    match value:
        case Derivation() | Corpus():
            return _render_document(explain(value), display_format)
        case ConventionComparison():
            return _render_blocks(_comparison_blocks(value), display_format)
        case PairedTest():
            return _render_blocks(_test_blocks(value), display_format)
        case Finding():
            return _render_blocks(_finding_blocks(value), display_format)
        case Exercise():
            answers = ", ".join(f"{name!r}: …" for name in value.names)
            usage = doc.paragraph(f"bleu.grade(exercise, {{{answers}}}) marks your answers.")
            step = exercise_step(value)
            title = doc.paragraph(doc.Strong(step.title))
            return _render_blocks([title, *step.blocks, usage], display_format, "exercise")
        case _:
            raise TypeError(f"value has type {type(value).__name__}; give a result of this library")


def without_controls(value: Any) -> Any:
    """Replace all controls in a part of a document by text.

    >>> without_controls(doc.Row((doc.Choice("NLTK", "convention:nltk"), "1"), key="a b"))
    Row(cells=('NLTK', '1'), kind='', key='', anchor='')
    """
    match value:
        case doc.Choice(label, name):
            return "The default here" if name == "convention:default" else label
        case doc.ChoiceList(choices):
            return "; ".join(map(without_controls, choices))
        case doc.Blank(name=name, options=()):
            return f"____ ({name.rpartition('.')[2]})"
        case doc.Blank(options=options):
            return " / ".join(options)
        case doc.MarkableTokens():
            return value.plain
        case Equation():
            return value
        case doc.Row():
            value = replace(value, kind=value.visible_kind, key="")
    if type(value) is tuple:
        return tuple(map(without_controls, value))
    if is_dataclass(value) and not isinstance(value, type):
        names = (field.name for field in fields(value))
        return replace(value, **{name: without_controls(getattr(value, name)) for name in names})
    return value


def _render_document(document: doc.Document, display_format: DisplayFormat) -> str:
    document = replace(document, steps=without_controls(document.steps))
    if display_format == "markdown":
        return markdown.render(document)
    if display_format == "latex":
        blocks = (block for step in document.steps for block in step.blocks)
        equations = (block for block in blocks if isinstance(block, Equation))
        return "\n\n".join(map(latex.equation, equations))
    # A notebook contains several documents, so their ids need different prefixes.
    digest = sha256(markdown.render(document).encode("utf-8", "replace")).hexdigest()[:8]
    prefix = f"{CSS_CLASS}-{digest}-"
    figures = "".join(
        image(replace(figure, name=prefix + figure.name)) for figure in document.figures
    )
    steps = "".join(html.step(step, prefix) for step in document.steps)
    return _element_html(
        f'{html.summary(document.summary, prefix)}<div class="figures">{figures}</div>'
        f"<details><summary>Step by step</summary>{steps}</details>"
    )


def _render_blocks(
    content: Sequence[doc.Block], display_format: DisplayFormat, css_class: str = ""
) -> str:
    blocks: list[doc.Block] = list(map(without_controls, content))
    if display_format == "html":
        return _element_html("".join(map(html.block, blocks)), css_class)
    if display_format == "markdown":
        return markdown.blocks(blocks)
    return "\n\n".join(map(_block_latex, blocks))


def _element_html(content: str, css_class: str = "") -> str:
    content = with_linear_forms(content)
    return f'<div class="{CSS_CLASS} {escape(css_class)}"><style>{STYLE}</style>{content}</div>'


def _block_latex(block: doc.Block) -> str:
    match block:
        case Equation():
            return latex.equation(block)
        case doc.TokenList(title, tokens):
            quotes = map(doc.Quote, tokens)
            return tabular.blocks([doc.paragraph(f"{title}: ", *quotes)]).strip()
        case _:
            return tabular.blocks([block]).strip()


def _comparison_blocks(comparison: ConventionComparison) -> list[doc.Block]:
    current, outcomes = comparison.here, comparison.outcomes
    title = doc.Strong("This result")
    blocks: list[doc.Block] = [doc.paragraph(title, f": {current.score}, {current.signature}.")]
    if any(outcome.value is not None for outcome in outcomes):
        blocks.append(spread_paragraph(outcomes, current))
    return [*blocks, *(table for table in comparison_tables(outcomes, current) if table.rows)]


def _finding_blocks(finding: Finding) -> list[doc.Block]:
    remedies = {
        "repair": "bleu.repair_corpus(hypotheses, references, [{!r}])",
        "tokenizer": "tokenizer={!r}",
        "lowercase": "lowercase=True",
    }
    action, _, value = finding.action.partition(":")
    blocks: list[doc.Block] = [doc.paragraph(doc.Strong(escape_invisible(finding.message)))]
    if finding.cost is not None:
        rows = ("As it is", finding.score), ("Without this fault", finding.score_without)
        scores = tuple(
            doc.Row((label, doc.Score100(score))) for label, score in rows if score is not None
        )
        title = "The score with and without the fault"
        blocks.append(doc.Table("systems", title, ("", "BLEU, 0–100"), scores))
    if action in remedies:
        blocks.append(doc.paragraph(f"Remedy: {remedies[action].format(value)}"))
    return blocks


def _test_blocks(test: PairedTest) -> list[doc.Block]:
    intervals = test.intervals or (None, None)
    difference_interval = interval_text(test.difference_interval, signed=True)
    rows: list[tuple[doc.Cell, ...]] = [
        ("Baseline", doc.Score100(test.baseline), interval_text(intervals[0])),
        ("System", doc.Score100(test.system), interval_text(intervals[1])),
        ("Difference", signed_score_text(test.difference), difference_interval),
    ]
    headers = ("", "BLEU, 0–100", "95 % interval")
    columns = len(headers) if test.intervals else 2
    table = doc.Table(
        "systems",
        "A paired test of two systems",
        headers[:columns],
        tuple(doc.Row(row[:columns]) for row in rows),
    )
    trials = f"{test.trials:,} trials, p = {test.p_value:.2g}"
    return [table, doc.paragraph(f"{trials}. {p_value_meaning(test.p_value)}")]


def with_linear_forms(markup: str) -> str:
    """Add hidden signs to the formulas of HTML, so that they stay readable without MathML.

    >>> markup = with_linear_forms("<math><mfrac><mn>3</mn><mn>4</mn></mfrac></math>")
    >>> re.sub("<[^>]*>", "", markup)
    '3/4'
    """
    return re.sub(r"<math.*?</math>", lambda match: _linear_form(match[0]), markup, flags=re.DOTALL)


def image(figure: doc.Figure) -> str:
    """Render a figure as an image in the HTML, with its text alternative."""
    drawing = svg.figure(figure).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    for name, colour in svg.COLOURS.items():
        drawing = drawing.replace(colour, MIDTONES[name])
    alternative = escape(text.spans(figure.alternative.spans))
    address = f"data:image/svg+xml;base64,{b64encode(drawing.encode()).decode()}"
    return (
        f'<figure id="{figure.name}"><figcaption>{escape(figure.caption)}</figcaption>'
        f'<img class="drawing" width="{svg.WIDTH}" alt="{alternative}" src="{address}"/></figure>'
    )


def _linear_form(math: str) -> str:
    root = fromstring(math)
    _add_signs(root)
    return tostring(root, "unicode", short_empty_elements=False)


def _add_signs(element: Element) -> None:
    """Add the signs of the linear form to an element and its descendants."""
    children = list(element)
    for child in children:
        _add_signs(child)
    match element.tag, children:
        case "mfrac", [numerator, denominator]:
            element[:] = [_row(_grouped(numerator), _hidden("/")), _grouped(denominator)]
        case "msup", [base, exponent] if exponent.text != "′":
            element[:] = [base, _row(_hidden("^"), _grouped(exponent))]
        case "msqrt", _:
            element[:] = [_hidden("("), *children, _hidden(")^(1/2)")]
        case "mroot", [radicand, degree]:
            element[:] = [
                _row(_hidden("("), radicand, _hidden(")^(1/")),
                _row(degree, _hidden(")")),
            ]
        case "munderover", [sign, lower, upper]:
            element[:] = [
                sign,
                _row(_hidden("_("), lower, _hidden("…")),
                _row(upper, _hidden(") ")),
            ]
        case "mtr", _:
            element[-1].append(_hidden(" "))
        case "mrow", [name, apply, space, argument] if apply.text == _FUNCTION_APPLICATION:
            element[:] = [name, apply, space, _hidden("("), argument, _hidden(")")]


def _grouped(element: Element) -> Element:
    """Return an element, in hidden parentheses if it has an operator or a fraction."""
    if any(part.tag in {"mo", "mfrac"} for part in element.iter()):
        return _row(_hidden("("), element, _hidden(")"))
    return element


def _row(*children: Element) -> Element:
    row = Element("mrow")
    row.extend(children)
    return row


def _hidden(sign: str) -> Element:
    element = Element("mtext", style="display:none")
    element.text = sign
    return element
