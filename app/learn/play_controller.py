"""The controller of the parts of a score to play with."""

from collections.abc import Sequence

from app.browser.commands import command
from app.browser.dom import element, show_prose
from app.learn import play
from app.state.form import error_location


class PlayController:
    """The parts of a score as bars that move the score."""

    current_item = "play"
    presented = False

    def __init__(self) -> None:
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
        for part in ("aside", "said", "actions", "after"):
            element(f"learn-{part}").textContent = ""
        element("learn-body").innerHTML = play.play_html(self.parts)
        self.update()
        if focus:
            element("exercise-title").focus()

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

    @command("printed")
    def submit(self, _: str = "") -> None:
        """Say whether the parts of the printed line give its score, and show them as bars."""
        text = str(element("printed-line").value)
        try:
            printed = play.parse_printed(text)
        except ValueError as error:
            show_prose(element("printed-result"), error_location(error)[1])
            return
        self.parts = [f"{float(part.value):.4g}" for part in printed.parts]
        self.show(focus=False)
        element("printed").open = True
        element("printed-line").value = text
        element("printed-result").textContent = play.check_printed(printed)

    # The other modes can be presented, and have something to lose.

    def suspend(self) -> None:
        """Keep the parts."""

    def item_ids(self) -> list[str]:
        """Return no items."""
        return []

    def show_item(self, _: str) -> None:
        """Show nothing else."""

    def leave_items(self) -> None:
        """Show nothing else."""

    def item_title(self, _: str) -> str:
        """Return the title."""
        return "Play with the mean"

    def fragment_and_item(self) -> tuple[str, str]:
        """Return the fragment of a link to the view."""
        return "view=learn", ""
