"""A seeded random number generator that gives the same numbers on every platform."""

from collections.abc import Sequence
from typing import Final, TypeVar

Item = TypeVar("Item")

_MASK: Final = (1 << 64) - 1


class SeededRandom:
    """A random number generator seeded with a text.

    The seed is hashed with FNV-1a; the numbers come from SplitMix64 (Steele, Lea, Flood 2014).

    >>> rng = SeededRandom("7k2q")
    >>> [rng.randbelow(6) for _ in range(5)]
    [1, 1, 1, 4, 5]
    """

    __slots__ = ("_state",)

    def __init__(self, seed: str) -> None:
        state = 0xCBF29CE484222325
        for byte in seed.encode():
            state = ((state ^ byte) * 0x100000001B3) & _MASK
        self._state = state

    def randbelow(self, end: int) -> int:
        """Return an integer in [0, `end`); the bias is negligible if `end` is far below 2**64."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        mixed = self._state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        return ((mixed ^ (mixed >> 31)) * end) >> 64

    def choice(self, items: Sequence[Item]) -> Item:
        """Return a random item."""
        return items[self.randbelow(len(items))]

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """Return the items in random order."""
        remaining = list(items)
        return [remaining.pop(self.randbelow(len(remaining))) for _ in items]
