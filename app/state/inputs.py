"""The inputs of the form with the open SentencePiece models, what changes them, and its undo."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, replace
from itertools import chain
from typing import Final, Generic, Protocol, TypeVar, cast

from bleu.analysis.diagnosis import join_python_lists
from bleu.analysis.examples import EXAMPLES
from bleu.checkup.repairs import repair_corpus
from bleu.core.choices import TokenizerChoice, TokenizerName
from bleu.core.conventions import convention_settings, get_convention
from bleu.core.custom_tokenizers import SACREBLEU_MODELS, Tokenizer, model_name
from bleu.core.settings import MAX_ORDER, Settings
from bleu.core.tokenizers import TOKENIZERS, usual_tokenizer
from bleu.explanation.phrases import escape_invisible
from bleu.metric.conventions import CONVENTIONS
from bleu.metric.numerics import decimal
from bleu.metric.rules import REFERENCE_LENGTHS
from bleu.metric.smoothings import SMOOTHINGS

FIRST_EXAMPLE: Final = "partial-match"
"""The worked example that the build writes into the page."""
LONG_TEXT: Final = 50_000
"""Characters of a text above which a note says that scoring takes a moment."""
LANGUAGES: Final = {
    "": "by the script",
    "ar": "Arabic", "bn": "Bengali", "bg": "Bulgarian", "zh": "Chinese", "cs": "Czech",
    "nl": "Dutch", "en": "English", "et": "Estonian", "fi": "Finnish", "fr": "French",
    "de": "German", "gu": "Gujarati", "ha": "Hausa", "hi": "Hindi", "is": "Icelandic",
    "id": "Indonesian", "it": "Italian", "ja": "Japanese", "kk": "Kazakh", "lv": "Latvian",
    "lt": "Lithuanian", "mr": "Marathi", "ne": "Nepali", "ps": "Pashto", "fa": "Persian",
    "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "es": "Spanish",
    "sw": "Swahili", "ta": "Tamil", "tr": "Turkish", "uk": "Ukrainian", "ur": "Urdu",
    "vi": "Vietnamese", "yi": "Yiddish", "zu": "Zulu",
}  # fmt: skip
"""The choices for the language of the texts, by code, which screen readers use."""
CHOICES: Final[Mapping[str, Collection[str]]] = {
    "convention": CONVENTIONS,
    "tokenizer": TOKENIZERS,
    "max_order": [str(n) for n in range(1, MAX_ORDER + 1)],
    "smoothing": SMOOTHINGS,
    "reference_length": REFERENCE_LENGTHS,
    "lang": LANGUAGES,
}
"""The choices of each menu, by field."""
MAX_HISTORY_CHARACTERS: Final = 20_000_000
"""Characters in all changes that can be undone; the newest change is always kept."""
OPEN_MODELS: Final[dict[str, Tokenizer]] = {}
"""The open models, by their menu values."""
CHOOSE_MODEL: Final = "model"
"""The menu value that asks for the file of a model."""
_MODEL_VALUE: Final = re.compile("sp-([0-9a-f]{64})")


def is_model(value: object) -> bool:
    """Return whether a menu value stands for a model, open or not, or asks for its file.

    >>> is_model("sp-" + 64 * "0"), is_model("model"), is_model("sp-1"), is_model("13a")
    (True, True, False, False)
    """
    return isinstance(value, str) and (value == CHOOSE_MODEL or bool(_MODEL_VALUE.fullmatch(value)))


def menu_value(tokenizer: TokenizerChoice) -> str:
    """Return the menu value of a tokenizer: its name, or for a model, `sp-` and its digest.

    >>> menu_value("13a"), menu_value(Tokenizer("sp-01", str.split, "01ab"))
    ('13a', 'sp-01ab')
    """
    if isinstance(tokenizer, Tokenizer) and tokenizer.digest:
        return f"sp-{tokenizer.digest}"
    return str(tokenizer)


def model_label(value: str) -> str:
    """Return the label of a model in a menu: its name in signatures, and its file if it is open.

    >>> model_label("sp-" + 64 * "0"), model_label("model")
    ('sp-00000000: not open', 'SentencePiece model …')
    """
    if value == CHOOSE_MODEL:
        return "SentencePiece model …"
    model = OPEN_MODELS.get(value)
    file = escape_invisible(model.file) if model else "not open"
    return f"{model or model_name(value[3:])}: {file}"


def is_model_file(name: str) -> bool:
    """Return whether a file's name is that of a SentencePiece model.

    >>> is_model_file("Unigram.model"), is_model_file("flores200sacrebleuspm"), is_model_file("a")
    (True, True, False)
    """
    return name.endswith((".model", *SACREBLEU_MODELS.values()))


@dataclass(frozen=True, slots=True)
class Inputs:
    """The texts and settings of the form as entered, not yet validated.

    `lang` is the code of the language of the texts; it changes no score. `hides_score` is set by a
    link whose readers predict the score before they see it.
    """

    hypothesis: str = ""
    references: tuple[str, ...] = ("",)
    convention: str = "default"
    tokenizer: str = usual_tokenizer("spaces")
    max_order: str = "4"
    smoothing: str = "none"
    smoothing_value: str = ""
    lowercase: bool = False
    weights: str = ""
    effective_order: bool = False
    reference_length: str = "closest"
    lang: str = ""
    hides_score: bool = False

    @property
    def size(self) -> int:
        """The number of characters of the texts."""
        return sum(map(len, (self.hypothesis, *self.references)))


CONTROLS: Final = {field.name: field.name.replace("_", "-") for field in fields(Inputs)[2:-1]}
"""The ids of the controls of the settings, by field; links use the same names."""


def is_choice(field: str, value: object) -> bool:
    """Return whether a field has no menu, or a menu that offers a value.

    >>> is_choice("max_order", "7"), is_choice("max_order", "x"), is_choice("weights", "x")
    (True, False, True)
    """
    is_tokenizer = field == "tokenizer" and is_model(value)
    return field not in CHOICES or value in CHOICES[field] or is_tokenizer


def scored_references(inputs: Inputs) -> list[str]:
    """Return the references that are not empty, or one empty reference if all are.

    >>> scored_references(Inputs("a", ("b", " ")))
    ['b']
    """
    return [text for text in inputs.references if text.strip()] or [""]


HIDDEN_SCORE: Final = "The link hides the score: predict it first, then show it."
"""The request of a link that hides the score."""


def todo_text(inputs: Inputs) -> str:
    """Return the request for what comes before the score, such as a missing text, or "" if nothing.

    >>> todo_text(Inputs("the cat"))
    'Type or paste a reference: a correct translation of the same text.'
    """
    has_reference = any(text.strip() for text in inputs.references)
    if inputs.hypothesis.strip():
        if has_reference:
            return HIDDEN_SCORE if inputs.hides_score else ""
        return "Type or paste a reference: a correct translation of the same text."
    if has_reference:
        return "Type or paste the candidate: the translation to be scored."
    return (
        "Type or paste a candidate, the translation to be scored, and a reference, a correct "
        "translation of the same text. Or choose an example."
    )


def input_notes(inputs: Inputs) -> list[str]:
    """Return notes about references that are left out and about long texts.

    >>> input_notes(Inputs("a", ("b", "")))
    ['Reference 2 is empty and does not count.']
    """
    references = {f"Reference {n}": text for n, text in enumerate(inputs.references, 1)}
    empty = [name for name, text in references.items() if not text.strip()]
    notes = []
    if len(empty) < len(references):
        notes += [f"{name} is empty and does not count." for name in empty]
    notes += [
        f"{name} has {len(text):,} characters, more than {LONG_TEXT:,}: all of them count, "
        "but the answer takes a moment."
        for name, text in {"The candidate": inputs.hypothesis, **references}.items()
        if len(text) > LONG_TEXT
    ]
    if _has_reference_of_example(inputs):
        notes.append("The reference is still the example’s.")
    return notes


def _has_reference_of_example(inputs: Inputs) -> bool:
    """Return whether the references are an example's, and most of the candidate's words are not.

    >>> _has_reference_of_example(Inputs("all of my words", ("the cat is on the mat",)))
    True
    >>> _has_reference_of_example(Inputs("the cat sat", ("the cat is on the mat",)))
    False
    """
    words = inputs.hypothesis.split()
    for example in EXAMPLES.values():
        if inputs.references == example.references:
            known = {
                word for text in (example.hypothesis, *inputs.references) for word in text.split()
            }
            return 2 * sum(word in known for word in words) < len(words)
    return False


def keep_typed_text(inputs: Inputs, initial: Inputs, form: Inputs) -> Inputs:
    """Return `inputs`, but with the texts in which `form` differs from `initial`.

    >>> initial = Inputs("a", ("b",))
    >>> merged = keep_typed_text(Inputs("c", ("d", "e")), initial, Inputs("typed", ("b",)))
    >>> merged.hypothesis, merged.references
    ('typed', ('d', 'e'))
    """
    hypothesis, references = inputs.hypothesis, inputs.references
    if form.hypothesis != initial.hypothesis:
        hypothesis = form.hypothesis
    if form.references != initial.references:
        references = *form.references, *references[len(form.references) :]
    return replace(inputs, hypothesis=hypothesis, references=references)


def example_inputs(name: str) -> Inputs:
    """Return the inputs of a worked example.

    >>> example_inputs("short-match-smoothed").smoothing
    'floor'
    """
    example = EXAMPLES[name]
    inputs = Inputs(example.hypothesis, example.references)
    return _with_settings(inputs, Settings(**example.settings))


def with_convention(inputs: Inputs, name: str) -> Inputs:
    """Return the texts with the settings of a convention, but keep the max order if possible.

    Raises ValueError for an unknown convention.

    >>> with_convention(Inputs("a"), "sacrebleu").tokenizer
    '13a'
    """
    settings = convention_settings(name)
    if "max_order" not in get_convention(name).settings and inputs.max_order.isdecimal():
        order = min(int(inputs.max_order), get_convention(name).largest_order)
        settings = replace(settings, max_order=order)
    return replace(_with_settings(inputs, settings), convention=name)


def is_custom(inputs: Inputs) -> bool:
    """Return whether a setting departs from the convention that is chosen.

    >>> is_custom(Inputs(max_order="2")), is_custom(Inputs(tokenizer="13a"))
    (False, True)
    """
    return inputs != with_convention(inputs, inputs.convention)


def _with_settings(inputs: Inputs, settings: Settings) -> Inputs:
    value = settings.smoothing_value
    default = SMOOTHINGS[settings.smoothing].default
    return replace(
        inputs,
        tokenizer=menu_value(settings.tokenizer),
        max_order=str(settings.max_order),
        smoothing=settings.smoothing,
        smoothing_value="" if value is None or value == default else decimal(value),
        lowercase=settings.lowercase,
        weights="",
        effective_order=settings.effective_order,
        reference_length=settings.reference_length,
    )


def apply_action(inputs: Inputs, action: str) -> Inputs:
    """Return the inputs after an action of a finding, or of a remedy for a score of 0.

    >>> apply_action(Inputs("The “cat”", ('a "cat"',)), "repair:punctuation").hypothesis
    'The "cat"'
    """
    name, _, choice = action.partition(":")
    match name:
        case "swap":
            return swap_texts(inputs)
        case "tokens":
            return _join_lists(inputs)
        case "lowercase":
            return replace(inputs, lowercase=True)
        case "tokenizer":
            return replace(inputs, tokenizer=choice)
        case "words":
            return replace(inputs, lowercase=True, tokenizer=usual_tokenizer("marks"))
        case "smoothing":
            return replace(inputs, smoothing=choice, smoothing_value="")
        case "effective_order":
            return replace(inputs, effective_order=True)
        case "convention":
            convention, _, tokenizer = choice.partition("+")
            changed = with_convention(inputs, convention)
            return replace(changed, tokenizer=tokenizer or changed.tokenizer)
        case "max_order":
            return replace(inputs, max_order=choice)
    name = cast(TokenizerName, inputs.tokenizer)
    settings = Settings(tokenizer=OPEN_MODELS.get(name, name), lowercase=inputs.lowercase)
    sides = [inputs.hypothesis], [inputs.references]
    hypotheses, references = repair_corpus(*sides, [choice], settings)
    return replace(inputs, hypothesis=hypotheses[0], references=tuple(references[0]))


def _join_lists(inputs: Inputs) -> Inputs:
    """Join the items of printed Python lists; a list of lists gives several references."""
    hypothesis = join_python_lists(inputs.hypothesis)
    return replace(
        inputs,
        hypothesis=hypothesis[0] if len(hypothesis) == 1 else inputs.hypothesis,
        references=tuple(chain.from_iterable(map(join_python_lists, inputs.references))),
        tokenizer=usual_tokenizer("spaces"),
    )


def swap_texts(inputs: Inputs) -> Inputs:
    """Return the inputs with the candidate and the first reference swapped.

    >>> swap_texts(Inputs("a", ("b", "c"))).references
    ('a', 'c')
    """
    first, *others = inputs.references
    return replace(inputs, hypothesis=first, references=(inputs.hypothesis, *others))


class UndoableState(Protocol):
    """A state that an undo can restore, such as `Inputs`."""

    @property
    def size(self) -> int:
        """The number of characters that the state keeps in memory."""


State = TypeVar("State", bound=UndoableState)


@dataclass(frozen=True, slots=True)
class Change(Generic[State]):
    """A change: its label, and the state before and after it."""

    label: str
    before: State
    after: State


class History(Generic[State]):
    """The changes that can be undone (`past`) and redone (`future`), the next one last.

    >>> history = History[Inputs]()
    >>> history.add("Clear", Inputs("a"), Inputs())
    >>> history.undo(Inputs("b")).hypothesis, history.redo(Inputs("a")).hypothesis
    ('a', 'b')
    """

    def __init__(self) -> None:
        self.past: list[Change[State]] = []
        self.future: list[Change[State]] = []

    def add(self, label: str, before: State, after: State) -> None:
        """Add a change and clear `future`; do nothing if both states are equal."""
        if before != after:
            self.past.append(Change(label, before, after))
            self.future = []
            sizes = [change.before.size for change in self.past]
            while len(sizes) > 1 and sum(sizes) > MAX_HISTORY_CHARACTERS:
                del self.past[0], sizes[0]

    def undo(self, current: State) -> State:
        """Return the state before the last change; `redo` restores `current`.

        Raises IndexError if there is nothing to undo.
        """
        change = self.past.pop()
        self.future.append(Change(change.label, change.before, current))
        return change.before

    def redo(self, current: State) -> State:
        """Return the state from before the last undo; `undo` restores `current`.

        Raises IndexError if there is nothing to redo.
        """
        change = self.future.pop()
        self.past.append(Change(change.label, current, change.after))
        return change.after
