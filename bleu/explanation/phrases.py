"""Counts, lists, tokens and citations as they stand in sentences."""

import unicodedata
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from bleu.core.display import english_list as english_list
from bleu.core.ngrams import Ngram
from bleu.core.tokenizers import Token, Tokens
from bleu.document.blocks import Citation
from bleu.document.writing import Writing, isolate, writing_of

POST: Final = Citation("Post 2018", "https://aclanthology.org/W18-6319/")
CHEN_AND_CHERRY: Final = Citation("Chen and Cherry 2014", "https://aclanthology.org/W14-3346/")


def papineni(section: str) -> Citation:
    """Return the citation of a section of the paper that introduced BLEU.

    >>> papineni("2.1").label
    'Papineni et al. 2002, section 2.1'
    """
    label = f"Papineni et al. 2002, section {section}"
    return Citation(label, "https://aclanthology.org/P02-1040/")


MAX_TOKEN_CHARACTERS: Final = 500
"""The maximum number of characters shown of one token."""

MAX_MARKS: Final = 6
"""The maximum number of combining marks shown on one letter: more would overlap other lines."""

_HIDDEN_CATEGORIES: Final = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_MARK_CATEGORIES: Final = {"Mn", "Me"}
_JOINERS: Final = "\u200c\u200d"


def count_with_noun(number: int, noun: str) -> str:
    """Return a number with its noun in the singular or plural.

    >>> count_with_noun(1, "token"), count_with_noun(12000, "token")
    ('1 token', '12,000 tokens')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def length_text(length: int | Fraction) -> str:
    """Return a number of tokens; an average of lengths has one decimal.

    >>> length_text(1200), length_text(Fraction(13, 2))
    ('1,200', '6.5')
    """
    return f"{length:,}" if length == int(length) else f"{float(length):,.1f}"


def signed_score_text(difference: float) -> str:
    """Format the difference of two scores on the 0–100 scale, with sign and two decimals.

    >>> signed_score_text(0.0173), signed_score_text(-0.5), signed_score_text(0.0)
    ('+1.73', '−50.00', '0.00')
    """
    text = f"{difference * 100:+.2f}".replace("-", "−")
    return text if difference else "0.00"


def ngram_order_name(order: int) -> str:
    """Return the name of the n-grams of an order.

    >>> ngram_order_name(1), ngram_order_name(3)
    ('1-grams (single tokens)', '3-grams')
    """
    return "1-grams (single tokens)" if order == 1 else f"{order}-grams"


def subscript(number: int) -> str:
    """Return an integer as a subscript.

    >>> f"p{subscript(12)}"
    'p₁₂'
    """
    return str(number).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))


def reference_names(count: int, *, short: bool = False) -> tuple[str, ...]:
    """Return the names of the references, as the page labels them.

    >>> reference_names(1), reference_names(2, short=True)
    (('Reference',), ('ref. 1', 'ref. 2'))
    """
    word = "ref." if short else "Reference"
    if count == 1:
        return ("the reference" if short else word,)
    return tuple(f"{word} {number}" for number in range(1, count + 1))


def token_text(token: Token) -> str:
    """Return a token for display: invisible characters escaped, and cut after 500 characters.

    >>> token_text("mat"), token_text(7), token_text("")
    ('mat', '7', '⟨empty⟩')
    >>> token_text("x" * 10_500).removeprefix("x" * 500)
    '⟨10,000 more characters⟩'
    """
    text = str(token)
    excerpt = escape_invisible(text[:MAX_TOKEN_CHARACTERS]) or "⟨empty⟩"
    hidden = len(text) - MAX_TOKEN_CHARACTERS
    return f"{excerpt}⟨{hidden:,} more characters⟩" if hidden > 0 else excerpt


def name_text(name: str) -> str:
    """Return the name of a system, file or group for a sentence: like a token, and isolated."""
    return isolate(token_text(name))


def tokens_writing(tokens: Tokens) -> Writing:
    """Return the direction and the language of the text that the tokens form."""
    return writing_of(" ".join(map(str, tokens)))


def escape_invisible(text: str) -> str:
    """Replace invisible characters (not joiners) and excess combining marks with code points.

    >>> escape_invisible("a\\u202eb")
    'a⟨U+202E⟩b'
    >>> escape_invisible("e" + 7 * "\\u0301").removeprefix("e" + 6 * "\\u0301")
    '⟨U+0301⟩'
    """
    if text.isprintable() and (text.isascii() or len(text) <= MAX_MARKS):
        return text
    return "".join(_visible_characters(text))


def ngram_text(ngram: Ngram) -> str:
    """Return the displayed tokens of an n-gram, separated by spaces."""
    return " ".join(map(token_text, ngram))


def _visible_characters(text: str) -> Iterator[str]:
    marks = 0
    for character in text:
        category = unicodedata.category(character)
        if character in _JOINERS:
            yield character
            continue
        marks = marks + 1 if category in _MARK_CATEGORIES else 0
        hidden = category in _HIDDEN_CATEGORIES or _is_noncharacter(ord(character))
        yield f"⟨U+{ord(character):04X}⟩" if hidden or marks > MAX_MARKS else character


def _is_noncharacter(code: int) -> bool:
    """Return whether a code point is a Unicode noncharacter, some of which XML forbids."""
    return code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF
