"""Formats of lines whose grammar is not that of texts: subtitles, catalogues, transcripts, lists.

A format is one record of `FORMATS`: how its first lines look, and how its texts are read, each with
the key by which files are joined.
"""

import html
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Final, NamedTuple

Keyed = Iterator[tuple[str, str]]
"""Texts with their keys."""

MIN_SHARE: Final = 0.9
"""The smallest share of lines that have the form of a format with one text a line."""
MIN_LINES: Final = 3
"""The smallest number of lines in which ids are recognized."""
_MIN_TIMES: Final = 0.1
"""The smallest share of lines with times in subtitles, whose blocks have up to 8 more lines."""

_TIME: Final = r"(?:\d{1,3}:)?\d{1,2}:\d\d[.,]\d{1,3}"
_BLOCK: Final = re.compile(rf"\s*({_TIME})\s*-->\s*{_TIME}(?:\s++\w++:\S++)*+\s*")
_LOGGED: Final = re.compile(rf"\s*\[({_TIME})\s*-->\s*{_TIME}\]\s*+(.*)")
_TAG: Final = re.compile(
    r"</?(?:[bcisuv]|font|lang|ruby|rt)(?:[\s.][^<>]*)?>|<\d\d:[\d:.]*>|\{\\[^{}]*\}"
)
"""Tags of subtitles: styles, voices, times inside a block, and overrides in braces."""
_FIELD: Final = re.compile(r'(?:(msgctxt|msgid|msgid_plural|msgstr(?:\[\d+\])?)\s++)?"(.*)"\s*')
_PROPERTY: Final = re.compile(r"\s*([A-Za-z][\w.-]*+)\s*+=\s*+(.*)")
_ID: Final = re.compile(r"(?=\D*\d)(?=.*[^\W\d_]|\d+[-_]\d+[-_]\d)[\w.:/@#+-]{2,199}(?<=\w)")
"""An id of an utterance: with a digit and a letter, or with digits in three parts."""


class Format(NamedTuple):
    """A format: one of its texts as a noun phrase, its key, how it is detected and read."""

    content: str
    key: str
    is_format: Callable[[Sequence[str]], bool]
    read: Callable[[Sequence[str]], Keyed]


def find_format(sample: Sequence[str]) -> str:
    """Return the name of the format whose first lines are these, or ""; none of them is blank.

    >>> find_format(["1", "00:00:01,000 --> 00:00:02,000", "A boat goes out."])
    'SRT'
    >>> find_format(["1", "He wrote 00:00:01,000 --> 00:00:02,000."])
    ''
    """
    return next((name for name, kind in FORMATS.items() if kind.is_format(sample)), "")


def split_id(line: str) -> tuple[str, str] | None:
    """Return the id that begins a line of Kaldi and the text after it, or None without an id.

    >>> split_id("talk7-utt0000 A boat goes out."), split_id("1984 was long ago.")
    (('talk7-utt0000', 'A boat goes out.'), None)
    """
    word, *rest = line.split(maxsplit=1) or [""]
    return (word, "".join(rest).rstrip()) if _ID.fullmatch(word) else None


def have_ids(lines: Sequence[str]) -> bool:
    """Return whether all of at least `MIN_LINES` lines begin with an id of their own."""
    if len(lines) < MIN_LINES or not split_id(lines[0]):
        return False
    ids = {pair[0] for pair in map(split_id, lines) if pair}
    return len(ids) == len(lines)


def time_key(milliseconds: float) -> str:
    """Return a time as in subtitles, by which files of different formats are joined.

    >>> time_key(3_723_004)
    '1:02:03.004'
    """
    seconds, rest = divmod(round(milliseconds), 1000)
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}.{rest:03}"


def _parsed_time(text: str) -> str:
    seconds, _, fraction = text.replace(",", ".").partition(".")
    total = 0
    for part in seconds.split(":"):
        total = 60 * total + int(part)
    return time_key(1000 * total + int(fraction.ljust(3, "0")[:3]))


def _share(test: Callable[[str], object], sample: Sequence[str]) -> float:
    """Return the share of lines that pass a test, in [0, 1]."""
    return sum(map(bool, map(test, sample))) / len(sample)


def _is_log(sample: Sequence[str]) -> bool:
    return _share(_LOGGED.match, sample) >= MIN_SHARE


def _is_subtitles(sample: Sequence[str]) -> bool:
    has_times = any(map(_BLOCK.fullmatch, sample[:2]))
    return has_times and _share(_BLOCK.fullmatch, sample) >= _MIN_TIMES


def _is_catalogue(sample: Sequence[str]) -> bool:
    entries = [line for line in sample if not line.startswith("#")]
    firsts = {line.split(maxsplit=1)[0].partition("[")[0] for line in entries}
    return {"msgid", "msgstr"} <= firsts and _share(_FIELD.fullmatch, entries) >= MIN_SHARE


def _is_properties(sample: Sequence[str]) -> bool:
    pairs = [line for line in sample if line.lstrip()[0] not in "#!"]
    keys = [pair[1] for pair in map(_PROPERTY.match, pairs) if pair]
    with_parts = sum(bool(re.search("[._a-z-][._A-Z-]", key)) for key in keys)
    is_complete = len(keys) >= max(MIN_LINES, MIN_SHARE * len(pairs))
    return is_complete and len(set(keys)) == len(keys) and 2 * with_parts >= len(keys)


def _split_trn(line: str) -> tuple[str, str]:
    """Return the id in parentheses at the end of a line and the text before it; without id, ""."""
    text, _, end = line.rstrip().rpartition("(")
    key = end.removesuffix(")")
    return (key, text.strip()) if key != end and _ID.fullmatch(key) else ("", line)


def _is_trn(sample: Sequence[str]) -> bool:
    keys = {key for key, _ in map(_split_trn, sample) if key}
    return len(sample) >= MIN_LINES and len(keys) == len(sample)


def _nbest_parts(line: str) -> list[str]:
    parts = [part.strip() for part in line.split("|||", 3)]
    return parts if len(parts) > 2 and parts[0].isdecimal() else []


def _is_nbest(sample: Sequence[str]) -> bool:
    return _share(_nbest_parts, sample) >= MIN_SHARE


def _plain(text: str) -> str:
    """Return the text of a block in one line, without tags."""
    return " ".join(_TAG.sub("", text).split())


def _read_blocks(lines: Sequence[str]) -> Keyed:
    """Yield the blocks of SRT or VTT; a text of SRT may have blank lines, one of VTT ends there."""
    blocks: list[tuple[str, list[str]]] = [("", [])]
    for line in lines:
        if times := _BLOCK.fullmatch(line):
            blocks.append((_parsed_time(times[1]), []))
        else:
            blocks[-1][1].append(line)
    is_numbered = "".join(blocks[0][1][-1:]).strip().isdecimal()
    for number, (key, parts) in enumerate(blocks[1:], 2):
        if _is_vtt(lines[:1]):
            yield key, html.unescape(_plain("\n".join(takewhile(str.strip, parts))))
            continue
        text = "\n".join(parts).rstrip()
        before, _, last = text.rpartition("\n")
        is_next = is_numbered and number < len(blocks) and last.strip().isdecimal()
        yield key, _plain(before if is_next else text)  # The number of the next block goes.


def _read_log(lines: Sequence[str]) -> Keyed:
    """Yield the segments of whisper's log; lines before the first are left out."""
    key, parts = "", [""]
    for line in lines:
        if times := _LOGGED.match(line):
            if key:
                yield key, _plain(" ".join(parts))
            key, parts = _parsed_time(times[1]), [times[2]]
        else:
            parts.append(line)
    yield key, _plain(" ".join(parts))


def _read_ass(lines: Sequence[str]) -> Keyed:
    """Yield the dialogue of ASS, whose line `Format:` names the fields; the text is the last."""
    start, size = 1, 10
    for line in lines:
        kind, _, rest = line.partition(":")
        if kind == "Format" and "Start" in rest:
            fields = [field.strip() for field in rest.split(",")]
            start, size = fields.index("Start") if "Start" in fields else 1, len(fields)
        elif kind == "Dialogue":
            cells = rest.split(",", size - 1)
            time = re.fullmatch(_TIME, "".join(cells[start : start + 1]).strip())
            text = re.sub(r"\\[Nnh]", " ", cells[-1])
            yield _parsed_time(time[0]) if time else "", _plain(text)


def _read_whisper_tsv(lines: Sequence[str]) -> Keyed:
    for line in filter(str.strip, lines[1:]):
        start, *_, text = line.split("\t", 2)
        yield time_key(int(start)) if re.fullmatch(r"\d{1,12}", start) else "", text.strip()


_ESCAPES: Final = {"n": " ", "t": " ", "r": ""}


def _unescape(text: str) -> str:
    """Return a text of PO or .properties without its escapes; line feeds and tabs are spaces."""
    pattern = r"\\(?:u([0-9A-Fa-f]{4})|(.))"
    return re.sub(
        pattern, lambda m: chr(int(m[1], 16)) if m[1] else _ESCAPES.get(m[2], m[2]), text
    ).strip()


def _read_catalogue(lines: Sequence[str]) -> Keyed:
    """Yield the translations of a PO file by context and message; the header is left out."""
    entry: dict[str, str] = {}
    field = ""
    for line in [*lines, 'msgid ""']:
        parts = _FIELD.fullmatch(line)
        if not parts:
            continue
        is_next = parts[1] in ("msgctxt", "msgid") and field.startswith("msgstr")
        if is_next:
            key = _unescape("".join(map(entry.get, ("msgctxt", "msgid"), ("", ""))))
            texts = [text for name, text in entry.items() if name.startswith("msgstr")]
            for number, text in enumerate(texts if entry.get("msgid") else ()):
                yield f"{key}[{number}]" if number else key, _unescape(text)
            entry = {}
        field = parts[1] or field
        entry[field] = entry.get(field, "") + parts[2]


def _read_properties(lines: Sequence[str]) -> Keyed:
    rest = ""
    for line in lines:
        line = rest + line.lstrip()
        slashes = len(line) - len(line.rstrip("\\"))
        rest = line[:-1] if slashes % 2 and not line.startswith(("#", "!")) else ""
        if not rest and (pair := _PROPERTY.match(line)):
            yield pair[1], _unescape(pair[2])


def _read_trn(lines: Sequence[str]) -> Keyed:
    return map(_split_trn, filter(str.strip, lines))


def _read_nbest(lines: Sequence[str]) -> Keyed:
    """Yield the first text of each list, which is the best."""
    last = ""
    for parts in filter(None, map(_nbest_parts, lines)):
        if parts[0] != last:
            yield parts[0], parts[1]
        last = parts[0]


def _is_vtt(sample: Sequence[str]) -> bool:
    return sample[0].removeprefix("\ufeff").startswith("WEBVTT")


FORMATS: Final[Mapping[str, Format]] = {
    "VTT": Format("block of a VTT file", "time", _is_vtt, _read_blocks),
    "SRT": Format("block of an SRT file", "time", _is_subtitles, _read_blocks),
    "ASS": Format(
        "line of dialogue of an ASS file",
        "time",
        lambda sample: sample[0].startswith(("[Script Info]", "[Events]", "Dialogue: 0,")),
        _read_ass,
    ),
    "whisper’s log": Format("segment of whisper’s log", "time", _is_log, _read_log),
    "whisper’s TSV": Format(
        "segment of whisper’s TSV",
        "time",
        lambda sample: sample[0] == "start\tend\ttext",
        _read_whisper_tsv,
    ),
    "PO": Format("message of a PO file", "msgid", _is_catalogue, _read_catalogue),
    "properties": Format("value of a .properties file", "key", _is_properties, _read_properties),
    "TRN": Format("utterance of a TRN file", "id", _is_trn, _read_trn),
    "n-best lists": Format(
        "list of the n best, of which the first is read", "number", _is_nbest, _read_nbest
    ),
}
"""The formats of lines, by their names in messages."""
