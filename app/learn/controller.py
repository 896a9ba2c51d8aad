"""The adapter of the view Learn: reads blanks and choices, and writes what the pure modules say."""

from collections.abc import Callable
from typing import Any

from pyscript import document, window

from app.browser.blanks import fill_blanks, read_blanks, show_marks
from app.browser.dom import (
    DEVICE,
    element,
    find_element,
    listen,
    load_stored,
    remove_stored,
    reveal,
    root,
    store_on_device,
)
from app.learn import lesson, practice, worksheets
from app.learn.exercise_view import (
    SINGLE_CHOICE_KINDS,
    Attempt,
    add_hint,
    attempt_marks,
    exercise_html,
    feedback_html,
    give_up,
    live_score_text,
    solution_html,
    submit,
)
from app.learn.worksheet_controller import WorksheetPanel
from app.state.inputs import Inputs
from app.state.permalink import without_view
from app.state.view_state import existing_or_note, missing_parts_notice
from app.steps.presentation_controller import Presentation
from bleu.learn.exercise import Exercise
from bleu.learn.generation import one_like_this
from bleu.learn.grading import answer_key

STORAGE_KEY = "bleu-learn"
"""The name under which progress is kept on the device, where that is chosen."""


def fresh_seed() -> str:
    """A seed that is new at each call: the clock of the browser."""
    return f"{int(window.Date.now()):x}"


class LearnPanel:
    """What is asked now, and what has been answered."""

    def __init__(
        self, form: Callable[[], Inputs], copy: Callable[[str, str], object], walk: Presentation
    ) -> None:
        self.form = form
        self.presentation = walk
        self.worksheet = WorksheetPanel(copy, self.on_worksheet_drawn)
        self.mode = self.link = ""
        self.pending_item = ""
        """The item of a worksheet that a link asks to show alone, as soon as there is one."""
        self.screen_index = self.question_index = 0
        self.screen = lesson.SCREENS[0]
        self.misconceptions_seen: tuple[str, ...] = ()
        self.first_tries: dict[tuple[str, int], bool] = {}
        """Of each question of the lesson that was answered: whether it was right at once."""
        self.saved_attempts: dict[tuple[str, int, bool], tuple[Attempt, dict[str, str]]] = {}
        """Of each question of the lesson, with own texts or not: what was answered and written."""
        self.check_screen: lesson.Screen | None = None
        self.screens_with_own_texts: set[str] = set()
        """The screens that have the learner's own texts."""
        self.seed = fresh_seed()
        self.topics: tuple[str, ...] = ()
        self.replacement = self.practice_number = 0
        kept = load_stored(STORAGE_KEY, DEVICE)
        self.keep_progress = bool(kept)
        self.progress = practice.from_json(kept)
        self.attempt: Attempt | None = None
        self.commands: dict[str, Callable[[str], object]] = {
            "lesson": lambda _: self.show_mode("lesson"),
            "practice": lambda _: self.show_mode("practice"),
            "given": lambda _: self.show_sheet(teaching=False),
            "sheet": lambda _: self.show_sheet(teaching=True),
            "present": lambda _: self.present(),
            "screen": self.go_to_screen,
            "next": lambda _: self.next(),
            "back": lambda _: self.go_back(),
            "again": lambda _: self.answer_again(),
            "hint": lambda _: self.hint(),
            "solution": lambda _: self.give_up(),
            "like": lambda _: self.like_this(),
            "own": lambda _: self.toggle_own_texts(),
            "wipe": lambda _: self.reset_progress(),
            **self.worksheet.commands,
        }
        listen("submit", "#learn", self.on_submit)
        listen("input", "#learn", self.on_input)
        listen("change", "#learn", self.on_change)

    def on_view_opened(self) -> None:
        """The view is in sight: with a link's worksheet, else the lesson, or as it was left."""
        if not self.mode and not self.open_link(window.location.hash):
            self.show_mode("lesson", focus=False)

    def open_link(self, fragment: str) -> bool:
        """Show the worksheet that a link asks for, if it asks for one."""
        asked = worksheets.from_fragment(fragment)
        link = without_view(fragment)
        if not asked or link == self.link:
            return False
        self.link = link
        self.worksheet.spec, said = asked
        self.worksheet.teaching = self.worksheet.solved = False
        element("learn-given").hidden = False
        self.show_mode("sheet", focus=False, notice=said)
        return True

    def show_sheet(self, *, teaching: bool) -> None:
        """A worksheet: with all that can be chosen for it, or as a link gives it."""
        self.worksheet.teaching = teaching
        self.worksheet.solved = self.worksheet.solved and teaching
        self.show_mode("sheet")

    def run_command(self, command: str) -> None:
        """What a button asks for, also one in another view."""
        if element("learn").hidden:
            reveal("learn")
        name, _, argument = command.partition(" ")
        self.commands[name](argument)

    def present(self) -> None:
        """Show one thing at a time; of a worksheet that is still sought, once it is there."""
        if self.mode == "sheet" and self.worksheet.search_job:
            self.pending_item = self.worksheet.current_item
        else:
            self.presentation.begin(self, self.current_item())

    # Ways

    def show_mode(self, way: str, *, focus: bool = True, notice: str = "") -> None:
        """The lesson, practice, or a worksheet."""
        if self.presented:
            self.presentation.leave()
        if self.mode == "sheet":
            self.worksheet.suspend()
        if way != "sheet":
            self.pending_item = ""
        self.mode = root.dataset.way = way
        chosen = "given" if way == "sheet" and not self.worksheet.teaching else way
        for name in ("lesson", "practice", "given", "sheet"):
            element(f"learn-{name}").setAttribute("aria-pressed", str(name == chosen).lower())
        match way:
            case "lesson":
                self.show_screen(focus=focus)
            case "practice":
                self.ask_next(focus=focus)
            case _:
                self.attempt = None
                self.clear()
                self.worksheet.show(notice, focus=focus)

    def go_to_screen(self, name: str) -> None:
        """One screen of the lesson."""
        self.screen_index, self.question_index = (
            lesson.SCREEN_INDEX.get(name, len(lesson.SCREENS)),
            0,
        )
        self.show_mode("lesson")

    @property
    def uses_own_texts(self) -> bool:
        """Whether the screen has the learner's own texts."""
        return self.screen.name in self.screens_with_own_texts

    def show_screen(self, *, focus: bool = True, anew: bool = False) -> None:
        """The screen of the lesson that it is at, as it was answered, unless it is shown anew."""
        if self.screen_index > len(lesson.SCREENS):
            self.attempt = None
            aside = lesson.screens_html(self.screen_index)
            self.render(
                aside,
                lesson.end_html(self.misconceptions_seen, tuple(self.first_tries.values())),
                focus=focus,
            )
            return
        if self.screen_index < len(lesson.SCREENS):
            self.screen = lesson.SCREENS[self.screen_index]
        else:
            self.check_screen = self.check_screen or lesson.check_screen(fresh_seed())
            self.screen = self.check_screen
        kept, texts = self.saved_attempts.get(
            (self.screen.name, self.question_index, self.uses_own_texts), (None, {})
        )
        if anew or kept is None or not kept.tries:
            exercise = self.on_own_texts(self.screen.questions[self.question_index])
            # own texts may be too long by now, and the screen's were answered before
            kept, texts = self.saved_attempts.get(
                (self.screen.name, self.question_index, self.uses_own_texts), (None, {})
            )
            if anew or kept is None or not (kept.tries or kept.exercise == exercise):
                kept, texts = Attempt(exercise), {}
        self.attempt = kept
        before = lesson.opening_html(self.screen, self.screen_index, self.question_index)
        self.render(lesson.screens_html(self.screen_index), before, self.screen.title, focus=focus)
        self.restore(texts)

    def on_own_texts(self, exercise: Exercise) -> Exercise:
        """On the learner's own texts, where these are chosen and are still short enough."""
        if not self.uses_own_texts:
            return exercise
        form = self.form()
        own = lesson.on_own_texts(exercise, form.hypothesis, form.references)
        if not own:
            self.screens_with_own_texts.discard(self.screen.name)
        return own or exercise

    def restore(self, texts: dict[str, str]) -> None:
        """Fill in what was written, with the marks and the words that there were for it."""
        if self.attempt is None:
            return
        number = self.attempt.exercise.number + 1
        fill_blanks(
            {name if name == "sure" else f"{number}.{name}": text for name, text in texts.items()}
        )
        if self.attempt != Attempt(self.attempt.exercise):
            self.show_marks(texts)
            self.show_feedback()

    def save_attempt(self) -> None:
        """Keep what is answered and written on a screen of the lesson, for the session."""
        if self.mode == "lesson" and self.attempt and not self.presented:
            self.saved_attempts[self.screen.name, self.question_index, self.uses_own_texts] = (
                self.attempt,
                self.read_answers(),
            )

    def ask_next(self, *, focus: bool = True) -> None:
        """The next exercise of practice."""
        self.replacement = 0
        self.practice_number += 1
        exercise = practice.next_exercise(self.progress, self.topics, self.seed)
        self.show_practice(Attempt(exercise), focus=focus)

    def show_practice(self, attempt: Attempt, *, focus: bool = True) -> None:
        """One exercise of practice, with the topics and what has been done."""
        self.attempt = attempt
        aside = practice.aside_html(self.progress, self.topics, keep_progress=self.keep_progress)
        self.render(aside, practice.opening_html(attempt.exercise), focus=focus)

    def render(self, aside: str, before: str = "", title: str = "", *, focus: bool) -> None:
        """What stands beside, what is said first, and the exercise."""
        element("learn-aside").innerHTML = aside
        body = before
        if self.attempt:
            options = lesson.bet_html(self.screen, self.attempt.exercise) if title else ""
            body = exercise_html(self.attempt, title, before, options)
        element("learn-body").innerHTML = body
        for label in document.querySelectorAll("#exercise [data-left]"):
            # the page's policy refuses styles in markup
            label.style.left, label.style.top = label.dataset.left, label.dataset.top
        element("learn-said").textContent = ""
        element("learn-after").innerHTML = ""
        self.show_actions()
        self.show_live()
        if focus and not self.presented:
            element("exercise-title").focus()

    def clear(self) -> None:
        """Nothing, for something else to come."""
        for part in ("aside", "body", "actions", "after"):
            element(f"learn-{part}").textContent = ""

    # Answers

    def read_answers(self) -> dict[str, str]:
        """What stands in the blanks, by their names without the exercise's number."""
        return {name.partition(".")[2] or name: text for name, text in read_blanks().items()}

    def on_submit(self, event: Any) -> None:
        """The answers are locked in."""
        event.preventDefault()
        if self.mode == "sheet":
            self.worksheet.mark()
            return
        if self.attempt is None or self.attempt.done:
            return
        answers = self.read_answers()
        before = self.attempt
        self.attempt = submit(before, answers, answers.get("sure", ""))
        self.show_marks(answers)
        self.show_feedback()
        wrong = document.querySelector('#exercise [aria-invalid="true"]')
        if self.presented:
            self.presentation.on_shown(self.current_item())
        if self.attempt.done:
            self.focus_next_button()
        elif wrong and (self.attempt.unreadable or self.attempt.tries > before.tries):
            wrong.focus()
        elif document.activeElement == document.body:  # the button that was pressed is drawn anew
            document.querySelector('#learn-actions [type="submit"]').focus()

    def show_marks(self, answers: dict[str, str]) -> None:
        """Beside each blank, what became of it."""
        if self.attempt:
            number = self.attempt.exercise.number + 1
            found = attempt_marks(self.attempt, answers)
            show_marks({f"{number}.{name}": mark for name, mark in found.items()})

    def on_input(self, event: Any) -> None:
        """A text is being made: what the scorer gives for it."""
        if event.target.closest("#exercise"):
            self.show_live()
            self.save_attempt()

    def on_change(self, event: Any) -> None:
        """Topics were chosen, or whether progress is kept."""
        if event.target.closest("#sheet-form"):
            self.worksheet.on_control_change(event.target.id)
        elif event.target.name == "topic":
            boxes = document.querySelectorAll("#learn-topics :checked")
            self.topics = tuple(str(box.value) for box in boxes)
        elif event.target.id == "learn-keep":
            self.keep_progress = bool(event.target.checked)
            self.save_progress()

    def show_live(self) -> None:
        """Under a text that is being made: its score, and whether it reaches the goal."""
        line = find_element("learn-live")
        if not line or not self.attempt:
            return
        box = document.querySelector('#exercise [name$=".text"]')
        if not box.value and not self.attempt.tries:
            box.value = self.attempt.exercise.hypotheses[0]
        line.textContent = live_score_text(self.attempt, box.value)

    def show_feedback(self) -> None:
        """What to say to the answers, and what can be done next."""
        if self.attempt is None:
            return
        # what is presented with its answer has that in its blanks
        shown = self.presented and self.attempt.gave_up and not self.attempt.tries
        element("learn-said").innerHTML = "" if shown else feedback_html(self.attempt)
        self.show_actions()
        self.save_attempt()
        if not self.attempt.done:
            return
        for box in document.querySelectorAll("#exercise input"):
            if box.type == "text":
                box.readOnly = True
            else:
                box.disabled = True
        after = solution_html(self.attempt)
        if self.mode == "lesson":
            self.misconceptions_seen = tuple(
                dict.fromkeys((*self.misconceptions_seen, *self.attempt.misconceptions_seen))
            )
            if not self.presented:
                self.first_tries.setdefault(
                    (self.screen.name, self.question_index), self.attempt.first_try
                )
            if self.question_index == len(self.screen.questions) - 1:
                after += lesson.closing_html(self.screen, self.attempt.exercise)
        elif not self.presented:
            self.progress = practice.record_attempt(self.progress, self.attempt)
            element("learn-done").textContent = practice.progress_text(self.progress)
            self.save_progress()
        if not self.presented:
            after += f'<p class="on-again">{button("next", "Next", "learn-on-again")}</p>'
        element("learn-after").innerHTML = after

    def focus_next_button(self) -> None:
        """Go to the button that leads on; on a phone it stands below what is to be read first."""
        again = find_element("learn-on-again")
        if self.presented:
            element("next").focus()
        elif again and again.getClientRects().length:
            again.focus(preventScroll=True)
        else:
            element("learn-on").focus()

    def show_actions(self) -> None:
        """The buttons below the exercise."""
        buttons = []
        if self.attempt and not self.attempt.done:
            buttons.append('<button type="submit" form="exercise" class="first">Lock in</button>')
            if self.attempt.exercise.kind not in SINGLE_CHOICE_KINDS:
                if self.attempt.hint_level < 3:
                    buttons.append(button("hint", "A hint"))
                else:
                    buttons.append(button("solution", "Show the answers"))
        elif self.attempt:
            buttons.append(button("next", "Next", "learn-on"))
            if self.mode == "practice":
                buttons.append(button("like", "One like this"))
        if self.mode == "lesson":
            if self.screen_index or self.question_index:
                buttons.append(button("back", "Back"))
            if self.attempt and self.attempt.done:
                check = self.screen.name == "check"
                buttons.append(button("again", "New questions" if check else "Answer again"))
            if self.screen_index > len(lesson.SCREENS):
                buttons.append(button("practice", "Practise", "learn-on"))
            elif self.screen.allows_own_texts and self.attempt and not self.attempt.tries:
                words = (
                    "With the texts of the lesson" if self.uses_own_texts else "With my own texts"
                )
                buttons.append(button("own", words))
        element("learn-actions").innerHTML = "".join(buttons)

    def next(self) -> None:
        """What comes after this."""
        if self.mode == "practice":
            self.ask_next()
            return
        if self.question_index < len(self.screen.questions) - 1:
            self.question_index += 1
        else:
            self.screen_index, self.question_index = self.screen_index + 1, 0
        self.show_screen()

    def go_back(self) -> None:
        """The screen before, or the question before."""
        self.screen_index, self.question_index = lesson.previous_question(
            self.screen_index, self.question_index
        )
        self.show_screen()

    def answer_again(self) -> None:
        """The same question, not answered yet; to check, new questions."""
        if self.screen.name == "check":
            self.check_screen, self.question_index = None, 0
            self.saved_attempts = {
                at: one for at, one in self.saved_attempts.items() if at[0] != "check"
            }
        else:
            self.saved_attempts.pop(
                (self.screen.name, self.question_index, self.uses_own_texts), None
            )
        self.show_screen()

    def hint(self) -> None:
        """One more level of help."""
        if self.attempt:
            self.attempt = add_hint(self.attempt)
            self.show_marks(self.read_answers())
            self.show_feedback()
            (find_element("learn-hint-button") or element("learn-solution-button")).focus()

    def give_up(self) -> None:
        """The answers, and the working."""
        if self.attempt:
            self.attempt = give_up(self.attempt)
            self.show_feedback()
            self.focus_next_button()

    def like_this(self) -> None:
        """Another exercise of the same kind and aim."""
        if self.attempt:
            self.replacement += 1
            self.show_practice(Attempt(one_like_this(self.attempt.exercise, self.replacement)))

    def toggle_own_texts(self) -> None:
        """The learner's own texts in the place of those of the lesson, or these again."""
        form = self.form()
        exercise = self.screen.questions[self.question_index]
        if not self.uses_own_texts and not lesson.on_own_texts(
            exercise, form.hypothesis, form.references
        ):
            element("learn-said").textContent = lesson.own_texts_requirements(exercise)
            return
        self.screens_with_own_texts ^= {self.screen.name}
        self.show_screen()

    # One at a time: the panel is the series that is presented

    @property
    def presented(self) -> bool:
        """Whether something of this view is shown alone."""
        return bool(self.presentation.name) and self.presentation.source is self

    def current_item(self) -> str:
        """The place that is shown now."""
        done = lesson.ANSWER_SUFFIX if self.attempt and self.attempt.done else ""
        match self.mode:
            case "lesson":
                return (
                    f"{self.screen.name}-{self.question_index + 1}{done}"
                    if self.attempt
                    else "rank-1"
                )
            case "practice":
                return f"practice-{self.practice_number}{done}"
            case _:
                return self.worksheet.current_item

    def names(self) -> list[str]:
        """What can be shown alone, in order: each exercise, then with its answer."""
        match self.mode:
            case "lesson":
                return lesson.item_ids()
            case "practice":
                own = f"practice-{self.practice_number}"
                return [own, f"{own}{lesson.ANSWER_SUFFIX}", f"practice-{self.practice_number + 1}"]
            case _:
                return self.worksheet.item_ids()

    def show_alone(self, name: str) -> None:
        """Show one exercise, or its answer."""
        if self.mode == "lesson":
            place, part, answered = lesson.parse_item_id(name)
            again = self.attempt is None or (self.attempt.done and not answered)
            if again or (place, part) != (self.screen_index, self.question_index):
                self.screen_index, self.question_index = place, part
                self.show_screen(focus=False, anew=True)
        elif name == f"practice-{self.practice_number + 1}":
            self.ask_next(focus=False)
        elif self.attempt and not name.endswith(lesson.ANSWER_SUFFIX):
            self.show_practice(Attempt(self.attempt.exercise), focus=False)
        if name.endswith(lesson.ANSWER_SUFFIX) and self.attempt and not self.attempt.done:
            number = self.attempt.exercise.number + 1
            answers = answer_key(self.attempt.exercise)
            fill_blanks({f"{number}.{field}": text for field, text in answers.items()})
            self.attempt = give_up(self.attempt)
            self.show_feedback()

    def show(self, name: str) -> str:
        """Show one thing alone."""
        if self.mode == "sheet":
            self.worksheet.show_alone(name)
        else:
            self.show_alone(name)
        return "learn"

    def title(self, name: str) -> str:
        """Where it stands."""
        answer = ", with the answer" if name.endswith(lesson.ANSWER_SUFFIX) else ""
        match self.mode:
            case "lesson":
                parts = len(self.screen.questions)
                which = f", question {self.question_index + 1}" if parts > 1 else ""
                count = len(lesson.SCREENS) + 1
                return (
                    f"Screen {self.screen_index + 1} of {count}: {self.screen.tab}{which}{answer}"
                )
            case "practice":
                return f"Practice{answer}"
            case _:
                return self.worksheet.title(name) + answer

    def leave(self) -> None:
        """Everything else, too."""
        if self.mode == "sheet":
            self.worksheet.leave()
        element("learn-present").focus()

    def fragment(self) -> tuple[str, str]:
        """The fragment of a link to what is shown alone, and its place; of practice, to that."""
        match self.mode:
            case "sheet":
                return worksheets.to_fragment(self.worksheet.spec), self.current_item()
            case "practice":
                return "view=learn", ""
            case _:
                return "view=learn", self.current_item()

    def on_worksheet_drawn(self) -> None:
        """A worksheet, or what is shown alone of it, has been drawn."""
        if self.presented:
            self.presentation.fit()
        elif self.pending_item:
            asked, self.pending_item = self.pending_item, ""
            step, odd = existing_or_note(asked, "step", self.names())
            if step:
                self.presentation.begin(self, step)
            else:
                element("notice").textContent = missing_parts_notice(odd)

    # Progress

    def save_progress(self) -> None:
        """Keep progress on this device, where that is chosen."""
        if not self.keep_progress:
            remove_stored(STORAGE_KEY, DEVICE)
        elif not store_on_device(STORAGE_KEY, practice.to_json(self.progress)):
            element("learn-said").textContent = "This browser keeps nothing for this page."

    def reset_progress(self) -> None:
        """Forget what has been done."""
        self.progress = practice.PracticeProgress()
        self.save_progress()
        element("learn-done").textContent = practice.progress_text(self.progress)
        element("learn-said").textContent = "Your progress has been wiped."


def button(command: str, words: str, name: str = "") -> str:
    """A button of this view; one with a name of its own is the next thing to do."""
    first = ' class="first"' if name else ""
    own = f' id="{name or f"learn-{command}-button"}"{first}'
    return f'<button type="button"{own} data-command="learn:{command}">{words}</button>'
