"""Hostile text in every view, export and file: nothing is interpreted, hidden or misstated."""

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.components import reference_boxes
from app.files.form_html import (
    column_choices,
    source_item,
    system_rows,
)
from app.files.listing import (
    SegmentListing,
    segment_table,
)
from app.files.reading import (
    TextSource,
    column_sources,
    parse_table,
    pasted_source,
    read_source,
)
from app.files.result_html import (
    CORPUS_FORMATS,
    derivation_html,
    ngram_gains,
    result_html,
)
from app.files.scoring import (
    credit_differences,
    parallel_texts,
    score,
)
from app.files.segment_html import segment_derivations, segment_view
from app.score import html as page_view
from app.score.html import build_snapshot, matches_html
from app.score.lanes import lanes_json
from app.score.strip import strip_html
from app.state.inputs import Inputs, apply_action
from app.state.saved_form import from_fragment, to_fragment
from app.tools.html import code_html, iter_what_if_html, tokenizers_html
from bleu import Settings, derive, sentence_bleu
from bleu.checkup.faults import TEXT_FAULTS
from bleu.core.progress import run_to_end
from bleu.explanation.matches import ngram_sentence
from bleu.explanation.phrases import MAX_MARKS, MAX_TOKEN_CHARACTERS, token_text
from bleu.explanation.report import report_blocks
from bleu.explanation.stations import station_names
from bleu.files.data_table import guess_roles
from bleu.files.text_files import FileError
from bleu.formats import SCORE_FORMATS
from bleu.render import html, tabular
from tests.support.plain_markup import plain
from tests.support.strategies import HOSTILE, hostile, names

TAGS = {
    "a", "annotation", "b", "bdi", "button", "caption", "circle", "code", "dd", "defs", "desc",
    "details", "dfn", "div", "dl", "dt", "fieldset", "figcaption", "figure", "g", "h2", "h3", "h4",
    "i", "input", "label", "legend", "li", "line", "mark", "math", "meter", "mfrac", "mi", "mn",
    "mo", "mroot", "mrow", "mspace", "msqrt", "mstyle", "msub", "msubsup", "msup", "mtable", "mtd",
    "mtr", "munderover", "nav", "ol", "option", "output", "p", "pattern", "polygon", "polyline",
    "pre", "q", "rect", "section", "select", "small", "span", "strong", "summary", "svg", "table",
    "tbody", "td", "text", "textarea", "tfoot", "th", "thead", "title", "tr", "ul", "wbr",
}  # fmt: skip
"""The elements of the page's changing parts; none of them loads or runs anything."""

OWN_LINKS = re.compile(r"(#[a-z0-9-]+|https://aclanthology\.org/[A-Z0-9.-]+/?(\.pdf)?)")
"""The allowed destinations of links."""

INVISIBLE = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0001-\U000e007f]"
)
"""Characters that are invisible or change the direction of text, except joiners."""

LINES = st.lists(hostile.map(lambda text: " ".join(text.splitlines())), min_size=1, max_size=3)


class MarkupChecker(HTMLParser):
    """An HTML parser that fails on elements, attributes and links that the page never has."""

    def handle_starttag(self, tag, attrs):
        assert tag in TAGS, tag
        for name, value in attrs:
            assert not name.startswith("on"), name
            assert name not in {"style", "src", "srcdoc", "action", "formaction", "autofocus"}
            assert name != "href" or OWN_LINKS.fullmatch(value or ""), value

    def handle_comment(self, data):
        raise AssertionError(f"a comment: {data}")

    handle_decl = unknown_decl = handle_pi = handle_comment


def check_markup(markup):
    """Assert that the input has not become markup and that no character is invisible."""
    checker = MarkupChecker()
    checker.feed(markup)
    checker.close()
    check_visible(markup.replace("\u2061", ""))


def check_visible(text):
    """Assert that no character of an output is invisible or changes the direction."""
    assert not INVISIBLE.search(text)


def form_inputs(first, second):
    """Return a form with these texts."""
    return Inputs(first, (second, first), max_order="3")


def test_markup_checker_refuses_hostile_markup():
    for markup in ("<script>", "<p onclick=x>", "<a href=//x>", "<!-- -->", "<p>\u202e", "<img>"):
        with pytest.raises(AssertionError):
            check_markup(markup)


@given(hostile, hostile)
@example(" ".join(HOSTILE), " ".join(HOSTILE))
def test_result_steps_and_sentences_of_the_page_are_safe(first, second):
    inputs = form_inputs(first, second)
    snapshot = build_snapshot(inputs)
    check_markup(snapshot.view.result + snapshot.view.steps.contents)
    for anchor in station_names(snapshot.derivation):
        check_markup(strip_html(snapshot, anchor)[0])
    for markup in snapshot.view.steps.by_anchor.values():
        check_markup(markup)
    check_visible(snapshot.view.line + snapshot.view.spoken)
    for order in "13":
        check_markup(matches_html(snapshot.derivation, order))
    for box in filter(None, json.loads(lanes_json(inputs, snapshot.derivation, 0))):
        check_markup(box["description"])
        check_visible(box["line"])
    for index in range(len(snapshot.derivation.orders[0].counts)):
        check_markup(html.paragraph(ngram_sentence(snapshot.derivation, f"1-{index}")))
    assert snapshot.derivation.score.value == pytest.approx(
        sentence_bleu(first, [t for t in (second, first) if t.strip()] or [""], max_order=3).value
    )


@given(hostile, hostile)
@example(" ".join(HOSTILE), "x")
def test_tools_and_text_boxes_are_safe(first, second):
    inputs = form_inputs(first, second)
    snapshot = build_snapshot(inputs)
    check_markup(tokenizers_html(inputs))
    check_markup(code_html(snapshot))
    check_markup(run_to_end(iter_what_if_html(snapshot, [])))
    checker = MarkupChecker()
    checker.feed(reference_boxes((first, second)))  # Boxes keep invisible characters as typed.
    checker.close()


@given(hostile, hostile)
@example(" ".join(HOSTILE), " ".join(HOSTILE))
def test_exports_are_safe(first, second):
    snapshot = build_snapshot(Inputs(first, (second,), max_order="2"))
    exports = {name: form.render(snapshot.explained) for name, form in SCORE_FORMATS.items()}
    for name in ("markdown", "text", "latex", "html"):
        check_visible(exports[name])
    elements = {node.tag.partition("}")[2] for node in ET.fromstring(exports["svg"]).iter()}
    assert elements <= TAGS
    check_visible(exports["svg"])
    assert exports["json"].isascii()
    tokens = json.loads(exports["json"])["tokens"]
    assert tokens == {
        "hypothesis": list(snapshot.derivation.hypothesis),
        "references": [list(snapshot.derivation.references[0])],
    }
    rows = list(csv.reader(io.StringIO(exports["csv"], newline=""), strict=True))
    assert {len(row) for row in rows} == {6}
    assert not any(cell.startswith(tuple("=+-@\t\r\n＝＋－＠")) for row in rows for cell in row)


@given(st.text())
@example("".join(HOSTILE))
def test_displayed_token_contains_every_character(text):
    displayed = token_text(text)
    check_visible(displayed)
    restored = re.sub(r"⟨U\+([0-9A-F]+)⟩", lambda code: chr(int(code[1], 16)), displayed)
    if len(text) <= MAX_TOKEN_CHARACTERS and "⟨U+" not in text:
        assert restored == (text or "⟨empty⟩")
    assert len(displayed) <= 10 * MAX_TOKEN_CHARACTERS


def test_combining_marks_are_limited():
    displayed = token_text("a" + 30 * "\u0301")
    assert displayed == "a" + MAX_MARKS * "\u0301" + (30 - MAX_MARKS) * "⟨U+0301⟩"
    assert token_text("a" + 30 * "\u0301\u200d").count("⟨") == 30 - MAX_MARKS
    assert token_text(10 * "e\u0301") == 10 * "e\u0301"


@given(hostile, hostile, st.sampled_from(list(TEXT_FAULTS)))
def test_link_restores_every_text(first, second, name):
    inputs = apply_action(replace(Inputs(first, (second,)), lowercase=True), f"repair:{name}")
    restored = from_fragment("#" + to_fragment(inputs))
    expected = [
        text.encode(errors="replace").decode()  # A URL cannot hold a lone surrogate.
        for text in (inputs.hypothesis, *inputs.references)
    ]
    assert restored is not None
    assert [restored.hypothesis, *restored.references] == expected
    assert to_fragment(inputs).isascii()
    assert not set(to_fragment(inputs)) & set("<>\"'` \n")


@pytest.mark.parametrize(
    "parameters",
    ["weights=1e999999999,0", "smoothing=floor&smoothing-value=1e-999999999",
     "smoothing=add-k&smoothing-value=1e" + "9" * 5000, "max-order=" + "9" * 5000,
     "smoothing=floor&smoothing-value=" + "1" * 10**6, "weights=" + "1/" * 10**5,
     "max-order=04", "max-order=٤"],
)  # fmt: skip
def test_hostile_number_in_a_link_is_ignored(parameters):
    inputs = from_fragment(f"hypothesis=a&reference=b&{parameters}")
    assert inputs is not None
    assert (inputs.max_order, inputs.smoothing_value, inputs.weights) == ("4", "", "")


def score_rows(rows, labels):
    """Return the outcome of rows of (baseline, system, reference)."""
    sources = [
        TextSource(token_text(name), lines)
        for name, lines in zip(labels, zip(*rows, strict=True), strict=True)
    ]
    texts = parallel_texts(sources[:2], sources[2:])
    return run_to_end(score(texts, Settings(max_order=2)))


def check_tabular(source, cells):
    """Assert that a table has two rows of `cells` cells and only commands for characters."""
    commands = set(re.findall(r"\\([A-Za-z]+|[^A-Za-z])", source))
    assert commands <= {
        *(
            "begin",
            "end",
            "toprule",
            "midrule",
            "bottomrule",
            "usepackage",
            "\\",
            "&",
            "%",
            "$",
            "#",
            "_",
            "{",
            "}",
            "textbackslash",
        ),
        *("textasciitilde", "textasciicircum", "textless", "textgreater", "textbar"),
        *("langle", "rangle"),
    }
    _, rows = source.split("\\midrule\n")
    rows, _ = rows.split("\\bottomrule\n")
    *rows, end = rows.split(" \\\\\n")
    assert (len(rows), end) == (2, "")
    for row in rows:
        assert len(re.findall(r"(?<!\\)&", row)) == cells - 1
        assert not re.search(r"^[\[*]|(?<!\\)[#%_]|[~^]", row)
        assert len(re.findall(r"(?<!\\)\$", row)) % 2 == 0
        assert len(re.findall(r"(?<!\\)\{", row)) == len(re.findall(r"(?<!\\)\}", row))


@given(
    st.lists(st.tuples(hostile, hostile, hostile), min_size=1, max_size=3),
    st.tuples(names, names, names),
)
@example([(text, text, text) for text in HOSTILE], HOSTILE[:3])
@example([(text, text, text) for text in HOSTILE], HOSTILE[-3:])
def test_corpus_views_and_exports_are_safe(rows, labels):
    outcome = score_rows(rows, labels)
    check_markup(result_html(outcome, 1))
    check_markup(derivation_html(outcome, 1))
    check_markup(
        segment_table(outcome, SegmentListing(query=rows[0][0], system_index=1), range(len(rows)))
    )
    check_markup(segment_table(outcome, SegmentListing(query=rows[0][0], system_index=1), []))
    check_markup(segment_view(outcome, segment_derivations(outcome, 0), 0, [0], 1, 1))
    check_markup(system_rows([("a", name, name) for name in outcome.texts.names], "a"))
    gains = run_to_end(credit_differences(outcome, 1))
    check_markup(ngram_gains(outcome, 1, gains))
    for name, lines in zip(outcome.texts.names, outcome.texts.systems, strict=True):
        check_markup(source_item("system", 0, TextSource(name, lines)))
    for name in ("markdown", "table-markdown", "latex-rows"):
        check_visible(CORPUS_FORMATS[name].render(outcome))
    blocks = CORPUS_FORMATS["markdown"].render(outcome).split("\n\n")
    for index, cells in ((2, 3), (4, 6)):
        table = blocks[index].splitlines()
        assert {len(re.findall(r"(?<!\\)\|", line)) for line in table} == {cells + 1}
    latex = tabular.blocks(report_blocks(outcome.report))
    assert CORPUS_FORMATS["latex-rows"].render(outcome).partition("\n")[2].strip() in latex
    tables = re.findall(r"\\begin\{tabular\}.*?\\end\{tabular\}", latex, re.DOTALL)
    assert len(tables) == 2
    for table, cells in zip(tables, (3, 6), strict=True):
        check_tabular(table, cells)
    exported = json.loads(CORPUS_FORMATS["json"].render(outcome))["systems"]
    assert [system["name"] for system in exported] == outcome.texts.names
    lines = CORPUS_FORMATS["jsonl"].render(outcome).split("\n")
    assert lines.pop() == ""
    assert [json.loads(line)["systems"][1]["hypothesis"] for line in lines] == [
        row[1] for row in rows
    ]
    numbers = csv.reader(io.StringIO(CORPUS_FORMATS["csv"].render(outcome)))
    assert all(re.fullmatch(r"[\d.e-]+", cell) for row in list(numbers)[1:] for cell in row)


@given(names, st.lists(names, min_size=2, max_size=4, unique=True), hostile)
def test_columns_of_a_table_are_safe(name, columns, cell):
    line = json.dumps(dict.fromkeys(columns, cell))
    table = run_to_end(parse_table(pasted_source(token_text(name), f"{line}\n{line}")))
    check_markup(column_choices(table, guess_roles(table)))
    for index, _ in enumerate(columns):
        [source] = run_to_end(column_sources(table, index))
        check_visible(source.name)
        assert list(source.lines) == [cell.replace("\n", " ")] * 2


def check_file_error(read, name):
    """Assert that `read` succeeds or fails with a short message that begins with `name`."""
    try:
        read()
    except FileError as error:
        message = plain(str(error))
    else:
        return
    check_visible(message)
    assert message.startswith(name)
    assert len(message) < len(name) + 10 * MAX_TOKEN_CHARACTERS


@given(names, LINES | st.lists(st.text("{}[],:\"\t'0ae \\", max_size=30), max_size=4))
@example("a", ['{"a": ' + "[" * 100_000])
@example("a", ["{}", "{}"])
@example("a", ['{"a": ' + "1" * 5000 + "}"])
@example("a", ['{"a": [[1]], "b": {}}'])
@example("a", ['a,b\0,"', '"'])
def test_hostile_table_is_read_or_refused_with_a_message(name, lines):
    source = TextSource(token_text(name), lines)

    def read():
        table = run_to_end(parse_table(source))
        return [run_to_end(column_sources(table, index)) for index, _ in enumerate(table.columns)]

    check_file_error(read, source.name)


def test_brackets_in_texts_do_not_count_as_nesting():
    text = "[" * 200 + '"\\' + "{" * 200
    table = run_to_end(
        parse_table(pasted_source("a.jsonl", json.dumps({"a": [[text]], text: text})))
    )
    assert list(table.rows) == [[[text], text]]
    for deep in ("[" * 101, '{"a": ' * 101, '"' + "[" * 200 + '" ' + "[" * 101):
        with pytest.raises(FileError, match=r"line 1 is nested more than 100 deep; give texts"):
            run_to_end(parse_table(TextSource("a.jsonl", ["{" + deep])))


def test_rows_of_empty_cells_are_segments():
    table = run_to_end(parse_table(pasted_source("a.tsv", "system\treference\n\t\nx\ty\n")))
    assert [list(row) for row in table.rows] == [["", ""], ["x", "y"]]


@given(names, st.binary(max_size=60))
@example("a.gz", b"\x1f\x8b\x08\0\0\0\0\0\0\3")
@example("a", b"\xff\xfea")
def test_arbitrary_file_is_read_or_refused_with_a_message(name, content):
    work = read_source(token_text(name), io.BytesIO(content), len(content))
    check_file_error(lambda: run_to_end(work), token_text(name))


@given(hostile, hostile)
def test_findings_are_safe(first, second):
    inputs = Inputs(f"{first}x, cat,", (f"{second}x cat",))
    texts = inputs.hypothesis, inputs.references
    check_markup(page_view._findings_fold(page_view.findings(*texts, derive(*texts))))


def test_thousand_references_are_shown_and_exported():
    inputs = Inputs("the cat is on mat", tuple(f"the cat is on the mat {n}" for n in range(1000)))
    snapshot = build_snapshot(inputs)
    assert (
        snapshot.derivation.score.value == sentence_bleu(inputs.hypothesis, inputs.references).value
    )
    for markup in (
        snapshot.view.result,
        *snapshot.view.steps.by_anchor.values(),
        matches_html(snapshot.derivation, "1"),
    ):
        check_markup(markup)
    assert from_fragment(to_fragment(inputs)) == inputs
    for form in SCORE_FORMATS.values():
        assert form.render(snapshot.explained)


def test_token_of_ten_megabytes_is_abbreviated_except_in_data_formats():
    text = "ab\u0301" * (10 * 2**20 // 3)
    snapshot = build_snapshot(Inputs(text, (text,), max_order="1"))
    assert snapshot.derivation.score.value == 1.0
    parts = (
        snapshot.view.result,
        *snapshot.view.steps.by_anchor.values(),
        matches_html(snapshot.derivation, "1"),
        lanes_json(Inputs(text, (text,), max_order="1"), snapshot.derivation, 0),
    )
    assert sum(map(len, parts)) < 100_000
    for name in ("markdown", "latex", "text", "html", "svg"):
        assert len(SCORE_FORMATS[name].render(snapshot.explained)) < 100_000
    assert json.loads(SCORE_FORMATS["json"].render(snapshot.explained))["tokens"]["hypothesis"] == [
        text
    ]
    assert text in SCORE_FORMATS["csv"].render(snapshot.explained)
