"""The form as the fragment of a link, which browsers keep to themselves.

The names in it are the ids of the page's controls; a field that has its default is left out.
"""

from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

from app.state.form import CONTROLS, Inputs, form_settings, with_convention
from bleu.core.conventions import CONVENTIONS

DEFAULTS = Inputs()
FIRST_VIEW = "calculator"
"""The view that opens where a link names none."""
SETTINGS = {name: control for name, control in CONTROLS.items() if name != "convention"}
"""The fields to which the convention gives defaults, and what they are called in a link."""
KNOWN = {"hypothesis", "reference", *CONTROLS.values()}


def to_fragment(inputs: Inputs, view: str = "") -> str:
    """The fragment, without its #, that `from_fragment` reads back; `view` is the one to open in.

    >>> to_fragment(Inputs("the cat", ("a cat", ""), max_order="2", lowercase=True), "why")
    'hypothesis=the+cat&reference=a+cat&reference=&max-order=2&lowercase=yes&view=why'
    """
    pairs = [("hypothesis", inputs.hypothesis)]
    pairs += [("reference", text) for text in inputs.references]
    base = _base(inputs.convention)
    if inputs.convention != DEFAULTS.convention:
        pairs.append(("convention", inputs.convention))
    for name, control in SETTINGS.items():
        value = getattr(inputs, name)
        if value != getattr(base, name):
            text = {True: "yes", False: "no"}.get(value, value)
            pairs.append((control, text))
    if view not in {"", FIRST_VIEW}:
        pairs.append(("view", view))
    return urlencode(pairs, errors="replace")


def without_view(fragment: str) -> str:
    """A link's fragment for the same texts in whatever view.

    >>> without_view("#hypothesis=a&view=why"), without_view("#view=why&hypothesis=a")
    ('#hypothesis=a', '#hypothesis=a')
    """
    pairs = fragment.removeprefix("#").split("&")
    kept = "&".join(pair for pair in pairs if not pair.startswith("view="))
    return f"#{kept}" if fragment.startswith("#") else kept


def from_fragment(fragment: str) -> Inputs | None:
    """What a link's fragment asks for, or None where it is no such link.

    Unknown names are passed over, and a setting whose value makes no sense, by itself or with the
    others, falls back to its default.

    >>> from_fragment("hypothesis=the+cat&reference=a+cat&max-order=77&colour=red").max_order
    '4'
    >>> from_fragment("hypothesis=%ff").hypothesis
    '\ufffd'
    >>> from_fragment("precision-2"), from_fragment("view=why")
    (None, None)
    """
    if "=" not in fragment:
        return None
    pairs = parse_qsl(fragment.removeprefix("#"), keep_blank_values=True, errors="replace")
    texts = dict(pairs)
    if not texts.keys() & KNOWN:
        return None
    inputs = replace(
        _base(texts.get("convention", DEFAULTS.convention)),
        hypothesis=texts.get("hypothesis", ""),
        references=tuple(text for name, text in pairs if name == "reference") or ("",),
    )
    for name, control in SETTINGS.items():
        if (text := texts.get(control)) is not None:
            inputs = _with_valid_value(inputs, name, text)
    return inputs


def _base(convention: str) -> Inputs:
    known = convention if convention in CONVENTIONS else DEFAULTS.convention
    return with_convention(DEFAULTS, known)


def _with_valid_value(inputs: Inputs, name: str, text: str) -> Inputs:
    value: Any = text
    if isinstance(getattr(DEFAULTS, name), bool):
        value = {"yes": True, "no": False}.get(text, getattr(inputs, name))
    changed = replace(inputs, **{name: value})
    try:
        form_settings(changed)
    except (TypeError, ValueError):
        return inputs
    return changed
