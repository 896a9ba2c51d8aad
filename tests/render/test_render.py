"""The forms: well-formed, escaped, and agreeing number for number."""

import re
import xml.etree.ElementTree as ET
from fractions import Fraction
from html import unescape
from json import loads

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bleu import EXAMPLES, derive, explain
from bleu.document.blocks import Quote, Row, Table, paragraph
from bleu.document.expressions import Equation
from bleu.explanation.phrases import escape_invisible, token_text
from bleu.render import html, json, markdown, text
from bleu.render.numbers import both_scales, is_rounded, number_text
from tests.support.strategies import HOSTILE, hostile, hostile_tokens, segments, settings


def parsed(markup: str) -> ET.Element:
    """The markup as XML: it parses only if every tag is closed and everything is escaped."""
    return ET.fromstring(f"<body>{markup.replace('<hr>', '')}</body>")


def test_a_step_is_named_by_its_title_unless_it_is_a_second_one():
    one = explain(derive("a", ["a"])).steps[0]
    assert 'aria-labelledby="tokens-title"' in html.step(one)
    assert "aria-labelledby" not in html.step(one, "corpus-").partition(">")[0]


@pytest.mark.parametrize("anchor", ["score", "smoothing"])
def test_step_id_differs_from_the_id_of_a_control(anchor):
    assert html.step_id(anchor) == f"{anchor}-step"
    assert html.step_id("tokens") == "tokens"


def test_a_word_with_a_hyphen_is_kept_whole_and_reads_as_before():
    words = "BLEU-4 of 12-grams, an n-gram, add-k; p₂ = 0/4, p = 0.011. a-b, sub-grams, x2-3"
    marked = parsed(html.prose(words))
    assert "".join(marked.itertext()) == words
    whole = ["BLEU-4", "12-grams", "n-gram", "add-k", "p₂ = 0/4", "p = 0.011"]
    assert [one.text for one in marked.iter("span")] == whole


@given(segments, settings())
def test_html_is_well_formed(segment, choices):
    parsed(html.render(explain(derive(*segment, **choices))))


@given(hostile)
@example(" ".join(HOSTILE))
def test_nothing_in_the_text_is_interpreted(words):
    tree = parsed(html.render(explain(derive(words, [words], max_order=2))))
    tags = {node.tag for node in tree.iter()}
    assert not tags & {"script", "img", "b:evil"}
    shown = {node.text for node in tree.iter("li")}
    plain = [
        token for token in words.split() if escape_invisible(token) == token and len(token) < 50
    ]
    assert set(plain[:60]) <= shown


@given(segments, settings())
def test_html_and_text_show_the_same_numbers(segment, choices):
    document = explain(derive(*segment, **choices))
    lines = text.render(document)
    marked = parsed(html.summary(document.summary))
    hundred, one = both_scales(document.summary.value)
    score = marked.find(".//output[@id='score']")
    assert score is not None
    assert float(score.attrib["data-value"]) == document.summary.value
    assert [b.text for b in score.iter("b")] == [hundred, one]
    assert lines.splitlines()[0].count(hundred) >= 1
    for row in document.summary.table.rows:
        assert text.span(row.cells[2]) in lines
        assert text.span(row.cells[2]) in unescape(html.span(row.cells[2]))


CHILDREN = {"mfrac": 2, "msub": 2, "msup": 2, "mroot": 2, "msubsup": 3, "munderover": 3}
"""How many children an element of MathML has to have."""


@pytest.mark.parametrize("name", EXAMPLES)
def test_formulas_are_whole(name):
    example = EXAMPLES[name]
    markup = html.render(
        explain(derive(example.hypothesis, example.references, **example.settings))
    )
    formulas = re.findall("<math.*?</math>", unescape(markup.replace("&lt;", "")), re.DOTALL)
    assert formulas
    for element in (one for formula in formulas for one in ET.fromstring(formula).iter()):
        assert len(element) == CHILDREN.get(element.tag, len(element))


def test_a_long_sum_is_set_in_lines_that_a_phone_has_room_for():
    words = "the cat is on the mat and the dog sat in the house"
    step = explain(derive(words, [f"{words} of ours"], max_order=9)).steps[-2]
    [total, *_] = [block for block in step.blocks if isinstance(block, Equation)]
    markup = html.block(total)
    rows = re.findall(r"<mtr>.*?</mtr>", markup)
    assert [row.count(">ln<") for row in rows] == [1, 4, 4, 1, 0]
    assert [row.count('<mo form="infix">+</mo>') for row in rows] == [0, 0, 1, 1, 0]
    assert markup.count("<mtable>") == 1


def test_mathml_shows_symbols_then_numbers_then_the_result():
    document = explain(derive("the cat is on mat", ["the cat is on the mat"]))
    markup = html.step(document.steps[2])
    plain = re.sub(r"<[^>]+>", " ", markup)
    assert re.search(r"p\s+2\s+=\s+matched\s+2\s+total\s+2\s+=\s+3\s+4\s+=\s+0\.7500", plain)


def test_repeated_sides_are_left_out():
    document = explain(derive("a b c d", ["a b c d"]))
    assert text.render(document).count("BP = 1\n") == 1


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_summary_reads_as_published(name):
    example_ = EXAMPLES[name]
    document = explain(derive(example_.hypothesis, example_.references, **example_.settings))
    assert text.one_line(document.summary).startswith(
        f"BLEU-4 = {example_.value * 100:.2f} ({example_.value:.4f}) "
    )


@given(st.floats(0, 1))
@example(0.99999999999)
@example(5e-324)
def test_rounding_never_reaches_an_end_of_the_scale(value):
    shown = [number_text(value), *both_scales(value)]
    if 0 < value < 1:
        assert not {"0", "1", "0.0000", "1.0000", "100.00"} & set(shown)
    for one in (shown[0], shown[2]):
        assert float(one.replace("−", "-")) == pytest.approx(value, abs=5e-5)
    assert is_rounded(value) == (Fraction(shown[0].replace("−", "-")) != Fraction(value))


def test_a_tiny_score_stands_as_the_implementation_prints_it_and_not_a_hundred_times_that():
    """NLTK prints 7.81e-232 for these texts; 7.81e-230 is printed by nobody."""
    texts = ("the dog ran home", ["the cat is on the mat"])
    shown = html.summary(explain(derive(*texts, convention="nltk-method0")).summary)
    assert "<b>≈ 0</b> <small>on the 0–100 scale" in shown
    assert "<b>7.814e−232</b> <small>on the 0–1 scale" in shown
    assert '<td><span class="whole">≈ 0</span> <meter' in shown


def test_a_symbol_is_said_once_where_styles_are_taken_away():
    shown = html.summary(explain(derive("a b", ["a b"])).summary)
    assert '<th scope="row"><math aria-label="p 1">' in shown
    assert "spoken" not in shown


@given(segments, settings())
def test_json_has_every_quantity_exactly(segment, choices):
    derivation = derive(*segment, **choices)
    found = loads(json.render(derivation))
    score = derivation.score
    assert found["score"]["value"] == score.value
    assert [Fraction(p) for p in found["score"]["precisions"]] == list(score.precisions)
    assert Fraction(found["statistics"]["reference_length"]) == score.reference_length
    for order, rows in zip(derivation.orders, found["orders"], strict=True):
        assert sum(row["clipped_count"] for row in rows) == order.matched
        assert sum(row["count"] for row in rows) == order.total


CODE = re.compile(r"(?<![`\\])(`+)(?!`)(.+?)(?<!`)\1(?!`)")
"""A code span: what begins with backticks that are not escaped, and ends with as many."""

ADDRESSES = (
    "http://example.org/a https://x.y?b=c) ftp://x.y/ HTTP://EXAMPLE.ORG",
    "www.example.org (Www.example.org/a|b) bob@example.org mailto:bob@example.org",
    "@name (@name) @org/team #123 a/b#7 !42 \\@name\\|#1",
)
"""What code hosts make links and mentions of, whatever is escaped, unless it is code."""


def in_code(source: str) -> list[str]:
    """What the code spans of Markdown show, the cells of a table put together."""
    return [re.sub("^ (.*[^ ].*) $", r"\1", words) for _, words in CODE.findall(source)]


@given(hostile)
@example(" ".join(HOSTILE))
@example(" ".join(ADDRESSES))
@example("`` ` ``` | a|b `a a` | || \\| \\` `|`")
def test_markdown_interprets_nothing_and_keeps_its_tables(words):
    document = explain(derive(words, [words], max_order=2))
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
    """Outside code there is nothing that a code host makes a link or a mention of."""
    assert not re.search(r"://|www\\?\.|@|\\#|!\d", CODE.sub("", source), re.IGNORECASE)


@given(hostile | st.text("@#:/.w1a|` \\"))
@example(" ".join(ADDRESSES))
def test_markdown_makes_no_link_or_mention_of_a_text(words):
    document = explain(derive(words, [f"{words} x"], max_order=2))
    source = markdown.render(document)
    for step in document.steps:
        if step.citation:
            source = source.replace(f"]({step.citation.url})", "")
    check_no_links(source)


@pytest.mark.parametrize("name", [one for words in ADDRESSES for one in words.split()])
def test_markdown_makes_no_link_or_mention_of_a_name(name):
    table = Table("a", "A", ("System", "BLEU"), (Row((f"{name}.txt", "1")),))
    source = markdown.blocks([table, paragraph(f"{name} and a_b.txt are the same")])
    check_no_links(source)
    assert r" and a\_b.txt are the same" in source
    assert "".join(in_code(source.splitlines()[4])) == f"{name}.txt".replace("|", "")


@given(hostile_tokens)
@example([*ADDRESSES, "`", "``", "a|", "|", "\\|", "`|`", " ` ", "a\\"])
def test_markdown_shows_every_token_as_it_is(tokens):
    shown = [word for token in tokens for word in token_text(token).split("|") if word]
    table = Table("a", "A", ("x", "y"), tuple(Row((Quote(token_text(t)), "1")) for t in tokens))
    for content in (table, paragraph(*(Quote(token_text(token)) for token in tokens))):
        source = markdown.blocks([content]).replace(r"\|", "\n")
        found = in_code(source)
        # of spaces alone, a cell shows none
        assert [word for word in found if word.strip(" ")] == [
            word for word in shown if word.strip(" ")
        ]


@given(segments, settings())
def test_markdown_and_text_show_the_same_equations(segment, choices):
    document = explain(derive(*segment, **choices))
    shown = markdown.render(document)
    for step in document.steps:
        for block in step.blocks:
            if isinstance(block, Equation):
                assert f"`{text.equation(block)}`" in shown
