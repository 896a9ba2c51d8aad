"""What shows itself: in one line, and in a notebook in each form that it asks for."""

from collections.abc import Callable
from typing import Literal

DisplayFormat = Literal["html", "markdown", "latex"]
DisplayHook = Callable[[object, DisplayFormat], str]

_hooks: list[DisplayHook] = []
"""What makes the forms, once it is known."""


def set_display_hook(display: DisplayHook) -> None:
    """Choose what makes the forms: rooms above this one, of which it knows nothing."""
    _hooks[:] = [display]


class DisplayMixin:
    """A result with `str` in one line, a `repr` that is as short, and forms for notebooks."""

    __slots__ = ()

    def __repr__(self) -> str:
        """The kind of result, and its line."""
        return f"<{type(self).__name__}: {self}>"

    def _repr_html_(self) -> str:
        return _hooks[0](self, "html")

    def _repr_markdown_(self) -> str:
        return _hooks[0](self, "markdown")

    def _repr_latex_(self) -> str:
        return _hooks[0](self, "latex")
