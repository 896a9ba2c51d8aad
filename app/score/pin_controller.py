"""A pinned result, compared with the current one."""

from app.browser.commands import command
from app.browser.dom import element
from app.browser.notices import announce
from app.score.controller import ScoreController
from app.score.html import PIN_HINT, pinned_spoken, pinned_text
from app.state.form import PageSnapshot
from bleu.core.api import Derivation
from bleu.explanation.edits import changes_table
from bleu.render import html
from bleu.render.numbers import score_text


class PinController:
    """The pinned result, if there is one."""

    def __init__(self, score: ScoreController) -> None:
        self.score = score
        self.pinned: Derivation | None = None

    @command("keep")
    def pin(self, _: str = "") -> None:
        """Pin the current result, if there is a score."""
        if snapshot := self.score.scored_snapshot():
            self.pinned = snapshot.derivation
            element("before-after").hidden = False
            self.show(snapshot)
            announce(f"Pinned: {score_text(self.pinned.score.value)}. {PIN_HINT}")

    @command("forget")
    def unpin(self, _: str) -> None:
        """Remove the pinned result."""
        self.pinned, self.score.pinned_spoken = None, ""
        element("before-after").hidden = True
        element("keep").focus()

    def show(self, snapshot: PageSnapshot) -> None:
        """Show how a result differs from the pinned one, if there is one."""
        if self.pinned is None:
            return
        current = None if snapshot.todo else snapshot.derivation
        element("pinned").innerHTML = pinned_text(self.pinned, current)
        element("moved").hidden = current in (None, self.pinned)
        self.score.pinned_spoken = pinned_spoken(self.pinned, current) if current else ""
        if current:
            table = html.table(changes_table(self.pinned, current))
            element("before-after-body").innerHTML = table
