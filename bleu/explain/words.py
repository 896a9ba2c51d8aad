"""Small words: counts, lists and the reader's tokens, safe to show."""

import unicodedata
from collections.abc import Sequence

from bleu.ngrams import Ngram
from bleu.tokenizers import Token

_JOINERS = "\u200c\u200d"


def count_of(number: int, noun: str) -> str:
    """A number with its noun.

    >>> count_of(1, "token"), count_of(12000, "token")
    ('1 token', '12,000 tokens')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def ngrams_of(order: int) -> str:
    """What the n-grams of an order are called.

    >>> ngrams_of(1), ngrams_of(3)
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
    """A token as shown: text as it is, but what has no glyph or turns the direction by its code.

    >>> token_text("mat"), token_text(7), token_text("a\\u202eb")
    ('mat', '7', 'a⟨U+202E⟩b')
    """
    return "".join(map(_visible, str(token))) or "⟨empty⟩"


def ngram_text(ngram: Ngram) -> str:
    """The tokens of an n-gram, with spaces between them."""
    return " ".join(map(token_text, ngram))


def _visible(character: str) -> str:
    hidden = unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
    return f"⟨U+{ord(character):04X}⟩" if hidden and character not in _JOINERS else character
