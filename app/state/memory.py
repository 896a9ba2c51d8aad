"""Where memory runs out: one sentence says so, and no text is lost."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final, TypeVarTuple

from bleu.core.memoize import clear_memoized

Args = TypeVarTuple("Args")

OUT_OF_MEMORY_TEXT: Final = (
    "The browser has no memory left for texts as long as these: they stand untouched in their "
    "boxes, and shorter ones can be scored."
)
BROWSER_ERROR_NAMES: Final = {"RangeError", "InternalError"}
"""What the errors are called that browsers raise where they have no room for a text."""


def is_out_of_memory(error: Exception) -> bool:
    """Whether it says that Python, or the browser, has no room for a text."""
    return isinstance(error, MemoryError) or getattr(error, "name", "") in BROWSER_ERROR_NAMES


def guard_memory(report: Callable[[str], object]) -> Callable[[Callable[[*Args], Any]], Any]:
    """Where memory runs out in a function, make room, and say so in place of what it returns."""

    def decorate(work: Callable[[*Args], Any]) -> Callable[[*Args], Any]:
        @wraps(work)
        def run(*given: *Args) -> Any:
            try:
                return work(*given)
            except Exception as error:
                if not is_out_of_memory(error):
                    raise
            # only now is all gone that filled the memory: the error held it
            clear_memoized()
            return report(OUT_OF_MEMORY_TEXT)

        return run

    return decorate
