"""The result of scored files: its systems, and the sections filled when they are opened."""

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from typing import Any, Final

from pyscript import document, window

from app.browser.dom import element, listen, show_file_error, show_texts
from app.browser.scheduling import DebouncedCall
from app.components import score_in_bar
from app.files.job_list_controller import SECTIONS, JobList
from app.files.listing import SegmentListing, with_system
from app.files.result_html import conventions_table, derivation_html, ngram_gains, result_html
from app.files.scoring import (
    CheckUp,
    CorpusResult,
    credit_differences,
    rename_systems,
    score_under_conventions,
)
from app.files.segment_controller import SegmentPanel
from app.state.inputs import Inputs
from bleu.core.progress import Progress
from bleu.corpus.text_files import FileError

MAX_TOP_SHARE = 0.8
"""The share of the window's height within which a result must begin in order to be noticed."""
RENAME_DELAY_MS = 100
"""Milliseconds from the last keystroke in a name until the result shows it."""

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
        """The renderers of the filled sections, which are used again when the names change."""
        self.duplicate_name_shown = False
        """Whether an error says that two systems have the same name."""
        self.redraw_timer = DebouncedCall(self.redraw)
        sections = ", ".join(f"#{name}" for name in SECTIONS)
        listen("toggle", sections, lambda event: self.fill_section(event.target.id))

    def set_outcome(self, outcome: CorpusResult, choices: ScoringChoices) -> None:
        """Replace the result."""
        self.outcome = self.segments.outcome = outcome
        self.choices = choices
        self.segments.form_inputs = choices.form_inputs

    def show_new_outcome(self, outcome: CorpusResult, choices: ScoringChoices) -> None:
        """Show a new result, without a filter and without an open segment."""
        self.set_outcome(outcome, choices)
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

    def rename(self, current_names: dict[str, str]) -> None:
        """Rename the scored systems to `current_names`, or show an error if two names are equal."""
        if not self.outcome:
            return
        choices = self.choices
        names = {key: current_names.get(key, name) for key, name in choices.names.items()}
        if self.duplicate_name_shown:
            self.duplicate_name_shown = False
            show_file_error("")
        if names == choices.names:
            return
        keys = [choices.baseline, *(key for key in names if key != choices.baseline)]
        try:
            outcome = rename_systems(self.outcome, [names[key] for key in keys])
        except FileError as error:
            self.jobs.show_error(error)
            self.duplicate_name_shown = True
            return
        self.set_outcome(outcome, replace(choices, names=names))
        self.redraw_timer.schedule(RENAME_DELAY_MS)

    def redraw(self) -> None:
        """Show the result with the current names and language; expanded details stay expanded."""
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
