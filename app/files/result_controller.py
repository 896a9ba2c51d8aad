"""The result of scored files: its check-up with remedies, its systems, and its folded sections."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from pyscript import document, window

from app.browser.dom import (
    element,
    fill_file_settings,
    listen,
    read_file_settings,
    read_form,
    set_hidden,
    show_texts,
)
from app.browser.page import PageCalls, command, show_history, undo_key
from app.components import score_in_bar
from app.files.checkup_html import check_up_html, needs_attention, status_text
from app.files.job_list_controller import CHECKING, SECTIONS, JobList
from app.files.listing import SegmentListing, with_system
from app.files.result_html import conventions_table, derivation_html, ngram_gains, result_html
from app.files.scoring import (
    CheckUp,
    CheckUpJob,
    CorpusResult,
    credit_differences,
    score_under_conventions,
)
from app.files.segment_controller import SegmentPanel
from app.state.file_settings import SAME_AS_FORM, FileChoices, apply_remedy
from app.state.inputs import History, Inputs
from bleu.core.progress import Progress


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
        segments: int,
        names: Sequence[str],
        sources: Sequence[str],
        on_result: Callable[[CheckUp], object] = lambda _: None,
    ) -> None:
        """Check texts of so many segments; the last findings stay until the new ones are complete.

        `names` are those of the systems, and `sources` are the source texts. `on_result` is called
        with the findings.
        """

        def show(check_up: CheckUp) -> None:
            self.check_up = check_up
            element("check-up-status").textContent = status_text(check_up, segments)
            self.draw(names)
            self.show_findings(self.is_open or needs_attention(check_up))
            on_result(check_up)

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
        set_hidden(element("check-up-body"), not shown, element("check-up-title"))
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


MAX_TOP_SHARE = 0.8
"""The share of the window's height within which a result must begin in order to be noticed."""

SectionJob = Callable[[CorpusResult, int], Generator[Progress, None, Any]]
SECTION_CONTENT: Final[dict[str, tuple[SectionJob | None, Callable[..., str]]]] = {
    "corpus-steps": (None, derivation_html),
    "corpus-ngrams": (credit_differences, ngram_gains),
    "corpus-comparison": (score_under_conventions, conventions_table),
}
"""For each section: the job that computes its content, if it needs any, and its renderer."""


@dataclass(frozen=True)
class ScoringChoices:
    """The choices under which files were scored.

    - `form_inputs`: the settings, as the form of the Score view has them.
    - `names`: the names of the systems by their keys.
    - `baseline`: the key of the baseline.
    - `version`: the version of the open files.
    """

    form_inputs: Inputs
    names: dict[str, str]
    baseline: str
    version: int


class ResultPanel:
    """The last result and its sections."""

    choices: ScoringChoices
    """The choices of the result, if there is one."""

    def __init__(self, jobs: JobList, segments: SegmentPanel) -> None:
        self.jobs, self.segments = jobs, segments
        self.outcome: CorpusResult | None = None
        self.section_renderers: dict[str, Callable[[CorpusResult], str]] = {}
        """The renderers of the filled sections, which are used again in another language."""
        sections = ", ".join(f"#{name}" for name in SECTIONS)
        listen("toggle", sections, lambda event: self.fill_section(event.target.id))

    def show_new_outcome(self, outcome: CorpusResult, choices: ScoringChoices) -> None:
        """Show a new result, without a filter and without an open segment."""
        self.outcome = self.segments.outcome = outcome
        self.choices = choices
        self.segments.form_inputs = choices.form_inputs
        self.segments.listing = SegmentListing(system_index=min(1, len(outcome.corpora) - 1))
        element("segments-filter").value = ""
        element("corpus-outcome").hidden = False
        self.segments.close_segment()
        self.show_outcome()

    def add_check_up(self, check_up: CheckUp) -> None:
        """Add a check-up to the result, for its exports."""
        if self.outcome:
            evaluation = replace(self.outcome.evaluation, findings=check_up)
            self.outcome = self.segments.outcome = replace(self.outcome, evaluation=evaluation)

    def scroll_into_sight(self) -> None:
        """Scroll to the check-up above the result, unless the result begins in sight."""
        top = element("corpus-result").getBoundingClientRect().top
        if top > MAX_TOP_SHARE * window.innerHeight:
            element("check-up").scrollIntoView()
            if document.activeElement.id == "corpus-run":
                element("check-up-title").focus()

    def show_outcome(self) -> None:
        """Show the result with the details of the listed system; collapse all sections."""
        if not self.outcome:
            return
        system_index = self.segments.listing.system_index
        show_texts(element("corpus-result"), result_html(self.outcome, system_index))
        element("files-strip").innerHTML = score_in_bar(self.outcome.corpora[system_index].score)
        element("files-strip").hidden = False
        element("corpus-ngrams").hidden = not system_index
        self.section_renderers = {}
        for name in SECTIONS:
            self.jobs.stop_job(name)
            element(name).open = False
            element(f"{name}-body").innerHTML = ""
        self.segments.relist()

    def choose_system(self, system_index: int) -> None:
        """Show the details of another system."""
        self.segments.listing = with_system(self.segments.listing, system_index)
        self.show_outcome()
        if self.segments.is_open():
            self.segments.draw_segment()
        element("corpus-shown").focus()

    def redraw(self) -> None:
        """Show the result in the current language; expanded details stay expanded."""
        if not self.outcome:
            return
        selector = "#corpus-result details"
        states = [bool(details.open) for details in document.querySelectorAll(selector)]
        markup = result_html(self.outcome, self.segments.listing.system_index)
        show_texts(element("corpus-result"), markup)
        for details, is_open in zip(document.querySelectorAll(selector), states, strict=True):
            details.open = is_open
        for name, render in self.section_renderers.items():
            show_texts(element(f"{name}-body"), render(self.outcome))
        self.segments.show_page()
        if self.segments.is_open():
            self.segments.redraw_segment()

    def fill_section(self, name: str) -> None:
        """Fill a section that was opened, unless it is filled."""
        body = element(f"{name}-body")
        if not self.outcome or body.hasChildNodes() or not element(name).open:
            return
        outcome, system_index = self.outcome, self.segments.listing.system_index
        compute, render = SECTION_CONTENT[name]

        def fill(*results: object) -> None:
            renderer = self.section_renderers[name] = lambda outcome: render(
                outcome, system_index, *results
            )
            show_texts(body, renderer(self.outcome or outcome))

        if compute:
            self.jobs.start_job(name, compute(outcome, system_index), fill)
        else:
            fill()
