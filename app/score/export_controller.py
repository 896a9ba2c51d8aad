"""Exports of the result: copied, downloaded or printed."""

from pyscript import window

from app.browser.commands import command
from app.browser.dom import download_text, element, listen, root
from app.score.controller import ScoreController
from bleu.formats import SCORE_FORMATS


class ExportController:
    """The commands that export the result."""

    def __init__(self, score: ScoreController) -> None:
        self.score = score
        listen("afterprint", window, lambda _: root.removeAttribute("data-handout"))

    @command("copy")
    def copy_line(self, _: str) -> None:
        """Copy the result as one line."""
        if snapshot := self.score.scored_snapshot():
            self.score.notices.copy("Result copied", snapshot.view.line)

    @command("copy-form")
    def copy_export(self, _: str) -> None:
        """Copy the derivation in the chosen format."""
        export_format = SCORE_FORMATS[element("form").value]
        if snapshot := self.score.scored_snapshot():
            text = export_format.render(snapshot.explained)
            self.score.notices.copy(f"Copied: {export_format.label}", text)

    @command("download")
    def download(self, name: str) -> None:
        """Download the derivation in the named format, or else in the chosen one."""
        export_format = SCORE_FORMATS[name or element("form").value]
        if snapshot := self.score.scored_snapshot():
            name = f"bleu.{export_format.extension}"
            download_text(export_format.render(snapshot.explained), name, export_format.media_type)

    @command("print")
    def print_handout(self, _: str) -> None:
        """Print the result, texts, figures and steps, whatever view is open."""
        if self.score.is_valid():
            root.dataset.handout = "yes"
            window.print()
