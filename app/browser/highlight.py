"""Pointing at an n-gram: it lights up wherever it stands; arrow keys walk from one to the next."""

from collections.abc import Callable
from typing import Any

from pyscript import document, window

from app.browser.dom import listen

FORWARD = {"ArrowRight": 1, "ArrowDown": 1, "ArrowLeft": -1, "ArrowUp": -1}
SIDEWAYS = {"ArrowRight", "ArrowLeft"}


class NgramHighlight:
    """The key of the n-gram that is lit, and whether it stays so when the pointer leaves.

    `focused_key` is the key to return to then: that of the n-gram with the focus.
    """

    def __init__(self, on_highlight: Callable[[str], None]) -> None:
        self.on_highlight = on_highlight
        self.key = ""
        self.focused_key = ""
        self.locked = False

    def highlight(self, key: str) -> None:
        """Light every place of an n-gram, and no other."""
        if key == self.key:
            return
        self.key = key
        for node in list(document.querySelectorAll(".lit")):
            node.classList.remove("lit")
        if key:
            for node in document.querySelectorAll(f'[data-ngram="{key}"]'):
                node.classList.add("lit")
        self.on_highlight(key)

    def clear(self) -> None:
        """Light nothing."""
        self.locked = False
        self.focused_key = ""
        self.highlight("")


def connect_highlight(on_highlight: Callable[[str], None]) -> NgramHighlight:
    """Listen for pointer, focus and keys; `on_highlight` is given the key that is lit, or nothing."""
    light = NgramHighlight(on_highlight)

    def over(event: Any) -> None:
        if not light.locked:
            light.highlight(key_at(event.target) or light.focused_key)

    def focused(event: Any) -> None:
        light.focused_key = key_at(event.target)
        if light.focused_key:
            light.locked = False
            light.highlight(light.focused_key)

    def pressed(event: Any) -> None:
        light.focused_key = key_at(event.target)
        light.locked = bool(light.focused_key)
        light.highlight(light.focused_key)

    def typed(event: Any) -> None:
        if event.key == "Escape":
            light.clear()
        place = event.target.closest("[data-rove] button")
        if place and event.key in {*FORWARD, "Home", "End"}:
            event.preventDefault()
            move(place, event.key)

    listen("pointerover", "main", over)
    listen("focusin", "main", focused)
    listen("click", "main", pressed)
    listen("keydown", "main", typed)
    return light


def key_at(target: Any) -> str:
    """The key of the n-gram that a part of the page stands for, or nothing."""
    place = target.closest("[data-ngram]")
    return str(place.getAttribute("data-ngram")) if place else ""


def move(place: Any, key: str) -> None:
    """Put the focus on a neighbour in the same text or table."""
    group = place.closest("[data-rove]")
    places = list(group.querySelectorAll("button"))
    here = next(n for n, node in enumerate(places) if node.isSameNode(place))
    step = FORWARD.get(key, 0)
    if key in SIDEWAYS and window.getComputedStyle(group).direction == "rtl":
        step = -step
    ends = {"Home": 0, "End": len(places) - 1}
    there = places[ends.get(key, min(max(here + step, 0), len(places) - 1))]
    place.tabIndex = -1
    there.tabIndex = 0
    there.focus()
