"""The derivation on the page: changed steps are replaced, and one step can be shown alone."""

from collections.abc import Callable

from pyscript import document

from app.browser.commands import command
from app.browser.dom import element
from app.browser.dom_patch import patch
from app.state.snapshot import PageMarkup
from app.steps.presentation_controller import connect_presentation
from bleu.render.html import step_id


class StepsController:
    """The steps that are shown, as HTML by anchor, and their presentation.

    - `has_score`: returns whether there is a score, and shows a notice if there is none.
    - `mark_order`: marks the matches of an order.
    """

    def __init__(self, has_score: Callable[[], bool], mark_order: Callable[[str], object]) -> None:
        self.has_score = has_score
        self.mark_order = mark_order
        self.steps: dict[str, str] = {}
        self.presentation = connect_presentation(lambda: list(self.steps), self.on_step_shown)

    def show(self, view: PageMarkup, previous: PageMarkup | None) -> None:
        """Replace the steps that differ from those of `previous`."""
        old = dict(previous.steps) if previous else {}
        self.steps = dict(view.steps)
        if old:
            self.replace_changed(old, view.contents)
        else:
            element("derivation").innerHTML = view.contents + "".join(self.steps.values())
        self.presentation.refresh()

    def replace_changed(self, old: dict[str, str], contents: str) -> None:
        """Remove, insert and patch the steps that differ from the old ones."""
        if list(self.steps) != list(old):
            document.querySelector("#derivation nav").outerHTML = contents
        for anchor in old.keys() - self.steps.keys():
            element(step_id(anchor)).remove()
        previous = document.querySelector("#derivation nav")
        for anchor, markup in self.steps.items():
            if anchor not in old:
                previous.insertAdjacentHTML("afterend", markup)
            elif old[anchor] != markup:
                patch(element(step_id(anchor)), old[anchor], markup)
            previous = element(step_id(anchor))

    def on_step_shown(self, anchor: str) -> None:
        """Mark the matches of the order that a step is about, if it is about one."""
        order = anchor.removeprefix("precision-")
        if order.isdigit():
            self.mark_order(order)

    @command("walk")
    def present(self, _: str = "") -> None:
        """Show the steps one at a time, if there is a score."""
        if self.has_score():
            self.presentation.begin(self.presentation.steps)
