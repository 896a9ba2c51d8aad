"""The adapter of the part for whole files: boxes, files, progress, and the table of segments."""

from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from pyscript import document, window

from app.browser.dom import (
    element,
    fill_file_settings,
    find_element,
    listen,
    read_file_settings,
    read_form,
    replace_text,
    reveal,
    show_file_error,
)
from app.browser.scheduling import DebouncedCall, Job
from app.files.exports import CORPUS_FORMATS
from app.files.html import (
    SegmentListing,
    column_choices,
    conventions_table,
    derivation_html,
    ngram_gains,
    remaining_time_text,
    result_html,
    segment_table,
    sort_segments,
    source_item,
    system_options,
    system_rows,
    turn_page,
    with_sort,
    with_system,
)
from app.files.reading import file_names_text, read_columns, read_files, read_table, read_text
from app.files.scoring import (
    MAX_SYSTEMS,
    BoxError,
    CorpusResult,
    check_and_score,
    check_texts,
    credit_differences,
    rename_systems,
    score_under_conventions,
)
from app.files.segment_html import (
    parse_segment_key,
    segment_derivations,
    segment_steps,
    segment_view,
)
from app.files.tables import (
    DataTable,
    Progress,
    TextSource,
    default_system_names,
    guess_file_role,
    guess_roles,
    pasted_source,
)
from app.state.file_settings import (
    FILE_CONTROLS,
    SAME_AS_FORM,
    FileInputs,
    effective_inputs,
    file_settings,
    with_file_convention,
)
from app.state.inputs import Inputs
from bleu.analysis.comparison import ConventionResult
from bleu.core.clipping import Ngram
from bleu.core.derivation import Derivation
from bleu.corpus.text_files import FileError
from bleu.explanation.matches import ngram_sentence
from bleu.explanation.phrases import english_list, escape_invisible, token_text

BOX_LABELS = {"system": "System output", "second": "Second system", "references": "References"}
MULTIPLE_FILE_SLOTS = ("system", "references")
"""The places in which several files are opened, one after the other."""
SCORING, TABLE = "scoring", "table"
"""The places of work that are no boxes: of what is not the reading of a file, and of a table."""
IN_SIGHT = 0.8
"""How much of the window a result may begin below and still be seen to be there."""
RENAME_DELAY = 100
"""Milliseconds after which a new name is shown everywhere."""
SECTIONS = ("corpus-steps", "corpus-ngrams", "corpus-comparison")
"""The parts of an outcome that are filled when they are opened."""


class JobProgress:
    """How far long work is, in words."""

    task = text = ""
    started_at = share = 0.0

    def update(self, progress: Progress, seconds: float) -> None:
        """Hear how far it is, and say how long the rest of it may take."""
        if progress.what != self.task:
            self.task, self.started_at = progress.what, seconds
        self.share = progress.done / max(1, progress.total)
        self.text = f"{progress.what}: {remaining_time_text(seconds - self.started_at, progress)}"


class CorpusPanel:
    """The files that are open, the work under way, and the last whole outcome."""

    def __init__(
        self,
        show_segment: Callable[[Inputs], None],
        deliver: Callable[[str, str, str, str], None],
        on_texts_changed: Callable[[], None],
    ) -> None:
        self.show_segment = show_segment
        self.deliver = deliver
        self.on_texts_changed = on_texts_changed
        self.open_sources: dict[str, list[TextSource]] = {slot: [] for slot in BOX_LABELS}
        self.custom_names: dict[str, str] = {}
        """The names that were given to systems, by their keys."""
        self.baseline = ""
        self.default_names: list[tuple[str, str]] = []
        self.table: DataTable | None = None
        self.raw_table: DataTable | None = None
        """The table as it was read; `table` may have the row with the names as a row."""
        self.columns: dict[str, list[str]] = {}
        self.opened_columns: dict[str, list[str]] | None = None
        """The columns that are open, or None where none were chosen yet."""
        self.jobs: dict[str, Job[Any]] = {}
        self.progress: dict[str, JobProgress] = {}
        self.queued_files: dict[str, list[Sequence[Any]]] = {
            slot: [] for slot in MULTIPLE_FILE_SLOTS
        }
        self.outcome: CorpusResult | None = None
        self.scored_inputs: tuple[FileInputs, Inputs] = FileInputs(), Inputs()
        """The settings of the outcome: for files, and of the boxes."""
        self.scored_names: tuple[dict[str, str], str] = {}, ""
        """The names of its systems by their keys, and the key of its baseline."""
        self.scored_version = 0
        """The edition of the files of the outcome."""
        self.section_renderers: dict[str, Callable[[CorpusResult], str]] = {}
        """What fills the parts that are open, anew where a system has another name."""
        self.duplicate_name_shown = False
        """Whether it is said that two systems have one name."""
        self.redraw_timer = DebouncedCall(self.redraw)
        self.segment_derivations: list[Derivation] = []
        """The derivations of the segment that is shown, one for each system."""
        self.listing = SegmentListing()
        self.listed_segments: list[int] = []
        self.segment_index = 0
        self.run_while_reading = False
        self.files_version = 0
        """How often the files have changed."""
        self.commands: dict[str, Callable[[str], object]] = {}

    def sources(self, slot: str) -> list[TextSource]:
        """What is open or pasted in one place."""
        return [source for _, source in self.keyed_sources(slot)]

    def keyed_sources(self, slot: str) -> list[tuple[str, TextSource]]:
        """The same, each with a key that it keeps as long as it is there."""
        box = pasted_source(BOX_LABELS[slot], element(f"corpus-{slot}").value)
        opened = [(f"{slot}-{id(one)}", one) for one in self.open_sources[slot]]
        return [*opened, *([(slot, box)] if box.lines else [])]

    def systems(self) -> list[tuple[str, TextSource]]:
        """The systems, in their order, with their keys."""
        return [*self.keyed_sources("system"), *self.keyed_sources("second")]

    def show_systems(self) -> None:
        """Offer the names of the systems to be edited, and the choice of the baseline."""
        systems = []
        for slot in ("system", "second"):
            systems += [(f"{slot}-{id(one)}", one.name) for one in self.open_sources[slot]]
            systems += [(slot, BOX_LABELS[slot])] if element(f"corpus-{slot}").textLength else []
        firsts = default_system_names([name for _, name in systems])
        listed = [(key, first) for (key, _), first in zip(systems, firsts, strict=True)]
        if listed == self.default_names:
            return
        self.default_names = listed
        keys = [key for key, _ in listed]
        self.custom_names = {key: name for key, name in self.custom_names.items() if key in keys}
        if self.baseline not in keys:
            self.baseline = keys[0] if keys else ""
        rows = [(key, first, self.custom_names.get(key, "")) for key, first in listed]
        element("corpus-names").innerHTML = system_rows(rows, self.baseline)
        element("corpus-names").hidden = not rows
        self.update_system_menu()

    def update_system_menu(self) -> None:
        """Offer the systems that a number may be of, by their names."""
        menu = element("file-which-system")
        menu.innerHTML = system_options(self.system_names(), menu.value)
        menu.parentElement.hidden = len(self.default_names) < 2

    def system_names(self) -> dict[str, str]:
        """The names of the systems, by their keys."""
        return {key: self.custom_names.get(key) or first for key, first in self.default_names}

    def score(self) -> None:
        """Score what is there; the last outcome stays until the new one is whole."""
        show_file_error("")
        if self.is_reading():
            self.show_error(FileError("A file is still being read. Try again in a moment."))
            self.run_while_reading = True
            return
        if self.table and self.chosen_columns() != self.opened_columns:
            self.open_chosen_columns(then=self.score)
            return
        self.show_systems()
        baseline, edition = self.baseline, self.files_version
        try:
            file_inputs, form_inputs = read_file_settings(), read_form()
            called = self.system_names()
            keys, names = list(called), list(called.values())
            work = check_and_score(
                [source for _, source in self.systems()],
                self.sources("references"),
                names,
                keys.index(baseline) if keys else 0,
                file_settings(file_inputs, form_inputs),
                element("corpus-test").value,
                effective_inputs(file_inputs, form_inputs).convention,
            )
        except (TypeError, ValueError) as error:
            self.show_error(error)
            return

        def finished(outcome: CorpusResult) -> None:
            self.scored_inputs, self.scored_names = (file_inputs, form_inputs), (called, baseline)
            self.scored_version = edition
            self.show_new_outcome(outcome)
            self.rename()

        self.start_job(SCORING, work, finished)

    def searched_texts(self) -> tuple[list[str], Sequence[str], list[tuple[str, ...]]]:
        """Return the texts in which a number is searched for: the chosen system and the references.

        These are the names of their sources, the hypotheses, and the references of each.

        Raises FileError if there is none, or if a file does not fit the others.
        """
        if self.is_reading():
            raise FileError("A file is still being read. Try again in a moment.")
        if self.table and self.chosen_columns() != self.opened_columns:
            raise FileError("The columns of the table are not open yet. Press Use these columns.")
        self.show_systems()
        systems, chosen = dict(self.systems()), element("file-which-system").value
        texts = check_texts([systems.get(chosen)], self.sources("references"))
        sources = *texts.systems, *texts.references
        return (
            [source.name for source in sources],
            texts.systems[0].lines,
            list(zip(*(source.lines for source in texts.references), strict=True)),
        )

    def texts_version(self) -> tuple[int, str]:
        """Another value when the files or the system are others."""
        return self.files_version, element("file-which-system").value

    def on_files_changed(self) -> None:
        """The files are others than before."""
        self.files_version += 1
        self.on_texts_changed()
        if self.outcome:
            self.update_stale_notice()

    def show_applied_settings(self) -> None:
        """Show the settings that a search put into the controls."""
        self.update_stale_notice()
        reveal("corpus-form")
        element(FILE_CONTROLS["convention"]).focus()

    def start_job(
        self, job_key: str, work: Generator[Any, Any, Any], finished: Callable[[Any], None]
    ) -> None:
        """Start long work in place of what is under way there."""
        self.stop_job(job_key)

        def end(value: Any) -> None:
            self.job_ended(job_key)
            finished(value)

        def fail(error: Exception) -> None:
            self.job_ended(job_key)
            clear_file_input(job_key)
            self.show_error(error, job_key)

        def told(progress: Progress, seconds: float) -> None:
            done.update(progress, seconds)
            self.show_progress()

        done = self.progress[job_key] = JobProgress()
        self.jobs[job_key] = Job(work, end, fail, told)
        self.show_progress()

    def show_progress(self) -> None:
        """Show how far all is that is under way."""
        done = self.progress.values()
        element("corpus-cancel").hidden = not done
        element("corpus-progress").hidden = not done
        element("corpus-progress").value = sum(one.share for one in done) / max(1, len(done))
        words = "; ".join(one.text for one in done if one.text)
        element("corpus-progress-text").textContent = words

    def stop_job(self, job_key: str) -> None:
        """Stop what is under way in a place; everything else stays as it was."""
        if job_key in self.jobs:
            self.jobs[job_key].close()
            self.job_ended(job_key)

    def cancel_jobs(self) -> None:
        """Stop all that is under way."""
        for waiting in self.queued_files.values():
            waiting.clear()
        for place in list(self.jobs):
            self.stop_job(place)
            clear_file_input(place)

    def job_ended(self, job_key: str) -> None:
        """Nothing is under way any more in a place; what waits for it has its turn."""
        del self.jobs[job_key], self.progress[job_key]
        self.show_progress()
        if self.run_while_reading and not self.is_reading():
            self.run_while_reading = False
            show_file_error("")
        if self.queued_files.get(job_key):
            self.read(job_key, self.queued_files[job_key].pop(0))

    def is_reading(self) -> bool:
        """Whether a file is being read."""
        return bool(self.jobs.keys() - {SCORING, *SECTIONS})

    def show_error(self, error: Exception, job_key: str = SCORING) -> None:
        """Say what is wrong, and lose nothing: at the texts that it is about, or at the files."""
        self.run_while_reading = False
        if isinstance(error, MemoryError):
            words = "The browser has no memory left for this; try it in parts."
        elif isinstance(error, TypeError | ValueError):
            words = str(error)
        else:
            words = f"The page itself failed, and your files are untouched: {error!r}"
        if job_key in (SCORING, TABLE, *BOX_LABELS, *SECTIONS):
            fields = error.boxes if isinstance(error, BoxError) else ()
            show_file_error(words, [f"corpus-{job_key}"] if job_key in BOX_LABELS else fields)
        elif job_key:
            element("error").textContent = words
            element("error").scrollIntoView(False)
        else:
            reveal("files")
            show_file_error(words)

    def show_new_outcome(self, outcome: CorpusResult) -> None:
        """Show a new outcome."""
        self.outcome = outcome
        self.listing = SegmentListing(system_index=min(1, len(outcome.corpora) - 1))
        element("segments-filter").value = ""
        element("corpus-outcome").hidden = False
        self.close_segment()
        self.show_outcome()
        self.update_stale_notice()
        top = element("corpus-result").getBoundingClientRect().top
        if top > IN_SIGHT * window.innerHeight:
            element("corpus-outcome").scrollIntoView()

    def show_outcome(self) -> None:
        """Show the outcome with the system that the listing is of in detail; fold what unfolds."""
        if not self.outcome:
            return
        element("corpus-result").innerHTML = result_html(self.outcome, self.listing.system_index)
        element("corpus-ngrams").hidden = not self.listing.system_index
        self.section_renderers = {}
        for name in SECTIONS:
            self.stop_job(name)
            element(name).open = False
            element(f"{name}-body").innerHTML = ""
        self.relist()

    def rename(self) -> None:
        """Give the systems of the outcome the names that they have now, without scoring anew."""
        if not self.outcome:
            return
        (called, baseline), now = self.scored_names, self.system_names()
        names = {key: now.get(key, name) for key, name in called.items()}
        if self.duplicate_name_shown:
            self.duplicate_name_shown = False
            show_file_error("")
        if names == called:
            return
        keys = [baseline, *(key for key in names if key != baseline)]
        try:
            self.outcome = rename_systems(self.outcome, [names[key] for key in keys])
        except FileError as error:
            self.show_error(error)
            self.duplicate_name_shown = True
            return
        self.scored_names = names, baseline
        self.redraw_timer.schedule(RENAME_DELAY)

    def redraw(self) -> None:
        """Show the outcome under its new names; what is open stays open."""
        if not self.outcome:
            return
        parts = document.querySelector("#corpus-result .parts")
        was_open = bool(parts and parts.open)
        element("corpus-result").innerHTML = result_html(self.outcome, self.listing.system_index)
        document.querySelector("#corpus-result .parts").open = was_open
        for name, make in self.section_renderers.items():
            element(f"{name}-body").innerHTML = make(self.outcome)
        self.show_page()
        if not element("segment-view").hidden:
            opened = [
                place
                for place in range(len(self.segment_derivations))
                if not element(f"segment-steps-{place}").hidden
            ]
            self.draw_segment()
            for place in opened:
                self.segment_steps(place)

    def choose_system(self, system_index: int) -> None:
        """Show another system in detail."""
        self.listing = with_system(self.listing, system_index)
        self.show_outcome()
        if not element("segment-view").hidden:
            self.draw_segment()
        element("corpus-shown").focus()

    def choose_convention(self, name: str) -> None:
        """The settings that an implementation has, or those of the boxes."""
        fill_file_settings(with_file_convention(read_file_settings(), name, read_form()))
        self.update_stale_notice()

    def update_stale_notice(self) -> None:
        """Show those of the boxes where they count; say so where an outcome has others.

        The same goes for the files, and for the baseline.
        """
        if read_file_settings().convention == SAME_AS_FORM:
            fill_file_settings(
                with_file_convention(read_file_settings(), SAME_AS_FORM, read_form())
            )
        if self.outcome:
            with suppress(TypeError, ValueError):  # the settings may make no sense by now
                settings = file_settings(read_file_settings(), read_form())
                of_these = self.scored_names[1], self.scored_version
                same = of_these == (self.baseline, self.files_version)
                same &= settings == self.outcome.corpora[0].settings
                element("corpus-stale").hidden = same

    def relist(self) -> None:
        """Sort and filter the segments, and show the page."""
        if self.outcome:
            self.listed_segments = sort_segments(self.outcome, self.listing)
            self.show_page()

    def show_page(self) -> None:
        """Show the page of the table that the listing names."""
        if self.outcome:
            element("segments-body").innerHTML = segment_table(
                self.outcome, self.listing, self.listed_segments
            )

    def fill_section(self, name: str) -> None:
        """Fill a part that was opened, once."""
        body = element(f"{name}-body")
        if not self.outcome or body.innerHTML or not element(name).open:
            return
        outcome, place = self.outcome, self.listing.system_index
        texts, settings = outcome.texts, outcome.corpora[0].settings

        def fill(make: Callable[[CorpusResult], str]) -> None:
            self.section_renderers[name] = make
            body.innerHTML = make(self.outcome or outcome)

        if name == "corpus-steps":
            fill(lambda now: derivation_html(now, place))
        elif name == "corpus-ngrams":

            def show(more: Counter[Ngram]) -> None:
                fill(lambda now: ngram_gains(more, system_pair_names(now, place)))

            self.start_job(name, credit_differences(texts, settings, place), show)
        else:

            def compare(found: tuple[ConventionResult, ...]) -> None:
                fill(lambda now: conventions_table(now, place, found))

            self.start_job(name, score_under_conventions(outcome, place), compare)

    def open_segment(self, number: int) -> None:
        """Show one segment, as every system has it; the boxes stay as they are."""
        if self.outcome:
            self.segment_index = number
            try:
                self.segment_derivations = segment_derivations(self.outcome, number)
            except ValueError as error:
                self.show_error(error)
                return
            element("segment-view").hidden = False
            self.draw_segment()
            element("segment-view").scrollIntoView()
            element("segment-title").focus()

    def draw_segment(self, order: int = 1) -> None:
        """Show the segment with the matches of one order."""
        if self.outcome:
            shown, place = find_element("segment-order"), self.listing.system_index
            chosen = min(
                int(shown.value) if shown else order, len(self.segment_derivations[0].orders)
            )
            element("segment-view").innerHTML = segment_view(
                self.outcome,
                self.segment_derivations,
                self.segment_index,
                self.listed_segments,
                chosen,
                place,
            )

    def step_segment(self, way: int) -> None:
        """The segment before or after this one in the table."""
        if self.segment_index in self.listed_segments:
            self.open_segment(
                self.listed_segments[self.listed_segments.index(self.segment_index) + way]
            )
            button = document.querySelector(f'[data-command="segment-step:{way}"]')
            if not button.disabled:
                button.focus()

    def segment_steps(self, system_index: int) -> None:
        """Show or hide every step of one system's score of the segment."""
        body = element(f"segment-steps-{system_index}")
        body.hidden = not body.hidden
        if not body.innerHTML:
            body.innerHTML = segment_steps(self.segment_derivations[system_index], system_index)
        button = document.querySelector(f'[data-command="segment-steps:{system_index}"]')
        button.setAttribute("aria-expanded", "false" if body.hidden else "true")

    def close_segment(self) -> None:
        """Show no segment."""
        self.segment_derivations = []
        element("segment-view").hidden = True
        element("segment-view").innerHTML = ""

    def leave_segment(self) -> None:
        """Return to the segment's row."""
        self.close_segment()
        row = document.querySelector(f'[data-command="segment:{self.segment_index}"]')
        if row:
            row.scrollIntoView()
            row.focus()
        else:
            reveal("segments-title")

    def open_in_boxes(self, system_index: int) -> None:
        """Put one system's segment into the boxes, with the settings that it was scored under."""
        if self.outcome:
            hypothesis, references = self.outcome.texts.segment(self.segment_index, system_index)
            under = effective_inputs(*self.scored_inputs)
            self.show_segment(replace(under, hypothesis=hypothesis, references=references))
            element("back").hidden = False

    def show_ngram_sentence(self, key: str) -> bool:
        """Say of an n-gram of the segment that is shown what it is credited; whether it is one."""
        parts = parse_segment_key(key)
        line = find_element("segment-reading")
        if line:
            known = parts and parts[0] < len(self.segment_derivations)
            line.textContent = (
                ngram_sentence(self.segment_derivations[parts[0]], parts[1])
                if known and parts
                else ""
            )
        return bool(parts)

    def back(self) -> None:
        """Return from the boxes to the segment."""
        if find_element("segment-title"):
            reveal("segment-view")
            element("segment-title").focus()
        else:
            reveal("segments-title")
            self.leave_segment()

    def show_opened(self, slot: str) -> None:
        """List the files that are open in one place."""
        items = (source_item(slot, n, one) for n, one in enumerate(self.open_sources[slot]))
        document.querySelector(f'[data-slot="{slot}"] .opened').innerHTML = "".join(items)
        if slot != "references":
            box = element(f"corpus-{slot}")
            box.hidden = bool(self.open_sources[slot]) and not box.textLength
        self.show_systems()
        self.on_files_changed()

    def read(self, slot: str, files: Sequence[Any]) -> None:
        """Read files into their place, all or none.

        Those of systems and references come to those that are there, and wait for those that are
        being read; elsewhere, another choice stops an earlier one. Of files for systems, one that
        alone is named like a reference is taken for it.
        """
        element("corpus-note").textContent = ""
        show_file_error("")
        if slot == "system" and len({guess_file_role(file.name) for file in files}) > 1:
            self.read_by_name(files)
        elif len(files) > 1 and slot not in MULTIPLE_FILE_SLOTS:
            clear_file_input(slot)
            words = f"{file_names_text(files)} are {len(files)} files, and there is room for one."
            self.show_error(FileError(f"{words} Choose one."), slot)
        else:
            self.start_reading(slot, files)

    def start_reading(self, slot: str, files: Sequence[Any]) -> None:
        """Read files that are in the right place."""
        if slot in MULTIPLE_FILE_SLOTS and slot in self.jobs:
            self.queued_files[slot].append(files)
        elif slot == TABLE:
            self.start_job(slot, read_table(files[0]), self.show_table)
        elif slot in BOX_LABELS:
            self.columns.pop(slot, None)
            self.start_job(slot, read_files(files), partial(self.add_sources, slot))
        else:
            self.start_job(slot, read_text(files[0]), partial(replace_text, slot))

    def read_by_name(self, files: Sequence[Any]) -> None:
        """Read files into the places that their names speak of; say which are no system's."""
        element("corpus-note").textContent = ""
        show_file_error("")
        places: dict[str, list[Any]] = {}
        for file in files:
            places.setdefault(guess_file_role(file.name), []).append(file)
        if "table" in places and len(files) > 1:
            clear_file_input("system")
            tables = english_list([token_text(file.name) for file in places["table"]])
            words = f"{tables}: a table has all in one file. Drop it alone."
            self.show_error(FileError(words), SCORING)
            return
        if "table" in places:
            element("table-file").open = True
            self.start_reading(TABLE, files)
            return
        said = []
        for slot, words in (
            ("references", "taken for a reference because of the name"),
            ("source", "left out: BLEU does not need the source"),
        ):
            if slot in places:
                said.append(f"{file_names_text(places[slot])}: {words}.")
        for slot in ("system", "references"):
            if slot in places:
                self.start_reading(slot, places[slot])
        element("corpus-note").textContent = " ".join(said)

    def add_sources(self, slot: str, sources: list[TextSource]) -> None:
        """Open sources in their place; a second system has one at a time."""
        if slot not in MULTIPLE_FILE_SLOTS:
            self.open_sources[slot] = sources
        elif slot == "system" and len(self.open_sources[slot]) + len(sources) > MAX_SYSTEMS:
            clear_file_input(slot)
            words = f"{len(self.open_sources[slot])} are open, and you added {len(sources)} more"
            self.show_error(FileError(f"There is room for {MAX_SYSTEMS} systems: {words}."), slot)
        else:
            self.open_sources[slot] = [*self.open_sources[slot], *sources]
        self.show_opened(slot)

    def show_table(self, found: DataTable) -> None:
        """Offer the columns of a table, with what their headers say."""
        self.raw_table = self.table = found
        self.opened_columns = None
        element("columns").innerHTML = column_choices(found, guess_roles(found))

    def set_header_row(self, *, named: bool) -> None:
        """Take the first row of the table for names, or for a row like the others."""
        if not self.raw_table:
            return
        self.stop_job(TABLE)  # columns that are being taken are those of before
        roles = [str(menu.value) for menu in document.querySelectorAll("#columns [data-column]")]
        self.table = self.raw_table if named else self.raw_table.without_header
        self.opened_columns = None
        element("columns").innerHTML = column_choices(self.table, roles, named=named)
        element("columns-named").focus()

    def chosen_columns(self) -> dict[str, list[str]]:
        """The columns that are chosen for each place, by their numbers."""
        chosen: dict[str, list[str]] = {}
        for menu in document.querySelectorAll("#columns [data-column]"):
            if menu.value:
                chosen.setdefault(menu.value, []).append(menu.getAttribute("data-column"))
        return chosen

    def open_chosen_columns(self, then: Callable[[], None] | None = None) -> None:
        """Open the chosen columns in their places, all or none.

        A place for which none is chosen keeps what is open there.
        """
        if not self.table:
            return
        show_file_error("")
        chosen = self.chosen_columns()
        for slot, name in (("references", "reference"), ("system", "system")):
            if slot not in chosen and (
                slot in (self.opened_columns or {}) or not self.sources(slot)
            ):
                words = f"No column of {self.table.name} is used as a {name}. Choose one."
                self.show_error(FileError(words), TABLE)
                return
        self.columns = dict(chosen)
        for slot in self.columns:
            if slot in self.queued_files:
                self.queued_files[slot] = []
            self.stop_job(slot)

        def put(found: dict[str, list[TextSource]]) -> None:
            self.opened_columns = chosen
            self.add_columns(found)
            if then:
                then()

        self.start_job(TABLE, read_columns(self.table, dict(self.columns)), put)

    def close_table(self) -> None:
        """Offer the columns of the table no more; what was taken from it stays open."""
        self.table = self.raw_table = self.opened_columns = None
        element("columns").innerHTML = ""
        clear_file_input(TABLE)
        element("corpus-table-file").focus()

    def add_columns(self, found: dict[str, list[TextSource]]) -> None:
        """Open columns, but where a file was chosen since."""
        for slot in self.columns:
            self.open_sources[slot] = found[slot]
            self.show_opened(slot)


def system_pair_names(outcome: CorpusResult, system_index: int) -> tuple[str, str]:
    """The names of the baseline and of another system."""
    systems = outcome.texts.systems
    return systems[0].name, systems[system_index].name


def clear_file_input(slot: str) -> None:
    """The file that was chosen in a place is not the one that is open."""
    chosen = element(f"corpus-{slot}-file")
    if chosen:
        chosen.value = ""


def has_files(event: Any) -> bool:
    """Whether files are dragged, and not a text."""
    return bool(event.dataTransfer and event.dataTransfer.types.includes("Files"))


def drop_target(event: Any) -> Any:
    """The box that a file is for which is where the event is, or None."""
    node = event.target if event.target.nodeType == 1 else event.target.parentElement
    return node.closest("[data-slot], #inputs :is(.field, .reference)") if node else None


def mark_drop_target(box: Any) -> None:
    """Mark the box that a file is over, or none."""
    if box and box.hasAttribute("data-over"):
        return
    for marked in document.querySelectorAll("[data-over]"):
        marked.removeAttribute("data-over")
    if box:
        box.setAttribute("data-over", "")


def connect_corpus_panel(
    show_segment: Callable[[Inputs], None],
    deliver: Callable[[str, str, str, str], None],
    on_texts_changed: Callable[[], None],
) -> CorpusPanel:
    """Listen to the part for whole files.

    `show_segment` puts one segment with its settings into the boxes, and `deliver` takes what is made,
    the ending and type of its file, and whether to copy or to save it.
    """
    panel = CorpusPanel(show_segment, deliver, on_texts_changed)

    def relist(listing: SegmentListing) -> None:
        panel.listing = listing
        panel.relist()
        document.querySelector(f'[data-command="sort:{listing.sort}"]').focus()

    def turn_to_page(where: str) -> None:
        panel.listing = turn_page(panel.listing, where, panel.listed_segments)
        panel.show_page()
        button = document.querySelector(f'[data-command="page:{where}"]')
        (button if not button.disabled else element("segments-filter")).focus()

    def close(place: str) -> None:
        slot, _, number = place.partition(":")
        del panel.open_sources[slot][int(number)]
        panel.show_opened(slot)
        element(f"corpus-{slot}-file").value = ""
        element(f"corpus-{slot}-file").focus()

    def split(place: str) -> None:
        slot, _, number = place.partition(":")
        panel.open_sources[slot][int(number)] = panel.open_sources[slot][int(number)].split()
        panel.show_opened(slot)
        document.querySelector(f'[data-command="close:{place}"]').focus()

    def on_filter(event: Any) -> None:
        panel.listing = replace(panel.listing, query=event.target.value, page=0)
        panel.relist()

    def on_change(event: Any) -> None:
        target = event.target
        if target.id == FILE_CONTROLS["convention"]:
            panel.choose_convention(target.value)
        elif target.id in FILE_CONTROLS.values():
            panel.update_stale_notice()
        elif target.id == "columns-named":
            panel.set_header_row(named=bool(target.checked))
        elif target.name == "corpus-baseline":
            panel.baseline = target.value
            panel.update_stale_notice()
        slot = target.closest("[data-slot]")
        if slot and target.type == "file" and target.files.length:
            panel.read(slot.getAttribute("data-slot"), list(target.files))

    def on_input(event: Any) -> None:
        key = event.target.getAttribute("data-system")
        if key:
            panel.custom_names[key] = escape_invisible(event.target.value.strip())
            panel.update_system_menu()
            panel.rename()
        elif event.target.closest("[data-slot]"):
            panel.show_systems()
            panel.on_files_changed()

    def on_outcome_change(event: Any) -> None:
        if event.target.id == "corpus-shown":
            panel.choose_system(int(event.target.value))
        elif event.target.id == "segment-order":
            panel.draw_segment()
            element("segment-order").focus()

    def convention(name: str) -> None:
        panel.choose_convention(name)
        reveal("corpus-form")
        element(FILE_CONTROLS["convention"]).focus()

    def on_drag_over(event: Any) -> None:
        if has_files(event):
            event.preventDefault()
            mark_drop_target(drop_target(event))

    def on_drag_leave(event: Any) -> None:
        if not event.relatedTarget:
            mark_drop_target(None)

    def on_drop(event: Any) -> None:
        # the files are gone with the event
        mark_drop_target(None)
        if not has_files(event):
            return
        event.preventDefault()
        files, box = list(event.dataTransfer.files), drop_target(event)
        if not files:
            return
        if box:
            place = box.getAttribute("data-slot") or box.querySelector("textarea").id
            clear_file_input(place)
            panel.read(place, files)
        else:
            reveal("files")
            panel.read_by_name(sorted(files, key=lambda file: file.name))
            element("corpus-form").scrollIntoView()

    def export(how: str) -> None:
        if panel.outcome:
            form = CORPUS_FORMATS[element("corpus-as").value]
            panel.deliver(form.render(panel.outcome), form.extension, form.media_type, how)

    listen("change", "#corpus-form", on_change)
    listen("input", "#corpus-form", on_input)
    listen("change", "#corpus-outcome", on_outcome_change)
    listen("dragenter", document, on_drag_over)
    listen("dragover", document, on_drag_over)
    listen("dragleave", document, on_drag_leave)
    listen("drop", document, on_drop)
    listen("input", "#segments-filter", on_filter)
    panel.commands = {
        "sort": lambda key: relist(with_sort(panel.listing, key)),
        "page": turn_to_page,
        "segment": lambda number: panel.open_segment(int(number)),
        "segment-step": lambda way: panel.step_segment(int(way)),
        "segment-steps": lambda place: panel.segment_steps(int(place)),
        "segment-boxes": lambda place: panel.open_in_boxes(int(place)),
        "segment-close": lambda _: panel.leave_segment(),
        "file-convention": convention,
        "close": close,
        "split": split,
        "use-columns": lambda _: panel.open_chosen_columns(),
        "close-table": lambda _: panel.close_table(),
        "corpus-run": lambda _: panel.score(),
        "corpus-again": lambda _: panel.score(),
        "corpus-cancel": lambda _: panel.cancel_jobs(),
        "corpus-copy": lambda _: export("copy"),
        "corpus-download": lambda _: export("save"),
        "back": lambda _: panel.back(),
    }
    folds = ", ".join(f"#{name}" for name in SECTIONS)
    listen("toggle", folds, lambda event: panel.fill_section(event.target.id))
    return panel
