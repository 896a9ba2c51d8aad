"""Hostile and odd text through every form: nothing is interpreted, hidden, or said wrongly."""

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

from app.components.text_boxes import reference_boxes
from app.files.checking import (
    CorpusTexts,
)
from app.files.exports import CORPUS_FORMATS
from app.files.form_html import (
    column_choices,
    source_item,
    system_rows,
)
from app.files.listing import (
    SegmentListing,
    segment_table,
)
from app.files.result_html import (
    derivation_html,
    ngram_gains,
    result_html,
)
from app.files.scoring import (
    credit_differences,
    score,
)
from app.files.segment_html import segment_derivations, segment_view
from app.files.tables import (
    TextSource,
    column_sources,
    guess_roles,
    parse_table,
    pasted_source,
    read_source,
)
from app.score import html as page_view
from app.score.exports import EXPORT_FORMATS
from app.score.html import build_snapshot, matches_html
from app.state.inputs import Inputs, apply_action
from app.state.permalink import from_fragment, to_fragment
from app.tools.html import code_html, tokenizer_lens, what_if_slices
from bleu import Settings, derive, sentence_bleu
from bleu.analysis.diagnosis import CLEANINGS
from bleu.core.progress import run_to_end
from bleu.corpus.text_files import FileError
from bleu.explanation.matches import ngram_sentence
from bleu.explanation.phrases import MAX_MARKS, MAX_TOKEN_CHARACTERS, token_text
from tests.support.strategies import HOSTILE, hostile, names

TAGS = {
    *("annotation", "a", "b", "bdi", "button", "caption", "circle", "code", "dd", "defs", "desc"),
    *(
        "details",
        "summary",
        "dfn",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "g",
        "h2",
        "h3",
        "h4",
        "i",
        "input",
    ),
    *("label", "legend", "li", "line", "math", "meter", "mfrac", "mi", "mn", "mo", "mrow", "msub"),
    *(
        "mstyle",
        "msubsup",
        "msup",
        "mspace",
        "mtable",
        "mtd",
        "mtr",
        "munderover",
        "mroot",
        "msqrt",
        "nav",
    ),
    *("ol", "option", "output", "p", "pattern", "polygon", "polyline", "pre", "q", "rect"),
    *("section", "select", "small", "span", "strong", "svg", "table", "tbody", "td", "text"),
    *("textarea", "tfoot", "th", "thead", "title", "tr", "ul", "wbr"),
}
"""Every element that the page's changing parts are made of; none loads or runs anything."""

OURS = re.compile(r"(#[a-z0-9-]+|https://aclanthology\.org/[A-Z0-9.-]+/?(\.pdf)?)")
"""Where a link may lead."""

HIDDEN = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0001-\U000e007f]"
)
"""Characters that nobody sees, or that turn what stands around them; not the joiners."""

LINES = st.lists(hostile.map(lambda text: " ".join(text.splitlines())), min_size=1, max_size=3)


class Reader(HTMLParser):
    """Reads as a browser does, and complains of what is not ours."""

    def handle_starttag(self, tag, attrs):
        assert tag in TAGS, tag
        for name, value in attrs:
            assert not name.startswith("on"), name
            assert name not in {"style", "src", "srcdoc", "action", "formaction", "autofocus"}
            assert name != "href" or OURS.fullmatch(value or ""), value

    def handle_comment(self, data):
        raise AssertionError(f"a comment: {data}")

    handle_decl = unknown_decl = handle_pi = handle_comment


def read(markup):
    """Nothing in the markup is the reader's, and nothing of the reader's is hidden."""
    reader = Reader()
    reader.feed(markup)
    reader.close()
    assert not HIDDEN.search(markup.replace("\u2061", ""))


def visible(written):
    """A form for people hides nothing and turns nothing."""
    assert not HIDDEN.search(written)


def boxes(first, second):
    """A form with these texts."""
    return Inputs(first, (second, first), max_order="3")


def test_the_reader_sees_what_is_wrong():
    for wrong in ("<script>", "<p onclick=x>", "<a href=//x>", "<!-- -->", "<p>\u202e", "<img>"):
        with pytest.raises(AssertionError):
            read(wrong)


@given(hostile, hostile)
@example(" ".join(HOSTILE), " ".join(HOSTILE))
def test_every_changing_part_of_the_page(first, second):
    inputs = boxes(first, second)
    shown = build_snapshot(inputs)
    read(shown.view.result + shown.view.figures + shown.view.contents)
    for _, markup in shown.view.steps:
        read(markup)
    visible(shown.view.line + shown.view.spoken)
    for order in "013":
        read(matches_html(shown.derivation, order))
    for place in range(len(shown.derivation.orders[0].counts)):
        visible(ngram_sentence(shown.derivation, f"1-{place}"))
    assert shown.derivation.score.value == pytest.approx(
        sentence_bleu(first, [t for t in (second, first) if t.strip()] or [""], max_order=3).value
    )


@given(hostile, hostile)
@example(" ".join(HOSTILE), "x")
def test_the_panels_and_the_boxes(first, second):
    inputs = boxes(first, second)
    shown = build_snapshot(inputs)
    read(tokenizer_lens(inputs))
    read(code_html(shown))
    *_, worth = what_if_slices(shown, [])
    read(worth)
    reader = Reader()
    reader.feed(reference_boxes((first, second)))  # as typed: hidden characters stay what they are
    reader.close()


@given(hostile, hostile)
@example(" ".join(HOSTILE), " ".join(HOSTILE))
def test_every_form_that_is_taken_along(first, second):
    shown = build_snapshot(Inputs(first, (second,), max_order="2"))
    made = {name: form.render(shown) for name, form in EXPORT_FORMATS.items()}
    for name in ("markdown", "text", "latex", "html"):
        visible(made[name])
    drawn = {node.tag.partition("}")[2] for node in ET.fromstring(made["svg"]).iter()}
    assert drawn <= TAGS
    visible(made["svg"])
    assert made["json"].isascii()
    tokens = json.loads(made["json"])["tokens"]
    assert tokens == {
        "hypothesis": list(shown.derivation.hypothesis),
        "references": [list(shown.derivation.references[0])],
    }
    rows = list(csv.reader(io.StringIO(made["csv"], newline=""), strict=True))
    assert {len(row) for row in rows} == {6}
    assert not any(cell.startswith(tuple("=+-@\t\r\n＝＋－＠")) for row in rows for cell in row)


@given(st.text())
@example("".join(HOSTILE))
def test_a_token_shows_all_that_it_is_made_of(text):
    shown = token_text(text)
    visible(shown)
    back = re.sub(r"⟨U\+([0-9A-F]+)⟩", lambda code: chr(int(code[1], 16)), shown)
    if len(text) <= MAX_TOKEN_CHARACTERS and "⟨U+" not in text:
        assert back == (text or "⟨empty⟩")
    assert len(shown) <= 10 * MAX_TOKEN_CHARACTERS


def test_marks_do_not_pile_up():
    shown = token_text("a" + 30 * "\u0301")
    assert shown == "a" + MAX_MARKS * "\u0301" + (30 - MAX_MARKS) * "⟨U+0301⟩"
    assert token_text("a" + 30 * "\u0301\u200d").count("⟨") == 30 - MAX_MARKS
    assert token_text(10 * "e\u0301") == 10 * "e\u0301"


@given(hostile, hostile, st.sampled_from(list(CLEANINGS)))
def test_a_link_gives_back_every_text_that_is_unicode(first, second, action):
    inputs = apply_action(replace(Inputs(first, (second,)), lowercase=True), action)
    back = from_fragment("#" + to_fragment(inputs))
    encoded = [
        text.encode(errors="replace").decode()  # an address cannot hold half a character
        for text in (inputs.hypothesis, *inputs.references)
    ]
    assert back is not None
    assert [back.hypothesis, *back.references] == encoded
    assert to_fragment(inputs).isascii()
    assert not set(to_fragment(inputs)) & set("<>\"'` \n")


@pytest.mark.parametrize(
    "bad",
    ["weights=1e999999999,0", "smoothing=floor&smoothing-value=1e-999999999",
     "smoothing=add-k&smoothing-value=1e" + "9" * 5000, "max-order=" + "9" * 5000,
     "smoothing=floor&smoothing-value=" + "1" * 10**6, "weights=" + "1/" * 10**5,
     "max-order=04", "max-order=٤"],
)  # fmt: skip
def test_a_number_in_a_link_cannot_hold_the_page_up(bad):
    back = from_fragment(f"hypothesis=a&reference=b&{bad}")
    assert back is not None
    assert (back.max_order, back.smoothing_value, back.weights) == ("4", "", "")


def corpus(rows, labels):
    """The outcome of rows of (baseline, system, reference)."""
    sources = [
        TextSource(token_text(name), lines)
        for name, lines in zip(labels, zip(*rows, strict=True), strict=True)
    ]
    texts = CorpusTexts(tuple(sources[:2]), tuple(sources[2:]))
    return run_to_end(score(texts, Settings(max_order=2)))


def check_tabular(source, cells):
    """Two rows of so many cells, and no command but those that write a character."""
    commands = set(re.findall(r"\\([A-Za-z]+|[^A-Za-z])", source))
    assert commands <= {
        *("begin", "end", "hline", "\\", "&", "%", "$", "#", "_", "{", "}", "textbackslash"),
        *("textasciitilde", "textasciicircum", "textless", "textgreater", "textbar"),
        *("langle", "rangle"),
    }
    _, _, rows, _ = source.split("\\hline\n")
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
def test_a_corpus_and_the_names_of_its_files(rows, labels):
    outcome = corpus(rows, labels)
    read(result_html(outcome, 1))
    read(derivation_html(outcome, 1))
    read(segment_table(outcome, SegmentListing(query=rows[0][0], system_index=1), range(len(rows))))
    read(segment_table(outcome, SegmentListing(query=rows[0][0], system_index=1), []))
    read(segment_view(outcome, segment_derivations(outcome, 0), 0, [0], 1, 1))
    read(system_rows([("a", one.name, one.name) for one in outcome.texts.systems], "a"))
    more = run_to_end(credit_differences(outcome.texts, Settings(max_order=2)))
    read(ngram_gains(more, (outcome.texts.systems[0].name, outcome.texts.systems[1].name)))
    for source in outcome.texts.systems:
        read(source_item("system", 0, source))
    for name in ("markdown", "latex", "text"):
        visible(CORPUS_FORMATS[name].render(outcome))
    parts = CORPUS_FORMATS["markdown"].render(outcome).split("\n\n")
    for place, cells in ((2, 3), (4, 6)):
        table = parts[place].splitlines()
        assert {len(re.findall(r"(?<!\\)\|", line)) for line in table} == {cells + 1}
    latex = CORPUS_FORMATS["latex"].render(outcome)
    tables = re.findall(r"\\begin\{tabular\}.*?\\end\{tabular\}", latex, re.DOTALL)
    assert len(tables) == 2
    for table, cells in zip(tables, (3, 6), strict=True):
        check_tabular(table, cells)
    named = json.loads(CORPUS_FORMATS["json"].render(outcome))["systems"]
    assert [one["name"] for one in named] == [one.name for one in outcome.texts.systems]
    lines = CORPUS_FORMATS["jsonl"].render(outcome).split("\n")
    assert lines.pop() == ""
    assert [json.loads(line)["systems"][1]["hypothesis"] for line in lines] == [r[1] for r in rows]
    numbers = csv.reader(io.StringIO(CORPUS_FORMATS["csv"].render(outcome)))
    assert all(re.fullmatch(r"[\d.e-]+", cell) for row in list(numbers)[1:] for cell in row)


@given(names, st.lists(names, min_size=2, max_size=4, unique=True), hostile)
def test_the_columns_of_a_table(name, columns, cell):
    line = json.dumps(dict.fromkeys(columns, cell))
    table = run_to_end(parse_table(pasted_source(token_text(name), line)))
    read(column_choices(table, guess_roles(table)))
    for place, _ in enumerate(columns):
        (source,) = run_to_end(column_sources(table, place))
        visible(source.name)
        assert list(source.lines) == [cell.replace("\n", " ")]


def refused_in_words(work, name):
    """The work is done, or refused with a message of bearable length that begins with the name."""
    try:
        work()
    except FileError as error:
        words = str(error)
    else:
        return
    visible(words)
    assert words.startswith(name)
    assert len(words) < len(name) + 10 * MAX_TOKEN_CHARACTERS


@given(names, LINES | st.lists(st.text("{}[],:\"\t'0ae \\", max_size=30), max_size=4))
@example("a", ['{"a": ' + "[" * 100_000])
@example("a", ["{}", "{}"])
@example("a", ['{"a": ' + "1" * 5000 + "}"])
@example("a", ['{"a": [[1]], "b": {}}'])
@example("a", ['a,b\0,"', '"'])
def test_a_table_is_read_or_refused_in_words(name, lines):
    source = TextSource(token_text(name), lines)

    def columns():
        table = run_to_end(parse_table(source))
        return [run_to_end(column_sources(table, place)) for place, _ in enumerate(table.columns)]

    refused_in_words(columns, source.name)


def test_brackets_in_texts_are_no_nesting():
    text = "[" * 200 + '"\\' + "{" * 200
    table = run_to_end(
        parse_table(pasted_source("a.jsonl", json.dumps({"a": [[text]], text: text})))
    )
    assert list(table.rows) == [[[[text]], text]]
    for deep in ("[" * 101, '{"a": ' * 101, '"' + "[" * 200 + '" ' + "[" * 101):
        with pytest.raises(FileError, match=r"line 1 is nested more than 100 deep; give texts"):
            run_to_end(parse_table(TextSource("a.jsonl", ["{" + deep])))


def test_rows_of_empty_cells_are_segments():
    table = run_to_end(parse_table(pasted_source("a.tsv", "system\treference\n\t\nx\ty\n")))
    assert [list(row) for row in table.rows] == [["", ""], ["x", "y"]]


@given(names, st.binary(max_size=60))
@example("a.gz", b"\x1f\x8b\x08\0\0\0\0\0\0\3")
@example("a", b"\xff\xfea")
def test_a_file_of_anything_is_read_or_refused_in_words(name, content):
    work = read_source(token_text(name), io.BytesIO(content), len(content))
    refused_in_words(lambda: run_to_end(work), token_text(name))


@given(hostile, hostile)
def test_a_finding_shows_what_it_names(first, second):
    inputs = Inputs(f"{first}x, cat,", (f"{second}x cat",))
    read(page_view._findings_list(page_view.findings(inputs.hypothesis, inputs.references, derive(
        inputs.hypothesis, inputs.references))))  # fmt: skip


def test_a_thousand_references():
    inputs = Inputs("the cat is on mat", tuple(f"the cat is on the mat {n}" for n in range(1000)))
    shown = build_snapshot(inputs)
    assert shown.derivation.score.value == sentence_bleu(inputs.hypothesis, inputs.references).value
    for markup in (
        shown.view.result,
        *dict(shown.view.steps).values(),
        matches_html(shown.derivation, "0"),
    ):
        read(markup)
    assert from_fragment(to_fragment(inputs)) == inputs
    for form in EXPORT_FORMATS.values():
        assert form.render(shown)


def test_ten_megabytes_without_a_space():
    text = "ab\u0301" * (10 * 2**20 // 3)
    shown = build_snapshot(Inputs(text, (text,), max_order="1"))
    assert shown.derivation.score.value == 1.0
    parts = (
        shown.view.result,
        *dict(shown.view.steps).values(),
        matches_html(shown.derivation, "1"),
    )
    assert sum(map(len, parts)) < 100_000
    for name in ("markdown", "latex", "text", "html", "svg"):
        assert len(EXPORT_FORMATS[name].render(shown)) < 100_000
    assert json.loads(EXPORT_FORMATS["json"].render(shown))["tokens"]["hypothesis"] == [text]
    assert text in EXPORT_FORMATS["csv"].render(shown)
