"""The same texts scored under every convention, and groups of conventions that agree."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from bleu.core.api import Derivation
from bleu.core.conventions import convention_settings, get_convention
from bleu.core.ngrams import clipped_matches
from bleu.core.progress import ProgressGenerator
from bleu.core.score import Score, compute, refused_side
from bleu.core.segment import TokenizedSegment, check_references, count_tokens, tokenize_segment
from bleu.core.settings import Settings
from bleu.core.statistics import Statistics
from bleu.core.tokenizers import Text, Tokens
from bleu.files.parallel import ParallelTexts
from bleu.metric.conventions import CONVENTIONS, CaveatCondition, Convention
from bleu.metric.rules import problem_of

TOLERANCE: Final = 1e-12
"""The largest relative difference between two scores that agree."""


@dataclass(frozen=True, slots=True)
class ConventionResult:
    """One convention's scores of some texts, or the reason why it refuses them.

    - `scores`: one for each system; empty if the convention refuses the texts.
    - `refusal`: why the convention refuses the texts, as a sentence, or "".
    - `settings`: the settings of the scores.
    - `tokens_differ`: whether its tokens differ from those under the current settings.
    - `caveats`: the convention's caveats that concern these texts.
    """

    name: str
    convention: Convention
    scores: tuple[Score, ...]
    refusal: str
    settings: Settings
    tokens_differ: bool
    caveats: Sequence[str]

    @property
    def value(self) -> float | None:
        """The score of the first system, as in `values`, or None if the texts are refused."""
        return self.scores[0].value if self.scores else None

    @property
    def values(self) -> tuple[float, ...]:
        """The scores in [0, 1], or above 1 for a few conventions; empty if refused."""
        return tuple(score.value for score in self.scores)


def convention_results(
    hypothesis: Text,
    references: Sequence[Text],
    current_settings: Settings | None = None,
    names: Iterable[str] = CONVENTIONS,
) -> Iterator[ConventionResult]:
    """Yield the result of every convention for one segment, in the order of `names`.

    The maximum n-gram order is that of `current_settings`, unless a convention sets its own. Texts
    are tokenized and counted once for all conventions that see the same tokens.

    Raises ValueError for an unknown convention, and the exceptions of `derive`.

    >>> results = convention_results("a", ["a"], names=["sacrebleu", "sacrebleu-sentence"])
    >>> {result.name: result.value for result in results}
    {'sacrebleu': 0.0, 'sacrebleu-sentence': 1.0}
    """
    current_settings = current_settings or Settings()
    check_references(hypothesis, references)
    segment = _SegmentCache(hypothesis, references)
    for name in names:
        totals = _ConventionTotals(name, len(references), current_settings.max_order)
        totals.add(segment, current_settings)
        yield totals.result()


def convention_corpus_results(
    texts: ParallelTexts,
    current_settings: Settings | None = None,
    names: Iterable[str] = CONVENTIONS,
) -> ProgressGenerator[tuple[ConventionResult, ...]]:
    """Return the result of every convention for a corpus, in the order of `names`.

    Yields (done, total) after every segment. The maximum order and the errors are as in
    `convention_results`.

    >>> from bleu.core.progress import run_to_end
    >>> texts = ParallelTexts([["a b c d", "x"]], [["a b c d"], ["y"]])
    >>> steps = convention_corpus_results(texts, names=["sacrebleu"])
    >>> run_to_end(steps)[0].scores[0].matched
    (4, 3, 2, 1)
    """
    current_settings = current_settings or Settings()
    all_totals = [
        _ConventionTotals(
            name, texts.max_reference_count, current_settings.max_order, len(texts.systems)
        )
        for name in names
    ]
    for number in range(texts.size):
        for system_index, _ in enumerate(texts.systems):
            hypothesis, references = texts.segment(number, system_index)
            check_references(hypothesis, references)
            segment = _SegmentCache(hypothesis, references)
            for totals in all_totals:
                totals.add(segment, current_settings, system_index)
        yield number + 1, texts.size
    return tuple(totals.result(is_corpus=texts.size > 1) for totals in all_totals)


@dataclass(slots=True)
class _SegmentCache:
    """A segment, with its tokens and counts under all settings used so far."""

    hypothesis: Text
    references: Sequence[Text]
    tokens: dict[tuple[object, ...], TokenizedSegment] = field(default_factory=dict)
    matched: dict[tuple[TokenizedSegment, int], list[int]] = field(default_factory=dict)

    def tokenized(self, settings: Settings) -> TokenizedSegment:
        """Return the tokens under these settings."""
        key = (settings.tokenizer, settings.lowercase, settings.case, settings.empty_text)
        if key not in self.tokens:
            self.tokens[key] = tokenize_segment(self.hypothesis, self.references, settings)
        return self.tokens[key]

    def statistics(self, settings: Settings) -> Statistics:
        """Return the statistics under these settings."""
        tokens = self.tokenized(settings)
        key = (tokens, settings.orders)
        if key not in self.matched:
            self.matched[key] = clipped_matches(*tokens, settings.orders)
        return count_tokens(tokens, settings, self.matched[key])


class _ConventionTotals:
    """One convention's statistics of each system, summed over the segments so far.

    If the convention refuses N or the number of references, `refusal` says so, and nothing is
    counted.

    Raises ValueError for an unknown convention.
    """

    def __init__(
        self, name: str, reference_count: int, max_order: int, system_count: int = 1
    ) -> None:
        convention = get_convention(name)
        self.name, self.convention = name, convention
        self.settings, self.refusal = Settings(), ""
        if convention.single_reference and reference_count > 1:
            self.refusal = "It takes one reference only."
        elif max_order > convention.largest_order:
            self.refusal = f"It takes N up to {convention.largest_order} only."
        else:
            max_order = convention.settings.get("max_order", max_order)
            self.settings = convention_settings(name, max_order=max_order)
        self.statistics = [Statistics.zero(self.settings.max_order)] * system_count
        self.tokens_differ = self.has_length_tie = False

    def add(
        self, segment: _SegmentCache, current_settings: Settings, system_index: int = 0
    ) -> None:
        """Add a segment of one system."""
        if self.refusal:
            return
        counted = segment.statistics(self.settings)
        self.statistics[system_index] = self.statistics[system_index].followed_by(counted)
        tokens = segment.tokenized(self.settings)
        self.tokens_differ = self.tokens_differ or tokens != segment.tokenized(current_settings)
        self.has_length_tie = self.has_length_tie or _has_length_tie(*tokens)

    def result(self, *, is_corpus: bool = False) -> ConventionResult:
        """Return the scores of these totals, or the reason why they have none."""
        sides = (refused_side(total, self.settings) for total in self.statistics)
        refusal = self.refusal
        if side := next(filter(None, sides), ""):
            refusal = f"It fails on an empty {side}."
        scores: tuple[Score, ...] = ()
        if not refusal:
            try:
                scores = tuple(compute(total, self.settings) for total in self.statistics)
            except ValueError as error:
                refusal = f"It fails here: {problem_of(error)}."
        return ConventionResult(
            self.name,
            self.convention,
            scores,
            refusal,
            self.settings,
            self.tokens_differ,
            _caveats(self.convention, scores, self.has_length_tie, is_corpus=is_corpus),
        )


def agree(left: float | None, right: float | None) -> bool:
    """Return whether two scores are equal up to rounding; False if one is None.

    >>> agree(0.5, 0.5 + 1e-15), agree(0.5, None)
    (True, False)
    """
    if left is None or right is None:
        return False
    return abs(left - right) <= TOLERANCE * max(left, right)


def agree_all(left: Sequence[float], right: Sequence[float]) -> bool:
    """Return whether two non-empty sequences have equal length, and each pair of scores agrees.

    >>> agree_all([0.5], [0.5]), agree_all([], [0.5]), agree_all([0.5, 0.2], [0.5, 0.3])
    (True, False, False)
    """
    return len(left) == len(right) > 0 and all(map(agree, left, right))


def group_by_score(
    outcomes: Sequence[ConventionResult],
    current_scores: Sequence[float],
    *,
    by_rank: bool = False,
) -> list[list[ConventionResult]]:
    """Group results by their scores; those without scores are one group.

    Groups are sorted by score, the highest first, or by their most popular convention. After them
    come the group without scores, if sorted by rank also groups with a score above 1, and last the
    group that agrees with `current_scores` (one for each system).

    >>> names = ["default", "nltk-method1", "sacrebleu"]
    >>> groups = group_by_score(list(convention_results("a", ["a"], names=names)), [0.0])
    >>> [[result.name for result in group] for group in groups]
    [['nltk-method1'], ['default', 'sacrebleu']]
    """
    groups: list[list[ConventionResult]] = []
    if by_rank:
        outcomes = sorted(outcomes, key=lambda outcome: outcome.convention.rank)
    for outcome in outcomes:
        for group in groups:
            both_refused = not group[0].values and not outcome.values
            if both_refused or agree_all(group[0].values, outcome.values):
                group.append(outcome)
                break
        else:
            groups.append([outcome])

    def sort_key(group: list[ConventionResult]) -> tuple[bool, bool, bool, list[float]]:
        values = group[0].values
        rank = group[0].convention.rank
        priority = [float(rank)] if by_rank else [-value for value in values]
        exceeds_one = by_rank and any(value > 1 for value in values)
        return agree_all(values, current_scores), exceeds_one, not values, priority

    return sorted(groups, key=sort_key)


def segment_caveats(convention: Convention, derivation: Derivation) -> list[str]:
    """Return the convention's caveats that concern one segment.

    Caveats on the number that a tool prints instead of 0 are left out, because the derivation's
    score is already this number.

    >>> from bleu import derive
    >>> derivation = derive("a b c d", ["a b c d"], convention="nltk-method5")
    >>> segment_caveats(CONVENTIONS["nltk-method5"], derivation)
    ['It can exceed the full score: a perfect match of four tokens scores 101.06 of 100.']
    """
    tie = _has_length_tie(derivation.hypothesis, derivation.references)
    return _caveats(convention, [derivation.score], tie)


def corpus_caveats(
    convention: Convention, scores: Sequence[Score], segments: int, references: int | None
) -> list[str]:
    """Return the convention's caveats that may concern a corpus with these scores.

    `scores` has one score for each system. `segments` is the number of segments, and `references`
    the number of references of each, or None if it varies. Scores do not tell whether two
    references are equally close in length, so the caveat on ties is included unless `references`
    is 1.

    >>> score = compute(Statistics((4, 3, 2, 1), (4, 3, 2, 1), 4, 4), Settings())
    >>> corpus_caveats(CONVENTIONS["sacrebleu-r-add-k"], [score], segments=2, references=2)
    ['The score depends on the order of the references.']
    """
    return _caveats(convention, scores, references != 1, is_corpus=segments > 1)


def _caveats(
    convention: Convention,
    scores: Sequence[Score],
    has_length_tie: bool,
    *,
    is_corpus: bool = False,
) -> list[str]:
    """Return the caveats that concern texts with these scores."""
    conditions: dict[CaveatCondition, bool] = {
        "over one": any(score.value > 1 for score in scores),
        "nothing matches": any(not any(score.matched) and score.value > 0 for score in scores),
        "an order is empty": any(not all(score.matched) for score in scores),
        "too short": any(not all(score.total) and score.value > 0 for score in scores),
        "one token": any(score.hypothesis_length == 1 and any(score.matched) for score in scores),
        "corpus": is_corpus,
        "a tie of lengths": has_length_tie,
    }
    return convention.caveats_for([name for name, holds in conditions.items() if holds])


def _has_length_tie(hypothesis: Tokens, references: Sequence[Tokens]) -> bool:
    """Return whether two reference lengths are equally close to the hypothesis length."""
    differences = {len(reference) - len(hypothesis) for reference in references}
    nearest = min(map(abs, differences))
    return nearest > 0 and {nearest, -nearest} <= differences
