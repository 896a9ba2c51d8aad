"""Exports of the result: copied, downloaded, printed, or shared as a card."""

from base64 import b64encode
from typing import Any

from pyodide.ffi import create_once_callable
from pyscript import document, window

from app.browser.dom import download_text, element, listen, root
from app.browser.page import command
from app.score.controller import ScoreController
from app.score.lanes import share_card
from bleu.formats import SCORE_FORMATS
from bleu.render import card

MEASURED_SIZE = 100
"""The size of the letters whose width is measured."""


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


class CardController:
    """The dialog opened by *Share*; nothing that it makes leaves the device."""

    def __init__(self, score: ScoreController) -> None:
        self.score = score
        self.picture = ""
        listen("keydown", "#sharing", self.on_key)

    @command("card")
    def open(self, _: str) -> None:
        """Draw the card and open the dialog, or close it if it is open."""
        if not element("sharing").hidden:
            self.close()
            return
        snapshot = self.score.scored_snapshot()
        if snapshot and snapshot.outline.product:
            content = share_card(snapshot, snapshot.outline.product)
            self.picture = card.render(content, TextMeasure())
            image = element("card")
            encoded = b64encode(self.picture.encode("utf-8", "replace")).decode()
            image.src = f"data:image/svg+xml;base64,{encoded}"  # A sealed page loads nothing else.
            image.alt = f"{content.name} {content.value}. {content.sentence}"
            element("sharing").hidden = False
            element("sharing").focus()

    @command("close-card")
    def close(self, _: str = "") -> None:
        """Close the dialog, and return to the button that opened it."""
        self.hide()
        element("share").focus()

    def hide(self) -> None:
        """Hide the dialog, because another result or another part is used."""
        element("sharing").hidden = True

    def on_click(self, target: Any) -> None:
        """Hide the dialog after a click outside."""
        if not target.closest("#sharing, #share"):
            self.hide()

    def on_key(self, event: Any) -> None:
        """Close the dialog at Escape."""
        if event.key == "Escape" and not element("sharing").hidden:
            self.close()

    @command("save-card")
    def save(self, extension: str) -> None:
        """Save the card as a file, SVG or PNG."""
        if extension == "svg":
            download_text(self.picture, "bleu.svg", "image/svg+xml")
            return
        canvas = document.createElement("canvas")
        canvas.width, canvas.height = 2 * card.WIDTH, 2 * card.HEIGHT
        canvas.getContext("2d").drawImage(element("card"), 0, 0, canvas.width, canvas.height)
        canvas.toBlob(create_once_callable(lambda blob: download_text(blob, "bleu.png", blob.type)))


class TextMeasure:
    """The widths of texts in the fonts of this device."""

    def __init__(self) -> None:
        self.context: Any = document.createElement("canvas").getContext("2d")
        self.widths: dict[tuple[str, str], float] = {}

    def __call__(self, text: str, family: str) -> float:
        """Return the width of a text in letters of size 1 of a family."""
        if (text, family) not in self.widths:
            self.context.font = f"{MEASURED_SIZE}px {card.FAMILIES[family]}"
            self.widths[text, family] = self.context.measureText(text).width / MEASURED_SIZE
        return self.widths[text, family]
