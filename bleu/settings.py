"""Every choice that a BLEU score depends on, validated once, and its signature."""

import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from numbers import Rational
from typing import Final

from bleu.brevity import REFERENCE_LENGTHS
from bleu.numerics import decimal
from bleu.smoothing import SMOOTHINGS
from bleu.tokenizers import TOKENIZERS
from bleu.weights import Shares

MAX_ORDER: Final = 9
RULES: Final[Mapping[str, tuple[str, ...]]] = {
    "case": ("all", "ascii"),
    "too_short": ("smoothed", "zero", "one", "of-one"),
    "unmatched": ("zero", "smoothed", "any-zero"),
    "zero_precision": ("zero", "dropped"),
    "length_padding": ("none", "coco"),
    "weight_precision": ("exact", "single"),
}
"""The rules in which implementations differ, and their choices, the default first."""
LARGEST_EXPONENT: Final = 10_000
"""A power of ten that leaves the range of a float, whatever digits stand before it."""
Real = int | float | Fraction


@dataclass(frozen=True, slots=True)
class Settings:
    """The choices behind one score; the defaults are the paper's BLEU with N = 4.

    - `tokenizer`: a name in `TOKENIZERS`; used for text, not for sequences of tokens.
    - `lowercase`: text is lowercased before it is split.
    - `max_order`: N, 1 to 9.
    - `weights`: w_1 to w_N, each >= 0, summing to 1 within 1e-9; None is uniform, 1/N each.
      Kept as exact fractions: 0.1 is read as 1/10.
    - `smoothing`: a name in `SMOOTHINGS`:
      `none`, an order without a match has p_n = 0, and the score is 0;
      `floor`, such an order counts ε matches, p_n = ε/total, or ε where the text is too short
      for the order (NLTK's method 1);
      `add-k`, k is added to matched and total of every order from the second on;
      `exp`, the k-th order without a match counts 1/2^k matches; one that the text is too short
      for stays at 0 (sacreBLEU's default).
      Where not even a single token matches, the score is 0 under every smoothing.
    - `smoothing_value`: ε in (0, 1], default 0.1; k > 0, default 1; None for the others.
    - `effective_order`: orders that the text is too short for are left out, and the weights of
      the others scaled up to sum to 1; under add-k no order is too short (as in sacreBLEU).
    - `reference_length`: a name in `REFERENCE_LENGTHS`; `closest` gives ties to the shorter.

    The rest is for scoring as other implementations do, and is chosen by a convention:

    - `case`: what `lowercase` folds, `all` letters or `ascii` ones.
    - `too_short`: an order that the whole text is too short for has a p_n as `smoothed` (0 where
      smoothing gives it none), `zero` whatever the smoothing, or `one`; with `of-one`, every
      segment that is too short counts 0 of 1 (NLTK).
    - `unmatched`: a text without any match scores `zero`, or as `smoothed`; with `any-zero`, a
      text scores 0 as soon as one order has no match, whatever the smoothing (torchmetrics).
    - `zero_precision`: a p_n of 0 that is left makes the score `zero`, or is `dropped` (NLTK).
    - `length_padding`: with `coco`, BP is exp(1 - (r + 1e-9)/(c + 1e-15)).
    - `weight_precision`: `single` rounds the weights to single precision.

    Worked out of these: `shares`, the weights in whole numbers; `detailed`, whether the score
    needs the details of the statistics; `orders`, how many orders are counted: N, and with details
    at least 5; `keeps_matches`, whether p_n is what was counted where every order has a match.

    Raises ValueError or TypeError that names the value and the choices.

    >>> Settings(max_order=2, smoothing="floor").smoothing_value
    Fraction(1, 10)
    >>> Settings(case="none")
    Traceback (most recent call last):
    ValueError: case is 'none'; choose one of: all, ascii
    """

    tokenizer: str = "whitespace"
    lowercase: bool = False
    max_order: int = 4
    weights: tuple[Fraction, ...] | None = None
    smoothing: str = "none"
    smoothing_value: Fraction | None = None
    effective_order: bool = False
    reference_length: str = "closest"
    case: str = "all"
    too_short: str = "smoothed"
    unmatched: str = "zero"
    zero_precision: str = "zero"
    length_padding: str = "none"
    weight_precision: str = "exact"
    shares: Shares = field(init=False, repr=False, compare=False)
    detailed: bool = field(init=False, repr=False, compare=False)
    orders: int = field(init=False, repr=False, compare=False)
    keeps_matches: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Validate every field, and bring numbers into their exact form."""
        _choice("tokenizer", self.tokenizer, TOKENIZERS)
        _choice("smoothing", self.smoothing, SMOOTHINGS)
        _choice("reference_length", self.reference_length, REFERENCE_LENGTHS)
        for name, choices in RULES.items():
            _choice(name, getattr(self, name), choices)
        _flag("lowercase", self.lowercase)
        _flag("effective_order", self.effective_order)
        order = self.max_order
        if not isinstance(order, int) or isinstance(order, bool) or not 1 <= order <= MAX_ORDER:
            raise ValueError(f"max_order is {order!r}; choose a whole number from 1 to {MAX_ORDER}")
        object.__setattr__(self, "weights", _weights(self.weights, order))
        value = _smoothing_value(self.smoothing, self.smoothing_value)
        object.__setattr__(self, "smoothing_value", value)
        object.__setattr__(self, "shares", _shares(self))
        smoothing = SMOOTHINGS[self.smoothing]
        of_one = self.too_short == "of-one"
        object.__setattr__(self, "detailed", smoothing.detailed or of_one)
        object.__setattr__(self, "orders", max(order, 5) if self.detailed else order)
        object.__setattr__(self, "keeps_matches", smoothing.keeps_matches and not of_one)

    @property
    def order_weights(self) -> tuple[Fraction, ...]:
        """w_1 to w_N as exact fractions, in [0, 1]."""
        return self.shares.weights

    def sacrebleu_signature(self, references: int | None = None, *, short: bool = False) -> str:
        """The signature as sacreBLEU prints it, without a version, and with the max order added.

        >>> Settings(tokenizer="13a", smoothing="floor").sacrebleu_signature(1, short=True)
        '#:1|c:mixed|e:no|tok:13a|s:floor[0.10]|o:4'
        """
        value = self.smoothing_value
        tokenizer = "none" if self.tokenizer == "whitespace" else self.tokenizer
        pairs = {
            ("nrefs", "#"): "var" if references is None else str(references),
            ("case", "c"): "lc" if self.lowercase else "mixed",
            ("eff", "e"): "yes" if self.effective_order else "no",
            ("tok", "tok"): tokenizer,
            ("smooth", "s"): self.smoothing + ("" if value is None else f"[{float(value):.2f}]"),
            ("order", "o"): str(self.max_order),
        }
        return "|".join(f"{key[short]}:{text}" for key, text in pairs.items())

    def signature(self, references: int | None = None) -> str:
        """The choices as sacreBLEU writes them, `key:value|…`, with the max order added.

        `references` is their number for each segment; None says that it varies. Weights and
        length rule are added where they are not the defaults (Post 2018, section 4).

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
        for name, choices in RULES.items():
            if getattr(self, name) != choices[0]:
                parts.append(f"{name.replace('_', '-')}:{getattr(self, name)}")
        return "|".join(parts)


SETTING_NAMES: Final = tuple(one.name for one in fields(Settings) if one.init)


def exact(name: str, value: Real | str) -> Fraction:
    """A number as the exact fraction that its decimal notation says: 0.1 is 1/10.

    Raises ValueError for what is no finite number, or none that a float can hold.

    >>> exact("k", 0.1), exact("k", "1/3")
    (Fraction(1, 10), Fraction(1, 3))
    """
    try:
        if isinstance(value, bool):
            raise ValueError
        number = Fraction(value) if isinstance(value, Rational) else _written(str(value))
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{name} is {value!r}, which is not a finite number") from None
    if number and not 1e-300 < abs(number) < 1e300:
        size = "large" if abs(number) > 1 else "small"
        raise ValueError(f"{name} is {value!r}, which is too {size} a number to compute with")
    return number


def _written(text: str) -> Fraction:
    # 10**999999999 would fill the memory, and is as far beyond a float as the largest taken here
    mantissa, e, exponent = text.lower().partition("e")
    if e:
        exponent = str(max(-LARGEST_EXPONENT, min(int(exponent), LARGEST_EXPONENT)))
    return Fraction(mantissa + e + exponent)


def _choice(name: str, value: object, choices: Iterable[str]) -> None:
    if value not in tuple(choices):
        raise ValueError(f"{name} is {value!r}; choose one of: {', '.join(choices)}")


def _flag(name: str, value: object) -> None:
    if not isinstance(value, bool):
        raise TypeError(f"{name} is {value!r}; choose True or False")


def _weights(weights: Iterable[Real] | None, max_order: int) -> tuple[Fraction, ...] | None:
    if weights is None:
        return None
    if isinstance(weights, str) or not isinstance(weights, Iterable):
        raise TypeError(f"weights is {weights!r}; give one number for each order, or None")
    shares = tuple(exact("a weight", weight) for weight in weights)
    if len(shares) != max_order:
        raise ValueError(
            f"weights has {len(shares)} numbers, and max_order is {max_order}: "
            "give one for each order"
        )
    for share in shares:
        if share < 0:
            raise ValueError(f"a weight is {decimal(share)}; choose numbers from 0 to 1")
    whole = sum(shares, start=Fraction(0))
    if abs(whole - 1) > Fraction(1, 10**9):
        raise ValueError(
            f"the weights {', '.join(map(decimal, shares))} sum to {decimal(whole)}; "
            "choose weights that sum to 1"
        )
    return shares


def _shares(settings: Settings) -> Shares:
    weights = settings.weights or (Fraction(1, settings.max_order),) * settings.max_order
    if settings.weight_precision == "single":
        weights = tuple(Fraction(*struct.unpack("f", struct.pack("f", w))) for w in weights)
    return Shares.of(weights)


def _smoothing_value(smoothing: str, value: Real | None) -> Fraction | None:
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
    number = exact(f"{kind.symbol} of smoothing {smoothing}", value)
    if number <= 0 or (kind.maximum is not None and number > kind.maximum):
        at_most = "" if kind.maximum is None else f" and at most {kind.maximum}"
        raise ValueError(
            f"{kind.symbol} of smoothing {smoothing} is {decimal(number)}; "
            f"choose a number above 0{at_most}"
        )
    return number
