"""Containers: files whose texts are in fields of JSON, markup, columns, or another format."""

import json
import re
from collections.abc import Sequence
from itertools import islice
from typing import Final

from bleu.core.progress import ProgressGenerator
from bleu.files.data_table import MAX_COLUMNS, REFERENCES, DataTable, guess_role, parse_separated
from bleu.files.formats import FORMATS, KALDI, MIN_SHARE, TABBED

DETECTION_LINES: Final = 300
"""The number of first lines that decide whether a file is a container."""
MIN_ROWS: Final = 20
"""The smallest number of rows of a table without known column names."""
_MARKUP: Final = re.compile(
    r"\s*<(?:\?xml|!DOCTYPE|!--|/?(?:seg|doc|hl|p|src|ref|hyp|srcset|refset|tstset|mteval|dataset|"
    r"collection|tmx|header|body|tuv?|xliff|file|trans-unit|unit|segment|source|target)\b)",
    re.IGNORECASE,
)

CONTAINERS: Final = {"markup": "SGML or XML", "json": "JSON", "table": "delimited columns"}
"""What a container is in words; a format of `FORMATS` is called by its name."""
_NAME: Final = re.compile(r'"?\w[\w ,.:()/-]{0,38}[\w)]?"?')
"""A column's name; unlike a clause of prose, it begins with no space and ends with no full stop."""


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
    if (len(tags) >= MIN_SHARE * len(sample) and not is_html) or re.match(
        r"\s*<(?:\?xml|!DOCTYPE|srcset|refset|tstset|tmx|xliff)\b", sample[0], re.IGNORECASE
    ):
        return "markup"
    head = "\n".join(sample[:2])
    begins_object = re.match(r'\s*\{\s*"', head) and not sample[0].rstrip().endswith("}")
    if begins_object or re.match(r"\s*\[\s*\{", head):
        return "json"
    if sum(map(_is_json_object, sample)) >= MIN_SHARE * len(sample):
        return "json"
    if name := next((name for name, kind in FORMATS.items() if kind.is_format(sample)), ""):
        return name
    if role == REFERENCES and _are_between_tabs(sample):
        return TABBED
    return "table" if any(_has_columns(sample, separator) for separator in "\t,;") else ""


def _are_between_tabs(sample: Sequence[str]) -> bool:
    """Return whether lines are references between tabs: most have one, the first no name or id."""
    cells = sample[0].split("\t")
    tabbed = sum("\t" in line.strip() for line in sample)
    has_ids = cells[0].strip().isdecimal() or KALDI.is_format(sample)
    are_names = _are_names(cells) and all(len(cell.split()) < 5 for cell in cells)
    return tabbed >= max(2, len(sample) / 2) and not has_ids and not are_names


def _are_names(cells: Sequence[str]) -> bool:
    """Return whether cells are names of columns, at least half of them known."""
    known = [cell for cell in cells if guess_role(cell.strip('"')) is not None]
    return all(map(_NAME.fullmatch, cells)) and 2 * len(known) >= len(cells)


def _is_json_object(line: str) -> bool:
    """Return whether a line is a JSON object; with many brackets, only its ends are checked."""
    if not re.match(r'\s*\{\s*["}]', line):
        return False
    if line.count("{") + line.count("[") > 50:
        return line.endswith("}")
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def _has_columns(sample: Sequence[str], separator: str) -> bool:
    """Return whether lines form a table: by known column names or by many rows of as many cells."""
    names = sample[0].split(separator)
    separators = [line.count(separator) for line in sample]
    if not 2 <= len(names) <= MAX_COLUMNS or len(sample) < 2:
        return False
    if _are_names(names):
        return sum(count >= len(names) - 1 for count in separators) >= len(sample) / 2
    spaced = sum(line.count(f"{separator} ") for line in sample)
    is_prose = separator != "\t" and 2 * spaced >= sum(separators)
    return len(sample) >= MIN_ROWS and set(separators) == {len(names) - 1} and not is_prose


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
    if container not in FORMATS:
        return (yield from parse_separated(name, lines))
    content, key, _, read = FORMATS[container]
    rows = []
    for row in read(lines):
        rows.append(row)
        yield len(rows), len(lines)
    return DataTable(name, (key, "text"), rows, content=content)
