"""Where memory runs out: one sentence says so, and no text is lost."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final, TypeVarTuple

from bleu.core.remembering import forget

Given = TypeVarTuple("Given")

WORDS: Final = (
    "The browser has no memory left for texts as long as these: they stand untouched in their "
    "boxes, and shorter ones can be scored."
)
BROWSERS: Final = {"RangeError", "InternalError"}
"""What the errors are called that browsers raise where they have no room for a text."""


def out_of_memory(error: Exception) -> bool:
    """Whether it says that Python, or the browser, has no room for a text."""
    return isinstance(error, MemoryError) or getattr(error, "name", "") in BROWSERS


def sparing(say: Callable[[str], object]) -> Callable[[Callable[[*Given], Any]], Any]:
    """Where memory runs out in a function, make room, and say so in place of what it returns."""

    def decorate(work: Callable[[*Given], Any]) -> Callable[[*Given], Any]:
        @wraps(work)
        def run(*given: *Given) -> Any:
            try:
                return work(*given)
            except Exception as error:
                if not out_of_memory(error):
                    raise
            # only now is all gone that filled the memory: the error held it
            forget()
            return say(WORDS)

        return run

    return decorate
