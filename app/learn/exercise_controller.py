"""The controller of one exercise, which the lesson and practice share."""

from collections.abc import Callable, Mapping, Sequence

from pyscript import document, window

from app.browser.dom import element, find_element, show_prose
from app.browser.page import command
from app.learn.attempt import Attempt, add_hint, attempt_marks, give_up, submit
from app.learn.exercise_html import (
    action_button,
    answer_buttons,
    feedback_html,
    solution_html,
)
from app.learn.live_texts import bars_html, live_score_text, marked_texts_html
from bleu.learn.grading import answer_key


def read_blanks() -> dict[str, str]:
    """Return the answers by field name; several checked values are separated by spaces."""
    answers: dict[str, str] = {}
    for box in document.querySelectorAll("#exercise [name]"):
        if box.type in {"radio", "checkbox"}:
            if box.checked:
                answers[box.name] = f"{answers.get(box.name, '')} {box.value}".strip()
        else:
            answers[box.name] = box.value
    return answers


def fill_blanks(answers: Mapping[str, str]) -> None:
    """Write answers, given by field name, into the blanks."""
    for box in document.querySelectorAll("#exercise [name]"):
        answer = answers.get(box.name)
        if answer is None:
            continue
        if box.type == "radio":
            box.checked = box.value == answer
        elif box.type == "checkbox":
            box.checked = box.value in answer.split()
        else:
            box.value = answer
            box.style.minWidth = f"{len(answer) + 3}ch" if len(answer) > 6 else ""


def show_marks(marks: Mapping[str, tuple[str, str, str]]) -> None:
    """Show a mark beside each text blank; `marks` maps names to (status, symbol, spoken word)."""
    for old_mark in list(document.querySelectorAll("#exercise .verdict")):
        old_mark.remove()
    for box in document.querySelectorAll("#exercise [name]"):
        status, symbol, word = marks.get(box.name, ("", "", ""))
        box.removeAttribute("aria-invalid")
        if not status or box.type in {"radio", "checkbox"}:
            continue
        if status in {"wrong", "unreadable"}:
            box.setAttribute("aria-invalid", "true")
        mark = document.createElement("span")
        mark.className = f"verdict {status}"
        mark.innerHTML = (
            f'<span aria-hidden="true">{symbol}</span><span class="spoken">{word}</span>'
        )
        box.after(mark)


def tick_boxes(topics: Sequence[str], kinds: Sequence[str]) -> None:
    """Tick the boxes of these topics and kinds in the form above the exercises."""
    for box in document.querySelectorAll("#learn-aside fieldset input"):
        box.checked = box.value in (topics if box.name == "topic" else kinds)


def ticked_values(name: str) -> tuple[str, ...]:
    """Return the values of the ticked boxes of a name, topic or kind."""
    boxes = document.querySelectorAll(f'#learn-aside [name="{name}"]:checked')
    return tuple(str(box.value) for box in boxes)


def fresh_seed() -> str:
    """Return a new seed from the clock."""
    return f"{int(window.Date.now()):x}"


class ExerciseController:
    """The exercise on the screen: its answers, marks, hints and feedback.

    Subclasses choose the exercise. `on_item_shown` is called with `current_item` if the
    exercise is answered while it is presented.
    """

    def __init__(self, on_item_shown: Callable[[str], object]) -> None:
        self.on_item_shown = on_item_shown
        self.presented = False
        self.attempt: Attempt | None = None

    # The mode

    @property
    def current_item(self) -> str:
        """The id with which the exercise on the screen is presented, or "" if it is not."""
        return ""

    def show(self, *, focus: bool = True) -> None:
        """Show the mode, and focus the title of its exercise if `focus`."""
        raise NotImplementedError

    def extra_buttons(self) -> list[str]:
        """Return the HTML of the buttons that only this mode has; by default, there are none."""
        return []

    def finish(self, attempt: Attempt) -> str:
        """Record an attempt that is done, and return markup to show after its solution."""
        raise NotImplementedError

    def save(self) -> None:
        """Save the attempt and its answers."""

    def suspend(self) -> None:
        """Prepare for another mode to be shown."""

    # Drawing

    def render(self, body: str, *, focus: bool) -> None:
        """Show the markup of an exercise with empty blanks, or that of another page of the view."""
        element("learn-body").innerHTML = body
        element("learn-said").textContent = ""
        element("learn-after").innerHTML = ""
        self.show_buttons()
        self.show_live_score()
        if focus and not self.presented:
            element("exercise-title").focus()

    def show_buttons(self) -> None:
        """Show the buttons below the exercise."""
        buttons = answer_buttons(self.attempt) if self.attempt else []
        element("learn-actions").innerHTML = "".join([*buttons, *self.extra_buttons()])

    def show_live_score(self) -> None:
        """Show the score of a text being edited, and whether it reaches the goal."""
        line = find_element("learn-live")
        if not line or not self.attempt:
            return
        box = document.querySelector('#exercise [name$=".text"]')
        if not box.value and not self.attempt.tries:
            box.value = self.attempt.exercise.hypotheses[0]
        exercise, text = self.attempt.exercise, str(box.value)
        show_prose(line, live_score_text(exercise, text))
        element("learn-bars").innerHTML = bars_html(exercise, text)
        self.show_marked_texts(text)

    def show_marked_texts(self, text: str = "") -> None:
        """Show the texts with their marks; `text` replaces the candidate."""
        if self.attempt and (texts := find_element("exercise-texts")):
            texts.innerHTML = marked_texts_html(self.attempt.exercise, text)

    # Answers

    def read_answers(self) -> dict[str, str]:
        """Return the content of the blanks by field name."""
        return {name.partition(".")[2]: text for name, text in read_blanks().items()}

    def fill_answers(self, attempt: Attempt, answers: dict[str, str]) -> None:
        """Fill the blanks with answers by field name."""
        number = attempt.exercise.number + 1
        fill_blanks({f"{number}.{name}": text for name, text in answers.items()})

    def on_input(self) -> None:
        """Handle typing in the exercise."""
        self.show_live_score()
        self.save()

    def submit(self) -> None:
        """Grade the answers and show the result."""
        if self.attempt is None or self.attempt.done:
            return
        answers = self.read_answers()
        previous = self.attempt
        self.attempt = submit(previous, answers)
        self.show_marks(answers)
        self.show_feedback()
        wrong = document.querySelector('#exercise [aria-invalid="true"]')
        if self.presented:
            self.on_item_shown(self.current_item)
        if self.attempt.done:
            self.focus_explanation()
        elif wrong and (self.attempt.unreadable or self.attempt.tries > previous.tries):
            wrong.focus()
        elif document.activeElement == document.body:  # Replacing the button lost the focus.
            document.querySelector('#learn-actions [type="submit"]').focus()

    def show_marks(self, answers: dict[str, str]) -> None:
        """Show the mark of each of the `answers` beside its blank."""
        if self.attempt:
            number = self.attempt.exercise.number + 1
            marks = attempt_marks(self.attempt, answers)
            show_marks({f"{number}.{name}": mark for name, mark in marks.items()})

    def show_feedback(self) -> None:
        """Show the feedback and the next buttons; if the attempt is done, the solution, too."""
        if self.attempt is None:
            return
        # In a presentation, the blanks already show the answer.
        redundant = self.presented and self.attempt.gave_up and not self.attempt.tries
        element("learn-said").innerHTML = "" if redundant else feedback_html(self.attempt)
        self.show_buttons()
        self.save()
        if not self.attempt.done:
            return
        for box in document.querySelectorAll("#exercise input"):
            if box.type == "text":
                box.readOnly = True
            else:
                box.disabled = True
        self.show_marked_texts(self.read_answers().get("text", ""))
        after = solution_html(self.attempt) + self.finish(self.attempt)
        if not self.presented:
            after += f'<p class="on">{action_button("next", "Next", "learn-on")}</p>'
        element("learn-after").innerHTML = after

    def show_answers(self) -> None:
        """Fill in the right answers and show the solution, unless the attempt is done."""
        if self.attempt and not self.attempt.done:
            self.fill_answers(self.attempt, answer_key(self.attempt.exercise))
            self.attempt = give_up(self.attempt)
            self.show_feedback()

    def focus_explanation(self) -> None:
        """Focus the explanation, which screen readers then read, with the question in sight."""
        if self.presented:
            element("next").focus(preventScroll=True)
            return
        said, after = element("learn-said"), element("learn-after")
        is_beside = said.offsetLeft > element("learn-body").offsetLeft
        top = element("exercise") if is_beside else said
        is_above = top.getBoundingClientRect().top < 0
        if is_above or after.getBoundingClientRect().bottom > window.innerHeight:
            top.scrollIntoView()
            if not is_beside:  # Keep as much of the question in sight as there is room for.
                window.scrollBy(
                    0, min(0, after.getBoundingClientRect().bottom - window.innerHeight)
                )
        said.focus(preventScroll=True)

    @command("hint")
    def add_hint(self, _: str) -> None:
        """Show the next hint."""
        if self.attempt:
            self.attempt = add_hint(self.attempt)
            self.show_marks(self.read_answers())
            self.show_feedback()
            (find_element("learn-hint-button") or element("learn-solution-button")).focus()

    @command("solution")
    def give_up(self, _: str) -> None:
        """Show the answers and the solution."""
        if self.attempt:
            self.attempt = give_up(self.attempt)
            self.show_feedback()
            self.focus_explanation()

    # Presentation

    def item_ids(self) -> list[str]:
        """Return the ids of the items to present; by default, there are none."""
        return []

    def show_item(self, item_id: str) -> None:
        """Show an item alone."""

    def item_title(self, item_id: str) -> str:
        """Return the title of an item."""
        raise NotImplementedError

    def leave_items(self) -> None:
        """Restore the view after a presentation; by default, nothing changes."""

    def fragment_and_item(self) -> tuple[str, str]:
        """Return the fragment of a link to the view, and the item to present."""
        return "view=learn", self.current_item
