"""Renderers: well-formed, escaped, and with the same numbers in all formats."""

import re
import xml.etree.ElementTree as ET
from fractions import Fraction
from html import unescape
from json import loads
from math import prod

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bleu import EXAMPLES, derive, explain
from bleu.document.blocks import Quote, Row, Table, paragraph
from bleu.explanation.phrases import escape_invisible, token_text
from bleu.metric.expressions import Equation
from bleu.render import html, json, markdown, text
from bleu.render.latex import SIGNS
from bleu.render.latex import formula as latex_formula
from bleu.render.numbers import both_scales, is_rounded, number_text, score_text, sides
from tests.support.plain_markup import plain
from tests.support.strategies import HOSTILE, hostile, hostile_tokens, segments, settings


def parse_xml(markup: str) -> ET.Element:
    """Parse markup as XML, which fails unless all tags are closed and all text is escaped."""
    return ET.fromstring(f"<body>{markup.replace('<hr>', '')}</body>")


def test_step_is_labelled_by_its_title_unless_it_has_a_prefix():
    step = explain(derive("a", ["a"])).steps[0]
    assert 'aria-labelledby="tokens-title"' in html.step(step)
    tag = html.step(step, "corpus-").partition(">")[0]
    assert tag == '<section class="step" id="corpus-tokens" data-step="corpus-tokens"'


@pytest.mark.parametrize("anchor", ["score", "smoothing"])
def test_step_id_differs_from_the_id_of_a_control(anchor):
    assert html.step_id(anchor) == f"{anchor}-step"
    assert html.step_id("tokens") == "tokens"


def test_expressions_with_hyphens_do_not_break_and_keep_their_text():
    text = "BLEU-4 of 12-grams, an n-gram, add-k; p₂ = 0/4, p = 0.011. a-b, sub-grams, x2-3"
    root = parse_xml(html.prose(text))
    assert "".join(root.itertext()) == text
    unbreakable = ["BLEU-4", "12-grams", "n-gram", "add-k", "p₂ = 0/4", "p = 0.011"]
    assert [node.text for node in root.iter("bdi")] == unbreakable


def test_only_first_row_of_ngram_table_is_in_tab_order():
    table = explain(derive("a b c", ["a b c"], max_order=1)).steps[1].blocks[3]
    assert isinstance(table, Table)
    assert re.findall(r'tabindex="(-?\d)">', html.table(table)) == ["0", "-1", "-1"]


def test_caption_of_html_table_is_escaped():
    markup = html.table(Table("a", "<b> & c", ("x",), ()))
    assert "<caption>&lt;b&gt; &amp; c</caption>" in markup
    assert 'aria-label="&lt;b&gt; &amp; c"' in markup


def test_signature_is_escaped_and_breaks_after_its_parts():
    root = parse_xml(html.signature("Signature", "tok:<b> & c|v:1"))
    assert [node.tag for node in root.iter()] == ["body", "p", "span", "code", "wbr"]
    assert "".join(root.itertext()) == "Signature tok:<b> & c|v:1"


def test_text_table_aligns_first_column_left_and_others_right():
    table = Table("a", "A", ("System", "BLEU"), (Row(("a", "5.00")), Row(("longer", "36.39"))))
    assert text.blocks([table]).splitlines() == [
        "    System   BLEU",
        "    a        5.00",
        "    longer  36.39",
    ]


@given(segments, settings())
def test_html_is_well_formed(segment, choices):
    parse_xml(html.render(explain(derive(*segment, **choices))))


@given(hostile)
@example(" ".join(HOSTILE))
def test_html_does_not_interpret_input_text(input_text):
    root = parse_xml(html.render(explain(derive(input_text, [input_text], max_order=2))))
    tags = {node.tag for node in root.iter()}
    assert not tags & {"script", "img", "b:evil"}
    displayed = {node.text for node in root.iterfind(".//li/span")}
    plain_tokens = [
        token
        for token in input_text.split()
        if escape_invisible(token) == token and len(token) < 50
    ]
    assert set(plain_tokens[:60]) <= displayed


@given(segments, settings())
def test_html_and_text_show_the_same_numbers(segment, choices):
    document = explain(derive(*segment, **choices))
    lines = text.render(document)
    summary = parse_xml(html.summary(document.summary))
    score_100, score_1 = both_scales(document.summary.value)
    score = summary.find(".//output[@id='score']")
    assert score is not None
    assert float(score.attrib["data-value"]) == document.summary.value
    assert [b.text for b in score.iter("b")] == [score_100, score_1]
    assert lines.splitlines()[0].count(score_100) >= 1
    for row in document.summary.table.rows:
        assert text.span(row.cells[2]) in lines
        assert text.span(row.cells[2]) in unescape(html.span(row.cells[2]))


CHILD_COUNTS = {"mfrac": 2, "msub": 2, "msup": 2, "mroot": 2, "msubsup": 3, "munderover": 3}
"""The required number of children of MathML elements."""


@pytest.mark.parametrize("name", EXAMPLES)
def test_mathml_elements_have_the_required_children(name):
    worked = EXAMPLES[name]
    markup = html.render(explain(derive(worked.hypothesis, worked.references, **worked.settings)))
    formulas = re.findall("<math.*?</math>", unescape(markup.replace("&lt;", "")), re.DOTALL)
    assert formulas
    for element in (node for formula in formulas for node in ET.fromstring(formula).iter()):
        assert len(element) == CHILD_COUNTS.get(element.tag, len(element))


def test_long_sum_is_split_into_lines_of_four_terms():
    sentence = "the cat is on the mat and the dog sat in the house"
    step = explain(derive(sentence, [f"{sentence} of ours"], max_order=9)).steps[-2]
    [log_mean, *_] = [block for block in step.blocks if isinstance(block, Equation)]
    markup = html.block(log_mean)
    rows = re.findall(r"<mtr>.*?</mtr>", markup)
    assert [row.count(">ln<") for row in rows] == [1, 4, 4, 1, 0]
    assert [row.count('<mo form="infix">+</mo>') for row in rows] == [0, 0, 1, 1, 0]
    assert markup.count("<mtable>") == 1


def test_mathml_shows_symbols_then_numbers_then_result():
    document = explain(derive("the cat is on mat", ["the cat is on the mat"]))
    markup = html.step(document.steps[2])
    formula = re.sub(r"<[^>]+>", " ", markup)
    assert re.search(r"p\s+2\s+=\s+matched\s+2\s+total\s+2\s+=\s+3\s+4\s+=\s+0\.7500", formula)


def test_repeated_sides_are_omitted():
    document = explain(derive("a b c d", ["a b c d"]))
    assert text.render(document).count("BP = 1\n") == 1


@pytest.mark.parametrize("name", EXAMPLES)
def test_one_line_has_published_score(name):
    worked = EXAMPLES[name]
    document = explain(derive(worked.hypothesis, worked.references, **worked.settings))
    assert text.one_line(document.summary).startswith(
        f"BLEU-{worked.settings.get('max_order', 4)} = {worked.value * 100:.2f} "
        f"({worked.value:.4f}) "
    )


@pytest.mark.parametrize(("value", "is_tiny"), [(4.9e-6, True), (4e-7, True), (5.1e-6, False)])
def test_score_below_5e_6_is_almost_0(value, is_tiny):
    assert (score_text(value) == "≈ 0") == is_tiny


def test_score_can_be_computed_from_one_line():
    for text_ in ("the cat is on mat", "the cat is on the"):
        line = text.one_line(explain(derive(text_, ["the cat is on the mat"])).summary)
        penalty, *precisions = re.findall(r"(?:BP |(?<= ))(\d[\d./]*)(?= )", line.partition(")")[2])
        product = prod(map(Fraction, precisions))
        assert f"= {100 * float(penalty) * product**0.25:.2f} " in line


@given(st.floats(0, 1))
@example(0.99999999999)
@example(5e-324)
def test_rounding_never_reaches_end_of_scale(value):
    texts = [number_text(value), *both_scales(value)]
    if 0 < value < 1:
        assert not {"0", "1", "0.0000", "1.0000", "100.00"} & set(texts)
    for score_1 in (texts[0], texts[2]):
        assert float(score_1.replace("−", "-")) == pytest.approx(value, abs=5e-5)
    assert is_rounded(value) == (Fraction(texts[0].replace("−", "-")) != Fraction(value))


def test_tiny_score_is_approximately_zero_on_0_100_scale():
    """NLTK prints 7.81e-232 for these texts, and no tool prints 7.81e-230."""
    texts = ("the dog ran home", ["the cat is on the mat"])
    summary = html.summary(explain(derive(*texts, convention="nltk-method0")).summary)
    assert "<b>≈ 0</b></a> <small>on the 0–100 scale" in plain(summary)
    assert "<b>7.814e−232</b> <small>on the 0–1 scale" in plain(summary)
    assert '<td><bdi class="whole">≈ 0</bdi> <meter' in summary


def test_symbol_is_read_once_without_styles():
    summary = html.summary(explain(derive("a b", ["a b"])).summary)
    assert (
        '<th scope="row"><a href="#precision-1"><span translate="no"><math aria-label="p 1">'
        in summary
    )
    assert "spoken" not in summary


def test_kind_of_each_token_is_text_that_is_heard():
    page = html.render(explain(derive("the the dog", ["the cat"])))
    for token, label in (("the", "credited"), ("the", "cut off"), ("dog", "no match")):
        assert f'<span>{token}<bdi class="spoken"> ({label})</bdi></span></li>' in page
    assert " title=" not in page


@given(segments, settings())
def test_json_has_every_quantity_exactly(segment, choices):
    derivation = derive(*segment, **choices)
    data = loads(json.render(derivation))
    score = derivation.score
    assert data["score"]["value"] == score.value
    assert [Fraction(p) for p in data["score"]["precisions"]] == list(score.precisions)
    assert Fraction(data["statistics"]["reference_length"]) == score.reference_length
    for order, rows in zip(derivation.orders, data["orders"], strict=True):
        assert sum(row["clipped_count"] for row in rows) == order.matched
        assert sum(row["count"] for row in rows) == order.total


CODE = re.compile(r"(?<![`\\])(`+)(?!`)(.+?)(?<!`)\1(?!`)")
"""A code span: text between equal numbers of unescaped backticks."""

ADDRESSES = (
    "http://example.org/a https://x.y?b=c) ftp://x.y/ HTTP://EXAMPLE.ORG",
    "www.example.org (Www.example.org/a|b) bob@example.org mailto:bob@example.org",
    "@name (@name) @org/team #123 a/b#7 !42 \\@name\\|#1",
)
"""Text that code hosts turn into links and mentions, even if escaped, unless it is code."""


def code_spans(source: str) -> list[str]:
    """Return the text of all code spans of Markdown source."""
    return [re.sub("^ (.*[^ ].*) $", r"\1", content) for _, content in CODE.findall(source)]


@given(hostile)
@example(" ".join(HOSTILE))
@example(" ".join(ADDRESSES))
@example("`` ` ``` | a|b `a a` | || \\| \\` `|`")
def test_markdown_does_not_interpret_input_text_and_keeps_tables(input_text):
    document = explain(derive(input_text, [input_text], max_order=2))
    width = 0
    for line in markdown.render(document).splitlines():
        if not line.startswith("|"):
            width = 0
            continue
        assert not re.search(r"(?<!\\)[<*`]", CODE.sub("", line))
        cells = len(re.findall(r"(?<!\\)\|", line))
        assert cells == (width or cells)
        width = cells


def check_no_links(source: str) -> None:
    """Assert that no text outside code would become a link or a mention on a code host."""
    assert not re.search(r"://|www\\?\.|@|\\#|!\d", CODE.sub("", source), re.IGNORECASE)


@given(hostile | st.text("@#:/.w1a|` \\"))
@example(" ".join(ADDRESSES))
def test_markdown_does_not_link_or_mention_input_text(input_text):
    document = explain(derive(input_text, [f"{input_text} x"], max_order=2))
    source = markdown.render(document)
    for step in document.steps:
        if step.citation:
            source = source.replace(f"]({step.citation.url})", "")
    check_no_links(source)


@pytest.mark.parametrize("name", [name for line in ADDRESSES for name in line.split()])
def test_markdown_does_not_link_or_mention_file_names(name):
    table = Table("a", "A", ("System", "BLEU"), (Row((f"{name}.txt", "1")),))
    source = markdown.blocks([table, paragraph(f"{name} and a_b.txt are the same")])
    check_no_links(source)
    assert r" and a\_b.txt are the same" in source
    assert "".join(code_spans(source.splitlines()[4])) == f"{name}.txt".replace("|", "")


@given(hostile_tokens)
@example([*ADDRESSES, "`", "``", "a|", "|", "\\|", "`|`", " ` ", "a\\"])
def test_markdown_shows_every_token_unchanged(tokens):
    quotes = [Quote(token_text(token)) for token in tokens]
    parts = [part for quote in quotes for part in quote.text.split("|")]
    table = Table("a", "A", ("x", "y"), tuple(Row((quote, "1")) for quote in quotes))
    for content in (table, paragraph(*quotes)):
        source = markdown.blocks([content]).replace(r"\|", "\n")
        # Cells do not show a token of spaces only.
        assert [span for span in code_spans(source) if span.strip(" ")] == [
            part for part in parts if part.strip(" ")
        ]


@given(segments, settings())
def test_markdown_has_the_equations_of_latex_in_one_line(segment, choices):
    document = explain(derive(*segment, **choices))
    lines = markdown.render(document).splitlines()
    for step in document.steps:
        for block in step.blocks:
            if isinstance(block, Equation):
                parts = [f"{SIGNS[sign]} {side}" for sign, side in sides(block, latex_formula)]
                assert f"${latex_formula(block.left)} {' '.join(parts)}$" in lines


def test_scores_below_a_tenth_of_a_point_have_significant_digits():
    assert both_scales(0.001) == ("0.10", "0.0010")
    assert both_scales(0.00099) == (number_text(0.099), number_text(0.00099))
    assert both_scales(1e-9) == ("1e−07", "1e−09")
