"""The search behind `which`: every preprocessing and every convention, scored from counts.

The segments are counted once for each preprocessing. All scores follow from these counts. With a
mistake, at most one departure from a tool's defaults is tried; otherwise a number with few digits
would agree with anything.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from typing import Final, Self

from bleu.analysis.calls import (
    COUNT_SETTINGS,
    MAX_ORDER,
    MISTAKES,
    OLD_NLTK,
    Preprocessing,
)
from bleu.core.conventions import convention_settings, get_convention
from bleu.core.custom_tokenizers import Tokenizer
from bleu.core.score import Score, compute
from bleu.core.segment import TokenizedSegment, count_tokens
from bleu.core.settings import Settings
from bleu.core.statistics import Statistics
from bleu.core.tokenizers import PRIVATE_TOKENIZERS
from bleu.files.parallel import ParallelTexts
from bleu.metric.conventions import CONVENTIONS
from bleu.metric.rules import REFERENCE_LENGTHS, Length

PROGRESS_INTERVAL: Final = 64
"""The number of segments that are counted or scored between two reports of progress."""
DEFAULT_TOKENIZER: Final = Settings().tokenizer


@dataclass(frozen=True, slots=True)
class SegmentCounts:
    """The counts of a segment or a corpus for all settings at once.

    - `statistics`: orders 1 to 4 with all details.
    - `reference_lengths`: the reference length by each rule of `REFERENCE_LENGTHS`.
    - `empty`: the numbers of segments with an empty hypothesis, with an empty first reference, and
      with both; fairseq counts an end token in empty texts.
    """

    statistics: Statistics
    reference_lengths: tuple[Length, ...]
    empty: tuple[int, int, int]

    @classmethod
    def from_tokens(cls, tokens: TokenizedSegment) -> Self:
        """Count one segment.

        >>> tokens = ("a", "b", "c"), (("a", "b"), ("a", "b", "x", "y"))
        >>> counts = SegmentCounts.from_tokens(tokens)
        >>> counts.statistics.matched
        (2, 1, 0, 0)
        >>> dict(zip(REFERENCE_LENGTHS, counts.reference_lengths))["average"]
        3
        """
        hypothesis, references = tokens
        statistics = count_tokens(tokens, COUNT_SETTINGS)
        lengths = list(map(len, references))
        by_rule = tuple(rule(len(hypothesis), lengths) for rule in REFERENCE_LENGTHS.values())
        no_hypothesis, no_reference = int(not hypothesis), int(not references[0])
        return cls(statistics, by_rule, (no_hypothesis, no_reference, no_hypothesis & no_reference))

    @classmethod
    def sum(cls, segments: Sequence["SegmentCounts"]) -> Self:
        """Return the sums over one segment or more.

        >>> counts = SegmentCounts.from_tokens((("a", "b"), (("a",),)))
        >>> SegmentCounts.sum([counts, counts]).statistics.total
        (4, 2, 0, 0)
        """
        lengths = zip(*(segment.reference_lengths for segment in segments), strict=True)
        empty = zip(*(segment.empty for segment in segments), strict=True)
        no_hypothesis, no_reference, neither = map(sum, empty)
        return cls(
            Statistics.sum((segment.statistics for segment in segments), COUNT_SETTINGS.max_order),
            tuple(map(sum, lengths)),
            (no_hypothesis, no_reference, neither),
        )

    def for_settings(self, settings: Settings) -> Statistics:
        """Return the statistics under these settings, which have at most 4 orders.

        >>> from bleu import segment_statistics
        >>> settings = Settings(max_order=2, too_short="zero-of-one")
        >>> counts = SegmentCounts.from_tokens((("a", "b"), (("a", "b"),)))
        >>> counts.for_settings(settings) == segment_statistics("a b", ["a b"], settings)
        True
        """
        counted, n = self.statistics, settings.max_order
        details = counted.details if settings.detailed else None
        rule = list(REFERENCE_LENGTHS).index(settings.reference_length)
        end_tokens = self.empty if settings.empty_text == "end-token" else (0, 0, 0)
        no_hypothesis, no_reference, neither = end_tokens
        return Statistics(
            (counted.matched[0] + neither, *counted.matched[1:n]),
            (counted.total[0] + no_hypothesis, *counted.total[1:n]),
            counted.hypothesis_length + no_hypothesis,
            self.reference_lengths[rule] + no_reference,
            details and details.truncate_orders(n),
            settings.counting,
        )


@dataclass(frozen=True, slots=True)
class Recipe:
    """A computation from counts, and the conventions that do it.

    `settings` has default tokenizer and case. `order` is the largest order whose weight is not 0.
    `mistakes` are the names of a mistake in the weights and of an old version of the tool.
    """

    settings: Settings
    conventions: tuple[str, ...]
    order: int
    mistakes: tuple[str, ...] = ()

    @property
    def counting(self) -> tuple[str, int, bool]:
        """The settings that the statistics depend on."""
        return self.settings.counting, self.settings.max_order, self.settings.detailed

    def differs(self, counts: SegmentCounts) -> bool:
        """Return whether an old version of the tool gives these counts another score."""
        first, *others = counts.statistics.matched[: self.order]
        return OLD_NLTK not in self.mistakes or (first > 0 and not all(others))


@cache
def recipes() -> tuple[Recipe, ...]:
    """Return a recipe for every convention and N, merged if they compute the same."""
    names: dict[tuple[Settings, int, tuple[str, ...]], list[str]] = {}
    for name in CONVENTIONS:
        for computation in _computations(name):
            names.setdefault(computation, []).append(name)
    return tuple(
        Recipe(settings, tuple(conventions), order, mistakes)
        for (settings, order, mistakes), conventions in names.items()
    )


def _computations(name: str) -> Iterator[tuple[Settings, int, tuple[str, ...]]]:
    """Yield (settings, order, mistakes) for each computation that is tried."""
    tool = get_convention(name)
    is_nltk = tool.library == "nltk"
    settings_with = partial(
        convention_settings, name, tokenizer=DEFAULT_TOKENIZER, lowercase=False, case="all"
    )
    for order in (MAX_ORDER,) if "max_order" in tool.settings else range(1, MAX_ORDER + 1):
        variants: list[tuple[Settings, tuple[str, ...]]] = [(settings_with(max_order=order), ())]
        if is_nltk and tool.is_default and order > 1:
            # Precisions of 0 are dropped with their weights if no smoothing replaces them.
            variants.append((settings_with(max_order=order, smoothing="none"), (OLD_NLTK,)))
        if tool.uses_zero_weights and order < MAX_ORDER:
            weights = [Fraction(n < order, order) for n in range(MAX_ORDER)]
            variants.append((settings_with(max_order=MAX_ORDER, weights=weights), ()))
        for settings, mistakes in variants:
            yield settings, order, mistakes
            if is_nltk and order == 3:
                yield settings, order, ("weights-of-0.33", *mistakes)
        if is_nltk and order > 1:
            weights = [Fraction(n == order - 1) for n in range(MAX_ORDER)]
            yield settings_with(max_order=MAX_ORDER, weights=weights), order, ("one-order",)


@dataclass(frozen=True, slots=True)
class ScoredValue:
    """A value of the search, and the way to it.

    `departures` is the number of choices that differ from the tool's defaults.
    """

    value: float
    recipe: Recipe
    convention: str
    preprocessing: Preprocessing
    mistakes: tuple[str, ...]
    departures: int


class SearchTask:
    """The search with one preprocessing: every recipe, scored on the corpus.

    Those of `averaged_recipes` are also scored as the mean of the sentences' scores.

    `work_units` is the amount of work, in segments. `run` appends the scores to `values`.
    """

    def __init__(self, preprocessing: Preprocessing, texts: ParallelTexts) -> None:
        self.preprocessing, self.texts = preprocessing, texts
        self.mistakes = (preprocessing.mistake,) if preprocessing.mistake else ()
        self.averaged_recipes: list[Recipe] = []
        if texts.size > 1 and MISTAKES[preprocessing.mistake].averaged:
            self.averaged_recipes = [
                recipe
                for recipe in recipes()
                if recipe.mistakes in ((), () if self.mistakes else (OLD_NLTK,))
                and self.conventions(recipe, averaged=True)
            ]
            self.averaged_recipes.sort(key=lambda recipe: recipe.counting)
        self.work_units = texts.size * (1 + len(self.averaged_recipes))
        self.values: list[ScoredValue] = []

    def conventions(self, recipe: Recipe, *, averaged: bool = False) -> dict[str, int]:
        """Return the recipe's conventions that are tried, with their numbers of departures."""
        departures_by_name = {}
        for name in recipe.conventions:
            limit: float = 1 if self.mistakes or recipe.mistakes else math.inf
            if averaged:
                limit = 0 if self.mistakes else 1
                if not recipe.settings.weights:
                    limit = min(limit, get_convention(name).averaged)
            if _is_usable(name, self.preprocessing, self.texts, averaged=averaged):
                departures = _departures(name, self.preprocessing, recipe)
                if departures <= limit:
                    departures_by_name[name] = departures
        return departures_by_name

    def run(self) -> Iterator[int]:
        """Count and score; yield the work units that are done."""
        counts = []
        for number, tokens in enumerate(self.preprocessing.segments(self.texts), 1):
            if not tokens[1]:  # NLTK fails on the empty list made from an empty reference.
                return
            counts.append(SegmentCounts.from_tokens(tokens))
            if number % PROGRESS_INTERVAL == 0:
                yield number
        if not counts:
            return
        corpus_counts = SegmentCounts.sum(counts)
        for recipe in recipes():
            self._score_corpus(corpus_counts, recipe)
        if not self.mistakes:
            self._average_orders()
        yield from self._average_sentences(counts)

    def _score_corpus(self, counts: SegmentCounts, recipe: Recipe) -> None:
        """Score the corpus under a recipe, also as 1 − BLEU and without the brevity penalty."""
        mistakes = (*self.mistakes, *recipe.mistakes)
        if not _is_combination(mistakes) or not recipe.differs(counts):
            return
        conventions = self.conventions(recipe)
        if not conventions:
            return
        score = _score_or_none(counts.for_settings(recipe.settings), recipe.settings)
        if score is None:
            return
        value = score.value
        if "weights-of-0.33" in mistakes:
            value = score.brevity_penalty * score.geometric_mean**0.99
        self._add(value, recipe, conventions, mistakes)
        if not mistakes:
            near_default = {name: count for name, count in conventions.items() if count <= 1}
            if 0 < value < 1:
                self._add(1 - value, recipe, near_default, ("one-minus",))
            if score.brevity_penalty < 1:
                self._add(score.geometric_mean, recipe, near_default, ("no-brevity-penalty",))

    def _average_sentences(self, counts: Sequence[SegmentCounts]) -> Iterator[int]:
        """Add the means of the sentences' scores; yield the work units that are done."""
        done = self.texts.size
        counting = None
        statistics: list[Statistics] = []
        for recipe in self.averaged_recipes:
            if recipe.counting != counting:
                counting, statistics = recipe.counting, []
            if not any(map(recipe.differs, counts)):
                done += self.texts.size
                continue
            scores: list[float] = []
            for number, sentence in enumerate(counts, 1):
                if number > len(statistics):
                    statistics.append(sentence.for_settings(recipe.settings))
                score = _score_or_none(statistics[number - 1], recipe.settings)
                if score is None:
                    break
                scores.append(score.value)
                if number % PROGRESS_INTERVAL == 0:
                    yield done + number
            done += self.texts.size
            if len(scores) == len(counts):
                conventions = self.conventions(recipe, averaged=True)
                mean = math.fsum(scores) / len(scores)
                mistakes = (*self.mistakes, *recipe.mistakes, "mean-of-sentences")
                self._add(mean, recipe, conventions, mistakes)

    def _average_orders(self) -> None:
        """Add each convention's mean of BLEU-1 to BLEU-4, without those of mistakes or weights."""
        by_convention: dict[str, list[ScoredValue]] = {}
        for scored in self.values:
            if not scored.mistakes and not scored.recipe.settings.weights:
                by_convention.setdefault(scored.convention, []).append(scored)
        for by_order in by_convention.values():
            last = max(by_order, key=lambda scored: scored.recipe.order)
            if len(by_order) == MAX_ORDER and last.departures <= 1:
                mean = math.fsum(scored.value for scored in by_order) / MAX_ORDER
                self.values.append(replace(last, value=mean, mistakes=("mean-of-orders",)))

    def _add(
        self, value: float, recipe: Recipe, conventions: dict[str, int], mistakes: tuple[str, ...]
    ) -> None:
        for name, departures in conventions.items():
            scored = ScoredValue(value, recipe, name, self.preprocessing, mistakes, departures)
            self.values.append(scored)


def _is_combination(mistakes: tuple[str, ...]) -> bool:
    """Return whether these mistakes of a corpus score are tried together."""
    if len(mistakes) == 2 and mistakes[1] == OLD_NLTK:
        return MISTAKES[mistakes[0]].library == "nltk"
    return len(mistakes) < 2


def _score_or_none(statistics: Statistics, settings: Settings) -> Score | None:
    """Return the score, or None if the tools fail on these texts."""
    try:
        return compute(statistics, settings)
    except ValueError:
        return None


def _is_usable(
    name: str, preprocessing: Preprocessing, texts: ParallelTexts, *, averaged: bool
) -> bool:
    """Return whether a tool can be used with this preprocessing."""
    tool = get_convention(name)
    tokenizer, mistake = preprocessing.tokenizer, MISTAKES[preprocessing.mistake]
    has_several_references = not preprocessing.reference and texts.max_reference_count > 1
    is_one_sentence = texts.size == 1 or averaged or mistake.one_segment
    is_default = name == "default"
    obstacles = [
        tool.single_reference and has_several_references and preprocessing.mistake != "swapped",
        tool.fixed_tokenizer and tokenizer != tool.settings["tokenizer"],
        tokenizer in PRIVATE_TOKENIZERS and name != tokenizer,
        isinstance(tokenizer, Tokenizer) and tool.library != "sacrebleu" and not is_default,
        tokenizer == "zh-corrected" and not is_default,
        tool.library == "R" and tokenizer not in {"whitespace", "13a"},
        preprocessing.case == "ascii" and tool.settings.get("case") != "ascii",
        mistake.library not in {"", tool.library},
        tool.scope == "one sentence" and not is_one_sentence,
    ]
    return not any(obstacles)


def _departures(name: str, preprocessing: Preprocessing, recipe: Recipe) -> int:
    """Return how many of tokenizer, case, N and references differ from the tool's defaults."""
    defaults = get_convention(name).settings
    default_case = (bool(defaults.get("lowercase")), defaults.get("case", "all"))
    has_other_case = (preprocessing.lowercase, preprocessing.case) != default_case
    uses_one_of_several = preprocessing.reference and not get_convention(name).single_reference
    departures = [
        preprocessing.tokenizer != defaults.get("tokenizer", DEFAULT_TOKENIZER),
        has_other_case and preprocessing.mistake != "no-punctuation",
        recipe.order != MAX_ORDER and not {"one-order", "weights-of-0.33"} & {*recipe.mistakes},
        uses_one_of_several and preprocessing.mistake not in {"not-nested", "flat-references"},
    ]
    return sum(map(bool, departures))
