"""The meaning of the form: its settings, derivation and snapshot, and its errors as shown."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import Any, Final, TypeAlias, cast

from app.state.inputs import (
    CHOICES,
    CHOOSE_MODEL,
    CONTROLS,
    OPEN_MODELS,
    Inputs,
    is_model,
    scored_references,
    todo_text,
)
from bleu.core.api import Derivation, derive
from bleu.core.choices import TokenizerChoice, TokenizerName
from bleu.core.conventions import convention_settings, get_convention
from bleu.core.custom_tokenizers import model_name
from bleu.core.display import short_repr
from bleu.core.memoize import clear_memoized
from bleu.core.settings import Settings
from bleu.core.tokenizers import sacrebleu_name
from bleu.document.blocks import Document
from bleu.explanation.score_steps import smoothing_name
from bleu.formats import ExplainedScore
from bleu.metric.numerics import ascii_number
from bleu.metric.rules import SettingError
from bleu.metric.smoothings import SMOOTHINGS, SmoothingName

LABELS: Final = {
    "max_order": "N",
    "smoothing_value": "the value",
    "effective_order is True": "effective order is ticked",
    "another convention": "another implementation",
}
"""The words of the form for those of the library in errors of settings."""
_QUOTED: Final = re.compile(r"'([^']*)'")
MemoryGuard: TypeAlias = Callable[[Callable[..., Any]], Callable[..., Any]]
"""The type of the decorator that `guard_memory` returns."""
OUT_OF_MEMORY_TEXT: Final = (
    "The browser has no memory left for texts this long. They stay in their boxes; shorter texts "
    "can be scored."
)
BROWSER_ERROR_NAMES: Final = {"RangeError", "InternalError"}
"""The names of the errors that browsers raise if they have no memory for a text."""


def form_settings(inputs: Inputs) -> Settings:
    """Return the settings of the form; an empty field for weights or a value means the default.

    Raises SettingError if a value, a name or a combination is invalid.

    >>> form_settings(Inputs(smoothing="floor", smoothing_value="0,5")).smoothing_value
    Fraction(1, 2)
    >>> form_settings(Inputs(max_order="2", weights="1/4, 3/4")).weights
    (Fraction(1, 4), Fraction(3, 4))
    """
    if inputs.lang not in CHOICES["lang"]:
        problem = f"the language is {short_repr(inputs.lang)}"
        raise SettingError("lang", problem, "choose one from the menu")
    order, value = inputs.max_order, _plain_number(inputs.smoothing_value)
    only_commas = "," in inputs.weights and not set(inputs.weights) & set(";. ")
    try:
        return convention_settings(
            inputs.convention,
            tokenizer=chosen_tokenizer(inputs.tokenizer),
            lowercase=inputs.lowercase,
            max_order=int(order) if order in CHOICES["max_order"] else order,
            weights=_split_numbers(inputs.weights) or None,
            smoothing=inputs.smoothing,
            smoothing_value=(takes_value(inputs.smoothing) and value) or None,
            effective_order=inputs.effective_order,
            reference_length=inputs.reference_length,
        )
    except SettingError as error:
        if error.setting != "weights" or not only_commas:
            raise
        remedy = f"{error.remedy}, and semicolons between weights with decimal commas"
        raise SettingError("weights", error.problem, remedy) from None


def chosen_tokenizer(value: str) -> TokenizerChoice:
    """Return the tokenizer of a menu value; raise SettingError for a model that is not open."""
    if is_model(value) and value not in OPEN_MODELS:
        problem = "no SentencePiece model is open"
        remedy = "open one below, or choose another tokenizer"
        if value != CHOOSE_MODEL:
            problem = f"the SentencePiece model {model_name(value[3:])} is not open"
            remedy = "choose its file, or drop it on the page"
        raise SettingError("tokenizer", problem, remedy)
    return OPEN_MODELS.get(value, cast(TokenizerName, value))


def _plain_number(text: str) -> str:
    """Return a number with a decimal point instead of a comma, and a hyphen for a minus."""
    number = ascii_number(text).strip().replace("−", "-")
    return number if "." in number else number.replace(",", ".")


def _split_numbers(text: str) -> list[str]:
    """Split numbers separated by semicolons, spaces or commas.

    A comma within a number is a decimal comma if the numbers are separated by something else.

    >>> _split_numbers("1/4, 3/4"), _split_numbers("0,25; 0,75"), _split_numbers(" ")
    (['1/4', '3/4'], ['0.25', '0.75'], [])
    """
    text = ascii_number(text).replace("−", "-")
    numbers = [number.strip(",") for number in text.replace(";", " ").split()]
    if "." in text or len(numbers) < 2 or any(number.count(",") > 1 for number in numbers):
        return text.replace(";", " ").replace(",", " ").split()
    return list(map(_plain_number, numbers))


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


def form_derivation(inputs: Inputs) -> Derivation:
    """Return the derivation of the form; empty references are left out unless all are empty.

    If a text is missing, all settings but tokenizer and max order are replaced by their defaults.

    Raises SettingError if a setting is invalid or does not suit the texts, and ValueError if the
    implementation fails on a text without tokens.
    """
    settings = form_settings(inputs)
    if todo_text(inputs):
        settings = Settings(max_order=settings.max_order, tokenizer=settings.tokenizer)
    return derive(inputs.hypothesis, scored_references(inputs), settings)


def departures(convention: str, settings: Settings) -> list[str]:
    """Return phrases for the settings that depart from those of a convention.

    Case, max order, weights and the tokenizers that it has are left out, because every user of a
    tool chooses them.

    >>> settings = form_settings(Inputs(convention="nltk-method0", smoothing="floor"))
    >>> departures("nltk-method0", settings)
    ['with smoothing floor (ε = 0.1)']
    """
    published, defaults, phrases = get_convention(convention), convention_settings(convention), []
    is_missing = published.library == "sacrebleu" and not sacrebleu_name(settings.tokenizer)
    if settings.tokenizer != defaults.tokenizer and (published.fixed_tokenizer or is_missing):
        phrases.append(f"with tokenizer {settings.tokenizer}")
    chosen_smoothing = settings.smoothing, settings.smoothing_value
    if chosen_smoothing != (defaults.smoothing, defaults.smoothing_value):
        phrases.append(f"with {smoothing_name(settings)}")
    if settings.effective_order != defaults.effective_order:
        phrases.append(f"with{'' if settings.effective_order else 'out'} effective order")
    if settings.reference_length != defaults.reference_length:
        phrases.append(f"with the {settings.reference_length} reference length")
    return phrases


@dataclass(frozen=True, slots=True)
class StepsMarkup:
    """The list of the steps of a result, and the steps by anchor, as HTML."""

    contents: str
    by_anchor: dict[str, str]


@dataclass(frozen=True)
class PageMarkup:
    """The result as HTML, as a line of text, and as its announcement.

    `render_steps` returns the steps, which are rendered when they are first shown.
    """

    result: str
    line: str
    spoken: str
    render_steps: Callable[[], StepsMarkup]

    @cached_property
    def steps(self) -> StepsMarkup:
        """The steps to the result."""
        return self.render_steps()


@dataclass(frozen=True, slots=True)
class PageSnapshot:
    """A form and everything computed from it.

    - `explained`: the score as output formats take it, with the whole explanation.
    - `todo`: the request for a missing text, or ""; with one, there is no score, and derivation and
      explanation must not be shown.
    """

    inputs: Inputs
    explained: ExplainedScore
    view: PageMarkup
    todo: str = ""

    @property
    def derivation(self) -> Derivation:
        """The derivation of the score."""
        return self.explained.derivation

    @property
    def outline(self) -> Document:
        """The explanation without its steps."""
        return self.explained.outline


def is_out_of_memory(error: Exception) -> bool:
    """Return whether an error means that Python or the browser has no memory for a text."""
    return isinstance(error, MemoryError) or getattr(error, "name", "") in BROWSER_ERROR_NAMES


def guard_memory(report: Callable[[str], object]) -> MemoryGuard:
    """Return a decorator that clears the caches and calls `report` if memory runs out."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def run(*args: Any) -> Any:
            try:
                return function(*args)
            except Exception as error:
                if not is_out_of_memory(error):
                    raise
            # Outside the except block, because the error holds references to the large objects.
            clear_memoized()
            return report(OUT_OF_MEMORY_TEXT)

        return run

    return decorate


def error_text(error: Exception, memory_text: str = OUT_OF_MEMORY_TEXT) -> str:
    """Return the message of an error for the page; `memory_text` is used if memory ran out.

    >>> error_text(ValueError("the order is 0; choose 1 to 9"))
    'the order is 0; choose 1 to 9'
    """
    if is_out_of_memory(error):
        return memory_text
    if isinstance(error, SettingError):
        return error_location(error)[1]
    if isinstance(error, TypeError | ValueError):
        return str(error)
    return f"The page itself failed, and your input is untouched: {error!r}"


def error_location(error: Exception) -> tuple[str, str]:
    """Return the id of the control that an error concerns, or "", and the message in sentences.

    >>> try:
    ...     form_settings(Inputs(max_order="2", weights="1"))
    ... except ValueError as error:
    ...     print(*error_location(error), sep=": ")
    weights: The number of weights is 1, and N is 2. Give one number for each order.
    """
    if not isinstance(error, SettingError):
        return "", _sentence(str(error))
    setting = "convention" if error.setting == "several_references" else error.setting
    return CONTROLS[setting], f"{_sentence(error.problem)} {_sentence(error.remedy)}"


def _sentence(text: str) -> str:
    """Return the words of an error as a sentence, in the terms of the form."""
    for word, label in LABELS.items():
        text = text.replace(word, label)
    symbols = {smoothing.symbol for smoothing in SMOOTHINGS.values()}
    start = text[:1].upper()
    if text.partition(" ")[0] in symbols:
        start = f"The {text[:1]}"  # K would be another number than k.
    return _QUOTED.sub(r"“\1”", f"{start}{text[1:]}".removesuffix(".") + ".")
