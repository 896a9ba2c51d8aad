"""BLEU on one screen: its stages, and the two functions that run them (Papineni and others, 2002).

`Method()` is the paper's BLEU. A tool that computes another one is a `Method` with some stages
replaced, and so is a mistaken BLEU. `count` runs the stages from texts to counts, `bleu` those from
counts to the score; here with the brevity penalty and without:

>>> counts = count(Method(), ["the cat is on mat"], [["the cat is on the mat"]])
>>> bleu(Method(), counts), bleu(Method(penalty=lambda c, r: 1), counts)
(0.5789300674674098, 0.7071067811865476)

A quantity is a number, or a formula that knows its value. In `bleu`, each goes through `let` with
its name and order n (0 if it has none), and the run goes on with what `let` returns: the number
itself if the run scores, a symbol for it if the run explains, or the number that a learner entered.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bleu.metric.algebra import Quantity, as_it_is, exp, ln, quotient, weighted_sum
from bleu.metric.numerics import Weights

Tokens = Sequence[Hashable]  # most often strings
Segments = list[tuple[Tokens, list[Tokens]]]  # the hypothesis (candidate) and its references
Pairs = Sequence[tuple[Quantity, Quantity]]  # matched and total n-grams, for n = 1 … N
Let = Callable[[str, int, Quantity], Quantity]  # name, n, quantity -> quantity to go on with


@dataclass(frozen=True, slots=True)
class Counts:
    """Sums over the segments: matched and total n-grams, for n = 1 … N, and the lengths c and r."""

    matched: Sequence[Quantity]
    total: Sequence[Quantity]
    hypothesis_length: Quantity
    reference_length: Quantity
    details: Any = None  # of single segments, for the smoothings that need them
    counting: str = ""  # which settings counted, so that others are refused; "" without a segment


def consecutive(tokens: Tokens, n: int) -> Sequence[Any]:
    """Return all n-grams: n tokens in a row, from each token that has enough after it."""
    return [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]


def clip(count: int, reference_counts: Sequence[int]) -> int:
    """Credit an n-gram at most as often as it occurs in any single reference."""
    return min(count, max(reference_counts))


def closest(c: int, lengths: Sequence[int]) -> Quantity:
    """Take the length of the reference that is closest to c, the shorter on a tie."""
    return min(lengths, key=lambda r: (abs(r - c), r))


def unsmoothed(counts: Counts, let: Let) -> Pairs:
    """Leave the counts as they are."""
    return list(zip(counts.matched, counts.total, strict=True))


def brevity_penalty(c: Quantity, r: Quantity) -> Quantity:
    """Lower the score if the hypothesis is shorter than r; to 0, the limit, if it is empty."""
    if c >= r:
        return 1
    return exp(1 - quotient(r, c)) if c > 0 else 0


def geometric_mean(p: Sequence[Quantity], w: Sequence[Quantity], let: Let) -> Quantity:
    """Return exp(Σ w_n ln p_n), which is 0 if a p_n is 0; an order of weight 0 does not count."""
    return exp(let("S", 0, weighted_sum(w, ln, p)))


@dataclass(frozen=True, slots=True)
class Method:
    """A way to compute BLEU: its stages, by default the paper's, and 0 where that is silent."""

    # From texts to counts
    split: Callable[[str], Tokens] = str.split  # at white space
    joined: Callable[[Segments], Segments] = lambda segments: segments  # joins none
    ngrams: Callable[[Tokens, int], Sequence[Any]] = consecutive
    credit: Callable[[int, Sequence[int]], int] = clip
    total: Callable[..., int] = lambda grams, reference_grams, c: grams.total()
    length: Callable[[int, Sequence[int]], Quantity] = closest
    averaged: str = ""  # the quantity to average over segments, in `changes.run`, or ""
    # From the sums of the counts to the score
    refuse: Callable[[Counts], None] = lambda counts: None  # raises an error where a tool fails
    is_smoothed: Callable[[Counts], bool] = lambda counts: any(counts.matched)
    smooth: Callable[[Counts, Let], Pairs] = unsmoothed  # others raise matches of 0
    too_short: Callable[..., Quantity] = lambda matched, c: 0  # p_n of an order without n-grams
    weigh: Callable[..., Weights] = lambda weights, precisions, totals, c: weights  # drops no order
    is_zero: Callable[..., bool] = lambda counts, precisions, weights: False  # force BLEU to 0?
    penalty: Callable[[Quantity, Quantity], Quantity] = brevity_penalty
    mean: Callable[..., Quantity] = geometric_mean


def count(method: Method, hypotheses: Sequence[str], references: Any, max_order: int = 4) -> Counts:
    """Count a corpus; `references[i]` are the references of `hypotheses[i]`."""
    texts = zip(hypotheses, references, strict=True)
    segments = [(method.split(text), list(map(method.split, others))) for text, others in texts]
    c = sum(len(tokens) for tokens, _ in segments)
    r = sum(method.length(len(tokens), list(map(len, others))) for tokens, others in segments)
    matched, total = [0] * max_order, [0] * max_order
    for tokens, others in method.joined(segments):
        for n in range(1, max_order + 1):
            grams, *reference_grams = (Counter(method.ngrams(t, n)) for t in (tokens, *others))
            for gram, number in grams.items():
                matched[n - 1] += method.credit(number, [other[gram] for other in reference_grams])
            total[n - 1] += method.total(grams, reference_grams, len(tokens))
    return Counts(matched, total, c, r, counting="by definition" if segments else "")


def bleu(method: Method, counts: Any, weights: Weights | None = None, let: Let = as_it_is) -> Any:
    """Return BLEU = BP · exp(Σ w_n ln p_n) of `Counts`, with weights of 1/N if none are given."""
    method.refuse(counts)
    matched = [let("matched", n, number) for n, number in enumerate(counts.matched, 1)]
    total = [let("total", n, number) for n, number in enumerate(counts.total, 1)]
    c, r = let("c", 0, counts.hypothesis_length), let("r", 0, counts.reference_length)
    counts = replace(counts, matched=matched, total=total, hypothesis_length=c, reference_length=r)
    is_smoothed = method.is_smoothed(counts)
    pairs = method.smooth(counts, let) if is_smoothed else unsmoothed(counts, let)
    p = [quotient(m, t) if t else (method.too_short(m, c) if is_smoothed else 0) for m, t in pairs]
    weights = weights or Weights.from_numerators((1,) * len(p), len(p))
    used = method.weigh(weights, p, [t for _, t in pairs], c)
    if method.is_zero(counts, p, used):
        p, used = [0] * len(p), weights
    p = [let("p", n, p_n) for n, p_n in enumerate(p, 1)]
    w = [let("w", n, w_n) for n, w_n in enumerate(used.weights, 1)]
    penalty, mean = let("BP", 0, method.penalty(c, r)), let("GM", 0, method.mean(p, w, let))
    return let("BLEU", 0, penalty * mean)
