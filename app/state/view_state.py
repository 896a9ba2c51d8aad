"""How a link shows the page: the step that is shown alone, the order that is marked, the size."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl, urlencode

PARAMETERS: Final = ("step", "orders", "size")
"""What a link may hold beside texts, settings and view."""
LARGE: Final = "large"
LONGEST: Final = 40
"""Characters of a value that are looked at."""


@dataclass(frozen=True, slots=True)
class ViewState:
    """The place that is shown alone, if any, the order that is marked, and whether it is large."""

    step: str = ""
    marked_order: str = ""
    large: bool = False


def add_view_state(fragment: str, look: ViewState) -> str:
    """A link's fragment that shows the page so; what is as it always is needs no word.

    >>> add_view_state("hypothesis=a&view=why", ViewState("precision-2", "2", True))
    'hypothesis=a&view=why&step=precision-2&orders=2&size=large'
    >>> add_view_state("", ViewState())
    ''
    """
    size = LARGE if look.large else ""
    pairs = [
        pair
        for pair in zip(PARAMETERS, (look.step, look.marked_order, size), strict=True)
        if pair[1]
    ]
    return "&".join(part for part in (fragment, urlencode(pairs)) if part)


def has_view_state(fragment: str) -> bool:
    """Whether a link asks for anything of this.

    >>> has_view_state("#view=why&size=large"), has_view_state("#view=why")
    (True, False)
    """
    return any(f"{name}=" in fragment for name in PARAMETERS)


def parse_view_state(fragment: str) -> tuple[ViewState, tuple[str, ...]]:
    """What a link asks for, and in words the size that there is not.

    Whether there is such a step, and such an order, is for `existing_or_note` to say: that takes the page.

    >>> parse_view_state("#step=tokens&size=huge")
    (ViewState(step='tokens', marked_order='', large=False), ('size “huge”',))
    >>> parse_view_state("#step=" + "x" * 99)[0].step == "x" * LONGEST
    True
    """
    try:
        found = dict(parse_qsl(fragment.removeprefix("#"), errors="replace"))
    except ValueError:
        found = {}
    step, orders, size = (found.get(name, "")[:LONGEST] for name in PARAMETERS)
    odd = (f"size “{size}”",) if size not in {"", LARGE} else ()
    return ViewState(step, orders, size == LARGE), odd


def existing_or_note(asked: str, what: str, names: Collection[str]) -> tuple[str, tuple[str, ...]]:
    """What is asked for, if there is such a thing; and else in words that there is not.

    >>> existing_or_note("tokens", "step", ["tokens"]), existing_or_note("cat", "step", ["tokens"])
    (('tokens', ()), ('', ('step “cat”',)))
    """
    if not asked or asked in names:
        return asked, ()
    return "", (f"{what} “{asked}”",)


def missing_parts_notice(odd: Collection[str]) -> str:
    """What there is to say of it, if anything.

    >>> missing_parts_notice(["step “cat”"])
    'The link asks for step “cat”, which does not exist: the page is shown as usual.'
    >>> missing_parts_notice(["step “cat”", "size “huge”"])
    'The link asks for step “cat” and size “huge”, which do not exist: the page is shown as usual.'
    """
    if not odd:
        return ""
    do = "do" if len(odd) > 1 else "does"
    asked = " and ".join(odd)
    return f"The link asks for {asked}, which {do} not exist: the page is shown as usual."
