"""What the form holds, as text, and what it means."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Final

from bleu.analysis.diagnosis import CLEANINGS
from bleu.analysis.examples import EXAMPLES, Example
from bleu.core.brevity_penalty import REFERENCE_LENGTHS
from bleu.core.conventions import CONVENTIONS, convention_settings
from bleu.core.derivation import Derivation, derive
from bleu.core.numerics import decimal
from bleu.core.settings import MAX_ORDER, Settings, exact
from bleu.core.smoothing import SMOOTHINGS
from bleu.core.tokenizers import TOKENIZERS

LONG: Final = 50_000
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

CHOICES: Final[Mapping[str, Collection[str]]] = {
    "convention": CONVENTIONS,
    "tokenizer": TOKENIZERS,
    "max_order": [str(n) for n in range(1, MAX_ORDER + 1)],
    "smoothing": SMOOTHINGS,
    "reference_length": REFERENCE_LENGTHS,
}
"""The fields that a menu fills, and what it offers."""


def settings(inputs: Inputs) -> Settings:
    """The settings that the form asks for; an empty weight or value field is the default.

    Raises ValueError that names the value and the choices.

    >>> settings(Inputs(smoothing="floor", smoothing_value="0.5")).smoothing_value
    Fraction(1, 2)
    >>> settings(Inputs(max_order="2", weights="1/4, 3/4")).weights
    (Fraction(1, 4), Fraction(3, 4))
    """
    if not inputs.max_order.isdecimal() or str(int(inputs.max_order)) != inputs.max_order:
        raise ValueError(
            f"max order N is {inputs.max_order!r}; choose a whole number from 1 to {MAX_ORDER}"
        )
    value = inputs.smoothing_value.strip() if takes_value(inputs.smoothing) else ""
    return convention_settings(
        inputs.convention,
        tokenizer=inputs.tokenizer,
        lowercase=inputs.lowercase,
        max_order=int(inputs.max_order),
        weights=parse_weights(inputs.weights),
        smoothing=inputs.smoothing,
        smoothing_value=exact(SMOOTHINGS[inputs.smoothing].symbol, value) if value else None,
        effective_order=inputs.effective_order,
        reference_length=inputs.reference_length,
    )


def parse_weights(text: str) -> tuple[Fraction, ...] | None:
    """Weights from a list with commas, semicolons or spaces; None where the field is empty.

    >>> parse_weights("0.5; 0.5")
    (Fraction(1, 2), Fraction(1, 2))
    >>> parse_weights(" ")
    """
    numbers = text.replace(",", " ").replace(";", " ").split()
    return tuple(exact("a weight", number) for number in numbers) or None


def takes_value(smoothing: str) -> bool:
    """Whether a smoothing has a value to choose; False for an unknown one."""
    return smoothing in SMOOTHINGS and SMOOTHINGS[smoothing].takes_value


def derivation(inputs: Inputs) -> Derivation:
    """The derivation of what the form holds.

    An empty reference box does not count while another has text.

    Raises what `settings` raises.
    """
    return derive(inputs.hypothesis, counted_references(inputs), settings(inputs))


def counted_references(inputs: Inputs) -> list[str]:
    """The references that count: those with text, or an empty one where none has.

    >>> counted_references(Inputs("a", ("b", " ")))
    ['b']
    """
    return [text for text in inputs.references if text.strip()] or [""]


def notes(inputs: Inputs) -> list[str]:
    """What a person should know about the input itself: boxes left out, and long texts.

    >>> notes(Inputs("a", ("b", "")))
    ['Reference 2 is empty and does not count.']
    """
    found = []
    empty = [number for number, text in enumerate(inputs.references, 1) if not text.strip()]
    if 0 < len(empty) < len(inputs.references):
        found += [f"Reference {number} is empty and does not count." for number in empty]
    boxes = {"The candidate": inputs.hypothesis}
    boxes |= {f"Reference {number}": text for number, text in enumerate(inputs.references, 1)}
    found += [
        f"{name} has {len(text):,} characters, more than {LONG:,}: all of them count, "
        "but the answer takes a moment."
        for name, text in boxes.items()
        if len(text) > LONG
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
        chosen = replace(chosen, max_order=int(inputs.max_order))
    return replace(_with_settings(inputs, chosen), convention=name)


def _with_settings(inputs: Inputs, chosen: Settings) -> Inputs:
    value = chosen.smoothing_value
    kind = SMOOTHINGS[chosen.smoothing]
    return replace(
        inputs,
        tokenizer=chosen.tokenizer,
        max_order=str(chosen.max_order),
        smoothing=chosen.smoothing,
        smoothing_value="" if value in {None, kind.default} else decimal(value or kind.default),
        lowercase=chosen.lowercase,
        weights="",
        effective_order=chosen.effective_order,
        reference_length=chosen.reference_length,
    )


def apply_action(inputs: Inputs, action: str) -> Inputs:
    """The form after an action that a finding of the diagnosis names.

    >>> apply_action(Inputs("The “cat”"), "quotes").hypothesis
    'The "cat"'
    """
    name, _, choice = action.partition(":")
    if name == "swap":
        return swapped(inputs)
    if name == "lowercase":
        return replace(inputs, lowercase=True)
    if name == "tokenizer":
        return replace(inputs, tokenizer=choice)
    if name == "smoothing":
        return replace(inputs, smoothing=choice, smoothing_value="")
    clean = CLEANINGS[name][0]
    return replace(
        inputs, hypothesis=clean(inputs.hypothesis), references=tuple(map(clean, inputs.references))
    )


def swapped(inputs: Inputs) -> Inputs:
    """The candidate and the first reference exchanged.

    >>> swapped(Inputs("a", ("b", "c"))).references
    ('a', 'c')
    """
    first, *others = inputs.references
    return replace(inputs, hypothesis=first, references=(inputs.hypothesis, *others))
