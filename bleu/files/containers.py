"""Containers: files whose texts are in fields of JSON, markup, columns, or another format."""

import csv
import re
from collections.abc import Sequence
from itertools import islice
from typing import Final

from bleu.core.progress import ProgressGenerator
from bleu.files.data_table import (
    MAX_COLUMNS,
    REFERENCES,
    RULE,
    UNUSED,
    DataTable,
    are_names,
    parse_separated,
)
from bleu.files.formats import (
    FORMATS,
    KALDI,
    LABELLED,
    MIN_SHARE,
    TABBED,
    are_labelled,
    read_labelled,
)

DETECTION_LINES: Final = 300
"""The number of first lines that decide whether a file is a container."""
MIN_RECORDS: Final = 5
"""The smallest number of lines with as many commas, or of a column, that are a table."""
_STRING: Final = r"\"(?:[^\"\\]|\\.)*+\"\s*"
_LIST: Final = re.compile(r"\s*\[+\s*[\"'\[].*[\"'\]]\s*\]+\s*$")
"""A list of texts on one line."""
_LIST_PART: Final = re.compile(
    rf"\s*(?:\[+\s*)?{_STRING}(?:,\s*{_STRING})*[\],]*\s*$|\s*[\[\],]+\s*$"
)
"""A line of a list of texts on several lines."""
_OBJECT: Final = re.compile(rf"\s*\{{\s*(?:(?:{_STRING}|'(?:[^'\\]|\\.)*+'):.*)?\}}\s*$")
"""An object on one line, as JSON or Python writes it."""
_MARKUP: Final = re.compile(
    r"\s*<(?:\?xml|!DOCTYPE|!--|/?(?:seg|doc|hl|p|src|ref|hyp|srcset|refset|tstset|mteval|dataset|"
    r"collection|tmx|header|body|tuv?|xliff|file|trans-unit|unit|segment|source|target)\b)",
    re.IGNORECASE,
)
_ROOT: Final = re.compile(r"\s*<(?:\?xml|!DOCTYPE|srcset|refset|tstset|tmx|xliff)\b", re.IGNORECASE)
"""The beginning of a whole file of markup."""

WORKBOOK: Final = "workbook"
CONTAINERS: Final = {
    "markup": "SGML or XML",
    "json": "JSON",
    "table": "delimited columns",
    WORKBOOK: "an Excel workbook",
}
"""What a container is in words; a format of `FORMATS` is called by its name."""


def detect_container(lines: Sequence[str], role: str | None = None) -> str:
    r"""Return "markup", "json", "table", a name of `FORMATS`, or "" for plain text.

    Without names of columns, columns of a file whose `role` is REFERENCES are references: TABBED.

    >>> detect_container(['<seg id="1">a</seg>', '<seg id="2">b</seg>'])
    'markup'
    >>> detect_container(['{"mt": "a"}', '{"mt": "b"}']), detect_container(["[", '{"mt": "a"}]'])
    ('json', 'json')
    >>> detect_container(["mt,ref", "a,b"]), detect_container(["Well, yes.", "Oh, no."])
    ('table', '')
    >>> detect_container(["a cat\ta kitten", "a dog\ta puppy", "a cow"], "references")
    'references between tabs'
    """
    sample = [line for line in islice(lines, DETECTION_LINES) if line.strip()]
    if not sample:
        return ""
    tags = [tag[0].strip().lower() for tag in map(_MARKUP.match, sample) if tag]
    is_html = not set(tags) - {"<p", "</p"}  # Lines in paragraphs have no segments.
    are_segments = len(tags) >= MIN_SHARE * len(sample) and not is_html
    begins_tree = len(sample) > 2 and re.fullmatch(r"\s*<[A-Za-z][^<>]*>\s*", sample[0])
    elements = sum(line.lstrip().startswith("<") for line in sample)
    is_tree = begins_tree and elements >= MIN_SHARE * len(sample)
    if are_segments or is_tree or _ROOT.match(sample[0]):
        return "markup"
    head = "\n".join(sample[:2])
    begins_object = re.match(r'\s*\{\s*"', head) and not sample[0].rstrip().endswith("}")
    if begins_object or re.match(r"\s*\[[\s\[]*\{", head) or _are_lists(sample):
        return "json"
    if sum(map(bool, map(_OBJECT.match, sample))) >= MIN_SHARE * len(sample):
        return "json"
    if are_labelled(sample):
        return LABELLED
    if name := next((name for name, kind in FORMATS.items() if kind.is_format(sample)), ""):
        return name
    if role == REFERENCES and _are_between_tabs(sample):
        return TABBED
    if len(sample) > 2 and RULE.fullmatch(sample[1]) and "|" in sample[0]:
        return "table"
    is_table = any(_has_columns(sample, separator) for separator in ("\t", ",", ";", "|", " ||| "))
    return "table" if is_table or sample[0].startswith("sep=") or is_single_column(sample) else ""


def _are_between_tabs(sample: Sequence[str]) -> bool:
    """Return whether lines are references between tabs: most have one, and their number varies."""
    cells = sample[0].split("\t")
    tabbed = sum("\t" in line.strip() for line in sample)
    has_ids = cells[0].strip().isdecimal() or KALDI.is_format(sample)
    varies = len({line.count("\t") for line in sample}) > 1
    return varies and tabbed >= max(2, len(sample) / 2) and not has_ids and not are_names(cells)


def _are_lists(sample: Sequence[str]) -> bool:
    """Return whether lines are an array of texts in JSON or Python, or each is one.

    >>> _are_lists(['["a",', '"b"]']), _are_lists(["['a', 'b']", "['c']"])
    (True, True)
    >>> _are_lists(["[a] b", "[c]"])
    False
    """
    if all(_LIST.match(line) and line.strip() != "[" for line in sample):
        return True
    opens = re.match(r"\s*\[+\s*([\"'].*)?$", sample[0])
    return bool(opens) and len(sample) > 1 and all(map(_LIST_PART.match, sample))


def _has_columns(sample: Sequence[str], separator: str) -> bool:
    """Return whether lines form a table: by known column names, or as all have as many cells."""
    names = sample[0].split(separator)
    if not 2 <= len(names) <= MAX_COLUMNS or len(sample) < 2:
        return False
    if are_names(names):
        separators = [line.count(separator) for line in sample]
        return sum(count >= len(names) - 1 for count in separators) >= len(sample) / 2
    try:
        rows = _cells(sample, separator)
    except csv.Error:
        return False
    if {len(row) for row in rows} != {len(rows[0])} or not all(map(any, zip(*rows, strict=True))):
        return False
    if separator in ("\t", " ||| "):
        return True
    spaced = sum(cell[:1] == " " for row in rows for cell in row[1:])
    is_prose = 2 * spaced >= len(rows) * (len(rows[0]) - 1) or separator == "|"
    # Prose has spaces after its commas, except in scripts without spaces and in numbers.
    starts = [cell[:1] for row in rows for cell in row[1:]]
    is_clear = all(start.isascii() or start.lower() != start.upper() for start in starts)
    is_clear &= " " not in starts and not any(re.search(r"\d[,;]\d", line) for line in sample)
    return not is_prose and (is_clear or len(rows) >= MIN_RECORDS or are_names(rows[0], rows[1:]))


def _cells(sample: Sequence[str], separator: str) -> list[list[str]]:
    """Return the cells of lines, without the last if the sample may have cut it."""
    if separator == ";":  # The ends of escapes such as &amp; separate nothing.
        sample = [re.sub(r"(&#?\w{1,9});", r"\1", line) for line in sample]
    if len(separator) > 1 or separator == "\t":
        return [line.split(separator) for line in sample]
    rows = [row for row in csv.reader(sample, delimiter=separator, strict=True) if row]
    return rows[:-1] if len(sample) == DETECTION_LINES else rows


def is_single_column(sample: Sequence[str]) -> bool:
    """Return whether lines are one column of CSV: those with commas are quoted, and no others.

    >>> is_single_column(["Text", "I see what you mean.", "A cat.", '"Well, yes."', "So be it."])
    True
    """
    quoted = [line for line in sample if line[:1] == line[-1:] == '"' and len(line) > 1]
    needs_quotes = [line for line in sample if "," in line or '"' in line]
    has_name = are_names(sample[:1], [[line] for line in sample[1:]])
    return (
        len(sample) >= MIN_RECORDS
        and sum("," in line for line in quoted) >= (1 if has_name else MIN_RECORDS)
        and quoted == needs_quotes
        and len(quoted) < len(sample)
        and all('"' not in line[1:-1].replace('""', "") for line in quoted)
    )


def read_container(
    name: str, lines: Sequence[str], role: str | None = None
) -> ProgressGenerator[DataTable]:
    """Return the table in lines of JSON, markup, separated values or a format of `FORMATS`.

    Yields (read, total) in characters or lines.

    Raises FileError if the lines do not form a table.
    """
    # Few files need these modules; see LAZY_MODULES in app/build/stdlib.py.
    from bleu.files.json_table import parse_json
    from bleu.files.markup import parse_markup

    container = detect_container(lines, role)
    first = next((line.lstrip() for line in lines if line.strip()), "")
    if container == "json" or first.startswith("{"):
        return (yield from parse_json(name, lines))
    if container == "markup":
        return (yield from parse_markup(name, lines))
    if container == LABELLED:
        return read_labelled(name, lines)
    if container not in FORMATS:
        sample = [line for line in islice(lines, DETECTION_LINES) if line.strip()]
        table = yield from parse_separated(name, lines, is_single=is_single_column(sample))
        is_ruled = any(RULE.fullmatch(line) for line in lines[1:2])  # As in Markdown.
        is_header = is_ruled or are_names(table.header, table.rows[:DETECTION_LINES])
        return table.with_header(is_header=is_header)
    content, key, _, read = FORMATS[container]
    rows = []
    for row in read(lines):
        rows.append(row)
        yield len(rows), len(lines)
    return DataTable(name, (key, "text"), rows, roles=(UNUSED, None), content=content)
