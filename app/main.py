"""The page's adapter: reads the form, asks the pure modules, writes what they return."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from pyodide.ffi import JsException, create_proxy, to_js
from pyscript import document, when, window

from app.corpus_page import corpora
from app.model import (
    Inputs,
    acted,
    example_inputs,
    settings,
    swapped,
    takes_value,
    typed_over,
    with_convention,
)
from app.patch import patch
from app.pointing import point
from app.stage import element, root, stage
from app.url import from_fragment, to_fragment
from app.view import (
    FIRST_EXAMPLE,
    FORMS,
    View,
    before_after,
    code,
    comparison_slices,
    lens,
    matches,
    reference_boxes,
    taken,
    token_count,
    value_label,
    view,
    worth_slices,
)
from bleu import SMOOTHINGS, Derivation, self_check
from bleu.explain.matches import reading
from bleu.numerics import decimal
from bleu.render.html import step_id
from bleu.whatif import Trial

HINT = str(element("reading").textContent)
SLICE = 40
"""Milliseconds of work on a panel before the page may do something else."""
PROMPT = 100
"""Milliseconds that an update may take to be made at once; a longer one waits for a pause."""
FRAME = 17
"""Milliseconds after an update in which another waits its turn: some programs type line by line."""


class Page:
    """What is on the screen now, so that only what changed is replaced."""

    def __init__(self) -> None:
        self.steps: dict[str, str] = {}
        self.shown: View | None = None
        self.before: Derivation | None = None
        self.tried: list[Trial] = []
        self.marked: tuple[Derivation, str] | None = None
        self.timer = 0
        self.panel_timer = 0
        self.notice_timer = 0
        self.spoken_timer = 0
        self.work: list[tuple[str, Iterator[str]]] = []
        self.milliseconds = 0.0
        self.finished = 0.0


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
    areas = element("hypothesis"), *reference_areas()
    for area, text in zip(areas, (inputs.hypothesis, *inputs.references), strict=True):
        element(f"{area.id}-count").textContent = token_count(text, inputs.tokenizer)
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
    if now.shown is None and inputs == example_inputs(FIRST_EXAMPLE):
        # the build has written it
        now.steps, now.shown = dict(shown.steps), shown
    show(shown)
    if element("keep-texts").checked:
        remember(inputs)
    now.finished = window.performance.now()
    now.milliseconds = now.finished - started
    window.clearTimeout(now.panel_timer)
    now.panel_timer = window.setTimeout(panels_proxy, 0 if now.milliseconds < PROMPT else 800)
    window.clearTimeout(now.spoken_timer)
    now.spoken_timer = window.setTimeout(spoken_proxy, 1200)


def speak(*_: object) -> None:
    """Tell a screen reader the result, once typing rests."""
    if now.shown and not root.hasAttribute("data-invalid"):
        element("spoken").textContent = now.shown.spoken


def refuse(reason: str) -> None:
    """Say what is wrong; the last whole result stays in sight, dimmed."""
    element("error").textContent = reason
    root.dataset.invalid = "true"


def show(shown: View) -> None:
    """Replace the steps that changed, and no others."""
    if now.shown is None or now.shown.result != shown.result:
        element("result-body").innerHTML = shown.result
    if now.shown is None or now.shown.figures != shown.figures:
        element("figures-body").innerHTML = shown.figures
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
            patch(element(step_id(anchor)), now.steps[anchor], markup)
        before = element(step_id(anchor))
    now.steps, now.shown = steps, shown
    walk.refresh()
    files.check_settings()


def show_panels(inputs: Inputs) -> None:
    """Mark the texts, and fill the panels beside the result that are open."""
    if now.shown is None:
        return
    show_matches()
    if now.before:
        element("before-after-body").innerHTML = before_after(now.before, now.shown.derivation)
    for name, markup in PANELS.items():
        if element(name).open:
            element(BODIES[name]).innerHTML = markup(inputs)
    now.work = []
    if element("comparison").open:
        now.work.append(("comparison-body", comparison_slices(inputs)))
    if element("what-if").open:
        now.tried = []
        slices = worth_slices(inputs, now.shown.derivation, now.tried)
        now.work.append(("what-if-body", slices))
    fill_panels()


def fill_panels(*_: object) -> None:
    """Work on the open panels for as long as nobody notices, then let the page breathe."""
    end = window.performance.now() + SLICE
    for body, slices in now.work:
        for markup in slices:
            if markup:
                element(body).innerHTML = markup
            elif window.performance.now() > end:
                now.panel_timer = window.setTimeout(slice_proxy, 0)
                return


def show_matches() -> None:
    """Mark the matches of the chosen order in the texts."""
    if now.shown is None:
        return
    scored = now.shown.derivation
    for box in document.querySelectorAll("#orders input"):
        box.parentElement.hidden = int(box.value) > len(scored.orders)
    markup = matches(scored, document.querySelector("#orders :checked").value)
    if now.marked is None or now.marked[1] != markup:
        element("matches-body").innerHTML = markup
        light.off()
        element("reading").textContent = HINT
    now.marked = scored, markup


def tell(key: str) -> None:
    """Say of the n-gram that is lit how often it occurs, and what it is credited."""
    if key and now.marked:
        element("reading").textContent = reading(now.marked[0], key)


def arrive(anchor: str) -> None:
    """Mark the order that a step is about."""
    order = anchor.removeprefix("precision-")
    box = document.querySelector(f'#orders input[value="{order}"]') if order.isdigit() else None
    if box and not box.checked:
        box.checked = True
        show_matches()


def later() -> None:
    """Update once typing leaves room for it: at once for short texts, in the pauses for long."""
    window.clearTimeout(now.panel_timer)
    if now.timer:
        window.clearTimeout(now.timer)
    if now.milliseconds >= PROMPT:
        now.timer = window.setTimeout(update_proxy, min(1000, 2 * now.milliseconds))
    elif window.performance.now() - now.finished < FRAME:
        now.timer = window.setTimeout(update_proxy, 0)
    else:
        update()


update_proxy = create_proxy(update)


def be_quiet(*_: object) -> None:
    """Take the notice away."""
    element("notice").textContent = ""


quiet_proxy = create_proxy(be_quiet)
slice_proxy = create_proxy(fill_panels)
spoken_proxy = create_proxy(speak)
panels_proxy = create_proxy(lambda *_: show_panels(read()))


@when("toggle", "#compare details")
def on_toggle(_event: object) -> None:
    """A panel was opened or closed."""
    if not element("error").textContent:
        show_panels(read())


@when("change", "#orders")
def on_order(_event: object) -> None:
    """Another order is to be marked."""
    show_matches()


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
    elif (button.getAttribute("data-choice") or "").startswith("edit:"):
        try_edit(int(button.getAttribute("data-choice").removeprefix("edit:")))
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


def copy_whole(
    make: Callable[[Inputs], str], done: str, give: Callable[[str, str], None] | None = None
) -> None:
    """What is made of the form, to the clipboard; the page is brought up to date first."""
    if now.timer:
        window.clearTimeout(now.timer)
        update()
    if root.hasAttribute("data-invalid"):
        element("notice").textContent = "Nothing copied: the settings make no sense yet"
    else:
        (give or to_clipboard)(make(read()), done)


def keep() -> None:
    """Keep this result, to see what the next changes move."""
    if now.shown:
        now.before = now.shown.derivation
        element("before-after").hidden = False
        show_panels(read())


def forget() -> None:
    """Compare no longer."""
    now.before = None
    element("before-after").hidden = True
    element("keep").focus()


def try_edit(place: int) -> None:
    """Do what a row of the panel says, and show what it moves."""
    text = now.tried[place].edit.text
    if not now.before:
        keep()
    fill(replace(read(), hypothesis=text))
    element("result").scrollIntoView()


def download() -> None:
    """The derivation as a file, made here."""
    form = FORMS[element("form").value]

    copy_whole(taken_now, "", lambda text, _: save(text, form.ending, form.media_type))


def save(text: str, ending: str, media_type: str) -> None:
    """Hand a text over as a file, made here."""
    kind = to_js({"type": media_type}, dict_converter=window.Object.fromEntries)
    address = window.URL.createObjectURL(window.Blob.new(to_js([text]), kind))
    link = document.createElement("a")
    link.href, link.download = address, f"bleu.{ending}"
    link.click()
    window.URL.revokeObjectURL(address)


def give(text: str, ending: str, media_type: str, how: str) -> None:
    """Copy or save what the part for whole files made."""
    if how == "save":
        save(text, ending, media_type)
    else:
        to_clipboard(text, "Copied")


def show_segment(hypothesis: str, references: tuple[str, ...]) -> None:
    """Show one segment of a corpus under the same settings."""
    fill(replace(read(), hypothesis=hypothesis, references=references))
    element("result").scrollIntoView()
    element("hypothesis").focus()


def taken_now(inputs: Inputs) -> str:
    """The derivation in the form that is chosen."""
    return taken(inputs, element("form").value)


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
    "keep": keep,
    "forget": forget,
    "copy-form": lambda: copy_whole(taken_now, f"Copied: {FORMS[element('form').value].label}"),
    "download": download,
    "print": lambda: window.print(),
}


@when("hashchange", window)
def on_hashchange(_event: object) -> None:
    """Another link was opened in the same page."""
    restore()


KEPT, ONCE = "bleu", "bleu-once"
"""The names in the tab's own storage of texts kept from now on, and through one reload."""


def remember(inputs: Inputs, name: str = KEPT) -> None:
    """Keep the form in this tab, on this device, through a reload."""
    try:
        window.sessionStorage.setItem(name, to_fragment(inputs))
    except JsException:
        words = "This browser keeps nothing for this page: the texts will not survive a reload."
        element("notice").textContent = words


def remembered(name: str) -> str:
    """What was kept before a reload, if anything."""
    try:
        return str(window.sessionStorage.getItem(name) or "")
    except JsException:
        return ""


def forget_kept(name: str) -> None:
    """Keep it no longer."""
    try:
        window.sessionStorage.removeItem(name)
    except JsException:
        return


when("bleu:keep", document)(lambda _: remember(read(), ONCE))


@when("change", "#keep-texts")
def on_keep_texts(_event: object) -> None:
    """Keep the texts from now on, or no longer."""
    if element("keep-texts").checked:
        remember(read())
    else:
        forget_kept(KEPT)


def restore() -> bool:
    """Open what the link holds, or what was kept before a reload, if there is something."""
    kept, once = remembered(KEPT), remembered(ONCE)
    element("keep-texts").checked = bool(kept)
    forget_kept(ONCE)
    inputs = from_fragment(once) or from_fragment(window.location.hash) or from_fragment(kept)
    if inputs and now.shown is None:
        # what was typed before Python was up stays
        inputs = typed_over(inputs, example_inputs(FIRST_EXAMPLE), read())
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


light = point(tell)
files = corpora(lambda: settings(read()), show_segment, give)
walk = stage(lambda: list(now.steps), arrive)
start()
