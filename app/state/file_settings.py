"""The settings of the part for whole files: its own, or those of the boxes."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Final

from app.state.form import Inputs, form_settings, with_convention
from bleu.core.conventions import CONVENTIONS
from bleu.core.settings import Settings

SAME_AS_FORM: Final = "boxes"
"""The choice of the settings of the view Score."""

FILE_CONVENTIONS: Final[Mapping[str, str]] = {
    "sacrebleu": CONVENTIONS["sacrebleu"].title,
    SAME_AS_FORM: "as in the view Score",
    **{name: one.title for name, one in CONVENTIONS.items() if name != "sacrebleu"},
}
"""What the menu offers: names and labels."""


@dataclass(frozen=True, slots=True)
class FileInputs:
    """The settings for whole files as they stand in the form: sacreBLEU's, to begin with."""

    convention: str = "sacrebleu"
    tokenizer: str = "13a"
    max_order: str = "4"
    lowercase: bool = False


FILE_CONTROLS: Final = {
    one.name: f"corpus-{one.name.replace('_', '-')}" for one in fields(FileInputs)
}
"""The fields, and the ids of the controls that hold them."""


def with_file_convention(file_inputs: FileInputs, name: str, form_inputs: Inputs) -> FileInputs:
    """Everything as a convention has it, or as the boxes do; N stays where it may.

    Raises ValueError for an unknown convention.

    >>> with_file_convention(FileInputs(), "papineni", Inputs())
    FileInputs(convention='papineni', tokenizer='whitespace', max_order='4', lowercase=True)
    >>> with_file_convention(FileInputs(), "boxes", Inputs(tokenizer="char")).tokenizer
    'char'
    """
    chosen = form_inputs
    if name != SAME_AS_FORM:
        chosen = with_convention(Inputs(max_order=file_inputs.max_order), name)
    return FileInputs(name, chosen.tokenizer, chosen.max_order, chosen.lowercase)


def effective_inputs(file_inputs: FileInputs, form_inputs: Inputs) -> Inputs:
    """The boxes with their texts, and with the settings for whole files in the place of their own.

    Raises ValueError for an unknown convention.

    >>> effective_inputs(FileInputs(lowercase=True), Inputs("a")).smoothing
    'exp'
    >>> effective_inputs(FileInputs("boxes"), Inputs("a", smoothing="floor")).smoothing
    'floor'
    """
    if file_inputs.convention == SAME_AS_FORM:
        return form_inputs
    chosen = with_convention(
        Inputs(form_inputs.hypothesis, form_inputs.references), file_inputs.convention
    )
    return replace(
        chosen,
        tokenizer=file_inputs.tokenizer,
        max_order=file_inputs.max_order,
        lowercase=file_inputs.lowercase,
    )


def file_settings(file_inputs: FileInputs, form_inputs: Inputs) -> Settings:
    """The settings under which the files are scored.

    Raises what `form.form_settings` raises.

    >>> file_settings(FileInputs(), Inputs()).tokenizer
    '13a'
    """
    return form_settings(effective_inputs(file_inputs, form_inputs))
