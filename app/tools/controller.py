"""The panels of Other tools: filled while they are open, the slow ones in time slices."""

from collections.abc import Iterator
from time import perf_counter
from typing import Any

from pyscript import document, window

from app.browser.commands import command
from app.browser.dom import element, open_details, reveal, show_texts
from app.browser.page_calls import PageCalls
from app.browser.scheduling import SLICE_SECONDS, DebouncedCall
from app.components import missing_text_html, wheel_source
from app.state.form import PageSnapshot
from app.tools.html import code_html, comparison_slices, tokenizers_html, what_if_slices
from bleu.analysis.edits import Edit

NAVIGATION_MS = 50
"""Milliseconds after which the browser has focused the destination of a link."""
PANELS = "#lens-body, #snippets-body, #comparison-body, #what-if-body"


class ToolsController:
    """The panels of Other tools, and the edits that the panel *What if* offers."""

    def __init__(self, page: PageCalls) -> None:
        self.page = page
        self.scored_edits: list[Edit] = []
        self.tasks: list[tuple[str, Iterator[str]]] = []
        self.requested_button = ""
        self.timer = DebouncedCall(page.guard(self.run_tasks))
        self.row_timer = DebouncedCall(self.focus_row)

    def show(self, snapshot: PageSnapshot) -> None:
        """Fill the open panels, if the view is open."""
        self.cancel()
        if element("compare").hidden:
            return
        if snapshot.todo:
            self.fill_all(missing_text_html(snapshot.todo))
            return
        if element("lens").open:
            show_texts(element("lens-body"), tokenizers_html(snapshot.inputs))
        if element("check-yourself").open:
            source = wheel_source(window.location.href)
            element("snippets-body").innerHTML = code_html(snapshot, source)
        if element("comparison").open:
            self.tasks.append(("comparison-body", comparison_slices(snapshot)))
        if element("what-if").open:
            self.scored_edits = []
            self.tasks.append(("what-if-body", what_if_slices(snapshot, self.scored_edits)))
        self.run_tasks()

    def fill_all(self, markup: str) -> None:
        """Show the same markup in every panel."""
        for body in document.querySelectorAll(PANELS):
            body.innerHTML = markup

    def run_tasks(self) -> None:
        """Fill the slow panels for one time slice, and schedule the next."""
        end = perf_counter() + SLICE_SECONDS
        for body_id, slices in self.tasks:
            for markup in slices:
                if markup:
                    replace_panel(element(body_id), markup)
                    if self.requested_button:
                        self.row_timer.schedule(NAVIGATION_MS)
                elif perf_counter() > end:
                    self.timer.schedule(0)
                    return

    @command("row")
    def show_row(self, convention: str) -> None:
        """Open the comparison at the row of a convention, as soon as it is computed."""
        self.requested_button = f"convention:{convention}"
        reveal("comparison")

    def focus_row(self) -> None:
        """Focus the button of the row that `show_row` was asked for."""
        focus_button(element("comparison-body"), self.requested_button)
        self.requested_button = ""

    def cancel(self) -> None:
        """Stop filling panels."""
        self.tasks = []

    @command("edit")
    def try_edit(self, index: str) -> None:
        """Try an edit that the panel *What if* lists."""
        self.page.try_edit(self.scored_edits[int(index)].text)

    @command("copy-code")
    def copy_code(self, name: str) -> None:
        """Copy a code snippet."""
        self.page.notices.copy("Code copied", element(f"snippet-{name}").textContent)


def replace_panel(panel: Any, markup: str) -> None:
    """Replace the markup of a panel, but keep its details open and the focus on its button."""
    focused = document.activeElement
    command = focused.getAttribute("data-command") if panel.contains(focused) else None
    was_open = panel.querySelector("details[open]")
    show_texts(panel, markup)
    details = panel.querySelector("details")
    if was_open and details:
        details.open = True
    if command:
        focus_button(panel, command)


def focus_button(panel: Any, command: str) -> None:
    """Focus the button of a command, if the panel has it, and open the details around it."""
    if button := panel.querySelector(f'[data-command="{command}"]'):
        open_details(button)
        button.focus()
