"""The panels of Other tools, filled while open, and the search for the BLEU variant of a number.

The search is imported when it is first needed.
"""

from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, Any

from pyscript import document, window

from app.browser.dom import (
    element,
    fill_file_settings,
    listen,
    open_details,
    read_form,
    reveal,
    set_hidden,
    show_prose,
    show_texts,
)
from app.browser.page import Command, PageCalls, command, commands_of
from app.browser.scheduling import DebouncedCall, Job
from app.components import missing_text_html, wheel_source
from app.state.form import PageSnapshot, error_text
from app.tools.html import code_html, iter_comparison_html, iter_what_if_html, tokenizers_html
from bleu.analysis.edits import Edit

NAVIGATION_MS = 50
"""Milliseconds after which the browser has focused the destination of a link."""
PANELS = "#lens-body, #snippets-body, #comparison-body, #what-if-body"


class ToolsController:
    """The panels of Other tools, and the edits that the panel *What if* offers."""

    def __init__(self, page: PageCalls) -> None:
        self.page = page
        self.scored_edits: list[Edit] = []
        self.jobs: dict[str, Job[str]] = {}
        """The running jobs by the id of the element that they fill."""
        self.requested_button = ""
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
            self.start_job("comparison-body", iter_comparison_html(snapshot))
        if element("what-if").open:
            self.scored_edits = []
            self.start_job("what-if-body", iter_what_if_html(snapshot, self.scored_edits))

    def fill_all(self, markup: str) -> None:
        """Show the same markup in every panel."""
        for body in document.querySelectorAll(PANELS):
            body.innerHTML = markup

    def start_job(self, body_id: str, work: Generator[None, None, str]) -> None:
        """Fill a slow panel with the markup that a job returns."""

        def fill(markup: str) -> None:
            del self.jobs[body_id]
            replace_panel(element(body_id), markup)
            if self.requested_button:
                self.row_timer.schedule(NAVIGATION_MS)

        def fail(error: Exception) -> None:
            del self.jobs[body_id]
            raise error

        guard = self.page.guard
        self.jobs[body_id] = Job(work, guard(fill), guard(fail), lambda *_: None)

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
        while self.jobs:
            self.jobs.popitem()[1].close()

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


if TYPE_CHECKING:
    from app.tools.which import SearchRequest
    from bleu.analysis.which import Candidate, WhichResult


class WhichPanel:
    """A search box, the search that is running, and the last result.

    - `name`: prefix of the ids and commands of the box.
    - `get_request`: returns the texts to search, or raises ValueError if they cannot be searched.
    - `get_texts_version`: returns a value that changes whenever the texts change.
    - `apply_candidate`: called with the candidate whose settings the person chooses.
    """

    def __init__(
        self,
        name: str,
        get_request: Callable[[], "SearchRequest"],
        get_texts_version: Callable[[], object],
        apply_candidate: Callable[["Candidate"], object],
    ) -> None:
        self.name = name
        self.get_request, self.get_texts_version = get_request, get_texts_version
        self.apply_candidate = apply_candidate
        self.job: Job[WhichResult] | None = None
        self.result: WhichResult | None = None
        self.searched_version: object = None
        """The value of `get_texts_version` when the search for `result` began."""
        listen("keydown", f"#{name}-number", self.on_key)

    @property
    def commands(self) -> dict[str, Command]:
        """The commands of the box, by name."""
        return commands_of(self, prefix=self.name)

    def part(self, name: str) -> Any:
        """Return an element of the box, given its id without the prefix."""
        return element(f"{self.name}-{name}")

    def on_key(self, event: Any) -> None:
        """Start the search at Enter."""
        if getattr(event, "key", "") == "Enter":
            event.preventDefault()
            self.search()

    @command("")
    def search(self, _: str = "") -> None:
        """Start a search for the number; the last result stays until this one is complete."""
        from app.tools.which import search

        self.stop()
        self.part("error").textContent = ""
        try:
            version, request = self.get_texts_version(), self.get_request()
        except (TypeError, ValueError, MemoryError) as error:
            self.show_error(error)
            return
        self.part("status").textContent = "Trying every way…"
        self.part("cancel").hidden = self.part("progress").hidden = False
        self.part("progress").value = 0
        self.job = Job(
            search(request, self.part("number").value),
            lambda result: self.show(result, request, version),
            self.show_error,
            self.show_progress,
        )

    def show_progress(self, share: float, _seconds: float) -> None:
        """Show the share of the search that is done."""
        self.part("progress").value = share

    def show(self, result: "WhichResult", request: "SearchRequest", version: object) -> None:
        """Show the result of a search."""
        from app.tools.which import result_html
        from bleu.explanation.which import verdict

        self.job_ended()
        self.result, self.searched_version = result, version
        source = wheel_source(window.location.href)
        self.part("body").innerHTML = result_html(result, request, self.name, source)
        show_prose(self.part("status"), verdict(result))
        self.update_stale_notice()

    def show_error(self, error: Exception) -> None:
        """Show an error instead of the last result."""
        self.job_ended()
        self.result = None
        self.part("status").textContent = self.part("body").innerHTML = ""
        self.update_stale_notice()
        show_prose(self.part("error"), error_text(error))

    def update_stale_notice(self) -> None:
        """Show a notice if the texts have changed since the last search."""
        is_current = self.result is None or self.searched_version == self.get_texts_version()
        self.part("stale").hidden = is_current

    @command("-cancel")
    def cancel(self, _: str) -> None:
        """Cancel the search."""
        self.stop()
        self.part("status").textContent = "Cancelled."
        self.part("search").focus()

    def stop(self) -> None:
        """Stop the search, if one is running."""
        if self.job:
            self.job.close()
            self.job_ended()

    def job_ended(self) -> None:
        """Remove the job, and hide its progress."""
        self.job = None
        set_hidden(self.part("cancel"), True, self.part("search"))
        self.part("progress").hidden = True

    @command("-apply")
    def apply(self, index: str) -> None:
        """Apply the settings of a row of the result."""
        from bleu.explanation.which import displayed_candidates

        if self.result:
            self.apply_candidate(displayed_candidates(self.result)[int(index)])


def connect_form_search(page: PageCalls) -> WhichPanel:
    """Return the search box for the texts of the form."""

    def get_request() -> "SearchRequest":
        from app.tools.which import request_from_form

        return request_from_form(read_form())

    def get_texts_version() -> object:
        inputs = read_form()
        return inputs.hypothesis, inputs.references

    def apply_to_form(candidate: "Candidate") -> None:
        from app.tools.which import apply_candidate

        inputs = apply_candidate(read_form(), candidate)
        page.open_form(inputs, "the settings of a number")

    return WhichPanel("which", get_request, get_texts_version, apply_to_form)


FileTexts = tuple[Sequence[str], Sequence[str], Sequence[Sequence[str]]]
"""The names of the system's file and of the reference files, the hypotheses, and the references
of each hypothesis."""


def connect_file_search(
    get_file_texts: Callable[[], FileTexts],
    get_version: Callable[[], object],
    on_applied: Callable[[], object],
) -> WhichPanel:
    """Return the box of the Files view that searches for the BLEU variant of a number.

    - `get_file_texts`: returns the texts, or raises ValueError if they cannot be searched.
    - `get_version`: returns a value that changes whenever the texts change.
    - `on_applied`: called after a candidate's settings are put into the controls of the view.
    """

    def get_request() -> "SearchRequest":
        from app.tools.which import request_from_files

        return request_from_files(*get_file_texts())

    def apply_to_files(candidate: "Candidate") -> None:
        from app.tools.which import candidate_file_inputs

        fill_file_settings(candidate_file_inputs(candidate))
        on_applied()

    panel = WhichPanel("file-which", get_request, get_version, apply_to_files)
    listen("change", "#file-which-system", lambda _: panel.update_stale_notice())
    return panel
