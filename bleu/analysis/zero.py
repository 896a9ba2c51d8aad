"""The cause of a score of 0 or almost 0, the number that NLTK prints, and remedies."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from bleu.checkup.faults import unspaced_tokenizer
from bleu.core.api import Derivation
from bleu.core.conventions import convention_settings
from bleu.core.memoize import memoize
from bleu.core.score import Score, compute
from bleu.core.segment import count_tokens
from bleu.core.settings import Settings
from bleu.core.statistics import truncate_orders
from bleu.core.tokenizers import token_unit
from bleu.metric.smoothings import SMOOTHINGS

MAX_CACHED_TOKENS: Final = 1 << 12
"""The number of tokens of the derivations whose diagnoses are kept; longer texts are not."""

Cause = Literal["empty", "no spaces", "nothing matches", "too short", "no match"]
ChangedSetting = Literal["sentence", "smoothing", "effective_order", "max_order"]

SUGGESTED_SMOOTHINGS: Final = [
    name for name, smoothing in SMOOTHINGS.items() if smoothing.sacrebleu and smoothing.plain
]
SENTENCE_SETTINGS: Final = {"smoothing": "exp", "smoothing_value": None, "effective_order": True}
"""The settings of sacreBLEU's sentence_bleu that raise scores of 0: the usual choice."""
ALMOST_ZERO: Final = 5e-6
"""The bound below which a score above 0 is displayed as almost 0."""


@dataclass(frozen=True, slots=True)
class Remedy:
    """A change that raises a score of almost 0, and the new score in [0, 1].

    `setting` is the setting that changes, or "sentence" for those that sacreBLEU chooses for single
    sentences: smoothing and effective order.
    """

    setting: ChangedSetting
    settings: Settings
    value: float


@dataclass(frozen=True, slots=True)
class ZeroDiagnosis:
    """The cause of a score of 0 or almost 0.

    - `order`: the first n-gram order that makes the score 0; `cause`: the reason.
    - `value`: the score, which is above 0 if it is only almost 0.
    - `nltk_value`: the number that NLTK prints for these tokens without smoothing.
    - `remedies`: the recommended one comes first.
    """

    order: int
    cause: Cause
    value: float
    nltk_value: float
    remedies: tuple[Remedy, ...]


def uses_min_float(settings: Settings) -> bool:
    """Return whether a precision of 0 becomes the smallest float, as in NLTK without smoothing."""
    name = "nltk-min-float"
    return settings.smoothing == name and settings.smoothing_value == SMOOTHINGS[name].default


def _token_count(derivation: Derivation) -> int:
    return len(derivation.hypothesis) + sum(map(len, derivation.references))


@memoize(MAX_CACHED_TOKENS, size=_token_count)
def diagnose_zero(derivation: Derivation) -> ZeroDiagnosis | None:
    """Return the cause of a score of 0, or None for another score.

    Memoized for the last derivations, because a page says the cause in several places.

    A score that is almost 0 because NLTK's smallest float replaces a precision of 0 counts as 0. A
    score whose brevity penalty is too small for a float does not.

    >>> from bleu import derive
    >>> diagnosis = diagnose_zero(derive("hello world", ["hello world"]))
    >>> diagnosis.order, diagnosis.cause
    (3, 'too short')
    >>> [(remedy.setting, remedy.value) for remedy in diagnosis.remedies][-2:]
    [('effective_order', 1.0), ('max_order', 1.0)]
    """
    score = derivation.score
    if uses_min_float(derivation.settings) and score.value < ALMOST_ZERO:
        unmatched = (n for n, matched in enumerate(score.matched, 1) if not matched)
        order = next((n for n in unmatched if score.weights[n - 1]), 0)
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
        cause = "no spaces" if script_tokenizer(derivation) else "nothing matches"
    elif len(derivation.hypothesis) < order:
        cause = "too short"
    remedies = tuple(_remedies(derivation, order))
    return ZeroDiagnosis(order, cause, score.value, _nltk_value(derivation), remedies)


def script_tokenizer(derivation: Derivation) -> str:
    """Return the tokenizer for texts of a script without spaces, or "" if the own one splits them.

    >>> from bleu import derive
    >>> script_tokenizer(derive("我喜欢散步", ["我喜欢跑步"]))
    'zh'
    >>> script_tokenizer(derive("我喜欢散步", ["我喜欢跑步"], tokenizer="zh"))
    ''
    """
    if token_unit(derivation.settings.tokenizer) not in {"spaces", "marks"}:
        return ""
    tokens = (derivation.hypothesis, *filter(None, derivation.references))
    texts = ["".join(map(str, text)) for text in tokens]
    return unspaced_tokenizer("".join(texts)) if all(map(unspaced_tokenizer, texts)) else ""


def is_penalty_zero(score: Score) -> bool:
    """Return whether a score is 0 only because its brevity penalty is too small for a float."""
    return bool(score.geometric_mean and not score.brevity_penalty)


def failed_order(score: Score, settings: Settings) -> int:
    """Return the first order that makes a score 0, or 1 if no order does."""
    if settings.unmatched == "zero-if-any-order-empty":
        return next((n for n, matched in enumerate(score.matched, 1) if not matched), 1)
    precisions = enumerate(score.precisions, 1)
    return next((n for n, p in precisions if not p and score.weights[n - 1]), 1)


def _nltk_value(derivation: Derivation) -> float:
    settings = convention_settings(
        "nltk-method0", max_order=derivation.settings.max_order, weights=derivation.settings.weights
    )
    tokens = derivation.hypothesis, derivation.references
    return compute(count_tokens(tokens, settings), settings).value


def _remedies(derivation: Derivation, order: int) -> Iterator[Remedy]:
    settings = derivation.settings
    changes: list[tuple[ChangedSetting, dict[str, Any]]] = [("sentence", SENTENCE_SETTINGS)]
    changes += [
        ("smoothing", {"smoothing": name, "smoothing_value": None})
        for name in SUGGESTED_SMOOTHINGS
        if name != settings.smoothing
    ]
    if not settings.effective_order:
        changes.append(("effective_order", {"effective_order": True}))
    if order > 1:
        changes.append(("max_order", {"max_order": order - 1}))
    for setting, values in changes:
        try:
            changed = replace(settings, **values)
            statistics = truncate_orders(derivation.statistics, changed.max_order)
            value = compute(statistics, changed).value
        except ValueError:  # The change does not suit the weights or the texts.
            continue
        if value >= ALMOST_ZERO:
            yield Remedy(setting, changed, value)
