"""The adapter of the view Learn: reads blanks and choices, and writes what the pure modules say."""

from collections.abc import Callable
from typing import Any

from pyscript import document, window

from app.browser.blanks import fill, show_marks, written
from app.browser.dom import (
    DEVICE,
    element,
    forget_stored,
    go_to,
    keep_on_device,
    listen,
    root,
    stored,
)
from app.browser.presentation import StepThrough
from app.browser.sheet_panel import SheetPanel
from app.page import lesson, practice, worksheets
from app.page.form import Inputs
from app.page.learn import (
    CHOSEN,
    Attempt,
    exercise_html,
    feedback,
    given_up,
    live,
    lock_in,
    marks,
    solution_html,
    with_hint,
)
from app.page.look import known, not_there
from app.page.permalink import without_view
from bleu.learn.exercise import Exercise
from bleu.learn.exercises import one_like_this
from bleu.learn.grading import key

KEPT = "bleu-learn"
"""The name under which progress is kept on the device, where that is chosen."""


def fresh_seed() -> str:
    """A seed that is new at each call: the clock of the browser."""
    return f"{int(window.Date.now()):x}"


class LearnPanel:
    """What is asked now, and what has been answered."""

    def __init__(
        self, form: Callable[[], Inputs], copy: Callable[[str, str], object], walk: StepThrough
    ) -> None:
        self.form = form
        self.walk = walk
        self.sheet = SheetPanel(copy, self.refresh)
        self.way = self.link = ""
        self.asked = ""
        """The item of a worksheet that a link asks to show alone, as soon as there is one."""
        self.place = self.part = 0
        self.screen = lesson.SCREENS[0]
        self.seen: tuple[str, ...] = ()
        self.at_once: dict[tuple[str, int], bool] = {}
        """Of each question of the lesson that was answered: whether it was right at once."""
        self.kept: dict[tuple[str, int, bool], tuple[Attempt, dict[str, str]]] = {}
        """Of each question of the lesson, with own texts or not: what was answered and written."""
        self.check: lesson.Screen | None = None
        self.with_own: set[str] = set()
        """The screens that have the learner's own texts."""
        self.seed = fresh_seed()
        self.topics: tuple[str, ...] = ()
        self.again = self.number = 0
        kept = stored(KEPT, DEVICE)
        self.keeps = bool(kept)
        self.progress = practice.from_json(kept)
        self.attempt: Attempt | None = None
        self.commands: dict[str, Callable[[str], object]] = {
            "lesson": lambda _: self.go("lesson"),
            "practice": lambda _: self.go("practice"),
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
            "own": lambda _: self.take_own(),
            "wipe": lambda _: self.wipe(),
            **self.sheet.commands,
        }
        listen("submit", "#learn", self.on_submit)
        listen("input", "#learn", self.on_input)
        listen("change", "#learn", self.on_change)

    def opened(self) -> None:
        """The view is in sight: with a link's worksheet, else the lesson, or as it was left."""
        if not self.way and not self.follow(window.location.hash):
            self.go("lesson", focus=False)

    def follow(self, fragment: str) -> bool:
        """Show the worksheet that a link asks for, if it asks for one."""
        asked = worksheets.from_fragment(fragment)
        link = without_view(fragment)
        if not asked or link == self.link:
            return False
        self.link = link
        self.sheet.wanted, said = asked
        self.sheet.teaching = self.sheet.solved = False
        element("learn-given").hidden = False
        self.go("sheet", focus=False, said=said)
        return True

    def show_sheet(self, *, teaching: bool) -> None:
        """A worksheet: with all that can be chosen for it, or as a link gives it."""
        self.sheet.teaching = teaching
        self.sheet.solved = self.sheet.solved and teaching
        self.go("sheet")

    def do(self, command: str) -> None:
        """What a button asks for, also one in another view."""
        if element("learn").hidden:
            go_to("learn")
        name, _, argument = command.partition(" ")
        self.commands[name](argument)

    def present(self) -> None:
        """Show one thing at a time; of a worksheet that is still sought, once it is there."""
        if self.way == "sheet" and self.sheet.job:
            self.asked = self.sheet.here
        else:
            self.walk.begin(self, self.here())

    # Ways

    def go(self, way: str, *, focus: bool = True, said: str = "") -> None:
        """The lesson, practice, or a worksheet."""
        if self.presented:
            self.walk.leave()
        if self.way == "sheet":
            self.sheet.put_away()
        if way != "sheet":
            self.asked = ""
        self.way = root.dataset.way = way
        chosen = "given" if way == "sheet" and not self.sheet.teaching else way
        for name in ("lesson", "practice", "given", "sheet"):
            element(f"learn-{name}").setAttribute("aria-pressed", str(name == chosen).lower())
        match way:
            case "lesson":
                self.show_screen(focus=focus)
            case "practice":
                self.ask(focus=focus)
            case _:
                self.attempt = None
                self.empty()
                self.sheet.show(said, focus=focus)

    def go_to_screen(self, name: str) -> None:
        """One screen of the lesson."""
        self.place, self.part = lesson.NAMES.get(name, len(lesson.SCREENS)), 0
        self.go("lesson")

    @property
    def own(self) -> bool:
        """Whether the screen has the learner's own texts."""
        return self.screen.name in self.with_own

    def show_screen(self, *, focus: bool = True, anew: bool = False) -> None:
        """The screen of the lesson that it is at, as it was answered, unless it is shown anew."""
        if self.place > len(lesson.SCREENS):
            self.attempt = None
            aside = lesson.screens_html(self.place)
            self.put(aside, lesson.end_html(self.seen, tuple(self.at_once.values())), focus=focus)
            return
        if self.place < len(lesson.SCREENS):
            self.screen = lesson.SCREENS[self.place]
        else:
            self.check = self.check or lesson.check_screen(fresh_seed())
            self.screen = self.check
        kept, texts = self.kept.get((self.screen.name, self.part, self.own), (None, {}))
        if anew or kept is None or not kept.tries:
            exercise = self.with_texts(self.screen.parts[self.part])
            # own texts may be too long by now, and the screen's were answered before
            kept, texts = self.kept.get((self.screen.name, self.part, self.own), (None, {}))
            if anew or kept is None or not (kept.tries or kept.exercise == exercise):
                kept, texts = Attempt(exercise), {}
        self.attempt = kept
        before = lesson.opening_html(self.screen, self.place, self.part)
        self.put(lesson.screens_html(self.place), before, self.screen.title, focus=focus)
        self.restore(texts)

    def with_texts(self, exercise: Exercise) -> Exercise:
        """On the learner's own texts, where these are chosen and are still short enough."""
        if not self.own:
            return exercise
        form = self.form()
        own = lesson.with_own(exercise, form.hypothesis, form.references)
        if not own:
            self.with_own.discard(self.screen.name)
        return own or exercise

    def restore(self, texts: dict[str, str]) -> None:
        """Fill in what was written, with the marks and the words that there were for it."""
        if self.attempt is None:
            return
        number = self.attempt.exercise.number + 1
        fill({name if name == "sure" else f"{number}.{name}": text for name, text in texts.items()})
        if self.attempt != Attempt(self.attempt.exercise):
            self.mark(texts)
            self.tell()

    def remember(self) -> None:
        """Keep what is answered and written on a screen of the lesson, for the session."""
        if self.way == "lesson" and self.attempt and not self.presented:
            self.kept[self.screen.name, self.part, self.own] = self.attempt, self.written()

    def ask(self, *, focus: bool = True) -> None:
        """The next exercise of practice."""
        self.again = 0
        self.number += 1
        exercise = practice.next_exercise(self.progress, self.topics, self.seed)
        self.practise(Attempt(exercise), focus=focus)

    def practise(self, attempt: Attempt, *, focus: bool = True) -> None:
        """One exercise of practice, with the topics and what has been done."""
        self.attempt = attempt
        aside = practice.aside_html(self.progress, self.topics, keeps=self.keeps)
        self.put(aside, practice.opening_html(attempt.exercise), focus=focus)

    def put(self, aside: str, before: str = "", title: str = "", *, focus: bool) -> None:
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

    def empty(self) -> None:
        """Nothing, for something else to come."""
        for part in ("aside", "body", "actions", "after"):
            element(f"learn-{part}").textContent = ""

    # Answers

    def written(self) -> dict[str, str]:
        """What stands in the blanks, by their names without the exercise's number."""
        return {name.partition(".")[2] or name: text for name, text in written().items()}

    def on_submit(self, event: Any) -> None:
        """The answers are locked in."""
        event.preventDefault()
        if self.way == "sheet":
            self.sheet.mark()
            return
        if self.attempt is None or self.attempt.done:
            return
        answers = self.written()
        before = self.attempt
        self.attempt = lock_in(before, answers, answers.get("sure", ""))
        self.mark(answers)
        self.tell()
        wrong = document.querySelector('#exercise [aria-invalid="true"]')
        if self.presented:
            self.walk.arrived(self.here())
        if self.attempt.done:
            self.focus_on()
        elif wrong and (self.attempt.unread or self.attempt.tries > before.tries):
            wrong.focus()
        elif document.activeElement == document.body:  # the button that was pressed is drawn anew
            document.querySelector('#learn-actions [type="submit"]').focus()

    def mark(self, answers: dict[str, str]) -> None:
        """Beside each blank, what became of it."""
        if self.attempt:
            number = self.attempt.exercise.number + 1
            found = marks(self.attempt, answers)
            show_marks({f"{number}.{name}": mark for name, mark in found.items()})

    def on_input(self, event: Any) -> None:
        """A text is being made: what the scorer gives for it."""
        if event.target.closest("#exercise"):
            self.show_live()
            self.remember()

    def on_change(self, event: Any) -> None:
        """Topics were chosen, or whether progress is kept."""
        if event.target.closest("#sheet-form"):
            self.sheet.changed(event.target.id)
        elif event.target.name == "topic":
            boxes = document.querySelectorAll("#learn-topics :checked")
            self.topics = tuple(str(box.value) for box in boxes)
        elif event.target.id == "learn-keep":
            self.keeps = bool(event.target.checked)
            self.keep()

    def show_live(self) -> None:
        """Under a text that is being made: its score, and whether it reaches the goal."""
        line = element("learn-live")
        if not line or not self.attempt:
            return
        box = document.querySelector('#exercise [name$=".text"]')
        if not box.value and not self.attempt.tries:
            box.value = self.attempt.exercise.hypotheses[0]
        line.textContent = live(self.attempt, box.value)

    def tell(self) -> None:
        """What to say to the answers, and what can be done next."""
        if self.attempt is None:
            return
        # what is presented with its answer has that in its blanks
        shown = self.presented and self.attempt.given_up and not self.attempt.tries
        element("learn-said").innerHTML = "" if shown else feedback(self.attempt)
        self.show_actions()
        self.remember()
        if not self.attempt.done:
            return
        for box in document.querySelectorAll("#exercise input"):
            if box.type == "text":
                box.readOnly = True
            else:
                box.disabled = True
        after = solution_html(self.attempt)
        if self.way == "lesson":
            self.seen = tuple(dict.fromkeys((*self.seen, *self.attempt.seen)))
            if not self.presented:
                self.at_once.setdefault((self.screen.name, self.part), self.attempt.at_once)
            if self.part == len(self.screen.parts) - 1:
                after += lesson.closing_html(self.screen, self.attempt.exercise)
        elif not self.presented:
            self.progress = practice.recorded(self.progress, self.attempt)
            element("learn-done").textContent = practice.progress_text(self.progress)
            self.keep()
        if not self.presented:
            after += f'<p class="on-again">{button("next", "Next", "learn-on-again")}</p>'
        element("learn-after").innerHTML = after

    def focus_on(self) -> None:
        """Go to the button that leads on; on a phone it stands below what is to be read first."""
        again = element("learn-on-again")
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
            if self.attempt.exercise.kind not in CHOSEN:
                if self.attempt.level < 3:
                    buttons.append(button("hint", "A hint"))
                else:
                    buttons.append(button("solution", "Show the answers"))
        elif self.attempt:
            buttons.append(button("next", "Next", "learn-on"))
            if self.way == "practice":
                buttons.append(button("like", "One like this"))
        if self.way == "lesson":
            if self.place or self.part:
                buttons.append(button("back", "Back"))
            if self.attempt and self.attempt.done:
                check = self.screen.name == "check"
                buttons.append(button("again", "New questions" if check else "Answer again"))
            if self.place > len(lesson.SCREENS):
                buttons.append(button("practice", "Practise", "learn-on"))
            elif self.screen.own and self.attempt and not self.attempt.tries:
                words = "With the texts of the lesson" if self.own else "With my own texts"
                buttons.append(button("own", words))
        element("learn-actions").innerHTML = "".join(buttons)

    def next(self) -> None:
        """What comes after this."""
        if self.way == "practice":
            self.ask()
            return
        if self.part < len(self.screen.parts) - 1:
            self.part += 1
        else:
            self.place, self.part = self.place + 1, 0
        self.show_screen()

    def go_back(self) -> None:
        """The screen before, or the question before."""
        self.place, self.part = lesson.before(self.place, self.part)
        self.show_screen()

    def answer_again(self) -> None:
        """The same question, not answered yet; to check, new questions."""
        if self.screen.name == "check":
            self.check, self.part = None, 0
            self.kept = {at: one for at, one in self.kept.items() if at[0] != "check"}
        else:
            self.kept.pop((self.screen.name, self.part, self.own), None)
        self.show_screen()

    def hint(self) -> None:
        """One more level of help."""
        if self.attempt:
            self.attempt = with_hint(self.attempt)
            self.mark(self.written())
            self.tell()
            (element("learn-hint-button") or element("learn-solution-button")).focus()

    def give_up(self) -> None:
        """The answers, and the working."""
        if self.attempt:
            self.attempt = given_up(self.attempt)
            self.tell()
            self.focus_on()

    def like_this(self) -> None:
        """Another exercise of the same kind and aim."""
        if self.attempt:
            self.again += 1
            self.practise(Attempt(one_like_this(self.attempt.exercise, self.again)))

    def take_own(self) -> None:
        """The learner's own texts in the place of those of the lesson, or these again."""
        form = self.form()
        exercise = self.screen.parts[self.part]
        if not self.own and not lesson.with_own(exercise, form.hypothesis, form.references):
            element("learn-said").textContent = lesson.own_texts_wanted(exercise)
            return
        self.with_own ^= {self.screen.name}
        self.show_screen()

    # One at a time: the panel is the series that is presented

    @property
    def presented(self) -> bool:
        """Whether something of this view is shown alone."""
        return bool(self.walk.name) and self.walk.series is self

    def here(self) -> str:
        """The place that is shown now."""
        done = lesson.ANSWER if self.attempt and self.attempt.done else ""
        match self.way:
            case "lesson":
                return f"{self.screen.name}-{self.part + 1}{done}" if self.attempt else "rank-1"
            case "practice":
                return f"practice-{self.number}{done}"
            case _:
                return self.sheet.here

    def names(self) -> list[str]:
        """What can be shown alone, in order: each exercise, then with its answer."""
        match self.way:
            case "lesson":
                return lesson.places()
            case "practice":
                own = f"practice-{self.number}"
                return [own, f"{own}{lesson.ANSWER}", f"practice-{self.number + 1}"]
            case _:
                return self.sheet.names()

    def show_alone(self, name: str) -> None:
        """Show one exercise, or its answer."""
        if self.way == "lesson":
            place, part, answered = lesson.place_of(name)
            again = self.attempt is None or (self.attempt.done and not answered)
            if again or (place, part) != (self.place, self.part):
                self.place, self.part = place, part
                self.show_screen(focus=False, anew=True)
        elif name == f"practice-{self.number + 1}":
            self.ask(focus=False)
        elif self.attempt and not name.endswith(lesson.ANSWER):
            self.practise(Attempt(self.attempt.exercise), focus=False)
        if name.endswith(lesson.ANSWER) and self.attempt and not self.attempt.done:
            number = self.attempt.exercise.number + 1
            answers = key(self.attempt.exercise)
            fill({f"{number}.{field}": text for field, text in answers.items()})
            self.attempt = given_up(self.attempt)
            self.tell()

    def show(self, name: str) -> str:
        """Show one thing alone."""
        if self.way == "sheet":
            self.sheet.show_alone(name)
        else:
            self.show_alone(name)
        return "learn"

    def title(self, name: str) -> str:
        """Where it stands."""
        answer = ", with the answer" if name.endswith(lesson.ANSWER) else ""
        match self.way:
            case "lesson":
                parts = len(self.screen.parts)
                which = f", question {self.part + 1}" if parts > 1 else ""
                count = len(lesson.SCREENS) + 1
                return f"Screen {self.place + 1} of {count}: {self.screen.tab}{which}{answer}"
            case "practice":
                return f"Practice{answer}"
            case _:
                return self.sheet.title(name) + answer

    def leave(self) -> None:
        """Everything else, too."""
        if self.way == "sheet":
            self.sheet.leave()
        element("learn-present").focus()

    def fragment(self) -> tuple[str, str]:
        """The fragment of a link to what is shown alone, and its place; of practice, to that."""
        match self.way:
            case "sheet":
                return worksheets.to_fragment(self.sheet.wanted), self.here()
            case "practice":
                return "view=learn", ""
            case _:
                return "view=learn", self.here()

    def refresh(self) -> None:
        """A worksheet, or what is shown alone of it, has been drawn."""
        if self.presented:
            self.walk.fit()
        elif self.asked:
            asked, self.asked = self.asked, ""
            step, odd = known(asked, "step", self.names())
            if step:
                self.walk.begin(self, step)
            else:
                element("notice").textContent = not_there(odd)

    # Progress

    def keep(self) -> None:
        """Keep progress on this device, where that is chosen."""
        if not self.keeps:
            forget_stored(KEPT, DEVICE)
        elif not keep_on_device(KEPT, practice.to_json(self.progress)):
            element("learn-said").textContent = "This browser keeps nothing for this page."

    def wipe(self) -> None:
        """Forget what has been done."""
        self.progress = practice.Progress()
        self.keep()
        element("learn-done").textContent = practice.progress_text(self.progress)
        element("learn-said").textContent = "Your progress has been wiped."


def button(command: str, words: str, name: str = "") -> str:
    """A button of this view; one with a name of its own is the next thing to do."""
    first = ' class="first"' if name else ""
    own = f' id="{name or f"learn-{command}-button"}"{first}'
    return f'<button type="button"{own} data-command="learn:{command}">{words}</button>'
