"""From text to tokens: a choice that moves BLEU much (Post 2018, section 2)."""

import re
import unicodedata
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import chain
from typing import Final, TypeGuard

from bleu.core.memoize import memoize

Token = Hashable
Tokens = tuple[Token, ...]
Text = str | Sequence[Token]
"""A hypothesis or a reference: text, or the sequence of its tokens."""
Rules = tuple[tuple[re.Pattern[str], str], ...]
"""What is replaced by what, one after the other."""
CACHE_CAPACITY: Final = 1 << 17
"""Characters for which rules are remembered, and a hundred for each set of rules."""


def whitespace(text: str) -> list[str]:
    """Split at runs of Unicode white space, as `str.split` does; no token is ever empty.

    This is sacreBLEU's tokenizer `none`, and what people feed to NLTK. An empty text has no
    tokens.

    >>> whitespace("the cat  is\\non the mat.")
    ['the', 'cat', 'is', 'on', 'the', 'mat.']
    """
    return text.split()


_WESTERN: Final = (
    (re.compile(r"""([!"#$%&()*+/:;<=>?@\[\\\]^_`{|}~])"""), r" \1 "),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)
_ESCAPES: Final = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))


def _split_western(text: str) -> list[str]:
    for pattern, separated in _WESTERN:
        text = pattern.sub(separated, text)
    return text.split()


def mteval_13a(text: str) -> list[str]:
    """Split off ASCII punctuation as NIST's mteval-v13a does; sacreBLEU's default, `13a`.

    Periods and commas stay within numbers, apostrophes and hyphens within words; punctuation
    outside ASCII, such as curly quotes, is never split off. `<skipped>` and a hyphen at the end
    of a line are removed, and four XML escapes resolved.

    >>> mteval_13a('It costs 1,000.5 dollars, "they" said.')
    ['It', 'costs', '1,000.5', 'dollars', ',', '"', 'they', '"', 'said', '.']
    """
    text = text.replace("<skipped>", "").replace("-\n", "")
    if "&" in text:
        for escape, character in _ESCAPES:
            text = text.replace(escape, character)
    return list(chain.from_iterable(map(_WORD_TOKENS.__getitem__, text.split())))


class _WordTokenCache(dict[str, tuple[str, ...]]):
    """The tokens of each word: no rule looks beyond the white space beside it.

    Short words are remembered, up to some thousand of them.
    """

    def __missing__(self, word: str) -> tuple[str, ...]:
        parts = (word,) if word.isalnum() else tuple(_split_western(f" {word} "))
        if len(word) < 40:
            if len(self) >= 2**14:
                self.clear()
            self[word] = parts
        return parts


_WORD_TOKENS: Final = _WordTokenCache()


def international(text: str) -> list[str]:
    """Split off punctuation and symbols of every script; mteval-v14's, sacreBLEU's `intl`.

    Punctuation stays within numbers; a period after a number at the end of the text stays with
    it, as in mteval-v14. Unicode's categories N, P and S decide.

    >>> international("“It’s” 5€, in 1999.")
    ['“', 'It', '’', 's', '”', '5', '€', ',', 'in', '1999.']
    """
    return _international(text)


def mteval_v14(text: str) -> list[str]:
    """`intl` after what mteval-v14 itself does first: five XML escapes are resolved.

    >>> mteval_v14("AT&amp;T &apos;s")
    ['AT', '&', 'T', "'", 's']
    """
    text = text.replace("<skipped>", "").replace("\u2028", " ")
    for escape, character in (*_ESCAPES, ("&apos;", "'")):
        text = text.replace(escape, character)
    return _international(text)


def tensor2tensor(text: str) -> list[str]:
    """`intl` as tensor2tensor has it: only decimal digits hold punctuation, and \\ is none.

    >>> tensor2tensor("½.x 1.5"), international("½.5")
    (['½', '.', 'x', '1.5'], ['½.5'])
    """
    return _international(text, decimal=True)


def _international(text: str, *, decimal: bool = False) -> list[str]:
    special = frozenset(c for c in text if unicodedata.category(c)[0] in "NPS")
    for pattern, separated in _international_rules(special, decimal):
        text = pattern.sub(separated, text)
    return text.split()


@memoize(CACHE_CAPACITY, size=lambda special, _: 100 + len(special))
def _international_rules(special: frozenset[str], decimal: bool) -> Rules:
    kinds = {"N": "", "P": "", "S": ""}
    for character in sorted(special):
        kinds[unicodedata.category(character)[0]] += re.escape(character)
    other = f"[^{kinds['N']}]" if kinds["N"] else r"[\s\S]"
    if decimal:
        other, kinds["P"] = r"[^\d]", kinds["P"].replace(r"\\", "")
    rules = []
    if kinds["P"]:
        rules.append((re.compile(f"({other})([{kinds['P']}])"), r"\1 \2 "))
        rules.append((re.compile(f"([{kinds['P']}])({other})"), r" \1 \2"))
    if kinds["S"]:
        rules.append((re.compile(f"([{kinds['S']}])"), r" \1 "))
    return tuple(rules)


def characters(text: str) -> list[str]:
    """Every character that is not white space is a token; sacreBLEU's `char`.

    A character is one code point: combining marks and the parts of a joined emoji stand alone.

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
_CHINESE_CORRECTED: Final = (
    f"([{_CJK}\u4db6-\u4dbf\u9fbc-\u9fff\u2600-\u27bf\U00020000-\U000323af])"
)


def chinese(text: str) -> list[str]:
    """Every Chinese character is a token, the rest is split much as by `13a`; sacreBLEU's `zh`.

    Its table of ranges has a fault, kept here: two ranges beyond the Basic Multilingual Plane are
    written with five digits where Python takes four, so Extension B is not split, and
    punctuation, arrows and mathematical signs from U+2001 to U+2A6D are. Kana is not split.

    >>> chinese("我爱BLEU，真的。"), chinese("wait…"), chinese("𠀀𠀁")
    (['我', '爱', 'BLEU', '，', '真', '的', '。'], ['wait', '…'], ['𠀀𠀁'])
    """
    return _split_western(re.sub(_CHINESE, r" \1 ", text.strip()))


def chinese_corrected(text: str) -> list[str]:
    """`zh` with the ranges as meant: all Han ideographs are split, general punctuation is not.

    >>> chinese_corrected("我爱BLEU"), chinese_corrected("wait…"), chinese_corrected("𠀀𠀁")
    (['我', '爱', 'BLEU'], ['wait…'], ['𠀀', '𠀁'])
    """
    return _split_western(re.sub(_CHINESE_CORRECTED, r" \1 ", text.strip()))


TOKENIZERS: Final[Mapping[str, Callable[[str], list[str]]]] = {
    "whitespace": whitespace,
    "13a": mteval_13a,
    "intl": international,
    "char": characters,
    "zh": chinese,
    "zh-corrected": chinese_corrected,
    "none": whitespace,
    "mteval-v14": mteval_v14,
    "tensor2tensor": tensor2tensor,
}
"""Tokenizers by name, in menu order: text -> tokens; `none` is sacreBLEU's name for `whitespace`.

sacreBLEU's other tokenizers (MeCab, sentencepiece, flores) need large models that are no part of
this library: text tokenized by them elsewhere is scored with `none`.
"""


_PLAIN: Final = (str, list, tuple)


def is_text_or_tokens(value: object) -> TypeGuard[Text]:
    """Whether a value can be a hypothesis or a reference: text, or a sequence of tokens.

    >>> is_text_or_tokens("the cat"), is_text_or_tokens([7, 8]), is_text_or_tokens(7), is_text_or_tokens(b"the cat")
    (True, True, False, False)
    """
    if isinstance(value, _PLAIN):
        return True
    return isinstance(value, Sequence) and not isinstance(value, bytes | bytearray | memoryview)


def tokenize(
    text: Text, tokenizer: str = "whitespace", *, lowercase: bool = False, case: str = "all"
) -> Tokens:
    """The tokens of a text; a sequence of tokens is taken as it is.

    With `lowercase`, text is lowercased before it is split (as sacreBLEU does), and in a
    sequence every token that is a string; `case` is `all`, or `ascii` for the letters A to Z.
    White space at the end is no part of a text.

    Raises TypeError for what is neither text nor a sequence of hashable tokens.

    >>> tokenize("The cat", lowercase=True)
    ('the', 'cat')
    >>> tokenize([7, 8, 8])
    (7, 8, 8)
    """
    if not isinstance(text, str):
        return _tokens_as_given(text, lowercase, case)
    if lowercase:
        text = _lowercase(text, case)
    return tuple(TOKENIZERS[tokenizer](text.rstrip()))


def _tokens_as_given(text: Sequence[Token], lowercase: bool, case: str) -> Tokens:
    if not is_text_or_tokens(text):
        raise TypeError(
            "a hypothesis or reference is text or a sequence of tokens, "
            f"not {type(text).__name__}: {text!r}"
        )
    if lowercase:
        text = [_lowercase(token, case) if isinstance(token, str) else token for token in text]
    tokens = tuple(text)
    try:
        hash(tokens)
    except TypeError:
        position, token = next(pair for pair in enumerate(tokens, 1) if not is_hashable(pair[1]))
        raise TypeError(
            f"token {position} is {token!r}, which is not hashable: "
            "a token is text, a number or another hashable value"
        ) from None
    return tokens


def is_hashable(value: object) -> bool:
    """Whether a value, with all that is in it, can be the key of a dictionary."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


_ASCII_LOWER: Final = str.maketrans({chr(c): chr(c + 32) for c in range(ord("A"), ord("Z") + 1)})


def _lowercase(text: str, case: str) -> str:
    return text.lower() if case == "all" else text.translate(_ASCII_LOWER)
