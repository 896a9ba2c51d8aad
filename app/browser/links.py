"""Links: the one that filled the form, and those that the page makes."""

from collections.abc import Callable

from pyscript import window

from app.browser.commands import command
from app.browser.dom import read_form, root
from app.browser.notices import Notices
from app.state.inputs import Inputs
from app.state.permalink import from_fragment, to_fragment, without_view

MAX_LINK_CHARACTERS = 2 * 2**20
"""The length up to which every browser opens a link."""


class Links:
    """The links of the page.

    - `open_inputs`: fills the form from a link.
    - `apply_view_state`: shows the page as a fragment asks.
    - `add_view_state`: returns a fragment with the current view state added.
    - `has_score`: returns whether the page has a result that can be saved.
    """

    def __init__(
        self,
        notices: Notices,
        open_inputs: Callable[[Inputs], object],
        apply_view_state: Callable[[str], object],
        add_view_state: Callable[[str], str],
        has_score: Callable[[], bool],
    ) -> None:
        self.notices = notices
        self.open_inputs = open_inputs
        self.apply_view_state = apply_view_state
        self.add_view_state = add_view_state
        self.has_score = has_score
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
            self.open_inputs(inputs)
        if is_other_link:
            self.apply_view_state(fragment)

    @command("share")
    def share(self, _: str = "") -> None:
        """Copy a link to the form in this view, or offer a file if the link is too long."""
        fragment = self.add_view_state(to_fragment(read_form(), root.dataset.view or ""))
        url = f"{window.location.href.split('#')[0]}#{fragment}"
        if len(url) <= MAX_LINK_CHARACTERS:
            local = " It opens this file, on this computer." if url.startswith("file:") else ""
            self.notices.copy(f"Link copied. It holds your texts and settings.{local}", url)
            return
        save_button = (
            " Take a file instead: "
            '<button type="button" data-command="share-file">Save the web page</button>'
        )
        self.notices.show_lasting(
            f"The link would have {len(url):,} characters, and browsers open links of up to "
            f"{MAX_LINK_CHARACTERS:,}: nothing is copied.",
            save_button if self.has_score() else "",
        )
