"""The controller of the box in which a teacher tallies the answers of a class."""

from app.browser.commands import command
from app.browser.dom import download_text, element, find_element, show_prose, show_template
from app.browser.scheduling import Job
from app.learn.class_tally import ClassTally, class_tally_csv, class_tally_html, tally_class
from app.state.form import error_location


class ClassTallyController:
    """The pasted lines of a class, and the job that tallies them."""

    def __init__(self) -> None:
        self.lines = ""
        self.last_tally = ClassTally()
        self.job: Job[ClassTally] | None = None

    def show(self) -> None:
        """Show the box, with the lines pasted before."""
        if not find_element("class"):
            show_template(element("learn-after"), "class-template")
            element("class-lines").value = self.lines
            element("class").open = bool(self.lines)

    def save_lines(self) -> None:
        """Save the pasted lines, if the box is shown."""
        if box := find_element("class-lines"):
            self.lines = str(box.value)

    def cancel(self) -> None:
        """Cancel the running tally."""
        if self.job:
            self.job.close()
        self.job = None

    @command("class-save")
    def save_csv(self, _: str) -> None:
        """Download the results as CSV."""
        download_text(class_tally_csv(self.last_tally), "bleu-class.csv", "text/csv")

    @command("class-count")
    def tally(self, _: str) -> None:
        """Tally the pasted lines and show the result."""
        target = element("class-counts")
        pasted_text = str(element("class-lines").value)

        def on_result(tally: ClassTally) -> None:
            self.last_tally = tally
            target.innerHTML = class_tally_html(tally)
            element("learn-said").textContent = "The answers are counted."

        def on_error(error: Exception) -> None:
            show_prose(element("learn-said"), error_location(error)[1])

        self.cancel()
        self.job = Job(tally_class(pasted_text), on_result, on_error, lambda *_: None)
