"""n-grams, how often each occurs, and how much of that the references allow.

The words and the formulas are those of Papineni et al. 2002, section 2.1.
"""

from collections import Counter
from collections.abc import Iterator, Mapping

from bleu.clipping import Ngram, allowed, clipped, count, ngrams, totals
from bleu.record import record
from bleu.tokenizers import Tokens

__all__ = ["Counts", "Match", "Ngram", "Order", "count", "match", "ngrams"]

Counts = Mapping[Ngram, int]


@record
class Match:
    """One distinct n-gram of the hypothesis: how often it occurs there and in each reference."""

    ngram: Ngram
    count: int
    reference_counts: tuple[int, ...]

    @property
    def max_reference_count(self) -> int:
        """Max_Ref_Count: the most occurrences in any single reference."""
        return max(self.reference_counts)

    @property
    def clipped_count(self) -> int:
        """Count_clip = min(Count, Max_Ref_Count): the occurrences that are credited."""
        return min(self.count, self.max_reference_count)


@record
class Order:
    """The n-grams of one order in the hypothesis and in every reference, and their sums.

    `matched` is the sum of the clipped counts, `total` that of the counts. The counts behind
    them are made when they are asked for: a corpus never asks.
    """

    n: int
    hypothesis: Tokens
    references: tuple[Tokens, ...]
    matched: int
    total: int

    @property
    def counts(self) -> Counts:
        """Count, for every n-gram of the hypothesis."""
        return count(self.hypothesis, self.n)

    @property
    def reference_counts(self) -> tuple[Counts, ...]:
        """The counts in every reference."""
        return tuple(count(reference, self.n) for reference in self.references)

    def matches(self) -> Iterator[Match]:
        """The distinct n-grams of the hypothesis, in order of first occurrence."""
        others = self.reference_counts
        for ngram, times in self.counts.items():
            yield Match(ngram, times, tuple(counts.get(ngram, 0) for counts in others))

    def occurrences(self) -> Iterator[str]:
        """What became of every n-gram of the hypothesis, in order: credited, clipped, unmatched.

        The occurrences beyond those that a reference allows are the clipped ones.

        >>> list(match(("the", "the", "cat"), (("the",),), 1).occurrences())
        ['credited', 'clipped', 'unmatched']
        """
        most = allowed(self.references, self.n)
        seen: Counter[Ngram] = Counter()
        for ngram in ngrams(self.hypothesis, self.n):
            seen[ngram] += 1
            if not most[ngram]:
                yield "unmatched"
            else:
                yield "credited" if seen[ngram] <= most[ngram] else "clipped"

    @property
    def vanilla(self) -> int:
        """The hypothesis's n-grams that occur in any reference, without clipping."""
        known = allowed(self.references, self.n)
        return sum(times for ngram, times in self.counts.items() if ngram in known)


def match(hypothesis: Tokens, references: tuple[Tokens, ...], n: int) -> Order:
    """Match the n-grams of one order, clipped by the references.

    >>> order = match(("the",) * 7, (tuple("the cat is on the mat".split()),), 1)
    >>> order.matched, order.vanilla, order.total
    (2, 7, 7)
    """
    matched, total = clipped(hypothesis, references, n), totals(len(hypothesis), n)
    return Order(n, hypothesis, references, matched[-1], total[-1])
