"""Results in a notebook that is not trusted, whose HTML JupyterLab sanitizes."""

import re
from base64 import b64decode
from html import unescape
from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import given

import bleu
from bleu.metric.expressions import Equation
from bleu.notebook import with_linear_forms
from bleu.render import mathml, svg, text
from tests.support.strategies import segments, settings

REMOVED = "math|m[a-z]+|semantics|annotation|svg|style"
"""Elements that JupyterLab removes; the text in them stays, except that of style sheets."""


def sanitize(markup):
    """Return HTML as JupyterLab shows it in a notebook that is not trusted."""
    markup = re.sub("<style.*?</style>", "", markup, flags=re.DOTALL)
    return re.sub(rf"</?(?:{REMOVED})\b[^>]*>", "", markup.replace("<meter", "<progress"))


def plain(markup):
    """Return the text of HTML without spaces and signs that linear forms may omit."""
    return re.sub(r"[\s_\u2061]", "", unescape(re.sub("<[^>]*>", "", markup)))


def parts(formula):
    """Return the numbers, symbols and operators of a formula, without primes and parentheses."""
    formula = plain(formula).replace("e−", "·10^−").replace("^(1/1)", "")
    return re.sub(r"[()|′]|abs", "", formula)


def test_numbers_stay_readable():
    derivation = bleu.derive("the cat is on mat", ["the cat is on the mat"])
    shown = plain(sanitize(derivation._repr_html_()))
    for formula in (
        "p2=matched2/total2=3/4=0.7500",
        "BP=exp(1−r/c)=exp(1−6/5)≈0.8187",
        "S=∑(n=1…N)wn·ln(pn)=1/4·ln(1)+1/4·ln(3/4)+1/4·ln(2/3)+1/4·ln(1/2)≈−0.3466",
        "GM′=(∏(n=1…N)pn)^(1/4)=(1·3/4·2/3·1/2)^(1/4)≈0.7071",
    ):
        assert formula in shown


@given(segments, settings())
def test_linear_form_of_every_equation_has_the_parts_of_plain_text(segment, choices):
    for step in bleu.explain(bleu.derive(*segment, **choices)).steps:
        for block in step.blocks:
            if isinstance(block, Equation):
                shown = sanitize(with_linear_forms(mathml.equation(block)))
                assert parts(shown) == parts(text.equation(block))


@pytest.mark.parametrize("corpus", [False, True])
def test_figures_are_transparent_images_with_their_alternative(corpus):
    result = bleu.derive("a b", ["a c"])
    if corpus:
        result = bleu.derive_corpus(["a b", "c"], [["a c"], ["c"]])
    images = re.findall(
        r'<img [^>]*alt="([^"]+)" src="data:image/svg\+xml;base64,([^"]+)"/>',
        sanitize(result._repr_html_()),
    )
    figures = bleu.explain(result).figures
    assert len(images) == len(figures) > 0
    for (alternative, data), figure in zip(images, figures, strict=True):
        assert unescape(alternative) == text.spans(figure.alternative.spans)
        drawing = b64decode(data).decode()
        assert fromstring(drawing).tag == "{http://www.w3.org/2000/svg}svg"
        assert not re.search("white|#fff", drawing)
        assert not any(colour in drawing for colour in svg.COLOURS.values())
