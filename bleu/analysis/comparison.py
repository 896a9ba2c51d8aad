"""The same texts under every convention: who gives what, and who agrees."""

from collections.abc import Generator, Iterator, Sequence
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
from bleu.core.score import Score, compute
from bleu.core.segment import Segment, Tokenized, check_references, count, tokenized
from bleu.core.settings import Settings
from bleu.core.statistics import Statistics
from bleu.core.tokenizers import Text

SAME: Final = 1e-12
"""Scores no further apart than this, relatively, agree."""


@dataclass(frozen=True, slots=True)
class ConventionResult:
    """What one convention makes of the texts: a derivation, or the reason why there is none."""

    name: str
    convention: Convention
    derivation: Derivation | None
    refusal: str = ""

    @property
    def value(self) -> float | None:
        """The score in [0, 1] (some exceed 1), or None where the convention refuses the texts."""
        return self.derivation.score.value if self.derivation else None


def convention_results(
    hypothesis: Text,
    references: Sequence[Text],
    max_order: int = 4,
    names: Sequence[str] = tuple(CONVENTIONS),
) -> Iterator[ConventionResult]:
    """The outcome of every convention for one segment, in menu order, one at a time.

    Texts are tokenized and counted once for all conventions that see the same tokens.

    Raises what `derive` raises, and ValueError for a convention that is not known.

    >>> found = convention_results("a", ["a"], names=["sacrebleu", "sacrebleu-sentence"])
    >>> {one.name: one.value for one in found}
    {'sacrebleu': 0.0, 'sacrebleu-sentence': 1.0}
    """
    check_references(hypothesis, references)
    known = _Known(hypothesis, references)
    for name in names:
        yield known.result(name, max_order)


@dataclass(frozen=True, slots=True)
class ConventionCorpusResult:
    """What one convention makes of a corpus under each system: scores, or why there are none."""

    name: str
    convention: Convention
    scores: tuple[Score, ...]
    refusal: str = ""


def convention_corpus_results(
    systems: Sequence[Sequence[Text]],
    references: Sequence[Sequence[Text]],
    max_order: int = 4,
    names: Sequence[str] = tuple(CONVENTIONS),
) -> Generator[tuple[int, int], None, tuple[ConventionCorpusResult, ...]]:
    """The outcome of every convention for a corpus under each system, in menu order.

    `systems[k][i]` is the hypothesis of system k for segment i, and `references[j][i]` its j-th
    reference. Texts are tokenized and counted once for all conventions that see the same tokens.
    Yields (done, all) after every segment.

    Raises what `derive` raises, and ValueError for a convention that is not known.

    >>> texts = [["a b c d", "x"]], [["a b c d", "y"]]
    >>> steps = convention_corpus_results(*texts, names=["sacrebleu"])
    >>> list(steps)
    [(1, 2), (2, 2)]
    """
    refusals = {
        name: _refusal(check_convention(name), len(references), max_order) for name in names
    }
    settings = {name: _settings(name, max_order) for name in names if not refusals[name]}
    totals = {
        name: [Statistics.zero(chosen.max_order) for _ in systems]
        for name, chosen in settings.items()
    }
    size = len(references[0])
    for number in range(size):
        others = [own[number] for own in references]
        for place, system in enumerate(systems):
            check_references(system[number], others)
            known = _Known(system[number], others)
            for name, chosen in settings.items():
                totals[name][place] += known.statistics(chosen)
        yield number + 1, size
    return tuple(
        ConventionCorpusResult(name, check_convention(name), (), refusals[name])
        if refusals[name]
        else _corpus_result(name, settings[name], totals[name])
        for name in names
    )


def _refusal(convention: Convention, references: int, max_order: int) -> str:
    """Why a convention does not take so many references or orders, if it does not."""
    if convention.single_reference and references > 1:
        return "It takes one reference only."
    if max_order > convention.largest_order:
        return f"It takes N up to {convention.largest_order} only."
    return ""


def _corpus_result(
    name: str, settings: Settings, totals: Sequence[Statistics]
) -> ConventionCorpusResult:
    convention = check_convention(name)
    for own in totals:
        for text, length in (
            ("hypothesis", own.hypothesis_length),
            ("reference", own.reference_length),
        ):
            if not length and text in convention.fails_on_empty:
                return ConventionCorpusResult(name, convention, (), f"It fails on an empty {text}.")
    try:
        scores = tuple(compute(own, settings) for own in totals)
    except ValueError as error:
        return ConventionCorpusResult(name, convention, (), f"It fails here: {error}.")
    return ConventionCorpusResult(name, convention, scores)


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
    outcomes: tuple[ConventionResult, ...]


def grouped(outcomes: Sequence[ConventionResult], here: Derivation) -> tuple[Group, ...]:
    """Outcomes by their score: those that differ, the highest first, none, and those that agree.

    >>> from bleu import derive
    >>> names = ["default", "nltk-method1", "sacrebleu"]
    >>> groups = grouped(list(convention_results("a", ["a"], names=names)), derive("a", ["a"]))
    >>> [[one.name for one in group.outcomes] for group in groups]
    [['nltk-method1'], ['default', 'sacrebleu']]
    """
    groups: list[list[ConventionResult]] = []
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


def caveats(outcome: ConventionResult, here: Derivation) -> list[str]:
    """What a convention gets wrong, as far as it concerns these texts.

    >>> from bleu import derive
    >>> [one] = convention_results("a b c d", ["a b c d"], names=["nltk-method5"])
    >>> caveats(one, derive("a b c d", ["a b c d"]))
    ['It can exceed the full score: a perfect match of four tokens scores 101.06 of 100.']
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


def _settings(name: str, max_order: int) -> Settings:
    """A convention's settings, with this N where it does not set its own."""
    own = "max_order" in check_convention(name).settings
    return convention_settings(name) if own else convention_settings(name, max_order=max_order)


@dataclass(slots=True)
class _Known:
    hypothesis: Text
    references: Sequence[Text]
    tokens: dict[tuple[object, ...], Tokenized] = field(default_factory=dict)
    counts: dict[tuple[Tokenized, int], list[int]] = field(default_factory=dict)

    def result(self, name: str, max_order: int) -> ConventionResult:
        convention = check_convention(name)
        if refusal := _refusal(convention, len(self.references), max_order):
            return ConventionResult(name, convention, None, refusal)
        settings = _settings(name, max_order)
        texts = self._tokens(settings)
        for text, empty in (("hypothesis", not texts[0]), ("reference", not all(texts[1]))):
            if empty and text in convention.fails_on_empty:
                return ConventionResult(name, convention, None, f"It fails on an empty {text}.")
        statistics = self.statistics(settings)
        try:
            score = compute(statistics, settings)
        except ValueError as error:
            return ConventionResult(name, convention, None, f"It fails here: {error}.")
        return ConventionResult(
            name, convention, Derivation(settings, Segment(*texts, statistics), score)
        )

    def statistics(self, settings: Settings) -> Statistics:
        """What is counted under these settings."""
        words = self._tokens(settings)
        return count(words, settings, self._matched(words, settings.orders))

    def _tokens(self, settings: Settings) -> Tokenized:
        key = (settings.tokenizer, settings.lowercase, settings.case, settings.empty_text)
        if key not in self.tokens:
            self.tokens[key] = tokenized(self.hypothesis, self.references, settings)
        return self.tokens[key]

    def _matched(self, words: Tokenized, max_order: int) -> list[int]:
        if (words, max_order) not in self.counts:
            self.counts[words, max_order] = clipped(*words, max_order)
        return self.counts[words, max_order]
