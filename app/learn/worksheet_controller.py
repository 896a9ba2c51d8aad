"""The controllers of worksheets, of the tools around them, and of the answers of a class."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pyscript import document, window

from app.browser.dom import (
    download_text,
    element,
    find_element,
    listen,
    load_stored,
    show_prose,
    show_template,
    store_text,
)
from app.browser.page import command
from app.browser.scheduling import Job
from app.components import button
from app.learn.attempt import answers_of_rows, item_ids, parse_item_id, verdict_marks
from app.learn.class_tally import ClassTally, class_tally_csv, class_tally_html, tally_class
from app.learn.exercise_controller import (
    fill_blanks,
    read_blanks,
    show_marks,
    tick_boxes,
    ticked_values,
)
from app.learn.worksheet_answers import (
    WorksheetInput,
    answers_line,
    grade_sheet,
    input_from_json,
    input_to_json,
    item_html,
    worksheet_feedback,
    worksheet_html,
)
from app.learn.worksheet_spec import (
    CHOSEN_SEEDS,
    WorksheetSpec,
    apply_own_texts,
    chosen_seed,
    exercise_from_lines,
    file_name,
    iter_worksheet,
    to_fragment,
)
from app.state.form import error_location
from bleu.formats import EXERCISE_FORMATS, ExerciseSheet
from bleu.learn.exercise import Exercise
from bleu.learn.generation import VARIANTS
from bleu.learn.kinds.calculation import worked_exercise


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


LEARNER_BUTTONS = {"sheet-mark": "Mark my answers", "sheet-answers": "Copy my answers"}
"""The labels of the buttons below a worksheet, by command."""
STORAGE_KEY = "bleu-sheet"
"""The key under which the tab stores a learner's name and answers, for a reload."""


class WorksheetController:
    """The worksheet on the screen, which a teacher can change and a learner can fill in.

    `on_drawn` is called after each drawing.
    """

    def __init__(self, on_drawn: Callable[[], object]) -> None:
        self.on_drawn = on_drawn
        self.class_tally = ClassTallyController()
        self.presented = False
        self.current_item = "item-1"
        """The id of the item that is presented, or that would be presented first."""
        self.spec = WorksheetSpec(CHOSEN_SEEDS[""])
        self.generated: tuple[Exercise, ...] = ()
        """The exercises of the specification, before own texts are applied."""
        self.exercises: tuple[Exercise, ...] = ()
        self.teaching = True
        self.solved = False
        self.link_notice = self.rejected_texts_notice = ""
        self.inputs = WorksheetInput()
        """The input when it was saved last."""
        self.learner_name = ""
        self.restored_inputs: WorksheetInput | None = None
        """The input before a reload, until the exercises are generated."""
        self.generation_job: Job[Any] | None = None

    # Drawing

    def show(self, *, focus: bool = True) -> None:
        """Show the form if `teaching`, and the worksheet once its exercises are generated."""
        for part in ("aside", "said", "body", "actions", "after"):
            element(f"learn-{part}").textContent = ""
        if self.teaching:
            self.show_form()
        self.generate(focus=focus)

    def show_form(self) -> None:
        """Show the teacher's form with the specification."""
        show_template(element("learn-aside"), "sheet-form-template")
        tick_boxes(self.spec.topics, self.spec.kinds)
        usual = replace(self.spec, topics=(), kinds=(), max_order=2, by_hand=True)
        element("sheet-more").open = self.spec != usual
        if self.spec.variant not in VARIANTS[:2]:  # The menu has two, a link may ask for four.
            option = document.createElement("option")
            option.textContent = self.spec.variant
            element("sheet-variant").append(option)
        values = {
            "count": self.spec.count,
            "order": self.spec.max_order,
            "way": "no" if self.spec.by_hand else "yes",
            "seed": self.spec.seed,
            "variant": self.spec.variant,
        }
        for name, value in values.items():
            element(f"sheet-{name}").value = str(value)
        element("sheet-solutions").checked = self.solved

    def generate(self, *, focus: bool = False, refocus: str = "") -> None:
        """Generate the exercises in time slices, then show them.

        `refocus` is a CSS selector of the element to focus afterwards.
        """
        if self.generation_job:
            self.generation_job.close()

        def on_result(exercises: tuple[Exercise, ...]) -> None:
            self.generation_job = None
            self.generated = exercises
            self.save_inputs()
            self.set_exercises(*apply_own_texts(self.spec, exercises))
            target = document.querySelector(refocus) if refocus else None
            if target:
                target.focus()
            elif focus and not self.presented:
                # The teacher's form above the worksheet must stay in sight.
                title = element("learn-title" if self.teaching else "exercise-title")
                title.focus(preventScroll=self.teaching)

        def on_error(error: Exception) -> None:
            self.generation_job = None
            target = element("sheet-error" if self.teaching else "learn-said")
            show_prose(target, error_location(error)[1])

        def on_progress(exercise: Exercise, seconds: float) -> None:
            if seconds > 1:
                progress = f"{exercise.number + 1} of {self.spec.count} exercises found …"
                element("learn-said").textContent = progress

        self.generation_job = Job(iter_worksheet(self.spec), on_result, on_error, on_progress)

    def set_exercises(self, exercises: tuple[Exercise, ...], notice: str) -> None:
        """Show other exercises, and keep the input of those that have not changed."""
        self.inputs = self.inputs.carry_over(self.exercises, exercises)
        if self.restored_inputs:
            self.inputs, self.restored_inputs = self.restored_inputs, None
        element("learn-said").textContent = ""
        self.exercises, self.rejected_texts_notice = exercises, notice
        self.draw()

    def draw(self) -> None:
        """Draw the worksheet, its solutions, or the item that is presented."""
        if self.presented:
            _, index, rows, solved = parse_item_id(self.current_item)
            exercise = self.exercises[index]
            exercise = worked_exercise(exercise) if rows else exercise
            element("learn-body").innerHTML = item_html(exercise, solved=solved)
            answers = answers_of_rows(exercise, rows).items() if rows else ()
            row_answers = {f"{index + 1}.{name}": text for name, text in answers}
            fill_blanks(row_answers or self.inputs.answers)
            for box in document.querySelectorAll("#exercise input") if row_answers else ():
                box.readOnly = True
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
        buttons = (button(f"learn:{name}", label) for name, label in LEARNER_BUTTONS.items())
        element("learn-actions").innerHTML = "" if self.solved else "".join(buttons)
        for index, texts in self.inputs.drafts.items():
            if box := find_element(f"texts-{index}"):
                box.value = texts
                box.closest("details").open = True
        if self.teaching:
            self.class_tally.show()
        else:
            element("learn-after").innerHTML = ""

    def show_solutions(self, *, solved: bool) -> None:
        """Show the solutions if `solved`, else the worksheet."""
        self.save_inputs()
        self.solved = solved
        element("sheet-solutions").checked = solved
        self.draw()

    def save_inputs(self) -> None:
        """Save the content of all blanks and text boxes, before they are replaced."""
        # The rows of a presentation are filled in for the learner, so they are not saved.
        if not parse_item_id(self.current_item)[2]:
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
        if self.generation_job:
            self.generation_job.close()
        self.generation_job = None
        self.class_tally.cancel()

    # Answers

    def on_input(self) -> None:
        """Store the name and the answers to a link's worksheet in the tab, for a reload."""
        if not self.teaching and not self.presented:
            self.save_inputs()
            link = to_fragment(self.spec)
            store_text(STORAGE_KEY, input_to_json(link, self.learner_name, self.inputs))

    def restore_stored(self) -> None:
        """Fill in the name and the answers that the tab has stored for this worksheet."""
        if stored := input_from_json(load_stored(STORAGE_KEY), to_fragment(self.spec)):
            self.learner_name, self.restored_inputs = stored

    @command("sheet-mark")
    def submit(self, _: str = "") -> None:
        """Grade the answers, unless one item is presented."""
        if not self.presented:
            self.inputs = self.inputs.with_graded(read_blanks())
            self.show_grades()
            self.on_input()

    def show_grades(self) -> None:
        """Show the marks and the feedback for the answers graded last."""
        answers = self.inputs.graded_answers
        grades = enumerate(grade_sheet(self.exercises, answers), 1)
        show_marks(
            {
                f"{number}.{name}": mark
                for number, graded in grades
                for name, mark in verdict_marks(graded.verdicts).items()
            }
        )
        element("learn-said").innerHTML = worksheet_feedback(self.exercises, answers)

    # Presentation

    def item_ids(self) -> list[str]:
        """Return the ids of all exercises: unanswered, row by row, and solved."""
        return item_ids("item", self.exercises)

    def show_item(self, item_id: str) -> None:
        """Show one exercise, or its solution."""
        self.save_inputs()
        self.current_item = item_id
        for part in ("said", "actions", "after"):
            element(f"learn-{part}").textContent = ""
        self.draw()

    def item_title(self, item_id: str) -> str:
        """Return the position of an exercise in the worksheet."""
        return f"Exercise {parse_item_id(item_id)[1] + 1} of {len(self.exercises)}"

    def leave_items(self) -> None:
        """Show the whole worksheet again."""
        self.save_inputs()
        self.current_item = "item-1"
        self.draw()

    def fragment_and_item(self) -> tuple[str, str]:
        """Return the fragment of a link to the worksheet, and the item to present."""
        return to_fragment(self.spec), self.current_item


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
