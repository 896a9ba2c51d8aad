"""The factors of the score: pointing at one shows its n-grams in the texts, pressing keeps them."""

from collections.abc import Callable
from typing import Any

from pyscript import document

from app.browser.commands import command
from app.browser.dom import element, listen
from app.state.errors import MemoryGuard
from app.state.permalink import ALL_ORDERS


class FactorController:
    """The factors, which choose the order whose matches are marked in the texts.

    - `on_change`: called when another order is to be marked.
    - `pressed`: the order of the pressed factor, or `ALL_ORDERS`.
    - `pointed`: the step of the factor under the pointer or the focus, or "".
    """

    def __init__(self, guard: MemoryGuard, on_change: Callable[[], object]) -> None:
        self.on_change = on_change
        self.pressed = ALL_ORDERS
        self.pointed = ""
        for event in ("pointerover", "focusin"):
            listen(event, "#result-body", guard(self.on_point))
        for event in ("pointerleave", "focusout"):
            listen(event, "#result-body", guard(lambda _: self.point("")))
        listen("keydown", document, guard(self.on_key))

    @property
    def order(self) -> str:
        """The order to mark: that of the factor pointed at, else the pressed one."""
        order = self.pointed.removeprefix("precision-")
        return order if order.isdigit() else self.pressed

    def on_point(self, event: Any) -> None:
        """Show the factor at the pointer or the focus, also if the sentence names it."""
        node = event.target.closest("[data-factor]")
        self.point(node.dataset.factor if node else "")

    def point(self, anchor: str) -> None:
        """Light the factor of a step and its part of the sentence, and mark its order."""
        if anchor != self.pointed:
            self.pointed = anchor
            self.show()
            self.on_change()

    def on_key(self, event: Any) -> None:
        """Release the pressed factor at Escape."""
        if event.key == "Escape":
            self.pointed = ""
            self.press(ALL_ORDERS)

    @command("order")
    def toggle(self, order: str) -> None:
        """Press the factor of an order, or release it if it is pressed."""
        self.press(ALL_ORDERS if order == self.pressed else order)

    def press(self, order: str) -> None:
        """Press the factor of an order, or none for `ALL_ORDERS`."""
        self.pressed = order
        self.show()
        self.on_change()

    def show(self) -> None:
        """Show which factors are pressed and lit; a factor that is gone is released."""
        if self.pressed not in self.orders():
            self.pressed = ALL_ORDERS
        self.light(self.pointed)
        for node in element("result-body").querySelectorAll("button[data-factor]"):
            node.setAttribute("aria-pressed", str(node.dataset.order == self.pressed).lower())

    def light(self, anchor: str) -> None:
        """Light the factor of a step and its part of the sentence; "" lights none."""
        for node in element("result-body").querySelectorAll("[data-factor]"):
            node.classList.toggle("lit", node.dataset.factor == anchor)

    def orders(self) -> list[str]:
        """Return the orders that can be marked, `ALL_ORDERS` first."""
        buttons = element("result-body").querySelectorAll("[data-order]")
        return [ALL_ORDERS, *(button.dataset.order for button in buttons)]
