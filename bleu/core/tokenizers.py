"""Tokenizers, whose choice changes BLEU considerably (Post 2018, section 2)."""

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain
from string import ascii_lowercase, ascii_uppercase
from string import punctuation as ascii_punctuation
from typing import Final, Literal, TypeGuard

from bleu.core.choices import TokenizerChoice, TokenizerName
from bleu.core.display import short_repr
from bleu.core.memoize import WordCache
from bleu.core.unicode_categories import CATEGORIES

Token = Hashable
Tokens = tuple[Token, ...]
Text = str | Sequence[Token]
"""A hypothesis or a reference: text, or the sequence of its tokens."""
Rules = tuple[tuple[re.Pattern[str], str], ...]
"""Patterns and their replacements, applied in order."""
TokenUnit = Literal["spaces", "marks", "han", "characters", "unknown"]


_WESTERN: Final = (
    (re.compile(r"""([!"#$%&()*+/:;<=>?@\[\\\]^_`{|}~])"""), r" \1 "),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)
_ESCAPES: Final = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))


def _split_western(text: str) -> list[str]:
    for pattern, replacement in _WESTERN:
        text = pattern.sub(replacement, text)
    return text.split()


def mteval_13a(text: str) -> list[str]:
    """Split off ASCII punctuation as NIST's mteval-v13a does; sacreBLEU's default, `13a`.

    Periods and commas within numbers, and apostrophes and hyphens within words, are not split off,
    nor is punctuation outside ASCII, such as curly quotes. `<skipped>` and a hyphen at the end of a
    line are removed, and four XML escapes are replaced.

    >>> mteval_13a('It costs 1,000.5 dollars, "they" said.')
    ['It', 'costs', '1,000.5', 'dollars', ',', '"', 'they', '"', 'said', '.']
    """
    text = text.replace("<skipped>", "").replace("-\n", "")
    if "&" in text:
        for escape, character in _ESCAPES:
            text = text.replace(escape, character)
    return list(chain.from_iterable(map(_WORD_TOKENS.__getitem__, text.split())))


def _split_word(word: str) -> list[str]:
    """Return the tokens of a word, which are the same whatever the words around it."""
    if word.isalnum():
        return [word]
    if word[-1] in _SPLIT_AT_END and word[:-1].isalnum():  # Most words with punctuation.
        return [word[:-1], word[-1]]
    return _split_western(f" {word} ")


_SPLIT_AT_END: Final = frozenset(ascii_punctuation) - {"'", "-"}


_WORD_TOKENS: Final = WordCache(_split_word)


def international(text: str, *, decimal: bool = False) -> list[str]:
    """Split off punctuation and symbols of every script, as mteval-v14 and sacreBLEU's `intl` do.

    These are the categories P and S of Unicode 17.0 in every Python version. Punctuation within
    numbers (category N) is not split off, nor is a period after a number at the end of the text, as
    in mteval-v14. With `decimal`, the rules are those of `tensor2tensor`.

    >>> international("“It’s” 5€, in 1999.")
    ['“', 'It', '’', 's', '”', '5', '€', ',', 'in', '1999.']
    """
    words = text.split()
    if len(words) < 2:
        return split_international(text, decimal)
    first, between, last = INTERNATIONAL_WORDS[decimal]
    return [
        *(between if text[0].isspace() else first)[words[0]],
        *chain.from_iterable(map(between.__getitem__, words[1:-1])),
        *(between if text[-1].isspace() else last)[words[-1]],
    ]


def split_international(text: str, decimal: bool) -> list[str]:
    """Return the tokens of `international` by its definition: its rules, applied to the text."""
    is_bmp = text.isascii() or max(text) < "\U00010000"
    for pattern, replacement in _international_rules(decimal, is_bmp):
        text = pattern.sub(replacement, text)
    return text.split()


def _split_international_word(decimal: bool, before: str, after: str, word: str) -> list[str]:
    """Return the tokens of a word between spaces, or at an end; its rules see no other words."""
    if word.isalnum():
        return [word]
    if after and word[-1] in ascii_punctuation and word[:-1].isalnum():
        return [word[:-1], word[-1]]
    return split_international(f"{before}{word}{after}", decimal)


INTERNATIONAL_WORDS: Final = tuple(
    tuple(
        WordCache(partial(_split_international_word, decimal, *spaces))
        for spaces in (("", " "), (" ", " "), (" ", ""))
    )
    for decimal in (False, True)
)
"""The tokens of the first word, of those between and of the last, without `decimal` and with it."""


def mteval_v14(text: str) -> list[str]:
    """Remove `<skipped>`, resolve five XML escapes, then tokenize like `intl` (mteval-v14).

    >>> mteval_v14("AT&amp;T &apos;s")
    ['AT', '&', 'T', "'", 's']
    """
    text = text.replace("<skipped>", "")
    for escape, character in (*_ESCAPES, ("&apos;", "'")):
        text = text.replace(escape, character)
    return international(text)


def tensor2tensor(text: str) -> list[str]:
    """Tokenize like `intl`, but only decimal digits protect punctuation, and `\\` stays in words.

    >>> tensor2tensor("½.x 1.5"), international("½.5")
    (['½', '.', 'x', '1.5'], ['½.5'])
    """
    return international(text, decimal=True)


def codexglue(text: str) -> list[str]:
    """Split off every character that is no letter or digit (CodeXGLUE's code summarization).

    >>> codexglue("get_item's 3.5")
    ['get', '_', 'item', "'", 's', '3', '.', '5']
    """
    return _CODEXGLUE_TOKENS.findall(text)


_CODEXGLUE_TOKENS: Final = re.compile(r"[^\W_]+|[^\w\s]|_")


@cache
def _international_rules(decimal: bool, is_bmp: bool) -> Rules:
    """Return the rules for all texts, or for those of the Basic Multilingual Plane alone.

    Python's `re` looks up these characters in a table, but compares them one by one with the ranges
    beyond, so the patterns without those take a quarter of the time.
    """
    numbers, punctuation, symbols = (
        re.sub(r"\\U.{8}(-\\U.{8})?", "", CATEGORIES[name]) if is_bmp else CATEGORIES[name]
        for name in ("DPS" if decimal else "NPS")
    )
    mark = rf"((?!\\)[{punctuation}])" if decimal else f"([{punctuation}])"
    return (
        (re.compile(f"([^{numbers}]){mark}"), r"\1 \2 "),
        (re.compile(f"{mark}([^{numbers}])"), r" \1 \2"),
        (re.compile(f"([{symbols}])"), r" \1 "),
    )


def characters(text: str) -> list[str]:
    """Make every character except white space a token; sacreBLEU's `char`.

    A character is one code point: combining marks and the parts of a joined emoji are separate.

    >>> characters("你好 a1")
    ['你', '好', 'a', '1']
    """
    return " ".join(text).split()


_CJK: Final = (
    "\u2e80-\u2fdf\u2ff0-\u303f\u3100-\u312f\u31a0-\u31bf\u31c0-\u31ef\u3200-\u33ff"
    "\u3400-\u4db5\u4e00-\u9fbb\uf900-\ufa2d\ufa30-\ufa6a\ufa70-\ufad9\ufe10-\ufe1f"
    "\ufe30-\ufe4f\uff00-\uffef"
)
_CHINESE: Final = f"([{_CJK}\u2001-\u2a6d\u2600-\u27bf])"
_JAPANESE: Final = f"([\u3040-\u30ff{_CJK}\u2001-\u2a6d\u2600-\u27bf])"
_CHINESE_CORRECTED: Final = (
    f"([{_CJK}\u4db6-\u4dbf\u9fbc-\u9fff\u2600-\u27bf\U00020000-\U000323af])"
)


def chinese(text: str) -> list[str]:
    """Make every Chinese character a token and split the rest as by `13a`; sacreBLEU's `zh`.

    It reproduces a fault of sacreBLEU's table of ranges: two ranges beyond the Basic Multilingual
    Plane have five digits after Python's four-digit escape, so Extension B is not split, and
    punctuation, arrows and mathematical signs from U+2001 to U+2A6D are. Kana is not split.

    >>> chinese("我爱BLEU，真的。"), chinese("wait…"), chinese("𠀀𠀁")
    (['我', '爱', 'BLEU', '，', '真', '的', '。'], ['wait', '…'], ['𠀀𠀁'])
    """
    return _split_western(re.sub(_CHINESE, r" \1 ", text.strip()))


def chinese_corrected(text: str) -> list[str]:
    """Tokenize like `zh` with correct ranges: split all Han ideographs, but no general punctuation.

    >>> chinese_corrected("我爱BLEU"), chinese_corrected("wait…"), chinese_corrected("𠀀𠀁")
    (['我', '爱', 'BLEU'], ['wait…'], ['𠀀', '𠀁'])
    """
    return _split_western(re.sub(_CHINESE_CORRECTED, r" \1 ", text.strip()))


def japanese_characters(text: str) -> list[str]:
    """Tokenize like `zh`, with kana split, too, as papers on WMT 2020 did for Japanese.

    The range U+3040 to U+30FF is added to sacreBLEU's table (sacreBLEU's issue 171).

    >>> japanese_characters("カメラはBLEUです。")
    ['カ', 'メ', 'ラ', 'は', 'BLEU', 'で', 'す', '。']
    """
    return _split_western(re.sub(_JAPANESE, r" \1 ", text.strip()))


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedTokenizer:
    """A tokenizer of this library: its function, and the words for it. Calling it splits a text.

    - `split`: the function from a text to its tokens.
    - `label`: its name on the page; `hint`: what menus add to it, or "".
    - `where`: the places where it splits, as the continuation of “Each text is split”; `note`: a
      fault that it reproduces, or "".
    - `splits`: the smallest units that it makes tokens, apart from punctuation: words between
      `spaces` (with punctuation attached) or `marks`, each `han` character, or `characters` of
      every script without spaces between words.
    - `sacrebleu_name`: sacreBLEU's name for it, or "" if sacreBLEU does not have it.
    - `is_private`: whether it belongs to the convention of the same name alone.
    - `rank`: its place among the tokenizers tried with every convention, or 0 if it is not.
    - `plain`: the same in plain Python: the lines of a function that split {text}, or "".
    - `example`: a text and its tokens, joined with |, which a test compares.
    """

    split: Callable[[str], list[str]]
    label: str
    where: str
    splits: TokenUnit
    example: tuple[str, str]
    hint: str = ""
    note: str = ""
    sacrebleu_name: str = ""
    is_private: bool = False
    rank: int = 0
    plain: str = ""

    def __call__(self, text: str) -> list[str]:
        """Return the tokens of a text."""
        return self.split(text)


_PLAIN_SPLIT: Final = "return {text}.split()"
_PLAIN_13A: Final = r"""text = {text}.rstrip().replace("<skipped>", "").replace("-\n", "")
    for escape, character in [("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")]:
        text = text.replace(escape, character)
    text = re.sub(r'([!"#$%&()*+/:;<=>?@\[\\\]^_`{{|}}~])', r" \1 ", f" {{text}} ")
    text = re.sub(r"([^0-9])([.,])", r"\1 \2 ", text)  # 1,000.5 stays one token
    text = re.sub(r"([.,])([^0-9])", r" \1 \2", text)
    text = re.sub(r"([0-9])(-)", r"\1 \2 ", text)
    return text.split()"""
_AS_13A: Final = "and elsewhere much as mteval-v13a does,"
TOKENIZERS: Final[Mapping[TokenizerName, NamedTokenizer]] = {
    "whitespace": NamedTokenizer(
        split=str.split, label="white space", where="at white space", splits="spaces",
        sacrebleu_name="none", rank=2, plain=_PLAIN_SPLIT,
        example=("the cat, it's 3.", "the|cat,|it's|3.")),
    "13a": NamedTokenizer(
        split=mteval_13a, label="13a", hint="sacreBLEU default",
        where="at white space, and around most ASCII punctuation (not apostrophes, hyphens in "
        "words, or points and commas between digits), as mteval-v13a does,",
        splits="marks", sacrebleu_name="13a", rank=1, plain=_PLAIN_13A,
        example=("It's 1,000.5, &quot;all&quot;…", 'It\'s|1,000.5|,|"|all|"|…')),
    "intl": NamedTokenizer(
        split=international, label="intl",
        where="at white space, and at punctuation and symbols of every script, as mteval-v14 does "
        "with --international-tokenization,",
        splits="marks", sacrebleu_name="intl", rank=3, example=("“It’s” 5€.", "“|It|’|s|”|5|€|.")),
    "char": NamedTokenizer(
        split=characters, label="char", hint="every character", where="at every character",
        splits="characters", sacrebleu_name="char", rank=4, example=("你好 a1", "你|好|a|1")),
    "zh": NamedTokenizer(
        split=chinese, label="zh", hint="sacreBLEU’s, faulty",
        where=f"at every Chinese character, {_AS_13A}", splits="han",
        note="sacreBLEU’s table of Chinese characters has a fault, which is kept here: it does "
        "not split those of Extension B, and it splits dashes, dots and arrows. The tokenizer "
        "zh-corrected splits as intended.",
        sacrebleu_name="zh", rank=5, example=("我爱BLEU，wait…𠀀𠀁", "我|爱|BLEU|，|wait|…|𠀀𠀁")),
    "zh-corrected": NamedTokenizer(
        split=chinese_corrected, label="zh-corrected",
        where=f"at every Chinese character, {_AS_13A}", splits="han",
        example=("我爱BLEU，wait…𠀀𠀁", "我|爱|BLEU|，|wait…|𠀀|𠀁")),
    "ja-char": NamedTokenizer(
        split=japanese_characters, label="ja-char", hint="zh and kana",
        where=f"at every Chinese character and every kana, {_AS_13A}", splits="characters",
        example=("カメラはBLEU。", "カ|メ|ラ|は|BLEU|。")),
    "none": NamedTokenizer(
        split=str.split, label="none", hint="white space", where="at white space", splits="spaces",
        sacrebleu_name="none", plain=_PLAIN_SPLIT,
        example=("the cat, it's 3.", "the|cat,|it's|3.")),
    "mteval-v14": NamedTokenizer(
        split=mteval_v14, label="mteval-v14",
        where="at white space, punctuation and symbols, as mteval-v14 does with "
        "--international-tokenization,",
        splits="marks", is_private=True, example=("AT&amp;T &apos;s", "AT|&|T|'|s")),
    "tensor2tensor": NamedTokenizer(
        split=tensor2tensor, label="tensor2tensor",
        where="at white space, punctuation and symbols, as tensor2tensor does,", splits="marks",
        is_private=True, example=("½.x 1.5", "½|.|x|1.5")),
    "codexglue": NamedTokenizer(
        split=codexglue, label="CodeXGLUE",
        where="at white space, with every other character than letters and digits by itself,",
        splits="marks", is_private=True, example=("get_item's 3.5", "get|_|item|'|s|3|.|5")),
}  # fmt: skip
"""Tokenizers by name, in menu order; `none` is sacreBLEU's name for `whitespace`.

sacreBLEU's `flores200`, `flores101` and `spBLEU-1K` are SentencePiece models, for `load_tokenizer`.
For text that another program has tokenized, use `none`.
"""
PRIVATE_TOKENIZERS: Final = tuple(name for name in TOKENIZERS if TOKENIZERS[name].is_private)
"""Tokenizers of a single convention, which has the same name."""


def token_unit(tokenizer: TokenizerChoice) -> TokenUnit:
    """Return the units that a tokenizer makes tokens, `unknown` for one that is not named.

    >>> token_unit("none"), token_unit("zh")
    ('spaces', 'han')
    """
    return TOKENIZERS[tokenizer].splits if isinstance(tokenizer, str) else "unknown"


def sacrebleu_name(tokenizer: TokenizerChoice) -> str:
    """Return sacreBLEU's name for a tokenizer, or "" if sacreBLEU does not have it."""
    return (TOKENIZERS[tokenizer] if isinstance(tokenizer, str) else tokenizer).sacrebleu_name


def usual_tokenizer(unit: TokenUnit) -> TokenizerName:
    """Return the first tokenizer in the menu that makes these units tokens, without a fault.

    >>> [usual_tokenizer(unit) for unit in ("spaces", "marks", "han", "characters")]
    ['whitespace', '13a', 'zh-corrected', 'char']
    """
    return next(
        name
        for name, tokenizer in TOKENIZERS.items()
        if tokenizer.splits == unit and not tokenizer.note
    )


_PLAIN_TYPES: Final = (str, list, tuple)


def is_text_or_tokens(value: object) -> TypeGuard[Text]:
    """Return whether a value is text or a sequence of tokens.

    >>> [is_text_or_tokens(value) for value in ("the cat", [7, 8], 7, b"the cat")]
    [True, True, False, False]
    """
    if isinstance(value, _PLAIN_TYPES):
        return True
    return isinstance(value, Sequence) and not isinstance(value, bytes | bytearray | memoryview)


def tokenize(
    text: Text,
    tokenizer: TokenizerChoice = "whitespace",
    *,
    lowercase: bool = False,
    case: str = "all",
) -> Tokens:
    """Return the tokens of a text; a sequence of tokens is only lowercased, if at all.

    `lowercase` lowercases text before it is split (as in sacreBLEU), and in a sequence every token
    that is a string; `case` is `all`, or `ascii` for the letters A to Z only. White space at the
    end of a text is removed.

    Raises TypeError unless `text` is text or a sequence of hashable tokens.

    >>> tokenize("The cat", lowercase=True)
    ('the', 'cat')
    >>> tokenize([7, 8, 8])
    (7, 8, 8)
    """
    return token_rule(tokenizer, lowercase, case)(text)


def token_rule(tokenizer: TokenizerChoice, lowercase: bool, case: str) -> Callable[[Text], Tokens]:
    """Return the function from a text to its tokens, which are those of `tokenize`."""
    split = TOKENIZERS[tokenizer].split if isinstance(tokenizer, str) else tokenizer
    # sacreBLEU joins the pieces with spaces and splits the result, so white space splits a piece.
    joins = not isinstance(tokenizer, str) and tokenizer.digest

    def tokens_of(text: Text) -> Tokens:
        if not isinstance(text, str):
            return _tokens_as_given(text, lowercase, case)
        if lowercase:
            text = lowercase_text(text, case)
        tokens = split(text.rstrip())
        return tuple(" ".join(tokens).split() if joins else tokens)

    return tokens_of


def _tokens_as_given(text: Sequence[Token], lowercase: bool, case: str) -> Tokens:
    if not is_text_or_tokens(text):
        raise TypeError(
            f"a hypothesis or reference is {short_repr(text)} (type {type(text).__name__}); "
            "give a text or a sequence of tokens"
        )
    if lowercase:
        text = [lowercase_text(token, case) if isinstance(token, str) else token for token in text]
    tokens = tuple(text)
    try:
        hash(tokens)
    except TypeError:
        position, token = next(pair for pair in enumerate(tokens, 1) if not _is_hashable(pair[1]))
        raise TypeError(
            f"token {position} is {short_repr(token)}, which is not hashable; "
            "give text, a number or another hashable value"
        ) from None
    return tokens


def _is_hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


_ASCII_LOWER: Final = str.maketrans(ascii_uppercase, ascii_lowercase)


def lowercase_text(text: str, case: str) -> str:
    """Return a text in lower case; `case` is `all`, or `ascii` for the letters A to Z only."""
    return text.lower() if case == "all" else text.translate(_ASCII_LOWER)


PIECE_MARK: Final = "▁"
"""SentencePiece's mark for the space before a word."""


def token_offsets(
    text: str, tokens: Sequence[str], limit: int, *, lowercase: bool = False, case: str = "all"
) -> list[tuple[int, int]] | None:
    """Return the starts and ends of the first tokens in the raw text, or None if some have none.

    A tokenizer may resolve an escape, remove or normalize characters; a lowercased İ becomes two
    characters. A piece of SentencePiece has the span of its letters, without its mark. Nothing but
    white space stands between spans.

    >>> token_offsets("The  cat.", ["the", "cat", "."], 9, lowercase=True)
    [(0, 3), (5, 8), (8, 9)]
    >>> token_offsets("AT&amp;T", ["AT", "&", "T"], 9) is None
    True
    """
    searched = lowercase_text(text, case) if lowercase else text
    size = len(searched)
    spans: list[tuple[int, int]] = []
    end = 0
    for token in tokens[:limit]:
        start = end
        while start < size and searched[start].isspace():
            start += 1
        letters = token if PIECE_MARK in text else token.removeprefix(PIECE_MARK)
        if not searched.startswith(letters, start):
            return None
        end = start + len(letters)
        spans.append((start, end))
    is_rest = len(tokens) <= limit and searched[end:].strip()
    return None if is_rest or size != len(text) else spans
