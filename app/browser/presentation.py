"""How the page is looked at: one step at a time, large, light or dark."""

from collections.abc import Callable
from typing import Any

from pyscript import document, when, window

from app.browser.dom import element, root
from bleu.render.html import step_id

NEXT = {"ArrowRight": 1, "PageDown": 1, "ArrowLeft": -1, "PageUp": -1}
OWN_KEYS = "input, textarea, select, [data-rove] button, .table, .running"
"""What uses the arrow keys itself."""
PRESSED = "button, a, summary"
"""What Space presses or follows."""


class StepThrough:
    """The step that is shown alone, if one is."""

    def __init__(self, steps: Callable[[], list[str]], arrived: Callable[[str], None]) -> None:
        self.steps = steps
        self.arrived = arrived
        self.anchor = ""
        self.commands: dict[str, Callable[[str], object]] = {
            "walk": lambda _: self.toggle(),
            "previous": lambda _: self.by(-1),
            "next": lambda _: self.by(1),
            "large": lambda _: press(element("large"), "large", "yes", "no"),
            "theme": lambda _: press(element("theme"), "theme", "dark", "light"),
        }

    def toggle(self) -> None:
        """Begin at the first step, or show all again."""
        if self.anchor:
            self.go("")
        elif steps := self.steps():
            self.go(steps[0])
            element("next").focus()  # Space goes on, too

    def by(self, distance: int) -> None:
        """Go to the step before or after, as far as there is one."""
        steps = self.steps()
        here = steps.index(self.anchor)
        self.go(steps[min(max(here + distance, 0), len(steps) - 1)])

    def refresh(self) -> None:
        """Stay where the steps have changed; a step that is gone gives way to the first."""
        if self.anchor:
            steps = self.steps()
            self.go(self.anchor if self.anchor in steps else steps[0], scroll=False)

    def go(self, anchor: str, *, scroll: bool = True) -> None:
        """Show one step alone, or all of them."""
        self.anchor = anchor
        element("walk").textContent = "Show all steps" if anchor else "One step at a time"
        for name in ("previous", "next"):
            element(name).hidden = not anchor
        if not anchor:
            root.removeAttribute("data-walk")
            element("where").textContent = ""
            return
        steps = self.steps()
        place = steps.index(anchor)
        root.dataset.walk = anchor
        element("previous").disabled = place == 0
        element("next").disabled = place == len(steps) - 1
        title = document.querySelector(f"#{step_id(anchor)} h3").textContent
        said = f"Step {place + 1} of {len(steps)}: {title}"
        if element("where").textContent != said:
            element("where").textContent = said
        self.arrived(anchor)
        if scroll:
            window.scrollTo(0, 0)


def connect_presentation(
    steps: Callable[[], list[str]], arrived: Callable[[str], None]
) -> StepThrough:
    """Listen for the keys; `arrived` is given the step that is shown alone."""
    walk = StepThrough(steps, arrived)

    def typed(event: Any) -> None:
        if not walk.anchor or event.target.closest(OWN_KEYS):
            return
        if event.key in NEXT:
            event.preventDefault()
            walk.by(NEXT[event.key])
        elif event.key == " " and not event.target.closest(PRESSED):
            event.preventDefault()
            walk.by(1)
        elif event.key == "Escape":
            walk.go("")

    when("keydown", document)(typed)
    if window.matchMedia("(prefers-color-scheme: dark)").matches:
        element("theme").setAttribute("aria-pressed", "true")
    return walk


def press(button: Any, name: str, on: str, off: str) -> None:
    """Turn a view of the page on or off, and say so on its button."""
    pressed = button.getAttribute("aria-pressed") == "true"
    button.setAttribute("aria-pressed", "false" if pressed else "true")
    root.setAttribute(f"data-{name}", off if pressed else on)
