"""The n-grams of one order, their counts, and how references clip them.

The terms and formulas are those of Papineni et al. 2002, section 2.1.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bleu.core.clipping import (
    Ngram,
    clipped_matches,
    count_ngrams,
    max_reference_counts,
    ngram_totals,
    ngrams,
)
from bleu.core.tokenizers import Tokens

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


@dataclass(frozen=True, slots=True)
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

    @property
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
