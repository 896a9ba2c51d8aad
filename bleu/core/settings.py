"""Every choice that a BLEU score depends on, validated once, and its signature."""

import struct
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from numbers import Integral, Rational
from typing import Any, Final, TypedDict, Unpack, get_args

from bleu.core.brevity_penalty import REFERENCE_LENGTHS
from bleu.core.choices import (
    CaseName,
    EmptySideName,
    EmptyTextName,
    LengthPaddingName,
    Number,
    ReferenceLengthName,
    SettingChoices,
    SeveralReferencesName,
    SmoothingName,
    TokenizerName,
    TooShortName,
    UnmatchedName,
    UnusualValuesName,
    WeightPrecisionName,
    ZeroPrecisionName,
    append_docstrings,
)
from bleu.core.numerics import NumberTooLargeError, NumberTooSmallError, decimal
from bleu.core.smoothing import SMOOTHINGS
from bleu.core.tokenizers import TOKENIZERS
from bleu.core.weights import Weights

MAX_ORDER: Final = 9
IMPLEMENTATION_RULES: Final[Mapping[str, tuple[str, ...]]] = {
    "case": get_args(CaseName),
    "too_short": get_args(TooShortName),
    "unmatched": get_args(UnmatchedName),
    "zero_precision": get_args(ZeroPrecisionName),
    "length_padding": get_args(LengthPaddingName),
    "weight_precision": get_args(WeightPrecisionName),
    "empty_text": get_args(EmptyTextName),
    "empty_side": get_args(EmptySideName),
    "several_references": get_args(SeveralReferencesName),
    "unusual_values": get_args(UnusualValuesName),
}
"""The rules in which implementations differ, and their choices, the default first."""
NOT_IN_SIGNATURE: Final = {"empty_side", "several_references", "unusual_values"}
"""Rules that say what is refused and change no score, so no signature has them."""
SACREBLEU: Final = "2.6.0"
"""The version of sacreBLEU whose scores these are, as its signature says."""
SACREBLEU_TOKENIZERS: Final = {"none", "whitespace", "13a", "intl", "char", "zh"}
SACREBLEU_SMOOTHINGS: Final = {"none", "floor", "add-k", "exp"}
SMALLEST: Final = Fraction(str(sys.float_info.min))
LARGEST: Final = Fraction(10**300)
"""Numbers that a float can hold with all their digits, with room for sums above."""
LARGEST_EXPONENT: Final = 10_000
"""A power of ten that leaves the range of a float, whatever digits stand before it."""


class ResamplingOptions(TypedDict, total=False):
    """How often a test drew segments anew or swapped the systems', and its seed."""

    bootstrap: int
    randomization: int
    seed: int


@append_docstrings(SettingChoices)
@dataclass(frozen=True, slots=True, init=False)
class Settings:
    """The choices behind one score; the defaults are the paper's BLEU with N = 4.

    Worked out of these: `shares`, the weights in whole numbers; `detailed`, whether the score
    needs the details of the statistics; `orders`, how many orders are counted: N, and with details
    at least 5; `keeps_matches`, whether p_n is what was counted where every order has a match;
    `counting`, the choices that what is counted depends on, which statistics remember.

    Raises ValueError or TypeError that names the value and the choices.

    >>> Settings(max_order=2, smoothing="floor").smoothing_value
    Fraction(1, 10)
    >>> Settings(case="none")
    Traceback (most recent call last):
    ValueError: case is 'none'; choose one of: all, ascii
    """

    tokenizer: TokenizerName
    lowercase: bool
    max_order: int
    weights: tuple[Fraction, ...] | None
    smoothing: SmoothingName
    smoothing_value: Fraction | None
    effective_order: bool
    reference_length: ReferenceLengthName
    case: CaseName
    too_short: TooShortName
    unmatched: UnmatchedName
    zero_precision: ZeroPrecisionName
    length_padding: LengthPaddingName
    weight_precision: WeightPrecisionName
    empty_text: EmptyTextName
    empty_side: EmptySideName
    several_references: SeveralReferencesName
    unusual_values: UnusualValuesName
    shares: Weights = field(init=False, repr=False, compare=False)
    detailed: bool = field(init=False, repr=False, compare=False)
    orders: int = field(init=False, repr=False, compare=False)
    keeps_matches: bool = field(init=False, repr=False, compare=False)
    counting: str = field(init=False, repr=False, compare=False)

    def __init__(
        self,
        tokenizer: TokenizerName = "whitespace",
        lowercase: bool = False,
        max_order: int = 4,
        weights: Iterable[Number] | None = None,
        smoothing: SmoothingName = "none",
        smoothing_value: Number | None = None,
        effective_order: bool = False,
        reference_length: ReferenceLengthName = "closest",
        case: CaseName = "all",
        too_short: TooShortName = "smoothed",
        unmatched: UnmatchedName = "zero",
        zero_precision: ZeroPrecisionName = "zero",
        length_padding: LengthPaddingName = "none",
        weight_precision: WeightPrecisionName = "exact",
        empty_text: EmptyTextName = "no-token",
        empty_side: EmptySideName = "scored",
        several_references: SeveralReferencesName = "taken",
        unusual_values: UnusualValuesName = "refused",
    ) -> None:
        """Validate every choice, and bring numbers into their exact form."""
        rules = {
            "case": case,
            "too_short": too_short,
            "unmatched": unmatched,
            "zero_precision": zero_precision,
            "length_padding": length_padding,
            "weight_precision": weight_precision,
            "empty_text": empty_text,
            "empty_side": empty_side,
            "several_references": several_references,
            "unusual_values": unusual_values,
        }
        _check_choice("tokenizer", tokenizer, TOKENIZERS)
        _check_choice("smoothing", smoothing, SMOOTHINGS)
        _check_choice("reference_length", reference_length, REFERENCE_LENGTHS)
        for name, choice in rules.items():
            _check_choice(name, choice, IMPLEMENTATION_RULES[name])
        _check_flag("lowercase", lowercase)
        _check_flag("effective_order", effective_order)
        if effective_order and (too_short == "one" or weight_precision == "single"):
            raise ValueError(
                "effective_order is True, and the implementation that these settings follow has "
                "no such choice; leave it out"
            )
        order = _check_max_order(max_order)
        unusual = unusual_values == "computed"
        exact_weights = _weights(weights, order, unusual=unusual)
        kind = SMOOTHINGS[smoothing]
        of_one = too_short == "zero-of-one"
        detailed = kind.detailed or of_one
        values = {
            "tokenizer": tokenizer,
            "lowercase": lowercase,
            "max_order": order,
            "weights": exact_weights,
            "smoothing": smoothing,
            "smoothing_value": _smoothing_value(smoothing, smoothing_value, unusual=unusual),
            "effective_order": effective_order,
            "reference_length": reference_length,
            **rules,
            "shares": _shares(exact_weights, order, single=weight_precision == "single"),
            "detailed": detailed,
            "orders": max(order, 5) if detailed else order,
            "keeps_matches": kind.keeps_matches and not of_one,
            "counting": _counting_key(tokenizer, reference_length, empty_text, lowercase and case),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def of_parts(self) -> "Settings":
        """The same for parts of a corpus, which may be empty where the whole may not."""
        return replace(self, empty_side="scored") if self.empty_side == "refused" else self

    @property
    def order_weights(self) -> tuple[Fraction, ...]:
        """w_1 to w_N as exact fractions, in [0, 1]."""
        return self.shares.weights

    def sacrebleu_signature(
        self,
        references: int | None = None,
        *,
        short: bool = False,
        **resampled: Unpack[ResamplingOptions],
    ) -> str:
        """The signature that sacreBLEU prints for these settings, for a paper to quote.

        `references` is their number for each segment; None says that it varies. It ends with the
        version of sacreBLEU that these scores agree with. Raises ValueError for settings that its
        form has no place for, such as another max order than 4 (Post 2018, section 3).

        >>> Settings(tokenizer="13a", smoothing="exp", too_short="zero").sacrebleu_signature(1)
        'nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0'
        """
        alike = Settings(
            tokenizer=self.tokenizer,
            lowercase=self.lowercase,
            smoothing=self.smoothing,
            smoothing_value=self.smoothing_value,
            effective_order=self.effective_order,
            too_short="zero",
            unusual_values=self.unusual_values,
        )
        if (
            self != alike
            or self.tokenizer not in SACREBLEU_TOKENIZERS
            or self.smoothing not in SACREBLEU_SMOOTHINGS
        ):
            raise ValueError(
                "sacreBLEU's signature has no place for these settings "
                f"({self.signature(references)})"
            )
        value = self.smoothing_value
        pairs = {
            ("nrefs", "#"): "var" if references is None else references,
            ("bs", "bs"): resampled.get("bootstrap"),
            ("ar", "ar"): resampled.get("randomization"),
            ("seed", "rs"): resampled.get("seed"),
            ("case", "c"): "lc" if self.lowercase else "mixed",
            ("eff", "e"): "yes" if self.effective_order else "no",
            ("tok", "tok"): "none" if self.tokenizer == "whitespace" else self.tokenizer,
            ("smooth", "s"): self.smoothing + ("" if value is None else f"[{float(value):.2f}]"),
            ("version", "v"): SACREBLEU,
        }
        return "|".join(
            f"{key[short]}:{chosen}" for key, chosen in pairs.items() if chosen is not None
        )

    def signature(self, references: int | None = None) -> str:
        """The choices as sacreBLEU writes them, `key:value|…`, with the max order added.

        `references` is their number for each segment; None says that it varies. Weights and
        length rule are added where they are not the defaults (Post 2018, section 3).

        >>> Settings(smoothing="floor").signature(2)
        'nrefs:2|case:mixed|eff:no|tok:whitespace|smooth:floor[0.1]|order:4'
        """
        value = self.smoothing_value
        parts = [
            f"nrefs:{'var' if references is None else references}",
            f"case:{'lc' if self.lowercase else 'mixed'}",
            f"eff:{'yes' if self.effective_order else 'no'}",
            f"tok:{self.tokenizer}",
            f"smooth:{self.smoothing}" + (f"[{decimal(value)}]" if value is not None else ""),
            f"order:{self.max_order}",
        ]
        if self.weights:
            parts.append("weights:" + ",".join(decimal(weight) for weight in self.weights))
        if self.reference_length != "closest":
            parts.append(f"length:{self.reference_length}")
        for name, choices in IMPLEMENTATION_RULES.items():
            if name not in NOT_IN_SIGNATURE and getattr(self, name) != choices[0]:
                parts.append(f"{name.replace('_', '-')}:{getattr(self, name)}")
        return "|".join(parts)


SETTING_NAMES: Final = tuple(one.name for one in fields(Settings) if one.init)


def exact_fraction(name: str, value: Number) -> Fraction:
    """A number as the exact fraction that its decimal notation says: 0.1 is 1/10.

    Raises NumberTooLargeError or NumberTooSmallError if a float cannot hold it, and ValueError
    unless it is a finite number.

    >>> exact_fraction("k", 0.1), exact_fraction("k", "1/3")
    (Fraction(1, 10), Fraction(1, 3))
    """
    try:
        if isinstance(value, bool):
            raise ValueError
        number = _fraction(value) if isinstance(value, Rational) else _parse_decimal(str(value))
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{name} is {value!r}, which is not a finite number") from None
    if abs(number) > LARGEST:
        raise NumberTooLargeError(f"{name} is {value!r}, which is too large; choose 1e300 or less")
    if 0 < abs(number) < SMALLEST:
        raise NumberTooSmallError(f"{name} is {value!r}, which is too small; choose 1e-307 or more")
    return number


def _fraction(value: Rational) -> Fraction:
    # whole numbers of other libraries overflow
    return Fraction(int(value.numerator), int(value.denominator))


def _parse_decimal(text: str) -> Fraction:
    # 10**999999999 would fill the memory, and is as far beyond a float as the largest taken here
    mantissa, e, exponent = text.lower().partition("e")
    if e:
        exponent = str(max(-LARGEST_EXPONENT, min(int(exponent), LARGEST_EXPONENT)))
    return Fraction(mantissa + e + exponent)


def _check_choice(name: str, value: object, choices: Iterable[str]) -> None:
    if not isinstance(value, str) or value not in tuple(choices):
        raise ValueError(f"{name} is {value!r}; choose one of: {', '.join(choices)}")


def _check_flag(name: str, value: object) -> None:
    if not isinstance(value, bool):
        raise TypeError(f"{name} is {value!r}; choose True or False")


def _check_max_order(value: Any) -> int:
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or not 1 <= value <= MAX_ORDER:
        raise ValueError(f"max_order is {value!r}; choose a whole number from 1 to {MAX_ORDER}")
    return int(value)


def _counting_key(tokenizer: str, length: str, empty_text: str, folded: str | bool) -> str:
    tokenizer = "none" if tokenizer == "whitespace" else tokenizer
    empty = "" if empty_text == "no-token" else f"|empty-text:{empty_text}"
    return f"tok:{tokenizer}|lowercase:{folded or 'no'}|length:{length}{empty}"


def _weights(
    weights: Iterable[Number] | None, max_order: int, *, unusual: bool
) -> tuple[Fraction, ...] | None:
    if weights is None:
        return None
    if isinstance(weights, str) or not isinstance(weights, Iterable):
        raise TypeError(f"weights is {weights!r}; give one number for each order, or None")
    shares = tuple(exact_fraction("a weight", weight) for weight in weights)
    if len(shares) != max_order:
        raise ValueError(
            f"weights has {len(shares)} numbers, and max_order is {max_order}: "
            "give one for each order"
        )
    for share in shares:
        if share < 0:
            raise ValueError(f"a weight is {decimal(share)}; choose numbers from 0 to 1")
    whole = sum(shares, start=Fraction(0))
    if not whole or (abs(whole - 1) > Fraction(1, 10**9) and not unusual):
        divided = ": divide each by their sum" if whole else ""
        raise ValueError(
            f"the weights {', '.join(map(decimal, shares))} sum to {decimal(whole)}; "
            f"choose weights that sum to 1{divided}"
        )
    return shares


def _shares(weights: tuple[Fraction, ...] | None, max_order: int, *, single: bool) -> Weights:
    weights = weights or (Fraction(1, max_order),) * max_order
    if single:
        weights = tuple(Fraction(*struct.unpack("f", struct.pack("f", w))) for w in weights)
    return Weights.from_fractions(weights)


def _smoothing_value(smoothing: str, value: Number | None, *, unusual: bool) -> Fraction | None:
    kind = SMOOTHINGS[smoothing]
    if not kind.takes_value:
        if value is not None:
            raise ValueError(
                f"smoothing_value is {value!r}, but smoothing {smoothing} takes none; "
                f"it belongs to: {', '.join(n for n, s in SMOOTHINGS.items() if s.takes_value)}"
            )
        return None
    if value is None:
        return kind.default
    number = exact_fraction(f"{kind.symbol} of smoothing {smoothing}", value)
    if number == 0 and kind.zero_is_none and unusual:
        return number
    if number <= 0 or (kind.maximum is not None and number > kind.maximum):
        at_most = "" if kind.maximum is None else f" and at most {kind.maximum}"
        instead = "; 0 is smoothing none" if number == 0 and kind.zero_is_none else ""
        raise ValueError(
            f"{kind.symbol} of smoothing {smoothing} is {decimal(number)}; "
            f"choose a number above 0{at_most}{instead}"
        )
    return number
