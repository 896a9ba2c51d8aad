"""Small words: counts, lists and the reader's tokens, safe to show."""

import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

from bleu.core.clipping import Ngram
from bleu.core.tokenizers import Token

LONGEST: Final = 500
"""Characters of one token that are shown; of a longer one, it says how many are not."""

MARKS: Final = 6
"""Marks on one letter that are shown as they are: more would run over the lines around it."""

_HIDDEN: Final = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_MARKS: Final = {"Mn", "Me"}
_JOINERS: Final = "\u200c\u200d"


def count_with_noun(number: int, noun: str) -> str:
    """A number with its noun.

    >>> count_with_noun(1, "token"), count_with_noun(12000, "token")
    ('1 token', '12,000 tokens')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def signed_score_text(difference: float) -> str:
    """The difference of two scores on the scale of 0 to 100, with its sign and two decimals.

    >>> signed_score_text(0.0173), signed_score_text(-0.5), signed_score_text(0.0)
    ('+1.73', '−50.00', '0.00')
    """
    text = f"{difference * 100:+.2f}".replace("-", "−")
    return text if difference else "0.00"


def ngram_order_name(order: int) -> str:
    """What the n-grams of an order are called.

    >>> ngram_order_name(1), ngram_order_name(3)
    ('1-grams (single tokens)', '3-grams')
    """
    return "1-grams (single tokens)" if order == 1 else f"{order}-grams"


def subscript(number: int) -> str:
    """A whole number as an index.

    >>> f"p{subscript(12)}"
    'p₁₂'
    """
    return str(number).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))


def english_list(items: Sequence[str]) -> str:
    """Items in a sentence.

    >>> english_list(["3", "4"]), english_list(["2", "3", "4"])
    ('3 and 4', '2, 3 and 4')
    """
    return " and ".join(part for part in (", ".join(items[:-1]), *items[-1:]) if part)


def reference_names(count: int, *, short: bool = False) -> tuple[str, ...]:
    """The names of the references, as the page labels them.

    >>> reference_names(1), reference_names(2, short=True)
    (('Reference',), ('ref. 1', 'ref. 2'))
    """
    word = "ref." if short else "Reference"
    if count == 1:
        return ("the reference" if short else word,)
    return tuple(f"{word} {number}" for number in range(1, count + 1))


def token_text(token: Token) -> str:
    """A token as shown: visible, and of one longer than 500 characters the first 500.

    >>> token_text("mat"), token_text(7), token_text("")
    ('mat', '7', '⟨empty⟩')
    >>> token_text("x" * 10_500).removeprefix("x" * 500)
    '⟨10,000 more characters⟩'
    """
    text = str(token)
    more = len(text) - LONGEST
    shown = escape_invisible(text[:LONGEST]) or "⟨empty⟩"
    return f"{shown}⟨{more:,} more characters⟩" if more > 0 else shown


def escape_invisible(text: str) -> str:
    """Text as it is, but by its code what has no glyph, turns the direction, or piles up.

    >>> escape_invisible("a\\u202eb")
    'a⟨U+202E⟩b'
    >>> escape_invisible("e" + 7 * "\\u0301").removeprefix("e" + 6 * "\\u0301")
    '⟨U+0301⟩'
    """
    if text.isprintable() and (text.isascii() or len(text) <= MARKS):
        return text
    return "".join(_visible(text))


def ngram_text(ngram: Ngram) -> str:
    """The tokens of an n-gram, with spaces between them."""
    return " ".join(map(token_text, ngram))


def _visible(text: str) -> Iterator[str]:
    marks = 0
    for character in text:
        category = unicodedata.category(character)
        if character in _JOINERS:
            yield character
            continue
        marks = marks + 1 if category in _MARKS else 0
        by_code = category in _HIDDEN or marks > MARKS or _is_no_character(ord(character))
        yield f"⟨U+{ord(character):04X}⟩" if by_code else character


def _is_no_character(code: int) -> bool:
    """Whether Unicode will never give this code point a character; XML refuses some of them."""
    return code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF
