"""The adapter of worksheets: what is wanted, the exercises, and the answers of a class."""

from collections.abc import Callable, Generator
from dataclasses import replace
from typing import Any

from pyscript import document, window

from app.browser.blanks import fill_blanks, read_blanks, show_marks
from app.browser.dom import download_text, element, find_element
from app.browser.scheduling import Job
from app.learn import worksheets
from app.learn.exercise_view import verdict_marks
from app.learn.worksheets import WorksheetInput, WorksheetSpec
from app.state.form import error_location
from bleu.learn.exercise import Exercise
from bleu.learn.grading import grade

BUTTONS = {"sheet-mark": "Mark my answers", "sheet-answers": "Copy my answers"}
"""What a learner can do with a worksheet."""


class WorksheetPanel:
    """The worksheet that is shown: to a teacher with what can be chosen, to others without."""

    def __init__(self, copy: Callable[[str, str], object], on_drawn: Callable[[], object]) -> None:
        self.copy = copy
        self.on_drawn = on_drawn
        self.solo_item = ""
        self.spec = WorksheetSpec()
        self.generated: tuple[Exercise, ...] = ()
        self.exercises: tuple[Exercise, ...] = ()
        self.teaching = True
        self.solved = False
        self.link_notice = self.rejected_texts_notice = ""
        self.inputs = WorksheetInput()
        """As it stood when something else was shown last."""
        self.learner_name = ""
        self.class_lines = ""
        """Those of a class, as they were pasted."""
        self.tally_job: Job[Any] | None = None
        self.search_job: Job[Any] | None = None
        self.commands: dict[str, Callable[[str], object]] = {
            "another": lambda place: self.replace_exercise(int(place)),
            "rewrite": lambda place: self.use_own_texts(int(place)),
            "as-found": lambda place: self.set_texts(int(place), ""),
            "sheet-link": lambda _: self.copy_link(),
            "sheet-print": lambda _: window.print(),
            "sheet-save": lambda _: self.save(),
            "sheet-mark": lambda _: self.mark(),
            "sheet-answers": lambda _: self.copy_answers(),
            "class-count": lambda _: self.tally_class(),
        }

    def show(self, notice: str = "", *, focus: bool = True) -> None:
        """What can be chosen, and the worksheet as soon as its exercises are found."""
        element("learn-aside").innerHTML = (
            worksheets.spec_form_html(self.spec) if self.teaching else ""
        )
        if box := find_element("sheet-solutions"):
            box.checked = self.solved
        element("learn-said").textContent = ""
        self.link_notice = notice
        self.find(focus=focus)

    def find(self, *, focus: bool = False, refocus: str = "") -> None:
        """Find the exercises that are wanted, in slices, and show them."""
        if self.search_job:
            self.search_job.close()
        wanted = self.spec

        def work() -> Generator[int, None, tuple[Exercise, ...]]:
            found: list[Exercise] = []
            for exercise in worksheets.iter_worksheet(wanted):
                found.append(exercise)
                yield len(found)
            return tuple(found)

        def finished(found: tuple[Exercise, ...]) -> None:
            self.search_job = None
            self.generated = found
            self.save_inputs()
            self.set_exercises(*worksheets.apply_own_texts(self.spec, found))
            aim = document.querySelector(refocus) if refocus else None
            if aim:
                aim.focus()
            elif focus and not self.solo_item:
                element("exercise-title").focus()

        def failed(error: Exception) -> None:
            self.search_job = None
            element("sheet-error" if self.teaching else "learn-said").textContent = error_location(
                error
            )[1]

        def told(count: int, seconds: float) -> None:
            if seconds > 1:
                words = f"{count} of {wanted.count} exercises found …"
                element("learn-said").textContent = words

        self.search_job = Job(work(), finished, failed, told)

    def draw(self) -> None:
        """The worksheet, or its solutions."""
        progress = element("learn-said")
        if progress.textContent.endswith("…"):
            progress.textContent = ""
        if self.solo_item:
            place, solved = worksheets.parse_item_id(self.solo_item)
            markup = worksheets.item_html(self.exercises[place], solved=solved)
        else:
            said = f"{self.link_notice} {self.rejected_texts_notice}".strip()
            markup = worksheets.worksheet_html(
                self.spec, self.exercises, solved=self.solved, teaching=self.teaching, notice=said
            )
        element("learn-body").innerHTML = markup
        fill_blanks(self.inputs.answers)
        if self.solo_item:
            self.on_drawn()
            return
        if box := find_element("sheet-name"):
            box.value = self.learner_name
        if self.inputs.graded_answers and not self.solved:
            self.show_grades()
        words = {} if self.solved else BUTTONS
        element("learn-actions").innerHTML = "".join(
            f'<button type="button" data-command="learn:{name}">{label}</button>'
            for name, label in words.items()
        )
        for place, texts in self.inputs.drafts.items():
            if box := find_element(f"texts-{place}"):
                box.value = texts
                box.closest("details").open = True
        if self.teaching and not find_element("class"):
            element("learn-after").innerHTML = worksheets.class_html()
            element("class-lines").value = self.class_lines
            element("class").open = bool(self.class_lines)
        elif not self.teaching:
            element("learn-after").innerHTML = ""
        self.on_drawn()

    def save_inputs(self) -> None:
        """Keep what stands in the blanks that are shown, before something else is."""
        shown = {str(box.name) for box in document.querySelectorAll("#exercise [name]")}
        others = {name: own for name, own in self.inputs.answers.items() if name not in shown}
        self.inputs = replace(self.inputs, answers=others | read_blanks())
        if box := find_element("sheet-name"):
            self.learner_name = str(box.value)
        if box := find_element("class-lines"):
            self.class_lines = str(box.value)
        if boxes := list(document.querySelectorAll(".another textarea")):
            drafts = {
                int(box.id.partition("-")[2]): str(box.value)
                for box in boxes
                if box.value != box.defaultValue
            }
            self.inputs = replace(self.inputs, drafts=drafts)

    def suspend(self) -> None:
        """Keep what is written, for something else to come; what is still sought is not needed."""
        self.save_inputs()
        for job in (self.search_job, self.tally_job):
            if job:
                job.close()
        self.search_job = self.tally_job = None

    def set_exercises(self, exercises: tuple[Exercise, ...], left_out: str) -> None:
        """Show these exercises; what was written for one that stays where it is stays, too."""
        before = self.inputs
        self.inputs = before.carry_over(self.exercises, exercises)
        if before.graded_answers and not self.inputs.graded_answers:
            element("learn-said").textContent = ""
        self.exercises, self.rejected_texts_notice = exercises, left_out
        self.draw()

    # One item at a time

    @property
    def current_item(self) -> str:
        """The item that is shown alone, or would be first."""
        return self.solo_item or "item-1"

    def item_ids(self) -> list[str]:
        """What can be shown alone."""
        return worksheets.item_ids(len(self.exercises))

    def title(self, name: str) -> str:
        """Where an item stands."""
        return f"Exercise {worksheets.parse_item_id(name)[0] + 1} of {len(self.exercises)}"

    def show_alone(self, name: str) -> None:
        """Show one item, or its solution."""
        self.save_inputs()
        self.solo_item = name
        self.empty()
        self.draw()

    def empty(self) -> None:
        """Nothing beside what is shown alone."""
        for part in ("said", "actions", "after"):
            element(f"learn-{part}").textContent = ""

    def leave(self) -> None:
        """Show all of them again."""
        self.save_inputs()
        self.solo_item = ""
        self.draw()

    def read_controls(self) -> None:
        """What is wanted, from the controls; what makes no sense is said, and nothing is lost."""
        count = element("sheet-count").value.strip()
        boxes = document.querySelectorAll('#sheet-form [name="topic"]:checked')
        self.solved = bool(element("sheet-solutions").checked)
        self.spec = replace(
            self.spec,
            seed=element("sheet-seed").value.strip(),
            topics=tuple(str(box.value) for box in boxes),
            count=int(count) if count.isascii() and count.isdigit() and len(count) < 6 else 0,
            max_order=int(element("sheet-order").value),
            by_hand=element("sheet-way").value == "no",
            variant=element("sheet-variant").value,
        )
        for line in ("learn-said", "sheet-error"):
            element(line).textContent = ""
        self.link_notice = ""
        self.find()

    def on_control_change(self, name: str) -> None:
        """A control of the worksheet was changed; other exercises are as they were drawn."""
        if name == "sheet-as":
            return
        if name == "sheet-solutions":
            self.save_inputs()
            self.solved = bool(element(name).checked)
            self.draw()
            return
        if name != "sheet-variant":
            self.spec = replace(self.spec, replacements=())
        self.read_controls()

    def replace_exercise(self, index: int) -> None:
        """Another exercise in one place."""
        self.spec = self.spec.with_another_exercise(index)
        self.find(refocus=f'[data-command="learn:another {index}"]')

    def use_own_texts(self, index: int) -> None:
        """The texts that were written, where an exercise can be made of them; else, why not."""
        texts = element(f"texts-{index}").value
        try:
            worksheets.exercise_from_lines(self.generated[index], texts)
        except ValueError as error:
            element(f"texts-{index}-error").textContent = error_location(error)[1]
        else:
            self.set_texts(index, texts)

    def set_texts(self, index: int, texts: str) -> None:
        """These texts in one place, or those found for it; what is written elsewhere stays."""
        self.save_inputs()
        drafts = {at: draft for at, draft in self.inputs.drafts.items() if at != index}
        self.inputs = replace(self.inputs, drafts=drafts)
        self.spec = self.spec.with_own_texts(index, texts)
        self.set_exercises(*worksheets.apply_own_texts(self.spec, self.generated))
        document.querySelector(f"#rewrite-{index} summary").focus()

    def copy_link(self) -> None:
        """The link to this worksheet."""
        fragment = worksheets.to_fragment(self.spec)
        self.copy("Link copied", f"{window.location.href.split('#')[0]}#{fragment}")

    def save(self) -> None:
        """The worksheet as a file, made here."""
        form = worksheets.SHEET_FORMATS[element("sheet-as").value]
        made = self.spec, self.exercises, self.solved
        name = worksheets.file_name(self.spec, solved=self.solved)
        download_text(form.render(made), f"{name}.{form.extension}", form.media_type)

    def mark(self) -> None:
        """Beside each blank, whether it is right; and each mistake in words."""
        if not self.solo_item:
            self.inputs = replace(self.inputs, graded_answers=read_blanks())
            self.show_grades()

    def show_grades(self) -> None:
        """The marks, and the words, for the answers that were marked last."""
        marked = self.inputs.graded_answers
        answers = worksheets.by_exercise(self.exercises, marked)
        found = {}
        for place, (exercise, own) in enumerate(zip(self.exercises, answers, strict=True), 1):
            for name, mark in verdict_marks(grade(exercise, own).verdicts).items():
                found[f"{place}.{name}"] = mark
        show_marks(found)
        element("learn-said").innerHTML = worksheets.worksheet_feedback(self.exercises, marked)

    def copy_answers(self) -> None:
        """The learner's line, to hand in."""
        box = find_element("sheet-name")
        name = box.value if box else self.learner_name
        line = worksheets.answers_line(self.spec, name, read_blanks())
        self.copy("Answers copied: one line, to hand in", line)

    def tally_class(self) -> None:
        """The mistakes of a class, from its lines."""
        place = element("class-counts")
        lines = element("class-lines").value

        def work() -> Generator[worksheets.ClassTally, None, worksheets.ClassTally]:
            last = worksheets.ClassTally((), 0, ())
            for last in worksheets.tally_class(lines):
                yield last
            return last

        def finished(last: worksheets.ClassTally) -> None:
            place.innerHTML = worksheets.class_tally_html(last)
            element("learn-said").textContent = "The answers are counted."

        def failed(error: Exception) -> None:
            element("learn-said").textContent = error_location(error)[1]

        if self.tally_job:
            self.tally_job.close()
        self.tally_job = Job(work(), finished, failed, lambda *_: None)
