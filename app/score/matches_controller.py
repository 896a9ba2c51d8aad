"""The matches: highlighted n-grams, factors, lanes in the text boxes, and the running text."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pyscript import document, window

from app.browser.dom import element, listen, read_form, reveal, show_texts
from app.browser.page import SPEECH_MS, PageCalls, announce, command
from app.browser.scheduling import DebouncedCall
from app.components import button, missing_text_html
from app.score.controller import ScoreController
from app.score.html import matches_html
from app.score.lanes import (
    lanes_json,
    lanes_key,
    ngram_light,
    removal_sentence,
    text_indices,
    word_light,
    word_removal,
)
from app.score.strip import strip_html
from app.state.form import MemoryGuard, PageSnapshot
from app.state.saved_form import ALL_ORDERS
from bleu.analysis.edits import Edit
from bleu.document.blocks import paragraph
from bleu.explanation.matches import ngram_sentence, read_marks
from bleu.explanation.stations import station_names
from bleu.render import html, text

MAX_IMMEDIATE_TOKENS = 2_000
"""The number of tokens of all texts above which their marks are drawn after the score."""
LEAVE_OUT_HINT = "Click to leave it out."
MIN_STRIP_PIXELS = 200
"""The height of an opened station that must be in sight, else it is scrolled into view."""
ARROW_STEPS = {"ArrowRight": 1, "ArrowDown": 1, "ArrowLeft": -1, "ArrowUp": -1}
HORIZONTAL_KEYS = {"ArrowRight", "ArrowLeft"}


class MatchesController:
    """The marks in the text boxes, and the running text of slides and of the handout.

    `factors` choose the order that is marked. `edit` is the removal of the word that holds the
    caret, or None, and `removal` a sentence on it. `is_late` is True while the marks of long texts
    are not drawn.
    """

    def __init__(self, page: PageCalls, score: ScoreController) -> None:
        self.page, self.score = page, score
        self.factors = FactorController(page.guard, score, self.show)
        self.edit: Edit | None = None
        self.removal = paragraph()
        self.is_late = False
        self.highlight = NgramHighlight(page.guard(self.announce_ngram))
        self.speech_timer = DebouncedCall(self.announce_reading)
        listen("word", document, page.guard(self.on_word))

    def update(self, snapshot: PageSnapshot) -> None:
        """Draw the marks of a new result, those of long texts later."""
        texts = (snapshot.derivation.hypothesis, *snapshot.derivation.references)
        self.is_late = sum(map(len, texts)) > MAX_IMMEDIATE_TOKENS
        if not self.is_late:
            self.show()

    def show(self) -> None:
        """Draw the marks of the chosen order, or of all, in the text boxes."""
        snapshot, self.is_late = self.score.snapshot, False
        if snapshot is None:
            return
        derivation, self.edit = snapshot.derivation, None
        order = int(self.factors.order)
        show_texts(element("reading"), self.key)
        if hasattr(window, "drawLanes"):  # It may report a word at the caret.
            window.drawLanes(
                "[]" if snapshot.todo else lanes_json(snapshot.inputs, derivation, order)
            )

    @property
    def key(self) -> str:
        """The line below the candidate while no word is pointed at or picked."""
        snapshot = self.score.snapshot
        if snapshot is None or snapshot.todo:
            return ""
        return lanes_key(snapshot.derivation, int(self.factors.order))

    def show_running_text(self, order: str = "") -> None:
        """Mark the matches of an order in the running text, or of the chosen one.

        A slide has an order, and shows its station; for "", the open one is shown again.
        """
        slide = f"precision-{order}" if order else ""
        if slide != self.factors.slide:
            self.factors.show(slide)
        if snapshot := self.score.snapshot:
            order = order or str(int(self.factors.order) or 1)
            markup = missing_text_html(snapshot.todo)
            if not snapshot.todo:
                markup = html.with_language(
                    matches_html(snapshot.derivation, order), snapshot.inputs.lang
                )
            element("matches-body").innerHTML = markup
            self.highlight.clear()

    def announce_ngram(self, key: str) -> None:
        """Announce how often the highlighted n-gram occurs, and light its places in the boxes."""
        snapshot = self.score.snapshot
        is_elsewhere = self.page.show_ngram_sentence(key) or key.startswith("learn")
        if is_elsewhere or snapshot is None or snapshot.todo:
            return
        window.lightWords(ngram_light(snapshot.inputs, snapshot.derivation, key) if key else "[]")
        line = self.key
        if key:
            sentence = ngram_sentence(snapshot.derivation, key)
            line = f"<span>{html.spans(sentence.spans)}</span>"
            announce(text.spans(sentence.spans))
        if not self.edit:
            show_texts(element("reading"), line)

    # A word of a text box

    def on_word(self, event: Any) -> None:
        """Light up the n-gram at the pointer, or show the score without the word at the caret."""
        kind, box, position = event.detail.split()
        snapshot = self.score.snapshot
        if snapshot is None or snapshot.todo or self.score.invalid:
            return
        inputs, derivation, is_word = snapshot.inputs, snapshot.derivation, position != "-1"
        line, ranges, anchor = self.key, "[]", ""
        if kind == "caret":
            self.edit = word_removal(inputs, derivation, int(position)) if is_word else None
            self.removal = paragraph()
            if self.edit:
                self.removal = removal_sentence(inputs, derivation, self.edit, int(position))
            self.speech_timer.schedule(SPEECH_MS)
        elif is_word:
            order = int(self.factors.order)
            ranges, sentence, n = word_light(inputs, derivation, int(box), int(position), order)
            anchor = f"precision-{n}" if n else ""
            hint = "" if int(box) else f" {LEAVE_OUT_HINT}"
            line = f"<span>{html.spans(sentence.spans)}{hint}</span>"
        if kind == "point":
            window.lightWords(ranges)
            self.factors.light(anchor)
        if self.edit:
            effect = html.spans(self.removal.spans)
            line = f"<span>{effect}</span> {button('leave-out', 'Leave it out')}"
        if kind == "caret" or not self.edit:
            show_texts(element("reading"), line)

    def announce_reading(self) -> None:
        """Announce whether the word at the caret counts, and the score without it."""
        if self.edit:
            announce(text.spans(self.removal.spans))

    @command("read-marks")
    def read_marks(self, box: str) -> None:
        """Announce which words of a text box count."""
        snapshot = self.score.scored_snapshot()
        if snapshot and (index := text_indices(snapshot.inputs)[int(box)]) is not None:
            announce(read_marks(snapshot.derivation, index))

    @command("leave-out")
    def leave_out(self, _: str) -> None:
        """Remove the word at the caret; Undo, which gets the focus, puts it back."""
        if self.edit:
            inputs = replace(read_form(), hypothesis=self.edit.text)
            self.score.form.overwrite(inputs, "leaving out a word")
            element("undo").focus()


class NgramHighlight:
    """The highlighted n-gram, which follows pointer, focus and keys.

    - `on_highlight`: called with the key of the n-gram (its `data-ngram`), or "".
    - `key`: the highlighted key, or "".
    - `focused_key`: the key at the focus, highlighted whenever the pointer is on no n-gram.
    - `locked`: whether an n-gram was clicked, so that the pointer changes nothing.
    """

    def __init__(self, on_highlight: Callable[[str], None]) -> None:
        self.on_highlight = on_highlight
        self.key = ""
        self.focused_key = ""
        self.locked = False
        listen("pointerover", "main", self.on_pointer_over)
        listen("focusin", "main", self.on_focus)
        listen("click", "main", self.on_click)
        listen("keydown", "main", self.on_key)

    def highlight(self, key: str) -> None:
        """Highlight every occurrence of an n-gram, and no other."""
        if key == self.key:
            return
        self.key = key
        for node in list(document.querySelectorAll(".lit")):
            node.classList.remove("lit")
        if key:
            for node in document.querySelectorAll(f'[data-ngram="{key}"]'):
                for part in marked_parts(node, key):
                    part.classList.add("lit")
        self.on_highlight(key)

    def clear(self) -> None:
        """Remove the highlight and its lock."""
        self.locked = False
        self.focused_key = ""
        self.highlight("")

    def on_pointer_over(self, event: Any) -> None:
        """Highlight the n-gram under the pointer, or else the n-gram at the focus."""
        if not self.locked:
            self.highlight(ngram_key(event.target) or self.focused_key)

    def on_focus(self, event: Any) -> None:
        """Highlight the n-gram that receives the focus."""
        self.focused_key = ngram_key(event.target)
        if self.focused_key:
            self.locked = False
            self.highlight(self.focused_key)

    def on_click(self, event: Any) -> None:
        """Lock the highlight on the n-gram that was clicked, or release it."""
        self.focused_key = ngram_key(event.target)
        self.locked = bool(self.focused_key)
        self.highlight(self.focused_key)

    def on_key(self, event: Any) -> None:
        """Clear the highlight at Escape, and move the focus at arrow keys, Home and End."""
        if event.key == "Escape":
            self.clear()
        button = event.target.closest("[data-rove] button")
        if button and event.key in {*ARROW_STEPS, "Home", "End"}:
            event.preventDefault()
            move_focus(button, event.key)


def ngram_key(target: Any) -> str:
    """Return the key of the n-gram that an element represents, or "" if it represents none."""
    node = target.closest("[data-ngram]")
    return str(node.getAttribute("data-ngram")) if node else ""


def marked_parts(node: Any, key: str) -> list[Any]:
    """Return the element of an n-gram, or in a running text its words from this one on."""
    text = node.closest(".running")
    if not text:
        return [node]
    words = list(text.querySelectorAll("button"))
    start = next(n for n, word in enumerate(words) if word.isSameNode(node))
    return words[start : start + int(key.split("-")[-2])]


def move_focus(button: Any, key: str) -> None:
    """Move the focus to another button in the same text or table, at an arrow key, Home or End."""
    group = button.closest("[data-rove]")
    buttons = [node for node in group.querySelectorAll("button") if node.checkVisibility()]
    index = next(n for n, node in enumerate(buttons) if node.isSameNode(button))
    step = ARROW_STEPS.get(key, 0)
    if key in HORIZONTAL_KEYS and window.getComputedStyle(button).direction == "rtl":
        step = -step
    last = len(buttons) - 1
    target = buttons[{"Home": 0, "End": last}.get(key, min(max(index + step, 0), last))]
    button.tabIndex = -1
    target.tabIndex = 0
    target.focus()


class FactorController:
    """The factors: each opens its station on the strip below the formula, and marks its order.

    - `on_change`: called when another order is to be marked.
    - `opened`: the step of the open station, or ""; `slide`: that of the slide, instead of it.
    - `pointed`: the step of the factor under the pointer or the focus, or "".
    """

    def __init__(
        self, guard: MemoryGuard, score: ScoreController, on_change: Callable[[], object]
    ) -> None:
        self.score, self.on_change = score, on_change
        self.opened = self.pointed = self.slide = ""
        for event in ("pointerover", "focusin"):
            listen(event, "#result-body", guard(self.on_point))
        for event in ("pointerleave", "focusout"):
            listen(event, "#result-body", guard(lambda _: self.point("")))
        listen("keydown", document, guard(self.on_key))

    @property
    def order(self) -> str:
        """The order to mark: of the factor pointed at, else of the open station, else all."""
        return order_of(self.pointed) or order_of(self.opened) or ALL_ORDERS

    def on_point(self, event: Any) -> None:
        """Show the factor at the pointer or the focus, also if the sentence names it."""
        node = event.target.closest("[data-factor]")
        self.point(node.dataset.factor if node else "")

    def point(self, anchor: str) -> None:
        """Light the factor of a step and its part of the sentence, and mark its order."""
        if anchor != self.pointed:
            self.pointed = anchor
            self.light(anchor)
            self.on_change()

    def on_key(self, event: Any) -> None:
        """Close the station at Escape, if it is in sight."""
        is_hidden = bool(element("calculator").hidden) or not element("presenter").hidden
        if event.key == "Escape" and self.opened and not is_hidden:
            self.pointed = ""
            self.toggle(self.opened)

    @command("explain")
    def toggle(self, anchor: str) -> None:
        """Open a station and announce its sentence, or close it if it is open.

        From another view, the Score view is shown, with the focus on the candidate.
        """
        if element("calculator").hidden:
            reveal("calculator")
            self.open(anchor)
            element("hypothesis").focus()
            return
        has_focus = element("station").contains(document.activeElement)
        opener = document.querySelector(f'.factor[data-factor="{self.opened}"]') or element("tour")
        self.open("" if anchor == self.opened else anchor)
        strip = element("station")
        if has_focus:  # The button that was pressed has been replaced.
            (strip.querySelector(".next") or opener).focus()
        elif strip.getBoundingClientRect().top > window.innerHeight - MIN_STRIP_PIXELS:
            strip.scrollIntoView(False)

    def open(self, anchor: str) -> None:
        """Open a station, or none for "", and announce its sentence."""
        self.opened, self.pointed = anchor, ""
        announce(self.show())
        self.on_change()

    def show(self, slide: str = "") -> str:
        """Show the station of a slide, or else the open one, and return its announcement.

        The station of a factor that is gone is closed.
        """
        body, snapshot, anchors = element("result-body"), self.score.snapshot, self.anchors()
        self.slide = slide
        if self.opened not in anchors:
            self.opened = ""
        self.light(self.pointed)
        markup = spoken = ""
        if snapshot and anchors and (slide or self.opened):
            markup, spoken = strip_html(snapshot, slide or self.opened)
        if anchors:
            element("station").innerHTML = markup
            element("station").hidden = not markup
        for node in body.querySelectorAll("[aria-expanded]"):
            is_open = node.dataset.command == f"explain:{self.opened}"
            node.setAttribute("aria-expanded", str(is_open).lower())
        return spoken

    def light(self, anchor: str) -> None:
        """Light the factor of a step and its part of the sentence; "" lights none."""
        for node in element("result-body").querySelectorAll("[data-factor]"):
            node.classList.toggle("lit", node.dataset.factor == anchor)

    def anchors(self) -> list[str]:
        """Return the steps of the stations that can be opened; without a score there are none."""
        snapshot = self.score.snapshot
        return [] if snapshot is None or snapshot.todo else [*station_names(snapshot.derivation)]


def order_of(anchor: str) -> str:
    """Return the order of the step of a precision, or "" for another step."""
    order = anchor.removeprefix("precision-")
    return order if order.isdigit() else ""
