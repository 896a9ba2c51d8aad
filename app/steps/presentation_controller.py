"""How the page is looked at: one thing at a time, large, light or dark."""

from collections.abc import Callable
from typing import Any, Protocol

from pyscript import document, window

from app.browser.dom import element, listen, root
from bleu.render.html import step_id

KEY_DIRECTIONS = {"ArrowRight": 1, "PageDown": 1, "ArrowLeft": -1, "PageUp": -1}
ARROW_KEY_USERS = "input, textarea, select, [data-rove] button, .table, .running"
"""What uses the arrow keys itself."""
SPACE_KEY_USERS = "button, a, summary"
"""What Space presses or follows."""
SMALLEST = 0.5
"""How far letters shrink, at most, for all to fit the window."""
NARROW = 700
"""The width of a window, in pixels, below which one scrolls, as letters would be too small."""
COLUMN = 400
"""The least width of a column of an exercise, in pixels."""
BUTTONS = 16
"""The pixels of the letters by which the buttons are measured, whatever the size of the rest."""
COLUMNS = 3
"""In how many columns an exercise is set, at most, for its letters to stay large."""


class SlideSource(Protocol):
    """What is shown one after the other."""

    def names(self) -> list[str]:
        """What there is, in order."""

    def show(self, name: str) -> str:
        """Show one of it alone; the value of `data-walk` then."""

    def title(self, name: str) -> str:
        """Where it stands, and what it is called."""

    def leave(self) -> None:
        """Show all again."""


class StepSlides:
    """The steps of the derivation, one after the other; `on_step_shown` is given each."""

    def __init__(
        self, names: Callable[[], list[str]], on_step_shown: Callable[[str], None]
    ) -> None:
        self.names = names
        self.on_step_shown = on_step_shown

    def show(self, name: str) -> str:
        """The style sheet shows the step that `data-walk` names."""
        self.on_step_shown(name)
        return name

    def title(self, name: str) -> str:
        """The number and the title of a step."""
        names = self.names()
        title = document.querySelector(f"#{step_id(name)} h3").textContent
        return f"Step {names.index(name) + 1} of {len(names)}: {title}"

    def leave(self) -> None:
        """All are in the page."""


class Presentation:
    """What is shown alone, if anything is."""

    def __init__(self, steps: SlideSource) -> None:
        self.steps = self.source = steps
        self.name = ""
        self.commands: dict[str, Callable[[str], object]] = {
            "walk": lambda _: self.begin(self.steps),
            "leave": lambda _: self.leave(),
            "previous": lambda _: self.move(-1),
            "next": lambda _: self.move(1),
            "large": lambda _: self.toggle_large(),
            "theme": lambda _: toggle_pressed(element("theme"), "theme", "dark", "light"),
        }

    def begin(self, series: SlideSource, name: str = "") -> None:
        """Show one thing of a series alone: the first, unless another is named."""
        if names := series.names():
            self.source = series
            self.go(name or names[0])
            element("next").focus()  # Space goes on, too

    def leave(self) -> None:
        """Show all again."""
        if not self.name:
            return
        self.name = ""
        element("presenter").hidden = True
        root.removeAttribute("data-walk")
        self.fit()
        self.source.leave()

    def move(self, step: int) -> None:
        """Go to what is before or after, as far as there is something."""
        names = self.source.names()
        place = min(max(names.index(self.name) + step, 0), len(names) - 1)
        if names[place] != self.name:
            self.go(names[place])

    def refresh(self) -> None:
        """Stay where the steps have changed; a step that is gone gives way to the first."""
        if self.name and self.source is self.steps:
            names = self.steps.names()
            if names:
                self.go(self.name if self.name in names else names[0], scroll=False)
            else:
                self.leave()

    def go(self, name: str, *, scroll: bool = True) -> None:
        """Show one alone."""
        self.name = name
        root.dataset.walk = self.source.show(name)
        self.on_shown(name)
        if scroll:
            window.scrollTo(0, 0)

    def on_shown(self, name: str) -> None:
        """Say what is shown."""
        self.name = name
        names = self.source.names()
        element("presenter").hidden = False
        element("previous").disabled = name == names[0]
        element("next").disabled = name == names[-1]
        said = self.source.title(name)
        if element("where").textContent != said:
            element("where").textContent = said
        self.fit()

    def toggle_large(self) -> None:
        """Large letters, or these no longer."""
        toggle_pressed(element("large"), "large", "yes", "no")
        self.fit()

    def fit(self) -> None:
        """Set what is shown alone so that it fits the window in the largest letters.

        An exercise stands in several columns where it would be small in one.
        """
        several = self.name and self.source is not self.steps
        most = max(1, min(COLUMNS, window.innerWidth // COLUMN)) if several else 1
        sizes: dict[int, float] = {}
        for columns in range(1, most + 1):
            sizes[columns], whole = self.shrink(columns)
            if sizes[columns] == whole:
                return
        self.shrink(max(sizes, key=lambda columns: (sizes[columns], -columns)))

    def shrink(self, columns: int) -> tuple[float, float]:
        """Make letters smaller until all fits in so many columns; their size, and the whole one."""
        root.style.removeProperty("font-size")
        root.dataset.columns = str(columns)
        whole = float(window.getComputedStyle(root).fontSize.removesuffix("px"))
        size = whole
        root.style.setProperty("--steady", f"{BUTTONS / size}")
        smallest = whole * (1 if window.innerWidth < NARROW else SMALLEST)
        while self.name and size > smallest and overflows(columns):
            size -= max(0.5, whole / 40)
            root.style.fontSize = f"{size}px"
            root.style.setProperty("--steady", f"{BUTTONS / size}")
        return size, whole


def overflows(columns: int) -> bool:
    """Whether something of what is shown alone is out of sight, or beside its column."""
    if root.scrollHeight > window.innerHeight:
        return True
    tables = document.querySelectorAll("#learn .table") if columns > 1 else ()
    return any(one.scrollWidth > one.clientWidth for one in tables)


def connect_presentation(
    steps: Callable[[], list[str]], on_step_shown: Callable[[str], None]
) -> Presentation:
    """Listen for the keys; `on_step_shown` is given the step that is shown alone."""
    walk = Presentation(StepSlides(steps, on_step_shown))

    def typed(event: Any) -> None:
        if not walk.name or event.target.closest(ARROW_KEY_USERS):
            return
        if event.key in KEY_DIRECTIONS:
            event.preventDefault()
            walk.move(KEY_DIRECTIONS[event.key])
        elif event.key == " " and not event.target.closest(SPACE_KEY_USERS):
            event.preventDefault()
            walk.move(1)
        elif event.key == "Escape":
            walk.leave()

    listen("keydown", document, typed)
    listen("resize", window, lambda _: walk.fit())
    if window.matchMedia("(prefers-color-scheme: dark)").matches:
        element("theme").setAttribute("aria-pressed", "true")
    return walk


def toggle_pressed(button: Any, name: str, on: str, off: str) -> None:
    """Turn a view of the page on or off, and say so on its button."""
    pressed = button.getAttribute("aria-pressed") == "true"
    button.setAttribute("aria-pressed", "false" if pressed else "true")
    root.setAttribute(f"data-{name}", off if pressed else on)
