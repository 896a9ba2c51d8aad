"""The check-up of the files on the page: its findings, and its remedies with undo."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from app.browser.dom import (
    element,
    fill_file_settings,
    read_file_settings,
    read_form,
    set_hidden,
    show_texts,
)
from app.browser.page import PageCalls, command, show_history, undo_key
from app.files.checkup_html import check_up_html, needs_attention, status_text
from app.files.job_list_controller import CHECKING, JobList
from app.files.reading import TextSource
from app.files.scoring import CheckUp, CheckUpJob
from app.state.file_settings import SAME_AS_FORM, FileChoices, apply_remedy
from app.state.inputs import History


class CheckUpPanel:
    """The check-up and its remedies; `on_choice` is called after one is applied or undone."""

    def __init__(self, page: PageCalls, jobs: JobList, on_choice: Callable[[], object]) -> None:
        self.page, self.jobs, self.on_choice = page, jobs, on_choice
        self.check_up: CheckUp = ()
        self.history = History[FileChoices]()
        self.repairs: tuple[str, ...] = ()
        self.as_text = False
        self.is_open = False
        """Whether the user has opened the findings."""

    def choices(self) -> FileChoices:
        """Return the settings for files and the chosen remedies."""
        return FileChoices(read_file_settings(), self.repairs, self.as_text)

    def start(
        self,
        work: CheckUpJob,
        texts: Sequence[TextSource],
        names: Sequence[str],
        sources: Sequence[str],
        on_result: Callable[[CheckUp], object] = lambda _: None,
    ) -> None:
        """Check texts; the last findings stay until the new ones are complete.

        `names` are those of the systems, and `sources` are the source texts. `on_result` is called
        with the findings.
        """

        def show(check_up: CheckUp) -> None:
            self.check_up = check_up
            element("check-up-status").textContent = status_text(check_up, segments)
            self.draw(names)
            self.show_findings(self.is_open or needs_attention(check_up))
            on_result(check_up)

        segments = max(len(source.lines) for source in texts)
        element("check-up").hidden = False
        last, none_yet = "The faults of the last check:", "The check-up is not complete yet."
        element("check-up-status").textContent = last if self.check_up else none_yet
        if len(sources) not in (0, segments):
            note = f"The source has {len(sources):,} lines, so the check-up ignores it."
            element("corpus-note").textContent = note
        self.jobs.start_job(CHECKING, work, show)

    def draw(self, names: Sequence[str]) -> None:
        """Show the findings, with `names` for the systems."""
        show_texts(element("check-up-body"), check_up_html(self.check_up, names))

    def show_findings(self, shown: bool) -> None:
        """Show or hide the findings below their number."""
        toggle = element("check-up-toggle")
        toggle.ariaExpanded = str(shown).lower()
        toggle.textContent = "Hide the findings" if shown else "Show the findings"
        element("check-up-body").hidden = not shown
        set_hidden(toggle, not self.check_up, element("check-up-title"))

    @command("check-up-toggle")
    def toggle(self, _: str) -> None:
        """Show the findings, or hide them."""
        self.is_open = bool(element("check-up-body").hidden)
        self.show_findings(self.is_open)

    def reset(self) -> None:
        """Drop the chosen remedies and their history, because the files have changed."""
        self.repairs, self.as_text, self.history = (), False, History[FileChoices]()
        self.is_open = False
        show_history(self.history, "corpus-")

    # Remedies and undo

    def apply(self, choices: FileChoices) -> None:
        """Use other settings and repairs, and score again."""
        settings, form = choices.settings, read_form()
        inputs = replace(form, tokenizer=settings.tokenizer, lowercase=settings.lowercase)
        if settings.convention == SAME_AS_FORM and inputs != form:
            self.page.overwrite_form(inputs, "the check-up of the files")
        fill_file_settings(settings)
        self.repairs, self.as_text = choices.repairs, choices.as_text
        show_history(self.history, "corpus-")
        element("check-up-title").focus()
        self.on_choice()

    @command("remedy")
    def apply_remedy(self, action: str) -> None:
        """Apply the remedy of a finding."""
        labels = {item.finding.action: item.finding.label for item in self.check_up}
        old_choices = self.choices()
        new_choices = apply_remedy(old_choices, action)
        self.history.add(labels.get(action, "Score as text"), old_choices, new_choices)
        self.apply(new_choices)

    @command("corpus-undo")
    def undo(self, _: str = "") -> None:
        """Undo the last remedy."""
        self.apply(self.history.undo(self.choices()))

    @command("corpus-redo")
    def redo(self, _: str = "") -> None:
        """Apply the remedy that was undone last."""
        self.apply(self.history.redo(self.choices()))

    def on_key(self, event: Any) -> None:
        """Undo or redo a remedy at Ctrl+Z or Ctrl+Y, except in text fields."""
        key = undo_key(event)
        if event.target.closest("input, textarea") or not key:
            return
        if self.history.past if key == "undo" else self.history.future:
            event.preventDefault()
            (self.undo if key == "undo" else self.redo)()
