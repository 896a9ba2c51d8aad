"""The controller of the Files view: settings, scoring, exports, and its panels."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from pyscript import document

from app.browser.dom import (
    download_text,
    element,
    fill_file_settings,
    fit_rows,
    listen,
    read_file_settings,
    read_form,
    reveal,
    set_hidden,
    show_file_error,
)
from app.browser.page import PageCalls, announce, command, commands_of
from app.files.job_list_controller import CHECKING, READING_NOTICE, SCORING, JobList
from app.files.open_files_controller import OpenFiles, connect_drops, connect_pastes
from app.files.reading import TextSource
from app.files.result_controller import CheckUpPanel, ResultPanel, ScoringChoices
from app.files.result_html import CORPUS_FORMATS, spoken_result
from app.files.scoring import CorpusResult, check_and_score, check_texts, iter_check_up
from app.files.segment_controller import SegmentPanel
from app.state.file_settings import (
    FILE_CONTROLS,
    SAME_AS_FORM,
    effective_inputs,
    file_settings,
    with_file_convention,
)
from bleu.core.settings import Settings
from bleu.explanation.phrases import english_list, name_text
from bleu.files.containers import detect_container
from bleu.files.data_table import GROUPS, REFERENCES, SOURCES, SYSTEM
from bleu.files.text_files import FileError


class FilesController:
    """The controller of the Files view, which connects its panels."""

    def __init__(self, page: PageCalls) -> None:
        self.page = page
        self.language = ""
        self.jobs = JobList()
        self.open_files = OpenFiles(self.jobs, self.on_files_changed)
        self.table = self.open_files.table
        self.segments = SegmentPanel(page, self.jobs)
        self.result = ResultPanel(self.jobs, self.segments)
        self.check_up = CheckUpPanel(page, self.jobs, self.score)
        owners = (self, self.jobs, self.open_files, self.table, self.segments, self.check_up)
        self.commands = commands_of(*owners)
        connect_drops(self.open_files, page.models.drop)
        connect_pastes(self.open_files)
        listen("change", "#corpus-form", self.on_change)
        listen("input", "#corpus-form", self.on_input)
        listen("change", "#corpus-outcome", self.on_outcome_change)

    # Events

    def on_change(self, event: Any) -> None:
        """Handle a change of a setting, the baseline or a file."""
        target = event.target
        if target.id == FILE_CONTROLS["convention"]:
            self.set_convention(target.value)
        elif target.id in FILE_CONTROLS.values():
            self.update_stale_notice()
        elif target.id == "columns-named":
            self.table.set_header_row(has_names=bool(target.checked))
        elif item := target.getAttribute("data-source-column"):
            self.open_files.choose_column(item, target.value)
        elif item := target.getAttribute("data-source-header"):
            self.open_files.set_header_row(item, has_names=bool(target.checked))
        elif target.name == "corpus-baseline":
            self.open_files.baseline = target.value
            self.update_stale_notice()
        slot = target.closest("[data-slot]")
        if slot and target.type == "file" and target.files.length:
            self.open_files.read(slot.getAttribute("data-slot"), list(target.files))

    def on_input(self, event: Any) -> None:
        """Handle typing in the name of a system, or in a text box for segments."""
        key = event.target.getAttribute("data-system")
        if key:
            self.open_files.set_name(key, event.target.value)
            self.update_stale_notice()
        elif event.target.closest("[data-slot]"):
            if event.target.tagName == "TEXTAREA":
                fit_rows(event.target)
            self.open_files.on_lines_changed()

    def on_outcome_change(self, event: Any) -> None:
        """Handle the choice of a system or an n-gram order in the result."""
        if event.target.id == "corpus-shown":
            self.result.choose_system(int(event.target.value))
        elif event.target.id == "segment-order":
            self.segments.draw_segment()
            element("segment-order").focus()

    def on_files_changed(self) -> None:
        """Mark the result and the settings search as outdated, and drop the chosen remedies."""
        self.check_up.reset()
        self.page.on_file_texts_changed()
        self.update_stale_notice()

    # Settings

    def set_convention(self, name: str) -> None:
        """Choose the settings of a convention, or those of the form."""
        fill_file_settings(with_file_convention(read_file_settings(), name, read_form()))
        self.update_stale_notice()

    @command("file-convention")
    def choose_convention(self, name: str) -> None:
        """Choose the settings of a convention, and show them."""
        self.set_convention(name)
        self.show_settings()

    def show_settings(self) -> None:
        """Show changed settings, and focus the menu of conventions."""
        self.update_stale_notice()
        reveal("corpus-form")
        element(FILE_CONTROLS["convention"]).focus()

    def update_stale_notice(self) -> None:
        """Show whether settings, files, names, repairs or the baseline have changed since scoring.

        If the files are scored like the form, also show the settings of the form.
        """
        self.page.models.show()
        if read_file_settings().convention == SAME_AS_FORM:
            fill_file_settings(
                with_file_convention(read_file_settings(), SAME_AS_FORM, read_form())
            )
        if outcome := self.result.outcome:
            with suppress(TypeError, ValueError):  # The settings may be incomplete.
                settings = file_settings(read_file_settings(), read_form())
                choices = self.result.choices
                is_current = (
                    self.open_files.baseline == choices.baseline
                    and self.open_files.version == choices.version
                    and self.open_files.system_names() == choices.names
                    and self.check_up.repairs == outcome.report.repairs
                    and settings == outcome.corpora[0].settings
                )
                title = document.querySelector("#corpus-result h2")
                title.tabIndex = -1
                set_hidden(element("corpus-stale"), is_current, title)

    # Scoring

    @command("corpus-run")
    def score(self, _: str = "") -> None:
        """Score the files; the last result stays until the new one is complete."""
        show_file_error("")
        if self.jobs.is_reading():
            self.jobs.show_error(FileError(READING_NOTICE))
            return
        if self.table.has_unopened_columns():
            self.table.open_chosen_columns(on_end=self.score)
            return
        self.open_files.show_systems()
        names = self.open_files.system_names()
        try:
            file_inputs, form_inputs = read_file_settings(), read_form()
            choices = ScoringChoices(
                effective_inputs(file_inputs, form_inputs),
                names,
                self.open_files.baseline,
                self.open_files.version,
            )
            settings = file_settings(file_inputs, form_inputs)
            systems, references, sources = self.open_files.joined_texts()
            source_lines = sources[0].lines if sources else ()
            self.jobs.stop_job(CHECKING)
            texts = systems, references, source_lines
            if systems and references and not self.is_scorable(*texts, settings):
                return
            work = check_and_score(
                systems,
                references,
                list(names.values()),
                list(names).index(choices.baseline) if names else 0,
                settings,
                element("corpus-test").value,
                choices.form_inputs.convention,
                self.open_files.open_sources[GROUPS],
                self.check_up.repairs,
                source_lines,
            )
        except (TypeError, ValueError) as error:
            self.jobs.show_error(error)
            return
        self.jobs.start_job(SCORING, work, partial(self.show_outcome, choices))

    @command("corpus-example")
    def score_example(self, _: str) -> None:
        """Open the example texts, and score them."""
        self.open_files.open_example()
        self.score()

    def is_scorable(
        self,
        systems: list[TextSource],
        references: list[TextSource],
        source_lines: Sequence[str],
        settings: Settings,
    ) -> bool:
        """Return whether the texts may be scored, and show an error if they may not.

        Markup, JSON and tables are scored only if the user chose to score them as text. The
        check-up starts if the texts may not be scored, or if their line counts differ.
        """
        sources = *systems, *references
        roles = [SYSTEM] * len(systems) + [REFERENCES] * len(references)
        names = [
            name_text(source.name)
            for source, role in zip(sources, roles, strict=True)
            if not source.content and detect_container(source.lines, role)
        ]
        is_refused = bool(names) and not self.check_up.as_text
        if is_refused or len({len(source.lines) for source in sources}) > 1:
            work = iter_check_up(systems, references, settings, source_lines)
            size = max(len(source.lines) for source in sources)
            system_names = [source.name for source in systems]
            self.check_up.start(work, size, system_names, source_lines)
        if is_refused:
            message = f"{english_list(names)}: not scored, because this is not plain text."
            self.jobs.show_error(FileError(f"{message} Choose a remedy in the check-up below."))
        return not is_refused

    def show_outcome(self, choices: ScoringChoices, outcome: CorpusResult) -> None:
        """Show a new result, and start its check-up."""
        self.result.show_new_outcome(outcome, choices)
        self.update_stale_notice()
        announce(spoken_result(outcome))
        texts = outcome.texts
        self.check_up.start(
            outcome.check(),
            texts.size,
            texts.names,
            next((source.lines for source in self.open_files.open_sources[SOURCES]), ()),
            self.result.add_check_up,
        )
        self.result.scroll_into_sight()

    def set_language(self, language: str) -> None:
        """Mark the texts in the result and the check-up as written in a language."""
        if language != self.language:
            self.language = language
            self.result.redraw()
            outcome = self.result.outcome
            if outcome and outcome.check_up is self.check_up.check_up:
                self.check_up.draw(outcome.texts.names)

    def searched_texts(self) -> tuple[list[str], Sequence[str], Sequence[Sequence[str]]]:
        """Return the texts for the settings search: source names, hypotheses and references.

        The names are of the chosen system and the reference files.

        Raises FileError if a file is still being read, if the chosen columns are not open, or as
        `check_texts` does.
        """
        if self.jobs.is_reading():
            raise FileError(READING_NOTICE)
        if self.table.has_unopened_columns():
            raise FileError("The columns of the table are not open yet. Press Use these columns.")
        self.open_files.show_systems()
        chosen = element("file-which-system").value
        systems, references, _ = self.open_files.joined_texts(chosen)
        texts = check_texts(systems, references)
        names = [source.name for source in (*systems, *references)]
        return names, texts.hypotheses, texts.references

    def texts_version(self) -> tuple[int, str]:
        """Return a value that changes whenever the files or the chosen system change."""
        return self.open_files.version, element("file-which-system").value

    # Exports

    @command("corpus-copy")
    def copy(self, name: str = "") -> None:
        """Copy the result in a format, by default that of the menu."""
        if outcome := self.result.outcome:
            export_format = CORPUS_FORMATS[name or element("corpus-as").value]
            self.page.notices.copy("Copied", export_format.render(outcome))

    @command("corpus-download")
    def download(self, _: str) -> None:
        """Download the result in the chosen format."""
        if outcome := self.result.outcome:
            export_format = CORPUS_FORMATS[element("corpus-as").value]
            name = f"bleu-files.{export_format.extension}"
            download_text(export_format.render(outcome), name, export_format.media_type)
