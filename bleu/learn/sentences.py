"""Random numbers that are the same on every platform, and the random sentences of exercises."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

from bleu.learn.hand_calculation import Words

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


PATTERNS: Final = (
    "the|a cat|dog sat|slept on|near the mat|rug",
    "my|his brother|sister reads|buys a|the new|long book",
    "the train|bus left|arrived late|early this|that morning|evening",
    "she|he put the cup|glass on|beside the table|shelf",
    "a|the bird sings|calls from the tree|garden every|each day",
    "we|they walked|ran to the station|market in the rain|snow",
    "the|a child|girl gave the dog|horse the apple|bread",
    "the old|young man|woman closed|opened the door|window",
    "our|the teacher|friend wrote the answer|word on the board|wall",
    "it rained|snowed all|every day and all|every night",
    "the more you|we read|ask the more you|we know|learn",
    "the cook|boy put the soup|bread beside the salt|butter",
    "the door|gate of the house|garden is|was open|closed",
    "I|we saw the moon|sun over the sea|lake",
)
"""Patterns of sentences: “|” separates alternative words, of which any can be chosen."""

SHORT_PATTERNS: Final = (
    "the|a cat|dog sleeps|eats",
    "it rains|snows again|today",
    "we|they sing|dance all day|night",
    "a|the bird|boy sang|called to me|us",
    "the door|gate is|was open|closed",
    "he|she reads|knows the book|story",
    "my|our train|bus is|was late",
    "I|we saw a|the ship|boat",
)
"""The patterns of three to five words."""

LEADING_WORDS: Final = frozenset(
    {"the", "a", "my", "his", "our", "this", "that", "each", "every", "all"}
    | {"new", "long", "old", "young", "very", "once"}
    | {"at", "beside", "from", "in", "near", "of", "on", "over", "to"}
)
"""Words that belong to the word after them: determiners, adjectives, prepositions and adverbs."""

ENDINGS: Final = (
    ("today",),
    ("again",),
    ("at", "last"),
    ("now",),
    ("very", "slowly"),
    ("once", "more"),
)
"""The endings that can be added to a sentence."""


def alternatives(pattern: str) -> dict[str, tuple[str, ...]]:
    """Return the alternatives to each word of a pattern, by word.

    >>> alternatives("the cat|dog of the man|men")["cat"]
    ('dog',)
    """
    slots = [slot.split("|") for slot in pattern.split()]
    return {
        word: tuple(other for other in slot if other != word) for slot in slots for word in slot
    }


def random_sentence(rng: SeededRandom, pattern: str, max_words: int = 9) -> Words:
    """Return a sentence of a pattern; one in three has an ending unless it exceeds `max_words`."""
    words = tuple(rng.choice(slot.split("|")) for slot in pattern.split())
    end = rng.choice(ENDINGS) if not rng.randbelow(3) else ()
    return words + end if len(words + end) <= max_words else words


def vary_sentence(rng: SeededRandom, pattern: str, words: Words) -> Words:
    """Return a sentence of a pattern that keeps most of `words`; one in two has an ending."""
    slots = [slot.split("|") for slot in pattern.split()]
    varied = tuple(
        word if rng.randbelow(3) else rng.choice(slot)
        for word, slot in zip(words, slots, strict=False)
    )
    end = rng.choice(ENDINGS) if rng.randbelow(2) else ()
    return varied + end


def replace_words(rng: SeededRandom, pattern: str, words: Words) -> Words:
    """Return a sentence of a pattern in which every word that has alternatives is replaced.

    >>> replace_words(SeededRandom("7k2q"), "the cat|dog sat|slept", ("the", "cat", "sat"))
    ('the', 'dog', 'slept')
    """
    other_words = alternatives(pattern)
    return tuple(rng.choice(other_words.get(word) or (word,)) for word in words)


Edit = Callable[[SeededRandom, Words, Mapping[str, Sequence[str]]], Words]
"""A random change of words, which may use the alternatives of each word."""


def _drop(rng: SeededRandom, words: Words, _: Mapping[str, Sequence[str]]) -> Words:
    """Drop the first word of a phrase; see `_phrase_starts`."""
    index = rng.choice(_phrase_starts(words))
    return words[:index] + words[index + 1 :]


def _swap(rng: SeededRandom, words: Words, _: Mapping[str, Sequence[str]]) -> Words:
    """Swap neighbouring phrases, such as “the cat” and “sleeps”."""
    starts = _phrase_starts(words)
    if len(starts) < 2:
        return words
    index = rng.randbelow(len(starts) - 1)
    first, second, end = (*starts, len(words))[index : index + 3]
    return words[:first] + words[second:end] + words[first:second] + words[end:]


def _phrase_starts(words: Words) -> list[int]:
    """Return the indices of the words that do not follow one of `LEADING_WORDS`."""
    return [i for i, word in enumerate(("", *words[:-1])) if word not in LEADING_WORDS]


def _double(rng: SeededRandom, words: Words, _: Mapping[str, Sequence[str]]) -> Words:
    index = rng.randbelow(len(words))
    return words[: index + 1] + words[index:]


def _choose_alternative(
    rng: SeededRandom, words: Words, other_words: Mapping[str, Sequence[str]]
) -> Words:
    index = rng.randbelow(len(words))
    choices = other_words.get(words[index]) or words[index : index + 1]
    return (*words[:index], rng.choice(choices), *words[index + 1 :])


def _repeat(rng: SeededRandom, words: Words, _: Mapping[str, Sequence[str]]) -> Words:
    index = rng.randbelow(len(words))
    return (*words[:index], rng.choice(words), *words[index + 1 :])


def _end_first(_: SeededRandom, words: Words, __: Mapping[str, Sequence[str]]) -> Words:
    for end in ENDINGS:
        if words[-len(end) :] == end:
            return end + words[: -len(end)]
    return words


_TRANSLATION_EDITS: Final[Sequence[Edit]] = (
    *(_choose_alternative,) * 4, _drop, _drop, _end_first, _end_first, _swap, _double,
)  # fmt: skip
"""The edits that make another translation; those listed more often are chosen more often."""
_REPEATING_EDITS: Final[Sequence[Edit]] = (_choose_alternative, _drop, _double, _repeat)
"""The edits for exercises on clipping, two of which repeat words."""


def random_edits(
    rng: SeededRandom, pattern: str, words: Words, count: int, *, repeat: bool = False
) -> Words:
    """Return words of a pattern after `count` random edits; texts of two words stay unchanged.

    With `repeat`, more edits repeat words.
    """
    other_words = alternatives(pattern)
    edits = _REPEATING_EDITS if repeat else _TRANSLATION_EDITS
    for _ in range(count):
        if len(words) > 2:
            words = rng.choice(edits)(rng, words, other_words)
    return words


def punctuate(rng: SeededRandom, words: Words) -> Words:
    """Return the words, perhaps with a capital letter, a final . or !, and a comma at an ending."""
    first = words[0].capitalize() if rng.randbelow(3) else words[0].lower()
    last = words[-1] + (".", "", "!")[rng.randbelow(3)]
    marked = [first, *words[1:-1], last]
    for end in ENDINGS:
        if words[: len(end)] == end and rng.randbelow(2):
            marked[len(end) - 1] += ","
        elif words[-len(end) :] == end and rng.randbelow(2):
            marked[-len(end) - 1] += ","
    return tuple(marked)
