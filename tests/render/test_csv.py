"""The n-gram tables as CSV: complete, read back as counted, and nothing that computes."""

import csv
import io

from hypothesis import example, given
from hypothesis import strategies as st

from bleu import derive
from bleu.render.csv import FORMULA_START, cell, render
from tests.support.strategies import HOSTILE, hostile_segments

COMPUTES = tuple("=+-@\t\r\n＝＋－＠")


def read(text):
    """The header and the rows of a CSV text."""
    header, *rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    return header, rows


def uncell(text):
    """What `cell` was given."""
    return text[1:] if FORMULA_START.match(text) else text


def check(derivation):
    header, rows = read(render(derivation))
    references = [f"reference_{n}" for n in range(1, len(derivation.references) + 1)]
    assert header[:3] + references == header[:-2]
    assert header[-2:] == ["max_reference_count", "clipped_count"]
    assert [[row[0], uncell(row[1]), *row[2:]] for row in rows] == [
        [
            str(order.n),
            " ".join(map(str, match.ngram)),
            str(match.count),
            *map(str, match.reference_counts),
            str(match.max_reference_count),
            str(match.clipped_count),
        ]
        for order in derivation.orders
        for match in order.matches()
    ]
    for row in rows:
        assert not row[1].startswith(COMPUTES)
    for order in derivation.orders:
        of_order = [row for row in rows if row[0] == str(order.n)]
        assert sum(int(row[2]) for row in of_order) == order.total
        assert sum(int(row[-1]) for row in of_order) == order.matched


@given(hostile_segments)
@example((list(HOSTILE), [list(HOSTILE)]))
@example(([*COMPUTES, "'", "", 'a"b,c'], [[""]]))
def test_it_reads_back_as_counted(segment):
    check(derive(*segment, max_order=3))


def test_nothing_is_cut():
    tokens = [f"-{n}" for n in range(3000)]
    check(derive(tokens, [tokens[:2000], ["x" * 100_000]], max_order=9))


def test_every_line_ends_as_the_standard_says():
    text = render(derive("a b", ["a"], max_order=1))
    assert text.endswith("1,b,1,0,0,0\r\n")
    assert text.count("\n") == text.count("\r\n") == 3


@given(st.lists(st.text("ab ,;\t\"'=|"), min_size=1, max_size=4))
def test_a_program_that_splits_at_other_marks_too_finds_the_same_cells(tokens):
    text = render(derive([*tokens, "a"], [tokens], max_order=1))
    marks = str.maketrans(",;\t", ",,,")
    header, rows = read(text)
    whole = [[cell.translate(marks) for cell in row] for row in (header, *rows)]
    assert [read(line.translate(marks))[0] for line in text.splitlines()] == whole


def test_only_what_needs_it_is_quoted():
    tokens = ["a", "a;b", "a,b", 'a"b', "a\tb", "a b"]
    _, *rows = render(derive(tokens, [tokens], max_order=1)).splitlines()
    assert [row[2:].removesuffix(",1,1,1,1") for row in rows] == [
        *("a", '"a;b"', '"a,b"', '"a""b"', '"a\tb"', "a b")
    ]


@given(st.text())
def test_a_cell_is_safe_and_gives_its_text_back(text):
    assert not cell(text).startswith(COMPUTES)
    assert uncell(cell(text)) == text
