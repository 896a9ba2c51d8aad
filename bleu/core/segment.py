"""One segment, from text to statistics: the only place where a segment is counted."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bleu.core.brevity_penalty import REFERENCE_LENGTHS, Length
from bleu.core.clipping import clipped, totals
from bleu.core.ngrams import Order
from bleu.core.settings import Settings
from bleu.core.statistics import Counts, Details, Statistics
from bleu.core.tokenizers import Text, Tokens, is_text, tokenize

Tokenized = tuple[Tokens, tuple[Tokens, ...]]
"""The tokens of a hypothesis, and of each of its references."""
END: Final[Tokens] = ("</s>",)
"""What stands for an empty text where it counts as one token (fairseq)."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A hypothesis with its references: tokens, and the statistics of orders 1 to N."""

    hypothesis: Tokens
    references: tuple[Tokens, ...]
    statistics: Statistics

    @property
    def orders(self) -> tuple[Order, ...]:
        """The n-gram matches of orders 1 to N."""
        counted = zip(self.statistics.matched, self.statistics.total, strict=True)
        return tuple(
            Order(n, self.hypothesis, self.references, *pair) for n, pair in enumerate(counted, 1)
        )


def analyse(hypothesis: Text, references: Sequence[Text], settings: Settings) -> Segment:
    """Tokenize and count one segment.

    `hypothesis` is text or a sequence of tokens, `references` a sequence of such, at least one.

    Raises TypeError for a bare string or something else where the list of references belongs,
    and for text on one side and tokens on the other; ValueError for an empty list.

    >>> analyse("a b", ["a c b"], Settings(max_order=2)).statistics.matched
    (2, 0)
    """
    check_references(hypothesis, references)
    texts = tokenized(hypothesis, references, settings)
    return Segment(*texts, count(texts, settings))


def tokenized(hypothesis: Text, references: Sequence[Text], settings: Settings) -> Tokenized:
    """The tokens of a hypothesis and of each of its references, which must have been checked."""

    def tokens(text: Text) -> Tokens:
        return tokenize(text, settings.tokenizer, lowercase=settings.lowercase, case=settings.case)

    texts = tokens(hypothesis), tuple(map(tokens, references))
    return texts if settings.empty_text == "no-token" else _ended(texts)


def _ended(texts: Tokenized) -> Tokenized:
    """The same texts, with an end in the place of no token at all."""
    hypothesis, references = texts
    return hypothesis or END, tuple(reference or END for reference in references)


def count(texts: Tokenized, settings: Settings, matched: Sequence[int] = ()) -> Statistics:
    """The statistics of one segment's tokens.

    `matched` has the clipped matches of the first `settings.orders` orders, where they are known
    already.

    Raises ValueError for several references where the settings take one.
    """
    hypothesis, references = texts
    length, n = len(hypothesis), settings.max_order
    credited = tuple(matched or clipped(hypothesis, references, settings.orders))
    total = totals(length, len(credited))
    reference_length: Length = len(references[0])  # by any rule, where there is no other
    if len(references) > 1:
        if settings.several_references == "refused":
            raise ValueError(
                "the implementation that these settings follow takes one reference, and there are "
                f"{len(references)}: give one of them, or choose another convention"
            )
        rule = REFERENCE_LENGTHS[settings.reference_length]
        reference_length = rule(length, list(map(len, references)))
    details = _details(credited, total, n) if settings.detailed else None
    return Statistics(credited[:n], total[:n], length, reference_length, details, settings.counting)


def _details(matched: Counts, total: Counts, max_order: int) -> Details:
    fifth = (matched[4], total[4])
    return Details(
        tuple(int(not t) for t in total[:max_order]),
        tuple(int(not m) for m in matched[:max_order]),
        fifth,
        fifth,
        total[:max_order],
    )


def check_references(hypothesis: Text, references: object, name: str = "references") -> None:
    """Refuse what is no list of references for this hypothesis, saying what it is instead."""
    if not is_text(hypothesis):
        raise TypeError(
            "a hypothesis is text or a sequence of tokens, "
            f"not {type(hypothesis).__name__}: {hypothesis!r}"
        )
    if isinstance(references, str):
        raise TypeError(
            f"{name} is a single text, {references[:60]!r}; "
            "give a list of references, even if it has only one"
        )
    if not is_text(references):
        raise TypeError(
            f"{name} is a {type(references).__name__}; "
            "give a list of references, each a text or a list of tokens"
        )
    if not references:
        raise ValueError(f"{name} is empty; give at least one reference")
    plain = isinstance(hypothesis, str)
    for number, reference in enumerate(references, 1):
        if not is_text(reference):
            raise TypeError(
                f"{name} has {reference!r} at place {number}; "
                "give a list of references, each a text or a list of tokens"
            )
        if isinstance(reference, str) != plain:
            kinds = ("text", "a list of tokens")
            mine, its = kinds if plain else kinds[::-1]
            raise TypeError(
                f"the hypothesis is {mine} and reference {number} in {name} is {its}, "
                f"{reference!r}; give both in the same form"
            )
