"""The form saved in the tab, and the initial form made from it and the link.

`keepTexts` in boot.mjs saves the value of each control by its id.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from app.state.inputs import (
    CONTROLS,
    FIRST_EXAMPLE,
    Inputs,
    current_choice,
    example_inputs,
    is_choice,
    removed_choices_notice,
)
from app.state.permalink import from_fragment, without_view

FIELDS_BY_CONTROL: Final = {control: name for name, control in CONTROLS.items()}
"""The fields of `Inputs` by the ids of their controls."""


@dataclass(frozen=True, slots=True)
class SavedForm:
    """A saved form: the link that had filled it, and the values of its controls by id.

    `complete` is False if only the controls edited before Python was ready were saved.
    """

    link: str
    values: Mapping[str, Any]
    complete: bool


@dataclass(frozen=True, slots=True)
class InitialForm:
    """The form to start with.

    - `inputs`: texts and settings, or None to leave the page as it is.
    - `file_controls`: the values of the controls for files, by id.
    - `link`: the link that filled the form, or "".
    - `overwritten`: a saved form that the link replaces, or None.
    - `notice`: the notice about removed choices in a saved form, or "".
    """

    inputs: Inputs | None
    file_controls: Mapping[str, str | bool]
    link: str
    overwritten: Inputs | None = None
    notice: str = ""


def initial_form(fragment: str, saved: str, reload: str) -> InitialForm:
    """Return the initial form: the newest of those in `fragment`, `saved` and `reload`.

    `reload` is the newest: the page saved it just before it reloaded itself. `saved` is newer than
    the link if it was saved after the same link had been opened.

    >>> values = '{"hypothesis": "x", "corpus-system": "y"}'
    >>> saved = f'{{"link": "", "values": {values}, "whole": true}}'
    >>> initial = initial_form("", saved, "")
    >>> initial.inputs.hypothesis, initial.file_controls
    ('x', {'corpus-system': 'y'})
    >>> initial_form("#hypothesis=z", saved, "").overwritten.hypothesis
    'x'
    """
    inputs = from_fragment(fragment)
    link = without_view(fragment) if inputs else ""
    saved_form, reload_form = parse_saved_form(saved), parse_saved_form(reload)
    overwritten = None
    if saved_form and inputs and saved_form.link != link:
        overwritten, saved_form = apply_saved_form(Inputs(), saved_form), None
    file_controls: dict[str, str | bool] = {}
    values: dict[str, Any] = {}
    for form in (saved_form, reload_form):
        if form:
            inputs = apply_saved_form(inputs or example_inputs(FIRST_EXAMPLE), form)
            link = link or form.link
            values |= form.values
            file_controls |= {
                name: value if isinstance(value, bool) else current_choice(name[7:], value)
                for name, value in form.values.items()
                if name.startswith("corpus-") and isinstance(value, str | bool)
            }
    return InitialForm(inputs, file_controls, link, overwritten, removed_choices_notice(values))


def parse_saved_form(text: str) -> SavedForm | None:
    """Return the saved form, or None if the text is empty or not from this page.

    >>> parse_saved_form('{"link": "", "values": {}, "whole": true}'), parse_saved_form("x")
    (SavedForm(link='', values={}, complete=True), None)
    """
    try:
        data = json.loads(text)
        return SavedForm(without_view(str(data["link"])), dict(data["values"]), bool(data["whole"]))
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def apply_saved_form(inputs: Inputs, saved: SavedForm) -> Inputs:
    """Return the inputs with the saved values; a complete form replaces them all.

    Text is restored even if it is invalid; a choice that no menu offers is ignored.

    >>> saved = SavedForm("", {"reference-1": "d", "smoothing": "laplace"}, complete=False)
    >>> restored = apply_saved_form(Inputs("a", ("b", "c")), saved)
    >>> restored.hypothesis, restored.references, restored.smoothing
    ('a', ('d', 'c'), 'none')
    """
    if saved.complete:
        inputs = Inputs()
    references = list(inputs.references)
    for name, value in saved.values.items():
        prefix, _, number = name.rpartition("-")
        if name == "hypothesis" and isinstance(value, str):
            inputs = replace(inputs, hypothesis=value)
        elif prefix == "reference" and number.isdecimal() and isinstance(value, str):
            index = int(number) - 1
            references[index : index + 1] = [value]
        elif field := FIELDS_BY_CONTROL.get(name):
            choice: Any = current_choice(field, value) if isinstance(value, str) else value
            has_type = type(choice) is type(getattr(inputs, field))
            if has_type and is_choice(field, choice):
                inputs = replace(inputs, **{field: choice})
    return replace(inputs, references=tuple(references))
