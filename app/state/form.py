"""The meaning of the form: its settings, its derivation, and its errors."""

from fractions import Fraction
from typing import Final, cast

from app.state.inputs import CHOICES, Inputs, scored_references, todo_text
from app.state.models import OPEN_MODELS, is_model, unopened_model_text
from bleu.core.choices import TokenizerChoice, TokenizerName
from bleu.core.conventions import convention_settings, get_convention
from bleu.core.derivation import Derivation, derive
from bleu.core.settings import MAX_ORDER, Settings, exact_fraction
from bleu.explanation.phrases import escape_invisible
from bleu.explanation.smoothings import smoothing_name
from bleu.metric.conventions import CONVENTIONS, Convention
from bleu.metric.numerics import NumberTooLargeError, NumberTooSmallError, ascii_number, decimal
from bleu.metric.smoothings import SMOOTHINGS, SmoothingName

MAX_QUOTED: Final = 30
"""Characters of the user's input that an error message quotes."""


class FormError(ValueError):
    """An error of the form; `field` is the id of the control that it concerns, or ""."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


def error_location(error: Exception) -> tuple[str, str]:
    """Return the id of the control that an error concerns, or "", and the message as a sentence.

    >>> try:
    ...     form_settings(Inputs(weights="0.5; 0.5"))
    ... except ValueError as error:
    ...     print(*error_location(error), sep=": ")
    weights: You gave 2 weights for N = 4. Type 4 weights that sum to 1, or leave the field empty \
for equal weights.
    """
    message = str(error)
    sentence = f"{message[:1].upper()}{message[1:]}".removesuffix(".") + "."
    return error.field if isinstance(error, FormError) else "", sentence


def form_settings(inputs: Inputs) -> Settings:
    """Return the settings of the form; an empty field for weights or a value means the default.

    Raises FormError if a value or a combination is invalid, and ValueError for a name that no menu
    offers.

    >>> form_settings(Inputs(smoothing="floor", smoothing_value="0,5")).smoothing_value
    Fraction(1, 2)
    >>> form_settings(Inputs(max_order="2", weights="1/4, 3/4")).weights
    (Fraction(1, 4), Fraction(3, 4))
    """
    if inputs.max_order not in CHOICES["max_order"]:
        raise FormError(
            "max-order", f"N is {inputs.max_order!r}. Choose a whole number from 1 to {MAX_ORDER}."
        )
    if inputs.lang not in CHOICES["lang"]:
        raise FormError("lang", f"The language is {_quote(inputs.lang)}. Choose one from the menu.")
    order = int(inputs.max_order)
    allow_unusual = False
    if inputs.convention in CONVENTIONS:
        convention = get_convention(inputs.convention)
        _check_limits(convention, inputs, order)
        allow_unusual = convention.settings.get("unusual_values") == "computed"
    return convention_settings(
        inputs.convention,
        tokenizer=chosen_tokenizer(inputs.tokenizer),
        lowercase=inputs.lowercase,
        max_order=order,
        weights=_parse_weights(inputs.weights, order, allow_unusual=allow_unusual),
        smoothing=inputs.smoothing,
        smoothing_value=_parse_smoothing_value(inputs, allow_unusual=allow_unusual),
        effective_order=inputs.effective_order,
        reference_length=inputs.reference_length,
    )


def chosen_tokenizer(value: str) -> TokenizerChoice:
    """Return the tokenizer of a menu value; raise FormError for a model that is not open."""
    if is_model(value) and value not in OPEN_MODELS:
        raise FormError("tokenizer", unopened_model_text(value))
    return OPEN_MODELS.get(value, cast(TokenizerName, value))


def _check_limits(convention: Convention, inputs: Inputs, order: int) -> None:
    if order > convention.largest_order:
        raise FormError(
            "max-order",
            f"N is {order}, and {convention.title} takes up to {convention.largest_order}. Choose "
            "a smaller N, or another implementation.",
        )
    if inputs.effective_order and not convention.has_effective_order:
        raise FormError(
            "effective-order", f"There is no effective order in {convention.title}. Untick it."
        )


def _parse_weights(text: str, order: int, *, allow_unusual: bool) -> tuple[Fraction, ...] | None:
    hint = f"Type {weights_hint(order)}."
    weights = tuple(_parse_number("weights", number, hint) for number in _split_numbers(text))
    if not weights:
        return None
    if len(weights) != order:
        count = "1 weight" if len(weights) == 1 else f"{len(weights)} weights"
        only_commas = "," in text and not set(text) & set(";. ")
        hint = " Put semicolons between weights with decimal commas." if only_commas else ""
        expected = "1 weight, which is 1" if order == 1 else f"{order} weights that sum to 1"
        raise FormError(
            "weights",
            f"You gave {count} for N = {order}. Type {expected}, or leave the field empty for "
            f"equal weights.{hint}",
        )
    for weight in weights:
        if weight < 0:
            raise FormError(
                "weights", f"{_quote(decimal(weight))} is below 0. Type weights from 0 to 1."
            )
    total = sum(weights, start=Fraction(0))
    if not total or (abs(total - 1) > Fraction(1, 10**9) and not allow_unusual):
        hint = ": divide each by their sum" if total else ""
        raise FormError(
            "weights",
            f"Your weights sum to {_quote(decimal(total))}. Type weights that sum to 1{hint}.",
        )
    return weights


def _split_numbers(text: str) -> list[str]:
    """Split numbers separated by semicolons, spaces or commas.

    A comma within a number is a decimal comma if the numbers are separated by something else.

    >>> _split_numbers("1/4, 3/4"), _split_numbers("0,25; 0,75"), _split_numbers(" ")
    (['1/4', '3/4'], ['0.25', '0.75'], [])
    """
    text = ascii_number(text)
    numbers = [number.strip(",") for number in text.replace(";", " ").split()]
    if "." in text or len(numbers) < 2 or any(number.count(",") > 1 for number in numbers):
        return text.replace(";", " ").replace(",", " ").split()
    return [number.replace(",", ".") for number in numbers]


def weights_hint(order: int) -> str:
    """Return a phrase that says which weights to type for a max order.

    >>> weights_hint(1), weights_hint(3)
    ('1 weight, which is 1', '3 weights that sum to 1, such as 0.4; 0.3; 0.3')
    """
    if order == 1:
        return "1 weight, which is 1"
    tenths, remainder = divmod(10, order)
    example = "; ".join(f"0.{tenths + (n < remainder)}" for n in range(order))
    return f"{order} weights that sum to 1, such as {example}"


def takes_value(smoothing: str) -> bool:
    """Return whether a smoothing has a value to choose; False for an unknown smoothing."""
    return smoothing in SMOOTHINGS and SMOOTHINGS[cast(SmoothingName, smoothing)].takes_value


def _parse_smoothing_value(inputs: Inputs, *, allow_unusual: bool) -> Fraction | None:
    text = inputs.smoothing_value.strip()
    if not text or not takes_value(inputs.smoothing):
        return None
    smoothing = SMOOTHINGS[cast(SmoothingName, inputs.smoothing)]
    symbol, maximum = smoothing.symbol, smoothing.maximum
    limit = "" if maximum is None else f" and at most {maximum}"
    expected = f"a number above 0{limit}, such as {decimal(smoothing.default)}."
    value = _parse_number("smoothing-value", text, f"For {symbol}, type {expected}")
    means_none = value == 0 and smoothing.zero_is_none
    too_small = value <= 0 and not (means_none and allow_unusual)
    if too_small or (maximum is not None and value > maximum):
        hint = " For 0, choose the smoothing none." if means_none else ""
        raise FormError(
            "smoothing-value",
            f"The value {symbol} = {_quote(text)} is out of range. Type {expected}{hint}",
        )
    if inputs.convention == "sacrebleu-r-add-k" and value.denominator > 1:
        raise FormError(
            "smoothing-value",
            f"The value k = {_quote(text)} is not whole. Type a whole number, such as 1.",
        )
    return value


def _parse_number(field: str, text: str, hint: str) -> Fraction:
    """Parse a number with a decimal point or comma and a minus or hyphen, or raise FormError."""
    plain = ascii_number(text).replace("−", "-")
    try:
        return exact_fraction(field, plain.replace(",", ".") if "." not in plain else plain)
    except NumberTooLargeError:
        problem = "is too large"
    except NumberTooSmallError:
        problem = "is too small"
    except ValueError:
        problem = "is not a number"
    raise FormError(field, f"“{_quote(text)}” {problem}. {hint}")


def _quote(text: str) -> str:
    """Return the text for an error message: shortened, with invisible characters escaped."""
    return escape_invisible(text[:MAX_QUOTED]) + "…" * (len(text) > MAX_QUOTED)


def form_derivation(inputs: Inputs) -> Derivation:
    """Return the derivation of the form; empty references are left out unless all are empty.

    If a text is missing, all settings but tokenizer and max order are replaced by their defaults.

    Raises FormError if a setting is invalid or does not suit the texts, and ValueError for an
    unknown name or if the implementation fails on a text without tokens.
    """
    settings = form_settings(inputs)
    references = scored_references(inputs)
    if settings.several_references == "refused" and len(references) > 1:
        raise FormError(
            "convention",
            f"There are {len(references)} references, and "
            f"{get_convention(inputs.convention).title} takes one. Remove the others, or choose "
            "another implementation.",
        )
    if todo_text(inputs):
        settings = Settings(max_order=settings.max_order, tokenizer=settings.tokenizer)
    try:
        return derive(inputs.hypothesis, references, settings)
    except ValueError:
        if inputs.smoothing != "interpolation-last":
            raise
        if settings.max_order < 3:
            raise FormError(
                "max-order",
                f"You chose N = {inputs.max_order}. Interpolation needs an N of 3 or more.",
            ) from None
        raise FormError(
            "smoothing",
            "Interpolation needs a 3-gram that matches, and none does. Choose another smoothing.",
        ) from None


def departures(convention: str, settings: Settings) -> list[str]:
    """Return phrases for the settings that depart from those of a convention.

    Tokenizer, case, max order and weights are left out, because every user of a tool chooses them.

    >>> settings = form_settings(Inputs(convention="nltk-method0", smoothing="floor"))
    >>> departures("nltk-method0", settings)
    ['with smoothing floor (ε = 0.1)']
    """
    defaults, phrases = convention_settings(convention), []
    chosen_smoothing = settings.smoothing, settings.smoothing_value
    if chosen_smoothing != (defaults.smoothing, defaults.smoothing_value):
        phrases.append(f"with {smoothing_name(settings)}")
    if settings.effective_order != defaults.effective_order:
        phrases.append(f"with{'' if settings.effective_order else 'out'} effective order")
    if settings.reference_length != defaults.reference_length:
        phrases.append(f"with the {settings.reference_length} reference length")
    return phrases
