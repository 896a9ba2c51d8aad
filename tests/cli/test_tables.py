"""The option --table: columns of files that other programs wrote, scored as plain files are."""

import json
from argparse import Namespace

import pytest

from bleu.__main__ import main
from bleu.cli.tables import read_table_file
from tests.support.table_files import REF_SGM, TST_SGM, WMT_XML, XLIFF, inline_rows, workbook

pytestmark = pytest.mark.host

OPTIONS = Namespace(encoding=None, no_header=False)
SYSTEM = ['He said "go" to us', "a, b; c\td", "line\nbreak and more of it", " the cat is on a mat "]
REFERENCE = ['He said ""go"" to us', "a, b; c d", "line break and no more", "the cat is on the mat"]


@pytest.fixture
def run(tmp_path, capsys):
    """Return a function that scores a table and returns exit code, JSON or text, and errors."""

    def score(name, content, *options):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        code = main(["corpus", "--table", str(path), "--format", "json", *options])
        output = capsys.readouterr()
        return code, json.loads(output.out) if code == 0 else output.out, output.err

    return score


def formats():
    """Yield the same table as pandas writes it in each format, with a name."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"id": [1, 2, 3, 4], "mt": SYSTEM, "ref": REFERENCE, "x": [None] * 4})
    for quoting in (0, 1, 2):
        for separator in "\t,;":
            text = frame.to_csv(sep=separator, index=False, quoting=quoting)
            yield f"{separator!r} {quoting}", text.encode()
            yield f"{separator!r} {quoting} utf-16", text.encode("utf-16")
            yield f"{separator!r} {quoting} crlf", text.replace("\n", "\r\n").encode("utf-8-sig")
    for orient in ("records", "columns", "index"):
        yield orient, frame.to_json(orient=orient).encode()


def test_tables_of_pandas_are_read_as_they_were(tmp_path):
    path = tmp_path / "no ending"
    for name, content in formats():
        path.write_bytes(content)
        table = read_table_file(str(path), OPTIONS)
        assert table.columns[-4:] == ("id", "mt", "ref", "x"), name  # Rows by key have a key, too.
        texts = [[str(cell).replace("\r\n", "\n") for cell in row[-3:-1]] for row in table.rows]
        assert texts == [list(pair) for pair in zip(SYSTEM, REFERENCE, strict=True)], name


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (
            'mt\tref\n"Well, yes"\t"a ""b"""\nno\t"c\nd"\n',
            [["Well, yes", 'a "b"'], ["no", "c\nd"]],
        ),
        ('mt\tref\n"Well, yes"\tno\n', [["Well, yes", "no"]]),
        ('mt\tref\n"Yes."\tno\n"Oh."\tno, really\n', [['"Yes."', "no"], ['"Oh."', "no, really"]]),
        (  # LibreOffice
            '"mt"\t"n"\t"ref"\n"Yes."\t1\t"no"\n"Oh."\t2\tTRUE\n',
            [["Yes.", "1", "no"], ["Oh.", "2", "TRUE"]],
        ),
        (
            'mt\tref\n"Yes."\t"No" he said\n"Oh\tHm"\n',
            [['"Yes."', '"No" he said'], ['"Oh', 'Hm"']],
        ),
    ],
)
def test_excel_between_tabs_and_raw_quotes_are_told_apart(text, rows, tmp_path):
    (tmp_path / "a.tsv").write_text(text, "utf-8")
    assert list(read_table_file(str(tmp_path / "a.tsv"), OPTIONS).rows) == rows


def test_quoted_cells_between_tabs_score_without_their_quotes(run):
    content = 'mt\tref\n"He said ""go"" to us"\tHe said "go" to them\n'
    code, report, notes = run("a.tsv", content)
    raw = 'mt\tref\nHe said "go" to us\tHe said "go" to them\n'
    assert (code, report["systems"]) == (0, run("a.tsv", raw)[1]["systems"])
    assert "hypotheses are in mt, references in ref" in notes


def test_prompt_is_no_system_and_groups_are_scored(run):
    rows = [
        {"prompt": "x", "response": "the cat sat on it", "reference": ["the cat sat on it"]},
        {"prompt": "y", "response": "a dog ran off", "reference": ["the dog ran off", "a dog"]},
        {"prompt": "z", "response": "a dog ran off", "reference": ["the dog ran off", "a dog"]},
    ]
    for row, domain in zip(rows, "abb", strict=True):
        row["domain"] = domain
    code, report, _ = run("a.jsonl", "\n".join(map(json.dumps, rows)))
    assert code == 0
    assert [system["name"] for system in report["systems"]] == ["response"]
    assert "nrefs:var" in report["signature"]
    assert [group["segments"] for group in report["groupings"][0]["groups"]] == [1, 2]


def test_wmt_xml_scores_its_systems_under_two_references(run):
    code, report, _ = run("wmt.xml", WMT_XML, "--baseline", "UEDIN")
    assert code == 0
    assert [system["name"] for system in report["systems"]] == ["UEDIN", "Online-A"]
    assert report["systems"][1]["score"] == 1
    assert "nrefs:2" in report["signature"]


def test_chosen_columns_replace_guesses(run):
    book = workbook(inline_rows(("ref", "mt", "other"), ("a b c d", "x y z w", "a b c d")))
    assert run("a.xlsx", book)[1]["systems"][0]["score"] == 0
    code, report, _ = run("a.xlsx", book, "--hypothesis-column", "other")
    assert (code, report["systems"][0]["score"]) == (0, 1)
    code, report, _ = run(
        *("a.xlsx", book, "--hypothesis-column", "ref", "--reference-column", "other"),
        *("--reference-column", "mt"),
    )
    assert (code, report["systems"][0]["name"]) == (0, "ref")


@pytest.mark.parametrize(
    ("content", "options", "reason"),
    [
        (
            XLIFF,
            (),
            "hold hypotheses; name one of segment, source, target with --hypothesis-column",
        ),
        (
            TST_SGM,
            (),
            "hold references; name one of document, segment, online-B.0 with --reference-column",
        ),
        ("mt\tref\na\tb", ("--reference-column", "x"), "has no column 'x'; it has mt, ref"),
        ("mt\tref\na\tb", ("--reference-column", "mt", "--hypothesis-column", "mt"), "twice"),
        ("mt\tmt\tref\na\tb\tc", (), "is used twice (mt, mt, ref)"),
        ('{"mt": "a", "ref": null}', (), "row 1 has no text in column ref; give one in each row"),
        ("", (), "is empty; give a table with a line for each segment"),
        (b"\xff\xfe\0\xd8", (), "is not valid UTF-16"),
        (b"%PDF-1.7", (), "is a PDF; copy its text"),
    ],
)
def test_unclear_or_wrong_table_ends_with_a_sentence(run, content, options, reason):
    code, output, message = run("a", content, *options)
    assert (code, output) == (1, "")
    assert reason in message
    assert len(message.splitlines()) == 1


def test_table_excludes_files(capsys):
    with pytest.raises(SystemExit) as error:
        main(["corpus", "--table", "a.tsv", "--references", "b.txt"])
    assert error.value.code == 2
    assert "--table has all texts, and b.txt is given, too" in capsys.readouterr().err


def test_missing_table_has_a_reason(tmp_path, capsys):
    assert main(["corpus", "--table", str(tmp_path / "none.csv")]) == 1
    assert "none.csv cannot be read: No such file" in capsys.readouterr().err


def test_sets_in_one_file_are_scored(run):
    code, report, _ = run("both.sgm", TST_SGM + REF_SGM)
    assert (code, report["systems"][0]["score"]) == (0, 1)
