"""The columns with texts: those that match, whatever their names and the form of the file."""

import pytest

from bleu.core.progress import run_to_end
from bleu.files.containers import read_container
from bleu.files.matching import (
    choose_both,
    choose_pair,
    fit_tables,
    match,
    plain_table,
    tokens,
)
from tests.files.test_kinds import HYPOTHESES, REFERENCES
from tests.files.test_kinds import SOURCES as GERMAN
from tests.support.table_files import separated

SOURCES = [f"Ein Satz mit der Nummer {number}." for number, _ in enumerate(REFERENCES)]


def table(text):
    """Return the table in a text."""
    return run_to_end(read_container("t", text.split("\n")))


def texts(parsed, indices):
    """Return the texts of the only chosen column."""
    [index] = indices
    return [cell[0] if isinstance(cell, list) else cell for cell in (r[index] for r in parsed.rows)]


def columns_text(*columns, header=(), separator=","):
    """Return columns as separated values."""
    return separated(zip(*columns, strict=True), header, separator).rstrip("\n")


def test_two_columns_of_one_table_match_whatever_their_names():
    parsed = table(columns_text(SOURCES, HYPOTHESES, REFERENCES, separator="\t"))
    assert [choice.indices for choice in choose_both(parsed)] == [[1], [2]]
    names = "x", "target", "target pred"
    parsed = table(columns_text(SOURCES, REFERENCES, HYPOTHESES, header=names))
    assert [choice.indices for choice in choose_both(parsed)] == [[2], [1]]


def test_equal_columns_are_no_system_with_its_reference():
    parsed = table(columns_text(SOURCES, HYPOTHESES, header=("a", "b")))
    other = table(columns_text(SOURCES, REFERENCES, header=("a", "b")))
    assert [choice.indices for choice in choose_pair(parsed, other)] == [[1], [1]]


def test_nearly_equal_columns_are_the_same_texts_twice():
    others = [*GERMAN[:-1], "Ihr Koffer ist weg."]
    parsed = table(columns_text(GERMAN, HYPOTHESES, header=("a", "b")))
    other = table(columns_text(others, REFERENCES, header=("a", "b")))
    assert [choice.indices for choice in choose_pair(parsed, other)] == [[1], [1]]


def test_first_row_above_a_rule_names_the_columns():
    parsed = table("| 1. | 2. |\n|---|---|\n| A cat. | A dog. |")
    assert (parsed.columns, parsed.rows) == (("1.", "2."), [["A cat.", "A dog."]])


def test_ids_that_match_are_no_texts():
    ids = [f"b{number}" for number, _ in enumerate(HYPOTHESES)]
    longer = [f"request-{number}" for number, _ in enumerate(HYPOTHESES)]
    parsed = table(columns_text(ids, longer, SOURCES, HYPOTHESES, header=("a", "b", "c", "d")))
    assert [choice.indices for choice in choose_both(parsed)] == [[], []]


def test_texts_in_other_languages_match_by_chance_alone():
    assert match([[]], [[]]) == 0
    assert tokens("我们走吧。") == list("我们走吧。")
    parsed = table(columns_text(SOURCES, REFERENCES, header=("a", "b")))
    assert [choice.indices for choice in choose_both(parsed)] == [[], []]


def test_contexts_before_references_between_tabs_are_left_out():
    contexts = [f"Frage {number}?" for number, _ in enumerate(REFERENCES)]
    pairs = zip(contexts, REFERENCES, strict=True)
    rows = [[*pair, "x"][: 2 + number % 2] for number, pair in enumerate(pairs)]
    lines = "\n".join(map("\t".join, rows)).split("\n")
    parsed = run_to_end(read_container("t", lines, "references"))
    _, fitted = fit_tables(plain_table("h", HYPOTHESES), parsed)
    assert [row[-1][0] for row in fitted.rows] == REFERENCES
    assert fitted.content.endswith("after a first text that matches nothing")
    _, same = fit_tables(plain_table("h", SOURCES), parsed)
    assert same is parsed


def test_first_row_is_a_header_if_the_other_file_tells():
    names, other = ("Neu", "Alt"), plain_table("r", REFERENCES)
    for columns in ((SOURCES, HYPOTHESES), (HYPOTHESES, SOURCES)):
        text = columns_text(*columns, header=names, separator="\t")
        parsed = table(text).with_header(is_header=False)
        assert fit_tables(parsed, other)[0].columns == names
        plain = table(columns_text(*columns, separator="\t"))
        assert fit_tables(plain.with_header(is_header=True), other)[0].columns[0] == "column 1"
    short = table("a,b\nc,d\ne,f").with_header(is_header=False)
    assert [side.columns for side in fit_tables(short, short)] == [("a", "b")] * 2


CORRECTIONS = [
    (
        "She go to school every days.",
        "She go at school every day.",
        "She goes to school every day.",
    ),
    ("I has two cat and a dog.", "I have two cat, a dogs.", "I have two cats and a dog."),
    ("He didn't knew the answer.", "He not knew answer.", "He didn't know the answer."),
    ("There is many reason for it.", "It has many reasons.", "There are many reasons for it."),
    ("We discussed about the plan today.", "We discussed of plan.", "We discussed the plan today."),
]
"""A text to correct, which has more of the reference than the output, and the reference."""


@pytest.mark.parametrize(
    ("names", "chosen", "rival"),
    [
        (("source", "output"), 1, "“source” matches better, but names decide"),
        (("input", "corrected"), 1, "“input” matches better, but names decide"),
        (("text one", "text two"), 0, "“text two” matches, too"),
    ],
)
def test_names_decide_if_a_text_to_correct_matches_better(names, chosen, rival):
    sources, outputs, references = zip(*CORRECTIONS, strict=True)
    parsed = table(columns_text(sources, outputs, header=names))
    choice, _ = choose_pair(parsed, plain_table("r", references))
    assert (choice.indices, choice.rival) == ([chosen], rival)
    assert choose_pair(parsed, plain_table("r", references), [chosen])[0].rival == ""
    whole = table(columns_text(sources, outputs, references, header=(*names, "reference")))
    systems, others = choose_both(whole)
    assert (systems.indices, others.indices, systems.rival) == ([chosen], [2], rival)


def test_source_of_the_same_language_is_no_reference():
    sources, outputs, _ = zip(*CORRECTIONS, strict=True)
    parsed = table(columns_text(sources, outputs, header=("source", "output")))
    assert [choice.indices for choice in choose_both(parsed)] == [[1], []]


@pytest.mark.parametrize("raters", [1, 2, 3])
def test_rows_of_several_raters_are_one_segment(raters):
    rows = [
        (f"d{n // 3}", str(n), f"rater{rater}", source, f"<v>{text}</v>" if rater % 2 else text)
        for n, (source, text) in enumerate(zip(SOURCES, HYPOTHESES, strict=True))
        for rater in range(1, raters + 1)
    ]
    names = ("doc", "seg_id", "rater", "source", "target")
    rated = table(columns_text(*zip(*rows, strict=True), header=names, separator="\t"))
    plain = plain_table("r", REFERENCES)
    fitted, _ = fit_tables(rated, plain)
    assert texts(fitted, choose_pair(fitted, plain)[0].indices) == HYPOTHESES
    _, fitted = fit_tables(plain_table("h", REFERENCES), rated)
    assert texts(fitted, choose_pair(plain, fitted)[1].indices) == HYPOTHESES
    unlike = plain_table("r", REFERENCES[1:])
    assert fit_tables(rated, unlike)[0] is rated


def test_rows_of_several_systems_are_not_taken_for_those_of_raters():
    rows = [(f"S{m}", str(n), text) for m in (1, 2) for n, text in enumerate(HYPOTHESES)]
    rated = table(columns_text(*zip(*rows, strict=True), header=("system", "seg_id", "target")))
    assert fit_tables(rated, plain_table("r", REFERENCES))[0] is rated
