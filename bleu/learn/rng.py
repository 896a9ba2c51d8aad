"""Chance from a seed: the same draws for ever, on every Python and in the browser."""

from collections.abc import Sequence
from typing import Final, TypeVar

Item = TypeVar("Item")

_MASK: Final = (1 << 64) - 1


class SeededRandom:
    """A stream of draws from a text, such as a seed with the number of an exercise.

    The text is hashed by FNV-1a, and the stream is SplitMix64 (Steele, Lea, Flood 2014).

    >>> chance = SeededRandom("7k2q")
    >>> [chance.randbelow(6) for _ in range(5)]
    [1, 1, 1, 4, 5]
    """

    __slots__ = ("_state",)

    def __init__(self, text: str) -> None:
        state = 0xCBF29CE484222325
        for byte in text.encode():
            state = ((state ^ byte) * 0x100000001B3) & _MASK
        self._state = state

    def randbelow(self, end: int) -> int:
        """A whole number from 0 to `end` - 1; `end` is far below 2**64, and the bias with it."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return ((mixed ^ (mixed >> 31)) * end) >> 64

    def choice(self, items: Sequence[Item]) -> Item:
        """One of the items."""
        return items[self.randbelow(len(items))]

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """The items in another order, each order as likely."""
        left = list(items)
        return [left.pop(self.randbelow(len(left))) for _ in items]
