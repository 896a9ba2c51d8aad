"""The page's adapter: reads the form, asks the pure modules, writes what they return."""

from typing import Any

from pyodide.ffi import create_proxy
from pyscript import document, when, window

from app.model import Inputs, example_inputs, swapped, takes_value
from app.url import from_fragment, to_fragment
from app.view import View, reference_boxes, token_count, value_label, view
from bleu import SMOOTHINGS, self_check
from bleu.render.html import step_id
from bleu.settings import decimal

root = document.documentElement
form = document.getElementById("inputs")


def element(name: str) -> Any:
    """The element with an id."""
    return document.getElementById(name)


class Page:
    """What is on the screen now, so that only what changed is replaced."""

    def __init__(self) -> None:
        self.steps: dict[str, str] = {}
        self.shown: View | None = None
        self.timer = 0
        self.milliseconds = 0.0


now = Page()


def reference_areas() -> list[Any]:
    """The reference boxes, in order."""
    return list(document.querySelectorAll("#references textarea"))


def read() -> Inputs:
    """The form as it stands."""
    return Inputs(
        element("hypothesis").value,
        tuple(area.value for area in reference_areas()),
        element("max-order").value,
        element("smoothing").value,
        element("smoothing-value").value,
        element("lowercase").checked,
        element("weights").value,
        element("effective-order").checked,
        element("reference-length").value,
    )


def fill(inputs: Inputs) -> None:
    """Put a state into the form and show what it means."""
    element("hypothesis").value = inputs.hypothesis
    show_references(inputs.references)
    element("max-order").value = inputs.max_order
    element("smoothing").value = inputs.smoothing
    element("smoothing-value").value = inputs.smoothing_value
    element("lowercase").checked = inputs.lowercase
    element("weights").value = inputs.weights
    element("effective-order").checked = inputs.effective_order
    element("reference-length").value = inputs.reference_length
    show_smoothing()
    update()


def show_references(texts: tuple[str, ...]) -> None:
    """As many boxes as there are references, with their texts."""
    element("references").innerHTML = reference_boxes(tuple("" for _ in texts))
    for area, text in zip(reference_areas(), texts, strict=True):
        area.value = text


def show_smoothing() -> None:
    """The value field as the smoothing has it."""
    smoothing = element("smoothing").value
    field = element("smoothing-value")
    field.disabled = not takes_value(smoothing)
    field.placeholder = decimal(SMOOTHINGS[smoothing].default) if takes_value(smoothing) else ""
    element("smoothing-value-label").textContent = value_label(smoothing)


def update(*_: object) -> None:
    """Score what the form holds and show it; an error keeps the last whole result in sight."""
    now.timer = 0
    started = window.performance.now()
    inputs = read()
    for area in document.querySelectorAll("#inputs textarea"):
        element(f"{area.id}-count").textContent = token_count(area.value)
    try:
        shown = view(inputs)
    except (TypeError, ValueError) as error:
        refuse(str(error))
        return
    except Exception as error:
        refuse(f"The page itself failed, and your texts are untouched: {error!r}")
        raise
    element("error").textContent = ""
    root.removeAttribute("data-invalid")
    root.removeAttribute("data-stale")
    show(shown)
    now.milliseconds = window.performance.now() - started


def refuse(reason: str) -> None:
    """Say what is wrong; the last whole result stays in sight, dimmed."""
    element("error").textContent = reason
    root.dataset.invalid = "true"


def show(shown: View) -> None:
    """Replace the steps that changed, and no others."""
    if now.shown is None or now.shown.result != shown.result:
        element("result-body").innerHTML = shown.result
    steps = dict(shown.steps)
    if list(steps) != list(now.steps):
        element("derivation").innerHTML = shown.contents + "".join(steps.values())
    else:
        for anchor, markup in steps.items():
            if now.steps[anchor] != markup:
                element(step_id(anchor)).outerHTML = markup
    now.steps, now.shown = steps, shown


def later() -> None:
    """Update once typing leaves room for it: at once for short texts, in the pauses for long."""
    if now.timer:
        window.clearTimeout(now.timer)
    wait = 0 if now.milliseconds < 50 else min(1000, 2 * now.milliseconds)
    now.timer = window.setTimeout(update_proxy, wait)


update_proxy = create_proxy(update)


@when("input", "#inputs")
def on_input(event: Any) -> None:
    """Any box or setting changed."""
    if event.target.id == "smoothing":
        element("smoothing-value").value = ""
        show_smoothing()
    later()


@when("click", "main")
def on_click(event: Any) -> None:
    """A button was pressed."""
    button = event.target.closest("button")
    if not button:
        return
    example, remove = button.getAttribute("data-example"), button.getAttribute("data-remove")
    if example:
        fill(example_inputs(example))
    elif remove:
        texts = list(read().references)
        del texts[int(remove) - 1]
        show_references(tuple(texts))
        reference_areas()[-1].focus()
        update()
    elif button.id in ACTIONS:
        ACTIONS[button.id]()


def add_reference() -> None:
    """One more reference box, ready to type in."""
    show_references((*read().references, ""))
    reference_areas()[-1].focus()
    update()


def swap() -> None:
    """Exchange the candidate and the first reference."""
    fill(swapped(read()))


def clear() -> None:
    """Empty boxes and default settings."""
    fill(Inputs())
    element("hypothesis").focus()


def copy() -> None:
    """The result on one line, to the clipboard."""
    if now.shown:
        to_clipboard(now.shown.line, "Result copied")


def share() -> None:
    """A link that holds the texts and settings, to the clipboard."""
    address = f"{window.location.href.split('#')[0]}#{to_fragment(read())}"
    to_clipboard(address, "Link copied: it holds your texts, after the #")


def to_clipboard(text: str, done: str) -> None:
    """Copy text and say so, or show it to be copied by hand."""
    notice = element("notice")
    notice.dataset.text = text

    def copied(_: object) -> None:
        notice.textContent = done

    def refused(_: object) -> None:
        notice.textContent = f"Copy this: {text}"

    clipboard = getattr(window.navigator, "clipboard", None)
    if clipboard:
        clipboard.writeText(text).then(copied, refused)
    else:
        refused(None)


ACTIONS = {
    "add-reference": add_reference,
    "swap": swap,
    "clear": clear,
    "copy": copy,
    "share": share,
}


@when("hashchange", window)
def on_hashchange(_event: object) -> None:
    """Another link was opened in the same page."""
    restore()


def restore() -> bool:
    """Open what the link holds, if it holds something."""
    inputs = from_fragment(window.location.hash)
    if inputs:
        fill(inputs)
    return inputs is not None


def start() -> None:
    """Check the library against its worked examples, then score what is there."""
    try:
        checked = self_check()
    except ArithmeticError as error:
        element("error").textContent = f"Do not trust this page: {error}"
        root.dataset.failed = "true"
        return
    element(
        "loading"
    ).textContent = f"Runs on your device. Self-check passed: {checked} of {checked} examples."
    if not restore():
        show_smoothing()
        update()
    root.removeAttribute("data-failed")
    root.dataset.ready = "true"


start()
