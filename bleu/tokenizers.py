"""From text to tokens: the choice that moves BLEU most (Post 2018, section 3)."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Final

Token = Hashable
Tokens = tuple[Token, ...]
Text = str | Sequence[Token]
"""A hypothesis or a reference: text, or the sequence of its tokens."""


def whitespace(text: str) -> list[str]:
    """Split at runs of Unicode white space, as `str.split` does; no token is ever empty.

    This is sacreBLEU's tokenizer `none`, and what people feed to NLTK. An empty text has no
    tokens.

    >>> whitespace("the cat  is\\non the mat.")
    ['the', 'cat', 'is', 'on', 'the', 'mat.']
    """
    return text.split()


TOKENIZERS: Final[Mapping[str, Callable[[str], list[str]]]] = {
    "whitespace": whitespace,
}
"""Tokenizers by name, in menu order: text -> tokens."""


def is_text(value: object) -> bool:
    """Whether a value can be a hypothesis or a reference: text, or a sequence of tokens.

    >>> is_text("the cat"), is_text([7, 8]), is_text(7), is_text(b"the cat")
    (True, True, False, False)
    """
    return isinstance(value, Sequence) and not isinstance(value, bytes | bytearray | memoryview)


def tokenize(text: Text, tokenizer: str = "whitespace", *, lowercase: bool = False) -> Tokens:
    """The tokens of a text; a sequence of tokens is taken as it is.

    With `lowercase`, text is lowercased before it is split (as sacreBLEU does), and in a
    sequence every token that is a string.

    Raises TypeError for what is neither text nor a sequence of hashable tokens.

    >>> tokenize("The cat", lowercase=True)
    ('the', 'cat')
    >>> tokenize([7, 8, 8])
    (7, 8, 8)
    """
    if isinstance(text, str):
        return tuple(TOKENIZERS[tokenizer](text.lower() if lowercase else text))
    if not is_text(text):
        raise TypeError(
            "a hypothesis or reference is text or a sequence of tokens, "
            f"not {type(text).__name__}: {text!r}"
        )
    tokens = tuple(
        token.lower() if lowercase and isinstance(token, str) else token for token in text
    )
    for position, token in enumerate(tokens):
        try:
            hash(token)
        except TypeError:
            raise TypeError(
                f"token {position + 1} is {token!r}, which is not hashable: "
                "a token is text, a number or another hashable value"
            ) from None
    return tokens
