"""How often people prefer the system with the higher BLEU, by the difference of the two scores."""

import math
from typing import Final

from bleu.core.display import short_repr
from bleu.core.settings import Settings

CURVES: Final = {"bleu": (88.333, 0.96639), "spbleu": (91.0, 0.80790)}
"""The limit in %, and the slope per BLEU point, of the logistic curve of agreement by metric."""

CHANCE: Final = 0.5
"""The agreement of a guess."""


def human_agreement(difference: float, metric: str = "bleu") -> float:
    """Return how often people prefer the system with the higher score, in [0.5, 1).

    `difference` is the difference of two corpus scores in [0, 1] with sacreBLEU's settings; its
    sign does not matter. `metric` is "bleu", or "spbleu" for the tokenizer flores200. The result is
    a share of the pairs of systems with this difference in the WMT evaluations; it does not apply
    to single sentences. Below 0.27 points ("bleu") or 0.24 ("spbleu") it is 0.5, as for a guess.

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
    """Return the metric for `human_agreement` that has these settings, or "" if none has them.

    Kocmi et al. used sacreBLEU's defaults, but tokenizer zh for Chinese and flores200 for spBLEU.

    >>> agreement_metric(Settings(tokenizer="13a", smoothing="exp", too_short="zero"))
    'bleu'
    >>> agreement_metric(Settings())
    ''
    """
    is_default = settings.smoothing == "exp" and settings.smoothing_value is None
    if not is_default or settings.lowercase:
        return ""
    try:
        settings.signature(form="sacrebleu")
    except ValueError:
        return ""
    return {"13a": "bleu", "zh": "bleu", "flores200": "spbleu"}.get(str(settings.tokenizer), "")
