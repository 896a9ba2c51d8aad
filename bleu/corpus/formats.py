"""Formats of lines whose grammar is not that of texts: subtitles, catalogues, transcripts, lists.

A format is one record of `FORMATS`: how its first lines look, and how its texts are read, each with
the key by which files are joined.
"""

import html
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby, takewhile
from operator import itemgetter
from typing import Final, NamedTuple

Keyed = Iterator[tuple[str, str]]
"""Texts with their keys."""

MIN_SHARE: Final = 0.9
"""The smallest share of lines that have the form of a format with one text a line."""
MIN_LINES: Final = 3
"""The smallest number of lines in which ids are recognized."""

_TIME: Final = r"(?:\d{1,3}:)?\d{1,2}:\d\d[.,]\d{1,3}"
_BLOCK: Final = re.compile(rf"\s*({_TIME})\s*-->\s*{_TIME}(?:\s++\w++:\S++)*+\s*")
_TAG: Final = re.compile(
    r"</?(?:[bcisuv]|font|lang|ruby|rt)(?:[\s.][^<>]*)?>|<\d\d:[\d:.]*>|\{\\[^{}]*\}"
)
"""Tags of subtitles: styles, voices, times inside a block, and overrides in braces."""
_FIELD: Final = re.compile(r'(?:(msgctxt|msgid|msgid_plural|msgstr(?:\[\d+\])?)\s++)?"(.*)"\s*')
_ID: Final = re.compile(r"(?=\D*\d)(?=.*[^\W\d_]|\d+[-_]\d+[-_]\d)[\w.:/@#+-]{2,199}(?<=\w)")
"""An id of an utterance: with a digit and a letter, or with digits in three parts."""
_ESCAPE: Final = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.))")


class Format(NamedTuple):
    """A format: one of its texts as a noun phrase, its key, how it is detected and read."""

    content: str
    key: str
    is_format: Callable[[Sequence[str]], object]
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
    return len({pair[0] for pair in map(split_id, lines) if pair}) == len(lines)


def time_key(milliseconds: float) -> str:
    """Return a time as in subtitles, by which files of different formats are joined.

    >>> time_key(3_723_004)
    '1:02:03.004'
    """
    seconds, rest = divmod(round(milliseconds), 1000)
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}.{rest:03}"


def _parsed_time(text: str) -> str:
    *minutes, seconds = text.replace(",", ".").split(":")
    hours, minute = [0, *map(int, minutes)][-2:]
    return time_key(round(1000 * float(seconds)) + 60_000 * (60 * hours + minute))


def _plain(text: str) -> str:
    """Return the text of a block in one line, without tags."""
    return " ".join(_TAG.sub("", text).split())


def _unescape(text: str) -> str:
    """Return a text of PO or .properties without its escapes; line feeds and tabs are spaces."""
    spaces = {"n": " ", "t": " ", "r": ""}
    return _ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else spaces.get(m[2], m[2]), text)


def _read_lines(
    pattern: re.Pattern[str],
    lines: Sequence[str],
    *,
    key: Callable[[str], str] = str,
    text: Callable[[str], str] = str.strip,
) -> Keyed:
    """Yield the groups `key` and `text` of each line that matches."""
    return ((key(line["key"]), text(line["text"])) for line in map(pattern.match, lines) if line)


def _read_properties(lines: Sequence[str]) -> Keyed:
    joined = re.sub(r"(?<!\\)((?:\\\\)*)\\\n\s*", r"\1", "\n".join(lines))
    return _read_lines(_PATTERNS["properties"], joined.split("\n"), text=_unescape)


def _read_nbest(lines: Sequence[str]) -> Keyed:
    """Yield the first text of each list, which is the best."""
    lists = groupby(_read_lines(_PATTERNS["n-best lists"], lines), itemgetter(0))
    return (next(texts) for _, texts in lists)


def _read_blocks(lines: Sequence[str]) -> Keyed:
    """Yield the blocks of SRT, whose texts may have blank lines, or of VTT, which end there."""
    blocks: list[tuple[str, list[str]]] = [("", [])]
    for line in lines:
        if times := _BLOCK.fullmatch(line):
            blocks.append((_parsed_time(times[1]), []))
        else:
            blocks[-1][1].append(line)
    is_numbered = "".join(blocks[0][1][-1:]).strip().isdecimal()
    for number, (key, parts) in enumerate(blocks[1:], 2):
        text = "\n".join(parts).rstrip()
        before, _, last = text.rpartition("\n")
        if FORMATS["VTT"].is_format(lines[:1]):
            text = html.unescape(_plain("\n".join(takewhile(str.strip, parts))))
        elif is_numbered and number < len(blocks) and last.strip().isdecimal():
            text = before  # The last line is the number of the next block.
        yield key, _plain(text)


def _read_ass(lines: Sequence[str]) -> Keyed:
    """Yield the dialogue of ASS, whose line `Format:` names the fields; the text is the last."""
    fields = ["Layer", "Start", *8 * [""]]
    for line in lines:
        kind, _, rest = line.partition(":")
        if kind == "Format" and "Start" in rest:
            fields = [field.strip() for field in rest.split(",")]
        elif kind == "Dialogue":
            cells = rest.split(",", len(fields) - 1)
            start = dict(zip(fields, cells, strict=False)).get("Start", "").strip()
            key = _parsed_time(start) if re.fullmatch(_TIME, start) else ""
            yield key, _plain(re.sub(r"\\[Nnh]", " ", cells[-1]))


def _read_catalogue(lines: Sequence[str]) -> Keyed:
    """Yield the translations of a PO file by context and message; the header is left out."""
    entry, field = dict[str, str](), ""
    for parts in filter(None, map(_FIELD.fullmatch, [*lines, 'msgid ""'])):
        if parts[1] in ("msgctxt", "msgid") and field.startswith("msgstr"):
            key = _unescape(entry.get("msgctxt", "") + entry["msgid"]) if entry.get("msgid") else ""
            texts = [text for name, text in entry.items() if name.startswith("msgstr") and key]
            for number, text in enumerate(texts):
                yield f"{key}[{number}]" if number else key, _unescape(text).strip()
            entry = {}
        field = parts[1] or field
        entry[field] = entry.get(field, "") + parts[2]


def _are_lines(
    name: str, sample: Sequence[str], *, skipped: str = "", distinct: bool = False
) -> bool:
    """Return whether nearly all lines match a pattern; `skipped` may begin the others.

    With `distinct`, there are at least `MIN_LINES`, and each has a key of its own that is an id.
    """
    lines = [line for line in sample if line[0] not in skipped] if skipped else sample
    found = list(filter(None, map(_PATTERNS[name].match, lines)))
    if distinct:
        keys = {line["key"] for line in found}
        is_id = [re.search(r"\d|[a-z][._A-Z-]", key) for key in keys]
        if len(keys) < max(MIN_LINES, len(found)) or 2 * sum(map(bool, is_id)) < len(keys):
            return False
    return len(found) >= MIN_SHARE * len(lines) > 0


_PATTERNS: Final[Mapping[str, re.Pattern[str]]] = {
    "log": re.compile(rf"\s*\[(?P<key>{_TIME})\s*-->\s*{_TIME}\](?P<text>.*)"),
    "TSV": re.compile(r"(?P<key>\d{1,12})\t\d{1,12}\t(?P<text>.*)"),
    "properties": re.compile(r"\s*(?P<key>[A-Za-z][\w.-]*+)\s*+=(?!=)(?P<text>.*)"),
    "TRN": re.compile(r"(?P<text>.*)\((?P<key>[\w.:/@#+-]{2,199})\)\s*+$"),
    "n-best lists": re.compile(r"\s*(?P<key>\d+)\s*\|\|\|(?P<text>.*?)\|\|\|"),
    "times": _BLOCK,
}
"""The lines of formats with one text a line: its key and its text."""
FORMATS: Final[Mapping[str, Format]] = {
    "VTT": Format(
        "block of a VTT file",
        "time",
        lambda sample: sample[0].removeprefix("\ufeff").startswith("WEBVTT"),
        _read_blocks,
    ),
    "SRT": Format(
        "block of an SRT file",
        "time",
        lambda sample: (
            any(map(_BLOCK.fullmatch, sample[:2]))
            and 10 * sum(map(bool, map(_BLOCK.fullmatch, sample))) >= len(sample)
        ),
        _read_blocks,
    ),
    "ASS": Format(
        "line of dialogue of an ASS file",
        "time",
        lambda sample: sample[0].startswith(("[Script Info]", "[Events]", "Dialogue: 0,")),
        _read_ass,
    ),
    "whisper’s log": Format(
        "segment of whisper’s log",
        "time",
        partial(_are_lines, "log"),
        partial(_read_lines, _PATTERNS["log"], key=_parsed_time, text=_plain),
    ),
    "whisper’s TSV": Format(
        "segment of whisper’s TSV",
        "time",
        lambda sample: sample[0] == "start\tend\ttext",
        partial(_read_lines, _PATTERNS["TSV"], key=lambda text: time_key(int(text))),
    ),
    "PO": Format(
        "message of a PO file",
        "msgid",
        lambda sample: (
            {"msgid", "msgstr"} <= {line.split(maxsplit=1)[0].partition("[")[0] for line in sample}
            and sum(line[0] == "#" or bool(_FIELD.fullmatch(line)) for line in sample)
            >= MIN_SHARE * len(sample)
        ),
        _read_catalogue,
    ),
    "properties": Format(
        "value of a .properties file",
        "key",
        partial(_are_lines, "properties", skipped="#!", distinct=True),
        _read_properties,
    ),
    "TRN": Format(
        "utterance of a TRN file",
        "id",
        partial(_are_lines, "TRN", distinct=True),
        partial(_read_lines, _PATTERNS["TRN"]),
    ),
    "n-best lists": Format(
        "list of the n best, of which the first is read",
        "number",
        partial(_are_lines, "n-best lists"),
        _read_nbest,
    ),
}
"""The formats of lines, by their names in messages."""
