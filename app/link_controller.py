"""The links of the page: it follows those that are opened, and makes those that are shared."""

from pyscript import window

from app.browser.dom import read_form, root
from app.browser.page import PageCalls, command
from app.score.matches_controller import FactorController
from app.state.saved_form import (
    LARGE,
    ViewState,
    add_view_state,
    from_fragment,
    link_notice,
    missing_parts_notice,
    parse_view_state,
    to_fragment,
    without_view,
)
from app.steps.controller import StepsController
from app.steps.presentation_controller import SlideSource, is_large

MAX_LINK_CHARACTERS = 2 * 2**20
"""The length up to which every browser opens a link."""


class LinkController:
    """The links of the page; `factors` choose the marked order."""

    def __init__(self, page: PageCalls, steps: StepsController, factors: FactorController) -> None:
        self.page, self.notices = page, page.notices
        self.steps, self.factors = steps, factors
        self.opened_fragment = without_view(window.location.hash)
        self.form_link = ""

    def set_form_link(self, fragment: str) -> None:
        """Record the link that filled the form, also for boot.mjs, which saves it."""
        self.form_link = window.textLink = without_view(fragment)

    def on_hash_change(self, fragment: str) -> None:
        """Follow a link that was opened in this page, unless it already filled the form."""
        link, inputs = without_view(fragment), from_fragment(fragment)
        is_other_link = link != self.opened_fragment
        self.opened_fragment = link
        if inputs and link != self.form_link:
            self.set_form_link(fragment)
            self.page.overwrite_form(inputs, "opening a link")
        if is_other_link:
            self.apply_view_state(fragment)

    def apply_view_state(self, fragment: str) -> None:
        """Apply the view state of a link; show a notice about all that does not exist."""
        notice = link_notice(fragment)
        state = parse_view_state(fragment)
        if state is None:
            if notice:
                self.notices.show_lasting(notice)
            return
        if (state.size == LARGE) != is_large():
            self.steps.presentation.toggle_large()
        orders = self.factors.orders()
        if state.marked_order in orders:
            self.factors.press(state.marked_order)
        parts = [("size", state.size, [LARGE]), ("order", state.marked_order, orders)]
        is_learning = root.dataset.view == "learn"
        if is_learning and fragment.startswith("#exercises="):
            self.page.get_learn().pending_item = state.step
        else:
            slides: SlideSource = self.page.get_learn() if is_learning else self.steps
            parts.append(("step", state.step, slides.anchors()))
            if state.step in slides.anchors():
                self.steps.presentation.begin(slides, state.step)
        self.notices.show_lasting(f"{notice} {missing_parts_notice(*parts)}".strip())

    @command("share")
    def share(self, _: str = "") -> None:
        """Copy a link to the form in this view, or offer a file if the link is too long."""
        url = f"{window.location.href.split('#')[0]}#{self.fragment()}"
        if len(url) <= MAX_LINK_CHARACTERS:
            hint = " It opens this file, on this computer." if url.startswith("file:") else ""
            contents = "It holds your texts and settings after the #, which browsers do not send."
            self.notices.copy(f"Link copied. {contents}{hint}", url)
            return
        self.notices.show_lasting(
            f"The link would have {len(url):,} characters, and browsers open links of up to "
            f"{MAX_LINK_CHARACTERS:,}: nothing is copied.",
            " Take a file instead: "
            '<button type="button" data-command="download:html">Save the web page</button>',
        )

    def fragment(self) -> str:
        """Return the fragment of a link to the page as it is shown."""
        fragment = to_fragment(read_form(), root.dataset.view or "")
        step, is_learning = self.steps.presentation.anchor, root.dataset.view == "learn"
        if step and is_learning:
            fragment, step = self.page.get_learn().fragment_and_item()
        order = "" if is_learning else self.factors.pressed
        return add_view_state(fragment, ViewState(step, order, LARGE if is_large() else ""))
