"""What the form holds, as text, and what it means."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from itertools import chain
from typing import Final

from bleu.analysis.diagnosis import CLEANINGS, join_python_lists
from bleu.analysis.examples import EXAMPLES, Example
from bleu.core.brevity_penalty import REFERENCE_LENGTHS
from bleu.core.conventions import CONVENTIONS, Convention, convention_settings
from bleu.core.derivation import Derivation, derive
from bleu.core.numerics import NumberTooLargeError, NumberTooSmallError, decimal
from bleu.core.settings import MAX_ORDER, Settings, exact_fraction
from bleu.core.smoothing import SMOOTHINGS
from bleu.core.tokenizers import TOKENIZERS
from bleu.explanation.phrases import escape_invisible
from bleu.explanation.smoothings import smoothing_name

MAX_QUOTED: Final = 30
"""Characters of a number that are shown where it is wrong."""
LONG_TEXT: Final = 50_000
"""Characters in a box above which the page says that it takes a moment."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """The form as it stands: every field as the person left it, nothing corrected."""

    hypothesis: str = ""
    references: tuple[str, ...] = ("",)
    convention: str = "default"
    tokenizer: str = "whitespace"
    max_order: str = "4"
    smoothing: str = "none"
    smoothing_value: str = ""
    lowercase: bool = False
    weights: str = ""
    effective_order: bool = False
    reference_length: str = "closest"


CONTROLS: Final = {one.name: one.name.replace("_", "-") for one in fields(Inputs)[2:]}
"""The fields of the settings, and the ids of the controls that hold them, on the page and in links.

A field of yes or no is a box to tick.
"""


class FormError(ValueError):
    """What the form has wrong, in its own words; `field` is the id of the control, or nothing."""

    def __init__(self, field: str, words: str) -> None:
        super().__init__(words)
        self.field = field


CHOICES: Final[Mapping[str, Collection[str]]] = {
    "convention": CONVENTIONS,
    "tokenizer": TOKENIZERS,
    "max_order": [str(n) for n in range(1, MAX_ORDER + 1)],
    "smoothing": SMOOTHINGS,
    "reference_length": REFERENCE_LENGTHS,
}
"""The fields that a menu fills, and what it offers."""


def form_settings(inputs: Inputs) -> Settings:
    """The settings that the form asks for; an empty weight or value field is the default.

    Raises FormError for what a person can type or combine that makes no sense, and ValueError for
    a name that no menu has.

    >>> form_settings(Inputs(smoothing="floor", smoothing_value="0,5")).smoothing_value
    Fraction(1, 2)
    >>> form_settings(Inputs(max_order="2", weights="1/4, 3/4")).weights
    (Fraction(1, 4), Fraction(3, 4))
    """
    if inputs.max_order not in CHOICES["max_order"]:
        raise FormError(
            "max-order", f"N is {inputs.max_order!r}. Choose a whole number from 1 to {MAX_ORDER}."
        )
    order = int(inputs.max_order)
    convention = CONVENTIONS.get(inputs.convention)
    if convention:
        _check_limits(convention, inputs, order)
    unusual = bool(convention) and convention_settings(inputs.convention).unusual_values
    return convention_settings(
        inputs.convention,
        tokenizer=inputs.tokenizer,
        lowercase=inputs.lowercase,
        max_order=order,
        weights=_weights(inputs.weights, order, unusual=unusual == "computed"),
        smoothing=inputs.smoothing,
        smoothing_value=_smoothing_value(inputs, unusual=unusual == "computed"),
        effective_order=inputs.effective_order,
        reference_length=inputs.reference_length,
    )


def departures(convention: str, chosen: Settings) -> list[str]:
    """What was chosen and a convention does not do by itself, in a few words each.

    Tokenizer, case, N and weights are left out: whoever calls it has them in hand there, too.

    >>> departures("nltk-method0", form_settings(Inputs(convention="nltk-method0", smoothing="floor")))
    ['with smoothing floor (ε = 0.1)']
    """
    own, found = convention_settings(convention), []
    if (chosen.smoothing, chosen.smoothing_value) != (own.smoothing, own.smoothing_value):
        found.append(f"with {smoothing_name(chosen)}")
    if chosen.effective_order != own.effective_order:
        found.append(f"with{'' if chosen.effective_order else 'out'} effective order")
    if chosen.reference_length != own.reference_length:
        found.append(f"with the {chosen.reference_length} reference length")
    return found


def error_location(error: Exception) -> tuple[str, str]:
    """The id of the control that an error is about, or nothing, and what it says in a sentence.

    >>> try:
    ...     form_settings(Inputs(weights="0.5; 0.5"))
    ... except ValueError as error:
    ...     print(*error_location(error), sep=": ")
    weights: You gave 2 weights for N = 4. Type 4 weights that sum to 1, or none for equal ones.
    """
    words = str(error)
    sentence = f"{words[:1].upper()}{words[1:]}".removesuffix(".") + "."
    return error.field if isinstance(error, FormError) else "", sentence


def _check_limits(convention: Convention, inputs: Inputs, order: int) -> None:
    """Refuse, at its control, what the implementation does not have."""
    if order > convention.largest_order:
        raise FormError(
            "max-order",
            f"N is {order}, and {convention.title} takes up to {convention.largest_order}. Choose "
            "that, or another implementation.",
        )
    if inputs.effective_order and not convention.has_effective_order:
        raise FormError(
            "effective-order", f"There is no effective order in {convention.title}. Untick it."
        )


def _weights(text: str, order: int, *, unusual: bool) -> tuple[Fraction, ...] | None:
    weights = parse_weights(text, order)
    if weights is None:
        return None
    if len(weights) != order:
        count = "1 weight" if len(weights) == 1 else f"{len(weights)} weights"
        commas = "," in text and not set(text) & set(";. ")
        apart = " Put semicolons between weights with decimal commas." if commas else ""
        wanted = "1 weight, which is 1" if order == 1 else f"{order} weights that sum to 1"
        raise FormError(
            "weights",
            f"You gave {count} for N = {order}. Type {wanted}, or none for equal ones.{apart}",
        )
    for weight in weights:
        if weight < 0:
            raise FormError(
                "weights", f"{_short(decimal(weight))} is below 0. Type weights from 0 to 1."
            )
    whole = sum(weights, start=Fraction(0))
    if not whole or (abs(whole - 1) > Fraction(1, 10**9) and not unusual):
        divide = ": divide each by their sum" if whole else ""
        raise FormError(
            "weights",
            f"Your weights sum to {_short(decimal(whole))}. Type weights that sum to 1{divide}.",
        )
    return weights


def weights_hint(order: int) -> str:
    """How weights for so many orders are typed.

    >>> weights_hint(1), weights_hint(3)
    ('1 weight, which is 1', '3 weights that sum to 1, such as 0.4; 0.3; 0.3')
    """
    if order == 1:
        return "1 weight, which is 1"
    tenths, more = divmod(10, order)
    such = "; ".join(f"0.{tenths + (n < more)}" for n in range(order))
    return f"{order} weights that sum to 1, such as {such}"


def parse_weights(text: str, order: int) -> tuple[Fraction, ...] | None:
    """Weights from a list with semicolons, spaces or commas; None where the field is empty.

    A comma within a number is a decimal comma where something else stands between the numbers.

    Raises FormError unless all of them are numbers.

    `order` is for how many orders they are to be.

    >>> parse_weights("1/4, 3/4", 2) == parse_weights("0,25; 0,75", 2)
    True
    >>> parse_weights(" ", 2)
    """
    numbers = text.replace(";", " ").split()
    stripped = [number.strip(",") for number in numbers]
    if "." in text or len(stripped) < 2 or any(number.count(",") > 1 for number in stripped):
        numbers = text.replace(";", " ").replace(",", " ").split()
    else:
        numbers = [number.replace(",", ".") for number in stripped]
    hint = f"Type {weights_hint(order)}."
    return tuple(_parse_number("weights", number, hint) for number in numbers) or None


def _smoothing_value(inputs: Inputs, *, unusual: bool) -> Fraction | None:
    kind = SMOOTHINGS.get(inputs.smoothing)
    typed = inputs.smoothing_value.strip()
    if not typed or kind is None or not kind.takes_value:
        return None
    at_most = "" if kind.maximum is None else f" and at most {kind.maximum}"
    wanted = f"a number above 0{at_most}, such as {decimal(kind.default)}."
    value = _parse_number("smoothing-value", typed, f"For {kind.symbol}, type {wanted}")
    zero = value == 0 and kind.zero_is_none
    if (value <= 0 and not (zero and unusual)) or (
        kind.maximum is not None and value > kind.maximum
    ):
        none = " For 0, choose the smoothing none." if zero else ""
        raise FormError(
            "smoothing-value",
            f"The value {kind.symbol} = {_short(typed)} is out of range. Type {wanted}{none}",
        )
    if inputs.convention == "sacrebleu-r-add-k" and value.denominator > 1:
        raise FormError(
            "smoothing-value",
            f"The value k = {_short(typed)} is not whole. Type a whole number, such as 1.",
        )
    return value


def _parse_number(field: str, typed: str, hint: str) -> Fraction:
    """What was typed as a number, with a decimal point or comma, and with any minus."""
    plain = typed.replace("−", "-")
    try:
        return exact_fraction(field, plain.replace(",", ".") if "." not in plain else plain)
    except NumberTooLargeError:
        problem = "is too large"
    except NumberTooSmallError:
        problem = "is too small"
    except ValueError:
        problem = "is not a number"
    raise FormError(field, f"“{_short(typed)}” {problem}. {hint}")


def _short(typed: str) -> str:
    """What was typed, safe to show, and cut where it is long."""
    return escape_invisible(typed[:MAX_QUOTED]) + "…" * (len(typed) > MAX_QUOTED)


def takes_value(smoothing: str) -> bool:
    """Whether a smoothing has a value to choose; False for an unknown one."""
    return smoothing in SMOOTHINGS and SMOOTHINGS[smoothing].takes_value


def form_derivation(inputs: Inputs) -> Derivation:
    """The derivation of what the form holds.

    An empty reference box does not count while another has text.

    Raises what `form_settings` raises.
    """
    chosen = form_settings(inputs)
    references = scored_references(inputs)
    if chosen.several_references == "refused" and len(references) > 1:
        raise FormError(
            "convention",
            f"There are {len(references)} references, and {CONVENTIONS[inputs.convention].title} "
            "takes one. Remove the others, or choose another implementation.",
        )
    if todo_text(inputs):  # there is no verdict to be wrong
        chosen = Settings(max_order=chosen.max_order, tokenizer=chosen.tokenizer)
    try:
        return derive(inputs.hypothesis, references, chosen)
    except ValueError:
        if not inputs.smoothing.startswith("interpolation"):
            raise
        if chosen.max_order < 3:
            raise FormError(
                "max-order",
                f"You chose N = {inputs.max_order}. Interpolation needs an N of 3 or more.",
            ) from None
        raise FormError(
            "smoothing",
            "Interpolation needs a 3-gram that matches, and none does. Choose another smoothing.",
        ) from None


def todo_text(inputs: Inputs) -> str:
    """What is to be typed before there is something to score; nothing where all is there.

    >>> todo_text(Inputs("the cat"))
    'Type or paste a reference: a correct translation of the same text.'
    """
    references = any(text.strip() for text in inputs.references)
    if inputs.hypothesis.strip() and references:
        return ""
    if inputs.hypothesis.strip():
        return "Type or paste a reference: a correct translation of the same text."
    if references:
        return "Type or paste the candidate: the translation to be scored."
    return (
        "Type or paste a candidate, the translation to be scored, and a reference, a correct "
        "translation of the same text. Or choose an example."
    )


def scored_references(inputs: Inputs) -> list[str]:
    """The references that count: those with text, or an empty one where none has.

    >>> scored_references(Inputs("a", ("b", " ")))
    ['b']
    """
    return [text for text in inputs.references if text.strip()] or [""]


def input_notes(inputs: Inputs) -> list[str]:
    """What a person should know about the input itself: boxes left out, and long texts.

    >>> input_notes(Inputs("a", ("b", "")))
    ['Reference 2 is empty and does not count.']
    """
    found = []
    empty = [number for number, text in enumerate(inputs.references, 1) if not text.strip()]
    if 0 < len(empty) < len(inputs.references):
        found += [f"Reference {number} is empty and does not count." for number in empty]
    boxes = {"The candidate": inputs.hypothesis}
    boxes |= {f"Reference {number}": text for number, text in enumerate(inputs.references, 1)}
    found += [
        f"{name} has {len(text):,} characters, more than {LONG_TEXT:,}: all of them count, "
        "but the answer takes a moment."
        for name, text in boxes.items()
        if len(text) > LONG_TEXT
    ]
    return found


def keep_typed_text(inputs: Inputs, built: Inputs, form: Inputs) -> Inputs:
    """`inputs`, but for the texts of `form` that are other than those of `built`.

    >>> built = Inputs("a", ("b",))
    >>> found = keep_typed_text(Inputs("c", ("d", "e")), built, Inputs("typed", ("b",)))
    >>> found.hypothesis, found.references
    ('typed', ('d', 'e'))
    """
    hypothesis, references = inputs.hypothesis, inputs.references
    if form.hypothesis != built.hypothesis:
        hypothesis = form.hypothesis
    if form.references != built.references:
        references = *form.references, *references[len(form.references) :]
    return replace(inputs, hypothesis=hypothesis, references=references)


def example_inputs(name: str) -> Inputs:
    """The form filled with a worked example.

    >>> example_inputs("short-match-smoothed").smoothing
    'floor'
    """
    example: Example = EXAMPLES[name]
    inputs = Inputs(example.hypothesis, example.references)
    return _with_settings(inputs, Settings(**example.settings))


def with_convention(inputs: Inputs, name: str) -> Inputs:
    """The same texts with everything else as a convention has it; N stays where it may.

    Raises ValueError for an unknown convention.

    >>> with_convention(Inputs("a"), "sacrebleu").tokenizer
    '13a'
    """
    chosen = convention_settings(name)
    if "max_order" not in CONVENTIONS[name].settings and inputs.max_order.isdecimal():
        order = min(int(inputs.max_order), CONVENTIONS[name].largest_order)
        chosen = replace(chosen, max_order=order)
    return replace(_with_settings(inputs, chosen), convention=name)


def _with_settings(inputs: Inputs, chosen: Settings) -> Inputs:
    value = chosen.smoothing_value
    kind = SMOOTHINGS[chosen.smoothing]
    return replace(
        inputs,
        tokenizer=chosen.tokenizer,
        max_order=str(chosen.max_order),
        smoothing=chosen.smoothing,
        smoothing_value="" if value is None or value == kind.default else decimal(value),
        lowercase=chosen.lowercase,
        weights="",
        effective_order=chosen.effective_order,
        reference_length=chosen.reference_length,
    )


def apply_action(inputs: Inputs, action: str) -> Inputs:
    """The form after an action that a finding of the diagnosis or a remedy for a 0 names.

    >>> apply_action(Inputs("The “cat”"), "quotes").hypothesis
    'The "cat"'
    """
    name, _, choice = action.partition(":")
    if name == "swap":
        return swap_texts(inputs)
    if name == "tokens":
        return _with_lists_read(inputs)
    if name == "lowercase":
        return replace(inputs, lowercase=True)
    if name == "tokenizer":
        return replace(inputs, tokenizer=choice)
    if name == "words":
        return replace(inputs, lowercase=True, tokenizer="13a")
    if name == "smoothing":
        return replace(inputs, smoothing=choice, smoothing_value="")
    if name == "effective_order":
        return replace(inputs, effective_order=True)
    if name == "max_order":
        return replace(inputs, max_order=choice)
    clean = CLEANINGS[name][0]
    return replace(
        inputs, hypothesis=clean(inputs.hypothesis), references=tuple(map(clean, inputs.references))
    )


def _with_lists_read(inputs: Inputs) -> Inputs:
    """The texts of Python's lists in their place; a list of several references is several."""
    hypothesis = join_python_lists(inputs.hypothesis)
    return replace(
        inputs,
        hypothesis=hypothesis[0] if len(hypothesis) == 1 else inputs.hypothesis,
        references=tuple(chain.from_iterable(map(join_python_lists, inputs.references))),
        tokenizer="whitespace",
    )


def swap_texts(inputs: Inputs) -> Inputs:
    """The candidate and the first reference exchanged.

    >>> swap_texts(Inputs("a", ("b", "c"))).references
    ('a', 'c')
    """
    first, *others = inputs.references
    return replace(inputs, hypothesis=first, references=(inputs.hypothesis, *others))
