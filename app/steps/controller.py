"""The derivation on the page: changed steps are replaced, and one step can be shown alone."""

from collections.abc import Callable
from typing import Any

from pyscript import document

from app.browser.commands import command
from app.browser.dom import element
from app.browser.dom_patch import patch
from app.state.form import PageMarkup, PageSnapshot
from app.steps.code_html import StepCode
from app.steps.presentation_controller import Presentation
from bleu.render.html import step_id

FIGURE_IDS = {
    "smoothing": "precisions-figure",
    "brevity-penalty": "brevity-figure",
    "cross-check": "contributions-figure",
}
"""The id of the figure on a step's slide, by anchor; each precision has `precisions-figure`."""
SLIDE_PARTS = "#derivation [data-step], #figures-body figure, #matches, #score"
"""The parts of the page that a slide shows or hides."""

OPEN_CODE = "#derivation .code[open]"
"""The folds that show code."""


class StepsController:
    """The steps on the page as HTML, by anchor; they are also the slides of a presentation.

    - `has_score`: returns whether there is a score, and shows a notice if there is none.
    - `mark_order`: marks the matches of an order in the running text.
    """

    def __init__(self, has_score: Callable[[], bool], mark_order: Callable[[str], object]) -> None:
        self.has_score = has_score
        self.mark_order = mark_order
        self.steps: dict[str, str] = {}
        self.titles: dict[str, str] = {}
        self.snapshot: PageSnapshot | None = None
        self.code: StepCode | None = None
        self.presentation = Presentation(self)

    def update(self, snapshot: PageSnapshot, previous: PageMarkup | None) -> None:
        """Replace the steps that differ from those of `previous`; open code stays open."""
        self.snapshot, view = snapshot, snapshot.view
        self.titles = {step.anchor: step.title for step in snapshot.document.steps}
        self.code = None
        open_anchors = [fold.dataset.code for fold in document.querySelectorAll(OPEN_CODE)]
        old_steps = dict(previous.steps) if previous else {}
        self.steps = dict(view.steps)
        if old_steps:
            self.replace_changed(old_steps, view.contents)
        else:
            element("derivation").innerHTML = view.contents + "".join(self.steps.values())
        for anchor in open_anchors:
            if anchor in self.steps:
                self.fill_code(anchor).open = True
        self.presentation.refresh()

    @command("code")
    def fill_code(self, anchor: str) -> Any:
        """Fill the fold with a step's code, which the browser opens, and return the fold."""
        if self.snapshot and self.code is None:
            self.code = StepCode(self.snapshot)
        fold = document.querySelector(f'#derivation [data-code="{anchor}"]')
        fold.lastElementChild.innerHTML = self.code.html(anchor) if self.code else ""
        return fold

    def replace_changed(self, old_steps: dict[str, str], contents: str) -> None:
        """Remove, insert and patch the steps that differ from the old ones."""
        if list(self.steps) != list(old_steps):
            document.querySelector("#derivation nav").outerHTML = contents
        for anchor in old_steps.keys() - self.steps.keys():
            element(step_id(anchor)).remove()
        previous_node = document.querySelector("#derivation nav")
        for anchor, markup in self.steps.items():
            if anchor not in old_steps:
                previous_node.insertAdjacentHTML("afterend", markup)
            elif old_steps[anchor] != markup:
                patch(element(step_id(anchor)), old_steps[anchor], markup)
            previous_node = element(step_id(anchor))

    # The presentation

    @command("walk")
    def present(self, _: str = "") -> None:
        """Show the steps one at a time, if there is a score."""
        if self.has_score():
            self.presentation.begin(self)

    def anchors(self) -> list[str]:
        """Return the anchors of all steps, in order."""
        return list(self.steps)

    def show(self, anchor: str) -> str:
        """Show only this step and its figure; mark its order, and hide higher orders in the figure.

        Returns `anchor`. The score stays hidden until its step, for an audience to predict it.
        """
        visible_ids = {step_id(anchor), FIGURE_IDS.get(anchor)}
        order = anchor.removeprefix("precision-")
        if order.isdigit():
            self.mark_order(order)
            visible_ids |= {"precisions-figure", "matches"}
        if anchor in {"score", "cross-check"}:
            visible_ids.add("score")
        for node in document.querySelectorAll(SLIDE_PARTS):
            node.toggleAttribute("data-off-slide", node.id not in visible_ids)
        for index, column in enumerate(document.querySelectorAll("#precisions-figure .column")):
            column.toggleAttribute("data-off-slide", order.isdigit() and index >= int(order))
        return anchor

    def title(self, anchor: str) -> str:
        """Return the number and the title of a step."""
        anchors = self.anchors()
        return f"Step {anchors.index(anchor) + 1} of {len(anchors)}: {self.titles[anchor]}"

    def leave(self) -> None:
        """Show all steps and figures again."""
        for node in document.querySelectorAll("[data-off-slide]"):
            node.removeAttribute("data-off-slide")
        element("walk").focus()
