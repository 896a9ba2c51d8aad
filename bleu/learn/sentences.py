"""Random short sentences, and small random edits of them."""

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
"""Sentences of slots with alternative words; any combination makes a good sentence."""

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

ENDS: Final = ("today", "again", "at last", "now", "very slowly", "once more")
"""The endings that can be added to a sentence."""


def vocabulary(pattern: str) -> tuple[str, ...]:
    """Return the distinct words of a pattern.

    >>> vocabulary("the cat|dog of the man")
    ('the', 'cat', 'dog', 'of', 'man')
    """
    return tuple(dict.fromkeys(word for slot in pattern.split() for word in slot.split("|")))


def random_sentence(rng: SeededRandom, pattern: str, max_words: int = 9) -> Words:
    """Return a sentence of a pattern; one in three has an ending, if it is not too long then."""
    words = tuple(rng.choice(slot.split("|")) for slot in pattern.split())
    end = tuple(rng.choice(ENDS).split()) if not rng.randbelow(3) else ()
    return words + end if len(words + end) <= max_words else words


def vary_sentence(rng: SeededRandom, pattern: str, words: Words) -> Words:
    """Return a sentence of a pattern with most words as in `words`, and a random ending."""
    slots = [slot.split("|") for slot in pattern.split()]
    varied = tuple(
        word if rng.randbelow(3) else rng.choice(slot)
        for word, slot in zip(words, slots, strict=False)
    )
    end = tuple(rng.choice(ENDS).split()) if rng.randbelow(2) else ()
    return varied + end


def _drop(rng: SeededRandom, words: Words, _: Sequence[str]) -> Words:
    index = rng.randbelow(len(words))
    return words[:index] + words[index + 1 :]


def _swap(rng: SeededRandom, words: Words, _: Sequence[str]) -> Words:
    index = rng.randbelow(len(words) - 1)
    return (*words[:index], words[index + 1], words[index], *words[index + 2 :])


def _double(rng: SeededRandom, words: Words, _: Sequence[str]) -> Words:
    index = rng.randbelow(len(words))
    return words[: index + 1] + words[index:]


def _replace(rng: SeededRandom, words: Words, others: Sequence[str]) -> Words:
    index = rng.randbelow(len(words))
    return (*words[:index], rng.choice(others), *words[index + 1 :])


def _repeat(rng: SeededRandom, words: Words, _: Sequence[str]) -> Words:
    return _replace(rng, words, words)


_EDITS: Final = (_drop, _swap, _double, _replace, _repeat)


def random_edits(rng: SeededRandom, words: Words, others: Sequence[str], count: int) -> Words:
    """Return the words after random edits, which never shorten a text to fewer than two words.

    `others` are the words that can replace a word.
    """
    for _ in range(count):
        if len(words) > 2:
            words = rng.choice(_EDITS)(rng, words, others)
    return words


def punctuate(rng: SeededRandom, words: Words) -> Words:
    """Return the words with a random capital letter, comma and final mark, or without them."""
    first = words[0].capitalize() if rng.randbelow(3) else words[0].lower()
    comma = f"{words[2]}," if not rng.randbelow(3) and len(words) > 4 else words[2]
    last = words[-1] + (".", "", "!")[rng.randbelow(3)]
    return (first, words[1], comma, *words[3:-1], last)
