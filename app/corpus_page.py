"""The adapter of the part for whole files: boxes, files, progress, and the table of segments."""

from asyncio import Future, get_running_loop
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pyscript import document, when

from app.corpora import Outcome, Progress, checked, gains, score
from app.corpora_view import (
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
from app.files import Sheet, Source, column, opening, pasted, refuse_size, sheet
from app.jobs import Job
from app.stage import element
from bleu.explain.words import token_text
from bleu.lines import FileError
from bleu.ngrams import Ngram
from bleu.settings import Settings

BOXES = {"system": "System output", "second": "Second system", "references": "References"}


class CorpusPage:
    """The files that are open, the work under way, and the last whole outcome."""

    def __init__(
        self,
        settings: Callable[[], Settings],
        show_segment: Callable[[str, tuple[str, ...]], None],
        give: Callable[[str, str, str, str], None],
    ) -> None:
        self.settings = settings
        self.show_segment = show_segment
        self.give = give
        self.opened: dict[str, list[Source]] = {slot: [] for slot in BOXES}
        self.sheet: Sheet | None = None
        self.job: Job[Any] | None = None
        self.reading = 0
        self.stage = ("", 0.0)
        self.outcome: Outcome | None = None
        self.listing = Listing()
        self.numbers: list[int] = []
        self.place = 0

    def sources(self, slot: str) -> list[Source]:
        """What is open or pasted in one place."""
        box = pasted(BOXES[slot], element(f"corpus-{slot}").value)
        return [*self.opened[slot], *([box] if box.lines else [])]

    def run(self) -> None:
        """Score what is there; the last outcome stays until the new one is whole."""
        element("corpus-error").textContent = ""
        if self.reading:
            self.refuse(FileError("a file is still being read; try again in a moment"))
            return
        try:
            system, second = self.single("system"), self.single("second")
            texts = checked([second, system], self.sources("references"))
            work = score(texts, self.settings(), element("corpus-test").value)
        except (TypeError, ValueError) as error:
            self.refuse(error)
            return
        self.begin(work, self.finish)

    def single(self, slot: str) -> Source | None:
        """The one source of a system; two are refused."""
        found = self.sources(slot)
        if len(found) > 1:
            names = " and ".join(one.name for one in found)
            raise FileError(f"there are {names} for one system; empty the box, or close a file")
        return found[0] if found else None

    def begin(self, work: Any, finished: Callable[[Any], None]) -> None:
        """Start long work in place of what is under way."""
        self.cancel()
        element("corpus-cancel").hidden = False
        element("corpus-progress").hidden = False
        element("corpus-progress").value = 0
        self.stage = ("", 0.0)

        def end(value: Any) -> None:
            self.rest()
            finished(value)

        self.job = Job(work, end, self.refuse, self.tell)

    def tell(self, progress: Progress, seconds: float) -> None:
        """Show how far the work is, and how long the rest of it may take."""
        if progress.what != self.stage[0]:
            self.stage = progress.what, seconds
        words = time_left(seconds - self.stage[1], progress.done, progress.of)
        element("corpus-progress").value = progress.done / max(1, progress.of)
        element("corpus-progress-text").textContent = f"{progress.what}: {words}"

    def cancel(self) -> None:
        """Stop what is under way; everything else stays as it was."""
        if self.job:
            self.job.close()
        self.rest()

    def rest(self) -> None:
        """No work is under way."""
        self.job = None
        element("corpus-cancel").hidden = True
        element("corpus-progress").hidden = True
        element("corpus-progress-text").textContent = ""

    def refuse(self, error: Exception) -> None:
        """Say what is wrong, and lose nothing."""
        self.rest()
        if isinstance(error, MemoryError):
            words = "The browser has no memory left for this; try it in parts."
        elif isinstance(error, TypeError | ValueError):
            words = str(error)
        else:
            words = f"The page itself failed, and your files are untouched: {error!r}"
        element("corpus-error").textContent = words

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

    def check_settings(self) -> None:
        """Say so where the settings are no longer those of the outcome."""
        if self.outcome:
            try:
                same = self.settings() == self.outcome.corpora[0].settings
            except (TypeError, ValueError):
                return
            element("corpus-stale").hidden = same

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

        self.begin(gains(texts, settings), show)

    def open_segment(self, number: int) -> None:
        """Show one segment with its full derivation above."""
        if self.outcome:
            self.place = number
            self.show_segment(*self.outcome.texts.segment(number, -1))
            element("back").hidden = False

    def back(self) -> None:
        """Return to the segment's row."""
        row = document.querySelector(f'[data-segment="{self.place}"]')
        if row:
            row.scrollIntoView()
            row.focus()
        else:
            element("segments-title").scrollIntoView()

    def show_opened(self, slot: str) -> None:
        """List the files that are open in one place."""
        items = (source_line(slot, n, one) for n, one in enumerate(self.opened[slot]))
        document.querySelector(f'[data-slot="{slot}"] .opened').innerHTML = "".join(items)
        if slot != "references":
            element(f"corpus-{slot}").hidden = bool(self.opened[slot])

    def put(self, slot: str, source: Source) -> None:
        """Open a source in its place; a system has one at a time."""
        if slot != "references":
            self.opened[slot] = []
        self.opened[slot].append(source)
        self.show_opened(slot)

    def put_sheet(self, source: Source) -> None:
        """Offer the columns of a table."""
        try:
            self.sheet = sheet(source)
        except FileError as error:
            self.refuse(error)
            return
        element("columns").innerHTML = column_choices(self.sheet)

    def use_columns(self) -> None:
        """Open the chosen columns in their places."""
        if not self.sheet:
            return
        element("corpus-error").textContent = ""
        boxes = document.querySelectorAll('#columns [name="column"]:checked')
        chosen = {
            "system": [element("column-system").value],
            "second": [element("column-second").value],
            "references": [box.value for box in boxes],
        }
        try:
            found = {
                slot: [one for place in places if place for one in column(self.sheet, int(place))]
                for slot, places in chosen.items()
            }
        except FileError as error:
            self.refuse(error)
            return
        for slot, sources in found.items():
            self.opened[slot] = sources
            self.show_opened(slot)


async def read_files(page: CorpusPage, slot: str, files: list[Any]) -> None:
    """Read files into their place, in order; one that cannot be read is named, and ends it."""
    element("corpus-error").textContent = ""
    page.reading += 1
    try:
        for file in files:
            name = token_text(file.name)
            refuse_size(name, file.size)
            content = bytes((await file.arrayBuffer()).to_py())
            source: Future[Source] = get_running_loop().create_future()
            Job(opening(name, content), source.set_result, source.set_exception)
            if slot == "table":
                page.put_sheet(await source)
            else:
                page.put(slot, await source)
    except FileError as error:
        page.refuse(error)
    except Exception as error:
        page.refuse(FileError(f"{name} cannot be read: {error}"))
    finally:
        page.reading -= 1


def corpora(
    settings: Callable[[], Settings],
    show_segment: Callable[[str, tuple[str, ...]], None],
    give: Callable[[str, str, str, str], None],
) -> CorpusPage:
    """Listen to the part for whole files.

    `settings` are those that the form asks for, `show_segment` shows one segment's derivation, and
    `give` takes what is made, the ending and type of its file, and whether to copy or to save it.
    """
    page = CorpusPage(settings, show_segment, give)

    def clicked(event: Any) -> None:
        button = event.target.closest("button")
        if not button:
            return
        for name, act in (
            ("data-sort", lambda key: relist(sorted_by(page.listing, key))),
            ("data-page", turn),
            ("data-segment", lambda number: page.open_segment(int(number))),
            ("data-close", close),
        ):
            if button.hasAttribute(name):
                act(button.getAttribute(name))

    def relist(listing: Listing) -> None:
        page.listing = listing
        page.list_again()
        document.querySelector(f'[data-sort="{listing.sort}"]').focus()

    def turn(where: str) -> None:
        page.listing = paged(page.listing, where, page.numbers)
        page.show_page()
        button = document.querySelector(f'[data-page="{where}"]')
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

    async def chosen(event: Any) -> None:
        slot = event.target.closest("[data-slot]")
        if slot and event.target.type == "file":
            files = list(event.target.files)
            await read_files(page, slot.getAttribute("data-slot"), files)

    async def dropped(event: Any) -> None:
        event.preventDefault()
        slot = event.target.closest("[data-slot]")
        files = list(event.dataTransfer.files)
        if not files:
            return
        if slot:
            await read_files(page, slot.getAttribute("data-slot"), files)
        else:
            page.refuse(FileError("drop the file on the box that it is for"))

    def made(how: str) -> None:
        if page.outcome:
            form = CORPUS_FORMS[element("corpus-as").value]
            page.give(form.render(page.outcome), form.ending, form.media_type, how)

    when("click", "#files")(clicked)
    when("change", "#corpus-form")(chosen)
    when("drop", "#files")(dropped)
    when("dragover", "#files")(lambda event: event.preventDefault())
    when("input", "#segments-filter")(filtered)
    when("click", "#corpus-run")(lambda _: page.run())
    when("click", "#corpus-again")(lambda _: page.run())
    when("click", "#corpus-cancel")(lambda _: page.cancel())
    when("click", "#corpus-copy")(lambda _: made("copy"))
    when("click", "#corpus-download")(lambda _: made("save"))
    when("click", "#back")(lambda _: page.back())
    when("click", "#columns")(
        lambda event: page.use_columns() if event.target.id == "use-columns" else None
    )
    when("toggle", "#corpus-steps")(lambda _: page.unfold("corpus-steps"))
    when("toggle", "#corpus-ngrams")(lambda _: page.unfold("corpus-ngrams"))
    return page
