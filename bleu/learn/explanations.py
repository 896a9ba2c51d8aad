"""What explains a learner's scores: a named mistake, a smoothing, or the place where they fail."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cache, lru_cache, partial
from itertools import combinations, product
from operator import attrgetter
from statistics import fmean
from typing import Final, NamedTuple

from bleu.core.settings import Settings
from bleu.learn.cases import AssessedCase, right_score
from bleu.learn.hand_calculation import CORRECT, Change, HandCalculation, Task, both, changed_stages
from bleu.learn.localization import (
    failure_condition,
    part_of,
    range_sentence,
    solved_weights,
    weights_sentence,
    zero_sentence,
)
from bleu.learn.misconceptions import CODE_MISTAKES
from bleu.metric.smoothings import SmoothingName

MIN_EXPLAINED: Final = 10
"""The numbers that a named mistake must give: few agree with some mistake by chance."""
_TRIED_SMOOTHINGS: Final[tuple[SmoothingName, ...]] = (
    *("none", "floor", "add-k", "exp", "add-k-all"),
)

Score = Callable[[Task], float]


class Explanation(NamedTuple):
    """Why scores are wrong: names of misconceptions, sentences, and the step to read."""

    names: tuple[str, ...] = ()
    text: str = ""
    anchor: str = ""


def explain(cases: Sequence[AssessedCase], settings: Settings) -> Explanation | None:
    """Return what gives all `actual` scores, a mistake or a smoothing, or None.

    An explanation may hold for candidates with an n-gram of each order only, and then says so.
    """
    numbers = [case for case in cases if case.actual is not None]
    if all(case.agrees for case in numbers):
        return None  # Only exceptions are wrong.
    numbers.sort(key=attrgetter("agrees"))  # Those that do not agree reject most explanations.
    max_order = settings.max_order
    long = [case for case in numbers if min(len(h.split()) for h in case.hypotheses) >= max_order]
    for chosen, ending in (
        (numbers, ""),
        (long, f" So it is with candidates of at least {max_order} words."),
    ):
        if len(chosen) >= MIN_EXPLAINED and (found := _explain_all(chosen, settings)):
            return found._replace(text=f"{found.text}{ending}")
    return None


def _explain_all(cases: Sequence[AssessedCase], settings: Settings) -> Explanation | None:
    plain = Settings(max_order=settings.max_order, tokenizer=settings.tokenizer)
    if settings == plain and isinstance(settings.tokenizer, str):
        for explanation, score in _wrong_scores():
            if all(replace(case, expected=score(case.task)).agrees for case in cases):
                return explanation
    text = _smoothing_sentence(cases, settings)
    return Explanation((), text, "smoothing") if text else None


def locate(cases: Sequence[AssessedCase], settings: Settings) -> Explanation:
    """Return where scores are wrong, and what they imply; without a sentence if that is unclear."""
    failing = [case for case in cases if not case.agrees]
    errors = Counter(case.error for case in failing if case.actual is None)
    sentences = [
        f"{error[0].upper()}{error[1:]}." if error.startswith("it ") else f"It stops with {error}."
        for error, number in errors.most_common(1)
        if 2 * number >= len(failing)
    ]
    if not sentences and len({case.actual for case in cases}) == 1:  # It has weights of 0.
        return Explanation((), range_sentence(cases), "")
    implied, anchor = ["", ""], ""
    with suppress(OverflowError):
        if settings.smoothing == "none" and (weights := solved_weights(cases)):
            implied[0] = weights_sentence(weights, settings.max_order)
            implied[1] = zero_sentence(cases, weights)
            anchor = "score" if any(implied) else ""
        elif settings.smoothing == "none":
            implied[1], anchor = part_of(cases)
    sentences.append(range_sentence(cases))
    if not implied[0]:
        sentences.append(failure_condition(cases))
    sentences += implied
    return Explanation((), " ".join(filter(None, sentences)), anchor)


@cache
def _wrong_scores() -> tuple[tuple[Explanation, Score], ...]:
    """Return each mistake with its score, then pairs of mistakes in different stages."""
    single = [
        (
            Explanation((wrong.name,), wrong.sentence, wrong.anchor),
            partial(_changed_score, change=wrong.change),
        )
        for wrong in CODE_MISTAKES
    ]
    changes = {wrong.name: wrong for wrong in reversed(CODE_MISTAKES)}  # the first of a name
    pairs = []
    for first, second in combinations(reversed(changes.values()), 2):
        stages = changed_stages(first.change)
        if stages.keys().isdisjoint(changed_stages(second.change)):
            score = partial(_changed_score, change=both(first.change, second.change))
            sentences = f"{first.sentence} {second.sentence}"
            names = (first.name, second.name)
            pairs.append((Explanation(names, sentences, first.anchor), score))
    return (*single, *_WHOLE_SCORES, *pairs)


@lru_cache(maxsize=65536)
def _changed_score(task: Task, change: Change) -> float:
    return float(HandCalculation(task, change)["bleu"])


def _score_by_reference(task: Task, combine: Callable[[Sequence[float]], float]) -> float:
    """Return what `combine` makes of the scores of a segment with each of its references."""
    if len(task.hypotheses) > 1:
        return math.nan
    tasks = (replace(task, references=((text,),)) for text in task.references[0])
    return combine([_changed_score(each, CORRECT) for each in tasks])


def _score_by_characters(task: Task) -> float:
    """Return the score with lengths in characters."""
    c = sum(map(len, task.hypotheses))
    pairs = zip(task.hypotheses, task.references, strict=True)
    r = sum(min((abs(len(each) - len(h)), len(each)) for each in texts)[1] for h, texts in pairs)
    given = {"c": Fraction(c), "r": Fraction(r)}
    return float(HandCalculation(task, CORRECT, given)["bleu"])


def _score_of_characters(task: Task) -> float:
    """Return the score with each character as a token."""

    def spaced(text: str) -> str:
        return " ".join(text.replace(" ", "_"))

    references = tuple(tuple(map(spaced, texts)) for texts in task.references)
    hypotheses = tuple(map(spaced, task.hypotheses))
    return _changed_score(replace(task, hypotheses=hypotheses, references=references), CORRECT)


def _combined(name: str, noun: str, combine: Callable[..., float]) -> tuple[Explanation, Score]:
    text = (
        f"You took the {noun} of the scores with each reference; an n-gram is credited if any "
        "reference has it, in one score."
    )
    return Explanation((name,), text, "precision-1"), partial(_score_by_reference, combine=combine)


_LENGTHS = "You took the lengths c and r in characters; they are numbers of tokens."
_LETTERS = "You counted the letters of a text instead of its words; split it into words first."
_WHOLE_SCORES: Final = (
    _combined("best-reference", "best", max),
    _combined("mean-over-references", "mean", fmean),
    (Explanation(("lengths-in-characters",), _LENGTHS, "brevity-penalty"), _score_by_characters),
    (Explanation(("characters-as-tokens",), _LETTERS, "tokens"), _score_of_characters),
)
"""Mistakes that no stage of a method explains."""


def _smoothing_sentence(cases: Sequence[AssessedCase], settings: Settings) -> str:
    """Return a sentence on a smoothing that gives all `actual` scores, or ""."""
    # Without any match, libraries differ, whatever the smoothing.
    cases = [case for case in cases if case.score.matched[0]]
    if all(case.agrees for case in cases):
        return ""
    for smoothing, effective_order in product(_TRIED_SMOOTHINGS, (False, True)):
        changed = replace(
            settings, smoothing=smoothing, smoothing_value=None, effective_order=effective_order
        )
        scores = ((case, right_score(case.task, changed).value) for case in cases)
        if changed != settings and all(replace(case, expected=s).agrees for case, s in scores):
            ending = ", without the orders that exceed a text’s length" if effective_order else ""
            return f"These are the scores with smoothing {smoothing}{ending}."
    return ""
