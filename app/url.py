"""The form as the fragment of a link, which browsers keep to themselves.

The names in it are the ids of the page's controls; a field that has its default is left out.
"""

from dataclasses import fields, replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

from app.model import Inputs, settings

DEFAULTS = Inputs()


def to_fragment(inputs: Inputs) -> str:
    """The fragment, without its #, that `from_fragment` reads back.

    >>> to_fragment(Inputs("the cat", ("a cat", ""), max_order="2", lowercase=True))
    'hypothesis=the+cat&reference=a+cat&reference=&max-order=2&lowercase=yes'
    """
    pairs = [("hypothesis", inputs.hypothesis)]
    pairs += [("reference", text) for text in inputs.references]
    for name in _settings():
        value = getattr(inputs, name)
        if value != getattr(DEFAULTS, name):
            pairs.append((name.replace("_", "-"), "yes" if value is True else value))
    return urlencode(pairs, errors="replace")


def from_fragment(fragment: str) -> Inputs | None:
    """What a link's fragment asks for, or None where it is no such link.

    Unknown names are passed over, and a setting whose value makes no sense, by itself or with the
    others, falls back to its default.

    >>> from_fragment("hypothesis=the+cat&reference=a+cat&max-order=77&colour=red").max_order
    '4'
    >>> from_fragment("precision-2")
    """
    if "=" not in fragment:
        return None
    pairs = parse_qsl(fragment.removeprefix("#"), keep_blank_values=True, errors="replace")
    texts = dict(pairs)
    inputs = replace(
        DEFAULTS,
        hypothesis=texts.get("hypothesis", ""),
        references=tuple(text for name, text in pairs if name == "reference") or ("",),
    )
    for name in _settings():
        if (text := texts.get(name.replace("_", "-"))) is not None:
            inputs = _accepted(inputs, name, text)
    return inputs


def _settings() -> list[str]:
    return [field.name for field in fields(Inputs)][2:]


def _accepted(inputs: Inputs, name: str, text: str) -> Inputs:
    value: Any = text == "yes" if isinstance(getattr(DEFAULTS, name), bool) else text
    changed = replace(inputs, **{name: value})
    try:
        settings(changed)
    except (TypeError, ValueError):
        return inputs
    return changed
