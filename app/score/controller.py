"""The result on the page: scored at every edit, with its errors, pinned and exported."""

from pyscript import document, window

from app.browser.dom import (
    download_text,
    element,
    listen,
    reference_areas,
    root,
    set_disabled,
    set_hidden,
    show_error,
)
from app.browser.page import SPEECH_MS, PageCalls, announce, command
from app.browser.scheduling import DebouncedCall
from app.components import token_count_text
from app.score.form_controller import FormController, save_form
from app.score.html import (
    PIN_HINT,
    build_snapshot,
    order_scores,
    pinned_spoken,
    pinned_text,
    score_bar,
)
from app.state.form import PageSnapshot, chosen_tokenizer, error_location, error_text, weights_hint
from app.state.inputs import FIRST_EXAMPLE, OPEN_MODELS, Inputs, example_inputs, is_model
from bleu.core.api import Derivation
from bleu.document.writing import writing_of
from bleu.explanation.edits import changes_table
from bleu.formats import SCORE_FORMATS
from bleu.render import html
from bleu.render.numbers import score_text

IMMEDIATE_MS = 100
"""An update that takes this many milliseconds delays the next one until a pause in typing."""
FAST_MS = 50
"""An update that takes this many milliseconds delays what is out of sight until a pause."""
FRAME_MS = 17
"""The shortest time between updates in milliseconds, because programs may type lines in bursts."""
SLOW_PANELS_MS = 800
"""Milliseconds from a slow update until steps, pinned result and tools are shown."""
SCORE_BUTTONS = ("copy", "keep", "share")
"""The ids of the buttons that are disabled while a text is missing."""
NO_SCORE = "There is no score yet to copy, pin or link to."
"""The description of these buttons while they are disabled."""


class ScoreController:
    """The scoring of the form, and the last valid result.

    - `snapshot`: the last valid result, or None.
    - `pinned_spoken`: the announcement of how `snapshot` differs from a pinned result, or "".
    - `error`: the last error of the form.
    - `invalid`: whether the form has an error, so that `snapshot` is older than the form.
    """

    def __init__(self, page: PageCalls) -> None:
        self.page, self.notices = page, page.notices
        self.snapshot: PageSnapshot | None = None
        self.pinned_spoken = ""
        self.invalid = False
        self.error = ""
        self.last_update_ms = self.last_update_at = 0.0
        self.update_timer = DebouncedCall(page.guard(self.update))
        self.pause_timer = DebouncedCall(page.guard(page.show_panels))
        self.speech_timer = DebouncedCall(self.announce_result)
        self.form = FormController(page.guard, self.schedule_update, self.update)

    def schedule_update(self) -> None:
        """Debounce the update: run now if the last one was fast, else after a pause in typing."""
        self.pause_timer.cancel()
        is_slow = self.last_update_ms >= IMMEDIATE_MS
        if not is_slow and window.performance.now() - self.last_update_at >= FRAME_MS:
            self.update()
            return
        self.update_timer.schedule(min(1000, 2 * self.last_update_ms) if is_slow else 0)
        for name in SCORE_BUTTONS:
            element(name).disabled = False  # A command finishes the update first.

    def update(self) -> None:
        """Score the form and show the result, or an error beside the last valid result."""
        self.update_timer.cancel()
        self.notices.clear()
        started_at = window.performance.now()
        inputs = self.form.read()
        self.page.models.show()
        show_counts(inputs)
        if element("keep-texts").checked:
            save_form(self.notices)
        try:
            snapshot = build_snapshot(inputs)
        except (TypeError, ValueError) as error:
            self.show_error(*error_location(error))
            return
        except MemoryError:
            raise
        except Exception as error:
            self.show_error("", error_text(error))
            raise
        self.invalid = False
        show_error("", "")
        root.removeAttribute("data-stale")
        mark_previous(is_previous=False)
        self.show(snapshot)
        self.last_update_at = window.performance.now()
        self.last_update_ms = self.last_update_at - started_at
        is_fast = self.last_update_ms < FAST_MS  # What is out of sight follows the next frame.
        self.pause_timer.schedule(FRAME_MS if is_fast else SLOW_PANELS_MS)
        self.speech_timer.schedule(SPEECH_MS)

    def show(self, snapshot: PageSnapshot) -> None:
        """Replace the parts of the result that differ from those on the page."""
        view = snapshot.view
        previous = self.snapshot.view if self.snapshot else None
        if previous is None and snapshot.inputs == example_inputs(FIRST_EXAMPLE):
            previous = view  # The build has written this result into the page.
        self.snapshot = snapshot
        body, focused = element("result-body"), document.activeElement
        open_folds = [fold.id for fold in body.querySelectorAll("details[open]")]
        if previous is None or previous.result != view.result:
            finding = shown_finding()
            body.innerHTML = view.result
            if finding and finding == shown_finding():
                element("findings").classList.add("seen")  # Others appear after a pause.
        for name in SCORE_BUTTONS:
            set_disabled(element(name), bool(snapshot.todo), element("hypothesis"))
        # Text that is hidden would still describe the buttons to screen readers.
        element("no-score").textContent = NO_SCORE if snapshot.todo else ""
        element("strip").setAttribute("href", "#result")
        element("strip").innerHTML = score_bar(snapshot)
        self.page.show_snapshot(snapshot, previous)
        for fold in body.querySelectorAll("details"):  # Those of the open station, too.
            fold.open = fold.id in open_folds
        if not focused.isConnected:  # It was replaced, as by Undo.
            factor = focused.getAttribute("data-factor")
            same = f'[id="{focused.id}"], [data-factor="{factor}"]'
            (body.querySelector(same) or element("hypothesis")).focus(preventScroll=True)

    @command("reveal")
    def reveal(self, _: str) -> None:
        """Show the score that a link has hidden."""
        root.removeAttribute("data-hides-score")
        self.update()
        element("result").tabIndex = -1
        element("result").focus()

    def show_error(self, field: str, message: str) -> None:
        """Show an error at its field, and dim the last valid result."""
        self.invalid, self.error = True, message
        show_error(field, message)
        mark_previous(is_previous=True)
        self.speech_timer.schedule(SPEECH_MS)
        element("strip").setAttribute("href", "#error")
        element("strip").textContent = "Error"

    def on_out_of_memory(self, message: str) -> None:
        """Show that memory ran out, and delay the next update until a pause in typing."""
        self.last_update_ms = IMMEDIATE_MS
        self.show_error("", message)

    def announce_result(self) -> None:
        """Announce the error, or the result and its difference from the pinned one."""
        self.pause_timer.finish()  # It compares the result with the pinned one.
        if self.invalid:
            announce(self.error)
        elif self.snapshot:
            announce(f"{self.snapshot.view.spoken}{self.pinned_spoken}")

    def scored_snapshot(self) -> PageSnapshot | None:
        """Return the current result, or show a notice and return None if there is no score."""
        if not self.is_valid() or self.snapshot is None:
            return None
        if self.snapshot.todo:
            self.notices.show(f"There is no score yet. {self.snapshot.todo}")
            return None
        return self.snapshot

    def is_valid(self) -> bool:
        """Return whether the form has no error, and show a notice if it has one."""
        if self.invalid:
            has_field = document.querySelector('#inputs [aria-invalid="true"]')
            hint = "First correct the setting that is marked."
            self.notices.show(hint if has_field else self.error)
        return not self.invalid


def shown_finding() -> str:
    """Return the message of the finding below the formula, or "" if there is none."""
    line = document.querySelector("#findings > summary")
    return str(line.dataset.name) if line else ""


def show_order_scores(inputs: Inputs) -> None:
    """Show beside each N the score that the form has with it."""
    labels = document.querySelectorAll("#settings .segmented small")
    for label, score in zip(labels, order_scores(inputs), strict=True):
        label.textContent = score


def mark_previous(*, is_previous: bool) -> None:
    """Mark the result on the page as older than the form, or remove the mark."""
    root.toggleAttribute("data-invalid", is_previous)
    for part in document.querySelectorAll("[data-result]"):
        part.ariaBusy = str(is_previous).lower()


def show_counts(inputs: Inputs) -> None:
    """Show the token count of each text, and how to type the weights."""
    areas = element("hypothesis"), *reference_areas()
    is_missing = is_model(inputs.tokenizer) and inputs.tokenizer not in OPEN_MODELS
    for area, text in zip(areas, (inputs.hypothesis, *inputs.references), strict=True):
        count = "" if is_missing else token_count_text(text, chosen_tokenizer(inputs.tokenizer))
        element(f"{area.id}-count").textContent = count
        area.lang = inputs.lang or writing_of(text).language
    if inputs.max_order.isdecimal():
        element("weights-hint").textContent = weights_hint(int(inputs.max_order))


class PinController:
    """The pinned result, if there is one."""

    def __init__(self, score: ScoreController) -> None:
        self.score = score
        self.pinned: Derivation | None = None

    @command("keep")
    def pin(self, _: str = "") -> None:
        """Pin the current result, if there is a score."""
        if snapshot := self.score.scored_snapshot():
            self.pinned = snapshot.derivation
            element("before-after").hidden = False
            self.show(snapshot)
            announce(f"Pinned: {score_text(self.pinned.score.value)}. {PIN_HINT}")

    @command("forget")
    def unpin(self, _: str) -> None:
        """Remove the pinned result."""
        self.pinned, self.score.pinned_spoken = None, ""
        keep = element("keep")  # Without a score it is disabled.
        set_hidden(element("before-after"), True, element("hypothesis") if keep.disabled else keep)

    def show(self, snapshot: PageSnapshot) -> None:
        """Show how a result differs from the pinned one, if there is one."""
        if self.pinned is None:
            return
        current = None if snapshot.todo else snapshot.derivation
        element("pinned").innerHTML = pinned_text(self.pinned, current)
        set_hidden(element("moved"), current in (None, self.pinned), element("forget"))
        self.score.pinned_spoken = pinned_spoken(self.pinned, current) if current else ""
        if current:
            table = html.table(changes_table(self.pinned, current))
            element("before-after-body").innerHTML = table


class ExportController:
    """The commands that export the result."""

    def __init__(self, score: ScoreController) -> None:
        self.score = score
        listen("afterprint", window, lambda _: root.removeAttribute("data-handout"))

    @command("copy")
    def copy_line(self, _: str) -> None:
        """Copy the result as one line."""
        if snapshot := self.score.scored_snapshot():
            self.score.notices.copy("Result copied", snapshot.view.line)

    @command("copy-form")
    def copy_export(self, _: str) -> None:
        """Copy the derivation in the chosen format."""
        export_format = SCORE_FORMATS[element("form").value]
        if snapshot := self.score.scored_snapshot():
            text = export_format.render(snapshot.explained)
            self.score.notices.copy(f"Copied: {export_format.label}", text)

    @command("download")
    def download(self, name: str) -> None:
        """Download the derivation in the named format, or else in the chosen one."""
        export_format = SCORE_FORMATS[name or element("form").value]
        if snapshot := self.score.scored_snapshot():
            name = f"bleu.{export_format.extension}"
            download_text(export_format.render(snapshot.explained), name, export_format.media_type)

    @command("print")
    def print_handout(self, _: str) -> None:
        """Print the result, texts, figures and steps, whatever view is open."""
        if self.score.is_valid():
            root.dataset.handout = "yes"
            window.print()
