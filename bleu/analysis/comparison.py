"""The same texts under every convention: who gives what, and who agrees."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from bleu.core.clipping import clipped
from bleu.core.conventions import CONVENTIONS, Convention, check_convention, convention_settings
from bleu.core.derivation import Derivation
from bleu.core.score import compute
from bleu.core.segment import Segment, Tokenized, check_references, count, tokenized
from bleu.core.settings import Settings
from bleu.core.tokenizers import Text

SAME: Final = 1e-12
"""Scores no further apart than this, relatively, agree."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one convention makes of the texts: a derivation, or the reason why there is none."""

    name: str
    convention: Convention
    derivation: Derivation | None
    refusal: str = ""

    @property
    def value(self) -> float | None:
        """The score in [0, 1] (some exceed 1), or None where the convention refuses the texts."""
        return self.derivation.score.value if self.derivation else None


def compare(
    hypothesis: Text,
    references: Sequence[Text],
    max_order: int = 4,
    names: Sequence[str] = tuple(CONVENTIONS),
) -> tuple[Outcome, ...]:
    """The outcome of every convention for one segment, in menu order.

    Texts are tokenized and counted once for all conventions that see the same tokens.

    Raises what `derive` raises, and ValueError for a convention that is not known.

    >>> {o.name: o.value for o in compare("a", ["a"], names=["sacrebleu", "sacrebleu-sentence"])}
    {'sacrebleu': 0.0, 'sacrebleu-sentence': 1.0}
    """
    return tuple(outcomes(hypothesis, references, max_order, names))


def outcomes(
    hypothesis: Text,
    references: Sequence[Text],
    max_order: int = 4,
    names: Sequence[str] = tuple(CONVENTIONS),
) -> Iterator[Outcome]:
    """`compare`, one outcome at a time, so that long texts leave room for other work."""
    check_references(hypothesis, references)
    known = _Known(hypothesis, references)
    for name in names:
        yield known.outcome(name, max_order)


def agree(one: float | None, other: float | None) -> bool:
    """Whether two scores are the same but for rounding.

    >>> agree(0.5, 0.5 + 1e-15), agree(0.5, None)
    (True, False)
    """
    if one is None or other is None:
        return False
    return abs(one - other) <= SAME * max(one, other)


@dataclass(slots=True)
class _Known:
    hypothesis: Text
    references: Sequence[Text]
    tokens: dict[tuple[object, ...], Tokenized] = field(default_factory=dict)
    counts: dict[tuple[Tokenized, int], list[int]] = field(default_factory=dict)

    def outcome(self, name: str, max_order: int) -> Outcome:
        convention = check_convention(name)
        if convention.single_reference and len(self.references) > 1:
            return Outcome(name, convention, None, "It takes one reference only.")
        fixed: Mapping[str, int] = (
            {} if "max_order" in convention.settings else {"max_order": max_order}
        )
        settings = convention_settings(name, **fixed)
        words = self._tokens(settings)
        for text, empty in (("hypothesis", not words[0]), ("reference", not all(words[1]))):
            if empty and text in convention.fails_on_empty:
                return Outcome(name, convention, None, f"It fails on an empty {text}.")
        statistics = count(words, settings, self._matched(words, settings.orders))
        try:
            score = compute(statistics, settings)
        except ValueError as error:
            return Outcome(name, convention, None, f"It fails here: {error}.")
        return Outcome(name, convention, Derivation(settings, Segment(*words, statistics), score))

    def _tokens(self, settings: Settings) -> Tokenized:
        key = (settings.tokenizer, settings.lowercase, settings.case)
        if key not in self.tokens:
            self.tokens[key] = tokenized(self.hypothesis, self.references, settings)
        return self.tokens[key]

    def _matched(self, words: Tokenized, max_order: int) -> list[int]:
        if (words, max_order) not in self.counts:
            self.counts[words, max_order] = clipped(*words, max_order)
        return self.counts[words, max_order]
