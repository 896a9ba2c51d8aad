"""Exports of the result: copied, downloaded or printed."""

from collections.abc import Callable

from pyscript import window

from app.browser.commands import command
from app.browser.dom import download_text, element, listen, root
from app.browser.notices import Notices
from app.score.exports import EXPORT_FORMATS
from app.state.snapshot import PageSnapshot


class ExportController:
    """The commands that export the result.

    - `get_snapshot`: returns the result, or shows a notice and returns None if there is no score.
    - `is_valid`: returns whether the form has no error, and shows a notice if it has one.
    """

    def __init__(
        self,
        notices: Notices,
        get_snapshot: Callable[[], PageSnapshot | None],
        is_valid: Callable[[], bool],
    ) -> None:
        self.notices = notices
        self.get_snapshot = get_snapshot
        self.is_valid = is_valid
        listen("afterprint", window, lambda _: root.removeAttribute("data-handout"))

    @command("copy")
    def copy_line(self, _: str) -> None:
        """Copy the result as one line."""
        if snapshot := self.get_snapshot():
            self.notices.copy("Result copied", snapshot.view.line)

    @command("copy-form")
    def copy_export(self, _: str) -> None:
        """Copy the derivation in the chosen format."""
        export_format = EXPORT_FORMATS[element("form").value]
        if snapshot := self.get_snapshot():
            self.notices.copy(f"Copied: {export_format.label}", export_format.render(snapshot))

    @command("download")
    def download(self, _: str) -> None:
        """Download the derivation in the chosen format."""
        self.download_as(element("form").value)

    @command("share-file")
    def download_page(self, _: str) -> None:
        """Download the derivation as a web page, if it is too long for a link."""
        self.download_as("html")

    def download_as(self, name: str) -> None:
        """Download the derivation in a format."""
        export_format = EXPORT_FORMATS[name]
        if snapshot := self.get_snapshot():
            download_text(
                export_format.render(snapshot),
                f"bleu.{export_format.extension}",
                export_format.media_type,
            )

    @command("print")
    def print_handout(self, _: str) -> None:
        """Print the result, texts, figures and steps, whatever view is open."""
        if self.is_valid():
            root.dataset.handout = "yes"
            window.print()
