"""What fills the boxes as the page starts: the link, and what the tab has kept through a reload.

`keepTexts` in boot.mjs writes the latter: the value of each control by its id.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from app.state.form import CHOICES, CONTROLS, Inputs, example_inputs
from app.state.permalink import from_fragment, without_view

FIELDS_BY_CONTROL: Final = {control: name for name, control in CONTROLS.items()}
"""The fields that the controls hold, by their ids."""


@dataclass(frozen=True, slots=True)
class SavedForm:
    """What was kept: the link that had filled the boxes before, and the controls by their ids.

    It is `complete`, or only what was typed before Python was up.
    """

    link: str
    values: Mapping[str, Any]
    complete: bool


@dataclass(frozen=True, slots=True)
class InitialForm:
    """The form to start with, if any, the other boxes by their ids, and the link that counts.

    `overwritten` is a form that was kept, and that another link takes the place of.
    """

    inputs: Inputs | None
    file_controls: Mapping[str, str | bool]
    link: str
    overwritten: Inputs | None = None


def initial_form(fragment: str, kept: str, once: str, example: str) -> InitialForm:
    """What to fill the boxes with: the newest of a link, `kept` texts, and those kept `once`.

    Texts that were kept after the same link had been opened are newer than it. What was kept once,
    for a reload by the page itself, is newer than all. `example` is the one that the page shows.

    >>> values = '{"hypothesis": "x", "corpus-system": "y"}'
    >>> kept = f'{{"link": "", "values": {values}, "whole": true}}'
    >>> found = initial_form("", kept, "", "partial-match")
    >>> found.inputs.hypothesis, found.file_controls
    ('x', {'corpus-system': 'y'})
    >>> initial_form("#hypothesis=z", kept, "", "partial-match").overwritten.hypothesis
    'x'
    """
    inputs = from_fragment(fragment)
    link = without_view(fragment) if inputs else ""
    own, last = parse_saved_form(kept), parse_saved_form(once)
    overwritten = None
    if own and inputs and own.link != link:
        overwritten, own = apply_saved_form(Inputs(), own), None
    boxes: dict[str, str | bool] = {}
    for found in (own, last):
        if found:
            inputs = apply_saved_form(inputs or example_inputs(example), found)
            link = link or found.link
            boxes |= _file_controls(found)
    return InitialForm(inputs, boxes, link, overwritten)


def parse_saved_form(text: str) -> SavedForm | None:
    """What was kept, or None where nothing was, or something that is not of this page.

    >>> parse_saved_form("hypothesis=x")
    """
    try:
        found = json.loads(text)
        return SavedForm(
            without_view(str(found["link"])), dict(found["values"]), bool(found["whole"])
        )
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def apply_saved_form(inputs: Inputs, found: SavedForm) -> Inputs:
    """The form with what was kept in it; all of it where that is whole.

    What was typed comes back as it was, also where it makes no sense yet; a choice that no menu
    offers is left as it is.

    >>> apply_saved_form(Inputs("a", ("b", "c")), SavedForm("", {"reference-1": "d", "smoothing": "laplace"}, False))
    Inputs(hypothesis='a', references=('d', 'c'), convention='default', tokenizer='whitespace', \
max_order='4', smoothing='none', smoothing_value='', lowercase=False, weights='', \
effective_order=False, reference_length='closest')
    """
    if found.complete:
        inputs = Inputs()
    references = list(inputs.references)
    for name, value in found.values.items():
        kind, _, number = name.rpartition("-")
        if name == "hypothesis" and isinstance(value, str):
            inputs = replace(inputs, hypothesis=value)
        elif kind == "reference" and number.isdecimal() and isinstance(value, str):
            place = int(number) - 1
            references[place : place + 1] = [value]
        elif name in FIELDS_BY_CONTROL:
            inputs = _with_value(inputs, FIELDS_BY_CONTROL[name], value)
    return replace(inputs, references=tuple(references))


def _with_value(inputs: Inputs, field: str, value: Any) -> Inputs:
    known = type(value) is type(getattr(inputs, field))
    if not known or (field in CHOICES and value not in CHOICES[field]):
        return inputs
    return replace(inputs, **{field: value})


def _file_controls(found: SavedForm) -> dict[str, str | bool]:
    return {
        name: value
        for name, value in found.values.items()
        if name.startswith("corpus-") and isinstance(value, str | bool)
    }
