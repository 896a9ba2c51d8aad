"""The same texts under every convention: who gives what, and who agrees."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from bleu.core.clipping import clipped
from bleu.core.conventions import (
    CONVENTIONS,
    Case,
    Convention,
    check_convention,
    convention_settings,
)
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


@dataclass(frozen=True, slots=True)
class Group:
    """Outcomes with one score, or with none."""

    value: float | None
    outcomes: tuple[Outcome, ...]


def grouped(outcomes: Sequence[Outcome], here: Derivation) -> tuple[Group, ...]:
    """Outcomes by their score: those that differ, the highest first, none, and those that agree.

    >>> from bleu import derive
    >>> names = ["default", "nltk-method1", "sacrebleu"]
    >>> groups = grouped(compare("a", ["a"], names=names), derive("a", ["a"]))
    >>> [[one.name for one in group.outcomes] for group in groups]
    [['nltk-method1'], ['default', 'sacrebleu']]
    """
    groups: list[list[Outcome]] = []
    for outcome in outcomes:
        for group in groups:
            both_none = group[0].value is None and outcome.value is None
            if both_none or agree(group[0].value, outcome.value):
                group.append(outcome)
                break
        else:
            groups.append([outcome])

    def place(group: Group) -> tuple[bool, bool, float]:
        same = agree(group.value, here.score.value)
        return same, group.value is None, -(group.value or 0.0)

    return tuple(sorted((Group(one[0].value, tuple(one)) for one in groups), key=place))


def caveats(outcome: Outcome, here: Derivation) -> list[str]:
    """What a convention gets wrong, as far as it concerns these texts.

    >>> from bleu import derive
    >>> [one] = compare("a b c d", ["a b c d"], names=["nltk-method5"])
    >>> caveats(one, derive("a b c d", ["a b c d"]))
    ['It can exceed 1: a perfect match of four tokens scores 1.0106.']
    """
    if outcome.derivation is None:
        return []
    score, c = outcome.derivation.score, outcome.derivation.score.hypothesis_length
    lengths = outcome.derivation.reference_lengths
    nearest = min(abs(length - c) for length in lengths)
    concerned: dict[Case, bool] = {
        "over one": score.value > 1,
        "score 0": here.score.value == 0 < score.value,
        "nothing matches": not any(score.matched),
        "an order is empty": not all(score.matched),
        "too short": not all(score.total),
        "one token": c == 1,
        "a tie of lengths": len({n for n in lengths if abs(n - c) == nearest}) > 1,
    }
    found = outcome.convention.caveats
    return [caveat.words for caveat in found if concerned.get(caveat.case)]


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
        if max_order > convention.largest_order:
            words = f"It takes N up to {convention.largest_order} only."
            return Outcome(name, convention, None, words)
        fixed: Mapping[str, int] = (
            {} if "max_order" in convention.settings else {"max_order": max_order}
        )
        settings = convention_settings(name, **fixed)
        texts = self._tokens(settings)
        for text, empty in (("hypothesis", not texts[0]), ("reference", not all(texts[1]))):
            if empty and text in convention.fails_on_empty:
                return Outcome(name, convention, None, f"It fails on an empty {text}.")
        statistics = count(texts, settings, self._matched(texts, settings.orders))
        try:
            score = compute(statistics, settings)
        except ValueError as error:
            return Outcome(name, convention, None, f"It fails here: {error}.")
        return Outcome(name, convention, Derivation(settings, Segment(*texts, statistics), score))

    def _tokens(self, settings: Settings) -> Tokenized:
        key = (settings.tokenizer, settings.lowercase, settings.case, settings.empty_text)
        if key not in self.tokens:
            self.tokens[key] = tokenized(self.hypothesis, self.references, settings)
        return self.tokens[key]

    def _matched(self, words: Tokenized, max_order: int) -> list[int]:
        if (words, max_order) not in self.counts:
            self.counts[words, max_order] = clipped(*words, max_order)
        return self.counts[words, max_order]
