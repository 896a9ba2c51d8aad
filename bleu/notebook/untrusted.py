"""Formulas and figures that survive the sanitizer of a notebook that is not trusted.

JupyterLab removes the tags of MathML, SVG and style sheets from the output of somebody else's
notebook, and keeps the text between them. So formulas contain the signs of their linear form, such
as the slash of 3/4, in hidden elements, whose text then appears, and figures are images.
"""

import re
from base64 import b64encode
from html import escape
from typing import Final
from xml.etree.ElementTree import Element, fromstring, tostring

from bleu.document.blocks import Figure
from bleu.render import svg, text

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


def with_linear_forms(markup: str) -> str:
    """Add hidden signs to the formulas of HTML, so that they stay readable without MathML.

    >>> markup = with_linear_forms("<math><mfrac><mn>3</mn><mn>4</mn></mfrac></math>")
    >>> re.sub("<[^>]*>", "", markup)
    '3/4'
    """
    return re.sub(r"<math.*?</math>", lambda match: _linear_form(match[0]), markup, flags=re.DOTALL)


def image(figure: Figure) -> str:
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
