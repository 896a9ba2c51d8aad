"""The same texts in any layout have the same score, or are refused."""

import json
from collections.abc import Callable, Sequence
from html import escape

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import bleu
from bleu.__main__ import main
from tests.support.table_files import inline_rows, separated, workbook

pytestmark = pytest.mark.host

SEGMENTS = [
    ("Der Markt öffnet um sieben Uhr.", "The market opens at seven.", "The market opens at 7 a.m."),
    ("Meine Tante repariert alte Uhren.", "My aunt repairs old clocks.", "My aunt fixes clocks."),
    ("Wo ist der nächste Bahnhof?", "Where is the next station?", "Where is the nearest station?"),
    ("Das Fenster blieb offen.", "The window remained open.", "The window stayed open."),
    ("Sie schrieb drei lange Briefe.", "She wrote three long letters.", "She wrote 3 letters."),
    ("Im Keller steht Wasser.", "There is water in the cellar.", "Water stands in the cellar."),
    ("Er verpasste den letzten Bus.", "He missed the last bus.", "He has missed the last bus."),
    ("Die Suppe ist noch heiß.", "The soup is still hot, \"really\".", "The soup is still hot."),
    ("Kinder zahlen die Hälfte.", "Children pay half; adults all.", "Children pay half the price."),
    ("Wir haben kein Brot mehr.", "We have no more bread, sorry.", "We have no bread left."),
    ("Morgen wird es regnen.", "Tomorrow it will rain | or snow.", "It will rain tomorrow."),
    ("Der Lehrer lobte sie alle.", "The teacher praised them all.", "The teacher praised all."),
]  # fmt: skip
Columns = dict[str, Sequence[str]]
"""Columns of a file by their names, of which one holds the texts."""


def records(columns: Columns) -> list[dict[str, str]]:
    """Return the rows as objects."""
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def nested(value: object, depth: int) -> object:
    """Return a value inside objects."""
    for level in range(depth):
        value = {f"level{level}": value}
    return value


def units(columns: Columns, unit: str, cell: Callable[[str, str], str]) -> str:
    """Return rows as elements of XML, with one element for each cell."""
    rows = zip(*columns.values(), strict=True)
    texts = ("".join(map(cell, columns, map(escape, row))) for row in rows)
    return "".join(f'<{unit} id="{n}">{text}</{unit}>\n' for n, text in enumerate(texts))


def xliff(columns: Columns) -> str:
    """Return columns as XLIFF; the texts are its targets."""
    rows = units(columns, "trans-unit", "<{0}>{1}</{0}>".format)
    return f'<?xml version="1.0"?>\n<xliff><file><body>\n{rows}</body></file></xliff>'


def tmx(columns: Columns) -> str:
    """Return columns as TMX, with a language for each."""
    rows = units(columns, "tu", '<tuv xml:lang="{0}"><seg>{1}</seg></tuv>'.format)
    return f'<?xml version="1.0"?>\n<tmx version="1.4"><body>\n{rows}</body></tmx>'


def layouts(
    columns: Columns, source: Sequence[str], texts: Sequence[str], depth: int, *, is_named: bool
) -> dict[str, str | bytes]:
    """Return a file in each container; its columns have names or not."""
    rows, names = list(zip(*columns.values(), strict=True)), list(columns) if is_named else []
    return {
        "lines": "\n".join(texts) + "\n",
        "comma": separated(rows, names, ","),
        "semicolon": separated(rows, names, ";"),
        "tab": "\n".join(map("\t".join, [*([names] if names else []), *rows])),
        "JSON lines": "\n".join(json.dumps(nested(row, depth)) for row in records(columns)),
        "JSON array": json.dumps(nested(records(columns), depth), indent=depth or None),
        "JSON columns": json.dumps(nested({"size": len(texts), **columns}, depth)),
        "JSON by key": json.dumps({f"s{n}": r for n, r in enumerate(records(columns))}),
        "texts": json.dumps(texts, indent=depth or None),
        "workbook": workbook(inline_rows(*([tuple(names)] if names else []), *rows)),
        "XLIFF": xliff({"source": source, "target": texts}),
        "TMX": tmx({"de": source, "en": texts}),
        "log": "\n".join(f"S-{n}\t{source[n]}\nH-{n}\t-0.5\t{t}" for n, t in enumerate(texts)),
    }  # fmt: skip


FILES = list(layouts({"a": ["b"], "c": ["d"]}, ["b"], ["d"], 0, is_named=True))
NAMES = st.sampled_from(["target", "English", "x", "output", "translation", "col2", "text_en"])


@st.composite
def files(draw):
    """Return the segments, and the names and contents of a file of each side."""
    segments = draw(st.permutations(SEGMENTS))[: draw(st.integers(4, len(SEGMENTS)))]
    sides = []
    for column in (1, 2):
        source, texts = ([segment[index] for segment in segments] for index in (0, column))
        columns = [(draw(st.sampled_from(["source", "German", "y"])), source)]
        if draw(st.booleans()):
            columns.append(("id", [f"seg{number}" for number, _ in enumerate(segments)]))
        columns = draw(st.permutations([*columns, (draw(NAMES), texts)]))
        container = draw(st.sampled_from(FILES))
        depth, is_named = draw(st.integers(0, 3)), draw(st.booleans())
        options = layouts(dict(columns), source, texts, depth, is_named=is_named)
        sides.append((container, options[container]))
    return segments, sides


@given(files())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
def test_texts_have_the_same_score_in_every_layout_or_are_refused(tmp_path, capsys, case):
    segments, sides = case
    for name, (_, content) in zip(("hypotheses", "references"), sides, strict=True):
        data = content if isinstance(content, bytes) else content.encode()
        (tmp_path / name).write_bytes(data)
    paths = [f"--{name}={tmp_path / name}" for name in ("hypotheses", "references")]
    capsys.readouterr()
    status = main(["corpus", *paths, "--format", "json", "--quiet"])
    printed, message = capsys.readouterr()
    hypotheses = [segment[1] for segment in segments]
    references = [[segment[2]] for segment in segments]
    wanted = bleu.corpus_bleu(hypotheses, references, convention="sacrebleu").value
    if status:
        assert "error:" in message
    else:
        score = json.loads(printed)["systems"][0]["score"]
        assert score == wanted, [container for container, _ in sides]
