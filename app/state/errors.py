"""The message that the page shows for an error, and what happens when memory runs out."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final, TypeAlias

from app.state.form import error_location
from bleu.core.memoize import clear_memoized
from bleu.metric.errors import SettingError

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


def error_text(error: Exception, memory_text: str = OUT_OF_MEMORY_TEXT) -> str:
    """Return the message of an error for the page; `memory_text` is used if memory ran out.

    >>> error_text(ValueError("the order is 0; choose 1 to 9"))
    'the order is 0; choose 1 to 9'
    """
    if is_out_of_memory(error):
        return memory_text
    if isinstance(error, SettingError):
        return error_location(error)[1]
    if isinstance(error, TypeError | ValueError):
        return str(error)
    return f"The page itself failed, and your input is untouched: {error!r}"
