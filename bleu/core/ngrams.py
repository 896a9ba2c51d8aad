"""The n-grams of one order, their counts, and how references clip them.

The terms and formulas are those of Papineni et al. 2002, section 2.1.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from bleu.core.bitlanes import clipped_by_position
from bleu.core.memoize import memoize
from bleu.core.tokenizers import Token, Tokens

Ngram = tuple[Token, ...]

MAX_REFERENCE_BITS: Final = 1 << 11
"""The longest bit mask for `clipped_by_position`: a bit per reference token, one per reference.

The time to make the masks grows with the square of it.
"""
MAX_BITS_PER_TOKEN: Final = 64
"""The most bits of all masks for `clipped_by_position`, for each token and bit of a mask: about
where counting becomes faster, at 128 tokens with one reference and at 80 with four."""
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

    For a sentence, `clipped_by_position` takes a third of the time of `clipped_by_counting`, but
    its time grows with the product of the lengths instead of their sum.

    >>> clipped_matches(tuple("the cat the dog".split()), (tuple("a cat the dog".split()),), 3)
    [3, 2, 1]
    """
    length, bits = len(hypothesis), sum(map(len, references)) + len(references)
    is_short = length * bits <= MAX_BITS_PER_TOKEN * (length + bits)
    if is_short and bits <= MAX_REFERENCE_BITS:
        return clipped_by_position(hypothesis, references, max_order)
    return [clipped_by_counting(hypothesis, references, n) for n in range(1, max_order + 1)]


def clipped_by_counting(hypothesis: Tokens, references: tuple[Tokens, ...], n: int) -> int:
    """Return the clipped matches of order n: each takes one of Max_Ref_Count.

    The counts of the references are taken from the cache if the page has put them there, but not
    kept, because a corpus seldom needs them again.

    >>> clipped_by_counting(("the",) * 7, (tuple("the cat is on the mat".split()),), 1)
    2
    """
    if counts := max_reference_counts.cached(references, n):
        free = counts.copy()
    else:
        free = _highest_counts(*(Counter(ngrams(reference, n)) for reference in references))
    matched, count_free = 0, free.get
    for ngram in ngrams(hypothesis, n):
        if count := count_free(ngram):
            free[ngram] = count - 1
            matched += 1
    return matched


@memoize(CACHE_CAPACITY, size=lambda references, _: sum(map(len, references)))
def max_reference_counts(references: tuple[Tokens, ...], n: int) -> Counter[Ngram]:
    """Return Max_Ref_Count: for every n-gram, the most occurrences in any single reference.

    Memoized; callers must not mutate the result.

    >>> max_reference_counts((("a", "a"), ("a", "b")), 1)
    Counter({('a',): 2, ('b',): 1})
    """
    first, *others = (count_ngrams(reference, n) for reference in references)
    return _highest_counts(first.copy(), *others) if others else first


def _highest_counts(max_counts: Counter[Ngram], *others: Counter[Ngram]) -> Counter[Ngram]:
    """Raise counts to the highest of several texts, in place, and return them."""
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


NgramCounts = Mapping[Ngram, int]


@dataclass(frozen=True, slots=True)
class Match:
    """One distinct n-gram of the hypothesis, with its counts there and in each reference."""

    ngram: Ngram
    count: int
    reference_counts: tuple[int, ...]

    @property
    def max_reference_count(self) -> int:
        """Max_Ref_Count: the most occurrences in any single reference."""
        return max(self.reference_counts)

    @property
    def clipped_count(self) -> int:
        """Count_clip = min(Count, Max_Ref_Count): the credited occurrences."""
        return min(self.count, self.max_reference_count)


@dataclass(frozen=True)
class Order:
    """The n-grams of one order in the hypothesis and in every reference, and the sums of counts.

    `matched` is the sum of the clipped counts, `total` the sum of the counts. The counts by n-gram
    are computed on demand, because scoring a corpus does not need them.
    """

    n: int
    hypothesis: Tokens
    references: tuple[Tokens, ...]
    matched: int
    total: int

    @property
    def counts(self) -> NgramCounts:
        """The count of every n-gram of the hypothesis."""
        return count_ngrams(self.hypothesis, self.n)

    def matches(self) -> Iterator[Match]:
        """Yield the distinct n-grams of the hypothesis, in order of first occurrence."""
        reference_counts = [count_ngrams(reference, self.n) for reference in self.references]
        for ngram, count in self.counts.items():
            yield Match(ngram, count, tuple([counts.get(ngram, 0) for counts in reference_counts]))

    @cached_property
    def vanilla(self) -> int:
        """The number of n-grams of the hypothesis that occur in any reference, without clipping."""
        max_counts = max_reference_counts(self.references, self.n)
        return sum([count for ngram, count in self.counts.items() if ngram in max_counts])

    def statuses(self) -> Iterator[str]:
        """Yield the status of each n-gram of the hypothesis: credited, clipped or unmatched.

        The first occurrences, up to the maximum reference count, are credited, the others clipped,
        as exercises ask for; `explanation.matches.candidate_kinds` chooses them by context.

        >>> list(match(("the", "the", "cat"), (("the",),), 1).statuses())
        ['credited', 'clipped', 'unmatched']
        """
        max_counts = max_reference_counts(self.references, self.n)
        seen: Counter[Ngram] = Counter()
        for ngram in ngrams(self.hypothesis, self.n):
            seen[ngram] += 1
            if ngram not in max_counts:
                yield "unmatched"
            else:
                yield "credited" if seen[ngram] <= max_counts[ngram] else "clipped"


def match(hypothesis: Tokens, references: tuple[Tokens, ...], n: int) -> Order:
    """Return the n-grams of order n, matched with the references.

    >>> order = match(("the",) * 7, (tuple("the cat is on the mat".split()),), 1)
    >>> order.matched, order.vanilla, order.total
    (2, 7, 7)
    """
    matched, total = clipped_matches(hypothesis, references, n), ngram_totals(len(hypothesis), n)
    return Order(n, hypothesis, references, matched[-1], total[-1])
