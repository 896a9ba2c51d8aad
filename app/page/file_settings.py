"""The settings of the part for whole files: its own, or those of the boxes."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Final

from app.page.form import Inputs, settings, with_convention
from bleu.core.conventions import CONVENTIONS
from bleu.core.settings import Settings

AS_BOXES: Final = "boxes"
"""The choice of the settings of the view Score."""

FILE_CONVENTIONS: Final[Mapping[str, str]] = {
    "sacrebleu": CONVENTIONS["sacrebleu"].title,
    AS_BOXES: "as in the view Score",
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


def with_file_convention(own: FileInputs, name: str, boxes: Inputs) -> FileInputs:
    """Everything as a convention has it, or as the boxes do; N stays where it may.

    Raises ValueError for an unknown convention.

    >>> with_file_convention(FileInputs(), "papineni", Inputs())
    FileInputs(convention='papineni', tokenizer='whitespace', max_order='4', lowercase=True)
    >>> with_file_convention(FileInputs(), "boxes", Inputs(tokenizer="char")).tokenizer
    'char'
    """
    chosen = boxes
    if name != AS_BOXES:
        chosen = with_convention(Inputs(max_order=own.max_order), name)
    return FileInputs(name, chosen.tokenizer, chosen.max_order, chosen.lowercase)


def as_boxes(own: FileInputs, boxes: Inputs) -> Inputs:
    """The boxes with their texts, and with the settings for whole files in the place of their own.

    Raises ValueError for an unknown convention.

    >>> as_boxes(FileInputs(lowercase=True), Inputs("a")).smoothing
    'exp'
    >>> as_boxes(FileInputs("boxes"), Inputs("a", smoothing="floor")).smoothing
    'floor'
    """
    if own.convention == AS_BOXES:
        return boxes
    chosen = with_convention(Inputs(boxes.hypothesis, boxes.references), own.convention)
    return replace(
        chosen, tokenizer=own.tokenizer, max_order=own.max_order, lowercase=own.lowercase
    )


def file_settings(own: FileInputs, boxes: Inputs) -> Settings:
    """The settings under which the files are scored.

    Raises what `form.settings` raises.

    >>> file_settings(FileInputs(), Inputs()).tokenizer
    '13a'
    """
    return settings(as_boxes(own, boxes))
