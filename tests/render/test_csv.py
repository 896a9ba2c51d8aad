"""N-gram tables as CSV: complete, correct after parsing, and free of formulas."""

import csv
import io

from hypothesis import example, given
from hypothesis import strategies as st

from bleu import derive
from bleu.render.csv import FORMULA_START, cell, render
from tests.support.strategies import HOSTILE, hostile_segments

FORMULA_CHARACTERS = tuple("=+-@\t\r\n＝＋－＠")


def parse(text):
    """Return the header and the rows of CSV source."""
    header, *rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    return header, rows


def unescape(text):
    """Return the argument of `cell` from its result."""
    return text[1:] if FORMULA_START.match(text) else text


def check_csv(derivation):
    header, rows = parse(render(derivation))
    reference_columns = [f"reference_{n}" for n in range(1, len(derivation.references) + 1)]
    assert header[:3] + reference_columns == header[:-2]
    assert header[-2:] == ["max_reference_count", "clipped_count"]
    assert [[row[0], unescape(row[1]), *row[2:]] for row in rows] == [
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
        assert not row[1].startswith(FORMULA_CHARACTERS)
    for order in derivation.orders:
        order_rows = [row for row in rows if row[0] == str(order.n)]
        assert sum(int(row[2]) for row in order_rows) == order.total
        assert sum(int(row[-1]) for row in order_rows) == order.matched


@given(hostile_segments)
@example((list(HOSTILE), [list(HOSTILE)]))
@example(([*FORMULA_CHARACTERS, "'", "", 'a"b,c'], [[""]]))
def test_parsed_csv_equals_counts(segment):
    check_csv(derive(*segment, max_order=3))


def test_csv_is_complete_for_long_texts():
    tokens = [f"-{n}" for n in range(3000)]
    check_csv(derive(tokens, [tokens[:2000], ["x" * 100_000]], max_order=9))


def test_lines_end_with_crlf():
    text = render(derive("a b", ["a"], max_order=1))
    assert text.endswith("1,b,1,0,0,0\r\n")
    assert text.count("\n") == text.count("\r\n") == 3


@given(st.lists(st.text("ab ,;\t\"'=|"), min_size=1, max_size=4))
def test_programs_with_other_separators_parse_the_same_cells(tokens):
    text = render(derive([*tokens, *"aaaa"], [tokens], max_order=1))
    separators = str.maketrans(",;\t", ",,,")
    header, rows = parse(text)
    expected = [[cell.translate(separators) for cell in row] for row in (header, *rows)]
    assert [parse(line.translate(separators))[0] for line in text.splitlines()] == expected


def test_only_cells_with_separators_or_quotes_are_quoted():
    tokens = ["a", "a;b", "a,b", 'a"b', "a\tb", "a b"]
    _, *rows = render(derive(tokens, [tokens], max_order=1)).splitlines()
    assert [row[2:].removesuffix(",1,1,1,1") for row in rows] == [
        *("a", '"a;b"', '"a,b"', '"a""b"', '"a\tb"', "a b")
    ]


@given(st.text())
def test_cell_is_no_formula_and_can_be_unescaped(text):
    assert not cell(text).startswith(FORMULA_CHARACTERS)
    assert unescape(cell(text)) == text
