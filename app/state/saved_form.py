"""The form kept in a link or in the tab, and the initial form made from both.

The names in the fragment of a link, which browsers do not send to servers, are the ids of the
controls; defaults are left out. `keepTexts` in boot.mjs saves the value of each control by its id.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from html import escape
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from app.state.form import form_settings
from app.state.inputs import (
    CONTROLS,
    FIRST_EXAMPLE,
    Inputs,
    example_inputs,
    is_choice,
    is_model,
    with_convention,
)
from bleu.explanation.phrases import token_text
from bleu.metric.conventions import CONVENTIONS

PARAMETERS: Final = ("step", "open", "size")
"""The names in a link, in addition to texts, settings and view."""
ALL_ORDERS: Final = "0"
"""The value that stands for all n-gram orders, whose matches are marked at first."""
MARKED_ORDER: Final = "orders"
"""The name in an older link of a marked n-gram order, whose factor is opened now."""
LARGE: Final = "large"
HIDE: Final = "hide", "score"
"""The pair in a link that hides the score until its reader asks for it."""
MAX_VALUE_CHARACTERS: Final = 40
"""The number of characters that are read of each value in a link."""
DEFAULTS: Final = Inputs()
FIRST_VIEW: Final = "calculator"
"""The view that opens if a link names none."""
SETTINGS: Final = {name: control for name, control in CONTROLS.items() if name != "convention"}
"""The names in a link of all settings but the convention, by field."""
KNOWN_NAMES: Final = {"hypothesis", "reference", *CONTROLS.values()}
LINK_NAMES: Final = KNOWN_NAMES | {*PARAMETERS, MARKED_ORDER, HIDE[0], "view", "embed"}
"""All names in a link with texts."""
FIELDS_BY_CONTROL: Final = {control: name for name, control in CONTROLS.items()}
"""The fields of `Inputs` by the ids of their controls."""


@dataclass(frozen=True, slots=True)
class ViewState:
    """The step or exercise shown alone, the step of the open factor, and the letter size, or ""."""

    step: str = ""
    opened: str = ""
    size: str = ""


def add_view_state(fragment: str, state: ViewState) -> str:
    """Return the fragment with the view state added; defaults are left out.

    >>> add_view_state("hypothesis=a&view=why", ViewState("tokens", "precision-2", LARGE))
    'hypothesis=a&view=why&step=tokens&open=precision-2&size=large'
    """
    values = (state.step, state.opened, state.size)
    pairs = [(name, value) for name, value in zip(PARAMETERS, values, strict=True) if value]
    return "&".join(part for part in (fragment, urlencode(pairs)) if part)


def parse_view_state(fragment: str) -> ViewState | None:
    """Return the view state of a fragment, or None if it has none.

    Values are not checked, because only the page knows its steps and factors.

    >>> parse_view_state("#step=tokens&size=huge")
    ViewState(step='tokens', opened='', size='huge')
    >>> parse_view_state("#orders=2").opened
    'precision-2'
    >>> parse_view_state("#hypothesis=a&view=why") is None
    True
    >>> parse_view_state("#step=" + "x" * 99).step == "x" * MAX_VALUE_CHARACTERS
    True
    """
    values = dict(parse_qsl(fragment.removeprefix("#"), errors="replace"))
    if order := values.pop(MARKED_ORDER, ""):
        values.setdefault("open", f"precision-{order}")
    if not values.keys() & set(PARAMETERS):
        return None
    return ViewState(*(values.get(name, "")[:MAX_VALUE_CHARACTERS] for name in PARAMETERS))


def frame_html(address: str) -> str:
    """Return the line of HTML that shows the page of a link in a frame of another page.

    >>> frame_html("https://example.org/#hypothesis=a&reference=b").partition(" title")[0]
    '<iframe src="https://example.org/#hypothesis=a&amp;reference=b&amp;embed=1"'
    """
    return (
        f'<iframe src="{escape(address)}&amp;embed=1" title="BLEU calculator" width="640" '
        'height="420" loading="lazy" allow="clipboard-write" style="border: 1px solid #ccc">'
        "</iframe>"
    )


def missing_parts_notice(*parts: tuple[str, str, Collection[str]]) -> str:
    """Return a notice about the parts that a link asks for and that do not exist, or "".

    Each part is a noun, the name in the link ("" if it has none), and the existing names.

    >>> missing_parts_notice(("step", "cat", ["tokens"]))
    'The link asks for step “cat”, which does not exist: the page is shown as usual.'
    >>> missing_parts_notice(("step", "cat", []), ("order", "", []), ("size", "huge", ["large"]))
    'The link asks for step “cat” and size “huge”, which do not exist: the page is shown as usual.'
    """
    unknown = [
        f"{noun} “{token_text(name)}”" for noun, name, names in parts if name and name not in names
    ]
    if not unknown:
        return ""
    verb = "do" if len(unknown) > 1 else "does"
    return (
        f"The link asks for {' and '.join(unknown)}, which {verb} not exist: the page is shown as "
        "usual."
    )


def unknown_settings(fragment: str) -> list[tuple[str, str, Collection[str]]]:
    """Return each setting of a link that does not exist, as a part of `missing_parts_notice`.

    >>> unknown_settings("#hypothesis=a&tokenizer=moses&colour=red&max-order=3&view=why")
    [('tokenizer', 'moses', ()), ('setting', 'colour', ())]
    >>> unknown_settings("#exercises=7&version=4")
    []
    """
    pairs = _pairs(fragment) if from_fragment(fragment) else []
    names = [("setting", name) for name, _ in pairs if name not in LINK_NAMES]
    choices = [pair for pair in pairs if not is_choice(FIELDS_BY_CONTROL.get(pair[0], ""), pair[1])]
    return [(noun, name[:MAX_VALUE_CHARACTERS], ()) for noun, name in choices + names]


def to_fragment(inputs: Inputs, view: str = "") -> str:
    """Return the fragment, without #, that opens the inputs in a view.

    >>> to_fragment(Inputs("the cat", ("a cat", ""), max_order="2", lowercase=True), "why")
    'hypothesis=the+cat&reference=a+cat&reference=&max-order=2&lowercase=yes&view=why'
    """
    pairs = [("hypothesis", inputs.hypothesis)]
    pairs += [("reference", text) for text in inputs.references]
    defaults = _convention_defaults(inputs.convention)
    if inputs.convention != DEFAULTS.convention:
        pairs.append(("convention", inputs.convention))
    for name, control in SETTINGS.items():
        value = getattr(inputs, name)
        if value != getattr(defaults, name):
            text = {True: "yes", False: "no"}.get(value, value)
            pairs.append((control, text))
    if inputs.hides_score:
        pairs.append(HIDE)
    if view not in {"", FIRST_VIEW}:
        pairs.append(("view", view))
    return urlencode(pairs, errors="replace")


def without_view(fragment: str) -> str:
    """Return the fragment without the view that it opens in.

    >>> without_view("#hypothesis=a&view=why"), without_view("#view=why&hypothesis=a")
    ('#hypothesis=a', '#hypothesis=a')
    """
    pairs = fragment.removeprefix("#").split("&")
    remaining = "&".join(pair for pair in pairs if not pair.startswith("view="))
    return f"#{remaining}" if fragment.startswith("#") else remaining


def from_fragment(fragment: str) -> Inputs | None:
    """Return the inputs of a fragment, or None if it has none.

    Unknown names are ignored. A setting that is invalid, by itself or with the others, falls back
    to its default.

    >>> from_fragment("hypothesis=the+cat&reference=a+cat&max-order=77&colour=red").max_order
    '4'
    >>> from_fragment("hypothesis=%ff").hypothesis
    '\ufffd'
    >>> from_fragment("precision-2"), from_fragment("view=why")
    (None, None)
    """
    if "=" not in fragment:
        return None
    pairs = _pairs(fragment)
    values = dict(pairs)
    if not values.keys() & KNOWN_NAMES:
        return None
    inputs = replace(
        _convention_defaults(values.get("convention", DEFAULTS.convention)),
        hypothesis=values.get("hypothesis", ""),
        references=tuple(text for name, text in pairs if name == "reference") or ("",),
        hides_score=HIDE in pairs,
    )
    for name, control in SETTINGS.items():
        if (text := values.get(control)) is not None:
            inputs = _with_valid_value(inputs, name, text)
    tokenizer = values.get(CONTROLS["tokenizer"], "")
    # Last, because `form_settings` rejects all settings while the chosen model is not open.
    return replace(inputs, tokenizer=tokenizer) if is_model(tokenizer) else inputs


def _pairs(fragment: str) -> list[tuple[str, str]]:
    return parse_qsl(fragment.removeprefix("#"), keep_blank_values=True, errors="replace")


def _convention_defaults(convention: str) -> Inputs:
    name = convention if convention in CONVENTIONS else DEFAULTS.convention
    return with_convention(DEFAULTS, name)


def _with_valid_value(inputs: Inputs, name: str, text: str) -> Inputs:
    """Return the inputs with a setting from a link, or unchanged if that would be invalid."""
    value: Any = text
    if isinstance(getattr(DEFAULTS, name), bool):
        value = {"yes": True, "no": False}.get(text, getattr(inputs, name))
    changed = replace(inputs, **{name: value})
    try:
        form_settings(changed)
    except (TypeError, ValueError):
        return inputs
    return changed


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
    """

    inputs: Inputs | None
    file_controls: Mapping[str, str | bool]
    link: str
    overwritten: Inputs | None = None


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
    for form in (saved_form, reload_form):
        if form:
            inputs = apply_saved_form(inputs or example_inputs(FIRST_EXAMPLE), form)
            link = link or form.link
            file_controls |= {
                name: value
                for name, value in form.values.items()
                if name.startswith("corpus-") and isinstance(value, str | bool)
            }
    return InitialForm(inputs, file_controls, link, overwritten)


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
            has_type = type(value) is type(getattr(inputs, field))
            if has_type and is_choice(field, value):
                inputs = replace(inputs, **{field: value})
    return replace(inputs, references=tuple(references))
