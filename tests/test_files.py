"""What is opened or pasted: lines, tables and their columns, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.files import LARGEST, Sheet, Source, column, opening, pasted, refuse_size, sheet
from bleu.lines import FileError
from tests.strategies import ended


def opened(content: bytes, name: str = "system.txt") -> Source:
    """A file, read to its end."""
    return ended(opening(name, content))


LINES = st.lists(st.text(st.characters(exclude_characters="\r\n\0", exclude_categories=["Cs"])))


@given(LINES, st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]), st.sampled_from(["\n", "\r\n"]))
def test_a_file_is_its_lines(lines, encoding, end):
    content = "".join(f"{line}{end}" for line in lines).encode(encoding)
    if not lines or not lines[0].startswith("\ufeff"):
        assert list(opened(content).lines) == lines


@given(LINES)
def test_a_box_is_its_lines_and_empty_ones_keep_their_place(lines):
    text = "\n".join(lines)
    expected = lines[:-1] if lines and not lines[-1] else lines
    assert list(pasted("System output", text).lines) == expected


def test_many_lines_are_read_in_parts():
    steps = opening("system.txt", b"a\n" * 5000)
    assert [next(steps), next(steps)] == [2000, 4000]
    with pytest.raises(StopIteration) as end:
        next(steps)
    assert len(end.value.value.lines) == 5000


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"a\nb\xff\n", "system.txt, line 2: the byte 0xff is not UTF-8"),
        (b"PK\x03\x04\x00\x00", "system.txt, line 1: there is a NUL character"),
        (b"\x1f\x8bnothing", "system.txt cannot be read"),
    ],
)
def test_what_is_no_text_is_refused_with_its_line(content, reason):
    with pytest.raises(FileError, match=reason):
        opened(content)


def test_a_file_too_large_is_refused_before_it_is_read():
    refuse_size("system.txt", LARGEST)
    with pytest.raises(FileError, match=r"system.txt has 101 MB; .* 100 MB a file"):
        refuse_size("system.txt", LARGEST + 2**20)


def table(text: str, name: str = "a.tsv") -> Sheet:
    """A table from its text."""
    return sheet(pasted(name, text))


def test_tables_of_every_kind_are_the_same():
    tabs = table('system\treference\na "b"\tc\n')
    commas = table('system,reference\n"a ""b""",c\n', "a.csv")
    objects = table('{"system": "a \\"b\\"", "reference": "c"}\n\n', "a.jsonl")
    for one in (tabs, commas, objects):
        assert one.columns == ("system", "reference")
        assert [list(row) for row in one.rows] == [['a "b"', "c"]]


def test_a_cell_of_several_lines_is_one_segment():
    one = table('system,reference\n"a\nb",c\n', "a.csv")
    assert [list(source.lines) for source in column(one, 0)] == [["a b"]]


def test_a_list_is_several_references():
    one = table('{"r": ["a", "b"]}\n{"r": ["c", "d"]}', "a.jsonl")
    assert [(s.name, list(s.lines)) for s in column(one, 0)] == [
        ("a.jsonl: r 1", ["a", "c"]),
        ("a.jsonl: r 2", ["b", "d"]),
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "a.tsv is empty"),
        ("one column\nonly", "a.tsv has no columns: its first line has neither a tab nor a comma"),
        ("a\tb\nc", "a.tsv, row 2 has 1 columns, and the first row has 2"),
        ('{"a": 1}\nnot json', "a.tsv, line 2 is no JSON: "),
        ('{"a": 1}\n[1]', r"a.tsv, line 2 is no JSON object: '\[1\]'"),
    ],
)
def test_a_table_that_is_none_is_refused(text, reason):
    with pytest.raises(FileError, match=reason):
        table(text)


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ([[1]], "a.jsonl: x has 1, which is no text"),
        ([[["a"]], [["a", "b"]]], "a.jsonl: x has lists of different lengths"),
        ([[["a"]], ["b"]], r"a.jsonl: x has \['a'\], which is no text"),
    ],
)
def test_a_column_that_holds_no_texts_is_refused(cells, reason):
    with pytest.raises(FileError, match=reason):
        column(Sheet("a.jsonl", ("x",), cells), 0)
