"""n-grams, how often each occurs, and how much of that the references allow.

The words and the formulas are those of Papineni et al. 2002, section 2.1.
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


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What is shown of an order: its first matches and occurrences, and two sums over all.

    `distinct` is how many different n-grams the hypothesis has; `vanilla` is as in `Order`.
    """

    matches: tuple[Match, ...]
    occurrences: tuple[str, ...]
    distinct: int
    vanilla: int


@dataclass(frozen=True, slots=True)
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
    def counts(self) -> NgramCounts:
        """Count, for every n-gram of the hypothesis."""
        return count_ngrams(self.hypothesis, self.n)

    @property
    def reference_counts(self) -> tuple[NgramCounts, ...]:
        """The counts in every reference."""
        return tuple(count_ngrams(reference, self.n) for reference in self.references)

    def matches(self) -> Iterator[Match]:
        """The distinct n-grams of the hypothesis, in order of first occurrence."""
        return _matches(self.counts, self.reference_counts)

    def occurrences(self) -> Iterator[str]:
        """What became of every n-gram of the hypothesis, in order: credited, clipped, unmatched.

        The occurrences beyond those that a reference allows are the clipped ones.

        >>> list(match(("the", "the", "cat"), (("the",),), 1).occurrences())
        ['credited', 'clipped', 'unmatched']
        """
        return self._statuses(self.reference_counts)

    @property
    def vanilla(self) -> int:
        """The hypothesis's n-grams that occur in any reference, without clipping."""
        return self.excerpt(0, 0).vanilla

    def excerpt(self, matches: int, occurrences: int) -> Excerpt:
        """The first matches and occurrences, so many of each; the n-grams are counted only once.

        >>> match(("the", "the", "cat"), (("the",),), 1).excerpt(0, 2)
        Excerpt(matches=(), occurrences=('credited', 'clipped'), distinct=2, vanilla=2)
        """
        own, others = self.counts, self.reference_counts
        known = others[0] if len(others) == 1 else set().union(*others)
        return Excerpt(
            tuple(islice(_matches(own, others), matches)),
            tuple(islice(self._statuses(others), occurrences)),
            len(own),
            sum([times for ngram, times in own.items() if ngram in known]),
        )

    def _statuses(self, others: Sequence[NgramCounts]) -> Iterator[str]:
        places = ngrams(self.hypothesis, self.n)
        return occurrence_statuses(
            places, lambda ngram: max([counts.get(ngram, 0) for counts in others])
        )


def _matches(own: NgramCounts, others: Sequence[NgramCounts]) -> Iterator[Match]:
    for ngram, times in own.items():
        yield Match(ngram, times, tuple([counts.get(ngram, 0) for counts in others]))


def occurrence_statuses(
    sequence: Iterable[Ngram], max_count: Callable[[Ngram], int]
) -> Iterator[str]:
    """What became of n-grams in order, as `most` says how often a reference has each.

    >>> list(occurrence_statuses("aab", {"a": 1, "b": 0}.__getitem__))
    ['credited', 'clipped', 'unmatched']
    """
    seen: Counter[Ngram] = Counter()
    for ngram in sequence:
        seen[ngram] += 1
        if not (allowed := max_count(ngram)):
            yield "unmatched"
        else:
            yield "credited" if seen[ngram] <= allowed else "clipped"


def match(hypothesis: Tokens, references: tuple[Tokens, ...], n: int) -> Order:
    """Match the n-grams of one order, clipped by the references.

    >>> order = match(("the",) * 7, (tuple("the cat is on the mat".split()),), 1)
    >>> order.matched, order.vanilla, order.total
    (2, 7, 7)
    """
    matched, total = clipped_matches(hypothesis, references, n), ngram_totals(len(hypothesis), n)
    return Order(n, hypothesis, references, matched[-1], total[-1])
