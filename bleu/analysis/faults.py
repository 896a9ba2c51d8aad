"""Faults of single texts, such as escapes or hidden characters: how to find and undo each."""

import html
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from itertools import groupby
from typing import Final

INVISIBLE: Final = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb\U000e0001-\U000e01ef"
)
"""Characters without width: soft hyphens, joiners, direction marks, variation selectors, tags."""

_PUNCTUATION: Final = {
    "'": "‘’‚‛′‵ʼ‹›`´",
    '"': "“”„‟″«»",
    "-": "‐‑‒–—―−",
    "...": "…",
    " ": "\u00a0\u2002\u2003\u2007\u2009\u202f",
}
PUNCTUATION: Final = str.maketrans(
    {form: plain for plain, forms in _PUNCTUATION.items() for form in forms}
)
"""Typographic quotes, dashes, ellipses and spaces, and the ASCII characters in their place."""


def form_differences(hypothesis: str, references: Iterable[str]) -> tuple[bool, bool]:
    """Return whether each side has another form of a mark that the other side has.

    >>> form_differences("a “b”", ['a "b"']), form_differences("a “b”", ["a b"])
    ((True, False), (False, False))
    >>> form_differences("a – b", ["a - b", "a – b"]), form_differences("a “b", ["a „b"])
    ((False, False), (True, True))
    """
    differs = [False, False]
    text = "\n".join(references)
    for plain, forms in _PUNCTUATION.items():
        if plain != " ":
            used = [
                {form for form in (plain, *forms) if form in side} for side in (hypothesis, text)
            ]
            only = used[0] - used[1], used[1] - used[0]
            if all(only):
                differs = [
                    before or side != {plain} for before, side in zip(differs, only, strict=True)
                ]
    return differs[0], differs[1]


MAX_ROUNDS: Final = 8
"""How often a text may have been escaped, or decoded wrongly."""
_OLD_MOSES_ESCAPES: Final = {"&bar;": "|", "&bra;": "[", "&ket;": "]"}
_ESCAPE: Final = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_SPECIAL_TOKEN: Final = re.compile(
    # Without the lookbehind, a long run of spaces would be searched from each of them.
    r"(?:(?<!\s)\s+)?(?:</?s>|<(?:pad|bos|eos|mask|sep|cls|end|start_of_turn|end_of_turn|[a-z]{2,3}_[A-Z]{2}"
    r"|2[a-z]{2,3})>|<extra_id_\d+>|\[/?(?:CLS|SEP|PAD|MASK|BOS|EOS|INST)\]|<[|｜][^<>|｜]{1,40}"
    r"[|｜]>)\s*"
)
LOST: Final = {
    "encoding": re.compile("\ufffd"),
    "special-tokens": re.compile(r"<unk>|\[UNK\]"),
}
"""Marks in place of characters and words that are lost, so that no repair brings them back."""
_GPT_MARK: Final = r"(?:^|\s)Ġ(?:\S.*\sĠ\S|(?![A-Za-zċĠġĦħŻż])\w)"
"""The mark of words in GPT-2: a letter of Maltese, but there it is followed by a Latin letter."""
_SUBWORD: Final = re.compile(rf"\S@@(?=\s|$)|▁|{_GPT_MARK}|\s##\w|\S</w>")
_SEPARATE: Final = frozenset(
    [*".,!?;:", "n't", "n’t", "``", "''", "@-@", "@/@", "-LRB-", "-RRB-"]
    + [mark + clitic for mark in "'’" for clitic in ("s", "re", "ll", "ve", "m", "d", "t")]
)
"""Words that only tokenized text has."""
_ATTACHED: Final = re.compile(r"\w[,;?!](?:\s|$)|\w\.$")

_BYTES = {chr(code): code for code in range(0x80, 0x100)} | {
    bytes([code]).decode("cp1252", "replace").replace("\ufffd", chr(code)): code
    for code in range(0x80, 0xA0)
}
"""The bytes that Latin-1 and Windows-1252 read as other characters than ASCII."""
_BYTES |= {chr(code): code for code in range(0x80, 0xC0)}
_CONTINUATION: Final = "".join(re.escape(c) for c, code in _BYTES.items() if code < 0xC0)
_MOJIBAKE: Final = re.compile(
    f"[Â-ß][{_CONTINUATION}]|[à-ï][{_CONTINUATION}]{{2}}|[ð-ô][{_CONTINUATION}]{{3}}"
)
_RARE_LETTERS: Final = re.compile("[\u0080-\u009f\u0250-\u02ff\u0700-\u08ff]")
"""Characters that two or three characters of correct text, such as “à »”, would seem to stand for.
"""


def resolve_escapes(text: str) -> str:
    """Resolve the escapes of HTML, XML and Moses, also if they are escaped twice.

    >>> resolve_escapes("it &amp;#39;s &#91; AT&T &nosuch;")
    "it 's [ AT&T &nosuch;"
    """
    return _substitute_repeatedly(_ESCAPE, _resolve_escape, text)


def _substitute_repeatedly(
    pattern: re.Pattern[str], replacement: Callable[[re.Match[str]], str], text: str
) -> str:
    """Substitute matches until nothing changes, at most MAX_ROUNDS times."""
    for _ in range(MAX_ROUNDS):
        changed = pattern.sub(replacement, text)
        if changed == text:
            break
        text = changed
    return text


def _resolve_escape(escape: re.Match[str]) -> str:
    resolved = _OLD_MOSES_ESCAPES.get(escape[0]) or html.unescape(escape[0])
    return " " if resolved in {"\n", "\r"} else resolved


def replace_compatibility(text: str) -> str:
    """Replace ligatures, full-width forms and others as NFKC does, but no punctuation or accents.

    >>> replace_compatibility("ﬁne １２ … é")
    'fine 12 … é'
    """
    if not any(map(_is_compatibility_character, text)):
        return text
    return "".join(
        unicodedata.normalize("NFKC", run) if is_compatible else run
        for is_compatible, run in (
            (is_compatible, "".join(run))
            for is_compatible, run in groupby(text, _is_compatibility_character)
        )
    )


@cache
def _is_compatibility_character(character: str) -> bool:
    if character.isascii() or ord(character) in PUNCTUATION:
        return False
    replaced = unicodedata.normalize("NFKC", character)
    is_canonical = replaced == unicodedata.normalize("NFC", character)
    return not is_canonical and replaced[:1] != " "


def join_subwords(text: str) -> str:
    """Join the pieces of words from BPE, sentencepiece, WordPiece or GPT-2.

    >>> [join_subwords(text) for text in ("un@@ seen", "▁un seen ▁it", "un ##seen", "Un seen Ġit")]
    ['unseen', 'unseen it', 'unseen', 'Un seen Ġit']
    >>> join_subwords("Un seen Ġit Ġis"), join_subwords("un seen</w> it</w>")
    ('Unseen it is', 'unseen it')
    """
    text = re.sub(r"(?<=\S)@@(?:\s+|$)", "", text)
    text = re.sub(r"\s+##(?=\w)", "", text)
    for mark in ("▁", "</w>"):
        if mark in text:
            text = re.sub(r"\s+", "", text).replace(mark, " ").strip()
    if re.search(_GPT_MARK, text):
        text = re.sub(r"\s+", "", text).replace("Ġ", " ").strip()
    return text


def is_tokenized(text: str) -> bool:
    """Return whether punctuation stands alone everywhere, or clitics do.

    >>> is_tokenized("It is , indeed ."), is_tokenized("It , it, it."), is_tokenized("do n't")
    (True, False, True)
    """
    return not _SEPARATE.isdisjoint(text.split()) and not _ATTACHED.search(text)


_DETOKENIZATION: Final = [
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"\s@([-/])@\s", r"\1"),
        ("-LRB-", "("),
        ("-RRB-", ")"),
        (r"``\s?|\s?''(?=\s|$)", '"'),
        (r"(?:(?<=\s)|^)\"\s([^\"]*?)\s\"(?=\s|$)", r'"\1"'),
        (r"\s([.,;:!?%)\]}…]+)(?=[\s\"]|$)", r"\1"),
        (r"([(\[{$£¿¡])\s", r"\1"),
        (r"(?<=\w)\s(n['’]t|['’](?:s|re|ll|ve|m|d|t))(?=\W|$)", r"\1"),
        (r"(?<=\b[cdjlmnstCDJLMNST]['’])\s(?=\w)", ""),
    )
]


def detokenize(text: str) -> str:
    """Join punctuation and clitics to their words if a text is tokenized.

    >>> detokenize('It is n\\'t " so " , ( he said ) .'), detokenize("a , b, c")
    ('It isn\\'t "so", (he said).', 'a , b, c')
    """
    if is_tokenized(text):
        for pattern, replacement in _DETOKENIZATION:
            text = pattern.sub(replacement, text)
    return text


def decode_mojibake(text: str) -> str:
    """Decode UTF-8 that was read as Windows-1252 or Latin-1, also if that happened again.

    >>> decode_mojibake("cafÃ© â€œaâ€\\x9d"), decode_mojibake("« à », É”")
    ('café “a”', '« à », É”')
    """
    return _substitute_repeatedly(_MOJIBAKE, _decode_character, text)


def _decode_character(mojibake: re.Match[str]) -> str:
    decoded = bytes(_BYTES[character] for character in mojibake[0]).decode("utf-8", "replace")
    is_rare = len(decoded) > 1 or _RARE_LETTERS.match(decoded) or decoded == "\ufffd"
    return mojibake[0] if is_rare else decoded


@dataclass(frozen=True, slots=True)
class TextFault:
    """A fault that is found and undone in each text.

    - `change`: the function that undoes it; a text that it changes may have the fault.
    - `pattern`: a pattern that matches in every text with the fault.
    - `marks`: strings one of which every such text has; if there are none, it is not ASCII.
    - `phrase`: completes “12 lines have …”; `label` names the repair.
    - `is_certain`: whether it is a fault even if both sides have it, and without effect.
    """

    change: Callable[[str], str]
    pattern: re.Pattern[str]
    marks: tuple[str, ...]
    phrase: str
    label: str
    is_certain: bool = False

    def repair(self, text: str) -> str:
        """Return the text without the fault."""
        if not self.marks and text.isascii():
            return text
        for mark in self.marks:  # This is five times as fast as the pattern.
            if mark in text:
                break
        else:
            if self.marks:
                return text
        return self.change(text) if self.pattern.search(text) else text

    def occurs_in(self, text: str) -> bool:
        """Return whether one of the texts, joined by line feeds, has the fault."""
        if self.marks:
            return any(mark in text for mark in self.marks) and bool(self.pattern.search(text))
        return self.repair(text) != text


_NOT_ASCII: Final = re.compile(r"[^\0-\x7f]")
_TYPOGRAPHIC: Final = re.compile(f"[{''.join(map(chr, PUNCTUATION))}]")
_HIDDEN: Final = re.compile(f"(?!^\ufeff)[{INVISIBLE}]")

TEXT_FAULTS: Final[Mapping[str, TextFault]] = {
    "escapes": TextFault(
        resolve_escapes,
        _ESCAPE,
        ("&",),
        "escapes of HTML, XML or Moses",
        "Resolve the escapes",
        True,
    ),
    "normalization": TextFault(
        partial(unicodedata.normalize, "NFC"),
        _NOT_ASCII,
        (),
        "accents as characters of their own",
        "Compose the accents",
    ),
    "bom": TextFault(
        lambda text: text.lstrip("\ufeff"),
        re.compile("^\ufeff", re.MULTILINE),
        ("\ufeff",),
        "a byte order mark, which counts as a part of the first token",
        "Remove the byte order mark",
        True,
    ),
    "invisible": TextFault(
        lambda text: _HIDDEN.sub("", text),
        _HIDDEN,
        (),
        "characters without width",
        "Remove the hidden characters",
    ),
    "punctuation": TextFault(
        lambda text: text.translate(PUNCTUATION),
        _TYPOGRAPHIC,
        (),
        "other forms of quotes, dashes or ellipses than the other side",
        "Straighten quotes and dashes",
    ),
    "compatibility": TextFault(
        replace_compatibility,
        _NOT_ASCII,
        (),
        "ligatures, full-width forms or the like",
        "Replace the special forms",
    ),
    "subwords": TextFault(
        join_subwords,
        _SUBWORD,
        ("@@", "▁", "Ġ", "##", "</w>"),
        "marks of subwords",
        "Join the subwords",
        True,
    ),
    "special-tokens": TextFault(
        lambda text: _SPECIAL_TOKEN.sub(" ", text).strip(),
        _SPECIAL_TOKEN,
        ("<", "["),
        "special tokens of a model",
        "Remove the special tokens",
        True,
    ),
    "encoding": TextFault(
        decode_mojibake,
        _MOJIBAKE,
        (),
        "characters that were decoded wrongly",
        "Decode them again",
        True,
    ),
}
"""Faults by name, in the order in which they are looked for."""
