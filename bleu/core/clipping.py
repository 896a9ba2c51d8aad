"""How many n-grams of a hypothesis the references credit: the counts behind every score.

The words are those of Papineni et al. 2002, section 2.1. `clipped_by_counting` is the formula; for short
texts `bitlanes.clipped_by_position` finds the same.
"""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache, reduce
from operator import or_
from typing import Final

from bleu.core.bitlanes import clipped_by_position
from bleu.core.memoize import memoize
from bleu.core.tokenizers import Token, Tokens

Ngram = tuple[Token, ...]

LONG_TEXT_TOKENS: Final = 256
"""Tokens of a hypothesis or of all references from which on n-grams are counted, not placed."""
CACHE_CAPACITY: Final = 1 << 19
"""Tokens for which the counts of an order are remembered: enough for what is typed on the page."""


@lru_cache(maxsize=1024)
def ngram_totals(length: int, max_order: int) -> tuple[int, ...]:
    """Σ Count: how many n-grams of the orders 1 to max_order a text of so many tokens has.

    >>> ngram_totals(3, 4)
    (3, 2, 1, 0)
    """
    return tuple([max(0, length - shift) for shift in range(max_order)])


def clipped_matches(
    hypothesis: Tokens, references: tuple[Tokens, ...], max_order: int
) -> list[int]:
    """Σ Count_clip = Σ min(Count, Max_Ref_Count) for each of the orders 1 to max_order.

    By position, a sentence takes a third of the time that counting does; but the time grows with
    the square of the length.

    >>> clipped_matches(tuple("the cat the dog".split()), (tuple("the cat saw the dog".split()),), 3)
    [4, 2, 0]
    """
    if len(hypothesis) < LONG_TEXT_TOKENS and sum(map(len, references)) < LONG_TEXT_TOKENS:
        return clipped_by_position(hypothesis, references, max_order)
    return [clipped_by_counting(hypothesis, references, n) for n in range(1, max_order + 1)]


def clipped_by_counting(hypothesis: Tokens, references: tuple[Tokens, ...], n: int) -> int:
    """`clipped_matches` of one order, as the formula has it.

    >>> clipped_by_counting(("the",) * 7, (tuple("the cat is on the mat".split()),), 1)
    2
    """
    most = max_reference_counts(references, n)
    own = count_ngrams(hypothesis, n)
    return sum(min(times, most[ngram]) for ngram, times in own.items() if ngram in most)


@memoize(CACHE_CAPACITY, size=lambda references, _: sum(map(len, references)))
def max_reference_counts(references: tuple[Tokens, ...], n: int) -> Counter[Ngram]:
    """Max_Ref_Count: of every n-gram, the most occurrences in any single reference.

    Remembered as `count_ngrams` is.

    >>> max_reference_counts((("a", "a"), ("a", "b")), 1)
    Counter({('a',): 2, ('b',): 1})
    """
    return reduce(or_, [count_ngrams(reference, n) for reference in references])


def ngrams(tokens: Tokens, n: int) -> Iterable[Ngram]:
    """Every run of n tokens, from left to right; len(tokens) - n + 1 of them, or none.

    >>> list(ngrams(("the", "cat", "sat"), 2))
    [('the', 'cat'), ('cat', 'sat')]
    """
    return zip(*(tokens[start:] for start in range(n)), strict=False)


@memoize(CACHE_CAPACITY, size=lambda tokens, _: len(tokens))
def count_ngrams(tokens: Tokens, n: int) -> Counter[Ngram]:
    """Count: how often each n-gram occurs, in order of first occurrence (Papineni 2002, 2.1).

    The last few are remembered, as a reference stays the same while the hypothesis is typed;
    nobody may change what is returned.

    >>> count_ngrams(("the", "the", "cat"), 1)
    Counter({('the',): 2, ('cat',): 1})
    """
    return Counter(ngrams(tokens, n))
