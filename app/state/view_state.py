"""The view state of a link: step or exercise shown alone, marked n-gram order, size of letters."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl, urlencode

PARAMETERS: Final = ("step", "orders", "size")
"""The names in a link, in addition to texts, settings and view."""
FIRST_ORDER: Final = "0"
"""The n-gram order whose matches are marked at first: all."""
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
    >>> add_view_state("", ViewState(marked_order="0"))
    ''
    """
    order = "" if state.marked_order == FIRST_ORDER else state.marked_order
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
