"""Agreement with other BLEU libraries, run side by side on seeded random text."""

import random

VOCABULARIES = (
    ("a", "b"),
    ("a", "b", "c", "d"),
    ("the", "The", "cat", "sat", "on", "mat", ".", ",", "'s"),
    ("我", "爱", "你。", "שלום", "עולם", "مرحبا", "🙂", "👩‍👩‍👧", "École", "ÉCOLE", "straße"),
)
SPACES = (" ", " ", " ", "  ", "\t", "\u00a0", "\u3000")
"""Between tokens: mostly one space; no-break and ideographic spaces too."""


def random_tokens(rng: random.Random, words: tuple[str, ...], longest: int) -> list[str]:
    """Tokens with repetitions, often few, sometimes none."""
    length = rng.choice((rng.randint(0, 4), rng.randint(0, longest), longest))
    return rng.choices(words, k=length)


def edited(rng: random.Random, tokens: list[str], words: tuple[str, ...]) -> list[str]:
    """The tokens with some left out, replaced or doubled, so that long n-grams match."""
    result = []
    for token in tokens:
        kind = rng.random()
        if kind < 0.08:
            continue
        result += [rng.choice(words)] if kind < 0.16 else [token] * (2 if kind < 0.2 else 1)
    return result


def random_segment(
    rng: random.Random, longest: int = 25, at_least: int = 0
) -> tuple[list[str], list[list[str]]]:
    """A hypothesis of `at_least` tokens, and one to four references near it or far from it."""
    words = rng.choice(VOCABULARIES)
    hypothesis = random_tokens(rng, words, longest)
    hypothesis += rng.choices(words, k=max(0, at_least - len(hypothesis)))
    references = [
        edited(rng, hypothesis, words) if rng.random() < 0.6 else random_tokens(rng, words, longest)
        for _ in range(rng.randint(1, 4))
    ]
    if rng.random() < 0.2:  # as far below as above: a tie of lengths
        step = rng.randint(1, 3)
        references += [hypothesis[step:], hypothesis + rng.choices(words, k=step)]
        rng.shuffle(references)
    return hypothesis, references


def joined(rng: random.Random, tokens: list[str]) -> str:
    """The tokens as text, with white space of every kind between and around them."""
    text = "".join(token + rng.choice(SPACES) for token in tokens)
    return rng.choice(("", "", " ", "\u3000")) + (text if rng.random() < 0.3 else text.rstrip())


def random_weights(rng: random.Random, max_order: int) -> tuple[float, ...] | None:
    """Weights in tenths or hundredths that sum to 1, some of them 0; or None for uniform ones."""
    if rng.random() < 0.5:
        return None
    cuts = sorted(rng.choices(range(101), k=max_order - 1))
    return tuple((high - low) / 100 for low, high in zip([0, *cuts], [*cuts, 100], strict=True))


def difference(one: float, other: float) -> float:
    """How far two scores are apart, relative to the larger."""
    return abs(one - other) / max(one, other) if one != other else 0.0
