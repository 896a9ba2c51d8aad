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
from typing import Any, Final, NamedTuple

Keyed = Iterator[tuple[str, Any]]
"""Keys and texts, or lists of references."""

MIN_SHARE: Final = 0.9
"""The smallest share of lines that have the form of a format with one text a line."""
_TIME: Final = r"(?:\d{1,3}:)?\d{1,2}:\d\d[.,]\d{1,3}"
_TAG: Final = re.compile(
    r"</?(?:[bcisuv]|font|lang|ruby|rt)(?:[\s.][^<>]*)?>|<\d\d:[\d:.]*>|\{\\[^{}]*\}"
)
"""Tags of subtitles: styles, voices, times inside a block, and overrides in braces."""


class Format(NamedTuple):
    """A format: one of its texts as a noun phrase, its key, how it is detected and read."""

    content: str
    key: str
    is_format: Callable[[Sequence[str]], object]
    read: Callable[[Sequence[str]], Keyed]


def time_key(milliseconds: float) -> str:
    """Return a time as in subtitles, by which files of different formats are joined.

    >>> time_key(3_723_004)
    '1:02:03.004'
    """
    seconds, rest = divmod(round(milliseconds), 1000)
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}.{rest:03}"


def _key(text: str) -> str:
    """Return a time as `time_key` writes it, and another key as it is."""
    if not re.fullmatch(_TIME, text := text.strip()):
        return text
    *minutes, seconds = text.replace(",", ".").split(":")
    hours, minute = [0, *map(int, minutes)][-2:]
    return time_key(round(1000 * float(seconds)) + 60_000 * (60 * hours + minute))


def _plain(text: str) -> str:
    """Return the text of a block in one line, without tags."""
    return " ".join(_TAG.sub("", text).split())


def _unescape(text: str) -> str:
    """Return a text of PO or .properties without its escapes; line feeds and tabs are spaces."""
    spaces, escape = {"n": " ", "t": " ", "r": ""}, r"\\(?:u([0-9A-Fa-f]{4})|(.))"
    return re.sub(escape, lambda m: chr(int(m[1], 16)) if m[1] else spaces.get(m[2], m[2]), text)


def _read_lines(name: str, lines: Sequence[str], text: Callable[[str], str] = str.strip) -> Keyed:
    """Yield the groups `key`, which may be a time, and `text` of each line that matches."""
    for line in filter(None, map(_PATTERNS[name].match, lines)):
        yield _key(line["key"]), text(line["text"])


def _read_blocks(lines: Sequence[str], *, is_vtt: bool = False) -> Keyed:
    """Yield the blocks of SRT, whose texts may have blank lines, or of VTT, which end there."""
    blocks: list[tuple[str, list[str]]] = [("", [])]
    for line in lines:
        if times := _PATTERNS["times"].match(line):
            blocks.append((_key(times["key"]), []))
        else:
            blocks[-1][1].append(line)
    is_numbered = "".join(blocks[0][1][-1:]).strip().isdecimal()
    for number, (key, parts) in enumerate(blocks[1:], 2):
        text = "\n".join(parts).rstrip()
        before, _, last = text.rpartition("\n")
        if is_vtt:
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
            start = dict(zip(fields, cells, strict=False)).get("Start", "")
            yield _key(start), _plain(re.sub(r"\\[Nnh]", " ", cells[-1]))


def _read_catalogue(lines: Sequence[str]) -> Keyed:
    """Yield the translations of a PO file by context and message; the header is left out."""
    entry, field = dict[str, str](), ""
    for parts in filter(None, map(_PATTERNS["PO"].match, [*lines, 'msgid ""'])):
        if parts[1] in ("msgctxt", "msgid") and field.startswith("msgstr"):
            key = _unescape(entry.get("msgctxt", "") + entry["msgid"]) if entry.get("msgid") else ""
            texts = [text for name, text in entry.items() if name.startswith("msgstr") and key]
            for number, text in enumerate(texts):
                yield f"{key}[{number}]" if number else key, _unescape(text).strip()
            entry = {}
        field = parts[1] or field
        entry[field] = entry.get(field, "") + parts[2]


def _are_lines(
    name: str, sample: Sequence[str], share: float = MIN_SHARE, *, with_ids: bool = False
) -> bool:
    """Return whether at least a share of the lines, without comments, match a pattern.

    With `with_ids`, there are at least 3, all with keys of their own, half of which have a sign.
    """
    lines = [line for line in sample if name not in ("PO", "properties") or line[:1] not in "#!"]
    if not with_ids:
        return sum(map(bool, map(_PATTERNS[name].match, lines))) >= share * len(lines) > 0
    if len(lines) < 3 or not _PATTERNS[name].match(lines[0]):
        return False  # The lines may be many, and most begin with a word.
    keys = {line["key"] for line in map(_PATTERNS[name].match, lines) if line}
    signs = sum(bool(re.search(r"\d|[a-z][._A-Z-]", key)) for key in keys)
    return len(keys) == len(lines) <= 2 * signs


_PATTERNS: Final[Mapping[str, re.Pattern[str]]] = {
    "times": re.compile(rf"\s*(?P<key>{_TIME})\s*-->\s*{_TIME}(?:\s++\w++:\S++)*+\s*$"),
    "log": re.compile(rf"\s*\[(?P<key>{_TIME})\s*-->\s*{_TIME}\](?P<text>.*)"),
    "TSV": re.compile(r"(?P<key>\d{1,12})\t\d{1,12}\t(?P<text>.*)"),
    "PO": re.compile(r'(?:(msgctxt|msgid|msgid_plural|msgstr(?:\[\d+\])?)\s++)?"(.*)"\s*$'),
    "properties": re.compile(r"\s*(?P<key>[A-Za-z][\w.-]*+)\s*+=(?!=)(?P<text>.*)"),
    "TRN": re.compile(r"(?P<text>.*)\((?P<key>[\w.:/@#+-]{2,199})\)\s*+$"),
    "n-best": re.compile(r"\s*(?P<key>\d+)\s*\|\|\|(?P<text>.*?)\|\|\|"),
    "Kaldi": re.compile(
        r"(?P<key>(?=[^\s\d]*\d)(?=\S*[^\W\d_]|\d+[-_]\d+[-_]\d)[\w.:/@#+-]{2,199}(?<=\w))"
        r"(?!\S)(?P<text>.*)"
    ),
}
"""The lines of formats, with the key and the text of each; all take linear time."""
TABBED: Final = "references between tabs"
KALDI: Final = Format(
    "utterance of a Kaldi file",
    "id",
    partial(_are_lines, "Kaldi", with_ids=True),
    partial(_read_lines, "Kaldi"),
)
"""The format of lines that begin with ids, which only the same ids on the other side prove."""
FORMATS: Final[Mapping[str, Format]] = {
    "VTT": Format(
        "block of a VTT file",
        "time",
        lambda sample: re.match(r"WEBVTT\b", sample[0]) and _are_lines("times", sample, 0.01),
        partial(_read_blocks, is_vtt=True),
    ),
    "SRT": Format(
        "block of an SRT file",
        "time",
        lambda sample: _are_lines("times", sample[:2], 0.5) and _are_lines("times", sample, 0.1),
        _read_blocks,
    ),
    "ASS": Format(
        "line of dialogue of an ASS file",
        "time",
        lambda sample: (
            re.match(r"\[(Script Info|Events)\]|Dialogue:", sample[0])
            and any(map(re.compile(r"Dialogue: *\d+, *\d+:\d\d:").match, sample))
        ),
        _read_ass,
    ),
    "whisper’s log": Format(
        "segment of whisper’s log",
        "time",
        partial(_are_lines, "log"),
        partial(_read_lines, "log", text=_plain),
    ),
    "whisper’s TSV": Format(
        "segment of whisper’s TSV",
        "time",
        lambda sample: sample[0] == "start\tend\ttext",
        lambda lines: ((time_key(int(key)), text) for key, text in _read_lines("TSV", lines)),
    ),
    "PO": Format(
        "message of a PO file",
        "msgid",
        lambda sample: (
            {"msgid", "msgstr"} <= {line.split(maxsplit=1)[0].partition("[")[0] for line in sample}
            and _are_lines("PO", sample)
        ),
        _read_catalogue,
    ),
    "properties": Format(
        "value of a .properties file",
        "key",
        partial(_are_lines, "properties", with_ids=True),
        lambda lines: _read_lines(
            "properties",
            re.sub(r"(?<!\\)((?:\\\\)*)\\\n\s*", r"\1", "\n".join(lines)).split("\n"),
            lambda text: _unescape(text.strip()),
        ),
    ),
    "TRN": Format(
        "utterance of a TRN file",
        "id",
        partial(_are_lines, "TRN", with_ids=True),
        partial(_read_lines, "TRN"),
    ),
    "n-best lists": Format(
        "list of the n best, of which the first is read",
        "number",
        partial(_are_lines, "n-best"),
        lambda lines: (
            next(texts) for _, texts in groupby(_read_lines("n-best", lines), itemgetter(0))
        ),
    ),
    TABBED: Format(
        f"row of {TABBED}",
        "key",
        lambda _: False,  # The role of the file decides; see `detect_container`.
        lambda lines: (("", [cell for cell in line.split("\t") if cell.strip()]) for line in lines),
    ),
}
"""The formats of lines, by their names in messages."""
