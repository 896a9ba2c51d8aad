"""The settings of a convention, and of the keyword arguments of the library's functions."""

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, cast

from bleu.core.choices import unknown_choice
from bleu.core.display import short_repr
from bleu.core.migration import unknown_keyword
from bleu.core.settings import SETTING_NAMES, Settings
from bleu.metric.conventions import CONVENTIONS, Convention, ConventionName
from bleu.metric.numerics import decimal
from bleu.metric.rules import SettingError


def get_convention(name: str) -> Convention:
    """Return the convention with this name, or raise ValueError."""
    if not isinstance(name, str) or name not in CONVENTIONS:
        raise unknown_choice("convention", name, CONVENTIONS)
    return CONVENTIONS[cast(ConventionName, name)]


def convention_settings(convention: str = "default", **choices: Any) -> Settings:
    """Return the settings of a convention, with individual settings overridden by keyword.

    Raises ValueError for an unknown convention and for an N that it does not accept, TypeError for
    an unknown setting, and whatever `Settings` raises.

    >>> convention_settings("nltk-method3").smoothing
    'exp'
    >>> convention_settings("sacrebleu", tokenizer="intl").signature(1)
    'nrefs:1|case:mixed|eff:no|tok:intl|smooth:exp|version:2.6.0'
    """
    published = get_convention(convention)
    for choice in choices:
        if choice not in SETTING_NAMES:
            raise unknown_keyword(choice, "Settings", SETTING_NAMES)
    settings = Settings(**{**published.settings, **choices})
    if settings.max_order > (largest_order := published.largest_order):
        problem = f"max_order is {settings.max_order}, and {convention} takes up to {largest_order}"
        remedy = f"choose {largest_order} or less, or another convention"
        raise SettingError("max_order", problem, remedy)
    k = settings.smoothing_value
    whole_k = published.whole_k and settings.smoothing == published.settings["smoothing"]
    if whole_k and k is not None and k.denominator != 1:
        problem = f"smoothing_value is {decimal(k)}, and the R package truncates k"
        remedy = f"choose a whole number, such as {math.floor(k) or 1}"
        raise SettingError("smoothing_value", problem, remedy)
    return settings


def resolve_settings(choices: Mapping[str, Any], settings: Settings | None = None) -> Settings:
    """Return `settings`, or the settings from keyword arguments, which may include `convention`.

    Raises TypeError if both are given, and whatever `convention_settings` raises.

    >>> resolve_settings({"convention": "nltk-method1", "smoothing_value": 0.5}).smoothing_value
    Fraction(1, 2)
    """
    if settings is None:
        try:
            cached = _cached_settings(**choices)
            # Equal tokenizers may come from different files, and code examples name the file.
            if cached.tokenizer is choices.get("tokenizer", cached.tokenizer):
                return cached
        except TypeError:  # A value is not hashable, or is wrong and fails again below.
            pass
        return convention_settings(**choices)
    if not isinstance(settings, Settings):
        raise TypeError(
            f"settings is {short_repr(settings)}; give a bleu.Settings, or single settings by name"
        )
    if choices:
        raise TypeError(
            f"settings is given together with {', '.join(choices)}; give one or the other "
            "(dataclasses.replace changes single settings of a bleu.Settings)"
        )
    return settings


_cached_settings: Final = lru_cache(maxsize=256, typed=True)(convention_settings)
