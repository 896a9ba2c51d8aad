"""How results and values are displayed: in one line, in notebooks, and in error messages."""

from collections.abc import Callable, Sequence
from typing import ClassVar, Literal


def short_repr(value: object, length: int = 60) -> str:
    """Return the repr of a value, cut to `length` characters, or its type if repr fails.

    >>> short_repr("a" * 20, 10), short_repr(10**5000)
    ("'aaaaaaaa…", 'a value of type int with too many digits')
    """
    try:
        text = repr(value)
    except ValueError:  # Python prints no integer of more than 4,300 digits.
        return f"a value of type {type(value).__name__} with too many digits"
    return text if len(text) <= length else f"{text[: length - 1]}…"


def english_list(items: Sequence[str]) -> str:
    """Join items with commas and a final “and”; return "" if there are none.

    >>> english_list(["3", "4"]), english_list(["2", "3", "4"])
    ('3 and 4', '2, 3 and 4')
    """
    *others, last = items or ("",)
    return f"{', '.join(others)} and {last}" if others else last


DisplayFormat = Literal["html", "markdown", "latex"]


class DisplayMixin:
    """A result with a one-line `str` and `repr`, and rich display in notebooks."""

    __slots__ = ()
    _display: ClassVar[Callable[[object, DisplayFormat], str]]
    """The function that renders results, set by `bleu` because this package has no renderers."""

    def __repr__(self) -> str:
        """Return the class name and the `str` in angle brackets."""
        return f"<{type(self).__name__}: {self}>"

    def _repr_html_(self) -> str:
        return type(self)._display(self, "html")

    def _repr_markdown_(self) -> str:
        return type(self)._display(self, "markdown")

    def _repr_latex_(self) -> str:
        return type(self)._display(self, "latex")
