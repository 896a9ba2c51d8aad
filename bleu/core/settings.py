"""The settings of a score: validation, exact numbers and signatures."""

import struct
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from inspect import Parameter, signature
from numbers import Integral, Rational
from typing import (
    TYPE_CHECKING,
    Any,
    Final,
    Literal,
    TypedDict,
    TypeVar,
    Unpack,
    get_args,
    get_origin,
)

from bleu.core.choices import (
    CaseName,
    Choices,
    EmptySideName,
    EmptyTextName,
    LengthPaddingName,
    Number,
    SettingChoices,
    SeveralReferencesName,
    TokenizerChoice,
    TooShortName,
    UnmatchedName,
    UnusualValuesName,
    WeightPrecisionName,
    ZeroPrecisionName,
    append_docstrings,
    unknown_choice,
)
from bleu.core.custom_tokenizers import Tokenizer, unknown_tokenizer
from bleu.core.display import short_repr
from bleu.core.migration import PLAIN_TYPES, adapt_arguments, familiar_value
from bleu.core.tokenizers import sacrebleu_name
from bleu.metric.numerics import Weights, decimal
from bleu.metric.rules import ReferenceLengthName, SettingError
from bleu.metric.smoothings import SMOOTHINGS, SmoothingName

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])

MAX_ORDER: Final = 9
CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    name: get_args(literal)
    for name, annotation in SettingChoices.__annotations__.items()
    for literal in (annotation, *get_args(annotation))
    if get_origin(literal) is Literal
}
"""The names to choose from, for every setting that has names."""
IMPLEMENTATION_RULES: Final[Mapping[str, tuple[str, ...]]] = {
    name: choices
    for name, choices in CHOICES.items()
    if name not in {"tokenizer", "smoothing", "reference_length"}
}
"""The rules in which implementations differ and their choices, the default first."""
NOT_IN_SIGNATURE: Final = {"empty_side", "several_references", "unusual_values"}
"""Rules that only decide which input is refused, and change no score."""
SACREBLEU_VERSION: Final = "2.6.0"
"""The version of sacreBLEU that these scores agree with."""
SignatureForm = Literal["bleu", "sacrebleu", "sacrebleu-short"]
"""The forms of a signature: every setting by name, or as sacreBLEU prints it, long or short."""
MIN_NUMBER: Final = Fraction(str(sys.float_info.min))
MAX_NUMBER: Final = Fraction(10**300)
"""Between MIN_NUMBER and this, floats have full precision, and their sums do not overflow."""
MAX_BITS: Final = 2048
"""The largest numerator or denominator in bits, enough for 1e-307 with 300 digits."""
_TOO_LONG: Final = "choose a number of at most 300 digits"
MAX_EXPONENT: Final = 10_000
"""An exponent of 10 that is out of the range of a float, whatever the digits before it."""


class ResamplingOptions(TypedDict, total=False):
    """The numbers of bootstrap resamples and randomization trials, and the seed."""

    bootstrap: int
    randomization: int
    seed: int


@append_docstrings(SettingChoices)
@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings of a score; the defaults are the paper's BLEU with N = 4.

    Fields derived from the settings:

    - `shares`: the weights as integers over a common denominator.
    - `detailed`: whether the score needs the details of the statistics.
    - `orders`: the number of orders to count: N, or at least 5 with details.
    - `keeps_matches`: whether smoothing changes nothing if every order has a match.
    - `keeps_weights`: whether the weights are as chosen and above 0, whatever the precisions are.
    - `counting`: the settings that the counts depend on, as text; the statistics store it.

    Raises `SettingError`, a ValueError, or TypeError, with the wrong value and the choices.

    >>> Settings(max_order=2, smoothing="floor").smoothing_value
    Fraction(1, 10)
    >>> Settings(case="none")
    Traceback (most recent call last):
    bleu.SettingError: case is 'none'; choose one of: all, ascii
    """

    tokenizer: TokenizerChoice = "whitespace"
    lowercase: bool = False
    max_order: int = 4
    weights: tuple[Fraction, ...] | None = None
    smoothing: SmoothingName = "none"
    smoothing_value: Fraction | None = None
    effective_order: bool = False
    reference_length: ReferenceLengthName = "closest"
    case: CaseName = "all"
    too_short: TooShortName = "smoothed"
    unmatched: UnmatchedName = "zero"
    zero_precision: ZeroPrecisionName = "zero"
    length_padding: LengthPaddingName = "none"
    weight_precision: WeightPrecisionName = "exact"
    empty_text: EmptyTextName = "no-token"
    empty_side: EmptySideName = "scored"
    several_references: SeveralReferencesName = "taken"
    unusual_values: UnusualValuesName = "refused"
    shares: Weights = field(init=False, repr=False, compare=False)
    detailed: bool = field(init=False, repr=False, compare=False)
    orders: int = field(init=False, repr=False, compare=False)
    keeps_matches: bool = field(init=False, repr=False, compare=False)
    keeps_weights: bool = field(init=False, repr=False, compare=False)
    counting: str = field(init=False, repr=False, compare=False)

    if TYPE_CHECKING:  # Of numbers, more types are taken than the fields have.

        def __init__(self, **choices: Unpack[SettingChoices]) -> None: ...

    def __post_init__(self) -> None:
        """Validate every choice and convert numbers to exact fractions."""
        for name, choices in CHOICES.items():
            _check_choice(name, getattr(self, name), choices)
        _check_flag("lowercase", self.lowercase)
        _check_flag("effective_order", self.effective_order)
        if self.effective_order and (self.too_short == "one" or self.weight_precision == "single"):
            raise SettingError(
                "effective_order",
                "effective_order is True, which the implementation that these settings follow "
                "(mteval, tensor2tensor or R) does not have",
                "leave it out",
            )
        order, lenient = _check_max_order(self.max_order), self.unusual_values == "computed"
        weights = _weights(self.weights, order, lenient=lenient)
        shares = _shares(weights, order, single=self.weight_precision == "single")
        method, zero_of_one = SMOOTHINGS[self.smoothing], self.too_short == "zero-of-one"
        detailed = method.detailed or zero_of_one
        values = {
            "max_order": order,
            "weights": weights,
            "smoothing_value": _smoothing_value(
                self.smoothing, self.smoothing_value, lenient=lenient
            ),
            "shares": shares,
            "detailed": detailed,
            "orders": max(order, 5) if detailed else order,
            "keeps_matches": method.keeps_matches and not zero_of_one,
            "keeps_weights": not self.effective_order
            and self.zero_precision == "zero"
            and all(shares.numerators),
            "counting": _counting_key(
                self.tokenizer, self.reference_length, self.empty_text, self.lowercase and self.case
            ),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def for_parts(self) -> "Settings":
        """The settings for a part of a corpus, which is scored even if it has no tokens."""
        return replace(self, empty_side="scored") if self.empty_side != "scored" else self

    @property
    def order_weights(self) -> tuple[Fraction, ...]:
        """The weights w_1 to w_N as exact fractions, each >= 0."""
        return self.shares.weights

    def signature(
        self,
        references: int | None = 0,
        *,
        form: SignatureForm | None = None,
        **resampled: Unpack[ResamplingOptions],
    ) -> str:
        """Return the settings in one line, `key:value|…`, to be reported with a score.

        If sacreBLEU has these settings, this is the signature that it prints, with the version that
        these scores agree with (Post 2018, section 3). Otherwise the max order and every setting
        other than the default are added, without a version.

        `references` is the number of references of each segment, None if it varies, or 0 if it is
        unknown, which leaves out `nrefs`. `form` chooses one of the two: `bleu`, or `sacrebleu` and
        `sacrebleu-short`, which raise ValueError for settings that sacreBLEU lacks.

        >>> Settings(tokenizer="13a", smoothing="exp").signature(1)
        'nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0'
        >>> Settings(smoothing="floor").signature(2)
        'nrefs:2|case:mixed|eff:no|tok:whitespace|smooth:floor[0.1]|order:4'
        """
        value, tokenizer = self.smoothing_value, str(self.tokenizer)
        number = "" if value is None else f"[{decimal(value)}]"
        rounded = "" if value is None else f"[{float(value):.2f}]"
        as_sacrebleu = form != "bleu" and self._is_in_sacrebleu()
        if form in {"sacrebleu", "sacrebleu-short"}:
            if not as_sacrebleu:
                raise ValueError(
                    "sacreBLEU's signature cannot express these settings "
                    f"({self.signature(references, form='bleu')}); choose the signature bleu or "
                    "the convention sacrebleu"
                )
        elif as_sacrebleu and value is not None and Fraction(rounded[1:-1]) != value:
            as_sacrebleu = False  # sacreBLEU prints the same for floor[0.1] and floor[0.101].
        if as_sacrebleu:
            number = rounded
            if isinstance(self.tokenizer, str):  # Others are named with their version.
                tokenizer = sacrebleu_name(self.tokenizer)
        pairs: dict[tuple[str, str], object] = {
            ("nrefs", "#"): "var" if references is None else references or None,
            ("bs", "bs"): resampled.get("bootstrap"),
            ("ar", "ar"): resampled.get("randomization"),
            ("seed", "rs"): resampled.get("seed"),
            ("case", "c"): "lc" if self.lowercase else "mixed",
            ("eff", "e"): "yes" if self.effective_order else "no",
            ("tok", "tok"): tokenizer,
            ("smooth", "s"): self.smoothing + number,
        }
        is_short = form == "sacrebleu-short"
        parts = [f"{key[is_short]}:{text}" for key, text in pairs.items() if text is not None]
        if as_sacrebleu:
            return "|".join([*parts, f"{'v' if is_short else 'version'}:{SACREBLEU_VERSION}"])
        parts.append(f"order:{self.max_order}")
        if self.weights:
            parts.append("weights:" + ",".join(decimal(weight) for weight in self.weights))
        if self.reference_length != "closest":
            parts.append(f"length:{self.reference_length}")
        for name, choices in IMPLEMENTATION_RULES.items():
            if name not in NOT_IN_SIGNATURE and getattr(self, name) != choices[0]:
                parts.append(f"{name.replace('_', '-')}:{getattr(self, name)}")
        return "|".join(parts)

    def _is_in_sacrebleu(self) -> bool:
        """Return whether sacreBLEU has these settings."""
        if not sacrebleu_name(self.tokenizer) or not SMOOTHINGS[self.smoothing].sacrebleu:
            return False
        # Of sacreBLEU's smoothings, only floor gives matches to an order without any n-gram.
        same = {"zero"} if self.smoothing == "floor" else {"zero", "smoothed"}
        return self.too_short in same and self == Settings(
            tokenizer=self.tokenizer,
            lowercase=self.lowercase,
            smoothing=self.smoothing,
            smoothing_value=self.smoothing_value,
            effective_order=self.effective_order,
            too_short=self.too_short,
            unusual_values=self.unusual_values,
        )


Settings.__init__.__annotations__ |= SettingChoices.__annotations__
Settings.__init__ = adapt_arguments(Settings.__init__)  # type: ignore[method-assign]
SETTING_NAMES: Final = tuple(setting.name for setting in fields(Settings) if setting.init)
_NAME_TYPES: Final = {"tokenizer": str | Tokenizer}
_CHOICE_PARAMETERS: Final = (
    Parameter("convention", Parameter.KEYWORD_ONLY, default="default", annotation=str),
    *(
        parameter.replace(
            kind=Parameter.KEYWORD_ONLY,
            # A type with all names would make help() hard to read; the docstring has them.
            annotation=_NAME_TYPES.get(name, str if name in CHOICES else parameter.annotation),
        )
        for name, parameter in signature(Settings).parameters.items()
    ),
)


def document_choices(function: FunctionT) -> FunctionT:
    """Add every setting to the parameters and docstring of a function that takes `**choices`.

    Its arguments are adapted by `adapt_arguments`.

    >>> @document_choices
    ... def score(text: str, **choices: Unpack[Choices]) -> None: ...
    >>> list(signature(score).parameters)[:3]
    ['text', 'convention', 'tokenizer']
    """
    parameters = [
        parameter
        for parameter in signature(function).parameters.values()
        if parameter.kind is not Parameter.VAR_KEYWORD
    ]
    documented: Any = append_docstrings(Choices, SettingChoices)(function)
    documented.__signature__ = signature(function).replace(
        parameters=[*parameters, *_CHOICE_PARAMETERS]
    )
    return adapt_arguments(function, PLAIN_TYPES | {Settings})


def exact_fraction(setting: str, value: Number, name: str = "") -> Fraction:
    """Return a number as the exact fraction of its decimal notation: 0.1 is 1/10.

    Raises SettingError unless it is a finite number of at most 300 digits that a float can hold;
    messages call it `name`, by default as the setting.

    >>> exact_fraction("k", 0.1), exact_fraction("k", "1/3")
    (Fraction(1, 10), Fraction(1, 3))
    """
    problem = f"{name or setting} is {short_repr(value)}"
    try:
        if isinstance(value, bool):
            raise ValueError
        if isinstance(value, Rational):  # NumPy's integers would overflow in a Fraction.
            number = Fraction(int(value.numerator), int(value.denominator))
        else:
            number = _parse_decimal(str(value))
    except (ValueError, ZeroDivisionError):
        if not isinstance(value, Rational) and len(str(value)) > MAX_BITS:
            raise SettingError(setting, problem, _TOO_LONG) from None
        problem = f"{problem}, which is not a finite number"
        raise SettingError(setting, problem, "give one such as 0.5 or 1/3") from None
    if abs(number) > MAX_NUMBER:
        raise SettingError(setting, f"{problem}, which is too large", "choose 1e300 or less")
    if 0 < abs(number) < MIN_NUMBER:
        raise SettingError(setting, f"{problem}, which is too small", "choose 1e-307 or more")
    if max(number.numerator.bit_length(), number.denominator.bit_length()) > MAX_BITS:
        raise SettingError(setting, problem, _TOO_LONG)
    return number


def _parse_decimal(text: str) -> Fraction:
    # 10**999999999 would exhaust the memory; the clamped exponent is out of range, too.
    mantissa, e, exponent = text.lower().partition("e")
    if e:
        exponent = str(max(-MAX_EXPONENT, min(int(exponent), MAX_EXPONENT)))
    return Fraction(mantissa + e + exponent)


def _check_choice(name: str, value: object, choices: tuple[str, ...]) -> None:
    if name == "tokenizer" and isinstance(value, Tokenizer):
        return
    if not isinstance(value, str) or value not in choices:
        if name == "tokenizer":
            raise unknown_tokenizer(value, choices)
        if remedy := familiar_value(name, value):
            raise SettingError(name, f"{name} is {short_repr(value)}", remedy)
        raise unknown_choice(name, value, choices)


def _check_flag(name: str, value: object) -> None:
    if not isinstance(value, bool):
        raise TypeError(f"{name} is {short_repr(value)}; choose True or False")


def _check_max_order(value: Any) -> int:
    is_integer = isinstance(value, Integral) and not isinstance(value, bool)
    if not is_integer or not 1 <= value <= MAX_ORDER:
        remedy = f"choose a whole number from 1 to {MAX_ORDER}"
        raise SettingError("max_order", f"max_order is {short_repr(value)}", remedy)
    return int(value)


def _counting_key(
    tokenizer: TokenizerChoice, reference_length: str, empty_text: str, lowercase: str | bool
) -> str:
    """Return the settings that counts depend on, the same text for settings that count alike."""
    name = (isinstance(tokenizer, str) and sacrebleu_name(tokenizer)) or tokenizer
    empty = "" if empty_text == "no-token" else f"|empty-text:{empty_text}"
    return f"tok:{name}|lowercase:{lowercase or 'no'}|length:{reference_length}{empty}"


def _weights(
    weights: Iterable[Number] | None, max_order: int, *, lenient: bool
) -> tuple[Fraction, ...] | None:
    if weights is None:
        return None
    if isinstance(weights, str) or not isinstance(weights, Iterable):
        raise TypeError(
            f"weights is {short_repr(weights)}; give one number for each order, or None"
        )
    exact_weights = tuple(exact_fraction("weights", weight, "a weight") for weight in weights)
    if len(exact_weights) != max_order:
        problem = f"the number of weights is {len(exact_weights)}, and max_order is {max_order}"
        raise SettingError("weights", problem, "give one number for each order")
    for weight in exact_weights:
        if weight < 0:
            problem = f"a weight is {decimal(weight):.60}"
            raise SettingError("weights", problem, "choose numbers from 0 to 1")
    total = sum(exact_weights, start=Fraction(0))
    if not total or (abs(total - 1) > Fraction(1, 10**9) and not lenient):
        hint = ": divide each by their sum" if total else ""
        numbers = ", ".join(f"{decimal(weight):.18}" for weight in exact_weights)
        problem = f"the weights {numbers} sum to {decimal(total):.18}"
        raise SettingError("weights", problem, f"choose weights that sum to 1{hint}")
    return exact_weights


def _shares(weights: tuple[Fraction, ...] | None, max_order: int, *, single: bool) -> Weights:
    weights = weights or (Fraction(1, max_order),) * max_order
    if single:
        weights = tuple(Fraction(*struct.unpack("f", struct.pack("f", w))) for w in weights)
    return Weights.from_fractions(weights)


def _smoothing_value(
    smoothing: SmoothingName, value: Number | None, *, lenient: bool
) -> Fraction | None:
    method = SMOOTHINGS[smoothing]
    if not method.takes_value:
        if value is not None:
            names = ", ".join(name for name, other in SMOOTHINGS.items() if other.takes_value)
            raise SettingError(
                "smoothing_value",
                f"smoothing_value is {short_repr(value, 30)}, and smoothing {smoothing} takes no "
                "value",
                f"leave it out or choose a smoothing that takes one: {names}",
            )
        return None
    if value is None:
        return method.default
    name = f"{method.symbol} of smoothing {smoothing}"
    number = exact_fraction("smoothing_value", value, name)
    if number == 0 and method.zero_is_none and lenient:
        return number
    if number <= 0 or (method.maximum is not None and number > method.maximum):
        at_most = "" if method.maximum is None else f" and at most {method.maximum}"
        hint = ", or smoothing none instead of 0" if number == 0 and method.zero_is_none else ""
        problem = f"{name} is {decimal(number):.60}"
        raise SettingError("smoothing_value", problem, f"choose a number above 0{at_most}{hint}")
    return number
