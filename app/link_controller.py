"""The links of the page: it follows those that are opened, and makes those that are shared."""

from base64 import b64encode
from dataclasses import replace
from typing import Any

from pyscript import window

from app.browser.dom import element, listen, read_form, root
from app.browser.page import PageCalls, command
from app.score.matches_controller import FactorController
from app.state.saved_form import (
    LARGE,
    ViewState,
    add_view_state,
    frame_html,
    from_fragment,
    missing_parts_notice,
    parse_view_state,
    to_fragment,
    unknown_settings,
    without_view,
)
from app.steps.controller import StepsController
from app.steps.presentation_controller import SlideSource, is_large

MAX_LINK_CHARACTERS = 2 * 2**20
"""The length up to which every browser opens a link."""
MAX_SHOWN_CHARACTERS = 2_000
"""The length up to which the dialog shows a link."""


class LinkController:
    """The links of the page, and the dialog with them; a link may open one of the `factors`.

    `hides_score` is whether the dialog's link hides the score at first.
    """

    def __init__(self, page: PageCalls, steps: StepsController, factors: FactorController) -> None:
        self.page, self.notices = page, page.notices
        self.steps, self.factors = steps, factors
        self.opened_fragment = without_view(window.location.hash)
        self.form_link = ""
        self.hides_score = False
        # A key in the dialog is for the dialog, not for the presentation behind it.
        listen("keydown", "#sharing", lambda event: event.stopPropagation())
        for event in ("pointerdown", "focus"):
            listen(event, "#open-page", self.on_open_page)

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
        parts = unknown_settings(fragment)
        state = parse_view_state(fragment)
        if state is None:
            if parts:
                self.notices.show_lasting(missing_parts_notice(*parts))
            return
        if (state.size == LARGE) != is_large():
            self.steps.presentation.toggle_large()
        stations = self.factors.anchors()
        if state.opened in stations:
            self.factors.open(state.opened)
        parts += [("size", state.size, [LARGE]), ("factor", state.opened, stations)]
        is_learning = root.dataset.view == "learn"
        if is_learning and fragment.startswith(("#exercises=", "#puzzle=")):
            self.page.get_learn().pending_item = state.step
        else:
            slides: SlideSource = self.page.get_learn() if is_learning else self.steps
            parts.append(("step", state.step, slides.anchors()))
            if state.step in slides.anchors():
                self.steps.presentation.begin(slides, state.step)
        self.notices.show_lasting(missing_parts_notice(*parts))

    @command("share")
    def share(self, _: str = "") -> None:
        """Open the dialog with the link, as a code that a class reads from the screen."""
        self.show_link()
        element("sharing").showModal()

    def show_link(self) -> None:
        """Show the link in the dialog, or why it has no code."""
        from app.score.qr_code import MAX_BYTES, qr_svg

        url = self.url()
        picture = qr_svg(url)
        element("code").hidden = not picture
        element("code").src = (
            f"data:image/svg+xml;base64,{b64encode(picture.encode()).decode()}" if picture else ""
        )
        element("link").textContent = url if len(url) < MAX_SHOWN_CHARACTERS else ""
        element("long-link").hidden = bool(picture)
        element("long-link").textContent = (
            f"The link has {len(url):,} characters. A code that a class can read holds "
            f"{MAX_BYTES}: copy the link, or take shorter texts."
        )

    @command("close-sharing")
    def close(self, _: str = "") -> None:
        """Close the dialog; the browser returns the focus."""
        element("sharing").close()

    @command("predict")
    def toggle_prediction(self, _: str) -> None:
        """Let the link hide the score until its reader asks for it, or not."""
        self.hides_score = not self.hides_score
        element("predict").ariaPressed = str(self.hides_score).lower()
        self.show_link()

    @command("copy-link")
    def copy_link(self, _: str) -> None:
        """Copy the link, or offer a file if it is too long."""
        url = self.url()
        self.close()
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

    @command("copy-frame")
    def copy_frame(self, _: str) -> None:
        """Copy a line of HTML that shows the link in a frame of another page."""
        url = self.url()
        self.close()
        self.notices.copy(
            "Frame copied: a line of HTML for slides or a course page.", frame_html(url)
        )

    def on_open_page(self, event: Any) -> None:
        """Let the link out of a frame lead to the texts as they are now."""
        event.target.href = f"#{self.fragment()}"

    def url(self) -> str:
        """Return the link to the page as it is shown, or to the form if the score is hidden."""
        fragment = self.fragment()
        if self.hides_score:
            fragment = to_fragment(replace(read_form(), hides_score=True))
        return f"{window.location.href.split('#')[0]}#{fragment}"

    def fragment(self) -> str:
        """Return the fragment of a link to the page as it is shown."""
        fragment = to_fragment(read_form(), root.dataset.view or "")
        step, is_learning = self.steps.presentation.anchor, root.dataset.view == "learn"
        if step and is_learning:
            fragment, step = self.page.get_learn().fragment_and_item()
        opened = "" if is_learning else self.factors.opened
        return add_view_state(fragment, ViewState(step, opened, LARGE if is_large() else ""))
