"""The texts with their matches marked, and a sentence about the highlighted n-gram."""

from collections.abc import Callable

from app.browser.dom import element, show_texts
from app.browser.factors import FactorController
from app.browser.highlight import NgramHighlight
from app.browser.notices import announce
from app.components.text_boxes import missing_text_html
from app.score.controller import ScoreController
from app.score.html import matches_html
from app.state.memory import MemoryGuard
from bleu.core.derivation import Derivation
from bleu.explanation.matches import ngram_sentence
from bleu.render import html, text


class MatchesController:
    """The marked texts.

    `factors` choose the order that is marked. `show_elsewhere` shows the sentence about an n-gram
    if its key belongs to another view, and returns whether it does.
    """

    def __init__(
        self, score: ScoreController, guard: MemoryGuard, show_elsewhere: Callable[[str], bool]
    ) -> None:
        self.score = score
        self.factors = FactorController(guard, self.show)
        self.show_elsewhere = show_elsewhere
        self.derivation: Derivation | None = None
        self.markup = ""
        self.hint = element("reading").innerHTML
        self.highlight = NgramHighlight(guard(self.show_ngram_sentence))

    def show(self) -> None:
        """Mark the matches of the chosen order."""
        snapshot = self.score.snapshot
        if snapshot is None:
            return
        derivation = snapshot.derivation
        markup = missing_text_html(snapshot.todo)
        if not snapshot.todo:
            marked = matches_html(derivation, self.factors.order)
            markup = html.with_language(marked, snapshot.inputs.lang)
        if markup != self.markup:
            element("matches-body").innerHTML = markup
            self.highlight.clear()
            element("reading").innerHTML = "" if snapshot.todo else self.hint
        self.derivation, self.markup = derivation, markup

    def show_ngram_sentence(self, key: str) -> None:
        """Show how often the highlighted n-gram occurs, and its credit."""
        snapshot = self.score.snapshot
        if self.show_elsewhere(key) or not key or snapshot is None:
            return
        if self.derivation is not snapshot.derivation:
            self.show()  # Redrawing may have removed the n-gram under the pointer.
        if self.derivation and self.highlight.key == key:
            sentence = ngram_sentence(self.derivation, key)
            show_texts(element("reading"), html.spans(sentence.spans))
            announce(text.spans(sentence.spans))
