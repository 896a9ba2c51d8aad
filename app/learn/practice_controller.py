"""The controller of practice."""

from collections.abc import Callable
from typing import Any

from pyscript import document

from app.browser.dom import (
    DEVICE,
    element,
    load_stored,
    remove_stored,
    show_template,
    store_text,
)
from app.browser.page import command
from app.learn.attempt import (
    ANSWER_SUFFIX,
    NO_SUCH_KIND,
    Attempt,
    PracticeProgress,
    next_exercise,
    progress_from_json,
    progress_text,
    progress_to_json,
    record_attempt,
)
from app.learn.exercise_controller import ExerciseController, fresh_seed, tick_boxes, ticked_values
from app.learn.exercise_html import action_button, exercise_html, tokenization_note_html
from bleu.learn.exercise import Exercise
from bleu.learn.generation import one_like_this, topics_with

STORAGE_KEY = "bleu-learn"
"""The key under which the device stores the progress, if the learner has chosen that."""


class PracticeController(ExerciseController):
    """Practice: exercises on the chosen topics, and the learner's progress."""

    def __init__(self, on_item_shown: Callable[[str], object]) -> None:
        super().__init__(on_item_shown)
        self.seed = fresh_seed()
        self.topics: tuple[str, ...] = ()
        self.kinds: tuple[str, ...] = ()
        self.exercise_number = 0
        self.replacement = 0
        """How many exercises like the last new one were shown after it."""
        stored = load_stored(STORAGE_KEY, DEVICE)
        self.keep_progress = bool(stored)
        self.progress = progress_from_json(stored)

    @command("next")
    def show_next(self, _: str = "", *, focus: bool = True) -> None:
        """Show the next exercise."""
        self.replacement = 0
        self.exercise_number += 1
        exercise = next_exercise(self.progress, self.topics, self.seed, self.kinds)
        self.show_exercise(exercise, focus=focus)

    def show_exercise(self, exercise: Exercise, *, focus: bool = True) -> None:
        """Show an exercise, with the choice of topics and the progress."""
        self.attempt = Attempt(exercise)
        show_template(element("learn-aside"), "practice-form-template")
        tick_boxes(self.topics, self.kinds)
        element("learn-kinds").open = bool(self.kinds)
        element("learn-done").textContent = progress_text(self.progress)
        element("learn-keep").checked = self.keep_progress
        note = tokenization_note_html(exercise)
        self.render(exercise_html(self.attempt, "", note), focus=focus)

    def finish(self, attempt: Attempt) -> str:
        """Record the attempt in the progress."""
        if not self.presented:
            self.progress = record_attempt(self.progress, attempt)
            element("learn-done").textContent = progress_text(self.progress)
            self.save_progress()
        return ""

    def extra_buttons(self) -> list[str]:
        """Return the button for a similar exercise, if the current one is done."""
        done = self.attempt and self.attempt.done
        return [action_button("like", "One like this")] if done else []

    def on_change(self, control: Any) -> None:
        """Handle the choice of topics and kinds, and of whether to keep the progress."""
        if control.name in {"topic", "kind"}:
            self.topics, self.kinds = ticked_values("topic"), ticked_values("kind")
            self.replace_excluded(control)
        elif control.id == "learn-keep":
            self.keep_progress = bool(control.checked)
            self.save_progress()

    def replace_excluded(self, control: Any) -> None:
        """Replace the exercise if the topics or kinds exclude it and it has no answer yet."""
        attempt = self.attempt
        if not attempt or attempt.tries or attempt.done:
            return
        exercise = attempt.exercise
        boxes = document.querySelectorAll("#exercise .blank")
        if any(box.value not in {"", exercise.hypotheses[0]} for box in boxes):
            return
        if (self.topics and exercise.topic not in self.topics) or (
            self.kinds and exercise.kind not in self.kinds
        ):
            self.show_next(focus=False)
            box = f'#learn-aside [name="{control.name}"][value="{control.value}"]'
            document.querySelector(box).focus()
            if not topics_with(self.kinds, self.topics):
                element("learn-said").textContent = NO_SUCH_KIND

    @command("like")
    def show_similar(self, _: str) -> None:
        """Show another exercise like the current one."""
        if self.attempt:
            self.replacement += 1
            self.show_exercise(one_like_this(self.attempt.exercise, self.replacement))

    def save_progress(self) -> None:
        """Store the progress on the device, or remove it, as the learner has chosen."""
        if not self.keep_progress:
            remove_stored(STORAGE_KEY, DEVICE)
        elif not store_text(STORAGE_KEY, progress_to_json(self.progress), DEVICE):
            fault = "this browser blocks storage for the page, or it is full"
            element("learn-said").textContent = f"Your progress is not kept: {fault}."

    @command("wipe")
    def reset_progress(self, _: str) -> None:
        """Discard the progress."""
        self.progress = PracticeProgress()
        self.save_progress()
        element("learn-done").textContent = progress_text(self.progress)
        element("learn-said").textContent = "Your progress has been wiped."

    # Presentation

    @property
    def current_item(self) -> str:
        """The id of the exercise on the screen."""
        suffix = ANSWER_SUFFIX if self.attempt and self.attempt.done else ""
        return f"practice-{self.exercise_number}{suffix}"

    def item_ids(self) -> list[str]:
        """Return the ids of the exercise, of its answer, and of the next exercise."""
        current = f"practice-{self.exercise_number}"
        return [current, f"{current}{ANSWER_SUFFIX}", f"practice-{self.exercise_number + 1}"]

    def show_item(self, item_id: str) -> None:
        """Show the exercise unanswered, its answer, or the next exercise."""
        if item_id.endswith(ANSWER_SUFFIX):
            self.show_answers()
        elif item_id == f"practice-{self.exercise_number + 1}":
            self.show_next(focus=False)
        elif self.attempt:
            self.show_exercise(self.attempt.exercise, focus=False)

    def item_title(self, _: str) -> str:
        """Return the same title for every exercise."""
        return "Practice"
