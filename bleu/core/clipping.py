"""n-gram counts and clipped matches, the basis of every score.

The terms are those of Papineni et al. 2002, section 2.1. `clipped_by_counting` is the definition;
`bitlanes.clipped_by_position` is faster for short texts.
"""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from bleu.core.bitlanes import clipped_by_position
from bleu.core.memoize import memoize
from bleu.core.tokenizers import Token, Tokens

Ngram = tuple[Token, ...]

MAX_REFERENCE_BITS: Final = 1 << 11
"""The longest bit mask for `clipped_by_position`: a bit per reference token, one per reference.

The time to make the masks grows with the square of it, and the counts of a long reference, which
are memoized, are often there already.
"""
MAX_LANE_BITS: Final = 1 << 16
"""The most bits for `clipped_by_position`, one mask per hypothesis token: about where it is no
longer faster for a single reference, as for 256 tokens on either side."""
CACHE_CAPACITY: Final = 1 << 19
"""The number of tokens whose n-gram counts are memoized, enough for texts typed on the page."""


@lru_cache(maxsize=1024)
def ngram_totals(length: int, max_order: int) -> tuple[int, ...]:
    """Return Σ Count: the numbers of n-grams of orders 1 to max_order in a text of `length` tokens.

    >>> ngram_totals(3, 4)
    (3, 2, 1, 0)
    """
    return tuple([max(0, length - shift) for shift in range(max_order)])


def clipped_matches(
    hypothesis: Tokens, references: tuple[Tokens, ...], max_order: int
) -> list[int]:
    """Return Σ Count_clip = Σ min(Count, Max_Ref_Count) for each of the orders 1 to max_order.

    For a sentence, `clipped_by_position` takes a third of the time of `clipped_by_counting`, with
    20 references a fifth, but its time grows with the product of the lengths.

    >>> clipped_matches(tuple("the cat the dog".split()), (tuple("a cat the dog".split()),), 3)
    [3, 2, 1]
    """
    bits = sum(map(len, references)) + len(references)
    if bits <= MAX_REFERENCE_BITS and len(hypothesis) * bits <= MAX_LANE_BITS:
        return clipped_by_position(hypothesis, references, max_order)
    return [clipped_by_counting(hypothesis, references, n) for n in range(1, max_order + 1)]


def clipped_by_counting(hypothesis: Tokens, references: tuple[Tokens, ...], n: int) -> int:
    """Return the clipped matches of order n by their definition, Σ min(Count, Max_Ref_Count).

    >>> clipped_by_counting(("the",) * 7, (tuple("the cat is on the mat".split()),), 1)
    2
    """
    max_counts = max_reference_counts(references, n)
    counts = count_ngrams(hypothesis, n)
    return sum(
        min(count, max_counts[ngram]) for ngram, count in counts.items() if ngram in max_counts
    )


@memoize(CACHE_CAPACITY, size=lambda references, _: sum(map(len, references)))
def max_reference_counts(references: tuple[Tokens, ...], n: int) -> Counter[Ngram]:
    """Return Max_Ref_Count: for every n-gram, the most occurrences in any single reference.

    Memoized; callers must not mutate the result.

    >>> max_reference_counts((("a", "a"), ("a", "b")), 1)
    Counter({('a',): 2, ('b',): 1})
    """
    first, *others = (count_ngrams(reference, n) for reference in references)
    if not others:
        return first
    max_counts = first.copy()
    for counts in others:
        for ngram, count in counts.items():
            if count > max_counts.get(ngram, 0):
                max_counts[ngram] = count
    return max_counts


def ngrams(tokens: Tokens, n: int) -> Iterable[Ngram]:
    """Return every run of n tokens from left to right: len(tokens) - n + 1 of them, or none.

    >>> list(ngrams(("the", "cat", "sat"), 2))
    [('the', 'cat'), ('cat', 'sat')]
    """
    return zip(*(tokens[start:] for start in range(n)), strict=False)


@memoize(CACHE_CAPACITY, size=lambda tokens, _: len(tokens))
def count_ngrams(tokens: Tokens, n: int) -> Counter[Ngram]:
    """Return Count: how often each n-gram occurs, in order of first occurrence.

    Memoized, because a reference stays the same while the hypothesis is typed; callers must not
    mutate the result (Papineni 2002, 2.1).

    >>> count_ngrams(("the", "the", "cat"), 1)
    Counter({('the',): 2, ('cat',): 1})
    """
    return Counter(ngrams(tokens, n))
