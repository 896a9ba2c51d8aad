"""How many n-grams of a hypothesis the references credit: the counts behind every score.

The words are those of Papineni et al. 2002, section 2.1.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache, reduce
from operator import or_
from typing import Final

from bleu.lanes import lanes_for
from bleu.tokenizers import Token, Tokens

Ngram = tuple[Token, ...]

LONG: Final = 256
"""Tokens of a hypothesis or of all references from which on n-grams are counted, not placed."""


@lru_cache(maxsize=1024)
def totals(length: int, max_order: int) -> tuple[int, ...]:
    """Σ Count: how many n-grams of the orders 1 to max_order a text of so many tokens has.

    >>> totals(3, 4)
    (3, 2, 1, 0)
    """
    return tuple([max(0, length - shift) for shift in range(max_order)])


def clipped(hypothesis: Tokens, references: tuple[Tokens, ...], max_order: int) -> list[int]:
    """Σ Count_clip = Σ min(Count, Max_Ref_Count) for each of the orders 1 to max_order.

    By places, a sentence takes a third of the time that counting does; but the time grows with
    the square of the length.

    >>> clipped(tuple("the cat the dog".split()), (tuple("the cat saw the dog".split()),), 3)
    [4, 2, 0]
    """
    if len(hypothesis) < LONG and sum(map(len, references)) < LONG:
        return by_places(hypothesis, references, max_order)
    return [by_counts(hypothesis, references, n) for n in range(1, max_order + 1)]


def by_places(hypothesis: Tokens, references: tuple[Tokens, ...], max_order: int) -> list[int]:
    """`clipped` without counting any n-gram: by where in the references each of them ends.

    Every token of the hypothesis has a row of bits, one for each place in the references, set
    where the same token stands. With all rows in lanes of one number, an n-gram that ends
    somewhere is one of a token more if the next token ends one place later in the next row:
    `ends << row + 1 & tokens`, for all of them at once.

    >>> by_places(("the",) * 7, (tuple("the cat is on the mat".split()),), 2)
    [2, 0]
    """
    places, texts = _places(references)
    rows = [places.get(token, 0) for token in hypothesis]
    lanes = lanes_for(len(rows), sum(texts).bit_length() // 32)
    tokens = ends = lanes.join(rows)
    row = (1 << lanes.width) - 1
    once = False
    matched: list[int] = []
    for _ in range(max_order):
        if not ends:
            return matched + [0] * (max_order - len(matched))
        # the rows add up without a carry where no two of them have a bit in common
        once = once or (ends % row).bit_count() == ends.bit_count()
        if once:  # nothing to clip: a row with any bit is a match, and carries into its guard
            matched.append((ends + lanes.below & lanes.guards).bit_count())
        else:
            matched.append(_credited(lanes.split(ends) if matched else rows, texts))
        ends = ends << lanes.width + 1 & tokens
    return matched


def _places(references: tuple[Tokens, ...]) -> tuple[dict[Token, int], list[int]]:
    """The places of each token, and those of each reference; one is empty between two of them."""
    places: dict[Token, int] = {}
    texts = []
    bit = 1
    for reference in references:
        first = bit
        for token in reference:
            if token in places:
                places[token] |= bit
            else:
                places[token] = bit
            bit += bit
        texts.append(bit - first)
        bit <<= 1
    return places, texts


def _credited(rows: Sequence[int], texts: list[int]) -> int:
    """How many rows get a place that no row before them got, in the reference with most places."""
    free = every = sum(texts)
    if len(texts) == 1:
        for row in rows:
            if left := row & free:
                free -= left & -left
    else:
        for row in rows:
            if left := row and max([row & text for text in texts], key=int.bit_count) & free:
                free -= left & -left
    return (every - free).bit_count()


def by_counts(hypothesis: Tokens, references: tuple[Tokens, ...], n: int) -> int:
    """`clipped` of one order, as the formula has it.

    >>> by_counts(("the",) * 7, (tuple("the cat is on the mat".split()),), 1)
    2
    """
    return (count(hypothesis, n) & allowed(references, n)).total()


@lru_cache(maxsize=32)
def allowed(references: tuple[Tokens, ...], n: int) -> Counter[Ngram]:
    """Max_Ref_Count: of every n-gram, the most occurrences in any single reference.

    Remembered as `count` is.

    >>> allowed((("a", "a"), ("a", "b")), 1)
    Counter({('a',): 2, ('b',): 1})
    """
    return reduce(or_, [count(reference, n) for reference in references])


def ngrams(tokens: Tokens, n: int) -> Iterable[Ngram]:
    """Every run of n tokens, from left to right; len(tokens) - n + 1 of them, or none.

    >>> list(ngrams(("the", "cat", "sat"), 2))
    [('the', 'cat'), ('cat', 'sat')]
    """
    return zip(*(tokens[start:] for start in range(n)), strict=False)


@lru_cache(maxsize=64)
def count(tokens: Tokens, n: int) -> Counter[Ngram]:
    """Count: how often each n-gram occurs, in order of first occurrence (Papineni 2002, 2.1).

    The last few are remembered, as a reference stays the same while the hypothesis is typed;
    nobody may change what is returned.

    >>> count(("the", "the", "cat"), 1)
    Counter({('the',): 2, ('cat',): 1})
    """
    return Counter(ngrams(tokens, n))
