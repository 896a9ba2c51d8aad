"""The first sheet of workbooks, as Excel's format has it and as openpyxl and pandas write it."""

import datetime
import io
import pickle
import re
import time
import zipfile

import pytest

from bleu.core.progress import run_to_end
from bleu.files.data_table import DataTable
from bleu.files.markup import parse_workbook
from bleu.files.text_files import FileError, describe_binary, is_workbook
from tests.support.table_files import inline_rows, workbook, zeros


def table(content: bytes) -> DataTable:
    """Return the table in a workbook."""
    assert is_workbook(content[: 2**13])
    return run_to_end(parse_workbook("a.xlsx", io.BytesIO(content)))


def test_every_kind_of_value_is_read():
    strings = (
        "<si><t>mt</t></si><si><r><t>rich </t></r><r><rPr><b/></rPr><t>text &amp; more</t></r></si>"
        '<si><t xml:space="preserve">猫_x000D_\n</t><rPh sb="0" eb="1"><t>ネコ</t></rPh></si>'
    )
    parsed = table(
        workbook(
            '<row r="2"><c r="B2" t="s"><v>0</v></c><c r="D2" t="inlineStr"><is><t>ref</t></is></c>'
            '<c r="E2" t="str"><f>"a"&amp;"b"</f><v>ab</v></c></row><row r="3"/>'
            '<row r="4"><c r="B4" t="s"><v>1</v></c><c r="D4"><v>0.10000000000000001</v></c>'
            '<c r="E4" t="b"><v>1</v></c></row>'
            '<row r="5"><c r="B5" t="s"><v>2</v></c><c r="E5" t="e"><v>#N/A</v></c></row>'
            '<row r="6"><c r="B6" t="s"><v>99</v></c><c r="D6" s="1"><v>45292</v></c><c/></row>',
            strings,
        )
    )
    assert parsed.columns == parsed.header == ("mt", "ref", "ab")
    assert list(parsed.rows) == [
        ["rich text & more", "0.1", "TRUE"],
        ["猫\n", "", "#N/A"],
        ["", "45292", ""],
    ]


def test_cells_without_addresses_follow_each_other():
    assert table(workbook(inline_rows(("mt", "ref"), ("a", "b &lt; c")))).rows == [["a", "b < c"]]


def test_openpyxl_writes_what_is_read():
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    rows = [
        ("id", "mt", "ref", "date"),
        (1, 'He said "go", & <went>', "猫🙂\nnew line", datetime.date(2024, 1, 1)),
        (2.5, " spaces ", None, True),
    ]
    for row in rows:
        book.active.append(row)
    book.create_sheet("second").append(["no"])
    target = io.BytesIO()
    book.save(target)
    parsed = table(target.getvalue())
    assert parsed.columns == rows[0]
    assert list(parsed.rows) == [
        ["1", 'He said "go", & <went>', "猫🙂\nnew line", "45292"],
        ["2.5", " spaces ", "", "TRUE"],
    ]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (zeros(), r"a.xlsx unpacks to 90 MB, more than a table needs; save its first sheet as CSV"),
        (workbook(""), "a.xlsx has no value in its first sheet"),
        (workbook("<!DOCTYPE x [<!ENTITY a 'b'>]>"), "a.xlsx declares entities"),
        (workbook(inline_rows(("a", "b")))[:-30], "cannot be read as a workbook"),
        (
            workbook(inline_rows(tuple("a" * 1001))),
            "a.xlsx has 1,001 columns; give at most 1,000",
        ),
    ],
    ids=["zeros", "empty", "entity", "cut off", "wide"],
)
def test_hostile_workbook_is_refused_at_once(content, reason):
    start = time.process_time()
    with pytest.raises(FileError, match=reason):
        table(content)
    assert time.process_time() - start < 1


def test_archive_without_a_sheet_is_refused():
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("xl/other.txt", "a")
    with pytest.raises(FileError, match=r"a\.xlsx is a ZIP archive without a workbook"):
        table(target.getvalue())


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"%PDF-1.7\n", "a PDF; copy"),
        (b"PK\3\4 ... word/document.xml", r"a Word document \(DOCX\); save it as plain text"),
        (b"PAR1\x15\x04", r"a Parquet file; save it as CSV: pandas\.read_parquet"),
        (b"ARROW1\0\0", r"an Arrow file; save it as CSV: datasets\.Dataset"),
        (b"\xff\xff\xff\xff\x10", "an Arrow file"),
        (b"\x28\xb5\x2f\xfd", "packed by zstd; unpack it first"),
        (pickle.dumps(["a cat"]), "a pickle of Python, which may run code"),
        (b"SQLite format 3\0", "an SQLite database"),
        (
            b"PK\3\4 mimetypeapplication/vnd.oasis.opendocument.spreadsheetPK",
            r"\(ODS\); save it as",
        ),
        (b"PK\3\4 a.txt", "a ZIP archive; unpack it first"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", r"Office file \(XLS, DOC\); save it as CSV UTF-8"),
        (b"\x89PNG\r\n", "an image; give its text"),
        (b"\xff\xd8\xff\xe0", "an image; give its text"),
    ],
)
def test_file_that_is_no_text_gets_a_sentence(head, kind):
    assert re.search(kind, describe_binary(head))
    assert describe_binary(b" " + head) == ""
