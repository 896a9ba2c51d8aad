"""Tables as other programs write them: a workbook, and the formats of NIST and WMT."""

import csv
import io
import zipfile
from collections.abc import Iterable, Sequence
from typing import Any

HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

WMT_XML = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="newstest2021.en-de">
  <doc origlang="en" id="bbc.381790" testsuite="x">
    <src lang="en"><p><seg id="1">One &amp; two</seg>
<seg id="2">Three</seg></p></src>
    <ref lang="de" translator="A"><p><seg id="1">Eins &amp; zwei sind da</seg>
<seg id="2">Drei &lt; vier und fünf</seg></p></ref>
    <ref lang="de" translator="B"><p><seg id="1">Eins und zwei sind da</seg>
<seg id="2">Drei ist kein Rest</seg></p></ref>
    <hyp lang="de" system="Online-A"><p><seg id="1">Eins &amp; zwei sind da</seg>
<seg id="2">Drei &lt; vier und fünf</seg></p></hyp>
    <hyp lang="de" system="UEDIN"><p><seg id="1">Eins, zwei und mehr</seg>
<seg id="2">Drei sind kein Rest</seg></p></hyp>
  </doc>
  <doc origlang="en" id="cnn.1">
    <src lang="en"><p><seg id="1">Four</seg></p></src>
    <ref lang="de" translator="A"><p><seg id="1">Vier sind mehr als drei</seg></p></ref>
    <ref lang="de" translator="B"><p><seg id="1">Vier sind es wohl doch</seg></p></ref>
    <hyp lang="de" system="Online-A"><p><seg id="1">Vier sind mehr als drei</seg></p></hyp>
    <hyp lang="de" system="UEDIN"><p><seg id="1">Vier sind nicht mehr da</seg></p></hyp>
  </doc>
</dataset>
"""
"""Two documents with two references and two systems, as wmt-format-tools writes them."""

TST_SGM = """<tstset trglang="de" setid="newstest2019" srclang="any">
<doc sysid="online-B.0" docid="abc.1" genre="news" origlang="en">
<hl>
<seg id="1">Das Erste & Zweite von allen</seg>
</hl>
<p>
<seg id="2">He said &quot;go&quot; to all of us</seg>
</p>
</doc>
<doc sysid="online-B.0" docid="abc.2" genre="news" origlang="en">
<p>
<seg id="1"></seg>
</p>
</doc>
</tstset>
"""
REF_SGM = TST_SGM.replace("tstset", "refset").replace("online-B.0", "ref")
"""A system and a reference as the news task had them before 2021; a text may have a bare &."""

TMX = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4"><header segtype="sentence" srclang="en" adminlang="en"/>
<body>
<tu tuid="7"><tuv xml:lang="en"><seg>A <bpt i="1">&lt;b&gt;</bpt>bold<ept i="1">&lt;/b&gt;</ept>
 word</seg></tuv>
<tuv xml:lang="de"><seg>Ein <hi>fettes</hi> Wort</seg></tuv></tu>
<tu><tuv xml:lang="en"><seg>Two</seg></tuv><tuv xml:lang="de"><seg>Zwei</seg></tuv></tu>
</body></tmx>
"""
XLIFF = """<?xml version="1.0"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
<file original="a" source-language="en" target-language="de" datatype="plaintext"><body>
<trans-unit id="1"><source>One <g id="1">big</g> word<x id="2"/></source>
<seg-source><mrk mtype="seg">not this</mrk></seg-source>
<target>Ein <g id="1">großes</g> Wort</target>
<alt-trans><source>other</source><target>anderes</target></alt-trans></trans-unit>
<trans-unit id="2"><source>Two</source><target><![CDATA[Zwei <b>]]></target></trans-unit>
</body></file></xliff>
"""


def workbook(sheet: str, strings: str = "", packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a workbook with the rows of a sheet and the shared strings, both as XML."""
    parts = {
        "[Content_Types].xml": f"{HEAD}<Types/>",
        "xl/workbook.xml": f'{HEAD}<workbook {MAIN} xmlns:r="{OFFICE}"><sheets><sheet name="Größe '
        '&amp; mehr" sheetId="3" r:id="rId7"/><sheet name="b" sheetId="1" r:id="rId1"/></sheets>'
        "</workbook>",
        "xl/_rels/workbook.xml.rels": f'{HEAD}<Relationships><Relationship Id="rId1" '
        f'Target="worksheets/other.xml" Type="{OFFICE}/worksheet"/><Relationship Id="rId7" '
        f'Target="worksheets/sheet1.xml" Type="{OFFICE}/worksheet"/></Relationships>',
        "xl/worksheets/sheet1.xml": f"{HEAD}<worksheet {MAIN}><sheetData>{sheet}</sheetData>"
        "</worksheet>",
        "xl/sharedStrings.xml": f"{HEAD}<sst {MAIN}>{strings}</sst>",
    }
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", packing) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return target.getvalue()


def inline_rows(*rows: tuple[str, ...]) -> str:
    """Return worksheet rows with inline strings."""
    return "".join(
        "<row>" + "".join(f'<c t="inlineStr"><is><t>{cell}</t></is></c>' for cell in row) + "</row>"
        for row in rows
    )


QUADRATIC = (
    f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "{"a" * 10**5}">]>'
    f"<tstset><doc><seg>{'&a;' * 10**5}</seg></doc></tstset>"
)
"""XML of 0.4 MB whose entity stands for 10 GB."""


def zeros() -> bytes:
    """Return a small workbook whose sheet is 90 MB of zeros."""
    return workbook("\0" * (90 * 2**20))


def separated(
    rows: Iterable[Sequence[Any]], names: Sequence[str] = (), separator: str = ",", **options: Any
) -> str:
    """Return rows as separated values, below the names of their columns if there are any."""
    target = io.StringIO()
    writer = csv.writer(target, delimiter=separator, **{"lineterminator": "\n", **options})
    writer.writerows([*([names] if names else []), *rows])
    return target.getvalue()
