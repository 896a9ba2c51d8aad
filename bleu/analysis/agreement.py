"""How often people prefer the system with the higher BLEU, by the difference between the two."""

import math
from typing import Final

from bleu.core.settings import Settings
from bleu.core.short_repr import short_repr

CURVES: Final = {"bleu": (88.333, 0.96639), "spbleu": (91.0, 0.80790)}
"""The limit in % and the slope per point of the fitted accuracy, by metric."""

CHANCE: Final = 0.5
"""The agreement of a guess."""


def human_agreement(difference: float, metric: str = "bleu") -> float:
    """Return how often people prefer the system with the higher score, in [0.5, 1).

    `difference` is that of two corpus scores in [0, 1], with sacreBLEU's settings; its sign does
    not matter. The result is a share of the pairs of systems that differ by as much in the WMT
    evaluations. A small difference agrees as often as a guess: below 0.27 points for "bleu", and
    0.25 for "spbleu", which is BLEU with the tokenizer flores200. It says nothing about single
    sentences.

    Raises ValueError for a difference outside of [-1, 1], and for an unknown metric. Source: Kocmi
    et al. 2024, "Navigating the Metrics Maze".

    >>> [round(human_agreement(points / 100), 2) for points in (0.1, 0.78, 1.39, 2.34, 10)]
    [0.5, 0.6, 0.7, 0.8, 0.88]
    """
    if metric not in CURVES:
        raise ValueError(f"metric is {short_repr(metric)}; choose {' or '.join(map(repr, CURVES))}")
    if not -1 <= difference <= 1:
        raise ValueError(
            f"difference is {short_repr(difference)}; give the difference of two scores in [0, 1], "
            "such as 0.017 for 1.7 points"
        )
    limit, slope = CURVES[metric]
    return max(CHANCE, limit / 100 / (1 + math.exp(-slope * 100 * abs(difference))))


def agreement_metric(settings: Settings) -> str:
    """Return the metric of `human_agreement` that scores under these settings belong to, or "".

    The study used sacreBLEU's default settings, with the tokenizer zh for Chinese, and flores200.

    >>> agreement_metric(Settings(tokenizer="13a", smoothing="exp", too_short="zero"))
    'bleu'
    >>> agreement_metric(Settings())
    ''
    """
    is_default = settings.smoothing == "exp" and settings.smoothing_value is None
    if not is_default or settings.lowercase:
        return ""
    try:
        settings.sacrebleu_signature()
    except ValueError:
        return ""
    return {"13a": "bleu", "zh": "bleu", "flores200": "spbleu"}.get(str(settings.tokenizer), "")
