"""The controller of the tools around a worksheet: the teacher's form, and the exports."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pyscript import document, window

from app.browser.commands import command
from app.browser.dom import download_text, element, find_element, listen, show_prose
from app.learn.exercise_controller import read_blanks, ticked_values
from app.learn.worksheet_answers import answers_line
from app.learn.worksheet_controller import WorksheetController
from app.learn.worksheet_spec import (
    CHOSEN_SEEDS,
    apply_own_texts,
    chosen_seed,
    exercise_from_lines,
    file_name,
    to_fragment,
)
from app.state.form import error_location
from bleu.formats import EXERCISE_FORMATS, ExerciseSheet


class WorksheetToolsController:
    """The form of a worksheet, the controls that change its exercises, and its exports.

    `copy` is called with a message and the text to copy.
    """

    def __init__(self, worksheet: WorksheetController, copy: Callable[[str, str], object]) -> None:
        self.worksheet = worksheet
        self.copy = copy
        self.solved_before_print: bool | None = None
        listen("afterprint", window, lambda _: self.restore())

    # The form

    def on_change(self, control: Any) -> None:
        """Handle the change of a control of the form."""
        if control.id == "sheet-as":
            return
        if control.id == "sheet-solutions":
            self.worksheet.show_solutions(solved=bool(control.checked))
            return
        if control.name == "topic" and element("sheet-seed").value in CHOSEN_SEEDS.values():
            element("sheet-seed").value = chosen_seed(ticked_values("topic"))
        if control.id != "sheet-variant":
            self.worksheet.spec = replace(self.worksheet.spec, replacements=())
        self.read_form()

    def read_form(self) -> None:
        """Read the specification from the form and generate its exercises.

        An unreadable count becomes 0, which makes the generation fail with a message.
        """
        count = element("sheet-count").value.strip()
        self.worksheet.solved = bool(element("sheet-solutions").checked)
        self.worksheet.spec = replace(
            self.worksheet.spec,
            seed=element("sheet-seed").value.strip(),
            topics=ticked_values("topic"),
            kinds=ticked_values("kind"),
            count=int(count) if count.isascii() and count.isdigit() and len(count) < 6 else 0,
            max_order=int(element("sheet-order").value),
            by_hand=element("sheet-way").value == "no",
            variant=element("sheet-variant").value,
        )
        for name in ("learn-said", "sheet-error"):
            element(name).textContent = ""
        self.worksheet.link_notice = ""
        self.worksheet.generate()

    @command("another")
    def replace_exercise(self, index: str) -> None:
        """Replace the exercise at a 0-based index by another."""
        self.worksheet.spec = self.worksheet.spec.with_another_exercise(int(index))
        self.worksheet.generate(refocus=f'[data-command="learn:another {index}"]')

    @command("rewrite")
    def use_own_texts(self, index: str) -> None:
        """Use the texts typed for an exercise, or show why they cannot be used."""
        texts = element(f"texts-{index}").value
        try:
            exercise_from_lines(self.worksheet.generated[int(index)], texts)
        except ValueError as error:
            show_prose(element(f"texts-{index}-error"), error_location(error)[1])
        else:
            self.set_texts(int(index), texts)

    @command("as-found")
    def restore_texts(self, index: str) -> None:
        """Return to the generated texts of an exercise."""
        self.set_texts(int(index), "")

    def set_texts(self, index: int, texts: str) -> None:
        """Set the own texts of an exercise; "" means the generated texts."""
        worksheet = self.worksheet
        worksheet.save_inputs()
        drafts = {i: draft for i, draft in worksheet.inputs.drafts.items() if i != index}
        worksheet.inputs = replace(worksheet.inputs, drafts=drafts)
        worksheet.spec = worksheet.spec.with_own_texts(index, texts)
        worksheet.set_exercises(*apply_own_texts(worksheet.spec, worksheet.generated))
        document.querySelector(f"#rewrite-{index} summary").focus()

    # Exports

    @command("sheet-link")
    def copy_link(self, _: str) -> None:
        """Copy a link to the worksheet."""
        address = window.location.href.split("#")[0]
        self.copy("Link copied", f"{address}#{to_fragment(self.worksheet.spec)}")

    @command("sheet-print")
    def print(self, part: str) -> None:
        """Print the worksheet, or its solutions if `part` is "solutions"."""
        if self.solved_before_print is None:
            self.solved_before_print = self.worksheet.solved
        self.worksheet.show_solutions(solved=part == "solutions")
        window.print()

    def restore(self) -> None:
        """Show what was shown before printing: the worksheet or its solutions."""
        solved, self.solved_before_print = self.solved_before_print, None
        if solved is not None and find_element("sheet-solutions"):
            self.worksheet.show_solutions(solved=solved)

    @command("sheet-save")
    def download(self, _: str) -> None:
        """Download the worksheet in the chosen format."""
        chosen = EXERCISE_FORMATS[element("sheet-as").value]
        spec, solved = self.worksheet.spec, self.worksheet.solved
        heading = f"worksheet {spec.seed}, variant {spec.variant}"
        content = chosen.render(ExerciseSheet(self.worksheet.exercises, heading, solved))
        name = f"{file_name(spec, solved=solved)}.{chosen.extension}"
        download_text(content, name, chosen.media_type)

    @command("sheet-answers")
    def copy_answers(self, _: str) -> None:
        """Copy the line with the learner's answers."""
        box = find_element("sheet-name")
        name = str(box.value) if box else self.worksheet.learner_name
        if box and not name.strip():
            element("learn-said").textContent = "Write your name first: it is in the line."
            box.focus()
            return
        first = self.worksheet.inputs.first_answers
        line = answers_line(self.worksheet.spec, name.strip(), read_blanks(), first)
        self.copy("Answers copied: one line, to hand in", line)
