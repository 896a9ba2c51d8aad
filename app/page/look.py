"""How a link shows the page: the step that is shown alone, the order that is marked, the size."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl, urlencode

NAMES: Final = ("step", "orders", "size")
"""What a link may hold beside texts, settings and view."""
LARGE: Final = "large"
LONGEST: Final = 40
"""Characters of a value that are looked at."""


@dataclass(frozen=True, slots=True)
class Look:
    """The place that is shown alone, if any, the order that is marked, and whether it is large."""

    step: str = ""
    orders: str = ""
    large: bool = False


def with_look(fragment: str, look: Look) -> str:
    """A link's fragment that shows the page so; what is as it always is needs no word.

    >>> with_look("hypothesis=a&view=why", Look("precision-2", "2", True))
    'hypothesis=a&view=why&step=precision-2&orders=2&size=large'
    >>> with_look("", Look())
    ''
    """
    size = LARGE if look.large else ""
    pairs = [pair for pair in zip(NAMES, (look.step, look.orders, size), strict=True) if pair[1]]
    return "&".join(part for part in (fragment, urlencode(pairs)) if part)


def has_look(fragment: str) -> bool:
    """Whether a link asks for anything of this.

    >>> has_look("#view=why&size=large"), has_look("#view=why")
    (True, False)
    """
    return any(f"{name}=" in fragment for name in NAMES)


def look_of(fragment: str) -> tuple[Look, tuple[str, ...]]:
    """What a link asks for, and in words the size that there is not.

    Whether there is such a step, and such an order, is for `known` to say: that takes the page.

    >>> look_of("#step=tokens&size=huge")
    (Look(step='tokens', orders='', large=False), ('size “huge”',))
    >>> look_of("#step=" + "x" * 99)[0].step == "x" * LONGEST
    True
    """
    try:
        found = dict(parse_qsl(fragment.removeprefix("#"), errors="replace"))
    except ValueError:
        found = {}
    step, orders, size = (found.get(name, "")[:LONGEST] for name in NAMES)
    odd = (f"size “{size}”",) if size not in {"", LARGE} else ()
    return Look(step, orders, size == LARGE), odd


def known(asked: str, what: str, names: Collection[str]) -> tuple[str, tuple[str, ...]]:
    """What is asked for, if there is such a thing; and else in words that there is not.

    >>> known("tokens", "step", ["tokens"]), known("cat", "step", ["tokens"])
    (('tokens', ()), ('', ('step “cat”',)))
    """
    if not asked or asked in names:
        return asked, ()
    return "", (f"{what} “{asked}”",)


def not_there(odd: Collection[str]) -> str:
    """What there is to say of it, if anything.

    >>> not_there(["step “cat”"])
    'The link asks for step “cat”, which does not exist: the page is shown as usual.'
    >>> not_there(["step “cat”", "size “huge”"])
    'The link asks for step “cat” and size “huge”, which do not exist: the page is shown as usual.'
    """
    if not odd:
        return ""
    do = "do" if len(odd) > 1 else "does"
    asked = " and ".join(odd)
    return f"The link asks for {asked}, which {do} not exist: the page is shown as usual."
