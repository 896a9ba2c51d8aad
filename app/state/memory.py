"""Out-of-memory handling: clearing the caches, and showing a message."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final, TypeAlias

from bleu.core.memoize import clear_memoized

MemoryGuard: TypeAlias = Callable[[Callable[..., Any]], Callable[..., Any]]
"""The type of the decorator that `guard_memory` returns."""

OUT_OF_MEMORY_TEXT: Final = (
    "The browser has no memory left for texts this long. They stay in their boxes; shorter texts "
    "can be scored."
)
BROWSER_ERROR_NAMES: Final = {"RangeError", "InternalError"}
"""The names of the errors that browsers raise if they have no memory for a text."""


def is_out_of_memory(error: Exception) -> bool:
    """Return whether an error means that Python or the browser has no memory for a text."""
    return isinstance(error, MemoryError) or getattr(error, "name", "") in BROWSER_ERROR_NAMES


def guard_memory(report: Callable[[str], object]) -> MemoryGuard:
    """Return a decorator that clears the caches and calls `report` if memory runs out."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def run(*args: Any) -> Any:
            try:
                return function(*args)
            except Exception as error:
                if not is_out_of_memory(error):
                    raise
            # Outside the except block, because the error holds references to the large objects.
            clear_memoized()
            return report(OUT_OF_MEMORY_TEXT)

        return run

    return decorate
