"""Reading of files, boxes, tables and columns, and their errors."""

import gzip
import io
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.files import reading
from app.files.form_html import source_item
from app.files.reading import (
    MAX_FILE_BYTES,
    MAX_TEXT_BYTES,
    BrowserFile,
    TextSource,
    check_size,
    choose_columns,
    column_roles,
    column_sources,
    default_system_names,
    file_names_text,
    guess_file_role,
    parse_table,
    pasted_source,
    read_columns,
    read_file,
    read_files,
    read_source,
    read_text,
)
from app.files.scoring import BoxError, check_texts
from bleu.core.progress import run_to_end
from bleu.files.data_table import DataTable, guess_roles
from bleu.files.text_files import CHUNK_SIZE, FileError
from tests.support.plain_markup import plain, raises_plain
from tests.support.table_files import QUADRATIC, zeros


def read_bytes(content: bytes, name: str = "system.txt") -> TextSource:
    """Return the lines of a file."""
    return run_to_end(read_source(name, io.BytesIO(content), len(content)))


LINES = st.lists(st.text(st.characters(exclude_characters="\r\n\0", exclude_categories=["Cs"])))


@given(LINES, st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]), st.sampled_from(["\n", "\r\n"]))
def test_file_is_read_as_lines(lines, encoding, end):
    content = "".join(f"{line}{end}" for line in lines).encode(encoding)
    if not lines or not lines[0].startswith("\ufeff"):
        assert list(read_bytes(content).lines) == lines


@given(LINES)
def test_box_is_read_as_lines_with_empty_ones(lines):
    text = "\n".join(lines)
    expected = lines[:-1] if lines and not lines[-1] else lines
    assert list(pasted_source("Candidates", text).lines) == expected


@pytest.mark.parametrize("content", [b"a b c d\n" * 50_000, b"a" * 400_000, b"\n" * 400_000])
@pytest.mark.parametrize("packed", [False, True])
def test_reading_a_file_reports_its_bytes_after_each_chunk(content, packed):
    packed_content = gzip.compress(content) if packed else content
    steps = list(read_source("s.txt", io.BytesIO(packed_content), len(content)))
    assert len(steps) >= len(content) / CHUNK_SIZE
    assert {(plain(step.task), step.total, step.unit) for step in steps} == {
        ("reading s.txt", len(content), "MB")
    }
    amounts = [step.done for step in steps]
    assert amounts == sorted(amounts)
    assert amounts[-1] == len(content)
    if packed:
        assert amounts[0] <= 2 * CHUNK_SIZE


def test_file_that_unpacks_to_too_much_raises_early(monkeypatch):
    monkeypatch.setattr(reading, "MAX_FILE_BYTES", 2**20)
    assert len(read_bytes(gzip.compress(b"a" * 2**20), "s.gz").lines) == 1
    bomb = gzip.compress(b"a" * 2**20) * 1000
    steps = read_source("s.gz", io.BytesIO(bomb), len(bomb))
    amounts = [0]
    with raises_plain(FileError, match=r"s\.gz unpacks to more than 1 MB; .* 1 MB per file"):
        amounts += [step.done for step in steps]
    assert amounts[-1] < len(bomb)


def test_lines_that_take_too_much_memory_raise(monkeypatch):
    monkeypatch.setattr(reading, "MAX_MEMORY_BYTES", 2**20)
    for content in (b"ab\n" * 2**19, "🙂 ok and more\n".encode() * 2**16, b"\n" * 2**20):
        with raises_plain(
            FileError, match=r"the lines of s\.txt take more than 1 MB; a browser can"
        ):
            read_bytes(content, "s.txt")


class Bytes:
    """A stand-in for a buffer of the browser."""

    def __init__(self, content: bytes) -> None:
        self.content = content

    def slice(self, start: int, end: int) -> "Bytes":
        return Bytes(self.content[start:end])

    def to_bytes(self) -> bytes:
        return self.content


class File:
    """A stand-in for a file of the browser."""

    def __init__(self, name: str, content: bytes = b"", size: int | None = None) -> None:
        self.name, self.content = name, content
        self.size = len(content) if size is None else size

    def arrayBuffer(self) -> str:  # noqa: N802
        return f"promise of {self.name}"


def result_of(work, content):
    """Return the result of reading whose promise resolves to a value, or fails."""
    assert next(work).done == 0
    assert next(work).startswith("promise of")
    try:
        work.throw(content) if isinstance(content, Exception) else work.send(Bytes(content))
        while True:
            next(work)
    except StopIteration as end:
        return end.value


@given(st.binary(max_size=40), st.integers(1, 50))
def test_browser_file_is_copied_in_chunks(content, size):
    source, copied = BrowserFile(Bytes(content)), b""
    while chunk := source.read(size):
        copied += chunk
        assert source.tell() == len(copied)
    assert copied == content
    assert io.BufferedReader(BrowserFile(Bytes(content))).read() == content


@pytest.mark.parametrize("packed", [False, True])
def test_browser_file_is_read_as_lines(packed):
    content = b"a b\r\n\r\nc"
    packed_content = gzip.compress(content) if packed else content
    file = File("s\u202e.txt", packed_content)
    assert result_of(read_file(file), packed_content) == TextSource(
        "s⟨U+202E⟩.txt", ["a b", "", "c"]
    )
    assert result_of(read_files([file], "system", lambda table: (table, [])), packed_content)[0][
        0
    ].lines == [
        "a b",
        "",
        "c",
    ]
    assert result_of(read_text(file), packed_content) == "a b\n\nc"


class BrowserError(Exception):
    """A stand-in for an error of the browser."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (BrowserError("NotFoundError", "x"), "it is a folder, or it is gone; choose a file"),
        (BrowserError("NotReadableError", ""), "it has changed since it was chosen, or may not"),
        (BrowserError("RangeError", "Array buffer allocation failed"), "Array buffer allocation"),
        (BrowserError("Strange", ""), "BrowserError"),
        (MemoryError(), "MemoryError"),
    ],
)
def test_unreadable_browser_file_raises_with_the_reason(error, reason):
    with raises_plain(FileError, match=f"s.txt cannot be read: {reason}"):
        result_of(read_file(File("s.txt")), error)


def test_large_file_raises_before_the_browser_reads_it():
    with raises_plain(FileError, match=r"s\.txt has 101 MB"):
        next(read_file(File("s.txt", size=MAX_FILE_BYTES + 2**20)))
    with raises_plain(FileError, match=r"s\.txt has more than 1 MB: it is too long for one text"):
        next(read_text(File("s.txt", size=MAX_TEXT_BYTES + 1)))


def test_text_too_long_for_a_box_raises():
    packed = gzip.compress(b"a" * (MAX_TEXT_BYTES + 1))
    with raises_plain(FileError, match=r"s\.gz has more than 1 MB: it is too long for one text"):
        result_of(read_text(File("s.gz", packed)), packed)


def test_message_names_at_most_five_files():
    files = [File(f"{n}.txt") for n in range(9)]
    assert plain(file_names_text(files[:2])) == "0.txt and 1.txt"
    assert plain(file_names_text(files[:5])) == "0.txt, 1.txt, 2.txt, 3.txt and 4.txt"
    assert plain(file_names_text(files)) == "0.txt, 1.txt, 2.txt, 3.txt, 4.txt and 4 more"


def read_all(names, content):
    """Return the texts of files with the same content."""
    choose = partial(choose_columns, slot="system", others=())
    steps = read_files([File(name, content) for name in names], "system", choose)
    try:
        while True:
            if isinstance(next(steps), str):
                steps.send(Bytes(content))
    except StopIteration as end:
        return end.value


def test_several_files_with_columns_are_read():
    texts = read_all(["a.txt", "b.txt"], b'{"mt": "a"}\n{"mt": "b"}\n')
    assert [source.name for [source] in texts] == ["a.txt: mt", "b.txt: mt"]
    texts = read_all(["a.txt", "b.txt"], b"mt\tref\na\tb\n")
    assert [source.name for [source] in texts] == ["a.txt: mt", "b.txt: mt"]


ROWS = [
    ("Der Zug ist weg.", "The train is gone now.", "The train has gone."),
    ("Wir essen Brot.", "We are eating some bread.", "We eat bread."),
    ("Sie liest viel.", "She reads really a lot.", "She reads a great deal."),
    ("Es regnet noch.", "It is still raining here.", "It is raining still."),
]


def csv_of(*columns):
    """Return a source with columns of ROWS as CSV, whose names say nothing."""
    lines = ["alpha,beta"[: 5 * len(columns) + len(columns) - 1]]
    lines += [",".join(row[column] for column in columns) for row in ROWS]
    return pasted_source("x", "\n".join(lines))


def opened_as(slot, source, others=(), *, is_alone=False):
    """Return the texts of a source that is opened in a slot."""
    choose = partial(choose_columns, slot=slot, others=others, is_alone=is_alone)
    return run_to_end(reading.read_role_texts(source, slot, choose))


def test_columns_of_a_slot_are_those_that_match_the_other_slot():
    [early] = opened_as("system", csv_of(0, 1))
    assert (early.lines, early.column) == ([], None)
    with raises_plain(BoxError, match="Choose the column of x in the menu below its name"):
        check_texts([early], [pasted_source("r", "a")])
    [references] = opened_as("references", csv_of(0, 2), [early])
    assert references.lines == [row[2] for row in ROWS]
    [late] = opened_as("system", csv_of(0, 1), [references])
    assert (late.lines, late.column, late.is_chosen) == ([row[1] for row in ROWS], 1, False)
    plain_references = pasted_source("r", "\n".join(row[2] for row in ROWS))
    assert opened_as("system", csv_of(0, 1), [plain_references])[0].lines == late.lines
    by_hand = replace(references, column=0, is_chosen=True)
    assert opened_as("system", csv_of(0, 1), [by_hand])[0].lines == []


def test_another_column_that_matches_is_named_beside_the_file():
    drafts = [row[2].replace("is", "be") for row in ROWS]
    lines = (f"{draft},{row[1]}" for draft, row in zip(drafts, ROWS, strict=True))
    drafted = pasted_source("x", "\n".join(["source,output", *lines]))
    references = pasted_source("r", "\n".join(row[2] for row in ROWS))
    [system] = opened_as("system", drafted, [references])
    assert system.lines == [row[1] for row in ROWS]
    item = plain(source_item("system", 0, system))
    assert "4 lines; “source” matches better, but names decide</span>" in item


def test_a_single_table_with_both_sides_is_shown_as_a_table():
    assert isinstance(opened_as("system", csv_of(1, 2), is_alone=True), reading.FoundTable)
    assert opened_as("system", csv_of(1, 2))[0].lines == []
    assert column_roles(run_to_end(parse_table(csv_of(1, 2)))) == ["system", "references"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"a\nb\xff\n", "system.txt, line 2: the byte 0xff is not UTF-8"),
        (b"a\x00b", "system.txt, line 1: there is a NUL character"),
        (b"PK\x03\x04\x00\x00", "system.txt is a ZIP archive; unpack it first"),
        (b"\x1f\x8bnothing", "system.txt cannot be read"),
    ],
)
def test_invalid_text_raises_with_its_line(content, reason):
    with raises_plain(FileError, match=reason):
        read_bytes(content)


def test_file_size_is_checked_before_reading():
    check_size("system.txt", MAX_FILE_BYTES)
    with raises_plain(FileError, match=r"system.txt has 101 MB; .* 100 MB per file"):
        check_size("system.txt", MAX_FILE_BYTES + 2**20)


def table(text: str, name: str = "a.tsv") -> DataTable:
    """Return the table in a text."""
    return run_to_end(parse_table(pasted_source(name, text)))


def sources_of(table: DataTable, index: int) -> list[TextSource]:
    """Return the sources of a column."""
    return run_to_end(column_sources(table, index))


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("Yes; no; maybe,ref\na,b\n", ("Yes; no; maybe", "ref")),
        ('"Hello; you; there","x"\n"a","b"\n', ("Hello; you; there", "x")),
        ('"a, b, c";x\nd;e\n', ("a, b, c", "x")),
    ],
)
def test_semicolons_separate_if_there_is_no_comma(text, columns):
    assert table(text, "a.csv").header == columns


def test_cell_with_several_lines_is_one_segment():
    parsed = table('system,reference\n"a\nb",c\n', "a.csv")
    assert [list(source.lines) for source in sources_of(parsed, 0)] == [["a b"]]


def test_list_cells_give_several_references():
    parsed = table('{"r": ["a", "b"]}\n{"r": ["c", "d"]}', "a.jsonl")
    assert [(source.name, list(source.lines)) for source in sources_of(parsed, 0)] == [
        ("a.jsonl: r 1", ["a", "c"]),
        ("a.jsonl: r 2", ["b", "d"]),
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "a.tsv is empty"),
        ("one column\nonly", "a.tsv has no columns: its first line has no tab, comma or semicolon"),
        ("a\t" * 1000, "a.tsv has 1,001 columns; give at most 1,000"),
        ("a\tb\nc", "a.tsv, row 2 has 1 column, and row 1 has 2; give all rows"),
        ('{"a": 1}\nnot json', "a.tsv, line 2 is not a JSON object: 'not json'"),
        ('{"a": 1}\n[1]', r"a.tsv, line 2 is not a JSON object: '\[1\]'"),
        ('a,b\nc,"' + "d\n" * 2**20, "a.tsv, row 2 cannot be read: field larger than field limit"),
        (
            "a\tb\n" + "c" * 2**20 + "\t",
            r"line 2 has 1,048,577 characters; .* may have at most 1,048,576",
        ),
        ('{"a": "' + "c" * 2**20, r"a.tsv, line 1 has 1,048,583 characters; a line of a table may"),
    ],
)
def test_invalid_table_raises(text, reason):
    with raises_plain(FileError, match=reason):
        table(text)


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ([[1]], "a.jsonl, row 1 has 1 in column x; give text"),
        ([[[["a"]]]], r"a.jsonl, row 1 has \['a'\] in column x; give text"),
        ([["b"], [None]], "a.jsonl, row 2 has no text in column x; give one in each row"),
        ([[["b"]], [["c"]], [None]], "a.jsonl, row 3 has no text in column x"),
        ([[["b", None]]], "a.jsonl, row 1 has no text in column x"),
        ([[[]]], "a.jsonl, row 1 has no text in column x"),
    ],
)
def test_column_without_texts_raises(cells, reason):
    with raises_plain(FileError, match=reason):
        sources_of(DataTable("a.jsonl", ("x",), cells), 0)


@pytest.mark.parametrize("line", ["a\tb", "a,b", '{"a": "b", "c": ["d", "e"]}'])
def test_table_and_columns_are_read_row_by_row(line):
    source = TextSource("a.txt", [line] * 1000)
    steps = list(parse_table(source))
    total = 1000 if "{" not in line else 1000 * (len(line) + 1) - 1
    assert len(steps) == 1000
    assert plain(steps[-1].task) == "reading the table a.txt"
    assert (steps[-1].done, steps[-1].total) == (total, total)
    parsed = run_to_end(parse_table(source))
    steps = list(column_sources(parsed, 0))
    assert len(steps) == len(parsed.rows)
    assert plain(steps[-1].task) == f"taking a.txt: {parsed.columns[0]}"
    assert (steps[-1].done, steps[-1].total) == (len(steps), len(steps))


@given(st.lists(st.text("a,\"\t'\n{}", max_size=6), max_size=6))
@example(["a,b", "", '"c\n",d'])
def test_table_equals_csv_of_its_whole_text(lines):
    """Rows are read one by one, but equal those of a reader of the whole text."""
    source = TextSource("a.csv", [part for line in lines for part in line.split("\n")])
    first = next((line for line in source.lines if line.strip() or "\t" in line), "")
    try:
        parsed = run_to_end(parse_table(source))
    except FileError:
        return
    if "\t" in first and '"' in "".join(source.lines):
        return  # Other tests cover the quotes between tabs that are part of the text.
    if "\t" in first:
        rows = [line.split("\t") for line in source.lines if line.strip() or "\t" in line]
    else:
        rows = [row for row in reading.csv.reader(f"{line}\n" for line in source.lines) if row]
    parsed = parsed.with_header(is_header=True)
    assert [list(row) for row in parsed.rows] == rows[1:]


def test_only_line_feeds_end_lines_of_files_and_boxes():
    line = "a\rb\u2028c\x85d\x0ce\x0bf"
    assert pasted_source("box", f"{line}\r\n{line}").lines == [line, line]
    assert read_bytes(f"{line}\r\n{line}".encode()).lines == [line, line]


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("newstest2020-ruen.OnlineA.txt", "system"),
        ("newstest2020-ruen.ref.en.txt", "references"),
        ("newstest2020-ruen.src.ru.txt", "sources"),
        ("newstest2021.en-de.refA.de", "references"),
        ("REFERENCES.TXT.gz", "references"),
        ("ref_0", "references"),
        ("prefix.refined.txt", "system"),
        ("sources", "sources"),
        ("all.tsv", "table"),
        ("ref.jsonl.gz", "table"),
        ("test.refs.tsv", "references"),
        ("coco.annotations.json", "references"),
        ("test.gold", "references"),
        ("solution.csv", "table"),
        ("猫.txt", "system"),
    ],
)
def test_file_role_is_guessed_from_its_name(name, role):
    assert guess_file_role(name) == role


def test_tables_that_are_opened_together_are_for_one_side_each():
    names = ["truth.csv", "results.csv", "src.xlsx", "r.ref.jsonl"]
    roles = [guess_file_role(name, is_alone=False) for name in names]
    assert roles == ["references", "system", "sources", "references"]


@given(st.lists(st.text("ab.-/ (2)", max_size=8), max_size=6))
def test_default_names_are_distinct_and_complete(names):
    default_names = default_system_names(names)
    assert len(set(default_names)) == len(default_names) == len(names)


def test_default_names_leave_out_common_parts():
    assert default_system_names(["out/A/hyp.txt", "out/B/hyp.txt"]) == ["A", "B"]
    assert default_system_names(["t.jsonl: mt1", "t.jsonl: mt2"]) == ["mt1", "mt2"]
    assert default_system_names(["hyp.txt", "hyp.txt"]) == ["hyp.txt", "hyp.txt (2)"]
    assert default_system_names(["a.1.txt", "a.2.txt"]) == ["a.1", "a.2"]
    assert default_system_names(["a.txt", "a.txt.gz"]) == ["a.txt", "a.txt.gz"]


def test_only_columns_that_divide_the_rows_are_groups():
    columns = ("doc_id", "domain", "target_lang", "document", "ref", "mt")
    rows = [[1, "news", "de", "text a", "a", "a"], [1, None, "de", "text b", "b", "b"]]
    table = DataTable("a.jsonl", columns, [*rows, [2, "news", "de", "text c", "c", "c"]])
    assert guess_roles(table) == ["groups", "groups", "", "", "references", "system"]
    sources = run_to_end(read_columns(table, {"groups": [0, 1]}))["groups"]
    assert sources == [
        TextSource("doc_id", ["1", "1", "2"]),
        TextSource("domain", ["news", "", "news"]),
    ]


@pytest.mark.parametrize("first", ["a\tb", "a,b", '{"a": "b"}'])
def test_long_table_line_raises(first):
    longest = {"a\tb": "{}\tb", "a,b": "{},b", '{"a": "b"}': '{{"a": "{}"}}'}[first]
    filling = 2**20 - len(longest.format(""))
    [row] = run_to_end(parse_table(TextSource("t", [first, longest.format("x" * filling)]))).rows[
        -1:
    ]
    assert row[0] == "x" * filling
    with raises_plain(FileError, match="line 2 has 1,048,577 characters"):
        run_to_end(parse_table(TextSource("t", [first, longest.format("x" * (filling + 1))])))


def test_common_parts_of_file_names_do_not_overlap():
    assert default_system_names(["a.b.b", "a.b.b.b"]) == ["b", "b.b"]


def test_table_given_for_a_role_is_read_refused_or_left_as_text():
    def fields(text: str, role: str = "system"):
        choose = partial(choose_columns, slot=role, others=(), is_alone=True)
        return run_to_end(reading.read_role_texts(pasted_source("x", text), role, choose))

    assert fields("the cat\na dog") == [pasted_source("x", "the cat\na dog")]
    [source] = fields('{"id": 1, "mt": "a"}\n{"id": 2, "mt": "b"}')
    assert (source.name, source.lines) == ("x: mt", ["a", "b"])
    assert source.origin is not None
    assert len(source.origin.lines) == 2
    assert isinstance(fields("mt\tref\na\tb"), reading.FoundTable)
    assert fields("mt\tref\na\tb\nc\td\te") == [pasted_source("x", "mt\tref\na\tb\nc\td\te")]
    with raises_plain(FileError, match="x declares entities, which are not read"):
        fields(QUADRATIC)
    content = zeros()
    with raises_plain(FileError, match=r"z\.xlsx unpacks to 90 MB, more than a table needs"):
        result_of(read_files([File("z.xlsx", content)], "system", lambda _: None), content)
