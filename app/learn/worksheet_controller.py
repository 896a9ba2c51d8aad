"""The controller of worksheets."""

from collections.abc import Callable, Generator
from dataclasses import replace
from typing import Any

from pyscript import document, window

from app.browser.blanks import fill_blanks, read_blanks, show_marks
from app.browser.commands import command
from app.browser.dom import download_text, element, find_element
from app.browser.scheduling import Job
from app.learn.attempt import verdict_marks
from app.learn.class_tally_controller import ClassTallyController
from app.learn.worksheet_answers import WorksheetInput, answers_line, split_by_exercise
from app.learn.worksheet_html import (
    WORKSHEET_FORMATS,
    file_name,
    item_html,
    spec_form_html,
    worksheet_feedback,
    worksheet_html,
)
from app.learn.worksheet_spec import (
    WorksheetSpec,
    apply_own_texts,
    exercise_from_lines,
    item_ids,
    iter_worksheet,
    parse_item_id,
    to_fragment,
)
from app.state.form import error_location
from bleu.learn.exercise import Exercise
from bleu.learn.grading import grade

LEARNER_BUTTONS = {"sheet-mark": "Mark my answers", "sheet-answers": "Copy my answers"}
"""The labels of the buttons below a worksheet, by command."""


class WorksheetController:
    """The worksheet on the screen: a teacher can change it, a learner can only fill it in.

    `copy` is called with a message and the text to copy, `on_drawn` after each drawing.
    """

    def __init__(self, copy: Callable[[str, str], object], on_drawn: Callable[[], object]) -> None:
        self.copy = copy
        self.on_drawn = on_drawn
        self.class_tally = ClassTallyController()
        self.presented = False
        self.current_item = "item-1"
        """The id of the item that is presented, or that would be presented first."""
        self.spec = WorksheetSpec()
        self.generated: tuple[Exercise, ...] = ()
        """The exercises of the specification, before own texts are applied."""
        self.exercises: tuple[Exercise, ...] = ()
        self.teaching = True
        self.solved = False
        self.link_notice = self.rejected_texts_notice = ""
        self.inputs = WorksheetInput()
        """The input when it was saved last."""
        self.learner_name = ""
        self.search_job: Job[Any] | None = None

    # Drawing

    def show(self, notice: str = "", *, focus: bool = True) -> None:
        """Show the teacher's form, and the worksheet once its exercises are generated."""
        element("learn-aside").innerHTML = spec_form_html(self.spec) if self.teaching else ""
        if box := find_element("sheet-solutions"):
            box.checked = self.solved
        element("learn-said").textContent = ""
        self.link_notice = notice
        self.generate(focus=focus)

    def generate(self, *, focus: bool = False, refocus: str = "") -> None:
        """Generate the exercises in time slices, then show them.

        `refocus` is a CSS selector of the element to focus then.
        """
        if self.search_job:
            self.search_job.close()
        spec = self.spec

        def work() -> Generator[int, None, tuple[Exercise, ...]]:
            exercises: list[Exercise] = []
            for exercise in iter_worksheet(spec):
                exercises.append(exercise)
                yield len(exercises)
            return tuple(exercises)

        def on_result(exercises: tuple[Exercise, ...]) -> None:
            self.search_job = None
            self.generated = exercises
            self.save_inputs()
            self.set_exercises(*apply_own_texts(self.spec, exercises))
            target = document.querySelector(refocus) if refocus else None
            if target:
                target.focus()
            elif focus and not self.presented:
                element("exercise-title").focus()

        def on_error(error: Exception) -> None:
            self.search_job = None
            target = element("sheet-error" if self.teaching else "learn-said")
            target.textContent = error_location(error)[1]

        def on_progress(count: int, seconds: float) -> None:
            if seconds > 1:
                progress = f"{count} of {spec.count} exercises found …"
                element("learn-said").textContent = progress

        self.search_job = Job(work(), on_result, on_error, on_progress)

    def set_exercises(self, exercises: tuple[Exercise, ...], notice: str) -> None:
        """Show other exercises, and keep the input of those that have not changed."""
        before = self.inputs
        self.inputs = before.carry_over(self.exercises, exercises)
        if before.graded_answers and not self.inputs.graded_answers:
            element("learn-said").textContent = ""
        self.exercises, self.rejected_texts_notice = exercises, notice
        self.draw()

    def draw(self) -> None:
        """Draw the worksheet, its solutions, or the item that is presented."""
        status = element("learn-said")
        if status.textContent.endswith("…"):
            status.textContent = ""
        if self.presented:
            index, solved = parse_item_id(self.current_item)
            element("learn-body").innerHTML = item_html(self.exercises[index], solved=solved)
            fill_blanks(self.inputs.answers)
        else:
            self.draw_worksheet()
        self.on_drawn()

    def draw_worksheet(self) -> None:
        """Draw the whole worksheet, with its input and buttons."""
        notice = f"{self.link_notice} {self.rejected_texts_notice}".strip()
        element("learn-body").innerHTML = worksheet_html(
            self.spec, self.exercises, solved=self.solved, teaching=self.teaching, notice=notice
        )
        fill_blanks(self.inputs.answers)
        if box := find_element("sheet-name"):
            box.value = self.learner_name
        if self.inputs.graded_answers and not self.solved:
            self.show_grades()
        buttons = {} if self.solved else LEARNER_BUTTONS
        element("learn-actions").innerHTML = "".join(
            f'<button type="button" data-command="learn:{name}">{label}</button>'
            for name, label in buttons.items()
        )
        for index, texts in self.inputs.drafts.items():
            if box := find_element(f"texts-{index}"):
                box.value = texts
                box.closest("details").open = True
        if self.teaching:
            self.class_tally.show()
        else:
            element("learn-after").innerHTML = ""

    def save_inputs(self) -> None:
        """Save the content of all blanks and text boxes, before they are replaced."""
        names = {str(box.name) for box in document.querySelectorAll("#exercise [name]")}
        not_shown = {
            name: answer for name, answer in self.inputs.answers.items() if name not in names
        }
        self.inputs = replace(self.inputs, answers=not_shown | read_blanks())
        if box := find_element("sheet-name"):
            self.learner_name = str(box.value)
        self.class_tally.save_lines()
        if boxes := list(document.querySelectorAll(".another textarea")):
            drafts = {
                int(box.id.partition("-")[2]): str(box.value)
                for box in boxes
                if box.value != box.defaultValue
            }
            self.inputs = replace(self.inputs, drafts=drafts)

    def suspend(self) -> None:
        """Save the inputs and cancel running jobs before another mode is shown."""
        self.save_inputs()
        if self.search_job:
            self.search_job.close()
        self.search_job = None
        self.class_tally.cancel()

    # The teacher's form

    def on_change(self, control: Any) -> None:
        """Handle the change of a control of the form."""
        if not control.closest("#sheet-form") or control.id == "sheet-as":
            return
        if control.id == "sheet-solutions":
            self.save_inputs()
            self.solved = bool(control.checked)
            self.draw()
            return
        if control.id != "sheet-variant":
            self.spec = replace(self.spec, replacements=())
        self.read_form()

    def read_form(self) -> None:
        """Read the specification from the form and generate its exercises.

        An unreadable count becomes 0, which makes the generation fail with a message.
        """
        count = element("sheet-count").value.strip()
        topics = document.querySelectorAll('#sheet-form [name="topic"]:checked')
        self.solved = bool(element("sheet-solutions").checked)
        self.spec = replace(
            self.spec,
            seed=element("sheet-seed").value.strip(),
            topics=tuple(str(box.value) for box in topics),
            count=int(count) if count.isascii() and count.isdigit() and len(count) < 6 else 0,
            max_order=int(element("sheet-order").value),
            by_hand=element("sheet-way").value == "no",
            variant=element("sheet-variant").value,
        )
        for name in ("learn-said", "sheet-error"):
            element(name).textContent = ""
        self.link_notice = ""
        self.generate()

    @command("another")
    def replace_exercise(self, index: str) -> None:
        """Replace the exercise at a 0-based index by another."""
        self.spec = self.spec.with_another_exercise(int(index))
        self.generate(refocus=f'[data-command="learn:another {index}"]')

    @command("rewrite")
    def use_own_texts(self, index: str) -> None:
        """Use the texts typed for an exercise, or show why they cannot be used."""
        texts = element(f"texts-{index}").value
        try:
            exercise_from_lines(self.generated[int(index)], texts)
        except ValueError as error:
            element(f"texts-{index}-error").textContent = error_location(error)[1]
        else:
            self.set_texts(int(index), texts)

    @command("as-found")
    def restore_texts(self, index: str) -> None:
        """Return to the generated texts of an exercise."""
        self.set_texts(int(index), "")

    def set_texts(self, index: int, texts: str) -> None:
        """Set the own texts of an exercise; "" means the generated texts."""
        self.save_inputs()
        drafts = {other: draft for other, draft in self.inputs.drafts.items() if other != index}
        self.inputs = replace(self.inputs, drafts=drafts)
        self.spec = self.spec.with_own_texts(index, texts)
        self.set_exercises(*apply_own_texts(self.spec, self.generated))
        document.querySelector(f"#rewrite-{index} summary").focus()

    @command("sheet-link")
    def copy_link(self, _: str) -> None:
        """Copy a link to the worksheet."""
        address = window.location.href.split("#")[0]
        self.copy("Link copied", f"{address}#{to_fragment(self.spec)}")

    @command("sheet-print")
    def print(self, _: str) -> None:
        """Print the page."""
        window.print()

    @command("sheet-save")
    def download(self, _: str) -> None:
        """Download the worksheet in the chosen format."""
        chosen = WORKSHEET_FORMATS[element("sheet-as").value]
        content = chosen.render((self.spec, self.exercises, self.solved))
        name = f"{file_name(self.spec, solved=self.solved)}.{chosen.extension}"
        download_text(content, name, chosen.media_type)

    # Answers

    def on_input(self) -> None:
        """Ignore typing: answers are read when they are needed."""

    def submit(self) -> None:
        """Grade the answers, unless one item is presented."""
        if not self.presented:
            self.inputs = replace(self.inputs, graded_answers=read_blanks())
            self.show_grades()

    @command("sheet-mark")
    def grade_answers(self, _: str) -> None:
        """Grade the answers."""
        self.submit()

    def show_grades(self) -> None:
        """Show the marks and the feedback for the answers graded last."""
        graded = self.inputs.graded_answers
        marks = {}
        for number, (exercise, answers) in enumerate(
            zip(self.exercises, split_by_exercise(self.exercises, graded), strict=True), 1
        ):
            for name, mark in verdict_marks(grade(exercise, answers).verdicts).items():
                marks[f"{number}.{name}"] = mark
        show_marks(marks)
        element("learn-said").innerHTML = worksheet_feedback(self.exercises, graded)

    @command("sheet-answers")
    def copy_answers(self, _: str) -> None:
        """Copy the line with the learner's answers."""
        box = find_element("sheet-name")
        name = box.value if box else self.learner_name
        line = answers_line(self.spec, name, read_blanks())
        self.copy("Answers copied: one line, to hand in", line)

    # Presentation

    def item_ids(self) -> list[str]:
        """Return the ids of all exercises and solutions."""
        return item_ids(len(self.exercises))

    def show_item(self, item_id: str) -> None:
        """Show one exercise, or its solution."""
        self.save_inputs()
        self.current_item = item_id
        for part in ("said", "actions", "after"):
            element(f"learn-{part}").textContent = ""
        self.draw()

    def item_title(self, item_id: str) -> str:
        """Return the position of an exercise in the worksheet."""
        return f"Exercise {parse_item_id(item_id)[0] + 1} of {len(self.exercises)}"

    def leave_items(self) -> None:
        """Show the whole worksheet again."""
        self.save_inputs()
        self.current_item = "item-1"
        self.draw()

    def link_target(self) -> tuple[str, str]:
        """Return the fragment of a link to the worksheet, and the item to present."""
        return to_fragment(self.spec), self.current_item
