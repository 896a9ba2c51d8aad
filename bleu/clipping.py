"""How many n-grams of a hypothesis the references credit: the counts behind every score.

The words are those of Papineni et al. 2002, section 2.1.
"""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache, reduce
from operator import or_
from typing import Final

from bleu.tokenizers import Token, Tokens

Ngram = tuple[Token, ...]

LONG: Final = 4096
"""Tokens of all references from which on n-grams are counted rather than placed."""


@lru_cache(maxsize=1024)
def totals(length: int, max_order: int) -> tuple[int, ...]:
    """Σ Count: how many n-grams of the orders 1 to max_order a text of so many tokens has.

    >>> totals(3, 4)
    (3, 2, 1, 0)
    """
    return tuple([max(0, length - shift) for shift in range(max_order)])


def clipped(hypothesis: Tokens, references: tuple[Tokens, ...], max_order: int) -> list[int]:
    """Σ Count_clip = Σ min(Count, Max_Ref_Count) for each of the orders 1 to max_order.

    By places, a sentence takes half the time that counting does; but the places of long
    references are large numbers, and the time would grow with the square of the length.

    >>> clipped(tuple("the cat the dog".split()), (tuple("the cat saw the dog".split()),), 3)
    [4, 2, 0]
    """
    if sum(map(len, references)) < LONG:
        return by_places(hypothesis, references, max_order)
    return [by_counts(hypothesis, references, n) for n in range(1, max_order + 1)]


def by_places(hypothesis: Tokens, references: tuple[Tokens, ...], max_order: int) -> list[int]:
    """`clipped` in one pass for all orders, with sets of places as the bits of whole numbers.

    Where an n-gram of the hypothesis ends in the references, one of a token more ends one place
    later if that token is there: `ends << 1 & here`. Each n-gram spends a place that is free.

    >>> by_places(("the",) * 7, (tuple("the cat is on the mat".split()),), 2)
    [2, 0]
    """
    places, texts = _places(references)
    matched = [0] * max_order
    free = [sum(texts)] * max_order
    ends: list[int] = []
    for token in hypothesis:
        here = places.get(token, 0)
        before, ends = ends, []
        end, n, known = here, 0, len(before)
        while end and n < max_order:
            ends.append(end)
            left = free[n] & (end if len(texts) == 1 else _most(end, texts))
            if left:
                matched[n] += 1
                free[n] ^= left & -left
            end = before[n] << 1 & here if n < known else 0
            n += 1
    return matched


def _places(references: tuple[Tokens, ...]) -> tuple[dict[Token, int], list[int]]:
    """The places of each token, and those of each reference; one is empty between two of them."""
    places: dict[Token, int] = {}
    texts = []
    bit = 1
    for reference in references:
        first = bit
        for token in reference:
            places[token] = places.get(token, 0) | bit
            bit <<= 1
        texts.append(bit - first)
        bit <<= 1
    return places, texts


def _most(ends: int, texts: list[int]) -> int:
    """The places within the reference that has most of them: Max_Ref_Count bits."""
    return max([ends & text for text in texts], key=int.bit_count)


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
