"""Derivations as JSON, for programs: every quantity, with exact fractions as strings."""

import json
from typing import Any, Final

from bleu.core.api import Derivation
from bleu.core.ngrams import Match
from bleu.core.settings import SETTING_NAMES
from bleu.metric.numerics import decimal

VERSION: Final = 3
"""The version of the format, raised whenever a key or its meaning changes."""


def render(derivation: Derivation) -> str:
    """Render a derivation as a JSON object.

    - `version`: the version of the format; `signature`: the settings in one line.
    - `settings`: all settings, exact numbers as strings; `bleu.Settings(**settings)` restores them.
    - `score`: `value`, `brevity_penalty` and `geometric_mean` on the 0–1 scale;
      `log_geometric_mean`, null for minus infinity; `precisions`, unreduced as in "2/8", and
      `weights` as strings;
      `cross_check`: the score by the product, and its relative difference from `value`.
    - `statistics`: `matched` and `total` for each order as counted, and the lengths c and r.
    - `tokens`: the tokens of the hypothesis and of each reference, as text.
    - `orders`: for each order, its n-grams in order of first occurrence, with `ngram`, `count`,
      `reference_counts` and `clipped_count`.

    >>> from bleu import derive
    >>> json.loads(render(derive("a b", ["a c"], max_order=2)))["score"]["precisions"]
    ['1/2', '0']
    """
    return json.dumps(_object(derivation), ensure_ascii=True, indent=1)


def _object(derivation: Derivation) -> dict[str, Any]:
    score, settings = derivation.score, derivation.settings
    value, weights = settings.smoothing_value, settings.weights
    return {
        "version": VERSION,
        "signature": derivation.signature,
        "settings": {name: getattr(settings, name) for name in SETTING_NAMES}
        | {
            "tokenizer": str(settings.tokenizer),
            "weights": weights and list(map(decimal, weights)),
            "smoothing_value": None if value is None else decimal(value),
        },
        "score": {
            "value": score.value,
            "brevity_penalty": score.brevity_penalty,
            "geometric_mean": score.geometric_mean,
            "log_geometric_mean": score.log_geometric_mean if score.geometric_mean else None,
            "precisions": [
                f"{numerator}/{denominator}" if denominator > 1 else str(numerator)
                for numerator, denominator in score.fractions
            ],
            "weights": list(map(str, score.weights)),
            "cross_check": {
                "value": score.cross_check.value,
                "relative_difference": score.cross_check.relative_difference,
            },
        },
        "statistics": {
            "matched": list(score.matched),
            "total": list(score.total),
            "hypothesis_length": score.hypothesis_length,
            "reference_length": str(score.reference_length),
        },
        "tokens": {
            "hypothesis": list(map(str, derivation.hypothesis)),
            "references": [list(map(str, tokens)) for tokens in derivation.references],
        },
        "orders": [list(map(_match, order.matches())) for order in derivation.orders],
    }


def _match(match: Match) -> dict[str, Any]:
    return {
        "ngram": list(map(str, match.ngram)),
        "count": match.count,
        "reference_counts": list(match.reference_counts),
        "clipped_count": match.clipped_count,
    }
