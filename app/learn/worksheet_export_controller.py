"""The controller that copies, prints and downloads a worksheet."""

from collections.abc import Callable

from pyscript import window

from app.browser.blanks import read_blanks
from app.browser.commands import command
from app.browser.dom import download_text, element, find_element, listen
from app.learn.worksheet_answers import answers_line
from app.learn.worksheet_controller import WorksheetController
from app.learn.worksheet_exports import WORKSHEET_FORMATS, file_name
from app.learn.worksheet_spec import to_fragment


class WorksheetExportController:
    """The exports of a worksheet; `copy` is called with a message and the text to copy."""

    def __init__(self, worksheet: WorksheetController, copy: Callable[[str, str], object]) -> None:
        self.worksheet = worksheet
        self.copy = copy
        self.solved_before_print: bool | None = None
        listen("afterprint", window, lambda _: self.restore())

    @command("sheet-link")
    def copy_link(self, _: str) -> None:
        """Copy a link to the worksheet."""
        address = window.location.href.split("#")[0]
        self.copy("Link copied", f"{address}#{to_fragment(self.worksheet.spec)}")

    @command("sheet-print")
    def print(self, part: str) -> None:
        """Print the worksheet, or its `solutions`; `restore` then undoes the change of the view."""
        if self.solved_before_print is None:
            self.solved_before_print = self.worksheet.solved
        self.worksheet.show_solutions(solved=part == "solutions")
        window.print()

    def restore(self) -> None:
        """Show the worksheet or its solutions, as before printing."""
        solved, self.solved_before_print = self.solved_before_print, None
        if solved is not None and find_element("sheet-solutions"):
            self.worksheet.show_solutions(solved=solved)

    @command("sheet-save")
    def download(self, _: str) -> None:
        """Download the worksheet in the chosen format."""
        chosen = WORKSHEET_FORMATS[element("sheet-as").value]
        spec, solved = self.worksheet.spec, self.worksheet.solved
        content = chosen.render(spec, self.worksheet.exercises, solved)
        name = f"{file_name(spec, solved=solved)}.{chosen.extension}"
        download_text(content, name, chosen.media_type)

    @command("sheet-answers")
    def copy_answers(self, _: str) -> None:
        """Copy the line with the learner's answers."""
        box = find_element("sheet-name")
        name = box.value if box else self.worksheet.learner_name
        first = self.worksheet.inputs.first_answers
        line = answers_line(self.worksheet.spec, name, read_blanks(), first)
        self.copy("Answers copied: one line, to hand in", line)
