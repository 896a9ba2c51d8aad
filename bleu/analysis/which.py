"""Which BLEU is this number? Every way to compute one is tried, and the usual mistakes.

Of every reading of the texts (tokens, case, references, or a mistake on the way) the segments are
counted once, and every convention is scored from these counts with N from 1 to 4.

What agrees is ranked by a simple prior, `Candidate.cost`: 0 for what a tool gives by itself; 1 for
every step from there (another tokenizer, case, N, one reference of several); 2 for every mistake;
a half for a smoothing that is not the tool's first, for a scale that is not the tool's, for a tool
for sentences where there are files or the other way round, and for digits cut off and not rounded;
more for programs that few run today, and for what is no program. Hundredths follow how common the
tools are. Beside a mistake at most one step is tried, so that a number with few digits does not
agree with anything.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import groupby
from typing import Final

from bleu.analysis.preprocessing import (
    NESTING_MISTAKES,
    NLTK_CALL_MISTAKES,
    ONE_SEGMENT_MISTAKES,
    ParallelTexts,
    Preprocessing,
    SegmentCounts,
)
from bleu.analysis.reported import SINGLE_PRECISION, ReportedScore
from bleu.core.api import check_corpus
from bleu.core.conventions import CONVENTIONS, convention_settings
from bleu.core.progress import ProgressGenerator, run_to_end
from bleu.core.score import Score, compute
from bleu.core.settings import Settings
from bleu.core.smoothing import SMOOTHINGS

MAX_ORDER: Final = 4
MAX_NEAREST: Final = 5
"""How many are listed where nothing agrees."""
PROGRESS_INTERVAL: Final = 64
"""Segments that are counted or scored before the next progress is told."""

TOOLS_BY_POPULARITY: Final = (
    "sacrebleu", "nltk-method0", "multi-bleu", "mteval-v13a", "sacrebleu-sentence", "nltk-method1",
    "huggingface-evaluate", "torchmetrics", "fairseq", "nltk-method4", "nltk-method3",
    "nltk-method2", "nltk-method7", "nltk-method5", "coco-caption", "tensor2tensor", "torchtext",
    "mteval-v14", "moses-sentence", "papineni",
)  # fmt: skip
"""Tools by how often their numbers are met; the others follow in menu order."""
FIXED_TOKENIZER: Final = ("mteval-v13a", "mteval-v14", "tensor2tensor")
"""Programs that always split the texts themselves."""
TRIED_TOKENIZERS: Final = ("13a", "whitespace", "intl", "char", "zh")
"""Tokenizers that people choose."""
RARITY_COSTS: Final = {
    "mteval-v13a": 0.6, "mteval-v14": 0.6, "tensor2tensor": 0.6, "torchtext": 0.6,
    "coco-caption": 0.6, "moses-sentence": 0.6, "papineni": 1.2, "default": 1.2,
}  # fmt: skip
"""What few run today, or is no program, and what it costs."""
SENTENCE_TOOLS: Final = ("moses-sentence", "fairseq-sentence")
"""What scores sentences only."""
CORPUS_TOOLS: Final = ("multi-bleu", "mteval-v13a", "mteval-v14", "tensor2tensor", "fairseq")
"""What scores files."""
TOOL_DEFAULTS: Final = ("default", "papineni", "nltk-method0", "sacrebleu", "sacrebleu-sentence",
                "huggingface-evaluate", "torchmetrics", "torchtext", "mteval-v13a", "mteval-v14",
                "multi-bleu", "moses-sentence", "fairseq", "fairseq-sentence", "tensor2tensor",
                "coco-caption", "sacrebleu-r")  # fmt: skip
"""Conventions as the tools have them where nothing is chosen."""
ZERO_WEIGHT_SENSITIVE: Final = ("nltk-method5", "nltk-method6", "nltk-method7")
"""Methods in which an order of weight 0 has a part, as it does not in the others."""
AVERAGED_TOOLS: Final = (
    *(f"nltk-method{method}" for method in range(5)), "sacrebleu-sentence",
    "sacrebleu-sentence-none", "sacrebleu-sentence-floor", "sacrebleu-sentence-add-k",
)  # fmt: skip
"""What people call for one sentence after the other, in any way."""
AVERAGED_UNCHANGED: Final = (
    *ZERO_WEIGHT_SENSITIVE, "sacrebleu", "huggingface-evaluate", "huggingface-evaluate-smooth",
    "torchmetrics", "torchmetrics-smooth", *SENTENCE_TOOLS, "coco-caption",
)  # fmt: skip
"""What is also called like that, and tried without another step: it takes long to compute."""
NAMES: Final = tuple(name for name in CONVENTIONS if not name.endswith("-summed"))

MISTAKES: Final = (
    *NLTK_CALL_MISTAKES, "swapped", "mean-of-sentences", "tokenized-twice", *ONE_SEGMENT_MISTAKES, *NESTING_MISTAKES,
    "one-order", "weights-of-0.33", "mean-of-orders", "no-brevity-penalty", "one-minus",
)  # fmt: skip
"""The mistakes that are tried, those in the call first, then those in the number."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to compute a number.

    - `convention`: a name in `CONVENTIONS`; `settings`: all of them.
    - `preprocessing`: the tokens, and which references are compared.
    - `mistakes`: names in `MISTAKES`, none to two.
    - `value`: what comes out, in [0, 1] for most; `scale`: on which it was stated, 1 or 100.
    - `agreement`: `rounded`, `cut`, or nothing where it does not agree.
    - `distance`: from the number, on the scale of 0 to 100.
    - `references`: how many references a segment has here; None where it varies.
    - `cost`: how unlikely it is, from 0.
    - `equivalents`: other ways to the very same value, of each convention the likeliest with the same
      mistakes; beside a way without a mistake, of each mistake only the likeliest.
    """

    convention: str
    settings: Settings
    preprocessing: Preprocessing
    mistakes: tuple[str, ...]
    value: float
    scale: int
    agreement: str
    distance: float
    references: int | None
    cost: float
    equivalents: tuple["Candidate", ...] = ()

    @property
    def signature(self) -> str:
        """The choices as `Settings.signature` writes them."""
        return self.settings.signature(self.references)

    @property
    def conventions(self) -> tuple[str, ...]:
        """The convention, and the others that compute the same from the same tokens."""
        same = [one.convention for one in self.equivalents
                if (one.preprocessing, one.mistakes) == (self.preprocessing, self.mistakes)]  # fmt: skip
        return tuple(dict.fromkeys((self.convention, *same)))


@dataclass(frozen=True, slots=True)
class WhichResult:
    """What agrees with a number, the likeliest first; `nearest` is for where nothing does.

    `tried_count` is how many ways were computed, and `distinct_count` how many numbers came out.
    """

    reported: ReportedScore
    found: tuple[Candidate, ...]
    nearest: tuple[Candidate, ...]
    tried_count: int
    distinct_count: int


def which(
    number: ReportedScore, hypotheses: Sequence[str], references: Sequence[Sequence[str]]
) -> WhichResult:
    """The ways to compute BLEU that give this number for these segments.

    `references[i]` are those of `hypotheses[i]`, one or more, all of them text.

    Raises TypeError or ValueError that says which argument is no such thing; ValueError for no
    segments.

    >>> from bleu.analysis.reported import parse_reported_score
    >>> texts = ["the cat sat on a mat"], [["the cat sits on a mat"]]
    >>> [found] = which(parse_reported_score("0.7744"), *texts).found
    >>> found.convention, found.mistakes
    ('nltk-method0', ('strings',))
    """
    return run_to_end(iter_which(number, hypotheses, references))


def iter_which(
    number: ReportedScore, hypotheses: Sequence[str], references: Sequence[Sequence[str]]
) -> ProgressGenerator[WhichResult]:
    """`which`, in slices."""
    texts = validate_texts(hypotheses, references)
    tasks: list[_PreprocessingTask] = []
    for task in _tasks(texts):
        tasks.append(task)
        yield 0, 1
    work = sum(task.work_units for task in tasks)
    values: list[_ScoredValue] = []
    done = 0
    for task in tasks:
        for part in task.run(values):
            yield min(done + part, work), work
        done += task.work_units
        yield done, work
    return _rank(number, texts, values)


def validate_texts(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> ParallelTexts:
    """The segments, or TypeError or ValueError that says what is wrong with them."""
    check_corpus(hypotheses, references)
    if not hypotheses:
        raise ValueError("there are no segments; give one or more")
    for place, hypothesis in enumerate(hypotheses):
        if not isinstance(hypothesis, str):
            raise TypeError(f"hypotheses[{place}] is {hypothesis!r}; give text, not tokens")
    return ParallelTexts(tuple(hypotheses), tuple(map(tuple, references)))


@dataclass(frozen=True, slots=True)
class _Recipe:
    """What is computed from counts, and the conventions that compute it.

    In the settings, what concerns texts is left at the defaults.
    """

    settings: Settings
    conventions: tuple[str, ...]
    order: int
    mistake: str = ""


@dataclass(frozen=True, slots=True)
class _ScoredValue:
    """A value that came out."""

    value: float
    recipe: _Recipe
    convention: str
    preprocessing: Preprocessing
    mistakes: tuple[str, ...]
    departures: int
    """From what the tool does by itself."""


@dataclass(frozen=True, slots=True)
class _PreprocessingTask:
    """A reading, counted once, and whether sentences are scored one by one, too."""

    preprocessing: Preprocessing
    texts: ParallelTexts
    means: tuple[_Recipe, ...] = ()
    """What is averaged over sentences."""

    @property
    def work_units(self) -> int:
        """How much there is to do, in segments."""
        return self.texts.size * (1 + len(self.means))

    def with_means(self) -> "_PreprocessingTask":
        """The same with what is averaged over its sentences, if there are several."""
        allowed = {"": 1, "swapped": 0, **dict.fromkeys(NLTK_CALL_MISTAKES, 0)}
        most = allowed.get(self.preprocessing.mistake)
        if self.texts.size < 2 or most is None:
            return self
        means = (
            recipe
            for recipe in recipes()
            if not recipe.mistake and self.conventions(recipe, most, mean=True)
        )
        return replace(self, means=tuple(means))

    def conventions(self, recipe: _Recipe, most: int, *, mean: bool = False) -> list[str]:
        """Which of a recipe's conventions are tried here, at most so many steps from their own."""
        return [
            name
            for name in recipe.conventions
            if _is_usable(name, self.preprocessing, self.texts, mean=mean)
            and _departures(name, self.preprocessing, recipe)
            <= (min(most, _max_departures_of_sentences(name)) if mean else most)
        ]

    def run(self, values: list[_ScoredValue]) -> Iterator[int]:
        """Count and score, adding to the values; yields how much is done."""
        tallies = []
        try:
            for number, segment in enumerate(self.preprocessing.segments(self.texts), 1):
                tallies.append(SegmentCounts.from_tokens(segment))
                if number % PROGRESS_INTERVAL == 0:
                    yield number
        except ValueError:  # a reference without a word, taken for a list: the libraries fail too
            return
        if not tallies:
            return
        whole = SegmentCounts.sum(tallies)
        mistakes = (self.preprocessing.mistake,) if self.preprocessing.mistake else ()
        for recipe in recipes():
            most = 1 if mistakes or recipe.mistake else 9
            names = self.conventions(recipe, most)
            score = _score_or_none(whole, recipe) if names else None
            if score is None or (recipe.mistake and mistakes):
                continue
            value = score.value
            if recipe.mistake == "weights-of-0.33":
                value = score.brevity_penalty * score.geometric_mean**0.99
            own = (recipe.mistake,) if recipe.mistake else mistakes
            self.add(values, value, recipe, names, own)
            if not own:
                near = self.conventions(recipe, 1)
                if 0 < value < 1:
                    self.add(values, 1 - value, recipe, near, ("one-minus",))
                if score.brevity_penalty < 1:
                    mean = score.geometric_mean
                    self.add(values, mean, recipe, near, ("no-brevity-penalty",))
        if not mistakes:
            self.add_means_of_orders(values)
        yield from self.add_means(tallies, values)

    def add_means(
        self, tallies: Sequence[SegmentCounts], values: list[_ScoredValue]
    ) -> Iterator[int]:
        """The means of the sentences' scores; yields how much is done.

        Where every order has a match, many recipes give a sentence the same score.
        """
        done = self.texts.size
        mistakes = (self.preprocessing.mistake,) if self.preprocessing.mistake else ()
        matched: dict[tuple[object, ...], float] = {}
        for recipe in self.means:
            settings, order = recipe.settings, recipe.settings.max_order
            kind = (order, settings.weights, settings.reference_length, settings.length_padding)
            keeps = SMOOTHINGS[settings.smoothing].keeps_matches
            found: list[float] = []
            for number, one in enumerate(tallies, 1):
                same = keeps and all(one.matched[:order])
                value = matched.get((number, *kind)) if same else None
                if value is None:
                    score = _score_or_none(one, recipe)
                    if score is None:
                        break
                    value = score.value
                    if same:
                        matched[number, *kind] = value
                found.append(value)
                if number % PROGRESS_INTERVAL == 0:
                    yield done + number
            done += self.texts.size
            if len(found) == len(tallies):
                most = 0 if mistakes else 1
                names = self.conventions(recipe, most, mean=True)
                mean = math.fsum(found) / len(found)
                self.add(values, mean, recipe, names, (*mistakes, "mean-of-sentences"))

    def add(
        self,
        values: list[_ScoredValue],
        value: float,
        recipe: _Recipe,
        names: Iterable[str],
        mistakes: tuple[str, ...],
    ) -> None:
        """Note what came out, once for each convention."""
        values += [
            _ScoredValue(
                value, recipe, name, self.preprocessing, mistakes,
                _departures(name, self.preprocessing, recipe),
            )
            for name in names
        ]  # fmt: skip

    def add_means_of_orders(self, values: list[_ScoredValue]) -> None:
        """The mean of BLEU-1 to BLEU-4, of what came out here without a mistake."""
        mine = [
            one for one in values if one.preprocessing == self.preprocessing and not one.mistakes
        ]
        for name in {one.convention for one in mine}:
            own = [
                one for one in mine if one.convention == name and not one.recipe.settings.weights
            ]
            last = max(own, key=lambda one: one.recipe.order, default=None)
            if last and len(own) == MAX_ORDER and last.departures <= 1:
                mean = math.fsum(one.value for one in own) / MAX_ORDER
                values.append(replace(last, value=mean, mistakes=("mean-of-orders",)))


def _tasks(texts: ParallelTexts) -> Iterator[_PreprocessingTask]:
    """Everything that is tried, the likeliest first."""
    for reading in dict.fromkeys(_preprocessings(texts)):
        task = _PreprocessingTask(reading, texts)
        most = 1 if reading.mistake else 9
        if any(task.conventions(recipe, most) for recipe in recipes()):
            yield task.with_means()


def _preprocessings(texts: ParallelTexts) -> Iterator[Preprocessing]:
    plain = [
        *(
            Preprocessing(tokenizer, lowercase)
            for lowercase in (False, True)
            for tokenizer in TRIED_TOKENIZERS
        ),
        Preprocessing("13a", True, "ascii"),
        *(
            Preprocessing(tokenizer, lowercase)
            for tokenizer in ("mteval-v14", "tensor2tensor")
            for lowercase in (True, False)
        ),
    ]
    if not all(text.isascii() for text in texts.hypotheses):
        plain.append(Preprocessing("zh-corrected"))
    count = texts.min_reference_count
    alone = range(1, count + 1) if max(map(len, texts.references)) > 1 else (0,)
    for number in dict.fromkeys((0, *alone)):
        yield from (replace(one, reference=number) for one in plain)
    for one in plain[: 2 * len(TRIED_TOKENIZERS)]:
        for number in alone:
            yield replace(one, reference=number, mistake="swapped")
        if one.tokenizer not in {"13a", "whitespace"}:
            continue
        for number in alone:
            if one.tokenizer == "whitespace":
                yield from (
                    replace(one, reference=number, mistake=name)
                    for name in ("not-nested", "strings-not-nested")
                )
            if texts.size > 1 or texts.min_reference_count > 1:
                yield replace(one, reference=number, mistake="flat-references")
        if one.tokenizer == "whitespace":
            yield from (replace(one, mistake=name) for name in NLTK_CALL_MISTAKES[:3])
        if one.tokenizer == "13a":
            yield replace(one, mistake="tokenized-twice", pretokenizer="13a")
            yield replace(one, mistake="tokenized-twice", pretokenizer="intl")
        if texts.size > 1:
            yield replace(one, mistake="transposed")
            if len(set(map(len, texts.references))) == 1:
                yield replace(one, mistake="one-segment")
                if one.tokenizer == "whitespace":
                    yield replace(one, mistake="lines")


def _recipes() -> Iterator[_Recipe]:
    """Every convention with every N, those together that compute the same."""
    found: dict[tuple[Settings, int, str], list[str]] = {}
    for name in NAMES:
        fixed = "max_order" in CONVENTIONS[name].settings
        nltk = name.startswith("nltk-")
        for order in range(1, MAX_ORDER + 1):
            if fixed and order != MAX_ORDER:
                continue
            try:
                settings = _without_text_settings(convention_settings(name, max_order=order))
            except ValueError:
                continue
            found.setdefault((settings, order, ""), []).append(name)
            if nltk and order == 3:
                found.setdefault((settings, order, "weights-of-0.33"), []).append(name)
            if name in ZERO_WEIGHT_SENSITIVE and order < MAX_ORDER:
                padded = _weighted(name, [Fraction(n < order, order) for n in range(MAX_ORDER)])
                found.setdefault((padded, order, ""), []).append(name)
                if order == 3:
                    found.setdefault((padded, order, "weights-of-0.33"), []).append(name)
            if nltk and order > 1:
                alone = _weighted(name, [Fraction(n == order - 1) for n in range(MAX_ORDER)])
                found.setdefault((alone, order, "one-order"), []).append(name)
    for (settings, order, mistake), names in found.items():
        yield _Recipe(settings, tuple(names), order, mistake)


def _weighted(name: str, weights: list[Fraction]) -> Settings:
    return _without_text_settings(convention_settings(name, max_order=MAX_ORDER, weights=weights))


def _without_text_settings(settings: Settings) -> Settings:
    return replace(settings, tokenizer="whitespace", lowercase=False, case="all")


@cache
def recipes() -> tuple[_Recipe, ...]:
    """All that is computed from the counts of a reading."""
    return tuple(_recipes())


def _max_departures_of_sentences(name: str) -> int:
    return 1 if name in AVERAGED_TOOLS else 0 if name in AVERAGED_UNCHANGED else -1


def _score_or_none(tally: SegmentCounts, recipe: _Recipe) -> Score | None:
    """The score, or None where the tools fail on these texts."""
    try:
        return compute(tally.statistics(recipe.settings), recipe.settings)
    except ValueError:
        return None


def _is_usable(
    name: str, reading: Preprocessing, texts: ParallelTexts, *, mean: bool = False
) -> bool:
    """Whether a tool can be used like that at all."""
    convention, nltk = CONVENTIONS[name], name.startswith("nltk-")
    several = not reading.reference and max(map(len, texts.references)) > 1
    if convention.single_reference and several and reading.mistake != "swapped":
        return False
    if name in FIXED_TOKENIZER and reading.tokenizer != convention.settings["tokenizer"]:
        return False
    if reading.tokenizer in {"mteval-v14", "tensor2tensor"} and name != reading.tokenizer:
        return False
    if reading.tokenizer == "zh-corrected" and name != "default":
        return False
    if reading.case == "ascii" and convention.settings.get("case") != "ascii":
        return False
    if reading.mistake in NLTK_CALL_MISTAKES and not nltk:
        return False
    theirs = name.startswith("sacrebleu") and not name.startswith("sacrebleu-r")
    if reading.mistake in NESTING_MISTAKES and not theirs:
        return False
    if (
        name in SENTENCE_TOOLS
        and texts.size > 1
        and not (mean or reading.mistake in ONE_SEGMENT_MISTAKES)
    ):
        return False
    return not name.startswith("sacrebleu-r") or reading.tokenizer in {"whitespace", "13a"}


def _departures(name: str, reading: Preprocessing, recipe: _Recipe) -> int:
    """How many choices differ from what a tool does by itself."""
    own = CONVENTIONS[name].settings
    expected = own.get("tokenizer", "whitespace")
    cased = (bool(own.get("lowercase")), own.get("case", "all"))
    steps = int(reading.tokenizer != expected)
    steps += (reading.lowercase, reading.case) != cased
    steps += recipe.order != MAX_ORDER and recipe.mistake not in {"one-order", "weights-of-0.33"}
    one_of_several = reading.reference and reading.mistake not in {"not-nested", "flat-references"}
    steps += bool(one_of_several and not CONVENTIONS[name].single_reference)
    return steps


def _cost(value: _ScoredValue, texts: ParallelTexts, *, agreement: str, scale: int) -> float:
    """How unlikely a way is, as the module says."""
    name = value.convention
    cost = value.departures + 2.0 * len(value.mistakes)
    cost += 0.5 * (name not in TOOL_DEFAULTS)
    mean = "mean-of-sentences" in value.mistakes
    of_sentences = name.startswith("sacrebleu-sentence") or name in SENTENCE_TOOLS
    single = texts.size == 1 or mean
    of_corpora = name in CORPUS_TOOLS or (name.startswith("sacrebleu") and not of_sentences)
    cost += 0.5 * (of_corpora if single else of_sentences)
    cost += 0.5 * (scale != CONVENTIONS[name].scale) + 0.5 * (agreement == "cut")
    cost += 0.5 * ("weights-of-0.33" in value.mistakes or bool(value.recipe.settings.weights))
    rank = (
        TOOLS_BY_POPULARITY.index(name)
        if name in TOOLS_BY_POPULARITY
        else len(TOOLS_BY_POPULARITY) + NAMES.index(name)
    )
    return cost + RARITY_COSTS.get(name, 0) + rank / 100


def _rank(number: ReportedScore, texts: ParallelTexts, values: list[_ScoredValue]) -> WhichResult:
    ordered = sorted(values, key=lambda one: one.value)
    numbered = groupby(_number_distinct(ordered), key=lambda pair: pair[0])
    groups = [[one for _, one in group] for _, group in numbered]
    found, others = [], []
    for group in groups:
        value = group[0].value
        ways = []
        if any(number.agreement(value, scale, single=True) for scale in number.scales):
            ways = [_candidate(number, texts, one) for one in group]
        if agreeing := [one for one in ways if one.agreement]:
            found.append(_merge_equivalents(agreeing))
        else:
            others.append((number.distance(value), group))
    # what rounds to 0 is less likely than 0 where that was printed
    found.sort(key=lambda one: (not number.number and one.value > 0, one.cost))
    nearest: list[Candidate] = []
    if not found:
        others.sort(key=lambda pair: pair[0])
        for _, group in others[:MAX_NEAREST]:
            nearest.append(_merge_equivalents([_candidate(number, texts, one) for one in group]))
    return WhichResult(number, tuple(found), tuple(nearest), len(values), len(groups))


def _number_distinct(ordered: list[_ScoredValue]) -> Iterator[tuple[int, _ScoredValue]]:
    """Values with a number that goes up where the next one is another, beyond single precision."""
    number, last = 0, -math.inf
    for one in ordered:
        number += one.value - last > SINGLE_PRECISION * one.value
        last = one.value
        yield number, one


def _candidate(number: ReportedScore, texts: ParallelTexts, value: _ScoredValue) -> Candidate:
    """A value on the scale on which it agrees best, or on the likeliest one."""
    convention, reading = CONVENTIONS[value.convention], value.preprocessing
    scale, agreement = number.scales[0], ""
    for way in number.scales:
        how = number.agreement(value.value, way, single=convention.single_precision)
        if how and not agreement:
            scale, agreement = way, how
    settings = replace(
        value.recipe.settings,
        tokenizer=reading.tokenizer,
        lowercase=reading.lowercase,
        case=reading.case,
    )
    counts = {1 if reading.reference else len(own) for own in texts.references}
    return Candidate(
        value.convention,
        settings,
        reading,
        value.mistakes,
        value.value,
        scale,
        agreement,
        number.distance(value.value),
        counts.pop() if len(counts) == 1 else None,
        _cost(value, texts, agreement=agreement, scale=scale),
    )


def _merge_equivalents(candidates: list[Candidate]) -> Candidate:
    """Ways to one value as the likeliest of them, which names the others."""
    first, *others = sorted(candidates, key=lambda one: one.cost)
    kept: dict[tuple[str, tuple[str, ...]], Candidate] = {}
    for one in others:
        # beside a way without a mistake, one way to make each mistake is enough
        needless = one.mistakes and not first.mistakes
        key = ("" if needless else one.convention, one.mistakes)
        if key != (first.convention, first.mistakes):
            kept.setdefault(key, one)
    return replace(first, equivalents=tuple(kept.values()))
