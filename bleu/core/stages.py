"""The stages that settings name, as a `Method`."""

from functools import lru_cache, partial

from bleu.core.score import apply_smoothing, effective_weights, refuse, too_short_rule
from bleu.core.segment import split_rule
from bleu.core.settings import Settings
from bleu.metric.method import Method
from bleu.metric.rules import IS_SMOOTHED, IS_ZERO, PENALTIES, REFERENCE_LENGTHS


@lru_cache(maxsize=256)
def method_of(settings: Settings) -> Method:
    """Return the method that the settings name; unlike them, it cannot be pickled.

    >>> from bleu.metric.method import bleu, count
    >>> method = method_of(Settings(max_order=2, smoothing="floor"))
    >>> round(bleu(method, count(method, ["a b"], [["b a"]], 2)), 4)
    0.3162
    """
    return Method(
        split=split_rule(settings),
        length=REFERENCE_LENGTHS[settings.reference_length],
        refuse=partial(refuse, settings),
        is_smoothed=IS_SMOOTHED[settings.unmatched],
        smooth=partial(apply_smoothing, settings),
        too_short=too_short_rule(settings),
        weigh=partial(effective_weights, settings),
        is_zero=IS_ZERO[settings.unmatched],
        penalty=PENALTIES[settings.length_padding],
    )
