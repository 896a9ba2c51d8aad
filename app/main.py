"""The page's adapter: reads the form, asks the pure modules, writes what they return."""

from collections.abc import Callable, Iterator
from typing import Any

from pyodide.ffi import create_proxy
from pyscript import document, when, window

from app.model import Inputs, acted, example_inputs, swapped, takes_value, with_convention
from app.url import from_fragment, to_fragment
from app.view import (
    View,
    as_json,
    as_markdown,
    code,
    comparison_slices,
    lens,
    reference_boxes,
    token_count,
    value_label,
    view,
)
from bleu import SMOOTHINGS, self_check
from bleu.numerics import decimal
from bleu.render.html import step_id

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
        self.panel_timer = 0
        self.notice_timer = 0
        self.slices: Iterator[str] = iter(())
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
        element("convention").value,
        element("tokenizer").value,
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
    element("convention").value = inputs.convention
    element("tokenizer").value = inputs.tokenizer
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
    be_quiet()
    started = window.performance.now()
    inputs = read()
    for area in document.querySelectorAll("#inputs textarea"):
        element(f"{area.id}-count").textContent = token_count(area.value, inputs.tokenizer)
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
    window.clearTimeout(now.panel_timer)
    now.panel_timer = window.setTimeout(panels_proxy, 0 if now.milliseconds < 50 else 800)


def refuse(reason: str) -> None:
    """Say what is wrong; the last whole result stays in sight, dimmed."""
    element("error").textContent = reason
    root.dataset.invalid = "true"


def show(shown: View) -> None:
    """Replace the steps that changed, and no others."""
    if now.shown is None or now.shown.result != shown.result:
        element("result-body").innerHTML = shown.result
    steps = dict(shown.steps)
    if not now.steps:
        element("derivation").innerHTML = shown.contents + "".join(steps.values())
    elif list(steps) != list(now.steps):
        document.querySelector("#derivation nav").outerHTML = shown.contents
    for anchor in now.steps:
        if anchor not in steps:
            element(step_id(anchor)).remove()
    before = document.querySelector("#derivation nav")
    for anchor, markup in steps.items():
        if anchor not in now.steps and now.steps:
            before.insertAdjacentHTML("afterend", markup)
        elif now.steps.get(anchor, markup) != markup:
            element(step_id(anchor)).outerHTML = markup
        before = element(step_id(anchor))
    now.steps, now.shown = steps, shown


def show_panels(inputs: Inputs) -> None:
    """Fill the panels beside the result that are open."""
    for name, markup in PANELS.items():
        if element(name).open:
            element(BODIES[name]).innerHTML = markup(inputs)
    if element("comparison").open:
        now.slices = comparison_slices(inputs)
        fill_comparison()


def fill_comparison(*_: object) -> None:
    """One more slice of the comparison; for a short text, all of them."""
    for markup in now.slices:
        if markup:
            element("comparison-body").innerHTML = markup
        elif now.milliseconds >= 50:
            now.panel_timer = window.setTimeout(slice_proxy, 0)
            return


def later() -> None:
    """Update once typing leaves room for it: at once for short texts, in the pauses for long."""
    window.clearTimeout(now.panel_timer)
    if now.timer:
        window.clearTimeout(now.timer)
    wait = 0 if now.milliseconds < 50 else min(1000, 2 * now.milliseconds)
    now.timer = window.setTimeout(update_proxy, wait)


update_proxy = create_proxy(update)


def be_quiet(*_: object) -> None:
    """Take the notice away."""
    element("notice").textContent = ""


quiet_proxy = create_proxy(be_quiet)
slice_proxy = create_proxy(fill_comparison)
panels_proxy = create_proxy(lambda *_: show_panels(read()))


@when("toggle", "#compare details")
def on_toggle(_event: object) -> None:
    """A panel was opened or closed."""
    if not element("error").textContent:
        show_panels(read())


@when("input", "#inputs")
def on_input(event: Any) -> None:
    """Any box or setting changed."""
    if event.target.id == "convention":
        fill(with_convention(read(), event.target.value))
        return
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
    elif button.getAttribute("data-choice"):
        fill(with_convention(read(), button.getAttribute("data-choice")))
        element("result").scrollIntoView()
    elif button.getAttribute("data-action"):
        fill(acted(read(), button.getAttribute("data-action")))
    elif button.classList.contains("copy-code"):
        to_clipboard(button.previousElementSibling.textContent, "Code copied")
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
    copy_whole(lambda _: now.shown.line if now.shown else "", "Result copied")


def copy_whole(make: Callable[[Inputs], str], done: str) -> None:
    """What is made of the form, to the clipboard; the page is brought up to date first."""
    if now.timer:
        window.clearTimeout(now.timer)
        update()
    if root.hasAttribute("data-invalid"):
        element("notice").textContent = "Nothing copied: the settings make no sense yet"
    else:
        to_clipboard(make(read()), done)


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
        window.clearTimeout(now.notice_timer)
        now.notice_timer = window.setTimeout(quiet_proxy, 6000)

    def refused(_: object) -> None:
        notice.textContent = f"Copy this: {text}"

    clipboard = getattr(window.navigator, "clipboard", None)
    if clipboard:
        clipboard.writeText(text).then(copied, refused)
    else:
        refused(None)


PANELS = {"lens": lens, "check-yourself": code}
BODIES = {"lens": "lens-body", "check-yourself": "snippets-body"}
ACTIONS: dict[str, Callable[[], object]] = {
    "add-reference": add_reference,
    "swap": swap,
    "clear": clear,
    "copy": copy,
    "share": share,
    "copy-markdown": lambda: copy_whole(as_markdown, "Copied as Markdown"),
    "copy-json": lambda: copy_whole(as_json, "Copied as JSON"),
    "print": lambda: window.print(),
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
        element("loading").textContent = "The self-check failed, so nothing is scored."
        element("result-body").textContent = ""
        element("derivation").textContent = ""
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
