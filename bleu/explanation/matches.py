"""Texts with their matching n-grams marked, and sentences about single n-grams."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import Final

from bleu.core.clipping import Ngram, max_reference_counts, ngrams
from bleu.core.derivation import Derivation
from bleu.core.memoize import memoize
from bleu.core.ngrams import Match, Order
from bleu.core.short_repr import short_repr
from bleu.core.tokenizers import Tokens
from bleu.document.blocks import MarkedRun, MarkedText, MarkedToken, Paragraph, Quote, paragraph
from bleu.explanation.phrases import (
    count_with_noun,
    english_list,
    ngram_text,
    reference_names,
    token_text,
    tokens_writing,
)

MAX_TOKENS: Final = 300
"""The maximum number of tokens shown of a text with one order marked."""
MAX_STACKED_TOKENS: Final = 100
"""The maximum number of tokens shown of a text with one row per order."""
MAX_STRETCH_TOKENS: Final = 50
"""The length of a stretch of matching tokens above which longer ones are not told apart."""
MAX_CONTEXT_TOKENS: Final = 20_000
"""The number of tokens of the texts above which the first occurrences are marked, to save time."""
CACHE_CAPACITY: Final = 1 << 17
"""The number of tokens whose stretches are memoized, enough for texts typed on the page."""
KIND_PRIORITY: Final = ("credited", "present", "clipped", "unmatched", "")
"""The kinds by priority, for tokens that belong to n-grams of several kinds."""

Mark = tuple[str, str]
"""The key of an n-gram, such as "2-0", and its kind at one position, such as "credited"."""

MatchIndex = dict[Ngram, tuple[str, Match]]
"""The key and the match of every n-gram of the hypothesis."""


def marked_texts(derivation: Derivation, n: int, row_label: str = "") -> tuple[MarkedText, ...]:
    """Return the candidate and the references with the n-grams of order n marked.

    An n-gram of the candidate is credited, clipped or unmatched. An n-gram of a reference is
    credited if no other reference has more occurrences of it, else present; occurrences beyond the
    count in the candidate are not marked. Occurrences in the longest stretch that the texts share
    come first. With a `row_label`, each text is one of several rows, one for each order: it has at
    most `MAX_STACKED_TOKENS` tokens, and lanes (lines of marks) without a mark are omitted.

    Raises ValueError if the derivation has no order n.

    >>> from bleu import derive
    >>> text, _ = marked_texts(derive("the the cat", ["the cat"]), 1)
    >>> [token.kind for token in text.tokens]
    ['clipped', 'credited', 'credited']
    """
    if not 1 <= n <= len(derivation.orders):
        raise ValueError(f"order to mark is {n}; choose 1 to {len(derivation.orders)}")
    order = derivation.orders[n - 1]
    matches = {match.ngram: (f"{n}-{i}", match) for i, match in enumerate(order.matches())}
    keys = (matches[ngram][0] for ngram in ngrams(order.hypothesis, n))
    marks = zip(keys, candidate_kinds(order), strict=True)
    texts = [_marked_text("Candidate", order.hypothesis, n, marks, row_label)]
    names = reference_names(len(derivation.references))
    for index, (name, tokens) in enumerate(zip(names, derivation.references, strict=True)):
        reference_marks = _reference_marks(order, matches, index)
        texts.append(_marked_text(name, tokens, n, reference_marks, row_label))
    return tuple(texts)


def stacked_texts(derivation: Derivation) -> tuple[tuple[MarkedText, ...], ...]:
    """Return each text as one row per order, with the n-grams of that order marked.

    >>> from bleu import derive
    >>> candidate, _ = stacked_texts(derive("a b", ["a b"], max_order=2))
    >>> [row.row_label for row in candidate]
    ['1-grams', '2-grams']
    """
    texts_by_order = (
        marked_texts(derivation, order.n, f"{order.n}-grams") for order in derivation.orders
    )
    return tuple(zip(*texts_by_order, strict=True))


def ngram_sentence(derivation: Derivation, key: str) -> Paragraph:
    """Return a sentence on one n-gram: its counts, and how many occurrences are credited.

    `key` is the order and the index of the n-gram in `Order.matches`, such as "2-0".

    Raises ValueError if the candidate has no such n-gram.

    >>> from bleu import derive
    >>> from bleu.render.text import blocks
    >>> print(blocks([ngram_sentence(derive("the the cat", ["the cat"]), "1-0")]), end="")
    “the”: 2 times in the candidate, but at most once in a reference. 1 credited, 1 clipped away.
    """
    for order in derivation.orders:
        if key.startswith(f"{order.n}-"):
            for index, match in enumerate(order.matches()):
                if key == f"{order.n}-{index}":
                    ngram = Quote(ngram_text(match.ngram), tokens_writing(derivation.hypothesis))
                    names = reference_names(len(derivation.references), short=True)
                    return paragraph(ngram, f": {_counts_text(match, names)}")
    raise ValueError(
        f"key is {short_repr(key)}; choose order and index of a candidate n-gram, as in '2-0'"
    )


def _counts_text(match: Match, names: tuple[str, ...]) -> str:
    maximum = match.max_reference_count
    start = f"{_times(match.count)} in the candidate"
    if not maximum:
        return f"{start}, and in no reference. Nothing is credited."
    is_clipped = match.count > maximum
    if len(names) > 1:
        counts = zip(names, match.reference_counts, strict=True)
        best = english_list([name for name, count in counts if count == maximum][:3])
        limit = "but at most" if is_clipped else "and at most"
        where = f"any one reference (in {best})"
    elif is_clipped:
        limit, where = "but at most", "a reference"
    else:
        limit, where = "and", "the reference"
    clipped = f", {match.count - match.clipped_count} clipped away" if is_clipped else ""
    return (
        f"{start}, {limit} {_times(maximum)} in {where}. {match.clipped_count} credited{clipped}."
    )


def _times(count: int) -> str:
    return "once" if count == 1 else count_with_noun(count, "time")


def candidate_kinds(order: Order) -> Iterator[str]:
    """Yield the kind of each n-gram of the candidate: credited, clipped or unmatched.

    >>> from bleu import derive
    >>> list(candidate_kinds(derive("the dog sees the cat", ["the cat"]).orders[0]))
    ['clipped', 'unmatched', 'unmatched', 'credited', 'credited']
    """
    quotas = max_reference_counts(order.references, order.n)
    starts = _starts_by_context(order.hypothesis, order.references, order.n, quotas)
    for start, ngram in enumerate(ngrams(order.hypothesis, order.n)):
        matched_kind = "credited" if start in starts else "clipped"
        yield matched_kind if ngram in quotas else "unmatched"


def _reference_marks(order: Order, matches: MatchIndex, index: int) -> Iterator[Mark]:
    reference = order.references[index]
    quotas = {ngram: match.count for ngram, (_, match) in matches.items()}
    starts = _starts_by_context(reference, (order.hypothesis,), order.n, quotas)
    for start, ngram in enumerate(ngrams(reference, order.n)):
        if ngram not in matches:
            yield "", ""
            continue
        key, match = matches[ngram]
        has_maximum = match.reference_counts[index] == match.max_reference_count
        kind = "credited" if has_maximum else "present"
        yield key, kind if start in starts else ""


def _starts_by_context(
    text: Tokens, others: tuple[Tokens, ...], n: int, quotas: Mapping[Ngram, int]
) -> set[int]:
    """Return the starts of as many occurrences of each n-gram as its quota allows.

    Those within the longest stretch that also stands in another text come first, then those
    further left.
    """
    starts_by_ngram = defaultdict(list)
    for start, ngram in enumerate(ngrams(text, n)):
        if ngram in quotas:
            starts_by_ngram[ngram].append(start)
    chosen: set[int] = set()
    for ngram, starts in starts_by_ngram.items():
        if len(starts) > quotas[ngram]:
            firsts, ends = _stretches(text, others)
            lengths = {start: _stretch_length(firsts, ends, start, n) for start in starts}
            starts.sort(key=lengths.__getitem__, reverse=True)  # stable: ties from the left
        chosen.update(starts[: quotas[ngram]])
    return chosen


def _stretch_length(firsts: list[int], ends: list[int], start: int, n: int) -> int:
    """Return the length of the longest stretch that contains the n-gram at `start`."""
    containing = range(bisect_left(ends, start + n), bisect_right(firsts, start))
    return max((ends[i] - firsts[i] for i in containing), default=0)


@memoize(CACHE_CAPACITY, size=lambda text, others: len(text) + sum(map(len, others)))
def _stretches(text: Tokens, others: tuple[Tokens, ...]) -> tuple[list[int], list[int]]:
    """Return where the stretches of tokens that also stand in another text start and end.

    None contains another; texts of more than MAX_CONTEXT_TOKENS have none. Each distinct token is
    written as one character, so that a stretch is found by a search in a string.

    >>> _stretches(("a", "b", "c", "x", "c"), (("b", "c"), ("a", "b")))
    ([0, 1, 4], [2, 3, 5])
    """
    if len(text) + sum(map(len, others)) > MAX_CONTEXT_TOKENS:
        return [], []
    numbers = {token: number for number, token in enumerate(chain(text, *others), 1)}
    encoded, *encoded_others = (
        "".join([chr(numbers[token]) for token in tokens]) for tokens in (text, *others)
    )
    searched = "\0".join(encoded_others)
    start, firsts, ends = 0, list[int](), list[int]()
    for end in range(1, len(text) + 1):
        while end - start > MAX_STRETCH_TOKENS or encoded[start:end] not in searched:
            start += 1
        if firsts and firsts[-1] == start:
            ends[-1] = end
        elif start < end:
            firsts.append(start)
            ends.append(end)
    return firsts, ends


def _marked_text(
    title: str, tokens: Tokens, n: int, marks: Iterator[Mark], row_label: str
) -> MarkedText:
    size = min(len(tokens), MAX_STACKED_TOKENS if row_label else MAX_TOKENS)
    displayed_marks = list(islice(marks, size))
    lanes = list(_lanes(displayed_marks, n, size))
    if row_label:
        lanes = [lane for lane in lanes if any(run.kind for run in lane)]
    marked_tokens = []
    for index in range(size):
        runs = tuple(lane[index] for lane in lanes)
        key = displayed_marks[index][0] if index < len(displayed_marks) else ""
        kind = min((run.kind for run in runs), key=KIND_PRIORITY.index, default="")
        marked_tokens.append(MarkedToken(token_text(tokens[index]), key, kind, runs))
    hidden = len(tokens) - size
    return MarkedText(title, tuple(marked_tokens), hidden, row_label, tokens_writing(tokens))


def _lanes(marks: list[Mark], n: int, size: int) -> Iterator[list[MarkedRun]]:
    """Yield n lanes without overlaps: lane i marks the n-grams that start at i, i + n and so on."""
    for lane in range(n):
        runs = [MarkedRun()] * size
        for start in range(lane, len(marks), n):
            key, kind = marks[start]
            if kind:
                for index in range(start, min(start + n, size)):
                    runs[index] = MarkedRun(key, kind, index == start, index == start + n - 1)
        yield runs
