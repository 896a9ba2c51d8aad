"""Short sentences to score, and the small changes that make a translation of them."""

from collections.abc import Sequence
from typing import Final

from bleu.learn.hand_calculation import Words
from bleu.learn.rng import SeededRandom

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
"""Sentences with alternatives for some of their words; any choice of them reads well."""

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
"""The same, of three to five words."""

ENDS: Final = ("today", "again", "at last", "now", "very slowly", "once more")
"""What a sentence may be longer by."""


def vocabulary(pattern: str) -> tuple[str, ...]:
    """Every word that a pattern can have, once.

    >>> vocabulary("the cat|dog of the man")
    ('the', 'cat', 'dog', 'of', 'man')
    """
    return tuple(dict.fromkeys(word for slot in pattern.split() for word in slot.split("|")))


def random_sentence(rng: SeededRandom, pattern: str, longest: int = 9) -> Words:
    """A sentence of a pattern, of at most so many words, one in three with an end."""
    words = tuple(rng.choice(slot.split("|")) for slot in pattern.split())
    end = tuple(rng.choice(ENDS).split()) if not rng.randbelow(3) else ()
    return (words + end)[:longest] if len(words + end) <= longest else words


def vary_sentence(rng: SeededRandom, pattern: str, words: Words) -> Words:
    """Another sentence of a pattern: most words as before, and its end drawn anew."""
    slots = [slot.split("|") for slot in pattern.split()]
    kept = tuple(
        word if rng.randbelow(3) else rng.choice(slot)
        for word, slot in zip(words, slots, strict=False)
    )
    end = tuple(rng.choice(ENDS).split()) if rng.randbelow(2) else ()
    return kept + end


def _drop(rng: SeededRandom, words: Words, _: Sequence[str]) -> Words:
    at = rng.randbelow(len(words))
    return words[:at] + words[at + 1 :]


def _swap(rng: SeededRandom, words: Words, _: Sequence[str]) -> Words:
    at = rng.randbelow(len(words) - 1)
    return (*words[:at], words[at + 1], words[at], *words[at + 2 :])


def _double(rng: SeededRandom, words: Words, _: Sequence[str]) -> Words:
    at = rng.randbelow(len(words))
    return words[: at + 1] + words[at:]


def _replace(rng: SeededRandom, words: Words, others: Sequence[str]) -> Words:
    at = rng.randbelow(len(words))
    return (*words[:at], rng.choice(others), *words[at + 1 :])


def _repeat(rng: SeededRandom, words: Words, _: Sequence[str]) -> Words:
    """One word in the place of another."""
    return _replace(rng, words, words)


_EDITS: Final = (_drop, _swap, _double, _replace, _repeat)


def random_edits(rng: SeededRandom, words: Words, others: Sequence[str], times: int) -> Words:
    """The words after so many small changes; a text of fewer than three words stays as it is."""
    for _ in range(times):
        if len(words) > 2:
            words = rng.choice(_EDITS)(rng, words, others)
    return words


def punctuate(rng: SeededRandom, words: Words) -> Words:
    """The words as they are written in a text: a capital, a comma, a full stop, or none."""
    first = words[0].capitalize() if rng.randbelow(3) else words[0].lower()
    comma = f"{words[2]}," if not rng.randbelow(3) and len(words) > 4 else words[2]
    last = words[-1] + (".", "", "!")[rng.randbelow(3)]
    return (first, words[1], comma, *words[3:-1], last)
