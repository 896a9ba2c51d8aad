"""All formats of a derivation show the same numbers, and every equation shown is true."""

import csv
import io
import json
import math
import re
import xml.etree.ElementTree as ET
from fractions import Fraction
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from bleu import CONVENTIONS, derive, explain
from bleu.document.blocks import Table
from bleu.metric.expressions import (
    Add,
    Call,
    Div,
    Equation,
    Mul,
    Num,
    Pow,
    Root,
    Sub,
    Sym,
    evaluate,
)
from bleu.metric.numerics import ln
from bleu.render import csv as csv_renderer
from bleu.render import html, html_page, latex, markdown, mathml, text
from bleu.render import json as json_renderer
from bleu.render.numbers import decimal_text, number_text, sides
from tests.render.test_latex import tables, unescape
from tests.support.strategies import HOSTILE, hostile_segments, segments, settings

VOID_ELEMENTS = {"meta"}
FUNCTIONS = {
    "exp": math.exp,
    "ln": lambda x: ln(Fraction(x)),
    "abs": abs,
    "max": max,
    "F": Fraction,
    "INFINITY": math.inf,
}
NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def any_derivation(segment, choices, convention):
    """Return a derivation under the convention if there is one, else under the settings."""
    try:
        return derive(*segment, **({"convention": convention} if convention else choices))
    except ValueError:  # Some conventions reject some texts.
        assume(False)
        raise


derivations = st.builds(
    any_derivation, segments, settings(), st.none() | st.sampled_from(tuple(CONVENTIONS))
)


def equations(document):
    """Return all equations of a document."""
    return [block for step in document.steps for block in step.blocks if type(block) is Equation]


def value_of(formula):
    """Return the value of a formula as shown in plain text, or None if it has symbols."""
    python = formula.replace("−", "-").replace("·", "*").replace("^", "**").replace("∞", "INFINITY")
    if re.search(r"[^\W\d_]", re.sub(r"exp|ln|abs|max|INFINITY|\de", "", python)) or "_" in python:
        return None
    exact = NUMBER.sub(r"F('\g<0>')", python)
    return eval(f"({exact})", dict(FUNCTIONS))


def latex_as_text(formula):
    """Return a LaTeX formula as equivalent plain text."""
    flat = formula.replace(r"\\", "").replace("&", "").replace(r"\qquad", "")
    flat = re.sub(r"\\(begin|end)\{gathered\}", "", flat)
    flat = flat.replace(r"\left|", "abs(").replace(r"\right|", ")").replace(r"\infty", "∞")
    flat = flat.replace(r"\left", "").replace(r"\right", "").replace(r"\cdot", "*")
    flat = flat.replace("^{", "**{")
    inner = r"\{([^{}]*)\}"
    for _ in range(20):
        flat = re.sub(rf"\\frac{inner}{inner}", r"((\1)/(\2))", flat)
        flat = re.sub(rf"\\sqrt\[(\d+)\]{inner}", r"((\2)**(1/\1))", flat)
        flat = re.sub(rf"\\sqrt{inner}", r"((\1)**(1/2))", flat)
        flat = re.sub(rf"\*\*{inner}", r"**(\1)", flat)
    flat = re.sub(r"\\ln (\d[\d.]*|\(\(\d+\)/\(\d+\)\))", r"ln(\1)", flat)
    return re.sub(r"\\(exp|ln|max)", r"\1", flat)


def latex_sides(source):
    """Return the right-hand sides of an equation in LaTeX."""
    body = re.sub(r"\\\[|\\\]|\\(begin|end)\{align\*\}", "", source)
    return re.split(r"&?(?:=|\\approx) ", body)[1:]


def mathml_as_text(markup):
    """Return a number in MathML as plain text."""

    def node_text(node):
        parts = [node_text(child) for child in node]
        if node.tag == "mfrac":
            return "/".join(parts)
        if node.tag == "msup":
            return f"{parts[0]}^{parts[1]}"
        return (node.text or "") + "".join(parts)

    return node_text(ET.fromstring(f"<math>{markup}</math>"))


def normalized_number(number):
    """Return a number from LaTeX or MathML in the notation of plain text."""
    plain = number.replace("-", "−").replace(r"\infty", "∞").replace(" ", "")
    plain = re.sub(r"(?:\\cdot|·)10\^\{?(−?\d+)\}?", r"e\1", plain)
    plain = re.sub(r"e\+?(−?)0*(\d)", r"e\1\2", plain)
    return re.sub(r"\\frac\{(\d+)\}\{(\d+)\}", r"\1/\2", plain)


@given(derivations)
@example(derive("the", ["the " * 11], max_order=1))
def test_every_equation_ends_with_the_value_of_its_left_side(derivation):
    document = explain(derivation)
    markdown_source = markdown.render(document)
    for equation in equations(document):
        value = evaluate(equation.left)
        line = text.equation(equation)
        ends = [
            re.split(r" [=≈] ", line)[-1],
            sides(equation, latex.formula)[-1][1],
            mathml_as_text(sides(equation, mathml.mathml)[-1][1]),
        ]
        assert {normalized_number(end) for end in ends} <= {
            normalized_number(number_text(value)),
            normalized_number(decimal_text(value)) if math.isfinite(value) else "",
        }
        assert f"{ends[1]}$\n" in markdown_source
        assert latex_sides(latex.equation(equation))[-1].strip() == ends[1]


@given(derivations)
def test_every_side_with_numbers_has_the_value_of_the_left_side(derivation):
    for equation in equations(explain(derivation)):
        value = evaluate(equation.left)
        formulas = [side for _, side in sides(equation, text.formula)]
        formulas += [latex_as_text(side) for _, side in sides(equation, latex.formula)]
        formulas += [latex_as_text(side) for _, side in sides(equation, latex._in_lines)]
        values = [(formula, value_of(formula)) for formula in formulas]
        numeric = [(formula, number) for formula, number in values if number is not None]
        assert len(numeric) >= 2
        for formula, number in numeric:
            approximate = pytest.approx(float(value), rel=2e-3, abs=1e-4)
            assert number == value or float(number) == approximate, formula


numbers = st.integers(1, 9) | st.fractions(Fraction(1, 9), 9, max_denominator=9)
leaves = numbers.map(Num) | st.builds(Sym, st.just("x"), numbers)
positive = st.recursive(
    leaves,
    lambda operands: st.one_of(
        st.builds(lambda *terms: Add(terms), operands, operands, operands),
        st.builds(lambda *factors: Mul(factors), operands, operands),
        st.builds(Div, operands, operands),
        st.builds(Pow, operands, st.sampled_from((Num(1), Num(2), Num(Fraction(1, 2))))),
        st.builds(Root, leaves, st.integers(1, 4)),
        st.builds(lambda a, b: Call("max", (a, b)), operands, operands),
        st.builds(lambda a, b: Call("abs", (Sub(a, b),)), leaves, leaves).map(
            lambda call: Add((call, Num(1)))
        ),
    ),
    max_leaves=8,
)


@given(st.builds(Sub, positive, positive) | st.builds(lambda x: Call("ln", (x,)), positive))
@example(Mul((Sub(Num(3), Sub(Num(2), Num(1))), Sub(Num(1), Num(5)))))
@example(Pow(Div(Num(1), Num(2)), Num(2)))
@example(Pow(Pow(Num(2), Num(2)), Num(Fraction(1, 2))))
@example(Div(Num(8), Div(Num(4), Num(2))))
@example(Add(tuple(map(Num, range(50)))))
def test_formulas_keep_necessary_parentheses(expr):
    value = evaluate(expr)
    equation = Equation(Sym("y", float(value)), expr)
    formulas = [side for _, side in sides(equation, text.formula)]
    formulas += [latex_as_text(side) for _, side in sides(equation, latex.formula)]
    values = [number for number in map(value_of, formulas) if number is not None]
    assert len(values) >= 2
    for number in values:
        assert float(number) == pytest.approx(float(value), rel=1e-3, abs=1e-3)


@given(segments, settings())
@example((list(HOSTILE), [list(HOSTILE)]), {"max_order": 4})
def test_csv_and_json_have_the_same_counts(segment, choices):
    derivation = derive(*segment, **choices)
    data = json.loads(json_renderer.render(derivation))
    csv_source = io.StringIO(csv_renderer.render(derivation), newline="")
    rows = iter(list(csv.reader(csv_source))[1:])
    for order in data["orders"]:
        for match, row in zip(order, rows, strict=False):
            counts = [match["count"], *match["reference_counts"]]
            maximum = max(match["reference_counts"])
            assert row[2:] == list(map(str, [*counts, maximum, match["clipped_count"]]))
    assert next(rows, None) is None


@given(segments, settings())
def test_tables_in_text_markdown_and_latex_have_the_same_cells(segment, choices):
    document = explain(derive(*segment, **choices))
    blocks = [block for step in document.steps for block in step.blocks if type(block) is Table]
    latex_tables = iter(tables(latex.render(document)))
    markdown_source_tables = iter(markdown_tables(markdown.render(document)))
    for table in [document.summary.table, *blocks]:
        rows = [*table.rows, *((table.foot,) if table.foot else ())]
        numbers = [[text.span(cell) for cell in row.cells[1:]] for row in rows]
        assert [row[1:] for row in next(markdown_source_tables)[1:]] == numbers
        latex_rows = [[] for _ in rows]
        while any(len(row) < len(numbers[0]) for row in latex_rows):
            for row, cells in zip(latex_rows, next(latex_tables)[1:], strict=True):
                row += [cell_text(cell) for cell in cells[1:]]
        assert latex_rows == [[cell_text(cell) for cell in row] for row in numbers]
    assert next(latex_tables, None) is None


def cell_text(cell):
    """Return a LaTeX cell as plain text, without its bar."""
    return normalized_number(unescape(re.sub(r" \\ratio.*", "", cell)).replace("$", ""))


def markdown_tables(source):
    """Yield the cells of every table, header first."""
    for block in source.split("\n\n"):
        if block.startswith("|"):
            lines = [re.split(r"(?<!\\)\|", line)[1:-1] for line in block.splitlines()]
            assert len(set(map(len, lines))) == 1
            plain = [[re.sub(r"\\(.)", r"\1", cell.strip()) for cell in row] for row in lines]
            yield [row for row in plain if not set("".join(row)) <= set("-:")]


class PageReader(HTMLParser):
    """A parser that collects tags and links, and fails if elements are not nested properly."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.links = [], [], []
        self.title = ""

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.links += [value for name, value in attrs if name in {"href", "src", "action"}]
        if tag not in VOID_ELEMENTS:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] == ["title"]:
            self.title += data


@given(hostile_segments, settings())
@example((list(HOSTILE), [list(HOSTILE)]), {"max_order": 4})
def test_page_is_well_formed_and_loads_nothing(segment, choices):
    document = explain(derive(*segment, **choices))
    source = html_page.render(document)
    reader = PageReader()
    reader.feed(source)
    reader.close()
    assert reader.open == []
    tags = [tag for tag, _ in reader.tags]
    assert ("html", {"lang": "en"}) in reader.tags
    assert ("meta", {"charset": "utf-8"}) in reader.tags
    assert reader.title.startswith(document.summary.name)
    assert not {"script", "link", "img", "iframe", "object", "base", "form"} & set(tags)
    assert not re.search(r"url\(|@import", html_page.PAGE_STYLE)
    ids = [attributes["id"] for _, attributes in reader.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    internal = {link.removeprefix("#") for link in reader.links if link.startswith("#")}
    assert internal <= set(ids)
    external = {link for link in reader.links if not link.startswith("#")}
    assert all(link.startswith("https://aclanthology.org/") for link in external)
    assert html.render(document)[:200] in source
    headings = [int(tag[1]) for tag in tags if re.fullmatch(r"h\d", tag)]
    assert headings[0] == 1
    assert all(b <= a + 1 for a, b in pairwise(headings))


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_no_format_shows_more_than_17_digits(convention):
    texts = ("the cat is near mat", ["the cat is on the mat"])
    document = explain(derive(*texts, convention=convention))
    for render in (html.render, latex.render, markdown.render, text.render):
        assert not re.search(r"\d{18}", re.sub(r"data-[a-z]+=\S+", "", render(document)))
