"""The notice at the edge of the page, spoken announcements, and copies to the clipboard."""

from pyscript import window

from app.browser.dom import element, show_prose
from app.browser.scheduling import DebouncedCall
from bleu.render.html import user_text

NOTICE_MS = 6000
"""Milliseconds for which a notice is shown."""
SPEECH_MS = 1200
"""Milliseconds from a keystroke to the announcement of its effect by a screen reader."""


def announce(text: str) -> None:
    """Announce a text to screen readers, even if it is the same as the last one."""
    line = element("spoken")
    is_repeated = line.getAttribute("data-message") == text
    line.setAttribute("data-message", f"{text}\u00a0" if is_repeated else text)
    show_prose(line, f"{text}\u00a0" if is_repeated else text)


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
