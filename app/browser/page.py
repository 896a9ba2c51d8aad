"""The page as its controllers see it: commands, undo buttons, notices, and calls to other views."""

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from pyscript import window

from app.browser.dom import element, set_hidden, show_prose
from app.browser.model_box import ModelBox
from app.browser.scheduling import DebouncedCall
from app.state.form import MemoryGuard, PageMarkup, PageSnapshot
from app.state.inputs import History, Inputs
from bleu.render.html import user_text

NOTICE_MS = 6000
"""Milliseconds for which a notice is shown."""
SPEECH_MS = 1200
"""Milliseconds from a keystroke to the announcement of its effect by a screen reader."""
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


def announce(text: str) -> None:
    """Announce a text to screen readers, even if it is the same as the last one."""
    line = element("spoken")
    if line.getAttribute("data-message") == text:
        text = f"{text}\u00a0"
    line.setAttribute("data-message", text)
    show_prose(line, text)


class Notices:
    """The line for short notices at the edge of the page."""

    def __init__(self) -> None:
        self.line = element("notice")
        self.timer = DebouncedCall(self.clear)

    def show(self, text: str) -> None:
        """Show a notice for a few seconds."""
        self.show_lasting(text)
        self.timer.schedule(NOTICE_MS)

    def show_lasting(self, text: str, markup: str = "") -> None:
        """Show a notice, followed by markup, until the next one or until it is cleared."""
        self.timer.cancel()
        show_prose(self.line, text)
        self.line.insertAdjacentHTML("beforeend", markup)

    def clear(self) -> None:
        """Remove the notice."""
        self.show_lasting("")

    def copy(self, notice: str, text: str) -> None:
        """Copy a text and show a notice; if that fails, show the text instead."""
        self.line.dataset.text = text

        def on_copied(_: object) -> None:
            self.show(notice)

        def on_refused(_: object) -> None:
            self.show_lasting("Copy this: ", user_text(text))

        clipboard = getattr(window.navigator, "clipboard", None)
        if clipboard:
            clipboard.writeText(text).then(on_copied, on_refused)
        else:
            on_refused(None)


class PageCalls(Protocol):
    """The page, as the controllers of its views see it."""

    guard: MemoryGuard
    notices: Notices
    models: ModelBox

    def show_snapshot(self, snapshot: PageSnapshot, previous: PageMarkup | None) -> None:
        """Show a new result in the other views, with the markup that it replaces, if known."""

    def show_panels(self) -> None:
        """Fill the parts that take long, once typing pauses after a new result."""

    def has_score(self) -> bool:
        """Return whether the form has a score, and show the reason if not."""

    def open_form(self, inputs: Inputs, label: str, focus: str = "convention") -> None:
        """Show other inputs in the Score view; `label` is the change's name for *Undo*."""

    def overwrite_form(self, inputs: Inputs, label: str) -> None:
        """Change the form without showing it; `label` is the change's name for *Undo*."""

    def open_segment(self, segment: Inputs) -> None:
        """Open a segment of the files, with its settings, in the form."""

    def try_edit(self, text: str) -> None:
        """Pin the result, and put an edited candidate into the form."""

    def on_file_texts_changed(self) -> None:
        """Say if the texts have changed since a search for the BLEU variant of a number."""

    def show_ngram_sentence(self, key: str) -> bool:
        """Describe an n-gram of the open segment; return whether the key belongs to a segment."""

    def show_running_text(self, order: str) -> None:
        """Mark an order in the running text of a presentation."""

    def get_learn(self) -> Any:
        """Return the Learn view, which is imported when it is first needed."""

    def present_learn(self, item: str) -> None:
        """Begin the presentation of the Learn view with an item."""

    def leave_presentation(self) -> None:
        """End the presentation."""

    def on_item_shown(self, anchor: str) -> None:
        """Update the presentation after the content of an item has changed."""
