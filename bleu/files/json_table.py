"""Tables in JSON of any depth: its rows are found, and each text in a row is a column by its path.

A path such as `choices.message.content` names a column. Rows are the objects of a sequence or an
array, the values of an object, or the items of lists of equal length.
"""

import json
import re
from collections import Counter
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
from bleu.files.text_files import FileError, location

MAX_NESTING: Final = 100
"""The largest number of nested levels; many thousands of levels crash Python in a browser."""

_BRACKETS: Final = re.compile(r'"(?:[^"\\\n]++|\\.)*+"?|[][{}]')
"""A bracket, or a string, whose brackets do not count."""
_PYTHON_STRING: Final = re.compile(r"'((?:[^'\\\n]++|\\.)*+)'|\"(?:[^\"\\\n]++|\\.)*+\"")


def parse_json(name: str, lines: Sequence[str]) -> ProgressGenerator[DataTable]:
    """Return a table of the texts in JSON; cells may be lists of texts.

    A cell that a row lacks is None. Yields (characters read, all characters) after each value.

    Raises FileError, with the line, if the text contains anything but JSON.

    >>> from bleu.core.progress import run_to_end
    >>> run_to_end(parse_json("a.json", ['[{"a": "b"},', ' {"c": "d"}]'])).rows
    [['b', None], [None, 'd']]
    >>> run_to_end(parse_json("a.json", ['{"mt": ["a", "b"], "ref": ["c", "d"], "n": 1}'])).rows
    [['a', 'c'], ['b', 'd']]
    >>> run_to_end(parse_json("a.json", ['{"q1": {"mt": "a"}, "q2": {"mt": "b"}}'])).columns
    ('key', 'mt')
    >>> run_to_end(parse_json("a.json", ['{"data": [["a", "b"], ["c"]], "n": 1}'])).rows
    [[['a', 'b']], [['c']]]
    """
    text = "\n".join(lines)
    if re.match(r"\s*[\[{]\s*\[?\s*'", text):
        text = _PYTHON_STRING.sub(
            lambda s: s[0] if s[1] is None else json.dumps(s[1].replace("\\'", "'")), text
        )
    values: list[Any] = []
    for end, value in _values(name, text):
        values.append(value)
        yield end, len(text)
    return table_of(name, values)


def table_of(name: str, values: list[Any]) -> DataTable:
    """Return the table of the texts in a value of JSON, or in several."""
    captions = _captions(values)
    if values and isinstance(values[0], dict) and "filtered_resps" in values[0]:
        names = ("doc_id", "target", "filtered_resps")  # What lm-evaluation-harness compares.
        values = [{name: row.get(name) for name in names} for row in values]
    whole = values[0] if len(values) == 1 else None
    rows = captions or (_rows(name, whole) if isinstance(whole, dict) else values)
    sizes = {len(row) if isinstance(row, list) else 0 for row in rows}
    if len(rows) > 1 and len(sizes) == 1 and min(sizes) > 1 and not all(map(_is_tokens, rows)):
        rows = [{f"text {n}": cell for n, cell in enumerate(row, 1)} for row in rows]
    table = [row if _is_flat(row) else dict(_leaves(row)) for row in rows]
    columns = dict.fromkeys(path for row in table for path in row)
    if not columns:
        raise FileError(f"{name} has only empty objects; give objects with texts")
    check_columns(name, columns)
    cells = [[row.get(path) for path in columns] for row in table]
    for index, _ in enumerate(columns):
        _join_tokens(cells, index)
    paths = tuple(path or "text" for path in columns)
    return DataTable(name, paths, cells, content=CAPTIONS if captions else "")


def _is_flat(row: Any) -> bool:
    """Return whether a row is an object of texts and numbers alone, as most are."""
    return isinstance(row, dict) and not any(type(cell) in (dict, list) for cell in row.values())


def _values(name: str, text: str) -> Iterator[tuple[int, Any]]:
    """Yield the end and the value of each item of the array at the top, or of each value there."""
    end = re.compile(r"[\s,]*").match(text).end()  # type: ignore[union-attr]
    is_array = text.startswith("[", end) and _span_end(name, text, end) == len(text.rstrip())
    end, last = (end + 1, len(text.rstrip()) - 1) if is_array else (end, len(text))
    decoder, is_object = json.JSONDecoder(), None
    while (start := re.compile(r"[\s,]*").match(text, end).end()) < last:  # type: ignore[union-attr]
        if text[start] in "[{":
            end = _span_end(name, text, start)
        try:
            value, end = decoder.raw_decode(text, start)
        except ValueError as error:
            if is_object is not None and text[start] not in '[{"':
                end = start
            else:
                raise FileError(f"{name} is not JSON: {error}; correct the file") from None
        is_object = isinstance(value, dict) if is_object is None else is_object
        if is_object and (end == start or not isinstance(value, dict)):
            line = text[start : start + 80].partition("\n")[0]
            place = location(name, text, start)
            raise FileError(f"{place} is not a JSON object: {short_repr(line, 40)}")
        yield end, value


def _span_end(name: str, text: str, start: int) -> int:
    """Return the end of the array or object that starts at an index; check its depth."""
    depth = 0
    for bracket in _BRACKETS.finditer(text, start):
        if bracket[0] in "[{":
            depth += 1
            if depth > MAX_NESTING:
                raise FileError(
                    f"{location(name, text, start)} is nested more than {MAX_NESTING} deep; give "
                    "texts, or lists of texts"
                )
        elif bracket[0] in "]}":
            depth -= 1
            if depth <= 0:
                return bracket.end()
    raise FileError(f"{location(name, text, start)} is not JSON: its brackets do not match")


def _rows(name: str, whole: dict[str, Any]) -> list[Any]:
    """Return the rows in an object: of its columns, of its values, or of the longest part of it."""
    names, data = whole.get("columns"), whole.get("data")
    if isinstance(names, list) and isinstance(data, list) and data and isinstance(data[0], list):
        return [dict(zip(map(str, names), row, strict=False)) for row in data]
    parts = [whole, *_parts(whole)]
    found = [rows for part in parts if (rows := _rows_of(name, part))]
    return max(found, key=lambda rows: (_has_role(rows), len(rows)), default=[whole])


def _has_role(rows: list[Any]) -> bool:
    """Return whether a name in the first row suggests a system or a reference."""
    names = rows[0] if isinstance(rows[0], dict) else ()
    return not {SYSTEM, REFERENCES}.isdisjoint(map(guess_role, names))


def _parts(value: Any) -> Iterator[Any]:
    """Yield the lists and objects in a value, without those in lists."""
    if isinstance(value, dict):
        for part in value.values():
            if isinstance(part, list | dict):
                yield part
                yield from _parts(part)


def _rows_of(name: str, part: Any) -> list[Any]:
    """Return the rows that a list or an object has by itself, or []."""
    if isinstance(part, list):
        is_table = all(isinstance(row, dict) for row in part) or len(part) > 1
        are_numbers = all(row is None or isinstance(row, int | float) for row in part)
        return part if part and is_table and not are_numbers else []
    # Keys of notes, as in ARB, and of a header, as in gettext’s JSON, are no keys of texts.
    values = {key: value for key, value in part.items() if key and not key.startswith("@")}
    lists = {
        key: [*value.values()] if isinstance(value, dict) else value
        for key, value in values.items()
        if isinstance(value, list | dict)
    }
    guesses = list(map(guess_role, values))
    roles = {SYSTEM, REFERENCES}.intersection(guesses)
    is_record = len(set(guesses)) > 1 and 2 * sum(g is not None for g in guesses) >= len(guesses)
    if len(lists) > 1 and (columns := _columns(name, lists, has_roles=bool(roles))):
        return columns
    kinds = {type(value) for value in values.values()}
    if len(values) < 2 or len(kinds) > 1 or (roles and is_record):
        return []
    if kinds == {dict}:
        return _objects_by_key(values)
    if kinds == {list} and all(isinstance(v, dict) for row in values.values() for v in row):
        turns = ((key, n, v) for key, row in values.items() for n, v in enumerate(row))
        return [{"key": f"{key}.{n}"} | turn for key, n, turn in turns]
    return (
        [{"key": key, "text": value} for key, value in values.items()]
        if kinds <= {str, list}
        else []
    )


def _columns(name: str, lists: dict[str, list[Any]], *, has_roles: bool) -> list[dict[str, Any]]:
    """Return the rows of lists that are columns: of one length, without objects in them.

    Without a name with a role, there are fewer lists than items, and one has no digit in its name.
    """
    lists = {key: cells for key, cells in lists.items() if cells and not isinstance(cells[0], dict)}
    sizes = {key: len(cells) for key, cells in lists.items()}
    is_by_key = len(lists) > max(sizes.values(), default=0) or all(
        re.search(r"\d", k) for k in lists
    )
    if len(lists) < 2 or (is_by_key and not has_roles):
        return []
    if has_roles and len(set(sizes.values())) > 1:
        shared, _ = Counter(sizes.values()).most_common(1)[0]
        with_roles = {key for key in sizes if guess_role(key) in (SYSTEM, REFERENCES)}
        if {sizes[key] for key in with_roles} != {shared}:
            text = ", ".join(f"{key} has {size}" for key, size in sizes.items())
            raise FileError(
                f"{name} has columns of different lengths: {text:.200}; make them equal"
            )
        lists = {key: cells for key, cells in lists.items() if len(cells) == shared}
    if len({*map(len, lists.values())}) > 1 or max(map(len, lists.values())) < 2:
        return []
    return [dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True)]


def _objects_by_key(objects: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of objects by key: each object, or each text in them by its path.

    Objects that have half of the keys of the first are rows.
    """
    first, *others = objects.values()
    shared = sum(len(first.keys() & other.keys()) for other in others)
    if first and 2 * shared >= len(first) * len(others):
        return [{"key": key} | value for key, value in objects.items()]
    leaves = [leaf for leaf in _leaves(objects) if isinstance(leaf[1], str)]
    return [{"key": path, "text": text} for path, text in leaves]


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the texts, numbers and lists of texts in a value, with their paths.

    A chat is the model's last turn; of a list of objects, texts at the same path are a list.
    """
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _leaves(part, f"{path}.{key}" if path else key)
    elif not isinstance(value, list):
        yield path, value
    elif turns := [
        part for part in value if isinstance(part, dict) and {"role", "from"} & part.keys()
    ]:
        speaker = turns[-1].get("role", turns[-1].get("from"))
        answer = dict(_leaves(turns[-1])) if speaker in ("assistant", "model", "gpt") else {}
        texts = [answer[key] for key in ("content", "value", "content.text") if answer.get(key)]
        text = texts[0] if texts else None
        yield path, "".join(text) if isinstance(text, list) else text
    elif len(value) == 1 and not isinstance(value[0], str):
        yield from _leaves(value[0], path)
    elif value and all(isinstance(part, dict) for part in value):
        cells: dict[str, list[Any]] = {}
        for part in value:
            for part_path, cell in _leaves(part, path):
                if isinstance(cell, str):
                    cells.setdefault(part_path, []).append(cell)
        yield from cells.items()
    else:
        yield path, [" ".join(p) if _is_tokens(p) else p for p in value]


def _is_tokens(value: Any) -> bool:
    """Return whether a value is a list of words, such as the tokens of a reference."""
    if not isinstance(value, list) or not value:
        return False
    return all(isinstance(word, str) and not re.search(r"\s", word) for word in value)


def _join_tokens(cells: list[list[Any]], index: int) -> None:
    """Join the tokens of a column whose cells are lists of words, mostly more than three."""
    column = [row[index] for row in cells if row[index] is not None]
    if column and all(map(_is_tokens, column)) and sum(map(len, column)) > 3 * len(column):
        for row in cells:
            row[index] = row[index] and " ".join(row[index])


def _captions(values: list[Any]) -> list[dict[str, Any]]:
    """Return the rows of images with captions, as COCO and its evaluation write them, or []."""
    whole = values[0] if len(values) == 1 and isinstance(values[0], dict) else {}
    captions, fields = whole.get("annotations", values), {"image_id", "caption"}
    is_coco = bool(captions) and isinstance(captions, list)
    is_coco = is_coco and all(isinstance(row, dict) and fields <= row.keys() for row in captions)
    images: dict[str, list[Any]] = {} if is_coco else _captions_by_key(whole)
    for row in captions if is_coco else ():
        images.setdefault(str(row["image_id"]), []).append(row["caption"])
    key = "image_id" if is_coco else "key"
    if max(map(len, images.values()), default=0) > 1:
        return [{key: image, "references": texts} for image, texts in images.items()]
    return [{key: image, "caption": text} for image, (text,) in images.items()]


def _captions_by_key(texts: dict[str, Any]) -> dict[str, list[Any]]:
    """Return the captions in lists by key, or {} if the lists are columns or rows.

    They are columns if a key names a system or references, or if there are few keys without digits.
    """
    lists = [cells for cells in texts.values() if isinstance(cells, list) and cells]
    has_roles = {SYSTEM, REFERENCES} & set(map(guess_role, texts))
    if not 1 < len(texts) == len(lists) or has_roles:
        return {}
    if len(texts) <= max(map(len, lists)) and not all(map(re.compile(r"\d").search, texts)):
        return {}
    captions = {
        key: [c.get("caption") if isinstance(c, dict) else c for c in row]
        for key, row in texts.items()
    }
    return captions if all(isinstance(c, str) for row in captions.values() for c in row) else {}
