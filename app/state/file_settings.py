"""The settings for whole files, which can follow the form, and the chosen repairs."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Final

from app.state.form import form_settings
from app.state.inputs import Inputs, with_convention
from bleu.core.settings import Settings
from bleu.metric.conventions import CONVENTIONS

SAME_AS_FORM: Final = "boxes"
"""The choice in the menu of conventions that stands for the settings of the form."""

FILE_CONVENTIONS: Final[Mapping[str, str]] = {
    "sacrebleu": CONVENTIONS["sacrebleu"].title,
    SAME_AS_FORM: "as in the view Score",
    **{name: entry.title for name, entry in CONVENTIONS.items() if name != "sacrebleu"},
}
"""The labels in the menu of conventions, by name."""


@dataclass(frozen=True, slots=True)
class FileInputs:
    """The settings for whole files as entered, not yet validated; by default sacreBLEU's."""

    convention: str = "sacrebleu"
    tokenizer: str = CONVENTIONS["sacrebleu"].settings["tokenizer"]
    max_order: str = "4"
    lowercase: bool = False


FILE_CONTROLS: Final = {
    field.name: f"corpus-{field.name.replace('_', '-')}" for field in fields(FileInputs)
}
"""The ids of the controls, by field."""


@dataclass(frozen=True, slots=True)
class FileChoices:
    """The choices that a remedy of the check-up changes.

    - `repairs`: the faults that are repaired before scoring, in the order chosen.
    - `as_text`: whether files that look like markup, JSON or a table are scored as text.
    """

    settings: FileInputs = field(default_factory=FileInputs)
    repairs: tuple[str, ...] = ()
    as_text: bool = False
    size = 0  # It keeps no texts, and `History` counts only their characters.


def apply_remedy(choices: FileChoices, action: str) -> FileChoices:
    """Return the choices after a remedy: the action of a finding, or `as-text`.

    Raises ValueError for an action that does not apply to files.

    >>> choices = FileChoices(FileInputs())
    >>> apply_remedy(apply_remedy(choices, "repair:case"), "repair:case").repairs
    ('case',)
    >>> apply_remedy(choices, "tokenizer:char").settings.tokenizer
    'char'
    """
    match action.partition(":"):
        case "repair", _, name:
            return replace(choices, repairs=tuple(dict.fromkeys((*choices.repairs, name))))
        case "tokenizer", _, name:
            return replace(choices, settings=replace(choices.settings, tokenizer=name))
        case "lowercase", _, _:
            return replace(choices, settings=replace(choices.settings, lowercase=True))
        case "as-text", _, _:
            return replace(choices, as_text=True)
    raise ValueError(f"action is {action!r}; choose repair:…, tokenizer:…, lowercase or as-text")


def with_file_convention(file_inputs: FileInputs, name: str, form_inputs: Inputs) -> FileInputs:
    """Return the settings of a convention or, for SAME_AS_FORM, of the form.

    A convention keeps the max order if possible.

    Raises ValueError for an unknown convention.

    >>> with_file_convention(FileInputs(), "papineni", Inputs())
    FileInputs(convention='papineni', tokenizer='whitespace', max_order='4', lowercase=True)
    >>> with_file_convention(FileInputs(), "boxes", Inputs(tokenizer="char")).tokenizer
    'char'
    """
    inputs = form_inputs
    if name != SAME_AS_FORM:
        inputs = with_convention(Inputs(max_order=file_inputs.max_order), name)
    return FileInputs(name, inputs.tokenizer, inputs.max_order, inputs.lowercase)


def effective_inputs(file_inputs: FileInputs, form_inputs: Inputs) -> Inputs:
    """Return the texts of the form with the settings for whole files.

    Raises ValueError for an unknown convention.

    >>> effective_inputs(FileInputs(lowercase=True), Inputs("a")).smoothing
    'exp'
    >>> effective_inputs(FileInputs("boxes"), Inputs("a", smoothing="floor")).smoothing
    'floor'
    """
    if file_inputs.convention == SAME_AS_FORM:
        return form_inputs
    texts = Inputs(form_inputs.hypothesis, form_inputs.references)
    return replace(with_convention(texts, file_inputs.convention), **asdict(file_inputs))


def file_settings(file_inputs: FileInputs, form_inputs: Inputs) -> Settings:
    """Return the settings under which the files are scored.

    Raises SettingError if a setting is invalid.

    >>> file_settings(FileInputs(), Inputs()).tokenizer
    '13a'
    """
    return form_settings(effective_inputs(file_inputs, form_inputs))
