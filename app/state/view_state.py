"""The view state of a link: the item shown alone, the marked order, and the size of letters."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl, urlencode

PARAMETERS: Final = ("step", "orders", "size")
"""The names in a link, in addition to texts, settings and view."""
FIRST_ORDER: Final = "1"
"""The order whose matches are marked at first."""
LARGE: Final = "large"
MAX_VALUE: Final = 40
"""Characters of a value that are read."""


@dataclass(frozen=True, slots=True)
class ViewState:
    """The item shown alone and the marked order, each "" for none, and the size of letters."""

    step: str = ""
    marked_order: str = ""
    large: bool = False


def add_view_state(fragment: str, state: ViewState) -> str:
    """Return the fragment with the view state added; defaults are left out.

    >>> add_view_state("hypothesis=a&view=why", ViewState("precision-2", "2", True))
    'hypothesis=a&view=why&step=precision-2&orders=2&size=large'
    >>> add_view_state("", ViewState(marked_order="1"))
    ''
    """
    order = "" if state.marked_order == FIRST_ORDER else state.marked_order
    values = (state.step, order, LARGE if state.large else "")
    pairs = [(name, value) for name, value in zip(PARAMETERS, values, strict=True) if value]
    return "&".join(part for part in (fragment, urlencode(pairs)) if part)


def parse_view_state(fragment: str) -> tuple[ViewState, tuple[str, ...]]:
    """Return the view state of a fragment, and labels for unknown values.

    Only the page knows its steps and orders; `existing_or_note` checks these.

    >>> parse_view_state("#step=tokens&size=huge")
    (ViewState(step='tokens', marked_order='', large=False), ('size “huge”',))
    >>> parse_view_state("#step=" + "x" * 99)[0].step == "x" * MAX_VALUE
    True
    """
    try:
        values = dict(parse_qsl(fragment.removeprefix("#"), errors="replace"))
    except ValueError:
        values = {}
    step, order, size = (values.get(name, "")[:MAX_VALUE] for name in PARAMETERS)
    unknown = (f"size “{size}”",) if size not in {"", LARGE} else ()
    return ViewState(step, order, size == LARGE), unknown


def existing_or_note(
    name: str, noun: str, existing: Collection[str]
) -> tuple[str, tuple[str, ...]]:
    """Return `name` if it is empty or exists, or else "" and a label for it.

    >>> existing_or_note("tokens", "step", ["tokens"]), existing_or_note("cat", "step", ["tokens"])
    (('tokens', ()), ('', ('step “cat”',)))
    """
    if not name or name in existing:
        return name, ()
    return "", (f"{noun} “{name}”",)


def missing_parts_notice(unknown: Collection[str]) -> str:
    """Return a notice about the unknown values of a link, given by their labels, or "".

    >>> missing_parts_notice(["step “cat”"])
    'The link asks for step “cat”, which does not exist: the page is shown as usual.'
    >>> missing_parts_notice(["step “cat”", "size “huge”"])
    'The link asks for step “cat” and size “huge”, which do not exist: the page is shown as usual.'
    """
    if not unknown:
        return ""
    verb = "do" if len(unknown) > 1 else "does"
    return (
        f"The link asks for {' and '.join(unknown)}, which {verb} not exist: the page is shown as "
        "usual."
    )
