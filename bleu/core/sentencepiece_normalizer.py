"""Normalization before SentencePiece: replacement by the model's rules, and space symbols."""

import re
from collections.abc import Iterable, Iterator
from itertools import dropwhile
from typing import Final

from bleu.core.sentencepiece_file import ModelFile
from bleu.core.sentencepiece_rules import Rules

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
"""A surrogate without its partner, which is no character and has no UTF-8."""


class Prefixes:
    """A set of keys, to find the longest that a text has at a position."""

    def __init__(self, keys: Iterable[str]) -> None:
        self.keys = frozenset(keys)
        lengths: dict[str, set[int]] = {}
        for key in self.keys:
            lengths.setdefault(key[0], set()).add(len(key))
        self.lengths = {first: sorted(sizes, reverse=True) for first, sizes in lengths.items()}
        """By first character: the lengths of the keys that begin with it, the largest first."""

    def longest(self, text: str, position: int) -> str:
        """Return the longest key at this position of a text, or an empty string.

        >>> Prefixes({"a", "abc"}).longest("xabcd", 1), Prefixes({"b"}).longest("a", 0)
        ('abc', '')
        """
        for length in self.lengths.get(text[position], ()):
            key = text[position : position + length]
            if key in self.keys:
                return key
        return ""


class Normalizer:
    """The normalization of texts for one model."""

    def __init__(self, model: ModelFile) -> None:
        self.model = model
        self.space = "\u2581" if model.escape else " "
        self.user_defined = Prefixes(model.user_defined)
        self.rules = Rules(model.rules)
        self.special = self.rules.special | {piece[0] for piece in model.user_defined}
        """Each text in which a rule or a user-defined piece matches has one of these characters."""

    def __call__(self, text: str) -> str:
        """Return the normalized text."""
        model, space = self.model, self.space
        text = _SURROGATE.sub("\ufffd", text)
        parts: Iterable[str] = text if self.special.isdisjoint(text) else self._parts(text)
        if model.squeeze:
            parts = dropwhile(" ".__eq__, parts)
        kept, after_space = [], model.squeeze
        is_empty = True
        for part in parts:
            is_empty = False
            kept_part = part.lstrip(" ") if after_space else part
            if kept_part:
                kept.append(kept_part)
                after_space = model.squeeze and kept_part[-1] == " "
        if is_empty:
            return ""
        text = "".join(kept).replace(" ", space)
        if model.dummy_prefix and not model.suffix:
            text = space + text
        if model.squeeze:
            text = text.rstrip(space)  # This also strips a U+2581 of the input.
        return text + space if model.dummy_prefix and model.suffix else text

    def _parts(self, text: str) -> Iterator[str]:
        """Yield the text in parts, each a user-defined piece, a replacement or a character."""
        position, special = 0, self.rules.special
        while position < len(text):
            if piece := self.user_defined.longest(text, position):
                yield piece
                position += len(piece)
            elif not special.isdisjoint(text[position : position + 2]) and (
                rule := self.rules.longest(text, position)
            ):
                position, replacement = rule
                yield replacement
            else:
                yield text[position]
                position += 1
