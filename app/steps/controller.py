"""The derivation on the page: changed steps are replaced, and one step can be shown alone."""

from collections.abc import Sequence
from typing import Any

from pyscript import document

from app.browser.dom import element
from app.browser.dom_patch import patch
from app.browser.page import PageCalls, command
from app.state.form import PageMarkup, PageSnapshot, StepsMarkup
from app.steps.code_html import StepCode
from app.steps.presentation_controller import Presentation
from bleu.render.html import step_id

LOSS = "loss"
"""The anchor of the last slide, which shows only the figure of the score's step."""
CROSS_CHECK = "cross-check"
"""The step that is shown on the slide of the score."""


def open_code() -> list[str]:
    """Return the anchors of the steps whose code is shown."""
    return [fold.dataset.code for fold in document.querySelectorAll("#derivation .code[open]")]


class StepsController:
    """The steps on the page as HTML, by anchor; they are also the slides of a presentation.

    `drawn` is the markup whose steps are on the page. Out of sight, those of a new `snapshot` are
    drawn after the score.
    """

    def __init__(self, page: PageCalls) -> None:
        self.page = page
        self.snapshot: PageSnapshot | None = None
        self.drawn: PageMarkup | None = None
        self.code: StepCode | None = None
        self.presentation = Presentation(self)

    @property
    def steps(self) -> dict[str, str]:
        """The markup of each step of the result, by anchor."""
        return self.snapshot.view.steps.by_anchor if self.snapshot else {}

    def update(self, snapshot: PageSnapshot, previous: PageMarkup | None) -> None:
        """Take a new result; `previous` is the one on the page, at first that of the build."""
        if self.snapshot is None:
            self.drawn = previous
        self.snapshot, self.code = snapshot, None
        if self.drawn is snapshot.view:
            self.fill_open_code(open_code())  # The build has drawn the steps.
        elif not element("why").hidden or self.presentation.anchor:
            self.draw()

    def draw(self) -> None:
        """Replace the steps that differ from those on the page; open code stays open."""
        if self.snapshot is None or self.snapshot.view is self.drawn:
            return
        open_anchors = open_code()
        old, new = self.drawn.steps if self.drawn else None, self.snapshot.view.steps
        self.drawn = self.snapshot.view
        if old and old.by_anchor:
            self.replace_changed(old, new)
        else:
            markup = "".join([new.contents, *new.by_anchor.values()])
            element("derivation").innerHTML = markup
        self.fill_open_code([anchor for anchor in open_anchors if anchor in new.by_anchor])
        self.presentation.refresh()

    def fill_open_code(self, anchors: Sequence[str]) -> None:
        """Fill the folds of these steps with their code, and open them."""
        for anchor in anchors:
            self.fill_code(anchor).open = True

    @command("code")
    def fill_code(self, anchor: str) -> Any:
        """Fill the fold with a step's code, which the browser opens, and return the fold."""
        self.draw()
        if self.snapshot and self.code is None:
            self.code = StepCode(self.snapshot)
        fold = document.querySelector(f'#derivation [data-code="{anchor}"]')
        fold.lastElementChild.innerHTML = self.code.html(anchor) if self.code else ""
        return fold

    def replace_changed(self, old: StepsMarkup, new: StepsMarkup) -> None:
        """Remove, insert and patch the steps that differ from the old ones."""
        old_steps, steps = old.by_anchor, new.by_anchor
        if list(steps) != list(old_steps):
            document.querySelector("#derivation nav").outerHTML = new.contents
        for anchor in old_steps.keys() - steps.keys():
            element(step_id(anchor)).remove()
        previous_node = document.querySelector("#derivation nav")
        for anchor, markup in steps.items():
            if anchor not in old_steps:
                previous_node.insertAdjacentHTML("afterend", markup)
            elif old_steps[anchor] != markup:
                patch(element(step_id(anchor)), old_steps[anchor], markup)
            previous_node = element(step_id(anchor))

    # The presentation

    @command("walk")
    def present(self, _: str = "") -> None:
        """Show the steps one at a time, if there is a score."""
        if self.page.has_score():
            self.presentation.begin(self)

    def anchors(self) -> list[str]:
        """Return the anchors of all slides, in order: the steps, and where the score is lost."""
        self.draw()
        anchors = [anchor for anchor in self.steps if anchor != CROSS_CHECK]
        return [*anchors, LOSS] if anchors else []

    def show(self, anchor: str) -> str:
        """Show only this step, mark its order, hide the factors of later ones; return `anchor`.

        The score stays hidden until its step, for an audience to predict it.
        """
        order, anchors = anchor.removeprefix("precision-"), self.anchors()
        if order.isdigit():
            self.page.show_running_text(order)
        parts = {"score": {anchor, CROSS_CHECK}, LOSS: {"score"}}.get(anchor, {anchor})
        for node in document.querySelectorAll("#derivation [data-step]"):
            node.toggleAttribute("data-off-slide", node.dataset.step not in parts)
        for node in document.querySelectorAll(".product .factor"):
            step = "smoothing" if node.querySelector(".added") else node.dataset.factor
            is_later = anchors.index(step) > anchors.index(anchor)
            node.toggleAttribute("data-off-slide", is_later)
            node.inert = True
            node.toggleAttribute("data-on-slide", anchor in {step, node.dataset.factor})
        return anchor

    def title(self, anchor: str) -> str:
        """Return the number and the title of a slide."""
        anchors = self.anchors()
        steps = self.snapshot.explained.document.steps if self.snapshot else ()
        titles = {step.anchor: step.title for step in steps} | {LOSS: "Where the score is lost"}
        return f"Step {anchors.index(anchor) + 1} of {len(anchors)}: {titles[anchor]}"

    def leave(self) -> None:
        """Show all steps and factors again."""
        for node in document.querySelectorAll("[data-off-slide], [data-on-slide]"):
            node.removeAttribute("data-off-slide")
            node.removeAttribute("data-on-slide")
            node.inert = False
        self.page.show_running_text("")
        element("walk").focus()
