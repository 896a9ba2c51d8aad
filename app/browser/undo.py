"""Undo and redo: their keys, and their buttons."""

from typing import Any

from app.browser.dom import element, set_hidden
from app.state.history import History


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
