"""Normalization before SentencePiece: replacement by the model's rules, and space symbols."""

import re
import struct
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import dropwhile
from typing import Final

from bleu.core.sentencepiece_file import ModelFile, require

_VALUE: Final = 1 << 31
_HAS_VALUE: Final = 1 << 8
_FAR: Final = 1 << 9
"""Bits of a unit: whether it is a value, has a value, and has an offset in steps of 256."""


class Rules:
    """The rules: a double-array trie (Aoe 1989) of UTF-8 bytes, in the format of Darts-clone.

    A unit of the array is a node or a value. The lowest byte of a node is the byte that leads to
    it. Its highest bits are an offset: the offset XOR its index is its base, and the base XOR a
    byte is the index of a child. The unit at the base is its value, the position of a replacement.
    """

    def __init__(self, data: bytes) -> None:
        """Read the rules, or none if the data is empty; raise ModelFileError if it is damaged."""
        self.units: tuple[int, ...] = ()
        self.replacements = b""
        if data:
            size = int.from_bytes(data[:4], "little")
            require(0 < size < len(data) - 4, size % 1024 == 0, data.endswith(b"\0"))
            self.units = struct.unpack_from(f"<{size // 4}I", data, 4)
            self.replacements = data[4 + size :]
        self.special = frozenset(self._special_characters())
        """Every text with a rule has one of these as its first or its second character."""

    def longest(self, text: str, position: int) -> tuple[int, str] | None:
        """Return the end and the replacement of the longest match of a rule here, or None."""
        node, longest = 0, None
        for end in range(position, len(text)):
            for byte in text[end].encode():
                node = self._base(node) ^ byte
                if self._unit(node) & (_VALUE | 255) != byte:
                    return longest
            if self._unit(node) & _HAS_VALUE:
                longest = end + 1, self._replacement(node)
        return longest

    def _unit(self, index: int) -> int:
        return self.units[index] if index < len(self.units) else _VALUE

    def _base(self, node: int) -> int:
        unit = self._unit(node)
        return node ^ (unit >> 10 << (8 if unit & _FAR else 0))

    def _replacement(self, node: int) -> str:
        start = self._unit(self._base(node)) & ~_VALUE
        return self.replacements[start : self.replacements.find(b"\0", start)].decode()

    def _special_characters(self) -> Iterator[str]:
        children = defaultdict[int, list[int]](list)
        for index, unit in enumerate(self.units[1:], 1):
            if not unit & _VALUE:
                children[index ^ (unit & 255)].append(index)

        def iter_next_characters(node: int) -> Iterator[tuple[str, int]]:
            """Yield each character that leads on from a node, and the node that it leads to."""
            paths = [(node, b"")]
            for parent, key in paths:
                for child in children[self._base(parent)]:
                    longer = key + bytes((self.units[child] & 255,))
                    if len(longer) == _utf8_length(longer[0]):
                        yield longer.decode("utf-8", "replace"), child
                    else:
                        paths.append((child, longer))

        bases = set()
        for character, node in iter_next_characters(0):
            if self.units[node] & _HAS_VALUE:
                yield character
            if (base := self._base(node)) not in bases:
                bases.add(base)
                yield from (second for second, _ in iter_next_characters(node))


def _utf8_length(first_byte: int) -> int:
    return 1 + (first_byte >= 0xC0) + (first_byte >= 0xE0) + (first_byte >= 0xF0)


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
