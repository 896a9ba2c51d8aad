"""The form kept through a reload, in the storage of the tab."""

from pyscript import window

from app.browser.dom import element, load_stored, remove_stored, restore_control
from app.browser.notices import Notices
from app.state.saved_form import InitialForm, initial_form

STORAGE_KEY, RELOAD_STORAGE_KEY = "bleu", "bleu-once"
"""The storage keys of texts kept through every reload, and through a single one."""


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
