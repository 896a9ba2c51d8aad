"""Agreement with other BLEU libraries on seeded random text."""

import random

VOCABULARIES = (
    ("a", "b"),
    ("a", "b", "c", "d"),
    ("the", "The", "cat", "sat", "on", "mat", ".", ",", "'s"),
    ("我", "爱", "你。", "שלום", "עולם", "مرحبا", "🙂", "👩‍👩‍👧", "École", "ÉCOLE", "straße"),
)
SPACES = (" ", " ", " ", "  ", "\t", "\u00a0", "\u3000")
"""White space between tokens: mostly one space, also no-break and ideographic spaces."""


def random_tokens(rng: random.Random, words: tuple[str, ...], max_length: int) -> list[str]:
    """Return up to `max_length` tokens with repetitions, often few, sometimes none."""
    length = rng.choice((rng.randint(0, 4), rng.randint(0, max_length), max_length))
    return rng.choices(words, k=length)


def edited(rng: random.Random, tokens: list[str], words: tuple[str, ...]) -> list[str]:
    """Return the tokens with a few removed, replaced or doubled, so that long n-grams match."""
    result = []
    for token in tokens:
        kind = rng.random()
        if kind < 0.08:
            continue
        result += [rng.choice(words)] if kind < 0.16 else [token] * (2 if kind < 0.2 else 1)
    return result


def random_segment(
    rng: random.Random, max_length: int = 25, min_length: int = 0
) -> tuple[list[str], list[list[str]]]:
    """Return a hypothesis and one to four references, which are similar to it or unrelated."""
    words = rng.choice(VOCABULARIES)
    hypothesis = random_tokens(rng, words, max_length)
    hypothesis += rng.choices(words, k=max(0, min_length - len(hypothesis)))
    references = [
        edited(rng, hypothesis, words)
        if rng.random() < 0.6
        else random_tokens(rng, words, max_length)
        for _ in range(rng.randint(1, 4))
    ]
    if rng.random() < 0.2:  # Add a tie of reference lengths.
        step = rng.randint(1, 3)
        references += [hypothesis[step:], hypothesis + rng.choices(words, k=step)]
        rng.shuffle(references)
    return hypothesis, references


def joined(rng: random.Random, tokens: list[str]) -> str:
    """Return the tokens as text, with white space of every kind between and around them."""
    text = "".join(token + rng.choice(SPACES) for token in tokens)
    return rng.choice(("", "", " ", "\u3000")) + (text if rng.random() < 0.3 else text.rstrip())


def random_weights(rng: random.Random, max_order: int) -> tuple[float, ...] | None:
    """Return weights in hundredths that sum to 1, some of them 0, or None for uniform weights."""
    if rng.random() < 0.5:
        return None
    cuts = sorted(rng.choices(range(101), k=max_order - 1))
    return tuple((high - low) / 100 for low, high in zip([0, *cuts], [*cuts, 100], strict=True))


def difference(left: float, right: float) -> float:
    """Return the difference of two scores relative to the larger."""
    return abs(left - right) / max(left, right) if left != right else 0.0
