"""The box that asks which BLEU a number is: starts the search, shows it, and can stop it.

What searches is imported when it is first asked for.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from pyscript import window

from app.browser.dom import element, fill_file_settings, listen, read_file_settings
from app.browser.scheduling import Job
from app.components.wheel import wheel_source
from app.state.memory import OUT_OF_MEMORY_TEXT, is_out_of_memory

if TYPE_CHECKING:
    from app.tools.which import SearchRequest
    from bleu.analysis.which import Candidate, WhichResult


class WhichPanel:
    """What was searched for, and what is under way.

    `name` is what the ids of its elements and its commands begin with. `get_request` gives the texts, or
    raises what is wrong with them; `get_texts` is something that is another thing when the texts are
    others; `apply_candidate` gets the candidate whose settings are to be applied.
    """

    def __init__(
        self,
        name: str,
        get_request: Callable[[], "SearchRequest"],
        get_texts: Callable[[], object],
        apply_candidate: Callable[["Candidate"], object],
    ) -> None:
        self.name, self.get_request, self.get_texts, self.apply_candidate = (
            name,
            get_request,
            get_texts,
            apply_candidate,
        )
        self.job: Job[WhichResult] | None = None
        self.answer: WhichResult | None = None
        self.searched_texts: object = None
        """What `get_texts` was for the answer that is shown."""
        self.commands: dict[str, Callable[[str], object]] = {
            name: lambda _: self.search(),
            f"{name}-cancel": lambda _: self.cancel(),
            f"{name}-apply": lambda number: self.apply(int(number)),
        }
        listen("keydown", f"#{name}-number", self.on_key)

    def part(self, name: str) -> Any:
        """An element of the box."""
        return element(f"{self.name}-{name}")

    def on_key(self, event: Any) -> None:
        """Enter in the box starts the search."""
        if getattr(event, "key", "") == "Enter":
            event.preventDefault()
            self.search()

    def search(self) -> None:
        """Look for the number that was typed; what was found before stays until this is whole."""
        from app.tools.which import search

        self.stop()
        self.part("error").textContent = ""
        try:
            texts, request = self.get_texts(), self.get_request()
        except (TypeError, ValueError, MemoryError) as error:
            self.show_error(error)
            return
        self.part("status").textContent = "Trying every way…"
        self.part("cancel").hidden = self.part("progress").hidden = False
        self.part("progress").value = 0
        work = search(request, self.part("number").value)
        self.job = Job(
            work,
            lambda found: self.show(found, request, texts),
            self.show_error,
            self.show_progress,
        )

    def show_progress(self, share: float, _seconds: float) -> None:
        """Show how far the search is."""
        self.part("progress").value = share

    def show(self, answer: "WhichResult", request: "SearchRequest", texts: object) -> None:
        """Show what was found."""
        from app.tools.which import result_html
        from bleu.explanation.which import verdict

        self.job_ended()
        self.answer, self.searched_texts = answer, texts
        self.part("body").innerHTML = result_html(
            answer, request, self.name, wheel_source(window.location.href)
        )
        self.part("status").textContent = verdict(answer)
        self.update_stale_notice()

    def show_error(self, error: Exception) -> None:
        """Say what is wrong; what was typed stays, and no answer to another question."""
        self.job_ended()
        self.answer = None
        self.part("status").textContent = self.part("body").innerHTML = ""
        self.update_stale_notice()
        if is_out_of_memory(error):
            words = OUT_OF_MEMORY_TEXT
        elif isinstance(error, TypeError | ValueError):
            words = str(error)
        else:
            words = f"The page itself failed, and your texts are untouched: {error!r}"
        self.part("error").textContent = words

    def update_stale_notice(self) -> None:
        """Say so where the texts are no longer those of the answer."""
        self.part("stale").hidden = self.answer is None or self.searched_texts == self.get_texts()

    def cancel(self) -> None:
        """Stop the search, as the person asks."""
        self.stop()
        self.part("status").textContent = "Cancelled."
        self.part("search").focus()

    def stop(self) -> None:
        """Stop a search that is under way."""
        if self.job:
            self.job.close()
            self.job_ended()

    def job_ended(self) -> None:
        """Nothing is under way any more."""
        self.job = None
        self.part("cancel").hidden = self.part("progress").hidden = True

    def apply(self, number: int) -> None:
        """Take the settings of a row."""
        from bleu.explanation.which import displayed_candidates

        if self.answer:
            self.apply_candidate(displayed_candidates(self.answer)[number])


FileTexts = tuple[Sequence[str], Sequence[str], Sequence[Sequence[str]]]
"""The names of a system's file and its references, the hypotheses, and their references."""


def connect_file_search(
    get_file_texts: Callable[[], FileTexts],
    get_version: Callable[[], object],
    on_applied: Callable[[], None],
) -> WhichPanel:
    """Return the search box of the view Files.

    `get_version` returns another value if the texts have changed, and `on_applied` is called when
    the settings of a candidate have been put into the controls for files.
    """

    def get_request() -> "SearchRequest":
        from app.tools.which import request_from_files

        return request_from_files(*get_file_texts())

    def apply_candidate(candidate: "Candidate") -> None:
        from app.tools.which import apply_candidate_to_files

        fill_file_settings(apply_candidate_to_files(read_file_settings(), candidate))
        on_applied()

    panel = WhichPanel("file-which", get_request, get_version, apply_candidate)
    listen("change", "#file-which-system", lambda _: panel.update_stale_notice())
    return panel
