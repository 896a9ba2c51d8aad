"""n-grams, how often each occurs, and how much of that the references allow.

The words and the formulas are those of Papineni et al. 2002, section 2.1.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Final

from bleu.tokenizers import Token, Tokens

Ngram = tuple[Token, ...]
Counts = Mapping[Ngram, int]
_BORDER: Final = object()


def ngrams(tokens: Tokens, n: int) -> Iterable[Ngram]:
    """Every run of n tokens, from left to right; len(tokens) - n + 1 of them, or none.

    >>> list(ngrams(("the", "cat", "sat"), 2))
    [('the', 'cat'), ('cat', 'sat')]
    """
    return zip(*(tokens[start:] for start in range(n)), strict=False)


def count(tokens: Tokens, n: int) -> Counter[Ngram]:
    """Count: how often each n-gram occurs, in order of first occurrence (Papineni 2002, 2.1).

    >>> count(("the", "the", "cat"), 1)
    Counter({('the',): 2, ('cat',): 1})
    """
    return Counter(ngrams(tokens, n))


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
        allowed = {one.ngram: one.max_reference_count for one in self.matches()}
        seen: Counter[Ngram] = Counter()
        for ngram in ngrams(self.hypothesis, self.n):
            seen[ngram] += 1
            if not allowed[ngram]:
                yield "unmatched"
            else:
                yield "credited" if seen[ngram] <= allowed[ngram] else "clipped"

    @property
    def vanilla(self) -> int:
        """The hypothesis's n-grams that occur in any reference, without clipping."""
        known = set(chain.from_iterable(ngrams(text, self.n) for text in self.references))
        return sum(ngram in known for ngram in ngrams(self.hypothesis, self.n))


def match(hypothesis: Tokens, references: tuple[Tokens, ...], n: int) -> Order:
    """Match the n-grams of one order, clipped by the references.

    >>> order = match(("the",) * 7, (tuple("the cat is on the mat".split()),), 1)
    >>> order.matched, order.vanilla, order.total
    (2, 7, 7)
    """
    matched, total = clipped(hypothesis, references, n), totals(len(hypothesis), n)
    return Order(n, hypothesis, references, matched[-1], total[-1])


@lru_cache(maxsize=1024)
def totals(length: int, max_order: int) -> tuple[int, ...]:
    """Σ Count: how many n-grams of the orders 1 to max_order a text of so many tokens has.

    >>> totals(3, 4)
    (3, 2, 1, 0)
    """
    return tuple([max(0, length - shift) for shift in range(max_order)])


def clipped(hypothesis: Tokens, references: tuple[Tokens, ...], max_order: int) -> list[int]:
    """Σ Count_clip for the orders 1 to max_order (Papineni 2002, 2.1).

    An n-gram that a reference has is credited once, and one that the hypothesis repeats as often
    again as the reference with most of it allows. Where an order has one match or none, the next
    has none; where it repeats nothing, the next repeats nothing either.

    >>> clipped(tuple("the cat the dog".split()), (tuple("the cat saw the dog".split()),), 3)
    [4, 2, 0]
    """
    matched = [0] * max_order
    others = _joined(references)
    mine, theirs = [hypothesis], [others]
    distinct = set(hypothesis)
    shared = distinct.intersection(others)
    repeats = len(distinct) < len(hypothesis)
    for n in range(1, max_order + 1):
        if n > 1:
            mine.append(hypothesis[n - 1 :])
            theirs.append(others[n - 1 :])
            distinct = set(zip(*mine))  # noqa: B905 - strict= would cost a tenth of the time
            shared = distinct.intersection(zip(*theirs))  # noqa: B905
            repeats = repeats and len(distinct) < len(mine[-1])
        credit = len(shared)
        if repeats and shared:
            credit += _credited_again(hypothesis, references, n, shared)
        matched[n - 1] = credit
        if credit < 2:
            break
    return matched


def _joined(references: tuple[Tokens, ...]) -> Tokens:
    """All references as one text; no n-gram of a hypothesis has the border between two."""
    whole = references[0]
    for reference in references[1:]:
        whole = (*whole, _BORDER, *reference)
    return whole


def _credited_again(
    hypothesis: Tokens, references: tuple[Tokens, ...], n: int, shared: Set[Hashable]
) -> int:
    """The credit of n-grams beyond their first occurrence, for those that references share."""
    repeated = [
        (ngram, times)
        for ngram, times in Counter(filter(shared.__contains__, _grams(hypothesis, n))).items()
        if times > 1
    ]
    if not repeated:
        return 0
    allowed = [Counter(_grams(reference, n)) for reference in references]
    return sum(
        [min(times, max([counts[ngram] for counts in allowed])) - 1 for ngram, times in repeated]
    )


def _grams(tokens: Tokens, n: int) -> Iterable[Hashable]:
    """The n-grams, those of order 1 as bare tokens."""
    return ngrams(tokens, n) if n > 1 else tokens
