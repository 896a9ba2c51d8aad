"""The form: its controls, the commands that overwrite it, undo, and its storage in the tab."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pyscript import document, window

from app.browser.dom import (
    element,
    fill_form,
    fill_references,
    listen,
    load_stored,
    open_details,
    read_form,
    reference_areas,
    remove_stored,
    replace_text,
    restore_control,
    reveal,
    set_disabled,
)
from app.browser.page import Notices, command, show_history, undo_key
from app.components import value_label
from app.score.html import settings_line
from app.state.form import MemoryGuard, is_out_of_memory, takes_value
from app.state.inputs import (
    History,
    Inputs,
    apply_action,
    example_inputs,
    is_custom,
    swap_texts,
    with_convention,
)
from app.state.saved_form import InitialForm, initial_form
from bleu.core.conventions import get_convention
from bleu.metric.smoothings import SMOOTHINGS

STORAGE_KEY, RELOAD_STORAGE_KEY = "bleu", "bleu-once"
"""The storage keys of texts kept through every reload, and through a single one."""


class FormController:
    """The form, and the undo history of the commands that overwrite it.

    - `on_edit`: called when the person has typed or chosen something.
    - `on_overwrite`: called when the form has been filled by the page.
    """

    def __init__(
        self, guard: MemoryGuard, on_edit: Callable[[], object], on_overwrite: Callable[[], object]
    ) -> None:
        self.on_edit, self.on_overwrite = on_edit, on_overwrite
        self.history = History[Inputs]()
        self.convention = Inputs().convention
        listen("input", "#inputs", guard(self.on_input))

    def read(self) -> Inputs:
        """Return the form, and record its convention, so that choosing another can be undone."""
        inputs = read_form()
        for radio in document.querySelectorAll("#settings [name=n]"):
            radio.checked = radio.value == inputs.max_order
        self.convention = inputs.convention
        self.show_convention(inputs)
        element("settings-line").innerHTML = settings_line(inputs)
        return inputs

    # Events

    def on_input(self, event: Any) -> None:
        """Handle a change of a text or a setting."""
        if event.target.id == "convention":
            old_inputs = replace(read_form(), convention=self.convention)
            inputs = with_convention(old_inputs, event.target.value)
            self.overwrite(inputs, "the choice of an implementation", old_inputs)
            return
        if event.target.id == "smoothing":
            element("smoothing-value").value = ""
            self.show_smoothing()
        self.on_edit()

    def on_key(self, event: Any) -> None:
        """Undo or redo at Ctrl+Z or Ctrl+Y, unless the form was edited since the change."""
        key = undo_key(event)
        if not key or (
            event.target.closest("input, textarea") and not event.target.closest("#inputs")
        ):
            return
        if key == "redo":
            if self.history.future and read_form() == self.history.future[-1].before:
                event.preventDefault()
                self.redo()
        elif self.history.past and read_form() == self.history.past[-1].after:
            event.preventDefault()
            self.undo()

    # Overwriting and undo

    def fill(self, inputs: Inputs) -> None:
        """Fill the form and show the result."""
        fill_form(inputs)
        self.show_smoothing()
        self.on_overwrite()

    def overwrite(self, inputs: Inputs, label: str, old_inputs: Inputs | None = None) -> None:
        """Fill the form, and add the change to the undo history; Undo restores `old_inputs`."""
        old_inputs = old_inputs or read_form()
        self.fill(inputs)
        self.add_change(label, old_inputs)

    def add_change(self, label: str, old_inputs: Inputs) -> None:
        """Add the change from `old_inputs` to the current form to the undo history."""
        self.history.add(label, old_inputs, read_form())
        show_history(self.history)

    @command("undo")
    def undo(self, _: str = "") -> None:
        """Restore the form as it was before the last change."""
        self.fill(self.history.undo(read_form()))
        show_history(self.history)

    @command("redo")
    def redo(self, _: str = "") -> None:
        """Repeat the change that was undone last."""
        self.fill(self.history.redo(read_form()))
        show_history(self.history)

    def show_smoothing(self) -> None:
        """Show the label and the default of the smoothing value, or disable its field."""
        smoothing = element("smoothing").value
        field, has_value = element("smoothing-value"), takes_value(smoothing)
        set_disabled(field, not has_value, element("smoothing"))
        field.placeholder = f"{float(SMOOTHINGS[smoothing].default):.2g}" if has_value else ""
        element("smoothing-value-label").textContent = value_label(smoothing)

    def show_convention(self, inputs: Inputs) -> None:
        """Select the option "custom" if a setting departs from the chosen convention.

        The option's value is that convention, so the convention itself can be chosen again.
        """
        option = element("custom-convention")
        option.hidden = not is_custom(inputs)
        if not option.hidden:
            name = inputs.convention
            label = get_convention(name).label.replace("This", "this")
            option.value, option.textContent = name, f"custom (from {label})"
            option.selected = True
        elif option.selected:
            option.value = ""
            element("convention").value = inputs.convention

    def close_examples(self, target: Any = None) -> None:
        """Close the menu of examples, unless it contains the target of an event."""
        menu = element("examples")
        if menu.open and not (target and menu.contains(target)):
            if menu.contains(document.activeElement):
                menu.firstElementChild.focus()
            menu.open = False

    # Commands

    @command("settings")
    def toggle_settings(self, _: str) -> None:
        """Unfold the settings from their line on a phone, or fold them."""
        line = element("settings-line")
        is_open = line.getAttribute("aria-expanded") == "true"
        line.setAttribute("aria-expanded", str(not is_open).lower())

    @command("example")
    def open_example(self, name: str) -> None:
        """Fill the form with a worked example, and close the menu."""
        self.close_examples()
        self.overwrite(example_inputs(name), "the example")

    @command("swap")
    def swap(self, _: str) -> None:
        """Swap the candidate and the first reference."""
        self.overwrite(swap_texts(read_form()), "swapping")

    @command("clear")
    def clear(self, _: str) -> None:
        """Empty the texts and reset the settings."""
        try:
            self.overwrite(Inputs(), "clearing")
        except Exception as error:
            if not is_out_of_memory(error):
                raise
            # There is no memory to record these texts; the browser can undo these edits itself.
            for area in (element("hypothesis"), *reference_areas()):
                replace_text(area.id, "")
        element("more").open = False
        element("settings-line").setAttribute("aria-expanded", "false")
        element("hypothesis").focus()

    @command("add-reference")
    def add_reference(self, _: str) -> None:
        """Add an empty reference box."""
        fill_references((*read_form().references, ""))
        reference_areas()[-1].focus()
        self.on_overwrite()

    @command("remove")
    def remove_reference(self, number: str) -> None:
        """Remove a reference, counted from 1."""
        inputs, index = read_form(), int(number) - 1
        references = inputs.references[:index] + inputs.references[index + 1 :]
        self.overwrite(replace(inputs, references=references), f"removing reference {number}")
        reference_areas()[-1].focus()

    @command("apply")
    def apply_action(self, action: str) -> None:
        """Apply the action of a finding, or of a remedy for a score of 0."""
        self.overwrite(apply_action(read_form(), action), "the suggestion")
        element("undo").focus()

    @command("convention")
    def choose_convention(self, name: str) -> None:
        """Choose the settings of a convention, and show its result."""
        self.open(with_convention(read_form(), name), "the choice of an implementation")

    def open(self, inputs: Inputs, label: str, focus: str = "convention") -> None:
        """Overwrite the form from another view, show the result, and focus a control."""
        self.overwrite(inputs, label)
        reveal("result")
        open_details(element(focus))
        element(focus).focus()


def save_form(notices: Notices) -> None:
    """Save the form if the box *Keep the texts* is ticked, else remove the saved form."""
    if not element("keep-texts").checked:
        remove_stored(STORAGE_KEY)
    elif fault := window.keepTexts(STORAGE_KEY):
        notices.show_lasting(f"Your texts will not survive a reload, because {fault}.")


def load_form() -> InitialForm:
    """Return the form of the link or the storage, and restore the controls for files."""
    saved, reload = load_stored(STORAGE_KEY), load_stored(RELOAD_STORAGE_KEY)
    element("keep-texts").checked = bool(saved)
    initial = initial_form(window.location.hash, saved, reload)
    for name, value in initial.file_controls.items():
        restore_control(name, value)
    remove_stored(RELOAD_STORAGE_KEY)
    return initial
