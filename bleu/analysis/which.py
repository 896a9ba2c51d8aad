"""Which BLEU is this number? The settings, tools and usual mistakes that give it.

All ways to get it are ranked by a simple prior, `Candidate.cost`: 0 for the defaults of a tool; 1
for each departure from them (another tokenizer, case or N, or one reference of several); 2 for each
mistake; 1/2 for a smoothing that is not the tool's default, for unequal weights, for another scale
than the tool's, for a sentence tool on a corpus or the reverse, for an old version of NLTK, and for
digits cut off instead of rounded; more for programs that are rarely used today, and for definitions
without a program. The rank of the tool by popularity adds hundredths.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf
from typing import Final, TypeVar

from bleu.analysis.calls import OLD_NLTK, Preprocessing, preprocessings
from bleu.analysis.which_search import ScoredValue, SearchTask
from bleu.checkup.checkup import iter_check
from bleu.checkup.repairs import copy_texts, repair_texts, usual_settings
from bleu.core.api import check_corpus_arguments
from bleu.core.conventions import get_convention
from bleu.core.custom_tokenizers import Tokenizer
from bleu.core.display import short_repr
from bleu.core.migration import adapt_arguments
from bleu.core.progress import ProgressGenerator, map_progress, run_to_end
from bleu.core.settings import Settings
from bleu.files.parallel import ParallelTexts
from bleu.metric.numerics import ascii_number, decimal

T = TypeVar("T")

PARTS: Final = 3
"""The parts of a search: the texts as they are, their faults, and the texts without these."""
PART_UNITS: Final = 10_000
"""The units in which the progress of a part is counted."""
MAX_NEAREST: Final = 5
"""The largest number of nearest ways that are listed if none agrees."""
TOLERANCE: Final = 1e-9
"""The largest relative error of a computed value."""
SINGLE_PRECISION: Final = 1e-6
"""The largest relative error of a value computed in single precision, in which errors add up."""
MAX_EXPONENT: Final = 400
MAX_CHARACTERS: Final = 400
_NUMBER: Final = re.compile(r"(\d+(?:[.,]\d*)?|[.,]\d+)(?:e([+-]?\d{1,4}))?\s*(%|percent)?")


class NumberTooLargeError(ValueError):
    """A number that is larger than any BLEU."""


@dataclass(frozen=True, slots=True)
class ReportedScore:
    """A number as it was typed.

    - `text`: the input, trimmed.
    - `number`: its exact value, >= 0.
    - `unit`: one unit of its last digit, so 1/100 for 26.60.
    - `percent`: whether a percent sign follows.
    """

    text: str
    number: Fraction
    unit: Fraction
    percent: bool

    @property
    def scales(self) -> tuple[int, ...]:
        """The possible scales, 1 or 100, the more likely first.

        Some smoothings exceed 1, so a number up to 2 may be on either scale.

        >>> texts = "26.6", "0.266", "0.266 %"
        >>> [parse_reported_score(text).scales for text in texts]
        [(100,), (1, 100), (100,)]
        """
        return (100,) if self.percent or self.number > 2 else (1, 100)

    def agreement(self, value: float, scale: int, *, single: bool = False) -> str:
        """Return how a value in [0, 1] agrees with the digits: `rounded`, `cut` off, or "" if not.

        On the scale of 0 to 1, a whole number has no digits to round: 1 is exactly 1. `single`
        means that the value was computed in single precision.

        >>> score = parse_reported_score("26.60")
        >>> [score.agreement(value, 100) for value in (0.26604, 0.26607, 0.2661)]
        ['rounded', 'cut', '']
        """
        exact = Fraction(value) * scale
        tolerance = exact * Fraction(SINGLE_PRECISION if single else TOLERANCE)
        half_unit = 0 if scale == 1 and self.unit >= 1 else self.unit / 2
        if abs(exact - self.number) <= half_unit + tolerance:
            return "rounded"
        if not half_unit:
            return ""
        return "cut" if self.number <= exact < self.number + self.unit else ""

    def distance(self, value: float) -> float:
        """Return the distance of a value in [0, 1] from the number, both converted to 0–100.

        The number is taken on its likelier scale.

        >>> [parse_reported_score(text).distance(0.25) for text in ("26.60", "0.25")]
        [1.6, 0.0]
        """
        scale = self.scales[0]
        return abs(float((Fraction(value) * scale - self.number) * (100 // scale)))


def parse_reported_score(text: str) -> ReportedScore:
    """Parse a number with decimal point or comma, and optionally exponent and percent sign.

    Raises TypeError for anything but a string, ValueError for a string that is not such a number,
    and NumberTooLargeError for a number above 1000.

    >>> parse_reported_score(" 26,60 % ")
    ReportedScore(text='26,60 %', number=Fraction(133, 5), unit=Fraction(1, 100), percent=True)
    >>> parse_reported_score("1.2e-231").unit == Fraction(1, 10**232)
    True
    """
    if not isinstance(text, str):
        raise TypeError(
            f"the score is {short_repr(text)}; give it as text, with the digits reported"
        )
    trimmed = text.strip()
    normalized = ascii_number(trimmed[: MAX_CHARACTERS + 1]).lower()
    match = _NUMBER.fullmatch(normalized) if len(trimmed) <= MAX_CHARACTERS else None
    if not match:
        raise ValueError(
            f"{short_repr(trimmed)} is not a score; give one number, such as 26.60, 0.266 or 26,6 %"
        )
    digits, exponent_digits, percent = match.groups()
    exponent = int(exponent_digits or 0)
    if abs(exponent) > MAX_EXPONENT:
        raise ValueError(
            f"the exponent of {short_repr(trimmed)} is beyond ±{MAX_EXPONENT}; "
            "give a number up to 100"
        )
    integer, _, decimals = digits.replace(",", ".").partition(".")
    number = Fraction(int(integer + decimals), 10 ** len(decimals)) * Fraction(10) ** exponent
    unit = Fraction(10) ** (exponent - len(decimals))
    if number > 1000:
        raise NumberTooLargeError(f"{decimal(number)[:60]} is too large; BLEU is at most 100")
    return ReportedScore(trimmed, number, unit, bool(percent))


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to compute a number.

    - `convention`: a name in `CONVENTIONS`; `settings`: all settings.
    - `preprocessing`: the way to the tokens, and which references are compared.
    - `mistakes`: up to two names; `MISTAKES` describes each.
    - `value`: its result, in [0, 1] for most ways; `scale`: the scale of the number, 1 or 100.
    - `agreement`: `rounded`, `cut`, or "" if it does not agree.
    - `distance`: between value and number, on the scale of 0 to 100.
    - `references`: the number of references of each segment, or None if it varies.
    - `cost`: how unlikely the way is, >= 0.
    - `equivalents`: other ways to the same value, the likeliest for each convention and mistakes.
      If this way has no mistakes, those with mistakes are only the likeliest for each combination.
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
        """The signature of its settings."""
        return self.settings.signature(self.references)

    @property
    def conventions(self) -> tuple[str, ...]:
        """The convention, and the others that compute the same from the same tokens."""
        same = [
            other.convention
            for other in self.equivalents
            if (other.preprocessing, other.mistakes) == (self.preprocessing, self.mistakes)
        ]
        return tuple(dict.fromkeys((self.convention, *same)))


@dataclass(frozen=True, slots=True)
class WhichResult:
    """The ways that agree with a number, the likeliest first.

    - `nearest`: the nearest ways, if none agrees.
    - `tried_count`: the number of ways computed; `distinct_count`: the number of distinct values.
    - `repairs`: the faults without which the texts give the number, by name; as the texts are, no
      usual way gives it.
    """

    reported: ReportedScore
    found: tuple[Candidate, ...]
    nearest: tuple[Candidate, ...]
    tried_count: int
    distinct_count: int
    repairs: tuple[str, ...] = ()


@adapt_arguments
def which(
    number: ReportedScore | str | float,
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    tokenizers: Sequence[Tokenizer] = (),
) -> WhichResult:
    """Find the ways to compute BLEU that give this number for these segments.

    `number` is a score as it was printed, on the 0–1 or 0–100 scale; its digits say how exact it
    is, so "26.60" is more exact than 26.6. `references[i]` are one or more references of
    `hypotheses[i]`. All must be text. `tokenizers`, such as SentencePiece models, are tried in
    addition to the library's.

    Raises TypeError or ValueError if an argument is invalid or there are no segments.

    >>> texts = ["the cat sat on a mat"], [["the cat sits on a mat"]]
    >>> [candidate] = which("0.7744", *texts).found
    >>> candidate.convention, candidate.mistakes
    ('nltk-method0', ('strings',))
    """
    if not isinstance(number, ReportedScore):
        number = parse_reported_score(str(number))
    return run_to_end(iter_which(number, hypotheses, references, tokenizers))


def iter_which(
    number: ReportedScore,
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str]],
    tokenizers: Sequence[Tokenizer] = (),
) -> ProgressGenerator[WhichResult]:
    """Run `which` as a generator that yields (done, total).

    If no usual way gives the number, the texts are tried without the faults that `iter_check` finds
    and `repair_corpus` undoes.
    """
    check_corpus_arguments(hypotheses, references)
    if not hypotheses:
        raise ValueError("there are no segments; give one or more")
    for index, hypothesis in enumerate(hypotheses):
        if not isinstance(hypothesis, str):
            raise TypeError(
                f"hypotheses[{index}] is {short_repr(hypothesis)}; give text, not tokens"
            )
    texts = ParallelTexts([tuple(hypotheses)], tuple(map(tuple, references)))
    result = yield from _part(_search(number, texts, tokenizers), 0)
    if all(candidate.mistakes for candidate in result.found):
        repaired, names = yield from _part(_repair(texts), 1)
        if repaired is not texts:
            other = yield from _part(_search(number, repaired, tokenizers), 2)
            if not all(candidate.mistakes for candidate in other.found):
                result = replace(other, repairs=names)
    yield PARTS * PART_UNITS, PARTS * PART_UNITS
    return result


def _part(steps: ProgressGenerator[T], index: int) -> ProgressGenerator[T]:
    """Run a part of the search, whose progress is that of the whole search."""

    def to_event(done: int, total: int) -> tuple[int, int]:
        return PART_UNITS * index + PART_UNITS * done // max(total, 1), PARTS * PART_UNITS

    return map_progress(steps, to_event)


def _repair(texts: ParallelTexts) -> ProgressGenerator[tuple[ParallelTexts, tuple[str, ...]]]:
    """Return the texts without the faults that the check-up finds, and the names of these."""
    sides = copy_texts(texts.hypotheses, texts.references)
    findings = yield from iter_check(*sides, usual_settings(sides[0]))
    actions = (finding.action.partition(":") for finding in findings)
    names = tuple(name for action, _, name in actions if action == "repair")
    return repair_texts(texts, names) if names else texts, names


def _search(
    number: ReportedScore, texts: ParallelTexts, tokenizers: Sequence[Tokenizer]
) -> ProgressGenerator[WhichResult]:
    """Return the ways in which texts give a number."""
    tasks = []
    for preprocessing in preprocessings(texts, tokenizers):
        tasks.append(SearchTask(preprocessing, texts))
        yield 0, 1
    total = sum(task.work_units for task in tasks)
    values: list[ScoredValue] = []
    done = 0
    for task in tasks:
        for units in task.run():
            yield done + units, total
        values += task.values
        done += task.work_units
        yield done, total
    return _rank(number, texts, values)


def _rank(number: ReportedScore, texts: ParallelTexts, values: list[ScoredValue]) -> WhichResult:
    groups = _group_by_value(values)
    found: list[Candidate] = []
    for group in groups:
        if any(number.agreement(group[0].value, scale, single=True) for scale in number.scales):
            candidates = [_candidate(number, texts, scored) for scored in group]
            if agreeing := [candidate for candidate in candidates if candidate.agreement]:
                found.append(_merge_equivalents(agreeing))
    # A printed 0 is more likely an exact 0 than a value that rounds to 0.
    found.sort(key=lambda candidate: (not number.number and candidate.value > 0, candidate.cost))
    nearest: list[Candidate] = []
    if not found:
        nearest_groups = sorted(groups, key=lambda group: number.distance(group[0].value))
        for group in nearest_groups[:MAX_NEAREST]:
            candidates = [_candidate(number, texts, scored) for scored in group]
            nearest.append(_merge_equivalents(candidates))
    return WhichResult(number, tuple(found), tuple(nearest), len(values), len(groups))


def _group_by_value(values: list[ScoredValue]) -> list[list[ScoredValue]]:
    """Return the values in ascending order, grouped if equal up to single precision."""
    groups: list[list[ScoredValue]] = []
    previous = -inf
    for scored in sorted(values, key=lambda scored: scored.value):
        if scored.value - previous > SINGLE_PRECISION * scored.value:
            groups.append([])
        groups[-1].append(scored)
        previous = scored.value
    return groups


def _candidate(number: ReportedScore, texts: ParallelTexts, scored: ScoredValue) -> Candidate:
    """Return a value as a candidate on the first scale that agrees, else on the likeliest one."""
    preprocessing = scored.preprocessing
    single_precision = get_convention(scored.convention).single_precision
    agreements = {
        scale: number.agreement(scored.value, scale, single=single_precision)
        for scale in number.scales
    }
    scale = next(filter(agreements.get, agreements), number.scales[0])
    settings = replace(
        scored.recipe.settings,
        tokenizer=preprocessing.tokenizer,
        lowercase=preprocessing.lowercase,
        case=preprocessing.case,
    )
    reference_counts = {
        1 if preprocessing.reference else len(references) for references in texts.references
    }
    return Candidate(
        scored.convention,
        settings,
        preprocessing,
        scored.mistakes,
        scored.value,
        scale,
        agreements[scale],
        number.distance(scored.value),
        reference_counts.pop() if len(reference_counts) == 1 else None,
        _cost(scored, texts, agreement=agreements[scale], scale=scale),
    )


def _cost(scored: ScoredValue, texts: ParallelTexts, *, agreement: str, scale: int) -> float:
    """Return how unlikely a way is; the module docstring has the rules."""
    tool = get_convention(scored.convention)
    is_sentence = texts.size == 1 or "mean-of-sentences" in scored.mistakes
    has_other_scope = tool.scope in (("corpora",) if is_sentence else ("sentences", "one sentence"))
    has_other_weights = "weights-of-0.33" in scored.mistakes or scored.recipe.settings.weights
    half_costs = (
        not tool.is_default,
        has_other_scope,
        scale != tool.scale,
        agreement == "cut",
        has_other_weights,
        OLD_NLTK in scored.mistakes,
    )
    cost = scored.departures + 2.0 * len(scored.mistakes) + 0.5 * sum(map(bool, half_costs))
    return cost + tool.rarity_cost + tool.rank / 100


def _merge_equivalents(candidates: list[Candidate]) -> Candidate:
    """Return the likeliest of the ways to one value, with the others as its equivalents."""
    first, *others = sorted(candidates, key=lambda candidate: candidate.cost)
    likeliest: dict[tuple[str, tuple[str, ...]], Candidate] = {}
    for candidate in others:
        # Mistakes are unlikely if a way needs none, so one example of each is enough.
        is_example = candidate.mistakes and not first.mistakes
        key = ("" if is_example else candidate.convention, candidate.mistakes)
        if key != (first.convention, first.mistakes):
            likeliest.setdefault(key, candidate)
    return replace(first, equivalents=tuple(likeliest.values()))
