"""The dialog that shares a result: its card as a picture, and a link."""

from base64 import b64encode
from typing import Any

from pyodide.ffi import create_once_callable
from pyscript import document

from app.browser.commands import command
from app.browser.dom import download_text, element, listen
from app.score.card import share_card
from app.score.controller import ScoreController
from bleu.render import card

MEASURED_SIZE = 100
"""The size of the letters whose width is measured."""


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
        if snapshot and snapshot.document.product:
            content = share_card(snapshot, snapshot.document.product)
            self.picture = card.render(content, TextMeasure())
            image = element("card")
            image.src = self.data_url()
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

    def data_url(self) -> str:
        """Return the picture as a URL of its data, since a sealed page loads nothing else."""
        encoded = b64encode(self.picture.encode("utf-8", "replace")).decode()
        return f"data:image/svg+xml;base64,{encoded}"


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
