"""The effect of single words: the score without a word, with another one, or with one more."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bleu.core.api import token_score
from bleu.core.display import short_repr
from bleu.core.segment import check_references, tokenize_segment
from bleu.core.settings import Settings
from bleu.core.tokenizers import Tokens

MAX_REMOVALS: Final = 200
"""The largest number of words of a text from which each word is removed in turn."""
MAX_EDITS: Final = 4000
"""The largest number of insertions and replacements; above it only removals are scored."""
MAX_CHARACTERS: Final = 100_000
"""The largest number of characters of all texts together for which edits are scored."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of a text: `old` becomes `new` at a word index, counted from 0.

    If `old` is empty, `new` is inserted before that word; if `new` is empty, `old` is removed.
    `text` is the text after the change, and `value` its score in [0, 1], or None without a score.
    """

    index: int
    old: str
    new: str
    text: str
    value: float | None = None


def split_words(text: str) -> tuple[list[str], str]:
    """Return the words of a text and their separator.

    If a text is not ASCII and has no spaces inside, each character is a word.

    >>> split_words("the  cat"), split_words("猫在")
    ((['the', 'cat'], ' '), (['猫', '在'], ''))
    """
    words = text.split()
    if len(words) == 1 and not words[0].isascii():
        return list(words[0]), ""
    return words, " "


def removals(text: str) -> Iterator[Edit]:
    """Yield the text without each of its words in turn; yield nothing above `MAX_REMOVALS` words.

    >>> [edit.text for edit in removals("a b c")]
    ['b c', 'a c', 'a b']
    """
    words, separator = split_words(text)
    if len(words) <= MAX_REMOVALS:
        for index, old in enumerate(words):
            yield Edit(index, old, "", separator.join([*words[:index], *words[index + 1 :]]))


def reference_word_edits(text: str, references: Sequence[str]) -> Iterator[Edit]:
    """Yield the text with each word of the references inserted, or replacing another word.

    Covers every position and every distinct word; yields nothing if that would be more than
    `MAX_EDITS` edits.

    >>> [edit.text for edit in reference_word_edits("a", ["a b"])]
    ['a a', 'b a', 'b', 'a a', 'a b']
    """
    words, separator = split_words(text)
    reference_words = list(
        dict.fromkeys(word for reference in references for word in split_words(reference)[0])
    )
    if len(reference_words) * (2 * len(words) + 1) > MAX_EDITS:
        return
    for index in range(len(words) + 1):
        before, after = words[:index], words[index:]
        for new in reference_words:
            yield Edit(index, "", new, separator.join([*before, new, *after]))
            if after and new != after[0]:
                yield Edit(index, after[0], new, separator.join([*before, new, *after[1:]]))


def scored_edits(text: str, references: Sequence[str], settings: Settings) -> Iterator[Edit]:
    """Yield every edit with its score: the removals, then the insertions and replacements.

    Yields nothing if the texts together exceed `MAX_CHARACTERS`.

    Raises TypeError for tokens instead of text, and the exceptions of `derive`.

    >>> edits = list(scored_edits("a", ["a b"], Settings(max_order=1)))
    >>> [(edit.text, round(edit.value, 3)) for edit in edits]
    [('', 0.0), ('a a', 0.5), ('b a', 1.0), ('b', 0.368), ('a a', 0.5), ('a b', 1.0)]
    """
    check_references(text, references)
    if not isinstance(text, str):
        raise TypeError(f"text is {short_repr(text)}; give a string, not tokens")
    if sum(map(len, (text, *references))) > MAX_CHARACTERS:
        return
    _, reference_tokens = tokenize_segment(text, references, settings)
    for edit in (*removals(text), *reference_word_edits(text, references)):
        yield _scored(edit, reference_tokens, settings)


def slice_removal(
    text: str, start: int, end: int, reference_tokens: tuple[Tokens, ...], settings: Settings
) -> Edit:
    """Return the removal of a slice of the text, with its score; no double space is left.

    >>> edit = slice_removal("the big cat.", 4, 7, (("the", "cat."),), Settings(max_order=2))
    >>> edit.old, edit.text, edit.value
    ('big', 'the cat.', 1.0)
    """
    before, after = text[:start], text[end:]
    if not before or before[-1].isspace():
        after = after.lstrip()
    edit = Edit(start, text[start:end], "", before + after if after else before.rstrip())
    return _scored(edit, reference_tokens, settings)


def _scored(edit: Edit, reference_tokens: tuple[Tokens, ...], settings: Settings) -> Edit:
    tokens, _ = tokenize_segment(edit.text, (), settings)
    return replace(edit, value=token_score((tokens, reference_tokens), settings))
