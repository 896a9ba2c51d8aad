"""Why a score is 0 or almost 0, what NLTK makes of it, and what would give another number."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from bleu.core.conventions import convention_settings
from bleu.core.derivation import Derivation
from bleu.core.score import Score, compute
from bleu.core.segment import count_tokens
from bleu.core.settings import Settings
from bleu.core.smoothing import SMOOTHINGS
from bleu.core.statistics import Statistics

Cause = Literal["empty", "nothing matches", "too short", "no match"]
SMOOTHED: Final = ("floor", "add-k", "exp")
ALMOST_ZERO: Final = 5e-6
"""A score above 0 and below this is shown as almost 0."""


@dataclass(frozen=True, slots=True)
class Remedy:
    """A change of one setting that gives more than almost 0, and the score, in [0, 1]."""

    setting: Literal["smoothing", "effective_order", "max_order"]
    settings: Settings
    value: float


@dataclass(frozen=True, slots=True)
class ZeroDiagnosis:
    """Why a score is 0 or almost 0: the first order that fails, and why.

    `value` is the score, above 0 where it is only almost 0; `nltk` is what NLTK prints for
    these tokens without a smoothing.
    """

    order: int
    cause: Cause
    value: float
    nltk: float
    remedies: tuple[Remedy, ...]


def uses_min_float(settings: Settings) -> bool:
    """Whether NLTK's smallest number takes the place of a 0, which NLTK calls no smoothing."""
    name = "nltk-min-float"
    return settings.smoothing == name and settings.smoothing_value == SMOOTHINGS[name].default


def diagnose_zero(derivation: Derivation) -> ZeroDiagnosis | None:
    """Why the score of these texts is 0; None where it is not, or only too small for a float.

    What is left with NLTK's smallest number in the place of a precision of 0 counts as 0, too.

    >>> from bleu import derive
    >>> found = diagnose_zero(derive("hello world", ["hello world"]))
    >>> found.order, found.cause, [(one.setting, one.value) for one in found.remedies][-2:]
    (3, 'too short', [('effective_order', 1.0), ('max_order', 1.0)])
    """
    score = derivation.score
    empty = (n for n, matched in enumerate(score.matched, 1) if not matched)
    if uses_min_float(derivation.settings) and score.value < ALMOST_ZERO:
        order = next((n for n in empty if score.weights[n - 1]), 0)
        if not order:
            return None
    elif score.value > 0 or is_penalty_zero(score):
        return None
    else:
        order = failed_order(score, derivation.settings)
    cause: Cause = "no match"
    if not derivation.hypothesis:
        cause = "empty"
    elif not any(score.matched):
        cause = "nothing matches"
    elif len(derivation.hypothesis) < order:
        cause = "too short"
    remedies = tuple(_remedies(derivation, order))
    return ZeroDiagnosis(order, cause, score.value, _nltk(derivation), remedies)


def is_penalty_zero(score: Score) -> bool:
    """Whether a score is 0 by its brevity penalty alone, which is too small for a float."""
    return bool(score.geometric_mean and not score.brevity_penalty)


def failed_order(score: Score, settings: Settings) -> int:
    """The first order that makes a score of 0 what it is; 1 where none does."""
    if settings.unmatched == "zero-if-any-order-empty":
        return next((n for n, matched in enumerate(score.matched, 1) if not matched), 1)
    precisions = enumerate(score.precisions, 1)
    return next((n for n, p in precisions if not p and score.weights[n - 1]), 1)


def _nltk(derivation: Derivation) -> float:
    settings = derivation.settings
    theirs = convention_settings(
        "nltk-method0", max_order=settings.max_order, weights=settings.weights
    )
    texts = derivation.hypothesis, derivation.references
    return compute(count_tokens(texts, theirs), theirs).value


def _remedies(derivation: Derivation, order: int) -> Iterator[Remedy]:
    settings, counted = derivation.settings, derivation.statistics
    tried: list[tuple[Literal["smoothing", "effective_order", "max_order"], dict[str, Any]]] = [
        ("smoothing", {"smoothing": name, "smoothing_value": None})
        for name in SMOOTHED
        if name != settings.smoothing
    ]
    if not settings.effective_order:
        tried.append(("effective_order", {"effective_order": True}))
    if order > 1:
        tried.append(("max_order", {"max_order": order - 1}))
    for setting, changes in tried:
        try:
            other = replace(settings, **changes)
            value = compute(_truncate_orders(counted, other.max_order), other).value
        except ValueError:  # no such choice, as beside own weights, or no number for these texts
            continue
        if value >= ALMOST_ZERO:
            yield Remedy(setting, other, value)


def _truncate_orders(counted: Statistics, orders: int) -> Statistics:
    """The statistics of the first orders alone."""
    details = counted.details
    return replace(
        counted,
        matched=counted.matched[:orders],
        total=counted.total[:orders],
        details=details
        and replace(
            details,
            too_short=details.too_short[:orders],
            no_match=details.no_match[:orders],
            last_total=details.last_total[:orders],
        ),
    )
