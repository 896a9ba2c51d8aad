"""Permalinks: the form as the fragment of a link, which browsers do not send to servers.

The names in a fragment are the ids of the controls; defaults are left out.
"""

from dataclasses import replace
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from app.state.form import form_settings
from app.state.inputs import (
    CONTROLS,
    Inputs,
    current_choice,
    removed_choices_notice,
    with_convention,
)
from app.state.models import is_model
from bleu.metric.conventions import CONVENTIONS

DEFAULTS: Final = Inputs()
FIRST_VIEW: Final = "calculator"
"""The view that opens if a link names none."""
SETTINGS: Final = {name: control for name, control in CONTROLS.items() if name != "convention"}
"""The names in a link of all settings but the convention, by field."""
KNOWN_NAMES: Final = {"hypothesis", "reference", *CONTROLS.values()}


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
    convention = current_choice("convention", values.get("convention", DEFAULTS.convention))
    inputs = replace(
        _convention_defaults(convention),
        hypothesis=values.get("hypothesis", ""),
        references=tuple(text for name, text in pairs if name == "reference") or ("",),
    )
    for name, control in SETTINGS.items():
        if (text := values.get(control)) is not None:
            inputs = _with_valid_value(inputs, name, current_choice(name, text))
    tokenizer = values.get(CONTROLS["tokenizer"], "")
    # Last, because `form_settings` rejects all settings while the chosen model is not open.
    return replace(inputs, tokenizer=tokenizer) if is_model(tokenizer) else inputs


def link_notice(fragment: str) -> str:
    """Return a notice about the choices of a link that were removed, or "".

    >>> link_notice("#hypothesis=a&smoothing=average")
    'The smoothing “average” was removed: “average-last” is chosen instead.'
    """
    return removed_choices_notice(dict(_pairs(fragment)))


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
