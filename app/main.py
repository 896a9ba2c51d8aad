"""The page in the browser: builds the controllers, connects them, and starts."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pyscript import document, window

from app.browser.dom import default_texts, element, listen, read_form, root
from app.browser.model_box import ModelBox
from app.browser.page import Command, Notices, commands_of
from app.files.controller import FilesController
from app.link_controller import LinkController
from app.score.controller import (
    ExportController,
    PinController,
    ScoreController,
    show_order_scores,
)
from app.score.form_controller import load_form, save_form
from app.score.matches_controller import MatchesController
from app.state.form import PageMarkup, PageSnapshot, guard_memory
from app.state.inputs import Inputs, keep_typed_text
from app.steps.controller import StepsController
from app.tools.controller import ToolsController, connect_file_search, connect_form_search
from bleu import self_check

if TYPE_CHECKING:
    from app.learn.controller import LearnController

PRESS_MS = 5000
"""Milliseconds for which a pressed pointer delays an update, unless it is released before."""
CLICK_MS = 100
"""Milliseconds within which the click follows the release of a pointer."""


class Page:
    """The controllers of the page, and the calls between them."""

    def __init__(self) -> None:
        self.guard = guard = guard_memory(self.on_out_of_memory)
        self.learn: LearnController | None = None
        self.notices = Notices()
        self.models = ModelBox(self.on_model_opened)
        self.score = ScoreController(self)
        self.form = self.score.form
        self.files = FilesController(self)
        self.file_search = connect_file_search(
            self.files.searched_texts, self.files.texts_version, self.files.show_settings
        )
        self.matches = MatchesController(self, self.score)
        self.pin = PinController(self.score)
        self.steps = StepsController(self)
        self.tools = ToolsController(self)
        self.form_search = connect_form_search(self)
        self.links = LinkController(self, self.steps, self.matches.factors)
        exports, presentation = ExportController(self.score), self.steps.presentation
        self.open_form, self.overwrite_form = self.form.open, self.form.overwrite
        self.leave_presentation, self.on_item_shown = presentation.leave, presentation.on_shown
        self.show_running_text = self.matches.show_running_text
        self.show_ngram_sentence = self.files.segments.show_ngram_sentence
        self.on_file_texts_changed = self.file_search.update_stale_notice
        self.commands: dict[str, Command] = {
            "learn": lambda name: self.get_learn().run_command(name),
            **self.files.commands,
            **self.file_search.commands,
            **self.form_search.commands,
            **commands_of(self.score, self.form, self.pin, exports, self.steps, presentation),
            **commands_of(self.tools, self.links, self.matches, self.matches.factors),
        }
        listen("click", document, guard(self.on_click))
        # An update may move or replace the button that is being pressed, which loses the click.
        postpone = self.score.update_timer.postpone
        listen("pointerdown", document, lambda _: postpone(PRESS_MS))
        for release in ("pointerup", "pointercancel"):
            listen(release, document, lambda _: postpone(CLICK_MS))
        listen("keydown", document, self.on_key)
        listen("beforeprint", window, guard(lambda _: self.on_print()))
        listen("hashchange", window, guard(lambda _: self.on_hash_change()))
        listen("view", document, guard(lambda _: self.on_view()))
        listen("toggle", "#compare details", guard(lambda _: self.show_panels()))
        listen("change", "#corpus-form", lambda _: save_form(self.notices))
        listen("change", "#keep-texts", lambda _: save_form(self.notices))

    # Events of the document

    def on_click(self, event: Any) -> None:
        """Run the command of the button that was pressed, on the result of the last input."""
        if event.target.closest("a[href^='#']"):
            self.score.update_timer.finish()
            self.steps.draw()  # The target may be a new step.
        button = event.target.closest("[data-command]")
        self.form.close_examples(event.target)
        if button:
            if button.tagName == "A":
                event.preventDefault()  # The command opens the target of the link itself.
            name, _, argument = button.getAttribute("data-command").partition(":")
            self.score.update_timer.finish()
            self.commands[name](argument)

    def on_key(self, event: Any) -> None:
        """Undo or redo at Ctrl+Z or Ctrl+Y: in the Files view if it is shown, else in the form."""
        if event.key == "Escape":
            self.form.close_examples()
        (self.form if element("files").hidden else self.files.check_up).on_key(event)

    def on_print(self) -> None:
        """Update the result and the panels without waiting for a pause in typing."""
        self.score.update_timer.finish()
        self.show_panels()

    def on_hash_change(self) -> None:
        """Follow a link that was opened in this page."""
        fragment = window.location.hash
        if fragment.startswith(("#exercises=", "#puzzle=")):
            self.get_learn().open_link(fragment)
        self.links.on_hash_change(fragment)

    def on_view(self) -> None:
        """Fill the view that was opened."""
        self.score.update_timer.finish()
        self.steps.presentation.leave()
        self.models.show()
        self.show_panels()
        if not element("learn").hidden:
            self.get_learn().on_view_opened()

    # Calls between controllers

    def show_snapshot(self, snapshot: PageSnapshot, previous: PageMarkup | None) -> None:
        """Show a new result in the marked texts and in the other views."""
        self.matches.factors.show()
        self.matches.update(snapshot)
        self.steps.update(snapshot, previous)
        self.files.set_language(snapshot.inputs.lang)
        self.files.update_stale_notice()
        self.form_search.update_stale_notice()

    def show_panels(self) -> None:
        """Fill what takes long: steps, marks of long texts, scores by N, pinned result, tools."""
        if snapshot := self.score.snapshot:
            self.steps.draw()
            if self.matches.is_late:
                self.matches.show()
            show_order_scores(snapshot.inputs)
            self.pin.show(snapshot)
            if not self.steps.presentation.anchor:
                self.matches.show_running_text()
            self.tools.show(snapshot)

    def on_model_opened(self) -> None:
        """Score the form again, and compare the settings of the files with those of the result."""
        self.score.update()
        self.files.update_stale_notice()

    def on_out_of_memory(self, message: str) -> None:
        """Stop long work, and show that memory ran out."""
        self.tools.cancel()
        self.score.on_out_of_memory(message)

    def get_learn(self) -> "LearnController":
        """Return the Learn view, which is imported when it is first needed."""
        if self.learn is None:
            from app.learn.controller import LearnController

            self.learn = LearnController(self)
        return self.learn

    def present_learn(self, item: str) -> None:
        """Begin the presentation of the Learn view with an item."""
        self.steps.presentation.begin(self.get_learn(), item)

    def has_score(self) -> bool:
        """Return whether the form has a score, and show the reason if not."""
        return self.score.scored_snapshot() is not None

    def open_segment(self, segment: Inputs) -> None:
        """Open a segment of the files, with its settings, in the form; the language stays."""
        segment = replace(segment, lang=read_form().lang)
        self.open_form(segment, "opening a segment", "hypothesis")

    def try_edit(self, text: str) -> None:
        """Pin the result, unless one is pinned, and put the edited candidate into the form."""
        if not self.pin.pinned:
            self.pin.pin()
        self.open_form(replace(read_form(), hypothesis=text), "the change of a word", "hypothesis")

    # The start

    def start(self) -> None:
        """Check the library against its worked examples, then score the form."""
        try:
            checked = self_check()
        except ArithmeticError as error:
            self.show_failed_check(error)
            return
        element("loading").textContent = "Runs on your device"
        passed = f"Self-check passed: {checked} of {checked} examples."
        element("self-check").textContent = passed
        try:
            restored = self.restore()
        except Exception as error:  # The page must start even if a link is broken.
            restored = False
            self.notices.show_lasting(f"The link cannot be read: {error!r}")
        if not restored:
            self.form.show_smoothing()
            self.score.update()
        root.removeAttribute("data-failed")
        root.dataset.ready = "true"
        if not element("learn").hidden:
            self.get_learn().on_view_opened()
        self.links.apply_view_state(window.location.hash)

    def show_failed_check(self, error: ArithmeticError) -> None:
        """Show that the self-check failed, and remove every result from the page."""
        element("error").textContent = f"Do not trust this page: {error}"
        element("loading").textContent = "The self-check failed, so nothing is scored."
        element("result-body").textContent = ""
        element("derivation").textContent = ""
        self.tools.fill_all("")
        root.dataset.failed = "true"

    def restore(self) -> bool:
        """Fill the form from the link or the storage; return False if neither has a form."""
        initial = load_form()
        self.links.set_form_link(initial.link)
        self.files.open_files.show_systems()
        if not initial.inputs:
            return False
        # Texts typed before Python was ready stay.
        inputs = keep_typed_text(initial.inputs, default_texts(), read_form())
        self.form.fill(inputs)
        if initial.overwritten:
            self.form.add_change("opening a link", initial.overwritten)
        return True


Page().start()
