"""The controller of the puzzle of the hidden sentence."""

from collections.abc import Callable

from pyscript import window

from app.browser.dom import element, find_element
from app.browser.page import announce, command
from app.learn import puzzle
from app.learn.exercise_controller import ExerciseController, fresh_seed


def today() -> str:
    """Return the date where the page is read, such as 2026-11-29."""
    return str(window.Intl.DateTimeFormat.new("sv-SE").format(window.Date.new()))


class PuzzleController(ExerciseController):
    """The puzzle: the guesses so far, and the one that is being written."""

    current_item = "puzzle"

    def __init__(
        self, on_item_shown: Callable[[str], object], copy: Callable[[str, str], None]
    ) -> None:
        super().__init__(on_item_shown)
        self.copy = copy
        self.puzzle = puzzle.new_puzzle(today())

    def open(self, seed: str) -> None:
        """Begin the puzzle of a seed, unless it is the current one."""
        if seed != self.puzzle.seed:
            self.puzzle = puzzle.new_puzzle(seed)

    def show(self, *, focus: bool = True, current: str = "", error: str = "") -> None:
        """Show the puzzle, with the guess that is being written."""
        element("learn-aside").textContent = ""
        body = puzzle.puzzle_html(self.puzzle, current, error)
        self.render(body + element("puzzle-own-template").innerHTML, focus=focus)

    def on_input(self) -> None:
        """Remove an error as soon as the guess changes."""
        if error := find_element("puzzle-error"):
            error.textContent = ""

    def submit(self) -> None:
        """Take over a guess, or say why it is none."""
        if self.puzzle.is_over:
            return
        text = str(element("puzzle-guess").value)
        try:
            self.puzzle = puzzle.add_guess(self.puzzle, text)
        except ValueError as error:
            self.show(focus=False, current=text, error=f"{str(error)[:1].upper()}{str(error)[1:]}.")
        else:
            self.show(focus=False)
            announce(puzzle.guess_text(self.puzzle, self.puzzle.guesses[-1]))
        (find_element("puzzle-guess") or element("exercise-title")).focus()

    def write(self, text: str) -> None:
        """Write a guess into the box."""
        element("puzzle-guess").value = text
        self.on_input()

    @command("word")
    def add_word(self, word: str) -> None:
        """Add a word to the guess."""
        self.write(f"{element('puzzle-guess').value} {word}".strip())

    @command("unword")
    def remove_word(self, _: str) -> None:
        """Remove the last word of the guess."""
        self.write(" ".join(str(element("puzzle-guess").value).split()[:-1]))

    @command("puzzle-copy")
    def copy_result(self, _: str) -> None:
        """Copy the result, to send it to a friend."""
        address = str(window.location.href).partition("#")[0]
        self.copy("The result is copied.", puzzle.result_text(self.puzzle, address))

    @command("puzzle-link")
    def copy_link(self, _: str) -> None:
        """Copy the link to a puzzle with the sentence in the box, or say why there is none."""
        try:
            seed = puzzle.seed_of_sentence(str(element("puzzle-own").value))
        except ValueError as error:
            announce(f"{str(error)[:1].upper()}{str(error)[1:]}.")
            element("puzzle-own").focus()
            return
        address = str(window.location.href).partition("#")[0]
        self.copy("The link is copied.", puzzle.puzzle_link(address, seed))

    @command("puzzle-new")
    def begin_another(self, _: str) -> None:
        """Begin a puzzle of a new seed."""
        self.open(fresh_seed()[-5:])
        self.show()

    def item_title(self, _: str) -> str:
        """Return the title."""
        return "Find the sentence"
