"""What shows itself: in one line, and in a notebook in each form that it asks for."""

from collections.abc import Callable
from typing import Literal

Form = Literal["html", "markdown", "latex"]
Display = Callable[[object, Form], str]

_display: list[Display] = []
"""What makes the forms, once it is known."""


def display_with(display: Display) -> None:
    """Choose what makes the forms: rooms above this one, of which it knows nothing."""
    _display[:] = [display]


class Displayed:
    """A result with `str` in one line, a `repr` that is as short, and forms for notebooks."""

    __slots__ = ()

    def __repr__(self) -> str:
        """The kind of result, and its line."""
        return f"<{type(self).__name__}: {self}>"

    def _repr_html_(self) -> str:
        return _display[0](self, "html")

    def _repr_markdown_(self) -> str:
        return _display[0](self, "markdown")

    def _repr_latex_(self) -> str:
        return _display[0](self, "latex")
