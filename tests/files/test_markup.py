"""SGML and XML of NIST and WMT, TMX and XLIFF; and files that would fill the memory."""

import time
import xml.etree.ElementTree as ET
from contextlib import suppress
from xml.sax.saxutils import escape, quoteattr

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu.core.progress import run_to_end
from bleu.files.data_table import DataTable, guess_roles
from bleu.files.markup import iter_tags, parse_markup
from bleu.files.text_files import FileError
from tests.support.table_files import QUADRATIC, REF_SGM, TMX, TST_SGM, WMT_XML, XLIFF


def table(text: str) -> DataTable:
    """Return the table in a file."""
    return run_to_end(parse_markup("a.xml", text.split("\n")))


def test_wmt_xml_has_its_references_and_systems():
    parsed = table(WMT_XML)
    assert parsed.columns == (
        *("document", "segment", "source", "reference A", "reference B"),
        *("Online-A", "UEDIN"),
    )
    assert guess_roles(parsed) == ["groups", "", "", "references", "references", "system", "system"]
    assert list(parsed.rows[1]) == [
        *("bbc.381790", "2", "Three", "Drei < vier und fünf", "Drei ist kein Rest"),
        *("Drei < vier und fünf", "Drei sind kein Rest"),
    ]
    assert len(parsed.rows) == 3
    expected = [seg.text for seg in ET.fromstring(WMT_XML.encode()).iterfind(".//hyp/p/seg")]
    assert sorted(row[i] for row in parsed.rows for i in (5, 6)) == sorted(expected)


def test_sgml_is_read_though_it_is_not_well_formed():
    for text, role in ((TST_SGM, "system"), (REF_SGM, "references")):
        parsed = table(text)
        assert [row[-1] for row in parsed.rows] == [
            "Das Erste & Zweite von allen",
            'He said "go" to all of us',
            "",
        ]
        assert guess_roles(parsed)[2] == role
    both = table(TST_SGM + REF_SGM + REF_SGM.replace('"ref"', '"ref2"'))
    assert both.columns == ("document", "segment", "online-B.0", "reference ref", "reference ref2")
    assert all(None not in row for row in both.rows)


def test_end_tag_of_an_ignored_element_without_its_start_skips_nothing():
    parsed = table(WMT_XML.replace("Drei ist", "Drei</it></ph> ist", 1))
    assert parsed == table(WMT_XML)


def test_segments_without_a_set_have_an_unknown_role():
    parsed = table('<seg id="1">the cat</seg>\n<seg id="2">a dog</seg>\n<seg id="1">again</seg>')
    assert [row[1] for row in parsed.rows] == ["the cat", "a dog", "again"]
    assert guess_roles(parsed) == ["", None]


def test_tmx_and_xliff_are_offered_as_columns():
    memory = table(TMX)
    assert (memory.columns, guess_roles(memory)) == (("segment", "en", "de"), ["", None, None])
    assert [row[1:] for row in memory.rows] == [["A bold word", "Ein fettes Wort"], ["Two", "Zwei"]]
    units = table(XLIFF)
    assert (units.columns, guess_roles(units)) == (
        ("segment", "source", "target"),
        ["", None, None],
    )
    assert list(units.rows) == [
        ["1", "One big word", "Ein großes Wort"],
        ["2", "Two", "Zwei <b>"],
    ]


@given(st.lists(st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=20), min_size=1))
def test_texts_and_attributes_survive(texts):
    segments = "".join(
        f"<doc docid={quoteattr(text)}><seg id='1'>{escape(text)}</seg></doc>" for text in texts
    )
    parsed = table(f"<tstset>{segments}</tstset>")
    assert sorted(row[-1] for row in parsed.rows) == sorted(text.strip() for text in texts)


@given(st.text("<>/!-[]?&;=\"' abseg1\n", max_size=60))
def test_any_text_is_read_or_refused(text):
    try:
        parsed = table(f"<seg>{text}")
    except FileError:
        return
    assert parsed.rows


EXTERNAL = (
    '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><tstset><seg id="1">&a;</seg></tstset>'
)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (QUADRATIC, "a.xml declares entities, which are not read; save it without them"),
        (EXTERNAL, "a.xml declares entities"),
        ('<?xml?><!DOCTYPE x [ <!ENTITY % a "b"> %a;]><x/>', "a.xml declares entities"),
        ("<tstset>\n" + "<a" * 200_000, "a.xml, line 2: a text has too many < or comments"),
        ("<tstset>" + "<!---->" * 200_000, "a.xml, line 1: a text has too many < or comments"),
        ("<tstset><!-- ", "a.xml has a <!-- without -->; complete the file"),
        ("<tstset><seg id=1>a<seg id=2>b", "a.xml, line 1: <seg> begins or ends twice"),
        ("<seg id=1>a</seg></seg>", "a.xml, line 1: <seg> begins or ends twice"),
        ("<tstset><seg id=1>a", "a.xml ends inside segment '1'; complete the file"),
        ("<html><p></p></html>", "a.xml has no texts; give XML with texts"),
        ("<a>" * 200, "a.xml, line 1 is nested more than 100 deep"),
        (
            "".join(f"<hyp system='{n}'><seg>a</seg></hyp>" for n in range(1001)),
            "a.xml has 1,003 columns; give at most 1,000",
        ),
    ],
)
def test_unsafe_or_incomplete_markup_is_refused(text, reason):
    start = time.process_time()
    with pytest.raises(FileError, match=reason):
        table(text)
    assert time.process_time() - start < 1


def test_undeclared_entities_are_text():
    assert next(tag.text for tag in iter_tags("a", "&a; &amp;lt; &#x41; AT&T &nbsp;<b>")) == (
        "&a; &lt; A AT&T \xa0"
    )


@pytest.mark.parametrize(
    "piece", ["<", '<a "', "<!--", "<![CDATA[", '<seg a="1" ', "&a", "<!DOCTYPE ", "a=", "a "]
)
def test_time_grows_with_the_size_alone(piece):
    def seconds(count: int) -> float:
        start = time.process_time()
        with suppress(FileError):
            table("<?xml?><seg " + piece * count)
        return time.process_time() - start

    seconds(100)
    assert seconds(200_000) < 5  # quadratic, it would take minutes


def test_elements_that_repeat_are_rows_and_paths_are_columns():
    android = table(
        '<resources>\n<string name="x">A <b>bold</b>\nword</string>\n'
        '<string name="y">Two &lt;i&gt;</string>\n</resources>'
    )
    assert (android.columns, android.rows) == (
        ("key", "text"),
        [["x", "A bold word"], ["y", "Two <i>"]],
    )
    entry = '<entry eid="{0}"><triple>t {0}</triple>{1}</entry>'.format
    lexes = '<lex lid="1">one</lex><lex lid="2">two</lex>', '<lex lid="1">three</lex>'
    rows = "".join(entry(n, texts) for n, texts in enumerate(lexes))
    web = table(f"<benchmark><entries>{rows}</entries></benchmark>")
    assert web.columns == ("eid", "triple", "lex.lid", "lex.text")
    assert [row[-1] for row in web.rows] == [["one", "two"], "three"]


def test_alternative_translations_of_every_unit_are_a_system():
    unit = (
        '<trans-unit id="{0}"><source>s {0}</source><target>t {0}</target>'
        '<alt-trans origin="mt"><target>a {0}</target></alt-trans>{1}</trans-unit>'
    ).format
    some = '<alt-trans origin="tm"><target>b</target></alt-trans>'
    parsed = table(f"<xliff>{unit(1, some)}{unit(2, '')}</xliff>")
    assert parsed.columns == ("segment", "source", "target", "target of mt")
    assert guess_roles(parsed)[-1] == "system"
    assert [row[-1] for row in parsed.rows] == ["a 1", "a 2"]
