"""The controllers of the lesson, of practice, and of the numbers to play with."""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from pyscript import document

from app.browser.dom import (
    DEVICE,
    element,
    load_stored,
    remove_stored,
    show_prose,
    show_template,
    store_text,
)
from app.browser.page import command
from app.components import button
from app.learn import play
from app.learn.attempt import (
    ANSWER_SUFFIX,
    NO_SUCH_KIND,
    ROW_SUFFIX,
    STORED_FIELDS,
    Attempt,
    PracticeProgress,
    answers_of_rows,
    attempt_from_data,
    is_row_by_row,
    next_exercise,
    parse_item_id,
    progress_from_json,
    progress_text,
    progress_to_json,
    record_attempt,
)
from app.learn.exercise_controller import ExerciseController, fresh_seed, tick_boxes, ticked_values
from app.learn.exercise_html import (
    action_button,
    exercise_html,
    feedback_html,
    tokenization_note_html,
)
from app.learn.lesson_html import closing_html, end_html, opening_html, screens_html
from app.learn.lesson_screens import (
    CHECK_QUESTIONS,
    POSITIONS,
    SCREEN_INDEX,
    SCREENS,
    Screen,
    check_screen,
    lesson_item_ids,
    still_to_review,
)
from app.state.form import error_location
from bleu.learn.exercise import Exercise
from bleu.learn.generation import one_like_this, topics_with
from bleu.learn.kinds.calculation import worked_exercise
from bleu.learn.misconceptions import MISCONCEPTIONS

LESSON_KEY = "bleu-lesson"
"""The key under which the tab stores the place in the lesson and the answers, for a reload."""
PLACES = tuple(
    f"{(*SCREEN_INDEX, 'check', 'end')[index]}-{question + 1}" for index, question in POSITIONS
)
"""The name of each of `POSITIONS`."""
OWN_SENTENCE = "Now your own sentence"
"""The label of the button from the end of the lesson to the tour of the first screen."""
PROGRESS_KEY = "bleu-learn"
"""The key under which the device stores the progress, if the learner has chosen that."""


class PlayController(ExerciseController):
    """The parts of a score as bars that move the score."""

    def __init__(self, on_item_shown: Callable[[str], object]) -> None:
        super().__init__(on_item_shown)
        self.parts: list[str] = list(play.FIRST_PARTS)
        """The texts of the boxes, the brevity penalty first."""
        self.percents: list[str] = []
        """The values of the bars when they were read last."""

    @property
    def names(self) -> Sequence[str]:
        """The symbols of the parts."""
        return play.NAMES[: len(self.parts)]

    def show(self, *, focus: bool = True) -> None:
        """Show the bars."""
        element("learn-aside").textContent = ""
        self.render(play.play_html(self.parts), focus=focus)
        self.update()

    def on_input(self) -> None:
        """Take over a dragged bar or a typed number."""
        for index, name in enumerate(self.names):
            percent = str(element(f"bar-{name}").value)
            if percent != self.percents[index]:
                element(f"text-{name}").value = f"{int(percent) / 100:g}"
        self.update()

    def update(self) -> None:
        """Show the score of the parts, and move the bars to them, or show what is no number."""
        self.parts = [str(element(f"text-{name}").value) for name in self.names]
        try:
            values = [play.part_value(*part) for part in zip(self.names, self.parts, strict=True)]
        except ValueError as error:
            show_prose(element("play-score"), error_location(error)[1])
        else:
            for name, value in zip(self.names, values, strict=True):
                element(f"bar-{name}").value = str(round(100 * float(value)))
            element("play-score").innerHTML = play.play_score_html(values)
        self.percents = [str(element(f"bar-{name}").value) for name in self.names]

    @command("bar")
    def move_bar(self, argument: str) -> None:
        """Move a bar by some percent; `argument` is its symbol and the step."""
        name, _, step = argument.partition(" ")
        percent = min(100, max(0, int(element(f"bar-{name}").value) + int(step)))
        element(f"text-{name}").value = f"{percent / 100:g}"
        self.update()


class LessonController(ExerciseController):
    """The lesson: the current screen and question, and the answers given so far."""

    def __init__(self, on_item_shown: Callable[[str], object]) -> None:
        super().__init__(on_item_shown)
        self.screen_index = self.question_index = 0
        self.presented_rows = 0
        """The number of fields filled in if the question is presented row by row, else 0."""
        self.check_seed = fresh_seed()
        self.check_screen: Screen | None = None
        self.misconceptions_seen: tuple[str, ...] = ()
        self.right_on_first_try: dict[str, bool] = {}
        """By place: whether the first try was right."""
        self.saved_attempts: dict[str, tuple[Attempt, dict[str, str]]] = {}
        """By place: the attempt, and the content of its blanks."""
        # The lesson may have changed since, or another page of this origin may have written this.
        with suppress(ValueError, TypeError, KeyError, AttributeError, RecursionError):
            self.restore(json.loads(load_stored(LESSON_KEY)))

    @property
    def screen(self) -> Screen:
        """The current screen: one of `SCREENS`, or the check after them."""
        if self.screen_index < len(SCREENS):
            return SCREENS[self.screen_index]
        self.check_screen = self.check_screen or check_screen(self.check_seed)
        return self.check_screen

    # The place and the answers, which survive a reload

    @property
    def place(self) -> str:
        """The current question, such as "mean-2", or the end of the lesson."""
        return PLACES[POSITIONS.index((self.screen_index, self.question_index))]

    def go_to(self, place: str) -> None:
        """Make a question current; nothing changes if there is no such place."""
        if place in PLACES:
            self.screen_index, self.question_index = POSITIONS[PLACES.index(place)]

    def store(self) -> None:
        """Store the place, the answers and what they showed in the tab."""
        saved = {
            place: ({name: getattr(attempt, name) for name in STORED_FIELDS}, answers)
            for place, (attempt, answers) in self.saved_attempts.items()
        }
        seen = self.misconceptions_seen
        parts = self.place, self.check_seed, saved, self.right_on_first_try, seen
        store_text(LESSON_KEY, json.dumps(parts))

    def restore(self, parts: Any) -> None:
        """Take over what `store` has stored."""
        last_place, self.check_seed, saved, self.right_on_first_try, seen = parts
        self.misconceptions_seen = tuple(name for name in seen if name in MISCONCEPTIONS)
        for place, (data, answers) in saved.items():
            self.go_to(place)
            question = self.screen.questions[self.question_index]
            self.saved_attempts[place] = attempt_from_data(question, data), answers
        self.go_to(last_place)

    # Screens

    def show(self, *, focus: bool = True, restart: bool = False, rows: int = 0) -> None:
        """Show the current question as it was left, or unanswered if `restart`.

        If `rows` > 0, show its whole calculation instead, with that many fields filled in.
        """
        self.presented_rows = rows
        self.store()
        element("learn-aside").innerHTML = screens_html(self.screen_index)
        if self.screen_index > len(SCREENS):
            self.attempt = None
            end = end_html(self.misconceptions_seen, tuple(self.right_on_first_try.values()))
            self.render(end, focus=focus)
            return
        attempt, answers = self.saved_attempts.get(self.place, (None, {}))
        if restart or attempt is None:
            attempt, answers = Attempt(self.screen.questions[self.question_index]), {}
        if rows:
            attempt = Attempt(worked_exercise(attempt.exercise))
            answers = answers_of_rows(attempt.exercise, rows)
        self.attempt = attempt
        opening = opening_html(self.screen, self.screen_index, self.question_index)
        self.render(exercise_html(attempt, self.screen.title, opening), focus=focus)
        self.fill_answers(attempt, answers)
        if attempt != Attempt(attempt.exercise):
            self.show_marks(answers)
            self.show_feedback()

    def save(self) -> None:
        """Save the attempt and its answers until the page is closed."""
        if self.attempt and not self.presented:
            self.saved_attempts[self.place] = self.attempt, self.read_answers()
            self.store()

    def finish(self, attempt: Attempt) -> str:
        """Record the attempt; after the last question of a screen, return the closing text."""
        if not self.presented and self.question_index >= self.screen.guess_count:
            self.right_on_first_try.setdefault(self.place, attempt.right_on_first_try)
            seen = tuple(dict.fromkeys((*self.misconceptions_seen, *attempt.misconceptions_seen)))
            is_mastered = self.screen.name == "check" and attempt.right_on_first_try
            self.misconceptions_seen = (
                still_to_review(seen, attempt.exercise) if is_mastered else seen
            )
        if self.question_index < len(self.screen.questions) - 1:
            return ""
        return closing_html(self.screen, feedback_html(attempt))

    def extra_buttons(self) -> list[str]:
        """Return the buttons to go back, to answer again, and to practise."""
        buttons = []
        if self.screen_index or self.question_index:
            buttons.append(action_button("back", "Back"))
        if self.attempt and self.attempt.done:
            is_check = self.screen.name == "check"
            buttons.append(action_button("again", "New questions" if is_check else "Answer again"))
        if self.screen.name == "mean":
            buttons.append(action_button("mode play", "Play with these numbers"))
        if self.screen_index > len(SCREENS):
            buttons.append(
                button("explain:precision-1", OWN_SENTENCE, ' id="learn-on" class="first"')
            )
            buttons.append(button("learn:mode practice", "Practise"))
        return buttons

    def move(self, step: int) -> None:
        """Go `step` questions forward, but not before the first, and show the question."""
        index = POSITIONS.index((self.screen_index, self.question_index)) + step
        self.screen_index, self.question_index = POSITIONS[max(0, index)]
        self.show()

    @command("next")
    def next(self, _: str) -> None:
        """Show the next question or screen."""
        self.move(1)

    @command("back")
    def go_back(self, _: str) -> None:
        """Show the previous question or screen."""
        self.move(-1)

    @command("again")
    def answer_again(self, _: str) -> None:
        """Show the question unanswered or, in the check, new questions."""
        if self.screen.name == "check":
            self.check_seed, self.check_screen, self.question_index = fresh_seed(), None, 0
            for place in PLACES[-1 - len(CHECK_QUESTIONS) :]:
                self.saved_attempts.pop(place, None)
        else:
            self.saved_attempts.pop(self.place, None)
        self.show()

    # Presentation

    @property
    def current_item(self) -> str:
        """The id of the question on the screen."""
        if self.attempt is None:
            return "rank-1"
        rows = f"{ROW_SUFFIX}{self.presented_rows}" if self.presented_rows else ""
        suffix = ANSWER_SUFFIX if self.attempt.done else rows
        return f"{self.screen.name}-{self.question_index + 1}{suffix}"

    def item_ids(self) -> list[str]:
        """Return the ids of all questions: unanswered, row by row, and answered."""
        return lesson_item_ids()

    def show_item(self, item_id: str) -> None:
        """Show one question, some of its rows, or its answer."""
        name, question_index, rows, answered = parse_item_id(item_id)
        question = SCREEN_INDEX.get(name, len(SCREENS)), question_index
        restart = self.attempt is None or (self.attempt.done and not answered)
        has_rows = bool(rows or self.presented_rows)
        if restart or has_rows or question != (self.screen_index, self.question_index):
            self.screen_index, self.question_index = question
            self.show(focus=False, restart=True, rows=rows)
        if answered:
            self.show_answers()
        elif self.attempt and is_row_by_row(self.attempt.exercise) and not rows:
            self.fill_answers(self.attempt, answers_of_rows(self.attempt.exercise, 0))

    def leave_items(self) -> None:
        """Show the question as the learner left it, if its rows were presented."""
        if self.attempt and is_row_by_row(self.attempt.exercise) and not self.attempt.done:
            self.show(focus=False)

    def item_title(self, _: str) -> str:
        """Return the title of the question on the screen."""
        several = len(self.screen.questions) > 1
        question = f", question {self.question_index + 1}" if several else ""
        position = f"Screen {self.screen_index + 1} of {len(SCREENS) + 1}"
        return f"{position}: {self.screen.tab}{question}"


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
        stored = load_stored(PROGRESS_KEY, DEVICE)
        self.keep_progress = bool(stored)
        self.progress = progress_from_json(stored)

    @command("next")
    def show(self, _: str = "", *, focus: bool = True) -> None:
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
        self.progress = record_attempt(self.progress, attempt)
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
            self.show(focus=False)
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
        """Show the progress; store it on the device, or remove it, as the learner has chosen."""
        element("learn-done").textContent = progress_text(self.progress)
        if not self.keep_progress:
            remove_stored(PROGRESS_KEY, DEVICE)
        elif not store_text(PROGRESS_KEY, progress_to_json(self.progress), DEVICE):
            fault = "this browser blocks storage for the page, or it is full"
            element("learn-said").textContent = f"Your progress is not kept: {fault}."

    @command("wipe")
    def reset_progress(self, _: str) -> None:
        """Discard the progress."""
        self.progress = PracticeProgress()
        self.save_progress()
        element("learn-said").textContent = "Your progress has been wiped."
