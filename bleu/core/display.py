"""A mixin that displays results in one line and in notebooks."""

from collections.abc import Callable
from typing import Literal

DisplayFormat = Literal["html", "markdown", "latex"]
DisplayHook = Callable[[object, DisplayFormat], str]

_hooks: list[DisplayHook] = []
"""The hook that renders results, once it is set."""


def set_display_hook(hook: DisplayHook) -> None:
    """Set the function that renders results for notebooks; this package has no renderers."""
    _hooks[:] = [hook]


class DisplayMixin:
    """A result with a one-line `str` and `repr`, and rich display in notebooks."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Return the class name and the `str` in angle brackets."""
        return f"<{type(self).__name__}: {self}>"

    def _repr_html_(self) -> str:
        return _hooks[0](self, "html")

    def _repr_markdown_(self) -> str:
        return _hooks[0](self, "markdown")

    def _repr_latex_(self) -> str:
        return _hooks[0](self, "latex")
