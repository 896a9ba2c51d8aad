"""The box that asks which BLEU a number is: starts the search, shows it, and can stop it."""

from collections.abc import Callable
from typing import Any

from pyscript import when

from app.browser.background import Job
from app.browser.dom import element, read_form
from app.page.form import Inputs
from app.page.scarce import WORDS, out_of_memory
from app.page.which import applied, result, search, status
from bleu.analysis.which import Answer
from bleu.explanation.which import listed


class WhichPanel:
    """What was searched for, and what is under way."""

    def __init__(self, apply: Callable[[Inputs], object]) -> None:
        self.apply_settings = apply
        self.job: Job[Answer] | None = None
        self.answer: Answer | None = None
        self.texts: tuple[str, tuple[str, ...]] | None = None
        """Those of the answer that is shown."""
        self.commands: dict[str, Callable[[str], object]] = {
            "which": lambda _: self.search(),
            "which-cancel": lambda _: self.cancel(),
            "which-apply": lambda number: self.apply(int(number)),
        }
        when("keydown", "#which-number")(self.on_key)

    def on_key(self, event: Any) -> None:
        """Enter in the box starts the search."""
        if getattr(event, "key", "") == "Enter":
            event.preventDefault()
            self.search()

    def search(self) -> None:
        """Look for the number that was typed; what was found before stays until this is whole."""
        self.stop()
        element("which-error").textContent = ""
        element("which-status").textContent = "Trying every way…"
        inputs = read_form()
        element("which-cancel").hidden = element("which-progress").hidden = False
        element("which-progress").value = 0
        work = search(inputs, element("which-number").value)
        self.job = Job(work, lambda answer: self.show(answer, inputs), self.refuse, self.tell)

    def tell(self, share: float, _seconds: float) -> None:
        """Show how far the search is."""
        element("which-progress").value = share

    def show(self, answer: Answer, inputs: Inputs) -> None:
        """Show what was found."""
        self.rest()
        self.answer, self.texts = answer, (inputs.hypothesis, inputs.references)
        element("which-body").innerHTML = result(answer, inputs)
        element("which-status").textContent = status(answer)
        self.check_texts(read_form())

    def refuse(self, error: Exception) -> None:
        """Say what is wrong; what was typed and found before stays."""
        self.rest()
        element("which-status").textContent = ""
        if out_of_memory(error):
            words = WORDS
        elif isinstance(error, TypeError | ValueError):
            words = str(error)
        else:
            words = f"The page itself failed, and your texts are untouched: {error!r}"
        element("which-error").textContent = words

    def check_texts(self, inputs: Inputs) -> None:
        """Say so where the texts are no longer those of the answer."""
        now = inputs.hypothesis, inputs.references
        element("which-stale").hidden = self.texts is None or self.texts == now

    def cancel(self) -> None:
        """Stop the search, as the person asks."""
        self.stop()
        element("which-status").textContent = "Cancelled."
        element("which-search").focus()

    def stop(self) -> None:
        """Stop a search that is under way."""
        if self.job:
            self.job.close()
            self.rest()

    def rest(self) -> None:
        """Nothing is under way any more."""
        self.job = None
        element("which-cancel").hidden = element("which-progress").hidden = True

    def apply(self, number: int) -> None:
        """Take the settings of a row."""
        if self.answer:
            self.apply_settings(applied(read_form(), listed(self.answer)[number]))
