"""The same texts under every convention: who gives what, and who agrees."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Generic, TypeVar

from bleu.core.clipping import clipped_matches
from bleu.core.conventions import (
    CONVENTIONS,
    CaveatCondition,
    Convention,
    convention_settings,
    get_convention,
)
from bleu.core.derivation import Derivation
from bleu.core.score import Score, compute
from bleu.core.segment import (
    Segment,
    TokenizedSegment,
    check_references,
    count_tokens,
    tokenize_segment,
)
from bleu.core.settings import Settings
from bleu.core.statistics import Statistics
from bleu.core.tokenizers import Text, Tokens

TOLERANCE: Final = 1e-12
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

    @property
    def values(self) -> tuple[float, ...]:
        """The score, or nothing where the convention refuses the texts."""
        return () if self.derivation is None else (self.derivation.score.value,)

    @property
    def caveat_conditions(self) -> frozenset[CaveatCondition]:
        """The cases in which caveats are told that these texts are."""
        if self.derivation is None:
            return frozenset()
        score = self.derivation.score
        more: dict[CaveatCondition, bool] = {
            "too short": not all(score.total) and score.value > 0,
            "a tie of lengths": _has_length_tie(
                self.derivation.hypothesis, self.derivation.references
            ),
        }
        return _score_conditions(score) | {case for case, holds in more.items() if holds}


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
    known = _CountCache(hypothesis, references)
    for name in names:
        yield known.result(name, max_order)


@dataclass(frozen=True, slots=True)
class ConventionCorpusResult:
    """What one convention makes of a corpus under each system: scores, or why there are none.

    `tokens_differ`: whether it splits or folds a text otherwise than the settings here do.
    `caveat_conditions`: the cases in which caveats are told that this corpus is.
    """

    name: str
    convention: Convention
    scores: tuple[Score, ...]
    refusal: str = ""
    settings: Settings = field(default_factory=Settings)
    tokens_differ: bool = False
    caveat_conditions: frozenset[CaveatCondition] = frozenset()

    @property
    def values(self) -> tuple[float, ...]:
        """The scores in [0, 1] (some exceed 1), none where the convention refuses the corpus."""
        return tuple(score.value for score in self.scores)


def convention_corpus_results(
    systems: Sequence[Sequence[Text]],
    references: Sequence[Sequence[Text]],
    current: Settings | None = None,
    names: Sequence[str] = tuple(CONVENTIONS),
) -> Generator[tuple[int, int], None, tuple[ConventionCorpusResult, ...]]:
    """The outcome of every convention for a corpus under each system, in menu order.

    `systems[k][i]` is the hypothesis of system k for segment i, and `references[j][i]` its j-th
    reference. `here` are the settings to compare with; N is theirs where the convention takes it.
    Texts are tokenized and counted once for all conventions that see the same tokens. Yields
    (done, all) after every segment.

    Raises what `derive` raises, and ValueError for a convention that is not known.

    >>> texts = [["a b c d", "x"]], [["a b c d", "y"]]
    >>> steps = convention_corpus_results(*texts, names=["sacrebleu"])
    >>> list(steps)
    [(1, 2), (2, 2)]
    """
    current = current or Settings()
    order = current.max_order
    refusals = {name: _refusal(get_convention(name), len(references), order) for name in names}
    settings = {name: _settings(name, order) for name in names if not refusals[name]}
    totals = {
        name: [Statistics.zero(chosen.max_order) for _ in systems]
        for name, chosen in settings.items()
    }
    other_tokens: set[str] = set()
    tied: set[str] = set()
    size = len(references[0])
    for number in range(size):
        others = [own[number] for own in references]
        for place, system in enumerate(systems):
            check_references(system[number], others)
            known = _CountCache(system[number], others)
            mine = known.tokenized(current)
            for name, chosen in settings.items():
                totals[name][place] += known.statistics(chosen)
                words = known.tokenized(chosen)
                if words != mine:
                    other_tokens.add(name)
                if len(others) > 1 and _has_length_tie(*words):
                    tied.add(name)
        yield number + 1, size
    found = []
    for name in names:
        if refusals[name]:
            found.append(ConventionCorpusResult(name, get_convention(name), (), refusals[name]))
            continue
        one = _corpus_result(name, settings[name], totals[name])
        more: dict[CaveatCondition, bool] = {"corpus": size > 1, "a tie of lengths": name in tied}
        concerned = one.caveat_conditions | {case for case, holds in more.items() if holds}
        found.append(replace(one, caveat_conditions=concerned, tokens_differ=name in other_tokens))
    return tuple(found)


def _refusal(convention: Convention, references: int, max_order: int) -> str:
    """Why a convention does not take so many references or orders, if it does not."""
    if convention.single_reference and references > 1:
        return "It takes one reference only."
    if max_order > convention.largest_order:
        return f"It takes N up to {convention.largest_order} only."
    return ""


def _empty_text_failure(convention: Convention, own: Statistics) -> str:
    """Which empty text a convention fails on, if it does: of references, one that counts."""
    fails = convention.fails_on_empty
    if not own.reference_length:
        # multi-bleu.perl looks for this first, and prints 0
        return "It fails on an empty reference." if "reference" in fails else ""
    empty = not own.hypothesis_length and "hypothesis" in fails
    return "It fails on an empty hypothesis." if empty else ""


def _corpus_result(
    name: str, settings: Settings, totals: Sequence[Statistics]
) -> ConventionCorpusResult:
    convention = get_convention(name)
    for own in totals:
        if failure := _empty_text_failure(convention, own):
            return ConventionCorpusResult(name, convention, (), failure)
    try:
        scores = tuple(compute(own, settings) for own in totals)
    except ValueError as error:
        return ConventionCorpusResult(name, convention, (), f"It fails here: {error}.")
    concerned = frozenset[CaveatCondition]().union(*map(_score_conditions, scores))
    return ConventionCorpusResult(
        name, convention, scores, "", settings, caveat_conditions=concerned
    )


def agree(one: float | None, other: float | None) -> bool:
    """Whether two scores are the same but for rounding.

    >>> agree(0.5, 0.5 + 1e-15), agree(0.5, None)
    (True, False)
    """
    if one is None or other is None:
        return False
    return abs(one - other) <= TOLERANCE * max(one, other)


Outcome = TypeVar("Outcome", ConventionResult, ConventionCorpusResult)


@dataclass(frozen=True, slots=True)
class Group(Generic[Outcome]):
    """Outcomes with the same scores, or with none."""

    values: tuple[float, ...]
    outcomes: tuple[Outcome, ...]


def agree_all(some: Sequence[float], others: Sequence[float]) -> bool:
    """Whether there are scores on both sides, and each agrees with its counterpart.

    >>> agree_all([0.5], [0.5]), agree_all([], [0.5]), agree_all([0.5, 0.2], [0.5, 0.3])
    (True, False, False)
    """
    return len(some) == len(others) > 0 and all(map(agree, some, others))


def group_by_score(
    outcomes: Sequence[Outcome], current: Sequence[float]
) -> tuple[Group[Outcome], ...]:
    """Outcomes by their scores: those that differ, the highest first, none, and those that agree.

    `here` are the scores to agree with, one for each system.

    >>> names = ["default", "nltk-method1", "sacrebleu"]
    >>> groups = group_by_score(list(convention_results("a", ["a"], names=names)), [0.0])
    >>> [[one.name for one in group.outcomes] for group in groups]
    [['nltk-method1'], ['default', 'sacrebleu']]
    """
    groups: list[list[Outcome]] = []
    for outcome in outcomes:
        for group in groups:
            both_none = not group[0].values and not outcome.values
            if both_none or agree_all(group[0].values, outcome.values):
                group.append(outcome)
                break
        else:
            groups.append([outcome])

    def place(group: Group[Outcome]) -> tuple[bool, bool, list[float]]:
        same = agree_all(group.values, current)
        return same, not group.values, [-value for value in group.values]

    return tuple(sorted((Group(one[0].values, tuple(one)) for one in groups), key=place))


def caveats(outcome: ConventionResult | ConventionCorpusResult) -> list[str]:
    """What a convention gets wrong, as far as it concerns these texts or files.

    What it gives in the place of 0 is not among it: that is its score, and shown.

    >>> [one] = convention_results("a b c d", ["a b c d"], names=["nltk-method5"])
    >>> caveats(one)
    ['It can exceed the full score: a perfect match of four tokens scores 101.06 of 100.']
    """
    return outcome.convention.caveats_for(outcome.caveat_conditions)


def corpus_caveats(
    convention: Convention, scores: Sequence[Score], segments: int, references: int
) -> list[str]:
    """What a convention gets wrong, as far as it may concern a corpus with these scores.

    `scores` are those of its systems, `segments` and `references` the numbers of each. Whether two
    references are equally close in length is not known from them: with several, it is told.

    >>> score = compute(Statistics((4, 3, 2, 1), (4, 3, 2, 1), 4, 4), Settings())
    >>> corpus_caveats(CONVENTIONS["sacrebleu-r-add-k"], [score], segments=2, references=2)
    ['The score depends on the order of the references.']
    """
    more: dict[CaveatCondition, bool] = {"corpus": segments > 1, "a tie of lengths": references > 1}
    concerned = frozenset[CaveatCondition]().union(*map(_score_conditions, scores))
    concerned |= {case for case, holds in more.items() if holds}
    return convention.caveats_for(concerned)


def _score_conditions(score: Score) -> frozenset[CaveatCondition]:
    """The cases that are seen from a score, of a text or of a corpus."""
    cases: dict[CaveatCondition, bool] = {
        "over one": score.value > 1,
        "nothing matches": not any(score.matched) and score.value > 0,
        "an order is empty": not all(score.matched),
        "one token": score.hypothesis_length == 1 and any(score.matched),
    }
    return frozenset(case for case, holds in cases.items() if holds)


def _has_length_tie(hypothesis: Tokens, references: Sequence[Tokens]) -> bool:
    """Whether two lengths of references are equally close to that of the hypothesis."""
    apart = {len(one) - len(hypothesis) for one in references}
    nearest = min(map(abs, apart))
    return {nearest, -nearest} <= apart and nearest > 0


def _settings(name: str, max_order: int) -> Settings:
    """A convention's settings, with this N where it does not set its own."""
    own = "max_order" in get_convention(name).settings
    return convention_settings(name) if own else convention_settings(name, max_order=max_order)


@dataclass(slots=True)
class _CountCache:
    hypothesis: Text
    references: Sequence[Text]
    tokens: dict[tuple[object, ...], TokenizedSegment] = field(default_factory=dict)
    counts: dict[tuple[TokenizedSegment, int], list[int]] = field(default_factory=dict)

    def result(self, name: str, max_order: int) -> ConventionResult:
        convention = get_convention(name)
        if refusal := _refusal(convention, len(self.references), max_order):
            return ConventionResult(name, convention, None, refusal)
        settings = _settings(name, max_order)
        texts = self.tokenized(settings)
        statistics = self.statistics(settings)
        if failure := _empty_text_failure(convention, statistics):
            return ConventionResult(name, convention, None, failure)
        try:
            score = compute(statistics, settings)
        except ValueError as error:
            return ConventionResult(name, convention, None, f"It fails here: {error}.")
        return ConventionResult(
            name, convention, Derivation(settings, Segment(*texts, statistics), score)
        )

    def statistics(self, settings: Settings) -> Statistics:
        """What is counted under these settings."""
        words = self.tokenized(settings)
        return count_tokens(words, settings, self._matched(words, settings.orders))

    def tokenized(self, settings: Settings) -> TokenizedSegment:
        """The tokens under these settings."""
        key = (settings.tokenizer, settings.lowercase, settings.case, settings.empty_text)
        if key not in self.tokens:
            self.tokens[key] = tokenize_segment(self.hypothesis, self.references, settings)
        return self.tokens[key]

    def _matched(self, words: TokenizedSegment, max_order: int) -> list[int]:
        if (words, max_order) not in self.counts:
            self.counts[words, max_order] = clipped_matches(*words, max_order)
        return self.counts[words, max_order]
