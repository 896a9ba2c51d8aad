"""Access to the document: elements, the form, error messages, downloads and storage."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from pyodide.ffi import JsException, create_proxy, to_js
from pyscript import document, window

from app.components import reference_boxes
from app.state.file_settings import FILE_CONTROLS, SAME_AS_FORM, FileInputs
from app.state.inputs import CHOOSE_MODEL, CONTROLS, Inputs, is_model, model_label
from bleu.render.html import prose, with_language

root = document.documentElement
TAB, DEVICE = "sessionStorage", "localStorage"
"""The storage areas of this tab and of this device: their names in `window`."""
TOKENIZER_MENUS = CONTROLS["tokenizer"], FILE_CONTROLS["tokenizer"]
"""The ids of the tokenizer menus: of the form, and of the files."""


# Elements


def find_element(name: str) -> Any:
    """Return the element whose id is `name`, or None if there is none."""
    return document.getElementById(name)


def element(name: str) -> Any:
    """Return the element whose id is `name`.

    Raises LookupError if there is none.
    """
    node = find_element(name)
    if node is None:
        raise LookupError(f"#{name} is missing from the page; check its id in index.html")
    return node


def listen(event: str, target: Any, handler: Callable[[Any], object]) -> None:
    """Call `handler` at an event of `target`: an object, or a selector of elements.

    PyScript's `when` is not used, because it makes each start of the page 25 ms slower.
    """
    proxy = create_proxy(handler)
    for node in document.querySelectorAll(target) if isinstance(target, str) else [target]:
        node.addEventListener(event, proxy)


def show_texts(node: Any, markup: str) -> None:
    """Fill an element with markup, in which the user's texts get the language of the form."""
    node.innerHTML = with_language(markup, element(CONTROLS["lang"]).value)


def show_prose(node: Any, text: str) -> None:
    """Fill an element with explanatory text, in which quotations and names are not translated."""
    node.innerHTML = prose(text)


def show_template(node: Any, name: str) -> None:
    """Replace the content of an element by a copy of a template."""
    node.replaceChildren(element(name).content.cloneNode(True))


def reveal(name: str) -> None:
    """Open the view that holds an element, and scroll to it."""
    if hasattr(window, "openPart"):
        window.openPart(name)
    else:  # views.mjs was not loaded, so the views are shown one below the other
        element(name).scrollIntoView()


# The form


def reference_areas() -> list[Any]:
    """Return the text areas of the references, in order."""
    return list(document.querySelectorAll("#references textarea"))


def read_controls(controls: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of controls by field; `controls` maps fields to ids."""
    elements = {field: element(name) for field, name in controls.items()}
    return {
        field: control.checked if control.type == "checkbox" else control.value
        for field, control in elements.items()
    }


def show_model(value: str) -> None:
    """Add a SentencePiece model to the tokenizer menus, or update its label there."""
    for menu in map(element, TOKENIZER_MENUS):
        option = menu.querySelector(f'[value="{value}"]')
        if not option:
            option = document.createElement("option")
            option.value = value
            menu.querySelector(f'[value="{CHOOSE_MODEL}"]').before(option)
        option.translate = False
        option.textContent = model_label(value)


def write_controls(controls: Mapping[str, str], values: object) -> None:
    """Write the fields of `values` into controls; `controls` maps fields to ids."""
    for field, name in controls.items():
        control, value = element(name), getattr(values, field)
        if is_model(value):
            show_model(value)
        if control.type == "checkbox":
            control.checked = value
        else:
            control.value = value


def read_form() -> Inputs:
    """Return the texts and settings of the form."""
    values = read_controls(CONTROLS)
    texts = tuple(area.value for area in reference_areas())
    hides_score = root.hasAttribute("data-hides-score")
    return Inputs(element("hypothesis").value, texts, **values, hides_score=hides_score)


def default_texts() -> Inputs:
    """Return the texts that the page showed before any was typed."""
    texts = tuple(area.defaultValue for area in reference_areas())
    return Inputs(element("hypothesis").defaultValue, texts)


def fit_rows(area: Any) -> None:
    """Make a text box as high as its text in Firefox and WebKit, which lack `field-sizing`."""
    if not window.CSS.supports("field-sizing", "content"):
        area.rows = 2
        line_height = float(window.getComputedStyle(area).lineHeight.removesuffix("px"))
        area.rows = max(2, area.scrollHeight // line_height)


def fill_form(inputs: Inputs) -> None:
    """Write texts and settings into the form."""
    element("hypothesis").value = inputs.hypothesis
    root.toggleAttribute("data-hides-score", inputs.hides_score)
    fill_references(inputs.references)
    write_controls(CONTROLS, inputs)


def fill_references(texts: tuple[str, ...]) -> None:
    """Replace the reference boxes by one for each text."""
    # Set as values, because HTML parsers drop a line break at the start of a text area.
    element("references").innerHTML = reference_boxes(tuple("" for _ in texts))
    for area, text in zip(reference_areas(), texts, strict=True):
        area.value = text


def read_file_settings() -> FileInputs:
    """Return the settings for whole files."""
    return FileInputs(**read_controls(FILE_CONTROLS))


def fill_file_settings(file_inputs: FileInputs) -> None:
    """Write the settings for files; disable all but the convention if they follow the form."""
    write_controls(FILE_CONTROLS, file_inputs)
    for field, name in FILE_CONTROLS.items():
        is_disabled = field != "convention" and file_inputs.convention == SAME_AS_FORM
        set_disabled(element(name), is_disabled, element(FILE_CONTROLS["convention"]))


def restore_control(name: str, value: str | bool) -> None:
    """Write a saved value into a control that has its default, if a menu offers the value."""
    control = find_element(name)
    if not control or control.type == "file":
        return
    if name in TOKENIZER_MENUS and is_model(value):
        show_model(str(value))
    if isinstance(value, bool):
        if control.type == "checkbox" and control.checked == control.defaultChecked:
            control.checked = value
        return
    choices = [option.value for option in getattr(control, "options", None) or []]
    default = control.querySelector("[selected]").value if choices else ""
    if control.value == default and (not choices or value in choices):
        control.value = value


def replace_text(name: str, text: str) -> None:
    """Replace the text of a box, if it exists, in a way that the browser itself can undo."""
    box = find_element(name)
    if box:
        box.focus()
        box.select()
        document.execCommand("insertText" if text else "delete", False, text)


def set_hidden(node: Any, is_hidden: bool, fallback: Any, attribute: str = "hidden") -> None:
    """Hide or show an element; before it hides the focus, move the focus to `fallback`."""
    if is_hidden and node.contains(document.activeElement):
        fallback.focus()
    setattr(node, attribute, is_hidden)


def set_disabled(node: Any, is_disabled: bool, fallback: Any) -> None:
    """Disable or enable a control; before it loses the focus, move the focus to `fallback`."""
    set_hidden(node, is_disabled, fallback, "disabled")


def open_details(node: Any) -> None:
    """Open every `<details>` that contains an element, and the settings on a phone."""
    if element("settings").contains(node):
        element("settings-line").setAttribute("aria-expanded", "true")
    section = node.closest("details")
    while section:
        section.open = True
        section = section.parentElement.closest("details")


# Error messages


def show_error(field: str, message: str) -> None:
    """Show an error below the control with the id `field` or, if it is "", below the texts."""
    default_anchor = document.querySelector("#texts > .buttons")
    _place_error("inputs", "error", [field] if field else [], message, default_anchor)


def show_file_error(message: str, fields: Sequence[str] = ()) -> None:
    """Show an error below the first control with an id in `fields`, or below the form."""
    default_anchor = element("corpus-form").lastElementChild
    _place_error("corpus-form", "corpus-error", fields, message, default_anchor)


def _place_error(
    form_id: str, line_id: str, fields: Sequence[str], message: str, default_anchor: Any
) -> None:
    """Move the error line below the first field, scroll it into view, and mark all fields invalid.

    Without a field, the line is placed after `default_anchor`.
    """
    line = element(line_id)
    for control in document.querySelectorAll(f"#{form_id} [aria-invalid]"):
        control.removeAttribute("aria-invalid")
        control.removeAttribute("aria-errormessage")
        descriptions = control.getAttribute("aria-describedby") or ""
        control.setAttribute("aria-describedby", descriptions.replace(line_id, "").strip())
    controls = [element(field) for field in fields]
    for control in controls:
        control.setAttribute("aria-invalid", "true")
        control.setAttribute("aria-errormessage", line_id)
        descriptions = control.getAttribute("aria-describedby") or ""
        control.setAttribute("aria-describedby", f"{descriptions} {line_id}".strip())
        open_details(control)
    anchor = default_anchor
    if controls:
        anchor = controls[0].closest(".setting, .check, .slot, .buttons, details")
    if anchor.classList.contains("slot"):
        anchor.append(line)
    elif not anchor.isSameNode(line) and not line.isSameNode(anchor.nextElementSibling):
        anchor.after(line)
    if line.getAttribute("data-message") != message:
        line.setAttribute("data-message", message)
        show_prose(line, message)
        if message and line.getBoundingClientRect().bottom > window.innerHeight:
            line.scrollIntoView(False)


# Downloads and storage


def download_text(text: str | bytes, name: str, media_type: str) -> None:
    """Download a text or bytes as a file with this name."""
    options = to_js({"type": media_type}, dict_converter=window.Object.fromEntries)
    url = window.URL.createObjectURL(window.Blob.new(to_js([text]), options))
    link = document.createElement("a")
    link.href, link.download = url, name
    link.click()
    window.URL.revokeObjectURL(url)


def load_stored(name: str, area: str = TAB) -> str:
    """Return a stored text, or "" if there is none or storage is blocked."""
    try:
        return str(getattr(window, area).getItem(name) or "")
    except JsException:
        return ""


def remove_stored(name: str, area: str = TAB) -> None:
    """Remove a stored text, if there is one."""
    with suppress(JsException):
        getattr(window, area).removeItem(name)


def store_text(name: str, text: str, area: str = TAB) -> bool:
    """Store a text in the tab or on the device, and return whether that succeeded."""
    try:
        getattr(window, area).setItem(name, text)
    except JsException:
        return False
    return True
