"""Permalinks: the form as the fragment of a link, which browsers do not send to servers.

The names in a fragment are the ids of the controls; defaults are left out.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
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

PARAMETERS: Final = ("step", "orders", "size")
"""The names in a link, in addition to texts, settings and view."""
ALL_ORDERS: Final = "0"
"""The value that stands for all n-gram orders, whose matches are marked at first."""
LARGE: Final = "large"
MAX_VALUE_CHARACTERS: Final = 40
"""The number of characters that are read of each value in a link."""


@dataclass(frozen=True, slots=True)
class ViewState:
    """The step or exercise shown alone, the marked n-gram order, and the letter size, or ""."""

    step: str = ""
    marked_order: str = ""
    size: str = ""


def add_view_state(fragment: str, state: ViewState) -> str:
    """Return the fragment with the view state added; defaults are left out.

    >>> add_view_state("hypothesis=a&view=why", ViewState("precision-2", "2", LARGE))
    'hypothesis=a&view=why&step=precision-2&orders=2&size=large'
    >>> add_view_state("", ViewState(marked_order=ALL_ORDERS))
    ''
    """
    order = "" if state.marked_order == ALL_ORDERS else state.marked_order
    values = (state.step, order, state.size)
    pairs = [(name, value) for name, value in zip(PARAMETERS, values, strict=True) if value]
    return "&".join(part for part in (fragment, urlencode(pairs)) if part)


def parse_view_state(fragment: str) -> ViewState | None:
    """Return the view state of a fragment, or None if it has none.

    Values are not checked, because only the page knows its steps and orders.

    >>> parse_view_state("#step=tokens&size=huge")
    ViewState(step='tokens', marked_order='', size='huge')
    >>> parse_view_state("#hypothesis=a&view=why") is None
    True
    >>> parse_view_state("#step=" + "x" * 99).step == "x" * MAX_VALUE_CHARACTERS
    True
    """
    values = dict(parse_qsl(fragment.removeprefix("#"), errors="replace"))
    if not values.keys() & set(PARAMETERS):
        return None
    return ViewState(*(values.get(name, "")[:MAX_VALUE_CHARACTERS] for name in PARAMETERS))


def missing_parts_notice(*parts: tuple[str, str, Collection[str]]) -> str:
    """Return a notice about the parts that a link asks for and that do not exist, or "".

    Each part is a noun, the name in the link ("" if it has none), and the existing names.

    >>> missing_parts_notice(("step", "cat", ["tokens"]))
    'The link asks for step “cat”, which does not exist: the page is shown as usual.'
    >>> missing_parts_notice(("step", "cat", []), ("order", "", []), ("size", "huge", ["large"]))
    'The link asks for step “cat” and size “huge”, which do not exist: the page is shown as usual.'
    """
    unknown = [f"{noun} “{name}”" for noun, name, names in parts if name and name not in names]
    if not unknown:
        return ""
    verb = "do" if len(unknown) > 1 else "does"
    return (
        f"The link asks for {' and '.join(unknown)}, which {verb} not exist: the page is shown as "
        "usual."
    )


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
