"""The adapter of worksheets: what is wanted, the exercises, and the answers of a class."""

from collections.abc import Callable, Generator
from dataclasses import replace
from typing import Any

from pyscript import document, window

from app.browser.background import Job
from app.browser.blanks import fill, show_marks, written
from app.browser.dom import element, save
from app.page import worksheets
from app.page.form import fault
from app.page.learn import marks_of
from app.page.worksheets import Wanted, Written
from bleu.learn.exercise import Exercise
from bleu.learn.grading import grade

BUTTONS = {"sheet-mark": "Mark my answers", "sheet-answers": "Copy my answers"}
"""What a learner can do with a worksheet."""


class SheetPanel:
    """The worksheet that is shown: to a teacher with what can be chosen, to others without."""

    def __init__(self, copy: Callable[[str, str], object], drawn: Callable[[], object]) -> None:
        self.copy = copy
        self.drawn = drawn
        self.alone = ""
        self.wanted = Wanted()
        self.found: tuple[Exercise, ...] = ()
        self.chosen: tuple[Exercise, ...] = ()
        self.teaching = True
        self.solved = False
        self.said = self.left_out = ""
        self.written = Written()
        """As it stood when something else was shown last."""
        self.learner = ""
        self.lines = ""
        """Those of a class, as they were pasted."""
        self.counting: Job[Any] | None = None
        self.job: Job[Any] | None = None
        self.commands: dict[str, Callable[[str], object]] = {
            "another": lambda place: self.another(int(place)),
            "rewrite": lambda place: self.rewrite(int(place)),
            "as-found": lambda place: self.take_texts(int(place), ""),
            "sheet-link": lambda _: self.copy_link(),
            "sheet-print": lambda _: window.print(),
            "sheet-save": lambda _: self.save(),
            "sheet-mark": lambda _: self.mark(),
            "sheet-answers": lambda _: self.copy_answers(),
            "class-count": lambda _: self.count(),
        }

    def show(self, said: str = "", *, focus: bool = True) -> None:
        """What can be chosen, and the worksheet as soon as its exercises are found."""
        element("learn-aside").innerHTML = (
            worksheets.wanted_html(self.wanted) if self.teaching else ""
        )
        if box := element("sheet-solutions"):
            box.checked = self.solved
        element("learn-said").textContent = ""
        self.said = said
        self.find(focus=focus)

    def find(self, *, focus: bool = False, refocus: str = "") -> None:
        """Find the exercises that are wanted, in slices, and show them."""
        if self.job:
            self.job.close()
        wanted = self.wanted

        def work() -> Generator[int, None, tuple[Exercise, ...]]:
            found: list[Exercise] = []
            for exercise in worksheets.iter_wanted(wanted):
                found.append(exercise)
                yield len(found)
            return tuple(found)

        def finished(found: tuple[Exercise, ...]) -> None:
            self.job = None
            self.found = found
            self.remember()
            self.choose(*worksheets.rewritten(self.wanted, found))
            aim = document.querySelector(refocus) if refocus else None
            if aim:
                aim.focus()
            elif focus and not self.alone:
                element("exercise-title").focus()

        def failed(error: Exception) -> None:
            self.job = None
            element("sheet-error" if self.teaching else "learn-said").textContent = fault(error)[1]

        def told(count: int, seconds: float) -> None:
            if seconds > 1:
                words = f"{count} of {wanted.count} exercises found …"
                element("learn-said").textContent = words

        self.job = Job(work(), finished, failed, told)

    def draw(self) -> None:
        """The worksheet, or its solutions."""
        progress = element("learn-said")
        if progress.textContent.endswith("…"):
            progress.textContent = ""
        if self.alone:
            place, solved = worksheets.place_of(self.alone)
            markup = worksheets.item_html(self.chosen[place], solved=solved)
        else:
            said = f"{self.said} {self.left_out}".strip()
            markup = worksheets.sheet_html(
                self.wanted, self.chosen, solved=self.solved, teaching=self.teaching, said=said
            )
        element("learn-body").innerHTML = markup
        fill(self.written.answers)
        if self.alone:
            self.drawn()
            return
        if box := element("sheet-name"):
            box.value = self.learner
        if self.written.marked and not self.solved:
            self.show_marked()
        words = {} if self.solved else BUTTONS
        element("learn-actions").innerHTML = "".join(
            f'<button type="button" data-command="learn:{name}">{label}</button>'
            for name, label in words.items()
        )
        for place, texts in self.written.drafts.items():
            if box := element(f"texts-{place}"):
                box.value = texts
                box.closest("details").open = True
        if self.teaching and not element("class"):
            element("learn-after").innerHTML = worksheets.class_html()
            element("class-lines").value = self.lines
            element("class").open = bool(self.lines)
        elif not self.teaching:
            element("learn-after").innerHTML = ""
        self.drawn()

    def remember(self) -> None:
        """Keep what stands in the blanks that are shown, before something else is."""
        shown = {str(box.name) for box in document.querySelectorAll("#exercise [name]")}
        others = {name: own for name, own in self.written.answers.items() if name not in shown}
        self.written = replace(self.written, answers=others | written())
        if box := element("sheet-name"):
            self.learner = str(box.value)
        if box := element("class-lines"):
            self.lines = str(box.value)
        if boxes := list(document.querySelectorAll(".another textarea")):
            drafts = {
                int(box.id.partition("-")[2]): str(box.value)
                for box in boxes
                if box.value != box.defaultValue
            }
            self.written = replace(self.written, drafts=drafts)

    def put_away(self) -> None:
        """Keep what is written, for something else to come; what is still sought is not needed."""
        self.remember()
        for job in (self.job, self.counting):
            if job:
                job.close()
        self.job = self.counting = None

    def choose(self, chosen: tuple[Exercise, ...], left_out: str) -> None:
        """Show these exercises; what was written for one that stays where it is stays, too."""
        before = self.written
        self.written = before.moved(self.chosen, chosen)
        if before.marked and not self.written.marked:
            element("learn-said").textContent = ""
        self.chosen, self.left_out = chosen, left_out
        self.draw()

    # One item at a time

    @property
    def here(self) -> str:
        """The item that is shown alone, or would be first."""
        return self.alone or "item-1"

    def names(self) -> list[str]:
        """What can be shown alone."""
        return worksheets.places(len(self.chosen))

    def title(self, name: str) -> str:
        """Where an item stands."""
        return f"Exercise {worksheets.place_of(name)[0] + 1} of {len(self.chosen)}"

    def show_alone(self, name: str) -> None:
        """Show one item, or its solution."""
        self.remember()
        self.alone = name
        self.empty()
        self.draw()

    def empty(self) -> None:
        """Nothing beside what is shown alone."""
        for part in ("said", "actions", "after"):
            element(f"learn-{part}").textContent = ""

    def leave(self) -> None:
        """Show all of them again."""
        self.remember()
        self.alone = ""
        self.draw()

    def read(self) -> None:
        """What is wanted, from the controls; what makes no sense is said, and nothing is lost."""
        count = element("sheet-count").value.strip()
        boxes = document.querySelectorAll('#sheet-form [name="topic"]:checked')
        self.solved = bool(element("sheet-solutions").checked)
        self.wanted = replace(
            self.wanted,
            seed=element("sheet-seed").value.strip(),
            topics=tuple(str(box.value) for box in boxes),
            count=int(count) if count.isascii() and count.isdigit() and len(count) < 6 else 0,
            max_order=int(element("sheet-order").value),
            by_hand=element("sheet-way").value == "no",
            variant=element("sheet-variant").value,
        )
        for line in ("learn-said", "sheet-error"):
            element(line).textContent = ""
        self.said = ""
        self.find()

    def changed(self, name: str) -> None:
        """A control of the worksheet was changed; other exercises are as they were drawn."""
        if name == "sheet-as":
            return
        if name == "sheet-solutions":
            self.remember()
            self.solved = bool(element(name).checked)
            self.draw()
            return
        if name != "sheet-variant":
            self.wanted = replace(self.wanted, again=())
        self.read()

    def another(self, place: int) -> None:
        """Another exercise in one place."""
        self.wanted = self.wanted.another(place)
        self.find(refocus=f'[data-command="learn:another {place}"]')

    def rewrite(self, place: int) -> None:
        """The texts that were written, where an exercise can be made of them; else, why not."""
        texts = element(f"texts-{place}").value
        try:
            worksheets.on_written(self.found[place], texts)
        except ValueError as error:
            element(f"texts-{place}-error").textContent = fault(error)[1]
        else:
            self.take_texts(place, texts)

    def take_texts(self, place: int, texts: str) -> None:
        """These texts in one place, or those found for it; what is written elsewhere stays."""
        self.remember()
        drafts = {at: draft for at, draft in self.written.drafts.items() if at != place}
        self.written = replace(self.written, drafts=drafts)
        self.wanted = self.wanted.rewritten(place, texts)
        self.choose(*worksheets.rewritten(self.wanted, self.found))
        document.querySelector(f"#rewrite-{place} summary").focus()

    def copy_link(self) -> None:
        """The link to this worksheet."""
        fragment = worksheets.to_fragment(self.wanted)
        self.copy("Link copied", f"{window.location.href.split('#')[0]}#{fragment}")

    def save(self) -> None:
        """The worksheet as a file, made here."""
        form = worksheets.SHEET_FORMATS[element("sheet-as").value]
        made = self.wanted, self.chosen, self.solved
        name = worksheets.file_name(self.wanted, solved=self.solved)
        save(form.render(made), f"{name}.{form.ending}", form.media_type)

    def mark(self) -> None:
        """Beside each blank, whether it is right; and each mistake in words."""
        if not self.alone:
            self.written = replace(self.written, marked=written())
            self.show_marked()

    def show_marked(self) -> None:
        """The marks, and the words, for the answers that were marked last."""
        marked = self.written.marked
        answers = worksheets.by_exercise(self.chosen, marked)
        found = {}
        for place, (exercise, own) in enumerate(zip(self.chosen, answers, strict=True), 1):
            for name, mark in marks_of(grade(exercise, own).verdicts).items():
                found[f"{place}.{name}"] = mark
        show_marks(found)
        element("learn-said").innerHTML = worksheets.sheet_feedback(self.chosen, marked)

    def copy_answers(self) -> None:
        """The learner's line, to hand in."""
        box = element("sheet-name")
        name = box.value if box else self.learner
        line = worksheets.answers_line(self.wanted, name, written())
        self.copy("Answers copied: one line, to hand in", line)

    def count(self) -> None:
        """The mistakes of a class, from its lines."""
        place = element("class-counts")
        lines = element("class-lines").value

        def work() -> Generator[worksheets.Tally, None, worksheets.Tally]:
            last = worksheets.Tally((), 0, ())
            for last in worksheets.tally(lines):
                yield last
            return last

        def finished(last: worksheets.Tally) -> None:
            place.innerHTML = worksheets.tally_html(last)
            element("learn-said").textContent = "The answers are counted."

        def failed(error: Exception) -> None:
            element("learn-said").textContent = fault(error)[1]

        if self.counting:
            self.counting.close()
        self.counting = Job(work(), finished, failed, lambda *_: None)
