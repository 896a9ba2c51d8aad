"""Blanks, choices and tokens to mark, in every form."""

from fractions import Fraction
from html.parser import HTMLParser

import pytest

from bleu.document.blocks import (
    Blank,
    MarkableTokens,
    Quote,
    Row,
    SolutionBlock,
    Step,
    Table,
    TokenList,
    Worksheet,
    paragraph,
)
from bleu.document.expressions import Num, Sym
from bleu.render import html_page, latex, markdown, text

SECRET = "7777"
ASKED = Worksheet(
    "Sheet & <more>",
    (paragraph("Name: ", Blank("name", "your name", SECRET)),),
    (
        Step(
            "exercise-1",
            "1. First",
            (
                SolutionBlock(paragraph(SECRET)),
                SolutionBlock(paragraph(SECRET), (paragraph(Sym("p", Fraction(7), "1"), " = ",
                                                    Blank("p-1", "precision p₁", Num(7777))),)),
                paragraph("Which? ", Blank("line", "the <line>", SECRET, ("1/2", "a <b> & c_d"))),
                MarkableTokens("words", "credited words",
                        TokenList("Text", ("a", "<b>"), 0, ("credited", "clipped"))),
                Table("t", "Table", ("", "Count"), (
                    Row((Quote("a|b"), Blank("row-1", "count of a", SECRET)), "credited"),
                    Row((Quote("c"), Num(3)), "clipped"),
                )),
            ),
        ),
    ),
)  # fmt: skip


@pytest.mark.parametrize("form", [text, markdown, latex, html_page])
def test_no_form_tells_what_belongs_there(form):
    shown = form.worksheet(ASKED)
    assert SECRET not in shown
    assert "7 777" not in shown


def test_text_and_markdown_have_a_rule_of_underscores_and_boxes():
    for form in (text, markdown):
        shown = form.worksheet(ASKED)
        assert shown.count("____") == 3
        assert shown.count("☐") == 2
    assert "p_1 = ____" in text.worksheet(ASKED)
    assert r"p\_1 = ____" in markdown.worksheet(ASKED)
    assert r"a \<b\> \& c\_d" in markdown.worksheet(ASKED)
    assert "✓" not in text.worksheet(ASKED) + markdown.worksheet(ASKED)


def test_latex_has_rules_and_boxes():
    source = latex.worksheet(ASKED)
    assert source.count(r"\blank{}") == 3
    assert source.count(r"\choice{") == 2
    body = source.split(r"\begin{document}")[1]
    assert r"\credited" not in body
    assert r"\clipped" in body
    assert r"\&" in body
    assert body.count("{") == body.count("}")


class Controls(HTMLParser):
    """The form controls of a page, and the names of the groups around them."""

    def __init__(self, markup):
        super().__init__()
        self.controls, self.groups = [], []
        self.feed(markup)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        if tag == "input":
            self.controls.append(found)
        if found.get("role") in {"radiogroup", "group"}:
            self.groups.append(found["aria-label"])


def test_html_has_a_named_control_for_each():
    shown = Controls(html_page.worksheet(ASKED))
    named = [one for one in shown.controls if one.get("aria-label")]
    assert [one["name"] for one in named] == ["name", "p-1", "row-1"]
    assert [one["aria-label"] for one in named] == ["your name", "precision p₁", "count of a"]
    radios = [one for one in shown.controls if one.get("type") == "radio"]
    assert [one["value"] for one in radios] == ["1/2", "a <b> & c_d"]
    boxes = [one for one in shown.controls if one.get("type") == "checkbox"]
    assert [(one["name"], one["value"]) for one in boxes] == [("words", "1"), ("words", "2")]
    assert {"the <line>", "credited words"} <= set(shown.groups)
    for element in ("title", "h1"):
        assert f"<{element}>Sheet &amp; &lt;more&gt;</{element}>" in html_page.worksheet(ASKED)
