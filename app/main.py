"""The page's adapter: reads the form, asks the pure modules, writes what they return."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from pyscript import document, window

from app.browser.dom import (
    download_text,
    element,
    fill_form,
    fill_references,
    listen,
    load_stored,
    read_form,
    reference_areas,
    remove_stored,
    replace_text,
    restore_control,
    reveal,
    root,
    show_error,
)
from app.browser.dom_patch import patch
from app.browser.highlight import connect_highlight
from app.browser.scheduling import SLICE_SECONDS, DebouncedCall
from app.components.controls import value_label
from app.components.text_boxes import todo_html, token_count
from app.components.wheel import wheel_source
from app.files.controller import connect_corpus_panel
from app.score.exports import EXPORT_FORMATS
from app.score.html import (
    FIRST_EXAMPLE,
    FIRST_ORDER,
    build_snapshot,
    matches_html,
    pinned_changes,
    pinned_text,
    score_bar,
)
from app.state.form import (
    Inputs,
    apply_action,
    error_location,
    example_inputs,
    keep_typed_text,
    swap_texts,
    takes_value,
    weights_hint,
    with_convention,
)
from app.state.history import History
from app.state.memory import guard_memory, is_out_of_memory
from app.state.permalink import from_fragment, to_fragment, without_view
from app.state.saved_form import initial_form
from app.state.snapshot import PageMarkup, PageSnapshot
from app.steps.presentation_controller import connect_presentation
from app.tools.html import code_html, comparison_slices, tokenizer_lens, what_if_slices
from app.tools.which_controller import WhichPanel, connect_file_search
from bleu import SMOOTHINGS, Derivation, self_check
from bleu.analysis.edits import ScoredEdit
from bleu.explanation.matches import ngram_sentence
from bleu.render.html import step_id

if TYPE_CHECKING:
    from app.learn.controller import LearnPanel
    from app.tools.which import SearchRequest
    from bleu.analysis.which import Candidate

LONGEST_LINK = 2 * 2**20
"""Characters of an address that every browser opens."""
IMMEDIATE_MS = 100
"""Milliseconds that an update may take to be made at once; a longer one waits for a pause."""
FRAME_MS = 17
"""Milliseconds after an update in which another waits its turn: some programs type line by line."""
PANELS = "#lens-body, #snippets-body, #comparison-body, #what-if-body"
"""What is filled only where there is a score."""
STORAGE_KEY, RELOAD_STORAGE_KEY = "bleu", "bleu-once"
"""The names in the tab's own storage of texts kept from now on, and through one reload."""


class PageController:
    """What is on the screen now, and all that changes it."""

    def __init__(self) -> None:
        self.snapshot: PageSnapshot | None = None
        """The last whole result, which every panel and export reads."""
        self.invalid = False
        self.convention = Inputs().convention
        self.history = History()
        self.link = ""
        self.shown_link = without_view(window.location.hash)
        self.pinned: Derivation | None = None
        self.scored_edits: list[ScoredEdit] = []
        self.marked_matches: tuple[Derivation, str] | None = None
        self.hint = element("reading").textContent
        self.panel_tasks: list[tuple[str, Iterator[str]]] = []
        self.last_update_ms = self.last_update_at = 0.0
        self.learn_panel: LearnPanel | None = None
        guard = guard_memory(self.on_out_of_memory)
        self.update_timer = DebouncedCall(guard(self.update))
        self.panels_timer = DebouncedCall(guard(self.show_panels))
        self.fill_timer = DebouncedCall(guard(self.fill_panels))
        self.speech_timer = DebouncedCall(self.announce_result)
        self.notice_timer = DebouncedCall(self.clear_notice)
        self.highlight = connect_highlight(guard(self.show_ngram_sentence))
        self.corpus_panel = connect_corpus_panel(
            self.show_segment, self.deliver, lambda: self.file_search.update_stale_notice()
        )
        self.file_search = connect_file_search(
            self.corpus_panel.searched_texts,
            self.corpus_panel.texts_version,
            self.corpus_panel.show_applied_settings,
        )
        self.which = WhichPanel(
            "which", self.search_request, self.current_texts, self.apply_candidate
        )
        self.presentation = connect_presentation(self.anchors, self.on_step_shown)
        self.commands: dict[str, Callable[[str], object]] = {
            "example": lambda name: self.overwrite(example_inputs(name), "the example"),
            "remove": self.remove_reference,
            "convention": self.choose_convention,
            "apply": self.apply,
            "edit": lambda place: self.try_edit(int(place)),
            "copy-code": self.copy_code,
            "add-reference": self.add_reference,
            "swap": lambda _: self.overwrite(swap_texts(read_form()), "swapping"),
            "clear": self.clear,
            "undo": self.undo,
            "redo": self.redo,
            "copy": lambda _: self.export(lambda now: now.view.line, self.copier("Result copied")),
            "share": self.share,
            "share-file": lambda _: self.download("html"),
            "keep": self.pin_result,
            "forget": self.unpin,
            "copy-form": self.copy_form,
            "download": lambda _: self.download(element("form").value),
            "print": self.print_handout,
            "learn": lambda command: self.get_learn_panel().run_command(command),
            **self.presentation.commands,
            "walk": self.present_steps,
            **self.corpus_panel.commands,
            **self.file_search.commands,
            **self.which.commands,
        }
        listen("input", "#inputs", guard(self.on_input))
        listen("click", document, guard(self.on_click))
        listen("keydown", document, self.on_key)
        listen("hashchange", window, guard(self.on_link))
        listen("toggle", "#compare details", guard(lambda _: self.show_panels()))
        listen("view", document, guard(lambda _: self.on_view()))
        listen("afterprint", window, lambda _: root.removeAttribute("data-handout"))
        listen("change", "#orders", guard(lambda _: self.show_matches()))
        listen("change", "#corpus-form", lambda _: self.save_form())
        listen("change", "#keep-texts", lambda _: self.save_form())

    # Events

    def on_input(self, event: Any) -> None:
        """Any box or setting changed."""
        if event.target.id == "convention":
            before = replace(read_form(), convention=self.convention)
            chosen = with_convention(before, event.target.value)
            self.overwrite(chosen, "the choice of an implementation", before)
            return
        if event.target.id == "smoothing":
            element("smoothing-value").value = ""
            self.show_smoothing()
        self.schedule_update()

    def on_click(self, event: Any) -> None:
        """A button was pressed."""
        button = event.target.closest("[data-command]")
        if button:
            if button.tagName == "A":
                event.preventDefault()  # the command goes there, and further
            name, _, argument = button.getAttribute("data-command").partition(":")
            self.commands[name](argument)

    def on_key(self, event: Any) -> None:
        """Ctrl+Z undoes what a click overwrote, as long as nothing has been typed over it since."""
        key = str(getattr(event, "key", "")).lower()  # what a browser fills in by itself has none
        if not (event.ctrlKey or event.metaKey) or event.altKey or key not in {"z", "y"}:
            return
        if event.target.closest("input, textarea") and not event.target.closest("#inputs"):
            return
        again = event.shiftKey or key == "y"
        changes = self.history.future if again else self.history.past
        if changes and read_form() == (changes[-1].before if again else changes[-1].after):
            event.preventDefault()
            (self.redo if again else self.undo)()

    def on_link(self, _event: object) -> None:
        """Another link was opened in the same page; one that was open before fills nothing."""
        fragment = window.location.hash
        if fragment.startswith("#exercises="):
            self.get_learn_panel().open_link(fragment)
        looks = without_view(fragment) != self.shown_link
        self.shown_link = without_view(fragment)
        inputs = from_fragment(fragment)
        if inputs and without_view(fragment) != self.link:
            self.set_link(fragment)
            self.overwrite(inputs, "opening a link")
        if looks:
            self.apply_view_state(fragment)

    def on_view(self) -> None:
        """Another view is in sight."""
        self.presentation.leave()
        self.show_panels()
        if not element("learn").hidden:
            self.get_learn_panel().on_view_opened()

    def get_learn_panel(self) -> "LearnPanel":
        """The view for learning, which is made when it is first asked for."""
        if self.learn_panel is None:
            from app.learn.controller import LearnPanel

            self.learn_panel = LearnPanel(
                read_form, lambda done, text: self.copier(done)(text), self.presentation
            )
        return self.learn_panel

    # The form

    def fill(self, inputs: Inputs) -> None:
        """Put a state into the form and show what it means."""
        fill_form(inputs)
        self.show_smoothing()
        self.update()

    def overwrite(self, inputs: Inputs, what: str, before: Inputs | None = None) -> None:
        """Put another state in the place of the form's, or of `pinned`; it can be undone."""
        before = before or read_form()
        self.fill(inputs)
        self.history.add(what, before, read_form())
        self.show_history()

    def undo(self, *_: object) -> None:
        """Bring back what was overwritten last."""
        self.fill(self.history.undo(read_form()))
        self.show_history()

    def redo(self, *_: object) -> None:
        """Do again what was undone last."""
        self.fill(self.history.redo(read_form()))
        self.show_history()

    def show_history(self) -> None:
        """Offer to undo what was overwritten last, and to do again what was undone last."""
        for name, changes in (("undo", self.history.past), ("redo", self.history.future)):
            button = element(name)
            button.hidden = not changes
            if changes:
                button.title = f"{name.capitalize()}: {changes[-1].label}"
                button.setAttribute("aria-label", button.title)

    def show_smoothing(self) -> None:
        """The value field as the smoothing has it."""
        smoothing = element("smoothing").value
        field, takes = element("smoothing-value"), takes_value(smoothing)
        field.disabled = not takes
        field.placeholder = f"{float(SMOOTHINGS[smoothing].default):.2g}" if takes else ""
        element("smoothing-value-label").textContent = value_label(smoothing)

    def clear(self, _: str) -> None:
        """Empty boxes and default settings."""
        try:
            self.overwrite(Inputs(), "clearing")
        except Exception as error:
            if not is_out_of_memory(error):
                raise
            # too long for Undo to keep here: deleted in its box, the browser keeps it
            for area in (element("hypothesis"), *reference_areas()):
                replace_text(area.id, "")
        element("hypothesis").focus()

    def add_reference(self, _: str) -> None:
        """One more reference box, ready to type in."""
        fill_references((*read_form().references, ""))
        reference_areas()[-1].focus()
        self.update()

    def remove_reference(self, number: str) -> None:
        """One reference box less."""
        form = read_form()
        texts = list(form.references)
        del texts[int(number) - 1]
        self.overwrite(replace(form, references=tuple(texts)), f"removing reference {number}")
        reference_areas()[-1].focus()

    def choose_convention(self, name: str) -> None:
        """The settings of a row of the comparison."""
        chosen = with_convention(read_form(), name)
        self.overwrite(chosen, "the choice of an implementation")
        self.show_result("convention")

    def show_result(self, focused: str) -> None:
        """Bring the result into sight; the keyboard goes on at what was changed."""
        reveal("result")
        element(focused).focus(preventScroll=True)

    def search_request(self) -> "SearchRequest":
        """What a number is said to be of; raises FormError where a text is missing."""
        from app.tools.which import request_from_form

        return request_from_form(read_form())

    def current_texts(self) -> tuple[str, tuple[str, ...]]:
        """The texts in the boxes."""
        inputs = read_form()
        return inputs.hypothesis, inputs.references

    def apply_candidate(self, candidate: "Candidate") -> None:
        """The settings that give a number."""
        from app.tools.which import apply_candidate

        self.overwrite(apply_candidate(read_form(), candidate), "the settings of a number")
        self.show_result("convention")

    def apply(self, action: str) -> None:
        """Do what a finding of the diagnosis offers."""
        self.overwrite(apply_action(read_form(), action), "the suggestion")

    def try_edit(self, place: int) -> None:
        """Do what a row of *What if* says, and show what it moves."""
        text = self.scored_edits[place].edit.text
        if not self.pinned:
            self.pin_result()
        self.overwrite(replace(read_form(), hypothesis=text), "the change of a word")
        self.show_result("hypothesis")

    def show_segment(self, segment: Inputs) -> None:
        """Put one segment of a corpus into the boxes, with its settings."""
        self.overwrite(segment, "opening a segment")
        self.show_result("hypothesis")

    # From the form to the screen

    def schedule_update(self) -> None:
        """Update once typing leaves room: at once for short texts, in the pauses for long."""
        self.panels_timer.cancel()
        if self.last_update_ms >= IMMEDIATE_MS:
            self.update_timer.schedule(min(1000, 2 * self.last_update_ms))
        elif window.performance.now() - self.last_update_at < FRAME_MS:
            self.update_timer.schedule(0)
        else:
            self.update()

    def update(self) -> None:
        """Score what the form holds and show it; an error keeps the last whole result in sight."""
        self.update_timer.cancel()
        self.clear_notice()
        started = window.performance.now()
        inputs = read_form()
        self.convention = inputs.convention
        areas = element("hypothesis"), *reference_areas()
        for area, text in zip(areas, (inputs.hypothesis, *inputs.references), strict=True):
            element(f"{area.id}-count").textContent = token_count(text, inputs.tokenizer)
        if inputs.max_order.isdecimal():
            element("weights-hint").textContent = weights_hint(int(inputs.max_order))
        if element("keep-texts").checked:
            self.save_form()
        try:
            new = build_snapshot(inputs)
        except (TypeError, ValueError) as error:
            self.show_error(*error_location(error))
            return
        except MemoryError:
            raise
        except Exception as error:
            self.show_error("", f"The page itself failed, and your texts are untouched: {error!r}")
            raise
        self.invalid = False
        show_error("", "")
        root.removeAttribute("data-invalid")
        root.removeAttribute("data-stale")
        self.show(new)
        self.last_update_at = window.performance.now()
        self.last_update_ms = self.last_update_at - started
        self.panels_timer.schedule(0 if self.last_update_ms < IMMEDIATE_MS else 800)
        self.speech_timer.schedule(1200)

    def show_error(self, field: str, reason: str) -> None:
        """Say at its field what is wrong; the last whole result stays in sight, dimmed."""
        self.invalid = True
        show_error(field, reason)
        root.dataset.invalid = "true"
        element("strip").setAttribute("href", "#error")
        element("strip").textContent = "Error"

    def on_out_of_memory(self, words: str) -> None:
        """Say that memory ran out; the next update waits for a pause."""
        self.panel_tasks = []
        self.last_update_ms = IMMEDIATE_MS
        self.show_error("", words)

    def show(self, new: PageSnapshot) -> None:
        """Replace what changed, and nothing else."""
        view = new.view
        old = self.snapshot.view if self.snapshot else self.prebuilt_view(new)
        self.snapshot = new
        if old is None or old.result != view.result:
            element("result-body").innerHTML = view.result
        element("strip").setAttribute("href", "#result")
        element("strip").innerHTML = score_bar(new)
        if old is None or old.figures != view.figures:
            element("figures-body").innerHTML = view.figures
        show_steps(dict(old.steps) if old else {}, view)
        self.presentation.refresh()
        self.corpus_panel.update_stale_notice()
        self.which.update_stale_notice()

    def prebuilt_view(self, new: PageSnapshot) -> PageMarkup | None:
        """What the build has written into the page, where that is what is to be shown first."""
        return new.view if new.inputs == example_inputs(FIRST_EXAMPLE) else None

    def announce_result(self) -> None:
        """Tell a screen reader the result, once typing rests."""
        if self.snapshot and not self.invalid:
            element("spoken").textContent = self.snapshot.view.spoken

    def anchors(self) -> list[str]:
        """The steps that are shown."""
        return [anchor for anchor, _ in self.snapshot.view.steps] if self.snapshot else []

    # The panels beside the result

    def show_panels(self) -> None:
        """Mark the texts that were scored last, and fill the panels that are open."""
        now = self.snapshot
        if now is None:
            return
        self.show_matches()
        if self.pinned:
            after = None if now.todo else now.derivation
            element("pinned").innerHTML = pinned_text(self.pinned, after)
            element("moved").hidden = after in (None, self.pinned)
            if after:
                element("before-after-body").innerHTML = pinned_changes(self.pinned, after)
        self.panel_tasks = []
        if element("compare").hidden:
            return
        if now.todo:
            for body in document.querySelectorAll(PANELS):
                body.innerHTML = todo_html(now.todo)
            return
        if element("lens").open:
            element("lens-body").innerHTML = tokenizer_lens(now.inputs)
        if element("check-yourself").open:
            element("snippets-body").innerHTML = code_html(now, wheel_source(window.location.href))
        if element("comparison").open:
            self.panel_tasks.append(("comparison-body", comparison_slices(now)))
        if element("what-if").open:
            self.scored_edits = []
            self.panel_tasks.append(("what-if-body", what_if_slices(now, self.scored_edits)))
        self.fill_panels()

    def fill_panels(self) -> None:
        """Work on the open panels for as long as nobody notices, then let the page breathe."""
        end = perf_counter() + SLICE_SECONDS
        for body, slices in self.panel_tasks:
            for markup in slices:
                if markup:
                    show_panel(element(body), markup)
                elif perf_counter() > end:
                    self.fill_timer.schedule(0)
                    return

    def show_matches(self) -> None:
        """Mark the matches of the chosen order in the texts."""
        if self.snapshot is None:
            return
        scored = self.snapshot.derivation
        for box in document.querySelectorAll("#orders input"):
            box.parentElement.hidden = int(box.value) > len(scored.orders)
        marked = document.querySelector("#orders :checked").value
        markup = (
            todo_html(self.snapshot.todo) if self.snapshot.todo else matches_html(scored, marked)
        )
        if self.marked_matches is None or self.marked_matches[1] != markup:
            element("matches-body").innerHTML = markup
            self.highlight.clear()
            element("reading").textContent = "" if self.snapshot.todo else self.hint
        self.marked_matches = scored, markup

    def show_ngram_sentence(self, key: str) -> None:
        """Say of the n-gram that is lit how often it occurs, and what it is credited."""
        if self.corpus_panel.show_ngram_sentence(key) or not key or self.snapshot is None:
            return
        if self.marked_matches is None or self.marked_matches[0] is not self.snapshot.derivation:
            self.show_matches()  # what was pointed at may be gone by that
        if self.marked_matches and self.highlight.key == key:
            element("reading").textContent = ngram_sentence(self.marked_matches[0], key)

    def on_step_shown(self, anchor: str) -> None:
        """Mark the order that a step is about."""
        order = anchor.removeprefix("precision-")
        box = document.querySelector(f'#orders input[value="{order}"]') if order.isdigit() else None
        if box and not box.checked:
            box.checked = True
            self.show_matches()

    def pin_result(self, *_: object) -> None:
        """Keep this result, to see what the next changes move."""
        if not self.warn_if_no_score() and self.snapshot:
            self.pinned = self.snapshot.derivation
            element("before-after").hidden = False
            self.show_panels()

    def unpin(self, _: str) -> None:
        """Compare no longer."""
        self.pinned = None
        element("before-after").hidden = True
        element("keep").focus()

    # Taken along

    def export(self, make: Callable[[PageSnapshot], str], give: Callable[[str], object]) -> None:
        """Hand over what is made of the result, once the page is up to date."""
        if not self.warn_if_no_score() and self.snapshot:
            give(make(self.snapshot))

    def warn_if_no_score(self) -> bool:
        """Whether there is no score for what stands in the form; why is told, too."""
        return self.warn_if_invalid() or self.warn_if_incomplete()

    def warn_if_invalid(self) -> bool:
        """Whether something is wrong, so that the result is that of before; it is told, too."""
        if self.update_timer.pending:
            self.update()
        if self.invalid:
            marked = document.querySelector('#inputs [aria-invalid="true"]')
            words = "First correct the setting that is marked."
            self.show_notice(words if marked else element("error").textContent)
        return bool(self.invalid)

    def warn_if_incomplete(self) -> bool:
        """Whether a text is missing, of which is told, too."""
        if todo := self.snapshot and self.snapshot.todo:
            self.show_notice(f"There is no score yet. {todo}")
        return bool(todo)

    def present_steps(self, _: str) -> None:
        """The steps one at a time, once there are some."""
        if not self.warn_if_no_score():
            self.presentation.begin(self.presentation.steps)

    def copier(self, done: str) -> Callable[[str], None]:
        """Copy a text and say so, or show it to be copied by hand."""

        def copy(text: str) -> None:
            notice = element("notice")
            notice.dataset.text = text

            def told(_: object) -> None:
                self.show_notice(done)

            def refused(_: object) -> None:
                self.notice_timer.cancel()
                notice.textContent = f"Copy this: {text}"

            clipboard = getattr(window.navigator, "clipboard", None)
            if clipboard:
                clipboard.writeText(text).then(told, refused)
            else:
                refused(None)

        return copy

    def show_notice(self, words: str) -> None:
        """Say something for a while."""
        element("notice").textContent = words
        self.notice_timer.schedule(6000)

    def clear_notice(self) -> None:
        """Take the notice away."""
        self.notice_timer.cancel()
        element("notice").textContent = ""

    def copy_form(self, _: str) -> None:
        """The derivation in the form that is chosen, to the clipboard."""
        form = EXPORT_FORMATS[element("form").value]
        self.export(form.render, self.copier(f"Copied: {form.label}"))

    def download(self, name: str) -> None:
        """The derivation as a file, made here."""
        form = EXPORT_FORMATS[name]
        self.export(
            form.render, lambda text: download_text(text, f"bleu.{form.extension}", form.media_type)
        )

    def print_handout(self, _: str) -> None:
        """Result, texts, figures and steps on paper, whatever view is on the screen."""
        if not self.warn_if_invalid():
            root.dataset.handout = "yes"
            window.print()

    def copy_code(self, number: str) -> None:
        """A piece of code, to the clipboard."""
        self.copier("Code copied")(element(f"snippet-{number}").textContent)

    def deliver(self, text: str, ending: str, media_type: str, how: str) -> None:
        """Copy or save what the part for whole files made."""
        if how == "save":
            download_text(text, f"bleu-files.{ending}", media_type)
        else:
            self.copier("Copied")(text)

    def share(self, _: str) -> None:
        """A link that holds the texts and settings, to the clipboard."""
        fragment = self.fragment_with_view_state(to_fragment(read_form(), root.dataset.view or ""))
        address = f"{window.location.href.split('#')[0]}#{fragment}"
        if len(address) <= LONGEST_LINK:
            here = " It opens this file, on this computer." if address.startswith("file:") else ""
            self.copier(f"Link copied. It holds your texts and settings.{here}")(address)
            return
        instead = (
            " Take a file instead: "
            '<button type="button" data-command="share-file">Save the web page</button>'
        )
        element("notice").innerHTML = (
            f"The link would have {len(address):,} characters, and browsers open links of up to "
            f"{LONGEST_LINK:,}: nothing is copied."
            f"{instead if self.snapshot and not self.snapshot.todo else ''}"
        )

    def fragment_with_view_state(self, fragment: str) -> str:
        """The fragment of a link that shows the page as it is now: a step alone, marks, size."""
        from app.state.view_state import ViewState, add_view_state

        step = self.presentation.name
        if step and root.dataset.view == "learn":
            fragment, step = self.get_learn_panel().fragment()
        marked = document.querySelector("#orders :checked").value
        orders = "" if marked == FIRST_ORDER or root.dataset.view == "learn" else marked
        large = element("large").getAttribute("aria-pressed") == "true"
        return add_view_state(fragment, ViewState(step, orders, large))

    def apply_view_state(self, fragment: str) -> None:
        """Show the page as a link asks for; what of it there is not is said."""
        if not any(f"{name}=" in fragment for name in ("step", "orders", "size")):
            return
        from app.state.view_state import existing_or_note, missing_parts_notice, parse_view_state

        look, odd = parse_view_state(fragment)
        if look.large != (element("large").getAttribute("aria-pressed") == "true"):
            self.presentation.toggle_large()
        boxes = [str(box.value) for box in document.querySelectorAll("#orders input")]
        orders, unknown = existing_or_note(look.marked_order, "order", boxes)
        odd += unknown
        if orders:
            document.querySelector(f'#orders input[value="{orders}"]').checked = True
            self.show_matches()
        learning = root.dataset.view == "learn"
        series = self.get_learn_panel() if learning else self.presentation.steps
        if learning and fragment.startswith("#exercises="):
            self.get_learn_panel().pending_item = look.step  # its exercises are still to be found
        else:
            step, unknown = existing_or_note(look.step, "step", series.names())
            odd += unknown
            if step:
                self.presentation.begin(series, step)
        element("notice").textContent = missing_parts_notice(odd)

    # Kept through a reload

    def save_form(self) -> None:
        """Keep the boxes in this tab, on this device, through a reload, where that is chosen."""
        if not element("keep-texts").checked:
            remove_stored(STORAGE_KEY)
        elif not window.keepTexts(STORAGE_KEY):
            words = "There is no room to keep these texts: they will not survive a reload."
            element("notice").textContent = words

    def set_link(self, link: str) -> None:
        """Remember the link that filled the boxes last, also for what is kept."""
        self.link = window.textLink = without_view(link)

    def restore(self) -> bool:
        """Open what the link holds, or what was kept before a reload, if there is something."""
        kept, once = load_stored(STORAGE_KEY), load_stored(RELOAD_STORAGE_KEY)
        element("keep-texts").checked = bool(kept)
        found = initial_form(window.location.hash, kept, once, FIRST_EXAMPLE)
        self.set_link(found.link)
        for name, value in found.file_controls.items():
            restore_control(name, value)
        self.corpus_panel.show_systems()
        remove_stored(RELOAD_STORAGE_KEY)
        if not found.inputs:
            return False
        # what was typed before Python was up stays
        form = keep_typed_text(found.inputs, example_inputs(FIRST_EXAMPLE), read_form())
        self.fill(form)
        if found.overwritten:
            self.history.add("opening a link", found.overwritten, form)
            self.show_history()
        return True

    def start(self) -> None:
        """Check the library against its worked examples, then score what is there."""
        try:
            checked = self_check()
        except ArithmeticError as error:
            element("error").textContent = f"Do not trust this page: {error}"
            element("loading").textContent = "The self-check failed, so nothing is scored."
            element("result-body").textContent = ""
            element("derivation").textContent = ""
            for body in document.querySelectorAll(PANELS):
                body.textContent = ""
            root.dataset.failed = "true"
            return
        element(
            "loading"
        ).textContent = f"Runs on your device. Self-check passed: {checked} of {checked} examples."
        try:
            restored = self.restore()
        except Exception as error:  # whatever a link holds, the page starts
            restored = False
            element("notice").textContent = f"What the link holds cannot be read: {error!r}"
        if not restored:
            self.show_smoothing()
            self.update()
        root.removeAttribute("data-failed")
        root.dataset.ready = "true"
        if not element("learn").hidden:
            self.get_learn_panel().on_view_opened()
        self.apply_view_state(window.location.hash)


def show_panel(panel: Any, markup: str) -> None:
    """Fill a panel again; what was unfolded in it stays so."""
    unfolded = panel.querySelector("details[open]")
    panel.innerHTML = markup
    fold = panel.querySelector("details")
    if unfolded and fold:
        fold.open = True


def show_steps(old: dict[str, str], view: PageMarkup) -> None:
    """Replace the steps that changed, and no others."""
    new = dict(view.steps)
    if not old:
        element("derivation").innerHTML = view.contents + "".join(new.values())
        return
    if list(new) != list(old):
        document.querySelector("#derivation nav").outerHTML = view.contents
    for anchor in old.keys() - new.keys():
        element(step_id(anchor)).remove()
    before = document.querySelector("#derivation nav")
    for anchor, markup in new.items():
        if anchor not in old:
            before.insertAdjacentHTML("afterend", markup)
        elif old[anchor] != markup:
            patch(element(step_id(anchor)), old[anchor], markup)
        before = element(step_id(anchor))


def main() -> None:
    """Build the state, the panels and the listeners, in this order, and start."""
    PageController().start()


main()
