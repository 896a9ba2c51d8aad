"""Tables of JSON objects: in sequence, in an array or in an object, or one object of columns."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from bleu.core.display import short_repr
from bleu.core.progress import ProgressGenerator
from bleu.files.data_table import (
    CAPTIONS,
    REFERENCES,
    SYSTEM,
    DataTable,
    check_columns,
    guess_role,
)
from bleu.files.formats import time_key
from bleu.files.text_files import FileError, location

MAX_NESTING: Final = 100
"""The largest number of nested levels; many thousands of levels crash Python in a browser."""

_BRACKETS: Final = re.compile(r'"(?:[^"\\\n]++|\\.)*+"?|[][{}]')
"""A bracket, or a string, whose brackets do not count."""


def parse_json(name: str, lines: Sequence[str]) -> ProgressGenerator[DataTable]:
    """Return a table with a row for each JSON object; cells may be lists of texts.

    A cell that an object lacks is None. A single object may hold the rows, or the columns as lists.
    Yields (characters read, all characters) after each object.

    Raises FileError, with the line, if the text contains anything but JSON objects.

    >>> from bleu.core.progress import run_to_end
    >>> run_to_end(parse_json("a.json", ['[{"a": "b"},', ' {"c": "d"}]'])).rows
    [['b', None], [None, 'd']]
    >>> run_to_end(parse_json("a.json", ['{"mt": ["a", "b"], "ref": ["c", "d"]}'])).rows
    [('a', 'c'), ('b', 'd')]
    >>> run_to_end(parse_json("a.json", ['{"q1": {"mt": "a"}, "q2": {"mt": "b"}}'])).rows
    [['a'], ['b']]
    """
    text = "\n".join(lines)
    objects: list[dict[str, Any]] = []
    for start, end in _object_spans(name, text):
        try:
            objects.append(json.loads(text[start:end]))
        except ValueError as error:
            if isinstance(error, json.JSONDecodeError):  # `pos` counts from the object.
                error = json.JSONDecodeError(error.msg, text, start + error.pos)
            raise FileError(f"{name} is not JSON: {error}; correct the file") from None
        yield end, len(text)
    known_rows, content = _known_rows(objects)
    objects = known_rows or objects
    if len(objects) == 1:
        objects = _rows_of_object(objects[0]) or objects
    columns = dict.fromkeys(key for row in objects for key in row)
    if len(objects) == 1 and (rows := _rows_of_columns(name, objects[0])):
        return DataTable(name, tuple(columns), rows)
    if not columns:
        raise FileError(f"{name} has only empty objects; give objects with texts")
    check_columns(name, columns)
    cells = [[row.get(key) for key in columns] for row in objects]
    return DataTable(name, tuple(columns), cells, content=content)


_ANSWERS: Final = {
    "filtered_resps": "sample of lm-evaluation-harness",
    "response": "answer in OpenAI’s batch output",
    "result": "answer in Anthropic’s batch output",
    "messages": "chat",
    "conversations": "chat",
    "choices": "answer of a chat model",
}
"""What a row is whose answer is in a field with a structure of its own, by the field."""


def answer_text(value: Any) -> str | None:
    """Return the text of the answer in the JSON of a chat model, or None without one.

    Of several turns, it is the last if that is the model's; parts of one turn are joined.

    >>> answer_text({"body": {"choices": [{"message": {"content": [{"text": "Los"}]}}]}})
    'Los'
    """
    if isinstance(value, dict):
        fields = ("body", "choices", "output", "message", "content", "text", "value")
        return answer_text(next((value[name] for name in fields if value.get(name)), None))
    if not isinstance(value, list):
        return value if isinstance(value, str) else None
    turns = [part for part in value if isinstance(part, dict) and {"role", "from"} & part.keys()]
    if turns:
        speaker = turns[-1].get("role", turns[-1].get("from"))
        return answer_text(turns[-1]) if speaker in ("assistant", "model", "gpt") else None
    return "".join(filter(None, map(answer_text, value))) or None


def _known_rows(objects: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], str]:
    """Return the rows of captions, whisper's JSON or answers, and what they are, or [] and ""."""
    first = objects[0] if objects else {}
    whole = first if len(objects) == 1 else {}
    captions = whole.get("annotations", objects)
    is_coco = _have_fields(captions, "image_id", "caption")
    key = "image_id" if is_coco else "key"
    images: dict[str, list[Any]] = {} if is_coco else _captions_by_key(whole)
    for row in captions if is_coco else ():
        images.setdefault(str(row["image_id"]), []).append(row["caption"])
    if images:
        column = "references" if max(map(len, images.values())) > 1 else "caption"
        rows = [
            {key: image, column: texts if column == "references" else texts[0]}
            for image, texts in images.items()
        ]
        return rows, CAPTIONS
    if _have_fields(whole.get("segments"), "start", "text"):
        segments = [(row["start"], row["text"]) for row in whole["segments"]]
        is_timed = all(isinstance(start, int | float) and 0 <= start < 1e9 for start, _ in segments)
        rows = [{"time": time_key(1000 * s) if is_timed else "", "text": t} for s, t in segments]
        return rows, "segment of whisper’s JSON"
    for field, content in _ANSWERS.items():
        value = first.get(field)
        if isinstance(value, dict) or _have_fields(value) or (value and field == "filtered_resps"):
            rows = [row | {field: answer_text(row.get(field))} for row in objects]
            if field == "filtered_resps":
                names = ("doc_id", "target", field)
                rows = [{name: row.get(name) for name in names} for row in rows]
            return rows, content
    return [], ""


def _have_fields(rows: Any, *fields: str) -> bool:
    """Return whether rows are a list, not empty, of objects with these fields."""
    is_list = isinstance(rows, list) and bool(rows)
    return is_list and all(isinstance(row, dict) and row.keys() >= {*fields} for row in rows)


def _captions_by_key(texts: dict[str, Any]) -> dict[str, list[Any]]:
    """Return the captions in lists by key, or {} if the lists are columns.

    They are columns if a key names a system or references, or if there are few keys without digits.
    """
    lists = [cells for cells in texts.values() if isinstance(cells, list) and cells]
    has_roles = {SYSTEM, REFERENCES} & set(map(guess_role, texts))
    if not 1 < len(texts) == len(lists) or has_roles:
        return {}
    if len(texts) <= max(map(len, lists)) and not all(map(re.compile(r"\d").search, texts)):
        return {}
    return {
        key: [cell.get("caption") if isinstance(cell, dict) else cell for cell in cells]
        for key, cells in texts.items()
    }


def _object_spans(name: str, text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each object in an array or at the top level."""
    array_depth = int(text.lstrip().startswith("["))
    depth = start = end = 0
    for bracket in _BRACKETS.finditer(text):
        if bracket[0] in "[{":
            depth += 1
            if depth == array_depth + 1:
                start = bracket.start()
                # A list instead of an object is an error: its bracket in the gap fails the check.
                _check_gap(name, text, end, start + (bracket[0] == "["))
            elif depth <= array_depth:
                end = bracket.end()
            elif depth > MAX_NESTING:
                raise FileError(
                    f"{location(name, text, start)} is nested more than {MAX_NESTING} deep; give "
                    "texts, or lists of texts"
                )
        elif bracket[0] in "]}":
            depth -= 1
            if depth < array_depth:
                _check_gap(name, text, end, bracket.start())
            end = bracket.end() if depth <= array_depth else end
            if depth == array_depth:
                yield start, end
    if depth:
        raise FileError(f"{location(name, text, start)} is not JSON: its brackets do not match")
    _check_gap(name, text, end, len(text))


def _check_gap(name: str, text: str, start: int, end: int) -> None:
    """Raise FileError unless `text[start:end]`, between two objects, has only separators."""
    if gap := text[start:end].strip(" \t\r\n,"):
        position = text.index(gap, start)
        line = text[position : position + 80].partition("\n")[0]
        place = location(name, text, position)
        raise FileError(f"{place} is not a JSON object: {short_repr(line, 40)}")


def _rows_of_object(container: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows in an object: all its values, or else one list among them, or [].

    Rows are objects, and a key of the first suggests a hypothesis, a reference or a group.
    """
    for rows in (list(container.values()), *container.values()):
        is_table = isinstance(rows, list) and all(isinstance(row, dict) for row in rows)
        if is_table and rows and any(map(guess_role, rows[0])):
            return list(rows)
    return []


def _rows_of_columns(name: str, columns: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Return the rows of an object whose values are columns, or [] if they are not."""
    values = [
        list(value.values()) if isinstance(value, dict) else value for value in columns.values()
    ]
    if not all(isinstance(value, list) for value in values) or max(map(len, values), default=0) < 2:
        return []
    if len({len(value) for value in values}) > 1:
        sizes = ", ".join(f"{key} has {len(value)}" for key, value in columns.items())
        raise FileError(f"{name} has columns of different lengths: {sizes:.200}; make them equal")
    return list(zip(*values, strict=True))
