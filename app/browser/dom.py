"""All that touches the document for others: elements, the form, the clipboard, and files saved."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from pyodide.ffi import JsException, create_proxy, to_js
from pyscript import document, window

from app.components.text_boxes import reference_boxes
from app.state.file_settings import FILE_CONTROLS, SAME_AS_FORM, FileInputs
from app.state.form import CONTROLS, Inputs

root = document.documentElement
TAB, DEVICE = "sessionStorage", "localStorage"
"""Where something is kept."""


def element(name: str) -> Any:
    """The element with an id; None where there is none."""
    return document.getElementById(name)


def listen(event: str, target: Any, handler: Callable[[Any], object]) -> None:
    """Call a function at an event of one object, or of all elements that a selector finds.

    PyScript's `when` does the same; for the page's listeners it takes 25 ms of each start.
    """
    heard = create_proxy(handler)
    for one in document.querySelectorAll(target) if isinstance(target, str) else [target]:
        one.addEventListener(event, heard)


def reveal(name: str) -> None:
    """Bring a part of the page into sight, in whatever view it is."""
    if hasattr(window, "openPart"):
        window.openPart(name)
    else:  # without their module, the views stand one below the other
        element(name).scrollIntoView()


def reference_areas() -> list[Any]:
    """The reference boxes, in order."""
    return list(document.querySelectorAll("#references textarea"))


def read_controls(controls: Mapping[str, str]) -> dict[str, Any]:
    """What stands in controls, under the names that they are listed by."""
    found = {field: element(name) for field, name in controls.items()}
    return {
        field: control.checked if control.type == "checkbox" else control.value
        for field, control in found.items()
    }


def write_controls(controls: Mapping[str, str], values: object) -> None:
    """Put the fields of an object into the controls that are listed by their names."""
    for field, name in controls.items():
        control, value = element(name), getattr(values, field)
        if control.type == "checkbox":
            control.checked = value
        else:
            control.value = value


def read_form() -> Inputs:
    """The form as it stands."""
    values = read_controls(CONTROLS)
    texts = tuple(area.value for area in reference_areas())
    return Inputs(element("hypothesis").value, texts, **values)


def fill_form(inputs: Inputs) -> None:
    """Put a state into the form."""
    element("hypothesis").value = inputs.hypothesis
    fill_references(inputs.references)
    write_controls(CONTROLS, inputs)


def read_file_settings() -> FileInputs:
    """The settings for whole files as they stand."""
    return FileInputs(**read_controls(FILE_CONTROLS))


def fill_file_settings(file_inputs: FileInputs) -> None:
    """Put the settings for whole files into their controls; those of the boxes are only shown."""
    write_controls(FILE_CONTROLS, file_inputs)
    for field, name in FILE_CONTROLS.items():
        element(name).disabled = field != "convention" and file_inputs.convention == SAME_AS_FORM


def restore_control(name: str, value: str | bool) -> None:
    """Put back what a control held, unless something else has been chosen or typed in it since."""
    control = element(name)
    if not control or control.type == "file":
        return
    if isinstance(value, bool):
        if control.type == "checkbox" and control.checked == control.defaultChecked:
            control.checked = value
        return
    offered = [one.value for one in getattr(control, "options", None) or []]
    preset = control.querySelector("[selected]").value if offered else ""
    if control.value == preset and (not offered or value in offered):
        control.value = value


def fill_references(texts: tuple[str, ...]) -> None:
    """As many boxes as there are references, with their texts."""
    element("references").innerHTML = reference_boxes(tuple("" for _ in texts))
    for area, text in zip(reference_areas(), texts, strict=True):
        area.value = text


def show_error(field: str, words: str) -> None:
    """Say what is wrong, at the control that it is about, or after the whole form."""
    place_error("inputs", "error", [field] if field else [], words)


def show_file_error(words: str, fields: Sequence[str] = ()) -> None:
    """Say what is wrong with files, below the first box that it is about, or after their form."""
    place_error("corpus-form", "corpus-error", fields, words)


def place_error(form: str, error: str, fields: Sequence[str], words: str) -> None:
    """Put a line of words where they belong and into sight, and mark the controls."""
    line = element(error)
    for control in document.querySelectorAll(f"#{form} [aria-invalid]"):
        control.removeAttribute("aria-invalid")
        control.removeAttribute("aria-errormessage")
    controls = [element(field) for field in fields]
    for control in controls:
        control.setAttribute("aria-invalid", "true")
        control.setAttribute("aria-errormessage", error)
        fold = control.closest("details")
        if fold:
            fold.open = True
    place = (
        controls[0].closest(".setting, .check, .slot, .buttons, details")
        if controls
        else element(form).lastElementChild
    )
    if place.classList.contains("slot"):
        place.append(line)
    elif not place.isSameNode(line) and not line.isSameNode(place.nextElementSibling):
        place.after(line)
    if line.textContent != words:
        line.textContent = words
        if words and line.getBoundingClientRect().bottom > window.innerHeight:
            line.scrollIntoView(False)


def replace_text(name: str, text: str) -> None:
    """Put a text into a box in place of what is there, which the browser can undo."""
    box = element(name)
    if box:
        box.focus()
        box.select()
        document.execCommand("insertText" if text else "delete", False, text)


def download_text(text: str, name: str, media_type: str) -> None:
    """Hand a text over as a file of that name, made here."""
    kind = to_js({"type": media_type}, dict_converter=window.Object.fromEntries)
    address = window.URL.createObjectURL(window.Blob.new(to_js([text]), kind))
    link = document.createElement("a")
    link.href, link.download = address, name
    link.click()
    window.URL.revokeObjectURL(address)


def load_stored(name: str, where: str = TAB) -> str:
    """What is kept under a name, through a reload of the tab or on the device, if anything."""
    try:
        return str(getattr(window, where).getItem(name) or "")
    except JsException:  # storage is blocked
        return ""


def remove_stored(name: str, where: str = TAB) -> None:
    """Keep it no longer."""
    with suppress(JsException):
        getattr(window, where).removeItem(name)


def store_on_device(name: str, text: str) -> bool:
    """Keep a text on this device; whether there was room for it."""
    try:
        window.localStorage.setItem(name, text)
    except JsException:
        return False
    return True
