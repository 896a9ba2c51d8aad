"""Commands: methods that buttons name in `data-command`, and undo with its keys and buttons."""

from collections.abc import Callable
from typing import Any, TypeVar

from app.browser.dom import element, set_hidden
from app.state.inputs import History

Method = TypeVar("Method", bound=Callable[..., object])
Command = Callable[[str], object]
"""A command takes the text after the colon in `data-command="name:argument"`, or ""."""


def command(name: str) -> Callable[[Method], Method]:
    """Mark a method as the command of this name."""

    def mark(method: Method) -> Method:
        method.command_name = name  # type: ignore[attr-defined]
        return method

    return mark


def commands_of(*owners: Any, prefix: str = "") -> dict[str, Command]:
    """Return the commands of objects as bound methods; each key is `prefix` and the name."""
    return {
        f"{prefix}{method.command_name}": getattr(owner, attribute)
        for owner in owners
        for base in reversed(type(owner).__mro__)
        for attribute, method in vars(base).items()
        if hasattr(method, "command_name")
    }


def undo_key(event: Any) -> str:
    """Return "undo" for Ctrl+Z, "redo" for Ctrl+Y or Ctrl+Shift+Z, and "" for other keys."""
    key = str(getattr(event, "key", "")).lower()  # autofill sends key events without a key
    if not (event.ctrlKey or event.metaKey) or event.altKey or key not in {"z", "y"}:
        return ""
    return "redo" if event.shiftKey or key == "y" else "undo"


def show_history(history: History[Any], prefix: str = "") -> None:
    """Show the Undo and Redo buttons that apply, each labelled with its change."""
    undo, redo = element(f"{prefix}undo"), element(f"{prefix}redo")
    pairs = [(undo, redo, history.past, "Undo"), (redo, undo, history.future, "Redo")]
    if not history.past:
        pairs.reverse()  # Redo is shown before Undo is hidden, because it may receive the focus.
    for button, other, changes, name in pairs:
        set_hidden(button, not changes, other)
        if changes:
            button.title = f"{name}: {changes[-1].label}"
            button.setAttribute("aria-label", button.title)
