"""The box that asks which BLEU a number is: starts the search, shows it, and can stop it.

What searches is imported when it is first asked for.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pyscript import window

from app.browser.background import Job
from app.browser.dom import element, listen
from app.page.scarce import WORDS, out_of_memory
from app.page.wheel import wheel_source

if TYPE_CHECKING:
    from app.page.which import Asked
    from bleu.analysis.which import Answer, Candidate


class WhichPanel:
    """What was searched for, and what is under way.

    `name` is what the ids of its elements and its commands begin with. `ask` gives the texts, or
    raises what is wrong with them; `now` is something that is another thing when the texts are
    others; `take` gets the candidate whose settings are to be applied.
    """

    def __init__(
        self,
        name: str,
        ask: Callable[[], "Asked"],
        now: Callable[[], object],
        take: Callable[["Candidate"], object],
    ) -> None:
        self.name, self.ask, self.now, self.take = name, ask, now, take
        self.job: Job[Answer] | None = None
        self.answer: Answer | None = None
        self.asked_of: object = None
        """What `now` was for the answer that is shown."""
        self.commands: dict[str, Callable[[str], object]] = {
            name: lambda _: self.search(),
            f"{name}-cancel": lambda _: self.cancel(),
            f"{name}-apply": lambda number: self.apply(int(number)),
        }
        listen("keydown", f"#{name}-number", self.on_key)

    def part(self, name: str) -> Any:
        """An element of the box."""
        return element(f"{self.name}-{name}")

    def on_key(self, event: Any) -> None:
        """Enter in the box starts the search."""
        if getattr(event, "key", "") == "Enter":
            event.preventDefault()
            self.search()

    def search(self) -> None:
        """Look for the number that was typed; what was found before stays until this is whole."""
        from app.page.which import search

        self.stop()
        self.part("error").textContent = ""
        try:
            now, asked = self.now(), self.ask()
        except (TypeError, ValueError, MemoryError) as error:
            self.refuse(error)
            return
        self.part("status").textContent = "Trying every way…"
        self.part("cancel").hidden = self.part("progress").hidden = False
        self.part("progress").value = 0
        work = search(asked, self.part("number").value)
        self.job = Job(work, lambda found: self.show(found, asked, now), self.refuse, self.tell)

    def tell(self, share: float, _seconds: float) -> None:
        """Show how far the search is."""
        self.part("progress").value = share

    def show(self, answer: "Answer", asked: "Asked", now: object) -> None:
        """Show what was found."""
        from app.page.which import result
        from bleu.explanation.which import verdict

        self.rest()
        self.answer, self.asked_of = answer, now
        self.part("body").innerHTML = result(
            answer, asked, self.name, wheel_source(window.location.href)
        )
        self.part("status").textContent = verdict(answer)
        self.check_texts()

    def refuse(self, error: Exception) -> None:
        """Say what is wrong; what was typed stays, and no answer to another question."""
        self.rest()
        self.answer = None
        self.part("status").textContent = self.part("body").innerHTML = ""
        self.check_texts()
        if out_of_memory(error):
            words = WORDS
        elif isinstance(error, TypeError | ValueError):
            words = str(error)
        else:
            words = f"The page itself failed, and your texts are untouched: {error!r}"
        self.part("error").textContent = words

    def check_texts(self) -> None:
        """Say so where the texts are no longer those of the answer."""
        self.part("stale").hidden = self.answer is None or self.asked_of == self.now()

    def cancel(self) -> None:
        """Stop the search, as the person asks."""
        self.stop()
        self.part("status").textContent = "Cancelled."
        self.part("search").focus()

    def stop(self) -> None:
        """Stop a search that is under way."""
        if self.job:
            self.job.close()
            self.rest()

    def rest(self) -> None:
        """Nothing is under way any more."""
        self.job = None
        self.part("cancel").hidden = self.part("progress").hidden = True

    def apply(self, number: int) -> None:
        """Take the settings of a row."""
        from bleu.explanation.which import listed

        if self.answer:
            self.take(listed(self.answer)[number])
