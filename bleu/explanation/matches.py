"""Texts with their matching n-grams marked, and sentences about single n-grams."""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Final

from bleu.core.api import Derivation
from bleu.core.display import short_repr
from bleu.core.memoize import memoize
from bleu.core.ngrams import Match, Ngram, Order, count_ngrams, max_reference_counts, ngrams
from bleu.core.tokenizers import Token, Tokens, token_unit
from bleu.document.blocks import KIND_LETTERS, Lane, MarkedText, Paragraph, Quote, paragraph
from bleu.explanation.phrases import (
    count_with_noun,
    english_list,
    ngram_text,
    reference_names,
    token_text,
    tokens_writing,
)

MAX_TOKENS: Final = 300
"""The maximum number of tokens of a text that are marked."""
MAX_STRETCH_TOKENS: Final = 50
"""The length of a stretch of matching tokens above which longer ones are not told apart."""
MAX_CONTEXT_TOKENS: Final = 20_000
"""The number of tokens of the texts above which the first occurrences are marked, to save time."""
CACHE_CAPACITY: Final = 1 << 17
"""The number of tokens whose stretches are memoized, enough for texts typed on the page."""
_LETTER_ORDER = "".join(KIND_LETTERS.values())
_DIGITS, _NO_MARK = "01234", "4"  # Kinds as digits: the strongest is the lowest.
_RANKS = str.maketrans(_LETTER_ORDER, _DIGITS)
_LETTERS = str.maketrans(_DIGITS, _LETTER_ORDER)

MAX_LANES: Final = 4
"""The maximum number of lanes under a line of text."""
MAX_LISTED: Final = 12
"""The maximum number of tokens that a description lists."""

Mark = tuple[str, str]
"""The key of an n-gram, such as "2-0", and its kind at one position, such as "credited"."""


def marked_texts(derivation: Derivation, n: int = 0) -> tuple[MarkedText, ...]:
    """Return the candidate and the references with the n-grams of order n marked, or 0 for all.

    An n-gram of the candidate is credited, clipped or unmatched. An n-gram of a reference is
    credited if no other reference has more occurrences of it, else present; occurrences beyond the
    count in the candidate are not marked. Occurrences in the longest stretch that the texts share
    come first. If all orders are marked, keys and kinds are those of the words.

    Raises ValueError if the derivation has no order n.

    >>> from bleu import derive
    >>> text, _ = marked_texts(derive("the the cat", ["the cat"]), 1)
    >>> text.keys, text.lanes
    (('1-0', '1-0', '1-1'), (('xcc', '...'),))
    """
    if not 0 <= n <= len(derivation.orders):
        raise ValueError(
            f"order to mark is {n}; choose 1 to {len(derivation.orders)}, or 0 for all"
        )
    titles = "Candidate", *reference_names(len(derivation.references))
    all_lanes = [] if n else text_lanes(derivation)
    texts = []
    for i, marks in enumerate(_marks(derivation.orders[max(n, 1) - 1])):
        tokens, first_marks = _texts(derivation)[i], list(islice(marks, MAX_TOKENS))
        size, kinds = min(len(tokens), MAX_TOKENS), [kind for _, kind in first_marks]
        lanes = [*_lanes(kinds, size, n, min(n, MAX_LANES))] if n else all_lanes[i]
        columns = zip(*(letters for letters, _ in (lanes if n else lanes[:1])), strict=True)
        texts.append(
            MarkedText(
                titles[i],
                tuple(map(token_text, tokens[:size])),
                tuple(key for key, _ in first_marks),
                "".join(min(column, key=_LETTER_ORDER.index) for column in columns),
                tuple(lanes),
                len(tokens) - size,
                tokens_writing(tokens),
            )
        )
    return tuple(texts)


def text_lanes(derivation: Derivation, marked_order: int = 0) -> list[list[Lane]]:
    """Return the lanes of each text: one for each of the first orders, or several for one order.

    A lane has a letter of `KIND_LETTERS` for each token and one for the gap after it: the strongest
    kind of the n-grams that contain the token, or both its neighbours. If one order is marked, its
    n-grams take turns in up to four lanes, so that they can be counted. Words without a match have
    a mark in the first lane of the candidate only.

    >>> from bleu import derive
    >>> text_lanes(derive("the the cat", ["the cat"], max_order=2))
    [[('xcc', '...'), ('.cc', '.c.')], [('cc', '..'), ('cc', 'c.')]]
    """
    lanes: list[list[Lane]] = [[] for _ in _texts(derivation)]
    for order in _shown_orders(derivation, marked_order)[:MAX_LANES]:
        turns = min(order.n, MAX_LANES) if marked_order else 1
        for rows, tokens, kinds in zip(lanes, _texts(derivation), _kinds(order), strict=True):
            size = min(len(tokens), MAX_TOKENS)
            rows += _lanes(islice(kinds, MAX_TOKENS), size, order.n, turns)
    return lanes


def _shown_orders(derivation: Derivation, marked_order: int) -> tuple[Order, ...]:
    return derivation.orders[marked_order - 1 : marked_order] or derivation.orders


def _lanes(kinds: Iterable[str], size: int, n: int, turns: int) -> Iterator[Lane]:
    """Yield lanes in which n-grams of these kinds take turns, over a number of tokens."""
    letters = "".join([KIND_LETTERS[kind] for kind in kinds]).ljust(size, ".")
    if n > 1:
        letters = letters.replace("u", ".")
    for turn in range(turns):
        row = "".join([x if i % turns == turn else "." for i, x in enumerate(letters)])
        yield _lane(row, n)


def _lane(letters: str, n: int) -> Lane:
    """Return the lane of n-grams whose kinds are the letters at their first tokens."""
    ranks, ends = letters.translate(_RANKS), range(1, len(letters) + 1)
    tokens = "".join([min(ranks[max(0, end - n) : end]) for end in ends])
    gaps = "".join([min(ranks[max(0, end - n + 1) : end], default=_NO_MARK) for end in ends])
    return tokens.translate(_LETTERS), gaps.translate(_LETTERS)


def ngram_at(
    derivation: Derivation, text: int, position: int, marked_order: int = 0
) -> tuple[str, list[list[int]]]:
    """Return the longest n-gram that counts and contains a token, or the token alone.

    Texts are counted from 0, the candidate. Returns the key of the n-gram, or "" for a token that
    the candidate lacks, and the positions in each text at which it starts.

    >>> from bleu import derive
    >>> derivation = derive("the the cat", ["the cat sat"], max_order=2)
    >>> ngram_at(derivation, 0, 1), ngram_at(derivation, 0, 0), ngram_at(derivation, 1, 2)
    (('2-1', [[1], [0]]), ('1-0', [[0, 1], [0]]), ('', [[], [2]]))
    """
    for order in (*reversed(_shown_orders(derivation, marked_order)), derivation.orders[0]):
        marks = [list(islice(text_marks, MAX_TOKENS)) for text_marks in _marks(order)]
        for key, kind in marks[text][max(0, position + 1 - order.n) : position + 1]:
            if kind in {"credited", "present"} or (key and order.n == 1):
                return key, _starts(marks, key)
    return "", [[position] if index == text else [] for index in range(len(marks))]


def ngram_starts(derivation: Derivation, key: str) -> list[list[int]]:
    """Return the positions in each text at which an n-gram starts, by its key, such as "2-0".

    >>> from bleu import derive
    >>> ngram_starts(derive("a b a", ["b a"], max_order=2), "1-0")
    [[0, 2], [1]]
    """
    order = derivation.orders[int(key.partition("-")[0]) - 1]
    return _starts([islice(text_marks, MAX_TOKENS) for text_marks in _marks(order)], key)


def _starts(marks: Iterable[Iterable[Mark]], key: str) -> list[list[int]]:
    return [[i for i, (each, _) in enumerate(text) if each == key] for text in marks]


def text_descriptions(derivation: Derivation) -> list[str]:
    """Return for each text how many of its tokens match, and which do not, as a sentence.

    >>> from bleu import derive
    >>> text_descriptions(derive("the the dog", ["the cat"]))
    ['1 of 3 words count. Cut off: “the”. No match: “dog”.', '1 of 2 words match. No match: “cat”.']
    """
    unit = "word" if token_unit(derivation.settings.tokenizer) == "spaces" else "token"
    verb, sentences = "count", []
    for tokens, text_kinds in zip(_texts(derivation), _kinds(derivation.orders[0]), strict=True):
        kinds = list(text_kinds)
        cut_off = [token for token, kind in zip(tokens, kinds, strict=True) if kind == "clipped"]
        unmatched = [
            token for token, kind in zip(tokens, kinds, strict=True) if kind in {"unmatched", ""}
        ]
        count = len(kinds) - len(unmatched) - len(cut_off)
        parts = [f"{count} of {count_with_noun(len(kinds), unit)} {verb}"]
        parts += [f"Cut off: {_listed(cut_off)}"] * bool(cut_off)
        parts += [f"No match: {_listed(unmatched)}"] * bool(unmatched)
        sentences.append(f"{'. '.join(parts)}.")
        verb = "match"
    return sentences


def _listed(tokens: Sequence[Token]) -> str:
    """Return tokens as a list, the first of them if there are many."""
    listed = ", ".join(f"“{token_text(token)}”" for token in tokens[:MAX_LISTED])
    hidden = len(tokens) - MAX_LISTED
    return f"{listed} and {hidden} more" if hidden > 0 else listed


def word_sentence(derivation: Derivation, position: int) -> Paragraph:
    """Return a sentence on a word of the candidate: which occurrence it is, and if it counts.

    >>> from bleu import derive
    >>> from bleu.render.text import spans
    >>> spans(word_sentence(derive("the the cat", ["the cat"]), 0).spans)
    '“the”, first of 2: cut off, because the reference has only 1.'
    """
    tokens, order = derivation.hypothesis, derivation.orders[0]
    token = tokens[position]
    kind = next(islice(candidate_kinds(order), position, None))
    word = Quote(token_text(token), tokens_writing(tokens))
    place = f", {_ordinal(tokens[: position + 1].count(token))} of {tokens.count(token)}"
    text = {"credited": "it counts", "unmatched": "no match"}.get(kind, "cut off")
    if kind == "clipped":
        maximum = max(reference.count(token) for reference in derivation.references)
        has = (
            "the reference has only"
            if len(derivation.references) == 1
            else ("no reference has more than")
        )
        text += f", because {has} {maximum}"
    return paragraph(word, f"{place * (tokens.count(token) > 1)}: {text}.")


def _ordinal(number: int) -> str:
    return {1: "first", 2: "second", 3: "third"}.get(number, f"number {number}")


def read_marks(derivation: Derivation, text: int) -> str:
    """Return a text in runs of tokens of one kind, for listeners; texts are counted from 0.

    >>> from bleu import derive
    >>> read_marks(derive("the cat the sat", ["the cat"]), 0)
    'the cat, credited; second the, cut off; sat, no match.'
    """
    tokens, runs = _texts(derivation)[text], list[tuple[str, list[str]]]()
    kinds = islice(_kinds(derivation.orders[0])[text], MAX_TOKENS)
    for position, (token, kind) in enumerate(zip(tokens, kinds, strict=False)):
        label = {"": "no match", "present": "another reference has more"}.get(kind, kind)
        label = {"clipped": "cut off", "unmatched": "no match"}.get(kind, label)
        words = token_text(token)
        if kind == "clipped":
            words = f"{_ordinal(tokens[: position + 1].count(token))} {words}"
        if not runs or runs[-1][0] != label:
            runs.append((label, []))
        runs[-1][1].append(words)
    sentences = (f"{' '.join(words)}, {label}" for label, words in runs)
    return f"{'; '.join(sentences)}."


def ngram_sentence(derivation: Derivation, key: str) -> Paragraph:
    """Return a sentence on one n-gram: its counts, and how many occurrences are credited.

    `key` is the order and the index of the n-gram in `Order.matches`, such as "2-0".

    Raises ValueError if the candidate has no such n-gram.

    >>> from bleu import derive
    >>> from bleu.render.text import blocks
    >>> print(blocks([ngram_sentence(derive("the the cat", ["the cat"]), "1-0")]), end="")
    “the”: 2 times in the candidate, at most once in the reference: 1 credited, 1 cut off.
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
    start, maximum = f"{_times(match.count)} in the candidate", match.max_reference_count
    if not maximum:
        return f"{start}, no match."
    counts = zip(names, match.reference_counts, strict=True)
    where = english_list([name for name, count in counts if count == maximum][:3])
    is_clipped = match.count > maximum
    limit = "at most " if is_clipped or len(names) > 1 else ""
    credit = ""
    if is_clipped:
        credit = f": {match.clipped_count} credited, {match.count - match.clipped_count} cut off"
    return f"{start}, {limit}{_times(maximum)} in {where}{credit}."


def _times(count: int) -> str:
    return "once" if count == 1 else count_with_noun(count, "time")


def candidate_kinds(order: Order) -> Iterator[str]:
    """Yield the kind of each n-gram of the candidate: credited, clipped or unmatched.

    >>> from bleu import derive
    >>> list(candidate_kinds(derive("the dog sees the cat", ["the cat"]).orders[0]))
    ['clipped', 'unmatched', 'unmatched', 'credited', 'credited']
    """
    return _candidate_kinds(order, max_reference_counts(order.references, order.n))


def _candidate_kinds(order: Order, quotas: Mapping[Ngram, int]) -> Iterator[str]:
    credits = _credits_by_context(order.hypothesis, order.references, order.n, quotas)
    for ngram, is_credited in zip(ngrams(order.hypothesis, order.n), credits, strict=True):
        matched_kind = "credited" if is_credited else "clipped"
        yield matched_kind if ngram in quotas else "unmatched"


def _texts(derivation: Derivation) -> tuple[Tokens, ...]:
    return derivation.hypothesis, *derivation.references


def _kinds(order: Order) -> list[Iterator[str]]:
    """Return the kinds of the n-grams of the candidate and of each reference."""
    max_counts, quotas = max_reference_counts(order.references, order.n), order.counts
    return [
        _candidate_kinds(order, max_counts),
        *(_reference_kinds(order, tokens, max_counts, quotas) for tokens in order.references),
    ]


def _reference_kinds(
    order: Order, reference: Tokens, max_counts: Mapping[Ngram, int], quotas: Mapping[Ngram, int]
) -> Iterator[str]:
    counts = count_ngrams(reference, order.n)
    credits = _credits_by_context(reference, (order.hypothesis,), order.n, quotas)
    for ngram, is_credited in zip(ngrams(reference, order.n), credits, strict=True):
        kind = "credited" if counts[ngram] == max_counts[ngram] else "present"
        yield kind if is_credited else ""


def _marks(order: Order) -> list[Iterator[Mark]]:
    """Return the marks of the n-grams of the candidate and of each reference."""
    keys = {ngram: f"{order.n}-{index}" for index, ngram in enumerate(order.counts)}
    texts = order.hypothesis, *order.references
    return [
        zip((keys.get(ngram, "") for ngram in ngrams(tokens, order.n)), kinds, strict=True)
        for tokens, kinds in zip(texts, _kinds(order), strict=True)
    ]


def _credits_by_context(
    text: Tokens, others: tuple[Tokens, ...], n: int, quotas: Mapping[Ngram, int]
) -> Iterator[bool]:
    """Yield for each n-gram whether it is one of as many occurrences as its quota allows.

    Those within the longest stretch that also stands in another text come first, then those
    further left. Long texts take the leftmost, without reading further than is asked for.
    """
    if len(text) + sum(map(len, others)) > MAX_CONTEXT_TOKENS:
        seen: Counter[Ngram] = Counter()
        for ngram in ngrams(text, n):
            seen[ngram] += 1
            yield seen[ngram] <= quotas.get(ngram, 0)
        return
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
    for start in range(len(text) - n + 1):
        yield start in chosen


def _stretch_length(firsts: list[int], ends: list[int], start: int, n: int) -> int:
    """Return the length of the longest stretch that contains the n-gram at `start`."""
    containing = range(bisect_left(ends, start + n), bisect_right(firsts, start))
    return max((ends[i] - firsts[i] for i in containing), default=0)


@memoize(CACHE_CAPACITY, size=lambda text, others: len(text) + sum(map(len, others)))
def _stretches(text: Tokens, others: tuple[Tokens, ...]) -> tuple[list[int], list[int]]:
    """Return where the stretches of tokens that also stand in another text start and end.

    None contains another. Each distinct token is written as one character, so that a stretch is
    found by a search in a string.

    >>> _stretches(("a", "b", "c", "x", "c"), (("b", "c"), ("a", "b")))
    ([0, 1, 4], [2, 3, 5])
    """
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
