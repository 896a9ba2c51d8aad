"""Worksheets with blanks, choices and markable tokens, in every format."""

from fractions import Fraction
from html.parser import HTMLParser

import pytest

from bleu.document.blocks import (
    Blank,
    MarkableTokens,
    Quote,
    Row,
    Step,
    Table,
    TokenList,
    Worksheet,
    paragraph,
)
from bleu.metric.expressions import Num, Sym
from bleu.render import html_page, latex, markdown, text

ANSWER = "7777"
WORKSHEET = Worksheet(
    "Sheet & <more>",
    (paragraph("Name: ", Blank("name", "your name", ANSWER)),),
    (
        Step(
            "exercise-1",
            "1. First",
            (
                paragraph(Sym("p", Fraction(7), "1"), " = ",
                          Blank("p-1", "precision p₁", Num(7777))),
                paragraph("Which? ", Blank("line", "the <line>", ANSWER, ("1/2", "a <b> & c_d"))),
                MarkableTokens("words", "credited words",
                        TokenList("Text", ("a", "<b>"), 0, ("credited", "clipped"))),
                Table("t", "Table", ("", "Count"), (
                    Row((Quote("a|b"), Blank("row-1", "count of a", ANSWER)), "credited"),
                    Row((Quote("c"), Num(3)), "clipped"),
                )),
            ),
        ),
    ),
)  # fmt: skip


@pytest.mark.parametrize("renderer", [text, markdown, latex, html_page])
def test_no_format_reveals_the_content_of_blanks(renderer):
    content = renderer.worksheet(WORKSHEET)
    assert ANSWER not in content
    assert "7 777" not in content


def test_text_and_markdown_have_underscores_and_boxes():
    for renderer in (text, markdown):
        content = renderer.worksheet(WORKSHEET)
        name, content = content[: content.index("First")], content[content.index("First") :]
        assert name.rstrip("# \n1.").endswith("____")
        assert content.count("____") == 2
        assert content.count("☐") == 2
        assert "✓" not in content
    assert "p_1 = ____" in text.worksheet(WORKSHEET)
    assert "$p_{1}$ = ____" in markdown.worksheet(WORKSHEET)
    assert r"a \<b\> \& c\_d" in markdown.worksheet(WORKSHEET)


def test_latex_has_rules_and_boxes():
    source = latex.worksheet(WORKSHEET)
    assert source.count(r"\blank{}") == 2
    assert source.count(r"\hrulefill") == 1  # the line for a name
    assert source.count(r"\choice{") == 2
    body = source.split(r"\begin{document}")[1]
    assert r"\credited" not in body
    assert r"\clipped" in body
    assert r"\&" in body
    assert body.count("{") == body.count("}")


class FormControls(HTMLParser):
    """The inputs of a page, and the names of the groups around them."""

    def __init__(self, markup):
        super().__init__()
        self.inputs, self.groups = [], []
        self.feed(markup)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if tag == "input":
            self.inputs.append(attributes)
        if attributes.get("role") in {"radiogroup", "group"}:
            self.groups.append(attributes["aria-label"])


def test_html_has_a_named_control_for_each_blank():
    markup = html_page.worksheet(WORKSHEET)
    controls = FormControls(markup)
    labelled = [(box["name"], box["aria-label"]) for box in controls.inputs if "aria-label" in box]
    assert labelled == [("name", "your name"), ("p-1", "precision p₁"), ("row-1", "count of a")]
    radios = [box["value"] for box in controls.inputs if box.get("type") == "radio"]
    assert radios == ["1/2", "a <b> & c_d"]
    boxes = [
        (box["name"], box["value"]) for box in controls.inputs if box.get("type") == "checkbox"
    ]
    assert boxes == [("words", "1"), ("words", "2")]
    assert {"the <line>", "credited words"} <= set(controls.groups)
    for element in ("title", "h1"):
        assert f"<{element}>Sheet &amp; &lt;more&gt;</{element}>" in markup
