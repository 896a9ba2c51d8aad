"""Containers: files whose texts are in fields of JSON, markup or separated columns."""

import json
import re
from collections.abc import Sequence
from itertools import islice
from typing import Final

from bleu.core.progress import ProgressGenerator
from bleu.corpus.data_table import MAX_COLUMNS, DataTable, guess_role
from bleu.corpus.separated_values import parse_separated

DETECTION_LINES: Final = 300
"""The number of first lines that decide whether a file is a container."""
MIN_SHARE: Final = 0.9
"""The smallest share of lines of JSON or markup in a container."""
MIN_ROWS: Final = 20
"""The smallest number of rows of a table without known column names."""
_MARKUP: Final = re.compile(
    r"\s*<(?:\?xml|!DOCTYPE|!--|/?(?:seg|doc|hl|p|src|ref|hyp|srcset|refset|tstset|mteval|dataset|"
    r"collection|tmx|header|body|tuv?|xliff|file|trans-unit|unit|segment|source|target)\b)",
    re.IGNORECASE,
)

_NAME: Final = re.compile(r'"?\w[\w ,.:()/-]{0,38}[\w)]?"?')
"""A column's name; unlike a clause of prose, it begins with no space and ends with no full stop."""


def detect_container(lines: Sequence[str]) -> str:
    r"""Return "markup", "json" or "table" if lines are not plain text, else "".

    >>> detect_container(['<seg id="1">a</seg>', '<seg id="2">b</seg>'])
    'markup'
    >>> detect_container(['{"mt": "a"}', '{"mt": "b"}']), detect_container(["[", '{"mt": "a"}]'])
    ('json', 'json')
    >>> detect_container(["mt,ref", "a,b"]), detect_container(["Well, yes.", "Oh, no."])
    ('table', '')
    """
    sample = [line for line in islice(lines, DETECTION_LINES) if line.strip()]
    if not sample:
        return ""
    if sum(map(bool, map(_MARKUP.match, sample))) >= MIN_SHARE * len(sample) or re.match(
        r"\s*<(?:\?xml|!DOCTYPE|srcset|refset|tstset|tmx|xliff)\b", sample[0], re.IGNORECASE
    ):
        return "markup"
    head = "\n".join(sample[:2])
    begins_object = re.match(r'\s*\{\s*"', head) and not sample[0].rstrip().endswith("}")
    if begins_object or re.match(r"\s*\[\s*\{", head):
        return "json"
    if sum(map(_is_json_object, sample)) >= MIN_SHARE * len(sample):
        return "json"
    return "table" if any(_has_columns(sample, separator) for separator in "\t,;") else ""


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
    with_role = [name for name in names if guess_role(name.strip('"')) is not None]
    if all(map(_NAME.fullmatch, names)) and 2 * len(with_role) >= len(names):
        return sum(count >= len(names) - 1 for count in separators) >= len(sample) / 2
    spaced = sum(line.count(f"{separator} ") for line in sample)
    is_prose = separator != "\t" and 2 * spaced >= sum(separators)
    return len(sample) >= MIN_ROWS and set(separators) == {len(names) - 1} and not is_prose


def read_container(name: str, lines: Sequence[str]) -> ProgressGenerator[DataTable]:
    """Return the table in lines of JSON, markup or separated values.

    Yields (read, total) in characters or lines.

    Raises FileError if the lines do not form a table.
    """
    # Few files need these modules; see LAZY_MODULES in app/build/stdlib.py.
    from bleu.corpus.json_table import parse_json
    from bleu.corpus.markup import parse_markup

    container = detect_container(lines)
    first = next((line.lstrip() for line in lines if line.strip()), "")
    if container == "json" or first.startswith("{"):
        return (yield from parse_json(name, lines))
    if container == "markup":
        return (yield from parse_markup(name, lines))
    return (yield from parse_separated(name, lines))
