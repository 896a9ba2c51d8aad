"""What software does to whole texts, and how to undo it: code pages, escapes, printed values."""

import ast
import codecs
import re
from collections.abc import Callable
from functools import cache, partial
from itertools import pairwise
from typing import Final
from urllib.parse import unquote, unquote_plus

from bleu.checkup.changes import (
    PROBED_LINES,
    SIDES,
    Change,
    Proof,
    Proposals,
    ScoredRows,
    Undo,
    pause,
)
from bleu.core.progress import map_in_slices

TextChange = Callable[[str], str]

CODE_PAGES: Final = {
    "utf-8": "cp1252 latin-1 cp1251 cp850 mac_roman gbk cp437 koi8-r cp932 cp1250",
    "cp1251": "latin-1 koi8-r cp1252",
    "koi8-r": "cp1251 latin-1",
    "cp932": "latin-1 cp1252",
    "gbk": "latin-1",
    "cp1256": "latin-1",
    "euc_kr": "latin-1",
}
"""The code pages that texts in another are often read with by mistake."""
_WINDOWS: Final = {"cp1250", "cp1251", "cp1252"}
_CONTROLS: Final = re.compile("[\x80-\x9f]")
MIN_DECODED: Final = 2
"""A decoding is right only with this many good characters for each that cannot be decoded."""
MIN_SPACED: Final = 0.8
"""The smallest share of single characters among the words of a text that was spaced out."""

_BYTE_TOKENS: Final = re.compile("(?:<0x[0-9A-F]{2}>)+")
_HEX_ESCAPES: Final = re.compile(r"(?:\\x[0-9a-fA-F]{2})+")
_TAG: Final = re.compile(r"<[^<>]{1,60}>")
_HAS_REMARKS: Final = "have remarks in brackets"
_HAS_TAGS: Final = "have tags"
_GENERAL: Final = {_HAS_REMARKS, _HAS_TAGS}
"""What may be text or a fault of another name."""
_REMARK: Final = re.compile(r"\([^()]{2,40}\)|\[[^\[\]]{2,40}\]|♪")


def _decode_hex(digits: str) -> str:
    return bytes.fromhex(digits).decode("utf-8", "replace")


def resolve_backslashes(text: str) -> str:
    r"""Resolve the backslash escapes of Python and JSON.

    >>> resolve_backslashes(r"caf\u00e9, \xc3\xa9 and\n\"so\"")
    'café, é and "so"'
    """
    text = _HEX_ESCAPES.sub(lambda match: _decode_hex(match[0].replace("\\x", "")), text)
    text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match[1], 16)), text)
    return re.sub(r"\\([ntr'\"/])", lambda m: " " if m[1] in "ntr" else m[1], text).strip()


def resolve_byte_tokens(text: str) -> str:
    """Decode the bytes that language models write for rare characters.

    >>> resolve_byte_tokens("caf<0xC3><0xA9>")
    'café'
    """
    return _BYTE_TOKENS.sub(lambda match: _decode_hex(re.sub("<0x|>", "", match[0])), text)


def parse_printed_value(text: str) -> str:
    """Return the text in a list, dictionary or byte string as Python prints it.

    >>> parse_printed_value("['a', 'cat']"), parse_printed_value("b'a cat'")
    ('a cat', 'a cat')
    >>> parse_printed_value("[a cat]")
    '[a cat]'
    """
    if not re.match(r"""\s*(?:\[|b['"]|\{)""", text):
        return text
    try:
        value = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text
    while isinstance(value, list | dict):
        value = " ".join(map(str, value.values() if isinstance(value, dict) else value))
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _join_printed_tokens(text: str) -> str:
    value = parse_printed_value(text)
    return text if value == text else re.sub(r" ([.,!?;:%)])", r"\1", value)


def join_letters(text: str) -> str:
    """Join characters that spaces separate.

    >>> join_letters("a   c a t"), join_letters("a cat is")
    ('a cat', 'a cat is')
    """
    parts = text.split(" ")
    if sum(len(part) <= 1 for part in parts) < MIN_SPACED * len(parts):
        return text
    joined = re.sub(r" (\S)", r"\1", re.sub(r"(\S) (?=\S)", r"\1", text))
    return re.sub(" {2,3}", " ", joined)


def halve(text: str) -> str:
    """Return the part of a text that repeats itself to the end.

    >>> halve("a cat sat a cat sat a cat sat"), halve("猫が座る。猫が座る。"), halve("a cat")
    ('a cat sat', '猫が座る。', 'a cat')
    """
    for line in (f"{text.strip()} ", text.strip()):
        period = (line + line).find(line, 1)  # The shortest rotation that changes nothing
        if len(line) > max(8, period):
            return line[:period].strip()
    return text


def collapse(text: str) -> str:
    """Return a text without words, or pairs of words, that repeat those before.

    >>> collapse("a a cat cat cat sat"), collapse("a cat a cat sat down sat down")
    ('a cat sat', 'a cat sat down')
    """
    return re.sub(r"(?<!\S)(\S++(?: \S++)?)(?: \1)+(?!\S)", r"\1", text)


def compose_am(text: str) -> str:
    """Compose the vowel am of Thai and Lao, which NFC leaves in two characters."""
    return text.replace("\u0e4d\u0e32", "\u0e33").replace("\u0ecd\u0eb2", "\u0eb3")


def redecode(text: str, wrong: str, right: str) -> str:
    """Return a text in one code page that was read with another.

    >>> redecode("ÐºÐ¾Ñ‚", "cp1252", "utf-8"), redecode("café", "cp1252", "utf-8")
    ('кот', 'café')
    """
    if text.isascii() or not (_has_codec(wrong) and _has_codec(right)):
        return text
    # Windows pages have no characters for some bytes, which are kept as controls.
    if wrong in _WINDOWS and _CONTROLS.search(text):
        pages = (("latin-1" if "\x80" <= c <= "\x9f" else wrong, c) for c in text)
        raw = b"".join(character.encode(page, "ignore") for page, character in pages)
    else:
        raw = text.encode(wrong, "ignore")
    replaced = raw.decode(right, "replace")
    decoded = replaced.replace("\ufffd", "")
    good = len(decoded) - len(decoded.encode("ascii", "ignore"))
    is_unchanged = len(replaced) == len(text) and right == "utf-8"
    is_wrong = len(raw) < MIN_SPACED * len(text) or "\x00" in decoded or is_unchanged
    is_wrong = is_wrong or not good or good < MIN_DECODED * (len(replaced) - len(decoded))
    return text if is_wrong else decoded


@cache
def _has_codec(name: str) -> bool:
    """Return whether Python has a codec; the page has the most frequent ones only.

    The build imports this module, and a search for codecs would leave times of files in its memory.
    """
    try:
        codecs.lookup(name)
    except LookupError:
        return False
    return True


def _squeeze(pattern: re.Pattern[str], replacement: str, text: str) -> str:
    return " ".join(pattern.sub(replacement, text).split())


TRANSFORMS: Final[tuple[tuple[str, str, str, TextChange], ...]] = (
    ("escapes", "have backslash escapes", r"\\", resolve_backslashes),
    ("escapes", "are percent-encoded", "%[0-9A-F]{2}", unquote),
    ("escapes", "have plus or percent signs for spaces", r"\+(?<=\w\+)[\w%]", unquote_plus),
    ("escapes", "have bytes as tokens", "<0x", resolve_byte_tokens),
    ("escapes", "are values as Python prints them", r"^\s*[\[{b]", parse_printed_value),
    ("tokenized", "are lists of tokens as Python prints them", r"^\s*\[", _join_printed_tokens),
    ("letters", "have their words in reverse order", " .* ", lambda t: " ".join(t.split()[::-1])),
    ("letters", "have their characters in reverse order", "..", lambda t: t[::-1]),
    ("repetition", "have the same text again and again", ".{9}", halve),
    ("repetition", "have words twice", r"(?:^| )(\S++(?: \S++)?) \1(?: |$)", collapse),
    ("normalization", "have vowels in two characters", "[\u0e4d\u0ecd]", compose_am),
    ("spacing", "have spaces between all characters", r"(?:\S ){4}", join_letters),
    ("frame", _HAS_TAGS, "<", partial(_squeeze, _TAG, " ")),
    ("frame", _HAS_TAGS, "<", partial(_TAG.sub, "")),
    ("frame", _HAS_REMARKS, r"[(\[♪]", partial(_squeeze, _REMARK, " ")),
    *(
        (
            "encoding",
            f"are {right} that was read as {wrong}",
            "[^\x00-\x7f]",
            partial(redecode, wrong=wrong, right=right),
        )
        for right, pages in CODE_PAGES.items()
        for wrong in pages.split()
    ),
)
"""The kind, the phrase, what every such text has (a regular expression), and how to undo it."""
_SELF_PROVING: Final = {"letters", "encoding"}
"""Kinds that would change every text; so each line must match better to be changed."""


def _shared_runs(text: str, other: str) -> int:
    """Return how many runs of two words, or of four characters without spaces, texts share."""
    words, other_words = text.split(), other.split()
    if len(other_words) < 4:
        runs = [{line[k : k + 4] for k in range(len(line))} for line in (text, other)]
        return len(runs[0] & runs[1])
    pairs = [set(pairwise(line)) for line in (words, other_words)]
    return len(pairs[0] & pairs[1])


def detect_transforms(rows: ScoredRows) -> Proposals:
    """Propose to undo each of `TRANSFORMS` that changes enough lines; None is a pause."""
    pairs_by_mark: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for name, phrase, mark, undo in TRANSFORMS:
        yield None
        search = re.compile(mark).search
        guarded = _proven(undo) if name in _SELF_PROVING else _marked(undo, search)
        for side in SIDES[: 1 if undo is collapse else 2]:
            if (mark, side) not in pairs_by_mark:
                pairs = [pair for pair in rows.side_pairs(side) if search(pair[0])]
                pairs_by_mark[mark, side] = pairs
            pairs = pairs_by_mark[mark, side]
            if len(pairs) < rows.min_lines:
                continue
            probe = pairs[:: len(pairs) // PROBED_LINES + 1]
            undone = yield from pause(map_in_slices(partial(_apply, guarded), probe))
            if all(text == new for (text, _), new in zip(probe, undone, strict=True)):
                continue
            is_style = phrase == _HAS_REMARKS
            proof = Proof.LEARNED if phrase in _GENERAL else Proof.LITERAL
            yield Change(name, phrase, side, guarded, proof, is_style)


def _apply(undo: Undo, pair: tuple[str, str]) -> str:
    return undo(*pair)


def _proven(undo: TextChange) -> Undo:
    def change(text: str, other: str) -> str:
        changed = undo(text)
        shared = 0 if changed == text else _shared_runs(changed, other)
        return changed if shared and shared > _shared_runs(text, other) else text

    return change


def _marked(undo: TextChange, search: Callable[[str], re.Match[str] | None]) -> Undo:
    return lambda text, _: undo(text) if search(text) else text
