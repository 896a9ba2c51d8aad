"""The adapter of the part for whole files: boxes, files, progress, and the table of segments."""

from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from pyscript import document, when

from app.browser.background import Job
from app.browser.dom import (
    element,
    fill_file_settings,
    go_to,
    put_text,
    read_file_settings,
    read_form,
)
from app.page.corpus import Outcome, checked, gains, score
from app.page.corpus_html import (
    CORPUS_FORMS,
    Listing,
    column_choices,
    derivation,
    ngram_gains,
    order,
    paged,
    result,
    segments,
    sorted_by,
    source_line,
    time_left,
)
from app.page.file_settings import (
    AS_BOXES,
    FILE_CONTROLS,
    file_settings,
    settings_title,
    with_file_convention,
)
from app.page.reading import file_names, read_files, read_table, read_text, take_columns
from app.page.uploads import Progress, Sheet, Source, pasted
from bleu.core.ngrams import Ngram
from bleu.corpus.text_files import FileError

BOXES = {"system": "System output", "second": "Second system", "references": "References"}
SCORING, TABLE = "scoring", "table"
"""The places of work that are no boxes: of what is not the reading of a file, and of a table."""


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
        show_segment: Callable[[str, tuple[str, ...]], None],
        give: Callable[[str, str, str, str], None],
    ) -> None:
        self.show_segment = show_segment
        self.give = give
        self.opened: dict[str, list[Source]] = {slot: [] for slot in BOXES}
        self.sheet: Sheet | None = None
        self.columns: dict[str, list[str]] = {}
        self.jobs: dict[str, Job[Any]] = {}
        self.done: dict[str, Done] = {}
        self.waiting: list[Sequence[Any]] = []
        self.outcome: Outcome | None = None
        self.listing = Listing()
        self.numbers: list[int] = []
        self.place = 0
        self.too_early = False
        self.commands: dict[str, Callable[[str], object]] = {}

    def sources(self, slot: str) -> list[Source]:
        """What is open or pasted in one place."""
        box = pasted(BOXES[slot], element(f"corpus-{slot}").value)
        return [*self.opened[slot], *([box] if box.lines else [])]

    def run(self) -> None:
        """Score what is there; the last outcome stays until the new one is whole."""
        element("corpus-error").textContent = ""
        if self.reading():
            self.refuse(FileError("A file is still being read. Try again in a moment."))
            self.too_early = True
            return
        try:
            system, second = self.single("system"), self.single("second")
            texts = checked([second, system], self.sources("references"))
            own, boxes = read_file_settings(), read_form()
            title, test = settings_title(own, boxes), element("corpus-test").value
            work = score(texts, file_settings(own, boxes), test, title)
        except (TypeError, ValueError) as error:
            self.refuse(error)
            return
        self.begin(SCORING, work, self.finish)

    def single(self, slot: str) -> Source | None:
        """The one source of a system; two are refused."""
        found = self.sources(slot)
        if len(found) > 1:
            names = " and ".join(one.name for one in found)
            raise FileError(f"There are {names} for one system. Empty the box or close a file.")
        return found[0] if found else None

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
        self.waiting.clear()
        for place in list(self.jobs):
            self.stop(place)
            forget_choice(place)

    def rest(self, place: str) -> None:
        """Nothing is under way any more in a place; what waits for it has its turn."""
        del self.jobs[place], self.done[place]
        self.show_progress()
        if self.too_early and not self.reading():
            self.too_early = False
            element("corpus-error").textContent = ""
        if place == "references" and self.waiting:
            self.read(place, self.waiting.pop(0))

    def reading(self) -> bool:
        """Whether a file is being read."""
        return bool(self.jobs.keys() - {SCORING})

    def refuse(self, error: Exception, place: str = SCORING) -> None:
        """Say what is wrong, and lose nothing: at the texts that it is about, or at the files."""
        self.too_early = False
        if isinstance(error, MemoryError):
            words = "The browser has no memory left for this; try it in parts."
        elif isinstance(error, TypeError | ValueError):
            words = str(error)
        else:
            words = f"The page itself failed, and your files are untouched: {error!r}"
        if place in (SCORING, TABLE, *BOXES):
            element("corpus-error").textContent = words
        elif place:
            element("error").textContent = words
            element("error").scrollIntoView(False)
        else:
            element("corpus-error").textContent = words
            go_to("files")
            element("corpus-error").scrollIntoView(False)

    def finish(self, outcome: Outcome) -> None:
        """Show a new outcome."""
        self.outcome = outcome
        self.listing = Listing()
        element("segments-filter").value = ""
        element("corpus-outcome").hidden = False
        element("corpus-result").innerHTML = result(outcome)
        element("corpus-steps-body").innerHTML = ""
        element("corpus-steps").open = False
        element("corpus-ngrams").hidden = len(outcome.corpora) < 2
        element("corpus-ngrams").open = False
        element("corpus-ngrams-body").innerHTML = ""
        self.check_settings()
        self.list_again()

    def choose_convention(self, name: str) -> None:
        """The settings that an implementation has, or those of the boxes."""
        fill_file_settings(with_file_convention(read_file_settings(), name, read_form()))
        self.check_settings()

    def check_settings(self) -> None:
        """Show those of the boxes where they count; say so where an outcome has others."""
        if read_file_settings().convention == AS_BOXES:
            fill_file_settings(with_file_convention(read_file_settings(), AS_BOXES, read_form()))
        if self.outcome:
            with suppress(TypeError, ValueError):  # the settings may make no sense by now
                now = file_settings(read_file_settings(), read_form())
                element("corpus-stale").hidden = now == self.outcome.corpora[0].settings

    def list_again(self) -> None:
        """Sort and filter the segments, and show the page."""
        if self.outcome:
            self.numbers = order(self.outcome, self.listing)
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
        if name == "corpus-steps":
            body.innerHTML = derivation(self.outcome)
            return
        texts, settings = self.outcome.texts, self.outcome.corpora[0].settings

        def show(more: Counter[Ngram]) -> None:
            body.innerHTML = ngram_gains(more, (texts.systems[0].name, texts.systems[1].name))

        self.begin(SCORING, gains(texts, settings), show)

    def open_segment(self, number: int) -> None:
        """Show one segment with its full derivation above."""
        if self.outcome:
            self.place = number
            self.show_segment(*self.outcome.texts.segment(number, -1))
            element("back").hidden = False

    def back(self) -> None:
        """Return to the segment's row."""
        go_to("segments-title")
        row = document.querySelector(f'[data-command="segment:{self.place}"]')
        if row:
            row.scrollIntoView()
            row.focus()

    def show_opened(self, slot: str) -> None:
        """List the files that are open in one place."""
        items = (source_line(slot, n, one) for n, one in enumerate(self.opened[slot]))
        document.querySelector(f'[data-slot="{slot}"] .opened').innerHTML = "".join(items)
        if slot != "references":
            element(f"corpus-{slot}").hidden = bool(self.opened[slot])

    def read(self, place: str, files: Sequence[Any]) -> None:
        """Read files into their place, all or none; another choice for it stops an earlier one.

        Files of references come to those that are there, and wait for those that are being read.
        """
        element("corpus-error").textContent = ""
        if len(files) > 1 and place != "references":
            forget_choice(place)
            words = f"{file_names(files)} are {len(files)} files, and there is room for one."
            self.refuse(FileError(f"{words} Choose one."), place)
        elif place == "references" and place in self.jobs:
            self.waiting.append(files)
        elif place == TABLE:
            self.begin(place, read_table(files[0]), self.put_sheet)
        elif place in BOXES:
            self.columns.pop(place, None)
            self.begin(place, read_files(files), partial(self.put, place))
        else:
            self.begin(place, read_text(files[0]), partial(put_text, place))

    def put(self, slot: str, sources: list[Source]) -> None:
        """Open sources in their place; a system has one at a time."""
        others = self.opened[slot] if slot == "references" else []
        self.opened[slot] = [*others, *sources]
        self.show_opened(slot)

    def put_sheet(self, found: Sheet) -> None:
        """Offer the columns of a table."""
        self.sheet = found
        element("columns").innerHTML = column_choices(found)

    def use_columns(self) -> None:
        """Open the chosen columns in their places, all or none."""
        if not self.sheet:
            return
        element("corpus-error").textContent = ""
        boxes = document.querySelectorAll('#columns [name="column"]:checked')
        self.columns = {
            "system": [element("column-system").value],
            "second": [element("column-second").value],
            "references": [box.value for box in boxes],
        }
        self.waiting.clear()
        for slot in self.columns:
            self.stop(slot)
        self.begin(TABLE, take_columns(self.sheet, dict(self.columns)), self.put_columns)

    def put_columns(self, found: dict[str, list[Source]]) -> None:
        """Open columns, but where a file was chosen since."""
        for slot in self.columns:
            self.opened[slot] = found[slot]
            self.show_opened(slot)


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
    show_segment: Callable[[str, tuple[str, ...]], None],
    give: Callable[[str, str, str, str], None],
) -> CorpusPanel:
    """Listen to the part for whole files.

    `show_segment` shows one segment's derivation, and `give` takes what is made, the ending and
    type of its file, and whether to copy or to save it.
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

    def filtered(event: Any) -> None:
        page.listing = replace(page.listing, words=event.target.value, page=0)
        page.list_again()

    def chosen(event: Any) -> None:
        if event.target.id == FILE_CONTROLS["convention"]:
            page.choose_convention(event.target.value)
        elif event.target.id in FILE_CONTROLS.values():
            page.check_settings()
        slot = event.target.closest("[data-slot]")
        if slot and event.target.type == "file" and event.target.files.length:
            page.read(slot.getAttribute("data-slot"), list(event.target.files))

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
            boxes = ", ".join(BOXES.values())
            words = f"Drop {file_names(files)} on the box that it is for: {boxes}, or a table."
            page.refuse(FileError(words), place="")

    def made(how: str) -> None:
        if page.outcome:
            form = CORPUS_FORMS[element("corpus-as").value]
            page.give(form.render(page.outcome), form.ending, form.media_type, how)

    when("change", "#corpus-form")(chosen)
    when("dragenter", document)(dragged)
    when("dragover", document)(dragged)
    when("dragleave", document)(left)
    when("drop", document)(dropped)
    when("input", "#segments-filter")(filtered)
    page.commands = {
        "sort": lambda key: relist(sorted_by(page.listing, key)),
        "page": turn,
        "segment": lambda number: page.open_segment(int(number)),
        "close": close,
        "use-columns": lambda _: page.use_columns(),
        "corpus-run": lambda _: page.run(),
        "corpus-again": lambda _: page.run(),
        "corpus-cancel": lambda _: page.cancel(),
        "corpus-copy": lambda _: made("copy"),
        "corpus-download": lambda _: made("save"),
        "back": lambda _: page.back(),
    }
    when("toggle", "#corpus-steps")(lambda _: page.unfold("corpus-steps"))
    when("toggle", "#corpus-ngrams")(lambda _: page.unfold("corpus-ngrams"))
    return page
