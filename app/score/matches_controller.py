"""The matches: lanes in the text boxes, a line about one word, and the marked running text."""

from dataclasses import replace
from typing import Any

from pyscript import document, window

from app.browser.commands import command
from app.browser.dom import element, listen, read_form, show_texts
from app.browser.highlight import FactorController, NgramHighlight
from app.browser.notices import SPEECH_MS, announce
from app.browser.page_calls import PageCalls
from app.browser.scheduling import DebouncedCall
from app.components import button, missing_text_html
from app.score.controller import ScoreController
from app.score.html import matches_html
from app.score.lanes import lanes_json, removal_sentence, word_light, word_removal
from bleu.analysis.edits import Edit
from bleu.explanation.matches import ngram_sentence
from bleu.render import html, text

HINT = "Click a word to leave it out."
"""The line below the candidate while no word is pointed at or picked."""


class MatchesController:
    """The marks in the text boxes, and the running text of slides and of the handout.

    `factors` choose the order that is marked. `edit` is the removal of the word that holds the
    caret, or None.
    """

    def __init__(self, page: PageCalls, score: ScoreController) -> None:
        self.page, self.score = page, score
        self.factors = FactorController(page.guard, self.show)
        self.edit: Edit | None = None
        self.highlight = NgramHighlight(page.guard(self.announce_ngram))
        self.speech_timer = DebouncedCall(self.announce_reading)
        listen("word", document, page.guard(self.on_word))

    def show(self) -> None:
        """Draw the marks of the chosen order, or of all, in the text boxes."""
        snapshot = self.score.snapshot
        if snapshot is None:
            return
        derivation, self.edit = snapshot.derivation, None
        order = int(self.factors.order)
        element("reading").textContent = "" if snapshot.todo else HINT
        if hasattr(window, "drawLanes"):  # It may report a word at the caret.
            window.drawLanes(
                "[]" if snapshot.todo else lanes_json(snapshot.inputs, derivation, order)
            )

    def show_running_text(self, order: str = "") -> None:
        """Mark the matches of an order in the running text, or of the chosen one."""
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
        """Announce how often the highlighted n-gram occurs, and its credit."""
        snapshot = self.score.snapshot
        if not self.page.show_ngram_sentence(key) and key and snapshot:
            announce(text.spans(ngram_sentence(snapshot.derivation, key).spans))

    # A word of a text box

    def on_word(self, event: Any) -> None:
        """Light up the n-gram at the pointer, or show the score without the word at the caret."""
        kind, box, position = event.detail.split()
        snapshot = self.score.snapshot
        if snapshot is None or snapshot.todo or self.score.invalid:
            return
        inputs, derivation, is_word = snapshot.inputs, snapshot.derivation, position != "-1"
        line, ranges, anchor = HINT, "[]", ""
        if kind == "caret":
            self.edit = word_removal(inputs, derivation, int(position)) if is_word else None
            self.speech_timer.schedule(SPEECH_MS)
        elif is_word:
            order = int(self.factors.order)
            ranges, sentence, n = word_light(inputs, derivation, int(box), int(position), order)
            anchor = f"precision-{n}" if n else ""
            line = f"<span>{html.spans(sentence.spans)}</span>"
        if kind == "point":
            window.lightWords(ranges)
            self.factors.light(anchor)
        if self.edit:
            effect = html.spans(removal_sentence(self.edit, derivation).spans)
            line = f"<span>{effect}</span> {button('leave-out', 'Leave it out')}"
        if kind == "caret" or not self.edit:
            show_texts(element("reading"), line)

    def announce_reading(self) -> None:
        """Announce the score without the word at the caret."""
        if self.edit and self.score.snapshot:
            announce(text.spans(removal_sentence(self.edit, self.score.snapshot.derivation).spans))

    @command("leave-out")
    def leave_out(self, _: str) -> None:
        """Remove the word at the caret; Undo, which gets the focus, puts it back."""
        if self.edit:
            inputs = replace(read_form(), hypothesis=self.edit.text)
            self.score.form.overwrite(inputs, "leaving out a word")
            element("undo").focus()
