"""The running jobs of the Files view: their progress, queues and errors."""

from collections.abc import Callable, Generator
from typing import Any

from app.browser.dom import element, find_element, set_hidden, show_file_error, show_prose
from app.browser.page import command
from app.browser.scheduling import Job
from app.files.form_html import remaining_time_text
from app.files.scoring import BoxError
from app.state.form import error_text
from bleu.core.progress import Progress
from bleu.explanation.phrases import name_text
from bleu.files.data_table import SOURCES

BOX_LABELS = {"system": "Candidates", "references": "References"}
"""The labels of the file slots with a text box; a slot is also the key of the job that reads it."""
TABLE = "table"
"""The slot for a table, and the key of the job that reads it or its columns."""
SCORING = "scoring"
"""The key of the job that scores the files."""
CHECKING = "checking"
"""The key of the job that checks the texts for faults."""
NGRAM = "ngram"
"""The key of the job that finds the segments in which the credit for an n-gram differs."""
SECTIONS = ("corpus-steps", "corpus-ngrams", "corpus-comparison")
"""The sections of a result that are filled when opened; each is also the key of its job."""

READING_NOTICE = "A file is still being read. Try again in a moment."
"""The error that is shown if texts are used while a file is being read."""
OUT_OF_MEMORY = "The browser has no memory left for this; split the files."


class JobList:
    """The running jobs, their queues and their progress, by key.

    A key is a file slot, the id of a text box, SCORING, CHECKING, NGRAM, or one of SECTIONS.
    """

    def __init__(self) -> None:
        self.jobs: dict[str, Job[Any]] = {}
        self.progress: dict[str, tuple[float, str]] = {}
        """The share done, in [0, 1], and a text, by key."""
        self.queues: dict[str, list[Callable[[], object]]] = {}

    def start_job(
        self,
        job_key: str,
        work: Generator[Any, Any, Any],
        on_result: Callable[[Any], object],
        on_error: Callable[[str], object] = lambda _: None,
    ) -> None:
        """Start a job; stop the running one with the same key."""
        self.stop_job(job_key)
        task, task_started_at = "", 0.0

        def end(value: Any) -> None:
            self.job_ended(job_key)
            on_result(value)

        def fail(error: Exception) -> None:
            self.job_ended(job_key)
            clear_file_input(job_key)
            self.show_error(error, job_key)
            on_error(error_text(error, OUT_OF_MEMORY))

        def on_progress(progress: Progress, seconds: float) -> None:
            nonlocal task, task_started_at
            name = f" {name_text(progress.name)}" if progress.name else ""
            new_task = f"{progress.task}{name}"
            if new_task != task:
                task, task_started_at = new_task, seconds
            text = f"{task}: {remaining_time_text(seconds - task_started_at, progress)}"
            self.progress[job_key] = progress.done / max(1, progress.total), text
            self.show_progress()

        self.progress[job_key] = 0.0, ""
        self.jobs[job_key] = Job(work, end, fail, on_progress)
        self.show_progress()

    def queue(self, job_key: str, start: Callable[[], object]) -> None:
        """Call `start` when the running job with this key has ended."""
        self.queues.setdefault(job_key, []).append(start)

    def stop_job(self, job_key: str) -> None:
        """Stop a job if it is running, and start the next queued one."""
        if job_key in self.jobs:
            self.jobs[job_key].close()
            self.job_ended(job_key)

    def drop_job(self, job_key: str) -> None:
        """Stop a job and those queued behind it."""
        self.queues.pop(job_key, None)
        self.stop_job(job_key)

    @command("corpus-cancel")
    def cancel_jobs(self, _: str) -> None:
        """Stop all jobs, running or queued."""
        self.queues.clear()
        for job_key in list(self.jobs):
            self.stop_job(job_key)
            clear_file_input(job_key)

    def job_ended(self, job_key: str) -> None:
        """Remove the finished job and start the next queued one."""
        del self.jobs[job_key], self.progress[job_key]
        self.show_progress()
        error = element("corpus-error").getAttribute("data-message")
        if error == READING_NOTICE and not self.is_reading():
            show_file_error("")
        if queue := self.queues.get(job_key):
            queue.pop(0)()

    def is_reading(self) -> bool:
        """Return whether a file is being read."""
        return bool(self.jobs.keys() - {SCORING, CHECKING, NGRAM, *SECTIONS})

    def show_progress(self) -> None:
        """Show the mean progress of all jobs, and the text of each."""
        shares = [share for share, _ in self.progress.values()]
        set_hidden(element("corpus-cancel"), not shares, element("corpus-run"))
        element("corpus-progress").hidden = not shares
        element("corpus-progress").value = sum(shares) / max(1, len(shares))
        texts = {key: text for key, (_, text) in self.progress.items() if text}
        element("check-up").ariaBusy = str(CHECKING in self.progress).lower()
        show_prose(element("check-up-progress"), texts.pop(CHECKING, ""))
        show_prose(element("corpus-progress-text"), "; ".join(texts.values()))

    def show_error(self, error: Exception, job_key: str = SCORING) -> None:
        """Show an error at the text box that it concerns, or else below the form."""
        message = error_text(error, OUT_OF_MEMORY)
        if job_key in BOX_LABELS:
            show_file_error(message, [f"corpus-{job_key}"])
        elif job_key in (SCORING, CHECKING, NGRAM, TABLE, SOURCES, *SECTIONS):
            show_file_error(message, error.box_ids if isinstance(error, BoxError) else ())
        else:  # The file was meant for a text box of the Score view.
            show_prose(element("error"), message)
            element("error").scrollIntoView(False)


def clear_file_input(slot: str) -> None:
    """Clear a slot's file input, if it has one, which may still name a file that was closed."""
    if file_input := find_element(f"corpus-{slot}-file"):
        file_input.value = ""
