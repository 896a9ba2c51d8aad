"""The presentation: one step or exercise at a time, in large letters, light or dark."""

from bisect import bisect_left
from math import inf
from typing import Any, Protocol

from pyscript import document, window

from app.browser.dom import element, listen, root, set_disabled
from app.browser.page import command

KEY_DIRECTIONS = {"ArrowRight": 1, "PageDown": 1, "ArrowLeft": -1, "PageUp": -1}
END_KEYS = {"Home": 0, "End": -1}
ARROW_KEY_USERS = "input, textarea, select, [data-rove] button, .table, .running"
"""The elements that handle arrow keys themselves."""
SPACE_KEY_USERS = "button, a, summary"
"""The elements that handle Space themselves."""
TEXT_FIELDS = 'input[type="text"], textarea, label'
"""The elements that keep the focus when they are clicked; a click on a label clicks its field."""
MIN_FONT_SIZE = 19.5
"""The smallest root font size of an exercise in pixels, which makes its smallest text 17 pixels."""
NARROW_WIDTH = 700
"""The width of a window in pixels below which slides scroll, because letters would be too small."""
MIN_COLUMN_WIDTH = 400
"""The smallest width of a column of an exercise, in pixels."""
MAX_COLUMNS = 3
"""The largest number of columns of an exercise."""
SCROLL_SHARE = 0.8
"""The share of the window by which Next scrolls a slide whose end is hidden."""
MIN_SCROLL = 12
"""The hidden height of a slide, in pixels, above which Next scrolls down before it turns."""
BUTTON_FONT_SIZE = 18
"""The font size of the buttons in pixels, whatever the scale of the slide."""
MIN_ZOOM = 0.7
"""The smallest size of a column's letters, relative to that of the window."""
MAX_ZOOM = 2.1
"""The largest size of a column's letters."""
ZOOM_STEPS = 40
"""The number of sizes between the smallest and the largest."""
STEP = "#derivation [data-step]:not([data-off-slide])"
WIDE_PARTS = f":is({STEP}, #station) :is(.equation, .table)"
"""The parts that must not be wider than their column."""


class SlideSource(Protocol):
    """The slides of a presentation, each with an anchor."""

    def anchors(self) -> list[str]:
        """Return the anchors of all slides, in order."""

    def show(self, anchor: str) -> str:
        """Show only one slide; return the value of `data-walk`, which selects its style."""

    def title(self, anchor: str) -> str:
        """Return the position and title of a slide."""

    def leave(self) -> None:
        """Show all of the page again."""


class Presentation:
    """The presentation of slides; `anchor` names the current slide, or is "" if none is shown.

    It listens for keys and for changes of the window's size.
    """

    def __init__(self, steps: SlideSource) -> None:
        self.steps = self.source = steps
        self.anchor = self.shown_title = ""
        self.was_large = False
        listen("keydown", document, self.on_key)
        listen("click", document, self.on_click)
        listen("resize", window, lambda _: self.fit())
        if window.matchMedia("(prefers-color-scheme: dark)").matches:
            element("theme").setAttribute("aria-pressed", "true")

    def on_key(self, event: Any) -> None:
        """Go to another slide at arrow and page keys, Home, End and Space; leave at Escape."""
        if self.anchor and event.key == "Escape":
            self.leave()
        if not self.anchor or event.target.closest(ARROW_KEY_USERS):
            return
        if event.key in KEY_DIRECTIONS:
            event.preventDefault()
            self.move(KEY_DIRECTIONS[event.key])
        elif event.key in END_KEYS:
            event.preventDefault()
            self.go(self.source.anchors()[END_KEYS[event.key]])
        elif event.key == " " and not event.target.closest(SPACE_KEY_USERS):
            event.preventDefault()
            self.move(1)

    def on_click(self, event: Any) -> None:
        """Move the focus from a clicked element to the presentation, so that its keys work."""
        if self.anchor and event.detail and not event.target.closest(TEXT_FIELDS):
            element("presenter").focus()

    def begin(self, source: SlideSource, anchor: str = "") -> None:
        """Present slides in large letters, starting with the named slide or else the first."""
        if anchors := source.anchors():
            if source is not self.source:
                self.leave()
            self.source = source
            if not self.anchor:
                self.was_large = is_large()
                is_exercise = source is not self.steps and window.innerWidth >= NARROW_WIDTH
                if is_exercise and not self.was_large:
                    self.toggle_large()
            self.go(anchor or anchors[0])
            if not root.hasAttribute("data-framed"):  # It would scroll the page around the frame.
                element("presenter").focus()

    @command("leave")
    def leave(self, _: str = "") -> None:
        """End the presentation."""
        if not self.anchor:
            return
        self.anchor = self.shown_title = ""
        root.removeAttribute("data-walk")
        element("presenter").hidden = True
        if is_large() != self.was_large:
            self.toggle_large()
        self.fit()
        self.source.leave()

    def move(self, offset: int) -> None:
        """Go forward or back by a number of slides; before going forward, scroll to the end."""
        for box in (root, element("why"), element("calculator")):
            hidden_pixels = box.scrollHeight - box.clientHeight - box.scrollTop
            if offset > 0 and hidden_pixels > MIN_SCROLL:
                top = box.scrollTop
                box.scrollBy(0, SCROLL_SHARE * box.clientHeight)
                if box.scrollTop != top:  # A box without a scroll bar stays where it is.
                    return
        anchors = self.source.anchors()
        index = min(max(anchors.index(self.anchor) + offset, 0), len(anchors) - 1)
        if anchors[index] != self.anchor:
            self.go(anchors[index])

    def refresh(self) -> None:
        """Show the current step again after a change, or the first if the current one is gone."""
        if self.anchor and self.source is self.steps:
            anchors = self.steps.anchors()
            if anchors:
                self.go(self.anchor if self.anchor in anchors else anchors[0], scroll=False)
            else:
                self.leave()

    def go(self, anchor: str, *, scroll: bool = True) -> None:
        """Show a slide."""
        self.anchor = anchor
        root.dataset.walk = self.source.show(anchor)
        self.on_shown(anchor)
        if scroll:
            window.scrollTo(0, 0)

    def on_shown(self, anchor: str) -> None:
        """Update the title, the buttons and the size after a slide has been shown."""
        self.anchor = anchor
        anchors = self.source.anchors()
        element("presenter").hidden = False
        at_start, at_end = anchor == anchors[0], anchor == anchors[-1]
        buttons = [(at_start, "previous", "next"), (at_end, "next", "previous")]
        for is_end, name, other in sorted(buttons):  # The other is enabled before it is focused.
            set_disabled(element(name), is_end, element(other))
        title = self.source.title(anchor)
        if self.shown_title != title:
            self.shown_title = title
            element("where").textContent = title
        self.fit()

    @command("turn")
    def turn(self, offset: str) -> None:
        """Go to the next or the previous slide."""
        self.move(int(offset))

    @command("large")
    def toggle_large(self, _: str = "") -> None:
        """Turn large letters on or off."""
        toggle_pressed(element("large"), "large", "yes", "no")
        self.fit()

    @command("theme")
    def toggle_theme(self, _: str) -> None:
        """Turn dark colours on or off."""
        toggle_pressed(element("theme"), "theme", "dark", "light")

    def fit(self) -> None:
        """Fit a slide to the window in the largest letters, an exercise if need be in columns."""
        if self.anchor and self.source is self.steps:
            self.shrink(1)
            fit_columns()
            return
        columns_in_window = window.innerWidth // MIN_COLUMN_WIDTH
        max_columns = max(1, min(MAX_COLUMNS, columns_in_window)) if self.anchor else 1
        fits: dict[int, tuple[float, float]] = {}
        for columns in range(1, max_columns + 1):
            size, full_size = self.shrink(columns)
            if size == full_size:
                return
            fits[columns] = size, -hidden_height(columns)
        self.shrink(max(fits, key=fits.__getitem__))

    def shrink(self, columns: int) -> tuple[float, float]:
        """Shrink the letters until the slide fits; return the new and the full size in pixels."""
        root.style.removeProperty("font-size")
        root.dataset.columns = str(columns)
        full_size = float(window.getComputedStyle(root).fontSize.removesuffix("px"))
        size = full_size
        root.style.setProperty("--steady", f"{BUTTON_FONT_SIZE / size}")
        is_fixed = self.source is self.steps or window.innerWidth < NARROW_WIDTH
        min_size = full_size if is_fixed else MIN_FONT_SIZE
        while self.anchor and size > min_size and hidden_height(columns):
            size = max(size - max(0.5, full_size / 40), min_size)
            root.style.fontSize = f"{size}px"
            root.style.setProperty("--steady", f"{BUTTON_FONT_SIZE / size}")
        return size, full_size


def hidden_height(columns: int) -> float:
    """Return the height of the slide below the window; infinite if a table exceeds its column."""
    tables = document.querySelectorAll("#learn .table") if columns > 1 else ()
    if any(table.scrollWidth > table.clientWidth for table in tables):
        return inf
    return max(0.0, float(root.scrollHeight - window.innerHeight))


def is_large() -> bool:
    """Return whether the page is shown in large letters."""
    return bool(element("large").getAttribute("aria-pressed") == "true")


def toggle_pressed(button: Any, name: str, on: str, off: str) -> None:
    """Toggle a button, and set the root's attribute `data-NAME` to `on` or `off`."""
    pressed = button.getAttribute("aria-pressed") == "true"
    button.setAttribute("aria-pressed", "false" if pressed else "true")
    root.setAttribute(f"data-{name}", off if pressed else on)


def fit_columns() -> None:
    """Give each column of a slide the largest letters that fit; in a narrow window, it scrolls.

    If the smallest do not fit, `data-crowded` names what makes room in the style sheets: repeats
    are left out, and then long texts scroll.
    """
    for crowded in ("", "repeats", "repeats texts"):
        root.dataset.crowded = crowded
        fits = [fit_column(element(name)) for name in ("calculator", "why")]  # Each gets its size.
        if all(fits):
            return


def fit_column(column: Any) -> bool:
    """Give a column the largest letters that fit; return False if even the smallest do not."""

    def fits(size: int) -> bool:
        zoom = MAX_ZOOM - (MAX_ZOOM - MIN_ZOOM) * size / ZOOM_STEPS
        column.style.setProperty("--zoom", str(zoom))
        return not is_overflowing(column)

    column.style.removeProperty("--zoom")
    column.scrollTop = 0
    if not window.matchMedia("(min-width: 60rem)").matches or not column.checkVisibility():
        return True
    # A line that just fits may wrap when it is laid out again, so the next size is taken.
    size = min(bisect_left(range(ZOOM_STEPS), True, key=fits) + 1, ZOOM_STEPS)
    while not fits(size) and size < ZOOM_STEPS:
        size += 1
    return fits(size)


def is_overflowing(column: Any) -> bool:
    """Return whether something in a column is hidden by its edge, or by that of a part."""
    parts = column, *column.querySelectorAll(WIDE_PARTS)
    is_too_low = column.scrollHeight > column.clientHeight + 1
    return is_too_low or any(part.scrollWidth > part.clientWidth + 1 for part in parts)
