"""The texts with their matches marked, for one order or for all, and one n-gram in words."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from operator import countOf

from bleu.core.clipping import Ngram, ngrams
from bleu.core.derivation import Derivation
from bleu.core.ngrams import Match, Order, occurrence_statuses
from bleu.core.tokenizers import Tokens
from bleu.document.blocks import MarkedRun, MarkedText, MarkedToken
from bleu.explanation.phrases import (
    count_with_noun,
    english_list,
    ngram_text,
    reference_names,
    token_text,
)

TOKENS_SHOWN = 300
TOKENS_STACKED = 100
"""Tokens of a text that are shown where it stands in a row for each order."""
KIND_PRIORITY = ("credited", "present", "clipped", "unmatched", "")
"""What a token shows where n-grams of several kinds run over it: the first of these."""

Kind = tuple[str, str]
"""The key of an n-gram, and what became of it at one place."""

MatchIndex = dict[Ngram, tuple[str, Match, int]]
"""Of a hypothesis's n-grams those that are shown, each with its key, match, and largest reference
count."""


def marked_texts(
    derivation: Derivation, n: int, max_tokens: int = TOKENS_SHOWN
) -> tuple[MarkedText, ...]:
    """The candidate and the references with the n-grams of order n marked.

    An n-gram of the candidate is credited, clipped or unmatched. One of a reference is credited
    where that reference has it most often, present where another has it more often, and not
    marked beyond what the candidate has or where the candidate lacks it. Of a longer text, the
    first `shown` tokens are there.

    Raises ValueError for an order that the derivation does not have.

    >>> from bleu import derive
    >>> text, _ = marked_texts(derive("the the cat", ["the cat"]), 1)
    >>> [token.kind for token in text.tokens]
    ['credited', 'clipped', 'credited']
    """
    if not 1 <= n <= len(derivation.orders):
        raise ValueError(f"order to mark is {n}; choose 1 to {len(derivation.orders)}")
    order = derivation.orders[n - 1]
    keyed = _index_matches(order, max_tokens)
    texts = [
        _marked_text(
            "Candidate",
            order.hypothesis,
            n,
            _hypothesis_kinds(order, keyed, max_tokens),
            max_tokens,
        )
    ]
    names = reference_names(len(derivation.references))
    for place, (name, tokens) in enumerate(zip(names, derivation.references, strict=True)):
        texts.append(
            _marked_text(
                name, tokens, n, _reference_kinds(order, keyed, place, max_tokens), max_tokens
            )
        )
    return tuple(texts)


def stacked_texts(derivation: Derivation) -> tuple[tuple[MarkedText, ...], ...]:
    """Each text in as many rows as there are orders, each with the n-grams of one order marked.

    >>> from bleu import derive
    >>> candidate, _ = stacked_texts(derive("a b", ["a b"], max_order=2))
    >>> [row.row_label for row in candidate]
    ['1-grams', '2-grams']
    """
    rows = [
        [
            replace(one, row_label=f"{order.n}-grams")
            for one in marked_texts(derivation, order.n, TOKENS_STACKED)
        ]
        for order in derivation.orders
    ]
    return tuple(zip(*rows, strict=True))


def ngram_sentence(derivation: Derivation, key: str) -> str:
    """One n-gram in a sentence: how often it occurs where, and what it is credited.

    Raises ValueError for a key that the derivation does not have.

    >>> from bleu import derive
    >>> ngram_sentence(derive("the the cat", ["the cat"]), "1-0")
    '“the”: 2 times in the candidate, but at most once in a reference. 1 credited, 1 clipped away.'
    """
    for order in derivation.orders:
        if key.startswith(f"{order.n}-"):
            for place, ngram in enumerate(_distinct_ngrams(order)):
                if key == f"{order.n}-{place}":
                    names = reference_names(len(derivation.references), short=True)
                    return _sentence(_match(order, ngram), names)
    raise ValueError(f"no n-gram has the key {key!r}; keys are an order and a place, as in 2-0")


def _distinct_ngrams(order: Order) -> Iterator[Ngram]:
    """The distinct n-grams of the hypothesis, none of them counted."""
    seen: set[Ngram] = set()
    for ngram in ngrams(order.hypothesis, order.n):
        if ngram not in seen:
            seen.add(ngram)
            yield ngram


def _match(order: Order, ngram: Ngram) -> Match:
    """One match, without counting any other n-gram."""
    texts = (order.hypothesis, *order.references)
    own, *others = (countOf(ngrams(tokens, order.n), ngram) for tokens in texts)
    return Match(ngram, own, tuple(others))


def _sentence(match: Match, names: tuple[str, ...]) -> str:
    most = match.max_reference_count
    here = f"“{ngram_text(match.ngram)}”: {_times(match.count)} in the candidate"
    if not most:
        return f"{here}, and in no reference. Nothing is credited."
    if len(names) == 1:
        where = "a reference" if match.count > most else "the reference"
    else:
        counts = zip(names, match.reference_counts, strict=True)
        best = english_list([name for name, count in counts if count == most][:3])
        where = f"any one reference (in {best})"
    limit = "but at most" if match.count > most else "and" if len(names) == 1 else "and at most"
    lost = match.count - match.clipped_count
    clipped = f", {lost} clipped away" if lost else ""
    return f"{here}, {limit} {_times(most)} in {where}. {match.clipped_count} credited{clipped}."


def _times(count: int) -> str:
    return "once" if count == 1 else count_with_noun(count, "time")


def _index_matches(order: Order, most: int) -> MatchIndex:
    texts = (order.hypothesis, *order.references)
    shown = {gram for tokens in texts for gram in _displayed_ngrams(tokens, order.n, most)}
    others = order.reference_counts
    keyed = {}
    for place, (gram, times) in enumerate(order.counts.items()):
        if gram in shown:
            match = Match(gram, times, tuple(counts.get(gram, 0) for counts in others))
            keyed[gram] = f"{order.n}-{place}", match, match.max_reference_count
    return keyed


def _hypothesis_kinds(order: Order, keyed: MatchIndex, most: int) -> list[Kind]:
    kinds = occurrence_statuses(
        _displayed_ngrams(order.hypothesis, order.n, most), lambda gram: keyed[gram][2]
    )
    shown = zip(_displayed_ngrams(order.hypothesis, order.n, most), kinds, strict=True)
    return [(keyed[gram][0], kind) for gram, kind in shown]


def _reference_kinds(order: Order, keyed: MatchIndex, place: int, most: int) -> list[Kind]:
    seen: Counter[Ngram] = Counter()
    kinds = []
    for gram in _displayed_ngrams(order.references[place], order.n, most):
        if gram not in keyed:
            kinds.append(("", ""))
            continue
        seen[gram] += 1
        key, match, largest = keyed[gram]
        kind = "credited" if match.reference_counts[place] == largest else "present"
        kinds.append((key, kind if seen[gram] <= match.count else ""))
    return kinds


def _displayed_ngrams(tokens: Tokens, n: int, most: int) -> Iterator[Ngram]:
    """The n-grams that begin at a token that is shown."""
    return islice(ngrams(tokens, n), most)


def _marked_text(
    title: str, tokens: tuple[object, ...], n: int, kinds: list[Kind], most: int
) -> MarkedText:
    shown = min(len(tokens), most)
    lanes = list(_lanes(kinds, n, shown))
    marked = []
    for place in range(shown):
        runs = tuple(lane[place] for lane in lanes)
        key = kinds[place][0] if place < len(kinds) else ""
        kind = min((run.kind for run in runs), key=KIND_PRIORITY.index)
        marked.append(MarkedToken(token_text(tokens[place]), key, kind, runs))
    return MarkedText(title, tuple(marked), len(tokens) - shown)


def _lanes(kinds: list[Kind], n: int, shown: int) -> Iterator[list[MarkedRun]]:
    """N lanes in which the n-grams of one order do not overlap."""
    for lane in range(n):
        runs = [MarkedRun()] * shown
        for start in range(lane, min(len(kinds), shown), n):
            key, kind = kinds[start]
            if kind:
                for place in range(start, min(start + n, shown)):
                    runs[place] = MarkedRun(key, kind, place == start, place == start + n - 1)
        yield runs
