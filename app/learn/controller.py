"""The controller of the Learn view, which shows the lesson, practice or a worksheet."""

from contextlib import suppress
from typing import Any

from pyodide.ffi import to_js
from pyscript import window

from app.browser.dom import element, listen, read_form, reveal, root, show_prose
from app.browser.page import Command, PageCalls, command, commands_of
from app.learn.attempt import ANSWER_SUFFIX
from app.learn.code_controller import CodeController
from app.learn.exercise_controller import ExerciseController
from app.learn.lesson_controller import LessonController, PlayController, PracticeController
from app.learn.play import score_parts
from app.learn.puzzle import puzzle_seed
from app.learn.puzzle_controller import PuzzleController
from app.learn.worksheet_controller import WorksheetController, WorksheetToolsController
from app.learn.worksheet_spec import from_fragment
from app.state.form import form_derivation
from app.state.saved_form import missing_parts_notice, without_view


class LearnController:
    """The Learn view: its mode, and its items (exercises and answers) to present as slides."""

    def __init__(self, page: PageCalls) -> None:
        self.page = page
        self.lesson = LessonController(page.on_item_shown)
        self.practice = PracticeController(page.on_item_shown)
        self.worksheet = WorksheetController(self.on_worksheet_drawn)
        self.worksheet_tools = WorksheetToolsController(self.worksheet, page.notices.copy)
        self.play = PlayController(page.on_item_shown)
        self.code = CodeController(page.on_item_shown)
        self.puzzle = PuzzleController(page.on_item_shown, page.notices.copy)
        self.active: ExerciseController | WorksheetController = self.lesson
        self.mode = self.link = ""
        self.pending_item = ""
        """The id of an item to present as soon as the worksheet is generated."""
        listen("submit", "#learn", self.on_submit)
        listen("input", "#learn", self.on_input)
        listen("change", "#learn", self.on_change)
        listen("drop", "#learn", self.on_drop)
        listen("keydown", "#learn", self.code.on_key)
        listen("popstate", window, lambda event: self.show_place(getattr(event.state, "learn", "")))

    # Events

    def on_view_opened(self) -> None:
        """Open the linked worksheet, else the place of the history entry, when first shown."""
        if not self.mode and not self.open_link(window.location.hash):
            self.show_place(getattr(window.history.state, "learn", "") or "lesson", focus=False)
        self.record_place()

    def on_submit(self, event: Any) -> None:
        """Grade the answers."""
        event.preventDefault()
        self.active.submit()

    def on_input(self, event: Any) -> None:
        """Handle typing in an exercise."""
        if event.target.closest("#exercise"):
            self.active.on_input()

    def on_change(self, event: Any) -> None:
        """Handle the change of a control of the teacher's form or of practice."""
        if event.target.id == "code-files":
            self.code.open_files(list(event.target.files))
        elif event.target.closest("#sheet-form"):
            self.worksheet_tools.on_change(event.target)
        else:
            self.practice.on_change(event.target)

    def on_drop(self, event: Any) -> None:
        """Assess files that are dropped on the box for code."""
        if self.active is self.code and event.dataTransfer and event.dataTransfer.files.length:
            event.preventDefault()
            event.stopPropagation()
            self.code.open_files(list(event.dataTransfer.files))

    def on_worksheet_drawn(self) -> None:
        """Update the presentation, or begin it if an item of the worksheet was requested."""
        if self.active.presented:
            self.page.on_item_shown(self.worksheet.current_item)
        elif self.pending_item:
            item_id, self.pending_item = self.pending_item, ""
            if item_id in self.anchors():
                self.page.present_learn(item_id)
            else:
                notice = missing_parts_notice(("step", item_id, self.anchors()))
                show_prose(element("notice"), notice)

    def run_command(self, text: str) -> None:
        """Run a command, given as “name argument”; show the view first if it is hidden."""
        if element("learn").hidden:
            reveal("learn")
        name, _, argument = text.partition(" ")
        self.commands[name](argument)
        self.record_place()

    @property
    def commands(self) -> dict[str, Command]:
        """The commands of the view and of its mode, by name."""
        return commands_of(self.worksheet.class_tally, self.worksheet_tools, self.active, self)

    # The browser's history

    @property
    def place(self) -> str:
        """The mode, and in the lesson also the question, such as "lesson mean-2"."""
        return f"{self.mode} {self.lesson.place}" if self.mode == "lesson" else self.mode

    def record_place(self) -> None:
        """Let Back return to the place before, if it has changed; a new entry takes its own."""
        old_place = getattr(window.history.state, "learn", "")
        if self.place != old_place and not self.active.presented:
            values = {"visited": True, "learn": self.place}
            new_state = to_js(values, dict_converter=window.Object.fromEntries)
            getattr(window.history, "pushState" if old_place else "replaceState")(new_state, "")

    def show_place(self, place: str, *, focus: bool = True) -> None:
        """Show the place of an entry of the browser's history, unless it is shown."""
        if place and place != self.place:
            mode, _, question = place.partition(" ")
            self.lesson.go_to(question)
            is_missing = mode == "given" and element("learn-given").hidden
            self.show_mode("lesson" if is_missing else mode, focus=focus)

    # Modes

    def open_link(self, fragment: str) -> bool:
        """Show the worksheet of a link; return False if it has none, or if it was opened last."""
        seed = puzzle_seed(fragment)
        if seed and fragment != self.link:
            self.link = fragment
            self.puzzle.open(seed)
            self.show_mode("puzzle", focus=False)
            return True
        parsed = from_fragment(fragment)
        link = without_view(fragment)
        if not parsed or link == self.link:
            return False
        self.link = link
        self.worksheet.spec, notice = parsed
        element("learn-given").hidden = False
        self.worksheet.restore_stored()
        self.show_mode("given", focus=False, notice=notice)
        return True

    @command("mode")
    def show_mode(self, mode: str, *, focus: bool = True, notice: str = "") -> None:
        """Show lesson, practice, play, given (a link's worksheet) or sheet (a teacher's)."""
        is_worksheet = mode in {"given", "sheet"}
        if is_worksheet:
            self.worksheet.teaching = mode == "sheet"
            self.worksheet.solved &= self.worksheet.teaching
        else:
            self.pending_item = ""
        if self.active.presented:
            self.page.leave_presentation()
        self.active.suspend()
        self.mode, root.dataset.mode = mode, "sheet" if is_worksheet else mode
        pressed = "lesson" if mode == "play" else mode  # The bars belong to its screen of the mean.
        for name in ("lesson", "practice", "puzzle", "code", "given", "sheet"):
            element(f"learn-{name}").setAttribute("aria-pressed", str(name == pressed).lower())
        modes: dict[str, ExerciseController] = {
            "lesson": self.lesson,
            "practice": self.practice,
            "play": self.play,
            "puzzle": self.puzzle,
            "code": self.code,
        }
        self.active = modes.get(mode, self.worksheet)
        self.worksheet.link_notice = notice
        self.active.show(focus=focus)

    @command("screen")
    def show_screen(self, name: str) -> None:
        """Show one screen of the lesson."""
        self.lesson.go_to(f"{name}-1")
        self.show_mode("lesson")

    @command("play-score")
    def play_with_score(self, _: str) -> None:
        """Play with the brevity penalty and the precisions of the texts of the Score view."""
        with suppress(ValueError):  # Without a score, the bars stay as they are.
            self.play.parts = score_parts(form_derivation(read_form()).score)
        self.show_mode("play")

    # Presentation

    @command("present")
    def present(self, _: str) -> None:
        """Present one item at a time; wait for a worksheet that is still being generated."""
        if self.active is self.worksheet and self.worksheet.generation_job:
            self.pending_item = self.worksheet.current_item
        else:
            self.page.present_learn(self.active.current_item)

    def anchors(self) -> list[str]:
        """Return the ids of all items: each exercise unanswered, row by row, and answered."""
        return self.active.item_ids()

    def show(self, anchor: str) -> str:
        """Show one item alone; return the value of `data-walk`, which selects its style."""
        self.active.presented = True
        self.active.show_item(anchor)
        return "learn"

    def title(self, anchor: str) -> str:
        """Return the title of an item."""
        suffix = ", with the answer" if anchor.endswith(ANSWER_SUFFIX) else ""
        return f"{self.active.item_title(anchor)}{suffix}"

    def leave(self) -> None:
        """Show the whole view again."""
        self.active.presented = False
        self.active.leave_items()
        element("learn-present").focus()

    def fragment_and_item(self) -> tuple[str, str]:
        """Return the fragment of a link to what is shown, and the id of the item to present."""
        return self.active.fragment_and_item()
