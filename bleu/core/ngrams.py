"""The n-grams of one order, their counts, and how references clip them.

The terms and formulas are those of Papineni et al. 2002, section 2.1.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from bleu.core.clipping import Ngram, clipped_matches, count_ngrams, ngram_totals, ngrams
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
class Excerpt:
    """The first matches and occurrences of an order, and two numbers of the whole order.

    `distinct` is the number of different n-grams in the hypothesis; `vanilla` is as in `Order`.
    """

    matches: tuple[Match, ...]
    occurrences: tuple[str, ...]
    distinct: int
    vanilla: int


@dataclass(frozen=True, slots=True)
class Order:
    """The n-grams of one order in the hypothesis and in every reference, and their sums.

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

    @property
    def reference_counts(self) -> tuple[NgramCounts, ...]:
        """The n-gram counts of every reference."""
        return tuple(count_ngrams(reference, self.n) for reference in self.references)

    def matches(self) -> Iterator[Match]:
        """Yield the distinct n-grams of the hypothesis, in order of first occurrence."""
        return _matches(self.counts, self.reference_counts)

    @property
    def vanilla(self) -> int:
        """The number of n-grams of the hypothesis that occur in any reference, without clipping."""
        return self.excerpt(0, 0).vanilla

    def excerpt(self, max_matches: int, max_occurrences: int) -> Excerpt:
        """Return the first matches, and the statuses of the first occurrences, counting once.

        >>> match(("the", "the", "cat"), (("the",),), 1).excerpt(0, 2)
        Excerpt(matches=(), occurrences=('credited', 'clipped'), distinct=2, vanilla=2)
        """
        counts, reference_counts = self.counts, self.reference_counts
        in_references = set().union(*reference_counts)
        statuses = occurrence_statuses(
            ngrams(self.hypothesis, self.n),
            lambda ngram: max([counts.get(ngram, 0) for counts in reference_counts]),
        )
        return Excerpt(
            tuple(islice(_matches(counts, reference_counts), max_matches)),
            tuple(islice(statuses, max_occurrences)),
            len(counts),
            sum([count for ngram, count in counts.items() if ngram in in_references]),
        )


def _matches(counts: NgramCounts, reference_counts: Sequence[NgramCounts]) -> Iterator[Match]:
    for ngram, count in counts.items():
        yield Match(ngram, count, tuple([other.get(ngram, 0) for other in reference_counts]))


def occurrence_statuses(
    sequence: Iterable[Ngram], max_count: Callable[[Ngram], int]
) -> Iterator[str]:
    """Yield the status of each n-gram: credited, clipped or unmatched.

    `max_count` returns the maximum reference count; occurrences beyond it are clipped.

    >>> list(occurrence_statuses("aab", {"a": 1, "b": 0}.__getitem__))
    ['credited', 'clipped', 'unmatched']
    """
    seen: Counter[Ngram] = Counter()
    for ngram in sequence:
        seen[ngram] += 1
        if not (limit := max_count(ngram)):
            yield "unmatched"
        else:
            yield "credited" if seen[ngram] <= limit else "clipped"


def match(hypothesis: Tokens, references: tuple[Tokens, ...], n: int) -> Order:
    """Match the n-grams of one order, with counts clipped by the references.

    >>> order = match(("the",) * 7, (tuple("the cat is on the mat".split()),), 1)
    >>> order.matched, order.vanilla, order.total
    (2, 7, 7)
    """
    matched, total = clipped_matches(hypothesis, references, n), ngram_totals(len(hypothesis), n)
    return Order(n, hypothesis, references, matched[-1], total[-1])
