"""The view state of the page: added to links that are made, and set by links that are opened."""

from collections.abc import Callable
from typing import Protocol

from pyscript import document

from app.browser.dom import element, root
from app.browser.notices import Notices
from app.steps.presentation_controller import Presentation, SlideSource


class LearnSlides(SlideSource, Protocol):
    """The slides of the view Learn."""

    pending_item: str
    """The item to show alone once the exercises of a link are generated."""

    def link_target(self) -> tuple[str, str]:
        """Return the fragment of a link to the slides, and the item that is shown."""


class ViewStateController:
    """The view state, read from the page and applied to it.

    - `get_learn_slides`: returns the slides of the view Learn, creating the view if needed.
    - `mark_order`: marks the matches of an order.
    """

    def __init__(
        self,
        presentation: Presentation,
        notices: Notices,
        get_learn_slides: Callable[[], LearnSlides],
        mark_order: Callable[[str], object],
    ) -> None:
        self.presentation = presentation
        self.notices = notices
        self.get_learn_slides = get_learn_slides
        self.mark_order = mark_order

    def add_to(self, fragment: str) -> str:
        """Return a fragment with the current view state added."""
        from app.state.view_state import ViewState, add_view_state

        step, learning = self.presentation.name, root.dataset.view == "learn"
        if step and learning:
            fragment, step = self.get_learn_slides().link_target()
        order = "" if learning else document.querySelector("#orders :checked").value
        return add_view_state(fragment, ViewState(step, order, is_large()))

    def apply(self, fragment: str) -> None:
        """Show the page as a link asks; show a notice about parts that do not exist."""
        # The module is imported only if a link needs it; see LAZY_MODULES in app/build/stdlib.py.
        if not any(f"{name}=" in fragment for name in ("step", "orders", "size")):
            return
        from app.state.view_state import existing_or_note, missing_parts_notice, parse_view_state

        state, notes = parse_view_state(fragment)
        if state.large != is_large():
            self.presentation.toggle_large()
        orders = [str(box.value) for box in document.querySelectorAll("#orders input")]
        order, note = existing_or_note(state.marked_order, "order", orders)
        notes += note
        if order:
            self.mark_order(order)
        if root.dataset.view == "learn":
            slides: SlideSource = self.get_learn_slides()
            if fragment.startswith("#exercises="):
                self.get_learn_slides().pending_item = state.step
                self.notices.show_lasting(missing_parts_notice(notes))
                return
        else:
            slides = self.presentation.steps
        step, note = existing_or_note(state.step, "step", slides.names())
        notes += note
        if step:
            self.presentation.begin(slides, step)
        self.notices.show_lasting(missing_parts_notice(notes))


def is_large() -> bool:
    """Return whether the page is shown in large letters."""
    return bool(element("large").getAttribute("aria-pressed") == "true")
