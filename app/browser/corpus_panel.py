"""The adapter of the part for whole files: boxes, files, progress, and the table of segments."""

from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from pyscript import document, window

from app.browser.background import Job, Timer
from app.browser.dom import (
    element,
    fill_file_settings,
    go_to,
    listen,
    put_text,
    read_file_settings,
    read_form,
    show_file_error,
)
from app.browser.which_panel import WhichPanel
from app.page.corpus import (
    MOST_SYSTEMS,
    BoxError,
    CorpusResult,
    checked,
    compared_conventions,
    gains,
    renamed,
    whole,
)
from app.page.corpus_html import (
    CORPUS_FORMATS,
    Listing,
    column_choices,
    conventions_table,
    derivation_html,
    ngram_gains,
    of_system,
    paged,
    result,
    segments,
    sort_segments,
    sorted_by,
    source_line,
    system_options,
    system_rows,
    time_left,
)
from app.page.file_settings import (
    AS_BOXES,
    FILE_CONTROLS,
    FileInputs,
    as_boxes,
    file_settings,
    with_file_convention,
)
from app.page.form import Inputs
from app.page.reading import file_names, read_files, read_table, read_text, take_columns
from app.page.segment_html import derivations, key_parts, segment_steps, segment_view
from app.page.uploads import (
    Progress,
    Sheet,
    Source,
    first_names,
    guessed_roles,
    pasted,
    role_of,
)
from bleu.analysis.comparison import ConventionCorpusResult
from bleu.core.clipping import Ngram
from bleu.core.derivation import Derivation
from bleu.corpus.text_files import FileError
from bleu.explanation.matches import reading
from bleu.explanation.words import english_list, token_text, visible

if TYPE_CHECKING:
    from app.page.which import Asked
    from bleu.analysis.which import Candidate

BOXES = {"system": "System output", "second": "Second system", "references": "References"}
MANY = ("system", "references")
"""The places in which several files are opened, one after the other."""
SCORING, TABLE = "scoring", "table"
"""The places of work that are no boxes: of what is not the reading of a file, and of a table."""
SEEN = 0.8
"""How much of the window a result may begin below and still be seen to be there."""
PAUSE = 100
"""Milliseconds after which a new name is shown everywhere."""
FOLDS = ("corpus-steps", "corpus-ngrams", "corpus-comparison")
"""The parts of an outcome that are filled when they are opened."""


class Done:
    """How far long work is, in words."""

    what = words = ""
    began = share = 0.0

    def tell(self, progress: Progress, seconds: float) -> None:
        """Hear how far it is, and say how long the rest of it may take."""
        if progress.what != self.what:
            self.what, self.began = progress.what, seconds
        self.share = progress.done / max(1, progress.of)
        self.words = f"{progress.what}: {time_left(seconds - self.began, progress)}"


class CorpusPanel:
    """The files that are open, the work under way, and the last whole outcome."""

    def __init__(
        self,
        show_segment: Callable[[Inputs], None],
        give: Callable[[str, str, str, str], None],
    ) -> None:
        self.show_segment = show_segment
        self.give = give
        self.opened: dict[str, list[Source]] = {slot: [] for slot in BOXES}
        self.names: dict[str, str] = {}
        """The names that were given to systems, by their keys."""
        self.baseline = ""
        self.listed: list[tuple[str, str]] = []
        self.sheet: Sheet | None = None
        self.read_sheet: Sheet | None = None
        """The table as it was read; `sheet` may have the row with the names as a row."""
        self.columns: dict[str, list[str]] = {}
        self.taken: dict[str, list[str]] | None = None
        """The columns that are open, or None where none were chosen yet."""
        self.jobs: dict[str, Job[Any]] = {}
        self.done: dict[str, Done] = {}
        self.waiting: dict[str, list[Sequence[Any]]] = {slot: [] for slot in MANY}
        self.outcome: CorpusResult | None = None
        self.scored_under: tuple[FileInputs, Inputs] = FileInputs(), Inputs()
        """The settings of the outcome: for files, and of the boxes."""
        self.scored_as: tuple[dict[str, str], str] = {}, ""
        """The names of its systems by their keys, and the key of its baseline."""
        self.scored_at = 0
        """The edition of the files of the outcome."""
        self.filled: dict[str, Callable[[CorpusResult], str]] = {}
        """What fills the parts that are open, anew where a system has another name."""
        self.twice = False
        """Whether it is said that two systems have one name."""
        self.redrawing = Timer(self.redraw)
        self.found: list[Derivation] = []
        """The derivations of the segment that is shown, one for each system."""
        self.listing = Listing()
        self.numbers: list[int] = []
        self.place = 0
        self.too_early = False
        self.edition = 0
        """How often the files have changed."""
        self.which = WhichPanel("file-which", self.asked, self.texts, self.take_settings)
        self.commands: dict[str, Callable[[str], object]] = {}

    def sources(self, slot: str) -> list[Source]:
        """What is open or pasted in one place."""
        return [source for _, source in self.keyed(slot)]

    def keyed(self, slot: str) -> list[tuple[str, Source]]:
        """The same, each with a key that it keeps as long as it is there."""
        box = pasted(BOXES[slot], element(f"corpus-{slot}").value)
        opened = [(f"{slot}-{id(one)}", one) for one in self.opened[slot]]
        return [*opened, *([(slot, box)] if box.lines else [])]

    def systems(self) -> list[tuple[str, Source]]:
        """The systems, in their order, with their keys."""
        return [*self.keyed("system"), *self.keyed("second")]

    def show_systems(self) -> None:
        """Offer the names of the systems to be edited, and the choice of the baseline."""
        systems = []
        for slot in ("system", "second"):
            systems += [(f"{slot}-{id(one)}", one.name) for one in self.opened[slot]]
            systems += [(slot, BOXES[slot])] if element(f"corpus-{slot}").textLength else []
        firsts = first_names([name for _, name in systems])
        listed = [(key, first) for (key, _), first in zip(systems, firsts, strict=True)]
        if listed == self.listed:
            return
        self.listed = listed
        keys = [key for key, _ in listed]
        self.names = {key: name for key, name in self.names.items() if key in keys}
        if self.baseline not in keys:
            self.baseline = keys[0] if keys else ""
        rows = [(key, first, self.names.get(key, "")) for key, first in listed]
        element("corpus-names").innerHTML = system_rows(rows, self.baseline)
        element("corpus-names").hidden = not rows
        self.offer_systems()

    def offer_systems(self) -> None:
        """Offer the systems that a number may be of, by their names."""
        menu = element("file-which-system")
        menu.innerHTML = system_options(self.called(), menu.value)
        menu.parentElement.hidden = len(self.listed) < 2

    def called(self) -> dict[str, str]:
        """The names of the systems, by their keys."""
        return {key: self.names.get(key) or first for key, first in self.listed}

    def run(self) -> None:
        """Score what is there; the last outcome stays until the new one is whole."""
        show_file_error("")
        if self.reading():
            self.refuse(FileError("A file is still being read. Try again in a moment."))
            self.too_early = True
            return
        if self.sheet and self.chosen_columns() != self.taken:
            self.use_columns(then=self.run)
            return
        self.show_systems()
        baseline, edition = self.baseline, self.edition
        try:
            own, boxes = read_file_settings(), read_form()
            called = self.called()
            keys, names = list(called), list(called.values())
            work = whole(
                [source for _, source in self.systems()],
                self.sources("references"),
                names,
                keys.index(baseline) if keys else 0,
                file_settings(own, boxes),
                element("corpus-test").value,
                as_boxes(own, boxes).convention,
            )
        except (TypeError, ValueError) as error:
            self.refuse(error)
            return

        def finished(outcome: CorpusResult) -> None:
            self.scored_under, self.scored_as = (own, boxes), (called, baseline)
            self.scored_at = edition
            self.finish(outcome)
            self.rename()

        self.begin(SCORING, work, finished)

    def asked(self) -> "Asked":
        """What a number is said to be of: one system, and the references.

        Raises FileError where there is none, or where a file does not fit the others.
        """
        from app.page.which import of_files

        if self.reading():
            raise FileError("A file is still being read. Try again in a moment.")
        if self.sheet and self.chosen_columns() != self.taken:
            raise FileError("The columns of the table are not open yet. Press Use these columns.")
        self.show_systems()
        systems, chosen = dict(self.systems()), element("file-which-system").value
        return of_files(checked([systems.get(chosen)], self.sources("references")))

    def texts(self) -> tuple[int, str]:
        """Another value when the files or the system are others."""
        return self.edition, element("file-which-system").value

    def changed(self) -> None:
        """The files are others than before."""
        self.edition += 1
        self.which.check_texts()
        if self.outcome:
            self.check_settings()

    def take_settings(self, candidate: "Candidate") -> None:
        """The settings that give a number."""
        from app.page.which import applied_to_files

        fill_file_settings(applied_to_files(read_file_settings(), candidate))
        self.check_settings()
        go_to("corpus-form")
        element(FILE_CONTROLS["convention"]).focus()

    def begin(
        self, place: str, work: Generator[Any, Any, Any], finished: Callable[[Any], None]
    ) -> None:
        """Start long work in place of what is under way there."""
        self.stop(place)

        def end(value: Any) -> None:
            self.rest(place)
            finished(value)

        def fail(error: Exception) -> None:
            self.rest(place)
            forget_choice(place)
            self.refuse(error, place)

        def told(progress: Progress, seconds: float) -> None:
            done.tell(progress, seconds)
            self.show_progress()

        done = self.done[place] = Done()
        self.jobs[place] = Job(work, end, fail, told)
        self.show_progress()

    def show_progress(self) -> None:
        """Show how far all is that is under way."""
        done = self.done.values()
        element("corpus-cancel").hidden = not done
        element("corpus-progress").hidden = not done
        element("corpus-progress").value = sum(one.share for one in done) / max(1, len(done))
        words = "; ".join(one.words for one in done if one.words)
        element("corpus-progress-text").textContent = words

    def stop(self, place: str) -> None:
        """Stop what is under way in a place; everything else stays as it was."""
        if place in self.jobs:
            self.jobs[place].close()
            self.rest(place)

    def cancel(self) -> None:
        """Stop all that is under way."""
        for waiting in self.waiting.values():
            waiting.clear()
        for place in list(self.jobs):
            self.stop(place)
            forget_choice(place)

    def rest(self, place: str) -> None:
        """Nothing is under way any more in a place; what waits for it has its turn."""
        del self.jobs[place], self.done[place]
        self.show_progress()
        if self.too_early and not self.reading():
            self.too_early = False
            show_file_error("")
        if self.waiting.get(place):
            self.read(place, self.waiting[place].pop(0))

    def reading(self) -> bool:
        """Whether a file is being read."""
        return bool(self.jobs.keys() - {SCORING, *FOLDS})

    def refuse(self, error: Exception, place: str = SCORING) -> None:
        """Say what is wrong, and lose nothing: at the texts that it is about, or at the files."""
        self.too_early = False
        if isinstance(error, MemoryError):
            words = "The browser has no memory left for this; try it in parts."
        elif isinstance(error, TypeError | ValueError):
            words = str(error)
        else:
            words = f"The page itself failed, and your files are untouched: {error!r}"
        if place in (SCORING, TABLE, *BOXES, *FOLDS):
            fields = error.boxes if isinstance(error, BoxError) else ()
            show_file_error(words, [f"corpus-{place}"] if place in BOXES else fields)
        elif place:
            element("error").textContent = words
            element("error").scrollIntoView(False)
        else:
            go_to("files")
            show_file_error(words)

    def finish(self, outcome: CorpusResult) -> None:
        """Show a new outcome."""
        self.outcome = outcome
        self.listing = Listing(place=min(1, len(outcome.corpora) - 1))
        element("segments-filter").value = ""
        element("corpus-outcome").hidden = False
        self.close_segment()
        self.show_outcome()
        self.check_settings()
        top = element("corpus-result").getBoundingClientRect().top
        if top > SEEN * window.innerHeight:
            element("corpus-outcome").scrollIntoView()

    def show_outcome(self) -> None:
        """Show the outcome with the system that the listing is of in detail; fold what unfolds."""
        if not self.outcome:
            return
        element("corpus-result").innerHTML = result(self.outcome, self.listing.place)
        element("corpus-ngrams").hidden = not self.listing.place
        self.filled = {}
        for name in FOLDS:
            self.stop(name)
            element(name).open = False
            element(f"{name}-body").innerHTML = ""
        self.list_again()

    def rename(self) -> None:
        """Give the systems of the outcome the names that they have now, without scoring anew."""
        if not self.outcome:
            return
        (called, baseline), now = self.scored_as, self.called()
        names = {key: now.get(key, name) for key, name in called.items()}
        if self.twice:
            self.twice = False
            show_file_error("")
        if names == called:
            return
        keys = [baseline, *(key for key in names if key != baseline)]
        try:
            self.outcome = renamed(self.outcome, [names[key] for key in keys])
        except FileError as error:
            self.refuse(error)
            self.twice = True
            return
        self.scored_as = names, baseline
        self.redrawing.after(PAUSE)

    def redraw(self) -> None:
        """Show the outcome under its new names; what is open stays open."""
        if not self.outcome:
            return
        parts = document.querySelector("#corpus-result .parts")
        was_open = bool(parts and parts.open)
        element("corpus-result").innerHTML = result(self.outcome, self.listing.place)
        document.querySelector("#corpus-result .parts").open = was_open
        for name, make in self.filled.items():
            element(f"{name}-body").innerHTML = make(self.outcome)
        self.show_page()
        if not element("segment-view").hidden:
            opened = [
                place
                for place in range(len(self.found))
                if not element(f"segment-steps-{place}").hidden
            ]
            self.draw_segment()
            for place in opened:
                self.segment_steps(place)

    def choose_system(self, place: int) -> None:
        """Show another system in detail."""
        self.listing = of_system(self.listing, place)
        self.show_outcome()
        if not element("segment-view").hidden:
            self.draw_segment()
        element("corpus-shown").focus()

    def choose_convention(self, name: str) -> None:
        """The settings that an implementation has, or those of the boxes."""
        fill_file_settings(with_file_convention(read_file_settings(), name, read_form()))
        self.check_settings()

    def check_settings(self) -> None:
        """Show those of the boxes where they count; say so where an outcome has others.

        The same goes for the files, and for the baseline.
        """
        if read_file_settings().convention == AS_BOXES:
            fill_file_settings(with_file_convention(read_file_settings(), AS_BOXES, read_form()))
        if self.outcome:
            with suppress(TypeError, ValueError):  # the settings may make no sense by now
                now = file_settings(read_file_settings(), read_form())
                of_these = self.scored_as[1], self.scored_at
                same = of_these == (self.baseline, self.edition)
                same &= now == self.outcome.corpora[0].settings
                element("corpus-stale").hidden = same

    def list_again(self) -> None:
        """Sort and filter the segments, and show the page."""
        if self.outcome:
            self.numbers = sort_segments(self.outcome, self.listing)
            self.show_page()

    def show_page(self) -> None:
        """Show the page of the table that the listing names."""
        if self.outcome:
            element("segments-body").innerHTML = segments(self.outcome, self.listing, self.numbers)

    def unfold(self, name: str) -> None:
        """Fill a part that was opened, once."""
        body = element(f"{name}-body")
        if not self.outcome or body.innerHTML or not element(name).open:
            return
        outcome, place = self.outcome, self.listing.place
        texts, settings = outcome.texts, outcome.corpora[0].settings

        def fill(make: Callable[[CorpusResult], str]) -> None:
            self.filled[name] = make
            body.innerHTML = make(self.outcome or outcome)

        if name == "corpus-steps":
            fill(lambda now: derivation_html(now, place))
        elif name == "corpus-ngrams":

            def show(more: Counter[Ngram]) -> None:
                fill(lambda now: ngram_gains(more, names_of(now, place)))

            self.begin(name, gains(texts, settings, place), show)
        else:

            def compare(found: tuple[ConventionCorpusResult, ...]) -> None:
                fill(lambda now: conventions_table(now, place, found))

            self.begin(name, compared_conventions(outcome, place), compare)

    def open_segment(self, number: int) -> None:
        """Show one segment, as every system has it; the boxes stay as they are."""
        if self.outcome:
            self.place = number
            try:
                self.found = derivations(self.outcome, number)
            except ValueError as error:
                self.refuse(error)
                return
            element("segment-view").hidden = False
            self.draw_segment()
            element("segment-view").scrollIntoView()
            element("segment-title").focus()

    def draw_segment(self, order: int = 1) -> None:
        """Show the segment with the matches of one order."""
        if self.outcome:
            shown, place = element("segment-order"), self.listing.place
            chosen = min(int(shown.value) if shown else order, len(self.found[0].orders))
            element("segment-view").innerHTML = segment_view(
                self.outcome, self.found, self.place, self.numbers, chosen, place
            )

    def step_segment(self, way: int) -> None:
        """The segment before or after this one in the table."""
        if self.place in self.numbers:
            self.open_segment(self.numbers[self.numbers.index(self.place) + way])
            button = document.querySelector(f'[data-command="segment-step:{way}"]')
            if not button.disabled:
                button.focus()

    def segment_steps(self, place: int) -> None:
        """Show or hide every step of one system's score of the segment."""
        body = element(f"segment-steps-{place}")
        body.hidden = not body.hidden
        if not body.innerHTML:
            body.innerHTML = segment_steps(self.found[place], place)
        button = document.querySelector(f'[data-command="segment-steps:{place}"]')
        button.setAttribute("aria-expanded", "false" if body.hidden else "true")

    def close_segment(self) -> None:
        """Show no segment."""
        self.found = []
        element("segment-view").hidden = True
        element("segment-view").innerHTML = ""

    def leave_segment(self) -> None:
        """Return to the segment's row."""
        self.close_segment()
        row = document.querySelector(f'[data-command="segment:{self.place}"]')
        if row:
            row.scrollIntoView()
            row.focus()
        else:
            go_to("segments-title")

    def open_in_boxes(self, place: int) -> None:
        """Put one system's segment into the boxes, with the settings that it was scored under."""
        if self.outcome:
            hypothesis, references = self.outcome.texts.segment(self.place, place)
            under = as_boxes(*self.scored_under)
            self.show_segment(replace(under, hypothesis=hypothesis, references=references))
            element("back").hidden = False

    def tell(self, key: str) -> bool:
        """Say of an n-gram of the segment that is shown what it is credited; whether it is one."""
        parts = key_parts(key)
        line = element("segment-reading")
        if line:
            known = parts and parts[0] < len(self.found)
            line.textContent = reading(self.found[parts[0]], parts[1]) if known and parts else ""
        return bool(parts)

    def back(self) -> None:
        """Return from the boxes to the segment."""
        if element("segment-title"):
            go_to("segment-view")
            element("segment-title").focus()
        else:
            go_to("segments-title")
            self.leave_segment()

    def show_opened(self, slot: str) -> None:
        """List the files that are open in one place."""
        items = (source_line(slot, n, one) for n, one in enumerate(self.opened[slot]))
        document.querySelector(f'[data-slot="{slot}"] .opened').innerHTML = "".join(items)
        if slot != "references":
            box = element(f"corpus-{slot}")
            box.hidden = bool(self.opened[slot]) and not box.textLength
        self.show_systems()
        self.changed()

    def read(self, place: str, files: Sequence[Any]) -> None:
        """Read files into their place, all or none.

        Those of systems and references come to those that are there, and wait for those that are
        being read; elsewhere, another choice stops an earlier one. Of files for systems, one that
        alone is named like a reference is taken for it.
        """
        element("corpus-note").textContent = ""
        show_file_error("")
        if place == "system" and len({role_of(file.name) for file in files}) > 1:
            self.sort(files)
        elif len(files) > 1 and place not in MANY:
            forget_choice(place)
            words = f"{file_names(files)} are {len(files)} files, and there is room for one."
            self.refuse(FileError(f"{words} Choose one."), place)
        else:
            self.start_reading(place, files)

    def start_reading(self, place: str, files: Sequence[Any]) -> None:
        """Read files that are in the right place."""
        if place in MANY and place in self.jobs:
            self.waiting[place].append(files)
        elif place == TABLE:
            self.begin(place, read_table(files[0]), self.put_sheet)
        elif place in BOXES:
            self.columns.pop(place, None)
            self.begin(place, read_files(files), partial(self.put, place))
        else:
            self.begin(place, read_text(files[0]), partial(put_text, place))

    def sort(self, files: Sequence[Any]) -> None:
        """Read files into the places that their names speak of; say which are no system's."""
        element("corpus-note").textContent = ""
        show_file_error("")
        places: dict[str, list[Any]] = {}
        for file in files:
            places.setdefault(role_of(file.name), []).append(file)
        if "table" in places and len(files) > 1:
            forget_choice("system")
            tables = english_list([token_text(file.name) for file in places["table"]])
            words = f"{tables}: a table has all in one file. Drop it alone."
            self.refuse(FileError(words), SCORING)
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
                said.append(f"{file_names(places[slot])}: {words}.")
        for slot in ("system", "references"):
            if slot in places:
                self.start_reading(slot, places[slot])
        element("corpus-note").textContent = " ".join(said)

    def put(self, slot: str, sources: list[Source]) -> None:
        """Open sources in their place; a second system has one at a time."""
        if slot not in MANY:
            self.opened[slot] = sources
        elif slot == "system" and len(self.opened[slot]) + len(sources) > MOST_SYSTEMS:
            forget_choice(slot)
            words = f"{len(self.opened[slot])} are open, and you added {len(sources)} more"
            self.refuse(FileError(f"There is room for {MOST_SYSTEMS} systems: {words}."), slot)
        else:
            self.opened[slot] = [*self.opened[slot], *sources]
        self.show_opened(slot)

    def put_sheet(self, found: Sheet) -> None:
        """Offer the columns of a table, with what their headers say."""
        self.read_sheet = self.sheet = found
        self.taken = None
        element("columns").innerHTML = column_choices(found, guessed_roles(found))

    def name_columns(self, *, named: bool) -> None:
        """Take the first row of the table for names, or for a row like the others."""
        if not self.read_sheet:
            return
        self.stop(TABLE)  # columns that are being taken are those of before
        roles = [str(menu.value) for menu in document.querySelectorAll("#columns [data-column]")]
        self.sheet = self.read_sheet if named else self.read_sheet.unnamed
        self.taken = None
        element("columns").innerHTML = column_choices(self.sheet, roles, named=named)
        element("columns-named").focus()

    def chosen_columns(self) -> dict[str, list[str]]:
        """The columns that are chosen for each place, by their numbers."""
        chosen: dict[str, list[str]] = {}
        for menu in document.querySelectorAll("#columns [data-column]"):
            if menu.value:
                chosen.setdefault(menu.value, []).append(menu.getAttribute("data-column"))
        return chosen

    def use_columns(self, then: Callable[[], None] | None = None) -> None:
        """Open the chosen columns in their places, all or none.

        A place for which none is chosen keeps what is open there.
        """
        if not self.sheet:
            return
        show_file_error("")
        chosen = self.chosen_columns()
        for slot, name in (("references", "reference"), ("system", "system")):
            if slot not in chosen and (slot in (self.taken or {}) or not self.sources(slot)):
                words = f"No column of {self.sheet.name} is used as a {name}. Choose one."
                self.refuse(FileError(words), TABLE)
                return
        self.columns = dict(chosen)
        for slot in self.columns:
            if slot in self.waiting:
                self.waiting[slot] = []
            self.stop(slot)

        def put(found: dict[str, list[Source]]) -> None:
            self.taken = chosen
            self.put_columns(found)
            if then:
                then()

        self.begin(TABLE, take_columns(self.sheet, dict(self.columns)), put)

    def close_sheet(self) -> None:
        """Offer the columns of the table no more; what was taken from it stays open."""
        self.sheet = self.read_sheet = self.taken = None
        element("columns").innerHTML = ""
        forget_choice(TABLE)
        element("corpus-table-file").focus()

    def put_columns(self, found: dict[str, list[Source]]) -> None:
        """Open columns, but where a file was chosen since."""
        for slot in self.columns:
            self.opened[slot] = found[slot]
            self.show_opened(slot)


def names_of(outcome: CorpusResult, place: int) -> tuple[str, str]:
    """The names of the baseline and of another system."""
    systems = outcome.texts.systems
    return systems[0].name, systems[place].name


def forget_choice(place: str) -> None:
    """The file that was chosen in a place is not the one that is open."""
    chosen = element(f"corpus-{place}-file")
    if chosen:
        chosen.value = ""


def has_files(event: Any) -> bool:
    """Whether files are dragged, and not a text."""
    return bool(event.dataTransfer and event.dataTransfer.types.includes("Files"))


def target_of(event: Any) -> Any:
    """The box that a file is for which is where the event is, or None."""
    node = event.target if event.target.nodeType == 1 else event.target.parentElement
    return node.closest("[data-slot], #inputs :is(.field, .reference)") if node else None


def mark(box: Any) -> None:
    """Mark the box that a file is over, or none."""
    if box and box.hasAttribute("data-over"):
        return
    for marked in document.querySelectorAll("[data-over]"):
        marked.removeAttribute("data-over")
    if box:
        box.setAttribute("data-over", "")


def connect_corpus_panel(
    show_segment: Callable[[Inputs], None],
    give: Callable[[str, str, str, str], None],
) -> CorpusPanel:
    """Listen to the part for whole files.

    `show_segment` puts one segment with its settings into the boxes, and `give` takes what is made,
    the ending and type of its file, and whether to copy or to save it.
    """
    page = CorpusPanel(show_segment, give)

    def relist(listing: Listing) -> None:
        page.listing = listing
        page.list_again()
        document.querySelector(f'[data-command="sort:{listing.sort}"]').focus()

    def turn(where: str) -> None:
        page.listing = paged(page.listing, where, page.numbers)
        page.show_page()
        button = document.querySelector(f'[data-command="page:{where}"]')
        (button if not button.disabled else element("segments-filter")).focus()

    def close(place: str) -> None:
        slot, _, number = place.partition(":")
        del page.opened[slot][int(number)]
        page.show_opened(slot)
        element(f"corpus-{slot}-file").value = ""
        element(f"corpus-{slot}-file").focus()

    def split(place: str) -> None:
        slot, _, number = place.partition(":")
        page.opened[slot][int(number)] = page.opened[slot][int(number)].split()
        page.show_opened(slot)
        document.querySelector(f'[data-command="close:{place}"]').focus()

    def filtered(event: Any) -> None:
        page.listing = replace(page.listing, words=event.target.value, page=0)
        page.list_again()

    def chosen(event: Any) -> None:
        target = event.target
        if target.id == FILE_CONTROLS["convention"]:
            page.choose_convention(target.value)
        elif target.id in FILE_CONTROLS.values():
            page.check_settings()
        elif target.id == "columns-named":
            page.name_columns(named=bool(target.checked))
        elif target.name == "corpus-baseline":
            page.baseline = target.value
            page.check_settings()
        slot = target.closest("[data-slot]")
        if slot and target.type == "file" and target.files.length:
            page.read(slot.getAttribute("data-slot"), list(target.files))

    def typed(event: Any) -> None:
        key = event.target.getAttribute("data-system")
        if key:
            page.names[key] = visible(event.target.value.strip())
            page.offer_systems()
            page.rename()
        elif event.target.closest("[data-slot]"):
            page.show_systems()
            page.changed()

    def shown(event: Any) -> None:
        if event.target.id == "corpus-shown":
            page.choose_system(int(event.target.value))
        elif event.target.id == "segment-order":
            page.draw_segment()
            element("segment-order").focus()

    def convention(name: str) -> None:
        page.choose_convention(name)
        go_to("corpus-form")
        element(FILE_CONTROLS["convention"]).focus()

    def dragged(event: Any) -> None:
        if has_files(event):
            event.preventDefault()
            mark(target_of(event))

    def left(event: Any) -> None:
        if not event.relatedTarget:
            mark(None)

    def dropped(event: Any) -> None:
        # the files are gone with the event
        mark(None)
        if not has_files(event):
            return
        event.preventDefault()
        files, box = list(event.dataTransfer.files), target_of(event)
        if not files:
            return
        if box:
            place = box.getAttribute("data-slot") or box.querySelector("textarea").id
            forget_choice(place)
            page.read(place, files)
        else:
            go_to("files")
            page.sort(sorted(files, key=lambda file: file.name))
            element("corpus-form").scrollIntoView()

    def made(how: str) -> None:
        if page.outcome:
            form = CORPUS_FORMATS[element("corpus-as").value]
            page.give(form.render(page.outcome), form.ending, form.media_type, how)

    listen("change", "#corpus-form", chosen)
    listen("input", "#corpus-form", typed)
    listen("change", "#corpus-outcome", shown)
    listen("change", "#file-which-system", lambda _: page.which.check_texts())
    listen("dragenter", document, dragged)
    listen("dragover", document, dragged)
    listen("dragleave", document, left)
    listen("drop", document, dropped)
    listen("input", "#segments-filter", filtered)
    page.commands = {
        "sort": lambda key: relist(sorted_by(page.listing, key)),
        "page": turn,
        "segment": lambda number: page.open_segment(int(number)),
        "segment-step": lambda way: page.step_segment(int(way)),
        "segment-steps": lambda place: page.segment_steps(int(place)),
        "segment-boxes": lambda place: page.open_in_boxes(int(place)),
        "segment-close": lambda _: page.leave_segment(),
        "file-convention": convention,
        "close": close,
        "split": split,
        "use-columns": lambda _: page.use_columns(),
        "close-table": lambda _: page.close_sheet(),
        "corpus-run": lambda _: page.run(),
        "corpus-again": lambda _: page.run(),
        "corpus-cancel": lambda _: page.cancel(),
        "corpus-copy": lambda _: made("copy"),
        "corpus-download": lambda _: made("save"),
        "back": lambda _: page.back(),
        **page.which.commands,
    }
    folds = ", ".join(f"#{name}" for name in FOLDS)
    listen("toggle", folds, lambda event: page.unfold(event.target.id))
    return page
