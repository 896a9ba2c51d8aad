"""Excerpts of texts that are too long for a table."""

from typing import Final

from bleu.explanation.phrases import token_text

MAX_CHARACTERS: Final = 160
"""Characters of a text in a table."""
MAX_WORD_CHARACTERS: Final = 20
"""Characters of a word that is left out instead of cut; longer sequences are not words."""


def excerpt(text: str) -> str:
    """Return the beginning of a text, in visible characters, cut between words if possible."""
    beginning = text[:MAX_CHARACTERS]
    visible = " ".join(map(token_text, beginning.split()))
    if len(text) <= MAX_CHARACTERS:
        return visible
    complete_words, _, last_word = visible.rpartition(" ")
    is_cut_in_word = not (beginning[-1].isspace() or text[MAX_CHARACTERS].isspace())
    if complete_words and is_cut_in_word and len(last_word) <= MAX_WORD_CHARACTERS:
        visible = complete_words
    return f"{visible}\u00a0…"
