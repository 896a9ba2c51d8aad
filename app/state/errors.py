"""The message that the page shows for an error."""

from app.state.form import error_location
from app.state.memory import OUT_OF_MEMORY_TEXT, is_out_of_memory
from bleu.metric.errors import SettingError


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
