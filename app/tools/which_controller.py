"""The box that searches for the BLEU variant that gives a number.

The search is imported when it is first needed.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from pyscript import window

from app.browser.commands import Command, command, commands_of
from app.browser.dom import element, fill_file_settings, listen, read_form, show_prose
from app.browser.page_calls import PageCalls
from app.browser.scheduling import Job
from app.components import wheel_source
from app.state.form import error_text

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
        self.part("cancel").hidden = self.part("progress").hidden = True

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
