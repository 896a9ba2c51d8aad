"""Faults of single texts, such as escapes, hidden characters or tokenization: how to undo each."""

import html
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Final

from bleu.checkup.finding import INVISIBLE, has_any
from bleu.core.tokenizers import chinese, chinese_corrected, usual_tokenizer

_PUNCTUATION: Final = {
    "'": "‘’‚‛′‵ʼ‹›`´",
    '"': "“”„‟″«»",
    "-": "‐‑‒–—―−",
    "...": "…",
    " ": "\u00a0\u2002\u2003\u2007\u2009\u202f",
}
_PLAIN: Final = {form: plain for plain, forms in _PUNCTUATION.items() for form in forms} | {
    chr(code + 0xFEE0): chr(code) for code in range(0x21, 0x7F) if not chr(code).isalnum()
}
"""The ASCII form of typographic quotes, dashes, ellipses, spaces and full-width marks."""
_MARK: Final = re.compile(rf"\.\.\.|[{''.join(map(re.escape, _PLAIN))}]|[!-/:-@\[-`{{-~]")


def straighten_differences(text: str, other: str) -> str:
    """Return a text with the forms straightened that the other one has in another form.

    >>> straighten_differences("a “b” – c", 'a "b" – c')
    'a "b" – c'
    """
    if text.isascii() or len(other) > 2 * len(text):  # The marks of further sentences tell nothing.
        return text
    forms, others = set(_MARK.findall(text)), set(_MARK.findall(other))
    own = forms - others
    differing = _plain_marks(own) & _plain_marks(others - forms)
    for mark in own:
        if _PLAIN.get(mark) in differing:
            text = text.replace(mark, _PLAIN[mark])
    return text


def _plain_marks(forms: Iterable[str]) -> set[str]:
    return {_PLAIN.get(form, form) for form in forms}


MAX_ROUNDS: Final = 8
"""The largest number of times that escapes or wrong decodings of a text are undone."""
_OLD_MOSES_ESCAPES: Final = {"&bar;": "|", "&bra;": "[", "&ket;": "]"}
_ESCAPE: Final = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_SPECIAL_TOKEN: Final = re.compile(
    # Without the lookbehind, a long run of spaces would be searched from each space.
    r"(?:(?<!\s)\s+)?(?:</?s>|<(?:pad|bos|eos|mask|sep|cls|end|start_of_turn|end_of_turn|[a-z]{2,3}_[A-Z]{2}"
    r"|2[a-z]{2,3})>|<extra_id_\d+>|\[/?(?:CLS|SEP|PAD|MASK|BOS|EOS|INST)\]|<[|｜][^<>|｜]{1,40}"
    r"[|｜]>)\s*"
)
_GPT_MARK: Final = r"(?:^|\s)Ġ(?:\S.*\sĠ\S|(?![A-Za-zċĠġĦħŻż])\w)"
"""Ġ before words, as in GPT-2. It is a Maltese letter, too, so it must stand before two words,
or before a character that is not a Latin letter."""
_SEPARATED: Final = re.compile(r"(?<=\w)\+ +(?=\w)|(?<=\w) +\+(?=\w)")
_BYTES = {chr(code): code for code in range(0x80, 0x100)} | {
    bytes([code]).decode("cp1252", "replace").replace("\ufffd", chr(code)): code
    for code in range(0x80, 0xA0)
}
"""The byte of each character of Latin-1 and Windows-1252 that is not ASCII."""
_CONTINUATION: Final = "".join(re.escape(c) for c, code in _BYTES.items() if code < 0xC0)
_MOJIBAKE: Final = re.compile(
    f"[Â-ô](?:(?<=[Â-ß])[{_CONTINUATION}]|(?<=[à-ï])[{_CONTINUATION}]{{2}}"
    f"|(?<=[ð-ô])[{_CONTINUATION}]{{3}})"
)
_LATIN: Final = re.compile(
    "[\u00a0-\u024f\u1e00-\u1eff\u2000-\u22ff\ufb00-\ufb06\U0001f000-\U0001faff]"
)
"""Characters that may follow a Latin letter."""
_RARE_LETTERS: Final = re.compile("[\u0080-\u009f\u0250-\u02ff\u0700-\u08ff]")
"""Rare characters; text that would be decoded to one, such as “à »”, is taken as correct."""


def resolve_escapes(text: str) -> str:
    """Resolve the escapes of HTML, XML and Moses, also if escaped up to `MAX_ROUNDS` times.

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


_KEPT: Final = {*_PLAIN, "\u2024", "\u0e33", "\u0eb3", "\u0587"}
"""Characters that keep their form; the last are a mark of Armenian, and letters of Thai, Lao and
Armenian."""


def replace_compatibility(text: str) -> str:
    """Replace ligatures, full-width forms and the like by NFKC, but keep punctuation and accents.

    >>> replace_compatibility("ﬁne １２ … é")
    'fine 12 … é'
    """
    if unicodedata.is_normalized("NFKC", text):
        return text
    replaced = "".join(map(_replace_character, text))
    is_composed = unicodedata.is_normalized("NFC", text)
    return unicodedata.normalize("NFC", replaced) if is_composed else replaced


@cache
def _replace_character(character: str) -> str:
    replaced = unicodedata.normalize("NFKC", character)
    is_canonical = replaced == unicodedata.normalize("NFC", character)
    is_kept = is_canonical or character in _KEPT or replaced[:1] == " "
    return character if is_kept else replaced


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


def join_separated(text: str) -> str:
    """Join the pieces of words that a plus sign marks, as Farasa and MADAMIRA write Arabic.

    >>> join_separated("ال+ ولد +ها"), join_separated("1 + 2")
    ('الولدها', '1 + 2')
    """
    return _SEPARATED.sub("", text)


def remove_special_tokens(text: str) -> str:
    """Remove the special tokens of language models.

    >>> remove_special_tokens("<s> a <b </s><pad>"), remove_special_tokens(" [1] ")
    ('a <b', ' [1] ')
    """
    text, count = _SPECIAL_TOKEN.subn(" ", text)
    return text.strip() if count else text


def decode_mojibake(text: str) -> str:
    """Decode UTF-8 that was read as Windows-1252 or Latin-1, up to `MAX_ROUNDS` times in a row.

    >>> decode_mojibake("cafÃ© â€œaâ€\\x9d"), decode_mojibake("« à », É”")
    ('café “a”', '« à », É”')
    """
    return _substitute_repeatedly(_MOJIBAKE, _decode_character, text)


def _decode_character(mojibake: re.Match[str]) -> str:
    decoded = bytes(_BYTES[character] for character in mojibake[0]).decode("utf-8", "replace")
    before = mojibake.string[max(0, mojibake.start() - 1) : mojibake.start()]
    is_inside = before.isalpha() and before < "\u0250"
    is_foreign = is_inside and not _LATIN.match(decoded)  # Such as “é »” in French
    is_rare = len(decoded) > 1 or _RARE_LETTERS.match(decoded) or decoded == "\ufffd" or is_foreign
    return mojibake[0] if is_rare else decoded


_CHATTER: Final = re.compile(
    r"\s*(?:(?:sure|certainly|of course|absolutely|okay|ok)\b[^:\n]{0,100}[:!.]\s*)?"
    r"(?:(?:here(?:['’]s| is| are)|below is|the following is)\b[^:\n]{0,100}:\s*)?"
    r"(?:[*_#]*(?:the |my |final |english |[a-z]+ )?(?:translation|translated text|answer|output"
    r"|response|result|target|hypothesis|candidate|english|german|french|spanish|chinese)"
    r"[*_]*\s?(?:\([^)]*\)\s?)?:[*_]*\s*)?",
    re.IGNORECASE,
)
_FENCE: Final = re.compile(
    r"^\s*```(?:text|txt|plain|plaintext|markdown|html|json)?\s*|(?:(?<!\s)\s+)?```\s*$"
)
_QUOTED: Final = re.compile(
    r"\s*(?:\"([^\"]*)\"|[“„]((?:[^“”„]++|“[^“”„]*+”|„[^“”„]*+[“”])*)[“”]|«([^«»]*)»"
    r"|'([^']*)'|`([^`]*)`)\s*"
)
_QUOTES: Final = ('"', "“", "”", "»", "'", "`")


def strip_chatter(text: str) -> str:
    """Return a text without the words and fences of language models around it.

    >>> texts = ["Translation: a b", 'Answer: "a b"', "```a b```", "Sure! Here it is: a b", "a b"]
    >>> set(map(strip_chatter, texts))
    {'a b'}
    """
    stripped = text
    chatter = _CHATTER.match(text) if ":" in text or "!" in text else None
    if chatter and chatter[0].strip():
        stripped = text[chatter.end() :] or text
    if "```" in stripped:
        stripped = _FENCE.sub("", stripped)
    return stripped if stripped == text else strip_quotes(stripped)


def strip_quotes(text: str, other: str = "") -> str:
    """Return a text without the quotes around it, unless its counterpart has some.

    >>> strip_quotes("«a b»"), strip_quotes('"a" or "b"'), strip_quotes("“a b”", '"a c"')
    ('a b', '"a" or "b"', '“a b”')
    >>> [strip_quotes(text) for text in ("„a “b” c“", "„a“ b „c“", "“a” b “c”", "„a“ b “c”")]
    ['a “b” c', '„a“ b „c“', '“a” b “c”', '„a“ b “c”']
    """
    if not text.rstrip().endswith(_QUOTES) or _QUOTED.fullmatch(other):
        return text
    quoted = _QUOTED.fullmatch(text)
    return next(filter(None, quoted.groups()), text) if quoted else text


@dataclass(frozen=True, slots=True)
class TextFault:
    """A fault that is found and undone in each text.

    - `change`: the function that undoes the fault; a text that it changes may have the fault.
    - `marks`: strings, at least one of which is in every faulty text; if empty, every faulty text
      has a character that is not ASCII, or no character of a text.
    - `is_certain`: whether it is a fault even if both sides have it and the score stays the same.
    """

    change: Callable[[str], str]
    marks: tuple[str, ...] = ()
    is_certain: bool = False

    def repair(self, text: str) -> str:
        """Return the text without the fault."""
        return self.change(text) if self.may_be_in(text) else text

    def may_be_in(self, text: str) -> bool:
        """Return quickly whether a text may have the fault."""
        if self.marks:
            return has_any(self.marks, text)
        return not (text.isascii() and text.isprintable())


_remove_invisible: Final = partial(re.compile(f"[{INVISIBLE}](?<!^\ufeff)").sub, "")
_straighten: Final = partial(re.compile(f"[{''.join(_PLAIN)}]").sub, lambda form: _PLAIN[form[0]])

TEXT_FAULTS: Final[Mapping[str, TextFault]] = {
    "special-tokens": TextFault(remove_special_tokens, ("<", "["), is_certain=True),
    "escapes": TextFault(resolve_escapes, ("&",), is_certain=True),
    "normalization": TextFault(partial(unicodedata.normalize, "NFC")),
    "bom": TextFault(lambda text: text.lstrip("\ufeff"), ("\ufeff",), is_certain=True),
    "invisible": TextFault(_remove_invisible),
    "punctuation": TextFault(_straighten),
    "compatibility": TextFault(replace_compatibility),
    "subwords": TextFault(join_subwords, ("@@", "▁", "Ġ", "##", "</w>"), is_certain=True),
    "encoding": TextFault(decode_mojibake, is_certain=True),
}
"""Faults by name, in the order in which they are searched."""


# Tokenized texts, and scripts without spaces

UNSPACED_CHARACTERS: Final = "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff"
"""Thai, Lao, Tibetan, Burmese, Khmer and Japanese kana, which have no spaces between words."""
CHINESE_CHARACTERS: Final = "\u3400-\u9fff\U00020000-\U000323af"
_SEPARATE: Final = re.compile(
    r" (?:[.,!?;:]|n['’]t|['’](?:s|re|ll|ve|m|d|t)|``|''|@[-/]@|-[LR]RB-)(?!\S)"
)
"""Marks and clitics as separate words; the space before them makes the search fast."""
_ATTACHED: Final = re.compile(r"\w[,;?!](?:\s|$)|\w\.$")


def is_tokenized(text: str) -> bool:
    """Return whether a mark or clitic is a word of its own, and no mark is attached to a word.

    >>> is_tokenized("It is , indeed ."), is_tokenized("It , it, it."), is_tokenized("do n't")
    (True, False, True)
    """
    return bool(_SEPARATE.search(text)) and not _ATTACHED.search(text)


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


def detokenize(text: str, other: str = "") -> str:
    """Join punctuation and clitics to their words if a text is tokenized, and another one is not.

    >>> detokenize('It is n\\'t " so " , ( he said ) .'), detokenize("a , b, c")
    ('It isn\\'t "so", (he said).', 'a , b, c')
    """
    if is_tokenized(text) and not is_tokenized(other):
        for pattern, replacement in _DETOKENIZATION:
            text = pattern.sub(replacement, text)
    return text


def unspaced_tokenizer(text: str) -> str:
    """Return the tokenizer for a text that is mostly in a script without spaces, or "".

    For Chinese it is sacreBLEU's, which papers cite, unless its fault changes the tokens.

    >>> list(map(unspaced_tokenizer, ("我喜欢散步", "散步……", "私は猫です", "狗 is a dog", "")))
    ['zh', 'zh-corrected', 'char', '', '']
    """
    unspaced = re.findall(f"[{UNSPACED_CHARACTERS}{CHINESE_CHARACTERS}]", text)
    if 2 * len(unspaced) <= sum(map(str.isalpha, text)):
        return ""
    if not unspaced or re.search(f"[{UNSPACED_CHARACTERS}]", text):
        return usual_tokenizer("characters") if unspaced else ""
    return "zh" if chinese(text) == chinese_corrected(text) else "zh-corrected"
