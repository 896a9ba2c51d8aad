"""The calls that the controllers of views make to the page, which alone knows all of them."""

from typing import Any, Protocol

from app.browser.model_box import ModelBox
from app.browser.notices import Notices
from app.state.form import MemoryGuard, PageMarkup, PageSnapshot
from app.state.inputs import Inputs


class PageCalls(Protocol):
    """The page, as the controllers of its views see it."""

    guard: MemoryGuard
    notices: Notices
    models: ModelBox

    def show_snapshot(self, snapshot: PageSnapshot, previous: PageMarkup | None) -> None:
        """Show a new result in the other views, with the markup that it replaces, if known."""

    def show_panels(self) -> None:
        """Fill the parts that take long, once typing pauses after a new result."""

    def has_score(self) -> bool:
        """Return whether the form has a score, and show the reason if not."""

    def open_form(self, inputs: Inputs, change: str, focus: str = "convention") -> None:
        """Show other inputs in the Score view; `change` is their name for *Undo*."""

    def overwrite_form(self, inputs: Inputs, change: str) -> None:
        """Change the form without showing it; `change` is its name for *Undo*."""

    def open_segment(self, segment: Inputs) -> None:
        """Open a segment of the files, with its settings, in the form."""

    def try_edit(self, text: str) -> None:
        """Pin the result, and put an edited candidate into the form."""

    def on_file_texts_changed(self) -> None:
        """Say if the texts have changed since a search for the BLEU variant of a number."""

    def show_ngram_sentence(self, key: str) -> bool:
        """Describe an n-gram of the open segment; return whether the key belongs to a segment."""

    def show_running_text(self, order: str) -> None:
        """Mark an order in the running text of a presentation."""

    def get_learn(self) -> Any:
        """Return the Learn view, which is imported when it is first needed."""

    def present_learn(self, item: str) -> None:
        """Begin the presentation of the Learn view with an item."""

    def leave_presentation(self) -> None:
        """End the presentation."""

    def on_item_shown(self, item: str) -> None:
        """Update the presentation after the content of an item has changed."""
